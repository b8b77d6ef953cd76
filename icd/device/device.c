/* SPDX-License-Identifier: MIT
 * VkDevice and VkQueue: creation, destruction, waiting for idle. */
#include "icd/device/device.h"

#include "compiler/compiler.h"
#include "icd/cache/store.h"
#include "icd/chain.h"
#include "icd/instance/messenger.h"
#include "icd/descriptor/kept_views.h"
#include "icd/instance/instance.h"
#include "icd/instrument/instrument.h"
#include "icd/pipeline/retired.h"
#include "icd/resource/memory_report.h"
#include "runtime/device.h"
#include "runtime/instrument/hazards.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/prints.h"
#include "runtime/instrument/touches.h"
#include "util/cpu.h"
#include "util/env.h"
#include "util/thread.h"

#include <stdio.h>
#include <stdlib.h>

enum { DEFAULT_HANG_TIMEOUT_S = 10 };

VkResult icd_device_status(struct icd_device *device)
{
   return rt_device_is_lost(device->rt) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

static void report_lost(void *data, const char *reason)
{
   struct icd_device *device = data;
   snprintf(device->lost_reason, sizeof(device->lost_reason), "%s", reason);
   __atomic_store_n(&device->is_lost, true, __ATOMIC_RELEASE);
   rt_timeline_signal(&device->lost, 1);
   icd_message(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
               VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, "device-lost", &device->base, "the device is lost: %s", reason);
}

/* VK_SWRAST_TIMEOUT: seconds without progress until the device counts as lost; 0: never. */
static uint64_t hang_timeout_ns(void)
{
   return util_env_number("VK_SWRAST_TIMEOUT", UINT64_C(1) << 30, DEFAULT_HANG_TIMEOUT_S) * UINT64_C(1000000000);
}

/* Layers, extensions and features that are asked for. */
static VkResult enable(struct icd_device *device, const VkDeviceCreateInfo *info)
{
   const struct icd_physical_device *physical_device = device->physical_device;
   struct icd_instance *instance = physical_device->instance;
   uint32_t missing = 0;

   VkResult result = icd_enable_extensions(&physical_device->extensions, info->enabledExtensionCount,
                                           info->ppEnabledExtensionNames, &device->extensions);
   if (result == VK_SUCCESS)
      result = icd_features_collect(&physical_device->features, info, &device->features, &missing);

   if (result == VK_ERROR_FEATURE_NOT_PRESENT)
      icd_message(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                  "create-device", &physical_device->base, "the feature %s is not supported", icd_feature_name(missing));
   else if (result != VK_SUCCESS)
      icd_message(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                  "create-device", &physical_device->base, "an extension is asked for that is not there");
   return result;
}

void icd_device_hash_enabled(struct icd_device *device)
{
   const struct util_hash build = comp_build_hash();
   struct util_hasher hasher;
   util_hasher_begin(&hasher);
   util_hasher_add(&hasher, &build, sizeof(build));
   util_hasher_add(&hasher, &device->api_version, sizeof(device->api_version));
   util_hasher_add(&hasher, &device->extensions, sizeof(device->extensions));
   util_hasher_add(&hasher, &device->features, sizeof(device->features));
   device->enabled = util_hasher_end(&hasher);
}

static void destroy_queues(struct icd_device *device)
{
   for (uint32_t i = 0; i < device->num_queues; i++) {
      rt_queue_destroy(device->queues[i].rt);
      icd_object_finish(&device->queues[i].base);
   }
}

/* On failure destroy_queues() gives back those that were made. */
static VkResult create_queues(struct icd_device *device, const VkDeviceCreateInfo *info)
{
   for (uint32_t i = 0; i < info->queueCreateInfoCount; i++) {
      const VkDeviceQueueCreateInfo *wanted = &info->pQueueCreateInfos[i];
      const VkDeviceQueueGlobalPriorityCreateInfo *priority =
         icd_chain_find(wanted->pNext, VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO);
      if (priority && priority->globalPriority > VK_QUEUE_GLOBAL_PRIORITY_MEDIUM)
         return VK_ERROR_NOT_PERMITTED; /* threads have the priority of the process */
      for (uint32_t j = 0; j < wanted->queueCount && device->num_queues < UTIL_ARRAY_SIZE(device->queues); j++) {
         struct icd_queue *queue = &device->queues[device->num_queues];
         icd_object_init(&queue->base, device, VK_OBJECT_TYPE_QUEUE);
         queue->family = wanted->queueFamilyIndex;
         queue->index = j;
         queue->flags = wanted->flags;
         const VkResult result = rt_queue_create(device->rt, &queue->rt);
         if (result != VK_SUCCESS)
            return result;
         device->num_queues++;
      }
   }
   return VK_SUCCESS;
}

static void set_allocator(struct icd_device *device, const VkAllocationCallbacks *allocator)
{
   const VkAllocationCallbacks *chosen = allocator ? allocator : device->physical_device->instance->allocator;
   if (chosen) {
      device->allocator_storage = *chosen;
      device->allocator = &device->allocator_storage;
   }
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDevice(VkPhysicalDevice physicalDevice, const VkDeviceCreateInfo *pCreateInfo,
                                                const VkAllocationCallbacks *pAllocator, VkDevice *pDevice)
{
   struct icd_physical_device *physical_device = icd_physical_device_from_handle(physicalDevice);
   const VkAllocationCallbacks *allocator = pAllocator ? pAllocator : physical_device->instance->allocator;
   if (!comp_library_is_usable()) /* the first pipeline would be too late to say so */
      return VK_ERROR_INITIALIZATION_FAILED;
   struct icd_device *device = util_zalloc(allocator, sizeof(*device), 16, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
   if (!device)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   icd_object_init(&device->base, NULL, VK_OBJECT_TYPE_DEVICE);
   device->physical_device = physical_device;
   device->api_version = UTIL_MIN(physical_device->instance->api_version, ICD_DEVICE_VERSION);
   device->extensions = physical_device->instance->extensions;
   set_allocator(device, pAllocator);

   VkResult result = enable(device, pCreateInfo);
   if (result != VK_SUCCESS)
      goto free_device;
   icd_device_hash_enabled(device);
   util_list_init(&device->retired);
   result = icd_memory_reports_init(device, pCreateInfo->pNext);
   if (result != VK_SUCCESS)
      goto free_device;
   if (!util_mutex_init(&device->objects_lock)) {
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
      goto finish_reports;
   }
   result = rt_timeline_init(&device->lost, 0);
   if (result != VK_SUCCESS)
      goto destroy_lock;
   if (icd_checks()) {
      device->findings = rt_findings_create(icd_instrument_report, icd_instrument_end, device);
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (!device->findings)
         goto finish_lost;
   }
   if (icd_checks() & ABI_CHECK_SYNC) {
      device->hazards = rt_hazards_create(device->findings);
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (!device->hazards)
         goto destroy_findings;
   }
   if (icd_checks() & (ABI_CHECK_PRINT | ABI_CHECK_TRACE)) {
      device->prints = rt_prints_create(icd_instrument_print, device);
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (!device->prints)
         goto destroy_hazards;
   }
   if (icd_checks() & ABI_CHECK_RACE) {
      device->touches = rt_touches_create();
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
      if (!device->touches)
         goto destroy_prints;
   }
   const struct rt_device_options options = {
      .num_threads = util_cpu_threads(),
      .hang_timeout_ns = hang_timeout_ns(),
      .on_lost = report_lost,
      .on_lost_data = device,
      .findings = device->findings,
      .hazards = device->hazards,
      .prints = device->prints,
      .touches = device->touches,
   };
   result = rt_device_create(&options, &device->rt);
   if (result != VK_SUCCESS)
      goto destroy_touches;
   result = create_queues(device, pCreateInfo);
   if (result != VK_SUCCESS)
      goto destroy_runtime;

   *pDevice = icd_device_to_handle(device);
   return VK_SUCCESS;

destroy_runtime:
   destroy_queues(device);
   rt_device_destroy(device->rt);
destroy_touches:
   rt_touches_destroy(device->touches);
destroy_prints:
   rt_prints_destroy(device->prints);
destroy_hazards:
   rt_hazards_destroy(device->hazards);
destroy_findings:
   rt_findings_destroy(device->findings);
finish_lost:
   rt_timeline_finish(&device->lost);
destroy_lock:
   pthread_mutex_destroy(&device->objects_lock);
finish_reports:
   icd_memory_reports_finish(device);
free_device:
   util_free(allocator, device);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDevice(VkDevice _device, const VkAllocationCallbacks *pAllocator)
{
   struct icd_device *device = icd_device_from_handle(_device);
   if (!device)
      return;
   destroy_queues(device);
   icd_retired_finish(device);
   icd_store_flush();
   rt_device_destroy(device->rt);
   rt_touches_destroy(device->touches);
   rt_prints_destroy(device->prints);
   rt_hazards_destroy(device->hazards);
   rt_findings_destroy(device->findings);
   icd_kept_views_destroy(device->kept_views);
   util_mfree(device->border_colors);
   rt_timeline_finish(&device->lost);
   pthread_mutex_destroy(&device->objects_lock);
   icd_memory_reports_finish(device);
   icd_object_finish(&device->base);
   util_free(pAllocator ? pAllocator : device->physical_device->instance->allocator, device);
}

/* ---- queues ---- */

/* All queues are synchronized by themselves; those that are made with that flag are distinguished by it. */
static VkQueue find_queue(struct icd_device *device, VkDeviceQueueCreateFlags flags, uint32_t family, uint32_t index)
{
   for (uint32_t i = 0; i < device->num_queues; i++) {
      struct icd_queue *queue = &device->queues[i];
      if (queue->family == family && queue->index == index && queue->flags == flags)
         return icd_queue_to_handle(queue);
   }
   return VK_NULL_HANDLE;
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceQueue(VkDevice device, uint32_t queueFamilyIndex, uint32_t queueIndex, VkQueue *pQueue)
{
   *pQueue = find_queue(icd_device_from_handle(device), 0, queueFamilyIndex, queueIndex);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceQueue2(VkDevice device, const VkDeviceQueueInfo2 *pQueueInfo, VkQueue *pQueue)
{
   *pQueue = find_queue(icd_device_from_handle(device), pQueueInfo->flags, pQueueInfo->queueFamilyIndex, pQueueInfo->queueIndex);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_DeviceWaitIdle(VkDevice _device)
{
   struct icd_device *device = icd_device_from_handle(_device);
   VkResult result = VK_SUCCESS;
   for (uint32_t i = 0; i < device->num_queues; i++) {
      const VkResult one = rt_queue_wait_idle(device->queues[i].rt);
      icd_instrument_seen_idle(&device->queues[i]);
      result = one != VK_SUCCESS ? one : result;
   }
   return result;
}
