/* SPDX-License-Identifier: MIT
 * The output merger: what happens to a block's colours between the fragment shader and the attachment.
 * Spec: The Framebuffer. */
#pragma once

#include "runtime/draw/output.h"
#include "runtime/fragment/surface.h"

#include <string.h>

struct rt_target;
/* Fills one output per attachment that a draw writes and returns their number. `written`: bits over the outputs of the
 * shader, fs; NULL: there is none. */
uint32_t rt_output_init(struct rt_output outputs[ABI_MAX_ATTACHMENTS], const struct rt_state *state,
                        const struct rt_target *target, uint64_t written, const struct abi_shader_info *fs);

/* Zeroes components that the shader does not write. */
static inline void rt_output_zero_missing(const struct rt_output *output, uint32_t (*planes)[16])
{
   for (uint32_t c = 0; output->missing >> c; c++)
      if (output->missing >> c & 1)
         memset(planes[c], 0, sizeof(planes[c]));
}

/* Writes the lanes masks[s] of each sample s. planes: [4][16] of this location; dual: the second source's, which blending may look at. */
void rt_output_block(const struct rt_output *output, const struct rt_surface *surface, uint32_t bx, uint32_t by,
                     const uint16_t *masks, uint32_t num_samples, const uint32_t (*planes)[16],
                     const uint32_t (*dual)[16]);

/* result = blend(planes, dst), all [4][16] floats. */
void rt_blend_block(const struct rt_output *output, const float (*planes)[16], const float (*dual)[16],
                    const float (*dst)[16], float (*result)[16]);
/* 16 values a block of each channel. */
struct rt_advanced_operands {
   const char *src;         /* of the first block: [4][16] floats, clamped to what the format holds */
   size_t src_stride_bytes; /* to the next block */
   float (*dst[4])[16];     /* [num_blocks] a channel; the result replaces them */
   uint32_t num_blocks;
};
/* Blends by output->advanced. Spec: The Framebuffer, "Advanced Blend Operations". */
void rt_advanced_run(const struct rt_output *output, const struct rt_advanced_operands *operands);
/* Number of the routine that blends by the output's equation into its format; needs rt_texels_init(). */
uint8_t rt_blend_routine(const struct rt_output *output);
/* Number of the routine that stores to the output's format; needs rt_texels_init(). */
uint8_t rt_store_routine(const struct rt_output *output);
/* A block to blend: 16 texels, of which those of `mask` change. */
struct rt_blend_item {
   uint8_t *texels;
   const float (*planes)[16]; /* [4] that the shader gave */
   const float (*dual)[16];   /* the second source's, looked at where a factor says so */
   uint32_t mask;
};
/* Blends blocks into texels: the same bits as by rt_blend_block(). */
void rt_blend_texels(const struct rt_output *output, const struct rt_blend_item *items, uint32_t count);
/* dst = op(src, dst) on the bytes of 16 packed texels. */
void rt_logic_block(VkLogicOp op, const void *src, const void *dst, void *result, uint32_t size_bytes);
