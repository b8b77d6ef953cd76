/* SPDX-License-Identifier: MIT
 * `sync`: the bytes that commands have used since somebody asked last: what instrumented shaders say, and what commands do themselves.
 * Sites and labels of shaders stay where they are: what commands have used is taken before they count as over. Threads: everything is thread-safe. */
#pragma once

#include "runtime/instrument/hazards.h"

struct rt_uses;

enum { RT_USE_VIEWS = 8 };

/* The site that stands for a command. */
struct rt_command_site {
   _Alignas(8) char bytes[sizeof(struct abi_site) + 8];
};

/* What one site of one command has used. */
struct rt_use {
   struct rt_use *next;
   struct rt_use *in_bucket;
   struct rt_hazard_access access; /* `label` is what ran, of a shader; NULL: the command itself */
   const struct rt_worker *worker; /* whose it is; NULL: the queue's */
   uint64_t number; /* of those of its shard */
   uint32_t shard;
   struct rt_marks bytes;
   struct rt_byte_range run;    /* the last bytes, as long as others come behind them; until it is taken they are not in `bytes` */
   const void *known[RT_USE_VIEWS]; /* by a hash: views and structures that are in it */
   struct rt_command_site site; /* a copy of a command's */
};

/* NULL: memory is out. */
UTIL_MUST_CHECK struct rt_uses *rt_uses_create(void);
void rt_uses_destroy(struct rt_uses *uses);

/* The command `access->order`, which has an rt_command_site, uses the bytes; `worker`: rt_worker.index of whoever says so. */
void rt_uses_add(struct rt_uses *uses, uint32_t worker, const struct rt_hazard_access *access, const struct rt_byte_range *ranges, size_t count);
/* ABI_PROBE_USE and its like. */
void rt_uses_probe(struct rt_uses *uses, const struct rt_worker *worker, const struct abi_probe_call *call);
/* What commands of the queue (rt_finding.order without its low bits) have used, in their order, of each the reads first. Given back by rt_use_free(). */
struct rt_use *rt_uses_take(struct rt_uses *uses, uint64_t queue);
void rt_use_free(struct rt_uses *uses, struct rt_use *use);
/* True once after memory was out: something is missing. */
bool rt_uses_were_lost(struct rt_uses *uses);
