/* SPDX-License-Identifier: MIT
 * What invocations touch: lanes side by side become runs of granules, which are noted in shadows. What a vector does to shared memory with one
 * step from lane to lane stands in a slot first: code looks there itself whether this instruction touched these bytes in this phase already, and
 * widens the range of invocations that did. What was added so is noted when another access needs the slot and at the end of a phase. */
#include "runtime/instrument/follower.h"

#include "runtime/instrument/areas.h"
#include "runtime/pool_internal.h"

#include <string.h>

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
      access += follower->fences < RT_RACE_FENCES && util_bitset_test(follower->fenced, local);
   return access;
}

static void note_round(const struct rt_follower *follower, struct rt_shadow_row *row, uint32_t at, uint32_t access, bool is_first)
{
   const struct rt_race_search search = {.follower = follower};
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

/* Where another phase was the last one, it becomes an earlier one. */
static void fold_run(const struct run *run, uint32_t phase)
{
   struct rt_shadow_row *row = run->page->rows[run->class];
   struct rt_race_member *member = run->follower->member;
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
   struct rt_shadow_row *row = run->page->rows[run->class];
   uint32_t *phases = row->phases + run->first, *least = row->least + run->first, *greatest = row->greatest + run->first;
   const bool is_vector = run->count == 16 && run->shift == 0;
   if (run->space != RT_RACE_SHARED && UTIL_UNLIKELY(is_vector ? count_old(phases, 16, phase) : count_old(phases, run->count, phase)))
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
         rt_races_judge(follower, run->space, granule, true);
      if (!(run->page->listed[i / 64] >> i % 64 & 1))
         rt_races_list(follower, run->space, granule);
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

/* One granule, which is what a run mostly is where lanes do not go side by side. */
static void note_one(struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t least, uint32_t greatest)
{
   const uint32_t phase = follower->phases[space], at = granule % RT_PAGE_GRANULES;
   struct rt_shadow_page *page = rt_shadow_page(&follower->member->shadows[space], granule, class);
   if (UTIL_UNLIKELY(!page))
      return;
   struct run run = {follower, space, class, page, at, 1, 31, least, greatest};
   struct rt_shadow_row *row = page->rows[class];
   if (UTIL_UNLIKELY(follower->has_subgroup_barriers)) {
      note_run(&run);
      return;
   }
   if (row->phases[at] == phase) {
      row->least[at] = UTIL_MIN(row->least[at], least);
      row->greatest[at] = UTIL_MAX(row->greatest[at], greatest);
   } else {
      if (space != RT_RACE_SHARED && row->phases[at])
         fold_run(&run, phase);
      row->phases[at] = phase;
      row->least[at] = least;
      row->greatest[at] = greatest;
   }
   uint32_t is_other = 0;
   for (uint32_t others = rt_shadow_conflicts[class]; others; others &= others - 1) {
      const struct rt_shadow_row *other = page->rows[__builtin_ctz(others)];
      is_other |= other && other->phases[at] == phase ? others_in(other->phases + at, other->least + at, other->greatest + at, 1, 31, phase, &run) : 0;
   }
   if (UTIL_UNLIKELY(is_other))
      list_run(&run);
}

/* The same for granules of any number, cut at the ends of pages. */
static void note(struct rt_follower *follower, enum rt_race_space space, enum rt_shadow_class class, uint64_t granule, uint32_t count, uint32_t shift,
                 uint32_t least, uint32_t greatest)
{
   if (count == 1) {
      note_one(follower, space, class, granule, least, greatest);
      return;
   }
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
   for (uint32_t i = 0; site->has_subgroup_barriers && i < RT_RACE_NUM_SPACES; i++)
      follower->member->shadows[i].has_rounds = true;
   if (!follower->races->sites[site->number])
      __atomic_store_n(&follower->races->sites[site->number], site, __ATOMIC_RELAXED);
   return follower;
}

/* What a vector does to memory: lanes side by side that touch the same granule, or granules side by side, go together. */
struct accesses {
   enum rt_race_space space;
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

/* Neighbours may be ordered by barriers of subgroups or fences of their own. */
static bool is_apart(const struct rt_follower *follower)
{
   return follower->has_rounds || follower->is_fenced || follower->has_subgroup_barriers;
}

static void note_lanes(struct rt_follower *follower, const struct accesses *it, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   const uint64_t step = (uint64_t)it->count << it->shift;
   const bool has_power = !(it->count & (it->count - 1)), has_own_order = is_apart(follower);
   while (mask) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask), who = (local + lane) & (RT_RACE_INVOCATIONS - 1);
      const uint32_t same = has_own_order ? 1 : lanes_together(addresses, mask, lane, 0);
      const uint32_t row = has_own_order || same > 1 || !has_power ? 1 : lanes_together(addresses, mask, lane, step);
      const uint32_t least = (uint32_t)access_by(follower, it->access, who), lanes = UTIL_MAX(same, row);
      const uint32_t shift = row > 1 ? (uint32_t)__builtin_ctz(it->count) : 31;
      for (uint32_t i = 0; has_own_order && i < it->count; i++)
         note(follower, it->space, it->class, (addresses[lane] >> it->shift) + i, 1, 31, least, least);
      if (!has_own_order)
         note(follower, it->space, it->class, addresses[lane] >> it->shift, row * it->count, shift, least,
              least + ((same - 1) << RT_ACCESS_LOCAL_SHIFT));
      mask &= lanes + lane < 32 ? UINT32_MAX << (lanes + lane) : 0;
   }
}

static struct accesses accesses_of(struct rt_follower *follower, const struct abi_site *site)
{
   const uint32_t shift = (uint32_t)__builtin_ctz(site->limit);
   const enum rt_race_space space = site->probe == ABI_PROBE_ACCESS_SHARED ? RT_RACE_SHARED : RT_RACE_BUFFERS;
   follower->shifts[space] = shift;
   return (struct accesses){.space = space, .class = class_of(site), .shift = shift, .count = UTIL_MAX(site->bytes >> shift, 1u),
                            .access = access_of(follower, site)};
}

void rt_races_access(struct abi_worker *abi, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   struct rt_follower *follower = begin(abi->owner, site);
   if (!follower)
      return;
   const struct accesses accesses = accesses_of(follower, site);
   note_lanes(follower, &accesses, mask, local, addresses);
}

/* ---- accesses with one step from lane to lane ---- */

/* By all of `lanes` that begin with the invocations `least` to `greatest`. */
static void note_stride(struct rt_follower *follower, const struct accesses *it, bool is_uniform, uint32_t lanes, uint64_t address, uint32_t least,
                        uint32_t greatest)
{
   const uint32_t rows = is_uniform ? 1 : lanes, last = is_uniform ? greatest + lanes - 1 : greatest;
   note(follower, it->space, it->class, address >> it->shift, rows * it->count, is_uniform ? 31 : (uint32_t)__builtin_ctz(it->count),
        (uint32_t)access_by(follower, it->access, least), (uint32_t)access_by(follower, it->access, last));
}

/* What stood in it at first is noted already. */
static void flush_slot(struct rt_follower *follower, struct abi_race_slot *slot)
{
   if (slot->least == slot->greatest)
      return;
   const struct accesses accesses = accesses_of(follower, follower->races->sites[(slot->key >> 33) - 1]);
   note_stride(follower, &accesses, slot->key >> 32 & 1, follower->lanes[slot - follower->slots], (uint32_t)slot->key, slot->least, slot->greatest);
}

void rt_races_flush(struct rt_follower *follower)
{
   for (uint32_t i = 0; i < follower->num_used; i++) {
      struct abi_race_slot *slot = &follower->slots[follower->used[i]];
      if (!follower->member->is_out_of_memory)
         flush_slot(follower, slot);
      slot->key = 0;
   }
   follower->num_used = 0;
}

static void fill_slot(struct rt_follower *follower, const struct abi_site *site, bool is_uniform, uint32_t lanes, uint32_t offset, uint32_t local)
{
   const uint32_t index = abi_race_slot_of(site->number, offset);
   struct abi_race_slot *slot = &follower->slots[index];
   if (slot->key)
      flush_slot(follower, slot);
   else
      follower->used[follower->num_used++] = (uint16_t)index;
   follower->lanes[index] = (uint8_t)lanes;
   *slot = (struct abi_race_slot){abi_race_key(site->number, is_uniform) | offset, local, local};
}

void rt_races_stride(struct abi_worker *abi, const struct abi_site *site, uint32_t mask, uint32_t local, uint64_t address, uint32_t shape)
{
   struct rt_follower *follower = mask ? begin(abi->owner, site) : NULL;
   if (!follower)
      return;
   const uint32_t lanes = shape >> 1, all = lanes == 32 ? UINT32_MAX : (1u << lanes) - 1;
   const bool is_uniform = shape & 1;
   const struct accesses accesses = accesses_of(follower, site);
   if (mask != all || is_apart(follower) || accesses.count & (accesses.count - 1)) {
      const uint64_t limit = accesses.space == RT_RACE_SHARED ? UINT32_MAX : UINT64_MAX; /* of lanes that are off offsets may be less than 0 */
      uint64_t addresses[32];
      for (uint32_t i = 0; i < lanes; i++)
         addresses[i] = (address + (is_uniform ? 0 : (uint64_t)i * site->bytes)) & limit;
      note_lanes(follower, &accesses, mask, local, addresses);
   } else {
      if (accesses.space == RT_RACE_SHARED)
         fill_slot(follower, site, is_uniform, lanes, (uint32_t)address, local);
      note_stride(follower, &accesses, is_uniform, lanes, address, local, local);
   }
}

/* ---- texels ---- */

static void note_texels(struct rt_follower *follower, const struct abi_probe_call *call)
{
   const uint64_t access = access_of(follower, call->site);
   for (uint32_t mask = call->mask; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask), local = (uint32_t)call->operands[0][lane] & (RT_RACE_INVOCATIONS - 1);
      uint32_t bytes = 1;
      const uint64_t address = rt_probed_texel(call, 1, lane, &bytes), shift = (uint64_t)__builtin_ctz(bytes);
      if (address)
         note(follower, RT_RACE_IMAGES, class_of(call->site), address >> shift | shift << RT_RACE_IMAGE_SHIFT, 1, 31,
              (uint32_t)access_by(follower, access, local), (uint32_t)access_by(follower, access, local));
   }
}

void rt_races_probe(const struct abi_probe_call *call, struct rt_worker *worker)
{
   struct rt_follower *follower = call->mask ? begin(worker, call->site) : NULL;
   if (follower && call->site->probe == ABI_PROBE_FENCE)
      rt_races_fence(follower, call);
   else if (follower)
      note_texels(follower, call);
}
