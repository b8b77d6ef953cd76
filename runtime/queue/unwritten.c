/* SPDX-License-Identifier: MIT */
#include "runtime/queue/unwritten.h"

#include "runtime/cmd/cmd.h"
#include "runtime/instrument/written.h"

static const struct rt_attachment *attachment_at(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   if (index == ABI_ATTACHMENT_DEPTH)
      return &begin->depth;
   if (index == ABI_ATTACHMENT_STENCIL)
      return &begin->stencil;
   return index < begin->num_colors ? &begin->colors[index] : NULL;
}

static const struct abi_image *view_at(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   const struct rt_attachment *attachment = attachment_at(begin, index);
   return attachment && attachment->view && attachment->view->data ? attachment->view : NULL;
}

/* What is in the area is gone. */
static void forget(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   rt_unwritten_area(view_at(begin, index), &begin->area, begin->num_layers, begin->view_mask);
}

void rt_attachments_begin(struct rt_attachments *attachments, const struct rt_cmd_begin_rendering *begin)
{
   attachments->begin = begin;
   for (uint32_t i = 0; i < ABI_NUM_ATTACHMENTS && !begin->is_resuming; i++) {
      if (view_at(begin, i) && attachment_at(begin, i)->load_op == VK_ATTACHMENT_LOAD_OP_DONT_CARE)
         forget(begin, i);
   }
}

static bool is_discarded(const struct rt_cmd_begin_rendering *begin, uint32_t index)
{
   return view_at(begin, index) && attachment_at(begin, index)->store_op == VK_ATTACHMENT_STORE_OP_DONT_CARE;
}

bool rt_attachments_wait(const struct rt_attachments *attachments)
{
   const struct rt_cmd_begin_rendering *begin = attachments->begin;
   bool waits = false;
   for (uint32_t i = 0; begin && i < ABI_NUM_ATTACHMENTS; i++)
      waits |= is_discarded(begin, i);
   return begin && !begin->is_suspending && waits;
}

void rt_attachments_end(struct rt_attachments *attachments)
{
   for (uint32_t i = 0; i < ABI_NUM_ATTACHMENTS; i++) {
      if (is_discarded(attachments->begin, i))
         forget(attachments->begin, i);
   }
   attachments->begin = NULL;
}
