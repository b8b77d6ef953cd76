/* SPDX-License-Identifier: MIT
 * Extensions: the ones we offer, each listed once it works. */
#include "icd/extensions.h"

#include "util/macros.h"

#include <pthread.h>
#include <stdio.h>

static const enum icd_extension instance_list[] = {
   ICD_EXT_KHR_device_group_creation,
   ICD_EXT_KHR_external_fence_capabilities,
   ICD_EXT_KHR_external_memory_capabilities,
   ICD_EXT_KHR_external_semaphore_capabilities,
   ICD_EXT_KHR_get_physical_device_properties2,
   ICD_EXT_EXT_debug_utils,
   ICD_EXT_EXT_headless_surface,
   ICD_EXT_KHR_display,
   ICD_EXT_KHR_get_surface_capabilities2,
   ICD_EXT_KHR_surface,
   ICD_EXT_KHR_surface_protected_capabilities,
};

static const enum icd_extension device_list[] = {
   ICD_EXT_EXT_private_data,
   ICD_EXT_EXT_tooling_info,
   ICD_EXT_KHR_driver_properties,
   ICD_EXT_KHR_format_feature_flags2,
   ICD_EXT_KHR_swapchain,
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct icd_extension_set instance_set, device_set; /* written in `once` only */

static void make_sets(void)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(instance_list); i++)
      icd_add_extension(&instance_set, instance_list[i]);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(device_list); i++)
      icd_add_extension(&device_set, device_list[i]);
}

const struct icd_extension_set *icd_instance_extensions(void)
{
   pthread_once(&once, make_sets);
   return &instance_set;
}

const struct icd_extension_set *icd_device_extensions(void)
{
   pthread_once(&once, make_sets);
   return &device_set;
}

VkResult icd_enable_extensions(const struct icd_extension_set *offered, uint32_t count, const char *const *names,
                               struct icd_extension_set *enabled)
{
   for (uint32_t i = 0; i < count; i++) {
      const enum icd_extension id = icd_extension_find(names[i]);
      if (id == ICD_NUM_EXTENSIONS || !icd_has_extension(offered, id))
         return VK_ERROR_EXTENSION_NOT_PRESENT;
      icd_add_extension(enabled, id);
   }
   return VK_SUCCESS;
}

VkResult icd_enumerate_extensions(const struct icd_extension_set *offered, uint32_t *count,
                                  VkExtensionProperties *properties)
{
   const uint32_t room = properties ? *count : 0;
   uint32_t total = 0;
   for (int id = 0; id < ICD_NUM_EXTENSIONS; id++) {
      if (!icd_has_extension(offered, (enum icd_extension)id))
         continue;
      if (total < room) {
         snprintf(properties[total].extensionName, VK_MAX_EXTENSION_NAME_SIZE, "%s",
                  icd_extension_name((enum icd_extension)id));
         properties[total].specVersion = icd_extension_infos[id].spec_version;
      }
      total++;
   }
   *count = properties ? UTIL_MIN(room, total) : total;
   return properties && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}
