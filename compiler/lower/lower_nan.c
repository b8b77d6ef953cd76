/* SPDX-License-Identifier: MIT
 * One NaN: where the bits of a computed float can be seen, every NaN has the same ones, positive and quiet with no payload. Arithmetic
 * leaves sign and payload of a NaN to the machine: to the order of operands, the vector's width, and what an operation is made of.
 *
 * Requires: transcendental functions are not lowered yet, since their sequences look at bits on purpose. Does: stores, outputs, integer
 * operations and the like show the bits of a value; where that comes from arithmetic alone and may be NaN, they get a fone_nan.
 * Readers of numbers (arithmetic, comparisons) keep the raw value. Copies keep their bits: a NaN that is loaded and stored stays what it
 * was; where a copy may be of loaded or of computed bits, the computed ones get their fone_nan before it. A variable, and a workgroup's memory,
 * is a copy of all that is put into it. But a workgroup's memory that holds sums beside elements of arrays of scalar floats, as in reductions and
 * scans, holds numbers: what is read from it is computed, so that a loop pays nothing for what is seen behind it. A fragment's float output is a number,
 * of which the runtime makes one NaN, unless a shader that casts bits to floats, copies texels or stores a constant NaN puts such bits there. Where both
 * operands of a minimum or maximum are numbers it says so. Preserves: structure.
 *
 *    %2 = fadd 1x32 %0, %1            →    %2 = fadd 1x32 %0, %1
 *    store_shared %9, %2                   %3 = fone_nan 1x32 %2
 *                                          store_shared %9, %3 */
#include "compiler/lower/lower_float.h"

#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_jumps.h"
#include "compiler/ir/passes.h"

#include <math.h>
#include <string.h>

enum {
   COMPUTES = 1 << 0, /* the result is a float that arithmetic made: a NaN's bits are the machine's choice */
   READS = 1 << 1,    /* takes its sources as numbers */
   COPIES = 1 << 2,   /* bits of the result are bits of the sources, perhaps with another sign */
};

#define FLOAT COMPUTES | READS
static const uint8_t classes[IR_NUM_OPS] = {
   [IR_fadd] = FLOAT, [IR_fsub] = FLOAT, [IR_fmul] = FLOAT, [IR_fdiv] = FLOAT, [IR_fma] = FLOAT, [IR_fsqrt] = FLOAT,
   [IR_fmin] = FLOAT, [IR_fmax] = FLOAT, [IR_ffloor] = FLOAT, [IR_fceil] = FLOAT, [IR_ftrunc] = FLOAT, [IR_fround_even] = FLOAT,
   [IR_fmod] = FLOAT, [IR_frem] = FLOAT, [IR_fexp2] = FLOAT, [IR_flog2] = FLOAT, [IR_fexp] = FLOAT, [IR_flog] = FLOAT,
   [IR_fpow] = FLOAT, [IR_fsin] = FLOAT, [IR_fcos] = FLOAT, [IR_ftan] = FLOAT, [IR_fasin] = FLOAT, [IR_facos] = FLOAT,
   [IR_fatan] = FLOAT, [IR_fatan2] = FLOAT, [IR_fsinh] = FLOAT, [IR_fcosh] = FLOAT, [IR_ftanh] = FLOAT, [IR_fasinh] = FLOAT,
   [IR_facosh] = FLOAT, [IR_fatanh] = FLOAT, [IR_fldexp] = FLOAT, [IR_ffrexp_sig] = FLOAT, [IR_f2f] = FLOAT, [IR_ddx] = FLOAT,
   [IR_ddy] = FLOAT,
   [IR_ffrexp_exp] = READS, [IR_f2i] = READS, [IR_f2u] = READS, [IR_feq] = READS, [IR_fne] = READS, [IR_flt] = READS,
   [IR_fge] = READS, [IR_fequ] = READS, [IR_fneu] = READS, [IR_fltu] = READS, [IR_fgeu] = READS,
   [IR_vec] = COPIES, [IR_extract] = COPIES, [IR_select] = COPIES, [IR_fneg] = COPIES, [IR_fabs] = COPIES,
   [IR_read_first] = COPIES, [IR_shuffle] = COPIES,
};

enum { /* in pass_flags */
   HOLDS_WORDS = 1 << 0,  /* may be a copy of bits that no arithmetic made */
   HOLDS_FLOATS = 1 << 5, /* of such that stand in an array of scalar floats */
   HOLDS_BITS = HOLDS_WORDS | HOLDS_FLOATS,
   IS_SEEN = 1 << 4,      /* and its bits are shown */
   IS_READ_AS_WORD = 1 << 6, /* as an integer, not by a store alone */
   IS_COMPUTED = 1 << 7,  /* may be a copy of what arithmetic made */
   MAY_BE_NAN = 1 << 1,
   MAY_BE_INFINITE = 1 << 2,
   MAY_BE_MINUS_INFINITE = 1 << 3,
   MAY_BE_ALL = MAY_BE_NAN | MAY_BE_INFINITE | MAY_BE_MINUS_INFINITE,
   INFINITIES = MAY_BE_INFINITE | MAY_BE_MINUS_INFINITE,
};

/* What any part of a variable, or of the memory that a workgroup shares, holds. */
struct variable {
   uint16_t flags;
   uint8_t bit_size; /* of its accesses; 0: none was seen yet */
};

struct pass {
   struct ir_shader *shader;
   struct variable *vars; /* by index; behind them the shared memory */
   bool has_changed;
   bool gives_up; /* after too many walks: what copies and variables hold is taken to be anything, and seen */
   bool shared_holds_numbers;
};

static bool loads_variable(const struct ir_instr *instr)
{
   return instr->op == IR_load_var || instr->op == IR_load_shared;
}

static bool stores_variable(const struct ir_instr *instr)
{
   return instr->op == IR_store_var || instr->op == IR_store_shared;
}

static struct variable *shared_of(const struct pass *pass)
{
   return &pass->vars[pass->shader->num_vars];
}

static struct variable *variable_of(const struct pass *pass, const struct ir_instr *instr)
{
   return ir_names_var(instr) ? &pass->vars[instr->imm.var.var->index] : shared_of(pass);
}

static void set(struct pass *pass, uint16_t *flags, uint32_t added)
{
   pass->has_changed |= (*flags & added) != added;
   *flags |= (uint16_t)added;
}

static bool is_float_atomic(uint32_t atomic)
{
   return atomic == ABI_ATOMIC_FADD || atomic == ABI_ATOMIC_FMIN || atomic == ABI_ATOMIC_FMAX || atomic == ABI_ATOMIC_FMUL;
}

/* What an atomic operation stores is made one NaN when it is stored, so that the data is a number only. */
static bool is_atomic_data(const struct ir_instr *instr, uint32_t i)
{
   switch (instr->op) {
   case IR_atomic_buffer: return i == 3 && is_float_atomic(instr->imm.u[0]);
   case IR_atomic_global: case IR_atomic_shared: return i == 1 && is_float_atomic(instr->imm.u[0]);
   case IR_image_atomic: return i == 2 && is_float_atomic(instr->imm.u[2]);
   default: return false;
   }
}

static uint8_t class_of(const struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_reduce: case IR_reduce_part:
      return is_float_atomic(instr->imm.u[0]) ? FLOAT : 0;
   case IR_interp:
      return instr->imm.u[1] == IR_INTERP_FLAT || instr->imm.u[1] == IR_INTERP_PER_VERTEX ? READS : FLOAT;
   case IR_tex: /* integer texels and those of a fetch are copies */
      return instr->imm.u[0] == ABI_TEX_OP_FETCH || instr->imm.u[2] & ABI_TEX_INTEGER ? 0 : COMPUTES;
   case IR_call:
      return instr->imm.u[1] ? 0 : FLOAT;
   case IR_vote_eq:
      return instr->imm.u[0] ? READS : 0;
   default:
      return classes[instr->op];
   }
}

/* What only arithmetic reads, of the rasteriser or of blending; float attachments get the one NaN from the runtime. */
static bool is_numeric_output(const struct abi_shader_info *info, uint32_t slot)
{
   if (info->stage == ABI_STAGE_FRAGMENT)
      return slot >= ABI_FRAG_DUAL_SOURCE || (slot < ABI_FRAG_DEPTH && !info->output_is_int[slot / 4] && !(info->keeps_bits >> slot / 4 & 1));
   return slot < ABI_SLOT_USER;
}

/* The instruction looks at source i as a number. */
static bool reads_number(const struct ir_shader *shader, const struct ir_instr *instr, uint32_t i)
{
   if (instr->op == IR_store_output || instr->op == IR_store_vertex)
      return !ir_is_routine(shader) && is_numeric_output(&shader->info, instr->imm.u[0]);
   if (instr->op == IR_fldexp || instr->op == IR_reduce_part)
      return i == 0 && class_of(instr) & READS;
   if (instr->op == IR_image_store)
      return i == 2 && instr->imm.u[2] & IR_ACCESS_NORMALIZED;
   if (instr->op == IR_tex) /* coordinates and levels */
      return i >= 2 && instr->imm.u[0] != ABI_TEX_OP_FETCH;
   return class_of(instr) & READS || is_atomic_data(instr, i);
}

/* Source i is copied into the result. */
static bool is_copied(const struct ir_instr *instr, uint32_t i)
{
   return class_of(instr) & COPIES && (instr->op == IR_select ? i > 0 : instr->op == IR_shuffle ? i == 0 : true);
}

/* ---- what may be NaN ---- */

static uint32_t of_constant(const struct ir_instr *instr)
{
   if (instr->num_components != 1 || instr->bit_size < 16)
      return MAY_BE_ALL;
   const double value = ir_float_to_double(instr->imm.c[0], instr->bit_size);
   return isnan(value) ? MAY_BE_NAN : value == INFINITY ? MAY_BE_INFINITE : value == -INFINITY ? MAY_BE_MINUS_INFINITE : 0;
}

static uint32_t of_table(const struct ir_table *table)
{
   return (table->numbers & IR_MAY_BE_NAN ? MAY_BE_NAN : 0) | (table->numbers & IR_MAY_BE_INF ? MAY_BE_INFINITE : 0) |
          (table->numbers & IR_MAY_BE_MINUS_INF ? MAY_BE_MINUS_INFINITE : 0);
}

static uint32_t swapped(uint32_t x)
{
   return (x & MAY_BE_NAN) | (x & MAY_BE_INFINITE ? MAY_BE_MINUS_INFINITE : 0) | (x & MAY_BE_MINUS_INFINITE ? MAY_BE_INFINITE : 0);
}

/* The sum of finite numbers may be infinite, never NaN. */
static uint32_t of_sum(uint32_t x, uint32_t y)
{
   const bool cancels = (x & MAY_BE_INFINITE && y & MAY_BE_MINUS_INFINITE) || (x & MAY_BE_MINUS_INFINITE && y & MAY_BE_INFINITE);
   return INFINITIES | ((x | y) & MAY_BE_NAN) | (cancels ? MAY_BE_NAN : 0);
}

/* Of any source. */
static uint32_t of_sources(const struct ir_instr *instr)
{
   uint32_t any = 0;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      any |= instr->srcs[i]->pass_flags & MAY_BE_ALL;
   return any;
}

static uint32_t of_value(const struct pass *pass, const struct ir_instr *instr)
{
   const uint32_t x = instr->num_srcs > 0 ? instr->srcs[0]->pass_flags & MAY_BE_ALL : 0;
   const uint32_t y = instr->num_srcs > 1 ? instr->srcs[1]->pass_flags & MAY_BE_ALL : 0;
   const uint32_t is_nan = x & MAY_BE_NAN;
   switch (instr->op) {
   case IR_const: return of_constant(instr);
   case IR_i2f: case IR_u2f: return instr->bit_size == 16 ? INFINITIES : 0;
   case IR_fadd: return of_sum(x, y);
   case IR_fsub: return of_sum(x, swapped(y));
   case IR_fmul: return INFINITIES | (x | y ? MAY_BE_NAN : 0);
   case IR_fneg: return swapped(x);
   case IR_fabs: return is_nan | (x & INFINITIES ? MAY_BE_INFINITE : 0);
   case IR_fmin: /* the other operand where one is NaN */
      return (x & y & (MAY_BE_NAN | MAY_BE_INFINITE)) | ((x | y) & MAY_BE_MINUS_INFINITE) |
             (x & MAY_BE_NAN ? y & MAY_BE_INFINITE : 0) | (y & MAY_BE_NAN ? x & MAY_BE_INFINITE : 0);
   case IR_fmax:
      return (x & y & (MAY_BE_NAN | MAY_BE_MINUS_INFINITE)) | ((x | y) & MAY_BE_INFINITE) |
             (x & MAY_BE_NAN ? y & MAY_BE_MINUS_INFINITE : 0) | (y & MAY_BE_NAN ? x & MAY_BE_MINUS_INFINITE : 0);
   case IR_ffloor: case IR_fceil: case IR_ftrunc: case IR_fround_even: return x;
   case IR_f2f: return instr->bit_size < instr->srcs[0]->bit_size ? x | INFINITIES : x;
   case IR_fsin: case IR_fcos: return x ? MAY_BE_NAN : 0;
   case IR_fexp: case IR_fexp2: return is_nan | MAY_BE_INFINITE;
   case IR_fatan: case IR_ftanh: return is_nan;
   case IR_select: return y | (instr->srcs[2]->pass_flags & MAY_BE_ALL);
   case IR_image_load: return instr->imm.u[2] & IR_ACCESS_NORMALIZED ? 0 : MAY_BE_ALL;
   case IR_extract: return x;
   case IR_vec: return of_sources(instr);
   case IR_load_var: case IR_load_shared: return variable_of(pass, instr)->flags & MAY_BE_ALL;
   case IR_load_table: return of_table(instr->imm.var.var->table);
   default: return MAY_BE_ALL;
   }
}

/* No float has so few bits. */
static bool is_narrow(const struct ir_instr *instr)
{
   return instr->bit_size < 16;
}

static void find_nans(struct ir_instr *instr, void *data)
{
   struct pass *pass = data;
   instr->pass_flags = is_narrow(instr) ? 0 : (uint16_t)of_value(pass, instr);
   instr->pass_data = NULL;
   if (stores_variable(instr))
      set(pass, &variable_of(pass, instr)->flags, pass->gives_up ? MAY_BE_ALL : instr->srcs[1]->pass_flags & MAY_BE_ALL);
   for (uint32_t r = 0; r < ir_num_regions(instr); r++) {
      const struct ir_region *region = instr->imm.cf.regions[r];
      for (uint32_t i = 0; i < region->num_params; i++) {
         region->params[i]->pass_flags = is_narrow(region->params[i]) ? 0 : MAY_BE_ALL;
         region->params[i]->pass_data = NULL;
      }
   }
}

/* A copy moves bits, whatever they mean. */
static void find_copied(const struct pass *pass, const struct ir_instr *copy)
{
   for (uint32_t s = 0; s < 2; s++) {
      const enum ir_op op = copy->imm.copy.form->sides[s].op;
      struct variable *var = op == IR_load_shared || op == IR_store_shared           ? shared_of(pass)
                             : op == IR_load_var || op == IR_store_var ? &pass->vars[copy->imm.copy.vars[s]->index]
                                                                       : NULL;
      if (var)
         var->flags = MAY_BE_ALL | HOLDS_BITS | IS_SEEN | IS_READ_AS_WORD;
   }
}

/* A variable that is read in other sizes than it is written in has bits of any meaning; so have those that other shaders, rays or atomic
 * operations look at, and the shared memory of mesh shaders, whose outputs are there. */
static void find_variables(struct ir_instr *instr, void *data)
{
   const struct pass *pass = data;
   if (instr->op == IR_atomic_shared)
      shared_of(pass)->flags = MAY_BE_ALL | HOLDS_BITS | IS_SEEN | IS_READ_AS_WORD;
   if (instr->op == IR_copy)
      find_copied(pass, instr);
   if (!loads_variable(instr) && !stores_variable(instr))
      return;
   struct variable *var = variable_of(pass, instr);
   const uint8_t bit_size = loads_variable(instr) ? instr->bit_size : instr->srcs[1]->bit_size;
   const bool is_of_shader = ir_names_var(instr) && (instr->imm.var.var->class == IR_VAR_PLAIN || instr->imm.var.var->class == IR_VAR_MATRICES);
   const bool is_known = ir_names_var(instr) ? is_of_shader : pass->shader->info.stage == ABI_STAGE_COMPUTE;
   if (!is_known || (var->bit_size && var->bit_size != bit_size))
      var->flags = MAY_BE_ALL | HOLDS_BITS | IS_SEEN | IS_READ_AS_WORD;
   var->bit_size = bit_size;
}

/* ---- what is a copy ---- */

/* The flags of what operand i of a jump, initial value i of a loop or what is put into a variable becomes; NULL for what is none of these. */
static uint16_t *join_of(const struct pass *pass, const struct ir_instr *instr, uint32_t i)
{
   if (stores_variable(instr))
      return i == 1 ? &variable_of(pass, instr)->flags : NULL;
   struct ir_instr *join = ir_join_of(instr, i);
   return join ? &join->pass_flags : NULL;
}

/* What of HOLDS_BITS | IS_COMPUTED the result is by itself; the rest comes from what it copies. */
static uint32_t origin_of(const struct ir_instr *instr)
{
   const uint8_t class = class_of(instr);
   const bool is_of_floats = (instr->op == IR_load_buffer || instr->op == IR_load_global) && instr->imm.u[0] & IR_ACCESS_FLOATS;
   if (!(instr->pass_flags & MAY_BE_NAN) || class & COPIES || instr->op == IR_undef || instr->op == IR_param || instr->op == IR_result)
      return 0;
   return class & COMPUTES ? IS_COMPUTED : is_of_floats ? HOLDS_FLOATS : HOLDS_WORDS;
}

static void find_bits(struct ir_instr *instr, void *data)
{
   enum { COPIED = HOLDS_BITS | IS_COMPUTED };
   struct pass *pass = data;
   const uint32_t any = pass->gives_up ? COPIED : 0;
   uint32_t flags = loads_variable(instr) ? variable_of(pass, instr)->flags & COPIED : origin_of(instr);
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      uint16_t *join = join_of(pass, instr, i);
      if (join && !(pass->shared_holds_numbers && join == &shared_of(pass)->flags))
         set(pass, join, (instr->srcs[i]->pass_flags & COPIED) | any);
      if (is_copied(instr, i) && instr->pass_flags & MAY_BE_NAN)
         flags |= (instr->srcs[i]->pass_flags & COPIED) | any;
   }
   set(pass, &instr->pass_flags, flags);
}

/* A store that leaves the bits of source i as they are, for others to read. */
static bool is_stored(const struct ir_instr *instr, uint32_t i)
{
   return (instr->op == IR_store_buffer && i == 3) || (instr->op == IR_store_global && i == 1) || (instr->op == IR_image_store && i == 2);
}

/* IS_SEEN and IS_READ_AS_WORD as source i is here. */
static uint32_t seen_as(const struct pass *pass, const struct ir_instr *instr, uint32_t i)
{
   const uint16_t *copy = is_copied(instr, i) ? &instr->pass_flags : join_of(pass, instr, i);
   if (copy && !pass->gives_up)
      return *copy & (IS_SEEN | IS_READ_AS_WORD);
   return !copy && reads_number(pass->shader, instr, i) ? 0 : is_stored(instr, i) ? IS_SEEN : IS_SEEN | IS_READ_AS_WORD;
}

/* Backwards through copies that may hold bits. */
static void find_seen(struct pass *pass, struct ir_region *region)
{
   for (struct util_list *node = region->instrs.prev; node != &region->instrs; node = node->prev) {
      struct ir_instr *it = UTIL_LIST_ENTRY(node, struct ir_instr, link);
      for (uint32_t r = ir_num_regions(it); r-- > 0;)
         find_seen(pass, it->imm.cf.regions[r]);
      for (uint32_t i = 0; i < it->num_srcs; i++)
         if (it->srcs[i]->pass_flags & HOLDS_BITS)
            set(pass, &it->srcs[i]->pass_flags, seen_as(pass, it, i));
      if (loads_variable(it))
         set(pass, &variable_of(pass, it)->flags, it->pass_flags & (IS_SEEN | IS_READ_AS_WORD));
   }
}

/* Sums beside scalar floats of the application's, that nobody takes apart. */
static bool holds_numbers(uint32_t flags)
{
   return (flags & (HOLDS_BITS | IS_COMPUTED | IS_READ_AS_WORD)) == (HOLDS_FLOATS | IS_COMPUTED);
}

/* ---- one NaN ---- */

static struct ir_instr *made_one(struct ir_builder *b, struct ir_instr *value)
{
   struct ir_instr *components[4];
   if (value->num_components == 1)
      return ir_alu1(b, IR_fone_nan, value);
   for (uint32_t c = 0; c < value->num_components; c++)
      components[c] = ir_alu1(b, IR_fone_nan, ir_extract(b, value, c));
   return ir_vec(b, value->num_components, components);
}

/* The lesser or greater of two numbers: nothing to do for NaN. */
static bool is_of_numbers(const struct ir_instr *instr)
{
   return (instr->op == IR_fmin || instr->op == IR_fmax) && !((instr->srcs[0]->pass_flags | instr->srcs[1]->pass_flags) & MAY_BE_NAN);
}

static void replace(struct ir_instr *instr, void *data)
{
   struct pass *pass = data;
   if (is_of_numbers(instr) && !(instr->fp & IR_FP_NO_NAN)) {
      instr->fp |= IR_FP_NO_NAN;
      pass->has_changed = true;
   }
   for (uint32_t i = 0; i < instr->num_srcs; i++) {
      struct ir_instr *src = instr->srcs[i], *known = src->pass_data;
      if (src->pass_flags & HOLDS_BITS || !(src->pass_flags & MAY_BE_NAN) || !(seen_as(pass, instr, i) & IS_SEEN))
         continue;
      if (!known || known->region != instr->region) {
         struct ir_builder b = ir_builder_before(pass->shader, instr);
         b.fp = 0;
         src->pass_data = made_one(&b, src);
      }
      instr->srcs[i] = src->pass_data;
      pass->has_changed = true;
   }
}

/* A walk takes what is known along a chain of copies in its own direction; one that goes round loops against it may need as many as it has copies. */
static void repeat(struct pass *pass, void (*walk)(struct pass *pass))
{
   enum { MAX_WALKS = 16 };
   uint32_t num_walks = 0;
   do {
      pass->has_changed = false;
      pass->gives_up = num_walks++ >= MAX_WALKS;
      walk(pass);
   } while (pass->has_changed);
   pass->gives_up = false;
}

static void walk_nans(struct pass *pass)
{
   ir_for_each(pass->shader, find_nans, pass);
}

static void walk_bits(struct pass *pass)
{
   ir_for_each(pass->shader, find_bits, pass);
}

static bool is_constant_nan(const struct ir_instr *instr)
{
   return instr->op == IR_const && instr->pass_flags & MAY_BE_NAN;
}

/* Copied texels, and NaNs that the shader names. */
static void find_moved_bits(struct ir_instr *instr, void *data)
{
   struct ir_shader *shader = data;
   if (instr->op == IR_store_output)
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         shader->moves_bits |= is_constant_nan(instr->srcs[i]);
   shader->moves_bits |= (instr->op == IR_tex && instr->imm.u[0] == ABI_TEX_OP_FETCH) ||
                         (instr->op == IR_image_load && !(instr->imm.u[2] & IR_ACCESS_NORMALIZED));
}

/* Float outputs that may be copies of bits that no arithmetic made. */
static void find_kept(struct ir_instr *instr, void *data)
{
   struct abi_shader_info *info = data;
   if (instr->op == IR_store_output && instr->imm.u[0] < ABI_FRAG_DEPTH)
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         info->keeps_bits |= (uint8_t)((instr->srcs[i]->pass_flags & HOLDS_BITS ? 1u : 0u) << instr->imm.u[0] / 4);
}

static void walk_seen(struct pass *pass)
{
   find_seen(pass, pass->shader->body);
}

static void analyze(struct pass *pass)
{
   memset(pass->vars, 0, (pass->shader->num_vars + 1) * sizeof(*pass->vars));
   ir_for_each(pass->shader, find_variables, pass);
   repeat(pass, walk_nans);
   repeat(pass, walk_bits);
   if (pass->shader->info.stage == ABI_STAGE_FRAGMENT) {
      ir_for_each(pass->shader, find_moved_bits, pass->shader);
      if (pass->shader->moves_bits)
         ir_for_each(pass->shader, find_kept, &pass->shader->info);
   }
   repeat(pass, walk_seen);
}

bool ir_lower_nan(struct ir_shader *shader)
{
   struct pass pass = {.shader = shader, .vars = UTIL_ARENA_ARRAY(shader->arena, struct variable, shader->num_vars + 1)};
   analyze(&pass);
   pass.shared_holds_numbers = holds_numbers(shared_of(&pass)->flags);
   if (pass.shared_holds_numbers)
      analyze(&pass);
   pass.has_changed = false;
   ir_for_each(shader, replace, &pass);
   return pass.has_changed;
}
