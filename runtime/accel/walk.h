/* SPDX-License-Identifier: MIT
 * One ray through both levels, a node or a leaf a step. One stack for both: what stands on it below the position where an instance was
 * entered is of the top level. Threads: a ray belongs to one thread. */
#pragma once

#include "runtime/accel/swept.h"
#include "runtime/accel/micromap.h"
#include "runtime/accel/table.h"
#include "util/macros.h"

#include <vulkan/vulkan_core.h>

enum { NO_INSTANCE = UINT32_MAX };

/* What a ray keeps while it waits: in abi_ray.traversal. */
struct kept {
   uint64_t top_address, top_bytes, bottom_address, bottom_bytes;
   uint32_t depth;                        /* of the stack */
   uint32_t outer_depth;                  /* where it was when the instance was entered */
   uint32_t instance;                     /* NO_INSTANCE: in the top level */
   uint32_t pending_block, pending_lanes; /* candidates of the block that were not shown yet */
};
_Static_assert(sizeof(struct kept) <= sizeof(((struct abi_ray *)0)->traversal), "it has room");

enum opacity { BY_GEOMETRY, ALL_OPAQUE, NONE_OPAQUE };

/* Both levels, and the ray in their spaces. */
struct rt_surroundings {
   struct rt_accel_view top, bottom;
   struct rt_ray_space world, object;
};

struct traversal {
   const struct rt_accel_table *structures;
   struct abi_ray *ray;
   uint32_t next; /* what it looks at in its next step */
   struct kept kept;
   const struct rt_accel_view *view; /* the one that it is in */
   const struct rt_ray_space *space;
   struct rt_surroundings *all;
   const struct rt_accel_instance *instance;
   enum opacity opacity;
   uint32_t culled_faces; /* bits: ABI_RAY_CULL_*_FACING_TRIANGLES that count here */
   bool is_flipped;
   bool has_micromaps, has_two_states; /* micromaps count; they leave nothing to shaders */
};

/* ---- the stack ---- */

static inline uint64_t entry_of(float t, uint32_t ref)
{
   uint32_t bits;
   memcpy(&bits, &t, sizeof(bits));
   return (uint64_t)bits << 32 | ref;
}

static inline float entry_t(uint64_t entry)
{
   const uint32_t bits = (uint32_t)(entry >> 32);
   float t;
   memcpy(&t, &bits, sizeof(t));
   return t;
}

/* The nearest child that is hit; the others wait, the farthest lowest. RT_REF_NONE: no child. */
RT_LANES uint32_t visit_node(struct traversal *t, uint32_t index)
{
   const struct rt_accel_node *node = &t->view->nodes[index];
   float begins[RT_ACCEL_WIDTH] __attribute__((aligned(32)));
   uint64_t *stack = t->ray->stack;
   uint32_t mask = rt_ray_test_node(t->space, node, t->ray->tmin, t->ray->tmax, begins);
   if (!mask)
      return rt_accel_ref(RT_REF_NONE, 0);
   uint32_t child = (uint32_t)__builtin_ctz(mask);
   mask &= mask - 1;
   if (!mask)
      return node->refs[child];
   if (UTIL_UNLIKELY(t->kept.depth + RT_ACCEL_WIDTH > ABI_RAY_STACK)) /* no tree of ours is so deep */
      return rt_accel_ref(RT_REF_NONE, 0);
   const uint32_t first = t->kept.depth;
   uint32_t end = first;
   stack[end++] = entry_of(begins[child], node->refs[child]);
   for (; mask; mask &= mask - 1) {
      child = (uint32_t)__builtin_ctz(mask);
      const uint64_t entry = entry_of(begins[child], node->refs[child]);
      uint32_t i = end++;
      for (; i > first && stack[i - 1] < entry; i--)
         stack[i] = stack[i - 1];
      stack[i] = entry;
   }
   t->kept.depth = end - 1;
   return (uint32_t)stack[end - 1];
}

/* ---- instances ---- */

static void enter_top(struct traversal *t)
{
   t->view = &t->all->top;
   t->space = &t->all->world;
   t->instance = NULL;
   t->kept.instance = NO_INSTANCE;
}

static enum opacity opacity_of(uint32_t ray_flags, uint32_t instance_flags)
{
   if (ray_flags & ABI_RAY_OPAQUE)
      return ALL_OPAQUE;
   if (ray_flags & ABI_RAY_NO_OPAQUE)
      return NONE_OPAQUE;
   if (instance_flags & VK_GEOMETRY_INSTANCE_FORCE_OPAQUE_BIT_KHR)
      return ALL_OPAQUE;
   return instance_flags & VK_GEOMETRY_INSTANCE_FORCE_NO_OPAQUE_BIT_KHR ? NONE_OPAQUE : BY_GEOMETRY;
}

/* ((m0 x + m1 y) + m2 z) + m3, a row at a time. */
static void transform(const float m[12], const float v[3], float w, float out[3])
{
   for (uint32_t row = 0; row < 3; row++)
      out[row] = m[row] * v[0] + m[3 + row] * v[1] + m[6 + row] * v[2] + m[9 + row] * w;
}

/* The bottom level of an instance; what counts for its triangles. False: there is nothing to see for this ray. */
static bool open_instance(struct traversal *t, uint32_t index)
{
   const struct rt_accel_instance *instance = (const struct rt_accel_instance *)t->all->top.leaves + index;
   const uint32_t flags = t->ray->flags;
   if (!(instance->mask & t->ray->cull_mask & 0xff))
      return false;
   t->kept.bottom_address = instance->bottom;
   t->kept.bottom_bytes = rt_accel_table_find(t->structures, instance->bottom);
   t->all->bottom = rt_accel_view((const void *)(uintptr_t)t->kept.bottom_address, t->kept.bottom_bytes);
   if (!t->all->bottom.base || t->all->bottom.level != RT_ACCEL_BOTTOM || !t->all->bottom.num_nodes ||
       flags & (t->all->bottom.leaf == RT_LEAF_BOXES ? ABI_RAY_SKIP_AABBS : ABI_RAY_SKIP_TRIANGLES))
      return false;
   t->opacity = opacity_of(flags, instance->flags);
   if ((t->opacity == ALL_OPAQUE && flags & ABI_RAY_CULL_OPAQUE) ||
       (t->opacity == NONE_OPAQUE && flags & ABI_RAY_CULL_NO_OPAQUE))
      return false;
   t->culled_faces = instance->flags & VK_GEOMETRY_INSTANCE_TRIANGLE_FACING_CULL_DISABLE_BIT_KHR
                        ? 0
                        : flags & (ABI_RAY_CULL_BACK_FACING_TRIANGLES | ABI_RAY_CULL_FRONT_FACING_TRIANGLES);
   t->is_flipped = instance->flags & VK_GEOMETRY_INSTANCE_TRIANGLE_FLIP_FACING_BIT_KHR;
   t->has_micromaps = t->all->bottom.micromaps && !(instance->flags & VK_GEOMETRY_INSTANCE_DISABLE_OPACITY_MICROMAPS_EXT);
   t->has_two_states = flags & ABI_RAY_FORCE_TWO_STATES || instance->flags & VK_GEOMETRY_INSTANCE_FORCE_OPACITY_MICROMAP_2_STATE_EXT;
   t->view = &t->all->bottom;
   t->instance = instance;
   t->kept.instance = index;
   return true;
}

static bool enter_instance(struct traversal *t, uint32_t index)
{
   float origin[3], direction[3];
   if (!open_instance(t, index))
      return false;
   transform(t->instance->world_to_object, t->ray->origin, 1.0f, origin);
   transform(t->instance->world_to_object, t->ray->direction, 0.0f, direction);
   rt_ray_space_init(&t->all->object, origin, direction);
   t->space = &t->all->object;
   return true;
}

/* ---- leaves ---- */

static uint32_t opaque_lanes(const struct traversal *t, const struct rt_accel_block *block)
{
   uint32_t lanes = 0;
   if (t->opacity != BY_GEOMETRY)
      return t->opacity == ALL_OPAQUE ? (1u << RT_ACCEL_BLOCK) - 1 : 0;
   for (uint32_t i = 0; i < RT_ACCEL_BLOCK; i++)
      lanes |= block->geometry[i] >> 31 << i;
   return lanes;
}

static void set_hit(const struct traversal *t, struct abi_ray_hit *hit, const struct rt_accel_block *block,
                    uint32_t lane, bool is_opaque)
{
   *hit = (struct abi_ray_hit){
      .type = t->all->bottom.leaf == RT_LEAF_BOXES ? ABI_HIT_BOX : ABI_HIT_TRIANGLE,
      .is_opaque = is_opaque,
      .primitive_index = block->primitive[lane],
      .geometry_index = block->geometry[lane] & RT_GEOMETRY_INDEX,
      .instance_index = t->kept.instance,
      .custom_index = t->instance->custom_index,
      .record_offset = t->instance->record_offset,
      .instance = t->instance,
      .primitive = &block->vertices[0][0][lane],
   };
}

static void set_triangle(const struct traversal *t, struct abi_ray_hit *hit, const struct rt_accel_block *block,
                         const struct rt_block_hits *hits, uint32_t front, uint32_t lane, bool is_opaque)
{
   set_hit(t, hit, block, lane, is_opaque);
   hit->t = hits->t[lane];
   hit->barycentrics[0] = hits->u[lane];
   hit->barycentrics[1] = hits->v[lane];
   hit->hit_kind = front >> lane & 1 ? ABI_HIT_KIND_FRONT : ABI_HIT_KIND_BACK;
}

static __attribute__((noinline)) void set_swept(const struct traversal *t, struct abi_ray_hit *hit, const struct rt_accel_block *block,
                                                const struct rt_block_hits *hits, uint32_t lane, bool is_opaque)
{
   set_hit(t, hit, block, lane, is_opaque);
   hit->t = hits->t[lane];
   hit->barycentrics[0] = hits->u[lane];
   hit->hit_kind = block->vertices[2][2][lane] >= RT_SWEPT_IS_SPHERE ? ABI_HIT_KIND_SPHERE : ABI_HIT_KIND_SWEPT;
}

/* What micromaps say of the lanes that are hit: the transparent ones are not. Whether a lane is opaque counts unless flags say so of all. */
static uint32_t apply_micromaps(const struct traversal *t, uint32_t block_index, const struct rt_block_hits *hits, uint32_t mask, uint32_t *opaque)
{
   uint32_t kept = mask;
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      int32_t state = rt_accel_opacity(t->structures, &t->all->bottom, block_index, lane, hits->u[lane], hits->v[lane]);
      if (state == RT_OPACITY_NONE)
         continue;
      if (t->has_two_states)
         state &= 1; /* of those that are unknown, transparent and opaque ones have the same last bit */
      if (state == RT_OPACITY_TRANSPARENT)
         kept &= ~(1u << lane);
      else if (t->opacity == BY_GEOMETRY)
         *opaque = (*opaque & ~(1u << lane)) | (uint32_t)(state == RT_OPACITY_OPAQUE) << lane;
   }
   return kept;
}

/* Shows the first of the lanes that need a decision; the others of the block wait. */
static bool show(struct traversal *t, uint32_t block_index, uint32_t lanes)
{
   t->kept.pending_block = block_index;
   t->kept.pending_lanes = lanes & (lanes - 1);
   return true;
}

/* Whether an opaque hit comes before what the ray has: it is nearer, or as near and of the instance, geometry and primitive with the lower numbers. So what
 * is found does not depend on the path there. */
static inline bool is_first(const struct traversal *t, const struct abi_ray *ray, const struct rt_accel_block *block, uint32_t lane, float distance)
{
   const struct abi_ray_hit *hit = &ray->committed;
   const uint32_t geometry = block->geometry[lane] & RT_GEOMETRY_INDEX;
   if (distance != ray->tmax)
      return distance < ray->tmax;
   if (hit->type != ABI_HIT_TRIANGLE || !hit->is_opaque)
      return false;
   if (hit->instance_index != t->kept.instance)
      return t->kept.instance < hit->instance_index;
   return geometry != hit->geometry_index ? geometry < hit->geometry_index : block->primitive[lane] < hit->primitive_index;
}

/* Of the lanes that are hit, opaque ones are committed, others shown. True: there is a candidate. */
RT_LANES bool take_hits(struct traversal *t, uint32_t block_index, const struct rt_block_hits *hits, uint32_t mask, uint32_t front, uint32_t opaque,
                        bool is_swept)
{
   const struct rt_accel_block *block = (const struct rt_accel_block *)t->all->bottom.leaves + block_index;
   struct abi_ray *ray = t->ray;
   mask &= ~(ray->flags & ABI_RAY_CULL_OPAQUE ? opaque : 0) & ~(ray->flags & ABI_RAY_CULL_NO_OPAQUE ? ~opaque : 0);
   uint32_t num_committed = 0;
   for (uint32_t left = mask & opaque; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      if (is_first(t, ray, block, lane, hits->t[lane])) {
         ray->tmax = hits->t[lane];
         if (is_swept)
            set_swept(t, &ray->committed, block, hits, lane, true);
         else
            set_triangle(t, &ray->committed, block, hits, front, lane, true);
         num_committed++;
      }
   }
   if (num_committed && ray->flags & ABI_RAY_TERMINATE_ON_FIRST_HIT) {
      ray->status = ABI_RAY_ENDED;
      return false;
   }
   uint32_t shown = 0;
   for (uint32_t left = mask & ~opaque; left; left &= left - 1)
      if (hits->t[__builtin_ctz(left)] < ray->tmax)
         shown |= left & -left;
   if (!shown)
      return false;
   if (is_swept)
      set_swept(t, &ray->candidate, block, hits, (uint32_t)__builtin_ctz(shown), false);
   else
      set_triangle(t, &ray->candidate, block, hits, front, (uint32_t)__builtin_ctz(shown), false);
   return show(t, block_index, shown);
}

/* The lanes of a block. True: there is a candidate. */
RT_LANES bool visit_triangles(struct traversal *t, uint32_t block_index, uint32_t lanes)
{
   const struct rt_accel_block *block = (const struct rt_accel_block *)t->all->bottom.leaves + block_index;
   struct rt_block_hits hits;
   rt_ray_test_triangles(t->space, block, t->ray->tmin, t->ray->tmax, &hits);
   uint32_t mask = hits.mask & lanes;
   if (!mask)
      return false;
   const uint32_t front = t->is_flipped ? ~hits.front : hits.front;
   uint32_t opaque = opaque_lanes(t, block);
   if (UTIL_UNLIKELY(t->has_micromaps))
      mask = apply_micromaps(t, block_index, &hits, mask, &opaque);
   mask &= ~(t->culled_faces & ABI_RAY_CULL_FRONT_FACING_TRIANGLES ? front : 0) &
           ~(t->culled_faces & ABI_RAY_CULL_BACK_FACING_TRIANGLES ? ~front : 0);
   return take_hits(t, block_index, &hits, mask, front, opaque, false);
}

/* Spheres: no side of them is culled, as only their outer one is hit. */
static __attribute__((noinline)) bool visit_swept(struct traversal *t, uint32_t block_index, uint32_t lanes)
{
   const struct rt_accel_block *block = (const struct rt_accel_block *)t->all->bottom.leaves + block_index;
   struct rt_block_hits hits;
   float direction[3];
   transform(t->instance->world_to_object, t->ray->direction, 0.0f, direction);
   rt_ray_test_swept(t->space->origin, direction, block, t->ray->tmin, t->ray->tmax, &hits);
   const uint32_t mask = hits.mask & lanes;
   return mask && take_hits(t, block_index, &hits, mask, 0, opaque_lanes(t, block), true);
}

static bool visit_boxes(struct traversal *t, uint32_t block_index, uint32_t lanes)
{
   const struct rt_accel_block *block = (const struct rt_accel_block *)t->all->bottom.leaves + block_index;
   const uint32_t opaque = opaque_lanes(t, block), flags = t->ray->flags;
   uint32_t mask = lanes & rt_ray_test_boxes(t->space, block, t->ray->tmin, t->ray->tmax);
   mask &= ~(flags & ABI_RAY_CULL_OPAQUE ? opaque : 0) & ~(flags & ABI_RAY_CULL_NO_OPAQUE ? ~opaque : 0);
   if (!mask)
      return false;
   const uint32_t lane = (uint32_t)__builtin_ctz(mask);
   set_hit(t, &t->ray->candidate, block, lane, opaque >> lane & 1);
   return show(t, block_index, mask);
}

RT_LANES bool visit_block(struct traversal *t, uint32_t index, uint32_t lanes)
{
   if (UTIL_LIKELY(t->all->bottom.leaf == RT_LEAF_TRIANGLES))
      return visit_triangles(t, index, lanes);
   return t->all->bottom.leaf == RT_LEAF_BOXES ? visit_boxes(t, index, lanes) : visit_swept(t, index, lanes);
}

/* ---- the traversal ---- */

/* Asks for the memory of what a ray will look at next; others of the group go on meanwhile. */
RT_LANES void prefetch(const struct traversal *t, uint32_t ref)
{
   const uint32_t index = ref & RT_REF_INDEX;
   const char *memory;
   if (ref < t->view->num_nodes)
      memory = (const char *)&t->view->nodes[index];
   else if (t->view == &t->all->bottom)
      memory = (const char *)((const struct rt_accel_block *)t->all->bottom.leaves + index);
   else
      memory = (const char *)((const struct rt_accel_instance *)t->all->top.leaves + index);
   __builtin_prefetch(memory);
   __builtin_prefetch(memory + 64);
   __builtin_prefetch(memory + 128);
}

/* What the ray meets next. False: nothing, and it goes on. */
RT_LANES bool visit(struct traversal *t, uint32_t ref)
{
   const uint32_t index = ref & RT_REF_INDEX;
   if (ref >> RT_REF_SHIFT != RT_REF_LEAF || index >= t->view->num_leaves)
      return false;
   if (t->view == &t->all->top) {
      t->kept.outer_depth = t->kept.depth;
      if (enter_instance(t, index))
         t->ray->stack[t->kept.depth++] = entry_of(t->ray->tmin, rt_accel_ref(RT_REF_NODE, 0));
      return false;
   }
   return visit_block(t, index, (1u << RT_ACCEL_BLOCK) - 1);
}

/* Takes what waits on the stack and is not behind the hit as the next to look at. False: nothing is left. */
RT_LANES bool take_next(struct traversal *t)
{
   for (;;) {
      if (t->instance && t->kept.depth == t->kept.outer_depth)
         enter_top(t);
      if (!t->kept.depth)
         return false;
      const uint64_t entry = t->ray->stack[--t->kept.depth];
      if (entry_t(entry) <= t->ray->tmax) {
         t->next = (uint32_t)entry;
         return true;
      }
   }
}

enum step { STEP_GOES_ON, STEP_CANDIDATE, STEP_END };

/* Looks at one node or leaf. */
static enum step take_step(struct traversal *t)
{
   if (t->next < t->view->num_nodes) {
      t->next = visit_node(t, t->next);
      if (t->next >> RT_REF_SHIFT != RT_REF_NONE) {
         prefetch(t, t->next);
         return STEP_GOES_ON;
      }
   } else if (visit(t, t->next)) {
      return STEP_CANDIDATE;
   } else if (t->ray->status == ABI_RAY_ENDED) {
      return STEP_END;
   }
   if (!take_next(t))
      return STEP_END;
   prefetch(t, t->next);
   return STEP_GOES_ON;
}

/* False: it cannot hit anything. */
static bool begin_ray(struct abi_ray *ray)
{
   ray->tmin = ray->tmin >= 0.0f ? ray->tmin + 0.0f : 0.0f; /* no -0, whose bits are large */
   return ray->tmax >= ray->tmin && ray->structure % RT_ACCEL_ALIGN == 0;
}

/* Finds the structure; false if there is nothing to hit. */
static bool begin(struct traversal *t)
{
   struct abi_ray *ray = t->ray;
   if (!begin_ray(ray))
      return false;
   t->kept = (struct kept){.top_address = ray->structure, .instance = NO_INSTANCE};
   t->kept.top_bytes = rt_accel_table_find(t->structures, ray->structure);
   t->all->top = rt_accel_view((const void *)(uintptr_t)t->kept.top_address, t->kept.top_bytes);
   if (!t->all->top.base || t->all->top.level != RT_ACCEL_TOP || !t->all->top.num_nodes)
      return false;
   ray->stack[t->kept.depth++] = entry_of(ray->tmin, rt_accel_ref(RT_REF_NODE, 0));
   ray->status = ABI_RAY_GOES_ON;
   return true;
}

/* Where it was. False if the structures are gone meanwhile. */
static bool resume(struct traversal *t)
{
   memcpy(&t->kept, t->ray->traversal, sizeof(t->kept));
   t->all->top = rt_accel_view((const void *)(uintptr_t)t->kept.top_address, t->kept.top_bytes);
   return t->all->top.base && t->kept.instance < t->all->top.num_leaves && enter_instance(t, t->kept.instance);
}

/* After a decision about its candidate: to the next one of the block, or on. */
static enum step go_on(struct traversal *t)
{
   const uint32_t lanes = t->kept.pending_lanes, block = t->kept.pending_block;
   if (t->ray->status == ABI_RAY_ENDED)
      return STEP_END;
   if (lanes && block < t->all->bottom.num_leaves && visit_block(t, block, lanes))
      return STEP_CANDIDATE;
   return t->ray->status != ABI_RAY_ENDED && take_next(t) ? STEP_GOES_ON : STEP_END;
}

/* The ray's first step, of a new ray or of one that goes on. */
static enum step start(struct traversal *t, const struct rt_accel_table *structures, struct abi_ray *ray)
{
   t->structures = structures;
   t->ray = ray;
   t->all->bottom = (struct rt_accel_view){0};
   enter_top(t);
   const bool is_new = ray->status == ABI_RAY_BEGINS;
   if (!(is_new ? begin : resume)(t))
      return STEP_END;
   rt_ray_space_init(&t->all->world, ray->origin, ray->direction);
   if (!is_new)
      return go_on(t);
   enter_top(t);
   return take_next(t) ? STEP_GOES_ON : STEP_END;
}

