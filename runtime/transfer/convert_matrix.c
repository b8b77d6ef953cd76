/* SPDX-License-Identifier: MIT
 * Conversion of matrices, as a command: one after the other, the parts of each side by side. Spec: Shaders, "Cooperative Vectors". */
#include "runtime/matrix/convert.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "util/debug.h"

enum { PART = 1 << 16 }; /* elements, some hundred microseconds */

static void run_part(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct rt_matrix_conversion *it = data;
   const uint64_t begin = (uint64_t)index * PART, count = (uint64_t)it->rows * it->columns;
   rt_convert_elements(it, begin, UTIL_MIN(begin + PART, count));
}

static void convert(struct rt_executor *executor, const struct rt_matrix_conversion *it)
{
   const uint64_t num_parts = ((uint64_t)it->rows * it->columns + PART - 1) / PART;
   if (!it->src || !it->dst)
      return;
   if (!rt_can_convert(it) || num_parts > UINT32_MAX) {
      util_log("the conversion of a matrix of %u x %u elements: there is too little memory for it, or no such conversion", it->rows, it->columns);
      return;
   }
   rt_pool_run(executor->pool, &executor->worker, run_part, (void *)(uintptr_t)it, (uint32_t)num_parts, 1, "the conversion of a matrix");
}

void rt_execute_convert_matrices(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_convert_matrices *it = (const struct rt_cmd_convert_matrices *)cmd;
   rt_executor_sync_but_late(executor); /* earlier commands write the matrices */
   for (struct rt_parts parts = rt_parts_of(&executor->worker, it->count); rt_parts_next(&parts);)
      convert(executor, &it->conversions[parts.index]);
}
