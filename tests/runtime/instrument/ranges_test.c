/* SPDX-License-Identifier: MIT
 * The table of ranges against a plain list. */
#include "runtime/instrument/instrument.h"
#include "tests/test.h"

enum { NUM_OBJECTS = 200, NUM_STEPS = 4000, SPACE = 4096 };

static struct rt_range list[NUM_OBJECTS]; /* in the order of being added */
static uint32_t num_listed;
static char objects[NUM_OBJECTS];
static uint32_t seed = 1;

static uint32_t random_below(uint32_t limit)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % limit;
}

static void remove_listed(const void *object)
{
   for (uint32_t i = 0; i < num_listed; i++) {
      if (list[i].object != object)
         continue;
      memmove(&list[i], &list[i + 1], (--num_listed - i) * sizeof(list[0]));
      return;
   }
}

static bool find_listed(uint64_t address, uint64_t bytes, uint32_t classes, struct rt_range *range)
{
   for (uint32_t i = num_listed; i--;) {
      const struct rt_range *it = &list[i];
      if (classes >> it->class & 1 && address >= it->begin && address < it->end && bytes <= it->end - address) {
         *range = *it;
         return true;
      }
   }
   return false;
}

static void check_one(void)
{
   const uint64_t address = random_below(SPACE), bytes = 1 + random_below(16);
   const uint32_t classes = 1 + random_below(7);
   struct rt_range found = {0}, expected = {0};
   CHECK_EQ(rt_range_find(address, bytes, classes, &found), find_listed(address, bytes, classes, &expected));
   CHECK(found.object == expected.object);
   struct rt_range addressed;
   CHECK_EQ(rt_range_is_addressed(address, bytes), find_listed(address, bytes, 1u << RT_RANGE_ADDRESSED_BUFFER, &addressed));
}

TEST(as_a_list)
{
   for (uint32_t i = 0; i < NUM_STEPS; i++) {
      const void *object = &objects[random_below(NUM_OBJECTS)];
      remove_listed(object);
      if (random_below(3)) {
         const uint64_t begin = random_below(SPACE);
         const struct rt_range range = {begin, begin + 1 + random_below(random_below(8) ? 64 : SPACE), (enum rt_range_class)random_below(3), object};
         list[num_listed++] = range;
         rt_range_add(&range);
      } else {
         rt_range_remove(object);
      }
      check_one();
      check_one();
   }
   for (uint32_t i = 0; i < NUM_OBJECTS; i++)
      rt_range_remove(&objects[i]);
   CHECK(!rt_range_find(0, 1, UINT32_MAX, &list[0]));
}

TEST_MAIN
