/* SPDX-License-Identifier: MIT
 * Atomic instructions. All are sequentially consistent in effect: scopes and semantics ask for less.
 * Spec: SPIR-V, "Atomic Instructions". */
#include "compiler/spirv/spirv_instructions.h"

/* Which IR atomic an opcode is, and what it does with its value. */
struct atomic_row {
   uint16_t op; /* SpvOp */
   uint8_t atomic;
   enum { VALUE, NEGATED, ONE, MINUS_ONE, COMPARE } data;
};

static const struct atomic_row rows[] = {
   {SpvOpAtomicExchange, IR_ATOMIC_XCHG, VALUE},
   {SpvOpAtomicCompareExchange, IR_ATOMIC_CMPXCHG, COMPARE},
   {SpvOpAtomicCompareExchangeWeak, IR_ATOMIC_CMPXCHG, COMPARE},
   {SpvOpAtomicIIncrement, IR_ATOMIC_IADD, ONE},
   {SpvOpAtomicIDecrement, IR_ATOMIC_IADD, MINUS_ONE},
   {SpvOpAtomicIAdd, IR_ATOMIC_IADD, VALUE},
   {SpvOpAtomicISub, IR_ATOMIC_IADD, NEGATED},
   {SpvOpAtomicSMin, IR_ATOMIC_IMIN, VALUE},
   {SpvOpAtomicUMin, IR_ATOMIC_UMIN, VALUE},
   {SpvOpAtomicSMax, IR_ATOMIC_IMAX, VALUE},
   {SpvOpAtomicUMax, IR_ATOMIC_UMAX, VALUE},
   {SpvOpAtomicAnd, IR_ATOMIC_AND, VALUE},
   {SpvOpAtomicOr, IR_ATOMIC_OR, VALUE},
   {SpvOpAtomicXor, IR_ATOMIC_XOR, VALUE},
   {SpvOpAtomicFAddEXT, IR_ATOMIC_FADD, VALUE},
   {SpvOpAtomicFMinEXT, IR_ATOMIC_FMIN, VALUE},
   {SpvOpAtomicFMaxEXT, IR_ATOMIC_FMAX, VALUE},
};

static uint32_t volatile_bit(struct spirv_ctx *t, uint32_t semantics_id)
{
   return spirv_constant_u32(t, semantics_id) & SpvMemorySemanticsVolatileMask ? IR_ACCESS_VOLATILE : 0;
}

/* What an atomic works on, a value of `type`. Where an untyped pointer is not known to be aligned, the bits that must be zero are: no atomic
 * ever crosses two cache lines. */
static struct spirv_pointer atomic_pointer(struct spirv_ctx *t, uint32_t id, const struct spirv_type *type)
{
   struct spirv_pointer pointer = spirv_pointer_to(t, id, type);
   const uint32_t bytes = type->bits / 8;
   if (!spirv_value_type(t, id)->is_untyped || pointer.kind == SPIRV_PTR_TEXEL || spirv_pointer_align(&pointer, 0) >= bytes)
      return pointer;
   struct ir_instr *offset = spirv_pointer_offset(t, &pointer, 0);
   offset = ir_alu2(&t->b, IR_iand, offset, ir_const(&t->b, offset->bit_size, -(uint64_t)bytes));
   pointer.offset = 0;
   pointer.dyn = NULL;
   if (pointer.kind == SPIRV_PTR_GLOBAL)
      pointer.addr = offset;
   else
      pointer.dyn = offset;
   pointer.align = bytes;
   return pointer;
}

static struct ir_instr *emit_atomic(struct spirv_ctx *t, const struct spirv_pointer *p, enum ir_atomic atomic,
                                    uint32_t bits, uint32_t num_data, struct ir_instr *const *data)
{
   struct ir_instr *srcs[5];
   uint32_t n = 0;
   enum ir_op op;
   switch (p->kind) {
   case SPIRV_PTR_BUFFER:
      op = IR_atomic_buffer;
      srcs[n++] = p->addr;
      srcs[n++] = p->size;
      break;
   case SPIRV_PTR_GLOBAL:
      op = IR_atomic_global;
      break;
   case SPIRV_PTR_SHARED:
      op = IR_atomic_shared;
      break;
   case SPIRV_PTR_TEXEL:
      return spirv_texel_atomic(t, p, atomic, bits, num_data, data);
   default:
      spirv_fail(t, "atomic on a pointer of kind %u", p->kind);
   }
   srcs[n++] = spirv_pointer_offset(t, p, 0);
   for (uint32_t i = 0; i < num_data; i++)
      srcs[n++] = data[i];
   struct ir_instr *instr = ir_emit(&t->b, op, 1, bits, n, srcs);
   instr->imm.u[0] = atomic;
   instr->imm.u[1] = p->access & ~(uint32_t)IR_ACCESS_READ_ONLY;
   return instr;
}

static void translate_row(struct spirv_ctx *t, const struct spirv_instr *in, const struct atomic_row *row)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   if (!spirv_is_scalar(type))
      spirv_fail(t, "%s of a type that is not scalar", spirv_op_name(in->op));
   struct spirv_pointer pointer = atomic_pointer(t, spirv_word(t, in, 3), type);
   pointer.access |= volatile_bit(t, spirv_word(t, in, 5));

   struct ir_instr *data[2];
   uint32_t num_data = 1;
   switch (row->data) {
   case VALUE: data[0] = spirv_scalar(t, spirv_word(t, in, 6)); break;
   case NEGATED: data[0] = ir_alu1(&t->b, IR_ineg, spirv_scalar(t, spirv_word(t, in, 6))); break;
   case ONE: data[0] = ir_const(&t->b, type->bits, 1); break;
   case MINUS_ONE: data[0] = ir_const(&t->b, type->bits, UINT64_MAX); break;
   case COMPARE:
      data[0] = spirv_scalar(t, spirv_word(t, in, 7));
      data[1] = spirv_scalar(t, spirv_word(t, in, 8));
      num_data = 2;
      break;
   }
   for (uint32_t i = 0; i < num_data; i++) {
      if (data[i]->bit_size != type->bits)
         spirv_fail(t, "%s: the operand does not fit", spirv_op_name(in->op));
   }
   struct ir_instr *result = emit_atomic(t, &pointer, row->atomic, type->bits, num_data, data);
   spirv_set_result(t, in, 1, &result);
}

static void atomic_load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer pointer = atomic_pointer(t, spirv_word(t, in, 3), spirv_result_type(t, in));
   if (pointer.kind == SPIRV_PTR_TEXEL) {
      struct ir_instr *value = spirv_texel_load(t, &pointer);
      spirv_set_result(t, in, 1, &value);
      return;
   }
   if (!spirv_is_scalar(pointer.type))
      spirv_fail(t, "OpAtomicLoad of a type that is not scalar");
   pointer.access |= IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT | volatile_bit(t, spirv_word(t, in, 5));
   pointer.align = UTIL_MAX(pointer.align, pointer.type->bits / 8);
   spirv_set_value(t, spirv_word(t, in, 2), spirv_load(t, &pointer));
}

static void atomic_store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 4));
   struct spirv_pointer pointer = atomic_pointer(t, spirv_word(t, in, 1), val->type);
   if (pointer.kind == SPIRV_PTR_TEXEL) {
      spirv_texel_store(t, &pointer, spirv_comps(t, val)[0]);
      return;
   }
   if (!spirv_is_scalar(pointer.type))
      spirv_fail(t, "OpAtomicStore of a type that is not scalar");
   pointer.access |= IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT | volatile_bit(t, spirv_word(t, in, 3));
   pointer.align = UTIL_MAX(pointer.align, pointer.type->bits / 8);
   spirv_store(t, &pointer, val);
}

bool spirv_atomic(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op == SpvOpAtomicLoad) {
      atomic_load(t, in);
      return true;
   }
   if (in->op == SpvOpAtomicStore) {
      atomic_store(t, in);
      return true;
   }
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].op == in->op) {
         translate_row(t, in, &rows[i]);
         return true;
      }
   }
   return false;
}
