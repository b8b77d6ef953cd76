/* SPDX-License-Identifier: MIT
 * VkInstance: the one physical device, enabled instance extensions, debug messengers.
 * Spec: Initialization, "Instances". */
#pragma once

#include "icd/device/extensions.h"
#include "icd/device/physical_device.h"
#include "icd/object.h"
#include "util/list.h"

#include <pthread.h>
#include <stdatomic.h>

struct icd_instance {
   struct icd_object base;
   const VkAllocationCallbacks *allocator; /* NULL, or &allocator_storage */
   VkAllocationCallbacks allocator_storage;
   uint32_t api_version; /* VkApplicationInfo::apiVersion without the patch number; 0 counts as 1.0 */
   struct icd_extension_set extensions; /* enabled */
   struct icd_physical_device physical_device;

   pthread_mutex_t messengers_lock;
   struct util_list messengers;    /* struct icd_messenger, by messengers_lock */
   atomic_uint num_messengers;     /* changed under the lock, read without it: does anybody listen? */
};
