/* SPDX-License-Identifier: MIT
 * Images: creation, memory requirements, binding, layouts of subresources. */
#include "icd/resource/image.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/descriptor/kept_views.h"
#include "icd/device/device.h"
#include "icd/instrument/instrument.h"
#include "icd/resource/device_memory.h"
#include "icd/resource/image_flags.h"
#include "icd/resource/memory_report.h"
#include "icd/resource/memory_requirements.h"
#include "icd/wsi/swapchain.h"
#include "runtime/device.h"
#include "runtime/transfer/host_copy.h"

static bool is_disjoint(const VkImageCreateInfo *info)
{
   return icd_image_flags(info->pNext, info->flags) & VK_IMAGE_CREATE_DISJOINT_BIT;
}

/* DRM_FORMAT_MOD_LINEAR is the one modifier, and rows of whole multiples of this are what other devices can read. */
enum { MODIFIED_PITCH_ALIGN = 256 };

/* Planes of an image that has a modifier: where the creator says, or one behind the other. */
static VkResult set_planes(const VkImageCreateInfo *info, struct rt_image *rt)
{
   const VkImageDrmFormatModifierExplicitCreateInfoEXT *given =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT);
   uint64_t offset = 0;
   if (given && given->drmFormatModifierPlaneCount != rt->num_planes)
      return VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT;
   for (uint32_t p = 0; p < rt->num_planes; p++) {
      const uint32_t pitch = (uint32_t)util_align(rt->planes[p].levels[0].row_pitch_bytes, MODIFIED_PITCH_ALIGN);
      const VkSubresourceLayout own = {.offset = is_disjoint(info) ? 0 : offset, .rowPitch = pitch};
      const VkSubresourceLayout *layout = given ? &given->pPlaneLayouts[p] : &own;
      if (!rt_image_set_plane(rt, p, layout->offset, layout->rowPitch))
         return given ? VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT : VK_ERROR_OUT_OF_DEVICE_MEMORY;
      offset = util_align(rt->planes[p].offset_bytes + rt->planes[p].layer_bytes, MODIFIED_PITCH_ALIGN);
   }
   return VK_SUCCESS;
}

/* Memory of ours can be read a vector beyond its end; that of the application cannot. */
static bool may_be_imported(const VkImageCreateInfo *info)
{
   const VkExternalMemoryImageCreateInfo *external = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO);
   return external && external->handleTypes & (VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
                                               VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT);
}

VkResult icd_image_layout(struct icd_device *device, const VkImageCreateInfo *info, struct rt_image *rt)
{
   const bool is_tiled = info->tiling == VK_IMAGE_TILING_OPTIMAL;
   const VkImageCreateFlags flags = icd_image_flags(info->pNext, info->flags);
   if (flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT)
      return rt_image_init_sparse(rt, info->imageType, info->format, info->extent, info->mipLevels, info->arrayLayers,
                                  (uint32_t)info->samples, is_tiled, flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT,
                                  device->physical_device->properties.core.limits.sparseAddressSpaceSize);
   VkResult result = rt_image_init(rt, info->imageType, info->format, info->extent, info->mipLevels, info->arrayLayers,
                                         (uint32_t)info->samples, is_tiled,
                                         device->physical_device->properties.maxMemoryAllocationSize);
   if (result == VK_SUCCESS && !may_be_imported(info))
      rt_image_unpad(rt);
   if (result == VK_SUCCESS && is_disjoint(info))
      rt_image_make_disjoint(rt);
   if (result == VK_SUCCESS && info->tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT)
      result = set_planes(info, rt);
   return result;
}

/* A sparse image has its addresses from the start. */
static VkResult reserve(struct icd_device *device, struct icd_image *image, struct rt_sparse *sparse)
{
   const bool has_residency = image->flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
   const struct rt_sparse_info info = {.size_bytes = image->rt.size_bytes, .has_residency = has_residency};
   const VkResult result = rt_sparse_init(sparse, rt_device_sparses(device->rt), &info);
   if (result != VK_SUCCESS)
      return result;
   image->sparse = sparse;
   image->rt.residency = has_residency ? &sparse->residency : NULL;
   rt_image_bind(&image->rt, sparse->base);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateImage(VkDevice _device, const VkImageCreateInfo *pCreateInfo,
                                               const VkAllocationCallbacks *pAllocator, VkImage *pImage)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkImageCreateFlags flags = icd_image_flags(pCreateInfo->pNext, pCreateInfo->flags);

   size_t bytes = sizeof(struct icd_image);
   const size_t sparse_at = icd_block_add(&bytes, (flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) != 0, sizeof(struct rt_sparse));
   struct icd_image *image = icd_object_alloc(device, pAllocator, bytes, VK_OBJECT_TYPE_IMAGE);
   if (!image)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   image->flags = flags;
   image->tiling = pCreateInfo->tiling;
   image->usage = icd_image_usage(pCreateInfo->pNext, pCreateInfo->usage);
   image->stencil_usage = icd_image_stencil_usage(pCreateInfo->pNext, image->usage);
   VkResult result = icd_image_layout(device, pCreateInfo, &image->rt);
   if (result == VK_SUCCESS && flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT)
      result = reserve(device, image, icd_block_at(image, sparse_at));
   if (result != VK_SUCCESS) {
      icd_object_free(device, pAllocator, image);
      return result;
   }
   icd_report_image(device, image, true, true); /* that is sparse */
   *pImage = icd_image_to_handle(image);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyImage(VkDevice _device, VkImage _image, const VkAllocationCallbacks *pAllocator)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_image *image = icd_image_from_handle(_image);
   icd_instrument_remove(image);
   if (image) {
      icd_report_image(device, image, false, false);
      icd_forget_views(device, image);
   }
   if (image && image->sparse)
      rt_sparse_finish(image->sparse, rt_device_sparses(device->rt));
   icd_object_free(device, pAllocator, image);
}

/* ---- memory requirements ---- */

VKAPI_ATTR void VKAPI_CALL icd_GetImageMemoryRequirements(VkDevice device, VkImage image,
                                                          VkMemoryRequirements *pMemoryRequirements)
{
   const struct rt_image *rt = &icd_image_from_handle(image)->rt;
   *pMemoryRequirements = icd_memory_requirements(rt->size_bytes, rt->align_bytes, icd_image_from_handle(image)->flags & VK_IMAGE_CREATE_PROTECTED_BIT);
}

/* Of a plane of a disjoint image. */
static VkMemoryRequirements plane_requirements(const struct rt_image *rt, VkImageCreateFlags flags, VkImageAspectFlags aspect)
{
   return icd_memory_requirements(rt_image_disjoint_bytes(rt, rt_image_plane(rt, aspect)), rt->align_bytes, flags & VK_IMAGE_CREATE_PROTECTED_BIT);
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageMemoryRequirements2(VkDevice device, const VkImageMemoryRequirementsInfo2 *pInfo,
                                                           VkMemoryRequirements2 *pMemoryRequirements)
{
   const struct icd_image *image = icd_image_from_handle(pInfo->image);
   const VkImagePlaneMemoryRequirementsInfo *plane =
      icd_chain_find(pInfo->pNext, VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO);
   if (plane && image->flags & VK_IMAGE_CREATE_DISJOINT_BIT)
      pMemoryRequirements->memoryRequirements = plane_requirements(&image->rt, image->flags, plane->planeAspect);
   else
      icd_GetImageMemoryRequirements(device, pInfo->image, &pMemoryRequirements->memoryRequirements);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceImageMemoryRequirements(VkDevice device,
                                                                const VkDeviceImageMemoryRequirements *pInfo,
                                                                VkMemoryRequirements2 *pMemoryRequirements)
{
   struct rt_image rt = {0};
   /* An image that vkCreateImage would refuse has no requirements that could be met. */
   const VkResult result = icd_image_layout(icd_device_from_handle(device), pInfo->pCreateInfo, &rt);
   const VkImageCreateFlags flags = pInfo->pCreateInfo->flags;
   const bool is_protected = flags & VK_IMAGE_CREATE_PROTECTED_BIT;
   pMemoryRequirements->memoryRequirements = result != VK_SUCCESS ? icd_memory_requirements(UINT64_MAX, 1, is_protected)
                                             : is_disjoint(pInfo->pCreateInfo)
                                                ? plane_requirements(&rt, flags, pInfo->planeAspect)
                                                : icd_memory_requirements(rt.size_bytes, rt.align_bytes, is_protected);
   icd_memory_requirements_answer(pMemoryRequirements->pNext);
}

/* ---- binding ---- */

/* `plane`: which of a disjoint image, or NULL: all. */
static void bind(struct icd_device *device, struct icd_image *image, const VkBindImagePlaneMemoryInfo *plane, VkDeviceMemory memory, VkDeviceSize offset)
{
   uint8_t *data = icd_device_memory_from_handle(memory)->data + offset;
   if (image->sparse) /* against the rules: it has its addresses */
      return;
   if (plane && image->flags & VK_IMAGE_CREATE_DISJOINT_BIT) {
      const uint32_t index = rt_image_plane(&image->rt, plane->planeAspect);
      rt_image_bind_plane(&image->rt, index, data);
      icd_report_plane(device, image, index, true);
   } else {
      rt_image_bind(&image->rt, data);
      icd_report_image(device, image, true, false);
   }
   icd_instrument_add_image(image);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindImageMemory(VkDevice device, VkImage image, VkDeviceMemory memory,
                                                   VkDeviceSize memoryOffset)
{
   bind(icd_device_from_handle(device), icd_image_from_handle(image), NULL, memory, memoryOffset);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_BindImageMemory2(VkDevice device, uint32_t bindInfoCount,
                                                    const VkBindImageMemoryInfo *pBindInfos)
{
   for (uint32_t i = 0; i < bindInfoCount; i++) {
      const VkBindImageMemoryInfo *info = &pBindInfos[i];
      const VkBindMemoryStatus *status = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_MEMORY_STATUS);
      const VkBindImageMemorySwapchainInfoKHR *swapchain =
         icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_SWAPCHAIN_INFO_KHR);
      VkDeviceMemory memory = info->memory;
      if (swapchain && swapchain->swapchain)
         memory = icd_swapchain_from_handle(swapchain->swapchain)->images[swapchain->imageIndex].memory;
      bind(icd_device_from_handle(device), icd_image_from_handle(info->image),
           icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO), memory, info->memoryOffset);
      if (status)
         *status->pResult = VK_SUCCESS;
   }
   return VK_SUCCESS;
}

/* ---- layouts of subresources ---- */

static VkSubresourceLayout subresource_layout(const struct rt_image *image, const VkImageSubresource *subresource)
{
   const struct rt_plane *plane = &image->planes[rt_image_plane(image, subresource->aspectMask)];
   const struct abi_level *level = &plane->levels[subresource->mipLevel];
   const uint32_t rows = UTIL_DIV_ROUND_UP(level->height, plane->info->block_height);
   const uint32_t tile_rows = UTIL_DIV_ROUND_UP(rows, 1u << level->tile_log2_y);
   const uint64_t slice_bytes =
      image->is_tiled ? (uint64_t)tile_rows * level->tile_row_bytes : (uint64_t)rows * level->row_pitch_bytes;
   return (VkSubresourceLayout){
      .offset = plane->offset_bytes + level->offset_bytes + subresource->arrayLayer * plane->layer_bytes,
      .size = rt_level_slices(plane, level) > 1 ? rt_level_slices(plane, level) * level->slice_bytes : slice_bytes,
      .rowPitch = image->is_tiled ? level->tile_row_bytes : level->row_pitch_bytes,
      .arrayPitch = plane->layer_bytes,
      .depthPitch = image->type == VK_IMAGE_TYPE_3D ? level->slice_bytes : slice_bytes,
   };
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSubresourceLayout(VkDevice device, VkImage image,
                                                         const VkImageSubresource *pSubresource,
                                                         VkSubresourceLayout *pLayout)
{
   *pLayout = subresource_layout(&icd_image_from_handle(image)->rt, pSubresource);
}

static void layout_answer(const struct rt_image *image, const VkImageSubresource *subresource,
                          VkSubresourceLayout2 *layout)
{
   VkSubresourceHostMemcpySize *host =
      icd_chain_find_out(layout->pNext, VK_STRUCTURE_TYPE_SUBRESOURCE_HOST_MEMCPY_SIZE);
   if (host)
      host->size = rt_host_level_bytes(image, subresource->aspectMask, subresource->mipLevel);
   VkImageCompressionPropertiesEXT *compression =
      icd_chain_find_out(layout->pNext, VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT);
   if (compression)
      icd_image_compression_answer(compression);
}

VKAPI_ATTR void VKAPI_CALL icd_GetImageSubresourceLayout2(VkDevice device, VkImage image,
                                                          const VkImageSubresource2 *pSubresource,
                                                          VkSubresourceLayout2 *pLayout)
{
   const struct rt_image *rt = &icd_image_from_handle(image)->rt;
   pLayout->subresourceLayout = subresource_layout(rt, &pSubresource->imageSubresource);
   layout_answer(rt, &pSubresource->imageSubresource, pLayout);
}

VKAPI_ATTR void VKAPI_CALL icd_GetDeviceImageSubresourceLayout(VkDevice device,
                                                               const VkDeviceImageSubresourceInfo *pInfo,
                                                               VkSubresourceLayout2 *pLayout)
{
   struct rt_image rt = {0};
   pLayout->subresourceLayout = (VkSubresourceLayout){0};
   if (icd_image_layout(icd_device_from_handle(device), pInfo->pCreateInfo, &rt) != VK_SUCCESS)
      return;
   pLayout->subresourceLayout = subresource_layout(&rt, &pInfo->pSubresource->imageSubresource);
   layout_answer(&rt, &pInfo->pSubresource->imageSubresource, pLayout);
}

/* ---- VK_EXT_image_drm_format_modifier ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetImageDrmFormatModifierPropertiesEXT(VkDevice device, VkImage image,
                                                                          VkImageDrmFormatModifierPropertiesEXT *pProperties)
{
   pProperties->drmFormatModifier = ICD_MODIFIER_LINEAR;
   return VK_SUCCESS;
}
