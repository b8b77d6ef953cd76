/* SPDX-License-Identifier: MIT
 * Storage images and texel buffers: loads see stores, accesses outside do nothing, atomics return what was there. */
#include "runtime/format/convert.h"
#include "runtime/image/image.h"
#include "runtime/texture/texture.h"
#include "tests/test.h"

#include <stdlib.h>

enum { LANES = 32 };
static uint32_t coords[4][LANES], data[4][LANES], result[4][LANES];
static const VkComponentMapping identity;

static struct abi_image_call make_call(const struct abi_image *const *image, uint32_t dim, uint32_t op, uint32_t flags)
{
   return (struct abi_image_call){.lanes = LANES,
                                  .mask = UINT32_MAX,
                                  .op = op,
                                  .dim = dim,
                                  .flags = flags,
                                  .images = image,
                                  .is_uniform = 1,
                                  .coords = {coords[0], coords[1], coords[2], coords[3]},
                                  .data = {data[0], data[1], data[2], data[3]},
                                  .result = {result[0], result[1], result[2], result[3]}};
}

TEST(loads_see_stores)
{
   static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R16_SFLOAT,
                                      VK_FORMAT_R8_UINT};
   for (uint32_t f = 0; f < UTIL_ARRAY_SIZE(formats); f++) {
      const struct rt_format_info *info = rt_format_info(formats[f]);
      struct rt_image image;
      struct abi_image view;
      const struct abi_image *pointer = &view;
      CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, formats[f], (VkExtent3D){8, 8, 1}, 1, 6, 1, true, 1 << 20),
               VK_SUCCESS);
      rt_image_bind(&image, calloc(1, image.size_bytes));
      rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_CUBE, formats[f], identity, VK_IMAGE_ASPECT_COLOR_BIT, 0, 1,
                         0, 6, 0);
      for (uint32_t i = 0; i < LANES; i++) {
         coords[0][i] = i % 9; /* 8 is outside */
         coords[1][i] = i / 9;
         coords[2][i] = i % 7; /* 6 is outside */
         for (int c = 0; c < 4; c++)
            data[c][i] = info->is_int ? i + (uint32_t)c : rt_as_bits((float)(i + (uint32_t)c) / 255.0f);
      }
      const struct abi_image_call store = make_call(&pointer, ABI_DIM_CUBE, ABI_IMAGE_STORE, 0);
      const struct abi_image_call load = make_call(&pointer, ABI_DIM_CUBE, ABI_IMAGE_LOAD, 0);
      rt_image_access_call(&store);
      rt_image_access_call(&load);
      for (uint32_t i = 0; i < LANES; i++) {
         const bool inside = i % 9 < 8 && i % 7 < 6;
         uint32_t texel[1][4] = {{0}};
         uint8_t packed[16] = {0};
         for (int c = 0; c < 4; c++)
            texel[0][c] = inside ? data[c][i] : 0;
         info->pack(packed, 0, 1, (const uint32_t(*)[4])texel);
         info->unpack(packed, 0, 1, texel);
         for (int c = 0; c < 4; c++)
            CHECK_EQ(result[c][i], texel[0][c]);
      }
      free(image.planes[0].data);
   }
}

TEST(texel_buffers_have_their_size)
{
   uint32_t memory[20] = {0};
   struct abi_image view;
   const struct abi_image *pointer = &view;
   rt_buffer_view_init(&view, memory, VK_FORMAT_R32_UINT, 18 * 4 + 3);
   CHECK_EQ(view.levels[0].width, 18);
   for (uint32_t i = 0; i < LANES; i++) {
      coords[0][i] = i;
      data[0][i] = 100 + i;
   }
   struct abi_image_call store = make_call(&pointer, ABI_DIM_BUFFER, ABI_IMAGE_STORE, 0);
   store.mask = 0xfffffffe;
   rt_image_access_call(&store);
   for (uint32_t i = 0; i < 20; i++)
      CHECK_EQ(memory[i], i > 0 && i < 18 ? 100 + i : 0);
}

TEST(atomics)
{
   uint32_t memory[4] = {0};
   struct abi_image view;
   const struct abi_image *pointer = &view;
   rt_buffer_view_init(&view, memory, VK_FORMAT_R32_UINT, sizeof(memory));
   static const struct {
      uint32_t op, start, data, compare, end;
   } cases[] = {
      {ABI_ATOMIC_IADD, 5, 7, 0, 12},         {ABI_ATOMIC_IMIN, 1, (uint32_t)-3, 0, (uint32_t)-3},
      {ABI_ATOMIC_UMIN, 1, (uint32_t)-3, 0, 1}, {ABI_ATOMIC_IMAX, 1, (uint32_t)-3, 0, 1},
      {ABI_ATOMIC_UMAX, 1, (uint32_t)-3, 0, (uint32_t)-3}, {ABI_ATOMIC_AND, 6, 3, 0, 2},
      {ABI_ATOMIC_OR, 6, 3, 0, 7},            {ABI_ATOMIC_XOR, 6, 3, 0, 5},
      {ABI_ATOMIC_XCHG, 6, 3, 0, 3},          {ABI_ATOMIC_CMPXCHG, 6, 3, 6, 3},
      {ABI_ATOMIC_CMPXCHG, 6, 3, 5, 6},       {ABI_ATOMIC_FADD, 0x3f800000, 0x40000000, 0, 0x40400000},
   };
   for (uint32_t k = 0; k < UTIL_ARRAY_SIZE(cases); k++) {
      struct abi_image_call call = make_call(&pointer, ABI_DIM_BUFFER, ABI_IMAGE_ATOMIC, 0);
      call.atomic = cases[k].op;
      call.mask = 3;
      memory[2] = cases[k].start;
      coords[0][0] = 2;
      coords[0][1] = 4; /* outside */
      data[0][0] = data[0][1] = cases[k].data;
      data[1][0] = data[1][1] = cases[k].compare;
      result[0][1] = 1;
      rt_image_access_call(&call);
      CHECK_EQ(memory[2], cases[k].end);
      CHECK_EQ(result[0][0], cases[k].start);
      CHECK_EQ(result[0][1], 0);
   }
}

TEST(samples_are_apart)
{
   struct rt_image image;
   struct abi_image view;
   const struct abi_image *pointer = &view;
   uint32_t sample[LANES];
   CHECK_EQ(rt_image_init(&image, VK_IMAGE_TYPE_2D, VK_FORMAT_R32_UINT, (VkExtent3D){5, 5, 1}, 1, 1, 4, true, 1 << 20),
            VK_SUCCESS);
   rt_image_bind(&image, calloc(1, image.size_bytes));
   rt_image_view_init(&view, &image, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT, identity, VK_IMAGE_ASPECT_COLOR_BIT, 0,
                      1, 0, 1, 0);
   for (uint32_t i = 0; i < LANES; i++) {
      coords[0][i] = i / 4 % 5;
      coords[1][i] = i / 20;
      sample[i] = i % 4;
      data[0][i] = 1000 + i;
   }
   struct abi_image_call call = make_call(&pointer, ABI_DIM_2D, ABI_IMAGE_STORE, ABI_TEX_SAMPLE);
   call.sample = sample;
   rt_image_access_call(&call);
   call.op = ABI_IMAGE_LOAD;
   rt_image_access_call(&call);
   for (uint32_t i = 0; i < LANES; i++)
      CHECK_EQ(result[0][i], 1000 + i);
   free(image.planes[0].data);
}

TEST_MAIN
