/* SPDX-License-Identifier: MIT
 * Fetches and loads of storage images by vectors of lanes against the code for everything: the same bits at every
 * instruction set level, for every format, inside and outside of images. */
#include "runtime/format/convert.h"
#include "runtime/image/image.h"
#include "runtime/image/texel_class.h"
#include "runtime/texture/levels.h"
#include "runtime/texture/texture.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/cpu.h"

#include <stdlib.h>

static const struct {
   enum util_cpu_level level;
   rt_tex_run_fn *run;
   rt_image_run_fn *run_image;
   rt_texels_fn *load_texels;
} variants[] = {
   {UTIL_CPU_V1, rt_tex_run, rt_image_run, rt_texels_load},
#ifdef __x86_64__
   {UTIL_CPU_V3, rt_tex_run_v3, rt_image_run_v3, rt_texels_load_v3},
   {UTIL_CPU_V4, rt_tex_run_v4, rt_image_run_v4, rt_texels_load_v4},
#endif
};

static uint64_t random_state = 11;

static uint32_t random_bits(void)
{
   return (uint32_t)(random_step(&random_state) >> 33);
}

enum { LANES = 32 };
static uint32_t coords[4][LANES], lod[LANES], sample[LANES], offset[3][LANES], expected[4][LANES], result[4][LANES];

static const struct target {
   VkImageType type;
   VkImageViewType view;
   uint32_t dim, width, height, depth, levels, layers, samples;
} targets[] = {
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 37, 70, 1, 7, 1, 1},
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 133, 200, 1, 1, 1, 1},
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 1, 1, 1, 1, 1, 1},
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 70, 20, 1, 1, 1, 4},
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, ABI_DIM_2D, 20, 9, 1, 3, 5, 1},
   {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, ABI_DIM_2D, 9, 90, 1, 1, 3, 8},
   {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, ABI_DIM_1D, 90, 1, 1, 6, 1, 1},
   {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, ABI_DIM_3D, 12, 9, 15, 4, 1, 1},
};

static uint32_t random_coordinate(uint32_t size)
{
   static const uint32_t special[] = {UINT32_MAX, 0x80000000, 0x7fffffff, 16384, 65536};
   const uint32_t choice = random_bits() % 64;
   return choice < 5 ? special[choice] : choice < 10 ? size : random_bits() % size;
}

/* Lanes in a row, in the blocks of fragments, or anywhere. */
static void lay_lanes(const struct target *target)
{
   const uint32_t sizes[4] = {target->width, target->height, target->depth, target->layers};
   const uint32_t arrangement = random_bits() % 4, start = random_bits() % 64;
   for (uint32_t i = 0; i < LANES; i++) {
      for (uint32_t a = 0; a < 4; a++)
         coords[a][i] = random_coordinate(sizes[a]);
      if (arrangement == 0) {
         coords[0][i] = start + i;
         coords[1][i] = start % 16;
      } else if (arrangement == 1) {
         coords[0][i] = start / 4 * 4 + ((i & 1) | (i >> 1 & 2) | (i >> 2 & 4));
         coords[1][i] = (i >> 1 & 1) | (i >> 2 & 2);
      }
      if (arrangement < 2)
         coords[2][i] = coords[3][i] = 0;
      lod[i] = arrangement < 2 ? 0 : random_bits() % (target->levels + 1);
      sample[i] = arrangement < 2 ? 1 : random_bits() % (target->samples + 1);
      for (uint32_t a = 0; a < 3; a++)
         offset[a][i] = random_bits() % 15 - 7u;
   }
}

/* Whether NaNs of halves come out quiet is up to the processor. */
static bool is_same(uint32_t a, uint32_t b, bool is_int)
{
   const float x = rt_as_float(a), y = rt_as_float(b);
   return a == b || (!is_int && x != x && y != y);
}

static void check_results(const char *what, const struct abi_image *image, uint32_t variant, uint32_t flags)
{
   const struct rt_format_info *info = image->format_info;
   for (uint32_t i = 0; i < 4 * LANES; i++) {
      if (!is_same(result[i % 4][i / 4], expected[i % 4][i / 4], info->is_int)) {
         fprintf(stderr, "%s of %s dim %u flags %x variant %u lane %u component %u: %08x, not %08x\n", what, info->name,
                 image->dim, flags, variant, i / 4, i % 4, result[i % 4][i / 4], expected[i % 4][i / 4]);
         test_fail(__FILE__, __LINE__, "results differ");
         return;
      }
   }
}

static void check_fetches(const struct abi_image *image, const struct target *target)
{
   const uint32_t axes = target->dim == ABI_DIM_1D || target->dim == ABI_DIM_BUFFER ? 1 : target->dim == ABI_DIM_3D ? 3 : 2;
   struct abi_tex_call call = {
      .op = ABI_TEX_OP_FETCH, .dim = target->dim, .images = &image, .is_uniform = 1, .lod = lod, .sample = sample};
   struct abi_image_call load = {
      .op = ABI_IMAGE_LOAD, .dim = target->dim, .images = &image, .is_uniform = 1, .lod = lod, .sample = sample};
   for (uint32_t a = 0; a < 3; a++)
      call.offset[a] = offset[a];
   for (uint32_t a = 0; a < axes; a++)
      call.coords[a] = load.coords[a] = coords[a];
   call.coords[axes] = load.coords[axes] = coords[3];
   for (uint32_t round = 0; round < 12; round++) {
      lay_lanes(target);
      call.lanes = load.lanes = 4u << random_bits() % 4;
      call.mask = load.mask = random_bits() % 2 ? UINT32_MAX : random_bits() << 1 | 1;
      load.flags = (image->is_arrayed ? ABI_TEX_ARRAYED : 0) | (target->samples > 1 ? ABI_TEX_SAMPLE : 0) |
                   (target->levels > 1 && random_bits() % 2 ? ABI_TEX_LOD : 0);
      call.flags = load.flags | (random_bits() % 4 ? 0 : ABI_TEX_OFFSET);
      for (int c = 0; c < 4; c++) {
         call.result[c] = expected[c];
         load.result[c] = expected[c];
      }
      memset(expected, 0xaa, sizeof(expected));
      rt_tex_run_general(&call);
      for (int c = 0; c < 4; c++)
         call.result[c] = result[c];
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants); v++) {
         if (util_cpu_level() < variants[v].level)
            continue;
         memset(result, 0xaa, sizeof(result));
         variants[v].run(&call);
         check_results("fetch", image, v, call.flags);
      }
      memset(expected, 0xaa, sizeof(expected));
      rt_image_run_general(&load);
      for (int c = 0; c < 4; c++)
         load.result[c] = result[c];
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants); v++) {
         if (util_cpu_level() < variants[v].level)
            continue;
         memset(result, 0xaa, sizeof(result));
         variants[v].run_image(&load);
         check_results("load", image, v, load.flags);
      }
   }
}

static void check_stores(struct rt_image *image, const struct abi_image *view, const struct target *target)
{
   const uint32_t axes = target->dim == ABI_DIM_1D ? 1 : target->dim == ABI_DIM_3D ? 3 : 2;
   const size_t bytes = image->size_bytes;
   uint8_t *before = malloc(bytes), *wanted = malloc(bytes);
   struct abi_image_call call = {.op = ABI_IMAGE_STORE, .dim = target->dim, .images = &view, .is_uniform = 1, .sample = sample};
   for (uint32_t a = 0; a < axes; a++)
      call.coords[a] = coords[a];
   call.coords[axes] = coords[3];
   for (int c = 0; c < 4; c++)
      call.data[c] = expected[c];
   memcpy(before, image->planes[0].data, bytes);
   for (uint32_t round = 0; round < 6; round++) {
      lay_lanes(target);
      for (uint32_t i = 0; i < 4 * LANES; i++)
         expected[i % 4][i / 4] = random_bits() % 4 ? rt_as_bits((float)(random_bits() % 1000) * 1.1e-3f) : random_bits();
      call.lanes = 4u << random_bits() % 4;
      call.mask = random_bits() % 2 ? UINT32_MAX : random_bits() << 1 | 1;
      call.flags = (view->is_arrayed ? ABI_TEX_ARRAYED : 0) | (target->samples > 1 ? ABI_TEX_SAMPLE : 0);
      memcpy(image->planes[0].data, before, bytes);
      rt_image_run_general(&call);
      memcpy(wanted, image->planes[0].data, bytes);
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants); v++) {
         if (util_cpu_level() < variants[v].level)
            continue;
         memcpy(image->planes[0].data, before, bytes);
         variants[v].run_image(&call);
         if (memcmp(wanted, image->planes[0].data, bytes)) {
            fprintf(stderr, "%s dim %u flags %x variant %u\n", ((const struct rt_format_info *)view->format_info)->name,
                    view->dim, call.flags, v);
            test_fail(__FILE__, __LINE__, "stores differ");
         }
      }
   }
   free(before);
   free(wanted);
}

static void check_format(VkFormat format, const struct target *target, bool is_tiled)
{
   const struct rt_format_info *info = rt_format_info(format);
   struct rt_image image;
   struct abi_image view;
   CHECK_EQ(rt_image_init(&image, target->type, format, (VkExtent3D){target->width, target->height, target->depth},
                          target->levels, target->layers, target->samples, is_tiled, 1u << 30),
            VK_SUCCESS);
   rt_image_bind(&image, malloc(image.size_bytes));
   for (uint64_t i = 0; i < image.size_bytes; i++)
      image.planes[0].data[i] = (uint8_t)random_bits();
   const VkComponentMapping swizzle = {0, random_bits() % 4 ? 0 : VK_COMPONENT_SWIZZLE_ONE, 0,
                                       random_bits() % 4 ? 0 : VK_COMPONENT_SWIZZLE_R};
   rt_image_view_init(&view, &image, target->view, format, swizzle,
                      info->is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT
                      : info->is_stencil ? VK_IMAGE_ASPECT_STENCIL_BIT
                                         : VK_IMAGE_ASPECT_COLOR_BIT,
                      0, target->levels, 0, target->layers, random_bits() % 4 || target->levels == 1 ? 0.0f : 1.3f);
   check_fetches(&view, target);
   if (info->pack_block && view.min_lod == 0)
      check_stores(&image, &view, target);
   free(image.planes[0].data);
}

/* Which formats are read by vectors: the other tests would not see that none is. */
TEST(classes)
{
   uint32_t whole = 0, odd = 0;
   for (VkFormat format = 1; format < VK_FORMAT_BC1_RGB_UNORM_BLOCK; format++) {
      const struct rt_format_info *info = rt_format_info(format);
      const bool has_class = rt_texel_classify(info) != RT_TEXEL_NONE;
      const uint32_t numeric = info->channels[info->channels[0].bits ? 0 : 3].numeric;
      const bool is_scaled = numeric == RT_USCALED || numeric == RT_SSCALED;
      const bool is_odd = is_scaled || info->texel_bytes & (info->texel_bytes - 1) || info->channels[0].bits == 64;
      CHECK_EQ(has_class, !is_odd);
      whole += has_class;
      odd += is_odd;
   }
   CHECK(whole > 60 && odd > 20);
   CHECK_EQ(rt_texel_classify(rt_format_info(VK_FORMAT_A2B10G10R10_UNORM_PACK32)), RT_TEXEL_UNORM);
   CHECK_EQ(rt_texel_classify(rt_format_info(VK_FORMAT_R16G16_SFLOAT)), RT_TEXEL_HALF);
   CHECK_EQ(rt_texel_classify(rt_format_info(VK_FORMAT_R32G32_SINT)), RT_TEXEL_WORDS);
   CHECK_EQ(rt_texel_classify(rt_format_info(VK_FORMAT_BC5_SNORM_BLOCK)), RT_TEXEL_BC5);
   for (VkFormat format = VK_FORMAT_BC6H_UFLOAT_BLOCK; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++)
      CHECK_EQ(rt_texel_classify(rt_format_info(format)), RT_TEXEL_DECODED);
}

TEST(images_of_all_formats)
{
   uint32_t tested = 0;
   for (VkFormat format = 1; format <= VK_FORMAT_BC1_RGB_UNORM_BLOCK; format++) {
      const struct rt_format_info *info = rt_format_info(format);
      if (!info->unpack_block || info->texel_bytes > 16)
         continue;
      for (uint32_t t = 0; t < UTIL_ARRAY_SIZE(targets) && test_failures_in_case < 4; t++)
         for (int is_tiled = targets[t].samples > 1; is_tiled < 2; is_tiled++)
            check_format(format, &targets[t], is_tiled);
      tested++;
   }
   CHECK(tested > 80);
}

TEST(blocks)
{
   for (VkFormat format = VK_FORMAT_BC1_RGB_UNORM_BLOCK; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++)
      for (uint32_t t = 0; t < UTIL_ARRAY_SIZE(targets) && test_failures_in_case < 4; t++)
         for (int is_tiled = 0; is_tiled < 2 && targets[t].samples == 1 && targets[t].dim == ABI_DIM_2D; is_tiled++)
            check_format(format, &targets[t], is_tiled);
}

/* A texel buffer by indices that compiled code has found: all in the index, or four texels at a time in the slice. */
static void check_texels(const struct abi_image *view, const struct target *target)
{
   uint32_t index[LANES], slice[LANES];
   struct abi_tex_call call = {.op = ABI_TEX_OP_FETCH, .dim = target->dim, .images = &view, .is_uniform = 1, .mask = UINT32_MAX, .coords = {coords[0]}};
   struct abi_texel_call load = {.image = view, .base = view->data, .index = index};
   for (uint32_t round = 0; round < 8; round++) {
      const bool has_slices = round % 2;
      lay_lanes(target);
      call.lanes = load.lanes = 4u << random_bits() % 4;
      load.slice = has_slices ? slice : NULL;
      load.inside = 0;
      for (uint32_t i = 0; i < LANES; i++) {
         index[i] = has_slices ? coords[0][i] % 4 : coords[0][i];
         slice[i] = coords[0][i] / 4 * view->texel_bytes;
         load.inside |= (uint32_t)(coords[0][i] < target->width) << i;
      }
      for (int c = 0; c < 4; c++) {
         call.result[c] = expected[c];
         load.result[c] = result[c];
      }
      memset(expected, 0xaa, sizeof(expected));
      rt_tex_run_general(&call);
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants); v++) {
         if (util_cpu_level() < variants[v].level)
            continue;
         memset(result, 0xaa, sizeof(result));
         variants[v].load_texels(&load);
         check_results("texels", view, v, has_slices);
      }
   }
}

TEST(texel_buffers_of_all_formats)
{
   static const uint32_t sizes[] = {1, 3, 16, 1000};
   for (VkFormat format = 1; format < VK_FORMAT_BC1_RGB_UNORM_BLOCK; format++) {
      const struct rt_format_info *info = rt_format_info(format);
      if (!info->unpack_block || info->is_depth || info->is_stencil || info->texel_bytes > 16)
         continue;
      for (uint32_t s = 0; s < UTIL_ARRAY_SIZE(sizes) && test_failures_in_case < 4; s++) {
         const struct target target = {
            .dim = ABI_DIM_BUFFER, .width = sizes[s], .height = 1, .depth = 1, .levels = 1, .layers = 1, .samples = 1};
         struct abi_image view;
         uint8_t *data = malloc(util_align(sizes[s] * info->texel_bytes, 4));
         for (uint32_t i = 0; i < sizes[s] * info->texel_bytes; i++)
            data[i] = (uint8_t)random_bits();
         rt_buffer_view_init(&view, data, format, sizes[s] * info->texel_bytes);
         check_fetches(&view, &target);
         if (rt_texel_of(&view))
            check_texels(&view, &target);
         free(data);
      }
   }
}

TEST_MAIN
