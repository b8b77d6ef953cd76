/* SPDX-License-Identifier: MIT
 * A vector has a byte an invocation: one more than the last of its clocks that is seen, 0 for none; they are few mostly, so blocks of zeros are left out.
 * What an invocation has seen is never changed while its clock is below the greatest: what it had seen at an earlier clock is asked for at the end of the
 * phase. */
#include "runtime/instrument/clocks.h"

#include "util/alloc.h"
#include "util/arena.h"

#include <string.h>

enum { MAX_BYTES = 256 << 20, MIN_LOCATIONS = 64, BLOCK_SHIFT = 6, BLOCK = 1 << BLOCK_SHIFT };

struct vector {
   uint32_t blocks; /* those that are not all zeros: a bit each */
   uint8_t clocks[];
};

struct invocation {
   struct vector *seen[RT_MAX_CLOCK + 1]; /* by clock; may be NULL */
   struct vector *published;        /* what it had seen at its last release fence, and itself up to: */
   uint8_t released;                /* one more than its clock then; 0: there was none */
   uint8_t clock;
   bool is_behind;                  /* a release fence that no access has followed yet */
   bool is_narrow;                  /* that fence was for its subgroup alone */
   struct vector *pending, *pending_near; /* what its atomics have read since an acquire fence: of all, and of its subgroup's fences; NULL: nothing */
};

struct location {
   uint64_t number;
   struct vector *published; /* NULL: nothing */
   uint32_t by;        /* who published last */
   bool is_narrow, is_there;
};

struct rt_clocks {
   struct util_arena vectors;
   struct invocation *invocations;
   uint32_t count, cap;
   size_t vector_bytes;
   struct vector *scratch;
   struct location *locations; /* by a hash of the number */
   uint32_t num_locations, cap_locations;
};

void rt_clocks_destroy(struct rt_clocks *clocks)
{
   if (!clocks)
      return;
   util_arena_finish(&clocks->vectors);
   util_mfree(clocks->invocations);
   util_mfree(clocks->locations);
   util_mfree(clocks);
}

/* ---- vectors ---- */

static struct vector *make_vector(struct rt_clocks *clocks)
{
   return util_arena_zalloc(&clocks->vectors, clocks->vector_bytes);
}

static void join(struct vector *to, const struct vector *from)
{
   for (uint32_t blocks = from ? from->blocks : 0; blocks; blocks &= blocks - 1) {
      const uint32_t first = (uint32_t)__builtin_ctz(blocks) << BLOCK_SHIFT;
      for (uint32_t i = 0; i < BLOCK; i++)
         to->clocks[first + i] = UTIL_MAX(to->clocks[first + i], from->clocks[first + i]);
   }
   to->blocks |= from ? from->blocks : 0;
}

static bool has_more(const struct vector *vector, const struct vector *than)
{
   uint8_t has = 0;
   for (uint32_t blocks = vector ? vector->blocks : 0; blocks; blocks &= blocks - 1) {
      const uint32_t first = (uint32_t)__builtin_ctz(blocks) << BLOCK_SHIFT;
      if (!than || !(than->blocks & blocks & -blocks))
         return true;
      for (uint32_t i = 0; i < BLOCK; i++)
         has |= vector->clocks[first + i] > than->clocks[first + i];
   }
   return has;
}

static void clear(struct vector *vector)
{
   for (uint32_t blocks = vector ? vector->blocks : 0; blocks; blocks &= blocks - 1)
      memset(vector->clocks + ((size_t)__builtin_ctz(blocks) << BLOCK_SHIFT), 0, BLOCK);
   if (vector)
      vector->blocks = 0;
}

static void raise_clock(struct vector *vector, uint32_t local, uint32_t clock)
{
   vector->clocks[local] = (uint8_t)UTIL_MAX(vector->clocks[local], clock);
   vector->blocks |= clock ? 1u << (local >> BLOCK_SHIFT) : 0;
}

/* ---- clocks ---- */

bool rt_clocks_begin(struct rt_clocks **made, uint32_t count)
{
   struct rt_clocks *clocks = *made;
   if (!clocks) {
      clocks = *made = util_calloc(1, sizeof(*clocks));
      if (!clocks)
         return false;
      util_arena_init(&clocks->vectors, MAX_BYTES);
   }
   if (count > clocks->cap) {
      struct invocation *larger = util_realloc(clocks->invocations, count * sizeof(*larger));
      if (!larger)
         return false;
      clocks->invocations = larger;
      clocks->cap = count;
   }
   clocks->count = count;
   clocks->vector_bytes = sizeof(struct vector) + util_align(count, BLOCK);
   memset(clocks->invocations, 0, count * sizeof(*clocks->invocations));
   if (clocks->num_locations)
      memset(clocks->locations, 0, clocks->cap_locations * sizeof(*clocks->locations));
   clocks->num_locations = 0;
   util_arena_reset(&clocks->vectors);
   clocks->scratch = make_vector(clocks);
   return clocks->scratch;
}

/* The next clock, at which as much is seen. */
static void advance(struct invocation *it)
{
   const uint32_t clock = UTIL_MIN(it->clock + 1u, (uint32_t)RT_MAX_CLOCK);
   it->seen[clock] = it->seen[it->clock];
   it->clock = (uint8_t)clock;
   it->is_behind = false;
}

/* Sees all of `vector` from its next clock on. */
static bool acquire(struct rt_clocks *clocks, struct invocation *it, const struct vector *vector)
{
   if (!has_more(vector, it->seen[it->clock]))
      return true;
   struct vector *seen = make_vector(clocks);
   if (!seen)
      return false;
   join(seen, it->seen[it->clock]);
   join(seen, vector);
   advance(it);
   it->seen[it->clock] = seen;
   return true;
}

/* ---- what happens ---- */

uint32_t rt_clocks_now(struct rt_clocks *clocks, uint32_t local, bool is_atomic)
{
   struct invocation *it = &clocks->invocations[local];
   if (it->is_behind && !is_atomic)
      advance(it);
   return it->clock;
}

bool rt_clocks_fence(struct rt_clocks *clocks, uint32_t local, uint32_t fences, uint32_t subgroup_size)
{
   struct invocation *it = &clocks->invocations[local];
   if (fences & RT_FENCE_ACQUIRE) {
      if (!acquire(clocks, it, it->pending_near) || (!subgroup_size && !acquire(clocks, it, it->pending)))
         return false;
      clear(it->pending_near);
      clear(subgroup_size ? NULL : it->pending);
   }
   if (fences & RT_FENCE_RELEASE) {
      it->published = it->seen[it->clock];
      it->released = it->clock + 1;
      it->is_narrow = subgroup_size != 0;
      it->is_behind = true;
   }
   return true;
}

static struct location *slot_of(struct location *locations, uint32_t cap, uint64_t number)
{
   uint32_t at = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (cap - 1);
   while (locations[at].is_there && locations[at].number != number)
      at = (at + 1) & (cap - 1);
   return &locations[at];
}

/* The location's; NULL: memory is out. */
static struct location *find_location(struct rt_clocks *clocks, uint64_t number)
{
   if (clocks->num_locations * UINT64_C(2) >= clocks->cap_locations) {
      const uint32_t cap = UTIL_MAX((uint32_t)MIN_LOCATIONS, clocks->cap_locations * 2);
      struct location *larger = cap > clocks->cap_locations ? util_calloc(cap, sizeof(*larger)) : NULL;
      if (!larger)
         return NULL;
      for (uint32_t i = 0; i < clocks->cap_locations; i++) {
         if (clocks->locations[i].is_there)
            *slot_of(larger, cap, clocks->locations[i].number) = clocks->locations[i];
      }
      util_mfree(clocks->locations);
      clocks->locations = larger;
      clocks->cap_locations = cap;
   }
   struct location *it = slot_of(clocks->locations, clocks->cap_locations, number);
   if (!it->is_there) {
      *it = (struct location){.number = number, .is_there = true};
      clocks->num_locations++;
   }
   return it;
}

static bool read_location(struct rt_clocks *clocks, uint32_t local, const struct location *from, uint32_t subgroup_size)
{
   const bool is_near = subgroup_size && from->by / subgroup_size == local / subgroup_size;
   struct invocation *it = &clocks->invocations[local];
   struct vector **pending = is_near ? &it->pending_near : &it->pending;
   if (!from->published || (from->is_narrow && !is_near))
      return true;
   if (!*pending)
      *pending = make_vector(clocks);
   if (*pending)
      join(*pending, from->published);
   return *pending;
}

/* What changes a location goes on with the release that it holds, a store begins anew. */
static bool write_location(struct rt_clocks *clocks, uint32_t local, struct location *to, bool is_change)
{
   const struct invocation *it = &clocks->invocations[local];
   if (!it->released && is_change)
      return true;
   if (!to->published && it->released)
      to->published = make_vector(clocks);
   if (!to->published)
      return !it->released;
   to->is_narrow = it->is_narrow && (!is_change || to->is_narrow);
   to->by = local;
   if (!is_change)
      clear(to->published);
   join(to->published, it->published);
   raise_clock(to->published, local, it->released);
   return true;
}

bool rt_clocks_atomic(struct rt_clocks *clocks, uint32_t local, uint64_t number, enum rt_atomic atomic, uint32_t subgroup_size)
{
   struct location *location = find_location(clocks, number);
   if (!location)
      return false;
   if (atomic & RT_ATOMIC_LOAD && !read_location(clocks, local, location, subgroup_size))
      return false;
   return !(atomic & RT_ATOMIC_STORE) || write_location(clocks, local, location, atomic == RT_ATOMIC_CHANGE);
}

bool rt_clocks_barrier(struct rt_clocks *clocks, uint32_t first, uint32_t mask)
{
   bool is_new = false;
   clear(clocks->scratch);
   for (uint32_t rest = mask; rest; rest &= rest - 1) {
      const uint32_t local = first + (uint32_t)__builtin_ctz(rest);
      const struct invocation *it = &clocks->invocations[local];
      join(clocks->scratch, it->seen[it->clock]);
      raise_clock(clocks->scratch, local, it->clock + 1u);
   }
   for (uint32_t rest = mask; rest; rest &= rest - 1) {
      const struct invocation *it = &clocks->invocations[first + (uint32_t)__builtin_ctz(rest)];
      is_new |= has_more(clocks->scratch, it->seen[it->clock]);
   }
   struct vector *all = is_new ? make_vector(clocks) : NULL;
   if (!all)
      return !is_new; /* clocks have ended */
   join(all, clocks->scratch);
   for (uint32_t rest = mask; rest; rest &= rest - 1) {
      struct invocation *it = &clocks->invocations[first + (uint32_t)__builtin_ctz(rest)];
      advance(it);
      it->seen[it->clock] = all;
   }
   return true;
}

static bool has_seen(const struct rt_clocks *clocks, uint32_t local, uint32_t clock, uint32_t other, uint32_t other_clock)
{
   const struct vector *seen = clocks->invocations[local].seen[clock];
   return seen && seen->clocks[other] > other_clock;
}

bool rt_clocks_are_ordered(const struct rt_clocks *clocks, uint32_t local_a, uint32_t clock_a, uint32_t local_b, uint32_t clock_b)
{
   return has_seen(clocks, local_a, clock_a, local_b, clock_b) || has_seen(clocks, local_b, clock_b, local_a, clock_a);
}
