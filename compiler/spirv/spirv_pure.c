/* SPDX-License-Identifier: MIT
 * Functions that are calls. All functions are inlined; where that would be very many instructions, functions of numbers are routines instead: which write
 * no memory but their own variables and those of the caller that pointers name. What such a pointer names is an argument and a result. A module's own size
 * says whether, for all calls of a function alike. Those that have loops or read buffers, push constants or shared memory are called in order.
 * Products and sums are contracted within a function, not across its border.
 * Spec: SPIR-V, "Function Instructions". */
#include "compiler/spirv/instructions/spirv_instructions.h"
#include "compiler/spirv/memory/spirv_heap.h"
#include "compiler/spirv/spirv_cfg.h"
#include "util/debug.h"

#include <spirv/unified1/GLSL.std.450.h>

enum {
   MAX_INLINED = 1 << 15, /* instructions of a shader, from which on functions are called */
   LEAST_INSTRUCTIONS = 12,
   MAX_ARGS = IR_MAX_COMPONENTS, /* components of all arguments, of all results */
};

/* What instructions take and give: 32-bit integers alone, or floats alone, whose bits nobody sees; or any. */
enum numbers { INLINED, OF_INTEGERS, OF_FLOATS, OF_ANY };

enum { NOT_KNOWN, IS_PURE, IS_ORDERED, IS_NOT_PURE }; /* in spirv_function.purity, from which on instructions only add; ordered: it reads memory or has loops */

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

/* Beside those above. */
static bool is_of_any_numbers(uint32_t op)
{
   switch (op) {
   case SpvOpNop: case SpvOpUndef: case SpvOpPhi: case SpvOpLabel: case SpvOpSelectionMerge: case SpvOpBranch: case SpvOpBranchConditional:
   case SpvOpSwitch: case SpvOpReturn: case SpvOpReturnValue: case SpvOpCompositeInsert: case SpvOpCopyObject: case SpvOpVectorExtractDynamic:
   case SpvOpVectorInsertDynamic: case SpvOpBitcast: case SpvOpAny: case SpvOpAll: case SpvOpIsNan: case SpvOpIsInf:
      return true;
   default:
      return is_of_integers(op) || is_of_floats(op) || is_of_any(op) || is_between(op, SpvOpConvertFToU, SpvOpQuantizeToF16);
   }
}

/* Not those of matrices, which may be calls themselves, of pointers and of inputs. */
static bool is_of_values(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t instruction = spirv_word(t, in, 4);
   const struct spirv_id *set = spirv_id(t, in->words[3]);
   return set->class == SPIRV_ID_EXT_SET && set->ext_set == SPIRV_EXT_GLSL && !is_between(instruction, GLSLstd450Determinant, GLSLstd450Modf) &&
          instruction != GLSLstd450Frexp && !is_between(instruction, GLSLstd450InterpolateAtCentroid, GLSLstd450InterpolateAtOffset);
}

static const struct spirv_type *pointee(const struct spirv_type *type)
{
   return type->class == SPIRV_TYPE_POINTER && type->storage == SpvStorageClassFunction ? type->elem : NULL;
}

static bool is_scalar_or_vector(const struct spirv_type *type)
{
   const struct spirv_type *scalar = type->class == SPIRV_TYPE_VECTOR ? type->elem : type;
   return scalar->class == SPIRV_TYPE_BOOL || scalar->class == SPIRV_TYPE_INT || scalar->class == SPIRV_TYPE_FLOAT;
}

static const struct spirv_type *pointer_type(struct spirv_ctx *t, uint32_t id)
{
   const uint32_t type_id = spirv_id(t, id)->result_type;
   const struct spirv_type *type = type_id ? spirv_type(t, type_id) : NULL;
   return type && type->class == SPIRV_TYPE_POINTER ? type : NULL;
}

/* The id is a pointer to a scalar or vector of a function's variable. */
static bool is_to_own(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_type *type = pointer_type(t, id), *target = type ? pointee(type) : NULL;
   return target && is_scalar_or_vector(target);
}

/* The id is a pointer into memory that descriptors of the shader's sets name, its push constants or shared memory. */
static bool is_to_memory(struct spirv_ctx *t, uint32_t id)
{
   const struct spirv_id *record = spirv_id(t, id);
   const struct spirv_type *type = record->class == SPIRV_ID_VARIABLE ? record->variable->pointer_type : pointer_type(t, id);
   if (!type || spirv_has_heaps(t))
      return false;
   return type->storage == SpvStorageClassUniform || type->storage == SpvStorageClassStorageBuffer || type->storage == SpvStorageClassPushConstant ||
          type->storage == SpvStorageClassWorkgroup;
}

static uint8_t purity_of_load(struct spirv_ctx *t, const struct spirv_instr *in)
{
   const uint32_t pointer = spirv_word(t, in, 3);
   if (in->count != 4)
      return IS_NOT_PURE;
   if (is_to_own(t, pointer))
      return IS_PURE;
   return is_to_memory(t, pointer) && is_scalar_or_vector(spirv_type(t, in->words[1])) ? IS_ORDERED : IS_NOT_PURE;
}

static uint8_t purity_of(struct spirv_ctx *t, const struct spirv_instr *in)
{
   bool is_pure;
   switch (in->op) {
   case SpvOpLoopMerge: return IS_ORDERED;
   case SpvOpLoad: return purity_of_load(t, in);
   case SpvOpExtInst: is_pure = is_of_values(t, in); break;
   case SpvOpVariable: is_pure = is_to_own(t, spirv_word(t, in, 2)); break;
   case SpvOpAccessChain:
   case SpvOpInBoundsAccessChain:
      is_pure = (is_to_own(t, spirv_word(t, in, 2)) && is_to_own(t, spirv_word(t, in, 3))) || is_to_memory(t, spirv_word(t, in, 3));
      break;
   case SpvOpStore: is_pure = in->count == 3 && is_to_own(t, in->words[1]); break;
   default: is_pure = is_of_any_numbers(in->op); break;
   }
   return is_pure ? IS_PURE : IS_NOT_PURE;
}

static uint8_t find_purity(struct spirv_ctx *t, const struct spirv_function *function)
{
   uint8_t purity = IS_PURE;
   for (uint32_t i = 0; i < function->num_blocks && purity != IS_NOT_PURE; i++) {
      const struct spirv_block *block = function->blocks[i];
      for (size_t offset = block->first;;) {
         const struct spirv_instr in = spirv_instr_at(t, offset);
         purity = UTIL_MAX(purity, purity_of(t, &in));
         if (purity == IS_NOT_PURE || in.words == block->terminator.words)
            break;
         offset += in.count;
      }
   }
   return purity;
}

static bool is_pure(struct spirv_ctx *t, struct spirv_function *function)
{
   if (function->purity == NOT_KNOWN)
      function->purity = find_purity(t, function);
   return function->purity != IS_NOT_PURE;
}

/* Components of 32-bit numbers of a class, or of what is passed as such; 0: it is neither. */
static uint32_t num_numbers(const struct spirv_type *type, enum numbers class)
{
   const bool is_vector = type->class == SPIRV_TYPE_VECTOR;
   const struct spirv_type *scalar = is_vector ? type->elem : type;
   const bool is_int = scalar->class == SPIRV_TYPE_INT && scalar->bits == 32, is_float = scalar->class == SPIRV_TYPE_FLOAT && scalar->bits == 32;
   const bool fits = class == OF_INTEGERS ? is_int : class == OF_FLOATS ? is_float : is_int || is_float || scalar->class == SPIRV_TYPE_BOOL;
   return !fits ? 0 : is_vector ? type->count : 1;
}

/* The arguments are of the function's types, and no memory has two names. */
static bool are_apart(struct spirv_ctx *t, const struct spirv_function *function, struct spirv_val *const *args)
{
   for (uint32_t i = 0; i < function->num_params; i++) {
      if (args[i]->type != function->type->params[i])
         return false;
      const struct spirv_pointer *pointer = pointee(args[i]->type) ? spirv_val_pointer(t, args[i]) : NULL;
      if (pointer && pointer->class != SPIRV_PTR_VAR)
         return false;
      for (uint32_t other = 0; pointer && other < i; other++) {
         if (pointee(args[other]->type) && spirv_val_pointer(t, args[other])->var == pointer->var)
            return false;
      }
   }
   return true;
}

static bool has_numbers(const struct spirv_function *function, enum numbers class)
{
   const bool is_void = function->return_type->class == SPIRV_TYPE_VOID;
   const uint32_t returned = is_void ? 0 : num_numbers(function->return_type, class);
   uint32_t num_operands = 0, num_results = returned;
   for (uint32_t i = 0; i < function->num_params; i++) {
      const struct spirv_type *type = function->type->params[i], *target = class == OF_ANY ? pointee(type) : NULL;
      const uint32_t count = num_numbers(target ? target : type, class);
      if (!count)
         return false;
      num_operands += count;
      num_results += target ? count : 0;
   }
   return num_operands && num_operands <= MAX_ARGS && num_results && num_results <= MAX_ARGS && (returned || (is_void && class == OF_ANY));
}

static bool is_formula(struct spirv_ctx *t, const struct spirv_function *function, enum numbers class)
{
   const struct spirv_block *block = function->blocks[0];
   for (size_t offset = block->first;;) {
      const struct spirv_instr in = spirv_instr_at(t, offset);
      if (in.words == block->terminator.words)
         return true;
      if (!is_of_any(in.op) && !(class == OF_FLOATS ? is_of_floats(in.op) : is_of_integers(in.op)))
         return false;
      offset += in.count;
   }
}

static enum numbers find_class(struct spirv_ctx *t, struct spirv_function *function)
{
   static const enum numbers found[] = {OF_INTEGERS, OF_FLOATS};
   const bool calls_all = util_debug(UTIL_DEBUG_CALLS);
   if (ir_is_routine(t->shader) || t->shader->checks || t->chains || function->num_instructions < (calls_all ? 1 : LEAST_INSTRUCTIONS))
      return INLINED;
   const bool is_one_block = function->num_blocks == 1 && function->blocks[0]->terminator.op == SpvOpReturnValue;
   for (uint32_t i = 0; is_one_block && i < UTIL_ARRAY_SIZE(found); i++) {
      if (has_numbers(function, found[i]) && is_formula(t, function, found[i]))
         return found[i];
   }
   return has_numbers(function, OF_ANY) && is_pure(t, function) ? OF_ANY : INLINED;
}

bool spirv_may_be_routine(struct spirv_ctx *t, struct spirv_function *function)
{
   return find_class(t, function) != INLINED;
}

/* ---- calls ---- */

/* As words of 32 bits; how many. */
static uint32_t to_words(struct spirv_ctx *t, struct spirv_val *val, struct ir_instr **words)
{
   struct ir_instr *const *comps = spirv_comps(t, val);
   const uint32_t count = spirv_leaf_count(t, val->type);
   for (uint32_t c = 0; c < count; c++)
      words[c] = comps[c]->bit_size == 1 ? spirv_bool_to_u32(t, comps[c]) : comps[c];
   return count;
}

static struct spirv_val *from_words(struct spirv_ctx *t, const struct spirv_type *type, struct ir_instr *const *words)
{
   const uint32_t count = spirv_leaf_count(t, type);
   struct ir_instr **comps = spirv_new_comps(t, count);
   for (uint32_t c = 0; c < count; c++)
      comps[c] = spirv_leaf_bits(t, type, c) == 1 ? spirv_u32_to_bool(t, words[c]) : words[c];
   return spirv_new_leaf(t, type, comps);
}

static struct spirv_val *take_operand(struct spirv_ctx *t, const struct spirv_type *type, uint32_t *index)
{
   const struct spirv_type *target = pointee(type), *taken = target ? target : type;
   struct ir_instr *words[MAX_ARGS];
   for (uint32_t c = 0; c < spirv_leaf_count(t, taken); c++)
      words[c] = ir_routine_operand(&t->b, (*index)++, 32);
   struct spirv_val *val = from_words(t, taken, words);
   if (!target)
      return val;
   const struct spirv_pointer pointer = spirv_temp_pointer(t, target, "parameter");
   spirv_store(t, &pointer, val);
   return spirv_new_pointer(t, type, &pointer);
}

static void give_results(struct spirv_ctx *t, const struct spirv_function *function, struct spirv_val *const *params, struct spirv_val *returned)
{
   struct ir_instr *words[MAX_ARGS];
   if (returned && returned->type != function->return_type)
      spirv_fail(t, "function %u returns a value of another type", function->id);
   uint32_t count = returned ? to_words(t, returned, words) : 0;
   for (uint32_t i = 0; i < function->num_params; i++) {
      if (pointee(params[i]->type))
         count += to_words(t, spirv_load(t, spirv_val_pointer(t, params[i])), words + count);
   }
   for (uint32_t i = 0; i < count; i++)
      ir_routine_result(&t->b, i, words[i]);
}

static uint16_t make_routine(struct spirv_ctx *t, struct spirv_function *function, struct spirv_val *const *args, enum numbers class,
                             spirv_emit_body *emit)
{
   const struct ir_builder saved = t->b;
   struct ir_shader *shader = t->shader;
   struct spirv_val **params = UTIL_ARENA_ARRAY(t->arena, struct spirv_val *, function->num_params);
   uint32_t index = 0;
   t->shader = ir_routine_create(shader, &t->b);
   for (uint32_t i = 0; i < function->num_params; i++) {
      params[i] = take_operand(t, args[i]->type, &index);
      spirv_set_value(t, function->params[i], params[i]);
   }
   give_results(t, function, params, emit(t, function));
   ir_routine_end(&t->b);
   spirv_fix_scopes(t);
   ir_shader_renumber(t->shader);
   const struct ir_routine routine = {
      .code = t->shader, .size = function->num_instructions, .is_from_spirv = true, .is_function = true, .sees_bits = class == OF_ANY};
   t->b = saved;
   t->shader = shader;
   return ir_routine_add(shader, &routine);
}

/* What pointers named is stored. */
static struct spirv_val *take_results(struct spirv_ctx *t, const struct spirv_function *function, struct spirv_val *const *args, struct ir_instr *const *words)
{
   struct spirv_val *returned = NULL;
   if (function->return_type->class != SPIRV_TYPE_VOID) {
      returned = from_words(t, function->return_type, words);
      words += spirv_leaf_count(t, function->return_type);
   }
   for (uint32_t i = 0; i < function->num_params; i++) {
      const struct spirv_type *target = pointee(args[i]->type);
      if (!target)
         continue;
      spirv_store(t, spirv_val_pointer(t, args[i]), from_words(t, target, words));
      words += spirv_leaf_count(t, target);
   }
   return returned;
}

bool spirv_call_routine(struct spirv_ctx *t, struct spirv_function *function, struct spirv_val *const *args, spirv_emit_body *emit,
                        struct spirv_val **returned)
{
   const bool calls = t->inlined_size > MAX_INLINED || util_debug(UTIL_DEBUG_CALLS);
   const enum numbers class = calls && !function->is_active ? find_class(t, function) : INLINED;
   if (class == INLINED || !are_apart(t, function, args))
      return false;
   if (!function->routine)
      function->routine = make_routine(t, function, args, class, emit);
   if (!function->routine)
      return false; /* there are too many */
   struct ir_instr *operands[MAX_ARGS], *results[MAX_ARGS];
   uint32_t num_operands = 0, num_results = function->return_type->class == SPIRV_TYPE_VOID ? 0 : spirv_leaf_count(t, function->return_type);
   for (uint32_t i = 0; i < function->num_params; i++) {
      const struct spirv_type *target = pointee(args[i]->type);
      num_operands += to_words(t, target ? spirv_load(t, spirv_val_pointer(t, args[i])) : args[i], operands + num_operands);
      num_results += target ? spirv_leaf_count(t, target) : 0;
   }
   const bool is_ordered = class == OF_ANY && function->purity == IS_ORDERED;
   struct ir_instr *call = ir_emit(&t->b, is_ordered ? IR_call_ordered : IR_call, num_results, 32, num_operands, operands);
   call->imm.u[0] = function->routine;
   call->imm.u[1] = class != OF_FLOATS;
   for (uint32_t i = 0; i < num_results; i++)
      results[i] = ir_extract(&t->b, call, i);
   *returned = take_results(t, function, args, results);
   return true;
}
