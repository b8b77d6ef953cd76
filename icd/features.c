/* SPDX-License-Identifier: MIT
 * Features: what is true. A feature becomes true when it works, and never before; what is not named here is false. */
#include "icd/features.h"

void icd_features_fill(struct icd_features *features)
{
   *features = (struct icd_features){
      /* Vulkan 1.0 */
      .robustBufferAccess = true,
      .fullDrawIndexUint32 = false,
      .imageCubeArray = false,
      .independentBlend = false,
      .geometryShader = false,
      .tessellationShader = false,
      .sampleRateShading = false,
      .dualSrcBlend = false,
      .logicOp = false,
      .multiDrawIndirect = false,
      .drawIndirectFirstInstance = false,
      .depthClamp = false,
      .depthBiasClamp = false,
      .fillModeNonSolid = false,
      .depthBounds = false,
      .wideLines = false,
      .largePoints = false,
      .alphaToOne = false,
      .multiViewport = false,
      .samplerAnisotropy = false,
      .textureCompressionETC2 = false,
      .textureCompressionASTC_LDR = false,
      .textureCompressionBC = false,
      .occlusionQueryPrecise = false,
      .pipelineStatisticsQuery = false,
      .vertexPipelineStoresAndAtomics = false,
      .fragmentStoresAndAtomics = false,
      .shaderTessellationAndGeometryPointSize = false,
      .shaderImageGatherExtended = false,
      .shaderStorageImageExtendedFormats = false,
      .shaderStorageImageMultisample = false,
      .shaderStorageImageReadWithoutFormat = false,
      .shaderStorageImageWriteWithoutFormat = false,
      .shaderUniformBufferArrayDynamicIndexing = false,
      .shaderSampledImageArrayDynamicIndexing = false,
      .shaderStorageBufferArrayDynamicIndexing = false,
      .shaderStorageImageArrayDynamicIndexing = false,
      .shaderClipDistance = false,
      .shaderCullDistance = false,
      .shaderFloat64 = false,
      .shaderInt64 = false,
      .shaderInt16 = false,
      .shaderResourceResidency = false,
      .shaderResourceMinLod = false,
      .sparseBinding = false,
      .sparseResidencyBuffer = false,
      .sparseResidencyImage2D = false,
      .sparseResidencyImage3D = false,
      .sparseResidency2Samples = false,
      .sparseResidency4Samples = false,
      .sparseResidency8Samples = false,
      .sparseResidency16Samples = false,
      .sparseResidencyAliased = false,
      .variableMultisampleRate = false,
      .inheritedQueries = false,

      /* Vulkan 1.1 */
      .storageBuffer16BitAccess = false,
      .uniformAndStorageBuffer16BitAccess = false,
      .storagePushConstant16 = false,
      .storageInputOutput16 = false,
      .multiview = false,
      .multiviewGeometryShader = false,
      .multiviewTessellationShader = false,
      .variablePointersStorageBuffer = false,
      .variablePointers = false,
      .protectedMemory = false,
      .samplerYcbcrConversion = false,
      .shaderDrawParameters = false,

      /* Vulkan 1.2 */
      .samplerMirrorClampToEdge = false,
      .drawIndirectCount = false,
      .storageBuffer8BitAccess = false,
      .uniformAndStorageBuffer8BitAccess = false,
      .storagePushConstant8 = false,
      .shaderBufferInt64Atomics = false,
      .shaderSharedInt64Atomics = false,
      .shaderFloat16 = false,
      .shaderInt8 = false,
      .descriptorIndexing = false,
      .shaderInputAttachmentArrayDynamicIndexing = false,
      .shaderUniformTexelBufferArrayDynamicIndexing = false,
      .shaderStorageTexelBufferArrayDynamicIndexing = false,
      .shaderUniformBufferArrayNonUniformIndexing = false,
      .shaderSampledImageArrayNonUniformIndexing = false,
      .shaderStorageBufferArrayNonUniformIndexing = false,
      .shaderStorageImageArrayNonUniformIndexing = false,
      .shaderInputAttachmentArrayNonUniformIndexing = false,
      .shaderUniformTexelBufferArrayNonUniformIndexing = false,
      .shaderStorageTexelBufferArrayNonUniformIndexing = false,
      .descriptorBindingUniformBufferUpdateAfterBind = false,
      .descriptorBindingSampledImageUpdateAfterBind = false,
      .descriptorBindingStorageImageUpdateAfterBind = false,
      .descriptorBindingStorageBufferUpdateAfterBind = false,
      .descriptorBindingUniformTexelBufferUpdateAfterBind = false,
      .descriptorBindingStorageTexelBufferUpdateAfterBind = false,
      .descriptorBindingUpdateUnusedWhilePending = false,
      .descriptorBindingPartiallyBound = false,
      .descriptorBindingVariableDescriptorCount = false,
      .runtimeDescriptorArray = false,
      .samplerFilterMinmax = false,
      .scalarBlockLayout = false,
      .imagelessFramebuffer = false,
      .uniformBufferStandardLayout = false,
      .shaderSubgroupExtendedTypes = false,
      .separateDepthStencilLayouts = false,
      .hostQueryReset = false,
      .timelineSemaphore = false,
      .bufferDeviceAddress = false,
      .bufferDeviceAddressCaptureReplay = false,
      .bufferDeviceAddressMultiDevice = false,
      .vulkanMemoryModel = false,
      .vulkanMemoryModelDeviceScope = false,
      .vulkanMemoryModelAvailabilityVisibilityChains = false,
      .shaderOutputViewportIndex = false,
      .shaderOutputLayer = false,
      .subgroupBroadcastDynamicId = false,

      /* Vulkan 1.3 */
      .robustImageAccess = false,
      .inlineUniformBlock = false,
      .descriptorBindingInlineUniformBlockUpdateAfterBind = false,
      .pipelineCreationCacheControl = false,
      .privateData = true,
      .shaderDemoteToHelperInvocation = false,
      .shaderTerminateInvocation = false,
      .subgroupSizeControl = false,
      .computeFullSubgroups = false,
      .synchronization2 = false,
      .textureCompressionASTC_HDR = false,
      .shaderZeroInitializeWorkgroupMemory = false,
      .dynamicRendering = false,
      .shaderIntegerDotProduct = false,
      .maintenance4 = false,

      /* Vulkan 1.4 */
      .globalPriorityQuery = false,
      .shaderSubgroupRotate = false,
      .shaderSubgroupRotateClustered = false,
      .shaderFloatControls2 = false,
      .shaderExpectAssume = false,
      .rectangularLines = false,
      .bresenhamLines = false,
      .smoothLines = false,
      .stippledRectangularLines = false,
      .stippledBresenhamLines = false,
      .stippledSmoothLines = false,
      .vertexAttributeInstanceRateDivisor = false,
      .vertexAttributeInstanceRateZeroDivisor = false,
      .indexTypeUint8 = false,
      .dynamicRenderingLocalRead = false,
      .maintenance5 = false,
      .maintenance6 = false,
      .pipelineProtectedAccess = false,
      .pipelineRobustness = false,
      .hostImageCopy = false,
      .pushDescriptor = false,

      /* VK_EXT_4444_formats */
      .formatA4R4G4B4 = false,
      .formatA4B4G4R4 = false,

      /* VK_EXT_astc_decode_mode */
      .decodeModeSharedExponent = false,

      /* VK_EXT_attachment_feedback_loop_dynamic_state */
      .attachmentFeedbackLoopDynamicState = false,

      /* VK_EXT_attachment_feedback_loop_layout */
      .attachmentFeedbackLoopLayout = false,

      /* VK_EXT_blend_operation_advanced */
      .advancedBlendCoherentOperations = false,

      /* VK_EXT_border_color_swizzle */
      .borderColorSwizzle = false,
      .borderColorSwizzleFromImage = false,

      /* VK_EXT_color_write_enable */
      .colorWriteEnable = false,

      /* VK_EXT_conditional_rendering */
      .conditionalRendering = false,
      .inheritedConditionalRendering = false,

      /* VK_EXT_custom_border_color */
      .customBorderColors = false,
      .customBorderColorWithoutFormat = false,

      /* VK_EXT_depth_bias_control */
      .depthBiasControl = false,
      .leastRepresentableValueForceUnormRepresentation = false,
      .floatRepresentation = false,
      .depthBiasExact = false,

      /* VK_EXT_depth_clamp_control */
      .depthClampControl = false,

      /* VK_EXT_depth_clamp_zero_one */
      .depthClampZeroOne = false,

      /* VK_EXT_depth_clip_control */
      .depthClipControl = false,

      /* VK_EXT_depth_clip_enable */
      .depthClipEnable = false,

      /* VK_EXT_descriptor_buffer */
      .descriptorBuffer = false,
      .descriptorBufferCaptureReplay = false,
      .descriptorBufferImageLayoutIgnored = false,
      .descriptorBufferPushDescriptors = false,

      /* VK_EXT_device_address_binding_report */
      .reportAddressBinding = false,

      /* VK_EXT_device_memory_report */
      .deviceMemoryReport = false,

      /* VK_EXT_dynamic_rendering_unused_attachments */
      .dynamicRenderingUnusedAttachments = false,

      /* VK_EXT_extended_dynamic_state */
      .extendedDynamicState = false,

      /* VK_EXT_extended_dynamic_state2 */
      .extendedDynamicState2 = false,
      .extendedDynamicState2LogicOp = false,
      .extendedDynamicState2PatchControlPoints = false,

      /* VK_EXT_extended_dynamic_state3 */
      .extendedDynamicState3TessellationDomainOrigin = false,
      .extendedDynamicState3DepthClampEnable = false,
      .extendedDynamicState3PolygonMode = false,
      .extendedDynamicState3RasterizationSamples = false,
      .extendedDynamicState3SampleMask = false,
      .extendedDynamicState3AlphaToCoverageEnable = false,
      .extendedDynamicState3AlphaToOneEnable = false,
      .extendedDynamicState3LogicOpEnable = false,
      .extendedDynamicState3ColorBlendEnable = false,
      .extendedDynamicState3ColorBlendEquation = false,
      .extendedDynamicState3ColorWriteMask = false,
      .extendedDynamicState3RasterizationStream = false,
      .extendedDynamicState3ConservativeRasterizationMode = false,
      .extendedDynamicState3ExtraPrimitiveOverestimationSize = false,
      .extendedDynamicState3DepthClipEnable = false,
      .extendedDynamicState3SampleLocationsEnable = false,
      .extendedDynamicState3ColorBlendAdvanced = false,
      .extendedDynamicState3ProvokingVertexMode = false,
      .extendedDynamicState3LineRasterizationMode = false,
      .extendedDynamicState3LineStippleEnable = false,
      .extendedDynamicState3DepthClipNegativeOneToOne = false,
      .extendedDynamicState3ViewportWScalingEnable = false,
      .extendedDynamicState3ViewportSwizzle = false,
      .extendedDynamicState3CoverageToColorEnable = false,
      .extendedDynamicState3CoverageToColorLocation = false,
      .extendedDynamicState3CoverageModulationMode = false,
      .extendedDynamicState3CoverageModulationTableEnable = false,
      .extendedDynamicState3CoverageModulationTable = false,
      .extendedDynamicState3CoverageReductionMode = false,
      .extendedDynamicState3RepresentativeFragmentTestEnable = false,
      .extendedDynamicState3ShadingRateImageEnable = false,

      /* VK_EXT_fragment_shader_interlock */
      .fragmentShaderSampleInterlock = false,
      .fragmentShaderPixelInterlock = false,
      .fragmentShaderShadingRateInterlock = false,

      /* VK_EXT_graphics_pipeline_library */
      .graphicsPipelineLibrary = false,

      /* VK_EXT_image_2d_view_of_3d */
      .image2DViewOf3D = false,
      .sampler2DViewOf3D = false,

      /* VK_EXT_image_sliced_view_of_3d */
      .imageSlicedViewOf3D = false,

      /* VK_EXT_image_view_min_lod */
      .minLod = false,

      /* VK_EXT_legacy_dithering */
      .legacyDithering = false,

      /* VK_EXT_legacy_vertex_attributes */
      .legacyVertexAttributes = false,

      /* VK_EXT_map_memory_placed */
      .memoryMapPlaced = false,
      .memoryMapRangePlaced = false,
      .memoryUnmapReserve = false,

      /* VK_EXT_memory_priority */
      .memoryPriority = false,

      /* VK_EXT_multi_draw */
      .multiDraw = false,

      /* VK_EXT_multisampled_render_to_single_sampled */
      .multisampledRenderToSingleSampled = false,

      /* VK_EXT_mutable_descriptor_type */
      .mutableDescriptorType = false,

      /* VK_EXT_nested_command_buffer */
      .nestedCommandBuffer = false,
      .nestedCommandBufferRendering = false,
      .nestedCommandBufferSimultaneousUse = false,

      /* VK_EXT_non_seamless_cube_map */
      .nonSeamlessCubeMap = false,

      /* VK_EXT_pageable_device_local_memory */
      .pageableDeviceLocalMemory = false,

      /* VK_EXT_pipeline_library_group_handles */
      .pipelineLibraryGroupHandles = false,

      /* VK_EXT_pipeline_properties */
      .pipelinePropertiesIdentifier = false,

      /* VK_EXT_primitive_topology_list_restart */
      .primitiveTopologyListRestart = false,
      .primitiveTopologyPatchListRestart = false,

      /* VK_EXT_primitives_generated_query */
      .primitivesGeneratedQuery = false,
      .primitivesGeneratedQueryWithRasterizerDiscard = false,
      .primitivesGeneratedQueryWithNonZeroStreams = false,

      /* VK_EXT_provoking_vertex */
      .provokingVertexLast = false,
      .transformFeedbackPreservesProvokingVertex = false,

      /* VK_EXT_rasterization_order_attachment_access */
      .rasterizationOrderColorAttachmentAccess = false,
      .rasterizationOrderDepthAttachmentAccess = false,
      .rasterizationOrderStencilAttachmentAccess = false,

      /* VK_EXT_rgba10x6_formats */
      .formatRgba10x6WithoutYCbCrSampler = false,

      /* VK_EXT_robustness2 */
      .robustBufferAccess2 = false,
      .robustImageAccess2 = false,
      .nullDescriptor = false,

      /* VK_EXT_shader_atomic_float */
      .shaderBufferFloat32Atomics = false,
      .shaderBufferFloat32AtomicAdd = false,
      .shaderBufferFloat64Atomics = false,
      .shaderBufferFloat64AtomicAdd = false,
      .shaderSharedFloat32Atomics = false,
      .shaderSharedFloat32AtomicAdd = false,
      .shaderSharedFloat64Atomics = false,
      .shaderSharedFloat64AtomicAdd = false,
      .shaderImageFloat32Atomics = false,
      .shaderImageFloat32AtomicAdd = false,
      .sparseImageFloat32Atomics = false,
      .sparseImageFloat32AtomicAdd = false,

      /* VK_EXT_shader_atomic_float2 */
      .shaderBufferFloat16Atomics = false,
      .shaderBufferFloat16AtomicAdd = false,
      .shaderBufferFloat16AtomicMinMax = false,
      .shaderBufferFloat32AtomicMinMax = false,
      .shaderBufferFloat64AtomicMinMax = false,
      .shaderSharedFloat16Atomics = false,
      .shaderSharedFloat16AtomicAdd = false,
      .shaderSharedFloat16AtomicMinMax = false,
      .shaderSharedFloat32AtomicMinMax = false,
      .shaderSharedFloat64AtomicMinMax = false,
      .shaderImageFloat32AtomicMinMax = false,
      .sparseImageFloat32AtomicMinMax = false,

      /* VK_EXT_shader_image_atomic_int64 */
      .shaderImageInt64Atomics = false,
      .sparseImageInt64Atomics = false,

      /* VK_EXT_shader_module_identifier */
      .shaderModuleIdentifier = false,

      /* VK_EXT_shader_object */
      .shaderObject = false,

      /* VK_EXT_shader_replicated_composites */
      .shaderReplicatedComposites = false,

      /* VK_EXT_shader_tile_image */
      .shaderTileImageColorReadAccess = false,
      .shaderTileImageDepthReadAccess = false,
      .shaderTileImageStencilReadAccess = false,

      /* VK_EXT_subpass_merge_feedback */
      .subpassMergeFeedback = false,

      /* VK_EXT_texel_buffer_alignment */
      .texelBufferAlignment = false,

      /* VK_EXT_transform_feedback */
      .transformFeedback = false,
      .geometryStreams = false,

      /* VK_EXT_vertex_attribute_robustness */
      .vertexAttributeRobustness = false,

      /* VK_EXT_vertex_input_dynamic_state */
      .vertexInputDynamicState = false,

      /* VK_EXT_ycbcr_2plane_444_formats */
      .ycbcr2plane444Formats = false,

      /* VK_EXT_ycbcr_image_arrays */
      .ycbcrImageArrays = false,

      /* VK_KHR_compute_shader_derivatives */
      .computeDerivativeGroupQuads = false,
      .computeDerivativeGroupLinear = false,

      /* VK_KHR_fragment_shader_barycentric */
      .fragmentShaderBarycentric = false,

      /* VK_KHR_fragment_shading_rate */
      .pipelineFragmentShadingRate = false,
      .primitiveFragmentShadingRate = false,
      .attachmentFragmentShadingRate = false,

      /* VK_KHR_maintenance7 */
      .maintenance7 = false,

      /* VK_KHR_maintenance8 */
      .maintenance8 = false,

      /* VK_KHR_performance_query */
      .performanceCounterQueryPools = false,
      .performanceCounterMultipleQueryPools = false,

      /* VK_KHR_pipeline_executable_properties */
      .pipelineExecutableInfo = false,

      /* VK_KHR_shader_clock */
      .shaderSubgroupClock = false,
      .shaderDeviceClock = false,

      /* VK_KHR_shader_maximal_reconvergence */
      .shaderMaximalReconvergence = false,

      /* VK_KHR_shader_quad_control */
      .shaderQuadControl = false,

      /* VK_KHR_shader_relaxed_extended_instruction */
      .shaderRelaxedExtendedInstruction = false,

      /* VK_KHR_shader_subgroup_uniform_control_flow */
      .shaderSubgroupUniformControlFlow = false,

      /* VK_KHR_workgroup_memory_explicit_layout */
      .workgroupMemoryExplicitLayout = false,
      .workgroupMemoryExplicitLayoutScalarBlockLayout = false,
      .workgroupMemoryExplicitLayout8BitAccess = false,
      .workgroupMemoryExplicitLayout16BitAccess = false,
   };
}
