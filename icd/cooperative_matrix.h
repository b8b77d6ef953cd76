/* SPDX-License-Identifier: MIT
 * The cooperative matrices that shaders may use: see compiler/spirv/spirv_cooperative.c.
 * Spec: Shaders, "Cooperative Matrices". */
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* A * B + C: all matrices are square, 16 x 16 or 8 x 8, and belong to a subgroup, whatever its size. */
enum { ICD_MATRIX_SIZE = 16, ICD_SMALL_MATRIX_SIZE = 8 };

struct icd_matrix_product {
   VkComponentTypeKHR a, b, c; /* the result has the type of C */
};

const struct icd_matrix_product *icd_matrix_products(uint32_t *count);
