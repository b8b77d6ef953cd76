/* SPDX-License-Identifier: MIT
 * Graphics pipelines of tests: triangles into square images, whole, or parts of one, or linked. Zero means what is usual. */
#pragma once

#include "tests/icd/validate/device.h"

#include <stdbool.h>

struct graphics {
   VkPipelineLayout layout; /* may be none where libraries have one */
   VkPipelineCreateFlags flags;
   uint32_t num_stages;
   const VkPipelineShaderStageCreateInfo *stages;
   const VkPipelineVertexInputStateCreateInfo *vertices; /* NULL: no attributes */
   uint32_t num_dynamic;
   const VkDynamicState *dynamic;
   uint32_t size_px; /* of the images; 0: 4 */
   VkSampleCountFlagBits samples;
   float min_shading; /* 0: no sample shading */
   bool tests_depth, is_discarding;
   /* what it renders to: a pass, or formats */
   VkRenderPass pass;
   uint32_t subpass, view_mask, num_colors;
   VkFormat colors[4], depth, stencil;
   VkGraphicsPipelineLibraryFlagsEXT parts;     /* of a library; 0: whole */
   VkGraphicsPipelineLibraryFlagsEXT own_parts; /* of what is no library and links one */
   uint32_t num_libraries;
   const VkPipeline *libraries;
};

/* The parts, libraries and stages that *g names. */
VkResult graphics_create(VkDevice device, const struct graphics *g, VkPipeline *pipeline);
/* Of a vertex and a fragment stage, at once or of two libraries. */
VkResult graphics_of_stages(VkDevice device, const struct graphics *whole, const VkPipelineShaderStageCreateInfo stages[2], bool is_linked,
                            VkPipeline *pipeline);

/* The parts that a library of that stage has: two of them are a pipeline. */
VkGraphicsPipelineLibraryFlagsEXT graphics_parts(VkShaderStageFlagBits stage);
