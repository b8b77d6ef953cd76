/* SPDX-License-Identifier: MIT
 * What the machine offers: instruction set level, vector width, processors, memory. */
#include "util/cpu.h"

#include "util/cgroup.h"
#include "util/debug.h"
#include "util/env.h"
#include "util/macros.h"
#include "util/outside.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __x86_64__
#include <cpuid.h>
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <stdio.h>
#include <sys/auxv.h>
#endif

#define MAX_THREADS 1024

/* Each group is computed at its first use: reading the cgroups costs more than all the rest. */
static pthread_once_t core_once = PTHREAD_ONCE_INIT, limits_once = PTHREAD_ONCE_INIT;
static enum util_cpu_level own_level, cpu_level;
static bool has_fast_gathers;
static uint32_t lanes, max_lanes;
static char cpu_name[49];
static uint32_t threads;
static uint64_t memory_bytes;

/* `level`, lowered by the environment. A higher one than the machine's would make a test of it one of another. */
static enum util_cpu_level environment_level(enum util_cpu_level level)
{
   const char *text = util_env("VK_SWRAST_CPU");
   if (!text || !*text)
      return level;
   if (text[0] != 'v' || text[1] < '1' || text[1] > '4' || text[2] != '\0') {
      util_log("VK_SWRAST_CPU=%s: not one of v1 to v4, so it counts as unset", text);
      return level;
   }
   const enum util_cpu_level wanted = (enum util_cpu_level)(text[1] - '0');
   if (wanted > level)
      util_log("VK_SWRAST_CPU=%s: this machine has no more than v%d", text, level);
   return UTIL_MIN(wanted, level);
}

/* Lanes a vector as the environment says; 0: it does not. */
static uint32_t environment_lanes(void)
{
   const uint64_t wanted = util_env_number("VK_SWRAST_LANES", 32, 0);
   if (wanted == 0 || wanted == 4 || wanted == 8 || wanted == 16 || wanted == 32)
      return (uint32_t)wanted;
   util_log("VK_SWRAST_LANES=%" PRIu64 ": not one of 4, 8, 16 and 32, so it counts as unset", wanted);
   return 0;
}

static enum util_cpu_level detect_level(void)
{
#ifdef __x86_64__
   __builtin_cpu_init();
   if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt"))
      return UTIL_CPU_V1;
   if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi") ||
       !__builtin_cpu_supports("bmi2"))
      return UTIL_CPU_V2;
   /* gcc 12 does not know this one by name. The bits above already say that the system keeps the registers. */
   unsigned eax, ebx, ecx, edx;
   if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx) || !(ecx & bit_F16C))
      return UTIL_CPU_V2;
   if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
       !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
       !__builtin_cpu_supports("avx512vl"))
      return UTIL_CPU_V3;
   enum { HAS_FP16 = 1 << 23, HAS_VNNI = 1 << 11 }; /* not by name either */
   if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) || !(ecx & HAS_VNNI))
      return UTIL_CPU_V4;
   return edx & HAS_FP16 ? UTIL_CPU_V4_FP16 : UTIL_CPU_V4_VNNI;
#elif defined(__aarch64__)
   return UTIL_CPU_V3;
#else
   return UTIL_CPU_V1;
#endif
}

/* `level`: the machine's own. */
static bool detect_fast_gathers(enum util_cpu_level level)
{
#ifdef __x86_64__
   enum { HAS_AVX_VNNI = 1 << 4 }; /* not by name either: Alder Lake, Sapphire Rapids and what follows */
   unsigned eax, ebx, ecx, edx;
   return level >= UTIL_CPU_V3 && __builtin_cpu_is("intel") && __get_cpuid_count(7, 1, &eax, &ebx, &ecx, &edx) && eax & HAS_AVX_VNNI;
#else
   return false;
#endif
}

uint32_t util_cpu_register_lanes(enum util_cpu_level level)
{
#ifdef __aarch64__
   return 4;
#else
   return level >= UTIL_CPU_V4 ? 16 : level >= UTIL_CPU_V3 ? 8 : 4;
#endif
}

bool util_cpu_has_common_clock(void)
{
#ifdef __x86_64__
   enum { INVARIANT_TSC = 1 << 8 };
   unsigned eax, ebx, ecx, edx;
   return __get_cpuid(0x80000007, &eax, &ebx, &ecx, &edx) && edx & INVARIANT_TSC;
#elif defined(__aarch64__)
   return true; /* the architecture's generic timer is the system's */
#else
   return false;
#endif
}

#ifdef __aarch64__
/* From the register that names a core, which the system lets programs read. Source: the cores' technical reference manuals, "MIDR_EL1". */
static void detect_name(void)
{
   static const struct {
      uint32_t implementer, part;
      const char *name;
   } cores[] = {
      {0x41, 0xd03, "Arm Cortex-A53"},   {0x41, 0xd08, "Arm Cortex-A72"},   {0x41, 0xd0b, "Arm Cortex-A76"},
      {0x41, 0xd0c, "Arm Neoverse-N1"},  {0x41, 0xd40, "Arm Neoverse-V1"},  {0x41, 0xd49, "Arm Neoverse-N2"},
      {0x41, 0xd4f, "Arm Neoverse-V2"},  {0x41, 0xd84, "Arm Neoverse-V3"},  {0x41, 0xd8e, "Arm Neoverse-N3"},
      {0x61, 0x022, "Apple M1"},         {0x61, 0x023, "Apple M1"},         {0xc0, 0xac3, "Ampere-1"},
   };
   uint64_t midr = 0;
   if (getauxval(AT_HWCAP) & HWCAP_CPUID)
      __asm__("mrs %0, midr_el1" : "=r"(midr));
   const uint32_t implementer = midr >> 24 & 0xff, part = midr >> 4 & 0xfff;
   snprintf(cpu_name, sizeof(cpu_name), "AArch64 CPU %02x:%03x", implementer, part);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cores); i++) {
      if (cores[i].implementer == implementer && cores[i].part == part)
         snprintf(cpu_name, sizeof(cpu_name), "%s", cores[i].name);
   }
}
#else
static void detect_name(void)
{
   strcpy(cpu_name, "unknown CPU");
#ifdef __x86_64__
   unsigned words[12];
   if ((unsigned)__get_cpuid_max(0x80000000, NULL) < 0x80000004)
      return;
   for (unsigned i = 0; i < 3; i++)
      __cpuid(0x80000002 + i, words[i * 4], words[i * 4 + 1], words[i * 4 + 2], words[i * 4 + 3]);
   char brand[sizeof(words) + 1] = {0};
   memcpy(brand, words, sizeof(words));

   /* Vendors pad in front, behind and between. */
   size_t length = 0;
   for (const char *c = brand; *c; c++) {
      if (*c != ' ' || (length > 0 && cpu_name[length - 1] != ' '))
         cpu_name[length++] = *c;
   }
   while (length > 0 && cpu_name[length - 1] == ' ')
      length--;
   if (length)
      cpu_name[length] = '\0';
   else
      strcpy(cpu_name, "unknown CPU");
#endif
}
#endif

static void detect_core(void)
{
   own_level = detect_level();
   cpu_level = environment_level(own_level);
   has_fast_gathers = detect_fast_gathers(own_level);
   const uint32_t of_register = util_cpu_register_lanes(cpu_level), wanted = environment_lanes();
   lanes = wanted ? wanted : of_register;
   max_lanes = wanted ? wanted : of_register >= 8 ? 2 * of_register : of_register;
   detect_name();
}

/* Processors in the affinity mask; the mask may be larger than cpu_set_t. */
static uint32_t affinity_count(void)
{
   for (int cpus = CPU_SETSIZE; cpus <= 1 << 18; cpus *= 2) {
      cpu_set_t *set = CPU_ALLOC(cpus);
      if (!set)
         break;
      const size_t size = CPU_ALLOC_SIZE(cpus);
      const int count = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
      CPU_FREE(set);
      if (count > 0)
         return (uint32_t)count;
   }
   const long online = sysconf(_SC_NPROCESSORS_ONLN);
   return online > 0 ? (uint32_t)online : 1;
}

static void detect_limits(void)
{
   const struct util_cgroup_limits cgroup = util_cgroup_read("");

   threads = UTIL_MIN(affinity_count(), MAX_THREADS);
   threads = UTIL_MIN(threads, UTIL_MAX(cgroup.cpus, 1));
   threads = (uint32_t)util_env_number("VK_SWRAST_THREADS", MAX_THREADS, threads);

   const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
   memory_bytes = pages > 0 && page_bytes > 0 ? (uint64_t)pages * (uint64_t)page_bytes : UINT64_C(1) << 30;
   memory_bytes = UTIL_MIN(memory_bytes, cgroup.memory_bytes);
}

enum util_cpu_level util_cpu_level(void)
{
   pthread_once(&core_once, detect_core);
   return cpu_level;
}

enum util_cpu_level util_cpu_own_level(void)
{
   pthread_once(&core_once, detect_core);
   return own_level;
}

bool util_cpu_has_fast_gathers(void)
{
   pthread_once(&core_once, detect_core);
   return has_fast_gathers;
}

uint32_t util_cpu_lanes(void)
{
   pthread_once(&core_once, detect_core);
   return lanes;
}

uint32_t util_cpu_max_lanes(void)
{
   pthread_once(&core_once, detect_core);
   return max_lanes;
}

const char *util_cpu_name(void)
{
   pthread_once(&core_once, detect_core);
   return cpu_name;
}

uint32_t util_cpu_threads(void)
{
   pthread_once(&limits_once, detect_limits);
   return threads;
}

uint64_t util_cpu_memory_bytes(void)
{
   pthread_once(&limits_once, detect_limits);
   return memory_bytes;
}

uint64_t util_float_enter(void)
{
#ifdef __x86_64__
   enum { ALL_MASKED = 0x1f80 };
   const uint32_t state = _mm_getcsr();
   _mm_setcsr(ALL_MASKED);
   return state;
#elif defined(__aarch64__)
   uint64_t state;
   __asm__ volatile("mrs %0, fpcr\n\tmsr fpcr, xzr" : "=&r"(state));
   return state;
#else
   return 0;
#endif
}

void util_float_leave(uint64_t state)
{
#ifdef __x86_64__
   _mm_setcsr((uint32_t)state);
#elif defined(__aarch64__)
   __asm__ volatile("msr fpcr, %0" : : "r"(state));
#else
   (void)state;
#endif
}
