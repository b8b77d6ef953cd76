/* SPDX-License-Identifier: MIT
 * Limits and properties: all values, in this one file.
 * Spec: Limits, "Required Limits". What belongs to a feature that is off has the value that the specification gives for that;
 * properties of extensions that are not offered stay zero. */
#include "abi/node.h"
#include "abi/probe.h"
#include "abi/shader.h"
#include "abi/weights.h"
#include "compiler/compiler.h"
#include "runtime/accel/micromap.h"
#include "runtime/accel/tree.h"
#include "runtime/cmd/cmd.h"
#include "runtime/image/image.h"
#include "runtime/image/sparse_blocks.h"
#include "runtime/rays/rays.h"
#include "gen/icd_spirv.h"
#include "icd/device/cooperative_matrix.h"
#include "icd/command_buffer.h"
#include "icd/device/physical_device.h"
#include "icd/device/shading_rate.h"
#include "util/cpu.h"
#include "util/spirv_numbers.h"

#include <stdio.h>
#include <string.h>

/* No hardware behind: where nothing but memory limits a number, it is this. */
#define MANY (1u << 20)

#define SAMPLE_COUNTS                                                                                                  \
   (VK_SAMPLE_COUNT_1_BIT | VK_SAMPLE_COUNT_2_BIT | VK_SAMPLE_COUNT_4_BIT | VK_SAMPLE_COUNT_8_BIT |                   \
    VK_SAMPLE_COUNT_16_BIT)

enum {
   MAX_IMAGE_SIZE = 1 << (ABI_MAX_LEVELS - 1),
   MAX_DYNAMIC = MANY / 2, /* uniform buffers, and as many storage buffers */
   MAX_LOCATION_COMPONENTS = ABI_MAX_LOCATIONS * 4,
   MAX_WORKGROUP = 1024,
   MIN_SUBGROUP = 8, /* as GPUs of 8 to 32 have it. Code of 4 works as well, but Dawn asks for twice the smallest, and 8 lanes are slow */
   MAX_INLINE_BYTES = 1 << 20,
   MAX_MESH_OUTPUT_BYTES = 65536,

   /* Not a PCI vendor, so a number that Khronos gave out is required. All but Khronos' own are other drivers', and set off what programs do for
    * those. A name that a program looks up in a list of its own by this number stays empty (WebGPU's vendor): better than another's. */
   VENDOR_ID = VK_VENDOR_ID_KHRONOS,
   DEVICE_ID = 1,
};

static void fill_resource_limits(VkPhysicalDeviceLimits *limits, const struct icd_features *features)
{
   limits->maxImageDimension1D = MAX_IMAGE_SIZE;
   limits->maxImageDimension2D = MAX_IMAGE_SIZE;
   limits->maxImageDimension3D = 4096;
   limits->maxImageDimensionCube = MAX_IMAGE_SIZE;
   limits->maxImageArrayLayers = 2048;
   limits->maxTexelBufferElements = 1u << 27;
   limits->maxUniformBufferRange = 65536;
   limits->maxStorageBufferRange = (uint32_t)ABI_MAX_BUFFER_BYTES;
   limits->maxPushConstantsSize = ABI_MAX_PUSH_BYTES;
   limits->maxMemoryAllocationCount = UINT32_MAX;
   limits->maxSamplerAllocationCount = MANY;
   limits->bufferImageGranularity = 1;
   limits->sparseAddressSpaceSize = features->sparseBinding ? UINT64_C(1) << 40 : 0;
   limits->maxBoundDescriptorSets = ABI_MAX_SETS;
   limits->maxPerStageDescriptorSamplers = MANY;
   limits->maxPerStageDescriptorUniformBuffers = MANY;
   limits->maxPerStageDescriptorStorageBuffers = MANY;
   limits->maxPerStageDescriptorSampledImages = MANY;
   limits->maxPerStageDescriptorStorageImages = MANY;
   limits->maxPerStageDescriptorInputAttachments = MANY;
   limits->maxPerStageResources = MANY;
   limits->maxDescriptorSetSamplers = MANY;
   limits->maxDescriptorSetUniformBuffers = MANY;
   limits->maxDescriptorSetUniformBuffersDynamic = MAX_DYNAMIC;
   limits->maxDescriptorSetStorageBuffers = MANY;
   limits->maxDescriptorSetStorageBuffersDynamic = MAX_DYNAMIC;
   limits->maxDescriptorSetSampledImages = MANY;
   limits->maxDescriptorSetStorageImages = MANY;
   limits->maxDescriptorSetInputAttachments = MANY;
   limits->minMemoryMapAlignment = 64;
   limits->minTexelBufferOffsetAlignment = 16;
   limits->minUniformBufferOffsetAlignment = 16;
   limits->minStorageBufferOffsetAlignment = 4;
   limits->optimalBufferCopyOffsetAlignment = 64;
   limits->optimalBufferCopyRowPitchAlignment = 64;
   limits->nonCoherentAtomSize = 64;
}

static void fill_geometry_limits(VkPhysicalDeviceLimits *limits, const struct icd_features *features)
{
   limits->maxVertexInputAttributes = ABI_MAX_LOCATIONS;
   limits->maxVertexInputBindings = 32;
   limits->maxVertexInputAttributeOffset = 65535;
   limits->maxVertexInputBindingStride = 65535;
   limits->maxVertexOutputComponents = MAX_LOCATION_COMPONENTS;
   limits->maxDrawIndexedIndexValue = features->fullDrawIndexUint32 ? UINT32_MAX : (1u << 24) - 1;
   limits->maxDrawIndirectCount = features->multiDrawIndirect ? UINT32_MAX : 1;

   if (features->tessellationShader) {
      limits->maxTessellationGenerationLevel = 64;
      limits->maxTessellationPatchSize = ABI_MAX_PATCH_VERTICES;
      limits->maxTessellationControlPerVertexInputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxTessellationControlPerVertexOutputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxTessellationControlPerPatchOutputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxTessellationControlTotalOutputComponents = ABI_MAX_PATCH_VERTICES * MAX_LOCATION_COMPONENTS;
      limits->maxTessellationEvaluationInputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxTessellationEvaluationOutputComponents = MAX_LOCATION_COMPONENTS;
   }
   if (features->geometryShader) {
      limits->maxGeometryShaderInvocations = 128;
      limits->maxGeometryInputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxGeometryOutputComponents = MAX_LOCATION_COMPONENTS;
      limits->maxGeometryOutputVertices = ABI_MAX_EMITTED;
      limits->maxGeometryTotalOutputComponents = 4096;
   }
   limits->maxClipDistances = features->shaderClipDistance ? 8 : 0;
   limits->maxCullDistances = features->shaderCullDistance ? 8 : 0;
   limits->maxCombinedClipAndCullDistances = features->shaderClipDistance || features->shaderCullDistance ? 8 : 0;
}

static void fill_raster_limits(VkPhysicalDeviceLimits *limits, const struct icd_features *features)
{
   limits->maxFragmentInputComponents = ABI_MAX_PLANES;
   limits->maxFragmentOutputAttachments = ABI_MAX_ATTACHMENTS;
   limits->maxFragmentDualSrcAttachments = features->dualSrcBlend ? ABI_MAX_DUAL_SOURCES : 0;
   limits->maxFragmentCombinedOutputResources = MANY;
   limits->subPixelPrecisionBits = 8;
   limits->subTexelPrecisionBits = 8;
   limits->mipmapPrecisionBits = 8;
   limits->maxSamplerLodBias = 16.0f;
   limits->maxSamplerAnisotropy = features->samplerAnisotropy ? 16.0f : 1.0f;
   limits->maxViewports = features->multiViewport ? 16 : 1;
   limits->maxViewportDimensions[0] = limits->maxViewportDimensions[1] = MAX_IMAGE_SIZE;
   limits->viewportBoundsRange[0] = -2.0f * MAX_IMAGE_SIZE;
   limits->viewportBoundsRange[1] = 2.0f * MAX_IMAGE_SIZE - 1.0f;
   limits->viewportSubPixelBits = 8;
   limits->minTexelOffset = -32;
   limits->maxTexelOffset = 31;
   limits->minTexelGatherOffset = features->shaderImageGatherExtended ? -32 : 0;
   limits->maxTexelGatherOffset = features->shaderImageGatherExtended ? 31 : 0;
   if (features->sampleRateShading) {
      /* An input is a plane, which goes on beyond the pixel. */
      limits->minInterpolationOffset = -2.0f;
      limits->maxInterpolationOffset = 2.0f;
      limits->subPixelInterpolationOffsetBits = 8; /* an offset is a float, and not rounded */
   }
   limits->maxFramebufferWidth = limits->maxFramebufferHeight = MAX_IMAGE_SIZE;
   limits->maxFramebufferLayers = 2048;
   limits->framebufferColorSampleCounts = SAMPLE_COUNTS;
   limits->framebufferDepthSampleCounts = SAMPLE_COUNTS;
   limits->framebufferStencilSampleCounts = SAMPLE_COUNTS;
   limits->framebufferNoAttachmentsSampleCounts = SAMPLE_COUNTS;
   limits->maxColorAttachments = ABI_MAX_ATTACHMENTS;
   limits->sampledImageColorSampleCounts = SAMPLE_COUNTS;
   limits->sampledImageIntegerSampleCounts = SAMPLE_COUNTS;
   limits->sampledImageDepthSampleCounts = SAMPLE_COUNTS;
   limits->sampledImageStencilSampleCounts = SAMPLE_COUNTS;
   limits->storageImageSampleCounts = features->shaderStorageImageMultisample ? SAMPLE_COUNTS : VK_SAMPLE_COUNT_1_BIT;
   limits->maxSampleMaskWords = 1;
   limits->pointSizeRange[0] = 1.0f;
   limits->pointSizeRange[1] = features->largePoints ? RT_MAX_POINT_SIZE : 1.0f;
   limits->pointSizeGranularity = features->largePoints ? 1.0f / 256.0f : 0.0f;
   limits->lineWidthRange[0] = 1.0f;
   limits->lineWidthRange[1] = features->wideLines ? RT_MAX_LINE_WIDTH : 1.0f;
   limits->lineWidthGranularity = features->wideLines ? 1.0f / 256.0f : 0.0f;
   limits->strictLines = VK_TRUE;
   limits->standardSampleLocations = VK_TRUE;
}

static void fill_compute_limits(VkPhysicalDeviceLimits *limits)
{
   limits->maxComputeSharedMemorySize = 65536;
   for (int i = 0; i < 3; i++)
      limits->maxComputeWorkGroupCount[i] = ABI_MAX_WORKGROUPS;
   limits->maxComputeWorkGroupInvocations = MAX_WORKGROUP;
   limits->maxComputeWorkGroupSize[0] = MAX_WORKGROUP;
   limits->maxComputeWorkGroupSize[1] = MAX_WORKGROUP;
   limits->maxComputeWorkGroupSize[2] = MAX_WORKGROUP;
   limits->timestampComputeAndGraphics = VK_TRUE;
   limits->timestampPeriod = 1.0f;
   limits->discreteQueuePriorities = 2;
}

static void fill_uuid(uint8_t *uuid, const char *purpose)
{
   const struct util_hash hash = util_hash_more(comp_build_hash(), purpose, strlen(purpose));
   memcpy(uuid, &hash, VK_UUID_SIZE);
}

static void fill_identity(struct icd_properties *properties)
{
   VkPhysicalDeviceProperties *core = &properties->core;
   core->apiVersion = ICD_DEVICE_VERSION | VK_HEADER_VERSION;
   core->driverVersion = ICD_DRIVER_VERSION;
   core->vendorID = VENDOR_ID;
   core->deviceID = DEVICE_ID;
   core->deviceType = VK_PHYSICAL_DEVICE_TYPE_CPU;
   /* Words: WebGPU makes identifiers of names, in which brackets would end as hyphens. */
   snprintf(core->deviceName, sizeof(core->deviceName), "vk_swrast on %s, %u lanes", util_cpu_name(), util_cpu_lanes());

   /* Code for one level and width of vectors is of no use to another. */
   char purpose[64];
   snprintf(purpose, sizeof(purpose), "pipeline cache v%d %u", (int)util_cpu_level(), util_cpu_lanes());
   fill_uuid(core->pipelineCacheUUID, purpose);
   fill_uuid(properties->driverUUID, "driver");
   fill_uuid(properties->deviceUUID, core->deviceName);
   fill_uuid(properties->optimalTilingLayoutUUID, "tiled layout 1");
   fill_uuid(properties->shaderModuleIdentifierAlgorithmUUID, "module identifier");

   /* driverID stays 0: Khronos has given us none, and another's would set off workarounds for that one; programs print the name.
    * The tests are those of tests/conformance/groups.md. */
   properties->conformanceVersion = (VkConformanceVersion){1, 4, 6, 1};
   snprintf(properties->driverName, sizeof(properties->driverName), "vk_swrast");
   snprintf(properties->driverInfo, sizeof(properties->driverInfo), "version %s", VK_SWRAST_VERSION);
}

static void fill_sparse(VkPhysicalDeviceSparseProperties *sparse, const struct icd_features *features)
{
   sparse->residencyStandard2DBlockShape = features->sparseResidencyImage2D;
   sparse->residencyStandard2DMultisampleBlockShape = features->sparseResidency2Samples;
   sparse->residencyNonResidentStrict = features->sparseResidencyBuffer;
}

enum {
   RAY_STAGES = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR,
   EVERY_STAGE = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT | RAY_STAGES,
};

static void fill_vulkan_1_1(struct icd_properties *properties, const struct icd_features *features)
{
   properties->subgroupSize = COMP_SUBGROUP_SIZE;
   properties->subgroupSupportedStages = EVERY_STAGE;
   properties->subgroupSupportedOperations =
      VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT |
      VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT |
      VK_SUBGROUP_FEATURE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_QUAD_BIT | VK_SUBGROUP_FEATURE_ROTATE_BIT |
      VK_SUBGROUP_FEATURE_ROTATE_CLUSTERED_BIT | VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV;
   properties->subgroupQuadOperationsInAllStages = VK_TRUE;
   properties->protectedNoFault = features->protectedMemory;
   properties->pointClippingBehavior = VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES;
   properties->maxMultiviewViewCount = features->multiview ? 6 : 0;
   properties->maxMultiviewInstanceIndex = features->multiview ? INT32_MAX : 0;
   properties->maxPerSetDescriptors = MANY;
   properties->maxMemoryAllocationSize = UTIL_MAX(util_cpu_memory_bytes(), UINT64_C(1) << 30);
}

static void fill_vulkan_1_2(struct icd_properties *properties)
{
   const VkPhysicalDeviceLimits *limits = &properties->core.limits;
   /* Modes are properties of single operations (compiler/lower/lower_float_env.c), so any combination will do. */
   properties->shaderSignedZeroInfNanPreserveFloat16 = VK_TRUE;
   properties->shaderSignedZeroInfNanPreserveFloat32 = VK_TRUE;
   properties->shaderSignedZeroInfNanPreserveFloat64 = VK_TRUE;
   properties->shaderDenormPreserveFloat16 = VK_TRUE;
   properties->shaderDenormPreserveFloat32 = VK_TRUE;
   properties->shaderDenormPreserveFloat64 = VK_TRUE;
   properties->shaderDenormFlushToZeroFloat16 = VK_TRUE;
   properties->shaderDenormFlushToZeroFloat32 = VK_TRUE;
   properties->shaderDenormFlushToZeroFloat64 = VK_TRUE;
   properties->shaderRoundingModeRTEFloat16 = VK_TRUE;
   properties->shaderRoundingModeRTEFloat32 = VK_TRUE;
   properties->shaderRoundingModeRTEFloat64 = VK_TRUE;
   properties->shaderRoundingModeRTZFloat16 = VK_TRUE;
   properties->shaderRoundingModeRTZFloat32 = VK_TRUE;
   properties->shaderRoundingModeRTZFloat64 = VK_TRUE;
   properties->denormBehaviorIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
   properties->roundingModeIndependence = VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_ALL;
   properties->maxUpdateAfterBindDescriptorsInAllPools = UINT32_MAX;
   properties->shaderUniformBufferArrayNonUniformIndexingNative = VK_TRUE;
   properties->shaderSampledImageArrayNonUniformIndexingNative = VK_TRUE;
   properties->shaderStorageBufferArrayNonUniformIndexingNative = VK_TRUE;
   properties->shaderStorageImageArrayNonUniformIndexingNative = VK_TRUE;
   properties->shaderInputAttachmentArrayNonUniformIndexingNative = VK_TRUE;
   properties->robustBufferAccessUpdateAfterBind = VK_TRUE;
   properties->quadDivergentImplicitLod = VK_TRUE;
   properties->maxPerStageDescriptorUpdateAfterBindSamplers = limits->maxPerStageDescriptorSamplers;
   properties->maxPerStageDescriptorUpdateAfterBindUniformBuffers = limits->maxPerStageDescriptorUniformBuffers;
   properties->maxPerStageDescriptorUpdateAfterBindStorageBuffers = limits->maxPerStageDescriptorStorageBuffers;
   properties->maxPerStageDescriptorUpdateAfterBindSampledImages = limits->maxPerStageDescriptorSampledImages;
   properties->maxPerStageDescriptorUpdateAfterBindStorageImages = limits->maxPerStageDescriptorStorageImages;
   properties->maxPerStageDescriptorUpdateAfterBindInputAttachments = limits->maxPerStageDescriptorInputAttachments;
   properties->maxPerStageUpdateAfterBindResources = limits->maxPerStageResources;
   properties->maxDescriptorSetUpdateAfterBindSamplers = limits->maxDescriptorSetSamplers;
   properties->maxDescriptorSetUpdateAfterBindUniformBuffers = limits->maxDescriptorSetUniformBuffers;
   properties->maxDescriptorSetUpdateAfterBindUniformBuffersDynamic = limits->maxDescriptorSetUniformBuffersDynamic;
   properties->maxDescriptorSetUpdateAfterBindStorageBuffers = limits->maxDescriptorSetStorageBuffers;
   properties->maxDescriptorSetUpdateAfterBindStorageBuffersDynamic = limits->maxDescriptorSetStorageBuffersDynamic;
   properties->maxDescriptorSetUpdateAfterBindSampledImages = limits->maxDescriptorSetSampledImages;
   properties->maxDescriptorSetUpdateAfterBindStorageImages = limits->maxDescriptorSetStorageImages;
   properties->maxDescriptorSetUpdateAfterBindInputAttachments = limits->maxDescriptorSetInputAttachments;
   properties->supportedStencilResolveModes =
      VK_RESOLVE_MODE_SAMPLE_ZERO_BIT | VK_RESOLVE_MODE_MIN_BIT | VK_RESOLVE_MODE_MAX_BIT;
#ifdef VK_EXT_custom_resolve
   properties->supportedStencilResolveModes |= VK_RESOLVE_MODE_CUSTOM_BIT_EXT;
#endif
   properties->supportedDepthResolveModes = properties->supportedStencilResolveModes | VK_RESOLVE_MODE_AVERAGE_BIT;
   properties->independentResolveNone = VK_TRUE;
   properties->independentResolve = VK_TRUE;
   properties->filterMinmaxSingleComponentFormats = VK_TRUE;
   properties->filterMinmaxImageComponentMapping = VK_TRUE;
   properties->maxTimelineSemaphoreValueDifference = UINT64_MAX;
   properties->framebufferIntegerColorSampleCounts = SAMPLE_COUNTS;
}

static void fill_vulkan_1_3(struct icd_properties *properties)
{
   properties->minSubgroupSize = MIN_SUBGROUP;
   properties->maxSubgroupSize = ABI_MAX_LANES;
   properties->maxComputeWorkgroupSubgroups = MAX_WORKGROUP / MIN_SUBGROUP;
   properties->requiredSubgroupSizeStages =
      VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
   properties->cooperativeMatrixSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
   properties->cooperativeMatrixFlexibleDimensionsMaxDimension = ICD_MATRIX_MAX_DIMENSION;
   properties->cooperativeVectorSupportedStages = EVERY_STAGE;
   properties->cooperativeVectorTrainingFloat16Accumulation = VK_TRUE;
   properties->cooperativeVectorTrainingFloat32Accumulation = VK_TRUE;
   properties->maxCooperativeVectorComponents = UTIL_SPV_MAX_COMPONENTS;
   properties->maxInlineUniformBlockSize = MAX_INLINE_BYTES;
   properties->maxPerStageDescriptorInlineUniformBlocks = 64;
   properties->maxPerStageDescriptorUpdateAfterBindInlineUniformBlocks = 64;
   properties->maxDescriptorSetInlineUniformBlocks = 64;
   properties->maxDescriptorSetUpdateAfterBindInlineUniformBlocks = 64;
   properties->maxInlineUniformTotalSize = 64 * MAX_INLINE_BYTES;
   properties->storageTexelBufferOffsetAlignmentBytes = 16;
   properties->storageTexelBufferOffsetSingleTexelAlignment = VK_TRUE;
   properties->uniformTexelBufferOffsetAlignmentBytes = 16;
   properties->uniformTexelBufferOffsetSingleTexelAlignment = VK_TRUE;
   properties->maxBufferSize = properties->maxMemoryAllocationSize;
}

static void fill_vulkan_1_4(struct icd_properties *properties)
{
   properties->lineSubPixelPrecisionBits = 8;
   properties->maxVertexAttribDivisor = UINT32_MAX;
   properties->supportsNonZeroFirstInstance = VK_TRUE;
   properties->maxPushDescriptors = 32;
   properties->depthStencilSwizzleOneSupport = VK_TRUE;
   properties->polygonModePointSize = VK_TRUE;
   properties->dynamicRenderingLocalReadDepthStencilAttachments = VK_TRUE;
   properties->dynamicRenderingLocalReadMultisampledAttachments = VK_TRUE;
   properties->blockTexelViewCompatibleMultipleLayers = VK_TRUE;
   properties->maxCombinedImageSamplerDescriptorCount = 1;
   /* Accesses are always checked, whatever is enabled. */
   properties->defaultRobustnessStorageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS;
   properties->defaultRobustnessUniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS;
   properties->defaultRobustnessVertexInputs = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_ROBUST_BUFFER_ACCESS_2;
   properties->defaultRobustnessImages = VK_PIPELINE_ROBUSTNESS_IMAGE_BEHAVIOR_ROBUST_IMAGE_ACCESS_2;
   properties->identicalMemoryTypeRequirements = VK_TRUE;
}

/* What weights, boxes and blocks the compiler's loops go over (compiler/spirv/instructions/spirv_processing.c). */
static void fill_image_processing(struct icd_properties *properties)
{
   const VkExtent2D size = {ABI_MAX_FILTER_SIZE, ABI_MAX_FILTER_SIZE};
   properties->maxWeightFilterPhases = ABI_MAX_FILTER_PHASES;
   properties->maxWeightFilterDimension = properties->maxBlockMatchRegion = properties->maxBoxFilterBlockSize = size;
}

/* Workgroups of task and mesh shaders are as large as those of compute shaders; payloads and outputs stand beside what they share. */
static void fill_mesh(struct icd_properties *properties)
{
   const VkPhysicalDeviceLimits *limits = &properties->core.limits;
   const uint32_t shared_bytes = limits->maxComputeSharedMemorySize;
   properties->maxTaskWorkGroupTotalCount = properties->maxMeshWorkGroupTotalCount = ABI_MAX_MESH_WORKGROUPS;
   properties->maxTaskWorkGroupInvocations = properties->maxMeshWorkGroupInvocations = MAX_WORKGROUP;
   for (uint32_t i = 0; i < 3; i++) {
      properties->maxTaskWorkGroupCount[i] = properties->maxMeshWorkGroupCount[i] = 65536;
      properties->maxTaskWorkGroupSize[i] = properties->maxMeshWorkGroupSize[i] = MAX_WORKGROUP;
   }
   properties->maxTaskPayloadSize = ABI_MAX_PAYLOAD_BYTES;
   properties->maxTaskSharedMemorySize = properties->maxMeshSharedMemorySize = shared_bytes;
   properties->maxTaskPayloadAndSharedMemorySize = ABI_MAX_PAYLOAD_BYTES + shared_bytes;
   properties->maxMeshPayloadAndSharedMemorySize = ABI_MAX_PAYLOAD_BYTES + shared_bytes;
   properties->maxMeshOutputMemorySize = MAX_MESH_OUTPUT_BYTES;
   properties->maxMeshPayloadAndOutputMemorySize = ABI_MAX_PAYLOAD_BYTES + MAX_MESH_OUTPUT_BYTES;
   properties->maxMeshOutputComponents = MAX_LOCATION_COMPONENTS;
   properties->maxMeshOutputVertices = ABI_MAX_MESH_VERTICES;
   properties->maxMeshOutputPrimitives = ABI_MAX_MESH_PRIMITIVES;
   properties->maxMeshOutputLayers = limits->maxFramebufferLayers;
   properties->maxMeshMultiviewViewCount = properties->maxMultiviewViewCount;
   properties->meshOutputPerVertexGranularity = properties->meshOutputPerPrimitiveGranularity = 1;
   properties->maxPreferredTaskWorkGroupInvocations = properties->maxPreferredMeshWorkGroupInvocations = 128;
   properties->prefersLocalInvocationVertexOutput = VK_TRUE; /* neighbours store side by side */
   properties->prefersLocalInvocationPrimitiveOutput = VK_TRUE;
   properties->meshAndTaskShaderDerivatives = VK_TRUE;
}

static void fill_extensions(struct icd_properties *properties)
{
   properties->maxMultiDrawCount = UINT32_MAX;
   properties->maxGeometryCount = RT_GEOMETRY_INDEX;
   properties->maxInstanceCount = RT_GEOMETRY_INDEX; /* gl_InstanceCustomIndexEXT has as many bits */
   properties->maxPrimitiveCount = (1u << 29) - 1;
   properties->maxPerStageDescriptorAccelerationStructures = MANY;
   properties->maxPerStageDescriptorUpdateAfterBindAccelerationStructures = MANY;
   properties->maxDescriptorSetAccelerationStructures = MANY;
   properties->maxDescriptorSetUpdateAfterBindAccelerationStructures = MANY;
   properties->minAccelerationStructureScratchOffsetAlignment = 64;
   properties->shaderGroupHandleSize = sizeof(struct rt_ray_handle);
   properties->shaderGroupHandleAlignment = 32;
   properties->shaderGroupBaseAlignment = 64;
   properties->maxShaderGroupStride = 16384; /* of any size: offsets have 64 bits */
   properties->shaderGroupHandleCaptureReplaySize = sizeof(struct rt_ray_handle);
   properties->maxRayRecursionDepth = RT_RAY_MAX_RECURSION;
   properties->maxRayDispatchInvocationCount = 1u << 30;
   properties->maxRayHitAttributeSize = 32;
#ifdef VK_EXT_ray_tracing_invocation_reorder
   properties->rayTracingInvocationReorderReorderingHint = VK_RAY_TRACING_INVOCATION_REORDER_MODE_NONE_EXT; /* calls are sorted by shader, always */
   properties->maxShaderBindingTableRecordIndex = UINT32_MAX;
#endif
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
   properties->maxExecutionGraphDepth = ABI_MAX_NODE_DEPTH;
   properties->maxExecutionGraphShaderOutputNodes = ABI_MAX_NODE_OUTPUTS;
   properties->maxExecutionGraphShaderPayloadSize = ABI_MAX_NODE_PAYLOAD_BYTES;
   properties->maxExecutionGraphShaderPayloadCount = ABI_MAX_NODE_PAYLOADS;
   properties->executionGraphDispatchAddressAlignment = 1;
   for (uint32_t i = 0; i < 3; i++)
      properties->maxExecutionGraphWorkgroupCount[i] = ABI_MAX_WORKGROUPS;
   properties->maxExecutionGraphWorkgroups = UINT32_MAX;
#endif
   properties->maxOpacity2StateSubdivisionLevel = RT_MICROMAP_MAX_LEVEL;
   properties->maxOpacity4StateSubdivisionLevel = RT_MICROMAP_MAX_LEVEL;
   properties->shaderBinaryVersion = 1;
   properties->minImportedHostPointerAlignment = 4096;
   properties->minPlacedMemoryMapAlignment = ABI_PAGE_BYTES;
#ifdef VK_EXT_memory_decompression
   properties->decompressionMethods = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT;
   properties->maxDecompressionIndirectCount = RT_MAX_DECOMPRESSIONS;
#endif
#ifdef VK_KHR_copy_memory_indirect
   properties->supportedQueues = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
#endif
   properties->robustStorageBufferAccessSizeAlignment = 1;
   properties->robustUniformBufferAccessSizeAlignment = 1;
   properties->maxCustomBorderColorSamplers = MANY;
   properties->provokingVertexModePerPipeline = VK_TRUE;
   properties->transformFeedbackPreservesTriangleFanProvokingVertex = VK_TRUE;
   properties->maxTransformFeedbackStreams = ABI_MAX_STREAMS;
   properties->maxTransformFeedbackBuffers = ABI_MAX_XFB_BUFFERS;
   properties->maxTransformFeedbackBufferSize = UINT32_MAX; /* counters have 32 bits */
   properties->maxTransformFeedbackStreamDataSize = ABI_MAX_XFB_BYTES;
   properties->maxTransformFeedbackBufferDataSize = ABI_MAX_XFB_BYTES;
   properties->maxTransformFeedbackBufferDataStride = ABI_MAX_XFB_BYTES;
   properties->transformFeedbackQueries = VK_TRUE;
   properties->transformFeedbackStreamsLinesTriangles = VK_TRUE;
   properties->transformFeedbackRasterizationStreamSelect = VK_TRUE;
   properties->transformFeedbackDraw = VK_TRUE;
   properties->graphicsPipelineLibraryFastLinking = VK_TRUE;
   properties->graphicsPipelineLibraryIndependentInterpolationDecoration = VK_TRUE;
   properties->dynamicPrimitiveTopologyUnrestricted = VK_TRUE;
   properties->maxCommandBufferNestingLevel = RT_MAX_NESTING - 1; /* in secondary command buffers */
   properties->separateDepthStencilAttachmentAccess = VK_TRUE;
   properties->nativeUnalignedPerformance = VK_TRUE;
   properties->shaderTileImageCoherentReadAccelerated = VK_TRUE;
   properties->shaderTileImageReadSampleFromPixelRateInvocation = VK_TRUE;
   properties->shaderTileImageReadFromHelperInvocation = VK_TRUE;
   properties->maxExtraPrimitiveOverestimationSize = 4.0f;
   properties->extraPrimitiveOverestimationSizeGranularity = 1.0f / 256.0f;
   properties->primitiveUnderestimation = VK_TRUE;
   properties->minFragmentShadingRateAttachmentTexelSize = (VkExtent2D){ICD_MIN_RATE_TEXEL, ICD_MIN_RATE_TEXEL};
   properties->maxFragmentShadingRateAttachmentTexelSize = (VkExtent2D){ICD_MAX_RATE_TEXEL, ICD_MAX_RATE_TEXEL};
   properties->maxFragmentShadingRateAttachmentTexelSizeAspectRatio = ICD_MAX_RATE_TEXEL / ICD_MIN_RATE_TEXEL;
   properties->primitiveFragmentShadingRateWithMultipleViewports = VK_TRUE;
   properties->layeredShadingRateAttachments = VK_TRUE;
   properties->fragmentShadingRateNonTrivialCombinerOps = VK_TRUE;
   properties->maxFragmentSize = (VkExtent2D){ICD_MAX_FRAGMENT_SIZE, ICD_MAX_FRAGMENT_SIZE};
   properties->maxFragmentSizeAspectRatio = ICD_MAX_FRAGMENT_SIZE;
   properties->maxFragmentShadingRateCoverageSamples = ICD_MAX_COVERAGE_SAMPLES;
   properties->maxFragmentShadingRateRasterizationSamples = VK_SAMPLE_COUNT_16_BIT;
   properties->fragmentShadingRateWithShaderDepthStencilWrites = VK_TRUE;
   properties->fragmentShadingRateWithSampleMask = VK_TRUE;
   properties->fragmentShadingRateWithShaderSampleMask = VK_TRUE;
   properties->fragmentShadingRateWithConservativeRasterization = VK_TRUE;
   properties->fragmentShadingRateWithFragmentShaderInterlock = VK_TRUE;
   properties->fragmentShadingRateWithCustomSampleLocations = VK_TRUE;
   properties->fragmentShadingRateStrictMultiplyCombiner = VK_TRUE;
   properties->fragmentShadingRateClampCombinerInputs = VK_TRUE;
   properties->robustFragmentShadingRateAttachmentAccess = VK_TRUE;
   properties->minFragmentDensityTexelSize = properties->minFragmentShadingRateAttachmentTexelSize;
   properties->maxFragmentDensityTexelSize = properties->maxFragmentShadingRateAttachmentTexelSize;
#ifdef VK_EXT_fragment_density_map_offset
   properties->fragmentDensityOffsetGranularity = properties->minFragmentDensityTexelSize;
#endif
#ifdef VK_VALVE_fragment_density_map_layered
   properties->maxFragmentDensityMapLayers = properties->core.limits.maxFramebufferLayers;
#endif
   properties->subsampledLoads = VK_TRUE; /* subsampled images are stored as all others, so all that is promised of them holds */
   properties->maxSubsampledArrayLayers = properties->core.limits.maxImageArrayLayers;
   properties->maxDescriptorSetSubsampledSamplers = properties->core.limits.maxDescriptorSetSamplers;
   properties->advancedBlendMaxColorAttachments = ABI_MAX_ATTACHMENTS;
   properties->advancedBlendIndependentBlend = VK_TRUE;
   properties->advancedBlendNonPremultipliedSrcColor = VK_TRUE;
   properties->advancedBlendNonPremultipliedDstColor = VK_TRUE;
   properties->advancedBlendCorrelatedOverlap = VK_TRUE;
   properties->advancedBlendAllOperations = VK_TRUE;
   properties->conservativePointAndLineRasterization = VK_TRUE;
   properties->conservativeRasterizationPostDepthCoverage = VK_TRUE;
   properties->sampleLocationSampleCounts = SAMPLE_COUNTS & ~VK_SAMPLE_COUNT_1_BIT;
   properties->maxSampleLocationGridSize = (VkExtent2D){1, 1};
   properties->sampleLocationCoordinateRange[1] = 15.0f / 16.0f;
   properties->sampleLocationSubPixelBits = 4;
   properties->variableSampleLocations = VK_TRUE;
   properties->maxDiscardRectangles = RT_MAX_DISCARD_RECTANGLES;
   properties->maxDescriptorSetTotalUniformBuffersDynamic = 2 * MAX_DYNAMIC; /* of all sets together */
   properties->maxDescriptorSetTotalStorageBuffersDynamic = 2 * MAX_DYNAMIC;
   properties->maxDescriptorSetTotalBuffersDynamic = 2 * MAX_DYNAMIC;
   properties->maxDescriptorSetUpdateAfterBindTotalUniformBuffersDynamic = 2 * MAX_DYNAMIC;
   properties->maxDescriptorSetUpdateAfterBindTotalStorageBuffersDynamic = 2 * MAX_DYNAMIC;
   properties->maxDescriptorSetUpdateAfterBindTotalBuffersDynamic = 2 * MAX_DYNAMIC;
}

static void fill_maintenance(struct icd_properties *properties, const struct icd_features *features)
{
#ifdef VK_KHR_device_fault
   properties->maxDeviceFaultCount = 1; /* the loss */
#endif
#ifdef VK_KHR_shader_abort
   properties->maxShaderAbortMessageSize = ABI_MAX_ABORT_BYTES;
#endif
#ifdef VK_EXT_shader_long_vector
   properties->maxVectorComponents = UTIL_SPV_MAX_COMPONENTS;
#endif
#ifdef VK_KHR_maintenance9
   properties->image2DViewOf3DSparse = features->sparseResidencyImage3D;
   properties->defaultVertexAttributeValue = VK_DEFAULT_VERTEX_ATTRIBUTE_VALUE_ZERO_ZERO_ZERO_ZERO_KHR;
#endif
#ifdef VK_KHR_maintenance10
   properties->rgba4OpaqueBlackSwizzled = VK_TRUE;
   properties->resolveSrgbFormatAppliesTransferFunction = VK_TRUE;
   properties->resolveSrgbFormatSupportsTransferFunctionControl = VK_TRUE;
#endif
}

static void fill_descriptor_buffers(struct icd_properties *properties)
{
   properties->combinedImageSamplerDescriptorSingleArray = VK_TRUE;
   properties->bufferlessPushDescriptors = VK_TRUE;
   properties->allowSamplerImageViewPostSubmitCreation = VK_TRUE;
   properties->descriptorBufferOffsetAlignment = ABI_DESCRIPTOR_BYTES;
   properties->maxDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS;
   properties->maxResourceDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS;
   properties->maxSamplerDescriptorBufferBindings = ICD_MAX_DESCRIPTOR_BUFFERS;
   properties->maxEmbeddedImmutableSamplerBindings = ABI_MAX_SETS;
   properties->maxEmbeddedImmutableSamplers = MANY;
   properties->samplerDescriptorSize = properties->combinedImageSamplerDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->combinedImageSamplerDensityMapDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->sampledImageDescriptorSize = properties->storageImageDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->uniformTexelBufferDescriptorSize = properties->robustUniformTexelBufferDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->storageTexelBufferDescriptorSize = properties->robustStorageTexelBufferDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->uniformBufferDescriptorSize = properties->robustUniformBufferDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->storageBufferDescriptorSize = properties->robustStorageBufferDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->inputAttachmentDescriptorSize = properties->accelerationStructureDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->maxSamplerDescriptorBufferRange = properties->maxResourceDescriptorBufferRange = UINT32_MAX;
   properties->samplerDescriptorBufferAddressSpaceSize = properties->maxBufferSize;
   properties->resourceDescriptorBufferAddressSpaceSize = properties->maxBufferSize;
   properties->descriptorBufferAddressSpaceSize = properties->maxBufferSize;
}

/* After those of descriptor buffers, which have the size of a sampler's descriptor too. */
static void fill_descriptor_heaps(struct icd_properties *properties, const struct icd_features *features)
{
#ifdef VK_EXT_descriptor_heap
   properties->samplerHeapAlignment = properties->resourceHeapAlignment = ABI_DESCRIPTOR_BYTES;
   properties->maxSamplerHeapSize = properties->maxResourceHeapSize = ABI_MAX_BUFFER_BYTES;
   properties->imageDescriptorSize = properties->bufferDescriptorSize = ABI_DESCRIPTOR_BYTES;
   properties->samplerDescriptorAlignment = ABI_DESCRIPTOR_BYTES;
   properties->imageDescriptorAlignment = properties->bufferDescriptorAlignment = ABI_DESCRIPTOR_BYTES;
   properties->maxPushDataSize = ABI_MAX_PUSH_BYTES;
   properties->maxDescriptorHeapEmbeddedSamplers = MANY;
   properties->samplerYcbcrConversionCount = 1;
   properties->sparseDescriptorHeaps = features->sparseBinding;
   properties->protectedDescriptorHeaps = features->protectedMemory;
#endif
}

static void fill_generated_commands(struct icd_properties *properties)
{
   properties->maxIndirectPipelineCount = properties->maxIndirectShaderObjectCount = MANY;
   properties->maxIndirectSequenceCount = MANY;
   properties->maxIndirectCommandsTokenCount = 256;
   properties->maxIndirectCommandsTokenOffset = 65535;
   properties->maxIndirectCommandsIndirectStride = 65536;
   properties->supportedIndirectCommandsInputModes =
      VK_INDIRECT_COMMANDS_INPUT_MODE_VULKAN_INDEX_BUFFER_EXT | VK_INDIRECT_COMMANDS_INPUT_MODE_DXGI_INDEX_BUFFER_EXT;
   properties->supportedIndirectCommandsShaderStages = EVERY_STAGE;
   properties->supportedIndirectCommandsShaderStagesPipelineBinding = EVERY_STAGE;
   properties->supportedIndirectCommandsShaderStagesShaderBinding = EVERY_STAGE & ~RAY_STAGES;
   properties->deviceGeneratedCommandsTransformFeedback = VK_TRUE;
   properties->deviceGeneratedCommandsMultiDrawIndirectCount = VK_TRUE;
}

static void fill_image_alignment(struct icd_properties *properties, const struct icd_features *features)
{
   properties->supportedImageAlignmentMask = RT_IMAGE_ALIGN | (features->sparseResidencyImage2D ? RT_SPARSE_BLOCK_BYTES : 0);
}

void icd_properties_fill(struct icd_properties *properties, const struct icd_features *features)
{
   memset(properties, 0, sizeof(*properties));
   fill_resource_limits(&properties->core.limits, features);
   fill_geometry_limits(&properties->core.limits, features);
   fill_raster_limits(&properties->core.limits, features);
   fill_compute_limits(&properties->core.limits);
   fill_sparse(&properties->core.sparseProperties, features);
   fill_identity(properties);
   fill_vulkan_1_1(properties, features);
   fill_vulkan_1_2(properties);
   fill_vulkan_1_3(properties);
   fill_vulkan_1_4(properties);
   fill_extensions(properties);
   fill_maintenance(properties, features);
   fill_image_alignment(properties, features);
   fill_mesh(properties);
   fill_image_processing(properties);
   fill_descriptor_buffers(properties);
   fill_descriptor_heaps(properties, features);
   fill_generated_commands(properties);
}
