/* SPDX-License-Identifier: MIT
 * The driver as these tests see it: opened with dlopen(), its functions through vkGetInstanceProcAddr. */
#pragma once

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <vulkan/vk_icd.h>

/* The library that VK_SWRAST_LIBRARY names; exits if there is none. Threads: any; each may open it, which gives the same handle. */
static inline void *library_symbol(const char *name)
{
   static _Atomic(void *) opened;
   void *library = opened;
   if (!library) {
      const char *path = getenv("VK_SWRAST_LIBRARY");
      library = dlopen(path ? path : "libvk_swrast.so", RTLD_NOW | RTLD_LOCAL);
      if (!library) {
         fprintf(stderr, "%s\n", dlerror());
         exit(1);
      }
      opened = library;
   }
   return dlsym(library, name);
}

static inline PFN_vkVoidFunction instance_function(VkInstance instance, const char *name)
{
   return ((PFN_vkGetInstanceProcAddr)library_symbol("vkGetInstanceProcAddr"))(instance, name);
}

/* The function `name` of its own type. */
#define INSTANCE_FUNCTION(instance, name) ((PFN_##name)instance_function(instance, #name))

/* An instance for `api_version` with up to one extension (NULL: none). */
static inline VkResult create_instance(uint32_t api_version, const char *extension, const VkAllocationCallbacks *allocator,
                                       VkInstance *instance)
{
   const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = api_version};
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &application,
      .enabledExtensionCount = extension ? 1 : 0,
      .ppEnabledExtensionNames = &extension,
   };
   *instance = VK_NULL_HANDLE;
   return INSTANCE_FUNCTION(NULL, vkCreateInstance)(&info, allocator, instance);
}

static inline VkPhysicalDevice first_physical_device(VkInstance instance)
{
   VkPhysicalDevice physical_device = VK_NULL_HANDLE;
   uint32_t count = 1;
   INSTANCE_FUNCTION(instance, vkEnumeratePhysicalDevices)(instance, &count, &physical_device);
   return physical_device;
}

/* A device with one queue, up to one extension and the chain `next`. */
static inline VkResult create_device(VkInstance instance, const char *extension, const void *next,
                                     const VkAllocationCallbacks *allocator, VkDevice *device)
{
   const float priority = 1.0f;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = next,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = extension ? 1 : 0,
      .ppEnabledExtensionNames = &extension,
   };
   *device = VK_NULL_HANDLE;
   return INSTANCE_FUNCTION(instance, vkCreateDevice)(first_physical_device(instance), &info, allocator, device);
}

static inline PFN_vkVoidFunction device_function(VkInstance instance, VkDevice device, const char *name)
{
   return INSTANCE_FUNCTION(instance, vkGetDeviceProcAddr)(device, name);
}

#define DEVICE_FUNCTION(instance, device, name) ((PFN_##name)device_function(instance, device, #name))

static inline void destroy_instance(VkInstance instance)
{
   INSTANCE_FUNCTION(instance, vkDestroyInstance)(instance, NULL);
}

static inline void destroy_device(VkInstance instance, VkDevice device)
{
   INSTANCE_FUNCTION(instance, vkDestroyDevice)(device, NULL);
}
