/* SPDX-License-Identifier: MIT
 * Where the compiler's shared object is, and whether it can be loaded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The file next to the driver's own, or VK_SWRAST_COMPILER. False if it does not fit into `size`. */
bool comp_library_path(char *path, size_t size);

/* False if the file cannot be loaded as far as its headers show: `problem` says why. Reads a few kilobytes, loads nothing of it. */
bool comp_library_check(const char *path, char *problem, size_t problem_bytes);
