/* SPDX-License-Identifier: MIT
 * Missing barriers between builds of acceleration structures, copies of them, and what traces rays, are reported, and nothing where they stand. */
#include "tests/client/rays.h"
#include "tests/instrument/quiet.h"
#include "tests/test.h"

#include "sync_rays_comp.h"
#include "sync_rays_rgen.h"

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

static void barrier_to(VkCommandBuffer cmd, VkPipelineStageFlags from, VkAccessFlags write, VkPipelineStageFlags to, VkAccessFlags read)
{
   const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = write, .dstAccessMask = read};
   vk.CmdPipelineBarrier(cmd, from, to, 0, 1, &memory, 0, NULL, 0, NULL);
}

enum { BUILD_STAGE = VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, RAY_STAGE = VK_PIPELINE_STAGE_RAY_TRACING_SHADER_BIT_KHR,
       COMPUTE_STAGE = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, AS_WRITE = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
       AS_READ = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR };

static void barrier(VkCommandBuffer cmd, VkPipelineStageFlags from, VkAccessFlags write, VkAccessFlags read)
{
   barrier_to(cmd, from, write, BUILD_STAGE, read);
}

/* What the commands of a case use. */
static struct {
   struct build bottom, other, top; /* two of one triangle; of an instance of the first */
   struct client_buffer corners, instances, data, serialized;
   struct client_set set;
   VkPipelineLayout layout;
   VkPipeline query;
   struct client_ray_table table;
   PFN_vkCmdCopyAccelerationStructureKHR copy;
   PFN_vkCmdCopyAccelerationStructureToMemoryKHR serialize;
   PFN_vkCmdCopyMemoryToAccelerationStructureKHR deserialize;
} s;

static void make_shaders(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   static const struct client_ray_shader generation = {sync_rays_rgen, sizeof(sync_rays_rgen)};
   const struct client_accel top = {.handle = s.top.handle};
   s.data = make_buffer(1024);
   s.set = client_set_create(&client, 2, types);
   client_set_accel(&client, &s.set, 0, &top);
   client_set_buffer(&client, &s.set, 1, types[1], &s.data);
   s.layout = client_pipeline_layout(&client, &s.set, 0);
   const VkShaderModule module = client_shader(&client, sync_rays_comp, sizeof(sync_rays_comp));
   s.query = client_compute_pipeline(&client, module, s.layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   s.table = client_ray_table_create(&client, s.layout, &generation, 1);
}

static void init(void)
{
   memset(&heard, 0, sizeof(heard));
   client_rays_init_with(&client, &(struct client_ray_options){.on_message = listen, .on_message_data = &heard});
   s.copy = (PFN_vkCmdCopyAccelerationStructureKHR)vk.GetDeviceProcAddr(client.device, "vkCmdCopyAccelerationStructureKHR");
   s.serialize = (PFN_vkCmdCopyAccelerationStructureToMemoryKHR)vk.GetDeviceProcAddr(client.device, "vkCmdCopyAccelerationStructureToMemoryKHR");
   s.deserialize = (PFN_vkCmdCopyMemoryToAccelerationStructureKHR)vk.GetDeviceProcAddr(client.device, "vkCmdCopyMemoryToAccelerationStructureKHR");
   s.corners = client_buffer_create(&client, 36, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   s.instances = make_buffer(sizeof(VkAccelerationStructureInstanceKHR));
   s.serialized = make_buffer(1 << 16);
   const VkAccelerationStructureGeometryKHR triangle = client_geometry_triangles(client_address(&client, &s.corners), 1, 0);
   make_build(&s.bottom, &triangle);
   make_build(&s.other, &triangle);
   const VkAccelerationStructureDeviceAddressInfoKHR which = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, s.bottom.handle};
   *(VkAccelerationStructureInstanceKHR *)s.instances.map = (VkAccelerationStructureInstanceKHR){
      .transform.matrix = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, .mask = 0xff,
      .accelerationStructureReference = rays.GetAccelerationStructureDeviceAddressKHR(client.device, &which)};
   const VkAccelerationStructureGeometryKHR top = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                             .data.deviceAddress = client_address(&client, &s.instances)}};
   make_build(&s.top, &top);
   make_shaders();
}

static void finish(void)
{
   client_ray_table_destroy(&client, &s.table);
   vk.DestroyPipeline(client.device, s.query, NULL);
   vk.DestroyPipelineLayout(client.device, s.layout, NULL);
   client_set_destroy(&client, &s.set);
   destroy_build(&s.top);
   destroy_build(&s.other);
   destroy_build(&s.bottom);
   client_buffer_destroy(&client, &s.data);
   client_buffer_destroy(&client, &s.serialized);
   client_buffer_destroy(&client, &s.instances);
   client_buffer_destroy(&client, &s.corners);
   client_finish(&client);
}

/* ---- what is recorded ---- */

static void build_all(VkCommandBuffer cmd)
{
   record(cmd, &s.bottom);
   barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ | AS_WRITE);
   record(cmd, &s.top);
}

static void query(VkCommandBuffer cmd)
{
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.query);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s.layout, 0, 1, &s.set.set, 0, NULL);
   vk.CmdDispatch(cmd, 1, 1, 1);
}

static void trace(VkCommandBuffer cmd)
{
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s.table.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, s.layout, 0, 1, &s.set.set, 0, NULL);
   rays.CmdTraceRaysKHR(cmd, &s.table.regions[0], &s.table.regions[1], &s.table.regions[2], &s.table.regions[3], 1, 1, 1);
}

static void copy(VkCommandBuffer cmd, const struct build *from, const struct build *to)
{
   const VkCopyAccelerationStructureInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR, .src = from->handle,
                                                    .dst = to->handle, .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
   s.copy(cmd, &info);
}

static void top_level_after_bottom_level(VkCommandBuffer cmd, bool is_faulty)
{
   record(cmd, &s.bottom);
   if (!is_faulty)
      barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ | AS_WRITE);
   record(cmd, &s.top);
}

static void same_scratch(VkCommandBuffer cmd, bool is_faulty)
{
   const VkDeviceOrHostAddressKHR own = s.other.info.scratchData;
   record(cmd, &s.bottom);
   if (!is_faulty)
      barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ | AS_WRITE);
   s.other.info.scratchData = s.bottom.info.scratchData;
   record(cmd, &s.other);
   s.other.info.scratchData = own;
}

static void corners_of_a_fill(VkCommandBuffer cmd, bool is_faulty)
{
   vk.CmdFillBuffer(cmd, s.corners.buffer, 0, 36, 0);
   barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, is_faulty ? AS_READ : VK_ACCESS_SHADER_READ_BIT);
   record(cmd, &s.bottom);
}

static void query_after_build(VkCommandBuffer cmd, bool is_faulty)
{
   build_all(cmd);
   barrier_to(cmd, BUILD_STAGE, AS_WRITE, COMPUTE_STAGE, is_faulty ? VK_ACCESS_SHADER_READ_BIT : AS_READ);
   query(cmd);
}

static void trace_after_build(VkCommandBuffer cmd, bool is_faulty)
{
   build_all(cmd);
   barrier_to(cmd, BUILD_STAGE, AS_WRITE, is_faulty ? COMPUTE_STAGE : RAY_STAGE, AS_READ);
   trace(cmd);
}

/* The top level is as it was; what it refers to is not. */
static void trace_after_update_below(VkCommandBuffer cmd, bool is_faulty)
{
   build_all(cmd);
   barrier_to(cmd, BUILD_STAGE, AS_WRITE, BUILD_STAGE | RAY_STAGE, AS_READ | AS_WRITE);
   record(cmd, &s.bottom);
   if (!is_faulty)
      barrier_to(cmd, BUILD_STAGE, AS_WRITE, RAY_STAGE, AS_READ);
   trace(cmd);
}

static void build_after_trace(VkCommandBuffer cmd, bool is_faulty)
{
   build_all(cmd);
   barrier_to(cmd, BUILD_STAGE, AS_WRITE, BUILD_STAGE | RAY_STAGE, AS_READ | AS_WRITE);
   trace(cmd);
   if (!is_faulty)
      barrier_to(cmd, RAY_STAGE, 0, BUILD_STAGE, 0);
   record(cmd, &s.top);
}

static void copy_after_build(VkCommandBuffer cmd, bool is_faulty)
{
   record(cmd, &s.bottom);
   if (!is_faulty)
      barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ | AS_WRITE);
   copy(cmd, &s.bottom, &s.other);
}

static void serialized_after_build(VkCommandBuffer cmd, bool is_faulty)
{
   const VkCopyAccelerationStructureToMemoryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR, .src = s.bottom.handle,
      .dst.deviceAddress = (client_address(&client, &s.serialized) + 255) & ~(VkDeviceAddress)255,
      .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
   record(cmd, &s.bottom);
   if (!is_faulty)
      barrier(cmd, BUILD_STAGE, AS_WRITE, AS_READ);
   s.serialize(cmd, &info);
}

/* A fill of the memory that a structure was serialized to, which a copy reads. */
static void deserialized_after_fill(VkCommandBuffer cmd, bool is_faulty)
{
   const VkCopyMemoryToAccelerationStructureInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR, .dst = s.other.handle,
      .src.deviceAddress = (client_address(&client, &s.serialized) + 255) & ~(VkDeviceAddress)255,
      .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
   serialized_after_build(cmd, false);
   if (!is_faulty)
      barrier(cmd, BUILD_STAGE, VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_TRANSFER_READ_BIT | AS_WRITE);
   s.deserialize(cmd, &info);
}

static const struct twin {
   const char *name, *class, *by, *after, *access;
   void (*record)(VkCommandBuffer cmd, bool is_faulty);
} twins[] = {
   {"top_level_after_bottom_level", "read after a write", "by build_accel", "after build_accel", "ACCELERATION_STRUCTURE_READ", top_level_after_bottom_level},
   {"same_scratch", "write after a write", "by build_accel", "after build_accel", "ACCELERATION_STRUCTURE_WRITE", same_scratch},
   {"corners_of_a_fill", "read after a write", "by build_accel", "after fill_buffer", "SHADER_STORAGE_READ", corners_of_a_fill},
   {"query_after_build", "visible to the read; in scene (set 0, binding 0)", "sync_rays.glsl:101", "after build_accel",
    "ACCELERATION_STRUCTURE_READ at stage COMPUTE_SHADER", query_after_build},
   {"trace_after_build", "nothing orders them; in scene (set 0, binding 0)", "sync_rays.glsl:102", "after build_accel",
    "ACCELERATION_STRUCTURE_READ at stage RAY_TRACING_SHADER", trace_after_build},
   {"trace_after_update_below", "read after a write", "by trace_rays", "after build_accel", "ACCELERATION_STRUCTURE_READ at stage RAY_TRACING_SHADER",
    trace_after_update_below},
   {"build_after_trace", "write after a read", "by build_accel", "after trace_rays", "ACCELERATION_STRUCTURE_WRITE", build_after_trace},
   {"copy_after_build", "read after a write", "by copy_accel", "after build_accel", "ACCELERATION_STRUCTURE_READ", copy_after_build},
   {"serialized_after_build", "read after a write", "by copy_accel", "after build_accel", "ACCELERATION_STRUCTURE_READ", serialized_after_build},
   {"deserialized_after_fill", "read after a write", "by copy_accel", "after copy_accel", "TRANSFER_READ", deserialized_after_fill},
};

static void complain(const struct twin *twin, const char *what)
{
   printf("%s: %s; %u reported, the last one:\n   %s\n", twin->name, what, heard.count, heard.message);
   test_fail(__FILE__, __LINE__, twin->name);
}

static void run(const struct twin *twin, bool is_faulty)
{
   init();
   VkCommandBuffer cmd = client_begin(&client);
   twin->record(cmd, is_faulty);
   client_run(&client, cmd);
   finish();
}

TEST(corpus)
{
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      const struct twin *twin = &twins[i];
      run(twin, true);
      const char *const says[] = {twin->class, twin->by, twin->after, twin->access};
      if (heard.count != 1)
         complain(twin, "another number of findings");
      for (uint32_t k = 0; k < 4; k++) {
         if (!strstr(heard.message, says[k]))
            complain(twin, says[k]);
      }
      quiet_begin();
      run(twin, false);
      if (*quiet_end() || heard.count)
         complain(twin, "the repaired twin is reported, or prints something");
   }
}

TEST_MAIN
