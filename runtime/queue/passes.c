/* SPDX-License-Identifier: MIT
 * Render pass instances of a queue: several are alive, so that passes which no barrier orders overlap, and vertex work of the next ones runs while
 * tiles are rendered. One that has ended is held until the next command that matters: alone it runs in this thread as any small work does, else
 * it becomes tasks. Passes to the same target are ordered also where the application forgot to.
 * Spec: Synchronization and Cache Control, "Execution and Memory Dependencies". */
#include "runtime/cmd/query.h"
#include "runtime/device.h"
#include "runtime/queue/executor.h"

#include <string.h>

/* What passes may hold of memory, together: more wait. */
#define MAX_BYTES (UINT64_C(32) << 20)
/* Of a small pass: to have another thread run it costs as much. */
#define SMALL_PASS_NS 10000.0f

static void check(struct rt_executor *executor, VkResult result)
{
   if (UTIL_UNLIKELY(result != VK_SUCCESS))
      rt_device_lose(executor->device, "out of memory while rendering");
}

/* Few, so that their memory stays in caches; enough for all threads. */
static uint32_t max_alive(const struct rt_executor *executor)
{
   return UTIL_CLAMP(2 * rt_pool_num_threads(executor->pool) + 2, 4u, (uint32_t)RT_MAX_PASSES);
}

/* ---- ends ---- */

void rt_passes_publish_queries(struct rt_executor *executor)
{
   for (uint32_t i = 0; i < executor->num_closed_queries; i++) {
      const struct rt_pending_query *query = &executor->pending_queries[i];
      rt_query_pool_set_available(query->pool, query->first, query->count);
   }
   executor->num_pending_queries -= executor->num_closed_queries;
   memmove(executor->pending_queries, executor->pending_queries + executor->num_closed_queries,
           executor->num_pending_queries * sizeof(executor->pending_queries[0]));
   executor->num_closed_queries = 0;
}

static void retire_first(struct rt_executor *executor)
{
   struct rt_render *render = executor->passes[0].render;
   check(executor, rt_render_retire(render));
   executor->spare[executor->num_spare++] = render;
   executor->num_passes--;
   memmove(executor->passes, executor->passes + 1, executor->num_passes * sizeof(executor->passes[0]));
}

/* When the graph is idle. */
static void retire_all(struct rt_executor *executor)
{
   while (executor->num_passes)
      retire_first(executor);
   rt_passes_publish_queries(executor);
}

void rt_passes_wait(struct rt_executor *executor)
{
   rt_order_wait(executor);
   retire_all(executor);
}

static void retire_done(struct rt_executor *executor)
{
   while (executor->num_passes && rt_graph_is_done(executor->graph, executor->passes[0].tasks.fragments))
      retire_first(executor);
}

/* Until no more than `count` are alive. */
static void limit_alive(struct rt_executor *executor, uint32_t count)
{
   retire_done(executor);
   if (executor->num_passes > count)
      rt_graph_wait_for(executor->graph, executor->passes[executor->num_passes - count - 1].tasks.fragments, &executor->worker);
   retire_done(executor);
   while (executor->num_passes > count) { /* one after those is done, but one before it not */
      rt_graph_wait_for(executor->graph, executor->passes[0].tasks.fragments, &executor->worker);
      retire_done(executor);
   }
}

void rt_passes_finish(struct rt_executor *executor)
{
   retire_all(executor);
   rt_render_destroy(executor->held);
   rt_render_destroy(executor->render);
   for (uint32_t i = 0; i < executor->num_spare; i++)
      rt_render_destroy(executor->spare[i]);
}

/* ---- what becomes of one that is held ---- */

static bool put_off(struct rt_executor *executor, struct rt_render *render)
{
   struct rt_pass *pass = &executor->passes[executor->num_passes];
   uint64_t deps[RT_MAX_RENDER_DEPS] = {executor->orders[RT_STAGES_FRAGMENT].join};
   uint32_t num_deps = 1;
   *pass = (struct rt_pass){.render = render, .bytes = rt_render_bytes(render)};
   for (uint32_t i = 0; i < executor->num_passes; i++)
      if (rt_render_shares_target(render, executor->passes[i].render))
         deps[num_deps++] = executor->passes[i].tasks.fragments;
   if (!rt_render_put_off(render, deps, num_deps, &pass->tasks))
      return false;
   executor->num_passes++;
   rt_order_note(executor, RT_STAGES_GEOMETRY, pass->tasks.geometry);
   rt_order_note(executor, RT_STAGES_FRAGMENT, pass->tasks.fragments);
   return true;
}

static void run_now(struct rt_executor *executor, struct rt_render *render, bool is_timed)
{
   const uint64_t begin_ns = is_timed ? util_now_ns() : 0;
   check(executor, rt_render_end(render));
   if (is_timed)
      executor->small_pass_ns += ((float)(util_now_ns() - begin_ns) - executor->small_pass_ns) / 4;
   executor->spare[executor->num_spare++] = render;
}

/* True if it runs in this thread. */
static bool runs_now(const struct rt_executor *executor, const struct rt_render *render, bool has_barrier, bool is_awaited)
{
   if (!rt_graph_is_idle(executor->graph))
      return false;
   return is_awaited || (rt_render_is_small(render) && (has_barrier || executor->small_pass_ns < SMALL_PASS_NS));
}

void rt_passes_release(struct rt_executor *executor, bool is_awaited)
{
   struct rt_render *render = executor->held;
   if (!render)
      return;
   const uint32_t src = executor->held_src, dst = executor->held_dst;
   executor->held = NULL;
   executor->held_src = executor->held_dst = 0;
   if (runs_now(executor, render, src != 0, is_awaited) || !put_off(executor, render))
      run_now(executor, render, !is_awaited && rt_render_is_small(render));
   if (src && !is_awaited && (rt_graph_is_idle(executor->graph) || !rt_order_join(executor, src, dst)))
      rt_passes_wait(executor);
}

/* ---- begin and end ---- */

bool rt_passes_begin(struct rt_executor *executor, const struct rt_cmd_begin_rendering *begin)
{
   rt_passes_release(executor, false);
   if (begin->is_resuming)
      rt_passes_wait(executor);
   uint64_t bytes = 0;
   for (uint32_t i = 0; i < executor->num_passes; i++)
      bytes += executor->passes[i].bytes;
   if (bytes > MAX_BYTES)
      limit_alive(executor, 0);
   else if (executor->num_passes >= max_alive(executor))
      limit_alive(executor, executor->num_passes / 2);
   else
      retire_done(executor);
   if (!executor->render && !executor->num_spare) {
      executor->render = rt_render_create(executor->pool, &executor->worker, executor->graph);
      if (!executor->render)
         limit_alive(executor, 0);
   }
   if (!executor->render && executor->num_spare)
      executor->render = executor->spare[--executor->num_spare];
   if (executor->render)
      rt_render_begin(executor->render, begin, executor->orders[RT_STAGES_GEOMETRY].join, executor->num_passes >= rt_pool_num_threads(executor->pool));
   return executor->render != NULL;
}

void rt_passes_end(struct rt_executor *executor)
{
   struct rt_render *render = executor->render;
   const bool is_followed = rt_pool_findings(executor->pool) || executor->watch || executor->follows_writes;
   if (rt_pool_num_threads(executor->pool) > 1 && !is_followed && rt_render_can_wait(render)) {
      executor->held = render;
      executor->render = NULL;
      return;
   }
   check(executor, rt_render_end(render));
   if (!rt_passes_are_alive(executor))
      rt_passes_publish_queries(executor);
}

void rt_passes_flush(struct rt_executor *executor)
{
   check(executor, rt_render_flush(executor->render));
   executor->num_closed_queries = executor->num_pending_queries;
   if (!rt_passes_are_alive(executor))
      rt_passes_publish_queries(executor);
}
