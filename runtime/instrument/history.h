/* SPDX-License-Identifier: MIT
 * `sync`: who touched which byte last. Spans of bytes with the access that wrote them last and those that have read them since, as numbers that
 * somebody else gives, page by page. Threads: one user at a time. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>

enum { RT_MAX_READS = 8, RT_HISTORY_PAGE_BYTES = 4096 };

struct rt_span {
   uint32_t begin, end; /* in its page */
   uint32_t write;      /* 0: nobody that is known */
   uint32_t reads[RT_MAX_READS]; /* since then; the first `num_reads` */
   uint32_t num_reads;
};

struct rt_history_page {
   uint64_t number; /* address / RT_HISTORY_PAGE_BYTES */
   struct rt_span *spans; /* in order, without gaps */
   uint32_t num_spans, cap_spans;
};

struct rt_history {
   struct rt_history_page **pages; /* a table by number, NULL: free */
   uint64_t num_pages, cap_pages;
};

void rt_history_finish(struct rt_history *history);
/* Calls visit() for each span within [begin, end), in order, cut so that none reaches further; it may change what the span says, not where it is.
 * False: memory is out, and not all were visited. */
UTIL_MUST_CHECK bool rt_history_visit(struct rt_history *history, uint64_t begin, uint64_t end,
                                      void (*visit)(void *data, uint64_t address, struct rt_span *span), void *data);
/* Calls visit() for all spans that anybody touched; pages where nothing is left then are freed. */
void rt_history_sweep(struct rt_history *history, void (*visit)(void *data, struct rt_span *span), void *data);
