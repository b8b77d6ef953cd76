/* SPDX-License-Identifier: MIT
 * VkCommandPool. Spec: Command Buffers, "Command Pools". Threads: externally synchronized with its command buffers. */
#pragma once

#include "icd/object.h"
#include "util/list.h"

struct icd_command_pool {
   struct icd_object base;
   const VkAllocationCallbacks *allocator; /* of the command buffers too: NULL or &allocator_storage */
   VkAllocationCallbacks allocator_storage;
   struct util_list buffers; /* struct icd_command_buffer */
   uint32_t family;          /* of queues */
};
