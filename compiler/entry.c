/* SPDX-License-Identifier: MIT
 * The one symbol of the compiler's shared object. */
#include "compiler/pipeline.h"
#include "compiler/validate.h"

extern const struct comp_library vk_swrast_compiler;

__attribute__((visibility("default"))) const struct comp_library vk_swrast_compiler = {
   .abi_version = COMP_ABI_VERSION,
   .validate = comp_validate,
   .compile = comp_compile,
};
