/* SPDX-License-Identifier: MIT
 * Clears. Spec: Clear Commands. */
#include "gen/icd_entrypoints.h"
#include "icd/command_buffer.h"
#include "icd/resource/image.h"
#include "icd/resource/image_range.h"

/* A copy in the stream with all counts resolved. */
static const VkImageSubresourceRange *copy_ranges(struct rt_cmd_stream *stream, const struct icd_image *image,
                                                  uint32_t count, const VkImageSubresourceRange *ranges)
{
   VkImageSubresourceRange *out = rt_cmd_data(stream, NULL, count * sizeof(*out));
   for (uint32_t i = 0; out && i < count; i++) {
      out[i] = icd_image_range(image, &ranges[i]);
      if (image->rt.type == VK_IMAGE_TYPE_3D)
         out[i].layerCount = 1; /* 3D images have one layer: all slices of a level are cleared */
   }
   return out;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdClearColorImage(VkCommandBuffer commandBuffer, VkImage _image,
                                                  VkImageLayout imageLayout, const VkClearColorValue *pColor,
                                                  uint32_t rangeCount, const VkImageSubresourceRange *pRanges)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const struct icd_image *image = icd_image_from_handle(_image);
   const VkImageSubresourceRange *ranges = copy_ranges(stream, image, rangeCount, pRanges);
   struct rt_cmd_clear_color_image *cmd = ranges ? RT_CMD_APPEND(stream, clear_color_image) : NULL;
   if (!cmd)
      return;
   cmd->image = &image->rt;
   cmd->color = *pColor;
   cmd->num_ranges = rangeCount;
   cmd->ranges = ranges;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdClearDepthStencilImage(VkCommandBuffer commandBuffer, VkImage _image,
                                                         VkImageLayout imageLayout,
                                                         const VkClearDepthStencilValue *pDepthStencil,
                                                         uint32_t rangeCount, const VkImageSubresourceRange *pRanges)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const struct icd_image *image = icd_image_from_handle(_image);
   const VkImageSubresourceRange *ranges = copy_ranges(stream, image, rangeCount, pRanges);
   struct rt_cmd_clear_depth_stencil_image *cmd = ranges ? RT_CMD_APPEND(stream, clear_depth_stencil_image) : NULL;
   if (!cmd)
      return;
   cmd->image = &image->rt;
   cmd->value = *pDepthStencil;
   cmd->num_ranges = rangeCount;
   cmd->ranges = ranges;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdClearAttachments(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                                   const VkClearAttachment *pAttachments, uint32_t rectCount,
                                                   const VkClearRect *pRects)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const VkClearAttachment *attachments = rt_cmd_data(stream, pAttachments, attachmentCount * sizeof(*attachments));
   const VkClearRect *rects = rt_cmd_data(stream, pRects, rectCount * sizeof(*rects));
   struct rt_cmd_clear_attachments *cmd = attachments && rects ? RT_CMD_APPEND(stream, clear_attachments) : NULL;
   if (!cmd)
      return;
   cmd->num_attachments = attachmentCount;
   cmd->num_rects = rectCount;
   cmd->attachments = attachments;
   cmd->rects = rects;
}
