/* SPDX-License-Identifier: MIT
 * malloc() that finds no memory, inside LLVM and SPIRV-Tools too: making a shader module and a pipeline ends with
 * VK_ERROR_OUT_OF_HOST_MEMORY wherever it happens, and the next ones are made. Not so while the compiler is loaded: there the C library
 * and LLVM's constructors have the last word. alloc_failure_test.c does the same for the driver's own allocations. */
#include "tests/icd/scenario.h"
#include "tests/test.h"

#include <errno.h>

enum { NUM_FIRST = 24, NUM_SPREAD = 60 };

/* Allocations of this thread: counted while `is_armed`, and those from number `first` to number `last` fail. */
static __thread struct {
   bool is_armed;
   uint64_t count, first, last;
} memory;

static bool fails(void)
{
   if (!memory.is_armed)
      return false;
   const uint64_t number = memory.count++;
   const bool does = number >= memory.first && number <= memory.last;
   if (does)
      errno = ENOMEM;
   return does;
}

/* The C library's, and ours instead of them for this program and all that it loads. */
#define EXPORTED __attribute__((visibility("default")))
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

EXPORTED void *malloc(size_t bytes)
{
   return fails() ? NULL : __libc_malloc(bytes);
}

EXPORTED void *calloc(size_t count, size_t bytes)
{
   return fails() ? NULL : __libc_calloc(count, bytes);
}

EXPORTED void *realloc(void *old, size_t bytes)
{
   return fails() ? NULL : __libc_realloc(old, bytes);
}

EXPORTED void *aligned_alloc(size_t alignment, size_t bytes)
{
   return fails() ? NULL : __libc_memalign(alignment, bytes);
}

EXPORTED int posix_memalign(void **memory_out, size_t alignment, size_t bytes)
{
   *memory_out = fails() ? NULL : __libc_memalign(alignment, bytes);
   return *memory_out ? 0 : ENOMEM;
}

/* A module and a pipeline of it; those that came to be are destroyed. `factor` makes the code a new one. */
static VkResult make(VkDevice device, const struct scenario_compute *scenario, uint32_t factor)
{
   struct scenario_compute own = *scenario;
   VkPipeline pipeline = VK_NULL_HANDLE;
   VkResult result = scenario_compute_module(device, &own.module);
   if (result != VK_SUCCESS)
      return result;
   result = scenario_compute_pipeline(&own, device, factor, VK_NULL_HANDLE, NULL, &pipeline);
   icd_DestroyPipeline(device, pipeline, NULL);
   icd_DestroyShaderModule(device, own.module, NULL);
   return result;
}

static VkResult make_without(VkDevice device, const struct scenario_compute *scenario, uint32_t factor, uint64_t first, uint64_t last)
{
   memory.count = 0;
   memory.first = first;
   memory.last = last;
   memory.is_armed = true;
   const VkResult result = make(device, scenario, factor);
   memory.is_armed = false;
   return result;
}

TEST(the_call_ends_alone)
{
   struct fixture f;
   struct scenario_compute scenario;
   uint32_t factor = 1, num_failed = 0;
   fixture_init(&f, NULL);
   scenario_compute_init_layouts(&scenario, f.device);
   CHECK_EQ(make(f.device, &scenario, factor++), VK_SUCCESS); /* the compiler is loaded, LLVM set up */
   CHECK_EQ(make_without(f.device, &scenario, factor++, UINT64_MAX, UINT64_MAX), VK_SUCCESS);
   const uint64_t total = memory.count;
   CHECK(total > 1000);
   for (uint64_t i = 0; i < NUM_FIRST + NUM_SPREAD; i++) {
      const uint64_t first = i < NUM_FIRST ? i : (i - NUM_FIRST) * total / NUM_SPREAD;
      const uint64_t last = i % 2 ? UINT64_MAX : first;
      const VkResult result = make_without(f.device, &scenario, factor++, first, last);
      num_failed += result != VK_SUCCESS;
      if (result != VK_SUCCESS)
         CHECK_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
   }
   CHECK(num_failed > NUM_SPREAD / 2);
   CHECK_EQ(make(f.device, &scenario, factor), VK_SUCCESS);
   scenario_compute_finish(&scenario, f.device);
   fixture_finish(&f, NULL);
}

TEST_MAIN
