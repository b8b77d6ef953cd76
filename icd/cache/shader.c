/* SPDX-License-Identifier: MIT */
#include "icd/cache/shader.h"

#include "abi/probe.h"
#include "icd/cache/pipeline_cache.h"
#include "icd/cache/store.h"
#include "icd/device/device.h"
#include "icd/instance/messenger.h"
#include "util/stack.h"
#include "util/thread.h"
#include "util/timeline.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t live_lock = PTHREAD_MUTEX_INITIALIZER;
static struct util_table live; /* key -> struct icd_shader, while referenced; under live_lock */

static struct icd_shader *live_find(struct util_hash key)
{
   pthread_mutex_lock(&live_lock);
   struct icd_shader *shader = util_table_find(&live, key);
   if (shader)
      shader->references++;
   pthread_mutex_unlock(&live_lock);
   return shader;
}

static void shader_free(struct icd_shader *shader)
{
   comp_code_unload(&shader->code);
   util_mfree(shader->binary);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++)
      free(shader->texts[i]);
   util_mfree(shader);
}

/* Publishes a new shader, or drops it for the equal one that another thread has published meanwhile. */
static VkResult live_insert(struct icd_shader *fresh, struct icd_shader **shader)
{
   pthread_mutex_lock(&live_lock);
   struct icd_shader *other = util_table_find(&live, fresh->key);
   const bool is_kept = !other && util_table_insert(&live, fresh->key, fresh);
   if (other)
      other->references++;
   pthread_mutex_unlock(&live_lock);

   *shader = is_kept ? fresh : other;
   if (!is_kept)
      shader_free(fresh);
   return *shader ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

void icd_shader_retain(struct icd_shader *shader)
{
   pthread_mutex_lock(&live_lock);
   shader->references++;
   pthread_mutex_unlock(&live_lock);
}

void icd_shader_release(struct icd_shader *shader)
{
   if (!shader)
      return;
   pthread_mutex_lock(&live_lock);
   const bool is_last = --shader->references == 0;
   if (is_last) {
      util_table_remove(&live, shader->key);
      if (!live.count)
         util_table_finish(&live);
   }
   pthread_mutex_unlock(&live_lock);
   if (is_last)
      shader_free(shader);
}

/* A cached binary from the application's cache or from disk; NULL if neither has one. */
static struct comp_binary *binary_find(const struct icd_shader_request *request, struct util_hash key)
{
   struct comp_binary *binary = request->cache ? icd_pipeline_cache_copy(request->cache, key) : NULL;
   if (!binary) {
      size_t size;
      binary = icd_store_read(key, &size);
      if (binary && !comp_binary_is_valid(binary, size)) {
         util_mfree(binary);
         binary = NULL;
      }
   }
   if (binary && binary->info.stage != request->desc.stage) {
      util_mfree(binary);
      binary = NULL;
   }
   return binary;
}

struct compile {
   const struct comp_shader_desc *desc;
   struct comp_binary **binary;
   char **message;
   VkResult result;
};

static void run_compile(void *data)
{
   struct compile *compile = data;
   const struct comp_library *library = comp_library();
   if (library)
      compile->result = library->compile(compile->desc, compile->binary, compile->message);
}

/* On a stack that is large enough, loading the compiler too. */
static VkResult compile_apart(const struct comp_shader_desc *desc, struct comp_binary **binary, char **message)
{
   struct compile compile = {desc, binary, message, VK_ERROR_OUT_OF_HOST_MEMORY};
   return util_call_apart(run_compile, &compile) ? compile.result : VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult binary_compile(struct icd_device *device, const struct icd_shader_request *request, struct util_hash key,
                               struct comp_binary **binary)
{
   char *message = NULL, name[96];
   const uint64_t begin_ns = util_timeline_begin();
   const VkResult result = compile_apart(&request->desc, binary, &message);
   if (UTIL_UNLIKELY(begin_ns != 0)) {
      snprintf(name, sizeof(name), "%.40s, module %016llx", request->desc.entry_point, (unsigned long long)request->desc.module_hash.lo);
      util_timeline_end(begin_ns, "compile", name);
   }
   if (result == VK_SUCCESS)
      icd_store_write(key, *binary, (*binary)->total_bytes);
   else if (message)
      icd_message(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                  "VUID-VkPipelineShaderStageCreateInfo-pName-00707", &device->base, "%s", message);
   free(message);
   return result;
}

/* Takes over `binary`. VK_ERROR_INITIALIZATION_FAILED: its code cannot be placed. */
static VkResult shader_create(const char *entry_point, struct util_hash key, struct comp_binary *binary, struct icd_shader **shader)
{
   struct icd_shader *fresh = util_calloc(1, sizeof(*fresh));
   if (!fresh) {
      util_mfree(binary);
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   }
   fresh->key = key;
   fresh->references = 1;
   fresh->binary = binary;
   snprintf(fresh->name, sizeof(fresh->name), "%.40s, module %016llx", entry_point, (unsigned long long)binary->info.source_hash);
   const VkResult result = comp_code_load(binary, &fresh->code);
   if (result != VK_SUCCESS) {
      util_mfree(binary);
      util_mfree(fresh);
      return result;
   }
   return live_insert(fresh, shader);
}

static VkResult shader_compile(struct icd_device *device, const struct icd_shader_request *request, struct util_hash key,
                               struct icd_shader **shader)
{
   struct comp_binary *binary = NULL;
   VkResult result = binary_compile(device, request, key, &binary);
   if (result == VK_SUCCESS)
      result = shader_create(request->desc.entry_point, key, binary, shader);
   return result == VK_ERROR_INITIALIZATION_FAILED ? VK_ERROR_UNKNOWN : result;
}

/* Caches keep no texts: who wants them compiles again. */
static VkResult shader_describe(const struct icd_shader_request *request, struct icd_shader *shader)
{
   struct comp_shader_desc desc = request->desc;
   struct comp_binary *binary = NULL;
   char *texts[COMP_NUM_TEXTS] = {NULL}, *message = NULL;
   desc.texts = texts;
   pthread_mutex_lock(&live_lock);
   const bool is_there = shader->texts[COMP_TEXT_IR] != NULL;
   pthread_mutex_unlock(&live_lock);
   if (is_there)
      return VK_SUCCESS;
   const VkResult result = compile_apart(&desc, &binary, &message);
   util_mfree(binary);
   free(message);
   pthread_mutex_lock(&live_lock);
   for (uint32_t i = 0; i < COMP_NUM_TEXTS; i++) {
      if (shader->texts[i])
         free(texts[i]);
      else
         shader->texts[i] = texts[i];
   }
   pthread_mutex_unlock(&live_lock);
   return result;
}

VkResult icd_shader_adopt(struct util_hash key, struct comp_binary *binary, const char *entry_point, struct icd_shader **shader)
{
   *shader = live_find(key);
   if (!*shader)
      return shader_create(entry_point, key, binary, shader);
   util_mfree(binary);
   return VK_SUCCESS;
}

/* Once for each shader that lives. */
static void report_unchecked(struct icd_device *device, const struct icd_shader *shader)
{
   if (UTIL_UNLIKELY(shader->binary->num_unchecked != 0))
      icd_message(device->physical_device->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                  "SANITIZE-unchecked", &device->base,
                  "a shader has more than %u locations to check: %u further ones are not looked at; in %s [SANITIZE-unchecked]", ABI_MAX_SITES,
                  shader->binary->num_unchecked, shader->name);
}

VkResult icd_shader_acquire(struct icd_device *device, struct icd_shader_request *request, struct icd_shader **shader)
{
   const struct util_hash key = comp_shader_key(&request->desc);
   VkResult result = VK_SUCCESS;

   request->is_cache_hit = request->cache && icd_pipeline_cache_has(request->cache, key);
   *shader = live_find(key);
   const bool is_new = !*shader;
   if (is_new) {
      struct comp_binary *binary = binary_find(request, key);
      /* What is in a cache is whole, but somebody may have made it up. */
      result = binary ? shader_create(request->desc.entry_point, key, binary, shader) : VK_ERROR_INITIALIZATION_FAILED;
      if (result == VK_ERROR_INITIALIZATION_FAILED) {
         request->is_cache_hit = false;
         result = request->must_not_compile ? VK_PIPELINE_COMPILE_REQUIRED : shader_compile(device, request, key, shader);
      }
   }
   if (result == VK_SUCCESS && is_new)
      report_unchecked(device, *shader);
   if (result == VK_SUCCESS && request->wants_texts) {
      result = shader_describe(request, *shader);
      if (result != VK_SUCCESS) {
         icd_shader_release(*shader);
         *shader = NULL;
      }
   }
   /* A full cache is no error: the application asked for a pipeline. */
   if (result == VK_SUCCESS && request->cache)
      (void)!icd_pipeline_cache_add(request->cache, key, (*shader)->binary);
   return result;
}
