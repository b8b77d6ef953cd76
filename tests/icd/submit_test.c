/* SPDX-License-Identifier: MIT
 * icd/queue.c, icd/sync/, icd/cmd/cmd_copy.c, cmd_sync.c, cmd_query.c, cmd_execute.c: commands run, in the order that
 * synchronization asks for. */
#include "tests/icd/fixture.h"
#include "tests/test.h"

static const VkMemoryBarrier all_memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                                           VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};

static void barrier(VkCommandBuffer commands)
{
   icd_CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1,
                          &all_memory, 0, NULL, 0, NULL);
}

static VkFence create_fence(const struct fixture *fixture, VkFenceCreateFlags flags)
{
   VkFence fence;
   const VkFenceCreateInfo info = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, NULL, flags};
   fixture_require(icd_CreateFence(fixture->device, &info, NULL, &fence), "vkCreateFence");
   return fence;
}

static VkSemaphore create_semaphore(const struct fixture *fixture, VkSemaphoreType type, uint64_t value)
{
   VkSemaphore semaphore;
   const VkSemaphoreTypeCreateInfo type_info = {VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO, NULL, type, value};
   const VkSemaphoreCreateInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type_info, 0};
   fixture_require(icd_CreateSemaphore(fixture->device, &info, NULL, &semaphore), "vkCreateSemaphore");
   return semaphore;
}

TEST(fill_update_copy)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer a = fixture_buffer(&f, 1000), b = fixture_buffer(&f, 1000);
   const uint32_t words[2] = {1, 2};
   const VkBufferCopy region = {0, 4, 900};
   const VkBufferCopy2 region2 = {VK_STRUCTURE_TYPE_BUFFER_COPY_2, NULL, 8, 904, 8};
   const VkCopyBufferInfo2 copy2 = {VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2, NULL, a.buffer, b.buffer, 1, &region2};

   fixture_begin(f.commands);
   icd_CmdFillBuffer(f.commands, a.buffer, 0, VK_WHOLE_SIZE, 0x01020304);
   barrier(f.commands);
   icd_CmdUpdateBuffer(f.commands, a.buffer, 8, sizeof(words), words);
   barrier(f.commands);
   icd_CmdCopyBuffer(f.commands, a.buffer, b.buffer, 1, &region);
   icd_CmdCopyBuffer2(f.commands, &copy2);
   fixture_run(&f);

   const uint32_t *out = b.data;
   CHECK_EQ(out[0], 0);
   CHECK_EQ(out[1], 0x01020304);
   CHECK_EQ(out[3], 1);
   CHECK_EQ(out[4], 2);
   CHECK_EQ(out[225], 0x01020304);
   CHECK_EQ(out[226], 1);
   CHECK_EQ(out[227], 2);
   CHECK_EQ(out[228], 0);
   fixture_buffer_destroy(&f, &a);
   fixture_buffer_destroy(&f, &b);
   fixture_finish(&f, NULL);
}

TEST(fences)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkFence fences[2] = {create_fence(&f, 0), create_fence(&f, VK_FENCE_CREATE_SIGNALED_BIT)};
   CHECK_EQ(icd_GetFenceStatus(f.device, fences[0]), VK_NOT_READY);
   CHECK_EQ(icd_GetFenceStatus(f.device, fences[1]), VK_SUCCESS);
   CHECK_EQ(icd_WaitForFences(f.device, 2, fences, VK_TRUE, 0), VK_TIMEOUT);
   CHECK_EQ(icd_WaitForFences(f.device, 2, fences, VK_FALSE, 0), VK_SUCCESS);
   CHECK_EQ(icd_WaitForFences(f.device, 1, fences, VK_TRUE, 1000000), VK_TIMEOUT);
   CHECK_EQ(icd_QueueSubmit(f.queue, 0, NULL, fences[0]), VK_SUCCESS);
   CHECK_EQ(icd_WaitForFences(f.device, 2, fences, VK_TRUE, UINT64_MAX), VK_SUCCESS);
   CHECK_EQ(icd_ResetFences(f.device, 2, fences), VK_SUCCESS);
   CHECK_EQ(icd_GetFenceStatus(f.device, fences[1]), VK_NOT_READY);
   icd_DestroyFence(f.device, fences[0], NULL);
   icd_DestroyFence(f.device, fences[1], NULL);
   fixture_finish(&f, NULL);
}

TEST(timeline_semaphore_holds_back_until_the_host_signals)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer a = fixture_buffer(&f, 64);
   VkSemaphore semaphore = create_semaphore(&f, VK_SEMAPHORE_TYPE_TIMELINE, 5);
   const VkSemaphoreSubmitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, semaphore, 7};
   const VkSemaphoreSubmitInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, NULL, semaphore, 9};
   const VkCommandBufferSubmitInfo commands = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, f.commands};
   const VkSubmitInfo2 submit = {VK_STRUCTURE_TYPE_SUBMIT_INFO_2, NULL, 0, 1, &wait, 1, &commands, 1, &signal};

   fixture_begin(f.commands);
   icd_CmdFillBuffer(f.commands, a.buffer, 0, VK_WHOLE_SIZE, 3);
   CHECK_EQ(icd_EndCommandBuffer(f.commands), VK_SUCCESS);
   CHECK_EQ(icd_QueueSubmit2(f.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);

   const uint64_t nine = 9;
   uint64_t value = 0;
   const VkSemaphoreWaitInfo wait_info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, NULL, 0, 1, &semaphore, &nine};
   CHECK_EQ(icd_WaitSemaphores(f.device, &wait_info, 2000000), VK_TIMEOUT);
   CHECK_EQ(*(volatile uint32_t *)a.data, 0);
   const VkSemaphoreSignalInfo signal_info = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, NULL, semaphore, 7};
   CHECK_EQ(icd_SignalSemaphore(f.device, &signal_info), VK_SUCCESS);
   CHECK_EQ(icd_WaitSemaphores(f.device, &wait_info, UINT64_MAX), VK_SUCCESS);
   CHECK_EQ(*(volatile uint32_t *)a.data, 3);
   CHECK_EQ(icd_GetSemaphoreCounterValue(f.device, semaphore, &value), VK_SUCCESS);
   CHECK_EQ(value, 9);
   icd_DestroySemaphore(f.device, semaphore, NULL);
   fixture_buffer_destroy(&f, &a);
   fixture_finish(&f, NULL);
}

/* A chain of submissions through one binary semaphore, all in flight at once. */
TEST(binary_semaphore_is_reused)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkSemaphore semaphore = create_semaphore(&f, VK_SEMAPHORE_TYPE_BINARY, 0);
   VkFence fence = create_fence(&f, 0);
   const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   for (int i = 0; i < 20; i++) {
      const VkSubmitInfo submit = {
         .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .waitSemaphoreCount = i > 0,
         .pWaitSemaphores = &semaphore,
         .pWaitDstStageMask = &stage,
         .signalSemaphoreCount = i < 19,
         .pSignalSemaphores = &semaphore,
      };
      CHECK_EQ(icd_QueueSubmit(f.queue, 1, &submit, i == 19 ? fence : VK_NULL_HANDLE), VK_SUCCESS);
   }
   CHECK_EQ(icd_WaitForFences(f.device, 1, &fence, VK_TRUE, UINT64_C(5000000000)), VK_SUCCESS);
   icd_DestroyFence(f.device, fence, NULL);
   icd_DestroySemaphore(f.device, semaphore, NULL);
   fixture_finish(&f, NULL);
}

TEST(events_secondaries_timestamps)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer a = fixture_buffer(&f, 64), results = fixture_buffer(&f, 64);
   const VkEventCreateInfo event_info = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   const VkQueryPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 3};
   VkEvent event;
   VkQueryPool pool;
   CHECK_EQ(icd_CreateEvent(f.device, &event_info, NULL, &event), VK_SUCCESS);
   CHECK_EQ(icd_CreateQueryPool(f.device, &pool_info, NULL, &pool), VK_SUCCESS);

   VkCommandBuffer secondary = fixture_command_buffer(&f, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
   fixture_begin(secondary);
   icd_CmdFillBuffer(secondary, a.buffer, 0, 4, 11);
   CHECK_EQ(icd_EndCommandBuffer(secondary), VK_SUCCESS);

   fixture_begin(f.commands);
   icd_CmdResetQueryPool(f.commands, pool, 0, 3);
   icd_CmdWriteTimestamp(f.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, 0);
   icd_CmdExecuteCommands(f.commands, 1, &secondary);
   icd_CmdSetEvent(f.commands, event, VK_PIPELINE_STAGE_TRANSFER_BIT);
   icd_CmdWaitEvents(f.commands, 1, &event, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 1,
                     &all_memory, 0, NULL, 0, NULL);
   const VkBufferCopy region = {0, 4, 4};
   icd_CmdCopyBuffer(f.commands, a.buffer, a.buffer, 1, &region);
   icd_CmdWriteTimestamp2(f.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
   barrier(f.commands);
   icd_CmdCopyQueryPoolResults(f.commands, pool, 0, 2, results.buffer, 0, 8, VK_QUERY_RESULT_64_BIT);
   fixture_run(&f);

   const uint32_t *out = a.data;
   const uint64_t *times = results.data;
   CHECK_EQ(out[0], 11);
   CHECK_EQ(out[1], 11);
   CHECK_EQ(icd_GetEventStatus(f.device, event), VK_EVENT_SET);
   CHECK(times[0] != 0 && times[1] >= times[0]);

   uint64_t values[6] = {0};
   CHECK_EQ(icd_GetQueryPoolResults(f.device, pool, 0, 3, sizeof(values), values, 16,
                                    VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT),
            VK_NOT_READY);
   CHECK_EQ(values[0], times[0]);
   CHECK_EQ(values[1], 1);
   CHECK_EQ(values[5], 0);
   icd_DestroyQueryPool(f.device, pool, NULL);
   icd_DestroyEvent(f.device, event, NULL);
   fixture_buffer_destroy(&f, &a);
   fixture_buffer_destroy(&f, &results);
   fixture_finish(&f, NULL);
}

TEST_MAIN
