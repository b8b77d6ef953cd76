/* SPDX-License-Identifier: MIT
 * What the runtime must know about a shader, from what the passes have left of it.
 *
 * Requires: a shader after the last pass. Does: sets the facts of ir_shader.info that follow from instructions; whatever they
 * were before is forgotten, so that a use that went away leaves no trace. Preserves: what the module declares and the
 * specification takes as declared, however little of it is used: execution modes, sizes of workgroups, of shared memory and of
 * arrays of distances, types of outputs, sample shading. Fills `unread` of values.
 * Spec: "Static Use"; Rasterization, "Sample Shading" (static use of SampleId is enough); Fragment Operations, "Early
 * Per-Fragment Tests" (a test may move where it cannot be observed). */
#include "compiler/ir/passes.h"
#include "util/bitset.h"

#include <string.h>

/* A value of 64 bits takes two slots. Codes from tests may name slots that do not exist: ir_validate() has no limit of a stage. */
static void use_slots(uint64_t *set, uint32_t limit, const struct ir_instr *instr, uint32_t bit_size)
{
   for (uint32_t slot = instr->imm.u[0], last = slot + (bit_size == 64); slot <= last; slot++) {
      if (slot < limit)
         util_bitset_set(set, slot);
   }
}

static bool is_input_attachment(const struct ir_instr *instr)
{
   const uint32_t flags = instr->imm.u[instr->op == IR_tex ? 2 : 1];
   return flags & ABI_TEX_INPUT_ATTACHMENT;
}

/* Definitions come before uses. */
static void find_unread(struct ir_instr *instr)
{
   instr->unread = instr->op == IR_tex || instr->op == IR_image_load ? (uint8_t)((1u << instr->num_components) - 1) : 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      instr->srcs[i]->unread &= (uint8_t)(instr->op == IR_extract ? ~(1u << instr->imm.u[0]) : 0);
}

static void add_instr(struct ir_instr *instr, void *data)
{
   struct abi_shader_info *info = data;
   find_unread(instr);
   switch (instr->op) {
   case IR_load_input:
   case IR_load_vertex: use_slots(info->inputs, ABI_NUM_PATCH_SLOTS, instr, instr->bit_size); break;
   case IR_interp:
      use_slots(info->inputs, ABI_NUM_SLOTS, instr, instr->bit_size);
      if (instr->imm.u[0] < ABI_NUM_SLOTS)
         info->interp[instr->imm.u[0]] = (uint8_t)instr->imm.u[1];
      info->reads_coverage |= instr->imm.u[2] == IR_AT_CENTROID;
      break;
   case IR_sysval: info->reads_coverage |= instr->imm.u[0] == IR_SYSVAL_SAMPLE_MASK_IN; break;
   case IR_store_output: use_slots(info->outputs, ABI_NUM_SLOTS, instr, instr->srcs[0]->bit_size); break;
   case IR_store_vertex: use_slots(info->outputs, ABI_NUM_SLOTS, instr, instr->srcs[1]->bit_size); break;
   case IR_store_buffer:
   case IR_store_global:
   case IR_atomic_buffer:
   case IR_atomic_global:
   case IR_image_atomic:
   case IR_image_store: info->has_side_effects = 1; break;
   case IR_copy:
      info->has_side_effects |= instr->imm.copy.form->sides[0].op == IR_store_buffer || instr->imm.copy.form->sides[0].op == IR_store_global;
      info->has_loops = 1;
      break;
   case IR_image_load: info->reads_attachments |= is_input_attachment(instr); break;
   case IR_tex:
      info->reads_attachments |= is_input_attachment(instr);
      info->uses_derivatives |= ir_has_implicit_lod(instr);
      break;
   case IR_attachment_desc: info->reads_attachments = info->reads_tiles = 1; break;
   case IR_ddx:
   case IR_ddy: info->uses_derivatives = 1; break;
   case IR_demote: info->uses_discard = 1; break;
   case IR_ray_proceed: /* the runtime goes through a tree */
   case IR_call_ordered:
   case IR_loop: info->has_loops = 1; break;
   default: break;
   }
}

void ir_analyze_summary(struct ir_shader *shader)
{
   struct abi_shader_info *info = &shader->info;
   memset(info->inputs, 0, sizeof(info->inputs));
   if (info->stage != ABI_STAGE_MESH) /* whose outputs are memory that is laid out by what is declared */
      memset(info->outputs, 0, sizeof(info->outputs));
   memset(info->interp, 0, sizeof(info->interp));
   info->uses_discard = info->has_side_effects = info->uses_derivatives = info->reads_attachments = 0;
   info->reads_tiles = info->has_loops = info->reads_coverage = 0;
   ir_for_each(shader, add_instr, info);
   info->has_side_effects |= shader->prints;
}
