/* SPDX-License-Identifier: MIT
 * Dithering by an ordered pattern: 16 thresholds, of which neighbours are far apart. */
#include "runtime/fragment/dither.h"

#include "runtime/draw/lanes.h"

/* The fragment of lane (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2; thresholds of sixteenths, less their mean. */
static const float thresholds[16] __attribute__((aligned(64))) = {
#define T(n) ((n) - 7.5f) / 16.0f
   T(0), T(8), T(12), T(4), T(2), T(10), T(14), T(6), T(3), T(11), T(15), T(7), T(1), T(9), T(13), T(5),
#undef T
};

static bool is_dithered(const struct rt_channel *channel)
{
   return channel->numeric == RT_UNORM && channel->bits && channel->bits < 8;
}

bool rt_is_dithered(const struct rt_format_info *info)
{
   bool is_any = false;
   for (uint32_t c = 0; c < 3; c++)
      is_any |= is_dithered(&info->channels[c]);
   return is_any;
}

void rt_dither(struct rt_tile *tile)
{
   const struct rt_context *context = tile->context;
   for (uint32_t o = 0; o < context->num_outputs; o++) {
      const struct rt_output *output = &context->outputs[o];
      for (uint32_t c = 0; c < 3; c++) {
         const struct rt_channel *channel = &output->info->channels[c];
         if (!is_dithered(channel))
            continue;
         const rt_f32x16 offsets = rt_load_f(thresholds) * rt_splat_f(1.0f / (float)((1u << channel->bits) - 1));
         for (uint32_t i = 0; i < tile->num_blocks; i++) {
            uint32_t *plane = tile->blocks[i].outputs[output->location * 4 + c];
            rt_store_f(plane, rt_load_f(plane) + offsets);
         }
      }
   }
}
