/* SPDX-License-Identifier: MIT
 * The images that SPV_QCOM_image_processing takes weights and blocks from. */
#include "icd/validate/check.h"

/* The variable that an image, with or without a sampler, was loaded from; 0: it is not known. */
static uint32_t variable_of(const struct icd_spirv_module *module, uint32_t id)
{
   struct icd_spirv_inst inst = icd_spirv_definition(module, id);
   if (inst.op == SpvOpSampledImage)
      inst = icd_spirv_definition(module, icd_spirv_word(&inst, 3));
   return inst.op == SpvOpLoad ? icd_spirv_base_variable(module, icd_spirv_word(&inst, 3)) : 0;
}

/* A flat image that is sampled, from a variable of UniformConstant. */
static bool is_fit(const struct icd_spirv_module *module, uint32_t id, bool is_arrayed)
{
   struct icd_spirv_inst type = icd_spirv_definition(module, icd_spirv_type_of(module, id));
   const uint32_t variable = variable_of(module, id);
   const struct icd_spirv_inst declared = icd_spirv_definition(module, variable);
   if (type.op == SpvOpTypeSampledImage)
      type = icd_spirv_definition(module, icd_spirv_word(&type, 2));
   return type.op == SpvOpTypeImage && icd_spirv_word(&type, 3) == SpvDim2D && icd_spirv_word(&type, 4) == 0 &&
          (icd_spirv_word(&type, 5) != 0) == is_arrayed && icd_spirv_word(&type, 6) == 0 && icd_spirv_word(&type, 7) == 1 &&
          (!variable || icd_spirv_word(&declared, 3) == SpvStorageClassUniformConstant);
}

static bool is_decorated(const struct icd_spirv_module *module, uint32_t id, SpvDecoration decoration)
{
   const uint32_t variable = variable_of(module, id);
   return !variable || icd_spirv_find(module, variable, UINT32_MAX, decoration);
}

static void check_weights(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t weights = icd_spirv_word(inst, 5);
   if (!is_fit(check->module, weights, true))
      ICD_BROKEN(check, RuntimeSpirv_OpImageWeightedSampleQCOM_06980, inst);
   if (!is_decorated(check->module, weights, SpvDecorationWeightTextureQCOM))
      ICD_BROKEN(check, RuntimeSpirv_OpImageWeightedSampleQCOM_06981, inst);
}

static void check_blocks(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t target = icd_spirv_word(inst, 3), reference = icd_spirv_word(inst, 5);
   if (!is_fit(check->module, target, false) || !is_fit(check->module, reference, false))
      ICD_BROKEN(check, RuntimeSpirv_OpImageBlockMatchSSDQCOM_06983, inst);
   if (!is_decorated(check->module, target, SpvDecorationBlockMatchTextureQCOM) ||
       !is_decorated(check->module, reference, SpvDecorationBlockMatchTextureQCOM))
      ICD_BROKEN(check, RuntimeSpirv_OpImageBlockMatchSSDQCOM_06984, inst);
}

void icd_check_processing(const struct icd_check *check)
{
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpImageSampleWeightedQCOM)
         check_weights(check, &inst);
      else if (inst.op == SpvOpImageBlockMatchSSDQCOM || inst.op == SpvOpImageBlockMatchSADQCOM)
         check_blocks(check, &inst);
   }
}
