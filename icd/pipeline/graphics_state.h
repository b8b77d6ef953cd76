/* SPDX-License-Identifier: MIT
 * From VkGraphicsPipelineCreateInfo to the runtime's fixed-function state. Spec: Pipelines, "Graphics Pipelines". */
#pragma once

#include "icd/validate/pipeline.h"
#include "runtime/state.h"

#define ICD_ALL_PARTS                                                                                                  \
   (VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT |                                                      \
    VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT |                                                   \
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT |                                                             \
    VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT)

/* Fills `state` with what the create info says of `parts` of a pipeline (defaults where a structure is absent) and gives
 * the mask of their groups that are dynamic (bits of enum rt_state_group). Structures that are ignored by the
 * specification are not read. */
uint64_t icd_graphics_state(const VkGraphicsPipelineCreateInfo *info, VkPipelineCreateFlags2 flags,
                            VkGraphicsPipelineLibraryFlagsEXT parts, struct rt_state *state);
/* The groups of state that belong to parts of a pipeline. */
uint64_t icd_graphics_state_groups(VkGraphicsPipelineLibraryFlagsEXT parts);

/* Texels have one grid of locations for all; returns how many there are. */
uint32_t icd_sample_locations(const VkSampleLocationsInfoEXT *info, uint8_t at_16[16][2]);

/* With op 0 where the operation is not an advanced one. */
struct rt_blend_advanced icd_blend_advanced(const VkColorBlendAdvancedEXT *info);

/* As rt_state.shading_rate has them. */
void icd_shading_rate(const VkExtent2D *size, const VkFragmentShadingRateCombinerOpKHR ops[2], uint8_t *rate, uint8_t combiners[2]);

/* What the fragment shader part says of sample shading. */
struct icd_sample_shading icd_sample_shading(const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT parts);

/* As rt_state.color_locations has them. */
void icd_attachment_locations(const VkRenderingAttachmentLocationInfo *info, uint8_t locations[ABI_MAX_ATTACHMENTS]);
