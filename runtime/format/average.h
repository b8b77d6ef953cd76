/* SPDX-License-Identifier: MIT
 * Means of samples. Threads: pure functions. */
#pragma once

#include "runtime/format/format.h"

/* Of the samples of a 4x4 block, 16 texels of the first, then of the next, read as `from`: their mean to 16 texels of `to`. Sums go in the order of samples;
 * there is one NaN. Neither format is of integers. Spec: Fragment Operations and Copy Commands, "Resolving Multisample Images". */
void rt_average_block(const struct rt_format_info *from, const struct rt_format_info *to, const uint8_t *samples, uint32_t num_samples, uint8_t *packed);
