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

static bool makes_64_bits(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const struct icd_spirv_inst type = icd_spirv_definition(check->module, icd_spirv_word(inst, 1));
   return type.op == SpvOpTypeInt && icd_spirv_word(&type, 2) == 64;
}

void icd_check_indexing(const struct icd_check *check, const struct icd_check_stage *stage)
{
   if (has_64bit_indices(check, stage))
      return;
   ICD_CHECK_GLOBALS(check, inst) {
      if ((uint32_t)inst.op == UTIL_SPV_OP_CONSTANT_SIZE_OF && makes_64_bits(check, &inst))
         ICD_BROKEN(check, RuntimeSpirv_OpConstantSizeOfEXT_11475, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      if ((inst.op == SpvOpArrayLength || inst.op == SpvOpUntypedArrayLengthKHR) && function->stages & stage->stage && makes_64_bits(check, &inst))
         ICD_BROKEN(check, RuntimeSpirv_OpArrayLength_11807, &inst);
   }
}
