/* SPDX-License-Identifier: MIT
 * The functions that compiled shaders call, a row each. */
#include "runtime/helpers.h"

#include "runtime/accel/ray.h"
#include "runtime/instrument/instrument.h"
#include "runtime/instrument/races.h"
#include "runtime/instrument/texels.h"
#include "runtime/matrix/matrix.h"
#include "runtime/nodes/nodes.h"
#include "runtime/rays/rays.h"
#include "runtime/texture/texture.h"

const struct abi_helpers rt_helpers = {
   .tex = rt_texture_call,
   .image_access = rt_image_access_call,
   .tex_unwritten = rt_tex_unwritten,
   .image_unwritten = rt_image_unwritten,
   .texels = rt_texels_call,
   .ray_proceed = rt_ray_proceed,
   .ray_commit = rt_ray_commit,
   .ray_fetch = rt_ray_fetch,
   .trace_ray = rt_trace_ray,
   .trace_object = rt_trace_object,
   .execute_object = rt_execute_object,
   .call_shader = rt_call_shader,
   .report_hit = rt_report_hit,
   .multiply_matrices = rt_multiply_matrices,
   .transpose_matrix = rt_transpose_matrix,
   .node_call = rt_node_call,
   .probe = rt_probe,
   .follow_workgroup = rt_races_workgroup,
   .follow_access = rt_races_access,
   .follow_stride = rt_races_stride,
   .follow_barrier = rt_races_barrier,
};
