/* SPDX-License-Identifier: MIT
 * Cooperative matrices of subgroups (where their elements are: spirv_elements.c): loads, stores and what is done component by component.
 * Spec: SPV_KHR_cooperative_matrix; Vulkan, "Cooperative Matrices". */
#include "compiler/spirv/cooperative/spirv_cooperative.h"

#include <string.h>

/* ---- memory ---- */

/* The matrix whose rows are the lines of memory: one that is loaded or stored column by column, transposed. Lanes next to each other then access elements
 * next to each other, whatever the layout. */
static struct spirv_type type_in_memory(struct spirv_ctx *t, const struct spirv_type *type, uint32_t layout)
{
   if (layout == SpvCooperativeMatrixLayoutColumnMajorKHR)
      return spirv_transposed(type);
   if (layout != SpvCooperativeMatrixLayoutRowMajorKHR)
      spirv_fail(t, "layout %u of a cooperative matrix", layout);
   return *type;
}

/* The pointer to component `i`; `stride` counts what the pointer points at, bytes if it is untyped, and may be NULL for 0. */
static struct spirv_pointer component_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *in_memory,
                                              uint32_t i, struct ir_instr *stride)
{
   const struct spirv_coord coord = spirv_coord_of(t, in_memory, i);
   const uint32_t bits = t->has_64bit_indices ? spirv_offset_bits(base) : 32;
   struct ir_instr *offset = spirv_resize(t, ir_alu2(&t->b, IR_imul, coord.column, spirv_u32(t, in_memory->bits / 8)), bits, false);
   if (stride) {
      const uint32_t unit = (uint32_t)spirv_type_bytes(t, base->type, base->layout);
      struct ir_instr *step = ir_alu2(&t->b, IR_imul, spirv_resize(t, stride, bits, false), ir_const(&t->b, bits, unit));
      offset = ir_alu2(&t->b, IR_iadd, offset, ir_alu2(&t->b, IR_imul, spirv_resize(t, coord.row, bits, false), step));
   }
   return spirv_component_pointer(t, base, in_memory, offset);
}

static struct ir_instr *stride_operand(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index)
{
   return index < in->count ? spirv_resize(t, spirv_scalar(t, in->words[index]), 32, false) : NULL;
}

static void load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_matrix_type(t, spirv_result_type(t, in));
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 3), &spirv_type_u8);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 4));
   const struct spirv_type in_memory = type_in_memory(t, type, layout);
   struct ir_instr *stride = stride_operand(t, in, 5);
   spirv_memory_operands(t, in, 6, &base);
   struct ir_instr **comps = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, type->count);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, &in_memory, i, stride);
      comps[i] = spirv_comps(t, spirv_load(t, &pointer))[0];
   }
   if (layout == SpvCooperativeMatrixLayoutColumnMajorKHR)
      spirv_transpose(t, &in_memory, comps);
   spirv_set_value(t, spirv_word(t, in, 2), spirv_matrix_of(t, type, comps));
}

static void store(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_pointer base = spirv_pointer_to(t, spirv_word(t, in, 1), &spirv_type_u8);
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 2));
   const struct spirv_type *type = spirv_matrix_type(t, val->type);
   const uint32_t layout = spirv_constant_u32(t, spirv_word(t, in, 3));
   const struct spirv_type in_memory = type_in_memory(t, type, layout);
   struct ir_instr *stride = stride_operand(t, in, 4);
   spirv_memory_operands(t, in, 5, &base);
   struct ir_instr **comps = spirv_matrix_comps(t, val);
   if (layout == SpvCooperativeMatrixLayoutColumnMajorKHR)
      spirv_transpose(t, type, comps);
   for (uint32_t i = 0; i < type->count; i++) {
      const struct spirv_pointer pointer = component_pointer(t, &base, &in_memory, i, stride);
      spirv_store(t, &pointer, spirv_new_scalar(t, type->elem, comps[i]));
   }
}

/* ---- component by component ---- */

/* The instruction that does for one component what `op` does for a matrix; SpvOpNop: there is none. */
static uint32_t scalar_op(uint32_t op, const struct spirv_type *type)
{
   switch (op) {
   case SpvOpMatrixTimesScalar: return spirv_is_float(type) ? SpvOpFMul : SpvOpIMul;
   case SpvOpSNegate: case SpvOpFNegate: case SpvOpIAdd: case SpvOpFAdd: case SpvOpISub: case SpvOpFSub: case SpvOpIMul: case SpvOpFMul:
   case SpvOpUDiv: case SpvOpSDiv: case SpvOpFDiv: case SpvOpConvertFToU: case SpvOpConvertFToS: case SpvOpConvertSToF:
   case SpvOpConvertUToF: case SpvOpUConvert: case SpvOpSConvert: case SpvOpFConvert: case SpvOpBitcast: return op;
   default: return SpvOpNop;
   }
}

/* Runs the instruction once for each component, with the components instead of the operands' values. */
static void each_component(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t op)
{
   enum { MAX_OPERANDS = 2 };
   const struct spirv_type *type = spirv_result_type(t, in);
   uint32_t words[3 + MAX_OPERANDS];
   struct spirv_val *whole[MAX_OPERANDS];
   const uint32_t num_operands = in->count - 3;
   if (num_operands < 1 || num_operands > MAX_OPERANDS)
      spirv_fail(t, "%s of cooperative matrices has %u operands", spirv_op_name(in->op), num_operands);
   memcpy(words, in->words, in->count * sizeof(*words));
   words[1] = type->elem->id;
   const struct spirv_instr scalar = {.op = op, .count = in->count, .words = words};
   for (uint32_t o = 0; o < num_operands; o++) {
      whole[o] = spirv_value(t, words[3 + o]);
      if (whole[o]->type->class == SPIRV_TYPE_COOPERATIVE && whole[o]->type->count != type->count)
         spirv_fail(t, "%s of cooperative matrices of different sizes", spirv_op_name(in->op));
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++) {
      for (uint32_t o = 0; o < num_operands; o++) {
         if (whole[o]->type->class == SPIRV_TYPE_COOPERATIVE)
            t->ids[words[3 + o]].value = spirv_child(t, whole[o], i);
      }
      if (!spirv_alu(t, &scalar) && !spirv_conversion(t, &scalar))
         spirv_fail(t, "%s of cooperative matrices is not supported", spirv_op_name(in->op));
      spirv_set_child(t, val, i, t->ids[words[2]].value);
   }
   for (uint32_t o = 0; o < num_operands; o++)
      t->ids[words[3 + o]].value = whole[o];
   spirv_set_value(t, words[2], val);
}

bool spirv_cooperative(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCooperativeMatrixLoadKHR: load(t, in); return true;
   case SpvOpCooperativeMatrixStoreKHR: store(t, in); return true;
   case SpvOpCooperativeMatrixMulAddKHR: spirv_multiply_add(t, in); return true;
   case SpvOpCooperativeMatrixLengthKHR: {
      struct ir_instr *length = spirv_u32(t, spirv_matrix_type(t, spirv_type(t, spirv_word(t, in, 3)))->count);
      spirv_set_result(t, in, 1, &length);
      return true;
   }
   default:
      if (spirv_cooperative2(t, in))
         return true;
   }
   if (!t->has_cooperative || in->count < 4 || in->words[1] >= t->bound)
      return false;
   const struct spirv_id *type_id = &t->ids[in->words[1]];
   if (type_id->class != SPIRV_ID_TYPE || type_id->type->class != SPIRV_TYPE_COOPERATIVE)
      return false;
   const uint32_t op = scalar_op(in->op, type_id->type);
   if (op != SpvOpNop)
      each_component(t, in, op);
   return op != SpvOpNop;
}
