/* SPDX-License-Identifier: MIT
 * VkFence: a timeline that is 0 or 1. Spec: Synchronization and Cache Control, "Fences". */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"

struct icd_fence {
   struct icd_object base;
   struct rt_timeline timeline;
};
