/* SPDX-License-Identifier: MIT
 * Execution sets. */
#include "icd/generated/execution_set.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "icd/pipeline.h"
#include "icd/pipeline/shader_object.h"
#include "util/size.h"

static struct rt_execution_entry entry_of_pipeline(VkPipeline handle)
{
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(handle);
   switch (pipeline->bind_point) {
   case VK_PIPELINE_BIND_POINT_COMPUTE: return (struct rt_execution_entry){.compute = &pipeline->compute};
   case VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR: return (struct rt_execution_entry){.rays = &pipeline->rays};
   default: return (struct rt_execution_entry){.graphics = &pipeline->graphics, .state = &pipeline->state};
   }
}

static struct rt_execution_entry entry_of_shader(VkShaderEXT handle)
{
   const struct icd_shader_object *object = icd_shader_object_from_handle(handle);
   if (!object)
      return (struct rt_execution_entry){0};
   const bool is_compute = object->code.shader.info->stage == ABI_STAGE_COMPUTE;
   return (struct rt_execution_entry){.compute = is_compute ? &object->code : NULL, .shader = is_compute ? NULL : &object->code.shader};
}

/* An index beyond the set writes nothing. */
static void write_entry(struct icd_execution_set *set, uint32_t index, struct rt_execution_entry entry)
{
   if (index < set->set.count)
      set->entries[index] = entry;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateIndirectExecutionSetEXT(VkDevice _device, const VkIndirectExecutionSetCreateInfoEXT *pCreateInfo,
                                                                 const VkAllocationCallbacks *pAllocator,
                                                                 VkIndirectExecutionSetEXT *pIndirectExecutionSet)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const bool has_shaders = pCreateInfo->type == VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT;
   const uint32_t count =
      has_shaders ? pCreateInfo->info.pShaderInfo->maxShaderCount : pCreateInfo->info.pPipelineInfo->maxPipelineCount;
   struct icd_execution_set *set;
   set = icd_object_alloc(device, pAllocator, util_size_array(sizeof(*set), count, sizeof(set->entries[0])),
                          VK_OBJECT_TYPE_INDIRECT_EXECUTION_SET_EXT);
   if (!set)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   set->set = (struct rt_execution_set){count, set->entries};
   for (uint32_t i = 0; has_shaders && i < pCreateInfo->info.pShaderInfo->shaderCount && i < count; i++)
      set->entries[i] = entry_of_shader(pCreateInfo->info.pShaderInfo->pInitialShaders[i]);
   if (!has_shaders && count)
      set->entries[0] = entry_of_pipeline(pCreateInfo->info.pPipelineInfo->initialPipeline);
   *pIndirectExecutionSet = icd_execution_set_to_handle(set);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyIndirectExecutionSetEXT(VkDevice device, VkIndirectExecutionSetEXT indirectExecutionSet,
                                                              const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_execution_set_from_handle(indirectExecutionSet));
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateIndirectExecutionSetPipelineEXT(VkDevice device, VkIndirectExecutionSetEXT indirectExecutionSet,
                                                                     uint32_t executionSetWriteCount,
                                                                     const VkWriteIndirectExecutionSetPipelineEXT *pExecutionSetWrites)
{
   struct icd_execution_set *set = icd_execution_set_from_handle(indirectExecutionSet);
   for (uint32_t i = 0; i < executionSetWriteCount; i++)
      write_entry(set, pExecutionSetWrites[i].index, entry_of_pipeline(pExecutionSetWrites[i].pipeline));
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateIndirectExecutionSetShaderEXT(VkDevice device, VkIndirectExecutionSetEXT indirectExecutionSet,
                                                                   uint32_t executionSetWriteCount,
                                                                   const VkWriteIndirectExecutionSetShaderEXT *pExecutionSetWrites)
{
   struct icd_execution_set *set = icd_execution_set_from_handle(indirectExecutionSet);
   for (uint32_t i = 0; i < executionSetWriteCount; i++)
      write_entry(set, pExecutionSetWrites[i].index, entry_of_shader(pExecutionSetWrites[i].shader));
}
