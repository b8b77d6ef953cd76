/* SPDX-License-Identifier: MIT
 * A workgroup runs in one thread, so what its invocations do between two barriers, a phase, is followed there, in shadows of the thread's own, one for each
 * space of memory. An access that conflicts with one before it lists its granule: at the end of the phase the least pair of each is found.
 * Conflicts between workgroups are found when all have run. A barrier that does not name a space does not end its phase. */
#include "runtime/instrument/races.h"

#include "runtime/instrument/areas.h"
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
/* A granule of an image is a texel, or as much of it as is a power of two: its number has that power's logarithm in the high bits. */
enum { IMAGE_SHIFT_AT = 58 };
#define IMAGE_GRANULES ((UINT64_C(1) << IMAGE_SHIFT_AT) - 1)

/* SPIR-V's memory semantics that order a space. */
static const uint32_t semantics_of[NUM_SPACES] = {[BUFFERS] = 0x40, [IMAGES] = 0x800, [SHARED] = 0x100};

/* What one thread follows of a dispatch. */
struct member {
   struct member *next;
   const struct rt_worker *worker;
   struct rt_shadow shadows[NUM_SPACES];
   uint32_t *groups; /* of each phase, from 1 on */
   uint32_t num_phases, cap_phases;
   bool is_out_of_memory; /* nothing is noted any more */
};

struct rt_races {
   struct rt_races *next;
   struct rt_findings *findings;
   struct abi_compute_args args;
   pthread_mutex_t lock;
   uint32_t items_left;     /* under lock, as are the next ones */
   struct member *members;
   uint8_t *final_fences;   /* by workgroup: phases with a fence, at most MAX_FENCES; NULL: there was none */
   const struct abi_site *sites[ABI_MAX_SITES]; /* all write the same */
   uint64_t num_workgroups;
};

struct listed {
   uint64_t granule;
   enum space space;
};

/* The workgroup that a worker has in hand. */
struct rt_follower {
   struct rt_races *races;
   struct member *member;
   const struct rt_worker *worker;
   bool has_workgroup;
   uint32_t group;                  /* linear */
   uint32_t fences;                 /* complete phases with a fence */
   bool is_fenced;                  /* somebody fenced in this phase */
   bool has_rounds;                 /* some subgroup has passed a barrier of its own */
   bool has_subgroup_barriers;      /* the shader has such */
   uint32_t ordered;                /* semantics of fences in this phase */
   uint32_t phases[NUM_SPACES];     /* the member's phases in hand */
   uint32_t shifts[NUM_SPACES];     /* bytes of a granule, as a shift */
   const struct abi_site *any_site; /* of the shader: all have its size */
   struct listed *listed;           /* granules with a conflict in this phase */
   uint32_t num_listed, cap_listed;
   struct rt_shadow_row *spare;     /* memory of dispatches before */
   uint64_t fenced[MAX_INVOCATIONS / 64];     /* those that fenced in this phase */
   uint8_t epochs[MAX_INVOCATIONS];           /* barriers of the subgroup that each passed */
   uint32_t reached[MAX_INVOCATIONS / ABI_MIN_LANES]; /* the barrier in hand, by vector: abi_worker.reached */
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

static void finish_member(struct member *member)
{
   for (uint32_t i = 0; i < NUM_SPACES; i++)
      rt_shadow_finish(&member->shadows[i]);
   util_mfree(member->groups);
   util_mfree(member);
}

void rt_races_destroy(struct rt_races *races)
{
   if (!races)
      return;
   for (struct member *member = races->members, *next; member; member = next) {
      next = member->next;
      finish_member(member);
   }
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
   struct rt_shadow spare = {.spare = worker->follower->spare};
   rt_shadow_finish(&spare);
   util_mfree(worker->follower->listed);
   util_mfree(worker->follower);
   worker->follower = NULL;
   worker->abi.reached = NULL;
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
   enum space space;
};

static uint64_t address_of(const struct search *search, uint64_t granule)
{
   if (search->space == IMAGES)
      return (granule & IMAGE_GRANULES) << (granule >> IMAGE_SHIFT_AT);
   return granule << search->follower->shifts[search->space];
}

static void found(void *data, uint64_t granule, uint64_t a, uint64_t b)
{
   const struct search *search = data;
   struct rt_finding finding = {.address = address_of(search, granule)};
   set_worker(&finding, search->follower->worker);
   set_party(search->follower->races, &finding.party, a);
   set_party(search->follower->races, &finding.other, b);
   if (finding.party.site && finding.other.site)
      rt_findings_add(search->follower->races->findings, &finding);
}

/* Two invocations of one workgroup. */
static bool are_of_one_subgroup(const struct search *search, uint64_t a, uint64_t b)
{
   const uint32_t size = UTIL_MAX(search->follower->any_site->subgroup_size, 1u);
   return local_of(a) / size == local_of(b) / size;
}

static bool is_same_epoch(uint64_t a, uint64_t b)
{
   const uint32_t mask = (1 << RT_ACCESS_EPOCH_BITS) - 1;
   return (a >> RT_ACCESS_EPOCH_SHIFT & mask) == (b >> RT_ACCESS_EPOCH_SHIFT & mask);
}

/* A barrier of their subgroup was between. */
static bool are_ordered_within(const void *data, uint64_t a, uint64_t b)
{
   return are_of_one_subgroup(data, a, b) && !is_same_epoch(a, b);
}

/* A round is what a subgroup does between two of its barriers. */
static bool are_of_two_rounds(const void *data, uint64_t a, uint64_t b)
{
   return !are_of_one_subgroup(data, a, b) || !is_same_epoch(a, b);
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

static void list(struct rt_follower *follower, enum space space, uint64_t granule)
{
   if (follower->num_listed == follower->cap_listed) {
      const uint32_t cap = UTIL_MAX(64u, follower->cap_listed * 2);
      struct listed *larger = util_realloc(follower->listed, cap * sizeof(*larger));
      if (!larger) {
         follower->member->shadows[space].is_out_of_memory = true;
         return;
      }
      follower->listed = larger;
      follower->cap_listed = cap;
   }
   follower->listed[follower->num_listed++] = (struct listed){granule, space};
}

/* The least pair of a granule within the phase; `is_round`: within the round of a subgroup. */
static void judge(const struct rt_follower *follower, enum space space, uint64_t granule, bool is_round)
{
   struct search search = {follower, space};
   const struct rt_conflicts conflicts = {RT_ACCESS_LOCAL_SHIFT, is_round ? are_of_two_rounds : are_ordered_within, found, &search};
   const struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule, RT_SHADOW_WRITE);
   const uint64_t group = (uint64_t)follower->group << RT_ACCESS_GROUP_SHIFT;
   uint64_t extremes[RT_NUM_SHADOW_CLASSES][2];
   for (uint32_t c = 0, at = granule % RT_PAGE_GRANULES; page && c < RT_NUM_SHADOW_CLASSES; c++) {
      const struct rt_shadow_row *row = page->rows[c];
      const bool is_there = row && row->phases[at] == follower->phases[space];
      extremes[c][0] = is_there ? group | (is_round ? row->rounds[at][0] : row->least[at]) : RT_NO_ACCESS;
      extremes[c][1] = is_there ? group | (is_round ? row->rounds[at][1] : row->greatest[at]) : RT_NO_ACCESS;
   }
   if (page)
      rt_shadow_judge(granule, extremes, &conflicts);
}

/* What is listed of the spaces that the semantics name. */
static void judge_listed(struct rt_follower *follower, uint32_t semantics)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < follower->num_listed; i++) {
      const struct listed it = follower->listed[i];
      if (!(semantics_of[it.space] & semantics)) {
         follower->listed[kept++] = it;
         continue;
      }
      judge(follower, it.space, it.granule, false);
      struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[it.space], it.granule, RT_SHADOW_WRITE);
      if (page)
         page->listed[it.granule % RT_PAGE_GRANULES / 64] &= ~(UINT64_C(1) << it.granule % 64);
   }
   follower->num_listed = kept;
}

static void begin_phase(struct rt_follower *follower, uint32_t semantics)
{
   struct member *member = follower->member;
   if (member->num_phases + 1 >= member->cap_phases) {
      const uint32_t cap = UTIL_MAX(1024u, member->cap_phases * 2);
      uint32_t *larger = cap > member->cap_phases ? util_realloc(member->groups, cap * sizeof(*larger)) : NULL;
      if (!larger) {
         member->is_out_of_memory = true;
         return;
      }
      member->groups = larger;
      member->cap_phases = cap;
   }
   member->groups[++member->num_phases] = follower->group;
   for (uint32_t space = 0; space < NUM_SPACES; space++) {
      if (semantics_of[space] & semantics)
         follower->phases[space] = member->num_phases;
   }
}

static void count_fence(struct rt_follower *follower)
{
   if (follower->is_fenced) {
      follower->fences = UTIL_MIN(follower->fences + 1, (uint32_t)MAX_FENCES);
      memset(follower->fenced, 0, sizeof(follower->fenced));
   }
   follower->is_fenced = false;
   follower->ordered = 0;
}

static void end_workgroup(struct rt_follower *follower)
{
   struct rt_races *races = follower->races;
   if (!follower->has_workgroup)
      return;
   judge_listed(follower, UINT32_MAX);
   count_fence(follower);
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

void rt_races_workgroup(struct abi_worker *abi, const uint32_t id[3])
{
   struct rt_follower *follower = abi->owner->follower;
   if (!follower || !follower->races)
      return;
   const uint32_t *groups = follower->races->args.num_workgroups, *base = follower->races->args.base;
   end_workgroup(follower);
   follower->has_workgroup = true;
   follower->group = ((id[2] - base[2]) * groups[1] + id[1] - base[1]) * groups[0] + id[0] - base[0];
   follower->fences = 0;
   if (follower->has_rounds)
      memset(follower->epochs, 0, sizeof(follower->epochs));
   follower->has_rounds = false;
   begin_phase(follower, UINT32_MAX);
}

/* ---- items ---- */

/* The worker's own part of the dispatch. NULL: memory is out. */
static struct member *find_member(struct rt_races *races, const struct rt_worker *worker)
{
   pthread_mutex_lock(&races->lock);
   struct member *member = races->members;
   while (member && member->worker != worker)
      member = member->next;
   if (!member)
      member = util_calloc(1, sizeof(*member));
   if (member && !member->worker) {
      member->worker = worker;
      member->next = races->members;
      races->members = member;
   }
   pthread_mutex_unlock(&races->lock);
   return member;
}

bool rt_races_enter(struct rt_races *races, struct rt_worker *worker)
{
   if (!worker->follower)
      worker->follower = util_calloc(1, sizeof(*worker->follower));
   struct member *member = worker->follower ? find_member(races, worker) : NULL;
   if (!member)
      return false;
   struct rt_follower *follower = worker->follower;
   follower->races = races;
   follower->member = member;
   follower->worker = worker;
   for (uint32_t i = 0; i < NUM_SPACES; i++) {
      if (member->shadows[i].spare)
         continue;
      member->shadows[i].spare = follower->spare;
      follower->spare = NULL;
   }
   worker->abi.reached = follower->reached;
   return true;
}

/* All members' shadows become one's. */
static void find_between_workgroups(struct rt_follower *follower)
{
   struct rt_shadow *all = follower->races->members->shadows;
   bool is_out_of_memory = false;
   for (struct member *member = follower->races->members; member; member = member->next) {
      is_out_of_memory |= member->is_out_of_memory;
      for (uint32_t space = 0; space < SHARED; space++) {
         rt_shadow_set_groups(&member->shadows[space], member->groups);
         if (member->shadows != all)
            rt_shadow_merge(&all[space], &member->shadows[space]);
      }
   }
   for (uint32_t space = 0; space < NUM_SPACES; space++) {
      struct search search = {follower, space};
      const struct rt_conflicts conflicts = {RT_ACCESS_GROUP_SHIFT, are_ordered_between, found, &search};
      is_out_of_memory |= all[space].is_out_of_memory;
      if (space != SHARED)
         rt_shadow_judge_all(&all[space], &conflicts);
      rt_shadow_give_spare(&all[space], &follower->spare);
      rt_shadow_finish(&all[space]);
   }
   if (is_out_of_memory)
      util_log("the search for races had too little memory: some may not be reported");
}

void rt_races_leave(struct rt_worker *worker)
{
   struct rt_follower *follower = worker->follower;
   end_workgroup(follower);
   pthread_mutex_lock(&follower->races->lock);
   const bool is_last = --follower->races->items_left == 0;
   pthread_mutex_unlock(&follower->races->lock);
   if (is_last)
      find_between_workgroups(follower);
   follower->races = NULL;
}

/* ---- barriers ---- */

/* All that will have reached the barrier: who is missing? */
static void check_reached(struct rt_follower *follower, const struct abi_site *site)
{
   const uint32_t total = UTIL_MIN(site->local_size[0] * site->local_size[1] * site->local_size[2], (uint32_t)MAX_INVOCATIONS), lanes = site->limit;
   struct rt_finding finding = {.party.site = site, .of = total};
   uint32_t missing = UINT32_MAX;
   for (uint32_t first = 0, vector = 0; first < total; first += lanes, vector++) {
      const uint32_t count = UTIL_MIN(lanes, total - first), all = count == 32 ? UINT32_MAX : (1u << count) - 1;
      const uint32_t absent = all & ~follower->reached[vector];
      finding.count += count - (uint32_t)__builtin_popcount(absent);
      if (absent)
         missing = UTIL_MIN(missing, first + (uint32_t)__builtin_ctz(absent));
      follower->reached[vector] = 0;
   }
   if (missing == UINT32_MAX || !util_debug(UTIL_DEBUG_BARRIER))
      return;
   set_worker(&finding, follower->worker);
   set_words(follower->races, &finding.party, follower->group, missing);
   rt_findings_add(follower->races->findings, &finding);
}

void rt_races_barrier(struct abi_worker *abi, const struct abi_site *site)
{
   struct rt_follower *follower = abi->owner->follower;
   if (!follower || !follower->races)
      return;
   check_reached(follower, site);
   const uint32_t semantics = site->semantics & ACQUIRE_RELEASE ? site->semantics : 0;
   if (semantics & semantics_of[BUFFERS] && site->memory <= 1)
      follower->is_fenced = true;
   const uint32_t ordered = semantics | follower->ordered;
   judge_listed(follower, ordered);
   count_fence(follower);
   begin_phase(follower, ordered);
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
      const uint32_t local = (uint32_t)call->operands[0][__builtin_ctz(mask)] & (MAX_INVOCATIONS - 1);
      if (is_of_device)
         util_bitset_set(follower->fenced, local);
      if (site->scope == SCOPE_SUBGROUP) {
         follower->epochs[local]++;
         follower->has_rounds = true;
      }
   }
}

/* ---- accesses ---- */

static enum rt_shadow_class class_of(const struct abi_site *site)
{
   static const uint8_t classes[] = {[ABI_PROBE_READ] = RT_SHADOW_READ, [ABI_PROBE_WRITE] = RT_SHADOW_WRITE, [ABI_PROBE_ATOMIC] = RT_SHADOW_ATOMIC};
   const bool is_load = site->access == ABI_PROBE_ATOMIC && !strncmp(site->texts + site->operation, "load", 4);
   return is_load ? RT_SHADOW_ATOMIC_READ : classes[site->access];
}

/* What is the same for all lanes: all but the invocation and its order. */
static uint64_t access_of(const struct rt_follower *follower, const struct abi_site *site)
{
   return (uint64_t)follower->group << RT_ACCESS_GROUP_SHIFT | (uint64_t)site->number << RT_ACCESS_SITE_SHIFT | follower->fences;
}

static uint64_t access_by(const struct rt_follower *follower, uint64_t access, uint32_t local)
{
   access |= (uint64_t)local << RT_ACCESS_LOCAL_SHIFT;
   if (UTIL_UNLIKELY(follower->has_rounds))
      access |= (uint64_t)(follower->epochs[local] & ((1u << RT_ACCESS_EPOCH_BITS) - 1)) << RT_ACCESS_EPOCH_SHIFT;
   if (UTIL_UNLIKELY(follower->is_fenced))
      access += follower->fences < MAX_FENCES && util_bitset_test(follower->fenced, local);
   return access;
}

static void note_round(const struct rt_follower *follower, struct rt_shadow_row *row, uint32_t at, uint32_t access, bool is_first)
{
   const struct search search = {.follower = follower};
   uint32_t *round = row->rounds[at];
   if (is_first || are_of_two_rounds(&search, round[0], access)) {
      round[0] = round[1] = access;
      return;
   }
   round[0] = UTIL_MIN(round[0], access);
   round[1] = UTIL_MAX(round[1], access);
}

/* Accesses to `count` granules of a page from number `first` of it on. Granule i is touched by (least + (i >> shift << RT_ACCESS_LOCAL_SHIFT)), and by
 * as many more as `greatest` is greater. */
struct run {
   struct rt_follower *follower;
   enum space space;
   enum rt_shadow_class class;
   struct rt_shadow_page *page;
   uint32_t first, count, shift;
   uint32_t least, greatest;
};

/* Where another phase was the last one, it becomes an earlier one. */
static void fold_run(const struct run *run, uint32_t phase)
{
   struct rt_shadow_row *row = run->page->rows[run->class];
   struct member *member = run->follower->member;
   for (uint32_t i = run->first; i < run->first + run->count; i++) {
      if (!row->phases[i] || row->phases[i] == phase)
         continue;
      if (!rt_shadow_fold(run->page, run->class, i, member->groups[row->phases[i]]))
         member->is_out_of_memory = true;
   }
}

/* Granules that another phase touched last. */
static inline __attribute__((always_inline)) uint32_t count_old(const uint32_t *phases, uint32_t count, uint32_t phase)
{
   uint32_t is_old = 0;
   for (uint32_t i = 0; i < count; i++)
      is_old |= phases[i] && phases[i] != phase ? 1 : 0;
   return is_old;
}

/* Keys are less than 1 << 31. */
static inline __attribute__((always_inline)) void merge(uint32_t *restrict phases, uint32_t *restrict least, uint32_t *restrict greatest, uint32_t count, uint32_t shift,
                                     uint32_t phase, const struct run *run)
{
   const int32_t lowest = (int32_t)run->least, highest = (int32_t)run->greatest;
   for (uint32_t i = 0; i < count; i++) {
      const int32_t step = (int32_t)(i >> shift << RT_ACCESS_LOCAL_SHIFT), low = lowest + step, high = highest + step;
      const int32_t x = (int32_t)least[i], y = (int32_t)greatest[i], lesser = x < low ? x : low, larger = y > high ? y : high;
      const bool is_first = phases[i] != phase;
      least[i] = (uint32_t)(is_first ? low : lesser);
      greatest[i] = (uint32_t)(is_first ? high : larger);
      phases[i] = phase;
   }
}

/* Not zero where somebody else touched a granule in this phase. */
static inline __attribute__((always_inline)) uint32_t others_in(const uint32_t *phases, const uint32_t *least, const uint32_t *greatest, uint32_t count, uint32_t shift,
                                             uint32_t phase, const struct run *run)
{
   uint32_t is_other = 0;
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t step = i >> shift << RT_ACCESS_LOCAL_SHIFT, low = run->least + step, high = run->greatest + step;
      const uint32_t differs = ((least[i] ^ low) | (greatest[i] ^ high) | (low ^ high)) >> RT_ACCESS_LOCAL_SHIFT;
      is_other |= phases[i] == phase ? differs : 0;
   }
   return is_other;
}

/* The lengths that are common are made for themselves, so that the C compiler makes vector code of them. */
static void merge_run(const struct run *run, uint32_t phase)
{
   struct rt_shadow_row *row = run->page->rows[run->class];
   uint32_t *phases = row->phases + run->first, *least = row->least + run->first, *greatest = row->greatest + run->first;
   const bool is_vector = run->count == 16 && run->shift == 0;
   if (run->space != SHARED && UTIL_UNLIKELY(is_vector ? count_old(phases, 16, phase) : count_old(phases, run->count, phase)))
      fold_run(run, phase);
   if (is_vector)
      merge(phases, least, greatest, 16, 0, phase, run);
   else if (run->count == 1)
      merge(phases, least, greatest, 1, 31, phase, run);
   else
      merge(phases, least, greatest, run->count, run->shift, phase, run);
}

static uint32_t has_others(const struct run *run, const struct rt_shadow_row *row, uint32_t phase)
{
   const uint32_t *phases = row->phases + run->first, *least = row->least + run->first, *greatest = row->greatest + run->first;
   if (run->count == 16 && run->shift == 0)
      return others_in(phases, least, greatest, 16, 0, phase, run);
   if (run->count == 1)
      return others_in(phases, least, greatest, 1, 31, phase, run);
   return others_in(phases, least, greatest, run->count, run->shift, phase, run);
}

static void list_run(const struct run *run)
{
   struct rt_follower *follower = run->follower;
   for (uint32_t i = run->first; i < run->first + run->count; i++) {
      const uint64_t granule = run->page->number << RT_PAGE_SHIFT | i;
      if (follower->has_subgroup_barriers)
         judge(follower, run->space, granule, true);
      if (!(run->page->listed[i / 64] >> i % 64 & 1))
         list(follower, run->space, granule);
      run->page->listed[i / 64] |= UINT64_C(1) << i % 64;
   }
}

static void note_run(struct run *run)
{
   const uint32_t phase = run->follower->phases[run->space];
   struct rt_shadow_row *row = run->page->rows[run->class];
   if (UTIL_UNLIKELY(run->follower->has_subgroup_barriers)) { /* a run is one granule */
      const bool is_first = row->phases[run->first] != phase;
      note_round(run->follower, row, run->first, run->least, is_first);
   }
   merge_run(run, phase);
   uint32_t is_other = 0;
   for (uint32_t others = rt_shadow_conflicts[run->class]; others; others &= others - 1) {
      const struct rt_shadow_row *other = run->page->rows[__builtin_ctz(others)];
      is_other |= other ? has_others(run, other, phase) : 0;
   }
   if (UTIL_UNLIKELY(is_other))
      list_run(run);
}

/* The same for granules of any number, cut at the ends of pages. */
static void note(struct rt_follower *follower, enum space space, enum rt_shadow_class class, uint64_t granule, uint32_t count, uint32_t shift,
                 uint32_t least, uint32_t greatest)
{
   while (count) {
      struct run run = {follower, space, class, rt_shadow_page(&follower->member->shadows[space], granule, class), granule % RT_PAGE_GRANULES, count, shift,
                        least, greatest};
      if (UTIL_UNLIKELY(!run.page))
         return;
      run.count = UTIL_MIN(count, RT_PAGE_GRANULES - run.first);
      if (UTIL_UNLIKELY(run.count < count && shift < 31))
         run.count = UTIL_MIN(run.count, 1u << shift); /* what follows begins with another invocation then */
      note_run(&run);
      granule += run.count;
      least += run.count >> shift << RT_ACCESS_LOCAL_SHIFT;
      greatest += run.count >> shift << RT_ACCESS_LOCAL_SHIFT;
      count -= run.count;
   }
}

/* One access of each lane that is on. `local`: the first lane's. */
static struct rt_follower *begin(struct rt_worker *worker, const struct abi_site *site)
{
   struct rt_follower *follower = worker->follower;
   if (!follower || !follower->races || follower->member->is_out_of_memory)
      return NULL;
   follower->any_site = site;
   follower->has_subgroup_barriers = site->has_subgroup_barriers;
   for (uint32_t i = 0; site->has_subgroup_barriers && i < NUM_SPACES; i++)
      follower->member->shadows[i].has_rounds = true;
   if (!follower->races->sites[site->number])
      __atomic_store_n(&follower->races->sites[site->number], site, __ATOMIC_RELAXED);
   return follower;
}

/* What a vector does to memory: lanes side by side that touch the same granule, or granules side by side, go together. */
struct accesses {
   enum space space;
   enum rt_shadow_class class;
   uint32_t shift, count; /* bytes of a granule, as a shift; granules of a lane */
   uint64_t access;       /* without the invocation */
};

static uint32_t lanes_together(const uint64_t *addresses, uint32_t mask, uint32_t lane, uint64_t step)
{
   uint32_t end = lane + 1;
   while (end < 32 && mask >> end & 1 && addresses[end] == addresses[end - 1] + step)
      end++;
   return end - lane;
}

static void note_lanes(struct rt_follower *follower, const struct accesses *it, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   const uint64_t step = (uint64_t)it->count << it->shift;
   const bool has_power = !(it->count & (it->count - 1)), is_apart = follower->has_rounds || follower->is_fenced || follower->has_subgroup_barriers;
   while (mask) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask), who = (local + lane) & (MAX_INVOCATIONS - 1);
      const uint32_t same = is_apart ? 1 : lanes_together(addresses, mask, lane, 0);
      const uint32_t row = is_apart || same > 1 || !has_power ? 1 : lanes_together(addresses, mask, lane, step);
      const uint32_t least = (uint32_t)access_by(follower, it->access, who), lanes = UTIL_MAX(same, row);
      const uint32_t shift = row > 1 ? (uint32_t)__builtin_ctz(it->count) : 31;
      for (uint32_t i = 0; is_apart && i < it->count; i++)
         note(follower, it->space, it->class, (addresses[lane] >> it->shift) + i, 1, 31, least, least);
      if (!is_apart)
         note(follower, it->space, it->class, addresses[lane] >> it->shift, row * it->count, shift, least,
              least + ((same - 1) << RT_ACCESS_LOCAL_SHIFT));
      mask &= lanes + lane < 32 ? UINT32_MAX << (lanes + lane) : 0;
   }
}

void rt_races_access(struct abi_worker *abi, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   struct rt_follower *follower = begin(UTIL_CONTAINER_OF(abi, struct rt_worker, abi), site);
   if (!follower)
      return;
   const uint32_t shift = (uint32_t)__builtin_ctz(site->limit);
   const struct accesses accesses = {
      .space = site->probe == ABI_PROBE_ACCESS_SHARED ? SHARED : BUFFERS,
      .class = class_of(site),
      .shift = shift,
      .count = UTIL_MAX(site->bytes >> shift, 1u),
      .access = access_of(follower, site),
   };
   follower->shifts[accesses.space] = shift;
   note_lanes(follower, &accesses, mask, local, addresses);
}

static void note_texels(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const uint64_t access = access_of(follower, call->site);
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask), local = (uint32_t)call->operands[0][lane] & (MAX_INVOCATIONS - 1);
      uint32_t bytes = 1;
      const uint64_t address = rt_probed_texel(call, 1, lane, &bytes), shift = (uint64_t)__builtin_ctz(bytes);
      if (address)
         note(follower, IMAGES, class_of(call->site), address >> shift | shift << IMAGE_SHIFT_AT, 1, 31, (uint32_t)access_by(follower, access, local),
              (uint32_t)access_by(follower, access, local));
   }
}

void rt_races_probe(const struct abi_probe_call *call, struct rt_worker *worker)
{
   struct rt_follower *follower = call->mask ? begin(worker, call->site) : NULL;
   if (follower && call->site->probe == ABI_PROBE_FENCE)
      fence(follower, call);
   else if (follower)
      note_texels(follower, call);
}
