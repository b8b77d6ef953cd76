/* SPDX-License-Identifier: MIT
 * Presenting: the queue waits for the semaphores and then marks the images as rendered; the swapchains' threads do the
 * rest.
 * Spec: Window System Integration, "WSI Swapchain"; VK_KHR_present_wait, VK_KHR_present_wait2; VK_GOOGLE_display_timing, VK_EXT_present_timing. */
#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"
#include "icd/wsi/present_timing.h"
#include "icd/wsi/swapchain.h"
#include "runtime/device.h"

enum { SHORT_BYTES = 512 };

/* What is chained to VkPresentInfoKHR; each may be NULL. */
struct chained {
   const uint64_t *ids; /* [swapchainCount] */
   const VkPresentRegionsKHR *regions;
   const VkPresentTimesInfoGOOGLE *times;
   const VkSwapchainPresentFenceInfoEXT *fences;
   const VkSwapchainPresentModeInfoEXT *modes;
#ifdef VK_EXT_present_timing
   const VkPresentTimingsInfoEXT *timings;
#endif
};

/* By either version of the structure. */
static const uint64_t *present_ids(const void *chain)
{
#ifdef VK_KHR_present_id2
   const VkPresentId2KHR *second = icd_chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_ID_2_KHR);
   if (second)
      return second->pPresentIds;
#endif
   const VkPresentIdKHR *ids = icd_chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_ID_KHR);
   return ids ? ids->pPresentIds : NULL;
}

/* The least rectangle around a region; empty: no region is given. */
static VkRect2D region_bounds(const VkPresentRegionKHR *region)
{
   int64_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = 0, y1 = 0;
   for (uint32_t i = 0; i < region->rectangleCount; i++) {
      const VkRectLayerKHR *rect = &region->pRectangles[i];
      x0 = UTIL_MIN(x0, rect->offset.x);
      y0 = UTIL_MIN(y0, rect->offset.y);
      x1 = UTIL_MAX(x1, (int64_t)rect->offset.x + rect->extent.width);
      y1 = UTIL_MAX(y1, (int64_t)rect->offset.y + rect->extent.height);
   }
   if (x0 >= x1 || y0 >= y1)
      return (VkRect2D){0};
   return (VkRect2D){{(int32_t)x0, (int32_t)y0}, {(uint32_t)(x1 - x0), (uint32_t)(y1 - y0)}};
}

static struct wsi_present describe_present(const VkPresentInfoKHR *info, const struct chained *chained, uint32_t i,
                                           uint64_t ticket)
{
   struct wsi_present present = {
      .image = info->pImageIndices[i],
      .ticket = ticket,
      .mode = VK_PRESENT_MODE_MAX_ENUM_KHR,
   };
   if (chained->ids)
      present.id = chained->ids[i];
   if (chained->regions && chained->regions->pRegions)
      present.damage = region_bounds(&chained->regions->pRegions[i]);
   if (chained->fences)
      present.fence = icd_fence_from_handle(chained->fences->pFences[i]);
   if (chained->modes)
      present.mode = chained->modes->pPresentModes[i];
   if (chained->times && chained->times->pTimes) {
      present.has_timing = true;
      present.timing_id = chained->times->pTimes[i].presentID;
      present.target_time.ns = chained->times->pTimes[i].desiredPresentTime;
   }
#ifdef VK_EXT_present_timing
   if (chained->timings && chained->timings->pTimingInfos && i < chained->timings->swapchainCount)
      icd_present_timing(&chained->timings->pTimingInfos[i], &present);
#endif
   return present;
}

/* The queue waits for the semaphores, then moves each image's timeline on. All or nothing. */
static VkResult submit_waits(struct icd_queue *queue, const VkPresentInfoKHR *info)
{
   _Alignas(16) char short_memory[SHORT_BYTES];
   struct icd_device *device = queue->base.device;
   size_t bytes = 0;
   const size_t waits_at = icd_block_add(&bytes, info->waitSemaphoreCount, sizeof(struct rt_wait));
   const size_t signals_at = icd_block_add(&bytes, info->swapchainCount, sizeof(struct rt_wait));
   const size_t presents_at = icd_block_add(&bytes, info->swapchainCount, sizeof(struct rt_presented));
   void *memory = short_memory;
   if (bytes > SHORT_BYTES)
      memory = util_alloc(device->allocator, bytes, 16, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
   if (!memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   struct rt_wait *waits = icd_block_at(memory, waits_at), *signals = icd_block_at(memory, signals_at);
   struct rt_presented *presents = icd_block_at(memory, presents_at);
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      waits[i] = icd_semaphore_next_wait(icd_semaphore_from_handle(info->pWaitSemaphores[i]), 0);
   for (uint32_t i = 0; i < info->swapchainCount; i++) {
      struct icd_swapchain *swapchain = icd_swapchain_from_handle(info->pSwapchains[i]);
      struct icd_swapchain_image *image = &swapchain->images[info->pImageIndices[i]];
      signals[i] = (struct rt_wait){&image->rendered, ++image->num_presents};
      presents[i] = icd_swapchain_presented(swapchain, info->pImageIndices[i]);
   }
   const struct rt_submit submit = {
      .waits = waits,
      .num_waits = info->waitSemaphoreCount,
      .signals = signals,
      .num_signals = info->swapchainCount,
      .presents = presents,
      .num_presents = info->swapchainCount,
   };
   const VkResult result = rt_queue_submit(queue->rt, &submit);
   if (result != VK_SUCCESS) {
      for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
         icd_semaphore_undo_wait(&waits[i]);
      for (uint32_t i = 0; i < info->swapchainCount; i++)
         icd_swapchain_from_handle(info->pSwapchains[i])->images[info->pImageIndices[i]].num_presents--;
   }
   if (memory != short_memory)
      util_free(device->allocator, memory);
   return result;
}

/* Which of two results the whole call returns. */
static VkResult worse(VkResult a, VkResult b)
{
   static const VkResult order[] = {VK_ERROR_DEVICE_LOST, VK_ERROR_SURFACE_LOST_KHR, VK_ERROR_OUT_OF_DATE_KHR, WSI_TIMING_QUEUE_FULL};
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(order); i++) {
      if (a == order[i] || b == order[i])
         return order[i];
   }
   if (a < 0 || b < 0)
      return a < 0 ? a : b;
   return a != VK_SUCCESS ? a : b;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueuePresentKHR(VkQueue _queue, const VkPresentInfoKHR *pPresentInfo)
{
   struct icd_queue *queue = icd_queue_from_handle(_queue);
   const void *chain = pPresentInfo->pNext;
   const struct chained chained = {
      .ids = present_ids(chain),
      .regions = icd_chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_REGIONS_KHR),
      .times = icd_chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_TIMES_INFO_GOOGLE),
      .fences = icd_chain_find(chain, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_FENCE_INFO_EXT),
      .modes = icd_chain_find(chain, VK_STRUCTURE_TYPE_SWAPCHAIN_PRESENT_MODE_INFO_EXT),
#ifdef VK_EXT_present_timing
      .timings = icd_chain_find(chain, VK_STRUCTURE_TYPE_PRESENT_TIMINGS_INFO_EXT),
#endif
   };
   VkResult result = submit_waits(queue, pPresentInfo);
   const bool is_submitted = result == VK_SUCCESS;
   for (uint32_t i = 0; i < pPresentInfo->swapchainCount; i++) {
      struct icd_swapchain *swapchain = icd_swapchain_from_handle(pPresentInfo->pSwapchains[i]);
      VkResult one = result;
      if (is_submitted) {
         const uint64_t ticket = swapchain->images[pPresentInfo->pImageIndices[i]].num_presents;
         const struct wsi_present present = describe_present(pPresentInfo, &chained, i, ticket);
         one = wsi_swapchain_present(swapchain->wsi, &present);
         result = worse(result, one);
      }
      if (pPresentInfo->pResults)
         pPresentInfo->pResults[i] = one;
   }
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_WaitForPresentKHR(VkDevice _device, VkSwapchainKHR swapchain, uint64_t presentId,
                                                     uint64_t timeout)
{
   return wsi_swapchain_wait(icd_swapchain_from_handle(swapchain)->wsi, presentId, timeout);
}

#ifdef VK_KHR_present_wait2
VKAPI_ATTR VkResult VKAPI_CALL icd_WaitForPresent2KHR(VkDevice device, VkSwapchainKHR swapchain, const VkPresentWait2InfoKHR *pInfo)
{
   return icd_WaitForPresentKHR(device, swapchain, pInfo->presentId, pInfo->timeout);
}
#endif

VKAPI_ATTR VkResult VKAPI_CALL icd_GetRefreshCycleDurationGOOGLE(VkDevice device, VkSwapchainKHR swapchain,
                                                                 VkRefreshCycleDurationGOOGLE *pDuration)
{
   pDuration->refreshDuration = wsi_swapchain_refresh_ns(icd_swapchain_from_handle(swapchain)->wsi);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPastPresentationTimingGOOGLE(VkDevice device, VkSwapchainKHR swapchain,
                                                                   uint32_t *pCount,
                                                                   VkPastPresentationTimingGOOGLE *pTimings)
{
   return wsi_swapchain_past_timings(icd_swapchain_from_handle(swapchain)->wsi, pCount, pTimings);
}
