/* SPDX-License-Identifier: MIT
 * Bits are followed one by one through operations on bits, so that a word whose halves are written one by one is as defined as its halves; arithmetic
 * mixes them: an undefined bit of a source makes the result undefined somewhere, and where does not matter to those who ask. */
#include "compiler/instrument/undefined.h"

struct ir_instr *ir_undefined_none(struct ir_builder *b, uint32_t num_components, uint32_t bit_size)
{
   struct ir_instr *zero = ir_const(b, bit_size, 0), *components[4] = {zero, zero, zero, zero};
   return num_components == 1 ? zero : ir_vec(b, num_components, components);
}

static struct ir_instr *ones(struct ir_builder *b, uint32_t bit_size)
{
   return ir_const(b, bit_size, bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << bit_size) - 1);
}

struct ir_instr *ir_undefined_all(struct ir_builder *b, uint32_t num_components, uint32_t bit_size)
{
   struct ir_instr *all = ones(b, bit_size), *components[4] = {all, all, all, all};
   return num_components == 1 ? all : ir_vec(b, num_components, components);
}

struct ir_instr *ir_any_undefined(struct ir_builder *b, struct ir_instr *undefined, uint32_t components)
{
   struct ir_instr *any = NULL;
   for (uint32_t i = 0; i < undefined->num_components; i++) {
      if (!(components >> i & 1))
         continue;
      struct ir_instr *one = ir_extract(b, undefined, i);
      one = one->bit_size == 1 ? one : ir_alu2(b, IR_ine, one, ir_const(b, one->bit_size, 0));
      any = any ? ir_alu2(b, IR_ior, any, one) : one;
   }
   return any ? any : ir_const(b, 1, 0);
}

enum rule { GENERIC, OR, MULTIPLY, AND_RULE, OR_RULE, SHIFT, SAME_OPERATION, FIELD, SELECT, VECTOR, EXTRACT, SHUFFLE, REDUCE };

static const uint8_t rules[IR_NUM_OPS] = {
   [IR_iadd] = OR, [IR_isub] = OR, [IR_imul] = MULTIPLY, [IR_ineg] = OR, [IR_ixor] = OR, [IR_inot] = OR, [IR_fadd] = OR, [IR_fsub] = OR,
   [IR_fmul] = OR, [IR_fdiv] = OR, [IR_fma] = OR, [IR_fneg] = OR, [IR_fmin] = OR, [IR_fmax] = OR, [IR_ddx] = OR, [IR_ddy] = OR,
   [IR_iand] = AND_RULE, [IR_ior] = OR_RULE, [IR_ishl] = SHIFT, [IR_ishr] = SHIFT, [IR_ushr] = SHIFT,
   [IR_u2u] = SAME_OPERATION, [IR_i2i] = SAME_OPERATION, [IR_pack] = SAME_OPERATION, [IR_unpack] = SAME_OPERATION,
   [IR_bitreverse] = SAME_OPERATION, [IR_read_first] = SAME_OPERATION, [IR_ubfe] = FIELD, [IR_ibfe] = FIELD, [IR_bfi] = FIELD,
   [IR_select] = SELECT, [IR_vec] = VECTOR, [IR_extract] = EXTRACT, [IR_shuffle] = SHUFFLE, [IR_reduce] = REDUCE, [IR_reduce_part] = REDUCE,
};

bool ir_carries_undefined(const struct ir_instr *instr)
{
   return instr->num_components && (rules[instr->op] != GENERIC || ir_info(instr)->flags & IR_SCALAR);
}

static struct ir_instr *or_none(struct ir_builder *b, struct ir_instr *undefined, const struct ir_instr *like)
{
   return undefined ? undefined : ir_undefined_none(b, like->num_components, like->bit_size);
}

static struct ir_instr *join(struct ir_builder *b, struct ir_instr *x, struct ir_instr *y)
{
   return !x ? y : !y ? x : ir_alu2(b, IR_ior, x, y);
}

/* All of it where the condition, one bit, holds. */
static struct ir_instr *all_where(struct ir_builder *b, struct ir_instr *condition, uint32_t bit_size)
{
   return bit_size == 1 ? condition : ir_select(b, condition, ones(b, bit_size), ir_const(b, bit_size, 0));
}

static struct ir_instr *generic(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   struct ir_instr *any = NULL;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      if (undefined[i])
         any = join(b, any, ir_any_undefined(b, undefined[i], UINT32_MAX));
   }
   return any ? all_where(b, any, instr->bit_size) : NULL;
}

static struct ir_instr *or_of_all(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   struct ir_instr *result = NULL;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      result = join(b, result, undefined[i]);
   return result;
}

/* By a power of two is a shift, as indices of arrays go. */
static struct ir_instr *multiplied(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   for (uint32_t i = 0; i < 2; i++) {
      struct ir_instr *factor = instr->srcs[1 - i];
      const bool is_shift = instr->num_components == 1 && ir_is_const(factor) && factor->imm.c[0] && !(factor->imm.c[0] & (factor->imm.c[0] - 1));
      if (is_shift && undefined[i])
         return ir_alu2(b, IR_imul, undefined[i], factor);
   }
   return or_of_all(b, instr, undefined);
}

/* A zero decides a conjunction whatever the other operand is, a one a disjunction. */
static struct ir_instr *logic(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined, bool is_and)
{
   struct ir_instr *both = undefined[0] && undefined[1] ? ir_alu2(b, IR_iand, undefined[0], undefined[1]) : NULL;
   for (uint32_t i = 0; i < 2; i++) {
      struct ir_instr *value = instr->srcs[1 - i];
      if (undefined[i])
         both = join(b, both, ir_alu2(b, IR_iand, undefined[i], is_and ? value : ir_alu1(b, IR_inot, value)));
   }
   return both;
}

static struct ir_instr *same_operation(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined, uint32_t num_values)
{
   struct ir_instr *srcs[8];
   if (instr->num_srcs > UTIL_ARRAY_SIZE(srcs))
      return generic(b, instr, undefined);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = i < num_values ? or_none(b, undefined[i], instr->srcs[i]) : instr->srcs[i];
   struct ir_instr *result = ir_emit(b, instr->op, instr->num_components, instr->bit_size, instr->num_srcs, srcs);
   result->imm = instr->imm;
   return result;
}

/* Sources behind the values say where they go. */
static struct ir_instr *moved(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined, uint32_t num_values)
{
   bool has_value = false;
   for (uint32_t i = 0; i < num_values; i++)
      has_value |= undefined[i] != NULL;
   struct ir_instr *result = has_value ? same_operation(b, instr, undefined, num_values) : NULL;
   for (uint32_t i = num_values; i < instr->num_srcs; i++) {
      if (undefined[i])
         result = join(b, result, all_where(b, ir_any_undefined(b, undefined[i], UINT32_MAX), instr->bit_size));
   }
   return result;
}

static struct ir_instr *selected(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   struct ir_instr *result = NULL;
   if (instr->num_components != 1)
      return generic(b, instr, undefined);
   if (undefined[1] || undefined[2])
      result = ir_select(b, instr->srcs[0], or_none(b, undefined[1], instr), or_none(b, undefined[2], instr));
   return undefined[0] ? join(b, result, all_where(b, undefined[0], instr->bit_size)) : result;
}

static struct ir_instr *reduced(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   struct ir_instr *result = undefined[0] ? same_operation(b, instr, undefined, 1) : NULL;
   if (result)
      result->imm.u[0] = ABI_ATOMIC_OR;
   return result;
}

struct ir_instr *ir_undefined_bits(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *const *undefined)
{
   switch ((enum rule)rules[instr->op]) {
   case GENERIC: return generic(b, instr, undefined);
   case OR: return or_of_all(b, instr, undefined);
   case MULTIPLY: return multiplied(b, instr, undefined);
   case AND_RULE: return logic(b, instr, undefined, true);
   case OR_RULE: return logic(b, instr, undefined, false);
   case SHIFT: return moved(b, instr, undefined, 1);
   case SAME_OPERATION: return moved(b, instr, undefined, instr->num_srcs);
   case FIELD: return moved(b, instr, undefined, instr->op == IR_bfi ? 2 : 1);
   case SELECT: return selected(b, instr, undefined);
   case VECTOR: return moved(b, instr, undefined, instr->num_srcs);
   case EXTRACT: return undefined[0] ? ir_extract(b, undefined[0], instr->imm.u[0]) : NULL;
   case SHUFFLE: return moved(b, instr, undefined, 1);
   case REDUCE: return reduced(b, instr, undefined);
   }
   return NULL;
}
