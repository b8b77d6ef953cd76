/* SPDX-License-Identifier: MIT
 * Outputs of tessellation control shaders: all invocations of a patch share them, so they are memory, not variables of an invocation.
 * It is made of rows, one of 32 bits for each component: those of vertex 0, of vertex 1 and so on, then those that the patch has once.
 * Spec: Vulkan, "Tessellation Control Shader Execution", "Location and Component Assignment". */
#include "compiler/spirv/spirv_instructions.h"
#include "util/bitset.h"

/* Arrays of built-in variables are packed, others take whole locations. */
static uint32_t stride_of(struct spirv_ctx *t, const struct spirv_iface *part, const struct spirv_type *type)
{
   if (type->kind == SPIRV_TYPE_VECTOR)
      return type->bits == 64 ? 2 : 1;
   return part->is_builtin ? 1 : spirv_slot_count(t, type->elem);
}

static void declare_part(struct spirv_ctx *t, const struct spirv_iface *part, uint64_t of_vertices[3])
{
   struct abi_shader_info *info = &t->shader->info;
   const struct spirv_type *type = part->type;
   uint32_t count = spirv_slot_count(t, type);
   if (part->is_builtin)
      count = type->kind == SPIRV_TYPE_ARRAY || type->kind == SPIRV_TYPE_VECTOR ? type->count : 1;
   else if (spirv_is_scalar_or_vector(type))
      count = spirv_leaf_count(t, type) * spirv_scalar_words(spirv_scalar_type(type));
   const uint32_t first = spirv_output_slot(t, part);
   for (uint32_t slot = first; slot < first + count; slot++) {
      uint64_t *own = part->variable->is_of_patch ? info->patch_slots : of_vertices;
      if (slot >= ABI_NUM_SLOTS || util_bitset_test(own == of_vertices ? info->patch_slots : of_vertices, slot))
         spirv_fail(t, "outputs pass the last location, or those of vertices and of the patch overlap");
      util_bitset_set(own, slot);
   }
}

void spirv_begin_rows(struct spirv_ctx *t)
{
   struct abi_shader_info *info = &t->shader->info;
   uint64_t of_vertices[3] = {0};
   if (!info->vertices_out)
      info->vertices_out = (uint8_t)t->desc->patch_vertices_out;
   if (!info->vertices_out || info->vertices_out > ABI_MAX_PATCH_VERTICES)
      spirv_fail(t, "a tessellation control shader whose patches have %u vertices", info->vertices_out);
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++) {
         if (variable->parts[p].is_builtin)
            spirv_count_distances(t, &variable->parts[p]);
      }
   }
   for (const struct spirv_variable *variable = t->outputs; variable; variable = variable->next_output) {
      for (uint32_t p = 0; p < variable->num_parts; p++)
         declare_part(t, &variable->parts[p], of_vertices);
   }
   for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++)
      info->rows[slot] = util_bitset_test(of_vertices, slot) ? info->rows_per_vertex++ : ABI_NO_ROW;
   info->num_rows = (uint16_t)(info->rows_per_vertex * info->vertices_out);
   for (uint32_t slot = 0; slot < ABI_NUM_SLOTS; slot++) {
      if (util_bitset_test(info->patch_slots, slot))
         info->rows[slot] = info->num_rows++;
   }
   info->num_rows++; /* what nobody reads: where stores go that do not count */
}

struct spirv_pointer spirv_rows_step(struct spirv_ctx *t, const struct spirv_pointer *from, struct spirv_val *index)
{
   struct spirv_pointer pointer = *from;
   uint64_t bits;
   const bool is_constant = spirv_is_constant(index, &bits) && bits < spirv_num_children(t, from->type);
   if (from->type->kind == SPIRV_TYPE_STRUCT && !is_constant)
      spirv_fail(t, "a structure's member must be chosen by a constant");
   if (is_constant) {
      const struct spirv_step s = spirv_step_into(t, from->type, from->layout, (uint32_t)bits);
      pointer.type = s.type;
      pointer.slot += from->type->kind == SPIRV_TYPE_STRUCT ? spirv_slot_of_child(t, from->type, (uint32_t)bits)
                                                           : (uint32_t)bits * stride_of(t, from->iface, from->type);
      return pointer;
   }
   pointer.type = spirv_step_into(t, from->type, from->layout, 0).type;
   struct ir_instr *slots = spirv_resize(t, spirv_comps(t, index)[0], 32, true);
   slots = ir_alu2(&t->b, IR_imul, slots, spirv_u32(t, stride_of(t, from->iface, from->type)));
   pointer.dyn = from->dyn ? ir_alu2(&t->b, IR_iadd, from->dyn, slots) : slots;
   return pointer;
}

/* The row of a component `slots` behind the pointer. */
static struct ir_instr *row_of(struct spirv_ctx *t, const struct spirv_pointer *p, uint32_t slots)
{
   const struct abi_shader_info *info = &t->shader->info;
   const uint32_t slot = spirv_output_slot(t, p->iface) + p->slot + slots;
   if (slot >= ABI_NUM_SLOTS || info->rows[slot] == ABI_NO_ROW)
      spirv_fail(t, "an output is not in the interface");
   struct ir_instr *row = spirv_u32(t, info->rows[slot]);
   if (p->dyn)
      row = ir_alu2(&t->b, IR_iadd, row, p->dyn);
   if (p->vertex)
      row = ir_alu2(&t->b, IR_iadd, row, ir_alu2(&t->b, IR_imul, p->vertex, spirv_u32(t, info->rows_per_vertex)));
   return row;
}

struct spirv_val *spirv_load_rows(struct spirv_ctx *t, const struct spirv_pointer *p)
{
   struct ir_instr *comps[4], *words[2];
   const struct spirv_type *scalar = spirv_scalar_type(p->type);
   const uint32_t count = spirv_leaf_count(t, p->type), num_words = spirv_scalar_words(scalar);
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t w = 0; w < num_words; w++) {
         struct ir_instr *row = row_of(t, p, i * num_words + w);
         words[w] = ir_emit(&t->b, IR_load_row, 1, 32, 1, &row);
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
   for (uint32_t i = 0; i < count; i++) {
      spirv_to_words(t, comps[i], scalar, words);
      for (uint32_t w = 0; w < num_words; w++) {
         struct ir_instr *row = row_of(t, p, i * num_words + w);
         if (p->only_if)
            row = ir_alu3(&t->b, IR_select, p->only_if, row, spirv_u32(t, t->shader->info.num_rows - 1u));
         ir_emit(&t->b, IR_store_row, 0, 0, 2, (struct ir_instr *[]){row, words[w]});
      }
   }
}

void spirv_initialize_rows(struct spirv_ctx *t, const struct spirv_pointer *pointer, struct spirv_val *val)
{
   struct ir_instr *invocation = ir_sysval(&t->b, IR_SYSVAL_INVOCATION_ID, 1, 32);
   struct spirv_pointer target = *pointer;
   const bool has_vertices = pointer->kind == SPIRV_PTR_VERTICES;
   const uint32_t count = has_vertices ? spirv_num_children(t, pointer->type) : 1;
   for (uint32_t i = 0; i < count; i++) {
      struct spirv_pointer one = target;
      one.only_if = ir_alu2(&t->b, IR_ieq, invocation, spirv_u32(t, i));
      if (has_vertices)
         one = spirv_pointer_child(t, &one, i);
      spirv_store(t, &one, has_vertices ? spirv_child(t, val, i) : val);
   }
}
