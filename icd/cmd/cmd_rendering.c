/* SPDX-License-Identifier: MIT
 * Dynamic rendering. Spec: Render Pass, "vkCmdBeginRendering", "vkCmdBeginCustomResolveEXT". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/cmd/barrier.h"
#include "icd/cmd/density_offsets.h"
#include "icd/cmd/implicit_samples.h"
#include "icd/command_buffer.h"
#include "icd/render_pass.h"
#include "icd/device/shading_rate.h"
#include "icd/resource/image_view.h"

#include <string.h>

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

/* ---- resolves by shaders ----
 * The attachments that draws after vkCmdBeginCustomResolveEXT write are those of a rendering of its own. What came before is stored, since shaders read it. */

#ifdef VK_EXT_custom_resolve
static bool resolves_by_shader(const VkRenderingAttachmentInfo *info)
{
   return info->resolveMode == VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
}

static struct rt_attachment resolve_target(const VkRenderingAttachmentInfo *info, VkImageAspectFlagBits aspect)
{
   if (!info || !info->imageView || !info->resolveImageView || !resolves_by_shader(info))
      return (struct rt_attachment){0};
   return (struct rt_attachment){
      .view = icd_image_view_attachment(icd_image_view_from_handle(info->resolveImageView), aspect),
      .load_op = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
      .store_op = VK_ATTACHMENT_STORE_OP_STORE,
   };
}

/* Prepares the second rendering, where there may be one; the first is `begin`. */
static void prepare_resolve(struct icd_command_buffer *buffer, const VkRenderingInfo *info, struct rt_cmd_begin_rendering *begin)
{
   buffer->resolve_rendering = NULL;
   if (!(info->flags & VK_RENDERING_CUSTOM_RESOLVE_BIT_EXT))
      return;
   struct rt_cmd_begin_rendering *resolve = rt_cmd_data(&buffer->stream, NULL, sizeof(*resolve));
   if (!resolve)
      return;
   *resolve = (struct rt_cmd_begin_rendering){
      .area = begin->area,
      .num_layers = begin->num_layers,
      .view_mask = begin->view_mask,
      .num_colors = begin->num_colors,
      .depth = resolve_target(info->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT),
      .stencil = resolve_target(info->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT),
      .rates = begin->rates,
      .is_dithered = begin->is_dithered,
   };
   for (uint32_t i = 0; i < begin->num_colors; i++) {
      resolve->colors[i] = resolve_target(&info->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT);
      begin->colors[i].store_op = VK_ATTACHMENT_STORE_OP_STORE;
   }
   begin->depth.store_op = begin->stencil.store_op = VK_ATTACHMENT_STORE_OP_STORE;
   buffer->resolve_rendering = resolve;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginCustomResolveEXT(VkCommandBuffer commandBuffer, const VkBeginCustomResolveInfoEXT *pBeginCustomResolveInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   const struct rt_cmd_begin_rendering *resolve = buffer->resolve_rendering;
   if (!resolve)
      return;
   buffer->resolve_rendering = NULL;
   (void)RT_CMD_APPEND(&buffer->stream, end_rendering);
   icd_append_barrier(&buffer->stream, &(struct icd_barrier){1u << RT_STAGES_FRAGMENT, 1u << RT_STAGES_FRAGMENT});
   struct rt_cmd_begin_rendering *begin = RT_CMD_APPEND(&buffer->stream, begin_rendering);
   if (!begin)
      return;
   const struct rt_cmd cmd = begin->cmd;
   *begin = *resolve;
   begin->cmd = cmd;
}
#else
static bool resolves_by_shader(const VkRenderingAttachmentInfo *info)
{
   return false;
}

static void prepare_resolve(struct icd_command_buffer *buffer, const VkRenderingInfo *info, struct rt_cmd_begin_rendering *begin)
{
}
#endif

/* ---- renderings ---- */

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
      .resolves_encoded = resolves_encoded(info),
   };
   if (info->resolveMode != VK_RESOLVE_MODE_NONE && info->resolveImageView && !resolves_by_shader(info)) {
      attachment.resolve_mode = info->resolveMode;
      attachment.resolve_view = icd_image_view_attachment(icd_image_view_from_handle(info->resolveImageView), aspect);
   }
   return attachment;
}

/* Of VK_VALVE_fragment_density_map_layered, which older headers do not have. */
#define PER_LAYER_DENSITY 0x20u
#ifdef VK_VALVE_fragment_density_map_layered
_Static_assert(VK_RENDERING_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE == PER_LAYER_DENSITY, "the registry's number");
#endif

static struct rt_rate_attachment rates_of(const VkRenderingInfo *info)
{
   const VkRenderingFragmentDensityMapAttachmentInfoEXT *map =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_INFO_EXT);
   if (map && map->imageView) {
      const VkExtent2D size = {info->renderArea.offset.x + info->renderArea.extent.width, info->renderArea.offset.y + info->renderArea.extent.height};
      return icd_density_attachment(icd_image_view_from_handle(map->imageView), size, info->viewMask != 0 || info->flags & PER_LAYER_DENSITY);
   }
   const VkRenderingFragmentShadingRateAttachmentInfoKHR *rates =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
   return rates ? icd_rate_attachment(icd_image_view_from_handle(rates->imageView), rates->shadingRateAttachmentTexelSize)
                : (struct rt_rate_attachment){0};
}

/* With which attachments of one sample are rendered to; 0: as they are. */
static uint32_t implicit_samples(const VkRenderingInfo *info)
{
   const VkMultisampledRenderToSingleSampledInfoEXT *implicit =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT);
   return implicit && implicit->multisampledRenderToSingleSampledEnable ? implicit->rasterizationSamples : 0;
}

static VkResolveModeFlagBits implicit_mode(const VkRenderingAttachmentInfo *attachment, VkImageAspectFlagBits aspect, const struct abi_image *view)
{
   const bool is_default = attachment->resolveMode == VK_RESOLVE_MODE_NONE && aspect == VK_IMAGE_ASPECT_COLOR_BIT;
   return is_default ? icd_color_resolve_mode(view) : attachment->resolveMode;
}

/* Images that exist for one rendering alone are not there for its next part: what is suspended is stored, and loaded when it is resumed. */
static void add_samples(struct icd_command_buffer *buffer, const VkRenderingInfo *info, const VkRenderingAttachmentInfo *attachment,
                        VkImageAspectFlagBits aspect, uint32_t samples, struct rt_attachment *out)
{
   if (!out->view)
      return;
   if (info->flags & VK_RENDERING_RESUMING_BIT)
      out->load_op = VK_ATTACHMENT_LOAD_OP_LOAD;
   if (info->flags & VK_RENDERING_SUSPENDING_BIT)
      out->store_op = VK_ATTACHMENT_STORE_OP_STORE;
   icd_implicit_samples(buffer, out, icd_image_view_from_handle(attachment->imageView), aspect, &info->renderArea, samples,
                        implicit_mode(attachment, aspect, out->view));
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginRendering(VkCommandBuffer commandBuffer, const VkRenderingInfo *pRenderingInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   const uint32_t num_colors = UTIL_MIN(pRenderingInfo->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS);
   const uint32_t samples = implicit_samples(pRenderingInfo);
   struct rt_attachment colors[ABI_MAX_ATTACHMENTS];
   struct rt_attachment depth = attachment_of(pRenderingInfo->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT);
   struct rt_attachment stencil = attachment_of(pRenderingInfo->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT);
   for (uint32_t i = 0; i < num_colors; i++)
      colors[i] = attachment_of(&pRenderingInfo->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT);
   if (samples) {
      for (uint32_t i = 0; i < num_colors; i++)
         add_samples(buffer, pRenderingInfo, &pRenderingInfo->pColorAttachments[i], VK_IMAGE_ASPECT_COLOR_BIT, samples, &colors[i]);
      add_samples(buffer, pRenderingInfo, pRenderingInfo->pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT, samples, &depth);
      add_samples(buffer, pRenderingInfo, pRenderingInfo->pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT, samples, &stencil);
   }
   struct rt_cmd_begin_rendering *begin = RT_CMD_APPEND(&buffer->stream, begin_rendering);
   if (!begin)
      return;
   begin->area = pRenderingInfo->renderArea;
   begin->num_layers = pRenderingInfo->layerCount;
   begin->view_mask = pRenderingInfo->viewMask;
   begin->num_colors = num_colors;
   begin->is_resuming = !samples && pRenderingInfo->flags & VK_RENDERING_RESUMING_BIT;
   begin->is_suspending = !samples && pRenderingInfo->flags & VK_RENDERING_SUSPENDING_BIT;
   memcpy(begin->colors, colors, num_colors * sizeof(colors[0]));
   begin->depth = depth;
   begin->stencil = stencil;
   begin->is_dithered = pRenderingInfo->flags & VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT;
   begin->rates = rates_of(pRenderingInfo);
   icd_density_offsets_begin(buffer);
   icd_density_offsets_add(buffer, &begin->rates);
   prepare_resolve(buffer, pRenderingInfo, begin);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndRendering(VkCommandBuffer commandBuffer)
{
   (void)RT_CMD_APPEND(icd_stream(commandBuffer), end_rendering);
}

#ifdef VK_KHR_maintenance10
VKAPI_ATTR void VKAPI_CALL icd_CmdEndRendering2KHR(VkCommandBuffer commandBuffer, const VkRenderingEndInfoKHR *pRenderingEndInfo)
{
   icd_density_offsets_end(icd_command_buffer_from_handle(commandBuffer), pRenderingEndInfo ? pRenderingEndInfo->pNext : NULL);
   icd_CmdEndRendering(commandBuffer);
}
#elif defined(VK_EXT_fragment_density_map_offset) /* its own command in headers before that */
VKAPI_ATTR void VKAPI_CALL icd_CmdEndRendering2EXT(VkCommandBuffer commandBuffer, const VkRenderingEndInfoEXT *pRenderingEndInfo)
{
   icd_density_offsets_end(icd_command_buffer_from_handle(commandBuffer), pRenderingEndInfo ? pRenderingEndInfo->pNext : NULL);
   icd_CmdEndRendering(commandBuffer);
}
#endif
