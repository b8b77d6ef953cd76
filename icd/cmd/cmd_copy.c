/* SPDX-License-Identifier: MIT
 * Copies, blits, resolves, fills. The commands of VK_KHR_copy_commands2 and the older ones differ in the form of their
 * regions only: both end as one command with regions of the older form.
 * Spec: Copy Commands. */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/command_buffer.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"
#include "icd/resource/image_range.h"

/* ---- regions: from the newer form to the older one ---- */

static VkBufferCopy buffer_region(const VkBufferCopy2 *from)
{
   return (VkBufferCopy){from->srcOffset, from->dstOffset, from->size};
}

static VkImageCopy image_region(const VkImageCopy2 *from)
{
   return (VkImageCopy){from->srcSubresource, from->srcOffset, from->dstSubresource, from->dstOffset, from->extent};
}

static VkBufferImageCopy buffer_image_region(const VkBufferImageCopy2 *from)
{
   return (VkBufferImageCopy){from->bufferOffset,     from->bufferRowLength, from->bufferImageHeight,
                              from->imageSubresource, from->imageOffset,     from->imageExtent};
}

static VkImageBlit blit_region(const VkImageBlit2 *from)
{
   return (VkImageBlit){from->srcSubresource,
                        {from->srcOffsets[0], from->srcOffsets[1]},
                        from->dstSubresource,
                        {from->dstOffsets[0], from->dstOffsets[1]}};
}

static VkImageResolve resolve_region(const VkImageResolve2 *from)
{
   return (VkImageResolve){from->srcSubresource, from->srcOffset, from->dstSubresource, from->dstOffset, from->extent};
}

/* A resolved copy in the stream of `count` regions: either `regions` or `regions2` is given. */
#define DEFINE_REGIONS(name, Region, Region2, convert)                                                                 \
   static Region *name(struct rt_cmd_stream *stream, uint32_t count, const Region *regions, const Region2 *regions2)   \
   {                                                                                                                   \
      Region *out = rt_cmd_data(stream, regions, count * sizeof(*out));                                                \
      for (uint32_t i = 0; out && regions2 && i < count; i++)                                                          \
         out[i] = convert(&regions2[i]);                                                                               \
      return out;                                                                                                      \
   }
DEFINE_REGIONS(buffer_regions, VkBufferCopy, VkBufferCopy2, buffer_region)
DEFINE_REGIONS(image_regions, VkImageCopy, VkImageCopy2, image_region)
DEFINE_REGIONS(buffer_image_regions, VkBufferImageCopy, VkBufferImageCopy2, buffer_image_region)
DEFINE_REGIONS(blit_regions, VkImageBlit, VkImageBlit2, blit_region)
DEFINE_REGIONS(resolve_regions, VkImageResolve, VkImageResolve2, resolve_region)

/* ---- buffers ---- */

static void copy_buffer(struct rt_cmd_stream *stream, VkBuffer src, VkBuffer dst, uint32_t count, VkBufferCopy *regions)
{
   struct rt_cmd_copy_buffer *cmd = regions ? RT_CMD_APPEND(stream, copy_buffer) : NULL;
   if (!cmd)
      return;
   cmd->src = icd_buffer_from_handle(src)->data;
   cmd->dst = icd_buffer_from_handle(dst)->data;
   cmd->num_regions = count;
   cmd->regions = regions;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBuffer(VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkBuffer dstBuffer,
                                             uint32_t regionCount, const VkBufferCopy *pRegions)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_buffer(stream, srcBuffer, dstBuffer, regionCount, buffer_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBuffer2(VkCommandBuffer commandBuffer, const VkCopyBufferInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_buffer(stream, pInfo->srcBuffer, pInfo->dstBuffer, pInfo->regionCount,
               buffer_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdUpdateBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer,
                                               VkDeviceSize dstOffset, VkDeviceSize dataSize, const void *pData)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   const void *data = rt_cmd_data(stream, pData, dataSize);
   struct rt_cmd_update_buffer *cmd = data ? RT_CMD_APPEND(stream, update_buffer) : NULL;
   if (!cmd)
      return;
   cmd->dst = icd_buffer_from_handle(dstBuffer)->data + dstOffset;
   cmd->size_bytes = dataSize;
   cmd->data = data;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdFillBuffer(VkCommandBuffer commandBuffer, VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                             VkDeviceSize size, uint32_t data)
{
   const struct icd_buffer *buffer = icd_buffer_from_handle(dstBuffer);
   struct rt_cmd_fill_buffer *cmd = RT_CMD_APPEND(icd_stream(commandBuffer), fill_buffer);
   if (!cmd)
      return;
   cmd->dst = buffer->data + dstOffset;
   cmd->size_bytes = icd_buffer_range(buffer, dstOffset, size) & ~UINT64_C(3);
   cmd->value = data;
}

/* ---- images ---- */

static void copy_image(struct rt_cmd_stream *stream, VkImage _src, VkImage _dst, uint32_t count, VkImageCopy *regions)
{
   const struct icd_image *src = icd_image_from_handle(_src), *dst = icd_image_from_handle(_dst);
   struct rt_cmd_copy_image *cmd = regions ? RT_CMD_APPEND(stream, copy_image) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++) {
      regions[i].srcSubresource = icd_image_layers(src, regions[i].srcSubresource);
      regions[i].dstSubresource = icd_image_layers(dst, regions[i].dstSubresource);
   }
   cmd->src = &src->rt;
   cmd->dst = &dst->rt;
   cmd->num_regions = count;
   cmd->regions = regions;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                            VkImageLayout srcImageLayout, VkImage dstImage,
                                            VkImageLayout dstImageLayout, uint32_t regionCount,
                                            const VkImageCopy *pRegions)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_image(stream, srcImage, dstImage, regionCount, image_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImage2(VkCommandBuffer commandBuffer, const VkCopyImageInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_image(stream, pInfo->srcImage, pInfo->dstImage, pInfo->regionCount,
              image_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
}

static void copy_buffer_to_image(struct rt_cmd_stream *stream, VkBuffer src, VkImage _dst, uint32_t count,
                                 VkBufferImageCopy *regions)
{
   const struct icd_image *dst = icd_image_from_handle(_dst);
   struct rt_cmd_copy_buffer_to_image *cmd = regions ? RT_CMD_APPEND(stream, copy_buffer_to_image) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++)
      regions[i].imageSubresource = icd_image_layers(dst, regions[i].imageSubresource);
   cmd->src = icd_buffer_from_handle(src)->data;
   cmd->dst = &dst->rt;
   cmd->num_regions = count;
   cmd->regions = regions;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBufferToImage(VkCommandBuffer commandBuffer, VkBuffer srcBuffer, VkImage dstImage,
                                                    VkImageLayout dstImageLayout, uint32_t regionCount,
                                                    const VkBufferImageCopy *pRegions)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_buffer_to_image(stream, srcBuffer, dstImage, regionCount,
                        buffer_image_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyBufferToImage2(VkCommandBuffer commandBuffer,
                                                     const VkCopyBufferToImageInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_buffer_to_image(stream, pInfo->srcBuffer, pInfo->dstImage, pInfo->regionCount,
                        buffer_image_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
}

static void copy_image_to_buffer(struct rt_cmd_stream *stream, VkImage _src, VkBuffer dst, uint32_t count,
                                 VkBufferImageCopy *regions)
{
   const struct icd_image *src = icd_image_from_handle(_src);
   struct rt_cmd_copy_image_to_buffer *cmd = regions ? RT_CMD_APPEND(stream, copy_image_to_buffer) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++)
      regions[i].imageSubresource = icd_image_layers(src, regions[i].imageSubresource);
   cmd->src = &src->rt;
   cmd->dst = icd_buffer_from_handle(dst)->data;
   cmd->num_regions = count;
   cmd->regions = regions;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImageToBuffer(VkCommandBuffer commandBuffer, VkImage srcImage,
                                                    VkImageLayout srcImageLayout, VkBuffer dstBuffer,
                                                    uint32_t regionCount, const VkBufferImageCopy *pRegions)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_image_to_buffer(stream, srcImage, dstBuffer, regionCount,
                        buffer_image_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdCopyImageToBuffer2(VkCommandBuffer commandBuffer,
                                                     const VkCopyImageToBufferInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   copy_image_to_buffer(stream, pInfo->srcImage, pInfo->dstBuffer, pInfo->regionCount,
                        buffer_image_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
}

/* ---- blits and resolves ---- */

static void blit_image(struct rt_cmd_stream *stream, VkImage _src, VkImage _dst, VkFilter filter, uint32_t count,
                       VkImageBlit *regions)
{
   const struct icd_image *src = icd_image_from_handle(_src), *dst = icd_image_from_handle(_dst);
   struct rt_cmd_blit_image *cmd = regions ? RT_CMD_APPEND(stream, blit_image) : NULL;
   if (!cmd)
      return;
   for (uint32_t i = 0; i < count; i++) {
      regions[i].srcSubresource = icd_image_layers(src, regions[i].srcSubresource);
      regions[i].dstSubresource = icd_image_layers(dst, regions[i].dstSubresource);
   }
   cmd->src = &src->rt;
   cmd->dst = &dst->rt;
   cmd->filter = filter;
   cmd->num_regions = count;
   cmd->regions = regions;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBlitImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                            VkImageLayout srcImageLayout, VkImage dstImage,
                                            VkImageLayout dstImageLayout, uint32_t regionCount,
                                            const VkImageBlit *pRegions, VkFilter filter)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   blit_image(stream, srcImage, dstImage, filter, regionCount, blit_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBlitImage2(VkCommandBuffer commandBuffer, const VkBlitImageInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   blit_image(stream, pInfo->srcImage, pInfo->dstImage, pInfo->filter, pInfo->regionCount,
              blit_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
}

/* NULL: out of memory. */
static struct rt_cmd_resolve_image *resolve_image(struct rt_cmd_stream *stream, VkImage _src, VkImage _dst, uint32_t count,
                                                  VkImageResolve *regions)
{
   const struct icd_image *src = icd_image_from_handle(_src), *dst = icd_image_from_handle(_dst);
   struct rt_cmd_resolve_image *cmd = regions ? RT_CMD_APPEND(stream, resolve_image) : NULL;
   if (!cmd)
      return NULL;
   for (uint32_t i = 0; i < count; i++) {
      regions[i].srcSubresource = icd_image_layers(src, regions[i].srcSubresource);
      regions[i].dstSubresource = icd_image_layers(dst, regions[i].dstSubresource);
   }
   cmd->src = &src->rt;
   cmd->dst = &dst->rt;
   cmd->mode = cmd->stencil_mode = VK_RESOLVE_MODE_AVERAGE_BIT;
   cmd->num_regions = count;
   cmd->regions = regions;
   return cmd;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResolveImage(VkCommandBuffer commandBuffer, VkImage srcImage,
                                               VkImageLayout srcImageLayout, VkImage dstImage,
                                               VkImageLayout dstImageLayout, uint32_t regionCount,
                                               const VkImageResolve *pRegions)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   (void)resolve_image(stream, srcImage, dstImage, regionCount, resolve_regions(stream, regionCount, pRegions, NULL));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdResolveImage2(VkCommandBuffer commandBuffer, const VkResolveImageInfo2 *pInfo)
{
   struct rt_cmd_stream *stream = icd_stream(commandBuffer);
   struct rt_cmd_resolve_image *cmd = resolve_image(stream, pInfo->srcImage, pInfo->dstImage, pInfo->regionCount,
                                                    resolve_regions(stream, pInfo->regionCount, NULL, pInfo->pRegions));
#ifdef VK_KHR_maintenance10
   const VkResolveImageModeInfoKHR *modes = icd_chain_find(pInfo->pNext, VK_STRUCTURE_TYPE_RESOLVE_IMAGE_MODE_INFO_KHR);
   if (cmd && modes) {
      cmd->mode = modes->resolveMode;
      cmd->stencil_mode = modes->stencilResolveMode;
      cmd->is_encoded = modes->flags & VK_RESOLVE_IMAGE_SKIP_TRANSFER_FUNCTION_BIT_KHR;
   }
#else
   (void)cmd;
#endif
}
