/* SPDX-License-Identifier: MIT
 * `uninit` of attachments: of which texels load and store operations leave nothing. What is cleared, drawn and read tiles say: fragment/unwritten.h. Spec:
 * Render Pass, "Load Operations", "Store Operations". Threads: the queue's. */
#pragma once

#include "runtime/instrument/instrument.h"

struct rt_cmd_begin_rendering;

struct rt_attachments {
   const struct rt_cmd_begin_rendering *begin; /* the rendering in hand; NULL: there is none */
};

/* Before the rendering is executed, when no shader runs. */
void rt_attachments_begin(struct rt_attachments *attachments, const struct rt_cmd_begin_rendering *begin);
/* True if rt_attachments_end() is to be called when all work of the rendering is over: a store operation leaves nothing. */
bool rt_attachments_wait(const struct rt_attachments *attachments);
void rt_attachments_end(struct rt_attachments *attachments);
