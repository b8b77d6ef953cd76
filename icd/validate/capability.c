/* SPDX-License-Identifier: MIT
 * The version of SPIR-V, OpCapability and OpExtension against what is enabled: the registry's tables (gen/icd_spirv.py). */
#include "icd/validate/check.h"

#include "gen/icd_spirv.h"
#include "icd/device/extensions.h"
#include "icd/device/features.h"

#include <stdio.h>
#include <string.h>

uint32_t icd_spirv_highest(uint32_t api_version, const struct icd_extension_set *extensions)
{
   static const uint32_t versions[] = {0x10000, 0x10300, 0x10500, 0x10600};
   const uint32_t minor = VK_API_VERSION_MINOR(api_version);
   if (minor == 1 && icd_has_extension(extensions, ICD_EXT_KHR_spirv_1_4))
      return 0x10400;
   return versions[UTIL_MIN(minor, UTIL_ARRAY_SIZE(versions) - 1)];
}

static bool is_met(const struct icd_validate_env *env, const struct icd_spirv_enable *enable)
{
   uint32_t bits;
   switch (enable->class) {
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

/* True if an application could have what it asks for. */
static bool is_offered(const struct icd_validate_env *env, const struct icd_spirv_enable *enable)
{
   struct icd_features all;
   switch (enable->class) {
   case ICD_ENABLE_VERSION:
      return env->properties->core.apiVersion >= enable->value;
   case ICD_ENABLE_EXTENSION:
      return icd_has_extension(icd_device_extensions(), enable->value);
   case ICD_ENABLE_FEATURE:
      icd_features_fill(&all);
      return *(const bool *)((const char *)&all + enable->value);
   default:
      return false;
   }
}

/* "A, B or C" of what is offered, as far as it fits; if nothing is, of all that would do. True: something is offered. */
static bool list_enables(const struct icd_validate_env *env, const struct icd_spirv_row *row, char *text, size_t size)
{
   uint32_t num_offered = 0, count = 0;
   size_t length = 0;
   text[0] = 0;
   for (uint32_t i = 0; i < row->count; i++)
      num_offered += is_offered(env, &icd_spirv_enables[row->first + i]);
   const uint32_t total = num_offered ? num_offered : row->count;
   for (uint32_t i = 0; i < row->count && length < size; i++) {
      const struct icd_spirv_enable *enable = &icd_spirv_enables[row->first + i];
      if (num_offered && !is_offered(env, enable))
         continue;
      const char *between = count == 0 ? "" : count + 1 == total ? " or " : ", ";
      length += (size_t)snprintf(text + length, size - length, "%s%s", between, enable->text);
      count++;
   }
   return num_offered != 0;
}

/* What is offered has its meaning whether it was enabled or not. */
static void report_missing(const struct icd_check *check, const char *vuid, const struct icd_spirv_row *row, const char *class,
                           const struct icd_spirv_inst *inst)
{
   char enables[400];
   if (list_enables(check->env, row, enables, sizeof(enables)))
      icd_report_at(check->report, ICD_WARN, vuid, check->module, inst, enables, "the %s %s is not enabled", class, row->name);
   else
      icd_report_at(check->report, ICD_REFUSE, vuid, check->module, inst, NULL, "the %s %s needs %s, which this device does not have",
                    class, row->name, enables);
}

static const struct icd_spirv_row *find_capability(uint32_t capability)
{
   for (uint32_t i = 0; i < ICD_NUM_SPIRV_CAPABILITIES; i++) {
      if (icd_spirv_capabilities[i].number == capability)
         return &icd_spirv_capabilities[i];
   }
   return NULL;
}

static void check_capability(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t capability = icd_spirv_word(inst, 1);
   const struct icd_spirv_row *row = find_capability(capability);
   if (!row)
      icd_report_at(check->report, ICD_REFUSE, "VUID-VkShaderModuleCreateInfo-pCode-08739", check->module, inst, NULL,
                    "the capability %s (%u) is not one that Vulkan has", icd_spirv_capability_name(capability), capability);
   else if (!row_is_met(check->env, row))
      report_missing(check, "VUID-VkShaderModuleCreateInfo-pCode-08740", row, "capability", inst);
}

static const struct icd_spirv_row *find_extension(const char *name, size_t length)
{
   for (uint32_t i = 0; i < ICD_NUM_SPIRV_EXTENSIONS; i++) {
      const char *known = icd_spirv_extensions[i].name;
      if (strlen(known) == length && !memcmp(known, name, length))
         return &icd_spirv_extensions[i];
   }
   return NULL;
}

/* The extension that took another's capabilities, instructions and numbers over; NULL: none did. */
static const struct icd_spirv_row *find_successor(const struct icd_spirv_row *row)
{
   static const char *const rows[][2] = {
      {"SPV_EXT_physical_storage_buffer", "SPV_KHR_physical_storage_buffer"},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i][0], row->name))
         return find_extension(rows[i][1], strlen(rows[i][1]));
   }
   return NULL;
}

static void check_extension(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   static const char rule[] = "VUID-VkShaderModuleCreateInfo-pCode-08742";
   char enables[400];
   const char *name = (const char *)(inst->words + 1);
   const size_t length = strnlen(name, (inst->count - 1) * 4);
   const struct icd_spirv_row *row = find_extension(name, length), *successor = row ? find_successor(row) : NULL;
   if (!row)
      icd_report_at(check->report, ICD_REFUSE, "VUID-VkShaderModuleCreateInfo-pCode-08741", check->module, inst, NULL,
                    "the SPIR-V extension %.*s is not one that Vulkan has", (int)UTIL_MIN(length, 100), name);
   else if (!row_is_met(check->env, row) && successor && list_enables(check->env, successor, enables, sizeof(enables)))
      icd_report_at(check->report, ICD_WARN, rule, check->module, inst, row_is_met(check->env, successor) ? NULL : enables,
                    "the SPIR-V extension %s is not offered by that name, its successor %s is", row->name, successor->name);
   else if (!row_is_met(check->env, row))
      report_missing(check, rule, row, "SPIR-V extension", inst);
}

void icd_check_capabilities(const struct icd_check *check)
{
   bool has_shader = false;
   ICD_CHECK_GLOBALS(check, inst) {
      const struct icd_spirv_row *row = inst.op == SpvOpCapability ? find_capability(icd_spirv_word(&inst, 1)) : NULL;
      has_shader |= row && row->is_shader;
      if (inst.op == SpvOpCapability)
         check_capability(check, &inst);
      else if (inst.op == SpvOpExtension)
         check_extension(check, &inst);
   }
   if (!has_shader)
      icd_report_vuid(check->report, "VUID-VkShaderModuleCreateInfo-pCode-08738", "the module does not declare the capability Shader");
}
