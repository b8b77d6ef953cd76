/* SPDX-License-Identifier: MIT
 * Queue submission: both versions of the submit structures become one struct rt_submit each.
 * Spec: Command Buffers, "Command Buffer Submission"; Synchronization, "Waiting for Idle". */
#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/command_buffer.h"
#include "icd/device/device.h"
#include "icd/instrument/host_cache.h"
#include "icd/instrument/instrument.h"
#include "icd/resource/sparse_bind.h"
#include "icd/sync/fence.h"
#include "icd/sync/semaphore.h"
#include "icd/validate/stream.h"
#include "runtime/device.h"

enum { SHORT_BYTES = 1024 };

/* The arrays of one submission: on the stack unless they are long. */
struct submission {
   struct icd_device *device;
   struct rt_wait *waits, *signals;
   VkPipelineStageFlags2 *wait_stages, *signal_stages; /* of each */
   struct rt_cmd_stream **streams;
   struct rt_sparse_bind *binds; /* util_mfree() */
   uint32_t num_waits, num_signals, num_streams, num_binds;
   struct rt_timeline *fence; /* NULL: none; the last of the signals */
   void *memory;
   _Alignas(16) char short_memory[SHORT_BYTES];
};

static VkResult submission_init(struct submission *submission, struct icd_device *device, uint32_t max_waits,
                                uint32_t max_streams, uint32_t max_signals)
{
   size_t bytes = 0;
   const size_t waits = icd_block_add(&bytes, max_waits, sizeof(struct rt_wait));
   const size_t signals = icd_block_add(&bytes, max_signals + 1, sizeof(struct rt_wait));
   const size_t wait_stages = icd_block_add(&bytes, max_waits, sizeof(VkPipelineStageFlags2));
   const size_t signal_stages = icd_block_add(&bytes, max_signals + 1, sizeof(VkPipelineStageFlags2));
   const size_t streams = icd_block_add(&bytes, max_streams, sizeof(struct rt_cmd_stream *));

   submission->device = device;
   submission->num_waits = submission->num_signals = submission->num_streams = submission->num_binds = 0;
   submission->binds = NULL;
   submission->fence = NULL;
   submission->memory = submission->short_memory;
   if (bytes > SHORT_BYTES)
      submission->memory = util_alloc(device->allocator, bytes, 16, VK_SYSTEM_ALLOCATION_SCOPE_COMMAND);
   if (!submission->memory)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   submission->waits = icd_block_at(submission->memory, waits);
   submission->signals = icd_block_at(submission->memory, signals);
   submission->wait_stages = icd_block_at(submission->memory, wait_stages);
   submission->signal_stages = icd_block_at(submission->memory, signal_stages);
   submission->streams = icd_block_at(submission->memory, streams);
   return VK_SUCCESS;
}

static void submission_finish(struct submission *submission)
{
   if (submission->memory != submission->short_memory)
      util_free(submission->device->allocator, submission->memory);
}

static void add_wait(struct submission *submission, VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages)
{
   submission->wait_stages[submission->num_waits] = stages;
   submission->waits[submission->num_waits++] = icd_semaphore_next_wait(icd_semaphore_from_handle(semaphore), value);
}

static void add_signal(struct submission *submission, VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages)
{
   submission->signal_stages[submission->num_signals] = stages;
   submission->signals[submission->num_signals++] =
      icd_semaphore_next_signal(icd_semaphore_from_handle(semaphore), value);
}

static void add_stream(struct submission *submission, VkCommandBuffer buffer)
{
   struct rt_cmd_stream *stream = &icd_command_buffer_from_handle(buffer)->stream;
   icd_validate_stream(submission->device, stream);
   submission->streams[submission->num_streams++] = stream;
}

static void add_fence(struct submission *submission, VkFence fence)
{
   if (!fence)
      return;
   submission->fence = icd_fence_timeline(icd_fence_from_handle(fence));
   submission->signal_stages[submission->num_signals] = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
   submission->signals[submission->num_signals++] = (struct rt_wait){submission->fence, 1};
}

/* A submission that failed must leave its semaphores as they were. */
static void undo_semaphores(struct submission *submission)
{
   for (uint32_t i = 0; i < submission->num_signals; i++) {
      if (submission->signals[i].timeline != submission->fence)
         icd_semaphore_undo_signal(&submission->signals[i]);
   }
   for (uint32_t i = 0; i < submission->num_waits; i++)
      icd_semaphore_undo_wait(&submission->waits[i]);
}

/* Submits and gives back the arrays. */
static VkResult submission_run(struct submission *submission, struct icd_queue *queue)
{
   const struct rt_submit submit = {
      .waits = submission->waits,
      .num_waits = submission->num_waits,
      .binds = submission->binds,
      .num_binds = submission->num_binds,
      .streams = submission->streams,
      .num_streams = submission->num_streams,
      .signals = submission->signals,
      .num_signals = submission->num_signals,
      .wait_stages = submission->wait_stages,
      .signal_stages = submission->signal_stages,
   };
   icd_host_caches_submit(submission->device);
   const VkResult result = rt_queue_submit(queue->rt, &submit);
   if (result != VK_SUCCESS) {
      undo_semaphores(submission);
      util_mfree(submission->binds);
   }
   submission_finish(submission);
   return result;
}

/* What fails after a part has been submitted cannot be undone any more. */
static VkResult batch_result(VkResult result, uint32_t index)
{
   return result == VK_SUCCESS || index == 0 ? result : VK_ERROR_DEVICE_LOST;
}

/* A batch without submissions still signals its fence. */
static VkResult submit_fence(struct icd_queue *queue, VkFence fence)
{
   struct submission submission;
   if (!fence)
      return VK_SUCCESS;
   const VkResult result = submission_init(&submission, queue->base.device, 0, 0, 0);
   if (result != VK_SUCCESS)
      return result;
   add_fence(&submission, fence);
   return submission_run(&submission, queue);
}

/* ---- version 1 ---- */

static VkResult submit_1(struct icd_queue *queue, const VkSubmitInfo *info, VkFence fence)
{
   const VkTimelineSemaphoreSubmitInfo *values =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   const uint32_t num_wait_values = values ? values->waitSemaphoreValueCount : 0;
   const uint32_t num_signal_values = values ? values->signalSemaphoreValueCount : 0;
   struct submission submission;

   const VkResult result = submission_init(&submission, queue->base.device, info->waitSemaphoreCount,
                                           info->commandBufferCount, info->signalSemaphoreCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      add_wait(&submission, info->pWaitSemaphores[i], i < num_wait_values ? values->pWaitSemaphoreValues[i] : 0, 
               info->pWaitDstStageMask ? info->pWaitDstStageMask[i] : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   for (uint32_t i = 0; i < info->commandBufferCount; i++)
      add_stream(&submission, info->pCommandBuffers[i]);
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
      add_signal(&submission, info->pSignalSemaphores[i],
                 i < num_signal_values ? values->pSignalSemaphoreValues[i] : 0, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   add_fence(&submission, fence);
   return submission_run(&submission, queue);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo *pSubmits,
                                               VkFence fence)
{
   struct icd_queue *queue = icd_queue_from_handle(_queue);
   for (uint32_t i = 0; i < submitCount; i++) {
      const VkResult result = submit_1(queue, &pSubmits[i], i + 1 == submitCount ? fence : VK_NULL_HANDLE);
      if (result != VK_SUCCESS)
         return batch_result(result, i);
   }
   return submitCount ? VK_SUCCESS : submit_fence(queue, fence);
}

/* ---- version 2 ---- */

static VkResult submit_2(struct icd_queue *queue, const VkSubmitInfo2 *info, VkFence fence)
{
   struct submission submission;
   const VkResult result = submission_init(&submission, queue->base.device, info->waitSemaphoreInfoCount,
                                           info->commandBufferInfoCount, info->signalSemaphoreInfoCount);
   if (result != VK_SUCCESS)
      return result;
   for (uint32_t i = 0; i < info->waitSemaphoreInfoCount; i++)
      add_wait(&submission, info->pWaitSemaphoreInfos[i].semaphore, info->pWaitSemaphoreInfos[i].value,
               info->pWaitSemaphoreInfos[i].stageMask);
   for (uint32_t i = 0; i < info->commandBufferInfoCount; i++)
      add_stream(&submission, info->pCommandBufferInfos[i].commandBuffer);
   for (uint32_t i = 0; i < info->signalSemaphoreInfoCount; i++)
      add_signal(&submission, info->pSignalSemaphoreInfos[i].semaphore, info->pSignalSemaphoreInfos[i].value,
                 info->pSignalSemaphoreInfos[i].stageMask);
   add_fence(&submission, fence);
   return submission_run(&submission, queue);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueSubmit2(VkQueue _queue, uint32_t submitCount, const VkSubmitInfo2 *pSubmits,
                                                VkFence fence)
{
   struct icd_queue *queue = icd_queue_from_handle(_queue);
   for (uint32_t i = 0; i < submitCount; i++) {
      const VkResult result = submit_2(queue, &pSubmits[i], i + 1 == submitCount ? fence : VK_NULL_HANDLE);
      if (result != VK_SUCCESS)
         return batch_result(result, i);
   }
   return submitCount ? VK_SUCCESS : submit_fence(queue, fence);
}

/* ---- sparse binding ---- */

static VkResult submit_sparse(struct icd_queue *queue, const VkBindSparseInfo *info, VkFence fence)
{
   const VkTimelineSemaphoreSubmitInfo *values =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
   const uint32_t num_wait_values = values ? values->waitSemaphoreValueCount : 0;
   const uint32_t num_signal_values = values ? values->signalSemaphoreValueCount : 0;
   struct rt_sparse_bind *binds;
   struct submission submission;
   uint32_t num_binds;

   VkResult result = icd_sparse_collect(info, &binds, &num_binds);
   if (result != VK_SUCCESS)
      return result;
   result = submission_init(&submission, queue->base.device, info->waitSemaphoreCount, 0, info->signalSemaphoreCount);
   if (result != VK_SUCCESS) {
      util_mfree(binds);
      return result;
   }
   submission.binds = binds;
   submission.num_binds = num_binds;
   for (uint32_t i = 0; i < info->waitSemaphoreCount; i++)
      add_wait(&submission, info->pWaitSemaphores[i], i < num_wait_values ? values->pWaitSemaphoreValues[i] : 0,
               VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   for (uint32_t i = 0; i < info->signalSemaphoreCount; i++)
      add_signal(&submission, info->pSignalSemaphores[i], i < num_signal_values ? values->pSignalSemaphoreValues[i] : 0,
                 VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   add_fence(&submission, fence);
   return submission_run(&submission, queue);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueBindSparse(VkQueue _queue, uint32_t bindInfoCount,
                                                   const VkBindSparseInfo *pBindInfo, VkFence fence)
{
   struct icd_queue *queue = icd_queue_from_handle(_queue);
   for (uint32_t i = 0; i < bindInfoCount; i++) {
      const VkResult result = submit_sparse(queue, &pBindInfo[i], i + 1 == bindInfoCount ? fence : VK_NULL_HANDLE);
      if (result != VK_SUCCESS)
         return batch_result(result, i);
   }
   return bindInfoCount ? VK_SUCCESS : submit_fence(queue, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_QueueWaitIdle(VkQueue queue)
{
   const VkResult result = rt_queue_wait_idle(icd_queue_from_handle(queue)->rt);
   icd_instrument_seen_idle(icd_queue_from_handle(queue));
   return result;
}
