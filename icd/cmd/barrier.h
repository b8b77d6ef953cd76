/* SPDX-License-Identifier: MIT
 * Execution dependencies as barriers of the command stream. Layout transitions and ownership transfers do nothing here,
 * and memory is coherent, so that only the stages count. Spec: Synchronization and Cache Control, "Pipeline Stages". */
#pragma once

#include "runtime/cmd/cmd.h"

/* True if a dependency between these stages orders commands with each other: the host is ordered by submission and by
 * fences, and nothing is before the top or after the bottom of the pipe. */
static inline bool icd_stages_order(VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
   return (src & ~(VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_HOST_BIT)) &&
          (dst & ~(VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT | VK_PIPELINE_STAGE_2_HOST_BIT));
}

static inline void icd_append_barrier(struct rt_cmd_stream *stream, VkDependencyFlags flags)
{
   struct rt_cmd_barrier *cmd = RT_CMD_APPEND(stream, barrier);
   if (cmd)
      cmd->is_by_region = flags & VK_DEPENDENCY_BY_REGION_BIT;
}
