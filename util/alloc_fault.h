/* SPDX-License-Identifier: MIT
 * Fault injection for what allocates without callbacks and is not malloc() itself. Threads: thread-safe. */
#pragma once

#include <stdbool.h>

/* Counts an allocation; true: it is the one that util_alloc_fail_at() wants to fail. */
bool util_alloc_must_fail(void);
