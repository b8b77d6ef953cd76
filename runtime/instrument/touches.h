/* SPDX-License-Identifier: MIT
 * Races of invocations of a draw, or of a launch of rays, that touch the same bytes of buffers and storage images: of one stage, of two, and of two workgroups.
 * Spec: Shaders, "Shader Execution": stores of such invocations are in no order, but for those in interlocked sections of the same pixel; the shaders that
 * a ray calls are one invocation here, each comes after the one that called it. What invocations of one workgroup do races.h follows.
 *
 * Invocations differ by the words that sites have, fragments of one pixel and primitive by the batch that shaded them too, workgroups of mesh shaders by
 * the task that asked for them, and patches and primitives by their instance and view. Vertices that have equal words count as one: they may be shaded twice.
 * Threads: everything is thread-safe. */
#pragma once

#include "runtime/instrument/instrument.h"

struct rt_touches;

/* NULL: memory is out. */
UTIL_MUST_CHECK struct rt_touches *rt_touches_create(void);
void rt_touches_destroy(struct rt_touches *touches);
/* So many draws more have shaders that store, or fewer when all of them are judged: what draws only load is not kept while there are none. */
void rt_touches_expect(struct rt_touches *touches, int32_t num_draws);
/* ABI_PROBE_TOUCH and its like. */
void rt_touches_probe(struct rt_touches *touches, const struct rt_worker *worker, const struct abi_probe_call *call);
/* Finds the races of what commands of the queue (their order without the low RT_ORDER_BITS) have touched since the last call; all of it is over. */
void rt_touches_judge(struct rt_touches *touches, uint64_t queue, struct rt_findings *findings);
