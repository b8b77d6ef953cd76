/* SPDX-License-Identifier: MIT
 * Functions of VkAllocationCallbacks that count what is live and fail when they are asked to; `user` is a struct counter. */
#pragma once

#include <stdlib.h>
#include <vulkan/vulkan_core.h>

struct counter {
   int live, total, fail_at; /* the fail_at-th fails; 0: none */
};

static inline VKAPI_ATTR void *VKAPI_CALL count_alloc(void *user, size_t size, size_t align, VkSystemAllocationScope scope)
{
   struct counter *counter = user;
   if (++counter->total == counter->fail_at)
      return NULL;
   counter->live++;
   void *memory;
   return posix_memalign(&memory, align < 16 ? 16 : align, size) == 0 ? memory : NULL;
}

static inline VKAPI_ATTR void VKAPI_CALL count_free(void *user, void *memory)
{
   if (memory)
      ((struct counter *)user)->live--;
   free(memory);
}
