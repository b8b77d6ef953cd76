/* SPDX-License-Identifier: MIT
 * Building and taking apart vectors and composites.
 * Spec: SPIR-V, "Composite Instructions". */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include <string.h>

static void construct(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t id = spirv_word(t, in, 2);
   const uint32_t count = spirv_num_children(t, type);
   if (type->class != SPIRV_TYPE_VECTOR) {
      if (in->count - 3 != count)
         spirv_fail(t, "OpCompositeConstruct: %u parts for a type of %u", in->count - 3, count);
      struct spirv_val *val = spirv_new_composite(t, type);
      for (uint32_t i = 0; i < count; i++)
         spirv_set_child(t, val, i, spirv_value(t, in->words[3 + i]));
      spirv_set_value(t, id, val);
      return;
   }
   struct ir_instr **comps = spirv_new_comps(t, count);
   uint32_t filled = 0;
   for (uint32_t i = 3; i < in->count; i++) {
      struct spirv_val *part = spirv_value(t, in->words[i]);
      const uint32_t part_count = spirv_leaf_count(t, part->type);
      if (part_count > count - filled)
         spirv_fail(t, "OpCompositeConstruct: too many components");
      memcpy(comps + filled, spirv_comps(t, part), part_count * sizeof(*comps));
      filled += part_count;
   }
   if (filled != count)
      spirv_fail(t, "OpCompositeConstruct: too few components");
   spirv_set_result(t, in, count, comps);
}

/* Every part is the same value. */
static void replicate(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   struct spirv_val *part = spirv_value(t, spirv_word(t, in, 3));
   const uint32_t count = spirv_num_children(t, type);
   if (type->class == SPIRV_TYPE_VECTOR) {
      struct ir_instr *x = spirv_comps_of(t, in->words[3], 1)[0], **comps = spirv_new_comps(t, count);
      for (uint32_t i = 0; i < count; i++)
         comps[i] = x;
      spirv_set_result(t, in, count, comps);
      return;
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < count; i++)
      spirv_set_child(t, val, i, part);
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

static void extract(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   for (uint32_t i = 4; i < in->count; i++)
      val = spirv_child(t, val, in->words[i]);
   spirv_set_value(t, spirv_word(t, in, 2), val);
}

/* Copies only the path to the part that changes, within large arrays too. */
static struct spirv_val *insert(struct spirv_ctx *t, struct spirv_val *into, struct spirv_val *part,
                                const uint32_t *path, uint32_t length)
{
   if (length == 0)
      return part;
   const uint32_t count = spirv_num_children(t, into->type);
   if (path[0] >= count)
      spirv_fail(t, "OpCompositeInsert: index %u of %u", path[0], count);
   if (into->type->class == SPIRV_TYPE_VECTOR) {
      struct ir_instr **comps = spirv_new_comps(t, count);
      memcpy(comps, spirv_comps(t, into), count * sizeof(*comps));
      comps[path[0]] = spirv_comps(t, part)[0];
      if (length != 1 || comps[path[0]]->bit_size != into->type->bits)
         spirv_fail(t, "OpCompositeInsert of a value that does not fit");
      return spirv_new_leaf(t, into->type, comps);
   }
   struct spirv_val *child = length == 1 ? part : insert(t, spirv_child(t, into, path[0]), part, path + 1, length - 1);
   return spirv_with_child(t, into, path[0], child);
}

static void shuffle(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   const uint32_t count = spirv_leaf_count(t, type);
   struct spirv_val *const from[2] = {spirv_value(t, spirv_word(t, in, 3)), spirv_value(t, spirv_word(t, in, 4))};
   const uint32_t first = spirv_leaf_count(t, from[0]->type), total = first + spirv_leaf_count(t, from[1]->type);
   struct ir_instr **comps_of[2] = {spirv_comps(t, from[0]), spirv_comps(t, from[1])};
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t which = spirv_word(t, in, 5 + i);
      if (which == UINT32_MAX)
         comps[i] = ir_undef(&t->b, 1, type->bits);
      else if (which >= total)
         spirv_fail(t, "OpVectorShuffle: component %u of %u", which, total);
      else
         comps[i] = which < first ? comps_of[0][which] : comps_of[1][which - first];
   }
   spirv_set_result(t, in, count, comps);
}

/* From a copy in memory. */
static struct ir_instr *extract_of_many(struct spirv_ctx *t, struct spirv_val *vector, struct spirv_val *index)
{
   struct spirv_pointer pointer = spirv_temp_pointer(t, vector->type, "vector");
   const struct spirv_step step = spirv_step_into(t, vector->type, pointer.layout, 0);
   spirv_store(t, &pointer, vector);
   pointer.type = step.type;
   spirv_add_index(t, &pointer, index, step.stride);
   return spirv_comps(t, spirv_load(t, &pointer))[0];
}

static void extract_dynamic(struct spirv_ctx *t, const struct spirv_instr *in)
{
   enum { MANY = 16 }; /* so many comparisons cost more than a variable's store and load */
   struct spirv_val *vector = spirv_value(t, spirv_word(t, in, 3));
   const uint32_t count = spirv_leaf_count(t, vector->type);
   if (vector->type->class == SPIRV_TYPE_VECTOR && count > MANY) {
      struct ir_instr *found = extract_of_many(t, vector, spirv_value(t, spirv_word(t, in, 4)));
      spirv_set_result(t, in, 1, &found);
      return;
   }
   struct ir_instr **x = spirv_comps(t, vector);
   struct ir_instr *index = spirv_scalar(t, spirv_word(t, in, 4));
   struct ir_instr *result = x[0];
   for (uint32_t i = 1; i < count; i++)
      result = ir_select(&t->b, ir_alu2(&t->b, IR_ieq, index, ir_const(&t->b, index->bit_size, i)), x[i], result);
   spirv_set_result(t, in, 1, &result);
}

static void insert_dynamic(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t count = spirv_leaf_count(t, spirv_result_type(t, in));
   struct ir_instr **x = spirv_comps_of(t, spirv_word(t, in, 3), count);
   struct ir_instr *part = spirv_scalar(t, spirv_word(t, in, 4));
   struct ir_instr *index = spirv_scalar(t, spirv_word(t, in, 5));
   struct ir_instr **comps = spirv_new_comps(t, count);
   if (part->bit_size != x[0]->bit_size)
      spirv_fail(t, "OpVectorInsertDynamic of a value that does not fit");
   for (uint32_t i = 0; i < count; i++)
      comps[i] = ir_select(&t->b, ir_alu2(&t->b, IR_ieq, index, ir_const(&t->b, index->bit_size, i)), part, x[i]);
   spirv_set_result(t, in, count, comps);
}

/* The same tree under another type of equal shape. */
static void copy_logical(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   struct spirv_val *copy = util_arena_dup(t->arena, val, sizeof(*val));
   copy->type = spirv_result_type(t, in);
   if (!spirv_types_match(t, copy->type, val->type))
      spirv_fail(t, "OpCopyLogical between types that differ");
   spirv_set_value(t, spirv_word(t, in, 2), copy);
}

bool spirv_composite(struct spirv_ctx *t, const struct spirv_instr *in)
{
   switch (in->op) {
   case SpvOpCompositeConstruct:
      if (spirv_result_type(t, in)->class == SPIRV_TYPE_COOPERATIVE)
         replicate(t, in);
      else
         construct(t, in);
      return true;
   case SpvOpCompositeConstructReplicateEXT: replicate(t, in); return true;
   case SpvOpCompositeExtract: extract(t, in); return true;
   case SpvOpCompositeInsert:
      spirv_set_value(t, spirv_word(t, in, 2),
                      insert(t, spirv_value(t, spirv_word(t, in, 4)), spirv_value(t, spirv_word(t, in, 3)),
                             in->words + 5, in->count - UTIL_MIN(in->count, 5u)));
      return true;
   case SpvOpVectorShuffle: shuffle(t, in); return true;
   case SpvOpVectorExtractDynamic: extract_dynamic(t, in); return true;
   case SpvOpVectorInsertDynamic: insert_dynamic(t, in); return true;
   case SpvOpCopyLogical: copy_logical(t, in); return true;
   case SpvOpCopyObject:
   case SpvOpExpectKHR:
      spirv_set_value(t, spirv_word(t, in, 2), spirv_value(t, spirv_word(t, in, 3)));
      return true;
   case SpvOpUndef:
      spirv_set_value(t, spirv_word(t, in, 2), spirv_new_simple(t, spirv_result_type(t, in), SPIRV_VAL_UNDEF));
      return true;
   default: return false;
   }
}
