/* SPDX-License-Identifier: MIT */
#include "tests/render/memory/addressed.h"

/* Nobody flushes what the tests write. */
static uint32_t coherent_type(const struct client *client, uint32_t allowed)
{
   uint32_t type = 0;
   while (type < client->memory.memoryTypeCount &&
          !(allowed >> type & 1 && client->memory.memoryTypes[type].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
      type++;
   return type;
}

struct client_buffer addressed_buffer(struct client *client, size_t size, VkBufferUsageFlags2 usage)
{
   struct client_buffer out = {.size_bytes = size};
   const VkBufferUsageFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_BUFFER_USAGE_FLAGS_2_CREATE_INFO,
                                                .usage = usage | VK_BUFFER_USAGE_2_SHADER_DEVICE_ADDRESS_BIT};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .pNext = &flags, .size = size};
   const VkMemoryAllocateFlagsInfo addressed = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   VkMemoryRequirements requirements;
   client_check(vk.CreateBuffer(client->device, &info, NULL, &out.buffer), "vkCreateBuffer");
   vk.GetBufferMemoryRequirements(client->device, out.buffer, &requirements);
   const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &addressed,
                                        .allocationSize = requirements.size, .memoryTypeIndex = coherent_type(client, requirements.memoryTypeBits)};
   client_check(vk.AllocateMemory(client->device, &memory, NULL, &out.memory), "vkAllocateMemory");
   client_check(vk.BindBufferMemory(client->device, out.buffer, out.memory, 0), "vkBindBufferMemory");
   client_check(vk.MapMemory(client->device, out.memory, 0, VK_WHOLE_SIZE, 0, &out.map), "vkMapMemory");
   return out;
}

VkDeviceAddress address_of(struct client *client, const struct client_buffer *buffer)
{
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer->buffer};
   const PFN_vkGetBufferDeviceAddress get =
      (PFN_vkGetBufferDeviceAddress)vk.GetDeviceProcAddr(client->device, "vkGetBufferDeviceAddress");
   return get(client->device, &info);
}
