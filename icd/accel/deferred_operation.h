/* SPDX-License-Identifier: MIT
 * VkDeferredOperationKHR: work that waits for threads of the application, which do it together.
 * Spec: Deferred Host Operations. Threads: any number may join. */
#pragma once

#include "icd/object.h"
#include "runtime/accel/loop.h"

#include <pthread.h>

struct icd_deferred;

/* The work of an operation; `loop` spreads rounds over the threads that have joined. What it returns is the operation's
 * result. */
typedef VkResult icd_deferred_fn(void *data, const struct rt_accel_loop *loop);

/* Gives the operation its work; whoever joins first runs it. `data` is freed with util_mfree() when it is done. */
void icd_deferred_start(struct icd_deferred *operation, icd_deferred_fn *run, void *data);
