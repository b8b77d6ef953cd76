/* SPDX-License-Identifier: MIT
 * The few macros that every layer uses. No macro here hides control flow. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define UTIL_MUST_CHECK __attribute__((warn_unused_result))
#define UTIL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define UTIL_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define UTIL_CONTAINER_OF(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define UTIL_LIKELY(x) __builtin_expect(!!(x), 1)
#define UTIL_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define UTIL_MIN(a, b) ((a) < (b) ? (a) : (b))
#define UTIL_MAX(a, b) ((a) > (b) ? (a) : (b))
#define UTIL_CLAMP(x, lo, hi) UTIL_MIN(UTIL_MAX(x, lo), hi)
#define UTIL_DIV_ROUND_UP(a, b) (((a) + (b)-1) / (b))

/* Rounds `value` up to a multiple of `align`, a power of two. */
static inline uint64_t util_align(uint64_t value, uint64_t align)
{
   return (value + align - 1) & ~(align - 1);
}
