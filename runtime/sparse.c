/* SPDX-License-Identifier: MIT */
#include "runtime/sparse.h"

#include "util/alloc.h"
#include "util/reserved.h"
#include "util/thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

_Static_assert((int)ABI_PAGE_BYTES == (int)UTIL_PAGE_BYTES, "one size of pages");

/* Vector code may read one vector past the end of what it asks for. */
enum { SLACK_BYTES = UTIL_PAGE_BYTES };

struct rt_sparse_set {
   pthread_mutex_t lock;
   struct util_list sparses; /* those with residency, under lock */
   uint32_t count;           /* __atomic, relaxed */
   int memory_file;          /* what the process has resident; under lock; -1: not to be had */
   uint64_t least_resident;  /* bytes, since unbound pages were forgotten last; the watchdog's */
};

/* ---- the set ---- */

struct rt_sparse_set *rt_sparse_set_create(void)
{
   struct rt_sparse_set *set = util_calloc(1, sizeof(*set));
   if (!set)
      return NULL;
   util_list_init(&set->sparses);
   set->memory_file = -1;
   set->least_resident = UINT64_MAX;
   if (!util_mutex_init(&set->lock)) {
      util_mfree(set);
      return NULL;
   }
   return set;
}

void rt_sparse_set_destroy(struct rt_sparse_set *set)
{
   if (!set)
      return;
   if (set->memory_file >= 0)
      close(set->memory_file);
   pthread_mutex_destroy(&set->lock);
   util_mfree(set);
}

static void add(struct rt_sparse_set *set, struct rt_sparse *sparse)
{
   pthread_mutex_lock(&set->lock);
   util_list_add_before(&sparse->link, &set->sparses);
   if (set->memory_file < 0)
      set->memory_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
   __atomic_fetch_add(&set->count, 1, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&set->lock);
}

static void take_out(struct rt_sparse_set *set, struct rt_sparse *sparse)
{
   pthread_mutex_lock(&set->lock);
   util_list_remove(&sparse->link);
   __atomic_fetch_sub(&set->count, 1, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&set->lock);
}

bool rt_sparse_set_has_unbound(const struct rt_sparse_set *set)
{
   return __atomic_load_n(&set->count, __ATOMIC_RELAXED) != 0;
}

/* ---- one ---- */

VkResult rt_sparse_init(struct rt_sparse *sparse, struct rt_sparse_set *set, const struct rt_sparse_info *info)
{
   const uint64_t num_pages = info->size_bytes / UTIL_PAGE_BYTES, size = info->size_bytes + SLACK_BYTES;
   uint64_t *pages = NULL;
   *sparse = (struct rt_sparse){.size_bytes = info->size_bytes, .has_residency = info->has_residency};
   if (info->has_residency) {
      pages = util_calloc(num_pages / 64 + 1, sizeof(*pages));
      if (!pages)
         return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   sparse->base =
      info->is_captured ? util_reserved_create_at((void *)(uintptr_t)info->captured_address, size) : util_reserved_create(size);
   if (!sparse->base) {
      util_mfree(pages);
      return info->captured_address ? VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
   }
   sparse->residency = (struct abi_residency){sparse->base, num_pages, pages};
   if (info->has_residency)
      add(set, sparse);
   return VK_SUCCESS;
}

void rt_sparse_finish(struct rt_sparse *sparse, struct rt_sparse_set *set)
{
   if (!sparse->base)
      return;
   if (sparse->has_residency)
      take_out(set, sparse);
   util_reserved_destroy(sparse->base, sparse->size_bytes + SLACK_BYTES);
   util_mfree(sparse->residency.pages);
   sparse->base = NULL;
}

/* ---- binding ---- */

/* Sets or clears the bits of `mask`, and counts those that change. */
static void set_bits(uint64_t *word, uint64_t mask, bool value, uint64_t *count)
{
   const uint64_t old = value ? __atomic_fetch_or(word, mask, __ATOMIC_RELAXED) : __atomic_fetch_and(word, ~mask, __ATOMIC_RELAXED);
   const uint64_t changed = (value ? ~old : old) & mask;
   const uint64_t delta = (uint64_t)__builtin_popcountll(changed);
   __atomic_fetch_add(count, value ? delta : -delta, __ATOMIC_RELAXED);
}

static void mark(struct rt_sparse *sparse, uint64_t offset_bytes, uint64_t size_bytes, bool is_resident)
{
   uint64_t page = offset_bytes / UTIL_PAGE_BYTES;
   const uint64_t end = page + size_bytes / UTIL_PAGE_BYTES;
   while (page < end) {
      const uint64_t first = page % 64, count = UTIL_MIN(64 - first, end - page);
      set_bits(&sparse->residency.pages[page / 64], (UINT64_MAX >> (64 - count)) << first, is_resident, &sparse->num_resident);
      page += count;
   }
}

bool rt_sparse_bind(const struct rt_sparse_bind *bind)
{
   struct rt_sparse *sparse = bind->sparse;
   uint8_t *at = sparse->base + bind->offset_bytes;
   const bool is_done = bind->source ? util_reserved_map(at, bind->source, bind->size_bytes)
                                     : util_reserved_unmap(at, bind->size_bytes);
   if (is_done && sparse->has_residency)
      mark(sparse, bind->offset_bytes, bind->size_bytes, bind->source != NULL);
   return is_done;
}

/* ---- what has no memory ---- */

/* The first page from `page` on that has memory, or has none; num_pages if there is no such page. */
static uint64_t find_page(const struct abi_residency *residency, uint64_t page, bool is_resident)
{
   while (page < residency->num_pages) {
      const uint64_t word = __atomic_load_n(&residency->pages[page / 64], __ATOMIC_RELAXED);
      const uint64_t wanted = (is_resident ? word : ~word) >> (page % 64);
      if (wanted)
         return UTIL_MIN(page + (uint64_t)__builtin_ctzll(wanted), residency->num_pages);
      page = (page / 64 + 1) * 64;
   }
   return residency->num_pages;
}

const struct rt_sparse *rt_sparse_set_find(struct rt_sparse_set *set, const uint8_t *address)
{
   if (!rt_sparse_set_has_unbound(set))
      return NULL;
   const struct rt_sparse *found = NULL;
   pthread_mutex_lock(&set->lock);
   UTIL_LIST_FOR_EACH (struct rt_sparse, sparse, &set->sparses, link) {
      if (address >= sparse->base && (uint64_t)(address - sparse->base) < sparse->size_bytes) {
         found = sparse;
         break;
      }
   }
   pthread_mutex_unlock(&set->lock);
   return found;
}

uint8_t *rt_sparse_next_run(const struct rt_sparse *sparse, uint8_t *begin, uint8_t *end, uint8_t **run_end)
{
   const struct abi_residency *residency = &sparse->residency;
   const uint64_t page = find_page(residency, (uint64_t)(begin - sparse->base) / UTIL_PAGE_BYTES, true);
   *run_end = UTIL_MIN(sparse->base + find_page(residency, page, false) * UTIL_PAGE_BYTES, end);
   return UTIL_MIN(UTIL_MAX(sparse->base + page * UTIL_PAGE_BYTES, begin), end);
}

static void forget_unbound(struct rt_sparse *sparse)
{
   const struct abi_residency *residency = &sparse->residency;
   if (__atomic_load_n(&sparse->num_resident, __ATOMIC_RELAXED) == residency->num_pages)
      return;
   for (uint64_t page = find_page(residency, 0, false); page < residency->num_pages;) {
      const uint64_t end = find_page(residency, page, true);
      util_reserved_discard(sparse->base + page * UTIL_PAGE_BYTES, (end - page) * UTIL_PAGE_BYTES);
      page = find_page(residency, end, false);
   }
}

void rt_sparse_set_forget_unbound(struct rt_sparse_set *set)
{
   pthread_mutex_lock(&set->lock);
   UTIL_LIST_FOR_EACH (struct rt_sparse, sparse, &set->sparses, link)
      forget_unbound(sparse);
   pthread_mutex_unlock(&set->lock);
}

/* ---- what is written where no memory is, while it is ---- */

/* A fill or a shader that goes over a terabyte of addresses without memory makes pages of it that stand until the next barrier: no more of them than this,
 * and what is made meanwhile. A look each 20 ms. */
#define MAX_UNBOUND_BYTES (UINT64_C(256) << 20)
#define UNBOUND_PERIOD_NS UINT64_C(20000000)

/* Of memory that is no file; UINT64_MAX where the system does not say. */
static uint64_t resident_bytes(struct rt_sparse_set *set)
{
   char text[128];
   unsigned long long size, resident, shared;
   const ssize_t length = set->memory_file < 0 ? -1 : pread(set->memory_file, text, sizeof(text) - 1, 0);
   text[UTIL_MAX(length, 0)] = 0;
   return sscanf(text, "%llu %llu %llu", &size, &resident, &shared) == 3 ? (uint64_t)(resident - shared) * UTIL_PAGE_BYTES : UINT64_MAX;
}

uint64_t rt_sparse_set_tend(void *data)
{
   struct rt_sparse_set *set = data;
   if (!rt_sparse_set_has_unbound(set))
      return UTIL_FOREVER;
   const uint64_t bytes = resident_bytes(set);
   set->least_resident = UTIL_MIN(set->least_resident, bytes);
   if (bytes - set->least_resident >= MAX_UNBOUND_BYTES || bytes == UINT64_MAX) {
      rt_sparse_set_forget_unbound(set);
      set->least_resident = resident_bytes(set);
   }
   return UNBOUND_PERIOD_NS;
}
