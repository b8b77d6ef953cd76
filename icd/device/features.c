/* SPDX-License-Identifier: MIT
 * Features: what is true. A feature becomes true when it works, and never before; what is not named here is false. */
#include "icd/device/features.h"

#include "gen/icd_spirv.h"
#include "util/cpu.h"
#include "util/reserved.h"

void icd_features_fill(struct icd_features *features)
{
   *features = (struct icd_features){
      /* Vulkan 1.0 */
      .robustBufferAccess = true,
      .fullDrawIndexUint32 = true,
      .imageCubeArray = true,
      .independentBlend = true,
      .geometryShader = true,
      .tessellationShader = true,
      .sampleRateShading = true,
      .dualSrcBlend = true,
      .logicOp = true,
      .multiDrawIndirect = true,
      .drawIndirectFirstInstance = true,
      .depthClamp = true,
      .depthBiasClamp = true,
      .fillModeNonSolid = true,
      .depthBounds = true,
      .wideLines = true,
      .largePoints = true,
      .alphaToOne = true,
      .multiViewport = true,
      .samplerAnisotropy = true,
      .textureCompressionETC2 = true,
      .textureCompressionASTC_LDR = true,
      .textureCompressionBC = true,
      .occlusionQueryPrecise = true,
      .pipelineStatisticsQuery = true,
      .vertexPipelineStoresAndAtomics = true,
      .fragmentStoresAndAtomics = true,
      .shaderTessellationAndGeometryPointSize = true,
      .shaderImageGatherExtended = true,
      .shaderStorageImageExtendedFormats = true,
      .shaderStorageImageMultisample = true,
      .shaderStorageImageReadWithoutFormat = true,
      .shaderStorageImageWriteWithoutFormat = true,
      .shaderUniformBufferArrayDynamicIndexing = true,
      .shaderSampledImageArrayDynamicIndexing = true,
      .shaderStorageBufferArrayDynamicIndexing = true,
      .shaderStorageImageArrayDynamicIndexing = true,
      .shaderClipDistance = true,
      .shaderCullDistance = true,
      .shaderFloat64 = true,
      .shaderInt64 = true,
      .shaderInt16 = true,
      .shaderResourceResidency = true,
      .shaderResourceMinLod = true,
      .sparseBinding = util_reserved_is_supported(),
      .sparseResidencyBuffer = util_reserved_is_supported(),
      .sparseResidencyImage2D = util_reserved_is_supported(),
      .sparseResidencyImage3D = util_reserved_is_supported(),
      .sparseResidency2Samples = util_reserved_is_supported(),
      .sparseResidency4Samples = util_reserved_is_supported(),
      .sparseResidency8Samples = util_reserved_is_supported(),
      .sparseResidency16Samples = util_reserved_is_supported(),
      .sparseResidencyAliased = util_reserved_is_supported(),
      .variableMultisampleRate = true,
      .inheritedQueries = true,

      /* Vulkan 1.1 */
      .storageBuffer16BitAccess = true,
      .uniformAndStorageBuffer16BitAccess = true,
      .storagePushConstant16 = true,
      .storageInputOutput16 = true,
      .multiview = true,
      .multiviewGeometryShader = true,
      .multiviewTessellationShader = true,
      .variablePointersStorageBuffer = true,
      .variablePointers = true,
      .protectedMemory = true,
      .samplerYcbcrConversion = true,
      .shaderDrawParameters = true,

      /* Vulkan 1.2 */
      .samplerMirrorClampToEdge = true,
      .drawIndirectCount = true,
      .storageBuffer8BitAccess = true,
      .uniformAndStorageBuffer8BitAccess = true,
      .storagePushConstant8 = true,
      .shaderBufferInt64Atomics = true,
      .shaderSharedInt64Atomics = true,
      .shaderFloat16 = true,
      .shaderInt8 = true,
      .descriptorIndexing = true,
      .shaderInputAttachmentArrayDynamicIndexing = true,
      .shaderUniformTexelBufferArrayDynamicIndexing = true,
      .shaderStorageTexelBufferArrayDynamicIndexing = true,
      .shaderUniformBufferArrayNonUniformIndexing = true,
      .shaderSampledImageArrayNonUniformIndexing = true,
      .shaderStorageBufferArrayNonUniformIndexing = true,
      .shaderStorageImageArrayNonUniformIndexing = true,
      .shaderInputAttachmentArrayNonUniformIndexing = true,
      .shaderUniformTexelBufferArrayNonUniformIndexing = true,
      .shaderStorageTexelBufferArrayNonUniformIndexing = true,
      .descriptorBindingUniformBufferUpdateAfterBind = true,
      .descriptorBindingSampledImageUpdateAfterBind = true,
      .descriptorBindingStorageImageUpdateAfterBind = true,
      .descriptorBindingStorageBufferUpdateAfterBind = true,
      .descriptorBindingUniformTexelBufferUpdateAfterBind = true,
      .descriptorBindingStorageTexelBufferUpdateAfterBind = true,
      .descriptorBindingUpdateUnusedWhilePending = true,
      .descriptorBindingPartiallyBound = true,
      .descriptorBindingVariableDescriptorCount = true,
      .runtimeDescriptorArray = true,
      .samplerFilterMinmax = true,
      .scalarBlockLayout = true,
      .imagelessFramebuffer = true,
      .uniformBufferStandardLayout = true,
      .shaderSubgroupExtendedTypes = true,
      .separateDepthStencilLayouts = true,
      .hostQueryReset = true,
      .timelineSemaphore = true,
      .bufferDeviceAddress = true,
      .bufferDeviceAddressCaptureReplay = true,
      .bufferDeviceAddressMultiDevice = false,
      .vulkanMemoryModel = true,
      .vulkanMemoryModelDeviceScope = true,
      .vulkanMemoryModelAvailabilityVisibilityChains = true,
      .shaderOutputViewportIndex = true,
      .shaderOutputLayer = true,
      .subgroupBroadcastDynamicId = true,

      /* Vulkan 1.3 */
      .robustImageAccess = true,
      .inlineUniformBlock = true,
      .descriptorBindingInlineUniformBlockUpdateAfterBind = true,
      .pipelineCreationCacheControl = true,
      .privateData = true,
      .shaderDemoteToHelperInvocation = true,
      .shaderTerminateInvocation = true,
      .subgroupSizeControl = true,
      .computeFullSubgroups = true,
      .synchronization2 = true,
      .textureCompressionASTC_HDR = true,
      .shaderZeroInitializeWorkgroupMemory = true,
      .dynamicRendering = true,
      .shaderIntegerDotProduct = true,
      .maintenance4 = true,

      /* Vulkan 1.4 */
      .globalPriorityQuery = true,
      .shaderSubgroupRotate = true,
      .shaderSubgroupRotateClustered = true,
      .shaderFloatControls2 = true,
      .shaderExpectAssume = true,
      .rectangularLines = true,
      .bresenhamLines = true,
      .smoothLines = true,
      .stippledRectangularLines = true,
      .stippledBresenhamLines = true,
      .stippledSmoothLines = true,
      .vertexAttributeInstanceRateDivisor = true,
      .vertexAttributeInstanceRateZeroDivisor = true,
      .indexTypeUint8 = true,
      .dynamicRenderingLocalRead = true,
      .maintenance5 = true,
      .maintenance6 = true,
      .pipelineProtectedAccess = true, /* protected memory is such by its mark alone: any pipeline can touch it */
      .pipelineRobustness = true,
      .hostImageCopy = true,
      .pushDescriptor = true,

      /* VK_EXT_extended_dynamic_state, 2 */
      .extendedDynamicState = true,
      .extendedDynamicState2 = true,

      /* VK_KHR_present_id, VK_KHR_present_wait, VK_EXT_swapchain_maintenance1, VK_EXT_present_mode_fifo_latest_ready */
      .presentId = true,
      .presentWait = true,
      .swapchainMaintenance1 = true,
      .presentModeFifoLatestReady = true,
      .multiDraw = true,
      .vertexInputDynamicState = true,
      .depthClipEnable = true,
      .depthClipControl = true,
      .provokingVertexLast = true,
      .transformFeedbackPreservesProvokingVertex = true,
      .transformFeedback = true,
      .geometryStreams = true,
      .taskShader = true,
      .meshShader = true,
      .multiviewMeshShader = true,
      .meshShaderQueries = true,
      .primitivesGeneratedQuery = true,
      .primitivesGeneratedQueryWithRasterizerDiscard = true,
      .primitivesGeneratedQueryWithNonZeroStreams = true,
      .colorWriteEnable = true,
      .formatA4R4G4B4 = true,
      .formatA4B4G4R4 = true,
      .nullDescriptor = true,
      .shaderSubgroupClock = true,
      .shaderDeviceClock = util_cpu_has_common_clock(),
      .shaderMaximalReconvergence = true,
      .shaderSubgroupUniformControlFlow = true,
      .robustBufferAccess2 = true,
      .robustImageAccess2 = true,

      /* the language of shaders */
      .workgroupMemoryExplicitLayout = true,
      .workgroupMemoryExplicitLayoutScalarBlockLayout = true,
      .workgroupMemoryExplicitLayout8BitAccess = true,
      .workgroupMemoryExplicitLayout16BitAccess = true,
      .shaderImageInt64Atomics = true,
      .sparseImageInt64Atomics = util_reserved_is_supported(),
      .shaderBufferFloat32Atomics = true,
      .shaderBufferFloat32AtomicAdd = true,
      .shaderBufferFloat64Atomics = true,
      .shaderBufferFloat64AtomicAdd = true,
      .shaderSharedFloat32Atomics = true,
      .shaderSharedFloat32AtomicAdd = true,
      .shaderSharedFloat64Atomics = true,
      .shaderSharedFloat64AtomicAdd = true,
      .shaderImageFloat32Atomics = true,
      .shaderImageFloat32AtomicAdd = true,
      .sparseImageFloat32Atomics = util_reserved_is_supported(),
      .sparseImageFloat32AtomicAdd = util_reserved_is_supported(),
      .shaderBufferFloat16Atomics = true,
      .shaderBufferFloat16AtomicAdd = true,
      .shaderBufferFloat16AtomicMinMax = true,
      .shaderBufferFloat32AtomicMinMax = true,
      .shaderBufferFloat64AtomicMinMax = true,
      .shaderSharedFloat16Atomics = true,
      .shaderSharedFloat16AtomicAdd = true,
      .shaderSharedFloat16AtomicMinMax = true,
      .shaderSharedFloat32AtomicMinMax = true,
      .shaderSharedFloat64AtomicMinMax = true,
      .shaderImageFloat32AtomicMinMax = true,
      .sparseImageFloat32AtomicMinMax = util_reserved_is_supported(),
      .computeDerivativeGroupQuads = true,
      .computeDerivativeGroupLinear = true,
      .shaderReplicatedComposites = true,
      .shaderRelaxedExtendedInstruction = true,
      .shaderQuadControl = true,
      .shaderRawAccessChains = true,
      .shaderFloat16VectorAtomics = true,
      .shaderIntegerFunctions2 = true,
      .imageAlignmentControl = true,
      .cooperativeMatrix = true,
      .cooperativeMatrixFlexibleDimensions = true,
      .cooperativeMatrixReductions = true,
      .cooperativeMatrixConversions = true,
      .cooperativeMatrixPerElementOperations = true,
      .cooperativeMatrixTensorAddressing = true,
      .cooperativeMatrixBlockLoads = true,
      .cooperativeMatrixRobustBufferAccess = true,
      .cooperativeVector = true,
      .cooperativeVectorTraining = true,
      .extendedDynamicState2LogicOp = true,
      .extendedDynamicState2PatchControlPoints = true,

      /* VK_EXT_extended_dynamic_state3 */
      .extendedDynamicState3DepthClampEnable = true,
      .extendedDynamicState3PolygonMode = true,
      .extendedDynamicState3TessellationDomainOrigin = true,
      .extendedDynamicState3RasterizationSamples = true,
      .extendedDynamicState3SampleMask = true,
      .extendedDynamicState3AlphaToCoverageEnable = true,
      .extendedDynamicState3AlphaToOneEnable = true,
      .extendedDynamicState3LogicOpEnable = true,
      .extendedDynamicState3ConservativeRasterizationMode = true,
      .extendedDynamicState3ExtraPrimitiveOverestimationSize = true,
      .extendedDynamicState3SampleLocationsEnable = true,
      .extendedDynamicState3ColorBlendEnable = true,
      .extendedDynamicState3ColorBlendEquation = true,
      .extendedDynamicState3ColorBlendAdvanced = true,
      .advancedBlendCoherentOperations = true,
      .legacyDithering = true,
      .fragmentDensityMap = true,
      .fragmentDensityMapDynamic = true,
      .fragmentDensityMapNonSubsampledImages = true,
      .fragmentDensityMapDeferred = true,
      .pipelineFragmentShadingRate = true,
      .primitiveFragmentShadingRate = true,
      .attachmentFragmentShadingRate = true,
      .primitiveFragmentShadingRateMeshShader = true,
      .extendedDynamicState3ColorWriteMask = true,
      .extendedDynamicState3DepthClipEnable = true,
      .extendedDynamicState3ProvokingVertexMode = true,
      .extendedDynamicState3RasterizationStream = true,
      .extendedDynamicState3LineRasterizationMode = true,
      .extendedDynamicState3LineStippleEnable = true,
      .extendedDynamicState3DepthClipNegativeOneToOne = true,

      /* rays */
      .accelerationStructure = true,
      .accelerationStructureCaptureReplay = true,
      .accelerationStructureIndirectBuild = true,
      .rayQuery = true,
      .rayTracingPipeline = true,
      .rayTracingPipelineShaderGroupHandleCaptureReplay = true,
      .rayTracingPipelineShaderGroupHandleCaptureReplayMixed = true,
      .rayTracingPipelineTraceRaysIndirect = true,
      .rayTracingPipelineTraceRaysIndirect2 = true,
      .rayTracingMaintenance1 = true,
      .pipelineLibraryGroupHandles = true,
      .rayTraversalPrimitiveCulling = true,
      .rayTracingPositionFetch = true,
      .micromap = true,
      .micromapHostCommands = true,
      .accelerationStructureHostCommands = true,
      .descriptorBindingAccelerationStructureUpdateAfterBind = true,

      /* one line an extension, most of one feature */
      .deviceFault = true,
      .deviceMemoryReport = true,
      .reportAddressBinding = true,
      .pipelinePropertiesIdentifier = true,
      .pipelineExecutableInfo = true,
      .pipelineBinaries = true,
      .shaderObject = true,
      .texelBufferAlignment = true,
      .attachmentFeedbackLoopDynamicState = true,
      .attachmentFeedbackLoopLayout = true,
      .conditionalRendering = true,
      .inheritedConditionalRendering = true,
      .depthBiasControl = true,
      .leastRepresentableValueForceUnormRepresentation = true,
      .floatRepresentation = true,
      .depthBiasExact = true,
      .depthClampControl = true,
      .depthClampZeroOne = true,
      .dynamicRenderingUnusedAttachments = true,
      .frameBoundary = true,
      .graphicsPipelineLibrary = true,
      .legacyVertexAttributes = true,
      .maintenance7 = true,
      .maintenance8 = true,
      .memoryPriority = true,
      .multisampledRenderToSingleSampled = true,
      .mutableDescriptorType = true,
      .nestedCommandBuffer = true,
      .nestedCommandBufferRendering = true,
      .nestedCommandBufferSimultaneousUse = true,
      .pageableDeviceLocalMemory = true,
      .primitiveTopologyListRestart = true,
      .primitiveTopologyPatchListRestart = true,
      .fragmentShaderBarycentric = true,
      .shaderEarlyAndLateFragmentTests = true,
      .fragmentShaderPixelInterlock = true,
      .fragmentShaderSampleInterlock = true,
      .rasterizationOrderColorAttachmentAccess = true,
      .rasterizationOrderDepthAttachmentAccess = true,
      .rasterizationOrderStencilAttachmentAccess = true,
      .shaderTileImageColorReadAccess = true,
      .shaderTileImageDepthReadAccess = true,
      .shaderTileImageStencilReadAccess = true,
      .vertexAttributeRobustness = true,
      /* images and samplers */
      .imageCompressionControl = true,
      .textureSampleWeighted = true,
      .textureBoxFilter = true,
      .textureBlockMatch = true,
      /* memory and commands */
      .descriptorBuffer = true,
      .descriptorBufferImageLayoutIgnored = true,
      .descriptorBufferPushDescriptors = true,
      .deviceGeneratedCommands = true,
      .dynamicGeneratedPipelineLayout = true,
      .memoryMapPlaced = util_reserved_is_supported(),
      .memoryMapRangePlaced = util_reserved_is_supported(),
      .memoryUnmapReserve = util_reserved_is_supported(),
      .customBorderColors = true,
      .customBorderColorWithoutFormat = true,
      .borderColorSwizzle = true,
      .borderColorSwizzleFromImage = true,
      .nonSeamlessCubeMap = true,
      .image2DViewOf3D = true,
      .sampler2DViewOf3D = true,
      .imageSlicedViewOf3D = true,
      .minLod = true,
      .formatRgba10x6WithoutYCbCrSampler = true,
      .ycbcr2plane444Formats = true,
      .decodeModeSharedExponent = true,
      .ycbcrImageArrays = true,
      .shaderModuleIdentifier = true,

      /* of extensions that came after the oldest headers that we build with */
#ifdef ICD_SPIRV_HAS_EXT_descriptor_heap
      .descriptorHeap = true,
#endif
#ifdef VK_EXT_multisampled_render_to_swapchain
      .multisampledRenderToSwapchain = true,
#endif
#ifdef VK_EXT_texture_compression_astc_3d
      .textureCompressionASTC_3D = true,
#endif
#ifdef VK_EXT_primitive_restart_index
      .primitiveRestartIndex = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_ray_tracing_invocation_reorder
      .rayTracingInvocationReorder = true,
#endif
#ifdef ICD_SPIRV_HAS_NV_ray_tracing_linear_swept_spheres
      .spheres = true,
      .linearSweptSpheres = true,
#endif
#ifdef VK_KHR_copy_memory_indirect
      .indirectMemoryCopy = true,
      .indirectMemoryToImageCopy = true,
#endif
#ifdef VK_KHR_device_address_commands
      .deviceAddressCommands = true,
#endif
#ifdef VK_KHR_internally_synchronized_queues
      .internallySynchronizedQueues = true,
#endif
#ifdef VK_KHR_maintenance9
      .maintenance9 = true,
#endif
#ifdef VK_KHR_maintenance10
      .maintenance10 = true,
#endif
#ifdef VK_KHR_maintenance11
      .maintenance11 = true,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_bfloat16
      .shaderBFloat16Type = true,
      .shaderBFloat16DotProduct = true,
      .shaderBFloat16CooperativeMatrix = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_float8
      .shaderFloat8 = true,
      .shaderFloat8CooperativeMatrix = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_ocp_microscaling_types
      .shaderFloat4 = true,
      .shaderFloat6 = true,
      .shaderFloat8UnsignedE8M0 = true,
      .shaderMXInt8 = true,
#endif
#ifdef ICD_SPIRV_HAS_VALVE_shader_mixed_float_dot_product
      .shaderMixedFloatDotProductFloat16AccFloat32 = true,
      .shaderMixedFloatDotProductFloat16AccFloat16 = true,
      .shaderMixedFloatDotProductBFloat16Acc = true,
      .shaderMixedFloatDotProductFloat8AccFloat32 = true,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_abort
      .shaderAbort = true,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_constant_data
      .shaderConstantData = true,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_fma
      .shaderFmaFloat16 = true,
      .shaderFmaFloat32 = true,
      .shaderFmaFloat64 = true,
#endif
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
      .shaderEnqueue = true,
#endif
#ifdef VK_KHR_shader_untyped_pointers
      .shaderUntypedPointers = true,
#endif
#ifdef VK_KHR_present_id2
      .presentId2 = true,
#endif
#ifdef VK_KHR_present_wait2
      .presentWait2 = true,
#endif
#ifdef VK_KHR_unified_image_layouts
      .unifiedImageLayouts = true,
      .unifiedImageLayoutsVideo = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_64bit_indexing
      .shader64BitIndexing = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_long_vector
      .longVector = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_split_barrier
      .shaderSplitBarrier = true,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_subgroup_partitioned
      .shaderSubgroupPartitioned = true,
#endif
#ifdef VK_EXT_shader_uniform_buffer_unsized_array
      .shaderUniformBufferUnsizedArray = true, /* what is read is checked against the buffer's size, whatever the type says */
#endif
#ifdef VK_EXT_fragment_density_map_offset
      .fragmentDensityMapOffset = true,
#endif
#ifdef VK_VALVE_fragment_density_map_layered
      .fragmentDensityMapLayered = true,
#endif
#ifdef VK_EXT_present_timing
      .presentTiming = true,
      .presentAtAbsoluteTime = true,
      .presentAtRelativeTime = true,
#endif
#ifdef VK_KHR_extended_flags
      .extendedFlags = true,
#endif
#ifdef VK_EXT_memory_decompression
      .memoryDecompression = true,
#endif
#ifdef VK_EXT_custom_resolve
      .customResolve = true,
#endif
#ifdef VK_EXT_zero_initialize_device_memory
      .zeroInitializeDeviceMemory = true, /* new memory is zero-filled whether or not that is asked for */
#endif
   };
}
