/* SPDX-License-Identifier: MIT
 * A colour attachment as a draw writes it. Spec: The Framebuffer. */
#pragma once

#include "runtime/format/format.h"
#include "runtime/state.h"

enum rt_output_mode { RT_OUTPUT_DIRECT, RT_OUTPUT_BLEND, RT_OUTPUT_LOGIC };

/* What rt_unorm_decode() and rt_unorm_encode() know of a number of bits, up to 16. */
struct rt_unorm {
   float head, tail, max;
};

/* One colour attachment that a draw writes. */
struct rt_output {
   uint8_t attachment;
   uint8_t location;   /* of the shader's outputs */
   uint8_t dual_slot;  /* of the outputs: the second source's first component */
   uint8_t mode;       /* enum rt_output_mode */
   uint8_t logic_op;   /* VkLogicOp */
   uint8_t write_mask; /* VkColorComponentFlags */
   bool has_full_mask; /* all bits of a texel are written */
   bool makes_one_nan;      /* of what the shader gives: a float format, where a NaN is not data */
   bool is_unorm, is_snorm; /* blending clamps its operands to [0, 1] or [-1, 1] */
   uint8_t missing;         /* components that count and that the shader does not write: zero */
   uint8_t texels;          /* enum rt_texels_class; this and `unorm` by rt_texels_init() */
   struct rt_unorm unorm[4]; /* of the channels that are UNORM */
   uint8_t blend_routine, store_routine; /* by rt_blend_routine() and rt_store_routine() */
   struct rt_blend_attachment blend;
   struct rt_blend_advanced advanced; /* op 0: it is `blend` that counts */
   const struct rt_format_info *info;
   float constants[4]; /* of blending, clamped to what the format holds */
   uint8_t bits[16];   /* of a texel: those that write_mask lets through */
};

/* Components of the shader's output that decide what is written to an attachment of that format: VkColorComponentFlags. */
uint32_t rt_output_components(const struct rt_state *state, VkFormat format, uint32_t attachment);
