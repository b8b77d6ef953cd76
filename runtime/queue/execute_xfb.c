/* SPDX-License-Identifier: MIT
 * Transform feedback: which buffers, and from when to when. What it writes: runtime/geometry/xfb.h.
 * Spec: Fixed-Function Vertex Post-Processing, "Transform Feedback". */
#include "runtime/device.h"
#include "runtime/queue/executor.h"

#include <string.h>

/* What was captured before is written, and its end known. */
static void flush(struct rt_executor *executor)
{
   if (executor->is_rendering && rt_render_flush_xfb(executor->render) != VK_SUCCESS)
      rt_device_lose(executor->device, "out of memory for transform feedback");
}

void rt_execute_bind_xfb_buffers(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_bind_xfb_buffers *bind = (const struct rt_cmd_bind_xfb_buffers *)cmd;
   flush(executor);
   for (uint32_t i = 0; i < bind->count; i++)
      executor->xfb.buffers[bind->first + i] =
         (struct rt_xfb_buffer){.data = bind->ranges[i].data, .size_bytes = bind->ranges[i].size_bytes};
}

void rt_execute_begin_xfb(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_begin_xfb *begin = (const struct rt_cmd_begin_xfb *)cmd;
   flush(executor);
   rt_executor_await_geometry(executor);
   for (uint32_t i = 0; i < ABI_MAX_XFB_BUFFERS; i++) {
      uint32_t at = 0;
      if (begin->counters[i])
         memcpy(&at, begin->counters[i], sizeof(at));
      executor->xfb.buffers[i].begin_bytes = executor->xfb.buffers[i].at_bytes = at; /* beyond the buffer nothing is written */
   }
   executor->draw.xfb = &executor->xfb;
   executor->draw.dirty |= RT_DIRTY_CONTEXT;
}

void rt_execute_end_xfb(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_end_xfb *end = (const struct rt_cmd_end_xfb *)cmd;
   flush(executor);
   for (uint32_t i = 0; i < ABI_MAX_XFB_BUFFERS; i++) {
      const struct rt_xfb_buffer *buffer = &executor->xfb.buffers[i];
      const uint32_t at = (uint32_t)buffer->at_bytes;
      if (UTIL_UNLIKELY(executor->watch && buffer->data))
         rt_watch_captured(executor->watch, buffer->data + buffer->begin_bytes, buffer->data + UTIL_MIN(buffer->at_bytes, buffer->size_bytes));
      if (end->counters[i])
         memcpy(end->counters[i], &at, sizeof(at));
   }
   executor->draw.xfb = NULL;
   executor->draw.dirty |= RT_DIRTY_CONTEXT;
}
