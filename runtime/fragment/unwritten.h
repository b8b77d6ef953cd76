/* SPDX-License-Identifier: MIT
 * `uninit` of attachments, texel by texel: blending, logic operations and tests that read what nobody wrote, and what clears, tests and the output merger
 * write. Nothing is called where target->follows_writes is not set. Spec: The Framebuffer; Fragment Operations. */
#pragma once

#include "abi/probe.h"
#include "runtime/fragment/tile.h"

/* What says which of its texels nobody wrote: the shadow of the attachment's memory; or of that of the tile's own the bytes behind it, so many: then nothing
 * is written yet. */
void rt_tile_follow(struct rt_surface *surface, size_t local_bytes);
/* Lanes of a sample of a block that read a texel of an attachment, and may be found to be the first ones that do so; and those that have written it. `surface`
 * is the attachment's, of the tile. */
void rt_tile_read(struct rt_tile *tile, const struct rt_surface *surface, uint32_t attachment, enum abi_attachment_use use, uint32_t bx, uint32_t by,
                  uint32_t sample, uint32_t mask);
void rt_tile_written(const struct rt_surface *surface, uint32_t bx, uint32_t by, uint32_t sample, uint32_t mask);
/* The same of all samples of one colour that is merged into its attachment: before, and behind it. planes: [4][16] of the colour. */
void rt_tile_merges(struct rt_tile *tile, const struct rt_output *output, uint32_t bx, uint32_t by, const uint16_t *masks, const uint32_t (*planes)[16]);
void rt_tile_merged(const struct rt_tile *tile, const struct rt_output *output, uint32_t bx, uint32_t by, const uint16_t *masks);
/* Of a block of `from`, which has samples, what `to` gets in lanes `mask`: it is written where all samples are. */
void rt_tile_resolved(const struct rt_surface *from, const struct rt_surface *to, uint32_t bx, uint32_t by, uint32_t mask);
/* A rectangle, in texels of the tile, that is cleared. */
void rt_tile_cleared(const struct rt_surface *surface, int32_t x0, int32_t y0, int32_t x1, int32_t y1);
/* Blending, a logic operation or the shader reads a colour attachment. */
bool rt_context_reads_colors(const struct rt_context *c);
/* Where depths of the tile are unwritten, hierarchical Z must not hide who reads them: it finds no bounds of depth. */
void rt_tile_hold_hiz(struct rt_tile *tile);
/* Stencil operations that read what was there, or write. */
bool rt_stencil_op_reads(VkStencilOp op);
bool rt_comparison_reads(VkCompareOp op);
