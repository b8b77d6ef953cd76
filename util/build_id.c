/* SPDX-License-Identifier: MIT
 * Identity of this build: the note that the linker writes. Source: elf(5), "Notes". */
#include "util/build_id.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct util_hash build_hash; /* written in `once` only */

static bool contains(const struct dl_phdr_info *info, const void *address)
{
   for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      const uintptr_t start = info->dlpi_addr + segment->p_vaddr;
      if (segment->p_type == PT_LOAD && (uintptr_t)address - start < segment->p_memsz)
         return true;
   }
   return false;
}

/* Looks through the notes of one segment; true when the build id was among them. */
static bool hash_notes(const char *notes, size_t size)
{
   while (size >= sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)notes;
      const size_t name_bytes = util_align(note->n_namesz, 4), text_bytes = util_align(note->n_descsz, 4);
      const size_t total = sizeof(*note) + name_bytes + text_bytes;
      if (total > size)
         return false;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0) {
         build_hash = util_hash_bytes((const char *)(note + 1) + name_bytes, note->n_descsz);
         return true;
      }
      notes += total;
      size -= total;
   }
   return false;
}

static int look_at_library(struct dl_phdr_info *info, size_t size, void *data)
{
   if (!contains(info, &build_hash))
      return 0;
   for (int i = 0; i < info->dlpi_phnum; i++) {
      const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
      if (segment->p_type == PT_NOTE &&
          hash_notes((const char *)info->dlpi_addr + segment->p_vaddr, segment->p_memsz))
         break;
   }
   return 1;
}

static void find_build_id(void)
{
   build_hash = util_hash_bytes(UTIL_VERSION, strlen(UTIL_VERSION));
   dl_iterate_phdr(look_at_library, NULL);
}

struct util_hash util_build_hash(void)
{
   pthread_once(&once, find_build_id);
   return build_hash;
}
