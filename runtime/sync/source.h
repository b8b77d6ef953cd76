/* SPDX-License-Identifier: MIT
 * Where a timeline's value comes from besides this process: a state in memory that processes share, or a file that
 * becomes readable. A thread, started when somebody is about to sleep, waits for the source and pokes the timeline.
 * Owned by the timeline. Threads: under the timeline's lock, but for creating and destroying. */
#pragma once

#include "runtime/sync/sync.h"

void rt_source_destroy(struct rt_source *source);
/* The value now; `local` is what this process has set. */
uint64_t rt_source_value(const struct rt_source *source, uint64_t local);
/* Notifies the other processes. */
void rt_source_publish(struct rt_source *source, uint64_t value);
/* From now on changes poke the timeline. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult rt_source_watch(struct rt_source *source);
