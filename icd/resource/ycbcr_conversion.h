/* SPDX-License-Identifier: MIT
 * VkSamplerYcbcrConversion: what views are sampled with; samplers need not know. Constant after creation.
 * Spec: Samplers, "Sampler Y'CbCr Conversion". */
#pragma once

#include "icd/object.h"
#include "runtime/texture/conversion.h"

struct icd_ycbcr_conversion {
   struct icd_object base;
   struct rt_conversion rt;
};
