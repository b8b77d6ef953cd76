/* SPDX-License-Identifier: MIT
 * VkPipeline: the runtime's form of it, and references to the shaders whose code it points to.
 * Spec: Pipelines. Owns: one reference to each shader. Threads: constant after creation. */
#pragma once

#include "icd/device/device.h"
#include "runtime/state.h"

struct icd_nodes;
struct icd_ray_shaders;
struct icd_shader;
struct icd_shader_uses;
struct icd_stage_source;

struct icd_pipeline {
   struct icd_object base;
   VkPipelineBindPoint bind_point;
   VkGraphicsPipelineLibraryFlagsEXT parts; /* of a graphics pipeline: all, or what a library has */
   union {
      struct rt_compute_pipeline compute;
      struct rt_ray_pipeline rays;
      struct rt_node_pipeline nodes;
      struct {
         struct rt_graphics_pipeline graphics;
         struct rt_static_state state;
      };
   };
   struct icd_shader *shaders[ABI_NUM_STAGES]; /* NULL: stage is absent */
   struct icd_ray_shaders *ray_shaders; /* of a ray pipeline, instead of `shaders`; else NULL */
   struct icd_nodes *graph; /* of an execution graph, instead of `shaders`; of a compute pipeline that may be its library too; else NULL */
   struct icd_stage_source *sources[ABI_NUM_STAGES]; /* of a library: its stages and those linked into it; NULL: absent */
   struct icd_shader_uses *uses;                        /* under VK_SWRAST_DEBUG=validate, else NULL */
   struct util_list retired;                            /* once destroyed: in the device's list, under its objects_lock */
   uint32_t retired_at[ICD_NUM_QUEUE_FAMILIES * ICD_NUM_QUEUES]; /* by queue: how many submissions may use it */
   char labels[ABI_NUM_STAGES][160]; /* what reports call them: the shader's name and the pipeline's */
};
