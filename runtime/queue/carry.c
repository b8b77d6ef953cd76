/* SPDX-License-Identifier: MIT
 * `uninit`: copies, blits and resolves carry along what nobody wrote: they are executed on the shadows of their images and buffers first, which lie apart
 * from them by a constant and are of the same layout (instrument/texels.h). A blit's texel is one that nobody wrote where one of those that it takes is. */
#include "runtime/queue/executor.h"

#include "runtime/instrument/texels.h"
#include "runtime/instrument/written.h"

static uint8_t *shadow_of(const void *data)
{
   return (uint8_t *)((uintptr_t)data + ABI_SHADOW_DISTANCE);
}

static bool has_shadow(const void *data)
{
   return abi_has_shadow((uintptr_t)data);
}

/* Executes a copy of a command whose images, those of them that it has, are at src and dst, with the shadows of both. */
static bool carry(struct rt_executor *executor, struct rt_cmd *cmd, const struct rt_image **src, const struct rt_image **dst, rt_execute_fn *execute)
{
   struct rt_shadow_image from, to;
   const struct rt_image *image = dst ? *dst : NULL;
   if ((src && !rt_shadow_image_init(&from, *src)) || (dst && !rt_shadow_image_init(&to, *dst)))
      return false;
   if (src)
      *src = &from.image;
   if (dst)
      *dst = &to.image;
   execute(executor, cmd);
   rt_executor_sync(executor);
   if (image)
      rt_shadow_image_changed(image);
   return true;
}

static bool carry_copy_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_cmd_copy_image copy = *(const struct rt_cmd_copy_image *)cmd;
   return carry(executor, &copy.cmd, &copy.src, &copy.dst, rt_execute_copy_image);
}

static bool carry_copy_buffer_to_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_cmd_copy_buffer_to_image copy = *(const struct rt_cmd_copy_buffer_to_image *)cmd;
   if (!has_shadow(copy.src))
      return false;
   copy.src = shadow_of(copy.src);
   return carry(executor, &copy.cmd, NULL, &copy.dst, rt_execute_copy_buffer_to_image);
}

static bool carry_copy_image_to_buffer(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_cmd_copy_image_to_buffer copy = *(const struct rt_cmd_copy_image_to_buffer *)cmd;
   if (!has_shadow(copy.dst))
      return false;
   copy.dst = shadow_of(copy.dst);
   return carry(executor, &copy.cmd, &copy.src, NULL, rt_execute_copy_image_to_buffer);
}

static bool carry_copy_indirect(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_copy_indirect *it = (const struct rt_cmd_copy_indirect *)cmd;
   for (uint32_t i = 0; it->image && i < it->count; i++) {
      VkBufferImageCopy region;
      const uint8_t *src;
      if (!rt_indirect_region(it, i, &region, &src))
         continue;
      const struct rt_cmd_copy_buffer_to_image copy = {
         .cmd.type = RT_CMD_copy_buffer_to_image, .src = src, .dst = it->image, .num_regions = 1, .regions = &region};
      if (!carry_copy_buffer_to_image(executor, &copy.cmd))
         rt_written_by_command(&copy.cmd);
   }
   return it->image;
}

static bool carry_blit_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_cmd_blit_image blit = *(const struct rt_cmd_blit_image *)cmd;
   return carry(executor, &blit.cmd, &blit.src, &blit.dst, rt_execute_blit_image);
}

/* A minimum depends on all samples as a mean does; of integers there is none, and the first sample is taken. */
static VkResolveModeFlagBits resolve_mode(VkResolveModeFlagBits mode, bool is_int)
{
   return mode == VK_RESOLVE_MODE_NONE || mode == VK_RESOLVE_MODE_SAMPLE_ZERO_BIT ? mode
          : is_int && mode == VK_RESOLVE_MODE_AVERAGE_BIT                         ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                                                                  : VK_RESOLVE_MODE_AVERAGE_BIT;
}

static bool carry_resolve_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   struct rt_cmd_resolve_image resolve = *(const struct rt_cmd_resolve_image *)cmd;
   resolve.mode = resolve_mode(resolve.mode, resolve.src->info->is_int);
   resolve.stencil_mode = resolve_mode(resolve.stencil_mode, true);
   resolve.is_encoded = false;
   return carry(executor, &resolve.cmd, &resolve.src, &resolve.dst, rt_execute_resolve_image);
}

static bool (*const carriers[RT_NUM_COMMANDS])(struct rt_executor *executor, const struct rt_cmd *cmd) = {
   [RT_CMD_copy_image] = carry_copy_image,
   [RT_CMD_copy_buffer_to_image] = carry_copy_buffer_to_image,
   [RT_CMD_copy_image_to_buffer] = carry_copy_image_to_buffer,
   [RT_CMD_copy_indirect] = carry_copy_indirect,
   [RT_CMD_blit_image] = carry_blit_image,
   [RT_CMD_resolve_image] = carry_resolve_image,
};

bool rt_executor_carry(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   return carriers[cmd->type] && carriers[cmd->type](executor, cmd);
}
