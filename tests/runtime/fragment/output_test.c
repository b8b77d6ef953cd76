/* SPDX-License-Identifier: MIT
 * The output merger: blending against scalar formulas, masks, logic ops, several attachments, discards, sample masks,
 * resolves, clears, occlusion counts. */
#include "runtime/format/srgb.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/output.h"
#include "tests/runtime/raster/fixture.h"

#include <stdlib.h>

enum { SIZE = 72, RANDOM_ROUNDS = 24 };

static const struct fixture_vertex *full_screen(float r, float g, float b, float a)
{
   /* Draws are collected, so the vertices of the one before must stay. */
   static struct fixture_vertex buffers[2][3], *v = buffers[0];
   v = v == buffers[0] ? buffers[1] : buffers[0];
   for (uint32_t i = 0; i < 3; i++)
      v[i] = (struct fixture_vertex){{i == 1 ? 3 : -1, i == 2 ? 3 : -1, 0.5f, 1}, {r, g, b, a}};
   return v;
}

static float factor(VkBlendFactor f, uint32_t c, const float *s, const float *d, const float *k)
{
   switch (f) {
   case VK_BLEND_FACTOR_ZERO:
      return 0;
   case VK_BLEND_FACTOR_ONE:
      return 1;
   case VK_BLEND_FACTOR_SRC_COLOR:
      return s[c];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR:
      return 1 - s[c];
   case VK_BLEND_FACTOR_DST_COLOR:
      return d[c];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR:
      return 1 - d[c];
   case VK_BLEND_FACTOR_SRC_ALPHA:
      return s[3];
   case VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA:
      return 1 - s[3];
   case VK_BLEND_FACTOR_DST_ALPHA:
      return d[3];
   case VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA:
      return 1 - d[3];
   case VK_BLEND_FACTOR_CONSTANT_COLOR:
      return k[c];
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR:
      return 1 - k[c];
   case VK_BLEND_FACTOR_CONSTANT_ALPHA:
      return k[3];
   case VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_ALPHA:
      return 1 - k[3];
   default:
      return c == 3 ? 1 : fminf(s[3], 1 - d[3]);
   }
}

TEST(blend_formulas)
{
   static const float constants[4] = {0.9f, 0.1f, 0.3f, 0.6f};
   const float s[4] = {0.25f, 0.5f, 0.75f, 0.625f}, d[4] = {0.5f, 0.125f, 0.875f, 0.375f};
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R32G32B32A32_SFLOAT, 8, 8, 1, 1, true);
   fixture_target(&f, &color, NULL);
   memcpy(f.begin.colors[0].clear.color.float32, d, sizeof(d));
   memcpy(f.state.blend_constants.rgba, constants, sizeof(constants));
   uint32_t wrong = 0;
   for (uint32_t sf = 0; sf <= VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; sf++)
      for (uint32_t df = 0; df <= VK_BLEND_FACTOR_SRC_ALPHA_SATURATE; df++)
         for (uint32_t op = 0; op <= VK_BLEND_OP_MAX; op++) {
            f.state.blend_enable.enable[0] = 1;
            f.state.blend.attachments[0] = (struct rt_blend_attachment){(uint8_t)sf, (uint8_t)df, (uint8_t)op, (uint8_t)df, (uint8_t)sf, (uint8_t)((op + 1) % 5)};
            fixture_render(&f, full_screen(s[0], s[1], s[2], s[3]), 3);
            float got[4];
            memcpy(got, fixture_texel(&color, 5, 2, 0, 0), 16);
            for (uint32_t c = 0; c < 4; c++) {
               const float a = s[c] * factor((VkBlendFactor)(c < 3 ? sf : df), c, s, d, constants);
               const float b = d[c] * factor((VkBlendFactor)(c < 3 ? df : sf), c, s, d, constants);
               const uint32_t o = c < 3 ? op : (op + 1) % 5;
               const float results[5] = {a + b, a - b, b - a, fminf(s[c], d[c]), fmaxf(s[c], d[c])};
               wrong += fabsf(got[c] - results[o]) > 1e-6f;
            }
         }
   CHECK_EQ(wrong, 0);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* Of the source, by texel: mostly numbers around [0, 1], some infinite or none. */
static float source_of(uint32_t seed, uint32_t x, uint32_t y, uint32_t c)
{
   uint32_t state = seed * 7919 + ((y * 64 + x) * 4 + c) * 2654435761u;
   const uint32_t v = fixture_random(&state) >> 8;
   return v % 31 == 0 ? NAN : v % 37 == 0 ? INFINITY : (float)(v & 1023) / 512.0f - 0.5f;
}

static uint32_t source_seed;
enum { SECOND = 0x5bd1 }; /* the seed of the second source differs by it */

static void random_colors(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                          struct abi_block *blocks, uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         float x, y;
         fixture_position(args, &blocks[b], i, &x, &y);
         for (uint32_t c = 0; c < 4; c++) {
            const float v = source_of(source_seed, (uint32_t)x, (uint32_t)y, c);
            memcpy(&blocks[b].outputs[c][i], &v, 4);
            const float second = source_of(source_seed ^ SECOND, (uint32_t)x, (uint32_t)y, c);
            memcpy(&blocks[b].outputs[ABI_FRAG_DUAL_SOURCE + c][i], &second, 4);
         }
      }
      blocks[b].mask_out = blocks[b].mask & (source_seed & 1 ? 0xffff : 0xf7d9);
   }
}

/* 16 texels from x on, as one block at a time is blended. */
static void expect_blended(const struct rt_output *output, const uint8_t *before, uint32_t x, uint32_t y, uint8_t *texels)
{
   const uint32_t bytes = output->info->texel_bytes;
   float src[4][16], second[4][16], dst[4][16], result[4][16];
   uint8_t packed[16 * 16];
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < 16; i++) {
         src[c][i] = source_of(source_seed, x + i, y, c);
         second[c][i] = source_of(source_seed ^ SECOND, x + i, y, c);
      }
   output->info->unpack_block(before, (uint32_t(*)[16])dst);
   rt_blend_block(output, (const float(*)[16])src, (const float(*)[16])second, (const float(*)[16])dst, result);
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t i = 0; i < 16; i++)
         if (result[c][i] != result[c][i])
            memcpy(&result[c][i], &(uint32_t){0x7fc00000}, 4);
   output->info->pack_block(packed, (const uint32_t(*)[16])result);
   memcpy(texels, before, 16 * bytes);
   rt_merge_block(texels, packed, bytes, 0xffff, output->bits);
}

static uint32_t count_wrong(const struct fixture_image *color, const struct rt_output *output, const uint8_t *before)
{
   const uint32_t bytes = output->info->texel_bytes;
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < 16; y++) {
      uint8_t texels[16 * 16];
      expect_blended(output, before + y * 16 * bytes, 0, y, texels);
      for (uint32_t x = 0; x < 16; x++) {
         const uint32_t lane = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
         const bool is_covered = source_seed & 1 || 0xf7d9 >> lane & 1;
         const uint8_t *expected = is_covered ? texels + x * bytes : before + (y * 16 + x) * bytes;
         wrong += memcmp(fixture_texel(color, x, y, 0, 0), expected, bytes) != 0;
      }
   }
   return wrong;
}

static void random_blend(struct rt_blend_attachment *b, uint32_t *seed)
{
   b->src_color = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1);
   b->dst_color = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1);
   b->src_alpha = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1);
   b->dst_alpha = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA + 1);
   b->color_op = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_OP_MAX + 1);
   b->alpha_op = (uint8_t)(fixture_random(seed) >> 9) % (VK_BLEND_OP_MAX + 1);
}

/* What applications use: some formats have routines of their own for these. */
#define BLEND(op, sc, dc, sa, da)                                                                                      \
   {VK_BLEND_FACTOR_##sc, VK_BLEND_FACTOR_##dc, VK_BLEND_OP_##op, VK_BLEND_FACTOR_##sa, VK_BLEND_FACTOR_##da, VK_BLEND_OP_##op}
static const struct rt_blend_attachment frequent[] = {
   BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ZERO),
   BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA),
   BLEND(ADD, SRC_ALPHA, ONE_MINUS_SRC_ALPHA, SRC_ALPHA, ONE_MINUS_SRC_ALPHA),
   BLEND(ADD, ONE, ONE_MINUS_SRC_ALPHA, ONE, ONE_MINUS_SRC_ALPHA),
   BLEND(ADD, ONE, ONE, ONE, ONE),
   BLEND(ADD, SRC_ALPHA, ONE, ONE, ONE),
   BLEND(ADD, SRC_ALPHA, ONE, SRC_ALPHA, ONE),
   BLEND(ADD, DST_COLOR, ZERO, DST_ALPHA, ZERO),
   BLEND(ADD, ZERO, SRC_COLOR, ZERO, SRC_COLOR),
   BLEND(ADD, DST_COLOR, ZERO, DST_COLOR, ZERO),
   BLEND(ADD, ZERO, SRC_COLOR, ZERO, SRC_ALPHA),
   BLEND(ADD, DST_COLOR, SRC_COLOR, DST_COLOR, SRC_COLOR),
   BLEND(ADD, ONE, ONE_MINUS_SRC_COLOR, ONE, ONE_MINUS_SRC_COLOR),
   BLEND(ADD, ZERO, ONE_MINUS_SRC_ALPHA, ZERO, ONE_MINUS_SRC_ALPHA),
   BLEND(REVERSE_SUBTRACT, SRC_ALPHA, ONE, SRC_ALPHA, ONE),
   BLEND(REVERSE_SUBTRACT, ONE, ONE, ONE, ONE),
   BLEND(MIN, ONE, ONE, ONE, ONE),
   BLEND(MAX, ONE, ONE, ONE, ONE),
   {.color_op = VK_BLEND_OP_MAX, .alpha_op = VK_BLEND_OP_MIN},
};

/* Of a format: random equations, write masks, colours and texels; runs of blocks give what single blocks do. */
static void check_format(VkFormat format, uint32_t *seed)
{
   static const float constants[4] = {0.75f, 0.125f, 0.5f, 0.25f};
   const struct rt_format_info *info = rt_format_info(format);
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, format, 16, 16, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.begin.colors[0].load_op = VK_ATTACHMENT_LOAD_OP_LOAD;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = random_colors;
   f.state.blend_enable.enable[0] = 1;
   memcpy(f.state.blend_constants.rgba, constants, sizeof(constants));
   const uint32_t numeric = info->channels[info->channels[0].bits ? 0 : 3].numeric;
   struct rt_output output = {.info = info, .is_snorm = numeric == RT_SNORM,
                              .is_unorm = numeric == RT_UNORM || numeric == RT_SRGB};
   memcpy(output.constants, constants, sizeof(constants));
   for (uint32_t round = 0; round < RANDOM_ROUNDS + 2 * UTIL_ARRAY_SIZE(frequent); round++) {
      uint8_t before[16 * 16 * 16];
      random_blend(&output.blend, seed);
      output.advanced = (struct rt_blend_advanced){.op = (uint8_t)(round % 3 ? 0 : 1 + (fixture_random(seed) >> 9) % 46),
                                                   .overlap = round % 2, .is_dst_straight = round % 4 == 3};
      if (round >= RANDOM_ROUNDS) {
         output.blend = frequent[(round - RANDOM_ROUNDS) / 2];
         output.advanced = (struct rt_blend_advanced){0};
      }
      const uint8_t write_mask = round & 1 ? 0xf : (uint8_t)(1 + (fixture_random(seed) >> 9) % 15);
      source_seed = fixture_random(seed);
      memset(output.bits, 0, sizeof(output.bits));
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t b = 0; b < (write_mask >> c & 1 ? info->channels[c].bits : 0); b++)
            output.bits[(info->channels[c].shift + b) / 8] |= (uint8_t)(1u << (info->channels[c].shift + b) % 8);
      for (uint32_t i = 0; i < 256; i++) {
         uint8_t *texel = fixture_texel(&color, i % 16, i / 16, 0, 0);
         for (uint32_t k = 0; k < info->texel_bytes; k++)
            texel[k] = (uint8_t)(fixture_random(seed) >> 9);
         memcpy(before + i * info->texel_bytes, texel, info->texel_bytes);
      }
      f.state.blend.attachments[0] = output.blend;
      f.state.blend_advanced.attachments[0] = output.advanced;
      f.state.color_write_mask.mask[0] = write_mask;
      fixture_render(&f, full_screen(0, 0, 0, 0), 3);
      const uint32_t wrong = count_wrong(&color, &output, before);
      if (wrong)
         fprintf(stderr, "%s: round %u, write mask %u, %u %u %u, %u %u %u\n", info->name, round, write_mask, output.blend.src_color,
                 output.blend.dst_color, output.blend.color_op, output.blend.src_alpha, output.blend.dst_alpha, output.blend.alpha_op);
      CHECK_EQ(wrong, 0);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(blend_formats)
{
   uint32_t seed = 1;
   for (VkFormat format = 1; format <= VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; format++)
      if (rt_format_image_features(format, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT)
         check_format(format, &seed);
}

/* Of what a shader stores, by texel: integers, or floats of which many are outside of what formats hold. */
static uint32_t stored_bits(bool is_int, uint32_t x, uint32_t y, uint32_t c)
{
   uint32_t state = source_seed * 7919 + ((y * 64 + x) * 4 + c) * 2654435761u;
   const uint32_t v = fixture_random(&state), random = fixture_random(&state);
   if (is_int)
      return v >> 7 & 1 ? random : (uint32_t)((int32_t)random >> (8 + (v >> 8) % 16));
   static const uint32_t special[] = {0x7fc00000, 0xffc00001, 0x7f800001, 0x7f800000, 0xff800000, 0x80000000, 0x7f7fffff,
                                      0xff7fffff, 0x00000001, 0x33800000, 0x387fc000, 0x477ff000, 0x4f000000, 0xcf000000};
   if ((v >> 9) % 3 == 0)
      return special[(v >> 12) % UTIL_ARRAY_SIZE(special)];
   const float f = (float)(random & 0xfffff) / 0x80000p0f - 0.5f;
   uint32_t bits;
   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

static bool stores_int;

static void stored_colors(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                          struct abi_block *blocks, uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         float x, y;
         fixture_position(args, &blocks[b], i, &x, &y);
         for (uint32_t c = 0; c < 4; c++)
            blocks[b].outputs[c][i] = stored_bits(stores_int, (uint32_t)x, (uint32_t)y, c);
      }
      blocks[b].mask_out = blocks[b].mask & (source_seed & 1 ? 0xffff : 0xf7d9);
   }
}

/* Texels of 16 x 16 with any contents before, of which shown are those of one sample. */
static uint32_t count_stored_wrong(const struct fixture_image *color, const struct rt_format_info *info, uint32_t write_mask, uint32_t sample,
                                   const uint8_t *before)
{
   uint8_t bits[16] = {0};
   for (uint32_t c = 0; c < 4; c++)
      for (uint32_t b = 0; b < (write_mask >> c & 1 ? info->channels[c].bits : 0); b++)
         bits[(info->channels[c].shift + b) / 8] |= (uint8_t)(1u << (info->channels[c].shift + b) % 8);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < 16; y++) {
      uint32_t planes[4][16];
      uint8_t packed[16 * 16], expected[16 * 16];
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t x = 0; x < 16; x++) {
            planes[c][x] = stored_bits(stores_int, x, y, c);
            if (!stores_int && (planes[c][x] & 0x7fffffff) > 0x7f800000)
               planes[c][x] = 0x7fc00000;
         }
      info->pack_block(packed, (const uint32_t(*)[16])planes);
      uint32_t mask = 0;
      for (uint32_t x = 0; x < 16; x++) {
         const uint32_t lane = (x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2;
         mask |= (source_seed & 1 ? 1u : 0xf7d9u >> lane & 1) << x;
      }
      memcpy(expected, before + y * 16 * info->texel_bytes, 16 * info->texel_bytes);
      rt_merge_block(expected, packed, info->texel_bytes, mask, write_mask == 0xf ? NULL : bits);
      for (uint32_t x = 0; x < 16; x++)
         wrong += memcmp(fixture_texel(color, x, y, 0, sample), expected + x * info->texel_bytes, info->texel_bytes) != 0;
   }
   return wrong;
}

/* Without blending: what runs of blocks store is what the format's function makes of single blocks. */
static void check_stores(VkFormat format, uint32_t num_samples, uint32_t *seed)
{
   const struct rt_format_info *info = rt_format_info(format);
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, format, 16, 16, 1, num_samples, true);
   fixture_target(&f, &color, NULL);
   f.begin.colors[0].load_op = VK_ATTACHMENT_LOAD_OP_LOAD;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = stored_colors;
   stores_int = info->is_int;
   for (uint32_t round = 0; round < 8; round++) {
      uint8_t before[4][16 * 16 * 16];
      /* A mask of all channels that the format has is not a partial one. */
      const uint32_t write_mask = round & 2 ? 0xf : 1 + (fixture_random(seed) >> 9) % 15;
      source_seed = (fixture_random(seed) & ~1u) | (round & 1);
      for (uint32_t s = 0; s < num_samples; s++)
         for (uint32_t i = 0; i < 256; i++) {
            uint8_t *texel = fixture_texel(&color, i % 16, i / 16, 0, s);
            for (uint32_t k = 0; k < info->texel_bytes; k++)
               texel[k] = (uint8_t)(fixture_random(seed) >> 9);
            memcpy(before[s] + i * info->texel_bytes, texel, info->texel_bytes);
         }
      f.state.color_write_mask.mask[0] = (uint8_t)write_mask;
      fixture_render(&f, full_screen(0, 0, 0, 0), 3);
      uint32_t wrong = 0, has = 0;
      for (uint32_t c = 0; c < 4; c++)
         has |= (uint32_t)(info->channels[c].bits != 0) << c;
      for (uint32_t s = 0; s < num_samples; s++)
         wrong += count_stored_wrong(&color, info, (write_mask & has) == has ? 0xf : write_mask, s, before[s]);
      if (wrong)
         fprintf(stderr, "%s: round %u, %u samples, write mask %u\n", info->name, round, num_samples, write_mask);
      CHECK_EQ(wrong, 0);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(store_formats)
{
   uint32_t seed = 3;
   for (VkFormat format = 1; format <= VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; format++)
      if (rt_format_image_features(format, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT) {
         check_stores(format, 1, &seed);
         check_stores(format, 4, &seed);
      }
}

/* The bits of the least float whose sRGB code is at least `code`. */
static uint32_t srgb_limit(uint32_t code)
{
   uint32_t low = 0, high = 0x3f800000;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      float f;
      memcpy(&f, &middle, 4);
      if (rt_srgb_encode(f) < code)
         low = middle + 1;
      else
         high = middle;
   }
   return low;
}

/* Texel x, y: the limit of code 16 y + x, and the floats before and after it. */
static void limit_colors(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                         struct abi_block *blocks, uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         float x, y;
         fixture_position(args, &blocks[b], i, &x, &y);
         const uint32_t limit = srgb_limit(UTIL_MAX((uint32_t)y * 16 + (uint32_t)x, 1u));
         blocks[b].outputs[0][i] = limit - 1;
         blocks[b].outputs[1][i] = limit;
         blocks[b].outputs[2][i] = limit + 1;
         blocks[b].outputs[3][i] = 0;
      }
      blocks[b].mask_out = blocks[b].mask;
   }
}

TEST(srgb_limits)
{
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_SRGB, 16, 16, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = limit_colors;
   f.state.blend_enable.enable[0] = 1;
   f.state.blend.attachments[0] = (struct rt_blend_attachment){VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD,
                                                               VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD};
   fixture_render(&f, full_screen(0, 0, 0, 0), 3);
   uint32_t wrong = 0;
   for (uint32_t code = 1; code < 256; code++) {
      const uint8_t *texel = fixture_texel(&color, code % 16, code / 16, 0, 0);
      wrong += texel[0] != code - 1 || texel[1] != code || texel[2] != code;
   }
   CHECK_EQ(wrong, 0);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(write_masks_and_logic)
{
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.begin.colors[0].clear.color = (VkClearColorValue){.float32 = {0x0f / 255.0f, 0x33 / 255.0f, 0x55 / 255.0f, 1.0f}};
   f.state.color_write_mask.mask[0] = VK_COLOR_COMPONENT_G_BIT;
   fixture_render(&f, full_screen(1, 1, 1, 0), 3);
   const uint8_t *t = fixture_texel(&color, 40, 70, 0, 0);
   CHECK_EQ(t[0], 0x0f);
   CHECK_EQ(t[1], 0xff);
   CHECK_EQ(t[2], 0x55);
   CHECK_EQ(t[3], 0xff);
   f.state.color_write_mask.mask[0] = 0xf;
   f.state.logic_op_enable.enable = 1;
   for (uint32_t op = 0; op < 16; op++) {
      f.state.logic_op.op = op;
      fixture_render(&f, full_screen(0x3c / 255.0f, 0x3c / 255.0f, 0x3c / 255.0f, 0x3c / 255.0f), 3);
      /* The op's number is its truth table: bit 3 for s=0 d=0 … as the specification lists them. */
      const uint32_t s = 0x3c, d = 0x33;
      const uint32_t expected[16] = {0,        s & d,    s & ~d, s,      ~s & d, d,      s ^ d,    s | d,
                                     ~(s | d), ~(s ^ d), ~d,     s | ~d, ~s,     ~s | d, ~(s & d), 0xff};
      CHECK_EQ(t[1], (uint8_t)expected[op]);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* Locations 0 and 1, each with a second source of its own. */
static void two_sources(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                        struct abi_block *blocks, uint32_t count)
{
   static const float factors[ABI_MAX_DUAL_SOURCES][4] = {{1, 0.6f, 0, 1}, {0.2f, 1, 0.4f, 0}};
   const float one = 1;
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16 * 4 * ABI_MAX_DUAL_SOURCES; i++) {
         const uint32_t slot = i / 16;
         memcpy(&blocks[b].outputs[slot][i % 16], &one, 4);
         memcpy(&blocks[b].outputs[ABI_FRAG_DUAL_SOURCE + slot][i % 16], &factors[slot / 4][slot % 4], 4);
      }
      blocks[b].mask_out = blocks[b].mask;
   }
}

TEST(second_sources)
{
   static const uint8_t expected[ABI_MAX_DUAL_SOURCES][4] = {{255, 153, 0, 255}, {51, 255, 102, 0}};
   struct fixture f;
   struct fixture_image colors[ABI_MAX_DUAL_SOURCES];
   fixture_init(&f, 2);
   for (uint32_t i = 0; i < ABI_MAX_DUAL_SOURCES; i++)
      fixture_image_init(&colors[i], VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &colors[0], NULL);
   f.begin.num_colors = ABI_MAX_DUAL_SOURCES;
   f.begin.colors[1] = (struct rt_attachment){.view = &colors[1].view, .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR};
   f.fs.outputs[0] = 0xff | UINT64_C(0xff) << ABI_FRAG_DUAL_SOURCE;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = two_sources;
   for (uint32_t i = 0; i < ABI_MAX_DUAL_SOURCES; i++) {
      f.state.blend_enable.enable[i] = 1;
      f.state.blend.attachments[i] = (struct rt_blend_attachment){VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD,
                                                                  VK_BLEND_FACTOR_SRC1_ALPHA, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD};
   }
   fixture_render(&f, full_screen(0, 0, 0, 0), 3);
   for (uint32_t i = 0; i < ABI_MAX_DUAL_SOURCES; i++)
      for (uint32_t at = 0; at < SIZE; at++)
         CHECK_EQ(memcmp(fixture_texel(&colors[i], at, at, 0, 0), expected[i], 4), 0);
   for (uint32_t i = 0; i < ABI_MAX_DUAL_SOURCES; i++)
      fixture_image_finish(&colors[i]);
   fixture_finish(&f);
}

/* Two attachments of other formats; the second location gets the block's position. Every third column is discarded. */
static void two_outputs(const struct abi_fragment_args *args, struct abi_worker *worker,
                        const struct abi_primitive *primitive, struct abi_block *blocks, uint32_t count)
{
   fixture_fragment_shader(args, worker, primitive, blocks, count);
   for (uint32_t b = 0; b < count; b++)
      for (uint32_t i = 0; i < 16; i++) {
         float x, y;
         fixture_position(args, &blocks[b], i, &x, &y);
         blocks[b].outputs[4][i] = (uint32_t)x * 1000 + (uint32_t)y;
         if ((uint32_t)x % 3 == 0)
            blocks[b].mask_out &= ~(1u << i);
      }
}

TEST(attachments_and_discard)
{
   struct fixture f;
   struct fixture_image color, ints;
   fixture_init(&f, 2);
   fixture_image_init(&color, VK_FORMAT_R5G6B5_UNORM_PACK16, SIZE, SIZE, 1, 1, true);
   fixture_image_init(&ints, VK_FORMAT_R32_UINT, SIZE, SIZE, 1, 1, false);
   fixture_target(&f, &color, NULL);
   f.begin.num_colors = 2;
   f.begin.colors[1] =
      (struct rt_attachment){.view = &ints.view, .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR, .clear.color.uint32 = {7}};
   f.fs.outputs[0] = 0x1f;
   f.fs.uses_discard = 1;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = two_outputs;
   struct rt_query query = {0};
   f.draw.occlusion = &query;
   fixture_render(&f, full_screen(1, 0, 1, 1), 3);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++) {
         uint16_t c;
         uint32_t i;
         memcpy(&c, fixture_texel(&color, x, y, 0, 0), 2);
         memcpy(&i, fixture_texel(&ints, x, y, 0, 0), 4);
         wrong += c != (x % 3 ? 0xf81f : 0) || i != (x % 3 ? x * 1000 + y : 7);
      }
   CHECK_EQ(wrong, 0);
   CHECK_EQ(query.values[0], SIZE * SIZE * 2 / 3);
   fixture_image_finish(&color);
   fixture_image_finish(&ints);
   fixture_finish(&f);
}

/* Writes the sample's number; and a sample mask. */
static void sample_number(const struct abi_fragment_args *args, struct abi_worker *worker,
                          const struct abi_primitive *primitive, struct abi_block *blocks, uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         const float v = (float)(args->sample + 1) / 255.0f;
         for (uint32_t c = 0; c < 4; c++)
            memcpy(&blocks[b].outputs[c][i], &v, 4);
         blocks[b].outputs[ABI_FRAG_SAMPLE_MASK][i] = 0xb;
      }
      blocks[b].mask_out = blocks[b].mask;
   }
}

TEST(samples)
{
   struct fixture f;
   struct fixture_image color, resolved;
   fixture_init(&f, 2);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 4, true);
   fixture_image_init(&resolved, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, false);
   fixture_target(&f, &color, NULL);
   f.begin.area = (VkRect2D){{2, 3}, {SIZE - 5, SIZE - 4}};
   f.begin.colors[0].resolve_view = &resolved.view;
   f.begin.colors[0].resolve_mode = VK_RESOLVE_MODE_AVERAGE_BIT;
   f.begin.colors[0].clear.color = (VkClearColorValue){.float32 = {8 / 255.0f, 0, 0, 0}};
   f.fs.uses_sample = 1;
   f.fs.outputs[0] |= UINT64_C(1) << ABI_FRAG_SAMPLE_MASK;
   f.state.sample_mask.mask = 0x7;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = sample_number;
   fixture_render(&f, full_screen(0, 0, 0, 0), 3);
   /* Samples 0 and 1 are in both masks. */
   static const uint8_t expected[4] = {1, 2, 8, 8};
   for (uint32_t s = 0; s < 4; s++)
      CHECK_EQ(fixture_texel(&color, 10, 10, 0, s)[0], expected[s]);
   CHECK_EQ(fixture_texel(&resolved, 10, 10, 0, 0)[0], 5);   /* 19 / 4 */
   CHECK_EQ(fixture_texel(&resolved, 1, 10, 0, 0)[0], 0xcd); /* outside of the render area */
   CHECK_EQ(fixture_texel(&resolved, 10, 2, 0, 0)[0], 0xcd);
   CHECK_EQ(fixture_texel(&color, SIZE - 3, 10, 0, 0)[0], 0xcd);
   CHECK_EQ(fixture_texel(&color, SIZE - 4, SIZE - 2, 0, 0)[0], 1);
   fixture_image_finish(&color);
   fixture_image_finish(&resolved);
   fixture_finish(&f);
}

TEST(alpha_to_coverage)
{
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, 4, true);
   fixture_target(&f, &color, NULL);
   f.state.alpha_to_coverage.alpha_to_coverage = 1;
   for (uint32_t i = 0; i <= 4; i++) {
      fixture_render(&f, full_screen(1, 1, 1, (float)i / 4), 3);
      uint32_t covered = 0;
      for (uint32_t s = 0; s < 4; s++)
         covered += fixture_texel(&color, 3, 3, 0, s)[0] == 255;
      CHECK_EQ(covered, i);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* The alpha of integers says nothing about coverage and stays. */
TEST(alpha_of_integers)
{
   struct fixture f;
   struct fixture_image color;
   const float alpha = 0.25f;
   uint32_t bits;
   memcpy(&bits, &alpha, sizeof(bits));
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R32G32B32A32_UINT, 8, 8, 1, 4, true);
   fixture_target(&f, &color, NULL);
   f.fs.output_is_int[0] = 2;
   f.state.alpha_to_coverage.alpha_to_coverage = 1;
   f.state.alpha_to_one.alpha_to_one = 1;
   fixture_render(&f, full_screen(1, 1, 1, alpha), 3);
   for (uint32_t s = 0; s < 4; s++) {
      uint32_t texel[4];
      memcpy(texel, fixture_texel(&color, 3, 3, 0, s), sizeof(texel));
      CHECK_EQ(texel[3], bits);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* Clears stand in order with draws, in rectangles and layers; a flush in between changes nothing. */
TEST(clears_in_order)
{
   for (uint32_t flush = 0; flush < 2; flush++) {
      struct fixture f;
      struct fixture_image color;
      fixture_init(&f, 2);
      fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 2, 1, true);
      fixture_target(&f, &color, NULL);
      f.begin.num_layers = 2;
      rt_render_begin(f.render, &f.begin, 0, false);
      fixture_draw(&f, full_screen(1, 0, 0, 1), 3, sizeof(struct fixture_vertex));
      const VkClearAttachment attachment = {VK_IMAGE_ASPECT_COLOR_BIT, 0, {.color.float32 = {0, 1, 0, 1}}};
      const VkClearRect rect = {{{10, 10}, {20, 1000}}, 0, 2};
      const struct rt_cmd_clear_attachments clear = {
         .num_attachments = 1, .num_rects = 1, .attachments = &attachment, .rects = &rect};
      CHECK_EQ(rt_render_clear(f.render, &clear), VK_SUCCESS);
      if (flush)
         CHECK_EQ(rt_render_flush(f.render), VK_SUCCESS);
      f.state.scissors.scissors[0] = (VkRect2D){{20, 20}, {5, 5}};
      fixture_draw(&f, full_screen(0, 0, 1, 1), 3, sizeof(struct fixture_vertex));
      CHECK_EQ(rt_render_end(f.render), VK_SUCCESS);
      uint32_t wrong = 0;
      for (uint32_t layer = 0; layer < 2; layer++)
         for (uint32_t y = 0; y < SIZE; y++)
            for (uint32_t x = 0; x < SIZE; x++) {
               const bool cleared = x >= 10 && x < 30 && y >= 10,
                          blue = layer == 0 && x >= 20 && x < 25 && y >= 20 && y < 25;
               const uint8_t *t = fixture_texel(&color, x, y, layer, 0);
               wrong += t[0] != (!cleared && layer == 0 ? 255 : 0) || t[1] != (cleared && !blue ? 255 : 0) ||
                        t[2] != (blue ? 255 : 0);
            }
      CHECK_EQ(wrong, 0);
      fixture_image_finish(&color);
      fixture_finish(&f);
   }
}

TEST_MAIN
