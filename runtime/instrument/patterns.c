/* SPDX-License-Identifier: MIT
 * Reads and atomics of a buffer by lanes that do not go side by side are mostly the same for all workgroups: weights, tables, a vector that a matrix is
 * multiplied by. The first workgroup that does such a thing has it noted lane by lane; of those that do the same again only the least and the greatest are
 * kept, until the dispatch is over or something else needs its slot.
 * Who else touches these bytes in the same phase must be seen there: pages stand in a set of 64 bits for each class, and what meets a page of an access
 * that conflicts, or of another one of the same bit, is noted lane by lane at the end of the phase. Writes conflict with themselves: they have no pattern. */
#include "runtime/instrument/follower.h"

#include "util/alloc.h"

#include <string.h>

enum { NUM_PATTERNS = 2048, SET_PATTERNS = 4, MAX_LANES = 32, MAX_MISSES = 2 * NUM_PATTERNS };

/* What one vector did at one site. */
struct pattern {
   const struct abi_site *site; /* NULL: there is none */
   uint64_t address;            /* of the first lane that is on */
   uint32_t mask, local;
   uint32_t phase;              /* the last one in which it was done */
   bool is_waiting;             /* it has not been noted in that phase */
   uint32_t least, greatest;    /* workgroups of phases before that have not been noted; least > greatest: there are none */
   uint64_t pages;
   struct rt_accesses accesses;
   int32_t distances[MAX_LANES]; /* of lanes that are on: from `address` */
};

struct rt_patterns {
   struct pattern patterns[NUM_PATTERNS]; /* in sets of SET_PATTERNS, by a hash */
   uint16_t used[NUM_PATTERNS], waiting[NUM_PATTERNS];
   uint32_t num_used, num_waiting, num_misses;
};

/* A lane's granules begin on a page of this bit, or end there. */
static uint64_t pages_of(const struct rt_accesses *it, uint64_t address)
{
   const uint64_t first = address >> it->shift, last = first + it->count - 1;
   return UINT64_C(1) << (first >> RT_PAGE_SHIFT) % 64 | UINT64_C(1) << (last >> RT_PAGE_SHIFT) % 64;
}

static uint64_t address_of(const struct pattern *pattern, uint32_t lane)
{
   return pattern->address + (uint64_t)(int64_t)pattern->distances[lane];
}

static bool is_same(const struct pattern *pattern, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   uint64_t differs = 0;
   if (pattern->site != site || pattern->mask != mask || pattern->local != local || pattern->address != addresses[__builtin_ctz(mask)])
      return false;
   if (mask & (mask + 1)) {
      for (uint32_t left = mask; left; left &= left - 1)
         differs |= addresses[__builtin_ctz(left)] ^ address_of(pattern, (uint32_t)__builtin_ctz(left));
      return !differs;
   }
   for (uint32_t lane = 0, lanes = (uint32_t)__builtin_popcount(mask); lane < lanes; lane++)
      differs |= (addresses[lane] - pattern->address) ^ (uint64_t)(int64_t)pattern->distances[lane];
   return !differs;
}

static bool fits(uint32_t mask, const uint64_t *addresses)
{
   const uint64_t first = addresses[__builtin_ctz(mask)];
   bool is_near = true;
   for (uint32_t left = mask; left; left &= left - 1)
      is_near &= addresses[__builtin_ctz(left)] - first + INT32_MAX <= UINT32_MAX - 1;
   return is_near;
}

/* It has been noted in the phase in hand. */
static void fill(struct pattern *pattern, const struct rt_followed_site *followed, uint32_t phase, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   *pattern = (struct pattern){.site = followed->site, .address = addresses[__builtin_ctz(mask)], .mask = mask, .local = local, .phase = phase,
                               .least = UINT32_MAX, .accesses = followed->accesses};
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      pattern->distances[lane] = (int32_t)(addresses[lane] - pattern->address);
      pattern->pages |= pages_of(&followed->accesses, addresses[lane]);
   }
}

/* Notes it in the phase in hand. */
static void note_now(struct rt_follower *follower, struct pattern *pattern)
{
   uint64_t addresses[MAX_LANES];
   for (uint32_t left = pattern->mask; left; left &= left - 1)
      addresses[__builtin_ctz(left)] = address_of(pattern, (uint32_t)__builtin_ctz(left));
   pattern->is_waiting = false;
   rt_races_note_lanes(follower, &pattern->accesses, pattern->mask, pattern->local, addresses);
}

/* Notes what workgroups before did, where pages have what conflicts or `is_all` says so. */
static void note_before(struct rt_shadow *shadow, struct pattern *pattern, bool is_all)
{
   const struct rt_accesses *it = &pattern->accesses;
   for (uint32_t left = pattern->least <= pattern->greatest ? pattern->mask : 0; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left), local = (pattern->local + lane) & (RT_RACE_INVOCATIONS - 1);
      const uint64_t granule = address_of(pattern, lane) >> it->shift, access = it->access | local << RT_ACCESS_LOCAL_SHIFT;
      for (uint32_t i = 0; i < it->count; i++) {
         if (is_all || rt_shadow_may_conflict(shadow, granule + i, it->class))
            rt_shadow_note_earlier(shadow, granule + i, it->class, (uint64_t)pattern->least << RT_ACCESS_GROUP_SHIFT | access,
                                   (uint64_t)pattern->greatest << RT_ACCESS_GROUP_SHIFT | access);
      }
   }
   pattern->least = UINT32_MAX;
   pattern->greatest = 0;
}

/* The slot of that pattern, or one that may become it: an empty one of its set, or one by another part of the hash. */
static uint32_t slot_of(const struct rt_patterns *patterns, const struct abi_site *site, uint32_t mask, uint32_t local, const uint64_t *addresses,
                        bool *is_known)
{
   const uint64_t first = addresses[__builtin_ctz(mask)], last = addresses[31 - __builtin_clz(mask)];
   const uint64_t hash = ((first ^ last << 20) + ((uint64_t)site->number << 11 | local) * UINT64_C(0xd6e8feb86659fd93)) * UINT64_C(0x9e3779b97f4a7c15);
   const uint32_t set = (uint32_t)(hash >> 40) % (NUM_PATTERNS / SET_PATTERNS) * SET_PATTERNS;
   uint32_t empty = set + (uint32_t)(hash >> 60) % SET_PATTERNS;
   for (uint32_t i = set + SET_PATTERNS; i-- > set;) {
      *is_known = is_same(&patterns->patterns[i], site, mask, local, addresses);
      if (*is_known)
         return i;
      empty = patterns->patterns[i].site ? empty : i;
   }
   return empty;
}

/* The slot of a pattern becomes empty. */
static void drop(struct rt_follower *follower, struct pattern *pattern)
{
   if (pattern->is_waiting && pattern->phase == follower->phases[RT_RACE_BUFFERS])
      note_now(follower, pattern);
   note_before(&follower->member->shadows[RT_RACE_BUFFERS], pattern, true);
   pattern->site = NULL;
}

bool rt_patterns_take(struct rt_follower *follower, const struct rt_followed_site *followed, uint32_t mask, uint32_t local, const uint64_t *addresses)
{
   struct rt_patterns *patterns = follower->member->patterns;
   if (rt_races_has_one_workgroup(follower))
      return false;
   if (!patterns)
      patterns = follower->member->patterns = util_calloc(1, sizeof(*patterns));
   if (!patterns || patterns->num_misses > MAX_MISSES)
      return false;
   bool is_known = false;
   const uint32_t slot = slot_of(patterns, followed->site, mask, local, addresses, &is_known);
   struct pattern *pattern = &patterns->patterns[slot];
   const uint32_t phase = follower->phases[RT_RACE_BUFFERS];
   if (is_known) {
      if (pattern->phase == phase)
         return true;
      pattern->phase = phase;
      pattern->is_waiting = true;
      follower->pages[RT_RACE_BUFFERS][followed->accesses.class] |= pattern->pages;
      patterns->waiting[patterns->num_waiting++] = (uint16_t)slot;
      patterns->num_misses -= patterns->num_misses != 0;
      return true;
   }
   if (!fits(mask, addresses))
      return false;
   if (pattern->site)
      drop(follower, pattern);
   else
      patterns->used[patterns->num_used++] = (uint16_t)slot;
   patterns->num_misses++;
   fill(pattern, followed, phase, mask, local, addresses);
   return false;
}

static bool meets(const struct rt_follower *follower, const struct pattern *pattern)
{
   uint64_t pages = 0;
   for (uint32_t classes = rt_shadow_conflicts[pattern->accesses.class]; classes; classes &= classes - 1)
      pages |= follower->pages[RT_RACE_BUFFERS][__builtin_ctz(classes)];
   return pages & pattern->pages;
}

void rt_patterns_end_phase(struct rt_follower *follower)
{
   struct rt_patterns *patterns = follower->member->patterns;
   for (uint32_t i = 0; patterns && i < patterns->num_waiting; i++) {
      struct pattern *pattern = &patterns->patterns[patterns->waiting[i]];
      if (!pattern->is_waiting)
         continue;
      if (meets(follower, pattern)) {
         note_now(follower, pattern);
         continue;
      }
      pattern->is_waiting = false;
      pattern->least = UTIL_MIN(pattern->least, follower->group);
      pattern->greatest = UTIL_MAX(pattern->greatest, follower->group);
   }
   if (patterns)
      patterns->num_waiting = 0;
   memset(follower->pages[RT_RACE_BUFFERS], 0, sizeof(follower->pages[RT_RACE_BUFFERS]));
}

void rt_patterns_note(struct rt_follower *follower)
{
   struct rt_patterns *patterns = follower->member->patterns;
   for (uint32_t i = 0; patterns && i < patterns->num_waiting; i++) {
      struct pattern *pattern = &patterns->patterns[patterns->waiting[i]];
      if (pattern->is_waiting)
         note_now(follower, pattern);
   }
   if (patterns)
      patterns->num_waiting = 0;
}

void rt_patterns_end(struct rt_patterns *patterns, struct rt_shadow *shadow)
{
   for (uint32_t i = 0; patterns && i < patterns->num_used; i++) {
      note_before(shadow, &patterns->patterns[patterns->used[i]], false);
      patterns->patterns[patterns->used[i]].site = NULL;
   }
   if (patterns)
      patterns->num_used = patterns->num_waiting = patterns->num_misses = 0;
}
