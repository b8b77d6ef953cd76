/* SPDX-License-Identifier: MIT
 * What formats can be used for, and the largest images of them.
 * Spec: Formats, "Format Properties"; Capabilities, "Additional Image Capabilities". */
#include "icd/chain.h"
#include "icd/device/physical_device.h"
#include "icd/resource/external_memory.h"
#include "icd/resource/image.h"
#include "icd/resource/image_flags.h"
#include "icd/resource/sparse_format.h"
#include "runtime/format/format.h"

/* ---- features of formats ---- */

#ifdef VK_KHR_maintenance10
/* Queues of any family copy depth and stencil. */
static VkFormatFeatureFlags2 copied_aspects(VkFormat format)
{
   const struct rt_format_info *info = rt_format_info(format);
   return (info->is_depth ? VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_COMPUTE_QUEUE_BIT_KHR | VK_FORMAT_FEATURE_2_DEPTH_COPY_ON_TRANSFER_QUEUE_BIT_KHR : 0) |
          (info->is_stencil ? VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_COMPUTE_QUEUE_BIT_KHR | VK_FORMAT_FEATURE_2_STENCIL_COPY_ON_TRANSFER_QUEUE_BIT_KHR
                            : 0);
}
#endif

/* Copies whose parameters stand in memory go wherever those from buffers go. */
static VkFormatFeatureFlags2 image_features(VkFormat format, VkImageTiling tiling)
{
   VkFormatFeatureFlags2 features = rt_format_image_features(format, tiling);
#ifdef VK_KHR_copy_memory_indirect
   if (features & VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT)
      features |= VK_FORMAT_FEATURE_2_COPY_IMAGE_INDIRECT_DST_BIT_KHR;
#endif
#ifdef VK_KHR_maintenance10
   if (features & VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT)
      features |= copied_aspects(format);
#endif
   return features;
}

static VkFormatProperties3 format_properties(VkFormat format)
{
   return (VkFormatProperties3){
      .linearTilingFeatures = image_features(format, VK_IMAGE_TILING_LINEAR),
      .optimalTilingFeatures = image_features(format, VK_IMAGE_TILING_OPTIMAL),
      .bufferFeatures = rt_format_buffer_features(format),
   };
}

/* The bits of VkFormatFeatureFlags2 that VkFormatFeatureFlags has too. */
static VkFormatFeatureFlags low_bits(VkFormatFeatureFlags2 features)
{
   return (VkFormatFeatureFlags)(features & 0x7fffffff);
}

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                 VkFormatProperties *pFormatProperties)
{
   const VkFormatProperties3 properties = format_properties(format);
   pFormatProperties->linearTilingFeatures = low_bits(properties.linearTilingFeatures);
   pFormatProperties->optimalTilingFeatures = low_bits(properties.optimalTilingFeatures);
   pFormatProperties->bufferFeatures = low_bits(properties.bufferFeatures);
}

/* One modifier, of what can be an image of rows. Both lists count what they have room for, or all without room. */
static void answer_modifiers(VkFormat format, VkFormatFeatureFlags2 features, VkBaseOutStructure *s)
{
   const uint32_t planes = rt_format_info(format)->num_planes, count = features != 0;
   if (s->sType == VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT) {
      VkDrmFormatModifierPropertiesListEXT *list = (VkDrmFormatModifierPropertiesListEXT *)s;
      VkDrmFormatModifierPropertiesEXT *out = list->pDrmFormatModifierProperties;
      list->drmFormatModifierCount = out ? UTIL_MIN(list->drmFormatModifierCount, count) : count;
      if (out && list->drmFormatModifierCount)
         *out = (VkDrmFormatModifierPropertiesEXT){ICD_MODIFIER_LINEAR, planes, low_bits(features)};
   } else {
      VkDrmFormatModifierPropertiesList2EXT *list = (VkDrmFormatModifierPropertiesList2EXT *)s;
      VkDrmFormatModifierProperties2EXT *out = list->pDrmFormatModifierProperties;
      list->drmFormatModifierCount = out ? UTIL_MIN(list->drmFormatModifierCount, count) : count;
      if (out && list->drmFormatModifierCount)
         *out = (VkDrmFormatModifierProperties2EXT){ICD_MODIFIER_LINEAR, planes, features};
   }
}

/* Of VK_KHR_extended_flags, laid out as VkFormatProperties3, whose flags have the same bits. */
#define FORMAT_PROPERTIES_4 ((VkStructureType)1000668000)
#ifdef VK_KHR_extended_flags
_Static_assert(VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR == FORMAT_PROPERTIES_4, "the registry's number");
_Static_assert(sizeof(VkFormatProperties4KHR) == sizeof(VkFormatProperties3), "the same members");
#endif

VKAPI_ATTR void VKAPI_CALL icd_GetPhysicalDeviceFormatProperties2(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                  VkFormatProperties2 *pFormatProperties)
{
   icd_GetPhysicalDeviceFormatProperties(physicalDevice, format, &pFormatProperties->formatProperties);
   for (VkBaseOutStructure *s = pFormatProperties->pNext; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3 || s->sType == FORMAT_PROPERTIES_4) {
         VkFormatProperties3 *out = (VkFormatProperties3 *)s;
         const VkFormatProperties3 properties = format_properties(format);
         out->linearTilingFeatures = properties.linearTilingFeatures;
         out->optimalTilingFeatures = properties.optimalTilingFeatures;
         out->bufferFeatures = properties.bufferFeatures;
      } else if (s->sType == VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT ||
                 s->sType == VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT) {
         answer_modifiers(format, image_features(format, VK_IMAGE_TILING_LINEAR), s);
      } else if (s->sType == VK_STRUCTURE_TYPE_SUBPASS_RESOLVE_PERFORMANCE_QUERY_EXT) {
         ((VkSubpassResolvePerformanceQueryEXT *)s)->optimal = VK_TRUE; /* tile by tile, before it leaves the cache */
      }
   }
}

/* ---- image capabilities ---- */

/* A usage needs any of these features. */
static const struct {
   VkImageUsageFlags usage;
   VkFormatFeatureFlags2 needs_any;
} usage_needs[] = {
   {VK_IMAGE_USAGE_TRANSFER_SRC_BIT, VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT},
   {VK_IMAGE_USAGE_TRANSFER_DST_BIT, VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT},
   {VK_IMAGE_USAGE_SAMPLED_BIT, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT},
   {VK_IMAGE_USAGE_STORAGE_BIT, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT},
   {VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT,
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT,
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
   {VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR},
   {VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT, VK_FORMAT_FEATURE_2_FRAGMENT_DENSITY_MAP_BIT_EXT},
   {VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM, VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM},
   {VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM, VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM},
   {VK_IMAGE_USAGE_HOST_TRANSFER_BIT, VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT},
   /* Without the extension it means nothing, but Mesa 22's zink always asks with it: else it has no depth buffers. */
   {VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT,
    VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
};

#define KNOWN_USAGES                                                                                                   \
   (VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |                   \
    VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |   \
    VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT |                                    \
    VK_IMAGE_USAGE_HOST_TRANSFER_BIT | VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT |                               \
    VK_IMAGE_USAGE_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR | VK_IMAGE_USAGE_FRAGMENT_DENSITY_MAP_BIT_EXT |            \
    VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM | VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM)

/* With EXTENDED_USAGE some other format of the compatibility class may allow what this one does not. */
static bool usage_is_supported(VkFormatFeatureFlags2 features, VkImageUsageFlags usage, VkImageCreateFlags flags)
{
   if (usage & ~(VkImageUsageFlags)KNOWN_USAGES)
      return false;
   if (flags & VK_IMAGE_CREATE_EXTENDED_USAGE_BIT)
      return true;
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(usage_needs); i++) {
      if ((usage & usage_needs[i].usage) && !(features & usage_needs[i].needs_any))
         return false;
   }
   return true;
}

/* Spec: VkImageCreateInfo, "sampler Y'CbCr conversion": formats that need one have one level and sample and two axes. */
static bool is_flat_only(const struct rt_format_info *format)
{
   return format->needs_conversion;
}

static bool flags_are_supported(const struct icd_features *features, const VkPhysicalDeviceImageFormatInfo2 *info)
{
   if (info->flags & VK_IMAGE_CREATE_CORNER_SAMPLED_BIT_NV)
      return false;
   if ((info->flags & VK_IMAGE_CREATE_PROTECTED_BIT) && (!features->protectedMemory || info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT))
      return false;
   if ((info->flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT) && !features->sparseBinding)
      return false;
   if ((info->flags & VK_IMAGE_CREATE_SPARSE_ALIASED_BIT) && !features->sparseResidencyAliased)
      return false;
   if ((info->flags & VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT) &&
       !icd_sparse_is_supported(features, info->format, info->type, VK_SAMPLE_COUNT_1_BIT, info->tiling))
      return false;
   if ((info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) && info->type != VK_IMAGE_TYPE_2D)
      return false;
   const VkImageCreateFlags slices = VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT;
   if ((info->flags & slices) && info->type != VK_IMAGE_TYPE_3D)
      return false;
   const struct rt_format_info *format = rt_format_info(info->format);
   /* A slice of texels is not one of blocks. */
   if ((info->flags & slices) && format->block_depth > 1)
      return false;
   if ((info->flags & VK_IMAGE_CREATE_BLOCK_TEXEL_VIEW_COMPATIBLE_BIT) && !format->is_compressed)
      return false;
   if ((info->flags & VK_IMAGE_CREATE_DISJOINT_BIT) &&
       !(rt_format_image_features(info->format, info->tiling) & VK_FORMAT_FEATURE_2_DISJOINT_BIT))
      return false;
   /* Images that are sampled with a conversion are flat, and of one level. */
   if (is_flat_only(format) && (info->type != VK_IMAGE_TYPE_2D || info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT))
      return false;
   /* Every sample's depth is kept: nothing is derived from where samples were when it was written. */
   if ((info->flags & VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT) && !format->is_depth)
      return false;
   return true;
}

static uint32_t full_mip_chain(VkExtent3D extent)
{
   const uint32_t largest = UTIL_MAX(UTIL_MAX(extent.width, extent.height), extent.depth);
   return 32 - (uint32_t)__builtin_clz(largest);
}

static VkSampleCountFlags sample_counts(const VkPhysicalDeviceLimits *limits, const VkPhysicalDeviceImageFormatInfo2 *info,
                                        VkImageUsageFlags usage, VkFormatFeatureFlags2 features)
{
   const VkFormatFeatureFlags2 attachment =
      VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
   if (info->tiling != VK_IMAGE_TILING_OPTIMAL || info->type != VK_IMAGE_TYPE_2D || !(features & attachment) ||
       (info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT) || is_flat_only(rt_format_info(info->format)))
      return VK_SAMPLE_COUNT_1_BIT;
   VkSampleCountFlags counts = limits->framebufferColorSampleCounts;
   if (usage & VK_IMAGE_USAGE_STORAGE_BIT)
      counts &= limits->storageImageSampleCounts;
   if (usage & VK_IMAGE_USAGE_SAMPLED_BIT)
      counts &= limits->sampledImageColorSampleCounts;
   return counts;
}

static void fill_extents(const VkPhysicalDeviceLimits *limits, const VkPhysicalDeviceImageFormatInfo2 *info,
                         VkImageFormatProperties *out)
{
   switch (info->type) {
   case VK_IMAGE_TYPE_1D:
      out->maxExtent = (VkExtent3D){limits->maxImageDimension1D, 1, 1};
      break;
   case VK_IMAGE_TYPE_2D: {
      const uint32_t size = info->flags & VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT ? limits->maxImageDimensionCube
                                                                               : limits->maxImageDimension2D;
      out->maxExtent = (VkExtent3D){size, size, 1};
      break;
   }
   default:
      out->maxExtent = (VkExtent3D){limits->maxImageDimension3D, limits->maxImageDimension3D, limits->maxImageDimension3D};
      break;
   }
   out->maxMipLevels = is_flat_only(rt_format_info(info->format)) ? 1 : full_mip_chain(out->maxExtent);
   out->maxArrayLayers = info->type == VK_IMAGE_TYPE_3D ? 1 : limits->maxImageArrayLayers;
}

static VkResult image_format_properties(const struct icd_physical_device *physical_device,
                                        const VkPhysicalDeviceImageFormatInfo2 *info, VkImageUsageFlags stencil_usage,
                                        VkImageFormatProperties *out)
{
   const VkPhysicalDeviceLimits *limits = &physical_device->properties.core.limits;
   const struct rt_format_info *format = rt_format_info(info->format);
   const VkImageUsageFlags usage = info->usage | stencil_usage;
   *out = (VkImageFormatProperties){0};

   if (info->tiling != VK_IMAGE_TILING_OPTIMAL && info->tiling != VK_IMAGE_TILING_LINEAR)
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   const VkFormatFeatureFlags2 features = rt_format_image_features(info->format, info->tiling);
   const bool is_copied_by_host = usage & VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
   if (features == 0 || !usage_is_supported(features, usage, info->flags) || (is_copied_by_host && info->flags & VK_IMAGE_CREATE_PROTECTED_BIT) ||
       !flags_are_supported(&physical_device->features, info))
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   /* Blocks of compressed formats have two dimensions at least; depth and multi-planar images have no slices. */
   if (info->type == VK_IMAGE_TYPE_1D && format->is_compressed)
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   if (info->type == VK_IMAGE_TYPE_3D && (format->is_depth || format->is_stencil || format->num_planes > 1))
      return VK_ERROR_FORMAT_NOT_SUPPORTED;

   fill_extents(limits, info, out);
   out->sampleCounts = sample_counts(limits, info, usage, features);
   out->maxResourceSize = physical_device->properties.maxMemoryAllocationSize;
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceImageFormatProperties(VkPhysicalDevice physicalDevice, VkFormat format,
                                                                          VkImageType type, VkImageTiling tiling,
                                                                          VkImageUsageFlags usage,
                                                                          VkImageCreateFlags flags,
                                                                          VkImageFormatProperties *pImageFormatProperties)
{
   const VkPhysicalDeviceImageFormatInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
      .format = format,
      .type = type,
      .tiling = tiling,
      .usage = usage,
      .flags = flags,
   };
   return image_format_properties(icd_physical_device_from_handle(physicalDevice), &info, 0, pImageFormatProperties);
}

/* Cubic filtering works in planes: not across the faces of cubes, not between slices. */
static bool has_cubic_filter(const VkPhysicalDeviceImageFormatInfo2 *info)
{
   const VkPhysicalDeviceImageViewImageFormatInfoEXT *view =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_VIEW_IMAGE_FORMAT_INFO_EXT);
   const VkImageViewType type = view ? view->imageViewType : VK_IMAGE_VIEW_TYPE_3D;
   return type != VK_IMAGE_VIEW_TYPE_3D && type != VK_IMAGE_VIEW_TYPE_CUBE && type != VK_IMAGE_VIEW_TYPE_CUBE_ARRAY &&
          rt_format_image_features(info->format, info->tiling) & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT;
}

static void answer_image_chain(const VkPhysicalDeviceImageFormatInfo2 *info, VkBaseOutStructure *chain,
                               VkExternalMemoryHandleTypeFlagBits handle_type)
{
   for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES) {
         ((VkExternalImageFormatProperties *)s)->externalMemoryProperties = icd_external_memory_properties(handle_type);
      } else if (s->sType == VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES) {
         ((VkSamplerYcbcrConversionImageFormatProperties *)s)->combinedImageSamplerDescriptorCount = 1;
      } else if (s->sType == VK_STRUCTURE_TYPE_IMAGE_COMPRESSION_PROPERTIES_EXT) {
         icd_image_compression_answer((VkImageCompressionPropertiesEXT *)s);
      } else if (s->sType == VK_STRUCTURE_TYPE_HOST_IMAGE_COPY_DEVICE_PERFORMANCE_QUERY) {
         VkHostImageCopyDevicePerformanceQuery *out = (VkHostImageCopyDevicePerformanceQuery *)s;
         out->optimalDeviceAccess = VK_TRUE;
         out->identicalMemoryLayout = VK_TRUE;
      } else if (s->sType == VK_STRUCTURE_TYPE_FILTER_CUBIC_IMAGE_VIEW_IMAGE_FORMAT_PROPERTIES_EXT) {
         VkFilterCubicImageViewImageFormatPropertiesEXT *out = (VkFilterCubicImageViewImageFormatPropertiesEXT *)s;
         out->filterCubic = out->filterCubicMinmax = has_cubic_filter(info);
      }
   }
}

/* Of an image with a modifier: one of rows, flat, without mipmaps. */
static VkResult modified_image_properties(const struct icd_physical_device *physical_device, const VkPhysicalDeviceImageFormatInfo2 *info,
                                          VkImageUsageFlags stencil_usage, VkImageFormatProperties *out)
{
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT *modifier =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT);
   const VkImageCreateFlags never = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
   VkPhysicalDeviceImageFormatInfo2 rows = *info;
   rows.tiling = VK_IMAGE_TILING_LINEAR;
   *out = (VkImageFormatProperties){0};
   if (!modifier || modifier->drmFormatModifier != ICD_MODIFIER_LINEAR || info->type != VK_IMAGE_TYPE_2D || info->flags & never)
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   const VkResult result = image_format_properties(physical_device, &rows, stencil_usage, out);
   out->maxMipLevels = UTIL_MIN(out->maxMipLevels, 1);
   out->maxArrayLayers = UTIL_MIN(out->maxArrayLayers, 1);
   return result;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceImageFormatProperties2(
   VkPhysicalDevice physicalDevice, const VkPhysicalDeviceImageFormatInfo2 *pImageFormatInfo,
   VkImageFormatProperties2 *pImageFormatProperties)
{
   const VkPhysicalDeviceExternalImageFormatInfo *external =
      icd_chain_find(pImageFormatInfo->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO);
   const VkExternalMemoryHandleTypeFlagBits handle_type = external ? external->handleType : 0; /* 0: not external */
   const VkImageUsageFlags stencil_usage = icd_image_stencil_usage(pImageFormatInfo->pNext, 0);
   VkPhysicalDeviceImageFormatInfo2 info = *pImageFormatInfo;
   info.flags = icd_image_flags(info.pNext, info.flags);
   info.usage = icd_image_usage(info.pNext, info.usage);
   const bool is_sparse = info.flags & VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
   if (handle_type && (!icd_external_memory_properties(handle_type).externalMemoryFeatures || info.flags & VK_IMAGE_CREATE_PROTECTED_BIT ||
                       (is_sparse && handle_type != VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT))) {
      pImageFormatProperties->imageFormatProperties = (VkImageFormatProperties){0};
      return VK_ERROR_FORMAT_NOT_SUPPORTED;
   }
   answer_image_chain(&info, pImageFormatProperties->pNext, handle_type);
   const bool is_modified = info.tiling == VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT;
   return (is_modified ? modified_image_properties : image_format_properties)(icd_physical_device_from_handle(physicalDevice), &info,
                                                                              stencil_usage, &pImageFormatProperties->imageFormatProperties);
}
