/* SPDX-License-Identifier: MIT
 * Chooses the code for the processor's instruction set once, at load. */
#include "runtime/matrix/matrix.h"

#include "util/cpu.h"

static abi_multiply_matrices_fn *multiply = rt_matrix_multiply;
static abi_transpose_matrix_fn *transpose = rt_matrix_transpose;

#ifdef __x86_64__
__attribute__((constructor)) static void choose_level(void)
{
   const enum util_cpu_level level = util_cpu_level();
   multiply = level >= UTIL_CPU_V4 ? rt_matrix_multiply_v4 : level >= UTIL_CPU_V3 ? rt_matrix_multiply_v3 : rt_matrix_multiply;
   transpose = level >= UTIL_CPU_V4 ? rt_matrix_transpose_v4 : level >= UTIL_CPU_V3 ? rt_matrix_transpose_v3 : rt_matrix_transpose;
}
#endif

void rt_multiply_matrices(uint32_t *words, uint32_t sizes, uint32_t class)
{
   multiply(words, sizes, class);
}

void rt_transpose_matrix(uint32_t *words, uint32_t rows, uint32_t columns)
{
   transpose(words, rows, columns);
}
