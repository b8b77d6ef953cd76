/* SPDX-License-Identifier: MIT
 * In SPIR-V a value may be used wherever its definition dominates; in the IR only inside the region that defines it.
 * Here every value that is used outside of its region gets a variable: stored after the definition, loaded before the
 * use. The pass that promotes variables then makes results of the regions. Constants and handles are simply made again.
 */
#include "compiler/spirv/spirv_cfg.h"

static bool is_visible(const struct ir_region *defined_in, const struct ir_region *region)
{
   for (; region; region = region->owner ? region->owner->region : NULL) {
      if (region == defined_in)
         return true;
   }
   return false;
}

static bool is_cheap(const struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_const:
   case IR_undef:
   case IR_sysval:
      return true;
   case IR_buffer_addr:
   case IR_buffer_size:
   case IR_image_desc:
   case IR_sampler_desc:
   case IR_structure_desc:
   case IR_attachment_desc:
   case IR_load_push:
      return ir_is_const(instr->srcs[0]);
   default:
      return false;
   }
}

static struct ir_instr *make_again(struct ir_builder *b, const struct ir_instr *instr)
{
   struct ir_instr *src = instr->num_srcs ? make_again(b, instr->srcs[0]) : NULL;
   struct ir_instr *copy = ir_emit(b, instr->op, instr->num_components, instr->bit_size, instr->num_srcs, &src);
   copy->imm = instr->imm;
   return copy;
}

/* Booleans are kept as 32 bits; components stand one after the other in cells of 4 bytes at least. */
static struct ir_instr *carried(struct spirv_ctx *t, struct ir_builder *b, struct ir_instr *value)
{
   struct ir_var *var = value->pass_data;
   const uint32_t bits = value->bit_size, cell = UTIL_MAX(bits / 8, 4u);
   struct ir_instr *comps[4];
   if (!var) {
      var = ir_var_create(t->shader, value->num_components * cell, "carried");
      value->pass_data = var;
      struct ir_builder after = ir_builder_after(t->shader, value);
      for (uint32_t i = 0; i < value->num_components; i++) {
         struct ir_instr *part = ir_extract(&after, value, i);
         if (bits == 1)
            part = ir_convert(&after, IR_u2u, 32, part);
         ir_store_var(&after, var, ir_const(&after, 32, i * cell), part, 1);
      }
   }
   for (uint32_t i = 0; i < value->num_components; i++) {
      comps[i] = ir_load_var(b, var, ir_const(b, 32, i * cell), 1, bits == 1 ? 32 : bits);
      if (bits == 1)
         comps[i] = ir_alu2(b, IR_ine, comps[i], ir_const(b, 32, 0));
   }
   return ir_vec(b, value->num_components, comps);
}

static void fix_sources(struct ir_instr *instr, void *data)
{
   struct spirv_ctx *t = data;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct ir_instr *src = instr->srcs[i];
      if (src->region == instr->region || is_visible(src->region, instr->region))
         continue;
      struct ir_builder b = ir_builder_before(t->shader, instr);
      b.fp = 0;
      instr->srcs[i] = is_cheap(src) ? make_again(&b, src) : carried(t, &b, src);
   }
}

static void forget_variable(struct ir_instr *instr, void *data)
{
   instr->pass_data = NULL;
}

void spirv_fix_scopes(struct spirv_ctx *t)
{
   ir_for_each(t->shader, fix_sources, t);
   ir_for_each(t->shader, forget_variable, NULL);
}
