/* SPDX-License-Identifier: MIT
 * VkEvent: a timeline that is 0 or 1. Spec: Synchronization and Cache Control, "Events". */
#pragma once

#include "icd/object.h"
#include "runtime/sync/sync.h"

struct icd_event {
   struct icd_object base;
   struct rt_timeline timeline;
};
