/* SPDX-License-Identifier: MIT
 * The types that matrices and cooperative vectors may be multiplied in: see compiler/spirv/cooperative/spirv_vector.h. All may be transposed.
 * Spec: Shaders, "Cooperative Vectors". */
#pragma once

#include "runtime/matrix/convert.h"

struct icd_vector_product {
   VkComponentTypeKHR input, input_as, matrix_as, bias_as, result;
};

const struct icd_vector_product *icd_vector_products(uint32_t *count);

/* With host addresses or device addresses, which are those of the process. */
struct rt_matrix_conversion icd_matrix_conversion(const VkConvertCooperativeVectorMatrixInfoNV *info);
