/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/calls_rays.h"
#include "tests/client/rays.h"
#include "util/macros.h"

#include "hostile.comp.h"
#include "tables_rcall.h"
#include "tables_rchit.h"
#include "tables_rgen.h"
#include "tables_rmiss.h"

#include <string.h>

enum {
   NUM_BOTTOMS = 3, MAX_PRIMITIVES = 128, UPDATED_PRIMITIVES = 40, NUM_INSTANCES = 24,
   STRUCTURE_BYTES = 1 << 17, SCRATCH_BYTES = 1 << 20, SERIAL_BYTES = 1 << 18,
};
enum bottom { UPDATED, BUILT, COPIED }; /* always of the same number of triangles; of anything; a copy of that */

#define FUNCTIONS(X)                                                                                                   \
   X(CmdCopyAccelerationStructureKHR) X(CmdCopyAccelerationStructureToMemoryKHR) X(CmdCopyMemoryToAccelerationStructureKHR) X(CmdTraceRaysIndirectKHR)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

static struct world *world;
static struct client_accel bottoms[NUM_BOTTOMS], top;
static struct client_buffer instances, scratch, serial;
static struct client_ray_table table;
static struct client_set set;
static VkPipelineLayout layout;
static VkPipeline query;

void *calls_rays_features(void *next)
{
   static VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR,
                                                                         .accelerationStructure = VK_TRUE};
   static VkPhysicalDeviceRayQueryFeaturesKHR queries = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, &structures, VK_TRUE};
   static VkPhysicalDeviceRayTracingPipelineFeaturesKHR pipelines = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR,
                                                                     .pNext = &queries,
                                                                     .rayTracingPipeline = VK_TRUE,
                                                                     .rayTracingPipelineTraceRaysIndirect = VK_TRUE};
   structures.pNext = next;
   return &pipelines;
}

/* ---- builds ---- */

/* What is built, and where from; 0 where nobody chooses. */
struct build {
   VkAccelerationStructureGeometryKHR geometry;
   VkAccelerationStructureBuildGeometryInfoKHR info;
   VkAccelerationStructureBuildRangeInfoKHR range;
};

static VkDeviceAddress any_address(struct input *in, uint32_t bytes)
{
   return client_address(&world->client, &world->buffers[input_pick(in, NUM_BUFFERS)]) + (VkDeviceAddress)input_pick(in, (BUFFER_BYTES - bytes) / 8 + 1) * 8;
}

static VkAccelerationStructureGeometryKHR any_boxes(struct input *in, uint32_t count)
{
   const uint32_t stride = 24 + input_pick(in, 2) * 8;
   return (VkAccelerationStructureGeometryKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR, .flags = input_pick(in, 4),
      .geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR, .data.deviceAddress = any_address(in, count * stride), .stride = stride}};
}

static VkAccelerationStructureGeometryKHR any_triangles(struct input *in, uint32_t count)
{
   const bool has_halves = input_pick(in, 3) == 0;
   VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(any_address(in, count * 36), UTIL_MAX(count, 1), input_pick(in, 4));
   VkAccelerationStructureGeometryTrianglesDataKHR *triangles = &geometry.geometry.triangles;
   if (has_halves) {
      triangles->vertexFormat = VK_FORMAT_R16G16B16A16_SFLOAT;
      triangles->vertexStride = 8;
   }
   if (input_pick(in, 4) == 0)
      triangles->vertexStride = 0;
   if (input_pick(in, 3) == 0)
      triangles->transformData.deviceAddress = any_address(in, 64) & ~(VkDeviceAddress)15;
   return geometry;
}

static struct build instances_build(void)
{
   return (struct build){
      .geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
                   .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                          .data.deviceAddress = client_address(&world->client, &instances)}},
      .info = {.type = VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, .dstAccelerationStructure = top.handle},
      .range.primitiveCount = NUM_INSTANCES};
}

static struct build bottom_build(enum bottom which, struct input *in)
{
   const uint32_t count = which == UPDATED ? UPDATED_PRIMITIVES : input_pick(in, MAX_PRIMITIVES + 1);
   struct build build = {.info = {.type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, .dstAccelerationStructure = bottoms[which].handle},
                         .range.primitiveCount = count};
   if (which == UPDATED) {
      build.geometry = client_geometry_triangles(any_address(in, count * 36), count, 0);
      build.info.flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR;
   } else {
      build.geometry = input_pick(in, 2) ? any_boxes(in, count) : any_triangles(in, count);
   }
   return build;
}

/* Where the structure or the scratch memory is too small nothing is built. */
static void build_structure(VkCommandBuffer cmd, struct build *build)
{
   VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   const VkAccelerationStructureBuildRangeInfoKHR *ranges = &build->range;
   build->info.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR;
   build->info.geometryCount = 1;
   build->info.pGeometries = &build->geometry;
   rays.GetAccelerationStructureBuildSizesKHR(world->client.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build->info, &build->range.primitiveCount,
                                              &sizes);
   if (sizes.accelerationStructureSize > STRUCTURE_BYTES || UTIL_MAX(sizes.buildScratchSize, sizes.updateScratchSize) > SCRATCH_BYTES - 256)
      client_die("a structure of random calls is larger than its memory");
   build->info.scratchData.deviceAddress = (client_address(&world->client, &scratch) + 255) & ~(VkDeviceAddress)255;
   client_barrier(cmd);
   rays.CmdBuildAccelerationStructuresKHR(cmd, 1, &build->info, &ranges);
   client_barrier(cmd);
}

void calls_build(struct commands *c, struct input *in)
{
   static const VkBuildAccelerationStructureFlagsKHR flags[] = {0, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_TRACE_BIT_KHR,
                                                                VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR,
                                                                VK_BUILD_ACCELERATION_STRUCTURE_LOW_MEMORY_BIT_KHR};
   const uint32_t which = input_pick(in, 3);
   struct build build = which == 2 ? instances_build() : bottom_build((enum bottom)which, in);
   if (which == UPDATED && input_pick(in, 2)) {
      build.info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
      build.info.srcAccelerationStructure = build.info.dstAccelerationStructure;
   } else if (which != UPDATED) {
      build.info.flags = flags[input_pick(in, UTIL_ARRAY_SIZE(flags))];
   }
   build_structure(c->handle, &build);
}

void calls_write_instances(struct commands *c, struct input *in)
{
   VkAccelerationStructureInstanceKHR *to = instances.map;
   const uint32_t first = input_pick(in, NUM_INSTANCES), count = 1 + input_pick(in, NUM_INSTANCES - first);
   world_wait(world);
   for (uint32_t i = first; i < first + count; i++) {
      const uint32_t which = input_pick(in, NUM_BOTTOMS + 1), number = (uint32_t)input_number(in);
      to[i] = (VkAccelerationStructureInstanceKHR){.transform.matrix = {{1, 0, 0, (float)input_byte(in)}, {0, 1, 0, 0}, {0, 0, 1, 0}},
                                                   .instanceCustomIndex = number & 0xffffff, .mask = input_byte(in),
                                                   .instanceShaderBindingTableRecordOffset = number >> 8, .flags = input_pick(in, 16),
                                                   .accelerationStructureReference = which < NUM_BOTTOMS ? bottoms[which].address : 0};
      const float scale = (float)(int32_t)input_byte(in) - 128.0f;
      memcpy(&to[i].transform.matrix[input_pick(in, 3)][input_pick(in, 4)], &scale, sizeof(scale));
   }
}

/* From one to another, or to memory and back. */
void calls_copy_structure(struct commands *c, struct input *in)
{
   const VkDeviceAddress address = client_address(&world->client, &serial);
   const VkCopyAccelerationStructureInfoKHR clone = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR, .src = bottoms[BUILT].handle,
                                                     .dst = bottoms[COPIED].handle};
   const VkCopyAccelerationStructureToMemoryInfoKHR to = {.sType = VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
                                                          .src = bottoms[BUILT].handle, .dst.deviceAddress = address,
                                                          .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
   const VkCopyMemoryToAccelerationStructureInfoKHR from = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
                                                            .src.deviceAddress = address, .dst = bottoms[COPIED].handle,
                                                            .mode = VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
   client_barrier(c->handle);
   switch (input_pick(in, 3)) {
   case 0: ext.CmdCopyAccelerationStructureKHR(c->handle, &clone); break;
   case 1: ext.CmdCopyAccelerationStructureToMemoryKHR(c->handle, &to); break;
   default: ext.CmdCopyMemoryToAccelerationStructureKHR(c->handle, &from); break;
   }
   client_barrier(c->handle);
}

/* ---- rays ---- */

void calls_query_rays(struct commands *c, struct input *in)
{
   client_barrier(c->handle);
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, query);
   vk.CmdBindDescriptorSets(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDispatch(c->handle, input_pick(in, 4), 1, 1);
   client_barrier(c->handle);
   world_bind(world, c, input_byte(in));
}

void calls_trace_rays(struct commands *c, struct input *in)
{
   VkStridedDeviceAddressRegionKHR chosen[CLIENT_NUM_RAY_GROUPS] = {table.regions[CLIENT_RGEN]};
   for (uint32_t i = CLIENT_RMISS; i < CLIENT_NUM_RAY_GROUPS; i++) {
      const uint32_t form = input_pick(in, 4);
      if (form)
         chosen[i] = table.regions[i];
      if (form == 1)
         chosen[i].stride = 0;
   }
   client_barrier(c->handle);
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, table.pipeline);
   vk.CmdBindDescriptorSets(c->handle, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, layout, 0, 1, &set.set, 0, NULL);
   if (input_pick(in, 3))
      rays.CmdTraceRaysKHR(c->handle, &chosen[CLIENT_RGEN], &chosen[CLIENT_RMISS], &chosen[CLIENT_RCHIT], &chosen[CLIENT_RCALL], input_pick(in, 70),
                           input_pick(in, 4), input_pick(in, 3));
   else
      ext.CmdTraceRaysIndirectKHR(c->handle, &chosen[CLIENT_RGEN], &chosen[CLIENT_RMISS], &chosen[CLIENT_RCHIT], &chosen[CLIENT_RCALL],
                                  client_address(&world->client, &world->few) + (VkDeviceAddress)input_pick(in, INDIRECT_BYTES / 4 - 2) * 4);
   client_barrier(c->handle);
}

/* ---- the objects ---- */

static struct client_accel make_structure(VkAccelerationStructureTypeKHR type)
{
   struct client_accel accel = {.memory = client_buffer_create(&world->client, STRUCTURE_BYTES,
                                                               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR)};
   const VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR, .buffer = accel.memory.buffer,
                                                        .size = STRUCTURE_BYTES, .type = type};
   client_check(rays.CreateAccelerationStructureKHR(world->client.device, &create, NULL, &accel.handle), "vkCreateAccelerationStructureKHR");
   const VkAccelerationStructureDeviceAddressInfoKHR info = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, accel.handle};
   accel.address = rays.GetAccelerationStructureDeviceAddressKHR(world->client.device, &info);
   return accel;
}

/* All of them are built once, of zeros. */
static void make_structures(void)
{
   struct input none = {0};
   for (uint32_t i = 0; i < NUM_BOTTOMS; i++)
      bottoms[i] = make_structure(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR);
   top = make_structure(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR);
   VkCommandBuffer cmd = client_begin(&world->client);
   for (uint32_t i = 0; i < NUM_BOTTOMS; i++) {
      struct build build = bottom_build((enum bottom)i, &none);
      build_structure(cmd, &build);
   }
   struct build build = instances_build();
   build_structure(cmd, &build);
   struct commands commands = {.handle = cmd};
   const uint8_t serializes = 1;
   struct input in = {&serializes, &serializes + 1};
   calls_copy_structure(&commands, &in);
   client_run(&world->client, cmd);
}

static void make_pipelines(void)
{
   static const struct client_ray_shader shaders[CLIENT_NUM_RAY_GROUPS] = {
      {tables_rgen, sizeof(tables_rgen)}, {tables_rmiss, sizeof(tables_rmiss)}, {tables_rchit, sizeof(tables_rchit)}, {tables_rcall, sizeof(tables_rcall)}};
   table = client_ray_table_create(&world->client, layout, shaders, CLIENT_NUM_RAY_GROUPS);
   const VkShaderModule module = client_shader(&world->client, hostile_comp, sizeof(hostile_comp));
   query = client_compute_pipeline(&world->client, module, layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(world->client.device, module, NULL);
}

void calls_rays_init(struct world *w)
{
   const VkBufferUsageFlags addressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
   const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   world = w;
#define X(name) rays.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   CLIENT_RAY_FUNCTIONS(X)
#undef X
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   instances = client_buffer_create(&w->client, NUM_INSTANCES * sizeof(VkAccelerationStructureInstanceKHR),
                                    addressed | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   scratch = client_buffer_create(&w->client, SCRATCH_BYTES, addressed | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   serial = client_buffer_create(&w->client, SERIAL_BYTES, addressed);
   make_structures();
   set = client_set_create(&w->client, UTIL_ARRAY_SIZE(types), types);
   client_set_accel(&w->client, &set, 0, &top);
   client_set_buffer(&w->client, &set, 1, types[1], &w->buffers[1]);
   layout = client_pipeline_layout(&w->client, &set, 0);
   make_pipelines();
}
