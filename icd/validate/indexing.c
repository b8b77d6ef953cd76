/* SPDX-License-Identifier: MIT
 * What only an entry point with 64-bit indices may have, which its pipeline can ask for as well as the module.
 * Source: SPV_EXT_shader_64bit_indexing; Vulkan Environment for SPIR-V, "64-Bit Indexing". */
#include "icd/validate/check.h"
#include "icd/validate/pipeline.h"
#include "util/spirv_numbers.h"

static bool has_64bit_indices(const struct icd_check *check, const struct icd_check_stage *stage)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpExecutionMode && icd_spirv_word(&inst, 1) == stage->entry->function &&
          icd_spirv_word(&inst, 2) == UTIL_SPV_MODE_64BIT_INDEXING)
         return true;
   }
   return stage->desc->has_64bit_indices;
}

static bool is_64_bits(const struct icd_check *check, uint32_t type_id)
{
   const struct icd_spirv_inst type = icd_spirv_definition(check->module, type_id);
   return type.op == SpvOpTypeInt && icd_spirv_word(&type, 2) == 64;
}

static bool has_64_bits(const struct icd_check *check, uint32_t id)
{
   return id && is_64_bits(check, icd_spirv_type_of(check->module, id));
}

static void check_instruction(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   switch (inst->op) {
   case SpvOpArrayLength:
   case SpvOpUntypedArrayLengthKHR:
      if (is_64_bits(check, icd_spirv_word(inst, 1)))
         ICD_BROKEN(check, RuntimeSpirv_OpArrayLength_11807, inst);
      break;
   case SpvOpCooperativeVectorMatrixMulNV:
   case SpvOpCooperativeVectorMatrixMulAddNV:
      if (has_64_bits(check, icd_spirv_word(inst, 6)) ||
          (inst->op == SpvOpCooperativeVectorMatrixMulAddNV && has_64_bits(check, icd_spirv_word(inst, 9))))
         ICD_BROKEN(check, RuntimeSpirv_OpCooperativeVectorMatrixMulAddNV_11808, inst);
      break;
   case SpvOpCooperativeVectorLoadNV:
   case SpvOpCooperativeVectorStoreNV:
   case SpvOpCooperativeVectorReduceSumAccumulateNV:
   case SpvOpCooperativeVectorOuterProductAccumulateNV:
      if (has_64_bits(check, icd_spirv_word(inst, inst->op == SpvOpCooperativeVectorLoadNV ? 4 : 2)))
         ICD_BROKEN(check, RuntimeSpirv_OpCooperativeVectorLoadNV_11809, inst);
      break;
   default: break;
   }
}

void icd_check_indexing(const struct icd_check *check, const struct icd_check_stage *stage)
{
   if (has_64bit_indices(check, stage))
      return;
   ICD_CHECK_GLOBALS(check, inst) {
      if ((uint32_t)inst.op == UTIL_SPV_OP_CONSTANT_SIZE_OF && is_64_bits(check, icd_spirv_word(&inst, 1)))
         ICD_BROKEN(check, RuntimeSpirv_OpConstantSizeOfEXT_11475, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      if (function->stages & stage->stage)
         check_instruction(check, &inst);
   }
}
