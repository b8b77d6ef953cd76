/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench.h"

#include <stdlib.h>
#include <time.h>

const char bench_cpu_variable[] = "VK_SWRAST_BENCH_CPU";

static int compare_doubles(const void *a, const void *b)
{
   const double x = *(const double *)a, y = *(const double *)b;
   return (x > y) - (x < y);
}

double bench_middle(double *values, uint32_t count)
{
   qsort(values, count, sizeof(*values), compare_doubles);
   return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double clock_s(bool is_cpu)
{
   struct timespec t;
   if (clock_gettime(is_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t))
      client_die("no clock");
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double bench_median(double seconds, void (*body)(void *data), void *data)
{
   enum { MAX = 4096 };
   static double times[MAX];
   uint32_t count = 0;
   const bool is_cpu = getenv(bench_cpu_variable) != NULL;

   body(data);
   const double end = client_now_s() + seconds;
   while (count < 5 || (count < MAX && client_now_s() < end)) {
      const double begin = clock_s(is_cpu);
      body(data);
      times[count++] = clock_s(is_cpu) - begin;
   }
   return bench_middle(times, count);
}
