/* SPDX-License-Identifier: MIT */
#include "tests/client/rays.h"

#include <string.h>

struct client_ray_functions rays;

void client_rays_init_with(struct client *client, const struct client_ray_options *options)
{
   const char *extensions[10] = {VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                            VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_RAY_QUERY_EXTENSION_NAME,
                                            VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_PIPELINE_LIBRARY_GROUP_HANDLES_EXTENSION_NAME,
                                            "VK_EXT_ray_tracing_invocation_reorder", "VK_NV_ray_tracing_invocation_reorder"};
   uint32_t num_extensions = options->has_replay ? 6 + 2 * options->has_hit_objects : 4;
   VkPhysicalDeviceRayQueryFeaturesKHR queries = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, .rayQuery = VK_TRUE};
#ifdef VK_EXT_ray_tracing_invocation_reorder
   VkPhysicalDeviceRayTracingInvocationReorderFeaturesNV objects_nv = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_FEATURES_NV, .rayTracingInvocationReorder = VK_TRUE};
   VkPhysicalDeviceRayTracingInvocationReorderFeaturesEXT objects = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_INVOCATION_REORDER_FEATURES_EXT, .pNext = &objects_nv, .rayTracingInvocationReorder = VK_TRUE};
   if (options->has_hit_objects)
      queries.pNext = &objects;
#endif
#ifdef VK_NV_ray_tracing_linear_swept_spheres
   VkPhysicalDeviceRayTracingLinearSweptSpheresFeaturesNV spheres = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_LINEAR_SWEPT_SPHERES_FEATURES_NV, .pNext = queries.pNext,
      .spheres = VK_TRUE, .linearSweptSpheres = VK_TRUE};
   if (options->has_spheres)
      queries.pNext = &spheres;
#endif
   if (options->has_spheres)
      extensions[num_extensions++] = "VK_NV_ray_tracing_linear_swept_spheres";
   VkPhysicalDeviceConditionalRenderingFeaturesEXT conditions = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CONDITIONAL_RENDERING_FEATURES_EXT,
                                                                 .pNext = queries.pNext, .conditionalRendering = VK_TRUE};
   if (options->has_conditions) {
      queries.pNext = &conditions;
      extensions[num_extensions++] = VK_EXT_CONDITIONAL_RENDERING_EXTENSION_NAME;
   }
   const bool is_newer = options->wants_prints || options->has_hit_objects;
   VkPhysicalDevicePipelineLibraryGroupHandlesFeaturesEXT handles = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_LIBRARY_GROUP_HANDLES_FEATURES_EXT, &queries, VK_TRUE};
   VkPhysicalDeviceRayTracingPipelineFeaturesKHR pipelines = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR, .pNext = options->has_replay ? (void *)&handles : &queries,
      .rayTracingPipeline = VK_TRUE, .rayTracingPipelineShaderGroupHandleCaptureReplay = options->has_replay};
   VkPhysicalDeviceAccelerationStructureFeaturesKHR structures = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR, .pNext = &pipelines, .accelerationStructure = VK_TRUE};
   VkPhysicalDeviceVulkan12Features core = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &structures, .bufferDeviceAddress = VK_TRUE};
   client_init(client, &(struct client_options){.next = &core, .device_extensions = extensions, .num_device_extensions = num_extensions,
                                                .on_message = options->on_message, .on_message_data = options->on_message_data, .num_queues = options->num_queues,
                                                .wants_prints = options->wants_prints,
                                                .api_version = is_newer ? VK_API_VERSION_1_3 : VK_API_VERSION_1_2});
#define X(name) rays.name = (PFN_vk##name)vk.GetDeviceProcAddr(client->device, "vk" #name);
   CLIENT_RAY_FUNCTIONS(X)
#undef X
}

void client_rays_init(struct client *client)
{
   client_rays_init_with(client, &(struct client_ray_options){0});
}

bool client_rays_offer(const char *extension)
{
   struct client client = {0};
   VkExtensionProperties extensions[512];
   uint32_t count = 512;
   bool is_offered = false;
   client_rays_init(&client);
   client_check(vk.EnumerateDeviceExtensionProperties(client.physical_device, NULL, &count, extensions), "vkEnumerateDeviceExtensionProperties");
   for (uint32_t i = 0; i < count; i++)
      is_offered |= !strcmp(extensions[i].extensionName, extension);
   client_finish(&client);
   return is_offered;
}

VkDeviceAddress client_address(struct client *client, const struct client_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, NULL, buffer->buffer};
   return rays.GetBufferDeviceAddress(client->device, &info);
}

struct client_accel client_accel_build_as(struct client *client, const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t count)
{
   VkAccelerationStructureBuildGeometryInfoKHR how = *info;
   VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
   struct client_accel accel;
   rays.GetAccelerationStructureBuildSizesKHR(client->device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &how, &count, &sizes);
   accel.memory = client_buffer_create(client, sizes.accelerationStructureSize,
                                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR);
   const VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                        .buffer = accel.memory.buffer, .size = sizes.accelerationStructureSize, .type = info->type};
   client_check(rays.CreateAccelerationStructureKHR(client->device, &create, NULL, &accel.handle), "vkCreateAccelerationStructureKHR");
   struct client_buffer scratch = client_buffer_create(client, sizes.buildScratchSize + 256,
                                                       VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   how.dstAccelerationStructure = accel.handle;
   how.scratchData.deviceAddress = (client_address(client, &scratch) + 255) & ~(VkDeviceAddress)255;
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count}, *ranges = &range;
   VkCommandBuffer cmd = client_begin(client);
   rays.CmdBuildAccelerationStructuresKHR(cmd, 1, &how, &ranges);
   client_run(client, cmd);
   client_buffer_destroy(client, &scratch);
   const VkAccelerationStructureDeviceAddressInfoKHR which = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, accel.handle};
   accel.address = rays.GetAccelerationStructureDeviceAddressKHR(client->device, &which);
   return accel;
}

struct client_accel client_accel_build(struct client *client, const VkAccelerationStructureGeometryKHR *geometry, uint32_t count)
{
   const bool is_top = geometry->geometryType == VK_GEOMETRY_TYPE_INSTANCES_KHR;
   const VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = is_top ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .geometryCount = 1, .pGeometries = geometry};
   return client_accel_build_as(client, &info, count);
}

void client_accel_destroy(struct client *client, struct client_accel *accel)
{
   rays.DestroyAccelerationStructureKHR(client->device, accel->handle, NULL);
   client_buffer_destroy(client, &accel->memory);
}

/* What a build reads, for as long as it takes. */
static struct client_buffer input_create(struct client *client, const void *data, size_t size)
{
   struct client_buffer input = client_buffer_create(
      client, size, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR);
   memcpy(input.map, data, size);
   return input;
}

VkAccelerationStructureGeometryKHR client_geometry_triangles(VkDeviceAddress corners, uint32_t count, VkGeometryFlagsKHR flags)
{
   return (VkAccelerationStructureGeometryKHR){
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR, .flags = flags,
      .geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR, .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                             .vertexData.deviceAddress = corners, .vertexStride = 12, .maxVertex = count * 3 - 1, .indexType = VK_INDEX_TYPE_NONE_KHR}};
}

struct client_accel client_accel_triangles(struct client *client, const float *corners, uint32_t count, VkGeometryFlagsKHR flags)
{
   struct client_buffer input = input_create(client, corners, count * 9 * sizeof(float));
   const VkAccelerationStructureGeometryKHR geometry = client_geometry_triangles(client_address(client, &input), count, flags);
   const struct client_accel accel = client_accel_build(client, &geometry, count);
   client_buffer_destroy(client, &input);
   return accel;
}

struct client_accel client_accel_instances(struct client *client, const VkAccelerationStructureInstanceKHR *instances, uint32_t count)
{
   struct client_buffer input = input_create(client, instances, count * sizeof(*instances));
   const VkAccelerationStructureGeometryKHR geometry = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
      .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                             .data.deviceAddress = client_address(client, &input)}};
   const struct client_accel accel = client_accel_build(client, &geometry, count);
   client_buffer_destroy(client, &input);
   return accel;
}

void client_set_accel(struct client *client, const struct client_set *set, uint32_t binding, const struct client_accel *accel)
{
   const VkWriteDescriptorSetAccelerationStructureKHR structure = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, .accelerationStructureCount = 1, .pAccelerationStructures = &accel->handle};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .pNext = &structure, .dstSet = set->set, .dstBinding = binding,
                                       .descriptorCount = 1, .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
   vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
}

static VkPipeline ray_pipeline(struct client *client, VkPipelineLayout layout, const struct client_ray_shader *shaders, uint32_t count)
{
   static const VkShaderStageFlagBits flags[CLIENT_NUM_RAY_GROUPS] = {VK_SHADER_STAGE_RAYGEN_BIT_KHR, VK_SHADER_STAGE_MISS_BIT_KHR,
                                                                      VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR, VK_SHADER_STAGE_CALLABLE_BIT_KHR};
   VkPipelineShaderStageCreateInfo stages[CLIENT_NUM_RAY_GROUPS];
   VkRayTracingShaderGroupCreateInfoKHR groups[CLIENT_NUM_RAY_GROUPS];
   VkPipeline pipeline;
   for (uint32_t i = 0; i < count; i++) {
      const bool hits = i == CLIENT_RCHIT;
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = flags[i],
                                                    .module = client_shader(client, shaders[i].words, shaders[i].size_bytes), .pName = "main"};
      groups[i] = (VkRayTracingShaderGroupCreateInfoKHR){
         .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
         .type = hits ? VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR : VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR,
         .generalShader = hits ? VK_SHADER_UNUSED_KHR : i, .closestHitShader = hits ? i : VK_SHADER_UNUSED_KHR,
         .anyHitShader = VK_SHADER_UNUSED_KHR, .intersectionShader = VK_SHADER_UNUSED_KHR};
   }
   const VkRayTracingPipelineCreateInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR, .stageCount = count, .pStages = stages,
      .groupCount = count, .pGroups = groups, .maxPipelineRayRecursionDepth = 1, .layout = layout};
   client_check(rays.CreateRayTracingPipelinesKHR(client->device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateRayTracingPipelinesKHR");
   for (uint32_t i = 0; i < count; i++)
      vk.DestroyShaderModule(client->device, stages[i].module, NULL);
   return pipeline;
}

struct client_ray_table client_ray_table_create(struct client *client, VkPipelineLayout layout, const struct client_ray_shader *shaders, uint32_t count)
{
   uint8_t handles[CLIENT_NUM_RAY_GROUPS * CLIENT_HANDLE_BYTES];
   struct client_ray_table table = {
      .pipeline = ray_pipeline(client, layout, shaders, count),
      .records = client_buffer_create(client, CLIENT_NUM_RAY_GROUPS * CLIENT_RECORD_BYTES,
                                      VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_SHADER_BINDING_TABLE_BIT_KHR)};
   client_check(rays.GetRayTracingShaderGroupHandlesKHR(client->device, table.pipeline, 0, count, (size_t)count * CLIENT_HANDLE_BYTES, handles),
                "vkGetRayTracingShaderGroupHandlesKHR");
   for (uint32_t i = 0; i < count; i++) {
      const VkDeviceAddress record = client_address(client, &table.records) + (VkDeviceAddress)i * CLIENT_RECORD_BYTES;
      memcpy((char *)table.records.map + (size_t)i * CLIENT_RECORD_BYTES, handles + (size_t)i * CLIENT_HANDLE_BYTES, CLIENT_HANDLE_BYTES);
      table.regions[i] = (VkStridedDeviceAddressRegionKHR){record, CLIENT_RECORD_BYTES, CLIENT_RECORD_BYTES};
   }
   return table;
}

void client_ray_table_destroy(struct client *client, struct client_ray_table *table)
{
   vk.DestroyPipeline(client->device, table->pipeline, NULL);
   client_buffer_destroy(client, &table->records);
}
