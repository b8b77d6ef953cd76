/* SPDX-License-Identifier: MIT
 * Conversion of matrices, as a command: one beside the other. Spec: Shaders, "Cooperative Vectors". */
#include "runtime/matrix/convert.h"
#include "runtime/queue/executor.h"
#include "util/debug.h"

static void run_conversion(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct rt_cmd_convert_matrices *it = data;
   const struct rt_matrix_conversion *conversion = &it->conversions[index];
   if (conversion->src && conversion->dst && !rt_convert_matrix(conversion))
      util_log("the conversion of a matrix of %u x %u elements: there is too little memory for it, or no such conversion", conversion->rows,
               conversion->columns);
}

void rt_execute_convert_matrices(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_convert_matrices *it = (const struct rt_cmd_convert_matrices *)cmd;
   rt_executor_sync(executor); /* earlier commands write the matrices */
   rt_pool_run(executor->pool, &executor->worker, run_conversion, (void *)(uintptr_t)it, it->count, 1, "the conversion of matrices");
}
