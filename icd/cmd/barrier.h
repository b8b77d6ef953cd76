/* SPDX-License-Identifier: MIT
 * Execution dependencies as barriers of the command stream. Layout transitions and ownership transfers do nothing here,
 * and memory is coherent, so that only the stages count. Spec: Synchronization and Cache Control, "Pipeline Stages". */
#pragma once

#include "runtime/cmd/cmd.h"

/* Bit set of enum rt_stages. What runs in the stages of a class is one with the rest of it; stages that are not named here are in all classes.
 * The host is ordered by submission and by fences. */
static inline uint32_t icd_stage_classes(VkPipelineStageFlags2 stages)
{
   static const struct {
      VkPipelineStageFlags2 stages;
      uint32_t classes;
   } table[] = {
      {VK_PIPELINE_STAGE_2_HOST_BIT, 0},
      {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT | VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT |
          VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
          VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT | VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT |
          VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT | VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT |
          VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT,
       1u << RT_STAGES_GEOMETRY},
      {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
          VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
       1u << RT_STAGES_FRAGMENT},
      {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR |
          VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT,
       1u << RT_STAGES_GEOMETRY | 1u << RT_STAGES_FRAGMENT},
      {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 1u << RT_STAGES_COMPUTE},
      {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
          VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR | VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
          VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR,
       1u << RT_STAGES_OTHER},
   };
   uint32_t classes = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(table); i++) {
      classes |= stages & table[i].stages ? table[i].classes : 0;
      stages &= ~table[i].stages;
   }
   return stages ? RT_ALL_STAGES : classes;
}

/* An execution dependency, put together from all parts of a command: what each orders is ordered. */
struct icd_barrier {
   uint32_t src, dst; /* bit sets of enum rt_stages */
};

/* Nothing is before the top or after the bottom of the pipe. */
static inline void icd_barrier_add(struct icd_barrier *barrier, VkPipelineStageFlags2 src, VkPipelineStageFlags2 dst)
{
   const uint32_t src_classes = icd_stage_classes(src & ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT);
   const uint32_t dst_classes = icd_stage_classes(dst & ~VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);
   if (src_classes && dst_classes) {
      barrier->src |= src_classes;
      barrier->dst |= dst_classes;
   }
}

/* Nothing if it orders nothing. */
static inline void icd_append_barrier(struct rt_cmd_stream *stream, const struct icd_barrier *barrier)
{
   struct rt_cmd_barrier *cmd = barrier->src ? RT_CMD_APPEND(stream, barrier) : NULL;
   if (cmd) {
      cmd->src = barrier->src;
      cmd->dst = barrier->dst;
   }
}

static const struct icd_barrier icd_full_barrier = {RT_ALL_STAGES, RT_ALL_STAGES};
