/* SPDX-License-Identifier: MIT
 * Dynamic state: each command sets a group of struct rt_state, or a part of one.
 * Spec: Pipelines, "Dynamic State". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/command_buffer.h"
#include "icd/pipeline/graphics_state.h"
#include "runtime/state.h"

#include <string.h>

/* Sets `size` bytes at `offset` of a group. */
static void set_bytes(VkCommandBuffer buffer, enum rt_state_group group, size_t offset, size_t size, const void *data)
{
   struct rt_cmd_set_state *cmd = rt_cmd_append(icd_stream(buffer), RT_CMD_set_state, sizeof(*cmd) + size);
   if (!cmd)
      return;
   memcpy(cmd + 1, data, size);
   cmd->group = group;
   cmd->offset_bytes = (uint32_t)offset;
   cmd->size_bytes = (uint32_t)size;
   cmd->data = cmd + 1;
}

#define OFFSET_IN_GROUP(group, field) (offsetof(struct rt_state, group.field) - offsetof(struct rt_state, group))
#define FIELD_BYTES(group, field) sizeof(((struct rt_state *)0)->group.field)

#define SET_FIELD(buffer, group, field, data)                                                                          \
   set_bytes(buffer, RT_STATE_##group, OFFSET_IN_GROUP(group, field), FIELD_BYTES(group, field), data)

/* `count` elements of an array field, from `first`. */
#define SET_ELEMENTS(buffer, group, field, first, count, data)                                                         \
   set_bytes(buffer, RT_STATE_##group, OFFSET_IN_GROUP(group, field) + (first)*FIELD_BYTES(group, field[0]),           \
             (count)*FIELD_BYTES(group, field[0]), data)

/* ---- commands that set one 32-bit field to their argument: X(command, type of the argument, group, field) ---- */

#define SIMPLE_COMMANDS(X)                                                                                             \
   X(SetCullMode, VkCullModeFlags, cull_mode, mode)                                                                    \
   X(SetFrontFace, VkFrontFace, front_face, face)                                                                      \
   X(SetPrimitiveTopology, VkPrimitiveTopology, topology, topology)                                                    \
   X(SetDepthTestEnable, VkBool32, depth_test, enable)                                                                 \
   X(SetDepthWriteEnable, VkBool32, depth_write, enable)                                                               \
   X(SetDepthCompareOp, VkCompareOp, depth_compare, op)                                                                \
   X(SetDepthBoundsTestEnable, VkBool32, depth_bounds_test, enable)                                                    \
   X(SetStencilTestEnable, VkBool32, stencil_test, enable)                                                             \
   X(SetRasterizerDiscardEnable, VkBool32, rasterizer_discard, enable)                                                 \
   X(SetDepthBiasEnable, VkBool32, depth_bias_enable, enable)                                                          \
   X(SetPrimitiveRestartEnable, VkBool32, primitive_restart, enable)                                                   \
   X(SetPatchControlPointsEXT, uint32_t, patch_control_points, count)                                                  \
   X(SetLogicOpEXT, VkLogicOp, logic_op, op)                                                                           \
   X(SetLogicOpEnableEXT, VkBool32, logic_op_enable, enable)                                                           \
   X(SetDepthClampEnableEXT, VkBool32, depth_clamp, enable)                                                            \
   X(SetDepthClipEnableEXT, VkBool32, depth_clip, enable)                                                              \
   X(SetDepthClipNegativeOneToOneEXT, VkBool32, clip_range, negative_one_to_one)                                       \
   X(SetPolygonModeEXT, VkPolygonMode, polygon_mode, mode)                                                             \
   X(SetRasterizationSamplesEXT, VkSampleCountFlagBits, rasterization_samples, samples)                                \
   X(SetConservativeRasterizationModeEXT, VkConservativeRasterizationModeEXT, conservative, mode)                      \
   X(SetSampleLocationsEnableEXT, VkBool32, sample_locations_enable, enable)                                           \
   X(SetAlphaToCoverageEnableEXT, VkBool32, alpha_to_coverage, alpha_to_coverage)                                      \
   X(SetAlphaToOneEnableEXT, VkBool32, alpha_to_one, alpha_to_one)                                                     \
   X(SetLineRasterizationModeEXT, VkLineRasterizationModeEXT, line_mode, mode)                                         \
   X(SetLineStippleEnableEXT, VkBool32, line_stipple_enable, enable)                                                   \
   X(SetAttachmentFeedbackLoopEnableEXT, VkImageAspectFlags, feedback_loop, aspects)                                   \
   X(SetTessellationDomainOriginEXT, VkTessellationDomainOrigin, domain_origin, lower_left)                            \
   X(SetProvokingVertexModeEXT, VkProvokingVertexModeEXT, provoking_vertex, last)                                      \
   X(SetRasterizationStreamEXT, uint32_t, rasterization_stream, stream)                                                \
   X(SetDiscardRectangleEnableEXT, VkBool32, discard_rectangle_test, enable)                                           \
   X(SetDiscardRectangleModeEXT, VkDiscardRectangleModeEXT, discard_rectangle_mode, mode)

#define X(command, type, group, field)                                                                                 \
   VKAPI_ATTR void VKAPI_CALL icd_Cmd##command(VkCommandBuffer commandBuffer, type value)                              \
   {                                                                                                                   \
      const uint32_t field_value = (uint32_t)value;                                                                    \
      _Static_assert(FIELD_BYTES(group, field) == sizeof(field_value), "one 32-bit field");                            \
      SET_FIELD(commandBuffer, group, field, &field_value);                                                            \
   }
SIMPLE_COMMANDS(X)
#undef X

/* ---- viewports and scissors ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdSetViewport(VkCommandBuffer commandBuffer, uint32_t firstViewport,
                                              uint32_t viewportCount, const VkViewport *pViewports)
{
   SET_ELEMENTS(commandBuffer, viewports, viewports, firstViewport, viewportCount, pViewports);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetScissor(VkCommandBuffer commandBuffer, uint32_t firstScissor,
                                             uint32_t scissorCount, const VkRect2D *pScissors)
{
   SET_ELEMENTS(commandBuffer, scissors, scissors, firstScissor, scissorCount, pScissors);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetViewportWithCount(VkCommandBuffer commandBuffer, uint32_t viewportCount,
                                                       const VkViewport *pViewports)
{
   SET_FIELD(commandBuffer, viewport_count, count, &viewportCount);
   SET_ELEMENTS(commandBuffer, viewports, viewports, 0, viewportCount, pViewports);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetScissorWithCount(VkCommandBuffer commandBuffer, uint32_t scissorCount,
                                                      const VkRect2D *pScissors)
{
   SET_FIELD(commandBuffer, scissor_count, count, &scissorCount);
   SET_ELEMENTS(commandBuffer, scissors, scissors, 0, scissorCount, pScissors);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDiscardRectangleEXT(VkCommandBuffer commandBuffer, uint32_t firstDiscardRectangle,
                                                         uint32_t discardRectangleCount, const VkRect2D *pDiscardRectangles)
{
   const uint32_t room = firstDiscardRectangle < RT_MAX_DISCARD_RECTANGLES ? RT_MAX_DISCARD_RECTANGLES - firstDiscardRectangle : 0;
   SET_ELEMENTS(commandBuffer, discard_rectangles, items, firstDiscardRectangle, UTIL_MIN(discardRectangleCount, room), pDiscardRectangles);
}

/* ---- rasterization ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdSetLineWidth(VkCommandBuffer commandBuffer, float lineWidth)
{
   SET_FIELD(commandBuffer, line_width, width, &lineWidth);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetExtraPrimitiveOverestimationSizeEXT(VkCommandBuffer commandBuffer,
                                                                         float extraPrimitiveOverestimationSize)
{
   SET_FIELD(commandBuffer, overestimation, size, &extraPrimitiveOverestimationSize);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetSampleLocationsEXT(VkCommandBuffer commandBuffer,
                                                        const VkSampleLocationsInfoEXT *pSampleLocationsInfo)
{
   uint8_t at_16[16][2] = {{0}};
   const uint32_t count = icd_sample_locations(pSampleLocationsInfo, at_16);
   SET_FIELD(commandBuffer, sample_locations, count, &count);
   SET_FIELD(commandBuffer, sample_locations, at_16, at_16);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetFragmentShadingRateKHR(VkCommandBuffer commandBuffer, const VkExtent2D *pFragmentSize,
                                                            const VkFragmentShadingRateCombinerOpKHR combinerOps[2])
{
   uint8_t rate, combiners[2];
   icd_shading_rate(pFragmentSize, combinerOps, &rate, combiners);
   SET_FIELD(commandBuffer, shading_rate, rate, &rate);
   SET_FIELD(commandBuffer, shading_rate, combiners, combiners);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetLineStipple(VkCommandBuffer commandBuffer, uint32_t lineStippleFactor,
                                                 uint16_t lineStipplePattern)
{
   const uint32_t pattern = lineStipplePattern;
   SET_FIELD(commandBuffer, line_stipple, factor, &lineStippleFactor);
   SET_FIELD(commandBuffer, line_stipple, pattern, &pattern);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDepthBias2EXT(VkCommandBuffer commandBuffer,
                                                   const VkDepthBiasInfoEXT *pDepthBiasInfo)
{
   const VkDepthBiasRepresentationInfoEXT *info =
      icd_chain_find(pDepthBiasInfo->pNext, VK_STRUCTURE_TYPE_DEPTH_BIAS_REPRESENTATION_INFO_EXT);
   const uint32_t representation = info ? info->depthBiasRepresentation : 0, is_exact = info && info->depthBiasExact;
   SET_FIELD(commandBuffer, depth_bias, constant, &pDepthBiasInfo->depthBiasConstantFactor);
   SET_FIELD(commandBuffer, depth_bias, clamp, &pDepthBiasInfo->depthBiasClamp);
   SET_FIELD(commandBuffer, depth_bias, slope, &pDepthBiasInfo->depthBiasSlopeFactor);
   SET_FIELD(commandBuffer, depth_bias, representation, &representation);
   SET_FIELD(commandBuffer, depth_bias, is_exact, &is_exact);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDepthBias(VkCommandBuffer commandBuffer, float depthBiasConstantFactor,
                                               float depthBiasClamp, float depthBiasSlopeFactor)
{
   const VkDepthBiasInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEPTH_BIAS_INFO_EXT,
      .depthBiasConstantFactor = depthBiasConstantFactor,
      .depthBiasClamp = depthBiasClamp,
      .depthBiasSlopeFactor = depthBiasSlopeFactor,
   };
   icd_CmdSetDepthBias2EXT(commandBuffer, &info);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDepthClampRangeEXT(VkCommandBuffer commandBuffer,
                                                        VkDepthClampModeEXT depthClampMode,
                                                        const VkDepthClampRangeEXT *pDepthClampRange)
{
   const uint32_t mode = depthClampMode;
   SET_FIELD(commandBuffer, depth_clamp_range, mode, &mode);
   if (mode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
      return;
   SET_FIELD(commandBuffer, depth_clamp_range, min, &pDepthClampRange->minDepthClamp);
   SET_FIELD(commandBuffer, depth_clamp_range, max, &pDepthClampRange->maxDepthClamp);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetSampleMaskEXT(VkCommandBuffer commandBuffer, VkSampleCountFlagBits samples,
                                                   const VkSampleMask *pSampleMask)
{
   static const VkSampleMask all = UINT32_MAX;
   SET_FIELD(commandBuffer, sample_mask, mask, pSampleMask ? pSampleMask : &all);
}

/* ---- depth and stencil ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdSetDepthBounds(VkCommandBuffer commandBuffer, float minDepthBounds,
                                                 float maxDepthBounds)
{
   SET_FIELD(commandBuffer, depth_bounds, min, &minDepthBounds);
   SET_FIELD(commandBuffer, depth_bounds, max, &maxDepthBounds);
}

/* Fields of stencil state are arrays: [0] front, [1] back. */
#define SET_FACES(buffer, group, field, face_mask, values)                                                             \
   SET_ELEMENTS(buffer, group, field, first_face(face_mask), num_faces(face_mask), values)

static uint32_t first_face(VkStencilFaceFlags mask)
{
   return mask & VK_STENCIL_FACE_FRONT_BIT ? 0 : 1;
}

static uint32_t num_faces(VkStencilFaceFlags mask)
{
   return mask == VK_STENCIL_FACE_FRONT_AND_BACK ? 2 : 1;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetStencilCompareMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                        uint32_t compareMask)
{
   const uint32_t values[2] = {compareMask, compareMask};
   SET_FACES(commandBuffer, stencil_compare_mask, mask, faceMask, values);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetStencilWriteMask(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                      uint32_t writeMask)
{
   const uint32_t values[2] = {writeMask, writeMask};
   SET_FACES(commandBuffer, stencil_write_mask, mask, faceMask, values);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetStencilReference(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                                      uint32_t reference)
{
   const uint32_t values[2] = {reference, reference};
   SET_FACES(commandBuffer, stencil_reference, value, faceMask, values);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetStencilOp(VkCommandBuffer commandBuffer, VkStencilFaceFlags faceMask,
                                               VkStencilOp failOp, VkStencilOp passOp, VkStencilOp depthFailOp,
                                               VkCompareOp compareOp)
{
   const uint8_t fail[2] = {(uint8_t)failOp, (uint8_t)failOp}, pass[2] = {(uint8_t)passOp, (uint8_t)passOp};
   const uint8_t depth_fail[2] = {(uint8_t)depthFailOp, (uint8_t)depthFailOp};
   const uint8_t compare[2] = {(uint8_t)compareOp, (uint8_t)compareOp};
   SET_FACES(commandBuffer, stencil_op, fail_op, faceMask, fail);
   SET_FACES(commandBuffer, stencil_op, pass_op, faceMask, pass);
   SET_FACES(commandBuffer, stencil_op, depth_fail_op, faceMask, depth_fail);
   SET_FACES(commandBuffer, stencil_op, compare_op, faceMask, compare);
}

/* ---- blending ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdSetBlendConstants(VkCommandBuffer commandBuffer, const float blendConstants[4])
{
   SET_FIELD(commandBuffer, blend_constants, rgba, blendConstants);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetColorBlendEnableEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                         uint32_t attachmentCount, const VkBool32 *pColorBlendEnables)
{
   for (uint32_t i = 0; i < attachmentCount && firstAttachment + i < ABI_MAX_ATTACHMENTS; i++) {
      const uint8_t enable = pColorBlendEnables[i] != VK_FALSE;
      SET_ELEMENTS(commandBuffer, blend_enable, enable, firstAttachment + i, 1, &enable);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetColorWriteMaskEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                       uint32_t attachmentCount,
                                                       const VkColorComponentFlags *pColorWriteMasks)
{
   for (uint32_t i = 0; i < attachmentCount && firstAttachment + i < ABI_MAX_ATTACHMENTS; i++) {
      const uint8_t mask = (uint8_t)pColorWriteMasks[i];
      SET_ELEMENTS(commandBuffer, color_write_mask, mask, firstAttachment + i, 1, &mask);
   }
}

/* It stores the source as it is: what programs set beside an advanced operation, where a legal equation is asked for. */
static bool is_copy(const struct rt_blend_attachment *blend)
{
   const struct rt_blend_attachment copy = {.src_color = VK_BLEND_FACTOR_ONE, .dst_color = VK_BLEND_FACTOR_ZERO, .color_op = VK_BLEND_OP_ADD,
                                            .src_alpha = VK_BLEND_FACTOR_ONE, .dst_alpha = VK_BLEND_FACTOR_ZERO, .alpha_op = VK_BLEND_OP_ADD};
   return memcmp(blend, &copy, sizeof(copy)) == 0;
}

/* Of an equation and an advanced operation the later one holds, which the specification leaves open. */
VKAPI_ATTR void VKAPI_CALL icd_CmdSetColorBlendEquationEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                           uint32_t attachmentCount,
                                                           const VkColorBlendEquationEXT *pColorBlendEquations)
{
   for (uint32_t i = 0; i < attachmentCount && firstAttachment + i < ABI_MAX_ATTACHMENTS; i++) {
      const VkColorBlendEquationEXT *from = &pColorBlendEquations[i];
      const struct rt_blend_attachment blend = {
         .src_color = (uint8_t)from->srcColorBlendFactor,
         .dst_color = (uint8_t)from->dstColorBlendFactor,
         .color_op = (uint8_t)from->colorBlendOp,
         .src_alpha = (uint8_t)from->srcAlphaBlendFactor,
         .dst_alpha = (uint8_t)from->dstAlphaBlendFactor,
         .alpha_op = (uint8_t)from->alphaBlendOp,
      };
      SET_ELEMENTS(commandBuffer, blend, attachments, firstAttachment + i, 1, &blend);
      if (!is_copy(&blend))
         SET_ELEMENTS(commandBuffer, blend_advanced, attachments, firstAttachment + i, 1, &(struct rt_blend_advanced){0});
   }
}

/* A basic operation here hands over to the equation again. */
VKAPI_ATTR void VKAPI_CALL icd_CmdSetColorBlendAdvancedEXT(VkCommandBuffer commandBuffer, uint32_t firstAttachment,
                                                           uint32_t attachmentCount,
                                                           const VkColorBlendAdvancedEXT *pColorBlendAdvanced)
{
   for (uint32_t i = 0; i < attachmentCount && firstAttachment + i < ABI_MAX_ATTACHMENTS; i++) {
      const struct rt_blend_advanced blend = icd_blend_advanced(&pColorBlendAdvanced[i]);
      SET_ELEMENTS(commandBuffer, blend_advanced, attachments, firstAttachment + i, 1, &blend);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetColorWriteEnableEXT(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                                         const VkBool32 *pColorWriteEnables)
{
   uint32_t mask = UINT32_MAX;
   for (uint32_t i = 0; i < attachmentCount && i < ABI_MAX_ATTACHMENTS; i++) {
      if (!pColorWriteEnables[i])
         mask &= ~(1u << i);
   }
   SET_FIELD(commandBuffer, color_write, enable_mask, &mask);
}

/* ---- dynamic rendering ---- */

VKAPI_ATTR void VKAPI_CALL icd_CmdSetRenderingAttachmentLocations(VkCommandBuffer commandBuffer,
                                                                  const VkRenderingAttachmentLocationInfo *pInfo)
{
   uint8_t locations[ABI_MAX_ATTACHMENTS];
   icd_attachment_locations(pInfo, locations);
   SET_FIELD(commandBuffer, color_locations, location, locations);
}

/* Shaders read input attachments through their descriptors, which say which image it is. */
VKAPI_ATTR void VKAPI_CALL icd_CmdSetRenderingInputAttachmentIndices(VkCommandBuffer commandBuffer,
                                                                     const VkRenderingInputAttachmentIndexInfo *pInfo)
{
}

/* ---- vertex input ---- */

/* The number that struct rt_vertex_binding describes. */
static uint32_t divisor_of(const VkVertexInputBindingDescription2EXT *binding)
{
   if (binding->inputRate == VK_VERTEX_INPUT_RATE_VERTEX)
      return 0;
   return binding->divisor ? binding->divisor : RT_DIVISOR_ZERO;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdSetVertexInputEXT(
   VkCommandBuffer commandBuffer, uint32_t vertexBindingDescriptionCount,
   const VkVertexInputBindingDescription2EXT *pVertexBindingDescriptions, uint32_t vertexAttributeDescriptionCount,
   const VkVertexInputAttributeDescription2EXT *pVertexAttributeDescriptions)
{
   struct rt_vertex_attribute attributes[RT_MAX_VERTEX_ATTRIBUTES] = {0};
   uint32_t divisors[RT_MAX_VERTEX_BINDINGS] = {0};

   for (uint32_t i = 0; i < vertexAttributeDescriptionCount; i++) {
      const VkVertexInputAttributeDescription2EXT *from = &pVertexAttributeDescriptions[i];
      if (from->location < RT_MAX_VERTEX_ATTRIBUTES)
         attributes[from->location] = (struct rt_vertex_attribute){
            .is_enabled = 1, .binding = (uint8_t)from->binding, .format = from->format, .offset_bytes = from->offset};
   }
   for (uint32_t i = 0; i < vertexBindingDescriptionCount; i++) {
      const VkVertexInputBindingDescription2EXT *from = &pVertexBindingDescriptions[i];
      if (from->binding >= RT_MAX_VERTEX_BINDINGS)
         continue;
      divisors[from->binding] = divisor_of(from);
      SET_ELEMENTS(commandBuffer, vertex_strides, strides, from->binding, 1, &from->stride);
   }
   SET_FIELD(commandBuffer, vertex_input, attributes, attributes);
   SET_FIELD(commandBuffer, vertex_input, divisors, divisors);
}
