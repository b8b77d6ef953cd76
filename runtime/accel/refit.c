/* SPDX-License-Identifier: MIT
 * An update: the leaves are read again, then the boxes of nodes are made anew, children before their parents. */
#include "runtime/accel/build.h"

#include "runtime/accel/grow.h"
#include "runtime/accel/micromap.h"
#include "util/macros.h"

#include <string.h>

enum { PIECE = 1024, MAX_TOP = 1 << 28 };

struct refit {
   const struct rt_accel_input *input;
   const struct rt_accel_loop *loop;
   struct rt_accel_view view;
   struct rt_accel_box *leaves, *nodes; /* what they contain now */
   uint32_t num_top;   /* nodes above the parts that threads take; below 2^29 */
   bool has_micromaps; /* they are named anew */
};

static void read_leaves(void *data, uint32_t piece)
{
   const struct refit *refit = data;
   const uint32_t begin = piece * PIECE,
                  end = begin + PIECE < refit->view.num_leaves ? begin + PIECE : refit->view.num_leaves;
   if (rt_accel_loop_is_cancelled(refit->loop))
      return;
   for (uint32_t i = begin; i < end; i++) {
      refit->leaves[i] = rt_accel_box_empty();
      if (refit->input->leaf == RT_LEAF_INSTANCES) {
         struct rt_accel_instance *instance = &((struct rt_accel_instance *)refit->view.leaves)[i];
         if (i < refit->input->geometries[0].num_primitives)
            (void)!rt_accel_set_instance(refit->input, i, instance, &refit->leaves[i]);
         rt_accel_add_contents((struct rt_accel_head *)refit->view.base, instance->contents);
         continue;
      }
      struct rt_accel_block *block = &((struct rt_accel_block *)refit->view.leaves)[i];
      uint32_t geometries[RT_ACCEL_BLOCK], primitives[RT_ACCEL_BLOCK];
      for (uint32_t lane = 0; lane < RT_ACCEL_BLOCK; lane++) {
         geometries[lane] = block->geometry[lane] & RT_GEOMETRY_INDEX;
         primitives[lane] = block->primitive[lane];
      }
      rt_accel_fill_block(refit->input, block, &refit->leaves[i], geometries, primitives, RT_ACCEL_BLOCK);
      if (refit->has_micromaps)
         rt_accel_read_opacity(refit->input, block, (int32_t *)refit->view.opacity[i]);
   }
}

static void fit_node(const struct refit *refit, uint32_t index)
{
   struct rt_accel_node *node = (struct rt_accel_node *)&refit->view.nodes[index];
   struct rt_accel_box boxes[RT_ACCEL_WIDTH];
   uint32_t refs[RT_ACCEL_WIDTH];
   refit->nodes[index] = rt_accel_box_empty();
   for (uint32_t i = 0; i < RT_ACCEL_WIDTH; i++) {
      const uint32_t child = node->refs[i] & RT_REF_INDEX, class = node->refs[i] >> RT_REF_SHIFT;
      refs[i] = node->refs[i];
      boxes[i] = rt_accel_box_empty();
      if (class == RT_REF_NODE && child > index && child < refit->view.num_nodes)
         boxes[i] = refit->nodes[child];
      else if (class == RT_REF_LEAF && child < refit->view.num_leaves)
         boxes[i] = refit->leaves[child];
      rt_accel_box_add(&refit->nodes[index], boxes[i].lo, boxes[i].hi);
   }
   rt_accel_node_encode(node, boxes, refs, RT_ACCEL_WIDTH);
}

/* ---- parts ---- */

/* A child of the nodes on top with all that is below it: nodes [begin, end). */
struct part {
   uint32_t begin, end;
};

/* By the number of node and child; empty if there is none. What is below a node follows it, the last child's last. */
static struct part find_part(const struct refit *refit, uint32_t number)
{
   const struct rt_accel_view *view = &refit->view;
   uint32_t node = view->nodes[number / RT_ACCEL_WIDTH].refs[number % RT_ACCEL_WIDTH];
   if (node < refit->num_top || node >= view->num_nodes)
      return (struct part){0, 0};
   struct part part = {node, node + 1};
   for (uint32_t depth = 0; depth < RT_ACCEL_MAX_DEPTH; depth++) {
      for (uint32_t i = 0; i < RT_ACCEL_WIDTH; i++) {
         const uint32_t ref = view->nodes[node].refs[i];
         part.end = ref >= part.end && ref < view->num_nodes ? ref + 1 : part.end;
      }
      if (node == part.end - 1)
         break;
      node = part.end - 1;
   }
   return part;
}

static void fit_part(void *data, uint32_t number)
{
   const struct refit *refit = data;
   const struct part part = find_part(refit, number);
   for (uint32_t i = part.end; i-- > part.begin && !rt_accel_loop_is_cancelled(refit->loop);)
      fit_node(refit, i);
}

/* Whether the parts are all nodes that are not on top. A structure's bytes may be anything. */
static bool has_parts(const struct refit *refit)
{
   uint64_t total = refit->num_top;
   for (uint32_t i = 0; i < refit->num_top * RT_ACCEL_WIDTH; i++) {
      const struct part part = find_part(refit, i);
      total += part.end - part.begin;
   }
   return refit->num_top && total == refit->view.num_nodes;
}

static void fit_nodes(struct refit *refit)
{
   uint32_t end = refit->view.num_nodes;
   if (has_parts(refit)) {
      rt_accel_loop_run(refit->loop, refit->num_top * RT_ACCEL_WIDTH, fit_part, refit);
      end = refit->num_top;
   }
   while (end-- > 0 && !rt_accel_loop_is_cancelled(refit->loop))
      fit_node(refit, end);
}

bool rt_accel_update(const struct rt_accel_input *input, const void *source, uint64_t source_bytes,
                     const struct rt_accel_target *target, const struct rt_accel_loop *loop)
{
   const struct rt_accel_view from = rt_accel_view(source, source_bytes);
   struct rt_accel_head *head = target->structure;
   const uint64_t size = from.base ? ((const struct rt_accel_head *)source)->size_bytes : 0;
   uint64_t num_prims = 0;
   for (uint32_t i = 0; i < input->num_geometries; i++)
      num_prims += input->geometries[i].num_primitives;
   const uint64_t scratch = ((uint64_t)from.num_nodes + from.num_leaves) * sizeof(struct rt_accel_box);
   if (target->structure_bytes < RT_ACCEL_ALIGN)
      return false;
   if (!from.base || from.leaf != input->leaf || size > source_bytes || size > target->structure_bytes ||
       scratch > rt_accel_sizes(input->leaf, num_prims).update_scratch) {
      rt_accel_clear(input, head);
      return false;
   }
   if (source != target->structure)
      memmove(target->structure, source, size);
   rt_accel_set_contents(input, head);
   struct refit refit = {.input = input, .loop = loop, .view = rt_accel_view(target->structure, size)};
   refit.leaves = (struct rt_accel_box *)util_align((uintptr_t)target->scratch, 64);
   refit.nodes = refit.leaves + refit.view.num_leaves;
   refit.num_top = UTIL_MIN(head->num_top_nodes, UTIL_MIN(refit.view.num_nodes, MAX_TOP));
   rt_accel_add_contents(head, refit.view.micromaps ? RT_HAS_MICROMAPS : 0);
   refit.has_micromaps = refit.view.micromaps && rt_accel_num_micromaps(input) == refit.view.num_micromaps;
   for (uint32_t i = 0; i < refit.view.num_micromaps && refit.has_micromaps; i++)
      ((uint64_t *)refit.view.micromaps)[i] = input->geometries[i].opacity.micromap;
   rt_accel_loop_run(loop, (refit.view.num_leaves + PIECE - 1) / PIECE, read_leaves, &refit);
   fit_nodes(&refit);
   if (refit.view.num_nodes) {
      memcpy(head->lo, &refit.nodes[0].lo, sizeof(head->lo));
      memcpy(head->hi, &refit.nodes[0].hi, sizeof(head->hi));
   }
   return true;
}
