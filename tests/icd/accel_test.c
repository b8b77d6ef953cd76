/* SPDX-License-Identifier: MIT
 * Acceleration structures through the API: built by the device, indirectly, by the host and by several threads that
 * join, all the same; copies, serialized forms, sizes, queries. */
#include "icd/accel/acceleration_structure.h"
#include "runtime/accel/tree.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"

#include <pthread.h>

enum { NUM_TRIANGLES = 5000, SCRATCH_BYTES = 1 << 20, STRUCTURE_BYTES = 1 << 20, INPUT_BYTES = NUM_TRIANGLES * 36 };

struct scene {
   struct fixture f;
   struct fixture_buffer input, scratch, memory, instances; /* structures stand in `memory`, STRUCTURE_BYTES each */
   uint32_t num_structures;
};

static void scene_init(struct scene *scene)
{
   uint32_t seed = 1;
   fixture_init(&scene->f, NULL);
   scene->input = fixture_buffer(&scene->f, INPUT_BYTES);
   scene->scratch = fixture_buffer(&scene->f, SCRATCH_BYTES);
   scene->memory = fixture_buffer(&scene->f, STRUCTURE_BYTES * 8);
   scene->instances = fixture_buffer(&scene->f, 4096);
   scene->num_structures = 0;
   float *positions = scene->input.data;
   for (uint32_t i = 0; i < NUM_TRIANGLES * 9; i++) {
      seed = seed * 1664525u + 1013904223u;
      positions[i] = (float)(seed >> 8) * 0x1p-24f * 0.1f + (float)(i / 9 % 100);
   }
}

static void scene_finish(struct scene *scene)
{
   fixture_buffer_destroy(&scene->f, &scene->input);
   fixture_buffer_destroy(&scene->f, &scene->scratch);
   fixture_buffer_destroy(&scene->f, &scene->memory);
   fixture_buffer_destroy(&scene->f, &scene->instances);
   fixture_finish(&scene->f, NULL);
}

static VkAccelerationStructureKHR make_structure(struct scene *scene, VkDeviceSize size)
{
   VkAccelerationStructureKHR structure;
   const VkAccelerationStructureCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
      .buffer = scene->memory.buffer,
      .offset = (VkDeviceSize)STRUCTURE_BYTES * scene->num_structures++,
      .size = size,
      .type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR,
   };
   fixture_require(icd_CreateAccelerationStructureKHR(scene->f.device, &info, NULL, &structure),
                   "vkCreateAccelerationStructureKHR");
   return structure;
}

static VkDeviceAddress address_of(struct scene *scene, VkAccelerationStructureKHR structure)
{
   const VkAccelerationStructureDeviceAddressInfoKHR info = {
      VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, structure};
   return icd_GetAccelerationStructureDeviceAddressKHR(scene->f.device, &info);
}

static VkAccelerationStructureGeometryKHR triangles(const struct scene *scene)
{
   return (VkAccelerationStructureGeometryKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
      .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
      .geometry.triangles =
         {
            .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
            .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
            .vertexData.hostAddress = scene->input.data,
            .vertexStride = 12,
            .maxVertex = NUM_TRIANGLES * 3 - 1,
            .indexType = VK_INDEX_TYPE_NONE_KHR,
         },
      .flags = VK_GEOMETRY_OPAQUE_BIT_KHR,
   };
}

static VkAccelerationStructureGeometryKHR instances(const struct scene *scene)
{
   return (VkAccelerationStructureGeometryKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
      .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                             .data.hostAddress = scene->instances.data},
   };
}

static VkAccelerationStructureBuildGeometryInfoKHR
build_info(const struct scene *scene, const VkAccelerationStructureGeometryKHR *geometry, VkAccelerationStructureKHR to)
{
   return (VkAccelerationStructureBuildGeometryInfoKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR
                 ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR
                 : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
      .dstAccelerationStructure = to,
      .geometryCount = 1,
      .pGeometries = geometry,
      .scratchData.hostAddress = scene->scratch.data,
   };
}

static void build_by_device(struct scene *scene, const VkAccelerationStructureBuildGeometryInfoKHR *info,
                            uint32_t count)
{
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count}, *ranges = &range;
   fixture_begin(scene->f.commands);
   icd_CmdBuildAccelerationStructuresKHR(scene->f.commands, 1, info, &ranges);
   fixture_run(&scene->f);
}

static uint64_t property(struct scene *scene, VkAccelerationStructureKHR structure, VkQueryType type)
{
   uint64_t value = 0;
   CHECK_EQ(icd_WriteAccelerationStructuresPropertiesKHR(scene->f.device, 1, &structure, type, sizeof(value), &value,
                                                         sizeof(value)),
            VK_SUCCESS);
   return value;
}

static bool is_same(struct scene *scene, VkAccelerationStructureKHR a, VkAccelerationStructureKHR b)
{
   const uint64_t size = property(scene, a, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR);
   return size > 1000 && size == property(scene, b, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR) &&
          memcmp((void *)(uintptr_t)address_of(scene, a), (void *)(uintptr_t)address_of(scene, b), size) == 0;
}

static void *join(void *data)
{
   struct scene *scene = ((void **)data)[0];
   CHECK_EQ(icd_DeferredOperationJoinKHR(scene->f.device, (VkDeferredOperationKHR)((void **)data)[1]), VK_SUCCESS);
   return NULL;
}

static void build_by_joining(struct scene *scene, const VkAccelerationStructureBuildGeometryInfoKHR *info)
{
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = NUM_TRIANGLES}, *ranges = &range;
   VkDeferredOperationKHR operation;
   pthread_t threads[3];
   CHECK_EQ(icd_CreateDeferredOperationKHR(scene->f.device, NULL, &operation), VK_SUCCESS);
   CHECK_EQ(icd_GetDeferredOperationResultKHR(scene->f.device, operation), VK_SUCCESS);
   CHECK_EQ(icd_BuildAccelerationStructuresKHR(scene->f.device, operation, 1, info, &ranges),
            VK_OPERATION_DEFERRED_KHR);
   CHECK_EQ(icd_GetDeferredOperationResultKHR(scene->f.device, operation), VK_NOT_READY);
   CHECK(icd_GetDeferredOperationMaxConcurrencyKHR(scene->f.device, operation) > 0);
   void *data[2] = {scene, (void *)operation};
   for (uint32_t i = 0; i < 3; i++)
      pthread_create(&threads[i], NULL, join, data);
   for (uint32_t i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
   CHECK_EQ(icd_GetDeferredOperationResultKHR(scene->f.device, operation), VK_SUCCESS);
   CHECK_EQ(icd_GetDeferredOperationMaxConcurrencyKHR(scene->f.device, operation), 0);
   icd_DestroyDeferredOperationKHR(scene->f.device, operation, NULL);
}

/* By the device, indirectly with a larger maximum, by the host, by threads that join. */
TEST(builds)
{
   struct scene scene;
   scene_init(&scene);
   const VkAccelerationStructureGeometryKHR geometry = triangles(&scene);
   VkAccelerationStructureKHR structures[4];
   VkAccelerationStructureBuildSizesInfoKHR sizes = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   VkAccelerationStructureBuildGeometryInfoKHR info = build_info(&scene, &geometry, VK_NULL_HANDLE);
   const uint32_t count = NUM_TRIANGLES;
   icd_GetAccelerationStructureBuildSizesKHR(scene.f.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_HOST_OR_DEVICE_KHR,
                                             &info, &count, &sizes);
   CHECK(sizes.accelerationStructureSize <= STRUCTURE_BYTES && sizes.buildScratchSize <= SCRATCH_BYTES &&
         sizes.updateScratchSize > 0);
   for (uint32_t i = 0; i < 4; i++)
      structures[i] = make_structure(&scene, sizes.accelerationStructureSize);

   info.dstAccelerationStructure = structures[0];
   build_by_device(&scene, &info, NUM_TRIANGLES);
   info.dstAccelerationStructure = structures[1];
   VkAccelerationStructureBuildRangeInfoKHR *range = scene.instances.data;
   *range = (VkAccelerationStructureBuildRangeInfoKHR){.primitiveCount = NUM_TRIANGLES + 7};
   const VkDeviceAddress indirect = (uintptr_t)range;
   const uint32_t stride = sizeof(*range), *counts = &count;
   fixture_begin(scene.f.commands);
   icd_CmdBuildAccelerationStructuresIndirectKHR(scene.f.commands, 1, &info, &indirect, &stride, &counts);
   fixture_run(&scene.f);
   info.dstAccelerationStructure = structures[2];
   const VkAccelerationStructureBuildRangeInfoKHR host_range = {.primitiveCount = NUM_TRIANGLES}, *ranges = &host_range;
   CHECK_EQ(icd_BuildAccelerationStructuresKHR(scene.f.device, VK_NULL_HANDLE, 1, &info, &ranges), VK_SUCCESS);
   info.dstAccelerationStructure = structures[3];
   build_by_joining(&scene, &info);
   for (uint32_t i = 1; i < 4; i++)
      CHECK(is_same(&scene, structures[0], structures[i]));
   for (uint32_t i = 0; i < 4; i++)
      icd_DestroyAccelerationStructureKHR(scene.f.device, structures[i], NULL);
   scene_finish(&scene);
}

static void build_both(struct scene *scene, VkAccelerationStructureKHR bottom, VkAccelerationStructureKHR top)
{
   const VkAccelerationStructureGeometryKHR geometry = triangles(scene), top_geometry = instances(scene);
   VkAccelerationStructureBuildGeometryInfoKHR info = build_info(scene, &geometry, bottom);
   build_by_device(scene, &info, NUM_TRIANGLES);
   VkAccelerationStructureInstanceKHR *instance = scene->instances.data;
   for (uint32_t i = 0; i < 5; i++) {
      instance[i] = (VkAccelerationStructureInstanceKHR){
         .mask = 0xff, .accelerationStructureReference = i == 2 ? 0 : address_of(scene, bottom)};
      instance[i].transform.matrix[0][0] = instance[i].transform.matrix[1][1] = instance[i].transform.matrix[2][2] =
         (float)(i + 1);
   }
   info = build_info(scene, &top_geometry, top);
   build_by_device(scene, &info, 5);
}

TEST(copies_and_serialized_forms)
{
   struct scene scene;
   scene_init(&scene);
   const VkAccelerationStructureKHR bottom = make_structure(&scene, STRUCTURE_BYTES),
                                    top = make_structure(&scene, STRUCTURE_BYTES);
   build_both(&scene, bottom, top);
   const VkAccelerationStructureKHR from[2] = {bottom, top};
   for (uint32_t i = 0; i < 2; i++) {
      const uint64_t size = property(&scene, from[i], VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR);
      const uint64_t bytes = property(&scene, from[i], VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_SIZE_KHR);
      const uint64_t pointers =
         property(&scene, from[i], VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SERIALIZATION_BOTTOM_LEVEL_POINTERS_KHR);
      CHECK_EQ(pointers, i ? 5 : 0);
      CHECK(bytes > size && bytes < size + 256);
      const VkAccelerationStructureKHR compact = make_structure(&scene, size), again = make_structure(&scene, size);
      struct fixture_buffer serial = fixture_buffer(&scene.f, bytes);
      const VkCopyAccelerationStructureInfoKHR copy = {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR, NULL,
                                                       from[i], compact,
                                                       VK_COPY_ACCELERATION_STRUCTURE_MODE_COMPACT_KHR};
      const VkCopyAccelerationStructureToMemoryInfoKHR out = {
         VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
         NULL,
         compact,
         {.hostAddress = serial.data},
         VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
      const VkCopyMemoryToAccelerationStructureInfoKHR in = {
         VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
         NULL,
         {.hostAddress = serial.data},
         again,
         VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
      fixture_begin(scene.f.commands);
      icd_CmdCopyAccelerationStructureKHR(scene.f.commands, &copy);
      icd_CmdCopyAccelerationStructureToMemoryKHR(scene.f.commands, &out);
      icd_CmdCopyMemoryToAccelerationStructureKHR(scene.f.commands, &in);
      fixture_run(&scene.f);
      CHECK(is_same(&scene, from[i], compact) && is_same(&scene, from[i], again));
      uint64_t *header = serial.data;
      CHECK(header[4] == bytes && header[5] == size && header[6] == pointers);
      CHECK(!i || (header[7] == address_of(&scene, bottom) && header[9] == 0));

      VkAccelerationStructureCompatibilityKHR compatibility;
      const VkAccelerationStructureVersionInfoKHR version = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR,
                                                             NULL, serial.data};
      icd_GetDeviceAccelerationStructureCompatibilityKHR(scene.f.device, &version, &compatibility);
      CHECK_EQ(compatibility, VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR);
      /* Whatever is wrong, there is an error and nothing to hit. */
      for (uint32_t word = 0; word < 10; word++) {
         if (word >= 7 && word < 9)
            continue;
         uint64_t *at = word < 7 ? &header[word] : (uint64_t *)((char *)serial.data + bytes - size);
         const uint64_t kept = *at;
         *at ^= word == 6 ? 1 : 0x1000;
         CHECK_EQ(icd_CopyMemoryToAccelerationStructureKHR(scene.f.device, VK_NULL_HANDLE, &in), VK_ERROR_UNKNOWN);
         CHECK_EQ(property(&scene, again, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_SIZE_KHR), 0);
         *at = kept;
      }
      CHECK_EQ(icd_CopyMemoryToAccelerationStructureKHR(scene.f.device, VK_NULL_HANDLE, &in), VK_SUCCESS);
      CHECK(is_same(&scene, from[i], again));
      icd_DestroyAccelerationStructureKHR(scene.f.device, compact, NULL);
      icd_DestroyAccelerationStructureKHR(scene.f.device, again, NULL);
      fixture_buffer_destroy(&scene.f, &serial);
   }
   icd_DestroyAccelerationStructureKHR(scene.f.device, bottom, NULL);
   icd_DestroyAccelerationStructureKHR(scene.f.device, top, NULL);
   scene_finish(&scene);
}

TEST(queries_and_updates)
{
   struct scene scene;
   scene_init(&scene);
   VkQueryPool pool;
   const VkAccelerationStructureKHR structures[2] = {make_structure(&scene, STRUCTURE_BYTES),
                                                     make_structure(&scene, STRUCTURE_BYTES)};
   build_both(&scene, structures[0], structures[1]);
   const VkQueryPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                            .queryType = VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR,
                                            .queryCount = 3};
   fixture_require(icd_CreateQueryPool(scene.f.device, &pool_info, NULL, &pool), "vkCreateQueryPool");
   fixture_begin(scene.f.commands);
   icd_CmdResetQueryPool(scene.f.commands, pool, 0, 3);
   icd_CmdWriteAccelerationStructuresPropertiesKHR(scene.f.commands, 2, structures, pool_info.queryType, pool, 1);
   fixture_run(&scene.f);
   uint64_t values[2];
   CHECK_EQ(icd_GetQueryPoolResults(scene.f.device, pool, 1, 2, sizeof(values), values, 8, VK_QUERY_RESULT_64_BIT),
            VK_SUCCESS);
   CHECK(values[0] == property(&scene, structures[0], pool_info.queryType) &&
         values[1] == property(&scene, structures[1], pool_info.queryType));
   CHECK(values[0] > values[1] && values[1] > 0);
   icd_DestroyQueryPool(scene.f.device, pool, NULL);

   float *positions = scene.input.data;
   for (uint32_t i = 0; i < NUM_TRIANGLES * 9; i++)
      positions[i] += 1000.0f;
   const VkAccelerationStructureGeometryKHR geometry = triangles(&scene);
   VkAccelerationStructureBuildGeometryInfoKHR info = build_info(&scene, &geometry, structures[0]);
   info.mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
   info.srcAccelerationStructure = structures[0];
   build_by_device(&scene, &info, NUM_TRIANGLES);
   const struct rt_accel_head *head = (const struct rt_accel_head *)(uintptr_t)address_of(&scene, structures[0]);
   CHECK(head->lo[0] >= 1000.0f && head->hi[0] <= 1101.0f);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyAccelerationStructureKHR(scene.f.device, structures[i], NULL);
   scene_finish(&scene);
}

/* A structure stands at a multiple of 256 bytes of its buffer, and is found at one of 256 only: its buffer is bound at such addresses,
 * whichever structure says what it is used for. */
TEST(buffers_of_structures_are_aligned_as_structures)
{
   const struct {
      VkBufferUsageFlags usage;
      VkBufferUsageFlags2 usage2; /* 0: not there */
   } cases[] = {
      {VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR, 0},
      {VK_BUFFER_USAGE_MICROMAP_STORAGE_BIT_EXT | VK_BUFFER_USAGE_TRANSFER_DST_BIT, 0},
      {0, VK_BUFFER_USAGE_2_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR},
   };
   struct scene scene;
   scene_init(&scene);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      const VkBufferUsageFlags2CreateInfo flags2 = {VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO, NULL, cases[i].usage2};
      const VkBufferCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = cases[i].usage2 ? &flags2 : NULL, .size = 1000, .usage = cases[i].usage};
      const VkDeviceBufferMemoryRequirements query = {VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, NULL, &info};
      VkMemoryRequirements2 by_info = {VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
      VkMemoryRequirements by_buffer;
      VkBuffer buffer;
      fixture_require(icd_CreateBuffer(scene.f.device, &info, NULL, &buffer), "vkCreateBuffer");
      icd_GetBufferMemoryRequirements(scene.f.device, buffer, &by_buffer);
      icd_GetDeviceBufferMemoryRequirements(scene.f.device, &query, &by_info);
      CHECK_EQ(by_buffer.alignment % RT_ACCEL_ALIGN, 0);
      CHECK_EQ(by_info.memoryRequirements.alignment, by_buffer.alignment);
      CHECK_EQ(by_info.memoryRequirements.size, by_buffer.size);
      icd_DestroyBuffer(scene.f.device, buffer, NULL);
   }
   scene_finish(&scene);
}

TEST_MAIN
