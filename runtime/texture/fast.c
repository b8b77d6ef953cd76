/* SPDX-License-Identifier: MIT
 * The common case of sampling: one 2D image and sampler for all lanes, without offsets, borders, comparison or
 * reduction. The same arithmetic as the general code in filter.c, address.c and lod.c, operation by operation, so the
 * same bits; kept in registers. Whether a call comes here depends on its state only, never on values of lanes. */
#include "runtime/texture/simd.h"

#include "runtime/format/srgb.h"

enum kind { KIND_UNPACKED, KIND_UNORM8, KIND_SRGB8 };

struct fast {
   const struct abi_image *image;
   const struct abi_sampler *sampler;
   const struct rt_format_info *info;
   enum kind kind; /* four channels of 8 bits are unpacked here, others by the format's function */
   uint32_t mask;
   rt_vf coord[2];
};

struct axis {
   rt_vu offset[2]; /* bytes within the slice, of i0 and i1 */
   rt_vf weight;
};

static bool is_simple_mode(uint32_t mode)
{
   return mode == VK_SAMPLER_ADDRESS_MODE_REPEAT || mode == VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
}

/* ---- coordinates ---- */

RT_SIMD void find_offset(rt_vu *out, const struct fast *fast, const struct abi_level *level, uint32_t axis, rt_vi coord)
{
   const uint32_t texel_bytes = fast->image->texel_bytes;
   const rt_vu c = (rt_vu)coord;
   if (!fast->image->is_tiled) {
      *out = c * (axis == 0 ? texel_bytes : level->row_pitch_bytes);
      return;
   }
   const uint32_t shift = axis == 0 ? level->tile_log2_x : level->tile_log2_y, mask = (1u << shift) - 1;
   const uint32_t tile = axis == 0 ? level->tile_bytes : level->tile_row_bytes;
   const uint32_t block = axis == 0 ? 16 * texel_bytes : level->block_row_bytes;
   *out = (c >> shift) * tile + ((c & mask) >> 2) * block +
          ((c & 1) | (c & 2) << 1) * (axis == 0 ? texel_bytes : 2 * texel_bytes);
}

RT_SIMD void find_axis(struct axis *out, const struct fast *fast, const struct abi_level *level, uint32_t axis,
                       bool is_linear)
{
   const int32_t size = (int32_t)(axis == 0 ? level->width : level->height);
   const bool repeats = fast->sampler->address_mode[axis] == VK_SAMPLER_ADDRESS_MODE_REPEAT;
   rt_vf u;
   if (repeats) {
      const rt_vf s = rt_vf_clamp(fast->coord[axis], -8388608.0f, 8388608.0f);
      u = (s - rt_vf_floor(s)) * (float)size;
   } else {
      u = rt_vf_clamp(fast->coord[axis] * (float)size, -1048576.0f, 1048576.0f);
   }
   const rt_vf v = is_linear ? u - 0.5f : u, whole = rt_vf_floor(v);
   rt_vi i[2] = {rt_vi_from(whole), {0}};
   i[1] = i[0] + 1;
   out->weight = v - whole;
   for (uint32_t k = 0; k < (is_linear ? 2 : 1); k++) {
      if (repeats) {
         i[k] += (i[k] < 0) & size;
         i[k] -= (i[k] >= size) & size;
      } else {
         i[k] = rt_vi_clamp(i[k], 0, size - 1);
      }
      find_offset(&out->offset[k], fast, level, axis, i[k]);
   }
}

/* ---- texels ---- */

/* Channels of 8 bits, as rt_unorm_decode() does it. */
RT_SIMD rt_vf decode_unorm8(rt_vu words, uint32_t shift)
{
   const float head = 0x1p-8f, tail = (float)(1.0 / 255 - 1.0 / 256);
   const rt_vf v = rt_vf_from((rt_vi)(words >> shift & 255));
   return v * head + v * tail;
}

RT_SIMD rt_vf decode_srgb8(rt_vu words, uint32_t shift)
{
   return (rt_vf)rt_vu_gather((const uint8_t *)rt_srgb_decode_table, (words >> shift & 255) << 2);
}

RT_SIMD rt_vf decode_channel(const struct fast *fast, rt_vu words, uint32_t c)
{
   const uint32_t shift = fast->info->channels[c].shift;
   return fast->kind == KIND_SRGB8 && c < 3 ? decode_srgb8(words, shift) : decode_unorm8(words, shift);
}

#define GATHER(bytes)                                                                                                  \
   case bytes:                                                                                                         \
      for (uint32_t i = 0; i < RT_SIMD_LANES; i++)                                                                     \
         memcpy(raw + i * bytes, base + at[i], bytes);                                                                 \
      break;

/* Any format, through its own function. */
static void load_unpacked(const struct fast *fast, const uint8_t *base, rt_vu offsets, rt_vf out[4])
{
   uint8_t raw[RT_LANES * 16] __attribute__((aligned(64)));
   uint32_t at[RT_SIMD_LANES];
   rt_texels texels;
   memcpy(at, &offsets, sizeof(at));
   switch (fast->info->texel_bytes) {
      GATHER(1)
      GATHER(2)
      GATHER(3)
      GATHER(4)
      GATHER(6)
      GATHER(8)
      GATHER(12)
      GATHER(16)
   }
   fast->info->unpack_block(raw, texels);
   for (uint32_t c = 0; c < 4; c++)
      memcpy(&out[c], texels[c], sizeof(out[c]));
}

RT_SIMD rt_vf lerp(rt_vf a, rt_vf b, rt_vf weight)
{
   return a + weight * (b - a);
}

RT_SIMD void sample_words(const struct fast *fast, const uint8_t *base, const struct axis axes[2], bool is_linear,
                          rt_vf out[4])
{
   if (!is_linear) {
      const rt_vu words = rt_vu_gather(base, axes[0].offset[0] + axes[1].offset[0]);
      for (uint32_t c = 0; c < 4; c++)
         out[c] = decode_channel(fast, words, c);
      return;
   }
   rt_vu words[4];
   for (uint32_t t = 0; t < 4; t++)
      words[t] = rt_vu_gather(base, axes[0].offset[t & 1] + axes[1].offset[t >> 1]);
   for (uint32_t c = 0; c < 4; c++) {
      const rt_vf upper = lerp(decode_channel(fast, words[0], c), decode_channel(fast, words[1], c), axes[0].weight);
      const rt_vf lower = lerp(decode_channel(fast, words[2], c), decode_channel(fast, words[3], c), axes[0].weight);
      out[c] = lerp(upper, lower, axes[1].weight);
   }
}

/* Constant components stay as they are in general code, which doesn't mix them. */
static void sample_unpacked(const struct fast *fast, const uint8_t *base, const struct axis axes[2], bool is_linear,
                            rt_vf out[4])
{
   load_unpacked(fast, base, axes[0].offset[0] + axes[1].offset[0], out);
   if (!is_linear)
      return;
   rt_vf right[4], left[4], corner[4];
   load_unpacked(fast, base, axes[0].offset[1] + axes[1].offset[0], right);
   load_unpacked(fast, base, axes[0].offset[0] + axes[1].offset[1], left);
   load_unpacked(fast, base, axes[0].offset[1] + axes[1].offset[1], corner);
   for (uint32_t c = 0; c < 4; c++)
      if (fast->info->channels[c].bits)
         out[c] =
            lerp(lerp(out[c], right[c], axes[0].weight), lerp(left[c], corner[c], axes[0].weight), axes[1].weight);
}

static void sample_level(const struct fast *fast, uint32_t level_index, bool is_linear, rt_vf out[4])
{
   const struct abi_level *level = &fast->image->levels[level_index];
   const uint8_t *base = fast->image->data + level->offset_bytes;
   struct axis axes[2];
   if (is_linear) {
      find_axis(&axes[0], fast, level, 0, true);
      find_axis(&axes[1], fast, level, 1, true);
      if (fast->kind == KIND_UNORM8)
         sample_words(fast, base, axes, true, out);
      else if (fast->kind == KIND_SRGB8)
         sample_words(fast, base, axes, true, out);
      else
         sample_unpacked(fast, base, axes, true, out);
   } else {
      find_axis(&axes[0], fast, level, 0, false);
      find_axis(&axes[1], fast, level, 1, false);
      if (fast->kind != KIND_UNPACKED)
         sample_words(fast, base, axes, false, out);
      else
         sample_unpacked(fast, base, axes, false, out);
   }
}

/* ---- level of detail ---- */

/* As log2_of() in lod.c. */
RT_SIMD rt_vf log2_of(rt_vf x)
{
   rt_vi bits = (rt_vi)x;
   const rt_vi exponent = (bits - 0x3f3504f3) >> 23;
   bits -= (rt_vi)((rt_vu)exponent << 23);
   const rt_vf m = (rt_vf)bits, t = (m - 1.0f) / (m + 1.0f), t2 = t * t;
   const rt_vf series = 1.0f + t2 * (0.333333333f + t2 * (0.2f + t2 * (0.142857143f + t2 * 0.111111111f)));
   return rt_vf_from(exponent) + t * series * 2.88539008f;
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

RT_SIMD rt_vf implicit_lod(const struct fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count)
{
   const struct abi_level *level = &fast->image->levels[0];
   const float scales[2] = {(float)level->width, (float)level->height};
   rt_vf rho_x2 = {0}, rho_y2 = {0};
   for (uint32_t a = 0; a < 2; a++) {
      const bool is_given = call->flags & ABI_TEX_GRAD;
      const rt_vf dx =
         (is_given ? rt_vf_load(call->ddx[a] + first, count) : quad_difference(fast->coord[a], 1)) * scales[a];
      const rt_vf dy =
         (is_given ? rt_vf_load(call->ddy[a] + first, count) : quad_difference(fast->coord[a], 2)) * scales[a];
      rho_x2 = a ? rho_x2 + dx * dx : dx * dx;
      rho_y2 = a ? rho_y2 + dy * dy : dy * dy;
   }
   return 0.5f * log2_of(rt_vf_clamp(rt_vf_select((rt_vi)(rho_x2 > rho_y2), rho_x2, rho_y2), 0x1p-126f, 0x1p126f));
}

/* lambda, and the level d'. */
static void find_lod(const struct fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count,
                     rt_vf *lambda, rt_vf *level)
{
   const struct abi_sampler *sampler = fast->sampler;
   const float last = (float)(fast->image->num_levels - 1), view_min = fast->image->min_lod;
   rt_vf base = {0}, bias = rt_vf_set(sampler->lod_bias);
   if (call->flags & ABI_TEX_LOD)
      base = rt_vf_load(call->lod + first, count);
   else if (call->quad_size == 4 || call->flags & ABI_TEX_GRAD)
      base = implicit_lod(fast, call, first, count);
   if (call->flags & ABI_TEX_BIAS)
      bias += rt_vf_load(call->lod + first, count);
   *lambda = rt_vf_clamp(base + rt_vf_clamp(bias, -16.0f, 16.0f), sampler->min_lod, sampler->max_lod);
   *level = rt_vf_clamp(*lambda, 0.0f, last);
   const rt_vf least = rt_vf_set(view_min < last ? view_min : last);
   *level = rt_vf_select((rt_vi)(*level > rt_vf_set(view_min)), *level, least);
}

static void sample_levels(const struct fast *fast, rt_vf lambda, rt_vf d, rt_vf out[4])
{
   const struct abi_sampler *sampler = fast->sampler;
   const int32_t last = (int32_t)fast->image->num_levels - 1;
   const bool mixes = sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && last > 0;
   const rt_vf level = mixes ? rt_vf_floor(d) : -rt_vf_floor(-(d + 0.5f)) - 1.0f, delta = d - level;
   const rt_vi high = rt_vi_clamp(rt_vi_from(level), 0, last);
   const rt_vi filter =
      rt_vi_select((rt_vi)(lambda > rt_vf_set(0)), rt_vi_set(sampler->min_filter), rt_vi_set(sampler->mag_filter));
   const uint32_t is_between = rt_vi_mask((rt_vi)(delta > rt_vf_set(0)));

   for (uint32_t pending = fast->mask, group; pending; pending &= ~group) {
      const uint32_t first = (uint32_t)__builtin_ctz(pending);
      const int32_t h = high[first], f = filter[first];
      group = rt_vi_mask((high == h) & (filter == f)) & pending;
      rt_vf texels[4];
      sample_level(fast, (uint32_t)h, f == VK_FILTER_LINEAR, texels);
      if (mixes && h < last && (is_between & group)) {
         rt_vf lower[4];
         sample_level(fast, (uint32_t)h + 1, f == VK_FILTER_LINEAR, lower);
         for (uint32_t c = 0; c < 4; c++)
            if (fast->info->channels[c].bits)
               texels[c] = lerp(texels[c], lower[c], delta);
      }
      const rt_vi chosen = rt_vi_from_mask(group);
      for (uint32_t c = 0; c < 4; c++)
         out[c] = group == fast->mask ? texels[c] : rt_vf_select(chosen, texels[c], out[c]);
   }
}

static void store(const struct fast *fast, const struct abi_tex_call *call, uint32_t first, uint32_t count,
                  const rt_vf texels[4])
{
   const bool is_whole = count == RT_SIMD_LANES && fast->mask == (uint32_t)((1ull << RT_SIMD_LANES) - 1);
   for (uint32_t c = 0; c < 4; c++) {
      if (!call->result[c])
         continue;
      const uint32_t swizzle = fast->image->swizzle[c];
      const rt_vf value = swizzle == VK_COMPONENT_SWIZZLE_ONE    ? rt_vf_set(1)
                          : swizzle == VK_COMPONENT_SWIZZLE_ZERO ? rt_vf_set(0)
                                                                 : texels[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
      uint32_t *to = call->result[c] + first;
      if (is_whole)
         memcpy(to, &value, sizeof(value));
      else
         for (uint32_t i = 0; i < count; i++)
            if (fast->mask >> i & 1)
               memcpy(to + i, (const char *)&value + 4 * i, 4);
   }
}

/* Whether the general code would take the same steps. */
static bool is_supported(const struct abi_tex_call *call, struct fast *fast)
{
   const uint32_t allowed = ABI_TEX_LOD | ABI_TEX_BIAS | ABI_TEX_GRAD | ABI_TEX_SIGNED;
   if (!call->is_uniform || call->op != ABI_TEX_OP_SAMPLE || call->dim != ABI_DIM_2D || call->flags & ~allowed)
      return false;
   const struct abi_image *image = call->images[0];
   const struct abi_sampler *sampler = call->samplers ? call->samplers[0] : NULL;
   if (!image || !image->data || !sampler || sampler->unnormalized || sampler->reduction_mode ||
       sampler->max_anisotropy > 1.0f ||
       !is_simple_mode(sampler->address_mode[0]) || !is_simple_mode(sampler->address_mode[1]))
      return false;
   const struct rt_format_info *info = image->format_info;
   if (!info->unpack_block || info->is_int)
      return false;
   const struct rt_channel *ch = info->channels;
   const bool is_bytes = info->texel_bytes == 4 && info->num_channels == 4 && ch[0].bits == 8 && ch[3].bits == 8;
   fast->kind = is_bytes && ch[0].numeric == RT_UNORM  ? KIND_UNORM8
                : is_bytes && ch[0].numeric == RT_SRGB ? KIND_SRGB8
                                                       : KIND_UNPACKED;
   fast->image = image;
   fast->sampler = sampler;
   fast->info = info;
   return true;
}

bool rt_tex_sample_fast(const struct abi_tex_call *call)
{
   struct fast fast;
   if (!is_supported(call, &fast))
      return false;
   const bool needs_lod = fast.image->num_levels > 1 || fast.sampler->mag_filter != fast.sampler->min_filter;
   for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
      const uint32_t count = UTIL_MIN(call->lanes - first, (uint32_t)RT_SIMD_LANES);
      fast.mask = call->mask >> first & (uint32_t)((1ull << count) - 1);
      if (!fast.mask)
         continue;
      fast.coord[0] = rt_vf_load(call->coords[0] + first, count);
      fast.coord[1] = rt_vf_load(call->coords[1] + first, count);
      rt_vf texels[4];
      if (needs_lod) {
         rt_vf lambda, level;
         find_lod(&fast, call, first, count, &lambda, &level);
         sample_levels(&fast, lambda, level, texels);
      } else {
         sample_level(&fast, 0, fast.sampler->mag_filter == VK_FILTER_LINEAR, texels);
      }
      store(&fast, call, first, count, texels);
   }
   return true;
}
