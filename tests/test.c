/* SPDX-License-Identifier: MIT
 * The test harness's runner. */
#include "tests/test.h"

#include <sys/time.h>

struct test_case *test_cases;
int test_failures_in_case;

void test_register(struct test_case *test)
{
   struct test_case **last = &test_cases;
   while (*last)
      last = &(*last)->next;
   *last = test;
}

void test_fail(const char *file, int line, const char *text)
{
   if (test_failures_in_case++ < 10)
      fprintf(stderr, "%s:%d: %s\n", file, line, text);
}

int test_run_all(int argc, char **argv)
{
   const char *wanted = argc > 1 ? argv[1] : "";
   int passed = 0, failed = 0;

   for (struct test_case *test = test_cases; test; test = test->next) {
      if (!strstr(test->name, wanted))
         continue;
      test_failures_in_case = 0;
      test->run();
      if (test_failures_in_case) {
         failed++;
         printf("FAIL %s\n", test->name);
      } else {
         passed++;
      }
   }
   printf("%d passed, %d failed\n", passed, failed);
   return failed != 0 || passed == 0;
}

void test_limit_time(unsigned seconds)
{
   const struct itimerval limit = {{0, 0}, {seconds, 0}};
   setitimer(ITIMER_PROF, &limit, NULL);
}
