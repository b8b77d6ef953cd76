/* SPDX-License-Identifier: MIT
 * Says whether a shader is well formed: structure, scopes, types, operand counts. Run after each pass in debug builds.
 * */
#include "compiler/ir/ir_copy.h"

#include <stdarg.h>

struct validator {
   struct util_arena *arena;
   const struct ir_shader *shader;
   const struct ir_instr **visible; /* by index: the value that may be used here */
   const struct ir_instr *instr;    /* being looked at */
   const char *error;
};

UTIL_PRINTF(2, 3) static void fail(struct validator *v, const char *format, ...)
{
   if (v->error)
      return;
   char message[200];
   va_list args;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   v->error = v->instr ? util_arena_printf(v->arena, "%%%u %s: %s", v->instr->index, ir_info(v->instr)->name, message)
                       : util_arena_strdup(v->arena, message);
}

static void check(struct validator *v, bool condition, const char *what)
{
   if (!condition)
      fail(v, "%s", what);
}

static bool same_type(const struct ir_instr *a, const struct ir_instr *b)
{
   return a->num_components == b->num_components && a->bit_size == b->bit_size;
}

static bool is_valid_type(const struct ir_instr *instr)
{
   const uint32_t bits = instr->bit_size;
   return instr->num_components >= 1 && instr->num_components <= (ir_is_call(instr) ? IR_MAX_COMPONENTS : 4) &&
          (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

static void define(struct validator *v, const struct ir_instr *instr)
{
   if (instr->index >= v->shader->num_values)
      fail(v, "index %u is not below num_values", instr->index);
   else if (v->visible[instr->index])
      fail(v, "index %u is taken", instr->index);
   else
      v->visible[instr->index] = instr;
}

static void undefine(struct validator *v, const struct ir_instr *instr)
{
   if (instr->index < v->shader->num_values && v->visible[instr->index] == instr)
      v->visible[instr->index] = NULL;
}

static void check_srcs(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   const int count = ir_info(instr)->num_srcs;
   if (count >= 0 && instr->num_srcs != (uint32_t)count)
      fail(v, "%u sources instead of %d", instr->num_srcs, count);
   for (uint32_t i = 0; i < instr->num_srcs && !v->error; i++) {
      const struct ir_instr *src = instr->srcs[i];
      if (!src)
         fail(v, "source %u is NULL", i);
      else if (src->forward)
         fail(v, "source %u (%%%u) was replaced", i, src->index);
      else if (!src->num_components)
         fail(v, "source %u (%%%u) gives no value", i, src->index);
      else if (src->index >= v->shader->num_values || v->visible[src->index] != src)
         fail(v, "source %u (%%%u) is not visible here", i, src->index);
   }
}

/* ---- types ---- */

static void check_src_bits(struct validator *v, uint32_t src, uint32_t bits)
{
   if (src < v->instr->num_srcs && v->instr->srcs[src]->bit_size != bits)
      fail(v, "source %u has %u bits instead of %u", src, v->instr->srcs[src]->bit_size, bits);
}

static void check_src_scalar(struct validator *v, uint32_t src)
{
   if (src < v->instr->num_srcs && v->instr->srcs[src]->num_components != 1)
      fail(v, "source %u has %u components", src, v->instr->srcs[src]->num_components);
}

static bool is_float_op(enum ir_op op)
{
   return (op >= IR_feq && op <= IR_fgeu) || (op >= IR_fadd && op <= IR_ffrexp_exp) || op == IR_ddx || op == IR_ddy;
}

static bool is_float_size(uint32_t bits)
{
   return bits == 16 || bits == 32 || bits == 64;
}

static void check_conversion(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   switch ((enum ir_op)instr->op) {
   case IR_i2f:
   case IR_u2f:
      check(v, is_float_size(instr->bit_size), "result is no float");
      break;
   case IR_f2i:
   case IR_f2u:
      check(v, is_float_size(instr->srcs[0]->bit_size), "source is no float");
      break;
   case IR_f2f:
      check(v, is_float_size(instr->bit_size) && is_float_size(instr->srcs[0]->bit_size), "no float");
      break;
   case IR_ffrexp_exp:
      check(v, instr->bit_size == 32, "result has not 32 bits");
      break;
   case IR_pack:
      check(v, instr->num_srcs > 1 && instr->num_srcs * instr->srcs[0]->bit_size == instr->bit_size,
            "sizes do not add up");
      for (uint32_t i = 1; i < instr->num_srcs; i++)
         check_src_bits(v, i, instr->srcs[0]->bit_size);
      break;
   case IR_unpack:
      check(v, (instr->imm.u[0] + 1) * instr->bit_size <= instr->srcs[0]->bit_size, "no such part");
      break;
   default:
      break;
   }
}

static void check_alu(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   const uint32_t bits = instr->num_srcs ? instr->srcs[0]->bit_size : 0;

   check(v, instr->num_components == 1, "result has several components");
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      check_src_scalar(v, i);
   if (is_float_op(instr->op))
      check(v, is_float_size(bits), "source is no float");

   switch ((enum ir_op)instr->op) {
   case IR_ubfe:
   case IR_ibfe:
      check_src_bits(v, 1, 32);
      check_src_bits(v, 2, 32);
      break;
   case IR_bfi:
      check_src_bits(v, 1, bits);
      check_src_bits(v, 2, 32);
      check_src_bits(v, 3, 32);
      break;
   case IR_fldexp:
      check_src_bits(v, 1, 32);
      break;
   case IR_select:
      check_src_bits(v, 0, 1);
      check_src_bits(v, 1, instr->bit_size);
      check_src_bits(v, 2, instr->bit_size);
      break;
   default:
      if (ir_info(instr)->result == IR_RESULT_SAME || ir_info(instr)->result == IR_RESULT_BOOL) {
         for (uint32_t i = 1; i < instr->num_srcs; i++)
            check_src_bits(v, i, bits);
      }
      check_conversion(v);
      break;
   }
}

static void check_shape(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   switch ((enum ir_op)instr->op) {
   case IR_vec:
      check(v, instr->num_srcs == instr->num_components && instr->num_srcs > 1, "one source a component");
      for (uint32_t i = 0; i < instr->num_srcs; i++) {
         check_src_scalar(v, i);
         check_src_bits(v, i, instr->bit_size);
      }
      break;
   case IR_extract:
      check(v, instr->num_components == 1 && instr->imm.u[0] < instr->srcs[0]->num_components, "no such component");
      check_src_bits(v, 0, instr->bit_size);
      break;
   case IR_call:
   case IR_call_ordered:
      check(v, instr->imm.u[0] >= 1 && instr->imm.u[0] <= v->shader->num_routines, "no such routine");
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         check_src_scalar(v, i);
      break;
   case IR_undefined_where: check_src_bits(v, 1, 1); break;
   case IR_sysval:
      check(v, instr->imm.u[0] < IR_SYSVAL_COUNT, "no such value");
      break;
   default:
      break;
   }
}

static void check_address(struct validator *v, uint32_t src, uint32_t bits)
{
   check_src_scalar(v, src);
   check_src_bits(v, src, bits);
}

static void check_store(struct validator *v, uint32_t value_src, uint32_t mask)
{
   const uint32_t all = (1u << v->instr->srcs[value_src]->num_components) - 1;
   check(v, mask && !(mask & ~all), "bad mask");
}

static void check_ray(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   const struct ir_var *var = instr->imm.var.var;
   const bool is_own = instr->op == IR_load_ray || instr->op == IR_ray_fetch;
   check(v, var && var->size_bytes >= sizeof(struct abi_ray) && (var->class == IR_VAR_QUERY || (is_own && var->class == IR_VAR_RAY)), "no variable of rays");
   if (instr->op == IR_ray_clear)
      return;
   check(v, instr->num_srcs > 0, "too few sources");
   check_address(v, 0, 32);
   if (instr->op == IR_ray_proceed || instr->op == IR_ray_commit)
      check(v, instr->num_components == 1 && instr->bit_size == 1, "a decision has 1 bit");
   if (instr->op == IR_ray_commit)
      check_address(v, 1, 32);
   if (instr->op == IR_ray_fetch)
      check(v, instr->num_components <= 3 && instr->bit_size == 32 && instr->imm.u[2] >> 2 < ABI_FETCH_POSITIONS + 1, "no such column");
   if (instr->op == IR_ray_address)
      check(v, instr->num_components == 1 && instr->bit_size == 64, "an address has 64 bits");
   if (instr->op == IR_ray_copy)
      check_address(v, 1, 64);
   if (instr->op == IR_store_ray)
      check_store(v, 1, instr->imm.var.mask);
   if (instr->op == IR_load_ray || instr->op == IR_store_ray) {
      const struct ir_instr *value = instr->op == IR_load_ray ? instr : instr->srcs[1];
      check(v, (uint64_t)instr->imm.var.field + value->num_components * value->bit_size / 8 <= ABI_RAY_FIELD_BYTES && value->bit_size >= 32 &&
               instr->imm.var.field % 4 == 0, "no such field");
   }
}

static void check_call(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   const struct ir_var *var = instr->imm.var.var;
   check(v, var && (var->class == IR_VAR_OUTGOING || var->class == IR_VAR_INCOMING), "no payload");
   const bool traces = instr->op == IR_trace_ray || instr->op == IR_trace_object;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      check_src_bits(v, i, (traces && (i == 0 || i == 10)) || instr->op == IR_execute_object ? 64 : 32);
      check(v, instr->srcs[i]->num_components == (traces && (i == 6 || i == 8) ? 3 : 1), "wrong number of components");
   }
}

static bool is_table_of_offsets(const struct ir_var *var, uint32_t count)
{
   return var->table && var->table->bit_size == 32 && var->table->count >= count;
}

static void check_copy_side(struct validator *v, uint32_t s, uint32_t first_src)
{
   const struct ir_copy_form *form = v->instr->imm.copy.form;
   const struct ir_copy_side *side = &form->sides[s];
   const struct ir_var *var = v->instr->imm.copy.vars[s];
   const bool stores = side->op == IR_store_buffer || side->op == IR_store_global || side->op == IR_store_shared || side->op == IR_store_var;
   const bool loads = side->op == IR_load_buffer || side->op == IR_load_global || side->op == IR_load_shared || side->op == IR_load_var ||
                      side->op == IR_load_push || side->op == IR_load_table || side->op == IR_undef;
   check(v, s == 0 ? stores : loads, "no such access");
   check(v, (var != NULL) == ir_copy_names_var(side->op), "a variable is missing, or one too many");
   if (var && side->op == IR_load_table)
      check(v, var->table && var->table->bit_size == form->bit_size, "no table of such elements");
   else if (var)
      check(v, var->class == IR_VAR_PLAIN, "no variable");
   check(v, !side->offsets || is_table_of_offsets(side->offsets, form->count), "no table of so many offsets");
   for (uint32_t i = 0; i < ir_copy_num_srcs(side->op); i++)
      check_address(v, first_src + i, ir_copy_src_bits(side->op, i));
}

static void check_copy(struct validator *v)
{
   const struct ir_copy_form *form = v->instr->imm.copy.form;
   if (!form) {
      fail(v, "no form");
      return;
   }
   const uint32_t num_srcs[2] = {ir_copy_num_srcs(form->sides[0].op), ir_copy_num_srcs(form->sides[1].op)};
   check(v, form->count && (form->bit_size == 8 || form->bit_size == 16 || form->bit_size == 32), "no units");
   check(v, v->instr->num_srcs == num_srcs[0] + num_srcs[1], "wrong number of sources");
   if (v->error)
      return;
   check_copy_side(v, 0, 0);
   check_copy_side(v, 1, num_srcs[0]);
}

static void check_memory(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   switch ((enum ir_op)instr->op) {
   case IR_load_buffer:
   case IR_store_buffer:
   case IR_atomic_buffer:
      check(v, instr->num_srcs >= 3, "too few sources");
      check_address(v, 0, 64);
      check_address(v, 1, 32);
      check_address(v, 2, 32);
      if (instr->op == IR_store_buffer)
         check_store(v, 3, instr->imm.u[2]);
      break;
   case IR_load_global:
   case IR_store_global:
   case IR_atomic_global:
      check_address(v, 0, 64);
      if (instr->op == IR_store_global)
         check_store(v, 1, instr->imm.u[2]);
      break;
   case IR_load_shared:
   case IR_store_shared:
   case IR_atomic_shared:
   case IR_load_push:
      check_address(v, 0, 32);
      if (instr->op == IR_store_shared)
         check_store(v, 1, instr->imm.u[2]);
      break;
   case IR_load_row:
   case IR_store_row:
   case IR_or_row:
      check_address(v, 0, 32);
      check(v, (instr->op == IR_load_row ? instr : instr->srcs[1])->bit_size == 32, "a row has 32 bits");
      break;
   case IR_load_table:
      check(v, instr->imm.var.var && instr->imm.var.var->table && instr->imm.var.var->table->bit_size == instr->bit_size, "no table of such elements");
      check_address(v, 0, 32);
      break;
   case IR_copy:
      check_copy(v);
      break;
   case IR_load_var:
   case IR_store_var:
      check(v, instr->imm.var.var && instr->imm.var.var->class != IR_VAR_QUERY && instr->imm.var.var->class != IR_VAR_RAY && !instr->imm.var.var->table,
            "no variable");
      check_address(v, 0, 32);
      if (instr->op == IR_store_var)
         check_store(v, 1, instr->imm.var.mask);
      break;
   case IR_load_ray:
   case IR_store_ray:
   case IR_ray_clear:
   case IR_ray_proceed:
   case IR_ray_commit:
   case IR_ray_fetch:
   case IR_ray_copy:
   case IR_ray_address:
      check_ray(v);
      break;
   case IR_trace_ray:
   case IR_trace_object:
   case IR_execute_object:
   case IR_call_shader:
      check_call(v);
      break;
   case IR_multiply_matrices:
   case IR_transpose_matrix:
      check(v, instr->imm.var.var && instr->imm.var.var->class == IR_VAR_MATRICES, "no matrices");
      check(v, instr->op == IR_transpose_matrix || instr->imm.u[3] < ABI_NUM_MATRIX_CLASSES, "no such class");
      break;
   case IR_report_hit:
      check_address(v, 0, 32);
      check_address(v, 1, 32);
      check(v, instr->num_components == 2 && instr->bit_size == 1, "two answers of 1 bit");
      break;
   case IR_node_call:
      check(v, instr->imm.u[0] <= ABI_NODE_FINISH && instr->num_srcs <= 2, "no such call of a node");
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         check_address(v, i, instr->imm.u[0] == ABI_NODE_ENQUEUE ? 64 : 32);
      check(v, instr->num_components == 2 && instr->bit_size == 64, "two results of 64 bits");
      break;
   case IR_structure_desc:
   case IR_buffer_addr:
   case IR_image_desc:
   case IR_sampler_desc:
   case IR_attachment_desc:
      check_address(v, 0, 32);
      check(v, instr->num_components == 1 && instr->bit_size == 64, "an address has 64 bits");
      break;
   case IR_buffer_size:
      check_address(v, 0, 32);
      check(v, instr->num_components == 1 && (instr->bit_size == 32 || instr->bit_size == 64), "a size has 32 or 64 bits");
      break;
   case IR_match:
      check_src_scalar(v, 0);
      check(v, instr->num_components == 1 && instr->bit_size == 32, "a mask has 32 bits");
      break;
   case IR_quad_lanes:
      check(v, instr->num_components == 1 && instr->bit_size == 32, "a mask has 32 bits");
      break;
   case IR_reduce_part:
      check_src_scalar(v, 0);
      check_address(v, 1, 32);
      break;
   case IR_if:
   case IR_demote:
   case IR_vote_any:
   case IR_vote_all:
      check_address(v, 0, 1);
      break;
   default:
      break;
   }
}

/* ---- structure ---- */

static void check_operands(struct validator *v, struct ir_instr *const *targets, uint32_t count)
{
   if (v->instr->num_srcs != count) {
      fail(v, "%u operands instead of %u", v->instr->num_srcs, count);
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      if (!same_type(v->instr->srcs[i], targets[i]))
         fail(v, "operand %u is not of its target's type", i);
   }
}

static void check_continue(struct validator *v, const struct ir_instr *target)
{
   check(v, target->op == IR_loop, "target is no loop");
   if (v->error)
      return;
   check(v, ir_is_inside(v->instr->region, target), "target is not around");
   const struct ir_region *region = v->instr->region;
   while (region && region->owner != target)
      region = region->owner ? region->owner->region : NULL;
   check(v, region == target->imm.cf.regions[0], "not in the loop's body");
   check_operands(v, target->imm.cf.regions[1]->params, target->imm.cf.regions[1]->num_params);
}

static void check_yield(struct validator *v)
{
   const struct ir_instr *owner = v->instr->region->owner;
   if (!owner) {
      check(v, v->instr->num_srcs == 0, "the shader's body yields nothing");
   } else if (owner->op == IR_loop) {
      check(v, v->instr->region == owner->imm.cf.regions[1], "a loop's body does not end in yield");
      check_operands(v, owner->imm.cf.regions[0]->params, owner->imm.cf.regions[0]->num_params);
   } else {
      check_operands(v, owner->imm.cf.results, owner->imm.cf.num_results);
   }
}

static void check_jump(struct validator *v)
{
   const struct ir_instr *target = v->instr->imm.cf.target;
   if (v->instr->op == IR_yield) {
      check_yield(v);
      return;
   }
   check(v, target, "no target");
   if (v->error)
      return;
   if (v->instr->op == IR_continue) {
      check_continue(v, target);
      return;
   }
   check(v, target->op == IR_loop || target->op == IR_block, "target is no loop and no block");
   check(v, ir_is_inside(v->instr->region, target), "target is not around");
   if (!v->error)
      check_operands(v, target->imm.cf.results, target->imm.cf.num_results);
}

static void check_region(struct validator *v, const struct ir_region *region);

static void check_results(struct validator *v, const struct ir_instr *construct)
{
   const struct util_list *node = construct->link.next;
   for (uint32_t i = 0; i < construct->imm.cf.num_results; i++, node = node->next) {
      const struct ir_instr *result = construct->imm.cf.results[i];
      check(v,
            node == &result->link && result->op == IR_result && result->imm.cf.target == construct &&
               result->imm.u[0] == i && result->region == construct->region,
            "results do not follow in order");
   }
}

static void check_construct(struct validator *v)
{
   const struct ir_instr *instr = v->instr;
   check_results(v, instr);
   for (uint32_t r = 0; r < ir_num_regions(instr) && !v->error; r++) {
      const struct ir_region *region = instr->imm.cf.regions[r];
      check(v, region && region->owner == instr, "region of another owner");
      check(v, v->error || instr->op == IR_loop || !region->num_params, "only loops have params");
      if (instr->op == IR_loop && r == 0 && !v->error)
         check_operands(v, region->params, region->num_params);
      if (!v->error)
         check_region(v, region);
      v->instr = instr;
   }
}

static void check_instr(struct validator *v, const struct ir_region *region)
{
   const struct ir_instr *instr = v->instr;
   check(v, instr->op < IR_NUM_OPS && instr->region == region, "stands in another region");
   check(v, !instr->forward, "was replaced but not removed");
   if (v->error)
      return;
   check_srcs(v);
   check(v, (ir_info(instr)->result != IR_RESULT_NONE) == (instr->num_components != 0), "gives a value or does not");
   if (instr->num_components)
      check(v, is_valid_type(instr), "no such type");
   if (v->error)
      return;
   if (ir_info(instr)->result == IR_RESULT_SAME)
      check(v, same_type(instr, instr->srcs[0]), "result is not of source 0's type");
   if (ir_info(instr)->result == IR_RESULT_BOOL)
      check(v, instr->num_components == 1 && instr->bit_size == 1, "result is not 1 bit");
   if (ir_info(instr)->flags & IR_SCALAR)
      check_alu(v);
   check_shape(v);
   if (v->error)
      return;
   check_memory(v);
   if (ir_is_jump(instr))
      check_jump(v);
   else if (ir_is_construct(instr))
      check_construct(v);
}

static void check_region(struct validator *v, const struct ir_region *region)
{
   for (uint32_t i = 0; i < region->num_params && !v->error; i++) {
      v->instr = region->params[i];
      check(v, v->instr->op == IR_param && v->instr->region == region && v->instr->imm.u[0] == i,
            "params out of order");
      check(v, is_valid_type(v->instr), "no such type");
      define(v, v->instr);
   }
   bool ended = false;
   IR_FOR_EACH (it, region) {
      if (v->error)
         return;
      v->instr = it;
      check(v, !ended, "follows a jump");
      ended = ir_is_jump(it);
      check_instr(v, region);
      v->instr = it;
      if (!v->error)
         define(v, it);
   }
   if (!ended)
      fail(v, "a region without a jump at its end");
   IR_FOR_EACH (it, region)
      undefine(v, it);
   for (uint32_t i = 0; i < region->num_params; i++)
      undefine(v, region->params[i]);
}

const char *ir_validate(const struct ir_shader *shader, struct util_arena *arena)
{
   struct validator v = {.arena = arena, .shader = shader};
   v.visible = UTIL_ARENA_ARRAY(arena, const struct ir_instr *, UTIL_MAX(shader->num_values, 1u));
   check_region(&v, shader->body);
   const struct ir_instr *end = ir_terminator(shader->body);
   v.instr = end;
   check(&v, v.error || (end && end->op == IR_yield), "the shader does not end in yield");
   return v.error;
}
