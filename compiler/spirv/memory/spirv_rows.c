/* SPDX-License-Identifier: MIT
 * Outputs that all invocations of a patch or of a mesh shader's workgroup share, so they are memory, not variables of an invocation.
 * It is made of rows of 32 bits for each component. Of a control shader: those of vertex 0, of vertex 1 and so on, then those that the
 * patch has once. Of a mesh shader, words of shared memory: those of the first slot for all vertices, of the second and so on.
 * Spec: Vulkan, "Tessellation Control Shader Execution", "Mesh Shader Output", "Location and Component Assignment". */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "util/bitset.h"

#include <stddef.h>
#include <string.h>

/* Arrays of built-in variables are packed, others take whole locations. */
static uint32_t stride_of(struct spirv_ctx *t, const struct spirv_iface *part, const struct spirv_type *type)
{
   if (type->class == SPIRV_TYPE_VECTOR)
      return type->bits == 64 ? 2 : 1;
   return part->is_builtin ? 1 : spirv_slot_count(t, type->elem);
}

/* own, others: the sets of slots that the variable's may belong to, and must not. */
static void declare_part(struct spirv_ctx *t, const struct spirv_iface *part, uint64_t *own, const uint64_t *others)
{
   const struct spirv_type *type = part->type;
   const uint32_t limit = t->desc->stage == ABI_STAGE_CONTROL ? ABI_NUM_PATCH_SLOTS : ABI_NUM_SLOTS;
   uint32_t count = spirv_slot_count(t, type);
   if (part->is_builtin)
      count = type->class == SPIRV_TYPE_ARRAY || type->class == SPIRV_TYPE_VECTOR ? type->count : 1;
   else if (spirv_is_scalar_or_vector(type))
      count = spirv_leaf_count(t, type) * spirv_scalar_words(spirv_scalar_type(type));
   const uint32_t first = spirv_output_slot(t, part);
   for (uint32_t slot = first; slot < first + count; slot++) {
      if (slot >= limit || util_bitset_test(others, slot))
         spirv_fail(t, "outputs pass the last location, or those of vertices and others overlap");
      util_bitset_set(own, slot);
   }
}

/* Sorts the slots of all outputs by whether vertices have them. */
static void declare_outputs(struct spirv_ctx *t, uint64_t *of_vertices, uint64_t *of_others)
{
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         if (variable->parts[p].is_builtin)
            spirv_count_distances(t, &variable->parts[p]);
      }
   }
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      const bool is_other = variable->is_of_patch || variable->is_of_primitives;
      for (uint32_t p = 0; p < variable->num_parts; p++)
         declare_part(t, &variable->parts[p], is_other ? of_others : of_vertices, is_other ? of_vertices : of_others);
   }
   spirv_declare_written(t, of_vertices, of_others);
}

static void begin_mesh_rows(struct spirv_ctx *t)
{
   struct abi_shader_info *info = &t->shader->info;
   if (!info->corners_out)
      spirv_fail(t, "a mesh shader does not say what it makes");
   memset(info->outputs, 0, sizeof(info->outputs));
   declare_outputs(t, info->outputs, info->primitive_slots);
   uint32_t row = offsetof(struct abi_mesh_output, rows) / 4;
   for (uint32_t pass = 0; pass < 2; pass++) {
      for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++) {
         if (!pass)
            info->rows[slot] = ABI_NO_ROW;
         if (!util_bitset_test(pass ? info->primitive_slots : info->outputs, slot))
            continue;
         info->rows[slot] = (uint16_t)row;
         row += abi_mesh_stride(pass ? info->max_primitives : info->max_vertices);
      }
   }
   info->num_rows = (uint16_t)(row + 1); /* the last: what nobody reads */
   info->output_bytes = info->num_rows * 4u;
}
_Static_assert(ABI_NUM_SLOTS * ABI_MAX_MESH_VERTICES + 32 < ABI_NO_ROW && (int)ABI_MAX_MESH_PRIMITIVES <= (int)ABI_MAX_MESH_VERTICES,
               "rows have 16 bits");

/* How many rows further the next slot of a variable stands, and its next vertex. */
static uint32_t slot_stride(const struct spirv_ctx *t, const struct spirv_variable *variable)
{
   const struct abi_shader_info *info = &t->shader->info;
   if (t->desc->stage == ABI_STAGE_CONTROL)
      return 1;
   return abi_mesh_stride(variable->is_of_primitives ? info->max_primitives : info->max_vertices);
}

static uint32_t vertex_stride(const struct spirv_ctx *t)
{
   return t->desc->stage == ABI_STAGE_CONTROL ? t->shader->info.rows_per_vertex : 1;
}

static struct spirv_rows_steps steps_of(const struct spirv_ctx *t, const struct spirv_pointer *p)
{
   return (struct spirv_rows_steps){slot_stride(t, p->iface->variable), vertex_stride(t)};
}

static struct ir_instr *load_row(struct spirv_ctx *t, struct ir_instr *row)
{
   return t->desc->stage == ABI_STAGE_MESH ? spirv_load_output_word(t, row) : ir_emit(&t->b, IR_load_row, 1, 32, 1, &row);
}

static void store_row(struct spirv_ctx *t, struct ir_instr *row, struct ir_instr *value)
{
   if (t->desc->stage == ABI_STAGE_MESH)
      spirv_store_output_word(t, row, value);
   else
      ir_emit(&t->b, IR_store_row, 0, 0, 2, (struct ir_instr *[]){row, value});
}

/* Nothing is written yet: each invocation says so of its vertex, the first one of the patch. Mesh shaders begin with zeros. */
static void begin_written(struct spirv_ctx *t)
{
   const struct abi_shader_info *info = &t->shader->info;
   struct ir_instr *invocation = ir_sysval(&t->b, IR_SYSVAL_INVOCATION_ID, 1, 32), *zero = spirv_u32(t, 0);
   struct ir_instr *is_first = ir_alu2(&t->b, IR_ieq, invocation, zero), *nowhere = spirv_u32(t, info->num_rows - 1u);
   struct ir_instr *vertex = ir_alu2(&t->b, IR_imul, invocation, spirv_u32(t, info->rows_per_vertex));
   for (uint32_t i = 0; i < ABI_WRITTEN_WORDS; i++) {
      store_row(t, ir_alu2(&t->b, IR_iadd, vertex, spirv_u32(t, info->rows[ABI_SLOT_WRITTEN + i])), zero);
      store_row(t, ir_select(&t->b, is_first, spirv_u32(t, info->rows[ABI_SLOT_WRITTEN_OF_PRIMITIVE + i]), nowhere), zero);
   }
}

void spirv_begin_rows(struct spirv_ctx *t)
{
   struct abi_shader_info *info = &t->shader->info;
   uint64_t of_vertices[ABI_PATCH_SLOT_WORDS] = {0};
   if (t->desc->stage == ABI_STAGE_MESH) {
      begin_mesh_rows(t);
      return;
   }
   if (!info->vertices_out)
      info->vertices_out = (uint8_t)t->desc->patch_vertices_out;
   if (!info->vertices_out || info->vertices_out > ABI_MAX_PATCH_VERTICES)
      spirv_fail(t, "a tessellation control shader whose patches have %u vertices", info->vertices_out);
   declare_outputs(t, of_vertices, info->patch_slots);
   for (uint32_t slot = 0; slot < ABI_NUM_PATCH_SLOTS; slot++)
      info->rows[slot] = util_bitset_test(of_vertices, slot) ? info->rows_per_vertex++ : ABI_NO_ROW;
   info->num_rows = (uint16_t)(info->rows_per_vertex * info->vertices_out);
   for (uint32_t slot = 0; slot < ABI_NUM_PATCH_SLOTS; slot++) {
      if (util_bitset_test(info->patch_slots, slot))
         info->rows[slot] = info->num_rows++;
   }
   info->num_rows++; /* what nobody reads: where stores go that do not count */
   if (spirv_follows_outputs(t))
      begin_written(t);
}

struct spirv_pointer spirv_rows_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   struct spirv_pointer pointer = *from;
   uint64_t bits;
   const bool is_constant = spirv_is_constant(index, &bits) && bits < spirv_num_children(t, from->type);
   if (from->type->class == SPIRV_TYPE_STRUCT && !is_constant)
      spirv_fail(t, "a structure's member must be chosen by a constant");
   if (is_constant) {
      const struct spirv_step s = spirv_step_into(t, from->type, from->layout, (uint32_t)bits);
      pointer.type = s.type;
      pointer.slot += from->type->class == SPIRV_TYPE_STRUCT ? spirv_slot_of_child(t, from->type, (uint32_t)bits)
                                                           : (uint32_t)bits * stride_of(t, from->iface, from->type);
      return pointer;
   }
   pointer.type = spirv_step_into(t, from->type, from->layout, 0).type;
   struct ir_instr *slots = spirv_resize(t, spirv_comps(t, index)[0], 32, true);
   const uint32_t stride = stride_of(t, from->iface, from->type) * slot_stride(t, from->iface->variable);
   slots = ir_alu2(&t->b, IR_imul, slots, spirv_u32(t, stride));
   spirv_add_offset(t, &pointer, slots);
   return pointer;
}

static uint32_t slot_of(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slots)
{
   return spirv_output_slot(t, p->iface) + p->slot + slots;
}

/* The row of a component `slots` behind the pointer. */
static struct ir_instr *row_of(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slots)
{
   const struct abi_shader_info *info = &t->shader->info;
   const uint32_t slot = slot_of(t, p, slots);
   if (slot >= ABI_NUM_PATCH_SLOTS || info->rows[slot] == ABI_NO_ROW)
      spirv_fail(t, "an output is not in the interface");
   struct ir_instr *row = spirv_u32(t, info->rows[slot]);
   if (p->dyn)
      row = ir_alu2(&t->b, IR_iadd, row, p->dyn);
   if (p->vertex)
      row = ir_alu2(&t->b, IR_iadd, row, ir_alu2(&t->b, IR_imul, p->vertex, spirv_u32(t, vertex_stride(t))));
   return row;
}

struct spirv_val *spirv_load_rows(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   const struct spirv_type *scalar = spirv_scalar_type(p->type);
   const uint32_t count = spirv_leaf_count(t, p->type), num_words = spirv_scalar_words(scalar);
   const struct spirv_rows_steps steps = steps_of(t, p);
   struct ir_instr **comps = spirv_new_comps(t, count), *words[2];
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t w = 0; w < num_words; w++) {
         struct ir_instr *row = row_of(t, p, i * num_words + w);
         words[w] = spirv_follow_row(t, p, slot_of(t, p, i * num_words + w), &steps, load_row(t, row));
      }
      comps[i] = spirv_from_words(t, words, scalar);
   }
   return spirv_new_leaf(t, p->type, comps);
}

void spirv_store_rows(struct spirv_ctx *t, const struct spirv_pointer *p, struct ir_instr *const *comps)
{
   struct ir_instr *words[2];
   const struct spirv_type *scalar = spirv_scalar_type(p->type);
   const uint32_t count = spirv_leaf_count(t, p->type), num_words = spirv_scalar_words(scalar);
   const struct spirv_rows_steps steps = steps_of(t, p);
   for (uint32_t i = 0; i < count; i++) {
      spirv_to_words(t, comps[i], scalar, words);
      for (uint32_t w = 0; w < num_words; w++) {
         struct ir_instr *row = row_of(t, p, i * num_words + w);
         if (p->only_if)
            row = ir_select(&t->b, p->only_if, row, spirv_u32(t, t->shader->info.num_rows - 1u));
         store_row(t, row, words[w]);
         spirv_note_row(t, p, slot_of(t, p, i * num_words + w), &steps, words[w]);
      }
   }
}

/* Only one invocation stores; what others store comes later. */
static void initialize_mesh(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val)
{
   struct ir_instr *is_first = ir_alu2(&t->b, IR_ieq, ir_sysval(&t->b, IR_SYSVAL_LOCAL_INDEX, 1, 32), spirv_u32(t, 0));
   struct spirv_pointer target = *pointer;
   target.only_if = is_first;
   for (uint32_t i = 0; i < spirv_num_children(t, pointer->type); i++) {
      const struct spirv_pointer one = spirv_pointer_child(t, &target, i);
      spirv_store(t, &one, spirv_child(t, val, i));
   }
   spirv_emit_barrier(t, SpvScopeWorkgroup, SpvScopeWorkgroup, SpvMemorySemanticsAcquireReleaseMask | SpvMemorySemanticsWorkgroupMemoryMask);
}

void spirv_initialize_rows(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val)
{
   if (t->desc->stage == ABI_STAGE_MESH) {
      initialize_mesh(t, pointer, val);
      return;
   }
   struct ir_instr *invocation = ir_sysval(&t->b, IR_SYSVAL_INVOCATION_ID, 1, 32);
   struct spirv_pointer target = *pointer;
   const bool has_vertices = pointer->class == SPIRV_PTR_VERTICES;
   const uint32_t count = has_vertices ? spirv_num_children(t, pointer->type) : 1;
   for (uint32_t i = 0; i < count; i++) {
      struct spirv_pointer one = target;
      one.only_if = ir_alu2(&t->b, IR_ieq, invocation, spirv_u32(t, i));
      if (has_vertices)
         one = spirv_pointer_child(t, &one, i);
      spirv_store(t, &one, has_vertices ? spirv_child(t, val, i) : val);
   }
}
