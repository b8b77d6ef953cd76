/* SPDX-License-Identifier: MIT
 * Each worker has a shard, so that nobody waits for anybody. A use is one worker's: it adds to it without a lock as long as the command runs, and when that is
 * over the use is taken. */
#include "runtime/instrument/uses.h"

#include "runtime/accel/table.h"
#include "runtime/accel/tree.h"
#include "runtime/instrument/areas.h"
#include "util/alloc.h"
#include "util/thread.h"

#include <string.h>

enum { NUM_SHARDS = 64, MIN_BUCKETS = 64, MAX_KEPT_BUCKETS = 1024, MAX_SPARE = 4096, NUM_RECENT = 16, NUM_VECTORS = 1024, MAX_LANES = 32 };

struct shard {
   pthread_mutex_t lock;
   _Atomic uint32_t num_uses; /* written under lock */
   /* Under lock: */
   struct rt_use *first, *last; /* as they were made */
   struct rt_use **buckets;     /* by a hash; num_buckets: 0 or a power of two */
   uint32_t num_buckets;
   uint64_t num_made; /* uses so far */
   struct rt_use *spare; /* that were given back: memory of the next ones */
   uint32_t num_spare;
   /* The first worker that came, which alone has what follows: */
   _Atomic(const struct rt_worker *) owner;
   struct recent {
      const struct abi_site *site; /* of the code that runs, which is there as long as the use is */
      uint64_t order;              /* of a command that runs: nobody has taken the use yet */
      struct rt_use *use;
   } recent[NUM_RECENT];
   struct vector { /* what lanes at regular distances have touched: workgroups mostly do what others did */
      uint64_t use;   /* its number; 0: nobody */
      uint64_t address, step;
      uint32_t lanes;
   } vectors[NUM_VECTORS]; /* by a hash */
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

static void free_list(struct rt_use *list)
{
   for (struct rt_use *next; list; list = next) {
      next = list->next;
      rt_marks_finish(&list->bytes);
      util_mfree(list);
   }
}

void rt_use_free(struct rt_uses *uses, struct rt_use *use)
{
   struct shard *shard = &uses->shards[use->shard];
   rt_marks_clear(&use->bytes);
   use->next = NULL;
   pthread_mutex_lock(&shard->lock);
   const bool is_kept = shard->num_spare < MAX_SPARE;
   if (is_kept) {
      use->next = shard->spare;
      shard->spare = use;
      shard->num_spare++;
   }
   pthread_mutex_unlock(&shard->lock);
   if (!is_kept)
      free_list(use);
}

void rt_uses_destroy(struct rt_uses *uses)
{
   for (uint32_t i = 0; uses && i < NUM_SHARDS; i++) {
      free_list(uses->shards[i].first);
      free_list(uses->shards[i].spare);
      util_mfree(uses->shards[i].buckets);
      pthread_mutex_destroy(&uses->shards[i].lock);
   }
   util_mfree(uses);
}

bool rt_uses_were_lost(struct rt_uses *uses)
{
   return atomic_exchange(&uses->is_lost, false);
}

/* ---- uses ---- */

static bool is_same(const struct rt_hazard_access *a, const struct rt_hazard_access *b)
{
   return a->order == b->order && a->stages == b->stages && a->accesses == b->accesses && a->is_write == b->is_write && a->is_atomic == b->is_atomic &&
          a->site->module == b->site->module && a->site->number == b->site->number && a->site->stage == b->site->stage;
}

static struct rt_use **bucket_of(struct rt_use **buckets, uint32_t num_buckets, const struct rt_hazard_access *access)
{
   const uint64_t hash = (access->order * 31 + access->site->number) * UINT64_C(0x9e3779b97f4a7c15) ^ access->site->stage;
   return &buckets[hash >> 32 & (num_buckets - 1)];
}

static void add_to_bucket(struct rt_use **buckets, uint32_t num_buckets, struct rt_use *use)
{
   struct rt_use **bucket = bucket_of(buckets, num_buckets, &use->access);
   use->in_bucket = *bucket;
   *bucket = use;
}

/* As many buckets as uses. False: there are none, and memory is out. */
static bool has_buckets(struct shard *shard)
{
   if (shard->num_uses < shard->num_buckets)
      return true;
   const uint32_t count = UTIL_MAX(shard->num_buckets * 2, (uint32_t)MIN_BUCKETS);
   struct rt_use **buckets = util_calloc(count, sizeof(struct rt_use *));
   for (struct rt_use *use = buckets ? shard->first : NULL; use; use = use->next)
      add_to_bucket(buckets, count, use);
   if (!buckets)
      return shard->num_buckets;
   util_mfree(shard->buckets);
   shard->buckets = buckets;
   shard->num_buckets = count;
   return true;
}

/* NULL: memory is out. */
static struct rt_use *make_use(struct shard *shard)
{
   struct rt_use *use = shard->spare;
   if (!use)
      return util_calloc(1, sizeof(*use));
   const struct rt_marks empty = use->bytes;
   shard->spare = use->next;
   shard->num_spare--;
   *use = (struct rt_use){.bytes = empty};
   return use;
}

/* Under the shard's lock. `worker` NULL: the queue itself. NULL: memory is out. */
static struct rt_use *find_use(struct rt_uses *uses, struct shard *shard, const struct rt_worker *worker, const struct rt_hazard_access *access)
{
   if (!has_buckets(shard))
      return NULL;
   for (struct rt_use *use = *bucket_of(shard->buckets, shard->num_buckets, access); use; use = use->in_bucket) {
      if (use->worker == worker && is_same(&use->access, access))
         return use;
   }
   struct rt_use *use = make_use(shard);
   if (!use)
      return NULL;
   use->worker = worker;
   use->access = *access;
   use->shard = (uint32_t)(shard - uses->shards);
   use->number = ++shard->num_made;
   if (!worker) {
      memcpy(&use->site, access->site, sizeof(use->site));
      use->access.site = (const struct abi_site *)use->site.bytes;
   }
   *(shard->last ? &shard->last->next : &shard->first) = use;
   shard->last = use;
   add_to_bucket(shard->buckets, shard->num_buckets, use);
   atomic_fetch_add_explicit(&shard->num_uses, 1, memory_order_relaxed);
   return use;
}

static struct rt_use *use_of(struct rt_uses *uses, struct shard *shard, const struct rt_worker *worker, const struct rt_hazard_access *access)
{
   pthread_mutex_lock(&shard->lock);
   struct rt_use *use = find_use(uses, shard, worker, access);
   pthread_mutex_unlock(&shard->lock);
   return use;
}

/* The run is over. False: memory is out, as below. */
static bool end_run(struct rt_use *use)
{
   const struct rt_byte_range run = use->run;
   use->run = (struct rt_byte_range){0, 0};
   return rt_marks_add(&use->bytes, run.begin, run.end);
}

/* Bytes that a vector or lane touches: mostly those behind the ones before. */
static bool add_bytes(struct rt_use *use, uint64_t begin, uint64_t end)
{
   if (begin >= use->run.begin && begin <= use->run.end) {
      use->run.end = UTIL_MAX(use->run.end, end);
      return true;
   }
   const bool is_done = end_run(use);
   use->run = (struct rt_byte_range){begin, end};
   return is_done;
}

void rt_uses_add(struct rt_uses *uses, uint32_t worker, const struct rt_hazard_access *access, const struct rt_byte_range *ranges, size_t count)
{
   struct rt_use *use = use_of(uses, &uses->shards[worker % NUM_SHARDS], NULL, access);
   bool is_done = use != NULL;
   for (size_t i = 0; i < count && is_done; i++)
      is_done = add_bytes(use, ranges[i].begin, ranges[i].end);
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
   if (site->probe == ABI_PROBE_USE_ACCEL)
      return VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
   if (site->probe == ABI_PROBE_USE_VIEW)
      return site->limit ? VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT : VK_ACCESS_2_SHADER_SAMPLED_READ_BIT;
   if (!site->limit)
      return VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
   /* A block that nobody writes while the shader runs may be of either type. */
   return site->probe == ABI_PROBE_USE_TEXEL ? VK_ACCESS_2_SHADER_SAMPLED_READ_BIT : VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT;
}

/* True if it is among the last ones; it is from now on. */
static bool is_known(struct rt_use *use, const void *object)
{
   const void **known = &use->known[(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15) >> 61];
   const bool result = *known == object;
   *known = object;
   return result;
}

/* All of a view's texels count. */
static bool add_view(struct rt_use *use, const struct abi_image *view)
{
   struct rt_areas areas;
   if (!view || !view->data || is_known(use, view))
      return true;
   rt_areas_of_view(&areas, view);
   bool is_done = true;
   for (uint32_t i = 0; i < areas.count && is_done; i++)
      is_done = rt_marks_add(&use->bytes, areas.ranges[i].begin, areas.ranges[i].end);
   return is_done;
}

/* Each lane that is on by itself, where it is anywhere. */
static bool add_lanes(struct rt_use *use, const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
   bool is_done = true;
   for (; mask && is_done; mask &= mask - 1) {
      const uint64_t begin = addresses[__builtin_ctz(mask)];
      is_done = !begin || add_bytes(use, begin, begin + bytes);
   }
   return is_done;
}

/* The first `lanes` lanes are on. False: their distances differ. */
static bool is_regular(const uint64_t *addresses, uint32_t lanes)
{
   const uint64_t step = lanes > 1 ? addresses[1] - addresses[0] : 0;
   uint64_t differs = 0;
   for (uint32_t i = 1; i < lanes; i++)
      differs |= (addresses[i] - addresses[i - 1]) ^ step;
   return !differs;
}

/* `shard`: the worker's own; NULL: it has none. */
static bool add_vector(struct shard *shard, struct rt_use *use, const uint64_t *addresses, uint32_t mask, uint32_t bytes)
{
   const uint32_t lanes = 32 - (uint32_t)__builtin_clz(mask);
   if (mask & (mask + 1) || !addresses[0] || !is_regular(addresses, lanes))
      return add_lanes(use, addresses, mask, bytes);
   const uint64_t step = lanes > 1 ? addresses[1] - addresses[0] : 0;
   if (step <= bytes)
      return add_bytes(use, addresses[0], addresses[lanes - 1] + bytes);
   if (!shard)
      return add_lanes(use, addresses, mask, bytes);
   const struct vector vector = {use->number, addresses[0], step, lanes};
   struct vector *known = &shard->vectors[(vector.address + step * 31 + vector.use * 977) * UINT64_C(0x9e3779b97f4a7c15) >> 54];
   if (known->use == vector.use && known->address == vector.address && known->step == step && known->lanes == lanes)
      return true;
   *known = vector;
   return add_lanes(use, addresses, mask, bytes);
}

static bool add_views(struct rt_use *use, const struct abi_probe_call *call)
{
   bool is_done = true;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1)
      is_done = add_view(use, (const struct abi_image *)(uintptr_t)call->operands[0][__builtin_ctz(mask)]) && is_done;
   return is_done;
}

/* A structure by itself; its bytes: 0 if there is none, or it was added lately. */
static bool add_one_structure(struct rt_use *use, const struct rt_accel_table *table, uint64_t address, uint64_t *bytes)
{
   *bytes = rt_accel_table_find(table, address);
   if (*bytes && is_known(use, (const void *)(uintptr_t)address))
      *bytes = 0;
   return !*bytes || rt_marks_add(&use->bytes, address, address + *bytes);
}

/* A structure, and those that its instances refer to. Nothing depends on what it holds: see runtime/accel/tree.h. */
static bool add_structure(struct rt_use *use, const struct rt_accel_table *table, uint64_t address)
{
   uint64_t bytes, bottom_bytes;
   bool is_done = add_one_structure(use, table, address, &bytes);
   if (!bytes)
      return true;
   const struct rt_accel_view view = rt_accel_view((const void *)(uintptr_t)address, bytes);
   const struct rt_accel_instance *instances = view.leaves;
   for (uint32_t i = 0; view.base && view.level == RT_ACCEL_TOP && i < view.num_leaves && is_done; i++)
      is_done = add_one_structure(use, table, instances[i].bottom, &bottom_bytes);
   return is_done;
}

static bool add_structures(struct rt_use *use, const struct rt_accel_table *table, const struct abi_probe_call *call)
{
   bool is_done = true;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1)
      is_done = add_structure(use, table, call->operands[0][__builtin_ctz(mask)]) && is_done;
   return is_done;
}

static bool add_texels(struct rt_use *use, const struct abi_probe_call *call)
{
   uint64_t addresses[MAX_LANES];
   bool is_done = true;
   for (uint32_t mask = call->mask, bytes = 0; mask && is_done;) {
      const uint32_t lanes = rt_probed_texels(call, 0, &mask, addresses, &bytes);
      is_done = add_lanes(use, addresses, lanes, bytes);
   }
   return is_done;
}

static bool add_probed(struct shard *shard, struct rt_use *use, const struct abi_probe_call *call)
{
   switch (call->site->probe) {
   case ABI_PROBE_USE_VIEW: return add_views(use, call);
   case ABI_PROBE_USE_ACCEL: return add_structures(use, call->worker->structures, call);
   case ABI_PROBE_USE_TEXEL: return add_texels(use, call);
   default: return add_vector(shard, use, call->operands[0], call->mask, call->site->bytes);
   }
}

static struct rt_use *probed_use(struct rt_uses *uses, struct shard *shard, const struct rt_worker *worker, const struct abi_site *site)
{
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   const struct rt_hazard_access access = {
      .order = worker->order,
      .stages = stages[site->stage],
      .accesses = accesses_of(site),
      .is_write = site->access != ABI_PROBE_READ,
      .is_atomic = site->access == ABI_PROBE_ATOMIC,
      .site = site,
      .label = label ? label : "a shader",
   };
   return use_of(uses, shard, worker, &access);
}

/* Whether the shard is the worker's own. */
static bool owns(struct shard *shard, const struct rt_worker *worker)
{
   const struct rt_worker *owner = atomic_load_explicit(&shard->owner, memory_order_relaxed);
   return owner == worker || (!owner && atomic_compare_exchange_strong(&shard->owner, &owner, worker));
}

void rt_uses_probe(struct rt_uses *uses, const struct rt_worker *worker, const struct abi_probe_call *call)
{
   struct shard *shard = &uses->shards[worker->index % NUM_SHARDS], *own = owns(shard, worker) ? shard : NULL;
   struct recent *recent = &shard->recent[(uintptr_t)call->site >> 6 & (NUM_RECENT - 1)];
   const bool is_recent = own && recent->site == call->site && recent->order == worker->order; /* code has one use a site */
   struct rt_use *use = is_recent ? recent->use : probed_use(uses, shard, worker, call->site);
   if (use && own && !is_recent)
      *recent = (struct recent){call->site, worker->order, use};
   if (!use || (call->mask && !add_probed(own, use, call)))
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

static bool is_sorted(const struct rt_use *list)
{
   while (list && list->next && compare_uses(list, list->next) <= 0)
      list = list->next;
   return !list || !list->next;
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
static bool merge(struct rt_uses *uses, struct rt_use *list)
{
   bool is_done = true;
   for (struct rt_use *use = list; use; use = use->next)
      is_done = end_run(use) && is_done;
   for (struct rt_use *use = list; use; use = use->next) {
      for (struct rt_use *next = use->next; next && compare_uses(use, next) == 0; next = use->next) {
         is_done = rt_marks_join(&use->bytes, &next->bytes) && is_done;
         use->next = next->next;
         rt_use_free(uses, next);
      }
   }
   return is_done;
}

/* Moves the queue's uses to the end of the list; others stay, with buckets anew. Returns the new end. */
static struct rt_use **take_shard(struct shard *shard, uint64_t queue, struct rt_use **end)
{
   struct rt_use **link = &shard->first;
   shard->last = NULL;
   while (*link) {
      struct rt_use *use = *link;
      if (use->access.order >> RT_ORDER_BITS != queue) {
         shard->last = use;
         link = &use->next;
         continue;
      }
      *link = use->next;
      use->next = NULL;
      *end = use;
      end = &use->next;
      atomic_fetch_sub_explicit(&shard->num_uses, 1, memory_order_relaxed);
   }
   if (!shard->first && shard->num_buckets > MAX_KEPT_BUCKETS) {
      util_mfree(shard->buckets);
      shard->buckets = NULL;
      shard->num_buckets = 0;
   }
   if (shard->num_buckets)
      memset(shard->buckets, 0, shard->num_buckets * sizeof(struct rt_use *));
   for (struct rt_use *use = shard->first; use; use = use->next)
      add_to_bucket(shard->buckets, shard->num_buckets, use);
   return end;
}

struct rt_use *rt_uses_take(struct rt_uses *uses, uint64_t queue)
{
   struct rt_use *list = NULL, **end = &list;
   for (uint32_t i = 0; i < NUM_SHARDS; i++) {
      struct shard *shard = &uses->shards[i];
      if (!atomic_load_explicit(&shard->num_uses, memory_order_relaxed))
         continue; /* work that is over has been seen */
      pthread_mutex_lock(&shard->lock);
      end = take_shard(shard, queue, end);
      pthread_mutex_unlock(&shard->lock);
   }
   if (!is_sorted(list))
      list = sort(list);
   if (!merge(uses, list))
      atomic_store(&uses->is_lost, true);
   return list;
}
