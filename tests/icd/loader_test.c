/* SPDX-License-Identifier: MIT
 * icd/instance/loader.c and icd/instance/instance.c: negotiation, which entry points answer, creation and its errors. */
#include "tests/icd/library.h"
#include "tests/test.h"
#include "util/macros.h"

TEST(negotiation)
{
   const PFN_vkNegotiateLoaderICDInterfaceVersion negotiate =
      (PFN_vkNegotiateLoaderICDInterfaceVersion)library_symbol("vk_icdNegotiateLoaderICDInterfaceVersion");
   uint32_t version = 100;
   CHECK_EQ(negotiate(&version), VK_SUCCESS);
   CHECK_EQ(version, 7);
   version = 5;
   CHECK_EQ(negotiate(&version), VK_SUCCESS);
   CHECK_EQ(version, 5);
   version = 1;
   CHECK_EQ(negotiate(&version), VK_ERROR_INCOMPATIBLE_DRIVER);

   /* Version 7: everything can be had through vk_icdGetInstanceProcAddr. */
   const PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)library_symbol("vk_icdGetInstanceProcAddr");
   CHECK((void *)get(NULL, "vk_icdNegotiateLoaderICDInterfaceVersion") == (void *)negotiate);
   CHECK((void *)get(NULL, "vk_icdGetPhysicalDeviceProcAddr") == library_symbol("vk_icdGetPhysicalDeviceProcAddr"));
}

TEST(nothing_else_is_exported)
{
   CHECK(library_symbol("vkCreateInstance") == NULL);
   CHECK(library_symbol("icd_CreateInstance") == NULL);
   CHECK(library_symbol("util_malloc") == NULL);
}

TEST(global_commands)
{
   CHECK(instance_function(NULL, "vkCreateInstance") != NULL);
   CHECK(instance_function(NULL, "vkEnumerateInstanceVersion") != NULL);
   CHECK(instance_function(NULL, "vkEnumerateInstanceExtensionProperties") != NULL);
   CHECK(instance_function(NULL, "vkEnumerateInstanceLayerProperties") != NULL);
   CHECK(instance_function(NULL, "vkGetInstanceProcAddr") != NULL);
   CHECK(instance_function(NULL, "vkDestroyInstance") == NULL);
   CHECK(instance_function(NULL, "vkCreateDevice") == NULL);
   CHECK(instance_function(NULL, "") == NULL);
   CHECK(instance_function(NULL, "vkNoSuchCommand") == NULL);
}

TEST(instance_commands)
{
   VkInstance instance;
   CHECK_EQ(create_instance(VK_API_VERSION_1_0, NULL, NULL, &instance), VK_SUCCESS);
   CHECK(instance_function(instance, "vkGetInstanceProcAddr") != NULL);
   CHECK(instance_function(instance, "vkCreateInstance") == NULL);
   CHECK(instance_function(instance, "vkCreateDevice") != NULL);
   CHECK(instance_function(instance, "vkGetDeviceQueue") != NULL);
   /* Neither version 1.1 nor an extension has been asked for. */
   CHECK(instance_function(instance, "vkEnumeratePhysicalDeviceGroups") == NULL);
   CHECK(instance_function(instance, "vkGetPhysicalDeviceFeatures2") == NULL);
   CHECK(instance_function(instance, "vkGetPhysicalDeviceFeatures2KHR") == NULL);
   CHECK(instance_function(instance, "vkCreateDebugUtilsMessengerEXT") == NULL);
   destroy_instance(instance);

   CHECK_EQ(create_instance(0, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME, NULL, &instance), VK_SUCCESS);
   CHECK(instance_function(instance, "vkGetPhysicalDeviceFeatures2") == NULL);
   CHECK(instance_function(instance, "vkGetPhysicalDeviceFeatures2KHR") != NULL);
   destroy_instance(instance);

   CHECK_EQ(create_instance(VK_API_VERSION_1_1, NULL, NULL, &instance), VK_SUCCESS);
   CHECK(instance_function(instance, "vkEnumeratePhysicalDeviceGroups") != NULL);
   CHECK(instance_function(instance, "vkEnumeratePhysicalDeviceGroupsKHR") == NULL);
   destroy_instance(instance);
}

TEST(physical_device_commands)
{
   const PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)library_symbol("vk_icdGetPhysicalDeviceProcAddr");
   VkInstance instance;
   CHECK_EQ(create_instance(VK_API_VERSION_1_0, NULL, NULL, &instance), VK_SUCCESS);
   CHECK(get(instance, "vkGetPhysicalDeviceProperties") != NULL);
   CHECK(get(instance, "vkCreateDevice") != NULL);
   CHECK(get(instance, "vkDestroyInstance") == NULL);
   CHECK(get(instance, "vkGetDeviceQueue") == NULL);
   CHECK(get(instance, "vkGetPhysicalDeviceFeatures2KHR") == NULL);
   destroy_instance(instance);
}

TEST(device_commands)
{
   VkInstance instance;
   VkDevice device;
   CHECK_EQ(create_instance(VK_API_VERSION_1_0, NULL, NULL, &instance), VK_SUCCESS);
   CHECK_EQ(create_device(instance, NULL, NULL, NULL, &device), VK_SUCCESS);
   CHECK(device_function(instance, device, "vkGetDeviceQueue") != NULL);
   CHECK(device_function(instance, device, "vkGetDeviceProcAddr") != NULL);
   CHECK(device_function(instance, device, "vkCreateInstance") == NULL);
   CHECK(device_function(instance, device, "vkGetPhysicalDeviceProperties") == NULL);
   CHECK(device_function(instance, device, "vkGetDeviceQueue2") == NULL);
   CHECK(device_function(instance, device, "vkCreatePrivateDataSlotEXT") == NULL);
   CHECK(device_function(instance, device, "vkSetDebugUtilsObjectNameEXT") == NULL);
   destroy_device(instance, device);

   CHECK_EQ(create_device(instance, VK_EXT_PRIVATE_DATA_EXTENSION_NAME, NULL, NULL, &device), VK_SUCCESS);
   CHECK(device_function(instance, device, "vkCreatePrivateDataSlotEXT") != NULL);
   CHECK(device_function(instance, device, "vkCreatePrivateDataSlot") == NULL);
   destroy_device(instance, device);
   destroy_instance(instance);

   CHECK_EQ(create_instance(VK_API_VERSION_1_0, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, NULL, &instance), VK_SUCCESS);
   CHECK_EQ(create_device(instance, NULL, NULL, NULL, &device), VK_SUCCESS);
   CHECK(device_function(instance, device, "vkSetDebugUtilsObjectNameEXT") != NULL);
   destroy_device(instance, device);
   destroy_instance(instance);
}

/* Extensions of other authors that became KHR's or EXT's: their commands are there with them alone. */
TEST(older_names)
{
   static const char *const extensions[] = {VK_AMD_RASTERIZATION_ORDER_EXTENSION_NAME, VK_IMG_FILTER_CUBIC_EXTENSION_NAME,
                                            VK_QCOM_RENDER_PASS_STORE_OPS_EXTENSION_NAME, VK_AMD_DRAW_INDIRECT_COUNT_EXTENSION_NAME};
   static const char *const commands[] = {"vkCmdDrawIndirectCountAMD", "vkCmdDrawIndexedIndirectCountAMD"};
   VkInstance instance;
   VkDevice device;
   CHECK_EQ(create_instance(VK_API_VERSION_1_0, NULL, NULL, &instance), VK_SUCCESS);
   for (uint32_t e = 0; e < UTIL_ARRAY_SIZE(extensions); e++) {
      CHECK_EQ(create_device(instance, extensions[e], NULL, NULL, &device), VK_SUCCESS);
      for (uint32_t c = 0; c < UTIL_ARRAY_SIZE(commands); c++)
         CHECK_EQ(device_function(instance, device, commands[c]) != NULL, extensions[e] == extensions[3]);
      destroy_device(instance, device);
   }
   destroy_instance(instance);
}

TEST(what_is_not_there)
{
   const char *name = "VK_LAYER_nothing";
   VkInstance instance;
   VkDevice device;
   CHECK_EQ(create_instance(0, "VK_KHR_nothing", NULL, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(create_instance(0, VK_KHR_MAINTENANCE_1_EXTENSION_NAME, NULL, &instance), VK_ERROR_EXTENSION_NOT_PRESENT);
   /* Since Vulkan 1.1 no apiVersion is refused. */
   CHECK_EQ(create_instance(VK_MAKE_API_VERSION(1, 1, 0, 0), NULL, NULL, &instance), VK_SUCCESS);
   destroy_instance(instance);
   CHECK_EQ(create_instance(VK_MAKE_API_VERSION(0, 9, 9, 9), NULL, NULL, &instance), VK_SUCCESS);
   CHECK_EQ(create_device(instance, "VK_KHR_nothing", NULL, NULL, &device), VK_ERROR_EXTENSION_NOT_PRESENT);
   CHECK_EQ(create_device(instance, VK_EXT_DEBUG_UTILS_EXTENSION_NAME, NULL, NULL, &device), VK_ERROR_EXTENSION_NOT_PRESENT);
   destroy_instance(instance);

   const VkInstanceCreateInfo with_layer = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .enabledLayerCount = 1, .ppEnabledLayerNames = &name};
   CHECK_EQ(INSTANCE_FUNCTION(NULL, vkCreateInstance)(&with_layer, NULL, &instance), VK_ERROR_LAYER_NOT_PRESENT);
}

TEST(enumerations)
{
   const PFN_vkEnumerateInstanceExtensionProperties enumerate =
      INSTANCE_FUNCTION(NULL, vkEnumerateInstanceExtensionProperties);
   VkExtensionProperties properties[64];
   uint32_t count = 0, version = 0, fewer = 1;
   CHECK_EQ(enumerate(NULL, &count, NULL), VK_SUCCESS);
   CHECK(count > 1 && count < 64);
   CHECK_EQ(enumerate(NULL, &fewer, properties), VK_INCOMPLETE);
   CHECK_EQ(fewer, 1);
   CHECK_EQ(enumerate(NULL, &count, properties), VK_SUCCESS);
   for (uint32_t i = 0; i < count; i++)
      CHECK(properties[i].specVersion > 0);
   CHECK_EQ(enumerate("VK_LAYER_nothing", &count, NULL), VK_ERROR_LAYER_NOT_PRESENT);
   CHECK_EQ(INSTANCE_FUNCTION(NULL, vkEnumerateInstanceVersion)(&version), VK_SUCCESS);
   CHECK(version >= VK_API_VERSION_1_4);

   VkInstance instance;
   VkPhysicalDevice physical_device;
   CHECK_EQ(create_instance(0, NULL, NULL, &instance), VK_SUCCESS);
   count = 0;
   CHECK_EQ(INSTANCE_FUNCTION(instance, vkEnumeratePhysicalDevices)(instance, &count, &physical_device), VK_INCOMPLETE);
   CHECK_EQ(INSTANCE_FUNCTION(instance, vkEnumeratePhysicalDevices)(instance, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 1);
   destroy_instance(instance);
}

TEST_MAIN
