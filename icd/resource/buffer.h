/* SPDX-License-Identifier: MIT
 * VkBuffer. Spec: Resource Creation, "Buffers"; Resource Memory Association. */
#pragma once

#include "icd/object.h"
#include "runtime/sparse.h"

/* Least alignment of a buffer in memory: a cache line, so that vectors of aligned offsets do not straddle two. */
#define ICD_BUFFER_ALIGN 64

struct icd_buffer {
   struct icd_object base;
   uint64_t size_bytes;
   uint64_t max_range_bytes; /* that a descriptor reaches */
   VkBufferCreateFlags flags;
   VkBufferUsageFlags2 usage;
   uint8_t *data; /* NULL until bound */
   struct rt_sparse *sparse; /* NULL: memory is bound once */
};

/* Bytes from `offset` to the end or `size`, whichever is less; `size` may be VK_WHOLE_SIZE. 0 past the end. */
static inline uint64_t icd_buffer_range(const struct icd_buffer *buffer, uint64_t offset, uint64_t size)
{
   const uint64_t rest = offset < buffer->size_bytes ? buffer->size_bytes - offset : 0;
   return size < rest ? size : rest;
}
