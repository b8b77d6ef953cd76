/* SPDX-License-Identifier: MIT
 * Constants and specialization constants, folded as the module is read. */
#include "compiler/spirv/memory/spirv_values.h"

#include "compiler/ir/ir_eval.h"
#include "util/size.h"
#include "util/spirv_numbers.h"

#include <string.h>

static uint64_t mask_of(uint32_t bits)
{
   return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static int64_t sign_extend(uint64_t value, uint32_t bits)
{
   const uint32_t shift = 64 - bits;
   return (int64_t)(value << shift) >> shift;
}

static struct spirv_val *new_const(struct spirv_ctx *t, const struct spirv_type *type, const uint64_t *bits)
{
   struct spirv_val *val = spirv_new_simple(t, type, SPIRV_VAL_CONST);
   val->bits = util_arena_dup(t->arena, bits, sizeof(*bits) * spirv_leaf_count(t, type));
   return val;
}

/* The bytes that specialization gives to the constant `id`, `needed` at least, and how many they are; NULL: it keeps its default. */
static const void *find_specialization(struct spirv_ctx *t, uint32_t id, size_t needed, size_t *size_bytes)
{
   const struct spirv_decoration *d = spirv_find_decoration(t, id, -1, SpvDecorationSpecId);
   if (!d || !d->num_operands)
      return NULL;
   const struct comp_shader_desc *desc = t->desc;
   for (uint32_t i = 0; i < desc->num_spec_entries; i++) {
      const struct comp_spec_entry *entry = &desc->spec_entries[i];
      if (entry->constant_id != d->operands[0])
         continue;
      if (entry->size_bytes < needed || entry->offset_bytes > desc->spec_data_bytes ||
          entry->size_bytes > desc->spec_data_bytes - entry->offset_bytes)
         spirv_fail(t, "specialization of constant %u has a wrong size", entry->constant_id);
      *size_bytes = entry->size_bytes;
      return (const char *)desc->spec_data + entry->offset_bytes;
   }
   return NULL;
}

static struct spirv_val *parse_scalar(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_type *type)
{
   if (!spirv_is_scalar(type))
      spirv_fail(t, "%s of a type that is not scalar", spirv_op_name(in->op));
   uint64_t value;
   bool is_spec = false;
   switch (in->op) {
   case SpvOpConstantTrue: value = 1; break;
   case SpvOpConstantFalse: value = 0; break;
   case SpvOpSpecConstantTrue: value = 1; is_spec = true; break;
   case SpvOpSpecConstantFalse: value = 0; is_spec = true; break;
   default:
      value = spirv_word(t, in, 3);
      if (type->bits == 64)
         value |= (uint64_t)spirv_word(t, in, 4) << 32;
      is_spec = in->op == SpvOpSpecConstant;
   }
   const size_t size_bytes = type->bits == 1 ? sizeof(VkBool32) : type->bits / 8;
   size_t given_bytes;
   const void *specialized = is_spec ? find_specialization(t, spirv_word(t, in, 2), size_bytes, &given_bytes) : NULL;
   if (specialized) {
      value = 0;
      memcpy(&value, specialized, size_bytes);
      value = type->bits == 1 ? value != 0 : value;
   }
   value &= mask_of(type->bits);
   struct spirv_val *val = new_const(t, type, &value);
   val->is_spec = is_spec;
   return val;
}

static struct spirv_val *parse_composite(struct spirv_ctx *t, const struct spirv_instr *in,
                                         const struct spirv_type *type)
{
   const uint32_t count = spirv_num_children(t, type);
   const bool is_replicated = in->op == SpvOpConstantCompositeReplicateEXT ||
                              in->op == SpvOpSpecConstantCompositeReplicateEXT || type->class == SPIRV_TYPE_COOPERATIVE;
   if (in->count - 3 != (is_replicated ? 1 : count))
      spirv_fail(t, "%s: %u parts for a type of %u", spirv_op_name(in->op), in->count - 3, count);
   if (type->class == SPIRV_TYPE_VECTOR) {
      uint64_t *bits = UTIL_ARENA_ARRAY(t->arena, uint64_t, count);
      for (uint32_t i = 0; i < count; i++) {
         const struct spirv_val *part = spirv_value(t, in->words[is_replicated ? 3 : 3 + i]);
         if (part->class == SPIRV_VAL_UNDEF)
            bits[i] = 0;
         else if (!spirv_is_constant(part, &bits[i]))
            spirv_fail(t, "%s: id %u is not a constant", spirv_op_name(in->op), in->words[is_replicated ? 3 : 3 + i]);
      }
      return new_const(t, type, bits);
   }
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < count; i++)
      spirv_set_child(t, val, i, spirv_value(t, in->words[is_replicated ? 3 : 3 + i]));
   return val;
}

/* An array of integers, whose bytes follow each other in the words. Spec: SPV_KHR_constant_data. */
static struct spirv_val *parse_data(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_type *type)
{
   const struct spirv_type *element = type->class == SPIRV_TYPE_ARRAY ? type->elem : NULL;
   if (!element || element->class != SPIRV_TYPE_INT)
      spirv_fail(t, "%s of a type that is no array of integers", spirv_op_name(in->op));
   const uint32_t count = spirv_num_children(t, type);
   const size_t element_bytes = element->bits / 8, size_bytes = util_size_mul(count, element_bytes);
   if (in->count - 3 != util_size_align(size_bytes, 4) / 4)
      spirv_fail(t, "%s: %u words for %zu bytes", spirv_op_name(in->op), in->count - 3, size_bytes);
   size_t given_bytes;
   const void *specialized = in->op == UTIL_SPV_OP_SPEC_CONSTANT_DATA ? find_specialization(t, in->words[2], size_bytes, &given_bytes) : NULL;
   const char *data = specialized ? specialized : (const char *)&in->words[3];
   struct spirv_val *val = spirv_new_composite(t, type);
   for (uint32_t i = 0; i < count; i++) {
      uint64_t bits = 0;
      memcpy(&bits, data + i * element_bytes, element_bytes);
      spirv_set_child(t, val, i, new_const(t, element, &bits));
   }
   return val;
}

/* ---- OpSpecConstantOp ---- */

struct operand {
   uint64_t u;
   int64_t s;
   uint32_t bits;
   const struct spirv_type *type; /* scalar */
};

static uint64_t fold_division(uint32_t op, struct operand a, struct operand b)
{
   const bool overflows = b.s == -1;
   switch (op) {
   case SpvOpUDiv: return b.u ? a.u / b.u : UINT64_MAX;
   case SpvOpUMod: return b.u ? a.u % b.u : a.u;
   case SpvOpSDiv: return !b.u ? UINT64_MAX : overflows ? -a.u : (uint64_t)(a.s / b.s);
   case SpvOpSRem: return !b.u ? a.u : overflows ? 0 : (uint64_t)(a.s % b.s);
   default: { /* SpvOpSMod: the divisor's sign */
      if (!b.u)
         return a.u;
      const int64_t rem = overflows ? 0 : a.s % b.s;
      return (uint64_t)(rem && (rem < 0) != (b.s < 0) ? rem + b.s : rem);
   }
   }
}

/* One component; false: not an operation on integers or booleans. */
static bool fold_integer(uint32_t op, const struct operand *x, uint64_t *result)
{
   const struct operand a = x[0], b = x[1], c = x[2];
   switch (op) {
   case SpvOpSConvert: *result = (uint64_t)a.s; return true;
   case SpvOpUConvert:
   case SpvOpBitcast:
   case SpvOpCopyObject: *result = a.u; return true;
   case SpvOpSNegate: *result = -a.u; return true;
   case SpvOpNot: *result = ~a.u; return true;
   case SpvOpIAdd: *result = a.u + b.u; return true;
   case SpvOpISub: *result = a.u - b.u; return true;
   case SpvOpIMul: *result = a.u * b.u; return true;
   case SpvOpUDiv:
   case SpvOpUMod:
   case SpvOpSDiv:
   case SpvOpSRem:
   case SpvOpSMod: *result = fold_division(op, a, b); return true;
   case SpvOpShiftLeftLogical: *result = a.u << (b.u & (a.bits - 1)); return true;
   case SpvOpShiftRightLogical: *result = a.u >> (b.u & (a.bits - 1)); return true;
   case SpvOpShiftRightArithmetic: *result = (uint64_t)(a.s >> (b.u & (a.bits - 1))); return true;
   case SpvOpBitwiseOr:
   case SpvOpLogicalOr: *result = a.u | b.u; return true;
   case SpvOpBitwiseAnd:
   case SpvOpLogicalAnd: *result = a.u & b.u; return true;
   case SpvOpBitwiseXor:
   case SpvOpLogicalNotEqual: *result = a.u ^ b.u; return true;
   case SpvOpLogicalEqual: *result = a.u == b.u; return true;
   case SpvOpLogicalNot: *result = !a.u; return true;
   case SpvOpSelect: *result = a.u ? b.u : c.u; return true;
   case SpvOpIEqual: *result = a.u == b.u; return true;
   case SpvOpINotEqual: *result = a.u != b.u; return true;
   case SpvOpULessThan: *result = a.u < b.u; return true;
   case SpvOpSLessThan: *result = a.s < b.s; return true;
   case SpvOpUGreaterThan: *result = a.u > b.u; return true;
   case SpvOpSGreaterThan: *result = a.s > b.s; return true;
   case SpvOpULessThanEqual: *result = a.u <= b.u; return true;
   case SpvOpSLessThanEqual: *result = a.s <= b.s; return true;
   case SpvOpUGreaterThanEqual: *result = a.u >= b.u; return true;
   case SpvOpSGreaterThanEqual: *result = a.s >= b.s; return true;
   default: return false;
   }
}

static uint64_t convert_float(struct spirv_ctx *t, double x, uint32_t bits)
{
   const uint8_t fp = t->fp_by_width[bits == 16 ? 0 : bits == 32 ? 1 : 2];
   const uint64_t result = fp & IR_FP_RTZ ? ir_float_from_double_rtz(x, bits) : ir_float_from_double(x, bits);
   return fp & IR_FP_FLUSH_DENORM ? ir_float_flush(result, bits) : result;
}

static bool fold_float(struct spirv_ctx *t, uint32_t op, const struct spirv_type *type, const struct operand *x, bool saturates,
                       uint64_t *result)
{
   const uint32_t result_bits = type->bits;
   const bool is_narrow = spirv_is_narrow(x[0].type), is_float = x[0].type->class == SPIRV_TYPE_FLOAT;
   if (!is_narrow && !is_float)
      return false;
   const double a = is_narrow ? spirv_narrow_to_double(x[0].type, x[0].u) : ir_float_to_double(x[0].u, x[0].bits);
   if (op == SpvOpFConvert && spirv_is_narrow(type)) {
      *result = spirv_narrow_from_double(spirv_scalar_type(type), a, saturates);
      return true;
   }
   if (!spirv_is_float(type))
      return false;
   switch (op) {
   case SpvOpFConvert: *result = convert_float(t, a, result_bits); return true;
   case SpvOpQuantizeToF16: {
      uint64_t half = ir_float_from_double(a, 16);
      if ((half & 0x7c00) == 0)
         half &= 0x8000; /* no denormals */
      *result = ir_float_from_double(ir_float_to_double(half, 16), 32);
      return true;
   }
   default: return false;
   }
}

static void load_operand(struct spirv_ctx *t, struct spirv_val *val, uint32_t component, struct operand *operand)
{
   if (val->type->class == SPIRV_TYPE_VECTOR)
      val = spirv_child(t, val, component);
   if (val->class == SPIRV_VAL_UNDEF)
      operand->u = 0;
   else if (!spirv_is_constant(val, &operand->u))
      spirv_fail(t, "OpSpecConstantOp: an operand is not a constant");
   operand->type = val->type;
   operand->bits = val->type->bits;
   operand->s = sign_extend(operand->u, operand->bits);
}

static struct spirv_val *fold_components(struct spirv_ctx *t, const struct spirv_instr *in, uint32_t op,
                                         const struct spirv_type *type)
{
   const uint32_t count = spirv_leaf_count(t, type), num_operands = in->count - 4;
   const bool saturates = spirv_find_decoration(t, in->words[2], -1, UTIL_SPV_DECORATION_SATURATES) != NULL;
   uint64_t *bits = UTIL_ARENA_ARRAY(t->arena, uint64_t, count);
   if (num_operands < 1 || num_operands > 3)
      spirv_fail(t, "OpSpecConstantOp: %s is not supported", spirv_op_name(op));
   for (uint32_t c = 0; c < count; c++) {
      struct operand operands[3] = {0};
      for (uint32_t i = 0; i < num_operands; i++)
         load_operand(t, spirv_value(t, in->words[4 + i]), c, &operands[i]);
      if (!fold_integer(op, operands, &bits[c]) && !fold_float(t, op, type, operands, saturates, &bits[c]))
         spirv_fail(t, "OpSpecConstantOp: %s is not supported", spirv_op_name(op));
      bits[c] &= mask_of(type->bits);
   }
   return new_const(t, type, bits);
}

static struct spirv_val *fold_shuffle(struct spirv_ctx *t, const struct spirv_instr *in, const struct spirv_type *type)
{
   struct spirv_val *const from[2] = {spirv_value(t, spirv_word(t, in, 4)), spirv_value(t, spirv_word(t, in, 5))};
   const uint32_t count = spirv_leaf_count(t, type), first = spirv_leaf_count(t, from[0]->type);
   uint64_t *bits = UTIL_ARENA_ARRAY(t->arena, uint64_t, count);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t which = spirv_word(t, in, 6 + i);
      struct operand operand = {0};
      if (which < first)
         load_operand(t, from[0], which, &operand);
      else if (which != UINT32_MAX)
         load_operand(t, from[1], which - first, &operand);
      bits[i] = operand.u;
   }
   return new_const(t, type, bits);
}

static struct spirv_val *insert_constant(struct spirv_ctx *t, struct spirv_val *into, struct spirv_val *part,
                                         const uint32_t *path, uint32_t length)
{
   if (length == 0)
      return part;
   const uint32_t count = spirv_num_children(t, into->type);
   if (path[0] >= count)
      spirv_fail(t, "OpCompositeInsert: index %u of %u", path[0], count);
   if (into->type->class == SPIRV_TYPE_VECTOR) {
      uint64_t *bits = UTIL_ARENA_ARRAY(t->arena, uint64_t, count);
      for (uint32_t i = 0; i < count; i++) {
         struct operand operand;
         load_operand(t, i == path[0] ? part : into, i, &operand);
         bits[i] = operand.u;
      }
      return new_const(t, into->type, bits);
   }
   struct spirv_val *child = length == 1 ? part : insert_constant(t, spirv_child(t, into, path[0]), part, path + 1, length - 1);
   return spirv_with_child(t, into, path[0], child);
}

static struct spirv_val *parse_operation(struct spirv_ctx *t, const struct spirv_instr *in,
                                         const struct spirv_type *type)
{
   const uint32_t op = spirv_word(t, in, 3);
   switch (op) {
   case SpvOpVectorShuffle:
      return fold_shuffle(t, in, type);
   case SpvOpCompositeExtract: {
      struct spirv_val *val = spirv_value(t, spirv_word(t, in, 4));
      for (uint32_t i = 5; i < in->count; i++)
         val = spirv_child(t, val, in->words[i]);
      return val;
   }
   case SpvOpCompositeInsert:
      return insert_constant(t, spirv_value(t, spirv_word(t, in, 5)), spirv_value(t, spirv_word(t, in, 4)),
                             in->words + 6, in->count - 6);
   case SpvOpSelect:
      if (!spirv_is_scalar_or_vector(type)) {
         struct operand condition;
         load_operand(t, spirv_value(t, spirv_word(t, in, 4)), 0, &condition);
         return spirv_value(t, spirv_word(t, in, condition.u ? 5 : 6));
      }
      return fold_components(t, in, op, type);
   default:
      return fold_components(t, in, op, type);
   }
}

/* Of any descriptor. */
static struct spirv_val *descriptor_size(struct spirv_ctx *t, const struct spirv_type *type)
{
   const uint64_t bytes = ABI_DESCRIPTOR_BYTES;
   return new_const(t, type, &bytes);
}

/* Names of nodes. Specialization gives as many bytes as the name has, or more, of which a zero ends it. */
static void parse_string(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_id *id = spirv_id(t, spirv_word(t, in, 1));
   size_t size_bytes = 0;
   const char *specialized = in->op == SpvOpSpecConstantStringAMDX ? find_specialization(t, in->words[1], 0, &size_bytes) : NULL;
   id->class = SPIRV_ID_STRING;
   if (specialized) {
      size_bytes = strnlen(specialized, size_bytes);
      char *copy = util_arena_alloc(t->arena, size_bytes + 1);
      memcpy(copy, specialized, size_bytes);
      copy[size_bytes] = 0;
      id->string = copy;
   } else {
      id->string = spirv_string(t, in, 2);
   }
}

bool spirv_parse_constant(struct spirv_ctx *t, const struct spirv_instr *in)
{
   struct spirv_val *val;
   switch (in->op) {
   case SpvOpConstantTrue:
   case SpvOpConstantFalse:
   case SpvOpConstant:
   case SpvOpSpecConstantTrue:
   case SpvOpSpecConstantFalse:
   case SpvOpSpecConstant:
      val = parse_scalar(t, in, spirv_result_type(t, in));
      break;
   case SpvOpConstantComposite:
   case SpvOpSpecConstantComposite:
   case SpvOpConstantCompositeReplicateEXT:
   case SpvOpSpecConstantCompositeReplicateEXT:
      val = parse_composite(t, in, spirv_result_type(t, in));
      break;
   case UTIL_SPV_OP_CONSTANT_DATA:
   case UTIL_SPV_OP_SPEC_CONSTANT_DATA:
      val = parse_data(t, in, spirv_result_type(t, in));
      break;
   case UTIL_SPV_OP_CONSTANT_SIZE_OF:
      val = descriptor_size(t, spirv_result_type(t, in));
      break;
   case SpvOpSpecConstantOp:
      val = parse_operation(t, in, spirv_result_type(t, in));
      break;
   case SpvOpConstantNull:
      val = spirv_new_simple(t, spirv_result_type(t, in), SPIRV_VAL_NULL);
      break;
   case SpvOpUndef:
      val = spirv_new_simple(t, spirv_result_type(t, in), SPIRV_VAL_UNDEF);
      break;
   case SpvOpConstantStringAMDX:
   case SpvOpSpecConstantStringAMDX:
      parse_string(t, in);
      return true;
   default:
      return false;
   }
   const uint32_t id = spirv_word(t, in, 2);
   spirv_set_value(t, id, val);
   if (spirv_decoration_operand(t, id, -1, SpvDecorationBuiltIn, UINT32_MAX) == SpvBuiltInWorkgroupSize)
      t->local_size_constant = id;
   return true;
}
