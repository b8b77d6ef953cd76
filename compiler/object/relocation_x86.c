/* SPDX-License-Identifier: MIT
 * Relocations of x86-64. Source: System V ABI, AMD64 supplement, "Relocation". */
#include "compiler/object/relocation.h"

#include <elf.h>
#include <string.h>

static void write_stub(uint8_t *stub, const void *target)
{
   static const uint8_t jump[6] = {0xff, 0x25, 0, 0, 0, 0}; /* jmp *(%rip): to the address behind it */
   memcpy(stub, jump, sizeof(jump));
   memcpy(stub + sizeof(jump), &target, sizeof(target));
}

static bool relocate(const struct object_relocation *r)
{
   const int64_t distance = (int64_t)(r->value - r->address);
   const bool is_wide = r->type == R_X86_64_64 || r->type == R_X86_64_PC64;
   if (r->available < (is_wide ? 8 : 4))
      return false;
   switch (r->type) {
   case R_X86_64_64: memcpy(r->unit, &r->value, 8); return true;
   case R_X86_64_PC64: memcpy(r->unit, &distance, 8); return true;
   case R_X86_64_PC32:
   case R_X86_64_PLT32:
      if (distance != (int32_t)distance)
         return false;
      memcpy(r->unit, &distance, 4);
      return true;
   default: return false;
   }
}

const struct object_family object_x86 = {"x86-64", EM_X86_64, write_stub, relocate};
