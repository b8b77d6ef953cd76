/* SPDX-License-Identifier: MIT */
#include "runtime/sync/source.h"

#include "util/alloc.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Wakes the other processes, and the thread. */
static void change_sequence(struct rt_shared_state *state)
{
   atomic_fetch_add(&state->sequence, 1);
   syscall(SYS_futex, &state->sequence, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

uint64_t rt_source_value(const struct rt_source *source, uint64_t local)
{
   struct rt_shared_state *state = rt_source_state(source);
   if (state)
      return atomic_load(&state->value);
   struct pollfd fd = {.fd = source->file_fd, .events = POLLIN};
   return local == 0 && poll(&fd, 1, 0) > 0 ? 1 : local;
}

void rt_source_publish(struct rt_source *source, uint64_t value)
{
   struct rt_shared_state *state = rt_source_state(source);
   if (!state)
      return;
   atomic_store(&state->value, value);
   change_sequence(state);
}

struct rt_source *rt_source_create(struct rt_timeline *timeline)
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
         change_sequence(rt_source_state(source));
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
