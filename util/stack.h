/* SPDX-License-Identifier: MIT
 * Calls on stacks of the driver's: applications' threads may have no more than 64 KiB. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>

/* Of each thread that util_thread_start() starts, whatever the program gives its own. */
enum { UTIL_STACK_BYTES = 8 << 20 };

/* Calls on a stack of that size: as it is, if this thread was started by util_thread_start(), else on one that is mapped for the call. For what
 * needs more than the smallest stacks have: the compiler, validation. Stays on this thread, whose thread-local variables C++ libraries allocate at
 * their first use. Costs about 10 us. False: there is no memory for it. */
UTIL_MUST_CHECK bool util_call_apart(void (*call)(void *data), void *data);
