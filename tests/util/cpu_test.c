/* SPDX-License-Identifier: MIT
 * util/cpu.h: plausible values, and what the environment overrides. */
#include "util/cpu.h"

#include "tests/test.h"

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
   CHECK(in_child("VK_SWRAST_CPU", "v3", has_one_register));
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
