/* SPDX-License-Identifier: MIT
 * Lanes of a call, each a ray. No structure can be made yet, so no address is one's: every ray misses. */
#include "runtime/accel/ray.h"

#include "util/macros.h"

static const uint8_t fetch_words[] = {
#define X(NAME, words) [ABI_FETCH_##NAME] = words,
   ABI_RAY_FETCHES(X)
#undef X
};

uint32_t rt_ray_proceed(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask)
{
   for (; mask; mask &= mask - 1)
      rays[__builtin_ctz(mask)]->status = ABI_RAY_ENDED;
   return 0;
}

/* False where the hit is none of this ray. */
static bool commit(struct abi_ray *ray, const float *t, const uint32_t *hit_kind)
{
   struct abi_ray_hit hit = ray->candidate;
   if (ray->status != ABI_RAY_GOES_ON || hit.type != (t ? ABI_HIT_BOX : ABI_HIT_TRIANGLE))
      return false;
   if (t) {
      hit.t = *t;
      hit.hit_kind = hit_kind ? *hit_kind : 0;
   }
   if (!(hit.t >= ray->tmin && hit.t <= ray->tmax))
      return false;
   ray->committed = hit;
   ray->tmax = hit.t;
   if (ray->flags & ABI_RAY_TERMINATE_ON_FIRST_HIT)
      ray->status = ABI_RAY_ENDED;
   return true;
}

uint32_t rt_ray_commit(struct abi_ray *const *rays, uint32_t mask, const float *t, const uint32_t *hit_kinds)
{
   uint32_t committed = 0;
   for (; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      if (commit(rays[lane], t ? &t[lane] : NULL, hit_kinds ? &hit_kinds[lane] : NULL))
         committed |= 1u << lane;
   }
   return committed;
}

void rt_ray_fetch(struct abi_ray *const *rays, uint32_t mask, uint32_t what, bool is_committed, uint32_t *result)
{
   for (; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      for (uint32_t word = 0; word < fetch_words[what]; word++)
         result[word * ABI_RAY_LANES + lane] = 0;
   }
}
