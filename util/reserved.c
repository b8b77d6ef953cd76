/* SPDX-License-Identifier: MIT
 * Reserved addresses over mmap() and mremap(): an old size of zero asks for a second mapping of shared pages. So memory needs no file and no
 * descriptor of its own to be put elsewhere. */
#include "util/reserved.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/random.h>

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

/* ---- addresses that can be had again ---- */

/* Where systems put nothing by themselves, programs and libraries being at the ends of the address space, nor do the tools that watch a
 * process's memory. Spread at random, so that a process which replays another one's addresses has not used them before. */
#ifdef __x86_64__
static const uint64_t window_begin = UINT64_C(1) << 45, window_bytes = UINT64_C(1) << 45;
#else /* processors whose address spaces have 39 bits, or 48 */
static const uint64_t window_begin = UINT64_C(1) << 37, window_bytes = UINT64_C(1) << 36;
#endif

static void *reserve(void *at, size_t size_bytes)
{
   void *base = mmap(at, size_bytes, PROT_READ | PROT_WRITE, HOLE_FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
   if (base == MAP_FAILED)
      return NULL;
   if (base == at)
      return base;
   munmap(base, size_bytes); /* a system that does not know the flag, or a tool in between */
   errno = EEXIST;
   return NULL;
}

void *util_reserved_create_at(void *wanted, size_t size_bytes)
{
   enum { TRIES = 64 };
   uint64_t random;
   if (wanted)
      return reserve(wanted, size_bytes);
   errno = ENOMEM;
   for (uint32_t i = 0; i < TRIES && size_bytes <= window_bytes / 2; i++) {
      if (getrandom(&random, sizeof(random), 0) != sizeof(random))
         return NULL;
      const uint64_t address = window_begin + random % (window_bytes - size_bytes);
      void *base = reserve((void *)(uintptr_t)(address & ~UINT64_C(0x1fffff)), size_bytes);
      if (base || errno != EEXIST)
         return base;
   }
   return NULL;
}

bool util_reserved_move(void *at, void *source, size_t size_bytes)
{
   return mremap(source, size_bytes, size_bytes, MREMAP_MAYMOVE | MREMAP_FIXED, at) != MAP_FAILED;
}

/* ---- pages ---- */

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

bool util_reserved_block(void *at, size_t size_bytes)
{
   return mmap(at, size_bytes, PROT_NONE, HOLE_FLAGS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

void util_reserved_release(void *at, size_t size_bytes)
{
   munmap(at, size_bytes);
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
