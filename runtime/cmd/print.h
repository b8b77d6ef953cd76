/* SPDX-License-Identifier: MIT
 * Prints commands under VK_SWRAST_DEBUG=cmd. */
#pragma once

#include "runtime/cmd/cmd.h"

/* One line on stderr, indented by `nesting`. */
void rt_cmd_print(const struct rt_cmd *cmd, uint32_t nesting);
