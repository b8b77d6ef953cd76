/* SPDX-License-Identifier: MIT
 * Conversion of matrices that cooperative vectors are multiplied by: from one layout and type of elements to another.
 * Spec: Shaders, "Cooperative Vectors", vkConvertCooperativeVectorMatrixNV. Layouts: abi/matrix.h. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* A matrix as it stands on one side. */
struct rt_matrix_side {
   VkComponentTypeKHR type;
   VkCooperativeVectorMatrixLayoutNV layout;
   uint64_t stride_bytes; /* from a row or column to the next; of the optimal layouts ignored */
};

struct rt_matrix_conversion {
   uint8_t *dst;
   const uint8_t *src; /* the two have nothing in common */
   uint64_t dst_bytes, src_bytes; /* how much there is */
   uint32_t rows, columns;
   struct rt_matrix_side to, from;
};

/* How much a matrix takes; UINT64_MAX: as much as nobody has, or a type or layout that there is not. */
uint64_t rt_matrix_bytes(const struct rt_matrix_side *side, uint32_t rows, uint32_t columns);

/* False: one of the two is too small, or a type does not become the other. */
bool rt_can_convert(const struct rt_matrix_conversion *conversion);
/* Of a conversion that is possible the elements from `begin` to before `end`, column by column; of all there are rows times columns. Rounds to nearest even. */
void rt_convert_elements(const struct rt_matrix_conversion *conversion, uint64_t begin, uint64_t end);
