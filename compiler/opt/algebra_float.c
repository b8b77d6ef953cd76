/* SPDX-License-Identifier: MIT
 * Identities of floating-point operations. Without flags only those that give the same bits for every input, NaN
 * payloads aside; where denormals are flushed an operation is never a mere copy. */
#include "compiler/opt/algebra.h"

#include "compiler/ir/ir_eval.h"

#include <math.h>

static bool is_float(const struct ir_instr *instr, double value)
{
   return ir_is_const(instr) && instr->num_components == 1 &&
          instr->imm.c[0] == ir_float_from_double(value, instr->bit_size);
}

/* A rounded operation may be replaced by its operand. */
static bool may_copy(const struct ir_instr *instr)
{
   return !(instr->fp & IR_FP_FLUSH_DENORM);
}

static bool has_flags(const struct ir_instr *instr, uint32_t flags)
{
   return (instr->fp & flags) == flags;
}

static struct ir_instr *rule_fadd(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (may_copy(instr) && (is_float(y, -0.0) || (is_float(y, 0.0) && has_flags(instr, IR_FP_NO_SIGNED_ZERO))))
      return x;
   if (y->op == IR_fneg)
      return ir_alu2(b, IR_fsub, x, y->srcs[0]);
   if (x->op == IR_fneg)
      return ir_alu2(b, IR_fsub, y, x->srcs[0]);
   return NULL;
}

static struct ir_instr *rule_fsub(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (may_copy(instr) && (is_float(y, 0.0) || (is_float(y, -0.0) && has_flags(instr, IR_FP_NO_SIGNED_ZERO))))
      return x;
   if (is_float(x, -0.0) || (is_float(x, 0.0) && has_flags(instr, IR_FP_NO_SIGNED_ZERO)))
      return ir_alu1(b, IR_fneg, y);
   if (y->op == IR_fneg)
      return ir_alu2(b, IR_fadd, x, y->srcs[0]);
   return NULL;
}

static struct ir_instr *negated(struct ir_builder *b, const struct ir_instr *constant)
{
   return ir_const(b, constant->bit_size, constant->imm.c[0] ^ UINT64_C(1) << (constant->bit_size - 1));
}

static struct ir_instr *rule_fmul(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (may_copy(instr) && is_float(y, 1.0))
      return x;
   if (is_float(y, -1.0))
      return ir_alu1(b, IR_fneg, x);
   if (x->op == IR_fneg && y->op == IR_fneg)
      return ir_alu2(b, IR_fmul, x->srcs[0], y->srcs[0]);
   if (x->op == IR_fneg && ir_is_const(y))
      return ir_alu2(b, IR_fmul, x->srcs[0], negated(b, y));
   return NULL;
}

static struct ir_instr *rule_fdiv(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   if (may_copy(instr) && is_float(y, 1.0))
      return x;
   if (!ir_is_const(y))
      return NULL;
   int exponent; /* a power of two whose inverse is no denormal: exact */
   const double divisor = ir_float_to_double(y->imm.c[0], y->bit_size);
   const int limit = y->bit_size == 16 ? 14 : y->bit_size == 32 ? 126 : 1022;
   if (isfinite(divisor) && fabs(frexp(divisor, &exponent)) == 0.5 && exponent - 1 <= limit && exponent - 1 >= -limit)
      return ir_alu2(b, IR_fmul, x, ir_const_f(b, y->bit_size, 1.0 / divisor));
   return NULL;
}

static struct ir_instr *rule_fma(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1], *z = instr->srcs[2];
   if (is_float(y, 1.0))
      return ir_alu2(b, IR_fadd, x, z);
   if (x->op == IR_fneg && ir_is_const(y))
      return ir_alu3(b, IR_fma, x->srcs[0], negated(b, y), z);
   if (is_float(z, -0.0) || (is_float(z, 0.0) && has_flags(instr, IR_FP_NO_SIGNED_ZERO)))
      return ir_alu2(b, IR_fmul, x, y);
   return NULL;
}

static struct ir_instr *rule_fneg(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (may_copy(instr) && x->op == IR_fneg)
      return x->srcs[0];
   return NULL;
}

static struct ir_instr *rule_fabs(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (may_copy(instr) && x->op == IR_fabs)
      return x;
   return x->op == IR_fneg ? ir_alu1(b, IR_fabs, x->srcs[0]) : NULL;
}

static struct ir_instr *rule_min_max(struct ir_builder *b, struct ir_instr *instr)
{
   return may_copy(instr) && instr->srcs[0] == instr->srcs[1] ? instr->srcs[0] : NULL;
}

/* Rounding to an integer twice: what is integral stays. */
static struct ir_instr *rule_round(struct ir_builder *b, struct ir_instr *instr)
{
   const enum ir_op op = instr->srcs[0]->op;
   const bool is_integral = op == IR_ffloor || op == IR_fceil || op == IR_ftrunc || op == IR_fround_even;
   return may_copy(instr) && is_integral ? instr->srcs[0] : NULL;
}

static struct ir_instr *rule_f2f(struct ir_builder *b, struct ir_instr *instr)
{
   struct ir_instr *x = instr->srcs[0];
   if (may_copy(instr) && x->bit_size == instr->bit_size)
      return x;
   /* there and back through a wider type */
   if (may_copy(instr) && may_copy(x) && x->op == IR_f2f && x->srcs[0]->bit_size == instr->bit_size &&
       x->bit_size > instr->bit_size)
      return x->srcs[0];
   return NULL;
}

struct ir_instr *ir_algebra_float(struct ir_builder *b, struct ir_instr *instr)
{
   switch ((enum ir_op)instr->op) {
   case IR_fadd:
      return rule_fadd(b, instr);
   case IR_fsub:
      return rule_fsub(b, instr);
   case IR_fmul:
      return rule_fmul(b, instr);
   case IR_fdiv:
      return rule_fdiv(b, instr);
   case IR_fma:
      return rule_fma(b, instr);
   case IR_fneg:
      return rule_fneg(b, instr);
   case IR_fabs:
      return rule_fabs(b, instr);
   case IR_fmin:
   case IR_fmax:
      return rule_min_max(b, instr);
   case IR_ffloor:
   case IR_fceil:
   case IR_ftrunc:
   case IR_fround_even:
      return rule_round(b, instr);
   case IR_f2f:
      return rule_f2f(b, instr);
   default:
      return NULL;
   }
}
