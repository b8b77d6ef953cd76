/* SPDX-License-Identifier: MIT
 * What the stages of a pipeline declare and use and what it renders to, for messages about what commands give them (stream.h): under
 * VK_SWRAST_DEBUG=validate only. */
#pragma once

#include "abi/shader.h"
#include "icd/validate/pipeline.h"
#include "runtime/state.h"

struct icd_pipeline_layout;

/* An image or texel buffer that a stage declares and uses. */
struct icd_image_use {
   uint32_t set, binding, offset_bytes, count; /* descriptors in the set's memory */
   uint64_t shape;                /* of the set: comp_set.shape */
   bool is_mutable;
   uint32_t dim;                  /* SpvDim */
   uint32_t format;               /* SpvImageFormat */
   uint32_t written_components;   /* the fewest that an OpImageWrite has; 0: none writes */
   uint8_t is_ms, is_float, is_signed, width;
   uint64_t reported; /* a bit a rule, __atomic: each message comes once */
};

/* What a graphics pipeline was made to render to. */
struct icd_target_use {
   bool is_known;    /* no library brought it, or nothing is rasterized */
   uint32_t subpass; /* of a render pass: its index + 1; 0: dynamic rendering */
   uint32_t view_mask, num_colors;
   VkFormat colors[ABI_MAX_ATTACHMENTS], depth, stencil; /* VK_FORMAT_UNDEFINED: unused */
   uint32_t samples;                                     /* of a subpass's attachments; 0: it has none */
   uint8_t locations[ABI_MAX_ATTACHMENTS];               /* as rt_state.color_locations */
};

struct icd_shader_uses {
   struct icd_target_use target;
   struct icd_io_type inputs[RT_MAX_VERTEX_ATTRIBUTES]; /* of the vertex shader, by location */
   struct icd_io_type outputs[ABI_MAX_ATTACHMENTS];     /* of the fragment shader, by location */
   uint64_t reported;                                   /* as above */
   uint32_t num_images;
   struct icd_image_use images[];
};

/* In memory of util_malloc(); NULL with *uses where the switch is off. Bindings that may be without a valid descriptor are left out.
 * VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_shader_uses_create(const struct comp_shader_desc *const *stages, uint32_t num_stages,
                                                const struct icd_pipeline_layout *layout, struct icd_shader_uses **uses);

/* Notes what a pipeline renders to, if `parts` of it say so. */
void icd_target_use_init(struct icd_target_use *target, const VkGraphicsPipelineCreateInfo *info, VkGraphicsPipelineLibraryFlagsEXT parts);

/* Adds what a linked library uses, NULL where the switch is off. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_shader_uses_append(struct icd_shader_uses **uses, const struct icd_shader_uses *library);
