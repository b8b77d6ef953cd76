/* SPDX-License-Identifier: MIT
 * Vertex attributes: 64-bit components, which take two locations, narrow numbers, which arrive as 32 bits, those of instances and of no buffer. */
#include "runtime/geometry/fetch.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

enum { NUM_ROWS = 8, STRIDE_BYTES = 40 };

struct fetched {
   uint32_t num_fetches;
   uint32_t rows[NUM_ROWS][ABI_VERTEX_BATCH];
};

/* Fetches 16 vertices of an attribute at `location`; the shader reads all components of it and of the next one. `divisor`: 0: it is the vertices'; they
 * are those of instances 5, three times, 6, and so on. */
static void fetch_divided(VkFormat format, uint32_t location, const void *data, uint64_t size_bytes, uint32_t divisor, struct fetched *out)
{
   struct rt_state *state = calloc(1, sizeof(*state));
   struct rt_draw_state *draw = calloc(1, sizeof(*draw));
   uint32_t indices[16], instances[16];
   uint64_t inputs[3] = {0};
   struct rt_fetch fetches[RT_MAX_VERTEX_ATTRIBUTES];
   for (uint32_t i = 0; i < 16; i++) {
      indices[i] = i;
      instances[i] = 5 + i / 3;
   }
   for (uint32_t slot = ABI_SLOT_USER + location * 4; slot < ABI_SLOT_USER + location * 4 + NUM_ROWS; slot++)
      inputs[slot / 64] |= UINT64_C(1) << (slot % 64);
   state->vertex_input.attributes[location] =
      (struct rt_vertex_attribute){.is_enabled = 1, .format = format, .offset_bytes = 8};
   state->vertex_strides.strides[0] = STRIDE_BYTES;
   state->vertex_input.divisors[0] = divisor;
   draw->state = state;
   draw->vertex_buffers[0] = (struct rt_vertex_buffer){.data = (uint8_t *)(uintptr_t)data, .size_bytes = size_bytes};
   memset(out, 0xcd, sizeof(*out));
   out->num_fetches = rt_fetch_init(fetches, draw, inputs);
   rt_fetch_vertices(fetches, out->num_fetches, out->rows[0], indices, instances, 5, 16);
   free(draw);
   free(state);
}

static void fetch(VkFormat format, uint32_t location, const void *data, uint64_t size_bytes, struct fetched *out)
{
   fetch_divided(format, location, data, size_bytes, 0, out);
}

static uint64_t pair(const struct fetched *fetched, uint32_t component, uint32_t vertex)
{
   return (uint64_t)fetched->rows[component * 2 + 1][vertex] << 32 | fetched->rows[component * 2][vertex];
}

TEST(doubles_take_two_locations)
{
   struct fetched fetched;
   uint64_t data[16 * STRIDE_BYTES / 8];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(data); i++)
      data[i] = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
   /* The last vertex lies outside of the buffer by a byte. */
   fetch(VK_FORMAT_R64G64B64A64_SFLOAT, 3, data, sizeof(data) - 1, &fetched);
   CHECK_EQ(fetched.num_fetches, 2);
   for (uint32_t v = 0; v < 16; v++)
      for (uint32_t c = 0; c < 4; c++)
         CHECK_EQ(pair(&fetched, c, v), v < 15 ? data[v * STRIDE_BYTES / 8 + 1 + c] : 0);
   fetch(VK_FORMAT_R64G64_SFLOAT, 0, data, sizeof(data), &fetched);
   for (uint32_t v = 0; v < 16; v++)
      for (uint32_t c = 0; c < 4; c++)
         CHECK_EQ(pair(&fetched, c, v), c < 2 ? data[v * STRIDE_BYTES / 8 + 1 + c] : 0);
}

/* By the vector and, where the last vertices lie outside of the buffer, one by one: what the format's own function reads. */
static void check_format(const struct rt_format_info *info, const uint8_t *data, uint64_t size_bytes)
{
   static const uint8_t zeros[32];
   struct fetched fetched;
   fetch(info->format, 1, data, size_bytes, &fetched);
   for (uint32_t v = 0; v < 16; v++) {
      const uint64_t at = v * STRIDE_BYTES + 8;
      uint32_t expected[1][4];
      info->unpack(at + info->texel_bytes <= size_bytes ? data + at : zeros, 0, 1, expected);
      for (uint32_t c = 0; c < 4; c++)
         CHECK_EQ(fetched.rows[c][v], expected[0][c]);
   }
}

TEST(every_format)
{
   uint8_t data[16 * STRIDE_BYTES + 8];
   uint32_t num_formats = 0;
   for (uint32_t round = 0; round < 64; round++) {
      for (uint32_t i = 0; i < sizeof(data); i++)
         data[i] = round < 4 ? (uint8_t)(0xff80007f >> 8 * ((i >> round) & 3)) : (uint8_t)((i * 37 + round * 101) * (i + round) >> 3);
      for (uint32_t format = 1; format <= VK_FORMAT_E5B9G9R9_UFLOAT_PACK32; format++) {
         const struct rt_format_info *info = rt_format_info((VkFormat)format);
         if (!(rt_format_buffer_features((VkFormat)format) & VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT) || info->channels[0].bits == 64)
            continue;
         check_format(info, data, sizeof(data));
         check_format(info, data, sizeof(data) - 2 * STRIDE_BYTES - 16);
         num_formats++;
      }
   }
   CHECK(num_formats > 64 * 70);
}

/* The element is that of the instance, counted from the first one, by the divisor. */
TEST(attributes_of_instances)
{
   struct fetched fetched;
   uint32_t data[16 * STRIDE_BYTES / 4];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(data); i++)
      data[i] = i * 0x9e3779b9;
   for (uint32_t divisor = 1; divisor < 4; divisor++) {
      fetch_divided(VK_FORMAT_R32G32_UINT, 1, data, sizeof(data), divisor, &fetched);
      for (uint32_t v = 0; v < 16; v++) {
         const uint32_t element = 5 + v / 3 / divisor, *at = &data[element * STRIDE_BYTES / 4 + 2];
         CHECK_EQ(fetched.rows[0][v], at[0]);
         CHECK_EQ(fetched.rows[1][v], at[1]);
         CHECK_EQ(fetched.rows[2][v], 0);
         CHECK_EQ(fetched.rows[3][v], 1);
      }
   }
}

TEST(no_buffer)
{
   struct fetched fetched;
   fetch(VK_FORMAT_R32G32_SFLOAT, 1, NULL, 0, &fetched);
   for (uint32_t v = 0; v < 16; v++) {
      CHECK_EQ(fetched.rows[0][v] | fetched.rows[1][v] | fetched.rows[2][v], 0);
      CHECK_EQ(fetched.rows[3][v], 0x3f800000);
   }
   fetch(VK_FORMAT_R32G32B32A32_SFLOAT, 1, NULL, 0, &fetched);
   CHECK_EQ(fetched.rows[3][0], 0);
}

TEST_MAIN
