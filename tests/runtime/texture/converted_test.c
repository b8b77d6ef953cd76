/* SPDX-License-Identifier: MIT
 * Sampling with Y'CbCr conversions: every format that needs one and some that do not, both layouts, all filters, chroma
 * locations, models and ranges, against the specification's formulas in double precision. Texels are read from memory by
 * what the formats' names say, not through the table of formats. And the same bits from every instruction set level. */
#include "runtime/format/convert.h"
#include "runtime/texture/levels.h"
#include "runtime/texture/conversion.h"
#include "runtime/texture/texture.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <math.h>
#include <stdlib.h>

static const struct {
   enum util_cpu_level level;
   rt_tex_run_fn *run;
} variants[] = {
   {UTIL_CPU_V1, rt_tex_run},
#ifdef __x86_64__
   {UTIL_CPU_V3, rt_tex_run_v3}, {UTIL_CPU_V4, rt_tex_run_v4},
#endif
};

static uint64_t random_state = 11;

static uint32_t random_bits(void)
{
   return (uint32_t)(random_step(&random_state) >> 33);
}

static double random_in(double low, double high)
{
   return low + (high - low) * (random_bits() / 2147483648.0);
}

enum { WIDTH = 14, HEIGHT = 10, LAYERS = 3, LANES = 32 };

struct fixture {
   VkFormat format;
   const char *name;
   uint32_t bits, x_log2, y_log2; /* of components; of chroma's subsampling */
   struct rt_image image;
   struct abi_image view;
   struct abi_conversion state;
   struct rt_conversion conversion;
   struct abi_sampler sampler;
   const struct abi_image *view_pointer;
   const struct abi_sampler *sampler_pointer;
   uint8_t *memory;
   bool is_arrayed; /* calls say so */
};

/* ---- texels ---- */

/* G8_B8R8_2PLANE: the planes are what stands between the first underscores. */
static bool find_component(const char *name, char component, uint32_t *plane, uint32_t *channel, uint32_t *count)
{
   bool is_found = false;
   *plane = 0;
   for (const char *p = name; *p && !strchr("23", *p);) {
      uint32_t i = 0;
      for (; *p && *p != '_'; p++) {
         if (!strchr("RGBA", *p))
            continue;
         if (*p == component) {
            *channel = i;
            is_found = true;
         }
         i++;
      }
      *count = i;
      if (is_found)
         return true;
      ++*plane;
      p += *p == '_';
   }
   return false;
}

/* Raw code of a component at texel (x, y) of luma's or chroma's grid. */
static uint32_t code_at(const struct fixture *f, char component, uint32_t x, uint32_t y, uint32_t layer)
{
   const uint32_t bytes = f->bits > 8 ? 2 : 1, padding = bytes * 8 - f->bits;
   const bool is_paired = !strstr(f->name, "PLANE") && strstr(f->name, "_422_");
   uint32_t plane = 0, channel = 0, count = 4;
   uint64_t offset;
   if (is_paired) { /* in rows: two of luma, one of each chroma */
      const bool is_luma_first = f->name[0] == 'G';
      const uint32_t block = component == 'G' ? x / 2 : x;
      channel = component == 'G' ? x % 2 * 2 + !is_luma_first : (uint32_t)(strchr(f->name, component) > strchr(f->name, component == 'R' ? 'B' : 'R')) * 2 + is_luma_first;
      offset = (uint64_t)y * f->image.planes[0].levels[0].row_pitch_bytes + block * 4 * bytes;
   } else {
      CHECK(find_component(f->name, component, &plane, &channel, &count));
      offset = rt_level_offset(&f->image.planes[plane].levels[0], f->image.is_tiled, count * bytes, x, y, 0, 0, 1);
   }
   const uint8_t *at = f->image.planes[plane].data + layer * f->image.planes[plane].layer_bytes + offset + channel * bytes;
   return (bytes == 2 ? (uint32_t)at[0] | (uint32_t)at[1] << 8 : at[0]) >> padding;
}

static bool has_alpha(const char *name)
{
   return strstr(name, "A8") || strstr(name, "A10X6") || strstr(name, "A12X4") || strstr(name, "A16");
}

static double value_at(const struct fixture *f, char component, int64_t x, int64_t y, uint32_t layer)
{
   const int64_t width = component == 'R' || component == 'B' ? WIDTH >> f->x_log2 : WIDTH;
   const int64_t height = component == 'R' || component == 'B' ? HEIGHT >> f->y_log2 : HEIGHT;
   x = x < 0 ? 0 : x >= width ? width - 1 : x;
   y = y < 0 ? 0 : y >= height ? height - 1 : y;
   if (component == 'A' && !has_alpha(f->name))
      return 1;
   return code_at(f, component, (uint32_t)x, (uint32_t)y, layer) / (double)((1u << f->bits) - 1);
}

/* ---- reconstruction ---- */

static bool is_ambiguous; /* a decision was too close for single precision */

static int64_t whole(double u)
{
   if (fabs(u - round(u)) < 1e-4)
      is_ambiguous = true;
   return (int64_t)floor(u);
}

/* Planes of bytes are mixed with weights of 8 bits, where both filters are linear and nothing special is asked for. */
static bool has_coarse_weights(const struct fixture *f)
{
   const bool is_chroma_linear = f->conversion.chroma_filter == VK_FILTER_LINEAR || !f->x_log2;
   return f->bits == 8 && f->image.num_planes > 1 && !f->is_arrayed && f->sampler.mag_filter == VK_FILTER_LINEAR &&
          f->sampler.min_filter == VK_FILTER_LINEAR && is_chroma_linear && (!f->conversion.is_explicit || !f->x_log2);
}

static double weight_of(const struct fixture *f, double weight)
{
   const double parts = weight * 256 + 0.5;
   if (!has_coarse_weights(f))
      return weight;
   if (fabs(parts - round(parts)) < 1e-2)
      is_ambiguous = true;
   return floor(parts) / 256;
}

/* At unnormalized (u, v) of the component's grid. */
static double filtered(const struct fixture *f, char component, double u, double v, bool is_linear, uint32_t layer)
{
   if (!is_linear)
      return value_at(f, component, whole(u), whole(v), layer);
   const double x = floor(u - 0.5), y = floor(v - 0.5), a = weight_of(f, u - 0.5 - x), b = weight_of(f, v - 0.5 - y);
   double sum = 0;
   for (int t = 0; t < 4; t++)
      sum += value_at(f, component, (int64_t)x + (t & 1), (int64_t)y + (t >> 1), layer) * (t & 1 ? a : 1 - a) * (t >> 1 ? b : 1 - b);
   return sum;
}

static double chroma_coord(double u, uint32_t log2, VkChromaLocation location)
{
   return !log2 ? u : location == VK_CHROMA_LOCATION_COSITED_EVEN ? 0.5 * (u + 0.5) : 0.5 * u;
}

/* Chroma at the texel (i, j) of luma. Spec: "Explicit Reconstruction". */
static double reconstructed(const struct fixture *f, char component, int64_t i, int64_t j, uint32_t layer)
{
   if (f->conversion.chroma_filter == VK_FILTER_NEAREST)
      return value_at(f, component, (i < 0 ? 0 : i) >> f->x_log2, (j < 0 ? 0 : j) >> f->y_log2, layer);
   const double x = !f->x_log2 ? (double)i : 0.5 * ((double)i - (f->conversion.x_offset == VK_CHROMA_LOCATION_MIDPOINT ? 0.5 : 0));
   const double y = !f->y_log2 ? (double)j : 0.5 * ((double)j - (f->conversion.y_offset == VK_CHROMA_LOCATION_MIDPOINT ? 0.5 : 0));
   return filtered(f, component, x + 0.5, y + 0.5, true, layer);
}

static double sampled(const struct fixture *f, char component, double u, double v, uint32_t layer)
{
   const bool is_linear = f->sampler.mag_filter == VK_FILTER_LINEAR;
   const bool is_chroma = (component == 'R' || component == 'B') && (f->x_log2 || f->y_log2);
   if (!is_chroma)
      return filtered(f, component, u, v, is_linear, layer);
   if (!f->conversion.is_explicit)
      return filtered(f, component, chroma_coord(u, f->x_log2, f->conversion.x_offset), chroma_coord(v, f->y_log2, f->conversion.y_offset),
                      f->conversion.chroma_filter == VK_FILTER_LINEAR, layer);
   if (!is_linear)
      return reconstructed(f, component, UTIL_CLAMP(whole(u), 0, WIDTH - 1), UTIL_CLAMP(whole(v), 0, HEIGHT - 1), layer);
   const double x = floor(u - 0.5), y = floor(v - 0.5), a = u - 0.5 - x, b = v - 0.5 - y;
   double sum = 0;
   for (int t = 0; t < 4; t++)
      sum += reconstructed(f, component, (int64_t)x + (t & 1), (int64_t)y + (t >> 1), layer) * (t & 1 ? a : 1 - a) * (t >> 1 ? b : 1 - b);
   return sum;
}

/* ---- conversion ---- */

static double swizzled(const struct fixture *f, VkComponentSwizzle swizzle, char identity, double u, double v, uint32_t layer)
{
   switch (swizzle) {
   case VK_COMPONENT_SWIZZLE_ZERO: return 0;
   case VK_COMPONENT_SWIZZLE_ONE: return 1;
   case VK_COMPONENT_SWIZZLE_IDENTITY: return sampled(f, identity, u, v, layer);
   default: return sampled(f, "RGBA"[swizzle - VK_COMPONENT_SWIZZLE_R], u, v, layer);
   }
}

static void expected_color(const struct fixture *f, double u, double v, uint32_t layer, double out[4])
{
   const VkComponentMapping *m = &f->conversion.components;
   double c[4] = {swizzled(f, m->r, 'R', u, v, layer), swizzled(f, m->g, 'G', u, v, layer),
                  swizzled(f, m->b, 'B', u, v, layer), swizzled(f, m->a, 'A', u, v, layer)};
   memcpy(out, c, sizeof(c));
   if (f->conversion.model == VK_SAMPLER_YCBCR_MODEL_CONVERSION_RGB_IDENTITY)
      return;
   const double n = f->bits, max = exp2(n) - 1;
   double y = c[1], cr = c[0] - exp2(n - 1) / max, cb = c[2] - exp2(n - 1) / max;
   if (f->conversion.range == VK_SAMPLER_YCBCR_RANGE_ITU_NARROW) {
      y = (c[1] * max - 16 * exp2(n - 8)) / (219 * exp2(n - 8));
      cr = (c[0] * max - 128 * exp2(n - 8)) / (224 * exp2(n - 8));
      cb = (c[2] * max - 128 * exp2(n - 8)) / (224 * exp2(n - 8));
   }
   switch (f->conversion.model) {
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_709:
      out[0] = y + 1.5748 * cr;
      out[1] = y - 0.13397432 / 0.7152 * cb - 0.33480248 / 0.7152 * cr;
      out[2] = y + 1.8556 * cb;
      break;
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_601:
      out[0] = y + 1.402 * cr;
      out[1] = y - 0.202008 / 0.587 * cb - 0.419198 / 0.587 * cr;
      out[2] = y + 1.772 * cb;
      break;
   case VK_SAMPLER_YCBCR_MODEL_CONVERSION_YCBCR_2020:
      out[0] = y + 1.4746 * cr;
      out[1] = y - 0.11156702 / 0.6780 * cb - 0.38737742 / 0.6780 * cr;
      out[2] = y + 1.8814 * cb;
      break;
   default:
      out[0] = cr;
      out[1] = y;
      out[2] = cb;
      break;
   }
}

/* ---- fixtures ---- */

static void make(struct fixture *f, VkFormat format, bool is_tiled, bool is_disjoint)
{
   memset(f, 0, sizeof(*f));
   f->format = format;
   f->name = rt_format_info(format)->name;
   f->bits = strstr(f->name, "10X6") ? 10 : strstr(f->name, "12X4") ? 12 : strstr(f->name, "16") == f->name + 1 ? 16 : 8;
   f->x_log2 = strstr(f->name, "_420_") || strstr(f->name, "_422_");
   f->y_log2 = strstr(f->name, "_420_") != NULL;
   CHECK_EQ(rt_image_init(&f->image, VK_IMAGE_TYPE_2D, format, (VkExtent3D){WIDTH, HEIGHT, 1}, 1, LAYERS, 1, is_tiled, 1u << 30), VK_SUCCESS);
   const uint64_t bytes = f->image.size_bytes * 3;
   f->memory = malloc(bytes);
   for (uint64_t i = 0; i < bytes; i++)
      f->memory[i] = (uint8_t)random_bits();
   if (is_disjoint) { /* planes in the other order */
      uint64_t at = 0;
      rt_image_make_disjoint(&f->image);
      for (uint32_t p = f->image.num_planes; p-- > 0;) {
         rt_image_bind_plane(&f->image, p, f->memory + at);
         at += rt_image_disjoint_bytes(&f->image, p);
      }
      CHECK(at <= bytes);
   } else {
      rt_image_bind(&f->image, f->memory);
   }
   f->view_pointer = &f->view;
   f->sampler_pointer = &f->sampler;
}

static void random_conversion(struct fixture *f, bool is_arrayed)
{
   const bool is_swapped = random_bits() % 4 == 0;
   f->conversion = (struct rt_conversion){
      .format = f->format,
      .model = random_bits() % 5,
      .range = random_bits() % 2,
      .components = {.r = is_swapped ? VK_COMPONENT_SWIZZLE_B : VK_COMPONENT_SWIZZLE_IDENTITY,
                     .b = is_swapped ? VK_COMPONENT_SWIZZLE_R : VK_COMPONENT_SWIZZLE_B,
                     .a = random_bits() % 3},
      .x_offset = random_bits() % 2,
      .y_offset = random_bits() % 2,
      .chroma_filter = random_bits() % 2,
      .is_explicit = random_bits() % 2,
   };
   const uint8_t filter = random_bits() % 2;
   f->sampler = (struct abi_sampler){.mag_filter = filter, .min_filter = filter, .max_lod = 1000, .max_anisotropy = 1,
                                     .address_mode = {VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                                      VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE}};
   rt_sampler_finish(&f->sampler);
   f->is_arrayed = is_arrayed;
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, f->is_arrayed ? LAYERS : 1};
   rt_image_view_convert(&f->view, &f->state, &f->image, f->is_arrayed ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D, f->format, &range,
                         &f->conversion);
}

static void check_lanes(struct fixture *f, const uint32_t coords[3][LANES], const uint32_t result[4][LANES], uint32_t mask, uint32_t unread)
{
   for (uint32_t i = 0; i < LANES; i++) {
      const double s = rt_as_float(coords[0][i]), t = rt_as_float(coords[1][i]);
      const uint32_t layer = f->is_arrayed ? (uint32_t)UTIL_CLAMP(rint(rt_as_float(coords[2][i])), 0, LAYERS - 1) : 0;
      double expected[4];
      if (!(mask >> i & 1)) {
         CHECK_EQ(result[0][i], 0xdeadbeef);
         continue;
      }
      is_ambiguous = false;
      expected_color(f, s * WIDTH, t * HEIGHT, layer, expected);
      for (uint32_t c = 0; c < 4; c++)
         if (!is_ambiguous && !(unread >> c & 1) && !(fabs(rt_as_float(result[c][i]) - expected[c]) < 2e-5)) {
            fprintf(stderr, "%s component %u at %g %g: %.9g, not %.9g (model %u range %u filter %u chroma %u offsets %u %u explicit %u)\n",
                    f->name, c, s * WIDTH, t * HEIGHT, rt_as_float(result[c][i]), expected[c], f->conversion.model, f->conversion.range,
                    f->sampler.mag_filter, f->conversion.chroma_filter, f->conversion.x_offset, f->conversion.y_offset,
                    f->conversion.is_explicit);
            test_fail(__FILE__, __LINE__, "converted sample");
            return;
         }
   }
}

static void check_round(struct fixture *f)
{
   uint32_t coords[3][LANES], lod[LANES], result[2][4][LANES];
   random_conversion(f, random_bits() % 2);
   const float spread = random_bits() % 2 ? 1.4f : 0.2f; /* near each other: blocks are read whole */
   const float start[2] = {(float)random_in(-0.2, 1.2 - spread), (float)random_in(-0.2, 1.2 - spread)};
   const uint32_t lanes = 4u << random_bits() % 4, all = (uint32_t)((UINT64_C(1) << lanes) - 1);
   const uint32_t mask = random_bits() % 3 ? ((random_bits() | random_bits() << 4) & all) | 1 : all; /* whole vectors have code of their own */
   struct abi_tex_call call = {.lanes = lanes, .mask = mask, .op = ABI_TEX_OP_SAMPLE,
                               .dim = ABI_DIM_2D, .flags = ABI_TEX_LOD | (f->is_arrayed ? ABI_TEX_ARRAYED : 0), .images = &f->view_pointer,
                               .samplers = &f->sampler_pointer, .is_uniform = 1, .lod = lod, .unread = random_bits() % 16};
   for (uint32_t i = 0; i < LANES; i++) {
      coords[0][i] = rt_as_bits(start[0] + (float)random_in(0, spread));
      coords[1][i] = rt_as_bits(start[1] + (float)random_in(0, spread));
      coords[2][i] = rt_as_bits((float)random_in(-1, LAYERS));
      lod[i] = 0;
   }
   for (uint32_t a = 0; a < 3; a++)
      call.coords[a] = coords[a];
   for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants) && variants[v].level <= util_cpu_level(); v++) {
      memset(result[v > 0], 0, sizeof(result[0]));
      for (uint32_t c = 0; c < 4; c++) {
         call.result[c] = result[v > 0][c];
         for (uint32_t i = 0; i < LANES; i++)
            call.result[c][i] = 0xdeadbeef;
      }
      variants[v].run(&call);
      if (v)
         CHECK(!memcmp(result[0], result[1], sizeof(result[0])));
   }
   check_lanes(f, (const uint32_t(*)[LANES])coords, (const uint32_t(*)[LANES])result[0], call.mask, call.unread);
}

static void check_format(VkFormat format)
{
   for (int how = 0; how < 4; how++) {
      struct fixture f;
      make(&f, format, how & 1, how & 2);
      for (int round = 0; round < 100 && test_failures_in_case < 4; round++)
         check_round(&f);
      free(f.memory);
   }
}

static bool is_converted(VkFormat format)
{
   return rt_format_image_features(format, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT;
}

TEST(formats)
{
   uint32_t count = 0;
   for (uint32_t i = VK_FORMAT_G8B8G8R8_422_UNORM; i <= VK_FORMAT_G16_B16R16_2PLANE_444_UNORM;
        i = i == VK_FORMAT_G16_B16_R16_3PLANE_444_UNORM ? VK_FORMAT_G8_B8R8_2PLANE_444_UNORM : i + 1) {
      if (!rt_format_info((VkFormat)i)->needs_conversion)
         continue;
      CHECK(is_converted((VkFormat)i));
      check_format((VkFormat)i);
      count++;
   }
   CHECK_EQ(count, 34);
}

TEST(formats_that_need_none)
{
   static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_R16G16B16A16_UNORM};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++) {
      CHECK(is_converted(formats[i]));
      check_format(formats[i]);
   }
}

/* Filters that differ: which one a lane has depends on its level of detail, of explicit reconstruction too. */
TEST(minification_and_magnification)
{
   struct fixture f;
   make(&f, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, true, false);
   for (int round = 0; round < 200; round++) {
      uint32_t coords[3][LANES], lod[LANES], result[4][LANES];
      random_conversion(&f, true);
      f.sampler.mag_filter = VK_FILTER_LINEAR;
      f.sampler.min_filter = VK_FILTER_NEAREST;
      rt_sampler_finish(&f.sampler);
      struct abi_tex_call call = {.lanes = LANES, .mask = UINT32_MAX, .op = ABI_TEX_OP_SAMPLE, .dim = ABI_DIM_2D,
                                  .flags = ABI_TEX_LOD | ABI_TEX_ARRAYED, .images = &f.view_pointer,
                                  .samplers = &f.sampler_pointer, .is_uniform = 1, .lod = lod};
      for (uint32_t i = 0; i < LANES; i++) {
         coords[0][i] = rt_as_bits((float)random_in(-0.2, 1.2));
         coords[1][i] = rt_as_bits((float)random_in(-0.2, 1.2));
         coords[2][i] = 0;
         lod[i] = rt_as_bits(i & 1 ? 3.0f : -1.0f);
      }
      for (uint32_t a = 0; a < 4; a++) {
         if (a < 3)
            call.coords[a] = coords[a];
         call.result[a] = result[a];
         for (uint32_t i = 0; i < LANES; i++)
            result[a][i] = 0xdeadbeef;
      }
      rt_texture_call(&call);
      for (uint32_t half = 0; half < 2; half++) {
         uint32_t own[4][LANES];
         memcpy(own, result, sizeof(own));
         for (uint32_t i = 0; i < LANES; i++)
            if ((i & 1) != half)
               own[0][i] = 0xdeadbeef;
         f.sampler.mag_filter = half ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
         check_lanes(&f, (const uint32_t(*)[LANES])coords, (const uint32_t(*)[LANES])own, half ? 0xaaaaaaaa : 0x55555555, 0);
      }
   }
   free(f.memory);
}

/* What makes no sense stays within the image: other operations, other dimensions, coordinates that are no numbers. */
TEST(odd_calls)
{
   static const uint32_t special[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x80000000};
   static const VkFormat formats[] = {VK_FORMAT_G8B8G8R8_422_UNORM, VK_FORMAT_G16_B16_R16_3PLANE_420_UNORM,
                                      VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_FORMAT_G8_B8_R8_3PLANE_422_UNORM};
   for (uint32_t k = 0; k < UTIL_ARRAY_SIZE(formats); k++) {
      struct fixture f;
      make(&f, formats[k], k % 2, false);
      for (int round = 0; round < 300; round++) {
         uint32_t coords[4][LANES], other[LANES], result[4][LANES];
         random_conversion(&f, random_bits() % 2);
         for (uint32_t i = 0; i < LANES; i++) {
            for (uint32_t a = 0; a < 4; a++)
               coords[a][i] = round % 2 ? random_bits() % 40 : special[random_bits() % UTIL_ARRAY_SIZE(special)];
            other[i] = 0;
         }
         struct abi_tex_call call = {.lanes = LANES, .mask = UINT32_MAX, .op = random_bits() % 4, .dim = random_bits() % 4,
                                     .flags = random_bits() % 2 ? ABI_TEX_LOD : ABI_TEX_ARRAYED, .images = &f.view_pointer,
                                     .samplers = &f.sampler_pointer, .is_uniform = 1, .lod = other};
         if (call.op == ABI_TEX_OP_FETCH && call.dim == ABI_DIM_CUBE)
            continue;
         for (uint32_t a = 0; a < 4; a++) {
            call.coords[a] = coords[a];
            call.result[a] = result[a];
         }
         for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants) && variants[v].level <= util_cpu_level(); v++)
            variants[v].run(&call);
         if (call.op == ABI_TEX_OP_SAMPLE && call.dim == ABI_DIM_2D)
            for (uint32_t i = 0; i < LANES; i++)
               CHECK(isfinite(rt_as_float(result[1][i])));
      }
      free(f.memory);
   }
}

TEST_MAIN
