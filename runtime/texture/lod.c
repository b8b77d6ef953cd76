/* SPDX-License-Identifier: MIT
 * Level of detail.
 * Spec: Image Operations, "Scale Factor Operation", "LOD Operation", "Image Level(s) Selection". The scale factors are
 * the exact ones. */
#include "runtime/texture/batch.h"

/* log2 of normal floats, error below 5e-6 absolute, exact for powers of two: with m in [sqrt(1/2), sqrt(2)) and
 * x = m - 1, x times a polynomial that meets log2(1 + x) / x at the Chebyshev nodes. Zero and denormals give about -127,
 * infinity 128. */
static inline float log2_of(float value)
{
   union {
      float f;
      int32_t i;
   } v = {.f = value};
   const int32_t exponent = (v.i - 0x3f3504f3) >> 23;
   v.i -= exponent * (1 << 23);
   const float x = v.f - 1.0f, x2 = x * x;
   const float high = (0.479925573f + x * -0.366925771f) + x2 * (0.316898187f + x * -0.202289264f);
   return (float)exponent + x * ((1.44270044f + x * -0.721195752f) + x2 * high);
}

void rt_tex_quad_derivatives(const float *coord, float *ddx, float *ddy)
{
   for (uint32_t q = 0; q < RT_LANES; q += 4) {
      const float dx = coord[q + 1] - coord[q], dy = coord[q + 2] - coord[q];
      for (uint32_t i = q; i < q + 4; i++) {
         ddx[i] = dx;
         ddy[i] = dy;
      }
   }
}

/* The level of detail of the longer edge divided by eta = rho_max / rho_min, at most the sampler's limit, and N = ceil(eta - RT_ETA_SLACK) samples along that
 * edge; more samples than it has texels gain nothing. */
static void spread_samples(const struct rt_tex_batch *batch, const float *rho_x2, const float *rho_y2, float *lambda,
                           struct rt_tex_lods *out)
{
   const float limit = batch->sampler->max_anisotropy;
   float max = 1.0f;
   RT_EACH_LANE(i) {
      const bool is_x = rho_x2[i] > rho_y2[i];
      const float major2 = rt_clampf(is_x ? rho_x2[i] : rho_y2[i], 0x1p-126f, 0x1p126f);
      const float minor2 = rt_clampf(is_x ? rho_y2[i] : rho_x2[i], 0x1p-126f, 0x1p126f);
      const float major = __builtin_sqrtf(major2), ratio = __builtin_sqrtf(major2 / minor2);
      const float eta = rt_clampf(ratio, 1.0f, limit);
      const float count = -rt_floor(-rt_clampf((ratio < major ? ratio : major) - RT_ETA_SLACK, 1.0f, limit));
      out->samples[i] = count;
      /* One sample is at the centre, whatever the footprint is: also where others have more. */
      const bool is_long = count > 1.0f;
      out->major[0][i] = !is_long ? 0.0f : is_x ? batch->ddx[0][i] : batch->ddy[0][i];
      out->major[1][i] = !is_long ? 0.0f : is_x ? batch->ddx[1][i] : batch->ddy[1][i];
      lambda[i] = 0.5f * log2_of(rt_clampf(major2 / (eta * eta), 0x1p-126f, 0x1p126f));
      max = batch->mask >> i & 1 && count > max ? count : max;
   }
   out->max_samples = (uint32_t)max;
}

/* log2 of the larger footprint edge in texels of the base level; with anisotropy that edge divided by the number of
 * samples along it. */
static void implicit_lod(const struct rt_tex_batch *batch, float *lambda, struct rt_tex_lods *out)
{
   const struct abi_level *level = &batch->image->levels[0];
   const float scales[3] = {(float)level->width, (float)level->height, (float)level->depth};
   float rho_x2[RT_LANES], rho_y2[RT_LANES];
   RT_EACH_LANE(i) {
      const float dx = batch->ddx[0][i] * scales[0], dy = batch->ddy[0][i] * scales[0];
      rho_x2[i] = dx * dx;
      rho_y2[i] = dy * dy;
   }
   for (uint32_t a = 1; a < batch->num_axes; a++)
      RT_EACH_LANE(i) {
         const float dx = batch->ddx[a][i] * scales[a], dy = batch->ddy[a][i] * scales[a];
         rho_x2[i] += dx * dx;
         rho_y2[i] += dy * dy;
      }
   if (batch->is_anisotropic) {
      spread_samples(batch, rho_x2, rho_y2, lambda, out);
      return;
   }
   RT_EACH_LANE(i) {
      const float rho2 = rho_x2[i] > rho_y2[i] ? rho_x2[i] : rho_y2[i];
      lambda[i] = 0.5f * log2_of(rt_clampf(rho2, 0x1p-126f, 0x1p126f));
   }
}

void rt_tex_lod(const struct rt_tex_batch *batch, bool is_implicit, struct rt_tex_lods *out)
{
   const struct abi_sampler *sampler = batch->sampler;
   float base[RT_LANES];
   out->max_samples = 1;
   if (is_implicit)
      implicit_lod(batch, base, out);
   else
      RT_EACH_LANE(i)
         base[i] = batch->flags & ABI_TEX_LOD ? batch->lod[i] : 0.0f;

   const bool has_bias = batch->flags & ABI_TEX_BIAS, has_min = batch->flags & ABI_TEX_MIN_LOD;
   const float last = (float)(batch->image->num_levels - 1), view_min = batch->image->min_lod;
   RT_EACH_LANE(i) {
      const float bias = rt_clampf(sampler->lod_bias + (has_bias ? batch->lod[i] : 0.0f), -RT_MAX_LOD_BIAS, RT_MAX_LOD_BIAS);
      const float prime = base[i] + bias;
      const float shader_min = has_min ? batch->min_lod[i] : 0.0f;
      const float min = sampler->min_lod > shader_min || !has_min ? sampler->min_lod : shader_min;
      const float lambda = rt_clampf(prime, min, sampler->max_lod);
      const float level = rt_clampf(lambda, 0.0f, last);
      out->lambda_prime[i] = prime;
      out->lambda[i] = lambda;
      out->level[i] = level > view_min ? level : UTIL_MIN(view_min, last);
   }
}
