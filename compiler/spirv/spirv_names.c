/* SPDX-License-Identifier: MIT
 * Names and shapes of opcodes, from the SPIR-V headers' tables. */
#define SPV_ENABLE_UTILITY_CODE
#include "compiler/spirv/spirv_context.h"

/* The header defines them inline; this is the file that holds their code. */
extern inline const char *SpvOpToString(SpvOp value);
extern inline void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

const char *spirv_op_name(uint32_t op)
{
   return SpvOpToString(op);
}

void spirv_op_shape(uint32_t op, bool *has_result, bool *has_type)
{
   SpvHasResultAndType(op, has_result, has_type);
}
