/* SPDX-License-Identifier: MIT
 * Fetches, loads and stores of whole vectors of lanes, for images that have an enum rt_texel: as fetch.c and
 * image_access.c do them. */
#include "runtime/texture/texel_find.h"

/* Components as the view's swizzle has them, to the lanes of the mask. */
RT_SIMD void store_components(const struct abi_image *image, uint32_t *const result[4], uint32_t first, uint32_t mask,
                              const rt_vf components[4])
{
   const struct rt_format_info *info = image->format_info;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t swizzle = image->swizzle[c];
      if (!result[c])
         continue;
      if (UTIL_LIKELY(swizzle >= VK_COMPONENT_SWIZZLE_R && swizzle <= VK_COMPONENT_SWIZZLE_A))
         rt_vf_store(result[c] + first, components[swizzle - VK_COMPONENT_SWIZZLE_R], mask);
      else
         rt_vf_store(result[c] + first, swizzle == VK_COMPONENT_SWIZZLE_ONE ? rt_texel_absent(info, 3) : rt_vf_set(0),
                     mask);
   }
}

/* Lanes that are not found are zeros in all channels that there are. */
static __attribute__((noinline)) void clear_others(const struct rt_format_info *info, uint32_t found, rt_vf components[4])
{
   const rt_vi is_found = rt_vi_from_mask(found);
   for (uint32_t c = 0; c < 4; c++) {
      const rt_vf other = info->channels[c].bits ? rt_vf_set(0) : rt_texel_absent(info, c);
      components[c] = found ? rt_vf_select(is_found, components[c], other) : other;
   }
}

static void load_all(const struct abi_image *image, enum rt_texel texel, const struct rt_texel_coords *coords, uint32_t num_lanes,
                     uint32_t call_mask, uint32_t *const result[4])
{
   rt_texel_decode_fn *const decode = rt_texel_decoders[texel];
   for (uint32_t first = 0; first < num_lanes; first += RT_SIMD_LANES) {
      const uint32_t count = num_lanes - first;
      const uint32_t lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
      const uint32_t mask = call_mask >> first & lanes;
      struct rt_texel_spots spots;
      struct rt_taps taps;
      rt_vf components[4];
      if (!mask)
         continue;
      rt_texel_find(image, coords, first, lanes, mask, &spots);
      if (UTIL_LIKELY(spots.found)) {
         rt_texel_load(image, &spots, &taps);
         decode(image->format_info, &taps, 0, components);
      }
      if (spots.found != mask)
         clear_others(image->format_info, spots.found, components);
      store_components(image, result, first, mask, components);
   }
}

static uint32_t num_coords(uint32_t dim)
{
   return dim == ABI_DIM_1D || dim == ABI_DIM_BUFFER ? 1 : dim == ABI_DIM_3D ? 3 : 2;
}

bool rt_tex_fetch_vectors(const struct abi_tex_call *call)
{
   const struct abi_image *image = call->images[0];
   const uint32_t flags = call->flags, axes = num_coords(call->dim);
   const enum rt_texel texel = image && image->data && call->dim != ABI_DIM_CUBE ? rt_texel_of(image) : RT_TEXEL_NONE;
   if (!texel)
      return false;
   struct rt_texel_coords coords = {
      .layer = flags & ABI_TEX_ARRAYED ? call->coords[axes] : NULL,
      .all_layers = call->dim == ABI_DIM_SUBPASS ? call->view_index : 0,
      .level = flags & ABI_TEX_LOD ? call->lod : NULL,
      .sample = flags & ABI_TEX_SAMPLE ? call->sample : NULL,
   };
   for (uint32_t a = 0; a < axes; a++) {
      coords.coord[a] = call->coords[a];
      coords.offset[a] = flags & ABI_TEX_OFFSET ? call->offset[a] : NULL;
   }
   load_all(image, texel, &coords, call->lanes, call->mask, call->result);
   return true;
}

/* Cubes are arrays of six layers; an input attachment is read in the fragment's own layer. */
static struct rt_texel_coords image_coords(const struct abi_image_call *call)
{
   const uint32_t axes = num_coords(call->dim), flags = call->flags;
   const bool has_layer = flags & ABI_TEX_ARRAYED || call->dim == ABI_DIM_CUBE || call->dim == ABI_DIM_SUBPASS;
   struct rt_texel_coords coords = {
      .layer = has_layer ? call->coords[axes] : NULL,
      .level = flags & ABI_TEX_LOD ? call->lod : NULL,
      .sample = flags & ABI_TEX_SAMPLE ? call->sample : NULL,
   };
   for (uint32_t a = 0; a < axes; a++)
      coords.coord[a] = call->coords[a];
   return coords;
}

#define SCATTER(bytes)                                                                                                 \
   case bytes:                                                                                                         \
      for (uint32_t pending = found; pending; pending &= pending - 1) {                                                \
         const uint32_t i = (uint32_t)__builtin_ctz(pending);                                                          \
         memcpy(data + (uint64_t)index[i] * bytes, raw + i * bytes, bytes);                                            \
      }                                                                                                                \
      break;

/* Lanes in order: of two that write one texel the last one counts. */
static void scatter(uint8_t *data, const uint32_t index[RT_LANES], uint32_t found, const uint8_t *raw, uint32_t bytes)
{
   switch (bytes) {
      SCATTER(1)
      SCATTER(2)
      SCATTER(4)
      SCATTER(8)
      SCATTER(16)
   }
}

static void store_all(const struct abi_image *image, const struct rt_texel_coords *coords, uint32_t num_lanes,
                      uint32_t call_mask, const uint32_t *const data[4])
{
   const struct rt_format_info *info = image->format_info;
   for (uint32_t first = 0; first < num_lanes; first += RT_LANES) {
      const uint32_t count = UTIL_MIN(num_lanes - first, (uint32_t)RT_LANES), all = (1u << count) - 1;
      const uint32_t mask = call_mask >> first & all;
      uint8_t raw[RT_LANES * 16] __attribute__((aligned(64)));
      uint32_t index[RT_LANES] __attribute__((aligned(64)));
      uint32_t found = 0, is_run = 1;
      rt_texels planes;
      if (!mask)
         continue;
      for (uint32_t part = 0; part < count; part += RT_SIMD_LANES) {
         struct rt_texel_spots spots;
         rt_texel_find(image, coords, first + part, all >> part & RT_SIMD_ALL, mask >> part & RT_SIMD_ALL, &spots);
         memcpy(index + part, &spots.index, sizeof(spots.index));
         found |= spots.found << part;
      }
      for (uint32_t c = 0; c < 4; c++) {
         if (!data[c] || count < RT_LANES)
            memset(planes[c], 0, sizeof(planes[c]));
         if (data[c])
            memcpy(planes[c], data[c] + first, count * sizeof(uint32_t));
      }
      info->pack_block(raw, (const uint32_t(*)[RT_LANES])planes);
      RT_EACH_LANE(i)
         is_run &= index[i] == index[0] + i;
      if (found == RT_ALL_LANES && is_run)
         memcpy(image->data + (uint64_t)index[0] * image->texel_bytes, raw, RT_LANES * image->texel_bytes);
      else
         scatter(image->data, index, found, raw, image->texel_bytes);
   }
}

bool rt_image_run_vectors(const struct abi_image_call *call, const struct abi_image *image, uint32_t mask)
{
   const enum rt_texel texel = image && image->data && call->op != ABI_IMAGE_ATOMIC ? rt_texel_of(image) : RT_TEXEL_NONE;
   if (!texel || texel >= RT_TEXEL_BC1 || call->dim > ABI_DIM_SUBPASS)
      return false;
   const struct rt_texel_coords coords = image_coords(call);
   if (call->op == ABI_IMAGE_LOAD)
      load_all(image, texel, &coords, call->lanes, mask, call->result);
   else
      store_all(image, &coords, call->lanes, mask, call->data);
   return true;
}
