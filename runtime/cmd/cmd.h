/* SPDX-License-Identifier: MIT
 * Command streams: what a command buffer records and a queue executes. One plain struct a command, in one arena, in order.
 * Recording only appends: state that a command buffer accumulates is kept by the executor (runtime/queue/execute.c).
 * Objects that commands point to (images, pipelines, …) belong to the icd and outlive the execution, as the specification demands. */
#pragma once

#include "abi/shader.h"
#include "runtime/accel/command.h"
#include "runtime/image/image.h"
#include "runtime/state.h"
#include "runtime/sync/sync.h"
#include "util/arena.h"

#include <string.h>

enum rt_cmd_type {
#define X(name) RT_CMD_##name,
#define RT_COMMANDS(X)                                                                                                 \
   X(bind_compute) X(bind_graphics) X(bind_sets) X(push_constants) X(dispatch) X(dispatch_indirect)                    \
   X(copy_buffer) X(fill_buffer) X(update_buffer) X(copy_image) X(copy_buffer_to_image) X(copy_image_to_buffer)        \
   X(blit_image) X(resolve_image) X(clear_color_image) X(clear_depth_stencil_image)                                    \
   X(begin_rendering) X(end_rendering) X(clear_attachments) X(set_state) X(bind_vertex_buffers) X(bind_index_buffer)   \
   X(draw) X(draw_indexed) X(draw_indirect) X(draw_mesh) X(barrier) X(set_event) X(wait_events) X(begin_query) X(end_query)         \
   X(reset_queries) X(copy_query_results) X(write_timestamp) X(execute) X(begin_conditional) X(end_conditional)   \
   X(bind_xfb_buffers) X(begin_xfb) X(end_xfb) X(draw_byte_count)                                                      \
   X(build_accel) X(copy_accel) X(write_accel_properties) \
   X(bind_nodes) X(dispatch_nodes) \
   X(bind_rays) X(set_ray_stack) X(trace_rays) X(trace_rays_indirect) \
   X(set_restart_index) X(copy_indirect) X(decompress) X(convert_matrices) X(write_marker) X(execute_generated) X(label) X(dependency)
   RT_COMMANDS(X)
#undef X
   RT_NUM_COMMANDS
};

struct rt_cmd {
   struct rt_cmd *next;
   uint32_t type; /* enum rt_cmd_type */
};

struct rt_cmd_stream {
   struct util_arena arena;
   struct rt_cmd *first, **last;
   uint64_t num_cmds;
   bool is_out_of_memory; /* a command could not be appended: vkEndCommandBuffer reports it */
};

void rt_cmd_stream_init(struct rt_cmd_stream *stream);
void rt_cmd_stream_finish(struct rt_cmd_stream *stream);
void rt_cmd_stream_reset(struct rt_cmd_stream *stream);
/* Appends a zeroed command of `size` bytes and returns it; NULL when memory is out (and marks the stream). */
void *rt_cmd_append(struct rt_cmd_stream *stream, enum rt_cmd_type type, size_t size);
/* Memory for a command's arrays, of the stream's lifetime; NULL when memory is out (and marks the stream). */
void *rt_cmd_data(struct rt_cmd_stream *stream, const void *data, size_t size);
const char *rt_cmd_name(enum rt_cmd_type type);

#define RT_CMD_APPEND(stream, name) ((struct rt_cmd_##name *)rt_cmd_append(stream, RT_CMD_##name, sizeof(struct rt_cmd_##name)))

enum rt_bind_point { RT_BIND_COMPUTE, RT_BIND_GRAPHICS, RT_BIND_RAYS, RT_BIND_NODES, RT_NUM_BIND_POINTS };

/* NULL: nothing is bound, and draws and dispatches do nothing. */
struct rt_cmd_bind_compute { struct rt_cmd cmd; const struct rt_compute_pipeline *pipeline; bool is_shader_object; /* for messages alone */ };
struct rt_cmd_bind_graphics { struct rt_cmd cmd; const struct rt_graphics_pipeline *pipeline; const struct rt_static_state *state; };

struct rt_cmd_bind_rays { struct rt_cmd cmd; const struct rt_ray_pipeline *pipeline; };
struct rt_cmd_set_ray_stack { struct rt_cmd cmd; uint32_t bytes; };

struct rt_cmd_bind_nodes { struct rt_cmd cmd; const struct rt_node_pipeline *pipeline; };

struct rt_cmd_bind_sets {
   struct rt_cmd cmd;
   uint32_t bind_points; /* bit set of enum rt_bind_point */
   uint32_t first_set, num_sets;
   struct abi_set sets[]; /* [num_sets] descriptor memory; push descriptors: a copy in the stream. dynamic_offsets: NULL: none are given */
};
/* With room for so many sets, ABI_MAX_SETS at most; NULL as RT_CMD_APPEND. */
struct rt_cmd_bind_sets *rt_cmd_append_sets(struct rt_cmd_stream *stream, uint32_t bind_points, uint32_t first_set, uint32_t num_sets);

struct rt_cmd_push_constants { struct rt_cmd cmd; uint32_t offset_bytes, size_bytes; const void *data; };

struct rt_cmd_dispatch { struct rt_cmd cmd; uint32_t base[3], count[3]; };
struct rt_cmd_dispatch_indirect { struct rt_cmd cmd; const VkDispatchIndirectCommand *args; };

struct rt_cmd_trace_rays { struct rt_cmd cmd; struct rt_ray_table table; uint32_t size[3]; };
/* With `has_table` a VkTraceRaysIndirectCommand2KHR is at the address, else a VkTraceRaysIndirectCommandKHR. */
struct rt_cmd_trace_rays_indirect { struct rt_cmd cmd; struct rt_ray_table table; uint64_t address; bool has_table; };

/* Payloads of one node: VkDispatchGraphInfoAMDX, which stands behind a switch of the headers. */
struct rt_node_dispatch { uint32_t node, count; uint64_t payloads, stride_bytes; }; /* an address */
/* VkDispatchGraphCountInfoAMDX */
struct rt_node_infos { uint32_t count, unused; uint64_t dispatches, stride_bytes; }; /* an address of the above */
struct rt_cmd_dispatch_nodes {
   struct rt_cmd cmd;
   struct rt_node_infos infos;
   const struct rt_node_infos *indirect; /* instead, in memory; NULL: none */
   bool is_recorded; /* infos and payloads stand in the stream */
};

struct rt_cmd_copy_buffer { struct rt_cmd cmd; const uint8_t *src; uint8_t *dst; uint32_t num_regions; const VkBufferCopy *regions; };
struct rt_cmd_fill_buffer { struct rt_cmd cmd; uint8_t *dst; uint64_t size_bytes; uint32_t value; };
struct rt_cmd_update_buffer { struct rt_cmd cmd; uint8_t *dst; uint64_t size_bytes; const void *data; };
struct rt_cmd_copy_image { struct rt_cmd cmd; const struct rt_image *src, *dst; uint32_t num_regions; const VkImageCopy *regions; };
struct rt_cmd_copy_buffer_to_image {
   struct rt_cmd cmd;
   const uint8_t *src;
   const struct rt_image *dst;
   uint32_t num_regions;
   const VkBufferImageCopy *regions;
};
struct rt_cmd_copy_image_to_buffer { struct rt_cmd cmd; const struct rt_image *src; uint8_t *dst; uint32_t num_regions; const VkBufferImageCopy *regions; };
struct rt_cmd_blit_image { struct rt_cmd cmd; const struct rt_image *src, *dst; VkFilter filter; uint32_t num_regions; const VkImageBlit *regions; };
struct rt_cmd_resolve_image {
   struct rt_cmd cmd;
   const struct rt_image *src, *dst;
   VkResolveModeFlagBits mode, stencil_mode; /* of colour and depth, of stencil; integers that are to be averaged give sample 0 */
   bool is_encoded;                          /* as resolves_encoded below */
   uint32_t num_regions;
   const VkImageResolve *regions;
};
/* VkCopyMemoryIndirectCommandKHR, which older headers do not have. */
struct rt_memory_copy { uint64_t src, dst, size_bytes; }; /* addresses */

/* VkCopyMemoryToImageIndirectCommandKHR */
struct rt_image_copy {
   uint64_t src; /* address */
   uint32_t row_length, image_height;
   VkImageSubresourceLayers layers;
   VkOffset3D offset;
   VkExtent3D extent;
};

/* One of these, or with an image of those, stride_bytes apart. */
struct rt_cmd_copy_indirect {
   struct rt_cmd cmd;
   const uint8_t *args;
   uint64_t stride_bytes;
   uint32_t count;
   const struct rt_image *image;           /* NULL: between addresses */
   const VkImageSubresourceLayers *layers; /* [count] of the image */
};
/* Without an image. */
static inline struct rt_memory_copy rt_indirect_copy(const struct rt_cmd_copy_indirect *cmd, uint64_t index)
{
   struct rt_memory_copy copy;
   memcpy(&copy, cmd->args + index * cmd->stride_bytes, sizeof(copy));
   return copy;
}
/* A copy to the image, of the subresource that was recorded, which the memory's has to equal. False: it would not be inside of its level. */
bool rt_indirect_region(const struct rt_cmd_copy_indirect *cmd, uint64_t index, VkBufferImageCopy *region, const uint8_t **src);
enum {
   RT_MAX_DECOMPRESSED_BYTES = 65536, /* of a region */
   RT_MAX_DECOMPRESSIONS = 1 << 20,   /* of a command that counts in memory */
};

/* VkDecompressMemoryRegionEXT, and what VkDecompressMemoryRegionNV begins with. */
struct rt_decompression { uint64_t src, dst, src_bytes, dst_bytes; }; /* addresses */

/* Regions of GDeflate, stride_bytes apart. */
struct rt_cmd_decompress {
   struct rt_cmd cmd;
   const uint8_t *args;
   uint64_t stride_bytes;
   const void *count; /* 32 bits; NULL: max_count */
   uint32_t max_count;
};
/* How many regions there are, when it is executed. */
static inline uint32_t rt_decompress_count(const struct rt_cmd_decompress *cmd)
{
   uint32_t count = cmd->max_count;
   if (cmd->count)
      memcpy(&count, cmd->count, sizeof(count));
   return UTIL_MIN(count, cmd->max_count);
}
static inline struct rt_decompression rt_decompress_region(const struct rt_cmd_decompress *cmd, uint64_t index)
{
   struct rt_decompression region;
   memcpy(&region, cmd->args + index * cmd->stride_bytes, sizeof(region));
   return region;
}

/* Of cooperative vectors: runtime/matrix/convert.h. */
struct rt_cmd_convert_matrices { struct rt_cmd cmd; const struct rt_matrix_conversion *conversions; uint32_t count; };

/* A number that shows the host how far the queue has come: after all work before it, or before more work is begun. */
struct rt_cmd_write_marker { struct rt_cmd cmd; uint32_t *dst; uint32_t value; bool is_after; };
/* Counts in the ranges are resolved: no VK_REMAINING_*. */
struct rt_cmd_clear_color_image {
   struct rt_cmd cmd;
   const struct rt_image *image;
   VkClearColorValue color;
   uint32_t num_ranges;
   const VkImageSubresourceRange *ranges;
};
struct rt_cmd_clear_depth_stencil_image {
   struct rt_cmd cmd;
   const struct rt_image *image;
   VkClearDepthStencilValue value;
   uint32_t num_ranges;
   const VkImageSubresourceRange *ranges;
};

/* ---- rendering: one internal form for render passes (each subpass is one begin/end) and dynamic rendering ---- */

struct rt_attachment {
   const struct abi_image *view;         /* level 0, all layers of the view; NULL: unused */
   const struct abi_image *resolve_view; /* NULL: none */
   VkAttachmentLoadOp load_op;
   VkAttachmentStoreOp store_op;
   VkResolveModeFlagBits resolve_mode;
   bool resolves_encoded; /* averages of sRGB texels are those of the stored numbers, not of linear ones */
   VkClearValue clear;
   bool is_read_only; /* its layout says so */
};

/* By how many texels of the target a density map is moved, layer by layer of the map; none where there is no such number. Written while the rendering
 * that begins with it is recorded. */
struct rt_density_offsets {
   uint32_t count;
   VkOffset2D offsets[];
};

/* Which shading rate each rectangle of texels has. */
struct rt_rate_attachment {
   const struct abi_image *view; /* R8_UINT, or of densities; NULL: none */
   uint32_t texel_log2[2];       /* of the rectangle that one of its texels is for: 3 at least */
   uint8_t max_edge_log2[2]; /* of densities: fragments are no longer than this */
   bool is_density; /* VK_EXT_fragment_density_map, instead of all other rates */
   bool is_layered; /* each layer of the target has its own, where the view has more than one */
   const struct rt_density_offsets *offsets; /* NULL: none */
};

struct rt_cmd_begin_rendering {
   struct rt_cmd cmd;
   VkRect2D area;
   uint32_t num_layers, view_mask, num_colors;
   struct rt_attachment colors[ABI_MAX_ATTACHMENTS];
   struct rt_attachment depth, stencil; /* views of the depth and the stencil plane */
   struct rt_rate_attachment rates;
   bool is_resuming, is_suspending;
   bool is_dithered; /* colours of few bits */
   bool is_load; /* load operations alone, of attachments of the rendering that follows */
   uint32_t subpass; /* of a render pass: its index + 1, else 0; for messages and what looks for missing barriers */
};
struct rt_cmd_end_rendering { struct rt_cmd cmd; };
struct rt_cmd_clear_attachments {
   struct rt_cmd cmd;
   uint32_t num_attachments, num_rects;
   const VkClearAttachment *attachments;
   const VkClearRect *rects;
};

struct rt_cmd_set_state { struct rt_cmd cmd; uint32_t group; uint32_t offset_bytes, size_bytes; const void *data; }; /* offset in the group */

struct rt_vertex_buffer { const uint8_t *data; uint64_t size_bytes; }; /* NULL: null descriptor, reads zero */
struct rt_cmd_bind_vertex_buffers {
   struct rt_cmd cmd;
   uint32_t first, count;
   const struct rt_vertex_buffer *buffers;
   const uint32_t *strides; /* NULL: unchanged */
};
struct rt_cmd_bind_index_buffer { struct rt_cmd cmd; const uint8_t *data; uint64_t size_bytes; uint32_t index_bytes; /* 1, 2, 4 */ };

/* Instead of the largest index, until an index buffer is bound. */
struct rt_cmd_set_restart_index { struct rt_cmd cmd; uint32_t index; };

struct rt_cmd_draw { struct rt_cmd cmd; uint32_t vertex_count, instance_count, first_vertex, first_instance, draw_index; };
struct rt_cmd_draw_indexed {
   struct rt_cmd cmd;
   uint32_t index_count, instance_count, first_index;
   int32_t vertex_offset;
   uint32_t first_instance, draw_index;
};
struct rt_cmd_draw_mesh { struct rt_cmd cmd; uint32_t grid[3]; };
enum rt_draw_type { RT_DRAW_VERTICES, RT_DRAW_INDEXED, RT_DRAW_MESH };
struct rt_cmd_draw_indirect {
   struct rt_cmd cmd;
   enum rt_draw_type draw_type;
   const uint8_t *args;       /* VkDrawIndirectCommand or its like of the type, stride_bytes apart */
   const uint32_t *count;     /* NULL: max_draws */
   uint32_t max_draws, stride_bytes;
};

/* Transform feedback. */
struct rt_xfb_range { uint8_t *data; uint64_t size_bytes; }; /* NULL: none */
struct rt_cmd_bind_xfb_buffers { struct rt_cmd cmd; uint32_t first, count; struct rt_xfb_range ranges[ABI_MAX_XFB_BUFFERS]; };
/* counters: 32-bit offsets in the buffers, read at the begin and written at the end; NULL: from the beginning; not written */
struct rt_cmd_begin_xfb { struct rt_cmd cmd; uint8_t *counters[ABI_MAX_XFB_BUFFERS]; };
struct rt_cmd_end_xfb { struct rt_cmd cmd; uint8_t *counters[ABI_MAX_XFB_BUFFERS]; };
struct rt_cmd_draw_byte_count {
   struct rt_cmd cmd;
   const uint8_t *counter; /* bytes that were written: 32 bits */
   uint32_t offset_bytes, stride_bytes; /* taken off them; of a vertex */
   uint32_t instance_count, first_instance;
};

/* What work is ordered by: pipeline stages in classes. A render pass is geometry, then fragments: all from its load to its store operations. */
enum rt_stages { RT_STAGES_OTHER, RT_STAGES_GEOMETRY, RT_STAGES_FRAGMENT, RT_STAGES_COMPUTE, RT_NUM_STAGES };
#define RT_ALL_STAGES ((1u << RT_NUM_STAGES) - 1)
/* Work of the first classes before completes before any of the second ones after starts. Commands without a barrier between may overlap. */
struct rt_cmd_barrier { struct rt_cmd cmd; uint32_t src, dst; /* bit sets of enum rt_stages */ };
struct rt_cmd_set_event { struct rt_cmd cmd; struct rt_timeline *event; uint32_t value; VkPipelineStageFlags2 stages; /* first scope */ };
struct rt_cmd_wait_events { struct rt_cmd cmd; uint32_t count; struct rt_timeline *const *events; };

/* For messages alone, and recorded only where somebody reads them: a debug label is opened (text) or closed (NULL); the scopes of a barrier, which
 * comes behind, or of a wait for an event, which came before. */
struct rt_cmd_label { struct rt_cmd cmd; const char *text; };
struct rt_cmd_scope {
   VkPipelineStageFlags2 src_stages, dst_stages;
   VkAccessFlags2 src_accesses, dst_accesses;
   uint32_t num_ranges;             /* 0: all memory */
   const uint64_t (*ranges)[2];     /* begin and end, as addresses */
   bool is_transition;              /* the image in these ranges changes its layout */
   bool is_discarding;              /* from VK_IMAGE_LAYOUT_UNDEFINED: nothing is left of what it held */
   VkImageLayout layout;            /* to this one; VK_IMAGE_LAYOUT_UNDEFINED: it stays what it is */
};
struct rt_cmd_dependency { struct rt_cmd cmd; const struct rt_timeline *event; /* NULL: a barrier */ uint32_t count; const struct rt_cmd_scope *scopes; };

struct rt_query {
   uint64_t values[16]; /* occlusion: samples in [0]; timestamp: ns in [0]; pipeline statistics: by bit of the pool's flags;
                         * primitives generated in [0]; transform feedback: enum rt_xfb_value */
   uint32_t is_available; /* release/acquire */
   /* While it is active: */
   VkQueryPipelineStatisticFlags statistics; /* what a query of them counts */
   struct rt_query *also; /* another one of its type that was active when it began and counts the same work; NULL: none */
};
enum rt_xfb_value { RT_XFB_WRITTEN, RT_XFB_NEEDED, RT_NUM_XFB_VALUES }; /* primitives */
struct rt_query_pool {
   VkQueryType type;
   VkQueryPipelineStatisticFlags statistics;
   uint32_t count;
   uint32_t num_used; /* queries from here on are as they were made; __atomic */
   struct rt_query *queries;
   pthread_mutex_t lock;
   pthread_cond_t changed; /* a query became available */
};
struct rt_cmd_begin_query { struct rt_cmd cmd; struct rt_query_pool *pool; uint32_t query, stream; bool is_precise; };
struct rt_cmd_end_query { struct rt_cmd cmd; struct rt_query_pool *pool; uint32_t query, stream; };
struct rt_cmd_reset_queries { struct rt_cmd cmd; struct rt_query_pool *pool; uint32_t first, count; };
struct rt_cmd_copy_query_results {
   struct rt_cmd cmd;
   struct rt_query_pool *pool;
   uint32_t first, count;
   uint8_t *dst;
   uint64_t stride_bytes;
   VkQueryResultFlags flags;
};
struct rt_cmd_write_timestamp { struct rt_cmd cmd; struct rt_query_pool *pool; uint32_t query; };

/* Draws, dispatches and clears of attachments between the two are skipped if the value is zero (is_inverted: is not). */
struct rt_cmd_begin_conditional { struct rt_cmd cmd; const uint32_t *value; bool is_inverted; };
struct rt_cmd_end_conditional { struct rt_cmd cmd; };

/* Acceleration structures. */
struct rt_cmd_build_accel { struct rt_cmd cmd; uint32_t count; const struct rt_accel_command *builds; };
enum rt_accel_copy { RT_ACCEL_CLONE, RT_ACCEL_SERIALIZE, RT_ACCEL_DESERIALIZE };
/* Sizes of serialized data stand in it. */
struct rt_cmd_copy_accel { struct rt_cmd cmd; enum rt_accel_copy mode; struct rt_accel_memory from, to; const struct rt_accel_identity *identity; };
struct rt_cmd_write_accel_properties { struct rt_cmd cmd; struct rt_query_pool *pool; uint32_t first, count; const struct rt_accel_memory *structures; };

/* Generated commands: each sequence is tokens at offsets in memory, which name what a command of this stream would. */
enum rt_token_type {
   RT_TOKEN_EXECUTION_SET, /* 32-bit indices in the set: of a pipeline, or of a shader for each of the stages */
   RT_TOKEN_PUSH,          /* bytes for push constants */
   RT_TOKEN_SEQUENCE,      /* the sequence's number becomes a push constant */
   RT_TOKEN_INDEX_BUFFER,  /* VkBindIndexBufferIndirectCommandEXT; `is_dxgi`: its type is a DXGI_FORMAT */
   RT_TOKEN_VERTEX_BUFFER, /* VkBindVertexBufferIndirectCommandEXT for binding `first` */
   RT_TOKEN_DRAW,          /* VkDrawIndirectCommand or its like of the type */
   RT_TOKEN_DRAW_COUNT,    /* VkDrawIndirectCountIndirectCommandEXT: where those are, and how many */
   RT_TOKEN_DISPATCH,      /* VkDispatchIndirectCommand */
   RT_TOKEN_TRACE_RAYS,    /* VkTraceRaysIndirectCommand2KHR */
};
struct rt_token {
   enum rt_token_type type;
   uint32_t offset_bytes; /* in the sequence */
   uint32_t first, count; /* bytes of push constants; a vertex buffer's binding */
   uint32_t num_stages;   /* of an execution set of graphics shaders: indices in memory; 0: one index, of a pipeline or compute shader */
   uint8_t stages[ABI_NUM_STAGES]; /* enum abi_stage of each */
   enum rt_draw_type draw_type;
   bool is_dxgi;
};
struct rt_token_list { uint32_t count, stride_bytes; const struct rt_token *tokens; };

/* What tokens choose from. The host may change entries that no work uses. */
struct rt_execution_entry {
   const struct rt_compute_pipeline *compute; /* exactly one of these four, or none: an entry that was not written */
   const struct rt_graphics_pipeline *graphics; /* with its state */
   const struct rt_ray_pipeline *rays;
   const struct rt_shader *shader; /* of a graphics stage */
   const struct rt_static_state *state;
};
struct rt_execution_set { uint32_t count; struct rt_execution_entry *entries; };

struct rt_cmd_execute_generated {
   struct rt_cmd cmd;
   const struct rt_token_list *list;
   const struct rt_execution_set *set; /* NULL: what is bound */
   const uint8_t *args;
   const uint32_t *count; /* NULL: max_sequences */
   uint32_t max_sequences, max_draws; /* the latter of a token that counts */
};

/* Secondary command buffers; those that they execute count too. */
enum { RT_MAX_NESTING = 256 };
struct rt_cmd_execute { struct rt_cmd cmd; uint32_t count; struct rt_cmd_stream *const *streams; };

UTIL_MUST_CHECK VkResult rt_query_pool_init(struct rt_query_pool *pool, VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags statistics);
void rt_query_pool_finish(struct rt_query_pool *pool);
void rt_query_pool_reset(struct rt_query_pool *pool, uint32_t first, uint32_t count);
/* Spec: vkGetQueryPoolResults. VK_SUCCESS, VK_NOT_READY, VK_ERROR_DEVICE_LOST. */
VkResult rt_query_pool_results(struct rt_query_pool *pool, uint32_t first, uint32_t count, void *dst, uint64_t stride_bytes,
                               VkQueryResultFlags flags, const bool *is_lost);
