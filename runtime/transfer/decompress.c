/* SPDX-License-Identifier: MIT
 * Decompression of memory: regions side by side. Spec: Memory Decompression. */
#include "runtime/queue/executor.h"
#include "runtime/transfer/gdeflate.h"
#include "util/debug.h"

static void run_region(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct rt_cmd_decompress *it = data;
   const struct rt_decompression region = rt_decompress_region(it, index);
   const uint64_t size = UTIL_MIN(region.dst_bytes, (uint64_t)RT_MAX_DECOMPRESSED_BYTES);
   if (!region.src || !region.dst || !size)
      return;
   const size_t done = rt_gdeflate_decompress((void *)(uintptr_t)region.dst, size, (const void *)(uintptr_t)region.src, region.src_bytes);
   if (done < region.dst_bytes)
      util_log("decompression of region %u: malformed data after %zu of %llu bytes", index, done, (unsigned long long)region.dst_bytes);
}

void rt_execute_decompress(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_decompress *it = (const struct rt_cmd_decompress *)cmd;
   rt_executor_sync(executor); /* earlier commands write the parameters and the data */
   rt_pool_run(executor->pool, &executor->worker, run_region, (void *)(uintptr_t)it, rt_decompress_count(it), 1, "the decompression of memory");
}
