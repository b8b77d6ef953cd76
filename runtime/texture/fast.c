/* SPDX-License-Identifier: MIT
 * Sampling in registers: one image and sampler for all lanes, without reduction or cubic filters. Four channels of 8 bits
 * are mixed with weights of 8 bits (words.h), of 2D images and their arrays and of 3D images, where there is neither
 * border nor comparison; all others like the general code does it (any.c). Whether a call comes here depends on its state
 * only, never on values of lanes or on their number. */
#include "runtime/texture/any.h"
#include "runtime/texture/apart.h"
#include "runtime/texture/bytes_taps.h"
#include "runtime/texture/fast_cube.h"
#include "runtime/texture/fast_lod.h"
#include "runtime/texture/plain.h"

/* ---- one level ---- */

/* One plane of a level, whose texels are at `base`: numbers that rt_words_finish() wants, of sRGB what comes out. */
RT_SIMD void sample_plane(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const struct rt_words_axis axes[2],
                          bool is_linear, const rt_vu *slice, bool is_srgb, rt_vf out[4])
{
   rt_vu words[4];
   if (slice)
      load_texels(fast, level, base, axes, is_linear, slice, words);
   else
      load_plane(fast, level, base, axes, is_linear, words);
   if (is_linear)
      mix_taps(fast, words, (rt_vi[2]){axes[0].weight, axes[1].weight}, is_srgb, out);
   else if (is_srgb)
      rt_srgb_decode(words[0], out);
   else
      rt_words_split(words[0], out);
}

RT_SIMD void find_words_axes(struct rt_words_axis axes[2], const struct rt_fast *fast, const struct abi_level *level, uint32_t x_mode,
                             uint32_t y_mode, bool is_linear)
{
   if (fast->has_offset) {
      rt_words_offset_axis(&axes[0], fast->coord[0], fast->offset[0], level->width, x_mode, is_linear);
      rt_words_offset_axis(&axes[1], fast->coord[1], fast->offset[1], level->height, y_mode, is_linear);
   } else {
      rt_words_axis(&axes[0], fast->coord[0], level->width, x_mode, is_linear);
      rt_words_axis(&axes[1], fast->coord[1], level->height, y_mode, is_linear);
   }
}

/* The same slice for all lanes is as good as an image of its own. */
RT_SIMD bool is_shared(const struct rt_fast *fast, rt_vi number)
{
   return !rt_vi_any_other(number, number[(uint32_t)__builtin_ctz(fast->mask)], fast->mask);
}

RT_SIMD const uint8_t *slice_base(const struct rt_fast *fast, const struct abi_level *level, rt_vi number)
{
   return fast->data + level->offset_bytes + (uint64_t)(uint32_t)number[(uint32_t)__builtin_ctz(fast->mask)] * level->slice_bytes;
}

RT_SIMD void sample_slice(const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[2], rt_vi number,
                          bool is_linear, bool is_srgb, rt_vf out[4])
{
   const rt_vu slice = (rt_vu)number * (uint32_t)(level->slice_bytes / 4);
   sample_plane(fast, level, fast->data + level->offset_bytes, axes, is_linear, &slice, is_srgb, out);
}

/* Linear, of slices that all lanes share: they have the same taps in both. False: lanes are too far apart, or taps of two slices take more
 * registers than there are. */
RT_SIMD bool sample_shared_slices(const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[3], bool is_srgb,
                                  rt_vf front[4], rt_vf behind[4])
{
   const rt_vh left = rt_vh_join(axes[0].at[0], axes[1].at[0] << 16), right = rt_vh_join(axes[0].at[1], axes[1].at[1] << 16);
   struct rt_near near;
   struct rt_near_words words[2];
   if (RT_TEX_LEVEL < 4 || !may_be_near(fast) || !is_shared(fast, axes[2].at[0]) || !is_shared(fast, axes[2].at[1]))
      return false;
   rt_near_find(&near, left, right, fast->mask);
   for (uint32_t k = 0; k < 2; k++)
      if (!rt_near_read_found(&words[k], 4, level, slice_base(fast, level, axes[2].at[k]), 2, 0, &near, fast->mask))
         return false;
   for (uint32_t k = 0; k < 2; k++) {
      const rt_vu taps[4] = {words[k].low[0], words[k].low[1], words[k].low[2], words[k].low[3]};
      mix_taps(fast, taps, (rt_vi[2]){axes[0].weight, axes[1].weight}, is_srgb, k == 0 ? front : behind);
   }
   return true;
}

/* Any address modes; lanes in layers of their own, or in slices. */
RT_SIMD void sample_words(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, bool is_srgb,
                          rt_vf out[4])
{
   const uint8_t *modes = fast->sampler->address_mode;
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_words_axis axes[3];
   find_words_axes(axes, fast, level, modes[0], modes[1], is_linear);
   if (fast->num_axes == 2) {
      if (fast->has_own_layers)
         sample_plane(fast, level, base, axes, is_linear, &fast->layer, is_srgb, out);
      else
         sample_plane(fast, level, base, axes, is_linear, NULL, is_srgb, out);
      return;
   }
   if (fast->has_offset)
      rt_words_offset_axis(&axes[2], fast->coord[2], fast->offset[2], level->depth, modes[2], is_linear);
   else
      rt_words_axis(&axes[2], fast->coord[2], level->depth, modes[2], is_linear);
   if (!is_linear) {
      sample_slice(fast, level, axes, axes[2].at[0], false, is_srgb, out);
      return;
   }
   const rt_vf weight = rt_vf_from(axes[2].weight) * (1.0f / RT_WORDS_FRACTION);
   rt_vf behind[4];
   if (!sample_shared_slices(fast, level, axes, is_srgb, out, behind)) {
      sample_slice(fast, level, axes, axes[2].at[0], true, is_srgb, out);
      sample_slice(fast, level, axes, axes[2].at[1], true, is_srgb, behind);
   }
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_fast_lerp(out[c], behind[c], weight);
}

/* Of a 2D array. */
#define LAYERS_FN(name, is_linear, is_srgb)                                                                            \
   static __attribute__((noinline)) void name(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]) \
   {                                                                                                                   \
      sample_words(fast, level, is_linear, is_srgb, out);                                                              \
   }
LAYERS_FN(nearest_layers, false, false)
LAYERS_FN(linear_layers, true, false)
LAYERS_FN(nearest_layers_srgb, false, true)
LAYERS_FN(linear_layers_srgb, true, true)
typedef void sample_level_fn(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]);
static sample_level_fn *const layers_fns[2][2] = {{nearest_layers, nearest_layers_srgb}, {linear_layers, linear_layers_srgb}}; /* [is_linear][is_srgb] */

/* 2D. Linear, of one layer: both axes at once. */
RT_SIMD void sample_flat(const struct rt_fast *fast, const struct abi_level *level, uint32_t mode, bool is_linear, bool is_srgb,
                         rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_words_axis axes[2];
   if (UTIL_UNLIKELY(fast->has_own_layers)) {
      const struct rt_fast lanes = *fast; /* copies: what is passed stays in memory */
      rt_vf texels[4];
      layers_fns[is_linear][is_srgb](&lanes, level, texels);
      memcpy(out, texels, sizeof(texels));
      return;
   }
   if (!is_linear || !fast->is_dense) {
      find_words_axes(axes, fast, level, mode, mode, is_linear);
      sample_plane(fast, level, base, axes, is_linear, NULL, is_srgb, out);
      return;
   }
   struct rt_words_pairs pairs;
   rt_vu words[4];
   find_pairs(fast, level, mode, &pairs);
   if (!load_near(fast, level, base, pairs.left, pairs.right, words)) {
      rt_words_split_pairs(axes, &pairs);
      load_texels(fast, level, base, axes, true, NULL, words);
   }
   mix_taps(fast, words, pairs.parts, is_srgb, out);
}

/* Clamped to the edge mostly. */
RT_SIMD void sample_srgb(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, rt_vf out[4])
{
   if (fast->sampler->class == ABI_SAMPLER_CLAMP && fast->num_axes == 2 && !fast->has_own_layers)
      sample_flat(fast, level, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, is_linear, true, out);
   else
      sample_words(fast, level, is_linear, true, out);
}

/* Paths to sample that have code of their own: 8-bit texels of 2D images where both axes repeat or are clamped, and those
 * of any type of image; formats. */
enum class { CLASS_REPEAT, CLASS_CLAMP, CLASS_MODES, CLASS_SRGB, CLASS_ANY, NUM_CLASSES };

RT_SIMD bool is_flat(enum class class)
{
   return class <= CLASS_CLAMP;
}

RT_SIMD uint32_t mode_of(enum class class)
{
   return class == CLASS_REPEAT ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

/* `class` and `is_linear` are constants. */
RT_SIMD void sample_level(const struct rt_fast *fast, const struct abi_level *level, enum class class, bool is_linear,
                          rt_vf out[4])
{
   switch (class) {
   case CLASS_REPEAT:
   case CLASS_CLAMP: sample_flat(fast, level, mode_of(class), is_linear, false, out); break;
   case CLASS_MODES: sample_words(fast, level, is_linear, false, out); break;
   case CLASS_SRGB: sample_srgb(fast, level, is_linear, out); break;
   default: rt_any_sample(fast, level, is_linear, out); break;
   }
}

/* Whether sample_level() gives numbers for rt_words_finish(). */
RT_SIMD bool is_unfinished(enum class class)
{
   return class <= CLASS_MODES;
}

#define LEVEL_FN(name, class, is_linear)                                                                               \
   static __attribute__((noinline)) void name(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]) \
   {                                                                                                                   \
      sample_level(fast, level, class, is_linear, out);                                                                \
   }
LEVEL_FN(nearest_repeat, CLASS_REPEAT, false)
LEVEL_FN(linear_repeat, CLASS_REPEAT, true)
LEVEL_FN(nearest_clamp, CLASS_CLAMP, false)
LEVEL_FN(linear_clamp, CLASS_CLAMP, true)
LEVEL_FN(nearest_modes, CLASS_MODES, false)
LEVEL_FN(linear_modes, CLASS_MODES, true)
LEVEL_FN(nearest_srgb, CLASS_SRGB, false)
LEVEL_FN(linear_srgb, CLASS_SRGB, true)
LEVEL_FN(nearest_any, CLASS_ANY, false)
LEVEL_FN(linear_any, CLASS_ANY, true)

static sample_level_fn *const level_fns[NUM_CLASSES][2] = {
   [CLASS_REPEAT] = {nearest_repeat, linear_repeat}, [CLASS_CLAMP] = {nearest_clamp, linear_clamp}, [CLASS_MODES] = {nearest_modes, linear_modes},
   [CLASS_SRGB] = {nearest_srgb, linear_srgb},       [CLASS_ANY] = {nearest_any, linear_any},
};

/* Where calls cost little beside what is done, code is not repeated. */
RT_SIMD void sample_at(const struct rt_fast *fast, const struct abi_level *level, enum class class, bool is_linear,
                       rt_vf out[4])
{
   if (is_flat(class))
      sample_level(fast, level, class, is_linear, out);
   else
      level_fns[class][is_linear](fast, level, out);
}

/* ---- levels ---- */

/* Where the lanes of a vector sample. */
struct selection {
   rt_vf lambda, level; /* level d' */
   const struct rt_fast_spread *spread; /* NULL: one sample a lane */
};

/* `delta` is the weight of the lower level. */
RT_SIMD void mix_levels(const struct rt_fast *fast, enum class class, const rt_vf lower[4], rt_vf delta, rt_vf out[4])
{
   const rt_vi is_between = (rt_vi)(delta > rt_vf_set(0));
   for (uint32_t c = 0; c < 4; c++) {
      if (class != CLASS_ANY)
         out[c] = rt_fast_lerp(out[c], lower[c], delta);
      else if (fast->has_dref || fast->info->channels[c].bits) /* constants are not mixed; texels may be infinite */
         out[c] = rt_vf_select(is_between, rt_fast_lerp(out[c], lower[c], delta), out[c]);
   }
}

/* What the lanes of a group share, and the weights of the second level. */
struct group {
   enum class class;
   sample_level_fn *sample;
   const struct abi_level *level;
   bool mixes; /* with the next level */
   rt_vf delta;
};

static inline void sample_group(const struct rt_fast *fast, const struct group *group, rt_vf out[4])
{
   group->sample(fast, group->level, out);
   if (group->mixes) {
      rt_vf lower[4];
      group->sample(fast, group->level + 1, lower);
      mix_levels(fast, group->class, lower, group->delta, out);
   }
}

/* The average of the samples. Lanes with fewer than others stay out of the last ones. */
static void sample_spread(struct rt_fast *fast, const struct group *group, const struct rt_fast_spread *spread,
                          rt_vf out[4])
{
   const rt_vf center[2] = {fast->coord[0], fast->coord[1]};
   const uint32_t lanes = fast->mask;
   const bool is_exact = group->class == CLASS_ANY; /* the arithmetic of the general code */
   fast->is_dense = false;
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_vf_set(0);
   for (uint32_t k = 0; k < spread->max; k++) {
      const rt_vi is_active = (rt_vi)(spread->count > rt_vf_set((float)k));
      fast->mask = rt_vi_mask(is_active) & lanes;
      if (!fast->mask)
         break;
      const rt_vf at = (is_exact ? (float)(k + 1) / (spread->count + 1.0f) : (float)(k + 1) * spread->step) - 0.5f;
      for (uint32_t a = 0; a < 2; a++)
         fast->coord[a] = center[a] + at * spread->major[a];
      rt_vf texels[4];
      sample_group(fast, group, texels);
      if (is_exact && k == 0)
         memcpy(out, texels, sizeof(texels));
      else if (!is_exact)
         for (uint32_t c = 0; c < 4; c++)
            out[c] += (rt_vf)((rt_vi)texels[c] & is_active);
      else /* a running average, of channels that there are */
         for (uint32_t c = 0; c < 4; c++)
            if (fast->has_dref ? c == 0 : fast->info->channels[c].bits)
               out[c] = rt_vf_select(is_active, rt_fast_lerp(out[c], texels[c], rt_vf_set(1.0f / (float)(k + 1))), out[c]);
   }
   if (!is_exact)
      for (uint32_t c = 0; c < 4; c++)
         out[c] /= spread->count;
   fast->coord[0] = center[0];
   fast->coord[1] = center[1];
   fast->mask = lanes;
}

RT_SIMD bool mixes_levels(const struct rt_fast *fast)
{
   return fast->sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && fast->image->num_levels > 1;
}

/* The number of the level, or of the first of two; what is left is the weight of the second. */
RT_SIMD rt_vf whole_level(const struct rt_fast *fast, rt_vf d)
{
   return mixes_levels(fast) ? rt_vf_floor(d) : -rt_vf_floor(-(d + 0.5f)) - 1.0f;
}

/* Any filters, levels and spreads: lanes in groups of those that share them. */
static __attribute__((noinline)) void sample_groups(const struct rt_fast *lanes, const struct selection *selection,
                                                    enum class class, rt_vf out[4])
{
   struct rt_fast fast = *lanes;
   const struct abi_sampler *sampler = fast.sampler;
   const int32_t last = (int32_t)fast.image->num_levels - 1;
   const bool mixes = mixes_levels(&fast);
   const rt_vf level = whole_level(&fast, selection->level);
   const rt_vi high = rt_vi_clamp(rt_vi_from(level), 0, last);
   const rt_vi filter = rt_vi_select((rt_vi)(selection->lambda > rt_vf_set(0)), rt_vi_set(sampler->min_filter),
                                     rt_vi_set(sampler->mag_filter));
   struct group group = {.class = class, .delta = selection->level - level};
   const uint32_t is_between = rt_vi_mask((rt_vi)(group.delta > rt_vf_set(0)));

   for (uint32_t pending = fast.mask; pending; pending &= ~fast.mask) {
      const uint32_t first = (uint32_t)__builtin_ctz(pending);
      const int32_t h = high[first], f = filter[first];
      fast.mask = rt_vi_mask((high == h) & (filter == f)) & pending;
      group.sample = level_fns[class][f == ABI_FILTER_LINEAR];
      group.level = rt_fast_level_at(fast.image, h);
      group.mixes = mixes && h < last && (is_between & fast.mask);
      rt_vf texels[4];
      if (selection->spread && selection->spread->max > 1)
         sample_spread(&fast, &group, selection->spread, texels);
      else
         sample_group(&fast, &group, texels);
      const rt_vi chosen = rt_vi_from_mask(fast.mask);
      for (uint32_t c = 0; c < 4; c++) {
         const rt_vf value = is_unfinished(class) ? rt_words_finish(texels[c], f == ABI_FILTER_LINEAR) : texels[c];
         out[c] = fast.mask == lanes->mask ? value : rt_vf_select(chosen, value, out[c]);
      }
   }
}

/* Lanes on levels of their own, of 2D images of one layer for all; values that are finished. */
typedef void sample_apart_fn(const struct rt_fast *fast, const struct selection *selection, rt_vf out[4]);

RT_SIMD void sample_apart(const struct rt_fast *fast, const struct selection *selection, uint32_t mode, bool is_srgb, rt_vf out[4])
{
   const rt_vf level = whole_level(fast, selection->level), delta = selection->level - level;
   const uint32_t num_levels = mixes_levels(fast) && rt_vf_any_positive(delta, fast->mask) ? 2 : 1;
   struct rt_lane_level levels[2];
   rt_vf values[2][4];
   rt_lane_levels_find(levels, fast, rt_vi_from(level), 2);
   rt_lane_levels_sample(fast, levels, num_levels, mode, is_srgb, values);
   for (uint32_t c = 0; c < 4; c++) {
      out[c] = num_levels == 2 ? rt_fast_lerp(values[0][c], values[1][c], delta) : values[0][c];
      out[c] = is_srgb ? out[c] : rt_words_finish(out[c], true);
   }
}

#define APART_FN(name, mode, is_srgb)                                                                                               \
   static __attribute__((noinline)) void name(const struct rt_fast *fast, const struct selection *selection, rt_vf out[4])          \
   {                                                                                                                                \
      sample_apart(fast, selection, VK_SAMPLER_ADDRESS_MODE_##mode, is_srgb, out);                                                  \
   }
APART_FN(apart_repeat, REPEAT, false)
APART_FN(apart_clamp, CLAMP_TO_EDGE, false)
APART_FN(apart_repeat_srgb, REPEAT, true)
APART_FN(apart_clamp_srgb, CLAMP_TO_EDGE, true)
static sample_apart_fn *const apart_fns[2][2] = {{apart_repeat, apart_repeat_srgb}, {apart_clamp, apart_clamp_srgb}}; /* [clamps][is_srgb] */

/* Lanes on levels of their own, of cubes. */
static __attribute__((noinline)) void sample_cube_apart(const struct rt_fast *fast, const struct selection *selection, rt_vf out[4])
{
   const rt_vf level = whole_level(fast, selection->level), delta = selection->level - level;
   const uint32_t num_levels = mixes_levels(fast) && rt_vf_any_positive(delta, fast->mask) ? 2 : 1;
   rt_vf values[2][4];
   rt_any_sample_cube_apart(fast, rt_vi_from(level), num_levels, values);
   if (num_levels == 2)
      mix_levels(fast, CLASS_ANY, values[1], delta, values[0]);
   memcpy(out, values[0], sizeof(values[0]));
}

/* Lanes on levels of their own: at once, or level by level. */
static inline void sample_levels(const struct rt_fast *fast, const struct selection *selection, enum class class, bool is_linear, rt_vf out[4])
{
   const uint32_t mode = fast->sampler->class - (uint32_t)ABI_SAMPLER_REPEAT;
   const bool can = RT_TEX_LEVEL >= 3 && is_linear && fast->image->is_tiled && !fast->has_offset;
   if (can && (is_flat(class) || class == CLASS_SRGB) && mode < 2 && fast->num_axes == 2 && !fast->has_own_layers)
      apart_fns[mode][class == CLASS_SRGB](fast, selection, out);
   else if (can && class == CLASS_ANY && fast->is_cube && rt_any_can_sample_cube_apart(fast))
      sample_cube_apart(fast, selection, out);
   else
      sample_groups(fast, selection, class, out);
}

/* The level that all lanes share, or the first of two, and the weight of the second; NULL: they share none. */
RT_SIMD const struct abi_level *find_shared_level(const struct rt_fast *fast, const struct selection *selection, bool *mixes, rt_vf *delta)
{
   const rt_vf level = whole_level(fast, selection->level);
   const rt_vi high = rt_vi_from(level);
   int32_t h = high[0]; /* mostly the first lane is there: then no memory is needed */
   if (UTIL_UNLIKELY(!(fast->mask & 1)))
      h = high[(uint32_t)__builtin_ctz(fast->mask)];
   if (UTIL_UNLIKELY(rt_vi_any_other(high, h, fast->mask)))
      return NULL;
   *delta = selection->level - level;
   *mixes = mixes_levels(fast) && h < (int32_t)fast->image->num_levels - 1 && rt_vf_any_positive(*delta, fast->mask);
   return rt_fast_level_at(fast->image, h);
}

/* One filter for all, one sample a lane: without calls where all lanes are on the same levels. No selection: on the base level. */
RT_SIMD void sample_shared(const struct rt_fast *fast, const struct selection *selection, enum class class, bool is_linear, rt_vf out[4])
{
   const struct abi_level *first = fast->image->levels;
   bool mixes = false;
   rt_vf delta = rt_vf_set(0);
   if (selection)
      first = find_shared_level(fast, selection, &mixes, &delta);
   if (UTIL_UNLIKELY(!first)) {
      const struct rt_fast lanes = *fast; /* copies: what is passed stays in memory */
      const struct selection where = *selection;
      rt_vf texels[4];
      sample_levels(&lanes, &where, class, is_linear, texels);
      memcpy(out, texels, sizeof(texels));
      return;
   }
   if (mixes) {
      rt_vf lower[4];
      if (!is_linear || !is_flat(class) || !sample_two_flat(fast, first, mode_of(class), out, lower)) {
         sample_at(fast, first, class, is_linear, out);
         sample_at(fast, first + 1, class, is_linear, lower);
      }
      mix_levels(fast, class, lower, delta, out);
   } else {
      sample_at(fast, first, class, is_linear, out);
   }
   for (uint32_t c = 0; c < 4; c++)
      out[c] = is_unfinished(class) ? rt_words_finish(out[c], is_linear) : out[c];
}

/* The base level, magnified. */
static __attribute__((noinline)) void sample_base(const struct rt_fast *fast, enum class class, rt_vf out[4])
{
   const bool is_linear = fast->sampler->mag_filter == ABI_FILTER_LINEAR;
   level_fns[class][is_linear](fast, fast->image->levels, out);
   for (uint32_t c = 0; c < 4; c++)
      out[c] = is_unfinished(class) ? rt_words_finish(out[c], is_linear) : out[c];
}

/* ---- calls ---- */

enum detail {
   DETAIL_NONE,   /* one level, one filter */
   DETAIL_SHARED, /* one filter, one sample a lane */
   DETAIL_FULL,
};

/* Of lanes that are not magnified; the spread of anisotropic samples, or NULL. */
RT_SIMD rt_vf find_lod(const struct rt_fast *fast, const struct rt_fast_footprint *footprint, enum detail detail, struct rt_fast_spread *spread,
                       const struct rt_fast_spread **used)
{
   if (detail == DETAIL_SHARED || fast->sampler->max_anisotropy <= 1.0f || fast->num_axes != 2)
      return rt_fast_half_log2(rt_vf_max(footprint->rho_x2, footprint->rho_y2));
   *used = spread;
   return rt_fast_find_spread(fast, footprint, spread);
}

RT_SIMD void sample_details(struct rt_fast *fast, const struct abi_tex_call *call, enum class class, bool is_linear, enum detail detail, rt_vf out[4])
{
   rt_vf base = rt_vf_set(0);
   struct rt_fast_spread spread;
   struct selection selection;
   bool is_magnified = false;
   selection.spread = NULL;
   if (rt_fast_has_derivatives(call)) {
      struct rt_fast_footprint footprint;
      rt_fast_find_footprint(fast, call, &footprint);
      is_magnified = rt_fast_is_magnified(fast, call, &footprint);
      if (!is_magnified)
         base = find_lod(fast, &footprint, detail, &spread, &selection.spread);
   } else if (call->flags & ABI_TEX_LOD) {
      base = rt_vf_load(call->lod + fast->first, fast->lanes);
   }
   if (!is_magnified)
      rt_fast_limit_lod(fast, call, base, &selection.lambda, &selection.level);
   if (detail == DETAIL_SHARED)
      sample_shared(fast, is_magnified ? NULL : &selection, class, is_linear, out);
   else if (is_magnified)
      sample_base(fast, class, out);
   else
      sample_groups(fast, &selection, class, out);
}

/* `unit_log2`: of what layers are counted in. */
RT_SIMD void find_layers(struct rt_fast *fast, const uint32_t *coords, uint32_t unit_log2)
{
   const rt_vi number = rt_fast_layer(fast, coords, fast->image->num_layers);
   const int32_t first = number[(uint32_t)__builtin_ctz(fast->mask)];
   fast->has_own_layers = rt_vi_mask(number != first) & fast->mask;
   fast->data = fast->image->data + (fast->has_own_layers ? 0 : (uint64_t)first * fast->image->layer_bytes);
   fast->layer = (rt_vu)number * (uint32_t)(fast->image->layer_bytes >> unit_log2);
}

static __attribute__((noinline)) void store_swizzled(const struct rt_fast *fast, const struct abi_tex_call *call,
                                                     const uint8_t channels[4], const rt_vf texels[4])
{
   rt_vf values[6];
   memcpy(values, texels, 4 * sizeof(rt_vf));
   values[ABI_CHANNEL_ZERO] = rt_vf_set(0);
   values[ABI_CHANNEL_ONE] = rt_texel_absent(fast->info, 3);
   for (uint32_t c = 0; c < 4; c++)
      rt_vf_store(call->result[c] + fast->first, values[channels[c]], fast->mask);
}

/* `channels` as in struct abi_image. */
RT_SIMD void store(const struct rt_fast *fast, const struct abi_tex_call *call, const uint8_t channels[4],
                   const rt_vf texels[4])
{
   static const uint8_t identity[4] = {0, 1, 2, 3};
   const bool has_masks = RT_TEX_LEVEL >= 4; /* stores of some lanes are as short as of all */
   if (UTIL_UNLIKELY((!has_masks && fast->mask != RT_SIMD_ALL) || memcmp(channels, identity, sizeof(identity)))) {
      rt_vf values[4];
      memcpy(values, texels, sizeof(values));
      store_swizzled(fast, call, channels, values);
      return;
   }
   for (uint32_t c = 0; c < 4; c++)
      rt_vf_store(call->result[c] + fast->first, texels[c], has_masks ? fast->mask : RT_SIMD_ALL);
}

RT_SIMD void load_offsets(struct rt_fast *fast, const struct abi_tex_call *call)
{
   for (uint32_t a = 0; a < fast->num_axes; a++)
      fast->offset[a] = (rt_vi)rt_vf_load(call->offset[a] + fast->first, fast->lanes);
}

/* ---- any format ---- */

static uint32_t num_axes(uint32_t dim)
{
   return dim == ABI_DIM_1D ? 1 : dim == ABI_DIM_3D ? 3 : 2;
}

/* What a call gives beyond coordinates. */
static void load_any(struct rt_fast *fast, const struct abi_tex_call *call, bool wants_edges)
{
   fast->has_edges = false;
   if (fast->has_dref)
      fast->dref = rt_vf_load(call->dref + fast->first, fast->lanes);
   if (fast->has_offset)
      load_offsets(fast, call);
   if (fast->is_cube)
      rt_fast_find_faces(fast, call, wants_edges);
   else if (call->flags & ABI_TEX_ARRAYED && fast->image->num_layers > 1)
      find_layers(fast, call->coords[fast->num_axes], rt_texel_log2(fast->image));
}

static void find_channels(const struct abi_image *image, uint8_t channels[4])
{
   static const uint8_t by_swizzle[] = {
      [VK_COMPONENT_SWIZZLE_ZERO] = ABI_CHANNEL_ZERO, [VK_COMPONENT_SWIZZLE_ONE] = ABI_CHANNEL_ONE,
      [VK_COMPONENT_SWIZZLE_R] = 0, [VK_COMPONENT_SWIZZLE_G] = 1, [VK_COMPONENT_SWIZZLE_B] = 2, [VK_COMPONENT_SWIZZLE_A] = 3,
   };
   for (uint32_t c = 0; c < 4; c++)
      channels[c] = by_swizzle[image->swizzle[c]];
}

/* All lanes. Constants: `class`, `is_linear`, `detail`; is_linear doesn't matter for DETAIL_FULL. */
RT_SIMD void sample(const struct abi_tex_call *call, enum class class, bool is_linear, enum detail detail)
{
   struct rt_fast fast; /* no zeros for vectors that are not used: they would be stored in each call */
   uint8_t channels[4];
   fast.image = call->images[0];
   fast.sampler = call->samplers[0];
   fast.first = 0;
   fast.is_dense = true;
   fast.has_quads = call->quad_size == 4;
   fast.has_one_level = detail == DETAIL_NONE;
   fast.has_own_layers = false;
   fast.info = fast.image->format_info;
   fast.layer = (rt_vu){0};
   fast.data = fast.image->data;
   fast.num_axes = !is_flat(class) && call->dim == ABI_DIM_3D ? 3 : 2;
   fast.is_cube = fast.has_offset = fast.has_dref = fast.has_edges = false;
   memcpy(channels, fast.image->channels, sizeof(channels));
   if (class == CLASS_ANY) {
      fast.texel = rt_texel_of(fast.image);
      fast.num_axes = num_axes(call->dim);
      fast.is_cube = call->dim == ABI_DIM_CUBE;
      fast.has_dref = call->flags & ABI_TEX_DREF;
      find_channels(fast.image, channels);
      for (uint32_t a = 0; a < 3; a++) /* compilers do not see that has_edges guards them */
         fast.dx[a] = fast.dy[a] = rt_vf_set(0);
   }
   fast.has_offset = call->flags & ABI_TEX_OFFSET && !fast.is_cube;
   do {
      if (!rt_fast_take_lanes(&fast, call))
         continue;
      for (uint32_t a = 0; a < (fast.is_cube ? 3 : fast.num_axes); a++)
         fast.coord[a] = rt_vf_load(call->coords[a] + fast.first, fast.lanes);
      if (class == CLASS_ANY) {
         load_any(&fast, call, detail != DETAIL_NONE && rt_fast_has_derivatives(call));
      } else {
         fast.is_cube = fast.has_edges = false; /* compilers do not see that nothing has changed them since */
         if (fast.has_offset)
            load_offsets(&fast, call);
         if (call->flags & ABI_TEX_ARRAYED && fast.image->num_layers > 1)
            find_layers(&fast, call->coords[2], 2);
      }
      rt_vf texels[4];
      if (detail != DETAIL_NONE) {
         sample_details(&fast, call, class, is_linear, detail, texels);
      } else {
         sample_at(&fast, &fast.image->levels[0], class, is_linear, texels);
         for (uint32_t c = 0; c < 4; c++)
            texels[c] = is_unfinished(class) ? rt_words_finish(texels[c], is_linear) : texels[c];
      }
      store(&fast, call, channels, texels);
   } while ((fast.first += RT_SIMD_LANES) < call->lanes);
}

typedef void sample_fn(const struct abi_tex_call *call);

#define SAMPLE_FN(name, class, is_linear, detail)                                                                       \
   static void name(const struct abi_tex_call *call)                                                                   \
   {                                                                                                                   \
      sample(call, class, is_linear, detail);                                                                           \
   }
/* With levels the most common ones have code of their own. */
#define SAMPLE_FNS(name, class)                                                                                        \
   SAMPLE_FN(name##_nearest, class, false, DETAIL_NONE)                                                                \
   SAMPLE_FN(name##_linear, class, true, DETAIL_NONE)                                                                  \
   SAMPLE_FN(name##_levels, class, false, DETAIL_FULL)                                                                 \
   SAMPLE_FN(name##_nearest_levels, class, false, DETAIL_SHARED)                                                       \
   SAMPLE_FN(name##_linear_levels, class, true, DETAIL_SHARED)
SAMPLE_FNS(repeat, CLASS_REPEAT)
SAMPLE_FNS(clamp, CLASS_CLAMP)
SAMPLE_FNS(modes, CLASS_MODES)
SAMPLE_FNS(srgb, CLASS_SRGB)
SAMPLE_FNS(any, CLASS_ANY)

/* By sampler->paths, and nearest texels of one of several levels. */
enum { PATH_NEAREST_LEVELS = ABI_NUM_PATHS, NUM_PATHS };
#define PATHS(name) {name##_nearest, name##_linear, name##_levels, name##_linear_levels, name##_nearest_levels}
static sample_fn *const sample_fns[NUM_CLASSES][NUM_PATHS] = {
   [CLASS_REPEAT] = PATHS(repeat), [CLASS_CLAMP] = PATHS(clamp), [CLASS_MODES] = PATHS(modes), [CLASS_SRGB] = PATHS(srgb), [CLASS_ANY] = PATHS(any),
};

/* Whether nearest texels of one level a lane are all that is asked for: integers are not mixed. */
static bool is_unmixed(const struct abi_image *image, const struct abi_sampler *sampler)
{
   return sampler->mag_filter == ABI_FILTER_NEAREST && sampler->min_filter == ABI_FILTER_NEAREST &&
          sampler->max_anisotropy <= 1.0f &&
          (sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST || image->num_levels == 1);
}

/* What any.c can do. */
static bool is_any(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler)
{
   const struct rt_format_info *info = image->format_info;
   return rt_texel_of(image) && image->num_samples == 1 &&
          sampler->reduction_mode == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE &&
          sampler->mag_filter <= ABI_FILTER_LINEAR && sampler->min_filter <= ABI_FILTER_LINEAR &&
          !(call->dim == ABI_DIM_CUBE && sampler->is_non_seamless) && (!info->is_int || is_unmixed(image, sampler)) &&
          call->dim <= ABI_DIM_CUBE;
}

/* With weights of 8 bits. */
static bool is_words(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler)
{
   return image->sampling >= ABI_SAMPLING_UNORM8 && sampler->class != ABI_SAMPLER_SPECIAL && !(call->flags & ABI_TEX_DREF) &&
          !(call->dim == ABI_DIM_3D && sampler->address_mode[2] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER);
}

/* Components of a gather that is not the same for all lanes are for the general code. */
static void gather(const struct abi_tex_call *call)
{
   struct rt_fast fast;
   fast.image = call->images[0];
   fast.sampler = call->samplers[0];
   fast.info = fast.image->format_info;
   fast.texel = rt_texel_of(fast.image);
   fast.is_dense = true;
   fast.has_own_layers = false;
   fast.data = fast.image->data;
   fast.is_cube = call->dim == ABI_DIM_CUBE;
   fast.num_axes = num_axes(call->dim);
   fast.has_dref = call->flags & ABI_TEX_DREF;
   fast.has_offset = call->flags & ABI_TEX_OFFSET && !fast.is_cube;
   const uint32_t component = call->flags & ABI_TEX_COMPONENT ? call->component[__builtin_ctz(call->mask)] : call->gathered;
   for (fast.first = 0; fast.first < call->lanes; fast.first += RT_SIMD_LANES) {
      rt_vf out[4];
      if (!rt_fast_take_lanes(&fast, call))
         continue;
      for (uint32_t a = 0; a < (fast.is_cube ? 3 : fast.num_axes); a++)
         fast.coord[a] = rt_vf_load(call->coords[a] + fast.first, fast.lanes);
      load_any(&fast, call, false);
      rt_any_gather(&fast, component, call->flags & ABI_TEX_GATHER_OFFSETS ? call->gather_offsets : NULL, out);
      for (uint32_t c = 0; c < 4; c++)
         rt_vf_store(call->result[c] + fast.first, out[c], fast.mask);
   }
}

static bool has_one_component(const struct abi_tex_call *call)
{
   bool is_same = true;
   if (call->flags & ABI_TEX_COMPONENT)
      for (uint32_t pending = call->mask & (uint32_t)((UINT64_C(1) << call->lanes) - 1); pending; pending &= pending - 1)
         is_same &= call->component[__builtin_ctz(pending)] == call->component[__builtin_ctz(call->mask)];
   return is_same;
}

/* What `paths` says, and nearest texels of one of several levels. */
static inline uint32_t find_path(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler)
{
   const uint32_t path = sampler->paths[rt_fast_has_levels(call, image, sampler)];
   return path == ABI_PATH_LEVELS && sampler->paths[0] == ABI_PATH_NEAREST ? PATH_NEAREST_LEVELS : path;
}

static inline sample_fn *find_sample_fn(const struct abi_tex_call *call)
{
   const uint32_t allowed = ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_SIGNED | ABI_TEX_ARRAYED | ABI_TEX_INTEGER |
                            ABI_TEX_OFFSET | ABI_TEX_DREF | ABI_TEX_MIN_LOD | ABI_TEX_COMPONENT | ABI_TEX_GATHER_OFFSETS;
   if (call->op > ABI_TEX_OP_GATHER || call->op == ABI_TEX_OP_FETCH || call->flags & ~allowed)
      return rt_tex_run_general;
   const struct abi_image *image = call->images[0];
   const struct abi_sampler *sampler = call->samplers[0];
   if (!image || !image->data || !sampler || image->dim != call->dim)
      return rt_tex_run_general;
   if (call->op == ABI_TEX_OP_GATHER)
      return !is_any(call, image, sampler) || image->min_lod >= 1.0f || !has_one_component(call) ? rt_tex_run_general
                                                                                                                    : gather;
   const uint32_t path = find_path(call, image, sampler);
   if (image->sampling == ABI_SAMPLING_UNORM8 &&
       (sampler->class == ABI_SAMPLER_REPEAT || sampler->class == ABI_SAMPLER_CLAMP) && call->dim == ABI_DIM_2D &&
       !(call->flags & ABI_TEX_DREF))
      return sample_fns[sampler->class == ABI_SAMPLER_REPEAT ? CLASS_REPEAT : CLASS_CLAMP][path];
   if (is_words(call, image, sampler))
      return sample_fns[image->sampling == ABI_SAMPLING_SRGB8 ? CLASS_SRGB : CLASS_MODES][path];
   if (image->sampling == ABI_SAMPLING_CONVERTED)
      return rt_tex_run_converted;
   if (!is_any(call, image, sampler))
      return rt_tex_run_general;
   return sample_fns[CLASS_ANY][path];
}

/* Formats with code of their own; four channels of 8 bits are sampled by what is here. */
static inline bool is_sampled_plain(const struct abi_tex_call *call, const struct abi_image *image)
{
   const uint32_t coarse = call->flags & ABI_TEX_DREF ? UINT32_MAX : ABI_SAMPLING_UNORM8;
   return image->plain && image->sampling < coarse;
}

/* Those, and gathers of all formats that have it. The lanes that are left. */
static inline uint32_t sample_plain(const struct abi_tex_call *call)
{
   const struct abi_image *image = call->images[0];
   if (!image || !image->plain || image->dim != call->dim)
      return call->mask;
   const bool is_plain = call->op == ABI_TEX_OP_GATHER || (call->op == ABI_TEX_OP_SAMPLE && is_sampled_plain(call, image));
   return is_plain ? rt_plain_sample(call) : call->mask;
}

__attribute__((noinline)) void rt_fast_sample_rest(const struct abi_tex_call *call, uint32_t left)
{
   struct abi_tex_call rest = *call;
   rest.mask = left;
   find_sample_fn(&rest)(&rest);
}

void rt_tex_run_uniform(const struct abi_tex_call *call)
{
   const uint32_t left = sample_plain(call);
   if (!left || (call->op == ABI_TEX_OP_FETCH && rt_tex_fetch_vectors(call)))
      return;
   if (left == call->mask)
      find_sample_fn(call)(call);
   else
      rt_fast_sample_rest(call, left);
}
