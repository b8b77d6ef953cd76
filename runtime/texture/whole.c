/* SPDX-License-Identifier: MIT
 * Spec: Image Operations, "Texel Filtering", "Texel Gathering", "Depth Compare Operation". */
#include "runtime/texture/whole.h"
#include "runtime/texture/plain_taps.h"

/* ---- one level ---- */

RT_SIMD void find_pairs(struct rt_pairs *pairs, const struct rt_fast *fast, const struct abi_level *level)
{
   const uint32_t width = level->width, height = level->height;
   const rt_vh size = (rt_vh)rt_vi_set((int32_t)(width | height << 16));
   if (UTIL_LIKELY(fast->sampler->class == ABI_SAMPLER_CLAMP)) {
      const rt_vi x = rt_pairs_clamped(fast, 0, width, true, &pairs->x_weight);
      const rt_vi y = rt_pairs_clamped(fast, 1, height, true, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_clamp_signed(first, size - 1);
      pairs->right = rt_vh_clamp_signed(first + 1, size - 1);
   } else {
      const rt_vi x = rt_pairs_repeated(fast, 0, width, true, &pairs->x_weight);
      const rt_vi y = rt_pairs_repeated(fast, 1, height, true, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_min(first, size - 1);
      pairs->right = rt_vh_unless_equal(first + 1, size);
   }
}

RT_SIMD void load_taps(struct rt_near_words *words, const struct rt_fast *fast, const struct abi_level *level, const struct rt_pairs *pairs, uint32_t log2,
                       bool compares)
{
   const uint8_t *base = fast->data + level->offset_bytes;
   rt_vu index[4];
   if (rt_near_read(words, 4, level, base, log2, 0, pairs->left, pairs->right, fast->mask))
      return;
   find_texels(index, fast, level, pairs, 4, log2);
   for (uint32_t t = 0; t < 4; t++) {
      struct rt_taps taps;
      if (compares && log2 == 2) {
         words->low[t] = rt_vu_load_words(base, index[t]);
         continue;
      }
      rt_texel_gather(base, index[t], log2, &taps, 0);
      words->low[t] = taps.word[0][0];
      if (log2 == 3)
         words->high[t] = taps.word[1][0];
   }
}

RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, const struct rt_whole_layout *layout, enum what what, rt_vf out[4])
{
   struct rt_pairs pairs;
   struct rt_near_words words;
   find_pairs(&pairs, fast, level);
   if (what != COMPARE && layout->log2 == 3) {
      sample_wide(fast, level, layout->texel, true, &pairs, out);
      return;
   }
   load_taps(&words, fast, level, &pairs, layout->log2, what == COMPARE);
   if (what != COMPARE) {
      decode_width(fast, layout->texel, true, false, &words, &pairs, out);
      return;
   }
   rt_vf values[4];
   for (uint32_t t = 0; t < 4; t++)
      values[t] = channel(layout->texel, layout->info, 0, &words, t, false);
   rt_fast_compare_taps(fast, values, 4);
   out[0] = mix(values, pairs.x_weight, pairs.y_weight);
   for (uint32_t c = 1; c < 4; c++)
      out[c] = rt_texel_absent(layout->info, c);
}

/* ---- calls ---- */

RT_SIMD void init(struct rt_fast *fast, const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   fast->image = call->images[0];
   fast->sampler = call->samplers[0];
   fast->info = layout->info;
   fast->data = fast->image->data;
   fast->num_axes = 2;
   fast->is_dense = true;
   fast->channels = ~call->unread;
   fast->is_cube = fast->has_edges = fast->has_offset = fast->has_own_layers = false;
   fast->lanes = fast->mask = RT_SIMD_ALL;
   fast->first = 0;
}

RT_SIMD void load_coords(struct rt_fast *fast, const struct abi_tex_call *call, bool has_dref)
{
   fast->mask = RT_SIMD_ALL;
   fast->coord[0] = rt_vf_load(call->coords[0] + fast->first, RT_SIMD_ALL);
   fast->coord[1] = rt_vf_load(call->coords[1] + fast->first, RT_SIMD_ALL);
   if (has_dref)
      fast->dref = rt_vf_load(call->dref + fast->first, RT_SIMD_ALL);
}

RT_SIMD uint32_t sample(const struct abi_tex_call *call, const struct rt_whole_layout *layout, enum what what)
{
   struct rt_fast fast;
   uint32_t left = 0;
   if (!rt_whole_can(call, true))
      return call->mask;
   init(&fast, call, layout);
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      const struct abi_level *level = fast.image->levels;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      load_coords(&fast, call, what == COMPARE);
      left |= (uint32_t)RT_SIMD_ALL << fast.first;
      if (has_levels)
         level = take_level(&fast, call, &mixes, &delta);
      if (UTIL_UNLIKELY(fast.mask != RT_SIMD_ALL))
         continue;
      sample_level(&fast, level, layout, what, out);
      if (mixes) {
         sample_level(&fast, level + 1, layout, what, lower);
         const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
         for (uint32_t c = 0; c < 4; c++)
            if (what == COMPARE ? c == 0 : layout->info->channels[c].bits && fast.channels >> c & 1)
               out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
      }
      for (uint32_t c = 0; c < 4; c++)
         rt_vf_store(call->result[c] + fast.first, out[c], RT_SIMD_ALL);
      left &= ~((uint32_t)RT_SIMD_ALL << fast.first);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return left;
}

/* Four texels of one channel, a constant. */
RT_SIMD uint32_t gather_channel(const struct abi_tex_call *call, const struct rt_whole_layout *layout, uint32_t c, bool has_dref)
{
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   struct rt_fast fast;
   if (!rt_whole_can(call, true) || call->images[0]->min_lod >= 1.0f)
      return call->mask;
   init(&fast, call, layout);
   do {
      struct rt_pairs pairs;
      struct rt_near_words words;
      rt_vf values[4];
      load_coords(&fast, call, has_dref);
      find_pairs(&pairs, &fast, fast.image->levels);
      load_taps(&words, &fast, fast.image->levels, &pairs, layout->log2, has_dref);
      for (uint32_t t = 0; t < 4; t++)
         values[t] = channel(layout->texel, layout->info, c, &words, t, layout->log2 == 3);
      if (has_dref)
         rt_fast_compare_taps(&fast, values, 4);
      for (uint32_t t = 0; t < 4; t++)
         rt_vf_store(call->result[order[t]] + fast.first, values[t], RT_SIMD_ALL);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return 0;
}

RT_SIMD uint32_t gather(const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   for (uint32_t c = 0; c < 4; c++)
      if (layout->info->channels[c].bits && c == call->gathered)
         return gather_channel(call, layout, c, false);
   return call->mask;
}

/* ---- one function a layout ---- */

#define X(name, ...)                                                                                                   \
   static uint32_t gather_##name(const struct abi_tex_call *call)                                                      \
   {                                                                                                                   \
      return gather(call, &rt_layout_##name);                                                                             \
   }
RT_LAYOUTS(X)
#undef X

/* Four channels of 8 bits are filtered with weights of 8 bits: by bytes.c. */
#define X_FILTERED(X) X(R8) X(RG8) X(R16) X(RGB10A2) X(RGBA16) X(R16F) X(RG16F) X(RGBA16F) X(R32F) X(RG32F) X(RG11B10F)
#define X_COMPARED(X) X(R16) X(R32F)

#define X(name)                                                                                                        \
   static uint32_t linear_##name(const struct abi_tex_call *call)                                                      \
   {                                                                                                                   \
      return sample(call, &rt_layout_##name, LINEAR);                                                                     \
   }
X_FILTERED(X)
#undef X

#define X(name)                                                                                                        \
   static uint32_t compare_##name(const struct abi_tex_call *call)                                                     \
   {                                                                                                                   \
      return sample(call, &rt_layout_##name, COMPARE);                                                                    \
   }                                                                                                                   \
   static uint32_t gather_compared_##name(const struct abi_tex_call *call)                                             \
   {                                                                                                                   \
      return gather_channel(call, &rt_layout_##name, 0, true);                                                            \
   }
X_COMPARED(X)
#undef X

rt_whole_fn *const rt_whole_fns[ABI_NUM_TEX_CLASSES][RT_NUM_LAYOUTS] = {
   [ABI_TEX_CLASS_SAMPLE] = {
#define X(name) [RT_LAYOUT_##name] = linear_##name,
      X_FILTERED(X)
#undef X
      [RT_LAYOUT_RGBA8] = rt_flat_bytes,
      [RT_LAYOUT_BYTES] = rt_flat_bytes,
      [RT_LAYOUT_RGBA8_SRGB] = rt_flat_bytes,
      [RT_LAYOUT_BGRA8_SRGB] = rt_flat_bytes,
   },
   [ABI_TEX_CLASS_CUBE] = {
#define X(name) [RT_LAYOUT_##name] = rt_faces_##name,
      RT_FACE_LAYOUTS(X)
#undef X
   },
   [ABI_TEX_CLASS_VOLUME] = {[RT_LAYOUT_VOLUME_BYTES] = rt_volume_bytes},
   [ABI_TEX_CLASS_COMPARE] = {
#define X(name) [RT_LAYOUT_##name] = compare_##name,
      X_COMPARED(X)
#undef X
   },
   [ABI_TEX_CLASS_GATHER] = {
#define X(name, ...) [RT_LAYOUT_##name] = gather_##name,
      RT_LAYOUTS(X)
#undef X
   },
   [ABI_TEX_CLASS_GATHER_COMPARE] = {
#define X(name) [RT_LAYOUT_##name] = gather_compared_##name,
      X_COMPARED(X)
#undef X
   },
};
