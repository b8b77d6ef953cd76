/* SPDX-License-Identifier: MIT
 * States of bytes against an array with an entry a byte. */
#include "runtime/instrument/history.h"
#include "tests/test.h"

enum { SPACE = 3 * RT_MARKS_PAGE_BYTES, NUM_STEPS = 3000, FIRST_PAGE = 7, BASE = FIRST_PAGE * RT_MARKS_PAGE_BYTES };

static uint32_t writes[SPACE], reads[SPACE]; /* the last of each byte */
static bool is_chosen[SPACE], is_visited[SPACE];
static uint32_t seed = 1, mark, last_first;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static void visit(void *data, uint64_t page, struct rt_state *state)
{
   const bool *is_write = data;
   const uint32_t base = (uint32_t)(page - FIRST_PAGE) * RT_MARKS_PAGE_BYTES, first = base + rt_marks_next(state->bits, 0);
   CHECK(first >= last_first);
   last_first = first + 1;
   for (uint32_t at = rt_marks_next(state->bits, 0); at < RT_MARKS_PAGE_BYTES; at = rt_marks_next(state->bits, at + 1)) {
      CHECK(is_chosen[base + at] && !is_visited[base + at]);
      CHECK_EQ(state->write, writes[base + at]);
      CHECK_EQ(state->num_reads ? state->reads[state->num_reads - 1] : 0, reads[base + at]);
      is_visited[base + at] = true;
   }
   state->write = *is_write ? mark : state->write;
   state->num_reads = !*is_write;
   state->reads[0] = mark;
}

struct step {
   struct rt_history *history;
   bool is_write;
};

static bool visit_page(void *data, uint64_t page, const struct rt_marks_bits *bits)
{
   struct step *step = data;
   return rt_history_visit(step->history, page, bits, visit, &step->is_write);
}

static void forget_odd(void *data, struct rt_state *state)
{
   state->write = state->write % 2 ? 0 : state->write;
   state->num_reads = state->num_reads && state->reads[0] % 2 ? 0 : state->num_reads;
}

/* Stretches, and now and then each fourth word. */
static void choose(struct rt_marks *marks)
{
   const uint32_t begin = random_below(SPACE), length = random_below(random_below(4) ? 40 : SPACE - begin);
   const uint32_t end = UTIL_MIN(begin + length, (uint32_t)SPACE), unit = random_below(3) ? 16 : 4;
   memset(is_chosen, 0, sizeof(is_chosen));
   for (uint32_t at = begin; at < end; at += 16) {
      const uint32_t stop = UTIL_MIN(at + unit, end);
      CHECK(rt_marks_add(marks, BASE + at, BASE + stop));
      memset(&is_chosen[at], 1, stop - at);
   }
}

static void take_step(struct rt_history *history)
{
   struct rt_marks marks = {0};
   struct step step = {history, random_below(2)};
   choose(&marks);
   mark++;
   last_first = 0;
   memset(is_visited, 0, sizeof(is_visited));
   CHECK(rt_marks_visit(&marks, visit_page, &step));
   CHECK(!memcmp(is_chosen, is_visited, sizeof(is_chosen)));
   for (uint32_t i = 0; i < SPACE; i++) {
      writes[i] = is_chosen[i] && step.is_write ? mark : writes[i];
      reads[i] = !is_chosen[i] ? reads[i] : step.is_write ? 0 : mark;
   }
   rt_marks_finish(&marks);
}

static void forget_range(struct rt_history *history)
{
   const uint32_t begin = random_below(SPACE), end = begin + random_below(SPACE - begin);
   CHECK(rt_history_forget(history, BASE + begin, BASE + end));
   memset(&writes[begin], 0, (end - begin) * sizeof(writes[0]));
   memset(&reads[begin], 0, (end - begin) * sizeof(reads[0]));
}

TEST(as_an_array)
{
   struct rt_history history = {0};
   for (uint32_t i = 0; i < NUM_STEPS; i++) {
      take_step(&history);
      if (i % 300 == 299)
         forget_range(&history);
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

static uint32_t num_states(const struct rt_history *history)
{
   uint32_t count = 0;
   for (uint64_t i = 0; i < history->cap_pages; i++)
      count += history->pages[i] ? history->pages[i]->num_states : 0;
   return count;
}

/* What is the same for bytes far apart is one state, of all bytes none that needs bits. */
TEST(bytes_with_one_history_are_one_state)
{
   struct rt_history history = {0};
   struct step step = {&history, true};
   memset(writes, 0, sizeof(writes));
   memset(reads, 0, sizeof(reads));
   mark = 1;
   for (uint32_t first = 0; first < 2; first++) {
      struct rt_marks marks = {0};
      memset(is_chosen, 0, sizeof(is_chosen));
      memset(is_visited, 0, sizeof(is_visited));
      for (uint32_t at = first * 4; at < SPACE; at += 8) {
         CHECK(rt_marks_add(&marks, BASE + at, BASE + at + 4));
         memset(&is_chosen[at], 1, 4);
      }
      last_first = 0;
      CHECK(rt_marks_visit(&marks, visit_page, &step));
      CHECK_EQ(num_states(&history), 3);
      rt_marks_finish(&marks);
   }
   for (uint64_t i = 0; i < history.cap_pages; i++)
      CHECK(!history.pages[i] || !history.pages[i]->states[0].bits);
   rt_history_finish(&history);
}

TEST(sweeping_frees_pages)
{
   struct rt_history history = {0};
   struct step step = {&history, true};
   mark = 1;
   last_first = 0;
   memset(writes, 0, sizeof(writes));
   memset(reads, 0, sizeof(reads));
   memset(is_chosen, 1, sizeof(is_chosen));
   memset(is_visited, 0, sizeof(is_visited));
   CHECK(rt_marks_visit_range(BASE, BASE + SPACE, visit_page, &step));
   CHECK_EQ(history.num_pages, 3);
   rt_history_sweep(&history, forget_odd, NULL);
   CHECK_EQ(history.num_pages, 0);
   rt_history_finish(&history);
}

TEST_MAIN
