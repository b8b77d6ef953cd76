/* SPDX-License-Identifier: MIT
 * Sources of timelines. Processes that share a timeline map one page with its value and a sequence number that counts
 * changes; the number is a futex.
 * Spec: Synchronization and Cache Control, "Importing Semaphore Payloads", "Importing Fence Payloads". */
#include "runtime/sync/source.h"

#include "util/alloc.h"
#include "util/shared_memory.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MAGIC UINT32_C(0x76737431) /* also the version of the struct */

/* What processes share. */
struct state {
   uint32_t magic;
   uint32_t type; /* enum rt_share_type */
   _Atomic uint64_t value;
   struct rt_operation_counts counts;
   _Atomic uint32_t sequence;
};

struct rt_source {
   struct rt_timeline *timeline;
   struct util_shared_memory memory; /* fd -1: the source is a file */
   int file_fd, quit_fd;             /* of a file; else -1 */
   pthread_t thread;
   bool is_watched;        /* there is a thread; under the timeline's lock */
   atomic_bool is_quitting; /* for the thread */
};

static struct state *shared_state(const struct rt_source *source)
{
   return source->memory.fd >= 0 ? source->memory.data : NULL;
}

/* ---- the futex ---- */

static void change_sequence(struct state *state)
{
   atomic_fetch_add(&state->sequence, 1);
   syscall(SYS_futex, &state->sequence, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Sleeps unless the number has changed already; wakes up spuriously too. */
static void wait_sequence(struct state *state, uint32_t seen)
{
   syscall(SYS_futex, &state->sequence, FUTEX_WAIT, seen, NULL, NULL, 0);
}

/* ---- the thread ---- */

static void *watch_state(void *arg)
{
   struct rt_source *source = arg;
   struct state *state = shared_state(source);
   for (;;) {
      const uint32_t seen = atomic_load(&state->sequence);
      if (atomic_load(&source->is_quitting))
         return NULL;
      rt_timeline_poke(source->timeline);
      wait_sequence(state, seen);
   }
}

static void *watch_file(void *arg)
{
   struct rt_source *source = arg;
   struct pollfd fds[2] = {{.fd = source->file_fd, .events = POLLIN}, {.fd = source->quit_fd, .events = POLLIN}};
   int num_ready;
   do
      num_ready = poll(fds, 2, -1);
   while (num_ready < 0 && errno == EINTR);
   if (!atomic_load(&source->is_quitting))
      rt_timeline_signal(source->timeline, 1);
   return NULL;
}

VkResult rt_source_watch(struct rt_source *source)
{
   if (!source->is_watched)
      source->is_watched = util_thread_start(&source->thread, "vk-external",
                                             source->file_fd >= 0 ? watch_file : watch_state, source);
   return source->is_watched ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* ---- values ---- */

uint64_t rt_source_value(const struct rt_source *source, uint64_t local)
{
   struct state *state = shared_state(source);
   if (state)
      return atomic_load(&state->value);
   struct pollfd fd = {.fd = source->file_fd, .events = POLLIN};
   return local == 0 && poll(&fd, 1, 0) > 0 ? 1 : local;
}

void rt_source_publish(struct rt_source *source, uint64_t value)
{
   struct state *state = shared_state(source);
   if (!state)
      return;
   atomic_store(&state->value, value);
   change_sequence(state);
}

/* ---- life ---- */

static struct rt_source *create(struct rt_timeline *timeline)
{
   struct rt_source *source = util_calloc(1, sizeof(*source));
   if (!source)
      return NULL;
   source->timeline = timeline;
   source->memory.fd = source->file_fd = source->quit_fd = -1;
   return source;
}

void rt_source_destroy(struct rt_source *source)
{
   atomic_store(&source->is_quitting, true);
   if (source->is_watched) {
      const uint64_t one = 1;
      if (source->quit_fd >= 0) {
         const ssize_t written = write(source->quit_fd, &one, sizeof(one));
         (void)written; /* the counter is zero: there is room */
      } else {
         change_sequence(shared_state(source));
      }
      pthread_join(source->thread, NULL);
   }
   util_shared_memory_finish(&source->memory);
   if (source->file_fd >= 0)
      close(source->file_fd);
   if (source->quit_fd >= 0)
      close(source->quit_fd);
   util_mfree(source);
}

/* The timeline gets the source, whose memory or file is there; or the source goes. */
static VkResult init_with(struct rt_timeline *timeline, struct rt_source *source, uint64_t value)
{
   const VkResult result = rt_timeline_init(timeline, value);
   if (result == VK_SUCCESS)
      timeline->source = source;
   return result;
}

VkResult rt_timeline_init_shared(struct rt_timeline *timeline, enum rt_share_type type, uint64_t value)
{
   struct rt_source *source = create(timeline);
   if (!source)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (util_shared_memory_create(&source->memory, "vk_swrast-sync", sizeof(struct state))) {
      struct state *state = shared_state(source);
      state->magic = MAGIC;
      state->type = type;
      atomic_init(&state->value, value);
      result = init_with(timeline, source, value);
   }
   if (result != VK_SUCCESS)
      rt_source_destroy(source);
   return result;
}

VkResult rt_timeline_init_imported(struct rt_timeline *timeline, enum rt_share_type type, int fd)
{
   struct rt_source *source = create(timeline);
   if (!source)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   VkResult result;
   if (!util_shared_memory_import(&source->memory, fd, sizeof(struct state))) {
      result = errno == EINVAL ? VK_ERROR_INVALID_EXTERNAL_HANDLE : VK_ERROR_OUT_OF_HOST_MEMORY;
   } else {
      const struct state *state = shared_state(source);
      const bool is_ours = state->magic == MAGIC && state->type == (uint32_t)type;
      result = is_ours ? init_with(timeline, source, 0) : VK_ERROR_INVALID_EXTERNAL_HANDLE;
   }
   if (result != VK_SUCCESS) {
      util_shared_memory_finish_keeping_fd(&source->memory); /* it stays the caller's */
      rt_source_destroy(source);
   }
   return result;
}

VkResult rt_timeline_init_file(struct rt_timeline *timeline, int fd)
{
   if (fd < 0)
      return rt_timeline_init(timeline, 1);
   struct pollfd look = {.fd = fd, .events = POLLIN};
   if (poll(&look, 1, 0) < 0 || look.revents & POLLNVAL)
      return VK_ERROR_INVALID_EXTERNAL_HANDLE;
   struct rt_source *source = create(timeline);
   if (!source)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   source->quit_fd = eventfd(0, EFD_CLOEXEC);
   const VkResult result = source->quit_fd >= 0 ? init_with(timeline, source, 0) : VK_ERROR_OUT_OF_HOST_MEMORY;
   if (result == VK_SUCCESS)
      source->file_fd = fd;
   else
      rt_source_destroy(source);
   return result;
}

int rt_timeline_export(const struct rt_timeline *timeline)
{
   return util_shared_memory_dup(&timeline->source->memory);
}

struct rt_operation_counts *rt_timeline_counts(const struct rt_timeline *timeline)
{
   struct state *state = timeline->source ? shared_state(timeline->source) : NULL;
   return state ? &state->counts : NULL;
}
