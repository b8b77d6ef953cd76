/* SPDX-License-Identifier: MIT
 * Derivatives: differences between the fragments of a quad.
 * Spec: SPIR-V, "Derivative Instructions"; SPV_AMD_gpu_shader_half_float. */
#include "compiler/spirv/instructions/spirv_instructions.h"

/* The difference of two halves is taken in 32 bits, which have more than twice the bits of a half: it is that of halves once it is rounded to one. */
static struct ir_instr *derive(struct spirv_ctx *t, enum ir_op op, bool is_fine, struct ir_instr *x)
{
   const uint32_t bits = x->bit_size;
   struct ir_instr *result = ir_alu1(&t->b, op, bits == 16 ? ir_convert(&t->b, IR_f2f, 32, x) : x);
   result->imm.u[0] = is_fine;
   return bits == 16 ? ir_convert(&t->b, IR_f2f, 16, result) : result;
}

bool spirv_derivative(struct spirv_ctx *t, const struct spirv_instr *in)
{
   bool is_fine = false;
   enum { X, Y, WIDTH } which;
   switch (in->op) {
   case SpvOpDPdxFine: is_fine = true; which = X; break;
   case SpvOpDPdx:
   case SpvOpDPdxCoarse: which = X; break;
   case SpvOpDPdyFine: is_fine = true; which = Y; break;
   case SpvOpDPdy:
   case SpvOpDPdyCoarse: which = Y; break;
   case SpvOpFwidthFine: is_fine = true; which = WIDTH; break;
   case SpvOpFwidth:
   case SpvOpFwidthCoarse: which = WIDTH; break;
   default: return false;
   }
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count), **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      if (which != WIDTH) {
         comps[i] = derive(t, which == X ? IR_ddx : IR_ddy, is_fine, x[i]);
         continue;
      }
      comps[i] = ir_alu2(&t->b, IR_fadd, ir_alu1(&t->b, IR_fabs, derive(t, IR_ddx, is_fine, x[i])),
                         ir_alu1(&t->b, IR_fabs, derive(t, IR_ddy, is_fine, x[i])));
   }
   spirv_set_result(t, in, count, comps);
   return true;
}
