/* SPDX-License-Identifier: MIT */
#include "icd/cache/secret.h"

#include "icd/cache/folder.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_once_t secret_once = PTHREAD_ONCE_INIT;
/* Written by find_secret() only. */
static struct util_secret secret;
static bool is_known, is_shared;

static bool fill_random(struct util_secret *out)
{
   return getrandom(out->bytes, sizeof(out->bytes), GRND_NONBLOCK) == sizeof(out->bytes);
}

/* False unless the file is whole and nobody else can have read or written it. */
static bool read_key(int directory, struct util_secret *out)
{
   const int fd = openat(directory, "key", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   struct stat st;
   if (fd < 0)
      return false;
   const bool is_ours = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && !(st.st_mode & 077) &&
                        st.st_size == sizeof(out->bytes);
   const bool is_read = is_ours && read(fd, out->bytes, sizeof(out->bytes)) == sizeof(out->bytes);
   close(fd);
   return is_read;
}

/* Under another name first, so that the file appears whole; of several processes one makes it. */
static void make_key(int directory)
{
   struct util_secret fresh;
   char name[32];
   snprintf(name, sizeof(name), "key.%ld", (long)getpid());
   if (!icd_cache_may_write(sizeof(fresh)) || !fill_random(&fresh))
      return;
   unlinkat(directory, name, 0); /* of a process of this number that did not end well */
   const int fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
   if (fd < 0)
      return;
   const bool is_written = write(fd, fresh.bytes, sizeof(fresh.bytes)) == sizeof(fresh.bytes);
   if (!close(fd) && is_written)
      (void)!linkat(directory, name, directory, "key", 0);
   unlinkat(directory, name, 0);
}

static void find_secret(void)
{
   const int directory = icd_cache_folder();
   if (directory >= 0) {
      is_shared = read_key(directory, &secret);
      if (!is_shared && faccessat(directory, "key", F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
         make_key(directory);
         is_shared = read_key(directory, &secret);
      }
   }
   is_known = is_shared || fill_random(&secret);
}

bool icd_secret_is_shared(void)
{
   pthread_once(&secret_once, find_secret);
   return is_shared;
}

bool icd_secret_tag(struct util_hash key, const void *data, size_t size, struct util_hash *tag)
{
   pthread_once(&secret_once, find_secret);
   if (is_known)
      *tag = util_hash_keyed(&secret, key, data, size);
   return is_known;
}
