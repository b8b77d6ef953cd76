/* SPDX-License-Identifier: MIT
 * Sets of bytes against an array with an entry a byte. */
#include "runtime/instrument/marks.h"
#include "tests/test.h"

enum { PAGES = 96, SPACE = PAGES * RT_MARKS_PAGE_BYTES, FIRST_PAGE = 5, NUM_STEPS = 400 };
#define BASE ((uint64_t)FIRST_PAGE * RT_MARKS_PAGE_BYTES)

static bool is_in[SPACE], is_seen[SPACE];
static uint32_t seed = 1;
static uint64_t next_page;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static bool see(void *data, uint64_t page, const struct rt_marks_bits *bits)
{
   CHECK(page >= next_page);
   next_page = page + 1;
   for (uint32_t at = rt_marks_next(bits, 0); at < RT_MARKS_PAGE_BYTES; at = rt_marks_next(bits, at + 1))
      is_seen[(page - FIRST_PAGE) * RT_MARKS_PAGE_BYTES + at] = true;
   return true;
}

/* Words, and stretches of up to half of all, of which whole pages have no bits. */
static void add_some(struct rt_marks *marks)
{
   const uint32_t begin = random_below(SPACE), length = random_below(8) ? 4 : random_below(4) ? random_below(100) : random_below(SPACE / 2);
   const uint32_t end = UTIL_MIN(begin + length, (uint32_t)SPACE);
   CHECK(rt_marks_add(marks, BASE + begin, BASE + end));
   memset(&is_in[begin], 1, end - begin);
}

static void check(struct rt_marks *marks)
{
   next_page = 0;
   memset(is_seen, 0, sizeof(is_seen));
   CHECK(rt_marks_visit(marks, see, NULL));
   CHECK(!memcmp(is_in, is_seen, sizeof(is_in)));
}

TEST(as_an_array)
{
   for (uint32_t round = 0; round < 20; round++) {
      struct rt_marks marks = {0};
      memset(is_in, 0, sizeof(is_in));
      for (uint32_t i = 0; i < round * 20; i++)
         add_some(&marks);
      check(&marks);
      rt_marks_finish(&marks);
   }
}

TEST(joined)
{
   struct rt_marks marks[2] = {0};
   memset(is_in, 0, sizeof(is_in));
   for (uint32_t i = 0; i < NUM_STEPS; i++)
      add_some(&marks[i & 1]);
   CHECK(rt_marks_join(&marks[0], &marks[1]));
   check(&marks[0]);
   rt_marks_finish(&marks[0]);
   rt_marks_finish(&marks[1]);
}

/* Long runs again and again become no more of them than there are. */
TEST(runs_are_joined)
{
   struct rt_marks marks = {0};
   memset(is_in, 1, sizeof(is_in));
   for (uint32_t i = 0; i < 100000; i++)
      CHECK(rt_marks_add(&marks, BASE + i % 2 * (SPACE / 2), BASE + (i % 2 + 1) * (SPACE / 2)));
   CHECK(marks.cap_runs < 10000);
   check(&marks);
   rt_marks_finish(&marks);
}

TEST_MAIN
