/* SPDX-License-Identifier: MIT
 * Value trees. */
#include "compiler/spirv/memory/spirv_pointer.h"

struct spirv_val *spirv_new_simple(struct spirv_ctx *t, const struct spirv_type *type, enum spirv_val_class class)
{
   struct spirv_val *val = UTIL_ARENA_NEW(t->arena, struct spirv_val);
   val->type = type;
   val->class = class;
   return val;
}

struct spirv_val *spirv_new_leaf(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *const *comps)
{
   struct spirv_val *val = spirv_new_simple(t, type, SPIRV_VAL_SSA);
   val->comps = util_arena_dup(t->arena, comps, sizeof(*comps) * spirv_leaf_count(t, type));
   return val;
}

struct spirv_val *spirv_new_scalar(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *comp)
{
   return spirv_new_leaf(t, type, &comp);
}

struct spirv_val *spirv_new_composite(struct spirv_ctx *t, const struct spirv_type *type)
{
   const uint32_t count = spirv_num_children(t, type);
   if (count > SPIRV_MAX_LEAVES)
      spirv_fail(t, "a value of %u elements is too large", count);
   return spirv_new_simple(t, type, SPIRV_VAL_COMPOSITE);
}

struct spirv_val *spirv_value(struct spirv_ctx *t, uint32_t id)
{
   struct spirv_id *record = spirv_id(t, id);
   if (record->class == SPIRV_ID_VALUE)
      return record->value;
   if (record->class != SPIRV_ID_VARIABLE || !t->entry) /* no code yet: only constants count */
      spirv_fail(t, "id %u has no value here", id);
   return spirv_variable_pointer(t, record->variable);
}

void spirv_set_value(struct spirv_ctx *t, uint32_t id, struct spirv_val *val)
{
   struct spirv_id *record = spirv_id(t, id);
   if (record->class != SPIRV_ID_NONE && record->class != SPIRV_ID_VALUE)
      spirv_fail(t, "id %u is defined twice", id);
   record->class = SPIRV_ID_VALUE;
   record->value = val;
}

const struct spirv_type *spirv_value_type(struct spirv_ctx *t, uint32_t id)
{
   return spirv_value(t, id)->type;
}

struct ir_instr **spirv_new_comps(struct spirv_ctx *t, uint32_t count)
{
   return UTIL_ARENA_ARRAY(t->arena, struct ir_instr *, count);
}

static const struct spirv_type *child_type(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index)
{
   if (index >= spirv_num_children(t, type))
      spirv_fail(t, "part %u of a value of %u", index, type->count);
   return type->class == SPIRV_TYPE_STRUCT ? type->members[index].type : type->elem;
}

struct spirv_val *spirv_child(struct spirv_ctx *t, struct spirv_val *val, uint32_t index)
{
   const struct spirv_type *type = child_type(t, val->type, index);
   struct spirv_val *child;
   switch (val->class) {
   case SPIRV_VAL_COMPOSITE:
      child = spirv_own_child(val, index);
      return child ? child : spirv_child(t, val->rest, index);
   case SPIRV_VAL_SSA:
      return spirv_new_scalar(t, type, val->comps[index]);
   case SPIRV_VAL_CONST:
      child = spirv_new_simple(t, type, SPIRV_VAL_CONST);
      child->bits = &val->bits[index];
      return child;
   case SPIRV_VAL_MEMORY: {
      const struct spirv_pointer part = spirv_pointer_child(t, val->pointer, index);
      return spirv_load(t, &part);
   }
   case SPIRV_VAL_NULL:
   case SPIRV_VAL_UNDEF:
      return spirv_new_simple(t, type, val->class);
   default:
      spirv_fail(t, "a pointer has no parts");
   }
}

static void check_child(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index, const struct spirv_val *child)
{
   if (!spirv_types_match(t, child->type, child_type(t, type, index)))
      spirv_fail(t, "part %u of a composite has a wrong type", index);
}

void spirv_set_child(struct spirv_ctx *t, struct spirv_val *composite, uint32_t index, struct spirv_val *child)
{
   check_child(t, composite->type, index, child);
   spirv_put_child(t, composite, index, child);
}

struct spirv_val *spirv_with_child(struct spirv_ctx *t, struct spirv_val *from, uint32_t index, struct spirv_val *child)
{
   const bool is_composite = from->class == SPIRV_VAL_COMPOSITE;
   if (!is_composite && from->class != SPIRV_VAL_NULL && from->class != SPIRV_VAL_UNDEF && from->class != SPIRV_VAL_MEMORY)
      spirv_fail(t, "a part of what has no parts is replaced");
   check_child(t, from->type, index, child);
   struct spirv_val *val = spirv_new_simple(t, from->type, SPIRV_VAL_COMPOSITE);
   val->rest = is_composite ? from->rest : from;
   val->origin = is_composite && from->origin ? from->origin : from;
   val->children = spirv_copy_children(t, from->type->count, is_composite ? from->children : NULL, index, child);
   return val;
}

static struct ir_instr *constant(struct spirv_ctx *t, uint32_t bits, uint64_t value)
{
   return bits == 32 ? spirv_u32(t, (uint32_t)value) : ir_const(&t->b, bits, value);
}

struct ir_instr **spirv_comps(struct spirv_ctx *t, struct spirv_val *val)
{
   if (val->class == SPIRV_VAL_SSA)
      return val->comps;
   const uint32_t count = spirv_leaf_count(t, val->type);
   struct ir_instr **comps = spirv_new_comps(t, count);
   if (val->class == SPIRV_VAL_POINTER) {
      spirv_pointer_comps(t, val->pointer, val->type, comps);
      return comps;
   }
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t bits = spirv_leaf_bits(t, val->type, i);
      if (val->class == SPIRV_VAL_UNDEF)
         comps[i] = ir_undef(&t->b, 1, bits);
      else
         comps[i] = constant(t, bits, val->class == SPIRV_VAL_CONST ? val->bits[i] : 0);
   }
   return comps;
}

struct ir_instr **spirv_comps_of(struct spirv_ctx *t, uint32_t id, uint32_t count)
{
   struct spirv_val *val = spirv_value(t, id);
   const uint32_t actual = spirv_leaf_count(t, val->type);
   if (count && actual != count)
      spirv_fail(t, "id %u has %u components where %u are needed", id, actual, count);
   return spirv_comps(t, val);
}

struct ir_instr *spirv_scalar(struct spirv_ctx *t, uint32_t id)
{
   return spirv_comps_of(t, id, 1)[0];
}

const struct spirv_type *spirv_result_type(struct spirv_ctx *t, const struct spirv_instr *in)
{
   return spirv_type(t, spirv_word(t, in, 1));
}

void spirv_set_result(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t count, struct ir_instr *const *comps)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   if (spirv_leaf_count(t, type) != count)
      spirv_fail(t, "%s: %u components for a result of %u", spirv_op_name(in->op), count, spirv_leaf_count(t, type));
   for (uint32_t i = 0; i < count; i++) {
      if (comps[i]->bit_size != spirv_leaf_bits(t, type, i))
         spirv_fail(t, "%s: operands of %u bits do not fit the result", spirv_op_name(in->op), comps[i]->bit_size);
   }
   spirv_set_value(t, spirv_word(t, in, 2), spirv_new_leaf(t, type, comps));
}

/* A shader that copies very much names few constants very often: each stands once, before everything else. */
struct ir_instr *spirv_u32(struct spirv_ctx *t, uint32_t value)
{
   if (!t->copies_memory || !t->entry || ir_is_routine(t->shader))
      return ir_const(&t->b, 32, value);
   struct ir_instr *known = ir_map_find(&t->constants, (uintptr_t)value + 1);
   if (!known) {
      known = ir_const(&t->prologue, 32, value);
      ir_map_add(&t->constants, (uintptr_t)value + 1, known);
   }
   return known;
}

struct ir_instr *spirv_bool_to_u32(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_convert(&t->b, IR_u2u, 32, x);
}

struct ir_instr *spirv_u32_to_bool(struct spirv_ctx *t, struct ir_instr *x)
{
   return ir_alu2(&t->b, IR_ine, x, spirv_u32(t, 0));
}

struct ir_instr *spirv_resize(struct spirv_ctx *t, struct ir_instr *x, uint32_t bits, bool is_signed)
{
   return x->bit_size == bits ? x : ir_convert(&t->b, is_signed ? IR_i2i : IR_u2u, bits, x);
}

void spirv_split(struct spirv_ctx *t, struct ir_instr *vec, uint32_t count, struct ir_instr **comps)
{
   for (uint32_t i = 0; i < count; i++)
      comps[i] = ir_extract(&t->b, vec, i);
}
