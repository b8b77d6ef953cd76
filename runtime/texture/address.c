/* SPDX-License-Identifier: MIT
 * From normalised coordinates to texel coordinates along one axis.
 * Spec: Image Operations, "(u,v,w,a) to (i,j,k,l,n) Transformation" and "Wrapping Operation". */
#include "runtime/texture/batch.h"

/* Larger than any coordinate that matters, small enough for exact integer arithmetic. */
#define FAR 1048576.0f

/* Repeating modes are reduced to one period before scaling: far coordinates keep their fraction, and no integer
 * division is needed. */
static void unnormalize(float *u, const float *coord, uint32_t size, uint32_t mode, bool is_unnormalized)
{
   const float scale = is_unnormalized ? 1.0f : (float)size;
   if (!is_unnormalized && mode == VK_SAMPLER_ADDRESS_MODE_REPEAT) {
      RT_EACH_LANE(i) {
         const float s = rt_clampf(coord[i], -8388608.0f, 8388608.0f);
         u[i] = (s - rt_floor(s)) * scale;
      }
   } else if (!is_unnormalized && mode == VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT) {
      RT_EACH_LANE(i) {
         const float s = rt_clampf(coord[i], -8388608.0f, 8388608.0f);
         u[i] = (s - 2.0f * rt_floor(s * 0.5f)) * scale;
      }
   } else {
      RT_EACH_LANE(i)
         u[i] = rt_clampf(coord[i] * scale, -FAR, FAR);
   }
}

static void wrap(int32_t *index, int32_t size, uint32_t mode, bool is_far)
{
   switch (mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT:
      if (is_far)
         RT_EACH_LANE(i)
            index[i] %= size;
      RT_EACH_LANE(i) {
         const int32_t low = index[i] + (index[i] < 0 ? size : 0);
         index[i] = low - (low >= size ? size : 0);
      }
      break;
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
      if (is_far)
         RT_EACH_LANE(i)
            index[i] %= 2 * size;
      RT_EACH_LANE(i) {
         const int32_t low = index[i] + (index[i] < 0 ? 2 * size : 0);
         const int32_t m = low - (low >= 2 * size ? 2 * size : 0) - size;
         index[i] = size - 1 - (m >= 0 ? m : -1 - m);
      }
      break;
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
      RT_EACH_LANE(i)
         index[i] = rt_clampi(index[i], -1, size);
      break;
   case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
      RT_EACH_LANE(i)
         index[i] = rt_clampi(index[i] >= 0 ? index[i] : -1 - index[i], 0, size - 1);
      break;
   default:
      RT_EACH_LANE(i)
         index[i] = rt_clampi(index[i], 0, size - 1);
      break;
   }
}

void rt_tex_axis(struct rt_tex_axis *out, const float *coord, uint32_t size, uint32_t address_mode,
                 bool is_unnormalized, bool is_linear, const int32_t *offset)
{
   float u[RT_LANES];
   unnormalize(u, coord, size, address_mode, is_unnormalized);
   const float shift = is_linear ? 0.5f : 0.0f;
   RT_EACH_LANE(i) {
      const float v = u[i] - shift, whole = rt_floor(v);
      out->weight[i] = v - whole;
      out->i0[i] = (int32_t)whole;
   }
   if (offset)
      RT_EACH_LANE(i)
         out->i0[i] += rt_clampi(offset[i], -65536, 65536);
   RT_EACH_LANE(i)
      out->i1[i] = out->i0[i] + 1;

   /* Without an offset repeating coordinates are at most one texel outside of a period. */
   const bool is_far = offset || is_unnormalized;
   wrap(out->i0, (int32_t)size, address_mode, is_far);
   if (is_linear)
      wrap(out->i1, (int32_t)size, address_mode, is_far);
}
