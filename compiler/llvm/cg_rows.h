/* SPDX-License-Identifier: MIT
 * Operands and results of routines that are in memory, a vector of all lanes each. Owns nothing: what is kept is in the arena and on the stack of the function
 * that is emitted. Threads: one user at a time. */
#pragma once

#include "compiler/llvm/cg.h"

enum {
   CG_MAX_REGISTERS = 3, /* operands of calls that pass no rows */
   CG_MAX_ROWS = 16, /* of an array that is kept */
   CG_MAX_POINTERS = 4, /* that a routine takes besides */
};

/* The call's operands and results are in memory. */
bool cg_has_rows(const struct ir_instr *instr);
/* Of the routine that it calls, which takes so many pointers besides: operands, others, the pointers, results, lanes. */
LLVMTypeRef cg_rows_function_type(struct cg *cg, const struct ir_instr *instr, uint32_t num_pointers);
/* How many of its operands the first array has; the others are in a second one. */
uint32_t cg_rows_num_first(const struct cg *cg, const struct ir_instr *instr);
/* Emits the call, and says what its values are. */
void cg_call_with_rows(struct cg *cg, struct ir_instr *instr, LLVMValueRef function, const LLVMValueRef *pointers, uint32_t num_pointers,
                       LLVMValueRef lanes);
