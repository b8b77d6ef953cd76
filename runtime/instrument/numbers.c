/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/instrument.h"

#include <string.h>

enum class { FINITE, INFINITE, NOT_A_NUMBER };

/* Of the bits of a float of 16, 32 or 64 bits. */
static enum class class_of(uint64_t value, uint32_t bits)
{
   const uint32_t fraction_bits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
   const uint64_t fraction = value & ((UINT64_C(1) << fraction_bits) - 1);
   const uint64_t all = (UINT64_C(1) << (bits - 1 - fraction_bits)) - 1;
   if ((value >> fraction_bits & all) != all)
      return FINITE;
   return fraction ? NOT_A_NUMBER : INFINITE;
}

bool rt_makes_not_finite(const struct abi_site *site, const uint64_t *operands)
{
   const enum class result = class_of(operands[0], site->bits);
   enum class worst = FINITE;
   for (uint32_t i = 0; i < site->num_sources; i++) {
      const bool is_integer = i == 1 && strcmp(site->texts + site->operation, "fldexp") == 0;
      const enum class source = is_integer ? FINITE : class_of(operands[1 + i], site->limit ? site->limit : site->bits);
      worst = UTIL_MAX(worst, source);
   }
   return result > worst;
}
