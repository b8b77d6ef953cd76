/* SPDX-License-Identifier: MIT */
#include "tests/bench/machine.h"

#include "tests/bench/bench.h"
#include "util/cpu.h"
#include "util/macros.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#ifdef __x86_64__
#include <immintrin.h>
#else
#include <arm_neon.h>
#endif

enum { MAX_THREADS = 256, CHAINS = 12, STEPS = 100000 };
static const size_t copy_bytes = 64 << 20;

/* ---- the same work on all threads ---- */

struct team {
   uint32_t num_threads;
   void (*work)(void *data, uint32_t thread, uint32_t num_threads);
   void *data;
};

struct member {
   pthread_t thread;
   const struct team *team;
   uint32_t index;
};

static void *member_main(void *arg)
{
   const struct member *member = arg;
   member->team->work(member->team->data, member->index, member->team->num_threads);
   return NULL;
}

static void team_run(void *data)
{
   static struct member members[MAX_THREADS];
   const struct team *team = data;
   for (uint32_t i = 1; i < team->num_threads; i++) {
      members[i] = (struct member){.team = team, .index = i};
      if (pthread_create(&members[i].thread, NULL, member_main, &members[i]))
         client_die("cannot start a thread");
   }
   team->work(team->data, 0, team->num_threads);
   for (uint32_t i = 1; i < team->num_threads; i++)
      pthread_join(members[i].thread, NULL);
}

static struct team team_of_all(void (*work)(void *data, uint32_t thread, uint32_t num_threads), void *data)
{
   return (struct team){UTIL_CLAMP(util_cpu_threads(), 1u, (uint32_t)MAX_THREADS), work, data};
}

/* ---- arithmetic: chains enough to fill the pipelines of two units ---- */

static volatile float sink; /* so that results are wanted */

/* step(0) to step(11), each given the name of a function: an array of vectors would be kept in memory. */
#define DO_ALL(step, f) \
   step(0, f) step(1, f) step(2, f) step(3, f) step(4, f) step(5, f) step(6, f) step(7, f) step(8, f) step(9, f) step(10, f) step(11, f)
#define DECLARE(i, set) x##i = set((float)i),
#define STEP(i, mul_add) x##i = mul_add(x##i, factor, term);
#define ADD(i, unused) sum = sum + x##i;

#define CHAINS_OF(type, set, mul_add, lanes, target)                                                                   \
   target static void chains_##lanes(void)                                                                             \
   {                                                                                                                   \
      const type factor = set(0.999f), term = set(0.5f);                                                               \
      type DO_ALL(DECLARE, set) sum = term;                                                                            \
      for (int step = 0; step < STEPS; step++) {                                                                       \
         DO_ALL(STEP, mul_add)                                                                                         \
      }                                                                                                                \
      DO_ALL(ADD, )                                                                                                    \
      sink = ((const float *)&sum)[0];                                                                                 \
   }
#ifdef __x86_64__
#define MUL_ADD(x, factor, term) _mm_add_ps(_mm_mul_ps(x, factor), term)

CHAINS_OF(__m512, _mm512_set1_ps, _mm512_fmadd_ps, 16, __attribute__((target("avx512f"))))
CHAINS_OF(__m256, _mm256_set1_ps, _mm256_fmadd_ps, 8, __attribute__((target("avx2,fma"))))
CHAINS_OF(__m128, _mm_set1_ps, MUL_ADD, 4, )

static uint32_t machine_lanes(void)
{
   const enum util_cpu_level level = util_cpu_level();
   return level >= UTIL_CPU_V4 ? 16 : level >= UTIL_CPU_V3 ? 8 : 4;
}

static void run_chains(void *data, uint32_t thread, uint32_t num_threads)
{
   const uint32_t lanes = machine_lanes();
   (lanes == 16 ? chains_16 : lanes == 8 ? chains_8 : chains_4)();
}
#else
#define MUL_ADD(x, factor, term) vfmaq_f32(term, x, factor)

CHAINS_OF(float32x4_t, vdupq_n_f32, MUL_ADD, 4, )

static uint32_t machine_lanes(void)
{
   return 4;
}

static void run_chains(void *data, uint32_t thread, uint32_t num_threads)
{
   chains_4();
}
#endif

double bench_machine_gflops(void)
{
   struct team team = team_of_all(run_chains, NULL);
   return 2.0 * CHAINS * STEPS * machine_lanes() * team.num_threads / bench_median(0.2, team_run, &team) * 1e-9;
}

/* ---- copying ---- */

struct areas {
   char *from, *to;
};

static void copy_slice(void *data, uint32_t thread, uint32_t num_threads)
{
   const struct areas *areas = data;
   const size_t begin = copy_bytes / num_threads * thread, end = thread + 1 < num_threads ? copy_bytes / num_threads * (thread + 1) : copy_bytes;
   memcpy(areas->to + begin, areas->from + begin, end - begin);
}

double bench_machine_copy_gbs(void)
{
   struct areas areas = {malloc(copy_bytes), malloc(copy_bytes)};
   if (!areas.from || !areas.to)
      client_die("no memory");
   memset(areas.from, 1, copy_bytes);
   struct team team = team_of_all(copy_slice, &areas);
   const double seconds = bench_median(0.3, team_run, &team);
   free(areas.from);
   free(areas.to);
   return 2.0 * (double)copy_bytes / seconds * 1e-9;
}
