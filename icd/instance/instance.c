/* SPDX-License-Identifier: MIT
 * VkInstance. */
#include "icd/instance/instance.h"

#include "icd/instance/messenger.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceVersion(uint32_t *pApiVersion)
{
   *pApiVersion = ICD_INSTANCE_VERSION | VK_HEADER_VERSION;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceExtensionProperties(const char *pLayerName, uint32_t *pPropertyCount,
                                                                        VkExtensionProperties *pProperties)
{
   if (pLayerName)
      return VK_ERROR_LAYER_NOT_PRESENT;
   return icd_enumerate_extensions(icd_instance_extensions(), pPropertyCount, pProperties);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumerateInstanceLayerProperties(uint32_t *pPropertyCount,
                                                                    VkLayerProperties *pProperties)
{
   *pPropertyCount = 0;
   return VK_SUCCESS;
}

/* Messages of a creation that fails reach the messengers of its chain. */
static VkResult check_create_info(struct icd_instance *instance, const VkInstanceCreateInfo *info)
{
   if (info->enabledLayerCount > 0)
      return VK_ERROR_LAYER_NOT_PRESENT;

   const VkResult result = icd_enable_extensions(icd_instance_extensions(), info->enabledExtensionCount,
                                                 info->ppEnabledExtensionNames, &instance->extensions);
   if (result != VK_SUCCESS)
      return result;

   uint32_t version = info->pApplicationInfo ? info->pApplicationInfo->apiVersion : 0;
   if (version == 0)
      version = VK_API_VERSION_1_0;
   instance->api_version = VK_MAKE_API_VERSION(0, VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version), 0);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateInstance(const VkInstanceCreateInfo *pCreateInfo,
                                                  const VkAllocationCallbacks *pAllocator, VkInstance *pInstance)
{
   struct icd_instance *instance = util_zalloc(pAllocator, sizeof(*instance), 16, VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE);
   if (!instance)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   icd_object_init(&instance->base, NULL, VK_OBJECT_TYPE_INSTANCE);
   if (pAllocator) {
      instance->allocator_storage = *pAllocator;
      instance->allocator = &instance->allocator_storage;
   }

   VkResult result = icd_messengers_init(instance, pCreateInfo->pNext);
   if (result != VK_SUCCESS)
      goto free_instance;
   result = check_create_info(instance, pCreateInfo);
   if (result != VK_SUCCESS) {
      icd_message(instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                  "create-instance", NULL, "a layer, an extension or an API variant is asked for that is not there");
      goto finish_messengers;
   }
   icd_physical_device_init(&instance->physical_device, instance, pCreateInfo->pApplicationInfo);
   icd_messengers_listen(instance, false);
   *pInstance = icd_instance_to_handle(instance);
   return VK_SUCCESS;

finish_messengers:
   icd_messengers_finish(instance);
free_instance:
   util_free(pAllocator, instance);
   return result;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyInstance(VkInstance _instance, const VkAllocationCallbacks *pAllocator)
{
   struct icd_instance *instance = icd_instance_from_handle(_instance);
   if (!instance)
      return;
   icd_messengers_listen(instance, true);
   icd_messengers_finish(instance);
   icd_object_finish(&instance->physical_device.base);
   icd_object_finish(&instance->base);
   util_free(pAllocator, instance);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumeratePhysicalDevices(VkInstance _instance, uint32_t *pPhysicalDeviceCount,
                                                            VkPhysicalDevice *pPhysicalDevices)
{
   struct icd_instance *instance = icd_instance_from_handle(_instance);
   if (!pPhysicalDevices) {
      *pPhysicalDeviceCount = 1;
      return VK_SUCCESS;
   }
   if (*pPhysicalDeviceCount == 0)
      return VK_INCOMPLETE;
   *pPhysicalDeviceCount = 1;
   pPhysicalDevices[0] = icd_physical_device_to_handle(&instance->physical_device);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_EnumeratePhysicalDeviceGroups(VkInstance _instance, uint32_t *pPhysicalDeviceGroupCount,
                                                                 VkPhysicalDeviceGroupProperties *pProperties)
{
   struct icd_instance *instance = icd_instance_from_handle(_instance);
   if (!pProperties) {
      *pPhysicalDeviceGroupCount = 1;
      return VK_SUCCESS;
   }
   if (*pPhysicalDeviceGroupCount == 0)
      return VK_INCOMPLETE;
   *pPhysicalDeviceGroupCount = 1;
   pProperties[0].physicalDeviceCount = 1;
   pProperties[0].physicalDevices[0] = icd_physical_device_to_handle(&instance->physical_device);
   for (uint32_t i = 1; i < VK_MAX_DEVICE_GROUP_SIZE; i++)
      pProperties[0].physicalDevices[i] = VK_NULL_HANDLE;
   pProperties[0].subsetAllocation = VK_FALSE;
   return VK_SUCCESS;
}
