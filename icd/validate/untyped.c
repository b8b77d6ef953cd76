/* SPDX-License-Identifier: MIT
 * Untyped pointers: where they may point, what their variables say, how long copies of bytes and arrays are.
 * Source: SPV_KHR_untyped_pointers; Vulkan Environment for SPIR-V. */
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

/* Classes with an explicit layout, and those of descriptors. */
static bool may_be_untyped(SpvStorageClass where)
{
   return where == SpvStorageClassImage || where == SpvStorageClassUniformConstant || where == SpvStorageClassWorkgroup ||
          where == SpvStorageClassStorageBuffer || where == SpvStorageClassUniform || where == SpvStorageClassPushConstant ||
          where == SpvStorageClassPhysicalStorageBuffer;
}

static void check_variable(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t builtin = icd_spirv_decorated(check->module, icd_spirv_word(inst, 2), UINT32_MAX, SpvDecorationBuiltIn, UINT32_MAX);
   const bool is_heap = builtin == UTIL_SPV_BUILT_IN_SAMPLER_HEAP || builtin == UTIL_SPV_BUILT_IN_RESOURCE_HEAP;
   const bool has_type = inst->count > 4 || is_heap, is_descriptor = icd_spirv_word(inst, 3) == SpvStorageClassUniformConstant;
   if (!has_type && is_descriptor)
      ICD_BROKEN(check, StandaloneSpirv_OpUntypedVariableKHR_11347, inst);
   else if (!has_type)
      ICD_BROKEN(check, StandaloneSpirv_OpUntypedVariableKHR_11167, inst);
}

static SpvStorageClass class_of(const struct icd_check *check, uint32_t pointer)
{
   const struct icd_spirv_inst type = icd_spirv_definition(check->module, icd_spirv_type_of(check->module, pointer));
   const bool is_pointer = type.op == SpvOpTypePointer || type.op == SpvOpTypeUntypedPointerKHR;
   return is_pointer ? (SpvStorageClass)icd_spirv_word(&type, 2) : SpvStorageClassMax;
}

static void check_copy(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   uint32_t bytes;
   const uint32_t target = icd_narrowest_access(check, class_of(check, icd_spirv_word(inst, 1)));
   const uint32_t unit = UTIL_MAX(target, icd_narrowest_access(check, class_of(check, icd_spirv_word(inst, 2))));
   if (icd_spirv_constant(check->module, icd_spirv_word(inst, 3), &bytes) && bytes % unit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Size_11165, inst, "%u bytes, by %u", bytes, unit);
}

/* What a block of the class Uniform ends with has no length: the range of its descriptor says nothing about it. */
static void check_length(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool is_untyped = inst->op == SpvOpUntypedArrayLengthKHR;
   const uint32_t pointer = icd_spirv_word(inst, is_untyped ? 4 : 3);
   SpvStorageClass where = class_of(check, pointer);
   const uint32_t type = is_untyped ? icd_spirv_word(inst, 3) : icd_spirv_pointee(check->module, icd_spirv_type_of(check->module, pointer), &where);
   if (where == SpvStorageClassUniform && icd_spirv_find(check->module, type, UINT32_MAX, SpvDecorationBlock))
      ICD_BROKEN(check, StandaloneSpirv_OpArrayLength_11805, inst);
}

/* SPIRV-Tools looks at the typed instruction only. */
static void check_element(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const struct icd_spirv_module *module = check->module;
   const SpvStorageClass where = class_of(check, icd_spirv_word(inst, 4));
   const bool has_variable = icd_spirv_has_capability(module, SpvCapabilityVariablePointers);
   if (where != SpvStorageClassWorkgroup && where != SpvStorageClassStorageBuffer && where != SpvStorageClassPhysicalStorageBuffer)
      ICD_BROKEN(check, StandaloneSpirv_Base_07650, inst);
   if (where == SpvStorageClassWorkgroup && !has_variable)
      ICD_BROKEN(check, StandaloneSpirv_Base_07651, inst);
   if (where == SpvStorageClassStorageBuffer && !has_variable && !icd_spirv_has_capability(module, SpvCapabilityVariablePointersStorageBuffer))
      ICD_BROKEN(check, StandaloneSpirv_Base_07652, inst);
}

void icd_check_untyped(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpTypeUntypedPointerKHR && !may_be_untyped((SpvStorageClass)icd_spirv_word(&inst, 2)))
         ICD_BROKEN(check, StandaloneSpirv_OpTypeUntypedPointerKHR_11417, &inst);
      if (inst.op == SpvOpUntypedVariableKHR)
         check_variable(check, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      icd_check_narrow_access(check, &inst);
      if (inst.op == SpvOpCopyMemorySized)
         check_copy(check, &inst);
      else if (inst.op == SpvOpArrayLength || inst.op == SpvOpUntypedArrayLengthKHR)
         check_length(check, &inst);
      else if (inst.op == SpvOpUntypedPtrAccessChainKHR || inst.op == SpvOpUntypedInBoundsPtrAccessChainKHR)
         check_element(check, &inst);
   }
}
