/* SPDX-License-Identifier: MIT
 * What shaders print: kept while commands run, reported when a submission is done, in the order of commands, then of invocations, then of the program; so
 * it is the same for any number of threads and any width of vectors. A vertex that is shaded again prints once; of invocations that have the
 * same words (a primitive of two instances, mesh workgroups of two tasks) that one comes first whose values are less.
 * Memory: 64 KiB at a time, as much as is printed, until it is reported. Threads: everything is thread-safe. */
#pragma once

#include "runtime/instrument/instrument.h"

struct rt_prints;

/* A piece of a text (abi/probe.h). */
struct rt_print {
   struct rt_print *next;
   uint64_t order; /* of the command: rt_worker.order */
   uint64_t run;   /* no invocation comes twice in one */
   uint64_t number; /* of all, as they came */
   const struct abi_site *site;
   const char *label; /* what ran: shader, module, pipeline */
   uint64_t operands[]; /* [site->num_operands] */
};

/* Gets the pieces of one text. */
typedef void rt_print_fn(void *data, const struct rt_print *const *pieces, uint32_t count);

/* NULL: memory is out. */
UTIL_MUST_CHECK struct rt_prints *rt_prints_create(rt_print_fn *report, void *data);
void rt_prints_destroy(struct rt_prints *prints);
/* Of all lanes of a probe. When memory is out they are lost, and that is reported. */
void rt_prints_add(struct rt_prints *prints, const struct rt_worker *worker, const struct abi_probe_call *call);
/* Reports what commands of a queue (their order without the low RT_ORDER_BITS) have printed, and forgets it. */
void rt_prints_report(struct rt_prints *prints, uint64_t queue);
