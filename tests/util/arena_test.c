/* SPDX-License-Identifier: MIT
 * util/arena.h: alignment, growth, limits, out of memory. */
#include "util/arena.h"

#include "tests/test.h"
#include "util/alloc.h"

TEST(contents_survive_growth)
{
   struct util_arena arena;
   uint32_t *values[2000];
   util_arena_init(&arena, 0);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(values); i++) {
      values[i] = util_arena_zalloc(&arena, 4 + i % 300);
      CHECK_EQ((uintptr_t)values[i] % 16, 0);
      CHECK_EQ(*values[i], 0);
      *values[i] = i;
   }
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(values); i++)
      CHECK_EQ(*values[i], i);

   char *large = util_arena_alloc_aligned(&arena, 1 << 20, 4096);
   CHECK_EQ((uintptr_t)large % 4096, 0);
   memset(large, 1, 1 << 20);
   CHECK(arena.total_bytes > 1 << 20);
   util_arena_reset(&arena);
   CHECK(util_arena_alloc(&arena, 1) != NULL);
   util_arena_finish(&arena);
   CHECK_EQ(arena.total_bytes, 0);
   util_arena_finish(&arena);
}

TEST(text)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   CHECK_STR(util_arena_printf(&arena, "%d %s", 42, "words"), "42 words");
   CHECK_STR(util_arena_strdup(&arena, "copy"), "copy");
   util_arena_finish(&arena);
}

TEST(limit_gives_null)
{
   struct util_arena arena;
   util_arena_init(&arena, 10000);
   CHECK(util_arena_alloc(&arena, 20000) == NULL);
   CHECK(util_arena_alloc(&arena, SIZE_MAX - 8) == NULL);
   int given = 0;
   while (util_arena_alloc(&arena, 1000))
      given++;
   CHECK(given >= 5 && given < 10);
   CHECK(arena.total_bytes <= 10000);
   util_arena_finish(&arena);
}

TEST(out_of_memory_jumps)
{
   struct util_arena arena;
   jmp_buf jump;
   volatile int given = 0;
   util_arena_init(&arena, 50000);
   arena.on_oom = &jump;
   if (setjmp(jump) == 0) {
      for (;; given++)
         (void)util_arena_zalloc(&arena, 100);
   }
   CHECK(given > 300 && given < 500);
   util_arena_finish(&arena);

   util_arena_init(&arena, 0);
   util_alloc_fail_at(1, true);
   CHECK(util_arena_alloc(&arena, 1) == NULL);
   CHECK(util_arena_alloc(&arena, 1) != NULL);
   util_alloc_fail_at(0, true);
   util_arena_finish(&arena);
}

TEST_MAIN
