/* SPDX-License-Identifier: MIT
 * Images of several planes: what may be made of them, memory of each plane, copies of planes by host and queue, views of planes
 * and with conversions. */
#include "icd/resource/image.h"
#include "icd/resource/image_view.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"
#include "util/macros.h"

enum { WIDTH = 20, HEIGHT = 12 };

static const VkFormat nv12 = VK_FORMAT_G8_B8R8_2PLANE_420_UNORM;

static VkImageCreateInfo image_info(VkFormat format, VkImageCreateFlags flags)
{
   return (VkImageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = flags,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = {WIDTH, HEIGHT, 1},
      .mipLevels = 1,
      .arrayLayers = 1,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .tiling = VK_IMAGE_TILING_OPTIMAL,
      .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_HOST_TRANSFER_BIT,
   };
}

static VkImage make_image(const struct fixture *f, const VkImageCreateInfo *info)
{
   VkImage image;
   fixture_require(icd_CreateImage(f->device, info, NULL, &image), "vkCreateImage");
   return image;
}

/* Each plane's requirements, asked of the image and of its description, and memory for it. */
static VkDeviceMemory bind_plane(const struct fixture *f, VkImage image, const VkImageCreateInfo *info, VkImageAspectFlagBits aspect)
{
   const VkImagePlaneMemoryRequirementsInfo plane = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, NULL, aspect};
   const VkImageMemoryRequirementsInfo2 ask = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, &plane, image};
   const VkDeviceImageMemoryRequirements ask_device = {VK_STRUCTURE_TYPE_DEVICE_IMAGE_MEMORY_REQUIREMENTS, NULL, info, aspect};
   VkMemoryRequirements2 needs = {VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2}, same = needs;
   icd_GetImageMemoryRequirements2(f->device, &ask, &needs);
   icd_GetDeviceImageMemoryRequirements(f->device, &ask_device, &same);
   CHECK_EQ(needs.memoryRequirements.size, same.memoryRequirements.size);
   CHECK_EQ(needs.memoryRequirements.alignment, same.memoryRequirements.alignment);
   CHECK(needs.memoryRequirements.size >= (aspect == VK_IMAGE_ASPECT_PLANE_0_BIT ? WIDTH * HEIGHT : WIDTH * HEIGHT / 2));

   const VkDeviceMemory memory = fixture_memory(f->device, needs.memoryRequirements.size);
   const VkBindImagePlaneMemoryInfo which = {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL, aspect};
   const VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, &which, image, memory, 0};
   CHECK_EQ(icd_BindImageMemory2(f->device, 1, &bind), VK_SUCCESS);
   return memory;
}

static VkImageSubresourceLayers layers_of(VkImageAspectFlags aspect)
{
   return (VkImageSubresourceLayers){aspect, 0, 0, 1};
}

static void write_plane(const struct fixture *f, VkImage image, VkImageAspectFlags aspect, VkExtent3D extent, const void *data)
{
   const VkMemoryToImageCopy region = {VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY, NULL, data, 0, 0, layers_of(aspect), {0}, extent};
   const VkCopyMemoryToImageInfo copy = {VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO, NULL, 0, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region};
   CHECK_EQ(icd_CopyMemoryToImage(f->device, &copy), VK_SUCCESS);
}

static void read_plane(const struct fixture *f, VkImage image, VkImageAspectFlags aspect, VkExtent3D extent, void *data)
{
   const VkImageToMemoryCopy region = {VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY, NULL, data, 0, 0, layers_of(aspect), {0}, extent};
   const VkCopyImageToMemoryInfo copy = {VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO, NULL, 0, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region};
   CHECK_EQ(icd_CopyImageToMemory(f->device, &copy), VK_SUCCESS);
}

TEST(planes_of_a_disjoint_image)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkImageCreateInfo info = image_info(nv12, VK_IMAGE_CREATE_DISJOINT_BIT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
   const VkImage image = make_image(&f, &info);
   /* Chroma first: the planes have nothing to do with each other. */
   const VkDeviceMemory chroma = bind_plane(&f, image, &info, VK_IMAGE_ASPECT_PLANE_1_BIT);
   const VkDeviceMemory luma = bind_plane(&f, image, &info, VK_IMAGE_ASPECT_PLANE_0_BIT);

   const VkExtent3D whole = {WIDTH, HEIGHT, 1}, half = {WIDTH / 2, HEIGHT / 2, 1};
   uint8_t y[HEIGHT][WIDTH], c[HEIGHT / 2][WIDTH / 2][2], y_again[HEIGHT][WIDTH], c_again[HEIGHT / 2][WIDTH / 2][2];
   for (uint32_t i = 0; i < sizeof(y); i++)
      ((uint8_t *)y)[i] = (uint8_t)(i * 7);
   for (uint32_t i = 0; i < sizeof(c); i++)
      ((uint8_t *)c)[i] = (uint8_t)(i * 11 + 3);
   write_plane(&f, image, VK_IMAGE_ASPECT_PLANE_0_BIT, whole, y);
   write_plane(&f, image, VK_IMAGE_ASPECT_PLANE_1_BIT, half, c);
   read_plane(&f, image, VK_IMAGE_ASPECT_PLANE_0_BIT, whole, y_again);
   read_plane(&f, image, VK_IMAGE_ASPECT_PLANE_1_BIT, half, c_again);
   CHECK(!memcmp(y, y_again, sizeof(y)));
   CHECK(!memcmp(c, c_again, sizeof(c)));

   /* A plane is an image of its own format to copies by a queue. */
   const VkImageCreateInfo plain_info = image_info(VK_FORMAT_R8G8_UNORM, 0);
   const VkImage plain = make_image(&f, &plain_info);
   VkMemoryRequirements needs;
   icd_GetImageMemoryRequirements(f.device, plain, &needs);
   const VkDeviceMemory memory = fixture_memory(f.device, needs.size);
   CHECK_EQ(icd_BindImageMemory(f.device, plain, memory, 0), VK_SUCCESS);
   const VkImageCopy region = {layers_of(VK_IMAGE_ASPECT_PLANE_1_BIT), {2, 1, 0}, layers_of(VK_IMAGE_ASPECT_COLOR_BIT), {0, 0, 0}, {5, 4, 1}};
   uint8_t part[4][5][2];
   fixture_begin(f.commands);
   icd_CmdCopyImage(f.commands, image, VK_IMAGE_LAYOUT_GENERAL, plain, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   fixture_run(&f);
   read_plane(&f, plain, VK_IMAGE_ASPECT_COLOR_BIT, (VkExtent3D){5, 4, 1}, part);
   for (uint32_t row = 0; row < 4; row++)
      CHECK(!memcmp(part[row], c[row + 1][2], sizeof(part[row])));

   icd_DestroyImage(f.device, plain, NULL);
   icd_DestroyImage(f.device, image, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   icd_FreeMemory(f.device, luma, NULL);
   icd_FreeMemory(f.device, chroma, NULL);
   fixture_finish(&f, NULL);
}

TEST(views)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkImageCreateInfo info = image_info(nv12, VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT);
   const VkImage image = make_image(&f, &info);
   VkMemoryRequirements needs;
   icd_GetImageMemoryRequirements(f.device, image, &needs);
   const VkDeviceMemory memory = fixture_memory(f.device, needs.size);
   CHECK_EQ(icd_BindImageMemory(f.device, image, memory, 0), VK_SUCCESS);

   VkImageView view;
   VkImageViewCreateInfo view_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                      .image = image,
                                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                      .format = VK_FORMAT_R8G8_UNORM,
                                      .subresourceRange = {VK_IMAGE_ASPECT_PLANE_1_BIT, 0, 1, 0, 1}};
   CHECK_EQ(icd_CreateImageView(f.device, &view_info, NULL, &view), VK_SUCCESS);
   const struct icd_image_view *chroma = icd_image_view_from_handle(view);
   CHECK(chroma->extent.width == WIDTH / 2 && chroma->extent.height == HEIGHT / 2);
   CHECK(chroma->sampled.data == icd_image_from_handle(image)->rt.planes[1].data && chroma->sampled.texel_bytes == 2);
   icd_DestroyImageView(f.device, view, NULL);

   VkSamplerYcbcrConversion conversion;
   const VkSamplerYcbcrConversionCreateInfo conversion_info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_CREATE_INFO, .format = nv12};
   CHECK_EQ(icd_CreateSamplerYcbcrConversion(f.device, &conversion_info, NULL, &conversion), VK_SUCCESS);
   const VkSamplerYcbcrConversionInfo with = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO, NULL, conversion};
   view_info.pNext = &with;
   view_info.format = nv12;
   view_info.subresourceRange.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT;
   CHECK_EQ(icd_CreateImageView(f.device, &view_info, NULL, &view), VK_SUCCESS);
   icd_DestroySamplerYcbcrConversion(f.device, conversion, NULL); /* views do not need it any more */
   const struct icd_image_view *converted = icd_image_view_from_handle(view);
   CHECK(converted->extent.width == WIDTH && converted->sampled.conversion && converted->sampled.conversion->num_parts == 2);
   CHECK_EQ(converted->sampled.conversion->parts[1].levels[0].width, WIDTH / 2);
   icd_DestroyImageView(f.device, view, NULL);

   icd_DestroyImage(f.device, image, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   fixture_finish(&f, NULL);
}

TEST(what_is_supported)
{
   static const struct {
      VkFormat format;
      VkImageType type;
      VkImageCreateFlags flags;
      VkResult expected;
   } rows[] = {
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_DISJOINT_BIT, VK_SUCCESS},
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TYPE_3D, 0, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_G8B8G8R8_422_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_DISJOINT_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_DISJOINT_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_DISJOINT_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
   };
   struct fixture f;
   fixture_init(&f, NULL);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      const VkPhysicalDeviceImageFormatInfo2 ask = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
                                                    .format = rows[i].format,
                                                    .type = rows[i].type,
                                                    .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                                                    .flags = rows[i].flags};
      VkSamplerYcbcrConversionImageFormatProperties count = {VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_IMAGE_FORMAT_PROPERTIES};
      VkImageFormatProperties2 out = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, &count, {{0}}};
      CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties2(f.physical_device, &ask, &out), rows[i].expected);
      if (rows[i].expected != VK_SUCCESS)
         continue;
      CHECK_EQ(out.imageFormatProperties.maxMipLevels, 1);
      CHECK_EQ(out.imageFormatProperties.sampleCounts, VK_SAMPLE_COUNT_1_BIT);
      CHECK_EQ(count.combinedImageSamplerDescriptorCount, 1);
   }
   fixture_finish(&f, NULL);
}

TEST_MAIN
