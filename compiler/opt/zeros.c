/* SPDX-License-Identifier: MIT
 * Products with the constant zero are zero, and sums with it their other operand, where the shader need not keep NaN, infinities and the signs of zeros:
 * weights of filters and entries of matrices that are zero cost nothing, nor what they are multiplied by.
 *
 * Does: fmul, fma and fadd with IR_FP_ZEROS. Where the source has the zero, and where it shows up as a loop is unrolled; no pass around it looks at the
 * machine, so that every machine does it in the same operations. Preserves: structure.
 *
 *    %2 = fmul 1x32 %0, 0 fp=zeros      →    0
 *    %3 = fadd 1x32 %1, %2 fp=zeros     →    %1 */
#include "compiler/ir/passes.h"

#include "compiler/ir/ir_eval.h"

static bool is_zero(const struct ir_instr *instr)
{
   return ir_is_const(instr) && instr->num_components == 1 && !(instr->imm.c[0] << (64 - instr->bit_size) << 1);
}

/* What replaces an operation; NULL: nothing. */
static struct ir_instr *without_zero(struct ir_shader *shader, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(shader, instr);
   b.fp = instr->fp;
   const bool is_product_zero = instr->op != IR_fadd && (is_zero(instr->srcs[0]) || is_zero(instr->srcs[1]));
   if (instr->op == IR_fmul && is_product_zero)
      return ir_const(&b, instr->bit_size, 0);
   if (instr->fp & IR_FP_FLUSH_DENORM)
      return NULL; /* a sum is no copy */
   if (instr->op == IR_fma && is_product_zero)
      return instr->srcs[2];
   if (instr->op == IR_fadd && is_zero(instr->srcs[0]))
      return instr->srcs[1];
   return instr->op == IR_fadd && is_zero(instr->srcs[1]) ? instr->srcs[0] : NULL;
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t i = 0; i < it->num_srcs; i++)
         it->srcs[i] = ir_resolve(it->srcs[i]);
      const bool is_candidate = (it->op == IR_fmul || it->op == IR_fma || it->op == IR_fadd) && it->fp & IR_FP_ZEROS;
      struct ir_instr *instead = is_candidate ? without_zero(shader, it) : NULL;
      if (instead) {
         it->forward = instead;
         ir_remove(it);
         has_changed = true;
      }
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
   }
   return has_changed;
}

bool ir_opt_zeros(struct ir_shader *shader)
{
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
