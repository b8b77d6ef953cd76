/* SPDX-License-Identifier: MIT
 * Inside of fast.c and any.c: what the lanes of one vector sample. */
#pragma once

#include "runtime/texture/texel.h"

struct rt_fast {
   const struct abi_image *image;
   const struct abi_sampler *sampler;
   const struct rt_format_info *info;
   enum rt_texel texel;     /* for any.c */
   uint32_t first, lanes;   /* of the call: the first lane, a bit for each that there is */
   uint32_t mask;           /* those that sample */
   uint32_t num_axes;       /* 2 or 3 */
   bool is_dense;           /* lanes are likely to be among the same few texels */
   bool has_quads;          /* lanes are two by two, as fragments are */
   bool has_one_level;      /* lanes may be any distance apart: worth asking memory ahead */
   const uint8_t *data;     /* of the layer that all lanes share, or of the first layer */
   uint32_t channels;       /* for plain.c, whole.c, volume.c: a bit for each channel that something reads */
   bool has_own_layers;     /* lanes are in layers of their own: `layer` in words from data */
   rt_vu layer;
   rt_vf coord[3];          /* of a cube: on the face, once that is known */
   bool is_cube, has_offset, has_dref;
   bool has_edges;          /* dx and dy are set: of a cube, on the face */
   rt_vf dx[3], dy[3];
   rt_vi offset[3];
   rt_vf dref;
   rt_vu layer_number;      /* of a cube: with the face */
};

/* The vector at fast->first: which lanes it has, which of them sample. False: none. */
RT_SIMD bool rt_fast_take_lanes(struct rt_fast *fast, const struct abi_tex_call *call)
{
   const uint32_t count = call->lanes - fast->first;
   fast->lanes = count >= RT_SIMD_LANES ? RT_SIMD_ALL : (1u << count) - 1;
   fast->mask = call->mask >> fast->first & fast->lanes;
   return fast->mask;
}

/* Layers of arrays are rounded to the nearest, even ones where two are as near. */
RT_SIMD rt_vi rt_fast_layer(const struct rt_fast *fast, const uint32_t *coords, uint32_t num_layers)
{
   const rt_vf coord = rt_vf_load(coords + fast->first, fast->lanes);
   return (rt_vi)(rt_vf_clamp(coord, 0.0f, (float)(num_layers - 1)) + 0x1p23f) & 0x7fffff;
}

RT_SIMD rt_vf rt_fast_lerp(rt_vf a, rt_vf b, rt_vf weight)
{
   return a + weight * (b - a);
}

/* 1 where the depth compares with the reference, else 0. Unordered values fail all but NOT_EQUAL and ALWAYS. */
RT_SIMD rt_vf rt_fast_compare(const struct rt_fast *fast, rt_vf depth)
{
   const struct abi_sampler *sampler = fast->sampler;
   const uint32_t op = sampler->compare_enable ? sampler->compare_op : VK_COMPARE_OP_ALWAYS;
   const rt_vf reference = fast->info->channels[0].numeric == RT_UNORM ? rt_vf_clamp(fast->dref, 0, 1) : fast->dref;
   const rt_vi is_less = (rt_vi)(reference < depth), is_equal = (rt_vi)(reference == depth),
               is_greater = (rt_vi)(reference > depth);
   rt_vi passes = rt_vi_set(0);
   if (op & VK_COMPARE_OP_LESS)
      passes |= is_less;
   if (op & VK_COMPARE_OP_EQUAL)
      passes |= is_equal;
   if (op & VK_COMPARE_OP_GREATER)
      passes |= is_greater;
   if (op & VK_COMPARE_OP_LESS && op & VK_COMPARE_OP_GREATER)
      passes |= ~(is_less | is_equal | is_greater);
   return (rt_vf)(passes & 0x3f800000);
}

/* The same of several taps: the comparison is chosen once. */
RT_SIMD void rt_fast_compare_taps(const struct rt_fast *fast, rt_vf *taps, uint32_t num_taps)
{
   const struct abi_sampler *sampler = fast->sampler;
   const rt_vf reference = fast->info->channels[0].numeric == RT_UNORM ? rt_vf_clamp(fast->dref, 0, 1) : fast->dref;
   const rt_vf one = rt_vf_set(1);
#define RT_COMPARE_CASE(name, op)                                                                                      \
   case VK_COMPARE_OP_##name:                                                                                          \
      for (uint32_t t = 0; t < num_taps; t++)                                                                          \
         taps[t] = (rt_vf)((rt_vi)(reference op taps[t]) & (rt_vi)one);                                                \
      break;
   switch (sampler->compare_enable ? sampler->compare_op : VK_COMPARE_OP_ALWAYS) {
      RT_COMPARE_CASE(LESS, <)
      RT_COMPARE_CASE(EQUAL, ==)
      RT_COMPARE_CASE(LESS_OR_EQUAL, <=)
      RT_COMPARE_CASE(GREATER, >)
      RT_COMPARE_CASE(NOT_EQUAL, !=)
      RT_COMPARE_CASE(GREATER_OR_EQUAL, >=)
   default:
      for (uint32_t t = 0; t < num_taps; t++)
         taps[t] = sampler->compare_enable && sampler->compare_op == VK_COMPARE_OP_NEVER ? rt_vf_set(0) : one;
      break;
   }
#undef RT_COMPARE_CASE
}

/* The lanes of a sampling call that are in `left`: each with its own level and texels of any face, together. */
void rt_fast_sample_rest(const struct abi_tex_call *call, uint32_t left);
