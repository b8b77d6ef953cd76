/* SPDX-License-Identifier: MIT
 * The views that shaders read and write, against what the shaders declare: under VK_SWRAST_DEBUG=validate only, when work is
 * submitted. Results are defined whatever is found; messages say what the application did not mean.
 * Source: Drawing Commands and Dispatching Commands, valid usage; Vulkan Environment for SPIR-V, "Compatibility Between SPIR-V
 * Image Dimensions and Vulkan ImageView Types", "Compatibility Between SPIR-V Image Formats and Vulkan Formats". */
#pragma once

#include "util/macros.h"

#include <vulkan/vulkan_core.h>

#include <stdbool.h>
#include <stdint.h>

struct comp_shader_desc;
struct icd_device;
struct icd_pipeline_layout;
struct rt_cmd_stream;

/* An image or texel buffer that a stage declares and uses. */
struct icd_image_use {
   uint32_t set, binding, offset_bytes, count; /* descriptors in the set's memory */
   uint32_t dim;                  /* SpvDim */
   uint32_t format;               /* SpvImageFormat */
   uint32_t written_components;   /* the fewest that an OpImageWrite has; 0: none writes */
   uint8_t is_ms, is_float, is_signed, width;
   uint8_t told; /* a bit a rule, __atomic: each message comes once */
};

struct icd_image_uses {
   uint32_t count;
   struct icd_image_use uses[];
};

/* What the stages of a pipeline use, in memory of util_malloc(); NULL with *uses where the switch is off.
 * Bindings that may be without a valid descriptor are left out. VK_ERROR_OUT_OF_HOST_MEMORY. */
UTIL_MUST_CHECK VkResult icd_image_uses_create(const struct comp_shader_desc *const *stages, uint32_t num_stages,
                                               const struct icd_pipeline_layout *layout, struct icd_image_uses **uses);

/* Looks at every draw and dispatch of a stream. Does nothing where the switch is off. */
void icd_validate_stream(struct icd_device *device, const struct rt_cmd_stream *stream);
