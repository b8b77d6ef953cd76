/* SPDX-License-Identifier: MIT
 * icd/device/physical_device.c, icd/device/device.c: queue families, and queues of several of them in one device; icd/sync/poll.c.
 * Spec: Devices and Queues, "Queues". */
#include "tests/icd/fixture.h"
#include "tests/test.h"
#include "util/thread.h"

#include <pthread.h>

enum { MAX_FAMILIES = 8 };

static uint32_t get_families(VkPhysicalDevice physical_device, VkQueueFamilyProperties families[MAX_FAMILIES])
{
   uint32_t count = 0, written = MAX_FAMILIES;
   icd_GetPhysicalDeviceQueueFamilyProperties(physical_device, &count, NULL);
   icd_GetPhysicalDeviceQueueFamilyProperties(physical_device, &written, families);
   CHECK_EQ(count, written);
   return count;
}

TEST(families)
{
   struct fixture f;
   VkQueueFamilyProperties families[MAX_FAMILIES];
   VkQueueFamilyProperties2 one[2] = {{.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2},
                                      {.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2}};
   uint32_t count = 1;
   fixture_init(&f, NULL);
   const uint32_t num = get_families(f.physical_device, families);
   CHECK_EQ(num, 3);
   VkPhysicalDeviceFeatures features;
   icd_GetPhysicalDeviceFeatures(f.physical_device, &features);
   const VkQueueFlags all = VK_QUEUE_PROTECTED_BIT | (features.sparseBinding ? VK_QUEUE_SPARSE_BINDING_BIT : 0);
   CHECK_EQ(families[0].queueFlags, VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | all);
   CHECK_EQ(families[1].queueFlags, VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT | all);
   CHECK_EQ(families[2].queueFlags, VK_QUEUE_TRANSFER_BIT | all);
   icd_GetPhysicalDeviceQueueFamilyProperties2(f.physical_device, &count, one);
   CHECK_EQ(count, 1);
   CHECK_EQ(one[0].queueFamilyProperties.queueFlags, families[0].queueFlags);
   CHECK_EQ(one[1].queueFamilyProperties.queueFlags, 0);
   fixture_finish(&f, NULL);
}

/* A device with a queue of the third family and two of the second. */
static VkDevice create_device(VkPhysicalDevice physical_device)
{
   const float priorities[2] = {1, 1};
   const VkDeviceQueueCreateInfo queues[2] = {
      {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 2, 1, priorities},
      {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 1, 2, priorities},
   };
   const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES, NULL, VK_TRUE};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                    .pNext = &timeline,
                                    .queueCreateInfoCount = 2,
                                    .pQueueCreateInfos = queues};
   VkDevice device;
   fixture_require(icd_CreateDevice(physical_device, &info, NULL, &device), "vkCreateDevice");
   return device;
}

/* A fill on a queue of one family, which a copy on a queue of another waits for. */
TEST(queues_of_two_families_in_one_device)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkDevice first = f.device;
   VkCommandPool first_pool = f.pool;
   VkQueue compute[3], transfer[2];
   f.device = create_device(f.physical_device);
   for (uint32_t i = 0; i < 3; i++)
      icd_GetDeviceQueue(f.device, 1, i, &compute[i]);
   for (uint32_t i = 0; i < 2; i++)
      icd_GetDeviceQueue(f.device, 2, i, &transfer[i]);
   CHECK(compute[0] && compute[1] && transfer[0]);
   CHECK(compute[0] != compute[1] && compute[0] != transfer[0] && compute[1] != transfer[0]);
   CHECK(!compute[2] && !transfer[1]);

   const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   const VkSemaphoreTypeCreateInfo type = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL, VK_SEMAPHORE_TYPE_TIMELINE, 0};
   const VkSemaphoreCreateInfo semaphore_info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type, 0};
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   const uint64_t one = 1;
   const VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                                 .waitSemaphoreValueCount = 1,
                                                 .pWaitSemaphoreValues = &one,
                                                 .signalSemaphoreValueCount = 1,
                                                 .pSignalSemaphoreValues = &one};
   VkSemaphore semaphore;
   fixture_require(icd_CreateCommandPool(f.device, &pool_info, NULL, &f.pool), "vkCreateCommandPool");
   fixture_require(icd_CreateSemaphore(f.device, &semaphore_info, NULL, &semaphore), "vkCreateSemaphore");
   struct fixture_buffer a = fixture_buffer(&f, 256), b = fixture_buffer(&f, 256);
   const VkCommandBuffer fill = fixture_command_buffer(&f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
   const VkCommandBuffer copy = fixture_command_buffer(&f, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
   const VkBufferCopy region = {0, 0, 256};
   fixture_begin(fill);
   icd_CmdFillBuffer(fill, a.buffer, 0, VK_WHOLE_SIZE, 0x01020304);
   fixture_require(icd_EndCommandBuffer(fill), "vkEndCommandBuffer");
   fixture_begin(copy);
   icd_CmdCopyBuffer(copy, a.buffer, b.buffer, 1, &region);
   fixture_require(icd_EndCommandBuffer(copy), "vkEndCommandBuffer");

   const VkSubmitInfo waiting = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                 .pNext = &values,
                                 .waitSemaphoreCount = 1,
                                 .pWaitSemaphores = &semaphore,
                                 .pWaitDstStageMask = &stage,
                                 .commandBufferCount = 1,
                                 .pCommandBuffers = &copy};
   const VkSubmitInfo signalling = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                                    .pNext = &values,
                                    .commandBufferCount = 1,
                                    .pCommandBuffers = &fill,
                                    .signalSemaphoreCount = 1,
                                    .pSignalSemaphores = &semaphore};
   fixture_require(icd_QueueSubmit(transfer[0], 1, &waiting, VK_NULL_HANDLE), "vkQueueSubmit");
   fixture_require(icd_QueueSubmit(compute[1], 1, &signalling, VK_NULL_HANDLE), "vkQueueSubmit");
   fixture_require(icd_DeviceWaitIdle(f.device), "vkDeviceWaitIdle");
   for (uint32_t i = 0; i < 64; i++)
      CHECK_EQ(((const uint32_t *)b.data)[i], 0x01020304);

   fixture_buffer_destroy(&f, &a);
   fixture_buffer_destroy(&f, &b);
   icd_DestroySemaphore(f.device, semaphore, NULL);
   icd_DestroyCommandPool(f.device, f.pool, NULL);
   icd_DestroyDevice(f.device, NULL);
   f.device = first;
   f.pool = first_pool;
   fixture_finish(&f, NULL);
}

#ifdef VK_KHR_internally_synchronized_queues

enum { THREADS = 4, SUBMISSIONS = 100 };

struct submitter {
   const struct fixture *f;
   VkQueue queue;
   uint32_t number;
   VkBuffer buffer;
   uint32_t num_failures;
};

/* Fills its own word of the buffer by submissions of its own, each with a fence; waits for the queue now and then, as everybody may. */
static void *submit_fills(void *data)
{
   struct submitter *s = data;
   VkCommandPool pool;
   VkFence fence;
   VkCommandBuffer commands;
   const VkCommandPoolCreateInfo pool_info = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, 0};
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   fixture_require(icd_CreateCommandPool(s->f->device, &pool_info, NULL, &pool), "vkCreateCommandPool");
   fixture_require(icd_CreateFence(s->f->device, &fence_info, NULL, &fence), "vkCreateFence");
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
   fixture_require(icd_AllocateCommandBuffers(s->f->device, &info, &commands), "vkAllocateCommandBuffers");
   for (uint32_t i = 1; i <= SUBMISSIONS; i++) {
      const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
      fixture_begin(commands);
      icd_CmdFillBuffer(commands, s->buffer, s->number * 4, 4, i);
      s->num_failures += icd_EndCommandBuffer(commands) != VK_SUCCESS;
      s->num_failures += icd_QueueSubmit(s->queue, 1, &submit, fence) != VK_SUCCESS;
      s->num_failures += i % 16 == 0 && icd_QueueWaitIdle(s->queue) != VK_SUCCESS;
      s->num_failures += icd_WaitForFences(s->f->device, 1, &fence, VK_TRUE, UINT64_MAX) != VK_SUCCESS;
      s->num_failures += icd_ResetFences(s->f->device, 1, &fence) != VK_SUCCESS;
   }
   icd_DestroyFence(s->f->device, fence, NULL);
   icd_DestroyCommandPool(s->f->device, pool, NULL);
   return NULL;
}

TEST(one_queue_of_several_threads)
{
   const float priority = 1;
   const VkDeviceQueueCreateFlags flags = VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR;
   const VkDeviceQueueCreateInfo queues[2] = {{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, flags, 0, 1, &priority},
                                              {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, NULL, 0, 1, 1, &priority}};
   const VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR feature = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_INTERNALLY_SYNCHRONIZED_QUEUES_FEATURES_KHR, NULL, VK_TRUE};
   const char *const extension = VK_KHR_INTERNALLY_SYNCHRONIZED_QUEUES_EXTENSION_NAME;
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &feature, .queueCreateInfoCount = 2,
                                    .pQueueCreateInfos = queues, .enabledExtensionCount = 1, .ppEnabledExtensionNames = &extension};
   struct submitter submitters[THREADS];
   pthread_t threads[THREADS];
   struct fixture f, own;
   fixture_init(&f, NULL);
   own = f;
   fixture_require(icd_CreateDevice(f.physical_device, &info, NULL, &own.device), "vkCreateDevice");
   VkDeviceQueueInfo2 asked = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2, NULL, flags, 0, 0};
   VkQueue queue, other;
   icd_GetDeviceQueue(own.device, 0, 0, &queue);
   CHECK(queue == VK_NULL_HANDLE); /* it has flags */
   icd_GetDeviceQueue2(own.device, &asked, &queue);
   CHECK(queue != VK_NULL_HANDLE);
   asked.queueFamilyIndex = 1;
   icd_GetDeviceQueue2(own.device, &asked, &other);
   CHECK(other == VK_NULL_HANDLE); /* that has none */
   icd_GetDeviceQueue(own.device, 1, 0, &other);
   CHECK(other != VK_NULL_HANDLE && other != queue);

   struct fixture_buffer buffer = fixture_buffer(&own, THREADS * 4);
   for (uint32_t i = 0; i < THREADS; i++) {
      submitters[i] = (struct submitter){&own, queue, i, buffer.buffer, 0};
      CHECK_EQ(pthread_create(&threads[i], NULL, submit_fills, &submitters[i]), 0);
   }
   for (uint32_t i = 0; i < THREADS; i++) {
      pthread_join(threads[i], NULL);
      CHECK_EQ(submitters[i].num_failures, 0);
      CHECK_EQ(((const uint32_t *)buffer.data)[i], SUBMISSIONS);
   }
   fixture_buffer_destroy(&own, &buffer);
   icd_DestroyDevice(own.device, NULL);
   fixture_finish(&f, NULL);
}

#endif

/* What nobody signals is asked for without a pause: the processor is left to others, and what is signalled is seen at once. */
TEST(polls_in_a_row_sleep)
{
   enum { POLLS = 200, LEAST_NS = 10000000 };
   const VkFenceCreateInfo fence_info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkEventCreateInfo event_info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
   const VkSemaphoreCreateInfo semaphore_info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
   struct fixture f;
   VkFence fence;
   VkEvent event;
   VkSemaphore semaphore;
   uint64_t value, begin_ns = util_now_ns();
   fixture_init(&f, NULL);
   fixture_require(icd_CreateFence(f.device, &fence_info, NULL, &fence), "vkCreateFence");
   fixture_require(icd_CreateEvent(f.device, &event_info, NULL, &event), "vkCreateEvent");
   fixture_require(icd_CreateSemaphore(f.device, &semaphore_info, NULL, &semaphore), "vkCreateSemaphore");
   for (uint32_t i = 0; i < POLLS; i++)
      CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_NOT_READY);
   CHECK(util_now_ns() - begin_ns >= LEAST_NS);
   begin_ns = util_now_ns();
   for (uint32_t i = 0; i < POLLS; i++)
      CHECK_EQ(icd_GetEventStatus(f.device, event), VK_EVENT_RESET);
   CHECK(util_now_ns() - begin_ns >= LEAST_NS);
   begin_ns = util_now_ns();
   for (uint32_t i = 0; i < POLLS; i++) {
      CHECK_EQ(icd_GetSemaphoreCounterValue(f.device, semaphore, &value), VK_SUCCESS);
      CHECK_EQ(value, 0);
   }
   CHECK(util_now_ns() - begin_ns >= LEAST_NS);

   CHECK_EQ(icd_QueueSubmit(f.queue, 0, NULL, fence), VK_SUCCESS);
   CHECK_EQ(icd_SetEvent(f.device, event), VK_SUCCESS);
   const VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, NULL, semaphore, 3};
   CHECK_EQ(icd_SignalSemaphore(f.device, &signal), VK_SUCCESS);
   while (icd_GetFenceStatus(f.device, fence) == VK_NOT_READY) /* a test that hangs has failed */
      continue;
   CHECK_EQ(icd_GetFenceStatus(f.device, fence), VK_SUCCESS);
   CHECK_EQ(icd_GetEventStatus(f.device, event), VK_EVENT_SET);
   CHECK_EQ(icd_GetSemaphoreCounterValue(f.device, semaphore, &value), VK_SUCCESS);
   CHECK_EQ(value, 3);
   icd_DestroySemaphore(f.device, semaphore, NULL);
   icd_DestroyEvent(f.device, event, NULL);
   icd_DestroyFence(f.device, fence, NULL);
   fixture_finish(&f, NULL);
}

TEST_MAIN
