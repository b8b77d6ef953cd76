/* SPDX-License-Identifier: MIT
 * Shading rates: what they are combined to, and fragments of several texels: one value each, coverage and depth by texels. */
#include "runtime/fragment/rate.h"
#include "tests/runtime/raster/fixture.h"

enum { SIZE = 72 };

/* Corner, coverage and number of samples of each fragment. */
static void record_fragment(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                          struct abi_block *blocks, uint32_t count)
{
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++) {
         const uint32_t x = (i & 1) + (i >> 1 & 2), y = (i >> 1 & 1) + (i >> 2 & 2);
         blocks[b].outputs[0][i] = (uint32_t)blocks[b].x + (x << args->size_log2[0]);
         blocks[b].outputs[1][i] = (uint32_t)blocks[b].y + (y << args->size_log2[1]);
         blocks[b].outputs[2][i] = blocks[b].sample_masks[i];
         blocks[b].outputs[3][i] = 1u << (args->size_log2[0] << 2 | args->size_log2[1]);
      }
      blocks[b].mask_out = blocks[b].mask;
   }
}

static const struct fixture_vertex triangle[3] = {{{-0.95f, -0.9f, 0.5f, 1}, {0}}, {{0.9f, -0.55f, 0.5f, 1}, {0}}, {{-0.3f, 0.95f, 0.5f, 1}, {0}}};

static const uint32_t *texel_of(const struct fixture_image *image, uint32_t x, uint32_t y, uint32_t sample)
{
   return (const uint32_t *)(const void *)fixture_texel(image, x, y, 0, sample);
}

/* Which texels and samples the triangle covers, at a rate of one texel. */
static void find_coverage(struct fixture *f, const struct fixture_image *color, uint32_t num_samples, uint16_t (*covered)[SIZE])
{
   f->state.shading_rate.rate = 0;
   fixture_render(f, triangle, 3);
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++)
         for (uint32_t s = covered[y][x] = 0; s < num_samples; s++)
            covered[y][x] |= (uint16_t)((texel_of(color, x, y, s)[3] != 0) << s);
}

/* What a fragment's shader sees of coverage, by the formula of the coverage index. */
static uint32_t mask_of(uint16_t (*covered)[SIZE], uint32_t x0, uint32_t y0, uint32_t w, uint32_t h, uint32_t num_samples)
{
   uint32_t mask = 0;
   for (uint32_t y = 0; y < h; y++)
      for (uint32_t x = 0; x < w; x++)
         if (x0 + x < SIZE && y0 + y < SIZE)
            mask |= (uint32_t)covered[y0 + y][x0 + x] << num_samples * (w * h - 1 - (x + y * w));
   return mask;
}

static uint32_t count_wrong(const struct fixture_image *color, uint16_t (*covered)[SIZE], uint32_t rate, uint32_t num_samples)
{
   const uint32_t w = 1u << rt_rate_width_log2(rate), h = 1u << rt_rate_height_log2(rate);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t x0 = x & ~(w - 1), y0 = y & ~(h - 1);
         const uint32_t expected[4] = {x0, y0, mask_of(covered, x0, y0, w, h, num_samples), 1u << rate}, nothing[4] = {0};
         for (uint32_t s = 0; s < num_samples; s++)
            wrong += memcmp(texel_of(color, x, y, s), covered[y][x] >> s & 1 ? expected : nothing, 16) != 0;
      }
   return wrong;
}

TEST(fragments_of_several_texels)
{
   static uint16_t covered[SIZE][SIZE];
   for (uint32_t num_samples = 1; num_samples <= 4; num_samples *= 4)
      for (uint32_t threads = 0; threads < 3; threads += 2) {
         struct fixture f;
         struct fixture_image color;
         fixture_init(&f, threads);
         fixture_image_init(&color, VK_FORMAT_R32G32B32A32_UINT, SIZE, SIZE, 1, num_samples, true);
         fixture_target(&f, &color, NULL);
         f.state.rasterization_samples.samples = num_samples;
         f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = record_fragment;
         find_coverage(&f, &color, num_samples, covered);
         for (uint32_t asked = 1; asked < 11; asked++) {
            if ((asked & 3) == 3)
               continue;
            f.state.shading_rate.rate = (uint8_t)asked;
            const uint32_t rate = rt_rate_clamp(rt_rate_width_log2(asked), rt_rate_height_log2(asked), num_samples);
            fixture_render(&f, triangle, 3);
            CHECK_EQ(count_wrong(&color, covered, rate, num_samples), 0);
         }
         fixture_image_finish(&color);
         fixture_finish(&f);
      }
}

/* One a fragment, which blending adds up. */
static void count_layers(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                         struct abi_block *blocks, uint32_t count)
{
   const float one = 1;
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t i = 0; i < 16; i++)
         memcpy(&blocks[b].outputs[3][i], &one, 4);
      blocks[b].mask_out = blocks[b].mask;
   }
}

/* Many triangles over each other with depth and blending: each texel has as many layers as without a rate. */
TEST(coverage_and_depth_stay_by_texels)
{
   enum { TRIANGLES = 400 };
   static struct fixture_vertex v[TRIANGLES * 3];
   static float expected[SIZE][SIZE];
   uint32_t seed = 5, wrong = 0;
   struct fixture f;
   struct fixture_image color, depth;
   for (uint32_t i = 0; i < TRIANGLES * 3; i++) {
      const float x = (float)(fixture_random(&seed) >> 8 & 1023) / 512.0f - 1, y = (float)(fixture_random(&seed) >> 8 & 1023) / 512.0f - 1;
      const struct fixture_vertex *at = &v[i / 3 * 3];
      const bool is_first = i % 3 == 0; /* the others are near it, of every second triangle */
      const float scale = i / 3 % 2 ? 0.25f : 1;
      v[i] = (struct fixture_vertex){{is_first ? x : at->position[0] + x * scale, is_first ? y : at->position[1] + y * scale,
                                      (float)(fixture_random(&seed) >> 8 & 1023) / 1024.0f, 1}, {0}};
   }
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE, 1, 1, true);
   fixture_image_init(&depth, VK_FORMAT_D32_SFLOAT, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, &depth);
   f.begin.depth.clear.depthStencil.depth = 1;
   f.state.depth_test.enable = f.state.depth_write.enable = 1;
   f.state.depth_compare.op = VK_COMPARE_OP_LESS;
   f.state.blend_enable.enable[0] = 1;
   f.state.blend.attachments[0] = (struct rt_blend_attachment){VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, 0, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, 0};
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = count_layers;
   for (uint32_t rate = 0; rate < 11; rate++) {
      f.state.shading_rate.rate = (uint8_t)rate;
      fixture_render(&f, v, TRIANGLES * 3);
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         float layers;
         memcpy(&layers, &texel_of(&color, i % SIZE, i / SIZE, 0)[3], 4);
         float *first = &expected[i / SIZE][i % SIZE];
         *first = rate ? *first : layers;
         wrong += layers != *first;
      }
   }
   CHECK_EQ(wrong, 0);
   fixture_image_finish(&depth);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* An attachment of 9 x 9 rates, each for 8 x 8 texels. */
TEST(rates_of_an_attachment)
{
   static const uint8_t rates[4] = {0, 5, 10, 2};
   struct fixture f;
   struct fixture_image color, attachment;
   static uint16_t covered[SIZE][SIZE];
   fixture_init(&f, 0);
   fixture_image_init(&color, VK_FORMAT_R32G32B32A32_UINT, SIZE, SIZE, 1, 1, true);
   fixture_image_init(&attachment, VK_FORMAT_R8_UINT, SIZE / 8, SIZE / 8, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = record_fragment;
   find_coverage(&f, &color, 1, covered);
   for (uint32_t i = 0; i < SIZE / 8 * SIZE / 8; i++)
      *fixture_texel(&attachment, i % (SIZE / 8), i / (SIZE / 8), 0, 0) = rates[i % 4];
   f.begin.rates = (struct rt_rate_attachment){&attachment.view, {3, 3}};
   f.state.shading_rate.combiners[1] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
   fixture_render(&f, triangle, 3);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t rate = rates[(y / 8 * (SIZE / 8) + x / 8) % 4];
         const uint32_t w = 1u << rt_rate_width_log2(rate), h = 1u << rt_rate_height_log2(rate);
         const uint32_t *texel = texel_of(&color, x, y, 0);
         wrong += covered[y][x] && (texel[0] != (x & ~(w - 1)) || texel[1] != (y & ~(h - 1)) || texel[3] != 1u << rate);
         wrong += !covered[y][x] && texel[3];
      }
   CHECK_EQ(wrong, 0);
   fixture_image_finish(&attachment);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

/* Of each region its density's inverse, or the next shorter edge; beyond the map's end its last texel. The second component may be swizzled. */
TEST(densities)
{
   static const uint8_t densities[6] = {255, 128, 127, 64, 63, 0}, edges[6] = {1, 1, 2, 2, 4, 4};
   enum { MAP = SIZE / 8 - 1 };
   static uint16_t covered[SIZE][SIZE];
   for (uint32_t swizzles = 0; swizzles < 2; swizzles++) {
      struct fixture f;
      struct fixture_image color, map;
      fixture_init(&f, 2);
      fixture_image_init(&color, VK_FORMAT_R32G32B32A32_UINT, SIZE, SIZE, 1, 1, true);
      fixture_image_init(&map, VK_FORMAT_R8G8_UNORM, MAP, MAP, 1, 1, true);
      fixture_target(&f, &color, NULL);
      f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = record_fragment;
      find_coverage(&f, &color, 1, covered);
      for (uint32_t i = 0; i < MAP * MAP; i++) {
         uint8_t *texel = fixture_texel(&map, i % MAP, i / MAP, 0, 0);
         texel[0] = densities[i % 6];
         texel[1] = densities[i / 6 % 6];
      }
      map.view.swizzle[0] = VK_COMPONENT_SWIZZLE_R;
      map.view.swizzle[1] = swizzles ? VK_COMPONENT_SWIZZLE_ONE : VK_COMPONENT_SWIZZLE_G;
      f.begin.rates = (struct rt_rate_attachment){&map.view, {3, 3}, .max_edge_log2 = {swizzles ? 1 : 2, 2}, .is_density = true};
      f.state.shading_rate.rate = 10; /* says nothing */
      fixture_render(&f, triangle, 3);
      uint32_t wrong = 0;
      for (uint32_t y = 0; y < SIZE; y++)
         for (uint32_t x = 0; x < SIZE; x++) {
            const uint32_t i = UTIL_MIN(y / 8, MAP - 1u) * MAP + UTIL_MIN(x / 8, MAP - 1u);
            const uint32_t w = UTIL_MIN(edges[i % 6], swizzles ? 2 : 4), h = swizzles ? 1 : edges[i / 6 % 6];
            const uint32_t *texel = texel_of(&color, x, y, 0);
            wrong += covered[y][x] && (texel[0] != (x & ~(w - 1)) || texel[1] != (y & ~(h - 1)) || texel[3] != 1u << (w / 2 << 2 | h / 2));
            wrong += !covered[y][x] && texel[3];
         }
      CHECK_EQ(wrong, 0);
      fixture_image_finish(&map);
      fixture_image_finish(&color);
      fixture_finish(&f);
   }
}

TEST(clamps)
{
   CHECK_EQ(rt_rate_clamp(2, 2, 1), 10);
   CHECK_EQ(rt_rate_clamp(4, 3, 2), 10);
   CHECK_EQ(rt_rate_clamp(2, 2, 4), 9);  /* 4x2 */
   CHECK_EQ(rt_rate_clamp(2, 2, 8), 5);  /* 2x2 */
   CHECK_EQ(rt_rate_clamp(2, 1, 8), 5);  /* rather than 4x1 */
   CHECK_EQ(rt_rate_clamp(0, 2, 16), 1); /* 1x2 */
   CHECK_EQ(rt_rate_clamp(2, 2, 16), 4); /* 2x1 */
}

TEST(combinations)
{
   static struct rt_context c;
   const uint8_t expected[5] = {4, 9, 4 & 0xc, 9, 9}; /* of 2x1 and 4x2: keep, replace, min, max, mul */
   c.num_samples = 1;
   c.state.shading_rate.rate = 4;
   for (uint32_t op = 0; op < 5; op++) {
      c.state.shading_rate.combiners[0] = (uint8_t)op;
      CHECK_EQ(rt_rate_of_prim(&c, 9), expected[op]);
   }
   c.state.shading_rate.rate = 0;
   CHECK_EQ(rt_rate_of_prim(&c, 0), 0); /* one times one is one */
   CHECK_EQ(rt_rate_of_prim(&c, 0xfff5), 5);
}

TEST_MAIN
