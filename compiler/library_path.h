/* SPDX-License-Identifier: MIT
 * Where the compiler's shared object is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The file next to the driver's own, or VK_SWRAST_COMPILER. False if it does not fit into `size`. */
bool comp_library_path(char *path, size_t size);
