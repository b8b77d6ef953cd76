/* SPDX-License-Identifier: MIT
 * VkPhysicalDevice: queries. Formats are in format_properties.c. */
#include "icd/device/physical_device.h"

#include "icd/chain.h"
#include "icd/device/exceptions.h"
#include "icd/instance/instance.h"
#include "icd/resource/device_memory.h"
#include "util/cpu.h"

#include <stdio.h>
#include <string.h>

/* Each heap is the whole memory of the machine: what is allocated in one is missing in the other's budget. */
static void fill_memory(VkPhysicalDeviceMemoryProperties *memory)
{
   const VkMemoryPropertyFlags host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
   *memory = (VkPhysicalDeviceMemoryProperties){
      .memoryHeapCount = ICD_NUM_MEMORY_HEAPS,
      .memoryHeaps[ICD_MEMORY_HEAP_DEVICE] = {util_cpu_memory_bytes(), VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
      .memoryHeaps[ICD_MEMORY_HEAP_HOST] = {util_cpu_memory_bytes(), 0},
      .memoryTypeCount = icd_first_memory_type() + ICD_NUM_MEMORY_TYPES,
      .memoryTypes[0] = {VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, ICD_MEMORY_HEAP_HOST},
   };
   VkMemoryType *types = memory->memoryTypes + icd_first_memory_type();
   types[ICD_MEMORY_TYPE_HOST] = (VkMemoryType){host, ICD_MEMORY_HEAP_HOST};
   types[ICD_MEMORY_TYPE_DEVICE] = (VkMemoryType){host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, ICD_MEMORY_HEAP_DEVICE};
   types[ICD_MEMORY_TYPE_PROTECTED] =
      (VkMemoryType){VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, ICD_MEMORY_HEAP_DEVICE};
}

void icd_physical_device_init(struct icd_physical_device *physical_device, struct icd_instance *instance,
                              const VkApplicationInfo *application)
{
   icd_object_init(&physical_device->base, NULL, VK_OBJECT_TYPE_PHYSICAL_DEVICE);
   physical_device->instance = instance;
   physical_device->extensions = *icd_device_extensions();
   icd_features_fill(&physical_device->features);
   icd_exceptions_apply(application, &physical_device->extensions, &physical_device->features);
   icd_properties_fill(&physical_device->properties, &physical_device->features);
   fill_memory(&physical_device->memory);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateDeviceExtensionProperties(VkPhysicalDevice physicalDevice,
                                                                      const char *pLayerName, uint32_t *pPropertyCount,
                                                                      VkExtensionProperties *pProperties)
{
   if (pLayerName)
      return VK_ERROR_LAYER_NOT_PRESENT;
   return icd_enumerate_extensions(&icd_physical_device_from_handle(physicalDevice)->extensions, pPropertyCount,
                                   pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateDeviceLayerProperties(VkPhysicalDevice physicalDevice,
                                                                  uint32_t *pPropertyCount,
                                                                  VkLayerProperties *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

/* ---- features and properties ---- */

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                                         VkPhysicalDeviceFeatures *pFeatures)
{
   icd_features_get_core(&icd_physical_device_from_handle(physicalDevice)->features, pFeatures);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                          VkPhysicalDeviceFeatures2 *pFeatures)
{
   icd_features_answer(&icd_physical_device_from_handle(physicalDevice)->features, pFeatures);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                           VkPhysicalDeviceProperties *pProperties)
{
   *pProperties = icd_physical_device_from_handle(physicalDevice)->properties.core;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                                            VkPhysicalDeviceProperties2 *pProperties)
{
   icd_properties_answer(&icd_physical_device_from_handle(physicalDevice)->properties, pProperties);
}

/* ---- queues ---- */

/* All are served by the same threads, so that work for one need not wait for another's: what programs keep queues of
 * compute and transfer for. The first can do everything. */
static const VkQueueFlags family_flags[ICD_NUM_QUEUE_FAMILIES] = {
   VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
   VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT,
   VK_QUEUE_TRANSFER_BIT,
};

static VkQueueFamilyProperties family_properties(const struct icd_physical_device *physical_device, uint32_t family)
{
   const VkQueueFlags sparse = physical_device->features.sparseBinding ? VK_QUEUE_SPARSE_BINDING_BIT : 0;
   const VkQueueFlags protected = physical_device->features.protectedMemory ? VK_QUEUE_PROTECTED_BIT : 0;
   return (VkQueueFamilyProperties){
      .queueFlags = family_flags[family] | sparse | protected,
      .queueCount = ICD_NUM_QUEUES,
      .timestampValidBits = 64,
      .minImageTransferGranularity = {1, 1, 1},
   };
}

/* How many of the families are written, which `count` becomes. */
static uint32_t answer_count(uint32_t *count, bool has_room)
{
   *count = has_room ? UTIL_MIN(*count, (uint32_t)ICD_NUM_QUEUE_FAMILIES) : ICD_NUM_QUEUE_FAMILIES;
   return has_room ? *count : 0;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice,
                                                                      uint32_t *pQueueFamilyPropertyCount,
                                                                      VkQueueFamilyProperties *pQueueFamilyProperties)
{
   const uint32_t count = answer_count(pQueueFamilyPropertyCount, pQueueFamilyProperties != NULL);
   for (uint32_t i = 0; i < count; i++)
      pQueueFamilyProperties[i] = family_properties(icd_physical_device_from_handle(physicalDevice), i);
}

/* Images and copies are the same on every family. */
static void answer_family(VkBaseOutStructure *chain)
{
   for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES) {
         VkQueueFamilyGlobalPriorityProperties *out = (VkQueueFamilyGlobalPriorityProperties *)s;
         out->priorityCount = 2;
         out->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_LOW;
         out->priorities[1] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM;
      }
#ifdef VK_KHR_maintenance9
      if (s->sType == VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR)
         ((VkQueueFamilyOwnershipTransferPropertiesKHR *)s)->optimalImageTransferToQueueFamilies = (1u << ICD_NUM_QUEUE_FAMILIES) - 1;
#endif
#ifdef VK_KHR_maintenance11
      if (s->sType == VK_STRUCTURE_TYPE_QUEUE_FAMILY_OPTIMAL_IMAGE_TRANSFER_GRANULARITY_PROPERTIES_KHR)
         ((VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR *)s)->optimalImageTransferGranularity = (VkExtent3D){1, 1, 1};
#endif
   }
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice,
                                                                       uint32_t *pQueueFamilyPropertyCount,
                                                                       VkQueueFamilyProperties2 *pQueueFamilyProperties)
{
   const uint32_t count = answer_count(pQueueFamilyPropertyCount, pQueueFamilyProperties != NULL);
   for (uint32_t i = 0; i < count; i++) {
      pQueueFamilyProperties[i].queueFamilyProperties = family_properties(icd_physical_device_from_handle(physicalDevice), i);
      answer_family(pQueueFamilyProperties[i].pNext);
   }
}

/* ---- memory ---- */

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties(VkPhysicalDevice physicalDevice,
                                                                 VkPhysicalDeviceMemoryProperties *pMemoryProperties)
{
   *pMemoryProperties = icd_physical_device_from_handle(physicalDevice)->memory;
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physicalDevice,
                                                                  VkPhysicalDeviceMemoryProperties2 *pMemoryProperties)
{
   struct icd_physical_device *physical_device = icd_physical_device_from_handle(physicalDevice);
   VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
      icd_chain_find_out(pMemoryProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);

   pMemoryProperties->memoryProperties = physical_device->memory;
   if (!budget)
      return;
   for (uint32_t i = 0; i < VK_MAX_MEMORY_HEAPS; i++)
      budget->heapBudget[i] = budget->heapUsage[i] = 0;
   uint64_t used_bytes[ICD_NUM_MEMORY_HEAPS];
   const uint64_t all_bytes = icd_memory_used_bytes(used_bytes);
   for (uint32_t i = 0; i < ICD_NUM_MEMORY_HEAPS; i++) {
      const uint64_t size = physical_device->memory.memoryHeaps[i].size, others = all_bytes - used_bytes[i];
      budget->heapUsage[i] = used_bytes[i];
      budget->heapBudget[i] = size - UTIL_MIN(others, size);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceMultisamplePropertiesEXT(VkPhysicalDevice physicalDevice,
                                                                         VkSampleCountFlagBits samples,
                                                                         VkMultisamplePropertiesEXT *pMultisampleProperties)
{
   const struct icd_properties *properties = &icd_physical_device_from_handle(physicalDevice)->properties;
   const bool has_locations = properties->sampleLocationSampleCounts & samples;
   pMultisampleProperties->maxSampleLocationGridSize =
      has_locations ? properties->maxSampleLocationGridSize : (VkExtent2D){0, 0};
}

/* No tool is active: layers add themselves. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceToolProperties(VkPhysicalDevice physicalDevice, uint32_t *pToolCount,
                                                                   VkPhysicalDeviceToolProperties *pToolProperties)
{
   *pToolCount = 0;
   return VK_SUCCESS;
}
