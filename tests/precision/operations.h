/* SPDX-License-Identifier: MIT
 * The operations that are measured. Spec: Vulkan Environment for SPIR-V, "Precision of Core SPIR-V Instructions", "Precision of
 * GLSL.std.450 Instructions". */
#pragma once

#include "tests/precision/bounded.h"

#include <stdbool.h>

enum operand_class { OPERAND_FLOAT, OPERAND_INT, OPERAND_UINT, OPERAND_FLOAT_AND_INT /* the second one */ };

struct operation {
   const char *name;
   const char *bound;     /* as the specification says it, for 32 bits */
   uint8_t number;        /* in precision.comp */
   uint8_t num_operands;
   uint8_t class;         /* enum operand_class of the first operand */
   uint8_t result_bits;   /* 0: as wide as the operands */
   uint8_t least_bits, max_bits;
   double low[3], high[3]; /* of the operands; both 0: every finite number */
   struct bounded (*formula)(const struct float_format *format, const real *x);
};

extern const struct operation operations[];
extern const uint32_t num_operations;
