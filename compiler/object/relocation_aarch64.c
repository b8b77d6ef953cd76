/* SPDX-License-Identifier: MIT
 * Relocations of AArch64, of the small code model. Source: ELF for the Arm 64-bit Architecture, "Relocation". */
#include "compiler/object/relocation.h"

#include <elf.h>
#include <string.h>

static void write_stub(uint8_t *stub, const void *target)
{
   static const uint32_t jump[2] = {0x58000050, 0xd61f0200}; /* ldr x16, .+8; br x16 */
   memcpy(stub, jump, sizeof(jump));
   memcpy(stub + sizeof(jump), &target, sizeof(target));
}

/* An instruction's immediate: `bits` of a number of units of 1 << `shift` bytes, at bit `low` of the instruction. */
struct field {
   uint32_t type;
   uint8_t bits, shift, low;
   enum { DISTANCE, DISTANCE_OF_PAGES, IN_PAGE } of;
   bool is_checked, is_split; /* split: the lowest two bits stand at bit 29 */
};

static const struct field fields[] = {
   {R_AARCH64_LD_PREL_LO19, 19, 2, 5, DISTANCE, true, false},
   {R_AARCH64_ADR_PREL_LO21, 21, 0, 5, DISTANCE, true, true},
   {R_AARCH64_ADR_PREL_PG_HI21, 21, 12, 5, DISTANCE_OF_PAGES, true, true},
   {R_AARCH64_ADR_PREL_PG_HI21_NC, 21, 12, 5, DISTANCE_OF_PAGES, false, true},
   {R_AARCH64_ADD_ABS_LO12_NC, 12, 0, 10, IN_PAGE, false, false},
   {R_AARCH64_LDST8_ABS_LO12_NC, 12, 0, 10, IN_PAGE, false, false},
   {R_AARCH64_LDST16_ABS_LO12_NC, 12, 1, 10, IN_PAGE, false, false},
   {R_AARCH64_LDST32_ABS_LO12_NC, 12, 2, 10, IN_PAGE, false, false},
   {R_AARCH64_LDST64_ABS_LO12_NC, 12, 3, 10, IN_PAGE, false, false},
   {R_AARCH64_LDST128_ABS_LO12_NC, 12, 4, 10, IN_PAGE, false, false},
   {R_AARCH64_TSTBR14, 14, 2, 5, DISTANCE, true, false},
   {R_AARCH64_CONDBR19, 19, 2, 5, DISTANCE, true, false},
   {R_AARCH64_JUMP26, 26, 2, 0, DISTANCE, true, false},
   {R_AARCH64_CALL26, 26, 2, 0, DISTANCE, true, false},
};

enum { PAGE_MASK = 0xfff }; /* of the instructions, whatever the system's pages are */

static bool fill_field(const struct object_relocation *r, const struct field *field)
{
   int64_t number = field->of == DISTANCE            ? (int64_t)(r->value - r->address)
                    : field->of == DISTANCE_OF_PAGES ? (int64_t)((r->value & ~(uint64_t)PAGE_MASK) - (r->address & ~(uint64_t)PAGE_MASK))
                                                     : (int64_t)(r->value & PAGE_MASK);
   if (number & ((INT64_C(1) << field->shift) - 1))
      return false;
   number >>= field->shift;
   const int64_t limit = INT64_C(1) << (field->bits - 1);
   if (field->is_checked && (number < -limit || number >= limit))
      return false;
   const uint32_t split = field->is_split ? 2 : 0, rest = field->bits - split;
   uint32_t mask = ((1u << rest) - 1) << field->low, bits = ((uint32_t)(number >> split) << field->low) & mask, instruction;
   if (split) {
      mask |= 3u << 29;
      bits |= ((uint32_t)number & 3) << 29;
   }
   memcpy(&instruction, r->unit, 4);
   instruction = (instruction & ~mask) | bits;
   memcpy(r->unit, &instruction, 4);
   return true;
}

static bool relocate(const struct object_relocation *r)
{
   const int64_t distance = (int64_t)(r->value - r->address);
   const bool is_wide = r->type == R_AARCH64_ABS64 || r->type == R_AARCH64_PREL64;
   if (r->available < (is_wide ? 8 : 4))
      return false;
   switch (r->type) {
   case R_AARCH64_ABS64: memcpy(r->unit, &r->value, 8); return true;
   case R_AARCH64_PREL64: memcpy(r->unit, &distance, 8); return true;
   case R_AARCH64_PREL32:
      if (distance != (int32_t)distance)
         return false;
      memcpy(r->unit, &distance, 4);
      return true;
   default: break;
   }
   for (uint32_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
      if (fields[i].type == r->type)
         return fill_field(r, &fields[i]);
   }
   return false;
}

const struct object_family object_aarch64 = {"AArch64", EM_AARCH64, write_stub, relocate};
