/* SPDX-License-Identifier: MIT
 * Render passes, recorded subpass by subpass as renderings: an attachment's load operations happen in the first subpass
 * that uses it, its store operations in the last.
 * Spec: Render Pass, "Render Pass Commands". */
#include "gen/icd_entrypoints.h"
#include "icd/chain.h"
#include "icd/cmd/barrier.h"
#include "icd/cmd/density_offsets.h"
#include "icd/cmd/dependency.h"
#include "icd/cmd/implicit_samples.h"
#include "icd/command_buffer.h"
#include "icd/device/shading_rate.h"
#include "icd/framebuffer.h"
#include "icd/render_pass.h"

#include <string.h>

static const struct icd_subpass *current_subpass(const struct icd_pass_state *state)
{
   return &state->pass->subpasses[state->subpass];
}

/* Bits of the views that a subpass renders; bit 0 without multiview. */
static uint32_t views_of(const struct icd_subpass *subpass)
{
   return subpass->view_mask ? subpass->view_mask : 1;
}

/* ---- attachments of one subpass ---- */

/* The load operation in this subpass: the attachment's own unless it has been used (or cleared) before. */
static VkAttachmentLoadOp load_op(const struct icd_pass_state *state, uint32_t index, VkAttachmentLoadOp op)
{
   return state->seen_views[index] & views_of(current_subpass(state)) ? VK_ATTACHMENT_LOAD_OP_LOAD : op;
}

static VkAttachmentStoreOp store_op(const struct icd_pass_state *state, uint32_t index, VkAttachmentStoreOp op)
{
   return state->subpass == state->pass->attachments[index].last_subpass ? op : VK_ATTACHMENT_STORE_OP_STORE;
}

static const struct abi_image *view_of(const struct icd_pass_state *state, uint32_t index, VkImageAspectFlagBits aspect)
{
   return index < state->pass->num_attachments ? icd_image_view_attachment(state->views[index], aspect) : NULL;
}

static struct rt_attachment color_attachment(const struct icd_pass_state *state, uint32_t index, uint32_t resolve)
{
   const struct abi_image *view = view_of(state, index, VK_IMAGE_ASPECT_COLOR_BIT);
   if (!view)
      return (struct rt_attachment){0};
   const struct icd_pass_attachment *info = &state->pass->attachments[index];
   struct rt_attachment attachment = {
      .view = view,
      .resolve_view = view_of(state, resolve, VK_IMAGE_ASPECT_COLOR_BIT),
      .load_op = load_op(state, index, info->load_op),
      .store_op = store_op(state, index, info->store_op),
      .clear = state->clears[index],
   };
   if (attachment.resolve_view) {
      attachment.resolve_mode = icd_color_resolve_mode(view);
      attachment.resolves_encoded = state->pass->attachments[resolve].resolves_encoded;
   }
   return attachment;
}

static struct rt_attachment depth_stencil_attachment(const struct icd_pass_state *state, VkImageAspectFlagBits aspect)
{
   const struct icd_subpass *subpass = current_subpass(state);
   const uint32_t index = subpass->depth_stencil;
   const struct abi_image *view = view_of(state, index, aspect);
   if (!view)
      return (struct rt_attachment){0};
   const bool is_depth = aspect == VK_IMAGE_ASPECT_DEPTH_BIT;
   const struct icd_pass_attachment *info = &state->pass->attachments[index];
   struct rt_attachment attachment = {
      .view = view,
      .load_op = load_op(state, index, is_depth ? info->load_op : info->stencil_load_op),
      .store_op = store_op(state, index, is_depth ? info->store_op : info->stencil_store_op),
      .resolve_mode = is_depth ? subpass->depth_resolve_mode : subpass->stencil_resolve_mode,
      .clear = state->clears[index],
      .is_read_only = is_depth ? subpass->reads_depth_only : subpass->reads_stencil_only,
   };
   if (attachment.resolve_mode != VK_RESOLVE_MODE_NONE)
      attachment.resolve_view = view_of(state, subpass->depth_stencil_resolve, aspect);
   return attachment;
}

/* ---- dependencies ---- */

/* Those with the subpass as their second, or VK_SUBPASS_EXTERNAL; with what orders the attachments of subpasses: load operations may be renderings of
 * their own. All that come from outside count at the beginning. */
static void append_dependencies(struct icd_command_buffer *buffer, uint32_t dst_subpass)
{
   const struct icd_render_pass *pass = buffer->pass.pass;
   const bool is_between = dst_subpass && dst_subpass != VK_SUBPASS_EXTERNAL;
   struct icd_barrier barrier = {0};
   for (uint32_t i = 0; i < pass->num_dependencies; i++) {
      const struct icd_pass_dependency *it = &pass->dependencies[i];
      const bool is_from_outside = it->src_subpass == VK_SUBPASS_EXTERNAL;
      if (dst_subpass ? it->dst_subpass == dst_subpass && !is_from_outside && it->src_subpass != dst_subpass : is_from_outside)
         icd_barrier_add(&barrier, it->src_stages, it->dst_stages);
   }
   if (dst_subpass == VK_SUBPASS_EXTERNAL && pass->hands_over && !pass->waits_at_end)
      icd_barrier_add(&barrier, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
   if (is_between)
      icd_barrier_add(&barrier, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT);
   icd_append_barrier(&buffer->stream, &barrier);
}

/* ---- clears of what a subpass uses, but does not render to all of at its beginning ---- */

/* Clears the views of an attachment that nothing has used yet, by a rendering of its own. */
static void clear_unseen(struct icd_command_buffer *buffer, uint32_t index)
{
   struct icd_pass_state *state = &buffer->pass;
   if (index >= state->pass->num_attachments)
      return;
   const struct icd_pass_attachment *info = &state->pass->attachments[index];
   const uint32_t unseen = views_of(current_subpass(state)) & ~state->seen_views[index];
   const bool clears = info->load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
   const bool clears_stencil = info->stencil_load_op == VK_ATTACHMENT_LOAD_OP_CLEAR;
   const struct rt_attachment clear = {
      .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .store_op = VK_ATTACHMENT_STORE_OP_STORE,
      .clear = state->clears[index],
   };

   state->seen_views[index] |= unseen;
   if (!unseen || !(clears || clears_stencil))
      return;
   struct rt_cmd_begin_rendering *begin = RT_CMD_APPEND(&buffer->stream, begin_rendering);
   if (!begin)
      return;
   begin->area = state->area;
   begin->is_load = true;
   begin->num_layers = state->num_layers;
   begin->view_mask = current_subpass(state)->view_mask ? unseen : 0;
   begin->num_colors = 1;
   begin->colors[0] = begin->depth = begin->stencil = clear;
   begin->colors[0].view = clears ? view_of(state, index, VK_IMAGE_ASPECT_COLOR_BIT) : NULL;
   begin->depth.view = clears ? view_of(state, index, VK_IMAGE_ASPECT_DEPTH_BIT) : NULL;
   begin->stencil.view = clears_stencil ? view_of(state, index, VK_IMAGE_ASPECT_STENCIL_BIT) : NULL;
   (void)RT_CMD_APPEND(&buffer->stream, end_rendering);
   icd_append_barrier(&buffer->stream, &icd_full_barrier);
}

/* Views seen in an earlier subpass and others not: the load operation is due for these only. */
static void clear_if_partly_seen(struct icd_command_buffer *buffer, uint32_t index)
{
   const struct icd_pass_state *state = &buffer->pass;
   if (index < state->pass->num_attachments && state->seen_views[index] & views_of(current_subpass(state)))
      clear_unseen(buffer, index);
}

static bool renders_to(const struct icd_subpass *subpass, uint32_t index)
{
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      if (subpass->colors[i] == index)
         return true;
   }
   return subpass->depth_stencil == index;
}

static void clear_before_subpass(struct icd_command_buffer *buffer)
{
   const struct icd_subpass *subpass = current_subpass(&buffer->pass);
   for (uint32_t i = 0; i < subpass->num_inputs; i++) {
      if (!renders_to(subpass, subpass->inputs[i]))
         clear_unseen(buffer, subpass->inputs[i]);
   }
   for (uint32_t i = 0; i < subpass->num_colors; i++)
      clear_if_partly_seen(buffer, subpass->colors[i]);
   clear_if_partly_seen(buffer, subpass->depth_stencil);
   /* A resolve may leave one of depth and stencil alone. Of a colour attachment it writes all that a clear would. */
   clear_unseen(buffer, subpass->depth_stencil_resolve);
   clear_unseen(buffer, subpass->rates);
}

static void mark_seen(const struct icd_pass_state *state, uint32_t index)
{
   if (index < state->pass->num_attachments)
      state->seen_views[index] |= views_of(current_subpass(state));
}

static struct rt_rate_attachment rate_attachment(const struct icd_pass_state *state)
{
   const struct icd_subpass *subpass = current_subpass(state);
   if (subpass->rates >= state->pass->num_attachments)
      return (struct rt_rate_attachment){0};
   const struct icd_image_view *view = state->views[subpass->rates];
   return subpass->has_density ? icd_density_attachment(view, state->extent, subpass->view_mask != 0 || subpass->has_layered_density)
                               : icd_rate_attachment(view, subpass->rate_texel);
}

/* ---- subpasses ---- */

struct subpass_attachments {
   struct rt_attachment colors[ABI_MAX_ATTACHMENTS];
   struct rt_attachment depth, stencil;
};

/* Attachments of one sample that are rendered to with more. */
static void add_samples(struct icd_command_buffer *buffer, struct subpass_attachments *attachments)
{
   const struct icd_pass_state *state = &buffer->pass;
   const struct icd_subpass *subpass = current_subpass(state);
   const uint32_t samples = subpass->implicit_samples, depth = subpass->depth_stencil;
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      struct rt_attachment *color = &attachments->colors[i];
      const uint32_t index = subpass->colors[i];
      if (!color->view)
         continue;
      color->resolves_encoded |= state->pass->attachments[index].resolves_encoded;
      icd_implicit_samples(buffer, color, state->views[index], VK_IMAGE_ASPECT_COLOR_BIT, &state->area, samples,
                           icd_color_resolve_mode(color->view));
   }
   if (attachments->depth.view)
      icd_implicit_samples(buffer, &attachments->depth, state->views[depth], VK_IMAGE_ASPECT_DEPTH_BIT, &state->area, samples,
                           subpass->depth_resolve_mode);
   if (attachments->stencil.view)
      icd_implicit_samples(buffer, &attachments->stencil, state->views[depth], VK_IMAGE_ASPECT_STENCIL_BIT, &state->area, samples,
                           subpass->stencil_resolve_mode);
}

static void begin_subpass(struct icd_command_buffer *buffer)
{
   struct icd_pass_state *state = &buffer->pass;
   const struct icd_subpass *subpass = current_subpass(state);
   struct subpass_attachments attachments;

   clear_before_subpass(buffer);
   for (uint32_t i = 0; i < subpass->num_colors; i++)
      attachments.colors[i] = color_attachment(state, subpass->colors[i], subpass->resolves[i]);
   attachments.depth = depth_stencil_attachment(state, VK_IMAGE_ASPECT_DEPTH_BIT);
   attachments.stencil = depth_stencil_attachment(state, VK_IMAGE_ASPECT_STENCIL_BIT);
   if (subpass->implicit_samples)
      add_samples(buffer, &attachments);
   struct rt_cmd_begin_rendering *begin = RT_CMD_APPEND(&buffer->stream, begin_rendering);
   if (!begin)
      return;
   begin->area = state->area;
   begin->num_layers = state->num_layers;
   begin->view_mask = subpass->view_mask;
   begin->subpass = state->subpass + 1;
   begin->num_colors = subpass->num_colors;
   memcpy(begin->colors, attachments.colors, subpass->num_colors * sizeof(begin->colors[0]));
   begin->depth = attachments.depth;
   begin->stencil = attachments.stencil;
   begin->is_dithered = subpass->is_dithered;
   begin->rates = rate_attachment(state);
   icd_density_offsets_add(buffer, &begin->rates);
   for (uint32_t i = 0; i < subpass->num_colors; i++) {
      mark_seen(state, subpass->colors[i]);
      mark_seen(state, subpass->resolves[i]);
   }
   mark_seen(state, subpass->depth_stencil);
}

static void end_subpass(struct icd_command_buffer *buffer)
{
   (void)RT_CMD_APPEND(&buffer->stream, end_rendering);
}

/* False when memory is out. */
static bool pass_state_init(struct icd_command_buffer *buffer, const VkRenderPassBeginInfo *info)
{
   const VkRenderPassAttachmentBeginInfo *imageless =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
   const struct icd_framebuffer *framebuffer = icd_framebuffer_from_handle(info->framebuffer);
   const struct icd_render_pass *pass = icd_render_pass_from_handle(info->renderPass);
   const size_t count = UTIL_MAX(pass->num_attachments, 1);
   const struct icd_image_view **views = rt_cmd_data(&buffer->stream, NULL, count * sizeof(*views));
   VkClearValue *clears = rt_cmd_data(&buffer->stream, NULL, count * sizeof(*clears));
   uint32_t *seen_views = rt_cmd_data(&buffer->stream, NULL, count * sizeof(*seen_views));
   if (!views || !clears || !seen_views)
      return false;

   memset(clears, 0, count * sizeof(*clears));
   memset(seen_views, 0, count * sizeof(*seen_views));
   for (uint32_t i = 0; i < pass->num_attachments; i++) {
      if (i < info->clearValueCount)
         clears[i] = info->pClearValues[i];
      if (i < framebuffer->num_attachments)
         views[i] = framebuffer->attachments[i];
      else if (imageless && i < imageless->attachmentCount)
         views[i] = icd_image_view_from_handle(imageless->pAttachments[i]);
      else
         views[i] = NULL;
   }
   buffer->pass = (struct icd_pass_state){
      .pass = pass,
      .area = info->renderArea,
      .extent = framebuffer->extent,
      .num_layers = framebuffer->num_layers,
      .views = views,
      .clears = clears,
      .seen_views = seen_views,
   };
   return true;
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                   const VkRenderPassBeginInfo *pRenderPassBegin,
                                                   const VkSubpassBeginInfo *pSubpassBeginInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   if (!pass_state_init(buffer, pRenderPassBegin))
      return;
   icd_density_offsets_begin(buffer);
   icd_note_pass_dependencies(buffer, buffer->pass.pass, 0);
   append_dependencies(buffer, 0);
   begin_subpass(buffer);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdNextSubpass2(VkCommandBuffer commandBuffer,
                                               const VkSubpassBeginInfo *pSubpassBeginInfo,
                                               const VkSubpassEndInfo *pSubpassEndInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   if (!buffer->pass.pass)
      return; /* memory was out at the beginning */
   end_subpass(buffer);
   icd_note_pass_dependencies(buffer, buffer->pass.pass, buffer->pass.subpass + 1);
   append_dependencies(buffer, buffer->pass.subpass + 1);
   buffer->pass.subpass++;
   begin_subpass(buffer);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndRenderPass2(VkCommandBuffer commandBuffer, const VkSubpassEndInfo *pSubpassEndInfo)
{
   struct icd_command_buffer *buffer = icd_command_buffer_from_handle(commandBuffer);
   if (!buffer->pass.pass)
      return; /* memory was out at the beginning */
   icd_density_offsets_end(buffer, pSubpassEndInfo ? pSubpassEndInfo->pNext : NULL);
   end_subpass(buffer);
   icd_note_pass_dependencies(buffer, buffer->pass.pass, VK_SUBPASS_EXTERNAL);
   icd_note_final_layouts(buffer);
   append_dependencies(buffer, VK_SUBPASS_EXTERNAL);
   buffer->pass = (struct icd_pass_state){0};
}

VKAPI_ATTR void VKAPI_CALL icd_CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                  const VkRenderPassBeginInfo *pRenderPassBegin,
                                                  VkSubpassContents contents)
{
   icd_CmdBeginRenderPass2(commandBuffer, pRenderPassBegin, NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdNextSubpass(VkCommandBuffer commandBuffer, VkSubpassContents contents)
{
   icd_CmdNextSubpass2(commandBuffer, NULL, NULL);
}

VKAPI_ATTR void VKAPI_CALL icd_CmdEndRenderPass(VkCommandBuffer commandBuffer)
{
   icd_CmdEndRenderPass2(commandBuffer, NULL);
}
