/* SPDX-License-Identifier: MIT
 * Task and mesh shaders: workgroups whose payload and outputs stand in shared memory, in front of the variables. What a mesh shader writes of
 * vertices and primitives are rows (spirv_rows.c); how many there are, and the grid that a task shader asks for, are words in front of them.
 * Spec: Vulkan, "Mesh Shading"; SPIR-V, SPV_EXT_mesh_shader. */
#include "compiler/spirv/instructions/spirv_instructions.h"

#include <stddef.h>

/* The payload that the entry point names; NULL: none. */
static const struct spirv_variable *find_payload(struct spirv_ctx *t)
{
   for (uint32_t i = 0; i < t->num_interface_ids; i++) {
      const struct spirv_variable *variable = spirv_id(t, t->interface_ids[i])->variable;
      if (variable->storage == SpvStorageClassTaskPayloadWorkgroupEXT)
         return variable;
   }
   return NULL;
}

void spirv_begin_workgroup(struct spirv_ctx *t)
{
   struct abi_shader_info *info = &t->shader->info;
   const bool is_task = t->desc->stage == ABI_STAGE_TASK;
   if (!is_task && t->desc->stage != ABI_STAGE_MESH)
      return;
   const struct spirv_variable *payload = find_payload(t);
   const uint64_t bytes = payload ? payload->type->size[SPIRV_LAYOUT_TIGHT] : 0;
   if (bytes > ABI_MAX_PAYLOAD_BYTES)
      spirv_fail(t, "a payload of %llu bytes is above the limit", (unsigned long long)bytes);
   info->payload_bytes = (uint32_t)util_align(bytes, 4);
   info->output_offset = (uint32_t)util_align(info->payload_bytes, 64);
   if (is_task)
      info->output_bytes = sizeof(struct abi_task_output);
   info->shared_bytes = abi_first_variable(info);
}

/* ---- words ---- */

static struct ir_instr *offset_of_word(struct spirv_ctx *t, struct ir_instr *row)
{
   struct ir_instr *offset = ir_alu2(&t->b, IR_imul, row, spirv_u32(t, 4));
   return ir_alu2(&t->b, IR_iadd, offset, spirv_u32(t, t->shader->info.output_offset));
}

struct ir_instr *spirv_load_output_word(struct spirv_ctx *t, struct ir_instr *row)
{
   struct ir_instr *offset = offset_of_word(t, row);
   struct ir_instr *load = ir_emit(&t->b, IR_load_shared, 1, 32, 1, &offset);
   load->imm.u[1] = 4;
   return load;
}

void spirv_store_output_word(struct spirv_ctx *t, struct ir_instr *row, struct ir_instr *value)
{
   struct ir_instr *store = ir_emit(&t->b, IR_store_shared, 0, 0, 2, (struct ir_instr *[]){offset_of_word(t, row), value});
   store->imm.u[1] = 4;
   store->imm.u[2] = 1;
}

/* The instruction's first operands become the first words: those of the workgroup's first invocation count. */
static void store_operands(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t count)
{
   struct ir_instr *words[3], *index = ir_sysval(&t->b, IR_SYSVAL_LOCAL_INDEX, 1, 32);
   for (uint32_t i = 0; i < count; i++)
      words[i] = spirv_scalar(t, spirv_word(t, in, 1 + i));
   struct ir_instr *is_first = ir_if(&t->b, ir_alu2(&t->b, IR_ieq, index, spirv_u32(t, 0)));
   const struct ir_builder saved = t->b;
   t->b = ir_builder_at_end(t->shader, is_first->imm.cf.regions[0]);
   t->b.line = saved.line;
   for (uint32_t i = 0; i < count; i++)
      spirv_store_output_word(t, spirv_u32(t, i), words[i]);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = ir_builder_at_end(t->shader, is_first->imm.cf.regions[1]);
   ir_jump(&t->b, IR_yield, NULL, 0, NULL);
   t->b = saved;
}

/* ---- instructions ---- */

bool spirv_mesh(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (in->op != SpvOpSetMeshOutputsEXT)
      return false;
   if (t->desc->stage != ABI_STAGE_MESH)
      spirv_fail(t, "%s in a shader that makes no mesh", spirv_op_name(in->op));
   store_operands(t, in, 2);
   return true;
}
_Static_assert(offsetof(struct abi_mesh_output, num_vertices) == 0 && offsetof(struct abi_mesh_output, num_primitives) == 4,
               "what SetMeshOutputsEXT sets is in the order of its operands");

void spirv_emit_mesh_tasks(struct spirv_ctx *t, const struct spirv_instr *in)
{
   if (t->desc->stage != ABI_STAGE_TASK)
      spirv_fail(t, "%s in a shader that asks for no mesh", spirv_op_name(in->op));
   store_operands(t, in, 3); /* the payload is the one that there is */
}
