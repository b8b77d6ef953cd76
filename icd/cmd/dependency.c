/* SPDX-License-Identifier: MIT */
#include "icd/cmd/dependency.h"

#include "icd/chain.h"
#include "icd/instrument/instrument.h"
#include "icd/render_pass.h"
#include "icd/resource/buffer.h"
#include "icd/resource/image.h"
#include "icd/resource/image_range.h"
#include "icd/resource/image_view.h"
#include "runtime/instrument/areas.h"

#include <string.h>

static bool is_followed(void)
{
   return icd_checks() & (ABI_CHECK_SYNC | ABI_CHECK_UNINIT) || util_debug(UTIL_DEBUG_CMD);
}

/* Scopes in the stream, filled one after the other. */
struct scopes {
   struct icd_command_buffer *buffer;
   struct rt_cmd_scope *scopes; /* NULL: memory is out */
   uint32_t count;
};

static struct scopes begin(struct icd_command_buffer *buffer, uint32_t count)
{
   return (struct scopes){buffer, rt_cmd_data(&buffer->stream, NULL, UTIL_MAX(count, 1u) * sizeof(struct rt_cmd_scope)), 0};
}

static void append(const struct scopes *scopes, const struct rt_timeline *event)
{
   struct rt_cmd_dependency *cmd = scopes->scopes && scopes->count ? RT_CMD_APPEND(&scopes->buffer->stream, dependency) : NULL;
   if (!cmd)
      return;
   cmd->event = event;
   cmd->count = scopes->count;
   cmd->scopes = scopes->scopes;
}

static struct rt_cmd_scope *add(struct scopes *scopes, VkPipelineStageFlags2 src_stages, VkAccessFlags2 src_accesses, VkPipelineStageFlags2 dst_stages,
                                VkAccessFlags2 dst_accesses)
{
   struct rt_cmd_scope *scope = &scopes->scopes[scopes->count++];
   *scope = (struct rt_cmd_scope){.src_stages = src_stages, .dst_stages = dst_stages, .src_accesses = src_accesses, .dst_accesses = dst_accesses};
   return scope;
}

/* Memory that is not there is none, not all. */
static void set_ranges(const struct scopes *scopes, struct rt_cmd_scope *scope, const struct rt_byte_range *ranges, uint32_t count)
{
   static const uint64_t none[1][2];
   uint64_t (*copy)[2] = count ? rt_cmd_data(&scopes->buffer->stream, NULL, count * sizeof(*copy)) : NULL;
   for (uint32_t i = 0; copy && i < count; i++) {
      copy[i][0] = ranges[i].begin;
      copy[i][1] = ranges[i].end;
   }
   scope->ranges = copy ? (const uint64_t (*)[2])copy : none;
   scope->num_ranges = copy ? count : 1;
}

static void set_buffer(const struct scopes *scopes, struct rt_cmd_scope *scope, VkBuffer handle, VkDeviceSize offset, VkDeviceSize size)
{
   const struct icd_buffer *buffer = icd_buffer_from_handle(handle);
   const uint64_t begin = (uintptr_t)buffer->data + offset;
   set_ranges(scopes, scope, &(struct rt_byte_range){begin, begin + icd_buffer_range(buffer, offset, size)}, buffer->data != NULL);
}

/* An acquiring half of an ownership transfer makes the transition that the releasing half has made. */
static void set_image(const struct scopes *scopes, struct rt_cmd_scope *scope, VkImage handle, const VkImageSubresourceRange *range,
                      const VkImageLayout layouts[2], const uint32_t families[2])
{
   const struct icd_image *image = icd_image_from_handle(handle);
   const VkImageSubresourceRange resolved = icd_image_range(image, range);
   const bool is_acquired = families[0] != families[1] && families[1] == scopes->buffer->pool->family;
   struct rt_areas areas;
   rt_areas_of_subresources(&areas, &image->rt, &resolved);
   set_ranges(scopes, scope, areas.ranges, areas.count);
   scope->is_transition = layouts[0] != layouts[1] && !is_acquired && areas.count;
   scope->is_discarding = scope->is_transition && layouts[0] == VK_IMAGE_LAYOUT_UNDEFINED;
   scope->layout = layouts[1];
}

void icd_note_dependency(struct icd_command_buffer *buffer, const struct rt_timeline *event, const VkDependencyInfo *info)
{
   if (!is_followed())
      return;
   uint32_t count = info->memoryBarrierCount + info->bufferMemoryBarrierCount + info->imageMemoryBarrierCount;
#ifdef VK_KHR_device_address_commands
   const VkMemoryRangeBarriersInfoKHR *ranges = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_MEMORY_RANGE_BARRIERS_INFO_KHR);
   count += ranges ? ranges->memoryRangeBarrierCount : 0;
#endif
   struct scopes scopes = begin(buffer, count);
   for (uint32_t i = 0; scopes.scopes && i < info->memoryBarrierCount; i++) {
      const VkMemoryBarrier2 *it = &info->pMemoryBarriers[i];
      (void)add(&scopes, it->srcStageMask, it->srcAccessMask, it->dstStageMask, it->dstAccessMask);
   }
   for (uint32_t i = 0; scopes.scopes && i < info->bufferMemoryBarrierCount; i++) {
      const VkBufferMemoryBarrier2 *it = &info->pBufferMemoryBarriers[i];
      struct rt_cmd_scope *scope = add(&scopes, it->srcStageMask, it->srcAccessMask, it->dstStageMask, it->dstAccessMask);
      set_buffer(&scopes, scope, it->buffer, it->offset, it->size);
   }
   for (uint32_t i = 0; scopes.scopes && i < info->imageMemoryBarrierCount; i++) {
      const VkImageMemoryBarrier2 *it = &info->pImageMemoryBarriers[i];
      struct rt_cmd_scope *scope = add(&scopes, it->srcStageMask, it->srcAccessMask, it->dstStageMask, it->dstAccessMask);
      set_image(&scopes, scope, it->image, &it->subresourceRange, (VkImageLayout[]){it->oldLayout, it->newLayout},
                (uint32_t[]){it->srcQueueFamilyIndex, it->dstQueueFamilyIndex});
   }
#ifdef VK_KHR_device_address_commands
   for (uint32_t i = 0; scopes.scopes && ranges && i < ranges->memoryRangeBarrierCount; i++) {
      const VkMemoryRangeBarrierKHR *it = &ranges->pMemoryRangeBarriers[i];
      struct rt_cmd_scope *scope = add(&scopes, it->srcStageMask, it->srcAccessMask, it->dstStageMask, it->dstAccessMask);
      set_ranges(&scopes, scope, &(struct rt_byte_range){it->addressRange.address, it->addressRange.address + it->addressRange.size}, 1);
   }
#endif
   append(&scopes, event);
}

void icd_note_old_dependency(struct icd_command_buffer *buffer, const struct rt_timeline *event, const struct icd_old_dependency *old)
{
   if (!is_followed())
      return;
   /* Without memory it is still one of execution. */
   struct scopes scopes = begin(buffer, 1 + old->num_memory + old->num_buffers + old->num_images);
   if (scopes.scopes)
      (void)add(&scopes, old->src_stages, 0, old->dst_stages, 0);
   for (uint32_t i = 0; scopes.scopes && i < old->num_memory; i++)
      (void)add(&scopes, old->src_stages, old->memory[i].srcAccessMask, old->dst_stages, old->memory[i].dstAccessMask);
   for (uint32_t i = 0; scopes.scopes && i < old->num_buffers; i++) {
      const VkBufferMemoryBarrier *it = &old->buffers[i];
      struct rt_cmd_scope *scope = add(&scopes, old->src_stages, it->srcAccessMask, old->dst_stages, it->dstAccessMask);
      set_buffer(&scopes, scope, it->buffer, it->offset, it->size);
   }
   for (uint32_t i = 0; scopes.scopes && i < old->num_images; i++) {
      const VkImageMemoryBarrier *it = &old->images[i];
      struct rt_cmd_scope *scope = add(&scopes, old->src_stages, it->srcAccessMask, old->dst_stages, it->dstAccessMask);
      set_image(&scopes, scope, it->image, &it->subresourceRange, (VkImageLayout[]){it->oldLayout, it->newLayout},
                (uint32_t[]){it->srcQueueFamilyIndex, it->dstQueueFamilyIndex});
   }
   append(&scopes, event);
}

void icd_note_pass_dependencies(struct icd_command_buffer *buffer, const struct icd_render_pass *pass, uint32_t dst_subpass)
{
   static const VkAccessFlags2 attachments = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT |
                                             VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                                             VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
   if (!is_followed())
      return;
   struct scopes scopes = begin(buffer, pass->num_dependencies + 1);
   /* Spec: Render Pass Creation: the implicit one, which orders nothing but makes available. */
   if (scopes.scopes && dst_subpass == VK_SUBPASS_EXTERNAL && !pass->waits_at_end)
      (void)add(&scopes, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, attachments, VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, 0);
   for (uint32_t i = 0; scopes.scopes && i < pass->num_dependencies; i++) {
      const struct icd_pass_dependency *it = &pass->dependencies[i];
      if (it->dst_subpass == dst_subpass && it->src_subpass != dst_subpass)
         (void)add(&scopes, it->src_stages, it->src_accesses, it->dst_stages, it->dst_accesses);
   }
   append(&scopes, NULL);
}

/* Those of the attachments, which orders nothing. */
void icd_note_final_layouts(struct icd_command_buffer *buffer)
{
   const struct icd_pass_state *state = &buffer->pass;
   if (!(icd_checks() & ABI_CHECK_SYNC))
      return;
   struct scopes scopes = begin(buffer, state->pass->num_attachments);
   for (uint32_t i = 0; scopes.scopes && i < state->pass->num_attachments; i++) {
      const struct icd_image_view *view = state->views[i];
      struct rt_areas areas;
      if (!view || state->pass->attachments[i].last_subpass == UINT32_MAX)
         continue;
      rt_areas_of_view(&areas, &view->attachment[0]);
      struct rt_cmd_scope *scope = add(&scopes, 0, 0, 0, 0);
      set_ranges(&scopes, scope, areas.ranges, areas.count);
      scope->layout = state->pass->attachments[i].final_layout;
   }
   append(&scopes, NULL);
}

void icd_note_label(struct icd_command_buffer *buffer, const char *text)
{
   if (!is_followed())
      return;
   const char *copy = text ? rt_cmd_data(&buffer->stream, text, strlen(text) + 1) : NULL;
   struct rt_cmd_label *cmd = copy || !text ? RT_CMD_APPEND(&buffer->stream, label) : NULL;
   if (cmd)
      cmd->text = copy;
}
