/* SPDX-License-Identifier: MIT
 * Code generation as the pipeline sees it: optimised IR in, relocatable object code out.
 * Threads: all functions may be called from any thread at once; each call has an LLVM context of its own. */
#pragma once

#include "compiler/compiler.h"
#include "compiler/ir/ir.h"

/* Object code of one shader, to be freed with util_mfree(). */
struct cg_object {
   void *bytes;
   size_t size_bytes;
};

/* Compiles `ir`, whose divergence must be analysed for ir->info.lanes lanes; fills ir->info.frame_bytes. Reads `layout` and `target`
 * of `desc` only. VK_ERROR_OUT_OF_HOST_MEMORY, or VK_ERROR_INVALID_SHADER_NV with the reason in *message (free with free()).
 * The arena's on_oom must be set; memory of LLVM itself that runs out ends in the same error. */
UTIL_MUST_CHECK VkResult cg_compile_ir(struct ir_shader *ir, const struct comp_shader_desc *desc, struct cg_object *object,
                                       char **message);

/* Name and version of the LLVM that is linked in, part of cache keys. */
const char *cg_llvm_version(void);
