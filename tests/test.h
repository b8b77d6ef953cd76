/* SPDX-License-Identifier: MIT
 * The test harness: TEST(name) { CHECK(...); } in any number, one TEST_MAIN a program.
 * A program prints a line for each failed check and, last, "N passed, N failed"; it exits with 1 if any failed.
 * An argument runs only the tests whose name contains it. */
#pragma once

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct test_case {
   const char *name;
   void (*run)(void);
   struct test_case *next;
};

extern struct test_case *test_cases;
extern int test_failures_in_case;

void test_register(struct test_case *test);
void test_fail(const char *file, int line, const char *text);
int test_run_all(int argc, char **argv);
/* SIGPROF after so much processor time of this process, which a busy machine does not shorten; 0: no more. */
void test_limit_time(unsigned seconds);

#define TEST(id)                                                                                                       \
   static void test_##id(void);                                                                                        \
   static struct test_case test_case_##id = {#id, test_##id, NULL};                                                    \
   __attribute__((constructor)) static void test_register_##id(void)                                                   \
   {                                                                                                                   \
      test_register(&test_case_##id);                                                                                  \
   }                                                                                                                   \
   static void test_##id(void)

#define CHECK(condition)                                                                                               \
   do {                                                                                                                \
      if (!(condition))                                                                                                \
         test_fail(__FILE__, __LINE__, #condition);                                                                    \
   } while (0)

#define CHECK_EQ(a, b)                                                                                                 \
   do {                                                                                                                \
      const int64_t check_a_ = (int64_t)(a), check_b_ = (int64_t)(b);                                                  \
      if (check_a_ != check_b_) {                                                                                      \
         char check_text_[256];                                                                                        \
         snprintf(check_text_, sizeof(check_text_), "%s == %s: %" PRId64 " != %" PRId64, #a, #b, check_a_, check_b_);  \
         test_fail(__FILE__, __LINE__, check_text_);                                                                   \
      }                                                                                                                \
   } while (0)

#define CHECK_STR(a, b)                                                                                                \
   do {                                                                                                                \
      if (strcmp((a), (b)) != 0)                                                                                       \
         test_fail(__FILE__, __LINE__, #a " equals " #b);                                                              \
   } while (0)

#define TEST_MAIN                                                                                                      \
   int main(int argc, char **argv)                                                                                     \
   {                                                                                                                   \
      return test_run_all(argc, argv);                                                                                 \
   }

/* For a program whose first argument is not the name of a test but a path, which goes into `path`. */
#define TEST_MAIN_WITH(path)                                                                                           \
   int main(int argc, char **argv)                                                                                     \
   {                                                                                                                   \
      if (argc < 2)                                                                                                    \
         return 1;                                                                                                     \
      path = argv[1];                                                                                                  \
      return test_run_all(argc - 1, argv + 1);                                                                         \
   }
