/* SPDX-License-Identifier: MIT
 * OpCapability and OpExtension against what is enabled: the registry's tables (gen/icd_spirv.py). */
#include "icd/validate/check.h"

#include "gen/icd_spirv.h"

#include <stdio.h>
#include <string.h>

static bool is_met(const struct icd_validate_env *env, const struct icd_spirv_enable *enable)
{
   uint32_t bits;
   switch (enable->kind) {
   case ICD_ENABLE_VERSION:
      return env->api_version >= enable->value;
   case ICD_ENABLE_EXTENSION:
      return icd_has_extension(env->extensions, enable->value);
   case ICD_ENABLE_FEATURE:
      return *(const bool *)((const char *)env->features + enable->value);
   case ICD_ENABLE_PROPERTY:
      memcpy(&bits, (const char *)env->properties + enable->value, sizeof(bits));
      return (bits & enable->bit) != 0;
   case ICD_ENABLE_NEVER:
      break;
   }
   return false;
}

static bool row_is_met(const struct icd_validate_env *env, const struct icd_spirv_row *row)
{
   for (uint32_t i = 0; i < row->count; i++) {
      if (is_met(env, &icd_spirv_enables[row->first + i]))
         return true;
   }
   return false;
}

/* "A, B or C", as far as it fits. */
static void list_enables(const struct icd_spirv_row *row, char *text, size_t size)
{
   size_t length = 0;
   text[0] = 0;
   for (uint32_t i = 0; i < row->count && length < size; i++) {
      const char *between = i == 0 ? "" : i + 1 == row->count ? " or " : ", ";
      length += (size_t)snprintf(text + length, size - length, "%s%s", between, icd_spirv_enables[row->first + i].text);
   }
}

static void check_capability(const struct icd_check *check, uint32_t capability)
{
   const struct icd_spirv_row *row = NULL;
   char enables[400];
   for (uint32_t i = 0; i < ICD_NUM_SPIRV_CAPABILITIES && !row; i++)
      row = icd_spirv_capabilities[i].number == capability ? &icd_spirv_capabilities[i] : NULL;
   if (!row) {
      icd_report_vuid(check->report, "VUID-VkShaderModuleCreateInfo-pCode-08739",
                      "capability %u is not one that Vulkan has", capability);
   } else if (!row_is_met(check->env, row)) {
      list_enables(row, enables, sizeof(enables));
      icd_report_vuid(check->report, "VUID-VkShaderModuleCreateInfo-pCode-08740", "capability %s needs %s, which is not enabled",
                      row->name, enables);
   }
}

static void check_extension(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const char *name = (const char *)(inst->words + 1);
   const size_t length = strnlen(name, (inst->count - 1) * 4);
   const struct icd_spirv_row *row = NULL;
   char enables[400];
   for (uint32_t i = 0; i < ICD_NUM_SPIRV_EXTENSIONS && !row; i++) {
      const char *known = icd_spirv_extensions[i].name;
      row = strlen(known) == length && !memcmp(known, name, length) ? &icd_spirv_extensions[i] : NULL;
   }
   if (!row) {
      icd_report_vuid(check->report, "VUID-VkShaderModuleCreateInfo-pCode-08741", "SPIR-V extension %.*s is not one that Vulkan has",
                      (int)UTIL_MIN(length, 100), name);
   } else if (!row_is_met(check->env, row)) {
      list_enables(row, enables, sizeof(enables));
      icd_report_vuid(check->report, "VUID-VkShaderModuleCreateInfo-pCode-08742", "SPIR-V extension %s needs %s, which is not enabled",
                      row->name, enables);
   }
}

void icd_check_capabilities(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpCapability)
         check_capability(check, icd_spirv_word(&inst, 1));
      else if (inst.op == SpvOpExtension)
         check_extension(check, &inst);
   }
}
