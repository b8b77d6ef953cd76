/* SPDX-License-Identifier: MIT
 * Who touched which byte: a table from granules of memory to the accesses that count.
 * Of each class of access a granule keeps the least access and the least one of somebody else, so that what is kept does not depend on the
 * order in which accesses came, and whoever conflicts with anybody conflicts with one that is kept.
 * Threads: one user at a time. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

enum rt_shadow_class { RT_SHADOW_READ, RT_SHADOW_WRITE, RT_SHADOW_ATOMIC_READ, RT_SHADOW_ATOMIC, RT_NUM_SHADOW_CLASSES };

/* An access as a number: workgroup, invocation in it, site, then what orders it. Less is told first. */
enum {
   RT_ACCESS_FENCE_BITS = 4,  /* phases with a fence before it, at most 15 */
   RT_ACCESS_EPOCH_BITS = 5,  /* barriers of the subgroup before it, modulo 32 */
   RT_ACCESS_SITE_BITS = 12,
   RT_ACCESS_LOCAL_BITS = 11,
   RT_ACCESS_EPOCH_SHIFT = RT_ACCESS_FENCE_BITS,
   RT_ACCESS_SITE_SHIFT = RT_ACCESS_EPOCH_SHIFT + RT_ACCESS_EPOCH_BITS,
   RT_ACCESS_LOCAL_SHIFT = RT_ACCESS_SITE_SHIFT + RT_ACCESS_SITE_BITS,
   RT_ACCESS_GROUP_SHIFT = RT_ACCESS_LOCAL_SHIFT + RT_ACCESS_LOCAL_BITS,
};
#define RT_NO_ACCESS UINT64_MAX

struct rt_granule {
   uint64_t address; /* in units of granules; UINT64_MAX: free */
   uint64_t best[RT_NUM_SHADOW_CLASSES][2];
};

struct rt_shadow {
   struct rt_granule *granules;
   uint32_t capacity, count; /* capacity: 0 or a power of two */
   bool is_out_of_memory;    /* something was not noted */
};

void rt_shadow_finish(struct rt_shadow *shadow);
/* Forgets all; keeps memory that is not much more than was needed. */
void rt_shadow_clear(struct rt_shadow *shadow);
/* `somebody_shift`: accesses that are equal from this bit on are one's. */
void rt_shadow_note(struct rt_shadow *shadow, uint64_t address, enum rt_shadow_class class, uint64_t access, uint32_t somebody_shift);

/* Calls found() with the least pair of a granule that conflicts: of two that are not the same somebody's, of which one writes and one is not
 * atomic, and that are_ordered() does not order. */
struct rt_conflicts {
   uint32_t somebody_shift;
   bool (*are_ordered)(const void *data, uint64_t a, uint64_t b);
   void (*found)(void *data, uint64_t address, uint64_t a, uint64_t b); /* a is less */
   void *data;
};
void rt_shadow_find(const struct rt_shadow *shadow, const struct rt_conflicts *conflicts);
