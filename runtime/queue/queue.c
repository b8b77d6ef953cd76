/* SPDX-License-Identifier: MIT
 * Queues: a thread each, started at the first submission that has work, that waits, executes, signals.
 *
 * A submission leaves the list before its timelines are signaled: from then on the application may destroy them, so
 * that a device that is being lost must not find them any more. The loss is reported likewise, by the queue's thread
 * when it is through with a submission: to the application VK_ERROR_DEVICE_LOST means that nothing is in use any more.
 * Whoever loses the device only wakes the queues' threads. */
#include "runtime/queue/queue.h"

#include "runtime/texture/block_cache.h"
#include "util/alloc.h"
#include "util/awake.h"
#include "util/size.h"
#include "util/timeline.h"

#include <string.h>

VkResult rt_queue_create(struct rt_device *device, struct rt_queue **queue_out)
{
   struct rt_queue *queue = util_calloc(1, sizeof(*queue));
   if (!queue)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   queue->device = device;
   util_list_init(&queue->link);
   util_list_init(&queue->submissions);
   if (!util_mutex_init(&queue->lock))
      goto free_queue;
   if (!util_cond_init(&queue->submitted))
      goto finish_lock;
   if (!util_cond_init(&queue->drained))
      goto finish_submitted;
   if (!rt_executor_init(&queue->executor, queue))
      goto finish_drained;
   rt_device_add_queue(device, queue);
   *queue_out = queue;
   return VK_SUCCESS;

finish_drained:
   pthread_cond_destroy(&queue->drained);
finish_submitted:
   pthread_cond_destroy(&queue->submitted);
finish_lock:
   pthread_mutex_destroy(&queue->lock);
free_queue:
   util_mfree(queue);
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

void rt_queue_destroy(struct rt_queue *queue)
{
   if (!queue)
      return;
   pthread_mutex_lock(&queue->lock);
   queue->is_quitting = true;
   atomic_fetch_add_explicit(&queue->num_submitted, 1, memory_order_release);
   const bool is_started = queue->is_started;
   pthread_cond_signal(&queue->submitted);
   pthread_mutex_unlock(&queue->lock);
   if (is_started)
      pthread_join(queue->thread, NULL);

   rt_device_remove_queue(queue->device, queue);
   rt_executor_finish(&queue->executor);
   pthread_cond_destroy(&queue->drained);
   pthread_cond_destroy(&queue->submitted);
   pthread_mutex_destroy(&queue->lock);
   util_mfree(queue);
}

/* ---- following submissions: `sync` ---- */

/* NULL: nobody looks, or memory is out: then what it does counts as done by others. */
static struct rt_followed_submission *follow_submission(struct rt_queue *queue, const struct rt_submit *submit)
{
   const struct rt_watch *watch = queue->executor.watch;
   const size_t num_waits = submit->wait_stages ? submit->num_waits : 0, num_signals = submit->signal_stages ? submit->num_signals : 0;
   const size_t stages_bytes = (num_waits + num_signals) * sizeof(VkPipelineStageFlags2); /* which stand in memory already */
   const size_t presents_bytes = submit->num_presents * sizeof(*submit->presents);
   struct rt_followed_submission *followed =
      watch ? util_malloc(util_size_add(sizeof(*followed), util_size_add(stages_bytes, presents_bytes))) : NULL;
   if (!followed)
      return NULL;
   rt_hazards_submit(watch->hazards, watch->queue, &followed->id);
   followed->wait_stages = num_waits ? followed->stages : NULL;
   followed->signal_stages = num_signals ? followed->stages + num_waits : NULL;
   for (size_t i = 0; i < num_waits; i++)
      followed->stages[i] = submit->wait_stages[i];
   for (size_t i = 0; i < num_signals; i++)
      followed->stages[num_waits + i] = submit->signal_stages[i];
   struct rt_presented *presents = (struct rt_presented *)((char *)followed->stages + stages_bytes);
   for (uint32_t i = 0; i < submit->num_presents; i++)
      presents[i] = submit->presents[i];
   followed->presents = presents;
   followed->num_presents = submit->num_presents;
   return followed;
}

static void begin_followed(struct rt_queue *queue, const struct rt_submission *submission)
{
   struct rt_followed_submission *followed = submission->followed;
   if (!followed)
      return;
   rt_hazards_wait(queue->executor.watch->hazards, &followed->id, submission->waits, followed->wait_stages, submission->num_waits);
   rt_watch_begin(queue->executor.watch, &followed->id);
   if (followed->num_presents)
      rt_hazards_present(queue->executor.watch->hazards, &followed->id, rt_executor_next_order(&queue->executor), submission->waits, submission->num_waits,
                         followed->presents, followed->num_presents);
}

static void end_followed(struct rt_queue *queue, const struct rt_submission *submission)
{
   struct rt_followed_submission *followed = submission->followed;
   if (followed)
      rt_hazards_signal(queue->executor.watch->hazards, &followed->id, submission->signals, followed->signal_stages, submission->num_signals);
   util_mfree(followed);
}

/* ---- the thread ---- */

static void signal_all(const struct rt_wait *signals, uint32_t count, bool is_lost)
{
   for (uint32_t i = 0; i < count; i++) {
      if (is_lost)
         rt_timeline_lose(signals[i].timeline);
      else
         rt_timeline_signal(signals[i].timeline, signals[i].value);
   }
}

static void run_binds(struct rt_queue *queue, const struct rt_sparse_bind *binds, uint32_t count)
{
   for (uint32_t i = 0; i < count && !rt_device_is_lost(queue->device); i++) {
      if (!rt_sparse_bind(&binds[i]))
         rt_device_lose(queue->device, "the system cannot map more memory to sparse resources (vm.max_map_count)");
   }
}

static void run_submission(struct rt_queue *queue, const struct rt_submission *submission)
{
   /* A lost device ends the waits. */
   const bool *is_lost = rt_device_lost_flag(queue->device);
   const uint64_t wait_ns = submission->num_waits ? util_timeline_begin() : 0;
   if (rt_timeline_wait_in_queue(submission->waits, submission->num_waits, is_lost) != VK_SUCCESS)
      rt_device_lose(queue->device, "a wait of a submission failed");
   util_timeline_end(wait_ns, "wait", "for semaphores");
   const uint64_t begin_ns = util_timeline_begin();
   begin_followed(queue, submission);
   run_binds(queue, submission->binds, submission->num_binds);
   if (!rt_device_is_lost(queue->device))
      rt_executor_run(&queue->executor, submission->streams, submission->num_streams);
   util_timeline_end(begin_ns, "submission", "submission");
}

/* Under the lock, which is given back meanwhile: until there may be something to do. */
static void wait_for_submission(struct rt_queue *queue, struct util_awake *awake)
{
   const uint32_t seen = atomic_load_explicit(&queue->num_submitted, memory_order_relaxed);
   pthread_mutex_unlock(&queue->lock);
   (void)util_awake_look(awake, &queue->num_submitted, seen);
   pthread_mutex_lock(&queue->lock);
   if (atomic_load_explicit(&queue->num_submitted, memory_order_relaxed) == seen)
      pthread_cond_wait(&queue->submitted, &queue->lock);
}

static void *queue_main(void *arg)
{
   struct rt_queue *queue = arg;
   struct util_awake awake = {0};
   pthread_mutex_lock(&queue->lock);
   for (;;) {
      if (util_list_is_empty(&queue->submissions)) {
         if (queue->is_quitting)
            break;
         wait_for_submission(queue, &awake);
         continue;
      }
      struct rt_submission *submission = UTIL_LIST_ENTRY(queue->submissions.next, struct rt_submission, link);
      queue->is_busy = true;
      pthread_mutex_unlock(&queue->lock);

      run_submission(queue, submission);

      pthread_mutex_lock(&queue->lock);
      util_list_remove(&submission->link);
      pthread_mutex_unlock(&queue->lock);
      end_followed(queue, submission);
      signal_all(submission->signals, submission->num_signals, rt_device_work_was_lost(queue->device));
      util_mfree(submission->binds);
      util_mfree(submission);

      pthread_mutex_lock(&queue->lock);
      queue->is_busy = false;
      queue->num_finished++;
      if (util_list_is_empty(&queue->submissions))
         pthread_cond_broadcast(&queue->drained);
   }
   pthread_mutex_unlock(&queue->lock);
   rt_block_cache_forget(); /* its worker is finished by another thread */
   return NULL;
}

/* ---- submitting ---- */

static struct rt_submission *copy_submission(const struct rt_submit *submit)
{
   const size_t waits_bytes = submit->num_waits * sizeof(*submit->waits);
   const size_t signals_bytes = submit->num_signals * sizeof(*submit->signals);
   const size_t streams_bytes = submit->num_streams * sizeof(*submit->streams);
   struct rt_submission *submission = util_malloc(util_size_add(sizeof(*submission), util_size_add(waits_bytes, util_size_add(signals_bytes, streams_bytes))));
   if (!submission)
      return NULL;

   char *waits = (char *)(submission + 1), *signals = waits + waits_bytes, *streams = signals + signals_bytes;
   if (waits_bytes)
      memcpy(waits, submit->waits, waits_bytes);
   if (signals_bytes)
      memcpy(signals, submit->signals, signals_bytes);
   if (streams_bytes)
      memcpy(streams, submit->streams, streams_bytes);
   *submission = (struct rt_submission){
      .num_waits = submit->num_waits,
      .num_binds = submit->num_binds,
      .binds = submit->binds,
      .num_streams = submit->num_streams,
      .num_signals = submit->num_signals,
      .waits = (const struct rt_wait *)waits,
      .signals = (const struct rt_wait *)signals,
      .streams = (struct rt_cmd_stream *const *)streams,
   };
   return submission;
}

static bool is_idle(const struct rt_queue *queue)
{
   return util_list_is_empty(&queue->submissions) && !queue->is_busy;
}

/* Nothing to execute, nothing to wait for, nothing before it: done in the caller's thread. */
static bool submit_at_once(struct rt_queue *queue, const struct rt_submit *submit)
{
   if (submit->num_streams || submit->num_binds || queue->executor.watch)
      return false;
   pthread_mutex_lock(&queue->lock);
   const bool is_next = is_idle(queue);
   pthread_mutex_unlock(&queue->lock);
   if (!is_next || rt_timeline_wait(submit->waits, submit->num_waits, false, 0) != VK_SUCCESS)
      return false;
   signal_all(submit->signals, submit->num_signals, false);
   return true;
}

VkResult rt_queue_submit(struct rt_queue *queue, const struct rt_submit *submit)
{
   if (rt_device_is_lost(queue->device))
      return VK_ERROR_DEVICE_LOST;
   if (submit_at_once(queue, submit))
      return VK_SUCCESS;
   struct rt_submission *submission = copy_submission(submit);
   if (!submission)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   submission->followed = follow_submission(queue, submit);

   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&queue->lock);
   if (!queue->is_started)
      queue->is_started = util_thread_start(&queue->thread, "vk-queue", queue_main, queue);
   /* Under the lock: either this sees the loss, or the loss sees the submission. */
   if (rt_device_is_lost(queue->device))
      result = VK_ERROR_DEVICE_LOST;
   else if (!queue->is_started)
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   else {
      util_list_add_before(&submission->link, &queue->submissions);
      atomic_fetch_add_explicit(&queue->num_submitted, 1, memory_order_release);
   }
   pthread_mutex_unlock(&queue->lock);

   if (result == VK_SUCCESS) {
      pthread_cond_signal(&queue->submitted);
   } else {
      util_mfree(submission->followed);
      util_mfree(submission);
   }
   return result;
}

VkResult rt_queue_wait_idle(struct rt_queue *queue)
{
   const uint64_t begin_ns = util_timeline_begin();
   pthread_mutex_lock(&queue->lock);
   while (!is_idle(queue))
      pthread_cond_wait(&queue->drained, &queue->lock);
   pthread_mutex_unlock(&queue->lock);
   util_timeline_end(begin_ns, "wait", "until a queue is idle");
   return rt_device_is_lost(queue->device) ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

uint32_t rt_queue_num_submitted(const struct rt_queue *queue)
{
   return atomic_load_explicit(&queue->num_submitted, memory_order_acquire);
}

bool rt_queue_has_finished(struct rt_queue *queue, uint32_t number)
{
   pthread_mutex_lock(&queue->lock);
   const bool has_finished = (int32_t)(queue->num_finished - number) >= 0;
   pthread_mutex_unlock(&queue->lock);
   return has_finished;
}

void rt_queue_seen_idle(struct rt_queue *queue)
{
   const struct rt_watch *watch = queue->executor.watch;
   if (watch)
      rt_hazards_seen_idle(watch->hazards, watch->queue);
}
