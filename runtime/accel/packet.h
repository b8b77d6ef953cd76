/* SPDX-License-Identifier: MIT
 * Rays that go much the same path: a ray a lane, one stack for all of them. A node's boxes and a leaf's triangles are tested with all rays at once; where few
 * of them are left, each goes on alone below (walk.h), and the packet afterwards with what waits. The arithmetic is that of single rays, and which hit is
 * the first does not depend on the order in which they are found: the same bits as alone.
 * Where the order of the path counts (candidates, rays that end with their first hit), rays whose order is another leave the packet.
 * Source: Benthin, Wald, Woop, Ernst, "Combining Single and Packet-Ray Tracing for Arbitrary Ray Distributions" (2012).
 * Threads: a packet belongs to one thread. */
#pragma once

#include "runtime/accel/walk.h"

#ifdef RT_PACKET

enum {
   PACKET_STACK = (RT_ACCEL_WIDTH - 1) * (RT_ACCEL_MAX_DEPTH + RT_ACCEL_MAX_DEPTH_TOP) + RT_ACCEL_WIDTH,
   MIN_PACKET = RT_PACKET / 2, /* rays */
   ALONE = RT_PACKET / 4,      /* so many rays or fewer leave the packet */
   VISITS_A_POLL = 64,
};

/* struct rt_ray_space of rays whose directions have the same signs and the same longest axis. */
struct packet_space {
   rt_fp origin[3], inverse[3], slack[3], sx, sy, sz;
   uint32_t is_negative[3], kx, ky, kz;
};

struct packet_entry {
   rt_fp t; /* where each ray enters */
   uint32_t ref, lanes;
};

struct packet {
   struct abi_ray *rays[RT_PACKET];
   uint8_t lane_of[RT_PACKET]; /* of the call */
   const struct rt_ray_decider *decider; /* NULL: there is nothing to decide about */
   const uint32_t *cancel;
   bool is_ordered; /* the order of the path counts */
   uint32_t alive;  /* lanes that have not ended */
   rt_fp origin[3], direction[3], tmin, tmax; /* in the world's space; tmax is that of the rays */
   struct packet_space world, object, *space;
   struct rt_surroundings all;
   struct traversal walk; /* what is the same for all rays */
   struct rt_ray_space spaces[RT_PACKET]; /* of rays that went alone in the instance */
   uint32_t has_space;                    /* lanes */
   uint32_t depth, outer_depth;
   struct packet_entry stack[PACKET_STACK];
};

/* ---- spaces ---- */

/* Of the `lanes` those that have the signs and the longest axis of the first; the space is theirs. */
static uint32_t packet_space_init(struct packet_space *space, const rt_fp origin[3], const rt_fp direction[3], uint32_t lanes)
{
   const rt_fp x = rt_fp_abs(direction[0]), y = rt_fp_abs(direction[1]), z = rt_fp_abs(direction[2]);
   const rt_fp xy = rt_fp_max(y, rt_fp_max(x, rt_fp_set(0.0f))), longest = rt_fp_max(z, xy);
   const uint32_t first = lanes & -lanes, is_y = rt_fp_less(rt_fp_max(x, rt_fp_set(0.0f)), y), is_z = rt_fp_less(xy, z);
   const rt_fp least = rt_fp_max(longest * 0x1p-60f, rt_fp_set(0x1p-100f));
   uint32_t same = lanes;
   space->kz = is_z & first ? 2 : is_y & first ? 1 : 0;
   same &= space->kz == 2 ? is_z : space->kz == 1 ? is_y & ~is_z : ~(is_y | is_z);
   for (uint32_t axis = 0; axis < 3; axis++) {
      const rt_ip is_kept = rt_fp_abs(direction[axis]) > least, sign = (rt_ip)direction[axis] & INT32_MIN;
      const rt_fp d = (rt_fp)(((rt_ip)direction[axis] & is_kept) | (((rt_ip)least | sign) & ~is_kept));
      const uint32_t negative = rt_fp_less(d, rt_fp_set(0.0f));
      space->origin[axis] = origin[axis];
      space->inverse[axis] = 1.0f / d;
      space->slack[axis] = RT_BOX_SLACK * rt_fp_abs(space->inverse[axis]);
      space->is_negative[axis] = (negative & first) != 0;
      same &= negative & first ? negative : ~negative;
   }
   const uint32_t a = (space->kz + 1) % 3, b = (space->kz + 2) % 3, turned = rt_fp_less(direction[space->kz], rt_fp_set(0.0f));
   const bool is_turned = turned & first;
   space->kx = is_turned ? b : a;
   space->ky = is_turned ? a : b;
   space->sx = direction[space->kx] / direction[space->kz];
   space->sy = direction[space->ky] / direction[space->kz];
   space->sz = 1.0f / direction[space->kz];
   return same & (is_turned ? turned : ~turned);
}

static void lane_space(struct rt_ray_space *lane_space, const struct packet_space *space, uint32_t lane)
{
   for (uint32_t axis = 0; axis < 3; axis++) {
      lane_space->origin[axis] = space->origin[axis][lane];
      lane_space->inverse[axis] = space->inverse[axis][lane];
      lane_space->slack[axis] = space->slack[axis][lane];
      lane_space->is_negative[axis] = space->is_negative[axis];
   }
   lane_space->origin[3] = lane_space->inverse[3] = lane_space->slack[3] = 0.0f;
   lane_space->kx = space->kx;
   lane_space->ky = space->ky;
   lane_space->kz = space->kz;
   lane_space->sx = space->sx[lane];
   lane_space->sy = space->sy[lane];
   lane_space->sz = space->sz[lane];
}

/* The instance's space of a ray. */
static const struct rt_ray_space *space_of(struct packet *p, uint32_t lane)
{
   if (!(p->has_space >> lane & 1))
      lane_space(&p->spaces[lane], &p->object, lane);
   p->has_space |= 1u << lane;
   return &p->spaces[lane];
}

/* ---- decisions ---- */

static void end_together(struct packet *p, uint32_t lanes)
{
   p->alive &= ~lanes;
   for (; lanes; lanes &= lanes - 1)
      p->rays[__builtin_ctz(lanes)]->status = ABI_RAY_ENDED;
}

/* What rays have become outside of the packet. */
static void follow(struct packet *p, uint32_t lanes)
{
   for (; lanes; lanes &= lanes - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
      p->tmax[lane] = p->rays[lane]->tmax;
      if (p->rays[lane]->status == ABI_RAY_ENDED)
         p->alive &= ~(1u << lane);
   }
}

/* About the candidates of the lanes. */
static void decide_together(struct packet *p, uint32_t lanes)
{
   uint32_t mask = 0;
   for (uint32_t left = lanes; left; left &= left - 1)
      mask |= 1u << p->lane_of[__builtin_ctz(left)];
   p->decider->decide(p->decider->data, mask);
   if (__atomic_load_n(p->cancel, __ATOMIC_RELAXED))
      end_together(p, lanes);
   follow(p, lanes);
}

/* ---- rays alone ---- */

/* To the ends of all, a step each; those with candidates wait for one another. */
static void run_alone(struct packet *p, struct traversal *alone, const uint8_t *first_lanes, uint32_t count)
{
   uint8_t lanes[ALONE];
   uint32_t num_waiting = 0; /* they are the last ones */
   bool is_decided = false;
   memcpy(lanes, first_lanes, sizeof(lanes));
   while (count) {
      for (uint32_t i = 0; i < count - num_waiting;) {
         const enum step step = is_decided ? go_on(&alone[i]) : take_step(&alone[i]);
         if (step == STEP_GOES_ON) {
            i++;
            continue;
         }
         const uint32_t last = count - num_waiting - 1;
         const struct traversal stopped = alone[i];
         const uint8_t lane = lanes[i];
         alone[i] = alone[last];
         lanes[i] = lanes[last];
         if (step == STEP_CANDIDATE && p->decider) {
            alone[last] = stopped;
            lanes[last] = lane;
            num_waiting++;
         } else {
            count--;
            alone[last] = alone[count];
            lanes[last] = lanes[count];
         }
      }
      is_decided = count && num_waiting == count;
      if (!is_decided)
         continue;
      uint32_t mask = 0;
      for (uint32_t i = 0; i < count; i++)
         mask |= 1u << lanes[i];
      decide_together(p, mask);
      num_waiting = 0;
   }
}

/* Takes the lanes through what is below `ref`: in an instance with their spaces there, else from the top level on. */
static void go_alone(struct packet *p, uint32_t ref, uint32_t lanes)
{
   struct traversal alone[ALONE];
   struct rt_surroundings all[ALONE];
   while (lanes) {
      uint32_t taken = 0, count = 0;
      uint8_t lane_of[ALONE] = {0};
      for (; lanes && count < ALONE; lanes &= lanes - 1, count++) {
         const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
         struct traversal *t = &alone[count];
         *t = p->walk;
         t->ray = p->rays[lane];
         t->kept.depth = t->kept.outer_depth = 0;
         t->next = ref;
         taken |= 1u << lane;
         lane_of[count] = (uint8_t)lane;
         if (t->instance) {
            t->space = space_of(p, lane);
         } else {
            t->all = &all[count];
            t->all->top = p->all.top;
            lane_space(&t->all->world, &p->world, lane);
            enter_top(t);
         }
      }
      run_alone(p, alone, lane_of, count);
      follow(p, taken);
   }
}

/* ---- nodes ---- */

/* The lanes that alone would look at the children in another order: see visit_node(). */
static uint32_t find_other_order(const struct rt_accel_node *node, const uint8_t *order, uint32_t count, const rt_fp *begins, const uint32_t *hits)
{
   uint32_t others = 0;
   rt_fp last = rt_fp_set(-1.0f);
   rt_ip last_ref = {0};
   for (uint32_t i = count; i-- > 0;) {
      const uint32_t child = order[i], behind = rt_fp_less(begins[child], last);
      const uint32_t beside = ~behind & rt_fp_not_above(begins[child], last);
      const rt_ip ref = (rt_ip){0} + (int32_t)node->refs[child];
      others |= hits[child] & (behind | (beside & rt_ip_signs((rt_ip)((rt_up)last_ref > (rt_up)ref))));
      last = rt_fp_select(hits[child], begins[child], last);
      last_ref = (rt_ip)rt_fp_select(hits[child], (rt_fp)ref, (rt_fp)last_ref);
   }
   return others;
}

static void visit_node_together(struct packet *p, uint32_t index, uint32_t lanes)
{
   const struct rt_accel_node *node = &p->walk.view->nodes[index];
   const struct packet_space *space = p->space;
   float bounds[3][2][RT_ACCEL_WIDTH] __attribute__((aligned(32)));
   uint32_t hits[RT_ACCEL_WIDTH];
   uint64_t keys[RT_ACCEL_WIDTH]; /* where the first ray enters, what */
   uint8_t order[RT_ACCEL_WIDTH]; /* of the children that are hit, the farthest first */
   uint32_t count = 0;
   rt_fp distance = rt_fp_set(0.0f), step[3], nearest[3], farthest[3], begins[RT_ACCEL_WIDTH];
   if (UTIL_UNLIKELY(p->depth + RT_ACCEL_WIDTH > PACKET_STACK))
      return;
   for (uint32_t axis = 0; axis < 3; axis++) {
      const rt_fp rel = node->origin[axis] - space->origin[axis];
      distance = rt_fp_max(rt_fp_abs(rel) + 255.0f * node->scale[axis], distance);
      step[axis] = node->scale[axis] * space->inverse[axis];
      nearest[axis] = rel * space->inverse[axis];
      for (uint32_t side = 0; side < 2; side++) {
         const rt_f8 numbers = rt_f8_from_bytes(node->bounds[axis][side ^ space->is_negative[axis]]);
         memcpy(bounds[axis][side], &numbers, sizeof(numbers));
      }
   }
   for (uint32_t axis = 0; axis < 3; axis++) {
      const rt_fp slack = space->slack[axis] * distance;
      farthest[axis] = nearest[axis] + slack;
      nearest[axis] = nearest[axis] - slack;
   }
   for (uint32_t child = 0; child < RT_ACCEL_WIDTH; child++) {
      rt_fp begin = p->tmin, end = p->tmax;
      if (node->refs[child] >> RT_REF_SHIFT == RT_REF_NONE)
         continue;
      for (uint32_t axis = 0; axis < 3; axis++) {
         begin = rt_fp_max(bounds[axis][0][child] * step[axis] + nearest[axis], begin);
         end = rt_fp_min(bounds[axis][1][child] * step[axis] + farthest[axis], end);
      }
      hits[child] = rt_fp_not_above(begin, end) & lanes;
      if (!hits[child])
         continue;
      begins[child] = begin;
      keys[child] = entry_of(begin[__builtin_ctz(hits[child])], node->refs[child]);
      uint32_t i = count++;
      for (; i > 0 && keys[order[i - 1]] < keys[child]; i--)
         order[i] = order[i - 1];
      order[i] = (uint8_t)child;
   }
   const uint32_t apart = p->is_ordered ? find_other_order(node, order, count, begins, hits) : 0;
   if (apart)
      go_alone(p, rt_accel_ref(RT_REF_NODE, index), apart);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t child = order[i];
      p->stack[p->depth++] = (struct packet_entry){begins[child], node->refs[child], hits[child] & ~apart};
   }
}

/* ---- leaves ---- */

/* The lanes that hit a triangle of the block, as rt_ray_test_triangles() finds them. An opaque one is committed, as take_hits() does it: returns for whom; of
 * another a decision is asked. */
static uint32_t visit_triangle_together(struct packet *p, const struct rt_accel_block *block, uint32_t corner, bool is_opaque, uint32_t lanes)
{
   const struct packet_space *space = p->space;
   rt_fp x[3], y[3], z[3], edges[3];
   uint32_t zeros = 0, negative = 0, positive = 0;
   for (uint32_t i = 0; i < 3; i++) {
      z[i] = block->vertices[i][space->kz][corner] - space->origin[space->kz];
      x[i] = block->vertices[i][space->kx][corner] - space->origin[space->kx] - space->sx * z[i];
      y[i] = block->vertices[i][space->ky][corner] - space->origin[space->ky] - space->sy * z[i];
   }
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t b = (i + 1) % 3, c = (i + 2) % 3;
      edges[i] = x[c] * y[b] - y[c] * x[b];
      zeros |= rt_fp_is_zero(edges[i]);
   }
   for (zeros &= lanes; UTIL_UNLIKELY(zeros); zeros &= zeros - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(zeros);
      for (uint32_t i = 0; i < 3; i++) {
         const uint32_t b = (i + 1) % 3, c = (i + 2) % 3;
         int32_t sign;
         edges[i][lane] = rt_ray_exact_edge(x[b][lane], y[b][lane], x[c][lane], y[c][lane], &sign);
         negative |= (uint32_t)(sign < 0) << lane;
         positive |= (uint32_t)(sign > 0) << lane;
      }
   }
   for (uint32_t i = 0; i < 3; i++) {
      negative |= rt_fp_less(edges[i], rt_fp_set(0.0f));
      positive |= rt_fp_less(rt_fp_set(0.0f), edges[i]);
   }
   const rt_fp determinant = edges[0] + edges[1] + edges[2];
   uint32_t front = rt_fp_less(rt_fp_set(0.0f), determinant);
   lanes &= ~(negative & positive) & (front | rt_fp_less(determinant, rt_fp_set(0.0f)));
   if (!lanes)
      return 0;
   const rt_fp t = (edges[0] * (space->sz * z[0]) + edges[1] * (space->sz * z[1]) + edges[2] * (space->sz * z[2])) / determinant;
   front = p->walk.is_flipped ? ~front : front;
   lanes &= rt_fp_less(p->tmin, t) & (is_opaque ? rt_fp_not_above(t, p->tmax) : rt_fp_less(t, p->tmax));
   lanes &= ~(p->walk.culled_faces & ABI_RAY_CULL_FRONT_FACING_TRIANGLES ? front : 0) &
            ~(p->walk.culled_faces & ABI_RAY_CULL_BACK_FACING_TRIANGLES ? ~front : 0);
   if (!lanes)
      return 0;
   const rt_fp u = edges[1] / determinant, v = edges[2] / determinant;
   uint32_t committed = 0;
   for (uint32_t left = lanes; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      struct abi_ray *ray = p->rays[lane];
      struct rt_block_hits hits;
      if (is_opaque && !is_first(&p->walk, ray, block, corner, t[lane]))
         continue;
      hits.t[corner] = t[lane];
      hits.u[corner] = u[lane];
      hits.v[corner] = v[lane];
      set_triangle(&p->walk, is_opaque ? &ray->committed : &ray->candidate, block, &hits, (front >> lane & 1) << corner, corner, is_opaque);
      if (!is_opaque)
         continue;
      ray->tmax = p->tmax[lane] = t[lane];
      committed |= 1u << lane;
   }
   if (!is_opaque)
      decide_together(p, lanes);
   return committed;
}

/* The opaque ones first, as take_hits() does it. */
static void visit_triangles_together(struct packet *p, const struct rt_accel_block *block, uint32_t lanes)
{
   const uint32_t flags = p->walk.ray->flags, opaque = opaque_lanes(&p->walk, block);
   uint32_t committed = 0;
   for (uint32_t corner = 0; corner < RT_ACCEL_BLOCK; corner++)
      if (opaque >> corner & 1 && block->primitive[corner] != RT_NO_PRIMITIVE && !(flags & ABI_RAY_CULL_OPAQUE))
         committed |= visit_triangle_together(p, block, corner, true, lanes);
   if (flags & ABI_RAY_TERMINATE_ON_FIRST_HIT)
      end_together(p, committed);
   for (uint32_t corner = 0; corner < RT_ACCEL_BLOCK && p->decider; corner++)
      if (!(opaque >> corner & 1) && block->primitive[corner] != RT_NO_PRIMITIVE && !(flags & ABI_RAY_CULL_NO_OPAQUE))
         visit_triangle_together(p, block, corner, false, lanes & p->alive);
}

/* Each ray's boxes one by one, as visit_boxes() shows them. */
static void visit_boxes_together(struct packet *p, const struct rt_accel_block *block, uint32_t lanes)
{
   const uint32_t opaque = opaque_lanes(&p->walk, block), flags = p->walk.ray->flags;
   const uint32_t all = ((1u << RT_ACCEL_BLOCK) - 1) & ~(flags & ABI_RAY_CULL_OPAQUE ? opaque : 0) & ~(flags & ABI_RAY_CULL_NO_OPAQUE ? ~opaque : 0);
   uint32_t waiting[RT_PACKET], shown = lanes;
   for (uint32_t lane = 0; lane < RT_PACKET; lane++)
      waiting[lane] = all;
   while (shown) {
      lanes = shown & p->alive;
      shown = 0;
      for (; lanes; lanes &= lanes - 1) {
         const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
         const uint32_t met = waiting[lane] ? waiting[lane] & rt_ray_test_boxes(space_of(p, lane), block, p->rays[lane]->tmin, p->rays[lane]->tmax) : 0;
         if (!met)
            continue;
         const uint32_t box = (uint32_t)__builtin_ctz(met);
         set_hit(&p->walk, &p->rays[lane]->candidate, block, box, opaque >> box & 1);
         waiting[lane] = met & (met - 1);
         shown |= 1u << lane;
      }
      if (shown)
         decide_together(p, shown);
   }
}

/* ---- instances ---- */

static void leave_instance_together(struct packet *p)
{
   enter_top(&p->walk);
   p->space = &p->world;
}

static void enter_instance_together(struct packet *p, uint32_t index, uint32_t lanes)
{
   rt_fp origin[3], direction[3];
   if (!open_instance(&p->walk, index))
      return;
   if (p->all.bottom.leaf != RT_LEAF_TRIANGLES && !(p->decider && p->all.bottom.leaf == RT_LEAF_BOXES)) { /* built anew, without the top level */
      leave_instance_together(p);
      return;
   }
   if (!p->decider)
      p->walk.opacity = ALL_OPAQUE;
   p->walk.has_micromaps = false;
   const float *m = p->walk.instance->world_to_object;
   for (uint32_t row = 0; row < 3; row++) { /* as transform() does */
      origin[row] = m[row] * p->origin[0] + m[3 + row] * p->origin[1] + m[6 + row] * p->origin[2] + m[9 + row] * 1.0f;
      direction[row] = m[row] * p->direction[0] + m[3 + row] * p->direction[1] + m[6 + row] * p->direction[2] + m[9 + row] * 0.0f;
   }
   p->outer_depth = p->depth;
   p->has_space = 0;
   p->space = &p->object;
   const uint32_t same = packet_space_init(&p->object, origin, direction, lanes);
   for (uint32_t left = lanes & ~same; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      const float o[3] = {origin[0][lane], origin[1][lane], origin[2][lane]}, d[3] = {direction[0][lane], direction[1][lane], direction[2][lane]};
      rt_ray_space_init(&p->spaces[lane], o, d);
      p->has_space |= 1u << lane;
   }
   if (lanes & ~same)
      go_alone(p, rt_accel_ref(RT_REF_NODE, 0), lanes & ~same);
   p->stack[p->depth++] = (struct packet_entry){p->tmin, rt_accel_ref(RT_REF_NODE, 0), same};
}

/* ---- packets ---- */

static void visit_together(struct packet *p, uint32_t ref, uint32_t lanes)
{
   const uint32_t index = ref & RT_REF_INDEX;
   if (__builtin_popcount(lanes) <= ALONE) {
      go_alone(p, ref, lanes);
   } else if (ref < p->walk.view->num_nodes) {
      visit_node_together(p, ref, lanes);
   } else if (ref >> RT_REF_SHIFT == RT_REF_LEAF && index < p->walk.view->num_leaves) {
      if (!p->walk.instance) {
         enter_instance_together(p, index, lanes);
         return;
      }
      const struct rt_accel_block *block = (const struct rt_accel_block *)p->all.bottom.leaves + index;
      (p->all.bottom.leaf == RT_LEAF_BOXES ? visit_boxes_together : visit_triangles_together)(p, block, lanes);
   }
}

static void run_packet(struct packet *p, uint32_t lanes)
{
   p->stack[0] = (struct packet_entry){p->tmin, rt_accel_ref(RT_REF_NODE, 0), lanes};
   p->depth = 1;
   p->alive = lanes;
   for (uint32_t visits = 1;; visits++) {
      if (p->walk.instance && p->depth == p->outer_depth)
         leave_instance_together(p);
      if (!p->depth || (visits % VISITS_A_POLL == 0 && __atomic_load_n(p->cancel, __ATOMIC_RELAXED)))
         return;
      const struct packet_entry *entry = &p->stack[--p->depth];
      lanes = entry->lanes & p->alive & rt_fp_not_above(entry->t, p->tmax);
      if (lanes)
         visit_together(p, entry->ref, lanes);
   }
}

/* Whether a ray may be one of a packet, whatever the others are. */
static bool may_go_together(const struct abi_ray *ray, const struct abi_ray *first)
{
   return ray->status == ABI_RAY_BEGINS && ray->structure == first->structure && ray->flags == first->flags &&
          ray->cull_mask == first->cull_mask;
}

/* Those that begin near the first, measured by the scene, and go in about its direction. */
static uint32_t coherent_lanes(const struct packet *p, uint32_t lanes, const struct rt_accel_head *head)
{
   const uint32_t first = (uint32_t)__builtin_ctz(lanes);
   rt_fp dot = rt_fp_set(0.0f), length = dot, apart = dot;
   float extent = 0.0f, own = 0.0f;
   for (uint32_t axis = 0; axis < 3; axis++) {
      const rt_fp d = p->direction[axis];
      dot += d * d[first];
      length += d * d;
      own += d[first] * d[first];
      apart = rt_fp_max(rt_fp_abs(p->origin[axis] - p->origin[axis][first]), apart);
      extent = fmaxf(extent, head->hi[axis] - head->lo[axis]);
   }
   return lanes & rt_fp_less(rt_fp_set(0.0f), dot) & rt_fp_less(0.95f * own * length, dot * dot) & rt_fp_not_above(apart, rt_fp_set(extent * 0.0625f));
}

/* What the rays may meet of which a decision is asked, or which packets cannot do: enum rt_accel_contents. */
static uint32_t contents_met(uint32_t contents, uint32_t flags)
{
   if (flags & ABI_RAY_OPAQUE)
      contents &= ~(uint32_t)RT_HAS_NO_OPAQUE;
   return flags & ABI_RAY_NO_OPAQUE ? contents | RT_HAS_NO_OPAQUE : contents;
}

/* Finds the hits of those of the rays that go together; returns their lanes. At most RT_PACKET are in the mask. */
static uint32_t try_packet(const struct rt_accel_table *structures, struct abi_ray *const *rays, uint32_t mask, const struct rt_ray_decider *decider,
                           const uint32_t *cancel)
{
   struct packet p;
   uint32_t count = 0, lanes, taken = 0;
   struct abi_ray *first = rays[__builtin_ctz(mask)];
   for (; mask; mask &= mask - 1) {
      struct abi_ray *ray = rays[__builtin_ctz(mask)];
      if (!may_go_together(ray, first) || !begin_ray(ray))
         continue;
      p.rays[count] = ray;
      p.lane_of[count++] = (uint8_t)__builtin_ctz(mask);
   }
   if (count < MIN_PACKET)
      return 0;
   for (uint32_t i = 0; i < RT_PACKET; i++) {
      const struct abi_ray *ray = p.rays[i < count ? i : 0];
      for (uint32_t axis = 0; axis < 3; axis++) {
         p.origin[axis][i] = ray->origin[axis];
         p.direction[axis][i] = ray->direction[axis];
      }
      p.tmin[i] = ray->tmin;
      p.tmax[i] = ray->tmax;
   }
   const uint64_t bytes = rt_accel_table_find(structures, first->structure);
   p.all.top = rt_accel_view((const void *)(uintptr_t)first->structure, bytes);
   const uint32_t contents = contents_met(p.all.top.contents, first->flags), decided = decider ? RT_HAS_NO_OPAQUE | RT_HAS_BOXES : 0;
   if (!p.all.top.base || p.all.top.level != RT_ACCEL_TOP || contents & ~decided)
      return 0;
   lanes = coherent_lanes(&p, (1u << count) - 1, (const struct rt_accel_head *)p.all.top.base);
   if (!lanes)
      return 0;
   lanes = packet_space_init(&p.world, p.origin, p.direction, lanes);
   if (__builtin_popcount(lanes) < MIN_PACKET)
      return 0;
   p.walk = (struct traversal){.structures = structures, .ray = p.rays[__builtin_ctz(lanes)], .all = &p.all,
                               .kept = {.top_address = first->structure, .top_bytes = bytes}};
   leave_instance_together(&p);
   p.decider = decider;
   p.cancel = cancel;
   p.is_ordered = contents || first->flags & ABI_RAY_TERMINATE_ON_FIRST_HIT;
   for (uint32_t left = lanes; left; left &= left - 1)
      p.rays[__builtin_ctz(left)]->status = ABI_RAY_GOES_ON;
   run_packet(&p, lanes);
   end_together(&p, lanes);
   for (; lanes; lanes &= lanes - 1)
      taken |= 1u << p.lane_of[__builtin_ctz(lanes)];
   return taken;
}
#endif
