/* SPDX-License-Identifier: MIT */
#include "runtime/sparse.h"

#include "util/alloc.h"
#include "util/reserved.h"

_Static_assert((int)ABI_PAGE_BYTES == (int)UTIL_PAGE_BYTES, "one size of pages");

/* Vector code may read one vector past the end of what it asks for. */
enum { SLACK_BYTES = UTIL_PAGE_BYTES };

VkResult rt_sparse_init(struct rt_sparse *sparse, struct rt_device *device, const struct rt_sparse_info *info)
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
      rt_device_add_sparse(device, sparse);
   return VK_SUCCESS;
}

void rt_sparse_finish(struct rt_sparse *sparse, struct rt_device *device)
{
   if (!sparse->base)
      return;
   if (sparse->has_residency)
      rt_device_remove_sparse(device, sparse);
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

void rt_sparse_forget_unbound(struct rt_sparse *sparse)
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
