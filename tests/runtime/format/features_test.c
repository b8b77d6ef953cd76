/* SPDX-License-Identifier: MIT
 * What is reported covers what the specification requires, and only what the format's functions can do.
 * Spec: Formats, "Required Format Support". */
#include "runtime/format/format.h"
#include "tests/test.h"

static const struct {
   char letter;
   bool is_buffer;
   VkFormatFeatureFlags2 bit;
} features[] = {
   {'S', false,
    VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
       VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT},
   {'B', false, VK_FORMAT_FEATURE_2_BLIT_SRC_BIT},
   {'L', false, VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_FILTER_LINEAR_BIT},
   {'I', false, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT | VK_FORMAT_FEATURE_2_STORAGE_READ_WITHOUT_FORMAT_BIT},
   {'A', false, VK_FORMAT_FEATURE_2_STORAGE_IMAGE_ATOMIC_BIT},
   {'c', false, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT},
   {'b', false, VK_FORMAT_FEATURE_2_BLIT_DST_BIT},
   {'e', false, VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT},
   {'m', false, VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT},
   {'v', true, VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT},
   {'u', true, VK_FORMAT_FEATURE_2_UNIFORM_TEXEL_BUFFER_BIT},
   {'t', true, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_BIT},
   {'x', true, VK_FORMAT_FEATURE_2_STORAGE_TEXEL_BUFFER_ATOMIC_BIT},
};

static const struct {
   VkFormat format;
   const char *letters;
} required[] = {
   {VK_FORMAT_B4G4R4A4_UNORM_PACK16, "SBL"},
   {VK_FORMAT_R5G6B5_UNORM_PACK16, "SBLcbe"},
   {VK_FORMAT_A1R5G5B5_UNORM_PACK16, "SBLcbe"},
   {VK_FORMAT_R8_UNORM, "SBLIcbevu"},
   {VK_FORMAT_R8_SNORM, "SBLIvu"},
   {VK_FORMAT_R8_UINT, "SBIcbvu"},
   {VK_FORMAT_R8_SINT, "SBIcbvu"},
   {VK_FORMAT_R8G8_UNORM, "SBLIcbevu"},
   {VK_FORMAT_R8G8_SNORM, "SBLIvu"},
   {VK_FORMAT_R8G8_UINT, "SBIcbvu"},
   {VK_FORMAT_R8G8_SINT, "SBIcbvu"},
   {VK_FORMAT_R8G8B8A8_UNORM, "SBLIcbevut"},
   {VK_FORMAT_R8G8B8A8_SNORM, "SBLIvut"},
   {VK_FORMAT_R8G8B8A8_UINT, "SBIcbvut"},
   {VK_FORMAT_R8G8B8A8_SINT, "SBIcbvut"},
   {VK_FORMAT_R8G8B8A8_SRGB, "SBLcbe"},
   {VK_FORMAT_B8G8R8A8_UNORM, "SBLcbevu"},
   {VK_FORMAT_B8G8R8A8_SRGB, "SBLcbe"},
   {VK_FORMAT_A8B8G8R8_UNORM_PACK32, "SBLcbevut"},
   {VK_FORMAT_A8B8G8R8_SNORM_PACK32, "SBLvut"},
   {VK_FORMAT_A8B8G8R8_UINT_PACK32, "SBcbvut"},
   {VK_FORMAT_A8B8G8R8_SINT_PACK32, "SBcbvut"},
   {VK_FORMAT_A8B8G8R8_SRGB_PACK32, "SBLcbe"},
   {VK_FORMAT_A2B10G10R10_UNORM_PACK32, "SBLIcbevu"},
   {VK_FORMAT_A2B10G10R10_UINT_PACK32, "SBIcbu"},
   {VK_FORMAT_R16_UNORM, "Iv"},
   {VK_FORMAT_R16_SNORM, "Iv"},
   {VK_FORMAT_R16_UINT, "SBIcbvu"},
   {VK_FORMAT_R16_SINT, "SBIcbvu"},
   {VK_FORMAT_R16_SFLOAT, "SBLIcbevu"},
   {VK_FORMAT_R16G16_UNORM, "Iv"},
   {VK_FORMAT_R16G16_SNORM, "Iv"},
   {VK_FORMAT_R16G16_UINT, "SBIcbvu"},
   {VK_FORMAT_R16G16_SINT, "SBIcbvu"},
   {VK_FORMAT_R16G16_SFLOAT, "SBLIcbevu"},
   {VK_FORMAT_R16G16B16A16_UNORM, "Iv"},
   {VK_FORMAT_R16G16B16A16_SNORM, "Iv"},
   {VK_FORMAT_R16G16B16A16_UINT, "SBIcbvut"},
   {VK_FORMAT_R16G16B16A16_SINT, "SBIcbvut"},
   {VK_FORMAT_R16G16B16A16_SFLOAT, "SBLIcbevut"},
   {VK_FORMAT_R32_UINT, "SBIAcbvut"},
   {VK_FORMAT_R32_SINT, "SBIAcbvut"},
   {VK_FORMAT_R32_SFLOAT, "SBIcbvut"},
   {VK_FORMAT_R32G32_UINT, "SBIcbvut"},
   {VK_FORMAT_R32G32_SINT, "SBIcbvut"},
   {VK_FORMAT_R32G32_SFLOAT, "SBIcbvut"},
   {VK_FORMAT_R32G32B32_UINT, "v"},
   {VK_FORMAT_R32G32B32_SINT, "v"},
   {VK_FORMAT_R32G32B32_SFLOAT, "v"},
   {VK_FORMAT_R32G32B32A32_UINT, "SBIcbvut"},
   {VK_FORMAT_R32G32B32A32_SINT, "SBIcbvut"},
   {VK_FORMAT_R32G32B32A32_SFLOAT, "SBIcbvut"},
   {VK_FORMAT_B10G11R11_UFLOAT_PACK32, "SBLIu"},
   {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, "SBL"},
   {VK_FORMAT_D16_UNORM, "SBm"},
   {VK_FORMAT_D32_SFLOAT, "SBm"},
   {VK_FORMAT_R32_UINT, "x"},
   {VK_FORMAT_R32_SINT, "x"},
   {VK_FORMAT_A4R4G4B4_UNORM_PACK16, "SBL"},
   {VK_FORMAT_A4B4G4R4_UNORM_PACK16, "SBL"},
   {VK_FORMAT_X8_D24_UNORM_PACK32, "m"},
   {VK_FORMAT_D24_UNORM_S8_UINT, "m"},
   {VK_FORMAT_D32_SFLOAT_S8_UINT, "m"},
   {VK_FORMAT_BC1_RGB_UNORM_BLOCK, "SBL"},
   {VK_FORMAT_BC6H_SFLOAT_BLOCK, "SBL"},
   {VK_FORMAT_BC7_SRGB_BLOCK, "SBL"},
   {VK_FORMAT_ETC2_R8G8B8A1_SRGB_BLOCK, "SBL"},
   {VK_FORMAT_EAC_R11G11_SNORM_BLOCK, "SBL"},
   {VK_FORMAT_ASTC_12x12_SRGB_BLOCK, "SBL"},
};

/* That they are right is for tests/runtime/fragment/output_test.c, which blends into every format that says so. */
TEST(texels_of_odd_sizes_are_rendered_to)
{
   static const VkFormat formats[] = {VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_B8G8R8_SRGB, VK_FORMAT_R16G16B16_SFLOAT, VK_FORMAT_R32G32B32_SFLOAT};
   const VkFormatFeatureFlags2 both = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT | VK_FORMAT_FEATURE_2_BLIT_DST_BIT;
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++)
      for (VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL; tiling <= VK_IMAGE_TILING_LINEAR; tiling++)
         CHECK_EQ(rt_format_image_features(formats[i], tiling) & both, both);
   CHECK(rt_format_image_features(VK_FORMAT_R32G32B32_UINT, VK_IMAGE_TILING_OPTIMAL) & VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT);
}

TEST(required_features)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(required); i++) {
      const VkFormatFeatureFlags2 image = rt_format_image_features(required[i].format, VK_IMAGE_TILING_OPTIMAL);
      const VkFormatFeatureFlags2 buffer = rt_format_buffer_features(required[i].format);
      for (size_t f = 0; f < UTIL_ARRAY_SIZE(features); f++)
         if (strchr(required[i].letters, features[f].letter) &&
             ((features[f].is_buffer ? buffer : image) & features[f].bit) != features[f].bit) {
            fprintf(stderr, "%s lacks %c\n", rt_format_info(required[i].format)->name, features[f].letter);
            test_fail(__FILE__, __LINE__, "required feature");
         }
   }
}

TEST(features_have_functions)
{
   for (uint32_t i = 0; i < 1100000000; i = i < 185          ? i + 1
                                            : i < 1000000000 ? 1000000000
                                                             : i + 1 + (i % 1000 > 60 ? 930 : 0)) {
      const struct rt_format_info *info = rt_format_info((VkFormat)i);
      for (VkImageTiling tiling = VK_IMAGE_TILING_OPTIMAL; tiling <= VK_IMAGE_TILING_LINEAR; tiling++) {
         const VkFormatFeatureFlags2 image = rt_format_image_features((VkFormat)i, tiling);
         for (uint32_t p = 0; image & VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT && p < info->num_parts; p++)
            CHECK(info->decode || rt_format_info(info->parts[p].format)->unpack_block);
         CHECK(!(image & VK_FORMAT_FEATURE_2_DISJOINT_BIT) || info->num_planes > 1);
         if (image & (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT))
            CHECK(info->pack_block && info->unpack_block);
      }
      const VkFormatFeatureFlags2 buffer = rt_format_buffer_features((VkFormat)i);
      if (info->channels[0].bits == 64 && (info->num_channels > 1 || !info->is_int)) /* a vertex's, by a function of its own */
         CHECK((buffer & ~VK_FORMAT_FEATURE_2_VERTEX_BUFFER_BIT) == 0);
      else if (buffer)
         CHECK(info->unpack != NULL);
   }
   CHECK_EQ(rt_format_image_features(VK_FORMAT_UNDEFINED, VK_IMAGE_TILING_OPTIMAL), 0);
}

/* Spec: Formats, "Formats Requiring Sampler Y'CbCr Conversion"; conversely, no such image is an attachment. */
TEST(conversions)
{
   static const VkFormat formats[] = {VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM};
   const VkFormatFeatureFlags2 bits = VK_FORMAT_FEATURE_2_SAMPLED_IMAGE_BIT | VK_FORMAT_FEATURE_2_TRANSFER_SRC_BIT |
                                      VK_FORMAT_FEATURE_2_TRANSFER_DST_BIT | VK_FORMAT_FEATURE_2_COSITED_CHROMA_SAMPLES_BIT |
                                      VK_FORMAT_FEATURE_2_MIDPOINT_CHROMA_SAMPLES_BIT;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(formats); i++) {
      const VkFormatFeatureFlags2 image = rt_format_image_features(formats[i], VK_IMAGE_TILING_OPTIMAL);
      CHECK_EQ(image & bits, bits);
      CHECK_EQ(image & (VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_BLIT_SRC_BIT | VK_FORMAT_FEATURE_2_STORAGE_IMAGE_BIT), 0);
      CHECK_EQ(rt_format_buffer_features(formats[i]), 0);
   }
   CHECK_EQ(rt_format_plane(VK_FORMAT_G10X6_B10X6R10X6_2PLANE_422_UNORM_3PACK16, VK_IMAGE_ASPECT_PLANE_1_BIT), VK_FORMAT_R10X6G10X6_UNORM_2PACK16);
   /* Aspects that a format has not give a plane that it has. */
   CHECK_EQ(rt_format_plane(VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_ASPECT_PLANE_2_BIT), VK_FORMAT_R8G8_UNORM);
   CHECK_EQ(rt_format_plane_index(rt_format_info(VK_FORMAT_R8G8B8A8_UNORM), VK_IMAGE_ASPECT_PLANE_2_BIT), 0);
}

TEST(rows)
{
   CHECK_STR(rt_format_info(VK_FORMAT_UNDEFINED)->name, "UNDEFINED");
   CHECK_EQ(rt_format_info((VkFormat)999999)->texel_bytes, 0);
   for (uint32_t i = 0; i < 185; i++)
      CHECK_EQ(rt_format_info((VkFormat)i)->format, i);
   CHECK_EQ(rt_format_info(VK_FORMAT_A4B4G4R4_UNORM_PACK16)->channels[3].shift, 12);
   CHECK_EQ(rt_format_plane(VK_FORMAT_D16_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT), VK_FORMAT_D16_UNORM);
   CHECK_EQ(rt_format_plane(VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT), VK_FORMAT_S8_UINT);
   CHECK_EQ(rt_format_info(VK_FORMAT_R8G8B8A8_SRGB)->compat_class, rt_format_info(VK_FORMAT_R32_SFLOAT)->compat_class);
}

TEST_MAIN
