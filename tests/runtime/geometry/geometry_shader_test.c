/* SPDX-License-Identifier: MIT
 * Geometry shaders as C functions: every invocation runs once, whatever it makes, and what it makes is drawn in order. */
#include "tests/runtime/raster/fixture.h"

enum { SIZE = 64, MAX = 300 };

static struct {
   uint32_t points;    /* that an invocation emits at most; less by its primitive. Even: then each column has some */
   uint32_t *runs;     /* by primitive and invocation */
   uint32_t max_vertices, num_invocations;
} script;

/* Reads points, emits points at one position each; the colour says which primitive was last. */
static void emit_points(const struct abi_geometry_args *args, struct abi_worker *worker, uint32_t count)
{
   const uint32_t lanes = abi_geometry_batch(script.max_vertices);
   CHECK(count >= 1 && count <= lanes);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t id = args->primitive_id[i] * script.num_invocations + args->invocation_id[i];
      __atomic_fetch_add(&script.runs[id], 1, __ATOMIC_RELAXED);
      args->num_vertices[i] = args->primitive_id[i] % (script.points + 1);
      for (uint32_t v = 0; v < args->num_vertices[i]; v++) {
         uint32_t *rows = args->outputs + (size_t)v * 9 * lanes + i;
         for (uint32_t r = 0; r < 8; r++) /* position and colour */
            rows[r * lanes] = args->inputs[r * lanes + i];
         rows[8 * lanes] = ABI_VERTEX_BEGINS;
      }
   }
}

static void check(uint32_t max_vertices, uint32_t points, uint32_t num_invocations, uint32_t threads)
{
   enum { PRIMS = 5000 };
   struct fixture f;
   struct fixture_image color;
   struct abi_shader_info gs = {.stage = ABI_STAGE_GEOMETRY, .vertices_in = 1, .corners_out = 1, .streams = 1,
                                .max_vertices = (uint16_t)max_vertices, .num_invocations = (uint16_t)num_invocations};
   fixture_init(&f, threads);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, NULL);
   fixture_slots(gs.inputs, ABI_SLOT_POSITION, 4);
   fixture_slots(gs.inputs, ABI_SLOT_USER, 4);
   fixture_slots(gs.outputs, ABI_SLOT_POSITION, 4);
   fixture_slots(gs.outputs, ABI_SLOT_USER, 4);
   fixture_slots(gs.outputs, ABI_SLOT_VERTEX_FLAGS, 1);
   f.pipeline.shaders[ABI_STAGE_GEOMETRY] = (struct rt_shader){.info = &gs, .run.geometry = emit_points, .name = "points"};
   f.state.topology.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
   script.max_vertices = max_vertices;
   script.points = points;
   script.num_invocations = num_invocations;
   script.runs = calloc(PRIMS * num_invocations, sizeof(*script.runs));
   struct fixture_vertex *v = calloc(PRIMS, sizeof(*v));
   for (uint32_t i = 0; i < PRIMS; i++) {
      const float x = (float)(i % SIZE) + 0.5f;
      v[i] = (struct fixture_vertex){{x / (SIZE / 2) - 1, 1.0f / SIZE, 0.5f, 1}, {(float)(i & 255) / 255, (float)(i >> 8) / 255, 0, 1}};
   }
   fixture_render(&f, v, PRIMS);
   uint32_t wrong = 0;
   for (uint32_t i = 0; i < PRIMS * num_invocations; i++)
      wrong += script.runs[i] != 1;
   CHECK_EQ(wrong, 0);
   for (uint32_t x = 0; x < SIZE; x++) {
      uint32_t last = PRIMS - 1;
      while (last % SIZE != x || last % (points + 1) == 0)
         last--;
      const uint8_t *texel = fixture_texel(&color, x, SIZE / 2, 0, 0);
      wrong += texel[0] + texel[1] * 256u != last;
   }
   CHECK_EQ(wrong, 0);
   free(v);
   free(script.runs);
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(few_vertices)
{
   check(4, 4, 1, 0);
   check(48, 6, 3, 2);
}

/* More than chunks hold: each is put aside many times. */
TEST(many_vertices)
{
   check(MAX, MAX, 1, 0);
   check(MAX, MAX, 2, 2);
   check(ABI_MAX_EMITTED, 60, 1, 2);
}

TEST_MAIN
