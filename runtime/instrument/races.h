/* SPDX-License-Identifier: MIT
 * Races within a dispatch, and barriers that not all invocations of a workgroup reach.
 * Spec: SPIR-V, "Memory Model" and Vulkan's appendix "Memory Model", as far as it orders accesses of one dispatch: barriers of a workgroup order what
 * their semantics name, barriers of a subgroup what its invocations do, fences and atomics what clocks.h says, atomics do not race with each other. Between
 * workgroups, where the shader has atomics, what one does before a fence of the device counts as ordered before what another one does after a fence.
 *
 * One per dispatch, shared by all workers that run it; each worker follows the workgroup in hand by itself. */
#pragma once

#include "abi/probe.h"
#include "runtime/pool.h"

struct rt_races;

/* Of a dispatch of `num_items` items. NULL: memory is out. */
UTIL_MUST_CHECK struct rt_races *rt_races_create(struct rt_findings *findings, const struct abi_compute_args *args, uint32_t num_items);
/* The same with one whose dispatch is over, instead of a new one. False: it is not over. */
UTIL_MUST_CHECK bool rt_races_restart(struct rt_races *races, const struct abi_compute_args *args, uint32_t num_items);
void rt_races_destroy(struct rt_races *races);
/* For lists of them; `next` may be NULL. */
void rt_races_link(struct rt_races *races, struct rt_races *next);
struct rt_races *rt_races_next(const struct rt_races *races);
/* Around an item. At the end of the last one races between workgroups are found. False: memory is out, and the item cannot run. */
UTIL_MUST_CHECK bool rt_races_enter(struct rt_races *races, struct rt_worker *worker);
void rt_races_leave(struct rt_worker *worker);
/* Around workgroups of a draw, or of a node of an execution graph, which are followed each for itself: races between them are not found. Nothing to do where
 * nobody asked for it; rt_races_end() belongs to an rt_races_begin() that was true. False: memory is out, and the pool has failed. */
UTIL_MUST_CHECK bool rt_races_begin(const struct abi_compute_args *args, struct rt_worker *worker);
void rt_races_end(struct rt_worker *worker);
/* Frees what a worker keeps. */
void rt_races_forget(struct rt_worker *worker);

/* abi_helpers.follow_workgroup, follow_access, follow_stride, follow_barrier. */
void rt_races_workgroup(struct abi_worker *worker, const uint32_t id[3]);
void rt_races_access(struct abi_worker *worker, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses);
void rt_races_stride(struct abi_worker *worker, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape);
void rt_races_barrier(struct abi_worker *worker, const struct abi_site *site);
/* Probes of texels and of fences. */
void rt_races_probe(const struct abi_probe_call *call, struct rt_worker *worker);
