/* SPDX-License-Identifier: MIT
 * Who touched which byte: pages of granules, found by number, with a row for each class of access.
 * A row keeps the least and the greatest access of the last phase that touched a granule, and folds those of earlier phases into the least and the
 * greatest of the dispatch: sets whose extremes do not differ are one access, so a conflict within a set or between two always shows in them,
 * and what is kept does not depend on the order in which accesses came.
 * Threads: one user at a time. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

enum rt_shadow_class { RT_SHADOW_READ, RT_SHADOW_WRITE, RT_SHADOW_ATOMIC_READ, RT_SHADOW_ATOMIC, RT_NUM_SHADOW_CLASSES };

/* An access as a number: workgroup, invocation in it, site, then what orders it. Less is reported first. The low 32 bits are it within a workgroup. */
enum {
   RT_ACCESS_FENCE_BITS = 4,  /* phases with a fence before it, at most 15 */
   RT_ACCESS_EPOCH_BITS = 5,  /* barriers of the subgroup before it, modulo 32, or its clock: clocks.h */
   RT_ACCESS_SITE_BITS = 12,
   RT_ACCESS_LOCAL_BITS = 11,
   RT_ACCESS_EPOCH_SHIFT = RT_ACCESS_FENCE_BITS,
   RT_ACCESS_SITE_SHIFT = RT_ACCESS_EPOCH_SHIFT + RT_ACCESS_EPOCH_BITS,
   RT_ACCESS_LOCAL_SHIFT = RT_ACCESS_SITE_SHIFT + RT_ACCESS_SITE_BITS,
   RT_ACCESS_GROUP_SHIFT = RT_ACCESS_LOCAL_SHIFT + RT_ACCESS_LOCAL_BITS,
};
_Static_assert(RT_ACCESS_GROUP_SHIFT == 32, "an access within a workgroup is 32 bits");
#define RT_NO_ACCESS UINT64_MAX

enum {
   RT_PAGE_SHIFT = 10,
   RT_PAGE_GRANULES = 1 << RT_PAGE_SHIFT,
   RT_SEGMENT_SHIFT = 3,
   RT_SEGMENT_GRANULES = 1 << RT_SEGMENT_SHIFT,
   RT_PAGE_SEGMENTS = RT_PAGE_GRANULES / RT_SEGMENT_GRANULES,
};

/* What invocations side by side touched, each granules behind its neighbour's, is one cell a segment, which says what its first granule says: that of granule i
 * is by the invocation i >> shift behind it. What was touched in another manner is kept granule by granule. The state of a segment is the same in all rows. */
enum rt_shadow_level { RT_SEGMENTS, RT_GRANULES, RT_NUM_SHADOW_LEVELS };
enum { RT_SEGMENT_UNTOUCHED = 0, RT_SEGMENT_SHAPE = 1 /* + shift */, RT_SEGMENT_APART = 0xff };
static inline uint32_t rt_shadow_num_cells(enum rt_shadow_level level)
{
   return level == RT_SEGMENTS ? RT_PAGE_SEGMENTS : RT_PAGE_GRANULES;
}

/* Arrays by cell: segments or granules of a page. */
struct rt_shadow_cells {
   uint32_t *phases;            /* that touched it last; 0: none did. NULL: there are no granules */
   uint32_t *least, *greatest;  /* in that phase: low halves of accesses */
   uint64_t (*earlier)[2];      /* least and greatest access of earlier phases, RT_NO_ACCESS and 0: there was none; NULL: of no cell */
};

/* The order of these arrays in memory. */
enum { RT_PHASES, RT_LEAST, RT_GREATEST, RT_NUM_CELL_WORDS };

/* Of one class of access to the granules of a page. */
struct rt_shadow_row {
   struct rt_shadow_row *next_spare;
   struct rt_shadow_cells cells[RT_NUM_SHADOW_LEVELS];
   uint32_t (*rounds)[2]; /* by granule: accesses of the last round, what a subgroup does between two of its barriers; NULL: there are none */
   uint32_t segments[RT_NUM_CELL_WORDS][RT_PAGE_SEGMENTS]; /* memory of the cells of segments */
};

struct rt_shadow_page {
   struct rt_shadow_page *next; /* of all */
   uint64_t number;             /* of its first granule, >> RT_PAGE_SHIFT */
   struct rt_shadow_row *rows[RT_NUM_SHADOW_CLASSES]; /* NULL: no access of that class */
   uint8_t states[RT_PAGE_SEGMENTS];                  /* RT_SEGMENT_UNTOUCHED, _SHAPE + shift, _APART */
   uint64_t listed[RT_PAGE_GRANULES / 64];            /* the user's */
   const uint32_t *groups;      /* of phases: rt_shadow_set_groups() */
   bool is_shared;              /* more than one phase touched a granule alike, or rows of two threads were merged */
};

/* Rows without a page. */
struct rt_shadow_rows {
   struct rt_shadow_row *first;
   uint32_t count, limit; /* as many as are worth keeping */
};
void rt_shadow_rows_finish(struct rt_shadow_rows *rows);

enum { RT_RECENT_PAGES = 32 };
struct rt_shadow {
   struct rt_shadow_page *pages;          /* all */
   struct rt_shadow_page *recent[RT_RECENT_PAGES]; /* the last ones asked for */
   struct rt_shadow_page **slots;         /* by a hash of the number */
   uint32_t num_slots, count;             /* num_slots: 0 or a power of two */
   struct rt_shadow_rows *spare;          /* rows that were used before, the user's; NULL: there are none */
   bool has_rounds;                       /* rows keep them */
   bool is_out_of_memory;                 /* something was not noted */
};

void rt_shadow_finish(struct rt_shadow *shadow);
uint32_t rt_shadow_count_rows(const struct rt_shadow *shadow);
/* Moves rows that may be used again, as long as there are less than `limit`. */
void rt_shadow_give_rows(struct rt_shadow *shadow, struct rt_shadow_rows *spare);
/* The page of a granule, which is made if there is none, with a row for that class. Whoever has the same `user` is likely to ask for the same page again.
 * NULL: memory is out. */
struct rt_shadow_page *rt_shadow_find_page(struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class);
static inline struct rt_shadow_page *rt_shadow_page(struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class, uint32_t user)
{
   struct rt_shadow_page *page = shadow->recent[user % RT_RECENT_PAGES];
   if (UTIL_LIKELY(page && page->number == granule >> RT_PAGE_SHIFT && page->rows[class]))
      return page;
   return shadow->recent[user % RT_RECENT_PAGES] = rt_shadow_find_page(shadow, granule, class);
}

/* Makes cells of granules of those segments that hold granules `first` to `first` + `count` - 1, where row `class` gets them too. False: memory is out. */
UTIL_MUST_CHECK bool rt_shadow_split(struct rt_shadow *shadow, struct rt_shadow_page *page, enum rt_shadow_class class, uint32_t first, uint32_t count);
/* What a row knows of a granule's last phase. Phase 0: nothing. */
struct rt_shadow_last { uint32_t phase, least, greatest; };
struct rt_shadow_last rt_shadow_last_of(const struct rt_shadow_page *page, enum rt_shadow_class class, uint32_t index);

/* Folds what a row knows of the last phases of `count` cells, but for `phase`, into what it knows of earlier ones; groups[phase]: whose workgroup a phase was.
 * False: memory is out. */
UTIL_MUST_CHECK bool rt_shadow_fold(struct rt_shadow_page *page, enum rt_shadow_class class, enum rt_shadow_level level, uint32_t first, uint32_t count,
                                    uint32_t phase, const uint32_t *groups);
/* The same of accesses, whole, of phases before to a granule. */
void rt_shadow_note_earlier(struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class, uint64_t least, uint64_t greatest);
/* Somebody touched the page of a granule in a manner that conflicts with the class. */
bool rt_shadow_may_conflict(const struct rt_shadow *shadow, uint64_t granule, enum rt_shadow_class class);
/* The workgroups of all phases so far, which stay valid: before the next two. */
void rt_shadow_set_groups(struct rt_shadow *shadow, const uint32_t *groups);
/* Moves what `from` knows into `to`. */
void rt_shadow_merge(struct rt_shadow *to, struct rt_shadow *from);

/* Bit sets over the classes that conflict with a class. */
extern const uint8_t rt_shadow_conflicts[RT_NUM_SHADOW_CLASSES];

/* Looks at pairs of the accesses `extremes` for each class, RT_NO_ACCESS where there is none: the least one of two that are not the same somebody's,
 * of which one writes and one is not atomic, and that are_ordered() does not order, goes to found(). */
struct rt_conflicts {
   uint32_t somebody_shift; /* accesses that are equal from this bit on are one's */
   bool (*are_ordered)(const void *data, uint64_t a, uint64_t b);
   void (*found)(void *data, uint64_t granule, uint64_t a, uint64_t b); /* a is less */
   void *data;
};
void rt_shadow_judge(uint64_t granule, uint64_t extremes[RT_NUM_SHADOW_CLASSES][2], const struct rt_conflicts *conflicts);
/* The same for all granules, by the extremes of the dispatch. */
void rt_shadow_judge_all(const struct rt_shadow *shadow, const struct rt_conflicts *conflicts);
