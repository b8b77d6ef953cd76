/* SPDX-License-Identifier: MIT
 * What works with each format, derived from the properties of its row. At least what the tables of the specification
 * require. Spec: Formats, "Required Format Support", "Formats Without Shader Storage Format". */
#include "runtime/format/format.h"

#define TRANSFER                                                                                                       \
   (VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT |                                      \
    VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT)
#define FILTER                                                                                                         \
   (VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_MINMAX_BIT)
#define CUBIC VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_CUBIC_BIT_EXT
/* What can be done with a conversion; of formats that need one and others alike. Explicit reconstruction works where it is
 * forced, but is not offered: dEQP-VK.ycbcr.conversion.*.explicit_* exchanges the weights of chroma at midpoints, 1/4 and
 * 3/4, against the specification's formulas. */
#define CONVERSION                                                                                                     \
   (VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT | VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT |                 \
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_LINEAR_FILTER_BIT |                                             \
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_YCBCR_CONVERSION_SEPARATE_RECONSTRUCTION_FILTER_BIT)
/* Numbers that are added up. */
#define PROCESSING                                                                                                     \
   (VK_FORMAT_FEATURE_2_WEIGHT_IMAGE_BIT_QCOM | VK_FORMAT_FEATURE_2_WEIGHT_SAMPLED_IMAGE_BIT_QCOM |                    \
    VK_FORMAT_FEATURE_2_BLOCK_MATCHING_BIT_QCOM | VK_FORMAT_FEATURE_2_BOX_FILTER_SAMPLED_BIT_QCOM)
#define WITHOUT_FORMAT                                                                                                 \
   (VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT | VK_FORMAT_FEATURE_2_STORAGE_WRITE_WITHOUT_FORMAT_BIT)

static bool is_scaled(const struct rt_format_info *info)
{
   return info->channels[0].numeric == RT_USCALED || info->channels[0].numeric == RT_SSCALED;
}

static bool is_shared_exponent(const struct rt_format_info *info)
{
   return info->channels[0].numeric == RT_UFLOAT && info->channels[0].bits == 9;
}

static bool is_wide(const struct rt_format_info *info)
{
   return info->channels[0].bits == 64;
}

static bool is_color(const struct rt_format_info *info)
{
   return info->unpack && !info->is_depth && !info->is_stencil && !info->needs_conversion;
}

/* Of 3, 6 or 12 bytes. */
static bool has_odd_size(const struct rt_format_info *info)
{
   return info->texel_bytes & (info->texel_bytes - 1);
}

/* dEQP-VK.image.store.* writes numbers beyond signed alpha of 2 bits, and expects others back than any conversion
 * gives. */
static bool has_tiny_signed_alpha(const struct rt_format_info *info)
{
   return info->channels[3].bits == 2 && info->channels[3].numeric == RT_SINT;
}

static bool is_storage(const struct rt_format_info *info)
{
   return !has_tiny_signed_alpha(info) && is_color(info) && !is_scaled(info) && !info->is_srgb && !has_odd_size(info) &&
          !is_shared_exponent(info);
}

/* Integers and floats of one component, and two or four halves, which atomics change together. */
static bool is_atomic(const struct rt_format_info *info)
{
   const uint8_t bits = info->channels[0].bits;
   const bool is_float = info->channels[0].numeric == RT_SFLOAT;
   if (bits == 16)
      return is_float && (info->num_channels == 2 || info->num_channels == 4);
   return info->num_channels == 1 && (bits == 32 || bits == 64) && (info->is_int || (bits == 32 && is_float));
}

/* 64-bit integers of one component are there for atomics of shaders; attachments, blits and filters know none. */
static VkFormatFeatureFlags2 wide_features(const struct rt_format_info *info)
{
   if (!is_atomic(info))
      return 0;
   return TRANSFER | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | WITHOUT_FORMAT |
          VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
}

static VkFormatFeatureFlags2 color_features(const struct rt_format_info *info)
{
   /* For vertices, and what blits convert. No TRANSFER_DST: dEQP-VK.api.image_clearing takes a clear value of theirs for a normalized one, the
    * specification does not. */
   if (is_scaled(info))
      return VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT | VK_FORMAT_FEATURE_2_HOST_IMAGE_TRANSFER_BIT;
   if (is_wide(info))
      return wide_features(info);
   VkFormatFeatureFlags2 features = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | TRANSFER;
   if (!info->is_int)
      features |= FILTER | CUBIC | PROCESSING;
   if (!is_shared_exponent(info)) {
      features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
      if (!info->is_int)
         features |= VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT;
   }
   if (is_storage(info))
      features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | WITHOUT_FORMAT;
   if (is_atomic(info))
      features |= VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT;
   if (info->format == VK_FORMAT_R8_UINT)
      features |= VK_FORMAT_FEATURE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR;
   if (info->format == VK_FORMAT_R8G8_UNORM)
      features |= VK_FORMAT_FEATURE_2_FRAGMENT_DENSITY_MAP_BIT_EXT;
   if (info->channels[0].numeric == RT_UNORM && info->num_channels >= 3)
      features |= CONVERSION;
   return features;
}

/* VK_EXT_rgba10x6_formats allows views without a conversion of one of them, for sampling too. */
static VkFormatFeatureFlags2 converted_features(const struct rt_format_info *info)
{
   return VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT | TRANSFER |
          CONVERSION | (info->num_planes > 1 ? VK_FORMAT_FEATURE_2_DISJOINT_BIT : 0);
}

static VkFormatFeatureFlags2 depth_stencil_features(const struct rt_format_info *info)
{
   VkFormatFeatureFlags2 features = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT |
                                    VK_FORMAT_FEATURE_2_BLIT_DST_BIT | TRANSFER | VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT;
   if (info->is_depth)
      features |= FILTER | VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_DEPTH_COMPARISON_BIT;
   return features;
}

VkFormatFeatureFlags2 rt_format_image_features(VkFormat format, VkImageTiling tiling)
{
   const struct rt_format_info *info = rt_format_info(format);
   if (tiling != VK_IMAGE_TILING_LINEAR && tiling != VK_IMAGE_TILING_OPTIMAL)
      return 0;
   if (info->is_depth || info->is_stencil)
      return tiling == VK_IMAGE_TILING_OPTIMAL ? depth_stencil_features(info) : 0;
   if (info->decode)
      return VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | FILTER | CUBIC | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | TRANSFER;
   if (info->needs_conversion)
      return converted_features(info);
   return is_color(info) ? color_features(info) : 0;
}

/* What positions of an acceleration structure may be: numbers, of two components at least. */
static bool is_position(const struct rt_format_info *info)
{
   const uint8_t numeric = info->channels[0].numeric;
   return info->num_channels >= 2 && (numeric == RT_UNORM || numeric == RT_SNORM || numeric == RT_SFLOAT);
}

#ifdef VK_NV_ray_tracing_linear_swept_spheres
static const VkFormatFeatureFlags2 radius_feature = VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_RADIUS_BUFFER_BIT_NV;
#else
static const VkFormatFeatureFlags2 radius_feature = 0;
#endif

VkFormatFeatureFlags2 rt_format_buffer_features(VkFormat format)
{
   const struct rt_format_info *info = rt_format_info(format);
   if (is_wide(info) && !is_atomic(info))
      return VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT;
   if (!is_color(info))
      return 0;
   if (info->is_srgb) /* no vertices have it */
      return VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
   VkFormatFeatureFlags2 features = VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT;
   if (is_position(info))
      features |= VK_FORMAT_FEATURE_2_ACCELERATION_STRUCTURE_VERTEX_BUFFER_BIT_KHR;
   if (format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_R16_SFLOAT)
      features |= radius_feature;
   if (!is_scaled(info))
      features |= VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT;
   if (is_storage(info))
      features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT | WITHOUT_FORMAT;
   if (is_atomic(info))
      features |= VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT;
   return features;
}
