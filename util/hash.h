/* SPDX-License-Identifier: MIT
 * 256-bit hashes (BLAKE3) as keys of caches, and an open-addressing table from such keys to pointers. What has equal hashes is equal: nobody
 * can make two inputs of one hash, so that a cache answers for just what was asked, whoever chose it. Source: draft-aumasson-blake3. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>

struct util_hash {
   uint64_t lo, hi, more[2];
};

/* What only this user knows, or this process: util_hash_keyed(). */
struct util_secret {
   uint8_t bytes[32];
};

/* A hash of parts that come one after the other. That of "ab" and "c" is that of "abc": who hashes parts of any size adds the sizes too. */
struct util_hasher {
   _Alignas(8) unsigned char state[1920];
};

void util_hasher_begin(struct util_hasher *hasher);
void util_hasher_add(struct util_hasher *hasher, const void *data, size_t size);
/* `num` elements of `size` bytes, after their number. */
void util_hasher_add_array(struct util_hasher *hasher, const void *data, size_t num, size_t size);
struct util_hash util_hasher_end(const struct util_hasher *hasher);

struct util_hash util_hash_bytes(const void *data, size_t size);
/* 128 bits of a text's: what names that stand in compiled code and in create infos are compared by. */
void util_hash_text(uint64_t hash[2], const char *text);
/* Mixes `data` into `seed`: util_hash_more(util_hash_bytes(a), b) depends on both and on their order. */
struct util_hash util_hash_more(struct util_hash seed, const void *data, size_t size);

/* A tag of `name` and `data` that nobody can make who does not know the secret. */
struct util_hash util_hash_keyed(const struct util_secret *secret, struct util_hash name, const void *data, size_t size);

/* Takes the same time whatever differs. */
static inline bool util_hash_equal(struct util_hash a, struct util_hash b)
{
   return ((a.lo ^ b.lo) | (a.hi ^ b.hi) | (a.more[0] ^ b.more[0]) | (a.more[1] ^ b.more[1])) == 0;
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
