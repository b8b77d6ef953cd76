/* SPDX-License-Identifier: MIT
 * vkCmdDispatchGraph*AMDX: the first records are copies of what the command names; then wave after wave. What is enqueued is a level deeper than
 * what enqueued it. Spec: Execution Graphs, "Dispatching a Graph". */
#include "runtime/nodes/nodes.h"

#include "runtime/cmd/query.h"
#include "runtime/device.h"
#include "runtime/parts.h"
#include "runtime/queue/executor.h"
#include "util/alloc.h"
#include "util/size.h"

#include <stdio.h>
#include <string.h>

/* Payloads in memory become one record. False: the device is lost. */
static bool add_payloads(struct rt_node_run *run, const struct rt_node_dispatch *dispatch, struct rt_node_list *records)
{
   const struct rt_node_pipeline *pipeline = run->pipeline;
   const struct rt_node *node = dispatch->node < pipeline->num_nodes ? &pipeline->nodes[dispatch->node] : NULL;
   if (!node || node->shader.info->node.is_no_entry || !dispatch->count)
      return true;
   const struct abi_node_info *info = &node->shader.info->node;
   const uint32_t stride = info->payload_bytes ? (info->payload_bytes + 15) & ~15u : 0;
   struct rt_node_record *record = rt_node_record_create(run, &run->arenas[run->num_arenas - 1], dispatch->count, stride);
   if (!record)
      return false;
   record->node = dispatch->node;
   record->remaining_recursion = info->max_recursion;
   record->payload_bytes = info->payload_bytes;
   uint8_t *payloads = rt_node_payloads(record);
   for (uint32_t i = 0; payloads && i < dispatch->count; i++)
      memcpy(payloads + (size_t)i * stride, (const void *)(uintptr_t)(dispatch->payloads + i * dispatch->stride_bytes), info->payload_bytes);
   rt_node_list_add(records, record);
   return true;
}

static bool add_dispatches(struct rt_node_run *run, struct rt_worker *worker, const struct rt_cmd_dispatch_nodes *cmd, struct rt_node_list *records)
{
   struct rt_node_infos infos = cmd->infos;
   if (cmd->indirect)
      memcpy(&infos, cmd->indirect, sizeof(infos));
   for (struct rt_parts parts = rt_parts_of(worker, infos.count); rt_parts_next(&parts);) {
      struct rt_node_dispatch dispatch;
      memcpy(&dispatch, (const void *)(uintptr_t)(infos.dispatches + parts.index * infos.stride_bytes), sizeof(dispatch));
      if (!add_payloads(run, &dispatch, records)) {
         rt_parts_end(&parts);
         return false;
      }
      rt_worker_progress(worker);
   }
   return true;
}

struct walk {
   struct rt_node_run run;
   const struct rt_cmd_dispatch_nodes *cmd;
};

/* As an item of the queue's thread, so that the watchdog sees it. */
static void run_waves(void *data, uint32_t index, struct rt_worker *worker)
{
   struct walk *walk = data;
   struct rt_node_list records = {0};
   if (!add_dispatches(&walk->run, worker, walk->cmd, &records))
      return;
   walk->run.read_bytes = atomic_load_explicit(&walk->run.used_bytes, memory_order_relaxed);
   walk->run.made = 1;
   for (uint32_t depth = 0; records.first; depth++) {
      if (depth == ABI_MAX_NODE_DEPTH) {
         char reason[96];
         snprintf(reason, sizeof(reason), "an execution graph is deeper than %u nodes", (unsigned)ABI_MAX_NODE_DEPTH);
         rt_pool_fail(walk->run.pool, reason);
         return;
      }
      if (!rt_node_wave(&walk->run, worker, &records))
         return;
   }
}

void rt_execute_dispatch_nodes(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct walk walk = {.cmd = (const struct rt_cmd_dispatch_nodes *)cmd};
   struct rt_node_run *run = &walk.run;
   if (!executor->nodes)
      return;
   rt_executor_sync_but_late(executor); /* the graph takes the queue's resources as they are, and reads what earlier commands write */
   run->pool = executor->pool;
   run->pipeline = executor->nodes;
   run->resources = &executor->resources[RT_BIND_NODES];
   run->order = rt_executor_next_order(executor);
   run->num_arenas = rt_pool_num_threads(executor->pool) + 1;
   run->arenas = util_calloc(2, util_size_mul(run->num_arenas, sizeof(*run->arenas)));
   if (!run->arenas) {
      rt_device_lose(executor->device, "out of memory for an execution graph");
      return;
   }
   for (uint32_t i = 0; i < 2 * run->num_arenas; i++)
      util_arena_init(&run->arenas[i], 0);
   rt_pool_run_inline(&executor->worker, run_waves, &walk, 1, "an execution graph");
   for (uint32_t i = 0; i < 2 * run->num_arenas; i++)
      util_arena_finish(&run->arenas[i]);
   util_mfree(run->arenas);
   rt_query_count(executor->draw.statistics, VK_QUERY_PIPELINE_STATISTIC_COMPUTE_SHADER_INVOCATIONS_BIT, run->num_invocations);
}
