/* SPDX-License-Identifier: MIT
 * VK_EXT_shader_module_identifier: stages given by the identifier of a module run if a cache has their code, else a compile is required. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "identifier.comp.h"

static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};

static VkShaderModuleIdentifierEXT identifier_of(const struct run_device *run, VkShaderModule module)
{
   VkShaderModuleIdentifierEXT identifier = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
   icd_GetShaderModuleIdentifierEXT(run->f.device, module, &identifier);
   return identifier;
}

static VkPipelineCache create_cache(const struct run_device *run)
{
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   VkPipelineCache cache;
   fixture_require(icd_CreatePipelineCache(run->f.device, &info, NULL, &cache), "vkCreatePipelineCache");
   return cache;
}

/* Of the module, or where that is NULL of the identifier. */
static VkResult create(const struct run_device *run, VkShaderModule module, const VkShaderModuleIdentifierEXT *identifier,
                       const VkSpecializationInfo *specialization, VkPipelineCache cache, VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
   const VkPipelineShaderStageModuleIdentifierCreateInfoEXT identified = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_MODULE_IDENTIFIER_CREATE_INFO_EXT,
      .identifierSize = identifier ? identifier->identifierSize : 0,
      .pIdentifier = identifier ? identifier->identifier : NULL};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = module ? NULL : &identified,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = specialization},
      .layout = run->layout};
   *pipeline = VK_NULL_HANDLE;
   return icd_CreateComputePipelines(run->f.device, cache, 1, &info, NULL, pipeline);
}

static void check_run(struct run_device *run, VkPipeline pipeline, const struct run_buffer *result, uint32_t factor)
{
   memset(result->map, 0, 16);
   run_begin(run);
   icd_CmdBindPipeline(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, run->layout, 0, 1, &run->set, 0, NULL);
   icd_CmdDispatch(run->commands, 1, 1, 1);
   run_submit(run);
   for (uint32_t i = 0; i < 4; i++)
      CHECK_EQ(result->map[i], i * factor + 1);
}

TEST(identifiers)
{
   struct run_device run;
   run_init(&run, 1, &binding, 0);
   uint32_t other[sizeof(identifier_comp) / 4];
   memcpy(other, identifier_comp, sizeof(other));
   other[2] ^= 1u << 16; /* the generator's number */
   const VkShaderModuleCreateInfo infos[2] = {module_info(identifier_comp, sizeof(other) / 4), module_info(other, sizeof(other) / 4)};
   VkShaderModuleIdentifierEXT identifiers[2];
   for (uint32_t i = 0; i < 2; i++) {
      VkShaderModuleIdentifierEXT of_info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_IDENTIFIER_EXT};
      VkShaderModule module = run_shader(&run, infos[i].pCode, infos[i].codeSize);
      identifiers[i] = identifier_of(&run, module);
      icd_GetShaderModuleCreateInfoIdentifierEXT(run.f.device, &infos[i], &of_info);
      CHECK(identifiers[i].identifierSize > 0 && identifiers[i].identifierSize <= VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT);
      CHECK_EQ(of_info.identifierSize, identifiers[i].identifierSize);
      CHECK_EQ(memcmp(of_info.identifier, identifiers[i].identifier, of_info.identifierSize), 0);
      icd_DestroyShaderModule(run.f.device, module, NULL);
   }
   CHECK(memcmp(identifiers[0].identifier, identifiers[1].identifier, identifiers[0].identifierSize) != 0);
   run_finish(&run);
}

TEST(pipelines)
{
   const VkPipelineCreateFlags must_not = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
   static const uint32_t factor = 11;
   const VkSpecializationMapEntry entry = {3, 0, sizeof(factor)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(factor), &factor};
   struct run_device run;
   run_init(&run, 1, &binding, 0);
   const struct run_buffer result = run_buffer(&run, 16);
   const VkDescriptorBufferInfo whole = {result.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &whole, NULL);
   VkShaderModule module = run_shader(&run, identifier_comp, sizeof(identifier_comp));
   VkShaderModuleIdentifierEXT identifier = identifier_of(&run, module);
   VkPipelineCache cache = create_cache(&run), empty = create_cache(&run);
   VkPipeline pipeline;
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   CHECK(pipeline == VK_NULL_HANDLE);

   CHECK_EQ(create(&run, module, NULL, NULL, cache, 0, &pipeline), VK_SUCCESS);
   icd_DestroyShaderModule(run.f.device, module, NULL);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not, &pipeline), VK_SUCCESS);
   check_run(&run, pipeline, &result, 7);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);

   /* What the cache does not have: other constants, other code, code that is to be compiled again, an identifier of another driver; without the
    * flag, which is an application's fault, too. */
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, &specialization, cache, must_not, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, empty, must_not, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, empty, 0, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, &pipeline),
            VK_PIPELINE_COMPILE_REQUIRED);
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not | VK_PIPELINE_CREATE_LIBRARY_BIT_KHR, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   identifier.identifierSize--;
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   identifier.identifierSize++;
   identifier.identifier[3] ^= 1;
   CHECK_EQ(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not, &pipeline), VK_PIPELINE_COMPILE_REQUIRED);
   identifier.identifierSize = 0;
   CHECK(is_refusal(create(&run, VK_NULL_HANDLE, &identifier, NULL, cache, must_not, &pipeline)));
   icd_DestroyPipelineCache(run.f.device, cache, NULL);
   icd_DestroyPipelineCache(run.f.device, empty, NULL);
   run_buffer_free(&run, &result);
   run_finish(&run);
}

TEST_MAIN
