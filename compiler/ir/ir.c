/* SPDX-License-Identifier: MIT
 * The operation table, and what looks at or changes a whole shader: walking, removing, resolving, numbering. */
#include "compiler/ir/ir.h"

const struct ir_op_info ir_op_infos[IR_NUM_OPS] = {
#define IR_OP(name, num_srcs, result, flags, imm0, imm1, imm2, imm3)                                                   \
   [IR_##name] = {#name, num_srcs, IR_RESULT_##result, flags, {imm0, imm1, imm2, imm3}},
#include "compiler/ir/ir_ops.h"
#undef IR_OP
};

const char *const ir_sysval_names[IR_SYSVAL_COUNT] = {
   [IR_SYSVAL_LOCAL_ID] = "local_id",
   [IR_SYSVAL_WORKGROUP_ID] = "workgroup_id",
   [IR_SYSVAL_NUM_WORKGROUPS] = "num_workgroups",
   [IR_SYSVAL_LOCAL_INDEX] = "local_index",
   [IR_SYSVAL_SUBGROUP_ID] = "subgroup_id",
   [IR_SYSVAL_SUBGROUP_LANE] = "subgroup_lane",
   [IR_SYSVAL_VERTEX_INDEX] = "vertex_index",
   [IR_SYSVAL_INSTANCE_INDEX] = "instance_index",
   [IR_SYSVAL_BASE_VERTEX] = "base_vertex",
   [IR_SYSVAL_BASE_INSTANCE] = "base_instance",
   [IR_SYSVAL_DRAW_INDEX] = "draw_index",
   [IR_SYSVAL_VIEW_INDEX] = "view_index",
   [IR_SYSVAL_DEVICE_INDEX] = "device_index",
   [IR_SYSVAL_FRAG_COORD] = "frag_coord",
   [IR_SYSVAL_POINT_COORD] = "point_coord",
   [IR_SYSVAL_FRONT_FACING] = "front_facing",
   [IR_SYSVAL_PRIMITIVE_ID] = "primitive_id",
   [IR_SYSVAL_LAYER] = "layer",
   [IR_SYSVAL_VIEWPORT_INDEX] = "viewport_index",
   [IR_SYSVAL_SAMPLE_ID] = "sample_id",
   [IR_SYSVAL_SAMPLE_POS] = "sample_pos",
   [IR_SYSVAL_SAMPLE_MASK_IN] = "sample_mask_in",
   [IR_SYSVAL_INVOCATION_ID] = "invocation_id",
   [IR_SYSVAL_TESS_COORD] = "tess_coord",
   [IR_SYSVAL_PATCH_VERTICES] = "patch_vertices",
   [IR_SYSVAL_LAUNCH_ID] = "launch_id",
   [IR_SYSVAL_LAUNCH_SIZE] = "launch_size",
   [IR_SYSVAL_SHADING_RATE] = "shading_rate",
   [IR_SYSVAL_FRAG_SIZE] = "frag_size",
   [IR_SYSVAL_FRAG_INVOCATIONS] = "frag_invocations",
   [IR_SYSVAL_TAKEN_OUTPUTS] = "taken_outputs",
   [IR_SYSVAL_SHADER_RECORD] = "shader_record",
   [IR_SYSVAL_RECORD_TABLES] = "record_tables",
   [IR_SYSVAL_NODE] = "node",
};

struct ir_instr *ir_terminator(const struct ir_region *region)
{
   if (util_list_is_empty(&region->instrs))
      return NULL;
   struct ir_instr *last = UTIL_LIST_ENTRY(region->instrs.prev, struct ir_instr, link);
   return ir_is_jump(last) ? last : NULL;
}

bool ir_contains_continue(const struct ir_region *region, const struct ir_instr *loop)
{
   IR_FOR_EACH (it, region) {
      if (it->op == IR_continue && it->imm.cf.target == loop)
         return true;
      for (uint32_t r = 0; r < ir_num_regions(it); r++) {
         if (ir_contains_continue(it->imm.cf.regions[r], loop))
            return true;
      }
   }
   return false;
}

bool ir_is_inside(const struct ir_region *region, const struct ir_instr *construct)
{
   for (; region && region->owner; region = region->owner->region) {
      if (region->owner == construct)
         return true;
   }
   return false;
}

void ir_remove(struct ir_instr *instr)
{
   util_list_remove(&instr->link);
   instr->region = NULL;
}

static void for_each_in_region(struct ir_region *region, void (*visit)(struct ir_instr *, void *), void *data)
{
   IR_FOR_EACH (it, region) {
      const uint32_t num_regions = ir_num_regions(it);
      visit(it, data);
      if (!it->region)
         continue; /* removed, and its regions with it */
      for (uint32_t r = 0; r < num_regions; r++)
         for_each_in_region(it->imm.cf.regions[r], visit, data);
   }
}

void ir_for_each(struct ir_shader *shader, void (*visit)(struct ir_instr *instr, void *data), void *data)
{
   for_each_in_region(shader->body, visit, data);
}

static void clear_pass_data(struct ir_instr *instr, void *data)
{
   instr->pass_flags = 0;
   instr->pass_data = NULL;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++) {
         instr->imm.cf.regions[r]->params[i]->pass_flags = 0;
         instr->imm.cf.regions[r]->params[i]->pass_data = NULL;
      }
   }
}

void ir_clear_pass_data(struct ir_shader *shader)
{
   ir_for_each(shader, clear_pass_data, NULL);
}

static void resolve_sources(struct ir_instr *instr, void *data)
{
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      instr->srcs[i] = ir_resolve(instr->srcs[i]);
}

void ir_resolve_all(struct ir_shader *shader)
{
   ir_for_each(shader, resolve_sources, NULL);
}

static uint32_t renumber_region(struct ir_region *region, uint32_t next)
{
   for (uint32_t i = 0; i < region->num_params; i++)
      region->params[i]->index = next++;
   IR_FOR_EACH (it, region) {
      it->index = next++;
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         next = renumber_region(it->imm.cf.regions[r], next);
   }
   return next;
}

uint32_t ir_shader_renumber(struct ir_shader *shader)
{
   shader->num_values = renumber_region(shader->body, 0);
   return shader->num_values;
}

static void remove_src(struct ir_instr *instr, uint32_t index)
{
   for (uint32_t i = index; i + 1 < instr->num_srcs; i++)
      instr->srcs[i] = instr->srcs[i + 1];
   instr->num_srcs--;
}

static void remove_operand_of_jumps(struct ir_region *region, enum ir_op op, const struct ir_instr *target,
                                    uint32_t index)
{
   IR_FOR_EACH (it, region) {
      if (it->op == op && it->imm.cf.target == target)
         remove_src(it, index);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         remove_operand_of_jumps(it->imm.cf.regions[r], op, target, index);
   }
}

static void remove_operand_of_yield(struct ir_region *region, uint32_t index)
{
   struct ir_instr *jump = ir_terminator(region);
   if (jump && jump->op == IR_yield)
      remove_src(jump, index);
}

static void remove_from_list(struct ir_instr **list, uint32_t *count, uint32_t index)
{
   for (uint32_t i = index; i + 1 < *count; i++) {
      list[i] = list[i + 1];
      list[i]->imm.u[0] = i;
   }
   (*count)--;
}

void ir_remove_result(struct ir_instr *owner, uint32_t index)
{
   ir_remove(owner->imm.cf.results[index]);
   remove_from_list(owner->imm.cf.results, &owner->imm.cf.num_results, index);
   for (uint32_t r = 0; r < ir_num_regions(owner); r++) {
      if (owner->op != IR_loop)
         remove_operand_of_yield(owner->imm.cf.regions[r], index);
      if (owner->op != IR_if)
         remove_operand_of_jumps(owner->imm.cf.regions[r], IR_break, owner, index);
   }
}

void ir_remove_param(struct ir_instr *owner, uint32_t region, uint32_t index)
{
   struct ir_region *changed = owner->imm.cf.regions[region];
   changed->params[index]->region = NULL;
   remove_from_list(changed->params, &changed->num_params, index);
   if (region == 0) {
      remove_src(owner, index);
      remove_operand_of_yield(owner->imm.cf.regions[1], index);
   } else {
      remove_operand_of_jumps(owner->imm.cf.regions[0], IR_continue, owner, index);
   }
}
