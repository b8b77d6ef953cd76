/* SPDX-License-Identifier: MIT
 * Small arrays that lanes index each for itself become values.
 *
 * Requires: constant offsets are `const` instructions (run simplify before); loops are unrolled.
 * Does: where a variable has few elements, and all accesses whose offsets are not constant differ from lane to lane, such a load becomes loads of all
 * elements that it can mean and selects among them, and such a store one of each element, of what it was or of what is stored. That is less than what
 * reads or writes words that are apart, and the variable needs no memory any more: run promote_vars afterwards. Arrays that all lanes index alike stay
 * memory, where an access is one of a whole vector.
 * Preserves: everything but what is undefined: offsets past the end mean what lies at the variable's end for the whole access, in memory for each
 * component.
 *
 *    %5 = load_var 1x32 v0 %4      %5 = load_var 1x32 v0 %0
 *                                  %6 = load_var 1x32 v0 %1
 *                                  %7 = ieq 1x1 %4, %1
 *                                  %8 = select 1x32 %7, %6, %5 */
#include "compiler/ir/ir_eval.h"
#include "compiler/ir/passes.h"
#include "compiler/opt/shared.h"

enum { MAX_LOADED = 16, MAX_STORED = 8 };           /* elements that an access may mean */
enum { MAX_VAR_BYTES = 256, MAX_VAR_COST = 512 };   /* the cost in selects */
enum { MAX_COST = 2048 };                           /* of all variables of a shader */
enum { MAX_DEPTH = 6 };
enum { DIFFERS = 1 };                               /* in pass_flags: from lane to lane */

struct use {
   bool is_refused, is_indexed;
   uint32_t cost;
};

struct search {
   struct ir_shader *shader;
   struct use *uses; /* by ir_var.index */
};

/* Where an access may be: at `term`, a multiple of `step`, plus a constant. */
struct offset {
   struct ir_instr *term;
   uint32_t base, step;
   uint32_t first, last; /* of the elements that it means, in bytes */
   uint32_t other;       /* where it is if it is at none of the others; an element, or what lies at the variable's end */
   bool is_bounded;      /* it is at one of the elements */
};

static bool constant(const struct ir_instr *value, uint32_t *out)
{
   *out = ir_is_const(value) ? (uint32_t)value->imm.c[0] : 0;
   return ir_is_const(value) && value->num_components == 1;
}

static uint32_t product(uint32_t a, uint32_t b, uint32_t otherwise)
{
   uint32_t result;
   return __builtin_mul_overflow(a, b, &result) ? otherwise : result;
}

static uint32_t greatest_divisor(uint32_t a, uint32_t b)
{
   while (b) {
      const uint32_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

/* What the value is a multiple of; 0: it is zero. */
static uint32_t step_of(const struct ir_instr *value, uint32_t depth)
{
   uint32_t c;
   if (constant(value, &c))
      return c;
   if (!depth)
      return 1;
   switch (value->op) {
   case IR_imul: return product(step_of(value->srcs[0], depth - 1), step_of(value->srcs[1], depth - 1), 1);
   case IR_ishl: return constant(value->srcs[1], &c) && c < 32 ? product(step_of(value->srcs[0], depth - 1), 1u << c, 1) : 1;
   case IR_iadd:
   case IR_isub: return greatest_divisor(step_of(value->srcs[0], depth - 1), step_of(value->srcs[1], depth - 1));
   default: return 1;
   }
}

static uint32_t max_of(const struct ir_instr *value, uint32_t depth)
{
   uint32_t a = UINT32_MAX, b = UINT32_MAX, c;
   if (constant(value, &c))
      return c;
   if (!depth || value->num_srcs < 2)
      return UINT32_MAX;
   a = max_of(value->srcs[0], depth - 1);
   b = max_of(value->srcs[1], depth - 1);
   switch (value->op) {
   case IR_iand:
   case IR_umin: return UTIL_MIN(a, b);
   case IR_umod: return constant(value->srcs[1], &c) && c ? UTIL_MIN(a, c - 1) : UINT32_MAX;
   case IR_ushr: return constant(value->srcs[1], &c) && c < 32 ? a >> c : a;
   case IR_imul: return product(a, b, UINT32_MAX);
   case IR_ishl: return constant(value->srcs[1], &c) && c < 32 ? product(a, 1u << c, UINT32_MAX) : UINT32_MAX;
   case IR_iadd: return a > UINT32_MAX - b ? UINT32_MAX : a + b;
   case IR_select: return UTIL_MAX(b, max_of(value->srcs[2], depth - 1));
   default: return UINT32_MAX;
   }
}

static bool is_access(const struct ir_instr *instr)
{
   return instr->op == IR_load_var || instr->op == IR_store_var;
}

static const struct ir_instr *accessed(const struct ir_instr *access)
{
   return access->op == IR_load_var ? access : access->srcs[1];
}

static uint32_t num_elements(const struct offset *offset)
{
   return (offset->last - offset->first) / offset->step + 1;
}

/* False: there is no such element, or there are too many. */
static bool find_offset(const struct ir_instr *access, struct offset *out)
{
   const uint32_t size = access->imm.var.var->size_bytes, bytes = 4u * accessed(access)->num_components;
   uint32_t c;
   *out = (struct offset){.term = access->srcs[0]};
   for (uint32_t depth = 0; depth < MAX_DEPTH && out->term->op == IR_iadd; depth++) {
      const uint32_t k = ir_is_const(out->term->srcs[1]);
      if (!constant(out->term->srcs[k], &c))
         break;
      out->base += c;
      out->term = out->term->srcs[!k];
   }
   out->step = step_of(out->term, MAX_DEPTH);
   if (bytes > size || out->step % 4 || out->base % 4 || !out->step)
      return false;
   const uint32_t end = size - bytes, max = max_of(out->term, MAX_DEPTH);
   out->is_bounded = max <= end && out->base <= end - max;
   out->first = out->is_bounded ? out->base : out->base % out->step;
   if (out->first > end)
      return false;
   out->last = out->first + (out->is_bounded ? max : end - out->first) / out->step * out->step;
   out->other = out->is_bounded ? out->last : end;
   return num_elements(out) <= (access->op == IR_load_var ? MAX_LOADED : MAX_STORED);
}

static void mark(struct ir_instr *instr)
{
   bool differs = !ir_is_construct(instr) && !ir_is_jump(instr) && instr->op != IR_param && !ir_shares(instr);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      differs |= instr->srcs[i]->pass_flags & DIFFERS;
   instr->pass_flags = differs ? DIFFERS : 0;
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      /* What counts rounds begins alike; what a round makes of it is not looked at. */
      for (uint32_t i = 0; i < instr->imm.cf.regions[r]->num_params; i++)
         instr->imm.cf.regions[r]->params[i]->pass_flags = r == 0 ? instr->srcs[i]->pass_flags & DIFFERS : 0;
   }
}

static void note(struct ir_instr *instr, void *data)
{
   struct search *search = data;
   struct offset offset;
   mark(instr);
   if (instr->op == IR_copy) {
      for (uint32_t s = 0; s < 2; s++)
         if (instr->imm.copy.vars[s])
            search->uses[instr->imm.copy.vars[s]->index].is_refused = true;
      return;
   }
   if (!ir_names_var(instr))
      return;
   const struct ir_var *var = instr->imm.var.var;
   struct use *use = &search->uses[var->index];
   if (!is_access(instr) || var->class != IR_VAR_PLAIN || var->size_bytes > MAX_VAR_BYTES || accessed(instr)->bit_size != 32) {
      use->is_refused = true;
      return;
   }
   if (ir_is_const(instr->srcs[0]))
      return;
   use->is_indexed = true;
   if (!(instr->srcs[0]->pass_flags & DIFFERS) || !find_offset(instr, &offset)) {
      use->is_refused = true;
      return;
   }
   use->cost += num_elements(&offset) * accessed(instr)->num_components;
}

/* Whether the access is at this element; of the one that stands for all others, whether it is past those before. */
static struct ir_instr *is_at(struct ir_builder *b, const struct ir_instr *access, const struct offset *offset, uint32_t at)
{
   if (at != offset->other || offset->is_bounded)
      return ir_alu2(b, IR_ieq, offset->term, ir_const(b, 32, at - offset->base));
   const uint32_t before = at == offset->last ? at - offset->step : offset->last;
   return ir_alu2(b, IR_ult, ir_const(b, 32, before), access->srcs[0]);
}

static struct ir_instr *load_component(struct ir_builder *b, const struct ir_instr *access, uint32_t at, uint32_t component)
{
   return ir_load_var(b, access->imm.var.var, ir_const(b, 32, at + 4 * component), 1, 32);
}

static void replace_load(struct ir_builder *b, struct ir_instr *load, const struct offset *offset)
{
   struct ir_instr *components[4];
   for (uint32_t c = 0; c < load->num_components; c++) {
      components[c] = load_component(b, load, offset->other, c);
      for (uint32_t at = offset->first; at <= offset->last; at += offset->step)
         if (at != offset->other)
            components[c] = ir_select(b, is_at(b, load, offset, at), load_component(b, load, at, c), components[c]);
   }
   load->forward = ir_vec(b, load->num_components, components);
   ir_remove(load);
}

static void store_element(struct ir_builder *b, const struct ir_instr *store, const struct offset *offset, uint32_t at)
{
   const bool is_only = offset->first == offset->last && offset->other == offset->last;
   for (uint32_t c = 0; c < store->srcs[1]->num_components; c++) {
      if (!(store->imm.var.mask >> c & 1))
         continue;
      struct ir_instr *value = ir_extract(b, store->srcs[1], c);
      if (!is_only)
         value = ir_select(b, is_at(b, store, offset, at), value, load_component(b, store, at, c));
      ir_store_var(b, store->imm.var.var, ir_const(b, 32, at + 4 * c), value, 1);
   }
}

static void replace_store(struct ir_builder *b, struct ir_instr *store, const struct offset *offset)
{
   for (uint32_t at = offset->first; at <= offset->last; at += offset->step)
      store_element(b, store, offset, at);
   if (offset->other != offset->last)
      store_element(b, store, offset, offset->other);
   ir_remove(store);
}

static void replace(struct ir_instr *instr, void *data)
{
   const struct search *search = data;
   struct offset offset;
   if (!is_access(instr) || ir_is_const(instr->srcs[0]) || search->uses[instr->imm.var.var->index].is_refused || !find_offset(instr, &offset))
      return;
   struct ir_builder b = ir_builder_before(search->shader, instr);
   if (instr->op == IR_load_var)
      replace_load(&b, instr, &offset);
   else
      replace_store(&b, instr, &offset);
}

bool ir_opt_elements(struct ir_shader *shader)
{
   struct search search = {.shader = shader, .uses = UTIL_ARENA_ARRAY(shader->arena, struct use, shader->num_vars)};
   uint32_t cost = 0;
   bool any = false;
   ir_for_each(shader, note, &search);
   UTIL_LIST_FOR_EACH (struct ir_var, var, &shader->vars, link) {
      struct use *use = &search.uses[var->index];
      use->is_refused |= !use->is_indexed || use->cost > MAX_VAR_COST || cost + use->cost > MAX_COST;
      cost += use->is_refused ? 0 : use->cost;
      any |= !use->is_refused;
   }
   if (!any)
      return false;
   ir_for_each(shader, replace, &search);
   ir_resolve_all(shader);
   return true;
}
