/* SPDX-License-Identifier: MIT
 * `uninit` of images, texel by texel. The shadow of an image's memory (written.h) is an image itself, of the same layout: where texels are, which of them a
 * sample takes and how they are mixed is found by the code that samples, copies and blits, run on the shadow with a format of its own, whose texels are 1 where
 * nobody wrote any bit of them, and 0 else. Threads: as the memory itself. */
#pragma once

#include "abi/shader.h"
#include "runtime/image/image.h"

/* The shadow of an image as commands read and write it. It points into itself, and borrows nothing. */
struct rt_shadow_image {
   struct rt_image image;
   struct rt_format_info infos[3]; /* of its planes */
};
/* False: it has none, or not all of it: then it counts as written. */
UTIL_MUST_CHECK bool rt_shadow_image_init(struct rt_shadow_image *shadow, const struct rt_image *image);
/* Something was copied to the shadow of the image, or will be before anybody looks. */
void rt_shadow_image_changed(const struct rt_image *image);

/* abi_helpers.tex_unwritten, image_unwritten: result[0] is not 0 in lanes that take a texel which nobody wrote, with a weight that is not 0; 0 where the image
 * is not followed. Texels that are stored count as written. The calls' flags have ABI_TEX_UNWRITTEN. */
void rt_tex_unwritten(const struct abi_tex_call *call);
void rt_image_unwritten(const struct abi_image_call *call);

/* Lanes of a block of 4 x 4 texels, contiguous and in the order of abi/image.h, by its shadow: those of `mask` that nobody wrote; and they are written now,
 * or nothing of them is left. */
uint32_t rt_block_find_unwritten(const uint8_t *shadow, uint32_t texel_bytes, uint32_t mask);
void rt_block_set_written(uint8_t *shadow, uint32_t texel_bytes, uint32_t mask, bool is_written);
