/* SPDX-License-Identifier: MIT
 * Fragment shading: blocks of one primitive are tested early, collected in a run, shaded in one call, tested late and handed to the output merger.
 * Spec: Fragment Operations; Fragment Shaders. */
#pragma once

#include "runtime/raster/tile.h"

/* Makes the context current: shader arguments, sample positions. The run must be empty. */
void rt_fragment_bind(struct rt_tile *tile, const struct rt_context *context);

/* Adds a covered block to the run, after early tests. With one sample, or with a mask per sample. */
void rt_fragment_add(struct rt_tile *tile, uint32_t bx, uint32_t by, uint32_t mask);
void rt_fragment_add_samples(struct rt_tile *tile, uint32_t bx, uint32_t by, uint16_t *masks);

/* Shades and writes what the run holds. */
void rt_fragment_flush(struct rt_tile *tile);
