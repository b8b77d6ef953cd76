/* SPDX-License-Identifier: MIT
 * What commands that take buffers and those that take addresses have in common. */
#pragma once

#include "runtime/cmd/cmd.h"

/* Device addresses are those of the process; 0: NULL. */
static inline uint8_t *icd_address(VkDeviceAddress address)
{
   return (uint8_t *)(uintptr_t)address;
}

static inline uint32_t icd_index_bytes(VkIndexType type)
{
   return type == VK_INDEX_TYPE_UINT32 ? 4 : type == VK_INDEX_TYPE_UINT16 ? 2 : 1;
}
