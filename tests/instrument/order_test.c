/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG=order=…: commands without a barrier between them run in another order, so that what a program gets that lacks one is another result, on
 * one thread, too; its repaired twin has the same one as ever. */
#include "tests/instrument/sync_scene.h"
#include "tests/test.h"

#include <string.h>

#include "order_race_comp.h"
#include "order_race_frag.h"

enum { GUARD = 9, RACE_EXTENT = 256 };

static struct {
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkShaderModule comp, frag;
   VkPipeline dispatch, draw;
} racing;

static void order(VkCommandBuffer cmd, bool is_faulty)
{
   if (!is_faulty)
      client_barrier(cmd);
}

static void two_dispatches(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   order(cmd, is_faulty);
   sync_dispatch(cmd, SYNC_CHANGE);
}

static void dispatch_after_fill(VkCommandBuffer cmd, bool is_faulty)
{
   sync_fill(cmd, &scene.output);
   order(cmd, is_faulty);
   sync_dispatch(cmd, SYNC_CHANGE);
}

static void copy_of_a_copy(VkCommandBuffer cmd, bool is_faulty)
{
   sync_copy(cmd, &scene.staging, &scene.input);
   order(cmd, is_faulty);
   sync_copy(cmd, &scene.input, &scene.output);
}

static void upload_of_a_texel(VkCommandBuffer cmd, bool is_faulty)
{
   sync_upload(cmd, &scene.pixels, 0, 0, SYNC_EXTENT);
   order(cmd, is_faulty);
   sync_dispatch_at(cmd, SYNC_LOAD_TEXELS, 0, 1);
}

/* Fragments store 7 where the kernel stores 1. */
static void draw_after_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   sync_dispatch(cmd, SYNC_WRITE);
   order(cmd, is_faulty);
   sync_draw_pass(cmd, sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR), SYNC_CHANGE);
}

static VkDeviceAddress address_of(uint32_t word)
{
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = scene.output.buffer};
   return sync_vk.GetBufferDeviceAddress(scene.client.device, &where) + word * 4;
}

enum { PARAMETERS = 240 }; /* words of the output from there on */

static void generated_after_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   const VkGeneratedCommandsPipelineInfoEXT with = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = scene.compute};
   const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                            .pNext = &with,
                                            .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                            .indirectCommandsLayout = scene.generated,
                                            .indirectAddress = address_of(PARAMETERS),
                                            .indirectAddressSize = sizeof(VkDispatchIndirectCommand),
                                            .maxSequenceCount = 1};
   const VkDispatchIndirectCommand groups = {1, 1, 1};
   vk.CmdUpdateBuffer(cmd, scene.output.buffer, PARAMETERS * 4, sizeof(groups), &groups);
   client_barrier(cmd);
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 1);
   order(cmd, is_faulty);
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, 8, (const uint32_t[2]){SYNC_CHANGE, 0});
   sync_vk.CmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info);
}

#ifdef VK_KHR_copy_memory_indirect
static void indirect_copy_after_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   const VkCopyMemoryIndirectCommandKHR copy = {address_of(64), address_of(0), 4};
   const VkCopyMemoryIndirectInfoKHR info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
                                             .copyCount = 1,
                                             .copyAddressRange = {address_of(PARAMETERS), sizeof(copy), sizeof(copy)}};
   vk.CmdUpdateBuffer(cmd, scene.output.buffer, PARAMETERS * 4, sizeof(copy), &copy);
   client_barrier(cmd);
   sync_dispatch_at(cmd, SYNC_WRITE, 64, 1);
   order(cmd, is_faulty);
   sync_vk.CmdCopyMemoryIndirectKHR(cmd, &info);
}
#endif

/* ---- races, whose results the order decides by itself ---- */

static void push_twin(VkCommandBuffer cmd, bool is_faulty)
{
   const uint32_t twin = is_faulty;
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, sizeof(twin), &twin);
}

static void race_of_a_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   vk.CmdUpdateBuffer(cmd, scene.output.buffer, 0, 4, &(uint32_t){0});
   client_barrier(cmd);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, racing.dispatch);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   push_twin(cmd, is_faulty);
   vk.CmdDispatch(cmd, 16, 1, 1);
}

static void race_of_a_draw(VkCommandBuffer cmd, bool is_faulty)
{
   const VkDeviceSize zero = 0;
   vk.CmdUpdateBuffer(cmd, scene.output.buffer, 0, 4, &(uint32_t){0});
   client_barrier(cmd);
   client_begin_pass(cmd, racing.pass, racing.framebuffer, RACE_EXTENT, RACE_EXTENT, 0, NULL);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, racing.draw);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, scene.layout, 0, 1, &scene.set.set, 0, NULL);
   vk.CmdBindVertexBuffers(cmd, 0, 1, &scene.vertices.buffer, &zero);
   push_twin(cmd, is_faulty);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void make_racing(void)
{
   static const VkAttachmentReference unused = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
   static const VkSubpassDescription subpass = {
      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &unused};
   static const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
   struct client *client = &scene.client;
   client_check(vk.CreateRenderPass(client->device, &info, NULL, &racing.pass), "vkCreateRenderPass");
   racing.framebuffer = client_framebuffer(client, racing.pass, 0, NULL, RACE_EXTENT, RACE_EXTENT);
   racing.comp = client_shader(client, order_race_comp, sizeof(order_race_comp));
   racing.frag = client_shader(client, order_race_frag, sizeof(order_race_frag));
   racing.dispatch = client_compute_pipeline(client, racing.comp, scene.layout, VK_NULL_HANDLE, NULL);
   const struct client_graphics graphics = {.vertex = scene.vert, .fragment = racing.frag, .layout = scene.layout, .pass = racing.pass,
                                            .width = RACE_EXTENT, .height = RACE_EXTENT, .samples = VK_SAMPLE_COUNT_1_BIT,
                                            .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .stride_bytes = 8, .num_attributes = 1,
                                            .attributes = {{0, 0, VK_FORMAT_R32G32_SFLOAT, 0}}};
   racing.draw = client_graphics_pipeline(client, &graphics, VK_NULL_HANDLE);
}

static void destroy_racing(void)
{
   const VkDevice device = scene.client.device;
   vk.DestroyPipeline(device, racing.draw, NULL);
   vk.DestroyPipeline(device, racing.dispatch, NULL);
   vk.DestroyShaderModule(device, racing.frag, NULL);
   vk.DestroyShaderModule(device, racing.comp, NULL);
   vk.DestroyFramebuffer(device, racing.framebuffer, NULL);
   vk.DestroyRenderPass(device, racing.pass, NULL);
}

static const struct twin {
   const char *name;
   uint32_t right; /* of the output's word 0 */
   void (*record)(VkCommandBuffer cmd, bool is_faulty);
} twins[] = {
   {"two_dispatches", 2, two_dispatches},           {"dispatch_after_fill", 2, dispatch_after_fill}, {"copy_of_a_copy", 3, copy_of_a_copy},
   {"upload_of_a_texel", GUARD + 64 * 3, upload_of_a_texel}, {"draw_after_dispatch", 7, draw_after_dispatch},
   {"generated_after_dispatch", 2, generated_after_dispatch},
#ifdef VK_KHR_copy_memory_indirect
   {"indirect_copy_after_dispatch", 1, indirect_copy_after_dispatch},
#endif
   {"race_of_a_dispatch", 16 * 64 - 1, race_of_a_dispatch},
   {"race_of_a_draw", RACE_EXTENT * RACE_EXTENT - 1, race_of_a_draw},
};

static uint32_t run(const struct twin *twin, bool is_faulty)
{
   VkCommandBuffer cmd = client_begin(&scene.client);
   vk.CmdFillBuffer(cmd, scene.input.buffer, 0, VK_WHOLE_SIZE, GUARD);
   vk.CmdFillBuffer(cmd, scene.output.buffer, 0, VK_WHOLE_SIZE, GUARD);
   vk.CmdFillBuffer(cmd, scene.staging.buffer, 0, VK_WHOLE_SIZE, 3);
   vk.CmdClearColorImage(cmd, scene.pixels.image, VK_IMAGE_LAYOUT_GENERAL, &(VkClearColorValue){.uint32 = {0}}, 1,
                         &(VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1});
   client_barrier(cmd);
   twin->record(cmd, is_faulty);
   client_barrier(cmd);
   client_run(&scene.client, cmd);
   sync_destroy_passes();
   return *(const uint32_t *)scene.output.map;
}

TEST(results)
{
   sync_init();
   make_racing();
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      const uint32_t faulty = run(&twins[i], true), fixed = run(&twins[i], false);
      if (faulty == twins[i].right || fixed != twins[i].right) {
         printf("%s: %u without a barrier, %u with it\n", twins[i].name, faulty, fixed);
         test_fail(__FILE__, __LINE__, twins[i].name);
      }
   }
   destroy_racing();
   sync_finish();
}

TEST_MAIN
