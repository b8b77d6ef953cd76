/* SPDX-License-Identifier: MIT */
#include "icd/validate/validate.h"

#include "compiler/compiler.h"
#include "icd/cache/store.h"
#include "icd/debug_utils.h"
#include "icd/device.h"
#include "icd/instance.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum validate_mode { VALIDATE_STRICT, VALIDATE_WARN, VALIDATE_OFF };

static enum validate_mode validate_mode(void)
{
   static const char *const names[] = {"strict", "warn", "off"};
   const char *wanted = getenv("VK_SWRAST_VALIDATE");

   for (uint32_t i = 0; wanted && i < UTIL_ARRAY_SIZE(names); i++) {
      if (!strcmp(wanted, names[i]))
         return (enum validate_mode)i;
   }
   return VALIDATE_STRICT;
}

void icd_validate_report(struct icd_device *device, const char *rule, const char *message)
{
   icd_message(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
               VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, rule, &device->base, "%s", message);
}

/* What SPIRV-Tools must know of the enabled features. */
static uint32_t layout_options(const struct icd_features *features)
{
   return (features->scalarBlockLayout ? COMP_VALIDATE_SCALAR_LAYOUT : 0) |
          (features->uniformBufferStandardLayout ? COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT : 0) |
          (features->workgroupMemoryExplicitLayoutScalarBlockLayout ? COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT : 0) |
          (features->maintenance4 ? COMP_VALIDATE_LOCAL_SIZE_ID : 0) | COMP_VALIDATE_RELAXED_LAYOUT;
}

/* The first words, before anyone else reads them. NULL, or what is wrong. */
static const char *check_header(const uint32_t *words, size_t num_words)
{
   if (num_words < 5)
      return "the module is shorter than the five words of a SPIR-V header";
   if (words[0] == __builtin_bswap32(SpvMagicNumber))
      return "the module is of the other endianness: Vulkan takes SPIR-V in the byte order of the host, little-endian";
   if (words[0] != SpvMagicNumber)
      return "the first word is not SPIR-V's magic number 0x07230203";
   return NULL;
}

/* The rule that SPIRV-Tools names in its message as "[VUID-...]", else the one that asks for valid SPIR-V at all. */
static void rule_of(const char *message, char rule[96])
{
   const char *begin = strstr(message, "VUID-");
   const size_t length = begin ? strcspn(begin, "] :\n") : 0;

   if (length && length < 96)
      snprintf(rule, 96, "%.*s", (int)length, begin);
   else
      snprintf(rule, 96, "VUID-VkShaderModuleCreateInfo-pCode-08737");
}

/* Remembers on disk which modules passed. */
static struct util_hash passed_key(struct util_hash hash, uint32_t version, uint32_t options)
{
   static const char salt[] = "validated by " __DATE__ " " __TIME__;
   const uint32_t numbers[2] = {version, options};
   return util_hash_more(util_hash_more(hash, numbers, sizeof(numbers)), salt, sizeof(salt));
}

VkResult icd_validate_module(struct icd_device *device, const uint32_t *words, size_t num_words, struct util_hash hash)
{
   const enum validate_mode mode = validate_mode();
   const char *broken = check_header(words, num_words);
   if (broken) {
      icd_validate_report(device, "VUID-VkShaderModuleCreateInfo-pCode-08738", broken);
      return VK_ERROR_INVALID_SHADER_NV;
   }
   if (mode == VALIDATE_OFF)
      return VK_SUCCESS;

   const uint32_t options = layout_options(&device->features);
   const struct util_hash key = passed_key(hash, device->api_version, options);
   size_t size = 0;
   struct util_hash *known = icd_store_read(key, &size);
   const bool has_passed = known && size == sizeof(*known) && util_hash_equal(*known, key);
   util_mfree(known);
   if (has_passed)
      return VK_SUCCESS;

   const struct comp_library *library = comp_library();
   if (!library)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   char *message = NULL;
   if (library->validate(words, num_words, device->api_version, options, &message)) {
      icd_store_write(key, &key, sizeof(key));
      return VK_SUCCESS;
   }
   if (!message)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   char rule[96];
   rule_of(message, rule);
   icd_validate_report(device, rule, message);
   free(message);
   return mode == VALIDATE_STRICT ? VK_ERROR_INVALID_SHADER_NV : VK_SUCCESS;
}
