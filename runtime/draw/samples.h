/* SPDX-License-Identifier: MIT
 * Standard sample locations. Spec: Rasterization, "Multisampling" (table of standard sample locations). */
#pragma once

#include <stdint.h>

/* [samples][2]: x and y in sixteenths of a texel, for 1, 2, 4, 8 or 16 samples. */
const uint8_t (*rt_sample_locations(uint32_t samples))[2];
