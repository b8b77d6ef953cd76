/* SPDX-License-Identifier: MIT
 * VkSampler. Spec: Samplers. Constant after creation. */
#pragma once

#include "abi/image.h"
#include "icd/object.h"

struct icd_sampler {
   struct icd_object base;
   struct abi_sampler abi;
};

/* What descriptors of such a sampler point to. */
void icd_sampler_describe(struct abi_sampler *sampler, const VkSamplerCreateInfo *info);
