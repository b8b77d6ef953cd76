/* SPDX-License-Identifier: MIT
 * Threads, locks and clocks over pthreads: condition variables use the monotonic clock, time is in nanoseconds. */
#pragma once

#include "util/macros.h"

#include <pthread.h>
#include <stdbool.h>

#define UTIL_FOREVER UINT64_MAX

/* Nanoseconds of CLOCK_MONOTONIC. */
uint64_t util_now_ns(void);
/* now + timeout, saturating at UTIL_FOREVER. */
uint64_t util_deadline_ns(uint64_t timeout_ns);

/* False when the system has no resources for it. */
UTIL_MUST_CHECK bool util_mutex_init(pthread_mutex_t *mutex);
UTIL_MUST_CHECK bool util_cond_init(pthread_cond_t *cond);
/* Waits until signaled or until the absolute `deadline_ns`; false on time-out. Spurious wake-ups happen. */
bool util_cond_wait_until(pthread_cond_t *cond, pthread_mutex_t *mutex, uint64_t deadline_ns);

/* Starts a named thread (15 characters at most) with all signals but faults blocked; false when the system refuses. */
UTIL_MUST_CHECK bool util_thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg);
