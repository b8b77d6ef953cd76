/* SPDX-License-Identifier: MIT
 * Events, as the host sees them. */
#include "icd/sync/event.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "icd/sync/poll.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateEvent(VkDevice _device, const VkEventCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator, VkEvent *pEvent)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_event *event = icd_object_alloc(device, pAllocator, sizeof(*event), VK_OBJECT_TYPE_EVENT);
   if (!event)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkResult result = rt_timeline_init(&event->timeline, 0);
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, event);
      return result;
   }
   *pEvent = icd_event_to_handle(event);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyEvent(VkDevice device, VkEvent _event, const VkAllocationCallbacks *pAllocator)
{
   struct icd_event *event = icd_event_from_handle(_event);
   if (!event)
      return;
   rt_timeline_finish(&event->timeline);
   icd_object_free(icd_device_from_handle(device), pAllocator, event);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetEventStatus(VkDevice device, VkEvent event)
{
   if (icd_device_status(icd_device_from_handle(device)) != VK_SUCCESS)
      return VK_ERROR_DEVICE_LOST;
   const struct rt_wait wait = {&icd_event_from_handle(event)->timeline, 1};
   return icd_poll(icd_device_from_handle(device), &wait) ? VK_EVENT_SET : VK_EVENT_RESET;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_SetEvent(VkDevice device, VkEvent event)
{
   rt_timeline_signal(&icd_event_from_handle(event)->timeline, 1);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetEvent(VkDevice device, VkEvent event)
{
   rt_timeline_signal(&icd_event_from_handle(event)->timeline, 0);
   return VK_SUCCESS;
}
