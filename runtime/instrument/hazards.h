/* SPDX-License-Identifier: MIT
 * `sync`: accesses of two commands to the same bytes that no dependency orders. One for a device.
 * Spec: Synchronization and Cache Control. A read needs the write before it to be visible; a write needs the reads before it to be over, and the
 * write before it to be over and available. Atomic operations do not conflict with each other.
 *
 * Accesses come in the order in which a queue executes them; those of several queues in any order. What the host has seen to be done (a fence, a
 * semaphore, an idle queue) is before all that it submits later.
 * Owns: copies of sites and labels. Threads: everything is thread-safe. */
#pragma once

#include "runtime/instrument/instrument.h"
#include "runtime/instrument/marks.h"
#include "runtime/instrument/order.h"
#include "runtime/sync/sync.h"

struct rt_hazards;
struct rt_uses;

/* How far the host knew each queue to be when it submitted; and itself. */
struct rt_known {
   uint64_t submissions[RT_MAX_ORDERED_QUEUES];
};

/* Of a queue: from its submission on. */
struct rt_submission_id {
   uint32_t queue;
   uint64_t number; /* on its queue, from 1 on */
   struct rt_known known;
   struct rt_known done; /* what else is over when it is: what it waited for */
};

struct rt_hazard_access {
   uint64_t order;     /* of the command: rt_finding.order */
   uint64_t rendering; /* which it belongs to; 0: none */
   VkPipelineStageFlags2 stages; /* one */
   VkAccessFlags2 accesses;      /* one, or those that it may count as */
   bool is_write, is_atomic;
   bool is_attachment; /* of a rendering, whose draws are ordered with it */
   const struct abi_site *site; /* of a shader, or one that stands for the command */
   const char *label;
};

/* NULL: memory is out. */
UTIL_MUST_CHECK struct rt_hazards *rt_hazards_create(struct rt_findings *findings);
void rt_hazards_destroy(struct rt_hazards *hazards);

/* Where probes go; of the same lifetime. */
struct rt_uses *rt_hazards_uses(const struct rt_hazards *hazards);
/* A number for a queue, from 0 on. */
uint32_t rt_hazards_queue(struct rt_hazards *hazards);

/* ---- the host ---- */

/* Another submission of the queue. */
void rt_hazards_submit(struct rt_hazards *hazards, uint32_t queue, struct rt_submission_id *id);
/* The host has seen the timeline reach the value; or the queue to be idle. */
void rt_hazards_seen(struct rt_hazards *hazards, const struct rt_timeline *timeline, uint64_t value);
void rt_hazards_seen_idle(struct rt_hazards *hazards, uint32_t queue);
/* The host reads or writes the bytes, as far as it says so. */
void rt_hazards_host(struct rt_hazards *hazards, uint64_t begin, uint64_t end, bool is_write);
/* The host has written the bytes, but to a cache of its own, and submits: the device does not see it. */
void rt_hazards_unflushed(struct rt_hazards *hazards, const struct rt_byte_range *ranges, uint32_t count);
/* The memory is gone. */
void rt_hazards_forget(struct rt_hazards *hazards, uint64_t begin, uint64_t end);

/* ---- presentation ---- */

/* The image of a swapchain is given to the application, which may use it after the signals. */
void rt_hazards_acquire(struct rt_hazards *hazards, const struct rt_presented *image, const struct rt_wait *signals, uint32_t count);
/* The submission presents images after its waits: what was written to them must be over. `order`: rt_finding.order. */
void rt_hazards_present(struct rt_hazards *hazards, const struct rt_submission_id *id, uint64_t order, const struct rt_wait *waits, uint32_t num_waits,
                        const struct rt_presented *images, uint32_t count);

/* ---- queues ---- */

void rt_hazards_access(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_hazard_access *access, struct rt_marks *bytes);
/* Dependencies of one command, with masks as the API has them. `transition`: the image's bytes, which change their layout; 0: none does. */
struct rt_dependency {
   VkPipelineStageFlags2 src_stages, dst_stages;
   VkAccessFlags2 src_accesses, dst_accesses;
   uint32_t num_ranges; /* 0: all memory */
   const struct rt_byte_range *ranges;
   bool is_transition; /* of those ranges */
   VkImageLayout layout; /* the image's from then on; VK_IMAGE_LAYOUT_UNDEFINED: it stays what it is */
};
/* `event`: what they wait for; NULL: they are barriers. `access`: who it is, for transitions. */
void rt_hazards_depend(struct rt_hazards *hazards, const struct rt_submission_id *id, const void *event, const struct rt_dependency *dependencies,
                       uint32_t count, const struct rt_hazard_access *access);
void rt_hazards_set_event(struct rt_hazards *hazards, const struct rt_submission_id *id, const void *event, VkPipelineStageFlags2 stages);
/* At the submission's begin and end. `stages` NULL: all. */
void rt_hazards_wait(struct rt_hazards *hazards, struct rt_submission_id *id, const struct rt_wait *waits, const VkPipelineStageFlags2 *stages,
                     uint32_t count);
void rt_hazards_signal(struct rt_hazards *hazards, const struct rt_submission_id *id, const struct rt_wait *signals,
                       const VkPipelineStageFlags2 *stages, uint32_t count);
