/* SPDX-License-Identifier: MIT
 * VK_SWRAST_PRESENT_DUMP=directory: each presented frame as a PNG file, also those that mailbox replaces.
 * Files are named SWAPCHAIN-FRAME-MILLISECONDSms.png: swapchains of the process and frames of the swapchain count from
 * 1, time from the swapchain's creation. A file that cannot be written is reported once on stderr and changes nothing
 * else.
 * Threads: one at a time for each dump. */
#pragma once

#include "util/macros.h"

#include <stdint.h>

struct wsi_dump;
struct wsi_swapchain;

/* NULL where nothing is asked for, or memory is out. */
struct wsi_dump *wsi_dump_create(void);
void wsi_dump_destroy(struct wsi_dump *dump);
void wsi_dump_frame(struct wsi_dump *dump, const struct wsi_swapchain *swapchain, uint32_t image);
