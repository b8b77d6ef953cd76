/* SPDX-License-Identifier: MIT */
#include "runtime/texture/decoded.h"

#include "runtime/texture/block_cache.h"

const uint8_t *rt_decoded_find(const struct rt_format_info *info, const uint8_t *base, uint32_t log2, uint32_t mask, uint32_t num_taps,
                               const rt_vu block[], const rt_vu sub[], rt_vu index[])
{
   uint32_t numbers[4][RT_SIMD_LANES] __attribute__((aligned(64))), pending[4];
   struct rt_block_batch batch;
   if (!rt_block_batch_begin(&batch, info))
      return NULL;
   memcpy(numbers, block, num_taps * sizeof(block[0]));
   for (uint32_t t = 0; t < num_taps; t++) {
      pending[t] = mask;
      index[t] = (rt_vu){0};
   }
   for (uint32_t t = 0; t < num_taps; t++)
      while (pending[t]) { /* a block for all taps that are in it */
         const uint32_t number = numbers[t][__builtin_ctz(pending[t])];
         const uint32_t first = rt_block_batch_find(&batch, base + ((uint64_t)number << log2));
         if (first == RT_BLOCK_TEXELS_NONE)
            return NULL;
         for (uint32_t k = t; k < num_taps; k++) {
            const uint32_t taken = rt_texel_below(block[k] ^ number, 1, pending[k]);
            index[k] = (rt_vu)rt_vi_select(rt_vi_from_mask(taken), (rt_vi)(sub[k] + first), (rt_vi)index[k]);
            pending[k] &= ~taken;
         }
      }
   return (const uint8_t *)batch.texels;
}

static __attribute__((noinline)) void load_apart(const struct rt_format_info *info, const uint8_t *base, uint32_t log2, uint32_t mask, uint32_t num_taps,
                                                 const rt_vu block[], struct rt_taps *taps)
{
   for (uint32_t t = 0; t < num_taps; t++) {
      uint32_t words[4][RT_SIMD_LANES] = {0};
      for (uint32_t pending = mask; pending; pending &= pending - 1) {
         const uint32_t i = (uint32_t)__builtin_ctz(pending);
         const uint32_t(*texels)[4] = rt_block_texels(info, base + ((uint64_t)block[t][i] << log2));
         for (uint32_t w = 0; w < 4; w++)
            words[w][i] = texels[taps->sub[t][i]][w];
      }
      for (uint32_t w = 0; w < 4; w++)
         memcpy(&taps->word[w][t], words[w], sizeof(words[w]));
   }
}

void rt_decoded_load(const struct rt_format_info *info, const uint8_t *base, uint32_t log2, uint32_t mask, uint32_t num_taps, const rt_vu block[],
                     struct rt_taps *taps)
{
   rt_vu index[4];
   const uint8_t *texels = rt_decoded_find(info, base, log2, mask, num_taps, block, taps->sub, index);
   if (UTIL_UNLIKELY(!texels)) {
      load_apart(info, base, log2, mask, num_taps, block, taps);
      return;
   }
   for (uint32_t t = 0; t < num_taps; t++)
      rt_texel_gather(texels, index[t], 4, taps, t);
}
