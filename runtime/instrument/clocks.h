/* SPDX-License-Identifier: MIT
 * What invocations of a workgroup order among themselves between two of its barriers, by fences and atomics: vector clocks. Each space of memory has its
 * own, since fences name spaces.
 * Spec: Vulkan's appendix "Memory Model", "Synchronizes-With" and "Happens-Before": what stands before a release fence is ordered before what stands behind
 * an acquire fence where an atomic write behind the first is read by an atomic in front of the second. Atomics with semantics have fences of their own.
 * Clocks end at RT_MAX_CLOCK: what follows counts as ordered where it may be.
 * Threads: one user at a time. */
#pragma once

#include "runtime/instrument/shadow.h"
#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

enum { RT_MAX_CLOCK = (1 << RT_ACCESS_EPOCH_BITS) - 1 };

/* Of a space, for the workgroup and the phase in hand. */
struct rt_clocks;

/* Frees it; NULL is fine. */
void rt_clocks_destroy(struct rt_clocks *clocks);

/* Begins a phase of `count` invocations: all clocks are 0, and nothing is published. Makes `*clocks` where it is NULL. False: memory is out. */
UTIL_MUST_CHECK bool rt_clocks_begin(struct rt_clocks **clocks, uint32_t count);

/* The clock of an access by `local`, up to RT_MAX_CLOCK. A fence before it made it a later one, unless the access is atomic: those do not move clocks, so that
 * whoever waits by atomics and fences in a loop keeps its own. */
uint32_t rt_clocks_now(struct rt_clocks *clocks, uint32_t local, bool is_atomic);

/* A fence by `local`. `subgroup_size`: of its subgroup alone; 0: of more. */
enum rt_fence { RT_FENCE_ACQUIRE = 1, RT_FENCE_RELEASE = 2 };
UTIL_MUST_CHECK bool rt_clocks_fence(struct rt_clocks *clocks, uint32_t local, uint32_t fences, uint32_t subgroup_size);

/* An atomic by `local` at a location, which any number may identify. */
enum rt_atomic { RT_ATOMIC_LOAD = 1, RT_ATOMIC_STORE = 2, RT_ATOMIC_CHANGE = RT_ATOMIC_LOAD | RT_ATOMIC_STORE };
UTIL_MUST_CHECK bool rt_clocks_atomic(struct rt_clocks *clocks, uint32_t local, uint64_t location, enum rt_atomic atomic, uint32_t subgroup_size);

/* A barrier of invocations `first` + i, for each bit i of the mask. */
UTIL_MUST_CHECK bool rt_clocks_barrier(struct rt_clocks *clocks, uint32_t first, uint32_t mask);

/* Whether one of two accesses happens before the other one. */
bool rt_clocks_are_ordered(const struct rt_clocks *clocks, uint32_t local_a, uint32_t clock_a, uint32_t local_b, uint32_t clock_b);
