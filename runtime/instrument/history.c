/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/history.h"

#include "util/alloc.h"
#include "util/size.h"

static void free_page(struct rt_history_page *page)
{
   for (uint32_t i = 0; i < page->num_states; i++)
      util_mfree(page->states[i].bits);
   util_mfree(page->states);
   util_mfree(page);
}

void rt_history_finish(struct rt_history *history)
{
   for (uint64_t i = 0; i < history->cap_pages; i++) {
      if (history->pages[i])
         free_page(history->pages[i]);
   }
   util_mfree(history->pages);
   *history = (struct rt_history){0};
}

/* ---- the table ---- */

/* Where the page is, or would be. */
static struct rt_history_page **slot_of(struct rt_history_page **pages, uint64_t capacity, uint64_t number)
{
   uint64_t at = number * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (capacity - 1);
   while (pages[at] && pages[at]->number != number)
      at = (at + 1) & (capacity - 1);
   return &pages[at];
}

static bool resize(struct rt_history *history, uint64_t capacity)
{
   struct rt_history_page **pages = util_calloc(capacity, sizeof(*pages));
   if (!pages)
      return false;
   for (uint64_t i = 0; i < history->cap_pages; i++) {
      if (history->pages[i])
         *slot_of(pages, capacity, history->pages[i]->number) = history->pages[i];
   }
   util_mfree(history->pages);
   history->pages = pages;
   history->cap_pages = capacity;
   return true;
}

static struct rt_history_page *page_of(struct rt_history *history, uint64_t number)
{
   if (history->num_pages * 2 >= history->cap_pages && !resize(history, UTIL_MAX(history->cap_pages * 2, UINT64_C(1024))))
      return NULL;
   struct rt_history_page **slot = slot_of(history->pages, history->cap_pages, number);
   if (*slot)
      return *slot;
   struct rt_history_page *page = util_calloc(1, sizeof(*page));
   if (!page)
      return NULL;
   page->number = number;
   *slot = page;
   history->num_pages++;
   return page;
}

/* ---- states ---- */

static bool is_full(const struct rt_marks_bits *bits)
{
   uint64_t all = UINT64_MAX;
   for (uint32_t i = 0; i < RT_MARKS_WORDS; i++)
      all &= bits->words[i];
   return all == UINT64_MAX;
}

static bool is_empty(const struct rt_marks_bits *bits)
{
   uint64_t any = 0;
   for (uint32_t i = 0; i < RT_MARKS_WORDS; i++)
      any |= bits->words[i];
   return !any;
}

/* NULL: memory is out. */
static struct rt_state *add_state(struct rt_history_page *page)
{
   if (page->num_states == page->cap_states) {
      const uint32_t capacity = page->cap_states ? page->cap_states * 2 : 1;
      struct rt_state *larger = util_realloc(page->states, util_size_mul(capacity, sizeof(*larger)));
      if (!larger)
         return NULL;
      page->states = larger;
      page->cap_states = capacity;
   }
   struct rt_state *state = &page->states[page->num_states++];
   *state = (struct rt_state){0};
   return state;
}

static void remove_state(struct rt_history_page *page, uint32_t index)
{
   util_mfree(page->states[index].bits);
   page->states[index] = page->states[--page->num_states];
}

/* `bits` NULL: all of the page. */
static bool set_bits(struct rt_state *state, const struct rt_marks_bits *bits)
{
   if (!bits || is_full(bits)) {
      util_mfree(state->bits);
      state->bits = NULL;
      return true;
   }
   if (!state->bits)
      state->bits = util_malloc(sizeof(*bits));
   if (state->bits)
      *state->bits = *bits;
   return state->bits != NULL;
}

static bool is_same(const struct rt_state *a, const struct rt_state *b)
{
   return a->write == b->write && a->num_reads == b->num_reads && memcmp(a->reads, b->reads, a->num_reads * sizeof(a->reads[0])) == 0;
}

/* States from `first` on have changed: those that say what others do are joined with them, those of nobody go. */
static void clean(struct rt_history_page *page, uint32_t first)
{
   for (uint32_t i = page->num_states; i-- > first;) {
      struct rt_state *state = &page->states[i];
      uint32_t same = 0;
      while (same < i && !is_same(&page->states[same], state))
         same++;
      for (uint32_t w = 0; same < i && w < RT_MARKS_WORDS; w++)
         page->states[same].bits->words[w] |= state->bits->words[w];
      if (same < i && is_full(page->states[same].bits))
         (void)set_bits(&page->states[same], NULL);
      if (same < i || (!state->write && !state->num_reads))
         remove_state(page, i);
   }
}

/* ---- visits ---- */

static void swap(struct rt_state *a, struct rt_state *b)
{
   const struct rt_state before = *a;
   *a = *b;
   *b = before;
}

/* The state is cut in two, of which what is in `bits` becomes one at the end. False: memory is out. */
static bool cut(struct rt_history_page *page, uint32_t index, const struct rt_marks_bits *bits)
{
   struct rt_marks_bits rest;
   struct rt_state *end = add_state(page);
   if (!end)
      return false;
   struct rt_state *state = &page->states[index];
   *end = *state;
   end->bits = NULL;
   for (uint32_t i = 0; i < RT_MARKS_WORDS; i++)
      rest.words[i] = (state->bits ? state->bits->words[i] : UINT64_MAX) & ~bits->words[i];
   if (set_bits(end, bits) && set_bits(state, &rest))
      return true;
   remove_state(page, page->num_states - 1);
   return false;
}

/* Brings states of bytes in `left` to the end, from `first` on, cut where they have others too; what nobody has touched stays in `left`. */
static bool single_out(struct rt_history_page *page, struct rt_marks_bits *left, uint32_t *first)
{
   *first = page->num_states;
   for (uint32_t i = 0; i < *first;) {
      const struct rt_marks_bits *bits = page->states[i].bits;
      struct rt_marks_bits common;
      uint64_t any = 0, others = 0;
      for (uint32_t w = 0; w < RT_MARKS_WORDS; w++) {
         const uint64_t word = bits ? bits->words[w] : UINT64_MAX;
         common.words[w] = word & left->words[w];
         left->words[w] &= ~word;
         any |= common.words[w];
         others |= word & ~common.words[w];
      }
      if (any && others && !cut(page, i, &common))
         return false;
      if (any && !others)
         swap(&page->states[i], &page->states[--*first]);
      else
         i++;
   }
   return true;
}

static void sort_by_first_byte(struct rt_state *states, uint32_t count)
{
   for (uint32_t i = 1; i < count; i++) {
      for (uint32_t k = i; k && rt_marks_next(states[k].bits, 0) < rt_marks_next(states[k - 1].bits, 0); k--)
         swap(&states[k], &states[k - 1]);
   }
}

bool rt_history_visit(struct rt_history *history, uint64_t number, const struct rt_marks_bits *bits, rt_history_visit_fn *visit, void *data)
{
   struct rt_history_page *page = page_of(history, number);
   struct rt_marks_bits left;
   uint32_t first = 0;
   if (bits)
      left = *bits;
   else
      memset(&left, 0xff, sizeof(left));
   if (!page || !single_out(page, &left, &first))
      return false;
   struct rt_state *untouched = is_empty(&left) ? NULL : add_state(page);
   if (!is_empty(&left) && (!untouched || !set_bits(untouched, &left)))
      return false;
   sort_by_first_byte(&page->states[first], page->num_states - first);
   for (uint32_t i = first; i < page->num_states; i++)
      visit(data, number, &page->states[i]);
   clean(page, first);
   return true;
}

/* ---- less ---- */

static void forget_state(void *data, uint64_t page, struct rt_state *state)
{
   state->write = state->num_reads = 0;
}

static bool forget_page(void *data, uint64_t number, const struct rt_marks_bits *bits)
{
   struct rt_history *history = data;
   const bool is_there = history->cap_pages && *slot_of(history->pages, history->cap_pages, number);
   return !is_there || rt_history_visit(history, number, bits, forget_state, NULL);
}

bool rt_history_forget(struct rt_history *history, uint64_t begin, uint64_t end)
{
   return rt_marks_visit_range(begin, end, forget_page, history);
}

/* Without memory for another table empty pages stay. */
void rt_history_sweep(struct rt_history *history, void (*visit)(void *data, struct rt_state *state), void *data)
{
   struct rt_history_page **pages = util_calloc(history->cap_pages, sizeof(*pages));
   for (uint64_t i = 0; i < history->cap_pages; i++) {
      struct rt_history_page *page = history->pages[i];
      for (uint32_t k = 0; page && k < page->num_states; k++)
         visit(data, &page->states[k]);
      if (page)
         clean(page, 0);
      if (!page || !pages)
         continue;
      if (!page->num_states) {
         free_page(page);
         history->num_pages--;
      } else {
         *slot_of(pages, history->cap_pages, page->number) = page;
      }
   }
   if (pages) {
      util_mfree(history->pages);
      history->pages = pages;
   }
}
