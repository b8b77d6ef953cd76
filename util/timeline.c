/* SPDX-License-Identifier: MIT */
#include "util/timeline.h"

#include "util/debug.h"
#include "util/outside.h"
#include "util/thread.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;        /* written in `once`, used under lock; NULL: there is no timeline */
static uint64_t first_ns; /* written in `once`: times count from here */

static void open_file(void)
{
   const char *path = util_env("VK_SWRAST_TIMELINE");
   if (!path || !*path)
      return;
   first_ns = util_now_ns();
   file = util_create_private(path);
   if (!file || fputs("[\n", file) == EOF || fflush(file) != 0)
      util_log("VK_SWRAST_TIMELINE: %s cannot be written", path);
}

uint64_t util_timeline_begin(void)
{
   pthread_once(&once, open_file);
   return file ? util_now_ns() : 0;
}

static void put_text(const char *text)
{
   for (; *text; text++) {
      if (*text == '"' || *text == '\\')
         fputc('\\', file);
      fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
   }
}

/* Each event is in the file when this returns: programs end in many states. */
void util_timeline_end(uint64_t begin_ns, const char *category, const char *name)
{
   if (!begin_ns)
      return;
   const uint64_t end_ns = util_now_ns();
   pthread_mutex_lock(&lock);
   fputs("{\"ph\":\"X\",\"name\":\"", file);
   put_text(name);
   fprintf(file, "\",\"cat\":\"%s\",\"ts\":%.3f,\"dur\":%.3f,\"pid\":%ld,\"tid\":%ld},\n", category, (double)(begin_ns - first_ns) * 1e-3,
           (double)(end_ns - begin_ns) * 1e-3, (long)getpid(), (long)syscall(SYS_gettid));
   fflush(file);
   pthread_mutex_unlock(&lock);
}
