/* SPDX-License-Identifier: MIT
 * Grids of workgroups: how many they are, and runs of them along x, that compiled code takes many at a time. Spec: Dispatching Commands. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

/* ABI_MAX_WORKGROUPS in each dimension is just below. */
#define RT_GRID_MAX_WORKGROUPS (UINT64_C(1) << 48)

enum {
   RT_GRID_ITEMS_PER_THREAD = 32,
   RT_GRID_CALL_NS = 1000000, /* calls into compiled code are to last about so long, for the watchdog to see progress */
   /* So many workgroups, each within the time-out, end some day: how far they are is not counted, which costs a small dispatch
    * a twentieth. */
   RT_GRID_MAX_UNPACED = 1024,
};

/* False: more than anybody can mean. */
UTIL_MUST_CHECK static inline bool rt_grid_count(const uint32_t grid[3], uint64_t *count)
{
   return !__builtin_mul_overflow((uint64_t)grid[0] * grid[1], (uint64_t)grid[2], count) && *count <= RT_GRID_MAX_WORKGROUPS;
}

/* Workgroups [*first, end), counted along x, then y: takes those of one row, `*num` from `at` on. There is one at least. */
static inline void rt_grid_take_row(const uint32_t grid[3], uint64_t *first, uint64_t end, uint32_t at[3], uint32_t *num)
{
   const uint64_t row = *first / grid[0];
   at[0] = (uint32_t)(*first - row * grid[0]);
   at[1] = (uint32_t)(row % grid[1]);
   at[2] = (uint32_t)(row / grid[1]);
   *num = (uint32_t)UTIL_MIN((uint64_t)(grid[0] - at[0]), end - *first);
   *first += *num;
}
