/* SPDX-License-Identifier: MIT
 * Sampling, fetching, gathering, storage image access: what compiled shaders call through abi_helpers.
 * Spec: Image Operations. Threads: all functions are thread-safe. */
#pragma once

#include "abi/shader.h"

void rt_texture_call(const struct abi_tex_call *call);
void rt_image_access_call(const struct abi_image_call *call);
void rt_texels_call(const struct abi_texel_call *call);

#define RT_MAX_LOD_BIAS 16.0f /* limits.maxSamplerLodBias */
#define RT_ETA_SLACK 0.0625f /* for so much of eta there is no sample more: edges of a square differ by rounding, and two samples cost twice as much as one */

/* Sets `class`, `paths` and what else the runtime asks for, by everything else, and limits `lod_bias`. */
void rt_sampler_finish(struct abi_sampler *sampler);
