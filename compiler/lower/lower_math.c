/* SPDX-License-Identifier: MIT
 * Transcendental functions, remainders, ldexp and frexp become sequences of basic operations.
 *
 * Requires: nothing. Does: replaces each of these operations, but those that are calls (outline.c); 16-bit ones are computed in 32 bits and rounded at the
 * end. Transcendental functions of 64 bits stay: the front end does not let them through. Errors are far below what
 * Vulkan asks for ("Precision and Operation of SPIR-V Instructions"); tests/compiler/lower measures them. Preserves:
 * structure, but large arguments of sine and cosine, and rare ones of logarithms, get an `if`.
 *
 * Where denormals are to be flushed, the last operation flushes. */
#include "compiler/lower/lower_math.h"

#include "compiler/ir/passes.h"

typedef struct ir_instr *lower_fn(struct math *m, const struct ir_instr *instr);

static lower_fn *const lowerings[IR_NUM_OPS] = {
   [IR_fmod] = ir_lower_math_basic,
   [IR_frem] = ir_lower_math_basic,
   [IR_fldexp] = ir_lower_math_basic,
   [IR_ffrexp_sig] = ir_lower_math_basic,
   [IR_ffrexp_exp] = ir_lower_math_basic,
   [IR_fexp2] = ir_lower_math_exp,
   [IR_fexp] = ir_lower_math_exp,
   [IR_fsinh] = ir_lower_math_exp,
   [IR_fcosh] = ir_lower_math_exp,
   [IR_ftanh] = ir_lower_math_exp,
   [IR_flog2] = ir_lower_math_log,
   [IR_flog] = ir_lower_math_log,
   [IR_fpow] = ir_lower_math_log,
   [IR_fasinh] = ir_lower_math_log,
   [IR_facosh] = ir_lower_math_log,
   [IR_fatanh] = ir_lower_math_log,
   [IR_fsin] = ir_lower_math_trig,
   [IR_fcos] = ir_lower_math_trig,
   [IR_ftan] = ir_lower_math_trig,
   [IR_fasin] = ir_lower_math_arc,
   [IR_facos] = ir_lower_math_arc,
   [IR_fatan] = ir_lower_math_arc,
   [IR_fatan2] = ir_lower_math_arc,
};

/* A copy of the instruction that takes and gives 32-bit floats. */
static struct ir_instr *widen(struct math *m, const struct ir_instr *instr)
{
   struct ir_instr *srcs[2];
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = instr->srcs[i]->bit_size == 16 ? ir_convert(&m->b, IR_f2f, 32, instr->srcs[i]) : instr->srcs[i];
   return ir_instr_create(m->b.shader, instr->op, 1, 32, instr->num_srcs, srcs);
}

static void lower(struct math *m, struct ir_instr *instr)
{
   lower_fn *function = lowerings[instr->op];
   const bool is_half = instr->srcs[0]->bit_size == 16;
   const uint8_t fp = instr->fp;

   m->b = ir_builder_before(m->b.shader, instr);
   m->b.fp = 0;
   struct ir_instr *value = function(m, is_half ? widen(m, instr) : instr);
   if (instr->bit_size == 16)
      value = ir_convert(&m->b, IR_f2f, 16, value);
   if (fp & IR_FP_FLUSH_DENORM && instr->op != IR_ffrexp_exp) {
      m->b.fp = IR_FP_FLUSH_DENORM;
      value = ir_alu2(&m->b, IR_fmul, value, ir_const_f(&m->b, instr->bit_size, 1.0));
   }
   instr->forward = value;
   ir_remove(instr);
}

static bool process_region(struct math *m, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH(it, region) {
      for (uint32_t i = 0; i < it->num_srcs; i++)
         it->srcs[i] = ir_resolve(it->srcs[i]);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(m, it->imm.cf.regions[r]);
      const bool is_wide = it->num_srcs && it->srcs[0]->bit_size == 64;
      if (lowerings[it->op] && !it->routine && (!is_wide || lowerings[it->op] == ir_lower_math_basic)) {
         lower(m, it);
         has_changed = true;
      }
   }
   return has_changed;
}

bool ir_can_lower_math(const struct ir_instr *instr)
{
   return lowerings[instr->op] && lowerings[instr->op] != ir_lower_math_basic && instr->srcs[0]->bit_size < 64;
}

bool ir_lower_math(struct ir_shader *shader)
{
   struct math m = {.b.shader = shader, .reductions.arena = shader->arena};
   const bool has_changed = process_region(&m, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
