/* SPDX-License-Identifier: MIT
 * VkFramebuffer. Spec: Render Pass, "Framebuffers". Constant after creation. */
#pragma once

#include "icd/resource/image_view.h"

struct icd_framebuffer {
   struct icd_object base;
   VkExtent2D extent;
   uint32_t num_layers;
   uint32_t num_attachments; /* 0: imageless, the views come with vkCmdBeginRenderPass */
   const struct icd_image_view *attachments[];
};
