/* SPDX-License-Identifier: MIT
 * A checked view of an ELF64 relocatable object. Everything that is handed out lies inside of the bytes, whatever these hold: they may
 * come from a damaged cache. Source: System V ABI, "Object Files". */
#pragma once

#include "util/macros.h"

#include <elf.h>
#include <stdbool.h>

struct elf_view {
   const uint8_t *bytes;
   size_t size;
   uint64_t end; /* of the section headers, which LLVM writes last */
   const Elf64_Shdr *sections;
   uint32_t num_sections;
   const Elf64_Sym *symbols;
   uint32_t num_symbols;
   const char *strings; /* names of symbols, ended by 0 */
   size_t strings_bytes;
};

/* False if the bytes are not such an object for `machine`, EM_X86_64 or its like. `bytes` must be 8-byte aligned. */
UTIL_MUST_CHECK bool elf_view_init(struct elf_view *view, const void *bytes, size_t size, uint16_t machine);
/* The bytes of a section, NULL if they lie outside or the section has none. */
const void *elf_view_section(const struct elf_view *view, const Elf64_Shdr *section);
/* The name of a symbol, "" if it is damaged. */
const char *elf_view_symbol_name(const struct elf_view *view, const Elf64_Sym *symbol);
