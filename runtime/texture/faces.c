/* SPDX-License-Identifier: MIT
 * Cubes whose texels have an enum rt_layout. Lanes that are on the same levels, with all their texels on the face that they are on, are filtered as in 2D
 * images; others, on levels of their own or with texels beyond the edge of a face, all at once, with the same arithmetic.
 * Spec: Image Operations, "Cube Map Face Selection and Transformations", "Cube Map Edge Handling", "Texel Filtering". */
#include "runtime/texture/apart.h"
#include "runtime/texture/cube_edge.h"
#include "runtime/texture/plain_taps.h"
#include "runtime/texture/whole.h"

/* ---- lanes on the same level ---- */

/* False where lanes have texels beyond the edge of their face: nothing is sampled. */
RT_SIMD bool sample_level(const struct rt_fast *fast, const struct abi_level *level, const struct rt_whole_layout *layout, rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_pairs pairs;
   struct rt_near_words words;
   rt_vu index[4];
   if (rt_pairs_find_inner(&pairs, fast, level) != fast->mask)
      return false;
   if (layout->log2 == 3) {
      sample_wide(fast, level, layout->texel, true, &pairs, out);
      return true;
   }
   if (fast->has_own_layers || !rt_near_read(&words, 4, level, base, layout->log2, 0, pairs.left, pairs.right, fast->mask)) {
      find_texels(index, fast, level, &pairs, 4, layout->log2);
      load_words(&words, base, index, layout->log2);
   }
   decode_width(fast, layout->texel, true, false, &words, &pairs, out);
   return true;
}

/* The level, or the first of two, is number `first`. */
RT_SIMD bool sample_together(const struct rt_fast *fast, int32_t first, bool mixes, rt_vf delta, const struct rt_whole_layout *layout, rt_vf out[4])
{
   const struct abi_level *level = rt_fast_level_at(fast->image, first);
   rt_vf lower[4];
   if (!sample_level(fast, level, layout, out) || (mixes && !sample_level(fast, level + 1, layout, lower)))
      return false;
   if (mixes)
      mix_levels(fast, FACE, lower, delta, out);
   return true;
}

/* ---- lanes of their own ---- */

/* The four texels' columns and rows, which may be one beyond the face's edges. */
struct footprint {
   rt_vi at[2][2];
   struct rt_pairs weights;
};

/* The lanes of the mask that have texels beyond an edge. */
RT_SIMD uint32_t find_footprint(struct footprint *footprint, const struct rt_fast *fast, rt_vi size)
{
   rt_vi beyond = rt_vi_set(0);
   rt_vf weight[2];
   for (uint32_t a = 0; a < 2; a++) {
      const rt_vf v = rt_vf_clamp(fast->coord[a] * rt_vf_from(size), -1048576.0f, 1048576.0f) - 0.5f, whole = rt_vf_floor(v);
      const rt_vi first = rt_vi_from(whole);
      weight[a] = v - whole;
      for (int32_t k = 0; k < 2; k++) {
         footprint->at[a][k] = rt_vi_min(rt_vi_max(first + k, rt_vi_set(-1)), size);
         beyond |= (rt_vi)((rt_vu)footprint->at[a][k] >= (rt_vu)size);
      }
   }
   footprint->weights.x_weight = weight[0];
   footprint->weights.y_weight = weight[1];
   return rt_vi_mask(beyond) & fast->mask;
}

/* From the image's data. Lanes outside of the mask may be beyond the edges, too. */
RT_SIMD void find_inner_texels(rt_vu index[4], const struct rt_fast *fast, const struct rt_lane_level *level, const struct footprint *footprint)
{
   rt_vu x[2], y[2];
   for (uint32_t k = 0; k < 2; k++) {
      const rt_vi last = level->width - 1;
      x[k] = rt_lane_level_column(level, rt_vi_min(rt_vi_max(footprint->at[0][k], rt_vi_set(0)), last));
      y[k] = rt_lane_level_row(level, rt_vi_min(rt_vi_max(footprint->at[1][k], rt_vi_set(0)), last)) + fast->layer;
   }
   for (uint32_t t = 0; t < 4; t++)
      index[t] = x[t & 1] + y[t >> 1];
}

/* The same where lanes have texels on other faces. Returns 1 + the texel that lies beyond two edges, or 0. */
RT_SIMD rt_vi find_crossing_texels(rt_vu index[4], const struct rt_fast *fast, const struct rt_lane_level *level, const struct footprint *footprint,
                                   uint32_t log2)
{
   const uint32_t layer_texels = (uint32_t)(fast->image->layer_bytes >> log2);
   rt_vi corners = rt_vi_set(0);
   for (uint32_t t = 0; t < 4; t++) {
      struct rt_cube_texel texel = {{footprint->at[0][t & 1], footprint->at[1][t >> 1]}, fast->layer_number, {0}};
      rt_cube_cross(&texel, level->width, fast->image->num_layers);
      corners = rt_vi_select(texel.is_corner, rt_vi_set((int32_t)(1 + t)), corners);
      index[t] = rt_lane_level_column(level, texel.at[0]) + rt_lane_level_row(level, texel.at[1]) + texel.layer * layer_texels;
   }
   return corners;
}

/* As decode_width(), where a texel that lies beyond two edges is the average of the others. */
RT_SIMD void decode_corners(const struct rt_fast *fast, const struct rt_whole_layout *layout, const struct rt_near_words *words,
                            const struct rt_pairs *weights, rt_vi corners, rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      rt_vf values[4], whole[4];
      out[c] = rt_texel_absent(layout->info, c);
      if (!(fast->channels >> c & 1) || !has_channel(layout->texel, layout->info, c, layout->log2 == 3))
         continue;
      for (uint32_t t = 0; t < 4; t++)
         whole[t] = channel_number(layout->texel, layout->info, c, words, t, layout->log2 == 3);
      for (uint32_t t = 0; t < 4; t++)
         values[t] = rt_vf_select(corners == (int32_t)(1 + t), (whole[t ^ 1] + whole[t ^ 2] + whole[t ^ 3]) * (1.0f / 3.0f), whole[t]);
      out[c] = mix(values, weights->x_weight, weights->y_weight);
      if (layout->texel == RT_TEXEL_UNORM)
         out[c] = out[c] * rt_texel_unorm_scale(&layout->info->channels[c]);
   }
}

RT_SIMD void sample_lane_level(const struct rt_fast *fast, const struct rt_lane_level *level, const struct rt_whole_layout *layout, rt_vf out[4])
{
   struct footprint footprint;
   struct rt_near_words words;
   rt_vi corners = rt_vi_set(0);
   rt_vu index[4];
   if (find_footprint(&footprint, fast, level->width))
      corners = find_crossing_texels(index, fast, level, &footprint, layout->log2);
   else
      find_inner_texels(index, fast, level, &footprint);
   load_words(&words, fast->image->data, index, layout->log2);
   if (UTIL_UNLIKELY(rt_vi_mask(corners != 0) & fast->mask))
      decode_corners(fast, layout, &words, &footprint.weights, corners, out);
   else
      decode_width(fast, layout->texel, true, layout->log2 == 3, &words, &footprint.weights, out);
}

/* `number` of each lane's level, or the first of two. */
RT_SIMD void sample_apart(const struct rt_fast *fast, rt_vi number, bool mixes, rt_vf delta, const struct rt_whole_layout *layout, rt_vf out[4])
{
   struct rt_lane_level levels[2];
   rt_vf lower[4];
   rt_lane_levels_find(levels, fast, number, layout->log2);
   sample_lane_level(fast, &levels[0], layout, out);
   if (!mixes)
      return;
   sample_lane_level(fast, &levels[1], layout, lower);
   mix_levels(fast, FACE, lower, delta, out);
}

/* ---- calls ---- */

RT_SIMD void init(struct rt_fast *fast, const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   rt_whole_init(fast, call, layout);
   fast->is_cube = true;
}

/* Where the lanes are, and whether they mix two levels. */
RT_SIMD rt_vi find(struct rt_fast *fast, const struct abi_tex_call *call, bool has_levels, rt_vf *delta, bool *mixes)
{
   rt_vf whole;
   fast->coord[0] = rt_vf_load(call->coords[0] + fast->first, RT_SIMD_ALL);
   fast->coord[1] = rt_vf_load(call->coords[1] + fast->first, RT_SIMD_ALL);
   find_faces(fast, call, has_levels);
   *mixes = false;
   if (!has_levels || !find_levels(fast, call, &whole, delta))
      return rt_vi_set(0);
   *mixes = mixes_levels(fast, *delta);
   return rt_vi_from(whole);
}

/* The lanes that are in `left`. */
RT_SIMD void sample_left(const struct abi_tex_call *call, uint32_t left, const struct rt_whole_layout *layout)
{
   struct rt_fast fast;
   init(&fast, call, layout);
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      rt_vf out[4], delta = rt_vf_set(0);
      bool mixes;
      fast.mask = left >> fast.first & RT_SIMD_ALL;
      if (!fast.mask)
         continue;
      const rt_vi number = find(&fast, call, has_levels, &delta, &mixes);
      sample_apart(&fast, number, mixes, delta, layout, out);
      rt_whole_store(&fast, call, out);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
}

/* Returns the lanes that sample_left() is for. */
RT_SIMD uint32_t sample(const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   struct rt_fast fast;
   uint32_t left = 0;
   init(&fast, call, layout);
   const int32_t last = (int32_t)fast.image->num_levels - 1;
   const bool has_levels = rt_fast_has_levels(call, fast.image, fast.sampler);
   do {
      rt_vf out[4], delta = rt_vf_set(0);
      bool mixes;
      fast.mask = call->mask >> fast.first & RT_SIMD_ALL;
      if (UTIL_UNLIKELY(!fast.mask))
         continue;
      const rt_vi number = find(&fast, call, has_levels, &delta, &mixes);
      const int32_t first = first_of(&fast, number);
      if (rt_vi_any_other(number, first, fast.mask) ||
          !sample_together(&fast, first < last ? first : last, mixes && first < last, delta, layout, out)) {
         left |= fast.mask << fast.first;
         continue;
      }
      rt_whole_store(&fast, call, out);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
   return left;
}

/* ---- one function a layout ---- */

#define X(name)                                                                                                        \
   static __attribute__((noinline)) void left_##name(const struct abi_tex_call *call, uint32_t left)                   \
   {                                                                                                                   \
      sample_left(call, left, &rt_layout_##name);                                                                      \
   }                                                                                                                   \
   uint32_t rt_faces_##name(const struct abi_tex_call *call)                                                           \
   {                                                                                                                   \
      if (!rt_whole_can(call) || call->samplers[0]->is_non_seamless)                                                   \
         return call->mask;                                                                                            \
      const uint32_t left = sample(call, &rt_layout_##name);                                                           \
      if (UTIL_UNLIKELY(left))                                                                                         \
         left_##name(call, left);                                                                                      \
      return 0;                                                                                                        \
   }
RT_FACE_LAYOUTS(X)
#undef X
