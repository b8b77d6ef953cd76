/* SPDX-License-Identifier: MIT
 * VkValidationCacheEXT: what passed goes in once, is saved, loaded and merged; damaged data is taken as far as it is whole. */
#include "icd/validate/validation_cache.h"
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

enum { HEADER_BYTES = 24, RECORD_BYTES = 72, NUM_MODULES = 3 };

static VkValidationCacheEXT make(const struct full_device *f, const void *data, size_t size)
{
   const VkValidationCacheCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_VALIDATION_CACHE_CREATE_INFO_EXT, .initialDataSize = size, .pInitialData = data};
   VkValidationCacheEXT cache;
   fixture_require(icd_CreateValidationCacheEXT(f->device, &info, NULL, &cache), "vkCreateValidationCacheEXT");
   return cache;
}

static size_t size_of(const struct full_device *f, VkValidationCacheEXT cache)
{
   size_t size = 0;
   CHECK_EQ(icd_GetValidationCacheDataEXT(f->device, cache, &size, NULL), VK_SUCCESS);
   return size;
}

/* Makes a module that differs by `number` with the cache; one of a bad workgroup is refused. */
static VkResult add(struct full_device *f, VkValidationCacheEXT cache, uint32_t number)
{
   const VkShaderModuleValidationCacheCreateInfoEXT chained = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_VALIDATION_CACHE_CREATE_INFO_EXT, .validationCache = cache};
   struct spvasm module;
   char text[400];
   VkShaderModule handle = VK_NULL_HANDLE;
   snprintf(text, sizeof(text),
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\n"
            "OpExecutionMode %%main LocalSize %u 1 1\n%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n"
            "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\nOpReturn\nOpFunctionEnd\n", number);
   CHECK(spvasm_assemble(&module, text));
   VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   info.pNext = &chained;
   const VkResult result = icd_CreateShaderModule(f->device, &info, NULL, &handle);
   icd_DestroyShaderModule(f->device, handle, NULL);
   spvasm_free(&module);
   return result;
}

TEST(saved_and_loaded)
{
   static uint8_t data[HEADER_BYTES + NUM_MODULES * RECORD_BYTES];
   struct full_device f;
   full_device_init(&f);
   const VkValidationCacheEXT cache = make(&f, NULL, 0);
   CHECK_EQ(size_of(&f, cache), HEADER_BYTES);
   for (uint32_t i = 0; i < 2 * NUM_MODULES; i++) /* the second time they are known */
      CHECK_EQ(add(&f, cache, 1 + i % NUM_MODULES), VK_SUCCESS);
   CHECK(is_refusal(add(&f, cache, 1 << 20)));
   CHECK_EQ(size_of(&f, cache), sizeof(data));

   size_t size = sizeof(data);
   CHECK_EQ(icd_GetValidationCacheDataEXT(f.device, cache, &size, data), VK_SUCCESS);
   const VkValidationCacheEXT loaded = make(&f, data, size);
   CHECK_EQ(size_of(&f, loaded), sizeof(data));
   CHECK_EQ(add(&f, loaded, 1), VK_SUCCESS);
   CHECK_EQ(size_of(&f, loaded), sizeof(data)); /* it was there: nothing was added */
   CHECK(is_refusal(add(&f, loaded, 1 << 20)));

   const VkValidationCacheEXT merged = make(&f, NULL, 0);
   CHECK_EQ(add(&f, merged, 1), VK_SUCCESS);
   CHECK_EQ(add(&f, merged, 7), VK_SUCCESS);
   CHECK_EQ(icd_MergeValidationCachesEXT(f.device, merged, 1, &loaded), VK_SUCCESS);
   CHECK_EQ(size_of(&f, merged), sizeof(data) + RECORD_BYTES);
   icd_DestroyValidationCacheEXT(f.device, cache, NULL);
   icd_DestroyValidationCacheEXT(f.device, loaded, NULL);
   icd_DestroyValidationCacheEXT(f.device, merged, NULL);
   full_device_finish(&f);
}

/* How much of damaged data is taken; a size that is too small gives what fits. */
TEST(damaged)
{
   static uint8_t data[HEADER_BYTES + NUM_MODULES * RECORD_BYTES], copy[sizeof(data)];
   struct full_device f;
   full_device_init(&f);
   const VkValidationCacheEXT cache = make(&f, NULL, 0);
   for (uint32_t i = 0; i < NUM_MODULES; i++)
      CHECK_EQ(add(&f, cache, 1 + i), VK_SUCCESS);
   for (size_t room = 0; room <= sizeof(data); room++) {
      size_t size = room;
      const size_t whole = room < HEADER_BYTES ? 0 : room - (room - HEADER_BYTES) % RECORD_BYTES;
      CHECK_EQ(icd_GetValidationCacheDataEXT(f.device, cache, &size, data), room < sizeof(data) ? VK_INCOMPLETE : VK_SUCCESS);
      CHECK_EQ(size, whole);
   }
   for (size_t cut = 0; cut <= sizeof(data); cut++) {
      const VkValidationCacheEXT loaded = make(&f, data, cut);
      CHECK_EQ(size_of(&f, loaded), cut < HEADER_BYTES ? HEADER_BYTES : cut - (cut - HEADER_BYTES) % RECORD_BYTES);
      icd_DestroyValidationCacheEXT(f.device, loaded, NULL);
   }
   for (size_t at = 0; at < sizeof(data); at++) {
      memcpy(copy, data, sizeof(data));
      copy[at] ^= 0x80;
      const VkValidationCacheEXT loaded = make(&f, copy, sizeof(copy));
      const size_t size = size_of(&f, loaded);
      CHECK(at < HEADER_BYTES ? size == HEADER_BYTES : size <= sizeof(data));
      CHECK(is_refusal(add(&f, loaded, 1 << 20)));
      CHECK_EQ(add(&f, loaded, 1), VK_SUCCESS);
      icd_DestroyValidationCacheEXT(f.device, loaded, NULL);
   }
   icd_DestroyValidationCacheEXT(f.device, cache, NULL);
   full_device_finish(&f);
}

TEST_MAIN
