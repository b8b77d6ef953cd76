/* SPDX-License-Identifier: MIT */
#include "compiler/object/elf_view.h"

#include <string.h>

static bool is_inside(const struct elf_view *view, uint64_t offset, uint64_t size)
{
   return offset <= view->size && size <= view->size - offset;
}

const void *elf_view_section(const struct elf_view *view, const Elf64_Shdr *section)
{
   if (section->sh_type == SHT_NOBITS || !is_inside(view, section->sh_offset, section->sh_size))
      return NULL;
   return view->bytes + section->sh_offset;
}

/* Tables of structs must be aligned for them and hold whole ones. */
static const void *find_table(const struct elf_view *view, const Elf64_Shdr *section, size_t entry_bytes)
{
   if (section->sh_entsize != entry_bytes || section->sh_offset % 8 || section->sh_size % entry_bytes)
      return NULL;
   return elf_view_section(view, section);
}

static bool find_symbols(struct elf_view *view)
{
   for (uint32_t i = 0; i < view->num_sections; i++) {
      const Elf64_Shdr *section = &view->sections[i];
      if (section->sh_type != SHT_SYMTAB)
         continue;
      view->symbols = find_table(view, section, sizeof(Elf64_Sym));
      view->num_symbols = (uint32_t)(section->sh_size / sizeof(Elf64_Sym));
      if (!view->symbols || section->sh_link >= view->num_sections)
         return false;
      const Elf64_Shdr *strings = &view->sections[section->sh_link];
      if (strings->sh_type != SHT_STRTAB || !strings->sh_size || !is_inside(view, strings->sh_offset, strings->sh_size))
         return false;
      view->strings = (const char *)view->bytes + strings->sh_offset;
      view->strings_bytes = strings->sh_size;
      return view->strings[view->strings_bytes - 1] == 0;
   }
   return false;
}

bool elf_view_init(struct elf_view *view, const void *bytes, size_t size, uint16_t machine)
{
   const Elf64_Ehdr *header = bytes;
   *view = (struct elf_view){.bytes = bytes, .size = size};

   if (size < sizeof(*header) || (uintptr_t)bytes % 8 || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
       header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB || header->e_type != ET_REL ||
       header->e_machine != machine || header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shoff % 8 ||
       !is_inside(view, header->e_shoff, (uint64_t)header->e_shnum * sizeof(Elf64_Shdr)))
      return false;
   view->end = header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr);
   view->sections = (const Elf64_Shdr *)(view->bytes + header->e_shoff);
   view->num_sections = header->e_shnum;
   return find_symbols(view);
}

const char *elf_view_symbol_name(const struct elf_view *view, const Elf64_Sym *symbol)
{
   return symbol->st_name < view->strings_bytes ? view->strings + symbol->st_name : "";
}
