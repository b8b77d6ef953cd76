/* SPDX-License-Identifier: MIT
 * A queue as the runtime sees it inside: its thread, its submissions, its executor.
 * Spec: Devices and Queues, "Queues"; Command Buffers, "Queue Forward Progress". */
#pragma once

#include "runtime/device.h"
#include "runtime/queue/executor.h"
#include "util/list.h"

/* What `sync` knows of a submission. */
struct rt_followed_submission {
   struct rt_submission_id id;
   const VkPipelineStageFlags2 *wait_stages, *signal_stages; /* NULL: all */
   const struct rt_presented *presents;                      /* behind the stages */
   uint32_t num_presents;
   VkPipelineStageFlags2 stages[];                           /* both */
};

struct rt_submission {
   struct util_list link;
   uint32_t num_waits, num_binds, num_streams, num_signals;
   struct rt_sparse_bind *binds; /* an allocation of its own */
   const struct rt_wait *waits, *signals; /* both, and streams, behind this struct in the same allocation */
   struct rt_cmd_stream *const *streams;
   struct rt_followed_submission *followed; /* an allocation of its own; NULL: nobody looks for missing barriers */
};

struct rt_queue {
   struct rt_device *device;
   struct util_list link; /* in the device's list, under its lock */
   pthread_t thread;
   struct rt_executor executor; /* the thread's */

   _Atomic uint32_t num_submitted; /* written under lock, also once at the end */
   pthread_mutex_t lock;
   /* Under lock: */
   pthread_cond_t submitted, drained;
   struct util_list submissions; /* the first one is executing, if is_busy */
   bool is_started, is_busy, is_quitting;
   uint32_t num_finished; /* of num_submitted */
   struct rt_timeline *const *events; /* what the executing stream waits for; NULL: nothing */
   uint32_t num_events;
};

/* device.c */
void rt_device_add_queue(struct rt_device *device, struct rt_queue *queue);
void rt_device_remove_queue(struct rt_device *device, struct rt_queue *queue);

/* ---- loss.c ---- */

/* The executor's: it waits for these from now on; count 0: no longer. */
void rt_queue_note_events(struct rt_queue *queue, struct rt_timeline *const *events, uint32_t count);
/* After the device is lost: ends the waits of this queue's submissions, so that its thread reports the loss. */
void rt_queue_lose(struct rt_queue *queue);
