/* SPDX-License-Identifier: MIT
 * The stages of a graphics pipeline as its create info has them. Spec: Pipelines, "Graphics Pipelines". */
#pragma once

#include "icd/pipeline/stages.h"
#include "icd/pipeline_layout.h"

/* Adds the pipeline's own stages to the list and notes them in `jobs`, ABI_NUM_STAGES at most. Returns how many. */
uint32_t icd_graphics_add_stages(struct icd_stage_list *list, const VkGraphicsPipelineCreateInfo *info, struct icd_pipeline_cache *cache,
                                 struct icd_stage_job **jobs);
