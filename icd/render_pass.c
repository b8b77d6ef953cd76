/* SPDX-License-Identifier: MIT
 * Render passes. Both versions of the create structures fill the same form. */
#include "icd/render_pass.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"

#ifdef VK_KHR_maintenance10
#define SKIP_TRANSFER_FUNCTION VK_ATTACHMENT_DESCRIPTION_RESOLVE_SKIP_TRANSFER_FUNCTION_BIT_KHR
#else
#define SKIP_TRANSFER_FUNCTION 0
#endif

/* ---- the common form, filled by both versions ---- */

struct pass_builder {
   struct icd_render_pass *pass;
   struct icd_pass_attachment *attachments;
   struct icd_subpass *subpasses;
   uint32_t *inputs; /* the next free entry */
   struct icd_pass_dependency *dependencies;
};

static VkResult builder_init(struct pass_builder *builder, struct icd_device *device,
                             const VkAllocationCallbacks *allocator, uint32_t num_attachments, uint32_t num_subpasses,
                             uint32_t num_inputs, uint32_t num_dependencies)
{
   size_t bytes = sizeof(struct icd_render_pass);
   const size_t attachments = icd_block_add(&bytes, num_attachments, sizeof(*builder->attachments));
   const size_t subpasses = icd_block_add(&bytes, num_subpasses, sizeof(*builder->subpasses));
   const size_t inputs = icd_block_add(&bytes, num_inputs, sizeof(*builder->inputs));
   const size_t dependencies = icd_block_add(&bytes, num_dependencies, sizeof(*builder->dependencies));

   builder->pass = icd_object_alloc(device, allocator, bytes, VK_OBJECT_TYPE_RENDER_PASS);
   if (!builder->pass)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   builder->pass->num_attachments = num_attachments;
   builder->pass->num_subpasses = num_subpasses;
   builder->pass->attachments = builder->attachments = icd_block_at(builder->pass, attachments);
   builder->pass->subpasses = builder->subpasses = icd_block_at(builder->pass, subpasses);
   builder->inputs = icd_block_at(builder->pass, inputs);
   builder->pass->dependencies = builder->dependencies = icd_block_at(builder->pass, dependencies);
   return VK_SUCCESS;
}

static void use(struct pass_builder *builder, uint32_t attachment, uint32_t subpass)
{
   if (attachment < builder->pass->num_attachments)
      builder->attachments[attachment].last_subpass = subpass;
}

/* Subpasses are finished in order, so that the last use stays. */
static void subpass_finish(struct pass_builder *builder, uint32_t index)
{
   const struct icd_subpass *subpass = &builder->subpasses[index];
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      use(builder, subpass->colors[i], index);
      use(builder, subpass->resolves[i], index);
   }
   for (uint32_t i = 0; i < subpass->num_inputs; i++)
      use(builder, subpass->inputs[i], index);
   use(builder, subpass->depth_stencil, index);
   use(builder, subpass->depth_stencil_resolve, index);
   use(builder, subpass->rates, index);
}

/* Where a pass leaves an attachment in such a layout, and no dependency says who waits for it, readers may take the transition for one. */
static bool is_for_readers(VkImageLayout layout)
{
   return layout == VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL || icd_layout_is_read_only(layout, false) || icd_layout_is_read_only(layout, true);
}

static void add_dependency(struct pass_builder *builder, const struct icd_pass_dependency *dependency)
{
   builder->pass->waits_at_end |= dependency->dst_subpass == VK_SUBPASS_EXTERNAL;
   builder->dependencies[builder->pass->num_dependencies++] = *dependency;
}

bool icd_layout_is_read_only(VkImageLayout layout, bool is_stencil)
{
   switch (layout) {
   case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL: return true;
   case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
   case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL: return !is_stencil;
   case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
   case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL: return is_stencil;
   default: return false;
   }
}

/* Of VK_VALVE_fragment_density_map_layered, which older headers do not have. */
#define PER_LAYER_DENSITY 0x4u
#ifdef VK_VALVE_fragment_density_map_layered
_Static_assert(VK_RENDER_PASS_CREATE_PER_LAYER_FRAGMENT_DENSITY_BIT_VALVE == PER_LAYER_DENSITY, "the registry's number");
#endif

/* VK_EXT_fragment_density_map: one for all subpasses. */
static void add_density_map(struct pass_builder *builder, VkRenderPassCreateFlags flags, const void *next)
{
   const VkRenderPassFragmentDensityMapCreateInfoEXT *map =
      icd_chain_find(next, VK_STRUCTURE_TYPE_RENDER_PASS_FRAGMENT_DENSITY_MAP_CREATE_INFO_EXT);
   if (!map || map->fragmentDensityMapAttachment.attachment >= builder->pass->num_attachments)
      return;
   for (uint32_t i = 0; i < builder->pass->num_subpasses; i++) {
      builder->subpasses[i].rates = map->fragmentDensityMapAttachment.attachment;
      builder->subpasses[i].has_density = true;
      builder->subpasses[i].has_layered_density = flags & PER_LAYER_DENSITY;
      use(builder, builder->subpasses[i].rates, i);
   }
}

/* False: draws of the subpass are its resolve. */
static bool resolves(VkSubpassDescriptionFlags flags)
{
   return !(flags & VK_SUBPASS_DESCRIPTION_SHADER_RESOLVE_BIT_QCOM);
}

/* ---- version 1 ---- */

static void attachment_init_1(struct icd_pass_attachment *attachment, const VkAttachmentDescription *info)
{
   *attachment = (struct icd_pass_attachment){
      .format = info->format,
      .samples = info->samples,
      .load_op = info->loadOp,
      .stencil_load_op = info->stencilLoadOp,
      .store_op = info->storeOp,
      .stencil_store_op = info->stencilStoreOp,
      .final_layout = info->finalLayout,
      .resolves_encoded = info->flags & SKIP_TRANSFER_FUNCTION,
      .last_subpass = UINT32_MAX,
   };
}

static void subpass_init_1(struct pass_builder *builder, uint32_t index, const VkSubpassDescription *info,
                           uint32_t view_mask)
{
   struct icd_subpass *subpass = &builder->subpasses[index];
   *subpass = (struct icd_subpass){
      .bind_point = info->pipelineBindPoint,
      .view_mask = view_mask,
      .num_colors = UTIL_MIN(info->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS),
      .depth_stencil = info->pDepthStencilAttachment ? info->pDepthStencilAttachment->attachment : VK_ATTACHMENT_UNUSED,
      .depth_stencil_resolve = VK_ATTACHMENT_UNUSED,
      .is_dithered = info->flags & VK_SUBPASS_DESCRIPTION_ENABLE_LEGACY_DITHERING_BIT_EXT,
      .has_fragment_regions = info->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM,
      .rates = VK_ATTACHMENT_UNUSED,
      .num_inputs = info->inputAttachmentCount,
      .inputs = builder->inputs,
   };
   if (info->pDepthStencilAttachment) {
      subpass->reads_depth_only = icd_layout_is_read_only(info->pDepthStencilAttachment->layout, false);
      subpass->reads_stencil_only = icd_layout_is_read_only(info->pDepthStencilAttachment->layout, true);
   }
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      subpass->colors[i] = info->pColorAttachments[i].attachment;
      subpass->resolves[i] = resolves(info->flags) && info->pResolveAttachments ? info->pResolveAttachments[i].attachment : VK_ATTACHMENT_UNUSED;
   }
   for (uint32_t i = 0; i < info->inputAttachmentCount; i++)
      *builder->inputs++ = info->pInputAttachments[i].attachment;
   subpass_finish(builder, index);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateRenderPass(VkDevice device, const VkRenderPassCreateInfo *pCreateInfo,
                                                    const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
   const VkRenderPassMultiviewCreateInfo *multiview =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO);
   struct pass_builder builder;
   uint32_t num_inputs = 0;

   for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++)
      num_inputs += pCreateInfo->pSubpasses[i].inputAttachmentCount;
   const VkResult result = builder_init(&builder, icd_device_from_handle(device), pAllocator,
                                        pCreateInfo->attachmentCount, pCreateInfo->subpassCount, num_inputs, pCreateInfo->dependencyCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < pCreateInfo->attachmentCount; i++)
      attachment_init_1(&builder.attachments[i], &pCreateInfo->pAttachments[i]);
   for (uint32_t i = 0; i < pCreateInfo->attachmentCount; i++)
      builder.pass->hands_over |= is_for_readers(pCreateInfo->pAttachments[i].finalLayout);
   for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++) {
      const uint32_t view_mask = multiview && multiview->subpassCount ? multiview->pViewMasks[i] : 0;
      subpass_init_1(&builder, i, &pCreateInfo->pSubpasses[i], view_mask);
   }
   add_density_map(&builder, pCreateInfo->flags, pCreateInfo->pNext);
   for (uint32_t i = 0; i < pCreateInfo->dependencyCount; i++) {
      const VkSubpassDependency *it = &pCreateInfo->pDependencies[i];
      add_dependency(&builder, &(struct icd_pass_dependency){it->srcSubpass, it->dstSubpass, it->srcStageMask, it->dstStageMask, it->srcAccessMask,
                                                             it->dstAccessMask});
   }
   *pRenderPass = icd_render_pass_to_handle(builder.pass);
   return VK_SUCCESS;
}

/* ---- version 2 ---- */

static void attachment_init_2(struct icd_pass_attachment *attachment, const VkAttachmentDescription2 *info)
{
   *attachment = (struct icd_pass_attachment){
      .format = info->format,
      .samples = info->samples,
      .load_op = info->loadOp,
      .stencil_load_op = info->stencilLoadOp,
      .store_op = info->storeOp,
      .stencil_store_op = info->stencilStoreOp,
      .final_layout = info->finalLayout,
      .resolves_encoded = info->flags & SKIP_TRANSFER_FUNCTION,
      .last_subpass = UINT32_MAX,
   };
}

static void subpass_init_2(struct pass_builder *builder, uint32_t index, const VkSubpassDescription2 *info)
{
   const VkSubpassDescriptionDepthStencilResolve *resolve =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
   struct icd_subpass *subpass = &builder->subpasses[index];
   *subpass = (struct icd_subpass){
      .bind_point = info->pipelineBindPoint,
      .view_mask = info->viewMask,
      .num_colors = UTIL_MIN(info->colorAttachmentCount, (uint32_t)ABI_MAX_ATTACHMENTS),
      .depth_stencil = info->pDepthStencilAttachment ? info->pDepthStencilAttachment->attachment : VK_ATTACHMENT_UNUSED,
      .depth_stencil_resolve = VK_ATTACHMENT_UNUSED,
      .is_dithered = info->flags & VK_SUBPASS_DESCRIPTION_ENABLE_LEGACY_DITHERING_BIT_EXT,
      .has_fragment_regions = info->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM,
      .rates = VK_ATTACHMENT_UNUSED,
      .num_inputs = info->inputAttachmentCount,
      .inputs = builder->inputs,
   };
   if (info->pDepthStencilAttachment) {
      const VkAttachmentReferenceStencilLayout *stencil =
         icd_chain_find(info->pDepthStencilAttachment->pNext, VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_STENCIL_LAYOUT);
      subpass->reads_depth_only = icd_layout_is_read_only(info->pDepthStencilAttachment->layout, false);
      subpass->reads_stencil_only =
         icd_layout_is_read_only(stencil ? stencil->stencilLayout : info->pDepthStencilAttachment->layout, true);
   }
   const VkFragmentShadingRateAttachmentInfoKHR *rates =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR);
   if (rates && rates->pFragmentShadingRateAttachment) {
      subpass->rates = rates->pFragmentShadingRateAttachment->attachment;
      subpass->rate_texel = rates->shadingRateAttachmentTexelSize;
   }
   const VkMultisampledRenderToSingleSampledInfoEXT *implicit =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_INFO_EXT);
   subpass->implicit_samples = implicit && implicit->multisampledRenderToSingleSampledEnable ? implicit->rasterizationSamples : 0;
   if (resolve && resolve->pDepthStencilResolveAttachment && resolves(info->flags))
      subpass->depth_stencil_resolve = resolve->pDepthStencilResolveAttachment->attachment;
   if (resolve) {
      subpass->depth_resolve_mode = resolve->depthResolveMode;
      subpass->stencil_resolve_mode = resolve->stencilResolveMode;
   }
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      subpass->colors[i] = info->pColorAttachments[i].attachment;
      subpass->resolves[i] = resolves(info->flags) && info->pResolveAttachments ? info->pResolveAttachments[i].attachment : VK_ATTACHMENT_UNUSED;
   }
   for (uint32_t i = 0; i < info->inputAttachmentCount; i++)
      *builder->inputs++ = info->pInputAttachments[i].attachment;
   subpass_finish(builder, index);
}

/* A memory barrier in the chain replaces the masks. */
static void add_dependency_2(struct pass_builder *builder, const VkSubpassDependency2 *info)
{
   const VkMemoryBarrier2 *barrier = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_BARRIER_2);
   const struct icd_pass_dependency dependency = {
      .src_subpass = info->srcSubpass,
      .dst_subpass = info->dstSubpass,
      .src_stages = barrier ? barrier->srcStageMask : info->srcStageMask,
      .dst_stages = barrier ? barrier->dstStageMask : info->dstStageMask,
      .src_accesses = barrier ? barrier->srcAccessMask : info->srcAccessMask,
      .dst_accesses = barrier ? barrier->dstAccessMask : info->dstAccessMask,
   };
   add_dependency(builder, &dependency);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateRenderPass2(VkDevice device, const VkRenderPassCreateInfo2 *pCreateInfo,
                                                     const VkAllocationCallbacks *pAllocator, VkRenderPass *pRenderPass)
{
   struct pass_builder builder;
   uint32_t num_inputs = 0;

   for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++)
      num_inputs += pCreateInfo->pSubpasses[i].inputAttachmentCount;
   const VkResult result = builder_init(&builder, icd_device_from_handle(device), pAllocator,
                                        pCreateInfo->attachmentCount, pCreateInfo->subpassCount, num_inputs, pCreateInfo->dependencyCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < pCreateInfo->attachmentCount; i++)
      attachment_init_2(&builder.attachments[i], &pCreateInfo->pAttachments[i]);
   for (uint32_t i = 0; i < pCreateInfo->attachmentCount; i++)
      builder.pass->hands_over |= is_for_readers(pCreateInfo->pAttachments[i].finalLayout);
   for (uint32_t i = 0; i < pCreateInfo->subpassCount; i++)
      subpass_init_2(&builder, i, &pCreateInfo->pSubpasses[i]);
   add_density_map(&builder, pCreateInfo->flags, pCreateInfo->pNext);
   for (uint32_t i = 0; i < pCreateInfo->dependencyCount; i++)
      add_dependency_2(&builder, &pCreateInfo->pDependencies[i]);
   *pRenderPass = icd_render_pass_to_handle(builder.pass);
   return VK_SUCCESS;
}

/* ---- both ---- */

VKAPI_ATTR void VKAPI_CALL icd_DestroyRenderPass(VkDevice device, VkRenderPass renderPass,
                                                 const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator, icd_render_pass_from_handle(renderPass));
}

/* Tiles are rendered in place: a render area that cuts them costs nothing extra. */
VKAPI_ATTR void VKAPI_CALL icd_GetRenderAreaGranularity(VkDevice device, VkRenderPass renderPass,
                                                        VkExtent2D *pGranularity)
{
   *pGranularity = (VkExtent2D){1, 1};
}

VKAPI_ATTR void VKAPI_CALL icd_GetRenderingAreaGranularity(VkDevice device, const VkRenderingAreaInfo *pInfo,
                                                           VkExtent2D *pGranularity)
{
   *pGranularity = (VkExtent2D){1, 1};
}
