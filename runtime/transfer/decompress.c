/* SPDX-License-Identifier: MIT
 * Decompression of memory: regions side by side. Spec: Memory Decompression. */
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "runtime/transfer/gdeflate.h"
#include "util/debug.h"

enum { AT_ONCE = 64 }; /* regions: after them it is seen how much of the command is done */

struct job {
   const struct rt_cmd_decompress *cmd;
   uint64_t first;
   atomic_bool is_malformed; /* and said; relaxed */
};

static void run_region(void *data, uint32_t index, struct rt_worker *worker)
{
   struct job *job = data;
   const uint64_t number = job->first + index;
   const struct rt_decompression region = rt_decompress_region(job->cmd, number);
   const uint64_t size = UTIL_MIN(region.dst_bytes, (uint64_t)RT_MAX_DECOMPRESSED_BYTES);
   if (!region.src || !region.dst || !size)
      return;
   const size_t done = rt_gdeflate_decompress((void *)(uintptr_t)region.dst, size, (const void *)(uintptr_t)region.src, region.src_bytes, worker);
   if (done < region.dst_bytes && !rt_worker_is_cancelled(worker) && !atomic_exchange_explicit(&job->is_malformed, true, memory_order_relaxed))
      util_log("decompression of region %llu: malformed data after %zu of %llu bytes", (unsigned long long)number, done, (unsigned long long)region.dst_bytes);
}

void rt_execute_decompress(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct job job = {.cmd = (const struct rt_cmd_decompress *)cmd};
   rt_executor_sync_but_late(executor); /* earlier commands write the parameters and the data */
   for (struct rt_parts parts = rt_parts_of(&executor->worker, rt_decompress_count(job.cmd)); rt_parts_next(&parts);) {
      job.first = parts.index;
      parts.step = UTIL_MIN((uint64_t)AT_ONCE, parts.count - parts.index);
      rt_pool_run(executor->pool, &executor->worker, run_region, &job, (uint32_t)parts.step, 1, "the decompression of memory");
   }
}
