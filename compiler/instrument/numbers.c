/* SPDX-License-Identifier: MIT
 * `numbers`: where a NaN or an infinity is made of finite numbers, and integer arithmetic whose result is undefined.
 *
 * Requires: to run before products and sums are fused, ifs become selects and functions are lowered, so that what is reported is what the program
 * says. Does: puts a probe behind operations that may make what is not finite, with that as its condition (the runtime looks whether a
 * source was not finite already), some of them together in one branch; and in front of divisions, conversions, shifts and bit fields.
 * Preserves: all else.
 *
 *    %3 = fdiv 1x32 %1, %2      →      %3 = fdiv 1x32 %1, %2
 *    %4 = fadd 1x32 %3, %3             %5 = fabs 1x32 %3
 *                                      %6 = fgeu 1x1 %5, infinity
 *                                      %4 = fadd 1x32 %3, %3
 *                                      …
 *                                      if %6 | %8 {
 *                                         probe %6, …, %3, %1, %2, %1 site=0
 *                                         probe %8, …, %4, %3, %3, %3 site=1 */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

#include <math.h>

enum check { NONE, FLOAT, DIVIDE_SIGNED, DIVIDE, TO_SIGNED, TO_UNSIGNED, SHIFT, EXTRACT, INSERT };

static const uint8_t checks[IR_NUM_OPS] = {
   [IR_fadd] = FLOAT, [IR_fsub] = FLOAT, [IR_fmul] = FLOAT, [IR_fdiv] = FLOAT, [IR_fma] = FLOAT, [IR_fsqrt] = FLOAT, [IR_fmod] = FLOAT,
   [IR_frem] = FLOAT, [IR_fexp2] = FLOAT, [IR_flog2] = FLOAT, [IR_fexp] = FLOAT, [IR_flog] = FLOAT, [IR_fpow] = FLOAT, [IR_fsin] = FLOAT,
   [IR_fcos] = FLOAT, [IR_ftan] = FLOAT, [IR_fasin] = FLOAT, [IR_facos] = FLOAT, [IR_fatan] = FLOAT, [IR_fatan2] = FLOAT,
   [IR_fsinh] = FLOAT, [IR_fcosh] = FLOAT, [IR_ftanh] = FLOAT, [IR_fasinh] = FLOAT, [IR_facosh] = FLOAT, [IR_fatanh] = FLOAT,
   [IR_fldexp] = FLOAT, [IR_f2f] = FLOAT,
   [IR_idiv] = DIVIDE_SIGNED, [IR_irem] = DIVIDE_SIGNED, [IR_imod] = DIVIDE_SIGNED, [IR_udiv] = DIVIDE, [IR_umod] = DIVIDE,
   [IR_f2i] = TO_SIGNED, [IR_f2u] = TO_UNSIGNED, [IR_ishl] = SHIFT, [IR_ishr] = SHIFT, [IR_ushr] = SHIFT, [IR_ubfe] = EXTRACT,
   [IR_ibfe] = EXTRACT, [IR_bfi] = INSERT,
};

enum { MAX_TOGETHER = 16 };

/* Probes that wait for the end of their region, or for enough others. */
struct numbers {
   struct ir_instrument in; /* the first: visit() gets it */
   uint32_t count;
   struct waiting {
      struct abi_site *site;
      struct ir_instr *condition, *operands[4];
   } waiting[MAX_TOGETHER];
};

static struct abi_site *number_site(struct ir_instrument *in, enum abi_probe probe, const struct ir_instr *instr, uint32_t bits)
{
   struct abi_site *site = ir_site_create(in->shader, probe, instr, NULL);
   if (site) {
      site->bits = (uint8_t)bits;
      site->num_sources = (uint8_t)UTIL_MIN(instr->num_srcs, 3u);
   }
   return site;
}

static void probe_all(struct numbers *n, struct ir_builder *b)
{
   for (uint32_t i = 0; i < n->count; i++)
      ir_probe(&n->in, b, n->waiting[i].site, n->waiting[i].condition, 4, n->waiting[i].operands);
}

/* In front of `instr`. */
static void flush(struct numbers *n, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_before(n->in.shader, instr);
   if (n->count > 1) {
      struct ir_instr *any = n->waiting[0].condition;
      for (uint32_t i = 1; i < n->count; i++)
         any = ir_alu2(&b, IR_ior, any, n->waiting[i].condition);
      const struct ir_instr *branch = ir_if(&b, any);
      for (uint32_t r = 0; r < 2; r++) {
         struct ir_builder inner = ir_builder_at_end(n->in.shader, branch->imm.cf.regions[r]);
         if (r == 0)
            probe_all(n, &inner);
         ir_jump(&inner, IR_yield, NULL, 0, NULL);
      }
   } else {
      probe_all(n, &b);
   }
   n->count = 0;
}

static void check_float(struct numbers *n, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_after(n->in.shader, instr);
   b.line = instr->line;
   struct abi_site *site = number_site(&n->in, ABI_PROBE_NOT_FINITE, instr, instr->bit_size);
   if (!site)
      return;
   if (instr->op == IR_f2f)
      site->limit = instr->srcs[0]->bit_size;
   struct waiting *waiting = &n->waiting[n->count++];
   *waiting = (struct waiting){.site = site, .operands = {instr, instr, instr, instr}};
   waiting->condition = ir_alu2(&b, IR_fgeu, ir_alu1(&b, IR_fabs, instr), ir_const_f(&b, instr->bit_size, INFINITY));
   for (uint32_t i = 0; i < UTIL_MIN(instr->num_srcs, 3u); i++)
      waiting->operands[1 + i] = instr->srcs[i];
}

static void check_division(struct ir_instrument *in, struct ir_instr *instr, bool is_signed)
{
   struct ir_instr *x = instr->srcs[0], *y = instr->srcs[1];
   const uint32_t bits = instr->bit_size;
   const uint64_t all = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   if (ir_is_const(y) && y->imm.c[0] != 0 && (!is_signed || y->imm.c[0] != all))
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *condition = ir_alu2(&b, IR_ieq, y, ir_const(&b, bits, 0));
   if (is_signed) {
      struct ir_instr *is_least = ir_alu2(&b, IR_ieq, x, ir_const(&b, bits, UINT64_C(1) << (bits - 1)));
      struct ir_instr *overflows = ir_alu2(&b, IR_iand, is_least, ir_alu2(&b, IR_ieq, y, ir_const(&b, bits, all)));
      condition = ir_alu2(&b, IR_ior, condition, overflows);
   }
   ir_probe(in, &b, number_site(in, ABI_PROBE_DIVISION, instr, bits), condition, 2, (struct ir_instr *[]){x, y});
}

static void check_conversion(struct ir_instrument *in, struct ir_instr *instr, bool is_signed)
{
   struct ir_instr *x = instr->srcs[0];
   struct ir_builder b = ir_builder_before(in->shader, instr);
   const double end = ldexp(1.0, is_signed ? instr->bit_size - 1 : instr->bit_size);
   struct ir_instr *above = is_signed ? ir_alu2(&b, IR_fge, x, ir_const_f(&b, x->bit_size, -end))
                                      : ir_alu2(&b, IR_flt, ir_const_f(&b, x->bit_size, -1.0), x);
   struct ir_instr *fits = ir_alu2(&b, IR_iand, above, ir_alu2(&b, IR_flt, x, ir_const_f(&b, x->bit_size, end)));
   struct abi_site *site = number_site(in, ABI_PROBE_CONVERSION, instr, x->bit_size);
   if (site)
      site->limit = instr->bit_size;
   ir_probe(in, &b, site, ir_alu1(&b, IR_inot, fits), 1, &x);
}

static void check_shift(struct ir_instrument *in, struct ir_instr *instr)
{
   struct ir_instr *amount = instr->srcs[1];
   if (ir_is_const(amount) && amount->imm.c[0] < instr->bit_size)
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *condition = ir_alu2(&b, IR_uge, amount, ir_const(&b, amount->bit_size, instr->bit_size));
   struct abi_site *site = number_site(in, ABI_PROBE_SHIFT, instr, instr->bit_size);
   if (site)
      site->limit = instr->bit_size;
   ir_probe(in, &b, site, condition, 1, &amount);
}

static void check_bit_field(struct ir_instrument *in, struct ir_instr *instr, uint32_t first)
{
   struct ir_instr *offset = instr->srcs[first], *count = instr->srcs[first + 1];
   if (ir_is_const(offset) && ir_is_const(count) && offset->imm.c[0] + count->imm.c[0] <= instr->bit_size)
      return;
   struct ir_builder b = ir_builder_before(in->shader, instr);
   struct ir_instr *condition = ir_alu2(&b, IR_ult, ir_const(&b, 32, instr->bit_size), ir_alu2(&b, IR_iadd, offset, count));
   struct abi_site *site = number_site(in, ABI_PROBE_BIT_FIELD, instr, instr->bit_size);
   if (site)
      site->limit = instr->bit_size;
   ir_probe(in, &b, site, condition, 2, (struct ir_instr *[]){offset, count});
}

/* Behind it other lanes may be on, or values would have to be kept. */
static bool ends_run(const struct ir_instr *instr)
{
   return ir_is_construct(instr) || ir_is_jump(instr) || instr->op == IR_demote || instr->op == IR_barrier;
}

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   struct numbers *n = (struct numbers *)in;
   if (n->count == MAX_TOGETHER || (n->count && ends_run(instr)))
      flush(n, instr);
   if (!instr->line && instr->op == IR_f2u)
      return; /* words of an invocation */
   switch ((enum check)checks[instr->op]) {
   case NONE: break;
   case FLOAT: check_float(n, instr); break;
   case DIVIDE_SIGNED: check_division(in, instr, true); break;
   case DIVIDE: check_division(in, instr, false); break;
   case TO_SIGNED: check_conversion(in, instr, true); break;
   case TO_UNSIGNED: check_conversion(in, instr, false); break;
   case SHIFT: check_shift(in, instr); break;
   case EXTRACT: check_bit_field(in, instr, 1); break;
   case INSERT: check_bit_field(in, instr, 2); break;
   }
}

bool ir_instrument_numbers(struct ir_shader *shader)
{
   struct numbers numbers = {.in.shader = shader};
   if (shader->checks & ABI_CHECK_NUMBERS)
      ir_instrument_walk(&numbers.in, visit);
   return numbers.in.has_changed;
}
