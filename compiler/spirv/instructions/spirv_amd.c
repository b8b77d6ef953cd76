/* SPDX-License-Identifier: MIT
 * The extended instruction sets SPV_AMD_shader_trinary_minmax and SPV_AMD_gcn_shader.
 * Spec: the registry's pages of these; "AMD_gcn_shader" of OpenGL for what they mean. */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include <spirv/unified1/AMD_gcn_shader.h>
#include <spirv/unified1/AMD_shader_trinary_minmax.h>

enum { FIRST_OPERAND = 5 };

static uint32_t result_count(struct spirv_ctx *t, const struct spirv_instr *in)
{
   return spirv_leaf_count(t, spirv_result_type(t, in));
}

static struct ir_instr **operand(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t index, uint32_t count)
{
   return spirv_comps_of(t, spirv_word(t, in, FIRST_OPERAND + index), count);
}

/* ---- the least, greatest and middle one of three ---- */

static const struct {
   uint16_t min, max; /* enum ir_op */
} orders[3] = {{IR_fmin, IR_fmax}, {IR_umin, IR_umax}, {IR_imin, IR_imax}};

static struct ir_instr *of_three(struct spirv_ctx *t, uint32_t instruction, struct ir_instr *x, struct ir_instr *y, struct ir_instr *z)
{
   const uint32_t order = (instruction - 1) % 3, which = (instruction - 1) / 3; /* the sets' numbers: least, greatest, middle; F, U, S */
   const enum ir_op min = orders[order].min, max = orders[order].max;
   if (which == 0)
      return ir_alu2(&t->b, min, ir_alu2(&t->b, min, x, y), z);
   struct ir_instr *greater = ir_alu2(&t->b, max, x, y);
   if (which == 1)
      return ir_alu2(&t->b, max, greater, z);
   return ir_alu2(&t->b, max, ir_alu2(&t->b, min, x, y), ir_alu2(&t->b, min, greater, z));
}

void spirv_amd_trinary(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t instruction = spirv_word(t, in, 4), count = result_count(t, in);
   if (instruction < AMD_shader_trinary_minmaxFMin3AMD || instruction > AMD_shader_trinary_minmaxSMid3AMD)
      spirv_fail(t, "SPV_AMD_shader_trinary_minmax: instruction %u is not supported", instruction);
   struct ir_instr **x = operand(t, in, 0, count), **y = operand(t, in, 1, count), **z = operand(t, in, 2, count), **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      if (x[i]->bit_size != y[i]->bit_size || x[i]->bit_size != z[i]->bit_size)
         spirv_fail(t, "SPV_AMD_shader_trinary_minmax: operands of different sizes");
      comps[i] = of_three(t, instruction, x[i], y[i], z[i]);
   }
   spirv_set_result(t, in, count, comps);
}

/* ---- faces of cubes, time ---- */

struct face {
   struct ir_instr *is_z, *is_y; /* the greatest axis; else x */
   struct ir_instr *is_negative;
};

static struct ir_instr *magnitude(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_alu1(&t->b, IR_fabs, x);
}

static struct face find_face(struct spirv_ctx *t, struct ir_instr *const *p)
{
   struct ir_instr *x = magnitude(t, p[0]), *y = magnitude(t, p[1]), *z = magnitude(t, p[2]);
   struct face face;
   face.is_z = ir_alu2(&t->b, IR_fge, z, ir_alu2(&t->b, IR_fmax, x, y));
   face.is_y = ir_alu2(&t->b, IR_fge, y, x);
   struct ir_instr *major = ir_select(&t->b, face.is_z, p[2], ir_select(&t->b, face.is_y, p[1], p[0]));
   face.is_negative = ir_alu2(&t->b, IR_flt, major, ir_const_f(&t->b, 32, 0));
   return face;
}

static struct ir_instr *face_index(struct spirv_ctx *t, const struct face *face)
{
   struct ir_instr *axis = ir_select(&t->b, face->is_z, ir_const_f(&t->b, 32, 4),
                                     ir_select(&t->b, face->is_y, ir_const_f(&t->b, 32, 2), ir_const_f(&t->b, 32, 0)));
   return ir_alu2(&t->b, IR_fadd, axis, ir_select(&t->b, face->is_negative, ir_const_f(&t->b, 32, 1), ir_const_f(&t->b, 32, 0)));
}

/* Spec: Image Operations, "Cube Map Face Selection": s and t on the face, from 0 to 1. */
static void face_coord(struct spirv_ctx *t, struct ir_instr *const *p, const struct face *face, struct ir_instr *coord[2])
{
   struct ir_builder *b = &t->b;
   struct ir_instr *minus[3];
   for (uint32_t i = 0; i < 3; i++)
      minus[i] = ir_alu1(b, IR_fneg, p[i]);
   struct ir_instr *of_x = ir_select(b, face->is_negative, p[2], minus[2]);
   struct ir_instr *of_z = ir_select(b, face->is_negative, minus[0], p[0]);
   struct ir_instr *t_of_y = ir_select(b, face->is_negative, minus[2], p[2]);
   struct ir_instr *along[2] = {ir_select(b, face->is_z, of_z, ir_select(b, face->is_y, p[0], of_x)),
                                ir_select(b, face->is_z, minus[1], ir_select(b, face->is_y, t_of_y, minus[1]))};
   struct ir_instr *major = magnitude(t, ir_select(b, face->is_z, p[2], ir_select(b, face->is_y, p[1], p[0])));
   for (uint32_t i = 0; i < 2; i++) {
      struct ir_instr *ratio = ir_alu2(b, IR_fdiv, along[i], major);
      coord[i] = ir_alu2(b, IR_fadd, ir_alu2(b, IR_fmul, ratio, ir_const_f(b, 32, 0.5)), ir_const_f(b, 32, 0.5));
   }
}

void spirv_amd_gcn(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t instruction = spirv_word(t, in, 4);
   if (instruction == AMD_gcn_shaderTimeAMD) {
      struct ir_instr *clock = ir_emit(&t->b, IR_clock, 1, 64, 0, NULL);
      spirv_set_result(t, in, 1, &clock);
      return;
   }
   if (instruction != AMD_gcn_shaderCubeFaceIndexAMD && instruction != AMD_gcn_shaderCubeFaceCoordAMD)
      spirv_fail(t, "SPV_AMD_gcn_shader: instruction %u is not supported", instruction);
   struct ir_instr **p = operand(t, in, 0, 3), *result[2];
   const bool is_index = instruction == AMD_gcn_shaderCubeFaceIndexAMD;
   if (p[0]->bit_size != 32 || result_count(t, in) != (is_index ? 1u : 2u))
      spirv_fail(t, "SPV_AMD_gcn_shader: a direction or a result of another type");
   const struct face face = find_face(t, p);
   if (is_index)
      result[0] = face_index(t, &face);
   else
      face_coord(t, p, &face, result);
   spirv_set_result(t, in, is_index ? 1 : 2, result);
}
