/* SPDX-License-Identifier: MIT
 * Reserved addresses over mmap() and mremap(): an old size of zero asks for a second mapping of shared pages. So memory needs no file and no
 * descriptor of its own to be put elsewhere. */
#include "util/reserved.h"

#include <pthread.h>
#include <sys/mman.h>

/* Private, so that a page which was only read is the system's page of zeros. */
enum { HOLE_FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

void *util_pages_create(size_t size_bytes)
{
   void *data = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   return data == MAP_FAILED ? NULL : data;
}

void *util_reserved_create(size_t size_bytes)
{
   void *base = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, HOLE_FLAGS, -1, 0);
   return base == MAP_FAILED ? NULL : base;
}

void util_reserved_destroy(void *base, size_t size_bytes)
{
   if (base)
      munmap(base, size_bytes);
}

bool util_reserved_map(void *at, void *source, size_t size_bytes)
{
   return mremap(source, 0, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED;
}

bool util_reserved_unmap(void *at, size_t size_bytes)
{
   return mmap(at, size_bytes, PROT_READ | PROT_WRITE, HOLE_FLAGS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void util_reserved_discard(void *at, size_t size_bytes)
{
   madvise(at, size_bytes, MADV_DONTNEED);
}

/* ---- support ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_supported; /* written in `once` only */

/* Writes here are seen there, and no longer when the pages are taken away. */
static bool is_shared(volatile char *reserved, volatile char *pages)
{
   if (!util_reserved_map((void *)(reserved + UTIL_PAGE_BYTES), (void *)pages, UTIL_PAGE_BYTES))
      return false;
   pages[1] = 7;
   const bool is_seen = reserved[UTIL_PAGE_BYTES + 1] == 7 && reserved[1] == 0;
   return util_reserved_unmap((void *)(reserved + UTIL_PAGE_BYTES), UTIL_PAGE_BYTES) && is_seen &&
          reserved[UTIL_PAGE_BYTES + 1] == 0 && pages[1] == 7;
}

static void try_it(void)
{
   char *reserved = util_reserved_create(2 * UTIL_PAGE_BYTES), *pages = util_pages_create(UTIL_PAGE_BYTES);
   is_supported = reserved && pages && is_shared(reserved, pages);
   util_reserved_destroy(reserved, 2 * UTIL_PAGE_BYTES);
   util_reserved_destroy(pages, UTIL_PAGE_BYTES);
}

bool util_reserved_is_supported(void)
{
   pthread_once(&once, try_it);
   return is_supported;
}
