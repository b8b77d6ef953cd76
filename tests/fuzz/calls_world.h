/* SPDX-License-Identifier: MIT
 * What random calls are made on: a device with few objects of each type, and what has to be known of them so that calls are valid. Of images those that
 * can be made are remade at random; buffers, shaders, sets and command buffers stay. Threads: one. */
#pragma once

#include "tests/client/client.h"
#include "tests/fuzz/input.h"

enum {
   NUM_BUFFERS = 3, BUFFER_BYTES = 1 << 16, INDIRECT_BYTES = 4096,
   NUM_IMAGES = 8, MAX_IMAGE_BYTES = 1 << 22,
   NUM_PRIMARIES = 3, NUM_SECONDARIES = 2, NUM_COMMANDS = NUM_PRIMARIES + NUM_SECONDARIES,
   NUM_QUERIES = 8, NUM_QUEUES = 2, NUM_PIPELINES = 24,
   NUM_PAGES = 16, PAGE_BYTES = 1 << 16, SPARSE_BYTES = NUM_PAGES * PAGE_BYTES,
};

#define CALLS_FUNCTIONS(X)                                                                                             \
   X(CmdBeginRendering) X(CmdEndRendering) X(CmdPipelineBarrier2) X(CmdSetEvent2) X(CmdWaitEvents2) X(CmdResetEvent2)   \
   X(CmdDrawIndexedIndirect) X(CmdDispatchIndirect) X(CmdCopyImage) X(CmdClearDepthStencilImage) X(CmdExecuteCommands)  \
   X(CmdCopyQueryPoolResults) X(CmdSetCullMode) X(CmdSetPrimitiveTopology) X(CmdSetDepthTestEnable)                     \
   X(CmdSetDepthWriteEnable) X(CmdSetDepthCompareOp) X(CmdSetStencilTestEnable) X(CmdSetStencilOp)                      \
   X(CmdSetRasterizerDiscardEnable) X(CmdSetPrimitiveRestartEnable) X(CmdDispatchBase) X(QueueSubmit2)                  \
   X(CreateSemaphore) X(DestroySemaphore) X(WaitSemaphores) X(GetSemaphoreCounterValue) X(SignalSemaphore)              \
   X(CreateEvent) X(DestroyEvent) X(ResetQueryPool) X(ResetCommandPool) X(CmdDrawMeshTasksEXT) X(CmdDrawMeshTasksIndirectEXT) X(QueueBindSparse)

struct calls_functions {
#define X(name) PFN_vk##name name;
   CALLS_FUNCTIONS(X)
#undef X
};
extern struct calls_functions calls;

struct image_format {
   VkFormat format;
   VkImageAspectFlags aspects;
   uint32_t texel_bytes, block_size; /* of a block; its width and height in texels */
   bool is_float;                    /* a fragment shader's floats fit */
};

struct image {
   const struct image_format *format; /* NULL: there is none */
   VkImageCreateInfo info;
   VkImage handle;
   VkDeviceMemory memory;
   VkImageView sampled, attachment; /* or null; the latter is of its first level, all layers */
};

enum command_state { COMMANDS_INITIAL, COMMANDS_RECORDING, COMMANDS_RENDERING, COMMANDS_EXECUTABLE };

struct commands {
   VkCommandBuffer handle;
   enum command_state state;
   bool is_secondary, is_pending;
   bool has_event; /* its own event was set in it */
   int query;      /* that is active in it; -1: none */
   VkPipeline draw, mesh; /* while rendering: which fit the attachments; the first one is bound */
   uint32_t x, y, width, height, layers; /* while rendering: where the area begins, and the attachments' size, where it ends */
};

/* Pipelines for attachments of these formats. */
struct draw_pipeline {
   VkFormat colors[2], depth, stencil;
   VkSampleCountFlagBits samples;
   VkPipeline handle, mesh; /* from vertices; from tasks and meshes */
};

struct world {
   struct client client;
   VkQueue queues[NUM_QUEUES];
   struct client_buffer buffers[NUM_BUFFERS], indirect;
   struct client_buffer few; /* indirect counts of tasks, each 0 to 3 */
   VkBuffer sparse;            /* of NUM_PAGES, each with memory of `pages` or none */
   struct client_buffer pages; /* half as many */
   struct client_image texture, storage; /* what sets name when they name no image of below */
   struct image images[NUM_IMAGES];
   struct client_set set;
   VkSampler sampler;
   VkPipelineLayout layout;
   VkShaderModule modules[5]; /* compute, vertex, fragment, task, mesh */
   VkPipeline compute;
   struct draw_pipeline draws[NUM_PIPELINES];
   uint32_t num_draws;
   struct commands commands[NUM_COMMANDS];
   VkEvent events[NUM_COMMANDS];
   VkQueryPool occlusion, timestamps;
   VkSemaphore timeline;
   uint64_t signaled; /* the value of the last submission */
   bool is_lost;      /* the device */
};

/* Features of further extensions may be asked for: `next`. Of others than rays only without the validation layer, which does not know them. */
bool world_knows_newer(void);
void world_init(struct world *world, void *next);
void world_finish(struct world *world);
/* As after world_init(), but faster: no images, nothing recorded. */
void world_reset(struct world *world);

/* Waits for all queues. */
void world_wait(struct world *world);
/* Waits and forgets what command buffers have: what they name may then be destroyed. */
void world_forget_commands(struct world *world);
void world_destroy_image(struct world *world, struct image *image);
/* A random image instead, in layout GENERAL; none where the driver offers none like it. */
void world_make_image(struct world *world, struct image *image, struct input *in);

/* What all commands but those of one row expect to be bound for dispatches, and pushed. */
void world_bind(struct world *world, const struct commands *commands, uint32_t seed);
/* Brings a command buffer into a state: recording and not rendering, or rendering. */
void world_record(struct world *world, struct commands *commands);
bool world_render(struct world *world, struct commands *commands, struct input *in);
