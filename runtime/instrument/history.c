/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/history.h"

#include "util/alloc.h"

#include <string.h>

static void free_page(struct rt_history_page *page)
{
   util_mfree(page->spans);
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
   struct rt_span *spans = page ? util_calloc(1, sizeof(*spans)) : NULL;
   if (!spans) {
      util_mfree(page);
      return NULL;
   }
   spans[0].end = RT_HISTORY_PAGE_BYTES;
   *page = (struct rt_history_page){.number = number, .spans = spans, .num_spans = 1, .cap_spans = 1};
   *slot = page;
   history->num_pages++;
   return page;
}

/* ---- spans ---- */

/* The span that begins there; one that reaches over it is cut in two. UINT32_MAX: memory is out. */
static uint32_t span_at(struct rt_history_page *page, uint32_t begin)
{
   uint32_t low = 0, high = page->num_spans;
   if (begin == RT_HISTORY_PAGE_BYTES)
      return page->num_spans;
   while (high - low > 1) {
      const uint32_t middle = (low + high) / 2;
      if (page->spans[middle].begin <= begin)
         low = middle;
      else
         high = middle;
   }
   if (page->spans[low].begin == begin)
      return low;
   if (page->num_spans == page->cap_spans) {
      const uint32_t capacity = UTIL_MAX(4u, page->cap_spans * 2);
      struct rt_span *larger = util_realloc(page->spans, capacity * sizeof(*larger));
      if (!larger)
         return UINT32_MAX;
      page->spans = larger;
      page->cap_spans = capacity;
   }
   memmove(&page->spans[low + 1], &page->spans[low], (page->num_spans - low) * sizeof(*page->spans));
   page->num_spans++;
   page->spans[low].end = page->spans[low + 1].begin = begin;
   return low + 1;
}

static bool is_same(const struct rt_span *a, const struct rt_span *b)
{
   return a->write == b->write && a->num_reads == b->num_reads && memcmp(a->reads, b->reads, a->num_reads * sizeof(a->reads[0])) == 0;
}

/* Neighbours from `first` - 1 to `end` that say the same become one. */
static void join(struct rt_history_page *page, uint32_t first, uint32_t end)
{
   uint32_t to = first ? first - 1 : 0;
   end = UTIL_MIN(end + 1, page->num_spans);
   for (uint32_t i = to + 1; i < end; i++) {
      if (is_same(&page->spans[to], &page->spans[i]))
         page->spans[to].end = page->spans[i].end;
      else
         page->spans[++to] = page->spans[i];
   }
   if (to + 1 < end) {
      memmove(&page->spans[to + 1], &page->spans[end], (page->num_spans - end) * sizeof(*page->spans));
      page->num_spans -= end - (to + 1);
   }
}

static bool visit_page(struct rt_history_page *page, uint32_t begin, uint32_t end, void (*visit)(void *data, uint64_t address, struct rt_span *span),
                       void *data)
{
   const uint32_t first = span_at(page, begin), last = first == UINT32_MAX ? UINT32_MAX : span_at(page, end);
   if (last == UINT32_MAX)
      return false;
   for (uint32_t i = first; i < last; i++)
      visit(data, page->number * RT_HISTORY_PAGE_BYTES + page->spans[i].begin, &page->spans[i]);
   join(page, first, last);
   return true;
}

bool rt_history_visit(struct rt_history *history, uint64_t begin, uint64_t end, void (*visit)(void *data, uint64_t address, struct rt_span *span),
                      void *data)
{
   while (begin < end) {
      const uint64_t number = begin / RT_HISTORY_PAGE_BYTES, base = number * RT_HISTORY_PAGE_BYTES;
      const uint64_t stop = UTIL_MIN(end, base + RT_HISTORY_PAGE_BYTES);
      struct rt_history_page *page = page_of(history, number);
      if (!page || !visit_page(page, (uint32_t)(begin - base), (uint32_t)(stop - base), visit, data))
         return false;
      begin = stop;
   }
   return true;
}

/* Without memory for another table empty pages stay. */
void rt_history_sweep(struct rt_history *history, void (*visit)(void *data, struct rt_span *span), void *data)
{
   struct rt_history_page **pages = util_calloc(history->cap_pages, sizeof(*pages));
   for (uint64_t i = 0; i < history->cap_pages; i++) {
      struct rt_history_page *page = history->pages[i];
      for (uint32_t k = 0; page && k < page->num_spans; k++)
         visit(data, &page->spans[k]);
      if (page)
         join(page, 0, page->num_spans);
      if (!page || !pages)
         continue;
      if (page->num_spans == 1 && !page->spans[0].write && !page->spans[0].num_reads) {
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
