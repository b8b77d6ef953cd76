/* SPDX-License-Identifier: MIT
 * Shading rates as the API has them. Spec: Rasterization, "Fragment Shading Rates". */
#pragma once

#include "icd/resource/image_view.h"
#include "runtime/cmd/cmd.h"

enum {
   ICD_MAX_FRAGMENT_SIZE = 4,      /* texels along an edge */
   ICD_MAX_COVERAGE_SAMPLES = 32,  /* of a fragment, all its texels together */
   ICD_MIN_RATE_TEXEL = 8, ICD_MAX_RATE_TEXEL = 64, /* texels that one of an attachment is for, along an edge */
};

/* A NULL view: none. */
struct rt_rate_attachment icd_rate_attachment(const struct icd_image_view *view, VkExtent2D texel);
/* The same of a fragment density map. framebuffer: what the whole of it is for, in texels. is_layered: each view or layer of the target has its own. */
struct rt_rate_attachment icd_density_attachment(const struct icd_image_view *view, VkExtent2D framebuffer, bool is_layered);
