/* SPDX-License-Identifier: MIT
 * Atomic instructions, those of vectors of halves too (SPV_NV_shader_atomic_fp16_vector). All are sequentially
 * consistent in effect: scopes and semantics ask for less.
 * Spec: SPIR-V, "Atomic Instructions". */
#include "abi/probe.h"
#include "compiler/spirv/instructions/spirv_instructions.h"

/* Which IR atomic an opcode is, and what it does with its value. */
struct atomic_row {
   uint16_t op; /* SpvOp */
   uint8_t atomic;
   enum { VALUE, NEGATED, ONE, MINUS_ONE, COMPARE } data;
};

static const struct atomic_row rows[] = {
   {SpvOpAtomicExchange, ABI_ATOMIC_XCHG, VALUE},
   {SpvOpAtomicCompareExchange, ABI_ATOMIC_CMPXCHG, COMPARE},
   {SpvOpAtomicCompareExchangeWeak, ABI_ATOMIC_CMPXCHG, COMPARE},
   {SpvOpAtomicIIncrement, ABI_ATOMIC_IADD, ONE},
   {SpvOpAtomicIDecrement, ABI_ATOMIC_IADD, MINUS_ONE},
   {SpvOpAtomicIAdd, ABI_ATOMIC_IADD, VALUE},
   {SpvOpAtomicISub, ABI_ATOMIC_IADD, NEGATED},
   {SpvOpAtomicSMin, ABI_ATOMIC_IMIN, VALUE},
   {SpvOpAtomicUMin, ABI_ATOMIC_UMIN, VALUE},
   {SpvOpAtomicSMax, ABI_ATOMIC_IMAX, VALUE},
   {SpvOpAtomicUMax, ABI_ATOMIC_UMAX, VALUE},
   {SpvOpAtomicAnd, ABI_ATOMIC_AND, VALUE},
   {SpvOpAtomicOr, ABI_ATOMIC_OR, VALUE},
   {SpvOpAtomicXor, ABI_ATOMIC_XOR, VALUE},
   {SpvOpAtomicFAddEXT, ABI_ATOMIC_FADD, VALUE},
   {SpvOpAtomicFMinEXT, ABI_ATOMIC_FMIN, VALUE},
   {SpvOpAtomicFMaxEXT, ABI_ATOMIC_FMAX, VALUE},
};

static uint32_t volatile_bit(struct spirv_ctx *t, uint32_t semantics_id)
{
   return spirv_constant_u32(t, semantics_id) & SpvMemorySemanticsVolatileMask ? IR_ACCESS_VOLATILE : 0;
}

/* The bits that must be zero are, where the pointer is not known to be aligned: no atomic ever crosses two cache lines. */
struct spirv_pointer spirv_aligned_pointer(struct spirv_ctx *t, const struct spirv_pointer *from, uint32_t bytes)
{
   struct spirv_pointer pointer = *from;
   if (spirv_pointer_align(from, 0) >= bytes)
      return pointer;
   struct ir_instr *offset = spirv_pointer_offset(t, from, 0);
   offset = ir_alu2(&t->b, IR_iand, offset, ir_const(&t->b, offset->bit_size, -(uint64_t)bytes));
   pointer.offset = 0;
   pointer.dyn = NULL;
   if (pointer.class == SPIRV_PTR_GLOBAL)
      pointer.addr = offset;
   else
      pointer.dyn = offset;
   pointer.align = bytes;
   return pointer;
}

/* What an atomic works on, a value of `type`. */
static struct spirv_pointer atomic_pointer(struct spirv_ctx *t, uint32_t id, const struct spirv_type *type)
{
   const struct spirv_pointer pointer = spirv_pointer_to(t, id, type);
   const bool is_aligned = !spirv_value_type(t, id)->is_untyped || pointer.class == SPIRV_PTR_TEXEL;
   return is_aligned ? pointer : spirv_aligned_pointer(t, &pointer, type->bits / 8);
}

struct ir_instr *spirv_emit_atomic(struct spirv_ctx *t, const struct spirv_pointer *p, enum abi_atomic atomic, uint32_t bits, uint32_t num_data,
                                   struct ir_instr *const *data)
{
   struct ir_instr *srcs[5];
   enum ir_op op;
   switch (p->class) {
   case SPIRV_PTR_BUFFER:
      op = IR_atomic_buffer;
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
      spirv_fail(t, "atomic on a pointer of class %u", p->class);
   }
   uint32_t n = spirv_access_operands(t, p, 0, srcs);
   for (uint32_t i = 0; i < num_data; i++)
      srcs[n++] = data[i];
   struct ir_instr *instr = ir_emit(&t->b, op, 1, bits, n, srcs);
   instr->imm.u[0] = atomic;
   instr->imm.u[1] = p->access & ~(uint32_t)IR_ACCESS_READ_ONLY;
   return instr;
}

static void unpack_halves(struct spirv_ctx *t, struct ir_instr *whole, uint32_t count, struct ir_instr **halves)
{
   for (uint32_t i = 0; i < count; i++) {
      halves[i] = ir_emit(&t->b, IR_unpack, 1, 16, 1, &whole);
      halves[i]->imm.u[0] = i;
   }
}

static struct ir_instr *combine_halves(struct spirv_ctx *t, struct ir_instr *whole, enum abi_atomic atomic, uint32_t count, struct ir_instr *const *data)
{
   static const uint16_t ops[] = {[ABI_ATOMIC_FADD] = IR_fadd, [ABI_ATOMIC_FMIN] = IR_fmin, [ABI_ATOMIC_FMAX] = IR_fmax};
   struct ir_instr *halves[4];
   unpack_halves(t, whole, count, halves);
   for (uint32_t i = 0; i < count; i++)
      halves[i] = ir_alu2(&t->b, (enum ir_op)ops[atomic], halves[i], data[i]);
   return ir_emit(&t->b, IR_pack, 1, whole->bit_size, count, halves);
}

/* Two or four halves change together: their 32 or 64 bits are exchanged until nobody came between. The first guess needs no load; where there is no
 * memory the answer is 0, as the guess is. Returns the bits that were there. */
static struct ir_instr *change_halves(struct spirv_ctx *t, const struct spirv_pointer *pointer, enum abi_atomic atomic, uint32_t count,
                                      struct ir_instr *const *data)
{
   const uint32_t bits = 16 * count;
   struct ir_instr *guess = ir_const(&t->b, bits, 0), *loop = ir_loop(&t->b, 1, &guess);
   struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   const struct ir_builder behind = t->b;
   t->b = ir_builder_at_end(t->shader, body);
   t->b.line = behind.line;
   t->b.fp = behind.fp;
   struct ir_instr *expected = body->params[0], *value = combine_halves(t, expected, atomic, count, data);
   struct ir_instr *old = spirv_emit_atomic(t, pointer, ABI_ATOMIC_CMPXCHG, bits, 2, (struct ir_instr *[]){value, expected});
   struct ir_instr *branch = ir_if(&t->b, ir_alu2(&t->b, IR_ieq, old, expected));
   struct ir_builder arm = ir_builder_at_end(t->shader, branch->imm.cf.regions[0]);
   ir_jump(&arm, IR_break, loop, 1, &old);
   arm = ir_builder_at_end(t->shader, branch->imm.cf.regions[1]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   ir_jump(&t->b, IR_continue, loop, 1, &old);
   struct ir_instr *seen = ir_add_param(t->shader, cont, 1, bits);
   t->b = ir_builder_at_end(t->shader, cont);
   ir_jump(&t->b, IR_yield, NULL, 1, &seen);
   t->b = behind;
   return ir_add_result(t->shader, loop, 1, bits);
}

static void translate_halves(struct spirv_ctx *t, const struct spirv_instr *in, enum abi_atomic atomic)
{
   const uint32_t count = spirv_result_type(t, in)->count, bits = 16 * count;
   struct spirv_pointer pointer = atomic_pointer(t, spirv_word(t, in, 3), bits == 32 ? &spirv_type_u32 : &spirv_type_u64);
   struct ir_instr *const *data = spirv_comps_of(t, spirv_word(t, in, 6), count), *halves[4], *old;
   pointer.access |= volatile_bit(t, spirv_word(t, in, 5));
   if (data[0]->bit_size != 16)
      spirv_fail(t, "%s: the operand does not fit", spirv_op_name(in->op));
   if (atomic == ABI_ATOMIC_XCHG) {
      struct ir_instr *packed = ir_emit(&t->b, IR_pack, 1, bits, count, data);
      old = spirv_emit_atomic(t, &pointer, atomic, bits, 1, &packed);
   } else {
      old = change_halves(t, &pointer, atomic, count, data);
   }
   unpack_halves(t, old, count, halves);
   spirv_set_result(t, in, count, halves);
}

static bool is_halves(const struct spirv_type *type, const struct atomic_row *row)
{
   const bool is_known = row->data == VALUE && (row->atomic == ABI_ATOMIC_XCHG || row->atomic == ABI_ATOMIC_FADD ||
                                                row->atomic == ABI_ATOMIC_FMIN || row->atomic == ABI_ATOMIC_FMAX);
   return is_known && type->class == SPIRV_TYPE_VECTOR && spirv_is_float(type) && type->bits == 16 && (type->count == 2 || type->count == 4);
}

static void translate_row(struct spirv_ctx *t, const struct spirv_instr *in, const struct atomic_row *row)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   if (is_halves(type, row)) {
      translate_halves(t, in, row->atomic);
      return;
   }
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
   struct ir_instr *result = spirv_emit_atomic(t, &pointer, row->atomic, type->bits, num_data, data);
   spirv_set_result(t, in, 1, &result);
}

static void atomic_load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer pointer = atomic_pointer(t, spirv_word(t, in, 3), spirv_result_type(t, in));
   if (pointer.class == SPIRV_PTR_TEXEL) {
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
   if (pointer.class == SPIRV_PTR_TEXEL) {
      spirv_texel_store(t, &pointer, spirv_comps(t, val)[0]);
      return;
   }
   if (!spirv_is_scalar(pointer.type))
      spirv_fail(t, "OpAtomicStore of a type that is not scalar");
   pointer.access |= IR_ACCESS_ATOMIC | IR_ACCESS_COHERENT | volatile_bit(t, spirv_word(t, in, 3));
   pointer.align = UTIL_MAX(pointer.align, pointer.type->bits / 8);
   spirv_store(t, &pointer, val);
}

/* `race`: an atomic with semantics is a relaxed one and fences. */
static void emit_fence(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t semantics)
{
   const uint32_t orders = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask |
                           SpvMemorySemanticsSequentiallyConsistentMask;
   const uint32_t scope = spirv_word(t, in, in->op == SpvOpAtomicStore ? 2 : 4);
   const uint32_t own = spirv_constant_u32(t, spirv_word(t, in, in->op == SpvOpAtomicStore ? 3 : 5));
   if (t->shader->checks & ABI_CHECK_RACE && own & (semantics | SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsSequentiallyConsistentMask))
      spirv_emit_barrier(t, 0, spirv_constant_u32(t, scope), (own & ~orders) | semantics);
}

static const struct atomic_row *row_of(uint32_t op)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].op == op)
         return &rows[i];
   }
   return NULL;
}

bool spirv_atomic(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct atomic_row *row = row_of(in->op);
   if (!row && in->op != SpvOpAtomicLoad && in->op != SpvOpAtomicStore)
      return false;
   emit_fence(t, in, SpvMemorySemanticsReleaseMask);
   if (row)
      translate_row(t, in, row);
   else if (in->op == SpvOpAtomicLoad)
      atomic_load(t, in);
   else
      atomic_store(t, in);
   emit_fence(t, in, SpvMemorySemanticsAcquireMask);
   return true;
}
