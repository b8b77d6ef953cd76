/* SPDX-License-Identifier: MIT
 * 128-bit hashes (XXH3) as keys of caches, and an open-addressing table from such keys to pointers. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>

struct util_hash {
   uint64_t lo, hi;
};

struct util_hash util_hash_bytes(const void *data, size_t size);
/* Mixes `data` into `seed`: util_hash_more(util_hash_bytes(a), b) depends on both and on their order. */
struct util_hash util_hash_more(struct util_hash seed, const void *data, size_t size);

static inline bool util_hash_equal(struct util_hash a, struct util_hash b)
{
   return a.lo == b.lo && a.hi == b.hi;
}

struct util_table_entry {
   struct util_hash key;
   void *value; /* NULL: free slot */
};

/* Threads: one user at a time. */
struct util_table {
   struct util_table_entry *entries;
   size_t capacity, count; /* capacity is 0 or a power of two */
};

void util_table_init(struct util_table *table);
void util_table_finish(struct util_table *table);
/* The value stored under `key`, or NULL. */
void *util_table_find(const struct util_table *table, struct util_hash key);
/* Stores `value` (not NULL), replacing what was there. False when memory is out. */
UTIL_MUST_CHECK bool util_table_insert(struct util_table *table, struct util_hash key, void *value);
/* Removes and returns the value under `key`, or NULL. */
void *util_table_remove(struct util_table *table, struct util_hash key);
