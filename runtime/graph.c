/* SPDX-License-Identifier: MIT
 * The task graph: tasks by number in a ring, edges to those that wait for them.
 * Numbers only grow; a number below the ring's window, or whose slot is empty, names a completed task. */
#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/size.h"

#define FIRST_RING 64
#define ALL_TASKS UINT64_MAX

struct block {
   struct block *next;
};

struct rt_graph {
   struct rt_pool *pool;
   pthread_cond_t changed;     /* the last task completed, or there is work for the waiting thread */
   _Atomic uint32_t num_tasks; /* not completed; written under the pool's lock, release */

   /* Under the pool's lock: */
   bool is_waiting;
   uint64_t awaited;           /* by the waiting thread: a task's number; ALL_TASKS: all */
   struct rt_task **ring; /* [ring_size], a power of two; NULL: completed */
   uint32_t ring_size;
   uint64_t first_number, next_number; /* the window: first_number is the oldest that may be incomplete */
   struct rt_task *free_tasks;         /* see give_task() */
   struct rt_edge *free_edges;
   struct block *blocks; /* memory of tasks and edges */
};

struct rt_graph *rt_graph_create(struct rt_pool *pool)
{
   struct rt_graph *graph = util_calloc(1, sizeof(*graph));
   if (!graph)
      return NULL;
   graph->pool = pool;
   graph->first_number = graph->next_number = 1;
   graph->ring_size = FIRST_RING;
   atomic_init(&graph->num_tasks, 0);
   graph->ring = util_calloc(graph->ring_size, sizeof(*graph->ring));
   if (!graph->ring)
      goto free_graph;
   if (!util_cond_init(&graph->changed))
      goto free_ring;
   return graph;

free_ring:
   util_mfree(graph->ring);
free_graph:
   util_mfree(graph);
   return NULL;
}

void rt_graph_destroy(struct rt_graph *graph)
{
   if (!graph)
      return;
   if (!rt_graph_is_idle(graph)) {
      struct rt_worker worker;
      rt_worker_init(&worker, graph->pool);
      rt_graph_wait(graph, &worker);
      rt_worker_finish(&worker);
   }
   /* The thread that completed the last task may still hold the lock. */
   pthread_mutex_lock(&graph->pool->lock);
   pthread_mutex_unlock(&graph->pool->lock);
   pthread_cond_destroy(&graph->changed);
   while (graph->blocks) {
      struct block *next = graph->blocks->next;
      util_mfree(graph->blocks);
      graph->blocks = next;
   }
   util_mfree(graph->ring);
   util_mfree(graph);
}

bool rt_graph_is_idle(const struct rt_graph *graph)
{
   return atomic_load_explicit(&graph->num_tasks, memory_order_acquire) == 0;
}

/* ---- memory, under the pool's lock ---- */

static void *add_block(struct rt_graph *graph, size_t size)
{
   struct block *block = util_calloc(1, util_size_add(sizeof(struct block), size));
   if (!block)
      return NULL;
   block->next = graph->blocks;
   graph->blocks = block;
   return block + 1;
}

/* Free tasks are linked through link.next, which nothing else uses then. */
static void give_task(struct rt_graph *graph, struct rt_task *task)
{
   task->link.next = (struct util_list *)graph->free_tasks;
   graph->free_tasks = task;
}

static struct rt_task *take_task(struct rt_graph *graph)
{
   enum { NUM = 16 };
   if (!graph->free_tasks) {
      struct rt_task *tasks = add_block(graph, NUM * sizeof(*tasks));
      for (uint32_t i = 0; tasks && i < NUM; i++)
         give_task(graph, &tasks[i]);
      if (!tasks)
         return NULL;
   }
   struct rt_task *task = graph->free_tasks;
   graph->free_tasks = (struct rt_task *)task->link.next;
   return task;
}

static void give_edge(struct rt_graph *graph, struct rt_edge *edge)
{
   edge->next = graph->free_edges;
   graph->free_edges = edge;
}

static bool add_edge(struct rt_graph *graph, struct rt_task *from, struct rt_task *to)
{
   enum { NUM = 64 };
   if (!graph->free_edges) {
      struct rt_edge *edges = add_block(graph, NUM * sizeof(*edges));
      for (uint32_t i = 0; edges && i < NUM; i++)
         give_edge(graph, &edges[i]);
      if (!edges)
         return false;
   }
   struct rt_edge *edge = graph->free_edges;
   graph->free_edges = edge->next;
   *edge = (struct rt_edge){from->successors, to};
   from->successors = edge;
   to->num_deps++;
   return true;
}

static struct rt_task **slot_of(struct rt_graph *graph, uint64_t number)
{
   return &graph->ring[number & (graph->ring_size - 1)];
}

static bool reserve_slot(struct rt_graph *graph)
{
   while (graph->first_number < graph->next_number && !*slot_of(graph, graph->first_number))
      graph->first_number++;
   if (graph->next_number - graph->first_number < graph->ring_size)
      return true;

   const uint32_t size = graph->ring_size * 2;
   struct rt_task **ring = size > graph->ring_size ? util_calloc(size, sizeof(*ring)) : NULL;
   if (!ring)
      return false;
   for (uint64_t number = graph->first_number; number < graph->next_number; number++)
      ring[number & (size - 1)] = *slot_of(graph, number);
   util_mfree(graph->ring);
   graph->ring = ring;
   graph->ring_size = size;
   return true;
}

/* ---- tasks ---- */

static bool is_done(struct rt_graph *graph, uint64_t number)
{
   if (number == ALL_TASKS)
      return rt_graph_is_idle(graph);
   return number < graph->first_number || number >= graph->next_number || !*slot_of(graph, number);
}

bool rt_graph_is_done(struct rt_graph *graph, uint64_t number)
{
   if (!number || rt_graph_is_idle(graph))
      return true;
   pthread_mutex_lock(&graph->pool->lock);
   const bool result = is_done(graph, number);
   pthread_mutex_unlock(&graph->pool->lock);
   return result;
}

/* True if it has items to run. */
static bool begin_task(struct rt_task *task)
{
   if (task->count_at)
      task->count = *task->count_at;
   if (task->count)
      rt_pool_make_ready(task->graph->pool, task);
   return task->count != 0;
}

/* Completes a task and all without items that it makes ready; other successors go to the pool's list. */
static void complete(struct rt_task *first)
{
   struct rt_graph *graph = first->graph;
   struct rt_pool *pool = graph->pool;
   struct util_list done; /* completed, successors not yet notified */
   uint64_t num_new = 0; /* items */

   util_list_init(&done);
   util_list_add_before(&first->link, &done);
   while (!util_list_is_empty(&done)) {
      struct rt_task *task = UTIL_LIST_ENTRY(done.next, struct rt_task, link);
      util_list_remove(&task->link);
      while (task->successors) {
         struct rt_edge *edge = task->successors;
         struct rt_task *next = edge->to;
         task->successors = edge->next;
         give_edge(graph, edge);
         if (--next->num_deps)
            continue;
         if (begin_task(next))
            num_new += next->count;
         else
            util_list_add_before(&next->link, &done);
      }
      *slot_of(graph, task->number) = NULL;
      give_task(graph, task);
      atomic_fetch_sub_explicit(&graph->num_tasks, 1, memory_order_release);
   }

   /* The thread that completed it looks for work next; others are notified if there is more. */
   const uint32_t num_wakes = num_new > 1 ? rt_pool_plan_wakes(pool, 1) : 0;
   rt_pool_wake(pool, num_wakes);
   if (graph->is_waiting && (num_new > 1 || is_done(graph, graph->awaited)))
      pthread_cond_signal(&graph->changed);
}

static bool add_edges(struct rt_graph *graph, struct rt_task *task, const uint64_t *deps, uint32_t num_deps)
{
   for (uint32_t i = 0; i < num_deps; i++) {
      if (deps[i] < graph->first_number || deps[i] >= graph->next_number)
         continue;
      struct rt_task *dep = *slot_of(graph, deps[i]);
      if (dep && !add_edge(graph, dep, task))
         return false;
   }
   return true;
}

/* Takes back the edges to a task that could not be added. */
static void remove_edges(struct rt_graph *graph, struct rt_task *task, const uint64_t *deps, uint32_t num_deps)
{
   for (uint32_t i = 0; i < num_deps; i++) {
      if (deps[i] < graph->first_number || deps[i] >= graph->next_number)
         continue;
      struct rt_task *dep = *slot_of(graph, deps[i]);
      if (dep && dep->successors && dep->successors->to == task) {
         struct rt_edge *edge = dep->successors;
         dep->successors = edge->next;
         give_edge(graph, edge);
      }
   }
}

static uint64_t add(struct rt_graph *graph, const struct rt_task *wanted, const uint64_t *deps, uint32_t num_deps)
{
   struct rt_pool *pool = graph->pool;
   uint64_t number = 0;
   uint32_t num_wakes = 0;

   rt_pool_lock(pool);
   struct rt_task *task = reserve_slot(graph) ? take_task(graph) : NULL;
   if (task) {
      *task = *wanted;
      task->graph = graph;
      task->on_done = complete;
      task->number = graph->next_number;
      util_list_init(&task->link);
      if (add_edges(graph, task, deps, num_deps)) {
         number = graph->next_number++;
         *slot_of(graph, number) = task;
         atomic_fetch_add_explicit(&graph->num_tasks, 1, memory_order_relaxed);
         if (!task->num_deps && begin_task(task))
            num_wakes = rt_pool_plan_wakes(pool, 0);
         else if (!task->num_deps)
            complete(task);
      } else {
         remove_edges(graph, task, deps, num_deps);
         give_task(graph, task);
      }
   }
   pthread_mutex_unlock(&pool->lock);
   rt_pool_wake(pool, num_wakes);
   return number;
}

uint64_t rt_graph_add(struct rt_graph *graph, rt_item_fn *run, void *data, uint32_t count, uint32_t grain,
                      const uint64_t *deps, uint32_t num_deps, const char *describe)
{
   const struct rt_task task = {.run = run, .data = data, .count = count, .grain = grain, .describe = describe};
   return add(graph, &task, deps, num_deps);
}

uint64_t rt_graph_add_counted(struct rt_graph *graph, rt_item_fn *run, void *data, const uint32_t *count, uint32_t grain,
                              const uint64_t *deps, uint32_t num_deps, const char *describe)
{
   const struct rt_task task = {.run = run, .data = data, .count_at = count, .grain = grain, .describe = describe};
   return add(graph, &task, deps, num_deps);
}

/* Of the graph's tasks, and of those that divide an item, whosoever it is: what is waited for may wait for it. */
static struct rt_task *first_to_help(struct rt_graph *graph)
{
   UTIL_LIST_FOR_EACH (struct rt_task, task, &graph->pool->ready, link) {
      const bool is_part = !task->graph && !task->is_host_work;
      if ((task->graph == graph || is_part) && rt_task_has_items(task))
         return task;
   }
   return NULL;
}

static void wait_for(struct rt_graph *graph, uint64_t number, struct rt_worker *worker)
{
   struct rt_pool *pool = graph->pool;
   rt_scale_share(pool, true);
   rt_pool_lock(pool);
   while (!is_done(graph, number)) {
      struct rt_task *task = first_to_help(graph);
      if (task) {
         rt_pool_work_on(pool, task, worker);
         continue;
      }
      if (rt_pool_look(pool))
         continue;
      graph->awaited = number;
      graph->is_waiting = true;
      struct rt_waiter waiter = {.changed = &graph->changed};
      util_list_add_before(&waiter.link, &pool->waiters);
      pthread_cond_wait(&graph->changed, &pool->lock);
      util_list_remove(&waiter.link);
      graph->is_waiting = false;
   }
   /* This thread no longer looks for work: others are notified of what it has made ready. */
   const uint32_t num_wakes = rt_graph_is_idle(graph) ? 0 : rt_pool_plan_wakes(pool, 0);
   pthread_mutex_unlock(&pool->lock);
   rt_pool_wake(pool, num_wakes);
   rt_scale_share(pool, false);
}

void rt_graph_wait_for(struct rt_graph *graph, uint64_t number, struct rt_worker *worker)
{
   if (!rt_graph_is_done(graph, number))
      wait_for(graph, number, worker);
}

void rt_graph_wait(struct rt_graph *graph, struct rt_worker *worker)
{
   if (!rt_graph_is_idle(graph))
      wait_for(graph, ALL_TASKS, worker);
}
