/* SPDX-License-Identifier: MIT
 * Every instruction set level, and the fast path against the general code: the same bits for random calls. Four channels
 * of 8 bits are filtered with fewer bits by the fast path: there it is compared with itself only. */
#include "runtime/format/convert.h"
#include "runtime/image/image.h"
#include "runtime/texture/block_cache.h"
#include "runtime/texture/levels.h"
#include "runtime/texture/texture.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/alloc.h"
#include "util/cpu.h"

#include <stdlib.h>

static const struct {
   enum util_cpu_level level;
   rt_tex_run_fn *run;
   bool is_fast, has_fast_gathers;
} variants[] = {
   {UTIL_CPU_V1, rt_tex_run_general, false, false},
   {UTIL_CPU_V1, rt_tex_run, true, false},
#ifdef __x86_64__
   {UTIL_CPU_V3, rt_tex_run_general_v3, false, false},
   {UTIL_CPU_V3, rt_tex_run_v3, true, false},
   {UTIL_CPU_V3, rt_tex_run_v3, true, true},
   {UTIL_CPU_V4, rt_tex_run_general_v4, false, false},
   {UTIL_CPU_V4, rt_tex_run_v4, true, false},
   {UTIL_CPU_V4, rt_tex_run_v4, true, true},
#endif
};

static uint64_t random_state = 3;

static uint32_t random_bits(void)
{
   return (uint32_t)(random_step(&random_state) >> 33);
}

static uint32_t random_coordinate(void)
{
   static const uint32_t special[] = {0,          0x80000000, 0x7f800000, 0xff800000,
                                      0x7fc00000, 0x00000001, 0x3f800000, 0x7f7fffff};
   const uint32_t class = random_bits() % 64;
   if (class < 8)
      return special[class];
   return rt_as_bits((float)(random_bits() / 1073741824.0 - 0.5) * (class < 12 ? 1e6f : 1.0f));
}

enum { LANES = 32 };
static uint32_t coords[4][LANES], lod[LANES], ddx[3][LANES], ddy[3][LANES], dref[LANES], offset[3][LANES],
   component[LANES], gather_offsets[8][LANES], result[3][4][LANES]; /* of the general code, of the first fast one, of the one that is tested */

/* A call for several components gives what calls for one of them give. */
static bool check_gathers(const struct abi_tex_call *call, rt_tex_run_fn *run)
{
   static uint32_t gathered[4][4][LANES], single[4][LANES];
   struct abi_tex_call many = *call, one = *call;
   bool is_good = true;
   many.class = ABI_TEX_CLASS_GATHERS;
   many.components = 1 + random_bits() % 15;
   memset(gathered, 0xaa, sizeof(gathered));
   for (uint32_t c = 0; c < 4; c++) {
      many.result[c] = NULL;
      one.result[c] = single[c];
      for (uint32_t t = 0; t < 4; t++)
         many.gathers[c][t] = gathered[c][t];
   }
   run(&many);
   for (uint32_t c = 0; c < 4; c++) {
      memset(single, 0xaa, sizeof(single));
      one.gathered = c;
      if (many.components >> c & 1)
         run(&one);
      is_good &= !memcmp(single, gathered[c], sizeof(single));
   }
   return is_good;
}

static void random_sampler(struct abi_sampler *sampler)
{
   const bool is_simple = random_bits() % 2;
   *sampler = (struct abi_sampler){
      .mag_filter = random_bits() % 2,
      .min_filter = random_bits() % 2,
      .mipmap_mode = random_bits() % 2,
      .lod_bias = random_bits() % 2 ? 0.3f : 0,
      .max_lod = random_bits() % 2 ? 1000.0f : 2.5f,
      .min_lod = random_bits() % 2 ? 0.7f : 0.0f,
      .max_anisotropy = random_bits() % 4 ? 1 : 6,
      .reduction_mode = is_simple ? 0 : random_bits() % 3,
      .compare_enable = 1,
      .compare_op = random_bits() % 8,
   };
   for (int a = 0; a < 3; a++)
      sampler->address_mode[a] = is_simple ? random_bits() % 2 * 2 : random_bits() % 5;
}

/* Lanes as fragments of 4x4 blocks, or in rows of 8 or 16, up to 2.5 texels apart and turned by any angle: blocks of texels are read whole. */
static void lay_grid(const struct abi_image *image)
{
   const float width = (float)image->levels[0].width, height = (float)image->levels[0].height;
   const uint32_t shape = random_bits() % 4;
   float step[2][2], start[2];
   for (int a = 0; a < 2; a++) {
      start[a] = (float)(random_bits() % 1000) * 1.2e-3f;
      for (int b = 0; b < 2; b++)
         step[a][b] = (float)((int)(random_bits() % 500) - 250) * (a == b ? 0.01f : random_bits() % 2 ? 0.004f : 0.0f);
   }
   for (uint32_t i = 0; i < LANES; i++) {
      const uint32_t row = shape == 2 ? 8 : 16;
      const float x = (float)(shape < 2 ? (i & 1) | (i >> 1 & 2) | (i >> 2 & 4) : i % row);
      const float y = (float)(shape < 2 ? (i >> 1 & 1) | (i >> 2 & 2) : i / row);
      coords[0][i] = rt_as_bits(start[0] + (x * step[0][0] + y * step[0][1]) / width);
      coords[1][i] = rt_as_bits(start[1] + (x * step[1][0] + y * step[1][1]) / height);
   }
}

/* Which NaN comes out of NaNs is up to the compiler. */
static bool is_same(uint32_t a, uint32_t b, bool is_int)
{
   const float x = rt_as_float(a), y = rt_as_float(b);
   return a == b || (!is_int && x != x && y != y);
}

static void check_image(const struct abi_image *image, uint32_t dim, bool is_arrayed)
{
   const uint32_t coordinates = dim == ABI_DIM_1D ? 1 : dim == ABI_DIM_2D ? 2 : 3;
   const struct rt_format_info *info = image->format_info;
   const bool is_coarse = info->texel_bytes == 4 && info->channels[3].bits == 8 && !info->is_int;
   const int rounds = is_coarse && dim == ABI_DIM_2D ? 3000 : 400;
   for (int round = 0; round < rounds; round++) {
      const bool is_near = random_bits() % 2; /* all lanes within a few texels: blocks are read whole */
      struct abi_sampler sampler;
      const struct abi_sampler *pointer = &sampler;
      random_sampler(&sampler);
      sampler.unnormalized = dim != ABI_DIM_CUBE && random_bits() % 12 == 0;
      rt_sampler_finish(&sampler);
      const uint32_t lod_flags[] = {0, 0, ABI_TEX_LOD, ABI_TEX_BIAS, ABI_TEX_GRAD};
      struct abi_tex_call call = {
         .lanes = 4u << random_bits() % 4,
         .mask = random_bits() % 2 ? UINT32_MAX : random_bits() << 1 | 1,
         .op = random_bits() % 6 == 0 && dim != ABI_DIM_1D && dim != ABI_DIM_3D ? ABI_TEX_OP_GATHER
               : random_bits() % 6 == 0                                         ? ABI_TEX_OP_QUERY_LOD
                                                                                : ABI_TEX_OP_SAMPLE,
         .dim = dim,
         .flags = lod_flags[random_bits() % 5] | (is_arrayed ? ABI_TEX_ARRAYED : 0) |
                  (info->is_depth && random_bits() % 2 ? ABI_TEX_DREF : 0) |
                  (random_bits() % 4 == 0 ? ABI_TEX_OFFSET : 0) | (random_bits() % 8 == 0 ? ABI_TEX_MIN_LOD : 0),
         .quad_size = random_bits() % 4 ? 4 : 0,
         .images = &image,
         .samplers = &pointer,
         .is_uniform = 1,
         .lod = lod,
         .dref = dref,
         .min_lod = ddx[0],
         .component = component,
      };
      if (random_bits() % 4 == 0 && call.op == ABI_TEX_OP_SAMPLE)
         call.unread = random_bits() % 15;
      call.is_base_lod = call.flags & ABI_TEX_LOD && !(call.flags & ABI_TEX_MIN_LOD) && random_bits() % 2;
      const bool shares_layer = random_bits() % 2;
      if (call.op == ABI_TEX_OP_GATHER && !(call.flags & ABI_TEX_DREF)) {
         const uint32_t which = random_bits() % 4;
         call.gathered = which;
         call.flags |= (random_bits() % 4 ? 0 : ABI_TEX_COMPONENT) | (dim == ABI_DIM_2D && random_bits() % 3 == 0 ? ABI_TEX_GATHER_OFFSETS : 0);
         for (uint32_t i = 0; i < LANES; i++)
            component[i] = which;
         for (int k = 0; k < 8; k++)
            call.gather_offsets[k / 2][k % 2] = gather_offsets[k];
      }
      call.class = random_bits() % 4 ? abi_tex_class(call.op, call.dim, call.flags) : ABI_TEX_CLASS_NONE;
      for (int a = 0; a < 4; a++) {
         call.coords[a] = coords[a];
         if (a < 3) {
            /* What flags do not name has no address. */
            call.ddx[a] = call.flags & ABI_TEX_GRAD ? ddx[a] : NULL;
            call.ddy[a] = call.flags & ABI_TEX_GRAD ? ddy[a] : NULL;
            call.offset[a] = call.flags & ABI_TEX_OFFSET ? offset[a] : NULL;
         }
      }
      call.coords[coordinates] = coords[3];
      for (uint32_t i = 0; i < LANES; i++) {
         for (int a = 0; a < 3; a++) {
            /* neighbours in a quad are near each other */
            coords[a][i] = is_near && i ? rt_as_bits(rt_as_float(coords[a][0]) + (float)(random_bits() % 1000) * 1e-4f)
                           : i % 4 && random_bits() % 8
                              ? rt_as_bits(rt_as_float(coords[a][i - 1]) + (float)(random_bits() % 1000) * 1e-5f)
                              : random_coordinate();
            ddx[a][i] = rt_as_bits((float)(random_bits() % 1000) * 1e-4f);
            ddy[a][i] = rt_as_bits((float)(random_bits() % 1000) * 1e-4f);
            offset[a][i] = random_bits() % 15 - 7u;
         }
         coords[3][i] = shares_layer && i ? coords[3][0] : rt_as_bits((float)(random_bits() % 100) / 25.0f);
         if (shares_layer && dim == ABI_DIM_3D) /* slices */
            coords[2][i] = coords[2][0];
         for (int k = 0; k < 8; k++)
            gather_offsets[k][i] = random_bits() % 63 - 31u;
         lod[i] = call.is_base_lod ? 0 : rt_as_bits((float)(random_bits() % 1000) / 200.0f - 1.0f);
         dref[i] = rt_as_bits((float)(random_bits() % 1000) / 900.0f);
      }
      if (dim == ABI_DIM_2D && !is_near && random_bits() % 2)
         lay_grid(image);
      for (uint32_t v = 0; v < UTIL_ARRAY_SIZE(variants); v++) {
         if (util_cpu_level() < variants[v].level)
            continue;
         uint32_t(*to)[LANES] = result[UTIL_MIN(v, 2)], (*like)[LANES] = result[is_coarse && variants[v].is_fast];
         memset(to, 0xaa, sizeof(result[0]));
         rt_has_fast_gathers = variants[v].has_fast_gathers;
         for (int c = 0; c < 4; c++)
            call.result[c] = to[c];
         variants[v].run(&call);
         if (call.class == ABI_TEX_CLASS_GATHER && variants[v].is_fast && !check_gathers(&call, variants[v].run)) {
            test_fail(__FILE__, __LINE__, "several components are not what each is");
            return;
         }
         for (uint32_t i = 0; i < LANES * 4; i++) {
            const uint32_t got = to[i % 4][i / 4], expected = like[i % 4][i / 4];
            if (!(call.unread >> i % 4 & 1) && !is_same(got, expected, info->is_int)) {
               fprintf(stderr, "%s dim %u op %u flags %x variant %u lane %u component %u: %08x, not %08x\n", info->name,
                       dim, call.op, call.flags, v, i / 4, i % 4, got, expected);
               test_fail(__FILE__, __LINE__, "levels differ");
               return;
            }
         }
      }
   }
}

TEST(all_levels_give_the_same_bits)
{
   static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM,
                                      VK_FORMAT_B8G8R8A8_UNORM,
                                      VK_FORMAT_A8B8G8R8_SRGB_PACK32,
                                      VK_FORMAT_R8_UNORM,
                                      VK_FORMAT_R8G8_UNORM,
                                      VK_FORMAT_R16_SFLOAT,
                                      VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                      VK_FORMAT_E5B9G9R9_UFLOAT_PACK32,
                                      VK_FORMAT_R32G32B32A32_SFLOAT,
                                      VK_FORMAT_X8_D24_UNORM_PACK32,
                                      VK_FORMAT_R16G16B16A16_SFLOAT,
                                      VK_FORMAT_R32_SFLOAT,
                                      VK_FORMAT_R8G8B8A8_SNORM,
                                      VK_FORMAT_D32_SFLOAT,
                                      VK_FORMAT_D16_UNORM,
                                      VK_FORMAT_R32_UINT,
                                      VK_FORMAT_R32G32B32A32_UINT,
                                      VK_FORMAT_R8G8B8_UNORM,
                                      VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                      VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
                                      VK_FORMAT_BC2_UNORM_BLOCK,
                                      VK_FORMAT_BC3_UNORM_BLOCK,
                                      VK_FORMAT_BC4_SNORM_BLOCK,
                                      VK_FORMAT_BC5_UNORM_BLOCK,
                                      VK_FORMAT_BC6H_SFLOAT_BLOCK,
                                      VK_FORMAT_BC7_UNORM_BLOCK,
                                      VK_FORMAT_ETC2_R8G8B8_SRGB_BLOCK,
                                      VK_FORMAT_EAC_R11_SNORM_BLOCK,
                                      VK_FORMAT_ASTC_6x5_UNORM_BLOCK,
                                      VK_FORMAT_ASTC_12x10_SRGB_BLOCK,
#ifdef VK_EXT_texture_compression_astc_3d
                                      VK_FORMAT_ASTC_5x4x4_UNORM_BLOCK_EXT,
#endif
                                      VK_FORMAT_B10G11R11_UFLOAT_PACK32,
                                      VK_FORMAT_R16G16_SFLOAT,
                                      VK_FORMAT_R32G32_SFLOAT,
                                      VK_FORMAT_R16_UNORM,
                                      VK_FORMAT_R16G16B16A16_UNORM};
   static const struct {
      VkImageType type;
      VkImageViewType view;
      uint32_t dim, width, height, depth, levels, layers;
   } images[] = {
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 37, 70, 1, 7, 1},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 64, 16, 1, 1, 1},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D, ABI_DIM_2D, 200, 133, 1, 8, 1},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, ABI_DIM_2D, 20, 20, 1, 3, 3},
      /* four in a row, so that of each format one is tiled with its channels in order */
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, ABI_DIM_CUBE, 16, 16, 1, 4, 6},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, ABI_DIM_CUBE, 100, 100, 1, 7, 6},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, ABI_DIM_CUBE, 9, 9, 1, 4, 6},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE, ABI_DIM_CUBE, 32, 32, 1, 1, 6},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, ABI_DIM_CUBE, 8, 8, 1, 1, 12},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, ABI_DIM_CUBE, 20, 20, 1, 5, 18},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, ABI_DIM_CUBE, 70, 70, 1, 7, 12},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_VIEW_TYPE_CUBE_ARRAY, ABI_DIM_CUBE, 16, 16, 1, 2, 24},
      {VK_IMAGE_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D, ABI_DIM_1D, 40, 1, 1, 6, 1},
      {VK_IMAGE_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D, ABI_DIM_3D, 12, 9, 15, 4, 1},
   };
   for (uint32_t k = 0; k < UTIL_ARRAY_SIZE(images); k++) {
      for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++) {
         struct rt_image image;
         struct abi_image view;
         CHECK_EQ(rt_image_init(&image, images[k].type, formats[f],
                                (VkExtent3D){images[k].width, images[k].height, images[k].depth}, images[k].levels,
                                images[k].layers, 1, (f + k / 2) % 3 != 0, 1u << 30),
                  VK_SUCCESS);
         rt_image_bind(&image, malloc(image.size_bytes));
         for (uint64_t i = 0; i < image.size_bytes; i++)
            image.planes[0].data[i] = (uint8_t)(random_bits() & (rt_format_info(formats[f])->is_compressed ? 0xff : 0x3f)); /* finite floats */
         const bool is_depth = rt_format_info(formats[f])->is_depth, is_plain = (k + f) % 2;
         rt_image_view_init(
            &view, &image, images[k].view, formats[f],
            (VkComponentMapping){0, k % 2 && !is_plain ? VK_COMPONENT_SWIZZLE_A : 0, k % 3 && !is_plain ? VK_COMPONENT_SWIZZLE_ONE : 0, 0},
            is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, images[k].levels, 0, images[k].layers,
            k == 0 ? 1.3f : 0.0f);
         check_image(&view, images[k].dim, view.is_arrayed);
         free(image.planes[0].data);
         if (test_failures_in_case > 3)
            return;
      }
   }
}

/* Decoded blocks are kept where memory is, and decoded for each texel where it is not. */
TEST(blocks_without_memory_give_the_same_bits)
{
   static const VkFormat formats[] = {VK_FORMAT_BC7_UNORM_BLOCK, VK_FORMAT_ASTC_8x6_UNORM_BLOCK};
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++) {
      struct rt_image image;
      struct abi_image view;
      CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){100, 60, 1}, 5, 6, 1, true, 1u << 30), VK_SUCCESS);
      rt_image_bind(&image, malloc(image.size_bytes));
      for (uint64_t i = 0; i < image.size_bytes; i++)
         image.planes[0].data[i] = (uint8_t)random_bits();
      rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, formats[f], (VkComponentMapping){0}, VK_IMAGE_ASPECT_COLOR_BIT, 0, 5, 0, 6, 0);
      rt_block_cache_forget();
      util_alloc_fail_at(1, false);
      check_image(&view, ABI_DIM_2D, true);
      util_alloc_fail_at(0, false);
      free(image.planes[0].data);
   }
}

TEST_MAIN
