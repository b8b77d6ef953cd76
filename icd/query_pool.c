/* SPDX-License-Identifier: MIT
 * Query pools, as the host sees them. */
#include "icd/query_pool.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateQueryPool(VkDevice _device, const VkQueryPoolCreateInfo *pCreateInfo,
                                                   const VkAllocationCallbacks *pAllocator, VkQueryPool *pQueryPool)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_query_pool *pool = icd_object_alloc(device, pAllocator, sizeof(*pool), VK_OBJECT_TYPE_QUERY_POOL);
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result =
      rt_query_pool_init(&pool->rt, pCreateInfo->queryType, pCreateInfo->queryCount, pCreateInfo->pipelineStatistics);
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, pool);
      return result;
   }
   *pQueryPool = icd_query_pool_to_handle(pool);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyQueryPool(VkDevice device, VkQueryPool queryPool,
                                                const VkAllocationCallbacks *pAllocator)
{
   struct icd_query_pool *pool = icd_query_pool_from_handle(queryPool);
   if (!pool)
      return;
   rt_query_pool_finish(&pool->rt);
   icd_object_free(icd_device_from_handle(device), pAllocator, pool);
}

VKAPI_ATTR void VKAPI_CALL icd_ResetQueryPool(VkDevice device, VkQueryPool queryPool, uint32_t firstQuery,
                                              uint32_t queryCount)
{
   rt_query_pool_reset(&icd_query_pool_from_handle(queryPool)->rt, firstQuery, queryCount);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetQueryPoolResults(VkDevice _device, VkQueryPool queryPool, uint32_t firstQuery,
                                                       uint32_t queryCount, size_t dataSize, void *pData,
                                                       VkDeviceSize stride, VkQueryResultFlags flags)
{
   struct icd_device *device = icd_device_from_handle(_device);
   if (icd_device_status(device) != VK_SUCCESS)
      return VK_ERROR_DEVICE_LOST;
   return rt_query_pool_results(&icd_query_pool_from_handle(queryPool)->rt, firstQuery, queryCount, pData, stride,
                                flags, &device->is_lost);
}
