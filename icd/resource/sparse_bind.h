/* SPDX-License-Identifier: MIT
 * What vkQueueBindSparse binds, as pages that the runtime maps. Spec: Sparse Resources, "Sparse Resource Binding Structures". */
#pragma once

#include "icd/object.h"

struct rt_sparse_bind;

/* All binds of `info` in their order; `*binds` is freed with util_mfree(). VK_ERROR_OUT_OF_HOST_MEMORY. What is outside of resources or
 * memory is left out. */
UTIL_MUST_CHECK VkResult icd_sparse_collect(const VkBindSparseInfo *info, struct rt_sparse_bind **binds, uint32_t *num_binds);
