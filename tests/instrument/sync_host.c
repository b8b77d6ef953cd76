/* SPDX-License-Identifier: MIT
 * What the host writes to memory that is not coherent, and does not flush before it submits. */
#include "tests/instrument/sync_scene.h"

#include "tests/test.h"

#include <string.h>

/* Other ones than the last time: what stands there already nobody can lose. */
static void write_words(uint32_t first, uint32_t count)
{
   static uint32_t round;
   round++;
   for (uint32_t i = 0; i < count; i++)
      ((uint32_t *)scene.cached.map)[first + i] = round;
}

static void flush(uint32_t first, uint32_t count)
{
   const VkMappedMemoryRange range = {
      .sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = scene.cached.memory, .offset = first * 4, .size = count * 4};
   client_check(sync_vk.FlushMappedMemoryRanges(scene.client.device, 1, &range), "vkFlushMappedMemoryRanges");
}

void sync_upload_without_flush(VkCommandBuffer cmd, bool is_faulty)
{
   write_words(0, SYNC_WORDS);
   if (!is_faulty)
      flush(0, SYNC_WORDS);
   sync_copy(cmd, &scene.cached, &scene.staging);
}

void sync_half_of_the_flush(VkCommandBuffer cmd, bool is_faulty)
{
   write_words(0, SYNC_WORDS);
   flush(0, is_faulty ? SYNC_WORDS / 2 : SYNC_WORDS);
   sync_copy(cmd, &scene.cached, &scene.staging);
}

/* Of what was flushed once, one word is changed. */
void sync_late_change(VkCommandBuffer cmd, bool is_faulty)
{
   write_words(0, SYNC_WORDS);
   flush(0, SYNC_WORDS);
   write_words(100, 1);
   if (!is_faulty)
      flush(96, 16);
   sync_copy(cmd, &scene.cached, &scene.staging);
}

void sync_parameters_without_flush(VkCommandBuffer cmd, bool is_faulty)
{
   VkDispatchIndirectCommand *parameters = scene.cached.map;
   *parameters = (VkDispatchIndirectCommand){0, 0, 0};
   flush(0, 16);
   *parameters = (VkDispatchIndirectCommand){1, 1, 1};
   if (!is_faulty)
      flush(0, 16);
   sync_dispatch_of(cmd, &scene.cached);
}

/* The device's own write comes on top of what was not flushed. */
void sync_overwritten(VkCommandBuffer cmd, bool is_faulty)
{
   write_words(0, SYNC_WORDS);
   if (!is_faulty) {
      sync_fill(cmd, &scene.cached);
      sync_barrier(cmd, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
   }
   sync_copy(cmd, &scene.cached, &scene.staging);
}

void sync_check_cached(void)
{
   const VkMappedMemoryRange range = {.sType = VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, .memory = scene.cached.memory, .size = VK_WHOLE_SIZE};
   uint32_t *words = scene.cached.map;
   memset(words, 0, SYNC_WORDS * 4);
   flush(0, SYNC_WORDS);
   VkCommandBuffer cmd = client_begin(&scene.client);
   vk.CmdFillBuffer(cmd, scene.cached.buffer, 0, VK_WHOLE_SIZE, 7);
   client_barrier(cmd);
   client_run(&scene.client, cmd);
   CHECK_EQ(words[0], 0); /* the device's write is not there yet */
   client_check(sync_vk.InvalidateMappedMemoryRanges(scene.client.device, 1, &range), "vkInvalidateMappedMemoryRanges");
   CHECK_EQ(words[0], 7);
   words[5] = 9;
   cmd = client_begin(&scene.client);
   client_barrier(cmd);
   const VkBufferCopy first = {.size = 16};
   vk.CmdCopyBuffer(cmd, scene.cached.buffer, scene.staging.buffer, 1, &first); /* not what was changed */
   client_barrier(cmd);
   client_run(&scene.client, cmd);
   CHECK_EQ(((uint32_t *)scene.staging.map)[3], 7);
   flush(0, SYNC_WORDS);
}
