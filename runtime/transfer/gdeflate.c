/* SPDX-License-Identifier: MIT
 * Decompression of GDeflate, symbol by symbol in the order of the streams, which is that of the data. */
#include "runtime/transfer/gdeflate.h"

#include "util/macros.h"

#include <stdbool.h>
#include <string.h>

enum {
   NUM_STREAMS = 32,
   NUM_LITERALS = 288, /* with lengths */
   NUM_DISTANCES = 32,
   END_OF_BLOCK = 256,
   MAX_CODE_BITS = 15,
   QUICK_BITS = 9, /* codes that a table knows at once */
};

struct stream {
   uint64_t bits;
   uint32_t count; /* of them; less are there after the end of the data: zeros follow */
};

/* A match whose distance has not been read. */
struct match {
   uint32_t length; /* 0: none */
   size_t at;       /* in the output */
};

struct decoder {
   const uint8_t *src, *src_end;
   uint64_t num_missing; /* words that were read behind the end */
   uint8_t *dst;
   size_t size, dst_bytes; /* written, to write */
   struct stream streams[NUM_STREAMS];
   struct match matches[NUM_STREAMS];
   bool is_malformed;
};

/* ---- bits ---- */

static void refill(struct decoder *d, struct stream *s)
{
   uint32_t word = 0;
   if (s->count >= 32)
      return;
   const size_t left = (size_t)(d->src_end - d->src), bytes = UTIL_MIN(left, sizeof(word));
   memcpy(&word, d->src, bytes);
   d->src += bytes;
   d->num_missing += bytes == 0;
   s->bits |= (uint64_t)word << s->count;
   s->count += 32;
}

/* After a symbol: up to 31 bits. */
static void drop(struct decoder *d, struct stream *s, uint32_t count)
{
   s->bits >>= count;
   s->count -= count;
   refill(d, s);
}

static uint32_t peek(const struct stream *s, uint32_t first, uint32_t count)
{
   return (uint32_t)(s->bits >> first) & ((1u << count) - 1);
}

static uint32_t take(struct decoder *d, uint32_t stream, uint32_t count)
{
   const uint32_t bits = peek(&d->streams[stream], 0, count);
   drop(d, &d->streams[stream], count);
   return bits;
}

/* ---- codes ---- */

struct quick {
   uint16_t symbol;
   uint8_t bits; /* 0: the code is longer, or none */
};

/* Canonical prefix codes: by length, then by symbol. */
struct code {
   struct quick quick[1 << QUICK_BITS];
   uint32_t end[MAX_CODE_BITS + 1];   /* codes of so many bits are below this, in 15 bits */
   int32_t offset[MAX_CODE_BITS + 1]; /* of their first in `symbols`, less its number */
   uint16_t symbols[NUM_LITERALS];
};

static uint32_t reverse(uint32_t bits, uint32_t count)
{
   uint32_t reversed = 0;
   for (uint32_t i = 0; i < count; i++)
      reversed |= (bits >> i & 1) << (count - 1 - i);
   return reversed;
}

/* False: more codes than there can be. Less are no fault, as long as none of the others is met. */
static bool make_code(struct code *code, const uint8_t *bits, uint32_t count)
{
   uint32_t counts[MAX_CODE_BITS + 1] = {0}, next[MAX_CODE_BITS + 1], first = 0, index = 0;
   for (uint32_t i = 0; i < count; i++)
      counts[bits[i]]++;
   counts[0] = 0;
   memset(code->quick, 0, sizeof(code->quick));
   code->end[0] = 0;
   for (uint32_t n = 1; n <= MAX_CODE_BITS; n++) {
      first = (first + counts[n - 1]) << 1;
      if (first + counts[n] > 1u << n)
         return false;
      next[n] = index;
      code->offset[n] = (int32_t)index - (int32_t)first;
      code->end[n] = (first + counts[n]) << (MAX_CODE_BITS - n);
      index += counts[n];
   }
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t n = bits[i];
      if (!n)
         continue;
      const uint32_t number = (uint32_t)((int32_t)next[n] - code->offset[n]);
      code->symbols[next[n]++] = (uint16_t)i;
      for (uint32_t k = n <= QUICK_BITS ? reverse(number, n) : 1 << QUICK_BITS; k < 1 << QUICK_BITS; k += 1u << n)
         code->quick[k] = (struct quick){(uint16_t)i, (uint8_t)n};
   }
   return true;
}

/* The symbol that the stream's bits begin with; *bits: of its code. */
static uint32_t decode(struct decoder *d, const struct code *code, const struct stream *s, uint32_t *bits)
{
   const struct quick quick = code->quick[peek(s, 0, QUICK_BITS)];
   *bits = quick.bits;
   if (quick.bits)
      return quick.symbol;
   const uint32_t number = reverse(peek(s, 0, MAX_CODE_BITS), MAX_CODE_BITS);
   for (uint32_t n = 1; n <= MAX_CODE_BITS; n++) {
      if (number < code->end[n]) {
         *bits = n;
         return code->symbols[(int32_t)(number >> (MAX_CODE_BITS - n)) + code->offset[n]];
      }
   }
   d->is_malformed = true;
   return END_OF_BLOCK;
}

/* ---- blocks ---- */

/* The codes' lengths, which are coded themselves. False: malformed. */
static bool read_codes(struct decoder *d, struct code *literals, struct code *distances)
{
   static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
   const uint32_t num_literals = take(d, 0, 5) + 257, num_distances = take(d, 0, 5) + 1, num_lengths = take(d, 0, 4) + 4;
   const uint32_t total = num_literals + num_distances;
   uint8_t lengths[NUM_LITERALS + NUM_DISTANCES] = {0}, length_bits[19] = {0};
   struct code code;
   for (uint32_t i = 0; i < num_lengths; i++)
      length_bits[order[i]] = (uint8_t)take(d, i, 3);
   if (num_literals > NUM_LITERALS || !make_code(&code, length_bits, 19))
      return false;
   for (uint32_t i = 0, stream = 0; i < total; stream = (stream + 1) % NUM_STREAMS) {
      static const struct { uint8_t base, bits; } repeats[3] = {{3, 2}, {3, 3}, {11, 7}};
      struct stream *s = &d->streams[stream];
      uint32_t bits, count = 1;
      const uint32_t symbol = decode(d, &code, s, &bits);
      if (d->is_malformed || (symbol == 16 && i == 0))
         return false;
      uint8_t length = (uint8_t)symbol;
      if (symbol >= 16) {
         length = symbol == 16 ? lengths[i - 1] : 0;
         count = repeats[symbol - 16].base + peek(s, bits, repeats[symbol - 16].bits);
         bits += repeats[symbol - 16].bits;
      }
      if (count > total - i)
         return false;
      memset(lengths + i, length, count);
      i += count;
      drop(d, s, bits);
   }
   return make_code(literals, lengths, num_literals) && make_code(distances, lengths + num_literals, num_distances);
}

static void fixed_codes(struct code *literals, struct code *distances)
{
   uint8_t lengths[NUM_LITERALS], distance_lengths[NUM_DISTANCES];
   for (uint32_t i = 0; i < NUM_LITERALS; i++)
      lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
   memset(distance_lengths, 5, sizeof(distance_lengths));
   (void)make_code(literals, lengths, NUM_LITERALS);
   (void)make_code(distances, distance_lengths, NUM_DISTANCES);
}

static void copy_match(struct decoder *d, const struct match *match, uint32_t distance)
{
   if (distance > match->at) {
      d->is_malformed = true;
      return;
   }
   uint8_t *to = d->dst + match->at;
   for (uint32_t i = 0; i < match->length; i++)
      to[i] = to[(int64_t)i - distance];
}

static void read_distance(struct decoder *d, const struct code *code, uint32_t stream)
{
   struct stream *s = &d->streams[stream];
   uint32_t bits;
   const uint32_t symbol = decode(d, code, s, &bits);
   const uint32_t extra = symbol < 2 ? 0 : symbol / 2 - 1;
   if (d->is_malformed)
      return;
   const uint32_t base = symbol < 2 ? symbol + 1 : ((2 + (symbol & 1)) << extra) + 1;
   copy_match(d, &d->matches[stream], base + peek(s, bits, extra));
   d->matches[stream].length = 0;
   drop(d, s, bits + extra);
}

/* A literal, the length of a match, or the block's end: false. */
static bool read_literal(struct decoder *d, const struct code *code, uint32_t stream)
{
   struct stream *s = &d->streams[stream];
   uint32_t bits;
   const uint32_t symbol = decode(d, code, s, &bits);
   if (symbol < END_OF_BLOCK) {
      d->is_malformed |= d->size == d->dst_bytes;
      if (!d->is_malformed)
         d->dst[d->size++] = (uint8_t)symbol;
      drop(d, s, bits);
      return true;
   }
   if (symbol == END_OF_BLOCK) {
      drop(d, s, bits);
      return false;
   }
   const uint32_t index = symbol - END_OF_BLOCK - 1; /* of the lengths */
   const uint32_t extra = index < 8 ? 0 : index < 28 ? index / 4 - 1 : 16;
   const uint32_t base = index < 8 ? index + 3 : index < 28 ? ((4 + (index & 3)) << extra) + 3 : 3;
   const uint32_t length = base + peek(s, bits, extra);
   if (index > 28 || length > d->dst_bytes - d->size) {
      d->is_malformed = true;
      return true;
   }
   d->matches[stream] = (struct match){length, d->size};
   d->size += length;
   drop(d, s, bits + extra);
   return true;
}

static void read_coded(struct decoder *d, const struct code *literals, const struct code *distances)
{
   bool is_open = true;
   while (is_open && !d->is_malformed) {
      for (uint32_t i = 0; i < NUM_STREAMS && !d->is_malformed; i++) {
         if (d->matches[i].length)
            read_distance(d, distances, i);
         else if (is_open)
            is_open = read_literal(d, literals, i);
      }
   }
   for (uint32_t i = 0; i < NUM_STREAMS && !d->is_malformed; i++) {
      if (d->matches[i].length)
         read_distance(d, distances, i);
   }
}

static void read_stored(struct decoder *d)
{
   const uint32_t count = take(d, 0, 16);
   d->is_malformed |= count > d->dst_bytes - d->size;
   for (uint32_t i = 0; i < count && !d->is_malformed; i++)
      d->dst[d->size++] = (uint8_t)take(d, i % NUM_STREAMS, 8);
}

size_t rt_gdeflate_decompress(void *dst, size_t dst_bytes, const void *src, size_t src_bytes, const struct rt_worker *worker)
{
   struct decoder d = {.src = src, .src_end = (const uint8_t *)src + src_bytes, .dst = dst, .dst_bytes = dst_bytes};
   struct code literals, distances;
   bool is_last = false;
   for (uint32_t i = 0; i < NUM_STREAMS; i++)
      refill(&d, &d.streams[i]);
   /* Streams may read ahead of the end by what they hold; who goes on without data would find empty blocks for ever. */
   while (!is_last && !d.is_malformed && d.num_missing <= 2 * NUM_STREAMS && !(worker && rt_worker_is_cancelled(worker))) {
      is_last = take(&d, 0, 1);
      switch (take(&d, 0, 2)) {
      case 0:
         read_stored(&d);
         break;
      case 1:
         fixed_codes(&literals, &distances);
         read_coded(&d, &literals, &distances);
         break;
      case 2:
         d.is_malformed = !read_codes(&d, &literals, &distances);
         if (!d.is_malformed)
            read_coded(&d, &literals, &distances);
         break;
      default:
         d.is_malformed = true;
      }
   }
   return d.size;
}
