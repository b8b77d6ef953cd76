/* SPDX-License-Identifier: MIT
 * The builds of sampling: for the baseline, and on x86-64 for the levels of enum util_cpu_level with wider vectors. dispatch.c chooses, tests compare: all
 * give the same bits. */
#pragma once

#include "abi/shader.h"

/* util_cpu_has_fast_gathers(), read for each call; tests set it. The results are the same. */
extern bool rt_has_fast_gathers;

typedef void rt_tex_run_fn(const struct abi_tex_call *call);
typedef void rt_image_run_fn(const struct abi_image_call *call);
typedef void rt_texels_fn(const struct abi_texel_call *call);

rt_tex_run_fn rt_tex_run, rt_tex_run_v3, rt_tex_run_v4;
rt_image_run_fn rt_image_run, rt_image_run_v3, rt_image_run_v4;
rt_texels_fn rt_texels_load, rt_texels_load_v3, rt_texels_load_v4;
/* For every call, by loops over lanes: the reference of all the others. */
rt_tex_run_fn rt_tex_run_general, rt_tex_run_general_v3, rt_tex_run_general_v4;
rt_image_run_fn rt_image_run_general, rt_image_run_general_v3, rt_image_run_general_v4;
