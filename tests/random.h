/* SPDX-License-Identifier: MIT
 * Numbers that are the same in every run: Knuth's linear congruential generator of 64 bits (MMIX). Its high bits are the good ones. */
#pragma once

#include <stdint.h>

static inline uint64_t random_step(uint64_t *state)
{
   return *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
}

/* 0 to count - 1. */
static inline uint32_t random_pick(uint64_t *state, uint32_t count)
{
   return (uint32_t)((random_step(state) >> 33) * count >> 31);
}
