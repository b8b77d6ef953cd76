/* SPDX-License-Identifier: MIT
 * Shaders of ray pipelines: payloads, callable data, hit attributes and shader records, what built-in variables say of a ray, and calls of
 * other shaders. Spec: SPIR-V, "Ray Tracing Instructions" (SPV_KHR_ray_tracing); Vulkan, "Built-In Variables", "Ray Tracing Pipelines". */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/rays/spirv_ray.h"

#include "util/spirv_numbers.h"

/* ---- variables ---- */

static struct ir_var *new_var(struct spirv_ctx *t, const struct spirv_variable *variable, enum ir_var_class class, struct spirv_pointer *pointer)
{
   *pointer = spirv_temp_pointer(t, variable->type, t->ids[variable->id].name);
   pointer->var->class = class;
   return pointer->var;
}

static void incoming(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   struct abi_shader_info *info = &t->shader->info;
   const struct ir_var *var = new_var(t, variable, IR_VAR_INCOMING, pointer);
   info->payload_words = UTIL_MAX(info->payload_words, var->size_bytes / 4);
}

static void attributes(struct spirv_ctx *t, const struct spirv_variable *variable, enum ir_var_class class, struct spirv_pointer *pointer)
{
   if (new_var(t, variable, class, pointer)->size_bytes > ABI_ATTRIBUTE_WORDS * 4)
      spirv_fail(t, "the attributes of a hit take more than %u words", (uint32_t)ABI_ATTRIBUTE_WORDS);
}

/* Outgoing data may have an initial value. */
static void outgoing(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   const struct ir_builder saved = t->b;
   t->b = t->prologue;
   new_var(t, variable, IR_VAR_OUTGOING, pointer);
   if (variable->initializer)
      spirv_store(t, pointer, spirv_value(t, variable->initializer));
   t->b = saved;
}

static struct spirv_pointer record(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct ir_builder saved = t->b;
   t->b = t->prologue;
   const struct spirv_pointer pointer = {
      .class = SPIRV_PTR_GLOBAL, .type = variable->type, .layout = {.class = SPIRV_LAYOUT_EXPLICIT}, .align = 4, .access = IR_ACCESS_READ_ONLY,
      .addr = ir_sysval(&t->b, IR_SYSVAL_SHADER_RECORD, 1, 64), .variable = (struct spirv_variable *)variable};
   t->b = saved;
   return pointer;
}

bool spirv_ray_variable(struct spirv_ctx *t, const struct spirv_variable *variable, struct spirv_pointer *pointer)
{
   if (!spirv_is_ray_stage(t))
      return false;
   switch (variable->storage) {
   case SpvStorageClassRayPayloadKHR:
   case SpvStorageClassCallableDataKHR: outgoing(t, variable, pointer); return true;
   case SpvStorageClassIncomingRayPayloadKHR:
   case SpvStorageClassIncomingCallableDataKHR: incoming(t, variable, pointer); return true;
   case SpvStorageClassHitAttributeKHR: attributes(t, variable, IR_VAR_ATTRIBUTES, pointer); return true;
   case SpvStorageClassShaderRecordBufferKHR: *pointer = record(t, variable); return true;
   case SpvStorageClassHitObjectAttributeNV: attributes(t, variable, IR_VAR_PLAIN, pointer); return true;
   default:
      if ((uint32_t)variable->storage != UTIL_SPV_STORAGE_CLASS_HIT_OBJECT_ATTRIBUTE)
         return false;
      attributes(t, variable, IR_VAR_PLAIN, pointer);
      return true;
   }
}

/* ---- built-in variables ---- */

enum source { FROM_RAY, FROM_HIT, FETCHED, FETCHED_RADII, IS_SPHERE, IS_SWEPT };

static const struct {
   uint32_t builtin;
   uint8_t source; /* enum source */
   uint16_t field; /* in struct abi_ray, in struct abi_ray_hit; enum abi_ray_fetch */
} builtins[] = {
   {SpvBuiltInWorldRayOriginKHR, FROM_RAY, offsetof(struct abi_ray, origin)},
   {SpvBuiltInWorldRayDirectionKHR, FROM_RAY, offsetof(struct abi_ray, direction)},
   {SpvBuiltInRayTminKHR, FROM_RAY, offsetof(struct abi_ray, tmin)},
   {SpvBuiltInIncomingRayFlagsKHR, FROM_RAY, offsetof(struct abi_ray, own_flags)},
   {SpvBuiltInCullMaskKHR, FROM_RAY, offsetof(struct abi_ray, cull_mask)},
   {SpvBuiltInHitKindKHR, FROM_HIT, offsetof(struct abi_ray_hit, hit_kind)},
   {SpvBuiltInPrimitiveId, FROM_HIT, offsetof(struct abi_ray_hit, primitive_index)},
   {SpvBuiltInInstanceId, FROM_HIT, offsetof(struct abi_ray_hit, instance_index)},
   {SpvBuiltInInstanceCustomIndexKHR, FROM_HIT, offsetof(struct abi_ray_hit, custom_index)},
   {SpvBuiltInRayGeometryIndexKHR, FROM_HIT, offsetof(struct abi_ray_hit, geometry_index)},
   {SpvBuiltInObjectRayOriginKHR, FETCHED, ABI_FETCH_OBJECT_ORIGIN},
   {SpvBuiltInObjectRayDirectionKHR, FETCHED, ABI_FETCH_OBJECT_DIRECTION},
   {SpvBuiltInObjectToWorldKHR, FETCHED, ABI_FETCH_OBJECT_TO_WORLD},
   {SpvBuiltInWorldToObjectKHR, FETCHED, ABI_FETCH_WORLD_TO_OBJECT},
   {SpvBuiltInHitTriangleVertexPositionsKHR, FETCHED, ABI_FETCH_POSITIONS},
   {UTIL_SPV_BUILT_IN_HIT_SPHERE_POSITION, FETCHED, ABI_FETCH_POSITIONS},
   {UTIL_SPV_BUILT_IN_HIT_LSS_POSITIONS, FETCHED, ABI_FETCH_POSITIONS},
   {UTIL_SPV_BUILT_IN_HIT_SPHERE_RADIUS, FETCHED_RADII, ABI_FETCH_POSITIONS},
   {UTIL_SPV_BUILT_IN_HIT_LSS_RADII, FETCHED_RADII, ABI_FETCH_POSITIONS},
   {UTIL_SPV_BUILT_IN_HIT_IS_SPHERE, IS_SPHERE, offsetof(struct abi_ray_hit, hit_kind)},
   {UTIL_SPV_BUILT_IN_HIT_IS_LSS, IS_SWEPT, offsetof(struct abi_ray_hit, hit_kind)},
};

static struct ir_instr *load_ray(struct spirv_ctx *t, uint32_t field)
{
   return ir_load_ray(&t->b, t->ray, spirv_u32(t, 0), field, 1, 32);
}

static struct ir_instr *fetch_word(struct spirv_ctx *t, uint32_t what, uint32_t word, bool is_committed)
{
   struct ir_instr *zero = spirv_u32(t, 0), *column = ir_emit(&t->b, IR_ray_fetch, 3, 32, 1, &zero);
   column->imm.var.var = t->ray;
   column->imm.var.mask = what << 2 | word / 3;
   column->imm.var.field = is_committed;
   return ir_extract(&t->b, column, word % 3);
}

/* A closest-hit shader is called for the hit that was committed, others before it is. */
struct ir_instr *spirv_load_ray_builtin(struct spirv_ctx *t, uint32_t builtin, uint32_t component)
{
   const bool is_committed = t->desc->stage == ABI_STAGE_CLOSEST_HIT;
   const uint32_t hit = is_committed ? offsetof(struct abi_ray, committed) : offsetof(struct abi_ray, candidate);
   if (!t->ray) {
      t->ray = ir_var_create(t->shader, sizeof(struct abi_ray), "ray");
      t->ray->class = IR_VAR_RAY;
   }
   if (builtin == SpvBuiltInRayTmaxKHR) /* of the candidate that an any-hit shader is to decide about */
      return load_ray(t, t->desc->stage == ABI_STAGE_ANY_HIT ? offsetof(struct abi_ray, candidate.t) : offsetof(struct abi_ray, tmax));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(builtins); i++) {
      if (builtins[i].builtin != builtin)
         continue;
      if (component >= (builtins[i].source == FETCHED ? ABI_RAY_FETCH_WORDS : 3u))
         spirv_fail(t, "component %u of built-in variable %u", component, builtin);
      if (builtins[i].source == FETCHED)
         return fetch_word(t, builtins[i].field, component, is_committed);
      if (builtins[i].source == FETCHED_RADII)
         return fetch_word(t, builtins[i].field, 6 + component, is_committed);
      if (builtins[i].source == IS_SPHERE || builtins[i].source == IS_SWEPT)
         return spirv_is_round(t, load_ray(t, hit + offsetof(struct abi_ray_hit, type)), load_ray(t, hit + builtins[i].field),
                               builtins[i].source == IS_SPHERE);
      return load_ray(t, builtins[i].field + component * 4 + (builtins[i].source == FROM_HIT ? hit : 0));
   }
   return NULL;
}

/* ---- calls ---- */

struct ir_var *spirv_payload(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_pointer *pointer = spirv_pointer(t, id);
   if (pointer->class != SPIRV_PTR_VAR || (pointer->var->class != IR_VAR_OUTGOING && pointer->var->class != IR_VAR_INCOMING))
      spirv_fail(t, "id %u is neither payload nor callable data", id);
   return pointer->var;
}

void spirv_trace_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t first, struct ir_instr **srcs)
{
   for (uint32_t i = 0; i < 10; i++) {
      const bool is_vector = i == 6 || i == 8;
      const uint32_t id = spirv_word(t, in, first + i);
      srcs[i] = is_vector ? ir_vec(&t->b, 3, spirv_comps_of(t, id, 3)) : spirv_scalar(t, id);
   }
   if (spirv_value_type(t, in->words[first])->class != SPIRV_TYPE_ACCELERATION)
      spirv_fail(t, "id %u is not an acceleration structure", in->words[first]);
}

static void trace_ray(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *srcs[10];
   spirv_trace_operands(t, in, 1, srcs);
   ir_emit(&t->b, IR_trace_ray, 0, 0, 10, srcs)->imm.var.var = spirv_payload(t, spirv_word(t, in, 11));
}

/* Where the any-hit shader ended the ray, this one ends too. */
static void report_hit(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *srcs[2] = {spirv_scalar(t, spirv_word(t, in, 3)), spirv_scalar(t, spirv_word(t, in, 4))};
   struct ir_instr *answers = ir_emit(&t->b, IR_report_hit, 2, 1, 2, srcs);
   struct ir_instr *accepted = ir_extract(&t->b, answers, 0), *ends = ir_if(&t->b, ir_extract(&t->b, answers, 1));
   struct ir_builder arm = ir_builder_at_end(t->shader, ends->imm.cf.regions[0]);
   ir_jump(&arm, IR_break, t->entry, 0, NULL);
   t->entry_breaks++;
   arm = ir_builder_at_end(t->shader, ends->imm.cf.regions[1]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   spirv_set_result(t, in, 1, &accepted);
}

void spirv_store_verdict(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (t->desc->stage != ABI_STAGE_ANY_HIT)
      spirv_fail(t, "%s in a shader that is not an any-hit shader", spirv_op_name(in->op));
   struct ir_instr *verdict = spirv_u32(t, in->op == SpvOpTerminateRayKHR ? ABI_VERDICT_TERMINATE : ABI_VERDICT_IGNORE);
   ir_emit(&t->b, IR_store_output, 0, 0, 1, &verdict)->imm.u[0] = ABI_SLOT_VERDICT;
}

bool spirv_trace(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct ir_instr *index;
   if (!spirv_is_ray_stage(t))
      return false;
   switch (in->op) {
   case SpvOpTraceRayKHR: trace_ray(t, in); return true;
   case SpvOpReportIntersectionKHR: report_hit(t, in); return true;
   case SpvOpExecuteCallableKHR:
      index = spirv_scalar(t, spirv_word(t, in, 1));
      ir_emit(&t->b, IR_call_shader, 0, 0, 1, &index)->imm.var.var = spirv_payload(t, spirv_word(t, in, 2));
      return true;
   default: return false;
   }
}
