/* SPDX-License-Identifier: MIT
 * The thread that waits for a source of a timeline and pokes the timeline. */
#include "runtime/sync/source.h"

#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Sleeps unless the number has changed already; wakes up spuriously too. */
static void wait_sequence(struct rt_shared_state *state, uint32_t seen)
{
   syscall(SYS_futex, &state->sequence, FUTEX_WAIT, seen, NULL, NULL, 0);
}

static void *watch_state(void *arg)
{
   struct rt_source *source = arg;
   struct rt_shared_state *state = rt_source_state(source);
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
