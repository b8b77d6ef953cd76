/* SPDX-License-Identifier: MIT */
#include "util/timeline.h"

#include "util/debug.h"
#include "util/outside.h"
#include "util/thread.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char list_end[] = "\n]\n";
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;        /* written in `once`, used under lock; NULL: there is no timeline */
static bool has_events;   /* used under lock */
static uint64_t first_ns; /* written in `once`: times count from here */

static void open_file(void)
{
   const char *path = util_env("VK_SWRAST_TIMELINE");
   if (!path || !*path)
      return;
   first_ns = util_now_ns();
   file = util_create_private(path);
   if (!file || fprintf(file, "[%s", list_end) < 0 || fflush(file) != 0)
      util_log("VK_SWRAST_TIMELINE: %s cannot be written", path);
}

uint64_t util_timeline_begin(void)
{
   pthread_once(&once, open_file);
   return file ? util_now_ns() : 0;
}

/* Bytes that are no ASCII may be anything but UTF-8. */
static void put_text(const char *text)
{
   for (; *text; text++) {
      if (*text == '"' || *text == '\\')
         fputc('\\', file);
      fputc((signed char)*text < ' ' ? ' ' : *text, file);
   }
}

/* Microseconds with three digits, whatever locale the program has set. */
static void put_time(const char *name, uint64_t ns)
{
   fprintf(file, ",\"%s\":%" PRIu64 ".%03u", name, ns / 1000, (unsigned)(ns % 1000));
}

/* In front of the line that ends the list. */
static void begin_event(void)
{
   fseek(file, -(long)strlen(list_end), SEEK_END);
   fputs(has_events ? ",\n{" : "\n{", file);
   has_events = true;
}

/* Each event is in the file, and the file whole, when this returns: programs end in many states. */
void util_timeline_end(uint64_t begin_ns, const char *category, const char *name)
{
   if (!begin_ns)
      return;
   const uint64_t end_ns = util_now_ns();
   pthread_mutex_lock(&lock);
   begin_event();
   fputs("\"ph\":\"X\",\"name\":\"", file);
   put_text(name);
   fprintf(file, "\",\"cat\":\"%s\"", category);
   put_time("ts", begin_ns - first_ns);
   put_time("dur", end_ns - begin_ns);
   fprintf(file, ",\"pid\":%ld,\"tid\":%ld}%s", (long)getpid(), (long)syscall(SYS_gettid), list_end);
   fflush(file);
   pthread_mutex_unlock(&lock);
}
