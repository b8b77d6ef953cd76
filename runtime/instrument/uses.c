/* SPDX-License-Identifier: MIT
 * Each worker has a shard, so that nobody waits for anybody. */
#include "runtime/instrument/uses.h"

#include "runtime/instrument/areas.h"
#include "util/alloc.h"
#include "util/size.h"
#include "util/thread.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_SHARDS = 64, NUM_BUCKETS = 256, NUM_RECENT = 16, FEW_RANGES = 1024 };

struct shard {
   pthread_mutex_t lock;
   _Atomic uint32_t num_uses; /* written under lock */
   /* Under lock: */
   struct rt_use *buckets[NUM_BUCKETS];
   struct recent {
      const struct abi_site *site; /* of the code that runs, which is there as long as the use is */
      struct rt_use *use;          /* NULL: nobody */
   } recent[NUM_RECENT];
};

struct rt_uses {
   struct shard shards[NUM_SHARDS];
   _Atomic bool is_lost;
};

struct rt_uses *rt_uses_create(void)
{
   struct rt_uses *uses = util_calloc(1, sizeof(*uses));
   uint32_t count = 0;
   while (uses && count < NUM_SHARDS && util_mutex_init(&uses->shards[count].lock))
      count++;
   if (!uses || count == NUM_SHARDS)
      return uses;
   while (count)
      pthread_mutex_destroy(&uses->shards[--count].lock);
   util_mfree(uses);
   return NULL;
}

void rt_use_free(struct rt_use *use)
{
   util_mfree(use->ranges);
   util_mfree(use);
}

void rt_uses_destroy(struct rt_uses *uses)
{
   if (!uses)
      return;
   for (uint32_t i = 0; i < NUM_SHARDS; i++) {
      for (uint32_t k = 0; k < NUM_BUCKETS; k++) {
         for (struct rt_use *use = uses->shards[i].buckets[k], *next; use; use = next) {
            next = use->next;
            rt_use_free(use);
         }
      }
      pthread_mutex_destroy(&uses->shards[i].lock);
   }
   util_mfree(uses);
}

bool rt_uses_were_lost(struct rt_uses *uses)
{
   return atomic_exchange(&uses->is_lost, false);
}

/* ---- ranges ---- */

static int compare_ranges(const void *a, const void *b)
{
   const struct rt_byte_range *x = a, *y = b;
   return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static void join_ranges(struct rt_use *use)
{
   size_t count = 0;
   if (use->num_ranges) /* else there is no array, which qsort() may not be given */
      qsort(use->ranges, use->num_ranges, sizeof(*use->ranges), compare_ranges);
   for (size_t i = 0; i < use->num_ranges; i++) {
      struct rt_byte_range *last = count ? &use->ranges[count - 1] : NULL;
      if (last && use->ranges[i].begin <= last->end)
         last->end = UTIL_MAX(last->end, use->ranges[i].end);
      else
         use->ranges[count++] = use->ranges[i];
   }
   use->num_ranges = count;
}

/* Many are joined before there are more. */
static bool has_room(struct rt_use *use)
{
   if (use->num_ranges < use->cap_ranges)
      return true;
   if (use->num_ranges >= FEW_RANGES)
      join_ranges(use);
   if (use->num_ranges < use->cap_ranges / 2)
      return true;
   const size_t capacity = UTIL_MAX(use->cap_ranges * 2, (size_t)8);
   struct rt_byte_range *larger = util_realloc(use->ranges, capacity * sizeof(*larger));
   if (!larger)
      return false;
   use->ranges = larger;
   use->cap_ranges = capacity;
   return true;
}

static bool add_range(struct rt_use *use, uint64_t begin, uint64_t end)
{
   struct rt_byte_range *last = use->num_ranges ? &use->ranges[use->num_ranges - 1] : NULL;
   if (begin >= end)
      return true;
   if (last && begin >= last->begin && begin <= last->end) {
      last->end = UTIL_MAX(last->end, end);
      return true;
   }
   if (!has_room(use))
      return false;
   use->ranges[use->num_ranges++] = (struct rt_byte_range){begin, end};
   return true;
}

/* ---- uses ---- */

static bool is_same(const struct rt_hazard_access *a, const struct abi_site *site, const struct rt_hazard_access *b)
{
   return a->order == b->order && a->stages == b->stages && a->accesses == b->accesses && a->is_write == b->is_write && a->is_atomic == b->is_atomic &&
          site->module == b->site->module && site->number == b->site->number && site->stage == b->site->stage;
}

/* Under the shard's lock. NULL: memory is out. */
static struct rt_use *use_of(struct shard *shard, const struct rt_hazard_access *access)
{
   struct recent *recent = &shard->recent[(uintptr_t)access->site >> 6 & (NUM_RECENT - 1)];
   if (recent->use && recent->site == access->site && recent->use->access.order == access->order && access->label)
      return recent->use; /* code has one use a site */
   const uint64_t hash = (access->order * 31 + access->site->number) * UINT64_C(0x9e3779b97f4a7c15) ^ access->site->stage;
   struct rt_use **bucket = &shard->buckets[hash >> 40 & (NUM_BUCKETS - 1)];
   for (struct rt_use *use = *bucket; use; use = use->next) {
      if (!is_same(&use->access, (const struct abi_site *)use->site, access))
         continue;
      *recent = (struct recent){access->site, use};
      return use;
   }
   struct rt_use *use = util_calloc(1, util_size_add(sizeof(*use), access->site->total_bytes));
   if (!use)
      return NULL;
   use->access = *access;
   memcpy(use->site, access->site, access->site->total_bytes);
   use->access.site = (const struct abi_site *)use->site;
   if (access->label)
      snprintf(use->label, sizeof(use->label), "%s", access->label);
   use->access.label = access->label ? use->label : NULL;
   use->next = *bucket;
   *bucket = use;
   *recent = (struct recent){access->site, use};
   atomic_fetch_add_explicit(&shard->num_uses, 1, memory_order_relaxed);
   return use;
}

void rt_uses_add(struct rt_uses *uses, uint32_t worker, const struct rt_hazard_access *access, const struct rt_byte_range *ranges, size_t count)
{
   struct shard *shard = &uses->shards[worker % NUM_SHARDS];
   pthread_mutex_lock(&shard->lock);
   struct rt_use *use = use_of(shard, access);
   bool is_done = use != NULL;
   for (size_t i = 0; i < count && is_done; i++)
      is_done = add_range(use, ranges[i].begin, ranges[i].end);
   pthread_mutex_unlock(&shard->lock);
   if (!is_done)
      atomic_store(&uses->is_lost, true);
}

/* ---- probes ---- */

static const VkPipelineStageFlags2 stages[ABI_NUM_STAGES] = {
   [ABI_STAGE_VERTEX] = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT,
   [ABI_STAGE_CONTROL] = VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT,
   [ABI_STAGE_EVALUATION] = VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT,
   [ABI_STAGE_GEOMETRY] = VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT,
   [ABI_STAGE_FRAGMENT] = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
   [ABI_STAGE_TASK] = VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT,
   [ABI_STAGE_MESH] = VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT,
   [ABI_STAGE_COMPUTE] = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
   [ABI_STAGE_RAYGEN] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
   [ABI_STAGE_ANY_HIT] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
   [ABI_STAGE_CLOSEST_HIT] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
   [ABI_STAGE_MISS] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
   [ABI_STAGE_INTERSECTION] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
   [ABI_STAGE_CALLABLE] = VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR,
};

static VkAccessFlags2 accesses_of(const struct abi_site *site)
{
   if (site->access != ABI_PROBE_READ)
      return VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
   if (site->probe == ABI_PROBE_USE_VIEW)
      return site->limit ? VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT : VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
   if (!site->limit)
      return VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
   /* A block that nobody writes while the shader runs may be of either type. */
   return site->probe == ABI_PROBE_USE_TEXEL ? VK_ACCESS_2_SHADER_SAMPLED_READ_BIT : VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT;
}

/* All of a view's texels count, once for a lane that others follow. */
static bool add_view(struct rt_use *use, const struct abi_image *view)
{
   struct rt_areas areas;
   if (!view || !view->data)
      return true;
   rt_areas_of_view(&areas, view);
   bool is_done = true;
   for (uint32_t i = 0; i < areas.count && is_done; i++)
      is_done = add_range(use, areas.ranges[i].begin, areas.ranges[i].end);
   return is_done;
}

/* Lanes side by side, as they are in memory. */
static bool is_row(const struct abi_probe_call *call)
{
   const uint64_t *addresses = call->operands[0];
   if (call->site->probe != ABI_PROBE_USE || call->mask != UINT32_MAX >> (32 - call->lanes))
      return false;
   uint64_t differs = 0;
   for (uint32_t i = 1; i < call->lanes; i++)
      differs |= (addresses[i] - addresses[i - 1]) ^ call->site->bytes;
   return !differs;
}

static bool add_lane(struct rt_use *use, const struct abi_probe_call *call, uint32_t lane, const struct abi_image **last)
{
   uint64_t begin = call->operands[0][lane];
   uint32_t bytes = call->site->bytes;
   if (call->site->probe == ABI_PROBE_USE_VIEW) {
      const struct abi_image *view = (const struct abi_image *)(uintptr_t)begin;
      const bool is_new = view != *last;
      *last = view;
      return !is_new || add_view(use, view);
   }
   if (call->site->probe == ABI_PROBE_USE_TEXEL)
      begin = rt_probed_texel(call, 0, lane, &bytes);
   return !begin || add_range(use, begin, begin + bytes);
}

void rt_uses_probe(struct rt_uses *uses, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   const struct abi_image *last = NULL;
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   const struct rt_hazard_access access = {
      .order = worker->order,
      .stages = stages[call->site->stage],
      .accesses = accesses_of(call->site),
      .is_write = call->site->access != ABI_PROBE_READ,
      .is_atomic = call->site->access == ABI_PROBE_ATOMIC,
      .site = call->site,
      .label = label ? label : "a shader",
   };
   struct shard *shard = &uses->shards[worker->index % NUM_SHARDS];
   pthread_mutex_lock(&shard->lock);
   struct rt_use *use = use_of(shard, &access);
   const bool is_one = use && is_row(call);
   bool is_done = is_one ? add_range(use, call->operands[0][0], call->operands[0][call->lanes - 1] + call->site->bytes) : use != NULL;
   for (uint32_t mask = is_one ? 0 : call->mask; mask && is_done; mask &= mask - 1)
      is_done = add_lane(use, call, (uint32_t)__builtin_ctz(mask), &last);
   pthread_mutex_unlock(&shard->lock);
   if (!is_done)
      atomic_store(&uses->is_lost, true);
}

/* ---- taking ---- */

static int compare_uses(const struct rt_use *a, const struct rt_use *b)
{
   const struct abi_site *x = a->access.site, *y = b->access.site;
   if (a->access.order != b->access.order)
      return a->access.order < b->access.order ? -1 : 1;
   if (a->access.is_write != b->access.is_write)
      return a->access.is_write ? 1 : -1;
   if (x->stage != y->stage)
      return x->stage < y->stage ? -1 : 1;
   if (x->module != y->module)
      return x->module < y->module ? -1 : 1;
   if (x->number != y->number)
      return x->number < y->number ? -1 : 1;
   if (a->access.stages != b->access.stages)
      return a->access.stages < b->access.stages ? -1 : 1;
   return a->access.accesses < b->access.accesses ? -1 : a->access.accesses > b->access.accesses;
}

/* Sorts a list by merging. */
static struct rt_use *sort(struct rt_use *list)
{
   struct rt_use *half = list, *result = NULL, **last = &result;
   if (!list || !list->next)
      return list;
   for (struct rt_use *end = list->next; end && end->next; end = end->next->next)
      half = half->next;
   struct rt_use *b = half->next;
   half->next = NULL;
   struct rt_use *a = sort(list);
   b = sort(b);
   while (a && b) {
      struct rt_use **less = compare_uses(b, a) < 0 ? &b : &a;
      *last = *less;
      last = &(*less)->next;
      *less = *last;
   }
   *last = a ? a : b;
   return result;
}

/* What several workers say of one site is one use. */
static bool merge(struct rt_use *list)
{
   bool is_done = true;
   for (struct rt_use *use = list; use; use = use->next) {
      for (struct rt_use *next = use->next; next && compare_uses(use, next) == 0; next = use->next) {
         for (size_t i = 0; i < next->num_ranges && is_done; i++)
            is_done = add_range(use, next->ranges[i].begin, next->ranges[i].end);
         use->next = next->next;
         rt_use_free(next);
      }
      join_ranges(use);
   }
   return is_done;
}

struct rt_use *rt_uses_take(struct rt_uses *uses, uint64_t queue)
{
   struct rt_use *list = NULL;
   for (uint32_t i = 0; i < NUM_SHARDS; i++) {
      struct shard *shard = &uses->shards[i];
      if (!atomic_load_explicit(&shard->num_uses, memory_order_relaxed))
         continue; /* work that is over has been seen */
      pthread_mutex_lock(&shard->lock);
      memset(shard->recent, 0, sizeof(shard->recent));
      for (uint32_t k = 0; k < NUM_BUCKETS; k++) {
         for (struct rt_use **link = &shard->buckets[k]; *link;) {
            struct rt_use *use = *link;
            if (use->access.order >> RT_ORDER_BITS != queue) {
               link = &use->next;
               continue;
            }
            *link = use->next;
            use->next = list;
            list = use;
            atomic_fetch_sub_explicit(&shard->num_uses, 1, memory_order_relaxed);
         }
      }
      pthread_mutex_unlock(&shard->lock);
   }
   list = sort(list);
   if (!merge(list))
      atomic_store(&uses->is_lost, true);
   return list;
}
