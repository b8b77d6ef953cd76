/* SPDX-License-Identifier: MIT
 * VkFence: a timeline that is 0 or 1. Spec: Synchronization and Cache Control, "Fences". */
#pragma once

#include "icd/sync/payload.h"

struct icd_fence {
   struct icd_object base;
   struct icd_payloads payloads;
};

static inline struct rt_timeline *icd_fence_timeline(struct icd_fence *fence)
{
   return &icd_payload_current(&fence->payloads)->timeline;
}
