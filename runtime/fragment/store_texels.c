/* SPDX-License-Identifier: MIT
 * Colours of a run to texels where nothing is blended, in registers: one routine a layout of texels. The same bits as by the format's
 * pack_block. */
#include "runtime/fragment/layouts.h"
#include "runtime/fragment/merge.h"
#include "runtime/fragment/shade.h"

/* Where texels are stored only. */
#define STORED_LIST(X)                                                                                                 \
   X(rgba8_snorm, SNORM, 4, false, RT_LAYOUT_RGBA8)                                                                    \
   X(snorm_1, SNORM, 1, true)                                                                                          \
   X(snorm_2, SNORM, 2, true)                                                                                          \
   X(snorm_4, SNORM, 4, true)                                                                                          \
   X(snorm_8, SNORM, 8, true)                                                                                          \
   X(uint_1, UINT, 1, true)                                                                                            \
   X(uint_2, UINT, 2, true)                                                                                            \
   X(uint_4, UINT, 4, true)                                                                                            \
   X(uint_8, UINT, 8, true)                                                                                            \
   X(sint_1, SINT, 1, true)                                                                                            \
   X(sint_2, SINT, 2, true)                                                                                            \
   X(sint_4, SINT, 4, true)                                                                                            \
   X(sint_8, SINT, 8, true)

#define X(name, class_of, bytes_of, any, ...)                                                                          \
   static const struct rt_texel_layout rt_layout_##name = {RT_TEXELS_##class_of, bytes_of, any, {__VA_ARGS__}};
STORED_LIST(X)
#undef X

/* What the shader gave to a part's channel, as rt_layout_pack() takes it. *l is a constant. */
RT_INLINE_LANES rt_pf load_plane(const struct rt_texel_layout *l, const uint32_t (*planes)[16], uint32_t at, uint32_t c)
{
   if (!l->is_any && !l->channels[c].bits)
      return rt_pf_set(0.0f);
   const rt_pf v = rt_pf_load(&planes[c][at]);
   if (l->class == RT_TEXELS_SRGB && c < 3)
      return rt_pf_clamp(v, 0.0f, 1.0f);
   return l->class == RT_TEXELS_UNORM || l->class == RT_TEXELS_SRGB ? rt_pf_min(rt_pf_set(1.0f), v) : v; /* of NaN the least is NaN */
}

RT_INLINE_LANES void pack_part(const struct rt_texel_layout *l, const struct rt_output *output, const uint32_t (*planes)[16], uint32_t at,
                               rt_pi words[4])
{
   rt_pf channels[4];
   for (uint32_t c = 0; c < 4; c++) {
      channels[c] = load_plane(l, planes, at, c);
      words[c] = (rt_pi){0};
   }
   if (l->class == RT_TEXELS_HALF || l->class == RT_TEXELS_UFLOAT || (l->class == RT_TEXELS_WORDS && output->makes_one_nan))
      rt_layout_make_one_nan(l, channels);
   rt_layout_pack(l, output, channels, false, words);
}

/* Narrow texels are merged without a look at the mask. `keep`: NULL: all bits. */
RT_INLINE_LANES void store_part(const struct rt_texel_layout *l, const int32_t *keep, uint32_t mask, const rt_pi packed[4], uint8_t *texels)
{
   rt_pi old[4] = {{0}}, words[4] = {packed[0], packed[1], packed[2], packed[3]};
   if (l->bytes <= 4 || (mask & RT_PART_MASK) != RT_PART_MASK || keep) {
      rt_layout_load(l, texels, old);
      rt_layout_merge(l, mask, keep, old, words);
   }
   rt_layout_store(l, texels, words);
}

/* `keep` as above; that it is none, and one sample, are constants of the commonest case. */
RT_INLINE_LANES void store_blocks(const struct rt_texel_layout *l, const struct rt_tile *tile, const struct rt_output *output,
                                  uint32_t num_samples, const int32_t *keep)
{
   const struct rt_surface *surface = &tile->colors[output->attachment];
   const uint32_t first = output->location * 4, num_blocks = tile->num_blocks;
   uint8_t *base = surface->base; /* texels alias anything */
   for (uint32_t i = 0; i < num_blocks; i++) {
      const struct abi_block *block = &tile->blocks[i];
      const struct rt_run_block *run = &tile->run[i];
      const uint32_t(*planes)[16] = (const uint32_t(*)[16]) & block->outputs[first];
      uint8_t *texels = base + surface->column_bytes[run->bx] + surface->row_bytes[run->by];
      const uint32_t mask_out = block->mask_out;
      for (uint32_t at = 0; at < ABI_BLOCK_TEXELS; at += RT_PART_LANES, texels += RT_PART_LANES * l->bytes) {
         rt_pi packed[4];
         pack_part(l, output, planes, at, packed);
#pragma GCC unroll 1
         for (uint32_t s = 0; s < num_samples; s++)
            store_part(l, keep, (run->masks[s] & mask_out) >> at, packed, texels + s * ABI_BLOCK_TEXELS * l->bytes);
      }
   }
}

/* Any format, by its functions. */
static void store_other(const struct rt_tile *tile, const struct rt_output *output)
{
   const struct rt_surface *surface = &tile->colors[output->attachment];
   for (uint32_t i = 0; i < tile->num_blocks; i++) {
      struct abi_block *block = &tile->blocks[i];
      const struct rt_run_block *run = &tile->run[i];
      uint32_t(*planes)[16] = &block->outputs[output->location * 4];
      uint8_t packed[RT_MAX_BLOCK_BYTES] __attribute__((aligned(64)));
      if (output->makes_one_nan)
         rt_one_nan((const float(*)[16])planes, (float(*)[16])planes);
      output->info->pack_block(packed, (const uint32_t(*)[16])planes);
      for (uint32_t s = 0; s < tile->context->num_samples; s++)
         rt_merge_block(rt_surface_map(surface, run->bx, run->by, s, NULL), packed, surface->texel_bytes, run->masks[s] & block->mask_out,
                        output->has_full_mask ? NULL : output->bits);
   }
}

#define X(name, ...)                                                                                                   \
   static void store_##name(const struct rt_tile *tile, const struct rt_output *output)                                \
   {                                                                                                                   \
      if (tile->context->num_samples == 1 && output->has_full_mask) {                                                  \
         store_blocks(&rt_layout_##name, tile, output, 1, NULL);                                                       \
         return;                                                                                                       \
      }                                                                                                                \
      int32_t keep[4];                                                                                                 \
      memcpy(keep, output->bits, sizeof(keep));                                                                        \
      store_blocks(&rt_layout_##name, tile, output, tile->context->num_samples, output->has_full_mask ? NULL : keep);  \
   }
RT_LAYOUTS_LIST(X)
STORED_LIST(X)
#undef X

/* The first that is for a format stores it. */
static const struct routine {
   const struct rt_texel_layout *layout; /* NULL: any format */
   void (*store)(const struct rt_tile *tile, const struct rt_output *output);
} routines[] = {
#define X(name, ...) {&rt_layout_##name, store_##name},
   RT_LAYOUTS_LIST(X) STORED_LIST(X)
#undef X
   {NULL, store_other},
};
_Static_assert(UTIL_ARRAY_SIZE(routines) <= UINT8_MAX, "rt_output has a byte for the number");

uint8_t rt_store_routine(const struct rt_output *output)
{
   uint32_t i = 0;
   while (routines[i].layout && !rt_layout_is_for(routines[i].layout, output))
      i++;
   return (uint8_t)i;
}

void rt_store_run(struct rt_tile *tile, const struct rt_output *output)
{
   if (UTIL_UNLIKELY(output->missing))
      for (uint32_t i = 0; i < tile->num_blocks; i++)
         rt_output_zero_missing(output, &tile->blocks[i].outputs[output->location * 4]);
   routines[output->store_routine].store(tile, output);
}
