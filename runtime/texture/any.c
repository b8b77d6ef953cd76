/* SPDX-License-Identifier: MIT
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation", "Wrapping Operation", "Border Replacement", "Depth
 * Compare Operation", "Texel Filtering", "Texel Gathering", "Cube Map Edge Handling". */
#include "runtime/texture/any.h"
#include "runtime/texture/apart.h"
#include "runtime/texture/axis.h"
#include "runtime/texture/blocks.h"
#include "runtime/texture/cube_edge.h"
#include "runtime/texture/decoded.h"
#include "runtime/texture/near.h"
#include "runtime/texture/records.h"

/* Along one axis: texels within the level, the weight of the second, and lanes that are beyond an edge: beyond the
 * border, or of a cube, where `at` still is -1 or `size`. */
struct axis {
   rt_vi at[2];
   rt_vf weight;
   uint32_t outside[2];
};

static uint32_t size_along(const struct abi_level *level, uint32_t axis)
{
   return axis == 0 ? level->width : axis == 1 ? level->height : level->depth;
}

/* `offset`: NULL: none. */
static void find_axis(struct axis *out, const struct rt_fast *fast, const struct abi_level *level, uint32_t axis, const rt_vi *offset,
                      bool is_linear)
{
   const int32_t size = (int32_t)size_along(level, axis);
   const uint32_t mode = fast->is_cube ? (uint32_t)VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE : fast->sampler->address_mode[axis];
   const bool is_far = offset || fast->sampler->unnormalized;
   const rt_vf u = rt_axis_unnormalize(fast->coord[axis], (uint32_t)size, mode, fast->sampler->unnormalized);
   const rt_vf v = is_linear ? u - 0.5f : u, whole = rt_vf_floor(v);
   rt_vi i = rt_vi_from(whole);
   out->weight = v - whole;
   if (offset)
      i += rt_vi_clamp(*offset, -65536, 65536);
   if (fast->is_cube && is_linear) { /* one texel beyond an edge is the neighbouring face's */
      out->at[0] = rt_vi_clamp(i, -1, size);
      out->at[1] = rt_vi_clamp(i + 1, -1, size);
      for (uint32_t k = 0; k < 2; k++)
         out->outside[k] = rt_vi_mask((rt_vi)((rt_vu)out->at[k] >= (uint32_t)size));
      return;
   }
   out->at[0] = rt_axis_wrap(i, size, mode, is_far, &out->outside[0]);
   if (is_linear)
      out->at[1] = rt_axis_wrap(i + 1, size, mode, is_far, &out->outside[1]);
}

/* ---- taps ---- */

/* Of a cube lanes outside of the mask may be beyond an edge. */
static void clamp_inside(const struct abi_level *level, const struct axis axes[2], struct axis inside[2])
{
   for (uint32_t k = 0; k < 2; k++) {
      inside[0].at[k] = rt_vi_clamp(axes[0].at[k], 0, (int32_t)level->width - 1);
      inside[1].at[k] = rt_vi_clamp(axes[1].at[k], 0, (int32_t)level->height - 1);
   }
}

/* Of blocks: those that texels are in, and the taps' texels within. */
static void find_blocks(const struct rt_format_info *info, const struct axis axes[2], uint32_t num_taps, struct axis blocks[2], rt_vu sub[4])
{
   rt_vu within[2][2];
   for (uint32_t k = 0; k <= (num_taps > 1); k++) {
      blocks[0].at[k] = (rt_vi)rt_texel_block(info->block_width, (rt_vu)axes[0].at[k], &within[0][k]);
      blocks[1].at[k] = (rt_vi)rt_texel_block(info->block_height, (rt_vu)axes[1].at[k], &within[1][k]);
   }
   for (uint32_t t = 0; t < num_taps; t++)
      sub[t] = rt_texel_sub(info, within[0][t & 1], within[1][t >> 1]);
}

/* Of texels or blocks in a slice that all lanes share, or each adds its own `slice`, in as many. */
static void find_indices(const struct rt_fast *fast, const struct abi_level *level, const rt_vu *slice, const struct axis axes[2], uint32_t num_taps,
                         rt_vu index[4])
{
   rt_vu x[2], y[2];
   for (uint32_t k = 0; k <= (num_taps > 1); k++) {
      x[k] = rt_texel_x(fast->image, level, (rt_vu)axes[0].at[k]);
      y[k] = rt_texel_y(fast->image, level, (rt_vu)axes[1].at[k], rt_texel_log2(fast->image));
      if (slice)
         y[k] += *slice;
   }
   for (uint32_t t = 0; t < num_taps; t++)
      index[t] = x[t & 1] + y[t >> 1];
}

/* Texels or blocks at their indices; taps->sub is set. */
static void load_indices(const struct rt_fast *fast, const uint8_t *base, const rt_vu index[4], uint32_t num_taps, struct rt_taps *taps)
{
   const uint32_t log2 = rt_texel_log2(fast->image);
   if (fast->texel == RT_TEXEL_DECODED)
      rt_decoded_load(fast->info, base, log2, fast->mask, num_taps, index, taps);
   else
      for (uint32_t t = 0; t < num_taps; t++)
         rt_texel_gather(base, index[t], log2, taps, t);
}

/* One or four texels of a slice: all lanes' slice is at `base`, or each adds its own `slice`, in texels. */
static void load_taps(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const rt_vu *slice,
                      const struct axis axes[2], uint32_t num_taps, struct rt_taps *taps)
{
   const struct abi_image *image = fast->image;
   const uint32_t log2 = rt_texel_log2(image), last = num_taps > 1;
   struct axis inside[2], blocks[2];
   rt_vu index[4];
   if (fast->is_cube && last) {
      clamp_inside(level, axes, inside);
      axes = inside;
   }
   if (fast->info->is_compressed) {
      find_blocks(fast->info, axes, num_taps, blocks, taps->sub);
      axes = blocks;
   }
   if (RT_TEX_LEVEL >= 3 && fast->is_dense && image->is_tiled && !slice && fast->texel != RT_TEXEL_DECODED) {
      const rt_vh left = rt_vh_join(axes[0].at[0], axes[1].at[0] << 16);
      const rt_vh right = rt_vh_join(axes[0].at[last], axes[1].at[last] << 16);
      if (rt_near_load(taps, num_taps, level, base, log2, fast->info->is_compressed, left, right, fast->mask) ||
          (log2 == 2 && last && rt_words_load_wide(taps->word[0], level, base, left, right, fast->mask)))
         return;
   }
   find_indices(fast, level, slice, axes, num_taps, index);
   load_indices(fast, base, index, num_taps, taps);
}

/* Of a cube, where lanes have taps on other faces. `corners`: 1 + the tap that lies beyond two edges. */
static void load_cube_taps(const struct rt_fast *fast, const struct abi_level *level, const struct axis axes[2], rt_vi *corners, struct rt_taps *taps)
{
   const struct abi_image *image = fast->image;
   const uint32_t log2 = rt_texel_log2(image), layer_texels = (uint32_t)(image->layer_bytes >> log2);
   rt_vu index[4];
   *corners = rt_vi_set(0);
   for (uint32_t t = 0; t < 4; t++) {
      struct rt_cube_texel texel = {{axes[0].at[t & 1], axes[1].at[t >> 1]}, fast->layer_number, {0}};
      rt_cube_cross(&texel, rt_vi_set((int32_t)level->width), image->num_layers);
      *corners = rt_vi_select(texel.is_corner, rt_vi_set((int32_t)(1 + t)), *corners);
      if (fast->info->is_compressed) {
         rt_vu within[2];
         texel.at[0] = (rt_vi)rt_texel_block(fast->info->block_width, (rt_vu)texel.at[0], &within[0]);
         texel.at[1] = (rt_vi)rt_texel_block(fast->info->block_height, (rt_vu)texel.at[1], &within[1]);
         taps->sub[t] = rt_texel_sub(fast->info, within[0], within[1]);
      }
      index[t] = rt_texel_x(image, level, (rt_vu)texel.at[0]) + rt_texel_y(image, level, (rt_vu)texel.at[1], log2) + texel.layer * layer_texels;
   }
   load_indices(fast, image->data + level->offset_bytes, index, 4, taps);
}

/* ---- components of taps ---- */

static void replace_border(const struct rt_fast *fast, uint32_t outside, rt_vf components[4])
{
   const rt_vi is_outside = rt_vi_from_mask(outside);
   for (uint32_t c = 0; c < 4; c++)
      if (fast->info->channels[c].bits)
         components[c] = rt_vf_select(is_outside, (rt_vf)rt_vi_set((int32_t)fast->sampler->border.u[c]), components[c]);
}

/* To (result, 0, 0, 1). */
static void compare(const struct rt_fast *fast, rt_vf components[4])
{
   components[0] = rt_fast_compare(fast, components[0]);
   components[1] = components[2] = rt_vf_set(0);
   components[3] = rt_vf_set(1);
}

/* Of taps beyond two edges the average of the other three. */
static void average_corners(const struct rt_fast *fast, rt_vi corners, rt_vf components[4][4])
{
   rt_vf whole[4][4];
   if (!(rt_vi_mask(corners != 0) & fast->mask))
      return;
   memcpy(whole, components, sizeof(whole));
   for (uint32_t t = 0; t < 4; t++)
      for (uint32_t c = 0; c < 4; c++)
         components[t][c] = rt_vf_select(corners == (int32_t)(1 + t),
                                         (whole[t ^ 1][c] + whole[t ^ 2][c] + whole[t ^ 3][c]) * (1.0f / 3.0f),
                                         whole[t][c]);
}

/* What a linear footprint has at its four taps, in the slice that `slice` says. */
static void find_taps(const struct rt_fast *fast, const struct abi_level *level, const struct axis axes[2],
                      const uint8_t *base, const rt_vu *slice, uint32_t num_taps, uint32_t outside_slice,
                      struct rt_taps *taps, rt_vf components[4][4])
{
   const uint32_t edges = (axes[0].outside[0] | axes[0].outside[1] | axes[1].outside[0] | axes[1].outside[1]) & fast->mask;
   rt_vi corners = rt_vi_set(0);
   if (fast->is_cube && num_taps > 1 && edges)
      load_cube_taps(fast, level, axes, &corners, taps);
   else
      load_taps(fast, level, base, slice, axes, num_taps, taps);
   for (uint32_t t = 0; t < num_taps; t++) {
      rt_texel_decoders[fast->texel](fast->info, taps, t, components[t]);
      const uint32_t outside = axes[0].outside[t & 1] | axes[1].outside[t >> 1] | outside_slice;
      if (!fast->is_cube && outside & fast->mask)
         replace_border(fast, outside, components[t]);
      if (fast->has_dref)
         compare(fast, components[t]);
   }
   if (fast->is_cube && !fast->info->is_int)
      average_corners(fast, corners, components);
}

/* Channels of texels, and what stands for others, which is not mixed. */
static bool is_mixed(const struct rt_fast *fast, uint32_t c)
{
   return fast->has_dref ? c == 0 : fast->info->channels[c].bits;
}

static void mix_taps(const struct rt_fast *fast, const rt_vf components[4][4], rt_vf x, rt_vf y, rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      out[c] = components[0][c];
      if (!is_mixed(fast, c))
         continue;
      out[c] = rt_fast_lerp(out[c], components[1][c], x);
      if (fast->num_axes > 1)
         out[c] = rt_fast_lerp(out[c], rt_fast_lerp(components[2][c], components[3][c], x), y);
   }
}

/* Colour blocks that lanes share. */
static bool sample_blocks(const struct rt_fast *fast, const struct abi_level *level, const struct axis axes[2], const uint8_t *base,
                          rt_vf out[4])
{
   if (fast->texel != RT_TEXEL_BC1 || !fast->is_dense || !fast->image->is_tiled)
      return false;
   return fast->info->is_srgb
             ? rt_blocks_sample(fast, level, base, axes[0].at, axes[1].at, axes[0].weight, axes[1].weight, true, out)
             : rt_blocks_sample(fast, level, base, axes[0].at, axes[1].at, axes[0].weight, axes[1].weight, false, out);
}

/* Texels of four channels of 16 or of 32 bits, in memory or among decoded blocks. */
static bool has_records(const struct rt_fast *fast)
{
   const uint32_t bytes = fast->image->texel_bytes;
   return RT_TEX_LEVEL >= 3 && ((bytes == 16 && fast->texel == RT_TEXEL_WORDS) || (bytes == 8 && rt_records_can(fast->texel, fast->info)) ||
                                fast->texel == RT_TEXEL_DECODED);
}

/* False: the blocks are not decoded all at a time. */
static bool sample_records(const struct rt_fast *fast, const struct abi_level *level, const uint8_t *base, const rt_vu *slice,
                           const struct axis axes[2], rt_vf out[4])
{
   const struct rt_pairs weights = {.x_weight = axes[0].weight, .y_weight = axes[1].weight};
   const bool is_decoded = fast->texel == RT_TEXEL_DECODED;
   struct axis inside[2], blocks[2];
   rt_vu index[4], sub[4], block[4];
   if (fast->is_cube) {
      clamp_inside(level, axes, inside);
      axes = inside;
   }
   if (is_decoded)
      find_blocks(fast->info, axes, 4, blocks, sub);
   find_indices(fast, level, slice, is_decoded ? blocks : axes, 4, is_decoded ? block : index);
   if (is_decoded && !(base = rt_decoded_find(fast->info, base, rt_texel_log2(fast->image), fast->mask, 4, block, sub, index)))
      return false;
   if (is_decoded || fast->texel == RT_TEXEL_WORDS)
      rt_records_sample(base, index, &weights, RT_TEXEL_WORDS, fast->info, out);
   else if (fast->texel == RT_TEXEL_HALF)
      rt_records_sample(base, index, &weights, RT_TEXEL_HALF, fast->info, out);
   else
      rt_records_sample(base, index, &weights, RT_TEXEL_UNORM, fast->info, out);
   return true;
}

static void sample_slice(const struct rt_fast *fast, const struct abi_level *level, const struct axis axes[2],
                         const uint8_t *base, const rt_vu *slice, bool is_linear, uint32_t outside_slice, rt_vf out[4])
{
   struct rt_taps taps;
   rt_vf components[4][4];
   const uint32_t beyond = (axes[0].outside[0] | axes[0].outside[1] | axes[1].outside[0] | axes[1].outside[1] | outside_slice) &
                           fast->mask;
   if (!is_linear) {
      find_taps(fast, level, axes, base, slice, 1, outside_slice, &taps, components);
      memcpy(out, components[0], sizeof(components[0]));
      return;
   }
   if (!fast->has_dref && !beyond && fast->num_axes > 1) {
      if (!slice && sample_blocks(fast, level, axes, base, out))
         return;
      if (has_records(fast) && sample_records(fast, level, base, slice, axes, out))
         return;
      load_taps(fast, level, base, slice, axes, 4, &taps);
      rt_texel_mixers[fast->texel](fast->info, &taps, axes[0].weight, axes[1].weight, out);
      return;
   }
   find_taps(fast, level, axes, base, slice, 4, outside_slice, &taps, components);
   mix_taps(fast, (const rt_vf(*)[4])components, axes[0].weight, axes[1].weight, out);
}

/* `offsets`: one an axis; NULL: none. */
static void find_axes(struct axis axes[3], const struct rt_fast *fast, const struct abi_level *level, const rt_vi *offsets, bool is_linear)
{
   find_axis(&axes[0], fast, level, 0, offsets, is_linear);
   if (fast->num_axes > 1)
      find_axis(&axes[1], fast, level, 1, offsets ? &offsets[1] : NULL, is_linear);
   else
      memset(&axes[1], 0, sizeof(axes[1]));
   if (fast->num_axes > 2)
      find_axis(&axes[2], fast, level, 2, offsets ? &offsets[2] : NULL, is_linear);
   if (is_linear)
      return;
   for (uint32_t a = 0; a < 3; a++)
      axes[a].outside[1] = 0;
}

void rt_any_sample(const struct rt_fast *fast, const struct abi_level *level, bool is_linear, rt_vf out[4])
{
   const uint8_t *base = fast->data + level->offset_bytes;
   const rt_vu *layer = fast->has_own_layers ? &fast->layer : NULL;
   struct axis axes[3];
   find_axes(axes, fast, level, fast->has_offset ? fast->offset : NULL, is_linear);
   if (fast->num_axes < 3) {
      sample_slice(fast, level, axes, base, layer, is_linear, 0, out);
      return;
   }
   const uint32_t slice_texels = (uint32_t)(level->slice_bytes >> rt_texel_log2(fast->image));
   const rt_vu slice = (rt_vu)axes[2].at[0] * slice_texels;
   sample_slice(fast, level, axes, base, &slice, is_linear, axes[2].outside[0], out);
   if (is_linear) {
      const rt_vu next = (rt_vu)axes[2].at[1] * slice_texels;
      rt_vf behind[4];
      sample_slice(fast, level, axes, base, &next, is_linear, axes[2].outside[1], behind);
      for (uint32_t c = 0; c < 4; c++)
         if (is_mixed(fast, c))
            out[c] = rt_fast_lerp(out[c], behind[c], axes[2].weight);
   }
}

/* ---- cubes, lanes on levels of their own ---- */

bool rt_any_can_sample_cube_apart(const struct rt_fast *fast)
{
   return !fast->has_dref && !fast->info->is_compressed;
}

static void sample_lane_level(const struct rt_fast *fast, const struct rt_lane_level *level, rt_vf out[4])
{
   const uint32_t log2 = rt_texel_log2(fast->image), layer_texels = (uint32_t)(fast->image->layer_bytes >> log2);
   const rt_vi size = level->width;
   rt_vi at[2][2], corners = rt_vi_set(0);
   rt_vf weight[2], components[4][4];
   struct rt_taps taps;
   for (uint32_t a = 0; a < 2; a++) { /* as find_axis() */
      const rt_vf v = rt_vf_clamp(fast->coord[a] * rt_vf_from(size), -1048576.0f, 1048576.0f) - 0.5f, whole = rt_vf_floor(v);
      weight[a] = v - whole;
      for (int32_t k = 0; k < 2; k++)
         at[a][k] = rt_vi_min(rt_vi_max(rt_vi_from(whole) + k, rt_vi_set(-1)), size);
   }
   for (uint32_t t = 0; t < 4; t++) {
      struct rt_cube_texel texel = {{at[0][t & 1], at[1][t >> 1]}, fast->layer_number, {0}};
      rt_cube_cross(&texel, size, fast->image->num_layers);
      corners = rt_vi_select(texel.is_corner, rt_vi_set((int32_t)(1 + t)), corners);
      rt_texel_gather(fast->image->data, rt_lane_level_column(level, texel.at[0]) + rt_lane_level_row(level, texel.at[1]) + texel.layer * layer_texels, log2,
                      &taps, t);
      rt_texel_decoders[fast->texel](fast->info, &taps, t, components[t]);
   }
   average_corners(fast, corners, components);
   mix_taps(fast, (const rt_vf(*)[4])components, weight[0], weight[1], out);
}

void rt_any_sample_cube_apart(const struct rt_fast *fast, rt_vi level, uint32_t num_levels, rt_vf out[2][4])
{
   struct rt_lane_level levels[2];
   rt_lane_levels_find(levels, fast, level, rt_texel_log2(fast->image));
   for (uint32_t i = 0; i < num_levels; i++)
      sample_lane_level(fast, &levels[i], out[i]);
}

/* ---- gathering ---- */

static rt_vf gathered(const struct rt_fast *fast, uint32_t component, const rt_vf components[4])
{
   const uint32_t swizzle = fast->image->swizzle[component & 3];
   if (swizzle == VK_COMPONENT_SWIZZLE_ZERO)
      return rt_vf_set(0);
   if (swizzle == VK_COMPONENT_SWIZZLE_ONE)
      return (rt_vf)rt_vi_set(fast->info->is_int ? 1 : 0x3f800000);
   return components[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3];
}

void rt_any_gather(const struct rt_fast *fast, uint32_t component, const uint32_t *const (*offsets)[2], rt_vf out[4])
{
   static const uint8_t order[4] = {3, 2, 0, 1}; /* result of tap i0j0, i1j0, i0j1, i1j1 */
   const struct abi_level *level = &fast->image->levels[0];
   const uint8_t *base = fast->data + level->offset_bytes;
   const rt_vu *layer = fast->has_own_layers ? &fast->layer : NULL;
   struct axis axes[3];
   struct rt_taps taps;
   rt_vf components[4][4];
   if (!offsets) {
      find_axes(axes, fast, level, fast->has_offset ? fast->offset : NULL, true);
      find_taps(fast, level, axes, base, layer, 4, 0, &taps, components);
      for (uint32_t t = 0; t < 4; t++)
         out[order[t]] = gathered(fast, component, components[t]);
      return;
   }
   for (uint32_t k = 0; k < 4; k++) {
      rt_vi own[2];
      for (uint32_t a = 0; a < 2; a++)
         own[a] = (rt_vi)rt_vf_load(offsets[k][a] + fast->first, fast->lanes);
      find_axes(axes, fast, level, own, true);
      find_taps(fast, level, axes, base, layer, 1, 0, &taps, components);
      out[k] = gathered(fast, component, components[0]);
   }
}
