/* SPDX-License-Identifier: MIT
 * Products and transposes of cooperative matrices, as compiled shaders call them (abi/matrix.h). */
#pragma once

#include "abi/matrix.h"

/* What compiled code calls. */
void rt_multiply_matrices(uint32_t *words, uint32_t sizes, uint32_t class);
void rt_transpose_matrix(uint32_t *words, uint32_t rows, uint32_t columns);

/* The builds for each instruction set level: the same bits. */
abi_multiply_matrices_fn rt_matrix_multiply, rt_matrix_multiply_v3, rt_matrix_multiply_v4;
abi_transpose_matrix_fn rt_matrix_transpose, rt_matrix_transpose_v3, rt_matrix_transpose_v4;
