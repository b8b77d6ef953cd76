/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/graphics_state.h"

#include "icd/chain.h"
#include "icd/render_pass.h"
#include "util/macros.h"

#include <string.h>

#define GROUP(member) (UINT64_C(1) << RT_STATE_##member)

/* Which groups a dynamic state leaves to commands. */
static const struct {
   VkDynamicState dynamic;
   uint64_t groups;
} dynamic_groups[] = {
   {VK_DYNAMIC_STATE_VIEWPORT, GROUP(viewports)},
   {VK_DYNAMIC_STATE_SCISSOR, GROUP(scissors)},
   {VK_DYNAMIC_STATE_LINE_WIDTH, GROUP(line_width)},
   {VK_DYNAMIC_STATE_DEPTH_BIAS, GROUP(depth_bias)},
   {VK_DYNAMIC_STATE_BLEND_CONSTANTS, GROUP(blend_constants)},
   {VK_DYNAMIC_STATE_DEPTH_BOUNDS, GROUP(depth_bounds)},
   {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, GROUP(stencil_compare_mask)},
   {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, GROUP(stencil_write_mask)},
   {VK_DYNAMIC_STATE_STENCIL_REFERENCE, GROUP(stencil_reference)},
   {VK_DYNAMIC_STATE_CULL_MODE, GROUP(cull_mode)},
   {VK_DYNAMIC_STATE_FRONT_FACE, GROUP(front_face)},
   {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, GROUP(topology)},
   {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, GROUP(viewports) | GROUP(viewport_count)},
   {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, GROUP(scissors) | GROUP(scissor_count)},
   {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, GROUP(vertex_strides)},
   {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, GROUP(depth_test)},
   {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, GROUP(depth_write)},
   {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, GROUP(depth_compare)},
   {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE, GROUP(depth_bounds_test)},
   {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, GROUP(stencil_test)},
   {VK_DYNAMIC_STATE_STENCIL_OP, GROUP(stencil_op)},
   {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE, GROUP(rasterizer_discard)},
   {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, GROUP(depth_bias_enable)},
   {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, GROUP(primitive_restart)},
   {VK_DYNAMIC_STATE_LOGIC_OP_EXT, GROUP(logic_op)},
   {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, GROUP(vertex_input) | GROUP(vertex_strides)},
   {VK_DYNAMIC_STATE_LINE_STIPPLE_KHR, GROUP(line_stipple)},
   {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT, GROUP(color_write)},
   {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, GROUP(patch_control_points)},
   {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT, GROUP(domain_origin)},
   {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT, GROUP(depth_clamp)},
   {VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT, GROUP(depth_clamp_range)},
   {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT, GROUP(depth_clip)},
   {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT, GROUP(clip_range)},
   {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, GROUP(polygon_mode)},
   {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT, GROUP(provoking_vertex)},
   {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT, GROUP(rasterization_stream)},
   {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT, GROUP(line_mode)},
   {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, GROUP(line_stipple_enable)},
   {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, GROUP(rasterization_samples)},
   {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, GROUP(sample_mask)},
   {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, GROUP(alpha_to_coverage)},
   {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, GROUP(alpha_to_one)},
   {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, GROUP(logic_op_enable)},
   {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, GROUP(blend_enable)},
   {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, GROUP(blend)},
   {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, GROUP(blend_advanced)},
   {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, GROUP(color_write_mask)},
   {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT, GROUP(conservative)},
   {VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT, GROUP(overestimation)},
   {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, GROUP(shading_rate)},
   {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT, GROUP(sample_locations_enable)},
   {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, GROUP(sample_locations)},
   {VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT, GROUP(feedback_loop)},
   {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, GROUP(discard_rectangles)},
   {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT, GROUP(discard_rectangle_test)},
   {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT, GROUP(discard_rectangle_mode)},
};

/* Which part of a pipeline brings which groups. Spec: Pipelines, "Graphics Pipeline Library". */
static const struct {
   VkGraphicsPipelineLibraryFlagBitsEXT part;
   uint64_t groups;
} part_groups[] = {
   {VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT,
    GROUP(vertex_input) | GROUP(vertex_strides) | GROUP(topology) | GROUP(primitive_restart)},
   {VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT,
    GROUP(viewports) | GROUP(viewport_count) | GROUP(scissors) | GROUP(scissor_count) | GROUP(depth_clamp) |
       GROUP(depth_clamp_range) | GROUP(depth_clip) | GROUP(clip_range) | GROUP(rasterizer_discard) |
       GROUP(polygon_mode) | GROUP(cull_mode) | GROUP(front_face) | GROUP(depth_bias_enable) | GROUP(depth_bias) |
       GROUP(line_width) | GROUP(line_mode) | GROUP(line_stipple_enable) | GROUP(line_stipple) |
       GROUP(provoking_vertex) | GROUP(rasterization_stream) | GROUP(patch_control_points) | GROUP(domain_origin) | GROUP(conservative) |
       GROUP(overestimation) | GROUP(shading_rate) | GROUP(discard_rectangle_test) | GROUP(discard_rectangle_mode) |
       GROUP(discard_rectangle_count) | GROUP(discard_rectangles)},
   {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT,
    GROUP(sample_shading) | GROUP(depth_test) | GROUP(depth_write) | GROUP(depth_compare) | GROUP(depth_bounds_test) |
       GROUP(depth_bounds) | GROUP(stencil_test) | GROUP(stencil_op) | GROUP(stencil_compare_mask) |
       GROUP(stencil_write_mask) | GROUP(stencil_reference) | GROUP(feedback_loop)},
   {VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT,
    GROUP(rasterization_samples) | GROUP(sample_locations_enable) | GROUP(sample_locations) | GROUP(sample_mask) |
       GROUP(alpha_to_coverage) | GROUP(alpha_to_one) |
       GROUP(logic_op_enable) | GROUP(logic_op) | GROUP(blend_enable) | GROUP(blend) | GROUP(blend_advanced) | GROUP(color_write_mask) |
       GROUP(color_write) | GROUP(blend_constants) | GROUP(color_locations)},
};

uint64_t icd_graphics_state_groups(VkGraphicsPipelineLibraryFlagsEXT parts)
{
   uint64_t groups = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(part_groups); i++)
      groups |= parts & part_groups[i].part ? part_groups[i].groups : 0;
   return groups;
}

static uint64_t dynamic_mask(const VkPipelineDynamicStateCreateInfo *info)
{
   uint64_t mask = GROUP(color_locations); /* commands alone set them */
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
      for (uint32_t k = 0; k < UTIL_ARRAY_SIZE(dynamic_groups); k++) {
         if (dynamic_groups[k].dynamic == info->pDynamicStates[i])
            mask |= dynamic_groups[k].groups;
      }
   }
   return mask;
}

static bool is_listed(const VkPipelineDynamicStateCreateInfo *info, VkDynamicState dynamic)
{
   for (uint32_t i = 0; info && i < info->dynamicStateCount; i++) {
      if (info->pDynamicStates[i] == dynamic)
         return true;
   }
   return false;
}

static void set_vertex_input(struct rt_state *state, const VkPipelineVertexInputStateCreateInfo *info)
{
   const VkPipelineVertexInputDivisorStateCreateInfoKHR *divisors =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_KHR);

   for (uint32_t i = 0; i < info->vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription *binding = &info->pVertexBindingDescriptions[i];
      if (binding->binding >= RT_MAX_VERTEX_BINDINGS)
         continue;
      state->vertex_strides.strides[binding->binding] = binding->stride;
      state->vertex_input.divisors[binding->binding] = binding->inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
   }
   for (uint32_t i = 0; divisors && i < divisors->vertexBindingDivisorCount; i++) {
      const VkVertexInputBindingDivisorDescriptionKHR *divisor = &divisors->pVertexBindingDivisors[i];
      if (divisor->binding < RT_MAX_VERTEX_BINDINGS)
         state->vertex_input.divisors[divisor->binding] = divisor->divisor ? divisor->divisor : RT_DIVISOR_ZERO;
   }
   for (uint32_t i = 0; i < info->vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription *attribute = &info->pVertexAttributeDescriptions[i];
      if (attribute->location >= RT_MAX_VERTEX_ATTRIBUTES || attribute->binding >= RT_MAX_VERTEX_BINDINGS)
         continue;
      state->vertex_input.attributes[attribute->location] = (struct rt_vertex_attribute){
         .is_enabled = 1,
         .binding = (uint8_t)attribute->binding,
         .format = attribute->format,
         .offset_bytes = attribute->offset,
      };
   }
}

static void set_viewports(struct rt_state *state, const VkPipelineViewportStateCreateInfo *info, uint64_t dynamic)
{
   const VkPipelineViewportDepthClipControlCreateInfoEXT *control =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT);

   const VkPipelineViewportDepthClampControlCreateInfoEXT *clamp =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT);

   state->clip_range.negative_one_to_one = control && control->negativeOneToOne;
   if (clamp)
      state->depth_clamp_range.mode = clamp->depthClampMode;
   if (clamp && clamp->depthClampMode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT &&
       !(dynamic & GROUP(depth_clamp_range))) {
      state->depth_clamp_range.min = clamp->pDepthClampRange->minDepthClamp;
      state->depth_clamp_range.max = clamp->pDepthClampRange->maxDepthClamp;
   }
   state->viewport_count.count = UTIL_MIN(info->viewportCount, RT_MAX_VIEWPORTS);
   state->scissor_count.count = UTIL_MIN(info->scissorCount, RT_MAX_VIEWPORTS);
   if (info->pViewports && !(dynamic & GROUP(viewports)))
      memcpy(state->viewports.viewports, info->pViewports, sizeof(VkViewport) * state->viewport_count.count);
   if (info->pScissors && !(dynamic & GROUP(scissors)))
      memcpy(state->scissors.scissors, info->pScissors, sizeof(VkRect2D) * state->scissor_count.count);
}

static void set_tessellation(struct rt_state *state, const VkPipelineTessellationStateCreateInfo *info)
{
   const VkPipelineTessellationDomainOriginStateCreateInfo *origin =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO);
   state->patch_control_points.count = info->patchControlPoints;
   state->domain_origin.lower_left = origin && origin->domainOrigin == VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT;
}

static bool has_tessellation(const VkGraphicsPipelineCreateInfo *info)
{
   for (uint32_t i = 0; i < info->stageCount; i++) {
      if (info->pStages[i].stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT)
         return info->pTessellationState;
   }
   return false; /* the pointer need not be one */
}

static void set_rasterization(struct rt_state *state, const VkPipelineRasterizationStateCreateInfo *info)
{
   const VkPipelineRasterizationDepthClipStateCreateInfoEXT *clip =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT);
   const VkPipelineRasterizationProvokingVertexStateCreateInfoEXT *provoking =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT);
   const VkPipelineRasterizationLineStateCreateInfoKHR *line =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_KHR);

   const VkPipelineRasterizationStateStreamCreateInfoEXT *stream =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT);

   const VkDepthBiasRepresentationInfoEXT *bias =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);

   if (stream)
      state->rasterization_stream.stream = stream->rasterizationStream;
   state->depth_clamp.enable = info->depthClampEnable;
   state->depth_clip.enable = clip ? clip->depthClipEnable : RT_DEPTH_CLIP_UNLESS_CLAMPED;
   state->rasterizer_discard.enable = info->rasterizerDiscardEnable;
   state->polygon_mode.mode = info->polygonMode;
   state->cull_mode.mode = info->cullMode;
   state->front_face.face = info->frontFace;
   state->depth_bias_enable.enable = info->depthBiasEnable;
   state->depth_bias.constant = info->depthBiasConstantFactor;
   state->depth_bias.clamp = info->depthBiasClamp;
   state->depth_bias.slope = info->depthBiasSlopeFactor;
   if (bias) {
      state->depth_bias.representation = bias->depthBiasRepresentation;
      state->depth_bias.is_exact = bias->depthBiasExact;
   }
   const VkPipelineRasterizationConservativeStateCreateInfoEXT *conservative =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT);
   if (conservative) {
      state->conservative.mode = conservative->conservativeRasterizationMode;
      state->overestimation.size = conservative->extraPrimitiveOverestimationSize;
   }
   state->line_width.width = info->lineWidth;
   state->provoking_vertex.last =
      provoking && provoking->provokingVertexMode == VK_PROVOKING_VERTEX_MODE_LAST_VERTEX_EXT;
   if (line) {
      state->line_mode.mode = line->lineRasterizationMode;
      state->line_stipple_enable.enable = line->stippledLineEnable;
      state->line_stipple.factor = line->lineStippleFactor;
      state->line_stipple.pattern = line->lineStipplePattern;
   }
}

uint32_t icd_sample_locations(const VkSampleLocationsInfoEXT *info, uint8_t at_16[16][2])
{
   const uint32_t count = UTIL_MIN(info->sampleLocationsCount, 16u);
   for (uint32_t i = 0; i < count; i++) {
      at_16[i][0] = (uint8_t)UTIL_CLAMP(info->pSampleLocations[i].x * 16.0f + 0.5f, 0.0f, 15.0f);
      at_16[i][1] = (uint8_t)UTIL_CLAMP(info->pSampleLocations[i].y * 16.0f + 0.5f, 0.0f, 15.0f);
   }
   return count;
}

void icd_attachment_locations(const VkRenderingAttachmentLocationInfo *info, uint8_t locations[ABI_MAX_ATTACHMENTS])
{
   memset(locations, 0, ABI_MAX_ATTACHMENTS);
   for (uint32_t i = 0; info->pColorAttachmentLocations && i < UTIL_MIN(info->colorAttachmentCount, ABI_MAX_ATTACHMENTS); i++) {
      const uint32_t location = info->pColorAttachmentLocations[i];
      locations[i] = location < ABI_MAX_ATTACHMENTS ? (uint8_t)(location + 1) : RT_NO_LOCATION;
   }
}

static void set_multisample(struct rt_state *state, const VkPipelineMultisampleStateCreateInfo *info, uint64_t dynamic)
{
   const VkPipelineSampleLocationsStateCreateInfoEXT *locations =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT);
   if (locations) {
      state->sample_locations_enable.enable = locations->sampleLocationsEnable;
      if (!(dynamic & GROUP(sample_locations)))
         state->sample_locations.count = icd_sample_locations(&locations->sampleLocationsInfo, state->sample_locations.at_16);
   }
   state->rasterization_samples.samples = info->rasterizationSamples;
   state->sample_mask.mask = info->pSampleMask ? info->pSampleMask[0] : UINT32_MAX;
   state->alpha_to_coverage.alpha_to_coverage = info->alphaToCoverageEnable;
   state->alpha_to_one.alpha_to_one = info->alphaToOneEnable;
}

static void set_sample_shading(struct rt_state *state, const VkPipelineMultisampleStateCreateInfo *info)
{
   state->sample_shading.enable = info->sampleShadingEnable;
   state->sample_shading.min = info->minSampleShading;
}

struct icd_sample_shading icd_sample_shading(const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT parts)
{
   struct icd_sample_shading shading;
   const bool is_dynamic = is_listed(info->pDynamicState, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT);
   memset(&shading, 0, sizeof(shading)); /* it is hashed */
   if (!(parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT))
      return shading;
   shading.has_fragment_regions = info->renderPass && icd_render_pass_from_handle(info->renderPass)->subpasses[info->subpass].has_fragment_regions;
   if (info->pMultisampleState && info->pMultisampleState->sampleShadingEnable) {
      shading.is_enabled = true;
      shading.samples = is_dynamic ? 0 : info->pMultisampleState->rasterizationSamples;
      shading.min = info->pMultisampleState->minSampleShading;
   }
   return shading;
}

static void set_depth_stencil(struct rt_state *state, const VkPipelineDepthStencilStateCreateInfo *info)
{
   const VkStencilOpState *const faces[2] = {&info->front, &info->back};

   state->depth_test.enable = info->depthTestEnable;
   state->depth_write.enable = info->depthWriteEnable;
   state->depth_compare.op = info->depthCompareOp;
   state->depth_bounds_test.enable = info->depthBoundsTestEnable;
   state->depth_bounds.min = info->minDepthBounds;
   state->depth_bounds.max = info->maxDepthBounds;
   state->stencil_test.enable = info->stencilTestEnable;
   for (uint32_t i = 0; i < 2; i++) {
      state->stencil_op.fail_op[i] = (uint8_t)faces[i]->failOp;
      state->stencil_op.pass_op[i] = (uint8_t)faces[i]->passOp;
      state->stencil_op.depth_fail_op[i] = (uint8_t)faces[i]->depthFailOp;
      state->stencil_op.compare_op[i] = (uint8_t)faces[i]->compareOp;
      state->stencil_compare_mask.mask[i] = faces[i]->compareMask;
      state->stencil_write_mask.mask[i] = faces[i]->writeMask;
      state->stencil_reference.value[i] = faces[i]->reference;
   }
}

struct rt_blend_advanced icd_blend_advanced(const VkColorBlendAdvancedEXT *info)
{
   const VkBlendOp op = info->advancedBlendOp;
   return (struct rt_blend_advanced){
      .op = (uint8_t)(op >= VK_BLEND_OP_ZERO_EXT && op <= VK_BLEND_OP_BLUE_EXT ? op - VK_BLEND_OP_ZERO_EXT + 1 : 0),
      .overlap = (uint8_t)info->blendOverlap,
      .is_src_straight = !info->srcPremultiplied,
      .is_dst_straight = !info->dstPremultiplied,
      .clamps = info->clampResults != VK_FALSE,
   };
}

static void set_blend(struct rt_state *state, const VkPipelineColorBlendStateCreateInfo *info, uint64_t dynamic)
{
   const VkPipelineColorBlendAdvancedStateCreateInfoEXT *advanced =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT);
   const VkPipelineColorWriteCreateInfoEXT *write =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT);

   state->logic_op_enable.enable = info->logicOpEnable;
   state->logic_op.op = info->logicOp;
   memcpy(state->blend_constants.rgba, info->blendConstants, sizeof(state->blend_constants.rgba));
   for (uint32_t i = 0; info->pAttachments && i < UTIL_MIN(info->attachmentCount, ABI_MAX_ATTACHMENTS); i++) {
      const VkPipelineColorBlendAttachmentState *from = &info->pAttachments[i];
      state->blend_enable.enable[i] = from->blendEnable != VK_FALSE;
      state->color_write_mask.mask[i] = (uint8_t)from->colorWriteMask;
      state->blend.attachments[i] = (struct rt_blend_attachment){
         .src_color = (uint8_t)from->srcColorBlendFactor,
         .dst_color = (uint8_t)from->dstColorBlendFactor,
         .color_op = (uint8_t)from->colorBlendOp,
         .src_alpha = (uint8_t)from->srcAlphaBlendFactor,
         .dst_alpha = (uint8_t)from->dstAlphaBlendFactor,
         .alpha_op = (uint8_t)from->alphaBlendOp,
      };
      state->blend_advanced.attachments[i] = icd_blend_advanced(&(VkColorBlendAdvancedEXT){
         .advancedBlendOp = dynamic & GROUP(blend) ? VK_BLEND_OP_ADD : from->colorBlendOp, /* else a command says it */
         .srcPremultiplied = !advanced || advanced->srcPremultiplied,
         .dstPremultiplied = !advanced || advanced->dstPremultiplied,
         .blendOverlap = advanced ? advanced->blendOverlap : VK_BLEND_OVERLAP_UNCORRELATED_EXT,
      });
   }
   for (uint32_t i = 0; write && i < UTIL_MIN(write->attachmentCount, ABI_MAX_ATTACHMENTS); i++) {
      if (!write->pColorWriteEnables[i])
         state->color_write.enable_mask &= ~(1u << i);
   }
}

void icd_shading_rate(const VkExtent2D *size, const VkFragmentShadingRateCombinerOpKHR ops[2], uint8_t *rate, uint8_t combiners[2])
{
   const uint32_t width_log2 = 31 - (uint32_t)__builtin_clz(size->width | 1), height_log2 = 31 - (uint32_t)__builtin_clz(size->height | 1);
   *rate = (uint8_t)(UTIL_MIN(width_log2, 2u) << 2 | UTIL_MIN(height_log2, 2u));
   for (uint32_t i = 0; i < 2; i++)
      combiners[i] = (uint8_t)ops[i];
}

static void set_shading_rate(struct rt_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   const VkPipelineFragmentShadingRateStateCreateInfoKHR *rate =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR);
   if (rate)
      icd_shading_rate(&rate->fragmentSize, rate->combinerOps, &state->shading_rate.rate, state->shading_rate.combiners);
}

/* Without the structure commands set all of them, or there are none. Spec: Fragment Operations, "Discard Rectangles Test". */
static void set_discard_rectangles(struct rt_state *state, const VkGraphicsPipelineCreateInfo *info, uint64_t dynamic)
{
   const VkPipelineDiscardRectangleStateCreateInfoEXT *discard =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT);
   const bool has_dynamic = dynamic & GROUP(discard_rectangles);
   if (!discard) {
      state->discard_rectangle_count.count = has_dynamic ? RT_MAX_DISCARD_RECTANGLES : 0;
      return;
   }
   const uint32_t count = UTIL_MIN(discard->discardRectangleCount, (uint32_t)RT_MAX_DISCARD_RECTANGLES);
   state->discard_rectangle_test.enable = count > 0;
   state->discard_rectangle_mode.mode = discard->discardRectangleMode;
   state->discard_rectangle_count.count = count;
   if (count && discard->pDiscardRectangles && !has_dynamic)
      memcpy(state->discard_rectangles.items, discard->pDiscardRectangles, count * sizeof(discard->pDiscardRectangles[0]));
}

static uint32_t feedback_aspects(VkPipelineCreateFlags2 flags)
{
   return (flags & VK_PIPELINE_CREATE_2_COLOR_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT ? VK_IMAGE_ASPECT_COLOR_BIT : 0) |
          (flags & VK_PIPELINE_CREATE_2_DEPTH_STENCIL_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT
              ? VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT
              : 0);
}

static void set_vertex_part(struct rt_state *state, const VkGraphicsPipelineCreateInfo *info)
{
   if (info->pVertexInputState && !is_listed(info->pDynamicState, VK_DYNAMIC_STATE_VERTEX_INPUT_EXT))
      set_vertex_input(state, info->pVertexInputState);
   if (info->pInputAssemblyState) {
      state->topology.topology = info->pInputAssemblyState->topology;
      state->primitive_restart.enable = info->pInputAssemblyState->primitiveRestartEnable;
   }
}

uint64_t icd_graphics_state(const VkGraphicsPipelineCreateInfo *info, VkPipelineCreateFlags2 flags,
                            VkGraphicsPipelineLibraryFlagsEXT parts, struct rt_state *state)
{
   const uint64_t dynamic = dynamic_mask(info->pDynamicState) & icd_graphics_state_groups(parts);
   const bool is_pre_raster = parts & VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
   const bool is_discarding = is_pre_raster && info->pRasterizationState &&
                              info->pRasterizationState->rasterizerDiscardEnable &&
                              !(dynamic & GROUP(rasterizer_discard));
   *state = rt_default_state;
   if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT)
      set_vertex_part(state, info);
   if (is_pre_raster && info->pRasterizationState)
      set_rasterization(state, info->pRasterizationState);
   if (is_pre_raster && has_tessellation(info))
      set_tessellation(state, info->pTessellationState);
   if (is_discarding)
      return dynamic;
   if (is_pre_raster && !(dynamic & GROUP(shading_rate)))
      set_shading_rate(state, info);
   if (is_pre_raster)
      set_discard_rectangles(state, info, dynamic);
   if (is_pre_raster && info->pViewportState)
      set_viewports(state, info->pViewportState, dynamic);
   if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT) {
      state->feedback_loop.aspects = feedback_aspects(flags);
      if (info->pMultisampleState)
         set_sample_shading(state, info->pMultisampleState);
      if (info->pDepthStencilState)
         set_depth_stencil(state, info->pDepthStencilState);
   }
   if (parts & VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT) {
      if (info->pMultisampleState)
         set_multisample(state, info->pMultisampleState, dynamic);
      if (info->pColorBlendState)
         set_blend(state, info->pColorBlendState, dynamic);
   }
   return dynamic;
}
