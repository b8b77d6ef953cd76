/* SPDX-License-Identifier: MIT
 * icd/object.c, messenger.c, debug_utils.c, device.c: private data, names in messages, allocators, memory that runs out. */
#include "tests/icd/counter.h"
#include "tests/icd/library.h"
#include "tests/test.h"

struct heard {
   int count;
   char message[256], object_name[64];
};

static VKAPI_ATTR VkBool32 VKAPI_CALL listen(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                             VkDebugUtilsMessageTypeFlagsEXT types,
                                             const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct heard *heard = user;
   heard->count++;
   snprintf(heard->message, sizeof(heard->message), "%s", data->pMessage);
   if (data->objectCount && data->pObjects[0].pObjectName)
      snprintf(heard->object_name, sizeof(heard->object_name), "%s", data->pObjects[0].pObjectName);
   return VK_FALSE;
}

static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct heard *heard)
{
   return (VkDebugUtilsMessengerCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
      .pfnUserCallback = listen,
      .pUserData = heard,
   };
}

TEST(messengers_hear_errors_with_names)
{
   struct heard heard = {0};
   VkInstance instance;
   VkDevice device;
   VkDebugUtilsMessengerEXT messenger;
   CHECK_EQ(create_instance(0, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, NULL, &instance), VK_SUCCESS);
   const VkDebugUtilsMessengerCreateInfoEXT info = messenger_info(&heard);
   CHECK_EQ(INSTANCE_FUNCTION(instance, vkCreateDebugUtilsMessengerEXT)(instance, &info, NULL, &messenger), VK_SUCCESS);
   CHECK_EQ(create_device(instance, NULL, NULL, NULL, &device), VK_SUCCESS);
   CHECK_EQ(heard.count, 0);

   const VkDebugUtilsObjectNameInfoEXT name = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
      .objectType = VK_OBJECT_TYPE_PHYSICAL_DEVICE,
      .objectHandle = (uintptr_t)first_physical_device(instance),
      .pObjectName = "the machine",
   };
   CHECK_EQ(DEVICE_FUNCTION(instance, device, vkSetDebugUtilsObjectNameEXT)(device, &name), VK_SUCCESS);
   VkDevice other;
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &other), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 1);
   CHECK_STR(heard.object_name, "the machine");

   VkPhysicalDeviceCooperativeMatrix2FeaturesNV workgroups = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV, .cooperativeMatrixWorkgroupScope = VK_TRUE};
   CHECK_EQ(create_device(instance, NULL, &workgroups, NULL, &other), VK_ERROR_FEATURE_NOT_PRESENT);
   CHECK(strstr(heard.message, "cooperativeMatrixWorkgroupScope") != NULL);

   INSTANCE_FUNCTION(instance, vkDestroyDebugUtilsMessengerEXT)(instance, messenger, NULL);
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &other), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 2);
   destroy_device(instance, device);
   destroy_instance(instance);
}

static VKAPI_ATTR VkBool32 VKAPI_CALL listen_report(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type,
                                                    uint64_t object, size_t location, int32_t code, const char *prefix,
                                                    const char *message, void *user)
{
   struct heard *heard = user;
   heard->count++;
   snprintf(heard->message, sizeof(heard->message), "%s", message);
   return VK_FALSE;
}

TEST(report_callbacks_hear_what_they_ask_for)
{
   struct heard heard = {0};
   VkInstance instance;
   VkDevice device;
   VkDebugReportCallbackEXT callback;
   VkDebugReportCallbackCreateInfoEXT info = {VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT, NULL,
                                              VK_DEBUG_REPORT_ERROR_BIT_EXT, listen_report, &heard};
   CHECK_EQ(create_instance(0, VK_EXT_DEBUG_REPORT_EXTENSION_NAME, NULL, &instance), VK_SUCCESS);
   const PFN_vkCreateDebugReportCallbackEXT create = INSTANCE_FUNCTION(instance, vkCreateDebugReportCallbackEXT);
   const PFN_vkDestroyDebugReportCallbackEXT destroy = INSTANCE_FUNCTION(instance, vkDestroyDebugReportCallbackEXT);
   CHECK_EQ(create(instance, &info, NULL, &callback), VK_SUCCESS);
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &device), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 1);
   CHECK(strstr(heard.message, "extension") != NULL);
   destroy(instance, callback, NULL);
   info.flags = VK_DEBUG_REPORT_WARNING_BIT_EXT;
   CHECK_EQ(create(instance, &info, NULL, &callback), VK_SUCCESS);
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &device), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 1);
   INSTANCE_FUNCTION(instance, vkDebugReportMessageEXT)
   (instance, VK_DEBUG_REPORT_WARNING_BIT_EXT, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT, 0, 0, 7, "here", "by hand");
   CHECK_EQ(heard.count, 2);
   CHECK_STR(heard.message, "by hand");
   destroy(instance, callback, NULL);
   destroy_instance(instance);
}

TEST(messenger_of_the_instances_chain)
{
   struct heard heard = {0};
   const char *extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME, "VK_KHR_nothing"};
   const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(&heard);
   VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = &messenger,
      .enabledExtensionCount = 2,
      .ppEnabledExtensionNames = extensions,
   };
   VkInstance instance;
   VkDevice device;
   CHECK_EQ(INSTANCE_FUNCTION(NULL, vkCreateInstance)(&info, NULL, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 1);
   info.enabledExtensionCount = 1;
   CHECK_EQ(INSTANCE_FUNCTION(NULL, vkCreateInstance)(&info, NULL, &instance), VK_SUCCESS);
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &device), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(heard.count, 1); /* creation is over */
   destroy_instance(instance);
}

TEST(private_data)
{
   VkInstance instance;
   VkDevice device;
   VkQueue queue;
   VkPrivateDataSlot slots[3];
   CHECK_EQ(create_instance(0, NULL, NULL, &instance), VK_SUCCESS);
   CHECK_EQ(create_device(instance, VK_EXT_PRIVATE_DATA_EXTENSION_NAME, NULL, NULL, &device), VK_SUCCESS);
   DEVICE_FUNCTION(instance, device, vkGetDeviceQueue)(device, 0, 0, &queue);
   const PFN_vkSetPrivateDataEXT set = DEVICE_FUNCTION(instance, device, vkSetPrivateDataEXT);
   const PFN_vkGetPrivateDataEXT get = DEVICE_FUNCTION(instance, device, vkGetPrivateDataEXT);
   const VkPrivateDataSlotCreateInfo info = {VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
   for (int i = 0; i < 3; i++)
      CHECK_EQ(DEVICE_FUNCTION(instance, device, vkCreatePrivateDataSlotEXT)(device, &info, NULL, &slots[i]), VK_SUCCESS);

   const uint64_t handle = (uintptr_t)queue;
   uint64_t value = 1;
   get(device, VK_OBJECT_TYPE_QUEUE, handle, slots[0], &value);
   CHECK_EQ(value, 0);
   for (int i = 0; i < 3; i++)
      CHECK_EQ(set(device, VK_OBJECT_TYPE_QUEUE, handle, slots[i], 100 + (uint64_t)i), VK_SUCCESS);
   CHECK_EQ(set(device, VK_OBJECT_TYPE_QUEUE, handle, slots[1], 7), VK_SUCCESS);
   get(device, VK_OBJECT_TYPE_QUEUE, handle, slots[2], &value);
   CHECK_EQ(value, 102);
   get(device, VK_OBJECT_TYPE_QUEUE, handle, slots[1], &value);
   CHECK_EQ(value, 7);

   /* A new slot must not find what an old one left behind. */
   DEVICE_FUNCTION(instance, device, vkDestroyPrivateDataSlotEXT)(device, slots[1], NULL);
   CHECK_EQ(DEVICE_FUNCTION(instance, device, vkCreatePrivateDataSlotEXT)(device, &info, NULL, &slots[1]), VK_SUCCESS);
   get(device, VK_OBJECT_TYPE_QUEUE, handle, slots[1], &value);
   CHECK_EQ(value, 0);
   for (int i = 0; i < 3; i++)
      DEVICE_FUNCTION(instance, device, vkDestroyPrivateDataSlotEXT)(device, slots[i], NULL);
   destroy_device(instance, device);
   destroy_instance(instance);
}

/* ---- allocators ---- */

TEST(each_allocation_fails_in_turn)
{
   int failures = 0;
   for (int fail_at = 1;; fail_at++) {
      struct counter counter = {.fail_at = fail_at};
      const VkAllocationCallbacks callbacks = {
         .pUserData = &counter, .pfnAllocation = count_alloc, .pfnFree = count_free};
      VkInstance instance;
      VkDevice device;
      VkResult result = create_instance(0, NULL, &callbacks, &instance);
      if (result == VK_SUCCESS) {
         result = create_device(instance, NULL, NULL, NULL, &device);
         if (result == VK_SUCCESS) {
            CHECK(counter.live >= 2); /* without callbacks of its own the device uses the instance's */
            destroy_device(instance, device);
         }
         INSTANCE_FUNCTION(instance, vkDestroyInstance)(instance, &callbacks);
      }
      CHECK_EQ(counter.live, 0);
      if (counter.total < fail_at) {
         CHECK_EQ(result, VK_SUCCESS);
         break;
      }
      CHECK_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
      failures++;
   }
   CHECK(failures >= 2);
}

TEST_MAIN
