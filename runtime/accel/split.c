/* SPDX-License-Identifier: MIT
 * Bins, the cheapest plane between them, and the partition. What all threads split together is cut into pieces of a fixed size, so that the result
 * does not depend on how many threads there are: bins are joined by minimum, maximum and sum, primitives keep their
 * order. */
#include "runtime/accel/split.h"

#include "util/macros.h"
#include "util/size.h"

#include <math.h>
#include <string.h>

enum { MAX_BINS = 16, FEW_BINS = 8, FEW_PRIMS = 64, HALVED_PRIMS = 32 };

struct bin {
   struct rt_accel_box box;
   uint32_t count;
};

struct bins {
   struct bin bins[3][MAX_BINS];
};

/* A half as it grows. */
struct side {
   struct rt_accel_box bounds, centres;
};

/* How a range is split. */
struct plan {
   const struct rt_accel_splitter *splitter;
   const struct rt_accel_range *range;
   uint32_t num_bins;
   rt_vec4 base, scale;  /* of doubled centres to bins */
   uint32_t axis, plane; /* bins below it are left; plane 0: there is none */
   uint32_t first_piece, num_pieces;
   struct rt_accel_range *halves;
};

typedef int32_t vec4i __attribute__((vector_size(16)));

static rt_vec4 load(const struct rt_accel_prim *prim, size_t offset)
{
   const vec4i xyz = {-1, -1, -1, 0}; /* what stands behind may be any number's bits, and slow ones */
   vec4i v;
   memcpy(&v, (const char *)prim + offset, sizeof(v));
   return (rt_vec4)(v & xyz);
}

static rt_vec4 prim_lo(const struct rt_accel_prim *prim)
{
   return load(prim, offsetof(struct rt_accel_prim, lo));
}

static rt_vec4 prim_hi(const struct rt_accel_prim *prim)
{
   return load(prim, offsetof(struct rt_accel_prim, hi));
}

/* Halved before the sum, as the sum may overflow. */
static rt_vec4 centre_of(rt_vec4 lo, rt_vec4 hi)
{
   return 0.5f * lo + 0.5f * hi;
}

/* ---- bins ---- */

static vec4i bins_of(const struct plan *plan, rt_vec4 centre)
{
   vec4i bin = util_i4_from_f4((centre - plan->base) * plan->scale);
   const vec4i last = (vec4i){0} + (int32_t)(plan->num_bins - 1);
   bin &= ~(bin < 0);
   const vec4i is_last = bin > last;
   return (last & is_last) | (bin & ~is_last);
}

static void clear_bins(struct bins *bins, uint32_t num_bins)
{
   const struct bin empty = {rt_accel_box_empty(), 0};
   for (uint32_t axis = 0; axis < 3; axis++)
      for (uint32_t i = 0; i < num_bins; i++)
         bins->bins[axis][i] = empty;
}

static void add_to_bin(struct bin *bin, rt_vec4 lo, rt_vec4 hi)
{
   rt_accel_box_add(&bin->box, lo, hi);
   bin->count++;
}

static void fill_bins(const struct plan *plan, const struct rt_accel_prim *prims, struct bins *bins, uint32_t begin, uint32_t end)
{
   clear_bins(bins, plan->num_bins);
   if (rt_accel_loop_is_cancelled(plan->splitter->loop))
      return;
   for (uint32_t i = begin; i < end; i++) {
      const rt_vec4 lo = prim_lo(&prims[i]), hi = prim_hi(&prims[i]);
      const vec4i bin = bins_of(plan, centre_of(lo, hi));
      add_to_bin(&bins->bins[0][bin[0]], lo, hi);
      add_to_bin(&bins->bins[1][bin[1]], lo, hi);
      add_to_bin(&bins->bins[2][bin[2]], lo, hi);
   }
}

/* The cheapest plane of an axis: cost and plane are updated if there is one that is cheaper. */
static void find_plane(struct plan *plan, const struct bins *all, uint32_t axis, float *cost)
{
   const struct bin *bins = all->bins[axis];
   const uint32_t leaf = plan->splitter->leaf_size, min_side = plan->splitter->min_side;
   float right_cost[MAX_BINS];
   uint32_t right_count[MAX_BINS], count = 0;
   struct rt_accel_box box = rt_accel_box_empty();
   for (uint32_t i = plan->num_bins - 1; i > 0; i--) {
      rt_accel_box_add(&box, bins[i].box.lo, bins[i].box.hi);
      count += bins[i].count;
      right_count[i] = count;
      right_cost[i] = rt_accel_box_area(&box) * (float)((count + leaf - 1) / leaf);
   }
   box = rt_accel_box_empty();
   count = 0;
   for (uint32_t i = 1; i < plan->num_bins; i++) {
      rt_accel_box_add(&box, bins[i - 1].box.lo, bins[i - 1].box.hi);
      count += bins[i - 1].count;
      if (count < min_side || right_count[i] < min_side)
         continue;
      const float sum = rt_accel_box_area(&box) * (float)((count + leaf - 1) / leaf) + right_cost[i];
      if (sum < *cost) {
         *cost = sum;
         plan->axis = axis;
         plan->plane = i;
      }
   }
}

/* Returns whether there is one. */
static bool find_planes(struct plan *plan, const struct bins *bins)
{
   float cost = INFINITY;
   for (uint32_t axis = 0; axis < 3; axis++)
      if (plan->scale[axis] > 0.0f && plan->scale[axis] < INFINITY)
         find_plane(plan, bins, axis, &cost);
   return cost < INFINITY && !rt_accel_loop_is_cancelled(plan->splitter->loop);
}

static struct plan plan_of(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range)
{
   struct plan plan = {.splitter = splitter, .range = range, .base = range->centres.lo};
   const rt_vec4 extent = range->centres.hi - range->centres.lo;
   plan.num_bins = range->end - range->begin < FEW_PRIMS || splitter->tactic == RT_SPLIT_BY_COST_QUICKLY ? FEW_BINS : MAX_BINS;
   for (uint32_t axis = 0; axis < 3; axis++)
      plan.scale[axis] = extent[axis] > 0.0f && extent[axis] < INFINITY ? 0.9999f * (float)plan.num_bins / extent[axis] : 0.0f;
   return plan;
}

/* ---- partition ---- */

static void clear_sides(struct side sides[2])
{
   sides[0] = sides[1] = (struct side){rt_accel_box_empty(), rt_accel_box_empty()};
}

static bool is_right(const struct plan *plan, rt_vec4 centre)
{
   return bins_of(plan, centre)[plan->axis] >= (int32_t)plan->plane;
}

/* In place: left ones from the front, right ones from the back. */
static void partition(const struct plan *plan, struct rt_accel_range halves[2])
{
   struct rt_accel_prim *prims = plan->splitter->prims;
   struct side sides[2];
   uint32_t left = plan->range->begin, right = plan->range->end;
   clear_sides(sides);
   while (left < right) {
      const struct rt_accel_prim prim = prims[left];
      const rt_vec4 lo = prim_lo(&prim), hi = prim_hi(&prim), centre = centre_of(lo, hi);
      const bool goes_right = is_right(plan, centre);
      struct side *side = &sides[goes_right];
      rt_accel_box_add(&side->bounds, lo, hi);
      rt_accel_box_add(&side->centres, centre, centre);
      if (goes_right) {
         prims[left] = prims[--right];
         prims[right] = prim;
      } else {
         left++;
      }
   }
   halves[0] = (struct rt_accel_range){plan->range->begin, left, 0, 0, sides[0].bounds, sides[0].centres};
   halves[1] = (struct rt_accel_range){left, plan->range->end, 0, 0, sides[1].bounds, sides[1].centres};
}

/* ---- halves ---- */

struct rt_accel_range rt_accel_range_of(const struct rt_accel_prim *prims, uint32_t begin, uint32_t end)
{
   struct rt_accel_range range = {begin, end, 0, 0, rt_accel_box_empty(), rt_accel_box_empty()};
   for (uint32_t i = begin; i < end; i++) {
      const rt_vec4 lo = prim_lo(&prims[i]), hi = prim_hi(&prims[i]), centre = centre_of(lo, hi);
      rt_accel_box_add(&range.bounds, lo, hi);
      rt_accel_box_add(&range.centres, centre, centre);
   }
   return range;
}

static uint32_t longest_axis(rt_vec4 d)
{
   return d[0] >= d[1] && d[0] >= d[2] ? 0 : d[1] >= d[2] ? 1 : 2;
}

static bool is_before(const struct rt_accel_prim *a, const struct rt_accel_prim *b, uint32_t axis)
{
   const float x = 0.5f * a->lo[axis] + 0.5f * a->hi[axis], y = 0.5f * b->lo[axis] + 0.5f * b->hi[axis];
   return x != y ? x < y : a->geometry != b->geometry ? a->geometry < b->geometry : a->index < b->index;
}

static void swap(struct rt_accel_prim *a, struct rt_accel_prim *b)
{
   const struct rt_accel_prim prim = *a;
   *a = *b;
   *b = prim;
}

/* Puts those that come before into [begin, middle): Hoare's selection, the median of three at the first position; no two
 * are equal. */
static void select_middle(struct rt_accel_prim *prims, uint32_t begin, uint32_t end, uint32_t middle, uint32_t axis)
{
   while (end - begin > 1 && middle < end) {
      struct rt_accel_prim *a = &prims[begin], *b = &prims[begin + (end - begin) / 2], *c = &prims[end - 1];
      struct rt_accel_prim *median = is_before(a, b, axis) ? (is_before(b, c, axis)   ? b
                                                              : is_before(a, c, axis) ? c
                                                                                      : a)
                                                           : (is_before(a, c, axis)   ? a
                                                              : is_before(b, c, axis) ? c
                                                                                      : b);
      const struct rt_accel_prim pivot = *median;
      uint32_t left = begin, right = end - 1;
      for (;;) {
         while (is_before(&prims[left], &pivot, axis))
            left++;
         while (is_before(&pivot, &prims[right], axis))
            right--;
         if (left >= right)
            break;
         swap(&prims[left], &prims[right]);
         left++;
         right--;
      }
      /* The pivot is at `right` or beside it: all below `right` + 1 are not behind it. */
      const uint32_t cut = right + 1;
      if (middle == cut)
         return;
      if (middle < cut)
         end = cut == end ? end - 1 : cut;
      else
         begin = cut;
   }
}

static void split_in_halves(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range,
                            struct rt_accel_range halves[2])
{
   const uint32_t count = range->end - range->begin, leaf = splitter->leaf_size;
   const uint32_t middle = range->begin + ((count + leaf - 1) / leaf + 1) / 2 * leaf; /* full leaves on the left */
   if (!rt_accel_loop_is_cancelled(splitter->loop))
      select_middle(splitter->prims, range->begin, range->end, middle,
                    longest_axis(range->centres.hi - range->centres.lo));
   halves[0] = rt_accel_range_of(splitter->prims, range->begin, middle);
   halves[1] = rt_accel_range_of(splitter->prims, middle, range->end);
}

/* ---- by one thread ---- */

/* The middle of the longest extent of the centres: no primitive is looked at. */
static bool find_middle(struct plan *plan)
{
   const rt_vec4 extent = plan->range->centres.hi - plan->range->centres.lo;
   plan->axis = longest_axis(extent);
   plan->num_bins = 2;
   plan->plane = 1;
   plan->scale = (rt_vec4){0};
   plan->scale[plan->axis] = 2.0f / extent[plan->axis];
   return plan->scale[plan->axis] > 0.0f && plan->scale[plan->axis] < INFINITY;
}

/* The last ones are halved, as that fills leaves. */
static void split_quickly(struct plan *plan, struct rt_accel_range halves[2])
{
   if (plan->range->end - plan->range->begin > HALVED_PRIMS && find_middle(plan)) {
      partition(plan, halves);
      if (halves[0].begin < halves[0].end && halves[1].begin < halves[1].end)
         return;
   }
   split_in_halves(plan->splitter, plan->range, halves);
}

void rt_accel_split(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range,
                    struct rt_accel_range halves[2])
{
   struct bins bins;
   struct plan plan = plan_of(splitter, range);
   if (range->split && splitter->splits) {
      memcpy(halves, splitter->splits[range->split - 1], 2 * sizeof(*halves));
      return;
   }
   if (splitter->tactic == RT_SPLIT_BY_COST_QUICKLY) {
      split_quickly(&plan, halves);
      return;
   }
   if (splitter->tactic == RT_SPLIT_BY_COST)
      fill_bins(&plan, splitter->prims, &bins, range->begin, range->end);
   if (splitter->tactic == RT_SPLIT_BY_COST && find_planes(&plan, &bins))
      partition(&plan, halves);
   else
      split_in_halves(splitter, range, halves);
}

/* ---- by all threads ---- */

enum { PIECE = 2048, MAX_PIECES = 64, MAX_PLANS = 64 };

/* Primitives [begin, end) of a range. */
struct piece {
   uint32_t plan, begin, end;
   uint32_t offsets[2]; /* where its left and right ones go */
   struct bins bins;
   struct side sides[2]; /* their centres alone */
};

/* Ranges that are split together. The primitives of their halves go to the other one of two arrays. */
struct batch {
   struct rt_accel_prim *arrays[2];
   struct plan *plans;
   struct piece *pieces;
   uint32_t num_plans, num_pieces;
};

/* The more primitives, the larger the pieces: MAX_PIECES in all, and for each range one that is not full. */
static uint32_t piece_size(uint64_t num_prims)
{
   uint32_t size = PIECE;
   while (size < 1u << 31 && num_prims / size >= MAX_PIECES)
      size *= 2;
   return size;
}

static uint64_t num_plans(uint64_t num_prims)
{
   return UTIL_MIN(num_prims / PIECE + 1, (uint64_t)MAX_PLANS);
}

size_t rt_accel_split_bytes(uint64_t num_prims)
{
   const uint64_t plans = num_plans(num_prims), pieces = num_prims / piece_size(num_prims) + plans;
   return (size_t)(util_align(plans * sizeof(struct plan), 64) + util_align(pieces * sizeof(struct piece), 64));
}

static void fill_piece(void *data, uint32_t index)
{
   const struct batch *batch = data;
   struct piece *piece = &batch->pieces[index];
   const struct plan *plan = &batch->plans[piece->plan];
   fill_bins(plan, batch->arrays[plan->range->array], &piece->bins, piece->begin, piece->end);
}

/* Where no plane is to be had, in place. */
static void halve(const struct batch *batch, const struct plan *plan)
{
   struct rt_accel_splitter splitter = *plan->splitter;
   splitter.prims = batch->arrays[plan->range->array];
   split_in_halves(&splitter, plan->range, plan->halves);
   plan->halves[0].array = plan->halves[1].array = plan->range->array;
}

static void move_piece(void *data, uint32_t index)
{
   const struct batch *batch = data;
   struct piece *piece = &batch->pieces[index];
   const struct plan *plan = &batch->plans[piece->plan];
   if (!plan->plane && index == plan->first_piece)
      halve(batch, plan);
   if (!plan->plane)
      return;
   const struct rt_accel_prim *from = batch->arrays[plan->range->array];
   struct rt_accel_prim *to = batch->arrays[!plan->range->array];
   clear_sides(piece->sides);
   for (uint32_t i = piece->begin; i < piece->end; i++) {
      const rt_vec4 centre = centre_of(prim_lo(&from[i]), prim_hi(&from[i]));
      const bool goes_right = is_right(plan, centre);
      rt_accel_box_add(&piece->sides[goes_right].centres, centre, centre);
      to[piece->offsets[goes_right]++] = from[i];
   }
}

static void join_bins(const struct batch *batch, const struct plan *plan, struct bins *bins)
{
   clear_bins(bins, plan->num_bins);
   for (uint32_t i = 0; i < plan->num_pieces; i++) {
      for (uint32_t axis = 0; axis < 3; axis++) {
         for (uint32_t k = 0; k < plan->num_bins; k++) {
            const struct bin *other = &batch->pieces[plan->first_piece + i].bins.bins[axis][k];
            rt_accel_box_add(&bins->bins[axis][k].box, other->box.lo, other->box.hi);
            bins->bins[axis][k].count += other->count;
         }
      }
   }
}

/* Finds the plane, what is on either side of it, and where the primitives of each piece go. */
static void choose_plane(const struct batch *batch, struct plan *plan)
{
   struct bins bins;
   struct rt_accel_range *halves = plan->halves;
   join_bins(batch, plan, &bins);
   if (plan->splitter->tactic == RT_SPLIT_IN_HALVES || !find_planes(plan, &bins)) {
      plan->plane = 0;
      return;
   }
   uint32_t counts[2] = {0, 0};
   for (uint32_t side = 0; side < 2; side++)
      halves[side] = (struct rt_accel_range){
         .array = !plan->range->array, .bounds = rt_accel_box_empty(), .centres = rt_accel_box_empty()};
   for (uint32_t k = 0; k < plan->num_bins; k++) {
      const struct bin *bin = &bins.bins[plan->axis][k];
      rt_accel_box_add(&halves[k >= plan->plane].bounds, bin->box.lo, bin->box.hi);
      counts[k >= plan->plane] += bin->count;
   }
   halves[0].begin = plan->range->begin;
   halves[0].end = halves[1].begin = plan->range->begin + counts[0];
   halves[1].end = plan->range->end;
   uint32_t next[2] = {halves[0].begin, halves[1].begin};
   for (uint32_t i = 0; i < plan->num_pieces; i++) {
      struct piece *piece = &batch->pieces[plan->first_piece + i];
      memcpy(piece->offsets, next, sizeof(next));
      for (uint32_t k = 0; k < plan->num_bins; k++)
         next[k >= plan->plane] += piece->bins.bins[plan->axis][k].count;
   }
}

static void join_centres(const struct batch *batch)
{
   for (uint32_t i = 0; i < batch->num_pieces; i++) {
      const struct piece *piece = &batch->pieces[i];
      const struct plan *plan = &batch->plans[piece->plan];
      for (uint32_t side = 0; side < 2 && plan->plane; side++)
         rt_accel_box_add(&plan->halves[side].centres, piece->sides[side].centres.lo, piece->sides[side].centres.hi);
   }
}

static void split_batch(struct batch *batch, uint32_t size)
{
   const struct rt_accel_loop *loop = batch->plans[0].splitter->loop;
   batch->num_pieces = 0;
   for (uint32_t p = 0; p < batch->num_plans; p++) {
      struct plan *plan = &batch->plans[p];
      plan->first_piece = batch->num_pieces;
      for (uint32_t begin = plan->range->begin; begin < plan->range->end;) {
         struct piece *piece = &batch->pieces[batch->num_pieces++];
         piece->plan = p;
         piece->begin = begin;
         piece->end = begin = plan->range->end - begin > size ? begin + size : plan->range->end;
      }
      plan->num_pieces = batch->num_pieces - plan->first_piece;
   }
   rt_accel_loop_run(loop, batch->num_pieces, fill_piece, batch);
   for (uint32_t p = 0; p < batch->num_plans; p++)
      choose_plane(batch, &batch->plans[p]);
   rt_accel_loop_run(loop, batch->num_pieces, move_piece, batch);
   join_centres(batch);
}

/* What all threads have split. */
struct result {
   const struct batch *batch;
   struct rt_accel_range (*splits)[2];
};

/* Takes the primitives of a half that is not split further to the first array. */
static void take_back(void *data, uint32_t index)
{
   const struct result *result = data;
   struct rt_accel_range *half = &result->splits[index / 2][index % 2];
   if (half->split || !half->array)
      return;
   memcpy(result->batch->arrays[0] + half->begin, result->batch->arrays[1] + half->begin,
          (half->end - half->begin) * sizeof(struct rt_accel_prim));
   half->array = 0;
}

void rt_accel_split_all(const struct rt_accel_splitter *splitter, const struct rt_accel_split_space *space, struct rt_accel_range *range,
                        uint32_t whole_size, uint32_t max_splits)
{
   const uint32_t num_prims = range->end, size = piece_size(num_prims), max_plans = (uint32_t)num_plans(num_prims);
   struct batch batch = {.arrays = {splitter->prims, space->prims}, .plans = space->memory};
   batch.pieces = (struct piece *)((uint8_t *)space->memory + util_align(max_plans * sizeof(struct plan), 64));
   /* What is to be looked at: the range, then the halves in the order of their splits. */
   uint32_t num_splits = 0, next = 0;
   for (uint32_t count = 1; next < count && num_splits < max_splits; count = 1 + num_splits * 2) {
      batch.num_plans = 0;
      for (; next < count && batch.num_plans < max_plans && num_splits < max_splits; next++) {
         struct rt_accel_range *whole = next ? &splitter->splits[(next - 1) / 2][(next - 1) % 2] : range;
         if (whole->end - whole->begin <= whole_size)
            continue;
         struct plan *plan = &batch.plans[batch.num_plans++];
         *plan = plan_of(splitter, whole);
         plan->halves = splitter->splits[num_splits];
         whole->split = ++num_splits;
      }
      if (batch.num_plans)
         split_batch(&batch, size);
   }
   struct result result = {&batch, splitter->splits};
   rt_accel_loop_run(splitter->loop, num_splits * 2, take_back, &result);
}
