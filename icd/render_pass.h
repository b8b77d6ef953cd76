/* SPDX-License-Identifier: MIT
 * VkRenderPass: versions 1 and 2 of the create structures in one form, from which commands begin one rendering a
 * subpass. Spec: Render Pass, "Render Pass Creation". Constant after creation. */
#pragma once

#include "abi/shader.h"
#include "icd/object.h"

#include <stdbool.h>

struct icd_pass_attachment {
   VkFormat format;
   VkSampleCountFlagBits samples;
   VkAttachmentLoadOp load_op, stencil_load_op;
   VkAttachmentStoreOp store_op, stencil_store_op;
   bool resolves_encoded; /* resolves into it do not convert sRGB to linear numbers */
   uint32_t last_subpass; /* that uses it; UINT32_MAX: none does */
   VkImageLayout final_layout; /* for the check `sync` */
};

/* Attachments are indices into the pass's; VK_ATTACHMENT_UNUSED. */
struct icd_subpass {
   VkPipelineBindPoint bind_point;
   bool reads_depth_only, reads_stencil_only; /* by the layout of the depth/stencil attachment */
   uint32_t view_mask; /* 0: no multiview */
   uint32_t num_colors;
   uint32_t colors[ABI_MAX_ATTACHMENTS];
   uint32_t resolves[ABI_MAX_ATTACHMENTS];
   uint32_t depth_stencil, depth_stencil_resolve;
   VkResolveModeFlagBits depth_resolve_mode, stencil_resolve_mode;
   uint32_t implicit_samples; /* with which attachments of one sample are rendered to; 0: as they are */
   bool is_dithered;
   bool has_fragment_regions; /* for validation: its shaders run for whole fragments */
   uint32_t rates; /* shading rates, or the fragment density map */
   bool has_density, has_layered_density; /* it is that; with a layer for each of the target */
   VkExtent2D rate_texel; /* of that attachment, in texels of the others */
   uint32_t num_inputs;
   const uint32_t *inputs;
};

/* Masks as given. */
struct icd_pass_dependency {
   uint32_t src_subpass, dst_subpass;
   VkPipelineStageFlags2 src_stages, dst_stages;
   VkAccessFlags2 src_accesses, dst_accesses;
};

struct icd_render_pass {
   struct icd_object base;
   uint32_t num_attachments, num_subpasses;
   const struct icd_pass_attachment *attachments;
   const struct icd_subpass *subpasses;
   uint32_t num_dependencies;
   const struct icd_pass_dependency *dependencies;
   bool waits_at_end; /* a dependency to VK_SUBPASS_EXTERNAL */
   bool hands_over;   /* an attachment's last layout is one for readers */
};

/* Of an attachment with depth or stencil: nothing writes the aspect in this layout. */
bool icd_layout_is_read_only(VkImageLayout layout, bool is_stencil);
