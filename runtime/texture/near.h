/* SPDX-License-Identifier: MIT
 * Taps of lanes that are near each other in a tiled image: blocks of 4x4 texels are read whole, and lanes take theirs out of
 * registers: those of fragments, two by two, and of rows of lanes, as in compute shaders; lanes farther apart gather. near_v4.h and near_v3.h
 * have what registers of a level can do; at levels below 3 they are too small for that.
 * Coordinates are pairs: a column in the low half of each lane, a row in the high half, `left` those of the upper left
 * tap, `right` those of the lower right one. See include/abi/image.h for the order of texels. */
#pragma once

#include "runtime/texture/texel.h"

#if RT_TEX_LEVEL >= 4
#include "runtime/texture/near_v4.h"
#elif RT_TEX_LEVEL == 3
#include "runtime/texture/near_v3.h"
#else
struct rt_near {
   uint32_t is_wide;
};

RT_SIMD void rt_near_find(struct rt_near *near, rt_vh left, rt_vh right, uint32_t mask)
{
   near->is_wide = RT_SIMD_ALL;
}

RT_SIMD bool rt_near_read_found(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base,
                                uint32_t log2, uint32_t unit_log2, const struct rt_near *near, uint32_t mask)
{
   return false;
}

RT_SIMD bool rt_near_read(struct rt_near_words *words, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2,
                          uint32_t unit_log2, rt_vh left, rt_vh right, uint32_t mask)
{
   return false;
}
#endif

#if RT_TEX_LEVEL != 3
/* Texels of one or two bytes, by rows: the left tap in the low half, the right one in the high one. */
RT_SIMD bool rt_near_read_rows(rt_vu rows[2], const struct abi_level *level, const uint8_t *base, uint32_t log2, rt_vh left, rt_vh right, uint32_t mask)
{
   struct rt_near_words words;
   if (!rt_near_read(&words, 4, level, base, log2, 0, left, right, mask))
      return false;
   for (uint32_t r = 0; r < 2; r++)
      rows[r] = words.low[2 * r] | words.low[2 * r + 1] << 16;
   return true;
}
#endif

/* Of a size that is known at run time: into the taps' first one or two words. */
RT_SIMD bool rt_near_load(struct rt_taps *taps, uint32_t num_taps, const struct abi_level *level, const uint8_t *base, uint32_t log2,
                          bool is_compressed, rt_vh left, rt_vh right, uint32_t mask)
{
   struct rt_near_words words;
   bool is_near = false;
   switch (log2 | (is_compressed ? 4 : 0)) {
   case 0: is_near = rt_near_read(&words, num_taps, level, base, 0, 0, left, right, mask); break;
   case 1: is_near = rt_near_read(&words, num_taps, level, base, 1, 0, left, right, mask); break;
   case 2: is_near = rt_near_read(&words, num_taps, level, base, 2, 0, left, right, mask); break;
   case 3: is_near = rt_near_read(&words, num_taps, level, base, 3, 0, left, right, mask); break;
   case 7: is_near = rt_near_read(&words, num_taps, level, base, 3, 2, left, right, mask); break;
   default: break; /* 128 bits */
   }
   for (uint32_t t = 0; is_near && t < num_taps; t++) {
      taps->word[0][t] = words.low[t];
      if (log2 == 3)
         taps->word[1][t] = words.high[t];
   }
   return is_near;
}
