/* SPDX-License-Identifier: MIT */
#include "runtime/cmd/scopes.h"

#include "util/macros.h"

#include <stdio.h>

/* A stage comes after those of a chain of its own that have a lower rank. */
enum { GRAPHICS = 1, COMPUTE = 2, RAYS = 4 };
static const struct {
   VkPipelineStageFlags2 bit;
   const char *name;
   uint32_t chains, rank;
} stages[] = {
   {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, "DRAW_INDIRECT", GRAPHICS | COMPUTE | RAYS, 0},
   {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, "INDEX_INPUT", GRAPHICS, 1},
   {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, "VERTEX_ATTRIBUTE_INPUT", GRAPHICS, 2},
   {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, "VERTEX_SHADER", GRAPHICS, 3},
   {VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT, "TASK_SHADER", GRAPHICS, 3},
   {VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT, "TESSELLATION_CONTROL_SHADER", GRAPHICS, 4},
   {VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT, "TESSELLATION_EVALUATION_SHADER", GRAPHICS, 5},
   {VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT, "GEOMETRY_SHADER", GRAPHICS, 6},
   {VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT, "MESH_SHADER", GRAPHICS, 6},
   {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, "TRANSFORM_FEEDBACK", GRAPHICS, 7},
   {VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, "FRAGMENT_SHADING_RATE_ATTACHMENT", GRAPHICS, 8},
   {VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT, "FRAGMENT_DENSITY_PROCESS", GRAPHICS, 8},
   {VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT, "EARLY_FRAGMENT_TESTS", GRAPHICS, 9},
   {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, "FRAGMENT_SHADER", GRAPHICS, 10},
   {VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT, "LATE_FRAGMENT_TESTS", GRAPHICS, 11},
   {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, "COLOR_ATTACHMENT_OUTPUT", GRAPHICS, 12},
   {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, "COMPUTE_SHADER", COMPUTE, 1},
   {VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "RAY_TRACING_SHADER", RAYS, 1},
   {VK_PIPELINE_STAGE_2_COPY_BIT, "COPY", 0, 0},
   {VK_PIPELINE_STAGE_2_RESOLVE_BIT, "RESOLVE", 0, 0},
   {VK_PIPELINE_STAGE_2_BLIT_BIT, "BLIT", 0, 0},
   {VK_PIPELINE_STAGE_2_CLEAR_BIT, "CLEAR", 0, 0},
   {VK_PIPELINE_STAGE_2_HOST_BIT, "HOST", 0, 0},
   {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, "ACCELERATION_STRUCTURE_BUILD", 0, 0},
   {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, "ACCELERATION_STRUCTURE_COPY", 0, 0},
   {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, "CONDITIONAL_RENDERING", 0, 0},
   {VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV, "COMMAND_PREPROCESS", 0, 0},
   {RT_STAGE_COPY_INDIRECT, "COPY_INDIRECT", 0, 0},
   {RT_STAGE_DECOMPRESSION, "MEMORY_DECOMPRESSION", 0, 0},
   {VK_PIPELINE_STAGE_2_CONVERT_COOPERATIVE_VECTOR_MATRIX_BIT_NV, "CONVERT_COOPERATIVE_VECTOR_MATRIX", 0, 0},
};

static const struct {
   VkAccessFlags2 bit;
   const char *name;
   bool is_write;
} accesses[] = {
   {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, "INDIRECT_COMMAND_READ", false},
   {VK_ACCESS_2_INDEX_READ_BIT, "INDEX_READ", false},
   {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, "VERTEX_ATTRIBUTE_READ", false},
   {VK_ACCESS_2_UNIFORM_READ_BIT, "UNIFORM_READ", false},
   {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, "INPUT_ATTACHMENT_READ", false},
   {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, "SHADER_SAMPLED_READ", false},
   {VK_ACCESS_2_SHADER_STORAGE_READ_BIT, "SHADER_STORAGE_READ", false},
   {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, "SHADER_STORAGE_WRITE", true},
   {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, "COLOR_ATTACHMENT_READ", false},
   {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, "COLOR_ATTACHMENT_WRITE", true},
   {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, "DEPTH_STENCIL_ATTACHMENT_READ", false},
   {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, "DEPTH_STENCIL_ATTACHMENT_WRITE", true},
   {VK_ACCESS_2_TRANSFER_READ_BIT, "TRANSFER_READ", false},
   {VK_ACCESS_2_TRANSFER_WRITE_BIT, "TRANSFER_WRITE", true},
   {VK_ACCESS_2_HOST_READ_BIT, "HOST_READ", false},
   {VK_ACCESS_2_HOST_WRITE_BIT, "HOST_WRITE", true},
   {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, "TRANSFORM_FEEDBACK_WRITE", true},
   {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, "TRANSFORM_FEEDBACK_COUNTER_READ", false},
   {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, "TRANSFORM_FEEDBACK_COUNTER_WRITE", true},
   {VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, "CONDITIONAL_RENDERING_READ", false},
   {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, "ACCELERATION_STRUCTURE_READ", false},
   {VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, "ACCELERATION_STRUCTURE_WRITE", true},
   {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, "SHADER_BINDING_TABLE_READ", false},
   {VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR, "FRAGMENT_SHADING_RATE_ATTACHMENT_READ", false},
   {VK_ACCESS_2_FRAGMENT_DENSITY_MAP_READ_BIT_EXT, "FRAGMENT_DENSITY_MAP_READ", false},
   {VK_ACCESS_2_COLOR_ATTACHMENT_READ_NONCOHERENT_BIT_EXT, "COLOR_ATTACHMENT_READ_NONCOHERENT", false},
   {RT_ACCESS_DECOMPRESSION_READ, "MEMORY_DECOMPRESSION_READ", false},
   {RT_ACCESS_DECOMPRESSION_WRITE, "MEMORY_DECOMPRESSION_WRITE", true},
};

/* Of the chains; 0: of all that there are. */
static VkPipelineStageFlags2 stages_of(uint32_t chains)
{
   VkPipelineStageFlags2 result = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(stages); i++)
      result |= !chains || stages[i].chains & chains ? stages[i].bit : 0;
   return result;
}

VkPipelineStageFlags2 rt_stages(VkPipelineStageFlags2 mask, bool is_source)
{
   const VkPipelineStageFlags2 everything = (stages_of(0) & ~VK_PIPELINE_STAGE_2_HOST_BIT) | RT_STAGE_TRANSITION;
   VkPipelineStageFlags2 result = mask & (stages_of(0) | RT_STAGE_TRANSITION | RT_STAGE_PRESENT | RT_STAGE_ACQUIRE);
   if (mask & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT ||
       mask & (is_source ? VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT : VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT))
      result |= everything;
   if (mask & VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT)
      result |= stages_of(GRAPHICS) | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
   if (mask & VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT)
      result |= VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT |
                VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
   if (mask & VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT)
      result |= VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
   if (mask & VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT)
      result |= VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
                VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT | VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT |
                VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT | VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT;
   return result;
}

static VkPipelineStageFlags2 beside(VkPipelineStageFlags2 mask, bool is_before)
{
   VkPipelineStageFlags2 result = mask;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(stages); i++) {
      for (uint32_t k = 0; mask & stages[i].bit && k < UTIL_ARRAY_SIZE(stages); k++) {
         const bool is_there = is_before ? stages[k].rank < stages[i].rank : stages[k].rank > stages[i].rank;
         result |= is_there && stages[k].chains & stages[i].chains ? stages[k].bit : 0;
      }
   }
   return result;
}

VkPipelineStageFlags2 rt_stages_before(VkPipelineStageFlags2 mask)
{
   return beside(mask, true);
}

VkPipelineStageFlags2 rt_stages_after(VkPipelineStageFlags2 mask)
{
   return beside(mask, false);
}

VkAccessFlags2 rt_accesses(VkAccessFlags2 mask)
{
   VkAccessFlags2 result = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(accesses); i++) {
      const VkAccessFlags2 all = accesses[i].is_write ? VK_ACCESS_2_MEMORY_WRITE_BIT : VK_ACCESS_2_MEMORY_READ_BIT;
      result |= mask & (accesses[i].bit | all) ? accesses[i].bit : 0;
   }
   if (mask & VK_ACCESS_2_SHADER_READ_BIT)
      result |= VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT |
                VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR;
   if (mask & VK_ACCESS_2_SHADER_WRITE_BIT)
      result |= VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
   return result;
}

const char *rt_stage_name(VkPipelineStageFlags2 mask)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(stages); i++) {
      if (mask & stages[i].bit && !(mask & RT_STAGE_TRANSITION))
         return stages[i].name;
   }
   return NULL;
}

const char *rt_access_name(VkAccessFlags2 mask)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(accesses); i++) {
      if (mask & accesses[i].bit)
         return accesses[i].name;
   }
   return NULL;
}

/* ---- text ---- */

struct name {
   VkFlags64 bit;
   const char *name;
};

/* Bits that stand for others. */
static const struct name stage_sets[] = {
   {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, "TOP_OF_PIPE"},
   {VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, "BOTTOM_OF_PIPE"},
   {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, "ALL_COMMANDS"},
   {VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, "ALL_GRAPHICS"},
   {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, "ALL_TRANSFER"},
   {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, "VERTEX_INPUT"},
   {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, "PRE_RASTERIZATION_SHADERS"},
};
static const struct name access_sets[] = {
   {VK_ACCESS_2_SHADER_READ_BIT, "SHADER_READ"},
   {VK_ACCESS_2_SHADER_WRITE_BIT, "SHADER_WRITE"},
   {VK_ACCESS_2_MEMORY_READ_BIT, "MEMORY_READ"},
   {VK_ACCESS_2_MEMORY_WRITE_BIT, "MEMORY_WRITE"},
};

static const char *set_name(const struct name *sets, size_t count, VkFlags64 bit)
{
   for (size_t i = 0; i < count; i++) {
      if (sets[i].bit == bit)
         return sets[i].name;
   }
   return NULL;
}

/* Bits without a name as numbers. */
static size_t print_mask(char *text, size_t size, VkFlags64 mask, bool is_of_stages)
{
   size_t used = mask ? 0 : (size_t)snprintf(text, size, "NONE");
   for (VkFlags64 rest = mask; rest; rest &= rest - 1) {
      const VkFlags64 bit = rest & -rest;
      const char *name = is_of_stages ? set_name(stage_sets, UTIL_ARRAY_SIZE(stage_sets), bit) : set_name(access_sets, UTIL_ARRAY_SIZE(access_sets), bit);
      char number[32];
      snprintf(number, sizeof(number), "0x%llx", (unsigned long long)bit);
      if (!name)
         name = is_of_stages ? rt_stage_name(bit) : rt_access_name(bit);
      const size_t at = UTIL_MIN(used, size);
      used += (size_t)snprintf(text + at, size - at, "%s%s", used ? "|" : "", name ? name : number);
   }
   return used;
}

size_t rt_scope_print(char *text, size_t size, VkPipelineStageFlags2 stage_mask, VkAccessFlags2 access_mask)
{
   size_t used = print_mask(text, size, stage_mask, true);
   used += (size_t)snprintf(text + UTIL_MIN(used, size), size - UTIL_MIN(used, size), " (");
   used += print_mask(text + UTIL_MIN(used, size), size - UTIL_MIN(used, size), access_mask, false);
   return used + (size_t)snprintf(text + UTIL_MIN(used, size), size - UTIL_MIN(used, size), ")");
}
