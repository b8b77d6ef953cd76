/* SPDX-License-Identifier: MIT
 * Rows of vertices: what is read of them and how, how draws call for them, and what they hand on. A grid of 256 x 256 points in 130,050 triangles. */
#include "tests/bench/bench.h"

#include "vertices_clipped_vert.h"
#include "vertices_crossing_vert.h"
#include "vertices_flat_frag.h"
#include "vertices_flat_vert.h"
#include "vertices_floats_vert.h"
#include "vertices_instanced_vert.h"
#include "vertices_integers_vert.h"
#include "vertices_linear_frag.h"
#include "vertices_linear_vert.h"
#include "vertices_plain_frag.h"
#include "vertices_plain_vert.h"
#include "vertices_pulled_vert.h"
#include "vertices_varied_frag.h"
#include "vertices_varied_vert.h"

#include "util/macros.h"

#include <string.h>

enum { SIZE = 1024, GRID = 256, CELLS = (GRID - 1) * (GRID - 1), POINTS = GRID * GRID, DRAWS = 10000, PER_DRAW = 36, INSTANCES = 16384 };

enum mesh { LIST, INDICES_16, INDICES_32, STRIPS, QUADS };
enum calls { ONE, MANY, ONE_INDIRECT, MANY_INDIRECT };

struct vertices {
   const uint32_t *vertex, *fragment;
   size_t vertex_bytes, fragment_bytes;
   VkFormat format; /* of each of four attributes; 0: none */
   uint32_t attribute_bytes;
   enum mesh mesh;
   enum calls calls;
   bool is_visible, is_pulled, has_blend;
};

struct job {
   struct client *client;
   const struct vertices *vertices;
   VkCommandBuffer cmd;
   VkPipeline pipeline;
   struct client_buffer points, indices, draws;
   uint32_t num_indices;
};

/* Bytes that are small finite numbers in every format. */
static void fill(struct client_buffer *buffer)
{
   for (size_t i = 0; i < buffer->size_bytes; i++)
      ((uint8_t *)buffer->map)[i] = (uint8_t)((uint32_t)i * 2654435761u >> 13) & 0x3b;
}

static void add_index(struct job *job, uint32_t index)
{
   if (job->vertices->mesh == INDICES_16)
      ((uint16_t *)job->indices.map)[job->num_indices++] = (uint16_t)index;
   else
      ((uint32_t *)job->indices.map)[job->num_indices++] = index;
}

static void make_strips(struct job *job)
{
   for (uint32_t y = 0; y < GRID - 1; y++) {
      for (uint32_t x = 0; x < GRID; x++) {
         add_index(job, y * GRID + x);
         add_index(job, (y + 1) * GRID + x);
      }
      add_index(job, UINT32_MAX);
   }
}

static void make_cells(struct job *job)
{
   for (uint32_t cell = 0; cell < CELLS; cell++) {
      const uint32_t at = cell / (GRID - 1) * GRID + cell % (GRID - 1);
      const uint32_t corners[6] = {at, at + GRID, at + 1, at + 1, at + GRID, at + GRID + 1};
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(corners); i++)
         add_index(job, corners[i]);
   }
}

/* A position, a size and a colour each. */
static void make_instances(struct job *job)
{
   float(*instances)[8] = job->points.map;
   for (uint32_t i = 0; i < INSTANCES; i++) {
      const float values[8] = {(float)(i & 127) / 64 - 1, (float)(i >> 7) / 64 - 1, 0.03f, 0.03f, 0.25f, 0.5f, 0.75f, 0.5f};
      memcpy(instances[i], values, sizeof(values));
   }
}

static void make_buffers(struct job *job)
{
   const struct vertices *vertices = job->vertices;
   job->points = client_buffer_create(job->client, POINTS * 64, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   job->indices = client_buffer_create(job->client, CELLS * 6 * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   job->draws = client_buffer_create(job->client, DRAWS * sizeof(VkDrawIndexedIndirectCommand), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   if (vertices->mesh == QUADS)
      make_instances(job);
   else
      fill(&job->points);
   if (vertices->mesh == STRIPS)
      make_strips(job);
   else
      make_cells(job);
   VkDrawIndexedIndirectCommand *draws = job->draws.map;
   for (uint32_t i = 0; i < DRAWS; i++)
      draws[i] = (VkDrawIndexedIndirectCommand){.indexCount = PER_DRAW, .instanceCount = 1, .firstIndex = i * PER_DRAW};
}

static void submit(void *data)
{
   struct job *job = data;
   client_submit(job->client, job->cmd);
}

static void draw(const struct job *job)
{
   const struct vertices *vertices = job->vertices;
   if (vertices->mesh == LIST)
      vk.CmdDraw(job->cmd, CELLS * 6, 1, 0, 0);
   else if (vertices->mesh == QUADS)
      vk.CmdDraw(job->cmd, 4, INSTANCES, 0, 0);
   else if (vertices->calls == ONE)
      vk.CmdDrawIndexed(job->cmd, job->num_indices, 1, 0, 0, 0);
   else if (vertices->calls == ONE_INDIRECT)
      vk.CmdDrawIndexedIndirect(job->cmd, job->draws.buffer, 0, DRAWS, sizeof(VkDrawIndexedIndirectCommand));
   else
      for (uint32_t i = 0; i < DRAWS; i++) {
         if (vertices->calls == MANY)
            vk.CmdDrawIndexed(job->cmd, PER_DRAW, 1, i * PER_DRAW, 0, 0);
         else
            vk.CmdDrawIndexedIndirect(job->cmd, job->draws.buffer, i * sizeof(VkDrawIndexedIndirectCommand), 1, sizeof(VkDrawIndexedIndirectCommand));
      }
}

/* What a second has, in millions: triangles, or draws. */
static double count(const struct job *job)
{
   const struct vertices *vertices = job->vertices;
   return (vertices->calls != ONE ? DRAWS : vertices->mesh == QUADS ? 2 * INSTANCES : 2 * CELLS) * 1e-6;
}

static double measure(struct client *client, const struct vertices *vertices)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   const VkDeviceSize zero = 0;
   const VkClearValue clear = {.color.float32 = {0}};
   const bool is_strip = vertices->mesh == STRIPS || vertices->mesh == QUADS;
   struct job job = {client, vertices};
   make_buffers(&job);
   struct client_set set = client_set_create(client, 1, types);
   client_set_buffer(client, &set, 0, types[0], &job.points);
   struct client_image image = client_image_create(client, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   const VkRenderPass pass =
      client_render_pass(client, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   const VkFramebuffer framebuffer = client_framebuffer(client, pass, 1, &image.view, SIZE, SIZE);
   struct client_graphics info = {.vertex = client_shader(client, vertices->vertex, vertices->vertex_bytes),
                                  .fragment = client_shader(client, vertices->fragment, vertices->fragment_bytes),
                                  .layout = client_pipeline_layout(client, &set, 0),
                                  .pass = pass,
                                  .width = SIZE,
                                  .height = SIZE,
                                  .samples = VK_SAMPLE_COUNT_1_BIT,
                                  .topology = is_strip ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                  .has_restart = vertices->mesh == STRIPS,
                                  .has_blend = vertices->has_blend,
                                  .cull = vertices->is_visible ? VK_CULL_MODE_NONE : VK_CULL_MODE_FRONT_BIT};
   if (vertices->mesh == QUADS) {
      info.is_by_instance = true;
      info.num_attributes = 2;
   } else if (vertices->format) {
      info.num_attributes = 4;
   }
   for (uint32_t i = 0; i < info.num_attributes; i++)
      info.attributes[i] = (VkVertexInputAttributeDescription){i, 0, vertices->format, i * vertices->attribute_bytes};
   info.stride_bytes = info.num_attributes * vertices->attribute_bytes;
   job.pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   job.cmd = client_begin(client);
   client_begin_pass(job.cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(job.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, job.pipeline);
   vk.CmdBindDescriptorSets(job.cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, info.layout, 0, 1, &set.set, 0, NULL);
   vk.CmdBindVertexBuffers(job.cmd, 0, 1, &job.points.buffer, &zero);
   vk.CmdBindIndexBuffer(job.cmd, job.indices.buffer, 0, vertices->mesh == INDICES_16 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32);
   draw(&job);
   vk.CmdEndRenderPass(job.cmd);
   client_end(job.cmd);
   const double seconds = bench_median(0.25, submit, &job);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &job.cmd);
   vk.DestroyPipeline(client->device, job.pipeline, NULL);
   vk.DestroyShaderModule(client->device, info.vertex, NULL);
   vk.DestroyShaderModule(client->device, info.fragment, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   client_image_destroy(client, &image);
   client_set_destroy(client, &set);
   client_buffer_destroy(client, &job.points);
   client_buffer_destroy(client, &job.indices);
   client_buffer_destroy(client, &job.draws);
   return count(&job) / seconds;
}

#define SHADERS(vertex_name, fragment_name)                                                                            \
   .vertex = vertices_##vertex_name##_vert, .vertex_bytes = sizeof(vertices_##vertex_name##_vert),                     \
   .fragment = vertices_##fragment_name##_frag, .fragment_bytes = sizeof(vertices_##fragment_name##_frag)
#define READ(id, text, shader, vk_format, bytes)                                                                       \
   X(id, "vertices: 4 of " text, "Mtri/s", SHADERS(shader, plain), .format = VK_FORMAT_##vk_format, .attribute_bytes = bytes, .mesh = INDICES_16)
#define ROWS                                                                                                           \
   READ(rgba32f, "rgba32f", floats, R32G32B32A32_SFLOAT, 16)                                                           \
   READ(rgb32f, "rgb32f", floats, R32G32B32_SFLOAT, 12)                                                                \
   READ(rg32f, "rg32f", floats, R32G32_SFLOAT, 8)                                                                      \
   READ(rgba16f, "rgba16f", floats, R16G16B16A16_SFLOAT, 8)                                                            \
   READ(rg16f, "rg16f", floats, R16G16_SFLOAT, 4)                                                                      \
   READ(rg16, "rg16 snorm", floats, R16G16_SNORM, 4)                                                                   \
   READ(rgba8, "rgba8", floats, R8G8B8A8_UNORM, 4)                                                                     \
   READ(bgra8, "bgra8", floats, B8G8R8A8_UNORM, 4)                                                                     \
   READ(rgb10a2, "rgb10a2 snorm", floats, A2B10G10R10_SNORM_PACK32, 4)                                                 \
   READ(rgba8s, "rgba8 scaled", floats, R8G8B8A8_USCALED, 4)                                                           \
   READ(rgba8ui, "rgba8ui", integers, R8G8B8A8_UINT, 4)                                                                \
   READ(rgba16ui, "rgba16ui", integers, R16G16B16A16_UINT, 8)                                                          \
   READ(rgba32ui, "rgba32ui", integers, R32G32B32A32_UINT, 16)                                                         \
   X(pulled, "vertices: out of a storage buffer", "Mtri/s", SHADERS(pulled, plain), .mesh = INDICES_16, .is_pulled = true) \
   X(list, "vertices: no indices", "Mtri/s", SHADERS(plain, plain), .mesh = LIST)                                      \
   X(indices_16, "vertices: indices of 16 bits", "Mtri/s", SHADERS(plain, plain), .mesh = INDICES_16)                  \
   X(indices_32, "vertices: indices of 32 bits", "Mtri/s", SHADERS(plain, plain), .mesh = INDICES_32)                  \
   X(strips, "vertices: strips with restart", "Mtri/s", SHADERS(plain, plain), .mesh = STRIPS)                         \
   X(small, "vertices: triangles of 8 pixels", "Mtri/s", SHADERS(plain, plain), .mesh = INDICES_16, .is_visible = true) \
   X(clipped, "vertices: clip distances", "Mtri/s", SHADERS(clipped, plain), .mesh = INDICES_16, .is_visible = true)   \
   X(crossing, "vertices: through the near plane", "Mtri/s", SHADERS(crossing, plain), .mesh = INDICES_16, .is_visible = true) \
   X(varied, "vertices: 8 varyings", "Mtri/s", SHADERS(varied, varied), .mesh = INDICES_16, .is_visible = true)        \
   X(flat, "vertices: 8 flat varyings", "Mtri/s", SHADERS(flat, flat), .mesh = INDICES_16, .is_visible = true)         \
   X(linear, "vertices: 8 linear varyings", "Mtri/s", SHADERS(linear, linear), .mesh = INDICES_16, .is_visible = true) \
   X(quads, "vertices: instanced quads of 15 pixels, blended", "Mtri/s", SHADERS(instanced, plain), .format = VK_FORMAT_R32G32B32A32_SFLOAT, \
     .attribute_bytes = 16, .mesh = QUADS, .is_visible = true, .has_blend = true)                                      \
   X(many, "vertices: 10,000 draws", "Mdraw/s", SHADERS(plain, plain), .mesh = INDICES_16, .calls = MANY)              \
   X(many_indirect, "vertices: 10,000 indirect draws", "Mdraw/s", SHADERS(plain, plain), .mesh = INDICES_16, .calls = MANY_INDIRECT) \
   X(one_indirect, "vertices: one indirect call of 10,000 draws", "Mdraw/s", SHADERS(plain, plain), .mesh = INDICES_16, .calls = ONE_INDIRECT)

#define X(id, text, unit, ...)                                                                                         \
   static double run_##id(struct client *client)                                                                       \
   {                                                                                                                   \
      static const struct vertices vertices = {__VA_ARGS__};                                                           \
      return measure(client, &vertices);                                                                               \
   }
ROWS
#undef X

const struct bench_row bench_vertex_rows[] = {
#define X(id, text, unit, ...) {text, unit, false, run_##id, BENCH_NEEDS_VERTICES},
   ROWS
#undef X
   {NULL, NULL, false, NULL},
};
