/* SPDX-License-Identifier: MIT
 * util/thread.h: deadlines, time-outs, names, signal masks. */
#include "util/thread.h"

#include "tests/test.h"
#include "util/cpu.h"

#include <signal.h>

struct shared {
   pthread_mutex_t mutex;
   pthread_cond_t cond;
   bool is_done;         /* by mutex */
   bool blocks_term;     /* by mutex */
   bool blocks_segv;     /* by mutex */
};

static void *run(void *arg)
{
   struct shared *shared = arg;
   sigset_t mask;
   pthread_sigmask(SIG_SETMASK, NULL, &mask);
   pthread_mutex_lock(&shared->mutex);
   shared->blocks_term = sigismember(&mask, SIGTERM) == 1;
   shared->blocks_segv = sigismember(&mask, SIGSEGV) == 1;
   shared->is_done = true;
   pthread_cond_signal(&shared->cond);
   pthread_mutex_unlock(&shared->mutex);
   return NULL;
}

TEST(thread_and_condition)
{
   struct shared shared = {.is_done = false};
   pthread_t thread;
   CHECK(util_mutex_init(&shared.mutex) && util_cond_init(&shared.cond));

   pthread_mutex_lock(&shared.mutex);
   const uint64_t start = util_now_ns();
   CHECK(!util_cond_wait_until(&shared.cond, &shared.mutex, util_deadline_ns(2000000)));
   CHECK(util_now_ns() - start >= 2000000);

   CHECK(util_thread_start(&thread, "a name that is longer than 15", run, &shared));
   while (!shared.is_done)
      util_cond_wait_until(&shared.cond, &shared.mutex, UTIL_FOREVER);
   CHECK(shared.blocks_term);
   CHECK(!shared.blocks_segv);
   pthread_mutex_unlock(&shared.mutex);
   pthread_join(thread, NULL);

   sigset_t mask;
   pthread_sigmask(SIG_SETMASK, NULL, &mask);
   CHECK(sigismember(&mask, SIGTERM) == 0);
   pthread_cond_destroy(&shared.cond);
   pthread_mutex_destroy(&shared.mutex);
}

TEST(deadline_saturates)
{
   CHECK(util_deadline_ns(UTIL_FOREVER) == UTIL_FOREVER);
   CHECK(util_deadline_ns(UTIL_FOREVER - 5) == UTIL_FOREVER);
   CHECK(util_deadline_ns(0) <= util_now_ns());
}

static void *note_float_state(void *arg)
{
   *(uint64_t *)arg = util_float_enter();
   return NULL;
}

/* An application that flushes denormals or rounds down does so on its own threads only. */
TEST(float_state)
{
#ifdef __aarch64__
   enum { PLAIN = 0, FLUSHES_AND_ROUNDS_DOWN = 0x1800000 };
#else
   enum { PLAIN = 0x1f80, FLUSHES_AND_ROUNDS_DOWN = 0xbfc0 };
#endif
   const uint64_t before = util_float_enter();
   uint64_t seen = ~PLAIN;
   pthread_t thread;
   util_float_leave(FLUSHES_AND_ROUNDS_DOWN);
   CHECK(util_thread_start(&thread, "float", note_float_state, &seen));
   pthread_join(thread, NULL);
   const uint64_t after = util_float_enter();
   util_float_leave(before);
   CHECK_EQ(seen, PLAIN);
   CHECK_EQ(after, FLUSHES_AND_ROUNDS_DOWN);
}

TEST_MAIN
