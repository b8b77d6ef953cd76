/* SPDX-License-Identifier: MIT
 * util/hash.h: hashes depend on all they should; the table against a plain array. */
#include "util/hash.h"

#include "tests/test.h"
#include "util/alloc.h"

TEST(hash)
{
   const struct util_hash a = util_hash_bytes("abc", 3), b = util_hash_bytes("abd", 3);
   CHECK(!util_hash_equal(a, b));
   CHECK(util_hash_equal(a, util_hash_bytes("abcd", 3)));
   CHECK(!util_hash_equal(util_hash_more(a, "abd", 3), util_hash_more(b, "abc", 3)));
   CHECK(!util_hash_equal(util_hash_more(a, "", 0), a));
   /* BLAKE3 of nothing: af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262 */
   const struct util_hash none = util_hash_bytes("", 0);
   CHECK_EQ(none.lo, 0xa6a1f9f5b94913af);
   CHECK_EQ(none.hi, 0x49c9dc36ea4d40a0);
   CHECK_EQ(none.more[0], 0xb712c1adc925cb9b);
   CHECK_EQ(none.more[1], 0x62321fe4ca939acc);
}

/* Parts of any size, at sizes about which the hasher goes another path: of a block, of a chunk, of what it takes at once. */
TEST(parts)
{
   static const size_t sizes[] = {0, 1, 63, 64, 65, 1023, 1024, 1025, 16384, 65535, 65536, 65537, 200000};
   static unsigned char bytes[200000];
   for (size_t i = 0; i < sizeof(bytes); i++)
      bytes[i] = (unsigned char)(i * i >> 3);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(sizes); i++) {
      const struct util_hash whole = util_hash_bytes(bytes, sizes[i]);
      for (size_t j = 0; j < UTIL_ARRAY_SIZE(sizes) && sizes[j] <= sizes[i]; j++) {
         struct util_hasher hasher;
         util_hasher_begin(&hasher);
         util_hasher_add(&hasher, bytes, sizes[j]);
         util_hasher_add(&hasher, bytes + sizes[j], sizes[i] - sizes[j]);
         CHECK(util_hash_equal(util_hasher_end(&hasher), whole));
      }
   }
   struct util_hasher two, one;
   util_hasher_begin(&two);
   util_hasher_add_array(&two, "ab", 2, 1);
   util_hasher_add_array(&two, "c", 1, 1);
   util_hasher_begin(&one);
   util_hasher_add_array(&one, "a", 1, 1);
   util_hasher_add_array(&one, "bc", 2, 1);
   CHECK(!util_hash_equal(util_hasher_end(&two), util_hasher_end(&one)));
}

TEST(keyed)
{
   const struct util_secret one = {{1}}, other = {{2}};
   const struct util_hash name = util_hash_bytes("name", 4), tag = util_hash_keyed(&one, name, "abc", 3);
   CHECK(util_hash_equal(tag, util_hash_keyed(&one, name, "abcd", 3)));
   CHECK(!util_hash_equal(tag, util_hash_keyed(&one, name, "abd", 3)));
   CHECK(!util_hash_equal(tag, util_hash_keyed(&one, util_hash_bytes("nam", 3), "abc", 3)));
   CHECK(!util_hash_equal(tag, util_hash_keyed(&other, name, "abc", 3)));
   CHECK(!util_hash_equal(tag, util_hash_more(name, "abc", 3)));
}

TEST(table_like_array)
{
   struct util_table table;
   void *expected[64] = {0};
   uint32_t random = 1;
   size_t count = 0;
   util_table_init(&table);
   CHECK(util_table_find(&table, (struct util_hash){1, 2}) == NULL);
   for (int step = 0; step < 20000; step++) {
      random = random * 1664525 + 1013904223;
      const uint32_t index = random >> 16 & 63;
      /* Few distinct low words: long probes that wrap around. */
      const struct util_hash key = {.lo = UINT64_MAX - index % 5, .hi = index};
      if (random >> 30) {
         void *value = (void *)(uintptr_t)(random | 1);
         CHECK(util_table_insert(&table, key, value));
         count += expected[index] == NULL;
         expected[index] = value;
      } else {
         CHECK(util_table_remove(&table, key) == expected[index]);
         count -= expected[index] != NULL;
         expected[index] = NULL;
      }
      CHECK_EQ(table.count, count);
      for (uint32_t i = 0; i < 64; i++)
         CHECK(util_table_find(&table, (struct util_hash){.lo = UINT64_MAX - i % 5, .hi = i}) == expected[i]);
   }
   util_table_finish(&table);
}

TEST(table_out_of_memory)
{
   struct util_table table;
   util_table_init(&table);
   util_alloc_fail_at(1, false);
   CHECK(!util_table_insert(&table, (struct util_hash){1, 1}, &table));
   util_alloc_fail_at(0, false);
   CHECK_EQ(table.count, 0);
   util_table_finish(&table);
}

TEST_MAIN
