/* SPDX-License-Identifier: MIT
 * VkDeviceMemory: plain memory of the process, committed by the system as it is touched and given back when freed.
 * Spec: Memory Allocation, "Device Memory". */
#pragma once

#include "icd/object.h"

#include <stdbool.h>

struct icd_device_memory {
   struct icd_object base;
   uint8_t *data;       /* page aligned */
   uint64_t size_bytes; /* as the application asked */
   bool is_mapping;     /* of the system; else from the C library */
};
