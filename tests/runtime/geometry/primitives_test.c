/* SPDX-License-Identifier: MIT
 * From vertices to primitives: topologies, restart, provoking vertices, instances, attributes, clipping, viewports,
 * points and lines. */
#include "tests/runtime/raster/fixture.h"

#include <stdlib.h>

enum { SIZE = 64 };

struct scene {
   struct fixture f;
   struct fixture_image color;
};

static void scene_init(struct scene *s, VkFormat format)
{
   fixture_init(&s->f, 2);
   fixture_image_init(&s->color, format, SIZE, SIZE, 1, 1, true);
   fixture_target(&s->f, &s->color, NULL);
}

static void scene_finish(struct scene *s)
{
   fixture_image_finish(&s->color);
   fixture_finish(&s->f);
}

static uint8_t red(const struct scene *s, uint32_t x, uint32_t y)
{
   return fixture_texel(&s->color, x, y, 0, 0)[0];
}

/* A vertex at a texel's corner. */
static struct fixture_vertex at(float x, float y, float r)
{
   return (struct fixture_vertex){{x / (SIZE / 2) - 1, y / (SIZE / 2) - 1, 0.5f, 1}, {r / 255, 0, 0, 1}};
}

/* A band of cells of 8 texels as a strip; flat colours name the provoking vertex. */
static void check_strip(VkPrimitiveTopology topology, bool last, const uint8_t *expected)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   struct fixture_vertex v[6];
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN) {
      static const float ring[5][2] = {{0, 0}, {32, 0}, {32, 32}, {0, 32}, {-32, 32}};
      v[0] = at(0, 0, 1);
      for (uint32_t i = 1; i < 6; i++)
         v[i] = at(ring[i - 1][0] + 16, ring[i - 1][1] + 16, (float)(i + 1));
      v[0] = at(16, 40, 1);
   } else {
      for (uint32_t i = 0; i < 6; i++)
         v[i] = at((float)(i / 2 * 16), (float)(i % 2 * 16), (float)(i + 1));
   }
   for (uint32_t c = 0; c < 4; c++)
      s.f.fs.interp[ABI_SLOT_USER + c] = 2;
   s.f.state.topology.topology = topology;
   s.f.state.provoking_vertex.last = last;
   /* Strips keep the winding of their first triangle: nothing is culled. */
   s.f.state.cull_mode.mode = VK_CULL_MODE_BACK_BIT;
   s.f.state.front_face.face =
      topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
   fixture_render(&s.f, v, 6);
   if (topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP) {
      CHECK_EQ(red(&s, 2, 2), expected[0]);
      CHECK_EQ(red(&s, 14, 14), expected[1]);
      CHECK_EQ(red(&s, 18, 2), expected[2]);
      CHECK_EQ(red(&s, 30, 14), expected[3]);
   } else {
      CHECK_EQ(red(&s, 30, 20), expected[0]);
      CHECK_EQ(red(&s, 44, 40), expected[1]);
   }
   scene_finish(&s);
}

TEST(strips_and_provoking_vertices)
{
   check_strip(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, false, (const uint8_t[]){1, 2, 3, 4});
   check_strip(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, true, (const uint8_t[]){3, 4, 5, 6});
   check_strip(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, false, (const uint8_t[]){2, 3});
   check_strip(VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, true, (const uint8_t[]){3, 4});
}

/* The primitive's number as red, through the fragment shader. */
static void primitive_number(const struct abi_fragment_args *args, struct abi_worker *worker,
                             const struct abi_primitive *primitive, struct abi_block *blocks, uint32_t count)
{
   const float v = (float)(primitive->primitive_id + 1) / 255.0f;
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t i = 0; i < 16; i++)
            memcpy(&blocks[b].outputs[c][i], &v, 4);
      blocks[b].mask_out = blocks[b].mask;
   }
}

TEST(restart_in_every_index_size)
{
   for (uint32_t bytes = 1; bytes <= 4; bytes *= 2) {
      struct scene s;
      scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
      struct fixture_vertex v[12];
      for (uint32_t i = 0; i < 12; i++)
         v[i] = at((float)(i / 2 * 10), (float)(i % 2 * 10), 1);
      s.f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = primitive_number;
      s.f.state.topology.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
      s.f.state.primitive_restart.enable = 1;
      /* Quads 0 and 2, and 4; vertices that make no triangle and restarts in a row draw nothing. Indices count from
       * vertex 1 on. */
      static const int32_t list[] = {-1, 0, 1, 2, 3, -1, 4, 5, -1, -1, 4, 5, 6, 7, -1, 8, 9, 10, 11, -1};
      uint8_t indices[sizeof(list)];
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(list); i++) {
         const uint32_t value = list[i] < 0 ? UINT32_MAX : (uint32_t)list[i] + 1;
         memcpy(indices + i * bytes, &value, bytes);
      }
      s.f.draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)v, sizeof(v)};
      s.f.draw.index_buffer = (struct rt_vertex_buffer){indices, UTIL_ARRAY_SIZE(list) * bytes};
      s.f.draw.index_bytes = bytes;
      s.f.draw.restart_index = UINT32_MAX >> (32 - 8 * bytes);
      const struct rt_draw_params params = {
         .is_indexed = true, .count = UTIL_ARRAY_SIZE(list), .instance_count = 1, .vertex_offset = -1};
      rt_render_begin(s.f.render, &s.f.begin, 0, false);
      CHECK_EQ(rt_render_draw(s.f.render, &s.f.draw, &params), VK_SUCCESS);
      CHECK_EQ(rt_render_end(s.f.render), VK_SUCCESS);
      CHECK_EQ(red(&s, 1, 1), 1);
      CHECK_EQ(red(&s, 8, 8), 2);
      CHECK_EQ(red(&s, 15, 5), 0);
      CHECK_EQ(red(&s, 21, 1), 3);
      CHECK_EQ(red(&s, 28, 8), 4);
      CHECK_EQ(red(&s, 35, 5), 0);
      CHECK_EQ(red(&s, 41, 1), 5);
      CHECK_EQ(red(&s, 48, 8), 6);
      scene_finish(&s);
   }
}

/* Instances with a divisor of 2, from attributes in another binding; small attribute formats. */
TEST(instances_and_attributes)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   struct fixture_vertex v[3] = {at(0, 0, 0), at(8, 0, 0), at(0, 8, 0)};
   static const uint8_t colors[4][4] = {{10}, {20, 1, 2, 3}, {30}, {40}};
   s.f.state.vertex_input.attributes[1] =
      (struct rt_vertex_attribute){.is_enabled = 1, .binding = 3, .format = VK_FORMAT_R8G8B8A8_UNORM};
   s.f.state.vertex_strides.strides[3] = 4;
   s.f.state.vertex_input.divisors[3] = 2;
   s.f.draw.vertex_buffers[3] = (struct rt_vertex_buffer){colors[0], 12}; /* the fourth is out of bounds */
   s.f.draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)v, sizeof(v)};
   s.f.state.blend_enable.enable[0] = 1;
   s.f.state.blend.attachments[0] = (struct rt_blend_attachment){VK_BLEND_FACTOR_ONE,
                                                                 VK_BLEND_FACTOR_ONE,
                                                                 VK_BLEND_OP_ADD,
                                                                 VK_BLEND_FACTOR_ONE,
                                                                 VK_BLEND_FACTOR_ONE,
                                                                 VK_BLEND_OP_ADD};
   const struct rt_draw_params params = {.count = 3, .instance_count = 5, .first_instance = 1};
   rt_render_begin(s.f.render, &s.f.begin, 0, false);
   CHECK_EQ(rt_render_draw(s.f.render, &s.f.draw, &params), VK_SUCCESS);
   CHECK_EQ(rt_render_end(s.f.render), VK_SUCCESS);
   /* Elements first_instance + (0 0 1 1 2): 20 20 30 30, then nothing. */
   CHECK_EQ(red(&s, 1, 1), 100);
   scene_finish(&s);
}

/* A floor that reaches behind the eye: perspective interpolation after clipping, against the exact value. */
TEST(clipping_keeps_perspective)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R32G32B32A32_SFLOAT);
   /* y = -1 plane, z from -5 (behind) to 50; clip = (x, y, z - 1, z): the colour is the point's x and z. */
   static const float corners[4][2] = {{-40, -5}, {40, -5}, {-40, 50}, {40, 50}};
   struct fixture_vertex v[6];
   static const uint32_t order[6] = {0, 1, 2, 1, 3, 2};
   for (uint32_t i = 0; i < 6; i++) {
      const float x = corners[order[i]][0], z = corners[order[i]][1];
      v[i] = (struct fixture_vertex){{x, 1, z - 1, z}, {x, z, 0, 1}};
   }
   fixture_render(&s.f, v, 6);
   uint32_t wrong = 0, covered = 0;
   for (uint32_t py = 0; py < SIZE; py++)
      for (uint32_t px = 0; px < SIZE; px++) {
         const double nx = (px + 0.5) / (SIZE / 2) - 1, ny = (py + 0.5) / (SIZE / 2) - 1;
         const double z = 1 / ny, x = nx * z; /* y / z = ny with y = 1 */
         float got[4];
         memcpy(got, fixture_texel(&s.color, px, py, 0, 0), 16);
         if (ny < 0.03 || z < 1.05 || z > 45)
            continue;
         covered++;
         wrong += fabs(got[0] - x) > 1e-3 * fabs(x) + 1e-3 || fabs(got[1] - z) > 1e-3 * z;
      }
   CHECK(covered > 500);
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

TEST(bad_positions_draw_nothing)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   static const float bad[] = {NAN, INFINITY, -INFINITY, 1e38f, -1e38f, 0, 1e-40f};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(bad); i++)
      for (uint32_t c = 0; c < 4; c++) {
         struct fixture_vertex v[3] = {at(0, 0, 9), at(60, 0, 9), at(0, 60, 9)};
         v[1].position[c] = bad[i];
         fixture_render(&s.f, v, 3); /* must survive; what is finite may draw */
         for (uint32_t k = 0; k < 3; k++)
            v[k].position[3] = c < 3 ? bad[i] : -1;
         fixture_render(&s.f, v, 3);
         if (!isfinite(bad[i]) || bad[i] <= 0)
            CHECK_EQ(red(&s, 3, 3), 0);
      }
   scene_finish(&s);
}

/* Two viewports, the second chosen by the provoking vertex. */
static void to_viewport_one(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count)
{
   memcpy(args->outputs, args->inputs, 4 * ABI_VERTEX_BATCH * 4);
   for (uint32_t i = 0; i < count; i++)
      args->outputs[4 * ABI_VERTEX_BATCH + i] = args->vertex_index[i] % 3 == 0 ? 1 : 0;
   memcpy(args->outputs + 5 * ABI_VERTEX_BATCH, args->inputs + 4 * ABI_VERTEX_BATCH, 4 * ABI_VERTEX_BATCH * 4);
}

TEST(viewports)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   fixture_slots(s.f.vs.outputs, ABI_SLOT_VIEWPORT, 1);
   s.f.pipeline.shaders[ABI_STAGE_VERTEX].run.vertex = to_viewport_one;
   s.f.state.viewport_count.count = s.f.state.scissor_count.count = 2;
   s.f.state.viewports.viewports[1] = (VkViewport){32, 32, 16, 16, 0, 1};
   s.f.state.scissors.scissors[1] = (VkRect2D){{0, 0}, {SIZE, SIZE}};
   const struct fixture_vertex v[3] = {
      {{-1, -1, 0, 1}, {1, 0, 0, 1}}, {{3, -1, 0, 1}, {1, 0, 0, 1}}, {{-1, 3, 0, 1}, {1, 0, 0, 1}}};
   fixture_render(&s.f, v, 3);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++)
         wrong += (red(&s, x, y) != 0) != (x >= 32 && x < 48 && y >= 32 && y < 48);
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

/* Points: squares of the size that the shader gives; lines: rectangles. */
static void with_point_size(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count)
{
   memcpy(args->outputs, args->inputs, 4 * ABI_VERTEX_BATCH * 4);
   for (uint32_t i = 0; i < count; i++) {
      const float size = 6;
      memcpy(&args->outputs[4 * ABI_VERTEX_BATCH + i], &size, 4);
   }
   memcpy(args->outputs + 5 * ABI_VERTEX_BATCH, args->inputs + 4 * ABI_VERTEX_BATCH, 4 * ABI_VERTEX_BATCH * 4);
}

static uint32_t count_red(const struct scene *s)
{
   uint32_t n = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++)
         n += red(s, x, y) != 0;
   return n;
}

TEST(points)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   fixture_slots(s.f.vs.outputs, ABI_SLOT_POINT_SIZE, 1);
   s.f.pipeline.shaders[ABI_STAGE_VERTEX].run.vertex = with_point_size;
   s.f.state.topology.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   const struct fixture_vertex v[3] = {at(20, 20, 255), at(63, 63, 255), at(65, 10, 255)};
   fixture_render(&s.f, v, 3);
   CHECK_EQ(count_red(&s), 36 + 16); /* the second is cut by the framebuffer, the third is outside of the view volume */
   CHECK(red(&s, 17, 17) && red(&s, 22, 22) && !red(&s, 23, 20) && !red(&s, 16, 20));
   scene_finish(&s);
}

TEST(lines)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   s.f.state.topology.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
   const struct fixture_vertex horizontal[2] = {at(10, 20.5f, 255), at(30, 20.5f, 255)};
   fixture_render(&s.f, horizontal, 2);
   CHECK_EQ(count_red(&s), 20);
   CHECK(red(&s, 10, 20) && red(&s, 29, 20) && !red(&s, 30, 20) && !red(&s, 9, 20));
   s.f.state.line_width.width = 5;
   const struct fixture_vertex vertical[2] = {at(20.5f, 40, 255), at(20.5f, 8, 255)};
   fixture_render(&s.f, vertical, 2);
   CHECK_EQ(count_red(&s), 32 * 5);
   s.f.state.line_width.width = 1;
   s.f.state.line_mode.mode = VK_LINE_RASTERIZATION_MODE_BRESENHAM;
   const struct fixture_vertex slanted[2] = {at(4.5f, 4.5f, 255), at(44.5f, 20.5f, 255)};
   fixture_render(&s.f, slanted, 2);
   CHECK_EQ(count_red(&s), 40); /* one texel a column */
   scene_finish(&s);
}

static uint32_t num_shaded;
static void counting_vertex_shader(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count)
{
   __atomic_fetch_add(&num_shaded, count, __ATOMIC_RELAXED);
   fixture_vertex_shader(args, worker, count);
}

/* Each triangle becomes three lines, so chunks are full before their pieces are done: what is shaded stays so, and
 * every triangle is drawn. */
TEST(full_chunks_shade_nothing_again)
{
   enum { COLUMNS = 32, ROWS = 16, COPIES = 60, COUNT = COLUMNS * ROWS * COPIES * 3 };
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   struct fixture_vertex *v = calloc(COUNT, sizeof(*v));
   for (uint32_t i = 0; i < COUNT / 3; i++) {
      const float x = (float)(i % COLUMNS * 2), y = (float)(i / COLUMNS % ROWS * 4), value = (float)(i / (COLUMNS * ROWS) + 1);
      v[i * 3] = at(x + 0.25f, y + 0.5f, value);
      v[i * 3 + 1] = at(x + 1.75f, y + 0.5f, value);
      v[i * 3 + 2] = at(x + 0.25f, y + 3.5f, value);
   }
   s.f.pipeline.shaders[ABI_STAGE_VERTEX].run.vertex = counting_vertex_shader;
   s.f.state.polygon_mode.mode = VK_POLYGON_MODE_LINE;
   for (uint32_t last = 0; last < 2; last++) {
      num_shaded = 0;
      s.f.state.provoking_vertex.last = last;
      s.f.draw.dirty = RT_DIRTY_ALL;
      fixture_render(&s.f, v, COUNT);
      CHECK_EQ(num_shaded, COUNT);
      uint32_t wrong = 0;
      for (uint32_t y = 1; y < SIZE; y += 4)
         for (uint32_t x = 0; x < SIZE; x += 2)
            wrong += red(&s, x, y) != COPIES;
      CHECK_EQ(wrong, 0);
   }
   free(v);
   scene_finish(&s);
}

/* The second number of the colour is the size. */
static void with_own_size(const struct abi_vertex_args *args, struct abi_worker *worker, uint32_t count)
{
   with_point_size(args, worker, count);
   memcpy(args->outputs + 4 * ABI_VERTEX_BATCH, args->inputs + 5 * ABI_VERTEX_BATCH, ABI_VERTEX_BATCH * 4);
}

/* Polygons drawn as points of the sizes that their vertices have. */
TEST(polygon_of_large_points)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   fixture_slots(s.f.vs.outputs, ABI_SLOT_POINT_SIZE, 1);
   s.f.pipeline.shaders[ABI_STAGE_VERTEX].run.vertex = with_own_size;
   s.f.state.polygon_mode.mode = VK_POLYGON_MODE_POINT;
   struct fixture_vertex v[3] = {at(10, 10, 255), at(50, 10, 255), at(10, 50, 255)};
   for (uint32_t i = 0; i < 3; i++)
      v[i].color[1] = (float)(2 + 4 * i);
   for (uint32_t last = 0; last < 2; last++) {
      s.f.state.provoking_vertex.last = last;
      s.f.draw.dirty = RT_DIRTY_ALL;
      fixture_render(&s.f, v, 3);
      CHECK_EQ(count_red(&s), 2 * 2 + 6 * 6 + 10 * 10);
      CHECK(red(&s, 9, 9) && !red(&s, 8, 9) && red(&s, 47, 7) && !red(&s, 46, 7) && red(&s, 5, 45) && !red(&s, 4, 45));
   }
   scene_finish(&s);
}

/* Polygons drawn as lines leave their inside alone. */
TEST(polygon_mode)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   s.f.state.polygon_mode.mode = VK_POLYGON_MODE_LINE;
   const struct fixture_vertex v[3] = {at(4.5f, 4.5f, 255), at(50.5f, 4.5f, 255), at(4.5f, 50.5f, 255)};
   fixture_render(&s.f, v, 3);
   CHECK(red(&s, 20, 4) && red(&s, 4, 20) && !red(&s, 15, 15));
   s.f.state.polygon_mode.mode = VK_POLYGON_MODE_POINT;
   fixture_render(&s.f, v, 3);
   CHECK_EQ(count_red(&s), 3);
   scene_finish(&s);
}

/* Many more primitives than fit into the chunks: nothing is lost, order is kept. */
TEST(memory_is_bounded)
{
   struct scene s;
   scene_init(&s, VK_FORMAT_R8G8B8A8_UNORM);
   const uint32_t num = 400000;
   struct fixture_vertex *v = calloc(num * 3, sizeof(*v));
   for (uint32_t i = 0; i < num; i++) {
      const float x = (float)(i % 60), y = (float)(i / 60 % 60), r = (float)(i / 3600 % 250 + 1);
      v[i * 3] = at(x, y, r);
      v[i * 3 + 1] = at(x + 4, y, r);
      v[i * 3 + 2] = at(x, y + 4, r);
   }
   /* What is culled makes windows larger: the next picture needs more than foreseen. */
   s.f.state.cull_mode.mode = VK_CULL_MODE_FRONT_AND_BACK;
   fixture_render(&s.f, v, num * 3);
   s.f.state.cull_mode.mode = VK_CULL_MODE_NONE;
   fixture_render(&s.f, v, num * 3);
   CHECK_EQ(red(&s, 10, 6),
            (num - 1) / 3600 % 250 + 1); /* 400000 = 111 * 3600 + 400: rows 0 to 6 were drawn once more */
   CHECK_EQ(red(&s, 30, 50), 111);
   free(v);
   scene_finish(&s);
}

/* A strip of two horizontal lines, 10.25 and 20 texels long, and one back; factor 2, the lowest bit of each four. */
static void check_stipple(VkLineRasterizationMode mode, VkPrimitiveTopology topology, uint32_t samples,
                          const char *expected)
{
   struct scene s;
   fixture_init(&s.f, 2);
   fixture_image_init(&s.color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, samples, true);
   fixture_target(&s.f, &s.color, NULL);
   const float y = 5.5f;
   const struct fixture_vertex strip[3] = {at(2.25f, y, 255), at(12.5f, y, 255), at(32.5f, y, 255)};
   const struct fixture_vertex lines[4] = {strip[0], strip[1], strip[1], strip[2]};
   const bool is_strip = topology == VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
   s.f.state.topology.topology = topology;
   s.f.state.line_mode.mode = mode;
   s.f.state.line_stipple_enable.enable = 1;
   s.f.state.line_stipple.factor = 2;
   s.f.state.line_stipple.pattern = 0x1111;
   fixture_render(&s.f, is_strip ? strip : lines, is_strip ? 3 : 4);
   uint32_t wrong = 0;
   for (uint32_t i = 0; expected[i]; i++)
      wrong += (red(&s, i, 5) != 0) != (expected[i] == '#');
   CHECK_EQ(wrong, 0);
   CHECK(red(&s, 2, 4) == 0 && red(&s, 2, 6) == 0);
   scene_finish(&s);
}

TEST(stippled_lines)
{
   for (uint32_t mode = VK_LINE_RASTERIZATION_MODE_RECTANGULAR; mode <= VK_LINE_RASTERIZATION_MODE_BRESENHAM; mode++)
      check_stipple((VkLineRasterizationMode)mode, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 1,
                    "..##......##......##......##.....");
   check_stipple(VK_LINE_RASTERIZATION_MODE_BRESENHAM, VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 1,
                 "..##......####......##......##...");
   check_stipple(VK_LINE_RASTERIZATION_MODE_BRESENHAM, VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 4,
                 "..##......##......##......##.....");
}

TEST_MAIN
