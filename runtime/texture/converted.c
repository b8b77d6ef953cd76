/* SPDX-License-Identifier: MIT
 * Sampling of views with a Y'CbCr conversion: their parts are sampled as images of their own, by whatever code suits
 * each; then come swizzle, range and model. Planes of bytes that are filtered linearly are done together, without calls.
 * Spec: Image Operations, "Chroma Reconstruction" and "Sampler Y'CbCr Conversion". */
#include "runtime/texture/planes.h"

enum { MAX_LANES = 32 }; /* of a call: its mask has no more bits */

typedef uint32_t part_texels[4][MAX_LANES] __attribute__((aligned(64)));
typedef uint32_t part_coords[2][MAX_LANES] __attribute__((aligned(64)));

/* Whatever else the call has holds for every part. */
static void sample_part(const struct abi_tex_call *call, const struct abi_image *image, const struct abi_sampler *sampler,
                        const part_coords coords, part_texels texels)
{
   struct abi_tex_call part = *call;
   part.images = &image;
   part.samplers = &sampler;
   part.unread = 0; /* of the whole's components */
   for (uint32_t a = 0; coords && a < 2; a++)
      part.coords[a] = coords[a];
   for (uint32_t c = 0; c < 4; c++)
      part.result[c] = texels[c];
   rt_tex_run(&part);
}

/* The lanes of a vector that a call has. */
RT_SIMD uint32_t lanes_from(const struct abi_tex_call *call, uint32_t first)
{
   const uint32_t count = call->lanes - first;
   return count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
}

static bool has_axis(const struct abi_tex_call *call, uint32_t axis)
{
   return axis == 0 || call->dim != ABI_DIM_1D;
}

/* ---- implicit reconstruction ---- */

static void move_coords(const struct abi_tex_call *call, const float offset[2], part_coords coords)
{
   for (uint32_t a = 0; a < 2 && has_axis(call, a); a++)
      for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES)
         rt_vf_store(coords[a] + first, rt_vf_load(call->coords[a] + first, lanes_from(call, first)) + offset[a], RT_SIMD_ALL);
}

/* ---- explicit reconstruction ---- */

/* The texels of luma that a lane's filter takes along each axis, as coordinates for chroma, and the second ones' weights. */
struct footprint {
   float at[2][2][MAX_LANES];
   float weight[2][MAX_LANES];
};

/* A bit a lane: luma is filtered linearly there. */
static uint32_t find_linear(const struct abi_tex_call *call, const struct abi_image *luma, const struct abi_sampler *sampler)
{
   uint32_t is_linear = 0;
   part_texels levels;
   if (sampler->mag_filter == sampler->min_filter)
      return sampler->mag_filter == ABI_FILTER_LINEAR ? UINT32_MAX : 0;
   struct abi_tex_call query = *call;
   query.op = ABI_TEX_OP_QUERY_LOD;
   sample_part(&query, luma, sampler, NULL, levels);
   for (uint32_t i = 0; i < call->lanes; i++) {
      float lambda;
      if (!(call->mask >> i & 1))
         continue;
      memcpy(&lambda, &levels[1][i], sizeof(lambda));
      const bool is_minified = rt_clampf(lambda, sampler->min_lod, sampler->max_lod) > 0;
      is_linear |= (uint32_t)((is_minified ? sampler->min_filter : sampler->mag_filter) == ABI_FILTER_LINEAR) << i;
   }
   return is_linear;
}

static void find_footprint(const struct abi_tex_call *call, const struct abi_conversion *conversion, uint32_t is_linear,
                           struct footprint *out)
{
   const struct abi_level *level = &conversion->parts[0].levels[0];
   for (uint32_t a = 0; a < 2 && has_axis(call, a); a++) {
      const float size = (float)(a ? level->height : level->width), offset = conversion->chroma_offset[a];
      for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
         const rt_vi filters = rt_vi_from_mask(is_linear >> first & RT_SIMD_ALL);
         const rt_vf u = rt_vf_clamp(rt_vf_load(call->coords[a] + first, lanes_from(call, first)) * size, -1048576.0f, 1048576.0f);
         const rt_vf v = rt_vf_select(filters, u - 0.5f, u), whole = rt_vf_floor(v);
         const rt_vf weight = rt_vf_select(filters, v - whole, rt_vf_set(0));
         memcpy(out->weight[a] + first, &weight, sizeof(weight));
         for (uint32_t k = 0; k < 2; k++) {
            const rt_vf at = (rt_vf_clamp(whole + (float)k, 0, size - 1) + 0.5f) / size + offset;
            memcpy(out->at[a][k] + first, &at, sizeof(at));
         }
      }
   }
}

/* a += (b - a) * weight */
static void mix(const struct abi_tex_call *call, part_texels a, const part_texels b, const float *weight)
{
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
         const uint32_t lanes = call->mask >> first & lanes_from(call, first);
         const rt_vf from = rt_vf_load(a[c] + first, lanes), to = rt_vf_load(b[c] + first, lanes);
         const rt_vf w = rt_vf_load((const uint32_t *)weight + first, lanes);
         rt_vf_store(a[c] + first, from + w * (to - from), RT_SIMD_ALL);
      }
}

/* One tap of the footprint; bits of `which` choose along each axis. */
static void sample_tap(const struct abi_tex_call *call, const struct abi_conversion *conversion, uint32_t p,
                       const struct footprint *footprint, uint32_t which, part_texels texels)
{
   part_coords coords;
   memcpy(coords[0], footprint->at[0][which & 1], sizeof(coords[0]));
   memcpy(coords[1], footprint->at[1][which >> 1], sizeof(coords[1]));
   sample_part(call, &conversion->parts[p], &conversion->chroma, coords, texels);
}

static void sample_explicit(const struct abi_tex_call *call, const struct abi_conversion *conversion, uint32_t p,
                            const struct footprint *footprint, bool is_linear, part_texels texels)
{
   part_texels right, lower;
   sample_tap(call, conversion, p, footprint, 0, texels);
   if (!is_linear)
      return;
   sample_tap(call, conversion, p, footprint, 1, right);
   mix(call, texels, (const uint32_t(*)[MAX_LANES])right, footprint->weight[0]);
   sample_tap(call, conversion, p, footprint, 2, lower);
   sample_tap(call, conversion, p, footprint, 3, right);
   mix(call, lower, (const uint32_t(*)[MAX_LANES])right, footprint->weight[0]);
   mix(call, texels, (const uint32_t(*)[MAX_LANES])lower, footprint->weight[1]);
}

/* ---- conversion ---- */

/* Components of the view's R, G, B and A to results. */
RT_SIMD void finish(const struct abi_tex_call *call, const struct abi_conversion *conversion, const rt_vf in[4], uint32_t first,
                    uint32_t mask)
{
   for (uint32_t c = 0; c < 4; c++) {
      const float *row = conversion->matrix[c % 3];
      const bool is_converted = conversion->has_matrix && c < 3;
      rt_vf_store(call->result[c] + first,
                  is_converted ? (row[0] * in[0] + row[1] * in[1]) + (row[2] * in[2] + row[3]) : in[c], mask);
   }
}

static void store(const struct abi_tex_call *call, const struct abi_conversion *conversion, const part_texels texels[3])
{
   for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
      const uint32_t mask = call->mask >> first & lanes_from(call, first);
      rt_vf in[4];
      for (uint32_t c = 0; c < 4; c++) {
         const uint32_t channel = conversion->channel[c];
         in[c] = channel == ABI_CHANNEL_ZERO  ? rt_vf_set(0)
                 : channel == ABI_CHANNEL_ONE ? rt_vf_set(1)
                                            : rt_vf_load(texels[conversion->part[c]][channel] + first, mask);
      }
      finish(call, conversion, in, first, mask);
   }
}

/* ---- planes of bytes ---- */

/* One layer, linear filters, all by the edge. Whether a call comes here depends on its state only. */
static bool is_bytes(const struct abi_tex_call *call, const struct abi_conversion *conversion, const struct abi_sampler *sampler)
{
   const struct abi_image *luma = &conversion->parts[0], *chroma = &conversion->parts[1];
   return conversion->num_parts > 1 && luma->format == VK_FORMAT_R8_UNORM && !conversion->is_explicit &&
          sampler->class == ABI_SAMPLER_CLAMP && sampler->paths[0] == ABI_PATH_LINEAR && call->dim == ABI_DIM_2D &&
          !(call->flags & (ABI_TEX_ARRAYED | ABI_TEX_OFFSET | ABI_TEX_DREF)) && luma->num_levels == 1 &&
          (!conversion->subsampled || conversion->chroma.mag_filter == ABI_FILTER_LINEAR) && rt_texel_of(luma) &&
          rt_texel_of(chroma);
}

/* `has_pairs`: chroma is two bytes of one plane, else a byte each of two. */
RT_SIMD void sample_bytes(const struct abi_tex_call *call, const struct abi_conversion *conversion, bool has_pairs)
{
   for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
      const uint32_t lanes = lanes_from(call, first), mask = call->mask >> first & lanes;
      rt_vf coord[2], value[6], in[4];
      struct rt_words_pairs pairs;
      rt_vu texels[2];
      if (!mask)
         continue;
      for (uint32_t a = 0; a < 2; a++)
         coord[a] = rt_vf_load(call->coords[a] + first, lanes);
      rt_words_pairs(&pairs, coord, &conversion->parts[0].levels[0], VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
      rt_planes_load(texels, &conversion->parts[0], &pairs, 0, mask);
      value[0] = rt_planes_mix(texels, &pairs);

      for (uint32_t a = 0; a < 2; a++)
         coord[a] += conversion->chroma_offset[a];
      rt_words_pairs(&pairs, coord, &conversion->parts[1].levels[0], VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
      rt_planes_load(texels, &conversion->parts[1], &pairs, has_pairs ? 1 : 0, mask);
      if (has_pairs) {
         rt_planes_mix_two(texels, &pairs, &value[1]);
      } else {
         value[1] = rt_planes_mix(texels, &pairs);
         rt_planes_load(texels, &conversion->parts[2], &pairs, 0, mask);
         value[2] = rt_planes_mix(texels, &pairs);
      }
      value[3] = value[ABI_CHANNEL_ZERO] = rt_vf_set(0);
      value[ABI_CHANNEL_ONE] = rt_vf_set(1);
      for (uint32_t c = 0; c < 4; c++) {
         const uint32_t channel = conversion->channel[c];
         in[c] = value[channel >= ABI_CHANNEL_ZERO ? channel : conversion->part[c] + channel];
      }
      finish(call, conversion, in, first, mask);
   }
}

static __attribute__((noinline)) void sample_two_planes(const struct abi_tex_call *call, const struct abi_conversion *conversion)
{
   sample_bytes(call, conversion, true);
}

static __attribute__((noinline)) void sample_three_planes(const struct abi_tex_call *call, const struct abi_conversion *conversion)
{
   sample_bytes(call, conversion, false);
}

void rt_tex_run_converted(const struct abi_tex_call *call)
{
   const struct abi_conversion *conversion = call->images[0]->conversion;
   const struct abi_sampler *sampler = call->samplers[0];
   const float *offset = conversion->chroma_offset;
   const bool is_moved = offset[0] != 0 || offset[1] != 0;
   part_texels texels[3];
   part_coords coords;
   struct footprint footprint;
   uint32_t is_linear = 0;
   if (UTIL_LIKELY(is_bytes(call, conversion, sampler))) {
      (conversion->num_parts == 2 ? sample_two_planes : sample_three_planes)(call, conversion);
      return;
   }
   if (conversion->is_explicit) {
      is_linear = find_linear(call, &conversion->parts[0], sampler);
      memset(&footprint, 0, sizeof(footprint)); /* of one axis too */
      find_footprint(call, conversion, is_linear, &footprint);
   } else if (is_moved) {
      move_coords(call, offset, coords);
   }
   for (uint32_t p = 0; p < conversion->num_parts; p++) {
      if (!(conversion->subsampled >> p & 1))
         sample_part(call, &conversion->parts[p], sampler, NULL, texels[p]);
      else if (conversion->is_explicit)
         sample_explicit(call, conversion, p, &footprint, is_linear & call->mask, texels[p]);
      else
         sample_part(call, &conversion->parts[p], &conversion->chroma, is_moved ? (const uint32_t(*)[MAX_LANES])coords : NULL,
                     texels[p]);
   }
   store(call, conversion, (const part_texels *)texels);
}
