/* SPDX-License-Identifier: MIT
 * VK_SWRAST_DEBUG=order=…: commands without a barrier between them run in another order, so that what a program gets that lacks one is another result, on
 * one thread, too; its repaired twin has the same one as ever. */
#include "tests/instrument/sync_scene.h"
#include "tests/test.h"

#include <string.h>

enum { GUARD = 9 };

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

static const struct twin {
   const char *name;
   uint32_t right; /* of the output's word 0 */
   void (*record)(VkCommandBuffer cmd, bool is_faulty);
} twins[] = {
   {"two_dispatches", 2, two_dispatches},           {"dispatch_after_fill", 2, dispatch_after_fill}, {"copy_of_a_copy", 3, copy_of_a_copy},
   {"upload_of_a_texel", GUARD + 64 * 3, upload_of_a_texel}, {"draw_after_dispatch", 7, draw_after_dispatch},
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
   for (uint32_t i = 0; i < sizeof(twins) / sizeof(twins[0]); i++) {
      const uint32_t faulty = run(&twins[i], true), fixed = run(&twins[i], false);
      if (faulty == twins[i].right || fixed != twins[i].right) {
         printf("%s: %u without a barrier, %u with it\n", twins[i].name, faulty, fixed);
         test_fail(__FILE__, __LINE__, twins[i].name);
      }
   }
   sync_finish();
}

TEST_MAIN
