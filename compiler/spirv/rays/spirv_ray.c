/* SPDX-License-Identifier: MIT
 * Ray queries: beginning one and reading it are stores and loads of its struct abi_ray; traversal is the runtime's.
 * Spec: SPIR-V, "Ray Query Instructions" (SPV_KHR_ray_query, SPV_KHR_ray_tracing_position_fetch, SPV_NV_linear_swept_spheres); Vulkan,
 * "Ray Traversal". */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/rays/spirv_ray.h"

#include "util/spirv_numbers.h"

struct spirv_ray spirv_find_ray(struct spirv_ctx *t, uint32_t id, uint8_t class)
{
   const struct spirv_pointer *pointer = spirv_pointer(t, id);
   if (pointer->class != SPIRV_PTR_VAR || pointer->type->class != class)
      spirv_fail(t, "id %u is not a %s", id, class == SPIRV_TYPE_RAY_QUERY ? "ray query" : "hit object");
   return (struct spirv_ray){pointer->var, spirv_pointer_offset(t, pointer, 0)};
}

struct ir_instr *spirv_ray_address(struct spirv_ctx *t, const struct spirv_ray *ray)
{
   struct ir_instr *offset = ray->offset, *address = ir_emit(&t->b, IR_ray_address, 1, 64, 1, &offset);
   address->imm.var.var = ray->var;
   return address;
}

void spirv_copy_ray(struct spirv_ctx *t, const struct spirv_pointer *to, const struct spirv_pointer *from)
{
   const struct spirv_ray source = {from->var, spirv_pointer_offset(t, from, 0)};
   struct ir_instr *srcs[2] = {spirv_pointer_offset(t, to, 0), spirv_ray_address(t, &source)};
   ir_emit(&t->b, IR_ray_copy, 0, 0, 2, srcs)->imm.var.var = to->var;
}

static struct spirv_ray find_query(struct spirv_ctx *t, uint32_t id)
{
   return spirv_find_ray(t, id, SPIRV_TYPE_RAY_QUERY);
}

void spirv_store_ray(struct spirv_ctx *t, const struct spirv_ray *ray, uint32_t field, struct ir_instr *value)
{
   ir_store_ray(&t->b, ray->var, ray->offset, field, value);
}

struct ir_instr *spirv_load_ray(struct spirv_ctx *t, const struct spirv_ray *ray, uint32_t field)
{
   return ir_load_ray(&t->b, ray->var, ray->offset, field, 1, 32);
}

static void initialize(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const struct spirv_ray query = find_query(t, spirv_word(t, in, 1));
   struct ir_instr *structure = spirv_scalar(t, spirv_word(t, in, 2));
   if (spirv_value_type(t, in->words[2])->class != SPIRV_TYPE_ACCELERATION)
      spirv_fail(t, "id %u is not an acceleration structure", in->words[2]);
   spirv_store_ray(t, &query, offsetof(struct abi_ray, structure), structure);
   spirv_store_ray(t, &query, offsetof(struct abi_ray, flags), spirv_scalar(t, spirv_word(t, in, 3)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, cull_mask), spirv_scalar(t, spirv_word(t, in, 4)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, origin), ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, 5), 3)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, tmin), spirv_scalar(t, spirv_word(t, in, 6)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, direction), ir_vec(&t->b, 3, spirv_comps_of(t, spirv_word(t, in, 7), 3)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, tmax), spirv_scalar(t, spirv_word(t, in, 8)));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, status), spirv_u32(t, ABI_RAY_BEGINS));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, candidate.type), spirv_u32(t, ABI_HIT_NONE));
   spirv_store_ray(t, &query, offsetof(struct abi_ray, committed.type), spirv_u32(t, ABI_HIT_NONE));
}

static struct ir_instr *call(struct spirv_ctx *t, enum ir_op op, const struct spirv_ray *query, struct ir_instr *more)
{
   struct ir_instr *srcs[2] = {query->offset, more};
   struct ir_instr *result = ir_emit(&t->b, op, 1, 1, more ? 2 : 1, srcs);
   result->imm.var.var = query->var;
   return result;
}

/* ---- what a query gives ---- */

/* OpRayQueryGet... */
static const struct spirv_ray_getter getters[] = {
   {SpvOpRayQueryGetRayTMinKHR, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, tmin)},
   {SpvOpRayQueryGetRayFlagsKHR, SPIRV_RAY_WORDS, 1, false, offsetof(struct abi_ray, flags)},
   {SpvOpRayQueryGetWorldRayOriginKHR, SPIRV_RAY_WORDS, 3, false, offsetof(struct abi_ray, origin)},
   {SpvOpRayQueryGetWorldRayDirectionKHR, SPIRV_RAY_WORDS, 3, false, offsetof(struct abi_ray, direction)},
   {SpvOpRayQueryGetIntersectionTypeKHR, SPIRV_RAY_TYPE, 1, true, offsetof(struct abi_ray_hit, type)},
   {SpvOpRayQueryGetIntersectionTKHR, SPIRV_RAY_T, 1, true, offsetof(struct abi_ray_hit, t)},
   {SpvOpRayQueryGetIntersectionInstanceCustomIndexKHR, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, custom_index)},
   {SpvOpRayQueryGetIntersectionInstanceIdKHR, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, instance_index)},
   {SpvOpRayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, record_offset)},
   {SpvOpRayQueryGetIntersectionGeometryIndexKHR, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, geometry_index)},
   {SpvOpRayQueryGetIntersectionPrimitiveIndexKHR, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, primitive_index)},
   {SpvOpRayQueryGetIntersectionBarycentricsKHR, SPIRV_RAY_WORDS, 2, true, offsetof(struct abi_ray_hit, barycentrics)},
   {SpvOpRayQueryGetIntersectionFrontFaceKHR, SPIRV_RAY_FRONT, 1, true, offsetof(struct abi_ray_hit, hit_kind)},
   {SpvOpRayQueryGetIntersectionCandidateAABBOpaqueKHR, SPIRV_RAY_BOOL, 1, false, offsetof(struct abi_ray, candidate.is_opaque)},
   {SpvOpRayQueryGetIntersectionObjectRayDirectionKHR, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_OBJECT_DIRECTION},
   {SpvOpRayQueryGetIntersectionObjectRayOriginKHR, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_OBJECT_ORIGIN},
   {SpvOpRayQueryGetIntersectionObjectToWorldKHR, SPIRV_RAY_COLUMNS, 4, true, ABI_FETCH_OBJECT_TO_WORLD},
   {SpvOpRayQueryGetIntersectionWorldToObjectKHR, SPIRV_RAY_COLUMNS, 4, true, ABI_FETCH_WORLD_TO_OBJECT},
   {SpvOpRayQueryGetIntersectionTriangleVertexPositionsKHR, SPIRV_RAY_COLUMNS, 3, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_RAY_QUERY_GET_SPHERE_POSITION, SPIRV_RAY_COLUMNS, 1, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_RAY_QUERY_GET_SPHERE_RADIUS, SPIRV_RAY_RADII, 1, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_RAY_QUERY_GET_LSS_POSITIONS, SPIRV_RAY_COLUMNS, 2, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_RAY_QUERY_GET_LSS_RADII, SPIRV_RAY_RADII, 2, true, ABI_FETCH_POSITIONS},
   {UTIL_SPV_OP_RAY_QUERY_GET_LSS_HIT_VALUE, SPIRV_RAY_WORDS, 1, true, offsetof(struct abi_ray_hit, barycentrics)},
   {UTIL_SPV_OP_RAY_QUERY_IS_SPHERE, SPIRV_RAY_IS_SPHERE, 1, true, offsetof(struct abi_ray_hit, type)},
   {UTIL_SPV_OP_RAY_QUERY_IS_LSS, SPIRV_RAY_IS_SWEPT, 1, true, offsetof(struct abi_ray_hit, type)},
};

static void fetch_words(struct spirv_ctx *t, const struct spirv_ray *query, uint32_t what, uint32_t column, bool is_committed, struct ir_instr *comps[3])
{
   struct ir_instr *words = ir_emit(&t->b, IR_ray_fetch, 3, 32, 1, (struct ir_instr *[]){query->offset});
   words->imm.var.var = query->var;
   words->imm.var.mask = what << 2 | column;
   words->imm.var.field = is_committed;
   spirv_split(t, words, 3, comps);
}

static struct spirv_val *fetch_column(struct spirv_ctx *t, const struct spirv_ray *query, const struct spirv_type *type, uint32_t what,
                                      uint32_t column, bool is_committed)
{
   struct ir_instr *comps[3];
   if (type->class != SPIRV_TYPE_VECTOR || type->count != 3 || type->bits != 32)
      spirv_fail(t, "type %u is not what a ray query gives", type->id);
   fetch_words(t, query, what, column, is_committed, comps);
   return spirv_new_leaf(t, type, comps);
}

/* They stand behind both positions. */
static void get_radii(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_ray_getter *getter, const struct spirv_ray *query,
                      bool is_committed)
{
   const struct spirv_type *type = spirv_result_type(t, in), *number = getter->count == 1 ? type : type->elem;
   struct ir_instr *comps[3];
   if ((getter->count > 1 && (type->class != SPIRV_TYPE_ARRAY || spirv_num_children(t, type) != getter->count)) || number->class != SPIRV_TYPE_FLOAT ||
       number->bits != 32)
      spirv_fail(t, "type %u is not what a ray query gives", type->id);
   fetch_words(t, query, getter->field, 2, is_committed, comps);
   if (getter->count == 1) {
      spirv_set_result(t, in, 1, comps);
      return;
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t c = 0; c < getter->count; c++)
      spirv_set_child(t, val, c, spirv_new_leaf(t, number, &comps[c]));
   spirv_set_value(t, in->words[2], val);
}

static void get_columns(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_ray_getter *getter, const struct spirv_ray *query,
                        bool is_committed)
{
   const struct spirv_type *type = spirv_result_type(t, in);
   if (getter->count == 1) {
      spirv_set_value(t, in->words[2], fetch_column(t, query, type, getter->field, 0, is_committed));
      return;
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   if (spirv_num_children(t, type) != getter->count)
      spirv_fail(t, "type %u is not what a ray query gives", type->id);
   for (uint32_t c = 0; c < getter->count; c++)
      spirv_set_child(t, val, c, fetch_column(t, query, type->elem, getter->field, c, is_committed));
   spirv_set_value(t, in->words[2], val);
}

/* Candidates count from 0, committed hits from 1, which is none for them. */
static struct ir_instr *hit_type(struct spirv_ctx *t, struct ir_instr *type, bool is_committed)
{
   struct ir_instr *is_box = ir_alu2(&t->b, IR_ieq, type, spirv_u32(t, ABI_HIT_BOX));
   return is_committed ? type : spirv_bool_to_u32(t, is_box);
}

void spirv_get_of_ray(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_ray_getter *getter, const struct spirv_ray *query,
                      bool is_committed)
{
   const uint32_t hit = is_committed ? offsetof(struct abi_ray, committed) : offsetof(struct abi_ray, candidate);
   const bool is_tmax = getter->form == SPIRV_RAY_T && is_committed;
   const uint32_t field = is_tmax ? offsetof(struct abi_ray, tmax) : getter->field + (getter->is_of_hit ? hit : 0);
   struct ir_instr *comps[3];
   if (getter->form == SPIRV_RAY_COLUMNS) {
      get_columns(t, in, getter, query, is_committed);
      return;
   }
   if (getter->form == SPIRV_RAY_RADII) {
      get_radii(t, in, getter, query, is_committed);
      return;
   }
   for (uint32_t c = 0; c < getter->count; c++)
      comps[c] = spirv_load_ray(t, query, field + c * 4);
   if (getter->form == SPIRV_RAY_TYPE)
      comps[0] = hit_type(t, comps[0], is_committed);
   else if (getter->form == SPIRV_RAY_BOOL)
      comps[0] = spirv_u32_to_bool(t, comps[0]);
   else if (getter->form == SPIRV_RAY_FRONT)
      comps[0] = ir_alu2(&t->b, IR_ieq, comps[0], spirv_u32(t, ABI_HIT_KIND_FRONT));
   else if (getter->form == SPIRV_RAY_IS_SPHERE || getter->form == SPIRV_RAY_IS_SWEPT)
      comps[0] = spirv_is_round(t, comps[0], spirv_load_ray(t, query, hit + offsetof(struct abi_ray_hit, hit_kind)), getter->form == SPIRV_RAY_IS_SPHERE);
   spirv_set_result(t, in, getter->count, comps);
}

/* ---- instructions ---- */

static bool is_of_committed(struct spirv_ctx *t, const struct spirv_instr *in)
{
   return spirv_constant_u32(t, spirv_word(t, in, 4)) == SpvRayQueryIntersectionRayQueryCommittedIntersectionKHR;
}

/* An address, as 64 bits or two words. */
static void convert_address(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val = spirv_value(t, spirv_word(t, in, 3));
   struct ir_instr **comps = spirv_comps(t, val);
   const uint32_t count = spirv_leaf_count(t, val->type);
   if (count * comps[0]->bit_size != 64)
      spirv_fail(t, "id %u is not an address", in->words[3]);
   struct ir_instr *address = count == 2 ? ir_emit(&t->b, IR_pack, 1, 64, 2, comps) : comps[0];
   spirv_set_result(t, in, 1, &address);
}

bool spirv_ray_query(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_ray query;
   struct ir_instr *result;
   switch (in->op) {
   case SpvOpConvertUToAccelerationStructureKHR: convert_address(t, in); return true;
   case SpvOpRayQueryInitializeKHR: initialize(t, in); return true;
   case SpvOpRayQueryTerminateKHR:
      query = find_query(t, spirv_word(t, in, 1));
      spirv_store_ray(t, &query, offsetof(struct abi_ray, status), spirv_u32(t, ABI_RAY_ENDED));
      return true;
   case SpvOpRayQueryConfirmIntersectionKHR:
      query = find_query(t, spirv_word(t, in, 1));
      call(t, IR_ray_commit, &query, NULL);
      return true;
   case SpvOpRayQueryGenerateIntersectionKHR:
      query = find_query(t, spirv_word(t, in, 1));
      call(t, IR_ray_commit, &query, spirv_scalar(t, spirv_word(t, in, 2)));
      return true;
   case SpvOpRayQueryProceedKHR:
      query = find_query(t, spirv_word(t, in, 3));
      result = call(t, IR_ray_proceed, &query, NULL);
      spirv_set_result(t, in, 1, &result);
      return true;
   default:
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(getters); i++) {
         if (getters[i].op == in->op) {
            query = find_query(t, spirv_word(t, in, 3));
            spirv_get_of_ray(t, in, &getters[i], &query, getters[i].is_of_hit && is_of_committed(t, in));
            return true;
         }
      }
      return false;
   }
}
