/* SPDX-License-Identifier: MIT
 * 2D images of four channels of 8 bits: what fast.c does, with the same arithmetic, of whole vectors whose lanes are on the same levels, where both axes
 * repeat or both are clamped to the edge. No function that is called sees a vector's state, so that it stays in registers.
 * Spec: Image Operations, "Texel Filtering". */
#include "runtime/texture/bytes_taps.h"
#include "runtime/texture/plain_taps.h"
#include "runtime/texture/whole.h"

/* What the functions below are made for: constants. */
struct variant {
   uint32_t mode; /* VkSamplerAddressMode of both axes */
   bool is_linear, is_srgb;
};

/* ---- one level ---- */

RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, const struct variant *variant, rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_words_axis axes[2];
   struct rt_words_pairs pairs;
   rt_vu words[4];
   if (!variant->is_linear) {
      rt_words_axis(&axes[0], fast->coord[0], level->width, variant->mode, false);
      rt_words_axis(&axes[1], fast->coord[1], level->height, variant->mode, false);
      load_plane(fast, level, base, axes, false, words);
      if (variant->is_srgb)
         rt_srgb_decode(words[0], out);
      else
         rt_words_split(words[0], out);
      return;
   }
   rt_words_pairs(&pairs, fast->coord, level, variant->mode);
   if (!load_near(fast, level, base, pairs.left, pairs.right, words)) {
      rt_words_split_pairs(axes, &pairs);
      load_texels(fast, level, base, axes, true, NULL, words);
   }
   mix_taps(fast, words, pairs.parts, variant->is_srgb, out);
}

RT_SIMD void sample_levels(const struct rt_fast *fast, const struct abi_level *levels, rt_vf weight, const struct variant *variant, rt_vf out[4])
{
   rt_vf lower[4];
   if (variant->is_srgb || !variant->is_linear || !sample_two_flat(fast, levels, variant->mode, out, lower)) {
      sample_level(fast, &levels[0], variant, out);
      sample_level(fast, &levels[1], variant, lower);
   }
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_fast_lerp(out[c], lower[c], weight);
}

/* ---- calls ---- */

/* Where the image's channels go: false where components are constants or the same channel. */
RT_SIMD bool find_results(uint32_t *results[4], const struct abi_tex_call *call)
{
   static const uint8_t in_order[4] = {0, 1, 2, 3}, swapped[4] = {2, 1, 0, 3};
   const uint8_t *channels = call->images[0]->channels;
   const bool is_swapped = !memcmp(channels, swapped, sizeof(swapped));
   for (uint32_t c = 0; c < 4; c++)
      results[c] = call->result[is_swapped ? swapped[c] : c];
   return is_swapped || !memcmp(channels, in_order, sizeof(in_order));
}

/* The layer of an array; false where lanes are in several. */
RT_SIMD bool find_layer(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const rt_vi number = rt_fast_layer(fast, call->coords[2], fast->image->num_layers);
   const int32_t first = first_of(fast, number);
   fast->data = fast->image->data + (uint64_t)(uint32_t)first * fast->image->layer_bytes;
   return !rt_vi_any_other(number, first, fast->mask);
}

RT_SIMD void store(uint32_t *const results[4], uint32_t first, const rt_vf texels[4], const struct variant *variant, uint32_t mask)
{
   for (uint32_t c = 0; c < 4; c++)
      rt_vf_store(results[c] + first, variant->is_srgb ? texels[c] : rt_words_finish(texels[c], variant->is_linear), mask);
}

/* Of eight lanes each, all of which sample. */
RT_SIMD bool has_two_vectors(const struct abi_tex_call *call)
{
   return RT_TEX_LEVEL == 3 && call->lanes == 2 * RT_SIMD_LANES && (uint16_t)call->mask == UINT16_MAX;
}

/* Those, on the base level, filtered: where the second one's texels are is found while the first one's still is. */
RT_SIMD void sample_both(const struct rt_fast *fast, const struct abi_tex_call *call, uint32_t *const results[4], const struct variant *variant)
{
   const struct abi_level *level = fast->image->levels;
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_words_pairs pairs[2];
   struct rt_near near[2];
#pragma GCC unroll 2
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t first = i * RT_SIMD_LANES;
      const rt_vf coord[2] = {rt_vf_load(call->coords[0] + first, RT_SIMD_ALL), rt_vf_load(call->coords[1] + first, RT_SIMD_ALL)};
      rt_words_pairs(&pairs[i], coord, level, variant->mode);
   }
#pragma GCC unroll 2
   for (uint32_t i = 0; i < 2; i++)
      rt_near_find(&near[i], pairs[i].left, pairs[i].right, RT_SIMD_ALL);
#pragma GCC unroll 2
   for (uint32_t i = 0; i < 2; i++) {
      rt_vu words[4];
      rt_vf out[4];
      if (!load_found(fast, level, base, &near[i], pairs[i].left, pairs[i].right, words)) {
         struct rt_words_axis axes[2];
         rt_words_split_pairs(axes, &pairs[i]);
         load_texels(fast, level, base, axes, true, NULL, words);
      }
      mix_taps(fast, words, pairs[i].parts, variant->is_srgb, out);
      store(results, i * RT_SIMD_LANES, out, variant, RT_SIMD_ALL);
   }
}

RT_SIMD uint32_t sample(const struct abi_tex_call *call, const struct variant *variant)
{
   struct rt_fast fast;
   uint32_t left = 0, *results[4];
   if (UTIL_UNLIKELY(!find_results(results, call)))
      return call->mask;
   fast.image = call->images[0];
   fast.sampler = call->samplers[0];
   fast.data = fast.image->data;
   fast.num_axes = 2;
   fast.is_dense = true;
   fast.has_quads = call->quad_size == 4;
   fast.is_cube = fast.has_edges = fast.has_offset = fast.has_own_layers = false;
   fast.lanes = RT_SIMD_ALL;
   fast.first = 0;
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler), has_layers = call->flags & ABI_TEX_ARRAYED && fast.image->num_layers > 1;
   fast.has_one_level = !has_levels;
   if (variant->is_linear && !variant->is_srgb && has_two_vectors(call) && !has_levels && !has_layers && may_be_near(&fast)) {
      fast.mask = RT_SIMD_ALL;
      sample_both(&fast, call, results, variant);
      return 0;
   }
   do {
      const struct abi_level *level = fast.image->levels;
      const uint32_t mask = call->mask >> fast.first & RT_SIMD_ALL;
      bool mixes = false;
      rt_vf out[4], weight = rt_vf_set(0);
      if (UTIL_UNLIKELY(!mask))
         continue;
      fast.mask = mask;
      fast.coord[0] = rt_vf_load(call->coords[0] + fast.first, RT_SIMD_ALL);
      fast.coord[1] = rt_vf_load(call->coords[1] + fast.first, RT_SIMD_ALL);
      if (has_levels)
         level = take_level(&fast, call, &mixes, &weight);
      if (UTIL_UNLIKELY(fast.mask != mask || (has_layers && !find_layer(&fast, call)))) {
         left |= mask << fast.first;
         continue;
      }
      if (mixes)
         sample_levels(&fast, level, weight, variant, out);
      else
         sample_level(&fast, level, variant, out);
      store(results, fast.first, out, variant, mask);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return left;
}

#define X_VARIANTS(X)                                                                                                  \
   X(repeat, REPEAT, false, false) X(repeat_srgb, REPEAT, false, true) X(repeat_linear, REPEAT, true, false) X(repeat_linear_srgb, REPEAT, true, true) \
   X(clamp, CLAMP_TO_EDGE, false, false) X(clamp_srgb, CLAMP_TO_EDGE, false, true) X(clamp_linear, CLAMP_TO_EDGE, true, false) \
   X(clamp_linear_srgb, CLAMP_TO_EDGE, true, true)
#define X(name, mode, is_linear, is_srgb)                                                                              \
   static uint32_t name(const struct abi_tex_call *call)                                                               \
   {                                                                                                                   \
      return sample(call, &(const struct variant){VK_SAMPLER_ADDRESS_MODE_##mode, is_linear, is_srgb});                \
   }
X_VARIANTS(X)
#undef X

uint32_t rt_flat_bytes(const struct abi_tex_call *call)
{
   static rt_whole_fn *const fns[2][2][2] = {
      {{repeat, repeat_srgb}, {repeat_linear, repeat_linear_srgb}},
      {{clamp, clamp_srgb}, {clamp_linear, clamp_linear_srgb}},
   }; /* [clamps][is_linear][is_srgb] */
   const struct abi_sampler *sampler = call->samplers[0];
   const uint32_t mode = sampler ? sampler->class - (uint32_t)ABI_SAMPLER_REPEAT : UINT32_MAX;
   if (mode > 1 || sampler->paths[0] == ABI_PATH_LEVELS || call->lanes & (RT_SIMD_LANES - 1) || call->images[0]->sampling < ABI_SAMPLING_UNORM8)
      return call->mask;
   return fns[mode][sampler->paths[0] == ABI_PATH_LINEAR][call->images[0]->sampling == ABI_SAMPLING_SRGB8](call);
}
