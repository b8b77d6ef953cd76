/* SPDX-License-Identifier: MIT
 * VkPhysicalDevice: what the driver offers. Lives inside of the instance; never changes.
 * Spec: Devices and Queues, "Physical Devices". */
#pragma once

#include "gen/icd_properties.h"
#include "icd/device/extensions.h"
#include "icd/device/features.h"
#include "icd/object.h"
#include "icd/version.h"
#include "util/debug.h"

#include <stdatomic.h>

/* Without the patch number. */
#define ICD_DEVICE_VERSION VK_MAKE_API_VERSION(0, 1, ICD_DEVICE_MINOR, 0)
/* What vkEnumerateInstanceVersion says. */
#define ICD_INSTANCE_VERSION VK_API_VERSION_1_4
/* Of VK_SWRAST_VERSION. */
#define ICD_DRIVER_VERSION VK_MAKE_API_VERSION(0, 0, 1, 0)

enum {
   ICD_NUM_QUEUE_FAMILIES = 3, /* all; compute and transfer; transfer */
   ICD_NUM_QUEUES = 4,         /* of a family */
};

/* All are of the same memory. Types whose flags are part of another's come first. With `sync` there is one in front of them that the host sees and that is not
 * coherent, so that who asks for no more gets no more: icd/instrument/host_cache.h. */
enum icd_memory_type { ICD_MEMORY_TYPE_HOST, ICD_MEMORY_TYPE_DEVICE, ICD_MEMORY_TYPE_PROTECTED, ICD_NUM_MEMORY_TYPES };
enum { ICD_MEMORY_HEAP_DEVICE, ICD_MEMORY_HEAP_HOST, ICD_NUM_MEMORY_HEAPS };
/* The index of ICD_MEMORY_TYPE_HOST. */
static inline uint32_t icd_first_memory_type(void)
{
   return util_debug(UTIL_DEBUG_SYNC) ? 1 : 0;
}

/* What memory of other processes and of the application can be; all of it is coherent. */
static inline uint32_t icd_coherent_memory_type_bits(void)
{
   return (1u << ICD_MEMORY_TYPE_HOST | 1u << ICD_MEMORY_TYPE_DEVICE) << icd_first_memory_type();
}

/* What buffers and images that are protected can be bound to, or those that are not. */
static inline uint32_t icd_memory_type_bits(bool is_protected)
{
   const uint32_t first = icd_first_memory_type(), others = (1u << first) - 1;
   return is_protected ? 1u << ICD_MEMORY_TYPE_PROTECTED << first : icd_coherent_memory_type_bits() | others;
}

struct icd_physical_device {
   struct icd_object base;
   struct icd_instance *instance;
   struct icd_extension_set extensions; /* supported device extensions */
   struct icd_features features;        /* supported */
   struct icd_properties properties;
   VkPhysicalDeviceMemoryProperties memory;
};

/* `application` as in VkInstanceCreateInfo: what is offered depends on it (exceptions.h). */
void icd_physical_device_init(struct icd_physical_device *physical_device, struct icd_instance *instance,
                              const VkApplicationInfo *application);

/* icd/device/limits.c: values of all properties, for the features that work. */
void icd_properties_fill(struct icd_properties *properties, const struct icd_features *features);

/* Answers every property structure of the chain, VkPhysicalDeviceProperties2 too; others are left alone. */
void icd_properties_answer(const struct icd_properties *properties, void *chain);
