/* SPDX-License-Identifier: MIT
 * Texels of RT_TEXEL_DECODED for a vector of lanes, out of the blocks that the thread keeps. `base`: where blocks are counted from; `log2`: bytes of one;
 * `block`, `sub`: of each tap each lane's block, and the texel within it. Every block of the mask's lanes must be readable. */
#pragma once

#include "runtime/texture/texel.h"

/* Texels of four words, and each lane's number among them; of lanes that are not in the mask any. NULL: the taps' blocks do not stand there all at a time. */
const uint8_t *rt_decoded_find(const struct rt_format_info *info, const uint8_t *base, uint32_t log2, uint32_t mask, uint32_t num_taps,
                               const rt_vu block[], const rt_vu sub[], rt_vu index[]);
/* The words of the mask's lanes; taps->sub says which texels of the blocks. */
void rt_decoded_load(const struct rt_format_info *info, const uint8_t *base, uint32_t log2, uint32_t mask, uint32_t num_taps, const rt_vu block[],
                     struct rt_taps *taps);
