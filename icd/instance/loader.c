/* SPDX-License-Identifier: MIT
 * What the Vulkan loader calls, and which entry points answer.
 * Spec: Initialization, "Command Function Pointers"; the loader's LoaderDriverInterface.md, version 7.
 * These four functions are all that the library exports. */
#include "icd/device/device.h"
#include "icd/instance/instance.h"

#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char *pName);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *pName);
EXPORT VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *pName);

/* Versions below 2 had no negotiation: a loader that calls this knows at least that. */
enum { MIN_INTERFACE_VERSION = 2, MAX_INTERFACE_VERSION = 7 };

VKAPI_ATTR VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t *pVersion)
{
   if (*pVersion < MIN_INTERFACE_VERSION)
      return VK_ERROR_INCOMPATIBLE_DRIVER;
   *pVersion = UTIL_MIN(*pVersion, MAX_INTERFACE_VERSION);
   return VK_SUCCESS;
}

/* What the loader itself asks for by name from interface version 7 on. */
static PFN_vkVoidFunction find_interface_function(const char *name)
{
   static const struct {
      const char *name;
      PFN_vkVoidFunction function;
   } functions[] = {
      {"vk_icdNegotiateLoaderICDInterfaceVersion", (PFN_vkVoidFunction)vk_icdNegotiateLoaderICDInterfaceVersion},
      {"vk_icdGetInstanceProcAddr", (PFN_vkVoidFunction)vk_icdGetInstanceProcAddr},
      {"vk_icdGetPhysicalDeviceProcAddr", (PFN_vkVoidFunction)vk_icdGetPhysicalDeviceProcAddr},
   };
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(functions); i++) {
      if (strcmp(name, functions[i].name) == 0)
         return functions[i].function;
   }
   return NULL;
}

/* Commands that need the device count as exposed if the device offers what they belong to. */
static bool is_exposed_by_instance(const struct icd_instance *instance, const struct icd_command *command)
{
   struct icd_extension_set extensions = instance->extensions;
   uint32_t version = instance->api_version;
   if (command->level != ICD_COMMAND_INSTANCE) {
      const struct icd_extension_set *offered = &instance->physical_device.extensions;
      for (size_t i = 0; i < UTIL_ARRAY_SIZE(extensions.words); i++)
         extensions.words[i] |= offered->words[i];
      version = UTIL_MIN(version, ICD_DEVICE_VERSION);
   }
   return icd_command_is_exposed(command, version, &extensions);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL icd_GetInstanceProcAddr(VkInstance _instance, const char *pName)
{
   const struct icd_instance *instance = icd_instance_from_handle(_instance);
   const struct icd_command *command = icd_command_find(pName);
   if (!command)
      return instance ? NULL : find_interface_function(pName);

   const PFN_vkVoidFunction function = icd_command_function(command);
   if (function == (PFN_vkVoidFunction)icd_GetInstanceProcAddr)
      return function;
   if (!instance)
      return command->level == ICD_COMMAND_GLOBAL ? function : NULL;
   return command->level != ICD_COMMAND_GLOBAL && is_exposed_by_instance(instance, command) ? function : NULL;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL icd_GetDeviceProcAddr(VkDevice _device, const char *pName)
{
   const struct icd_device *device = icd_device_from_handle(_device);
   const struct icd_command *command = icd_command_find(pName);
   if (!command || command->level != ICD_COMMAND_DEVICE ||
       !icd_command_is_exposed(command, device->api_version, &device->extensions))
      return NULL;
   return icd_command_function(command);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vkGetInstanceProcAddr(VkInstance instance, const char *pName)
{
   return icd_GetInstanceProcAddr(instance, pName);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char *pName)
{
   return icd_GetInstanceProcAddr(instance, pName);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char *pName)
{
   const struct icd_command *command = icd_command_find(pName);
   return command && command->level == ICD_COMMAND_PHYSICAL_DEVICE ? icd_GetInstanceProcAddr(instance, pName) : NULL;
}
