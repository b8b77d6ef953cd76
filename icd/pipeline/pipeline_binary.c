/* SPDX-License-Identifier: MIT
 * VK_KHR_pipeline_binary: a binary a stage, in the form that shader objects have (shader_binary.h). Its key is the one that caches know the shader by;
 * a pipeline's key is a hash of its stages'. What an application captures is there in any case, so nothing is kept for it. */
#include "icd/pipeline/pipeline_binary.h"

#include "gen/icd_entrypoints.h"
#include "gen/icd_spirv.h"
#include "icd/chain.h"
#include "icd/pipeline/graphics.h"
#include "icd/pipeline/nodes.h"
#include "icd/pipeline/rays.h"
#include "icd/pipeline/shader_binary.h"
#include "icd/pipeline/stages.h"
#include "icd/stage.h"

#include <string.h>

/* ---- pipelines that are made of binaries ---- */

/* ---- keys ---- */

static void key_init(VkPipelineBinaryKeyKHR *key, const void *bytes, uint32_t size)
{
   key->keySize = size;
   memset(key->key, 0, sizeof(key->key));
   memcpy(key->key, bytes, size);
}

/* The stages of a pipeline that may have any number of them. */
struct stage_array {
   bool is_array; /* of ray pipelines and execution graphs */
   uint32_t count;
   const VkPipelineShaderStageCreateInfo *stages;
   const VkPipelineLibraryCreateInfoKHR *libraries;
   VkPipelineLayout layout;
   VkPipelineCreateFlags2KHR flags;
};

static struct stage_array stage_array_of(const void *info)
{
   const VkBaseInStructure *base = info;
   if (base->sType == VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR) {
      const VkRayTracingPipelineCreateInfoKHR *rays = info;
      return (struct stage_array){true, rays->stageCount, rays->pStages, rays->pLibraryInfo, rays->layout, icd_pipeline_flags(rays->pNext, rays->flags)};
   }
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
   if (base->sType == VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX) {
      const VkExecutionGraphPipelineCreateInfoAMDX *graph = info;
      return (struct stage_array){true, graph->stageCount, graph->pStages, graph->pLibraryInfo, graph->layout,
                                  icd_pipeline_flags(graph->pNext, graph->flags)};
   }
#endif
   return (struct stage_array){0};
}

/* Of its stages and those of its libraries; whatever else a create info says has no part in the code. */
static VkResult key_of_stages(struct icd_device *device, const void *info, struct util_hash *hash)
{
   const VkBaseInStructure *base = info;
   const VkGraphicsPipelineCreateInfo *graphics = base->sType == VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO ? info : NULL;
   const VkComputePipelineCreateInfo *compute = base->sType == VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO ? info : NULL;
   const struct stage_array many = stage_array_of(info);
   const uint32_t num_stages = graphics ? ABI_NUM_STAGES : many.is_array ? many.count : 1;
   const VkPipelineLibraryCreateInfoKHR *libraries =
      many.is_array ? many.libraries : icd_chain_find(base->pNext, VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR);
   struct icd_stage_job *jobs[ABI_NUM_STAGES];
   struct icd_stage_list list;
   VkResult result = icd_stages_init(&list, device, NULL, num_stages);
   if (result != VK_SUCCESS)
      return result;
   icd_stages_begin(&list, base->pNext);
   if (graphics)
      (void)icd_graphics_add_stages(&list, graphics, NULL, jobs);
   else if (compute)
      (void)icd_stages_add(&list, &compute->stage, icd_pipeline_layout_from_handle(compute->layout), NULL,
                           icd_pipeline_flags(compute->pNext, compute->flags));
   for (uint32_t i = 0; i < many.count; i++)
      (void)icd_stages_add(&list, &many.stages[i], icd_pipeline_layout_from_handle(many.layout), NULL, many.flags);
   *hash = util_hash_bytes(&base->sType, sizeof(base->sType));
   for (uint32_t i = 0; i < list.num_jobs; i++) {
      if (list.jobs[i].result == VK_ERROR_OUT_OF_HOST_MEMORY)
         result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (list.jobs[i].result != VK_SUCCESS)
         continue;
      const struct util_hash key = comp_shader_key(&list.jobs[i].request.desc);
      *hash = util_hash_more(*hash, &key, sizeof(key));
   }
   for (uint32_t l = 0; libraries && l < libraries->libraryCount; l++) {
      const struct icd_pipeline *library = icd_pipeline_from_handle(libraries->pLibraries[l]);
      const uint32_t count = library->ray_shaders ? library->ray_shaders->num_shaders : library->graph ? library->graph->num_nodes : ABI_NUM_STAGES;
      struct icd_shader *const *shaders = library->ray_shaders ? library->ray_shaders->shaders :
                                          library->graph       ? library->graph->shaders
                                                               : library->shaders;
      for (uint32_t i = 0; i < count; i++) {
         if (shaders[i])
            *hash = util_hash_more(*hash, &shaders[i]->key, sizeof(shaders[i]->key));
      }
   }
   icd_stages_finish(&list);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineKeyKHR(VkDevice device, const VkPipelineCreateInfoKHR *pPipelineCreateInfo,
                                                     VkPipelineBinaryKeyKHR *pPipelineKey)
{
   struct util_hash hash;
   uint8_t uuid[VK_UUID_SIZE];
   if (!pPipelineCreateInfo || !pPipelineCreateInfo->pNext) {
      icd_shader_binary_uuid(uuid);
      key_init(pPipelineKey, uuid, sizeof(uuid));
      return VK_SUCCESS;
   }
   const VkResult result = key_of_stages(icd_device_from_handle(device), pPipelineCreateInfo->pNext, &hash);
   if (result == VK_SUCCESS)
      key_init(pPipelineKey, &hash, sizeof(hash));
   return result;
}

/* ---- creation ---- */

/* Takes over a reference to the shader. */
static VkResult binary_create(struct icd_device *device, const VkAllocationCallbacks *allocator, struct icd_shader *shader, VkPipelineBinaryKHR *handle)
{
   struct icd_pipeline_binary *binary = icd_object_alloc(device, allocator, sizeof(*binary), VK_OBJECT_TYPE_PIPELINE_BINARY_KHR);
   if (!binary) {
      icd_shader_release(shader);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   binary->shader = shader;
   *handle = icd_pipeline_binary_to_handle(binary);
   return VK_SUCCESS;
}

/* The binary that an application has kept; its key must be that of the data. */
static VkResult read_binary(struct icd_device *device, const VkAllocationCallbacks *allocator, const VkPipelineBinaryKeyKHR *key,
                            const VkPipelineBinaryDataKHR *data, VkPipelineBinaryKHR *handle)
{
   struct icd_shader *shader;
   VkResult result = icd_shader_binary_read(data->pData, data->dataSize, ABI_NUM_STAGES, "binary", &shader);
   if (result != VK_SUCCESS)
      return result == VK_ERROR_OUT_OF_HOST_MEMORY ? result : VK_ERROR_INITIALIZATION_FAILED;
   if (key->keySize != sizeof(shader->key) || memcmp(key->key, &shader->key, sizeof(shader->key)) != 0) {
      icd_shader_release(shader);
      return VK_ERROR_INITIALIZATION_FAILED;
   }
   return binary_create(device, allocator, shader, handle);
}

/* Those of a pipeline, `index` counting the ones that are there; NULL: no more. */
static struct icd_shader *shader_of(const struct icd_pipeline *pipeline, uint32_t index)
{
   if (pipeline->ray_shaders)
      return index < pipeline->ray_shaders->num_shaders ? pipeline->ray_shaders->shaders[index] : NULL;
   if (pipeline->graph)
      return index < pipeline->graph->num_nodes ? pipeline->graph->shaders[index] : NULL;
   for (uint32_t i = 0; i < ABI_NUM_STAGES; i++) {
      if (pipeline->shaders[i] && index-- == 0)
         return pipeline->shaders[i];
   }
   return NULL;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreatePipelineBinariesKHR(VkDevice _device, const VkPipelineBinaryCreateInfoKHR *pCreateInfo,
                                                             const VkAllocationCallbacks *pAllocator,
                                                             VkPipelineBinaryHandlesInfoKHR *pBinaries)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkPipelineBinaryKeysAndDataKHR *data = pCreateInfo->pKeysAndDataInfo;
   const struct icd_pipeline *pipeline = icd_pipeline_from_handle(pCreateInfo->pipeline);
   uint32_t total = data ? data->binaryCount : 0;
   if (!data && !pipeline) /* no cache of the driver's is offered to be asked */
      return VK_PIPELINE_BINARY_MISSING_KHR;
   while (!data && shader_of(pipeline, total))
      total++;
   if (!pBinaries->pPipelineBinaries) {
      pBinaries->pipelineBinaryCount = total;
      return VK_SUCCESS;
   }
   const uint32_t count = UTIL_MIN(total, pBinaries->pipelineBinaryCount);
   VkResult result = count < total ? VK_INCOMPLETE : VK_SUCCESS;
   for (uint32_t i = 0; i < count; i++) {
      VkPipelineBinaryKHR *handle = &pBinaries->pPipelineBinaries[i];
      VkResult one;
      *handle = VK_NULL_HANDLE;
      if (data) {
         one = read_binary(device, pAllocator, &data->pPipelineBinaryKeys[i], &data->pPipelineBinaryData[i], handle);
      } else {
         struct icd_shader *shader = shader_of(pipeline, i);
         icd_shader_retain(shader);
         one = binary_create(device, pAllocator, shader, handle);
      }
      if (one != VK_SUCCESS && result >= 0)
         result = one;
   }
   pBinaries->pipelineBinaryCount = count;
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyPipelineBinaryKHR(VkDevice device, VkPipelineBinaryKHR pipelineBinary, const VkAllocationCallbacks *pAllocator)
{
   struct icd_pipeline_binary *binary = icd_pipeline_binary_from_handle(pipelineBinary);
   if (!binary)
      return;
   icd_shader_release(binary->shader);
   icd_object_free(icd_device_from_handle(device), pAllocator, binary);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPipelineBinaryDataKHR(VkDevice device, const VkPipelineBinaryDataInfoKHR *pInfo,
                                                            VkPipelineBinaryKeyKHR *pPipelineBinaryKey, size_t *pPipelineBinaryDataSize,
                                                            void *pPipelineBinaryData)
{
   const struct icd_shader *shader = icd_pipeline_binary_from_handle(pInfo->pipelineBinary)->shader;
   size_t needed = 0;
   VkResult result = icd_shader_binary_write(shader, &needed, NULL);
   if (result == VK_SUCCESS && pPipelineBinaryData && *pPipelineBinaryDataSize < needed)
      result = VK_ERROR_NOT_ENOUGH_SPACE_KHR;
   else if (result == VK_SUCCESS && pPipelineBinaryData)
      result = icd_shader_binary_write(shader, pPipelineBinaryDataSize, pPipelineBinaryData);
   *pPipelineBinaryDataSize = needed;
   if (result == VK_SUCCESS)
      key_init(pPipelineBinaryKey, &shader->key, sizeof(shader->key));
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ReleaseCapturedPipelineDataKHR(VkDevice device, const VkReleaseCapturedPipelineDataInfoKHR *pInfo,
                                                                  const VkAllocationCallbacks *pAllocator)
{
   return VK_SUCCESS;
}
