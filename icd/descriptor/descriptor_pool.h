/* SPDX-License-Identifier: MIT
 * VkDescriptorPool: one block that holds the sets' objects and the sets' memory.
 * Spec: Resource Descriptors, "Allocation of Descriptor Sets". Threads: externally synchronized. */
#pragma once

#include "icd/descriptor/descriptor_set.h"

enum { ICD_POOL_BUCKETS = 16 };

struct icd_descriptor_pool {
   struct icd_object base;
   uint32_t max_sets, num_sets;
   uint64_t capacity_bytes, used_bytes; /* used: by live sets */
   uint8_t *data;
   uint64_t end_bytes;              /* behind the last placed set */
   struct icd_descriptor_set *sets; /* [max_sets] */
   struct util_list unused;         /* objects without a range */
   struct util_list placed;         /* live and freed sets in order of their memory */
   /* Freed sets keep their range for the next allocation of just that size, until the range is needed. By size. */
   struct util_list freed[ICD_POOL_BUCKETS];
};
