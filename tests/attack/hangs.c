/* SPDX-License-Identifier: MIT */
#include "tests/attack/hangs.h"

#include "tests/test.h"
#include "util/sanitizers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SLOWNESS = 4 };
#else
enum { SLOWNESS = 1 };
#endif

void hangs_environment(void)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   setenv("VK_SWRAST_THREADS", "2", 1);
}

double hangs_processor_s(void)
{
   struct timespec time;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void hangs_listen(void *data, const char *id, const char *message)
{
   struct hangs_heard *heard = data;
   if (strcmp(id, "device-lost") == 0) {
      heard->count++;
      snprintf(heard->message, sizeof(heard->message), "%s", message);
   }
}

VkResult hangs_run(struct client *client, VkCommandBuffer cmd)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &cmd};
   client_end(cmd);
   client_check(vk.QueueSubmit(client->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
   return vk.QueueWaitIdle(client->queue);
}

void hangs_check(VkResult result, const struct hangs_heard *heard, double begin_s)
{
   CHECK_EQ(result, VK_ERROR_DEVICE_LOST);
   CHECK_EQ(heard->count, 1);
   const double spent_s = hangs_processor_s() - begin_s, limit_s = HANGS_THREADS * (HANGS_TIMEOUT_S + 1) * SLOWNESS;
   if (spent_s >= limit_s)
      fprintf(stderr, "%.1f s of %.1f: %s\n", spent_s, limit_s, heard->message);
   CHECK(spent_s < limit_s);
}
