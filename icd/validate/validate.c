/* SPDX-License-Identifier: MIT */
#include "icd/validate/validate.h"

#include "icd/cache/store.h"
#include "icd/instance/messenger.h"
#include "icd/device/device.h"
#include "icd/instance/instance.h"
#include "icd/validate/pipeline.h"
#include "icd/validate/spirv.h"
#include "icd/validate/validation_cache.h"
#include "util/debug.h"
#include "util/stack.h"
#include "util/outside.h"
#include "util/size.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* What is refused: nothing and nobody looks, nothing, what has the effect REFUSE, all. */
enum validate_mode { VALIDATE_OFF, VALIDATE_WARN, VALIDATE_EFFECTS, VALIDATE_STRICT };

static enum validate_mode validate_mode(void)
{
   static const char *const names[] = {"off", "warn", "default", "strict"};
   static atomic_bool is_said;
   const char *wanted = util_env("VK_SWRAST_VALIDATE");

   for (uint32_t i = 0; wanted && i < UTIL_ARRAY_SIZE(names); i++) {
      if (!strcmp(wanted, names[i]))
         return (enum validate_mode)i;
   }
   if (wanted && *wanted && !atomic_exchange(&is_said, true))
      util_log("VK_SWRAST_VALIDATE=%s: not one of off, warn, default and strict, so it counts as unset", wanted);
   return VALIDATE_EFFECTS;
}

static void send(struct icd_device *device, VkDebugUtilsMessageSeverityFlagBitsEXT severity, const char *rule, const char *message)
{
   icd_message(device->physical_device->instance, severity, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, rule, &device->base, "%s",
               message);
}

static struct icd_validate_env env_of(const struct icd_device *device)
{
   return (struct icd_validate_env){device->api_version, &device->features, &device->extensions,
                                    &device->physical_device->properties};
}

/* ---- what is remembered ---- */

/* A key of what was found: it depends on all that was asked, and on this build's rules, but not on what is made of it. */
static struct util_hash passed_key(const struct icd_device *device, struct util_hash hash)
{
   return util_hash_more(hash, &device->enabled, sizeof(device->enabled));
}

/* An entry on disk: the key again, then the entries of the report, none of which refuses. */
static bool recall(struct util_hash key, struct icd_report *report)
{
   size_t size = 0;
   uint8_t *known = icd_store_read(key, &size);
   const size_t bytes = size - sizeof(key), count = bytes / sizeof(report->entries[0]);
   bool is_known = known && size >= sizeof(key) && !memcmp(known, &key, sizeof(key)) && count <= ICD_REPORT_MAX &&
                   count * sizeof(report->entries[0]) == bytes;
   if (is_known)
      memcpy(report->entries, known + sizeof(key), bytes);
   for (size_t i = 0; is_known && i < count; i++) {
      struct icd_report_entry *entry = &report->entries[i];
      is_known = entry->effect == ICD_WARN && memchr(entry->vuid, 0, sizeof(entry->vuid)) && memchr(entry->text, 0, sizeof(entry->text));
   }
   report->num_broken = is_known ? (uint32_t)count : 0;
   util_mfree(known);
   return is_known;
}

/* Remembers what was not refused; the application's cache only what broke no rule. A full cache is no error: the application asked for
 * a module. */
static void remember(struct util_hash key, const struct icd_report *report, struct icd_validation_cache *cache)
{
   const size_t bytes = report->num_broken * sizeof(report->entries[0]);
   uint8_t *entry = report->num_broken <= ICD_REPORT_MAX ? util_malloc(util_size_add(sizeof(key), bytes)) : NULL;
   if (entry) {
      memcpy(entry, &key, sizeof(key));
      memcpy(entry + sizeof(key), report->entries, bytes);
      icd_store_write(key, entry, sizeof(key) + bytes);
   }
   util_mfree(entry);
   if (cache && !report->num_broken)
      (void)!icd_validation_cache_add(cache, key);
}

/* ---- what is made of it ---- */

/* Emits what is in a report. VK_ERROR_INVALID_SHADER_NV: the mode refuses some of it. */
static VkResult conclude(struct icd_device *device, const struct icd_report *report)
{
   const enum validate_mode mode = validate_mode();
   for (uint32_t i = 0; i < UTIL_MIN(report->num_broken, ICD_REPORT_MAX); i++) {
      const struct icd_report_entry *entry = &report->entries[i];
      send(device,
           mode != VALIDATE_STRICT && entry->effect == ICD_WARN ? VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT
                                                                : VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
           entry->vuid, entry->text);
   }
   const uint32_t num_refused = mode == VALIDATE_STRICT ? report->num_broken : mode == VALIDATE_EFFECTS ? report->num_refused : 0;
   return num_refused ? VK_ERROR_INVALID_SHADER_NV : VK_SUCCESS;
}

struct module_check {
   const struct icd_validate_env *env;
   const uint32_t *words;
   size_t num_words;
   struct icd_report *report;
   VkResult result;
};

static void check_module(void *data)
{
   struct module_check *check = data;
   check->result = icd_validate_spirv(check->env, check->words, check->num_words, check->report);
}

/* On a stack that is large enough for any module. */
static VkResult check_module_apart(const struct icd_validate_env *env, const uint32_t *words, size_t num_words, struct icd_report *report)
{
   struct module_check check = {env, words, num_words, report, VK_ERROR_OUT_OF_HOST_MEMORY};
   return util_call_apart(check_module, &check) ? check.result : VK_ERROR_OUT_OF_HOST_MEMORY;
}

VkResult icd_validate_module(struct icd_device *device, const uint32_t *words, size_t size_bytes, struct util_hash hash,
                             struct icd_validation_cache *cache)
{
   if (validate_mode() == VALIDATE_OFF)
      return VK_SUCCESS;
   const struct util_hash key = passed_key(device, hash);
   const size_t rest_bytes = size_bytes % sizeof(uint32_t); /* not hashed */
   if (!rest_bytes && cache && icd_validation_cache_has(cache, key))
      return VK_SUCCESS;
   struct icd_report *report = util_calloc(1, sizeof(*report));
   if (!report)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   VkResult result = VK_SUCCESS;
   if (rest_bytes || !recall(key, report)) {
      const struct icd_validate_env env = env_of(device);
      if (rest_bytes)
         icd_report_vuid(report, "VUID-VkShaderModuleCreateInfo-codeSize-08735", "codeSize is %zu, which is no multiple of 4", size_bytes);
      result = check_module_apart(&env, words, size_bytes / sizeof(uint32_t), report);
      if (result == VK_SUCCESS && !report->num_refused)
         remember(key, report, cache);
   } else if (cache && !report->num_broken) {
      (void)!icd_validation_cache_add(cache, key);
   }
   if (result == VK_SUCCESS)
      result = conclude(device, report);
   util_mfree(report);
   return result;
}

struct stages_check {
   const struct icd_validate_env *env;
   const struct comp_shader_desc *const *stages;
   uint32_t num_stages;
   const struct icd_sample_shading *shading;
   struct icd_report *report;
   VkResult result;
};

static void check_stages(void *data)
{
   struct stages_check *check = data;
   check->result = icd_validate_stages(check->env, check->stages, check->num_stages, check->shading, check->report);
}

static VkResult check_stages_apart(const struct icd_validate_env *env, const struct comp_shader_desc *const *stages, uint32_t num_stages,
                                   const struct icd_sample_shading *shading, struct icd_report *report)
{
   struct stages_check check = {env, stages, num_stages, shading, report, VK_ERROR_OUT_OF_HOST_MEMORY};
   return util_call_apart(check_stages, &check) ? check.result : VK_ERROR_OUT_OF_HOST_MEMORY;
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
   struct icd_report *report = util_calloc(1, sizeof(*report));
   if (!report)
      return VK_ERROR_OUT_OF_HOST_MEMORY;

   VkResult result = VK_SUCCESS;
   if (!recall(key, report)) {
      const struct icd_validate_env env = env_of(device);
      result = check_stages_apart(&env, stages, num_stages, shading, report);
      if (result == VK_SUCCESS && !report->num_refused)
         remember(key, report, NULL);
   }
   if (result == VK_SUCCESS)
      result = conclude(device, report);
   util_mfree(report);
   return result;
}
