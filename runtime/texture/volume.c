/* SPDX-License-Identifier: MIT
 * 3D images of four channels of 8 bits, filtered: what fast.c does, with the same arithmetic, where all axes repeat or all
 * are clamped to the edge. Spec: Image Operations, "Texel Filtering". */
#include "runtime/texture/plain_taps.h"
#include "runtime/texture/whole.h"

/* The same slices for all lanes that sample, and lanes near each other, so that blocks are read whole. Registers of eight lanes gather sooner. */
RT_SIMD bool load_near(rt_vu taps[2][4], const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[3])
{
   const rt_vi *numbers = axes[2].at;
   const int32_t first[2] = {first_of(fast, numbers[0]), first_of(fast, numbers[1])};
   struct rt_near near;
   if (RT_TEX_LEVEL < 4 || !fast->image->is_tiled || rt_vi_any_other(numbers[0], first[0], fast->mask) ||
       rt_vi_any_other(numbers[1], first[1], fast->mask))
      return false;
   rt_near_find(&near, rt_vh_join(axes[0].at[0], axes[1].at[0] << 16), rt_vh_join(axes[0].at[1], axes[1].at[1] << 16), fast->mask);
   if (rt_has_fast_gathers && near.is_wide & fast->mask)
      return false;
#pragma GCC unroll 2
   for (uint32_t k = 0; k < 2; k++) {
      struct rt_near_words words;
      if (!rt_near_read_found(&words, 4, level, fast->data + level->offset_bytes + (uint64_t)(uint32_t)first[k] * level->slice_bytes, 2, 0, &near, fast->mask))
         return false;
#pragma GCC unroll 4
      for (uint32_t t = 0; t < 4; t++)
         taps[k][t] = words.low[t];
   }
   return true;
}

/* The taps of both slices. */
RT_SIMD void load_taps(rt_vu taps[2][4], const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[3])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   if (load_near(taps, fast, level, axes))
      return;
#pragma GCC unroll 2
   for (uint32_t k = 0; k < 2; k++) {
      const rt_vu slice = (rt_vu)axes[2].at[k] * (uint32_t)(level->slice_bytes / 4);
      rt_words_load(taps[k], fast->image, level, base, axes, true, &slice);
   }
}

RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, uint32_t mode, rt_vf out[4])
{
   struct rt_words_axis axes[3];
   rt_vu taps[2][4];
   rt_vf behind[4];
   rt_words_axis(&axes[0], fast->coord[0], level->width, mode, true);
   rt_words_axis(&axes[1], fast->coord[1], level->height, mode, true);
   rt_words_axis(&axes[2], fast->coord[2], level->depth, mode, true);
   load_taps(taps, fast, level, axes);
   const rt_vf weight = rt_vf_from(axes[2].weight) * (1.0f / RT_WORDS_FRACTION);
   rt_words_mix(taps[0], axes[0].weight, axes[1].weight, fast->channels, out);
   rt_words_mix(taps[1], axes[0].weight, axes[1].weight, fast->channels, behind);
   for (uint32_t c = 0; c < 4; c++)
      if (fast->channels >> c & 1)
         out[c] = rt_fast_lerp(out[c], behind[c], weight);
}

RT_SIMD uint32_t sample(const struct abi_tex_call *call, uint32_t mode)
{
   struct rt_fast fast;
   uint32_t left = 0;
   fast.image = call->images[0];
   fast.sampler = call->samplers[0];
   fast.data = fast.image->data;
   fast.num_axes = 3;
   fast.channels = ~call->unread;
   fast.is_cube = fast.has_edges = fast.has_offset = false;
   fast.lanes = RT_SIMD_ALL;
   fast.first = 0;
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      const struct abi_level *level = fast.image->levels;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      const uint32_t mask = call->mask >> fast.first & RT_SIMD_ALL;
      if (UTIL_UNLIKELY(!mask))
         continue;
      fast.mask = mask;
      for (uint32_t a = 0; a < 3; a++)
         fast.coord[a] = rt_vf_load(call->coords[a] + fast.first, RT_SIMD_ALL);
      if (has_levels)
         level = take_level(&fast, call, &mixes, &delta);
      if (UTIL_UNLIKELY(fast.mask != mask)) {
         left |= mask << fast.first;
         continue;
      }
      sample_level(&fast, level, mode, out);
      if (mixes) {
         const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
         sample_level(&fast, level + 1, mode, lower);
         for (uint32_t c = 0; c < 4; c++)
            if (fast.channels >> c & 1)
               out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
      }
      for (uint32_t c = 0; c < 4; c++)
         if (fast.channels >> c & 1)
            rt_vf_store(call->result[c] + fast.first, rt_words_finish(out[c], true), mask);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return left;
}

uint32_t rt_volume_bytes(const struct abi_tex_call *call)
{
   static const uint8_t order[4] = {0, 1, 2, 3};
   const struct abi_sampler *sampler = call->samplers[0];
   if (!rt_whole_can(call) || sampler->address_mode[2] != sampler->address_mode[0] || memcmp(call->images[0]->channels, order, sizeof(order)))
      return call->mask;
   return sampler->class == ABI_SAMPLER_CLAMP ? sample(call, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE) : sample(call, VK_SAMPLER_ADDRESS_MODE_REPEAT);
}
