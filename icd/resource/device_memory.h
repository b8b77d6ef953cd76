/* SPDX-License-Identifier: MIT
 * VkDeviceMemory: plain memory of the process, committed by the system as it is touched and given back when freed; or
 * memory that processes share, or the application's own.
 * Spec: Memory Allocation, "Device Memory". */
#pragma once

#include "icd/device/physical_device.h"
#include "icd/object.h"
#include "util/shared_memory.h"

#include <stdbool.h>

/* FOLLOWED: runtime/instrument/written.h. PAGES and SHARED can be bound to sparse resources. DEVICE: a dma-buf of somebody else. */
enum icd_memory_source {
   ICD_MEMORY_HEAP,
   ICD_MEMORY_MAPPING,
   ICD_MEMORY_FOLLOWED,
   ICD_MEMORY_PAGES,
   ICD_MEMORY_SHARED,
   ICD_MEMORY_DEVICE,
   ICD_MEMORY_HOST
};

struct icd_host_cache;

struct icd_device_memory {
   struct icd_object base;
   uint8_t *data;       /* page aligned */
   uint64_t size_bytes; /* as the application asked */
   uint64_t counted_bytes; /* against the heap */
   uint32_t heap;
   bool is_protected;      /* never mapped, never shared */
   bool is_coherent;
   struct icd_host_cache *host_cache; /* of what is not; NULL: it has not been mapped */
   enum icd_memory_source source;
   bool is_import;
   uint64_t report_id; /* memoryObjectId; memory_report.h */
   struct util_shared_memory shared; /* of ICD_MEMORY_SHARED, ICD_MEMORY_DEVICE */
   int dma_buf;                      /* of the same pages as ICD_MEMORY_SHARED; -1: none was asked for */
   void *placed;         /* where the application wanted it mapped as well; NULL: nowhere */
   size_t placed_bytes;
};

/* Bytes that all devices of the process have allocated, of each heap (the heapUsage of VK_EXT_memory_budget) and of all. */
uint64_t icd_memory_used_bytes(uint64_t of_heaps[ICD_NUM_MEMORY_HEAPS]);
