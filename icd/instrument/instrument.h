/* SPDX-License-Identifier: MIT
 * The instrument as the icd has it: which checks are on, where buffers and images are, and how findings are reported.
 * Nothing here costs anything while no check is on. Threads: all functions are thread-safe. */
#pragma once

#include "abi/probe.h"
#include "util/debug.h"

#include <stdbool.h>
#include <stddef.h>

struct icd_buffer;
struct icd_device;
struct icd_image;
struct icd_queue;
struct comp_trace;
struct rt_finding;
struct rt_print;
struct rt_presented;
struct rt_wait;

/* A set of enum abi_check, from VK_SWRAST_DEBUG. */
static inline uint32_t icd_checks(void)
{
   return util_debug_set(UTIL_DEBUG_SANITIZE | UTIL_DEBUG_PRINTF | UTIL_DEBUG_TRACE) / UTIL_DEBUG_BOUNDS;
}

/* VK_SWRAST_TRACE, read once; zeros where there is none, or one that is malformed, which is reported. */
const struct comp_trace *icd_trace(void);

/* After the object is bound; and before it is gone. */
void icd_instrument_add_buffer(const struct icd_buffer *buffer);
void icd_instrument_add_image(const struct icd_image *image);
void icd_instrument_remove(const void *object);

/* `sync`: the host has seen those of the waits that are reached; the queue to be idle. */
void icd_instrument_seen(struct icd_device *device, const struct rt_wait *waits, uint32_t count);
void icd_instrument_seen_idle(const struct icd_queue *queue);
/* An image of a swapchain is given to the application; before the signals are given. */
void icd_instrument_acquired(struct icd_device *device, const struct rt_presented *image, const struct rt_wait *signals, uint32_t count);
/* The host says that it has written mapped memory, or will read it; the memory is gone. */
void icd_instrument_host_access(struct icd_device *device, const uint8_t *data, uint64_t size_bytes, bool is_write);
void icd_instrument_forget(struct icd_device *device, const uint8_t *data, uint64_t size_bytes);

/* Adds to the text which part of the image (a struct icd_image) the address lies in. */
void icd_instrument_subresource(const void *image, uint64_t address, char *text, size_t size);

/* rt_print_fn of a struct icd_device: to stdout and debug messengers. */
void icd_instrument_print(void *device, const struct rt_print *const *pieces, uint32_t count);

/* rt_finding_fn of a struct icd_device: to debug messengers, stderr and the file of VK_SWRAST_SANITIZE_LOG; with VK_SWRAST_SANITIZE_FATAL
 * the process ends with that code after the last one of a submission: icd_instrument_end(). */
void icd_instrument_report(void *device, const struct rt_finding *finding);
void icd_instrument_end(void *device);
