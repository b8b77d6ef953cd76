/* SPDX-License-Identifier: MIT
 * Random compute shaders as SPIR-V assembly: nested selections, switches and loops with breaks, continues and early returns, functions,
 * variables and arrays with computed indices, arithmetic of 32 and 64 bits, floating-point modes. They end, and every result is defined
 * by the driver's own rules (division by zero, shifts beyond the width, conversions out of range), so that two machines must agree.
 * NaNs are made one value, since which one an operation gives is free; products are not contracted.
 *
 * Bindings of set 0: 0 RANDOM_SPIRV_INPUTS words that are read, 1 RANDOM_SPIRV_OUTPUTS words an invocation that it writes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANDOM_SPIRV_INPUTS = 64, RANDOM_SPIRV_OUTPUTS = 16, RANDOM_SPIRV_LOCAL_SIZE = 40 };

/* The text, to be freed with free(); the same for the same arguments. NULL: out of memory. is_untyped: it also loads, stores and copies through
 * untyped pointers (SPV_KHR_untyped_pointers). */
char *random_spirv(uint64_t seed, bool is_untyped);
/* The same with the first choices given: each of these bytes is one. */
char *random_spirv_of_choices(uint64_t seed, bool is_untyped, const uint8_t *choices, size_t num_choices);
