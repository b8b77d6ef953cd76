/* SPDX-License-Identifier: MIT
 * Missing barriers between commands: each program without what it needs is reported, with the right class and both commands, its repaired twin not. */
#include "tests/instrument/quiet.h"
#include "tests/instrument/sync_scene.h"
#include "tests/test.h"

#define COMPUTE VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT
#define TRANSFER VK_PIPELINE_STAGE_TRANSFER_BIT
#define SHADER_READ VK_ACCESS_SHADER_READ_BIT
#define SHADER_WRITE VK_ACCESS_SHADER_WRITE_BIT
#define COPY_READ VK_ACCESS_TRANSFER_READ_BIT
#define COPY_WRITE VK_ACCESS_TRANSFER_WRITE_BIT

/* ---- buffers ---- */

static void read_after_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   if (!is_faulty)
      sync_barrier(cmd, COMPUTE, SHADER_WRITE, TRANSFER, COPY_READ);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void read_after_fill(VkCommandBuffer cmd, bool is_faulty)
{
   sync_fill(cmd, &scene.input);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, COMPUTE, SHADER_READ);
   sync_dispatch(cmd, SYNC_READ);
}

static void write_after_read(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_READ);
   if (!is_faulty)
      sync_barrier(cmd, COMPUTE, 0, TRANSFER, 0);
   sync_fill(cmd, &scene.input);
}

static void write_after_write(VkCommandBuffer cmd, bool is_faulty)
{
   sync_fill(cmd, &scene.output);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, TRANSFER, COPY_WRITE);
   sync_fill(cmd, &scene.output);
}

static void execution_alone(VkCommandBuffer cmd, bool is_faulty)
{
   sync_fill(cmd, &scene.output);
   sync_barrier(cmd, TRANSFER, is_faulty ? 0 : COPY_WRITE, COMPUTE, is_faulty ? 0 : SHADER_WRITE);
   sync_dispatch(cmd, SYNC_WRITE);
}

static void other_first_stage(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, is_faulty ? TRANSFER : COMPUTE, VK_ACCESS_MEMORY_WRITE_BIT, TRANSFER, COPY_READ);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void other_second_stage(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, COMPUTE, SHADER_WRITE, is_faulty ? VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT : TRANSFER, VK_ACCESS_MEMORY_READ_BIT);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void other_access(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, COMPUTE, SHADER_WRITE, TRANSFER, is_faulty ? COPY_WRITE : COPY_READ);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void other_buffer(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_buffer_barrier(cmd, is_faulty ? &scene.input : &scene.output, 0, VK_WHOLE_SIZE);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void half_of_the_range(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_buffer_barrier(cmd, &scene.output, 0, is_faulty ? SYNC_WORDS * 2 : SYNC_WORDS * 4);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void overlapping_halves(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 2);
   sync_dispatch_at(cmd, SYNC_CHANGE, is_faulty ? 127 : 128, 1);
}

static void chained(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, COMPUTE, SHADER_WRITE, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, SHADER_READ);
   sync_barrier(cmd, is_faulty ? VK_PIPELINE_STAGE_VERTEX_SHADER_BIT : VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, 0, TRANSFER, COPY_READ);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void arguments_of_a_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, COMPUTE, SHADER_WRITE, is_faulty ? COMPUTE : VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
           is_faulty ? SHADER_READ : VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
   sync_dispatch_at(cmd, SYNC_STORE_TEXELS, 0, 0);
}

/* ---- images ---- */

static void sampled_after_upload(VkCommandBuffer cmd, bool is_faulty)
{
   sync_upload(cmd, &scene.picture, 0, 0, SYNC_EXTENT);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, COMPUTE, SHADER_READ);
   sync_dispatch(cmd, SYNC_SAMPLE);
}

static void between_levels(VkCommandBuffer cmd, bool is_faulty)
{
   sync_blit(cmd, 0);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, TRANSFER, COPY_READ);
   sync_blit(cmd, 1);
}

static void other_level(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_image_scope scope = {TRANSFER, TRANSFER, COPY_WRITE, COPY_READ};
   sync_blit(cmd, 0);
   sync_image_barrier(cmd, &scene.picture, is_faulty ? 2 : 1, 1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL, scope);
   sync_blit(cmd, 1);
}

static void transition_too_early(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_image_scope scope = {is_faulty ? VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT : COMPUTE, TRANSFER, is_faulty ? 0 : SHADER_WRITE, COPY_READ};
   sync_dispatch(cmd, SYNC_STORE_TEXELS);
   sync_image_barrier(cmd, &scene.pixels, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, scope);
}

static void transition_too_late(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_image_scope scope = {TRANSFER, is_faulty ? VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT : COMPUTE, COPY_WRITE, SHADER_READ};
   const struct sync_image_scope back = {COMPUTE, COMPUTE, SHADER_READ, SHADER_READ};
   sync_image_barrier(cmd, &scene.picture, 0, SYNC_LEVELS, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, scope);
   sync_dispatch(cmd, SYNC_SAMPLE);
   sync_image_barrier(cmd, &scene.picture, 0, SYNC_LEVELS, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL, back);
}

static void atlas(VkCommandBuffer cmd, bool is_faulty)
{
   sync_upload(cmd, &scene.picture, 0, 0, 8);
   sync_upload(cmd, &scene.picture, 0, is_faulty ? 7 : 8, 8);
}

static void loaded_after_clear(VkCommandBuffer cmd, bool is_faulty)
{
   const VkClearColorValue zero = {0};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vk.CmdClearColorImage(cmd, scene.pixels.image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, COMPUTE, SHADER_READ);
   sync_dispatch(cmd, SYNC_LOAD_TEXELS);
}

static void downloaded_after_stores(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_STORE_TEXELS);
   if (!is_faulty)
      sync_barrier(cmd, COMPUTE, SHADER_WRITE, TRANSFER, COPY_READ);
   sync_download(cmd, &scene.pixels);
}

static void overwritten_while_sampled(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_SAMPLE);
   if (!is_faulty)
      sync_barrier(cmd, COMPUTE, 0, TRANSFER, 0);
   sync_upload(cmd, &scene.picture, 0, 0, SYNC_EXTENT);
}

/* ---- render passes ---- */

#define COLOR_OUTPUT VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT
#define COLOR_READ VK_ACCESS_COLOR_ATTACHMENT_READ_BIT
#define COLOR_WRITE VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT

static void two_passes(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass_options options = {.load_op = VK_ATTACHMENT_LOAD_OP_LOAD,
                                        .num_dependencies = is_faulty ? 0 : 1,
                                        .dependencies = {{VK_SUBPASS_EXTERNAL, 0, COLOR_OUTPUT, COLOR_OUTPUT, COLOR_WRITE, COLOR_READ | COLOR_WRITE, 0}}};
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_WRITE);
   sync_draw_pass(cmd, sync_make_pass(&options), SYNC_WRITE);
}

static void copied_after_pass(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass_options options = {.load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                        .num_dependencies = is_faulty ? 0 : 1,
                                        .dependencies = {{0, VK_SUBPASS_EXTERNAL, COLOR_OUTPUT, TRANSFER, COLOR_WRITE, COPY_READ, 0}}};
   sync_draw_pass(cmd, sync_make_pass(&options), SYNC_WRITE);
   sync_download(cmd, &scene.target);
}

/* Without a dependency of its own a pass makes its attachments available at the end. */
static void available_by_itself(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass_options options = {.load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                             .num_dependencies = is_faulty ? 1 : 0,
                                             .dependencies = {{0, VK_SUBPASS_EXTERNAL, COLOR_OUTPUT, COLOR_OUTPUT, 0, 0, 0}}};
   sync_draw_pass(cmd, sync_make_pass(&options), SYNC_WRITE);
   sync_barrier(cmd, COLOR_OUTPUT, 0, TRANSFER, COPY_READ);
   sync_download(cmd, &scene.target);
}

static void cleared_while_copied(VkCommandBuffer cmd, bool is_faulty)
{
   sync_download(cmd, &scene.target);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, 0, COLOR_OUTPUT, 0);
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_WRITE);
}

static void depth_used_again(VkCommandBuffer cmd, bool is_faulty)
{
   const VkPipelineStageFlags tests = VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
   const VkAccessFlags accesses = VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
   const struct sync_pass_options first = {.has_depth = true, .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR};
   const struct sync_pass_options second = {.has_depth = true,
                                       .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                       .num_dependencies = 1,
                                       .dependencies = {{VK_SUBPASS_EXTERNAL, 0, COLOR_OUTPUT | (is_faulty ? 0 : tests),
                                                         COLOR_OUTPUT | (is_faulty ? 0 : tests), COLOR_WRITE | accesses, COLOR_WRITE | accesses, 0}}};
   sync_draw_pass(cmd, sync_make_pass(&first), SYNC_WRITE);
   sync_draw_pass(cmd, sync_make_pass(&second), SYNC_WRITE);
}

static void two_subpasses(VkCommandBuffer cmd, const struct sync_pass_options *options)
{
   const struct sync_pass *pass = sync_make_pass(options);
   sync_begin_pass(cmd, pass, SYNC_WRITE);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   sync_vk.CmdNextSubpass(cmd, VK_SUBPASS_CONTENTS_INLINE);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->second);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.input_layout, 0, 2, (VkDescriptorSet[]){scene.set.set, scene.input_set.set}, 0, NULL);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void between_subpasses(VkCommandBuffer cmd, bool is_faulty)
{
   two_subpasses(cmd, &(struct sync_pass_options){
      .has_second_subpass = true,
      .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .num_dependencies = 1,
      .dependencies = {{0, 1, COLOR_OUTPUT, is_faulty ? COLOR_OUTPUT : VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, COLOR_WRITE,
                        is_faulty ? COLOR_READ : VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT}},
   });
}

/* An attachment that is read only is read by tests alone, if there are any. */
static void depth_tested_by_second_subpass(VkCommandBuffer cmd, bool is_faulty)
{
   two_subpasses(cmd, &(struct sync_pass_options){
      .has_depth = true,
      .has_second_subpass = true,
      .tests_depth = is_faulty,
      .load_op = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .num_dependencies = 1,
      .dependencies = {{0, 1, COLOR_OUTPUT | VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                        COLOR_WRITE | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, VK_ACCESS_INPUT_ATTACHMENT_READ_BIT, VK_DEPENDENCY_BY_REGION_BIT}},
   });
}

/* ---- what draws read ---- */

static void vertices_of_a_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   const VkDeviceSize zero = 0;
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, COMPUTE, SHADER_WRITE, is_faulty ? VK_PIPELINE_STAGE_VERTEX_SHADER_BIT : VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
           is_faulty ? SHADER_READ : VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT);
   sync_begin_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_WRITE);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &scene.output.buffer, &zero);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void indices_of_a_copy(VkCommandBuffer cmd, bool is_faulty)
{
   sync_copy(cmd, &scene.indices, &scene.output);
   sync_barrier(cmd, TRANSFER, COPY_WRITE, VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, is_faulty ? VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT : VK_ACCESS_INDEX_READ_BIT);
   sync_begin_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_WRITE);
   vk.CmdBindIndexBuffer(cmd, scene.output.buffer, 0, VK_INDEX_TYPE_UINT16);
   vk.CmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void arguments_of_a_draw(VkCommandBuffer cmd, bool is_faulty)
{
   sync_copy(cmd, &scene.arguments, &scene.output);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
   sync_begin_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_WRITE);
   vk.CmdDrawIndirect(cmd, scene.output.buffer, 0, 1, sizeof(VkDrawIndirectCommand));
   vk.CmdEndRenderPass(cmd);
}

static void read_by_fragments(VkCommandBuffer cmd, bool is_faulty)
{
   sync_fill(cmd, &scene.input);
   sync_barrier(cmd, TRANSFER, COPY_WRITE, is_faulty ? COLOR_OUTPUT : VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, VK_ACCESS_MEMORY_READ_BIT);
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_READ);
}

static void sampled_by_fragments(VkCommandBuffer cmd, bool is_faulty)
{
   sync_upload(cmd, &scene.picture, 0, 0, SYNC_EXTENT);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, SHADER_READ);
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_SAMPLE);
}

static void counted_by_fragments(VkCommandBuffer cmd, bool is_faulty)
{
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_COUNT);
   if (!is_faulty)
      sync_barrier(cmd, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT, SHADER_WRITE, TRANSFER, COPY_READ);
   sync_copy(cmd, &scene.output, &scene.staging);
}

/* Fragments of a pixel are in no order by themselves, those of two draws neither. */
static void stored_by_two_draws(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   sync_begin_pass(cmd, pass, SYNC_CHANGE);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   if (!is_faulty) {
      vk.CmdEndRenderPass(cmd);
      sync_barrier(cmd, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT, VK_ACCESS_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
      sync_begin_pass(cmd, pass, SYNC_CHANGE);
   }
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

/* ---- events ---- */

static void after_event(VkCommandBuffer cmd, bool is_faulty)
{
   const VkPipelineStageFlags stage = is_faulty ? TRANSFER : COMPUTE;
   const VkMemoryBarrier it = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = COPY_READ};
   sync_dispatch(cmd, SYNC_WRITE);
   sync_vk.CmdSetEvent(cmd, scene.event, stage);
   sync_vk.CmdWaitEvents(cmd, 1, &scene.event, stage, TRANSFER, 1, &it, 0, NULL, 0, NULL);
   sync_copy(cmd, &scene.output, &scene.staging);
}

static void behind_event(VkCommandBuffer cmd, bool is_faulty)
{
   const VkMemoryBarrier it = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = SHADER_WRITE, .dstAccessMask = COPY_READ};
   if (is_faulty)
      sync_vk.CmdSetEvent(cmd, scene.event, COMPUTE);
   sync_dispatch(cmd, SYNC_WRITE);
   if (!is_faulty)
      sync_vk.CmdSetEvent(cmd, scene.event, COMPUTE);
   sync_vk.CmdWaitEvents(cmd, 1, &scene.event, COMPUTE, TRANSFER, 1, &it, 0, NULL, 0, NULL);
   sync_copy(cmd, &scene.output, &scene.staging);
}

/* ---- several command buffers, submissions, queues, the host ---- */

/* What is submitted one after the other. */
struct batch {
   VkCommandBuffer cmds[2];
   VkSemaphore semaphore;
};

static void submit(uint32_t queue, uint32_t count, const VkCommandBuffer *cmds, VkSemaphore wait, VkPipelineStageFlags stage, VkSemaphore signal)
{
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .waitSemaphoreCount = wait ? 1 : 0,
                              .pWaitSemaphores = &wait,
                              .pWaitDstStageMask = &stage,
                              .commandBufferCount = count,
                              .pCommandBuffers = cmds,
                              .signalSemaphoreCount = signal ? 1 : 0,
                              .pSignalSemaphores = &signal};
   client_check(vk.QueueSubmit(scene.queues[queue], 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* A dispatch writes in the first command buffer, a copy reads in the second. */
static void record_both(struct batch *batch, bool has_barrier)
{
   sync_dispatch(batch->cmds[0], SYNC_WRITE);
   if (has_barrier)
      sync_barrier(batch->cmds[1], COMPUTE, SHADER_WRITE, TRANSFER, COPY_READ);
   sync_copy(batch->cmds[1], &scene.output, &scene.staging);
   client_end(batch->cmds[0]);
   client_end(batch->cmds[1]);
}

static void two_buffers(struct batch *batch, bool is_faulty)
{
   record_both(batch, !is_faulty);
   submit(0, 2, batch->cmds, VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
}

static void two_submissions(struct batch *batch, bool is_faulty)
{
   record_both(batch, !is_faulty);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
   submit(0, 1, &batch->cmds[1], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
}

static void host_between(struct batch *batch, bool is_faulty)
{
   record_both(batch, false);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
   if (!is_faulty)
      client_check(vk.QueueWaitIdle(scene.queues[0]), "vkQueueWaitIdle");
   submit(0, 1, &batch->cmds[1], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
}

static void two_queues(struct batch *batch, bool is_faulty)
{
   record_both(batch, is_faulty); /* a barrier orders one queue alone */
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, is_faulty ? VK_NULL_HANDLE : batch->semaphore);
   submit(1, 1, &batch->cmds[1], is_faulty ? VK_NULL_HANDLE : batch->semaphore, TRANSFER, VK_NULL_HANDLE);
}

static void semaphore_at_other_stage(struct batch *batch, bool is_faulty)
{
   record_both(batch, false);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, batch->semaphore);
   submit(1, 1, &batch->cmds[1], batch->semaphore, is_faulty ? COLOR_OUTPUT : TRANSFER, VK_NULL_HANDLE);
}

static void semaphore_then_barrier(struct batch *batch, bool is_faulty)
{
   sync_dispatch(batch->cmds[0], SYNC_WRITE);
   sync_barrier(batch->cmds[1], is_faulty ? COMPUTE : COLOR_OUTPUT, 0, TRANSFER, COPY_READ);
   sync_copy(batch->cmds[1], &scene.output, &scene.staging);
   client_end(batch->cmds[0]);
   client_end(batch->cmds[1]);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, batch->semaphore);
   submit(1, 1, &batch->cmds[1], batch->semaphore, COLOR_OUTPUT, VK_NULL_HANDLE);
}

static void host_read(struct batch *batch, bool is_faulty)
{
   const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = scene.output.memory, .size = VK_WHOLE_SIZE};
   sync_dispatch(batch->cmds[0], SYNC_WRITE);
   if (!is_faulty)
      sync_barrier(batch->cmds[0], COMPUTE, SHADER_WRITE, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
   client_end(batch->cmds[0]);
   client_end(batch->cmds[1]);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
   client_check(vk.QueueWaitIdle(scene.queues[0]), "vkQueueWaitIdle");
   client_check(sync_vk.InvalidateMappedMemoryRanges(scene.client.device, 1, &range), "vkInvalidateMappedMemoryRanges");
}

static void host_write(struct batch *batch, bool is_faulty)
{
   const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = scene.input.memory, .size = VK_WHOLE_SIZE};
   sync_dispatch(batch->cmds[0], SYNC_READ);
   client_end(batch->cmds[0]);
   client_end(batch->cmds[1]);
   submit(0, 1, &batch->cmds[0], VK_NULL_HANDLE, 0, VK_NULL_HANDLE);
   if (!is_faulty)
      client_check(vk.QueueWaitIdle(scene.queues[0]), "vkQueueWaitIdle");
   client_check(sync_vk.FlushMappedMemoryRanges(scene.client.device, 1, &range), "vkFlushMappedMemoryRanges");
}

/* ---- aliases ---- */

static void aliased_images(VkCommandBuffer cmd, bool is_faulty)
{
   sync_make_alias();
   sync_upload(cmd, &scene.pixels_alias, 0, 0, SYNC_EXTENT);
   if (!is_faulty)
      sync_barrier(cmd, TRANSFER, COPY_WRITE, COMPUTE, SHADER_READ);
   sync_dispatch(cmd, SYNC_LOAD_TEXELS);
}

/* A barrier of the one image is a barrier of its memory; a layout transition of the other one writes it, too. */
static void transition_of_an_alias(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_image_scope scope = {is_faulty ? VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT : COMPUTE, TRANSFER, SHADER_WRITE, COPY_READ};
   sync_make_alias();
   sync_dispatch(cmd, SYNC_STORE_TEXELS);
   sync_image_barrier(cmd, &scene.pixels_alias, 0, 1, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, scope);
   sync_image_barrier(cmd, &scene.pixels_alias, 0, 1, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL,
                      (struct sync_image_scope){TRANSFER, TRANSFER, 0, 0});
}

/* ---- the corpus ---- */

#define RAW "SANITIZE-sync-read-after-write"
#define WAR "SANITIZE-sync-write-after-read"
#define WAW "SANITIZE-sync-write-after-write"
#define UNFLUSHED "SANITIZE-sync-not-flushed"

static const struct twin {
   const char *name, *id;
   const char *says[3]; /* parts of the message */
   void (*record)(VkCommandBuffer cmd, bool is_faulty);
   void (*run)(struct batch *batch, bool is_faulty); /* instead: records, ends and submits itself */
} twins[] = {
   {"read_after_dispatch", RAW, {"by copy_buffer", "after dispatch", "nothing orders them"}, read_after_dispatch, NULL},
   {"read_after_fill", RAW, {"by dispatch", "after fill_buffer", "in_data[at]"}, read_after_fill, NULL},
   {"write_after_read", WAR, {"by fill_buffer", "after dispatch", "\"the input\" + 0 bytes"}, write_after_read, NULL},
   {"write_after_write", WAW, {"by fill_buffer", "after fill_buffer", "\"the output\""}, write_after_write, NULL},
   {"execution_alone", WAW, {"by dispatch", "does not make the write available", "out_data[at] = 1"}, execution_alone, NULL},
   {"other_first_stage", RAW, {"by copy_buffer", "nothing orders them", "COMPUTE_SHADER"}, other_first_stage, NULL},
   {"other_second_stage", RAW, {"by copy_buffer", "nothing orders them", "TRANSFER_READ"}, other_second_stage, NULL},
   {"other_access", RAW, {"by copy_buffer", "does not make the write visible", "SHADER_STORAGE_WRITE"}, other_access, NULL},
   {"other_buffer", RAW, {"by copy_buffer", "does not make the write available", "\"the output\""}, other_buffer, NULL},
   {"half_of_the_range", RAW, {"by copy_buffer", "after dispatch", "+ 512 bytes"}, half_of_the_range, NULL},
   {"overlapping_halves", RAW, {"out_data[at] += 1", "out_data[at] = 1", "+ 508 bytes"}, overlapping_halves, NULL},
   {"chained", RAW, {"by copy_buffer", "nothing orders them", ""}, chained, NULL},
   {"arguments_of_a_dispatch", RAW, {"by dispatch_indirect", "INDIRECT_COMMAND_READ at stage DRAW_INDIRECT", ""}, arguments_of_a_dispatch, NULL},
   {"sampled_after_upload", RAW, {"SHADER_SAMPLED_READ", "after copy_buffer_to_image", "\"the picture\" level 0"}, sampled_after_upload, NULL},
   {"between_levels", RAW, {"by blit_image", "after blit_image", "\"the picture\" level 1"}, between_levels, NULL},
   {"other_level", RAW, {"by blit_image", "after blit_image", "level 1, layer 0, texel (0, 0)"}, other_level, NULL},
   {"transition_too_early", WAW, {"a layout transition", "imageStore", "\"the pixels\""}, transition_too_early, NULL},
   {"transition_too_late", RAW, {"by dispatch", "a layout transition", "nothing orders them"}, transition_too_late, NULL},
   {"atlas", WAW, {"by copy_buffer_to_image", "after copy_buffer_to_image", ""}, atlas, NULL},
   {"loaded_after_clear", RAW, {"imageLoad", "after clear_color_image", "at stage CLEAR"}, loaded_after_clear, NULL},
   {"downloaded_after_stores", RAW, {"by copy_image_to_buffer", "imageStore", ""}, downloaded_after_stores, NULL},
   {"overwritten_while_sampled", WAR, {"by copy_buffer_to_image", "textureLod", ""}, overwritten_while_sampled, NULL},
   {"two_passes", RAW, {"by begin_rendering", "after end_rendering", "COLOR_ATTACHMENT_READ"}, two_passes, NULL},
   {"copied_after_pass", RAW, {"by copy_image_to_buffer", "after end_rendering", "\"the target\""}, copied_after_pass, NULL},
   {"available_by_itself", RAW, {"by copy_image_to_buffer", "after end_rendering", "does not make the write available"}, available_by_itself, NULL},
   {"cleared_while_copied", WAR, {"by begin_rendering", "after copy_image_to_buffer", ""}, cleared_while_copied, NULL},
   {"depth_used_again", WAW, {"by begin_rendering", "LATE_FRAGMENT_TESTS", "\"the depth\""}, depth_used_again, NULL},
   {"between_subpasses", RAW, {"by draw", "subpassLoad", "INPUT_ATTACHMENT_READ"}, between_subpasses, NULL},
   {"depth_tested_by_second_subpass", RAW, {"DEPTH_STENCIL_ATTACHMENT_READ", "DEPTH_STENCIL_ATTACHMENT_WRITE", ""}, depth_tested_by_second_subpass, NULL},
   {"vertices_of_a_dispatch", RAW, {"by draw", "VERTEX_ATTRIBUTE_READ", "after dispatch"}, vertices_of_a_dispatch, NULL},
   {"indices_of_a_copy", RAW, {"by draw_indexed", "INDEX_READ", "does not make the write visible"}, indices_of_a_copy, NULL},
   {"arguments_of_a_draw", RAW, {"by draw_indirect", "INDIRECT_COMMAND_READ", "after copy_buffer"}, arguments_of_a_draw, NULL},
   {"read_by_fragments", RAW, {"by draw", "FRAGMENT_SHADER", "in_data[offset]"}, read_by_fragments, NULL},
   {"sampled_by_fragments", RAW, {"by draw", "texelFetch", "SHADER_SAMPLED_READ"}, sampled_by_fragments, NULL},
   {"counted_by_fragments", RAW, {"by copy_buffer", "atomicAdd(out_data[0], 1)", ""}, counted_by_fragments, NULL},
   {"stored_by_two_draws", WAW, {"by draw", "after draw", "] = 7"}, stored_by_two_draws, NULL},
   {"after_event", RAW, {"by copy_buffer", "after dispatch", ""}, after_event, NULL},
   {"behind_event", RAW, {"by copy_buffer", "after dispatch", ""}, behind_event, NULL},
   {"two_buffers", RAW, {"by copy_buffer", "after dispatch", ""}, NULL, two_buffers},
   {"two_submissions", RAW, {"by copy_buffer", "after dispatch", ""}, NULL, two_submissions},
   {"host_between", RAW, {"by copy_buffer", "after dispatch", ""}, NULL, host_between},
   {"two_queues", RAW, {"by copy_buffer", "after dispatch", "of queue 1"}, NULL, two_queues},
   {"semaphore_at_other_stage", RAW, {"by copy_buffer", "after dispatch", "of queue 1"}, NULL, semaphore_at_other_stage},
   {"semaphore_then_barrier", RAW, {"by copy_buffer", "after dispatch", "of queue 0"}, NULL, semaphore_then_barrier},
   {"host_read", RAW, {"by the host", "HOST_READ", "after dispatch"}, NULL, host_read},
   {"captured_vertices", RAW, {"by copy_buffer", "after end_xfb", "TRANSFORM_FEEDBACK_WRITE"}, sync_captured_vertices, NULL},
   {"counter_of_capture", RAW, {"by begin_xfb", "after end_xfb", "TRANSFORM_FEEDBACK_COUNTER_WRITE"}, sync_counter_of_capture, NULL},
   {"draw_of_capture", RAW, {"by draw_byte_count", "after end_xfb", "nothing orders them"}, sync_draw_of_capture, NULL},
   {"generated_dispatch", RAW, {"by execute_generated", "after dispatch", "INDIRECT_COMMAND_READ"}, sync_generated_dispatch, NULL},
#ifdef VK_KHR_copy_memory_indirect
   {"parameters_of_a_copy", RAW, {"by copy_indirect", "after fill_buffer", "INDIRECT_COMMAND_READ"}, sync_parameters_of_a_copy, NULL},
#endif
#ifdef VK_EXT_memory_decompression
   {"decompressed", RAW, {"by decompress", "after fill_buffer", "nothing orders them"}, sync_decompressed, NULL},
#endif
   {"converted_matrix", RAW, {"by convert_matrices", "after fill_buffer", "nothing orders them"}, sync_converted_matrix, NULL},
   {"host_write", WAR, {"by the host", "HOST_WRITE", "in_data[at]"}, NULL, host_write},
   {"aliased_images", RAW, {"by dispatch", "after copy_buffer_to_image", "nothing orders them"}, aliased_images, NULL},
   {"transition_of_an_alias", WAW, {"by barrier", "after dispatch", "a layout transition"}, transition_of_an_alias, NULL},
   {"upload_without_flush", UNFLUSHED, {"by copy_buffer", "after the host, HOST_WRITE", "\"the cached words\" + 0 bytes"}, sync_upload_without_flush, NULL},
   {"half_of_the_flush", UNFLUSHED, {"by copy_buffer", "did not flush", "\"the cached words\" + 512 bytes"}, sync_half_of_the_flush, NULL},
   {"late_change", UNFLUSHED, {"by copy_buffer", "TRANSFER_READ", "\"the cached words\" + 400 bytes"}, sync_late_change, NULL},
   {"parameters_without_flush", UNFLUSHED, {"by dispatch", "INDIRECT_COMMAND_READ", "+ 0 bytes"}, sync_parameters_without_flush, NULL},
   {"overwritten", UNFLUSHED, {"by copy_buffer", "did not flush", "+ 0 bytes"}, sync_overwritten, NULL},
};

static void run_batch(const struct twin *twin, bool is_faulty, const VkDebugUtilsLabelEXT *label)
{
   const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   struct batch batch = {.cmds = {client_begin(&scene.client), client_begin(&scene.client)}};
   client_check(sync_vk.CreateSemaphore(scene.client.device, &info, NULL, &batch.semaphore), "vkCreateSemaphore");
   for (uint32_t i = 0; i < 2; i++)
      sync_vk.CmdBeginDebugUtilsLabelEXT(batch.cmds[i], label);
   twin->run(&batch, is_faulty);
   client_check(vk.DeviceWaitIdle(scene.client.device), "vkDeviceWaitIdle");
   sync_vk.DestroySemaphore(scene.client.device, batch.semaphore, NULL);
   vk.FreeCommandBuffers(scene.client.device, scene.client.pool, 2, batch.cmds);
}

static void run_twin(const struct twin *twin, bool is_faulty)
{
   const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = twin->name};
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   memset(&scene.heard, 0, sizeof(scene.heard));
   *(VkDispatchIndirectCommand *)scene.output.map = (VkDispatchIndirectCommand){1, 1, 1};
   client_check(sync_vk.CreateEvent(scene.client.device, &info, NULL, &scene.event), "vkCreateEvent");
   if (twin->run) {
      run_batch(twin, is_faulty, &label);
   } else {
      VkCommandBuffer cmd = client_begin(&scene.client);
      sync_vk.CmdBeginDebugUtilsLabelEXT(cmd, &label);
      twin->record(cmd, is_faulty);
      sync_vk.CmdEndDebugUtilsLabelEXT(cmd);
      client_run(&scene.client, cmd);
   }
   sync_vk.DestroyEvent(scene.client.device, scene.event, NULL);
   sync_destroy_passes();
}

static void complain(const struct twin *twin, const char *what)
{
   printf("%s: %s; reported:\n", twin->name, what);
   for (uint32_t i = 0; i < scene.heard.count; i++)
      printf("   %s\n", scene.heard.message[i]);
   test_fail(__FILE__, __LINE__, twin->name);
}

static void check_faulty(const struct twin *twin)
{
   run_twin(twin, true);
   if (scene.heard.count != 1) {
      complain(twin, "another number of findings");
      return;
   }
   if (strcmp(scene.heard.id[0], twin->id) != 0)
      complain(twin, twin->id);
   for (uint32_t i = 0; i < 3; i++) {
      if (!strstr(scene.heard.message[0], twin->says[i]))
         complain(twin, twin->says[i]);
   }
   if (!strstr(scene.heard.message[0], twin->name))
      complain(twin, "the label is missing");
}

static const char *wanted; /* part of the names of cases; NULL: all */

TEST(corpus)
{
   sync_init();
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      if (wanted && !strstr(twins[i].name, wanted))
         continue;
      check_faulty(&twins[i]);
      quiet_begin();
      run_twin(&twins[i], false);
      if (*quiet_end() || scene.heard.count)
         complain(&twins[i], "the repaired twin is reported, or prints something");
   }
   sync_finish();
}

TEST(cached)
{
   if (wanted)
      return;
   sync_init();
   sync_check_cached();
   CHECK_EQ(scene.heard.count, 0);
   sync_finish();
}

int main(int argc, char **argv)
{
   wanted = argc > 1 ? argv[1] : NULL;
   return test_run_all(1, argv);
}
