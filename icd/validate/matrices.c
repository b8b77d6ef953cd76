/* SPDX-License-Identifier: MIT
 * Cooperative matrices against the types that are offered. Those whose sizes specialization decides are looked at when it is known. */
#include "icd/device/cooperative_matrix.h"
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

struct matrix {
   uint32_t rows, columns, use, scope;
   VkComponentTypeKHR type;
   bool is_known; /* sizes are */
};

static VkComponentTypeKHR narrow_component_type(uint32_t encoding)
{
   switch (encoding) {
#ifdef VK_KHR_shader_bfloat16
   case UTIL_SPV_ENCODING_BFLOAT16: return VK_COMPONENT_TYPE_BFLOAT16_KHR;
#endif
   case UTIL_SPV_ENCODING_E4M3: return VK_COMPONENT_TYPE_FLOAT_E4M3_NV;
   case UTIL_SPV_ENCODING_E5M2: return VK_COMPONENT_TYPE_FLOAT_E5M2_NV;
   default: return VK_COMPONENT_TYPE_MAX_ENUM_KHR;
   }
}

VkComponentTypeKHR icd_component_type(const struct icd_spirv_inst *scalar)
{
   static const VkComponentTypeKHR floats[3] = {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, VK_COMPONENT_TYPE_FLOAT64_KHR};
   static const VkComponentTypeKHR ints[2][4] = {
      {VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_UINT16_KHR, VK_COMPONENT_TYPE_UINT32_KHR, VK_COMPONENT_TYPE_UINT64_KHR},
      {VK_COMPONENT_TYPE_SINT8_KHR, VK_COMPONENT_TYPE_SINT16_KHR, VK_COMPONENT_TYPE_SINT32_KHR, VK_COMPONENT_TYPE_SINT64_KHR},
   };
   if (scalar->op == SpvOpTypeFloat && scalar->count > 3) /* an encoding */
      return narrow_component_type(icd_spirv_word(scalar, 3));
   const uint32_t bits = icd_spirv_word(scalar, 2), log2_bytes = bits >= 8 && bits <= 64 ? 28 - (uint32_t)__builtin_clz(bits) : 0;
   if (scalar->op == SpvOpTypeFloat && log2_bytes)
      return floats[log2_bytes - 1];
   return scalar->op == SpvOpTypeInt ? ints[icd_spirv_word(scalar, 3) != 0][log2_bytes] : VK_COMPONENT_TYPE_MAX_ENUM_KHR;
}

/* False: `type` is no such matrix. */
static bool read_matrix(const struct icd_check *check, uint32_t type, struct matrix *matrix)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, type);
   if (inst.op != SpvOpTypeCooperativeMatrixKHR)
      return false;
   const struct icd_spirv_inst scalar = icd_spirv_definition(check->module, icd_spirv_word(&inst, 2));
   *matrix = (struct matrix){.type = icd_component_type(&scalar)};
   matrix->is_known = icd_spirv_constant(check->module, icd_spirv_word(&inst, 3), &matrix->scope) &&
                      icd_spirv_constant(check->module, icd_spirv_word(&inst, 4), &matrix->rows) &&
                      icd_spirv_constant(check->module, icd_spirv_word(&inst, 5), &matrix->columns) &&
                      icd_spirv_constant(check->module, icd_spirv_word(&inst, 6), &matrix->use);
   return true;
}

static VkComponentTypeKHR type_of_use(const struct icd_matrix_product *product, uint32_t use)
{
   return use == SpvCooperativeMatrixUseMatrixAKHR ? product->a : use == SpvCooperativeMatrixUseMatrixBKHR ? product->b : product->c;
}

/* The same width without sign: in integer matrices the operands of instructions say it. */
static VkComponentTypeKHR as_unsigned(VkComponentTypeKHR type)
{
   switch (type) {
   case VK_COMPONENT_TYPE_SINT8_KHR: return VK_COMPONENT_TYPE_UINT8_KHR;
   case VK_COMPONENT_TYPE_SINT16_KHR: return VK_COMPONENT_TYPE_UINT16_KHR;
   case VK_COMPONENT_TYPE_SINT32_KHR: return VK_COMPONENT_TYPE_UINT32_KHR;
   case VK_COMPONENT_TYPE_SINT64_KHR: return VK_COMPONENT_TYPE_UINT64_KHR;
   default: return type;
   }
}

static bool is_signed(VkComponentTypeKHR type)
{
   return as_unsigned(type) != type;
}

static bool is_float(VkComponentTypeKHR type)
{
   return type < VK_COMPONENT_TYPE_SINT8_KHR || type > VK_COMPONENT_TYPE_UINT64_KHR;
}

/* Rows and columns that flexible dimensions allow to a use are multiples of these. */
static bool is_multiple(const struct matrix *m)
{
   const uint32_t rows = m->use == SpvCooperativeMatrixUseMatrixBKHR ? ICD_MATRIX_K : ICD_MATRIX_M;
   const uint32_t columns = m->use == SpvCooperativeMatrixUseMatrixAKHR ? ICD_MATRIX_K : ICD_MATRIX_N;
   return m->rows && m->columns && m->rows % rows == 0 && m->columns % columns == 0;
}

static void check_type(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   struct matrix matrix;
   uint32_t count;
   const struct icd_matrix_product *products = icd_matrix_products(&count);
   const bool is_flexible = check->env->features->cooperativeMatrixFlexibleDimensions;
   if (!read_matrix(check, icd_spirv_result(inst), &matrix) || !matrix.is_known)
      return;
   bool is_found = false;
   for (uint32_t i = 0; i < count; i++)
      is_found |= as_unsigned(type_of_use(&products[i], matrix.use)) == as_unsigned(matrix.type);
   const bool has_size = matrix.rows == matrix.columns && (matrix.rows == ICD_MATRIX_SIZE || matrix.rows == ICD_SMALL_MATRIX_SIZE);
   if (matrix.scope == SpvScopeWorkgroup)
      ICD_BROKEN(check, RuntimeSpirv_cooperativeMatrixWorkgroupScope_10164, inst);
   else if (is_flexible && UTIL_MAX(matrix.rows, matrix.columns) > ICD_MATRIX_MAX_DIMENSION)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_cooperativeMatrixFlexibleDimensionsMaxDimension_10167, inst, "%u x %u", matrix.rows, matrix.columns);
   else if (is_flexible && (!is_found || matrix.scope != SpvScopeSubgroup || !(has_size || is_multiple(&matrix))))
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_cooperativeMatrixFlexibleDimensions_10165, inst, "%u x %u, component type %d", matrix.rows,
                         matrix.columns, (int)matrix.type);
   else if (!is_flexible && (!is_found || matrix.scope != SpvScopeSubgroup || !has_size))
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpTypeCooperativeMatrixKHR_10163, inst, "%u x %u, component type %d", matrix.rows,
                         matrix.columns, (int)matrix.type);
}

/* Which sizes there are is the types' business; here they are all the same, or fit each other. */
static void check_product(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   static const uint32_t signs[4] = {
      SpvCooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask, SpvCooperativeMatrixOperandsMatrixASignedComponentsKHRMask,
      SpvCooperativeMatrixOperandsMatrixBSignedComponentsKHRMask, SpvCooperativeMatrixOperandsMatrixCSignedComponentsKHRMask};
   struct matrix m[4];
   uint32_t count;
   const struct icd_matrix_product *products = icd_matrix_products(&count);
   const bool is_flexible = check->env->features->cooperativeMatrixFlexibleDimensions;
   for (uint32_t i = 0; i < 4; i++) { /* the result, A, B, C */
      const uint32_t type = i ? icd_spirv_type_of(check->module, icd_spirv_word(inst, 2 + i)) : icd_spirv_word(inst, 1);
      if (!read_matrix(check, type, &m[i]))
         return;
   }
   const uint32_t operands = icd_spirv_word(inst, 6);
   for (uint32_t p = 0; p < count && !(operands & SpvCooperativeMatrixOperandsSaturatingAccumulationKHRMask); p++) {
      const VkComponentTypeKHR offered[4] = {products[p].c, products[p].a, products[p].b, products[p].c};
      bool fits = true;
      for (uint32_t i = 0; i < 4; i++) {
         fits &= (is_flexible || !m[i].is_known || !m[0].is_known || m[i].rows == m[0].rows) &&
                 as_unsigned(offered[i]) == as_unsigned(m[i].type) &&
                 (is_float(m[i].type) || is_signed(offered[i]) == ((operands & signs[i]) != 0));
      }
      if (fits)
         return;
   }
   if (is_flexible)
      ICD_BROKEN(check, RuntimeSpirv_cooperativeMatrixFlexibleDimensions_10166, inst);
   else
      ICD_BROKEN(check, RuntimeSpirv_OpCooperativeMatrixMulAddKHR_10060, inst);
}

void icd_check_matrices(const struct icd_check *check)
{
   const VkShaderStageFlags stages = check->env->properties->cooperativeMatrixSupportedStages;
   if (!icd_spirv_has_capability(check->module, SpvCapabilityCooperativeMatrixKHR))
      return;
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpTypeCooperativeMatrixKHR)
         check_type(check, &inst);
   }
   ICD_CHECK_BODY(check, function, inst) {
      const bool is_second = inst.op == SpvOpCooperativeMatrixConvertNV || inst.op == SpvOpCooperativeMatrixTransposeNV ||
                             (inst.op >= SpvOpCooperativeMatrixReduceNV && inst.op <= SpvOpCooperativeMatrixPerElementOpNV);
      if (!is_second && (inst.op < SpvOpCooperativeMatrixLoadKHR || inst.op > SpvOpCooperativeMatrixLengthKHR))
         continue;
      if (function->stages & ~stages)
         ICD_BROKEN(check, RuntimeSpirv_cooperativeMatrixSupportedStages_08985, &inst);
      if (inst.op == SpvOpCooperativeMatrixMulAddKHR)
         check_product(check, &inst);
   }
}
