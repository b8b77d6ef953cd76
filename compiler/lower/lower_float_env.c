/* SPDX-License-Identifier: MIT
 * Rounding towards zero and flushing of denormals become plain operations, so that they hold for each instruction by itself, give the
 * same bits on every machine, and no optimiser can move an operation out of its mode. Spec: Vulkan Environment for SPIR-V, "Precision
 * and Operation of SPIR-V Instructions".
 *
 * Requires: transcendental functions are lowered. Does: each operation with IR_FP_RTZ or IR_FP_FLUSH_DENORM, and fma of 64 bits where
 * the target lacks it (ir_shader.lacks_fma64), is replaced; atomic ones become loops around a compare-exchange. Results are flushed,
 * operands are not. No instruction has the two flags afterwards. Preserves: structure, but for those loops.
 *
 *    %2 = fmul 1x32 %0, %1 fp=flush_denorm    →    %2 = fmul 1x32 %0, %1
 *                                                  %4 = iand 1x32 %2, 0x7fffffff
 *                                                  %6 = ult %4, 0x00800000
 *                                                  %8 = iand 1x32 %2, 0x80000000
 *                                                  %9 = select %6, %8, %2 */
#include "compiler/ir/passes.h"
#include "compiler/lower/lower_float.h"

enum class {
   ROUNDS = 1 << 0,  /* depends on the rounding mode */
   FLUSHES = 1 << 1, /* may give a denormal */
};

static const uint8_t classes[IR_NUM_OPS] = {
   [IR_fadd] = ROUNDS | FLUSHES, [IR_fsub] = ROUNDS | FLUSHES, [IR_fmul] = ROUNDS | FLUSHES,
   [IR_fdiv] = ROUNDS | FLUSHES, [IR_fma] = ROUNDS | FLUSHES,  [IR_fsqrt] = ROUNDS,
   [IR_f2f] = ROUNDS | FLUSHES,  [IR_i2f] = ROUNDS,            [IR_u2f] = ROUNDS,
   [IR_fneg] = FLUSHES,          [IR_fabs] = FLUSHES,          [IR_fmin] = FLUSHES,
   [IR_fmax] = FLUSHES,          [IR_reduce] = FLUSHES,        [IR_ddx] = FLUSHES,
   [IR_ddy] = FLUSHES,
};

static struct ir_instr *flush(struct ir_builder *b, struct ir_instr *x)
{
   const uint32_t bits = x->bit_size;
   const uint64_t sign = UINT64_C(1) << (bits - 1), least = UINT64_C(1) << (bits == 16 ? 10 : bits == 32 ? 23 : 52);
   struct ir_instr *magnitude = ir_alu2(b, IR_iand, x, ir_const(b, bits, sign - 1));
   struct ir_instr *is_denorm = ir_alu2(b, IR_ult, magnitude, ir_const(b, bits, least));
   return ir_select(b, is_denorm, ir_alu2(b, IR_iand, x, ir_const(b, bits, sign)), x);
}

static bool is_float_atomic(enum abi_atomic atomic)
{
   return atomic == ABI_ATOMIC_FADD || atomic == ABI_ATOMIC_FMIN || atomic == ABI_ATOMIC_FMAX || atomic == ABI_ATOMIC_FMUL;
}

static struct ir_instr *copy_of(struct ir_builder *b, const struct ir_instr *instr)
{
   struct ir_instr *copy =
      ir_emit(b, (enum ir_op)instr->op, instr->num_components, instr->bit_size, instr->num_srcs, instr->srcs);
   copy->imm = instr->imm;
   copy->fp = instr->fp;
   return copy;
}

static struct ir_instr *lower_value(struct ir_builder *b, const struct ir_instr *instr, uint8_t fp)
{
   struct ir_instr *value;
   if (fp & IR_FP_RTZ && classes[instr->op] & ROUNDS)
      value = ir_lower_toward_zero(b, instr);
   else if (instr->op == IR_fma && instr->bit_size == 64 && b->shader->lacks_fma64)
      value = ir_lower_fma64(b, instr->srcs[0], instr->srcs[1], instr->srcs[2], false);
   else if (instr->op == IR_f2f && instr->bit_size == instr->srcs[0]->bit_size)
      value = instr->srcs[0];
   else
      value = copy_of(b, instr);
   return fp & IR_FP_FLUSH_DENORM && classes[instr->op] & FLUSHES ? flush(b, value) : value;
}

/* Of an atomic instruction: where its data stands. */
static uint32_t data_source(const struct ir_instr *instr)
{
   return instr->op == IR_atomic_buffer ? 3 : instr->op == IR_image_atomic ? 2 : 1;
}

static uint32_t *atomic_class(struct ir_instr *instr)
{
   return &instr->imm.u[instr->op == IR_image_atomic ? 2 : 0];
}

/* At the same address: if `expected` is there, `wanted` replaces it. */
static struct ir_instr *compare_exchange(struct ir_builder *b, const struct ir_instr *instr, struct ir_instr *expected,
                                         struct ir_instr *wanted)
{
   struct ir_instr *srcs[6];
   uint32_t count = 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      const bool is_data = i == data_source(instr);
      srcs[count++] = is_data ? wanted : instr->srcs[i];
      if (is_data)
         srcs[count++] = expected;
   }
   struct ir_instr *exchange = ir_emit(b, (enum ir_op)instr->op, 1, instr->bit_size, count, srcs);
   exchange->imm = instr->imm;
   *atomic_class(exchange) = ABI_ATOMIC_CMPXCHG;
   return exchange;
}

/* expected = 0; while ((seen = compare_exchange(expected, expected op data)) != expected) expected = seen; seen is the result.
 * The first guess needs no load: it is right, or it is replaced by what is there. */
static struct ir_instr *lower_atomic(struct ir_builder *b, struct ir_instr *instr, uint8_t fp)
{
   static const uint16_t ops[] = {
      [ABI_ATOMIC_FADD] = IR_fadd, [ABI_ATOMIC_FMIN] = IR_fmin, [ABI_ATOMIC_FMAX] = IR_fmax, [ABI_ATOMIC_FMUL] = IR_fmul};
   struct ir_shader *shader = b->shader;
   const uint32_t bits = instr->bit_size;
   struct ir_instr *guess = ir_const(b, bits, 0), *loop = ir_loop(b, 1, &guess);
   struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   struct ir_builder in = ir_builder_at_end(shader, body);
   in.line = b->line;
   struct ir_instr *expected = body->params[0];
   struct ir_instr *operation = ir_instr_create(shader, (enum ir_op)ops[*atomic_class(instr)], 0, 0, 2,
                                                (struct ir_instr *[]){expected, instr->srcs[data_source(instr)]});
   struct ir_instr *exchange = compare_exchange(&in, instr, expected, ir_alu1(&in, IR_fone_nan, lower_value(&in, operation, fp)));
   struct ir_instr *branch = ir_if(&in, ir_alu2(&in, IR_ieq, exchange, expected));
   struct ir_builder arm = ir_builder_at_end(shader, branch->imm.cf.regions[0]);
   ir_jump(&arm, IR_break, loop, 1, &exchange);
   arm = ir_builder_at_end(shader, branch->imm.cf.regions[1]);
   ir_jump(&arm, IR_yield, NULL, 0, NULL);
   ir_jump(&in, IR_continue, loop, 1, &exchange);

   struct ir_instr *seen = ir_add_param(shader, cont, 1, bits);
   in = ir_builder_at_end(shader, cont);
   ir_jump(&in, IR_yield, NULL, 1, &seen);
   return ir_add_result(shader, loop, 1, bits);
}

static bool is_atomic(const struct ir_instr *instr)
{
   return instr->op == IR_atomic_buffer || instr->op == IR_atomic_global || instr->op == IR_atomic_shared ||
          instr->op == IR_image_atomic;
}

static bool is_to_be_lowered(struct ir_shader *shader, struct ir_instr *instr, uint8_t fp)
{
   if (is_atomic(instr))
      return fp && is_float_atomic((enum abi_atomic)*atomic_class(instr));
   if (instr->op == IR_reduce && !is_float_atomic((enum abi_atomic)instr->imm.u[0]))
      return false;
   const uint8_t class = classes[instr->op];
   return (fp & IR_FP_RTZ && class & ROUNDS) || (fp & IR_FP_FLUSH_DENORM && class & FLUSHES) ||
          (instr->op == IR_fma && instr->bit_size == 64 && shader->lacks_fma64);
}

static bool process_region(struct ir_shader *shader, struct ir_region *region)
{
   bool has_changed = false;
   IR_FOR_EACH (it, region) {
      for (uint32_t i = 0; i < it->num_srcs; i++)
         it->srcs[i] = ir_resolve(it->srcs[i]);
      for (uint32_t r = 0; r < ir_num_regions(it); r++)
         has_changed |= process_region(shader, it->imm.cf.regions[r]);
      const uint8_t fp = it->fp & (IR_FP_RTZ | IR_FP_FLUSH_DENORM);
      it->fp &= ~(IR_FP_RTZ | IR_FP_FLUSH_DENORM);
      if (it->routine || !is_to_be_lowered(shader, it, fp)) /* the routine's own operation is */
         continue;
      struct ir_builder b = ir_builder_before(shader, it);
      b.fp = 0;
      it->forward = is_atomic(it) ? lower_atomic(&b, it, fp) : lower_value(&b, it, fp);
      ir_remove(it);
      has_changed = true;
   }
   return has_changed;
}

bool ir_lower_float_env(struct ir_shader *shader)
{
   const bool has_changed = process_region(shader, shader->body);
   if (has_changed)
      ir_resolve_all(shader);
   return has_changed;
}
