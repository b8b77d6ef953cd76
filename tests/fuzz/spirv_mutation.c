/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/spirv_mutation.h"

#include "util/macros.h"

#include <string.h>

enum { MAX_CHANGES = 6 };

static uint64_t random_state;

static uint32_t random_word(void)
{
   random_state += UINT64_C(0x9e3779b97f4a7c15);
   uint64_t z = random_state;
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)(z >> 32);
}

static uint32_t pick(size_t count)
{
   return random_word() % (uint32_t)count;
}

/* Starts of all instructions, 0 where a word count is wrong. */
static size_t find_instructions(const uint32_t *words, size_t num_words, size_t *starts)
{
   size_t count = 0;
   for (size_t at = 5; at < num_words; at += words[at] >> 16) {
      if (!(words[at] >> 16))
         break;
      starts[count++] = at;
   }
   return count;
}

static void change_word(uint32_t *words, size_t num_words)
{
   static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, UINT32_MAX, 0x10000, 0xffff};
   uint32_t *word = &words[pick(12) ? 5 + pick(num_words - 5) : pick(5)];
   switch (pick(6)) {
   case 0:
      *word = random_word();
      break;
   case 1:
      *word = edges[pick(UTIL_ARRAY_SIZE(edges))];
      break;
   case 2:
      *word = words[pick(num_words)];
      break;
   case 3:
      *word ^= 1u << pick(32);
      break;
   case 4:
      *word = pick(words[3] < 100000 ? words[3] + 1 : 100); /* another id */
      break;
   default:
      *word += (uint32_t)(int32_t)(pick(5) - 2);
   }
}

/* Removes, doubles or swaps whole instructions: what is left is well-formed, but means something else. */
static size_t change_instructions(uint32_t *words, size_t num_words, size_t *starts)
{
   const size_t count = find_instructions(words, num_words, starts);
   if (count < 2)
      return num_words;
   const size_t a = pick(count - 1), at = starts[a], size = starts[a + 1] - at;
   const size_t b = pick(count - 1), to = starts[b];
   uint32_t copy[SPIRV_MUTATION_MORE_WORDS / MAX_CHANGES];
   if (size > UTIL_ARRAY_SIZE(copy))
      return num_words;
   memcpy(copy, words + at, size * 4);
   switch (pick(3)) {
   case 0:
      memmove(words + at, words + at + size, (num_words - at - size) * 4);
      return num_words - size;
   case 1: /* there is room: SPIRV_MUTATION_MORE_WORDS */
      memmove(words + to + size, words + to, (num_words - to) * 4);
      memcpy(words + to, copy, size * 4);
      return num_words + size;
   default: /* only the opcode */
      words[at] = (words[at] & 0xffff0000) | (words[to] & 0xffff);
      return num_words;
   }
}

size_t spirv_mutate(uint32_t *words, size_t num_words, uint64_t seed)
{
   static size_t starts[SPIRV_MUTATION_MAX_WORDS + SPIRV_MUTATION_MORE_WORDS];
   size_t count = num_words;
   random_state = seed;
   for (uint32_t n = 1 + pick(pick(3) ? 2 : MAX_CHANGES); n > 0 && count > 5; n--) {
      if (pick(3))
         change_word(words, count);
      else
         count = change_instructions(words, count, starts);
   }
   return pick(20) == 0 ? pick(count) + 1 : count;
}
