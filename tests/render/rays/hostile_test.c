/* SPDX-License-Identifier: MIT
 * Ray queries that no application should ask for (hostile.comp): each ends, with a miss or a hit of what is there, and the
 * queries beside it are as if alone. */
#include "tests/client/rays.h"
#include "tests/test.h"
#include "util/macros.h"

#include <math.h>
#include <string.h>

#include "hostile.comp.h"

enum { NUM_RAYS = 32, SKIP_TRIANGLES = 0x100, SKIP_BOXES = 0x200, ALL_FLAGS = 0x3ff };
enum hit { MISSES = 0, TRIANGLE = 1, BOX = 2, ANY = 3 };

struct ray {
   float origin[3], tmin, direction[3], tmax;
   uint32_t flags, mask;
   float box_t;
};

/* A triangle at z = 1, around x = y = 0, and a box from z = 2 to 3. */
static const struct {
   struct ray ray;
   enum hit hit;
   float t;
} cases[] = {
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, 0, 0xff, 2}, TRIANGLE, 1},
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, SKIP_TRIANGLES, 0xff, 2.5f}, BOX, 2.5f},
   {{{NAN, 0, 0}, 0, {0, 0, 1}, 10, 0, 0xff, 2}, MISSES, 0},
   {{{0, INFINITY, 0}, 0, {0, 0, 1}, 10, 0, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, 0, {0, NAN, 1}, 10, 0, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, 0, {INFINITY, 0, 1}, 10, 0, 0xff, 2}, ANY, 0},
   {{{0, 0, 0}, 0, {0, 0, 0}, 10, 0, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, NAN, {0, 0, 1}, 10, 0, 0xff, 2}, ANY, 0},
   {{{0, 0, 0}, 0, {0, 0, 1}, NAN, 0, 0xff, 2}, ANY, 0},
   {{{0, 0, 0}, 5, {0, 0, 1}, 0.5f, 0, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, -5, {0, 0, 1}, 10, 0, 0xff, 2}, TRIANGLE, 1},
   {{{0, 0, 0}, 0, {0, 0, 1}, INFINITY, 0, 0xff, 2}, TRIANGLE, 1},
   {{{0, 0, 0}, 0, {3e38f, -3e38f, 3e38f}, 10, 0, 0xff, 2}, ANY, 0},
   {{{0, 0, 0}, 0, {0, 0, 1e-40f}, INFINITY, 0, 0xff, 2}, ANY, 0},
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, SKIP_TRIANGLES | SKIP_BOXES, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, ALL_FLAGS, 0xff, 2}, MISSES, 0},
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, UINT32_MAX, UINT32_MAX, 2}, MISSES, 0},
   {{{0, 0, 0}, 0, {0, 0, 1}, 10, 0, 0, 2}, MISSES, 0},
   {{{0, 0, 1.5f}, 0, {0, 0, 1}, 10, 0, 0xff, NAN}, ANY, 0},
   {{{0, 0, 1.5f}, 0, {0, 0, 1}, 10, 0, 0xff, 1e30f}, ANY, 0},
   {{{0, 0, 1.5f}, 0, {0, 0, 1}, 10, 0, 0xff, -1}, ANY, 0},
};

static struct client_accel box(struct client *client)
{
   struct client_buffer input = client_buffer_create(
      client, sizeof(VkAabbPositionsKHR), VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   *(VkAabbPositionsKHR *)input.map = (VkAabbPositionsKHR){-1, -1, 2, 1, 1, 3};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(client, &input), .stride = sizeof(VkAabbPositionsKHR)}};
   const struct client_accel result = client_accel_build(client, &geometry, 1);
   client_buffer_destroy(client, &input);
   return result;
}

TEST(queries_end)
{
   static const float corners[9] = {-1, -1, 1, 3, -1, 1, -1, 3, 1};
   const VkDescriptorType types[2] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   struct client client;
   client_rays_init(&client);
   struct client_accel accels[3] = {client_accel_triangles(&client, corners, 1, VK_GEOMETRY_OPAQUE_BIT_KHR), box(&client)};
   VkAccelerationStructureInstanceKHR instances[2];
   for (uint32_t i = 0; i < 2; i++)
      instances[i] = (VkAccelerationStructureInstanceKHR){.transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                                          .mask = 0xff, .accelerationStructureReference = accels[i].address};
   accels[2] = client_accel_instances(&client, instances, 2);
   struct client_buffer buffer = client_buffer_create(&client, NUM_RAYS * (sizeof(struct ray) + 8), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct ray *list = buffer.map;
   memset(buffer.map, 0, NUM_RAYS * (sizeof(struct ray) + 8));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++)
      list[i] = cases[i].ray;

   struct client_set set = client_set_create(&client, 2, types);
   client_set_accel(&client, &set, 0, &accels[2]);
   client_set_buffer(&client, &set, 1, types[1], &buffer);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   const VkShaderModule module = client_shader(&client, hostile_comp, sizeof(hostile_comp));
   const VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, NULL);
   client_dispatch(&client, pipeline, layout, &set, 1);

   const uint32_t *results = (const uint32_t *)(list + NUM_RAYS);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      float t;
      memcpy(&t, &results[i * 2 + 1], 4);
      const bool is_right = cases[i].hit == ANY ? results[i * 2] < ANY : results[i * 2] == cases[i].hit && t == cases[i].t;
      if (!is_right)
         fprintf(stderr, "ray %u: type %u, t %g\n", i, results[i * 2], t);
      CHECK(is_right);
   }
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &buffer);
   for (uint32_t i = 0; i < 3; i++)
      client_accel_destroy(&client, &accels[i]);
   client_finish(&client);
}

TEST_MAIN
