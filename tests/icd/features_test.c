/* SPDX-License-Identifier: MIT
 * icd/device/feature_chain.c, property_chain.c, limits.c: chains are answered alike by every structure, required limits are met,
 * what is not supported is refused. */
#include "tests/icd/library.h"
#include "tests/test.h"
#include "util/macros.h"

#include <string.h>

static VkInstance instance;
static VkPhysicalDevice physical_device;

static void open_instance(void)
{
   CHECK_EQ(create_instance(0, VK_KHR_GET_PHYSICAL_DEVICE_PROPERTIES_2_EXTENSION_NAME, NULL, &instance), VK_SUCCESS);
   physical_device = first_physical_device(instance);
}

static void get_features(void *chain)
{
   VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, chain, {0}};
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceFeatures2KHR)(physical_device, &features);
}

static void get_properties(void *chain)
{
   VkPhysicalDeviceProperties2 properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain, {0}};
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceProperties2KHR)(physical_device, &properties);
}

/* Custom sample locations are there, so images for them are too. */
TEST(sample_locations_compatible_depth)
{
   static const struct {
      VkFormat format;
      VkImageUsageFlags usage;
      VkResult expected;
   } rows[] = {
      {VK_FORMAT_D16_UNORM, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_SUCCESS},
      {VK_FORMAT_D32_SFLOAT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, VK_SUCCESS},
      {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_SUCCESS},
      {VK_FORMAT_S8_UINT, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
      {VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_ERROR_FORMAT_NOT_SUPPORTED},
   };
   open_instance();
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      VkImageFormatProperties properties;
      const VkResult result = INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceImageFormatProperties)(
         physical_device, rows[i].format, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, rows[i].usage,
         VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT, &properties);
      CHECK_EQ(result, rows[i].expected);
   }
   destroy_instance(instance);
}

/* Spec: VkImageCreateInfo ties that flag to one sample, to no type: zink asks with it for all images, volumes too. */
TEST(images_whose_rendering_has_implicit_samples)
{
   const VkImageCreateFlags always = VK_IMAGE_CREATE_MULTISAMPLED_RENDER_TO_SINGLE_SAMPLED_BIT_EXT | VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
   static const struct {
      VkImageType type;
      VkImageCreateFlags flags;
   } rows[] = {
      {VK_IMAGE_TYPE_1D, 0},
      {VK_IMAGE_TYPE_2D, VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT},
      {VK_IMAGE_TYPE_3D, VK_IMAGE_CREATE_2D_ARRAY_COMPATIBLE_BIT | VK_IMAGE_CREATE_2D_VIEW_COMPATIBLE_BIT_EXT},
   };
   open_instance();
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      VkImageFormatProperties properties;
      const VkResult result = INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceImageFormatProperties)(
         physical_device, VK_FORMAT_R8G8B8A8_UNORM, rows[i].type, VK_IMAGE_TILING_OPTIMAL,
         VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, always | rows[i].flags, &properties);
      CHECK_EQ(result, VK_SUCCESS);
      CHECK(properties.sampleCounts & VK_SAMPLE_COUNT_1_BIT);
   }
   destroy_instance(instance);
}

/* Spec: Features, "Feature Requirements"; of 1.4 and of what it includes. */
TEST(features_of_the_version)
{
   VkPhysicalDeviceVulkan14Features f14 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES};
   VkPhysicalDeviceVulkan13Features f13 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &f14};
   VkPhysicalDeviceVulkan12Features f12 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, &f13};
   VkPhysicalDeviceVulkan11Features f11 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, &f12};
   VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f11, {0}};
   VkPhysicalDeviceProperties properties;
   open_instance();
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceProperties)(physical_device, &properties);
   CHECK_EQ(VK_API_VERSION_MINOR(properties.apiVersion), 4);
   CHECK_EQ(VK_API_VERSION_PATCH(properties.apiVersion), VK_HEADER_VERSION);
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceFeatures2KHR)(physical_device, &features);
   CHECK(features.features.robustBufferAccess); CHECK(features.features.fullDrawIndexUint32);
   CHECK(features.features.imageCubeArray); CHECK(features.features.independentBlend);
   CHECK(features.features.sampleRateShading); CHECK(features.features.drawIndirectFirstInstance);
   CHECK(features.features.depthClamp); CHECK(features.features.depthBiasClamp);
   CHECK(features.features.samplerAnisotropy); CHECK(features.features.fragmentStoresAndAtomics);
   CHECK(features.features.shaderStorageImageExtendedFormats);
   CHECK(features.features.shaderUniformBufferArrayDynamicIndexing);
   CHECK(features.features.shaderSampledImageArrayDynamicIndexing);
   CHECK(features.features.shaderStorageBufferArrayDynamicIndexing);
   CHECK(features.features.shaderStorageImageArrayDynamicIndexing); CHECK(features.features.shaderImageGatherExtended);
   CHECK(features.features.shaderInt16); CHECK(features.features.largePoints);
   CHECK(f11.multiview); CHECK(f11.shaderDrawParameters); CHECK(f11.samplerYcbcrConversion);
   CHECK(f11.storageBuffer16BitAccess); CHECK(f11.variablePointers); CHECK(f11.variablePointersStorageBuffer);
   CHECK(f12.subgroupBroadcastDynamicId); CHECK(f12.drawIndirectCount); CHECK(f12.descriptorIndexing);
   CHECK(f12.shaderOutputViewportIndex); CHECK(f12.shaderOutputLayer); CHECK(f12.samplerFilterMinmax);
   CHECK(f12.imagelessFramebuffer); CHECK(f12.uniformBufferStandardLayout); CHECK(f12.shaderSubgroupExtendedTypes);
   CHECK(f12.separateDepthStencilLayouts); CHECK(f12.hostQueryReset); CHECK(f12.timelineSemaphore);
   CHECK(f12.vulkanMemoryModel); CHECK(f12.vulkanMemoryModelDeviceScope); CHECK(f12.bufferDeviceAddress);
   CHECK(f12.samplerMirrorClampToEdge); CHECK(f12.scalarBlockLayout);
   CHECK(f12.shaderUniformTexelBufferArrayDynamicIndexing); CHECK(f12.shaderStorageTexelBufferArrayDynamicIndexing);
   CHECK(f12.shaderInt8); CHECK(f12.storageBuffer8BitAccess);
   CHECK(f13.shaderTerminateInvocation); CHECK(f13.shaderDemoteToHelperInvocation); CHECK(f13.privateData);
   CHECK(f13.pipelineCreationCacheControl); CHECK(f13.synchronization2); CHECK(f13.shaderZeroInitializeWorkgroupMemory);
   CHECK(f13.robustImageAccess); CHECK(f13.subgroupSizeControl); CHECK(f13.computeFullSubgroups);
   CHECK(f13.dynamicRendering); CHECK(f13.shaderIntegerDotProduct); CHECK(f13.maintenance4);
   CHECK(f13.inlineUniformBlock); CHECK(f13.descriptorBindingInlineUniformBlockUpdateAfterBind);
   CHECK(f14.globalPriorityQuery); CHECK(f14.shaderSubgroupRotate); CHECK(f14.shaderSubgroupRotateClustered);
   CHECK(f14.shaderFloatControls2); CHECK(f14.shaderExpectAssume); CHECK(f14.bresenhamLines);
   CHECK(f14.vertexAttributeInstanceRateDivisor); CHECK(f14.indexTypeUint8); CHECK(f14.dynamicRenderingLocalRead);
   CHECK(f14.maintenance5); CHECK(f14.maintenance6); CHECK(f14.pipelineRobustness); CHECK(f14.hostImageCopy);
   CHECK(f14.pushDescriptor);
   destroy_instance(instance);
}

TEST(every_field_is_written)
{
   /* Fields that no one writes keep the pattern; VkBool32 fields must become 0 or 1. */
   VkPhysicalDeviceVulkan11Features f11;
   VkPhysicalDeviceVulkan12Features f12;
   VkPhysicalDeviceVulkan13Features f13;
   VkPhysicalDeviceVulkan14Features f14;
   struct {
      void *data;
      size_t size;
      VkStructureType type;
   } structs[] = {
      {&f11, sizeof(f11), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES},
      {&f12, sizeof(f12), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES},
      {&f13, sizeof(f13), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES},
      {&f14, sizeof(f14), VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_FEATURES},
   };
   open_instance();
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(structs); i++) {
      memset(structs[i].data, 0xee, structs[i].size);
      VkBaseOutStructure *base = structs[i].data;
      base->sType = structs[i].type;
      base->pNext = i + 1 < UTIL_ARRAY_SIZE(structs) ? structs[i + 1].data : NULL;
   }
   get_features(&f11);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(structs); i++) {
      /* The last word may be padding. */
      const VkBool32 *values = (const VkBool32 *)((VkBaseOutStructure *)structs[i].data + 1);
      for (size_t j = 0; j + 1 < (structs[i].size - sizeof(VkBaseOutStructure)) / sizeof(VkBool32); j++)
         CHECK(values[j] <= 1);
   }
   destroy_instance(instance);
}

TEST(aliases_agree)
{
   VkPhysicalDevicePrivateDataFeatures own = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PRIVATE_DATA_FEATURES, NULL, 77};
   VkPhysicalDeviceVulkan13Features core = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, &own};
   VkPhysicalDeviceSubgroupProperties subgroup = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
   VkPhysicalDeviceVulkan11Properties core_1_1 = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &subgroup};
   open_instance();
   get_features(&core);
   CHECK_EQ(own.privateData, 1);
   CHECK_EQ(core.privateData, 1);
   get_properties(&core_1_1);
   CHECK_EQ(subgroup.subgroupSize, 32);
   CHECK_EQ(subgroup.subgroupSize, core_1_1.subgroupSize);
   CHECK_EQ(subgroup.supportedStages, core_1_1.subgroupSupportedStages);
   CHECK_EQ(subgroup.supportedOperations, core_1_1.subgroupSupportedOperations);
   destroy_instance(instance);
}

TEST(unknown_structures_are_left_alone)
{
   struct {
      VkStructureType type;
      void *next;
      uint32_t words[8];
   } unknown = {(VkStructureType)999999999, NULL, {1, 2, 3, 4, 5, 6, 7, 8}}, before = unknown;
   open_instance();
   get_features(&unknown);
   get_properties(&unknown);
   CHECK(memcmp(&unknown, &before, sizeof(unknown)) == 0);
   destroy_instance(instance);
}

TEST(host_copy_layouts_two_calls)
{
   VkImageLayout layouts[64];
   VkPhysicalDeviceHostImageCopyProperties properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES};
   open_instance();
   get_properties(&properties);
   CHECK(properties.copySrcLayoutCount > 2 && properties.copySrcLayoutCount < 64);
   layouts[2] = VK_IMAGE_LAYOUT_MAX_ENUM;
   properties.copySrcLayoutCount = 2;
   properties.pCopySrcLayouts = layouts;
   get_properties(&properties);
   CHECK_EQ(properties.copySrcLayoutCount, 2);
   CHECK_EQ(layouts[0], VK_IMAGE_LAYOUT_GENERAL);
   CHECK_EQ(layouts[2], VK_IMAGE_LAYOUT_MAX_ENUM);
   destroy_instance(instance);
}

TEST(features_that_are_missing_are_refused)
{
   VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
   VkDevice device;
   open_instance();
   get_features(NULL);
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceFeatures2KHR)(physical_device, &features);
   CHECK_EQ(create_device(instance, NULL, &features, NULL, &device), VK_SUCCESS);
   destroy_device(instance, device);
   VkPhysicalDeviceCooperativeMatrix2FeaturesNV workgroups = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_2_FEATURES_NV, .cooperativeMatrixWorkgroupScope = VK_TRUE};
   CHECK_EQ(create_device(instance, NULL, &workgroups, NULL, &device), VK_ERROR_FEATURE_NOT_PRESENT);
   destroy_instance(instance);
}

TEST(required_limits)
{
   VkPhysicalDeviceProperties properties;
   open_instance();
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceProperties)(physical_device, &properties);
   const VkPhysicalDeviceLimits *limits = &properties.limits;
   CHECK(limits->maxImageDimension2D >= 4096);
   CHECK(limits->maxStorageBufferRange >= 1u << 27);
   CHECK(limits->maxPushConstantsSize >= 128);
   CHECK(limits->maxBoundDescriptorSets >= 4);
   CHECK(limits->maxComputeSharedMemorySize >= 16384);
   CHECK(limits->maxComputeWorkGroupInvocations >= 128);
   CHECK(limits->maxViewportDimensions[0] >= limits->maxFramebufferWidth);
   CHECK(limits->viewportBoundsRange[1] >= 2.0f * (float)limits->maxViewportDimensions[0] - 1.0f);
   CHECK(limits->minMemoryMapAlignment >= 64);
   CHECK((limits->framebufferColorSampleCounts & 5) == 5);
   CHECK_EQ(properties.deviceType, VK_PHYSICAL_DEVICE_TYPE_CPU);
   CHECK(strncmp(properties.deviceName, "vk_swrast", 9) == 0);
   const uint8_t none[VK_UUID_SIZE] = {0};
   CHECK(memcmp(properties.pipelineCacheUUID, none, VK_UUID_SIZE) != 0);

   VkPhysicalDeviceMemoryProperties memory;
   INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceMemoryProperties)(physical_device, &memory);
   CHECK(memory.memoryTypeCount >= 1 && memory.memoryHeapCount >= 1);
   const VkMemoryPropertyFlags coherent = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
   CHECK((memory.memoryTypes[0].propertyFlags & coherent) == coherent);
   CHECK(memory.memoryHeaps[0].size >= 1 << 24);
   destroy_instance(instance);
}

/* What an image asks for is among what it may be asked to keep below. */
TEST(alignments_of_images)
{
   static const VkImageTiling tilings[] = {VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_TILING_LINEAR};
   VkPhysicalDeviceImageAlignmentControlPropertiesMESA properties = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_PROPERTIES_MESA};
   VkPhysicalDeviceImageAlignmentControlFeaturesMESA features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_ALIGNMENT_CONTROL_FEATURES_MESA};
   VkDevice device;
   open_instance();
   get_properties(&properties);
   get_features(&features);
   CHECK(features.imageAlignmentControl);
   CHECK_EQ(create_device(instance, VK_MESA_IMAGE_ALIGNMENT_CONTROL_EXTENSION_NAME, &features, NULL, &device), VK_SUCCESS);
   const uint32_t least = properties.supportedImageAlignmentMask & -properties.supportedImageAlignmentMask;
   const VkImageAlignmentControlCreateInfoMESA control = {VK_STRUCTURE_TYPE_IMAGE_ALIGNMENT_CONTROL_CREATE_INFO_MESA, NULL, least};
   for (uint32_t t = 0; t < UTIL_ARRAY_SIZE(tilings); t++) {
      const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                      .pNext = &control,
                                      .imageType = VK_IMAGE_TYPE_2D,
                                      .format = VK_FORMAT_R8G8B8A8_UNORM,
                                      .extent = {100, 60, 1},
                                      .mipLevels = 1,
                                      .arrayLayers = 1,
                                      .samples = VK_SAMPLE_COUNT_1_BIT,
                                      .tiling = tilings[t],
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT};
      VkImage image;
      VkMemoryRequirements requirements;
      CHECK_EQ(((PFN_vkCreateImage)device_function(instance, device, "vkCreateImage"))(device, &info, NULL, &image), VK_SUCCESS);
      ((PFN_vkGetImageMemoryRequirements)device_function(instance, device, "vkGetImageMemoryRequirements"))(device, image, &requirements);
      CHECK(requirements.alignment <= least);
      CHECK(requirements.alignment & properties.supportedImageAlignmentMask);
      ((PFN_vkDestroyImage)device_function(instance, device, "vkDestroyImage"))(device, image, NULL);
   }
   destroy_device(instance, device);
   destroy_instance(instance);
}

#ifdef VK_KHR_internally_synchronized_queues
static bool lists_extension(const char *name)
{
   VkExtensionProperties extensions[512];
   uint32_t count = UTIL_ARRAY_SIZE(extensions);
   CHECK_EQ(INSTANCE_FUNCTION(instance, vkEnumerateDeviceExtensionProperties)(physical_device, NULL, &count, extensions), VK_SUCCESS);
   for (uint32_t i = 0; i < count; i++)
      if (strcmp(extensions[i].extensionName, name) == 0)
         return true;
   return false;
}

/* icd/device/exceptions.c: name, feature and creation of a device agree, and other engines are not concerned. */
TEST(what_is_withheld_from_a_program)
{
   static const char *const engines[] = {NULL, "libavutil2", "libavutil"};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(engines); i++) {
      const bool offered = i < 2;
      const VkApplicationInfo application = {
         .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .pEngineName = engines[i], .apiVersion = VK_API_VERSION_1_3};
      const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
      CHECK_EQ(INSTANCE_FUNCTION(NULL, vkCreateInstance)(&info, NULL, &instance), VK_SUCCESS);
      physical_device = first_physical_device(instance);

      VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR queues = {
         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR};
      VkPhysicalDeviceFeatures2 features = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &queues, {0}};
      INSTANCE_FUNCTION(instance, vkGetPhysicalDeviceFeatures2)(physical_device, &features);
      CHECK_EQ(queues.internallySynchronizedQueues, offered);
      CHECK_EQ(lists_extension(VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME), offered);
      CHECK(lists_extension(VK_KHR_SWAPCHAIN_EXTENSION_NAME));

      VkDevice device;
      CHECK_EQ(create_device(instance, VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME, NULL, NULL, &device),
               offered ? VK_SUCCESS : VK_ERROR_EXTENSION_NOT_PRESENT);
      if (offered)
         destroy_device(instance, device);
      destroy_instance(instance);
   }
}
#endif

TEST_MAIN
