/* SPDX-License-Identifier: MIT
 * Passes that are put off give what passes at their end give: of nothing but load operations, of a tile, of many tiles and chunks, of more than a
 * window, at every number of threads; what they wait for they wait for; and memory may run out anywhere. */
#include "tests/runtime/raster/fixture.h"

enum { MAX_ALLOCATIONS = 200 };

/* `prims` small triangles all over the target, each cut by the near plane to two. */
static struct fixture_vertex *make_vertices(uint32_t prims)
{
   struct fixture_vertex *vertices = calloc(UTIL_MAX(prims, 1) * 3, sizeof(*vertices));
   uint32_t seed = 12345;
   float centre[2] = {0, 0};
   for (uint32_t i = 0; i < prims * 3; i++) {
      for (uint32_t k = 0; k < 2; k++) {
         centre[k] = i % 3 ? centre[k] : (float)(fixture_random(&seed) % 2000) / 1000 - 1;
         vertices[i].position[k] = centre[k] + (float)(fixture_random(&seed) % 100) / 1000 - 0.05f;
      }
      vertices[i].position[2] = i % 3 ? 0.5f : -0.5f;
      vertices[i].position[3] = 1;
      for (uint32_t k = 0; k < 4; k++)
         vertices[i].color[k] = (float)(fixture_random(&seed) % 256) / 255;
   }
   return vertices;
}

static void collect(struct fixture *f, const struct fixture_image *color, const struct fixture_vertex *vertices, uint32_t prims, uint64_t geometry)
{
   fixture_target(f, color, NULL);
   rt_render_begin(f->render, &f->begin, geometry, false);
   if (prims)
      fixture_draw(f, vertices, prims * 3, sizeof(*vertices));
}

static void check_scene(uint32_t num_threads, uint32_t size, uint32_t prims)
{
   struct fixture f;
   struct fixture_image now, later;
   struct fixture_vertex *vertices = make_vertices(prims);
   struct rt_render_tasks tasks;
   fixture_init(&f, num_threads);
   fixture_image_init(&now, VK_FORMAT_R8G8B8A8_UNORM, size, size, 1, 1, true);
   fixture_image_init(&later, VK_FORMAT_R8G8B8A8_UNORM, size, size, 1, 1, true);
   collect(&f, &now, vertices, prims, 0);
   CHECK_EQ(rt_render_end(f.render), VK_SUCCESS);
   collect(&f, &later, vertices, prims, 0);
   CHECK(rt_render_can_wait(f.render));
   CHECK(rt_render_put_off(f.render, NULL, 0, &tasks));
   CHECK(tasks.fragments != 0);
   rt_graph_wait_for(f.graph, tasks.fragments, &f.worker);
   CHECK_EQ(rt_render_retire(f.render), VK_SUCCESS);
   CHECK(memcmp(now.memory, later.memory, now.image.size_bytes) == 0);
   fixture_image_finish(&now);
   fixture_image_finish(&later);
   fixture_finish(&f);
   free(vertices);
}

TEST(the_same_as_at_the_end)
{
   for (uint32_t threads = 1; threads <= 4; threads += threads) {
      check_scene(threads, 64, 0);
      check_scene(threads, 64, 1);
      check_scene(threads, 200, 0);
      check_scene(threads, 200, 5);
      check_scene(threads, 200, 3000);
   }
   /* Chunks of the greatest number, which their triangles fill: in one tile and in several. */
   check_scene(1, 64, 33000);
   check_scene(1, 200, 33000);
   check_scene(2, 200, 66000);
}

/* ---- order ---- */

struct gate {
   _Atomic bool is_open;
   const struct fixture_image *image;
   uint32_t texel; /* as it was when the gate opened */
};

static void open_gate(void *data, uint32_t index, struct rt_worker *worker)
{
   struct gate *gate = data;
   memcpy(&gate->texel, gate->image->memory, 4);
   gate->is_open = true;
}

static void nothing(void *data, uint32_t index, struct rt_worker *worker)
{
}

/* With one thread tasks run in this one when it waits: whatever the order of their addition, in that of their dependencies. */
TEST(waits_for_its_tasks)
{
   for (uint32_t size = 64; size <= 128; size *= 2) {
      struct fixture f;
      struct fixture_image color;
      struct fixture_vertex *vertices = make_vertices(3000);
      struct rt_render_tasks tasks;
      fixture_init(&f, 1);
      fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, size, size, 1, 1, true);
      struct gate gate = {.image = &color};
      const uint64_t first = rt_graph_add(f.graph, nothing, NULL, 1, 1, NULL, 0, NULL);
      const uint64_t before = rt_graph_add(f.graph, open_gate, &gate, 1, 1, &first, 1, NULL);
      collect(&f, &color, vertices, 3000, first);
      CHECK(rt_render_put_off(f.render, &before, 1, &tasks));
      CHECK(!rt_graph_is_done(f.graph, before) && !rt_graph_is_done(f.graph, tasks.geometry) && !rt_graph_is_done(f.graph, tasks.fragments));
      rt_graph_wait_for(f.graph, tasks.geometry, &f.worker);
      CHECK(rt_graph_is_done(f.graph, first));
      rt_graph_wait_for(f.graph, tasks.fragments, &f.worker);
      CHECK(gate.is_open);
      CHECK_EQ(gate.texel, 0xcdcdcdcd); /* nothing had been rendered */
      CHECK(memcmp(color.memory, &gate.texel, 4) != 0);
      CHECK_EQ(rt_render_retire(f.render), VK_SUCCESS);
      fixture_image_finish(&color);
      fixture_finish(&f);
      free(vertices);
   }
}

TEST(shares_a_target)
{
   struct fixture f;
   struct fixture_image a, b;
   fixture_init(&f, 1);
   struct rt_render *other = rt_render_create(f.pool, &f.worker, f.graph);
   fixture_image_init(&a, VK_FORMAT_R8G8B8A8_UNORM, 64, 64, 1, 1, true);
   fixture_image_init(&b, VK_FORMAT_D32_SFLOAT, 64, 64, 1, 1, true);
   fixture_target(&f, &a, &b);
   rt_render_begin(other, &f.begin, 0, false);
   fixture_target(&f, NULL, &b);
   rt_render_begin(f.render, &f.begin, 0, false);
   CHECK(rt_render_shares_target(f.render, other) && rt_render_shares_target(other, f.render));
   fixture_target(&f, &a, NULL);
   rt_render_begin(other, &f.begin, 0, false);
   CHECK(!rt_render_shares_target(f.render, other) && !rt_render_shares_target(other, f.render));
   rt_render_destroy(other);
   fixture_image_finish(&a);
   fixture_image_finish(&b);
   fixture_finish(&f);
}

/* ---- memory ---- */

/* False: there was no allocation of that number. */
static bool run_with_failure(uint64_t n, bool is_once, const struct fixture_vertex *vertices, const struct fixture_image *expected)
{
   struct fixture f;
   struct fixture_image color;
   struct rt_render_tasks tasks;
   fixture_init(&f, 1);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, 200, 200, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.draw.dirty = RT_DIRTY_ALL;
   f.draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)vertices, 300 * 3 * sizeof(*vertices)};
   const struct rt_draw_params params = {.count = 300 * 3, .instance_count = 1};
   util_alloc_fail_at(n, is_once);
   rt_render_begin(f.render, &f.begin, 0, false);
   const VkResult drawn = rt_render_draw(f.render, &f.draw, &params);
   VkResult ended;
   if (rt_render_put_off(f.render, NULL, 0, &tasks)) {
      rt_graph_wait(f.graph, &f.worker);
      ended = rt_render_retire(f.render);
   } else {
      ended = rt_render_end(f.render);
   }
   const bool was_reached = util_alloc_count() >= n;
   util_alloc_fail_at(0, false);
   const bool is_reported = drawn != VK_SUCCESS || ended != VK_SUCCESS || f.has_failed;
   CHECK(was_reached || !is_reported);
   CHECK(is_reported || memcmp(color.memory, expected->memory, color.image.size_bytes) == 0);
   fixture_image_finish(&color);
   fixture_finish(&f);
   return was_reached;
}

TEST(without_memory)
{
   struct fixture f;
   struct fixture_image expected;
   struct fixture_vertex *vertices = make_vertices(300);
   fixture_init(&f, 1);
   fixture_image_init(&expected, VK_FORMAT_R8G8B8A8_UNORM, 200, 200, 1, 1, true);
   collect(&f, &expected, vertices, 300, 0);
   CHECK_EQ(rt_render_end(f.render), VK_SUCCESS);
   for (uint32_t is_once = 0; is_once < 2; is_once++) {
      uint64_t n = 1;
      while (n < MAX_ALLOCATIONS && run_with_failure(n, is_once, vertices, &expected))
         n++;
      CHECK(n > 5 && n < MAX_ALLOCATIONS);
   }
   fixture_image_finish(&expected);
   fixture_finish(&f);
   free(vertices);
}

TEST_MAIN
