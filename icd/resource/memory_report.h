/* SPDX-License-Identifier: MIT
 * Who has device memory, and where: the callbacks of VK_EXT_device_memory_report, and the messages of VK_EXT_device_address_binding_report.
 * Spec: Devices and Queues, "Device Memory Reports"; Debugging. Threads: all functions are thread-safe; callbacks run in the caller's thread. */
#pragma once

#include "icd/object.h"

#include <stdbool.h>

struct icd_device_memory;
struct icd_image;

/* Takes those that are chained to the creation of the device. VK_ERROR_OUT_OF_HOST_MEMORY, or VK_SUCCESS. */
UTIL_MUST_CHECK VkResult icd_memory_reports_init(struct icd_device *device, const void *chain);
void icd_memory_reports_finish(struct icd_device *device);

/* After memory is there, and before it goes: with its addresses; or that `size_bytes` of a heap could not be had. */
void icd_report_memory(struct icd_device *device, struct icd_device_memory *memory, bool is_there);
void icd_report_no_memory(struct icd_device *device, uint32_t heap, uint64_t size_bytes);

/* An object has got addresses, or loses them; no addresses (NULL): nothing. `is_internal`: the application does not know the object yet. */
void icd_report_addresses(struct icd_device *device, const struct icd_object *object, const void *base, uint64_t size_bytes, bool is_bound,
                          bool is_internal);
/* The same of an image's planes: all of them together, or each apart if they are disjoint; `plane`: of that one. */
void icd_report_image(struct icd_device *device, const struct icd_image *image, bool is_bound, bool is_internal);
void icd_report_plane(struct icd_device *device, const struct icd_image *image, uint32_t plane, bool is_bound);
