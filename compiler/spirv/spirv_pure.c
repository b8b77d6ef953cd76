/* SPDX-License-Identifier: MIT
 * Functions that are calls. All functions are inlined; where that would be very many instructions, functions that are formulas of numbers are routines
 * instead: of one block, whose instructions take and give 32-bit integers alone, or floats alone, and whose results nothing but their arguments decides.
 * A module's own size says whether, for all calls of a function alike. Products and sums are contracted within a function, not across its border.
 * Spec: SPIR-V, "Function Instructions". */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/spirv_cfg.h"

enum {
   MAX_INLINED = 1 << 15, /* instructions of a shader, from which on functions are called */
   LEAST_INSTRUCTIONS = 12,
   MAX_ARGS = IR_MAX_COMPONENTS, /* components of all arguments */
};

static bool is_between(uint32_t op, uint32_t first, uint32_t last)
{
   return op >= first && op <= last;
}

/* Of integers: nothing sees the bits of a float. */
static bool is_of_integers(uint32_t op)
{
   switch (op) {
   case SpvOpSNegate: case SpvOpIAdd: case SpvOpISub: case SpvOpIMul:
   case SpvOpUDiv: case SpvOpSDiv: case SpvOpUMod: case SpvOpSRem: case SpvOpSMod:
      return true;
   default:
      return is_between(op, SpvOpIEqual, SpvOpSLessThanEqual) || is_between(op, SpvOpShiftRightLogical, SpvOpBitCount);
   }
}

static bool is_of_floats(uint32_t op)
{
   switch (op) {
   case SpvOpFNegate: case SpvOpFAdd: case SpvOpFSub: case SpvOpFMul: case SpvOpFDiv:
   case SpvOpFRem: case SpvOpFMod: case SpvOpVectorTimesScalar: case SpvOpDot:
      return true;
   default:
      return is_between(op, SpvOpFOrdEqual, SpvOpFUnordGreaterThanEqual);
   }
}

static bool is_of_any(uint32_t op)
{
   switch (op) {
   case SpvOpLine: case SpvOpNoLine: case SpvOpCompositeConstruct: case SpvOpCompositeExtract: case SpvOpVectorShuffle: case SpvOpSelect:
      return true;
   default:
      return is_between(op, SpvOpLogicalEqual, SpvOpLogicalNot);
   }
}

/* Components of a 32-bit number or a vector of such of that class; 0: it is none. */
static uint32_t num_numbers(const struct spirv_type *type, enum spirv_type_class class)
{
   const bool is_vector = type->class == SPIRV_TYPE_VECTOR;
   const struct spirv_type *scalar = is_vector ? type->elem : type;
   return scalar->class == class && scalar->bits == 32 ? is_vector ? type->count : 1 : 0;
}

static bool has_numbers(struct spirv_ctx *t, const struct spirv_function *function, struct spirv_val *const *args, enum spirv_type_class class)
{
   uint32_t total = 0;
   for (uint32_t i = 0; i < function->num_params; i++) {
      const uint32_t count = num_numbers(args[i]->type, class);
      if (!count)
         return false;
      total += count;
   }
   const uint32_t count = num_numbers(function->return_type, class);
   return total && total <= MAX_ARGS && count && count <= IR_MAX_COMPONENTS;
}

static bool is_formula(struct spirv_ctx *t, const struct spirv_function *function, enum spirv_type_class class)
{
   const struct spirv_block *block = function->blocks[0];
   for (size_t offset = block->first;;) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      if (in.words == block->terminator.words)
         return true;
      if (!is_of_any(in.op) && !(class == SPIRV_TYPE_FLOAT ? is_of_floats(in.op) : is_of_integers(in.op)))
         return false;
      offset += in.count;
   }
}

/* The class of its numbers; SPIRV_TYPE_VOID: it is inlined. */
static enum spirv_type_class find_class(struct spirv_ctx *t, const struct spirv_function *function, struct spirv_val *const *args)
{
   static const enum spirv_type_class found[] = {SPIRV_TYPE_INT, SPIRV_TYPE_FLOAT};
   const bool is_candidate = t->inlined_size > MAX_INLINED && !t->shader->checks && !t->chains && function->num_blocks == 1 && !function->is_active &&
                             function->num_instructions >= LEAST_INSTRUCTIONS && function->blocks[0]->terminator.op == SpvOpReturnValue;
   for (uint32_t i = 0; is_candidate && i < UTIL_ARRAY_SIZE(found); i++) {
      if (has_numbers(t, function, args, found[i]) && is_formula(t, function, found[i]))
         return found[i];
   }
   return SPIRV_TYPE_VOID;
}

static uint16_t make_routine(struct spirv_ctx *t, struct spirv_function *function, struct spirv_val *const *args, spirv_write_instruction *write)
{
   const struct ir_builder saved = t->b;
   struct ir_shader *code = ir_routine_create(t->shader, &t->b);
   const struct spirv_block *block = function->blocks[0];
   uint32_t index = 0;
   for (uint32_t i = 0; i < function->num_params; i++) {
      struct ir_instr *comps[MAX_ARGS];
      const uint32_t count = spirv_leaf_count(t, args[i]->type);
      for (uint32_t c = 0; c < count; c++)
         comps[c] = ir_routine_operand(&t->b, index++, 32);
      spirv_set_value(t, function->params[i], spirv_new_leaf(t, args[i]->type, comps));
   }
   for (size_t offset = block->first;;) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      if (in.words == block->terminator.words)
         break;
      write(t, &in);
      offset += in.count;
   }
   struct ir_instr *const *results = spirv_comps(t, spirv_value(t, spirv_word(t, &block->terminator, 1)));
   for (uint32_t c = 0; c < spirv_leaf_count(t, function->return_type); c++)
      ir_routine_result(&t->b, c, results[c]);
   ir_routine_end(&t->b);
   t->b = saved;
   return ir_routine_add(t->shader, &(struct ir_routine){.code = code, .size = function->num_instructions, .is_from_spirv = true, .is_function = true});
}

struct spirv_val *spirv_call_routine(struct spirv_ctx *t, struct spirv_function *function, struct spirv_val *const *args, spirv_write_instruction *write)
{
   const enum spirv_type_class class = find_class(t, function, args);
   if (class == SPIRV_TYPE_VOID)
      return NULL;
   if (!function->routine)
      function->routine = make_routine(t, function, args, write);
   if (!function->routine)
      return NULL; /* there are too many */
   struct ir_instr *operands[MAX_ARGS], *results[IR_MAX_COMPONENTS];
   const uint32_t num_results = spirv_leaf_count(t, function->return_type);
   uint32_t num_operands = 0;
   for (uint32_t i = 0; i < function->num_params; i++) {
      struct ir_instr *const *comps = spirv_comps(t, args[i]);
      for (uint32_t c = 0; c < spirv_leaf_count(t, args[i]->type); c++)
         operands[num_operands++] = comps[c];
   }
   struct ir_instr *call = ir_emit(&t->b, IR_call, num_results, 32, num_operands, operands);
   call->imm.u[0] = function->routine;
   call->imm.u[1] = class == SPIRV_TYPE_INT;
   for (uint32_t i = 0; i < num_results; i++)
      results[i] = ir_extract(&t->b, call, i);
   return spirv_new_leaf(t, function->return_type, results);
}
