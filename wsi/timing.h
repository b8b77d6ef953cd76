/* SPDX-License-Identifier: MIT
 * When frames passed the stages of presenting: a queue of a swapchain that holds a record from the request until the application takes it.
 * Spec: VK_EXT_present_timing. All times are of CLOCK_MONOTONIC, in nanoseconds.
 * Threads: under the swapchain's lock. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT, which older headers do not have. */
#define WSI_TIMING_QUEUE_FULL ((VkResult)-1000208000)

/* What a swapchain can time; a stage's number is that of its bit in VkPresentStageFlagsEXT. */
enum wsi_timed_stage {
   WSI_TIMED_RENDERED, /* VK_PRESENT_STAGE_QUEUE_OPERATIONS_END_BIT_EXT */
   WSI_TIMED_DEQUEUED, /* VK_PRESENT_STAGE_REQUEST_DEQUEUED_BIT_EXT: the frame goes to the window system */
   WSI_NUM_TIMED_STAGES,
   WSI_NUM_STAGES = 4, /* that may be asked for: the others have no time */
};

/* What a request asks for. */
struct wsi_timing_request {
   uint32_t stages; /* a set of 1 << stage; 0: no record */
   uint64_t target; /* nanoseconds and the number of the clock, as the application gave them */
   uint64_t domain;
};

struct wsi_timing {
   uint64_t serial; /* which record it is; not 0 */
   uint64_t present_id;
   struct wsi_timing_request asked;
   uint64_t times_ns[WSI_NUM_STAGES]; /* 0: not known, or never reached */
   bool is_complete;
};

struct wsi_timing_queue {
   struct wsi_timing *records; /* [max_count]: in the order of the requests */
   uint32_t count, max_count;
   uint64_t last_serial;
};

void wsi_timing_queue_finish(struct wsi_timing_queue *queue);
/* VK_NOT_READY: more records are there than that; VK_ERROR_OUT_OF_HOST_MEMORY. The queue stays as it was then. */
UTIL_MUST_CHECK VkResult wsi_timing_queue_resize(struct wsi_timing_queue *queue, uint32_t max_count);
/* The new record's serial; 0: the queue is full. */
uint64_t wsi_timing_begin(struct wsi_timing_queue *queue, uint64_t present_id, const struct wsi_timing_request *asked);
/* A serial of 0 is ignored. */
void wsi_timing_note(struct wsi_timing_queue *queue, uint64_t serial, enum wsi_timed_stage stage, uint64_t time_ns);
void wsi_timing_end(struct wsi_timing_queue *queue, uint64_t serial);

/* Calls `take` for up to *count complete records and forgets them; a NULL `take` only counts. *count: how many they were.
 * takes_any_order: also those behind one that is not complete. VK_INCOMPLETE if there are more. */
VkResult wsi_timing_take(struct wsi_timing_queue *queue, bool takes_any_order, uint32_t *count,
                         void (*take)(void *data, uint32_t index, const struct wsi_timing *timing), void *data);
