/* SPDX-License-Identifier: MIT
 * Random shaders: ifs, blocks, loops with a bounded counter, jumps over several levels, variables, shared memory,
 * 32-bit arithmetic. */
#include "tests/compiler/ir/ir_random.h"

#include "compiler/ir/ir_eval.h"
#include "tests/random.h"

enum { MAX_VALUES = 4096, MAX_TARGETS = 32, NUM_VARS = 4, NUM_RESULTS = 2 };

struct target {
   struct ir_instr *construct;
   struct ir_instr *counter; /* loop: the param that counts rounds */
   bool in_body;             /* loop: `continue` may stand here */
};

/* A random shader in the making. */
struct maker {
   struct ir_shader *shader;
   struct ir_builder b;
   uint64_t state;
   struct ir_instr *words[MAX_VALUES], *bools[MAX_VALUES]; /* what is visible: 32-bit values, conditions */
   uint32_t num_words, num_bools;
   struct target targets[MAX_TARGETS];
   uint32_t num_targets;
   struct ir_var *vars[NUM_VARS], *table;
   bool has_constants; /* the first variable holds the same constants always */
   uint32_t budget; /* instructions that may still be made */
};

static uint32_t pick(struct maker *m, uint32_t count)
{
   return random_pick(&m->state, count);
}

static struct ir_instr *word(struct maker *m)
{
   /* recent ones more often */
   const uint32_t near = m->num_words > 8 && pick(m, 2) ? 8 : m->num_words;
   return m->words[m->num_words - 1 - pick(m, near)];
}

static struct ir_instr *boolean(struct maker *m)
{
   return m->bools[pick(m, m->num_bools)];
}

static void add_word(struct maker *m, struct ir_instr *value)
{
   if (m->num_words < MAX_VALUES)
      m->words[m->num_words++] = value;
}

static void add_bool(struct maker *m, struct ir_instr *value)
{
   if (m->num_bools < MAX_VALUES)
      m->bools[m->num_bools++] = value;
}

static void make_constant(struct maker *m)
{
   static const uint32_t values[] = {0,          1,          2,          3,          4,          5,          8,
                                     31,         0xffffffff, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000, 0x40490fdb,
                                     0x80000000, 0x7f800000, 0x00000001, 0x3f000000, 0x40000000, 100};
   add_word(m, ir_const(&m->b, 32, values[pick(m, UTIL_ARRAY_SIZE(values))]));
}

static void make_alu(struct maker *m)
{
   static const enum ir_op ops[] = {IR_iadd, IR_isub, IR_imul, IR_iand, IR_ior,  IR_ixor, IR_ishl,  IR_ishr,
                                    IR_ushr, IR_imin, IR_umax, IR_udiv, IR_umod, IR_idiv, IR_irem,  IR_imod,
                                    IR_fadd, IR_fsub, IR_fmul, IR_fdiv, IR_fmin, IR_fmax, IR_umulh, IR_ucarry, IR_dot_bytes};
   static const enum ir_op unary[] = {IR_ineg,   IR_iabs,       IR_inot,      IR_fneg,     IR_fabs,
                                      IR_ffloor, IR_bitreverse, IR_find_umsb, IR_bitcount, IR_fround_even};
   switch (pick(m, 8)) {
   case 0:
      add_word(m, ir_alu1(&m->b, unary[pick(m, UTIL_ARRAY_SIZE(unary))], word(m)));
      break;
   case 1:
      add_word(m, ir_select(&m->b, boolean(m), word(m), word(m)));
      break;
   case 2:
      add_word(m, ir_convert(&m->b, pick(m, 2) ? IR_u2u : IR_i2i, 32, boolean(m)));
      break;
   case 3:
      add_word(m, ir_convert(&m->b, pick(m, 2) ? IR_u2u : IR_i2i, 32,
                             ir_convert(&m->b, IR_u2u, pick(m, 2) ? 8 : 64, word(m))));
      break;
   case 4: {
      struct ir_instr *parts[3] = {word(m), word(m), word(m)};
      add_word(m, ir_emit(&m->b, IR_extract, 1, 32, 1, (struct ir_instr *[]){ir_vec(&m->b, 3, parts)}));
      break;
   }
   default:
      add_word(m, ir_alu2(&m->b, ops[pick(m, UTIL_ARRAY_SIZE(ops))], word(m), word(m)));
      break;
   }
}

static void make_bool(struct maker *m)
{
   static const enum ir_op ops[] = {IR_ieq, IR_ine, IR_ilt, IR_ige, IR_ult, IR_uge, IR_flt, IR_fge, IR_feq, IR_fneu};
   static const enum ir_op logic[] = {IR_iand, IR_ior, IR_ixor, IR_ieq, IR_ine};
   switch (pick(m, 4)) {
   case 0:
      add_bool(m, ir_alu2(&m->b, logic[pick(m, UTIL_ARRAY_SIZE(logic))], boolean(m), boolean(m)));
      break;
   case 1:
      add_bool(m, ir_alu1(&m->b, IR_inot, boolean(m)));
      break;
   default:
      add_bool(m, ir_alu2(&m->b, ops[pick(m, UTIL_ARRAY_SIZE(ops))], word(m), word(m)));
      break;
   }
}

static struct ir_instr *small_offset(struct maker *m, uint32_t count)
{
   if (pick(m, 4))
      return ir_const(&m->b, 32, pick(m, count) * 4);
   return ir_alu2(&m->b, IR_imul, ir_alu2(&m->b, IR_umod, word(m), ir_const(&m->b, 32, count)), ir_const(&m->b, 32, 4));
}

/* Of a variable of four words, two of which are accessed; also one of which it is not plain that it is inside. */
static struct ir_instr *any_offset(struct maker *m)
{
   if (pick(m, 3))
      return small_offset(m, 3);
   const uint32_t step = 4 << pick(m, 2);
   struct ir_instr *bit = ir_alu2(&m->b, IR_iand, word(m), ir_const(&m->b, 32, 1));
   struct ir_instr *offset = ir_alu2(&m->b, IR_imul, ir_alu2(&m->b, IR_ixor, bit, ir_const(&m->b, 32, 1)), ir_const(&m->b, 32, step));
   return step == 4 && pick(m, 2) ? ir_alu2(&m->b, IR_iadd, offset, ir_const(&m->b, 32, 4)) : offset;
}

static void make_store(struct maker *m)
{
   struct ir_instr *srcs[2] = {small_offset(m, pick(m, 4) ? 3 : IR_RANDOM_SHARED_BYTES / 4), word(m)};
   ir_emit(&m->b, IR_store_shared, 0, 0, 2, srcs)->imm.u[2] = 1;
}

/* All that the first variable ever holds, as compilers store an array of constants in front of its uses. */
static void store_constants(struct maker *m)
{
   for (uint32_t i = 0; i < 4; i++)
      ir_store_var(&m->b, m->vars[0], ir_const(&m->b, 32, i * 4), ir_const(&m->b, 32, i * 0x3fc3a5c3u), 1);
}

static void load_constant(struct maker *m)
{
   if (!pick(m, 3))
      store_constants(m);
   add_word(m, ir_load_var(&m->b, m->vars[0], small_offset(m, 4), 1, 32));
}

/* Any index: beyond the end it is the last element. */
static void load_table(struct maker *m)
{
   struct ir_instr *index = pick(m, 2) ? word(m) : ir_alu2(&m->b, IR_umod, word(m), ir_const(&m->b, 32, m->table->table->count));
   struct ir_instr *value = ir_emit(&m->b, IR_load_table, 1, m->table->table->bit_size, 1, &index);
   value->imm.var.var = m->table;
   if (value->bit_size == 64)
      value = ir_alu2(&m->b, IR_ushr, value, ir_const(&m->b, 64, pick(m, 2) * 32));
   add_word(m, value->bit_size == 32 ? value : ir_convert(&m->b, IR_u2u, 32, value));
}

static void make_memory(struct maker *m)
{
   struct ir_instr *instr, *parts[2] = {word(m), word(m)}, *offset;
   const uint32_t which = m->has_constants ? 1 + pick(m, NUM_VARS - 1) : pick(m, NUM_VARS);
   /* the last variable is an array of four, now and then with a computed offset */
   offset = which == NUM_VARS - 1 ? any_offset(m) : ir_const(&m->b, 32, pick(m, 3) * 4);
   switch (pick(m, m->has_constants ? 7 : 6)) {
   case 0:
      ir_store_var(&m->b, m->vars[which], offset, ir_vec(&m->b, 2, parts), 1 + pick(m, 3));
      break;
   case 1:
      instr = ir_load_var(&m->b, m->vars[which], offset, 2, 32);
      add_word(m, ir_extract(&m->b, instr, pick(m, 2)));
      break;
   case 2:
      ir_store_var(&m->b, m->vars[which], offset, word(m), 1);
      break;
   case 3:
      offset = small_offset(m, pick(m, 4) ? 3 : IR_RANDOM_SHARED_BYTES / 4 + 1);
      add_word(m, ir_emit(&m->b, IR_load_shared, 1, 32, 1, &offset));
      break;
   case 4:
      load_table(m);
      break;
   case 6:
      load_constant(m);
      break;
   default:
      make_store(m);
      break;
   }
}

static void make_region(struct maker *m, struct ir_region *region, uint32_t depth);

/* Ends the region: by a jump that it must have, or outwards. */
static void make_jump(struct maker *m, const struct ir_region *region, struct ir_instr *owner)
{
   struct ir_instr *operands[NUM_RESULTS] = {word(m), word(m)};
   const struct target *target = m->num_targets ? &m->targets[pick(m, m->num_targets)] : NULL;
   if (target && owner->op == IR_if && pick(m, 3) == 0) {
      if (target->counter && target->in_body && pick(m, 2)) {
         operands[0] = target->counter;
         ir_jump(&m->b, IR_continue, target->construct, 2, operands);
      } else {
         ir_jump(&m->b, IR_break, target->construct, NUM_RESULTS, operands);
      }
   } else if (owner && owner->op == IR_loop && region == owner->imm.cf.regions[0]) {
      operands[0] = m->targets[m->num_targets - 1].counter;
      ir_jump(&m->b, IR_continue, owner, 2, operands);
   } else {
      ir_jump(&m->b, IR_yield, NULL, owner ? NUM_RESULTS : 0, operands);
   }
}

static void add_results(struct maker *m, struct ir_instr *construct)
{
   for (uint32_t i = 0; i < NUM_RESULTS; i++)
      add_word(m, ir_add_result(m->shader, construct, 1, 32));
}

static void make_if(struct maker *m, uint32_t depth)
{
   struct ir_instr *construct = ir_if(&m->b, boolean(m));
   const struct ir_builder outer = m->b;
   for (uint32_t r = 0; r < 2; r++)
      make_region(m, construct->imm.cf.regions[r], depth);
   m->b = outer;
   add_results(m, construct);
}

static void make_block(struct maker *m, uint32_t depth)
{
   struct ir_instr *construct = ir_block(&m->b);
   const struct ir_builder outer = m->b;
   m->targets[m->num_targets++] = (struct target){.construct = construct};
   make_region(m, construct->imm.cf.regions[0], depth);
   m->num_targets--;
   m->b = outer;
   add_results(m, construct);
}

/* for (i = 0; i < n; i++), n up to 5, with a further value that is carried along. */
static void make_loop(struct maker *m, uint32_t depth)
{
   struct ir_instr *limit = ir_const(&m->b, 32, pick(m, 6));
   if (pick(m, 3) == 0)
      limit = ir_alu2(&m->b, IR_umod, word(m), ir_const(&m->b, 32, 5));
   struct ir_instr *init[2] = {ir_const(&m->b, 32, 0), word(m)}, *one = ir_const(&m->b, 32, 1);
   struct ir_instr *construct = ir_loop(&m->b, 2, init);
   const struct ir_builder outer = m->b;
   const uint32_t num_words = m->num_words, num_bools = m->num_bools;
   struct ir_region *body = construct->imm.cf.regions[0], *cont = construct->imm.cf.regions[1];

   m->targets[m->num_targets++] = (struct target){construct, body->params[0], true};
   m->b = ir_builder_at_end(m->shader, body);
   struct ir_instr *test = ir_if(&m->b, ir_alu2(&m->b, IR_ult, body->params[0], limit));
   m->b = ir_builder_at_end(m->shader, test->imm.cf.regions[0]);
   ir_jump(&m->b, IR_yield, NULL, 0, NULL);
   m->b = ir_builder_at_end(m->shader, test->imm.cf.regions[1]);
   ir_jump(&m->b, IR_break, construct, NUM_RESULTS, body->params);
   add_word(m, body->params[0]);
   add_word(m, body->params[1]);
   make_region(m, body, depth);
   m->num_words = num_words;
   m->num_bools = num_bools;

   m->targets[m->num_targets - 1].in_body = false;
   m->b = ir_builder_at_end(m->shader, cont);
   struct ir_instr *count = ir_add_param(m->shader, cont, 1, 32), *carried = ir_add_param(m->shader, cont, 1, 32);
   count = ir_alu2(&m->b, IR_iadd, count, one);
   add_word(m, carried);
   for (uint32_t i = pick(m, 3); i > 0; i--)
      make_alu(m);
   ir_jump(&m->b, IR_yield, NULL, 2, (struct ir_instr *[]){count, word(m)});
   m->num_words = num_words;
   m->num_targets--;
   m->b = outer;
   add_results(m, construct);
}

static void make_region(struct maker *m, struct ir_region *region, uint32_t depth)
{
   const uint32_t num_words = m->num_words, num_bools = m->num_bools;
   m->b = ir_builder_at_end(m->shader, region);
   for (uint32_t i = 1 + pick(m, 10); i > 0 && m->budget > 0; i--) {
      m->budget--;
      const uint32_t class = pick(m, 20);
      m->b.fp = pick(m, 8) == 0 ? IR_FP_RTZ : 0; /* what gives a choice of results cannot be compared */
      if (class < 2)
         make_constant(m);
      else if (class < 8)
         make_alu(m);
      else if (class < 11)
         make_bool(m);
      else if (class < 15)
         make_memory(m);
      else if (depth > 0 && class < 18)
         make_if(m, depth - 1);
      else if (depth > 0 && m->num_targets < MAX_TARGETS)
         (pick(m, 2) ? make_block : make_loop)(m, depth - 1);
   }
   for (uint32_t i = pick(m, 3); i > 0; i--)
      make_store(m); /* so that what was computed shows */
   make_jump(m, region, region->owner);
   m->num_words = num_words;
   m->num_bools = num_bools;
}

static void make_table(struct maker *m)
{
   const uint32_t bit_size = 8u << pick(m, 4), count = 1 + pick(m, pick(m, 2) ? 16 : 200);
   uint64_t *elements = UTIL_ARENA_ARRAY(m->shader->arena, uint64_t, count);
   for (uint32_t i = 0; i < count; i++)
      elements[i] = ir_mask_bits((i + 1) * 0x9e3779b97f4a7c15u, bit_size);
   m->table = ir_var_create(m->shader, count * bit_size / 8, "t");
   ir_var_make_table(m->shader, m->table, count, bit_size, elements);
}

struct ir_shader *ir_random_shader(struct util_arena *arena, uint64_t seed)
{
   struct maker *m = UTIL_ARENA_NEW(arena, struct maker);
   m->state = seed * 0x9e3779b97f4a7c15u + 1;
   m->shader = ir_shader_create(arena, ABI_STAGE_COMPUTE);
   m->budget = 20 + pick(m, 150);
   m->b = ir_builder_at_end(m->shader, m->shader->body);
   for (uint32_t i = 0; i < NUM_VARS; i++)
      m->vars[i] = ir_var_create(m->shader, 16, "v");
   make_table(m);
   m->has_constants = pick(m, 2);
   if (m->has_constants)
      store_constants(m);
   add_word(m, ir_sysval(&m->b, IR_SYSVAL_LOCAL_INDEX, 1, 32));
   add_word(m, ir_const(&m->b, 32, 7));
   add_word(m, ir_sysval(&m->b, IR_SYSVAL_SUBGROUP_ID, 1, 32));
   add_word(m, ir_alu2(&m->b, IR_iand, m->words[0], ir_const(&m->b, 32, 3)));
   add_word(m, ir_alu2(&m->b, IR_ushr, m->words[0], ir_const(&m->b, 32, 2)));
   add_bool(m, ir_alu2(&m->b, IR_ult, m->words[0], m->words[1]));
   make_region(m, m->shader->body, 5);
   return m->shader;
}
