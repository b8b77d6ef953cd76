/* SPDX-License-Identifier: MIT
 * A block of texels into those that are there, by lane and by bit. Spec: The Framebuffer, "Color Write Mask". Threads: pure. */
#pragma once

#include <stdint.h>

/* dst = src in the lanes of `mask` and the bits of `bits` (NULL: all), 16 texels. */
void rt_merge_block(void *dst, const void *src, uint32_t texel_bytes, uint32_t mask, const uint8_t *bits);
