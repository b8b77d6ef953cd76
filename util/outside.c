/* SPDX-License-Identifier: MIT */
#include "util/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *util_env(const char *name)
{
   return secure_getenv(name);
}

/* `mode`: O_APPEND or 0. */
static int create(const char *path, int mode)
{
   return open(path, mode | O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static FILE *open_stream(int fd, const char *mode)
{
   FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
   if (!file && fd >= 0)
      close(fd);
   return file;
}

FILE *util_create_private(const char *path)
{
   int fd = create(path, 0);
   if (fd < 0 && errno == EEXIST && unlink(path) == 0)
      fd = create(path, 0);
   return open_stream(fd, "w");
}

/* A pipe must not make us wait for its reader, a link not lead elsewhere. */
static int open_own(const char *path)
{
   const int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   struct stat st;
   if (fd < 0)
      return -1;
   if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 && !(st.st_mode & 022))
      return fd;
   close(fd);
   errno = EPERM;
   return -1;
}

FILE *util_append_private(const char *path)
{
   int fd = create(path, O_APPEND);
   if (fd < 0 && errno == EEXIST)
      fd = open_own(path);
   return open_stream(fd, "a");
}
