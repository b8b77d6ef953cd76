/* SPDX-License-Identifier: MIT
 * Multisampling: which samples a triangle covers, for every number of samples that Vulkan has standard locations for, seen
 * by the resolved picture. Spec: Rasterization, "Multisampling", table of the standard sample locations. */
#include "tests/test.h"
#include "triangle.h"

/* In sixteenths of a texel. */
static const int at_2[][2] = {{12, 12}, {4, 4}};
static const int at_4[][2] = {{6, 2}, {14, 6}, {2, 10}, {10, 14}};
static const int at_8[][2] = {{9, 5}, {7, 11}, {13, 9}, {5, 3}, {3, 13}, {1, 7}, {11, 15}, {15, 1}};
static const int at_16[][2] = {{9, 9},  {7, 5}, {5, 10}, {12, 7}, {3, 6}, {10, 13}, {13, 11}, {11, 3},
                               {6, 14}, {8, 1}, {4, 2},  {2, 12}, {0, 8}, {15, 4},  {14, 15}, {1, 0}};

/* Corners in 1/256 of a texel; the odd ones keep samples off the edges. */
static const int corners_fx8[3][2] = {{301, 777}, {7777, 1235}, {2501, 7919}};

/* 1 inside, 0 outside, -1 on an edge. */
static int is_inside(int x_fx8, int y_fx8)
{
   int positive = 0;
   for (int i = 0; i < 3; i++) {
      const int *a = corners_fx8[i], *b = corners_fx8[(i + 1) % 3];
      const int64_t side =
         (int64_t)(b[0] - a[0]) * (y_fx8 - a[1]) - (int64_t)(b[1] - a[1]) * (x_fx8 - a[0]);
      if (!side)
         return -1;
      positive += side > 0;
   }
   return positive == 0 || positive == 3;
}

static void check(VkSampleCountFlagBits samples, const int (*at)[2])
{
   struct triangle t;
   float corners[3][4];
   uint32_t wrong = 0, partial = 0;
   triangle_init(&t, samples, VK_CULL_MODE_NONE, NULL);
   for (int i = 0; i < 3; i++) {
      corners[i][0] = (float)corners_fx8[i][0] / (TRIANGLE_SIZE * 128.0f) - 1.0f;
      corners[i][1] = (float)corners_fx8[i][1] / (TRIANGLE_SIZE * 128.0f) - 1.0f;
      corners[i][2] = 0.5f;
      corners[i][3] = 1.0f;
   }
   VkCommandBuffer cmd = triangle_begin(&t);
   triangle_begin_pass(&t, cmd);
   triangle_draw(&t, cmd, (const float(*)[4])corners);
   triangle_end(&t, cmd);
   const uint8_t *pixels = t.pixels.map;
   for (int y = 0; y < TRIANGLE_SIZE; y++) {
      for (int x = 0; x < TRIANGLE_SIZE; x++, pixels += 4) {
         int covered = 0;
         bool is_known = true;
         for (int s = 0; s < (int)samples; s++) {
            const int side = is_inside(x * 256 + at[s][0] * 16, y * 256 + at[s][1] * 16);
            is_known &= side >= 0;
            covered += side > 0;
         }
         partial += covered > 0 && covered < (int)samples;
         const double expected = 255.0 * covered / samples;
         for (int c = 0; c < 4; c++)
            wrong += is_known && (pixels[c] < expected - 0.6 || pixels[c] > expected + 0.6);
      }
   }
   CHECK_EQ(wrong, 0);
   CHECK(partial > 30);
   triangle_finish(&t);
}

TEST(two_samples)
{
   check(VK_SAMPLE_COUNT_2_BIT, at_2);
}

TEST(four_samples)
{
   check(VK_SAMPLE_COUNT_4_BIT, at_4);
}

TEST(eight_samples)
{
   check(VK_SAMPLE_COUNT_8_BIT, at_8);
}

TEST(sixteen_samples)
{
   check(VK_SAMPLE_COUNT_16_BIT, at_16);
}

TEST_MAIN
