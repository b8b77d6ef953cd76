/* SPDX-License-Identifier: MIT */
#include "util/reserved.h"
#include "tests/test.h"

#include <errno.h>

enum { PAGE = UTIL_PAGE_BYTES };

TEST(pages_are_seen_at_two_addresses)
{
   if (!util_reserved_is_supported())
      return;
   char *const reserved = util_reserved_create(8 * PAGE), *const memory = util_pages_create(2 * PAGE);
   volatile char *base = reserved, *pages = memory;
   CHECK(reserved && memory);
   pages[0] = 1;
   pages[PAGE] = 2;
   CHECK(util_reserved_map(reserved + 4 * PAGE, memory, 2 * PAGE));
   CHECK(util_reserved_map(reserved + PAGE, memory + PAGE, PAGE)); /* the second page twice */
   CHECK_EQ(base[4 * PAGE], 1);
   CHECK_EQ(base[5 * PAGE], 2);
   base[PAGE] = 3;
   CHECK_EQ(base[5 * PAGE], 3);
   CHECK_EQ(pages[PAGE], 3);
   CHECK_EQ(base[0] | base[2 * PAGE] | base[7 * PAGE], 0);
   util_reserved_destroy(memory, 2 * PAGE); /* what is mapped stays */
   CHECK_EQ(base[4 * PAGE], 1);
   util_reserved_destroy(reserved, 8 * PAGE);
}

TEST(what_is_written_between_is_forgotten)
{
   if (!util_reserved_is_supported())
      return;
   char *const reserved = util_reserved_create(4 * PAGE), *const memory = util_pages_create(PAGE);
   volatile char *base = reserved, *pages = memory;
   CHECK(reserved && memory);
   CHECK(util_reserved_map(reserved + PAGE, memory, PAGE));
   for (int i = 0; i < 4; i++)
      base[i * PAGE] = (char)(i + 1);
   util_reserved_discard(reserved, 4 * PAGE);
   CHECK_EQ(base[0], 0);
   CHECK_EQ(base[PAGE], 2);
   CHECK_EQ(base[3 * PAGE], 0);
   CHECK(util_reserved_unmap(reserved + PAGE, PAGE));
   CHECK_EQ(base[PAGE], 0);
   CHECK_EQ(pages[0], 2);
   util_reserved_destroy(memory, PAGE);
   util_reserved_destroy(reserved, 4 * PAGE);
}

TEST(addresses_are_had_again)
{
   char *const reserved = util_reserved_create_at(NULL, 4 * PAGE), *const memory = util_pages_create(4 * PAGE);
   volatile char *base = reserved;
   CHECK(reserved && memory);
   memory[3 * PAGE] = 7;
   CHECK(!util_reserved_create_at(reserved, PAGE));
   CHECK_EQ(errno, EEXIST);
   CHECK(!util_reserved_create_at(reserved + 3 * PAGE, 4 * PAGE));
   CHECK(util_reserved_move(reserved, memory, 4 * PAGE));
   CHECK_EQ(base[3 * PAGE], 7);
   util_reserved_destroy(reserved, 4 * PAGE);
   CHECK_EQ((uintptr_t)util_reserved_create_at(reserved, 4 * PAGE), (uintptr_t)reserved);
   CHECK_EQ(base[3 * PAGE], 0);
   util_reserved_destroy(reserved, 4 * PAGE);
}

TEST(no_more_addresses)
{
   CHECK(!util_reserved_create_at(NULL, (size_t)1 << 62));
   CHECK(!util_reserved_create((size_t)1 << 62));
   CHECK(!util_pages_create((size_t)1 << 62));
}

TEST_MAIN
