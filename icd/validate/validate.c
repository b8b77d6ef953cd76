/* SPDX-License-Identifier: MIT */
#include "icd/validate/validate.h"

#include "icd/cache/store.h"
#include "icd/debug_utils.h"
#include "icd/device.h"
#include "icd/instance.h"
#include "icd/validate/pipeline.h"
#include "icd/validate/spirv.h"
#include "icd/validate/validation_cache.h"
#include "util/build_id.h"

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

static struct icd_validate_env env_of(const struct icd_device *device)
{
   return (struct icd_validate_env){device->api_version, &device->features, &device->extensions,
                                    &device->physical_device->properties};
}

/* A key of what passed: it depends on all that was asked, and on this build's rules. */
static struct util_hash passed_key(const struct icd_device *device, struct util_hash hash)
{
   const struct util_hash build = util_build_hash();
   hash = util_hash_more(hash, &build, sizeof(build));
   hash = util_hash_more(hash, &device->api_version, sizeof(device->api_version));
   hash = util_hash_more(hash, &device->extensions, sizeof(device->extensions));
   return util_hash_more(hash, &device->features, sizeof(device->features));
}

static bool has_passed(struct util_hash key, struct icd_validation_cache *cache)
{
   if (cache && icd_validation_cache_has(cache, key))
      return true;
   size_t size = 0;
   struct util_hash *known = icd_store_read(key, &size);
   const bool is_known = known && size == sizeof(*known) && util_hash_equal(*known, key);
   util_mfree(known);
   return is_known;
}

/* Remembers what passed. A full cache is no error: the application asked for a module. */
static void remember(struct util_hash key, struct icd_validation_cache *cache)
{
   icd_store_write(key, &key, sizeof(key));
   if (cache)
      (void)!icd_validation_cache_add(cache, key);
}

/* Tells what is in a report and frees it. What is broken ends here in strict mode. */
static VkResult conclude(struct icd_device *device, VkResult result, struct icd_report *report, struct util_hash key,
                         struct icd_validation_cache *cache)
{
   if (result == VK_SUCCESS && !report->num_broken)
      remember(key, cache);
   else if (result == VK_SUCCESS && validate_mode() == VALIDATE_STRICT)
      result = VK_ERROR_INVALID_SHADER_NV;
   for (uint32_t i = 0; report && i < UTIL_MIN(report->num_broken, ICD_REPORT_MAX); i++)
      icd_validate_report(device, report->entries[i].vuid, report->entries[i].text);
   util_mfree(report);
   return result;
}

VkResult icd_validate_module(struct icd_device *device, const uint32_t *words, size_t size_bytes, struct util_hash hash,
                             struct icd_validation_cache *cache)
{
   if (validate_mode() == VALIDATE_OFF)
      return VK_SUCCESS;
   const struct util_hash key = passed_key(device, hash);
   const size_t rest_bytes = size_bytes % sizeof(uint32_t); /* not hashed */
   if (!rest_bytes && has_passed(key, cache))
      return VK_SUCCESS;

   const struct icd_validate_env env = env_of(device);
   struct icd_report *report = util_calloc(1, sizeof(*report));
   if (report && rest_bytes)
      icd_report_vuid(report, "VUID-VkShaderModuleCreateInfo-codeSize-08735", "codeSize is %zu, which is no multiple of 4", size_bytes);
   const VkResult result = report ? icd_validate_spirv(&env, words, size_bytes / sizeof(uint32_t), report) : VK_ERROR_OUT_OF_HOST_MEMORY;
   return conclude(device, result, report, key, cache);
}

VkResult icd_validate_pipeline(struct icd_device *device, const struct comp_shader_desc *const *stages, uint32_t num_stages,
                               const struct icd_sample_shading *shading)
{
   static const char salt[] = "stages";
   if (validate_mode() == VALIDATE_OFF)
      return VK_SUCCESS;
   struct util_hash key = util_hash_bytes(salt, sizeof(salt));
   for (uint32_t i = 0; i < num_stages; i++) {
      const struct util_hash stage = comp_shader_key(stages[i]);
      key = util_hash_more(key, &stage, sizeof(stage));
   }
   if (shading && shading->is_enabled)
      key = util_hash_more(key, shading, sizeof(*shading));
   key = passed_key(device, key);
   if (has_passed(key, NULL))
      return VK_SUCCESS;

   const struct icd_validate_env env = env_of(device);
   struct icd_report *report = util_calloc(1, sizeof(*report));
   const VkResult result = report ? icd_validate_stages(&env, stages, num_stages, shading, report) : VK_ERROR_OUT_OF_HOST_MEMORY;
   return conclude(device, result, report, key, NULL);
}
