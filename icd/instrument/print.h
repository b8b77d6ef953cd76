/* SPDX-License-Identifier: MIT
 * What shaders print themselves: texts of DebugPrintf (print.c) and values of one invocation (trace.c). Threads: one text at a time. */
#pragma once

#include "runtime/instrument/prints.h"

struct icd_device;

/* One value, in words; `print` is the first piece of it. */
void icd_instrument_trace(struct icd_device *device, const struct rt_print *print, const char *text);
