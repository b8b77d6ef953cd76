/* SPDX-License-Identifier: MIT
 * A wave: records become launches, whose workgroups are counted through, so that items are runs of them. A node that coalesces takes all of its
 * payloads of the wave one behind the other. */
#include "runtime/nodes/nodes.h"

#include "runtime/grid.h"
#include "runtime/instrument/races.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/size.h"
#include "util/thread.h"

#include <stdio.h>
#include <string.h>

enum { MAX_CALL_SIZE = 1 << 20 };

/* All payloads of one node that coalesces, and that may enqueue itself as often. */
struct gathered {
   struct gathered *next; /* of the node */
   uint32_t node, remaining_recursion;
   uint64_t count;
   uint8_t *payloads; /* NULL: they have no bytes */
   uint64_t num_filled;
};

struct wave {
   struct rt_node_run *run;
   struct rt_node_launch *launches;
   uint64_t num_launches, max_launches;
   struct gathered **gathered; /* [num_nodes] */
   struct util_arena arena;    /* of those */
   uint64_t num_workgroups, per_item;
   struct rt_node_list *made; /* [items] */
   uint64_t number;           /* of its pace; 0: it has none */
   double share;              /* of a worker's part of the wave, a workgroup */
   uint64_t bytes;            /* of the run's memory */
};

/* ---- launches ---- */

static bool coalesces(const struct rt_node *node)
{
   return node->shader.info->node.grid_class == ABI_NODE_COALESCING;
}

/* Numbers that the payload does not have are 0. */
static void find_grid(const struct abi_node_info *info, const uint8_t *payload, uint32_t payload_bytes, uint32_t grid[3])
{
   for (uint32_t i = 0; i < 3; i++) {
      const uint64_t at = (uint64_t)info->grid_offset + i * info->grid_component_bytes;
      grid[i] = info->grid_class == ABI_NODE_STATIC ? info->grid[i] : 1;
      if (info->grid_class != ABI_NODE_DYNAMIC || i >= info->grid_components)
         continue;
      grid[i] = 0;
      if (payload && at + info->grid_component_bytes <= payload_bytes)
         memcpy(&grid[i], payload + at, info->grid_component_bytes);
      if (info->grid[i])
         grid[i] = UTIL_MIN(grid[i], info->grid[i]);
   }
}

/* False: more than anybody can mean; the device is lost. */
static bool add_launch(struct wave *wave, const struct rt_node *node, const struct abi_node *abi, uint32_t root)
{
   struct rt_node_launch *launch = &wave->launches[wave->num_launches];
   const uint32_t *size = node->shader.info->local_size;
   *launch = (struct rt_node_launch){.node = node, .abi = *abi, .first = wave->num_workgroups, .root = root};
   find_grid(&node->shader.info->node, abi->payloads, abi->payload_bytes, launch->grid);
   if (!rt_grid_count(launch->grid, &launch->count) || wave->num_workgroups + launch->count > RT_GRID_MAX_WORKGROUPS) {
      char reason[160];
      snprintf(reason, sizeof(reason), "an execution graph dispatches %u x %u x %u workgroups of %.80s", launch->grid[0], launch->grid[1], launch->grid[2],
               node->shader.name ? node->shader.name : "a node");
      rt_pool_fail(wave->run->pool, reason);
      return false;
   }
   wave->num_workgroups += launch->count;
   wave->num_launches++;
   wave->run->num_invocations += launch->count * size[0] * size[1] * size[2];
   atomic_store_explicit(&wave->launches[root].unfinished,
                         atomic_load_explicit(&wave->launches[root].unfinished, memory_order_relaxed) + launch->count, memory_order_relaxed);
   return true;
}

/* The node itself is the first, then those that share its input. */
static const struct rt_node *target_of(const struct rt_node_pipeline *pipeline, uint32_t node, uint32_t index)
{
   return &pipeline->nodes[index ? pipeline->sharers[pipeline->nodes[node].first_sharer + index - 1] : node];
}

static uint32_t recursion_of(const struct rt_node_record *record, const struct rt_node *target, bool is_sharer)
{
   return is_sharer ? target->shader.info->node.max_recursion : record->remaining_recursion;
}

/* NULL: memory is out. */
static struct gathered *find_gathered(struct wave *wave, uint32_t node, uint32_t remaining_recursion)
{
   struct gathered *gathered = wave->gathered[node];
   while (gathered && gathered->remaining_recursion != remaining_recursion)
      gathered = gathered->next;
   if (gathered)
      return gathered;
   gathered = UTIL_ARENA_NEW(&wave->arena, struct gathered);
   if (!gathered) {
      rt_pool_fail(wave->run->pool, "out of memory for nodes of an execution graph");
      return NULL;
   }
   *gathered = (struct gathered){.next = wave->gathered[node], .node = node, .remaining_recursion = remaining_recursion};
   return wave->gathered[node] = gathered;
}

static void gather(struct gathered *gathered, const struct abi_node_info *info, struct rt_node_record *record)
{
   const uint8_t *from = rt_node_payloads(record);
   const uint32_t bytes = UTIL_MIN(info->payload_bytes, record->payload_bytes);
   for (uint32_t i = 0; i < record->count; i++, gathered->num_filled++) {
      if (gathered->payloads && from)
         memcpy(gathered->payloads + gathered->num_filled * info->stride_bytes, from + (uint64_t)i * record->stride_bytes, bytes);
   }
}

static bool launch_record(struct wave *wave, struct rt_node_record *record)
{
   const struct rt_node_pipeline *pipeline = wave->run->pipeline;
   uint8_t *payloads = rt_node_payloads(record);
   const uint32_t num_targets = 1 + pipeline->nodes[record->node].num_sharers;
   for (uint32_t t = 0; t < num_targets; t++) {
      const struct rt_node *target = target_of(pipeline, record->node, t);
      struct gathered *gathered = coalesces(target) ? find_gathered(wave, (uint32_t)(target - pipeline->nodes), recursion_of(record, target, t)) : NULL;
      if (gathered)
         gather(gathered, &target->shader.info->node, record);
   }
   for (uint32_t i = 0; i < record->count && !rt_pool_is_cancelled(wave->run->pool); i++) {
      const uint32_t root = (uint32_t)wave->num_launches;
      for (uint32_t t = 0; t < num_targets; t++) {
         const struct rt_node *target = target_of(pipeline, record->node, t);
         const struct abi_node abi = {
            .payloads = payloads ? payloads + (uint64_t)i * record->stride_bytes : NULL,
            .payload_bytes = payloads ? record->payload_bytes : 0,
            .num_payloads = 1,
            .index = target->index,
            .remaining_recursion = recursion_of(record, target, t),
         };
         if (!coalesces(target) && !add_launch(wave, target, &abi, root))
            return false;
      }
   }
   return true;
}

/* Workgroups that take several payloads. */
static bool launch_gathered(struct wave *wave, const struct gathered *gathered)
{
   const struct rt_node *target = &wave->run->pipeline->nodes[gathered->node];
   const struct abi_node_info *info = &target->shader.info->node;
   for (uint64_t first = 0; first < gathered->count; first += info->max_payloads) {
      const uint32_t count = (uint32_t)UTIL_MIN(gathered->count - first, (uint64_t)info->max_payloads);
      const struct abi_node abi = {
         .payloads = gathered->payloads ? gathered->payloads + first * info->stride_bytes : NULL,
         .payload_bytes = gathered->payloads ? count * info->stride_bytes : 0,
         .num_payloads = count,
         .index = target->index,
         .remaining_recursion = gathered->remaining_recursion,
      };
      if (!add_launch(wave, target, &abi, (uint32_t)wave->num_launches))
         return false;
   }
   return true;
}

/* ---- memory ---- */

static void *wave_alloc(struct wave *wave, uint64_t count, size_t size)
{
   const size_t bytes = util_size_mul((size_t)count, size);
   if (!rt_node_reserve(wave->run, bytes))
      return NULL;
   wave->bytes += bytes;
   void *memory = util_calloc(1, UTIL_MAX(bytes, (size_t)1));
   if (!memory)
      rt_pool_fail(wave->run->pool, "out of memory for dispatches of an execution graph");
   return memory;
}

static bool count_record(struct wave *wave, const struct rt_node_record *record)
{
   const struct rt_node_pipeline *pipeline = wave->run->pipeline;
   const uint32_t num_targets = 1 + pipeline->nodes[record->node].num_sharers;
   for (uint32_t t = 0; t < num_targets; t++) {
      const struct rt_node *target = target_of(pipeline, record->node, t);
      struct gathered *gathered = NULL;
      if (!coalesces(target))
         wave->max_launches += record->count;
      else if (!(gathered = find_gathered(wave, (uint32_t)(target - pipeline->nodes), recursion_of(record, target, t))))
         return false;
      if (gathered)
         gathered->count += record->count;
   }
   return true;
}

static bool reserve_gathered(struct wave *wave, struct gathered *gathered)
{
   const struct abi_node_info *info = &wave->run->pipeline->nodes[gathered->node].shader.info->node;
   wave->max_launches += UTIL_DIV_ROUND_UP(gathered->count, (uint64_t)info->max_payloads);
   if (info->payload_bytes)
      gathered->payloads = wave_alloc(wave, gathered->count, info->stride_bytes);
   return gathered->payloads || !info->payload_bytes;
}

/* ---- items ---- */

static void run_row(struct wave *wave, struct rt_node_worker *state, struct rt_worker *worker, const struct abi_compute_args *args, const uint32_t at[3],
                    uint32_t count, uint32_t *call_size)
{
   const struct rt_shader *shader = &state->launch->node->shader;
   const struct abi_shader_info *info = shader->info;
   for (uint32_t x = at[0]; count && !rt_pool_is_cancelled(worker->pool);) {
      const uint32_t size = *call_size, num = info->node.calls ? 1 : UTIL_MIN(count, size);
      const bool is_timed = num == size && size < MAX_CALL_SIZE;
      const uint64_t begin_ns = is_timed ? util_now_ns() : 0;
      if (!rt_races_begin(args, worker))
         return;
      shader->run.compute(args, &worker->abi, x, at[1], at[2], num);
      rt_races_end(worker);
      if (is_timed && util_now_ns() - begin_ns < RT_GRID_CALL_NS / 4)
         *call_size = size * 4;
      if (info->node.calls)
         rt_node_workgroup_end(state);
      rt_worker_progress(worker);
      if (wave->number)
         rt_worker_advance(worker, wave->number, wave->share * num);
      x += num;
      count -= num;
   }
}

/* Workgroups [first, end) of the launch. */
static void run_part(struct wave *wave, struct rt_node_worker *state, struct rt_worker *worker, uint64_t first, uint64_t end)
{
   const struct rt_node_launch *launch = state->launch;
   const uint32_t *grid = launch->grid;
   const struct abi_shader_info *info = launch->node->shader.info;
   const struct abi_compute_args args = {
      .resources = wave->run->resources, .num_workgroups = {grid[0], grid[1], grid[2]}, .node = &launch->abi};
   uint32_t call_size = 1;
   if (!rt_worker_reserve(worker, info->shared_bytes, info->frame_bytes)) {
      rt_pool_fail(worker->pool, "out of memory for a workgroup");
      return;
   }
   rt_worker_describe(worker, launch->node->shader.name);
   while (first < end && !rt_pool_is_cancelled(worker->pool)) {
      uint32_t at[3], count;
      rt_grid_take_row(grid, &first, end, at, &count);
      run_row(wave, state, worker, &args, at, count, &call_size);
   }
}

/* The last launch that begins there or before. */
static struct rt_node_launch *find_launch(const struct wave *wave, uint64_t workgroup)
{
   uint64_t first = 0, end = wave->num_launches;
   while (end - first > 1) {
      const uint64_t middle = first + (end - first) / 2;
      if (wave->launches[middle].first <= workgroup)
         first = middle;
      else
         end = middle;
   }
   return &wave->launches[first];
}

static void run_item(void *data, uint32_t index, struct rt_worker *worker)
{
   struct wave *wave = data;
   struct rt_node_run *run = wave->run;
   struct rt_node_worker state;
   state.run = run;
   state.arena = &run->arenas[run->made * run->num_arenas + UTIL_MIN(worker->index, run->num_arenas - 1)];
   state.made = state.unsorted = (struct rt_node_list){0};
   state.events = NULL;
   state.num_events = state.max_events = state.num_vectors = 0;
   worker->abi.launch = &state;
   worker->order = run->order;
   uint64_t first = index * wave->per_item;
   const uint64_t end = UTIL_MIN(first + wave->per_item, wave->num_workgroups);
   struct rt_node_launch *launch = find_launch(wave, first);
   while (first < end && !rt_pool_is_cancelled(worker->pool)) {
      const uint64_t part_end = UTIL_MIN(launch->first + launch->count, end);
      if (first < part_end) {
         state.launch = launch;
         state.root = &wave->launches[launch->root];
         run_part(wave, &state, worker, first - launch->first, part_end - launch->first);
         first = part_end;
      }
      launch++;
   }
   wave->made[index] = state.made;
   worker->abi.launch = NULL;
}

/* ---- the wave ---- */

static bool make_launches(struct wave *wave, struct rt_node_list *records)
{
   const uint32_t num_nodes = wave->run->pipeline->num_nodes;
   wave->gathered = wave_alloc(wave, num_nodes, sizeof(struct gathered *));
   if (!wave->gathered)
      return false;
   for (const struct rt_node_record *record = records->first; record; record = record->next) {
      if (!count_record(wave, record))
         return false;
   }
   for (uint32_t i = 0; i < num_nodes; i++) {
      for (struct gathered *gathered = wave->gathered[i]; gathered; gathered = gathered->next) {
         if (!reserve_gathered(wave, gathered))
            return false;
      }
   }
   wave->launches = wave_alloc(wave, wave->max_launches, sizeof(*wave->launches));
   if (!wave->launches)
      return false;
   for (struct rt_node_record *record = records->first; record; record = record->next) {
      if (!launch_record(wave, record))
         return false;
   }
   for (uint32_t i = 0; i < num_nodes; i++) {
      for (const struct gathered *gathered = wave->gathered[i]; gathered; gathered = gathered->next) {
         if (!launch_gathered(wave, gathered))
            return false;
      }
   }
   return true;
}

static bool run_launches(struct wave *wave, struct rt_worker *worker, struct rt_node_list *made)
{
   struct rt_node_run *run = wave->run;
   const uint32_t num_threads = rt_pool_num_threads(run->pool);
   wave->per_item = UTIL_DIV_ROUND_UP(wave->num_workgroups, UTIL_MIN((uint64_t)num_threads * RT_GRID_ITEMS_PER_THREAD, wave->num_workgroups));
   const uint32_t num_items = (uint32_t)UTIL_DIV_ROUND_UP(wave->num_workgroups, wave->per_item);
   wave->made = wave_alloc(wave, num_items, sizeof(*wave->made));
   if (!wave->made)
      return false;
   if (wave->num_workgroups > RT_GRID_MAX_UNPACED) {
      wave->number = rt_worker_new_pace(worker);
      wave->share = (double)num_threads / (double)wave->num_workgroups;
   }
   rt_pool_run(run->pool, worker, run_item, wave, num_items, 1, "an execution graph");
   for (uint32_t i = 0; i < num_items; i++)
      rt_node_list_join(made, &wave->made[i]);
   return true;
}

static void wave_finish(struct wave *wave)
{
   for (uint32_t i = 0; wave->gathered && i < wave->run->pipeline->num_nodes; i++) {
      for (const struct gathered *gathered = wave->gathered[i]; gathered; gathered = gathered->next)
         util_mfree(gathered->payloads);
   }
   util_mfree(wave->gathered);
   util_mfree(wave->launches);
   util_mfree(wave->made);
   util_arena_finish(&wave->arena);
   atomic_fetch_sub_explicit(&wave->run->used_bytes, wave->bytes, memory_order_relaxed);
}

/* Records of the wave before are gone then: those that this one has made are read by the next. */
static void swap_arenas(struct rt_node_run *run)
{
   const uint64_t used = atomic_load_explicit(&run->used_bytes, memory_order_relaxed);
   run->made ^= 1;
   for (uint32_t i = 0; i < run->num_arenas; i++)
      util_arena_reset(&run->arenas[run->made * run->num_arenas + i]);
   atomic_store_explicit(&run->used_bytes, used - run->read_bytes, memory_order_relaxed);
   run->read_bytes = used - run->read_bytes;
}

bool rt_node_wave(struct rt_node_run *run, struct rt_worker *worker, struct rt_node_list *records)
{
   struct wave wave = {.run = run};
   struct rt_node_list made = {0};
   util_arena_init(&wave.arena, 0);
   const bool is_whole = make_launches(&wave, records) && (!wave.num_workgroups || run_launches(&wave, worker, &made));
   wave_finish(&wave);
   swap_arenas(run);
   *records = made;
   return is_whole && !rt_pool_is_cancelled(run->pool);
}
