/* SPDX-License-Identifier: MIT
 * Dynamic rendering. Spec: Render Pass, "vkCmdBeginRendering". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/command_buffer.h"
#include "icd/render_pass.h"
#include "icd/shading_rate.h"
#include "icd/resource/image_view.h"

#ifdef VK_KHR_maintenance10
static bool resolves_encoded(const VkRenderingAttachmentInfo *info)
{
   const VkRenderingAttachmentFlagsInfoKHR *flags = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_FLAGS_INFO_KHR);
   return flags && flags->flags & VK_RENDERING_ATTACHMENT_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR;
}
#else
static bool resolves_encoded(const VkRenderingAttachmentInfo *info)
{
   return false;
}
#endif

static struct rt_attachment attachment_of(const VkRenderingAttachmentInfo *info, VkImageAspectFlagBits aspect)
{
   const struct icd_image_view *view = info ? icd_image_view_from_handle(info->imageView) : NULL;
   if (!view)
      return (struct rt_attachment){0};
   struct rt_attachment attachment = {
      .view = icd_image_view_attachment(view, aspect),
      .load_op = info->loadOp,
      .store_op = info->storeOp,
      .clear = info->clearValue,
      .is_read_only = aspect != VK_IMAGE_ASPECT_COLOR_BIT && icd_layout_is_read_only(info->imageLayout, aspect == VK_IMAGE_ASPECT_STENCIL_BIT),
   };
   if (info->resolveMode != VK_RESOLVE_MODE_NONE && info->resolveImageView) {
      attachment.resolve_mode = info->resolveMode;
      attachment.resolves_encoded = resolves_encoded(info);
      attachment.resolve_view = icd_image_view_attachment(icd_image_view_from_handle(info->resolveImageView), aspect);
   }
   return attachment;
}

static struct rt_rate_attachment rates_of(const VkRenderingInfo *info)
{
   const VkRenderingFragmentShadingRateAttachmentInfoKHR *rates =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
   return rates ? icd_rate_attachment(icd_image_view_from_handle(rates->imageView), rates->shadingRateAttachmentTexelSize)
                : (struct rt_rate_attachment){0};
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginRendering(VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo)
{
   struct rt_cmd_begin_rendering *begin = RT_CMD_APPEND(icd_stream(commandBuffer), begin_rendering);
   if (!begin)
      return;
   begin->area = pRenderingInfo->renderArea;
   begin->num_layers = pRenderingInfo->layerCount;
   begin->view_mask = pRenderingInfo->viewMask;
   begin->num_colors = UTIL_MIN(pRenderingInfo->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS);
   begin->is_resuming = pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT;
   begin->is_suspending = pRenderingInfo->flags & VK_RENDERING_SUSPENDING_BIT;
   for (uint32_t i = 0; i < begin->num_colors; i++)
      begin->colors[i] = attachment_of(&pRenderingInfo->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT);
   begin->depth = attachment_of(pRenderingInfo->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT);
   begin->stencil = attachment_of(pRenderingInfo->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT);
   begin->rates = rates_of(pRenderingInfo);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndRendering(VkCommandBuffer commandBuffer)
{
   (void)RT_CMD_APPEND(icd_stream(commandBuffer), end_rendering);
}

#ifdef VK_KHR_maintenance10
VKAPI_ATTR void VKAPI_CALL icd_CmdEndRendering2KHR(VkCommandBuffer commandBuffer, const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
   icd_CmdEndRendering(commandBuffer);
}
#endif
