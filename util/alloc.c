/* SPDX-License-Identifier: MIT
 * Host memory: the application's callbacks or the C library, with fault injection for the latter. */
#include "util/alloc.h"
#include "util/alloc_fault.h"
#include "util/outside.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* malloc() aligns to this much by itself. */
#define NATURAL_ALIGN 16

/* `counting` stays false in normal operation, so that threads do not share the counter's cache line. */
static atomic_bool counting;
static atomic_bool fail_once;
static _Atomic uint64_t fail_at;
static _Atomic uint64_t made;

void util_alloc_fail_at(uint64_t n, bool once)
{
   atomic_store(&made, 0);
   atomic_store(&fail_once, once);
   atomic_store(&fail_at, n);
   atomic_store(&counting, true);
}

uint64_t util_alloc_count(void)
{
   return atomic_load(&made);
}

/* VK_SWRAST_FAIL_ALLOC=N: for tests that cannot call util_alloc_fail_at() because they see only the driver. */
__attribute__((constructor)) static void read_environment(void)
{
   const char *text = util_env("VK_SWRAST_FAIL_ALLOC");
   if (text && *text)
      util_alloc_fail_at(strtoull(text, NULL, 10), true);
}

bool util_alloc_must_fail(void)
{
   if (UTIL_LIKELY(!atomic_load_explicit(&counting, memory_order_relaxed)))
      return false;
   const uint64_t number = atomic_fetch_add(&made, 1) + 1;
   const uint64_t at = atomic_load(&fail_at);
   if (at == 0)
      return false;
   return atomic_load(&fail_once) ? number == at : number >= at;
}

static void *libc_alloc(size_t size, size_t align)
{
   if (size == 0 || util_alloc_must_fail())
      return NULL;
   if (align <= NATURAL_ALIGN)
      return malloc(size);
   void *memory;
   return posix_memalign(&memory, align, size) == 0 ? memory : NULL;
}

void *util_alloc(const VkAllocationCallbacks *callbacks, size_t size, size_t align, VkSystemAllocationScope scope)
{
   if (!callbacks)
      return libc_alloc(size, align);
   return size ? callbacks->pfnAllocation(callbacks->pUserData, size, align, scope) : NULL;
}

void *util_zalloc(const VkAllocationCallbacks *callbacks, size_t size, size_t align, VkSystemAllocationScope scope)
{
   if (!callbacks && align <= NATURAL_ALIGN)
      return util_calloc(1, size);
   void *memory = util_alloc(callbacks, size, align, scope);
   if (memory)
      memset(memory, 0, size);
   return memory;
}

void util_free(const VkAllocationCallbacks *callbacks, void *memory)
{
   if (!memory)
      return;
   if (callbacks)
      callbacks->pfnFree(callbacks->pUserData, memory);
   else
      free(memory);
}

void *util_malloc(size_t size)
{
   return libc_alloc(size, NATURAL_ALIGN);
}

void *util_calloc(size_t count, size_t size)
{
   if (count == 0 || size == 0 || util_alloc_must_fail())
      return NULL;
   return calloc(count, size);
}

void *util_realloc(void *memory, size_t size)
{
   if (size == 0 || util_alloc_must_fail())
      return NULL;
   return realloc(memory, size);
}

void *util_malloc64(size_t size)
{
   return libc_alloc(size, 64);
}

void util_mfree(void *memory)
{
   free(memory);
}
