/* SPDX-License-Identifier: MIT
 * API calls in random order: each byte chooses a row of the table below, the next ones its arguments. What a call needs to be valid is brought about first
 * (a command buffer is begun, a rendering ended), and regions are held within what they are of; so nothing may crash, hang or be lost, and with
 * CLIENT_VALIDATE in the environment the validation layer has nothing to say. Rows that create objects of absurd sizes are then left out. With
 * CALLS_DISORDER order does not matter: SECURITY.md, "Invalid use". */
#include "tests/fuzz/calls_extensions.h"
#include "tests/fuzz/calls_generated.h"
#include "tests/fuzz/calls_heaps.h"
#include "tests/fuzz/calls_rays.h"
#include "util/macros.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CALLS = 300 };

static struct world world;

/* ---- arguments ---- */

static struct client_buffer *any_buffer(struct input *in)
{
   return &world.buffers[input_pick(in, NUM_BUFFERS)];
}

/* A part of BUFFER_BYTES, in units of four bytes, not empty. */
static void any_range(struct input *in, VkDeviceSize *offset, VkDeviceSize *size)
{
   const uint32_t words = BUFFER_BYTES / 4, first = input_pick(in, words);
   *offset = first * 4;
   *size = (1 + input_pick(in, words - first)) * 4;
}

/* NULL: there is none. */
static struct image *any_image(struct input *in)
{
   const uint32_t start = input_pick(in, NUM_IMAGES);
   for (uint32_t i = 0; i < NUM_IMAGES; i++) {
      struct image *image = &world.images[(start + i) % NUM_IMAGES];
      if (image->format)
         return image;
   }
   return NULL;
}

struct region {
   VkImageSubresourceLayers layers;
   VkOffset3D offset;
   VkExtent3D extent;
};

static uint32_t level_size(uint32_t size, uint32_t level)
{
   return UTIL_MAX(size >> level, 1);
}

/* A first and a count of `size` texels, both multiples of `block` unless they reach the end. */
static void any_span(struct input *in, uint32_t size, uint32_t block, int32_t *first, uint32_t *count)
{
   const uint32_t blocks = (size + block - 1) / block, at = input_pick(in, blocks), end = at + 1 + input_pick(in, blocks - at);
   *first = (int32_t)(at * block);
   *count = UTIL_MIN(end * block, size) - at * block;
}

static struct region any_region(const struct image *image, struct input *in)
{
   const VkImageCreateInfo *info = &image->info;
   const uint32_t level = input_pick(in, info->mipLevels), layer = input_pick(in, info->arrayLayers), block = image->format->block_size;
   struct region region = {{image->format->aspects, level, layer, 1 + input_pick(in, info->arrayLayers - layer)}};
   any_span(in, level_size(info->extent.width, level), block, &region.offset.x, &region.extent.width);
   any_span(in, level_size(info->extent.height, level), block, &region.offset.y, &region.extent.height);
   any_span(in, level_size(info->extent.depth, level), 1, &region.offset.z, &region.extent.depth);
   return region;
}

static VkImageSubresourceRange any_subresources(const struct image *image, struct input *in)
{
   const uint32_t level = input_pick(in, image->info.mipLevels), layer = input_pick(in, image->info.arrayLayers);
   return (VkImageSubresourceRange){image->format->aspects, level, 1 + input_pick(in, image->info.mipLevels - level), layer,
                                    1 + input_pick(in, image->info.arrayLayers - layer)};
}

/* ---- rows: host ---- */

static void make_image(struct commands *c, struct input *in)
{
   world_make_image(&world, &world.images[input_pick(in, NUM_IMAGES)], in);
}

static void destroy_image(struct commands *c, struct input *in)
{
   const uint32_t index = input_pick(in, 4 * NUM_IMAGES); /* seldom: most rows need images */
   if (index < NUM_IMAGES)
      world_destroy_image(&world, &world.images[index]);
}

static void write_buffer(struct commands *c, struct input *in)
{
   uint8_t *map = any_buffer(in)->map;
   const uint32_t at = input_pick(in, BUFFER_BYTES - 256);
   memset(map + at, (int)input_byte(in), input_byte(in));
}

static void bind_image(struct commands *c, struct input *in)
{
   const struct image *image = any_image(in);
   if (!image || !image->sampled)
      return;
   world_forget_commands(&world);
   client_set_image(&world.client, &world.set, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, image->sampled, world.sampler, VK_IMAGE_LAYOUT_GENERAL);
}

/* Nothing is executed meanwhile; pages may have the same memory. */
static void bind_sparse(struct commands *c, struct input *in)
{
   VkSparseMemoryBind binds[3];
   const VkSparseBufferMemoryBindInfo buffer = {world.sparse, 1 + input_pick(in, UTIL_ARRAY_SIZE(binds)), binds};
   const VkBindSparseInfo info = {.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO, .bufferBindCount = 1, .pBufferBinds = &buffer};
   for (uint32_t i = 0; i < buffer.bindCount; i++) {
      const uint32_t count = 1 + input_pick(in, NUM_PAGES / 2), first = input_pick(in, NUM_PAGES - count + 1);
      const uint32_t from = input_pick(in, NUM_PAGES / 2 - count + 1);
      binds[i] = (VkSparseMemoryBind){(VkDeviceSize)first * PAGE_BYTES, (VkDeviceSize)count * PAGE_BYTES,
                                      input_pick(in, 3) ? world.pages.memory : VK_NULL_HANDLE, (VkDeviceSize)from * PAGE_BYTES, 0};
   }
   world_wait(&world);
   client_check(calls.QueueBindSparse(world.queues[input_pick(in, NUM_QUEUES)], 1, &info, VK_NULL_HANDLE), "vkQueueBindSparse");
   world_wait(&world);
}

static void wait_idle(struct commands *c, struct input *in)
{
   world_wait(&world);
}

static void wait_semaphore(struct commands *c, struct input *in)
{
   uint64_t value = world.signaled ? world.signaled - input_pick(in, (uint32_t)UTIL_MIN(world.signaled, 200)) : 0, now;
   const VkSemaphoreWaitInfo info = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, NULL, input_byte(in) & 1, 1, &world.timeline, &value};
   const VkResult result = calls.WaitSemaphores(world.client.device, &info, input_pick(in, 2) ? UINT64_MAX : 1000);
   world.is_lost |= result == VK_ERROR_DEVICE_LOST;
   if (calls.GetSemaphoreCounterValue(world.client.device, world.timeline, &now) == VK_SUCCESS && result == VK_SUCCESS && now < value) {
      fprintf(stderr, "a wait for %llu ended at %llu\n", (unsigned long long)value, (unsigned long long)now);
      abort();
   }
}

static void get_queries(struct commands *c, struct input *in)
{
   uint64_t values[NUM_QUERIES * 2];
   const uint32_t first = input_pick(in, NUM_QUERIES), count = 1 + input_pick(in, NUM_QUERIES - first);
   const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | (input_pick(in, 2) ? VK_QUERY_RESULT_WITH_AVAILABILITY_BIT : 0) |
                                    (input_pick(in, 2) ? VK_QUERY_RESULT_PARTIAL_BIT : 0);
   /* What was never reset has no results to ask for. */
   world_wait(&world);
   calls.ResetQueryPool(world.client.device, world.occlusion, 0, NUM_QUERIES);
   vk.GetQueryPoolResults(world.client.device, world.occlusion, first, count, sizeof(values), values, 16, flags);
}

static void submit(struct commands *c, struct input *in)
{
   VkCommandBufferSubmitInfo infos[2];
   VkSemaphoreSubmitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
                                 .semaphore = world.timeline,
                                 .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
   VkSemaphoreSubmitInfo signal = wait;
   VkSubmitInfo2 info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
                         .pWaitSemaphoreInfos = &wait,
                         .pCommandBufferInfos = infos,
                         .signalSemaphoreInfoCount = 1,
                         .pSignalSemaphoreInfos = &signal};
   const uint32_t count = input_pick(in, 3);
   for (uint32_t i = 0; i < count; i++) {
      struct commands *chosen = &world.commands[input_pick(in, NUM_PRIMARIES)];
      if (chosen->state == COMMANDS_RECORDING || chosen->state == COMMANDS_RENDERING) {
         world_record(&world, chosen);
         if (chosen->query >= 0)
            vk.CmdEndQuery(chosen->handle, world.occlusion, (uint32_t)chosen->query);
         client_check(vk.EndCommandBuffer(chosen->handle), "vkEndCommandBuffer");
         chosen->state = COMMANDS_EXECUTABLE;
      }
      if (chosen->state != COMMANDS_EXECUTABLE || (i && infos[0].commandBuffer == chosen->handle))
         continue;
      chosen->is_pending = true;
      infos[info.commandBufferInfoCount++] = (VkCommandBufferSubmitInfo){VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO, NULL, chosen->handle, 0};
   }
   wait.value = world.signaled ? world.signaled - input_pick(in, (uint32_t)UTIL_MIN(world.signaled, 4)) : 0;
   info.waitSemaphoreInfoCount = input_pick(in, 2);
   /* Values of one semaphore rise: the two queues wait for each other where they change. */
   static uint32_t last_queue;
   const uint32_t queue = input_pick(in, NUM_QUEUES);
   if (queue != last_queue) {
      wait.value = world.signaled;
      info.waitSemaphoreInfoCount = 1;
   }
   last_queue = queue;
   signal.value = ++world.signaled;
   const VkResult result = calls.QueueSubmit2(world.queues[queue], 1, &info, VK_NULL_HANDLE);
   world.is_lost |= result == VK_ERROR_DEVICE_LOST;
   if (!world.is_lost)
      client_check(result, "vkQueueSubmit2");
}

static void create_buffer(struct commands *c, struct input *in)
{
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = input_number(in), .usage = 1u << input_pick(in, 9)};
   VkBuffer buffer;
   if (vk.CreateBuffer(world.client.device, &info, NULL, &buffer) == VK_SUCCESS) {
      VkMemoryRequirements needs;
      vk.GetBufferMemoryRequirements(world.client.device, buffer, &needs);
      if (needs.size < info.size)
         abort();
      vk.DestroyBuffer(world.client.device, buffer, NULL);
   }
}

static void create_any_image(struct commands *c, struct input *in)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .flags = input_pick(in, 1 << 16),
                                   .imageType = (VkImageType)input_pick(in, 3),
                                   .format = (VkFormat)input_pick(in, 185),
                                   .extent = {(uint32_t)input_number(in), (uint32_t)input_number(in), (uint32_t)input_number(in)},
                                   .mipLevels = (uint32_t)input_number(in),
                                   .arrayLayers = (uint32_t)input_number(in),
                                   .samples = (VkSampleCountFlagBits)(1u << input_pick(in, 7)),
                                   .tiling = (VkImageTiling)input_pick(in, 2),
                                   .usage = 1u << input_pick(in, 8)};
   VkImage image;
   if (vk.CreateImage(world.client.device, &info, NULL, &image) == VK_SUCCESS) {
      VkMemoryRequirements needs;
      vk.GetImageMemoryRequirements(world.client.device, image, &needs);
      vk.DestroyImage(world.client.device, image, NULL);
   }
}

static void allocate_memory(struct commands *c, struct input *in)
{
   const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = input_number(in)};
   VkDeviceMemory memory;
   if (vk.AllocateMemory(world.client.device, &info, NULL, &memory) == VK_SUCCESS)
      vk.FreeMemory(world.client.device, memory, NULL);
}

/* ---- rows: commands ---- */

static void end_secondary(struct commands *c, struct input *in)
{
   struct commands *secondary = &world.commands[NUM_PRIMARIES + input_pick(in, NUM_SECONDARIES)];
   if (secondary->state == COMMANDS_INITIAL || secondary->state == COMMANDS_EXECUTABLE)
      return;
   world_record(&world, secondary);
   if (secondary->query >= 0)
      vk.CmdEndQuery(secondary->handle, world.occlusion, (uint32_t)secondary->query);
   client_check(vk.EndCommandBuffer(secondary->handle), "vkEndCommandBuffer");
   secondary->state = COMMANDS_EXECUTABLE;
}

static void execute_commands(struct commands *c, struct input *in)
{
   const struct commands *secondary = &world.commands[NUM_PRIMARIES + input_pick(in, NUM_SECONDARIES)];
   if (c->is_secondary || c->query >= 0 || secondary->state != COMMANDS_EXECUTABLE)
      return;
   calls.CmdExecuteCommands(c->handle, 1, &secondary->handle);
   world_bind(&world, c, 1); /* state is undefined after it */
}

static void barrier(struct commands *c, struct input *in)
{
   static const VkPipelineStageFlags2 stages[] = {
      VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
      VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
      VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_PIPELINE_STAGE_2_NONE};
   const VkPipelineStageFlags2 from = stages[input_pick(in, 8)], to = stages[input_pick(in, 8)];
   const VkMemoryBarrier2 memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, from, from ? VK_ACCESS_2_MEMORY_WRITE_BIT : 0,
                                    to, to ? VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT : 0};
   const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
   calls.CmdPipelineBarrier2(c->handle, &info);
}

static void event(struct commands *c, struct input *in)
{
   const VkEvent own = world.events[c - world.commands];
   const VkMemoryBarrier2 memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, NULL, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_READ_BIT};
   const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &memory};
   if (c->has_event) {
      calls.CmdWaitEvents2(c->handle, 1, &own, &info);
      if (input_pick(in, 2)) {
         calls.CmdPipelineBarrier2(c->handle, &info); /* behind the wait */
         calls.CmdResetEvent2(c->handle, own, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
         calls.CmdPipelineBarrier2(c->handle, &info);
         c->has_event = false;
      }
   } else {
      calls.CmdSetEvent2(c->handle, own, &info);
      c->has_event = true;
   }
}

static void query(struct commands *c, struct input *in)
{
   if (c->is_secondary)
      return;
   if (c->query >= 0) {
      vk.CmdEndQuery(c->handle, world.occlusion, (uint32_t)c->query);
      c->query = -1;
      return;
   }
   /* One each, so that command buffers do not share them. */
   c->query = (int)(c - world.commands);
   vk.CmdResetQueryPool(c->handle, world.occlusion, (uint32_t)c->query, 1);
   vk.CmdBeginQuery(c->handle, world.occlusion, (uint32_t)c->query, input_pick(in, 2) ? VK_QUERY_CONTROL_PRECISE_BIT : 0);
}

static void timestamp(struct commands *c, struct input *in)
{
   const uint32_t index = input_pick(in, NUM_QUERIES);
   vk.CmdResetQueryPool(c->handle, world.timestamps, index, 1);
   vk.CmdWriteTimestamp(c->handle, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, world.timestamps, index);
   calls.CmdCopyQueryPoolResults(c->handle, world.timestamps, index, 1, any_buffer(in)->buffer, input_pick(in, BUFFER_BYTES / 8) * 8, 8,
                                 VK_QUERY_RESULT_64_BIT | (input_pick(in, 2) ? VK_QUERY_RESULT_WAIT_BIT : 0));
}

static void dispatch(struct commands *c, struct input *in)
{
   vk.CmdDispatch(c->handle, input_pick(in, 40), input_pick(in, 5), input_pick(in, 3));
}

static void dispatch_indirect(struct commands *c, struct input *in)
{
   calls.CmdDispatchIndirect(c->handle, world.indirect.buffer, input_pick(in, INDIRECT_BYTES / 4 - 8) * 4);
}

static void push(struct commands *c, struct input *in)
{
   const uint32_t seed = (uint32_t)input_number(in);
   vk.CmdPushConstants(c->handle, world.layout, VK_SHADER_STAGE_ALL, 0, sizeof(seed), &seed);
}

static void fill_buffer(struct commands *c, struct input *in)
{
   VkDeviceSize offset, size;
   any_range(in, &offset, &size);
   vk.CmdFillBuffer(c->handle, any_buffer(in)->buffer, offset, input_pick(in, 4) ? size : VK_WHOLE_SIZE, input_byte(in) * 0x01010101u);
}

static void update_buffer(struct commands *c, struct input *in)
{
   static const uint8_t zeros[65536];
   VkDeviceSize offset, size;
   any_range(in, &offset, &size);
   vk.CmdUpdateBuffer(c->handle, any_buffer(in)->buffer, offset, size, zeros);
}

static void copy_buffer(struct commands *c, struct input *in)
{
   VkBufferCopy copy = {0};
   const struct client_buffer *from = any_buffer(in), *to = any_buffer(in);
   any_range(in, &copy.srcOffset, &copy.size);
   copy.dstOffset = input_pick(in, (uint32_t)(BUFFER_BYTES - copy.size) + 1);
   if (from != to)
      vk.CmdCopyBuffer(c->handle, from->buffer, to->buffer, 1, &copy);
}

/* To or from any part of the sparse buffer, with memory or without. */
static void copy_sparse(struct commands *c, struct input *in)
{
   VkBufferCopy copy = {0};
   const VkBuffer other = any_buffer(in)->buffer;
   any_range(in, &copy.srcOffset, &copy.size);
   const VkDeviceSize at = (VkDeviceSize)input_pick(in, NUM_PAGES) * PAGE_BYTES + input_pick(in, PAGE_BYTES / 4) * 4;
   copy.size = UTIL_MIN(copy.size, SPARSE_BYTES - at);
   const uint32_t what = input_pick(in, 3);
   if (what == 0) {
      vk.CmdFillBuffer(c->handle, world.sparse, at, input_pick(in, 2) ? copy.size : VK_WHOLE_SIZE, 0x01020304);
   } else if (what == 1) {
      copy.dstOffset = at;
      vk.CmdCopyBuffer(c->handle, other, world.sparse, 1, &copy);
   } else {
      copy.dstOffset = copy.srcOffset;
      copy.srcOffset = at;
      vk.CmdCopyBuffer(c->handle, world.sparse, other, 1, &copy);
   }
}

static void copy_image(struct commands *c, struct input *in)
{
   const struct image *from = any_image(in), *to = any_image(in);
   if (!from || !to || from == to || from->format->texel_bytes != to->format->texel_bytes || from->info.samples != to->info.samples ||
       from->info.imageType != to->info.imageType || from->format->block_size != to->format->block_size ||
       (from->format != to->format && (from->format->aspects | to->format->aspects) != VK_IMAGE_ASPECT_COLOR_BIT))
      return;
   struct region a = any_region(from, in), b = any_region(to, in);
   const uint32_t block = from->format->block_size;
   VkExtent3D extent = {UTIL_MIN(a.extent.width, b.extent.width), UTIL_MIN(a.extent.height, b.extent.height), UTIL_MIN(a.extent.depth, b.extent.depth)};
   /* The end of one need not be that of the other: whole blocks, or nothing. */
   extent.width -= extent.width % block;
   extent.height -= extent.height % block;
   a.layers.layerCount = b.layers.layerCount = UTIL_MIN(a.layers.layerCount, b.layers.layerCount);
   const VkImageCopy copy = {a.layers, a.offset, b.layers, b.offset, extent};
   if (extent.width && extent.height)
      calls.CmdCopyImage(c->handle, from->handle, VK_IMAGE_LAYOUT_GENERAL, to->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}

static void copy_with_buffer(struct commands *c, struct input *in)
{
   const struct image *image = any_image(in);
   if (!image || image->info.samples > 1)
      return;
   const bool is_read = input_pick(in, 2);
   struct region region = any_region(image, in);
   const uint32_t block = image->format->block_size;
   uint32_t bytes = image->format->texel_bytes;
   if (image->format->aspects == (VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT))
      region.layers.aspectMask = input_pick(in, 2) ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_STENCIL_BIT;
   if (region.layers.aspectMask == VK_IMAGE_ASPECT_STENCIL_BIT)
      bytes = 1;
   const uint32_t alignment = image->format->aspects == VK_IMAGE_ASPECT_COLOR_BIT ? bytes : UTIL_MAX(bytes, 4);
   VkBufferImageCopy copy = {.bufferOffset = input_pick(in, 64) * alignment,
                             .imageSubresource = region.layers,
                             .imageOffset = region.offset,
                             .imageExtent = region.extent};
   const uint32_t columns = (region.extent.width + block - 1) / block + input_pick(in, 3),
                  rows = (region.extent.height + block - 1) / block + input_pick(in, 3);
   if (input_pick(in, 2)) {
      copy.bufferRowLength = columns * block;
      copy.bufferImageHeight = rows * block;
   }
   if (copy.bufferOffset + (uint64_t)columns * rows * region.extent.depth * region.layers.layerCount * bytes > BUFFER_BYTES)
      return;
   if (is_read)
      vk.CmdCopyImageToBuffer(c->handle, image->handle, VK_IMAGE_LAYOUT_GENERAL, any_buffer(in)->buffer, 1, &copy);
   else
      vk.CmdCopyBufferToImage(c->handle, any_buffer(in)->buffer, image->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
}

static bool is_offered(const struct image *image, VkFormatFeatureFlags wanted)
{
   VkFormatProperties properties;
   vk.GetPhysicalDeviceFormatProperties(world.client.physical_device, image->info.format, &properties);
   const VkFormatFeatureFlags offered =
      image->info.tiling == VK_IMAGE_TILING_LINEAR ? properties.linearTilingFeatures : properties.optimalTilingFeatures;
   return (offered & wanted) == wanted;
}

/* The corners of a region, mirrored in the directions that the image has. */
static void set_corners(VkOffset3D corners[2], const VkImageCreateInfo *info, const struct region *region, uint32_t flips)
{
   const bool x = flips & 1, y = flips & 2 && info->imageType != VK_IMAGE_TYPE_1D, z = flips & 4 && info->imageType == VK_IMAGE_TYPE_3D;
   for (uint32_t i = 0; i < 2; i++)
      corners[i] = (VkOffset3D){region->offset.x + (x != i ? (int32_t)region->extent.width : 0),
                                region->offset.y + (y != i ? (int32_t)region->extent.height : 0),
                                region->offset.z + (z != i ? (int32_t)region->extent.depth : 0)};
}

static void blit(struct commands *c, struct input *in)
{
   const struct image *from = any_image(in), *to = any_image(in);
   if (!from || !to || from == to || from->info.samples > 1 || to->info.samples > 1 || from->info.imageType != to->info.imageType ||
       (from->format != to->format && !(from->format->is_float && to->format->is_float)) || !is_offered(from, VK_FORMAT_FEATURE_BLIT_SRC_BIT) ||
       !is_offered(to, VK_FORMAT_FEATURE_BLIT_DST_BIT))
      return;
   struct region a = any_region(from, in), b = any_region(to, in);
   const VkFilter filter = from->format->is_float && is_offered(from, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) && input_pick(in, 2)
                              ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
   a.layers.layerCount = b.layers.layerCount = UTIL_MIN(a.layers.layerCount, b.layers.layerCount);
   VkImageBlit info = {.srcSubresource = a.layers, .dstSubresource = b.layers};
   set_corners(info.srcOffsets, &from->info, &a, input_byte(in));
   set_corners(info.dstOffsets, &to->info, &b, input_byte(in));
   vk.CmdBlitImage(c->handle, from->handle, VK_IMAGE_LAYOUT_GENERAL, to->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &info, filter);
}

static void resolve(struct commands *c, struct input *in)
{
   const struct image *from = any_image(in), *to = any_image(in);
   if (!from || !to || from->info.samples == 1 || to->info.samples > 1 || from->format != to->format ||
       from->format->aspects != VK_IMAGE_ASPECT_COLOR_BIT || !is_offered(to, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT) ||
       from->info.imageType != to->info.imageType)
      return;
   struct region a = any_region(from, in), b = any_region(to, in);
   a.layers.layerCount = b.layers.layerCount = UTIL_MIN(a.layers.layerCount, b.layers.layerCount);
   const VkImageResolve info = {a.layers, a.offset, b.layers, b.offset,
                                {UTIL_MIN(a.extent.width, b.extent.width), UTIL_MIN(a.extent.height, b.extent.height), 1}};
   vk.CmdResolveImage(c->handle, from->handle, VK_IMAGE_LAYOUT_GENERAL, to->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &info);
}

static void clear_image(struct commands *c, struct input *in)
{
   const struct image *image = any_image(in);
   if (!image || image->format->block_size > 1 || image->info.format == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
      return;
   const VkImageSubresourceRange range = any_subresources(image, in);
   const VkClearColorValue color = {.uint32 = {input_byte(in), 1, input_byte(in) << 24, 7}};
   const VkClearDepthStencilValue depth = {(float)input_byte(in) / 255.0f, input_byte(in)};
   if (image->format->aspects == VK_IMAGE_ASPECT_COLOR_BIT)
      vk.CmdClearColorImage(c->handle, image->handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   else
      calls.CmdClearDepthStencilImage(c->handle, image->handle, VK_IMAGE_LAYOUT_GENERAL, &depth, 1, &range);
}

/* ---- rows: within a rendering ---- */

static void draw(struct commands *c, struct input *in)
{
   vk.CmdDraw(c->handle, input_pick(in, 3000), input_pick(in, 20), (uint32_t)input_number(in), input_byte(in));
}

static void draw_indexed(struct commands *c, struct input *in)
{
   const VkIndexType type = (VkIndexType)input_pick(in, 2);
   const VkDeviceSize offset = input_pick(in, BUFFER_BYTES / 8) * 4;
   vk.CmdBindIndexBuffer(c->handle, any_buffer(in)->buffer, offset, type);
   vk.CmdDrawIndexed(c->handle, input_pick(in, 3000), input_pick(in, 5), (uint32_t)input_number(in), (int32_t)input_number(in), input_byte(in));
}

static void draw_indirect(struct commands *c, struct input *in)
{
   const uint32_t count = input_pick(in, 8), offset = input_pick(in, INDIRECT_BYTES / 8) * 4;
   if (input_pick(in, 2)) {
      vk.CmdDrawIndirect(c->handle, world.indirect.buffer, offset, count, 16 + input_pick(in, 3) * 4);
   } else {
      vk.CmdBindIndexBuffer(c->handle, any_buffer(in)->buffer, 0, VK_INDEX_TYPE_UINT16);
      calls.CmdDrawIndexedIndirect(c->handle, world.indirect.buffer, offset, count, 20 + input_pick(in, 3) * 4);
   }
}

static void draw_meshes(struct commands *c, struct input *in)
{
   const uint32_t counts[3] = {input_pick(in, 6), input_pick(in, 3), input_pick(in, 3)};
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, c->mesh);
   if (input_pick(in, 2)) {
      calls.CmdDrawMeshTasksEXT(c->handle, counts[0], counts[1], counts[2]);
   } else {
      const uint32_t stride = (uint32_t)sizeof(VkDrawMeshTasksIndirectCommandEXT) + 4 * counts[1];
      calls.CmdDrawMeshTasksIndirectEXT(c->handle, world.few.buffer, input_pick(in, INDIRECT_BYTES / 8) * 4, counts[0], stride);
   }
   /* What the other pipeline has not as dynamic state is set anew. */
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, c->draw);
   calls.CmdSetPrimitiveTopology(c->handle, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
   calls.CmdSetPrimitiveRestartEnable(c->handle, counts[1] == 2);
}

static void clear_attachments(struct commands *c, struct input *in)
{
   const VkClearAttachment clear = {VK_IMAGE_ASPECT_COLOR_BIT, input_pick(in, 2), {.color = {.float32 = {0.5f, 1, 0, 1}}}};
   VkClearRect rect = {.layerCount = 1};
   any_span(in, UTIL_MAX(c->width, 1), 1, &rect.rect.offset.x, &rect.rect.extent.width);
   any_span(in, UTIL_MAX(c->height, 1), 1, &rect.rect.offset.y, &rect.rect.extent.height);
   rect.baseArrayLayer = input_pick(in, UTIL_MAX(c->layers, 1));
   /* Only within the area, which ends where the attachments do. */
   if ((uint32_t)rect.rect.offset.x >= c->x && (uint32_t)rect.rect.offset.y >= c->y)
      vk.CmdClearAttachments(c->handle, 1, &clear, 1, &rect);
}

static void end_rendering(struct commands *c, struct input *in)
{
   world_record(&world, c);
}

/* ---- rows: out of order ---- */

static void begin_again(struct commands *c, struct input *in)
{
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
                                          .pInheritanceInfo = &inheritance};
   c->query = -1;
   c->has_event = false;
   (void)vk.BeginCommandBuffer(c->handle, &info); /* nothing is bound then */
}

static void end_early(struct commands *c, struct input *in)
{
   (void)vk.EndCommandBuffer(c->handle);
}

static void end_rendering_again(struct commands *c, struct input *in)
{
   calls.CmdEndRendering(c->handle);
}

static void end_any_query(struct commands *c, struct input *in)
{
   vk.CmdEndQuery(c->handle, world.occlusion, input_pick(in, NUM_QUERIES));
}

static void begin_any_query(struct commands *c, struct input *in)
{
   vk.CmdBeginQuery(c->handle, world.occlusion, input_pick(in, NUM_QUERIES), 0);
}

static void bind_other_pipeline(struct commands *c, struct input *in)
{
   const VkPipelineBindPoint point = (VkPipelineBindPoint)input_pick(in, 2), other = input_pick(in, 2) ? point : !point;
   const VkPipeline pipelines[2] = {[VK_PIPELINE_BIND_POINT_GRAPHICS] = c->draw, [VK_PIPELINE_BIND_POINT_COMPUTE] = world.compute};
   if (pipelines[point])
      vk.CmdBindPipeline(c->handle, other, pipelines[point]);
}

static void execute_unfinished(struct commands *c, struct input *in)
{
   if (!c->is_secondary)
      calls.CmdExecuteCommands(c->handle, 1, &world.commands[NUM_PRIMARIES + input_pick(in, NUM_SECONDARIES)].handle);
}

static void submit_unfinished(struct commands *c, struct input *in)
{
   const VkCommandBuffer handle = world.commands[input_pick(in, NUM_PRIMARIES)].handle;
   const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &handle};
   world_wait(&world);
   const VkResult result = vk.QueueSubmit(world.queues[input_pick(in, NUM_QUEUES)], 1, &info, VK_NULL_HANDLE);
   world.is_lost |= result == VK_ERROR_DEVICE_LOST;
   world_wait(&world); /* what is recorded and executed at once races */
}

/* ---- the table ---- */

enum needs { NOTHING, RECORDING, RENDERING };

static const struct call {
   void (*make)(struct commands *, struct input *);
   enum needs needs;
   bool is_absurd; /* breaks limits of the device */
   bool is_newer;  /* than the validation layer */
   bool is_ordered; /* waits for what comes before it: not made out of order */
   bool is_disorder; /* only made where order does not matter */
} table[] = {
   {make_image, NOTHING}, {make_image, NOTHING}, {make_image, NOTHING}, {make_image, NOTHING}, {destroy_image, NOTHING},
   {write_buffer, NOTHING}, {bind_image, NOTHING}, {wait_idle, NOTHING}, {wait_semaphore, NOTHING}, {get_queries, NOTHING},
   {submit, NOTHING}, {submit, NOTHING}, {submit, NOTHING}, {end_secondary, NOTHING},
   {create_buffer, NOTHING, true}, {create_any_image, NOTHING, true}, {allocate_memory, NOTHING, true},
   {execute_commands, RECORDING}, {barrier, RECORDING}, {event, RECORDING, .is_ordered = true}, {query, RECORDING}, {timestamp, RECORDING},
   {dispatch, RECORDING}, {dispatch_indirect, RECORDING}, {push, RECORDING}, {fill_buffer, RECORDING}, {update_buffer, RECORDING},
   {copy_buffer, RECORDING}, {copy_image, RECORDING}, {copy_with_buffer, RECORDING}, {blit, RECORDING}, {resolve, RECORDING},
   {clear_image, RECORDING},
   {draw, RENDERING}, {draw, RENDERING}, {draw_indexed, RENDERING}, {draw_indirect, RENDERING}, {clear_attachments, RENDERING},
   {end_rendering, RENDERING}, {draw_meshes, RENDERING},
   {bind_sparse, NOTHING}, {copy_sparse, RECORDING}, {copy_sparse, RECORDING},
   {calls_write_instances, NOTHING}, {calls_build, RECORDING}, {calls_build, RECORDING}, {calls_copy_structure, RECORDING},
   {calls_query_rays, RECORDING}, {calls_trace_rays, RECORDING},
   {calls_write_descriptors, NOTHING, .is_newer = true}, {calls_write_sequences, NOTHING, .is_newer = true},
   {calls_dispatch_with_descriptors, RECORDING, .is_newer = true}, {calls_generate_dispatches, RECORDING, .is_newer = true},
   {calls_generate_draws, RENDERING, .is_newer = true},
   {calls_write_heaps, NOTHING, .is_newer = true}, {calls_dispatch_with_heaps, RECORDING, .is_newer = true},
   {calls_decompress, RECORDING, .is_newer = true}, {calls_convert_matrices, RECORDING, .is_newer = true},
   {calls_copy_indirect, RECORDING, .is_newer = true}, {calls_dispatch_vectors, RECORDING, .is_newer = true},
   {calls_process_images, RECORDING, .is_newer = true}, {calls_dispatch_graph, RECORDING, .is_newer = true},
   {begin_again, RECORDING, .is_disorder = true}, {end_early, RECORDING, .is_disorder = true}, {end_rendering_again, RECORDING, .is_disorder = true},
   {end_any_query, RECORDING, .is_disorder = true}, {begin_any_query, RECORDING, .is_disorder = true}, {bind_other_pipeline, RENDERING, .is_disorder = true},
   {execute_unfinished, RECORDING, .is_disorder = true}, {submit_unfinished, RECORDING, .is_disorder = true},
};

/* Counts that are small, so that what memory says takes no minutes. */
static void fill_indirect(void)
{
   uint32_t *words = world.indirect.map, *few = world.few.map;
   for (uint32_t i = 0; i < INDIRECT_BYTES / 4; i++) {
      words[i] = i * 2654435761u >> 26;
      few[i] = words[i] >> 4;
   }
}

/* With CALLS_DISORDER in the environment a part of the calls is made without what it needs, or before that, or twice. */
static bool is_disordered;

static bool prepare(const struct call *call, struct commands *commands, struct input *in)
{
   if (call->needs == RENDERING)
      return world_render(&world, commands, in);
   if (call->needs == RECORDING)
      world_record(&world, commands);
   return true;
}

static void make(const struct call *call, struct commands *commands, struct input *in)
{
   const uint32_t order = is_disordered && !call->is_ordered && call->needs != NOTHING ? input_pick(in, 6) : UINT32_MAX;
   if (order == 0) { /* nothing, or too late */
      call->make(commands, in);
      if (input_pick(in, 2))
         (void)prepare(call, commands, in);
      return;
   }
   if (!prepare(call, commands, in))
      return;
   call->make(commands, in);
   if (order == 1)
      call->make(commands, in);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
   is_disordered = getenv("CALLS_DISORDER");
   setenv("VK_SWRAST_TIMEOUT", "2", 1);
   world_init(&world, calls_rays_features(world_knows_newer() ? calls_generated_features(calls_heaps_features(calls_extensions_features(NULL))) : NULL));
   fill_indirect();
   calls_rays_init(&world);
   if (world_knows_newer()) {
      calls_generated_init(&world);
      calls_heaps_init(&world);
      calls_extensions_init(&world);
   }
   return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   struct input in = {data, data + size};
   for (uint32_t i = 0; i < MAX_CALLS && in.at < in.end && !world.is_lost; i++) {
      const struct call *call = &table[input_pick(&in, UTIL_ARRAY_SIZE(table))];
      struct commands *commands = &world.commands[call->needs == NOTHING ? 0 : input_pick(&in, NUM_COMMANDS)];
      const bool is_left_out = (call->is_absurd && world.client.is_validated) || (call->is_newer && !world_knows_newer()) ||
                               (call->is_disorder && !is_disordered);
      if (!is_left_out)
         make(call, commands, &in);
   }
   world_wait(&world);
   if (world.is_lost) {
      fprintf(stderr, "the device is lost\n");
      abort();
   }
   world_reset(&world);
   return 0;
}
