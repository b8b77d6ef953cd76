/* SPDX-License-Identifier: MIT
 * Environment variables that are numbers. What cannot be obeyed is said on stderr: whoever sets a variable reads that. */
#pragma once

#include <stdint.h>

/* The number that the variable holds, at most `limit`; `otherwise` where it is not set, or no number. */
uint64_t util_env_number(const char *name, uint64_t limit, uint64_t otherwise);
