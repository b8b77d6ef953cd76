/* SPDX-License-Identifier: MIT
 * Rays of a call go side by side, a step each. */
#include "runtime/accel/traverse.h"

#include "runtime/accel/packet.h"

/* Rays of a call go step by step, so many together: while one waits for memory, others work. */
enum { GROUP = 8, ROUNDS_A_POLL = 64 };

/* Puts the ray aside or ends it. Returns whether there is a candidate. */
static bool finish(struct traversal *t, enum step step)
{
   if (step == STEP_CANDIDATE)
      memcpy(t->ray->traversal, &t->kept, sizeof(t->kept));
   else
      t->ray->status = ABI_RAY_ENDED;
   return step == STEP_CANDIDATE;
}

/* The lanes of rays that are through: packets are made of neighbours. */
static uint32_t run_packets(const struct rt_accel_table *structures, struct abi_ray *const *rays, uint32_t mask, const struct rt_ray_decider *decider,
                            const uint32_t *cancel)
{
   uint32_t taken = 0;
#ifdef RT_PACKET
   for (uint32_t first = 0; first < ABI_RAY_LANES; first += RT_PACKET) {
      const uint32_t part = mask & ((1u << RT_PACKET) - 1) << first;
      if (__builtin_popcount(part) >= MIN_PACKET)
         taken |= try_packet(structures, rays, part, decider, cancel);
   }
#endif
   return taken;
}

uint32_t rt_ray_run(const struct rt_accel_table *structures, struct abi_ray *const *rays, uint32_t mask,
                    const struct rt_ray_decider *decider, const uint32_t *cancel)
{
   struct traversal group[GROUP];
   struct rt_surroundings all[GROUP];
   uint32_t lanes[GROUP], count = 0, candidates = 0, num_rounds = 0;
   for (uint32_t i = 0; i < GROUP; i++)
      group[i].all = &all[i];
   mask &= ~run_packets(structures, rays, mask, decider, cancel);
   while (mask || count) {
      while (mask && count < GROUP) {
         const uint32_t lane = (uint32_t)__builtin_ctz(mask);
         mask &= mask - 1;
         const enum step step = start(&group[count], structures, rays[lane]);
         if (step != STEP_GOES_ON)
            candidates |= (uint32_t)finish(&group[count], step) << lane;
         else
            lanes[count++] = lane;
      }
      const bool is_cancelled = ++num_rounds % ROUNDS_A_POLL == 0 && __atomic_load_n(cancel, __ATOMIC_RELAXED);
      for (uint32_t i = 0; i < count;) {
         const enum step step = UTIL_UNLIKELY(is_cancelled) ? STEP_END : take_step(&group[i]);
         if (step == STEP_GOES_ON) {
            i++;
            continue;
         }
         candidates |= (uint32_t)finish(&group[i], step) << lanes[i];
         count--;
         if (i < count) {
            const struct traversal ended = group[i];
            group[i] = group[count];
            group[count] = ended; /* with what it has for another ray */
         }
         lanes[i] = lanes[count];
      }
   }
   return candidates;
}
