/* SPDX-License-Identifier: MIT
 * What programs without barriers use: buffers, images, a kernel, passes, and commands with little to say. All of it ends the program where it fails.
 * Threads: one user at a time. */
#pragma once

#include "tests/client/client.h"

enum { SYNC_WORDS = 256, SYNC_EXTENT = 16, SYNC_LEVELS = 3, SYNC_MAX_HEARD = 8, SYNC_MAX_PASSES = 4 };

/* Of the compute shader, and of the fragment shader as far as it has them. */
enum sync_mode { SYNC_WRITE, SYNC_READ, SYNC_STORE_TEXELS, SYNC_LOAD_TEXELS, SYNC_SAMPLE, SYNC_CHANGE, SYNC_COUNT };

/* Of extensions that older headers do not have. */
#ifdef VK_KHR_copy_memory_indirect
#define SYNC_COPY_INDIRECT(X) X(CmdCopyMemoryIndirectKHR)
#else
#define SYNC_COPY_INDIRECT(X)
#endif
#ifdef VK_EXT_memory_decompression
#define SYNC_DECOMPRESSION(X) X(CmdDecompressMemoryEXT)
#else
#define SYNC_DECOMPRESSION(X)
#endif

#define SYNC_FUNCTIONS(X)                                                                                              \
   X(CmdBeginDebugUtilsLabelEXT) X(CmdEndDebugUtilsLabelEXT) X(CmdDispatchIndirect) X(CmdNextSubpass) X(CmdSetEvent)   \
   X(CmdWaitEvents) X(CreateEvent) X(DestroyEvent) X(CreateSemaphore) X(DestroySemaphore) X(FlushMappedMemoryRanges)   \
   X(InvalidateMappedMemoryRanges) X(GetBufferDeviceAddress) X(CmdBindTransformFeedbackBuffersEXT)                     \
   X(CmdBeginTransformFeedbackEXT) X(CmdEndTransformFeedbackEXT) X(CmdDrawIndirectByteCountEXT)                        \
   X(CreateIndirectCommandsLayoutEXT) X(DestroyIndirectCommandsLayoutEXT) X(CmdExecuteGeneratedCommandsEXT)            \
   X(CmdConvertCooperativeVectorMatrixNV) X(CmdBeginConditionalRenderingEXT) X(CmdEndConditionalRenderingEXT)                                                                              \
   SYNC_COPY_INDIRECT(X) SYNC_DECOMPRESSION(X)
struct sync_functions {
#define X(name) PFN_vk##name name;
   SYNC_FUNCTIONS(X)
#undef X
};
extern struct sync_functions sync_vk; /* those that the client does not have */

struct sync_pass {
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipeline pipeline, second; /* of subpass 1; may be null */
};

struct sync_scene {
   struct client client;
   VkQueue queues[2];
   struct client_buffer input, output, staging, vertices, indices, arguments, captured; /* SYNC_WORDS words */
   struct client_buffer cached; /* the same, of memory that is not coherent; null without `sync` */
   struct client_image pixels, picture, target, depth; /* GENERAL; stored to, sampled, of passes */
   struct client_image pixels_alias; /* since sync_make_alias(): of the same memory as the pixels */
   struct client_set set, input_set;
   VkSampler sampler;
   VkPipelineLayout layout, input_layout;
   VkPipeline compute;
   VkShaderModule comp, vert, xfb_vert, frag, input_frag;
   VkEvent event;
   VkIndirectCommandsLayoutEXT generated; /* a dispatch */
   struct sync_pass passes[SYNC_MAX_PASSES]; /* since sync_destroy_passes() */
   uint32_t num_passes;
   struct {
      uint32_t count;
      char id[SYNC_MAX_HEARD][64], message[SYNC_MAX_HEARD][3072];
   } heard; /* findings */
};
extern struct sync_scene scene;

void sync_init(void);
void sync_finish(void);

/* ---- commands ---- */

void sync_barrier(VkCommandBuffer cmd, VkPipelineStageFlags src, VkAccessFlags src_access, VkPipelineStageFlags dst, VkAccessFlags dst_access);
/* From the kernel's writes to a copy. */
void sync_buffer_barrier(VkCommandBuffer cmd, const struct client_buffer *buffer, uint64_t offset, uint64_t size);
struct sync_image_scope {
   VkPipelineStageFlags src, dst;
   VkAccessFlags src_access, dst_access;
};
void sync_image_barrier(VkCommandBuffer cmd, const struct client_image *image, uint32_t level, uint32_t count, VkImageLayout from, VkImageLayout to,
                        struct sync_image_scope scope);
/* Four groups from word 0 on; or `groups` from word `offset` on, 0: as the output says. */
void sync_dispatch(VkCommandBuffer cmd, enum sync_mode mode);
void sync_dispatch_at(VkCommandBuffer cmd, enum sync_mode mode, uint32_t offset, uint32_t groups);
/* As many groups as the buffer says, which read. */
void sync_dispatch_of(VkCommandBuffer cmd, const struct client_buffer *parameters);
void sync_copy(VkCommandBuffer cmd, const struct client_buffer *from, const struct client_buffer *to);
void sync_fill(VkCommandBuffer cmd, const struct client_buffer *buffer);
/* Columns of texels from `x` on. */
void sync_upload(VkCommandBuffer cmd, const struct client_image *image, uint32_t level, int32_t x, uint32_t width);
void sync_download(VkCommandBuffer cmd, const struct client_image *image);
/* The picture's next level from this one. */
void sync_blit(VkCommandBuffer cmd, uint32_t from);

/* ---- render passes, over the target and the depth image ---- */

struct sync_pass_options {
   bool captures; /* vertices, if transform feedback is active */
   bool has_depth, has_second_subpass; /* which reads the target as input attachment, and may read the depth */
   bool tests_depth;                   /* it does */
   VkAttachmentLoadOp load_op;
   uint32_t num_dependencies;
   VkSubpassDependency dependencies[2];
};
const struct sync_pass *sync_make_pass(const struct sync_pass_options *options);
/* Without dependencies, nor capture. */
const struct sync_pass *sync_plain_pass(VkAttachmentLoadOp load_op);
/* Another image of the memory of the pixels. */
void sync_make_alias(void);
/* Passes and the alias. */
void sync_destroy_passes(void);
/* Begins it, with all bound that a draw of three vertices needs. */
void sync_begin_pass(VkCommandBuffer cmd, const struct sync_pass *pass, enum sync_mode mode);
void sync_draw_pass(VkCommandBuffer cmd, const struct sync_pass *pass, enum sync_mode mode);

/* ---- twins: sync_extensions.c ---- */

void sync_captured_vertices(VkCommandBuffer cmd, bool is_faulty);
void sync_counter_of_capture(VkCommandBuffer cmd, bool is_faulty);
void sync_draw_of_capture(VkCommandBuffer cmd, bool is_faulty);
void sync_generated_dispatch(VkCommandBuffer cmd, bool is_faulty);
void sync_parameters_of_a_copy(VkCommandBuffer cmd, bool is_faulty);
void sync_decompressed(VkCommandBuffer cmd, bool is_faulty);
void sync_converted_matrix(VkCommandBuffer cmd, bool is_faulty);

/* ---- twins: sync_host.c ---- */

void sync_upload_without_flush(VkCommandBuffer cmd, bool is_faulty);
void sync_half_of_the_flush(VkCommandBuffer cmd, bool is_faulty);
void sync_late_change(VkCommandBuffer cmd, bool is_faulty);
void sync_parameters_without_flush(VkCommandBuffer cmd, bool is_faulty);
void sync_overwritten(VkCommandBuffer cmd, bool is_faulty);
/* No twin: what the host sees, and the device, between flushes and invalidations. */
void sync_check_cached(void);
