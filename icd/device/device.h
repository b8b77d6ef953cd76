/* SPDX-License-Identifier: MIT
 * VkDevice and VkQueue: what is enabled, and the runtime that executes.
 * Spec: Devices and Queues. */
#pragma once

#include "abi/image.h"
#include "icd/device/extensions.h"
#include "icd/device/features.h"
#include "icd/device/physical_device.h"
#include "icd/object.h"
#include "runtime/sync/sync.h"
#include "util/hash.h"
#include "util/list.h"

#include <pthread.h>
#include <stdatomic.h>

struct icd_kept_views;
struct rt_device;
struct rt_findings;
struct rt_hazards;
struct rt_prints;
struct rt_touches;
struct rt_queue;

struct icd_queue {
   struct icd_object base;
   uint32_t family, index; /* index: of those of its family and flags */
   VkDeviceQueueCreateFlags flags;
   struct rt_queue *rt;
};

struct icd_device {
   struct icd_object base;
   struct icd_physical_device *physical_device;
   const VkAllocationCallbacks *allocator; /* NULL: C library; else the device's or the instance's callbacks */
   VkAllocationCallbacks allocator_storage;
   uint32_t api_version;                /* what may be used: the lower of the application's and ours */
   struct icd_features features;        /* enabled */
   struct icd_extension_set extensions; /* enabled, of the instance and of the device */
   struct util_hash enabled;            /* of this build and of these three: what validation depends on beside a module */
   struct rt_device *rt;
   uint32_t num_queues;
   struct icd_queue queues[ICD_NUM_QUEUE_FAMILIES * ICD_NUM_QUEUES];

   pthread_mutex_t objects_lock;      /* of all objects' names and private data */
   struct util_list retired;          /* pipelines that are destroyed but may be in use; pipeline/retired.h. Under objects_lock */
   _Atomic uint64_t next_private_slot;
   struct icd_kept_views *kept_views; /* NULL: descriptors of none were asked for; descriptor/kept_views.h. __atomic */
   uint64_t *border_colors;           /* a bit each that is registered; NULL: none was so far. Under objects_lock */

   char lost_reason[VK_MAX_DESCRIPTION_SIZE]; /* written before is_lost */
   bool is_lost; /* set once, before those who wait for queries are woken; __atomic */
   struct rt_timeline lost;   /* 1: the reason is written */
   _Atomic bool is_reported_lost; /* vkGetDeviceFaultReportsKHR gave its report */
   _Atomic uint64_t memory_used_bytes; /* of all VkDeviceMemory, counted against the heap */
   _Atomic uint32_t num_memory_objects;
   VkDeviceDeviceMemoryReportCreateInfoEXT *memory_reports; /* NULL: none; resource/memory_report.h */
   uint32_t num_memory_reports;
   struct rt_findings *findings; /* NULL: no check is on */
   struct rt_hazards *hazards;   /* NULL: the check `sync` is off */
   struct icd_host_cache *host_caches; /* of memory that is not coherent, with `sync`. Under objects_lock */
   struct rt_prints *prints;     /* NULL: shaders do not print */
   struct icd_traced {           /* whose value was reported last, of VK_SWRAST_TRACE; texts are reported one after the other */
      uint64_t order, words[6];  /* ABI_MAX_INVOCATION_WORDS */
      uint32_t stage, line;
   } traced;
   bool has_findings;            /* the queue's thread that reports them writes it; they are reported one after the other */
   struct rt_touches *touches;   /* NULL: nobody looks for races */
   struct icd_polls {            /* the last ones, of sync/poll.c; __atomic */
      const struct rt_timeline *timeline; /* only compared: it may be gone */
      uint64_t last_ns;
      uint32_t count;
   } polls;
};

/* Sets `enabled`; done again where a test has changed what is. */
void icd_device_hash_enabled(struct icd_device *device);
/* Of a buffer, what a descriptor reaches, in bytes. */
static inline uint64_t icd_max_buffer_range(const struct icd_device *device)
{
#ifdef VK_EXT_shader_64bit_indexing
   if (device->features.shader64BitIndexing)
      return ABI_MAX_LARGE_BUFFER_BYTES;
#endif
   return ABI_MAX_BUFFER_BYTES;
}
/* VK_ERROR_DEVICE_LOST or VK_SUCCESS. */
VkResult icd_device_status(struct icd_device *device);
