/* SPDX-License-Identifier: MIT */
#include "icd/validate/spirv.h"

#include "compiler/compiler.h"
#include "icd/validate/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is no SPIR-V at all. */
static const char RULE_FORM[] = "VUID-VkShaderModuleCreateInfo-pCode-08736";

/* The first words, before anyone else reads them. */
static bool check_header(const struct icd_validate_env *env, const uint32_t *words, size_t num_words, struct icd_report *report)
{
   const uint32_t minor = VK_API_VERSION_MINOR(env->api_version);
   /* Which SPIR-V a version of Vulkan admits; 1.1 more with VK_KHR_spirv_1_4. */
   const uint32_t highest = minor >= 3 ? 0x10600 : minor == 2 ? 0x10500 : minor == 0 ? 0x10000 :
                            icd_has_extension(env->extensions, ICD_EXT_KHR_spirv_1_4) ? 0x10400 : 0x10300;
   if (num_words < 5) {
      icd_report_vuid(report, RULE_FORM, "the module is shorter than the five words of a SPIR-V header");
   } else if (words[0] == __builtin_bswap32(SpvMagicNumber)) {
      icd_report_vuid(report, RULE_FORM, "the module is of the other endianness: Vulkan takes SPIR-V in the byte order of the "
                                          "host, little-endian");
   } else if (words[0] != SpvMagicNumber) {
      icd_report_vuid(report, RULE_FORM, "the first word is 0x%08x, not SPIR-V's magic number 0x07230203", words[0]);
   } else if (words[1] & 0xff0000ff || words[4]) {
      icd_report_vuid(report, ICD_RULE_VALID_SPIRV, "the header's version 0x%08x or schema %u has bits that SPIR-V reserves", words[1], words[4]);
   } else if (words[1] < 0x10000 || words[1] > highest) {
      icd_report_vuid(report, ICD_RULE_VALID_SPIRV, "the module is SPIR-V %u.%u; this device with Vulkan 1.%u takes 1.0 to 1.%u",
                      words[1] >> 16, words[1] >> 8 & 0xff, minor, highest >> 8 & 0xff);
   } else {
      return true;
   }
   return false;
}

/* What SPIRV-Tools must know of the enabled features. */
static uint32_t layout_options(const struct icd_validate_env *env)
{
   const struct icd_features *features = env->features;
   return (features->scalarBlockLayout ? COMP_VALIDATE_SCALAR_LAYOUT : 0) |
          (features->uniformBufferStandardLayout ? COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT : 0) |
          (features->workgroupMemoryExplicitLayoutScalarBlockLayout ? COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT : 0) |
          (features->maintenance4 ? COMP_VALIDATE_LOCAL_SIZE_ID : 0) |
          (features->maintenance8 ? COMP_VALIDATE_OFFSET_TEXTURE_OPERAND : 0) |
          (icd_has_extension(env->extensions, ICD_EXT_KHR_spirv_1_4) ? COMP_VALIDATE_SPIRV_1_4 : 0) |
          (env->api_version >= VK_API_VERSION_1_1 || icd_has_extension(env->extensions, ICD_EXT_KHR_relaxed_block_layout)
              ? COMP_VALIDATE_RELAXED_LAYOUT : 0);
}

/* SPIRV-Tools speaks of some rules by newer names; both are told. */
static const char *older_name(const char *vuid)
{
   static const char *const rows[][2] = {
      {"VUID-RuntimeSpirv-Offset-10213", "VUID-StandaloneSpirv-Offset-04663"},
      {"VUID-StandaloneSpirv-Component-10583", "VUID-StandaloneSpirv-Component-04924"},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i][0], vuid))
         return rows[i][1];
   }
   return NULL;
}

/* The rule that SPIRV-Tools names in its message as "[VUID-...]", else the one that asks for valid SPIR-V at all. */
static void report_tools(const struct icd_check *check, char *message, size_t instruction)
{
   char *disassembly = strstr(message, "\n  ");
   if (disassembly)
      *disassembly = 0; /* the place is told in our own way */
   for (char *end = message; (end = strchr(end, '\n'));)
      *end = ' ';
   const char *begin = strstr(message, "VUID-");
   const size_t length = begin ? strcspn(begin, "] :\n") : 0;
   char vuid[96];
   if (length && length < sizeof(vuid))
      snprintf(vuid, sizeof(vuid), "%.*s", (int)length, begin);
   else
      snprintf(vuid, sizeof(vuid), "%s", ICD_RULE_VALID_SPIRV);
   icd_report_tools(check->report, check->module, vuid, message, instruction);
   if (older_name(vuid))
      icd_report_tools(check->report, check->module, older_name(vuid), message, instruction);
}

static VkResult check_tools(const struct icd_check *check)
{
   const struct icd_spirv_module *module = check->module;
   const struct icd_validate_env *env = check->env;
   const struct comp_library *library = comp_library();
   if (!library)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   char *message = NULL;
   size_t instruction = 0;
   if (library->validate(module->words, module->num_words, env->api_version, layout_options(env), &message, &instruction))
      return VK_SUCCESS;
   if (!message)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   report_tools(check, message, instruction);
   free(message);
   return VK_SUCCESS;
}

/* Ours first: they name what is missing where SPIRV-Tools only says that something is. */
static bool check_rules(const struct icd_check *check)
{
   const bool has_memory = icd_check_float_controls(check) && icd_check_entries(check) && icd_check_paths(check);
   icd_check_interface(check);
   icd_check_workgroups(check);
   icd_check_pointers(check);
   icd_check_operations(check);
   icd_check_matrices(check);
   icd_check_images(check);
   icd_check_tile_images(check);
   return has_memory;
}

VkResult icd_validate_spirv(const struct icd_validate_env *env, const uint32_t *words, size_t num_words, struct icd_report *report)
{
   struct icd_spirv_module module;
   const struct icd_check check = {&module, env, report};
   const char *broken = NULL;

   if (!check_header(env, words, num_words, report))
      return VK_SUCCESS;
   enum icd_spirv_parse parsed = icd_spirv_parse(&module, words, num_words, &broken);
   if (parsed == ICD_SPIRV_DAMAGED)
      icd_report_vuid(report, RULE_FORM, "%s", broken);
   else if (parsed == ICD_SPIRV_PARSED && !check_rules(&check))
      parsed = ICD_SPIRV_OUT_OF_MEMORY;
   VkResult result = parsed == ICD_SPIRV_OUT_OF_MEMORY ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS;
   if (result == VK_SUCCESS && !report->num_broken)
      icd_check_capabilities(&check);
   if (result == VK_SUCCESS && !report->num_broken && !icd_check_bounds(&check))
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (result == VK_SUCCESS && !report->num_broken)
      result = check_tools(&check);
   icd_spirv_finish(&module);
   return result;
}
