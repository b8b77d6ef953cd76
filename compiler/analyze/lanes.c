/* SPDX-License-Identifier: MIT
 * How many invocations a vector of the code holds.
 *
 * Requires: info.stage and subgroup_size (0: that of the machine's vectors). Does: fills info.lanes, uses_subgroups and sees_subgroups.
 * Preserves: everything.
 *
 * A shader that looks at other invocations of its subgroup is compiled with the whole subgroup as one vector, which LLVM cuts into
 * registers: so it gives the same bits on every machine. Quads and the workgroup are not meant: a vector holds whole quads, and
 * barriers cut the loop over vectors. All other shaders use the machine's width; those that read where they stand in their
 * subgroup, no more than one subgroup. Where a stage's interface is narrower than a subgroup, only a part
 * of the subgroup is ever on. */
#include "compiler/ir/passes.h"

enum { SCOPE_SUBGROUP = 3 };

/* Of code and of a subgroup: the arrays of a batch of vertices or primitives are padded to 16, and a block has as many fragments. */
static const uint32_t max_lanes[ABI_NUM_STAGES] = {
   [ABI_STAGE_VERTEX] = 16,
   [ABI_STAGE_CONTROL] = 16,
   [ABI_STAGE_EVALUATION] = 16,
   [ABI_STAGE_GEOMETRY] = 16,
   [ABI_STAGE_TASK] = ABI_MAX_LANES,
   [ABI_STAGE_MESH] = ABI_MAX_LANES,
   [ABI_STAGE_FRAGMENT] = ABI_BLOCK_TEXELS,
   [ABI_STAGE_COMPUTE] = ABI_MAX_LANES,
   [ABI_STAGE_RAYGEN] = ABI_RAY_LANES,
   [ABI_STAGE_ANY_HIT] = ABI_RAY_LANES,
   [ABI_STAGE_CLOSEST_HIT] = ABI_RAY_LANES,
   [ABI_STAGE_MISS] = ABI_RAY_LANES,
   [ABI_STAGE_INTERSECTION] = ABI_RAY_LANES,
   [ABI_STAGE_CALLABLE] = ABI_RAY_LANES,
};

struct uses {
   bool operations, ids;
};

static void visit(struct ir_instr *instr, void *data)
{
   struct uses *uses = data;
   uses->operations |= (ir_info(instr)->flags & IR_SUBGROUP) != 0 || (instr->op == IR_barrier && instr->imm.u[0] == SCOPE_SUBGROUP);
   uses->ids |= instr->op == IR_sysval && (instr->imm.u[0] == IR_SYSVAL_SUBGROUP_ID || instr->imm.u[0] == IR_SYSVAL_SUBGROUP_LANE);
}

uint32_t ir_subgroup_invocations(const struct ir_shader *shader)
{
   return UTIL_MIN(shader->subgroup_size, max_lanes[shader->info.stage]);
}

void ir_choose_lanes(struct ir_shader *shader, uint32_t lanes)
{
   struct uses uses = {0};
   if (!shader->subgroup_size)
      shader->subgroup_size = lanes;
   ir_for_each(shader, visit, &uses);
   const uint32_t count = ir_subgroup_invocations(shader);
   const bool is_control = shader->info.stage == ABI_STAGE_CONTROL; /* the next vector is not the next lanes: a vector is a subgroup */
   if (uses.operations || (uses.ids && is_control))
      lanes = count;
   else if (uses.ids)
      lanes = UTIL_MIN(lanes, count);
   else if (shader->info.stage == ABI_STAGE_FRAGMENT)
      lanes = UTIL_MIN(lanes, 2 * (uint32_t)ABI_BLOCK_TEXELS); /* a pair of blocks */
   else
      lanes = UTIL_MIN(lanes, max_lanes[shader->info.stage]);
   shader->info.lanes = lanes;
   shader->uses_subgroups = uses.operations;
   shader->sees_subgroups = uses.operations || uses.ids;
}
