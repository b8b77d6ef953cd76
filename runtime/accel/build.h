/* SPDX-License-Identifier: MIT
 * Builds and updates acceleration structures in memory of the application.
 * Spec: Acceleration Structures, "Building". The same input gives the same bytes, whatever the number of threads.
 * Threads: one call a structure. */
#pragma once

#include "runtime/accel/input.h"
#include "runtime/accel/loop.h"

/* Bytes that a build of so many primitives needs at most, saturating. */
struct rt_accel_sizes {
   uint64_t structure, build_scratch, update_scratch;
};
struct rt_accel_sizes rt_accel_sizes(enum rt_accel_leaf leaf, uint64_t num_primitives);
/* The same with so many addresses of micromaps: rt_accel_num_micromaps(). */
struct rt_accel_sizes rt_accel_sizes_of(enum rt_accel_leaf leaf, uint64_t num_primitives, uint32_t num_micromaps);

/* Memory that a build writes; `structure` is aligned to RT_ACCEL_ALIGN, `scratch` to nothing, as that of the host is not. */
struct rt_accel_target {
   void *structure;
   uint64_t structure_bytes;
   void *scratch; /* as many bytes as rt_accel_sizes() says */
};

/* False, and a structure without anything, if structure_bytes are too few. */
UTIL_MUST_CHECK bool rt_accel_build(const struct rt_accel_input *input, const struct rt_accel_target *target,
                                    const struct rt_accel_loop *loop);
/* The same tree as that of `source` (which may be the target), over primitives that have moved. False, and a structure
 * without anything, if there is none in the `source_bytes` at `source`, or it does not fit. */
UTIL_MUST_CHECK bool rt_accel_update(const struct rt_accel_input *input, const void *source, uint64_t source_bytes,
                                     const struct rt_accel_target *target, const struct rt_accel_loop *loop);
/* A structure without anything, of RT_ACCEL_ALIGN bytes. */
void rt_accel_clear(const struct rt_accel_input *input, struct rt_accel_head *head);
/* The flags of the build, and what the geometries have. */
void rt_accel_set_contents(const struct rt_accel_input *input, struct rt_accel_head *head);
/* What an instance has; by any thread. */
static inline void rt_accel_add_contents(struct rt_accel_head *head, uint32_t contents)
{
   if (contents)
      __atomic_fetch_or(&head->contents, contents, __ATOMIC_RELAXED);
}
/* A leaf's block of at most RT_ACCEL_BLOCK primitives, and the box around them. */
void rt_accel_fill_block(const struct rt_accel_input *input, struct rt_accel_block *block, struct rt_accel_box *box,
                         const uint32_t *geometries, const uint32_t *primitives, uint32_t count);
