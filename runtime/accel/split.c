/* SPDX-License-Identifier: MIT
 * Bins, the cheapest plane between them, and the partition. Work is cut into pieces of a fixed size, so that the result
 * does not depend on how many threads there are: bins are joined by minimum, maximum and sum, primitives keep their
 * order. */
#include "runtime/accel/split.h"

#include "util/macros.h"

#include <math.h>
#include <string.h>

enum { MAX_BINS = 16, FEW_BINS = 8, FEW_PRIMS = 64, HALVED_PRIMS = 32, PIECE = 2048, MAX_PIECES = 64 };

struct bin {
   struct rt_accel_box box;
   uint32_t count;
};

struct bins {
   struct bin bins[3][MAX_BINS];
};

/* A half as it grows. */
struct side {
   uint32_t count;
   struct rt_accel_box bounds, centres;
};

/* How a range is cut into pieces. */
struct pieces {
   uint32_t begin, end, size, count;
};

struct job {
   const struct rt_accel_splitter *splitter;
   struct pieces pieces;
   uint32_t num_bins;
   rt_vec4 base, scale;  /* of doubled centres to bins */
   struct bins *bins;    /* a piece each */
   uint32_t axis, plane; /* bins below it are left */
   struct rt_accel_split_space *space;
};

struct rt_accel_split_space {
   struct bins bins[MAX_PIECES];
   struct side sides[MAX_PIECES][2];
   uint32_t offsets[MAX_PIECES][2];
};

size_t rt_accel_split_space_bytes(void)
{
   return sizeof(struct rt_accel_split_space);
}

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

static struct pieces cut(uint32_t begin, uint32_t end, bool is_whole)
{
   struct pieces pieces = {begin, end, is_whole ? end - begin : PIECE, 0};
   while ((end - begin + pieces.size - 1) / pieces.size > MAX_PIECES)
      pieces.size *= 2;
   pieces.count = (end - begin + pieces.size - 1) / pieces.size;
   return pieces;
}

static uint32_t piece_begin(const struct pieces *pieces, uint32_t i)
{
   return pieces->begin + i * pieces->size;
}

static uint32_t piece_end(const struct pieces *pieces, uint32_t i)
{
   return UTIL_MIN(pieces->end, piece_begin(pieces, i) + pieces->size);
}

/* ---- bins ---- */

static vec4i bins_of(const struct job *job, rt_vec4 centre)
{
   vec4i bin = util_i4_from_f4((centre - job->base) * job->scale);
   const vec4i last = (vec4i){0} + (int32_t)(job->num_bins - 1);
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

static void fill_bins(void *data, uint32_t piece)
{
   struct job *job = data;
   struct bins *bins = &job->bins[piece];
   clear_bins(bins, job->num_bins);
   if (rt_accel_loop_is_cancelled(job->splitter->loop))
      return;
   for (uint32_t i = piece_begin(&job->pieces, piece); i < piece_end(&job->pieces, piece); i++) {
      const rt_vec4 lo = prim_lo(&job->splitter->prims[i]), hi = prim_hi(&job->splitter->prims[i]);
      const vec4i bin = bins_of(job, centre_of(lo, hi));
      add_to_bin(&bins->bins[0][bin[0]], lo, hi);
      add_to_bin(&bins->bins[1][bin[1]], lo, hi);
      add_to_bin(&bins->bins[2][bin[2]], lo, hi);
   }
}

static void join_bins(struct job *job)
{
   for (uint32_t piece = 1; piece < job->pieces.count; piece++) {
      for (uint32_t axis = 0; axis < 3; axis++) {
         for (uint32_t i = 0; i < job->num_bins; i++) {
            struct bin *bin = &job->bins[0].bins[axis][i];
            const struct bin *other = &job->bins[piece].bins[axis][i];
            rt_accel_box_add(&bin->box, other->box.lo, other->box.hi);
            bin->count += other->count;
         }
      }
   }
}

/* The cheapest plane of an axis: cost and plane are updated if there is one that is cheaper. */
static void find_plane(struct job *job, uint32_t axis, float *cost)
{
   const struct bin *bins = job->bins[0].bins[axis];
   const uint32_t leaf = job->splitter->leaf_size, min_side = job->splitter->min_side;
   float right_cost[MAX_BINS];
   uint32_t right_count[MAX_BINS], count = 0;
   struct rt_accel_box box = rt_accel_box_empty();
   for (uint32_t i = job->num_bins - 1; i > 0; i--) {
      rt_accel_box_add(&box, bins[i].box.lo, bins[i].box.hi);
      count += bins[i].count;
      right_count[i] = count;
      right_cost[i] = rt_accel_box_area(&box) * (float)((count + leaf - 1) / leaf);
   }
   box = rt_accel_box_empty();
   count = 0;
   for (uint32_t i = 1; i < job->num_bins; i++) {
      rt_accel_box_add(&box, bins[i - 1].box.lo, bins[i - 1].box.hi);
      count += bins[i - 1].count;
      if (count < min_side || right_count[i] < min_side)
         continue;
      const float sum = rt_accel_box_area(&box) * (float)((count + leaf - 1) / leaf) + right_cost[i];
      if (sum < *cost) {
         *cost = sum;
         job->axis = axis;
         job->plane = i;
      }
   }
}

/* ---- partition ---- */

static void clear_side(struct side *side)
{
   *side = (struct side){0, rt_accel_box_empty(), rt_accel_box_empty()};
}

static bool is_right(const struct job *job, rt_vec4 centre)
{
   return bins_of(job, centre)[job->axis] >= (int32_t)job->plane;
}

static void count_sides(void *data, uint32_t piece)
{
   struct job *job = data;
   struct side *sides = job->space->sides[piece];
   clear_side(&sides[0]);
   clear_side(&sides[1]);
   for (uint32_t i = piece_begin(&job->pieces, piece); i < piece_end(&job->pieces, piece); i++) {
      const struct rt_accel_prim *prim = &job->splitter->prims[i];
      const rt_vec4 lo = prim_lo(prim), hi = prim_hi(prim), centre = centre_of(lo, hi);
      struct side *side = &sides[is_right(job, centre)];
      side->count++;
      rt_accel_box_add(&side->bounds, lo, hi);
      rt_accel_box_add(&side->centres, centre, centre);
   }
}

static void move_prims(void *data, uint32_t piece)
{
   struct job *job = data;
   uint32_t next[2] = {job->space->offsets[piece][0], job->space->offsets[piece][1]};
   for (uint32_t i = piece_begin(&job->pieces, piece); i < piece_end(&job->pieces, piece); i++) {
      const struct rt_accel_prim *prim = &job->splitter->prims[i];
      job->splitter->spare[next[is_right(job, centre_of(prim_lo(prim), prim_hi(prim)))]++] = *prim;
   }
}

static void move_back(void *data, uint32_t piece)
{
   struct job *job = data;
   const uint32_t begin = piece_begin(&job->pieces, piece);
   memcpy(job->splitter->prims + begin, job->splitter->spare + begin,
          (piece_end(&job->pieces, piece) - begin) * sizeof(struct rt_accel_prim));
}

static void join_sides(struct job *job, struct rt_accel_range halves[2])
{
   struct side whole[2];
   clear_side(&whole[0]);
   clear_side(&whole[1]);
   for (uint32_t piece = 0; piece < job->pieces.count; piece++) {
      for (uint32_t s = 0; s < 2; s++) {
         const struct side *side = &job->space->sides[piece][s];
         job->space->offsets[piece][s] = whole[s].count;
         whole[s].count += side->count;
         rt_accel_box_add(&whole[s].bounds, side->bounds.lo, side->bounds.hi);
         rt_accel_box_add(&whole[s].centres, side->centres.lo, side->centres.hi);
      }
   }
   const uint32_t begin = job->pieces.begin, middle = begin + whole[0].count;
   for (uint32_t piece = 0; piece < job->pieces.count; piece++) {
      job->space->offsets[piece][0] += begin;
      job->space->offsets[piece][1] += middle;
   }
   halves[0] = (struct rt_accel_range){begin, middle, whole[0].bounds, whole[0].centres};
   halves[1] = (struct rt_accel_range){middle, job->pieces.end, whole[1].bounds, whole[1].centres};
}

/* A range of one piece, in place: left ones from the front, right ones from the back. */
static void partition_piece(struct job *job, struct rt_accel_range halves[2])
{
   struct rt_accel_prim *prims = job->splitter->prims;
   struct side sides[2];
   uint32_t left = job->pieces.begin, right = job->pieces.end;
   clear_side(&sides[0]);
   clear_side(&sides[1]);
   while (left < right) {
      const struct rt_accel_prim prim = prims[left];
      const rt_vec4 lo = prim_lo(&prim), hi = prim_hi(&prim), centre = centre_of(lo, hi);
      const bool goes_right = is_right(job, centre);
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
   halves[0] = (struct rt_accel_range){job->pieces.begin, left, sides[0].bounds, sides[0].centres};
   halves[1] = (struct rt_accel_range){left, job->pieces.end, sides[1].bounds, sides[1].centres};
}

static void partition(struct job *job, struct rt_accel_range halves[2])
{
   if (job->pieces.count == 1) {
      partition_piece(job, halves);
      return;
   }
   rt_accel_loop_run(job->splitter->loop, job->pieces.count, count_sides, job);
   join_sides(job, halves);
   rt_accel_loop_run(job->splitter->loop, job->pieces.count, move_prims, job);
   rt_accel_loop_run(job->splitter->loop, job->pieces.count, move_back, job);
}

/* ---- halves ---- */

struct rt_accel_range rt_accel_range_of(const struct rt_accel_prim *prims, uint32_t begin, uint32_t end)
{
   struct rt_accel_range range = {begin, end, rt_accel_box_empty(), rt_accel_box_empty()};
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

/* Puts those that come before into [begin, middle): Hoare's selection, the median of three in the first place; no two
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

/* ---- both ---- */

static bool find_planes(struct job *job, const struct rt_accel_range *range)
{
   const rt_vec4 extent = range->centres.hi - range->centres.lo;
   float cost = INFINITY;
   job->base = range->centres.lo;
   for (uint32_t axis = 0; axis < 3; axis++)
      job->scale[axis] =
         extent[axis] > 0.0f && extent[axis] < INFINITY ? 0.9999f * (float)job->num_bins / extent[axis] : 0.0f;
   rt_accel_loop_run(job->splitter->loop, job->pieces.count, fill_bins, job);
   join_bins(job);
   for (uint32_t axis = 0; axis < 3; axis++)
      if (job->scale[axis] > 0.0f && job->scale[axis] < INFINITY)
         find_plane(job, axis, &cost);
   return cost < INFINITY;
}

/* The middle of the longest extent of the centres: no primitive is looked at. */
static bool find_middle(struct job *job, const struct rt_accel_range *range)
{
   const rt_vec4 extent = range->centres.hi - range->centres.lo;
   job->axis = longest_axis(extent);
   job->num_bins = 2;
   job->plane = 1;
   job->base = range->centres.lo;
   job->scale = (rt_vec4){0};
   job->scale[job->axis] = 2.0f / extent[job->axis];
   return job->scale[job->axis] > 0.0f && job->scale[job->axis] < INFINITY;
}

/* Of a thread's own range. The last ones are halved, as that fills leaves. */
static void split_quickly(struct job *job, const struct rt_accel_range *range, struct rt_accel_range halves[2])
{
   if (range->end - range->begin > HALVED_PRIMS && find_middle(job, range)) {
      partition(job, halves);
      if (halves[0].begin < halves[0].end && halves[1].begin < halves[1].end)
         return;
   }
   split_in_halves(job->splitter, range, halves);
}

void rt_accel_split(const struct rt_accel_splitter *splitter, const struct rt_accel_range *range,
                    struct rt_accel_range halves[2])
{
   struct bins bins;
   struct job job = {
      .splitter = splitter, .space = splitter->space, .pieces = cut(range->begin, range->end, !splitter->space)};
   job.bins = splitter->space ? splitter->space->bins : &bins;
   job.num_bins =
      range->end - range->begin < FEW_PRIMS || splitter->tactic == RT_SPLIT_BY_COST_QUICKLY ? FEW_BINS : MAX_BINS;
   if (splitter->tactic == RT_SPLIT_BY_COST_QUICKLY && !splitter->space)
      split_quickly(&job, range, halves);
   else if (splitter->tactic != RT_SPLIT_IN_HALVES && find_planes(&job, range) &&
       !rt_accel_loop_is_cancelled(splitter->loop))
      partition(&job, halves);
   else
      split_in_halves(splitter, range, halves);
}
