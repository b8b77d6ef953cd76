/* SPDX-License-Identifier: MIT
 * Shading of fragments that have more than one texel. */
#include "runtime/fragment/coarse.h"

#include "runtime/draw/lanes.h"
#include "runtime/fragment/rate.h"

#include <string.h>

/* ---- collecting ---- */

void rt_coarse_add(struct rt_tile *tile)
{
   struct rt_coarse *coarse = tile->coarse;
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      struct rt_coarse_member *member = &coarse->members[coarse->num_blocks++];
      member->run = tile->run[i];
      member->mask = (uint16_t)tile->blocks[i].mask;
      member->rate = rt_rate_of_block(tile, member->run.bx, member->run.by);
      for (uint32_t lane = 0; lane < 16; lane++)
         member->shown[lane] = (uint16_t)tile->blocks[i].sample_masks[lane];
   }
   tile->num_blocks = 0;
   if (coarse->num_blocks > RT_COARSE_BLOCKS)
      rt_coarse_shade(tile); /* some came twice: room for the next run */
}

/* ---- one rate ---- */

static uint32_t lane_x(uint32_t lane)
{
   return (lane & 1) | (lane >> 1 & 2);
}

static uint32_t lane_y(uint32_t lane)
{
   return (lane >> 1 & 1) | (lane >> 2 & 2);
}

static uint32_t lane_at(uint32_t x, uint32_t y)
{
   return (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
}

/* Of texel (x, y): coverage index of its first sample. Spec: Rasterization, "Multisampling", coverage index. */
static uint32_t first_index(uint32_t w, uint32_t h, uint32_t num_samples, uint32_t x, uint32_t y)
{
   return num_samples * ((w * h - 1) - ((x & (w - 1)) + (y & (h - 1)) * w));
}

/* Makes the rate current: the shader's arguments, and which fragment each texel belongs to. */
static void set_rate(struct rt_tile *tile, uint32_t rate)
{
   const struct rt_context *c = tile->context;
   struct rt_coarse *coarse = tile->coarse;
   const uint32_t w_log2 = rt_rate_width_log2(rate), h_log2 = rt_rate_height_log2(rate), w = 1u << w_log2, h = 1u << h_log2;
   coarse->args = tile->args;
   coarse->args.size_log2[0] = w_log2;
   coarse->args.size_log2[1] = h_log2;
   coarse->args.num_samples = c->num_samples << (w_log2 + h_log2);
   for (uint32_t y = 0; y < h; y++)
      for (uint32_t x = 0; x < w; x++)
         for (uint32_t s = 0; s < c->num_samples; s++) {
            float *at = coarse->args.sample_pos[first_index(w, h, c->num_samples, x, y) + s];
            at[0] = (float)x + (float)c->sample_locations[s][0] / 16.0f;
            at[1] = (float)y + (float)c->sample_locations[s][1] / 16.0f;
         }
   for (uint32_t lane = 0; lane < 16; lane++) {
      const uint32_t x = lane_x(lane), y = lane_y(lane);
      coarse->shifts[lane] = (uint8_t)first_index(w, h, c->num_samples, x, y);
      for (uint32_t block_y = 0; block_y < h; block_y++)
         for (uint32_t block_x = 0; block_x < w; block_x++)
            coarse->lanes[block_y * 4 + block_x][lane] = (uint8_t)lane_at((block_x * 4 + x) >> w_log2, (block_y * 4 + y) >> h_log2);
   }
}

static const uint8_t *lanes_of(const struct rt_tile *tile, const struct rt_coarse_member *member)
{
   const uint32_t x = member->run.bx & ((1u << tile->coarse->args.size_log2[0]) - 1), y = member->run.by & ((1u << tile->coarse->args.size_log2[1]) - 1);
   return tile->coarse->lanes[y * 4 + x];
}

/* Puts the members of a rate together by blocks of fragments, in the order in which these were met; returns how many there are. */
static uint32_t find_blocks(struct rt_coarse *coarse, uint32_t rate)
{
   int16_t found[RT_COARSE_BLOCKS];
   uint32_t count = 0;
   memset(found, 0xff, sizeof(found));
   for (uint32_t i = 0; i < coarse->num_blocks; i++) {
      struct rt_coarse_member *member = &coarse->members[i];
      if (member->rate != rate)
         continue;
      const uint32_t position = ((uint32_t)member->run.by >> rt_rate_height_log2(rate)) * RT_TILE_BLOCKS +
                             ((uint32_t)member->run.bx >> rt_rate_width_log2(rate));
      if (found[position] < 0) {
         found[position] = (int16_t)count;
         coarse->positions[count] = (uint8_t)position;
         coarse->first[count++] = -1;
      }
      member->next = coarse->first[found[position]];
      coarse->first[found[position]] = (int16_t)i;
   }
   return count;
}

/* ---- to fragments and back ---- */

static void gather_coverage(const struct rt_tile *tile, uint32_t index, struct abi_block *block)
{
   const struct rt_coarse *coarse = tile->coarse;
   const uint32_t position = coarse->positions[index];
   block->x = tile->x + (int32_t)((position % RT_TILE_BLOCKS) << (2 + tile->coarse->args.size_log2[0]));
   block->y = tile->y + (int32_t)((position / RT_TILE_BLOCKS) << (2 + tile->coarse->args.size_log2[1]));
   block->mask = 0;
   memset(block->sample_masks, 0, sizeof(block->sample_masks));
   for (int32_t i = coarse->first[index]; i >= 0; i = coarse->members[i].next) {
      const struct rt_coarse_member *member = &coarse->members[i];
      const uint8_t *lanes = lanes_of(tile, member);
      for (uint32_t lane = 0; lane < 16; lane++) {
         block->mask |= (uint32_t)(member->mask >> lane & 1) << lanes[lane];
         block->sample_masks[lanes[lane]] |= (uint32_t)member->shown[lane] << coarse->shifts[lane];
      }
   }
}

/* What the shader gave for fragments becomes a block of the run. */
static void spread(const struct rt_tile *tile, const struct rt_coarse_member *member, const struct abi_block *from, struct abi_block *to)
{
   const uint8_t *lanes = lanes_of(tile, member), *shifts = tile->coarse->shifts;
   const uint64_t outputs = tile->context->fs->outputs[0];
   to->x = tile->x + (int32_t)member->run.bx * 4;
   to->y = tile->y + (int32_t)member->run.by * 4;
   to->mask = member->mask;
   to->mask_out = 0;
   for (uint32_t lane = 0; lane < 16; lane++)
      to->mask_out |= (from->mask_out >> lanes[lane] & member->mask >> lane & 1) << lane;
   for (uint64_t left = outputs; left; left &= left - 1) {
      const uint32_t slot = (uint32_t)__builtin_ctzll(left);
      for (uint32_t lane = 0; lane < 16; lane++)
         to->outputs[slot][lane] = from->outputs[slot][lanes[lane]];
   }
   if (outputs >> ABI_FRAG_SAMPLE_MASK & 1)
      for (uint32_t lane = 0; lane < 16; lane++)
         to->outputs[ABI_FRAG_SAMPLE_MASK][lane] >>= shifts[lane];
}

static void finish_run(struct rt_tile *tile)
{
   if (tile->num_blocks)
      tile->finish(tile);
   tile->num_blocks = 0;
}

/* Blocks of fragments [begin, begin + count). */
static void shade_blocks(struct rt_tile *tile, uint32_t begin, uint32_t count)
{
   const struct rt_context *c = tile->context;
   struct rt_coarse *coarse = tile->coarse;
   for (uint32_t i = 0; i < count; i++)
      gather_coverage(tile, begin + i, &coarse->blocks[i]);
   tile->worker->num_entries++;
   c->pipeline->shaders[ABI_STAGE_FRAGMENT].run.fragment(&coarse->args, &tile->worker->abi, &tile->prim->abi, coarse->blocks, count);
   for (uint32_t i = 0; i < count; i++) {
      if (c->statistics)
         tile->invocations += (uint32_t)__builtin_popcount(coarse->blocks[i].mask);
      for (int32_t k = coarse->first[begin + i]; k >= 0; k = coarse->members[k].next) {
         spread(tile, &coarse->members[k], &coarse->blocks[i], &tile->blocks[tile->num_blocks]);
         tile->run[tile->num_blocks] = coarse->members[k].run;
         if (++tile->num_blocks == RT_RUN_BLOCKS)
            finish_run(tile);
      }
   }
   finish_run(tile);
   rt_worker_progress(tile->worker);
}

static void shade_rate(struct rt_tile *tile, uint32_t rate)
{
   set_rate(tile, rate);
   const uint32_t count = find_blocks(tile->coarse, rate);
   for (uint32_t i = 0; i < count && !rt_worker_is_cancelled(tile->worker); i += RT_RUN_BLOCKS)
      shade_blocks(tile, i, UTIL_MIN(count - i, (uint32_t)RT_RUN_BLOCKS));
}

void rt_coarse_shade(struct rt_tile *tile)
{
   struct rt_coarse *coarse = tile->coarse;
   uint32_t rates = 0;
   for (uint32_t i = 0; i < coarse->num_blocks; i++)
      rates |= 1u << coarse->members[i].rate;
   for (; rates; rates &= rates - 1)
      shade_rate(tile, (uint32_t)__builtin_ctz(rates));
   coarse->num_blocks = 0;
}
