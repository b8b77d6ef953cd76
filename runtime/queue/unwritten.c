/* SPDX-License-Identifier: MIT */
#include "runtime/queue/unwritten.h"

#include "runtime/cmd/cmd.h"
#include "runtime/draw/draw.h"
#include "runtime/draw/output.h"
#include "runtime/instrument/areas.h"
#include "runtime/instrument/written.h"

#include <stdio.h>

enum { FIRST_NUMBER = ABI_MAX_SITES + 64 /* of sites that no code has; geometry/overrun.c has those below */, NUM_USES = ABI_USE_STENCIL_TEST + 1 };

static const struct rt_attachment *attachment_at(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   if (index == ABI_ATTACHMENT_DEPTH)
      return &begin->depth;
   if (index == ABI_ATTACHMENT_STENCIL)
      return &begin->stencil;
   return index < begin->num_colors ? &begin->colors[index] : NULL;
}

static const struct abi_image *view_at(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   const struct rt_attachment *attachment = attachment_at(begin, index);
   return attachment && attachment->view && attachment->view->data ? attachment->view : NULL;
}

/* The rendering reaches all of the view. */
static bool is_whole(const struct rt_cmd_begin_rendering *begin, const struct abi_image *view)
{
   const VkRect2D *area = &begin->area;
   const uint32_t layers = begin->view_mask ? (uint32_t)__builtin_popcount(begin->view_mask) : begin->num_layers;
   return !area->offset.x && !area->offset.y && area->extent.width >= view->levels[0].width && area->extent.height >= view->levels[0].height &&
          layers >= view->num_layers;
}

static void forget(const struct abi_image *view)
{
   struct rt_areas areas;
   rt_areas_of_view(&areas, view);
   for (uint32_t i = 0; i < areas.count; i++)
      rt_unwritten((void *)(uintptr_t)areas.ranges[i].begin, areas.ranges[i].end - areas.ranges[i].begin);
}

/* ---- load and store operations ---- */

static void load(struct rt_attachments *attachments, uint32_t index)
{
   const struct rt_cmd_begin_rendering *begin = attachments->begin;
   const struct abi_image *view = view_at(begin, index);
   const uint32_t bit = 1u << index;
   attachments->unwritten &= ~bit;
   if (!view)
      return;
   switch (attachment_at(begin, index)->load_op) {
   case VK_ATTACHMENT_LOAD_OP_CLEAR: rt_written_view(view); break;
   case VK_ATTACHMENT_LOAD_OP_DONT_CARE:
      if (is_whole(begin, view))
         forget(view);
      attachments->unwritten |= bit;
      break;
   default:
      if (rt_is_unwritten_view(view, UINT32_MAX))
         attachments->unwritten |= bit;
      else if (!rt_is_written_view(view)) /* some layers: which of them a draw writes nobody looks at */
         rt_written_view(view);
      break;
   }
}

void rt_attachments_begin(struct rt_attachments *attachments, const struct rt_cmd_begin_rendering *begin)
{
   attachments->begin = begin;
   attachments->read_first = begin->is_resuming ? attachments->read_first : 0;
   for (uint32_t i = 0; i < ABI_NUM_ATTACHMENTS && !begin->is_resuming; i++)
      load(attachments, i);
}

static bool is_discarded(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   const struct abi_image *view = view_at(begin, index);
   return view && attachment_at(begin, index)->store_op == VK_ATTACHMENT_STORE_OP_DONT_CARE && is_whole(begin, view);
}

bool rt_attachments_wait(const struct rt_attachments *attachments)
{
   const struct rt_cmd_begin_rendering *begin = attachments->begin;
   bool waits = attachments->read_first;
   for (uint32_t i = 0; begin && i < ABI_NUM_ATTACHMENTS; i++)
      waits |= is_discarded(begin, i);
   return begin && !begin->is_suspending && waits;
}

void rt_attachments_end(struct rt_attachments *attachments)
{
   for (uint32_t i = 0; i < ABI_NUM_ATTACHMENTS; i++) {
      if (attachments->read_first >> i & 1)
         rt_written_view(view_at(attachments->begin, i));
      if (is_discarded(attachments->begin, i))
         forget(view_at(attachments->begin, i));
   }
   attachments->begin = NULL;
   attachments->read_first = 0;
}

/* ---- what draws do ---- */

static void now_written(struct rt_attachments *attachments, uint32_t index)
{
   const struct abi_image *view = view_at(attachments->begin, index);
   if (view && attachments->unwritten >> index & 1)
      rt_written_view(view);
   attachments->unwritten &= ~(1u << index);
}

void rt_attachments_clear(struct rt_attachments *attachments, const struct rt_cmd_clear_attachments *clear)
{
   for (uint32_t i = 0; attachments->begin && i < clear->num_attachments; i++) {
      const VkClearAttachment *it = &clear->attachments[i];
      if (it->aspectMask & VK_IMAGE_ASPECT_COLOR_BIT && it->colorAttachment < ABI_MAX_ATTACHMENTS)
         now_written(attachments, it->colorAttachment);
      if (it->aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT)
         now_written(attachments, ABI_ATTACHMENT_DEPTH);
      if (it->aspectMask & VK_IMAGE_ASPECT_STENCIL_BIT)
         now_written(attachments, ABI_ATTACHMENT_STENCIL);
   }
}

/* Of the source, what reads the destination. */
static bool factor_reads(uint8_t factor)
{
   switch (factor) {
   case VK_BLEND_FACTOR_DST_COLOR:
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
   case VK_BLEND_FACTOR_DST_ALPHA:
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
   case VK_BLEND_FACTOR_SRC_ALPHA_SATURATE: return true;
   default: return false;
   }
}

static bool equation_reads(uint8_t op, uint8_t src, uint8_t dst)
{
   return op == VK_BLEND_OP_MIN || op == VK_BLEND_OP_MAX || dst != VK_BLEND_FACTOR_ZERO || factor_reads(src);
}

static bool blending_reads(const struct rt_state *state, uint32_t index, const struct rt_format_info *info)
{
   const struct rt_blend_attachment *blend = &state->blend.attachments[index];
   const uint32_t mask = state->color_write_mask.mask[index];
   if (state->logic_op_enable.enable || !state->blend_enable.enable[index] || info->is_int)
      return false;
   return state->blend_advanced.attachments[index].op ||
          (mask & ~(uint32_t)VK_COLOR_COMPONENT_A_BIT && equation_reads(blend->color_op, blend->src_color, blend->dst_color)) ||
          (mask & VK_COLOR_COMPONENT_A_BIT && equation_reads(blend->alpha_op, blend->src_alpha, blend->dst_alpha));
}

static bool logic_op_reads(const struct rt_state *state)
{
   const uint32_t op = state->logic_op.op;
   return state->logic_op_enable.enable && op != VK_LOGIC_OP_CLEAR && op != VK_LOGIC_OP_COPY && op != VK_LOGIC_OP_COPY_INVERTED && op != VK_LOGIC_OP_SET;
}

static bool comparison_reads(uint32_t op)
{
   return op != VK_COMPARE_OP_ALWAYS && op != VK_COMPARE_OP_NEVER;
}

static bool stencil_op_reads(uint8_t op)
{
   return op >= VK_STENCIL_OP_INCREMENT_AND_CLAMP;
}
_Static_assert(VK_STENCIL_OP_KEEP == 0 && VK_STENCIL_OP_ZERO == 1 && VK_STENCIL_OP_REPLACE == 2 && VK_STENCIL_OP_INCREMENT_AND_CLAMP == 3,
               "what comes behind depends on what is there");

/* What a draw does to an attachment. */
struct use {
   bool reads, writes;
   enum abi_attachment_use how;
};

static struct use use_of_color(const struct rt_state *state, uint32_t index, const struct abi_image *view)
{
   const struct rt_format_info *info = view->format_info;
   if (!rt_output_components(state, (VkFormat)view->format, index))
      return (struct use){0};
   const bool blends = blending_reads(state, index, info);
   return (struct use){.reads = blends || logic_op_reads(state), .writes = true, .how = blends ? ABI_USE_BLEND : ABI_USE_LOGIC_OP};
}

static struct use use_of_depth(const struct rt_state *state)
{
   const bool is_tested = state->depth_test.enable;
   return (struct use){.reads = (is_tested && comparison_reads(state->depth_compare.op)) || state->depth_bounds_test.enable,
                       .writes = is_tested && state->depth_write.enable,
                       .how = ABI_USE_DEPTH_TEST};
}

static struct use use_of_stencil(const struct rt_state *state)
{
   struct use use = {.how = ABI_USE_STENCIL_TEST};
   for (uint32_t face = 0; face < 2 && state->stencil_test.enable; face++) {
      const uint8_t ops[3] = {state->stencil_op.fail_op[face], state->stencil_op.pass_op[face], state->stencil_op.depth_fail_op[face]};
      use.reads |= comparison_reads(state->stencil_op.compare_op[face]);
      for (uint32_t i = 0; i < 3 && state->stencil_write_mask.mask[face] & 0xff; i++) {
         use.reads |= stencil_op_reads(ops[i]);
         use.writes |= ops[i] != VK_STENCIL_OP_KEEP;
      }
   }
   return use;
}

static void report(const struct rt_attachments *attachments, uint32_t index, const struct use *use, const struct rt_shader *fragment, uint64_t order,
                   struct rt_findings *findings)
{
   const struct abi_image *view = view_at(attachments->begin, index);
   _Alignas(8) char room[sizeof(struct abi_site) + 8] = {0};
   struct abi_site *site = (struct abi_site *)room;
   struct rt_finding finding = {.order = order, .party.site = site, .party.operands = {(uintptr_t)view->data, use->how}};
   *site = (struct abi_site){.module = fragment->info ? fragment->info->source_hash : 0, .number = FIRST_NUMBER + index * NUM_USES + use->how,
                             .probe = ABI_PROBE_UNINIT_ATTACHMENT, .stage = ABI_STAGE_FRAGMENT, .set = ABI_NO_SET, .limit = index, .num_operands = 2,
                             .total_bytes = sizeof(room)};
   snprintf(finding.label, sizeof(finding.label), "%s", fragment->info && fragment->name ? fragment->name : "a pipeline without a fragment shader");
   rt_findings_add(findings, &finding);
}

void rt_attachments_draw(struct rt_attachments *attachments, const struct rt_state *state, const struct rt_shader *fragment, uint64_t order,
                         struct rt_findings *findings)
{
   if (!attachments->begin || state->rasterizer_discard.enable)
      return;
   for (uint32_t left = attachments->unwritten; left; left &= left - 1) {
      const uint32_t index = (uint32_t)__builtin_ctz(left);
      const struct use use = index == ABI_ATTACHMENT_DEPTH     ? use_of_depth(state)
                             : index == ABI_ATTACHMENT_STENCIL ? use_of_stencil(state)
                                                               : use_of_color(state, index, view_at(attachments->begin, index));
      if (use.reads)
         report(attachments, index, &use, fragment, order, findings);
      if (!use.reads && !use.writes)
         continue;
      if (fragment->info && fragment->info->reads_attachments) {
         attachments->unwritten &= ~(1u << index);
         attachments->read_first |= 1u << index;
      } else {
         now_written(attachments, index);
      }
   }
}
