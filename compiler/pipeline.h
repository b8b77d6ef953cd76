/* SPDX-License-Identifier: MIT
 * From SPIR-V to a binary. */
#pragma once

#include "compiler/compiler.h"

/* See comp_library.compile. */
VkResult comp_compile(const struct comp_shader_desc *desc, struct comp_binary **binary, char **message);
