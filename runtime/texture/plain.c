/* SPDX-License-Identifier: MIT
 * What any.c does, with the same arithmetic, of the plainest images: the numeric format is a constant of each function here.
 * Spec: Image Operations, "Texel Filtering", "Texel Gathering", "Depth Compare Operation". */
#include "runtime/texture/plain.h"
#include "runtime/texture/axis.h"
#include "runtime/texture/fast_lod.h"
#include "runtime/texture/texel_find.h"
#include "runtime/texture/texel_near.h"

/* ---- one level ---- */

struct axis {
   rt_vi at[2];
   rt_vf weight; /* of at[1] */
};

RT_SIMD void find_axis(struct axis *axis, const struct rt_fast *fast, uint32_t a, uint32_t size, bool has_two)
{
   const uint32_t mode = fast->sampler->address_mode[a];
   const rt_vf u = rt_axis_unnormalize(fast->coord[a], size, mode, false), v = has_two ? u - 0.5f : u, whole = rt_vf_floor(v);
   rt_vi i = rt_vi_from(whole);
   uint32_t outside;
   axis->weight = v - whole;
   if (UTIL_LIKELY(mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)) {
      if (fast->has_offset)
         i += rt_vi_clamp(fast->offset[a], -65536, 65536);
      axis->at[0] = rt_vi_clamp(i, 0, (int32_t)size - 1);
      axis->at[1] = has_two ? rt_vi_clamp(i + 1, 0, (int32_t)size - 1) : axis->at[0];
      return;
   }
   if (fast->has_offset)
      i += rt_vi_clamp(fast->offset[a], -65536, 65536);
   axis->at[0] = rt_axis_wrap(i, (int32_t)size, mode, fast->has_offset, &outside);
   axis->at[1] = has_two ? rt_axis_wrap(i + 1, (int32_t)size, mode, fast->has_offset, &outside) : axis->at[0];
}

/* `is_wide`: texels of 64 bits; else of up to 32. */
RT_SIMD void load(const struct rt_fast *fast, const struct abi_level *level, const struct axis axes[2], uint32_t num_taps, bool is_wide,
                  struct rt_taps *taps)
{
   const struct abi_image *image = fast->image;
   const uint32_t log2 = is_wide ? 3 : rt_texel_log2(image), last = num_taps > 1;
   const uint8_t *base = fast->data + level->offset_bytes;
   if (RT_TEX_LEVEL >= 4 && fast->is_dense && image->is_tiled) {
      const rt_vh left = rt_vh_join(axes[0].at[0], axes[1].at[0] << 16);
      const rt_vh right = last ? rt_vh_join(axes[0].at[last], axes[1].at[last] << 16) : left;
      if (rt_near_load(taps, num_taps, level, base, log2, left, right, level->width, level->height, fast->mask))
         return;
   }
   rt_vu x[2], y[2];
   for (uint32_t k = 0; k <= last; k++) {
      x[k] = rt_texel_x(image, level, (rt_vu)axes[0].at[k]);
      y[k] = rt_texel_y(image, level, (rt_vu)axes[1].at[k], log2);
   }
   for (uint32_t t = 0; t < num_taps; t++) {
      const rt_vu index = x[t & 1] + y[t >> 1];
      if (is_wide)
         rt_texel_gather(base, index, 3, taps, t);
      else if (UTIL_LIKELY(log2 == 2))
         taps->word[0][t] = rt_vu_gather_words(base, index);
      else
         taps->word[0][t] = rt_texel_gather_small(base, index, log2);
   }
}

/* Of formats of 64 bits two channels are in each word, or one where words are channels. */
RT_SIMD rt_vf channel(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, const struct rt_taps *taps, uint32_t tap, bool is_wide)
{
   const uint32_t number = !is_wide ? 0 : texel == RT_TEXEL_WORDS ? c & 1 : c >> 1;
   struct rt_taps one;
   for (uint32_t w = 0; w < 2; w++)
      one.word[w][0] = taps->word[number][tap];
   return rt_texel_channel(texel, info, c, &one, 0);
}

/* Whether a format without borders has the channel; of texels that are words one of 32 bits has R alone. */
RT_SIMD bool has_channel(enum rt_texel texel, const struct rt_format_info *info, uint32_t c, bool is_wide)
{
   return (texel != RT_TEXEL_WORDS || c < (is_wide ? 2 : 1)) && info->channels[c].bits;
}

RT_SIMD rt_vf mix(const rt_vf taps[4], rt_vf x, rt_vf y)
{
   return rt_fast_lerp(rt_fast_lerp(taps[0], taps[1], x), rt_fast_lerp(taps[2], taps[3], x), y);
}

enum what { NEAREST, LINEAR, COMPARE, NUM_WHATS };

RT_SIMD void sample_width(const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, enum what what, bool is_wide,
                          const struct axis axes[2], rt_vf out[4])
{
   const uint32_t num_taps = what == NEAREST ? 1 : 4;
   struct rt_taps taps;
   load(fast, level, axes, num_taps, is_wide, &taps);
   for (uint32_t c = 0; c < 4; c++) {
      rt_vf values[4];
      out[c] = rt_texel_absent(fast->info, c);
      if (what == COMPARE ? c > 0 : !has_channel(texel, fast->info, c, is_wide))
         continue;
      for (uint32_t t = 0; t < num_taps; t++) {
         values[t] = channel(texel, fast->info, c, &taps, t, is_wide);
         if (what == COMPARE)
            values[t] = rt_fast_compare(fast, values[t]);
      }
      out[c] = num_taps > 1 ? mix(values, axes[0].weight, axes[1].weight) : values[0];
   }
}

RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, enum what what, rt_vf out[4])
{
   struct axis axes[2];
   find_axis(&axes[0], fast, 0, level->width, what != NEAREST);
   find_axis(&axes[1], fast, 1, level->height, what != NEAREST);
   if (fast->image->texel_bytes == 8 && what != COMPARE)
      sample_width(fast, level, texel, what, true, axes, out);
   else
      sample_width(fast, level, texel, what, false, axes, out);
}

/* ---- calls ---- */

/* False: the lanes' layers differ. */
RT_SIMD bool find_layer(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const uint32_t last = fast->image->num_layers - 1;
   if (!(call->flags & ABI_TEX_ARRAYED) || last == 0)
      return true;
   const rt_vf layer = rt_vf_clamp(rt_vf_load(call->coords[2] + fast->first, fast->lanes), 0.0f, (float)last) + 0x1p23f;
   const rt_vi number = (rt_vi)layer & 0x7fffff;
   const int32_t first = number[(uint32_t)__builtin_ctz(fast->mask)];
   fast->data = fast->image->data + (uint64_t)first * fast->image->layer_bytes;
   return !rt_vi_any_other(number, first, fast->mask);
}

/* False: nothing is wanted of this vector. */
RT_SIMD bool begin(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const uint32_t count = call->lanes - fast->first;
   fast->lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
   fast->mask = call->mask >> fast->first & fast->lanes;
   if (!fast->mask)
      return false;
   for (uint32_t a = 0; a < 2; a++) {
      fast->coord[a] = rt_vf_load(call->coords[a] + fast->first, fast->lanes);
      fast->offset[a] = fast->has_offset ? (rt_vi)rt_vf_load(call->offset[a] + fast->first, fast->lanes) : (rt_vi){0};
   }
   fast->dref = fast->has_dref ? rt_vf_load(call->dref + fast->first, fast->lanes) : rt_vf_set(0);
   return true;
}

RT_SIMD void init(struct rt_fast *fast, const struct abi_tex_call *call)
{
   fast->image = call->images[0];
   fast->sampler = call->samplers[0];
   fast->info = fast->image->format_info;
   fast->data = fast->image->data;
   fast->num_axes = 2;
   fast->is_dense = true;
   fast->has_edges = false;
   fast->has_offset = call->flags & ABI_TEX_OFFSET;
   fast->has_dref = call->flags & ABI_TEX_DREF;
}

static __attribute__((noinline)) void store_swizzled(const struct rt_fast *fast, const struct abi_tex_call *call, const rt_vf texels[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t swizzle = fast->image->swizzle[c];
      const rt_vf value = swizzle == VK_COMPONENT_SWIZZLE_ZERO  ? rt_vf_set(0)
                          : swizzle == VK_COMPONENT_SWIZZLE_ONE ? rt_texel_absent(fast->info, 3)
                                                                : texels[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
      rt_vf_store(call->result[c] + fast->first, value, fast->mask);
   }
}

RT_SIMD void store(const struct rt_fast *fast, const struct abi_tex_call *call, const rt_vf texels[4])
{
   static const uint8_t identity[4] = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_A};
   if (UTIL_UNLIKELY(fast->mask != RT_SIMD_ALL || memcmp(fast->image->swizzle, identity, sizeof(identity)))) {
      const rt_vf copies[4] = {texels[0], texels[1], texels[2], texels[3]};
      store_swizzled(fast, call, copies);
      return;
   }
   for (uint32_t c = 0; c < 4; c++)
      rt_vf_store(call->result[c] + fast->first, texels[c], RT_SIMD_ALL);
}

/* The level that all lanes are on, or the first of two, and the weight of the second; false: they differ. */
RT_SIMD bool find_levels(const struct rt_fast *fast, const struct abi_tex_call *call, uint32_t *number, bool *mixes, rt_vf *delta)
{
   const bool is_linear = fast->sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR;
   const int32_t last = (int32_t)fast->image->num_levels - 1;
   rt_vf base = rt_vf_set(0), lambda, level;
   if (call->flags & ABI_TEX_LOD) {
      base = rt_vf_load(call->lod + fast->first, fast->lanes);
   } else if (call->quad_size == 4 || call->flags & ABI_TEX_GRAD) {
      struct rt_fast_footprint footprint;
      rt_fast_find_footprint(fast, call, &footprint);
      base = rt_fast_half_log2(rt_vf_max(footprint.rho_x2, footprint.rho_y2));
   }
   rt_fast_limit_lod(fast, call, base, &lambda, &level);
   const rt_vf whole = is_linear ? rt_vf_floor(level) : -rt_vf_floor(-(level + 0.5f)) - 1.0f;
   const rt_vi high = rt_vi_from(whole);
   int32_t first = high[0]; /* mostly the first lane is there: then no memory is needed */
   if (UTIL_UNLIKELY(!(fast->mask & 1)))
      first = high[(uint32_t)__builtin_ctz(fast->mask)];
   *number = (uint32_t)UTIL_CLAMP(first, 0, last);
   *delta = level - whole;
   *mixes = is_linear && first < last && rt_vf_any_positive(*delta, fast->mask);
   return !rt_vi_any_other(high, first, fast->mask);
}

RT_SIMD bool sample(const struct abi_tex_call *call, enum rt_texel texel, enum what what)
{
   struct rt_fast fast;
   init(&fast, call);
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      const struct abi_level *level = fast.image->levels;
      uint32_t number;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      if (!begin(&fast, call))
         continue;
      if (fast.image->num_levels > 1) {
         if (!find_levels(&fast, call, &number, &mixes, &delta))
            return false;
         level += number;
      }
      if (!find_layer(&fast, call))
         return false;
      sample_level(&fast, level, texel, what, out);
      if (mixes) {
         const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
         sample_level(&fast, level + 1, texel, what, lower);
         for (uint32_t c = 0; c < 4; c++)
            if (what == COMPARE ? c == 0 : fast.info->channels[c].bits)
               out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
      }
      store(&fast, call, out);
   }
   return true;
}

/* Four texels of one channel. */
RT_SIMD void gather_channel(const struct rt_fast *fast, enum rt_texel texel, uint32_t c, bool is_wide, rt_vf out[4])
{
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   const struct abi_level *level = fast->image->levels;
   struct axis axes[2];
   struct rt_taps taps;
   find_axis(&axes[0], fast, 0, level->width, true);
   find_axis(&axes[1], fast, 1, level->height, true);
   load(fast, level, axes, 4, is_wide, &taps);
   for (uint32_t t = 0; t < 4; t++) {
      rt_vf value = channel(texel, fast->info, c, &taps, t, is_wide);
      out[order[t]] = fast->has_dref ? rt_fast_compare(fast, value) : value;
   }
}

RT_SIMD bool gather(const struct abi_tex_call *call, enum rt_texel texel)
{
   struct rt_fast fast;
   init(&fast, call);
   const uint32_t component = call->flags & ABI_TEX_COMPONENT ? call->component[__builtin_ctz(call->mask)] & 3 : 0;
   const uint32_t c = fast.image->swizzle[component] - (uint32_t)VK_COMPONENT_SWIZZLE_R;
   if (c > 3 || !fast.info->channels[c].bits || (fast.has_dref && c > 0))
      return false;
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      rt_vf out[4];
      if (!begin(&fast, call))
         continue;
      if (!find_layer(&fast, call))
         return false;
      if (fast.image->texel_bytes < 8)
         gather_channel(&fast, texel, c, false, out);
      else if (c == 0)
         gather_channel(&fast, texel, 0, true, out);
      else if (c == 1)
         gather_channel(&fast, texel, 1, true, out);
      else if (c == 2)
         gather_channel(&fast, texel, 2, true, out);
      else
         gather_channel(&fast, texel, 3, true, out);
      for (uint32_t i = 0; i < 4; i++)
         rt_vf_store(call->result[i] + fast.first, out[i], fast.mask);
   }
   return true;
}

/* ---- one function a format ---- */

typedef bool call_fn(const struct abi_tex_call *call);

#define TEXEL_FN(name, texel, body)                                                                                    \
   static bool name(const struct abi_tex_call *call)                                                                   \
   {                                                                                                                   \
      return body;                                                                                                     \
   }
#define TEXEL_FNS(name, texel)                                                                                         \
   TEXEL_FN(nearest_##name, texel, sample(call, texel, NEAREST))                                                       \
   TEXEL_FN(linear_##name, texel, sample(call, texel, LINEAR))                                                         \
   TEXEL_FN(gather_##name, texel, gather(call, texel))
TEXEL_FNS(words, RT_TEXEL_WORDS)
TEXEL_FNS(unorm, RT_TEXEL_UNORM)
TEXEL_FNS(snorm, RT_TEXEL_SNORM)
TEXEL_FNS(half, RT_TEXEL_HALF)
TEXEL_FNS(ufloat, RT_TEXEL_UFLOAT)
TEXEL_FN(compare_words, RT_TEXEL_WORDS, sample(call, RT_TEXEL_WORDS, COMPARE))
TEXEL_FN(compare_unorm, RT_TEXEL_UNORM, sample(call, RT_TEXEL_UNORM, COMPARE))
TEXEL_FN(compare_unorm24, RT_TEXEL_UNORM24, sample(call, RT_TEXEL_UNORM24, COMPARE))
TEXEL_FN(gather_unorm24, RT_TEXEL_UNORM24, gather(call, RT_TEXEL_UNORM24))

static const struct {
   call_fn *sample[NUM_WHATS], *gather;
} texel_fns[RT_NUM_TEXELS] = {
   [RT_TEXEL_WORDS] = {{nearest_words, linear_words, compare_words}, gather_words},
   [RT_TEXEL_UNORM] = {{nearest_unorm, linear_unorm, compare_unorm}, gather_unorm},
   [RT_TEXEL_SNORM] = {{nearest_snorm, linear_snorm, NULL}, gather_snorm},
   [RT_TEXEL_HALF] = {{nearest_half, linear_half, NULL}, gather_half},
   [RT_TEXEL_UFLOAT] = {{nearest_ufloat, linear_ufloat, NULL}, gather_ufloat},
   [RT_TEXEL_UNORM24] = {{NULL, NULL, compare_unorm24}, gather_unorm24},
};

bool rt_plain_sample(const struct abi_tex_call *call)
{
   const struct abi_image *image = call->images[0];
   const struct abi_sampler *sampler = call->samplers[0];
   const struct rt_format_info *info = image->format_info;
   const enum rt_texel texel = rt_texel_of(image);
   const bool is_linear = sampler->mag_filter == ABI_FILTER_LINEAR, has_dref = call->flags & ABI_TEX_DREF;
   if (sampler->kind == ABI_SAMPLER_SPECIAL || image->num_samples > 1 || image->texel_bytes > (has_dref ? 4 : 8) ||
       (info->num_channels > 1 && info->is_depth && !has_dref))
      return false;
   if (call->op == ABI_TEX_OP_GATHER)
      return texel_fns[texel].gather && !(call->flags & ABI_TEX_GATHER_OFFSETS) && texel_fns[texel].gather(call);
   if (sampler->mag_filter != sampler->min_filter || sampler->max_anisotropy > 1.0f || (info->is_int && is_linear) ||
       (has_dref && !is_linear))
      return false;
   call_fn *const fn = texel_fns[texel].sample[has_dref ? COMPARE : is_linear ? LINEAR : NEAREST];
   return fn && fn(call);
}
