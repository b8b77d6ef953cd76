/* SPDX-License-Identifier: MIT
 * From VkGraphicsPipelineCreateInfo to the runtime's fixed-function state. Spec: Pipelines, "Graphics Pipelines". */
#pragma once

#include "runtime/state.h"

/* Fills `state` with what the create info says (defaults where a structure is absent) and gives the mask of groups that
 * are dynamic (bits of enum rt_state_group). Structures that are ignored by the specification are not read. */
uint64_t icd_graphics_state(const VkGraphicsPipelineCreateInfo *info, struct rt_state *state);
