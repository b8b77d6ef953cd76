/* SPDX-License-Identifier: MIT
 * The instrument as the icd has it: which checks are on, where buffers and images are, and how findings are told.
 * Nothing here costs anything while no check is on. Threads: all functions are thread-safe. */
#pragma once

#include "abi/probe.h"
#include "util/debug.h"

struct icd_buffer;
struct icd_device;
struct icd_image;
struct rt_finding;

/* A set of enum abi_check, from VK_SWRAST_DEBUG. */
static inline uint32_t icd_checks(void)
{
   return util_debug_set(UTIL_DEBUG_SANITIZE) / UTIL_DEBUG_BOUNDS;
}

/* After the object is bound; and before it is gone. */
void icd_instrument_add_buffer(const struct icd_buffer *buffer);
void icd_instrument_add_image(const struct icd_image *image);
void icd_instrument_remove(const void *object);

/* rt_finding_fn of a struct icd_device: to debug messengers, stderr and the file of VK_SWRAST_SANITIZE_LOG; with VK_SWRAST_SANITIZE_FATAL
 * the process ends with that code after the last one of a submission: icd_instrument_end(). */
void icd_instrument_report(void *device, const struct rt_finding *finding);
void icd_instrument_end(void *device);
