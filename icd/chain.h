/* SPDX-License-Identifier: MIT
 * Structure chains. Spec: Fundamentals, "Valid Usage for Structure Pointer Chains". */
#pragma once

#include <vulkan/vulkan_core.h>

/* The first structure of `type` in a chain, or NULL. */
static inline const void *icd_chain_find(const void *chain, VkStructureType type)
{
   const VkBaseInStructure *it = chain;
   while (it && it->sType != type)
      it = it->pNext;
   return it;
}

/* The same for structures that the driver fills. */
static inline void *icd_chain_find_out(void *chain, VkStructureType type)
{
   VkBaseOutStructure *it = chain;
   while (it && it->sType != type)
      it = it->pNext;
   return it;
}
