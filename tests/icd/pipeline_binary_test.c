/* SPDX-License-Identifier: MIT
 * VK_KHR_pipeline_binary: code in the application's hands makes pipelines without modules; what was changed is refused; keys say what is alike. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"
#include "util/macros.h"

#include "identifier.comp.h"

static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};

struct scene {
   struct run_device run;
   struct run_buffer result;
   VkShaderModule module;
   uint32_t factor;
   VkSpecializationMapEntry entry;
   VkSpecializationInfo specialization;
   VkPipelineCreateFlags2CreateInfo flags;
   VkPipelineBinaryInfoKHR binaries;
   VkPipelineShaderStageModuleIdentifierCreateInfoEXT identified;
   VkComputePipelineCreateInfo info;
};

/* A pipeline that multiplies by `factor`; the scene must stay where it is. */
static void scene_init(struct scene *s, uint32_t factor)
{
   memset(s, 0, sizeof(*s));
   run_init(&s->run, 1, &binding, 4);
   s->result = run_buffer(&s->run, 16);
   const VkDescriptorBufferInfo buffer = {s->result.buffer, 0, VK_WHOLE_SIZE};
   run_write(&s->run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &buffer, NULL);
   s->module = run_shader(&s->run, identifier_comp, sizeof(identifier_comp));
   s->factor = factor;
   s->entry = (VkSpecializationMapEntry){3, 0, 4};
   s->specialization = (VkSpecializationInfo){1, &s->entry, 4, &s->factor};
   s->flags = (VkPipelineCreateFlags2CreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                 .flags = VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR};
   s->info = (VkComputePipelineCreateInfo){
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &s->flags, .layout = s->run.layout,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = s->module, .pName = "main",
                .pSpecializationInfo = &s->specialization}};
}

static void scene_finish(struct scene *s)
{
   icd_DestroyShaderModule(s->run.f.device, s->module, NULL);
   run_buffer_free(&s->run, &s->result);
   run_finish(&s->run);
}

static VkPipeline create_pipeline(struct scene *s)
{
   VkPipeline pipeline;
   fixture_require(icd_CreateComputePipelines(s->run.f.device, VK_NULL_HANDLE, 1, &s->info, NULL, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

static bool multiplies_by(struct scene *s, VkPipeline pipeline, uint32_t factor)
{
   memset(s->result.map, 0, 16);
   run_begin(&s->run);
   icd_CmdBindPipeline(s->run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(s->run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->run.layout, 0, 1, &s->run.set, 0, NULL);
   icd_CmdDispatch(s->run.commands, 1, 1, 1);
   run_submit(&s->run);
   for (uint32_t i = 0; i < 4; i++) {
      if (s->result.map[i] != i * factor + 1)
         return false;
   }
   return true;
}

static VkResult read_binary(struct scene *s, const VkPipelineBinaryKeyKHR *key, void *data, size_t size, VkPipelineBinaryKHR *binary)
{
   const VkPipelineBinaryDataKHR one = {size, data};
   const VkPipelineBinaryKeysAndDataKHR all = {1, key, &one};
   const VkPipelineBinaryCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pKeysAndDataInfo = &all};
   VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR, .pipelineBinaryCount = 1,
                                             .pPipelineBinaries = binary};
   return icd_CreatePipelineBinariesKHR(s->run.f.device, &info, NULL, &handles);
}

TEST(binaries)
{
   enum { FACTOR = 5, MAX_BYTES = 1 << 16 };
   static uint8_t data[MAX_BYTES];
   struct scene s;
   scene_init(&s, FACTOR);
   VkDevice device = s.run.f.device;
   VkPipeline pipeline = create_pipeline(&s);
   const VkPipelineBinaryCreateInfoKHR from = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_CREATE_INFO_KHR, .pipeline = pipeline};
   VkPipelineBinaryHandlesInfoKHR handles = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_HANDLES_INFO_KHR};
   CHECK_EQ(icd_CreatePipelineBinariesKHR(device, &from, NULL, &handles), VK_SUCCESS);
   CHECK_EQ(handles.pipelineBinaryCount, 1);
   VkPipelineBinaryKHR binary = VK_NULL_HANDLE;
   handles.pPipelineBinaries = &binary;
   CHECK_EQ(icd_CreatePipelineBinariesKHR(device, &from, NULL, &handles), VK_SUCCESS);
   const VkReleaseCapturedPipelineDataInfoKHR release = {.sType = VK_STRUCTURE_TYPE_RELEASE_CAPTURED_PIPELINE_DATA_INFO_KHR, .pipeline = pipeline};
   CHECK_EQ(icd_ReleaseCapturedPipelineDataKHR(device, &release, NULL), VK_SUCCESS);
   icd_DestroyPipeline(device, pipeline, NULL);

   const VkPipelineBinaryDataInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_DATA_INFO_KHR, .pipelineBinary = binary};
   VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
   size_t size = 0, less;
   CHECK_EQ(icd_GetPipelineBinaryDataKHR(device, &info, &key, &size, NULL), VK_SUCCESS);
   CHECK(size && size <= MAX_BYTES && key.keySize);
   less = size - 1;
   CHECK_EQ(icd_GetPipelineBinaryDataKHR(device, &info, &key, &less, data), VK_ERROR_NOT_ENOUGH_SPACE_KHR);
   CHECK_EQ(less, size);
   CHECK_EQ(data[0], 0);
   CHECK_EQ(icd_GetPipelineBinaryDataKHR(device, &info, &key, &size, data), VK_SUCCESS);
   icd_DestroyPipelineBinaryKHR(device, binary, NULL);

   CHECK_EQ(read_binary(&s, &key, data, size, &binary), VK_SUCCESS);
   s.binaries = (VkPipelineBinaryInfoKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_INFO_KHR, .binaryCount = 1, .pPipelineBinaries = &binary};
   s.info.pNext = &s.binaries;
   s.info.stage.module = VK_NULL_HANDLE;
   s.info.stage.pSpecializationInfo = NULL; /* the code has it */
   pipeline = create_pipeline(&s);
   icd_DestroyPipelineBinaryKHR(device, binary, NULL);
   CHECK(multiplies_by(&s, pipeline, FACTOR));
   icd_DestroyPipeline(device, pipeline, NULL);

   /* Nothing but these bytes under this key is taken. */
   for (size_t i = 0; i < size; i += size / 97 + 1) {
      data[i] ^= 0x10;
      binary = (VkPipelineBinaryKHR)(uintptr_t)1;
      CHECK_EQ(read_binary(&s, &key, data, size, &binary), VK_ERROR_INITIALIZATION_FAILED);
      CHECK(binary == VK_NULL_HANDLE);
      data[i] ^= 0x10;
   }
   CHECK_EQ(read_binary(&s, &key, data, size - 1, &binary), VK_ERROR_INITIALIZATION_FAILED);
   CHECK_EQ(read_binary(&s, &key, data, 3, &binary), VK_ERROR_INITIALIZATION_FAILED);
   key.key[0] ^= 1;
   CHECK_EQ(read_binary(&s, &key, data, size, &binary), VK_ERROR_INITIALIZATION_FAILED);
   scene_finish(&s);
}

static VkPipelineBinaryKeyKHR key_of(struct scene *s, bool is_global)
{
   const VkPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_INFO_KHR, .pNext = &s->info};
   VkPipelineBinaryKeyKHR key = {.sType = VK_STRUCTURE_TYPE_PIPELINE_BINARY_KEY_KHR};
   CHECK_EQ(icd_GetPipelineKeyKHR(s->run.f.device, is_global ? NULL : &info, &key), VK_SUCCESS);
   return key;
}

static bool are_equal(const VkPipelineBinaryKeyKHR *a, const VkPipelineBinaryKeyKHR *b)
{
   return a->keySize == b->keySize && !memcmp(a->key, b->key, a->keySize);
}

TEST(keys)
{
   struct scene s;
   scene_init(&s, 3);
   const VkPipelineBinaryKeyKHR global = key_of(&s, true), again = key_of(&s, true), first = key_of(&s, false), same = key_of(&s, false);
   s.factor = 4;
   const VkPipelineBinaryKeyKHR other = key_of(&s, false);
   VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
   icd_GetShaderModuleIdentifierEXT(s.run.f.device, s.module, &identifier);
   s.identified = (VkPipelineShaderStageModuleIdentifierCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT, .identifierSize = identifier.identifierSize,
      .pIdentifier = identifier.identifier};
   s.info.stage.module = VK_NULL_HANDLE;
   s.info.stage.pNext = &s.identified;
   const VkPipelineBinaryKeyKHR identified = key_of(&s, false);
   CHECK(are_equal(&global, &again));
   CHECK(are_equal(&first, &same));
   CHECK(!are_equal(&first, &other));
   CHECK(are_equal(&other, &identified));
   CHECK(!are_equal(&global, &first));
   scene_finish(&s);
}

TEST_MAIN
