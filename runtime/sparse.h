/* SPDX-License-Identifier: MIT
 * Addresses of sparse buffers and images. Binding memory is mapping pages of it there; what has none reads as zeros.
 * Spec: Sparse Resources.
 *
 * What is written where no memory is vanishes at the next barrier or end of a submission: until then it stands in pages of
 * zeros like everything else (rt_sparse_set_forget_unbound()), unless there are very many of these.
 * Threads: binds of one resource at a time; all else is thread-safe. */
#pragma once

#include "abi/image.h"
#include "util/list.h"
#include "util/macros.h"

#include <stdbool.h>

struct rt_sparse_set;

struct rt_sparse {
   struct util_list link; /* in the set's list, under its lock */
   uint8_t *base;
   uint64_t size_bytes;            /* whole pages */
   bool has_residency;             /* else all is bound before it is used, and nothing below counts */
   struct abi_residency residency; /* its bits: __atomic, relaxed */
   uint64_t num_resident;          /* pages; __atomic, relaxed */
};

struct rt_sparse_info {
   uint64_t size_bytes; /* whole pages */
   bool has_residency;
   bool is_captured;          /* another process shall be able to have the same addresses */
   uint64_t captured_address; /* another process's; 0: any */
};

/* Reserves addresses. VK_ERROR_OUT_OF_DEVICE_MEMORY if the process has no more of them, VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS if it has
 * something at those that were captured. */
UTIL_MUST_CHECK VkResult rt_sparse_init(struct rt_sparse *sparse, struct rt_sparse_set *set, const struct rt_sparse_info *info);
void rt_sparse_finish(struct rt_sparse *sparse, struct rt_sparse_set *set);

/* Part of a submission: pages that change. */
struct rt_sparse_bind {
   struct rt_sparse *sparse;
   uint64_t offset_bytes, size_bytes; /* both multiples of pages, within the resource */
   uint8_t *source;                   /* shared memory; NULL: none from now on */
};

/* False when the system has no resources for it. */
UTIL_MUST_CHECK bool rt_sparse_bind(const struct rt_sparse_bind *bind);

/* ---- all of a device ---- */

/* NULL: memory is out. */
UTIL_MUST_CHECK struct rt_sparse_set *rt_sparse_set_create(void);
void rt_sparse_set_destroy(struct rt_sparse_set *set); /* it is empty; NULL is ignored */
/* They may have addresses without memory. */
bool rt_sparse_set_has_unbound(const struct rt_sparse_set *set);
/* The one that has the address, for as long as it exists; NULL: none, so all there has memory. */
const struct rt_sparse *rt_sparse_set_find(struct rt_sparse_set *set, const uint8_t *address);
/* What has memory of the addresses from `begin` to `end`, which are the resource's, run by run: where the next begins, `end` if there is none;
 * `*run_end` is where it ends. */
uint8_t *rt_sparse_next_run(const struct rt_sparse *sparse, uint8_t *begin, uint8_t *end, uint8_t **run_end);
/* Forgets what was written where they have no memory. */
void rt_sparse_set_forget_unbound(struct rt_sparse_set *set);
/* The watchdog's (rt_pool_options.tend): the same while work runs, if it fills the machine's memory. Nanoseconds until the next look. */
uint64_t rt_sparse_set_tend(void *set);
