/* SPDX-License-Identifier: MIT */
#include "tests/client/client.h"

#include "util/macros.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct client_functions vk;

enum { SKIPPED = 77 }; /* an exit status that meson knows */

void client_die(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fputs("error: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   exit(1);
}

void client_check(VkResult result, const char *what)
{
   if (result < 0)
      client_die("%s gives VkResult %d", what, result);
}

double client_now_s(void)
{
   struct timespec now;
   clock_gettime(CLOCK_MONOTONIC, &now);
   return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Debian 12's layer does not know of streams: an output of another one than the rasterized is for it an output that nobody reads. */
static bool is_captured_output(const VkDebugUtilsMessengerCallbackDataEXT *data)
{
   return data->pMessageIdName && !strcmp(data->pMessageIdName, "UNASSIGNED-CoreValidation-Shader-OutputNotConsumed") &&
          strstr(data->pMessage, "geometry shader writes to output location 1.0");
}

static VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                 VkDebugUtilsMessageTypeFlagsEXT types,
                                                 const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct client *client = user;
   if (client->on_message)
      client->on_message(client->on_message_data, data->pMessageIdName ? data->pMessageIdName : "", data->pMessage);
   if (severity < VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT || types == VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT ||
       is_captured_output(data))
      return VK_FALSE;
   client->num_messages++;
   fprintf(stderr, "%s: %s\n", data->pMessageIdName ? data->pMessageIdName : "message", data->pMessage);
   return VK_FALSE;
}

static PFN_vkGetInstanceProcAddr load_library(const char *name)
{
   void *library = dlopen(name ? name : "libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
   if (!library)
      client_die("cannot load the Vulkan loader: %s", dlerror());
   PFN_vkGetInstanceProcAddr get = (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr");
   if (!get)
      client_die("%s has no vkGetInstanceProcAddr", name ? name : "libvulkan.so.1");
   return get;
}

static bool has_layer(const char *name)
{
   uint32_t count = 0;
   VkLayerProperties *layers = NULL;
   bool is_there = false;

   client_check(vk.EnumerateInstanceLayerProperties(&count, NULL), "vkEnumerateInstanceLayerProperties");
   layers = calloc(count + 1, sizeof(*layers));
   client_check(vk.EnumerateInstanceLayerProperties(&count, layers), "vkEnumerateInstanceLayerProperties");
   for (uint32_t i = 0; i < count; i++)
      is_there = is_there || !strcmp(layers[i].layerName, name);
   free(layers);
   return is_there;
}

static void create_instance(struct client *client, const struct client_options *options)
{
   const PFN_vkGetInstanceProcAddr get = client->get;
   const uint32_t api_version = options->api_version ? options->api_version : VK_API_VERSION_1_0;
   const bool wants_messages = client->is_validated || client->on_message;
   static const char *const layer = "VK_LAYER_KHRONOS_validation", *const messages = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
   const char *extensions[5];
   uint32_t num_extensions = 0;
   if (wants_messages)
      extensions[num_extensions++] = messages;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(options->instance_extensions) && options->instance_extensions[i]; i++)
      extensions[num_extensions++] = options->instance_extensions[i];
   const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pApplicationName = "vk_swrast", .apiVersion = api_version};
   const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity =
         VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT |
         (options->wants_prints ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT : 0),
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT |
                     (client->on_message ? VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT : 0),
      .pfnUserCallback = on_message,
      .pUserData = client,
   };
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = wants_messages ? &messenger : NULL,
      .pApplicationInfo = &application,
      .enabledLayerCount = client->is_validated,
      .ppEnabledLayerNames = &layer,
      .enabledExtensionCount = num_extensions,
      .ppEnabledExtensionNames = extensions,
   };

#define X(name) vk.name = (PFN_vk##name)get(NULL, "vk" #name);
   CLIENT_GLOBAL_FUNCTIONS(X)
#undef X
   if (client->is_validated && !has_layer(layer)) {
      fprintf(stderr, "%s is not installed\n", layer);
      exit(SKIPPED);
   }
   client_check(vk.CreateInstance(&info, NULL, &client->instance), "vkCreateInstance");
#define X(name) vk.name = (PFN_vk##name)get(client->instance, "vk" #name);
   CLIENT_INSTANCE_FUNCTIONS(X)
#undef X
   if (wants_messages) {
      PFN_vkCreateDebugUtilsMessengerEXT create =
         (PFN_vkCreateDebugUtilsMessengerEXT)get(client->instance, "vkCreateDebugUtilsMessengerEXT");
      client_check(create(client->instance, &messenger, NULL, &client->messenger), "vkCreateDebugUtilsMessengerEXT");
   }
}

void client_init(struct client *client, const struct client_options *options)
{
   *client = (struct client){
      .is_validated = options->wants_validation || getenv("CLIENT_VALIDATE"),
      .on_message = options->on_message,
      .on_message_data = options->on_message_data,
   };
   client->get = load_library(options->library);
   create_instance(client, options);

   uint32_t count = 1;
   client_check(vk.EnumeratePhysicalDevices(client->instance, &count, &client->physical_device),
                "vkEnumeratePhysicalDevices");
   if (!count)
      client_die("no Vulkan device");
   vk.GetPhysicalDeviceProperties(client->physical_device, &client->properties);
   vk.GetPhysicalDeviceMemoryProperties(client->physical_device, &client->memory);

   const float priorities[4] = {1, 1, 1, 1};
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = options->num_queues ? options->num_queues : 1, .pQueuePriorities = priorities};
   const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                      .pNext = options->next,
                                      .queueCreateInfoCount = 1,
                                      .pQueueCreateInfos = &queue,
                                      .enabledExtensionCount = options->device_extensions  ? options->num_device_extensions
                                                               : options->device_extension ? 1
                                                                                           : 0,
                                      .ppEnabledExtensionNames = options->device_extensions ? options->device_extensions
                                                                                            : &options->device_extension,
                                      .pEnabledFeatures = options->features};
   client_check(vk.CreateDevice(client->physical_device, &device, NULL, &client->device), "vkCreateDevice");
#define X(name) vk.name = (PFN_vk##name)vk.GetDeviceProcAddr(client->device, "vk" #name);
   CLIENT_DEVICE_FUNCTIONS(X)
#undef X
   vk.GetDeviceQueue(client->device, 0, 0, &client->queue);
   const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                         .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
   client_check(vk.CreateCommandPool(client->device, &pool, NULL, &client->pool), "vkCreateCommandPool");
}

void client_finish(struct client *client)
{
   vk.DestroyCommandPool(client->device, client->pool, NULL);
   vk.DestroyDevice(client->device, NULL);
   if (client->messenger) {
      /* The loader's own trampoline: reached through the instance. */
      void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
      PFN_vkGetInstanceProcAddr get = library ? (PFN_vkGetInstanceProcAddr)dlsym(library, "vkGetInstanceProcAddr") : NULL;
      PFN_vkDestroyDebugUtilsMessengerEXT destroy =
         get ? (PFN_vkDestroyDebugUtilsMessengerEXT)get(client->instance, "vkDestroyDebugUtilsMessengerEXT") : NULL;
      if (destroy)
         destroy(client->instance, client->messenger, NULL);
   }
   vk.DestroyInstance(client->instance, NULL);
   if (client->is_validated && client->num_messages)
      client_die("%u messages of the validation layer", client->num_messages);
}

void client_name(struct client *client, VkObjectType type, uint64_t handle, const char *name)
{
   const VkDebugUtilsObjectNameInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
                                               .objectType = type,
                                               .objectHandle = handle,
                                               .pObjectName = name};
   PFN_vkSetDebugUtilsObjectNameEXT set =
      client->messenger ? (PFN_vkSetDebugUtilsObjectNameEXT)vk.GetDeviceProcAddr(client->device, "vkSetDebugUtilsObjectNameEXT") : NULL;
   if (set)
      client_check(set(client->device, &info), "vkSetDebugUtilsObjectNameEXT");
}

static uint32_t memory_type(const struct client *client, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
   for (uint32_t i = 0; i < client->memory.memoryTypeCount; i++) {
      if (allowed >> i & 1 && (client->memory.memoryTypes[i].propertyFlags & wanted) == wanted)
         return i;
   }
   client_die("no memory type with properties %#x", wanted);
}

static VkDeviceMemory allocate_type(struct client *client, uint64_t size_bytes, uint32_t type, bool has_address)
{
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                      .pNext = has_address ? &flags : NULL,
                                      .allocationSize = size_bytes,
                                      .memoryTypeIndex = type};
   VkDeviceMemory memory;
   client_check(vk.AllocateMemory(client->device, &info, NULL, &memory), "vkAllocateMemory");
   return memory;
}

static VkDeviceMemory allocate(struct client *client, const VkMemoryRequirements *needs, VkMemoryPropertyFlags wanted, bool has_address)
{
   return allocate_type(client, needs->size, memory_type(client, needs->memoryTypeBits, wanted), has_address);
}

static struct client_buffer create_buffer(struct client *client, size_t size_bytes, VkBufferUsageFlags usage, VkMemoryPropertyFlags properties)
{
   struct client_buffer buffer = {.size_bytes = size_bytes};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
   VkMemoryRequirements needs;

   client_check(vk.CreateBuffer(client->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(client->device, buffer.buffer, &needs);
   buffer.memory = allocate(client, &needs, properties, (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0);
   client_check(vk.BindBufferMemory(client->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   return buffer;
}

struct client_buffer client_buffer_create(struct client *client, size_t size_bytes, VkBufferUsageFlags usage)
{
   struct client_buffer buffer = create_buffer(client, size_bytes, usage, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
   client_check(vk.MapMemory(client->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   memset(buffer.map, 0, size_bytes);
   return buffer;
}

struct client_buffer client_buffer_create_unwritten(struct client *client, size_t size_bytes, VkBufferUsageFlags usage)
{
   return create_buffer(client, size_bytes, usage, 0);
}

struct client_buffer client_buffer_create_cached(struct client *client, size_t size_bytes, VkBufferUsageFlags usage)
{
   struct client_buffer buffer = {.size_bytes = size_bytes};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = size_bytes, .usage = usage};
   VkMemoryRequirements needs;
   uint32_t type = 0;
   while (type < client->memory.memoryTypeCount && (client->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT ||
                                                    !(client->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)))
      type++;
   if (type == client->memory.memoryTypeCount)
      return buffer;
   client_check(vk.CreateBuffer(client->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(client->device, buffer.buffer, &needs);
   if (!(needs.memoryTypeBits >> type & 1))
      client_die("a buffer cannot be of memory of type %u", type);
   buffer.memory = allocate_type(client, needs.size, type, false);
   client_check(vk.BindBufferMemory(client->device, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
   client_check(vk.MapMemory(client->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map), "vkMapMemory");
   return buffer;
}

void client_buffer_destroy(struct client *client, struct client_buffer *buffer)
{
   vk.DestroyBuffer(client->device, buffer->buffer, NULL);
   vk.FreeMemory(client->device, buffer->memory, NULL);
}

VkImageAspectFlags client_aspects(VkFormat format)
{
   switch (format) {
   case VK_FORMAT_D16_UNORM:
   case VK_FORMAT_X8_D24_UNORM_PACK32:
   case VK_FORMAT_D32_SFLOAT:
      return VK_IMAGE_ASPECT_DEPTH_BIT;
   case VK_FORMAT_S8_UINT:
      return VK_IMAGE_ASPECT_STENCIL_BIT;
   case VK_FORMAT_D16_UNORM_S8_UINT:
   case VK_FORMAT_D24_UNORM_S8_UINT:
   case VK_FORMAT_D32_SFLOAT_S8_UINT:
      return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
   default:
      return VK_IMAGE_ASPECT_COLOR_BIT;
   }
}

struct client_image client_image_create(struct client *client, VkFormat format, uint32_t width, uint32_t height,
                                        uint32_t num_levels, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   return client_image_create_flags(client, 0, format, width, height, num_levels, samples, usage);
}

static VkImage create_image(struct client *client, VkImageCreateFlags flags, const struct client_image *image, VkImageUsageFlags usage)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = flags,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = image->format,
      .extent = {image->width, image->height, 1},
      .mipLevels = image->num_levels,
      .arrayLayers = 1,
      .samples = image->samples,
      .usage = usage,
   };
   VkImage created;
   client_check(vk.CreateImage(client->device, &info, NULL, &created), "vkCreateImage");
   return created;
}

static void bind_image(struct client *client, struct client_image *image, VkDeviceMemory memory, VkImageUsageFlags usage)
{
   client_check(vk.BindImageMemory(client->device, image->image, memory, 0), "vkBindImageMemory");
   const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = image->image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D,
      .format = image->format,
      .subresourceRange = {client_aspects(image->format), 0, image->num_levels, 0, 1},
   };
   if (usage & ~(VkImageUsageFlags)(VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT))
      client_check(vk.CreateImageView(client->device, &view, NULL, &image->view), "vkCreateImageView");
}

struct client_image client_image_create_flags(struct client *client, VkImageCreateFlags flags, VkFormat format, uint32_t width, uint32_t height,
                                              uint32_t num_levels, VkSampleCountFlagBits samples, VkImageUsageFlags usage)
{
   struct client_image image = {
      .format = format, .width = width, .height = height, .num_levels = num_levels, .samples = samples};
   VkMemoryRequirements needs;
   image.image = create_image(client, flags, &image, usage);
   vk.GetImageMemoryRequirements(client->device, image.image, &needs);
   image.memory = allocate(client, &needs, 0, false);
   bind_image(client, &image, image.memory, usage);
   return image;
}

struct client_image client_image_create_alias(struct client *client, const struct client_image *of, VkImageUsageFlags usage)
{
   struct client_image image = *of;
   image.memory = VK_NULL_HANDLE;
   image.view = VK_NULL_HANDLE;
   image.image = create_image(client, VK_IMAGE_CREATE_ALIAS_BIT, of, usage);
   bind_image(client, &image, of->memory, usage);
   return image;
}

void client_image_destroy(struct client *client, struct client_image *image)
{
   vk.DestroyImageView(client->device, image->view, NULL);
   vk.DestroyImage(client->device, image->image, NULL);
   vk.FreeMemory(client->device, image->memory, NULL);
}

VkShaderModule client_shader(struct client *client, const uint32_t *words, size_t size_bytes)
{
   const VkShaderModuleCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size_bytes, .pCode = words};
   VkShaderModule module;
   client_check(vk.CreateShaderModule(client->device, &info, NULL, &module), "vkCreateShaderModule");
   return module;
}

VkSampler client_sampler(struct client *client, VkFilter filter, VkSamplerMipmapMode mipmap, VkSamplerAddressMode address)
{
   const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .magFilter = filter,
      .minFilter = filter,
      .mipmapMode = mipmap,
      .addressModeU = address,
      .addressModeV = address,
      .addressModeW = address,
      .maxLod = VK_LOD_CLAMP_NONE,
   };
   VkSampler sampler;
   client_check(vk.CreateSampler(client->device, &info, NULL, &sampler), "vkCreateSampler");
   return sampler;
}

static struct client_set create_set(struct client *client, uint32_t count, const VkDescriptorType *types, const uint32_t *counts, VkSampler sampler,
                                    const void *next)
{
   struct client_set set;
   VkDescriptorSetLayoutBinding bindings[16];
   VkDescriptorPoolSize sizes[16];

   if (count > 16)
      client_die("too many bindings: %u", count);
   for (uint32_t i = 0; i < count; i++) {
      sizes[i] = (VkDescriptorPoolSize){types[i], counts ? counts[i] : 1};
      bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], sizes[i].descriptorCount, VK_SHADER_STAGE_ALL, i == 0 && sampler ? &sampler : NULL};
   }
   const VkDescriptorSetLayoutCreateInfo layout = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                   .pNext = next,
                                                   .bindingCount = count,
                                                   .pBindings = bindings};
   client_check(vk.CreateDescriptorSetLayout(client->device, &layout, NULL, &set.layout), "vkCreateDescriptorSetLayout");
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = count, .pPoolSizes = sizes};
   client_check(vk.CreateDescriptorPool(client->device, &pool, NULL, &set.pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = set.pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &set.layout};
   client_check(vk.AllocateDescriptorSets(client->device, &info, &set.set), "vkAllocateDescriptorSets");
   return set;
}

struct client_set client_set_create(struct client *client, uint32_t count, const VkDescriptorType *types)
{
   return client_set_create_with(client, count, types, NULL, VK_NULL_HANDLE);
}

struct client_set client_set_create_with(struct client *client, uint32_t count, const VkDescriptorType *types, const uint32_t *counts, VkSampler sampler)
{
   return create_set(client, count, types, counts, sampler, NULL);
}

struct client_set client_set_create_partial(struct client *client, uint32_t count, const VkDescriptorType *types, const uint32_t *counts)
{
   VkDescriptorBindingFlags flags[16];
   for (uint32_t i = 0; i < count && i < 16; i++)
      flags[i] = counts[i] > 1 ? VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT : 0;
   const VkDescriptorSetLayoutBindingFlagsCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO, .bindingCount = count, .pBindingFlags = flags};
   return create_set(client, count, types, counts, VK_NULL_HANDLE, &info);
}

void client_set_destroy(struct client *client, struct client_set *set)
{
   vk.DestroyDescriptorPool(client->device, set->pool, NULL);
   vk.DestroyDescriptorSetLayout(client->device, set->layout, NULL);
}

void client_set_buffer(struct client *client, const struct client_set *set, uint32_t binding, VkDescriptorType type,
                       const struct client_buffer *buffer)
{
   const VkDescriptorBufferInfo info = {buffer->buffer, 0, VK_WHOLE_SIZE};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set->set,
                                       .dstBinding = binding,
                                       .descriptorCount = 1,
                                       .descriptorType = type,
                                       .pBufferInfo = &info};
   vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
}

void client_set_image(struct client *client, const struct client_set *set, uint32_t binding, VkDescriptorType type,
                      VkImageView view, VkSampler sampler, VkImageLayout layout)
{
   const VkDescriptorImageInfo info = {sampler, view, layout};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set->set,
                                       .dstBinding = binding,
                                       .descriptorCount = 1,
                                       .descriptorType = type,
                                       .pImageInfo = &info};
   vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
}

VkPipelineLayout client_pipeline_layout(struct client *client, const struct client_set *set, uint32_t push_bytes)
{
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_bytes};
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = set != NULL,
      .pSetLayouts = set ? &set->layout : NULL,
      .pushConstantRangeCount = push_bytes != 0,
      .pPushConstantRanges = &range,
   };
   VkPipelineLayout layout;
   client_check(vk.CreatePipelineLayout(client->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

VkPipeline client_compute_pipeline(struct client *client, VkShaderModule module, VkPipelineLayout layout,
                                   VkPipelineCache cache, const VkSpecializationInfo *specialization)
{
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = specialization},
      .layout = layout,
   };
   VkPipeline pipeline;
   client_check(vk.CreateComputePipelines(client->device, cache, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

VkPipeline client_graphics_pipeline(struct client *client, const struct client_graphics *info, VkPipelineCache cache)
{
   const VkPipelineShaderStageCreateInfo all_stages[] = {
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_VERTEX_BIT,
       .module = info->vertex,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
       .module = info->fragment,
       .pName = "main",
       .pSpecializationInfo = info->fragment_constants},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_GEOMETRY_BIT,
       .module = info->geometry,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_TASK_BIT_EXT,
       .module = info->task,
       .pName = "main"},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_MESH_BIT_EXT,
       .module = info->mesh,
       .pName = "main",
       .pSpecializationInfo = info->mesh_constants},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
       .module = info->control,
       .pName = "main",
       .pSpecializationInfo = info->tessellation_constants},
      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
       .stage = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
       .module = info->evaluation,
       .pName = "main",
       .pSpecializationInfo = info->tessellation_constants},
   };
   VkPipelineShaderStageCreateInfo stages[UTIL_ARRAY_SIZE(all_stages)];
   uint32_t num_stages = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(all_stages); i++) {
      if (!all_stages[i].module)
         continue;
      stages[num_stages] = all_stages[i];
      stages[num_stages++].pNext = info->stage_next;
   }
   const VkPipelineTessellationStateCreateInfo tessellation = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                               .patchControlPoints = info->patch_vertices};
   const VkVertexInputBindingDescription binding = {0, info->stride_bytes,
                                                   info->is_by_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX};
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = info->stride_bytes != 0,
      .pVertexBindingDescriptions = &binding,
      .vertexAttributeDescriptionCount = info->num_attributes,
      .pVertexAttributeDescriptions = info->attributes,
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = info->topology,
      .primitiveRestartEnable = info->has_restart,
   };
   const VkViewport viewport = {0, 0, (float)info->width, (float)info->height, 0, 1};
   const VkRect2D scissor = {{0, 0}, {info->width, info->height}};
   const VkPipelineViewportStateCreateInfo viewports = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &viewport,
                                                        .scissorCount = 1,
                                                        .pScissors = &scissor};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
      .pNext = info->rasterization_next,
      .rasterizerDiscardEnable = info->is_discarded,
      .cullMode = info->cull,
      .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
      .lineWidth = info->line_width > 0 ? info->line_width : 1,
   };
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .pNext = info->multisample_next,
      .rasterizationSamples = info->samples,
      .sampleShadingEnable = info->shades_samples,
      .minSampleShading = info->shades_samples ? 1 : 0,
      .alphaToCoverageEnable = info->covers_by_alpha};
   const VkPipelineDepthStencilStateCreateInfo depth = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
      .depthTestEnable = info->has_depth,
      .depthWriteEnable = info->has_depth_write,
      .depthCompareOp = VK_COMPARE_OP_LESS,
   };
   const VkPipelineColorBlendAttachmentState attachment = {
      .blendEnable = info->has_blend,
      .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
      .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
      .srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE,
      .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
      .colorWriteMask = 0xf,
   };
   const VkPipelineColorBlendAttachmentState attachments[] = {attachment, attachment, attachment, attachment};
   const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                      .attachmentCount = info->num_colors ? info->num_colors : 1,
                                                      .pAttachments = attachments};
   const VkGraphicsPipelineCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = info->next,
      .stageCount = num_stages,
      .pStages = stages,
      .pTessellationState = info->control ? &tessellation : NULL,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pDepthStencilState = info->depth_stencil ? info->depth_stencil : &depth,
      .pColorBlendState = &blend,
      .layout = info->layout,
      .renderPass = info->pass,
      .subpass = info->subpass,
   };
   VkPipeline pipeline;
   client_check(vk.CreateGraphicsPipelines(client->device, cache, 1, &create, NULL, &pipeline),
                "vkCreateGraphicsPipelines");
   return pipeline;
}

VkRenderPass client_render_pass(struct client *client, VkFormat color, VkFormat depth, VkSampleCountFlagBits samples,
                                bool resolves, VkAttachmentLoadOp load_op)
{
   VkAttachmentDescription attachments[3];
   uint32_t count = 0;
   VkAttachmentReference color_ref, depth_ref, resolve_ref;
   const VkImageLayout initial = load_op == VK_ATTACHMENT_LOAD_OP_LOAD ? VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL : VK_IMAGE_LAYOUT_UNDEFINED;

   attachments[count] = (VkAttachmentDescription){
      .format = color, .samples = samples, .loadOp = load_op,
      .storeOp = resolves ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE, .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
      .initialLayout = initial,
      .finalLayout = resolves ? VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
   color_ref = (VkAttachmentReference){count++, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   if (depth) {
      attachments[count] = (VkAttachmentDescription){
         .format = depth, .samples = samples, .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = VK_ATTACHMENT_STORE_OP_DONT_CARE, .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE, .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
         .finalLayout = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
      depth_ref = (VkAttachmentReference){count++, VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL};
   }
   if (resolves) {
      attachments[count] = (VkAttachmentDescription){
         .format = color, .samples = VK_SAMPLE_COUNT_1_BIT, .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .storeOp = VK_ATTACHMENT_STORE_OP_STORE, .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
         .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE, .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
         .finalLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL};
      resolve_ref = (VkAttachmentReference){count++, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   }
   const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
      .colorAttachmentCount = 1,
      .pColorAttachments = &color_ref,
      .pResolveAttachments = resolves ? &resolve_ref : NULL,
      .pDepthStencilAttachment = depth ? &depth_ref : NULL,
   };
   /* What comes after a pass reads what it wrote, and passes follow each other. */
   const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                       VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                       VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
   const VkAccessFlags accesses = VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                  VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
   const VkSubpassDependency dependencies[2] = {
      {VK_SUBPASS_EXTERNAL, 0, stages | VK_PIPELINE_STAGE_TRANSFER_BIT, stages, accesses, accesses, 0},
      {0, VK_SUBPASS_EXTERNAL, stages, stages | VK_PIPELINE_STAGE_TRANSFER_BIT, accesses,
       accesses | VK_ACCESS_TRANSFER_READ_BIT, 0},
   };
   const VkRenderPassCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
      .attachmentCount = count,
      .pAttachments = attachments,
      .subpassCount = 1,
      .pSubpasses = &subpass,
      .dependencyCount = 2,
      .pDependencies = dependencies,
   };
   VkRenderPass pass;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

VkFramebuffer client_framebuffer(struct client *client, VkRenderPass pass, uint32_t count, const VkImageView *views,
                                 uint32_t width, uint32_t height)
{
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = count,
                                         .pAttachments = views,
                                         .width = width,
                                         .height = height,
                                         .layers = 1};
   VkFramebuffer framebuffer;
   client_check(vk.CreateFramebuffer(client->device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   return framebuffer;
}

VkCommandBuffer client_begin(struct client *client)
{
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = client->pool,
                                             .commandBufferCount = 1};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   VkCommandBuffer cmd;
   client_check(vk.AllocateCommandBuffers(client->device, &info, &cmd), "vkAllocateCommandBuffers");
   client_check(vk.BeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
   return cmd;
}

void client_end(VkCommandBuffer cmd)
{
   client_check(vk.EndCommandBuffer(cmd), "vkEndCommandBuffer");
}

VkResult client_submit_result(struct client *client, VkCommandBuffer cmd)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   VkFence fence;
   client_check(vk.CreateFence(client->device, &fence_info, NULL, &fence), "vkCreateFence");
   client_check(vk.QueueSubmit(client->queue, 1, &info, fence), "vkQueueSubmit");
   const VkResult result = vk.WaitForFences(client->device, 1, &fence, VK_TRUE, UINT64_MAX);
   vk.DestroyFence(client->device, fence, NULL);
   return result;
}

void client_submit(struct client *client, VkCommandBuffer cmd)
{
   client_check(client_submit_result(client, cmd), "vkWaitForFences");
}

void client_run(struct client *client, VkCommandBuffer cmd)
{
   client_end(cmd);
   client_submit(client, cmd);
   vk.FreeCommandBuffers(client->device, client->pool, 1, &cmd);
}

void client_dispatch(struct client *client, VkPipeline pipeline, VkPipelineLayout layout, const struct client_set *set, uint32_t num_groups)
{
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set->set, 0, NULL);
   vk.CmdDispatch(cmd, num_groups, 1, 1);
   client_barrier(cmd);
   client_run(client, cmd);
}

void client_begin_pass(VkCommandBuffer cmd, VkRenderPass pass, VkFramebuffer framebuffer, uint32_t width, uint32_t height, uint32_t count,
                       const VkClearValue *clears)
{
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea.extent = {width, height},
                                        .clearValueCount = count,
                                        .pClearValues = clears};
   vk.CmdBeginRenderPass(cmd, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

void client_barrier(VkCommandBuffer cmd)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                         0, 1, &barrier, 0, NULL, 0, NULL);
}

#define device_function(client, name) ((PFN_vk##name)vk.GetDeviceProcAddr((client)->device, "vk" #name))

void client_set_states(const struct client *client, VkCommandBuffer cmd, uint32_t width, uint32_t height)
{
   const VkViewport viewport = {0, 0, (float)width, (float)height, 0, 1};
   const VkRect2D scissor = {{0, 0}, {width, height}};
   const VkColorComponentFlags mask = 15;
   const VkSampleMask samples = UINT32_MAX;
   device_function(client, CmdSetViewportWithCount)(cmd, 1, &viewport);
   device_function(client, CmdSetScissorWithCount)(cmd, 1, &scissor);
   device_function(client, CmdSetPrimitiveTopology)(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   device_function(client, CmdSetPrimitiveRestartEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetRasterizerDiscardEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetRasterizationSamplesEXT)(cmd, VK_SAMPLE_COUNT_1_BIT);
   device_function(client, CmdSetSampleMaskEXT)(cmd, VK_SAMPLE_COUNT_1_BIT, &samples);
   device_function(client, CmdSetAlphaToCoverageEnableEXT)(cmd, VK_FALSE);
   device_function(client, CmdSetPolygonModeEXT)(cmd, VK_POLYGON_MODE_FILL);
   device_function(client, CmdSetCullMode)(cmd, VK_CULL_MODE_NONE);
   device_function(client, CmdSetFrontFace)(cmd, VK_FRONT_FACE_COUNTER_CLOCKWISE);
   device_function(client, CmdSetDepthTestEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetDepthWriteEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetDepthBiasEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetStencilTestEnable)(cmd, VK_FALSE);
   device_function(client, CmdSetColorWriteMaskEXT)(cmd, 0, 1, &mask);
}

void client_transition(VkCommandBuffer cmd, const struct client_image *image, uint32_t first_level, uint32_t num_levels,
                       VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image->image,
      .subresourceRange = {client_aspects(image->format), first_level, num_levels, 0, 1},
   };
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL,
                         1, &barrier);
}
