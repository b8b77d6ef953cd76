/* SPDX-License-Identifier: MIT
 * VK_EXT_external_memory_dma_buf, VK_EXT_image_drm_format_modifier: images in memory of somebody else, in rows where he says. Sealed files stand for
 * the buffers of devices; real ones are asked for where the system makes them. */
#include "tests/icd/fixture.h"
#include "tests/test.h"
#include "util/dma_buf.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const VkExternalMemoryHandleTypeFlagBits DMA_BUF = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
static const VkExternalMemoryImageCreateInfo external = {VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMAGE_CREATE_INFO, NULL,
                                                         VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT};

/* Of `planes` layouts, or, without any, by the list of modifiers. */
static VkResult create_image(const struct fixture *f, VkFormat format, uint32_t width, uint32_t height, VkImageCreateFlags flags,
                             uint32_t num_planes, const VkSubresourceLayout *planes, VkImage *image)
{
   static const uint64_t linear = 0;
   const VkImageDrmFormatModifierExplicitCreateInfoEXT given = {VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_EXPLICIT_CREATE_INFO_EXT, &external, 0,
                                                                num_planes, planes};
   const VkImageDrmFormatModifierListCreateInfoEXT list = {VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_LIST_CREATE_INFO_EXT, &external, 1, &linear};
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .pNext = planes ? (const void *)&given : &list,
                                   .flags = flags,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = format,
                                   .extent = {width, height, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = 1,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .tiling = VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   *image = VK_NULL_HANDLE;
   return icd_CreateImage(f->device, &info, NULL, image);
}

/* The descriptor goes over on success. */
static VkResult import(const struct fixture *f, VkDeviceSize size, int fd, VkDeviceMemory *memory)
{
   const VkImportMemoryFdInfoKHR import = {VK_STRUCTURE_TYPE_IMPORT_MEMORY_FD_INFO_KHR, NULL, DMA_BUF, fd};
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &import, size, 0};
   *memory = VK_NULL_HANDLE;
   return icd_AllocateMemory(f->device, &info, NULL, memory);
}

static void copy(const struct fixture *f, VkImage image, VkImageAspectFlags aspect, uint32_t width, uint32_t height, VkBuffer buffer,
                 VkDeviceSize offset, bool to_image)
{
   const VkBufferImageCopy region = {.bufferOffset = offset, .imageSubresource = {aspect, 0, 0, 1}, .imageExtent = {width, height, 1}};
   if (to_image)
      icd_CmdCopyBufferToImage(f->commands, buffer, image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
   else
      icd_CmdCopyImageToBuffer(f->commands, image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &region);
}

/* A buffer whose last texel is its last: nothing behind it is asked for. */
TEST(rows_of_somebody_else)
{
   enum { WIDTH = 100, HEIGHT = 8, PITCH = 500, OFFSET = PAGE - (HEIGHT - 1) * PITCH - WIDTH * 4 };
   const VkSubresourceLayout rows = {.offset = OFFSET, .rowPitch = PITCH};
   struct fixture f;
   struct util_shared_memory file;
   VkMemoryRequirements needs;
   VkDeviceMemory memory;
   VkImage image;
   fixture_init(&f, NULL);
   struct fixture_buffer texels = fixture_buffer(&f, WIDTH * HEIGHT * 4);
   CHECK(util_shared_memory_create(&file, "test", PAGE));
   memset(file.data, 0xee, PAGE);
   CHECK_EQ(create_image(&f, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, HEIGHT, 0, 1, &rows, &image), VK_SUCCESS);
   icd_GetImageMemoryRequirements(f.device, image, &needs);
   CHECK_EQ(needs.size, PAGE);
   CHECK_EQ(import(&f, needs.size, util_shared_memory_dup(&file), &memory), VK_SUCCESS);
   CHECK_EQ(icd_BindImageMemory(f.device, image, memory, 0), VK_SUCCESS);
   uint32_t *words = texels.data;
   for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
      words[i] = i * 0x01010101;
   fixture_begin(f.commands);
   copy(&f, image, VK_IMAGE_ASPECT_COLOR_BIT, WIDTH, HEIGHT, texels.buffer, 0, true);
   fixture_run(&f);
   const uint8_t *bytes = file.data;
   for (uint32_t y = 0; y < HEIGHT; y++) {
      CHECK(!memcmp(bytes + OFFSET + y * PITCH, words + y * WIDTH, WIDTH * 4));
      CHECK_EQ(bytes[OFFSET + y * PITCH - 1], 0xee);
   }

   /* and what he writes is seen */
   ((uint8_t *)file.data)[OFFSET + 3 * PITCH + 5 * 4] = 77;
   fixture_begin(f.commands);
   copy(&f, image, VK_IMAGE_ASPECT_COLOR_BIT, WIDTH, HEIGHT, texels.buffer, 0, false);
   fixture_run(&f);
   CHECK_EQ(words[3 * WIDTH + 5] & 0xff, 77);

   VkImageDrmFormatModifierPropertiesEXT modifier = {VK_STRUCTURE_TYPE_IMAGE_DRM_FORMAT_MODIFIER_PROPERTIES_EXT, NULL, 99};
   CHECK_EQ(icd_GetImageDrmFormatModifierPropertiesEXT(f.device, image, &modifier), VK_SUCCESS);
   CHECK_EQ(modifier.drmFormatModifier, 0);
   const VkImageSubresource plane = {VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, 0, 0};
   VkSubresourceLayout layout;
   icd_GetImageSubresourceLayout(f.device, image, &plane, &layout);
   CHECK_EQ(layout.offset, OFFSET);
   CHECK_EQ(layout.rowPitch, PITCH);
   icd_DestroyImage(f.device, image, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   util_shared_memory_finish(&file);
   fixture_buffer_destroy(&f, &texels);
   fixture_finish(&f, NULL);
}

/* Two planes of a picture, in one buffer and in two. */
TEST(two_planes)
{
   enum { WIDTH = 64, HEIGHT = 16 };
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer texels = fixture_buffer(&f, WIDTH * HEIGHT * 2);
   uint8_t *values = texels.data;
   for (uint32_t i = 0; i < WIDTH * HEIGHT * 3 / 2; i++)
      values[i] = (uint8_t)(i % 251);
   for (uint32_t is_disjoint = 0; is_disjoint < 2; is_disjoint++) {
      const VkSubresourceLayout planes[2] = {{.offset = 256, .rowPitch = 80}, {.offset = is_disjoint ? 512 : 2048, .rowPitch = 72}};
      struct util_shared_memory files[2];
      VkDeviceMemory memories[2];
      VkImage image;
      CHECK_EQ(create_image(&f, VK_FORMAT_G8_B8R8_2PLANE_420_UNORM, WIDTH, HEIGHT, is_disjoint ? VK_IMAGE_CREATE_DISJOINT_BIT : 0, 2, planes, &image),
               VK_SUCCESS);
      for (uint32_t p = 0; p < 1 + is_disjoint; p++) {
         CHECK(util_shared_memory_create(&files[p], "test", PAGE));
         CHECK_EQ(import(&f, PAGE, util_shared_memory_dup(&files[p]), &memories[p]), VK_SUCCESS);
         const VkBindImagePlaneMemoryInfo plane = {VK_STRUCTURE_TYPE_BIND_IMAGE_PLANE_MEMORY_INFO, NULL,
                                                   VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT << p};
         const VkBindImageMemoryInfo bind = {VK_STRUCTURE_TYPE_BIND_IMAGE_MEMORY_INFO, is_disjoint ? &plane : NULL, image, memories[p], 0};
         CHECK_EQ(icd_BindImageMemory2(f.device, 1, &bind), VK_SUCCESS);
      }
      fixture_begin(f.commands);
      copy(&f, image, VK_IMAGE_ASPECT_PLANE_0_BIT, WIDTH, HEIGHT, texels.buffer, 0, true);
      copy(&f, image, VK_IMAGE_ASPECT_PLANE_1_BIT, WIDTH / 2, HEIGHT / 2, texels.buffer, WIDTH * HEIGHT, true);
      fixture_run(&f);
      const uint8_t *luma = files[0].data, *chroma = files[is_disjoint].data;
      for (uint32_t y = 0; y < HEIGHT; y++)
         CHECK(!memcmp(luma + 256 + y * 80, values + y * WIDTH, WIDTH));
      for (uint32_t y = 0; y < HEIGHT / 2; y++)
         CHECK(!memcmp(chroma + planes[1].offset + y * 72, values + WIDTH * HEIGHT + y * WIDTH, WIDTH));
      icd_DestroyImage(f.device, image, NULL);
      for (uint32_t p = 0; p < 1 + is_disjoint; p++) {
         icd_FreeMemory(f.device, memories[p], NULL);
         util_shared_memory_finish(&files[p]);
      }
   }
   fixture_buffer_destroy(&f, &texels);
   fixture_finish(&f, NULL);
}

TEST(layouts_that_cannot_be)
{
   static const struct {
      uint32_t num_planes;
      VkSubresourceLayout plane;
   } rows[] = {
      {1, {.rowPitch = 15}},                   /* rows overlap */
      {1, {.rowPitch = 18}},                   /* texels are not aligned */
      {1, {.offset = 2, .rowPitch = 16}},
      {2, {.rowPitch = 16}},                   /* one plane too many */
      {1, {.rowPitch = UINT64_C(1) << 32}},
      {1, {.offset = UINT64_MAX - 15, .rowPitch = 16}},
   };
   struct fixture f;
   VkImage image;
   fixture_init(&f, NULL);
   for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
      const VkSubresourceLayout planes[2] = {rows[i].plane, rows[i].plane};
      CHECK_EQ(create_image(&f, VK_FORMAT_R8G8B8A8_UNORM, 4, 4, 0, rows[i].num_planes, planes, &image),
               VK_ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT);
   }
   fixture_finish(&f, NULL);
}

/* Without a layout: rows that other devices can read. */
TEST(own_rows)
{
   struct fixture f;
   VkImage image;
   VkSubresourceLayout layout;
   fixture_init(&f, NULL);
   CHECK_EQ(create_image(&f, VK_FORMAT_R8G8B8A8_UNORM, 10, 10, 0, 0, NULL, &image), VK_SUCCESS);
   const VkImageSubresource plane = {VK_IMAGE_ASPECT_MEMORY_PLANE_0_BIT_EXT, 0, 0};
   icd_GetImageSubresourceLayout(f.device, image, &plane, &layout);
   CHECK_EQ(layout.offset, 0);
   CHECK_EQ(layout.rowPitch, 256);
   icd_DestroyImage(f.device, image, NULL);
   fixture_finish(&f, NULL);
}

/* ---- what is reported ---- */

static VkResult image_properties(const struct fixture *f, VkFormat format, uint64_t modifier, VkImageFormatProperties *out)
{
   const VkPhysicalDeviceImageDrmFormatModifierInfoEXT chosen = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_DRM_FORMAT_MODIFIER_INFO_EXT, NULL, modifier,
                                                                 VK_SHARING_MODE_EXCLUSIVE, 0, NULL};
   const VkPhysicalDeviceExternalImageFormatInfo handle = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO, &chosen, DMA_BUF};
   const VkPhysicalDeviceImageFormatInfo2 info = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, &handle, format, VK_IMAGE_TYPE_2D,
                                                  VK_IMAGE_TILING_DRM_FORMAT_MODIFIER_EXT, VK_IMAGE_USAGE_SAMPLED_BIT, 0};
   VkExternalImageFormatProperties features = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES};
   VkImageFormatProperties2 properties = {VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2, &features, {{0}}};
   const VkResult result = icd_GetPhysicalDeviceImageFormatProperties2(f->physical_device, &info, &properties);
   *out = properties.imageFormatProperties;
   if (result == VK_SUCCESS) {
      const VkExternalMemoryFeatureFlags given = features.externalMemoryProperties.externalMemoryFeatures;
      CHECK(given & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT);
      CHECK_EQ(!!(given & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT), util_dma_buf_can_create());
   }
   return result;
}

TEST(queries)
{
   struct fixture f;
   VkImageFormatProperties properties;
   fixture_init(&f, NULL);
   CHECK_EQ(image_properties(&f, VK_FORMAT_R8G8B8A8_UNORM, 0, &properties), VK_SUCCESS);
   CHECK_EQ(properties.maxMipLevels, 1);
   CHECK_EQ(properties.maxArrayLayers, 1);
   CHECK(properties.maxExtent.width >= 4096 && properties.maxExtent.depth == 1);
   CHECK_EQ(image_properties(&f, VK_FORMAT_R8G8B8A8_UNORM, 1, &properties), VK_ERROR_FORMAT_NOT_SUPPORTED);
   CHECK_EQ(properties.maxExtent.width, 0);
   CHECK_EQ(image_properties(&f, VK_FORMAT_R8G8B8A8_UNORM, UINT64_C(0x00ffffffffffffff), &properties), VK_ERROR_FORMAT_NOT_SUPPORTED);
   CHECK_EQ(image_properties(&f, VK_FORMAT_D32_SFLOAT, 0, &properties), VK_ERROR_FORMAT_NOT_SUPPORTED); /* never in rows */
   for (VkFormat format = VK_FORMAT_R4G4_UNORM_PACK8; format <= VK_FORMAT_ASTC_12x12_SRGB_BLOCK; format++) {
      VkDrmFormatModifierProperties2EXT second[2] = {{0}};
      VkDrmFormatModifierPropertiesEXT first[2] = {{0}};
      VkDrmFormatModifierPropertiesList2EXT list2 = {VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_2_EXT, NULL, 2, second};
      VkDrmFormatModifierPropertiesListEXT list = {VK_STRUCTURE_TYPE_DRM_FORMAT_MODIFIER_PROPERTIES_LIST_EXT, &list2, 2, first};
      VkFormatProperties3 wide = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3, &list, 0, 0, 0};
      VkFormatProperties2 all = {VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, &wide, {0}};
      icd_GetPhysicalDeviceFormatProperties2(f.physical_device, format, &all);
      CHECK_EQ(list.drmFormatModifierCount, wide.linearTilingFeatures ? 1 : 0);
      CHECK_EQ(list2.drmFormatModifierCount, list.drmFormatModifierCount);
      CHECK_EQ(first[0].drmFormatModifierTilingFeatures, all.formatProperties.linearTilingFeatures);
      CHECK_EQ(second[0].drmFormatModifierTilingFeatures, wide.linearTilingFeatures);
      CHECK_EQ(first[0].drmFormatModifierPlaneCount, list.drmFormatModifierCount);
      list.pDrmFormatModifierProperties = NULL;
      list.drmFormatModifierCount = 99;
      icd_GetPhysicalDeviceFormatProperties2(f.physical_device, format, &all);
      CHECK_EQ(list.drmFormatModifierCount, list2.drmFormatModifierCount);
   }
   fixture_finish(&f, NULL);
}

TEST(other_descriptors)
{
   struct fixture f;
   struct util_shared_memory file;
   VkDeviceMemory memory;
   VkMemoryFdPropertiesKHR properties = {VK_STRUCTURE_TYPE_MEMORY_FD_PROPERTIES_KHR, NULL, 99};
   int pipes[2];
   CHECK_EQ(pipe(pipes), 0);
   fixture_init(&f, NULL);
   CHECK_EQ(icd_GetMemoryFdPropertiesKHR(f.device, DMA_BUF, pipes[0], &properties), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK_EQ(properties.memoryTypeBits, 0);
   CHECK_EQ(import(&f, PAGE, pipes[0], &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);
   CHECK(util_shared_memory_create(&file, "test", PAGE));
   CHECK_EQ(icd_GetMemoryFdPropertiesKHR(f.device, DMA_BUF, file.fd, &properties), VK_SUCCESS);
   CHECK(properties.memoryTypeBits != 0);
   CHECK_EQ(import(&f, PAGE + 1, file.fd, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE); /* it has less */
   CHECK(fcntl(file.fd, F_GETFD) >= 0); /* not taken */
   util_shared_memory_finish(&file);
   close(pipes[0]);
   close(pipes[1]);
   fixture_finish(&f, NULL);
}

/* Out, and in again; an imported one goes out as it came in. */
TEST(export)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL, DMA_BUF};
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &export, PAGE, 0};
   VkDeviceMemory own = VK_NULL_HANDLE, imported;
   VkMemoryGetFdInfoKHR get = {VK_STRUCTURE_TYPE_MEMORY_GET_FD_INFO_KHR, NULL, VK_NULL_HANDLE, DMA_BUF};
   struct util_shared_memory file = {.fd = -1};
   void *first, *second;
   int fd = -1, again = -1;
   if (util_dma_buf_can_create()) {
      CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &own), VK_SUCCESS);
      CHECK_EQ(icd_MapMemory(f.device, own, 0, VK_WHOLE_SIZE, 0, &first), VK_SUCCESS);
      get.memory = own;
      CHECK_EQ(icd_GetMemoryFdKHR(f.device, &get, &fd), VK_SUCCESS);
   } else {
      printf("this system makes no dma-bufs\n");
      CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &own), VK_ERROR_OUT_OF_DEVICE_MEMORY);
      CHECK(util_shared_memory_create(&file, "test", PAGE));
      first = file.data;
      fd = util_shared_memory_dup(&file);
   }
   CHECK_EQ(import(&f, PAGE, fd, &imported), VK_SUCCESS);
   CHECK_EQ(icd_MapMemory(f.device, imported, 0, VK_WHOLE_SIZE, 0, &second), VK_SUCCESS);
   *(volatile uint32_t *)first = 42;
   CHECK_EQ(*(volatile uint32_t *)second, 42);
   get.memory = imported;
   CHECK_EQ(icd_GetMemoryFdKHR(f.device, &get, &again), VK_SUCCESS);
   CHECK(util_dma_buf_bytes(again) >= PAGE);
   close(again);
   icd_FreeMemory(f.device, imported, NULL);
   icd_FreeMemory(f.device, own, NULL);
   util_shared_memory_finish(&file);
   fixture_finish(&f, NULL);
}

TEST_MAIN
