/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG: the table of switches and its parser. */
#include "util/debug.h"
#include "util/outside.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
   const char *name;
   enum util_debug flag;
   const char *help;
} switches[] = {
   {"spirv", UTIL_DEBUG_SPIRV, "disassemble each SPIR-V module"},
   {"ir", UTIL_DEBUG_IR, "print the IR after the front end and after the last pass"},
   {"passes", UTIL_DEBUG_PASSES, "print the IR after each pass that changed it"},
   {"llvm", UTIL_DEBUG_LLVM, "print the LLVM IR"},
   {"asm", UTIL_DEBUG_ASM, "print the machine code as assembly"},
   {"time", UTIL_DEBUG_TIME, "report how long compiles and their passes take"},
   {"cmd", UTIL_DEBUG_CMD, "print the command stream as it is executed, with labels and the scopes of barriers"},
   {"validate", UTIL_DEBUG_VALIDATE, "print validation messages"},
   {"nocache", UTIL_DEBUG_NOCACHE, "neither read nor write the cache on disk"},
   {"poison", UTIL_DEBUG_POISON, "fill fresh device memory with 0xcd"},
   {"check", UTIL_DEBUG_CHECK, "validate the IR after each pass"},
   {"noopt", UTIL_DEBUG_NOOPT, "skip optional passes"},
   {"calls", UTIL_DEBUG_CALLS, "call functions of shaders that are inlined otherwise, where that can be"},
   {"verbose", UTIL_DEBUG_VERBOSE, "warnings and errors on stderr"},
   {"perf", UTIL_DEBUG_PERF, "write /tmp/perf-PID.map for perf"},
   {"scale", UTIL_DEBUG_SCALE, "count what limits many threads, print it when a device is destroyed"},
   {"profile", UTIL_DEBUG_PROFILE, "time each command by itself, print a table by shader when the device is destroyed"},
   {"printf", UTIL_DEBUG_PRINTF, "print what shaders print (debugPrintfEXT), in the order of invocations"},
   {"sanitize", UTIL_DEBUG_SANITIZE, "all checks that follow: what is wrong with a shader, and where"},
   {"bounds", UTIL_DEBUG_BOUNDS, "report accesses past the end of buffers, images and arrays"},
   {"numbers", UTIL_DEBUG_NUMBERS, "report where NaN and infinity are made, and undefined integer arithmetic"},
   {"barrier", UTIL_DEBUG_BARRIER, "report barriers that not all invocations reach"},
   {"race", UTIL_DEBUG_RACE, "report accesses of two invocations without an order between them"},
   {"uninit", UTIL_DEBUG_UNINIT, "report values that nobody wrote and that decide something"},
   {"sync", UTIL_DEBUG_SYNC, "report accesses of two commands without a barrier between them"},
};

static const struct {
   const char *name;
   enum util_order order;
   const char *help;
} orders[] = {
   {"order=reverse", UTIL_ORDER_REVERSE, "run workgroups, their vectors and tiles backwards"},
   {"order=shuffle", UTIL_ORDER_SHUFFLE, "run workgroups and tiles in another order: order=shuffle:SEED"},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t flags; /* this and the next two: written in `once` only */
static enum util_order order;
static uint32_t order_seed;

static void print_help(void)
{
   util_log("VK_SWRAST_DEBUG is a list of these, separated by commas:");
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(switches); i++)
      util_log("  %-13s %s", switches[i].name, switches[i].help);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(orders); i++)
      util_log("  %-13s %s", orders[i].name, orders[i].help);
}

/* NAME or NAME:SEED */
static bool parse_order(const char *text, size_t length)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(orders); i++) {
      const size_t name_length = strlen(orders[i].name);
      if (length < name_length || memcmp(orders[i].name, text, name_length) != 0)
         continue;
      if (length > name_length && text[name_length] != ':')
         continue;
      order = orders[i].order;
      order_seed = length > name_length ? (uint32_t)strtoul(text + name_length + 1, NULL, 0) : 1;
      return true;
   }
   return false;
}

static void parse_one(const char *name, size_t length)
{
   if (length == strlen("help") && memcmp(name, "help", length) == 0) {
      print_help();
      return;
   }
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(switches); i++) {
      if (strlen(switches[i].name) == length && memcmp(switches[i].name, name, length) == 0) {
         flags |= switches[i].flag;
         return;
      }
   }
   if (parse_order(name, length))
      return;
   /* Whoever sets the variable reads stderr. */
   util_log("VK_SWRAST_DEBUG: no switch \"%.*s\"; \"help\" lists them", (int)length, name);
}

static void parse(void)
{
   const char *text = util_env("VK_SWRAST_DEBUG"), *trace = util_env("VK_SWRAST_TRACE");
   if (trace && *trace)
      flags |= UTIL_DEBUG_TRACE;
   if (!text)
      return;
   while (*text) {
      const size_t length = strcspn(text, ", ");
      if (length)
         parse_one(text, length);
      text += length + (text[length] != '\0');
   }
}

bool util_debug(enum util_debug flag)
{
   return util_debug_set((uint32_t)flag) != 0;
}

uint32_t util_debug_set(uint32_t mask)
{
   pthread_once(&once, parse);
   return flags & mask;
}

enum util_order util_debug_order(uint32_t *seed)
{
   pthread_once(&once, parse);
   if (seed)
      *seed = order_seed;
   return order;
}

void util_log(const char *format, ...)
{
   /* One write a line, so that lines of several threads do not mix. */
   char line[1024] = "vk_swrast: ";
   const size_t prefix = strlen(line), room = sizeof(line) - prefix - 1;
   va_list args;
   va_start(args, format);
   const int length = vsnprintf(line + prefix, room, format, args);
   va_end(args);
   if (length < 0)
      return;
   const size_t used = prefix + UTIL_MIN((size_t)length, room - 1);
   line[used] = '\n';
   fwrite(line, 1, used + 1, stderr);
}
