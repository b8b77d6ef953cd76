/* SPDX-License-Identifier: MIT */
#include "tests/instrument/quiet.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int own = -1, kept = -1; /* descriptors: of stderr, and what stands in for it */
static char text[4096];

static void check(int result)
{
   if (result >= 0)
      return;
   perror("stderr");
   exit(1);
}

/* Somebody has asked for more than findings to be printed. */
static bool is_loud(void)
{
   const char *switches = getenv("VK_SWRAST_DEBUG");
   return (switches && (strstr(switches, "cmd") || strstr(switches, "profile"))) || getenv("VK_SWRAST_TRACE") ||
          getenv("VK_SWRAST_SHADER_REPLACE") || getenv("VK_SWRAST_SHADER_DUMP");
}

void quiet_begin(void)
{
   if (is_loud())
      return;
   fflush(stderr);
   check(own = dup(STDERR_FILENO));
   check(kept = memfd_create("stderr", MFD_CLOEXEC));
   check(dup2(kept, STDERR_FILENO));
}

const char *quiet_end(void)
{
   if (is_loud())
      return "";
   fflush(stderr);
   check(dup2(own, STDERR_FILENO));
   const ssize_t length = pread(kept, text, sizeof(text) - 1, 0);
   check((int)length);
   text[length] = 0;
   fputs(text, stderr);
   close(own);
   close(kept);
   return text;
}
