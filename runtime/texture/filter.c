/* SPDX-License-Identifier: MIT
 * Sampling at given levels of detail: texel filtering within and between levels, depth comparison, gathering.
 * Spec: Image Operations, "Texel Filtering", "Texel Gathering", "Depth Compare Operation", "Border Replacement". */
#include "runtime/texture/batch.h"
#include "runtime/format/convert.h"

#include <math.h>
#include <string.h>

/* ---- single texels ---- */

static void replace_border(const struct rt_tex_batch *batch, const uint32_t *is_outside, rt_texels texels)
{
   for (uint32_t c = 0; c < 4; c++) {
      if (!(batch->components & 1u << c))
         continue;
      const uint32_t border = batch->sampler->border.u[c];
      RT_EACH_LANE(i)
         texels[c][i] = is_outside[i] ? border : texels[c][i];
   }
}

static void compare_depth(const struct rt_tex_batch *batch, rt_texels texels)
{
   const bool is_normalized = batch->info->channels[0].numeric == RT_UNORM;
   const uint32_t op = batch->sampler->compare_enable ? batch->sampler->compare_op : VK_COMPARE_OP_ALWAYS;
   /* Every operation is some of the three outcomes. */
   const bool on_less = op & VK_COMPARE_OP_LESS, on_equal = op & VK_COMPARE_OP_EQUAL,
              on_greater = op & VK_COMPARE_OP_GREATER;
   const uint32_t less = on_less ? 0x3f800000 : 0, equal = on_equal ? 0x3f800000 : 0,
                  greater = on_greater ? 0x3f800000 : 0;
   /* Unordered values fail all but NOT_EQUAL and ALWAYS. */
   const uint32_t unordered = on_less && on_greater ? 0x3f800000 : 0;
   RT_EACH_LANE(i) {
      const float depth = rt_as_float(texels[0][i]);
      const float reference = is_normalized ? rt_clampf(batch->dref[i], 0.0f, 1.0f) : batch->dref[i];
      const uint32_t not_less = reference > depth ? greater : reference == depth ? equal : unordered;
      texels[0][i] = reference < depth ? less : not_less;
   }
}

/* Texel coordinates along one axis turned into what addresses are made of, for up to two coordinates a lane. */
struct edge {
   struct rt_tex_offset offset[2];   /* x, y */
   uint64_t slice[2][RT_LANES];      /* z: bytes */
   uint8_t sub[2][RT_LANES];         /* compressed: part of the texel's index in its block */
   uint32_t is_outside[2][RT_LANES]; /* border */
};

/* Coordinates are within the level, or one off where the sampler has a border. */
static void locate(const struct rt_tex_batch *batch, const struct abi_level *level, uint32_t axis, const int32_t *coord,
                  struct edge *edge, uint32_t k)
{
   const int32_t size = (int32_t)(axis == 0 ? level->width : axis == 1 ? level->height : level->depth);
   int32_t inside[RT_LANES], blocks[RT_LANES];
   if (batch->has_border) {
      RT_EACH_LANE(i) {
         edge->is_outside[k][i] = (uint32_t)coord[i] >= (uint32_t)size ? UINT32_MAX : 0;
         inside[i] = rt_clampi(coord[i], 0, size - 1);
      }
      coord = inside;
   }
   if (axis == 2) {
      const uint32_t depth = batch->info->block_depth, slice_texels = (uint32_t)batch->info->block_width * batch->info->block_height;
      if (depth > 1) {
         RT_EACH_LANE(i) {
            edge->slice[k][i] = (uint32_t)coord[i] / depth * level->slice_bytes;
            edge->sub[k][i] = (uint8_t)((uint32_t)coord[i] % depth * slice_texels);
         }
         return;
      }
      RT_EACH_LANE(i) {
         edge->slice[k][i] = (uint32_t)coord[i] * level->slice_bytes;
         edge->sub[k][i] = 0;
      }
      return;
   }
   if (batch->info->is_compressed) {
      const int32_t width = batch->info->block_width, step = axis == 0 ? width : batch->info->block_height;
      RT_EACH_LANE(i) {
         blocks[i] = coord[i] / step;
         edge->sub[k][i] = (uint8_t)(coord[i] % step * (axis == 0 ? 1 : width));
      }
      coord = blocks;
   }
   rt_tex_offsets(&edge->offset[k], batch->image, level, axis, coord);
}

/* Loads the texels at one of the two coordinates of each axis; bit a of `which` chooses for axis a. */
static void load_tap(const struct rt_tex_batch *batch, const struct abi_level *level, const struct edge *edges,
                     uint32_t which, const uint32_t *layer, rt_texels out)
{
   const uint32_t kx = which & 1, ky = which >> 1 & 1, kz = which >> 2 & 1, axes = batch->num_axes;
   struct rt_tex_refs refs;
   const uint8_t *base = batch->image->data + level->offset_bytes;
   if (axes > 1)
      RT_EACH_LANE(i)
         refs.at[i] = base + (edges[0].offset[kx].bytes[i] + edges[1].offset[ky].bytes[i]);
   else
      RT_EACH_LANE(i)
         refs.at[i] = base + edges[0].offset[kx].bytes[i];
   if (axes > 2)
      RT_EACH_LANE(i)
         refs.at[i] += edges[2].slice[kz][i];
   if (batch->has_layer)
      RT_EACH_LANE(i)
         refs.at[i] += layer[i] * batch->image->layer_bytes;
   if (batch->info->is_compressed)
      RT_EACH_LANE(i)
         refs.sub[i] = (uint8_t)(edges[0].sub[kx][i] + (axes > 1 ? edges[1].sub[ky][i] : 0) + (axes > 2 ? edges[2].sub[kz][i] : 0));
   rt_tex_load(batch->info, &refs, out);

   uint32_t replaced = 0;
   if (batch->has_border) {
      uint32_t is_outside[RT_LANES], any = 0;
      memcpy(is_outside, edges[0].is_outside[kx], sizeof(is_outside));
      for (uint32_t a = 1; a < axes; a++)
         RT_EACH_LANE(i)
            is_outside[i] |= edges[a].is_outside[a == 1 ? ky : kz][i];
      RT_EACH_LANE(i) {
         any |= is_outside[i];
         replaced |= (is_outside[i] & 1) << i;
      }
      if (any)
         replace_border(batch, is_outside, out);
   }
   if (UTIL_UNLIKELY(batch->absent != NULL))
      *batch->absent |= rt_tex_absent(batch->image, refs.at, batch->takers & ~replaced);
   if (batch->flags & ABI_TEX_DREF)
      compare_depth(batch, out);
}

/* ---- mixing ---- */

/* a = a and b mixed with the weight of b, or reduced over those of non-zero weight. */
static void mix(const struct rt_tex_batch *batch, rt_texels a, const rt_texels b, const float *weight)
{
   const uint32_t reduction = batch->sampler->reduction_mode;
   for (uint32_t c = 0; c < 4; c++) {
      if (!(batch->components & 1u << c))
         continue;
      if (reduction == VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
         RT_EACH_LANE(i) {
            const float from = rt_as_float(a[c][i]), to = rt_as_float(b[c][i]);
            a[c][i] = rt_as_bits(from + weight[i] * (to - from));
         }
      } else {
         const bool is_min = reduction == VK_SAMPLER_REDUCTION_MODE_MIN;
         RT_EACH_LANE(i) {
            const float x = rt_as_float(a[c][i]), y = rt_as_float(b[c][i]);
            const uint32_t takes_b = (is_min ? y < x : y > x) & (weight[i] > 0.0f);
            a[c][i] = takes_b ? b[c][i] : a[c][i];
         }
      }
   }
}

/* Filters along the first `axes` axes; `which` are the coordinates on the others. */
static void filter_axes(const struct rt_tex_batch *batch, const struct abi_level *level, const struct edge *edges,
                        const struct rt_tex_axis *axes, uint32_t count, uint32_t which, rt_texels out)
{
   if (count == 0) {
      load_tap(batch, level, edges, which, batch->layer, out);
      return;
   }
   rt_texels second;
   filter_axes(batch, level, edges, axes, count - 1, which, out);
   filter_axes(batch, level, edges, axes, count - 1, which | 1u << (count - 1), second);
   mix(batch, out, (const uint32_t(*)[RT_LANES])second, axes[count - 1].weight);
}

/* ---- cubes ---- */

/* The four texels of a linear footprint on a cube, across its edges; i0j0, i1j0, i0j1, i1j1. */
static void load_cube_taps(const struct rt_tex_batch *batch, const struct abi_level *level,
                           const struct rt_tex_axis axes[2], rt_texels taps[4])
{
   uint32_t corners[RT_LANES]; /* 1 + the tap that lies beyond two edges */
   memset(corners, 0, sizeof(corners));
   for (uint32_t t = 0; t < 4; t++) {
      const int32_t *from_x = t & 1 ? axes[0].i1 : axes[0].i0, *from_y = t & 2 ? axes[1].i1 : axes[1].i0;
      int32_t x[RT_LANES], y[RT_LANES];
      uint32_t layer[RT_LANES];
      RT_EACH_LANE(i) {
         x[i] = from_x[i];
         y[i] = from_y[i];
         layer[i] = batch->layer[i];
         const bool x_out = (uint32_t)x[i] >= level->width, y_out = (uint32_t)y[i] >= level->height;
         if (x_out && y_out) {
            corners[i] = 1 + t;
            x[i] = rt_clampi(x[i], 0, (int32_t)level->width - 1);
            y[i] = rt_clampi(y[i], 0, (int32_t)level->height - 1);
         } else if (x_out || y_out) {
            uint32_t face = layer[i] % 6;
            layer[i] -= face;
            rt_tex_cube_edge(level->width, &x[i], &y[i], &face);
            layer[i] = UTIL_MIN(layer[i] + face, batch->image->num_layers - 1);
         }
      }
      struct edge edges[2];
      locate(batch, level, 0, x, &edges[0], 0);
      locate(batch, level, 1, y, &edges[1], 0);
      load_tap(batch, level, edges, 0, layer, taps[t]);
   }
   RT_EACH_LANE(i) {
      if (!corners[i] || batch->info->is_int)
         continue;
      const uint32_t t = corners[i] - 1;
      for (uint32_t c = 0; c < 4; c++)
         taps[t][c][i] = rt_as_bits((rt_as_float(taps[t ^ 1][c][i]) + rt_as_float(taps[t ^ 2][c][i]) +
                                     rt_as_float(taps[t ^ 3][c][i])) * (1.0f / 3.0f));
   }
}

static bool is_seamless(const struct rt_tex_batch *batch)
{
   return batch->dim == ABI_DIM_CUBE && !batch->sampler->is_non_seamless;
}

/* Along an axis of a cube's face: no wrapping, but -1 and `size` may come out. */
static void cube_axis(struct rt_tex_axis *out, const float *coord, uint32_t size)
{
   rt_tex_axis(out, coord, size, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, false, true, NULL);
}

/* ---- cubic ---- */

/* Weights of the texels at i0 - 1, i0, i0 + 1, i0 + 2. Spec: "Texel Cubic Filtering", Catmull-Rom. */
static void cubic_weights(const float *alpha, float weights[4][RT_LANES])
{
   RT_EACH_LANE(i) {
      const float a = alpha[i], a2 = a * a, a3 = a2 * a;
      weights[0][i] = 0.5f * ((2.0f * a2 - a) - a3);
      weights[1][i] = 0.5f * ((2.0f - 5.0f * a2) + 3.0f * a3);
      weights[2][i] = 0.5f * ((a + 4.0f * a2) - 3.0f * a3);
      weights[3][i] = 0.5f * (a3 - a2);
   }
}

/* sum += texels * weight, or the reduction over those of non-zero weight. */
static void add_weighted(const struct rt_tex_batch *batch, rt_texels sum, const rt_texels texels, const float *weight,
                         bool is_first)
{
   const uint32_t reduction = batch->sampler->reduction_mode;
   for (uint32_t c = 0; c < 4; c++) {
      RT_EACH_LANE(i) {
         const float value = rt_as_float(texels[c][i]), old = rt_as_float(sum[c][i]);
         float result = is_first ? value * weight[i] : old + value * weight[i];
         if (reduction != VK_SAMPLER_REDUCTION_MODE_WEIGHTED_AVERAGE) {
            const bool wins = reduction == VK_SAMPLER_REDUCTION_MODE_MIN ? value < old : value > old;
            /* The first texel may have weight zero: then the sum is NaN, which anything replaces. */
            result = weight[i] != 0.0f && (is_first || wins || old != old) ? value : is_first ? NAN : old;
         }
         sum[c][i] = rt_as_bits(result);
      }
   }
}

static void find_axes(const struct rt_tex_batch *batch, const struct abi_level *level, bool is_linear,
                      const int32_t (*offset)[RT_LANES], struct rt_tex_axis axes[3]);
static void locate_all(const struct rt_tex_batch *batch, const struct abi_level *level, const struct rt_tex_axis axes[3],
                      bool is_linear, struct edge edges[3]);

/* 4 or 4 x 4 texels: of each axis two pairs, a texel before and a texel after those of linear filtering. */
static void sample_cubic(const struct rt_tex_batch *batch, const struct abi_level *level, rt_texels out)
{
   struct edge edges[2][3];
   float weights[2][4][RT_LANES];
   for (int32_t pair = 0; pair < 2; pair++) {
      int32_t offset[3][RT_LANES];
      struct rt_tex_axis axes[3];
      for (uint32_t a = 0; a < batch->num_axes; a++)
         RT_EACH_LANE(i)
            offset[a][i] = (batch->has_offset ? batch->offset[a][i] : 0) + (pair ? 1 : -1);
      find_axes(batch, level, true, (const int32_t(*)[RT_LANES])offset, axes);
      locate_all(batch, level, axes, true, edges[pair]);
      for (uint32_t a = 0; a < batch->num_axes; a++)
         cubic_weights(axes[a].weight, weights[a]);
   }
   const uint32_t rows = batch->num_axes > 1 ? 4 : 1;
   for (uint32_t j = 0; j < rows; j++) {
      for (uint32_t i = 0; i < 4; i++) {
         const struct edge chosen[2] = {edges[i >> 1][0], edges[j >> 1][1]};
         rt_texels texels;
         float weight[RT_LANES];
         load_tap(batch, level, chosen, (i & 1) | (j & 1) << 1, batch->layer, texels);
         RT_EACH_LANE(k)
            weight[k] = rows > 1 ? weights[0][i][k] * weights[1][j][k] : weights[0][i][k];
         add_weighted(batch, out, (const uint32_t(*)[RT_LANES])texels, weight, i + j == 0);
      }
   }
   for (uint32_t c = 0; c < 4; c++)
      if (!(batch->components & 1u << c))
         RT_EACH_LANE(i)
            out[c][i] = c == 3 ? 0x3f800000 : 0;
}

/* ---- levels ---- */

static void find_axes(const struct rt_tex_batch *batch, const struct abi_level *level, bool is_linear,
                      const int32_t (*offset)[RT_LANES], struct rt_tex_axis axes[3])
{
   const struct abi_sampler *sampler = batch->sampler;
   const uint32_t sizes[3] = {level->width, level->height, level->depth};
   for (uint32_t a = 0; a < batch->num_axes; a++) {
      if (is_seamless(batch) && is_linear)
         cube_axis(&axes[a], batch->coord[a], sizes[a]);
      else
         rt_tex_axis(&axes[a], batch->coord[a], sizes[a],
                     is_seamless(batch) ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : sampler->address_mode[a],
                     sampler->unnormalized, is_linear, offset ? offset[a] : NULL);
   }
}

static void locate_all(const struct rt_tex_batch *batch, const struct abi_level *level, const struct rt_tex_axis axes[3],
                      bool is_linear, struct edge edges[3])
{
   for (uint32_t a = 0; a < batch->num_axes; a++) {
      locate(batch, level, a, axes[a].i0, &edges[a], 0);
      if (is_linear)
         locate(batch, level, a, axes[a].i1, &edges[a], 1);
   }
}

static void sample_level(const struct rt_tex_batch *batch, uint32_t level_index, enum abi_filter filter, rt_texels out)
{
   const struct abi_level *level = &batch->image->levels[level_index];
   const bool is_linear = filter != ABI_FILTER_NEAREST;
   struct rt_tex_axis axes[3];
   if (filter == ABI_FILTER_CUBIC && batch->num_axes < 3 && batch->dim != ABI_DIM_CUBE) {
      sample_cubic(batch, level, out);
      return;
   }
   find_axes(batch, level, is_linear, batch->has_offset ? batch->offset : NULL, axes);
   if (is_linear && is_seamless(batch)) {
      rt_texels taps[4];
      load_cube_taps(batch, level, axes, taps);
      mix(batch, taps[0], (const uint32_t(*)[RT_LANES])taps[1], axes[0].weight);
      mix(batch, taps[2], (const uint32_t(*)[RT_LANES])taps[3], axes[0].weight);
      mix(batch, taps[0], (const uint32_t(*)[RT_LANES])taps[2], axes[1].weight);
      memcpy(out, taps[0], sizeof(rt_texels));
      return;
   }
   struct edge edges[3];
   locate_all(batch, level, axes, is_linear, edges);
   filter_axes(batch, level, edges, axes, is_linear ? batch->num_axes : 0, 0, out);
}

/* Takes the lanes in `group` that share the first pending lane's level and filter. */
static uint32_t next_group(uint32_t pending, const int32_t *level, const int32_t *filter)
{
   const uint32_t first = (uint32_t)__builtin_ctz(pending);
   uint32_t group = 0;
   RT_EACH_LANE(i)
      group |= (uint32_t)((level[i] == level[first]) & (filter[i] == filter[first])) << i;
   return group & pending;
}

void rt_tex_sample(struct rt_tex_batch *batch, const struct rt_tex_lods *lods, rt_texels out)
{
   const struct abi_sampler *sampler = batch->sampler;
   const int32_t last = (int32_t)batch->image->num_levels - 1;
   const bool mixes_levels = sampler->mipmap_mode == VK_SAMPLER_MIPMAP_MODE_LINEAR && last > 0 && !batch->info->is_int;
   const int32_t mag = batch->info->is_int ? ABI_FILTER_NEAREST : sampler->mag_filter;
   const int32_t min = batch->info->is_int ? ABI_FILTER_NEAREST : sampler->min_filter;
   int32_t high[RT_LANES], filter[RT_LANES];
   float delta[RT_LANES];
   RT_EACH_LANE(i) {
      const float d = lods->level[i];
      /* nearest: ceil(d + 1/2) - 1 */
      const float level = mixes_levels ? rt_floor(d) : -rt_floor(-(d + 0.5f)) - 1.0f;
      high[i] = rt_clampi((int32_t)level, 0, last);
      delta[i] = d - level;
      filter[i] = lods->lambda[i] > 0.0f ? min : mag;
   }

   for (uint32_t pending = batch->mask, group; pending; pending &= ~group) {
      const uint32_t first = (uint32_t)__builtin_ctz(pending);
      group = next_group(pending, high, filter);
      rt_texels texels;
      batch->takers = group;
      sample_level(batch, (uint32_t)high[first], (enum abi_filter)filter[first], texels);
      uint32_t is_between = 0;
      RT_EACH_LANE(i)
         is_between |= (uint32_t)(delta[i] > 0.0f) << i;
      if (mixes_levels && high[first] < last && (is_between & group)) {
         rt_texels upper, lower;
         memcpy(upper, texels, sizeof(upper));
         batch->takers = group & is_between;
         sample_level(batch, (uint32_t)high[first] + 1, (enum abi_filter)filter[first], lower);
         mix(batch, texels, (const uint32_t(*)[RT_LANES])lower, delta);
         /* Weight zero times infinity is none: others must not decide what a lane reads. */
         for (uint32_t c = 0; c < 4; c++)
            RT_EACH_LANE(i)
               texels[c][i] = delta[i] > 0.0f ? texels[c][i] : upper[c][i];
      }
      for (uint32_t c = 0; c < 4; c++)
         RT_EACH_LANE(i)
            out[c][i] = group >> i & 1 ? texels[c][i] : out[c][i];
   }
}

/* Sample i of N lies at (i + 1) / (N + 1) - 1/2 of the footprint's longer edge. */
void rt_tex_sample_anisotropic(struct rt_tex_batch *batch, const struct rt_tex_lods *lods, rt_texels out)
{
   if (!batch->is_anisotropic || lods->max_samples <= 1) {
      rt_tex_sample(batch, lods, out);
      return;
   }
   const uint32_t mask = batch->mask;
   float center[2][RT_LANES];
   rt_texels sum;
   memcpy(center, batch->coord, sizeof(center));
   for (uint32_t k = 0; k < lods->max_samples; k++) {
      float weight[RT_LANES];
      uint32_t active = 0;
      RT_EACH_LANE(i) {
         const float at = (float)(k + 1) / (lods->samples[i] + 1.0f) - 0.5f;
         batch->coord[0][i] = center[0][i] + at * lods->major[0][i];
         batch->coord[1][i] = center[1][i] + at * lods->major[1][i];
         active |= (uint32_t)((float)k < lods->samples[i]) << i;
         weight[i] = 1.0f / (float)(k + 1);
      }
      batch->mask = mask & active;
      rt_texels texels;
      rt_tex_sample(batch, lods, texels);
      if (k == 0) {
         memcpy(sum, texels, sizeof(rt_texels));
         continue;
      }
      /* A running average; lanes that have all their samples keep it. */
      rt_texels mixed;
      memcpy(mixed, sum, sizeof(rt_texels));
      mix(batch, mixed, (const uint32_t(*)[RT_LANES])texels, weight);
      for (uint32_t c = 0; c < 4; c++)
         RT_EACH_LANE(i)
            sum[c][i] = active >> i & 1 ? mixed[c][i] : sum[c][i];
   }
   batch->mask = mask;
   memcpy(out, sum, sizeof(rt_texels));
}

/* ---- gathering ---- */

static void gather_component(const struct rt_tex_batch *batch, const rt_texels texels, uint32_t *out)
{
   const uint32_t one = batch->info->is_int ? 1 : 0x3f800000;
   RT_EACH_LANE(i) {
      const uint32_t swizzle = batch->image->swizzle[batch->component[i] & 3];
      out[i] = swizzle == VK_COMPONENT_SWIZZLE_ZERO  ? 0
               : swizzle == VK_COMPONENT_SWIZZLE_ONE ? one
                                                     : texels[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3][i];
   }
}

/* Results in the order i0j1, i1j1, i1j0, i0j0. With four offsets each result is the i0j0 of its own offset. */
void rt_tex_gather(struct rt_tex_batch *batch, const struct abi_tex_call *call, uint32_t first_lane, rt_texels out)
{
   const struct abi_level *level = &batch->image->levels[0];
   struct rt_tex_axis axes[3];
   struct edge edges[3];
   rt_texels texels;
   if (batch->image->min_lod >= 1.0f) { /* the view has no base level: robustImageAccess2 */
      memset(out, 0, sizeof(texels));
      return;
   }
   if (batch->flags & ABI_TEX_GATHER_OFFSETS) {
      for (uint32_t k = 0; k < 4; k++) {
         for (uint32_t a = 0; a < 2; a++)
            for (uint32_t i = 0; i < RT_LANES && first_lane + i < call->lanes; i++)
               batch->offset[a][i] = (int32_t)call->gather_offsets[k][a][first_lane + i];
         find_axes(batch, level, true, batch->offset, axes);
         locate_all(batch, level, axes, false, edges);
         load_tap(batch, level, edges, 0, batch->layer, texels);
         gather_component(batch, (const uint32_t(*)[RT_LANES])texels, out[k]);
      }
      return;
   }
   find_axes(batch, level, true, batch->has_offset ? batch->offset : NULL, axes);
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   if (is_seamless(batch)) {
      rt_texels taps[4];
      load_cube_taps(batch, level, axes, taps);
      for (uint32_t t = 0; t < 4; t++)
         gather_component(batch, (const uint32_t(*)[RT_LANES])taps[t], out[order[t]]);
      return;
   }
   locate_all(batch, level, axes, true, edges);
   for (uint32_t t = 0; t < 4; t++) {
      load_tap(batch, level, edges, t, batch->layer, texels);
      gather_component(batch, (const uint32_t(*)[RT_LANES])texels, out[order[t]]);
   }
}
