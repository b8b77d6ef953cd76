/* SPDX-License-Identifier: MIT
 * A workgroup runs in one thread, so what its invocations do between two barriers, a phase, is followed there, in shadows of the thread's own, one for each
 * space of memory. An access that conflicts with one before it lists its granule: at the end of the phase the least pair of each is found.
 * Conflicts between workgroups are found when all have run. A barrier that does not name a space does not end its phase. */
#include "runtime/instrument/follower.h"

#include "runtime/pool_internal.h"
#include "util/alloc.h"
#include "util/debug.h"

#include <stdio.h>
#include <string.h>

enum { SCOPE_SUBGROUP = 3, ACQUIRE = 0x1a, RELEASE = 0x1c }; /* semantics with those that are both */

/* SPIR-V's memory semantics that order a space. */
static const uint32_t semantics_of[RT_RACE_NUM_SPACES] = {[RT_RACE_BUFFERS] = 0x40, [RT_RACE_IMAGES] = 0x800, [RT_RACE_SHARED] = 0x100};
enum { OF_THE_DEVICE = 0x40 | 0x800, MAX_KEPT_PHASES = 1 << 16 };

static void set_dispatch(struct rt_races *races, const struct abi_compute_args *args, uint32_t num_items)
{
   races->args = *args;
   races->items_left = num_items;
   races->num_workgroups = (uint64_t)args->num_workgroups[0] * args->num_workgroups[1] * args->num_workgroups[2];
   races->is_over = false;
   for (uint32_t i = 0; i < RT_RACE_NUM_SPACES; i++)
      races->is_settled[i] = false;
}

struct rt_races *rt_races_create(struct rt_findings *findings, const struct abi_compute_args *args, uint32_t num_items)
{
   struct rt_races *races = util_calloc(1, sizeof(*races));
   if (!races)
      return NULL;
   races->findings = findings;
   set_dispatch(races, args, num_items);
   if (!util_mutex_init(&races->lock)) {
      util_mfree(races);
      return NULL;
   }
   return races;
}

static void finish_member(struct rt_race_member *member)
{
   for (uint32_t i = 0; i < RT_RACE_NUM_SPACES; i++)
      rt_shadow_finish(&member->shadows[i]);
   util_mfree(member->patterns);
   util_mfree(member->recordings);
   util_mfree(member->groups);
   util_mfree(member);
}

void rt_races_destroy(struct rt_races *races)
{
   if (!races)
      return;
   for (struct rt_race_member *member = races->members, *next; member; member = next) {
      next = member->next;
      finish_member(member);
   }
   util_mfree(races->final_fences);
   pthread_mutex_destroy(&races->lock);
   util_mfree(races);
}

/* Of workgroups of draws, which come one after the other: what is known of shared memory, by phases that are over, need not be made anew for each. */
static bool keeps_shared(const struct rt_races *races, const struct rt_race_member *member)
{
   return races->is_within_workgroups && member->num_phases < MAX_KEPT_PHASES;
}

static void restart_member(const struct rt_races *races, struct rt_race_member *member)
{
   memset(member->followed, 0, sizeof(member->followed)); /* so that sites are found again */
   memset(member->pairs, 0, sizeof(member->pairs));
   rt_recordings_reset(member->recordings);
   member->num_phases = keeps_shared(races, member) ? member->num_phases : 0;
   member->is_out_of_memory = false;
}

bool rt_races_restart(struct rt_races *races, const struct abi_compute_args *args, uint32_t num_items)
{
   pthread_mutex_lock(&races->lock);
   const bool is_over = races->is_over;
   pthread_mutex_unlock(&races->lock);
   if (!is_over)
      return false;
   for (struct rt_race_member *member = races->members; member; member = member->next)
      restart_member(races, member);
   util_mfree(races->final_fences);
   races->final_fences = NULL;
   set_dispatch(races, args, num_items);
   return true;
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
   rt_shadow_rows_finish(&worker->follower->spare);
   for (uint32_t i = 0; i < RT_RACE_NUM_SPACES; i++)
      rt_clocks_destroy(worker->follower->clocks[i]);
   rt_races_destroy(worker->follower->own);
   util_mfree(worker->follower->listed);
   util_mfree(worker->follower);
   worker->follower = NULL;
   worker->abi.reached = NULL;
   worker->abi.race_log = NULL;
}

/* ---- findings ---- */

static uint32_t local_of(uint64_t access)
{
   return access >> RT_ACCESS_LOCAL_SHIFT & (RT_RACE_INVOCATIONS - 1);
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
   party->site = rt_races_site(races, access >> RT_ACCESS_SITE_SHIFT & (ABI_MAX_SITES - 1));
   set_words(races, party, group_of(access), local_of(access));
}

static void set_worker(struct rt_finding *finding, const struct rt_worker *worker)
{
   const char *label = atomic_load_explicit(&worker->running, memory_order_relaxed);
   finding->order = worker->order;
   snprintf(finding->label, sizeof(finding->label), "%s", label ? label : "");
}

static uint64_t address_of(const struct rt_race_search *search, uint64_t granule)
{
   if (search->space == RT_RACE_IMAGES)
      return (granule & RT_RACE_IMAGE_GRANULES) << (granule >> RT_RACE_IMAGE_SHIFT);
   return granule << search->follower->shifts[search->space];
}

/* Programs that race everywhere do so at millions of granules. */
static bool is_known(struct rt_race_member *member, uint64_t a, uint64_t b)
{
   const uint64_t first = a >> RT_ACCESS_SITE_SHIFT, second = b >> RT_ACCESS_SITE_SHIFT;
   const uint32_t sites[2] = {first & (ABI_MAX_SITES - 1), second & (ABI_MAX_SITES - 1)};
   struct rt_race_pair *pair = &member->pairs[(sites[0] * 31 + sites[1]) % RT_RACE_PAIRS];
   const bool is_same = pair->is_there && (pair->first & (ABI_MAX_SITES - 1)) == sites[0] && (pair->second & (ABI_MAX_SITES - 1)) == sites[1];
   if (is_same && (pair->first < first || (pair->first == first && pair->second <= second)))
      return true;
   *pair = (struct rt_race_pair){first, second, true};
   return false;
}

bool rt_races_is_no_news(const struct rt_follower *follower, uint32_t a, uint32_t b)
{
   const uint32_t sites[2] = {a >> RT_ACCESS_SITE_SHIFT & (ABI_MAX_SITES - 1), b >> RT_ACCESS_SITE_SHIFT & (ABI_MAX_SITES - 1)};
   const struct rt_race_pair *pair = &follower->member->pairs[(sites[0] * 31 + sites[1]) % RT_RACE_PAIRS];
   return pair->is_there && (pair->first & (ABI_MAX_SITES - 1)) == sites[0] && (pair->second & (ABI_MAX_SITES - 1)) == sites[1] &&
          pair->first >> (RT_ACCESS_GROUP_SHIFT - RT_ACCESS_SITE_SHIFT) < follower->group;
}

/* No access of the site is before the first one's of the dispatch, none of other workgroups before the other one. */
static void settle(const struct rt_race_search *search, uint64_t a, uint64_t b)
{
   const struct abi_site *site = rt_races_site(search->follower->races, a >> RT_ACCESS_SITE_SHIFT & (ABI_MAX_SITES - 1));
   if (site && site->is_alone && !group_of(a) && !local_of(a) && !group_of(b))
      atomic_store_explicit(&search->follower->races->is_settled[search->space], true, memory_order_relaxed);
}

static void found(void *data, uint64_t granule, uint64_t a, uint64_t b)
{
   const struct rt_race_search *search = data;
   settle(search, a, b);
   if (is_known(search->follower->member, a, b))
      return;
   struct rt_finding finding = {.address = address_of(search, granule)};
   set_worker(&finding, search->follower->worker);
   set_party(search->follower->races, &finding.party, a);
   set_party(search->follower->races, &finding.other, b);
   if (finding.party.site && finding.other.site)
      rt_findings_add(search->follower->races->findings, &finding);
}

/* Two invocations of one workgroup. */
static bool are_of_one_subgroup(const struct rt_race_search *search, uint64_t a, uint64_t b)
{
   const uint32_t size = UTIL_MAX(search->follower->any_site->subgroup_size, 1u);
   return local_of(a) / size == local_of(b) / size;
}

static bool is_same_epoch(uint64_t a, uint64_t b)
{
   const uint32_t mask = (1 << RT_ACCESS_EPOCH_BITS) - 1;
   return (a >> RT_ACCESS_EPOCH_SHIFT & mask) == (b >> RT_ACCESS_EPOCH_SHIFT & mask);
}

static uint32_t clock_of(uint64_t access)
{
   return access >> RT_ACCESS_EPOCH_SHIFT & RT_MAX_CLOCK;
}

/* A barrier of their subgroup was between, or fences and atomics. */
static bool are_ordered_within(const void *data, uint64_t a, uint64_t b)
{
   const struct rt_race_search *search = data;
   if (search->follower->has_clocks[search->space])
      return rt_clocks_are_ordered(search->follower->clocks[search->space], local_of(a), clock_of(a), local_of(b), clock_of(b));
   return are_of_one_subgroup(data, a, b) && !is_same_epoch(a, b);
}

bool rt_races_are_of_two_rounds(const void *data, uint64_t a, uint64_t b)
{
   return !are_of_one_subgroup(data, a, b) || !is_same_epoch(a, b) || are_ordered_within(data, a, b);
}

static bool is_released(const struct rt_races *races, uint64_t access)
{
   const uint32_t fences = access & RT_RACE_FENCES, final = races->final_fences ? races->final_fences[group_of(access)] : 0;
   return final > fences || final == RT_RACE_FENCES;
}

static bool is_acquired(uint64_t access)
{
   return access & RT_RACE_FENCES;
}

/* Of two workgroups. */
static bool are_ordered_between(const void *data, uint64_t a, uint64_t b)
{
   const struct rt_races *races = ((const struct rt_race_search *)data)->follower->races;
   return (is_released(races, a) && is_acquired(b)) || (is_released(races, b) && is_acquired(a));
}

/* ---- phases ---- */

void rt_races_list(struct rt_follower *follower, enum rt_race_space space, uint64_t granule)
{
   if (follower->num_listed == follower->cap_listed) {
      const uint32_t cap = UTIL_MAX(64u, follower->cap_listed * 2);
      struct rt_race_listed *larger = util_realloc(follower->listed, cap * sizeof(*larger));
      if (!larger) {
         follower->member->shadows[space].is_out_of_memory = true;
         return;
      }
      follower->listed = larger;
      follower->cap_listed = cap;
   }
   follower->listed[follower->num_listed++] = (struct rt_race_listed){granule, space};
}

void rt_races_judge(const struct rt_follower *follower, enum rt_race_space space, uint64_t granule, bool is_round)
{
   struct rt_race_search search = {follower, space};
   const struct rt_conflicts conflicts = {RT_ACCESS_LOCAL_SHIFT, is_round ? rt_races_are_of_two_rounds : are_ordered_within, found, &search};
   const struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule, RT_SHADOW_WRITE, 0);
   const uint64_t group = (uint64_t)follower->group << RT_ACCESS_GROUP_SHIFT;
   uint64_t extremes[RT_NUM_SHADOW_CLASSES][2];
   for (uint32_t c = 0, at = granule % RT_PAGE_GRANULES; page && c < RT_NUM_SHADOW_CLASSES; c++) {
      const struct rt_shadow_last last = rt_shadow_last_of(page, c, at);
      const bool is_there = last.phase && last.phase == follower->phases[space];
      extremes[c][0] = is_there ? group | (is_round ? page->rows[c]->rounds[at][0] : last.least) : RT_NO_ACCESS;
      extremes[c][1] = is_there ? group | (is_round ? page->rows[c]->rounds[at][1] : last.greatest) : RT_NO_ACCESS;
   }
   if (page)
      rt_shadow_judge(granule, extremes, &conflicts);
}

void rt_races_judge_access(const struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t access)
{
   struct rt_race_search search = {follower, space};
   const struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule, class, 0);
   const uint64_t group = (uint64_t)follower->group << RT_ACCESS_GROUP_SHIFT;
   for (uint32_t classes = page ? rt_shadow_conflicts[class] : 0; classes; classes &= classes - 1) {
      const struct rt_shadow_last last = rt_shadow_last_of(page, __builtin_ctz(classes), granule % RT_PAGE_GRANULES);
      for (uint32_t i = 0; last.phase && last.phase == follower->phases[space] && i < 2; i++) {
         const uint64_t x = group | (i ? last.greatest : last.least), y = group | access;
         if (local_of(x) != local_of(y) && !are_ordered_within(&search, x, y))
            found(&search, granule, UTIL_MIN(x, y), UTIL_MAX(x, y));
      }
   }
}

/* What is listed of the spaces that the semantics name. */
static void judge_listed(struct rt_follower *follower, uint32_t semantics)
{
   uint32_t kept = 0;
   for (uint32_t i = 0; i < follower->num_listed; i++) {
      const struct rt_race_listed it = follower->listed[i];
      if (!(semantics_of[it.space] & semantics)) {
         follower->listed[kept++] = it;
         continue;
      }
      rt_races_judge(follower, it.space, it.granule, false);
      struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[it.space], it.granule, RT_SHADOW_WRITE, 0);
      if (page)
         page->listed[it.granule % RT_PAGE_GRANULES / 64] &= ~(UINT64_C(1) << it.granule % 64);
   }
   follower->num_listed = kept;
}

static void begin_phase(struct rt_follower *follower, uint32_t semantics)
{
   follower->serial++;
   struct rt_race_member *member = follower->member;
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
   for (uint32_t space = 0; space < RT_RACE_NUM_SPACES; space++) {
      if (!(semantics_of[space] & semantics))
         continue;
      follower->phases[space] = member->num_phases;
      follower->has_clocks[space] = false;
   }
   rt_races_find_apart(follower);
   if (semantics & semantics_of[RT_RACE_SHARED])
      rt_recordings_begin(follower, semantics == UINT32_MAX);
}

void rt_races_find_apart(struct rt_follower *follower)
{
   follower->is_apart = follower->has_rounds || follower->is_fenced || follower->has_subgroup_barriers || rt_races_has_clocks(follower);
   follower->log.max_used = follower->is_apart ? 0 : ABI_RACE_SLOTS;
}

static void count_fence(struct rt_follower *follower)
{
   if (follower->is_fenced) {
      follower->fences = UTIL_MIN(follower->fences + 1, (uint32_t)RT_RACE_FENCES);
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
   rt_recordings_end(follower);
   rt_races_flush(follower);
   rt_patterns_end_phase(follower);
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
static struct rt_race_member *find_member(struct rt_races *races, const struct rt_worker *worker)
{
   pthread_mutex_lock(&races->lock);
   struct rt_race_member *member = races->members;
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
   struct rt_race_member *member = worker->follower ? find_member(races, worker) : NULL;
   if (!member)
      return false;
   struct rt_follower *follower = worker->follower;
   follower->races = races;
   follower->member = member;
   follower->worker = worker;
   for (uint32_t i = 0; i < RT_RACE_NUM_SPACES; i++)
      member->shadows[i].spare = &follower->spare;
   worker->abi.reached = follower->reached;
   worker->abi.race_log = &follower->log;
   follower->log.sites = races->sites;
   return true;
}

static void finish_shadow(struct rt_follower *follower, struct rt_shadow *shadow)
{
   rt_shadow_give_rows(shadow, &follower->spare);
   rt_shadow_finish(shadow);
}

/* All members' shadows become one's. */
static bool merge_members(struct rt_follower *follower, struct rt_shadow *all)
{
   bool is_out_of_memory = false;
   for (uint32_t space = 0; space < RT_RACE_NUM_SPACES; space++)
      all[space].spare = &follower->spare; /* its own worker may be elsewhere */
   for (struct rt_race_member *member = follower->races->members; member; member = member->next) {
      is_out_of_memory |= member->is_out_of_memory;
      for (uint32_t space = 0; space < RT_RACE_SHARED; space++) {
         rt_shadow_set_groups(&member->shadows[space], member->groups);
         if (member->shadows != all)
            rt_shadow_merge(&all[space], &member->shadows[space]);
      }
      if (member->shadows != all)
         finish_shadow(follower, &member->shadows[RT_RACE_SHARED]); /* the next dispatch counts phases anew */
   }
   for (struct rt_race_member *member = follower->races->members; member; member = member->next)
      rt_patterns_end(member->patterns, &all[RT_RACE_BUFFERS]);
   return !is_out_of_memory;
}

static void find_between_workgroups(struct rt_follower *follower)
{
   struct rt_shadow *all = follower->races->members->shadows;
   const bool keeps = keeps_shared(follower->races, follower->races->members);
   uint32_t num_rows = 0;
   for (const struct rt_race_member *member = follower->races->members; member; member = member->next) {
      for (uint32_t space = 0; space < RT_RACE_NUM_SPACES; space++)
         num_rows += rt_shadow_count_rows(&member->shadows[space]);
   }
   follower->spare.limit = UTIL_MAX(follower->spare.limit, num_rows);
   bool is_out_of_memory = !merge_members(follower, all);
   for (uint32_t space = 0; space < RT_RACE_NUM_SPACES; space++) {
      struct rt_race_search search = {follower, space};
      const struct rt_conflicts conflicts = {RT_ACCESS_GROUP_SHIFT, are_ordered_between, found, &search};
      is_out_of_memory |= all[space].is_out_of_memory;
      if (space != RT_RACE_SHARED && !follower->races->is_within_workgroups)
         rt_shadow_judge_all(&all[space], &conflicts);
      if (space == RT_RACE_SHARED && keeps && !all[space].is_out_of_memory)
         continue;
      finish_shadow(follower, &all[space]);
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
   if (is_last) {
      find_between_workgroups(follower);
      pthread_mutex_lock(&follower->races->lock);
      follower->races->is_over = true;
      pthread_mutex_unlock(&follower->races->lock);
   }
   follower->races = NULL;
}

bool rt_races_begin(const struct abi_compute_args *args, struct rt_worker *worker)
{
   struct rt_findings *findings = rt_pool_findings(worker->pool);
   if (UTIL_LIKELY(!findings || !util_debug(UTIL_DEBUG_RACE | UTIL_DEBUG_BARRIER)))
      return true;
   struct rt_races *own = worker->follower ? worker->follower->own : NULL;
   if (!own || !rt_races_restart(own, args, 1)) {
      own = rt_races_create(findings, args, 1);
      if (own)
         own->is_within_workgroups = true;
   }
   if (own && rt_races_enter(own, worker)) {
      worker->follower->own = own;
      return true;
   }
   rt_races_destroy(own);
   if (worker->follower)
      worker->follower->own = NULL;
   rt_pool_fail(worker->pool, "out of memory for the search for races");
   return false;
}

void rt_races_end(struct rt_worker *worker)
{
   if (worker->follower && worker->follower->races)
      rt_races_leave(worker);
}

/* ---- barriers ---- */

/* All that will have reached the barrier: who is missing? */
static void check_reached(struct rt_follower *follower, const struct abi_site *site)
{
   const uint32_t total = UTIL_MIN(site->local_size[0] * site->local_size[1] * site->local_size[2], (uint32_t)RT_RACE_INVOCATIONS), lanes = site->limit;
   uint32_t missing = UINT32_MAX, count_absent = 0;
   for (uint32_t first = 0, vector = 0; first < total; first += lanes, vector++) {
      const uint32_t count = UTIL_MIN(lanes, total - first), all = count == 32 ? UINT32_MAX : (1u << count) - 1;
      const uint32_t absent = all & ~follower->reached[vector];
      if (UTIL_UNLIKELY(absent)) {
         count_absent += (uint32_t)__builtin_popcount(absent);
         missing = UTIL_MIN(missing, first + (uint32_t)__builtin_ctz(absent));
      }
      follower->reached[vector] = 0;
   }
   if (missing == UINT32_MAX || !util_debug(UTIL_DEBUG_BARRIER))
      return;
   struct rt_finding finding = {.party.site = site, .count = total - count_absent, .of = total};
   set_worker(&finding, follower->worker);
   set_words(follower->races, &finding.party, follower->group, missing);
   rt_findings_add(follower->races->findings, &finding);
}

void rt_races_barrier(struct abi_worker *abi, const struct abi_site *site)
{
   struct rt_follower *follower = abi->owner->follower;
   if (!follower || !follower->races)
      return;
   const uint32_t semantics = site->semantics & (ACQUIRE | RELEASE) ? site->semantics : 0, ordered = semantics | follower->ordered;
   check_reached(follower, site);
   (ordered & semantics_of[RT_RACE_SHARED] ? rt_recordings_end : rt_recordings_leave)(follower);
   rt_races_flush(follower);
   if (semantics & OF_THE_DEVICE && site->memory <= 1)
      follower->is_fenced = true;
   if (ordered & semantics_of[RT_RACE_BUFFERS])
      rt_patterns_end_phase(follower);
   judge_listed(follower, ordered);
   count_fence(follower);
   begin_phase(follower, ordered);
}

/* ---- fences ---- */

static void fail(struct rt_follower *follower, bool is_done)
{
   if (!is_done)
      follower->member->is_out_of_memory = true;
}

/* Takes the members of the first one's subgroup out of a vector's lanes; a subgroup is one vector or a part of it. `local`: the index of lane `lane`, the first
 * of them. */
static uint32_t take_subgroup(const struct abi_probe_call *call, uint32_t *mask, uint32_t *lane, uint32_t *local)
{
   const uint32_t size = UTIL_MAX(call->site->subgroup_size, 1u);
   *lane = (uint32_t)__builtin_ctz(*mask);
   *local = (uint32_t)call->operands[0][*lane] & (RT_RACE_INVOCATIONS - 1);
   const uint32_t room = size - *local % size + *lane;
   const uint32_t members = room < 32 ? *mask & ((1u << room) - 1) : *mask;
   *mask &= ~members;
   return members;
}

static void order_subgroups(struct rt_follower *follower, const struct abi_probe_call *call, struct rt_clocks *clocks)
{
   for (uint32_t mask = call->mask, lane, local; mask;) {
      const uint32_t members = take_subgroup(call, &mask, &lane, &local);
      fail(follower, rt_clocks_barrier(clocks, local, members >> lane));
   }
}

void rt_races_subgroups(const struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const uint32_t size = UTIL_MAX(site->subgroup_size, 1u), total = site->local_size[0] * site->local_size[1] * site->local_size[2];
   for (uint32_t mask = call->mask, lane, local; mask;) {
      const uint32_t members = take_subgroup(call, &mask, &lane, &local), first = local - local % size, count = UTIL_MIN(size, total - first);
      const uint32_t all = count == 32 ? UINT32_MAX : (1u << count) - 1, there = members >> lane << local % size;
      if (there == all)
         continue;
      struct rt_finding finding = {.party.site = site, .count = (uint32_t)__builtin_popcount(there), .of = count};
      set_worker(&finding, follower->worker);
      set_words(follower->races, &finding.party, follower->group, first + (uint32_t)__builtin_ctz(all & ~there));
      rt_findings_add(follower->races->findings, &finding);
   }
}

static void order_by_clocks(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const uint32_t fences = (site->semantics & ACQUIRE ? RT_FENCE_ACQUIRE : 0) | (site->semantics & RELEASE ? RT_FENCE_RELEASE : 0);
   for (uint32_t space = 0; space < RT_RACE_NUM_SPACES && !follower->member->is_out_of_memory; space++) {
      if (!(site->semantics & semantics_of[space]))
         continue;
      if (!follower->has_clocks[space])
         fail(follower, rt_clocks_begin(&follower->clocks[space], site->local_size[0] * site->local_size[1] * site->local_size[2]));
      if (follower->member->is_out_of_memory)
         return;
      follower->has_clocks[space] = true;
      if (site->scope == SCOPE_SUBGROUP)
         order_subgroups(follower, call, follower->clocks[space]);
      for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
         const uint32_t local = (uint32_t)call->operands[0][__builtin_ctz(mask)] & (RT_RACE_INVOCATIONS - 1);
         fail(follower, rt_clocks_fence(follower->clocks[space], local, fences, site->memory == SCOPE_SUBGROUP ? site->subgroup_size : 0));
      }
   }
}

enum rt_atomic rt_races_atomic_of(const struct abi_site *site)
{
   const char *operation = site->texts + site->operation;
   operation += strncmp(operation, "image_", 6) ? 0 : 6;
   return !strncmp(operation, "load", 4) ? RT_ATOMIC_LOAD : !strncmp(operation, "store", 5) ? RT_ATOMIC_STORE : RT_ATOMIC_CHANGE;
}

void rt_races_atomic(struct rt_follower *follower, const struct abi_site *site, enum rt_race_space space, uint32_t local, uint64_t address)
{
   const enum rt_atomic atomic = rt_races_atomic_of(site);
   for (uint32_t i = 0; i < RT_RACE_NUM_SPACES; i++) {
      if (follower->has_clocks[i])
         fail(follower, rt_clocks_atomic(follower->clocks[i], local, address << 2 | space, atomic, site->subgroup_size));
   }
}

void rt_races_fence(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const bool is_of_device = site->has_flags && site->semantics & OF_THE_DEVICE && (site->memory <= 1 || site->memory == 5);
   if (!(site->semantics & (ACQUIRE | RELEASE)))
      return;
   if (site->memory != SCOPE_SUBGROUP)
      follower->ordered |= site->semantics;
   if (!site->has_flags && site->scope != SCOPE_SUBGROUP)
      return; /* it orders something together with a barrier alone */
   rt_recordings_leave(follower);
   rt_races_flush(follower);
   rt_patterns_note(follower);
   follower->is_fenced |= is_of_device;
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t local = (uint32_t)call->operands[0][__builtin_ctz(mask)] & (RT_RACE_INVOCATIONS - 1);
      if (is_of_device)
         util_bitset_set(follower->fenced, local);
      if (site->scope == SCOPE_SUBGROUP && !site->has_flags) {
         follower->epochs[local]++;
         follower->has_rounds = true;
      }
   }
   if (site->has_flags)
      order_by_clocks(follower, call);
   rt_races_find_apart(follower);
}

