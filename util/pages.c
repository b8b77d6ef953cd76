/* SPDX-License-Identifier: MIT */
#include "util/pages.h"

#include "util/alloc.h"
#include "util/alloc_fault.h"
#include "util/reserved.h"
#include "util/sanitizers.h"
#include "util/size.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
/* They see accesses beyond the end of a heap's memory only. */
void *util_pages_alloc(size_t size_bytes)
{
   void *memory = util_malloc64(size_bytes);
   return memory ? memset(memory, 0, size_bytes) : NULL;
}

void util_pages_free(void *memory, size_t size_bytes)
{
   util_mfree(memory);
}
#else
enum { HUGE_PAGE_BYTES = 2 << 20 };

void *util_pages_alloc(size_t size_bytes)
{
   if (size_bytes == 0 || util_alloc_must_fail())
      return NULL;
   void *memory = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (memory == MAP_FAILED)
      return NULL;
   /* The system joins neighbours, and might give them pages that are larger than all of one. Where it has none such, it refuses. */
   if (size_bytes < HUGE_PAGE_BYTES)
      (void)madvise(memory, size_bytes, MADV_NOHUGEPAGE);
   return memory;
}

void util_pages_free(void *memory, size_t size_bytes)
{
   if (memory)
      munmap(memory, size_bytes);
}
#endif

size_t util_pages_touched_bytes(const void *memory, size_t size_bytes)
{
   const uintptr_t begin = (uintptr_t)memory & ~(uintptr_t)(UTIL_PAGE_BYTES - 1), end = (uintptr_t)memory + size_bytes;
   size_t touched_bytes = 0;
   for (uintptr_t page = begin; memory && page < end; page += UTIL_PAGE_BYTES) {
      unsigned char is_there = 1; /* where the system does not say */
      if (mincore((void *)page, 1, &is_there) != 0 || is_there & 1)
         touched_bytes = util_size_add(touched_bytes, UTIL_PAGE_BYTES);
   }
   return touched_bytes;
}
