/* SPDX-License-Identifier: MIT
 * `sync`: who touched which byte last. Bytes of a page with the same access that wrote them last and the same ones that have read them since, as numbers that
 * somebody else gives, are one state. Threads: one user at a time. */
#pragma once

#include "runtime/instrument/marks.h"

enum { RT_MAX_READS = 8 };

struct rt_state {
   uint32_t write;               /* 0: nobody that is known */
   uint32_t num_reads;
   uint32_t reads[RT_MAX_READS]; /* since then */
   struct rt_marks_bits *bits;   /* which bytes; NULL: all of the page */
};

struct rt_history_page {
   uint64_t number; /* address / RT_MARKS_PAGE_BYTES */
   struct rt_state *states; /* of no byte two; bytes of none were touched by nobody */
   uint32_t num_states, cap_states;
};

struct rt_history {
   struct rt_history_page **pages; /* a table by number, NULL: free */
   uint64_t num_pages, cap_pages;
};

/* May change what the state says, but not of which bytes. */
typedef void rt_history_visit_fn(void *data, uint64_t page, struct rt_state *state);

void rt_history_finish(struct rt_history *history);
/* Calls visit() for the states that bytes of the page have, `bits` NULL: all of them, in the order of their first bytes. False: memory is out, and not all
 * were visited. */
UTIL_MUST_CHECK bool rt_history_visit(struct rt_history *history, uint64_t page, const struct rt_marks_bits *bits, rt_history_visit_fn *visit, void *data);
/* Nobody has touched the bytes. */
UTIL_MUST_CHECK bool rt_history_forget(struct rt_history *history, uint64_t begin, uint64_t end);
/* Calls visit() for all states; pages where nothing is left then are freed. */
void rt_history_sweep(struct rt_history *history, void (*visit)(void *data, struct rt_state *state), void *data);
