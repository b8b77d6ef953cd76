/* SPDX-License-Identifier: MIT
 * What compiled shaders call: chooses the code for the processor's instruction set once, at load. */
#include "runtime/texture/texture.h"

#include "runtime/texture/levels.h"
#include "util/cpu.h"

bool rt_has_fast_gathers;

static rt_tex_run_fn *run = rt_tex_run;
static rt_image_run_fn *run_image = rt_image_run;
static rt_texels_fn *load_texels = rt_texels_load;

#ifdef __x86_64__
__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   rt_has_fast_gathers = util_cpu_has_fast_gathers();
   run = level >= UTIL_CPU_V4 ? rt_tex_run_v4 : level >= UTIL_CPU_V3 ? rt_tex_run_v3 : rt_tex_run;
   run_image = level >= UTIL_CPU_V4 ? rt_image_run_v4 : level >= UTIL_CPU_V3 ? rt_image_run_v3 : rt_image_run;
   load_texels = level >= UTIL_CPU_V4 ? rt_texels_load_v4 : level >= UTIL_CPU_V3 ? rt_texels_load_v3 : rt_texels_load;
}
#endif

void rt_texture_call(const struct abi_tex_call *call)
{
   run(call);
}

void rt_image_access_call(const struct abi_image_call *call)
{
   run_image(call);
}

void rt_texels_call(const struct abi_texel_call *call)
{
   load_texels(call);
}
