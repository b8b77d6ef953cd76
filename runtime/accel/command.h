/* SPDX-License-Identifier: MIT
 * Builds as the API gives them: geometries without their ranges, which stand in memory. Device and host builds are
 * these, run by other threads. Spec: Acceleration Structures, "Building". Owner: the caller. Threads: one call a build.
 */
#pragma once

#include "runtime/accel/build.h"
#include "runtime/accel/copy.h"

struct rt_accel_command {
   enum rt_accel_leaf leaf; /* RT_LEAF_MICROMAP: one geometry, no ranges, no scratch memory */
   uint32_t flags; /* VkBuildAccelerationStructureFlagsKHR */
   bool is_update;
   uint32_t num_geometries;
   struct rt_accel_geometry *geometries;                   /* ranges not yet applied; written by rt_accel_run() */
   const VkAccelerationStructureBuildRangeInfoKHR *ranges; /* of each, range_stride_bytes apart; read when it runs */
   uint64_t range_stride_bytes;
   const uint32_t *max_primitives; /* indirect builds: no more are taken; NULL: no limit */
   struct rt_accel_memory source;  /* of updates */
   struct rt_accel_memory target;
   void *scratch;
};

/* Runs it. `resolve` turns what instances name into addresses, where they are handles; NULL: they are addresses. NULL
 * is returned, or why the target is without anything now. */
const char *rt_accel_run(const struct rt_accel_command *command, const struct rt_accel_table *structures,
                         uint64_t (*resolve)(uint64_t reference), const struct rt_accel_loop *loop);
