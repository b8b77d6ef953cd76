/* SPDX-License-Identifier: MIT
 * Hit objects: a ray is traced, its shader is called, or neither, as the shader says. What an object holds is loaded and stored; shaders may be
 * sorted by the record which they are called for, so there is nothing left to reorder. Spec: SPIR-V, SPV_EXT_shader_invocation_reorder,
 * SPV_NV_shader_invocation_reorder, SPV_NV_linear_swept_spheres. */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/rays/spirv_ray.h"

#include "abi/hit_object.h"
#include "util/spirv_numbers.h"

static struct spirv_ray find_object(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t word)
{
   return spirv_find_ray(t, spirv_word(t, in, word), SPIRV_TYPE_HIT_OBJECT);
}

/* ---- authors ---- */

/* Instructions that differ by their number only. */
static const uint16_t same_as[][2] = {
   {SpvOpHitObjectGetWorldToObjectNV, UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_TO_OBJECT},
   {SpvOpHitObjectGetObjectToWorldNV, UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_TO_WORLD},
   {SpvOpHitObjectGetObjectRayDirectionNV, UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_DIRECTION},
   {SpvOpHitObjectGetObjectRayOriginNV, UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_ORIGIN},
   {SpvOpHitObjectGetShaderRecordBufferHandleNV, UTIL_SPV_OP_HIT_OBJECT_GET_RECORD_HANDLE},
   {SpvOpHitObjectGetShaderBindingTableRecordIndexNV, UTIL_SPV_OP_HIT_OBJECT_GET_RECORD_INDEX},
   {SpvOpHitObjectRecordEmptyNV, UTIL_SPV_OP_HIT_OBJECT_RECORD_EMPTY},
   {SpvOpHitObjectTraceRayNV, UTIL_SPV_OP_HIT_OBJECT_TRACE_RAY},
   {SpvOpHitObjectExecuteShaderNV, UTIL_SPV_OP_HIT_OBJECT_EXECUTE},
   {SpvOpHitObjectGetAttributesNV, UTIL_SPV_OP_HIT_OBJECT_GET_ATTRIBUTES},
   {SpvOpHitObjectGetHitKindNV, UTIL_SPV_OP_HIT_OBJECT_GET_HIT_KIND},
   {SpvOpHitObjectGetPrimitiveIndexNV, UTIL_SPV_OP_HIT_OBJECT_GET_PRIMITIVE_INDEX},
   {SpvOpHitObjectGetGeometryIndexNV, UTIL_SPV_OP_HIT_OBJECT_GET_GEOMETRY_INDEX},
   {SpvOpHitObjectGetInstanceIdNV, UTIL_SPV_OP_HIT_OBJECT_GET_INSTANCE_ID},
   {SpvOpHitObjectGetInstanceCustomIndexNV, UTIL_SPV_OP_HIT_OBJECT_GET_CUSTOM_INDEX},
   {SpvOpHitObjectGetWorldRayDirectionNV, UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_DIRECTION},
   {SpvOpHitObjectGetWorldRayOriginNV, UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_ORIGIN},
   {SpvOpHitObjectGetRayTMaxNV, UTIL_SPV_OP_HIT_OBJECT_GET_TMAX},
   {SpvOpHitObjectGetRayTMinNV, UTIL_SPV_OP_HIT_OBJECT_GET_TMIN},
   {SpvOpHitObjectIsEmptyNV, UTIL_SPV_OP_HIT_OBJECT_IS_EMPTY},
   {SpvOpHitObjectIsHitNV, UTIL_SPV_OP_HIT_OBJECT_IS_HIT},
   {SpvOpHitObjectIsMissNV, UTIL_SPV_OP_HIT_OBJECT_IS_MISS},
   {SpvOpReorderThreadWithHitObjectNV, UTIL_SPV_OP_REORDER_THREAD_WITH_HIT_OBJECT},
   {SpvOpReorderThreadWithHintNV, UTIL_SPV_OP_REORDER_THREAD_WITH_HINT},
};

static uint32_t opcode(const struct spirv_instr *in)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(same_as); i++) {
      if (same_as[i][0] == in->op)
         return same_as[i][1];
   }
   return (uint32_t)in->op;
}

/* ---- what they hold ---- */

/* Getters of the committed hit, or of the ray. */
static const struct spirv_ray_getter getters[] = {
   {UTIL_SPV_OP_HIT_OBJECT_GET_TMIN, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, tmin)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_TMAX, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, tmax)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_RAY_FLAGS, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, own_flags)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_ORIGIN, SPIRV_RAY_WORDS, 3, false, offsetof(struct abi_ray, origin)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_DIRECTION, SPIRV_RAY_WORDS, 3, false, offsetof(struct abi_ray, direction)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_RECORD_INDEX, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, record_index)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_HIT_KIND, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, hit_kind)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_PRIMITIVE_INDEX, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, primitive_index)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_GEOMETRY_INDEX, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, geometry_index)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_INSTANCE_ID, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, instance_index)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_CUSTOM_INDEX, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, custom_index)},
   {UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_ORIGIN, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_OBJECT_ORIGIN},
   {UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_DIRECTION, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_OBJECT_DIRECTION},
   {UTIL_SPV_OP_HIT_OBJECT_GET_OBJECT_TO_WORLD, SPIRV_RAY_COLUMNS, 4, true, ABI_FETCH_OBJECT_TO_WORLD},
   {UTIL_SPV_OP_HIT_OBJECT_GET_WORLD_TO_OBJECT, SPIRV_RAY_COLUMNS, 4, true, ABI_FETCH_WORLD_TO_OBJECT},
   {UTIL_SPV_OP_HIT_OBJECT_GET_POSITIONS, SPIRV_RAY_COLUMNS, 3, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_HIT_OBJECT_GET_SPHERE_POSITION, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_HIT_OBJECT_GET_SPHERE_RADIUS, SPIRV_RAY_RADII, 1, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_HIT_OBJECT_GET_LSS_POSITIONS, SPIRV_RAY_COLUMNS, 2, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_HIT_OBJECT_GET_LSS_RADII, SPIRV_RAY_RADII, 2, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_HIT_OBJECT_IS_SPHERE, SPIRV_RAY_IS_SPHERE, 1, true, offsetof(struct abi_ray_hit, type)},
   {UTIL_SPV_OP_HIT_OBJECT_IS_LSS, SPIRV_RAY_IS_SWEPT, 1, true, offsetof(struct abi_ray_hit, type)},
};

static void is(struct spirv_ctx *t, const struct spirv_instr *in, enum abi_hit_object what)
{
   const struct spirv_ray object = find_object(t, in, 3);
   struct ir_instr *result = ir_alu2(&t->b, IR_ieq, spirv_load_ray(t, &object, offsetof(struct abi_ray, object)), spirv_u32(t, what));
   spirv_set_result(t, in, 1, &result);
}

/* Attributes stand in a variable as in the shader that reports them: a word may be a byte. */
static struct ir_var *attributes_of(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_pointer *pointer = spirv_pointer(t, id);
   if (pointer->class != SPIRV_PTR_VAR || pointer->var->class != IR_VAR_PLAIN || pointer->var->size_bytes > ABI_ATTRIBUTE_WORDS * 4)
      spirv_fail(t, "id %u is no variable of a hit object's attributes", id);
   return pointer->var;
}

static void get_attributes(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray object = find_object(t, in, 1);
   struct ir_var *var = attributes_of(t, spirv_word(t, in, 2));
   for (uint32_t byte = 0; byte < var->size_bytes; byte += 4)
      ir_store_var(&t->b, var, spirv_u32(t, byte), spirv_load_ray(t, &object, offsetof(struct abi_ray, attributes) + byte), 1);
}

/* The address of the record's data, as 64 bits or two words; of an empty object, which has none, a miss's. */
static void get_record_handle(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray object = find_object(t, in, 3);
   struct ir_instr *tables = ir_sysval(&t->b, IR_SYSVAL_RECORD_TABLES, 4, 64), *parts[2];
   struct ir_instr *is_hit = ir_alu2(&t->b, IR_ieq, spirv_load_ray(t, &object, offsetof(struct abi_ray, object)), spirv_u32(t, ABI_HIT_OBJECT_HIT));
   for (uint32_t i = 0; i < 2; i++)
      parts[i] = ir_select(&t->b, is_hit, ir_extract(&t->b, tables, i), ir_extract(&t->b, tables, 2 + i));
   struct ir_instr *index = spirv_resize(t, spirv_load_ray(t, &object, offsetof(struct abi_ray, record_index)), 64, false);
   struct ir_instr *record = ir_alu2(&t->b, IR_iadd, parts[0], ir_alu2(&t->b, IR_imul, index, parts[1]));
   record = ir_alu2(&t->b, IR_iadd, record, ir_const(&t->b, 64, ABI_RECORD_BYTES));
   if (spirv_leaf_count(t, spirv_result_type(t, in)) == 1) {
      spirv_set_result(t, in, 1, &record);
      return;
   }
   for (uint32_t i = 0; i < 2; i++) {
      parts[i] = ir_emit(&t->b, IR_unpack, 1, 32, 1, &record);
      parts[i]->imm.u[0] = i;
   }
   spirv_set_result(t, in, 2, parts);
}

/* ---- recording ---- */

/* `uninit`: attributes that a shader gives count as written (compiler/instrument/uninit.c: where their shadow is). */
static void clear_shadow(struct spirv_ctx *t, const struct spirv_ray *object, const struct ir_var *attributes)
{
   const uint32_t half = ABI_ATTRIBUTE_WORDS * 2, bytes = ABI_ATTRIBUTE_WORDS * 4;
   for (uint32_t byte = half; t->shader->checks & ABI_CHECK_UNINIT && attributes->size_bytes <= half && byte < bytes; byte += 4)
      spirv_store_ray(t, object, offsetof(struct abi_ray, attributes) + byte, spirv_u32(t, 0));
}

static void record_empty(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray object = find_object(t, in, 1);
   spirv_store_ray(t, &object, offsetof(struct abi_ray, object), spirv_u32(t, ABI_HIT_OBJECT_EMPTY));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, committed.type), spirv_u32(t, ABI_HIT_NONE));
}

/* From word `first` on: index of the record, ray. */
static void record_miss(struct spirv_ctx *t, const struct spirv_instr *in, struct ir_instr *flags, uint32_t first)
{
   const struct spirv_ray object = find_object(t, in, 1);
   record_empty(t, in);
   spirv_store_ray(t, &object, offsetof(struct abi_ray, object), spirv_u32(t, ABI_HIT_OBJECT_MISS));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, own_flags), flags);
   spirv_store_ray(t, &object, offsetof(struct abi_ray, record_index), spirv_scalar(t, spirv_word(t, in, first)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, origin), ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, first + 1), 3)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, tmin), spirv_scalar(t, spirv_word(t, in, first + 2)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, direction), ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, first + 3), 3)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, tmax), spirv_scalar(t, spirv_word(t, in, first + 4)));
}

/* A hit that the shader names, with the record of a traced one, or with one that it names too. */
static void record_hit(struct spirv_ctx *t, const struct spirv_instr *in, bool names_record)
{
   static const uint16_t fields[] = {offsetof(struct abi_ray, committed.instance_index), offsetof(struct abi_ray, committed.primitive_index),
                                     offsetof(struct abi_ray, committed.geometry_index), offsetof(struct abi_ray, committed.hit_kind)};
   const struct spirv_ray object = find_object(t, in, 1);
   const uint32_t structure = spirv_word(t, in, 2), ray = names_record ? 8 : 9; /* the first word of it */
   struct ir_var *var = attributes_of(t, spirv_word(t, in, ray + 4));
   struct ir_instr *zero = spirv_u32(t, 0);
   if (spirv_value_type(t, structure)->class != SPIRV_TYPE_ACCELERATION)
      spirv_fail(t, "id %u is not an acceleration structure", structure);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(fields); i++)
      spirv_store_ray(t, &object, fields[i], spirv_scalar(t, spirv_word(t, in, 3 + i)));
   for (uint32_t byte = 0; byte < var->size_bytes; byte += 4)
      spirv_store_ray(t, &object, offsetof(struct abi_ray, attributes) + byte, ir_load_var(&t->b, var, spirv_u32(t, byte), 1, 32));
   clear_shadow(t, &object, var);
   struct ir_instr *srcs[11] = {
      spirv_scalar(t, structure),
      spirv_u32(t, ABI_TRACE_RECORDS_HIT | (names_record ? ABI_TRACE_NAMES_RECORD : 0)),
      zero,
      names_record ? zero : spirv_scalar(t, spirv_word(t, in, 7)),
      names_record ? zero : spirv_scalar(t, spirv_word(t, in, 8)),
      names_record ? spirv_scalar(t, spirv_word(t, in, 7)) : zero,
      ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, ray), 3)),
      spirv_scalar(t, spirv_word(t, in, ray + 1)),
      ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, ray + 2), 3)),
      spirv_scalar(t, spirv_word(t, in, ray + 3)),
      spirv_ray_address(t, &object),
   };
   struct ir_var *payload = ir_var_create(t->shader, 4, "no payload");
   payload->class = IR_VAR_OUTGOING;
   ir_emit(&t->b, IR_trace_object, 0, 0, 11, srcs)->imm.var.var = payload;
}

/* A query's committed hit with its ray, all of the head but what follows; without a hit the object is empty. */
static void record_from_query(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray object = find_object(t, in, 1), query = spirv_find_ray(t, spirv_word(t, in, 2), SPIRV_TYPE_RAY_QUERY);
   struct ir_var *var = attributes_of(t, spirv_word(t, in, 4));
   for (uint32_t field = 0; field < ABI_RAY_HEAD_BYTES; field += 4)
      spirv_store_ray(t, &object, field, spirv_load_ray(t, &query, field));
   struct ir_instr *type = spirv_load_ray(t, &query, offsetof(struct abi_ray, committed.type));
   struct ir_instr *is_box = ir_alu2(&t->b, IR_ieq, type, spirv_u32(t, ABI_HIT_BOX)), *is_hit = ir_alu2(&t->b, IR_ine, type, spirv_u32(t, ABI_HIT_NONE));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, own_flags), spirv_load_ray(t, &query, offsetof(struct abi_ray, flags)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, object),
         ir_select(&t->b, is_hit, spirv_u32(t, ABI_HIT_OBJECT_HIT), spirv_u32(t, ABI_HIT_OBJECT_EMPTY)));
   spirv_store_ray(t, &object, offsetof(struct abi_ray, record_index), spirv_scalar(t, spirv_word(t, in, 3)));
   if (in->count > 5)
      spirv_store_ray(t, &object, offsetof(struct abi_ray, committed.hit_kind),
            ir_select(&t->b, is_box, spirv_scalar(t, spirv_word(t, in, 5)), spirv_load_ray(t, &query, offsetof(struct abi_ray, committed.hit_kind))));
   for (uint32_t byte = 0; byte < UTIL_MAX(var->size_bytes, 8u); byte += 4) {
      struct ir_instr *own = byte < var->size_bytes ? ir_load_var(&t->b, var, spirv_u32(t, byte), 1, 32) : spirv_u32(t, 0);
      struct ir_instr *triangle = byte < 8 ? spirv_load_ray(t, &query, offsetof(struct abi_ray, committed.barycentrics) + byte) : spirv_u32(t, 0);
      spirv_store_ray(t, &object, offsetof(struct abi_ray, attributes) + byte, ir_select(&t->b, is_box, own, triangle));
   }
   clear_shadow(t, &object, var);
}

/* ---- calls ---- */

static void trace(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray object = find_object(t, in, 1);
   struct ir_instr *srcs[11];
   spirv_trace_operands(t, in, 2, srcs);
   srcs[10] = spirv_ray_address(t, &object);
   ir_emit(&t->b, IR_trace_object, 0, 0, 11, srcs)->imm.var.var = spirv_payload(t, spirv_word(t, in, 12));
}

static void execute(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t payload_word)
{
   const struct spirv_ray object = find_object(t, in, 1);
   struct ir_instr *src = spirv_ray_address(t, &object);
   ir_emit(&t->b, IR_execute_object, 0, 0, 1, &src)->imm.var.var = spirv_payload(t, spirv_word(t, in, payload_word));
}

bool spirv_hit_object(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_ray object;
   const uint32_t op = opcode(in);
   if (!spirv_is_ray_stage(t))
      return false;
   switch (op) {
   case UTIL_SPV_OP_REORDER_THREAD_WITH_HINT:
   case UTIL_SPV_OP_REORDER_THREAD_WITH_HIT_OBJECT: return true;
   case UTIL_SPV_OP_HIT_OBJECT_TRACE_RAY: trace(t, in); return true;
   case UTIL_SPV_OP_HIT_OBJECT_REORDER_EXECUTE:
   case UTIL_SPV_OP_HIT_OBJECT_EXECUTE: execute(t, in, 2); return true;
   case UTIL_SPV_OP_HIT_OBJECT_TRACE_REORDER_EXECUTE:
      trace(t, in);
      execute(t, in, 12);
      return true;
   case UTIL_SPV_OP_HIT_OBJECT_RECORD_EMPTY: record_empty(t, in); return true;
   case UTIL_SPV_OP_HIT_OBJECT_RECORD_MISS: record_miss(t, in, spirv_scalar(t, spirv_word(t, in, 2)), 3); return true;
   case SpvOpHitObjectRecordMissNV: record_miss(t, in, spirv_u32(t, 0), 2); return true;
   case SpvOpHitObjectRecordHitNV: record_hit(t, in, false); return true;
   case SpvOpHitObjectRecordHitWithIndexNV: record_hit(t, in, true); return true;
   case UTIL_SPV_OP_HIT_OBJECT_RECORD_FROM_QUERY: record_from_query(t, in); return true;
   case UTIL_SPV_OP_HIT_OBJECT_SET_RECORD_INDEX:
      object = find_object(t, in, 1);
      spirv_store_ray(t, &object, offsetof(struct abi_ray, record_index), spirv_scalar(t, spirv_word(t, in, 2)));
      return true;
   case UTIL_SPV_OP_HIT_OBJECT_GET_ATTRIBUTES: get_attributes(t, in); return true;
   case UTIL_SPV_OP_HIT_OBJECT_GET_RECORD_HANDLE: get_record_handle(t, in); return true;
   case UTIL_SPV_OP_HIT_OBJECT_IS_EMPTY: is(t, in, ABI_HIT_OBJECT_EMPTY); return true;
   case UTIL_SPV_OP_HIT_OBJECT_IS_HIT: is(t, in, ABI_HIT_OBJECT_HIT); return true;
   case UTIL_SPV_OP_HIT_OBJECT_IS_MISS: is(t, in, ABI_HIT_OBJECT_MISS); return true;
   default:
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(getters); i++) {
         if (getters[i].op == op) {
            object = find_object(t, in, 3);
            spirv_get_of_ray(t, in, &getters[i], &object, getters[i].is_of_hit);
            return true;
         }
      }
      return false;
   }
}
