/* SPDX-License-Identifier: MIT
 * Spans of bytes against an array with an entry a byte. */
#include "runtime/instrument/history.h"
#include "tests/test.h"

enum { SPACE = 3 * RT_HISTORY_PAGE_BYTES, NUM_STEPS = 3000, BASE = 7 * RT_HISTORY_PAGE_BYTES };

static uint32_t writes[SPACE], reads[SPACE]; /* the last of each byte */
static uint32_t seed = 1, mark;
static uint64_t visited, expected_next;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static void visit(void *data, uint64_t address, struct rt_span *span)
{
   const bool *is_write = data;
   CHECK_EQ(address, expected_next);
   expected_next = address + (span->end - span->begin);
   visited += span->end - span->begin;
   for (uint64_t i = address - BASE; i < expected_next - BASE; i++) {
      CHECK_EQ(span->write, writes[i]);
      CHECK_EQ(span->num_reads ? span->reads[span->num_reads - 1] : 0, reads[i]);
   }
   if (*is_write) {
      span->write = mark;
      span->num_reads = 0;
   } else {
      span->reads[0] = mark;
      span->num_reads = 1;
   }
}

static void forget_odd(void *data, struct rt_span *span)
{
   span->write = span->write % 2 ? 0 : span->write;
   span->num_reads = span->num_reads && span->reads[0] % 2 ? 0 : span->num_reads;
}

static void step(struct rt_history *history)
{
   const uint32_t begin = random_below(SPACE), end = begin + random_below(random_below(4) ? 40 : SPACE - begin);
   bool is_write = random_below(2);
   mark++;
   visited = 0;
   expected_next = BASE + begin;
   CHECK(rt_history_visit(history, BASE + begin, BASE + UTIL_MIN(end, (uint32_t)SPACE), visit, &is_write));
   CHECK_EQ(visited, UTIL_MIN(end, (uint32_t)SPACE) - begin);
   for (uint32_t i = begin; i < UTIL_MIN(end, (uint32_t)SPACE); i++) {
      writes[i] = is_write ? mark : writes[i];
      reads[i] = is_write ? 0 : mark;
   }
}

TEST(as_an_array)
{
   struct rt_history history = {0};
   for (uint32_t i = 0; i < NUM_STEPS; i++) {
      step(&history);
      if (i % 500 != 499)
         continue;
      rt_history_sweep(&history, forget_odd, NULL);
      for (uint32_t k = 0; k < SPACE; k++) {
         writes[k] = writes[k] % 2 ? 0 : writes[k];
         reads[k] = reads[k] % 2 ? 0 : reads[k];
      }
   }
   rt_history_finish(&history);
}

TEST(sweeping_frees_pages)
{
   struct rt_history history = {0};
   bool is_write = true;
   mark = 1;
   memset(writes, 0, sizeof(writes));
   memset(reads, 0, sizeof(reads));
   expected_next = BASE;
   CHECK(rt_history_visit(&history, BASE, BASE + SPACE, visit, &is_write));
   CHECK_EQ(history.num_pages, 3);
   rt_history_sweep(&history, forget_odd, NULL);
   CHECK_EQ(history.num_pages, 0);
   rt_history_finish(&history);
}

TEST_MAIN
