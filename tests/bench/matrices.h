/* SPDX-License-Identifier: MIT
 * Kernels of cooperative matrices. */
#pragma once

#include "tests/bench/bench.h"

enum { BENCH_MATRIX_SIZE = 256, BENCH_MATRIX_TILE = 16 };

/* By factors; sums have 32 bits. Of F16_COLUMNS B stands column by column. */
enum bench_matrix { BENCH_MATRIX_F16, BENCH_MATRIX_F16_COLUMNS, BENCH_MATRIX_F32, BENCH_MATRIX_BYTES, BENCH_NUM_MATRICES };

/* Owned by the caller: free(words). */
struct bench_kernel bench_matrix_kernel(enum bench_matrix which);
