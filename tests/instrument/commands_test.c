/* SPDX-License-Identifier: MIT
 * What commands read before a shader runs, and nobody wrote: indices, parameters, conditions, geometry, results of queries. Each faulty program is reported with
 * its command, its repaired twin not at all. */
#include "tests/instrument/quiet.h"
#include "tests/instrument/sync_scene.h"
#include "tests/test.h"

#include <string.h>

static struct client_buffer unwritten; /* SYNC_WORDS words, new for each run */
static VkQueryPool queries;
static PFN_vkCmdDrawIndirectCount draw_indirect_count;
static PFN_vkCmdCopyQueryPoolResults copy_query_pool_results;

static void write_words(VkCommandBuffer cmd, uint32_t first, uint32_t count, const uint32_t *words)
{
   vk.CmdUpdateBuffer(cmd, unwritten.buffer, first * 4, count * 4, words);
   client_barrier(cmd);
}

static void indices(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   write_words(cmd, 0, is_faulty ? 1 : 2, (const uint32_t[2]){0 | 1 << 16, 2});
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   vk.CmdBindIndexBuffer(cmd, unwritten.buffer, 0, VK_INDEX_TYPE_UINT16);
   vk.CmdDrawIndexed(cmd, 3, 1, 0, 0, 0);
   vk.CmdEndRenderPass(cmd);
}

static void indices_of_a_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   client_set_buffer(&scene.client, &scene.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &unwritten);
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 1);
   client_barrier(cmd);
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   vk.CmdBindIndexBuffer(cmd, unwritten.buffer, 0, VK_INDEX_TYPE_UINT32);
   vk.CmdDrawIndexed(cmd, 3, 1, is_faulty ? 62 : 61, 0, 0); /* of 64 */
   vk.CmdEndRenderPass(cmd);
}

static void parameters_of_a_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   write_words(cmd, 0, is_faulty ? 2 : 3, (const uint32_t[3]){1, 1, 1});
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 1); /* binds what the next one needs */
   client_barrier(cmd);
   sync_vk.CmdDispatchIndirect(cmd, unwritten.buffer, 0);
}

static void parameters_of_a_draw(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   write_words(cmd, is_faulty ? 1 : 0, 4, (const uint32_t[4]){3, 1, 0, 0});
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   vk.CmdDrawIndirect(cmd, unwritten.buffer, 0, 1, 0);
   vk.CmdEndRenderPass(cmd);
}

static void count_of_draws(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   write_words(cmd, 0, 1, (const uint32_t[1]){1});
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   draw_indirect_count(cmd, scene.arguments.buffer, 0, unwritten.buffer, is_faulty ? 4 : 0, 1, sizeof(VkDrawIndirectCommand));
   vk.CmdEndRenderPass(cmd);
}

static void result_of_a_query(VkCommandBuffer cmd, bool is_faulty)
{
   static const uint32_t others[62];
   write_words(cmd, 2, 62, others);
   vk.CmdResetQueryPool(cmd, queries, 0, 2);
   vk.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 0);
   copy_query_pool_results(cmd, queries, is_faulty ? 1 : 0, 1, unwritten.buffer, 0, 8, VK_QUERY_RESULT_64_BIT);
   vk.CmdWriteTimestamp(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries, 1);
   client_barrier(cmd);
   client_set_buffer(&scene.client, &scene.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &unwritten);
   sync_dispatch_at(cmd, SYNC_READ, 0, 1);
}

static void condition(VkCommandBuffer cmd, bool is_faulty)
{
   const VkConditionalRenderingBeginInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT, .buffer = unwritten.buffer, .offset = is_faulty ? 8 : 4};
   write_words(cmd, 0, 2, (const uint32_t[2]){0, 1});
   sync_vk.CmdBeginConditionalRenderingEXT(cmd, &info);
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 1);
   sync_vk.CmdEndConditionalRenderingEXT(cmd);
}

static void counter_of_a_capture(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_make_pass(&(struct sync_pass_options){.load_op = VK_ATTACHMENT_LOAD_OP_CLEAR, .captures = true});
   const VkDeviceSize zero = 0, size = SYNC_WORDS * 4, counter = is_faulty ? 16 : 0;
   write_words(cmd, 0, 4, (const uint32_t[4]){24});
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   sync_vk.CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &scene.captured.buffer, &zero, &size);
   sync_vk.CmdBeginTransformFeedbackEXT(cmd, 0, 1, &unwritten.buffer, &counter);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   sync_vk.CmdEndTransformFeedbackEXT(cmd, 0, 0, NULL, NULL);
   vk.CmdEndRenderPass(cmd);
}

static void bytes_of_a_draw(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   write_words(cmd, 0, 4, (const uint32_t[4]){24});
   sync_begin_pass(cmd, pass, SYNC_COUNT);
   sync_vk.CmdDrawIndirectByteCountEXT(cmd, 1, 0, unwritten.buffer, is_faulty ? 16 : 0, 0, 8);
   vk.CmdEndRenderPass(cmd);
}

static VkDeviceAddress address_of_unwritten(void)
{
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = unwritten.buffer};
   return sync_vk.GetBufferDeviceAddress(scene.client.device, &where);
}

static void generated(VkCommandBuffer cmd, bool is_faulty)
{
   const VkGeneratedCommandsPipelineInfoEXT with = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = scene.compute};
   const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                            .pNext = &with,
                                            .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                            .indirectCommandsLayout = scene.generated,
                                            .indirectAddress = address_of_unwritten(),
                                            .indirectAddressSize = 2 * sizeof(VkDispatchIndirectCommand),
                                            .maxSequenceCount = 2};
   write_words(cmd, 0, is_faulty ? 5 : 6, (const uint32_t[6]){1, 1, 1, 0, 0, 0});
   sync_dispatch_at(cmd, SYNC_WRITE, 0, 1); /* binds what the next one needs */
   client_barrier(cmd);
   sync_vk.CmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info);
}

#ifdef VK_KHR_copy_memory_indirect
/* Of nothing. */
static void parameters_of_a_copy(VkCommandBuffer cmd, bool is_faulty)
{
   enum { NUM_WORDS = sizeof(VkCopyMemoryIndirectCommandKHR) / 4 };
   static const uint32_t zeros[NUM_WORDS];
   const VkCopyMemoryIndirectInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
      .copyCount = 1,
      .copyAddressRange = {address_of_unwritten(), sizeof(VkCopyMemoryIndirectCommandKHR), sizeof(VkCopyMemoryIndirectCommandKHR)}};
   write_words(cmd, 0, is_faulty ? NUM_WORDS - 2 : NUM_WORDS, zeros);
   sync_vk.CmdCopyMemoryIndirectKHR(cmd, &info);
}
#endif

static const struct twin {
   const char *name, *id, *says[3];
   void (*record)(VkCommandBuffer cmd, bool is_faulty);
} twins[] = {
   {"indices", "SANITIZE-uninit-command", {"reads indices that nobody wrote", "buffer \"unwritten\" + 4 bytes", "by draw_indexed"}, indices},
   {"indices_of_a_dispatch", "SANITIZE-uninit-command", {"reads indices that nobody wrote", "+ 256 bytes", "by draw_indexed"}, indices_of_a_dispatch},
   {"parameters_of_a_dispatch", "SANITIZE-uninit-command", {"reads parameters that nobody wrote", "+ 8 bytes", "by dispatch_indirect"},
    parameters_of_a_dispatch},
   {"parameters_of_a_draw", "SANITIZE-uninit-command", {"reads parameters that nobody wrote", "+ 0 bytes", "by draw_indirect"}, parameters_of_a_draw},
   {"count_of_draws", "SANITIZE-uninit-command", {"reads parameters that nobody wrote", "+ 4 bytes", "by draw_indirect"}, count_of_draws},
   {"condition", "SANITIZE-uninit-command", {"reads a condition that nobody wrote", "+ 8 bytes", "by begin_conditional"}, condition},
   {"counter_of_a_capture", "SANITIZE-uninit-command", {"reads a counter that nobody wrote", "+ 16 bytes", "by begin_xfb"}, counter_of_a_capture},
   {"bytes_of_a_draw", "SANITIZE-uninit-command", {"that nobody wrote", "+ 16 bytes", "by draw_byte_count"}, bytes_of_a_draw},
   {"generated", "SANITIZE-uninit-command", {"reads parameters that nobody wrote", "+ 20 bytes", "by execute_generated"}, generated},
#ifdef VK_KHR_copy_memory_indirect
   {"parameters_of_a_copy", "SANITIZE-uninit-command", {"reads parameters that nobody wrote", "+ 16 bytes", "by copy_indirect"}, parameters_of_a_copy},
#endif
   {"result_of_a_query", "SANITIZE-uninit-output", {"leaves the shader", "sync.comp:15", "invocation (0, 0, 0) of workgroup (0, 0, 0)"}, result_of_a_query},
};

static void run(const struct twin *twin, bool is_faulty)
{
   const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = twin->name};
   unwritten = client_buffer_create_unwritten(&scene.client, SYNC_WORDS * 4,
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT |
                                                 VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
   client_name(&scene.client, VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)unwritten.buffer, "unwritten");
   memset(&scene.heard, 0, sizeof(scene.heard));
   client_set_buffer(&scene.client, &scene.set, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &scene.input);
   client_set_buffer(&scene.client, &scene.set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &scene.output);
   VkCommandBuffer cmd = client_begin(&scene.client);
   sync_vk.CmdBeginDebugUtilsLabelEXT(cmd, &label);
   twin->record(cmd, is_faulty);
   sync_vk.CmdEndDebugUtilsLabelEXT(cmd);
   client_run(&scene.client, cmd);
   sync_destroy_passes();
   client_buffer_destroy(&scene.client, &unwritten);
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
   run(twin, true);
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
}

TEST(corpus)
{
   static const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
   sync_init();
   client_check(vk.CreateQueryPool(scene.client.device, &info, NULL, &queries), "vkCreateQueryPool");
   draw_indirect_count = (PFN_vkCmdDrawIndirectCount)vk.GetDeviceProcAddr(scene.client.device, "vkCmdDrawIndirectCount");
   copy_query_pool_results = (PFN_vkCmdCopyQueryPoolResults)vk.GetDeviceProcAddr(scene.client.device, "vkCmdCopyQueryPoolResults");
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      check_faulty(&twins[i]);
      quiet_begin();
      run(&twins[i], false);
      if (*quiet_end() || scene.heard.count)
         complain(&twins[i], "the repaired twin is reported, or prints something");
   }
   vk.DestroyQueryPool(scene.client.device, queries, NULL);
   sync_finish();
}

TEST_MAIN
