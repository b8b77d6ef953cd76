/* SPDX-License-Identifier: MIT
 * What the machine offers: instruction set level, vector width, processors that we may use, memory.
 * Threads: all functions are thread-safe; results are computed once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* x86-64 psABI micro-architecture levels, and what machines have beyond the last; a higher one includes the lower. AArch64 counts as
 * V3, whose fused multiplication, rounding and 16-bit floats every one has, with registers of four lanes. */
enum util_cpu_level {
   UTIL_CPU_V1 = 1, /* SSE2 */
   UTIL_CPU_V2 = 2, /* SSE4.2 */
   UTIL_CPU_V3 = 3, /* AVX2, FMA, F16C */
   UTIL_CPU_V4 = 4, /* AVX-512 F BW CD DQ VL */
   UTIL_CPU_V4_VNNI = 5, /* AVX512-VNNI: Ice Lake, Zen 4 and what follows */
   UTIL_CPU_V4_FP16 = 6, /* AVX512-FP16, too */
};

/* The level of this machine, lowered by VK_SWRAST_CPU=v1..v4. */
enum util_cpu_level util_cpu_level(void);
/* The same, not lowered. */
enum util_cpu_level util_cpu_own_level(void);

/* Whether a gather takes less time than loads one by one: on Intel's processors since Alder Lake and Sapphire Rapids. Elsewhere it is the processor's own
 * code, beside which nothing else runs, or slowed down against leaks (Gather Data Sampling). */
bool util_cpu_has_fast_gathers(void);

/* 32-bit values of a register of the level. */
uint32_t util_cpu_register_lanes(enum util_cpu_level level);
/* Lanes of one vector: 16, 8 or 4 32-bit values for v4, v3 and below, 4 on AArch64; VK_SWRAST_LANES=4|8|16|32 overrides. */
uint32_t util_cpu_lanes(void);
/* The same of code that gains by several registers a vector: as many again where registers hold eight or more, unless VK_SWRAST_LANES says how many. */
uint32_t util_cpu_max_lanes(void);

/* Threads that execute work: VK_SWRAST_THREADS up to 1,024, else min(affinity, cgroup v1/v2 quota rounded up). 0 means inline in the
 * queue's thread and is given only by VK_SWRAST_THREADS=0. */
uint32_t util_cpu_threads(void);

/* The calling thread's floating-point state as IEEE 754 has it: to nearest even, denormals kept, no traps. Returns what it was, for
 * util_float_leave(). Threads inherit the state of the thread that starts them, applications may have changed theirs. */
uint64_t util_float_enter(void);
void util_float_leave(uint64_t state);

/* True if the counter that shaders read runs at one rate whatever the processors do, so that their readings can be compared. */
bool util_cpu_has_common_clock(void);

/* Bytes of memory that the process may use: the lower of RAM and the cgroup limit. */
uint64_t util_cpu_memory_bytes(void);

/* The processor's marketing name, or "unknown CPU"; a static string. */
const char *util_cpu_name(void);
