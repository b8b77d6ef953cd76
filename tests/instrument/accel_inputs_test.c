/* SPDX-License-Identifier: MIT
 * What builds of acceleration structures and launches of rays read, and nobody wrote: corners, indices, boxes, instances, matrices, shader records. Each
 * faulty program is reported with its command, its repaired twin, in which only what nobody reads is unwritten, not at all. */
#include "tests/client/rays.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

#include "accel_inputs_rgen.h"
#include "accel_inputs_rmiss.h"

#include <stdio.h>
#include <string.h>

enum { NUM_WORDS = 64, TRANSFORM = 32 /* first word */ };

static struct heard {
   uint32_t count;
   char id[64], message[3072];
} heard;

static struct client client;
static struct client_buffer words; /* new for each run */

static void listen(void *data, const char *id, const char *message)
{
   if (strncmp(id, "SANITIZE-", strlen("SANITIZE-")) != 0)
      return;
   heard.count++;
   snprintf(heard.id, sizeof(heard.id), "%s", id);
   snprintf(heard.message, sizeof(heard.message), "%s", message);
}

static void write(uint32_t first, uint32_t count, const void *data)
{
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdUpdateBuffer(cmd, words.buffer, first * 4, count * 4, data);
   client_barrier(cmd);
   client_run(&client, cmd);
}

static void build(const VkAccelerationStructureGeometryKHR *geometry, uint32_t count)
{
   struct client_accel accel = client_accel_build(&client, geometry, count);
   client_accel_destroy(&client, &accel);
}

static const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};

/* The last coordinate of the last corner. */
static void triangle(bool is_faulty)
{
   const VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(&client, &words), 1, 0);
   write(0, is_faulty ? 8 : 9, corners);
   build(&geometry, 1);
}

/* Corners of four words, of which three are read; indices name 0, 1 and 3. */
static void named_corners(bool is_faulty)
{
   static const uint32_t indices[3] = {0, 1, 3};
   VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(&client, &words), 1, 0);
   geometry.geometry.triangles.vertexStride = 16;
   geometry.geometry.triangles.maxVertex = 9;
   geometry.geometry.triangles.indexType = VK_INDEX_TYPE_UINT32;
   geometry.geometry.triangles.indexData.deviceAddress = client_address(&client, &words) + 48 * 4;
   write(48, 3, indices);
   write(0, 3, corners);
   write(4, 3, corners + 3);
   write(is_faulty ? 8 : 12, 3, corners + 6);
   build(&geometry, 1);
}

static void last_index(bool is_faulty)
{
   static const uint32_t indices[3] = {0, 1, 2};
   VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(&client, &words), 1, 0);
   geometry.geometry.triangles.indexType = VK_INDEX_TYPE_UINT32;
   geometry.geometry.triangles.indexData.deviceAddress = client_address(&client, &words) + 48 * 4;
   write(48, is_faulty ? 2 : 3, indices);
   write(0, 9, corners);
   build(&geometry, 1);
}

static void transform(bool is_faulty)
{
   static const VkTransformMatrixKHR matrix = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
   VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(&client, &words), 1, 0);
   geometry.geometry.triangles.transformData.deviceAddress = client_address(&client, &words) + TRANSFORM * 4;
   write(0, 9, corners);
   write(TRANSFORM, is_faulty ? 11 : 12, &matrix);
   build(&geometry, 1);
}

/* Two boxes, with a gap of two words. */
static void boxes(bool is_faulty)
{
   static const float box[6] = {0, 0, 0, 1, 1, 1};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                         .data.deviceAddress = client_address(&client, &words), .stride = 32}};
   write(0, 6, box);
   write(8, is_faulty ? 5 : 6, box);
   build(&geometry, 2);
}

/* Two instances, of which the second one is inactive: its reference alone is read. */
static void instances(bool is_faulty)
{
   const struct client_accel bottom = client_accel_triangles(&client, corners, 1, 0);
   const VkAccelerationStructureInstanceKHR instance = {
      .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff, .accelerationStructureReference = bottom.address};
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                             .data.deviceAddress = client_address(&client, &words)}};
   const uint64_t none = 0;
   write(0, 12, &instance); /* the matrix */
   if (!is_faulty)
      write(12, 2, (const uint32_t *)(const void *)&instance + 12);
   write(14, 2, &instance.accelerationStructureReference);
   write(16 + 14, 2, &none);
   build(&geometry, 2);
   struct client_accel gone = bottom;
   client_accel_destroy(&client, &gone);
}

/* Records of a table in memory that nobody wrote, but for those that are copied there. */
static void trace(uint32_t num_copied)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   static const struct client_ray_shader shaders[] = {{accel_inputs_rgen, sizeof(accel_inputs_rgen)}, {accel_inputs_rmiss, sizeof(accel_inputs_rmiss)}};
   struct client_accel bottom = client_accel_triangles(&client, corners, 1, 0);
   const VkAccelerationStructureInstanceKHR instance = {
      .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff, .accelerationStructureReference = bottom.address};
   struct client_accel top = client_accel_instances(&client, &instance, 1);
   struct client_buffer data = client_buffer_create(&client, 1024, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(&client, 2, types);
   client_set_accel(&client, &set, 0, &top);
   client_set_buffer(&client, &set, 1, types[1], &data);
   const VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   struct client_ray_table table = client_ray_table_create(&client, layout, shaders, 2);
   for (uint32_t i = 0; i < num_copied; i++)
      write(i * CLIENT_RECORD_BYTES / 4, CLIENT_HANDLE_BYTES / 4, (const char *)table.records.map + i * CLIENT_RECORD_BYTES);
   for (uint32_t i = 0; i < 2; i++)
      table.regions[i].deviceAddress = client_address(&client, &words) + i * CLIENT_RECORD_BYTES;
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, table.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &table.regions[0], &table.regions[1], &table.regions[2], &table.regions[3], 100, 1, 1);
   client_barrier(cmd);
   client_run(&client, cmd);
   client_ray_table_destroy(&client, &table);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &data);
   client_accel_destroy(&client, &top);
   client_accel_destroy(&client, &bottom);
}

static void record_of_a_generation_shader(bool is_faulty)
{
   trace(is_faulty ? 0 : 2);
}

static void record_of_a_miss_shader(bool is_faulty)
{
   trace(is_faulty ? 1 : 2);
}

static const struct twin {
   const char *name, *says[3];
   void (*run)(bool is_faulty);
} twins[] = {
   {"triangle", {"a command reads geometry that nobody wrote", "\"unwritten\" + 32 bytes", "by build_accel"}, triangle},
   {"named_corners", {"a command reads geometry that nobody wrote", "\"unwritten\" + 48 bytes", "by build_accel"}, named_corners},
   {"last_index", {"a command reads geometry that nobody wrote", "\"unwritten\" + 200 bytes", "by build_accel"}, last_index},
   {"transform", {"a command reads geometry that nobody wrote", "\"unwritten\" + 172 bytes", "by build_accel"}, transform},
   {"boxes", {"a command reads geometry that nobody wrote", "\"unwritten\" + 52 bytes", "by build_accel"}, boxes},
   {"instances", {"a command reads geometry that nobody wrote", "\"unwritten\" + 48 bytes", "by build_accel"}, instances},
   {"record_of_a_generation_shader", {"a command reads shader records that nobody wrote", "\"unwritten\" + 0 bytes", "by trace_rays"},
    record_of_a_generation_shader},
   {"record_of_a_miss_shader", {"a command reads shader records that nobody wrote", "\"unwritten\" + 64 bytes", "by trace_rays"}, record_of_a_miss_shader},
};

static void complain(const struct twin *twin, const char *what)
{
   printf("%s: %s; %u reported, the last one:\n   %s\n", twin->name, what, heard.count, heard.count ? heard.message : "");
   test_fail(__FILE__, __LINE__, twin->name);
}

/* A device reports each location once. */
static void run(const struct twin *twin, bool is_faulty)
{
   memset(&heard, 0, sizeof(heard));
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = listen});
   words = client_buffer_create_unwritten(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                                                     VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                                                     VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR);
   client_name(&client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)words.buffer, "unwritten");
   twin->run(is_faulty);
   client_buffer_destroy(&client, &words);
   client_finish(&client);
}

TEST(corpus)
{
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      const struct twin *twin = &twins[i];
      run(twin, true);
      if (heard.count != 1 || strcmp(heard.id, "SANITIZE-uninit-command") != 0)
         complain(twin, "another report, or another number of them");
      for (uint32_t k = 0; k < 3 && heard.count == 1; k++) {
         if (!strstr(heard.message, twin->says[k]))
            complain(twin, twin->says[k]);
      }
      quiet_begin();
      run(twin, false);
      if (*quiet_end() || heard.count)
         complain(twin, "the repaired twin is reported, or prints something");
   }
}

TEST_MAIN
