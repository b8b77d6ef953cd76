/* SPDX-License-Identifier: MIT */
#include "tests/bench/picture.h"

void bench_picture_layout(VkCommandBuffer cmd, const struct client_image *image, VkImageAspectFlags aspect, VkImageLayout from, VkImageLayout to)
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
      .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
   };
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL,
                         1, &barrier);
}

struct client_image bench_picture_create(struct client *client, const VkImageCreateInfo *info, VkImageViewType type, VkImageAspectFlags aspect,
                                         VkSamplerYcbcrConversion conversion)
{
   struct client_image image = {.format = info->format};
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(client->device, info, NULL, &image.image), "vkCreateImage");
   vk.GetImageMemoryRequirements(client->device, image.image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(client->device, &allocate, NULL, &image.memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(client->device, image.image, image.memory, 0), "vkBindImageMemory");
   const VkSamplerYcbcrConversionInfo with = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, conversion};
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .pNext = conversion ? &with : NULL,
                                       .image = image.image,
                                       .viewType = type,
                                       .format = info->format,
                                       .subresourceRange = {aspect, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS}};
   client_check(vk.CreateImageView(client->device, &view, NULL, &image.view), "vkCreateImageView");
   return image;
}
