/* SPDX-License-Identifier: MIT
 * A slow and plain interpreter of one invocation. */
#include "tests/compiler/spirv/ir_run.h"

#include "compiler/ir/ir_copy.h"
#include "compiler/ir/ir_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 1 << 24 };

struct flow {
   enum { NEXT, YIELD, BREAK, CONTINUE, STOP } class;
   const struct ir_instr *jump;
};

static struct flow run_region(struct ir_run *run, const struct ir_region *region);

static uint64_t src(struct ir_run *run, const struct ir_instr *instr, uint32_t index, uint32_t component)
{
   return run->values[instr->srcs[index]->index][component];
}

/* ---- memory ---- */

static uint64_t load_bits(const uint8_t *memory, uint64_t size, uint64_t offset, uint32_t bits)
{
   uint64_t value = 0;
   if (offset <= size && bits / 8 <= size - offset)
      memcpy(&value, memory + offset, bits / 8);
   return value;
}

static void store_bits(uint8_t *memory, uint64_t size, uint64_t offset, uint32_t bits, uint64_t value)
{
   if (offset <= size && bits / 8 <= size - offset)
      memcpy(memory + offset, &value, bits / 8);
}

struct location {
   uint8_t *memory;
   uint64_t size, offset;
   uint32_t data; /* first source after the location */
};

static struct location location_of(struct ir_run *run, const struct ir_instr *instr)
{
   switch (instr->op) {
   case IR_load_buffer:
   case IR_store_buffer:
   case IR_atomic_buffer:
      return (struct location){(uint8_t *)(uintptr_t)src(run, instr, 0, 0), src(run, instr, 1, 0), src(run, instr, 2, 0),
                            3};
   case IR_load_global:
   case IR_store_global:
   case IR_atomic_global:
      return (struct location){(uint8_t *)(uintptr_t)src(run, instr, 0, 0), UINT64_MAX, 0, 1};
   case IR_load_push:
      return (struct location){run->push, sizeof(run->push), src(run, instr, 0, 0), 1};
   case IR_load_var:
   case IR_store_var:
      return (struct location){run->vars[instr->imm.var.var->index], instr->imm.var.var->size_bytes, src(run, instr, 0, 0),
                            1};
   default:
      return (struct location){run->shared, run->shader->info.shared_bytes, src(run, instr, 0, 0), 1};
   }
}

static void load(struct ir_run *run, const struct ir_instr *instr)
{
   const struct location p = location_of(run, instr);
   for (uint32_t c = 0; c < instr->num_components; c++)
      run->values[instr->index][c] = load_bits(p.memory, p.size, p.offset + c * instr->bit_size / 8, instr->bit_size);
}

static void store(struct ir_run *run, const struct ir_instr *instr)
{
   const struct location p = location_of(run, instr);
   const struct ir_instr *value = instr->srcs[p.data];
   for (uint32_t c = 0; c < value->num_components; c++)
      store_bits(p.memory, p.size, p.offset + c * value->bit_size / 8, value->bit_size, src(run, instr, p.data, c));
}

static bool atomic(struct ir_run *run, const struct ir_instr *instr)
{
   const struct location p = location_of(run, instr);
   const uint64_t data = src(run, instr, p.data, 0), old = load_bits(p.memory, p.size, p.offset, instr->bit_size);
   const int64_t x = ir_sign_extend(old, instr->bit_size), y = ir_sign_extend(data, instr->bit_size);
   uint64_t value;
   switch (instr->imm.u[0]) {
   case ABI_ATOMIC_IADD: value = old + data; break;
   case ABI_ATOMIC_IMIN: value = x < y ? old : data; break;
   case ABI_ATOMIC_IMAX: value = x > y ? old : data; break;
   case ABI_ATOMIC_UMIN: value = old < data ? old : data; break;
   case ABI_ATOMIC_UMAX: value = old > data ? old : data; break;
   case ABI_ATOMIC_AND: value = old & data; break;
   case ABI_ATOMIC_OR: value = old | data; break;
   case ABI_ATOMIC_XOR: value = old ^ data; break;
   case ABI_ATOMIC_XCHG: value = data; break;
   case ABI_ATOMIC_FADD:
      value = ir_float_from_double(ir_float_to_double(old, instr->bit_size) + ir_float_to_double(data, instr->bit_size), instr->bit_size);
      break;
   case ABI_ATOMIC_CMPXCHG: value = old == src(run, instr, p.data + 1, 0) ? data : old; break;
   default: return false;
   }
   store_bits(p.memory, p.size, p.offset, instr->bit_size, value);
   run->values[instr->index][0] = old;
   return true;
}

/* ---- arithmetic ---- */

/* Functions that have no exact result: near enough for a test. */
static bool transcendental(struct ir_run *run, const struct ir_instr *instr)
{
   const uint32_t bits = instr->srcs[0]->bit_size;
   const double x = ir_float_to_double(src(run, instr, 0, 0), bits);
   const double y = instr->num_srcs > 1 ? ir_float_to_double(src(run, instr, 1, 0), bits) : 0;
   double result;
   int exponent;
   switch (instr->op) {
   case IR_fmod: result = x - y * floor(x / y); break;
   case IR_frem: result = fmod(x, y); break;
   case IR_fexp2: result = exp2(x); break;
   case IR_flog2: result = log2(x); break;
   case IR_fexp: result = exp(x); break;
   case IR_flog: result = log(x); break;
   case IR_fpow: result = pow(x, y); break;
   case IR_fsin: result = sin(x); break;
   case IR_fcos: result = cos(x); break;
   case IR_ftan: result = tan(x); break;
   case IR_fasin: result = asin(x); break;
   case IR_facos: result = acos(x); break;
   case IR_fatan: result = atan(x); break;
   case IR_fatan2: result = atan2(x, y); break;
   case IR_fsinh: result = sinh(x); break;
   case IR_fcosh: result = cosh(x); break;
   case IR_ftanh: result = tanh(x); break;
   case IR_fasinh: result = asinh(x); break;
   case IR_facosh: result = acosh(x); break;
   case IR_fatanh: result = atanh(x); break;
   case IR_fldexp: result = ldexp(x, (int32_t)src(run, instr, 1, 0)); break;
   case IR_ffrexp_sig: result = frexp(x, &exponent); break;
   case IR_ffrexp_exp:
      frexp(x, &exponent);
      run->values[instr->index][0] = (uint32_t)exponent;
      return true;
   default: return false;
   }
   run->values[instr->index][0] = ir_float_from_double(result, bits);
   return true;
}

static bool arithmetic(struct ir_run *run, const struct ir_instr *instr)
{
   uint64_t srcs[8];
   if (instr->num_srcs > 8)
      return false;
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      srcs[i] = src(run, instr, i, 0);
   return ir_eval(instr, srcs, &run->values[instr->index][0]) || transcendental(run, instr);
}

/* ---- control flow ---- */

static void pass_values(struct ir_run *run, const struct ir_instr *from, struct ir_instr *const *to, uint32_t count)
{
   uint64_t(*copy)[4] = malloc(sizeof(*copy) * (count + 1));
   for (uint32_t i = 0; i < count; i++)
      memcpy(copy[i], run->values[from->srcs[i]->index], sizeof(copy[i]));
   for (uint32_t i = 0; i < count; i++)
      memcpy(run->values[to[i]->index], copy[i], sizeof(copy[i]));
   free(copy);
}

static struct flow leave(struct ir_run *run, const struct ir_instr *instr, struct flow flow)
{
   if (flow.class == YIELD || (flow.class == BREAK && flow.jump->imm.cf.target == instr)) {
      pass_values(run, flow.jump, instr->imm.cf.results, instr->imm.cf.num_results);
      return (struct flow){NEXT, NULL};
   }
   return flow;
}

static struct flow run_loop(struct ir_run *run, const struct ir_instr *loop)
{
   const struct ir_region *body = loop->imm.cf.regions[0], *cont = loop->imm.cf.regions[1];
   pass_values(run, loop, body->params, body->num_params);
   for (;;) {
      struct flow flow = run_region(run, body);
      if (flow.class != CONTINUE || flow.jump->imm.cf.target != loop)
         return leave(run, loop, flow);
      pass_values(run, flow.jump, cont->params, cont->num_params);
      flow = run_region(run, cont);
      if (flow.class != YIELD)
         return leave(run, loop, flow);
      pass_values(run, flow.jump, body->params, body->num_params);
   }
}

static struct flow stop(struct ir_run *run, const struct ir_instr *instr, const char *why)
{
   run->error = why ? why : ir_info(instr)->name;
   return (struct flow){STOP, NULL};
}

static struct flow run_instr(struct ir_run *run, const struct ir_instr *instr)
{
   uint64_t *result = run->values[instr->index];
   const struct flow next = {NEXT, NULL};
   if (++run->steps > MAX_STEPS)
      return stop(run, instr, "does not end");
   switch (instr->op) {
   case IR_const: memcpy(result, instr->imm.c, sizeof(instr->imm.c)); return next;
   case IR_undef: memset(result, 0, sizeof(*run->values)); return next;
   case IR_vec:
      for (uint32_t i = 0; i < instr->num_srcs; i++)
         result[i] = src(run, instr, i, 0);
      return next;
   case IR_extract: result[0] = src(run, instr, 0, instr->imm.u[0]); return next;
   case IR_result:
   case IR_barrier: return next;
   case IR_buffer_addr: result[0] = (uintptr_t)run->buffers[(instr->imm.u[1] + src(run, instr, 0, 0)) % 8]; return next;
   case IR_buffer_size: result[0] = run->sizes[(instr->imm.u[1] + src(run, instr, 0, 0)) % 8]; return next;
   case IR_load_buffer:
   case IR_load_global:
   case IR_load_shared:
   case IR_load_push:
   case IR_load_var: load(run, instr); return next;
   case IR_store_buffer:
   case IR_store_global:
   case IR_store_shared:
   case IR_store_var: store(run, instr); return next;
   case IR_atomic_buffer:
   case IR_atomic_global:
   case IR_atomic_shared: return atomic(run, instr) ? next : stop(run, instr, NULL);
   case IR_sysval:
      for (uint32_t c = 0; c < instr->num_components; c++)
         result[c] = run->sysvals[instr->imm.u[0]][c];
      return next;
   case IR_load_input:
   case IR_interp: result[0] = run->inputs[instr->imm.u[0]]; return next;
   case IR_store_output: run->outputs[instr->imm.u[0]] = (uint32_t)src(run, instr, 0, 0); return next;
   case IR_demote: run->is_demoted |= src(run, instr, 0, 0) != 0; return next;
   case IR_if: return leave(run, instr, run_region(run, instr->imm.cf.regions[src(run, instr, 0, 0) ? 0 : 1]));
   case IR_block: return leave(run, instr, run_region(run, instr->imm.cf.regions[0]));
   case IR_loop: return run_loop(run, instr);
   case IR_yield: return (struct flow){YIELD, instr};
   case IR_break: return (struct flow){BREAK, instr};
   case IR_continue: return (struct flow){CONTINUE, instr};
   default: return arithmetic(run, instr) ? next : stop(run, instr, NULL);
   }
}

static struct flow run_region(struct ir_run *run, const struct ir_region *region)
{
   IR_FOR_EACH(it, region) {
      const struct flow flow = run_instr(run, it);
      if (flow.class != NEXT)
         return flow;
   }
   return stop(run, NULL, "a region has no end");
}

static void expand_copy(struct ir_instr *instr, void *data)
{
   if (instr->op == IR_copy)
      ir_copy_expand(data, instr);
}

bool ir_run_shader(struct ir_run *run, struct ir_shader *shader)
{
   ir_for_each(shader, expand_copy, shader);
   const uint32_t num_values = ir_shader_renumber(shader);
   run->shader = shader;
   run->steps = 0;
   run->error = NULL;
   run->values = calloc(num_values + 1, sizeof(*run->values));
   run->vars = calloc(shader->num_vars + 1, sizeof(*run->vars));
   run->shared = calloc(shader->info.shared_bytes + 1, 1);
   UTIL_LIST_FOR_EACH(struct ir_var, var, &shader->vars, link)
      run->vars[var->index] = calloc(var->size_bytes, 1);

   const struct flow flow = run_region(run, shader->body);

   for (uint32_t i = 0; i < shader->num_vars; i++)
      free(run->vars[i]);
   free(run->vars);
   free(run->shared);
   free(run->values);
   return flow.class == YIELD;
}
