/* SPDX-License-Identifier: MIT
 * One white triangle on black, for tests that vary how it is drawn and what is counted. Owns all its objects. */
#pragma once

#include "tests/client/client.h"

enum { TRIANGLE_SIZE = 32 }; /* texels of the target along an edge */

struct triangle {
   struct client client;
   struct client_image color, resolved; /* resolved: where samples > 1 */
   struct client_buffer pixels;         /* RGBA8 after triangle_end() */
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   struct client_graphics info;
   struct client_buffer buffer;
   struct client_set set;
   VkPipeline pipeline;
};

void triangle_init(struct triangle *triangle, VkSampleCountFlagBits samples, VkCullModeFlags cull,
                   const VkPhysicalDeviceFeatures *features);
void triangle_finish(struct triangle *triangle);

/* What a test varies beyond that. Zero: as triangle_init() has it. */
struct triangle_options {
   VkSampleCountFlagBits samples;
   VkPrimitiveTopology topology; /* list of points, lines or triangles; points: zero, so set is_point too */
   bool is_point;
   const uint32_t *vertex; /* SPIR-V; NULL: corners as triangle_draw() is given */
   size_t vertex_bytes;
   const uint32_t *fragment; /* SPIR-V, with one output of colour at location 0 */
   size_t fragment_bytes;
   uint32_t buffer_bytes; /* > 0: storage buffer at set 0, binding 0: triangle.buffer */
   const char *extension;
   const char *const *extensions; /* instead of it, if not NULL */
   uint32_t num_extensions;
   const void *stage_next; /* of both stages */
   const void *device_next, *next, *rasterization_next, *multisample_next; /* next: of the pipeline */
};
/* Also on Vulkan 1.3, while triangle_init() has 1.0. */
void triangle_init_with(struct triangle *triangle, const struct triangle_options *options);

/* The command buffer of a pass: what the caller records before and in it goes between these. */
VkCommandBuffer triangle_begin(struct triangle *triangle);
void triangle_begin_pass(struct triangle *triangle, VkCommandBuffer cmd);
/* corners: clip coordinates. */
void triangle_draw(struct triangle *triangle, VkCommandBuffer cmd, const float corners[3][4]);
void triangle_end(struct triangle *triangle, VkCommandBuffer cmd);
