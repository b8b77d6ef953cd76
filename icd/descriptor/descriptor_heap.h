/* SPDX-License-Identifier: MIT
 * Descriptor heaps as command buffers begin with them. Spec: Command Buffers, "Command Buffer Recording". */
#pragma once

#include <vulkan/vulkan_core.h>

#ifdef VK_EXT_descriptor_heap
/* Those that a secondary command buffer has from its primary. */
void icd_inherit_heaps(VkCommandBuffer commandBuffer, const VkCommandBufferInheritanceDescriptorHeapInfoEXT *info);
#endif
