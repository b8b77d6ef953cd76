/* SPDX-License-Identifier: MIT
 * Colours of a fragment shader that no attachment takes: code need not compute them. Spec: Fragment Operations, "Fragment Output Interface";
 * The Framebuffer, "Color Write Mask". */
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* comp_shader_desc.ignored_outputs of the pipeline's fragment shader: what formats and state exclude that the create info itself has; 0 where a
 * library brings them, or it does not say to what it renders. Structures that are ignored by the specification are not read. */
uint32_t icd_ignored_outputs(const VkGraphicsPipelineCreateInfo *info, VkPipelineCreateFlags2 flags, VkGraphicsPipelineLibraryFlagsEXT parts);
