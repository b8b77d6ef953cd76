/* SPDX-License-Identifier: MIT */
#include "icd/device/cooperative_vector.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/physical_device.h"
#include "runtime/instrument/written.h"
#include "util/macros.h"

#define K(name) VK_COMPONENT_TYPE_##name##_KHR
#define N(name) VK_COMPONENT_TYPE_##name##_NV

/* A bias is of the result's type. */
#define PRODUCT(input, input_as, matrix_as, result) {input, input_as, matrix_as, result, result}

static const struct icd_vector_product products[] = {
   /* which every device has */
   PRODUCT(K(FLOAT16), K(FLOAT16), K(FLOAT16), K(FLOAT16)),
   PRODUCT(K(UINT32), N(SINT8_PACKED), K(SINT8), K(SINT32)),
   PRODUCT(K(SINT8), K(SINT8), K(SINT8), K(SINT32)),
   PRODUCT(K(FLOAT32), K(SINT8), K(SINT8), K(SINT32)),
   PRODUCT(K(FLOAT16), N(FLOAT_E4M3), N(FLOAT_E4M3), K(FLOAT16)),
   PRODUCT(K(FLOAT16), N(FLOAT_E5M2), N(FLOAT_E5M2), K(FLOAT16)),
   /* and others */
   PRODUCT(K(FLOAT32), K(FLOAT32), K(FLOAT32), K(FLOAT32)),
   PRODUCT(K(FLOAT16), K(FLOAT16), K(FLOAT16), K(FLOAT32)),
   PRODUCT(K(FLOAT16), N(FLOAT_E4M3), N(FLOAT_E4M3), K(FLOAT32)),
   PRODUCT(K(FLOAT16), N(FLOAT_E5M2), N(FLOAT_E5M2), K(FLOAT32)),
   PRODUCT(K(UINT32), N(UINT8_PACKED), K(UINT8), K(UINT32)),
   PRODUCT(K(UINT32), N(UINT8_PACKED), K(UINT8), K(SINT32)),
   PRODUCT(K(UINT32), N(UINT8_PACKED), K(SINT8), K(SINT32)),
   PRODUCT(K(UINT8), K(UINT8), K(UINT8), K(UINT32)),
   PRODUCT(K(UINT8), K(UINT8), K(UINT8), K(SINT32)),
   PRODUCT(K(UINT8), K(UINT8), K(SINT8), K(SINT32)),
   PRODUCT(K(SINT8), K(SINT8), K(UINT8), K(SINT32)),
   PRODUCT(K(SINT32), K(SINT8), K(SINT8), K(SINT32)),
};

const struct icd_vector_product *icd_vector_products(uint32_t *count)
{
   *count = UTIL_ARRAY_SIZE(products);
   return products;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetPhysicalDeviceCooperativeVectorPropertiesNV(VkPhysicalDevice physicalDevice, uint32_t *pPropertyCount,
                                                                                  VkCooperativeVectorPropertiesNV *pProperties)
{
   const uint32_t total = UTIL_ARRAY_SIZE(products), count = pProperties ? UTIL_MIN(*pPropertyCount, total) : total;
   for (uint32_t i = 0; pProperties && i < count; i++) {
      VkCooperativeVectorPropertiesNV *out = &pProperties[i];
      out->inputType = products[i].input;
      out->inputInterpretation = products[i].input_as;
      out->matrixInterpretation = products[i].matrix_as;
      out->biasInterpretation = products[i].bias_as;
      out->resultType = products[i].result;
      out->transpose = VK_TRUE;
   }
   *pPropertyCount = count;
   return count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

/* ---- conversion of matrices ---- */

struct rt_matrix_conversion icd_matrix_conversion(const VkConvertCooperativeVectorMatrixInfoNV *info)
{
   return (struct rt_matrix_conversion){
      .dst = info->dstData.hostAddress,
      .src = info->srcData.hostAddress,
      .dst_bytes = *info->pDstSize,
      .src_bytes = info->srcSize,
      .rows = info->numRows,
      .columns = info->numColumns,
      .to = {info->dstComponentType, info->dstLayout, info->dstStride},
      .from = {info->srcComponentType, info->srcLayout, info->srcStride},
   };
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ConvertCooperativeVectorMatrixNV(VkDevice device, const VkConvertCooperativeVectorMatrixInfoNV *pInfo)
{
   const struct rt_matrix_conversion conversion = icd_matrix_conversion(pInfo);
   const uint64_t size = rt_matrix_bytes(&conversion.to, conversion.rows, conversion.columns);
   if (!conversion.dst) {
      *pInfo->pDstSize = size == UINT64_MAX ? 0 : size;
      return VK_SUCCESS;
   }
   if (!conversion.src || !rt_can_convert(&conversion)) {
      *pInfo->pDstSize = 0;
      return VK_INCOMPLETE;
   }
   rt_convert_elements(&conversion, 0, (uint64_t)conversion.rows * conversion.columns);
   rt_written(conversion.dst, size);
   *pInfo->pDstSize = size;
   return VK_SUCCESS;
}
