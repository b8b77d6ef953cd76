/* SPDX-License-Identifier: MIT
 * Lays out object code in memory: first the executable sections of all of a binary's objects, then read-only ones, on pages of their own. Pages are written
 * before they become executable, and never both. */
#include "compiler/compiler.h"
#include "compiler/object/elf_view.h"
#include "compiler/object/relocation.h"
#include "util/debug.h"
#include "util/outside.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_SECTIONS = 64, MAX_CODE_BYTES = 256 << 20 };

/* The only functions of the C library that code may call by name, through stubs that reach any distance. */
static const struct {
   const char *name;
   void *address;
} externals[] = {
   {"memcpy", (void *)memcpy},
   {"memmove", (void *)memmove},
   {"memset", (void *)memset},
};

struct object {
   struct elf_view elf;
   uint64_t offsets[MAX_SECTIONS]; /* of each section in the mapping; UINT64_MAX: not placed */
};

struct placer {
   struct object objects[COMP_MAX_OBJECTS];
   uint32_t num_objects;
   uint64_t stubs;                 /* offset of the stubs */
   uint64_t text_bytes, total_bytes; /* whole pages */
   uint8_t *base;
};

static bool is_placed(const Elf64_Shdr *section, bool is_text)
{
   return section->sh_flags & SHF_ALLOC && section->sh_size && section->sh_type == SHT_PROGBITS &&
          !(section->sh_flags & SHF_WRITE) && is_text == !!(section->sh_flags & SHF_EXECINSTR);
}

/* Unwind tables are of no use: nothing throws through shaders. Anything else that would need memory is refused. */
static bool is_skipped(const Elf64_Shdr *section)
{
   return !(section->sh_flags & SHF_ALLOC) || !section->sh_size || section->sh_type == SHT_X86_64_UNWIND;
}

static bool find_objects(struct placer *placer, const uint8_t *bytes, uint64_t size)
{
   uint64_t at = 0;
   for (placer->num_objects = 0; at < size; placer->num_objects++) {
      if (placer->num_objects == COMP_MAX_OBJECTS)
         return false;
      struct object *object = &placer->objects[placer->num_objects];
      if (!elf_view_init(&object->elf, bytes + at, size - at, OBJECT_FAMILY.elf_machine) || object->elf.num_sections > MAX_SECTIONS)
         return false;
      for (uint32_t i = 0; i < object->elf.num_sections; i++) {
         const Elf64_Shdr *section = &object->elf.sections[i];
         object->offsets[i] = UINT64_MAX;
         if (!is_skipped(section) && !is_placed(section, true) && !is_placed(section, false))
            return false;
      }
      at = util_align(at + object->elf.end, COMP_OBJECT_ALIGN);
   }
   return placer->num_objects > 0;
}

static bool lay_out_object(struct object *object, bool is_text, uint64_t *at)
{
   for (uint32_t i = 0; i < object->elf.num_sections; i++) {
      const Elf64_Shdr *section = &object->elf.sections[i];
      if (!is_placed(section, is_text) || is_skipped(section))
         continue;
      const uint64_t align = section->sh_addralign ? section->sh_addralign : 1;
      if (align & (align - 1) || align > 4096 || section->sh_size > MAX_CODE_BYTES || !elf_view_section(&object->elf, section))
         return false;
      *at = util_align(*at, align);
      object->offsets[i] = *at;
      *at += section->sh_size;
      if (*at > MAX_CODE_BYTES)
         return false;
   }
   return true;
}

static bool lay_out_sections(struct placer *placer)
{
   const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
   uint64_t at = 0;
   for (uint32_t i = 0; i < placer->num_objects; i++) {
      if (!lay_out_object(&placer->objects[i], true, &at))
         return false;
   }
   placer->stubs = util_align(at, OBJECT_STUB_BYTES);
   placer->text_bytes = util_align(placer->stubs + OBJECT_STUB_BYTES * UTIL_ARRAY_SIZE(externals), page);
   at = placer->text_bytes;
   for (uint32_t i = 0; i < placer->num_objects; i++) {
      if (!lay_out_object(&placer->objects[i], false, &at))
         return false;
   }
   placer->total_bytes = util_align(at, page);
   return true;
}

static void fill(struct placer *placer)
{
   for (uint32_t o = 0; o < placer->num_objects; o++) {
      const struct object *object = &placer->objects[o];
      for (uint32_t i = 0; i < object->elf.num_sections; i++) {
         const Elf64_Shdr *section = &object->elf.sections[i];
         if (object->offsets[i] != UINT64_MAX)
            memcpy(placer->base + object->offsets[i], elf_view_section(&object->elf, section), section->sh_size);
      }
   }
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(externals); i++)
      OBJECT_FAMILY.write_stub(placer->base + placer->stubs + i * OBJECT_STUB_BYTES, externals[i].address);
}

/* The address of a symbol that its object defines, or NULL. */
static uint8_t *defined_address(const struct placer *placer, const struct object *object, const Elf64_Sym *symbol)
{
   const uint32_t section = symbol->st_shndx;
   if (section == SHN_UNDEF || section >= object->elf.num_sections || object->offsets[section] == UINT64_MAX ||
       symbol->st_value > object->elf.sections[section].sh_size)
      return NULL;
   return placer->base + object->offsets[section] + symbol->st_value;
}

/* A function of any of the objects. */
static uint8_t *find_function(const struct placer *placer, const char *name)
{
   for (uint32_t o = 0; o < placer->num_objects; o++) {
      const struct object *object = &placer->objects[o];
      for (uint32_t i = 0; i < object->elf.num_symbols; i++) {
         const Elf64_Sym *symbol = &object->elf.symbols[i];
         if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL ||
             strcmp(elf_view_symbol_name(&object->elf, symbol), name) != 0)
            continue;
         uint8_t *address = defined_address(placer, object, symbol);
         return address && address < placer->base + placer->text_bytes ? address : NULL;
      }
   }
   return NULL;
}

/* The address of a symbol in the mapping, or NULL. */
static uint8_t *symbol_address(const struct placer *placer, const struct object *object, const Elf64_Sym *symbol)
{
   if (symbol->st_shndx != SHN_UNDEF)
      return defined_address(placer, object, symbol);
   const char *name = elf_view_symbol_name(&object->elf, symbol);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(externals); i++) {
      if (!strcmp(name, externals[i].name))
         return placer->base + placer->stubs + i * OBJECT_STUB_BYTES;
   }
   uint8_t *address = find_function(placer, name);
   if (!address && util_debug(UTIL_DEBUG_VERBOSE))
      util_log("object code refers to %s, which it may not", name);
   return address;
}

static bool apply(const struct placer *placer, const struct object *object, const Elf64_Shdr *target, uint64_t target_offset, const Elf64_Rela *rela)
{
   const uint32_t index = ELF64_R_SYM(rela->r_info);
   if (index >= object->elf.num_symbols || rela->r_offset > target->sh_size)
      return false;
   const uint8_t *symbol = symbol_address(placer, object, &object->elf.symbols[index]);
   if (!symbol)
      return false;
   uint8_t *unit = placer->base + target_offset + rela->r_offset;
   const struct object_relocation relocation = {
      .type = ELF64_R_TYPE(rela->r_info),
      .unit = unit,
      .available = target->sh_size - rela->r_offset,
      .address = (uint64_t)(uintptr_t)unit,
      .value = (uint64_t)(uintptr_t)symbol + (uint64_t)rela->r_addend,
   };
   const bool is_done = OBJECT_FAMILY.relocate(&relocation);
   if (!is_done && util_debug(UTIL_DEBUG_VERBOSE))
      util_log("object code has a relocation of type %u that is not known or out of reach", relocation.type);
   return is_done;
}

static bool relocate(const struct placer *placer, const struct object *object)
{
   for (uint32_t i = 0; i < object->elf.num_sections; i++) {
      const Elf64_Shdr *section = &object->elf.sections[i];
      if (section->sh_type != SHT_RELA)
         continue;
      if (section->sh_info >= object->elf.num_sections)
         return false;
      if (object->offsets[section->sh_info] == UINT64_MAX)
         continue;
      const Elf64_Rela *relas = elf_view_section(&object->elf, section);
      if (!relas || section->sh_entsize != sizeof(*relas) || section->sh_offset % 8)
         return false;
      for (uint64_t r = 0; r < section->sh_size / sizeof(*relas); r++) {
         if (!apply(placer, object, &object->elf.sections[section->sh_info], object->offsets[section->sh_info], &relas[r]))
            return false;
      }
   }
   return true;
}

static bool relocate_all(const struct placer *placer)
{
   for (uint32_t i = 0; i < placer->num_objects; i++) {
      if (!relocate(placer, &placer->objects[i]))
         return false;
   }
   return true;
}

/* One line for perf: where the code is and which shader it is. */
static void report_perf(const struct comp_binary *binary, const void *entry, uint64_t bytes)
{
   static const char *const stages[ABI_NUM_STAGES] = {
#define X(NAME, name) #name,
      ABI_STAGES(X)
#undef X
   };
   char path[64];
   snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
   FILE *file = util_append_private(path);
   if (!file)
      return;
   fprintf(file, "%llx %llx vk_swrast %s %016llx\n", (unsigned long long)(uintptr_t)entry, (unsigned long long)bytes,
           binary->info.stage < ABI_NUM_STAGES ? stages[binary->info.stage] : "?", (unsigned long long)binary->info.source_hash);
   fclose(file);
}

VkResult comp_code_load(const struct comp_binary *binary, struct comp_code *code)
{
   struct placer placer;
   *code = (struct comp_code){.info = binary->info};

   if (!find_objects(&placer, (const uint8_t *)binary + binary->object_offset, binary->object_bytes) || !lay_out_sections(&placer))
      return VK_ERROR_INITIALIZATION_FAILED;
   placer.base = mmap(NULL, placer.total_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (placer.base == MAP_FAILED)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   fill(&placer);
   void *entry = relocate_all(&placer) ? find_function(&placer, "shader") : NULL;
   __builtin___clear_cache((char *)placer.base, (char *)placer.base + placer.text_bytes); /* what is written is what runs */
   if (!entry || mprotect(placer.base, placer.text_bytes, PROT_READ | PROT_EXEC) ||
       (placer.total_bytes > placer.text_bytes &&
        mprotect(placer.base + placer.text_bytes, placer.total_bytes - placer.text_bytes, PROT_READ))) {
      munmap(placer.base, placer.total_bytes);
      return entry ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_ERROR_INITIALIZATION_FAILED;
   }
   code->mapping = placer.base;
   code->mapping_bytes = placer.total_bytes;
   code->run.entry = entry;
   if (util_debug(UTIL_DEBUG_PERF))
      report_perf(binary, entry, placer.text_bytes);
   return VK_SUCCESS;
}

void comp_code_unload(struct comp_code *code)
{
   if (code->mapping)
      munmap(code->mapping, code->mapping_bytes);
   *code = (struct comp_code){0};
}
