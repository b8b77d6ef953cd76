/* SPDX-License-Identifier: MIT
 * Waiting awake: falling asleep and being woken takes a thread from microseconds to more than fifty of them, so one that waits for what
 * usually comes at once looks for it for a while first. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* How well it went for one thread; zero at first. */
struct util_awake {
   uint32_t num_left_out; /* looks that the next vain one costs, less one */
   uint32_t left;         /* of them */
};

/* Looks at a number until it is no longer `seen`, 20 microseconds at most; false: it still is. A look in vain has the next 1, 3, 7 ... 255 left
 * out, so that threads which wait for long hardly notice; with fewer than two threads that execute work (util_cpu_threads()) nobody looks.
 * A change that is seen acquires what was written before it. */
bool util_awake_look(struct util_awake *awake, const _Atomic uint32_t *number, uint32_t seen);
