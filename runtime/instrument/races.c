/* SPDX-License-Identifier: MIT
 * A workgroup runs in one thread, so what its invocations do between two barriers, a phase, is collected there: a table for each kind of
 * memory. At the end of the phase conflicts within it are races of two invocations of the workgroup; then its accesses join those of
 * the dispatch, where conflicts between workgroups are found when all have run. A barrier that does not name a kind of memory leaves its table:
 * to it the phase goes on. */
#include "runtime/instrument/races.h"

#include "runtime/image/image.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/shadow.h"
#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/bitset.h"
#include "util/debug.h"

#include <stdio.h>
#include <string.h>

enum space { BUFFERS, IMAGES, SHARED, NUM_SPACES };
enum { MAX_INVOCATIONS = 1 << RT_ACCESS_LOCAL_BITS, MAX_FENCES = (1 << RT_ACCESS_FENCE_BITS) - 1, SCOPE_SUBGROUP = 3 };
enum { ACQUIRE_RELEASE = 0x1e };

/* SPIR-V's memory semantics that order a space. */
static const uint32_t semantics_of[NUM_SPACES] = {[BUFFERS] = 0x40, [IMAGES] = 0x800, [SHARED] = 0x100};

struct rt_races {
   struct rt_races *next;
   struct rt_findings *findings;
   struct abi_compute_args args;
   pthread_mutex_t lock;
   uint32_t items_left;                     /* under lock, as are the next ones */
   struct rt_shadow shadows[NUM_SPACES];
   const struct abi_site *sites[ABI_MAX_SITES];
   uint8_t *final_fences; /* by workgroup: phases with a fence, at most MAX_FENCES; NULL: there was none */
   uint64_t num_workgroups;
};

/* The workgroup that a worker has in hand. */
struct rt_follower {
   struct rt_races *races;
   const struct rt_worker *worker;
   bool has_workgroup;
   uint32_t group;        /* linear */
   uint32_t fences;       /* complete phases with a fence */
   bool is_fenced;        /* somebody fenced in this phase */
   uint32_t ordered;      /* semantics of fences in this phase */
   const struct abi_site *any_site; /* of the shader: all have its size */
   struct rt_shadow shadows[NUM_SPACES];
   uint64_t fenced[MAX_INVOCATIONS / 64];  /* those that fenced in this phase */
   uint8_t epochs[MAX_INVOCATIONS];        /* barriers of the subgroup that each passed */
   uint32_t granularity[NUM_SPACES];
   /* the barrier that is being reached */
   const struct abi_site *barrier;
   uint64_t reached[MAX_INVOCATIONS / 64];
};

struct rt_races *rt_races_create(struct rt_findings *findings, const struct abi_compute_args *args, uint32_t num_items)
{
   struct rt_races *races = util_calloc(1, sizeof(*races));
   if (!races)
      return NULL;
   races->findings = findings;
   races->args = *args;
   races->items_left = num_items;
   races->num_workgroups = (uint64_t)args->num_workgroups[0] * args->num_workgroups[1] * args->num_workgroups[2];
   if (!util_mutex_init(&races->lock)) {
      util_mfree(races);
      return NULL;
   }
   return races;
}

void rt_races_destroy(struct rt_races *races)
{
   if (!races)
      return;
   for (uint32_t i = 0; i < NUM_SPACES; i++)
      rt_shadow_finish(&races->shadows[i]);
   util_mfree(races->final_fences);
   pthread_mutex_destroy(&races->lock);
   util_mfree(races);
}

void rt_races_link(struct rt_races *races, struct rt_races *next)
{
   races->next = next;
}

struct rt_races *rt_races_next(const struct rt_races *races)
{
   return races->next;
}

void rt_races_forget(struct rt_worker *worker)
{
   if (!worker->follower)
      return;
   for (uint32_t i = 0; i < NUM_SPACES; i++)
      rt_shadow_finish(&worker->follower->shadows[i]);
   util_mfree(worker->follower);
   worker->follower = NULL;
}

/* ---- findings ---- */

static uint32_t local_of(uint64_t access)
{
   return access >> RT_ACCESS_LOCAL_SHIFT & (MAX_INVOCATIONS - 1);
}

static uint32_t group_of(uint64_t access)
{
   return (uint32_t)(access >> RT_ACCESS_GROUP_SHIFT);
}

/* The words of compiler/instrument/instrument.c. */
static void set_words(const struct rt_races *races, struct rt_party *party, uint32_t group, uint32_t local)
{
   const uint32_t *groups = races->args.num_workgroups, *base = races->args.base, *size = party->site->local_size;
   party->operands[0] = base[2] + group / groups[0] / groups[1];
   party->operands[1] = base[1] + group / groups[0] % groups[1];
   party->operands[2] = base[0] + group % groups[0];
   party->operands[3] = local / size[0] / size[1];
   party->operands[4] = local / size[0] % size[1];
   party->operands[5] = local % size[0];
}

static void set_party(const struct rt_races *races, struct rt_party *party, uint64_t access)
{
   party->site = races->sites[access >> RT_ACCESS_SITE_SHIFT & (ABI_MAX_SITES - 1)];
   set_words(races, party, group_of(access), local_of(access));
}

static void set_worker(struct rt_finding *finding, const struct rt_worker *worker)
{
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   finding->order = worker->order;
   snprintf(finding->label, sizeof(finding->label), "%s", label ? label : "");
}

struct search {
   const struct rt_follower *follower;
   uint32_t granularity;
};

static void found(void *data, uint64_t address, uint64_t a, uint64_t b)
{
   const struct search *search = data;
   struct rt_finding finding = {.address = address * search->granularity};
   set_worker(&finding, search->follower->worker);
   set_party(search->follower->races, &finding.party, a);
   set_party(search->follower->races, &finding.other, b);
   if (finding.party.site && finding.other.site)
      rt_findings_add(search->follower->races->findings, &finding);
}

/* Two invocations of one workgroup: a barrier of their subgroup was between. */
static bool are_ordered_within(const void *data, uint64_t a, uint64_t b)
{
   const struct search *search = data;
   const uint32_t size = UTIL_MAX(search->follower->any_site->subgroup_size, 1u), mask = (1 << RT_ACCESS_EPOCH_BITS) - 1;
   return local_of(a) / size == local_of(b) / size && (a >> RT_ACCESS_EPOCH_SHIFT & mask) != (b >> RT_ACCESS_EPOCH_SHIFT & mask);
}

static bool is_released(const struct rt_races *races, uint64_t access)
{
   const uint32_t fences = access & MAX_FENCES, final = races->final_fences ? races->final_fences[group_of(access)] : 0;
   return final > fences || final == MAX_FENCES;
}

static bool is_acquired(uint64_t access)
{
   return access & MAX_FENCES;
}

/* Of two workgroups. */
static bool are_ordered_between(const void *data, uint64_t a, uint64_t b)
{
   const struct rt_races *races = ((const struct search *)data)->follower->races;
   return (is_released(races, a) && is_acquired(b)) || (is_released(races, b) && is_acquired(a));
}

/* ---- phases ---- */

static void join(struct rt_follower *follower, enum space space)
{
   const struct rt_shadow *from = &follower->shadows[space];
   struct rt_races *races = follower->races;
   pthread_mutex_lock(&races->lock);
   for (uint32_t i = 0; i < from->capacity; i++) {
      const struct rt_granule *granule = &from->granules[i];
      for (uint32_t c = 0; granule->address != UINT64_MAX && c < RT_NUM_SHADOW_CLASSES; c++) {
         if (granule->best[c][0] != RT_NO_ACCESS)
            rt_shadow_note(&races->shadows[space], granule->address, c, granule->best[c][0], RT_ACCESS_GROUP_SHIFT);
      }
   }
   pthread_mutex_unlock(&races->lock);
}

static void end_phase_of(struct rt_follower *follower, enum space space)
{
   struct search search = {follower, follower->granularity[space]};
   const struct rt_conflicts conflicts = {RT_ACCESS_LOCAL_SHIFT, are_ordered_within, found, &search};
   if (!follower->shadows[space].count)
      return;
   rt_shadow_find(&follower->shadows[space], &conflicts);
   if (space != SHARED)
      join(follower, space);
   rt_shadow_clear(&follower->shadows[space]);
}

static void end_phase(struct rt_follower *follower, uint32_t semantics)
{
   for (uint32_t space = 0; space < NUM_SPACES; space++) {
      if (semantics_of[space] & semantics)
         end_phase_of(follower, space);
   }
   follower->fences = UTIL_MIN(follower->fences + follower->is_fenced, (uint32_t)MAX_FENCES);
   follower->is_fenced = false;
   follower->ordered = 0;
   memset(follower->fenced, 0, sizeof(follower->fenced));
}

static void end_workgroup(struct rt_follower *follower)
{
   struct rt_races *races = follower->races;
   if (!follower->has_workgroup)
      return;
   end_phase(follower, UINT32_MAX);
   if (follower->fences) {
      pthread_mutex_lock(&races->lock);
      if (!races->final_fences)
         races->final_fences = util_calloc(races->num_workgroups, 1);
      if (races->final_fences)
         races->final_fences[follower->group] = (uint8_t)follower->fences;
      pthread_mutex_unlock(&races->lock);
   }
   follower->has_workgroup = false;
}

static void begin_workgroup(struct rt_follower *follower, uint32_t group)
{
   end_workgroup(follower);
   follower->has_workgroup = true;
   follower->group = group;
   follower->fences = 0;
   follower->barrier = NULL;
   memset(follower->epochs, 0, sizeof(follower->epochs));
}

/* ---- items ---- */

void rt_races_enter(struct rt_races *races, struct rt_worker *worker)
{
   if (!worker->follower)
      worker->follower = util_calloc(1, sizeof(*worker->follower));
   if (!worker->follower)
      return;
   worker->follower->races = races;
   worker->follower->worker = worker;
}

static void find_between_workgroups(struct rt_follower *follower)
{
   for (uint32_t space = 0; space < SHARED; space++) {
      struct search search = {follower, UTIL_MAX(follower->granularity[space], 1u)};
      const struct rt_conflicts conflicts = {RT_ACCESS_GROUP_SHIFT, are_ordered_between, found, &search};
      rt_shadow_find(&follower->races->shadows[space], &conflicts);
      rt_shadow_finish(&follower->races->shadows[space]);
   }
}

void rt_races_leave(struct rt_worker *worker)
{
   struct rt_follower *follower = worker->follower;
   if (!follower || !follower->races)
      return;
   end_workgroup(follower);
   pthread_mutex_lock(&follower->races->lock);
   const bool is_last = --follower->races->items_left == 0;
   pthread_mutex_unlock(&follower->races->lock);
   if (is_last)
      find_between_workgroups(follower);
   follower->races = NULL;
}

/* ---- barriers ---- */

static void reach(struct rt_follower *follower, const struct abi_probe_call *call)
{
   if (follower->barrier != call->site) {
      follower->barrier = call->site;
      memset(follower->reached, 0, sizeof(follower->reached));
   }
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t local = (uint32_t)call->operands[call->site->num_words][__builtin_ctz(mask)];
      if (local < MAX_INVOCATIONS)
         util_bitset_set(follower->reached, local);
   }
}

/* The barrier was reached by all that will: who is missing? */
static void check_reached(struct rt_follower *follower)
{
   const struct abi_site *site = follower->barrier;
   const uint32_t total = site->local_size[0] * site->local_size[1] * site->local_size[2];
   struct rt_finding finding = {.party.site = site, .of = total};
   uint32_t missing = UINT32_MAX;
   for (uint32_t local = 0; local < UTIL_MIN(total, (uint32_t)MAX_INVOCATIONS); local++) {
      const bool is_there = util_bitset_test(follower->reached, local);
      finding.count += is_there;
      if (!is_there)
         missing = UTIL_MIN(missing, local);
   }
   follower->barrier = NULL;
   if (missing == UINT32_MAX || !util_debug(UTIL_DEBUG_BARRIER))
      return;
   set_worker(&finding, follower->worker);
   set_words(follower->races, &finding.party, follower->group, missing);
   rt_findings_add(follower->races->findings, &finding);
}

/* The site behind a barrier is the next one after the site in front of it. Those that have not reached the barrier in hand pass one before it: of that
 * the first vector told. */
static void pass(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const uint32_t local = (uint32_t)call->operands[site->num_words][__builtin_ctz(call->mask)];
   if (!follower->barrier || follower->barrier->number + 1 != site->number || !util_bitset_test(follower->reached, local & (MAX_INVOCATIONS - 1)))
      return;
   check_reached(follower);
   const uint32_t semantics = site->semantics & ACQUIRE_RELEASE ? site->semantics : 0;
   if (semantics & semantics_of[BUFFERS] && site->memory <= 1)
      follower->is_fenced = true;
   end_phase(follower, semantics | follower->ordered);
}

static void fence(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const bool is_of_device = site->memory <= 1 || site->memory == 5;
   if (!(site->semantics & ACQUIRE_RELEASE))
      return;
   if (site->memory != SCOPE_SUBGROUP)
      follower->ordered |= site->semantics;
   follower->is_fenced |= is_of_device;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t local = (uint32_t)call->operands[site->num_words][__builtin_ctz(mask)] & (MAX_INVOCATIONS - 1);
      if (is_of_device)
         util_bitset_set(follower->fenced, local);
      if (site->scope == SCOPE_SUBGROUP)
         follower->epochs[local]++;
   }
}

/* ---- accesses ---- */

static enum rt_shadow_class class_of(const struct abi_site *site)
{
   static const uint8_t classes[] = {[ABI_PROBE_READ] = RT_SHADOW_READ, [ABI_PROBE_WRITE] = RT_SHADOW_WRITE, [ABI_PROBE_ATOMIC] = RT_SHADOW_ATOMIC};
   const bool is_load = site->access == ABI_PROBE_ATOMIC && !strncmp(site->texts + site->operation, "load", 4);
   return is_load ? RT_SHADOW_ATOMIC_READ : classes[site->access];
}

static uint64_t access_by(const struct rt_follower *follower, const struct abi_site *site, uint32_t local)
{
   const uint64_t fences = UTIL_MIN(follower->fences + util_bitset_test(follower->fenced, local), (uint32_t)MAX_FENCES);
   const uint64_t epoch = follower->epochs[local] & ((1u << RT_ACCESS_EPOCH_BITS) - 1);
   return (uint64_t)follower->group << RT_ACCESS_GROUP_SHIFT | (uint64_t)local << RT_ACCESS_LOCAL_SHIFT |
          (uint64_t)site->number << RT_ACCESS_SITE_SHIFT | epoch << RT_ACCESS_EPOCH_SHIFT | fences;
}

/* Where the texel is; 0: nowhere. */
static uint64_t texel_address(const struct abi_probe_call *call, uint32_t lane, uint32_t *bytes)
{
   const uint64_t *const *o = call->operands + call->site->num_words;
   const struct abi_image *image = (const struct abi_image *)(uintptr_t)o[1][lane];
   uint32_t at[3] = {(uint32_t)o[2][lane], (uint32_t)o[3][lane], (uint32_t)o[4][lane]};
   if (!image || !image->data)
      return 0;
   const struct abi_level *level = &image->levels[0];
   uint32_t layer = 0;
   if (image->is_arrayed || image->is_cube) {
      const uint32_t axis = image->dim == ABI_DIM_1D ? 1 : 2;
      layer = at[axis];
      at[axis] = 0;
   }
   if (at[0] >= level->width || at[1] >= level->height || at[2] >= level->depth || layer >= image->num_layers)
      return 0;
   *bytes = image->texel_bytes;
   return (uintptr_t)image->data + layer * image->layer_bytes +
          rt_level_offset(level, image->is_tiled, image->texel_bytes, at[0], at[1], at[2], (uint32_t)o[5][lane], image->num_samples);
}

static void note(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const enum space space = site->probe == ABI_PROBE_ACCESS_SHARED ? SHARED : site->probe == ABI_PROBE_ACCESS_IMAGE ? IMAGES : BUFFERS;
   const enum rt_shadow_class class = class_of(site);
   const uint32_t granularity = space == IMAGES ? 1 : UTIL_MAX(site->limit, 1u);
   follower->granularity[space] = granularity;
   if (!follower->races->sites[site->number])
      __atomic_store_n(&follower->races->sites[site->number], site, __ATOMIC_RELAXED);
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      const uint64_t *const *o = call->operands + site->num_words;
      const uint32_t local = (uint32_t)o[0][lane] & (MAX_INVOCATIONS - 1);
      const uint64_t access = access_by(follower, site, local);
      uint32_t bytes = site->bytes;
      uint64_t address = space == IMAGES ? texel_address(call, lane, &bytes) : o[1][lane];
      if (space == IMAGES && address)
         rt_shadow_note(&follower->shadows[space], address, class, access, RT_ACCESS_LOCAL_SHIFT);
      for (uint32_t i = 0; space != IMAGES && i < bytes; i += granularity)
         rt_shadow_note(&follower->shadows[space], (address + i) / granularity, class, access, RT_ACCESS_LOCAL_SHIFT);
   }
}

void rt_races_probe(const struct abi_probe_call *call, struct rt_worker *worker)
{
   struct rt_follower *follower = worker->follower;
   if (!call->mask || !follower || !follower->races)
      return;
   const struct rt_races *races = follower->races;
   const uint32_t lane = (uint32_t)__builtin_ctz(call->mask), *groups = races->args.num_workgroups, *base = races->args.base;
   const uint32_t z = (uint32_t)call->operands[0][lane] - base[2], y = (uint32_t)call->operands[1][lane] - base[1];
   const uint32_t x = (uint32_t)call->operands[2][lane] - base[0], group = (z * groups[1] + y) * groups[0] + x;
   follower->any_site = call->site;
   if (!follower->has_workgroup || follower->group != group)
      begin_workgroup(follower, group);
   switch ((enum abi_probe)call->site->probe) {
   case ABI_PROBE_BARRIER: reach(follower, call); break;
   case ABI_PROBE_BARRIER_PASSED: pass(follower, call); break;
   case ABI_PROBE_FENCE: fence(follower, call); break;
   default: note(follower, call); break;
   }
}
