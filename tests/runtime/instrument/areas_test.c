/* SPDX-License-Identifier: MIT
 * The texels of probes against rt_level_offset(), and that against rt_level_texel(): images of each layout, in and out of bounds. */
#include "runtime/image/image.h"
#include "runtime/instrument/areas.h"
#include "tests/test.h"

enum { LANES = 16, NUM_OPERANDS = 5, NUM_ROUNDS = 2000 };
#define NOWHERE_NEAR (UINT64_C(1) << 40)

static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static struct abi_image random_image(void)
{
   static const uint32_t dims[] = {ABI_DIM_1D, ABI_DIM_2D, ABI_DIM_3D};
   const uint32_t dim = dims[random_below(3)], bytes = 1u << random_below(5);
   struct abi_image image = {.data = (uint8_t *)(uintptr_t)NOWHERE_NEAR, .texel_bytes = bytes, .dim = dim, .num_layers = 1, .num_samples = 1};
   image.is_tiled = (uint8_t)random_below(2);
   image.is_arrayed = dim != ABI_DIM_3D && random_below(2);
   if (image.is_arrayed)
      image.num_layers = 1 + random_below(5);
   if (image.is_tiled && dim == ABI_DIM_2D)
      image.num_samples = 1u << random_below(4);
   image.layer_bytes = NOWHERE_NEAR / 16;
   struct abi_level *level = &image.levels[0];
   *level = (struct abi_level){
      .offset_bytes = 64u * random_below(9), .slice_bytes = UINT64_C(1) << 32, .width = 1 + random_below(300), .height = 1, .depth = 1};
   if (dim != ABI_DIM_1D)
      level->height = 1 + random_below(300);
   if (dim == ABI_DIM_3D)
      level->depth = 1 + random_below(4);
   level->row_pitch_bytes = 512 * bytes;
   level->tile_log2_x = image.is_tiled ? (uint8_t)(2 + random_below(5)) : 0;
   level->tile_log2_y = image.is_tiled ? (uint8_t)(2 + random_below(5)) : 0;
   level->block_row_bytes = (16 * bytes * image.num_samples) << (image.is_tiled ? level->tile_log2_x - 2 : 0);
   level->tile_bytes = level->block_row_bytes << (image.is_tiled ? level->tile_log2_y - 2 : 0);
   level->tile_row_bytes = 80 * level->tile_bytes;
   return image;
}

/* 0: it is not there. */
static uint64_t expected(const struct abi_image *image, const uint64_t at[NUM_OPERANDS])
{
   const uint32_t axis = !image->is_arrayed ? 3 : image->dim == ABI_DIM_1D ? 1 : 2;
   uint32_t c[4] = {(uint32_t)at[1], (uint32_t)at[2], (uint32_t)at[3], 0};
   const uint32_t layer = c[axis];
   const struct abi_level *level = &image->levels[0];
   c[axis] = 0;
   if (c[0] >= level->width || c[1] >= level->height || c[2] >= level->depth || layer >= image->num_layers)
      return 0;
   const uint64_t offset = rt_level_offset(level, image->is_tiled, image->texel_bytes, c[0], c[1], c[2], (uint32_t)at[4], image->num_samples);
   const uint64_t last = offset + image->texel_bytes - 1;
   const struct rt_texel_position position = rt_level_texel(level, image->is_tiled, image->texel_bytes, image->num_samples, last);
   CHECK(position.x == c[0] && position.y == c[1] && position.z == c[2] && position.sample == (uint32_t)at[4]);
   return (uintptr_t)image->data + layer * image->layer_bytes + offset;
}

TEST(texels)
{
   uint64_t operands[NUM_OPERANDS][LANES], addresses[32];
   struct abi_probe_call call = {.lanes = LANES};
   uint32_t num_there = 0, num_outside = 0;
   for (uint32_t i = 0; i < NUM_OPERANDS; i++)
      call.operands[i] = operands[i];
   for (uint32_t round = 0; round < NUM_ROUNDS; round++) {
      const struct abi_image images[2] = {random_image(), random_image()};
      uint32_t which = 0, bytes = 0;
      for (uint32_t lane = 0; lane < LANES; lane++) {
         const uint32_t of = random_below(8) == 0;
         const uint32_t limits[3] = {320, random_below(2) ? 320 : 1, 6};
         which |= of << lane;
         operands[0][lane] = (uintptr_t)&images[of];
         for (uint32_t i = 0; i < 3; i++)
            operands[1 + i][lane] = random_below(limits[i]);
         operands[4][lane] = random_below(images[of].num_samples);
      }
      const uint32_t on = 1 + random_below((1 << LANES) - 1);
      for (uint32_t left = on; left;) {
         const uint32_t before = left, of = which >> __builtin_ctz(left) & 1;
         const uint32_t found = rt_probed_texels(&call, 0, &left, addresses, &bytes), taken = before & ~left;
         CHECK(taken == (before & (of ? which : ~which)));
         for (uint32_t lanes = taken; lanes; lanes &= lanes - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(lanes);
            uint64_t at[NUM_OPERANDS];
            for (uint32_t i = 0; i < NUM_OPERANDS; i++)
               at[i] = operands[i][lane];
            const uint64_t wanted = expected(&images[of], at);
            CHECK((found >> lane & 1) == (wanted != 0) && (!wanted || (addresses[lane] == wanted && bytes == images[of].texel_bytes)));
            num_there += wanted != 0;
            num_outside += wanted == 0;
         }
      }
   }
   CHECK(num_there > 1000 && num_outside > 1000);
}

TEST_MAIN
