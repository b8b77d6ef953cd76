/* SPDX-License-Identifier: MIT
 * VK_EXT_present_timing: what a request says of time, and which stages a swapchain can time. */
#pragma once

#include "wsi/swapchain.h"

#ifdef VK_EXT_present_timing
enum { ICD_PRESENT_STAGES = (1 << WSI_NUM_TIMED_STAGES) - 1 }; /* VkPresentStageFlagsEXT */

void icd_present_timing(const VkPresentTimingInfoEXT *info, struct wsi_present *present);
#endif
