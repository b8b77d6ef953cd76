/* SPDX-License-Identifier: MIT
 * Relocations of both families of processors, on each: instructions as assemblers write them, and what is out of reach. */
#include "compiler/object/relocation.h"
#include "tests/test.h"
#include "util/macros.h"

#include <elf.h>
#include <string.h>

static const struct row {
   const struct object_family *family;
   uint32_t type;
   uint64_t before, address, value;
   bool is_possible;
   uint64_t after;
} rows[] = {
   {&object_x86, R_X86_64_64, 0, 0x1000, 0x123456789abcdef0, true, 0x123456789abcdef0},
   {&object_x86, R_X86_64_PC64, 0, 0x1000, 0xff0, true, (uint64_t)-0x10},
   {&object_x86, R_X86_64_PC32, 0xaaaaaaaa00000000, 0x1000, 0x800, true, 0xaaaaaaaafffff800},
   {&object_x86, R_X86_64_PLT32, 0, 0x1000, 0x1000 + INT64_C(0x7fffffff), true, 0x7fffffff},
   {&object_x86, R_X86_64_PLT32, 0, 0x1000, 0x1000 + INT64_C(0x80000000), false, 0},
   {&object_x86, R_X86_64_COPY, 0, 0x1000, 0x2000, false, 0},

   {&object_aarch64, R_AARCH64_ABS64, 0, 0x1000, 0x123456789abcdef0, true, 0x123456789abcdef0},
   {&object_aarch64, R_AARCH64_PREL64, 0, 0x1000, 0xff0, true, (uint64_t)-0x10},
   {&object_aarch64, R_AARCH64_PREL32, 0, 0x1000, 0xff0, true, 0xfffffff0},
   {&object_aarch64, R_AARCH64_PREL32, 0, 0x1000, 0x1000 - INT64_C(0x80000001), false, 0},
   {&object_aarch64, R_AARCH64_CALL26, 0x94000000, 0x1000, 0x1008, true, 0x94000002},             /* bl .+8 */
   {&object_aarch64, R_AARCH64_CALL26, 0x94000000, 0x1000, 0x1006, false, 0},                     /* not aligned */
   {&object_aarch64, R_AARCH64_CALL26, 0x94000000, 0x10000000, 0x17fffffc, true, 0x95ffffff},     /* 128 MiB - 4 */
   {&object_aarch64, R_AARCH64_CALL26, 0x94000000, 0x10000000, 0x18000000, false, 0},
   {&object_aarch64, R_AARCH64_JUMP26, 0x14000000, 0x10000000, 0x0ffffffc, true, 0x17ffffff},     /* b .-4 */
   {&object_aarch64, R_AARCH64_JUMP26, 0x14000000, 0x10000000, 0x08000000, true, 0x16000000},
   {&object_aarch64, R_AARCH64_JUMP26, 0x14000000, 0x10000000, 0x07fffffc, false, 0},
   {&object_aarch64, R_AARCH64_CONDBR19, 0x54000000, 0x1000, 0x1008, true, 0x54000040},           /* b.eq .+8 */
   {&object_aarch64, R_AARCH64_CONDBR19, 0x54000000, 0x1000, 0x1000 + (1 << 20), false, 0},
   {&object_aarch64, R_AARCH64_TSTBR14, 0x36000000, 0x1000, 0x1008, true, 0x36000040},            /* tbz w0, #0, .+8 */
   {&object_aarch64, R_AARCH64_TSTBR14, 0x36000000, 0x1000, 0x1000 + (1 << 15), false, 0},
   {&object_aarch64, R_AARCH64_LD_PREL_LO19, 0x58000000, 0x1000, 0x1008, true, 0x58000040},       /* ldr x0, .+8 */
   {&object_aarch64, R_AARCH64_ADR_PREL_LO21, 0x10000000, 0x1000, 0x1005, true, 0x30000020},      /* adr x0, .+5 */
   {&object_aarch64, R_AARCH64_ADR_PREL_LO21, 0x10000000, 0x200000, 0x1fffff, true, 0x70ffffe0},  /* adr x0, .-1 */
   {&object_aarch64, R_AARCH64_ADR_PREL_LO21, 0x10000000, 0x200000, 0x300000, false, 0},
   {&object_aarch64, R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, 0x1ffc, 0x2000, true, 0xb0000000},   /* the next page */
   {&object_aarch64, R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, 0x1000, 0x1fff, true, 0x90000000},   /* the same page */
   {&object_aarch64, R_AARCH64_ADR_PREL_PG_HI21, 0x90000000, 0x1000, UINT64_C(0x100001000), false, 0},
   {&object_aarch64, R_AARCH64_ADD_ABS_LO12_NC, 0x91000000, 0x1000, 0x5abc, true, 0x912af000},    /* add x0, x0, #0xabc */
   {&object_aarch64, R_AARCH64_LDST8_ABS_LO12_NC, 0x39400000, 0x1000, 0x5001, true, 0x39400400},  /* ldrb w0, [x0, #1] */
   {&object_aarch64, R_AARCH64_LDST16_ABS_LO12_NC, 0x79400000, 0x1000, 0x5002, true, 0x79400400}, /* ldrh w0, [x0, #2] */
   {&object_aarch64, R_AARCH64_LDST32_ABS_LO12_NC, 0xb9400000, 0x1000, 0x5004, true, 0xb9400400}, /* ldr w0, [x0, #4] */
   {&object_aarch64, R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400000, 0x1000, 0x5008, true, 0xf9400400}, /* ldr x0, [x0, #8] */
   {&object_aarch64, R_AARCH64_LDST64_ABS_LO12_NC, 0xf9400000, 0x1000, 0x5004, false, 0},
   {&object_aarch64, R_AARCH64_LDST128_ABS_LO12_NC, 0x3dc00000, 0x1000, 0x5020, true, 0x3dc00800}, /* ldr q0, [x0, #32] */
   {&object_aarch64, R_AARCH64_COPY, 0, 0x1000, 0x2000, false, 0},
};

TEST(rows)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      const struct row *row = &rows[i];
      uint64_t word = row->before;
      const struct object_relocation relocation = {row->type, (uint8_t *)&word, sizeof(word), row->address, row->value};
      if (row->family->relocate(&relocation) != row->is_possible || word != (row->is_possible ? row->after : row->before)) {
         char text[128];
         snprintf(text, sizeof(text), "%s, row %u: type %u gives %016" PRIx64, row->family->name, i, row->type, word);
         test_fail(__FILE__, __LINE__, text);
      }
   }
}

/* At the end of a section, and of a page that nothing follows. */
TEST(too_few_bytes)
{
   const struct object_family *const families[] = {&object_x86, &object_aarch64};
   const uint32_t words[] = {R_X86_64_PC32, R_AARCH64_CALL26}, pairs[] = {R_X86_64_64, R_AARCH64_ABS64};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(families); i++) {
      uint64_t word = 0;
      CHECK(!families[i]->relocate(&(struct object_relocation){words[i], (uint8_t *)&word, 3, 0x1000, 0x2000}));
      CHECK(families[i]->relocate(&(struct object_relocation){words[i], (uint8_t *)&word, 4, 0x1000, 0x2000}));
      CHECK(!families[i]->relocate(&(struct object_relocation){pairs[i], (uint8_t *)&word, 7, 0x1000, 0x2000}));
      CHECK(families[i]->relocate(&(struct object_relocation){pairs[i], (uint8_t *)&word, 8, 0x1000, 0x2000}));
   }
}

TEST_MAIN
