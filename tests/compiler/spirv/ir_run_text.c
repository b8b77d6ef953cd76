/* SPDX-License-Identifier: MIT
 * Beside ir_run.c, for the tests whose modules are texts. */
#include "compiler/ir/passes.h"
#include "compiler/spirv/spirv.h"
#include "tests/compiler/spirv/ir_run.h"

#include <stdio.h>
#include <string.h>

#include <spirv-tools/libspirv.h>

bool ir_run_assembles(const char *text)
{
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   spv_binary binary = NULL;
   const bool is_good = spvTextToBinary(context, text, strlen(text), &binary, NULL) == SPV_SUCCESS;
   spvBinaryDestroy(binary);
   spvContextDestroy(context);
   return is_good;
}

const char *ir_run_text(struct ir_run *run, const char *text)
{
   static char said[512];
   spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
   spv_binary binary = NULL;
   const spv_result_t assembled = spvTextToBinary(context, text, strlen(text), &binary, NULL);
   spvContextDestroy(context);
   if (assembled != SPV_SUCCESS)
      return "the text does not assemble";
   struct util_arena arena;
   util_arena_init(&arena, 0);
   const char *error = NULL;
   const struct comp_shader_desc desc = {.words = binary->code, .num_words = binary->wordCount, .stage = ABI_STAGE_COMPUTE,
                                         .entry_point = "main", .target = {.lanes = 8, .level = 3}};
   struct ir_shader *shader = spirv_to_ir(&arena, &desc, &error);
   if (shader)
      error = ir_validate(shader, &arena);
   if (shader && !error && !ir_run_shader(run, shader))
      error = run->error;
   if (error)
      snprintf(said, sizeof(said), "%s", error);
   util_arena_finish(&arena);
   spvBinaryDestroy(binary);
   return error ? said : NULL;
}
