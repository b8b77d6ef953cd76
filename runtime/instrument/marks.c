/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/marks.h"

#include "util/alloc.h"
#include "util/size.h"

#include <stdlib.h>

enum { MIN_SLOTS = 4, MAX_KEPT_SLOTS = 8, FEW_RUNS = 1024, MIN_RUN_PAGES = 8 /* fewer have bits, which may be marked again at no cost */ };

void rt_marks_finish(struct rt_marks *marks)
{
   util_mfree(marks->pages);
   util_mfree(marks->slots);
   util_mfree(marks->runs);
   *marks = (struct rt_marks){0};
}

void rt_marks_clear(struct rt_marks *marks)
{
   if (marks->num_slots > MAX_KEPT_SLOTS || marks->cap_runs > MAX_KEPT_SLOTS) {
      rt_marks_finish(marks);
      return;
   }
   marks->num_pages = 0;
   marks->num_runs = 0;
   if (marks->num_slots)
      memset(marks->slots, 0, marks->num_slots * sizeof(*marks->slots));
}

/* ---- pages with bits ---- */

static struct rt_marks_slot *slot_of(struct rt_marks_slot *slots, uint32_t num_slots, uint64_t number)
{
   uint32_t at = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (num_slots - 1);
   while (slots[at].page && slots[at].number != number)
      at = (at + 1) & (num_slots - 1);
   return &slots[at];
}

static bool has_room(struct rt_marks *marks)
{
   if (marks->num_pages < marks->cap_pages)
      return true;
   const uint32_t num_slots = UTIL_MAX((uint32_t)MIN_SLOTS, marks->num_slots * 2), capacity = num_slots / 2;
   struct rt_marks_slot *slots = num_slots > marks->num_slots ? util_calloc(num_slots, sizeof(*slots)) : NULL;
   struct rt_marks_page *pages = slots ? util_realloc(marks->pages, util_size_mul(capacity, sizeof(*pages))) : NULL;
   if (!pages) {
      util_mfree(slots);
      return false;
   }
   for (uint32_t i = 0; i < marks->num_pages; i++)
      *slot_of(slots, num_slots, pages[i].number) = (struct rt_marks_slot){pages[i].number, i + 1};
   util_mfree(marks->slots);
   marks->pages = pages;
   marks->slots = slots;
   marks->num_slots = num_slots;
   marks->cap_pages = capacity;
   return true;
}

/* NULL: memory is out. */
static struct rt_marks_bits *bits_of(struct rt_marks *marks, uint64_t number)
{
   const struct rt_marks_slot *slot = marks->num_slots ? slot_of(marks->slots, marks->num_slots, number) : NULL;
   if (slot && slot->page)
      return &marks->pages[slot->page - 1].bits;
   if (!has_room(marks))
      return NULL;
   struct rt_marks_page *page = &marks->pages[marks->num_pages++];
   *slot_of(marks->slots, marks->num_slots, number) = (struct rt_marks_slot){number, marks->num_pages};
   *page = (struct rt_marks_page){.number = number};
   return &page->bits;
}

/* ---- whole pages ---- */

static int compare_runs(const void *a, const void *b)
{
   const struct rt_marks_run *x = a, *y = b;
   return x->first < y->first ? -1 : x->first > y->first;
}

static void join_runs(struct rt_marks *marks)
{
   size_t count = 0;
   if (marks->num_runs) /* else there is no array, which qsort() may not be given */
      qsort(marks->runs, marks->num_runs, sizeof(*marks->runs), compare_runs);
   for (size_t i = 0; i < marks->num_runs; i++) {
      struct rt_marks_run *last = count ? &marks->runs[count - 1] : NULL;
      if (last && marks->runs[i].first <= last->end)
         last->end = UTIL_MAX(last->end, marks->runs[i].end);
      else
         marks->runs[count++] = marks->runs[i];
   }
   marks->num_runs = count;
}

/* Many are joined before there are more. */
static bool has_room_for_run(struct rt_marks *marks)
{
   if (marks->num_runs < marks->cap_runs)
      return true;
   if (marks->num_runs >= FEW_RUNS)
      join_runs(marks);
   if (marks->num_runs < marks->cap_runs / 2)
      return true;
   const size_t capacity = UTIL_MAX(marks->cap_runs * 2, (size_t)8);
   struct rt_marks_run *larger = util_realloc(marks->runs, util_size_mul(capacity, sizeof(*larger)));
   if (!larger)
      return false;
   marks->runs = larger;
   marks->cap_runs = capacity;
   return true;
}

static bool add_run(struct rt_marks *marks, struct rt_marks_run run)
{
   struct rt_marks_run *last = marks->num_runs ? &marks->runs[marks->num_runs - 1] : NULL;
   if (last && run.first >= last->first && run.first <= last->end) {
      last->end = UTIL_MAX(last->end, run.end);
      return true;
   }
   if (!has_room_for_run(marks))
      return false;
   marks->runs[marks->num_runs++] = run;
   return true;
}

/* ---- both ---- */

static bool add_page(void *data, uint64_t page, const struct rt_marks_bits *more)
{
   struct rt_marks_bits *bits = bits_of(data, page);
   for (uint32_t i = 0; bits && i < RT_MARKS_WORDS; i++)
      bits->words[i] |= more ? more->words[i] : UINT64_MAX;
   return bits != NULL;
}

bool rt_marks_add(struct rt_marks *marks, uint64_t begin, uint64_t end)
{
   const uint64_t page = begin / RT_MARKS_PAGE_BYTES, base = page * RT_MARKS_PAGE_BYTES;
   if (begin >= end)
      return true;
   if (UTIL_LIKELY(end - base <= RT_MARKS_PAGE_BYTES)) {
      struct rt_marks_bits *bits = bits_of(marks, page);
      if (bits)
         rt_marks_set(bits, (uint32_t)(begin - base), (uint32_t)(end - base));
      return bits != NULL;
   }
   const struct rt_marks_run run = {UTIL_DIV_ROUND_UP(begin, RT_MARKS_PAGE_BYTES), end / RT_MARKS_PAGE_BYTES};
   if (run.end < run.first + MIN_RUN_PAGES)
      return rt_marks_visit_range(begin, end, add_page, marks);
   return rt_marks_visit_range(begin, run.first * RT_MARKS_PAGE_BYTES, add_page, marks) && add_run(marks, run) &&
          rt_marks_visit_range(run.end * RT_MARKS_PAGE_BYTES, end, add_page, marks);
}

bool rt_marks_join(struct rt_marks *marks, const struct rt_marks *more)
{
   bool is_done = true;
   for (uint32_t i = 0; i < more->num_pages && is_done; i++)
      is_done = add_page(marks, more->pages[i].number, &more->pages[i].bits);
   for (size_t i = 0; i < more->num_runs && is_done; i++)
      is_done = add_run(marks, more->runs[i]);
   return is_done;
}

/* ---- visits ---- */

bool rt_marks_visit_range(uint64_t begin, uint64_t end, rt_marks_visit_fn *visit, void *data)
{
   while (begin < end) {
      const uint64_t page = begin / RT_MARKS_PAGE_BYTES, base = page * RT_MARKS_PAGE_BYTES;
      const uint64_t stop = UTIL_MIN(end, base + RT_MARKS_PAGE_BYTES);
      struct rt_marks_bits bits = {{0}};
      const bool is_whole = stop - begin == RT_MARKS_PAGE_BYTES;
      if (!is_whole)
         rt_marks_set(&bits, (uint32_t)(begin - base), (uint32_t)(stop - base));
      if (!visit(data, page, is_whole ? NULL : &bits))
         return false;
      begin = stop;
   }
   return true;
}

static int compare_pages(const void *a, const void *b)
{
   const struct rt_marks_page *x = a, *y = b;
   return x->number < y->number ? -1 : x->number > y->number;
}

static void sort_pages(struct rt_marks *marks)
{
   bool is_sorted = true;
   for (uint32_t i = 1; i < marks->num_pages; i++)
      is_sorted &= marks->pages[i - 1].number < marks->pages[i].number;
   if (!is_sorted)
      qsort(marks->pages, marks->num_pages, sizeof(*marks->pages), compare_pages);
}

bool rt_marks_visit(struct rt_marks *marks, rt_marks_visit_fn *visit, void *data)
{
   uint32_t at = 0;
   sort_pages(marks);
   join_runs(marks);
   for (size_t i = 0; i <= marks->num_runs; i++) {
      const struct rt_marks_run run = i < marks->num_runs ? marks->runs[i] : (struct rt_marks_run){UINT64_MAX, UINT64_MAX};
      for (; at < marks->num_pages && marks->pages[at].number < run.end; at++) {
         if (marks->pages[at].number < run.first && !visit(data, marks->pages[at].number, &marks->pages[at].bits))
            return false;
      }
      for (uint64_t page = run.first; page < run.end; page++) {
         if (!visit(data, page, NULL))
            return false;
      }
   }
   return true;
}
