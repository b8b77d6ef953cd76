/* SPDX-License-Identifier: MIT
 * Extensions: the ones we offer, each listed once it works. */
#include "icd/device/extensions.h"

#include "gen/icd_spirv.h"
#include "util/macros.h"

#include <pthread.h>
#include <stdio.h>

static const enum icd_extension instance_list[] = {
   ICD_EXT_KHR_device_group_creation,
   ICD_EXT_KHR_external_fence_capabilities,
   ICD_EXT_KHR_external_memory_capabilities,
   ICD_EXT_KHR_external_semaphore_capabilities,
   ICD_EXT_KHR_get_physical_device_properties2,
   ICD_EXT_EXT_debug_report,
   ICD_EXT_EXT_debug_utils,
   ICD_EXT_EXT_headless_surface,
   ICD_EXT_EXT_surface_maintenance1,
   ICD_EXT_EXT_swapchain_colorspace,
   ICD_EXT_GOOGLE_surfaceless_query,
   ICD_EXT_KHR_display,
   ICD_EXT_KHR_get_display_properties2,
   ICD_EXT_KHR_get_surface_capabilities2,
   ICD_EXT_KHR_surface,
   ICD_EXT_KHR_surface_protected_capabilities,
#ifdef VK_KHR_surface_maintenance1
   ICD_EXT_KHR_surface_maintenance1,
#endif
#ifdef WSI_HAS_WAYLAND
   ICD_EXT_KHR_wayland_surface,
#endif
#ifdef WSI_HAS_XCB
   ICD_EXT_KHR_xcb_surface,
#endif
#ifdef WSI_HAS_XLIB
   ICD_EXT_KHR_xlib_surface,
#endif
};

static const enum icd_extension device_list[] = {
   ICD_EXT_KHR_16bit_storage,
   ICD_EXT_KHR_8bit_storage,
   ICD_EXT_KHR_acceleration_structure,
   ICD_EXT_KHR_bind_memory2,
   ICD_EXT_KHR_buffer_device_address,
   ICD_EXT_KHR_calibrated_timestamps,
   ICD_EXT_KHR_compute_shader_derivatives,
   ICD_EXT_KHR_cooperative_matrix,
   ICD_EXT_KHR_copy_commands2,
   ICD_EXT_KHR_create_renderpass2,
   ICD_EXT_KHR_dedicated_allocation,
   ICD_EXT_KHR_deferred_host_operations,
   ICD_EXT_KHR_depth_clamp_zero_one,
   ICD_EXT_KHR_depth_stencil_resolve,
   ICD_EXT_KHR_descriptor_update_template,
   ICD_EXT_KHR_device_group,
   ICD_EXT_KHR_draw_indirect_count,
   ICD_EXT_KHR_driver_properties,
   ICD_EXT_KHR_dynamic_rendering,
   ICD_EXT_KHR_dynamic_rendering_local_read,
   ICD_EXT_KHR_external_fence,
   ICD_EXT_KHR_external_fence_fd,
   ICD_EXT_KHR_external_memory,
   ICD_EXT_KHR_external_memory_fd,
   ICD_EXT_KHR_external_semaphore,
   ICD_EXT_KHR_external_semaphore_fd,
   ICD_EXT_KHR_format_feature_flags2,
   ICD_EXT_KHR_get_memory_requirements2,
   ICD_EXT_KHR_fragment_shader_barycentric,
   ICD_EXT_KHR_fragment_shading_rate,
   ICD_EXT_KHR_global_priority,
   ICD_EXT_KHR_image_format_list,
   ICD_EXT_KHR_imageless_framebuffer,
   ICD_EXT_KHR_incremental_present,
   ICD_EXT_KHR_index_type_uint8,
   ICD_EXT_KHR_line_rasterization,
   ICD_EXT_KHR_load_store_op_none,
   ICD_EXT_KHR_maintenance1,
   ICD_EXT_KHR_maintenance2,
   ICD_EXT_KHR_maintenance3,
   ICD_EXT_KHR_maintenance4,
   ICD_EXT_KHR_maintenance5,
   ICD_EXT_KHR_maintenance6,
   ICD_EXT_KHR_maintenance7,
   ICD_EXT_KHR_maintenance8,
   ICD_EXT_KHR_map_memory2,
   ICD_EXT_KHR_multiview,
   ICD_EXT_KHR_pipeline_binary,
   ICD_EXT_KHR_pipeline_executable_properties,
   ICD_EXT_KHR_pipeline_library,
   ICD_EXT_KHR_present_id,
   ICD_EXT_KHR_present_wait,
   ICD_EXT_KHR_push_descriptor,
   ICD_EXT_KHR_ray_query,
   ICD_EXT_KHR_ray_tracing_maintenance1,
   ICD_EXT_KHR_ray_tracing_pipeline,
   ICD_EXT_KHR_ray_tracing_position_fetch,
   ICD_EXT_KHR_relaxed_block_layout,
   ICD_EXT_KHR_sampler_mirror_clamp_to_edge,
   ICD_EXT_KHR_sampler_ycbcr_conversion,
   ICD_EXT_KHR_separate_depth_stencil_layouts,
   ICD_EXT_KHR_shader_atomic_int64,
   ICD_EXT_KHR_shader_clock,
   ICD_EXT_KHR_shader_draw_parameters,
   ICD_EXT_KHR_shader_expect_assume,
   ICD_EXT_KHR_shader_float16_int8,
   ICD_EXT_KHR_shader_float_controls,
   ICD_EXT_KHR_shader_float_controls2,
   ICD_EXT_KHR_shader_integer_dot_product,
   ICD_EXT_KHR_shader_maximal_reconvergence,
   ICD_EXT_KHR_shader_non_semantic_info,
   ICD_EXT_KHR_shader_quad_control,
   ICD_EXT_KHR_shader_relaxed_extended_instruction,
   ICD_EXT_KHR_shader_subgroup_extended_types,
   ICD_EXT_KHR_shader_subgroup_rotate,
   ICD_EXT_KHR_shader_subgroup_uniform_control_flow,
   ICD_EXT_KHR_shader_terminate_invocation,
   ICD_EXT_KHR_spirv_1_4,
   ICD_EXT_KHR_storage_buffer_storage_class,
   ICD_EXT_KHR_shared_presentable_image,
   ICD_EXT_KHR_swapchain,
   ICD_EXT_KHR_swapchain_mutable_format,
   ICD_EXT_KHR_synchronization2,
   ICD_EXT_KHR_timeline_semaphore,
   ICD_EXT_KHR_uniform_buffer_standard_layout,
   ICD_EXT_KHR_variable_pointers,
   ICD_EXT_KHR_vertex_attribute_divisor,
   ICD_EXT_KHR_vulkan_memory_model,
   ICD_EXT_KHR_workgroup_memory_explicit_layout,
   ICD_EXT_KHR_zero_initialize_workgroup_memory,
   ICD_EXT_EXT_4444_formats,
   ICD_EXT_EXT_attachment_feedback_loop_dynamic_state,
   ICD_EXT_EXT_attachment_feedback_loop_layout,
   ICD_EXT_EXT_blend_operation_advanced,
   ICD_EXT_EXT_border_color_swizzle,
   ICD_EXT_EXT_calibrated_timestamps,
   ICD_EXT_EXT_color_write_enable,
   ICD_EXT_EXT_astc_decode_mode,
   ICD_EXT_EXT_conditional_rendering,
   ICD_EXT_EXT_conservative_rasterization,
   ICD_EXT_EXT_custom_border_color,
   ICD_EXT_EXT_debug_marker,
   ICD_EXT_EXT_depth_bias_control,
   ICD_EXT_EXT_depth_clamp_control,
   ICD_EXT_EXT_depth_clamp_zero_one,
   ICD_EXT_EXT_depth_clip_control,
   ICD_EXT_EXT_depth_clip_enable,
   ICD_EXT_EXT_depth_range_unrestricted,
   ICD_EXT_EXT_descriptor_buffer,
   ICD_EXT_EXT_descriptor_indexing,
   ICD_EXT_EXT_device_address_binding_report,
   ICD_EXT_EXT_device_fault,
   ICD_EXT_EXT_discard_rectangles,
   ICD_EXT_EXT_fragment_density_map,
   ICD_EXT_EXT_fragment_density_map2,
   ICD_EXT_EXT_device_generated_commands,
   ICD_EXT_EXT_device_memory_report,
   ICD_EXT_EXT_dynamic_rendering_unused_attachments,
   ICD_EXT_EXT_extended_dynamic_state,
   ICD_EXT_EXT_extended_dynamic_state2,
   ICD_EXT_EXT_extended_dynamic_state3,
   ICD_EXT_EXT_external_memory_acquire_unmodified, /* nothing is done that knowledge of that would save */
   ICD_EXT_EXT_external_memory_dma_buf,
   ICD_EXT_EXT_external_memory_host,
   ICD_EXT_EXT_filter_cubic,
   ICD_EXT_EXT_fragment_shader_interlock,
   ICD_EXT_EXT_frame_boundary,
   ICD_EXT_EXT_global_priority,
   ICD_EXT_EXT_global_priority_query,
   ICD_EXT_EXT_graphics_pipeline_library,
   ICD_EXT_EXT_hdr_metadata,
   ICD_EXT_EXT_host_image_copy,
   ICD_EXT_EXT_host_query_reset,
   ICD_EXT_EXT_image_2d_view_of_3d,
   ICD_EXT_EXT_image_compression_control,
   ICD_EXT_EXT_image_drm_format_modifier,
   ICD_EXT_EXT_image_robustness,
   ICD_EXT_EXT_image_sliced_view_of_3d,
   ICD_EXT_EXT_image_view_min_lod,
   ICD_EXT_EXT_index_type_uint8,
   ICD_EXT_EXT_inline_uniform_block,
   ICD_EXT_EXT_legacy_dithering,
   ICD_EXT_EXT_legacy_vertex_attributes,
   ICD_EXT_EXT_line_rasterization,
   ICD_EXT_EXT_load_store_op_none,
   ICD_EXT_EXT_map_memory_placed,
   ICD_EXT_EXT_memory_budget,
   ICD_EXT_EXT_memory_priority,
   ICD_EXT_EXT_mesh_shader,
   ICD_EXT_EXT_multi_draw,
   ICD_EXT_EXT_multisampled_render_to_single_sampled,
   ICD_EXT_EXT_mutable_descriptor_type,
   ICD_EXT_EXT_nested_command_buffer,
   ICD_EXT_EXT_non_seamless_cube_map,
   ICD_EXT_EXT_opacity_micromap,
   ICD_EXT_EXT_pageable_device_local_memory,
   ICD_EXT_EXT_pipeline_creation_cache_control,
   ICD_EXT_EXT_pipeline_creation_feedback,
   ICD_EXT_EXT_pipeline_library_group_handles,
   ICD_EXT_EXT_pipeline_properties,
   ICD_EXT_EXT_pipeline_protected_access,
   ICD_EXT_EXT_pipeline_robustness,
   ICD_EXT_EXT_post_depth_coverage,
   ICD_EXT_EXT_present_mode_fifo_latest_ready,
   ICD_EXT_EXT_primitive_topology_list_restart,
   ICD_EXT_EXT_primitives_generated_query,
   ICD_EXT_EXT_private_data,
   ICD_EXT_EXT_provoking_vertex,
   ICD_EXT_EXT_queue_family_foreign,
   ICD_EXT_EXT_rasterization_order_attachment_access,
   ICD_EXT_EXT_rgba10x6_formats,
   ICD_EXT_EXT_robustness2,
   ICD_EXT_EXT_sample_locations,
   ICD_EXT_EXT_sampler_filter_minmax,
   ICD_EXT_EXT_scalar_block_layout,
   ICD_EXT_EXT_separate_stencil_usage,
   ICD_EXT_EXT_shader_atomic_float,
   ICD_EXT_EXT_shader_atomic_float2,
   ICD_EXT_EXT_shader_demote_to_helper_invocation,
   ICD_EXT_EXT_shader_image_atomic_int64,
   ICD_EXT_EXT_shader_module_identifier,
   ICD_EXT_EXT_shader_object,
   ICD_EXT_EXT_shader_replicated_composites,
   ICD_EXT_EXT_shader_stencil_export,
   ICD_EXT_EXT_shader_subgroup_ballot,
   ICD_EXT_EXT_shader_subgroup_vote,
   ICD_EXT_EXT_shader_tile_image,
   ICD_EXT_EXT_shader_viewport_index_layer,
   ICD_EXT_EXT_subgroup_size_control,
   ICD_EXT_EXT_swapchain_maintenance1,
   ICD_EXT_EXT_texel_buffer_alignment,
   ICD_EXT_EXT_texture_compression_astc_hdr,
   ICD_EXT_EXT_tooling_info,
   ICD_EXT_EXT_transform_feedback,
   ICD_EXT_EXT_validation_cache,
   ICD_EXT_EXT_vertex_attribute_divisor,
   ICD_EXT_EXT_vertex_attribute_robustness,
   ICD_EXT_EXT_vertex_input_dynamic_state,
   ICD_EXT_EXT_ycbcr_2plane_444_formats,
   ICD_EXT_EXT_ycbcr_image_arrays,
   ICD_EXT_AMD_buffer_marker,
   ICD_EXT_AMD_draw_indirect_count,
   ICD_EXT_AMD_gcn_shader,
   ICD_EXT_AMD_gpu_shader_half_float,
   ICD_EXT_AMD_gpu_shader_int16,
   ICD_EXT_AMD_rasterization_order, /* relaxed is strict here */
   ICD_EXT_AMD_shader_early_and_late_fragment_tests,
   ICD_EXT_AMD_shader_fragment_mask,
   ICD_EXT_AMD_shader_image_load_store_lod,
   ICD_EXT_AMD_shader_trinary_minmax,
   ICD_EXT_ARM_rasterization_order_attachment_access,
   ICD_EXT_GOOGLE_decorate_string,
   ICD_EXT_GOOGLE_display_timing,
   ICD_EXT_GOOGLE_hlsl_functionality1,
   ICD_EXT_GOOGLE_user_type,
   ICD_EXT_IMG_filter_cubic,
   ICD_EXT_INTEL_shader_integer_functions2,
   ICD_EXT_MESA_image_alignment_control, /* no image asks for more than what may be asked for */
   ICD_EXT_NV_compute_shader_derivatives,
   ICD_EXT_NV_cooperative_matrix2,
   ICD_EXT_NV_cooperative_vector,
   ICD_EXT_NV_fragment_shader_barycentric,
   ICD_EXT_NV_raw_access_chains,
   ICD_EXT_NV_shader_atomic_float16_vector,
   ICD_EXT_NV_shader_subgroup_partitioned,
   ICD_EXT_QCOM_image_processing,
   ICD_EXT_QCOM_render_pass_store_ops,
   ICD_EXT_VALVE_mutable_descriptor_type,

   /* These came after the oldest headers that we build with. */
#ifdef VK_KHR_copy_memory_indirect
   ICD_EXT_KHR_copy_memory_indirect,
#endif
#ifdef VK_KHR_device_address_commands
   ICD_EXT_KHR_device_address_commands,
#endif
#ifdef VK_KHR_internally_synchronized_queues
   ICD_EXT_KHR_internally_synchronized_queues,
#endif
#ifdef VK_KHR_maintenance9
   ICD_EXT_KHR_maintenance9,
#endif
#ifdef VK_KHR_maintenance10
   ICD_EXT_KHR_maintenance10,
#endif
#ifdef VK_KHR_maintenance11
   ICD_EXT_KHR_maintenance11,
#endif
#ifdef VK_KHR_pipeline_library_group_handles
   ICD_EXT_KHR_pipeline_library_group_handles,
#endif
#ifdef VK_KHR_present_id2
   ICD_EXT_KHR_present_id2,
#endif
#ifdef VK_KHR_present_wait2
   ICD_EXT_KHR_present_wait2,
#endif
#ifdef VK_KHR_present_mode_fifo_latest_ready
   ICD_EXT_KHR_present_mode_fifo_latest_ready,
#endif
#ifdef VK_KHR_robustness2
   ICD_EXT_KHR_robustness2,
#endif
#ifdef VK_KHR_shader_untyped_pointers
   ICD_EXT_KHR_shader_untyped_pointers,
#endif
#ifdef VK_KHR_device_fault
   ICD_EXT_KHR_device_fault,
#endif
#ifdef ICD_SPIRV_HAS_AMDX_shader_enqueue
   ICD_EXT_AMDX_shader_enqueue,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_abort
   ICD_EXT_KHR_shader_abort,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_bfloat16
   ICD_EXT_KHR_shader_bfloat16,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_constant_data
   ICD_EXT_KHR_shader_constant_data,
#endif
#ifdef ICD_SPIRV_HAS_KHR_shader_fma
   ICD_EXT_KHR_shader_fma,
#endif
#ifdef VK_KHR_swapchain_maintenance1
   ICD_EXT_KHR_swapchain_maintenance1,
#endif
#ifdef VK_KHR_unified_image_layouts
   ICD_EXT_KHR_unified_image_layouts,
#endif
#ifdef ICD_SPIRV_HAS_EXT_descriptor_heap
   ICD_EXT_EXT_descriptor_heap,
#endif
#ifdef VK_EXT_multisampled_render_to_swapchain
   ICD_EXT_EXT_multisampled_render_to_swapchain,
#endif
#ifdef VK_EXT_texture_compression_astc_3d
   ICD_EXT_EXT_texture_compression_astc_3d,
#endif
#ifdef VK_EXT_primitive_restart_index
   ICD_EXT_EXT_primitive_restart_index,
#endif
#ifdef ICD_SPIRV_HAS_EXT_ray_tracing_invocation_reorder
   ICD_EXT_EXT_ray_tracing_invocation_reorder,
   ICD_EXT_NV_ray_tracing_invocation_reorder,
#endif
#ifdef ICD_SPIRV_HAS_NV_ray_tracing_linear_swept_spheres
   ICD_EXT_NV_ray_tracing_linear_swept_spheres,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_64bit_indexing
   ICD_EXT_EXT_shader_64bit_indexing,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_float8
   ICD_EXT_EXT_shader_float8,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_long_vector
   ICD_EXT_EXT_shader_long_vector,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_ocp_microscaling_types
   ICD_EXT_EXT_shader_ocp_microscaling_types,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_split_barrier
   ICD_EXT_EXT_shader_split_barrier,
#endif
#ifdef ICD_SPIRV_HAS_EXT_shader_subgroup_partitioned
   ICD_EXT_EXT_shader_subgroup_partitioned,
#endif
#ifdef VK_EXT_shader_uniform_buffer_unsized_array
   ICD_EXT_EXT_shader_uniform_buffer_unsized_array,
#endif
#ifdef VK_EXT_fragment_density_map_offset
   ICD_EXT_EXT_fragment_density_map_offset,
   ICD_EXT_QCOM_fragment_density_map_offset,
#endif
#ifdef VK_VALVE_fragment_density_map_layered
   ICD_EXT_VALVE_fragment_density_map_layered,
#endif
#ifdef VK_EXT_present_timing
   ICD_EXT_EXT_present_timing,
#endif
#ifdef VK_KHR_extended_flags
   ICD_EXT_KHR_extended_flags,
#endif
#ifdef VK_EXT_memory_decompression
   ICD_EXT_EXT_memory_decompression,
   ICD_EXT_NV_memory_decompression,
#endif
#ifdef VK_EXT_custom_resolve
   ICD_EXT_EXT_custom_resolve,
   ICD_EXT_QCOM_render_pass_shader_resolve,
#endif
#ifdef VK_EXT_zero_initialize_device_memory
   ICD_EXT_EXT_zero_initialize_device_memory,
#endif
#ifdef ICD_SPIRV_HAS_VALVE_shader_mixed_float_dot_product
   ICD_EXT_VALVE_shader_mixed_float_dot_product,
#endif
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct icd_extension_set instance_set, device_set; /* written in `once` only */

static void make_sets(void)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(instance_list); i++)
      icd_add_extension(&instance_set, instance_list[i]);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(device_list); i++)
      icd_add_extension(&device_set, device_list[i]);
}

const struct icd_extension_set *icd_instance_extensions(void)
{
   pthread_once(&once, make_sets);
   return &instance_set;
}

const struct icd_extension_set *icd_device_extensions(void)
{
   pthread_once(&once, make_sets);
   return &device_set;
}

VkResult icd_enable_extensions(const struct icd_extension_set *offered, uint32_t count, const char *const *names,
                               struct icd_extension_set *enabled)
{
   for (uint32_t i = 0; i < count; i++) {
      const enum icd_extension id = icd_extension_find(names[i]);
      if (id == ICD_NUM_EXTENSIONS || !icd_has_extension(offered, id))
         return VK_ERROR_EXTENSION_NOT_PRESENT;
      icd_add_extension(enabled, id);
   }
   return VK_SUCCESS;
}

VkResult icd_enumerate_extensions(const struct icd_extension_set *offered, uint32_t *count,
                                  VkExtensionProperties *properties)
{
   const uint32_t room = properties ? *count : 0;
   uint32_t total = 0;
   for (int id = 0; id < ICD_NUM_EXTENSIONS; id++) {
      if (!icd_has_extension(offered, (enum icd_extension)id))
         continue;
      if (total < room) {
         snprintf(properties[total].extensionName, VK_MAX_EXTENSION_NAME_SIZE, "%s",
                  icd_extension_name((enum icd_extension)id));
         properties[total].specVersion = icd_extension_infos[id].spec_version;
      }
      total++;
   }
   *count = properties ? UTIL_MIN(room, total) : total;
   return properties && room < total ? VK_INCOMPLETE : VK_SUCCESS;
}
