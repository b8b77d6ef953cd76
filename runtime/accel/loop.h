/* SPDX-License-Identifier: MIT
 * A loop whose rounds may run side by side, on whichever threads a build has: those of the pool, or those that join a
 * deferred operation. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef void rt_accel_body_fn(void *data, uint32_t index);

struct rt_accel_loop {
   /* Runs body(data, i) for i in [0, count) and returns when all have. */
   void (*run)(void *context, uint32_t count, rt_accel_body_fn *body, void *data);
   void *context;
   const uint32_t *cancel; /* non-zero: the work is no longer wanted, rounds are skipped; NULL: it always is */
};

static inline void rt_accel_loop_run(const struct rt_accel_loop *loop, uint32_t count, rt_accel_body_fn *body,
                                     void *data)
{
   if (loop && count > 1)
      loop->run(loop->context, count, body, data);
   else
      for (uint32_t i = 0; i < count; i++)
         body(data, i);
}

static inline bool rt_accel_loop_is_cancelled(const struct rt_accel_loop *loop)
{
   return loop && loop->cancel && __atomic_load_n(loop->cancel, __ATOMIC_RELAXED);
}
