/* SPDX-License-Identifier: MIT
 * VkIndirectExecutionSetEXT: pipelines or shader objects that generated commands choose from by number.
 * Spec: Device-Generated Commands, "Indirect Execution Sets". Threads: writes to different locations may happen at once. */
#pragma once

#include "icd/object.h"
#include "runtime/cmd/cmd.h"

struct icd_execution_set {
   struct icd_object base;
   struct rt_execution_set set;
   struct rt_execution_entry entries[];
};
