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
   VkPipeline pipeline;
};

void triangle_init(struct triangle *triangle, VkSampleCountFlagBits samples, VkCullModeFlags cull,
                   const VkPhysicalDeviceFeatures *features);
void triangle_finish(struct triangle *triangle);

/* The command buffer of a pass: what the caller records before and in it goes between these. */
VkCommandBuffer triangle_begin(struct triangle *triangle);
void triangle_begin_pass(struct triangle *triangle, VkCommandBuffer cmd);
/* corners: clip coordinates. */
void triangle_draw(struct triangle *triangle, VkCommandBuffer cmd, const float corners[3][4]);
void triangle_end(struct triangle *triangle, VkCommandBuffer cmd);
