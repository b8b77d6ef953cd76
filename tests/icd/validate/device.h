/* SPDX-License-Identifier: MIT
 * A device with all that it offers enabled, and ears: for tests of what is reported of shader modules and pipelines.
 * Calls the entry points directly. Each function exits the program when it cannot set up. */
#pragma once

#include "gen/icd_entrypoints.h"
#include "tests/icd/fixture.h"

#include <stdatomic.h>
#include <string.h>

/* What messengers heard. Callbacks run in whatever thread makes the message. */
struct ears {
   atomic_uint count;
   VkDebugUtilsMessageSeverityFlagBitsEXT severity; /* of the last, like all that follows */
   VkDebugUtilsMessageTypeFlagsEXT types;
   char id[128];
   char text[4096];
};

static VKAPI_ATTR VkBool32 VKAPI_CALL ears_hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                                                const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct ears *ears = user;
   atomic_fetch_add(&ears->count, 1);
   ears->severity = severity;
   ears->types = types;
   snprintf(ears->id, sizeof(ears->id), "%s", data->pMessageIdName ? data->pMessageIdName : "");
   snprintf(ears->text, sizeof(ears->text), "%s", data->pMessage ? data->pMessage : "");
   return VK_FALSE;
}

static inline VkDebugUtilsMessengerCreateInfoEXT ears_info(struct ears *ears)
{
   return (VkDebugUtilsMessengerCreateInfoEXT){
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = ears_hear,
      .pUserData = ears,
   };
}

struct full_device {
   VkInstance instance;
   VkPhysicalDevice physical_device;
   VkDevice device;
   VkDebugUtilsMessengerEXT messenger;
   struct ears ears;         /* of `messenger` */
   struct ears of_creation; /* of the one chained to the instance's creation */
};

/* has_addresses: shaders may read and write any address, as with bufferDeviceAddress they can. */
static inline void full_device_init_with(struct full_device *f, bool has_addresses)
{
   static const char *const instance_extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
   static VkExtensionProperties properties[512];
   static const char *extensions[512];
   uint32_t count = 512, one = 1;
   const float priority = 1.0f;
   memset(f, 0, sizeof(*f));
   const VkDebugUtilsMessengerCreateInfoEXT chained = ears_info(&f->of_creation), own = ears_info(&f->ears);
   const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_4};
   const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                          .pNext = &chained,
                                          .pApplicationInfo = &application,
                                          .enabledExtensionCount = 1,
                                          .ppEnabledExtensionNames = &instance_extension};
   fixture_require(icd_CreateInstance(&instance, NULL, &f->instance), "vkCreateInstance");
   fixture_require(icd_CreateDebugUtilsMessengerEXT(f->instance, &own, NULL, &f->messenger), "vkCreateDebugUtilsMessengerEXT");
   fixture_require(icd_EnumeratePhysicalDevices(f->instance, &one, &f->physical_device), "vkEnumeratePhysicalDevices");
   fixture_require(icd_EnumerateDeviceExtensionProperties(f->physical_device, NULL, &count, properties),
                   "vkEnumerateDeviceExtensionProperties");
   for (uint32_t i = 0; i < count; i++)
      extensions[i] = properties[i].extensionName;

   VkPhysicalDeviceRayTracingPipelineFeaturesKHR rays = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_TRACING_PIPELINE_FEATURES_KHR};
   VkPhysicalDeviceRayQueryFeaturesKHR queries = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_RAY_QUERY_FEATURES_KHR, .pNext = &rays};
   VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
                                                           .pNext = &queries};
   VkPhysicalDeviceShaderTileImageFeaturesEXT tiles = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_TILE_IMAGE_FEATURES_EXT,
                                                       .pNext = &capture};
   VkPhysicalDeviceCooperativeMatrix2FeaturesNV matrices2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV,
                                                             .pNext = &tiles};
   VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR,
                                                            .pNext = &matrices2};
   VkPhysicalDeviceVulkan14Features features14 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES, .pNext = &matrices};
#ifdef VK_KHR_shader_untyped_pointers
   VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR,
                                                               .pNext = &matrices};
   features14.pNext = &untyped;
#endif
#ifdef VK_EXT_shader_64bit_indexing
   VkPhysicalDeviceShader64BitIndexingFeaturesEXT indexing = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_64_BIT_INDEXING_FEATURES_EXT,
                                                              .pNext = features14.pNext};
   features14.pNext = &indexing;
#endif
   VkPhysicalDeviceCooperativeVectorFeaturesNV vectors = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV,
                                                          .pNext = features14.pNext};
   features14.pNext = &vectors;
#ifdef VK_EXT_descriptor_heap
   VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT,
                                                      .pNext = features14.pNext};
   features14.pNext = &heaps;
#endif
   VkPhysicalDeviceVulkan13Features features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &features14};
   VkPhysicalDeviceVulkan12Features features12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13};
   VkPhysicalDeviceVulkan11Features features11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .pNext = &features12};
   VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &features11};
   icd_GetPhysicalDeviceFeatures2(f->physical_device, &features);
   features12.bufferDeviceAddress &= has_addresses;
   features12.bufferDeviceAddressCaptureReplay &= has_addresses;
   features12.bufferDeviceAddressMultiDevice &= has_addresses;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue,
                                      .enabledExtensionCount = count,
                                      .ppEnabledExtensionNames = extensions};
   fixture_require(icd_CreateDevice(f->physical_device, &device, NULL, &f->device), "vkCreateDevice");
   atomic_store(&f->ears.count, 0);
}

static inline void full_device_init(struct full_device *f)
{
   full_device_init_with(f, true);
}

static inline void full_device_finish(struct full_device *f)
{
   icd_DestroyDevice(f->device, NULL);
   icd_DestroyDebugUtilsMessengerEXT(f->instance, f->messenger, NULL);
   icd_DestroyInstance(f->instance, NULL);
}

static inline VkShaderModuleCreateInfo module_info(const uint32_t *words, size_t num_words)
{
   return (VkShaderModuleCreateInfo){.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                     .codeSize = num_words * sizeof(uint32_t),
                                     .pCode = words};
}

/* What the commands may return for a module that breaks a rule. */
static inline bool is_refusal(VkResult result)
{
   return result == VK_ERROR_INVALID_SHADER_NV || result == VK_ERROR_VALIDATION_FAILED_EXT;
}
