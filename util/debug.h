/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG: one table of switches, read once. `VK_SWRAST_DEBUG=help` lists them on stderr.
 * The driver is quiet on stderr unless one of them is on, but for a compiler that cannot be loaded and for environment variables that it
 * cannot obey. Threads: read-only after the first call. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

enum util_debug {
   UTIL_DEBUG_SPIRV = 1 << 0,      /* disassemble each module */
   UTIL_DEBUG_IR = 1 << 1,         /* print the IR after the front end and after the last pass */
   UTIL_DEBUG_PASSES = 1 << 2,     /* print the IR after each pass that changed it */
   UTIL_DEBUG_LLVM = 1 << 3,       /* print LLVM IR as handed to code generation */
   UTIL_DEBUG_ASM = 1 << 4,        /* print the machine code as assembly */
   UTIL_DEBUG_TIME = 1 << 5,       /* report how long compiles and their passes take */
   UTIL_DEBUG_CMD = 1 << 6,        /* print the command stream as it is executed */
   UTIL_DEBUG_VALIDATE = 1 << 7,   /* print validation messages */
   UTIL_DEBUG_NOCACHE = 1 << 8,    /* neither read nor write the cache on disk */
   UTIL_DEBUG_POISON = 1 << 9,     /* fill fresh device memory with 0xcd */
   UTIL_DEBUG_CHECK = 1 << 10,     /* validate the IR after each pass */
   UTIL_DEBUG_NOOPT = 1 << 11,     /* skip optional passes */
   UTIL_DEBUG_VERBOSE = 1 << 12,   /* warnings and errors on stderr */
   UTIL_DEBUG_PERF = 1 << 13,      /* write /tmp/perf-PID.map for perf */
   UTIL_DEBUG_SCALE = 1 << 14,     /* count what limits many threads, print it when a device is destroyed */
   UTIL_DEBUG_BOUNDS = 1 << 15,    /* the instrument: accesses past the end */
   UTIL_DEBUG_NUMBERS = 1 << 16,   /* where NaN and infinity are made, undefined integer arithmetic */
   UTIL_DEBUG_BARRIER = 1 << 17,   /* barriers that not all invocations reach */
   UTIL_DEBUG_RACE = 1 << 18,      /* accesses of two invocations without an order between them */
   UTIL_DEBUG_UNINIT = 1 << 19,    /* reads of what nobody wrote */
   UTIL_DEBUG_SYNC = 1 << 20,      /* accesses of two commands without a barrier between them */
   UTIL_DEBUG_PRINTF = 1 << 21,    /* print what shaders print */
   UTIL_DEBUG_TRACE = 1 << 22,     /* VK_SWRAST_TRACE is set: the last of the bits of enum abi_check */
   UTIL_DEBUG_PROFILE = 1 << 23,   /* time each command by itself, print a table when its queue is gone */
   UTIL_DEBUG_CALLS = 1 << 24,     /* call functions wherever they need not be inlined */
   UTIL_DEBUG_SANITIZE = UTIL_DEBUG_BOUNDS | UTIL_DEBUG_NUMBERS | UTIL_DEBUG_BARRIER | UTIL_DEBUG_RACE | UTIL_DEBUG_UNINIT | UTIL_DEBUG_SYNC,
};

/* In which order workgroups and their vectors run, and all else that a pool has to do at a time; any is allowed. */
enum util_order { UTIL_ORDER_FORWARD, UTIL_ORDER_REVERSE, UTIL_ORDER_SHUFFLE };

/* True if the switch, or one of them, is on. */
bool util_debug(enum util_debug flag);
/* Those of `mask`, a set of enum util_debug, that are on. */
uint32_t util_debug_set(uint32_t mask);
/* order=reverse, order=shuffle:SEED. `seed` may be NULL. */
enum util_order util_debug_order(uint32_t *seed);

/* One line on stderr, prefixed with the driver's name. Callers ask util_debug() first, but for what the driver always says. */
UTIL_PRINTF(1, 2) void util_log(const char *format, ...);
