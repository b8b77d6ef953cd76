/* SPDX-License-Identifier: MIT
 * `uninit` of attachments: which of a rendering's attachments nobody has written, and which draws read them nevertheless: by blending, logic operations
 * and tests. As for images, an attachment counts as written as soon as anything was written into it. Spec: Render Pass, "Load Operations", "Store
 * Operations"; The Framebuffer. Threads: the queue's. */
#pragma once

#include "runtime/instrument/instrument.h"
#include "runtime/state.h"

struct rt_cmd_begin_rendering;
struct rt_cmd_clear_attachments;

struct rt_attachments {
   const struct rt_cmd_begin_rendering *begin; /* the rendering in hand; NULL: there is none */
   uint32_t unwritten; /* bit set of ABI_NUM_ATTACHMENTS */
   uint32_t read_first; /* of those that draws write whose shaders read attachments: they count as written when the rendering is over */
};

/* Before the rendering is executed, when no shader runs: says what its load operations make of the shadows of its attachments. */
void rt_attachments_begin(struct rt_attachments *attachments, const struct rt_cmd_begin_rendering *begin);
void rt_attachments_clear(struct rt_attachments *attachments, const struct rt_cmd_clear_attachments *clear);
/* Before a draw. `order`: as rt_finding.order. */
void rt_attachments_draw(struct rt_attachments *attachments, const struct rt_state *state, const struct rt_shader *fragment, uint64_t order,
                         struct rt_findings *findings);
/* True if rt_attachments_end() is to be called when all work of the rendering is over: a store operation leaves nothing, for example. */
bool rt_attachments_wait(const struct rt_attachments *attachments);
void rt_attachments_end(struct rt_attachments *attachments);
