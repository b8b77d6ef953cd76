/* SPDX-License-Identifier: MIT
 * Lanes of a call, each a ray: chooses the code for the processor's instruction set once, at load. */
#include "runtime/accel/ray.h"

#include "runtime/accel/traverse.h"
#include "runtime/accel/tree.h"
#include "util/cpu.h"
#include "util/macros.h"

#include <string.h>

static rt_ray_run_fn *run = rt_ray_run;

#ifdef __x86_64__
__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   run = level >= UTIL_CPU_V4 ? rt_ray_run_v4 : level >= UTIL_CPU_V3 ? rt_ray_run_v3 : rt_ray_run;
}
#endif

uint32_t rt_ray_trace(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask, const struct rt_ray_decider *decider)
{
   uint32_t running = 0;
   for (uint32_t left = mask; left; left &= left - 1)
      running |= (uint32_t)(rays[__builtin_ctz(left)]->status != ABI_RAY_ENDED) << __builtin_ctz(left);
   return running ? run(worker->structures, rays, running, decider, worker->cancel) : 0;
}

uint32_t rt_ray_proceed(struct abi_worker *worker, struct abi_ray *const *rays, uint32_t mask)
{
   return rt_ray_trace(worker, rays, mask, NULL);
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

static void fetch(const struct abi_ray *ray, const struct abi_ray_hit *hit, uint32_t what,
                  float words[ABI_RAY_FETCH_WORDS])
{
   const struct rt_accel_instance *instance = hit->instance;
   const float *to_object = instance->world_to_object, *position = hit->primitive;
   for (uint32_t i = 0; i < 12 && (what == ABI_FETCH_OBJECT_TO_WORLD || what == ABI_FETCH_WORLD_TO_OBJECT); i++)
      words[i] = what == ABI_FETCH_OBJECT_TO_WORLD ? instance->object_to_world[i] : to_object[i];
   const float *v = what == ABI_FETCH_OBJECT_ORIGIN ? ray->origin : ray->direction,
               w = what == ABI_FETCH_OBJECT_ORIGIN ? 1.0f : 0.0f;
   for (uint32_t i = 0; i < 3 && (what == ABI_FETCH_OBJECT_ORIGIN || what == ABI_FETCH_OBJECT_DIRECTION); i++)
      words[i] = to_object[i] * v[0] + to_object[3 + i] * v[1] + to_object[6 + i] * v[2] + to_object[9 + i] * w;
   for (uint32_t i = 0; i < 9 && what == ABI_FETCH_POSITIONS && hit->type == ABI_HIT_TRIANGLE; i++)
      words[i] = position[i * RT_ACCEL_BLOCK];
}

static const uint8_t fetch_words[] = {
#define X(NAME, words) [ABI_FETCH_##NAME] = words,
   ABI_RAY_FETCHES(X)
#undef X
};

void rt_ray_fetch(struct abi_ray *const *rays, uint32_t mask, uint32_t what, bool is_committed, uint32_t *result)
{
   for (; mask; mask &= mask - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(mask);
      const struct abi_ray_hit *hit = is_committed ? &rays[lane]->committed : &rays[lane]->candidate;
      float words[ABI_RAY_FETCH_WORDS] = {0};
      if (hit->type != ABI_HIT_NONE && hit->instance)
         fetch(rays[lane], hit, what, words);
      for (uint32_t word = 0; word < fetch_words[what]; word++)
         memcpy(&result[word * ABI_RAY_LANES + lane], &words[word], sizeof(float));
   }
}

const struct rt_accel_instance *rt_ray_find_instance(const struct rt_accel_table *structures, uint64_t address, uint32_t index)
{
   const uint64_t bytes = address % RT_ACCEL_ALIGN ? 0 : rt_accel_table_find(structures, address);
   const struct rt_accel_view top = rt_accel_view((const void *)(uintptr_t)address, bytes);
   return top.base && top.level == RT_ACCEL_TOP && index < top.num_leaves ? (const struct rt_accel_instance *)top.leaves + index : NULL;
}
