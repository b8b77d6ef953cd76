/* SPDX-License-Identifier: MIT
 * Tessellation on the whole driver. Spec: Tessellation; Tessellation Control Shader Execution. */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "cells.vert.h"
#include "cells_quads.tesc.h"
#include "cells_quads_equal.tese.h"
#include "cells_quads_even.tese.h"
#include "cells_quads_odd.tese.h"
#include "cells_triangles.tesc.h"
#include "cells_triangles_equal.tese.h"
#include "cells_triangles_even.tese.h"
#include "cells_triangles_odd.tese.h"
#include "half.frag.h"
#include "levels.tesc.h"
#include "levels.tese.h"
#include "shared.tesc.h"
#include "shared.tese.h"
#include "shared.vert.h"

#include <math.h>
#include <string.h>

enum { SIZE = 256, WORDS = 64 * 1024 };

struct module {
   const uint32_t *words;
   size_t bytes;
};
#define MODULE(name) (struct module){name, sizeof(name)}

struct scene {
   struct client client;
   struct client_buffer words, pixels, indices;
   bool has_indices; /* of 32 bits, with restarts */
   struct client_set set;
};

static void scene_init(struct scene *s)
{
   static const VkPhysicalDeviceFeatures features = {.tessellationShader = VK_TRUE,
                                                     .shaderTessellationAndGeometryPointSize = VK_TRUE,
                                                     .shaderFloat64 = VK_TRUE,
                                                     .vertexPipelineStoresAndAtomics = VK_TRUE};
   static const VkPhysicalDevicePrimitiveTopologyListRestartFeaturesEXT restart = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIMITIVE_TOPOLOGY_LIST_RESTART_FEATURES_EXT,
      .primitiveTopologyListRestart = VK_TRUE,
      .primitiveTopologyPatchListRestart = VK_TRUE,
   };
   s->has_indices = false;
   client_init(&s->client, &(struct client_options){.features = &features,
                                                    .next = &restart,
                                                    .device_extension = VK_EXT_PRIMITIVE_TOPOLOGY_LIST_RESTART_EXTENSION_NAME});
   s->words = client_buffer_create(&s->client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   s->pixels = client_buffer_create(&s->client, SIZE * SIZE * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   memset(s->words.map, 0, WORDS * 4);
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   s->set = client_set_create(&s->client, 1, &type);
   client_set_buffer(&s->client, &s->set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &s->words);
}

static void scene_finish(struct scene *s)
{
   client_set_destroy(&s->client, &s->set);
   client_buffer_destroy(&s->client, &s->words);
   client_buffer_destroy(&s->client, &s->pixels);
   client_finish(&s->client);
}

/* Draws `vertices`, or as many indices, in patches of `patch_vertices`; constants: 0 and 1 of the two stages. */
static void draw(struct scene *s, const struct module modules[4], const int32_t constants[2], uint32_t patch_vertices, uint32_t vertices)
{
   struct client *client = &s->client;
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   struct client_image image = client_image_create(client, format, SIZE, SIZE, 1, VK_SAMPLE_COUNT_1_BIT,
                                                   VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
   VkRenderPass pass =
      client_render_pass(client, format, VK_FORMAT_UNDEFINED, VK_SAMPLE_COUNT_1_BIT, false, VK_ATTACHMENT_LOAD_OP_CLEAR);
   VkFramebuffer framebuffer = client_framebuffer(client, pass, 1, &image.view, SIZE, SIZE);
   const VkSpecializationMapEntry entries[2] = {{0, 0, 4}, {1, 4, 4}};
   const VkSpecializationInfo specialization = {2, entries, 8, constants};
   const struct client_graphics info = {
      .vertex = client_shader(client, modules[0].words, modules[0].bytes),
      .control = client_shader(client, modules[1].words, modules[1].bytes),
      .evaluation = client_shader(client, modules[2].words, modules[2].bytes),
      .fragment = client_shader(client, modules[3].words, modules[3].bytes),
      .tessellation_constants = &specialization,
      .patch_vertices = patch_vertices,
      .layout = client_pipeline_layout(client, &s->set, 0),
      .pass = pass,
      .width = SIZE,
      .height = SIZE,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
      .has_blend = true,
      .has_restart = s->has_indices,
   };
   VkPipeline pipeline = client_graphics_pipeline(client, &info, VK_NULL_HANDLE);
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 0}};
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   VkCommandBuffer cmd = client_begin(client);
   client_begin_pass(cmd, pass, framebuffer, SIZE, SIZE, 1, &clear);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, info.layout, 0, 1, &s->set.set, 0, NULL);
   if (s->has_indices) {
      vk.CmdBindIndexBuffer(cmd, s->indices.buffer, 0, VK_INDEX_TYPE_UINT32);
      vk.CmdDrawIndexed(cmd, vertices, 1, 0, 0, 0);
   } else {
      vk.CmdDraw(cmd, vertices, 1, 0, 0);
   }
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, image.image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(client, cmd);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, info.layout, NULL);
   const VkShaderModule made[] = {info.vertex, info.control, info.evaluation, info.fragment};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(made); i++)
      vk.DestroyShaderModule(client->device, made[i], NULL);
   vk.DestroyFramebuffer(client->device, framebuffer, NULL);
   vk.DestroyRenderPass(client->device, pass, NULL);
   client_image_destroy(client, &image);
}

static void check_cells(struct scene *s, struct module control, struct module evaluation, uint32_t patches_per_cell)
{
   enum { CELLS = 8 };
   for (int32_t seed = 1; seed < 7; seed++) {
      const int32_t constants[2] = {seed, CELLS};
      draw(s, (const struct module[]){MODULE(cells_vert), control, evaluation, MODULE(half_frag)}, constants, 1,
           CELLS * CELLS * patches_per_cell);
      const uint8_t *pixels = s->pixels.map;
      uint32_t cracks = 0, overlaps = 0;
      for (uint32_t i = 0; i < SIZE * SIZE; i++) {
         cracks += pixels[i * 4] < 120;
         overlaps += pixels[i * 4] > 135;
      }
      CHECK_EQ(cracks, 0);
      if (seed % 2 == 0) /* bent triangles may lie over each other */
         CHECK_EQ(overlaps, 0);
   }
}

TEST(every_texel_is_drawn_once)
{
   struct scene s;
   scene_init(&s);
   check_cells(&s, MODULE(cells_quads_tesc), MODULE(cells_quads_equal_tese), 1);
   check_cells(&s, MODULE(cells_quads_tesc), MODULE(cells_quads_even_tese), 1);
   check_cells(&s, MODULE(cells_quads_tesc), MODULE(cells_quads_odd_tese), 1);
   check_cells(&s, MODULE(cells_triangles_tesc), MODULE(cells_triangles_equal_tese), 2);
   check_cells(&s, MODULE(cells_triangles_tesc), MODULE(cells_triangles_even_tese), 2);
   check_cells(&s, MODULE(cells_triangles_tesc), MODULE(cells_triangles_odd_tese), 2);
   scene_finish(&s);
}

enum { PATCHES = 150, CORNERS = 3, MADE = 5 }; /* more than a call of the control shader takes */

/* Draws so many vertices or indices, which make PATCHES patches of vertices in order. */
static void check_shared(struct scene *s, struct module control, struct module evaluation, uint32_t vertices)
{
   draw(s, (const struct module[]){MODULE(shared_vert), control, evaluation, MODULE(half_frag)}, (const int32_t[2]){0, 0}, CORNERS, vertices);
   const int32_t *words = s->words.map;
   uint32_t wrong = 0;
   for (int32_t p = 0; p < PATCHES; p++, words += 32) {
      int32_t own[MADE];
      for (int32_t i = 0; i < MADE; i++) {
         const int32_t number = 1000 + p * CORNERS + UTIL_MIN(i, CORNERS - 1);
         own[i] = number * 10 + i;
         wrong += words[i] != own[i];
         wrong += words[10 + i] != p * CORNERS + (i + 1) % CORNERS;
         wrong += words[15 + i] != number * 10 + i;
      }
      for (int32_t i = 0; i < MADE; i++)
         wrong += words[5 + i] != own[(i + 1) % MADE] + p * 100 + i % 3;
      for (int32_t i = 0; i < 3; i++)
         wrong += words[20 + i] != p * 100 + (p + i) % 3;
      wrong += words[23] != MADE;
      wrong += words[24] != (p % 3 == 2 ? 5 : 2);
   }
   CHECK_EQ(wrong, 0);
   for (uint32_t i = 0; i < 32; i++)
      wrong += words[i] != 0; /* vertices that are left over are no patch */
   CHECK_EQ(wrong, 0);
}

TEST(invocations_share_what_they_write)
{
   struct scene s;
   scene_init(&s);
   check_shared(&s, MODULE(shared_tesc), MODULE(shared_tese), PATCHES * CORNERS + 2);
   scene_finish(&s);
}

enum { MAX_WORDS = 4096, DECORATE = 71, PATCH = 15, LOCATION = 30 }; /* the instruction and decorations of SPIR-V */

static bool is_decorated(const uint32_t *words, size_t count, uint32_t id, uint32_t decoration)
{
   bool is_found = false;
   for (size_t i = 5; i < count; i += words[i] >> 16)
      is_found |= (words[i] & 0xffff) == DECORATE && words[i + 1] == id && words[i + 2] == decoration;
   return is_found;
}

/* A copy in `words` whose patch has its variable at location 0. */
static struct module with_patch_at_0(struct module module, uint32_t words[MAX_WORDS])
{
   const size_t count = module.bytes / sizeof(uint32_t);
   uint32_t num_moved = 0;
   CHECK(count <= MAX_WORDS);
   for (size_t i = 0; i < count && i < MAX_WORDS; i++)
      words[i] = module.words[i];
   for (size_t i = 5; i < count; i += words[i] >> 16) {
      if ((words[i] & 0xffff) == DECORATE && words[i + 2] == LOCATION && is_decorated(words, count, words[i + 1], PATCH)) {
         words[i + 3] = 0;
         num_moved++;
      }
   }
   CHECK_EQ(num_moved, 1);
   return (struct module){words, module.bytes};
}

/* Patches have locations of their own, as OpenGL's compilers give them: 0 is here that of a variable of the vertices, too. */
TEST(patches_have_locations)
{
   static uint32_t words[2][MAX_WORDS];
   struct scene s;
   scene_init(&s);
   check_shared(&s, with_patch_at_0(MODULE(shared_tesc), words[0]), with_patch_at_0(MODULE(shared_tese), words[1]), PATCHES * CORNERS + 2);
   scene_finish(&s);
}

/* What a restart leaves of a patch is dropped, and patches go on being counted. */
TEST(indices_restart_patches)
{
   struct scene s;
   uint32_t num = 0;
   scene_init(&s);
   s.indices = client_buffer_create(&s.client, PATCHES * (2 * CORNERS + 1) * sizeof(uint32_t), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
   s.has_indices = true;
   uint32_t *indices = s.indices.map;
   for (uint32_t p = 0; p < PATCHES; p++) {
      for (uint32_t i = 0; i < p % CORNERS; i++)
         indices[num++] = 7;
      if (p % CORNERS || p % 5 == 0)
         indices[num++] = UINT32_MAX;
      for (uint32_t i = 0; i < CORNERS; i++)
         indices[num++] = p * CORNERS + i;
   }
   check_shared(&s, MODULE(shared_tesc), MODULE(shared_tese), num);
   client_buffer_destroy(&s.client, &s.indices);
   scene_finish(&s);
}


static uint32_t segments(float level)
{
   return (uint32_t)ceilf(level >= 1.0f ? UTIL_MIN(level, 64.0f) : 1.0f);
}

/* Vertices of a quad, by the specification. */
static uint32_t count_vertices(const float levels[6])
{
   uint32_t outer = 0, inner[2];
   for (uint32_t i = 0; i < 4; i++) {
      if (!(levels[i] > 0.0f))
         return 0;
      outer += segments(levels[i]);
   }
   for (uint32_t i = 0; i < 2; i++)
      inner[i] = segments(levels[4 + i]);
   if (outer == 4 && inner[0] == 1 && inner[1] == 1)
      return 4;
   return outer + (UTIL_MAX(inner[0], 2u) - 1) * (UTIL_MAX(inner[1], 2u) - 1);
}

/* Of any bits: each vertex is evaluated once, those of patches that are discarded never. */
TEST(levels_of_any_value)
{
   enum { PATCHES = 2000 };
   static const float special[] = {0.0f, -0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-30f, 1.0f, 64.0f, 65.0f, 1e30f, 0.5f};
   struct scene s;
   scene_init(&s);
   uint32_t *words = s.words.map, random = 7;
   for (uint32_t p = 0; p < PATCHES; p++) {
      for (uint32_t i = 0; i < 6; i++) {
         float level;
         random = random * 1664525 + 1013904223;
         if (p % 4 == 0)
            level = special[(random >> 16) % UTIL_ARRAY_SIZE(special)];
         else if (p % 4 == 1)
            memcpy(&level, &random, 4);
         else
            level = p % 4 == 2 ? 1.0f : (float)(random >> 16) / 65536.0f * 12.0f;
         memcpy(&words[p * 8 + i], &level, 4);
      }
   }
   draw(&s, (const struct module[]){MODULE(cells_vert), MODULE(levels_tesc), MODULE(levels_tese), MODULE(half_frag)},
        (const int32_t[2]){0, 0}, 1, PATCHES);
   uint32_t wrong = 0;
   for (uint32_t p = 0; p < PATCHES; p++) {
      float levels[6];
      memcpy(levels, words + p * 8, sizeof(levels));
      wrong += words[p * 8 + 6] != count_vertices(levels);
   }
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

TEST_MAIN
