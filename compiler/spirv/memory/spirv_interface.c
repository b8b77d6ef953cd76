/* SPDX-License-Identifier: MIT
 * Inputs, outputs and built-in variables, and what abi_shader_info says about them.
 * Spec: Vulkan, "Shader Input and Output Interfaces", "Built-In Variables". */
#include "compiler/spirv/spirv_node.h"
#include "util/size.h"

static const struct spirv_layout cells = {.class = SPIRV_LAYOUT_CELLS};

/* ---- slots ---- */

uint32_t spirv_slot_count(struct spirv_ctx *t, const struct spirv_type *type)
{
   uint64_t count = 0;
   switch (type->class) {
   case SPIRV_TYPE_BOOL:
   case SPIRV_TYPE_INT:
   case SPIRV_TYPE_FLOAT:
      return 4;
   case SPIRV_TYPE_VECTOR:
      return type->bits == 64 && type->count > 2 ? 8 : 4;
   case SPIRV_TYPE_MATRIX:
   case SPIRV_TYPE_ARRAY:
      count = (uint64_t)type->count * spirv_slot_count(t, type->elem);
      break;
   case SPIRV_TYPE_STRUCT:
      for (uint32_t m = 0; m < type->count; m++)
         count += spirv_slot_count(t, type->members[m].type);
      break;
   default:
      spirv_fail(t, "type %u cannot be an input or output", type->id);
   }
   if (count > ABI_NUM_SLOTS)
      spirv_fail(t, "an input or output is too large");
   return (uint32_t)count;
}

uint32_t spirv_slot_of_child(struct spirv_ctx *t, const struct spirv_type *type, uint32_t index)
{
   uint32_t slot = 0;
   switch (type->class) {
   case SPIRV_TYPE_VECTOR:
      return index * (type->bits == 64 ? 2 : 1);
   case SPIRV_TYPE_STRUCT:
      spirv_take_apart(t, type);
      for (uint32_t m = 0; m < index; m++)
         slot += spirv_slot_count(t, type->members[m].type);
      return slot;
   default:
      return index * spirv_slot_count(t, type->elem);
   }
}

static bool is_fragment(const struct spirv_ctx *t)
{
   return t->desc->stage == ABI_STAGE_FRAGMENT;
}

/* ---- words ---- */

uint32_t spirv_scalar_words(const struct spirv_type *scalar)
{
   return scalar->bits == 64 ? 2 : 1;
}

struct ir_instr *spirv_from_words(struct spirv_ctx *t, struct ir_instr *const *words, const struct spirv_type *scalar)
{
   if (scalar->bits == 64)
      return ir_emit(&t->b, IR_pack, 1, 64, 2, (struct ir_instr *[]){words[0], words[1]});
   if (scalar->bits == 32)
      return words[0];
   return ir_convert(&t->b, scalar->class == SPIRV_TYPE_FLOAT ? IR_f2f : IR_u2u, scalar->bits, words[0]);
}

void spirv_to_words(struct spirv_ctx *t, struct ir_instr *value, const struct spirv_type *scalar, struct ir_instr **words)
{
   for (uint32_t i = 0; scalar->bits == 64 && i < 2; i++) {
      words[i] = ir_emit(&t->b, IR_unpack, 1, 32, 1, &value);
      words[i]->imm.u[0] = i;
   }
   if (scalar->bits == 64)
      return;
   if (scalar->bits == 1)
      words[0] = spirv_bool_to_u32(t, value);
   else if (scalar->class == SPIRV_TYPE_FLOAT && scalar->bits == 16)
      words[0] = ir_convert(&t->b, IR_f2f, 32, value);
   else
      words[0] = spirv_resize(t, value, 32, scalar->is_signed);
}

/* ---- parts ---- */

/* A decoration of the member or of the whole variable. */
static bool part_has(struct spirv_ctx *t, const struct spirv_variable *variable, int32_t member, uint32_t decoration)
{
   return spirv_has_decoration(t, variable->id, decoration) ||
          (member >= 0 && spirv_find_decoration(t, variable->value_type->id, member, decoration));
}

static uint32_t part_operand(struct spirv_ctx *t, const struct spirv_variable *variable, int32_t member,
                             uint32_t decoration, uint32_t fallback)
{
   if (member >= 0)
      return spirv_decoration_operand(t, variable->value_type->id, member, decoration, fallback);
   return spirv_decoration_operand(t, variable->id, -1, decoration, fallback);
}

static bool has_integers(const struct spirv_type *type)
{
   while (type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_MATRIX || type->class == SPIRV_TYPE_VECTOR)
      type = type->elem;
   return type->class == SPIRV_TYPE_INT || type->bits == 64;
}

/* An array with an element for each vertex of the primitive. The decoration may stand on members of the element. */
static bool is_per_vertex(struct spirv_ctx *t, const struct spirv_iface *part, int32_t member)
{
   if (part->type->class != SPIRV_TYPE_ARRAY)
      return false;
   const struct spirv_type *elem = part->type->elem;
   return part_has(t, part->variable, member, SpvDecorationPerVertexKHR) ||
          (elem->class == SPIRV_TYPE_STRUCT && elem->count &&
           spirv_find_decoration(t, elem->id, 0, SpvDecorationPerVertexKHR));
}

static void set_interpolation(struct spirv_ctx *t, struct spirv_iface *part, int32_t member)
{
   const struct spirv_variable *variable = part->variable;
   part->interp = IR_INTERP_PERSPECTIVE;
   if (is_per_vertex(t, part, member))
      part->interp = IR_INTERP_PER_VERTEX;
   else if (part_has(t, variable, member, SpvDecorationPerPrimitiveEXT))
      part->interp = IR_INTERP_FLAT;
   else if (part->is_builtin && part->builtin == SpvBuiltInBaryCoordNoPerspKHR)
      part->interp = IR_INTERP_LINEAR;
   else if (part_has(t, variable, member, SpvDecorationFlat) || has_integers(part->type))
      part->interp = IR_INTERP_FLAT;
   else if (part_has(t, variable, member, SpvDecorationNoPerspective))
      part->interp = IR_INTERP_LINEAR;
   part->at = IR_AT_CENTER;
   if (part_has(t, variable, member, SpvDecorationCentroid))
      part->at = IR_AT_CENTROID;
   if (part_has(t, variable, member, SpvDecorationSample))
      part->at = IR_AT_SAMPLE;
}

/* Puts a part at its location; `next_slot` is where a member without one goes. */
static void set_slot(struct spirv_ctx *t, struct spirv_iface *part, int32_t member, uint32_t *next_slot)
{
   uint32_t location = part_operand(t, part->variable, member, SpvDecorationLocation, UINT32_MAX);
   if (location != UINT32_MAX) {
      if (location >= ABI_MAX_LOCATIONS)
         spirv_fail(t, "location %u is above the limit", location);
      *next_slot = location * 4;
   }
   const uint32_t component = part_operand(t, part->variable, member, SpvDecorationComponent, 0);
   const uint32_t count = spirv_slot_count(t, part->interp == IR_INTERP_PER_VERTEX ? part->type->elem : part->type);
   if (component > 3)
      spirv_fail(t, "component %u of a location", component);
   part->index = part_operand(t, part->variable, member, SpvDecorationIndex, 0);
   part->slot = *next_slot + component;
   *next_slot += count;

   uint32_t limit = ABI_MAX_LOCATIONS * 4;
   if (!part->is_input && is_fragment(t)) {
      limit = ABI_FRAG_DEPTH;
      if (part->index) {
         if (part->index > 1 || part->slot >= 4 * ABI_MAX_DUAL_SOURCES)
            spirv_fail(t, "dual-source output at location %u, index %u", part->slot / 4, part->index);
         part->slot += ABI_FRAG_DUAL_SOURCE;
         limit = ABI_FRAG_NUM_OUTPUTS;
      }
   } else {
      const uint32_t first = part->variable->is_of_patch ? ABI_SLOT_PATCH : ABI_SLOT_USER;
      part->slot += first;
      limit += first;
   }
   if (part->slot - component + count > limit)
      spirv_fail(t, "an input or output passes the last location");
}

static void init_part(struct spirv_ctx *t, struct spirv_iface *part, struct spirv_variable *variable, int32_t member,
                      uint32_t *next_slot)
{
   part->variable = variable;
   part->type = member >= 0 ? variable->value_type->members[member].type : variable->value_type;
   part->is_input = variable->storage == SpvStorageClassInput;
   part->builtin = part_operand(t, variable, member, SpvDecorationBuiltIn, UINT32_MAX);
   part->is_builtin = part->builtin != UINT32_MAX;
   part->stream = (uint8_t)part_operand(t, variable, member, SpvDecorationStream, part_operand(t, variable, -1, SpvDecorationStream, 0));
   if (part->is_input && is_fragment(t))
      set_interpolation(t, part, member);
   if (!part->is_builtin)
      set_slot(t, part, member, next_slot);
}

/* There is one for the patch, as tessellation levels always are. The decoration may stand on members of a block. */
static bool is_of_patch(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct spirv_type *type = variable->type;
   const uint32_t builtin = spirv_decoration_operand(t, variable->id, -1, SpvDecorationBuiltIn, UINT32_MAX);
   while (type->class == SPIRV_TYPE_ARRAY)
      type = type->elem;
   return builtin == SpvBuiltInTessLevelOuter || builtin == SpvBuiltInTessLevelInner ||
          spirv_has_decoration(t, variable->id, SpvDecorationPatch) ||
          (type->class == SPIRV_TYPE_STRUCT && type->count && spirv_find_decoration(t, type->id, 0, SpvDecorationPatch));
}

/* There is one for each primitive that a mesh shader makes. The decoration may stand on members of a block. */
static bool is_of_primitives(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct spirv_type *type = variable->value_type;
   const uint32_t builtin = spirv_decoration_operand(t, variable->id, -1, SpvDecorationBuiltIn, UINT32_MAX);
   return spirv_has_decoration(t, variable->id, SpvDecorationPerPrimitiveEXT) || builtin == SpvBuiltInPrimitivePointIndicesEXT ||
          builtin == SpvBuiltInPrimitiveLineIndicesEXT || builtin == SpvBuiltInPrimitiveTriangleIndicesEXT ||
          (type->class == SPIRV_TYPE_STRUCT && type->count && spirv_find_decoration(t, type->id, 0, SpvDecorationPerPrimitiveEXT));
}

/* Every array that these stages read, and control shaders write, has an element for each vertex, unless it belongs to the patch:
 * other variables are no arrays. */
static bool has_vertices(struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const enum abi_stage stage = (enum abi_stage)t->desc->stage;
   const bool reads = stage == ABI_STAGE_GEOMETRY || stage == ABI_STAGE_CONTROL || stage == ABI_STAGE_EVALUATION;
   const bool is_array_of = variable->storage == SpvStorageClassInput ? reads : spirv_has_rows(t);
   return is_array_of && variable->type->class == SPIRV_TYPE_ARRAY && !is_of_patch(t, variable);
}

void spirv_make_parts(struct spirv_ctx *t, struct spirv_variable *variable)
{
   if (variable->parts)
      return;
   variable->has_vertices = has_vertices(t, variable);
   const struct spirv_type *type = variable->has_vertices ? variable->type->elem : variable->type;
   variable->value_type = type;
   variable->is_iface_block = type->class == SPIRV_TYPE_STRUCT && type->is_block;
   variable->is_of_patch = !variable->has_vertices && is_of_patch(t, variable);
   variable->is_of_primitives = t->desc->stage == ABI_STAGE_MESH && is_of_primitives(t, variable);
   variable->num_parts = variable->is_iface_block ? type->count : 1;
   variable->parts = UTIL_ARENA_ARRAY(t->arena, struct spirv_iface, variable->num_parts + 1);

   uint32_t next_slot = spirv_decoration_operand(t, variable->id, -1, SpvDecorationLocation, 0);
   if (next_slot >= ABI_MAX_LOCATIONS)
      spirv_fail(t, "location %u is above the limit", next_slot);
   next_slot *= 4;
   for (uint32_t i = 0; i < variable->num_parts; i++)
      init_part(t, &variable->parts[i], variable, variable->is_iface_block ? (int32_t)i : -1, &next_slot);
   if (variable->storage == SpvStorageClassOutput) {
      struct spirv_variable **last = &t->outputs;
      while (*last)
         last = &(*last)->next_output;
      *last = variable;
   }
}

struct spirv_val *spirv_interface_pointer(struct spirv_ctx *t, struct spirv_variable *variable)
{
   spirv_make_parts(t, variable);
   struct spirv_pointer pointer = {
      .class = SPIRV_PTR_BLOCK, .type = variable->type, .layout = cells, .align = 4, .variable = variable};
   if (variable->has_vertices) {
      pointer.class = SPIRV_PTR_VERTICES;
   } else if (!variable->is_iface_block) {
      struct spirv_iface *part = &variable->parts[0];
      part->is_touched = true;
      if (part->is_input) {
         pointer.class = SPIRV_PTR_INPUT;
         pointer.iface = part;
      } else if (spirv_has_rows(t)) {
         pointer.class = SPIRV_PTR_ROWS;
         pointer.iface = part;
      } else {
         if (!part->var)
            part->var = spirv_temp_pointer(t, part->type, t->ids[variable->id].name).var;
         pointer.class = SPIRV_PTR_VAR;
         pointer.var = part->var;
      }
   }
   struct spirv_val *val = spirv_new_pointer(t, variable->pointer_type, &pointer);
   if (!part_has(t, variable, -1, SpvDecorationBuiltIn) && variable->initializer &&
       variable->storage == SpvStorageClassInput)
      spirv_fail(t, "input %u has an initializer", variable->id);
   if (variable->initializer) {
      const struct ir_builder saved = t->b;
      t->b = t->prologue;
      if (spirv_has_rows(t))
         spirv_initialize_rows(t, val->pointer, spirv_value(t, variable->initializer));
      else
         spirv_store(t, val->pointer, spirv_value(t, variable->initializer));
      t->b = saved;
   }
   return val;
}

void spirv_count_distances(struct spirv_ctx *t, const struct spirv_iface *part)
{
   struct abi_shader_info *info = &t->shader->info;
   if (part->builtin != SpvBuiltInClipDistance && part->builtin != SpvBuiltInCullDistance)
      return;
   if (part->type->class != SPIRV_TYPE_ARRAY || part->type->count > 8)
      spirv_fail(t, "clip and cull distances must be arrays of at most 8");
   const bool is_read = part->variable->has_vertices && part->is_input;
   if (is_read && part->builtin == SpvBuiltInClipDistance)
      info->num_clip_distances_in = part->type->count;
   else if (is_read)
      return;
   else if (part->builtin == SpvBuiltInClipDistance)
      info->num_clip_distances = part->type->count;
   else
      info->num_cull_distances = part->type->count;
   if (info->num_clip_distances + info->num_cull_distances > 8)
      spirv_fail(t, "more than 8 clip and cull distances");
}

/* What being in the entry point's interface means, used or not. */
void spirv_parse_interface(struct spirv_ctx *t)
{
   for (uint32_t i = 0; i < t->num_interface_ids; i++) {
      const struct spirv_id *id = spirv_id(t, t->interface_ids[i]);
      if (id->class != SPIRV_ID_VARIABLE)
         spirv_fail(t, "id %u of the interface is not a variable", t->interface_ids[i]);
      struct spirv_variable *variable = id->variable;
      const bool is_read = variable->storage == SpvStorageClassInput;
      if ((t->desc->stage == ABI_STAGE_GEOMETRY || spirv_has_rows(t)) && variable->storage == SpvStorageClassOutput)
         spirv_make_parts(t, variable); /* what is emitted, or others read, may be written later in the code */
      if (!is_read || spirv_is_ray_stage(t) || t->desc->stage == ABI_STAGE_VERTEX || abi_has_workgroups(t->desc->stage))
         continue;
      spirv_make_parts(t, variable);
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         const struct spirv_iface *part = &variable->parts[p];
         if (part->is_builtin)
            spirv_count_distances(t, part);
         if (!is_fragment(t))
            continue;
         if (part->at == IR_AT_SAMPLE ||
             (part->is_builtin && (part->builtin == SpvBuiltInSampleId || part->builtin == SpvBuiltInSamplePosition)))
            t->shader->info.uses_sample = 1;
      }
   }
}

/* ---- inputs ---- */

static void check_input(struct spirv_ctx *t, uint32_t slot)
{
   if (slot >= (t->desc->stage == ABI_STAGE_EVALUATION ? ABI_NUM_PATCH_SLOTS : ABI_NUM_SLOTS))
      spirv_fail(t, "an input passes the last location");
}

/* One 32-bit slot, at a vertex if that is not NULL. */
static struct ir_instr *load_slot(struct spirv_ctx *t, const struct spirv_iface *part, struct ir_instr *vertex, uint32_t slot,
                                  uint32_t bits)
{
   struct ir_instr *instr;
   if (vertex) {
      check_input(t, slot);
      instr = ir_emit(&t->b, IR_load_vertex, 1, bits, 1, &vertex);
      instr->imm.u[0] = slot;
      return spirv_follow_input(t, part, vertex, 0, slot, instr);
   }
   if (is_fragment(t) && part->interp == IR_INTERP_PER_VERTEX) {
      const uint32_t stride = spirv_slot_count(t, part->type->elem), corner = (slot - part->slot) / stride;
      slot = part->slot + (slot - part->slot) % stride;
      check_input(t, slot);
      instr = ir_emit(&t->b, IR_interp, 1, bits, 0, NULL);
      instr->imm.u[1] = IR_INTERP_PER_VERTEX;
      instr->imm.u[2] = UTIL_MIN(corner, 2u);
      instr->imm.u[0] = slot;
      return spirv_follow_input(t, part, NULL, UTIL_MIN(corner, 2u), slot, instr);
   }
   check_input(t, slot);
   if (is_fragment(t)) {
      const uint32_t num_args = part->interp == IR_INTERP_FLAT ? 0 : part->num_args;
      const uint32_t at = part->interp == IR_INTERP_FLAT ? IR_AT_CENTER : part->at;
      instr = ir_emit(&t->b, IR_interp, 1, bits, num_args, part->args);
      instr->imm.u[1] = part->interp;
      instr->imm.u[2] = at;
   } else {
      instr = ir_emit(&t->b, IR_load_input, 1, bits, 0, NULL);
   }
   instr->imm.u[0] = slot;
   return spirv_follow_input(t, part, NULL, 0, slot, instr);
}

/* Narrow types travel as 32 bits, so that floats can be interpolated; vertex attributes are fetched as that. Integers are flat also
 * within structures, of which only the whole is decorated. */
static struct ir_instr *load_user_input(struct spirv_ctx *t, const struct spirv_iface *whole, struct ir_instr *vertex,
                                        uint32_t slot, const struct spirv_type *scalar)
{
   const struct spirv_iface flat = {.slot = whole->slot, .type = whole->type, .interp = IR_INTERP_FLAT};
   const struct spirv_iface *part = has_integers(scalar) && whole->interp != IR_INTERP_PER_VERTEX ? &flat : whole;
   struct ir_instr *words[2];
   for (uint32_t i = 0; i < spirv_scalar_words(scalar); i++)
      words[i] = load_slot(t, part, vertex, slot + i, 32);
   return spirv_from_words(t, words, scalar);
}

static const struct {
   uint16_t builtin;
   uint8_t sysval, count, bits;
} sysvals[] = {
   {SpvBuiltInNumWorkgroups, IR_SYSVAL_NUM_WORKGROUPS, 3, 32},
   {SpvBuiltInWorkgroupId, IR_SYSVAL_WORKGROUP_ID, 3, 32},
   {SpvBuiltInLocalInvocationId, IR_SYSVAL_LOCAL_ID, 3, 32},
   {SpvBuiltInLocalInvocationIndex, IR_SYSVAL_LOCAL_INDEX, 1, 32},
   {SpvBuiltInSubgroupId, IR_SYSVAL_SUBGROUP_ID, 1, 32},
   {SpvBuiltInSubgroupLocalInvocationId, IR_SYSVAL_SUBGROUP_LANE, 1, 32},
   {SpvBuiltInVertexIndex, IR_SYSVAL_VERTEX_INDEX, 1, 32},
   {SpvBuiltInInstanceIndex, IR_SYSVAL_INSTANCE_INDEX, 1, 32},
   {SpvBuiltInBaseVertex, IR_SYSVAL_BASE_VERTEX, 1, 32},
   {SpvBuiltInBaseInstance, IR_SYSVAL_BASE_INSTANCE, 1, 32},
   {SpvBuiltInDrawIndex, IR_SYSVAL_DRAW_INDEX, 1, 32},
   {SpvBuiltInViewIndex, IR_SYSVAL_VIEW_INDEX, 1, 32},
   {SpvBuiltInDeviceIndex, IR_SYSVAL_DEVICE_INDEX, 1, 32},
   {SpvBuiltInFragCoord, IR_SYSVAL_FRAG_COORD, 4, 32},
   {SpvBuiltInPointCoord, IR_SYSVAL_POINT_COORD, 2, 32},
   {SpvBuiltInFrontFacing, IR_SYSVAL_FRONT_FACING, 1, 1},
   {SpvBuiltInPrimitiveId, IR_SYSVAL_PRIMITIVE_ID, 1, 32},
   {SpvBuiltInLayer, IR_SYSVAL_LAYER, 1, 32},
   {SpvBuiltInViewportIndex, IR_SYSVAL_VIEWPORT_INDEX, 1, 32},
   {SpvBuiltInSampleId, IR_SYSVAL_SAMPLE_ID, 1, 32},
   {SpvBuiltInSamplePosition, IR_SYSVAL_SAMPLE_POS, 2, 32},
   {SpvBuiltInSampleMask, IR_SYSVAL_SAMPLE_MASK_IN, 1, 32},
   {SpvBuiltInShadingRateKHR, IR_SYSVAL_SHADING_RATE, 1, 32},
   {SpvBuiltInFragSizeEXT, IR_SYSVAL_FRAG_SIZE, 2, 32},
   {SpvBuiltInFragInvocationCountEXT, IR_SYSVAL_FRAG_INVOCATIONS, 1, 32},
   {SpvBuiltInInvocationId, IR_SYSVAL_INVOCATION_ID, 1, 32},
   {SpvBuiltInTessCoord, IR_SYSVAL_TESS_COORD, 3, 32},
   {SpvBuiltInPatchVertices, IR_SYSVAL_PATCH_VERTICES, 1, 32},
   {SpvBuiltInLaunchIdKHR, IR_SYSVAL_LAUNCH_ID, 3, 32},
   {SpvBuiltInLaunchSizeKHR, IR_SYSVAL_LAUNCH_SIZE, 3, 32},
};

static bool has_quads(const struct spirv_ctx *t)
{
   return t->compute_derivatives == SpvExecutionModeDerivativeGroupQuadsKHR;
}

/* Of four lanes in a row that are 2 x 2 invocations; such groups stand row by row in the workgroup. */
static struct ir_instr *local_id_in_quads(struct spirv_ctx *t, uint32_t component)
{
   const uint32_t *size = t->shader->info.local_size;
   struct ir_instr *index = ir_sysval(&t->b, IR_SYSVAL_LOCAL_INDEX, 1, 32), *one = spirv_u32(t, 1);
   struct ir_instr *quad = ir_alu2(&t->b, IR_ushr, index, spirv_u32(t, 2)), *at = NULL, *inside = NULL;
   struct ir_instr *row = ir_alu2(&t->b, IR_udiv, quad, spirv_u32(t, size[0] / 2)); /* of quads */
   switch (component) {
   case 0:
      at = ir_alu2(&t->b, IR_umod, quad, spirv_u32(t, size[0] / 2));
      inside = ir_alu2(&t->b, IR_iand, index, one);
      break;
   case 1:
      at = ir_alu2(&t->b, IR_umod, row, spirv_u32(t, size[1] / 2));
      inside = ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ushr, index, one), one);
      break;
   default:
      return ir_alu2(&t->b, IR_udiv, row, spirv_u32(t, size[1] / 2));
   }
   return ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_ishl, at, one), inside);
}

static struct ir_instr *local_id(struct spirv_ctx *t, uint32_t component)
{
   return has_quads(t) ? local_id_in_quads(t, component)
                       : ir_extract(&t->b, ir_sysval(&t->b, IR_SYSVAL_LOCAL_ID, 3, 32), component);
}

static struct ir_instr *local_index_in_quads(struct spirv_ctx *t)
{
   const uint32_t *size = t->shader->info.local_size;
   struct ir_instr *row = ir_alu2(&t->b, IR_imul, local_id(t, 2), spirv_u32(t, size[1]));
   row = ir_alu2(&t->b, IR_iadd, row, local_id(t, 1));
   return ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, row, spirv_u32(t, size[0])), local_id(t, 0));
}

static struct ir_instr *global_invocation_id(struct spirv_ctx *t, uint32_t component)
{
   struct ir_instr *group = ir_extract(&t->b, ir_sysval(&t->b, IR_SYSVAL_WORKGROUP_ID, 3, 32), component);
   struct ir_instr *local = local_id(t, component);
   struct ir_instr *size = spirv_u32(t, t->shader->info.local_size[component]);
   return ir_alu2(&t->b, IR_iadd, ir_alu2(&t->b, IR_imul, group, size), local);
}

/* Subgroups have at most 32 invocations: all of a mask is in its first component. */
static struct ir_instr *subgroup_mask(struct spirv_ctx *t, uint32_t builtin, uint32_t component)
{
   if (component)
      return spirv_u32(t, 0);
   struct ir_instr *lane = ir_sysval(&t->b, IR_SYSVAL_SUBGROUP_LANE, 1, 32);
   struct ir_instr *ones = spirv_u32(t, UINT32_MAX), *all = spirv_u32(t, UINT32_MAX >> (32 - t->shader->subgroup_size));
   struct ir_instr *equal = ir_alu2(&t->b, IR_ishl, spirv_u32(t, 1), lane);
   struct ir_instr *greater_equal = ir_alu2(&t->b, IR_iand, ir_alu2(&t->b, IR_ishl, ones, lane), all);
   struct ir_instr *less = ir_alu2(&t->b, IR_isub, equal, spirv_u32(t, 1));
   switch (builtin) {
   case SpvBuiltInSubgroupEqMask: return equal;
   case SpvBuiltInSubgroupGeMask: return greater_equal;
   case SpvBuiltInSubgroupGtMask: return ir_alu2(&t->b, IR_ixor, greater_equal, equal);
   case SpvBuiltInSubgroupLeMask: return ir_alu2(&t->b, IR_ior, less, equal);
   default: return less;
   }
}

static uint32_t num_subgroups(const struct spirv_ctx *t)
{
   const struct abi_shader_info *info = &t->shader->info;
   return UTIL_DIV_ROUND_UP(info->local_size[0] * info->local_size[1] * info->local_size[2], t->shader->subgroup_size);
}

static struct ir_instr *load_distance(struct spirv_ctx *t, struct spirv_iface *part, struct ir_instr *vertex, uint32_t component)
{
   const struct abi_shader_info *info = &t->shader->info;
   const uint32_t num_clip = vertex ? info->num_clip_distances_in : info->num_clip_distances;
   const uint32_t first = part->builtin == SpvBuiltInCullDistance ? num_clip : 0;
   if ((!is_fragment(t) && !vertex) || first + component >= 8)
      spirv_fail(t, "clip or cull distance %u cannot be read here", component);
   return load_slot(t, part, vertex, ABI_SLOT_CLIP_DISTANCE + first + component, 32);
}

static struct ir_instr *load_builtin(struct spirv_ctx *t, struct spirv_iface *part, struct ir_instr *vertex, uint32_t component)
{
   uint32_t builtin = part->builtin;
   if (builtin == SpvBuiltInViewIndex && t->desc->view_index_is_device_index)
      builtin = SpvBuiltInDeviceIndex;
   if (has_quads(t) && builtin == SpvBuiltInLocalInvocationId && component < 3)
      return local_id(t, component);
   if (has_quads(t) && builtin == SpvBuiltInLocalInvocationIndex)
      return local_index_in_quads(t);
   struct ir_instr *of_ray = spirv_is_ray_stage(t) ? spirv_load_ray_builtin(t, builtin, component) : NULL;
   if (of_ray)
      return of_ray;
   for (uint32_t i = 0; !vertex && i < UTIL_ARRAY_SIZE(sysvals); i++) {
      if (sysvals[i].builtin != builtin)
         continue;
      if (component >= sysvals[i].count)
         return ir_const(&t->b, sysvals[i].bits, 0);
      return ir_extract(&t->b, ir_sysval(&t->b, sysvals[i].sysval, sysvals[i].count, sysvals[i].bits), component);
   }
   switch (builtin) {
   case SpvBuiltInGlobalInvocationId: return component < 3 ? global_invocation_id(t, component) : spirv_u32(t, 0);
   case SpvBuiltInWorkgroupSize: return spirv_u32(t, component < 3 ? t->shader->info.local_size[component] : 0);
   case SpvBuiltInHelperInvocation: return ir_emit(&t->b, IR_is_helper, 1, 1, 0, NULL);
   case SpvBuiltInNumSubgroups: return spirv_u32(t, num_subgroups(t));
   case SpvBuiltInSubgroupSize: return spirv_u32(t, t->shader->subgroup_size);
   case SpvBuiltInSubgroupEqMask:
   case SpvBuiltInSubgroupGeMask:
   case SpvBuiltInSubgroupGtMask:
   case SpvBuiltInSubgroupLeMask:
   case SpvBuiltInSubgroupLtMask: return subgroup_mask(t, builtin, component);
   case SpvBuiltInShaderIndexAMDX:
   case SpvBuiltInRemainingRecursionLevelsAMDX: return spirv_load_node_builtin(t, builtin);
   case SpvBuiltInClipDistance:
   case SpvBuiltInCullDistance: return load_distance(t, part, vertex, component);
   case SpvBuiltInBaryCoordKHR:
   case SpvBuiltInBaryCoordNoPerspKHR:
      if (!is_fragment(t) || component >= 3)
         spirv_fail(t, "barycentric coordinate %u cannot be read here", component);
      return load_slot(t, part, vertex, ABI_SLOT_BARYCENTRIC + (builtin == SpvBuiltInBaryCoordKHR ? 0 : 3) + component, 32);
   case SpvBuiltInTessLevelOuter:
   case SpvBuiltInTessLevelInner:
      if (t->desc->stage != ABI_STAGE_EVALUATION || component >= (builtin == SpvBuiltInTessLevelOuter ? 4 : 2))
         spirv_fail(t, "tessellation level %u cannot be read here", component);
      return load_slot(t, part, NULL, (builtin == SpvBuiltInTessLevelOuter ? ABI_SLOT_TESS_OUTER : ABI_SLOT_TESS_INNER) + component, 32);
   case SpvBuiltInPosition:
   case SpvBuiltInPointSize:
      if (vertex)
         return load_slot(t, part, vertex, builtin == SpvBuiltInPosition ? ABI_SLOT_POSITION + component : ABI_SLOT_POINT_SIZE, 32);
      __attribute__((fallthrough));
   default: spirv_fail(t, "built-in variable %u is not supported as an input", builtin);
   }
}

struct ir_instr *spirv_load_input(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t slots, uint32_t bytes,
                                  const struct spirv_type *scalar)
{
   struct spirv_iface *part = pointer->iface;
   if (!part->is_builtin)
      return load_user_input(t, part, pointer->vertex, part->slot + pointer->slot + slots, scalar);
   struct ir_instr *value = load_builtin(t, part, pointer->vertex, (pointer->offset + bytes) / 4);
   if (value->bit_size != scalar->bits)
      spirv_fail(t, "built-in variable %u has a wrong type", part->builtin);
   return value;
}

static struct spirv_pointer part_pointer(struct spirv_iface *part)
{
   return (struct spirv_pointer){
      .class = SPIRV_PTR_INPUT, .type = part->type, .layout = cells, .align = 4, .iface = part};
}

/* A variable that holds the whole part; filled at the current position. */
static struct ir_var *copy_part(struct spirv_ctx *t, struct spirv_iface *part, struct ir_instr *vertex)
{
   struct spirv_pointer source = part_pointer(part);
   source.vertex = vertex;
   const struct spirv_pointer target = spirv_temp_pointer(t, part->type, t->ids[part->variable->id].name);
   spirv_store(t, &target, spirv_load(t, &source));
   return target.var;
}

static uint32_t vertex_bytes(const struct spirv_iface *part)
{
   return (uint32_t)util_align(part->type->size[SPIRV_LAYOUT_CELLS], 4);
}

/* A variable that holds the whole part of each vertex of a geometry shader's primitive, which are few. */
static struct ir_var *copy_vertices(struct spirv_ctx *t, struct spirv_iface *part)
{
   const uint32_t count = t->shader->info.vertices_in;
   const char *name = t->ids[part->variable->id].name;
   const size_t size_bytes = util_size_mul(part->type->size[SPIRV_LAYOUT_CELLS], count);
   if (size_bytes > SPIRV_MAX_VAR_BYTES)
      spirv_fail(t, "variable %s is too large", name ? name : "");
   struct spirv_pointer source = part_pointer(part), target = part_pointer(part);
   target.class = SPIRV_PTR_VAR;
   target.var = ir_var_create(t->shader, vertex_bytes(part) * count, name ? name : "");
   for (uint32_t vertex = 0; vertex < count; vertex++) {
      source.vertex = spirv_u32(t, vertex);
      target.offset = vertex * vertex_bytes(part);
      spirv_store(t, &target, spirv_load(t, &source));
   }
   return target.var;
}

/* Beyond the last vertex: that. */
static void choose_vertex(struct spirv_ctx *t, struct spirv_pointer *copy)
{
   struct ir_instr *last = spirv_u32(t, t->shader->info.vertices_in - 1u);
   struct ir_instr *vertex = ir_alu2(&t->b, IR_umin, copy->vertex, last);
   copy->dyn = ir_alu2(&t->b, IR_imul, vertex, spirv_u32(t, vertex_bytes(copy->iface)));
   copy->vertex = NULL;
}

struct spirv_pointer spirv_input_copy(struct spirv_ctx *t, const struct spirv_pointer *pointer)
{
   struct spirv_iface *part = pointer->iface;
   const bool copies_all = pointer->vertex && t->desc->stage == ABI_STAGE_GEOMETRY;
   if (!part->var && (!pointer->vertex || copies_all)) {
      const struct ir_builder saved = t->b;
      t->b = t->prologue;
      part->var = copies_all ? copy_vertices(t, part) : copy_part(t, part, NULL);
      t->b = saved;
   }
   struct spirv_pointer copy = *pointer;
   copy.class = SPIRV_PTR_VAR;
   copy.var = part->var ? part->var : copy_part(t, part, pointer->vertex); /* which vertex is known here only */
   copy.is_input_copy = true;
   if (copies_all)
      choose_vertex(t, &copy);
   return copy;
}

struct spirv_val *spirv_interpolate_at(struct spirv_ctx *t, const struct spirv_pointer *pointer, uint32_t at,
                                       uint32_t num_args, struct ir_instr *const *args)
{
   const struct spirv_iface *iface = pointer->iface;
   const bool is_barycentric = iface && iface->is_builtin && (iface->builtin == SpvBuiltInBaryCoordKHR ||
                                                              iface->builtin == SpvBuiltInBaryCoordNoPerspKHR);
   if (!is_fragment(t) || !iface || (iface->is_builtin && !is_barycentric))
      spirv_fail(t, "interpolation of something that is no input");
   struct spirv_iface part = *pointer->iface;
   struct spirv_pointer source = *pointer;
   part.at = at;
   part.num_args = num_args;
   for (uint32_t i = 0; i < num_args; i++)
      part.args[i] = args[i]->bit_size == 32 ? args[i] : ir_convert(&t->b, IR_f2f, 32, args[i]);
   if (pointer->is_input_copy) {
      source.var = copy_part(t, &part, NULL);
   } else {
      source.iface = &part;
   }
   return spirv_load(t, &source);
}

/* ---- outputs ---- */

static uint32_t builtin_output_slot(struct spirv_ctx *t, const struct spirv_iface *part)
{
   const bool is_frag = is_fragment(t);
   uint32_t vertex = UINT32_MAX, fragment = UINT32_MAX;
   switch (part->builtin) {
   case SpvBuiltInPosition: vertex = ABI_SLOT_POSITION; break;
   case SpvBuiltInPointSize: vertex = ABI_SLOT_POINT_SIZE; break;
   case SpvBuiltInLayer: vertex = ABI_SLOT_LAYER; break;
   case SpvBuiltInViewportIndex: vertex = ABI_SLOT_VIEWPORT; break;
   case SpvBuiltInPrimitiveId: vertex = ABI_SLOT_PRIMITIVE_ID; break;
   case SpvBuiltInPrimitiveShadingRateKHR: vertex = ABI_SLOT_SHADING_RATE; break;
   case SpvBuiltInClipDistance: vertex = ABI_SLOT_CLIP_DISTANCE; break;
   case SpvBuiltInCullDistance: vertex = ABI_SLOT_CLIP_DISTANCE; break; /* behind the clip distances: see store_slot() */
   case SpvBuiltInTessLevelOuter: vertex = ABI_SLOT_TESS_OUTER; break;
   case SpvBuiltInTessLevelInner: vertex = ABI_SLOT_TESS_INNER; break;
   case SpvBuiltInPrimitivePointIndicesEXT:
   case SpvBuiltInPrimitiveLineIndicesEXT:
   case SpvBuiltInPrimitiveTriangleIndicesEXT: vertex = ABI_SLOT_INDICES; break;
   case SpvBuiltInCullPrimitiveEXT: vertex = ABI_SLOT_CULL_PRIMITIVE; break;
   case SpvBuiltInFragDepth: fragment = ABI_FRAG_DEPTH; break;
   case SpvBuiltInFragStencilRefEXT: fragment = ABI_FRAG_STENCIL; break;
   case SpvBuiltInSampleMask: fragment = ABI_FRAG_SAMPLE_MASK; break;
   default: break;
   }
   return is_frag ? fragment : vertex;
}

typedef void store_fn(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value);

static void store_at(struct spirv_ctx *t, uint32_t slot, struct ir_instr *value)
{
   ir_emit(&t->b, IR_store_output, 0, 0, 1, &value)->imm.u[0] = slot;
}

static void store_slot(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value)
{
   const uint32_t limit = is_fragment(t) ? ABI_FRAG_NUM_OUTPUTS : ABI_NUM_SLOTS;
   spirv_note_output(t, part, slot, value);
   if (part->is_builtin && part->builtin == SpvBuiltInCullDistance)
      slot += t->shader->info.num_clip_distances;
   if (slot >= limit)
      spirv_fail(t, "an output passes the last location");
   store_at(t, slot, value);
}

static void store_scalar(struct spirv_ctx *t, const struct spirv_iface *part, uint32_t slot, struct ir_instr *value,
                         const struct spirv_type *scalar, store_fn *store)
{
   struct ir_instr *words[2];
   spirv_to_words(t, value, scalar, words);
   for (uint32_t i = 0; i < spirv_scalar_words(scalar); i++)
      store(t, part, slot + i, words[i]);
   if (is_fragment(t) && slot < ABI_FRAG_DEPTH)
      t->shader->info.output_is_int[slot / 4] = scalar->class != SPIRV_TYPE_INT ? 0 : scalar->is_signed ? 1 : 2;
}

/* Built-in arrays are packed, user variables take whole locations. */
static void store_value(struct spirv_ctx *t, const struct spirv_iface *part, const struct spirv_pointer *pointer,
                        uint32_t slot, store_fn *store)
{
   const struct spirv_type *type = pointer->type;
   if (spirv_is_scalar_or_vector(type)) {
      struct spirv_val *val = spirv_load(t, pointer);
      const uint32_t count = spirv_leaf_count(t, type);
      const struct spirv_type *scalar = spirv_scalar_type(type);
      for (uint32_t i = 0; i < count; i++)
         store_scalar(t, part, slot + i * (scalar->bits == 64 ? 2 : 1), spirv_comps(t, val)[i], scalar, store);
      return;
   }
   const uint32_t count = spirv_num_children(t, type);
   for (uint32_t i = 0; i < count; i++) {
      const struct spirv_pointer child = spirv_pointer_child(t, pointer, i);
      store_value(t, part, &child, slot + (part->is_builtin ? i : spirv_slot_of_child(t, type, i)), store);
   }
}

/* Cull distances: as if there were no clip distances. */
static uint32_t first_slot(struct spirv_ctx *t, const struct spirv_iface *part)
{
   const uint32_t slot = part->is_builtin ? builtin_output_slot(t, part) : part->slot;
   if (slot == UINT32_MAX)
      spirv_fail(t, "built-in variable %u is not supported as an output", part->builtin);
   return slot;
}

uint32_t spirv_output_slot(struct spirv_ctx *t, const struct spirv_iface *part)
{
   const bool is_cull = part->is_builtin && part->builtin == SpvBuiltInCullDistance;
   return first_slot(t, part) + (is_cull ? t->shader->info.num_clip_distances : 0);
}

void spirv_store_part(struct spirv_ctx *t, const struct spirv_iface *part, store_fn *store)
{
   const uint32_t slot = first_slot(t, part);
   struct spirv_pointer pointer = {
      .class = SPIRV_PTR_VAR, .type = part->type, .layout = cells, .align = 4, .var = part->var};
   /* A mask has words for samples that do not exist; depth and stencil may be vectors (icd/validate/tools.c). */
   if (is_fragment(t) && part->is_builtin && (part->type->class == SPIRV_TYPE_ARRAY || part->type->class == SPIRV_TYPE_VECTOR))
      pointer = spirv_pointer_child(t, &pointer, 0);
   store_value(t, part, &pointer, slot, store);
}

void spirv_count_output_distances(struct spirv_ctx *t)
{
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         if (variable->parts[p].is_touched && variable->parts[p].is_builtin)
            spirv_count_distances(t, &variable->parts[p]);
      }
   }
}

void spirv_store_outputs(struct spirv_ctx *t)
{
   spirv_count_output_distances(t);
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         if (variable->parts[p].var)
            spirv_store_part(t, &variable->parts[p], store_slot);
      }
   }
   spirv_store_written(t, store_at);
}
