/* SPDX-License-Identifier: MIT
 * util/cpu.h: plausible values, and what the environment overrides. */
#include "util/cpu.h"

#include "tests/test.h"
#include "util/macros.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Values are computed once a process: each environment gets a child. */
static bool in_child(const char *name, const char *value, bool (*check)(void))
{
   const pid_t pid = fork();
   if (pid == 0) {
      setenv(name, value, 1);
      _exit(check() ? 0 : 1);
   }
   int status = 1;
   return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* How many lines are written to stderr meanwhile. */
static uint32_t lines_of(void (*say)(void))
{
   char text[1024];
   int fds[2];
   if (pipe(fds))
      return UINT32_MAX;
   const int old = dup(STDERR_FILENO);
   dup2(fds[1], STDERR_FILENO);
   close(fds[1]);
   say();
   dup2(old, STDERR_FILENO);
   close(old);
   const ssize_t length = read(fds[0], text, sizeof(text));
   close(fds[0]);
   uint32_t count = 0;
   for (ssize_t i = 0; i < length; i++)
      count += text[i] == '\n';
   return count;
}

static void look(void)
{
   util_cpu_level();
   util_cpu_threads();
}

static bool is_silent(void)
{
   return lines_of(look) == 0;
}

static bool is_said_once(void)
{
   return lines_of(look) == 1;
}

static bool is_silent_or_lower(void)
{
   const uint32_t count = lines_of(look);
   return count == (util_cpu_level() < UTIL_CPU_V4);
}

static bool is_inline(void)
{
   return util_cpu_threads() == 0;
}

static bool has_one_thread(void)
{
   return util_cpu_threads() == 1;
}

static bool has_99_threads(void)
{
   return util_cpu_threads() == 99;
}

static bool has_1024_threads(void)
{
   return util_cpu_threads() == 1024;
}

static bool has_a_thread(void)
{
   return util_cpu_threads() >= 1;
}

static bool is_v1(void)
{
   return util_cpu_level() == UTIL_CPU_V1 && util_cpu_lanes() == 4;
}

static bool is_v4_or_less(void)
{
   return util_cpu_level() <= UTIL_CPU_V4;
}

static bool has_32_lanes(void)
{
   return util_cpu_lanes() == 32 && util_cpu_max_lanes() == 32;
}

static bool has_16_lanes(void)
{
   return util_cpu_lanes() == 16 && util_cpu_max_lanes() == 16;
}

static bool has_one_register(void)
{
   return util_cpu_max_lanes() == util_cpu_lanes();
}

static bool has_two_of_eight(void)
{
   return util_cpu_lanes() < 8 || util_cpu_max_lanes() == 2 * util_cpu_lanes();
}

TEST(environment)
{
   CHECK(in_child("VK_SWRAST_THREADS", "0", is_inline));
   CHECK(in_child("VK_SWRAST_THREADS", "1", has_one_thread));
   CHECK(in_child("VK_SWRAST_THREADS", "99", has_99_threads));
   CHECK(in_child("VK_SWRAST_THREADS", "5000", has_1024_threads));
   CHECK(in_child("VK_SWRAST_THREADS", "", has_a_thread));
   CHECK(in_child("VK_SWRAST_THREADS", "many", has_a_thread));
   CHECK(in_child("VK_SWRAST_CPU", "v1", is_v1));
   CHECK(in_child("VK_SWRAST_CPU", "v4", is_v4_or_less));
   CHECK(in_child("VK_SWRAST_LANES", "32", has_32_lanes));
   CHECK(in_child("VK_SWRAST_LANES", "16", has_16_lanes));
   CHECK(in_child("VK_SWRAST_CPU", "v1", has_one_register));
   CHECK(in_child("VK_SWRAST_CPU", "v3", has_two_of_eight));
}

TEST(what_is_not_obeyed_is_said)
{
   static const char *const bad[][2] = {{"VK_SWRAST_THREADS", "5000"}, {"VK_SWRAST_THREADS", "many"}, {"VK_SWRAST_THREADS", "-1"},
                                        {"VK_SWRAST_LANES", "7"},      {"VK_SWRAST_LANES", "64"},     {"VK_SWRAST_CPU", "v5"},
                                        {"VK_SWRAST_CPU", "avx2"}};
   static const char *const good[][2] = {{"VK_SWRAST_THREADS", "1024"}, {"VK_SWRAST_THREADS", "0"}, {"VK_SWRAST_THREADS", ""}, {"VK_SWRAST_LANES", "8"},
                                         {"VK_SWRAST_LANES", ""},       {"VK_SWRAST_CPU", ""},      {"VK_SWRAST_CPU", "v1"}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(bad); i++)
      CHECK(in_child(bad[i][0], bad[i][1], is_said_once));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(good); i++)
      CHECK(in_child(good[i][0], good[i][1], is_silent));
   CHECK(in_child("VK_SWRAST_CPU", "v4", is_silent_or_lower));
}

TEST(machine)
{
   CHECK(util_cpu_level() >= UTIL_CPU_V1 && util_cpu_level() <= UTIL_CPU_V4_FP16);
   CHECK(util_cpu_lanes() >= 4 && util_cpu_lanes() <= 32);
   CHECK(util_cpu_memory_bytes() >= 1 << 24);
   const char *name = util_cpu_name();
   CHECK(*name != '\0' && *name != ' ' && name[strlen(name) - 1] != ' ');
}

TEST_MAIN
