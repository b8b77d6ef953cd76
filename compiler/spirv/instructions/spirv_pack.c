/* SPDX-License-Identifier: MIT
 * Vectors that are packed into a word and unpacked, by GLSL.std.450: formulas, as one is up to thirty operations.
 * Spec: "SPIR-V Extended Instructions for GLSL", PackSnorm4x8 to UnpackHalf2x16. */
#include "compiler/ir/passes.h"
#include "compiler/spirv/instructions/spirv_formula.h"
#include "compiler/spirv/instructions/spirv_instructions.h"

#include <spirv/unified1/GLSL.std.450.h>

struct packing {
   uint16_t pack, unpack; /* instructions */
   uint8_t count;         /* components in a word */
   bool is_signed, is_half;
};

static const struct packing packings[] = {
   {.pack = GLSLstd450PackSnorm4x8, .unpack = GLSLstd450UnpackSnorm4x8, .count = 4, .is_signed = true},
   {.pack = GLSLstd450PackUnorm4x8, .unpack = GLSLstd450UnpackUnorm4x8, .count = 4},
   {.pack = GLSLstd450PackSnorm2x16, .unpack = GLSLstd450UnpackSnorm2x16, .count = 2, .is_signed = true},
   {.pack = GLSLstd450PackUnorm2x16, .unpack = GLSLstd450UnpackUnorm2x16, .count = 2},
   {.pack = GLSLstd450PackHalf2x16, .unpack = GLSLstd450UnpackHalf2x16, .count = 2, .is_half = true},
};

static struct ir_instr *number(struct spirv_ctx *t, double value)
{
   return ir_const_f(&t->b, 32, value);
}

static struct ir_instr *clamp(struct spirv_ctx *t, struct ir_instr *x, double low)
{
   return ir_alu2(&t->b, IR_fmin, ir_alu2(&t->b, IR_fmax, x, number(t, low)), number(t, 1));
}

/* What 1 is packed as. */
static double scale_of(const struct packing *packing)
{
   return (double)((1u << (32 / packing->count - packing->is_signed)) - 1);
}

static struct ir_instr *packed_part(struct spirv_ctx *t, const struct packing *packing, struct ir_instr *x)
{
   if (packing->is_half)
      return ir_convert(&t->b, IR_f2f, 16, x);
   struct ir_instr *scaled = ir_alu2(&t->b, IR_fmul, clamp(t, x, packing->is_signed ? -1 : 0), number(t, scale_of(packing)));
   struct ir_instr *rounded = ir_alu1(&t->b, IR_fround_even, scaled);
   return ir_convert(&t->b, IR_u2u, 32 / packing->count, ir_convert(&t->b, packing->is_signed ? IR_f2i : IR_f2u, 32, rounded));
}

static void write_pack(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   const struct packing *packing = &packings[formula->others];
   struct ir_instr *parts[4];
   for (uint32_t c = 0; c < packing->count; c++)
      parts[c] = packed_part(t, packing, operands[c]);
   results[0] = ir_emit(&t->b, IR_pack, 1, 32, packing->count, parts);
}

/* Of all numbers that are packed the product is the quotient, to the bit (tests/compiler/opt/simplify_test.c). */
static struct ir_instr *divided(struct spirv_ctx *t, struct ir_instr *x, double scale)
{
   struct ir_instr *by = number(t, scale);
   return t->b.fp & (IR_FP_RTZ | IR_FP_FLUSH_DENORM) ? ir_alu2(&t->b, IR_fdiv, x, by) : ir_divide_by_constant(&t->b, x, by);
}

static struct ir_instr *unpacked_part(struct spirv_ctx *t, const struct packing *packing, struct ir_instr *part)
{
   if (packing->is_half) { /* one that is denormal may have to be flushed */
      part = t->b.fp & IR_FP_FLUSH_DENORM ? ir_convert(&t->b, IR_f2f, 16, part) : part;
      return ir_convert(&t->b, IR_f2f, 32, part);
   }
   struct ir_instr *wide = spirv_resize(t, part, 32, packing->is_signed);
   struct ir_instr *value = divided(t, ir_convert(&t->b, packing->is_signed ? IR_i2f : IR_u2f, 32, wide), scale_of(packing));
   return packing->is_signed ? clamp(t, value, -1) : value;
}

static void write_unpack(struct spirv_ctx *t, const struct spirv_formula *formula, struct ir_instr *const *operands, struct ir_instr **results)
{
   const struct packing *packing = &packings[formula->others];
   for (uint32_t c = 0; c < packing->count; c++) {
      struct ir_instr *part = ir_emit(&t->b, IR_unpack, 1, 32 / packing->count, 1, operands);
      part->imm.u[0] = c;
      results[c] = unpacked_part(t, packing, part);
   }
}

bool spirv_pack(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t instruction = spirv_word(t, in, 4);
   uint32_t i = 0;
   while (i < UTIL_ARRAY_SIZE(packings) && packings[i].pack != instruction && packings[i].unpack != instruction)
      i++;
   if (i == UTIL_ARRAY_SIZE(packings))
      return false;
   const struct packing *packing = &packings[i];
   const bool packs = instruction == packing->pack;
   const uint32_t num_operands = packs ? packing->count : 1, num_results = packs ? 1 : packing->count;
   struct spirv_formula formula = {.write = packs ? write_pack : write_unpack, .others = (uint8_t)i, .has_bits = true,
                                   .num_operands = (uint8_t)num_operands, .num_results = (uint8_t)num_results};
   struct ir_instr *const *operands = spirv_comps_of(t, spirv_word(t, in, 5), num_operands), *results[4];
   const struct spirv_type *type = spirv_result_type(t, in);
   if (operands[0]->bit_size != 32 || !spirv_is_scalar_or_vector(type) || spirv_leaf_count(t, type) != num_results)
      spirv_fail(t, "GLSL.std.450: packing of what is not of 32 bits, or unpacking to a type that does not fit");
   if (packing->is_half) /* of 32 bits is to nearest; halves may have another environment */
      t->b.fp = packs ? 0 : t->fp_by_width[0] & IR_FP_FLUSH_DENORM;
   spirv_apply(t, &formula, operands, results);
   spirv_set_result(t, in, num_results, results);
   return true;
}
