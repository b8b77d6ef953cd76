/* SPDX-License-Identifier: MIT
 * VkIndirectCommandsLayoutEXT: what stands where in a sequence of generated commands.
 * Spec: Device-Generated Commands, "Indirect Commands Layout". Threads: constant after creation. */
#pragma once

#include "icd/object.h"
#include "runtime/cmd/cmd.h"

struct icd_token_layout {
   struct icd_object base;
   struct rt_token_list list;
   struct rt_token tokens[];
};
