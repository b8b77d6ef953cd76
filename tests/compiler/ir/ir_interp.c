/* SPDX-License-Identifier: MIT
 * Executes the tree of regions recursively; a region's execution returns the jump that ended it, whose operands the
 * construct then reads. */
#include "tests/compiler/ir/ir_interp.h"

#include "compiler/ir/ir_eval.h"
#include "compiler/ir/ir_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct value {
   uint64_t c[4];
};

struct run {
   struct ir_interpreter *io;
   struct ir_shader *shader;
   struct value *values;           /* by index */
   struct ir_interp_buffer *vars;  /* by ir_var.index */
   uint64_t moment;                /* see ir_interpreter.trace */
};

static void fail(struct run *run, const char *error)
{
   if (!run->io->error)
      run->io->error = error;
}

static struct value *value_of(struct run *run, const struct ir_instr *instr)
{
   return &run->values[instr->index];
}

static uint64_t src(struct run *run, const struct ir_instr *instr, uint32_t index)
{
   return value_of(run, instr->srcs[index])->c[0];
}

static void trace(struct run *run, const struct ir_instr *value)
{
   if (run->io->trace && value->num_components == 1)
      run->io->trace(run->io->trace_data, value, run->moment, value_of(run, value)->c[0]);
}

/* ---- memory ---- */

static uint32_t component_bytes(uint32_t bit_size)
{
   return bit_size == 1 ? 4 : bit_size / 8;
}

static uint8_t *at(const struct ir_interp_buffer *memory, uint64_t offset, uint32_t bytes)
{
   const bool is_inside = memory && offset <= memory->size_bytes && bytes <= memory->size_bytes - offset;
   return is_inside ? memory->bytes + offset : NULL;
}

static void load(struct run *run, const struct ir_instr *instr, const struct ir_interp_buffer *memory, uint64_t offset)
{
   const uint32_t bytes = component_bytes(instr->bit_size);
   for (uint32_t i = 0; i < instr->num_components; i++) {
      uint64_t value = 0;
      const uint8_t *from = at(memory, offset + (uint64_t)i * bytes, bytes);
      if (from)
         memcpy(&value, from, bytes);
      value_of(run, instr)->c[i] = ir_mask_bits(value, instr->bit_size);
   }
}

static void store(struct run *run, const struct ir_instr *value, uint32_t mask, const struct ir_interp_buffer *memory,
                  uint64_t offset)
{
   const uint32_t bytes = component_bytes(value->bit_size);
   for (uint32_t i = 0; i < value->num_components; i++) {
      uint8_t *to = at(memory, offset + (uint64_t)i * bytes, bytes);
      if (to && mask >> i & 1)
         memcpy(to, &value_of(run, value)->c[i], bytes);
   }
}

static uint64_t atomic_result(enum abi_atomic op, uint32_t bits, uint64_t old, uint64_t data, uint64_t compare)
{
   const int64_t a = ir_sign_extend(old, bits), b = ir_sign_extend(data, bits);
   const double x = ir_float_to_double(old, bits < 16 ? 32 : bits), y = ir_float_to_double(data, bits < 16 ? 32 : bits);
   switch (op) {
   case ABI_ATOMIC_IADD: return old + data;
   case ABI_ATOMIC_IMUL: return old * data;
   case ABI_ATOMIC_IMIN: return a < b ? old : data;
   case ABI_ATOMIC_IMAX: return a > b ? old : data;
   case ABI_ATOMIC_UMIN: return old < data ? old : data;
   case ABI_ATOMIC_UMAX: return old > data ? old : data;
   case ABI_ATOMIC_AND: return old & data;
   case ABI_ATOMIC_OR: return old | data;
   case ABI_ATOMIC_XOR: return old ^ data;
   case ABI_ATOMIC_XCHG: return data;
   case ABI_ATOMIC_CMPXCHG: return old == compare ? data : old;
   case ABI_ATOMIC_FADD: return ir_float_from_double(x + y, bits); /* for 16 and 32 bits two roundings do no harm */
   case ABI_ATOMIC_FMUL: return ir_float_from_double(x * y, bits);
   case ABI_ATOMIC_FMIN: return isnan(x) || y < x ? data : old;
   case ABI_ATOMIC_FMAX: return isnan(x) || y > x ? data : old;
   }
   return old;
}

static void atomic(struct run *run, const struct ir_instr *instr, const struct ir_interp_buffer *memory,
                   uint64_t offset, uint32_t data_src)
{
   const uint32_t bytes = component_bytes(instr->bit_size);
   uint8_t *ptr = at(memory, offset, bytes);
   uint64_t old = 0;
   if (ptr) {
      memcpy(&old, ptr, bytes);
      const uint64_t compare = instr->num_srcs > data_src + 1 ? src(run, instr, data_src + 1) : 0;
      const uint64_t result = atomic_result(instr->imm.u[0], instr->bit_size, old, src(run, instr, data_src), compare);
      memcpy(ptr, &result, bytes);
   }
   value_of(run, instr)->c[0] = old;
}

/* The buffer behind an address, and the offset in it; NULL for an address of nothing. */
static const struct ir_interp_buffer *behind(struct run *run, uint64_t address, uint64_t *offset)
{
   const uint64_t number = address >> 40;
   *offset = address & ((UINT64_C(1) << 40) - 1);
   return number >= 1 && number <= IR_INTERP_MAX_BUFFERS ? &run->io->buffers[number - 1] : NULL;
}

/* Source 0 is the address, 1 the size, 2 the offset. */
static struct ir_interp_buffer bounded(struct run *run, const struct ir_instr *instr)
{
   uint64_t start;
   const struct ir_interp_buffer *buffer = behind(run, src(run, instr, 0), &start);
   const uint64_t size = src(run, instr, 1);
   if (!buffer || start > buffer->size_bytes)
      return (struct ir_interp_buffer){0};
   return (struct ir_interp_buffer){buffer->bytes + start, (uint32_t)UTIL_MIN(size, buffer->size_bytes - start)};
}

static bool execute_memory(struct run *run, const struct ir_instr *instr)
{
   struct ir_interp_buffer memory;
   uint64_t offset = 0;
   const struct ir_interp_buffer *buffer;
   switch ((enum ir_op)instr->op) {
   case IR_load_buffer:
      memory = bounded(run, instr);
      load(run, instr, &memory, src(run, instr, 2));
      return true;
   case IR_store_buffer:
      memory = bounded(run, instr);
      store(run, instr->srcs[3], instr->imm.u[2], &memory, src(run, instr, 2));
      return true;
   case IR_atomic_buffer:
      memory = bounded(run, instr);
      atomic(run, instr, &memory, src(run, instr, 2), 3);
      return true;
   case IR_load_global:
      buffer = behind(run, src(run, instr, 0), &offset);
      load(run, instr, buffer, offset);
      return true;
   case IR_store_global:
      buffer = behind(run, src(run, instr, 0), &offset);
      store(run, instr->srcs[1], instr->imm.u[2], buffer, offset);
      return true;
   case IR_atomic_global:
      buffer = behind(run, src(run, instr, 0), &offset);
      atomic(run, instr, buffer, offset, 1);
      return true;
   case IR_load_shared:
      load(run, instr, &run->io->shared, src(run, instr, 0));
      return true;
   case IR_store_shared:
      store(run, instr->srcs[1], instr->imm.u[2], &run->io->shared, src(run, instr, 0));
      return true;
   case IR_atomic_shared:
      atomic(run, instr, &run->io->shared, src(run, instr, 0), 1);
      return true;
   case IR_load_push:
      load(run, instr, &run->io->push, src(run, instr, 0));
      return true;
   case IR_load_var:
      load(run, instr, &run->vars[instr->imm.var.var->index], src(run, instr, 0));
      return true;
   case IR_store_var:
      store(run, instr->srcs[1], instr->imm.var.mask, &run->vars[instr->imm.var.var->index], src(run, instr, 0));
      return true;
   default:
      return false;
   }
}

/* ---- values ---- */

double ir_interp_libm(enum ir_op op, double x, double y)
{
   switch (op) {
   case IR_fmod: return fmod(x, y) + (fmod(x, y) != 0.0 && (fmod(x, y) < 0.0) != (y < 0.0) ? y : 0.0);
   case IR_frem: return fmod(x, y);
   case IR_fexp2: return exp2(x);
   case IR_flog2: return log2(x);
   case IR_fexp: return exp(x);
   case IR_flog: return log(x);
   case IR_fpow: return pow(x, y);
   case IR_fsin: return sin(x);
   case IR_fcos: return cos(x);
   case IR_ftan: return tan(x);
   case IR_fasin: return asin(x);
   case IR_facos: return acos(x);
   case IR_fatan: return atan(x);
   case IR_fatan2: return atan2(x, y);
   case IR_fsinh: return sinh(x);
   case IR_fcosh: return cosh(x);
   case IR_ftanh: return tanh(x);
   case IR_fasinh: return asinh(x);
   case IR_facosh: return acosh(x);
   default: return atanh(x);
   }
}

static void execute_alu(struct run *run, const struct ir_instr *instr)
{
   uint64_t srcs[8] = {0}, result = 0;
   for (uint32_t i = 0; i < instr->num_srcs && i < 8; i++)
      srcs[i] = src(run, instr, i);
   if (instr->op == IR_fldexp) {
      const int exponent = (int)ir_sign_extend(srcs[1], 32);
      const double x = ir_float_to_double(srcs[0], instr->bit_size);
      result = ir_float_from_double(ldexp(x, UTIL_CLAMP(exponent, -3000, 3000)), instr->bit_size);
   } else if (!ir_eval(instr, srcs, &result)) {
      const uint32_t bits = instr->srcs[0]->bit_size;
      const double y = instr->num_srcs > 1 ? ir_float_to_double(srcs[1], bits) : 0.0;
      result = ir_float_from_double(ir_interp_libm(instr->op, ir_float_to_double(srcs[0], bits), y), instr->bit_size);
   }
   value_of(run, instr)->c[0] = result;
}

/* With one lane: everybody is everybody. */
static bool execute_cross(struct run *run, const struct ir_instr *instr)
{
   struct value *value = value_of(run, instr);
   switch ((enum ir_op)instr->op) {
   case IR_vote_any:
   case IR_vote_all:
   case IR_ballot:
   case IR_read_first:
   case IR_shuffle:
      *value = *value_of(run, instr->srcs[0]);
      return true;
   case IR_reduce:
      *value = *value_of(run, instr->srcs[0]);
      if (instr->imm.u[1] == 2)
         fail(run, "exclusive scans are not interpreted");
      return true;
   case IR_reduce_part:
      *value = *value_of(run, instr->srcs[0]);
      if (instr->imm.u[1] == 2)
         fail(run, "exclusive scans are not interpreted");
      return true;
   case IR_vote_eq:
   case IR_elect:
   case IR_match:
   case IR_quad_lanes:
      value->c[0] = 1;
      return true;
   case IR_ddx:
   case IR_ddy:
   case IR_is_helper:
      value->c[0] = 0;
      return true;
   case IR_barrier:
      return true;
   default:
      return false;
   }
}

static void execute_value(struct run *run, const struct ir_instr *instr)
{
   struct value *value = value_of(run, instr);
   uint64_t number;
   switch ((enum ir_op)instr->op) {
   case IR_const:
      memcpy(value->c, instr->imm.c, sizeof(value->c));
      return;
   case IR_undef:
      *value = (struct value){0};
      return;
   case IR_vec:
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         value->c[i] = src(run, instr, i);
      return;
   case IR_extract:
      value->c[0] = value_of(run, instr->srcs[0])->c[instr->imm.u[0]];
      return;
   case IR_sysval:
      for (uint32_t i = 0; i < instr->num_components; i++)
         value->c[i] = ir_mask_bits(run->io->sysvals[instr->imm.u[0]][i], instr->bit_size);
      return;
   case IR_load_input:
   case IR_interp:
      value->c[0] = run->io->inputs[instr->imm.u[0]];
      return;
   case IR_store_output:
      run->io->outputs[instr->imm.u[0]] = src(run, instr, 0);
      return;
   case IR_buffer_addr:
      number = instr->imm.u[1] + src(run, instr, 0);
      value->c[0] = number < IR_INTERP_MAX_BUFFERS ? ir_interp_address((uint32_t)number, 0) : 0;
      return;
   case IR_buffer_size:
      number = instr->imm.u[1] + src(run, instr, 0);
      value->c[0] = number < IR_INTERP_MAX_BUFFERS ? run->io->buffers[number].size_bytes : 0;
      return;
   case IR_demote:
      run->io->is_demoted |= src(run, instr, 0);
      return;
   case IR_clock:
      value->c[0] = run->io->num_steps;
      return;
   default:
      if (execute_memory(run, instr) || execute_cross(run, instr))
         return;
      if ((ir_info(instr)->flags & (IR_PURE | IR_SCALAR)) == (IR_PURE | IR_SCALAR))
         execute_alu(run, instr);
      else
         fail(run, "an operation that is not interpreted");
   }
}

/* ---- structure ---- */

static const struct ir_instr *execute_region(struct run *run, const struct ir_region *region);

/* All operands are read before the first target is written: a loop's params may feed each other. */
static void pass_operands(struct run *run, const struct ir_instr *jump, struct ir_instr *const *targets, uint32_t count)
{
   struct value few[16], *values = count <= 16 ? few : calloc(count, sizeof(*values));
   if (!values) {
      fail(run, "out of memory");
      return;
   }
   for (uint32_t i = 0; i < count; i++)
      values[i] = *value_of(run, jump->srcs[i]);
   for (uint32_t i = 0; i < count; i++) {
      *value_of(run, targets[i]) = values[i];
      trace(run, targets[i]);
   }
   if (values != few)
      free(values);
}

static const struct ir_instr *execute_loop(struct run *run, const struct ir_instr *loop)
{
   const struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   const struct ir_instr *jump = loop;
   const uint64_t outer = run->moment;
   for (uint64_t round = 1;; round++) {
      run->moment = ir_mix(ir_mix(outer + loop->index) + round);
      pass_operands(run, jump, body->params, body->num_params);
      jump = execute_region(run, body);
      if (!jump || jump->op != IR_continue || jump->imm.cf.target != loop)
         return jump;
      pass_operands(run, jump, cont->params, cont->num_params);
      jump = execute_region(run, cont);
      if (!jump || jump->op != IR_yield)
         return jump;
   }
}

/* NULL if what follows the construct is next, else the jump that leaves further. */
static const struct ir_instr *execute_construct(struct run *run, const struct ir_instr *instr)
{
   const uint64_t moment = run->moment;
   const struct ir_instr *jump;
   if (instr->op == IR_loop)
      jump = execute_loop(run, instr);
   else
      jump = execute_region(run, instr->imm.cf.regions[instr->op == IR_if && !src(run, instr, 0)]);
   run->moment = moment;
   if (!jump)
      return NULL;
   const bool is_own = jump->op == IR_yield || (jump->op == IR_break && jump->imm.cf.target == instr);
   if (!is_own)
      return jump;
   pass_operands(run, jump, instr->imm.cf.results, instr->imm.cf.num_results);
   return NULL;
}

/* The jump that ended it; NULL after an error. */
static const struct ir_instr *execute_region(struct run *run, const struct ir_region *region)
{
   IR_FOR_EACH(it, region) {
      const struct ir_instr *jump = NULL;
      if (++run->io->num_steps > run->io->max_steps)
         fail(run, "too many steps");
      if (run->io->error)
         return NULL;
      if (ir_is_jump(it))
         return it;
      if (ir_is_construct(it))
         jump = execute_construct(run, it);
      else if (it->op != IR_result) {
         execute_value(run, it);
         trace(run, it);
      }
      if (jump)
         return jump;
   }
   fail(run, "a region without a jump");
   return NULL;
}

static void allocate(struct run *run)
{
   run->values = calloc(UTIL_MAX(ir_shader_renumber(run->shader), 1u), sizeof(*run->values));
   run->vars = calloc(UTIL_MAX(run->shader->num_vars, 1u), sizeof(*run->vars));
   if (!run->values || !run->vars) {
      fail(run, "out of memory");
      return;
   }
   UTIL_LIST_FOR_EACH(struct ir_var, var, &run->shader->vars, link) {
      uint8_t *bytes = calloc(UTIL_MAX(var->size_bytes, 1u), 1);
      if (!bytes)
         fail(run, "out of memory");
      run->vars[var->index] = (struct ir_interp_buffer){bytes, bytes ? var->size_bytes : 0};
   }
}

bool ir_interp_run(struct ir_interpreter *interp, struct ir_shader *shader)
{
   struct run run = {.io = interp, .shader = shader};
   interp->error = NULL;
   interp->num_steps = 0;
   interp->max_steps = interp->max_steps ? interp->max_steps : 1000000;
   allocate(&run);
   if (!interp->error)
      execute_region(&run, shader->body);
   for (uint32_t i = 0; run.vars && i < shader->num_vars; i++)
      free(run.vars[i].bytes);
   free(run.vars);
   free(run.values);
   return !interp->error;
}
