/* SPDX-License-Identifier: MIT
 * 3D images of four channels of 8 bits, filtered, for vectors whose lanes all sample: what fast.c does, with the same arithmetic, where all axes repeat or all
 * are clamped to the edge. Spec: Image Operations, "Texel Filtering". */
#include "runtime/texture/plain_taps.h"
#include "runtime/texture/whole.h"

/* The taps of both slices. Lanes that are near each other, in the same slices, read blocks whole. */
RT_SIMD void load_taps(rt_vu taps[2][4], const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[3])
{
   const uint8_t *base = fast->data + level->offset_bytes;
#if RT_TEX_LEVEL >= 4
   const rt_vi *numbers = axes[2].at;
   const int32_t first[2] = {numbers[0][0], numbers[1][0]};
   if (fast->image->is_tiled && !rt_vi_any_other(numbers[0], first[0], RT_SIMD_ALL) && !rt_vi_any_other(numbers[1], first[1], RT_SIMD_ALL)) {
      struct rt_near near;
      struct rt_near_words words[2];
      rt_near_find(&near, rt_vh_join(axes[0].at[0], axes[1].at[0] << 16), rt_vh_join(axes[0].at[1], axes[1].at[1] << 16), RT_SIMD_ALL);
      bool is_near = !(rt_has_fast_gathers && near.is_wide);
      for (uint32_t k = 0; k < 2 && is_near; k++)
         is_near = rt_near_read_found(&words[k], 4, level, base + (uint64_t)(uint32_t)first[k] * level->slice_bytes, 2, 0, &near, RT_SIMD_ALL);
      if (is_near) {
         for (uint32_t t = 0; t < 8; t++)
            taps[t >> 2][t & 3] = words[t >> 2].low[t & 3];
         return;
      }
   }
#endif
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
   rt_words_mix(taps[0], axes[0].weight, axes[1].weight, out);
   rt_words_mix(taps[1], axes[0].weight, axes[1].weight, behind);
   for (uint32_t c = 0; c < 4; c++)
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
   fast.is_cube = fast.has_edges = fast.has_offset = false;
   fast.lanes = fast.mask = RT_SIMD_ALL;
   fast.first = 0;
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      const struct abi_level *level = fast.image->levels;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      fast.mask = RT_SIMD_ALL;
      for (uint32_t a = 0; a < 3; a++)
         fast.coord[a] = rt_vf_load(call->coords[a] + fast.first, RT_SIMD_ALL);
      if (has_levels)
         level = take_level(&fast, call, &mixes, &delta);
      if (UTIL_UNLIKELY(fast.mask != RT_SIMD_ALL)) {
         left |= (uint32_t)RT_SIMD_ALL << fast.first;
         continue;
      }
      sample_level(&fast, level, mode, out);
      if (mixes) {
         const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
         sample_level(&fast, level + 1, mode, lower);
         for (uint32_t c = 0; c < 4; c++)
            out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
      }
      for (uint32_t c = 0; c < 4; c++)
         rt_vf_store(call->result[c] + fast.first, rt_words_finish(out[c], true), RT_SIMD_ALL);
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
