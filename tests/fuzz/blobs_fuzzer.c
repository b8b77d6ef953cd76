/* SPDX-License-Identifier: MIT
 * Data that the driver made, changed by somebody else: pipeline caches, validation caches, binaries of shader objects, serialized acceleration structures
 * and what stands in a structure's memory. Of caches nothing may be taken but what is whole; rays go through structures, whatever they hold.
 * Bytes: the class; bytes to cut off (2); then changes, each a number of bytes, an offset (2) and the bytes. */
#include "tests/fuzz/input.h"
#include "tests/icd/validate/runs.h"

#include "hostile.comp.h"
#include "util/macros.h"

enum { NUM_TRIANGLES = 40, NUM_INSTANCES = 5, NUM_RAYS = 32, STRUCTURE_BYTES = 1 << 14, SCRATCH_BYTES = 1 << 18, MAX_BLOB = 1 << 16 };
enum class { PIPELINE_CACHE, VALIDATION_CACHE, SHADER_BINARY, BOTTOM, TOP, BOTTOM_MEMORY, TOP_MEMORY, NUM_CLASSES };

struct ray { /* as hostile.comp has it */
   float origin[3], tmin, direction[3], tmax;
   uint32_t flags, mask;
   float box_t;
};

static struct run_device run;
static struct fixture fixture; /* of `run` */
static VkPipeline pipeline;
static struct run_buffer rays;
static struct fixture_buffer memory, inputs, scratch;
static VkAccelerationStructureKHR structures[2]; /* of `memory`: the bottom one, the top one */
static struct blob {
   _Alignas(256) uint8_t bytes[MAX_BLOB];
   size_t size;
} blobs[NUM_CLASSES];

/* ---- what is changed ---- */

static VkShaderModule make_module(void)
{
   const VkShaderModuleCreateInfo info = module_info(hostile_comp, UTIL_ARRAY_SIZE(hostile_comp));
   VkShaderModule module;
   fixture_require(icd_CreateShaderModule(run.f.device, &info, NULL, &module), "vkCreateShaderModule");
   return module;
}

static VkResult make_pipeline(VkPipelineCache cache, VkPipeline *made)
{
   const VkShaderModule module = make_module();
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = module,
                                                       .pName = "main"},
                                             .layout = run.layout};
   const VkResult result = icd_CreateComputePipelines(run.f.device, cache, 1, &info, NULL, made);
   icd_DestroyShaderModule(run.f.device, module, NULL);
   return result;
}

static VkShaderCreateInfoEXT shader_info(void)
{
   return (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                  .codeSize = sizeof(hostile_comp),
                                  .pCode = hostile_comp,
                                  .pName = "main",
                                  .setLayoutCount = 1,
                                  .pSetLayouts = &run.set_layout};
}

static void take_caches(void)
{
   const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   const VkValidationCacheCreateInfoEXT validation_info = {.sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT};
   const VkShaderCreateInfoEXT info = shader_info();
   VkPipelineCache cache;
   VkValidationCacheEXT validation;
   VkShaderEXT shader;
   for (enum class class = PIPELINE_CACHE; class <= SHADER_BINARY; class++)
      blobs[class].size = MAX_BLOB;
   fixture_require(icd_CreatePipelineCache(run.f.device, &cache_info, NULL, &cache), "vkCreatePipelineCache");
   fixture_require(make_pipeline(cache, &pipeline), "vkCreateComputePipelines");
   fixture_require(icd_GetPipelineCacheData(run.f.device, cache, &blobs[PIPELINE_CACHE].size, blobs[PIPELINE_CACHE].bytes), "vkGetPipelineCacheData");
   icd_DestroyPipelineCache(run.f.device, cache, NULL);
   fixture_require(icd_CreateValidationCacheEXT(run.f.device, &validation_info, NULL, &validation), "vkCreateValidationCacheEXT");
   const VkShaderModuleValidationCacheCreateInfoEXT chained = {
      VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, NULL, validation};
   VkShaderModuleCreateInfo module_of = module_info(hostile_comp, UTIL_ARRAY_SIZE(hostile_comp));
   module_of.pNext = &chained;
   VkShaderModule module;
   fixture_require(icd_CreateShaderModule(run.f.device, &module_of, NULL, &module), "vkCreateShaderModule");
   icd_DestroyShaderModule(run.f.device, module, NULL);
   fixture_require(icd_GetValidationCacheDataEXT(run.f.device, validation, &blobs[VALIDATION_CACHE].size, blobs[VALIDATION_CACHE].bytes),
                   "vkGetValidationCacheDataEXT");
   icd_DestroyValidationCacheEXT(run.f.device, validation, NULL);
   fixture_require(icd_CreateShadersEXT(run.f.device, 1, &info, NULL, &shader), "vkCreateShadersEXT");
   fixture_require(icd_GetShaderBinaryDataEXT(run.f.device, shader, &blobs[SHADER_BINARY].size, blobs[SHADER_BINARY].bytes), "vkGetShaderBinaryDataEXT");
   icd_DestroyShaderEXT(run.f.device, shader, NULL);
}

static void build(uint32_t index, uint32_t count, VkAccelerationStructureGeometryKHR geometry)
{
   geometry.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR;
   const VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                        .buffer = memory.buffer,
                                                        .offset = (VkDeviceSize)index * STRUCTURE_BYTES,
                                                        .size = STRUCTURE_BYTES,
                                                        .type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR};
   fixture_require(icd_CreateAccelerationStructureKHR(run.f.device, &create, NULL, &structures[index]), "vkCreateAccelerationStructureKHR");
   const VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = index ? VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR : VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
      .dstAccelerationStructure = structures[index],
      .geometryCount = 1,
      .pGeometries = &geometry,
      .scratchData.hostAddress = scratch.data};
   const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count}, *ranges = &range;
   fixture_require(icd_BuildAccelerationStructuresKHR(run.f.device, VK_NULL_HANDLE, 1, &info, &ranges), "vkBuildAccelerationStructuresKHR");
   struct blob *serial = &blobs[BOTTOM + index], *copy = &blobs[BOTTOM_MEMORY + index];
   const VkCopyAccelerationStructureToMemoryInfoKHR out = {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR, NULL,
                                                           structures[index], {.hostAddress = serial->bytes},
                                                           VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
   fixture_require(icd_CopyAccelerationStructureToMemoryKHR(run.f.device, VK_NULL_HANDLE, &out), "vkCopyAccelerationStructureToMemoryKHR");
   serial->size = ((const uint64_t *)serial->bytes)[4];
   copy->size = STRUCTURE_BYTES;
   memcpy(copy->bytes, (uint8_t *)memory.data + create.offset, STRUCTURE_BYTES);
}

static VkDeviceAddress address_of(VkAccelerationStructureKHR structure)
{
   const VkAccelerationStructureDeviceAddressInfoKHR info = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, NULL, structure};
   return icd_GetAccelerationStructureDeviceAddressKHR(run.f.device, &info);
}

static void take_structures(void)
{
   float *corners = inputs.data;
   VkAccelerationStructureInstanceKHR *instances = (VkAccelerationStructureInstanceKHR *)(corners + NUM_TRIANGLES * 9);
   for (uint32_t i = 0; i < NUM_TRIANGLES * 9; i++)
      corners[i] = (float)(i * 2654435761u >> 8) * 0x1p-24f * 4.0f - 2.0f;
   build(0, NUM_TRIANGLES, (VkAccelerationStructureGeometryKHR){
                              .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR,
                              .geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                                                     .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                                     .vertexData.hostAddress = corners,
                                                     .vertexStride = 12,
                                                     .maxVertex = NUM_TRIANGLES * 3 - 1,
                                                     .indexType = VK_INDEX_TYPE_NONE_KHR}});
   for (uint32_t i = 0; i < NUM_INSTANCES; i++) {
      instances[i] = (VkAccelerationStructureInstanceKHR){.mask = 0xff, .accelerationStructureReference = address_of(structures[0])};
      for (uint32_t axis = 0; axis < 3; axis++)
         instances[i].transform.matrix[axis][axis] = 1.0f + (float)i;
   }
   build(1, NUM_INSTANCES, (VkAccelerationStructureGeometryKHR){
                              .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
                              .geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                                     .data.hostAddress = instances}});
}

static void init(void)
{
   static const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   run_init(&run, UTIL_ARRAY_SIZE(bindings), bindings, 0);
   fixture = (struct fixture){run.f.instance, run.f.physical_device, run.f.device};
   take_caches();
   memory = fixture_buffer(&fixture, 2 * STRUCTURE_BYTES);
   inputs = fixture_buffer(&fixture, NUM_TRIANGLES * 36 + NUM_INSTANCES * sizeof(VkAccelerationStructureInstanceKHR));
   scratch = fixture_buffer(&fixture, SCRATCH_BYTES);
   take_structures();
   rays = run_buffer(&run, NUM_RAYS * (sizeof(struct ray) + 8));
   for (uint32_t i = 0; i < NUM_RAYS; i++) {
      const float angle = (float)i / NUM_RAYS * 2.0f - 1.0f;
      ((struct ray *)rays.map)[i] = (struct ray){{angle, angle * angle, -20}, 0, {-angle * 0.1f, 0.01f, 1}, 1000, 0, 0xff, 1};
   }
   const VkDescriptorBufferInfo buffer = {rays.buffer, 0, VK_WHOLE_SIZE};
   const VkWriteDescriptorSetAccelerationStructureKHR top = {
      VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_ACCELERATION_STRUCTURE_KHR, NULL, 1, &structures[1]};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .pNext = &top, .dstSet = run.set, .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR};
   run_write(&run, 1, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &buffer, NULL);
   icd_UpdateDescriptorSets(run.f.device, 1, &write, 0, NULL);
}

static void finish(void)
{
   run_buffer_free(&run, &rays);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyAccelerationStructureKHR(run.f.device, structures[i], NULL);
   fixture_buffer_destroy(&fixture, &scratch);
   fixture_buffer_destroy(&fixture, &inputs);
   fixture_buffer_destroy(&fixture, &memory);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   run_finish(&run);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   init();
   return 0;
}

/* ---- what is made of it ---- */

static void require(bool is_good, const char *what)
{
   if (!is_good) {
      fprintf(stderr, "%s\n", what);
      abort();
   }
}

static void try_pipeline_cache(const void *bytes, size_t size)
{
   const VkPipelineCacheCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO, NULL, 0, size, bytes};
   VkPipelineCache cache;
   VkPipeline made;
   require(icd_CreatePipelineCache(run.f.device, &info, NULL, &cache) == VK_SUCCESS, "vkCreatePipelineCache");
   require(make_pipeline(cache, &made) == VK_SUCCESS, "vkCreateComputePipelines");
   icd_DestroyPipeline(run.f.device, made, NULL);
   icd_DestroyPipelineCache(run.f.device, cache, NULL);
}

static void try_validation_cache(const void *bytes, size_t size)
{
   const VkValidationCacheCreateInfoEXT info = {VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT, NULL, 0, size, bytes};
   VkValidationCacheEXT cache;
   require(icd_CreateValidationCacheEXT(run.f.device, &info, NULL, &cache) == VK_SUCCESS, "vkCreateValidationCacheEXT");
   icd_DestroyValidationCacheEXT(run.f.device, cache, NULL);
}

static void try_shader_binary(const void *bytes, size_t size, bool is_changed)
{
   VkShaderCreateInfoEXT info = shader_info();
   VkShaderEXT shader = VK_NULL_HANDLE;
   info.codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   info.pCode = bytes;
   info.codeSize = size;
   const VkResult result = icd_CreateShadersEXT(run.f.device, 1, &info, NULL, &shader);
   require(result == VK_SUCCESS || (is_changed && result == VK_INCOMPATIBLE_SHADER_BINARY_EXT), "vkCreateShadersEXT");
   icd_DestroyShaderEXT(run.f.device, shader, NULL);
}

/* False: the device is lost, as it may be where nodes are each other's parents. */
static bool trace(void)
{
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &run.commands};
   run_begin(&run);
   icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.layout, 0, 1, &run.set, 0, NULL);
   icd_CmdDispatch(run.commands, 1, 1, 1);
   fixture_require(icd_EndCommandBuffer(run.commands), "vkEndCommandBuffer");
   fixture_require(icd_QueueSubmit(run.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   const VkResult result = icd_QueueWaitIdle(run.queue);
   require(result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST, "vkQueueWaitIdle");
   icd_FreeCommandBuffers(run.f.device, run.pool, 1, &run.commands);
   return result == VK_SUCCESS;
}

static void try_structure(enum class class, const struct blob *blob)
{
   const uint32_t index = (uint32_t)(class - BOTTOM) % 2;
   uint8_t *to = (uint8_t *)memory.data + index * STRUCTURE_BYTES;
   if (class >= BOTTOM_MEMORY) {
      memcpy(to, blob->bytes, STRUCTURE_BYTES);
   } else {
      const VkCopyMemoryToAccelerationStructureInfoKHR in = {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR, NULL,
                                                             {.hostAddress = blob->bytes}, structures[index],
                                                             VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
      const VkResult result = icd_CopyMemoryToAccelerationStructureKHR(run.f.device, VK_NULL_HANDLE, &in);
      require(result == VK_SUCCESS || result == VK_ERROR_UNKNOWN, "vkCopyMemoryToAccelerationStructureKHR");
   }
   if (!trace()) {
      finish();
      init();
      return;
   }
   memcpy(to, blobs[BOTTOM_MEMORY + index].bytes, STRUCTURE_BYTES);
}

/* The whole array is the blob's memory: what was cut off is zeros. */
static void change(struct blob *blob, struct input *in)
{
   blob->size -= input_pick(in, (uint32_t)blob->size);
   memset(blob->bytes + blob->size, 0, MAX_BLOB - blob->size);
   while (in->at < in->end) {
      const uint32_t count = 1 + input_pick(in, 16), offset = input_pick(in, (uint32_t)blob->size);
      for (uint32_t i = 0; i < count && offset + i < blob->size; i++)
         blob->bytes[offset + i] = (uint8_t)input_byte(in);
   }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   static struct blob changed;
   struct input in = {data, data + size};
   const enum class class = (enum class)input_pick(&in, NUM_CLASSES);
   changed = blobs[class];
   change(&changed, &in);
   uint8_t *copy = malloc(changed.size); /* of its exact size, so that a sanitizer sees what is read beyond */
   if (!copy)
      exit(1);
   memcpy(copy, changed.bytes, changed.size);
   switch (class) {
   case PIPELINE_CACHE: try_pipeline_cache(copy, changed.size); break;
   case VALIDATION_CACHE: try_validation_cache(copy, changed.size); break;
   case SHADER_BINARY:
      try_shader_binary(copy, changed.size, changed.size != blobs[class].size || memcmp(copy, blobs[class].bytes, changed.size) != 0);
      break;
   default: try_structure(class, &changed); break;
   }
   free(copy);
   return 0;
}
