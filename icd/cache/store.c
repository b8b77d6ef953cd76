/* SPDX-License-Identifier: MIT */
#include "icd/cache/store.h"

#include "icd/cache/folder.h"
#include "icd/cache/secret.h"
#include "icd/cache/writer.h"
#include "util/alloc.h"
#include "util/env.h"
#include "util/thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STORE_DEFAULT_LIMIT_MB = 256, STORE_MAX_ENTRY_BYTES = ICD_CACHE_MAX_FILE_BYTES, STORE_BLOCK = 4096, STORE_TRIM_EVERY = 64 };
enum { STORE_NAME_BYTES = 72 };
/* What an entry may take, also on a busy machine, and how much longer all may together: then the disk is slower than the compiler. */
#define STORE_ENTRY_NS INT64_C(10000000)
#define STORE_PATIENCE_NS INT64_C(2000000000)

static pthread_once_t store_once = PTHREAD_ONCE_INIT;
static int store_dir = -1; /* icd_cache_folder() */
static uint64_t store_limit_bytes;
/* How much is stored, for all processes without looking at every file: a file that grows by a byte for each block. What it holds means
 * nothing, so that appending is all that a writer does. -1: cannot be had. */
static int store_ledger = -1;
static pthread_mutex_t store_trim_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t store_writes; /* under store_trim_lock */
static _Atomic int64_t store_waited_ns; /* beyond STORE_ENTRY_NS an entry; entries that take less make up for others */
static _Atomic bool store_is_slow;      /* and is left alone from now on */

static void store_init(void)
{
   struct stat st;
   store_limit_bytes = UTIL_MAX(util_env_number("VK_SWRAST_CACHE_MB", 1 << 20, STORE_DEFAULT_LIMIT_MB), 1) << 20;
   store_dir = icd_cache_folder();
   if (store_dir < 0)
      return;
   store_ledger = openat(store_dir, "ledger", O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
   if (store_ledger >= 0 && (fstat(store_ledger, &st) || !S_ISREG(st.st_mode))) {
      close(store_ledger);
      store_ledger = -1;
   }
}

/* Without the user's secret nothing on the disk can be believed. */
static bool is_usable(void)
{
   pthread_once(&store_once, store_init);
   return store_dir >= 0 && icd_secret_is_shared() && !store_is_slow;
}

static void be_patient(uint64_t begin_ns)
{
   const int64_t excess_ns = (int64_t)(util_now_ns() - begin_ns) - STORE_ENTRY_NS;
   const int64_t waited_ns = atomic_fetch_add(&store_waited_ns, excess_ns) + excess_ns;
   if (waited_ns > STORE_PATIENCE_NS)
      store_is_slow = true;
   else if (waited_ns < 0)
      atomic_store(&store_waited_ns, 0);
}

static void store_name(struct util_hash key, char name[STORE_NAME_BYTES])
{
   snprintf(name, STORE_NAME_BYTES, "%016llx%016llx%016llx%016llx", (unsigned long long)key.more[1], (unsigned long long)key.more[0],
            (unsigned long long)key.hi, (unsigned long long)key.lo);
}

static bool read_all(int fd, void *data, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = read(fd, (char *)data + done, size - done);
      if (n <= 0)
         return false;
      done += (size_t)n;
   }
   return true;
}

static void *read_entry(int fd, struct util_hash key, size_t *size)
{
   struct stat st;
   struct util_hash tag, right;
   if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= (off_t)sizeof(tag) || st.st_size > STORE_MAX_ENTRY_BYTES)
      return NULL;
   *size = (size_t)st.st_size - sizeof(tag);
   void *data = util_malloc(*size);
   const struct iovec parts[] = {{&tag, sizeof(tag)}, {data, *size}};
   const ssize_t num_read = data ? readv(fd, parts, UTIL_ARRAY_SIZE(parts)) : -1;
   const size_t done = num_read > (ssize_t)sizeof(tag) ? (size_t)num_read - sizeof(tag) : 0; /* less: a file that is cut off meanwhile */
   if (done && read_all(fd, (char *)data + done, *size - done) && icd_secret_tag(key, data, *size, &right) && util_hash_equal(tag, right))
      return data;
   util_mfree(data);
   return NULL;
}

void *icd_store_read(struct util_hash key, size_t *size)
{
   *size = 0;
   if (!is_usable())
      return NULL;
   void *waiting = icd_writer_find(key, size);
   if (waiting)
      return waiting;
   const uint64_t begin_ns = util_now_ns();
   char name[STORE_NAME_BYTES];
   store_name(key, name);
   const int fd = openat(store_dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
   void *data = fd < 0 ? NULL : read_entry(fd, key, size);
   if (fd >= 0)
      close(fd);
   be_patient(begin_ns);
   return data;
}

struct store_file {
   char name[STORE_NAME_BYTES];
   uint64_t size;
   struct timespec time;
};

static int older_first(const void *a, const void *b)
{
   const struct store_file *x = a, *y = b;
   if (x->time.tv_sec != y->time.tv_sec)
      return x->time.tv_sec < y->time.tv_sec ? -1 : 1;
   return (x->time.tv_nsec > y->time.tv_nsec) - (x->time.tv_nsec < y->time.tv_nsec);
}

/* Lists the entries; the array is to be freed. Files that are not ours are left alone. */
static struct store_file *store_list(size_t *count, uint64_t *total)
{
   struct store_file *files = NULL;
   size_t capacity = 0;
   *count = *total = 0;
   const int fd = openat(store_dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
   DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
   if (!dir) {
      if (fd >= 0)
         close(fd);
      return NULL;
   }
   for (struct dirent *entry; (entry = readdir(dir));) {
      struct stat st;
      if (strspn(entry->d_name, "0123456789abcdef.") != strlen(entry->d_name) || strlen(entry->d_name) < 32 ||
          strlen(entry->d_name) >= sizeof(files->name) || fstatat(store_dir, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
         continue;
      if (*count == capacity) {
         capacity = capacity ? capacity * 2 : 256;
         struct store_file *grown = util_realloc(files, capacity * sizeof(*files));
         if (!grown)
            break;
         files = grown;
      }
      struct store_file *file = &files[(*count)++];
      snprintf(file->name, sizeof(file->name), "%s", entry->d_name);
      file->size = (uint64_t)st.st_blocks * 512;
      file->time = st.st_mtim;
      *total += file->size;
   }
   closedir(dir);
   return files;
}

static uint64_t store_blocks(uint64_t bytes)
{
   return (bytes + STORE_BLOCK - 1) / STORE_BLOCK;
}

/* Removes the oldest entries until three quarters of the limit are left, if the limit is exceeded; the ledger is right afterwards. */
static void store_trim(void)
{
   size_t count;
   uint64_t total;
   struct store_file *files = store_list(&count, &total);
   if (files && total > store_limit_bytes) {
      qsort(files, count, sizeof(*files), older_first);
      for (size_t i = 0; i < count && total > store_limit_bytes / 4 * 3; i++) {
         if (!unlinkat(store_dir, files[i].name, 0))
            total -= files[i].size;
      }
   }
   util_mfree(files);
   if (store_ledger >= 0 && ftruncate(store_ledger, (off_t)store_blocks(total))) {
      close(store_ledger);
      store_ledger = -1;
   }
}

/* Enters an entry of `size` bytes; true if it is time to look at the files. */
static bool store_enter(size_t size)
{
   static const char bytes[STORE_MAX_ENTRY_BYTES / STORE_BLOCK];
   const uint64_t count = store_blocks(size);
   struct stat st;
   if (store_ledger < 0)
      return store_writes++ % STORE_TRIM_EVERY == 0;
   if (write(store_ledger, bytes, count) != (ssize_t)count || fstat(store_ledger, &st))
      return true;
   const bool is_new = (uint64_t)st.st_size == count; /* of a directory that may be older */
   return is_new || (uint64_t)st.st_size > store_limit_bytes / STORE_BLOCK;
}

static bool write_all(int fd, const void *data, size_t size)
{
   for (size_t done = 0; done < size;) {
      const ssize_t n = write(fd, (const char *)data + done, size - done);
      if (n <= 0)
         return false;
      done += (size_t)n;
   }
   return true;
}

static void make_file(struct util_hash key, const void *data, size_t size)
{
   static _Atomic uint32_t serial;
   struct util_hash tag;
   char name[STORE_NAME_BYTES], temporary[STORE_NAME_BYTES];
   if (!icd_secret_tag(key, data, size, &tag))
      return;
   store_name(key, name);
   /* Names of unfinished files look like entries, so that store_trim() finds those that a crash left. */
   snprintf(temporary, sizeof(temporary), "%020llx.%08x.%08x", (unsigned long long)key.lo, (unsigned)getpid(), serial++);
   const int fd = openat(store_dir, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
   if (fd < 0)
      return;
   bool is_whole = write_all(fd, &tag, sizeof(tag)) && write_all(fd, data, size);
   is_whole = !close(fd) && is_whole;
   if (!is_whole || renameat(store_dir, temporary, store_dir, name))
      unlinkat(store_dir, temporary, 0);
   pthread_mutex_lock(&store_trim_lock);
   if (store_enter(size + sizeof(tag)))
      store_trim();
   pthread_mutex_unlock(&store_trim_lock);
}

static void write_entry(struct util_hash key, const void *data, size_t size)
{
   const uint64_t begin_ns = util_now_ns();
   if (!store_is_slow)
      make_file(key, data, size);
   be_patient(begin_ns);
}

void icd_store_write(struct util_hash key, const void *data, size_t size)
{
   if (!is_usable() || !size || size > STORE_MAX_ENTRY_BYTES - sizeof(struct util_hash) || !icd_cache_may_write(size))
      return;
   if (!icd_writer_put(write_entry, key, data, size))
      write_entry(key, data, size);
}

void icd_store_flush(void)
{
   if (!icd_writer_drain(STORE_PATIENCE_NS))
      store_is_slow = true;
}
