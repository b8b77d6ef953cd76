/* SPDX-License-Identifier: MIT */
#include "runtime/fragment/unwritten.h"

#include "runtime/draw/lanes.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/texels.h"
#include "runtime/instrument/written.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_NUMBER = ABI_MAX_SITES + 64 /* of sites that no code has; geometry/overrun.c has those below */, NUM_USES = ABI_USE_STENCIL_TEST + 1 };

/* ---- what draws do ---- */

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

static bool logic_op_reads(const struct rt_output *output)
{
   const VkLogicOp op = (VkLogicOp)output->logic_op;
   return output->mode == RT_OUTPUT_LOGIC && op != VK_LOGIC_OP_CLEAR && op != VK_LOGIC_OP_COPY && op != VK_LOGIC_OP_COPY_INVERTED && op != VK_LOGIC_OP_SET;
}

bool rt_comparison_reads(VkCompareOp op)
{
   return op != VK_COMPARE_OP_ALWAYS && op != VK_COMPARE_OP_NEVER;
}

bool rt_stencil_op_reads(VkStencilOp op)
{
   return op >= VK_STENCIL_OP_INCREMENT_AND_CLAMP;
}
_Static_assert(VK_STENCIL_OP_KEEP == 0 && VK_STENCIL_OP_ZERO == 1 && VK_STENCIL_OP_REPLACE == 2 && VK_STENCIL_OP_INCREMENT_AND_CLAMP == 3,
               "what comes behind depends on what is there");

/* ---- texels ---- */

static uint8_t *texel_at(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t lane)
{
   if (surface->is_tiled)
      return rt_surface_map(surface, bx, by, sample, NULL) + (size_t)lane * surface->texel_bytes;
   const uint32_t x = bx * 4 + ((lane & 1) | (lane >> 1 & 2)), y = by * 4 + ((lane >> 1 & 1) | (lane >> 2 & 2));
   return surface->base + (size_t)y * surface->row_pitch_bytes + (size_t)x * surface->texel_bytes;
}

void rt_tile_follow(struct rt_surface *surface, size_t local_bytes)
{
   surface->shadow_bytes = local_bytes ? local_bytes : surface->base && abi_has_shadow((uintptr_t)surface->base) ? ABI_SHADOW_DISTANCE : 0;
   if (local_bytes)
      memset(surface->base + local_bytes, 0xff, local_bytes);
}

static uint8_t *shadow_at(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t lane)
{
   return (uint8_t *)((uintptr_t)texel_at(surface, bx, by, sample, lane) + surface->shadow_bytes);
}

static uint32_t find_unwritten(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask)
{
   uint32_t found = 0;
   if (!surface->shadow_bytes)
      return 0;
   if (surface->is_tiled)
      return rt_block_find_unwritten(shadow_at(surface, bx, by, sample, 0), surface->texel_bytes, mask);
   for (uint32_t left = mask; left; left &= left - 1) {
      const uint32_t lane = (uint32_t)__builtin_ctz(left);
      found |= rt_block_find_unwritten(shadow_at(surface, bx, by, sample, lane), surface->texel_bytes, 1) << lane;
   }
   return found;
}

static void set_written(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask, bool is_written)
{
   if (!surface->shadow_bytes)
      return;
   if (surface->is_tiled) {
      rt_block_set_written(shadow_at(surface, bx, by, sample, 0), surface->texel_bytes, mask, is_written);
      return;
   }
   for (uint32_t left = mask; left; left &= left - 1)
      rt_block_set_written(shadow_at(surface, bx, by, sample, (uint32_t)__builtin_ctz(left)), surface->texel_bytes, 1, is_written);
}

void rt_tile_written(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask)
{
   set_written(surface, bx, by, sample, mask, true);
}

/* In the attachment's memory, also where the tile has some of its own. */
static const uint8_t *address_of(const struct rt_tile *tile, const struct rt_surface *surface, uint32_t attachment, uint32_t bx, uint32_t by,
                                 uint32_t sample, uint32_t lane)
{
   const struct rt_target *t = tile->target;
   const struct rt_attachment *of = attachment == ABI_ATTACHMENT_DEPTH     ? &t->depth
                                    : attachment == ABI_ATTACHMENT_STENCIL ? &t->stencil
                                                                           : &t->colors[attachment];
   struct rt_surface whole = *surface;
   if (surface->shadow_bytes != ABI_SHADOW_DISTANCE)
      rt_surface_init(&whole, of->view, tile->layer, (uint32_t)tile->x, (uint32_t)tile->y);
   return texel_at(&whole, bx, by, sample, lane);
}

static void report(struct rt_tile *tile, uint32_t attachment, enum abi_attachment_use use, const uint8_t *texel)
{
   const struct rt_shader *fragment = &tile->context->pipeline->shaders[ABI_STAGE_FRAGMENT];
   _Alignas(8) char room[sizeof(struct abi_site) + 8] = {0};
   struct abi_site *site = (struct abi_site *)room;
   struct rt_finding finding = {.order = tile->draw->order, .party.site = site, .party.operands = {(uintptr_t)texel, use}, .address = (uintptr_t)texel};
   *site = (struct abi_site){.module = fragment->info ? fragment->info->source_hash : 0, .number = FIRST_NUMBER + attachment * NUM_USES + use,
                             .probe = ABI_PROBE_UNINIT_ATTACHMENT, .stage = ABI_STAGE_FRAGMENT, .set = ABI_NO_SET, .limit = attachment, .num_operands = 2,
                             .total_bytes = sizeof(room)};
   snprintf(finding.label, sizeof(finding.label), "%s", fragment->info && fragment->name ? fragment->name : "a pipeline without a fragment shader");
   rt_findings_add(rt_pool_findings(tile->worker->pool), &finding);
}

void rt_tile_read(struct rt_tile *tile, const struct rt_surface *surface, uint32_t attachment, enum abi_attachment_use use, uint32_t bx, uint32_t by,
                  uint32_t sample, uint32_t mask)
{
   const uint32_t bit = 1u << attachment, reported = tile->reported_draw == tile->draw ? tile->reported : 0;
   const uint32_t found = reported & bit ? 0 : find_unwritten(surface, bx, by, sample, mask);
   if (!found)
      return;
   report(tile, attachment, use, address_of(tile, surface, attachment, bx, by, sample, (uint32_t)__builtin_ctz(found)));
   tile->reported_draw = tile->draw;
   tile->reported = reported | bit;
}

/* ---- colours ---- */

/* Nothing of what was there is left where alpha is 1, unless it may have been no number. */
static bool is_hidden_by_alpha(const struct rt_state *state, const struct rt_output *output)
{
   const struct rt_blend_attachment *blend = &state->blend.attachments[output->attachment];
   const bool hides_color = blend->dst_color == VK_BLEND_FACTOR_ZERO || blend->dst_color == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
   const bool hides_alpha = blend->dst_alpha == VK_BLEND_FACTOR_ZERO || blend->dst_alpha == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
   return output->is_unorm && !state->blend_advanced.attachments[output->attachment].op && blend->color_op <= VK_BLEND_OP_REVERSE_SUBTRACT &&
          blend->alpha_op <= VK_BLEND_OP_REVERSE_SUBTRACT && !factor_reads(blend->src_color) && !factor_reads(blend->src_alpha) && hides_color && hides_alpha;
}

bool rt_context_reads_colors(const struct rt_context *c)
{
   bool reads = c->reads_attachments;
   for (uint32_t i = 0; i < c->num_outputs; i++)
      reads |= blending_reads(&c->state, c->outputs[i].attachment, c->outputs[i].info) || logic_op_reads(&c->outputs[i]);
   return reads;
}

void rt_tile_merges(struct rt_tile *tile, const struct rt_output *output, uint32_t bx, uint32_t by, const uint16_t *masks, const uint32_t (*planes)[16])
{
   const struct rt_context *c = tile->context;
   const bool blends = blending_reads(&c->state, output->attachment, output->info);
   uint32_t reads = 0xffff;
   for (uint32_t i = 0; blends && i < ABI_BLOCK_TEXELS && is_hidden_by_alpha(&c->state, output); i++) {
      float alpha;
      memcpy(&alpha, &planes[3][i], sizeof(alpha));
      reads &= ~((uint32_t)(alpha >= 1.0f) << i);
   }
   for (uint32_t s = 0; s < c->num_samples && (blends || logic_op_reads(output)); s++)
      rt_tile_read(tile, &tile->colors[output->attachment], output->attachment, blends ? ABI_USE_BLEND : ABI_USE_LOGIC_OP, bx, by, s, masks[s] & reads);
}

void rt_tile_merged(const struct rt_tile *tile, const struct rt_output *output, uint32_t bx, uint32_t by, const uint16_t *masks)
{
   for (uint32_t s = 0; s < tile->context->num_samples; s++)
      rt_tile_written(&tile->colors[output->attachment], bx, by, s, masks[s]);
}

void rt_tile_resolved(const struct rt_surface *from, const struct rt_surface *to, uint32_t bx, uint32_t by, uint32_t mask)
{
   uint32_t unwritten = 0;
   for (uint32_t s = 0; s < from->num_samples; s++)
      unwritten |= find_unwritten(from, bx, by, s, mask);
   rt_tile_written(to, bx, by, 0, mask & ~unwritten);
   set_written(to, bx, by, 0, unwritten, false);
   if (unwritten && to->shadow_bytes) {
      const uint64_t first = (uintptr_t)texel_at(to, bx, by, 0, 0), last = (uintptr_t)texel_at(to, bx, by, 0, ABI_BLOCK_TEXELS - 1);
      rt_unwritten_note(first, last + to->texel_bytes);
   }
}

void rt_tile_cleared(const struct rt_surface *surface, int32_t x0, int32_t y0, int32_t x1, int32_t y1)
{
   for (int32_t by = y0 >> 2; by * 4 < y1; by++) {
      for (int32_t bx = x0 >> 2; bx * 4 < x1; bx++) {
         for (uint32_t s = 0; s < surface->num_samples; s++)
            rt_tile_written(surface, (uint32_t)bx, (uint32_t)by, s, rt_lanes_of_rect(bx * 4, by * 4, x0, y0, x1, y1));
      }
   }
}

/* ---- depth ---- */

static bool has_unwritten_depth(const struct rt_tile *tile)
{
   const struct rt_target *t = tile->target;
   const int32_t x0 = UTIL_MAX(t->x0 - tile->x, 0), x1 = UTIL_MIN(t->x1 - tile->x, (int32_t)RT_TILE);
   const int32_t y0 = UTIL_MAX(t->y0 - tile->y, tile->first_row), y1 = UTIL_MIN(t->y1 - tile->y, tile->end_row);
   bool is_found = false;
   for (int32_t by = y0 >> 2; !is_found && by * 4 < y1; by++) {
      for (int32_t bx = x0 >> 2; !is_found && bx * 4 < x1; bx++) {
         for (uint32_t s = 0; s < tile->depth.num_samples; s++)
            is_found |= find_unwritten(&tile->depth, (uint32_t)bx, (uint32_t)by, s, rt_lanes_of_rect(bx * 4, by * 4, x0, y0, x1, y1)) != 0;
      }
   }
   return is_found;
}

void rt_tile_hold_hiz(struct rt_tile *tile)
{
   if (!tile->depth.base || !has_unwritten_depth(tile))
      return;
   for (uint32_t r = 0; r < UTIL_ARRAY_SIZE(tile->hiz.refresh); r++) {
      tile->hiz.min[r] = -__builtin_inff();
      tile->hiz.max[r] = __builtin_inff();
      tile->hiz.refresh[r] = UINT16_MAX; /* more than are ever counted */
   }
}
