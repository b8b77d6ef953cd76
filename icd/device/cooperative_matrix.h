/* SPDX-License-Identifier: MIT
 * The cooperative matrices that shaders may use: see compiler/spirv/cooperative/spirv_cooperative.c.
 * Spec: Shaders, "Cooperative Matrices". */
#pragma once

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* A * B + C: all matrices are square, 16 x 16 or 8 x 8, and belong to a subgroup, whatever its size. */
enum { ICD_MATRIX_SIZE = 16, ICD_SMALL_MATRIX_SIZE = 8 };

struct icd_matrix_product {
   VkComponentTypeKHR a, b, c; /* the result has the type of C */
};

/* With flexible dimensions rows and columns are multiples of these, and no more than the maximum. */
enum { ICD_MATRIX_M = 16, ICD_MATRIX_N = 32, ICD_MATRIX_K = 16, ICD_MATRIX_MAX_DIMENSION = 512 };

const struct icd_matrix_product *icd_matrix_products(uint32_t *count);
