/* SPDX-License-Identifier: MIT
 * Making shaders, instructions, constructs, variables. Everything comes from the shader's arena. */
#include "compiler/ir/ir.h"

#include "compiler/ir/ir_eval.h"
#include "util/size.h"

#include <assert.h>
#include <string.h>

static struct ir_region *region_create(struct util_arena *arena, struct ir_instr *owner)
{
   struct ir_region *region = UTIL_ARENA_NEW(arena, struct ir_region);
   util_list_init(&region->instrs);
   region->owner = owner;
   return region;
}

struct ir_shader *ir_shader_create(struct util_arena *arena, uint32_t stage)
{
   struct ir_shader *shader = UTIL_ARENA_NEW(arena, struct ir_shader);
   shader->arena = arena;
   shader->body = region_create(arena, NULL);
   util_list_init(&shader->vars);
   shader->info.stage = stage;
   return shader;
}

struct ir_builder ir_builder_at_end(struct ir_shader *shader, struct ir_region *region)
{
   return (struct ir_builder){.shader = shader, .region = region, .before = &region->instrs};
}

struct ir_builder ir_builder_before(struct ir_shader *shader, struct ir_instr *instr)
{
   return (struct ir_builder){
      .shader = shader, .region = instr->region, .before = &instr->link, .fp = instr->fp, .line = instr->line};
}

struct ir_builder ir_builder_after(struct ir_shader *shader, struct ir_instr *instr)
{
   struct util_list *next = instr->op == IR_param ? instr->region->instrs.next : instr->link.next;
   if (ir_is_construct(instr) || instr->op == IR_result) { /* results stay next to their construct */
      while (next != &instr->region->instrs && UTIL_LIST_ENTRY(next, struct ir_instr, link)->op == IR_result)
         next = next->next;
   }
   return (struct ir_builder){
      .shader = shader, .region = instr->region, .before = next, .fp = instr->fp, .line = instr->line};
}

/* Arrays of sources have room for a power of two, so that ir_append_src() is amortized. */
static uint32_t src_capacity(uint32_t count)
{
   return count <= 1 ? count : 1u << (32 - __builtin_clz(count - 1));
}

struct ir_instr *ir_instr_create(struct ir_shader *shader, enum ir_op op, uint32_t num_components, uint32_t bit_size,
                                 uint32_t num_srcs, struct ir_instr *const *srcs)
{
   const struct ir_op_info *info = &ir_op_infos[op];
   struct ir_instr *instr = UTIL_ARENA_NEW(shader->arena, struct ir_instr);
   util_list_init(&instr->link);
   instr->op = op;
   assert(info->num_srcs < 0 || (uint32_t)info->num_srcs == num_srcs);
   switch (info->result) {
   case IR_RESULT_NONE:
      break;
   case IR_RESULT_SAME:
      instr->num_components = srcs[0]->num_components;
      instr->bit_size = srcs[0]->bit_size;
      break;
   case IR_RESULT_BOOL:
      instr->num_components = 1;
      instr->bit_size = 1;
      break;
   default:
      instr->num_components = num_components;
      instr->bit_size = bit_size;
      break;
   }
   instr->num_srcs = num_srcs;
   if (num_srcs) {
      instr->srcs = util_arena_alloc(shader->arena, src_capacity(num_srcs) * sizeof(*srcs));
      memcpy(instr->srcs, srcs, num_srcs * sizeof(*srcs));
   }
   instr->index = shader->num_values++;
   return instr;
}

void ir_append_src(struct ir_shader *shader, struct ir_instr *instr, struct ir_instr *value)
{
   const uint32_t count = instr->num_srcs;
   if (count == src_capacity(count)) {
      struct ir_instr **larger = util_arena_alloc(shader->arena, util_size_mul(src_capacity(count + 1), sizeof(*larger)));
      if (count)
         memcpy(larger, instr->srcs, count * sizeof(*larger));
      instr->srcs = larger;
   }
   instr->srcs[instr->num_srcs++] = value;
}

void ir_insert(struct ir_builder *b, struct ir_instr *instr)
{
   instr->region = b->region;
   util_list_add_before(&instr->link, b->before);
}

struct ir_instr *ir_emit(struct ir_builder *b, enum ir_op op, uint32_t num_components, uint32_t bit_size,
                         uint32_t num_srcs, struct ir_instr *const *srcs)
{
   struct ir_instr *instr = ir_instr_create(b->shader, op, num_components, bit_size, num_srcs, srcs);
   instr->fp = b->fp;
   instr->line = b->line;
   ir_insert(b, instr);
   return instr;
}

struct ir_instr *ir_alu1(struct ir_builder *b, enum ir_op op, struct ir_instr *x)
{
   return ir_emit(b, op, 0, 0, 1, (struct ir_instr *[]){x});
}

struct ir_instr *ir_alu2(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y)
{
   return ir_emit(b, op, 0, 0, 2, (struct ir_instr *[]){x, y});
}

struct ir_instr *ir_alu3(struct ir_builder *b, enum ir_op op, struct ir_instr *x, struct ir_instr *y,
                         struct ir_instr *z)
{
   return ir_emit(b, op, 0, 0, 3, (struct ir_instr *[]){x, y, z});
}

struct ir_instr *ir_convert(struct ir_builder *b, enum ir_op op, uint32_t bit_size, struct ir_instr *x)
{
   return ir_emit(b, op, x->num_components, bit_size, 1, &x);
}

struct ir_instr *ir_select(struct ir_builder *b, struct ir_instr *c, struct ir_instr *x, struct ir_instr *y)
{
   return ir_emit(b, IR_select, x->num_components, x->bit_size, 3, (struct ir_instr *[]){c, x, y});
}

struct ir_instr *ir_const(struct ir_builder *b, uint32_t bit_size, uint64_t value)
{
   struct ir_instr *instr = ir_emit(b, IR_const, 1, bit_size, 0, NULL);
   instr->imm.c[0] = ir_mask_bits(value, bit_size);
   instr->fp = 0;
   return instr;
}

struct ir_instr *ir_const_f(struct ir_builder *b, uint32_t bit_size, double value)
{
   return ir_const(b, bit_size, ir_float_from_double(value, bit_size));
}

struct ir_instr *ir_undef(struct ir_builder *b, uint32_t num_components, uint32_t bit_size)
{
   return ir_emit(b, IR_undef, num_components, bit_size, 0, NULL);
}

struct ir_instr *ir_vec(struct ir_builder *b, uint32_t count, struct ir_instr *const *components)
{
   if (count == 1)
      return components[0];
   return ir_emit(b, IR_vec, count, components[0]->bit_size, count, components);
}

struct ir_instr *ir_extract(struct ir_builder *b, struct ir_instr *vec, uint32_t index)
{
   if (vec->num_components == 1)
      return vec;
   if (vec->op == IR_vec)
      return vec->srcs[index];
   struct ir_instr *instr = ir_emit(b, IR_extract, 1, vec->bit_size, 1, &vec);
   instr->imm.u[0] = index;
   return instr;
}

struct ir_instr *ir_sysval(struct ir_builder *b, enum ir_sysval which, uint32_t num_components, uint32_t bit_size)
{
   struct ir_instr *instr = ir_emit(b, IR_sysval, num_components, bit_size, 0, NULL);
   instr->imm.u[0] = which;
   return instr;
}

struct ir_instr *ir_load_var(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t num_components,
                             uint32_t bit_size)
{
   struct ir_instr *instr = ir_emit(b, IR_load_var, num_components, bit_size, 1, &offset);
   instr->imm.var.var = var;
   return instr;
}

struct ir_instr *ir_store_var(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, struct ir_instr *value,
                              uint32_t mask)
{
   struct ir_instr *instr = ir_emit(b, IR_store_var, 0, 0, 2, (struct ir_instr *[]){offset, value});
   instr->imm.var.var = var;
   instr->imm.var.mask = mask;
   return instr;
}

struct ir_var *ir_var_create(struct ir_shader *shader, uint32_t size_bytes, const char *name)
{
   struct ir_var *var = UTIL_ARENA_NEW(shader->arena, struct ir_var);
   var->index = shader->num_vars++;
   var->size_bytes = size_bytes;
   var->name = name ? name : "";
   util_list_add_before(&var->link, &shader->vars);
   return var;
}

void ir_var_make_table(struct ir_shader *shader, struct ir_var *var, uint32_t count, uint32_t bit_size, uint64_t *elements)
{
   struct ir_table *table = UTIL_ARENA_NEW(shader->arena, struct ir_table);
   *table = (struct ir_table){.count = count, .bit_size = bit_size, .elements = elements};
   for (uint32_t i = 0; i < count; i++) {
      table->max = UTIL_MAX(table->max, elements[i]);
      table->numbers |= (uint8_t)(bit_size < 16 ? IR_MAY_BE_ANY : ir_class_of_number(ir_float_to_double(elements[i], bit_size)));
   }
   var->class = IR_VAR_TABLE;
   var->table = table;
}

struct ir_instr *ir_load_ray(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t field, uint32_t num_components,
                             uint32_t bit_size)
{
   struct ir_instr *instr = ir_emit(b, IR_load_ray, num_components, bit_size, 1, &offset);
   instr->imm.var.var = var;
   instr->imm.var.field = field;
   return instr;
}

struct ir_instr *ir_store_ray(struct ir_builder *b, struct ir_var *var, struct ir_instr *offset, uint32_t field, struct ir_instr *value)
{
   struct ir_instr *instr = ir_emit(b, IR_store_ray, 0, 0, 2, (struct ir_instr *[]){offset, value});
   instr->imm.var.var = var;
   instr->imm.var.mask = (1u << value->num_components) - 1;
   instr->imm.var.field = field;
   return instr;
}

/* ---- control flow ---- */

struct ir_instr *ir_if(struct ir_builder *b, struct ir_instr *condition)
{
   struct ir_instr *instr = ir_emit(b, IR_if, 0, 0, 1, &condition);
   for (uint32_t r = 0; r < 2; r++)
      instr->imm.cf.regions[r] = region_create(b->shader->arena, instr);
   return instr;
}

struct ir_instr *ir_loop(struct ir_builder *b, uint32_t num_init, struct ir_instr *const *init)
{
   struct ir_instr *instr = ir_emit(b, IR_loop, 0, 0, num_init, init);
   for (uint32_t r = 0; r < 2; r++)
      instr->imm.cf.regions[r] = region_create(b->shader->arena, instr);
   for (uint32_t i = 0; i < num_init; i++)
      ir_add_param(b->shader, instr->imm.cf.regions[0], init[i]->num_components, init[i]->bit_size);
   return instr;
}

struct ir_instr *ir_block(struct ir_builder *b)
{
   struct ir_instr *instr = ir_emit(b, IR_block, 0, 0, 0, NULL);
   instr->imm.cf.regions[0] = region_create(b->shader->arena, instr);
   return instr;
}

/* Appends to a list whose room is a power of two. */
static void append(struct util_arena *arena, struct ir_instr ***list, uint32_t count, struct ir_instr *instr)
{
   if (count == src_capacity(count)) {
      struct ir_instr **larger = util_arena_alloc(arena, util_size_mul(src_capacity(count + 1), sizeof(*larger)));
      if (count)
         memcpy(larger, *list, count * sizeof(*larger));
      *list = larger;
   }
   (*list)[count] = instr;
}

struct ir_instr *ir_add_result(struct ir_shader *shader, struct ir_instr *owner, uint32_t num_components,
                               uint32_t bit_size)
{
   struct ir_instr *result = ir_instr_create(shader, IR_result, num_components, bit_size, 0, NULL);
   const uint32_t count = owner->imm.cf.num_results;
   struct ir_instr *last = count ? owner->imm.cf.results[count - 1] : owner;

   result->region = owner->region;
   result->line = owner->line;
   result->imm.u[0] = count;
   result->imm.cf.target = owner;
   util_list_add_after(&result->link, &last->link);
   append(shader->arena, &owner->imm.cf.results, count, result);
   owner->imm.cf.num_results = count + 1;
   return result;
}

struct ir_instr *ir_add_param(struct ir_shader *shader, struct ir_region *region, uint32_t num_components,
                              uint32_t bit_size)
{
   struct ir_instr *param = ir_instr_create(shader, IR_param, num_components, bit_size, 0, NULL);
   param->region = region;
   param->imm.u[0] = region->num_params;
   append(shader->arena, &region->params, region->num_params, param);
   region->num_params++;
   return param;
}

struct ir_instr *ir_jump(struct ir_builder *b, enum ir_op op, struct ir_instr *target, uint32_t num_srcs,
                         struct ir_instr *const *srcs)
{
   struct ir_instr *instr = ir_emit(b, op, 0, 0, num_srcs, srcs);
   instr->imm.cf.target = target;
   return instr;
}

struct ir_shader *ir_routine_create(struct ir_shader *shader, struct ir_builder *b)
{
   struct ir_shader *code = ir_shader_create(shader->arena, IR_STAGE_ROUTINE);
   *b = ir_builder_at_end(code, code->body);
   return code;
}

struct ir_instr *ir_routine_operand(struct ir_builder *b, uint32_t index, uint32_t bit_size)
{
   struct ir_instr *operand = ir_emit(b, IR_load_input, 1, bit_size, 0, NULL);
   operand->imm.u[0] = index;
   return operand;
}

struct ir_instr *ir_routine_operand_for(struct ir_builder *b, uint32_t index, const struct ir_instr *value)
{
   struct ir_instr *operand = ir_routine_operand(b, index, value->bit_size);
   operand->imm.u[1] = ir_is_lane_uniform(value);
   return operand;
}

void ir_routine_result(struct ir_builder *b, uint32_t index, struct ir_instr *value)
{
   ir_emit(b, IR_store_output, 0, 0, 1, &value)->imm.u[0] = index;
}

void ir_routine_end(struct ir_builder *b)
{
   b->fp = 0;
   ir_jump(b, IR_yield, NULL, 0, NULL);
   ir_shader_renumber(b->shader);
}

uint16_t ir_routine_add(struct ir_shader *shader, const struct ir_routine *routine)
{
   const uint32_t count = shader->num_routines;
   if (count == UINT16_MAX)
      return 0;
   if (!(count & (count - 1))) { /* full */
      struct ir_routine *larger = UTIL_ARENA_ARRAY(shader->arena, struct ir_routine, count ? 2 * count : 1);
      if (count)
         memcpy(larger, shader->routines, count * sizeof(*larger));
      shader->routines = larger;
   }
   shader->routines[shader->num_routines++] = *routine;
   return (uint16_t)shader->num_routines;
}
