/* SPDX-License-Identifier: MIT
 * Views of weights, and how large filters and blocks may be. Spec: Image Operations, "Weight Image Sampling", "Block Matching", "Box Filter Sampling".
 * The icd writes them when a view is made, compiled code reads them. */
#pragma once

#include "abi/image.h"

enum {
   ABI_MAX_FILTER_SIZE = 64,     /* texels along an edge of a filter, a box or a block */
   ABI_MAX_FILTER_PHASES = 1024, /* both axes' */
   ABI_MAX_AXIS_PHASES = 32,     /* its root */
};

/* A view of weights has one level. What is known of its filter stands in the entries of the next ones, in width and height: its size; its center, with
 * the number of phases of an axis as depth. A view without filter has zeros there, or larger numbers, which code does not trust. */
enum { ABI_LEVEL_FILTER_SIZE = 1, ABI_LEVEL_FILTER_CENTER = 2 };

/* A view whose blocks are matched is read without its swizzle, which is for the result alone, and of a reference for nothing. If it has one, that stands
 * there too, as the width, a byte a component, the first lowest; 0: none. */
enum { ABI_LEVEL_SWIZZLE = 1 };
