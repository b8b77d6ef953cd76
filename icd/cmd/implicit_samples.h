/* SPDX-License-Identifier: MIT
 * Rendering with several samples to images that have one: what is rendered to as long as a subpass or a rendering lasts.
 * Spec: Render Pass, "VkMultisampledRenderToSingleSampledInfoEXT".
 * Input attachments and feedback loops that name the attachment's own image read what that has: what was resolved last, not what the same
 * rendering has drawn since. */
#pragma once

#include "icd/command_buffer.h"
#include "icd/resource/image_view.h"

/* How colours are resolved where nothing says it: integers cannot be averaged. */
VkResolveModeFlagBits icd_color_resolve_mode(const struct abi_image *view);

/* Replaces an attachment that has one sample by an image of `samples`, which the command buffer keeps, and which is resolved by `mode` into the
 * attachment's own if that is stored. What is to be loaded is copied into all samples by commands that are appended now: before those that begin the
 * rendering. `view`, `aspect`: of the attachment; `area`: what is rendered. An attachment that has several samples, or none, stays as it is. When memory is
 * out the stream is marked. */
void icd_implicit_samples(struct icd_command_buffer *buffer, struct rt_attachment *attachment, const struct icd_image_view *view,
                          VkImageAspectFlagBits aspect, const VkRect2D *area, uint32_t samples, VkResolveModeFlagBits mode);
