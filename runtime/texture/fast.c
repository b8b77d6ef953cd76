/* SPDX-License-Identifier: MIT
 * The common cases of sampling, kept in registers: one image and sampler for all lanes, without offsets, borders,
 * comparison or reduction. Four channels of 8 bits are mixed with weights of 8 bits (words.h), of 2D images and their
 * arrays and of 3D images, anisotropic too; others, of 2D images, like the general code does it. Whether a call comes
 * here depends on its state only, never on values of lanes or on their number. */
#include "runtime/texture/fast.h"

#include "runtime/format/srgb.h"

/* ---- one level ---- */

/* Bytes to floats; alpha of sRGB formats is plain. */
RT_SIMD void decode_srgb(rt_vu words, rt_vf out[4])
{
   for (uint32_t c = 0; c < 3; c++)
      out[c] = (rt_vf)rt_vu_gather_words((const uint8_t *)rt_srgb_decode_table, words >> (8 * c) & 255);
   out[3] = rt_words_finish(rt_vf_from((rt_vi)(words >> 24)), false);
}

RT_SIMD void mix_srgb(const rt_vu words[4], const struct rt_words_axis axes[2], rt_vf out[4])
{
   const rt_vf x = rt_vf_from(axes[0].weight) * (1.0f / RT_WORDS_FRACTION);
   const rt_vf y = rt_vf_from(axes[1].weight) * (1.0f / RT_WORDS_FRACTION);
   rt_vf taps[4][4];
   for (uint32_t t = 0; t < 4; t++)
      decode_srgb(words[t], taps[t]);
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_fast_lerp(rt_fast_lerp(taps[0][c], taps[1][c], x), rt_fast_lerp(taps[2][c], taps[3][c], x), y);
}

/* One plane of a level: numbers that rt_words_finish() wants, of sRGB what comes out. */
RT_SIMD void sample_plane(const struct rt_fast *fast, const struct abi_level *level, const struct rt_words_axis axes[2],
                          bool is_linear, const rt_vu *slice, bool is_srgb, rt_vf out[4])
{
   rt_vu words[4];
   rt_words_load(words, fast->image, level, fast->data + level->offset_bytes, axes, fast->mask, is_linear, slice);
   if (is_srgb && is_linear)
      mix_srgb(words, axes, out);
   else if (is_srgb)
      decode_srgb(words[0], out);
   else if (is_linear)
      rt_words_mix(words, axes, out);
   else
      rt_words_split(words[0], out);
}

/* 2D, one layer for all lanes. */
RT_SIMD void sample_flat(const struct rt_fast *fast, const struct abi_level *level, uint32_t mode, bool is_linear,
                         rt_vf out[4])
{
   struct rt_words_axis axes[2];
   rt_words_axis(&axes[0], fast->coord[0], level->width, mode, is_linear);
   rt_words_axis(&axes[1], fast->coord[1], level->height, mode, is_linear);
   sample_plane(fast, level, axes, is_linear, NULL, false, out);
}

RT_SIMD void sample_words(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, bool is_srgb,
                          rt_vf out[4])
{
   const uint8_t *modes = fast->sampler->address_mode;
   struct rt_words_axis axes[3];
   rt_words_axis(&axes[0], fast->coord[0], level->width, modes[0], is_linear);
   rt_words_axis(&axes[1], fast->coord[1], level->height, modes[1], is_linear);
   if (fast->num_axes == 2) {
      if (fast->has_own_layers)
         sample_plane(fast, level, axes, is_linear, &fast->layer, is_srgb, out);
      else
         sample_plane(fast, level, axes, is_linear, NULL, is_srgb, out);
      return;
   }
   rt_words_axis(&axes[2], fast->coord[2], level->depth, modes[2], is_linear);
   const rt_vu slice = (rt_vu)axes[2].at[0] * (uint32_t)(level->slice_bytes / 4);
   sample_plane(fast, level, axes, is_linear, &slice, is_srgb, out);
   if (is_linear) {
      const rt_vu next = (rt_vu)axes[2].at[1] * (uint32_t)(level->slice_bytes / 4);
      const rt_vf weight = rt_vf_from(axes[2].weight) * (1.0f / RT_WORDS_FRACTION);
      rt_vf behind[4];
      sample_plane(fast, level, axes, is_linear, &next, is_srgb, behind);
      for (uint32_t c = 0; c < 4; c++)
         out[c] = rt_fast_lerp(out[c], behind[c], weight);
   }
}

/* Copies for what nearly all samplers are, and for the rest. */
#define SAMPLE_WORDS(name, call)                                                                                       \
   static __attribute__((noinline)) void name(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]) \
   {                                                                                                                   \
      call;                                                                                                            \
   }
SAMPLE_WORDS(nearest_repeat, sample_flat(fast, level, VK_SAMPLER_ADDRESS_MODE_REPEAT, false, out))
SAMPLE_WORDS(linear_repeat, sample_flat(fast, level, VK_SAMPLER_ADDRESS_MODE_REPEAT, true, out))
SAMPLE_WORDS(nearest_clamp, sample_flat(fast, level, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, false, out))
SAMPLE_WORDS(linear_clamp, sample_flat(fast, level, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, true, out))
SAMPLE_WORDS(nearest_other_modes, sample_words(fast, level, false, false, out))
SAMPLE_WORDS(linear_other_modes, sample_words(fast, level, true, false, out))
SAMPLE_WORDS(nearest_srgb, sample_words(fast, level, false, true, out))
SAMPLE_WORDS(linear_srgb, sample_words(fast, level, true, true, out))

static void sample_any(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   struct rt_fast_axis axes[2];
   if (is_linear) {
      rt_fast_find_axis(&axes[0], fast, level, 0, true);
      rt_fast_find_axis(&axes[1], fast, level, 1, true);
      rt_fast_sample_any(fast, base, axes, true, out);
   } else {
      rt_fast_find_axis(&axes[0], fast, level, 0, false);
      rt_fast_find_axis(&axes[1], fast, level, 1, false);
      rt_fast_sample_any(fast, base, axes, false, out);
   }
}

static void nearest_other(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4])
{
   sample_any(fast, level, false, out);
}

static void linear_other(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4])
{
   sample_any(fast, level, true, out);
}

typedef void sample_level_fn(const struct rt_fast *fast, const struct abi_level *level, rt_vf out[4]);

static sample_level_fn *sampling_of(const struct rt_fast *fast, bool is_linear)
{
   static sample_level_fn *const repeats[2] = {nearest_repeat, linear_repeat};
   static sample_level_fn *const clamps[2] = {nearest_clamp, linear_clamp};
   static sample_level_fn *const srgb[2] = {nearest_srgb, linear_srgb}, *const other[2] = {nearest_other, linear_other};
   static sample_level_fn *const modes[2] = {nearest_other_modes, linear_other_modes};
   const uint32_t u = fast->sampler->address_mode[0], v = fast->sampler->address_mode[1];
   if (fast->image->sampling != ABI_SAMPLING_UNORM8)
      return (fast->image->sampling == ABI_SAMPLING_SRGB8 ? srgb : other)[is_linear];
   if (u != v || fast->has_own_layers || fast->num_axes != 2)
      return modes[is_linear];
   return (u == VK_SAMPLER_ADDRESS_MODE_REPEAT          ? repeats
           : u == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE ? clamps
                                                        : modes)[is_linear];
}

/* ---- level of detail ---- */

/* As log2_of() in lod.c. */
RT_SIMD rt_vf log2_of(rt_vf value)
{
   rt_vi bits = (rt_vi)value;
   const rt_vi exponent = (bits - 0x3f3504f3) >> 23;
   bits -= (rt_vi)((rt_vu)exponent << 23);
   const rt_vf x = (rt_vf)bits - 1.0f, x2 = x * x;
   const rt_vf high = (0.479925573f + x * -0.366925771f) + x2 * (0.316898187f + x * -0.202289264f);
   return rt_vf_from(exponent) + x * ((1.44270044f + x * -0.721195752f) + x2 * high);
}

/* Differences within quads, the same in all four lanes. */
RT_SIMD rt_vf quad_difference(rt_vf v, uint32_t lane)
{
   rt_vi from, to;
   for (int32_t i = 0; i < RT_SIMD_LANES; i++) {
      from[i] = i & ~3;
      to[i] = (i & ~3) + (int32_t)lane;
   }
#ifdef __clang__
   rt_vf a, b;
   for (int32_t i = 0; i < RT_SIMD_LANES; i++) {
      a[i] = v[i & ~3];
      b[i] = v[(i & ~3) + (int32_t)lane];
   }
   return b - a;
#else
   return __builtin_shuffle(v, to) - __builtin_shuffle(v, from);
#endif
}

/* Squares of the footprint's edges in texels of the base level, and the edges as vectors in coordinates. */
struct footprint {
   rt_vf dx[3], dy[3], rho_x2, rho_y2;
};

RT_SIMD void find_footprint(const struct rt_fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count,
                            struct footprint *f)
{
   const struct abi_level *level = &fast->image->levels[0];
   const float scales[3] = {(float)level->width, (float)level->height, (float)level->depth};
   const bool is_given = call->flags & ABI_TEX_GRAD;
   f->rho_x2 = f->rho_y2 = rt_vf_set(0);
   for (uint32_t a = 0; a < fast->num_axes; a++) {
      f->dx[a] = is_given ? rt_vf_load(call->ddx[a] + first, count) : quad_difference(fast->coord[a], 1);
      f->dy[a] = is_given ? rt_vf_load(call->ddy[a] + first, count) : quad_difference(fast->coord[a], 2);
      const rt_vf dx = f->dx[a] * scales[a], dy = f->dy[a] * scales[a];
      f->rho_x2 += dx * dx;
      f->rho_y2 += dy * dy;
   }
}

RT_SIMD rt_vf implicit_lod(const struct footprint *f)
{
   return 0.5f * log2_of(rt_vf_clamp(rt_vf_select((rt_vi)(f->rho_x2 > f->rho_y2), f->rho_x2, f->rho_y2), 0x1p-126f,
                                     0x1p126f));
}

/* Samples along the longer edge of a footprint, as spread_samples() in lod.c chooses them. */
struct spread {
   rt_vf count, step, major[2];
   uint32_t most; /* of the mask's lanes */
};

RT_SIMD rt_vf find_spread(const struct rt_fast *fast, const struct footprint *f, struct spread *spread)
{
   const rt_vi is_x = (rt_vi)(f->rho_x2 > f->rho_y2);
   const rt_vf major2 = rt_vf_clamp(rt_vf_select(is_x, f->rho_x2, f->rho_y2), 0x1p-126f, 0x1p126f);
   const rt_vf minor2 = rt_vf_clamp(rt_vf_select(is_x, f->rho_y2, f->rho_x2), 0x1p-126f, 0x1p126f);
   const rt_vf eta = rt_vf_clamp(rt_vf_min(rt_vf_sqrt(major2 / minor2), rt_vf_sqrt(major2)), 1.0f,
                                 fast->sampler->max_anisotropy);
   spread->count = -rt_vf_floor(-eta);
   spread->step = 1.0f / (spread->count + 1.0f);
   /* One sample is at the centre, whatever the footprint is: also where others have more. */
   const rt_vi is_long = (rt_vi)(spread->count > rt_vf_set(1));
   for (uint32_t a = 0; a < 2; a++)
      spread->major[a] = (rt_vf)((rt_vi)rt_vf_select(is_x, f->dx[a], f->dy[a]) & is_long);
   spread->most = 1;
   while (rt_vi_mask((rt_vi)(spread->count > rt_vf_set((float)spread->most))) & fast->mask)
      spread->most++;
   return 0.5f * log2_of(rt_vf_clamp(major2 / (eta * eta), 0x1p-126f, 0x1p126f));
}

/* lambda, and the level d' of a level of detail before bias and limits. */
RT_SIMD void limit_lod(const struct rt_fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count,
                       rt_vf base, rt_vf *lambda, rt_vf *level)
{
   const struct abi_sampler *sampler = fast->sampler;
   const float last = (float)(fast->image->num_levels - 1), view_min = fast->image->min_lod;
   rt_vf bias = rt_vf_set(sampler->lod_bias);
   if (call->flags & ABI_TEX_BIAS)
      bias += rt_vf_load(call->lod + first, count);
   *lambda = rt_vf_clamp(base + rt_vf_clamp(bias, -16.0f, 16.0f), sampler->min_lod, sampler->max_lod);
   *level = rt_vf_clamp(*lambda, 0.0f, last);
   const rt_vf least = rt_vf_set(view_min < last ? view_min : last);
   *level = rt_vf_select((rt_vi)(*level > rt_vf_set(view_min)), *level, least);
}

/* ---- levels ---- */

/* What the lanes of a group share, and the weights of the second level. */
struct levels {
   sample_level_fn *sample;
   const struct abi_level *level;
   bool mixes; /* with the next level */
   rt_vf delta;
};

/* Found by counting, not by arithmetic: processors guess how far and read texels while the level of detail is still
 * being computed. */
RT_SIMD const struct abi_level *level_at(const struct abi_image *image, int32_t number)
{
   const struct abi_level *level = image->levels;
   for (; number > 0; number--) {
      level++;
      __asm__("" : "+r"(level)); /* keeps the compiler from computing it */
   }
   return level;
}

RT_SIMD void sample_group(const struct rt_fast *fast, const struct levels *levels, rt_vf out[4])
{
   levels->sample(fast, levels->level, out);
   if (levels->mixes) {
      rt_vf lower[4];
      levels->sample(fast, levels->level + 1, lower);
      for (uint32_t c = 0; c < 4; c++)
         if (fast->info->channels[c].bits) /* constants are not mixed */
            out[c] = rt_fast_lerp(out[c], lower[c], levels->delta);
   }
}

/* The average of the samples. Lanes with fewer than others stay out of the last ones. */
static void sample_spread(struct rt_fast *fast, const struct levels *levels, const struct spread *spread, rt_vf out[4])
{
   const rt_vf center[2] = {fast->coord[0], fast->coord[1]};
   const uint32_t group = fast->mask;
   for (uint32_t c = 0; c < 4; c++)
      out[c] = rt_vf_set(0);
   for (uint32_t k = 0; k < spread->most; k++) {
      const rt_vi is_active = (rt_vi)(spread->count > rt_vf_set((float)k));
      fast->mask = rt_vi_mask(is_active) & group;
      if (!fast->mask)
         break;
      const rt_vf at = (float)(k + 1) * spread->step - 0.5f;
      for (uint32_t a = 0; a < 2; a++)
         fast->coord[a] = center[a] + at * spread->major[a];
      rt_vf texels[4];
      sample_group(fast, levels, texels);
      for (uint32_t c = 0; c < 4; c++)
         out[c] += (rt_vf)((rt_vi)texels[c] & is_active);
   }
   for (uint32_t c = 0; c < 4; c++)
      out[c] /= spread->count;
   fast->coord[0] = center[0];
   fast->coord[1] = center[1];
   fast->mask = group;
}

/* `spread` may be NULL. */
RT_SIMD void sample_levels(struct rt_fast *fast, rt_vf lambda, rt_vf d, const struct spread *spread, rt_vf out[4])
{
   const struct abi_sampler *sampler = fast->sampler;
   const int32_t last = (int32_t)fast->image->num_levels - 1;
   const bool mixes = sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && last > 0;
   const bool is_unorm = fast->image->sampling == ABI_SAMPLING_UNORM8;
   const rt_vf level = mixes ? rt_vf_floor(d) : -rt_vf_floor(-(d + 0.5f)) - 1.0f;
   const rt_vi high = rt_vi_clamp(rt_vi_from(level), 0, last);
   const rt_vi filter =
      rt_vi_select((rt_vi)(lambda > rt_vf_set(0)), rt_vi_set(sampler->min_filter), rt_vi_set(sampler->mag_filter));
   struct levels levels = {.delta = d - level};
   const uint32_t is_between = rt_vi_mask((rt_vi)(levels.delta > rt_vf_set(0))), mask = fast->mask;

   for (uint32_t pending = mask; pending; pending &= ~fast->mask) {
      const uint32_t first = (uint32_t)__builtin_ctz(pending);
      const int32_t h = high[first], f = filter[first];
      fast->mask = rt_vi_mask((high == h) & (filter == f)) & pending;
      levels.sample = sampling_of(fast, f == ABI_FILTER_LINEAR);
      levels.level = level_at(fast->image, h);
      levels.mixes = mixes && h < last && (is_between & fast->mask);
      rt_vf texels[4];
      if (spread && spread->most > 1)
         sample_spread(fast, &levels, spread, texels);
      else
         sample_group(fast, &levels, texels);
      const rt_vi chosen = rt_vi_from_mask(fast->mask);
      for (uint32_t c = 0; c < 4; c++) {
         const rt_vf value = is_unorm ? rt_words_finish(texels[c], f == ABI_FILTER_LINEAR) : texels[c];
         out[c] = fast->mask == mask ? value : rt_vf_select(chosen, value, out[c]);
      }
   }
   fast->mask = mask;
}

static __attribute__((noinline)) void sample_lods(struct rt_fast *fast, const struct abi_tex_call *call,
                                                  uint32_t first, uint32_t count, rt_vf out[4])
{
   rt_vf base = {0}, lambda, level;
   struct footprint footprint;
   struct spread spread;
   const bool is_implicit = !(call->flags & ABI_TEX_LOD) && (call->quad_size == 4 || call->flags & ABI_TEX_GRAD);
   const bool is_anisotropic = is_implicit && fast->sampler->max_anisotropy > 1.0f && fast->num_axes == 2;
   if (is_implicit) {
      find_footprint(fast, call, first, count, &footprint);
      base = is_anisotropic ? find_spread(fast, &footprint, &spread) : implicit_lod(&footprint);
   } else if (call->flags & ABI_TEX_LOD) {
      base = rt_vf_load(call->lod + first, count);
   }
   limit_lod(fast, call, first, count, base, &lambda, &level);
   sample_levels(fast, lambda, level, is_anisotropic ? &spread : NULL, out);
}

/* ---- calls ---- */

RT_SIMD void store(const struct rt_fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count,
                   const rt_vf texels[6])
{
   const bool is_whole = fast->mask == (uint32_t)((1ull << RT_SIMD_LANES) - 1);
   for (uint32_t c = 0; c < 4; c++) {
      uint32_t *to = call->result[c];
      if (!to)
         continue;
      const rt_vf value = texels[fast->image->places[c]];
      to += first;
      if (UTIL_LIKELY(is_whole))
         memcpy(to, &value, sizeof(value));
      else
         for (uint32_t i = 0; i < count; i++)
            if (fast->mask >> i & 1)
               memcpy(to + i, (const char *)&value + 4 * i, 4);
   }
}

/* No borders, no comparison, no reduction, filters of up to two texels an axis. */
static inline bool is_simple_sampler(const struct abi_sampler *sampler, uint32_t num_axes)
{
   bool is_special = sampler->unnormalized | sampler->reduction_mode | (sampler->mag_filter > ABI_FILTER_LINEAR) |
                     (sampler->min_filter > ABI_FILTER_LINEAR);
   for (uint32_t a = 0; a < num_axes; a++)
      is_special |= sampler->address_mode[a] == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
   return !is_special;
}

static bool is_plain_mode(uint32_t mode)
{
   return mode == VK_SAMPLER_ADDRESS_MODE_REPEAT || mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

/* What formats without code of their own can do here. */
static bool is_plain(const struct abi_tex_call *call, const struct abi_sampler *sampler)
{
   return call->dim == ABI_DIM_2D && !(call->flags & ABI_TEX_ARRAYED) && sampler->max_anisotropy <= 1.0f &&
          is_plain_mode(sampler->address_mode[0]) && is_plain_mode(sampler->address_mode[1]);
}

static inline bool is_supported(const struct abi_tex_call *call, struct rt_fast *fast)
{
   const uint32_t allowed = ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_SIGNED | ABI_TEX_ARRAYED;
   if (call->op != ABI_TEX_OP_SAMPLE || call->flags & ~allowed || !call->samplers)
      return false;
   const struct abi_image *image = call->images[0];
   const struct abi_sampler *sampler = call->samplers[0];
   if (!image || !image->data || !sampler || image->sampling == ABI_SAMPLING_GENERAL || image->dim != call->dim)
      return false;
   fast->num_axes = call->dim == ABI_DIM_3D ? 3 : 2;
   if (!is_simple_sampler(sampler, fast->num_axes) ||
       (image->sampling == ABI_SAMPLING_ANY && !is_plain(call, sampler)))
      return false;
   fast->image = image;
   fast->sampler = sampler;
   fast->info = image->format_info;
   fast->data = image->data;
   fast->has_own_layers = false;
   return true;
}

/* Layers of arrays are rounded to the nearest, even ones where two are as near. */
static void find_layers(struct rt_fast *fast, const uint32_t *coord, uint32_t count)
{
   const rt_vf layer = rt_vf_clamp(rt_vf_load(coord, count), 0.0f, (float)(fast->image->num_layers - 1)) + 0x1p23f;
   const rt_vi number = (rt_vi)layer & 0x7fffff;
   const int32_t first = number[(uint32_t)__builtin_ctz(fast->mask)];
   fast->has_own_layers = rt_vi_mask(number != first) & fast->mask;
   fast->data = fast->image->data + (fast->has_own_layers ? 0 : (uint64_t)first * fast->image->layer_bytes);
   fast->layer = (rt_vu)number * (uint32_t)(fast->image->layer_bytes / 4);
}

bool rt_tex_sample_fast(const struct abi_tex_call *call)
{
   struct rt_fast fast;
   if (!is_supported(call, &fast))
      return false;
   const struct abi_sampler *sampler = fast.sampler;
   const bool has_layers = call->flags & ABI_TEX_ARRAYED && fast.image->num_layers > 1;
   const bool needs_lod = fast.image->num_levels > 1 || sampler->mag_filter != sampler->min_filter ||
                          (sampler->max_anisotropy > 1.0f && fast.num_axes == 2);
   const bool is_linear = sampler->mag_filter == ABI_FILTER_LINEAR;
   for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
      const uint32_t count = UTIL_MIN(call->lanes - first, (uint32_t)RT_SIMD_LANES);
      fast.mask = call->mask >> first & (uint32_t)((1ull << count) - 1);
      if (!fast.mask)
         continue;
      fast.coord[0] = rt_vf_load(call->coords[0] + first, count);
      fast.coord[1] = rt_vf_load(call->coords[1] + first, count);
      if (fast.num_axes == 3)
         fast.coord[2] = rt_vf_load(call->coords[2] + first, count);
      if (has_layers)
         find_layers(&fast, call->coords[2] + first, count);
      rt_vf texels[6];
      if (needs_lod) {
         sample_lods(&fast, call, first, count, texels);
      } else {
         sampling_of(&fast, is_linear)(&fast, &fast.image->levels[0], texels);
         if (fast.image->sampling == ABI_SAMPLING_UNORM8)
            for (uint32_t c = 0; c < 4; c++)
               texels[c] = rt_words_finish(texels[c], is_linear);
      }
      texels[ABI_PLACE_ZERO] = rt_vf_set(0);
      texels[ABI_PLACE_ONE] = rt_vf_set(1);
      store(&fast, call, first, count, texels);
   }
   return true;
}
