/* SPDX-License-Identifier: MIT */
#include "icd/cache/folder.h"

#include "util/debug.h"
#include "util/outside.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_once_t folder_once = PTHREAD_ONCE_INIT;
static int folder = -1; /* written by find_folder() only */

/* Makes the folders of `path` that are missing, for this user alone. */
static void make_folders(char *path)
{
   for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
      *slash = '\0';
      mkdir(path, 0700);
      *slash = '/';
   }
   mkdir(path, 0700);
}

/* Opens `path` and makes it where it is missing; -1 unless it is a directory of this user's alone. */
static int open_folder(char *path)
{
   make_folders(path);
   const int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
   struct stat st;
   if (fd >= 0 && (fstat(fd, &st) || st.st_uid != geteuid() || (st.st_mode & 077))) {
      close(fd);
      return -1;
   }
   return fd;
}

static void find_folder(void)
{
   char path[4096];
   const char *own = util_env("VK_SWRAST_CACHE_DIR"), *xdg = util_env("XDG_CACHE_HOME"), *home = util_env("HOME");
   int length = -1;

   if (util_debug(UTIL_DEBUG_NOCACHE))
      return;
   if (own && *own) {
      length = snprintf(path, sizeof(path), "%s", own);
   } else if (xdg && *xdg == '/') { /* others do not count: XDG Base Directory Specification */
      length = snprintf(path, sizeof(path), "%s/vk_swrast", xdg);
   } else if (home && *home) {
      length = snprintf(path, sizeof(path), "%s/.cache/vk_swrast", home);
   }
   if (length > 0 && (size_t)length < sizeof(path))
      folder = open_folder(path);
}

int icd_cache_folder(void)
{
   pthread_once(&folder_once, find_folder);
   return folder;
}

bool icd_cache_may_write(size_t size)
{
   struct rlimit limit;
   return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size + ICD_CACHE_MAX_FILE_BYTES;
}
