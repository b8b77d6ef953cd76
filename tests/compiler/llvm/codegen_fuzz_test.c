/* SPDX-License-Identifier: MIT
 * Random structured shaders as machine code do what the reference interpreter does, for a workgroup whose last vector is partial, with and
 * without barriers anywhere: in divergent ifs, in loops that lanes leave at different times.
 * CG_FUZZ_SEED and CG_FUZZ_COUNT in the environment choose others; with a seed the shader is printed. */
#include "tests/compiler/ir/ir_interp.h"
#include "tests/compiler/ir/ir_random.h"
#include "tests/compiler/llvm/cg_run.h"
#include "tests/random.h"

enum { NUM_INVOCATIONS = 37, OWN_BYTES = 128, INPUT_WORDS = 64 };

/* Makes a random shader fit for many invocations at once. */
struct change {
   struct ir_shader *shader;
   uint64_t state;
   struct ir_instr *memory[2], *inputs[2]; /* address and size */
   struct ir_instr *own_offset;            /* of the invocation's own bytes in `memory`, or in shared memory */
   bool in_shared;                         /* they are there, where offsets are known to be in bounds */
   uint32_t barriers;                      /* of 64 instructions */
};

static uint32_t pick(struct change *change, uint32_t count)
{
   return random_pick(&change->state, count);
}

static void replace(struct change *change, struct ir_instr *instr, enum ir_op op, uint32_t num_srcs, struct ir_instr *const *srcs)
{
   instr->op = (uint16_t)op;
   instr->num_srcs = num_srcs;
   instr->srcs = UTIL_ARENA_ARRAY(change->shader->arena, struct ir_instr *, num_srcs);
   for (uint32_t i = 0; i < num_srcs; i++)
      instr->srcs[i] = srcs[i];
}

/* Memory becomes bytes of the invocation's own, or for some loads what all invocations read. */
static void change_memory(struct change *change, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(change->shader, instr);
   struct ir_instr *offset = ir_alu2(&b, IR_iand, instr->srcs[0], ir_const(&b, 32, OWN_BYTES - 4));
   const bool is_store = instr->op == IR_store_shared, is_input = !is_store && pick(change, 3) == 0;
   if (!is_input)
      offset = ir_alu2(&b, IR_iadd, change->own_offset, offset);
   if (change->in_shared && !is_input) {
      instr->srcs[0] = offset;
      return;
   }
   struct ir_instr *const *buffer = is_input ? change->inputs : change->memory;
   replace(change, instr, is_store ? IR_store_buffer : IR_load_buffer, is_store ? 4 : 3,
           (struct ir_instr *[]){buffer[0], buffer[1], offset, is_store ? instr->srcs[1] : NULL});
   instr->imm.u[0] = is_input && pick(change, 2) ? IR_ACCESS_READ_ONLY : 0;
   instr->imm.u[1] = 4;
}

/* Which NaN comes out of an operation is free: it becomes one. */
static void change_nan(struct change *change, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(change->shader, instr);
   struct ir_instr *plain = ir_emit(&b, (enum ir_op)instr->op, 1, 32, instr->num_srcs, instr->srcs);
   static const uint8_t environments[8] = {[5] = IR_FP_RTZ, IR_FP_FLUSH_DENORM, IR_FP_RTZ | IR_FP_FLUSH_DENORM};
   plain->fp = instr->fp | environments[pick(change, 8)];
   replace(change, instr, IR_fone_nan, 1, &plain);
   instr->fp = 0;
}

static void visit(struct ir_instr *instr, void *data)
{
   struct change *change = data;
   if (instr->op == IR_load_shared || instr->op == IR_store_shared)
      change_memory(change, instr);
   else if (instr->op >= IR_fadd && instr->op <= IR_fround_even && instr->bit_size == 32)
      change_nan(change, instr);
   if (!ir_is_jump(instr) && instr->op != IR_result && pick(change, 64) < change->barriers) {
      struct ir_builder b = ir_builder_before(change->shader, instr);
      struct ir_instr *barrier = ir_emit(&b, IR_barrier, 0, 0, 0, NULL);
      barrier->imm.u[0] = barrier->imm.u[1] = 2;
      barrier->imm.u[2] = 264;
   }
}

static void add_buffer(struct ir_builder *b, uint32_t binding, struct ir_instr **buffer)
{
   struct ir_instr *zero = ir_const(b, 32, 0);
   buffer[0] = ir_emit(b, IR_buffer_addr, 1, 64, 1, &zero);
   buffer[1] = ir_emit(b, IR_buffer_size, 1, 32, 1, &zero);
   buffer[0]->imm.u[1] = buffer[1]->imm.u[1] = binding;
}

/* The invocation's own bytes between the buffer and shared memory. */
static void copy_own(struct change *change, struct ir_builder *b, bool to_shared)
{
   struct ir_instr *const *buffer = change->memory;
   for (uint32_t at = 0; at < OWN_BYTES; at += 4) {
      struct ir_instr *offset = ir_alu2(b, IR_iadd, change->own_offset, ir_const(b, 32, at));
      struct ir_instr *load = to_shared ? ir_emit(b, IR_load_buffer, 1, 32, 3, (struct ir_instr *[]){buffer[0], buffer[1], offset})
                                        : ir_emit(b, IR_load_shared, 1, 32, 1, &offset);
      struct ir_instr *store = to_shared ? ir_emit(b, IR_store_shared, 0, 0, 2, (struct ir_instr *[]){offset, load})
                                         : ir_emit(b, IR_store_buffer, 0, 0, 4, (struct ir_instr *[]){buffer[0], buffer[1], offset, load});
      load->imm.u[1] = store->imm.u[1] = 4;
      store->imm.u[2] = 1;
   }
}

static struct ir_shader *make_shader(struct util_arena *arena, uint64_t seed, uint32_t subgroup_size)
{
   struct ir_shader *shader = ir_random_shader(arena, seed);
   struct change change = {.shader = shader, .state = seed};
   change.barriers = pick(&change, 2) ? 0 : 1 + pick(&change, 4);
   change.in_shared = pick(&change, 2);
   struct ir_instr *first = UTIL_LIST_ENTRY(shader->body->instrs.next, struct ir_instr, link);
   struct ir_builder b = ir_builder_before(shader, first);
   add_buffer(&b, 0, change.memory);
   add_buffer(&b, 1, change.inputs);
   change.own_offset = ir_alu2(&b, IR_imul, ir_sysval(&b, IR_SYSVAL_LOCAL_INDEX, 1, 32), ir_const(&b, 32, OWN_BYTES));
   ir_for_each(shader, visit, &change);
   if (change.in_shared) {
      struct ir_builder last = ir_builder_before(shader, ir_terminator(shader->body));
      copy_own(&change, &b, true);
      copy_own(&change, &last, false);
      shader->info.shared_bytes = NUM_INVOCATIONS * OWN_BYTES;
   }
   UTIL_LIST_FOR_EACH(struct ir_var, var, &shader->vars, link) { /* what is read before it is written is not defined */
      for (uint32_t at = 0; !var->table && at < var->size_bytes; at += 4)
         ir_store_var(&b, var, ir_const(&b, 32, at), ir_const(&b, 32, at), 1);
   }
   shader->subgroup_size = subgroup_size;
   shader->info.local_size[0] = NUM_INVOCATIONS;
   shader->info.local_size[1] = shader->info.local_size[2] = 1;
   return shader;
}

/* ---- comparing ---- */

static void fill(uint32_t (*buffers)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < NUM_INVOCATIONS * OWN_BYTES / 4; i++)
      buffers[0][i] = i % 5 ? (i * 2654435761u) >> (i % 31) : i % 9;
   for (uint32_t i = 0; i < INPUT_WORDS; i++)
      buffers[1][i] = i % 3 ? (i * 40503u) >> (i % 13) : i % 7;
}

/* False: too many steps for a comparison. */
static bool interpret(struct ir_shader *shader, uint32_t (*buffers)[CG_RUN_WORDS + 64])
{
   static uint8_t shared[NUM_INVOCATIONS * OWN_BYTES];
   for (uint32_t i = 0; i < NUM_INVOCATIONS; i++) {
      struct ir_interpreter interp = {.max_steps = 20000};
      interp.buffers[0] = (struct ir_interp_buffer){(uint8_t *)buffers[0], CG_RUN_WORDS * 4};
      interp.buffers[1] = (struct ir_interp_buffer){(uint8_t *)buffers[1], INPUT_WORDS * 4};
      interp.shared = (struct ir_interp_buffer){shared, sizeof(shared)};
      interp.sysvals[IR_SYSVAL_LOCAL_INDEX][0] = i;
      interp.sysvals[IR_SYSVAL_SUBGROUP_ID][0] = i / shader->subgroup_size;
      if (!ir_interp_run(&interp, shader))
         return false;
   }
   return true;
}

static void optimize(struct ir_shader *shader)
{
   ir_opt_promote_vars(shader);
   ir_opt_simplify(shader);
   ir_opt_tables(shader);
   ir_opt_control_flow(shader);
   ir_opt_if_to_select(shader);
   ir_opt_simplify(shader);
   ir_opt_hoist(shader);
   ir_opt_dead_code(shader);
}

static uint32_t num_compared;

static bool check_shader(uint64_t seed)
{
   static uint32_t expected[CG_RUN_BUFFERS][CG_RUN_WORDS + 64], got[CG_RUN_BUFFERS][CG_RUN_WORDS + 64];
   struct util_arena arena;
   struct cg_run run = {.lanes = 4u << seed % 4, .level = 1 + (uint32_t)(seed / 4 % util_cpu_level()), .workgroups = {1, 1, 1},
                        .buffer_words = {0, INPUT_WORDS}, .buffers = got};
   bool is_good = true;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = make_shader(&arena, seed, 4u << seed / 64 % 4);
   memset(expected, 0, sizeof(expected));
   fill(expected);
   memcpy(got, expected, sizeof(got));
   const bool has_end = interpret(shader, expected);
   if (seed / 16 % 3)
      optimize(shader);
   ir_lower_float_env(shader);
   ir_shader_renumber(shader);
   char *text = ir_print_to_string(shader, &arena);
   if (getenv("CG_FUZZ_SEED"))
      fputs(text, stderr);
   if (has_end)
      cg_run_once(text, &run);
   uint32_t w = 0;
   for (; w < CG_RUN_WORDS && has_end && is_good; w++)
      is_good = got[0][w] == expected[0][w];
   if (!is_good)
      fprintf(stderr, "seed %llu, lanes %u, subgroups of %u, level %u: invocation %u, word %u is 0x%x, not 0x%x\n", (unsigned long long)seed, run.lanes,
              shader->subgroup_size, run.level, (w - 1) / (OWN_BYTES / 4), (w - 1) % (OWN_BYTES / 4), got[0][w - 1], expected[0][w - 1]);
   num_compared += has_end;
   util_arena_finish(&arena);
   return is_good;
}

TEST(same_as_interpreter)
{
   const char *seed = getenv("CG_FUZZ_SEED"), *count = getenv("CG_FUZZ_COUNT");
   const uint64_t first = seed ? strtoull(seed, NULL, 10) : 1, number = count ? strtoull(count, NULL, 10) : seed ? 1 : 200;
   for (uint64_t i = 0; i < number; i++)
      CHECK(check_shader(first + i));
   CHECK(num_compared >= number / 2);
}

TEST_MAIN
