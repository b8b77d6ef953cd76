/* SPDX-License-Identifier: MIT
 * Spec: Image Operations, "Texel Filtering", "Texel Gathering", "Depth Compare Operation". */
#include "runtime/texture/whole.h"
#include "runtime/texture/apart.h"
#include "runtime/texture/plain_taps.h"

/* ---- one level ---- */

/* Of levels of any sizes. */
RT_SIMD void find_pairs_of(struct rt_pairs *pairs, const struct rt_fast *fast, rt_vi width, rt_vi height)
{
   const rt_vh size = (rt_vh)(width | height << 16);
   if (UTIL_LIKELY(fast->sampler->class == ABI_SAMPLER_CLAMP)) {
      const rt_vi x = rt_pairs_clamped_of(fast->coord[0], width, &pairs->x_weight);
      const rt_vi y = rt_pairs_clamped_of(fast->coord[1], height, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_clamp_signed(first, size - 1);
      pairs->right = rt_vh_clamp_signed(first + 1, size - 1);
   } else {
      const rt_vi x = rt_pairs_repeated_of(fast->coord[0], width, true, &pairs->x_weight);
      const rt_vi y = rt_pairs_repeated_of(fast->coord[1], height, true, &pairs->y_weight);
      const rt_vh first = rt_vh_join(x, y << 16);
      pairs->left = rt_vh_min(first, size - 1);
      pairs->right = rt_vh_unless_equal(first + 1, size);
   }
}

RT_SIMD void find_pairs(struct rt_pairs *pairs, const struct rt_fast *fast, const struct abi_level *level)
{
   find_pairs_of(pairs, fast, rt_vi_set((int32_t)level->width), rt_vi_set((int32_t)level->height));
}

/* Wherever the lanes are. */
RT_SIMD void load_indices(struct rt_near_words *words, const uint8_t *base, const rt_vu index[4], uint32_t log2, bool compares)
{
   if (!compares || log2 != 2) {
      load_words(words, base, index, log2);
      return;
   }
   for (uint32_t t = 0; t < 4; t++)
      words->low[t] = rt_vu_load_words(base, index[t]);
}

RT_SIMD void load_taps(struct rt_near_words *words, const struct rt_fast *fast, const struct abi_level *level, const struct rt_pairs *pairs, uint32_t log2,
                       bool compares)
{
   const uint8_t *base = fast->data + level->offset_bytes;
   rt_vu index[4];
   if (rt_near_read(words, 4, level, base, log2, 0, pairs->left, pairs->right, fast->mask))
      return;
   find_texels(index, fast, level, pairs, 4, log2);
   load_indices(words, base, index, log2, compares);
}

/* What comes of four texels a lane. */
RT_SIMD void finish(const struct rt_fast *fast, const struct rt_near_words *words, const struct rt_pairs *pairs, const struct rt_whole_layout *layout,
                    enum what what, rt_vf out[4])
{
   if (what != COMPARE) {
      decode_width(fast, layout->texel, true, layout->log2 == 3, words, pairs, out);
      return;
   }
   rt_vf values[4];
   for (uint32_t t = 0; t < 4; t++)
      values[t] = channel(layout->texel, layout->info, 0, words, t, false);
   rt_fast_compare_taps(fast, values, 4);
   out[0] = mix(values, pairs->x_weight, pairs->y_weight);
   for (uint32_t c = 1; c < 4; c++)
      out[c] = rt_texel_absent(layout->info, c);
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
   finish(fast, &words, &pairs, layout, what, out);
}

/* ---- lanes on levels of their own ---- */

RT_SIMD void sample_lane_level(const struct rt_fast *fast, const struct rt_lane_level *level, const struct rt_whole_layout *layout, enum what what,
                               rt_vf out[4])
{
   struct rt_pairs pairs;
   struct rt_near_words words;
   rt_vu x[2], y[2], index[4];
   find_pairs_of(&pairs, fast, level->width, level->height);
   x[0] = rt_lane_level_column(level, (rt_vi)pairs.left & 0xffff);
   x[1] = rt_lane_level_column(level, (rt_vi)pairs.right & 0xffff);
   y[0] = rt_lane_level_row(level, (rt_vi)((rt_vu)pairs.left >> 16));
   y[1] = rt_lane_level_row(level, (rt_vi)((rt_vu)pairs.right >> 16));
   for (uint32_t t = 0; t < 4; t++)
      index[t] = x[t & 1] + y[t >> 1];
   if (layout->log2 == 3 && rt_records_can(layout->texel, layout->info)) {
      rt_records_sample(fast->data, index, &pairs, layout->texel, layout->info, out);
      return;
   }
   load_indices(&words, fast->data, index, layout->log2, what == COMPARE);
   finish(fast, &words, &pairs, layout, what, out);
}

/* ---- calls ---- */

/* False: none of the vector's lanes is in `lanes`. */
RT_SIMD bool load_coords(struct rt_fast *fast, const struct abi_tex_call *call, uint32_t lanes, bool has_dref)
{
   fast->mask = lanes >> fast->first & RT_SIMD_ALL;
   if (UTIL_UNLIKELY(!fast->mask))
      return false;
   fast->coord[0] = rt_vf_load(call->coords[0] + fast->first, RT_SIMD_ALL);
   fast->coord[1] = rt_vf_load(call->coords[1] + fast->first, RT_SIMD_ALL);
   if (has_dref)
      fast->dref = rt_vf_load(call->dref + fast->first, RT_SIMD_ALL);
   return true;
}

/* The lanes in `left`, those of a vector on several levels. */
RT_SIMD void sample_left(const struct abi_tex_call *call, uint32_t left, const struct rt_whole_layout *layout, enum what what)
{
   struct rt_fast fast;
   rt_whole_init(&fast, call, layout);
   do {
      struct rt_lane_level levels[2];
      rt_vf out[4], lower[4], whole = rt_vf_set(0), delta = rt_vf_set(0);
      if (!load_coords(&fast, call, left, what == COMPARE))
         continue;
      find_levels(&fast, call, &whole, &delta);
      rt_lane_levels_find(levels, &fast, rt_vi_from(whole), layout->log2);
      sample_lane_level(&fast, &levels[0], layout, what, out);
      if (mixes_levels(&fast, delta)) {
         sample_lane_level(&fast, &levels[1], layout, what, lower);
         mix_levels(&fast, what, lower, delta, out);
      }
      rt_whole_store(&fast, call, out);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
}

/* Returns the lanes that sample_left() is for. */
RT_SIMD uint32_t sample(const struct abi_tex_call *call, const struct rt_whole_layout *layout, enum what what)
{
   struct rt_fast fast;
   uint32_t left = 0;
   rt_whole_init(&fast, call, layout);
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      const struct abi_level *level = fast.image->levels;
      bool mixes = false;
      rt_vf out[4], lower[4], delta = rt_vf_set(0);
      if (!load_coords(&fast, call, call->mask, what == COMPARE))
         continue;
      const uint32_t mask = fast.mask;
      if (has_levels)
         level = take_level(&fast, call, &mixes, &delta);
      if (UTIL_UNLIKELY(fast.mask != mask)) {
         left |= mask << fast.first;
         continue;
      }
      sample_level(&fast, level, layout, what, out);
      if (mixes) {
         sample_level(&fast, level + 1, layout, what, lower);
         mix_levels(&fast, what, lower, delta, out);
      }
      rt_whole_store(&fast, call, out);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return left;
}

/* Four texels of one channel, a constant. */
RT_SIMD void store_channel(const struct rt_fast *fast, const struct rt_near_words *words, const struct rt_whole_layout *layout, uint32_t c, bool has_dref,
                           uint32_t *const results[4])
{
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   rt_vf values[4];
   for (uint32_t t = 0; t < 4; t++)
      values[t] = channel(layout->texel, layout->info, c, words, t, layout->log2 == 3);
   if (has_dref)
      rt_fast_compare_taps(fast, values, 4);
   for (uint32_t t = 0; t < 4; t++)
      rt_vf_store(results[order[t]] + fast->first, values[t], fast->mask);
}

/* Of the channel `c`, a constant; MANY: of those that call->components says. */
enum { MANY = 4 };
RT_SIMD uint32_t gather_channels(const struct abi_tex_call *call, const struct rt_whole_layout *layout, uint32_t c, bool has_dref)
{
   struct rt_fast fast;
   if (!rt_whole_can(call) || call->images[0]->min_lod >= 1.0f)
      return call->mask;
   rt_whole_init(&fast, call, layout);
   do {
      struct rt_pairs pairs;
      struct rt_near_words words;
      if (!load_coords(&fast, call, call->mask, has_dref))
         continue;
      find_pairs(&pairs, &fast, fast.image->levels);
      load_taps(&words, &fast, fast.image->levels, &pairs, layout->log2, has_dref);
      if (c < MANY)
         store_channel(&fast, &words, layout, c, has_dref, call->result);
#pragma GCC unroll 4
      for (uint32_t each = 0; each < 4 && c == MANY; each++)
         if (call->components >> each & 1)
            store_channel(&fast, &words, layout, each, false, call->gathers[each]);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return 0;
}

RT_SIMD uint32_t gather(const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   for (uint32_t c = 0; c < 4; c++)
      if (layout->info->channels[c].bits && c == call->gathered)
         return gather_channels(call, layout, c, false);
   return call->mask;
}

RT_SIMD uint32_t gather_many(const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   for (uint32_t c = 0; c < 4; c++)
      if (!layout->info->channels[c].bits && call->components >> c & 1)
         return call->mask;
   return gather_channels(call, layout, MANY, false);
}

/* ---- one function a layout ---- */

#define X(name, ...)                                                                                                   \
   static uint32_t gather_##name(const struct abi_tex_call *call)                                                      \
   {                                                                                                                   \
      return gather(call, &rt_layout_##name);                                                                          \
   }                                                                                                                   \
   static uint32_t gathers_##name(const struct abi_tex_call *call)                                                     \
   {                                                                                                                   \
      return gather_many(call, &rt_layout_##name);                                                                     \
   }
RT_LAYOUTS(X)
#undef X

/* Lanes on levels of their own are for a function apart: its values would take the registers of the usual one. */
#define SAMPLE_FNS(fn, name, what)                                                                                     \
   static __attribute__((noinline)) void fn##_left(const struct abi_tex_call *call, uint32_t left)                     \
   {                                                                                                                   \
      sample_left(call, left, &rt_layout_##name, what);                                                                \
   }                                                                                                                   \
   static uint32_t fn(const struct abi_tex_call *call)                                                                 \
   {                                                                                                                   \
      if (!rt_whole_can(call))                                                                                         \
         return call->mask;                                                                                            \
      const uint32_t left = sample(call, &rt_layout_##name, what);                                                     \
      if (UTIL_UNLIKELY(left))                                                                                         \
         fn##_left(call, left);                                                                                        \
      return 0;                                                                                                        \
   }

/* Four channels of 8 bits are filtered with weights of 8 bits: by bytes.c. */
#define X_FILTERED(X) X(R8) X(RG8) X(R16) X(RGB10A2) X(RGBA16) X(R16F) X(RG16F) X(RGBA16F) X(R32F) X(RG32F) X(RG11B10F)
#define X_COMPARED(X) X(R16) X(R32F)

#define X(name)                                                                                                        \
   SAMPLE_FNS(linear_##name, name, LINEAR)
X_FILTERED(X)
#undef X

#define X(name)                                                                                                        \
   SAMPLE_FNS(compare_##name, name, COMPARE)                                                                           \
   static uint32_t gather_compared_##name(const struct abi_tex_call *call)                                             \
   {                                                                                                                   \
      return gather_channels(call, &rt_layout_##name, 0, true);                                                        \
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
   [ABI_TEX_CLASS_GATHERS] = {
#define X(name, ...) [RT_LAYOUT_##name] = gathers_##name,
      RT_LAYOUTS(X)
#undef X
   },
   [ABI_TEX_CLASS_GATHER_COMPARE] = {
#define X(name) [RT_LAYOUT_##name] = gather_compared_##name,
      X_COMPARED(X)
#undef X
   },
};
