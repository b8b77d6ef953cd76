/* SPDX-License-Identifier: MIT
 * Can the compiler's shared object be loaded? Answered from a few kilobytes of its file, so that a process whose shaders all come from
 * caches learns it without LLVM being mapped. Source: System V ABI, "Program Header", "Dynamic Section"; LSB, "Symbol Versioning". */
#include "compiler/library_path.h"
#include "compiler/object/relocation.h"

#include "util/macros.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __aarch64__
#define MULTIARCH "aarch64-linux-gnu" /* Debian's folder */
#else
#define MULTIARCH "x86_64-linux-gnu"
#endif

enum { MAX_SEGMENTS = 32, MAX_DYNAMIC = 128, MAX_STRINGS = 1 << 20 };

struct file {
   int fd;
   Elf64_Phdr segments[MAX_SEGMENTS];
   uint32_t num_segments;
   char *problem;
   size_t problem_bytes;
};

static bool fail(struct file *file, const char *what, const char *which)
{
   snprintf(file->problem, file->problem_bytes, "%s%s", what, which);
   return false;
}

static bool read_at(struct file *file, void *data, size_t bytes, uint64_t offset)
{
   const ssize_t got = pread(file->fd, data, bytes, (off_t)offset);
   if (got < 0)
      return fail(file, "it cannot be read: ", strerror(errno));
   return (size_t)got == bytes || fail(file, "it is cut short", "");
}

/* Bytes that are in memory at `address`, as the file has them. */
static bool read_address(struct file *file, void *data, size_t bytes, uint64_t address)
{
   for (uint32_t i = 0; i < file->num_segments; i++) {
      const Elf64_Phdr *segment = &file->segments[i];
      if (segment->p_type == PT_LOAD && address >= segment->p_vaddr && address - segment->p_vaddr < segment->p_filesz &&
          bytes <= segment->p_filesz - (address - segment->p_vaddr))
         return read_at(file, data, bytes, segment->p_offset + (address - segment->p_vaddr));
   }
   return fail(file, "it is damaged", "");
}

static bool read_segments(struct file *file)
{
   Elf64_Ehdr header;
   if (!read_at(file, &header, sizeof(header), 0))
      return false;
   if (memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
       header.e_machine != OBJECT_FAMILY.elf_machine || header.e_type != ET_DYN || header.e_phentsize != sizeof(Elf64_Phdr) ||
       header.e_phnum > MAX_SEGMENTS)
      return fail(file, "it is no shared object for ", OBJECT_FAMILY.name);
   file->num_segments = header.e_phnum;
   return read_at(file, file->segments, header.e_phnum * sizeof(Elf64_Phdr), header.e_phoff);
}

static const Elf64_Phdr *find_segment(const struct file *file, uint32_t type)
{
   for (uint32_t i = 0; i < file->num_segments; i++) {
      if (file->segments[i].p_type == type)
         return &file->segments[i];
   }
   return NULL;
}

/* Without the header, or with an executable one, the C library would make stacks executable: new ones refuse to. */
static bool check_stack(struct file *file)
{
   const Elf64_Phdr *stack = find_segment(file, PT_GNU_STACK);
   return (stack && !(stack->p_flags & PF_X)) || fail(file, "it asks for an executable stack", "");
}

/* "GLIBC_2.38" is there in 2.38 and later; other names are known by the library that has them alone. */
static bool has_version(const char *name)
{
   unsigned major, minor, has_major, has_minor;
   if (sscanf(name, "GLIBC_%u.%u", &major, &minor) != 2 ||
       sscanf(gnu_get_libc_version(), "%u.%u", &has_major, &has_minor) != 2)
      return true;
   return has_major > major || (has_major == major && has_minor >= minor);
}

static bool check_versions(struct file *file, uint64_t address, uint64_t num_files, const char *strings, size_t strings_bytes)
{
   for (uint64_t i = 0; i < num_files; i++) {
      Elf64_Verneed need;
      if (!read_address(file, &need, sizeof(need), address))
         return false;
      uint64_t at = address + need.vn_aux;
      for (uint32_t k = 0; k < need.vn_cnt; k++) {
         Elf64_Vernaux version;
         if (!read_address(file, &version, sizeof(version), at))
            return false;
         if (version.vna_name < strings_bytes && !has_version(strings + version.vna_name))
            return fail(file, "the C library is too old: it has no ", strings + version.vna_name);
         at += version.vna_next;
      }
      address += need.vn_next;
   }
   return true;
}

/* Where distributions have their libraries, a look is enough; elsewhere only the dynamic linker knows. It then keeps the library, a small
 * one, for the compiler. */
static bool check_needed(struct file *file, const char *name)
{
   static const char *const folders[] = {"/lib/" MULTIARCH, "/lib64", "/usr/lib/" MULTIARCH, "/usr/lib64", "/usr/lib"};
   char path[512];
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(folders); i++) {
      snprintf(path, sizeof(path), "%s/%s", folders[i], name);
      if (access(path, R_OK) == 0)
         return true;
   }
   return dlopen(name, RTLD_LAZY | RTLD_LOCAL) || fail(file, "", dlerror());
}

static bool check_dynamic(struct file *file)
{
   Elf64_Dyn entries[MAX_DYNAMIC];
   const Elf64_Phdr *segment = find_segment(file, PT_DYNAMIC);
   if (!segment)
      return fail(file, "it is no shared object for ", OBJECT_FAMILY.name);
   const uint32_t count = (uint32_t)UTIL_MIN(segment->p_filesz / sizeof(Elf64_Dyn), (uint64_t)MAX_DYNAMIC);
   if (!read_at(file, entries, count * sizeof(Elf64_Dyn), segment->p_offset))
      return false;
   uint64_t strings_at = 0, strings_bytes = 0, versions_at = 0, num_versions = 0;
   for (uint32_t i = 0; i < count; i++) {
      switch (entries[i].d_tag) {
      case DT_STRTAB: strings_at = entries[i].d_un.d_ptr; break;
      case DT_STRSZ: strings_bytes = entries[i].d_un.d_val; break;
      case DT_VERNEED: versions_at = entries[i].d_un.d_ptr; break;
      case DT_VERNEEDNUM: num_versions = entries[i].d_un.d_val; break;
      default: break;
      }
   }
   if (!strings_bytes || strings_bytes > MAX_STRINGS)
      return fail(file, "it is damaged", "");
   char *strings = malloc(strings_bytes + 1);
   if (!strings)
      return fail(file, "memory ran out", "");
   strings[strings_bytes] = 0;
   bool is_good = read_address(file, strings, strings_bytes, strings_at) &&
                  check_versions(file, versions_at, num_versions, strings, strings_bytes);
   for (uint32_t i = 0; is_good && i < count && entries[i].d_tag != DT_NULL; i++) {
      if (entries[i].d_tag == DT_NEEDED && entries[i].d_un.d_val < strings_bytes)
         is_good = check_needed(file, strings + entries[i].d_un.d_val);
   }
   free(strings);
   return is_good;
}

bool comp_library_check(const char *path, char *problem, size_t problem_bytes)
{
   struct file file = {.fd = open(path, O_RDONLY | O_CLOEXEC), .problem = problem, .problem_bytes = problem_bytes};
   if (file.fd < 0)
      return fail(&file, strerror(errno), "");
   const bool is_good = read_segments(&file) && check_stack(&file) && check_dynamic(&file);
   close(file.fd);
   return is_good;
}
