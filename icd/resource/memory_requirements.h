/* SPDX-License-Identifier: MIT
 * What buffers and images ask of memory: any type that is protected as they are, no dedicated allocation.
 * Spec: Resource Memory Association. */
#pragma once

#include "icd/chain.h"
#include "icd/device/physical_device.h"

static inline VkMemoryRequirements icd_memory_requirements(uint64_t size_bytes, uint64_t align_bytes, bool is_protected)
{
   return (VkMemoryRequirements){
      .size = size_bytes,
      .alignment = align_bytes,
      .memoryTypeBits = icd_memory_type_bits(is_protected),
   };
}

/* Fills the structures chained to VkMemoryRequirements2. */
static inline void icd_memory_requirements_answer(void *chain)
{
   VkMemoryDedicatedRequirements *dedicated =
      icd_chain_find_out(chain, VK_STRUCTURE_TYPE_MEMORY_DEDICATED_REQUIREMENTS);
   if (dedicated) {
      dedicated->prefersDedicatedAllocation = VK_FALSE;
      dedicated->requiresDedicatedAllocation = VK_FALSE;
   }
}
