/* SPDX-License-Identifier: MIT
 * What barriers and waits say of their scopes, and labels, for the check `sync` and for printed streams alone: execution needs only to know that there
 * is a barrier (barrier.h). Nothing here does anything while both are off. */
#pragma once

#include "icd/command_buffer.h"

/* With a barrier, before it is appended; `event` (NULL: a barrier) with each wait for one, after it is appended. */
void icd_note_dependency(struct icd_command_buffer *buffer, const struct rt_timeline *event, const VkDependencyInfo *info);
/* The same of the older form. */
struct icd_old_dependency {
   VkPipelineStageFlags src_stages, dst_stages;
   uint32_t num_memory, num_buffers, num_images;
   const VkMemoryBarrier *memory;
   const VkBufferMemoryBarrier *buffers;
   const VkImageMemoryBarrier *images;
};
void icd_note_old_dependency(struct icd_command_buffer *buffer, const struct rt_timeline *event, const struct icd_old_dependency *old);
/* Dependencies of the render pass that end in a subpass, or from inside in VK_SUBPASS_EXTERNAL. */
void icd_note_pass_dependencies(struct icd_command_buffer *buffer, const struct icd_render_pass *pass, uint32_t dst_subpass);
/* Of the attachments of the render pass that ends: the layouts that they have then. */
void icd_note_final_layouts(struct icd_command_buffer *buffer);
/* Opens a debug label, or closes it: NULL. */
void icd_note_label(struct icd_command_buffer *buffer, const char *text);
