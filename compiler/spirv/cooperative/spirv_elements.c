/* SPDX-License-Identifier: MIT
 * Where the elements of cooperative matrices are: row by row, component i of lane l is element i * lanes + l.
 * Spec: SPV_KHR_cooperative_matrix. */
#include "compiler/spirv/cooperative/spirv_cooperative.h"

struct ir_instr *spirv_lane(struct spirv_ctx *t)
{
   return ir_sysval(&t->b, IR_SYSVAL_SUBGROUP_LANE, 1, 32);
}

const struct spirv_type *spirv_matrix_type(struct spirv_ctx *t, const struct spirv_type *type)
{
   if (type->class != SPIRV_TYPE_COOPERATIVE)
      spirv_fail(t, "type %u is not a cooperative matrix", type->id);
   return type;
}

struct spirv_coord spirv_coord_of(struct spirv_ctx *t, const struct spirv_type *type, uint32_t i)
{
   const uint32_t first = i * spirv_num_lanes(t), columns = type->matrix.columns;
   struct spirv_coord coord;
   if (columns % spirv_num_lanes(t) == 0) {
      coord.row = spirv_u32(t, first / columns);
      coord.column = ir_alu2(&t->b, IR_iadd, spirv_lane(t), spirv_u32(t, first % columns));
      return coord;
   }
   struct ir_instr *index = ir_alu2(&t->b, IR_iadd, spirv_lane(t), spirv_u32(t, first)), *width = spirv_u32(t, columns);
   coord.row = ir_alu2(&t->b, IR_udiv, index, width);
   coord.column = ir_alu2(&t->b, IR_umod, index, width);
   return coord;
}

struct ir_instr **spirv_matrix_comps(struct spirv_ctx *t, struct spirv_val *val)
{
   struct ir_instr **comps = UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, val->type->count);
   for (uint32_t i = 0; i < val->type->count; i++)
      comps[i] = spirv_comps(t, spirv_child(t, val, i))[0];
   return comps;
}

struct spirv_val *spirv_matrix_of(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *const *comps)
{
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < type->count; i++)
      spirv_put_child(t, val, i, spirv_new_scalar(t, type->elem, comps[i]));
   return val;
}

struct spirv_pointer spirv_component_pointer(struct spirv_ctx *t, const struct spirv_pointer *base, const struct spirv_type *type,
                                             struct ir_instr *offset)
{
   struct spirv_pointer pointer = *base;
   offset = spirv_resize(t, offset, spirv_offset_bits(&pointer), true);
   if (pointer.class != SPIRV_PTR_GLOBAL && pointer.class != SPIRV_PTR_BUFFER && pointer.class != SPIRV_PTR_SHARED)
      spirv_fail(t, "cooperative matrices are loaded from and stored to buffers and shared memory only");
   spirv_add_offset(t, &pointer, offset);
   pointer.align = UTIL_MIN(pointer.align, type->bits / 8);
   pointer.type = type->elem;
   return pointer;
}
