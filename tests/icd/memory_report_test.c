/* SPDX-License-Identifier: MIT
 * icd/resource/memory_report.c: each piece of memory is reported once when it comes and once when it goes, under one number wherever it is shared; objects say
 * where they are. */
#include "icd/device/physical_device.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"

#include <string.h>
#include <unistd.h>

enum { MAX_EVENTS = 64, SIZE = 1 << 20 };

struct context {
   struct fixture f;
   VkDebugUtilsMessengerEXT messenger;
   uint32_t num_memory, num_addresses, num_second;
   VkDeviceMemoryReportCallbackDataEXT memory[MAX_EVENTS];
   VkDeviceAddressBindingCallbackDataEXT addresses[MAX_EVENTS];
   VkObjectType types[MAX_EVENTS]; /* of the objects of `addresses` */
   uint64_t objects[MAX_EVENTS];
};

static VKAPI_ATTR void VKAPI_CALL on_memory(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
   struct context *c = user;
   if (c->num_memory < MAX_EVENTS)
      c->memory[c->num_memory++] = *data;
}

static VKAPI_ATTR void VKAPI_CALL on_memory_too(const VkDeviceMemoryReportCallbackDataEXT *data, void *user)
{
   (void)data;
   ((struct context *)user)->num_second++;
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct context *c = user;
   const VkDeviceAddressBindingCallbackDataEXT *binding = data->pNext;
   CHECK_EQ(severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT);
   CHECK_EQ(types, VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT);
   CHECK_EQ(data->objectCount, 1);
   CHECK_EQ(binding->sType, VK_STRUCTURE_TYPE_DEVICE_ADDRESS_BINDING_CALLBACK_DATA_EXT);
   if (c->num_addresses < MAX_EVENTS) {
      c->types[c->num_addresses] = data->pObjects[0].objectType;
      c->objects[c->num_addresses] = data->pObjects[0].objectHandle;
      c->addresses[c->num_addresses++] = *binding;
   }
   return VK_FALSE;
}

static void init(struct context *c, bool is_asked)
{
   memset(c, 0, sizeof(*c));
   fixture_init(&c->f, NULL);
   icd_DestroyCommandPool(c->f.device, c->f.pool, NULL);
   icd_DestroyDevice(c->f.device, NULL);

   const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT,
      .pfnUserCallback = on_message,
      .pUserData = c,
   };
   fixture_require(icd_CreateDebugUtilsMessengerEXT(c->f.instance, &messenger, NULL, &c->messenger), "vkCreateDebugUtilsMessengerEXT");
   const float priority = 1.0f;
   const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   VkDeviceDeviceMemoryReportCreateInfoEXT second = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT, .pfnUserCallback = on_memory_too, .pUserData = c};
   VkDeviceDeviceMemoryReportCreateInfoEXT first = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_DEVICE_MEMORY_REPORT_CREATE_INFO_EXT, .pNext = &second, .pfnUserCallback = on_memory, .pUserData = c};
   VkPhysicalDeviceDeviceMemoryReportFeaturesEXT memory = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_MEMORY_REPORT_FEATURES_EXT, &first, is_asked};
   VkPhysicalDeviceAddressBindingReportFeaturesEXT addresses = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ADDRESS_BINDING_REPORT_FEATURES_EXT, &memory, is_asked};
   const VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &addresses, {.sparseBinding = VK_TRUE}};
   const char *const extensions[] = {"VK_EXT_device_memory_report", "VK_EXT_device_address_binding_report"};
   const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = &features,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue,
                                      .enabledExtensionCount = is_asked ? 2 : 0,
                                      .ppEnabledExtensionNames = extensions};
   fixture_require(icd_CreateDevice(c->f.physical_device, &device, NULL, &c->f.device), "vkCreateDevice");
}

static void finish(struct context *c)
{
   icd_DestroyDevice(c->f.device, NULL);
   icd_DestroyDebugUtilsMessengerEXT(c->f.instance, c->messenger, NULL);
   icd_DestroyInstance(c->f.instance, NULL);
}

static void check_memory(const struct context *c, uint32_t i, VkDeviceMemoryReportEventTypeEXT type, uint64_t id, uint64_t size)
{
   CHECK(i < c->num_memory);
   CHECK_EQ(c->memory[i].type, type);
   CHECK(c->memory[i].memoryObjectId == id);
   CHECK(c->memory[i].size >= size);
   CHECK_EQ(c->memory[i].objectType, VK_OBJECT_TYPE_DEVICE_MEMORY);
   CHECK_EQ(c->memory[i].heapIndex, ICD_MEMORY_HEAP_HOST);
}

TEST(memory_comes_and_goes)
{
   struct context c;
   init(&c, true);
   VkDeviceMemory a = fixture_memory(c.f.device, 100), b = fixture_memory(c.f.device, SIZE);
   const uint64_t a_id = c.memory[0].memoryObjectId, b_id = c.memory[1].memoryObjectId;
   CHECK(a_id != 0 && b_id != 0 && a_id != b_id);
   icd_FreeMemory(c.f.device, b, NULL);
   icd_FreeMemory(c.f.device, a, NULL);
   icd_FreeMemory(c.f.device, VK_NULL_HANDLE, NULL);
   CHECK_EQ(c.num_memory, 4);
   CHECK_EQ(c.num_second, 4);
   check_memory(&c, 0, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, a_id, 100);
   check_memory(&c, 1, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, b_id, SIZE);
   check_memory(&c, 2, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, b_id, 0);
   check_memory(&c, 3, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, a_id, 0);
   CHECK(c.memory[0].objectHandle == (uintptr_t)a && c.memory[3].objectHandle == (uintptr_t)a);
   finish(&c);
}

TEST(memory_that_fails)
{
   struct context c;
   init(&c, true);
   VkDeviceMemory memory;
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, UINT64_C(1) << 60, 0};
   CHECK_EQ(icd_AllocateMemory(c.f.device, &info, NULL, &memory), VK_ERROR_OUT_OF_DEVICE_MEMORY);
   CHECK_EQ(c.num_memory, 1);
   check_memory(&c, 0, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATION_FAILED_EXT, 0, UINT64_C(1) << 60);
   CHECK_EQ(c.num_addresses, 0);
   finish(&c);
}

TEST(shared_memory_has_one_number)
{
   struct context c;
   init(&c, true);
   VkDeviceMemory memory, imported;
   const VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &export, SIZE, 0};
   fixture_require(icd_AllocateMemory(c.f.device, &info, NULL, &memory), "vkAllocateMemory");
   VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, memory, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, NULL, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, -1};
   const VkMemoryAllocateInfo import_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import, SIZE, 0};
   fixture_require(icd_GetMemoryFdKHR(c.f.device, &get, &import.fd), "vkGetMemoryFdKHR");
   fixture_require(icd_AllocateMemory(c.f.device, &import_info, NULL, &imported), "vkAllocateMemory");
   icd_FreeMemory(c.f.device, memory, NULL);
   icd_FreeMemory(c.f.device, imported, NULL);
   const uint64_t id = c.memory[0].memoryObjectId;
   CHECK_EQ(c.num_memory, 4);
   check_memory(&c, 0, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_ALLOCATE_EXT, id, SIZE);
   check_memory(&c, 1, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_IMPORT_EXT, id, SIZE);
   check_memory(&c, 2, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_FREE_EXT, id, 0);
   check_memory(&c, 3, VK_DEVICE_MEMORY_REPORT_EVENT_TYPE_UNIMPORT_EXT, id, 0);
   finish(&c);
}

/* Each range that an object has had is taken back from it. */
static void check_balance(const struct context *c, VkObjectType type, uint32_t count)
{
   uint32_t bound = 0, unbound = 0;
   for (uint32_t i = 0; i < c->num_addresses; i++) {
      if (c->types[i] != type)
         continue;
      const bool is_bound = c->addresses[i].bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_BIND_EXT;
      bound += is_bound;
      unbound += !is_bound;
      bool is_paired = false;
      for (uint32_t k = i + 1; is_bound && k < c->num_addresses; k++)
         is_paired |= c->objects[k] == c->objects[i] && c->addresses[k].baseAddress == c->addresses[i].baseAddress &&
                      c->addresses[k].size == c->addresses[i].size && c->addresses[k].bindingType == VK_DEVICE_ADDRESS_BINDING_TYPE_UNBIND_EXT;
      CHECK(!is_bound || is_paired);
   }
   CHECK_EQ(bound, count);
   CHECK_EQ(unbound, count);
}

TEST(addresses_of_buffers_and_memory)
{
   struct context c;
   init(&c, true);
   struct fixture_buffer buffer = fixture_buffer(&c.f, 1000);
   CHECK_EQ(c.num_addresses, 2);
   CHECK_EQ(c.types[0], VK_OBJECT_TYPE_DEVICE_MEMORY);
   CHECK_EQ(c.addresses[0].flags, VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT);
   CHECK_EQ(c.types[1], VK_OBJECT_TYPE_BUFFER);
   CHECK_EQ(c.addresses[1].flags, 0);
   CHECK(c.addresses[1].baseAddress == (uintptr_t)buffer.data);
   CHECK_EQ(c.addresses[1].size, 1000);
   fixture_buffer_destroy(&c.f, &buffer);

   VkBuffer sparse, unbound;
   VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = SIZE, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   fixture_require(icd_CreateBuffer(c.f.device, &info, NULL, &unbound), "vkCreateBuffer");
   info.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT;
   fixture_require(icd_CreateBuffer(c.f.device, &info, NULL, &sparse), "vkCreateBuffer");
   CHECK_EQ(c.addresses[c.num_addresses - 1].flags, VK_DEVICE_ADDRESS_BINDING_INTERNAL_OBJECT_BIT_EXT);
   icd_DestroyBuffer(c.f.device, sparse, NULL);
   icd_DestroyBuffer(c.f.device, unbound, NULL);
   check_balance(&c, VK_OBJECT_TYPE_DEVICE_MEMORY, 1);
   check_balance(&c, VK_OBJECT_TYPE_BUFFER, 2);
   finish(&c);
}

TEST(addresses_of_images)
{
   struct context c;
   init(&c, true);
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .flags = VK_IMAGE_CREATE_DISJOINT_BIT,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM,
                                   .extent = {64, 64, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = 1,
                                   .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
   VkImage planar;
   fixture_require(icd_CreateImage(c.f.device, &info, NULL, &planar), "vkCreateImage");
   VkDeviceMemory memory = fixture_memory(c.f.device, SIZE);
   const VkBindImagePlaneMemoryInfo planes[2] = {{VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL, VK_IMAGE_ASPECT_PLANE_0_BIT},
                                                 {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL, VK_IMAGE_ASPECT_PLANE_1_BIT}};
   const VkBindImageMemoryInfo binds[2] = {{VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &planes[0], planar, memory, 0},
                                           {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &planes[1], planar, memory, SIZE / 2}};
   fixture_require(icd_BindImageMemory2(c.f.device, 2, binds), "vkBindImageMemory2");
   CHECK_EQ(c.addresses[c.num_addresses - 1].baseAddress - c.addresses[c.num_addresses - 2].baseAddress, SIZE / 2);
   VkImageCreateInfo whole = info;
   whole.flags = 0;
   struct fixture_image image = {.memory = VK_NULL_HANDLE};
   fixture_require(icd_CreateImage(c.f.device, &whole, NULL, &image.image), "vkCreateImage");
   fixture_require(icd_BindImageMemory(c.f.device, image.image, memory, 0), "vkBindImageMemory");
   icd_DestroyImage(c.f.device, image.image, NULL);
   icd_DestroyImage(c.f.device, planar, NULL);
   icd_FreeMemory(c.f.device, memory, NULL);
   check_balance(&c, VK_OBJECT_TYPE_IMAGE, 3);
   check_balance(&c, VK_OBJECT_TYPE_DEVICE_MEMORY, 1);
   finish(&c);
}

TEST(nothing_that_was_not_asked_for)
{
   struct context c;
   init(&c, false);
   struct fixture_buffer buffer = fixture_buffer(&c.f, 1000);
   fixture_buffer_destroy(&c.f, &buffer);
   CHECK_EQ(c.num_memory, 0);
   CHECK_EQ(c.num_second, 0);
   CHECK_EQ(c.num_addresses, 0);
   finish(&c);
}

TEST_MAIN
