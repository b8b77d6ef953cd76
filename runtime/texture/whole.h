/* SPDX-License-Identifier: MIT
 * Filtered, compared and gathered texels of tiled 2D images that have an enum rt_layout, of whole vectors: what plain.c does, with the same arithmetic, where
 * nothing has to be found out about lanes but where they sample. */
#pragma once

#include "runtime/texture/fast.h"

/* What code there is for calls of a class, by the view's layout; NULL: none. It returns the lanes for which nothing was done: of four channels of 8 bits
 * those of vectors that are on several levels; all of other samplers. */
typedef uint32_t rt_whole_fn(const struct abi_tex_call *call);
extern rt_whole_fn *const rt_whole_fns[ABI_NUM_TEX_CLASSES][RT_NUM_LAYOUTS];

/* What is the same for all texels of a layout; constants of functions. */
struct rt_whole_layout {
   enum rt_texel texel;
   uint32_t log2; /* of a texel's bytes */
   const struct rt_format_info *info; /* channels, nothing else */
};

#define RT_WHOLE_NUMERIC(texel_class) (RT_TEXEL_##texel_class == RT_TEXEL_UNORM ? RT_UNORM : RT_TEXEL_##texel_class == RT_TEXEL_SRGB ? RT_SRGB : RT_SFLOAT)
#define X(name, texel_class, log2_bytes, r, g, b, a, r_at, g_at, b_at, a_at)                                           \
   static const struct rt_format_info rt_info_##name = {                                                               \
      .texel_bytes = 1 << log2_bytes,                                                                                  \
      .channels = {{r, r_at, RT_WHOLE_NUMERIC(texel_class)}, {g, g_at, RT_WHOLE_NUMERIC(texel_class)}, {b, b_at, RT_WHOLE_NUMERIC(texel_class)},         \
                   {a, a_at, RT_TEXEL_##texel_class == RT_TEXEL_SRGB ? RT_UNORM : RT_WHOLE_NUMERIC(texel_class)}}};     \
   static const struct rt_whole_layout rt_layout_##name = {RT_TEXEL_##texel_class, log2_bytes, &rt_info_##name};
RT_FETCHED_LAYOUTS(X)
#undef X

/* Of ABI_TEX_CLASS_CUBE: faces.c. */
#define RT_FACE_LAYOUTS(X) X(RGBA8) X(RGBA8_SRGB) X(BGRA8_SRGB) X(RGBA16F) X(RG11B10F)
#define X(name) rt_whole_fn rt_faces_##name;
RT_FACE_LAYOUTS(X)
#undef X

/* Four channels of 8 bits: of ABI_TEX_CLASS_SAMPLE bytes.c, of ABI_TEX_CLASS_VOLUME volume.c. */
rt_whole_fn rt_flat_bytes;
rt_whole_fn rt_volume_bytes;

/* Whole vectors, with a sampler that these functions are for. */
RT_SIMD bool rt_whole_can(const struct abi_tex_call *call)
{
   const struct abi_sampler *sampler = call->samplers[0];
   return UTIL_LIKELY(sampler) && sampler->is_smooth && !(call->lanes & (RT_SIMD_LANES - 1));
}

/* What all vectors of the call share; of 2D images of one layer. */
RT_SIMD void rt_whole_init(struct rt_fast *fast, const struct abi_tex_call *call, const struct rt_whole_layout *layout)
{
   fast->image = call->images[0];
   fast->sampler = call->samplers[0];
   fast->info = layout->info;
   fast->data = fast->image->data;
   fast->num_axes = 2;
   fast->is_dense = true;
   fast->channels = ~call->unread;
   fast->is_cube = fast->has_edges = fast->has_offset = fast->has_own_layers = false;
   fast->lanes = RT_SIMD_ALL;
   fast->first = 0;
}

RT_SIMD void rt_whole_store(const struct rt_fast *fast, const struct abi_tex_call *call, const rt_vf out[4])
{
   for (uint32_t c = 0; c < 4; c++)
      rt_vf_store(call->result[c] + fast->first, out[c], fast->mask);
}
