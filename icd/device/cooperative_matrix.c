/* SPDX-License-Identifier: MIT */
#include "icd/device/cooperative_matrix.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/physical_device.h"
#include "util/macros.h"

#define T(name) VK_COMPONENT_TYPE_##name##_KHR
#define F8(name) VK_COMPONENT_TYPE_FLOAT8_##name##_EXT

static const struct icd_matrix_product products[] = {
   {T(FLOAT16), T(FLOAT16), T(FLOAT32)}, {T(FLOAT16), T(FLOAT16), T(FLOAT16)}, {T(FLOAT32), T(FLOAT32), T(FLOAT32)},
   {T(SINT8), T(SINT8), T(SINT32)},      {T(UINT8), T(UINT8), T(UINT32)},      {T(UINT8), T(UINT8), T(SINT32)},
   {T(UINT8), T(UINT8), T(UINT8)},       {T(SINT32), T(SINT32), T(SINT32)},    {T(UINT32), T(UINT32), T(UINT32)},
   {T(SINT16), T(SINT16), T(SINT16)},    {T(UINT16), T(UINT16), T(UINT16)},
#ifdef VK_KHR_shader_bfloat16
   {T(BFLOAT16), T(BFLOAT16), T(FLOAT32)}, {T(BFLOAT16), T(BFLOAT16), T(BFLOAT16)},
#endif
#ifdef VK_EXT_shader_float8
   {F8(E4M3), F8(E4M3), T(FLOAT32)}, {F8(E4M3), F8(E4M3), T(FLOAT16)}, {F8(E5M2), F8(E5M2), T(FLOAT32)}, {F8(E5M2), F8(E5M2), T(FLOAT16)},
#endif
};

const struct icd_matrix_product *icd_matrix_products(uint32_t *count)
{
   *count = UTIL_ARRAY_SIZE(products);
   return products;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceCooperativeMatrixPropertiesKHR(VkPhysicalDevice physicalDevice,
                                                                                   uint32_t *pPropertyCount,
                                                                                   VkCooperativeMatrixPropertiesKHR *pProperties)
{
   const uint32_t num = UTIL_ARRAY_SIZE(products), total = 2 * num, count = pProperties ? UTIL_MIN(*pPropertyCount, total) : total;
   for (uint32_t i = 0; pProperties && i < count; i++) {
      VkCooperativeMatrixPropertiesKHR *out = &pProperties[i];
      const struct icd_matrix_product *product = &products[i % num];
      out->MSize = out->NSize = out->KSize = i < num ? ICD_MATRIX_SIZE : ICD_SMALL_MATRIX_SIZE;
      out->AType = product->a;
      out->BType = product->b;
      out->CType = out->ResultType = product->c;
      out->saturatingAccumulation = VK_FALSE;
      out->scope = VK_SCOPE_SUBGROUP_KHR;
   }
   *pPropertyCount = count;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceCooperativeMatrixFlexibleDimensionsPropertiesNV(
   VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount, VkCooperativeMatrixFlexibleDimensionsPropertiesNV *pProperties)
{
   const uint32_t total = UTIL_ARRAY_SIZE(products), count = pProperties ? UTIL_MIN(*pPropertyCount, total) : total;
   for (uint32_t i = 0; pProperties && i < count; i++) {
      VkCooperativeMatrixFlexibleDimensionsPropertiesNV *out = &pProperties[i];
      out->MGranularity = ICD_MATRIX_M;
      out->NGranularity = ICD_MATRIX_N;
      out->KGranularity = ICD_MATRIX_K;
      out->AType = products[i].a;
      out->BType = products[i].b;
      out->CType = out->ResultType = products[i].c;
      out->saturatingAccumulation = VK_FALSE;
      out->scope = VK_SCOPE_SUBGROUP_KHR;
      out->workgroupInvocations = 0;
   }
   *pPropertyCount = count;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}
