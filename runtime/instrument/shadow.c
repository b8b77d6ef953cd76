/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/shadow.h"

#include "util/alloc.h"

#include <string.h>

enum { MIN_SLOTS = 64 };

const uint8_t rt_shadow_conflicts[RT_NUM_SHADOW_CLASSES] = {
   [RT_SHADOW_READ] = 1 << RT_SHADOW_WRITE | 1 << RT_SHADOW_ATOMIC,
   [RT_SHADOW_WRITE] = 1 << RT_SHADOW_READ | 1 << RT_SHADOW_WRITE | 1 << RT_SHADOW_ATOMIC_READ | 1 << RT_SHADOW_ATOMIC,
   [RT_SHADOW_ATOMIC_READ] = 1 << RT_SHADOW_WRITE,
   [RT_SHADOW_ATOMIC] = 1 << RT_SHADOW_READ | 1 << RT_SHADOW_WRITE,
};

/* ---- pages ---- */

static void destroy_row(struct rt_shadow_row *row)
{
   if (!row)
      return;
   util_mfree(row->rounds);
   util_mfree(row->earlier);
   util_mfree(row);
}

static void destroy_page(struct rt_shadow_page *page)
{
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++)
      destroy_row(page->rows[c]);
   util_mfree(page);
}

void rt_shadow_finish(struct rt_shadow *shadow)
{
   for (struct rt_shadow_page *page = shadow->pages, *next; page; page = next) {
      next = page->next;
      destroy_page(page);
   }
   for (struct rt_shadow_row *row = shadow->spare, *next; row; row = next) {
      next = row->next_spare;
      destroy_row(row);
   }
   util_mfree(shadow->slots);
   *shadow = (struct rt_shadow){0};
}

void rt_shadow_give_spare(struct rt_shadow *shadow, struct rt_shadow_row **spare)
{
   for (struct rt_shadow_page *page = shadow->pages; page; page = page->next) {
      for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
         struct rt_shadow_row *row = page->rows[c];
         if (!row || row->rounds || row->earlier)
            continue;
         row->next_spare = *spare;
         *spare = row;
         page->rows[c] = NULL;
      }
   }
   while (shadow->spare) {
      struct rt_shadow_row *row = shadow->spare;
      shadow->spare = row->next_spare;
      row->next_spare = *spare;
      *spare = row;
   }
}

/* NULL: memory is out. */
static struct rt_shadow_row *make_row(struct rt_shadow *shadow)
{
   struct rt_shadow_row *row = shadow->spare;
   if (row) {
      shadow->spare = row->next_spare;
      memset(row->phases, 0, sizeof(row->phases));
   } else {
      row = util_calloc(1, sizeof(*row));
   }
   if (row && shadow->has_rounds && !row->rounds)
      row->rounds = util_calloc(RT_PAGE_GRANULES, sizeof(*row->rounds));
   if (row && shadow->has_rounds && !row->rounds) {
      destroy_row(row);
      return NULL;
   }
   return row;
}

static struct rt_shadow_page **slot_of(struct rt_shadow_page **slots, uint32_t num_slots, uint64_t number)
{
   uint32_t at = (uint32_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (num_slots - 1);
   while (slots[at] && slots[at]->number != number)
      at = (at + 1) & (num_slots - 1);
   return &slots[at];
}

static bool has_room(struct rt_shadow *shadow)
{
   if (shadow->count * UINT64_C(2) < shadow->num_slots)
      return true;
   const uint32_t num_slots = UTIL_MAX((uint32_t)MIN_SLOTS, shadow->num_slots * 2);
   struct rt_shadow_page **slots = num_slots > shadow->num_slots ? util_calloc(num_slots, sizeof(struct rt_shadow_page *)) : NULL;
   if (!slots)
      return false;
   for (struct rt_shadow_page *page = shadow->pages; page; page = page->next)
      *slot_of(slots, num_slots, page->number) = page;
   util_mfree(shadow->slots);
   shadow->slots = slots;
   shadow->num_slots = num_slots;
   return true;
}

static void add_page(struct rt_shadow *shadow, struct rt_shadow_page *page)
{
   *slot_of(shadow->slots, shadow->num_slots, page->number) = page;
   page->next = shadow->pages;
   shadow->pages = page;
   shadow->count++;
}

static struct rt_shadow_page *make_page(struct rt_shadow *shadow, uint64_t number)
{
   struct rt_shadow_page *page = util_calloc(1, sizeof(*page));
   if (!page)
      return NULL;
   page->number = number;
   add_page(shadow, page);
   return page;
}

struct rt_shadow_page *rt_shadow_find_page(struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class)
{
   const uint64_t number = granule >> RT_PAGE_SHIFT;
   struct rt_shadow_page *page = NULL;
   if (has_room(shadow)) {
      page = *slot_of(shadow->slots, shadow->num_slots, number);
      if (!page)
         page = make_page(shadow, number);
   }
   if (page && !page->rows[class])
      page->rows[class] = make_row(shadow);
   if (!page || !page->rows[class]) {
      shadow->is_out_of_memory = true;
      return NULL;
   }
   shadow->recent = page;
   return page;
}

/* ---- from phase to phase ---- */

bool rt_shadow_fold(struct rt_shadow_page *page, enum rt_shadow_class class, uint32_t index, uint32_t group)
{
   struct rt_shadow_row *row = page->rows[class];
   const uint64_t high = (uint64_t)group << RT_ACCESS_GROUP_SHIFT;
   if (!row->earlier) {
      row->earlier = util_malloc(RT_PAGE_GRANULES * sizeof(*row->earlier));
      for (uint32_t i = 0; row->earlier && i < RT_PAGE_GRANULES; i++) {
         row->earlier[i][0] = RT_NO_ACCESS;
         row->earlier[i][1] = 0;
      }
   }
   if (!row->earlier)
      return false;
   row->earlier[index][0] = UTIL_MIN(row->earlier[index][0], high | row->least[index]);
   row->earlier[index][1] = UTIL_MAX(row->earlier[index][1], high | row->greatest[index]);
   page->is_shared = true;
   return true;
}

void rt_shadow_set_groups(struct rt_shadow *shadow, const uint32_t *groups)
{
   for (struct rt_shadow_page *page = shadow->pages; page; page = page->next)
      page->groups = groups;
}

static bool fold_page(struct rt_shadow_page *page)
{
   bool is_folded = true;
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
      struct rt_shadow_row *row = page->rows[c];
      for (uint32_t i = 0; row && i < RT_PAGE_GRANULES; i++) {
         if (row->phases[i])
            is_folded = rt_shadow_fold(page, c, i, page->groups[row->phases[i]]) && is_folded;
         row->phases[i] = 0;
      }
   }
   return is_folded;
}

static void merge_row(struct rt_shadow_row *to, const struct rt_shadow_row *from)
{
   for (uint32_t i = 0; to->earlier && from->earlier && i < RT_PAGE_GRANULES; i++) {
      to->earlier[i][0] = UTIL_MIN(to->earlier[i][0], from->earlier[i][0]);
      to->earlier[i][1] = UTIL_MAX(to->earlier[i][1], from->earlier[i][1]);
   }
}

/* `from` is used up. */
static void merge_page(struct rt_shadow *to, struct rt_shadow_page *from)
{
   struct rt_shadow_page **slot = has_room(to) ? slot_of(to->slots, to->num_slots, from->number) : NULL;
   if (slot && !*slot) {
      add_page(to, from);
      return;
   }
   if (!slot || !fold_page(*slot) || !fold_page(from))
      to->is_out_of_memory = true;
   for (uint32_t c = 0; slot && c < RT_NUM_SHADOW_CLASSES; c++) {
      (*slot)->is_shared = true;
      if (!(*slot)->rows[c]) {
         (*slot)->rows[c] = from->rows[c];
         from->rows[c] = NULL;
      } else if (from->rows[c]) {
         merge_row((*slot)->rows[c], from->rows[c]);
      }
   }
   destroy_page(from);
}

void rt_shadow_merge(struct rt_shadow *to, struct rt_shadow *from)
{
   for (struct rt_shadow_page *page = from->pages, *next; page; page = next) {
      next = page->next;
      merge_page(to, page);
   }
   to->is_out_of_memory |= from->is_out_of_memory;
   from->pages = NULL;
   rt_shadow_finish(from);
}

/* ---- conflicts ---- */

static const struct {
   uint8_t a, b;
} pairs[] = {
   {RT_SHADOW_WRITE, RT_SHADOW_WRITE},       {RT_SHADOW_READ, RT_SHADOW_WRITE},   {RT_SHADOW_ATOMIC_READ, RT_SHADOW_WRITE},
   {RT_SHADOW_WRITE, RT_SHADOW_ATOMIC},      {RT_SHADOW_READ, RT_SHADOW_ATOMIC},
};

void rt_shadow_judge(uint64_t granule, uint64_t extremes[RT_NUM_SHADOW_CLASSES][2], const struct rt_conflicts *conflicts)
{
   uint64_t first = RT_NO_ACCESS, second = RT_NO_ACCESS;
   for (uint32_t p = 0; p < UTIL_ARRAY_SIZE(pairs); p++) {
      for (uint32_t i = 0; i < 4; i++) {
         const uint64_t x = extremes[pairs[p].a][i & 1], y = extremes[pairs[p].b][i >> 1];
         const uint64_t a = UTIL_MIN(x, y), b = UTIL_MAX(x, y);
         if (b == RT_NO_ACCESS || a >> conflicts->somebody_shift == b >> conflicts->somebody_shift)
            continue;
         if ((a < first || (a == first && b < second)) && !conflicts->are_ordered(conflicts->data, a, b)) {
            first = a;
            second = b;
         }
      }
   }
   if (first != RT_NO_ACCESS)
      conflicts->found(conflicts->data, granule, first, second);
}

/* Somebody is there, and it is not one's alone. */
static bool take_extremes(const struct rt_shadow_page *page, uint32_t index, uint32_t somebody_shift, uint64_t extremes[RT_NUM_SHADOW_CLASSES][2])
{
   uint64_t first = RT_NO_ACCESS, last = 0;
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
      const struct rt_shadow_row *row = page->rows[c];
      uint64_t least = RT_NO_ACCESS, greatest = 0;
      if (row && row->phases[index]) {
         const uint64_t high = (uint64_t)page->groups[row->phases[index]] << RT_ACCESS_GROUP_SHIFT;
         least = high | row->least[index];
         greatest = high | row->greatest[index];
      }
      if (row && row->earlier) {
         least = UTIL_MIN(least, row->earlier[index][0]);
         greatest = UTIL_MAX(greatest, row->earlier[index][1]);
      }
      first = UTIL_MIN(first, least);
      last = UTIL_MAX(last, greatest);
      extremes[c][0] = least;
      extremes[c][1] = least == RT_NO_ACCESS ? RT_NO_ACCESS : greatest;
   }
   return first != RT_NO_ACCESS && first >> somebody_shift != last >> somebody_shift;
}

/* Somebody writes, and somebody else may be there. */
static bool may_conflict(const struct rt_shadow_page *page)
{
   const struct rt_shadow_row *const *rows = (const struct rt_shadow_row *const *)page->rows;
   const struct rt_shadow_row *writes = rows[RT_SHADOW_WRITE] ? rows[RT_SHADOW_WRITE] : rows[RT_SHADOW_ATOMIC];
   bool may = page->is_shared;
   for (uint32_t c = 0; writes && !may && c < RT_NUM_SHADOW_CLASSES; c++) {
      if (!rows[c] || rows[c] == writes)
         continue;
      uint32_t differs = 0;
      for (uint32_t i = 0; i < RT_PAGE_GRANULES; i++)
         differs |= writes->phases[i] && rows[c]->phases[i] && writes->phases[i] != rows[c]->phases[i] ? 1 : 0;
      may = differs;
   }
   return writes && may;
}

void rt_shadow_judge_all(const struct rt_shadow *shadow, const struct rt_conflicts *conflicts)
{
   uint64_t extremes[RT_NUM_SHADOW_CLASSES][2];
   for (const struct rt_shadow_page *page = shadow->pages; page; page = page->next) {
      const bool may = may_conflict(page);
      for (uint32_t i = 0; may && i < RT_PAGE_GRANULES; i++) {
         if (take_extremes(page, i, conflicts->somebody_shift, extremes))
            rt_shadow_judge(page->number << RT_PAGE_SHIFT | i, extremes, conflicts);
      }
   }
}
