/* SPDX-License-Identifier: MIT
 * Which values all invocations share, whatever they branch on: constants, what comes from the workgroup's number, push constants and buffers at such
 * offsets, and arithmetic on those. Code makes them once for many vectors, in front of them, unless stores come before loads (llvm/cg_level.c). */
#include "compiler/opt/shared.h"

static bool is_shared_sysval(const struct ir_instr *instr)
{
   const uint64_t shared = UINT64_C(1) << IR_SYSVAL_WORKGROUP_ID | UINT64_C(1) << IR_SYSVAL_NUM_WORKGROUPS | UINT64_C(1) << IR_SYSVAL_BASE_VERTEX |
                           UINT64_C(1) << IR_SYSVAL_BASE_INSTANCE | UINT64_C(1) << IR_SYSVAL_DRAW_INDEX | UINT64_C(1) << IR_SYSVAL_VIEW_INDEX;
   return shared >> instr->imm.u[0] & 1;
}

bool ir_shares(const struct ir_instr *instr)
{
   if (instr->op == IR_sysval)
      return is_shared_sysval(instr);
   if (instr->op == IR_interp || instr->op == IR_load_input || instr->op == IR_load_vertex)
      return false;
   if (instr->op == IR_load_buffer)
      return !(instr->imm.u[0] & (IR_ACCESS_VOLATILE | IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT));
   return (ir_info(instr)->flags & (IR_PURE | IR_CROSS)) == IR_PURE && instr->op != IR_param && instr->op != IR_result;
}

static void mark(struct ir_instr *instr, void *data)
{
   bool is_shared = !ir_is_construct(instr) && !ir_is_jump(instr) && ir_shares(instr);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      is_shared = is_shared && instr->srcs[i]->pass_flags & IR_SHARED;
   instr->pass_flags = is_shared ? IR_SHARED : 0;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         instr->imm.cf.regions[r]->params[i]->pass_flags = 0;
   }
}

void ir_mark_shared(struct ir_shader *shader)
{
   ir_for_each(shader, mark, NULL);
}
