/* SPDX-License-Identifier: MIT
 * Polls: questions whether something is signalled that do not wait. */
#pragma once

#include "icd/device/device.h"
#include "runtime/sync/sync.h"

/* Whether the point is reached. Who asks for one timeline again and again, without a pause, takes a processor from the threads that would reach it: then
 * the caller sleeps until the point is reached, or for a tenth of a millisecond. */
bool icd_poll(struct icd_device *device, const struct rt_wait *wait);
