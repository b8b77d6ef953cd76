/* SPDX-License-Identifier: MIT
 * Implicit images of several samples. Their texels are memory of the stream that nobody touches where tiles can do with their own. */
#include "icd/cmd/implicit_samples.h"

#include "icd/cmd/barrier.h"
#include "icd/cmd/dependency.h"
#include "util/size.h"

#include <string.h>

/* The view is whole, as that of an attachment: messages ask it for its format. */
struct implicit {
   struct rt_image image;
   struct icd_image_view view;
};

static struct implicit *make(struct rt_cmd_stream *stream, const struct icd_image_view *of, VkImageAspectFlagBits aspect, uint32_t samples)
{
   const uint32_t index = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
   const VkExtent3D extent = {of->extent.width, of->extent.height, 1};
   const VkComponentMapping identity = {0};
   struct implicit *implicit = rt_cmd_data(stream, NULL, sizeof(*implicit));
   if (!implicit)
      return NULL;
   memset(implicit, 0, sizeof(*implicit));
   if (rt_image_init(&implicit->image, VK_IMAGE_TYPE_2D, of->format, extent, 1, of->num_layers, samples, true, SIZE_MAX / 2) != VK_SUCCESS) {
      stream->is_out_of_memory = true;
      return NULL;
   }
   const uint64_t align_bytes = implicit->image.align_bytes;
   uint8_t *texels = rt_cmd_data(stream, NULL, util_size_add(implicit->image.size_bytes, align_bytes));
   if (!texels)
      return NULL;
   rt_image_bind(&implicit->image, (uint8_t *)(uintptr_t)util_align((uintptr_t)texels, align_bytes));
   implicit->view.format = of->format;
   rt_image_view_init(&implicit->view.attachment[index], &implicit->image, VK_IMAGE_VIEW_TYPE_2D_ARRAY, of->format, identity, aspect, 0, 1, 0,
                      of->num_layers, 0);
   return implicit;
}

/* Between what the application orders as accesses of an attachment and the copy that they are. */
static void order(struct icd_command_buffer *buffer)
{
   const VkMemoryBarrier2 all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                 .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                 .srcAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
                                 .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                 .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT};
   const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &all};
   icd_note_dependency(buffer, NULL, &info);
   icd_append_barrier(&buffer->stream, &icd_full_barrier);
}

/* Each texel of the area to all its samples. */
static void load(struct icd_command_buffer *buffer, const struct implicit *implicit, const struct icd_image_view *view, VkImageAspectFlagBits aspect,
                 const VkRect2D *area)
{
   const int64_t right = (int64_t)area->offset.x + area->extent.width, bottom = (int64_t)area->offset.y + area->extent.height;
   const int32_t x = UTIL_MAX(area->offset.x, 0), y = UTIL_MAX(area->offset.y, 0);
   const int64_t width = UTIL_MIN(right, (int64_t)view->extent.width) - x, height = UTIL_MIN(bottom, (int64_t)view->extent.height) - y;
   if (width <= 0 || height <= 0)
      return;
   VkImageCopy *region = rt_cmd_data(&buffer->stream, NULL, sizeof(*region));
   order(buffer);
   struct rt_cmd_copy_image *cmd = region ? RT_CMD_APPEND(&buffer->stream, copy_image) : NULL;
   if (!cmd)
      return;
   *region = (VkImageCopy){
      .srcSubresource = {aspect, view->base_level, view->base_layer, view->num_layers},
      .srcOffset = {x, y, 0},
      .dstSubresource = {aspect, 0, 0, view->num_layers},
      .dstOffset = {x, y, 0},
      .extent = {(uint32_t)width, (uint32_t)height, 1},
   };
   cmd->src = &view->image->rt;
   cmd->dst = &implicit->image;
   cmd->num_regions = 1;
   cmd->regions = region;
   order(buffer);
}

VkResolveModeFlagBits icd_color_resolve_mode(const struct abi_image *view)
{
   return rt_format_info((VkFormat)view->format)->is_int ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_AVERAGE_BIT;
}

void icd_implicit_samples(struct icd_command_buffer *buffer, struct rt_attachment *attachment, const struct icd_image_view *view,
                          VkImageAspectFlagBits aspect, const VkRect2D *area, uint32_t samples, VkResolveModeFlagBits mode)
{
   const bool is_count = samples > 1 && samples <= 16 && !(samples & (samples - 1));
   const bool is_stored = attachment->store_op == VK_ATTACHMENT_STORE_OP_STORE;
   if (!is_count || !attachment->view || !attachment->view->data || attachment->view->num_samples != 1)
      return;
   const struct implicit *implicit = make(&buffer->stream, view, aspect, samples);
   if (!implicit)
      return;
   if (attachment->load_op == VK_ATTACHMENT_LOAD_OP_LOAD || attachment->load_op == VK_ATTACHMENT_LOAD_OP_NONE) {
      load(buffer, implicit, view, aspect, area);
      attachment->load_op = VK_ATTACHMENT_LOAD_OP_LOAD; /* what is not loaded is kept, so it has to be there when all is resolved */
   }
   attachment->resolve_view = is_stored ? attachment->view : NULL;
   attachment->resolve_mode = is_stored ? mode : VK_RESOLVE_MODE_NONE;
   attachment->store_op = VK_ATTACHMENT_STORE_OP_DONT_CARE;
   attachment->view = &implicit->view.attachment[aspect == VK_IMAGE_ASPECT_STENCIL_BIT];
}
