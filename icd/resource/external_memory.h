/* SPDX-License-Identifier: MIT
 * Memory from outside: opaque descriptors (shared memory of ours), buffers of devices, the application's own memory.
 * Spec: Additional Capabilities, "External Buffer Capabilities"; Memory Allocation, "File Descriptor External Memory",
 * "Host External Memory". */
#pragma once

#include <vulkan/vulkan_core.h>

/* What buffers and images can do with handles of a type; no features: nothing. */
VkExternalMemoryProperties icd_external_memory_properties(VkExternalMemoryHandleTypeFlagBits type);
