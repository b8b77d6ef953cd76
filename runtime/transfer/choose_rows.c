/* SPDX-License-Identifier: MIT
 * Chooses the filters for the processor's instruction set once, at load. */
#include "runtime/transfer/filter_rows.h"

#include "util/cpu.h"

rt_rows_mix_fn *rt_rows_mix = rt_rows_mix_at;
rt_rows_pick_fn *rt_rows_pick = rt_rows_pick_at;
rt_blocks_halve_fn *rt_blocks_halve = rt_blocks_halve_at;

#ifdef __x86_64__
__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   rt_rows_mix = level >= UTIL_CPU_V4 ? rt_rows_mix_at_v4 : level >= UTIL_CPU_V3 ? rt_rows_mix_at_v3 : rt_rows_mix_at;
   rt_rows_pick = level >= UTIL_CPU_V4 ? rt_rows_pick_at_v4 : level >= UTIL_CPU_V3 ? rt_rows_pick_at_v3 : rt_rows_pick_at;
   rt_blocks_halve = level >= UTIL_CPU_V4 ? rt_blocks_halve_at_v4 : level >= UTIL_CPU_V3 ? rt_blocks_halve_at_v3 : rt_blocks_halve_at;
}
#endif
