/* SPDX-License-Identifier: MIT
 * The renderer's files are compiled once for the baseline instruction set and again for each level of enum util_cpu_level that has wider
 * vectors; public names of those builds get a suffix (gen/level_library.py), so that they stand side by side in one library. All give the
 * same bits: only exact IEEE operations, no contraction. render/render.c chooses the table of entry points by util_cpu_level(). */
#pragma once

struct rt_chunk;
struct rt_worker;
struct rt_target;
struct rt_tile_job;

/* What windows call. */
struct rt_level_ops {
   void (*chunk_run)(struct rt_chunk *chunk, struct rt_worker *worker);
   void (*tile_run)(const struct rt_tile_job *job, struct rt_worker *worker);
};
extern const struct rt_level_ops rt_level_ops, rt_level_ops_v3, rt_level_ops_v4;
