/* SPDX-License-Identifier: MIT
 * Operations that become much code become calls of one routine, where a shader has so many of them that compiling each one's code would take long.
 *
 * Requires: runs before lower_math. Does: marks transcendental functions, remainders of floats, exponents that are taken from floats or added to theirs,
 * divisions of integers (of 64 bits, which machines do a lane at a time, and others by what is no constant), products of 64 bits, counts of bits, conversions
 * between integers of 64 bits and floats, or others that the machine does a lane at a time, and fused multiply-adds of 64 bits on machines without, with a
 * routine of ir_shader.routines if all of a class would be more than MAX_CODE instructions; the routine's operation is lowered.
 * Preserves: everything, and bits, as a routine is the same operations in the same order.
 *
 *    %2 = fsin 1x32 %1        →    %2 = fsin 1x32 %1      ; routine 1
 *    …, 200 times                  routine 1:  %0 = load_input 1x32 slot=0
 *                                              …
 *                                              store_output %80 slot=0 */
#include "compiler/ir/passes.h"

enum {
   MAX_CODE = 8192,
   MAX_ROUTINE_CODE = 512, /* the same of a routine, one of many perhaps, whose code stands in one block */
   DIVISION_CODE = 64, /* of 16 lanes */
   SHORT_DIVISION_CODE = 8, /* of 32 bits and less */
   PRODUCT_CODE = 8, /* of 64 bits */
   BITS_CODE = 24,
   CONVERSION_CODE = 64, /* of 16 lanes to or from 64 bits */
   VECTOR_CONVERSION_CODE = 12, /* the same by vectors: two of each, with the limits */
   SHORT_CONVERSION_CODE = 16, /* between 32 bits that are unsigned and a float of another size */
   MAX_CLASSES = 64,
   FMA64_CODE = 128, /* of integers: lower_fma64.c */
   MAX_OPERANDS = 3,
};

/* Operations with the same code. */
struct class {
   const struct ir_instr *first;
   bool has_divisor; /* divisions by the constant that the first one has */
   uint64_t count;
   uint16_t routine;
};

struct outline {
   struct ir_shader *shader;
   struct class classes[MAX_CLASSES];
   uint32_t num_classes;
};

/* The machine has none. */
static bool is_made_of_integers(const struct ir_shader *shader, const struct ir_instr *instr)
{
   return instr->op == IR_fma && instr->bit_size == 64 && shader->lacks_fma64;
}

static uint32_t conversion_code(const struct ir_shader *shader, const struct ir_instr *instr)
{
   const bool is_signed = instr->op == IR_i2f || instr->op == IR_f2i, gives_float = instr->op == IR_i2f || instr->op == IR_u2f;
   const uint32_t number_bits = gives_float ? instr->srcs[0]->bit_size : instr->bit_size, float_bits = gives_float ? instr->bit_size : instr->srcs[0]->bit_size;
   if (number_bits == 64)
      return shader->goes_apart ? CONVERSION_CODE : VECTOR_CONVERSION_CODE;
   return shader->goes_apart && number_bits == 32 && float_bits != 32 && !is_signed ? SHORT_CONVERSION_CODE : 0;
}

/* How many instructions of the machine the operation is, roughly, where that is more than those of the IR show; 0: it is not. */
static uint32_t machine_code(const struct ir_shader *shader, const struct ir_instr *instr)
{
   if (ir_is_int_division(instr))
      return instr->bit_size == 64 ? DIVISION_CODE : SHORT_DIVISION_CODE;
   if (is_made_of_integers(shader, instr))
      return FMA64_CODE;
   if (ir_is_int_conversion(instr))
      return conversion_code(shader, instr);
   if (instr->op == IR_imul && instr->bit_size == 64 && !ir_is_const(instr->srcs[1]))
      return PRODUCT_CODE;
   return ir_is_of_bits(instr) ? BITS_CODE : 0;
}

static bool is_bulky(const struct ir_shader *shader, const struct ir_instr *instr)
{
   if (ir_is_int_division(instr))
      return instr->bit_size == 64 || (!ir_is_const(instr->srcs[1]) && !ir_is_routine(shader));
   if (machine_code(shader, instr))
      return true;
   if (instr->op == IR_fmod || instr->op == IR_frem)
      return !ir_is_const(instr->srcs[1]); /* which may be simpler */
   const bool is_of_exponents = instr->op == IR_fldexp || instr->op == IR_ffrexp_sig || instr->op == IR_ffrexp_exp;
   return is_of_exponents || ir_can_lower_math(instr);
}

static bool has_constant_divisor(const struct ir_instr *instr)
{
   return ir_is_int_division(instr) && ir_is_const(instr->srcs[1]);
}

static bool has_same_code(const struct class *class, const struct ir_instr *instr, bool has_divisor)
{
   const struct ir_instr *first = class->first;
   bool is_same = first->op == instr->op && first->fp == instr->fp && first->bit_size == instr->bit_size && class->has_divisor == has_divisor;
   for (uint32_t i = 0; is_same && i < instr->num_srcs; i++)
      is_same = first->srcs[i]->bit_size == instr->srcs[i]->bit_size;
   return is_same && (!has_divisor || first->srcs[1]->imm.c[0] == instr->srcs[1]->imm.c[0]);
}

/* Constants that are divisors are known to half of the classes; others are operands. Of more classes than there is room for the last ones stay where
 * they are. */
static struct class *find_class(struct outline *o, const struct ir_instr *instr)
{
   for (uint32_t by_constant = has_constant_divisor(instr) ? 2 : 1; by_constant-- > 0;) {
      for (uint32_t i = 0; i < o->num_classes; i++) {
         if (has_same_code(&o->classes[i], instr, by_constant))
            return &o->classes[i];
      }
      if (by_constant && o->num_classes >= MAX_CLASSES / 2)
         continue;
      if (o->num_classes == MAX_CLASSES || instr->num_srcs > MAX_OPERANDS)
         return NULL;
      struct class *class = &o->classes[o->num_classes++];
      *class = (struct class){.first = instr, .has_divisor = by_constant};
      return class;
   }
   return NULL;
}

static void count(struct ir_instr *instr, void *data)
{
   struct outline *o = data;
   if (!is_bulky(o->shader, instr))
      return;
   struct class *class = find_class(o, instr);
   if (class)
      class->count++;
}

static struct ir_shader *make_code(struct ir_shader *shader, const struct class *class)
{
   const struct ir_instr *instr = class->first;
   struct ir_builder b;
   struct ir_shader *code = ir_routine_create(shader, &b);
   struct ir_instr *operands[MAX_OPERANDS];
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      operands[i] = ir_routine_operand(&b, i, instr->srcs[i]->bit_size);
   if (class->has_divisor)
      operands[1] = ir_const(&b, instr->bit_size, instr->srcs[1]->imm.c[0]);
   b.fp = instr->fp;
   struct ir_instr *value = ir_emit(&b, (enum ir_op)instr->op, 1, instr->bit_size, instr->num_srcs, operands);
   value->imm = instr->imm;
   b.fp = 0;
   ir_routine_result(&b, 0, value);
   ir_routine_end(&b); /* lower_math names arguments of sines by their numbers */
   ir_lower_math(code);
   return code;
}

static bool choose(struct outline *o, struct class *class)
{
   struct ir_shader *shader = o->shader;
   if (class->count < 2)
      return false;
   struct ir_shader *code = make_code(shader, class);
   const uint32_t num_instrs = ir_shader_renumber(code), size = UTIL_MAX(num_instrs, machine_code(shader, class->first));
   if (class->count * size <= (ir_is_routine(shader) ? MAX_ROUTINE_CODE : MAX_CODE))
      return false;
   class->routine = ir_routine_add(shader, &(struct ir_routine){code, size, false});
   return class->routine != 0;
}

static void mark(struct ir_instr *instr, void *data)
{
   struct outline *o = data;
   if (!is_bulky(o->shader, instr))
      return;
   const struct class *class = find_class(o, instr);
   instr->routine = class ? class->routine : 0;
}

bool ir_outline(struct ir_shader *shader)
{
   struct outline *o = UTIL_ARENA_NEW(shader->arena, struct outline);
   bool has_changed = false;
   o->shader = shader;
   ir_for_each(shader, count, o);
   for (uint32_t i = 0; i < o->num_classes; i++)
      has_changed = choose(o, &o->classes[i]) || has_changed;
   if (has_changed)
      ir_for_each(shader, mark, o);
   return has_changed;
}
