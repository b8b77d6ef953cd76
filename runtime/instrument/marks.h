/* SPDX-License-Identifier: MIT
 * `sync`: sets of bytes of memory, page by page, a bit a byte. A page of which all is in the set has no bits.
 * Owns: its pages. Threads: one user at a time. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { RT_MARKS_PAGE_BYTES = 4096, RT_MARKS_WORDS = RT_MARKS_PAGE_BYTES / 64 };

struct rt_marks_bits {
   uint64_t words[RT_MARKS_WORDS];
};

struct rt_marks_page {
   uint64_t number; /* address / RT_MARKS_PAGE_BYTES */
   struct rt_marks_bits bits;
};

struct rt_marks_run { /* pages, of which all is in the set */
   uint64_t first, end;
};

/* All zeros: the empty set. */
struct rt_marks {
   struct rt_marks_page *pages;
   struct rt_marks_slot {
      uint64_t number;
      uint32_t page; /* from 1 on; 0: there is none */
   } *slots; /* by a hash; num_slots: 0 or a power of two */
   uint32_t num_pages, cap_pages, num_slots;
   struct rt_marks_run *runs;
   size_t num_runs, cap_runs;
};

void rt_marks_finish(struct rt_marks *marks);
/* The empty set, which keeps some of its memory. */
void rt_marks_clear(struct rt_marks *marks);
/* False: memory is out, as below. */
UTIL_MUST_CHECK bool rt_marks_add(struct rt_marks *marks, uint64_t begin, uint64_t end);
UTIL_MUST_CHECK bool rt_marks_join(struct rt_marks *marks, const struct rt_marks *more);
/* Calls visit() for each page of which something is in the set, in order; `bits` NULL: all of it. Until it says false, which is what comes back. Nothing may be
 * added any more. */
typedef bool rt_marks_visit_fn(void *data, uint64_t page, const struct rt_marks_bits *bits);
UTIL_MUST_CHECK bool rt_marks_visit(struct rt_marks *marks, rt_marks_visit_fn *visit, void *data);
/* The same of the pages of one range. */
UTIL_MUST_CHECK bool rt_marks_visit_range(uint64_t begin, uint64_t end, rt_marks_visit_fn *visit, void *data);

/* Bytes [begin, end) of a page. */
static inline void rt_marks_set(struct rt_marks_bits *bits, uint32_t begin, uint32_t end)
{
   while (begin < end) {
      const uint32_t next = UTIL_MIN(end, (begin | 63) + 1);
      bits->words[begin / 64] |= UINT64_MAX >> (64 - (next - begin)) << begin % 64;
      begin = next;
   }
}

/* The first byte from `from` on; RT_MARKS_PAGE_BYTES: there is none. `bits` NULL: all are in the set. */
static inline uint32_t rt_marks_next(const struct rt_marks_bits *bits, uint32_t from)
{
   if (!bits || from >= RT_MARKS_PAGE_BYTES)
      return UTIL_MIN(from, (uint32_t)RT_MARKS_PAGE_BYTES);
   uint32_t at = from / 64;
   uint64_t word = bits->words[at] & UINT64_MAX << from % 64;
   while (!word && ++at < RT_MARKS_WORDS)
      word = bits->words[at];
   return word ? at * 64 + (uint32_t)__builtin_ctzll(word) : (uint32_t)RT_MARKS_PAGE_BYTES;
}
