/* SPDX-License-Identifier: MIT
 * Products that feed sums become fused multiply-adds, where the shader allows contraction.
 *
 * Requires: simplify has run (so that constants stand second). Does: fadd and fsub of an fmul become fma if both have
 * IR_FP_CONTRACT and the same rounding and denormal rules. Whether the product has other users does not count: what an
 * expression gives depends on the expression alone, so that two shaders that compute a position alike get the same
 * bits. Of two products the first is fused. Preserves: structure. The products may be dead afterwards.
 *
 *    %2 = fmul 1x32 %0, %1 fp=contract
 *    %4 = fadd 1x32 %2, %3 fp=contract    →    %4 = fma 1x32 %0, %1, %3 fp=contract */
#include "compiler/ir/passes.h"

static bool is_fusible(const struct ir_instr *sum, const struct ir_instr *product)
{
   const uint8_t environment = IR_FP_RTZ | IR_FP_FLUSH_DENORM;
   return product->op == IR_fmul && sum->fp & product->fp & IR_FP_CONTRACT &&
          (sum->fp & environment) == (product->fp & environment);
}

static bool try_fuse(struct ir_shader *shader, struct ir_instr *sum)
{
   uint32_t which = 0;
   if (!is_fusible(sum, sum->srcs[0])) {
      if (!is_fusible(sum, sum->srcs[1]))
         return false;
      which = 1;
   }
   const struct ir_instr *product = sum->srcs[which];
   struct ir_instr *x = product->srcs[0], *y = product->srcs[1], *z = sum->srcs[1 - which];
   struct ir_builder b = ir_builder_before(shader, sum);
   b.fp = sum->fp & product->fp;
   if (sum->op == IR_fsub) {
      if (which == 0)
         z = ir_alu1(&b, IR_fneg, z);
      else
         x = ir_alu1(&b, IR_fneg, x);
   }
   sum->forward = ir_alu3(&b, IR_fma, x, y, z);
   ir_remove(sum);
   return true;
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t i = 0; i < it->num_srcs; i++)
         it->srcs[i] = ir_resolve(it->srcs[i]);
      if (it->op == IR_fadd || it->op == IR_fsub)
         has_changed |= try_fuse(shader, it);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
   }
   return has_changed;
}

bool ir_opt_contract(struct ir_shader *shader)
{
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
