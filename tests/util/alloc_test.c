/* SPDX-License-Identifier: MIT
 * util/alloc.h: alignment, callbacks, fault injection. */
#include "util/alloc.h"

#include "tests/test.h"

#include <stdlib.h>

struct counts {
   int allocations, frees;
   size_t align;
   VkSystemAllocationScope scope;
};

static void *VKAPI_PTR count_alloc(void *user, size_t size, size_t align, VkSystemAllocationScope scope)
{
   struct counts *counts = user;
   counts->allocations++;
   counts->align = align;
   counts->scope = scope;
   void *memory = aligned_alloc(align, util_align(size, align));
   if (memory)
      memset(memory, 0xaa, size);
   return memory;
}

static void VKAPI_PTR count_free(void *user, void *memory)
{
   ((struct counts *)user)->frees++;
   free(memory);
}

TEST(alignment)
{
   for (size_t align = 1; align <= 4096; align *= 2) {
      void *memory = util_alloc(NULL, 33, align, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
      CHECK(memory != NULL);
      CHECK_EQ((uintptr_t)memory % align, 0);
      util_free(NULL, memory);
   }
   void *memory = util_malloc64(1);
   CHECK_EQ((uintptr_t)memory % 64, 0);
   util_mfree(memory);
   CHECK(util_malloc(0) == NULL);
   CHECK(util_alloc(NULL, 0, 8, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT) == NULL);
}

TEST(callbacks)
{
   struct counts counts = {0};
   const VkAllocationCallbacks callbacks = {
      .pUserData = &counts, .pfnAllocation = count_alloc, .pfnFree = count_free};
   unsigned char *memory = util_zalloc(&callbacks, 100, 32, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
   CHECK(memory != NULL);
   CHECK_EQ(counts.align, 32);
   CHECK_EQ(counts.scope, VK_SYSTEM_ALLOCATION_SCOPE_DEVICE);
   CHECK_EQ(memory[0] | memory[99], 0);
   util_free(&callbacks, memory);
   util_free(&callbacks, NULL);
   CHECK_EQ(counts.allocations, 1);
   CHECK_EQ(counts.frees, 1);
}

TEST(fail_once)
{
   util_alloc_fail_at(2, true);
   void *first = util_malloc(8), *second = util_calloc(1, 8), *third = util_malloc64(8);
   CHECK(first != NULL);
   CHECK(second == NULL);
   CHECK(third != NULL);
   CHECK_EQ(util_alloc_count(), 3);
   util_mfree(first);
   util_mfree(third);
   util_alloc_fail_at(0, true);
}

TEST(fail_from_there_on)
{
   char *array = util_malloc(4);
   memcpy(array, "abc", 4);
   util_alloc_fail_at(2, false);
   void *first = util_zalloc(NULL, 8, 64, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
   CHECK(first != NULL);
   CHECK(util_malloc(8) == NULL);
   CHECK(util_realloc(array, 100) == NULL);
   CHECK_STR(array, "abc");
   util_alloc_fail_at(0, false);
   util_free(NULL, first);
   util_mfree(array);
}

TEST_MAIN
