/* SPDX-License-Identifier: MIT
 * Whether a texel of a sparse image has memory. Spec: Sparse Resources, "Sparse Residency". */
#pragma once

#include "abi/image.h"

#include <stdbool.h>

static inline bool rt_residency_has(const struct abi_residency *residency, const uint8_t *address)
{
   const uint64_t page = (uint64_t)(address - residency->base) / ABI_PAGE_BYTES;
   return page >= residency->num_pages || __atomic_load_n(&residency->pages[page / 64], __ATOMIC_RELAXED) >> (page % 64) & 1;
}
