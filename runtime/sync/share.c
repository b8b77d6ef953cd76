/* SPDX-License-Identifier: MIT
 * Timelines of several processes, and of files. */
#include "runtime/sync/source.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

#define MAGIC UINT32_C(0x76737431) /* also the version of the struct */

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
   struct rt_source *source = rt_source_create(timeline);
   if (!source)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (util_shared_memory_create(&source->memory, "vk_swrast-sync", sizeof(struct rt_shared_state))) {
      struct rt_shared_state *state = rt_source_state(source);
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
   struct rt_source *source = rt_source_create(timeline);
   if (!source)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   VkResult result;
   if (!util_shared_memory_import(&source->memory, fd, sizeof(struct rt_shared_state))) {
      result = errno == EINVAL ? VK_ERROR_INVALID_EXTERNAL_HANDLE : VK_ERROR_OUT_OF_HOST_MEMORY;
   } else {
      const struct rt_shared_state *state = rt_source_state(source);
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
   struct rt_source *source = rt_source_create(timeline);
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
   struct rt_shared_state *state = timeline->source ? rt_source_state(timeline->source) : NULL;
   return state ? &state->counts : NULL;
}
