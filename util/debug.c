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
   {"cmd", UTIL_DEBUG_CMD, "print the command stream as it is executed"},
   {"validate", UTIL_DEBUG_VALIDATE, "print validation messages"},
   {"nocache", UTIL_DEBUG_NOCACHE, "neither read nor write the cache on disk"},
   {"poison", UTIL_DEBUG_POISON, "fill fresh device memory with 0xcd"},
   {"check", UTIL_DEBUG_CHECK, "validate the IR after each pass"},
   {"noopt", UTIL_DEBUG_NOOPT, "skip optional passes"},
   {"verbose", UTIL_DEBUG_VERBOSE, "warnings and errors on stderr"},
   {"perf", UTIL_DEBUG_PERF, "write /tmp/perf-PID.map for perf"},
   {"scale", UTIL_DEBUG_SCALE, "count what limits many threads, print it when a device is destroyed"},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint32_t flags; /* written in `once` only */

static void print_help(void)
{
   util_log("VK_SWRAST_DEBUG is a list of these, separated by commas:");
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(switches); i++)
      util_log("  %-10s %s", switches[i].name, switches[i].help);
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
   /* Whoever sets the variable reads stderr. */
   util_log("VK_SWRAST_DEBUG: no switch \"%.*s\"; \"help\" lists them", (int)length, name);
}

static void parse(void)
{
   const char *text = util_env("VK_SWRAST_DEBUG");
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
   pthread_once(&once, parse);
   return (flags & (uint32_t)flag) != 0;
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
