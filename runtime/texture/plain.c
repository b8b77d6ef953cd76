/* SPDX-License-Identifier: MIT
 * What any.c does, with the same arithmetic, of the plainest images: the numeric format is a constant of each function here.
 * Spec: Image Operations, "Texel Filtering", "Texel Gathering", "Depth Compare Operation". */
#include "runtime/texture/plain.h"
#include "runtime/texture/axis.h"
#include "runtime/texture/plain_taps.h"

/* ---- one level ---- */

/* Nearest or linear. */
RT_SIMD void sample_pairs(const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, bool is_linear, const struct rt_pairs *pairs,
                          rt_vf out[4])
{
   struct rt_near_words words;
   if (texel == RT_TEXEL_WORDS && fast->image->texel_bytes == 16) {
      sample_four(fast, level, is_linear, pairs, out);
   } else if (has_size(texel, 3) && fast->image->texel_bytes == 8) {
      sample_wide(fast, level, texel, is_linear, pairs, out);
   } else {
      load(&words, fast, level, texel, pairs, is_linear ? 4 : 1);
      decode_width(fast, texel, is_linear, false, &words, pairs, out);
   }
}

RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, enum what what, rt_vf out[4])
{
   struct rt_pairs pairs;
   rt_pairs_find(&pairs, fast, level, what != NEAREST);
   if (what == COMPARE) {
      struct rt_near_words words;
      rt_vf values[4];
      load(&words, fast, level, texel, &pairs, 4);
      for (uint32_t t = 0; t < 4; t++)
         values[t] = channel(texel, fast->info, 0, &words, t, false);
      rt_fast_compare_taps(fast, values, 4);
      out[0] = mix(values, pairs.x_weight, pairs.y_weight);
      for (uint32_t c = 1; c < 4; c++)
         out[c] = rt_texel_absent(fast->info, c);
      return;
   }
   sample_pairs(fast, level, texel, what == LINEAR, &pairs, out);
}

/* Within a face of a cube, linear: takes the lanes that have no texels on other faces. False: there are none. */
RT_SIMD bool sample_face(struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, rt_vf out[4])
{
   struct rt_pairs pairs;
   fast->mask = rt_pairs_find_inner(&pairs, fast, level);
   if (UTIL_UNLIKELY(!fast->mask))
      return false;
   sample_pairs(fast, level, texel, true, &pairs, out);
   return true;
}

/* ---- calls ---- */

/* Takes the lanes on the first one's layer. */
RT_SIMD void take_layer(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const uint32_t num_layers = fast->image->num_layers;
   if (!(call->flags & ABI_TEX_ARRAYED) || num_layers == 1)
      return;
   const rt_vi number = rt_fast_layer(fast, call->coords[fast->num_axes], num_layers);
   fast->data = fast->image->data + (uint64_t)(uint32_t)take_first(fast, number) * fast->image->layer_bytes;
}

/* False: nothing is wanted of this vector. */
RT_SIMD bool begin(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const uint32_t count = call->lanes - fast->first;
   fast->lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
   fast->mask = call->mask >> fast->first & fast->lanes;
   if (!fast->mask)
      return false;
   fast->coord[0] = rt_vf_load(call->coords[0] + fast->first, fast->lanes);
   fast->coord[1] = fast->num_axes > 1 ? rt_vf_load(call->coords[1] + fast->first, fast->lanes) : rt_vf_set(0);
   fast->offset[0] = fast->has_offset ? (rt_vi)rt_vf_load(call->offset[0] + fast->first, fast->lanes) : (rt_vi){0};
   fast->offset[1] = fast->has_offset && fast->num_axes > 1 ? (rt_vi)rt_vf_load(call->offset[1] + fast->first, fast->lanes) : (rt_vi){0};
   fast->dref = fast->has_dref ? rt_vf_load(call->dref + fast->first, fast->lanes) : rt_vf_set(0);
   return true;
}

RT_SIMD void init(struct rt_fast *fast, const struct abi_tex_call *call, bool is_cube)
{
   fast->image = call->images[0];
   fast->sampler = call->samplers[0];
   fast->info = fast->image->format_info;
   fast->data = fast->image->data;
   fast->num_axes = 2;
   fast->is_dense = true;
   fast->channels = is_identity(fast->image) ? ~call->unread : UINT32_MAX;
   fast->is_cube = is_cube;
   fast->has_edges = false;
   fast->has_offset = call->flags & ABI_TEX_OFFSET && !is_cube;
   fast->has_dref = call->flags & ABI_TEX_DREF;
}

struct texels {
   rt_vf component[4];
};

static __attribute__((noinline)) void store_swizzled(const struct abi_tex_call *call, uint32_t first, uint32_t mask, const struct texels *texels)
{
   const struct abi_image *image = call->images[0];
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t swizzle = image->swizzle[c];
      const rt_vf value = swizzle == VK_COMPONENT_SWIZZLE_ZERO  ? rt_vf_set(0)
                          : swizzle == VK_COMPONENT_SWIZZLE_ONE ? rt_texel_absent(image->format_info, 3)
                                                                : texels->component[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
      rt_vf_store(call->result[c] + first, value, mask);
   }
}

RT_SIMD void store(const struct rt_fast *fast, const struct abi_tex_call *call, const rt_vf texels[4])
{
   const bool has_masks = RT_TEX_LEVEL >= 4; /* stores of some lanes are as short as of all */
   const uint32_t mask = has_masks ? fast->mask : RT_SIMD_ALL;
   if (UTIL_UNLIKELY((!has_masks && fast->mask != RT_SIMD_ALL) || !is_identity(fast->image))) {
      const struct texels copy = {{texels[0], texels[1], texels[2], texels[3]}};
      store_swizzled(call, fast->first, fast->mask, &copy);
      return;
   }
   rt_vf_store(call->result[0] + fast->first, texels[0], mask);
   rt_vf_store(call->result[1] + fast->first, texels[1], mask);
   rt_vf_store(call->result[2] + fast->first, texels[2], mask);
   rt_vf_store(call->result[3] + fast->first, texels[3], mask);
}

RT_SIMD bool sample_from(struct rt_fast *fast, const struct abi_level *level, enum rt_texel texel, enum what what, rt_vf out[4])
{
   if (what == FACE)
      return sample_face(fast, level, texel, out);
   sample_level(fast, level, texel, what, out);
   return true;
}

/* Samples for the lanes that are where each vector's first one is; the lanes that are left. */
RT_SIMD uint32_t sample(const struct abi_tex_call *call, enum rt_texel texel, enum what what)
{
   struct rt_fast fast;
   uint32_t left = 0;
   init(&fast, call, what == FACE);
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      const struct abi_level *level = fast.image->levels;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      if (!begin(&fast, call))
         continue;
      const uint32_t lanes = fast.mask;
      left |= lanes << fast.first;
      if (what == FACE)
         find_faces(&fast, call, has_levels);
      else
         take_layer(&fast, call);
      if (has_levels)
         level = take_level(&fast, call, &mixes, &delta);
      if (what == FACE && is_scattered(&fast, lanes))
         continue;
      if (!sample_from(&fast, level, texel, what, out))
         continue;
      if (mixes) {
         if (!sample_from(&fast, level + 1, texel, what, lower))
            continue;
         mix_levels(&fast, what, lower, delta, out);
      }
      store(&fast, call, out);
      left &= ~(fast.mask << fast.first);
   }
   return left;
}

/* Of 1D images: one or two texels a lane, anywhere. */
RT_SIMD void sample_line(const struct rt_fast *fast, enum rt_texel texel, bool is_linear, rt_vf out[4])
{
   const struct abi_level *level = fast->image->levels;
   const int32_t size = (int32_t)level->width;
   const uint32_t mode = fast->sampler->address_mode[0], log2 = rt_texel_log2(fast->image);
   const rt_vf u = rt_axis_unnormalize(fast->coord[0], level->width, mode, false), v = is_linear ? u - 0.5f : u, whole = rt_vf_floor(v);
   const rt_vi first = rt_vi_from(whole) + rt_vi_clamp(fast->offset[0], -65536, 65536);
   struct rt_taps taps;
   for (int32_t t = 0; t < (is_linear ? 2 : 1); t++) {
      uint32_t outside;
      const rt_vi at = rt_axis_wrap(first + t, size, mode, fast->has_offset, &outside);
      rt_texel_gather(fast->data + level->offset_bytes, rt_texel_x(fast->image, level, (rt_vu)at), log2, &taps, (uint32_t)t);
   }
#pragma GCC unroll 4
   for (uint32_t c = 0; c < 4; c++) {
      out[c] = rt_texel_absent(fast->info, c);
      if (!(fast->channels >> c & 1) || !fast->info->channels[c].bits)
         continue;
      out[c] = rt_texel_channel(texel, fast->info, c, &taps, 0);
      if (is_linear)
         out[c] = rt_fast_lerp(out[c], rt_texel_channel(texel, fast->info, c, &taps, 1), v - whole);
   }
}

/* As sample(), of one level. */
RT_SIMD uint32_t lines(const struct abi_tex_call *call, enum rt_texel texel)
{
   struct rt_fast fast;
   uint32_t left = 0;
   init(&fast, call, false);
   fast.num_axes = 1;
   if (rt_fast_has_levels(call, fast.image, fast.sampler))
      return call->mask;
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      rt_vf out[4];
      if (!begin(&fast, call))
         continue;
      left |= fast.mask << fast.first;
      take_layer(&fast, call);
      if (fast.sampler->mag_filter == ABI_FILTER_NEAREST)
         sample_line(&fast, texel, false, out);
      else
         sample_line(&fast, texel, true, out);
      store(&fast, call, out);
      left &= ~(fast.mask << fast.first);
   }
   return left;
}

/* Four texels of one channel. */
RT_SIMD void gather_channel(const struct rt_fast *fast, enum rt_texel texel, uint32_t c, rt_vf out[4])
{
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   struct rt_pairs pairs;
   struct rt_near_words words;
   rt_vf values[4];
   rt_pairs_find(&pairs, fast, fast->image->levels, true);
   load(&words, fast, fast->image->levels, texel, &pairs, 4);
   const bool is_high = has_size(texel, 3) && fast->info->channels[c].shift >= 32;
   for (uint32_t t = 0; t < 4; t++)
      values[t] = rt_texel_of_word(texel, fast->info, c, is_high ? words.high[t] : words.low[t]);
   if (fast->has_dref)
      rt_fast_compare_taps(fast, values, 4);
   for (uint32_t t = 0; t < 4; t++)
      out[order[t]] = values[t];
}

RT_SIMD uint32_t gather(const struct abi_tex_call *call, enum rt_texel texel)
{
   struct rt_fast fast;
   uint32_t left = 0;
   init(&fast, call, false);
   const uint32_t component = call->flags & ABI_TEX_COMPONENT ? call->component[__builtin_ctz(call->mask)] & 3 : call->gathered & 3;
   const uint32_t c = fast.image->swizzle[component] - (uint32_t)VK_COMPONENT_SWIZZLE_R;
   if (c > 3 || !fast.info->channels[c].bits || (fast.has_dref && c > 0))
      return call->mask;
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      rt_vf out[4];
      if (!begin(&fast, call))
         continue;
      const uint32_t lanes = fast.mask;
      take_layer(&fast, call);
      gather_channel(&fast, texel, c, out);
      for (uint32_t i = 0; i < 4; i++)
         rt_vf_store(call->result[i] + fast.first, out[i], fast.mask);
      left |= (lanes & ~fast.mask) << fast.first;
   }
   return left;
}

/* ---- one function a format ---- */

/* The lanes that are left. */
typedef uint32_t call_fn(const struct abi_tex_call *call);

#define TEXEL_FN(name, texel, body)                                                                                    \
   static uint32_t name(const struct abi_tex_call *call)                                                               \
   {                                                                                                                   \
      return body;                                                                                                     \
   }
#define TEXEL_FNS(name, texel)                                                                                         \
   TEXEL_FN(nearest_##name, texel, sample(call, texel, NEAREST))                                                       \
   TEXEL_FN(linear_##name, texel, sample(call, texel, LINEAR))                                                         \
   TEXEL_FN(face_##name, texel, sample(call, texel, FACE))                                                             \
   TEXEL_FN(line_##name, texel, lines(call, texel))                                                                    \
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
   [RT_TEXEL_WORDS] = {{nearest_words, linear_words, compare_words, face_words, line_words}, gather_words},
   [RT_TEXEL_UNORM] = {{nearest_unorm, linear_unorm, compare_unorm, face_unorm, line_unorm}, gather_unorm},
   [RT_TEXEL_SNORM] = {{nearest_snorm, linear_snorm, NULL, face_snorm, line_snorm}, gather_snorm},
   [RT_TEXEL_HALF] = {{nearest_half, linear_half, NULL, face_half, line_half}, gather_half},
   [RT_TEXEL_UFLOAT] = {{nearest_ufloat, linear_ufloat, NULL, face_ufloat, line_ufloat}, gather_ufloat},
   [RT_TEXEL_UNORM24] = {{NULL, NULL, compare_unorm24, NULL, NULL}, gather_unorm24},
};

/* Whether the component is the same in all lanes. */
static bool has_one_component(const struct abi_tex_call *call)
{
   if (call->flags & ABI_TEX_COMPONENT)
      for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
         const uint32_t count = call->lanes - first, lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
         const uint32_t component = call->component[__builtin_ctz(call->mask)];
         if (rt_vi_any_other((rt_vi)rt_vf_load(call->component + first, lanes), (int32_t)component, call->mask >> first & lanes))
            return false;
      }
   return true;
}

static call_fn *find_fn(const struct abi_tex_call *call)
{
   const uint32_t allowed = ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_SIGNED | ABI_TEX_ARRAYED | ABI_TEX_INTEGER |
                            ABI_TEX_OFFSET | ABI_TEX_DREF | ABI_TEX_MIN_LOD | ABI_TEX_COMPONENT;
   const struct abi_image *image = call->images[0];
   const struct abi_sampler *sampler = call->samplers[0];
   if (call->flags & ~allowed || !image || !image->data || !sampler || sampler->class == ABI_SAMPLER_SPECIAL || !call->mask)
      return NULL;
   const bool has_dref = call->flags & ABI_TEX_DREF;
   if (call->op == ABI_TEX_OP_GATHER)
      return image->plain & (has_dref ? ABI_PLAIN_COMPARE : ABI_PLAIN_GATHER) && image->min_lod < 1.0f && has_one_component(call)
                ? texel_fns[image->texel].gather
                : NULL;
   const uint32_t path = sampler->paths[0]; /* with levels too: filters are what matters */
   const enum what what = path == ABI_PATH_NEAREST ? NEAREST : has_dref ? COMPARE : LINEAR;
   const uint32_t wanted = path == ABI_PATH_LINEAR ? has_dref ? ABI_PLAIN_COMPARE : ABI_PLAIN_LINEAR : has_dref ? 0 : ABI_PLAIN_NEAREST;
   const bool is_cube = image->dim == ABI_DIM_CUBE;
   const struct rt_format_info *info = image->format_info;
   const bool mixes_integers = info->is_int && sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && image->num_levels > 1;
   if (path > ABI_PATH_LINEAR || !(image->plain & wanted) || (is_cube && sampler->is_non_seamless) || mixes_integers)
      return NULL;
   return texel_fns[image->texel].sample[is_cube ? FACE : image->dim == ABI_DIM_1D ? LINE : what];
}

/* Lanes on several levels or layers: those of each together, for as long as that takes any. */
static __attribute__((noinline)) uint32_t sample_groups(const struct abi_tex_call *call, call_fn *fn, uint32_t left)
{
   struct abi_tex_call rest = *call;
   do {
      rest.mask = left;
      left = fn(&rest);
   } while (left && left != rest.mask);
   return left;
}

uint32_t rt_plain_sample(const struct abi_tex_call *call)
{
   call_fn *const fn = find_fn(call);
   if (!fn)
      return call->mask;
   const uint32_t left = fn(call);
   return UTIL_LIKELY(!left) || call->dim == ABI_DIM_CUBE ? left : sample_groups(call, fn, left);
}
