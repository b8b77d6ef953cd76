/* SPDX-License-Identifier: MIT */
#include "icd/validate/spirv.h"

#include "icd/validate/check.h"

/* What is no SPIR-V at all. */
static const char RULE_FORM[] = "VUID-VkShaderModuleCreateInfo-pCode-08736";

/* The first words, before anyone else reads them. False: no more can be read. A version above that of the application's Vulkan but
 * not of the device's means what it means there. */
static bool check_header(const struct icd_validate_env *env, const uint32_t *words, size_t num_words, struct icd_report *report)
{
   const uint32_t max = icd_spirv_highest(env->properties->core.apiVersion, env->extensions);
   const uint32_t highest = icd_spirv_highest(env->api_version, env->extensions), minor = VK_API_VERSION_MINOR(env->api_version);
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
      const bool is_known = words[1] >= 0x10000 && words[1] <= max;
      icd_report_at(report, is_known ? ICD_WARN : ICD_REFUSE, ICD_RULE_VALID_SPIRV, NULL, NULL,
                    is_known ? "a higher apiVersion of the instance" : NULL,
                    "the module is SPIR-V %u.%u; this device with Vulkan 1.%u takes 1.0 to 1.%u", words[1] >> 16, words[1] >> 8 & 0xff,
                    minor, highest >> 8 & 0xff);
      return is_known;
   } else {
      return true;
   }
   return false;
}

/* Ours first: they name what is missing where SPIRV-Tools only says that something is. */
static bool check_rules(const struct icd_check *check)
{
   const bool has_memory = icd_check_float_controls(check) && icd_check_entries(check) && icd_check_paths(check) && icd_check_meshes(check);
   icd_check_interface(check);
   icd_check_workgroups(check);
   icd_check_pointers(check);
   icd_check_untyped(check);
   icd_check_heaps(check);
   icd_check_operations(check);
   icd_check_matrices(check);
   icd_check_vectors(check);
   icd_check_images(check);
   icd_check_processing(check);
   icd_check_tile_images(check);
   icd_check_rays(check);
   icd_check_streams(check);
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
   if (result == VK_SUCCESS && !report->num_refused)
      icd_check_capabilities(&check);
   if (result == VK_SUCCESS && !report->num_refused && !icd_check_bounds(&check))
      result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (result == VK_SUCCESS && !report->num_refused)
      result = icd_check_tools(&check);
   icd_spirv_finish(&module);
   return result;
}
