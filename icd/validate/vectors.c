/* SPDX-License-Identifier: MIT
 * Cooperative vectors against the types that are offered. What specialization decides is looked at when it is known. */
#include "icd/device/cooperative_vector.h"
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

static bool is_vector_type(const struct icd_spirv_inst *type)
{
   return (uint32_t)type->op == UTIL_SPV_OP_TYPE_VECTOR_ID;
}

static VkComponentTypeKHR component_of_type(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, type);
   return icd_component_type(&scalar);
}

static VkComponentTypeKHR component_of(const struct icd_check *check, uint32_t id)
{
   return component_of_type(check, icd_spirv_type_of(check->module, id));
}

/* A component type that a constant names. False: it is not known yet. */
static bool named_component(const struct icd_check *check, uint32_t id, VkComponentTypeKHR *type)
{
   uint32_t value;
   if (!icd_spirv_constant(check->module, id, &value))
      return false;
   *type = (VkComponentTypeKHR)value;
   return true;
}

/* ---- types ---- */

static void check_type(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   uint32_t count, components = icd_spirv_components(check->module, inst);
   const struct icd_vector_product *products = icd_vector_products(&count);
   const VkComponentTypeKHR type = component_of_type(check, icd_spirv_word(inst, 2));
   const uint32_t max_components = check->env->properties->maxCooperativeVectorComponents;
   bool is_found = false;
   for (uint32_t i = 0; i < count; i++)
      is_found |= products[i].input == type || products[i].result == type;
   if (components > max_components)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maxCooperativeVectorComponents_10094, inst, "%u of at most %u", components, max_components);
   if (!is_found)
      ICD_BROKEN(check, RuntimeSpirv_OpTypeCooperativeVector_10095, inst);
}

/* ---- products ---- */

static bool is_float8(VkComponentTypeKHR type)
{
   return type == VK_COMPONENT_TYPE_FLOAT_E4M3_NV || type == VK_COMPONENT_TYPE_FLOAT_E5M2_NV;
}

static void check_product(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool has_bias = inst->op == SpvOpCooperativeVectorMatrixMulAddNV;
   struct icd_vector_product own = {.input = component_of(check, icd_spirv_word(inst, 3)), .result = component_of_type(check, icd_spirv_word(inst, 1))};
   uint32_t count, layout;
   const struct icd_vector_product *products = icd_vector_products(&count);
   if (!named_component(check, icd_spirv_word(inst, 4), &own.input_as) || !named_component(check, icd_spirv_word(inst, 7), &own.matrix_as) ||
       (has_bias && !named_component(check, icd_spirv_word(inst, 10), &own.bias_as)))
      return;
   bool is_found = false;
   for (uint32_t i = 0; i < count; i++) {
      is_found |= products[i].input == own.input && products[i].input_as == own.input_as && products[i].matrix_as == own.matrix_as &&
                  (!has_bias || products[i].bias_as == own.bias_as) && products[i].result == own.result;
   }
   if (!is_found)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10089, inst, "input %d as %d, matrix as %d, result %d", (int)own.input,
                         (int)own.input_as, (int)own.matrix_as, (int)own.result);
   if (is_float8(own.matrix_as) && icd_spirv_constant(check->module, icd_spirv_word(inst, has_bias ? 13 : 10), &layout) &&
       layout != SpvCooperativeVectorMatrixLayoutInferencingOptimalNV && layout != SpvCooperativeVectorMatrixLayoutTrainingOptimalNV)
      ICD_BROKEN(check, RuntimeSpirv_OpCooperativeVectorMatrixMulNV_10090, inst);
}

/* ---- sums in memory ---- */

static bool is_added_to(const struct icd_check *check, VkComponentTypeKHR type)
{
   return (type == VK_COMPONENT_TYPE_FLOAT16_KHR && check->env->properties->cooperativeVectorTrainingFloat16Accumulation) ||
          (type == VK_COMPONENT_TYPE_FLOAT32_KHR && check->env->properties->cooperativeVectorTrainingFloat32Accumulation);
}

static bool is_in_buffer(const struct icd_check *check, uint32_t pointer)
{
   const struct icd_spirv_inst type = icd_spirv_definition(check->module, icd_spirv_type_of(check->module, pointer));
   const uint32_t where = icd_spirv_word(&type, 2);
   return where == SpvStorageClassStorageBuffer || where == SpvStorageClassPhysicalStorageBuffer;
}

static void check_sum(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   if (!is_added_to(check, component_of(check, icd_spirv_word(inst, 3))) || !is_in_buffer(check, icd_spirv_word(inst, 1)))
      ICD_BROKEN(check, RuntimeSpirv_OpCooperativeVectorReduceSumAccumulateNV_10092, inst);
}

static void check_outer_product(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   VkComponentTypeKHR type;
   uint32_t layout;
   const bool are_halves = component_of(check, icd_spirv_word(inst, 3)) == VK_COMPONENT_TYPE_FLOAT16_KHR &&
                           component_of(check, icd_spirv_word(inst, 4)) == VK_COMPONENT_TYPE_FLOAT16_KHR;
   const bool has_other_layout =
      icd_spirv_constant(check->module, icd_spirv_word(inst, 5), &layout) && layout != SpvCooperativeVectorMatrixLayoutTrainingOptimalNV;
   const bool has_other_type = named_component(check, icd_spirv_word(inst, 6), &type) && !is_added_to(check, type);
   if (!are_halves || has_other_layout || has_other_type || !is_in_buffer(check, icd_spirv_word(inst, 1)))
      ICD_BROKEN(check, RuntimeSpirv_OpCooperativeVectorOuterProductAccumulateNV_10093, inst);
}

/* False: another instruction. */
static bool check_instruction(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   switch (inst->op) {
   case SpvOpCooperativeVectorMatrixMulNV:
   case SpvOpCooperativeVectorMatrixMulAddNV: check_product(check, inst); break;
   case SpvOpCooperativeVectorReduceSumAccumulateNV: check_sum(check, inst); break;
   case SpvOpCooperativeVectorOuterProductAccumulateNV: check_outer_product(check, inst); break;
   case SpvOpCooperativeVectorLoadNV:
   case SpvOpCooperativeVectorStoreNV: break;
   default: return false;
   }
   return true;
}

void icd_check_vectors(const struct icd_check *check)
{
   const VkShaderStageFlags stages = check->env->properties->cooperativeVectorSupportedStages;
   if (!icd_spirv_has_capability(check->module, SpvCapabilityCooperativeVectorNV))
      return;
   ICD_CHECK_GLOBALS(check, inst) {
      if (is_vector_type(&inst))
         check_type(check, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      if (check_instruction(check, &inst) && function->stages & ~stages)
         ICD_BROKEN(check, RuntimeSpirv_cooperativeVectorSupportedStages_10091, &inst);
   }
}
