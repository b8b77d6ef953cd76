/* SPDX-License-Identifier: MIT
 * `barrier`: derivatives, and samples whose level of detail comes from them, in control flow that a part of a quad reaches: there is nothing to take the
 * difference with, and the result is undefined (SPIR-V, "Derivative Instructions"; the same is said of image instructions with an implicit level).
 * Operations of the subgroup are defined among the invocations that reach them, and are left alone; those of a quad that read an invocation which does not
 * are the front end's to check, which alone has them: spirv/instructions/spirv_group.c.
 *
 * Requires: nothing. Does: a probe in front of each. Preserves: all else.
 *
 *    %2 = ddx 1x32 %1                   →      %3 = quad_lanes 1x32
 *                                              %4 = ine 1x1 %3, 15
 *                                              probe %4, …, %3 site=0
 *                                              %2 = ddx 1x32 %1 */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

static bool has_derivative(const struct ir_instr *instr)
{
   return instr->op == IR_ddx || instr->op == IR_ddy || (instr->op == IR_tex && ir_has_implicit_lod(instr));
}

/* The components of one derivative, or both of a width, stand one behind the other on a line: one probe will do. */
static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   if (!has_derivative(instr))
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   const struct ir_instr *desc = instr->op == IR_tex ? instr->srcs[0] : NULL;
   struct abi_site *site = ir_access_site(in, ABI_PROBE_QUAD, instr, desc);
   struct ir_instr *lanes = ir_emit(&b, IR_quad_lanes, 1, 32, 0, NULL);
   ir_probe(in, &b, site, ir_alu2(&b, IR_ine, lanes, ir_const(&b, 32, 15)), 1, &lanes);
}

bool ir_instrument_quads(struct ir_shader *shader)
{
   struct ir_instrument in = {.shader = shader};
   const enum abi_stage stage = (enum abi_stage)shader->info.stage;
   if (shader->checks & ABI_CHECK_BARRIER && (stage == ABI_STAGE_FRAGMENT || abi_has_workgroups(stage)))
      ir_instrument_walk(&in, visit);
   return in.has_changed;
}
