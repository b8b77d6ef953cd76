/* SPDX-License-Identifier: MIT
 * Memory that runs out within a render pass, at each allocation in turn, with each set of stages before rasterization: either the
 * picture is whole or the failure is reported. Nothing crashes, and nothing leaks (run under a sanitizer to see that). */
#include "tests/runtime/raster/fixture.h"
#include "util/alloc.h"

enum { SIZE = 64, MAX_ALLOCATIONS = 200, VERTICES_OUT = 4, PRIMS_OUT = 2, MESH_ROWS = 8 };

static const float corners[4][4] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}, {1, 1, 0.5f, 1}};

/* All levels are 4. */
static void control_shader(const struct abi_control_args *args, struct abi_worker *worker, uint32_t count)
{
   const uint32_t lanes = abi_control_batch(6);
   const float level = 4;
   for (uint32_t row = 0; row < 6; row++)
      for (uint32_t i = 0; i < count; i++)
         memcpy(&args->outputs[row * lanes + i], &level, sizeof(level));
}

/* The patch covers the target. */
static void evaluation_shader(const struct abi_evaluation_args *args, struct abi_worker *worker, uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      const float values[8] = {args->coords[i] * 2 - 1, args->coords[ABI_VERTEX_BATCH + i] * 2 - 1, 0.5f, 1, 1, 1, 1, 1};
      for (uint32_t r = 0; r < 8; r++)
         memcpy(&args->outputs[r * ABI_VERTEX_BATCH + i], &values[r], sizeof(values[r]));
   }
}

static const struct abi_shader_info task_info = {.stage = ABI_STAGE_TASK, .local_size = {1, 1, 1}, .payload_bytes = 4, .output_offset = 64,
                                                 .output_bytes = sizeof(struct abi_task_output), .shared_bytes = 128};

/* Each asks for one workgroup and says that it is to be drawn. */
static void task_shader(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y, uint32_t z, uint32_t count)
{
   const struct abi_task_output output = {{1, 1, 1}};
   worker->shared[0] = 1;
   memcpy(worker->shared + task_info.output_offset, &output, sizeof(output));
}

static void mesh_shader(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y, uint32_t z, uint32_t count)
{
   static const uint32_t indices[PRIMS_OUT][3] = {{0, 1, 2}, {2, 1, 3}};
   const uint32_t stride = abi_mesh_stride(VERTICES_OUT);
   struct abi_mesh_output *output = (struct abi_mesh_output *)(worker->shared + 64);
   output->num_vertices = worker->shared[0] ? VERTICES_OUT : 0;
   output->num_primitives = PRIMS_OUT;
   for (uint32_t v = 0; v < VERTICES_OUT; v++) {
      for (uint32_t r = 0; r < MESH_ROWS; r++) {
         const float value = r < 4 ? corners[v][r] : 1;
         memcpy(&output->rows[r * stride + v], &value, sizeof(value));
      }
   }
   for (uint32_t p = 0; p < PRIMS_OUT; p++)
      for (uint32_t k = 0; k < 3; k++)
         output->rows[MESH_ROWS * stride + k * abi_mesh_stride(PRIMS_OUT) + p] = indices[p][k];
}

static void set_tessellation(struct fixture *f, struct abi_shader_info *tcs, struct abi_shader_info *tes)
{
   *tcs = (struct abi_shader_info){.stage = ABI_STAGE_CONTROL, .vertices_out = 1, .num_rows = 6};
   for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++)
      tcs->rows[slot] = ABI_NO_ROW;
   for (uint32_t i = 0; i < 6; i++)
      tcs->rows[ABI_SLOT_TESS_OUTER + i] = (uint16_t)i;
   *tes = (struct abi_shader_info){.stage = ABI_STAGE_EVALUATION, .domain = ABI_DOMAIN_QUADS, .spacing = ABI_SPACING_EQUAL};
   fixture_slots(tes->outputs, ABI_SLOT_POSITION, 4);
   fixture_slots(tes->outputs, ABI_SLOT_USER, 4);
   f->pipeline.shaders[ABI_STAGE_CONTROL] = (struct rt_shader){.info = tcs, .run.control = control_shader, .name = "control"};
   f->pipeline.shaders[ABI_STAGE_EVALUATION] = (struct rt_shader){.info = tes, .run.evaluation = evaluation_shader, .name = "evaluation"};
   f->state.topology.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
   f->state.patch_control_points.count = 1;
}

static void set_mesh(struct fixture *f, struct abi_shader_info *ms)
{
   const uint32_t vertex_words = MESH_ROWS * abi_mesh_stride(VERTICES_OUT), stride = abi_mesh_stride(PRIMS_OUT);
   const uint32_t first = (uint32_t)offsetof(struct abi_mesh_output, rows) / 4 + vertex_words;
   *ms = (struct abi_shader_info){.stage = ABI_STAGE_MESH, .local_size = {1, 1, 1}, .payload_bytes = 4, .output_offset = 64,
                                  .output_bytes = (first + 3 * stride) * 4, .shared_bytes = 64 + (first + 3 * stride) * 4,
                                  .corners_out = 3, .max_vertices = VERTICES_OUT, .max_primitives = PRIMS_OUT};
   fixture_slots(ms->outputs, ABI_SLOT_POSITION, 4);
   fixture_slots(ms->outputs, ABI_SLOT_USER, 4);
   fixture_slots(ms->primitive_slots, ABI_SLOT_INDICES, 3);
   for (uint32_t k = 0; k < 3; k++)
      ms->rows[ABI_SLOT_INDICES + k] = (uint16_t)(first + k * stride);
   f->pipeline.shaders[ABI_STAGE_VERTEX].info = NULL;
   f->pipeline.shaders[ABI_STAGE_TASK] = (struct rt_shader){.info = &task_info, .run.task = task_shader, .name = "task"};
   f->pipeline.shaders[ABI_STAGE_MESH] = (struct rt_shader){.info = ms, .run.mesh = mesh_shader, .name = "mesh"};
}

enum stages { TESSELLATION, MESHES };

static VkResult draw(struct fixture *f, enum stages stages)
{
   static const struct fixture_vertex vertex;
   const struct rt_draw_params params = {.count = 1, .instance_count = 1, .grid = {3, 1, 1}};
   f->draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)&vertex, sizeof(vertex)};
   rt_render_begin(f->render, &f->begin, 0, false);
   const VkResult result = stages == MESHES ? rt_render_draw_mesh(f->render, &f->draw, &params) : rt_render_draw(f->render, &f->draw, &params);
   const VkResult end = rt_render_end(f->render);
   return result != VK_SUCCESS ? result : end;
}

static bool is_whole(const struct fixture_image *color)
{
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++)
         if (fixture_texel(color, x, y, 0, 0)[0] != 255)
            return false;
   return true;
}

/* False: there was no allocation of that number. */
static bool run_with_failure(enum stages stages, uint64_t n, bool is_once)
{
   struct fixture f;
   struct fixture_image color;
   struct abi_shader_info infos[2];
   fixture_init(&f, 1);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, NULL);
   if (stages == MESHES)
      set_mesh(&f, &infos[0]);
   else
      set_tessellation(&f, &infos[0], &infos[1]);
   util_alloc_fail_at(n, is_once);
   const VkResult result = draw(&f, stages);
   const bool was_reached = util_alloc_count() >= n;
   util_alloc_fail_at(0, false);
   CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
   CHECK(was_reached || (result == VK_SUCCESS && !f.has_failed));
   const bool is_reported = result != VK_SUCCESS || f.has_failed;
   CHECK(is_reported || is_whole(&color));
   /* What is there afterwards works. */
   f.draw.dirty = RT_DIRTY_ALL;
   if (!f.has_failed) {
      memset(color.memory, 0, color.image.size_bytes);
      CHECK_EQ(draw(&f, stages), VK_SUCCESS);
      CHECK(is_whole(&color));
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
   return was_reached;
}

static void each_fails(enum stages stages)
{
   for (uint32_t is_once = 0; is_once < 2; is_once++) {
      uint64_t n = 1;
      while (n < MAX_ALLOCATIONS && run_with_failure(stages, n, is_once))
         n++;
      CHECK(n > 5 && n < MAX_ALLOCATIONS);
   }
}

TEST(tessellation)
{
   each_fails(TESSELLATION);
}

TEST(task_and_mesh_shaders)
{
   each_fails(MESHES);
}

TEST_MAIN
