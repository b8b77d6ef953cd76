/* SPDX-License-Identifier: MIT
 * Products and transposes of cooperative matrices: a call for whole matrices, which one subgroup makes. Spec: SPV_KHR_cooperative_matrix.
 * And where the elements of matrices in memory are that cooperative vectors are multiplied by. Spec: SPV_NV_cooperative_vector. */
#pragma once

#include <stdint.h>

enum abi_matrix_class {
   ABI_MATRIX_FLOAT,   /* 32 bits; products fused with their sums, in the order of k; NaN comes out as 0x7fc00000 */
   ABI_MATRIX_INTEGER, /* 32 bits, modulo 2^32 */
   ABI_MATRIX_SHORT,   /* the same, of factors between -2^15 and 2^15 - 1 */
   ABI_MATRIX_BITS,    /* c[m][n] |= a[m][k] | b[k][n]: of bits that say what nobody wrote */
   ABI_NUM_MATRIX_CLASSES
};

/* Rows and columns are multiples of 8. */
enum { ABI_MATRIX_MAX_SIZE = 512, ABI_MATRIX_SIZE_BITS = 10 };

/* Of matrices of m x k, k x n and m x n words. */
static inline uint32_t abi_matrix_sizes(uint32_t m, uint32_t n, uint32_t k)
{
   return m | n << ABI_MATRIX_SIZE_BITS | k << 2 * ABI_MATRIX_SIZE_BITS;
}

/* Those sizes: what is `index` of m, n, k. */
static inline uint32_t abi_matrix_size(uint32_t sizes, uint32_t index)
{
   return sizes >> index * ABI_MATRIX_SIZE_BITS & ((1u << ABI_MATRIX_SIZE_BITS) - 1);
}

/* Words behind each other: a, b, c, row by row, 64-byte aligned; c becomes the sum of itself and the product. */
typedef void abi_multiply_matrices_fn(uint32_t *words, uint32_t sizes, uint32_t class);

/* A matrix of words, row by row, 64-byte aligned; behind it its transpose is written. `rows` and `columns` are multiples of 8. */
typedef void abi_transpose_matrix_fn(uint32_t *words, uint32_t rows, uint32_t columns);

/* The layouts of a matrix in memory, as SPIR-V and Vulkan number them. The optimal ones are one and the same: columns without gaps. */
enum abi_matrix_layout {
   ABI_LAYOUT_ROWS,
   ABI_LAYOUT_COLUMNS,
   ABI_LAYOUT_INFERENCING,
   ABI_LAYOUT_TRAINING,
};

/* Bytes from a column of so many rows to the next, in the optimal layouts. */
static inline uint64_t abi_optimal_stride(uint32_t rows, uint32_t element_bytes)
{
   return (uint64_t)rows * element_bytes;
}
