/* SPDX-License-Identifier: MIT
 * The heap of the compiler's C++: blocks are apart and aligned, go back to the right heap, and pass from a thread that ends to the next. */
#include "compiler/no_memory.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

/* operator new and delete, by the names that the C++ ABI gives them */
void *_Znwm(size_t size);
void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnwmSt11align_val_t(size_t size, size_t align);
void _ZdlPv(void *memory);
void _ZdlPvm(void *memory, size_t size);
void _ZdaPv(void *memory);
void _ZdlPvSt11align_val_t(void *memory, size_t align);

_Noreturn void comp_no_memory(void)
{
   abort();
}

enum { NUM_BLOCKS = 20000, NUM_THREADS = 4 };

struct filled {
   uint8_t *bytes;
   uint32_t size;
   uint8_t value;
};

static uint32_t next_random(uint32_t *state)
{
   *state = *state * 747796405u + 2891336453u;
   return *state >> 8;
}

static void fill(struct filled *block, uint32_t *state)
{
   const uint32_t kind = next_random(state) % 16;
   block->size = next_random(state) % (kind == 0 ? 9000 : kind < 4 ? 1100 : 100);
   block->value = (uint8_t)next_random(state);
   block->bytes = _Znwm(block->size);
   memset(block->bytes, block->value, block->size);
}

/* Whether the bytes are as they were left: another block that overlaps would have changed them. */
static bool release(struct filled *block)
{
   bool is_whole = (uintptr_t)block->bytes % 16 == 0;
   for (uint32_t i = 0; i < block->size; i++)
      is_whole &= block->bytes[i] == block->value;
   if (block->size % 2)
      _ZdlPv(block->bytes);
   else
      _ZdlPvm(block->bytes, block->size);
   *block = (struct filled){0};
   return is_whole;
}

/* Fills and releases in random order; leaves what is in `blocks` at the end. */
static bool churn(struct filled *blocks, uint32_t count, uint32_t seed)
{
   bool is_whole = true;
   for (uint32_t round = 0; round < 8 * count; round++) {
      struct filled *block = &blocks[next_random(&seed) % count];
      if (block->bytes)
         is_whole &= release(block);
      else
         fill(block, &seed);
   }
   return is_whole;
}

static bool release_all(struct filled *blocks, uint32_t count)
{
   bool is_whole = true;
   for (uint32_t i = 0; i < count; i++)
      if (blocks[i].bytes)
         is_whole &= release(&blocks[i]);
   return is_whole;
}

TEST(blocks_are_apart_and_aligned)
{
   struct filled *blocks = calloc(NUM_BLOCKS, sizeof(*blocks));
   CHECK(churn(blocks, NUM_BLOCKS, 1));
   CHECK(release_all(blocks, NUM_BLOCKS));
   free(blocks);
}

TEST(every_size)
{
   for (uint32_t size = 0; size <= 8300; size += size < 1100 ? 1 : 37) {
      char *one = _Znwm(size), *other = _ZnamRKSt9nothrow_t(size, NULL);
      CHECK(one && other && one != other && (one + size <= other || other + size <= one));
      _ZdaPv(other);
      _ZdlPv(one);
   }
   _ZdlPv(NULL);
}

TEST(alignment)
{
   for (uint32_t align = 1; align <= 4096; align *= 2) {
      void *memory = _ZnwmSt11align_val_t(100, align);
      CHECK_EQ((uintptr_t)memory % align, 0);
      _ZdlPvSt11align_val_t(memory, align);
   }
}

TEST(a_block_comes_back)
{
   void *first = _Znwm(48);
   _ZdlPv(first);
   void *again = _Znwm(40);
   CHECK(first == again);
   _ZdlPv(again);
}

struct work {
   struct filled blocks[2000];
   uint32_t seed;
   bool is_whole;
};

static void *work_thread(void *data)
{
   struct work *work = data;
   work->is_whole = churn(work->blocks, 2000, work->seed) && work->is_whole;
   return NULL;
}

/* What a thread leaves is released by others: once by the main thread, once by the next thread that has the work. */
TEST(threads_hand_blocks_on)
{
   struct work *works = calloc(NUM_THREADS, sizeof(*works));
   for (uint32_t round = 0; round < 6; round++) {
      pthread_t threads[NUM_THREADS];
      for (uint32_t i = 0; i < NUM_THREADS; i++) {
         works[i].seed = round * NUM_THREADS + i + 1;
         works[i].is_whole = true;
         CHECK_EQ(pthread_create(&threads[i], NULL, work_thread, &works[i]), 0);
      }
      for (uint32_t i = 0; i < NUM_THREADS; i++) {
         pthread_join(threads[i], NULL);
         CHECK(works[i].is_whole);
         if (round % 2)
            CHECK(release_all(works[i].blocks, 2000));
      }
   }
   for (uint32_t i = 0; i < NUM_THREADS; i++)
      CHECK(release_all(works[i].blocks, 2000));
   free(works);
}

TEST_MAIN
