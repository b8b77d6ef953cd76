/* SPDX-License-Identifier: MIT
 * The pool: every item runs once, dependencies hold, nothing deadlocks, a hang is found. */
#include "runtime/parts.h"
#include "tests/test.h"
#include "util/alloc.h"
#include "util/debug.h"
#include "util/thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static struct rt_pool *make_pool(uint32_t num_threads)
{
   const struct rt_pool_options options = {.num_threads = num_threads};
   struct rt_pool *pool = NULL;
   CHECK_EQ(rt_pool_create(&options, &pool), VK_SUCCESS);
   return pool;
}

struct counts {
   _Atomic uint32_t hits[5000];
   _Atomic uint32_t total;
};

static void hit(void *data, uint32_t index, struct rt_worker *worker)
{
   struct counts *counts = data;
   atomic_fetch_add(&counts->hits[index], 1);
   atomic_fetch_add(&counts->total, 1);
}

static void check_run(uint32_t num_threads, uint32_t count, uint32_t grain)
{
   struct rt_pool *pool = make_pool(num_threads);
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   struct counts *counts = calloc(1, sizeof(*counts));
   rt_pool_run(pool, &worker, hit, counts, count, grain, "test");
   CHECK_EQ(counts->total, count);
   for (uint32_t i = 0; i < count; i++)
      CHECK_EQ(counts->hits[i], 1);
   free(counts);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

TEST(each_item_runs_once)
{
   static const uint32_t threads[] = {0, 1, 2, 5}, counts[] = {0, 1, 7, 1000, 5000}, grains[] = {0, 1, 16, 10000};
   for (size_t t = 0; t < UTIL_ARRAY_SIZE(threads); t++)
      for (size_t c = 0; c < UTIL_ARRAY_SIZE(counts); c++)
         for (size_t g = 0; g < UTIL_ARRAY_SIZE(grains); g++)
            check_run(threads[t], counts[c], grains[g]);
}

/* VK_SWRAST_DEBUG=order=… */
struct sequence {
   uint32_t count, items[100];
};

static void note(void *data, uint32_t index, struct rt_worker *worker)
{
   struct sequence *sequence = data;
   sequence->items[sequence->count++] = index;
}

TEST(order_of_one_thread)
{
   struct rt_pool *pool = make_pool(1);
   struct rt_worker worker;
   struct sequence sequence = {0};
   uint32_t seed, in_place = 0;
   const enum util_order order = util_debug_order(&seed);
   rt_worker_init(&worker, pool);
   rt_pool_run(pool, &worker, note, &sequence, UTIL_ARRAY_SIZE(sequence.items), 1, "test");
   CHECK_EQ(sequence.count, UTIL_ARRAY_SIZE(sequence.items));
   for (uint32_t i = 0; i < sequence.count; i++) {
      in_place += sequence.items[i] == i;
      if (order == UTIL_ORDER_REVERSE)
         CHECK_EQ(sequence.items[i], sequence.count - 1 - i);
   }
   if (order == UTIL_ORDER_FORWARD)
      CHECK_EQ(in_place, sequence.count);
   else
      CHECK(in_place < 10);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

TEST(many_small_runs)
{
   struct rt_pool *pool = make_pool(4);
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   struct counts *counts = calloc(1, sizeof(*counts));
   for (uint32_t i = 0; i < 3000; i++)
      rt_pool_run(pool, &worker, hit, counts, 1 + i % 9, 1, NULL);
   uint32_t expected = 0;
   for (uint32_t i = 0; i < 3000; i++)
      expected += 1 + i % 9;
   CHECK_EQ(counts->total, expected);
   free(counts);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

/* ---- graphs ---- */

#define CHAIN 200
struct step {
   uint32_t *values; /* plain memory: only dependencies keep it right */
   uint32_t expected;
   _Atomic uint32_t *num_wrong;
};

static void do_step(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct step *step = data;
   if (step->values[index] != step->expected)
      atomic_fetch_add(step->num_wrong, 1);
   step->values[index] = step->expected + 1;
}

/* Waves of one wide task, with a joining task of no items between them. */
static void check_waves(uint32_t num_threads)
{
   struct rt_pool *pool = make_pool(num_threads);
   struct rt_graph *graph = rt_graph_create(pool);
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   static uint32_t values[64];
   memset(values, 0, sizeof(values));
   _Atomic uint32_t num_wrong = 0;
   struct step steps[CHAIN];
   uint64_t join = 0;
   for (uint32_t i = 0; i < CHAIN; i++) {
      steps[i] = (struct step){values, i, &num_wrong};
      const uint64_t task = rt_graph_add(graph, do_step, &steps[i], 64, i % 5, &join, join != 0, "step");
      CHECK(task != 0);
      join = rt_graph_add(graph, NULL, NULL, 0, 1, &task, 1, NULL);
      CHECK(join != 0);
   }
   rt_graph_wait(graph, &worker);
   CHECK(rt_graph_is_idle(graph));
   CHECK_EQ(num_wrong, 0);
   for (uint32_t i = 0; i < 64; i++)
      CHECK_EQ(values[i], CHAIN);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

TEST(dependencies_hold)
{
   check_waves(1);
   check_waves(2);
   check_waves(4);
}

TEST(fan_in_and_out)
{
   struct rt_pool *pool = make_pool(3);
   struct rt_graph *graph = rt_graph_create(pool);
   struct counts *counts = calloc(1, sizeof(*counts));
   uint64_t wave[300];
   for (uint32_t i = 0; i < 300; i++)
      wave[i] = rt_graph_add(graph, hit, counts, 3, 1, NULL, 0, NULL);
   const uint64_t join = rt_graph_add(graph, hit, counts, 4, 1, wave, 300, NULL);
   for (uint32_t i = 0; i < 300; i++)
      CHECK(rt_graph_add(graph, hit, counts, 5, 1, &join, 1, NULL) != 0);
   rt_graph_destroy(graph); /* waits */
   CHECK_EQ(counts->total, 300 * 3 + 4 + 300 * 5);
   CHECK_EQ(counts->hits[4], 300);
   free(counts);
   rt_pool_destroy(pool);
}

/* ---- counts that are seen late ---- */

struct late {
   struct counts counts;
   uint32_t count;
};

static void set_count(void *data, uint32_t index, struct rt_worker *worker)
{
   struct late *late = data;
   late->count = index ? late->count : 7;
}

static void check_late(uint32_t num_threads)
{
   struct rt_pool *pool = make_pool(num_threads);
   struct rt_graph *graph = rt_graph_create(pool);
   struct late *late = calloc(1, sizeof(*late)), *none = calloc(1, sizeof(*none));
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   for (uint32_t i = 1; i <= 100; i++) {
      late->count = 0;
      const uint64_t first = rt_graph_add(graph, set_count, late, 1, 1, NULL, 0, NULL);
      const uint64_t second = rt_graph_add_counted(graph, hit, &late->counts, &late->count, 1, &first, 1, NULL);
      const uint64_t empty = rt_graph_add_counted(graph, hit, &none->counts, &none->count, 1, &second, 1, NULL);
      CHECK(first && second && empty);
      rt_graph_wait_for(graph, second, &worker);
      CHECK(rt_graph_is_done(graph, first) && rt_graph_is_done(graph, second));
      CHECK_EQ(late->counts.total, 7 * i);
      rt_graph_wait_for(graph, empty, &worker);
      CHECK(rt_graph_is_done(graph, empty) && rt_graph_is_idle(graph));
      CHECK(rt_graph_is_done(graph, 0));
   }
   CHECK_EQ(none->counts.total, 0);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   free(late);
   free(none);
   rt_pool_destroy(pool);
}

TEST(items_counted_late)
{
   check_late(1);
   check_late(2);
   check_late(4);
}

/* Who waits for one task leaves the others to the pool's threads. */
TEST(wait_for_one_of_many)
{
   struct rt_pool *pool = make_pool(3);
   struct rt_graph *graph = rt_graph_create(pool);
   struct counts *counts = calloc(1, sizeof(*counts));
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   for (uint32_t i = 0; i < 200; i++) {
      uint64_t chain = 0;
      for (uint32_t k = 0; k < 5; k++) {
         chain = rt_graph_add(graph, hit, counts, 1, 1, &chain, 1, NULL);
         if (k == 2)
            rt_graph_wait_for(graph, chain, &worker);
      }
      while (i % 10 == 0 && !rt_graph_is_done(graph, chain))
         sched_yield(); /* nobody waits */
   }
   rt_graph_wait(graph, &worker);
   CHECK_EQ(counts->total, 1000);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   free(counts);
   rt_pool_destroy(pool);
}

struct meeting {
   _Atomic uint32_t has_begun, present;
   bool met[2];
};

/* Waits for the other item. */
static void meet(void *data, uint32_t index, struct rt_worker *worker)
{
   struct meeting *meeting = data;
   atomic_fetch_add(&meeting->present, 1);
   for (uint32_t ms = 0; ms < 5000 && meeting->present < 2; ms++)
      usleep(1000);
   meeting->met[index] = meeting->present == 2;
}

static void call_meeting(void *data, uint32_t index, struct rt_worker *worker)
{
   struct meeting *meeting = data;
   meeting->has_begun = 1;
   usleep(50000); /* until who waits sleeps */
   rt_pool_run(worker->pool, worker, meet, meeting, 2, 1, NULL);
}

/* Who sleeps until an item is done wakes to do a part of it. */
TEST(sleepers_help_with_parts)
{
   struct rt_pool *pool = make_pool(2);
   struct rt_graph *graph = rt_graph_create(pool);
   struct meeting meeting = {0};
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   CHECK(rt_graph_add(graph, call_meeting, &meeting, 1, 1, NULL, 0, NULL));
   while (!meeting.has_begun) /* by the other thread */
      sched_yield();
   rt_graph_wait(graph, &worker);
   CHECK(meeting.met[0] && meeting.met[1]);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

TEST(graph_without_memory)
{
   struct rt_pool *pool = make_pool(1);
   struct rt_graph *graph = rt_graph_create(pool);
   struct counts *counts = calloc(1, sizeof(*counts));
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   uint64_t numbers[400];
   uint32_t num = 0, num_failed = 0;
   for (uint32_t i = 0; i < 400; i++) {
      if (i == 100)
         util_alloc_fail_at(1, false);
      const uint64_t number = rt_graph_add(graph, hit, counts, 1, 1, numbers, num, NULL);
      if (number)
         numbers[num++] = number;
      else
         num_failed++;
   }
   util_alloc_fail_at(0, false);
   CHECK(num_failed > 0);
   rt_graph_wait(graph, &worker);
   CHECK_EQ(counts->total, num);
   CHECK(rt_graph_add(graph, hit, counts, 1, 1, numbers, num, NULL) != 0);
   rt_graph_wait(graph, &worker);
   CHECK_EQ(counts->total, num + 1);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   free(counts);
   rt_pool_destroy(pool);
}

/* ---- several callers ---- */

struct caller {
   struct rt_pool *pool;
   struct counts *counts;
};

static void *call(void *arg)
{
   struct caller *caller = arg;
   struct rt_worker worker;
   rt_worker_init(&worker, caller->pool);
   struct rt_graph *graph = rt_graph_create(caller->pool);
   for (uint32_t i = 0; i < 200; i++) {
      rt_pool_run(caller->pool, &worker, hit, caller->counts, 10, 1, NULL);
      uint64_t first = rt_graph_add(graph, hit, caller->counts, 5, 1, NULL, 0, NULL);
      if (!rt_graph_add(graph, hit, caller->counts, 5, 0, &first, 1, NULL))
         break;
      if (i % 3 == 0)
         rt_graph_wait(graph, &worker);
   }
   rt_graph_wait(graph, &worker);
   rt_graph_destroy(graph);
   rt_worker_finish(&worker);
   return NULL;
}

TEST(several_queues_share_it)
{
   struct rt_pool *pool = make_pool(3);
   struct counts *counts = calloc(1, sizeof(*counts));
   struct caller caller = {pool, counts};
   pthread_t threads[3];
   for (int i = 0; i < 3; i++)
      CHECK(pthread_create(&threads[i], NULL, call, &caller) == 0);
   for (int i = 0; i < 3; i++)
      pthread_join(threads[i], NULL);
   CHECK_EQ(counts->total, 3 * 200 * 20);
   free(counts);
   rt_pool_destroy(pool);
}

static void hit_host(void *data, uint32_t index)
{
   hit(data, index, NULL);
}

TEST(parallel_for)
{
   struct rt_pool *pool = make_pool(4);
   struct counts *counts = calloc(1, sizeof(*counts));
   rt_pool_cancel(pool); /* host work runs all the same */
   rt_pool_parallel_for(pool, 1000, hit_host, counts);
   CHECK_EQ(counts->total, 1000);
   free(counts);
   rt_pool_destroy(pool);
}

/* ---- watchdog ---- */

struct failure {
   struct rt_pool *pool;
   char reason[128];
   _Atomic uint32_t count;
};

static void on_failure(void *data, const char *reason, const struct rt_worker *hung)
{
   struct failure *failure = data;
   snprintf(failure->reason, sizeof(failure->reason), "%s", reason);
   rt_pool_cancel(failure->pool);
   atomic_fetch_add(&failure->count, 1);
}

/* Runs `count` items on a pool of its own, which is gone when this returns; whether it failed is in `failure`. */
static void run_watched(struct failure *failure, uint32_t num_threads, uint64_t timeout_ns, rt_item_fn *run, uint32_t count, const char *describe)
{
   const struct rt_pool_options options = {
      .num_threads = num_threads, .hang_timeout_ns = timeout_ns, .on_failure = on_failure, .on_failure_data = failure};
   CHECK_EQ(rt_pool_create(&options, &failure->pool), VK_SUCCESS);
   struct rt_worker worker;
   rt_worker_init(&worker, failure->pool);
   rt_pool_run(failure->pool, &worker, run, NULL, count, 1, describe);
   rt_worker_finish(&worker);
   rt_pool_destroy(failure->pool);
}

static void spin(void *data, uint32_t index, struct rt_worker *worker)
{
   while (index == 3 && !__atomic_load_n(worker->abi.cancel, __ATOMIC_RELAXED))
      ;
}

static void check_hang(uint32_t num_threads)
{
   struct failure failure = {.count = 0};
   run_watched(&failure, num_threads, 20000000, spin, 8, "endless");
   CHECK_EQ(failure.count, 1);
   CHECK(strstr(failure.reason, "endless") != NULL);
}

TEST(a_hang_is_found)
{
   check_hang(1);
   check_hang(3);
}

static void nap(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct timespec time = {.tv_nsec = 4000000};
   nanosleep(&time, NULL);
}

TEST(slow_progress_is_no_hang)
{
   struct failure failure = {.count = 0};
   run_watched(&failure, 1, 400000000, nap, 150, "slow");
   CHECK_EQ(failure.count, 0);
}

/* Whoever has no processor cannot make progress: another process has it, or all are stopped. */
static void sleep_long(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct timespec time = {.tv_nsec = 400000000};
   nanosleep(&time, NULL);
}

TEST(time_without_a_processor_does_not_count)
{
   struct failure failure = {.count = 0};
   run_watched(&failure, 1, 50000000, sleep_long, 1, "asleep");
   CHECK_EQ(failure.count, 0);
}

#ifndef __SANITIZE_THREAD__ /* the watchdog reads the clock meanwhile */
/* As where a virtual machine slept: the clock of the thread says that days have passed. */
static void jump_in_time(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct timespec time = {.tv_nsec = 250000000};
   nanosleep(&time, NULL);
   worker->clock = CLOCK_REALTIME;
   nanosleep(&time, NULL);
}

TEST(jumps_of_the_clock_do_not_count)
{
   struct failure failure = {.count = 0};
   run_watched(&failure, 1, 2000000000, jump_in_time, 1, "asleep");
   CHECK_EQ(failure.count, 0);
}
#endif

/* Of 10^15 steps; with each the worker says that it lives. */
static void take_steps(void *data, uint32_t index, struct rt_worker *worker)
{
   while (!rt_worker_is_cancelled(worker)) {
      rt_worker_progress(worker);
      rt_worker_advance(worker, 7, 1e-15);
   }
}

TEST(progress_that_leads_nowhere)
{
   struct failure failure = {.count = 0};
   run_watched(&failure, 2, 50000000, take_steps, 2, "a long march");
   CHECK_EQ(failure.count, 1);
   CHECK(strstr(failure.reason, "a long march") != NULL && strstr(failure.reason, "pace") != NULL);
}

static void take_one_step(void *data, uint32_t index, struct rt_worker *worker)
{
   rt_worker_advance(worker, 7, 0.25);
}

static uint64_t spent_ns(void)
{
   struct timespec time;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
   return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void spend_1_ms(void *data, uint32_t index, struct rt_worker *worker)
{
   const uint64_t begin_ns = spent_ns();
   while (spent_ns() - begin_ns < 1000000)
      ;
}

/* What says how far it is, and ends, is not what takes long afterwards. */
TEST(pace_of_work_that_is_over)
{
   struct failure failure = {.count = 0};
   const struct rt_pool_options options = {
      .num_threads = 1, .hang_timeout_ns = 20000000, .on_failure = on_failure, .on_failure_data = &failure};
   CHECK_EQ(rt_pool_create(&options, &failure.pool), VK_SUCCESS);
   struct rt_worker worker;
   rt_worker_init(&worker, failure.pool);
   rt_pool_run(failure.pool, &worker, take_one_step, NULL, 1, 1, "a step");
   rt_pool_run(failure.pool, &worker, spend_1_ms, NULL, RT_MAX_TIMEOUTS * 20 * 5 / 4, 1, "much work");
   rt_worker_finish(&worker);
   rt_pool_destroy(failure.pool);
   CHECK_EQ(failure.count, 0);
}

/* A loop within a part of a loop, and a loss in between. */
TEST(parts_of_a_command)
{
   const struct rt_pool_options options = {.num_threads = 1};
   struct rt_pool *pool;
   CHECK_EQ(rt_pool_create(&options, &pool), VK_SUCCESS);
   struct rt_worker worker;
   rt_worker_init(&worker, pool);
   uint32_t num_outer = 0, num_inner = 0;
   for (struct rt_parts outer = rt_parts_of(&worker, 4); rt_parts_next(&outer); num_outer++) {
      for (struct rt_parts inner = rt_parts_of(&worker, 10); rt_parts_next(&inner); num_inner++) {
         inner.step = 5;
         CHECK(worker.command.done == (double)outer.index / 4 + (double)inner.index / 40);
         CHECK(worker.part.share == 0.1 && worker.part.number != worker.command.number);
         if (outer.index == 2 && inner.index == 5)
            rt_pool_cancel(pool);
      }
   }
   CHECK_EQ(num_outer, 3);
   CHECK_EQ(num_inner, 6);
   CHECK_EQ(worker.command.number, 0);
   rt_worker_finish(&worker);
   rt_pool_destroy(pool);
}

/* Without its watchdog nothing would ever see a hang. */
static bool refuses_threads; /* while only the test's thread runs */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *arg)
{
   __typeof__(pthread_create) *next = (__typeof__(pthread_create) *)dlsym(RTLD_NEXT, "pthread_create");
   return refuses_threads ? EAGAIN : next(thread, attributes, run, arg);
}

TEST(no_thread_for_the_watchdog)
{
   struct rt_pool_options options = {.num_threads = 1, .hang_timeout_ns = 1000000000};
   struct rt_pool *pool;
   refuses_threads = true;
   CHECK_EQ(rt_pool_create(&options, &pool), VK_ERROR_OUT_OF_HOST_MEMORY);
   options.hang_timeout_ns = 0; /* none is wanted */
   CHECK_EQ(rt_pool_create(&options, &pool), VK_SUCCESS);
   refuses_threads = false;
   rt_pool_destroy(pool);
}

TEST_MAIN
