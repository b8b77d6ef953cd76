/* SPDX-License-Identifier: MIT
 * A build: primitives are read, the largest ranges split by all threads together, level by level, until what is left are ranges for a
 * thread each; these make trees of their own, which are then put one after the other. How it is cut depends on the
 * number of primitives alone. */
#include "runtime/accel/build.h"

#include "runtime/accel/grow.h"
#include "runtime/accel/micromap.h"
#include "util/size.h"

#include <string.h>

enum { PIECE = 4096, MIN_JOB = 1024, MAX_JOB = 32768, MIN_SIDES = 8, SMALL_BYTES = 1024, SCRATCH_ALIGN = 64 };

/* A range for one thread. */
struct job {
   struct rt_accel_range range;
   uint32_t depth, parent, slot; /* of the node above and which child it is there */
   uint32_t num_nodes, num_leaves, first_node, first_leaf;
   uint32_t turn; /* of the list of jobs in the order in which they are run: the largest first, so that threads end together */
};

/* How many of what there may be. */
struct limits {
   uint64_t job_prims, jobs, nodes, leaves, pieces;
};

struct build {
   const struct rt_accel_input *input;
   const struct rt_accel_loop *loop;
   struct rt_accel_head *head;
   uint8_t *base;
   uint64_t num_prims; /* of all geometries, inactive ones too */
   struct limits limits;
   /* in the scratch memory */
   struct rt_accel_prim *prims;
   uint8_t *spare;
   struct rt_accel_split_space space;
   struct rt_accel_range (*splits)[2];
   struct job *jobs;
   struct rt_accel_range *pieces;
   /* as it goes */
   struct rt_accel_grower top;
   uint32_t num_jobs;
   int32_t (*opacity)[RT_ACCEL_BLOCK]; /* of each leaf; NULL: there are no micromaps */
};

/* ---- sizes ---- */

static uint64_t min_side(uint64_t job_prims)
{
   return job_prims / MIN_SIDES;
}

/* Nodes and leaves of a job, at most; if splits by cost would need more, they are in halves. Those of instances have
 * one a leaf. */
static uint64_t job_nodes(enum rt_accel_leaf leaf, uint64_t prims)
{
   return (leaf == RT_LEAF_INSTANCES ? prims * 5 / 8 : prims / 6) + 2;
}

static uint64_t job_leaves(enum rt_accel_leaf leaf, uint64_t prims)
{
   return leaf == RT_LEAF_INSTANCES ? 0 : prims * 7 / 16 + 2;
}

/* Where a job keeps its nodes and leaves until all are known: of each primitive. Also as large as struct rt_accel_prim.
 */
static uint64_t spare_bytes(enum rt_accel_leaf leaf)
{
   return leaf == RT_LEAF_INSTANCES ? 96 : 32;
}

static struct limits limits_of(enum rt_accel_leaf leaf, uint64_t prims)
{
   struct limits limits = {.job_prims = prims / 32};
   limits.job_prims = UTIL_MAX(limits.job_prims, (uint64_t)MIN_JOB);
   limits.job_prims = UTIL_MIN(limits.job_prims, (uint64_t)MAX_JOB);
   limits.jobs = prims <= limits.job_prims ? 1 : prims / min_side(limits.job_prims) + 1;
   /* The nodes above the jobs are no more than these. */
   limits.nodes = job_nodes(leaf, prims) + limits.jobs * 3;
   limits.leaves = leaf == RT_LEAF_INSTANCES ? prims : job_leaves(leaf, prims) + limits.jobs * 2;
   limits.pieces = prims / PIECE + 1;
   return limits;
}

static uint64_t structure_bytes(enum rt_accel_leaf leaf, uint64_t nodes, uint64_t leaves)
{
   return util_align(sizeof(struct rt_accel_head) + nodes * sizeof(struct rt_accel_node) + leaves * rt_accel_leaf_bytes(leaf),
                     RT_ACCEL_ALIGN);
}

struct rt_accel_sizes rt_accel_sizes(enum rt_accel_leaf leaf, uint64_t prims)
{
   if (prims > UINT32_MAX) /* no memory has so much, and no product overflows below */
      return (struct rt_accel_sizes){UINT64_MAX, UINT64_MAX, UINT64_MAX};
   const struct limits limits = limits_of(leaf, prims);
   const uint64_t lists = util_align(limits.jobs * sizeof(struct job), 64) + util_align(limits.pieces * sizeof(struct rt_accel_range), 64) +
                          util_align(limits.jobs * sizeof(struct rt_accel_range[2]), 64);
   return (struct rt_accel_sizes){
      .structure = structure_bytes(leaf, limits.nodes, limits.leaves),
      .build_scratch = util_align(prims * (sizeof(struct rt_accel_prim) + spare_bytes(leaf)) + SMALL_BYTES, 64) +
                       lists + rt_accel_split_bytes(prims) + SCRATCH_ALIGN,
      .update_scratch = (limits.nodes + limits.leaves) * sizeof(struct rt_accel_box) + SCRATCH_ALIGN,
   };
}

struct rt_accel_sizes rt_accel_sizes_of(enum rt_accel_leaf leaf, uint64_t prims, uint32_t num_micromaps)
{
   struct rt_accel_sizes sizes = rt_accel_sizes(leaf, prims);
   if (num_micromaps && sizes.structure != UINT64_MAX)
      sizes.structure += rt_accel_opacity_bytes(limits_of(leaf, prims).leaves, num_micromaps);
   return sizes;
}

static void divide_scratch(struct build *build, void *memory)
{
   uint8_t *scratch = (uint8_t *)util_align((uintptr_t)memory, SCRATCH_ALIGN);
   build->prims = (struct rt_accel_prim *)scratch;
   build->spare = scratch + build->num_prims * sizeof(struct rt_accel_prim);
   scratch +=
      util_align(build->num_prims * (sizeof(struct rt_accel_prim) + spare_bytes(build->input->leaf)) + SMALL_BYTES, 64);
   build->jobs = (struct job *)scratch;
   scratch += util_align(build->limits.jobs * sizeof(struct job), 64);
   build->pieces = (struct rt_accel_range *)scratch;
   scratch += util_align(build->limits.pieces * sizeof(struct rt_accel_range), 64);
   build->splits = (struct rt_accel_range(*)[2])scratch;
   scratch += util_align(build->limits.jobs * sizeof(struct rt_accel_range[2]), 64);
   build->space = (struct rt_accel_split_space){(struct rt_accel_prim *)build->spare, scratch};
}

/* ---- reading ---- */

/* Active primitives of a piece stand at its beginning. */
static void read_piece(void *data, uint32_t piece)
{
   struct build *build = data;
   const uint64_t begin = (uint64_t)piece * PIECE, end = UTIL_MIN(begin + PIECE, build->num_prims);
   struct rt_accel_prim *prim = build->prims + begin;
   uint32_t geometry = 0;
   uint64_t first = 0; /* primitive of the geometry */
   while (begin >= first + build->input->geometries[geometry].num_primitives)
      first += build->input->geometries[geometry++].num_primitives;
   const bool is_wanted = !rt_accel_loop_is_cancelled(build->loop);
   for (uint64_t i = begin; i < end && is_wanted; i++) {
      struct rt_accel_box box;
      while (i >= first + build->input->geometries[geometry].num_primitives)
         first += build->input->geometries[geometry++].num_primitives;
      if (!rt_accel_bound(build->input, geometry, (uint32_t)(i - first), &box))
         continue;
      *prim++ = (struct rt_accel_prim){
         {box.lo[0], box.lo[1], box.lo[2]}, geometry, {box.hi[0], box.hi[1], box.hi[2]}, (uint32_t)(i - first)};
   }
   build->pieces[piece] = rt_accel_range_of(build->prims, (uint32_t)begin, (uint32_t)(prim - build->prims));
}

static struct rt_accel_range read_prims(struct build *build)
{
   struct rt_accel_range whole = {0, 0, 0, 0, rt_accel_box_empty(), rt_accel_box_empty()};
   const uint32_t num_pieces = (uint32_t)((build->num_prims + PIECE - 1) / PIECE);
   rt_accel_loop_run(build->loop, num_pieces, read_piece, build);
   for (uint32_t i = 0; i < num_pieces; i++) {
      const struct rt_accel_range *piece = &build->pieces[i];
      if (piece->begin != whole.end)
         memmove(build->prims + whole.end, build->prims + piece->begin,
                 (piece->end - piece->begin) * sizeof(struct rt_accel_prim));
      whole.end += piece->end - piece->begin;
      rt_accel_box_add(&whole.bounds, piece->bounds.lo, piece->bounds.hi);
      rt_accel_box_add(&whole.centres, piece->centres.lo, piece->centres.hi);
   }
   return whole;
}

/* ---- the top ---- */

/* Makes the nodes above the jobs, in their final memory. Their children that are jobs get their numbers later. */
static void grow_top(struct build *build, const struct rt_accel_range *range, uint32_t depth, uint32_t parent,
                     uint32_t slot)
{
   if (range->end - range->begin <= build->limits.job_prims || build->top.num_nodes == build->top.max_nodes ||
       depth >= build->top.max_depth) {
      if (build->num_jobs < build->limits.jobs)
         build->jobs[build->num_jobs++] = (struct job){.range = *range, .depth = depth, .parent = parent, .slot = slot};
      else
         build->top.is_full = true;
      return;
   }
   struct rt_accel_range children[RT_ACCEL_WIDTH];
   struct rt_accel_box boxes[RT_ACCEL_WIDTH];
   uint32_t refs[RT_ACCEL_WIDTH];
   const uint32_t node = build->top.num_nodes++, count = rt_accel_open(&build->top, range, depth, children);
   for (uint32_t i = 0; i < count; i++) {
      boxes[i] = children[i].bounds;
      refs[i] = rt_accel_ref(RT_REF_NODE, build->top.num_nodes);
      grow_top(build, &children[i], depth + 1, node, i);
   }
   rt_accel_node_encode(&build->top.nodes[node], boxes, refs, count);
}

/* ---- jobs ---- */

static uint32_t job_size(const struct job *job)
{
   return job->range.end - job->range.begin;
}

/* By size, in so many classes. */
static void order_jobs(struct build *build)
{
   enum { CLASSES = 64 };
   uint32_t first[CLASSES + 1] = {0};
   const uint64_t largest = build->limits.job_prims + 1;
   for (uint32_t pass = 0; pass < 2; pass++) {
      for (uint32_t i = 0; i < build->num_jobs; i++) {
         const uint64_t class = (uint64_t)job_size(&build->jobs[i]) * CLASSES / largest, rank = CLASSES - 1 - UTIL_MIN(class, (uint64_t)CLASSES - 1);
         if (pass == 0)
            first[rank + 1]++;
         else
            build->jobs[first[rank]++].turn = i;
      }
      for (uint32_t rank = 0; rank < CLASSES && pass == 0; rank++)
         first[rank + 1] += first[rank];
   }
}

static struct rt_accel_node *job_spare(const struct build *build, const struct job *job)
{
   return (struct rt_accel_node *)(build->spare + job->range.begin * spare_bytes(build->input->leaf));
}

static struct rt_accel_grower job_grower(const struct build *build, const struct job *job)
{
   const uint64_t prims = job_size(job);
   struct rt_accel_grower grower = build->top;
   grower.whole_size = grower.splitter.leaf_size;
   grower.splitter.min_side = 1;
   grower.splitter.splits = NULL;
   grower.splitter.loop = NULL;
   grower.nodes = job_spare(build, job);
   grower.max_nodes = (uint32_t)job_nodes(build->input->leaf, prims);
   grower.leaves = (struct rt_accel_leaf_range *)(grower.nodes + grower.max_nodes);
   grower.max_leaves = (uint32_t)job_leaves(build->input->leaf, prims);
   grower.num_nodes = grower.num_leaves = 0;
   return grower;
}

static void run_job(void *data, uint32_t index)
{
   struct build *build = data;
   struct job *job = &build->jobs[build->jobs[index].turn];
   struct rt_accel_grower grower = job_grower(build, job);
   if (rt_accel_loop_is_cancelled(build->loop))
      return;
   rt_accel_grow(&grower, &job->range, job->depth);
   if (grower.is_full) {
      grower = job_grower(build, job);
      grower.splitter.tactic = RT_SPLIT_IN_HALVES;
      rt_accel_grow(&grower, &job->range, job->depth);
   }
   job->num_nodes = grower.is_full ? 0 : grower.num_nodes;
   job->num_leaves = grower.is_full ? 0 : grower.num_leaves;
}

/* ---- together ---- */

void rt_accel_fill_block(const struct rt_accel_input *input, struct rt_accel_block *block, struct rt_accel_box *box,
                         const uint32_t *geometries, const uint32_t *primitives, uint32_t count)
{
   struct rt_accel_box own;
   float v[3][3];
   *box = rt_accel_box_empty();
   for (uint32_t lane = 0; lane < RT_ACCEL_BLOCK; lane++) {
      const bool is_there = lane < count && geometries[lane] < input->num_geometries &&
                            primitives[lane] < input->geometries[geometries[lane]].num_primitives;
      const struct rt_accel_geometry *geometry = is_there ? &input->geometries[geometries[lane]] : NULL;
      const uint32_t rows = input->leaf == RT_LEAF_BOXES ? 2 : 3;
      const bool is_active = is_there && (input->leaf == RT_LEAF_TRIANGLES ? rt_accel_read_triangle(geometry, primitives[lane], v)
                                                                           : rt_accel_read(input->leaf, geometry, primitives[lane], v));
      for (uint32_t row = 0; row < 3; row++)
         for (uint32_t axis = 0; axis < 3; axis++)
            block->vertices[row][axis][lane] = is_active && row < rows ? v[row][axis] : NAN;
      for (uint32_t row = 0; row < rows && is_active && input->leaf != RT_LEAF_SWEPT; row++)
         rt_accel_box_add(box, (rt_vec4){v[row][0], v[row][1], v[row][2], 0.0f},
                          (rt_vec4){v[row][0], v[row][1], v[row][2], 0.0f});
      if (is_active && input->leaf == RT_LEAF_SWEPT) {
         rt_accel_bound_swept(v, &own);
         rt_accel_box_add(box, own.lo, own.hi);
      }
      block->primitive[lane] = is_there ? primitives[lane] : RT_NO_PRIMITIVE;
      block->geometry[lane] = is_there ? geometries[lane] | (geometry->is_opaque ? RT_GEOMETRY_OPAQUE : 0) : 0;
   }
}

static uint32_t move_ref(uint32_t ref, const struct job *job, bool has_instances)
{
   switch (ref >> RT_REF_SHIFT) {
   case RT_REF_NODE: return ref + job->first_node;
   case RT_REF_LEAF: return has_instances ? ref : ref + job->first_leaf;
   default: return ref;
   }
}

static void copy_job(void *data, uint32_t index)
{
   struct build *build = data;
   const struct job *job = &build->jobs[build->jobs[index].turn];
   const bool has_instances = build->input->leaf == RT_LEAF_INSTANCES;
   const struct rt_accel_node *from = job_spare(build, job);
   const struct rt_accel_leaf_range *leaves =
      (const struct rt_accel_leaf_range *)(from + job_nodes(build->input->leaf, job_size(job)));
   struct rt_accel_node *node = build->top.nodes + job->first_node;
   struct rt_accel_block *block = (struct rt_accel_block *)(build->base + build->head->leaves_offset) + job->first_leaf;
   for (uint32_t i = 0; i < job->num_nodes; i++) {
      node[i] = from[i];
      for (uint32_t child = 0; child < RT_ACCEL_WIDTH; child++)
         node[i].refs[child] = move_ref(node[i].refs[child], job, has_instances);
   }
   for (uint32_t i = 0; i < job->num_leaves; i++) {
      uint32_t geometries[RT_ACCEL_BLOCK], primitives[RT_ACCEL_BLOCK];
      struct rt_accel_box box;
      const uint32_t count = leaves[i].end - leaves[i].begin;
      for (uint32_t k = 0; k < count; k++) {
         geometries[k] = build->prims[leaves[i].begin + k].geometry;
         primitives[k] = build->prims[leaves[i].begin + k].index;
      }
      rt_accel_fill_block(build->input, &block[i], &box, geometries, primitives, count);
      if (build->opacity)
         rt_accel_read_opacity(build->input, &block[i], build->opacity[job->first_leaf + i]);
   }
}

static void set_instances(void *data, uint32_t piece)
{
   struct build *build = data;
   const uint64_t begin = (uint64_t)piece * PIECE, end = UTIL_MIN(begin + PIECE, build->num_prims);
   struct rt_accel_instance *instances = (struct rt_accel_instance *)(build->base + build->head->leaves_offset);
   struct rt_accel_box box;
   for (uint64_t i = begin; i < end; i++) {
      (void)!rt_accel_set_instance(build->input, (uint32_t)i, &instances[i], &box);
      rt_accel_add_contents(build->head, instances[i].contents);
   }
}

/* Behind all else, if there is any. */
static void set_opacity(struct build *build)
{
   struct rt_accel_head *head = build->head;
   head->num_micromaps = rt_accel_num_micromaps(build->input);
   if (!head->num_micromaps)
      return;
   head->opacity_offset = head->size_bytes;
   head->size_bytes = util_size_add(head->size_bytes, rt_accel_opacity_bytes(head->num_leaves, head->num_micromaps));
   uint64_t *addresses = (uint64_t *)(build->base + head->opacity_offset);
   for (uint32_t i = 0; i < head->num_micromaps; i++)
      addresses[i] = build->input->geometries[i].opacity.micromap;
   build->opacity = (int32_t(*)[RT_ACCEL_BLOCK])(addresses + head->num_micromaps);
}

/* Gives each job its part of the nodes and leaves. */
static void number_jobs(struct build *build)
{
   uint32_t nodes = build->top.num_nodes, leaves = 0;
   for (uint32_t i = 0; i < build->num_jobs; i++) {
      struct job *job = &build->jobs[i];
      job->first_node = nodes;
      job->first_leaf = leaves;
      nodes += job->num_nodes;
      leaves += job->num_leaves;
      if (build->top.num_nodes)
         build->top.nodes[job->parent].refs[job->slot] =
            job->num_nodes ? rt_accel_ref(RT_REF_NODE, job->first_node) : rt_accel_ref(RT_REF_NONE, 0);
   }
   const bool has_instances = build->input->leaf == RT_LEAF_INSTANCES;
   build->head->num_nodes = nodes;
   build->head->num_top_nodes = build->top.num_nodes;
   build->head->num_leaves = has_instances ? (uint32_t)build->num_prims : leaves;
   build->head->leaves_offset = sizeof(struct rt_accel_head) + (uint64_t)nodes * sizeof(struct rt_accel_node);
   build->head->size_bytes = structure_bytes(build->input->leaf, nodes, build->head->num_leaves);
   set_opacity(build);
}

static void set_bounds(struct rt_accel_head *head, const struct rt_accel_box *box)
{
   memcpy(head->lo, &box->lo, sizeof(head->lo));
   memcpy(head->hi, &box->hi, sizeof(head->hi));
}

/* Of a top level: what its instances have is added as they are placed. */
static uint32_t contents_of(const struct rt_accel_input *input)
{
   uint32_t contents = input->leaf == RT_LEAF_BOXES ? RT_HAS_BOXES : input->leaf == RT_LEAF_SWEPT ? RT_HAS_SWEPT : 0;
   for (uint32_t i = 0; i < input->num_geometries && input->leaf != RT_LEAF_INSTANCES; i++)
      contents |= input->geometries[i].is_opaque ? 0 : RT_HAS_NO_OPAQUE;
   return contents | (input->leaf == RT_LEAF_TRIANGLES && rt_accel_num_micromaps(input) ? RT_HAS_MICROMAPS : 0);
}

void rt_accel_set_contents(const struct rt_accel_input *input, struct rt_accel_head *head)
{
   head->flags = input->flags;
   head->contents = contents_of(input);
}

void rt_accel_clear(const struct rt_accel_input *input, struct rt_accel_head *head)
{
   const struct rt_accel_box empty = rt_accel_box_empty();
   *head = (struct rt_accel_head){
      .magic = RT_ACCEL_MAGIC,
      .size_bytes = RT_ACCEL_ALIGN,
      .level = input->leaf == RT_LEAF_INSTANCES ? RT_ACCEL_TOP : RT_ACCEL_BOTTOM,
      .leaf = input->leaf,
      .num_geometries = input->num_geometries,
      .leaves_offset = sizeof(struct rt_accel_head),
   };
   rt_accel_set_contents(input, head);
   set_bounds(head, &empty);
}

static void init_top(struct build *build)
{
   const bool has_instances = build->input->leaf == RT_LEAF_INSTANCES;
   build->top = (struct rt_accel_grower){
      .splitter =
         {
            .tactic = build->input->flags & VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR
                         ? RT_SPLIT_BY_COST_QUICKLY
                         : RT_SPLIT_BY_COST,
            .leaf_size = has_instances ? 1 : RT_ACCEL_BLOCK,
            .min_side = (uint32_t)min_side(build->limits.job_prims),
            .prims = build->prims,
            .splits = build->splits,
            .loop = build->loop,
         },
      .whole_size = (uint32_t)build->limits.job_prims,
      .has_instances = has_instances,
      .max_depth = has_instances ? RT_ACCEL_MAX_DEPTH_TOP : RT_ACCEL_MAX_DEPTH,
      .nodes = (struct rt_accel_node *)(build->base + sizeof(struct rt_accel_head)),
      .max_nodes = (uint32_t)build->limits.jobs,
   };
}

bool rt_accel_build(const struct rt_accel_input *input, const struct rt_accel_target *target,
                    const struct rt_accel_loop *loop)
{
   struct build build = {.input = input, .loop = loop, .head = target->structure, .base = target->structure};
   if (target->structure_bytes < RT_ACCEL_ALIGN)
      return false;
   rt_accel_clear(input, build.head);
   for (uint32_t i = 0; i < input->num_geometries; i++)
      build.num_prims += input->geometries[i].num_primitives;
   if (!build.num_prims)
      return true;
   const struct rt_accel_sizes sizes = rt_accel_sizes_of(input->leaf, build.num_prims, rt_accel_num_micromaps(input));
   if (build.num_prims >= RT_REF_INDEX || sizes.structure > target->structure_bytes)
      return false;
   build.limits = limits_of(input->leaf, build.num_prims);
   divide_scratch(&build, target->scratch);
   struct rt_accel_range whole = read_prims(&build);
   init_top(&build);
   rt_accel_split_all(&build.top.splitter, &build.space, &whole, build.top.whole_size, (uint32_t)build.limits.jobs);
   if (whole.begin < whole.end)
      grow_top(&build, &whole, 0, 0, 0);
   order_jobs(&build);
   rt_accel_loop_run(loop, build.num_jobs, run_job, &build);
   number_jobs(&build);
   rt_accel_loop_run(loop, build.num_jobs, copy_job, &build);
   if (input->leaf == RT_LEAF_INSTANCES)
      rt_accel_loop_run(loop, (uint32_t)((build.num_prims + PIECE - 1) / PIECE), set_instances, &build);
   set_bounds(build.head, &whole.bounds);
   return true;
}
