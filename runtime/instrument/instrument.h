/* SPDX-License-Identifier: MIT
 * The instrument's half of the runtime: what instrumented code reports (abi/probe.h) becomes findings, each location once, the same ones in the
 * same order for any number of threads and any width of vectors: of each location the first invocation of the first command counts.
 * Owns: copies of sites, so that code may go. Threads: everything is thread-safe. */
#pragma once

#include "abi/probe.h"
#include "runtime/pool.h"

struct rt_findings;

/* An invocation or command at a site. */
struct rt_party {
   const struct abi_site *site;
   uint64_t operands[ABI_MAX_PROBE_OPERANDS]; /* [site->num_operands]; of the other party of a race the invocation's words alone */
};

/* `sync`: what nothing orders. */
enum rt_hazard { RT_HAZARD_NONE, RT_HAZARD_READ_AFTER_WRITE, RT_HAZARD_WRITE_AFTER_READ, RT_HAZARD_WRITE_AFTER_WRITE,
                 RT_HAZARD_LAYOUT /* an image is presented in another layout, which is `count`; there is no other party */,
                 RT_HAZARD_UNFLUSHED /* a read of what the host wrote to memory that is not coherent, and did not flush */,
                 RT_HAZARD_UNWRITTEN /* `uninit`: a command reads what nobody wrote; the same */ };
enum { RT_HAZARD_LABEL = 160 };
struct rt_use_scope { VkPipelineStageFlags2 stages; VkAccessFlags2 accesses; };

struct rt_finding {
   uint64_t order;         /* of the command: rt_worker.order */
   struct rt_party party;
   struct rt_party other;  /* races: who else; site NULL: nobody */
   uint32_t count, of;     /* barriers: so many of so many invocations came */
   uint64_t address;       /* races and hazards: of the first byte that both touch, or offset in shared memory */
   char label[160];        /* what ran: shader, module, pipeline; of a hazard the command */
   /* Hazards: `party` comes after `other`. */
   enum rt_hazard hazard;
   bool is_ordered, is_available; /* it does happen after; what the other one wrote is available */
   struct rt_use_scope scopes[2]; /* of both, in single bits */
   char other_label[RT_HAZARD_LABEL];
};

typedef void rt_finding_fn(void *data, const struct rt_finding *finding);

/* `report` is called by rt_findings_report() for each finding, `end` after the last one. NULL: memory is out. */
UTIL_MUST_CHECK struct rt_findings *rt_findings_create(rt_finding_fn *report, void (*end)(void *data), void *data);
void rt_findings_destroy(struct rt_findings *findings);
/* Keeps a copy if it is the first one of its location so far. When memory is out the finding is lost, and that is reported. */
void rt_findings_add(struct rt_findings *findings, const struct rt_finding *finding);
/* This thread has added one of the site that does not come later, of a probe without another party and address. `words`: of the invocation. */
bool rt_findings_has(const struct rt_findings *findings, const struct abi_site *site, uint64_t order, const uint64_t words[ABI_MAX_INVOCATION_WORDS]);
/* Reports what commands of a queue (their order without the low RT_ORDER_BITS) found since the last call, in the order of commands. */
void rt_findings_report(struct rt_findings *findings, uint64_t queue);

enum { RT_ORDER_BITS = 40 };

/* A finding of this worker, about lane `lane` of a probe. */
void rt_finding_init(struct rt_finding *finding, const struct rt_worker *worker, const struct abi_probe_call *call, uint32_t lane);

/* abi_helpers.probe */
void rt_probe(const struct abi_probe_call *call);

/* numbers.c: the result is not finite while all sources were, or a NaN while no source was one. `operands`: result and sources. */
bool rt_makes_not_finite(const struct abi_site *site, const uint64_t *operands);

/* ---- where buffers and images are (ranges.c): one table for the process ---- */

enum rt_range_class { RT_RANGE_BUFFER, RT_RANGE_ADDRESSED_BUFFER, RT_RANGE_IMAGE };
struct rt_range {
   uint64_t begin, end; /* addresses */
   enum rt_range_class class;
   const void *object;  /* a key, for whoever added it */
};
/* What is added again moves. When memory is out the range is not known. */
void rt_range_add(const struct rt_range *range);
void rt_range_remove(const void *object);
/* The last one added that holds [address, address + bytes), of the classes in the bit set. */
bool rt_range_find(uint64_t address, uint64_t bytes, uint32_t classes, struct rt_range *range);
/* Whether a buffer that has an address holds them: quick where threads ask for the same buffer again and again. */
bool rt_range_is_addressed(uint64_t address, uint64_t bytes);
