/* SPDX-License-Identifier: MIT
 * The renderer's files are compiled once for the baseline instruction set and again for each level of enum
 * util_cpu_level that has wider vectors, then with RT_LEVEL set to the level; their public names get a suffix here, so
 * that the builds stand side by side in one library. All give the same bits: only exact IEEE operations, no
 * contraction. render/render.c chooses the table of entry points by util_cpu_level(). */
#pragma once

#ifdef RT_LEVEL
#define RT_LEVEL_PASTE(name, level) name##_v##level
#define RT_LEVEL_EXPAND(name, level) RT_LEVEL_PASTE(name, level)
#define RT_LEVEL_NAME(name) RT_LEVEL_EXPAND(name, RT_LEVEL)

#define rt_level_ops RT_LEVEL_NAME(rt_level_ops)
#define rt_context_init RT_LEVEL_NAME(rt_context_init)
#define rt_viewports_count RT_LEVEL_NAME(rt_viewports_count)
#define rt_assemble RT_LEVEL_NAME(rt_assemble)
#define rt_topology_prims RT_LEVEL_NAME(rt_topology_prims)
#define rt_topology_vertices RT_LEVEL_NAME(rt_topology_vertices)
#define rt_segments_find RT_LEVEL_NAME(rt_segments_find)
#define rt_index_fetch RT_LEVEL_NAME(rt_index_fetch)
#define rt_index_translate RT_LEVEL_NAME(rt_index_translate)
#define rt_topology_adjacent RT_LEVEL_NAME(rt_topology_adjacent)
#define rt_find_turns RT_LEVEL_NAME(rt_find_turns)
#define rt_gather RT_LEVEL_NAME(rt_gather)
#define rt_fetch_init RT_LEVEL_NAME(rt_fetch_init)
#define rt_fetch_vertices RT_LEVEL_NAME(rt_fetch_vertices)
#define rt_shade_vertices RT_LEVEL_NAME(rt_shade_vertices)
#define rt_finish_vertices RT_LEVEL_NAME(rt_finish_vertices)
#define rt_emit_packet RT_LEVEL_NAME(rt_emit_packet)
#define rt_chain_layout RT_LEVEL_NAME(rt_chain_layout)
#define rt_chain_next RT_LEVEL_NAME(rt_chain_next)
#define rt_draw_prims RT_LEVEL_NAME(rt_draw_prims)
#define rt_tessellation_measure RT_LEVEL_NAME(rt_tessellation_measure)
#define rt_tessellation_run RT_LEVEL_NAME(rt_tessellation_run)
#define rt_tess_cache_bytes RT_LEVEL_NAME(rt_tess_cache_bytes)
#define rt_tess_find_levels RT_LEVEL_NAME(rt_tess_find_levels)
#define rt_tess_find RT_LEVEL_NAME(rt_tess_find)
#define rt_tess_coords RT_LEVEL_NAME(rt_tess_coords)
#define rt_geometry_measure RT_LEVEL_NAME(rt_geometry_measure)
#define rt_mesh_shared_bytes RT_LEVEL_NAME(rt_mesh_shared_bytes)
#define rt_mesh_run RT_LEVEL_NAME(rt_mesh_run)
#define rt_xfb_capture RT_LEVEL_NAME(rt_xfb_capture)
#define rt_xfb_capture_prim RT_LEVEL_NAME(rt_xfb_capture_prim)
#define rt_geometry_run RT_LEVEL_NAME(rt_geometry_run)
#define rt_chain_measure RT_LEVEL_NAME(rt_chain_measure)
#define rt_chain_packet RT_LEVEL_NAME(rt_chain_packet)
#define rt_chain_begin RT_LEVEL_NAME(rt_chain_begin)
#define rt_vertex_load RT_LEVEL_NAME(rt_vertex_load)
#define rt_clip_triangle RT_LEVEL_NAME(rt_clip_triangle)
#define rt_clip_line RT_LEVEL_NAME(rt_clip_line)
#define rt_viewports_init RT_LEVEL_NAME(rt_viewports_init)
#define rt_cull_init RT_LEVEL_NAME(rt_cull_init)
#define rt_cull_triangles RT_LEVEL_NAME(rt_cull_triangles)
#define rt_index_run RT_LEVEL_NAME(rt_index_run)
#define rt_setup_triangle RT_LEVEL_NAME(rt_setup_triangle)
#define rt_setup_culled RT_LEVEL_NAME(rt_setup_culled)
#define rt_setup_line RT_LEVEL_NAME(rt_setup_line)
#define rt_setup_point RT_LEVEL_NAME(rt_setup_point)
#define rt_setup_prim RT_LEVEL_NAME(rt_setup_prim)
#define rt_setup_edges RT_LEVEL_NAME(rt_setup_edges)
#define rt_setup_add RT_LEVEL_NAME(rt_setup_add)
#define rt_chunk_run RT_LEVEL_NAME(rt_chunk_run)
#define rt_bin_prim RT_LEVEL_NAME(rt_bin_prim)
#define rt_bin_sort RT_LEVEL_NAME(rt_bin_sort)
#define rt_bin_finish RT_LEVEL_NAME(rt_bin_finish)
#define rt_sample_locations RT_LEVEL_NAME(rt_sample_locations)
#define rt_tile_run RT_LEVEL_NAME(rt_tile_run)
#define rt_surface_init RT_LEVEL_NAME(rt_surface_init)
#define rt_surface_init_local RT_LEVEL_NAME(rt_surface_init_local)
#define rt_surface_gather RT_LEVEL_NAME(rt_surface_gather)
#define rt_surface_scatter RT_LEVEL_NAME(rt_surface_scatter)
#define rt_blend_run RT_LEVEL_NAME(rt_blend_run)
#define rt_texels_init RT_LEVEL_NAME(rt_texels_init)

#define rt_raster_prim RT_LEVEL_NAME(rt_raster_prim)
#define rt_depth_stencil_test RT_LEVEL_NAME(rt_depth_stencil_test)
#define rt_depth_choose_early RT_LEVEL_NAME(rt_depth_choose_early)
#define rt_depth_state_init RT_LEVEL_NAME(rt_depth_state_init)
#define rt_depth_pack RT_LEVEL_NAME(rt_depth_pack)
#define rt_stencil_test RT_LEVEL_NAME(rt_stencil_test)
#define rt_stencil_update RT_LEVEL_NAME(rt_stencil_update)
#define rt_hiz_init RT_LEVEL_NAME(rt_hiz_init)
#define rt_hiz_clear RT_LEVEL_NAME(rt_hiz_clear)
#define rt_hiz_update RT_LEVEL_NAME(rt_hiz_update)
#define rt_depth_clear_value RT_LEVEL_NAME(rt_depth_clear_value)
#define rt_depth_quantize RT_LEVEL_NAME(rt_depth_quantize)
#define rt_depth_range RT_LEVEL_NAME(rt_depth_range)
#define rt_fragment_add_region RT_LEVEL_NAME(rt_fragment_add_region)
#define rt_fragment_flush RT_LEVEL_NAME(rt_fragment_flush)
#define rt_fragment_add_samples RT_LEVEL_NAME(rt_fragment_add_samples)
#define rt_fragment_bind RT_LEVEL_NAME(rt_fragment_bind)
#define rt_coarse_add RT_LEVEL_NAME(rt_coarse_add)
#define rt_coarse_shade RT_LEVEL_NAME(rt_coarse_shade)
#define rt_rate_is_used RT_LEVEL_NAME(rt_rate_is_used)
#define rt_rate_clamp RT_LEVEL_NAME(rt_rate_clamp)
#define rt_rate_of_prim RT_LEVEL_NAME(rt_rate_of_prim)
#define rt_rate_of_block RT_LEVEL_NAME(rt_rate_of_block)
#define rt_output_init RT_LEVEL_NAME(rt_output_init)
#define rt_output_block RT_LEVEL_NAME(rt_output_block)
#define rt_merge_block RT_LEVEL_NAME(rt_merge_block)
#define rt_blend_block RT_LEVEL_NAME(rt_blend_block)
#define rt_advanced_run RT_LEVEL_NAME(rt_advanced_run)
#define rt_blend_texels RT_LEVEL_NAME(rt_blend_texels)
#define rt_blend_choose_run RT_LEVEL_NAME(rt_blend_choose_run)
#define rt_blend_routine RT_LEVEL_NAME(rt_blend_routine)
#define rt_logic_block RT_LEVEL_NAME(rt_logic_block)
#define rt_resolve_tile RT_LEVEL_NAME(rt_resolve_tile)
#define rt_clear_rect RT_LEVEL_NAME(rt_clear_rect)
#endif

struct rt_chunk;
struct rt_worker;
struct rt_target;
struct rt_tile_job;

/* What windows call. */
struct rt_level_ops {
   void (*chunk_run)(struct rt_chunk *chunk, struct rt_worker *worker);
   void (*tile_run)(const struct rt_tile_job *job, struct rt_worker *worker);
};
extern const struct rt_level_ops rt_level_ops;
