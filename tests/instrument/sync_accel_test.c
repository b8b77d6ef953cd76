/* SPDX-License-Identifier: MIT
 * Missing barriers between builds of acceleration structures are reported, and nothing where they stand. */
#include "tests/client/rays.h"
#include "tests/test.h"

struct heard {
   uint32_t count;
   char message[2048];
};

/* A structure, and what its build gets. */
struct build {
   struct client_buffer memory, scratch;
   VkAccelerationStructureKHR handle;
   VkAccelerationStructureGeometryKHR geometry;
   VkAccelerationStructureBuildGeometryInfoKHR info;
};

static struct client client;
static struct heard heard;

static void listen(void *data, const char *id, const char *message)
{
   struct heard *into = data;
   if (strncmp(id, "SANITIZE-sync-", strlen("SANITIZE-sync-")) != 0)
      return;
   into->count++;
   snprintf(into->message, sizeof(into->message), "%s", message);
}

static struct client_buffer make_buffer(size_t bytes)
{
   return client_buffer_create(&client, bytes, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                  VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                                  VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
}

static void make_build(struct build *build, const VkAccelerationStructureGeometryKHR *geometry)
{
   const uint32_t count = 1;
   const bool is_top = geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR;
   VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   build->geometry = *geometry;
   build->info = (VkAccelerationStructureBuildGeometryInfoKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = is_top ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .geometryCount = 1, .pGeometries = &build->geometry};
   rays.GetAccelerationStructureBuildSizesKHR(client.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build->info, &count, &sizes);
   build->memory = make_buffer(sizes.accelerationStructureSize);
   build->scratch = make_buffer(sizes.buildScratchSize + 256);
   const VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                        .buffer = build->memory.buffer, .size = sizes.accelerationStructureSize, .type = build->info.type};
   client_check(rays.CreateAccelerationStructureKHR(client.device, &create, NULL, &build->handle), "vkCreateAccelerationStructureKHR");
   build->info.dstAccelerationStructure = build->handle;
   build->info.scratchData.deviceAddress = (client_address(&client, &build->scratch) + 255) & ~(VkDeviceAddress)255;
}

static void destroy_build(struct build *build)
{
   rays.DestroyAccelerationStructureKHR(client.device, build->handle, NULL);
   client_buffer_destroy(&client, &build->memory);
   client_buffer_destroy(&client, &build->scratch);
}

static void record(VkCommandBuffer cmd, const struct build *build)
{
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1}, *ranges = &range;
   rays.CmdBuildAccelerationStructuresKHR(cmd, 1, &build->info, &ranges);
}

static void barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkAccessFlags write, VkAccessFlags read)
{
   const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = write, .dstAccessMask = read};
   vk.CmdPipelineBarrier(cmd, from, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, 0, 1, &memory, 0, NULL, 0, NULL);
}

static void check(bool is_faulty, const char *class, const char *access)
{
   if (!is_faulty) {
      CHECK_EQ(heard.count, 0);
   } else {
      CHECK_EQ(heard.count, 1);
      CHECK(strstr(heard.message, class) != NULL);
      CHECK(strstr(heard.message, access) != NULL);
      CHECK(strstr(heard.message, "by build_accel") != NULL);
   }
   if (test_failures_in_case)
      printf("%s\n", heard.message);
}

enum { BUILD_STAGE = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, AS_WRITE = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
       AS_READ = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR };

enum fault { TOP_AFTER_BOTTOM, SAME_SCRATCH, CORNERS_OF_A_FILL };

static void run(enum fault fault, bool is_faulty)
{
   struct build bottom, other;
   memset(&heard, 0, sizeof(heard));
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = listen, .on_message_data = &heard});
   struct client_buffer corners = client_buffer_create(&client, 36, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                                       VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   struct client_buffer instances = make_buffer(sizeof(VkAccelerationStructureInstanceKHR));
   const VkAccelerationStructureGeometryKHR triangle = client_geometry_triangles(client_address(&client, &corners), 1, 0);
   make_build(&bottom, &triangle);
   const VkAccelerationStructureDeviceAddressInfoKHR which = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, bottom.handle};
   *(VkAccelerationStructureInstanceKHR *)instances.map = (VkAccelerationStructureInstanceKHR){
      .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
      .accelerationStructureReference = rays.GetAccelerationStructureDeviceAddressKHR(client.device, &which)};
   const VkAccelerationStructureGeometryKHR top = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                             .data.deviceAddress = client_address(&client, &instances)}};
   make_build(&other, fault == TOP_AFTER_BOTTOM ? &top : &triangle);
   if (fault == SAME_SCRATCH)
      other.info.scratchData = bottom.info.scratchData;
   VkCommandBuffer cmd = client_begin(&client);
   if (fault == CORNERS_OF_A_FILL) {
      vk.CmdFillBuffer(cmd, corners.buffer, 0, 36, 0);
      barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, is_faulty ? AS_READ : VK_ACCESS_SHADER_READ_BIT);
   }
   record(cmd, &bottom);
   if (!is_faulty || fault == CORNERS_OF_A_FILL)
      barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ | AS_WRITE);
   if (fault != CORNERS_OF_A_FILL)
      record(cmd, &other);
   client_run(&client, cmd);
   check(is_faulty, fault == SAME_SCRATCH ? "write after a write" : "read after a write",
         fault == TOP_AFTER_BOTTOM ? "ACCELERATION_STRUCTURE_READ" : fault == SAME_SCRATCH ? "ACCELERATION_STRUCTURE_WRITE" : "SHADER_STORAGE_READ");
   destroy_build(&other);
   destroy_build(&bottom);
   client_buffer_destroy(&client, &instances);
   client_buffer_destroy(&client, &corners);
   client_finish(&client);
}

TEST(top_level_after_bottom_level)
{
   run(TOP_AFTER_BOTTOM, true);
   run(TOP_AFTER_BOTTOM, false);
}

TEST(same_scratch)
{
   run(SAME_SCRATCH, true);
   run(SAME_SCRATCH, false);
}

TEST(corners_of_a_fill)
{
   run(CORNERS_OF_A_FILL, true);
   run(CORNERS_OF_A_FILL, false);
}

TEST_MAIN
