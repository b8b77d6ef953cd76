/* SPDX-License-Identifier: MIT
 * runtime/transfer/gdeflate.c against an encoder: blocks of all three classes, matches of all lengths and distances, over many blocks; data that ends, is bent
 * or was never any. */
#include "runtime/transfer/gdeflate.h"

#include "tests/test.h"
#include "util/macros.h"

#include <stdlib.h>
#include <string.h>

/* ---- the encoder ---- */

enum { NUM_STREAMS = 32, MAX_BYTES = 65536, MAX_EVENTS = 400000, MAX_WORDS = 8192, NUM_LITERALS = 286, NUM_DISTANCES = 32 };

/* Bits of a stream as they are appended, and in which order streams use them up. */
static struct encoder {
   uint32_t words[NUM_STREAMS][MAX_WORDS];
   uint32_t num_bits[NUM_STREAMS];
   struct { uint8_t stream, bits; } events[MAX_EVENTS];
   uint32_t num_events;
} e;

static uint8_t coded[4 * NUM_STREAMS * MAX_WORDS];

static void put(uint32_t stream, uint32_t value, uint32_t bits)
{
   for (uint32_t i = 0; i < bits; i++) {
      const uint32_t at = e.num_bits[stream]++;
      e.words[stream][at / 32] |= (value >> i & 1) << at % 32;
   }
}

/* One symbol with its extra bits: what a decoder takes before it looks for more data. */
static void put_symbol(uint32_t stream, uint32_t code, uint32_t code_bits, uint32_t extra, uint32_t extra_bits)
{
   for (uint32_t i = 0; i < code_bits; i++) /* codes begin with their highest bit */
      put(stream, code >> (code_bits - 1 - i), 1);
   put(stream, extra, extra_bits);
   e.events[e.num_events].stream = (uint8_t)stream;
   e.events[e.num_events++].bits = (uint8_t)(code_bits + extra_bits);
}

static void put_field(uint32_t stream, uint32_t value, uint32_t bits)
{
   put_symbol(stream, 0, 0, value, bits);
}

/* Words in the order in which they are read. Returns the size in bytes. */
static size_t serialize(void)
{
   uint32_t used[NUM_STREAMS], left[NUM_STREAMS];
   size_t size = 0;
   for (uint32_t i = 0; i < NUM_STREAMS; i++, size += 4) {
      memcpy(coded + size, &e.words[i][0], 4);
      used[i] = 1;
      left[i] = 32;
   }
   for (uint32_t n = 0; n < e.num_events; n++) {
      const uint32_t i = e.events[n].stream;
      left[i] -= e.events[n].bits;
      if (left[i] >= 32)
         continue;
      memcpy(coded + size, &e.words[i][used[i]++], 4);
      size += 4;
      left[i] += 32;
   }
   return size;
}

struct token {
   uint32_t literal;          /* where the length is 0 */
   uint32_t length, distance;
};

/* Codes of 9 bits for literals and lengths and of 5 for distances, which a block may say or which may be RFC 1951's. */
static void literal_code(bool is_fixed, uint32_t symbol, uint32_t *code, uint32_t *bits)
{
   *bits = !is_fixed ? 9 : symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
   *code = !is_fixed ? symbol : symbol < 144 ? 0x30 + symbol : symbol < 256 ? 0x190 + symbol - 144 : symbol < 280 ? symbol - 256 : 0xc0 + symbol - 280;
}

static void put_literal(uint32_t stream, bool is_fixed, const struct token *token)
{
   uint32_t symbol = token->literal, extra = 0, extra_bits = 0, code, bits;
   if (token->length) {
      uint32_t index = 28;
      extra_bits = 16;
      extra = token->length - 3;
      for (uint32_t i = 0; i < 28; i++) {
         const uint32_t n = i < 8 ? 0 : i / 4 - 1, base = i < 8 ? i + 3 : ((4 + (i & 3)) << n) + 3;
         if (token->length < 258 && token->length >= base && token->length < base + (1u << n)) {
            index = i;
            extra_bits = n;
            extra = token->length - base;
         }
      }
      symbol = 257 + index;
   }
   literal_code(is_fixed, symbol, &code, &bits);
   put_symbol(stream, code, bits, extra, extra_bits);
}

static void put_distance(uint32_t stream, uint32_t distance)
{
   for (uint32_t i = 0; i < NUM_DISTANCES; i++) {
      const uint32_t n = i < 2 ? 0 : i / 2 - 1, base = i < 2 ? i + 1 : ((2 + (i & 1)) << n) + 1;
      if (distance >= base && distance < base + (1u << n)) {
         put_symbol(stream, i, 5, distance - base, n);
         return;
      }
   }
}

static void put_header(uint32_t class, bool is_last)
{
   put_field(0, is_last, 1);
   put_field(0, class, 2);
}

/* 9 bits for all literals, 5 for all distances: the code of 9 has 1 bit, that of 5 has 2. */
static void put_codes(void)
{
   static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
   put_field(0, NUM_LITERALS - 257, 5);
   put_field(0, NUM_DISTANCES - 1, 5);
   put_field(0, 19 - 4, 4);
   for (uint32_t i = 0; i < 19; i++)
      put_field(i, order[i] == 9 ? 1 : order[i] == 5 || order[i] == 16 ? 2 : 0, 3);
   uint32_t stream = 0;
   for (uint32_t i = 0; i < NUM_LITERALS; i++, stream++)
      put_symbol(stream % NUM_STREAMS, 0, 1, 0, 0);
   put_symbol(stream++ % NUM_STREAMS, 2, 2, 0, 0);
   for (uint32_t i = 1; i < NUM_DISTANCES - 1; i += 6, stream++)
      put_symbol(stream % NUM_STREAMS, 3, 2, 3, 2); /* the last length 6 times more */
   put_symbol(stream % NUM_STREAMS, 2, 2, 0, 0);
}

static void put_tokens(const struct token *tokens, uint32_t count, bool is_fixed, bool is_last)
{
   static const struct token end = {.literal = 256};
   uint32_t pending[NUM_STREAMS] = {0}, next = 0; /* distances that come in the next round */
   put_header(is_fixed ? 1 : 2, is_last);
   if (!is_fixed)
      put_codes();
   while (next <= count) {
      for (uint32_t i = 0; i < NUM_STREAMS; i++) {
         if (pending[i]) {
            put_distance(i, pending[i]);
            pending[i] = 0;
         } else if (next <= count) {
            const struct token *token = next < count ? &tokens[next] : &end;
            next++;
            put_literal(i, is_fixed, token);
            pending[i] = token->length ? token->distance : 0;
         }
      }
   }
   for (uint32_t i = 0; i < NUM_STREAMS; i++)
      if (pending[i])
         put_distance(i, pending[i]);
}

static void put_stored(const uint8_t *data, uint32_t count, bool is_last)
{
   put_header(0, is_last);
   put_field(0, count, 16);
   for (uint32_t i = 0; i < count; i++)
      put_field(i % NUM_STREAMS, data[i], 8);
}

/* ---- tests ---- */

static uint32_t random_below(uint32_t limit)
{
   static uint32_t state = 1;
   state = state * 1664525 + 1013904223;
   return (state >> 8) % limit;
}

static uint8_t plain[MAX_BYTES + 16];

/* Appends tokens to plain data of `size` bytes as they are decoded; returns the new size. */
static uint32_t make_tokens(struct token *tokens, uint32_t count, uint32_t size)
{
   static const uint32_t lengths[] = {3, 4, 10, 11, 12, 34, 67, 130, 257, 258, 259, 1000};
   for (uint32_t i = 0; i < count; i++) {
      struct token *token = &tokens[i];
      *token = (struct token){.literal = random_below(256)};
      if (size && random_below(3) == 0)
         *token = (struct token){.length = lengths[random_below(UTIL_ARRAY_SIZE(lengths))], .distance = 1 + random_below(random_below(2) ? size : UTIL_MIN(size, 40u))};
      if (!token->length)
         plain[size++] = (uint8_t)token->literal;
      for (uint32_t k = 0; k < token->length; k++, size++)
         plain[size] = plain[size - token->distance];
   }
   return size;
}

/* Blocks by turns; returns the size of the plain data. */
static uint32_t make_stream(uint32_t num_blocks, uint32_t num_tokens)
{
   static struct token tokens[4096];
   uint32_t size = 0;
   memset(&e, 0, sizeof(e));
   for (uint32_t b = 0; b < num_blocks; b++) {
      const bool is_last = b == num_blocks - 1;
      if (b % 3 == 2) {
         for (uint32_t i = 0; i < num_tokens; i++)
            plain[size + i] = (uint8_t)random_below(256);
         put_stored(plain + size, num_tokens, is_last);
         size += num_tokens;
      } else {
         size = make_tokens(tokens, num_tokens, size);
         put_tokens(tokens, num_tokens, b % 3 == 1, is_last);
      }
   }
   return size;
}

TEST(all_classes_of_blocks)
{
   static uint8_t out[MAX_BYTES];
   for (uint32_t round = 0; round < 60; round++) {
      const uint32_t size = make_stream(1 + round % 7, 1 + round * 3);
      const size_t bytes = serialize();
      memset(out, 0, sizeof(out));
      CHECK(size <= MAX_BYTES);
      CHECK_EQ(rt_gdeflate_decompress(out, size, coded, bytes, NULL), size);
      CHECK(memcmp(out, plain, size) == 0);
   }
}

TEST(far_and_long_matches)
{
   static uint8_t out[MAX_BYTES];
   static struct token tokens[300];
   memset(&e, 0, sizeof(e));
   uint32_t size = make_tokens(tokens, 200, 0);
   while (tokens[199].length) /* so that the next one is known */
      size = make_tokens(tokens, 200, 0);
   tokens[200] = (struct token){.length = 40000, .distance = size}; /* overlaps itself */
   for (uint32_t k = 0; k < 40000; k++, size++)
      plain[size] = plain[size - tokens[200].distance];
   tokens[201] = (struct token){.length = 100, .distance = size}; /* from the first byte */
   for (uint32_t k = 0; k < 100; k++, size++)
      plain[size] = plain[k];
   put_tokens(tokens, 202, true, true);
   CHECK_EQ(rt_gdeflate_decompress(out, size, coded, serialize(), NULL), size);
   CHECK(memcmp(out, plain, size) == 0);
}

TEST(a_match_that_begins_before_the_data)
{
   static const struct token tokens[2] = {{.literal = 7}, {.length = 5, .distance = 2}};
   uint8_t out[16] = {0};
   memset(&e, 0, sizeof(e));
   put_tokens(tokens, 2, true, true);
   CHECK(rt_gdeflate_decompress(out, 6, coded, serialize(), NULL) <= 6);
   CHECK_EQ(out[0], 7);
   CHECK_EQ(out[6], 0);
}

/* Memory of exactly the sizes, so that a sanitizer sees each byte too many. */
static void decompress_exactly(const uint8_t *src, size_t src_bytes, size_t dst_bytes)
{
   uint8_t *from = malloc(UTIL_MAX(src_bytes, 1u)), *to = malloc(UTIL_MAX(dst_bytes, 1u));
   memcpy(from, src, src_bytes);
   CHECK(rt_gdeflate_decompress(to, dst_bytes, from, src_bytes, NULL) <= dst_bytes);
   free(from);
   free(to);
}

TEST(broken_data)
{
   static uint8_t bent[sizeof(coded)];
   const uint32_t size = make_stream(6, 40);
   const size_t bytes = serialize();
   for (size_t n = 0; n < bytes; n++)
      decompress_exactly(coded, n, size);
   for (uint32_t n = 0; n < size; n += 7)
      decompress_exactly(coded, bytes, n);
   for (uint32_t n = 0; n < 4000; n++) {
      memcpy(bent, coded, bytes);
      for (uint32_t k = random_below(4) + 1; k > 0; k--)
         bent[random_below(n & 1 ? 160 : (uint32_t)bytes)] ^= (uint8_t)(1u << random_below(8));
      decompress_exactly(bent, bytes, MAX_BYTES);
   }
   for (uint32_t n = 0; n < 2000; n++) {
      for (uint32_t k = 0; k < 512; k++)
         bent[k] = (uint8_t)random_below(256);
      decompress_exactly(bent, 512, MAX_BYTES);
   }
   memset(bent, 0, sizeof(bent)); /* blocks without anything */
   decompress_exactly(bent, sizeof(bent), MAX_BYTES);
}

TEST_MAIN
