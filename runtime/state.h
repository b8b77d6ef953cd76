/* SPDX-License-Identifier: MIT
 * Fixed-function state of a draw, as the runtime reads it: what is static in a pipeline and what commands set, in one struct.
 * rt_state_groups lists its groups: a pipeline overwrites those that are not dynamic, a command exactly one.
 * Spec: Pipelines, "Dynamic State". */
#pragma once

#include "abi/shader.h"

#include <stdbool.h>
#include <stddef.h>

enum {
   RT_MAX_VIEWPORTS = 16,
   RT_MAX_VERTEX_BINDINGS = 32,
   RT_MAX_VERTEX_ATTRIBUTES = 32,
   RT_MAX_DISCARD_RECTANGLES = 8,
   RT_MAX_POINT_SIZE = 1024, /* texels; both */
   RT_MAX_LINE_WIDTH = 256,
};

struct rt_vertex_attribute { /* by location */
   uint8_t is_enabled, binding;
   uint16_t pad;
   uint32_t format; /* VkFormat */
   uint32_t offset_bytes;
};

struct rt_vertex_binding {
   uint32_t stride_bytes;
   uint32_t divisor; /* 0: per vertex; else instances between steps (VK_EXT_vertex_attribute_divisor's 0 is RT_DIVISOR_ZERO) */
};
#define RT_DIVISOR_ZERO UINT32_MAX

struct rt_stencil_face {
   uint8_t fail_op, pass_op, depth_fail_op, compare_op; /* VkStencilOp, VkCompareOp */
   uint32_t compare_mask, write_mask, reference;
};

struct rt_blend_attachment {
   uint8_t src_color, dst_color, color_op, src_alpha, dst_alpha, alpha_op; /* VkBlendFactor, VkBlendOp */
};

/* An advanced blend operation, where `op` is not 0: it comes before both operations of struct rt_blend_attachment. */
struct rt_blend_advanced {
   uint8_t op;      /* VkBlendOp - VK_BLEND_OP_ZERO_EXT + 1 */
   uint8_t overlap; /* VkBlendOverlapEXT */
   uint8_t is_src_straight, is_dst_straight; /* colours are not premultiplied by alpha */
   uint8_t clamps;  /* results to [0, 1] */
};

#define RT_DEPTH_CLIP_UNLESS_CLAMPED 2
#define RT_STATE_OF_CONTEXTS offsetof(struct rt_state, depth_clamp)
#define RT_NO_LOCATION UINT8_MAX

/* One member struct a group of dynamic state; see RT_STATE_GROUPS. */
struct rt_state {
   /* What struct rt_inputs is made of. */
   struct {
      struct rt_vertex_attribute attributes[RT_MAX_VERTEX_ATTRIBUTES];
      uint32_t divisors[RT_MAX_VERTEX_BINDINGS]; /* as rt_vertex_binding.divisor */
   } vertex_input;
   struct { uint32_t strides[RT_MAX_VERTEX_BINDINGS]; } vertex_strides; /* bytes */
   /* What struct rt_viewports is made of, to rasterization_samples. */
   struct { VkViewport viewports[RT_MAX_VIEWPORTS]; } viewports;
   struct { uint32_t count; } viewport_count;
   struct { VkRect2D scissors[RT_MAX_VIEWPORTS]; } scissors;
   struct { uint32_t count; } scissor_count;
   /* From here on: what struct rt_context is made of. */
   struct { uint32_t enable; } depth_clamp;
   struct { uint32_t mode; float min, max; } depth_clamp_range; /* VkDepthClampModeEXT */
   struct { uint32_t enable; } depth_clip;          /* or RT_DEPTH_CLIP_UNLESS_CLAMPED */
   struct { uint32_t negative_one_to_one; } clip_range;
   struct { uint32_t samples; } rasterization_samples;
   struct { uint32_t topology; } topology; /* VkPrimitiveTopology */
   struct { uint32_t enable; } primitive_restart;
   struct { uint32_t enable; } rasterizer_discard;
   struct { uint32_t mode; } polygon_mode;          /* VkPolygonMode */
   struct { uint32_t mode; } cull_mode;             /* VkCullModeFlags */
   struct { uint32_t face; } front_face;            /* VkFrontFace */
   struct { uint32_t enable; } depth_bias_enable;
   struct { float constant, clamp, slope; uint32_t representation, is_exact; } depth_bias; /* VkDepthBiasRepresentationEXT */
   struct { float width; } line_width;
   struct { uint32_t mode; } line_mode;             /* VkLineRasterizationMode */
   struct { uint32_t enable; } line_stipple_enable;
   struct { uint32_t factor, pattern; } line_stipple;
   struct { uint32_t last; } provoking_vertex;      /* 1: last vertex */
   struct { uint32_t stream; } rasterization_stream; /* of a geometry shader's vertices */
   struct { uint32_t mask; } sample_mask;
   struct { uint32_t alpha_to_coverage; } alpha_to_coverage;
   struct { uint32_t alpha_to_one; } alpha_to_one;
   struct { uint32_t enable; float min; } sample_shading; /* static only */
   struct { uint32_t enable; } depth_test;
   struct { uint32_t enable; } depth_write;
   struct { uint32_t op; } depth_compare;           /* VkCompareOp */
   struct { uint32_t enable; } depth_bounds_test;
   struct { float min, max; } depth_bounds;
   struct { uint32_t enable; } stencil_test;
   struct { uint8_t fail_op[2], pass_op[2], depth_fail_op[2], compare_op[2]; } stencil_op; /* [0] front, [1] back */
   struct { uint32_t mask[2]; } stencil_compare_mask;
   struct { uint32_t mask[2]; } stencil_write_mask;
   struct { uint32_t value[2]; } stencil_reference;
   struct { uint32_t enable; } logic_op_enable;
   struct { uint32_t op; } logic_op;                /* VkLogicOp */
   struct { uint8_t enable[ABI_MAX_ATTACHMENTS]; } blend_enable;
   struct { struct rt_blend_attachment attachments[ABI_MAX_ATTACHMENTS]; } blend;
   struct { struct rt_blend_advanced attachments[ABI_MAX_ATTACHMENTS]; } blend_advanced;
   struct { uint8_t mask[ABI_MAX_ATTACHMENTS]; } color_write_mask; /* VkColorComponentFlags */
   struct { uint32_t enable_mask; } color_write;    /* VK_EXT_color_write_enable, bit an attachment; default all ones */
   struct { float rgba[4]; } blend_constants;
   struct { uint32_t count; } patch_control_points;
   struct { uint32_t lower_left; } domain_origin;   /* VkTessellationDomainOrigin */
   struct { uint32_t aspects; } feedback_loop;      /* VkImageAspectFlags of attachments that shaders read too */
   /* VkRenderingAttachmentLocationInfo: 0: the attachment's own number; else location + 1; RT_NO_LOCATION. */
   struct { uint8_t location[ABI_MAX_ATTACHMENTS]; } color_locations;
   struct { uint32_t mode; } conservative;          /* VkConservativeRasterizationModeEXT */
   struct { float size; } overestimation;           /* texels beyond what conservative rasterization covers */
   /* VK_KHR_fragment_shading_rate: the pipeline's rate as VkFragmentShadingRateNV encodes it, VkFragmentShadingRateCombinerOpKHR */
   struct { uint8_t rate, combiners[2], pad; } shading_rate;
   struct { uint32_t enable; } sample_locations_enable;
   struct { uint32_t count; uint8_t at_16[16][2]; } sample_locations; /* of all texels, in 1/16 */
   struct { uint32_t enable; } discard_rectangle_test;
   struct { uint32_t mode; } discard_rectangle_mode; /* VkDiscardRectangleModeEXT */
   struct { uint32_t count; } discard_rectangle_count; /* static only */
   struct { VkRect2D items[RT_MAX_DISCARD_RECTANGLES]; } discard_rectangles;
};

/* Every group: X(member). The order gives the bit in dynamic masks. */
#define RT_STATE_GROUPS(X)                                                                                             \
   X(vertex_input) X(vertex_strides) X(viewports) X(viewport_count) X(scissors) X(scissor_count) X(depth_clamp)        \
   X(depth_clamp_range) X(depth_clip) X(clip_range) X(rasterization_samples) X(topology) X(primitive_restart)          \
   X(rasterizer_discard) X(polygon_mode) X(cull_mode) X(front_face) X(depth_bias_enable) X(depth_bias) X(line_width)   \
   X(line_mode) X(line_stipple_enable) X(line_stipple) X(provoking_vertex) X(rasterization_stream) X(sample_mask)      \
   X(alpha_to_coverage) X(alpha_to_one) X(sample_shading) X(depth_test) X(depth_write) X(depth_compare)                \
   X(depth_bounds_test) X(depth_bounds) X(stencil_test) X(stencil_op) X(stencil_compare_mask) X(stencil_write_mask)    \
   X(stencil_reference) X(logic_op_enable) X(logic_op) X(blend_enable) X(blend) X(blend_advanced)                      \
   X(color_write_mask) X(color_write) X(blend_constants) X(patch_control_points) X(domain_origin) X(feedback_loop)     \
   X(color_locations) X(conservative) X(overestimation) X(shading_rate) X(sample_locations_enable)                     \
   X(sample_locations) X(discard_rectangle_test) X(discard_rectangle_mode) X(discard_rectangle_count) X(discard_rectangles)

enum rt_state_group {
#define X(member) RT_STATE_##member,
   RT_STATE_GROUPS(X)
#undef X
   RT_NUM_STATE_GROUPS
};

struct rt_state_group_info {
   uint16_t offset, size; /* bytes in struct rt_state */
};
extern const struct rt_state_group_info rt_state_groups[RT_NUM_STATE_GROUPS];

/* Where neither a pipeline nor a command has said anything: what a structure that is absent means. */
extern const struct rt_state rt_default_state;

/* Copies every group of `from` whose bit in `dynamic_mask` is clear. */
void rt_state_apply(struct rt_state *state, const struct rt_state *from, uint64_t dynamic_mask);

struct rt_shader {
   const struct abi_shader_info *info;
   union abi_code run;
   const char *name; /* entry point and hash, for reports */
};

struct rt_compute_pipeline {
   struct rt_shader shader;
};

/* ---- ray pipelines ---- */

/* What a shader record names. Which there are depends on the type of the group; NULL: none. */
struct rt_ray_group {
   const struct rt_shader *general, *closest_hit, *any_hit, *intersection;
   uint64_t id; /* as its handle has it */
};

/* A shader group's handle, as applications copy it into records. */
struct rt_ray_handle {
   uint64_t id; /* of the group, in whichever pipeline it is linked; never 0 */
   uint32_t zeros[6];
};

struct rt_ray_pipeline {
   const struct rt_ray_group *groups;
   const uint32_t *slots; /* [slot_mask + 1]: groups by their ids, see rt_ray_slots_fill() */
   uint32_t num_groups, slot_mask;
   uint32_t ray_flags;     /* enum abi_ray_flags that all of its rays have */
   uint32_t max_recursion; /* rays within rays */
   uint32_t max_payload_words, max_frame_bytes; /* of its shaders */
   bool has_dynamic_stack;
};

/* ---- execution graphs ---- */

struct rt_node {
   struct rt_shader shader;
   struct abi_node_name name;
   uint32_t index; /* with the name: which node it is */
   uint32_t first_sharer, num_sharers; /* in rt_node_pipeline.sharers */
};

struct rt_node_pipeline {
   const struct rt_node *nodes;
   const uint32_t *slots;   /* [slot_mask + 1]: nodes by name and index; UINT32_MAX: free */
   const uint32_t *sharers; /* nodes that are dispatched with the payloads of another */
   uint32_t num_nodes, slot_mask;
};

/* A slot to begin with. */
static inline uint32_t rt_node_slot(struct abi_node_name name, uint32_t index)
{
   return (uint32_t)name.hash[0] + index * 0x9e3779b1u;
}

/* The node of that name and index; UINT32_MAX: there is none. */
static inline uint32_t rt_node_find(const struct rt_node_pipeline *pipeline, struct abi_node_name name, uint32_t index)
{
   for (uint32_t slot = rt_node_slot(name, index);; slot++) {
      const uint32_t node = pipeline->slots[slot & pipeline->slot_mask];
      const struct rt_node *found = node != UINT32_MAX ? &pipeline->nodes[node] : NULL;
      if (!found || (found->name.hash[0] == name.hash[0] && found->name.hash[1] == name.hash[1] && found->index == index))
         return node;
   }
}

/* VkStridedDeviceAddressRegionKHR. */
struct rt_ray_region {
   uint64_t address, stride_bytes, size_bytes;
};

/* The shader binding table of a launch. */
struct rt_ray_table {
   struct rt_ray_region generation, miss, hit, callable;
};

/* The code of a draw: of a pipeline, or of the shader objects that are bound together. */
struct rt_graphics_pipeline {
   struct rt_shader shaders[ABI_NUM_STAGES]; /* info NULL: the stage is absent */
   bool has_unrestricted_depth; /* depths of floats are not kept between 0 and 1 */
};

/* State that a pipeline brings. */
struct rt_static_state {
   struct rt_state state;
   uint64_t dynamic_mask; /* groups that commands set */
};

/* That of shader objects: commands set all that there are commands for. */
extern const struct rt_static_state rt_shader_object_state;
