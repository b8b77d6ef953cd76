/* SPDX-License-Identifier: MIT */
#include "runtime/instrument/shadow.h"

#include "util/alloc.h"

#include <string.h>

enum { MIN_SLOTS = 64, GRANULES_WORDS = RT_NUM_CELL_WORDS * RT_PAGE_GRANULES };

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
   util_mfree(row->cells[RT_GRANULES].phases); /* and those behind them */
   for (uint32_t level = 0; level < RT_NUM_SHADOW_LEVELS; level++)
      util_mfree(row->cells[level].earlier);
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
   util_mfree(shadow->slots);
   *shadow = (struct rt_shadow){.spare = shadow->spare};
}

void rt_shadow_rows_finish(struct rt_shadow_rows *rows)
{
   for (struct rt_shadow_row *row = rows->first, *next; row; row = next) {
      next = row->next_spare;
      destroy_row(row);
   }
   *rows = (struct rt_shadow_rows){0};
}

uint32_t rt_shadow_count_rows(const struct rt_shadow *shadow)
{
   uint32_t count = 0;
   for (const struct rt_shadow_page *page = shadow->pages; page; page = page->next) {
      for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++)
         count += page->rows[c] != NULL;
   }
   return count;
}

void rt_shadow_give_rows(struct rt_shadow *shadow, struct rt_shadow_rows *spare)
{
   for (struct rt_shadow_page *page = shadow->pages; page && spare->count < spare->limit; page = page->next) {
      for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
         struct rt_shadow_row *row = page->rows[c];
         if (!row || row->rounds || row->cells[RT_SEGMENTS].earlier || row->cells[RT_GRANULES].earlier)
            continue;
         row->next_spare = spare->first;
         spare->first = row;
         spare->count++;
         page->rows[c] = NULL;
      }
   }
}

static struct rt_shadow_cells cells_in(uint32_t *memory, uint32_t count)
{
   return (struct rt_shadow_cells){.phases = memory + RT_PHASES * count, .least = memory + RT_LEAST * count, .greatest = memory + RT_GREATEST * count};
}

/* NULL: memory is out. */
static struct rt_shadow_row *make_row(struct rt_shadow *shadow)
{
   struct rt_shadow_row *row = shadow->spare ? shadow->spare->first : NULL;
   if (row) {
      shadow->spare->first = row->next_spare;
      shadow->spare->count--;
      for (uint32_t level = 0; level < RT_NUM_SHADOW_LEVELS && row->cells[level].phases; level++)
         memset(row->cells[level].phases, 0, rt_shadow_num_cells(level) * sizeof(uint32_t));
   } else {
      row = util_calloc(1, sizeof(*row));
      if (row)
         row->cells[RT_SEGMENTS] = cells_in(row->segments[0], RT_PAGE_SEGMENTS);
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
   return page;
}

/* ---- segments and granules ---- */

/* False: memory is out. */
static bool make_granules(struct rt_shadow_row *row)
{
   if (row->cells[RT_GRANULES].phases)
      return true;
   uint32_t *memory = util_calloc(GRANULES_WORDS, sizeof(*memory));
   if (memory)
      row->cells[RT_GRANULES] = cells_in(memory, RT_PAGE_GRANULES);
   return memory;
}

static bool make_earlier(struct rt_shadow_row *row, enum rt_shadow_level level)
{
   struct rt_shadow_cells *cells = &row->cells[level];
   if (cells->earlier)
      return true;
   cells->earlier = util_malloc(rt_shadow_num_cells(level) * sizeof(*cells->earlier));
   for (uint32_t i = 0; cells->earlier && i < rt_shadow_num_cells(level); i++) {
      cells->earlier[i][0] = RT_NO_ACCESS;
      cells->earlier[i][1] = 0;
   }
   return cells->earlier;
}

/* What the cell of a segment says becomes what those of its granules say. */
static bool split_row(struct rt_shadow_row *row, uint32_t segment, uint32_t shift)
{
   struct rt_shadow_cells *from = &row->cells[RT_SEGMENTS], *to = &row->cells[RT_GRANULES];
   const bool has_earlier = from->earlier && from->earlier[segment][0] != RT_NO_ACCESS;
   if (!from->phases[segment] && !has_earlier)
      return true;
   if (!make_granules(row) || (has_earlier && !make_earlier(row, RT_GRANULES)))
      return false;
   for (uint32_t i = 0; i < RT_SEGMENT_GRANULES; i++) {
      const uint32_t at = segment * RT_SEGMENT_GRANULES + i, step = i >> shift << RT_ACCESS_LOCAL_SHIFT;
      to->phases[at] = from->phases[segment];
      to->least[at] = from->least[segment] + step;
      to->greatest[at] = from->greatest[segment] + step;
      if (has_earlier) {
         to->earlier[at][0] = from->earlier[segment][0] + step;
         to->earlier[at][1] = from->earlier[segment][1] + step;
      }
   }
   from->phases[segment] = 0;
   if (has_earlier) {
      from->earlier[segment][0] = RT_NO_ACCESS;
      from->earlier[segment][1] = 0;
   }
   return true;
}

static bool split(struct rt_shadow_page *page, uint32_t segment)
{
   const uint32_t state = page->states[segment];
   bool is_split = true;
   for (uint32_t c = 0; state != RT_SEGMENT_APART && c < RT_NUM_SHADOW_CLASSES; c++) {
      if (page->rows[c] && state != RT_SEGMENT_UNTOUCHED)
         is_split = split_row(page->rows[c], segment, state - RT_SEGMENT_SHAPE) && is_split;
   }
   page->states[segment] = RT_SEGMENT_APART;
   return is_split;
}

bool rt_shadow_split(struct rt_shadow *shadow, struct rt_shadow_page *page, enum rt_shadow_class class, uint32_t first, uint32_t count)
{
   bool is_split = make_granules(page->rows[class]);
   for (uint32_t s = first / RT_SEGMENT_GRANULES; s <= (first + count - 1) / RT_SEGMENT_GRANULES; s++)
      is_split = split(page, s) && is_split;
   shadow->is_out_of_memory |= !is_split;
   return is_split;
}

struct rt_shadow_last rt_shadow_last_of(const struct rt_shadow_page *page, enum rt_shadow_class class, uint32_t index)
{
   const uint32_t segment = index / RT_SEGMENT_GRANULES, state = page->states[segment];
   const struct rt_shadow_row *row = page->rows[class];
   const struct rt_shadow_cells *cells = row ? &row->cells[state == RT_SEGMENT_APART ? RT_GRANULES : RT_SEGMENTS] : NULL;
   if (!cells || !cells->phases || state == RT_SEGMENT_UNTOUCHED)
      return (struct rt_shadow_last){0};
   if (state == RT_SEGMENT_APART)
      return (struct rt_shadow_last){cells->phases[index], cells->least[index], cells->greatest[index]};
   const uint32_t step = index % RT_SEGMENT_GRANULES >> (state - RT_SEGMENT_SHAPE) << RT_ACCESS_LOCAL_SHIFT;
   return (struct rt_shadow_last){cells->phases[segment], cells->least[segment] + step, cells->greatest[segment] + step};
}

/* ---- from phase to phase ---- */

bool rt_shadow_fold(struct rt_shadow_page *page, enum rt_shadow_class class, enum rt_shadow_level level, uint32_t first, uint32_t count, uint32_t phase,
                    const uint32_t *groups)
{
   struct rt_shadow_row *row = page->rows[class];
   const struct rt_shadow_cells *cells = &row->cells[level];
   if (!make_earlier(row, level))
      return false;
   for (uint32_t i = first; i < first + count; i++) {
      if (!cells->phases[i] || cells->phases[i] == phase)
         continue;
      const uint64_t high = (uint64_t)groups[cells->phases[i]] << RT_ACCESS_GROUP_SHIFT;
      cells->earlier[i][0] = UTIL_MIN(cells->earlier[i][0], high | cells->least[i]);
      cells->earlier[i][1] = UTIL_MAX(cells->earlier[i][1], high | cells->greatest[i]);
   }
   page->is_shared = true;
   return true;
}

bool rt_shadow_may_conflict(const struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class)
{
   const struct rt_shadow_page *page = shadow->num_slots ? *slot_of(shadow->slots, shadow->num_slots, granule >> RT_PAGE_SHIFT) : NULL;
   bool may = false;
   for (uint32_t classes = page ? rt_shadow_conflicts[class] : 0; classes; classes &= classes - 1)
      may |= page->rows[__builtin_ctz(classes)] != NULL;
   return may;
}

void rt_shadow_note_earlier(struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class, uint64_t least, uint64_t greatest)
{
   struct rt_shadow_page *page = rt_shadow_find_page(shadow, granule, class);
   const uint32_t at = granule % RT_PAGE_GRANULES;
   if (!page || !rt_shadow_split(shadow, page, class, at, 1) || !make_earlier(page->rows[class], RT_GRANULES)) {
      shadow->is_out_of_memory = true;
      return;
   }
   uint64_t *earlier = page->rows[class]->cells[RT_GRANULES].earlier[at];
   earlier[0] = UTIL_MIN(earlier[0], least);
   earlier[1] = UTIL_MAX(earlier[1], greatest);
   page->is_shared = true;
}

void rt_shadow_set_groups(struct rt_shadow *shadow, const uint32_t *groups)
{
   for (struct rt_shadow_page *page = shadow->pages; page; page = page->next)
      page->groups = groups;
}

static bool fold_cells(struct rt_shadow_page *page, enum rt_shadow_class class, enum rt_shadow_level level)
{
   const struct rt_shadow_cells *cells = &page->rows[class]->cells[level];
   const uint32_t count = rt_shadow_num_cells(level);
   if (!cells->phases)
      return true;
   uint32_t any = 0;
   for (uint32_t i = 0; i < count; i++)
      any |= cells->phases[i];
   const bool is_folded = !any || rt_shadow_fold(page, class, level, 0, count, 0, page->groups);
   memset(cells->phases, 0, count * sizeof(*cells->phases));
   return is_folded;
}

static bool fold_page(struct rt_shadow_page *page)
{
   bool is_folded = true;
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
      for (uint32_t level = 0; page->rows[c] && level < RT_NUM_SHADOW_LEVELS; level++)
         is_folded = fold_cells(page, c, level) && is_folded;
   }
   return is_folded;
}

/* Segments are kept in the same manner in both. */
static bool match_segments(struct rt_shadow_page *a, struct rt_shadow_page *b)
{
   bool is_split = true;
   for (uint32_t s = 0; s < RT_PAGE_SEGMENTS; s++) {
      const uint8_t state = a->states[s] | b->states[s];
      const bool is_one = a->states[s] == b->states[s] || !a->states[s] || !b->states[s];
      if (is_one)
         a->states[s] = b->states[s] = state;
      else
         is_split = split(a, s) && split(b, s) && is_split;
   }
   return is_split;
}

static bool merge_row(struct rt_shadow_row *to, const struct rt_shadow_row *from)
{
   bool is_merged = true;
   for (uint32_t level = 0; level < RT_NUM_SHADOW_LEVELS; level++) {
      const struct rt_shadow_cells *source = &from->cells[level];
      if (!source->earlier)
         continue;
      if ((level == RT_GRANULES && !make_granules(to)) || !make_earlier(to, level)) {
         is_merged = false;
         continue;
      }
      uint64_t (*earlier)[2] = to->cells[level].earlier;
      for (uint32_t i = 0; i < rt_shadow_num_cells(level); i++) {
         earlier[i][0] = UTIL_MIN(earlier[i][0], source->earlier[i][0]);
         earlier[i][1] = UTIL_MAX(earlier[i][1], source->earlier[i][1]);
      }
   }
   return is_merged;
}

/* `from` is used up. */
static void merge_page(struct rt_shadow *to, struct rt_shadow_page *from)
{
   struct rt_shadow_page **slot = has_room(to) ? slot_of(to->slots, to->num_slots, from->number) : NULL;
   if (slot && !*slot) {
      add_page(to, from);
      return;
   }
   bool is_merged = slot && fold_page(*slot) && fold_page(from) && match_segments(*slot, from);
   for (uint32_t c = 0; slot && c < RT_NUM_SHADOW_CLASSES; c++) {
      (*slot)->is_shared = true;
      if (!(*slot)->rows[c]) {
         (*slot)->rows[c] = from->rows[c];
         from->rows[c] = NULL;
      } else if (from->rows[c]) {
         is_merged = merge_row((*slot)->rows[c], from->rows[c]) && is_merged;
      }
   }
   to->is_out_of_memory |= !is_merged;
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
static bool take_extremes(const struct rt_shadow_page *page, enum rt_shadow_level level, uint32_t index, uint32_t somebody_shift,
                          uint64_t extremes[RT_NUM_SHADOW_CLASSES][2])
{
   uint64_t first = RT_NO_ACCESS, last = 0;
   for (uint32_t c = 0; c < RT_NUM_SHADOW_CLASSES; c++) {
      const struct rt_shadow_cells *cells = page->rows[c] ? &page->rows[c]->cells[level] : NULL;
      uint64_t least = RT_NO_ACCESS, greatest = 0;
      if (cells && cells->phases && cells->phases[index]) {
         const uint64_t high = (uint64_t)page->groups[cells->phases[index]] << RT_ACCESS_GROUP_SHIFT;
         least = high | cells->least[index];
         greatest = high | cells->greatest[index];
      }
      if (cells && cells->earlier) {
         least = UTIL_MIN(least, cells->earlier[index][0]);
         greatest = UTIL_MAX(greatest, cells->earlier[index][1]);
      }
      first = UTIL_MIN(first, least);
      last = UTIL_MAX(last, greatest);
      extremes[c][0] = least;
      extremes[c][1] = least == RT_NO_ACCESS ? RT_NO_ACCESS : greatest;
   }
   return first != RT_NO_ACCESS && first >> somebody_shift != last >> somebody_shift;
}

/* Mostly they are the same ones, which is compared quickly. */
static bool differs(const uint32_t *phases, const uint32_t *others, uint32_t count)
{
   uint32_t result = 0;
   if (phases == others || !memcmp(phases, others, count * sizeof(*phases)))
      return false;
   for (uint32_t i = 0; i < count; i++)
      result |= phases[i] && others[i] && phases[i] != others[i] ? 1 : 0;
   return result;
}

/* Somebody writes, and somebody else may be there. */
static bool may_conflict(const struct rt_shadow_page *page, enum rt_shadow_level level)
{
   static const enum rt_shadow_class writers[] = {RT_SHADOW_WRITE, RT_SHADOW_ATOMIC};
   bool may = false;
   for (uint32_t w = 0; !may && w < UTIL_ARRAY_SIZE(writers); w++) {
      const struct rt_shadow_row *row = page->rows[writers[w]];
      const uint32_t *written = row ? row->cells[level].phases : NULL;
      may = written && page->is_shared;
      for (uint32_t c = 0; written && !may && c < RT_NUM_SHADOW_CLASSES; c++) {
         const struct rt_shadow_row *other = page->rows[c];
         may = other && other->cells[level].phases && differs(written, other->cells[level].phases, rt_shadow_num_cells(level));
      }
   }
   return may;
}

void rt_shadow_judge_all(const struct rt_shadow *shadow, const struct rt_conflicts *conflicts)
{
   uint64_t extremes[RT_NUM_SHADOW_CLASSES][2];
   for (const struct rt_shadow_page *page = shadow->pages; page; page = page->next) {
      for (uint32_t level = 0; level < RT_NUM_SHADOW_LEVELS; level++) {
         const uint32_t shift = level == RT_SEGMENTS ? RT_SEGMENT_SHIFT : 0; /* of a segment the first granule has the least invocation */
         const bool may = may_conflict(page, level);
         for (uint32_t i = 0; may && i < rt_shadow_num_cells(level); i++) {
            if (take_extremes(page, level, i, conflicts->somebody_shift, extremes))
               rt_shadow_judge(page->number << RT_PAGE_SHIFT | i << shift, extremes, conflicts);
         }
      }
   }
}
