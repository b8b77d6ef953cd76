/* SPDX-License-Identifier: MIT
 * Identity of this build: the note that the linker writes. Source: elf(5), "Notes". */
#include "util/build_id.h"

#include "util/size.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

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
static bool hash_notes(const char *notes, size_t size, struct util_hash *hash)
{
   while (size >= sizeof(ElfW(Nhdr))) {
      const ElfW(Nhdr) *note = (const ElfW(Nhdr) *)notes;
      const size_t name_bytes = util_align(note->n_namesz, 4), text_bytes = util_align(note->n_descsz, 4);
      const size_t total = sizeof(*note) + name_bytes + text_bytes;
      if (note->n_namesz > size || note->n_descsz > size || total > size)
         return false;
      if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0) {
         *hash = util_hash_bytes((const char *)(note + 1) + name_bytes, note->n_descsz);
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
          hash_notes((const char *)info->dlpi_addr + segment->p_vaddr, segment->p_memsz, &build_hash))
         break;
   }
   return 1;
}

static void find_build_id(void)
{
   build_hash = util_hash_bytes(UTIL_VERSION, strlen(UTIL_VERSION));
   dl_iterate_phdr(look_at_library, NULL);
}

/* ---- of a file ---- */

enum { MAX_NOTES_BYTES = 4096, MAX_FILE_BYTES = 1 << 30 };

static bool read_at(int fd, void *data, size_t size, uint64_t offset)
{
   return offset < MAX_FILE_BYTES && pread(fd, data, size, (off_t)offset) == (ssize_t)size;
}

static bool hash_build_id(int fd, struct util_hash *hash)
{
   char notes[MAX_NOTES_BYTES] __attribute__((aligned(8)));
   ElfW(Ehdr) head;
   ElfW(Phdr) segment;
   if (!read_at(fd, &head, sizeof(head), 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(segment))
      return false;
   for (uint32_t i = 0; i < head.e_phnum; i++) {
      if (!read_at(fd, &segment, sizeof(segment), util_size_array(head.e_phoff, i, sizeof(segment))))
         return false;
      const size_t size = UTIL_MIN(segment.p_filesz, sizeof(notes));
      if (segment.p_type == PT_NOTE && read_at(fd, notes, size, segment.p_offset) && hash_notes(notes, size, hash))
         return true;
   }
   return false;
}

static struct util_hash hash_content(int fd)
{
   char block[MAX_NOTES_BYTES];
   struct util_hash hash = {0};
   for (ssize_t n; (n = read(fd, block, sizeof(block))) > 0;)
      hash = util_hash_more(hash, block, (size_t)n);
   return hash;
}

struct util_hash util_file_build_hash(const char *path)
{
   struct util_hash hash = {0};
   const int fd = open(path, O_RDONLY | O_CLOEXEC);
   if (fd < 0)
      return hash;
   if (!hash_build_id(fd, &hash))
      hash = hash_content(fd);
   close(fd);
   return hash;
}

struct util_hash util_build_hash(void)
{
   pthread_once(&once, find_build_id);
   return build_hash;
}
