/* SPDX-License-Identifier: MIT
 * Fragment shading. */
#include "runtime/fragment/shade.h"

#include "runtime/draw/lanes.h"
#include "runtime/draw/samples.h"
#include "runtime/fragment/coarse.h"
#include "runtime/fragment/dither.h"
#include "runtime/fragment/one_nan.h"
#include "runtime/fragment/unwritten.h"

#include <string.h>

static uint32_t count_samples(const uint16_t *masks, uint32_t num_samples)
{
   uint32_t count = 0;
   for (uint32_t s = 0; s < num_samples; s++)
      count += (uint32_t)__builtin_popcount(masks[s]);
   return count;
}

void rt_fragment_add_samples(struct rt_tile *tile, uint32_t bx, uint32_t by, uint16_t *masks)
{
   const struct rt_context *c = tile->context;
   /* What the shader's sample mask says: coverage by the primitive, or what the tests left of it. */
   const bool sees_tests = c->fs && c->fs->post_depth_coverage;
   uint16_t before[16];
   uint32_t any = 0;
   if (tile->early_test && !sees_tests)
      memcpy(before, masks, sizeof(before));
   const uint16_t *shown = tile->early_test && !sees_tests ? before : masks;
   if (tile->early_test) {
      any = tile->early_test(tile, bx, by, 0, masks, NULL);
   } else {
      for (uint32_t s = 0; s < c->num_samples; s++)
         any |= masks[s];
   }
   if (!any)
      return;
   if (tile->is_done_early || tile->counts_early)
      tile->samples_passed += count_samples(masks, c->num_samples);
   if (tile->is_done_early)
      return;
   struct abi_block *block = &tile->blocks[tile->num_blocks];
   struct rt_run_block *run = &tile->run[tile->num_blocks];
   block->x = tile->x + (int32_t)bx * 4;
   block->y = tile->y + (int32_t)by * 4;
   block->mask = any;
   rt_i32x16 fragment_masks = {0};
   for (uint32_t s = 0; s < c->num_samples; s++)
      run->masks[s] = masks[s];
   if (UTIL_UNLIKELY(tile->sees_coverage)) {
      for (uint32_t s = 0; s < c->num_samples; s++)
         fragment_masks |= rt_merge_i(shown[s], rt_splat_i(1 << s), (rt_i32x16){0});
      rt_store_i(block->sample_masks, fragment_masks);
   }
   run->bx = (uint8_t)bx;
   run->by = (uint8_t)by;
   if (++tile->num_blocks == RT_RUN_BLOCKS)
      rt_fragment_flush(tile);
}

void rt_fragment_add_region(struct rt_tile *tile, uint32_t rx, uint32_t ry)
{
   _Static_assert(RT_RUN_BLOCKS == 16, "a region fills a run");
   if (tile->early_test || tile->is_done_early || tile->sees_coverage) {
      for (uint32_t i = 0; i < RT_RUN_BLOCKS; i++)
         rt_fragment_add(tile, rx * 4 + (i & 3), ry * 4 + (i >> 2), 0xffff);
      return;
   }
   rt_fragment_flush(tile);
   if (tile->counts_early)
      tile->samples_passed += RT_RUN_BLOCKS * ABI_BLOCK_TEXELS;
   for (uint32_t i = 0; i < RT_RUN_BLOCKS; i++) {
      const uint32_t bx = rx * 4 + (i & 3), by = ry * 4 + (i >> 2);
      struct abi_block *block = &tile->blocks[i];
      block->x = tile->x + (int32_t)bx * 4;
      block->y = tile->y + (int32_t)by * 4;
      block->mask = 0xffff;
      tile->run[i].bx = (uint8_t)bx;
      tile->run[i].by = (uint8_t)by;
      tile->run[i].masks[0] = 0xffff;
      rt_fragment_prefetch(tile, bx, by);
   }
   tile->num_blocks = RT_RUN_BLOCKS;
   rt_fragment_flush(tile);
}

/* Sample s is kept if alpha exceeds its threshold, so that coverage grows with alpha. */
static void alpha_to_coverage(const struct abi_block *block, uint16_t *masks, uint32_t num_samples)
{
   const rt_f32x16 alpha = rt_load_f(block->outputs[3]);
   for (uint32_t s = 0; s < num_samples; s++)
      masks[s] &= (uint16_t)rt_sign_mask(alpha > rt_splat_f(((float)s + 0.5f) / (float)num_samples));
}

/* How much of each texel a line covers, as if the texel's sides were parallel to the line's: multiplied into alpha. */
static void smooth_line(const struct rt_tile *tile, struct abi_block *block)
{
   const struct rt_line *line = (const struct rt_line *)((const char *)tile->prim + tile->context->line_offset);
   float *alpha = (float *)block->outputs[3];
   for (uint32_t i = 0; i < ABI_BLOCK_TEXELS; i++) {
      const float x = (float)(block->x + (int32_t)((i & 1) | (i >> 1 & 2))) + 0.5f - line->x0;
      const float y = (float)(block->y + (int32_t)((i >> 1 & 1) | (i >> 2 & 2))) + 0.5f - line->y0;
      const float along = x * line->dx + y * line->dy, across = y * line->dx - x * line->dy;
      const float length = UTIL_MIN(line->length, along + 0.5f) - UTIL_MAX(0.0f, along - 0.5f);
      const float width = UTIL_MIN(line->half_width, across + 0.5f) - UTIL_MAX(-line->half_width, across - 0.5f);
      alpha[i] *= UTIL_CLAMP(length, 0.0f, 1.0f) * UTIL_CLAMP(width, 0.0f, 1.0f);
   }
}

/* Spec: "Multisample Coverage" and its three uses of the alpha of output 0, which an integer does not have. */
static void use_alpha(const struct rt_tile *tile, struct abi_block *block, uint16_t *masks)
{
   const struct rt_context *c = tile->context;
   if (!c->fs || c->fs->output_is_int[0])
      return;
   if (c->smooths_lines)
      smooth_line(tile, block);
   if (c->state.alpha_to_coverage.alpha_to_coverage)
      alpha_to_coverage(block, masks, c->num_samples);
   if (c->state.alpha_to_one.alpha_to_one)
      rt_store_f(block->outputs[3], rt_splat_f(1.0f));
}

/* Of the lanes masks[s] of each sample, `any` of them all, those that pass; updates depth and stencil. */
static uint32_t test_late(struct rt_tile *tile, const struct abi_block *block, const struct rt_run_block *run, uint32_t any, uint16_t *masks)
{
   const uint32_t passed = tile->late_test(tile, run->bx, run->by, any, masks, block);
   if (tile->context->num_samples == 1)
      masks[0] = (uint16_t)passed;
   return passed;
}

/* One attachment; a mask of lanes a sample. Changes components that the shader does not write. */
static void write_block(struct rt_tile *tile, struct abi_block *block, const struct rt_run_block *run, const struct rt_output *output,
                        const uint16_t *masks)
{
   const struct rt_context *c = tile->context;
   uint32_t(*planes)[16] = &block->outputs[output->location * 4];
   rt_output_zero_missing(output, planes);
   if (output->makes_one_nan)
      rt_one_nan((const float(*)[16])planes, (float(*)[16])planes);
   if (UTIL_UNLIKELY(c->target->follows_writes))
      rt_tile_merges(tile, output, run->bx, run->by, masks, (const uint32_t(*)[16])planes);
   rt_output_block(output, &tile->colors[output->attachment], run->bx, run->by, masks, c->num_samples, (const uint32_t(*)[16])planes,
                   (const uint32_t(*)[16]) & block->outputs[output->dual_slot]);
   if (UTIL_UNLIKELY(c->target->follows_writes))
      rt_tile_merged(tile, output, run->bx, run->by, masks);
}

/* After the shader, for the samples of `which`: coverage that it changed, late tests, counts and stores. */
static void finish_block(struct rt_tile *tile, struct abi_block *block, struct rt_run_block *run, uint32_t which)
{
   const struct rt_context *c = tile->context;
   uint16_t masks[16] = {0};
   uint32_t any = 0;
   for (uint32_t s = 0; s < c->num_samples; s++) {
      uint32_t mask = which >> s & 1 ? run->masks[s] & block->mask_out : 0;
      if (mask && c->writes_sample_mask)
         mask &= rt_sign_mask((rt_load_i(block->outputs[ABI_FRAG_SAMPLE_MASK]) & (1 << s)) != 0);
      masks[s] = (uint16_t)mask;
   }
   use_alpha(tile, block, masks);
   for (uint32_t s = 0; s < c->num_samples; s++)
      any |= masks[s];
   if (any && tile->late_test)
      any = test_late(tile, block, run, any, masks);
   if (!any)
      return;
   if (!tile->counts_early)
      tile->samples_passed += count_samples(masks, c->num_samples);
   for (uint32_t i = 0; i < c->num_outputs; i++)
      write_block(tile, block, run, &c->outputs[i], masks);
}

/* One attachment alone. */
static void blend_run(struct rt_tile *tile)
{
   rt_blend_run(tile, &tile->context->outputs[0]);
}

static void store_run(struct rt_tile *tile)
{
   rt_store_run(tile, &tile->context->outputs[0]);
}

/* After the shader, where is_direct: attachment by attachment. */
static void finish_direct(struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      struct rt_run_block *run = &tile->run[i];
      for (uint32_t s = 0; s < c->num_samples; s++)
         run->masks[s] &= (uint16_t)tile->blocks[i].mask_out;
      if (c->occlusion && !tile->counts_early)
         tile->samples_passed += count_samples(run->masks, c->num_samples);
   }
   for (uint32_t o = 0; o < c->num_outputs; o++) {
      const struct rt_output *output = &c->outputs[o];
      const struct rt_surface *surface = &tile->colors[output->attachment];
      if (surface->is_tiled && output->mode == RT_OUTPUT_BLEND)
         rt_blend_run(tile, output);
      else if (surface->is_tiled && output->mode == RT_OUTPUT_DIRECT)
         rt_store_run(tile, output);
      else
         for (uint32_t b = 0; b < tile->num_blocks; b++)
            write_block(tile, &tile->blocks[b], &tile->run[b], output, tile->run[b].masks);
   }
}

/* Before finish_direct(), where tests are late. */
static void finish_late(struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      struct abi_block *block = &tile->blocks[i];
      struct rt_run_block *run = &tile->run[i];
      uint32_t any = 0;
      for (uint32_t s = 0; s < c->num_samples; s++)
         any |= run->masks[s] &= (uint16_t)block->mask_out;
      block->mask_out = any ? test_late(tile, block, run, any, run->masks) : 0;
   }
   finish_direct(tile);
}

static void shade(struct rt_tile *tile, uint32_t count)
{
   const struct rt_context *c = tile->context;
   if (c->is_shaded) {
      tile->worker->num_entries++;
      c->pipeline->shaders[ABI_STAGE_FRAGMENT].run.fragment(&tile->args, &tile->worker->abi, &tile->prim->abi, tile->blocks, count);
      if (c->statistics)
         for (uint32_t i = 0; i < count; i++)
            tile->invocations += (uint32_t)__builtin_popcount(tile->blocks[i].mask);
   } else {
      for (uint32_t i = 0; i < count; i++)
         tile->blocks[i].mask_out = tile->blocks[i].mask;
   }
}

static void flush_per_sample(struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   for (uint32_t s = 0; s < c->num_samples && !rt_worker_is_cancelled(tile->worker); s++) {
      uint32_t any = 0;
      for (uint32_t i = 0; i < tile->num_blocks; i++) {
         tile->blocks[i].mask = tile->run[i].masks[s];
         any |= tile->blocks[i].mask;
      }
      if (!any)
         continue;
      tile->args.sample = s;
      shade(tile, tile->num_blocks);
      if (c->is_dithered)
         rt_dither(tile);
      for (uint32_t i = 0; i < tile->num_blocks; i++)
         finish_block(tile, &tile->blocks[i], &tile->run[i], 1u << s);
      rt_worker_progress(tile->worker);
   }
   tile->args.sample = 0;
}

static void finish_blocks(struct rt_tile *tile)
{
   for (uint32_t i = 0; i < tile->num_blocks; i++)
      finish_block(tile, &tile->blocks[i], &tile->run[i], UINT32_MAX);
}

static rt_finish_fn *choose_plain_finish(const struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   const struct rt_output *output = &c->outputs[0];
   if (!tile->is_direct)
      return finish_blocks;
   if (tile->late_test)
      return finish_late;
   if (c->num_outputs != 1 || c->occlusion || !tile->colors[output->attachment].is_tiled)
      return finish_direct;
   return output->mode == RT_OUTPUT_BLEND ? blend_run : output->mode == RT_OUTPUT_DIRECT ? store_run : finish_direct;
}

static void finish_dithered(struct rt_tile *tile)
{
   rt_dither(tile);
   choose_plain_finish(tile)(tile);
}

static rt_finish_fn *choose_finish(const struct rt_tile *tile)
{
   return tile->context->is_dithered ? finish_dithered : choose_plain_finish(tile);
}

static const struct rt_surface *choose_next(const struct rt_tile *tile)
{
   const struct rt_context *c = tile->context;
   const struct rt_surface *surface = c->num_outputs ? &tile->colors[c->outputs[0].attachment] : NULL;
   return surface && surface->is_tiled ? surface : NULL;
}

/* What is the same for all draws with the context. */
static void bind_context(struct rt_tile *tile, const struct rt_context *c)
{
   tile->context = c;
   tile->args.num_samples = c->num_samples;
   tile->args.taken_outputs = c->taken_outputs;
   tile->args.sample = 0;
   tile->args.size_log2[0] = tile->args.size_log2[1] = 0;
   tile->args.per_sample = c->is_per_sample;
   const uint8_t(*locations)[2] = c->sample_locations;
   memset(tile->sample_x, 0, sizeof(tile->sample_x));
   memset(tile->sample_y, 0, sizeof(tile->sample_y));
   /* A sample that there is not is the centre, as interpolateAtSample() has it of images without samples. */
   for (uint32_t s = c->num_samples; s < UTIL_ARRAY_SIZE(tile->args.sample_pos); s++)
      tile->args.sample_pos[s][0] = tile->args.sample_pos[s][1] = 0.5f;
   for (uint32_t s = 0; s < c->num_samples; s++) {
      tile->args.sample_pos[s][0] = (float)locations[s][0] / 16.0f;
      tile->args.sample_pos[s][1] = (float)locations[s][1] / 16.0f;
      tile->sample_x[s] = locations[s][0] * 16;
      tile->sample_y[s] = locations[s][1] * 16;
   }
   const bool is_early = c->test_order == RT_TESTS_EARLY || c->test_order == RT_TESTS_CULL_EARLY;
   tile->early_test = is_early ? rt_depth_choose_early(tile) : NULL;
   const bool is_late = c->test_order == RT_TESTS_LATE || c->test_order == RT_TESTS_CULL_EARLY;
   tile->late_test = is_late ? rt_depth_choose_late(tile) : NULL;
   tile->counts_early = c->fs && c->fs->early_tests;
   tile->is_done_early = !c->is_shaded && !is_late;
   tile->is_direct = !c->target->follows_writes && !c->is_per_sample && !c->smooths_lines && c->is_shaded && !c->writes_sample_mask &&
                     !c->state.alpha_to_coverage.alpha_to_coverage && !c->state.alpha_to_one.alpha_to_one;
   if (c->fs && c->fs->frame_bytes && !rt_worker_reserve(tile->worker, 0, c->fs->frame_bytes))
      tile->is_out_of_memory = true;
   tile->sees_coverage = c->has_rates || (c->fs && c->fs->reads_coverage);
   tile->next = choose_next(tile);
   tile->finish = choose_finish(tile);
}

void rt_fragment_bind(struct rt_tile *tile, const struct rt_draw *draw)
{
   tile->draw = draw;
   tile->args.resources = &draw->resources;
   rt_draw_enter(draw, ABI_STAGE_FRAGMENT, tile->worker);
   if (draw->context != tile->context)
      bind_context(tile, draw->context);
}

void rt_fragment_flush(struct rt_tile *tile)
{
   if (!tile->num_blocks)
      return;
   if (UTIL_UNLIKELY(rt_worker_is_cancelled(tile->worker))) {
      tile->num_blocks = 0;
      return;
   }
   if (UTIL_UNLIKELY(tile->context->has_rates)) {
      rt_coarse_add(tile);
   } else if (tile->context->is_per_sample) {
      flush_per_sample(tile);
   } else {
      shade(tile, tile->num_blocks);
      tile->finish(tile);
   }
   tile->num_blocks = 0;
   rt_worker_progress(tile->worker);
}
