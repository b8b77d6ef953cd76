/* SPDX-License-Identifier: MIT
 * VkBufferView: a texel buffer. Spec: Resource Creation, "Buffer Views". */
#pragma once

#include "abi/image.h"
#include "icd/object.h"

struct icd_buffer_view {
   struct icd_object base;
   struct abi_image texels;
};
