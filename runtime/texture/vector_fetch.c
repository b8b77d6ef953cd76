/* SPDX-License-Identifier: MIT
 * Fetches, loads and stores of whole vectors of lanes, for images that have an enum rt_texel: as fetch.c and
 * image_access.c do them. */
#include "runtime/texture/texel_find.h"

/* Components as the view's swizzle has them, to the lanes of the mask. */
RT_SIMD void store_components(const struct abi_image *image, uint32_t *const result[4], uint32_t first, uint32_t mask,
                              const rt_vf components[4])
{
   static const uint8_t identity[4] = {VK_COMPONENT_SWIZZLE_R, VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B, VK_COMPONENT_SWIZZLE_A};
   const struct rt_format_info *info = image->format_info;
   if (UTIL_LIKELY(!memcmp(image->swizzle, identity, sizeof(identity)))) {
      for (uint32_t c = 0; c < 4; c++)
         if (result[c])
            rt_vf_store(result[c] + first, components[c], mask);
      return;
   }
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
RT_SIMD void clear_others(const struct rt_format_info *info, uint32_t found, rt_vf components[4])
{
   const rt_vi is_found = rt_vi_from_mask(found);
   for (uint32_t c = 0; c < 4; c++)
      components[c] = rt_vf_select(is_found, components[c], info->channels[c].bits ? rt_vf_set(0) : rt_texel_absent(info, c));
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
      rt_vf components[4] = {0};
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

/* ---- the commonest: all lanes in one level and layer ---- */

/* Coordinates at lane 0; NULL: zeros. */
struct plain {
   const uint32_t *x, *y, *level, *sample;
};

/* Four channels of 8 bits, UNORM: which byte each component is, or ABI_CHANNEL_*. False: other texels. */
RT_SIMD bool find_bytes(const struct abi_image *image, enum rt_texel texel, uint8_t channels[4])
{
   const struct rt_format_info *info = image->format_info;
   if (texel != RT_TEXEL_UNORM || image->texel_bytes != 4 || info->num_channels != 4 || info->channels[0].bits != 8 ||
       info->channels[1].bits != 8 || info->channels[2].bits != 8)
      return false;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t swizzle = image->swizzle[c];
      channels[c] = swizzle == VK_COMPONENT_SWIZZLE_ZERO  ? ABI_CHANNEL_ZERO
                  : swizzle == VK_COMPONENT_SWIZZLE_ONE ? ABI_CHANNEL_ONE
                                                        : info->channels[(swizzle - VK_COMPONENT_SWIZZLE_R) & 3].shift / 8;
   }
   return true;
}

RT_SIMD void store_bytes(const uint8_t channels[4], uint32_t *const result[4], uint32_t first, uint32_t mask, rt_vu word)
{
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t channel = channels[c];
      if (!result[c])
         continue;
      rt_vf component = rt_vf_set(channel == ABI_CHANNEL_ONE ? 1.0f : 0.0f);
      if (UTIL_LIKELY(channel < 4))
         component = rt_words_finish(rt_vf_from((rt_vi)(word >> (8 * channel) & 255)), false);
      rt_vf_store(result[c] + first, component, mask);
   }
}

/* The word of a texel that a channel is in. */
RT_SIMD rt_vu word_of(const struct rt_taps *taps, uint32_t shift, uint32_t log2)
{
   if (log2 <= 2)
      return taps->word[0][0];
   if (log2 == 3)
      return shift < 32 ? taps->word[0][0] : taps->word[1][0];
   return taps->word[shift >> 5][0];
}

/* Of lanes whose indices are found; `texel` is a constant. */
RT_SIMD void decode_plain(const struct rt_format_info *info, enum rt_texel texel, uint32_t log2, const struct rt_taps *taps, rt_vf components[4])
{
   for (uint32_t c = 0; c < 4; c++)
      components[c] = info->channels[c].bits ? rt_texel_of_word(texel, info, c, word_of(taps, info->channels[c].shift, log2)) : rt_texel_absent(info, c);
}

/* What lanes have in one level or slice at `base`, by their indices. */
struct indexed {
   const uint8_t *base;
   rt_vu index;
   uint32_t inside, mask; /* lanes of the mask that are not inside get what lies outside */
   uint32_t first;
   uint32_t *const *result;
};

/* The words of the lanes inside, of which there is one. */
RT_SIMD void load_words(const struct indexed *lanes, uint32_t log2, struct rt_taps *taps)
{
   rt_vu run, index = lanes->index;
   for (uint32_t i = 0; i < RT_SIMD_LANES; i++)
      run[i] = i;
   if (UTIL_UNLIKELY(lanes->inside != RT_SIMD_ALL))
      index = (rt_vu)rt_vi_select(rt_vi_from_mask(lanes->inside), (rt_vi)index, rt_vi_set(0));
   const uint32_t start = index[0];
   if (lanes->inside == RT_SIMD_ALL && !rt_vi_any_other((rt_vi)(index - run), (int32_t)start, RT_SIMD_ALL))
      rt_texel_load_run(lanes->base + ((uint64_t)start << log2), log2, taps);
   else
      rt_texel_gather(lanes->base, index, log2, taps, 0);
}

/* `texel` is a constant. */
RT_SIMD void load_indices(const struct abi_image *image, enum rt_texel texel, uint32_t log2, const struct indexed *lanes)
{
   const struct rt_format_info *info = image->format_info;
   struct rt_taps taps;
   rt_vf components[4] = {0};
   if (lanes->inside) {
      load_words(lanes, log2, &taps);
      decode_plain(info, texel, log2, &taps, components);
   }
   if (UTIL_UNLIKELY(lanes->inside != lanes->mask))
      clear_others(info, lanes->inside, components);
   store_components(image, lanes->result, lanes->first, lanes->mask, components);
}

typedef void load_fn(const struct abi_image *image, const struct indexed *lanes);

#define LOAD_FN(name, texel)                                                                                           \
   static __attribute__((noinline)) void load_##name(const struct abi_image *image, const struct indexed *lanes)       \
   {                                                                                                                   \
      load_indices(image, texel, rt_texel_log2(image), lanes);                                                         \
   }
LOAD_FN(whole, RT_TEXEL_WORDS)
LOAD_FN(unorm, RT_TEXEL_UNORM)
LOAD_FN(snorm, RT_TEXEL_SNORM)
LOAD_FN(uint, RT_TEXEL_UINT)
LOAD_FN(sint, RT_TEXEL_SINT)
LOAD_FN(half, RT_TEXEL_HALF)
LOAD_FN(srgb, RT_TEXEL_SRGB)
LOAD_FN(ufloat, RT_TEXEL_UFLOAT)
LOAD_FN(shared, RT_TEXEL_SHARED)
LOAD_FN(unorm24, RT_TEXEL_UNORM24)

static load_fn *const load_fns[RT_TEXEL_BC1] = {
   [RT_TEXEL_WORDS] = load_whole,   [RT_TEXEL_UNORM] = load_unorm,   [RT_TEXEL_SNORM] = load_snorm,   [RT_TEXEL_UINT] = load_uint,
   [RT_TEXEL_SINT] = load_sint,     [RT_TEXEL_HALF] = load_half,     [RT_TEXEL_SRGB] = load_srgb,     [RT_TEXEL_UFLOAT] = load_ufloat,
   [RT_TEXEL_SHARED] = load_shared, [RT_TEXEL_UNORM24] = load_unorm24,
};

/* False where lanes are in several levels, or the view has a limit of its own: part of the lanes may have been done. */
static bool load_plain(const struct abi_image *image, enum rt_texel texel, const struct plain *plain, uint32_t num_lanes,
                       uint32_t call_mask, uint32_t *const result[4])
{
   const uint32_t log2 = rt_texel_log2(image), samples_log2 = (uint32_t)__builtin_ctz(image->num_samples);
   uint8_t channels[4];
   const bool is_bytes = find_bytes(image, texel, channels);
   if (image->min_lod >= 1.0f)
      return false;
   for (uint32_t first = 0; first < num_lanes; first += RT_SIMD_LANES) {
      const uint32_t count = num_lanes - first;
      const uint32_t lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
      const uint32_t mask = call_mask >> first & lanes;
      const struct abi_level *level = &image->levels[0];
      uint32_t inside = mask;
      if (!mask)
         continue;
      if (plain->level) {
         const uint32_t number = plain->level[first + (uint32_t)__builtin_ctz(mask)];
         if (rt_vi_any_other((rt_vi)rt_vf_load(plain->level + first, lanes), (int32_t)number, mask))
            return false;
         inside = number < image->num_levels ? mask : 0;
         level += inside ? number : 0;
      }
      const rt_vu x = (rt_vu)rt_vf_load(plain->x + first, lanes);
      inside = rt_texel_below(x, level->width, inside);
      rt_vu index = x;
      if (image->dim != ABI_DIM_BUFFER) {
         const rt_vu y = plain->y ? (rt_vu)rt_vf_load(plain->y + first, lanes) : (rt_vu){0};
         inside = rt_texel_below(y, level->height, inside);
         index = rt_texel_x(image, level, x) + rt_texel_y(image, level, y, log2 + samples_log2);
      }
      if (samples_log2) {
         const rt_vu sample = plain->sample ? (rt_vu)rt_vf_load(plain->sample + first, lanes) : (rt_vu){0};
         inside = rt_texel_below(sample, image->num_samples, inside);
         index = ((index & 15) | (index & ~15u) << samples_log2) + (sample << 4);
      }
      const struct indexed at = {image->data + level->offset_bytes, index, inside, mask, first, result};
      if (UTIL_LIKELY(is_bytes && inside == mask)) {
         struct rt_taps taps;
         load_words(&at, 2, &taps);
         store_bytes(channels, result, first, mask, taps.word[0][0]);
      } else {
         load_fns[texel](image, &at);
      }
   }
   return true;
}

/* ---- what compiled code has found the indices of ---- */

/* The vector of lanes from `first` on. */
RT_SIMD struct indexed indexed_of(const struct abi_texel_call *call, uint32_t first, uint32_t log2)
{
   const uint32_t count = call->lanes - first;
   const uint32_t lanes = count < RT_SIMD_LANES ? (1u << count) - 1 : RT_SIMD_ALL;
   struct indexed at = {call->base, (rt_vu)rt_vf_load(call->index + first, lanes), call->inside >> first & lanes, lanes, first, call->result};
   if (call->slice) {
      const rt_vu slice = (rt_vu)rt_vf_load(call->slice + first, lanes);
      at.index += log2 < 2 ? slice << (2 - log2) : slice >> (log2 - 2);
   }
   return at;
}

/* Of one layout, whose channels are constants. */
RT_SIMD void load_packing(const struct abi_texel_call *call, enum rt_texel texel, uint32_t log2, const struct rt_format_info *info)
{
   uint32_t first = 0;
   do {
      const struct indexed at = indexed_of(call, first, log2);
      struct rt_taps taps;
      rt_vf components[4] = {0};
      if (UTIL_LIKELY(at.inside)) {
         load_words(&at, log2, &taps);
         decode_plain(info, texel, log2, &taps, components);
      }
      if (UTIL_UNLIKELY(at.inside != at.mask))
         clear_others(info, at.inside, components);
      for (uint32_t c = 0; c < 4; c++)
         rt_vf_store(call->result[c] + first, components[c], at.mask);
   } while ((first += RT_SIMD_LANES) < call->lanes);
}

#define NUMERIC_OF(texel) (texel == RT_TEXEL_SRGB ? RT_SRGB : texel == RT_TEXEL_UNORM ? RT_UNORM : RT_SFLOAT)
#define X(name, texel, log2_bytes, r, g, b, a, r_at, g_at, b_at, a_at)                                                 \
   static void load_##name(const struct abi_texel_call *call)                                                          \
   {                                                                                                                   \
      static const struct rt_format_info info = {.channels = {{r, r_at, NUMERIC_OF(RT_TEXEL_##texel)},                  \
                                                              {g, g_at, NUMERIC_OF(RT_TEXEL_##texel)},                  \
                                                              {b, b_at, NUMERIC_OF(RT_TEXEL_##texel)},                  \
                                                              {a, a_at, 0}}};                                          \
      load_packing(call, RT_TEXEL_##texel, log2_bytes, &info);                                                         \
   }
RT_FETCHED_LAYOUTS(X)
#undef X

static rt_texels_fn *const packing_fns[RT_NUM_TILED_LAYOUTS] = {
#define X(name, ...) [RT_LAYOUT_##name] = load_##name,
   RT_FETCHED_LAYOUTS(X)
#undef X
};

/* A function of its own: its vectors on the stack cost the other calls nothing. */
static __attribute__((noinline)) void load_any(const struct abi_texel_call *call)
{
   const struct abi_image *image = call->image;
   load_fn *const load = load_fns[rt_texel_of(image)];
   for (uint32_t first = 0; first < call->lanes; first += RT_SIMD_LANES) {
      const struct indexed at = indexed_of(call, first, rt_texel_log2(image));
      load(image, &at);
   }
}

void rt_texels_load(const struct abi_texel_call *call)
{
   const uint32_t packing = call->image->packing;
   if (UTIL_LIKELY(packing))
      packing_fns[packing](call);
   else
      load_any(call);
}

static bool is_plain(uint32_t dim, uint32_t flags, enum rt_texel texel)
{
   return (dim == ABI_DIM_2D || dim == ABI_DIM_BUFFER || dim == ABI_DIM_1D) && texel < RT_TEXEL_BC1 &&
          !(flags & (ABI_TEX_ARRAYED | ABI_TEX_OFFSET));
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
   if (UTIL_LIKELY(is_plain(call->dim, flags, texel))) {
      const struct plain plain = {call->coords[0], axes > 1 ? call->coords[1] : NULL, flags & ABI_TEX_LOD ? call->lod : NULL,
                                  flags & ABI_TEX_SAMPLE ? call->sample : NULL};
      if (load_plain(image, texel, &plain, call->lanes, call->mask, call->result))
         return true;
   }
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
static void find_image_coords(const struct abi_image_call *call, struct rt_texel_coords *coords)
{
   const uint32_t axes = num_coords(call->dim), flags = call->flags;
   const bool has_layer = flags & ABI_TEX_ARRAYED || call->dim == ABI_DIM_CUBE || call->dim == ABI_DIM_SUBPASS;
   *coords = (struct rt_texel_coords){
      .layer = has_layer ? call->coords[axes] : NULL,
      .level = flags & ABI_TEX_LOD ? call->lod : NULL,
      .sample = flags & ABI_TEX_SAMPLE ? call->sample : NULL,
   };
   for (uint32_t a = 0; a < axes; a++)
      coords->coord[a] = call->coords[a];
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
   if (UTIL_LIKELY(call->op == ABI_IMAGE_LOAD && is_plain(call->dim, call->flags, texel))) {
      const struct plain plain = {call->coords[0], call->dim == ABI_DIM_2D ? call->coords[1] : NULL,
                                  call->flags & ABI_TEX_LOD ? call->lod : NULL, call->flags & ABI_TEX_SAMPLE ? call->sample : NULL};
      if (load_plain(image, texel, &plain, call->lanes, mask, call->result))
         return true;
   }
   struct rt_texel_coords coords;
   find_image_coords(call, &coords);
   if (call->op == ABI_IMAGE_LOAD)
      load_all(image, texel, &coords, call->lanes, mask, call->result);
   else
      store_all(image, &coords, call->lanes, mask, call->data);
   return true;
}
