/* SPDX-License-Identifier: MIT
 * VK_EXT_present_timing. The clocks of swapchains and of their stages are the system's monotonic one, as the device's is, and their list does not change;
 * nor does a window's refresh. Spec: Window System Integration, "Present Timing Queries". */
#include "icd/wsi/present_timing.h"

#include "gen/icd_entrypoints.h"
#include "icd/wsi/swapchain.h"

#ifdef VK_EXT_present_timing
_Static_assert(VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT == 1 << WSI_TIMED_RENDERED, "a stage is its bit's number");
_Static_assert(VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT == 1 << WSI_TIMED_DEQUEUED, "a stage is its bit's number");
_Static_assert(VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT == WSI_TIMING_QUEUE_FULL, "the registry's number");

enum { COUNTER = 1 }; /* of lists that never change */

/* The id of a domain is its index + 1. */
static const VkTimeDomainKHR domains[] = {
   VK_TIME_DOMAIN_PRESENT_STAGE_LOCAL_EXT,
   VK_TIME_DOMAIN_SWAPCHAIN_LOCAL_EXT,
   VK_TIME_DOMAIN_CLOCK_MONOTONIC_KHR,
   VK_TIME_DOMAIN_DEVICE_KHR,
};

/* Of an id that is none, the first: all are the same clock. */
static uint32_t domain_index(uint64_t id)
{
   return id >= 1 && id <= UTIL_ARRAY_SIZE(domains) ? (uint32_t)id - 1 : 0;
}

void icd_present_timing(const VkPresentTimingInfoEXT *info, struct wsi_present *present)
{
   present->target_time = (struct wsi_target_time){
      .ns = info->targetTime,
      .is_relative = info->flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT,
      .is_nearest = info->flags & VK_PRESENT_TIMING_INFO_PRESENT_AT_NEAREST_REFRESH_CYCLE_BIT_EXT,
      .is_for_fifo = true,
   };
   present->timing = (struct wsi_timing_request){
      .stages = info->presentStageQueries & ((1u << WSI_NUM_STAGES) - 1), .target = info->targetTime, .domain = info->timeDomainId};
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetSwapchainPresentTimingQueueSizeEXT(VkDevice device, VkSwapchainKHR swapchain, uint32_t size)
{
   return wsi_swapchain_set_timing_queue(icd_swapchain_from_handle(swapchain)->wsi, size);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSwapchainTimingPropertiesEXT(VkDevice device, VkSwapchainKHR swapchain,
                                                                   VkSwapchainTimingPropertiesEXT *pProperties, uint64_t *pCounter)
{
   pProperties->refreshDuration = wsi_swapchain_refresh_ns(icd_swapchain_from_handle(swapchain)->wsi);
   pProperties->refreshInterval = pProperties->refreshDuration;
   if (pCounter)
      *pCounter = COUNTER;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetSwapchainTimeDomainPropertiesEXT(VkDevice device, VkSwapchainKHR swapchain,
                                                                       VkSwapchainTimeDomainPropertiesEXT *pProperties, uint64_t *pCounter)
{
   const bool is_counting = !pProperties->pTimeDomains && !pProperties->pTimeDomainIds;
   const uint32_t total = UTIL_ARRAY_SIZE(domains);
   const uint32_t count = is_counting ? total : UTIL_MIN(pProperties->timeDomainCount, total);
   for (uint32_t i = 0; i < count; i++) {
      if (pProperties->pTimeDomains)
         pProperties->pTimeDomains[i] = domains[i];
      if (pProperties->pTimeDomainIds)
         pProperties->pTimeDomainIds[i] = i + 1;
   }
   pProperties->timeDomainCount = count;
   if (pCounter)
      *pCounter = COUNTER;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- past frames ---- */

static void write_timing(void *data, uint32_t index, const struct wsi_timing *timing)
{
   VkPastPresentationTimingEXT *out = &((VkPastPresentationTimingEXT *)data)[index];
   const uint32_t room = out->presentStageCount;
   out->presentId = timing->present_id;
   out->targetTime = timing->asked.target;
   out->timeDomain = domains[domain_index(timing->asked.domain)];
   out->timeDomainId = domain_index(timing->asked.domain) + 1;
   out->reportComplete = VK_TRUE; /* partial reports, which the application may allow, are never given */
   out->presentStageCount = 0;
   for (uint32_t stage = 0; stage < WSI_NUM_STAGES && out->presentStageCount < room; stage++) {
      if (timing->asked.stages >> stage & 1)
         out->pPresentStages[out->presentStageCount++] = (VkPresentStageTimeEXT){1u << stage, timing->times_ns[stage]};
   }
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPastPresentationTimingEXT(VkDevice device, const VkPastPresentationTimingInfoEXT *pInfo,
                                                                VkPastPresentationTimingPropertiesEXT *pProperties)
{
   const bool takes_any_order = pInfo->flags & VK_PAST_PRESENTATION_TIMING_ALLOW_OUT_OF_ORDER_RESULTS_BIT_EXT;
   pProperties->timingPropertiesCounter = pProperties->timeDomainsCounter = COUNTER;
   return wsi_swapchain_take_timings(icd_swapchain_from_handle(pInfo->swapchain)->wsi, takes_any_order, &pProperties->presentationTimingCount,
                                     pProperties->pPresentationTimings ? write_timing : NULL, pProperties->pPresentationTimings);
}
#endif
