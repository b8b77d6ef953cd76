/* SPDX-License-Identifier: MIT
 * Missing barriers of commands that extensions bring: transform feedback, generated commands, copies whose parameters stand in memory, decompression,
 * conversion of matrices. */
#include "tests/instrument/sync_scene.h"

enum { CAPTURE = VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT };

/* A draw whose vertices go to the captured buffer, after what is counted in its last word if it goes on. */
static void capture(VkCommandBuffer cmd, bool goes_on)
{
   const struct sync_pass *pass = sync_make_pass(&(struct sync_pass_options){.load_op = VK_ATTACHMENT_LOAD_OP_CLEAR, .captures = true});
   const VkDeviceSize zero = 0, end = (SYNC_WORDS - 1) * 4;
   sync_begin_pass(cmd, pass, SYNC_WRITE);
   sync_vk.CmdBindTransformFeedbackBuffersEXT(cmd, 0, 1, &scene.captured.buffer, &zero, &end);
   sync_vk.CmdBeginTransformFeedbackEXT(cmd, 0, goes_on ? 1 : 0, &scene.captured.buffer, &end);
   vk.CmdDraw(cmd, 3, 1, 0, 0);
   sync_vk.CmdEndTransformFeedbackEXT(cmd, 0, 1, &scene.captured.buffer, &end);
   vk.CmdEndRenderPass(cmd);
   sync_barrier(cmd, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT);
}

void sync_captured_vertices(VkCommandBuffer cmd, bool is_faulty)
{
   capture(cmd, false);
   sync_barrier(cmd, CAPTURE, is_faulty ? VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT : VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT,
                VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
   const VkBufferCopy region = {.size = 24};
   vk.CmdCopyBuffer(cmd, scene.captured.buffer, scene.staging.buffer, 1, &region);
}

void sync_counter_of_capture(VkCommandBuffer cmd, bool is_faulty)
{
   capture(cmd, false);
   sync_barrier(cmd, CAPTURE, VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | (is_faulty ? 0 : VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT),
                CAPTURE, VK_ACCESS_TRANSFORM_FEEDBACK_WRITE_BIT_EXT | VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT);
   capture(cmd, true);
}

void sync_draw_of_capture(VkCommandBuffer cmd, bool is_faulty)
{
   const struct sync_pass *pass = sync_plain_pass(VK_ATTACHMENT_LOAD_OP_CLEAR);
   capture(cmd, false);
   sync_barrier(cmd, CAPTURE, VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                is_faulty ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                is_faulty ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT);
   sync_begin_pass(cmd, pass, SYNC_WRITE);
   sync_vk.CmdDrawIndirectByteCountEXT(cmd, 1, 0, scene.captured.buffer, (SYNC_WORDS - 1) * 4, 0, 8);
   vk.CmdEndRenderPass(cmd);
}

void sync_generated_dispatch(VkCommandBuffer cmd, bool is_faulty)
{
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = scene.output.buffer};
   const VkGeneratedCommandsPipelineInfoEXT with = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = scene.compute};
   const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                            .pNext = &with,
                                            .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
                                            .indirectCommandsLayout = scene.generated,
                                            .indirectAddress = sync_vk.GetBufferDeviceAddress(scene.client.device, &where),
                                            .indirectAddressSize = sizeof(VkDispatchIndirectCommand),
                                            .maxSequenceCount = 1};
   sync_dispatch(cmd, SYNC_WRITE);
   sync_barrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                is_faulty ? VK_PIPELINE_STAGE_TRANSFER_BIT : VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                is_faulty ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
   const uint32_t push[2] = {SYNC_STORE_TEXELS, 0};
   vk.CmdPushConstants(cmd, scene.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), push);
   sync_vk.CmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info);
}

/* Of nothing: the parameters are null. */
void sync_parameters_of_a_copy(VkCommandBuffer cmd, bool is_faulty)
{
#ifdef VK_KHR_copy_memory_indirect
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = scene.output.buffer};
   const VkCopyMemoryIndirectInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR,
      .copyCount = 1,
      .copyAddressRange = {sync_vk.GetBufferDeviceAddress(scene.client.device, &where), sizeof(VkCopyMemoryIndirectCommandKHR),
                           sizeof(VkCopyMemoryIndirectCommandKHR)}};
   vk.CmdFillBuffer(cmd, scene.output.buffer, 0, sizeof(VkCopyMemoryIndirectCommandKHR), 0);
   sync_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                is_faulty ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
   sync_vk.CmdCopyMemoryIndirectKHR(cmd, &info);
#endif
}

void sync_decompressed(VkCommandBuffer cmd, bool is_faulty)
{
#ifdef VK_EXT_memory_decompression
   /* Of each of the 32 streams: the last block, of fixed codes, as the first one begins, or a literal; another literal; the end, as the first one goes on. */
   const uint32_t literals = 0x1413;
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = scene.output.buffer};
   const VkDeviceAddress at = sync_vk.GetBufferDeviceAddress(scene.client.device, &where);
   const VkDecompressMemoryRegionEXT region = {.srcAddress = at, .dstAddress = at + 512, .compressedSize = 512, .decompressedSize = 64};
   const VkDecompressMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DECOMPRESS_MEMORY_INFO_EXT,
                                           .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT,
                                           .regionCount = 1,
                                           .pRegions = &region};
   vk.CmdFillBuffer(cmd, scene.output.buffer, 0, VK_WHOLE_SIZE, literals);
   sync_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                is_faulty ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                is_faulty ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
   sync_vk.CmdDecompressMemoryEXT(cmd, &info);
#endif
}

void sync_converted_matrix(VkCommandBuffer cmd, bool is_faulty)
{
   enum { ROWS = 8, BYTES = 4 * ROWS * ROWS };
   const VkBufferDeviceAddressInfo where = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = scene.output.buffer};
   const VkDeviceAddress at = sync_vk.GetBufferDeviceAddress(scene.client.device, &where);
   size_t bytes = BYTES;
   const VkConvertCooperativeVectorMatrixInfoNV info = {.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV,
                                                        .srcSize = BYTES,
                                                        .srcData.deviceAddress = at,
                                                        .pDstSize = &bytes,
                                                        .dstData.deviceAddress = at + 512,
                                                        .srcComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR,
                                                        .dstComponentType = VK_COMPONENT_TYPE_FLOAT32_KHR,
                                                        .numRows = ROWS,
                                                        .numColumns = ROWS,
                                                        .srcLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV,
                                                        .srcStride = 4 * ROWS,
                                                        .dstLayout = VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV};
   vk.CmdFillBuffer(cmd, scene.output.buffer, 0, VK_WHOLE_SIZE, 0);
   sync_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                is_faulty ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                is_faulty ? VK_ACCESS_SHADER_READ_BIT : VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
   sync_vk.CmdConvertCooperativeVectorMatrixNV(cmd, 1, &info);
}
