/* SPDX-License-Identifier: MIT */
#include "icd/cache/writer.h"

#include "util/alloc.h"
#include "util/list.h"
#include "util/size.h"
#include "util/thread.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WAITING_BYTES = 64 << 20 };

struct entry {
   struct util_list link; /* in `waiting` */
   icd_writer_fn *write;
   struct util_hash key;
   size_t size;
   uint8_t data[];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
/* Under the lock, but for what `once` makes: */
static pthread_cond_t has_moved; /* an entry was written, or the thread is about to end */
static bool has_cond;
static struct util_list waiting = {&waiting, &waiting}; /* the first one may be in the thread's hands */
static size_t waiting_bytes;
static uint64_t num_put, num_written;
static pthread_t thread;
static bool has_thread, is_running; /* not joined yet; has not ended */
static bool is_stuck;               /* nobody waits for it any more */
static pid_t owner;                 /* the process whose thread it is */

static void init(void)
{
   has_cond = util_cond_init(&has_moved);
}

static void *run(void *arg)
{
   pthread_mutex_lock(&lock);
   while (!util_list_is_empty(&waiting)) {
      struct entry *entry = UTIL_LIST_ENTRY(waiting.next, struct entry, link);
      pthread_mutex_unlock(&lock);
      entry->write(entry->key, entry->data, entry->size);
      pthread_mutex_lock(&lock);
      util_list_remove(&entry->link);
      waiting_bytes -= entry->size;
      num_written++;
      pthread_cond_broadcast(&has_moved);
      util_mfree(entry);
   }
   is_running = false;
   pthread_cond_broadcast(&has_moved);
   pthread_mutex_unlock(&lock);
   return NULL;
}

/* Under the lock: of a thread that has ended or is about to. */
static void join(void)
{
   if (!has_thread || is_running)
      return;
   const pthread_t ended = thread;
   has_thread = false;
   pthread_mutex_unlock(&lock);
   pthread_join(ended, NULL);
   pthread_mutex_lock(&lock);
}

bool icd_writer_put(icd_writer_fn *write, struct util_hash key, const void *data, size_t size)
{
   pthread_once(&once, init);
   struct entry *entry = has_cond ? util_malloc(util_size_add(sizeof(*entry), size)) : NULL;
   if (!entry)
      return false;
   *entry = (struct entry){.write = write, .key = key, .size = size};
   memcpy(entry->data, data, size);
   pthread_mutex_lock(&lock);
   join();
   const size_t bytes = util_size_add(waiting_bytes, size);
   const bool is_too_much = is_stuck || bytes > MAX_WAITING_BYTES;
   if (!is_too_much && !is_running && !has_thread) {
      has_thread = is_running = util_thread_start(&thread, "vk-cache", run, NULL);
      owner = getpid();
   }
   const bool is_taken = !is_too_much && is_running;
   if (is_taken) {
      util_list_add_before(&entry->link, &waiting);
      waiting_bytes = bytes;
      num_put++;
   }
   pthread_mutex_unlock(&lock);
   if (!is_taken)
      util_mfree(entry);
   return is_taken || is_too_much;
}

void *icd_writer_find(struct util_hash key, size_t *size)
{
   void *data = NULL;
   pthread_mutex_lock(&lock);
   UTIL_LIST_FOR_EACH (struct entry, entry, &waiting, link) {
      if (!util_hash_equal(entry->key, key))
         continue;
      data = util_malloc(entry->size);
      if (data) {
         memcpy(data, entry->data, entry->size);
         *size = entry->size;
      }
      break;
   }
   pthread_mutex_unlock(&lock);
   return data;
}

/* For the thread, which nobody can end. */
static void stay_loaded(void)
{
   Dl_info info;
   if (dladdr((void *)(uintptr_t)stay_loaded, &info))
      (void)!dlopen(info.dli_fname, RTLD_NOW | RTLD_NODELETE | RTLD_NOLOAD);
}

/* Under the lock: what was put is written, and the thread gone unless there is more for it. */
static bool is_drained(uint64_t target)
{
   return !is_running || (num_written >= target && !util_list_is_empty(&waiting));
}

bool icd_writer_drain(uint64_t patience_ns)
{
   pthread_mutex_lock(&lock);
   const uint64_t target = num_put;
   uint64_t seen = num_written, deadline_ns = util_deadline_ns(patience_ns);
   while (!is_drained(target) && !is_stuck) {
      if (seen != num_written) {
         seen = num_written;
         deadline_ns = util_deadline_ns(patience_ns);
      }
      if (!util_cond_wait_until(&has_moved, &lock, deadline_ns) && seen == num_written && !is_drained(target)) {
         is_stuck = true;
         stay_loaded();
      }
   }
   join();
   const bool is_done = !is_stuck;
   pthread_mutex_unlock(&lock);
   return is_done;
}

/* A process that ends without its devices being destroyed. A child that was forked has no such thread. */
static __attribute__((destructor)) void drain_at_exit(void)
{
   if (owner == getpid())
      (void)!icd_writer_drain(UINT64_C(1000000000));
}
