/* SPDX-License-Identifier: MIT
 * The devices that rows run on, by what they need beyond a plain one. */
#include "tests/bench/bench.h"

#include "util/macros.h"

static const VkPhysicalDeviceFeatures plain = {.samplerAnisotropy = VK_TRUE, .textureCompressionBC = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE,
                                               .sampleRateShading = VK_TRUE, .wideLines = VK_TRUE};
static const VkPhysicalDeviceFeatures stages = {.samplerAnisotropy = VK_TRUE, .textureCompressionBC = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE,
                                                .geometryShader = VK_TRUE, .tessellationShader = VK_TRUE};
static const VkPhysicalDeviceFeatures blocks = {.textureCompressionETC2 = VK_TRUE, .textureCompressionASTC_LDR = VK_TRUE, .fragmentStoresAndAtomics = VK_TRUE};
static const VkPhysicalDeviceFeatures vertices = {.shaderClipDistance = VK_TRUE, .multiDrawIndirect = VK_TRUE, .drawIndirectFirstInstance = VK_TRUE};
static const VkPhysicalDeviceFeatures sparse = {.sparseBinding = VK_TRUE, .sparseResidencyBuffer = VK_TRUE};

static const VkPhysicalDeviceTransformFeedbackFeaturesEXT capture = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT, .transformFeedback = VK_TRUE};
static const VkPhysicalDeviceSamplerYcbcrConversionFeatures conversion = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SAMPLER_YCBCR_CONVERSION_FEATURES, .samplerYcbcrConversion = VK_TRUE};
static const VkPhysicalDeviceVulkan13Features rendering = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .dynamicRendering = VK_TRUE};
static const VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = (void *)&rendering, .shaderObject = VK_TRUE};
static const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .meshShader = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features addresses = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .bufferDeviceAddress = VK_TRUE};
static const VkPhysicalDeviceMaintenance5Features maintenance = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = (void *)&addresses, .maintenance5 = VK_TRUE};
static const VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .pNext = (void *)&maintenance, .deviceGeneratedCommands = VK_TRUE};
static const VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptors = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT, .pNext = (void *)&addresses, .descriptorBuffer = VK_TRUE};

static const VkPhysicalDeviceVulkan11Features halves = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES, .storageBuffer16BitAccess = VK_TRUE};
static const VkPhysicalDeviceVulkan12Features narrow = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = (void *)&halves,
   .shaderFloat16 = VK_TRUE, .shaderInt8 = VK_TRUE, .storageBuffer8BitAccess = VK_TRUE, .vulkanMemoryModel = VK_TRUE};
static const VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {
   .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR, .pNext = (void *)&narrow, .cooperativeMatrix = VK_TRUE};

static const char *const generated_extensions[] = {VK_KHR_MAINTENANCE_5_EXTENSION_NAME, VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};

void bench_client_init(struct client *client, enum bench_need need)
{
   static const struct client_options options[] = {
      [BENCH_NEEDS_NOTHING] = {.features = &plain, .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_STAGES] = {.features = &stages, .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_CAPTURE] = {.features = &plain, .next = &capture, .device_extension = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
                               .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_CONVERSION] = {.features = &plain, .next = &conversion, .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_VERTICES] = {.features = &vertices, .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_BLOCKS] = {.features = &blocks, .api_version = VK_API_VERSION_1_1},
      [BENCH_NEEDS_OBJECTS] = {.features = &plain, .next = &objects, .device_extension = VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                               .api_version = VK_API_VERSION_1_3},
      [BENCH_NEEDS_MESHES] = {.features = &plain, .next = &meshes, .device_extension = VK_EXT_MESH_SHADER_EXTENSION_NAME,
                              .api_version = VK_API_VERSION_1_3},
      [BENCH_NEEDS_GENERATED] = {.features = &plain, .next = &generated, .device_extensions = generated_extensions,
                                 .num_device_extensions = UTIL_ARRAY_SIZE(generated_extensions), .api_version = VK_API_VERSION_1_3},
      [BENCH_NEEDS_DESCRIPTOR_BUFFERS] = {.features = &plain, .next = &descriptors, .device_extension = VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME,
                                          .api_version = VK_API_VERSION_1_3},
      [BENCH_NEEDS_MATRICES] = {.features = &plain, .next = &matrices, .device_extension = VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME,
                                .api_version = VK_API_VERSION_1_3},
      [BENCH_NEEDS_SPARSE] = {.features = &sparse},
   };
   client_init(client, &options[need]);
}
