/* SPDX-License-Identifier: MIT
 * What masks of stages and of accesses mean, in bits that stand for nothing but themselves; and what they are called.
 * Spec: Synchronization and Cache Control, "Pipeline Stages", "Access Types". */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <vulkan/vulkan_core.h>

/* A layout transition, instead of a stage; whatever waits for all commands waits for it. */
#define RT_STAGE_TRANSITION (UINT64_C(1) << 62)
/* A presentation engine reads an image; the same until an image that it gives out is the application's. Nothing that the API has includes them. */
#define RT_STAGE_PRESENT (UINT64_C(1) << 61)
#define RT_STAGE_ACQUIRE (UINT64_C(1) << 60)
/* What older headers do not have: VK_PIPELINE_STAGE_2_COPY_INDIRECT_BIT_KHR, and those of VK_EXT_memory_decompression. */
#define RT_STAGE_COPY_INDIRECT (UINT64_C(1) << 46)
#define RT_STAGE_DECOMPRESSION (UINT64_C(1) << 45)
#define RT_ACCESS_DECOMPRESSION_READ (UINT64_C(1) << 55)
#define RT_ACCESS_DECOMPRESSION_WRITE (UINT64_C(1) << 56)

/* The stages that a mask names, those of the older API too; ALL_COMMANDS and its like as what they stand for. */
VkPipelineStageFlags2 rt_stages(VkPipelineStageFlags2 mask, bool is_source);
/* With those that are logically earlier, or later. */
VkPipelineStageFlags2 rt_stages_before(VkPipelineStageFlags2 stages);
VkPipelineStageFlags2 rt_stages_after(VkPipelineStageFlags2 stages);
/* SHADER_READ, MEMORY_WRITE and their like as what they stand for. */
VkAccessFlags2 rt_accesses(VkAccessFlags2 mask);
/* "COPY", "SHADER_STORAGE_READ": of one bit, or of the first of several; NULL: a layout transition. */
const char *rt_stage_name(VkPipelineStageFlags2 stage);
const char *rt_access_name(VkAccessFlags2 access);
/* "COPY|BLIT (TRANSFER_WRITE)": masks as they are given, as far as there is room. Returns how much there is of it, as snprintf(). */
size_t rt_scope_print(char *text, size_t size, VkPipelineStageFlags2 stages, VkAccessFlags2 accesses);
