/* SPDX-License-Identifier: MIT
 * VK_EXT_shader_object: creation and binaries; binding is in icd/cmd/cmd_bind.c. */
#include "icd/pipeline/shader_object.h"

#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/pipeline/shader_binary.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"
#include "icd/stage.h"
#include "icd/validate/uses.h"

/* One element of a call. */
struct shader_source {
   const VkShaderCreateInfoEXT *info;
   struct icd_pipeline_layout *layout; /* as if of a pipeline; NULL: of a binary */
   struct icd_stage_job *job;          /* NULL: of a binary */
   VkResult result;
};

static bool is_binary(const VkShaderCreateInfoEXT *info)
{
   return info->codeType == VK_SHADER_CODE_TYPE_BINARY_EXT;
}

/* Adds a shader of SPIR-V to the stages that are compiled. */
static void source_add_stage(struct shader_source *source, struct icd_stage_list *list)
{
   const VkShaderCreateInfoEXT *info = source->info;
   const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
#ifdef VK_KHR_maintenance11
      .flags = info->flags & VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR ? VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT : 0,
#endif
      .setLayoutCount = info->setLayoutCount,
      .pSetLayouts = info->pSetLayouts,
      .pushConstantRangeCount = info->pushConstantRangeCount,
      .pPushConstantRanges = info->pPushConstantRanges,
   };
   const VkShaderModuleCreateInfo module = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .pNext = info->pNext, .codeSize = info->codeSize, .pCode = info->pCode};
   const VkPipelineShaderStageCreateInfo stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .pNext = &module,
      .stage = info->stage,
      .pName = info->pName,
      .pSpecializationInfo = info->pSpecializationInfo,
   };
   VkPipelineCreateFlags2KHR flags = 0;
#ifdef VK_EXT_descriptor_heap
   flags |= info->flags & VK_SHADER_CREATE_DESCRIPTOR_HEAP_BIT_EXT ? VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT : 0;
#endif
#ifdef VK_EXT_shader_64bit_indexing
   flags |= info->flags & VK_SHADER_CREATE_64_BIT_INDEXING_BIT_EXT ? VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT : 0;
#endif
   source->result = icd_pipeline_layout_create(list->device, &layout, list->allocator, &source->layout);
   if (source->result == VK_SUCCESS)
      source->job = icd_stages_add(list, &stage, source->layout, NULL, flags);
}

/* Each stage by itself, those that are linked with each other too. What is found is in the jobs. */
static void validate_sources(struct icd_stage_list *list, const struct shader_source *sources, uint32_t count)
{
   struct icd_stage_job *linked[ABI_NUM_STAGES];
   uint32_t num_linked = 0;
   for (uint32_t i = 0; i < count; i++) {
      struct icd_stage_job *job = sources[i].job;
      if (!job || job->result != VK_SUCCESS)
         continue;
      if (sources[i].info->flags & VK_SHADER_CREATE_LINK_STAGE_BIT_EXT && num_linked < ABI_NUM_STAGES)
         linked[num_linked++] = job;
      else
         (void)!icd_stages_validate(list, &job, 1, NULL, 0, NULL, NULL);
   }
   if (num_linked)
      (void)!icd_stages_validate(list, linked, num_linked, NULL, 0, NULL, NULL);
}

void icd_shader_object_label(struct icd_shader_object *object)
{
   icd_shader_label(object->label, object->shader, "shader object", icd_object_name(&object->base));
}

/* Takes over a reference to the shader. */
static struct icd_shader_object *object_create(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_shader *shader)
{
   struct icd_shader_object *object = icd_object_alloc(device, allocator, sizeof(*object), VK_OBJECT_TYPE_SHADER_EXT);
   if (!object) {
      icd_shader_release(shader);
      return NULL;
   }
   object->shader = shader;
   object->code.shader = (struct rt_shader){.info = &shader->code.info, .run = shader->code.run, .name = object->label};
   icd_shader_object_label(object);
   return object;
}

static void object_destroy(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_shader_object *object)
{
   icd_shader_release(object->shader);
   util_mfree(object->uses);
   icd_object_free(device, allocator, object);
}

/* Gives a reference. */
static VkResult source_shader(struct shader_source *source, struct icd_shader **shader)
{
   const VkShaderCreateInfoEXT *info = source->info;
   if (is_binary(info))
      return icd_shader_binary_read(info->pCode, info->codeSize, icd_stage_of(info->stage), info->pName, shader);
   if (source->result != VK_SUCCESS)
      return source->result;
   *shader = source->job->shader;
   source->job->shader = NULL;
   /* The messengers have reported why: the call has no code of its own for SPIR-V that breaks a rule. */
   return source->job->result == VK_ERROR_INVALID_SHADER_NV ? VK_ERROR_INITIALIZATION_FAILED : source->job->result;
}

static VkResult source_create_object(struct shader_source *source, struct icd_stage_list *list, VkShaderEXT *result)
{
   struct icd_shader *shader = NULL;
   const VkResult found = source_shader(source, &shader);
   if (found != VK_SUCCESS)
      return found;
   struct icd_shader_object *object = object_create(list->device, list->allocator, shader);
   if (!object)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (source->job) {
      const struct comp_shader_desc *desc = &source->job->request.desc;
      const VkResult noted = icd_shader_uses_create(&desc, 1, source->layout, &object->uses);
      if (noted != VK_SUCCESS) {
         object_destroy(list->device, list->allocator, object);
         return noted;
      }
   }
   *result = icd_shader_object_to_handle(object);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateShadersEXT(VkDevice _device, uint32_t createInfoCount, const VkShaderCreateInfoEXT *pCreateInfos,
                                                    const VkAllocationCallbacks *pAllocator, VkShaderEXT *pShaders)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct shader_source *sources = icd_zalloc(device, pAllocator, sizeof(*sources) * createInfoCount, 8);
   struct icd_stage_list list;

   for (uint32_t i = 0; i < createInfoCount; i++)
      pShaders[i] = VK_NULL_HANDLE;
   VkResult result = sources ? icd_stages_init(&list, device, pAllocator, createInfoCount) : VK_ERROR_OUT_OF_HOST_MEMORY;
   if (result != VK_SUCCESS) {
      icd_free(device, pAllocator, sources);
      return result;
   }
   for (uint32_t i = 0; i < createInfoCount; i++) {
      sources[i].info = &pCreateInfos[i];
      if (!is_binary(&pCreateInfos[i]))
         source_add_stage(&sources[i], &list);
   }
   validate_sources(&list, sources, createInfoCount);
   icd_stages_compile(&list);
   /* The code is that of the first which is missing: what was asked for after it is made all the same. */
   for (uint32_t i = 0; i < createInfoCount; i++) {
      const VkResult one = source_create_object(&sources[i], &list, &pShaders[i]);
      result = result == VK_SUCCESS ? one : result;
   }
   for (uint32_t i = 0; i < createInfoCount; i++)
      icd_object_free(device, pAllocator, sources[i].layout);
   icd_stages_finish(&list);
   icd_free(device, pAllocator, sources);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyShaderEXT(VkDevice device, VkShaderEXT shader, const VkAllocationCallbacks *pAllocator)
{
   struct icd_shader_object *object = icd_shader_object_from_handle(shader);
   if (object)
      object_destroy(icd_device_from_handle(device), pAllocator, object);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetShaderBinaryDataEXT(VkDevice device, VkShaderEXT shader, size_t *pDataSize, void *pData)
{
   return icd_shader_binary_write(icd_shader_object_from_handle(shader)->shader, pDataSize, pData);
}
