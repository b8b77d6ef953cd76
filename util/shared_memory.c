/* SPDX-License-Identifier: MIT
 * Shared memory over memfd. The seals distinguish our files from others, and keep their sizes: an access beyond the end of a
 * file that somebody has cut off would be a signal. */
#include "util/shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

enum { PAGE_BYTES = 4096 };

static bool map(struct util_shared_memory *memory)
{
   void *data = mmap(NULL, memory->size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory->fd, 0);
   memory->data = data == MAP_FAILED ? NULL : data;
   return memory->data != NULL;
}

bool util_shared_memory_create(struct util_shared_memory *memory, const char *name, size_t size_bytes)
{
   if (size_bytes > SIZE_MAX - PAGE_BYTES) {
      errno = ENOMEM;
      return false;
   }
   memory->size_bytes = util_align(size_bytes, PAGE_BYTES);
   memory->fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
   if (memory->fd < 0)
      return false;
   if (ftruncate(memory->fd, (off_t)memory->size_bytes) == 0 && fcntl(memory->fd, F_ADD_SEALS, SEALS) == 0 &&
       map(memory))
      return true;
   const int reason = errno;
   close(memory->fd);
   memory->fd = -1;
   errno = reason;
   return false;
}

bool util_shared_memory_import(struct util_shared_memory *memory, int fd, size_t min_bytes)
{
   struct stat status;
   const int seals = fcntl(fd, F_GET_SEALS);
   if (seals < 0 || (seals & SEALS) != SEALS || fstat(fd, &status) != 0 || status.st_size <= 0 ||
       (uint64_t)status.st_size < min_bytes) {
      errno = EINVAL;
      return false;
   }
   memory->fd = fd;
   memory->size_bytes = (size_t)status.st_size;
   if (map(memory))
      return true;
   memory->fd = -1;
   return false;
}

int util_shared_memory_dup(const struct util_shared_memory *memory)
{
   return fcntl(memory->fd, F_DUPFD_CLOEXEC, 0);
}

int util_shared_memory_finish_keeping_fd(struct util_shared_memory *memory)
{
   const int fd = memory->fd;
   if (fd >= 0)
      munmap(memory->data, memory->size_bytes);
   memory->fd = -1;
   return fd;
}

void util_shared_memory_finish(struct util_shared_memory *memory)
{
   const int fd = util_shared_memory_finish_keeping_fd(memory);
   if (fd >= 0)
      close(fd);
}
