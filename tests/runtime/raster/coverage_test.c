/* SPDX-License-Identifier: MIT
 * Coverage is exact: against a brute-force test of every sample, and every texel of a mesh is covered once. */
#include "runtime/draw/samples.h"
#include "tests/runtime/raster/fixture.h"

#include <stdlib.h>

enum { SIZE = 200 };

/* The top-left rule in exact arithmetic; corners in 24.8. */
static bool covers(const int32_t (*v)[2], int32_t x, int32_t y)
{
   int64_t det =
      (int64_t)(v[1][0] - v[0][0]) * (v[2][1] - v[0][1]) - (int64_t)(v[2][0] - v[0][0]) * (v[1][1] - v[0][1]);
   if (det == 0)
      return false;
   for (uint32_t i = 0; i < 3; i++) {
      const int32_t *p = v[i], *q = v[(i + 1) % 3];
      if (det < 0) {
         const int32_t *swap = p;
         p = q;
         q = swap;
      }
      const int64_t e = (int64_t)(q[0] - p[0]) * (y - p[1]) - (int64_t)(q[1] - p[1]) * (x - p[0]);
      const bool is_top_left = q[1] < p[1] || (q[1] == p[1] && q[0] > p[0]);
      if (e < 0 || (e == 0 && !is_top_left))
         return false;
   }
   return true;
}

/* A vertex at a window position in 1/256 texels, exactly representable. */
static struct fixture_vertex at(int32_t x, int32_t y)
{
   return (struct fixture_vertex){{(float)x / (SIZE * 128.0f) - 1.0f, (float)y / (SIZE * 128.0f) - 1.0f, 0.5f, 1.0f},
                                  {1.0f / 255, 0, 0, 1}};
}

static int32_t snapped(float ndc)
{
   const float fixed = (ndc * (SIZE * 0.5f) + SIZE * 0.5f) * 256.0f;
   return (int32_t)(fixed + (fixed < 0 ? -0.5f : 0.5f));
}

/* Colours that are added up. */
static void fixture_additive(struct fixture *f, struct fixture_image *color, uint32_t samples, bool is_tiled)
{
   fixture_init(f, 2);
   fixture_image_init(color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, samples, is_tiled);
   fixture_target(f, color, NULL);
   f->state.blend_enable.enable[0] = 1;
   f->state.blend.attachments[0] = (struct rt_blend_attachment){VK_BLEND_FACTOR_ONE,
                                                               VK_BLEND_FACTOR_ONE,
                                                               VK_BLEND_OP_ADD,
                                                               VK_BLEND_FACTOR_ONE,
                                                               VK_BLEND_FACTOR_ONE,
                                                               VK_BLEND_OP_ADD};
}

static void check_random(uint32_t samples, bool is_tiled, int32_t spread, uint32_t num)
{
   struct fixture f;
   struct fixture_image color;
   fixture_additive(&f, &color, samples, is_tiled);
   struct fixture_vertex *v = calloc(num * 3, sizeof(*v));
   uint32_t seed = 17 + num + samples;
   for (uint32_t i = 0; i < num; i++) {
      const int32_t cx = (int32_t)(fixture_random(&seed) % (SIZE * 256)),
                    cy = (int32_t)(fixture_random(&seed) % (SIZE * 256));
      for (uint32_t k = 0; k < 3; k++)
         v[i * 3 + k] = at(cx + (int32_t)(fixture_random(&seed) % (uint32_t)spread) - spread / 2,
                           cy + (int32_t)(fixture_random(&seed) % (uint32_t)spread) - spread / 2);
   }
   fixture_render(&f, v, num * 3);

   uint32_t wrong = 0;
   const uint8_t(*locations)[2] = rt_sample_locations(samples);
   for (int32_t y = 0; y < SIZE; y++)
      for (int32_t x = 0; x < SIZE; x++)
         for (uint32_t s = 0; s < samples; s++) {
            uint32_t expected = 0;
            for (uint32_t i = 0; i < num; i++) {
               int32_t corners[3][2];
               for (uint32_t k = 0; k < 3; k++) {
                  corners[k][0] = snapped(v[i * 3 + k].position[0]);
                  corners[k][1] = snapped(v[i * 3 + k].position[1]);
               }
               expected +=
                  covers((const int32_t(*)[2])corners, x * 256 + locations[s][0] * 16, y * 256 + locations[s][1] * 16);
            }
            wrong += fixture_texel(&color, (uint32_t)x, (uint32_t)y, 0, s)[0] != expected;
         }
   CHECK_EQ(wrong, 0);
   free(v);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(small_triangles)
{
   check_random(1, true, 6 * 256, 200);
}

TEST(middle_triangles)
{
   check_random(1, true, 60 * 256, 60);
   check_random(1, false, 60 * 256, 60);
}

TEST(large_triangles)
{
   check_random(1, true, 1000 * 256, 40);
   check_random(1, true, 12000 * 256, 40);
}

TEST(samples)
{
   check_random(2, true, 40 * 256, 40);
   check_random(4, true, 40 * 256, 40);
   check_random(4, true, 1000 * 256, 20);
   check_random(8, true, 40 * 256, 20);
   check_random(16, true, 40 * 256, 10);
}

/* A mesh of random vertices in a grid: each texel belongs to exactly one triangle. */
static void check_mesh(uint32_t samples, int32_t cells)
{
   struct fixture f;
   struct fixture_image color;
   fixture_additive(&f, &color, samples, true);
   struct fixture_vertex *grid = calloc((size_t)(cells + 1) * (cells + 1), sizeof(*grid));
   struct fixture_vertex *v = calloc((size_t)cells * cells * 6, sizeof(*v)), *out = v;
   uint32_t seed = 99;
   const int32_t step = (SIZE + 20) * 256 / cells;
   for (int32_t y = 0; y <= cells; y++)
      for (int32_t x = 0; x <= cells; x++) {
         const int32_t jx = (int32_t)(fixture_random(&seed) % (uint32_t)(step / 2)),
                       jy = (int32_t)(fixture_random(&seed) % (uint32_t)(step / 2));
         const bool border = x == 0 || y == 0 || x == cells || y == cells;
         grid[y * (cells + 1) + x] = at(x * step - 2560 + (border ? 0 : jx), y * step - 2560 + (border ? 0 : jy));
      }
   for (int32_t y = 0; y < cells; y++)
      for (int32_t x = 0; x < cells; x++) {
         const struct fixture_vertex *g = &grid[y * (cells + 1) + x];
         *out++ = g[0];
         *out++ = g[1];
         *out++ = g[cells + 1];
         *out++ = g[1];
         *out++ = g[cells + 1];
         *out++ = g[cells + 2];
      }
   fixture_render(&f, v, (uint32_t)(out - v));
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++)
         for (uint32_t s = 0; s < samples; s++)
            wrong += fixture_texel(&color, x, y, 0, s)[0] != 1;
   CHECK_EQ(wrong, 0);
   free(grid);
   free(v);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(meshes_are_watertight)
{
   check_mesh(1, 7);
   check_mesh(1, 90);
   check_mesh(4, 30);
}

/* Near-plane clipping of a plane through the eye, several depths, any thread count: the same bits. */
TEST(threads_do_not_matter)
{
   uint8_t *first = NULL;
   size_t size = 0;
   for (uint32_t threads = 0; threads < 4; threads++) {
      struct fixture f;
      struct fixture_image color, depth;
      fixture_init(&f, threads);
      fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
      fixture_image_init(&depth, VK_FORMAT_D32_SFLOAT, SIZE, SIZE, 1, 1, true);
      fixture_target(&f, &color, &depth);
      f.state.depth_test.enable = f.state.depth_write.enable = 1;
      f.state.depth_compare.op = VK_COMPARE_OP_LESS_OR_EQUAL;
      const uint32_t num = 3 * 5000;
      struct fixture_vertex *v = calloc(num, sizeof(*v));
      uint32_t seed = 4711;
      for (uint32_t i = 0; i < num; i++) {
         for (uint32_t c = 0; c < 4; c++) {
            v[i].position[c] = (float)(fixture_random(&seed) % 4096) / 2048.0f - 1.0f;
            v[i].color[c] = (float)(fixture_random(&seed) % 256) / 255.0f;
         }
         v[i].position[3] += 0.5f;
      }
      fixture_render(&f, v, num);
      if (!first) {
         size = color.image.size_bytes;
         first = malloc(size);
         memcpy(first, color.memory, size);
      }
      CHECK(memcmp(first, color.memory, size) == 0);
      free(v);
      fixture_image_finish(&color);
      fixture_image_finish(&depth);
      fixture_finish(&f);
   }
   free(first);
}

TEST_MAIN
