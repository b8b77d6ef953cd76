/* SPDX-License-Identifier: MIT
 * The compiler's front end: one entry point of a SPIR-V module becomes IR.
 * Spec: SPIR-V 1.6; Vulkan, "Vulkan Environment for SPIR-V".
 * Memory: everything lives in the caller's arena. Threads: thread-safe, one user an arena. */
#pragma once

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

/* Translates desc->entry_point of stage desc->stage, specialized with desc->spec_*, everything inlined into one body.
 * Returns NULL with a message in *error (in the arena) on what is malformed or not supported; any words are safe to
 * pass. Out of memory: the arena jumps. */
struct ir_shader *spirv_to_ir(struct util_arena *arena, const struct comp_shader_desc *desc, const char **error);
