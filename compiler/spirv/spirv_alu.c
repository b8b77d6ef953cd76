/* SPDX-License-Identifier: MIT
 * Arithmetic, bit, relational and logical instructions: component by component, one row of a table each.
 * Spec: SPIR-V, "Arithmetic Instructions", "Bit Instructions", "Relational and Logical Instructions". */
#include "compiler/spirv/spirv_instructions.h"

enum alu_flags {
   SWAP = 1 << 0,   /* a > b is b < a */
   SHIFT = 1 << 1,  /* the second operand may have another width */
   RESIZE = 1 << 2, /* the result may have another width */
};

struct alu_row {
   uint16_t op;  /* SpvOp */
   uint16_t ir;  /* enum ir_op */
   uint8_t num_operands, flags;
};

static const struct alu_row rows[] = {
   {SpvOpSNegate, IR_ineg, 1, 0},
   {SpvOpFNegate, IR_fneg, 1, 0},
   {SpvOpIAdd, IR_iadd, 2, 0},
   {SpvOpFAdd, IR_fadd, 2, 0},
   {SpvOpISub, IR_isub, 2, 0},
   {SpvOpFSub, IR_fsub, 2, 0},
   {SpvOpIMul, IR_imul, 2, 0},
   {SpvOpFMul, IR_fmul, 2, 0},
   {SpvOpUDiv, IR_udiv, 2, 0},
   {SpvOpSDiv, IR_idiv, 2, 0},
   {SpvOpFDiv, IR_fdiv, 2, 0},
   {SpvOpUMod, IR_umod, 2, 0},
   {SpvOpSRem, IR_irem, 2, 0},
   {SpvOpSMod, IR_imod, 2, 0},
   {SpvOpFRem, IR_frem, 2, 0},
   {SpvOpFMod, IR_fmod, 2, 0},
   {SpvOpShiftRightLogical, IR_ushr, 2, SHIFT},
   {SpvOpShiftRightArithmetic, IR_ishr, 2, SHIFT},
   {SpvOpShiftLeftLogical, IR_ishl, 2, SHIFT},
   {SpvOpBitwiseOr, IR_ior, 2, 0},
   {SpvOpBitwiseXor, IR_ixor, 2, 0},
   {SpvOpBitwiseAnd, IR_iand, 2, 0},
   {SpvOpNot, IR_inot, 1, 0},
   {SpvOpBitReverse, IR_bitreverse, 1, 0},
   {SpvOpBitCount, IR_bitcount, 1, RESIZE},
   {SpvOpLogicalEqual, IR_ieq, 2, 0},
   {SpvOpLogicalNotEqual, IR_ine, 2, 0},
   {SpvOpLogicalOr, IR_ior, 2, 0},
   {SpvOpLogicalAnd, IR_iand, 2, 0},
   {SpvOpLogicalNot, IR_inot, 1, 0},
   {SpvOpIEqual, IR_ieq, 2, 0},
   {SpvOpINotEqual, IR_ine, 2, 0},
   {SpvOpUGreaterThan, IR_ult, 2, SWAP},
   {SpvOpSGreaterThan, IR_ilt, 2, SWAP},
   {SpvOpUGreaterThanEqual, IR_uge, 2, 0},
   {SpvOpSGreaterThanEqual, IR_ige, 2, 0},
   {SpvOpULessThan, IR_ult, 2, 0},
   {SpvOpSLessThan, IR_ilt, 2, 0},
   {SpvOpULessThanEqual, IR_uge, 2, SWAP},
   {SpvOpSLessThanEqual, IR_ige, 2, SWAP},
   {SpvOpFOrdEqual, IR_feq, 2, 0},
   {SpvOpFUnordEqual, IR_fequ, 2, 0},
   {SpvOpFOrdNotEqual, IR_fne, 2, 0},
   {SpvOpLessOrGreater, IR_fne, 2, 0},
   {SpvOpFUnordNotEqual, IR_fneu, 2, 0},
   {SpvOpFOrdLessThan, IR_flt, 2, 0},
   {SpvOpFUnordLessThan, IR_fltu, 2, 0},
   {SpvOpFOrdGreaterThan, IR_flt, 2, SWAP},
   {SpvOpFUnordGreaterThan, IR_fltu, 2, SWAP},
   {SpvOpFOrdLessThanEqual, IR_fge, 2, SWAP},
   {SpvOpFUnordLessThanEqual, IR_fgeu, 2, SWAP},
   {SpvOpFOrdGreaterThanEqual, IR_fge, 2, 0},
   {SpvOpFUnordGreaterThanEqual, IR_fgeu, 2, 0},
};

static const struct alu_row *find_row(uint32_t op)
{
   static const struct alu_row *by_op[SpvOpBitCount + 1]; /* all rows are below; filled once, always with the same */
   if (op > SpvOpBitCount)
      return NULL;
   if (!by_op[SpvOpBitCount]) {
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
         if (rows[i].op != SpvOpBitCount)
            by_op[rows[i].op] = &rows[i];
      }
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++)
         by_op[rows[i].op] = &rows[i];
   }
   return by_op[op];
}
