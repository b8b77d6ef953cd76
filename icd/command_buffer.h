/* SPDX-License-Identifier: MIT
 * VkCommandBuffer: a command stream, and what recording has to remember from one command to the next.
 * Spec: Command Buffers, "Command Buffer Lifecycle". Owned by its pool. */
#pragma once

#include "icd/command_pool.h"
#include "runtime/cmd/cmd.h"

struct icd_image_view;
struct icd_bound_shaders;
struct icd_pipeline;
struct icd_render_pass;
struct icd_shader_object;

enum icd_command_buffer_state {
   ICD_COMMAND_BUFFER_INITIAL,
   ICD_COMMAND_BUFFER_RECORDING,
   ICD_COMMAND_BUFFER_EXECUTABLE,
   ICD_COMMAND_BUFFER_INVALID, /* recording failed */
};

/* The render pass instance that is being recorded; arrays live in the stream. */
struct icd_pass_state {
   const struct icd_render_pass *pass; /* NULL: none */
   uint32_t subpass;
   VkRect2D area;
   VkExtent2D extent; /* of the framebuffer */
   uint32_t num_layers;
   const struct icd_image_view *const *views; /* [pass->num_attachments] */
   const VkClearValue *clears;                /* [pass->num_attachments] */
   uint32_t *seen_views;                      /* [pass->num_attachments]: views whose load op has happened */
};

/* Push descriptors as last pushed: the next push starts from them. */
struct icd_push_state {
   const uint8_t *data; /* NULL: none yet */
   uint32_t set;
   uint64_t shape; /* comp_set.shape */
};

/* Of the density map of the render pass instance that is being recorded. */
struct icd_density_offsets {
   struct rt_density_offsets *offsets; /* in the stream; NULL: there is no map */
   uint32_t max_count;
};

enum {
   ICD_MAX_DESCRIPTOR_BUFFERS = 32, /* that are bound at once */
   ICD_KEPT_SHADERS = 8,
};

struct icd_command_buffer {
   struct icd_object base;
   struct icd_command_pool *pool;
   struct util_list link; /* in the pool's buffers */
   VkCommandBufferLevel level;
   VkCommandBufferUsageFlags usage;
   enum icd_command_buffer_state state;
   struct rt_cmd_stream stream;

   struct icd_pass_state pass;
   struct icd_density_offsets density_offsets;
   const struct rt_cmd_begin_rendering *resolve_rendering; /* what vkCmdBeginCustomResolveEXT begins, in the stream; NULL: nothing */
   struct icd_push_state push[RT_NUM_BIND_POINTS];
   uint8_t *descriptor_buffers[ICD_MAX_DESCRIPTOR_BUFFERS];
   const struct icd_shader_object *shaders[ABI_NUM_STAGES]; /* bound graphics stages */
   const struct icd_bound_shaders *bound[ICD_KEPT_SHADERS]; /* that were bound together before, in the stream; NULL: none */
   uint32_t next_bound;
   const struct icd_pipeline *graph; /* the execution graph that is bound; NULL: none */
};

/* Takes it out of its pool and frees it. */
void icd_command_buffer_destroy(struct icd_command_buffer *buffer);
/* Back to the initial state. */
void icd_command_buffer_reset(struct icd_command_buffer *buffer, bool gives_back_memory);

/* The stream that a command goes to. */
static inline struct rt_cmd_stream *icd_stream(VkCommandBuffer handle)
{
   return &icd_command_buffer_from_handle(handle)->stream;
}
