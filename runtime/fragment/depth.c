/* SPDX-License-Identifier: MIT
 * Depth: bounds, test and write of one block's sample. Values are compared in the attachment's units as floats: D16 and
 * D24 values are whole numbers up to 2^24, which a float holds exactly. */
#include "runtime/fragment/depth.h"

#include "runtime/draw/context.h"
#include "runtime/fragment/hiz.h"
#include "runtime/fragment/parts.h"
#include "runtime/fragment/stencil.h"
#include "runtime/fragment/unwritten.h"

#include <string.h>

float rt_depth_quantize(enum rt_depth_format format, float z, float lo, float hi)
{
   z = z > lo ? z : lo;
   z = z < hi ? z : hi;
   if (format == RT_DEPTH_D32F)
      return z;
   const float v = z * (format == RT_DEPTH_D16 ? 65535.0f : 16777215.0f);
   return v < 8388608.0f ? (v + 8388608.0f) - 8388608.0f : v;
}

float rt_depth_clear_value(enum rt_depth_format format, float z)
{
   return format == RT_DEPTH_D32F ? z : rt_depth_quantize(format, z, 0, 1);
}

uint32_t rt_depth_pack(enum rt_depth_format format, float depth, uint8_t texel[16])
{
   const float v = rt_depth_clear_value(format, depth);
   if (format == RT_DEPTH_D16) {
      const uint16_t bits = (uint16_t)v;
      memcpy(texel, &bits, 2);
      return 2;
   }
   if (format == RT_DEPTH_X8D24) {
      const uint32_t bits = (uint32_t)v;
      memcpy(texel, &bits, 4);
      return 4;
   }
   memcpy(texel, &v, 4);
   return 4;
}

void rt_depth_state_init(struct rt_depth_state *depth, const struct rt_state *s, const struct rt_target *target,
                         bool is_unrestricted)
{
   const bool has_depth = target->depth.view, has_stencil = target->stencil.view;
   *depth = (struct rt_depth_state){0};
   if (has_depth) {
      depth->format = rt_depth_format_of((VkFormat)target->depth.view->format);
      depth->has_depth_test = s->depth_test.enable;
      depth->has_depth_write = s->depth_test.enable && s->depth_write.enable;
      depth->compare_op = (uint8_t)s->depth_compare.op;
      /* A test that always passes and writes nothing is none. */
      if (depth->compare_op == VK_COMPARE_OP_ALWAYS && !depth->has_depth_write)
         depth->has_depth_test = false;
      depth->has_bounds_test = s->depth_bounds_test.enable;
      depth->has_clamp = s->depth_clamp.enable;
      const float scale = depth->format == RT_DEPTH_D16 ? 65535.0f : depth->format == RT_DEPTH_X8D24 ? 16777215.0f : 1.0f;
      depth->bounds_min = s->depth_bounds.min * scale;
      depth->bounds_max = s->depth_bounds.max * scale;
      const bool has_range = depth->format != RT_DEPTH_D32F || !is_unrestricted;
      depth->z_min = has_range ? 0.0f : -__builtin_inff();
      depth->z_max = has_range ? 1.0f : __builtin_inff();
   }
   depth->has_stencil_test = has_stencil && s->stencil_test.enable;
   for (uint32_t i = 0; i < 2; i++)
      depth->faces[i] = (struct rt_stencil_face){
         .fail_op = s->stencil_op.fail_op[i],
         .pass_op = s->stencil_op.pass_op[i],
         .depth_fail_op = s->stencil_op.depth_fail_op[i],
         .compare_op = s->stencil_op.compare_op[i],
         .compare_mask = s->stencil_compare_mask.mask[i],
         .write_mask = s->stencil_write_mask.mask[i],
         .reference = s->stencil_reference.value[i],
      };
   depth->is_simple =
      depth->has_depth_test && !depth->has_bounds_test && !depth->has_stencil_test && depth->format != RT_DEPTH_NONE;
   depth->is_active = depth->has_depth_test || depth->has_bounds_test || depth->has_stencil_test;
}

/* ---- parts of a block; `format`, `op`, `write` and `is_single` are constants ---- */

/* Depth of the fragments from lane `at` on, at a sample: value order as abi_plane says, so that the shader sees the same bits. */
RT_INLINE_LANES rt_pf interpolate(const struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t at, uint32_t sample)
{
   const struct abi_primitive *p = &tile->prim->abi;
   const rt_pf x = rt_pf_lanes_x(at) + rt_pf_set((float)(tile->x + (int32_t)bx * 4)) + rt_pf_set(tile->args.sample_pos[sample][0]);
   const rt_pf y = rt_pf_lanes_y(at) + rt_pf_set((float)(tile->y + (int32_t)by * 4)) + rt_pf_set(tile->args.sample_pos[sample][1]);
   return (rt_pf_set(p->z.c) + rt_pf_set(p->z.dx) * (x - rt_pf_set(p->x0))) + rt_pf_set(p->z.dy) * (y - rt_pf_set(p->y0));
}

/* To nearest, for values in [0, 2^24]. */
RT_INLINE_LANES rt_pf round_positive(rt_pf v)
{
   const rt_pf big = rt_pf_set(8388608.0f);
   return rt_pf_select(v < big, (v + big) - big, v);
}

RT_INLINE_LANES rt_pf quantize(enum rt_depth_format format, rt_pf z)
{
   if (format == RT_DEPTH_D32F)
      return z;
   return round_positive(z * rt_pf_set(format == RT_DEPTH_D16 ? 65535.0f : 16777215.0f));
}

RT_INLINE_LANES uint32_t texel_bytes(enum rt_depth_format format)
{
   return format == RT_DEPTH_D16 ? 2 : 4;
}

RT_INLINE_LANES rt_pf load_depth(enum rt_depth_format format, const uint8_t *texels)
{
   switch (format) {
   case RT_DEPTH_D16: return __builtin_convertvector(rt_pi_load_u16(texels), rt_pf);
   case RT_DEPTH_X8D24: return __builtin_convertvector(rt_pi_load(texels) & 0xffffff, rt_pf);
   default: return rt_pf_load(texels);
   }
}

RT_INLINE_LANES void store_depth(enum rt_depth_format format, uint8_t *texels, rt_pf z, uint32_t mask)
{
   switch (format) {
   case RT_DEPTH_D16: rt_pi_store_u16(texels, rt_pi_merge(mask, __builtin_convertvector(z, rt_pi), rt_pi_load_u16(texels))); break;
   case RT_DEPTH_X8D24: {
      const rt_pi old = rt_pi_load(texels);
      rt_pi_store(texels, rt_pi_merge(mask, __builtin_convertvector(z, rt_pi) | (old & ~0xffffff), old));
      break;
   }
   default: rt_pi_store(texels, rt_pi_merge(mask, (rt_pi)z, rt_pi_load(texels))); break;
   }
}

RT_INLINE_LANES uint32_t compare(VkCompareOp op, rt_pf z, rt_pf stored)
{
   switch (op) {
   case VK_COMPARE_OP_NEVER: return 0;
   case VK_COMPARE_OP_LESS: return RT_PF_COMPARE(z, <, stored, _CMP_LT_OQ);
   case VK_COMPARE_OP_EQUAL: return RT_PF_COMPARE(z, ==, stored, _CMP_EQ_OQ);
   case VK_COMPARE_OP_LESS_OR_EQUAL: return RT_PF_COMPARE(z, <=, stored, _CMP_LE_OQ);
   case VK_COMPARE_OP_GREATER: return RT_PF_COMPARE(z, >, stored, _CMP_GT_OQ);
   case VK_COMPARE_OP_NOT_EQUAL: return RT_PF_COMPARE(z, !=, stored, _CMP_NEQ_UQ);
   case VK_COMPARE_OP_GREATER_OR_EQUAL: return RT_PF_COMPARE(z, >=, stored, _CMP_GE_OQ);
   default: return RT_PART_MASK;
   }
}

/* Clamped, in the attachment's units. */
RT_INLINE_LANES rt_pf clamp_depth(enum rt_depth_format format, const struct rt_tile *tile, rt_pf z)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   if (UTIL_UNLIKELY(depth->has_clamp)) {
      const struct rt_viewport *vp = &tile->draw->viewports->items[tile->prim->abi.viewport];
      z = rt_pf_clamp(z, vp->z_lo, vp->z_hi);
   }
   return quantize(format, rt_pf_clamp(z, depth->z_min, depth->z_max));
}

/* ---- blocks ---- */

RT_INLINE_LANES void find_range(enum rt_depth_format format, const uint8_t *texels, float min[16], float max[16])
{
   for (uint32_t at = 0; at < 16; at += RT_PART_LANES) {
      const rt_pf v = load_depth(format, texels + at * texel_bytes(format));
      /* NaN, which applications may have stored, passes tests as it likes: the bounds are then unknown. */
      const rt_pi nan = v != v;
      rt_pf_store(&min[at], rt_pf_min(rt_pf_select(nan, rt_pf_set(-__builtin_inff()), v), rt_pf_load(&min[at])));
      rt_pf_store(&max[at], rt_pf_max(rt_pf_select(nan, rt_pf_set(__builtin_inff()), v), rt_pf_load(&max[at])));
   }
}

void rt_depth_range(enum rt_depth_format format, const uint8_t *texels, float min[16], float max[16])
{
   switch (format) {
   case RT_DEPTH_D16: find_range(RT_DEPTH_D16, texels, min, max); break;
   case RT_DEPTH_X8D24: find_range(RT_DEPTH_X8D24, texels, min, max); break;
   default: find_range(RT_DEPTH_D32F, texels, min, max); break;
   }
}

/* The depth test of a sample whose texels these are: the lanes of `covered` that pass. `format`, and mostly `op` and `write`, are constants. */
RT_INLINE_LANES uint32_t test_depth(enum rt_depth_format format, VkCompareOp op, bool write, const struct rt_tile *tile, uint32_t bx, uint32_t by,
                                    uint32_t sample, uint32_t covered, const float *shader_z, uint8_t *texels)
{
   uint32_t passed = 0;
   for (uint32_t at = 0; at < 16; at += RT_PART_LANES, texels += RT_PART_LANES * texel_bytes(format)) {
      const rt_pf given = shader_z ? rt_pf_load(&shader_z[at]) : interpolate(tile, bx, by, at, sample);
      const rt_pf z = clamp_depth(format, tile, given);
      const uint32_t pass = compare(op, z, load_depth(format, texels)) & covered >> at;
      passed |= pass << at;
      if (write)
         store_depth(format, texels, z, pass);
   }
   return passed;
}

static uint32_t bounds_test(const struct rt_tile *tile, const uint8_t *texels)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   const enum rt_depth_format format = (enum rt_depth_format)depth->format;
   uint32_t pass = 0;
   for (uint32_t at = 0; at < 16; at += RT_PART_LANES) {
      const rt_pf stored = load_depth(format, texels + at * texel_bytes(format));
      pass |= rt_pi_signs((stored >= rt_pf_set(depth->bounds_min)) & (stored <= rt_pf_set(depth->bounds_max))) << at;
   }
   return pass;
}

static uint32_t test_depth_of_format(struct rt_tile *tile, uint8_t *texels, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask,
                                     const float *shader_z, bool write)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   const VkCompareOp op = (VkCompareOp)depth->compare_op;
   uint32_t passed = mask;
   write = write && depth->has_depth_write;
   switch (depth->format) {
   case RT_DEPTH_D16: passed = test_depth(RT_DEPTH_D16, op, write, tile, bx, by, sample, mask, shader_z, texels); break;
   case RT_DEPTH_X8D24: passed = test_depth(RT_DEPTH_X8D24, op, write, tile, bx, by, sample, mask, shader_z, texels); break;
   case RT_DEPTH_D32F: passed = test_depth(RT_DEPTH_D32F, op, write, tile, bx, by, sample, mask, shader_z, texels); break;
   default: return mask;
   }
   if (write && passed)
      rt_hiz_written(&tile->hiz, rt_tile_region(bx, by), op);
   return passed;
}

/* `uninit`, before the texels change: lanes in `tested` and `bounded` read depths, those of `stencil` stencils. */
static void follow_reads(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t sample, uint32_t bounded, uint32_t tested, uint32_t stencil)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   const struct rt_stencil_face *face = &depth->faces[tile->prim->abi.is_front ? 0 : 1];
   const bool has_op = face->write_mask & 0xff && (rt_stencil_op_reads((VkStencilOp)face->fail_op) || rt_stencil_op_reads((VkStencilOp)face->pass_op) ||
                                                   rt_stencil_op_reads((VkStencilOp)face->depth_fail_op));
   const uint32_t depths = (depth->has_bounds_test ? bounded : 0) |
                           (depth->has_depth_test && rt_comparison_reads((VkCompareOp)depth->compare_op) ? tested : 0);
   if (depths && tile->depth.base)
      rt_tile_read(tile, &tile->depth, ABI_ATTACHMENT_DEPTH, ABI_USE_DEPTH_TEST, bx, by, sample, depths);
   if (depth->has_stencil_test && tile->stencil.base && (rt_comparison_reads((VkCompareOp)face->compare_op) || has_op))
      rt_tile_read(tile, &tile->stencil, ABI_ATTACHMENT_STENCIL, ABI_USE_STENCIL_TEST, bx, by, sample, stencil);
}

/* Behind it: lanes that fail the stencil test, that fail the depth test, and that pass. */
static void follow_writes(const struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t sample, uint32_t fail, uint32_t depth_fail, uint32_t pass)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   const struct rt_stencil_face *face = &depth->faces[tile->prim->abi.is_front ? 0 : 1];
   const uint32_t stencils = (face->fail_op ? fail : 0) | (face->depth_fail_op ? depth_fail : 0) | (face->pass_op ? pass : 0);
   if (depth->has_depth_write && tile->depth.base)
      rt_tile_written(&tile->depth, bx, by, sample, pass);
   if (depth->has_stencil_test && tile->stencil.base && face->write_mask & 0xff)
      rt_tile_written(&tile->stencil, bx, by, sample, stencils);
}
_Static_assert(VK_STENCIL_OP_KEEP == 0, "it is the one that writes nothing");

RT_INLINE_LANES rt_u8x16 stencil_references(const struct rt_stencil_face *face, const uint32_t *shader_stencil)
{
   if (UTIL_UNLIKELY(shader_stencil))
      return __builtin_convertvector((rt_u32x16)rt_load_i(shader_stencil), rt_u8x16);
   return (uint8_t)face->reference - (rt_u8x16){0};
}

/* Lanes that fail the stencil test, that fail the depth test, and that pass. */
RT_INLINE_LANES void update_stencils(const struct rt_stencil_face *face, rt_u8x16 old, rt_u8x16 references, uint32_t fail, uint32_t depth_fail,
                                     uint32_t pass, uint8_t *stencils)
{
   rt_u8x16 values = old;
   rt_stencil_update(face, (VkStencilOp)face->fail_op, old, references, fail, &values);
   rt_stencil_update(face, (VkStencilOp)face->depth_fail_op, old, references, depth_fail, &values);
   rt_stencil_update(face, (VkStencilOp)face->pass_op, old, references, pass, &values);
   *(rt_u8x16_any *)stencils = values;
}

uint32_t rt_depth_stencil_test(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask,
                               const float *shader_z, const uint32_t *shader_stencil, bool write)
{
   const struct rt_depth_state *depth = &tile->context->depth;
   uint8_t depth_buffer[RT_MAX_BLOCK_BYTES], stencil_buffer[RT_MAX_BLOCK_BYTES];
   uint8_t *texels = NULL, *stencils = NULL;
   uint32_t pass = mask;
   if (depth->has_depth_test || depth->has_bounds_test)
      texels = rt_surface_map(&tile->depth, bx, by, sample, depth_buffer);
   if (depth->has_bounds_test)
      pass &= bounds_test(tile, texels);
   const uint32_t in_bounds = pass;

   const struct rt_stencil_face *face = &depth->faces[tile->prim->abi.is_front ? 0 : 1];
   uint32_t stencil_pass = pass;
   rt_u8x16 values = {0}, references = {0};
   if (depth->has_stencil_test) {
      stencils = rt_surface_map(&tile->stencil, bx, by, sample, stencil_buffer);
      values = *(const rt_u8x16_any *)stencils;
      references = stencil_references(face, shader_stencil);
      stencil_pass &= rt_stencil_test(face, values, references);
      pass = stencil_pass;
   }
   if (UTIL_UNLIKELY(tile->target->follows_writes))
      follow_reads(tile, bx, by, sample, mask, pass, in_bounds);
   if (depth->has_depth_test && pass)
      pass = test_depth_of_format(tile, texels, bx, by, sample, pass, shader_z, write);
   if (depth->has_stencil_test && write) {
      update_stencils(face, values, references, in_bounds & ~stencil_pass, stencil_pass & ~pass, pass, stencils);
      rt_surface_unmap(&tile->stencil, bx, by, stencils);
   }
   if (depth->has_depth_write && write)
      rt_surface_unmap(&tile->depth, bx, by, texels);
   if (UTIL_UNLIKELY(tile->target->follows_writes) && write)
      follow_writes(tile, bx, by, sample, in_bounds & ~stencil_pass, stencil_pass & ~pass, pass);
   return pass;
}

/* ---- tests of attachments whose blocks are in place ---- */

/* The depth test alone. */
RT_INLINE_LANES uint32_t test_depths(enum rt_depth_format format, VkCompareOp op, bool write, bool is_single, struct rt_tile *tile, uint32_t bx,
                                     uint32_t by, uint32_t mask, uint16_t *masks)
{
   uint8_t *texels = tile->depth.base + tile->depth.column_bytes[bx] + tile->depth.row_bytes[by];
   uint32_t any = 0;
   for (uint32_t s = 0; s < (is_single ? 1 : tile->context->num_samples); s++, texels += 16 * texel_bytes(format)) {
      const uint32_t passed = test_depth(format, op, write, tile, bx, by, s, is_single ? mask : masks[s], NULL, texels);
      if (!is_single)
         masks[s] = (uint16_t)passed;
      any |= passed;
   }
   if (write && any)
      rt_hiz_written(&tile->hiz, rt_tile_region(bx, by), op);
   return any;
}

/* One function for each format, the usual comparisons, with and without writing, one sample and several. */
#define TEST(format, op, write, is_single)                                                                             \
   static uint32_t test_##format##_##op##_##write##_##is_single(struct rt_tile *tile, uint32_t bx, uint32_t by,        \
                                                                uint32_t mask, uint16_t *masks, const struct abi_block *shaded) \
   {                                                                                                                   \
      return test_depths(RT_DEPTH_##format, VK_COMPARE_OP_##op, write, is_single, tile, bx, by, mask, masks);          \
   }
#define TESTS_OF_OP(format, op)                                                                                        \
   TEST(format, op, false, false) TEST(format, op, false, true) TEST(format, op, true, false) TEST(format, op, true, true)
#define TESTS_OF_FORMAT(format)                                                                                        \
   TESTS_OF_OP(format, LESS) TESTS_OF_OP(format, LESS_OR_EQUAL) TESTS_OF_OP(format, GREATER)                           \
   TESTS_OF_OP(format, GREATER_OR_EQUAL) TESTS_OF_OP(format, EQUAL)
TESTS_OF_FORMAT(D16)
TESTS_OF_FORMAT(X8D24)
TESTS_OF_FORMAT(D32F)

#define ENTRIES_OF_OP(format, op)                                                                                      \
   [VK_COMPARE_OP_##op] = {{test_##format##_##op##_false_false, test_##format##_##op##_false_true},                    \
                           {test_##format##_##op##_true_false, test_##format##_##op##_true_true}},
#define ENTRIES_OF_FORMAT(format)                                                                                      \
   [RT_DEPTH_##format] = {ENTRIES_OF_OP(format, LESS) ENTRIES_OF_OP(format, LESS_OR_EQUAL) ENTRIES_OF_OP(format, GREATER)       \
                           ENTRIES_OF_OP(format, GREATER_OR_EQUAL) ENTRIES_OF_OP(format, EQUAL)},

/* By format, comparison, whether it writes, whether there is one sample; NULL: none. */
static rt_depth_test_fn *const special_tests[4][8][2][2] = {
   ENTRIES_OF_FORMAT(D16) ENTRIES_OF_FORMAT(X8D24) ENTRIES_OF_FORMAT(D32F)
};

/* Any comparison, stencil tests, and what the shader exports; they write. */
RT_INLINE_LANES uint32_t test_more(enum rt_depth_format format, bool is_single, struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask,
                                   uint16_t *masks, const struct abi_block *shaded)
{
   const struct rt_context *c = tile->context;
   const struct rt_depth_state *depth = &c->depth;
   const struct rt_stencil_face *face = &depth->faces[tile->prim->abi.is_front ? 0 : 1];
   const float *shader_z = shaded && c->writes_z ? (const float *)shaded->outputs[ABI_FRAG_DEPTH] : NULL;
   const uint32_t *shader_stencil = shaded && c->writes_stencil ? shaded->outputs[ABI_FRAG_STENCIL] : NULL;
   uint8_t *texels = format ? tile->depth.base + tile->depth.column_bytes[bx] + tile->depth.row_bytes[by] : NULL;
   uint8_t *stencils = depth->has_stencil_test ? tile->stencil.base + tile->stencil.column_bytes[bx] + tile->stencil.row_bytes[by] : NULL;
   uint32_t any = 0;
   for (uint32_t s = 0; s < (is_single ? 1 : c->num_samples); s++) {
      const uint32_t covered = is_single ? mask : masks[s];
      uint32_t pass = covered;
      rt_u8x16 values = {0}, references = {0};
      if (stencils) {
         values = *(const rt_u8x16_any *)(stencils + 16 * s);
         references = stencil_references(face, shader_stencil);
         pass &= rt_stencil_test(face, values, references);
      }
      const uint32_t stencil_pass = pass;
      if (format && pass)
         pass = test_depth(format, (VkCompareOp)depth->compare_op, depth->has_depth_write, tile, bx, by, s, pass, shader_z,
                              texels + 16 * s * texel_bytes(format));
      if (stencils)
         update_stencils(face, values, references, covered & ~stencil_pass, stencil_pass & ~pass, pass, stencils + 16 * s);
      if (!is_single)
         masks[s] = (uint16_t)pass;
      any |= pass;
   }
   if (format && depth->has_depth_write && any)
      rt_hiz_written(&tile->hiz, rt_tile_region(bx, by), (VkCompareOp)depth->compare_op);
   return any;
}

#define MORE(format, is_single)                                                                                        \
   static uint32_t more_##format##_##is_single(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask,          \
                                               uint16_t *masks, const struct abi_block *shaded)                        \
   {                                                                                                                   \
      return test_more(RT_DEPTH_##format, is_single, tile, bx, by, mask, masks, shaded);                               \
   }
MORE(NONE, false) MORE(NONE, true) MORE(D16, false) MORE(D16, true) MORE(X8D24, false) MORE(X8D24, true) MORE(D32F, false) MORE(D32F, true)

/* By format, and whether there is one sample. */
static rt_depth_test_fn *const more_tests[4][2] = {
   [RT_DEPTH_NONE] = {more_NONE_false, more_NONE_true},
   [RT_DEPTH_D16] = {more_D16_false, more_D16_true},
   [RT_DEPTH_X8D24] = {more_X8D24_false, more_X8D24_true},
   [RT_DEPTH_D32F] = {more_D32F_false, more_D32F_true},
};

/* Any tests on any attachments. */
static uint32_t test_any(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask, uint16_t *masks, const struct abi_block *shaded)
{
   const struct rt_context *c = tile->context;
   const bool write = shaded || c->test_order == RT_TESTS_EARLY, is_single = c->num_samples == 1;
   const float *shader_z = shaded && c->writes_z ? (const float *)shaded->outputs[ABI_FRAG_DEPTH] : NULL;
   const uint32_t *shader_stencil = shaded && c->writes_stencil ? shaded->outputs[ABI_FRAG_STENCIL] : NULL;
   uint32_t any = 0;
   for (uint32_t s = 0; s < c->num_samples; s++) {
      const uint32_t covered = is_single ? mask : masks[s];
      const uint32_t pass = covered ? rt_depth_stencil_test(tile, bx, by, s, covered, shader_z, shader_stencil, write) : 0;
      if (!is_single)
         masks[s] = (uint16_t)pass;
      any |= pass;
   }
   return any;
}

static rt_depth_test_fn *choose(const struct rt_tile *tile, bool write, bool is_late)
{
   const struct rt_context *c = tile->context;
   const struct rt_depth_state *depth = &c->depth;
   const bool is_single = c->num_samples == 1, has_exports = is_late && (c->writes_z || c->writes_stencil);
   if (tile->target->follows_writes || depth->has_bounds_test || (depth->has_depth_test && !tile->depth.is_tiled) ||
       (depth->has_stencil_test && !tile->stencil.is_tiled))
      return test_any;
   rt_depth_test_fn *special = NULL;
   if (depth->is_simple && !has_exports)
      special = special_tests[depth->format][depth->compare_op & 7][depth->has_depth_write && write][is_single];
   if (!special && write)
      special = more_tests[depth->has_depth_test ? depth->format : RT_DEPTH_NONE][is_single];
   return special ? special : test_any;
}

rt_depth_test_fn *rt_depth_choose_early(const struct rt_tile *tile)
{
   return choose(tile, tile->context->test_order == RT_TESTS_EARLY, false);
}

rt_depth_test_fn *rt_depth_choose_late(const struct rt_tile *tile)
{
   return choose(tile, true, true);
}
