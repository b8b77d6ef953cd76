/* SPDX-License-Identifier: MIT
 * Waiting awake: a change is seen, nobody looks for long in vain. */
#include "tests/test.h"
#include "util/awake.h"
#include "util/cpu.h"
#include "util/thread.h"

#include <stdlib.h>

static _Atomic uint32_t number;

static void *change(void *arg)
{
   (void)arg;
   atomic_store(&number, 1);
   return NULL;
}

/* Whether threads look at all is decided once in a process: before anything asks. */
static void have_threads(void)
{
   setenv("VK_SWRAST_THREADS", "4", 1);
   CHECK_EQ(util_cpu_threads(), 4);
}

TEST(a_change_is_seen)
{
   struct util_awake awake = {0};
   pthread_t thread;
   have_threads();
   atomic_store(&number, 0);
   CHECK(util_thread_start(&thread, "test", change, NULL));
   while (!util_awake_look(&awake, &number, 0))
      ;
   CHECK_EQ(awake.left, 0);
   CHECK_EQ(awake.num_left_out, 0);
   pthread_join(thread, NULL);
   CHECK(util_awake_look(&awake, &number, 0)); /* has changed before */
}

TEST(looks_in_vain_become_rare)
{
   struct util_awake awake = {0};
   uint32_t num_looks = 0;
   have_threads();
   atomic_store(&number, 0);
   for (uint32_t i = 0; i < 1024; i++) {
      num_looks += awake.left == 0;
      CHECK(!util_awake_look(&awake, &number, 0));
   }
   CHECK_EQ(num_looks, 8 + 3); /* eight leave out 1, 3 ... 255; every 256th call looks then */
   while (awake.left)
      CHECK(!util_awake_look(&awake, &number, 1));
   CHECK(util_awake_look(&awake, &number, 1));
   CHECK(util_awake_look(&awake, &number, 1)); /* worth it again at once */
}

TEST_MAIN
