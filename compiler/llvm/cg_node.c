/* SPDX-License-Identifier: MIT
 * Calls of nodes of execution graphs (abi/node.h): operands and results are rows of 64-bit lanes in one struct of the function's. */
#include "compiler/llvm/cg_call.h"

_Static_assert(offsetof(struct abi_node_call, operands) % 64 == 0 && (int)ABI_NODE_LANES >= (int)ABI_MAX_LANES, "rows of whole vectors");

/* As bytes, like the sites of probes. */
static LLVMValueRef output_of(struct cg *cg, uint32_t number)
{
   if (number >= cg->ir->num_node_outputs)
      cg_fail(cg, "a node's output that is not there");
   const struct abi_node_output *output = &cg->ir->node_outputs[number];
   LLVMValueRef global = ir_map_find(&cg->tables, (uintptr_t)output);
   if (global)
      return global;
   LLVMValueRef bytes = LLVMConstStringInContext2(cg->context, (const char *)output, sizeof(*output), true);
   global = cg_const_global(cg, bytes, 8, "node_output");
   ir_map_add(&cg->tables, (uintptr_t)output, global);
   return global;
}

static LLVMValueRef field(struct cg *cg, size_t offset)
{
   return cg_gep_const(cg, cg->node_call, offset);
}

static size_t row(size_t rows, uint32_t index)
{
   return rows + index * sizeof(uint64_t) * ABI_NODE_LANES;
}

static void store_operand(struct cg *cg, uint32_t index, struct ir_instr *value)
{
   LLVMValueRef lanes = cg_as_int(cg, cg_vector(cg, value, 0));
   if (value->bit_size != 64)
      lanes = LLVMBuildZExt(cg->b, lanes, cg_vec_type(cg, cg->i64), "");
   cg_store(cg, lanes, field(cg, row(offsetof(struct abi_node_call, operands), index)), cg_row_align(cg, 64));
}

static LLVMValueRef first_invocation(struct cg *cg)
{
   if (cg->num_vectors == 1)
      return cg_i32(cg, 0);
   return LLVMBuildMul(cg->b, cg->vector_index, cg_i32(cg, cg->lanes), "");
}

void cg_emit_node_call(struct cg *cg, struct ir_instr *instr)
{
   const uint32_t op = instr->imm.u[0];
   const bool is_shared = instr->imm.u[2] != 0, has_output = op == ABI_NODE_ALLOCATE || op == ABI_NODE_IS_VALID;
   if (!cg->compute)
      cg_fail(cg, "%s in a shader without workgroups", ir_info(instr)->name);
   if (!cg->node_call)
      cg->node_call = cg_alloca(cg, LLVMArrayType2(cg->i64, sizeof(struct abi_node_call) / 8), 64, "node_call");
   cg_store(cg, has_output ? output_of(cg, instr->imm.u[1]) : LLVMConstNull(cg->ptr), field(cg, offsetof(struct abi_node_call, output)), 8);
   cg_store(cg, cg_i32(cg, op), field(cg, offsetof(struct abi_node_call, op)), 4);
   cg_store(cg, cg_i32(cg, cg->lanes), field(cg, offsetof(struct abi_node_call, lanes)), 4);
   cg_store(cg, cg_mask_bits(cg, cg_effect_mask(cg)), field(cg, offsetof(struct abi_node_call, mask)), 4);
   cg_store(cg, first_invocation(cg), field(cg, offsetof(struct abi_node_call, local)), 4);
   cg_store(cg, cg_i32(cg, is_shared), field(cg, offsetof(struct abi_node_call, is_shared)), 4);
   for (uint32_t i = 0; i < instr->num_srcs; i++)
      store_operand(cg, i, instr->srcs[i]);
   LLVMValueRef args[2] = {cg->worker, cg->node_call};
   cg_call_helper(cg, offsetof(struct abi_helpers, node_call), cg->void_type, 2, args);
   for (uint32_t c = 0; c < 2; c++) {
      const size_t results = row(offsetof(struct abi_node_call, results), c);
      if (is_shared)
         cg_set_scalar(cg, instr, c, cg_load(cg, cg->i64, field(cg, results), 8), 0);
      else
         cg_set_vector(cg, instr, c, cg_load(cg, cg_vec_type(cg, cg->i64), field(cg, results), cg_row_align(cg, 64)));
   }
   cg_poll_cancel(cg, NULL);
}
