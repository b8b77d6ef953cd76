/* SPDX-License-Identifier: MIT
 * Dithering: colours of few bits are moved by less than half a step, by a pattern of 4 x 4 texels, before they are blended or packed. Numbers that
 * the format has stay as they are. Spec: Shader Interfaces, "Legacy Dithering". */
#pragma once

#include "runtime/fragment/output.h"
#include "runtime/fragment/tile.h"

/* True if the format, which is of colours, has some that are dithered: normalized ones of less than 8 bits. */
bool rt_is_dithered(const struct rt_format_info *info);
/* What the shader gave for the tile's blocks; where the context dithers. */
void rt_dither(struct rt_tile *tile);
