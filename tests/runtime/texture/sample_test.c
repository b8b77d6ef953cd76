/* SPDX-License-Identifier: MIT
 * Sampling against a reference that follows the specification's formulas in double precision, lane by lane. */
#include "runtime/format/convert.h"
#include "runtime/image/image.h"
#include "runtime/texture/texture.h"
#include "tests/random.h"
#include "tests/test.h"

#include <math.h>
#include <stdlib.h>

static uint64_t random_state = 7;

static uint32_t random_bits(void)
{
   return (uint32_t)(random_step(&random_state) >> 33);
}

static double random_in(double low, double high)
{
   return low + (high - low) * (random_bits() / 2147483648.0);
}

struct fixture {
   struct rt_image image;
   struct abi_image view;
   struct abi_sampler sampler;
   uint8_t *memory;
   const struct abi_image *view_pointer; /* what a call takes: one for all lanes */
   const struct abi_sampler *sampler_pointer;
};

static void make(struct fixture *f, VkImageType type, VkImageViewType view_type, VkFormat format, VkExtent3D extent,
                 uint32_t levels, uint32_t layers, bool is_tiled)
{
   const VkComponentMapping identity = {0};
   CHECK_EQ(rt_image_init(&f->image, type, format, extent, levels, layers, 1, is_tiled, 1u << 30), VK_SUCCESS);
   f->memory = calloc(1, f->image.size_bytes);
   rt_image_bind(&f->image, f->memory);
   const struct rt_format_info *info = rt_format_info(format);
   rt_image_view_init(&f->view, &f->image, view_type, format, identity,
                      info->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, levels, 0, layers, 0);
   for (uint32_t l = 0; l < levels; l++)
      for (uint32_t layer = 0; layer < layers; layer++)
         for (uint32_t z = 0; z < f->view.levels[l].depth; z++)
            for (uint32_t y = 0; y < f->view.levels[l].height; y++)
               for (uint32_t x = 0; x < f->view.levels[l].width; x++) {
                  uint32_t rgba[1][4];
                  for (int c = 0; c < 4; c++)
                     rgba[0][c] = info->is_int ? random_bits() % 100 : rt_as_bits((float)random_in(0, 1));
                  info->pack(f->memory + layer * f->view.layer_bytes +
                                rt_level_offset(&f->view.levels[l], is_tiled, f->view.texel_bytes, x, y, z, 0, 1),
                             0, 1, (const uint32_t(*)[4])rgba);
               }
   f->sampler = (struct abi_sampler){.max_lod = 1000.0f, .max_anisotropy = 1};
   f->view_pointer = &f->view;
   f->sampler_pointer = &f->sampler;
}

static void run(struct fixture *f, const struct abi_tex_call *call)
{
   rt_sampler_finish(&f->sampler);
   rt_texture_call(call);
}

/* ---- reference ---- */

/* Set when a decision was too close for single precision. */
static bool is_ambiguous;

static double texel(const struct fixture *f, uint32_t level_index, uint32_t layer, const int64_t at[3], int c)
{
   const struct abi_level *level = &f->view.levels[level_index];
   const struct rt_format_info *info = f->view.format_info;
   const int64_t sizes[3] = {level->width, level->height, level->depth};
   for (int a = 0; a < 3; a++)
      if (at[a] < 0 || at[a] >= sizes[a])
         return info->channels[c].bits ? f->sampler.border.f[c] : c == 3;
   uint32_t rgba[1][4];
   info->unpack(f->memory + layer * f->view.layer_bytes +
                   rt_level_offset(level, f->view.is_tiled, f->view.texel_bytes, (uint32_t)at[0], (uint32_t)at[1],
                                   (uint32_t)at[2], 0, 1),
                0, 1, rgba);
   return info->is_int ? rgba[0][c] : rt_as_float(rgba[0][c]);
}

static int64_t wrap(int64_t i, int64_t size, uint32_t mode)
{
   int64_t m;
   switch (mode) {
   case VK_SAMPLER_ADDRESS_MODE_REPEAT: return (i % size + size) % size;
   case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
      m = (i % (2 * size) + 2 * size) % (2 * size) - size;
      return size - 1 - (m >= 0 ? m : -(1 + m));
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE: return i < 0 ? 0 : i >= size ? size - 1 : i;
   case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER: return i < -1 ? -1 : i > size ? size : i;
   default:
      i = i >= 0 ? i : -(1 + i);
      return i >= size ? size - 1 : i;
   }
}

/* Four channels of 8 bits are mixed with weights of 8 bits, where nothing special is asked for. */
static bool has_coarse_weights(const struct fixture *f, int axes)
{
   const struct rt_format_info *info = f->view.format_info;
   bool is_plain = info->texel_bytes == 4 && info->channels[3].bits == 8 && !info->is_int && axes > 1 &&
                   !f->sampler.reduction_mode && !f->sampler.unnormalized;
   for (int a = 0; a < axes; a++)
      is_plain &= f->sampler.address_mode[a] != VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
   return is_plain;
}

static double reference_level(const struct fixture *f, uint32_t level_index, bool is_linear, uint32_t layer, int axes,
                              const double s[3], const int32_t offset[3], int c)
{
   const struct abi_level *level = &f->view.levels[level_index];
   const double sizes[3] = {level->width, level->height, level->depth};
   int64_t base[3] = {0};
   double weight[3] = {0};
   for (int a = 0; a < axes; a++) {
      const double u = (f->sampler.unnormalized ? s[a] : s[a] * sizes[a]) + offset[a] - (is_linear ? 0.5 : 0.0);
      base[a] = (int64_t)floor(u);
      weight[a] = is_linear ? u - floor(u) : 0;
      if (has_coarse_weights(f, axes) && is_linear) {
         const double parts = weight[a] * 256 + 0.5;
         if (fabs(parts - round(parts)) < 3e-2)
            is_ambiguous = true;
         weight[a] = floor(parts) / 256;
      }
      if (!is_linear && fabs(u - round(u)) < 1e-4)
         is_ambiguous = true;
   }
   double sum = 0, least = INFINITY, greatest = -INFINITY;
   for (int corner = 0; corner < 1 << (is_linear ? axes : 0); corner++) {
      int64_t at[3] = {0};
      double w = 1;
      for (int a = 0; a < axes; a++) {
         at[a] = wrap(base[a] + (corner >> a & 1), (int64_t)sizes[a], f->sampler.address_mode[a]);
         w *= corner >> a & 1 ? weight[a] : 1 - weight[a];
      }
      const double value = texel(f, level_index, layer, at, c);
      sum += w * value;
      if (w != 0) {
         least = fmin(least, value);
         greatest = fmax(greatest, value);
      }
   }
   return f->sampler.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MIN   ? least
          : f->sampler.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MAX ? greatest
                                                                       : sum;
}

static double reference(const struct fixture *f, uint32_t layer, int axes, const double s[3], const int32_t offset[3],
                        double lambda, int c)
{
   const double last = f->view.num_levels - 1, d = fmin(fmax(lambda, 0), last);
   const bool is_linear = (lambda <= 0 ? f->sampler.mag_filter : f->sampler.min_filter) == VK_FILTER_LINEAR;
   if (f->sampler.mipmap_mode == VK_SAMPLER_MIPMAP_MODE_NEAREST) {
      if (fabs(d + 0.5 - round(d + 0.5)) < 1e-4)
         is_ambiguous = true;
      return reference_level(f, (uint32_t)(ceil(d + 0.5) - 1), is_linear, layer, axes, s, offset, c);
   }
   const uint32_t high = (uint32_t)floor(d), low = (uint32_t)fmin(high + 1, last);
   const double delta = d - high;
   const double a = reference_level(f, high, is_linear, layer, axes, s, offset, c);
   const double b = reference_level(f, low, is_linear, layer, axes, s, offset, c);
   if (f->sampler.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MIN)
      return delta > 0 ? fmin(a, b) : a;
   if (f->sampler.reduction_mode == VK_SAMPLER_REDUCTION_MODE_MAX)
      return delta > 0 ? fmax(a, b) : a;
   return a + delta * (b - a);
}

/* ---- random calls ---- */

enum { LANES = 32 };

struct lanes {
   uint32_t coords[4][LANES], lod[LANES], offset[3][LANES], dref[LANES], result[4][LANES];
};

/* A call for all of `lanes`, with the fixture's view and sampler and the operands that `l` has; `flags` say which count. */
static struct abi_tex_call make_call(const struct fixture *f, struct lanes *l, uint32_t lanes, uint32_t op, uint32_t dim, uint32_t flags)
{
   struct abi_tex_call call = {.lanes = lanes,
                               .mask = (uint32_t)((UINT64_C(1) << lanes) - 1),
                               .op = op,
                               .dim = dim,
                               .flags = flags,
                               .images = &f->view_pointer,
                               .samplers = &f->sampler_pointer,
                               .is_uniform = 1,
                               .lod = l->lod,
                               .dref = l->dref};
   for (int a = 0; a < 4; a++) {
      call.coords[a] = l->coords[a];
      call.result[a] = l->result[a];
      if (a < 3)
         call.offset[a] = l->offset[a];
   }
   return call;
}

static void random_sampler(struct abi_sampler *sampler)
{
   sampler->mag_filter = random_bits() % 2;
   sampler->min_filter = random_bits() % 2;
   sampler->mipmap_mode = random_bits() % 2;
   for (int a = 0; a < 3; a++)
      sampler->address_mode[a] = random_bits() % 5;
   sampler->reduction_mode = random_bits() % 4 ? 0 : random_bits() % 3;
   for (int c = 0; c < 4; c++)
      sampler->border.f[c] = (float)random_in(0, 1);
}

/* Explicit levels of detail over one fixture; checks each lane. */
static void check_samples(struct fixture *f, uint32_t dim, int axes, bool is_arrayed, uint32_t lanes)
{
   struct lanes l;
   const bool has_offset = random_bits() % 3 == 0;
   random_sampler(&f->sampler);
   const uint32_t flags = ABI_TEX_LOD | (is_arrayed ? ABI_TEX_ARRAYED : 0) | (has_offset ? ABI_TEX_OFFSET : 0);
   struct abi_tex_call call = make_call(f, &l, lanes, ABI_TEX_OP_SAMPLE, dim, flags);
   call.mask = random_bits() | 1;
   const double spread = random_bits() % 2 ? 1.0 : 4.0;
   for (uint32_t i = 0; i < lanes; i++) {
      for (int a = 0; a < 3; a++) {
         l.coords[a][i] = rt_as_bits((float)random_in(0.5 - spread, 0.5 + spread));
         l.offset[a][i] = has_offset ? (uint32_t)((int32_t)(random_bits() % 16) - 8) : 0;
      }
      l.coords[axes][i] = is_arrayed ? rt_as_bits((float)random_in(-1, f->view.num_layers)) : l.coords[axes][i];
      l.lod[i] = rt_as_bits((float)random_in(-1, f->view.num_levels));
      for (int c = 0; c < 4; c++)
         l.result[c][i] = 0xdeadbeef;
   }
   run(f, &call);
   for (uint32_t i = 0; i < lanes; i++) {
      if (!(call.mask >> i & 1)) {
         CHECK_EQ(l.result[0][i], 0xdeadbeef);
         continue;
      }
      double s[3];
      int32_t offset[3];
      for (int a = 0; a < 3; a++) {
         s[a] = rt_as_float(l.coords[a][i]);
         offset[a] = (int32_t)l.offset[a][i];
      }
      const double a = is_arrayed ? rint(rt_as_float(l.coords[axes][i])) : 0;
      const uint32_t layer = (uint32_t)fmin(fmax(a, 0), f->view.num_layers - 1);
      for (int c = 0; c < 4; c++) {
         is_ambiguous = false;
         const double expected = reference(f, layer, axes, s, offset, rt_as_float(l.lod[i]), c);
         const double tolerance = f->sampler.reduction_mode ? 1e-6 : 2e-5 * (1 + spread);
         if (!is_ambiguous && !(fabs(rt_as_float(l.result[c][i]) - expected) <= tolerance)) {
            fprintf(stderr,
                    "%s dim %u lane %u component %d: %.9g, not %.9g (modes %u %u %u, filters %u %u %u, lod %g, at %g "
                    "%g %g)\n",
                    rt_format_info(f->view.format)->name, dim, i, c, rt_as_float(l.result[c][i]), expected,
                    f->sampler.address_mode[0], f->sampler.address_mode[1], f->sampler.address_mode[2],
                    f->sampler.mag_filter, f->sampler.min_filter, f->sampler.mipmap_mode, rt_as_float(l.lod[i]), s[0],
                    s[1], s[2]);
            test_fail(__FILE__, __LINE__, "sample");
            return;
         }
      }
   }
}

static void check_all(VkImageType type, VkImageViewType view_type, uint32_t dim, int axes, VkExtent3D extent,
                      uint32_t layers)
{
   static const VkFormat formats[] = {
      VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM,      VK_FORMAT_R8G8B8A8_SRGB,
      VK_FORMAT_R32_SFLOAT,     VK_FORMAT_R16G16_SFLOAT,       VK_FORMAT_R32G32B32A32_SFLOAT,
      VK_FORMAT_R8_UNORM,       VK_FORMAT_R5G6B5_UNORM_PACK16, VK_FORMAT_R8G8B8_UNORM};
   uint32_t levels = 1;
   while (UTIL_MAX(UTIL_MAX(extent.width, extent.height), extent.depth) >> levels)
      levels++;
   for (uint32_t k = 0; k < UTIL_ARRAY_SIZE(formats); k++) {
      for (int is_tiled = 0; is_tiled < 2; is_tiled++) {
         struct fixture f;
         make(&f, type, view_type, formats[k], extent, random_bits() % 2 ? levels : 1, layers, is_tiled);
         for (int round = 0; round < 60; round++)
            check_samples(&f, dim, axes, layers > 1, (uint32_t[]){4, 8, 16, 32}[round % 4]);
         free(f.memory);
         if (test_failures_in_case > 3)
            return;
      }
   }
}

TEST(one_dimension)
{
   check_all(VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, ABI_DIM_1D, 1, (VkExtent3D){13, 1, 1}, 1);
   check_all(VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY, ABI_DIM_1D, 1, (VkExtent3D){70, 1, 1}, 3);
}

TEST(two_dimensions)
{
   check_all(VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 2, (VkExtent3D){37, 90, 1}, 1);
   check_all(VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 2, (VkExtent3D){1, 2, 1}, 1);
   check_all(VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, ABI_DIM_2D, 2, (VkExtent3D){16, 8, 1}, 5);
}

TEST(three_dimensions)
{
   check_all(VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, ABI_DIM_3D, 3, (VkExtent3D){9, 20, 7}, 1);
}

TEST(implicit_lod_of_quads)
{
   struct fixture f;
   struct lanes l;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent3D){64, 32, 1}, 7, 1, true);
   f.sampler.mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
   f.sampler.lod_bias = 0.25f;
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_QUERY_LOD, ABI_DIM_2D, 0);
   call.quad_size = 4;
   for (int round = 0; round < 1000; round++) {
      double dx[4][2], dy[4][2];
      const double scale = exp2(random_in(-8, 2));
      for (uint32_t q = 0; q < 4; q++) {
         const double s = random_in(0, 1), t = random_in(0, 1);
         for (int a = 0; a < 2; a++) {
            dx[q][a] = random_in(-scale, scale);
            dy[q][a] = random_in(-scale, scale);
         }
         for (uint32_t i = 0; i < 4; i++) {
            l.coords[0][q * 4 + i] = rt_as_bits((float)(s + (i & 1) * dx[q][0] + (i >> 1) * dy[q][0]));
            l.coords[1][q * 4 + i] = rt_as_bits((float)(t + (i & 1) * dx[q][1] + (i >> 1) * dy[q][1]));
         }
      }
      run(&f, &call);
      for (uint32_t i = 0; i < 16; i++) {
         const uint32_t q = i / 4;
         const double rx = hypot(dx[q][0] * 64, dx[q][1] * 32), ry = hypot(dy[q][0] * 64, dy[q][1] * 32);
         const double lambda = log2(fmax(rx, ry)) + 0.25;
         CHECK(fabs(rt_as_float(l.result[1][i]) - lambda) < 1e-3);
         CHECK(fabs(rt_as_float(l.result[0][i]) - fmin(fmax(lambda, 0), 6)) < 1e-3);
      }
   }
   free(f.memory);
}

/* Along the longer edge of the footprint, the average of N samples at the level of the shorter one. */
TEST(anisotropic_footprints)
{
   struct fixture f;
   struct lanes l;
   uint32_t ddx[2][LANES], ddy[2][LANES];
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM, (VkExtent3D){64, 64, 1}, 7, 1, true);
   f.sampler.mag_filter = f.sampler.min_filter = VK_FILTER_LINEAR;
   f.sampler.mipmap_mode = VK_SAMPLER_MIPMAP_MODE_LINEAR;
   f.sampler.max_anisotropy = 8;
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_SAMPLE, ABI_DIM_2D, ABI_TEX_GRAD);
   for (int a = 0; a < 2; a++) {
      call.ddx[a] = ddx[a];
      call.ddy[a] = ddy[a];
   }
   for (int trial = 0; trial < 100; trial++) {
      for (uint32_t i = 0; i < 16; i++) {
         const double angle = random_in(0, 6.28), length = (trial % 2 ? random_in(4, 40) : random_in(1, 2)) / 64, ratio = random_in(1, 12);
         const bool is_x = random_bits() % 2;
         const double sides[2] = {length, length / ratio};
         for (int a = 0; a < 2; a++) {
            l.coords[a][i] = rt_as_bits((float)random_in(0, 1));
            ddx[a][i] = rt_as_bits((float)(sides[!is_x] * (a ? sin(angle) : cos(angle))));
            ddy[a][i] = rt_as_bits((float)(sides[is_x] * (a ? cos(angle) : -sin(angle))));
         }
      }
      run(&f, &call);
      for (uint32_t i = 0; i < 16; i++) {
         const double dx = hypot(rt_as_float(ddx[0][i]), rt_as_float(ddx[1][i])) * 64;
         const double dy = hypot(rt_as_float(ddy[0][i]), rt_as_float(ddy[1][i])) * 64;
         const double major = fmax(dx, dy), ratio = major / fmin(dx, dy), eta = fmin(ratio, 8);
         const double reached = fmax(1, fmin(fmin(ratio, major) - RT_ETA_SLACK, 8)), n = ceil(reached);
         const uint32_t(*edge)[LANES] = dx > dy ? ddx : ddy;
         if (reached > 1 && fabs(reached - round(reached)) < 1e-3)
            continue;
         for (int c = 0; c < 4; c++) {
            double sum = 0;
            is_ambiguous = false;
            for (int k = 1; k <= n; k++) {
               double s[3] = {0};
               const int32_t offset[3] = {0};
               for (int a = 0; a < 2; a++)
                  s[a] = rt_as_float(l.coords[a][i]) + (k / (n + 1) - 0.5) * rt_as_float(edge[a][i]);
               sum += reference(&f, 0, 2, s, offset, log2(major / eta), c) / n;
            }
            CHECK(is_ambiguous || fabs(rt_as_float(l.result[c][i]) - sum) < 1e-4);
         }
      }
   }
   free(f.memory);
}

/* The texel that a direction hits, and filtering that is continuous over edges: a cube whose texels are the direction
 * of their centre. */
TEST(cube_directions)
{
   static const int faces[6][3][3] = {{{0, 0, -1}, {0, -1, 0}, {1, 0, 0}}, {{0, 0, 1}, {0, -1, 0}, {-1, 0, 0}},
                                      {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},   {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
                                      {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}},  {{-1, 0, 0}, {0, -1, 0}, {0, 0, -1}}};
   struct fixture f;
   struct lanes l;
   const uint32_t n = 16;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, VK_FORMAT_R32G32B32A32_SFLOAT, (VkExtent3D){n, n, 1}, 1, 6,
        true);
   for (uint32_t face = 0; face < 6; face++)
      for (uint32_t y = 0; y < n; y++)
         for (uint32_t x = 0; x < n; x++) {
            float direction[4] = {0};
            for (int a = 0; a < 3; a++)
               direction[a] = (float)(faces[face][0][a] * ((2 * x + 1.0) / n - 1) +
                                      faces[face][1][a] * ((2 * y + 1.0) / n - 1) + faces[face][2][a]);
            memcpy(f.memory + face * f.view.layer_bytes + rt_level_offset(&f.view.levels[0], true, 16, x, y, 0, 0, 1),
                   direction, 16);
         }
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_SAMPLE, ABI_DIM_CUBE, 0);
   for (int round = 0; round < 4000; round++) {
      f.sampler.mag_filter = f.sampler.min_filter = round % 2;
      for (uint32_t i = 0; i < 16; i++)
         for (int a = 0; a < 3; a++)
            l.coords[a][i] = rt_as_bits((float)random_in(-1, 1));
      run(&f, &call);
      for (uint32_t i = 0; i < 16; i++) {
         double r[3], major = 0, error = 0;
         for (int a = 0; a < 3; a++) {
            r[a] = rt_as_float(l.coords[a][i]);
            major = fmax(major, fabs(r[a]));
         }
         for (int a = 0; a < 3; a++)
            error = fmax(error, fabs(r[a] / major - rt_as_float(l.result[a][i])));
         CHECK(error <= (round % 2 ? 1.01 / n : 1.01 / n)); /* half a texel; linear: exact but at edges */
         double least = 1;
         for (int a = 0; a < 3; a++)
            least = fmin(least, fabs(fabs(r[a] / major) - 1) + (fabs(r[a]) == major));
         if (round % 2 && least > 1.0 / n)
            CHECK(error < 1e-4);
      }
   }
   free(f.memory);
}

TEST(depth_comparison)
{
   struct fixture f;
   struct lanes l;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_D32_SFLOAT, (VkExtent3D){8, 8, 1}, 1, 1, true);
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_SAMPLE, ABI_DIM_2D, ABI_TEX_DREF | ABI_TEX_LOD);
   f.sampler.compare_enable = 1;
   for (uint32_t op = 0; op < 8; op++) {
      f.sampler.compare_op = (uint8_t)op;
      for (uint32_t i = 0; i < 16; i++) {
         const uint32_t x = random_bits() % 8, y = random_bits() % 8;
         const double depth = texel(&f, 0, 0, (const int64_t[3]){x, y, 0}, 0);
         l.coords[0][i] = rt_as_bits((float)((x + 0.5) / 8));
         l.coords[1][i] = rt_as_bits((float)((y + 0.5) / 8));
         l.lod[i] = 0;
         l.dref[i] = rt_as_bits((float)(depth + ((int)(i % 3) - 1) * 0.01));
      }
      for (int filter = 0; filter < 2; filter++) {
         f.sampler.mag_filter = f.sampler.min_filter = (uint8_t)filter;
         run(&f, &call);
         for (uint32_t i = 0; i < 16; i++) {
            const bool passes = i % 3 == 0 ? op & 1 : i % 3 == 1 ? op & 2 : op & 4; /* reference less, equal, greater */
            CHECK(rt_as_float(l.result[0][i]) == (passes ? 1.0f : 0.0f));
         }
      }
   }
   free(f.memory);
}

TEST(gather_order_and_components)
{
   struct fixture f;
   struct lanes l;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R8G8B8A8_UINT, (VkExtent3D){8, 8, 1}, 1, 1, false);
   uint32_t component[16];
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_GATHER, ABI_DIM_2D, ABI_TEX_COMPONENT);
   call.component = component;
   for (uint32_t i = 0; i < 16; i++) {
      component[i] = i % 4;
      l.coords[0][i] = rt_as_bits((float)((i % 6 + 1.0) / 8));
      l.coords[1][i] = rt_as_bits((float)((i / 6 + 2.0) / 8));
   }
   run(&f, &call);
   for (uint32_t i = 0; i < 16; i++) {
      static const int dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
      for (int k = 0; k < 4; k++)
         CHECK_EQ(l.result[k][i],
                  texel(&f, 0, 0, (const int64_t[3]){i % 6 + dx[k], i / 6 + 1 + dy[k], 0}, (int)component[i]));
   }
   free(f.memory);
}

TEST(fetch_is_bounded)
{
   struct fixture f;
   struct lanes l;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R16G16B16A16_SFLOAT, (VkExtent3D){20, 10, 1}, 3, 4,
        true);
   struct abi_tex_call call = make_call(&f, &l, 32, ABI_TEX_OP_FETCH, ABI_DIM_2D, ABI_TEX_LOD | ABI_TEX_ARRAYED);
   for (int round = 0; round < 500; round++) {
      for (uint32_t i = 0; i < 32; i++) {
         l.coords[0][i] = random_bits() % 30 - 5;
         l.coords[1][i] = random_bits() % 20 - 5;
         l.coords[2][i] = random_bits() % 6 - 1;
         l.lod[i] = random_bits() % 5 - 1;
         if (random_bits() % 50 == 0)
            l.coords[i % 3][i] = random_bits() << 1;
      }
      run(&f, &call);
      for (uint32_t i = 0; i < 32; i++) {
         const uint32_t level = l.lod[i];
         const bool inside = level < 3 && l.coords[2][i] < 4 && l.coords[0][i] < f.view.levels[level].width &&
                             l.coords[1][i] < f.view.levels[level].height;
         for (int c = 0; c < 4; c++) {
            const float expected = inside ? (float)texel(&f, level, l.coords[2][i],
                                                         (const int64_t[3]){l.coords[0][i], l.coords[1][i], 0}, c)
                                          : 0;
            CHECK(rt_as_float(l.result[c][i]) == expected);
         }
      }
   }
   free(f.memory);
}

/* What a lane gets doesn't depend on what others sample. */
TEST(descriptors_of_lanes)
{
   struct fixture f[3];
   struct lanes l;
   uint32_t expected[3][4][16];
   const VkFormat formats[3] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_B8G8R8A8_SRGB};
   for (uint32_t k = 0; k < 3; k++) {
      make(&f[k], VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, formats[k], (VkExtent3D){32, 32, 1}, 1, 1, true);
      f[k].sampler.mag_filter = f[k].sampler.min_filter = VK_FILTER_LINEAR;
   }
   for (uint32_t i = 0; i < 16; i++)
      for (int a = 0; a < 2; a++)
         l.coords[a][i] = rt_as_bits((float)random_in(-1, 2));
   const struct abi_image *images[16];
   const struct abi_sampler *samplers[16];
   struct abi_tex_call call = make_call(&f[0], &l, 16, ABI_TEX_OP_SAMPLE, ABI_DIM_2D, 0);
   call.images = images;
   call.samplers = samplers;
   for (uint32_t k = 0; k < 3; k++) {
      images[0] = &f[k].view;
      samplers[0] = &f[k].sampler;
      run(&f[k], &call);
      for (uint32_t c = 0; c < 4; c++)
         memcpy(expected[k][c], l.result[c], sizeof(expected[k][c]));
   }
   call.is_uniform = 0;
   for (uint32_t i = 0; i < 16; i++) {
      images[i] = &f[i * 7 % 3].view;
      samplers[i] = &f[i * 7 % 3].sampler;
   }
   rt_texture_call(&call);
   for (uint32_t i = 0; i < 16; i++)
      for (uint32_t c = 0; c < 4; c++)
         CHECK_EQ(l.result[c][i], expected[i * 7 % 3][c][i]);
   for (uint32_t k = 0; k < 3; k++)
      free(f[k].memory);
}

/* At a texel's centre the weights are 0, 1, 0, 0; halfway -1/16, 9/16, 9/16, -1/16. */
TEST(cubic_filtering)
{
   struct fixture f;
   struct lanes l;
   make(&f, VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_SFLOAT, (VkExtent3D){8, 4, 1}, 1, 1, true);
   f.sampler.mag_filter = f.sampler.min_filter = ABI_FILTER_CUBIC;
   f.sampler.address_mode[0] = f.sampler.address_mode[1] = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
   struct abi_tex_call call = make_call(&f, &l, 16, ABI_TEX_OP_SAMPLE, ABI_DIM_2D, 0);
   for (uint32_t i = 0; i < 16; i++) {
      l.coords[0][i] = rt_as_bits((float)(i + 1) / 16);
      l.coords[1][i] = rt_as_bits(0.375f);
   }
   run(&f, &call);
   for (uint32_t i = 0; i < 16; i++) {
      static const double halfway[4] = {-1 / 16.0, 9 / 16.0, 9 / 16.0, -1 / 16.0}, centre[4] = {0, 1, 0, 0};
      const double *weights = i % 2 ? halfway : centre;
      double sum = 0;
      for (int k = 0; k < 4; k++) {
         const int64_t x = (int64_t)((int)i - 1 + (int)(i % 2 == 0)) / 2 + k - 1;
         const int64_t at[3] = {x < 0 ? 0 : x > 7 ? 7 : x, 1, 0};
         sum += weights[k] * texel(&f, 0, 0, at, 0);
      }
      CHECK(fabs(rt_as_float(l.result[0][i]) - sum) < 1e-6);
      CHECK(rt_as_float(l.result[3][i]) == 1);
   }
   free(f.memory);
}

TEST(null_images_give_zeros)
{
   struct lanes l;
   struct abi_image empty = {.num_levels = 1};
   struct abi_sampler sampler = {0};
   const struct abi_image *images[4] = {NULL, &empty, NULL, &empty};
   const struct abi_sampler *samplers[4] = {NULL, &sampler, &sampler, NULL};
   memset(&l, 0x55, sizeof(l));
   struct abi_tex_call call = {.lanes = 4,
                               .mask = 7,
                               .op = ABI_TEX_OP_SAMPLE,
                               .dim = ABI_DIM_2D,
                               .images = images,
                               .samplers = samplers,
                               .coords = {l.coords[0], l.coords[1]},
                               .result = {l.result[0], l.result[1], l.result[2], l.result[3]}};
   rt_texture_call(&call);
   for (int c = 0; c < 4; c++) {
      CHECK(l.result[c][0] == 0 && l.result[c][1] == 0 && l.result[c][2] == 0);
      CHECK_EQ(l.result[c][3], 0x55555555);
   }
}

TEST_MAIN
