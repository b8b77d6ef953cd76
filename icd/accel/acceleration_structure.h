/* SPDX-License-Identifier: MIT
 * VkAccelerationStructureKHR, and VkMicromapEXT, which is no different: a range of a buffer. Spec: Acceleration Structures; Resource Creation, "Acceleration
 * Structures". */
#pragma once

#include "icd/object.h"
#include "runtime/accel/copy.h"

struct icd_buffer;

struct icd_accel {
   struct icd_object base;
   const struct icd_buffer *buffer; /* may get its memory later than the structure; NULL: `offset_bytes` is its address */
   uint64_t offset_bytes, size_bytes;
   _Atomic uint64_t address; /* in the device's table; 0: not yet. Relaxed: whoever comes first writes it */
};

static inline struct icd_accel *icd_micromap_from_handle(VkMicromapEXT micromap)
{
   return (struct icd_accel *)(uintptr_t)micromap;
}

struct icd_accel_info {
   VkObjectType type;
   VkBuffer buffer; /* VK_NULL_HANDLE: `offset_bytes` is an address */
   uint64_t offset_bytes, size_bytes;
   uint64_t captured_address; /* 0: any */
};
UTIL_MUST_CHECK VkResult icd_accel_create(struct icd_device *device, const struct icd_accel_info *info, const VkAllocationCallbacks *allocator,
                                          struct icd_accel **out);
/* NULL is ignored. */
void icd_accel_destroy(struct icd_device *device, struct icd_accel *accel, const VkAllocationCallbacks *allocator);
/* Its address, which is that of its memory; 0 of VK_NULL_HANDLE, or if its buffer has none. */
uint64_t icd_accel_address(struct icd_accel *accel);
/* Its memory, whatever is in it; of VK_NULL_HANDLE none. */
struct rt_accel_memory icd_accel_memory(struct icd_accel *accel);
/* What serialized structures of this device begin with. */
struct rt_accel_identity icd_accel_identity(const struct icd_device *device);
