/* SPDX-License-Identifier: MIT */
#include "compiler/validate.h"

#include "compiler/call_graph.h"
#include "compiler/compiler.h"
#include "compiler/dominance.h"
#include "compiler/no_memory.h"
#include "compiler/structure.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <string.h>

static spv_target_env environment(uint32_t vulkan_version, uint32_t flags)
{
   static const spv_target_env by_minor[] = {SPV_ENV_VULKAN_1_0, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3,
                                             SPV_ENV_VULKAN_1_4};
   const uint32_t minor = VK_API_VERSION_MINOR(vulkan_version);
   if (flags & COMP_VALIDATE_SPIRV_ALONE)
      return SPV_ENV_UNIVERSAL_1_6;
   if (minor == 1 && flags & COMP_VALIDATE_SPIRV_1_4)
      return SPV_ENV_VULKAN_1_1_SPIRV_1_4;
   return by_minor[UTIL_MIN(minor, UTIL_ARRAY_SIZE(by_minor) - 1)];
}

static void set_options(spv_validator_options options, uint32_t flags)
{
   spvValidatorOptionsSetScalarBlockLayout(options, (flags & COMP_VALIDATE_SCALAR_LAYOUT) != 0);
   spvValidatorOptionsSetRelaxBlockLayout(options, (flags & COMP_VALIDATE_RELAXED_LAYOUT) != 0);
   spvValidatorOptionsSetUniformBufferStandardLayout(options, (flags & COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT) != 0);
   spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, (flags & COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT) != 0);
   spvValidatorOptionsSetAllowLocalSizeId(options, (flags & COMP_VALIDATE_LOCAL_SIZE_ID) != 0);
   spvValidatorOptionsSetAllowOffsetTextureOperand(options, (flags & COMP_VALIDATE_OFFSET_TEXTURE_OPERAND) != 0);
   spvValidatorOptionsSetAllowVulkan32BitBitwise(options, (flags & COMP_VALIDATE_ANY_BIT_WIDTH) != 0);
}

static spv_result_t look(spv_context context, spv_validator_options options, spv_const_binary binary, spv_diagnostic *diagnostic)
{
   comp_dominance_begin();
   comp_structure_begin(binary->code, binary->wordCount);
   const spv_result_t result = spvValidateWithOptions(context, options, binary, diagnostic);
   comp_structure_end();
   comp_dominance_end();
   return result;
}

static bool validate(spv_const_binary binary, spv_target_env env, uint32_t flags, char **message, size_t *instruction)
{
   spv_context context = spvContextCreate(env);
   spv_validator_options options = spvValidatorOptionsCreate();
   spv_diagnostic diagnostic = NULL;

   set_options(options, flags);
   /* Names cost a quarter of the time: only messages need them, so a module that is refused is looked at twice. */
   spvValidatorOptionsSetFriendlyNames(options, false);
   spv_result_t result = look(context, options, binary, &diagnostic);
   if (result != SPV_SUCCESS) {
      spvDiagnosticDestroy(diagnostic);
      diagnostic = NULL;
      spvValidatorOptionsSetFriendlyNames(options, true);
      result = look(context, options, binary, &diagnostic);
   }
   if (result != SPV_SUCCESS) {
      const char *text = diagnostic && diagnostic->error ? diagnostic->error : "the module is not valid SPIR-V";
      *message = strdup(text);
      *instruction = diagnostic ? diagnostic->position.index : 0;
   }
   spvDiagnosticDestroy(diagnostic);
   spvValidatorOptionsDestroy(options);
   spvContextDestroy(context);
   return result == SPV_SUCCESS;
}

/* SPIRV-Tools allocates by C++: without memory it does not return. */
static bool validate_guarded(spv_const_binary binary, uint32_t vulkan_version, uint32_t flags, char **message, size_t *instruction)
{
   jmp_buf no_memory;
   jmp_buf *const outer = comp_guard_memory(&no_memory);
   bool is_valid = false;

   if (!setjmp(no_memory)) {
      is_valid = validate(binary, environment(vulkan_version, flags), flags, message, instruction);
   } else { /* memory ran out within */
      comp_structure_end();
      comp_dominance_end();
   }
   comp_guard_memory(outer);
   return is_valid;
}

/* Why a module is not looked at; NULL: it is. */
static const char *refuse_calls(enum comp_calls calls, uint32_t flags)
{
   if (calls == COMP_CALLS_TOO_MANY)
      return "the module has too many entry points, or too many functions that they reach";
   if (calls == COMP_CALLS_RECURSIVE && !(flags & COMP_VALIDATE_SPIRV_ALONE))
      return "[VUID-StandaloneSpirv-None-04634] Entry points may not have a call graph with cycles.";
   return NULL;
}

bool comp_validate(const uint32_t *words, size_t num_words, uint32_t vulkan_version, uint32_t flags, char **message,
                   size_t *instruction)
{
   struct spv_const_binary_t binary = {words, num_words};
   const enum comp_calls calls = comp_look_at_calls(words, num_words, instruction);
   const char *refusal = refuse_calls(calls, flags);
   *message = refusal ? strdup(refusal) : NULL;
   if (refusal)
      return false;
   *instruction = 0;
   if (calls != COMP_CALLS_UNKNOWN)
      comp_calls_begin();
   const bool is_valid = validate_guarded(&binary, vulkan_version, flags, message, instruction);
   comp_calls_end();
   return is_valid;
}
