/* SPDX-License-Identifier: MIT
 * `numbers`: where a NaN or an infinity is made of finite numbers, and integer arithmetic whose result is undefined.
 *
 * Requires: to run before products and sums are fused, ifs become selects and functions are lowered, so that what is told is what the program
 * says. Does: puts a probe behind each operation that may make what is not finite, with that as its condition (the runtime looks
 * whether a source was not finite already), and in front of divisions, conversions, shifts and bit fields. Preserves: all else.
 *
 *    %3 = fdiv 1x32 %1, %2      →      %3 = fdiv 1x32 %1, %2
 *                                      %4 = fabs 1x32 %3
 *                                      %5 = fgeu 1x1 %4, infinity
 *                                      probe %5, …, %3, %1, %2, %1 site=0 */
#include "compiler/instrument/instrument.h"
#include "compiler/ir/passes.h"

#include <math.h>

enum kind { NONE, FLOAT, DIVIDE_SIGNED, DIVIDE, TO_SIGNED, TO_UNSIGNED, SHIFT, EXTRACT, INSERT };

static const uint8_t kinds[IR_NUM_OPS] = {
   [IR_fadd] = FLOAT, [IR_fsub] = FLOAT, [IR_fmul] = FLOAT, [IR_fdiv] = FLOAT, [IR_fma] = FLOAT, [IR_fsqrt] = FLOAT, [IR_fmod] = FLOAT,
   [IR_frem] = FLOAT, [IR_fexp2] = FLOAT, [IR_flog2] = FLOAT, [IR_fexp] = FLOAT, [IR_flog] = FLOAT, [IR_fpow] = FLOAT, [IR_fsin] = FLOAT,
   [IR_fcos] = FLOAT, [IR_ftan] = FLOAT, [IR_fasin] = FLOAT, [IR_facos] = FLOAT, [IR_fatan] = FLOAT, [IR_fatan2] = FLOAT,
   [IR_fsinh] = FLOAT, [IR_fcosh] = FLOAT, [IR_ftanh] = FLOAT, [IR_fasinh] = FLOAT, [IR_facosh] = FLOAT, [IR_fatanh] = FLOAT,
   [IR_fldexp] = FLOAT, [IR_f2f] = FLOAT,
   [IR_idiv] = DIVIDE_SIGNED, [IR_irem] = DIVIDE_SIGNED, [IR_imod] = DIVIDE_SIGNED, [IR_udiv] = DIVIDE, [IR_umod] = DIVIDE,
   [IR_f2i] = TO_SIGNED, [IR_f2u] = TO_UNSIGNED, [IR_ishl] = SHIFT, [IR_ishr] = SHIFT, [IR_ushr] = SHIFT, [IR_ubfe] = EXTRACT,
   [IR_ibfe] = EXTRACT, [IR_bfi] = INSERT,
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

static void check_float(struct ir_instrument *in, struct ir_instr *instr)
{
   struct ir_builder b = ir_builder_after(in->shader, instr);
   b.line = instr->line;
   struct ir_instr *infinity = ir_const_f(&b, instr->bit_size, INFINITY), *operands[4] = {instr, instr, instr, instr};
   struct ir_instr *condition = ir_alu2(&b, IR_fgeu, ir_alu1(&b, IR_fabs, instr), infinity);
   for (uint32_t i = 0; i < UTIL_MIN(instr->num_srcs, 3u); i++)
      operands[1 + i] = instr->srcs[i];
   struct abi_site *site = number_site(in, ABI_PROBE_NOT_FINITE, instr, instr->bit_size);
   if (site && instr->op == IR_f2f)
      site->limit = instr->srcs[0]->bit_size;
   ir_probe(in, &b, site, condition, 4, operands);
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

static void visit(struct ir_instrument *in, struct ir_instr *instr)
{
   if (!instr->line && instr->op == IR_f2u)
      return; /* words of an invocation */
   switch ((enum kind)kinds[instr->op]) {
   case NONE: break;
   case FLOAT: check_float(in, instr); break;
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
   struct ir_instrument in = {.shader = shader};
   if (shader->checks & ABI_CHECK_NUMBERS)
      ir_instrument_walk(&in, visit);
   return in.has_changed;
}
