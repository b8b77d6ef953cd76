/* SPDX-License-Identifier: MIT
 * To be preloaded: a disk on which making, writing and renaming a file takes SLOW_DISK_MS milliseconds each. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static void delay(void)
{
   const char *text = getenv("SLOW_DISK_MS");
   const long ms = text ? strtol(text, NULL, 10) : 0;
   nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

#define EXPORT __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&name))(size_t)dlsym(RTLD_NEXT, #name))

EXPORT int openat64(int directory, const char *path, int flags, ...)
{
   va_list arguments;
   va_start(arguments, flags);
   const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
   va_end(arguments);
   if (flags & O_CREAT)
      delay();
   return NEXT(openat64)(directory, path, flags, mode);
}

EXPORT ssize_t write(int fd, const void *data, size_t size)
{
   struct stat st;
   if (!fstat(fd, &st) && S_ISREG(st.st_mode))
      delay();
   return NEXT(write)(fd, data, size);
}

EXPORT int renameat(int from, const char *before, int to, const char *after)
{
   delay();
   return NEXT(renameat)(from, before, to, after);
}
