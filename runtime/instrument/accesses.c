/* SPDX-License-Identifier: MIT
 * What invocations touch: lanes side by side become runs of granules, which are noted in shadows. What a vector does with one step from lane to lane
 * stands in a run first, which code lengthens itself as long as the next vector goes on where the last one ended; of shared memory in a slot too: code
 * looks there itself whether this instruction touched these bytes in this phase already, and widens the range of invocations that did, or fills an
 * empty one. What stands there is noted when another access needs the run or the slot, and at the end of a phase: slots of neighbours together. */
#include "runtime/instrument/follower.h"

#include "runtime/instrument/areas.h"
#include "runtime/pool_internal.h"

#include <string.h>

enum { MIN_TOGETHER = 4 }; /* lanes that are worth a run of their own */

static enum rt_shadow_class class_of(const struct abi_site *site)
{
   static const uint8_t classes[] = {[ABI_PROBE_READ] = RT_SHADOW_READ, [ABI_PROBE_WRITE] = RT_SHADOW_WRITE, [ABI_PROBE_ATOMIC] = RT_SHADOW_ATOMIC};
   return site->access == ABI_PROBE_ATOMIC && rt_races_atomic_of(site) == RT_ATOMIC_LOAD ? RT_SHADOW_ATOMIC_READ : classes[site->access];
}

/* What is the same for all lanes in all phases. */
static uint32_t access_of(const struct abi_site *site)
{
   return site->number << RT_ACCESS_SITE_SHIFT;
}

static inline uint32_t access_by(const struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint32_t access, uint32_t local)
{
   access |= local << RT_ACCESS_LOCAL_SHIFT | follower->fences;
   if (UTIL_UNLIKELY(follower->has_rounds))
      access |= (follower->epochs[local] & ((1u << RT_ACCESS_EPOCH_BITS) - 1)) << RT_ACCESS_EPOCH_SHIFT;
   if (UTIL_UNLIKELY(follower->has_clocks[space]))
      access |= rt_clocks_now(follower->clocks[space], local, class >= RT_SHADOW_ATOMIC_READ) << RT_ACCESS_EPOCH_SHIFT;
   if (UTIL_UNLIKELY(follower->is_fenced))
      access += follower->fences < RT_RACE_FENCES && util_bitset_test(follower->fenced, local);
   return access;
}

static void note_round(const struct rt_follower *follower, enum rt_race_space space, struct rt_shadow_row *row, uint32_t at, uint32_t access, bool is_first)
{
   const struct rt_race_search search = {follower, space};
   uint32_t *round = row->rounds[at];
   if (is_first || rt_races_are_of_two_rounds(&search, round[0], access)) {
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
   enum rt_race_space space;
   enum rt_shadow_class class;
   struct rt_shadow_page *page;
   uint32_t first, count, shift;
   uint32_t least, greatest;
};

/* Where another phase than the one in hand was the last one, it becomes an earlier one. */
static __attribute__((noinline)) void fold(const struct run *run, enum rt_shadow_level level, uint32_t first, uint32_t count, uint32_t phase)
{
   struct rt_race_member *member = run->follower->member;
   if (!rt_shadow_fold(run->page, run->class, level, first, count, phase, member->groups))
      member->is_out_of_memory = true;
}

/* Cells that another phase touched last. */
static inline __attribute__((always_inline)) uint32_t count_old(const uint32_t *phases, uint32_t count, uint32_t phase)
{
   uint32_t is_old = 0;
   for (uint32_t i = 0; i < count; i++)
      is_old |= phases[i] && phases[i] != phase ? 1 : 0;
   return is_old;
}

/* Keys are less than 1 << 31. */
static inline __attribute__((always_inline)) void merge(uint32_t *restrict phases, uint32_t *restrict least, uint32_t *restrict greatest, uint32_t count,
                                                        uint32_t shift, uint32_t phase, const struct run *run)
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
static inline __attribute__((always_inline)) uint32_t others_in(const uint32_t *phases, const uint32_t *least, const uint32_t *greatest, uint32_t count,
                                                                uint32_t shift, uint32_t phase, const struct run *run)
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
   const struct rt_shadow_cells *cells = &run->page->rows[run->class]->cells[RT_GRANULES];
   uint32_t *phases = cells->phases + run->first, *least = cells->least + run->first, *greatest = cells->greatest + run->first;
   const bool is_vector = run->count == 16 && (run->shift == 0 || run->shift == 31);
   if (run->space != RT_RACE_SHARED && UTIL_UNLIKELY(is_vector ? count_old(phases, 16, phase) : count_old(phases, run->count, phase)))
      fold(run, RT_GRANULES, run->first, run->count, phase);
   if (is_vector && run->shift)
      merge(phases, least, greatest, 16, 31, phase, run);
   else if (is_vector)
      merge(phases, least, greatest, 16, 0, phase, run);
   else if (run->count == 1)
      merge(phases, least, greatest, 1, 31, phase, run);
   else
      merge(phases, least, greatest, run->count, run->shift, phase, run);
}

static uint32_t has_others(const struct run *run, const struct rt_shadow_row *row, uint32_t phase)
{
   const struct rt_shadow_cells *cells = &row->cells[RT_GRANULES];
   if (!cells->phases)
      return 0;
   const uint32_t *phases = cells->phases + run->first, *least = cells->least + run->first, *greatest = cells->greatest + run->first;
   if (run->count == 16 && run->shift == 0)
      return others_in(phases, least, greatest, 16, 0, phase, run);
   if (run->count == 16 && run->shift == 31)
      return others_in(phases, least, greatest, 16, 31, phase, run);
   if (run->count == 1)
      return others_in(phases, least, greatest, 1, 31, phase, run);
   return others_in(phases, least, greatest, run->count, run->shift, phase, run);
}

/* Where all that conflicts is writes: those of a pair of sites that was found before. Programs that race everywhere have little else. */
static bool is_no_news(const struct run *run, uint32_t index)
{
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
      if (c != RT_SHADOW_WRITE && run->page->rows[c])
         return false;
   }
   const struct rt_shadow_last last = rt_shadow_last_of(run->page, RT_SHADOW_WRITE, index);
   return rt_races_is_no_news(run->follower, last.least, last.greatest);
}

static __attribute__((noinline)) void list_run(const struct run *run)
{
   struct rt_follower *follower = run->follower;
   for (uint32_t i = run->first; i < run->first + run->count; i++) {
      const uint64_t granule = run->page->number << RT_PAGE_SHIFT | i;
      if (follower->has_subgroup_barriers)
         rt_races_judge(follower, run->space, granule, true);
      if (follower->has_clocks[run->space])
         rt_races_judge_access(follower, run->space, run->class, granule, run->least);
      if (run->page->listed[i / 64] >> i % 64 & 1 || is_no_news(run, i))
         continue;
      rt_races_list(follower, run->space, granule);
      run->page->listed[i / 64] |= UINT64_C(1) << i % 64;
   }
}

static void note_run(struct run *run)
{
   const uint32_t phase = run->follower->phases[run->space];
   struct rt_shadow_row *row = run->page->rows[run->class];
   if (UTIL_UNLIKELY(run->follower->has_subgroup_barriers)) { /* a run is one granule */
      const bool is_first = row->cells[RT_GRANULES].phases[run->first] != phase;
      note_round(run->follower, run->space, row, run->first, run->least, is_first);
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

/* Its granules have cells of their own. */
static inline bool is_split(const struct run *run)
{
   const uint8_t *states = run->page->states;
   const uint32_t first = run->first / RT_SEGMENT_GRANULES, last = (run->first + run->count - 1) / RT_SEGMENT_GRANULES;
   bool is_apart = run->page->rows[run->class]->cells[RT_GRANULES].phases;
   for (uint32_t s = first; s <= last; s++)
      is_apart &= states[s] == RT_SEGMENT_APART;
   return UTIL_LIKELY(is_apart) ||
          rt_shadow_split(&run->follower->member->shadows[run->space], run->page, run->class, run->first, run->count);
}

/* Cuts the run where segments that are, or may be, kept as such meet others. Returns whether it is of such segments. */
static inline __attribute__((always_inline)) bool cut_at_segments(struct run *run)
{
   const uint8_t *states = run->page->states, state = (uint8_t)(RT_SEGMENT_SHAPE + run->shift);
   const uint32_t first = run->first / RT_SEGMENT_GRANULES, end = (run->first + run->count) / RT_SEGMENT_GRANULES;
   if (run->first % RT_SEGMENT_GRANULES || end == first || run->shift > RT_SEGMENT_SHIFT || run->follower->has_subgroup_barriers)
      return false;
   const bool is_kept = states[first] == RT_SEGMENT_UNTOUCHED || states[first] == state;
   uint32_t s = first + 1;
   while (s < end && (states[s] == RT_SEGMENT_UNTOUCHED || states[s] == state) == is_kept)
      s++;
   if (is_kept || s < end)
      run->count = (s - first) * RT_SEGMENT_GRANULES;
   return is_kept;
}

/* Rows of accesses that conflict with the run's, its own among them. */
struct others {
   const struct rt_shadow_row *rows[RT_NUM_SHADOW_CLASSES];
   uint32_t count;
};

static inline __attribute__((always_inline)) void find_others(const struct run *run, struct others *others)
{
   others->count = 0;
   for (uint32_t classes = rt_shadow_conflicts[run->class]; classes; classes &= classes - 1) {
      const struct rt_shadow_row *row = run->page->rows[__builtin_ctz(classes)];
      others->rows[others->count] = row;
      others->count += row != NULL;
   }
}

/* Not zero where another invocation touched the segment in this phase. */
static inline __attribute__((always_inline)) uint32_t others_of_segment(const struct others *others, uint32_t segment, uint32_t phase, uint32_t least,
                                                                        uint32_t greatest)
{
   uint32_t is_other = 0;
   for (uint32_t i = 0; i < others->count; i++) {
      const struct rt_shadow_row *row = others->rows[i];
      if (row->segments[RT_PHASES][segment] == phase)
         is_other |= (row->segments[RT_LEAST][segment] ^ least) | (row->segments[RT_GREATEST][segment] ^ greatest) | (least ^ greatest);
   }
   return is_other >> RT_ACCESS_LOCAL_SHIFT;
}

static inline __attribute__((always_inline)) void note_segments(const struct run *run)
{
   const uint32_t phase = run->follower->phases[run->space], step = RT_SEGMENT_GRANULES >> run->shift << RT_ACCESS_LOCAL_SHIFT;
   const uint32_t end = (run->first + run->count) / RT_SEGMENT_GRANULES;
   const uint8_t state = (uint8_t)(RT_SEGMENT_SHAPE + run->shift);
   struct rt_shadow_row *row = run->page->rows[run->class];
   const uint32_t first = run->first / RT_SEGMENT_GRANULES;
   struct others others;
   uint32_t least = run->least, greatest = run->greatest, is_other = 0;
   find_others(run, &others);
   if (run->space != RT_RACE_SHARED && UTIL_UNLIKELY(count_old(row->segments[RT_PHASES] + first, end - first, phase)))
      fold(run, RT_SEGMENTS, first, end - first, phase);
   for (uint32_t s = first; s < end; s++) {
      uint32_t *last = &row->segments[RT_PHASES][s], *low = &row->segments[RT_LEAST][s], *high = &row->segments[RT_GREATEST][s];
      const bool is_first = *last != phase;
      *low = is_first ? least : UTIL_MIN(*low, least);
      *high = is_first ? greatest : UTIL_MAX(*high, greatest);
      *last = phase;
      is_other |= others_of_segment(&others, s, phase, least, greatest);
      run->page->states[s] = state;
      least += step;
      greatest += step;
   }
   if (UTIL_UNLIKELY(is_other))
      list_run(run);
}

/* Not zero where another invocation touched the granule, which has a cell of its own, in this phase. */
static inline uint32_t others_of_granule(const struct run *run, uint32_t phase)
{
   uint32_t is_other = 0;
   for (uint32_t classes = rt_shadow_conflicts[run->class]; classes; classes &= classes - 1) {
      const struct rt_shadow_row *row = run->page->rows[__builtin_ctz(classes)];
      const struct rt_shadow_cells *cells = row ? &row->cells[RT_GRANULES] : NULL;
      if (cells && cells->phases && cells->phases[run->first] == phase)
         is_other |= (cells->least[run->first] ^ run->least) | (cells->greatest[run->first] ^ run->greatest) | (run->least ^ run->greatest);
   }
   return is_other >> RT_ACCESS_LOCAL_SHIFT;
}

/* One granule, which is what a run mostly is where lanes do not go side by side. */
static inline void note_granule(const struct run *run)
{
   const uint32_t phase = run->follower->phases[run->space], at = run->first;
   const struct rt_shadow_cells *cells = &run->page->rows[run->class]->cells[RT_GRANULES];
   if (cells->phases[at] == phase) {
      cells->least[at] = UTIL_MIN(cells->least[at], run->least);
      cells->greatest[at] = UTIL_MAX(cells->greatest[at], run->greatest);
   } else {
      if (run->space != RT_RACE_SHARED && cells->phases[at])
         fold(run, RT_GRANULES, at, 1, phase);
      cells->phases[at] = phase;
      cells->least[at] = run->least;
      cells->greatest[at] = run->greatest;
   }
   if (UTIL_UNLIKELY(others_of_granule(run, phase)))
      list_run(run);
}

static inline void set_page(struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, const struct rt_shadow_page *page)
{
   follower->pages[space][class] |= UINT64_C(1) << page->number % 64;
}

static void note_one(struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t least, uint32_t greatest)
{
   struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule, class, least >> RT_ACCESS_SITE_SHIFT);
   struct run run = {follower, space, class, page, granule % RT_PAGE_GRANULES, 1, 31, least, greatest};
   if (UTIL_UNLIKELY(!page || !is_split(&run)))
      return;
   set_page(follower, space, class, page);
   if (UTIL_UNLIKELY(follower->has_subgroup_barriers))
      note_run(&run);
   else
      note_granule(&run);
}

/* How many granules of a run from number `done` of it on go together in front of the end of a page: whole lanes, or what is there of the lane that it cuts. */
static uint32_t count_in_page(uint32_t done, uint32_t count, uint32_t shift, uint32_t room)
{
   const uint32_t left = UTIL_MIN(count - done, room), lane = 1u << shift, begun = done & (lane - 1);
   if (shift == 31 || left < lane)
      return left;
   return begun ? lane - begun : left & ~(lane - 1);
}

/* The same for granules of any number, cut at the ends of pages. */
static void note(struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t count, uint32_t shift,
                 uint32_t least, uint32_t greatest)
{
   if (count == 1) {
      note_one(follower, space, class, granule, least, greatest);
      return;
   }
   for (uint32_t done = 0; done < count;) {
      const uint32_t step = done >> shift << RT_ACCESS_LOCAL_SHIFT, first = (granule + done) % RT_PAGE_GRANULES;
      struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule + done, class, least >> RT_ACCESS_SITE_SHIFT);
      struct run run = {follower, space, class, page, first, count_in_page(done, count, shift, RT_PAGE_GRANULES - first), shift, least + step, greatest + step};
      if (UTIL_UNLIKELY(!run.page))
         return;
      set_page(follower, space, class, page);
      if (cut_at_segments(&run))
         note_segments(&run);
      else if (is_split(&run))
         note_run(&run);
      done += run.count;
   }
}

/* Before what a site touches is noted, if it was not the last one that did. */
static void begin(struct rt_follower *follower, const struct abi_site *site)
{
   follower->any_site = site;
   if (UTIL_UNLIKELY(follower->has_subgroup_barriers != site->has_subgroup_barriers)) { /* a store would delay the next look at it */
      follower->has_subgroup_barriers = site->has_subgroup_barriers;
      rt_races_find_apart(follower);
   }
   for (uint32_t i = 0; site->has_subgroup_barriers && i < RT_RACE_NUM_SPACES; i++)
      follower->member->shadows[i].has_rounds = true;
   if (rt_races_site(follower->races, site->number) != site)
      __atomic_store_n(&follower->races->sites[site->number], site, __ATOMIC_RELAXED);
}

static uint32_t lanes_together(const uint64_t *addresses, uint32_t mask, uint32_t lane, uint64_t step)
{
   uint32_t end = lane + 1;
   while (end < 32 && mask >> end & 1 && addresses[end] == addresses[end - 1] + step)
      end++;
   return end - lane;
}

/* Cells of granules of the classes that conflict with a class. */
struct other_cells {
   const struct rt_shadow_cells *cells[RT_NUM_SHADOW_CLASSES];
   uint32_t count;
};

static inline void find_other_cells(const struct rt_shadow_page *page, enum rt_shadow_class class, struct other_cells *others)
{
   others->count = 0;
   for (uint32_t classes = rt_shadow_conflicts[class]; classes; classes &= classes - 1) {
      const struct rt_shadow_row *row = page->rows[__builtin_ctz(classes)];
      if (row && row->cells[RT_GRANULES].phases)
         others->cells[others->count++] = &row->cells[RT_GRANULES];
   }
}

/* Granules `at` to `at` + `count` - 1 of the run's page, by one invocation. Not zero where another one touched them in this phase. */
static inline __attribute__((always_inline)) uint32_t note_cells(const struct run *run, const struct other_cells *others, uint32_t at, uint32_t count,
                                                                 uint32_t phase, uint32_t access)
{
   const struct rt_shadow_cells *cells = &run->page->rows[run->class]->cells[RT_GRANULES];
   uint32_t is_other = 0;
   for (uint32_t end = at + count; at < end; at++) {
      if (cells->phases[at] == phase) {
         cells->least[at] = UTIL_MIN(cells->least[at], access);
         cells->greatest[at] = UTIL_MAX(cells->greatest[at], access);
      } else {
         if (run->space != RT_RACE_SHARED && cells->phases[at])
            fold(run, RT_GRANULES, at, 1, phase);
         cells->phases[at] = phase;
         cells->least[at] = cells->greatest[at] = access;
      }
      for (uint32_t i = 0; i < others->count; i++) {
         const struct rt_shadow_cells *other = others->cells[i];
         is_other |= other->phases[at] == phase ? (other->least[at] ^ access) | (other->greatest[at] ^ access) : 0;
      }
   }
   return is_other >> RT_ACCESS_LOCAL_SHIFT;
}

/* All lanes are in one page. */
static bool are_in_page(const struct rt_accesses *it, uint32_t mask, const uint64_t *addresses)
{
   const uint64_t number = addresses[__builtin_ctz(mask)] >> it->shift >> RT_PAGE_SHIFT;
   uint64_t differs = 0;
   for (; mask; mask &= mask - 1) {
      const uint64_t granule = addresses[__builtin_ctz(mask)] >> it->shift;
      differs |= (granule >> RT_PAGE_SHIFT ^ number) | ((granule + it->count - 1) >> RT_PAGE_SHIFT ^ number);
   }
   return !differs;
}

/* Lanes that are neither side by side nor at one address, such as those of a structure's member or of an image's column: what they have in common is
 * looked up once. False: they are not of one page. */
static bool note_scattered(struct rt_follower *follower, const struct rt_accesses *it, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   if (!are_in_page(it, mask, addresses))
      return false;
   const uint64_t granule = addresses[__builtin_ctz(mask)] >> it->shift;
   const uint32_t phase = follower->phases[it->space];
   struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[it->space], granule, it->class, it->access >> RT_ACCESS_SITE_SHIFT);
   struct run run = {.follower = follower, .space = it->space, .class = it->class, .page = page, .count = it->count, .shift = 31};
   struct other_cells others;
   bool is_apart = page;
   for (uint32_t left = mask; is_apart && left; left &= left - 1) {
      run.first = (addresses[__builtin_ctz(left)] >> it->shift) % RT_PAGE_GRANULES;
      is_apart = is_split(&run);
   }
   if (UTIL_UNLIKELY(!is_apart))
      return true; /* memory is out */
   set_page(follower, it->space, it->class, page);
   find_other_cells(page, it->class, &others);
   for (; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      const uint32_t access = it->access | ((local + lane) & (RT_RACE_INVOCATIONS - 1)) << RT_ACCESS_LOCAL_SHIFT | follower->fences;
      run.first = (addresses[lane] >> it->shift) % RT_PAGE_GRANULES;
      run.least = run.greatest = access;
      if (UTIL_UNLIKELY(note_cells(&run, &others, run.first, it->count, phase, access)))
         list_run(&run);
   }
   return true;
}

void rt_races_note_lanes(struct rt_follower *follower, const struct rt_accesses *it, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   const uint64_t step = (uint64_t)it->count << it->shift;
   const bool has_power = !(it->count & (it->count - 1)), has_own_order = follower->is_apart;
   while (mask) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask), who = (local + lane) & (RT_RACE_INVOCATIONS - 1);
      const uint32_t same = has_own_order ? 1 : lanes_together(addresses, mask, lane, 0);
      const uint32_t row = has_own_order || same > 1 || !has_power ? 1 : lanes_together(addresses, mask, lane, step);
      const uint32_t least = access_by(follower, it->space, it->class, it->access, who), lanes = UTIL_MAX(same, row);
      if (!has_own_order && lanes < MIN_TOGETHER && mask & (mask - 1) && note_scattered(follower, it, mask, local, addresses))
         return;
      const uint32_t shift = row > 1 ? (uint32_t)__builtin_ctz(it->count) : 31;
      for (uint32_t i = 0; has_own_order && i < it->count; i++)
         note(follower, it->space, it->class, (addresses[lane] >> it->shift) + i, 1, 31, least, least);
      if (!has_own_order)
         note(follower, it->space, it->class, addresses[lane] >> it->shift, row * it->count, shift, least,
              least + ((same - 1) << RT_ACCESS_LOCAL_SHIFT));
      mask &= lanes + lane < 32 ? UINT32_MAX << (lanes + lane) : 0;
   }
}

/* They may pass flags. */
static inline bool has_flags(const struct abi_site *site)
{
   return site->has_flags && site->access == ABI_PROBE_ATOMIC;
}

static void note_atomics(struct rt_follower *follower, const struct rt_accesses *it, const struct abi_site *site, uint32_t mask, uint32_t local,
                         const uint64_t *addresses)
{
   for (mask = has_flags(site) && rt_races_has_clocks(follower) ? mask : 0; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      rt_races_atomic(follower, site, it->space, (local + lane) & (RT_RACE_INVOCATIONS - 1), addresses[lane]);
   }
}

static inline struct rt_accesses accesses_of(struct rt_follower *follower, const struct abi_site *site)
{
   const uint32_t shift = (uint32_t)__builtin_ctz(site->limit);
   const enum rt_race_space space = site->probe == ABI_PROBE_ACCESS_SHARED ? RT_RACE_SHARED : RT_RACE_BUFFERS;
   follower->shifts[space] = shift;
   return (struct rt_accesses){.space = space, .class = class_of(site), .shift = shift, .count = UTIL_MAX(site->bytes >> shift, 1u),
                            .access = access_of(site)};
}

/* ---- accesses with one step from lane to lane ---- */

/* By all of `lanes` that begin with the invocations `least` to `greatest`. */
static void note_stride(struct rt_follower *follower, const struct rt_accesses *it, bool is_uniform, uint32_t lanes, uint64_t address, uint32_t least,
                        uint32_t greatest)
{
   const uint32_t rows = is_uniform ? 1 : lanes, last = is_uniform ? greatest + lanes - 1 : greatest;
   note(follower, it->space, it->class, address >> it->shift, rows * it->count, is_uniform ? 31 : (uint32_t)__builtin_ctz(it->count),
        access_by(follower, it->space, it->class, it->access, least), access_by(follower, it->space, it->class, it->access, last));
}

static void flush_run(struct rt_follower *follower, struct abi_race_run *run)
{
   const struct rt_accesses accesses = accesses_of(follower, rt_races_site(follower->races, (run->key >> 1) - 1));
   note_stride(follower, &accesses, run->key & 1, run->local - run->first_local, run->first_address, run->first_local, run->first_local);
}

static void begin_run(struct rt_follower *follower, const struct abi_site *site, bool is_uniform, uint32_t lanes, uint64_t address, uint32_t local)
{
   const uint32_t index = site->number % ABI_RACE_RUNS;
   struct abi_race_run *run = &follower->log.runs[index];
   if (run->key)
      flush_run(follower, run);
   follower->used_runs |= UINT64_C(1) << index;
   *run = (struct abi_race_run){.address = address + (is_uniform ? 0 : (uint64_t)lanes * site->bytes),
                                .local = local + lanes,
                                .key = abi_race_run_key(site->number, is_uniform),
                                .first_address = address,
                                .first_local = local};
}

/* `lanes` vectors' lanes go on with the run of their site, or begin another one. */
static inline void add_to_run(struct rt_follower *follower, const struct abi_site *site, bool is_uniform, uint32_t lanes, uint64_t address, uint32_t local)
{
   struct abi_race_run *run = &follower->log.runs[site->number % ABI_RACE_RUNS];
   if (run->key != abi_race_run_key(site->number, is_uniform) || run->address != address || run->local != local) {
      begin_run(follower, site, is_uniform, lanes, address, local);
      return;
   }
   run->address += is_uniform ? 0 : (uint64_t)lanes * site->bytes;
   run->local += lanes;
}

static inline struct rt_followed_site *followed_of(struct rt_follower *follower, const struct abi_site *site)
{
   return &follower->member->followed[site->number % RT_FOLLOWED_SITES];
}

/* What is the same for all accesses of the site, which becomes the one in hand. NULL: nobody follows. */
static inline struct rt_followed_site *find_site(struct rt_follower *follower, const struct abi_site *site)
{
   if (!follower || !follower->races || follower->member->is_out_of_memory)
      return NULL;
   struct rt_followed_site *followed = followed_of(follower, site);
   if (UTIL_LIKELY(followed->site == site))
      return UTIL_UNLIKELY(rt_races_is_settled(follower, site, followed->accesses.space)) ? NULL : followed;
   begin(follower, site);
   const struct rt_accesses accesses = accesses_of(follower, site);
   *followed = (struct rt_followed_site){site, accesses, !(accesses.count & (accesses.count - 1)) && !has_flags(site)};
   return followed;
}

/* Slots: code fills them too, see compiler/llvm/cg_probe.c. */
static inline uint32_t offset_of(const struct abi_race_slot *slot)
{
   return (uint32_t)slot->key;
}

static inline bool is_uniform_slot(const struct abi_race_slot *slot)
{
   return slot->key >> 32 & 1;
}

/* The slot that goes on `rows` accesses behind `first`: where lanes touch the same bytes, that of the same vectors behind these bytes; else that of the
 * next vectors. NULL: it is empty or holds something else. */
static inline struct abi_race_slot *next_slot(struct abi_race_log *log, const struct abi_race_slot *first, uint32_t site, uint32_t step, uint32_t lanes,
                                              uint32_t rows)
{
   const uint32_t offset = offset_of(first) + step * rows, later = is_uniform_slot(first) ? 0 : lanes * rows;
   struct abi_race_slot *slot = &log->slots[abi_race_slot_of(site, offset)];
   const bool is_next = slot->key == ((first->key & ~(uint64_t)UINT32_MAX) | offset) && slot->least == first->least + later &&
                        slot->greatest == first->greatest + later;
   return is_next && slot != first ? slot : NULL;
}

/* With those that go on where it ends, which are empty then. */
static void flush_slot(struct rt_follower *follower, struct abi_race_slot *slot)
{
   const uint32_t number = (uint32_t)(slot->key >> ABI_RACE_SITE_SHIFT & (2 * ABI_MAX_SITES - 1)) - 1;
   const uint32_t lanes = (uint32_t)(slot->key >> ABI_RACE_LANES_SHIFT);
   const bool is_uniform = is_uniform_slot(slot);
   const struct rt_followed_site *followed = find_site(follower, rt_races_site(follower->races, number));
   if (UTIL_UNLIKELY(!followed))
      return;
   const struct rt_accesses *it = &followed->accesses;
   const uint32_t step = followed->site->bytes * (is_uniform ? 1 : lanes);
   uint32_t rows = 1;
   for (struct abi_race_slot *next; (next = next_slot(&follower->log, slot, number, step, lanes, rows)); rows++)
      next->key = 0;
   const uint32_t last = slot->greatest + (is_uniform ? lanes - 1 : 0);
   note(follower, it->space, it->class, offset_of(slot) >> it->shift, rows * it->count * (is_uniform ? 1 : lanes),
        is_uniform ? 31 : (uint32_t)__builtin_ctz(it->count), access_by(follower, it->space, it->class, it->access, slot->least),
        access_by(follower, it->space, it->class, it->access, last));
}

static void flush_slots(struct rt_follower *follower)
{
   struct abi_race_log *log = &follower->log;
   for (uint32_t i = 0; i < log->num_used; i++) {
      struct abi_race_slot *slot = &log->slots[log->used[i]];
      if (slot->key)
         flush_slot(follower, slot);
      slot->key = 0;
   }
   log->num_used = 0;
}

static void fill_slot(struct rt_follower *follower, const struct abi_site *site, bool is_uniform, uint32_t lanes, uint32_t offset, uint32_t local)
{
   struct abi_race_log *log = &follower->log;
   const uint32_t index = abi_race_slot_of(site->number, offset);
   struct abi_race_slot *slot = &log->slots[index];
   if (log->num_used == ABI_RACE_SLOTS)
      flush_slots(follower);
   if (slot->key)
      flush_slot(follower, slot);
   else
      log->used[log->num_used++] = (uint16_t)index;
   *slot = (struct abi_race_slot){abi_race_key(site->number, is_uniform, lanes) | offset, local, local};
}

void rt_races_flush(struct rt_follower *follower)
{
   for (uint64_t used = follower->used_runs; used; used &= used - 1) {
      struct abi_race_run *run = &follower->log.runs[__builtin_ctzll(used)];
      if (!follower->member->is_out_of_memory)
         flush_run(follower, run);
      run->key = 0;
   }
   follower->used_runs = 0;
   flush_slots(follower);
}

/* Lanes 0 to n - 1 are on, and no others. */
static inline bool is_prefix(uint32_t mask)
{
   return mask && !(mask & (mask + 1));
}

static __attribute__((noinline)) void note_apart(struct rt_follower *follower, const struct rt_followed_site *followed, uint32_t mask, uint32_t local,
                                                 const uint64_t *addresses)
{
   begin(follower, followed->site);
   note_atomics(follower, &followed->accesses, followed->site, mask, local, addresses);
   rt_races_note_lanes(follower, &followed->accesses, mask, local, addresses);
}

/* From lane to lane the addresses grow by this. */
static inline bool has_step(const uint64_t *addresses, uint32_t lanes, uint64_t step)
{
   uint64_t differs = 0;
   for (uint32_t i = 1; i < lanes; i++)
      differs |= (addresses[i] - addresses[i - 1]) ^ step;
   return !differs;
}

/* Lanes side by side, or at one address: what goes into a run. */
static inline bool is_run(const struct rt_followed_site *followed, uint32_t mask, const uint64_t *addresses, bool *is_uniform)
{
   const uint32_t lanes = (uint32_t)__builtin_popcount(mask);
   if (!followed->is_simple || !is_prefix(mask))
      return false;
   const uint64_t step = lanes > 1 ? addresses[1] - addresses[0] : followed->site->bytes;
   *is_uniform = step == 0;
   return (step == 0 || step == followed->site->bytes) && has_step(addresses, lanes, step);
}

/* `addresses` of all lanes of a stride. */
static void spread(const struct rt_followed_site *followed, uint64_t address, uint32_t shape, uint64_t addresses[32])
{
   const uint64_t limit = followed->accesses.space == RT_RACE_SHARED ? UINT32_MAX : UINT64_MAX; /* of lanes that are off offsets may be less than 0 */
   for (uint32_t i = 0; i < shape >> 1; i++)
      addresses[i] = (address + (shape & 1 ? 0 : (uint64_t)i * followed->site->bytes)) & limit;
}

void rt_races_note_shared(struct rt_follower *follower, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape,
                          const uint64_t *addresses)
{
   const struct rt_followed_site *followed = find_site(follower, site);
   uint64_t spread_out[32];
   bool is_uniform = shape & 1;
   if (!followed)
      return;
   if (shape ? followed->is_simple && is_prefix(mask) : is_run(followed, mask, addresses, &is_uniform)) {
      note_stride(follower, &followed->accesses, is_uniform, (uint32_t)__builtin_popcount(mask), shape ? address : addresses[0], local, local);
      return;
   }
   if (shape)
      spread(followed, address, shape, spread_out);
   note_apart(follower, followed, mask, local, shape ? spread_out : addresses);
}

void rt_races_stride(struct abi_worker *abi, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape)
{
   const uint32_t lanes = shape >> 1, all = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
   const bool is_uniform = shape & 1;
   struct rt_follower *follower = abi->owner->follower;
   const struct rt_followed_site *followed = mask ? find_site(follower, site) : NULL;
   if (!followed)
      return;
   if (followed->accesses.space == RT_RACE_SHARED && follower->recording) {
      if (!rt_recordings_take(follower, site, mask, local, address, shape, NULL))
         rt_races_note_shared(follower, site, mask, local, address, shape, NULL);
      return;
   }
   if (UTIL_LIKELY(followed->is_simple && !follower->is_apart && is_prefix(mask))) {
      if (followed->accesses.space == RT_RACE_SHARED && mask == all)
         fill_slot(follower, site, is_uniform, lanes, (uint32_t)address, local);
      else
         add_to_run(follower, site, is_uniform, (uint32_t)__builtin_popcount(mask), address, local);
      return;
   }
   uint64_t addresses[32];
   spread(followed, address, shape, addresses);
   note_apart(follower, followed, mask, local, addresses);
}

/* They may be what another workgroup did, just so. */
static inline bool may_repeat(const struct rt_follower *follower, const struct rt_followed_site *followed)
{
   const bool is_of_buffers = followed->accesses.space == RT_RACE_BUFFERS && followed->accesses.class != RT_SHADOW_WRITE;
   return is_of_buffers && followed->is_simple && !follower->is_apart && !follower->fences;
}

/* False: it is from now on, and the caller notes it. Where nothing orders invocations within the phase, the same access again changes nothing. */
static bool is_noted(struct rt_follower *follower, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   const uint64_t hash = (addresses[__builtin_ctz(mask)] + site->number * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x9e3779b97f4a7c15);
   struct rt_noted *noted = &follower->noted[hash >> 32 & (RT_NUM_NOTED - 1)];
   const uint32_t first = (uint32_t)__builtin_ctz(mask), count = 32 - (uint32_t)__builtin_clz(mask) - first;
   if (noted->site == site && noted->serial == follower->serial && noted->mask == mask && noted->local == local &&
       !memcmp(noted->addresses + first, addresses + first, count * sizeof(*addresses)))
      return true;
   noted->site = site;
   noted->serial = follower->serial;
   noted->mask = mask;
   noted->local = local;
   memcpy(noted->addresses + first, addresses + first, count * sizeof(*addresses));
   return false;
}

void rt_races_access(struct abi_worker *abi, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   struct rt_follower *follower = abi->owner->follower;
   const struct rt_followed_site *followed = mask ? find_site(follower, site) : NULL;
   bool is_uniform = false;
   if (!followed)
      return;
   if (followed->accesses.space == RT_RACE_SHARED && follower->recording) {
      if (!rt_recordings_take(follower, site, mask, local, 0, 0, addresses))
         rt_races_note_shared(follower, site, mask, local, 0, 0, addresses);
      return;
   }
   if (!follower->is_apart && is_run(followed, mask, addresses, &is_uniform)) {
      add_to_run(follower, site, is_uniform, (uint32_t)__builtin_popcount(mask), addresses[0], local);
      return;
   }
   if (may_repeat(follower, followed) && rt_patterns_take(follower, followed, mask, local, addresses))
      return;
   if (follower->is_apart || !is_noted(follower, site, mask, local, addresses))
      note_apart(follower, followed, mask, local, addresses);
}

/* ---- texels ---- */

static void note_texels(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const struct abi_site *site = call->site;
   const struct rt_accesses accesses = {.space = RT_RACE_IMAGES, .class = class_of(site), .count = 1, .access = access_of(site)};
   const bool passes_flags = has_flags(site) && rt_races_has_clocks(follower);
   const uint32_t first = (uint32_t)__builtin_ctz(call->mask), local = (uint32_t)call->operands[0][first] - first;
   uint32_t lanes = 0, bytes = 0;
   uint64_t addresses[32], granules[32];
   for (uint32_t mask = call->mask; mask;) {
      const uint32_t some = rt_probed_texels(call, 1, &mask, addresses, &bytes);
      for (uint32_t left = some; left; left &= left - 1) {
         const uint32_t lane = (uint32_t)__builtin_ctz(left);
         const uint64_t shift = (uint64_t)__builtin_ctz(bytes);
         granules[lane] = addresses[lane] >> shift | shift << RT_RACE_IMAGE_SHIFT;
      }
      lanes |= some;
   }
   if (!passes_flags)
      rt_races_note_lanes(follower, &accesses, lanes, local, granules);
   for (uint32_t left = passes_flags ? lanes : 0; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      rt_races_atomic(follower, site, RT_RACE_IMAGES, (local + lane) & (RT_RACE_INVOCATIONS - 1), addresses[lane]);
      rt_races_note_lanes(follower, &accesses, 1u << lane, local, granules);
   }
}

void rt_races_probe(const struct abi_probe_call *call, struct rt_worker *worker)
{
   struct rt_follower *follower = worker->follower;
   if (!call->mask || !follower || !follower->races || follower->member->is_out_of_memory)
      return;
   if (rt_races_is_settled(follower, call->site, RT_RACE_IMAGES))
      return;
   begin(follower, call->site);
   if (call->site->probe == ABI_PROBE_SUBGROUP_BARRIER)
      rt_races_subgroups(follower, call);
   else if (call->site->probe == ABI_PROBE_FENCE)
      rt_races_fence(follower, call);
   else
      note_texels(follower, call);
}
