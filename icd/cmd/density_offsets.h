/* SPDX-License-Identifier: MIT
 * Offsets of a fragment density map. They come with the end of a render pass instance, whose beginning is in the stream by then: it points to memory that
 * they are written to. Spec: Render Pass, "VkRenderPassFragmentDensityMapOffsetEndInfoEXT". */
#pragma once

#include "icd/command_buffer.h"

/* At the beginning of the recorded instance, before icd_density_offsets_add(). */
void icd_density_offsets_begin(struct icd_command_buffer *buffer);
/* Points a rendering of the instance to them, if it has a density map. Without memory the stream says so, and there are none. */
void icd_density_offsets_add(struct icd_command_buffer *buffer, struct rt_rate_attachment *rates);
/* next: the chain of VkSubpassEndInfo or VkRenderingEndInfoKHR. What the map has no layer for is ignored. */
void icd_density_offsets_end(struct icd_command_buffer *buffer, const void *next);
