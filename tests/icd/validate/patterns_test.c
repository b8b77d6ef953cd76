/* SPDX-License-Identifier: MIT
 * What compilers and applications write although a rule forbids it: taken with a warning that has the rule's name, with the results that
 * it means; refused in strict mode. What only looks forbidden is taken in silence in both. Each is asked twice, so that what is remembered
 * on disk is reported again, and of a mode that it was not remembered in. */
#include "tests/icd/validate/env.h"
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "gen/icd_spirv.h"
#include "icd/device/device.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <unistd.h>

#include "absent.frag.h"
#include "address.comp.h"
#include "dynamic.comp.h"
#include "offset.comp.h"
#include "relaxed.comp.h"
#include "retyped.frag.h"
#include "retyped.vert.h"
#include "scalar.comp.h"
#include "spec_array.comp.h"
#include "stages.frag.h"
#include "stages.vert.h"
#include "texels.comp.h"
#include "wide.comp.h"
#include "write3.hlsl.h"

enum { LANES = 4, NUM = 2, SIZE = 4, MAX_WORDS = 4096, MAX_HEARD = 16 };

/* ---- what is heard ---- */

struct heard {
   uint32_t count, num_errors;
   char ids[MAX_HEARD][100];
   char text[4096]; /* of the first */
};

static VKAPI_ATTR VkBool32 VKAPI_CALL hear(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT types,
                                           const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   struct heard *heard = user;
   (void)types;
   if (heard->count < MAX_HEARD)
      snprintf(heard->ids[heard->count], sizeof(heard->ids[0]), "%s", data->pMessageIdName);
   if (heard->count == 0)
      snprintf(heard->text, sizeof(heard->text), "%s", data->pMessage);
   heard->num_errors += severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
   heard->count++;
   return VK_FALSE;
}

static bool has_heard(const struct heard *heard, const char *rule)
{
   for (uint32_t i = 0; i < UTIL_MIN(heard->count, (uint32_t)MAX_HEARD); i++) {
      if (strstr(heard->ids[i], rule))
         return true;
   }
   return false;
}

/* ---- a device with resources ---- */

/* Bindings 0 to 7, as the shaders have them. */
static const VkDescriptorType types[] = {
   VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
   VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
};
enum { RESULTS, STORAGES, UNIFORMS, TEXTURES, IMAGES, LOADS, STORES, FLOATS, NUM_BINDINGS };

struct patterns {
   struct run_device run;
   struct heard heard;
   VkDebugUtilsMessengerEXT messenger;
   struct run_buffer results, storages[NUM], uniforms[NUM], texels[NUM];
   struct fixture_image textures[NUM], images[NUM], floats;
   VkSampler sampler;
   VkBufferView views[NUM];
};

static void init_resources(struct patterns *p)
{
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                        .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                        .borderColor = VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
   fixture_require(icd_CreateSampler(p->run.f.device, &sampler, NULL, &p->sampler), "vkCreateSampler");
   p->results = run_buffer(&p->run, 256);
   p->floats = run_image(&p->run, VK_FORMAT_R32G32B32A32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.float32 = {0}});
   const VkDescriptorBufferInfo results = {p->results.buffer, 0, VK_WHOLE_SIZE};
   const VkDescriptorImageInfo floats = {VK_NULL_HANDLE, p->floats.view, VK_IMAGE_LAYOUT_GENERAL};
   run_write(&p->run, RESULTS, 0, types[RESULTS], NULL, &results, NULL);
   run_write(&p->run, FLOATS, 0, types[FLOATS], &floats, NULL, NULL);
   for (uint32_t i = 0; i < NUM; i++) {
      p->storages[i] = run_buffer(&p->run, 64);
      p->uniforms[i] = run_buffer(&p->run, 64);
      p->texels[i] = run_buffer(&p->run, 64);
      p->textures[i] =
         run_image(&p->run, VK_FORMAT_R32G32B32A32_SFLOAT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.float32 = {(float)i + 3}});
      p->images[i] = run_image(&p->run, VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.uint32 = {i + 4}});
      const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = p->texels[i].buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .range = 64};
      fixture_require(icd_CreateBufferView(p->run.f.device, &view, NULL, &p->views[i]), "vkCreateBufferView");
      const VkDescriptorBufferInfo storage = {p->storages[i].buffer, 0, VK_WHOLE_SIZE}, uniform = {p->uniforms[i].buffer, 0, VK_WHOLE_SIZE};
      const VkDescriptorImageInfo texture = {p->sampler, p->textures[i].view, VK_IMAGE_LAYOUT_GENERAL},
                                  image = {VK_NULL_HANDLE, p->images[i].view, VK_IMAGE_LAYOUT_GENERAL};
      run_write(&p->run, STORAGES, i, types[STORAGES], NULL, &storage, NULL);
      run_write(&p->run, UNIFORMS, i, types[UNIFORMS], NULL, &uniform, NULL);
      run_write(&p->run, TEXTURES, i, types[TEXTURES], &texture, NULL, NULL);
      run_write(&p->run, IMAGES, i, types[IMAGES], &image, NULL, NULL);
      run_write(&p->run, LOADS, i, types[LOADS], NULL, NULL, &p->views[i]);
      run_write(&p->run, STORES, i, types[STORES], NULL, NULL, &p->views[i]);
      p->storages[i].map[0] = i + 1;
      p->uniforms[i].map[0] = i + 2;
      p->texels[i].map[0] = i + 5;
   }
}

/* `disable`: features, with spaces between, as if the application had not enabled them. `minor`: of the application's Vulkan. */
static void init(struct patterns *p, uint32_t minor, const char *disable)
{
   VkDescriptorSetLayoutBinding bindings[NUM_BINDINGS];
   char text[300];
   char *rest = text;
   memset(p, 0, sizeof(*p));
   for (uint32_t b = 0; b < NUM_BINDINGS; b++)
      bindings[b] = (VkDescriptorSetLayoutBinding){b, types[b], b == RESULTS || b == FLOATS ? 1 : NUM, VK_SHADER_STAGE_ALL, NULL};
   run_init(&p->run, NUM_BINDINGS, bindings, 16);
   const VkDebugUtilsMessengerCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .pfnUserCallback = hear,
      .pUserData = &p->heard};
   fixture_require(icd_CreateDebugUtilsMessengerEXT(p->run.f.instance, &info, NULL, &p->messenger), "vkCreateDebugUtilsMessengerEXT");
   init_resources(p);

   struct icd_device *device = icd_device_from_handle(p->run.f.device);
   struct test_env env;
   env.features = device->features;
   snprintf(text, sizeof(text), "%s", disable);
   for (char *word; *disable && (word = strsep(&rest, " "));)
      CHECK(test_env_set_feature(&env, word, false));
   device->features = env.features;
   device->api_version = VK_MAKE_API_VERSION(0, 1, minor, 0);
}

/* As if an extension had not been enabled. */
static void disable_extension(struct patterns *p, enum icd_extension id)
{
   icd_device_from_handle(p->run.f.device)->extensions.words[id / 64] &= ~(UINT64_C(1) << (id % 64));
}

static void finish(struct patterns *p)
{
   for (uint32_t i = 0; i < NUM; i++) {
      icd_DestroyBufferView(p->run.f.device, p->views[i], NULL);
      fixture_image_destroy(p->run.f.device, &p->textures[i]);
      fixture_image_destroy(p->run.f.device, &p->images[i]);
      run_buffer_free(&p->run, &p->storages[i]);
      run_buffer_free(&p->run, &p->uniforms[i]);
      run_buffer_free(&p->run, &p->texels[i]);
   }
   fixture_image_destroy(p->run.f.device, &p->floats);
   run_buffer_free(&p->run, &p->results);
   icd_DestroySampler(p->run.f.device, p->sampler, NULL);
   icd_DestroyDebugUtilsMessengerEXT(p->run.f.instance, p->messenger, NULL);
   run_finish(&p->run);
}

/* ---- what is reported of modules ---- */

/* A module breaks the rules that `reported` names, parts of their identifiers with spaces between, and no other. None: it is silent. */
static void check_reported(struct patterns *p, const uint32_t *words, size_t bytes, const char *reported)
{
   static const char *const modes[] = {NULL, "strict", NULL, "strict", "warn", "off"};
   const VkShaderModuleCreateInfo info = module_info(words, bytes / sizeof(uint32_t));
   icd_device_hash_enabled(icd_device_from_handle(p->run.f.device));
   for (uint32_t m = 0; m < UTIL_ARRAY_SIZE(modes); m++) {
      const bool is_strict = modes[m] && !strcmp(modes[m], "strict"), is_off = modes[m] && !strcmp(modes[m], "off");
      VkShaderModule module = VK_NULL_HANDLE;
      char text[300];
      char *rest = text;
      uint32_t count = 0;
      if (modes[m])
         setenv("VK_SWRAST_VALIDATE", modes[m], 1);
      memset(&p->heard, 0, sizeof(p->heard));
      const VkResult result = icd_CreateShaderModule(p->run.f.device, &info, NULL, &module);
      CHECK(is_strict && *reported ? is_refusal(result) : result == VK_SUCCESS);
      snprintf(text, sizeof(text), "%s", reported);
      for (char *rule; *reported && !is_off && (rule = strsep(&rest, " ")); count++)
         CHECK(has_heard(&p->heard, rule));
      CHECK_EQ(p->heard.count, count);
      CHECK_EQ(p->heard.num_errors, is_strict ? count : 0);
      if (p->heard.count != count || (result != VK_SUCCESS) != (is_strict && *reported))
         fprintf(stderr, "mode %s: %d, %u messages: %s\n", modes[m] ? modes[m] : "unset", (int)result, p->heard.count, p->heard.text);
      icd_DestroyShaderModule(p->run.f.device, module, NULL);
      unsetenv("VK_SWRAST_VALIDATE");
   }
}

static void check_results(const struct patterns *p, const uint32_t wanted[LANES])
{
   for (uint32_t lane = 0; lane < LANES; lane++)
      CHECK_EQ(p->results.map[lane], wanted[lane]);
}

/* What check_reported() does; then the module runs. */
static void check_runs(struct patterns *p, const uint32_t *words, size_t bytes, const char *reported, const uint32_t wanted[LANES])
{
   check_reported(p, words, bytes, reported);
   run_compute(&p->run, words, bytes, NULL, 0);
   check_results(p, wanted);
}

#define RUN(p, shader, push, push_bytes) run_compute(&(p)->run, shader, sizeof(shader), push, push_bytes)

/* ---- words changed ---- */

/* A module is refused, for one reason. */
static void check_refused(struct patterns *p, const uint32_t *words, size_t num_words)
{
   const VkShaderModuleCreateInfo info = module_info(words, num_words);
   VkShaderModule module = VK_NULL_HANDLE;
   memset(&p->heard, 0, sizeof(p->heard));
   CHECK(is_refusal(icd_CreateShaderModule(p->run.f.device, &info, NULL, &module)));
   CHECK_EQ(p->heard.num_errors, 1);
}

static uint32_t changed[MAX_WORDS];

/* Copies a module, to be changed: as other compilers would have written it. */
static size_t copy(const uint32_t *words, size_t bytes)
{
   CHECK(bytes <= sizeof(changed));
   memcpy(changed, words, UTIL_MIN(bytes, sizeof(changed)));
   return bytes / sizeof(uint32_t);
}

/* The first instruction at or behind `from`; num_words: there is none. */
static size_t find(size_t num_words, size_t from, SpvOp op)
{
   for (size_t i = from; i < num_words && changed[i] >> 16; i += changed[i] >> 16) {
      if ((changed[i] & 0xffff) == op)
         return i;
   }
   CHECK(!"a shader has no such instruction");
   return num_words;
}

/* ---- compute ---- */

TEST(dynamic_indexing)
{
   struct patterns p;
   init(&p, 4,
        "shaderUniformBufferArrayDynamicIndexing shaderSampledImageArrayDynamicIndexing shaderStorageBufferArrayDynamicIndexing "
        "shaderStorageImageArrayDynamicIndexing");
   const uint32_t sum = (1 + 2 + 3 + 4) + ((2 + 3 + 4 + 5) << 8);
   check_runs(&p, dynamic_comp, sizeof(dynamic_comp), "-10127 -10128 -10129 -10130", (const uint32_t[]){sum, sum + 1, sum + 2, sum + 3});
   finish(&p);
   init(&p, 4, ""); /* with the features that is what they are for */
   check_reported(&p, dynamic_comp, sizeof(dynamic_comp), "");
   finish(&p);
}

TEST(texel_buffers)
{
   struct patterns p;
   const size_t count = copy(texels_comp, sizeof(texels_comp));
   for (size_t i = 5; i < count && (changed[i] & 0xffff) == SpvOpCapability; i += 2) {
      if (changed[i + 1] == SpvCapabilityUniformTexelBufferArrayDynamicIndexing ||
          changed[i + 1] == SpvCapabilityStorageTexelBufferArrayDynamicIndexing)
         changed[i + 1] = SpvCapabilityShader;
   }
   init(&p, 4, "");
   const uint32_t sum = 2 * 5 + (2 * 6 << 8);
   check_runs(&p, changed, count * 4, "-10132 -10133", (const uint32_t[]){sum, sum + 1, sum + 2, sum + 3});
   check_reported(&p, texels_comp, sizeof(texels_comp), ""); /* as it was */
   finish(&p);
}

TEST(specialized_arrays)
{
   static const uint32_t push[4] = {1, 10, 100, 1000};
   const VkSpecializationMapEntry entry = {0, 0, 4};
   struct patterns p;
   init(&p, 4, "");
   check_reported(&p, spec_array_comp, sizeof(spec_array_comp), "-04681");
   for (uint32_t i = 0; i < 6; i++)
      p.storages[0].map[i] = i; /* head, four of the list, tail */
   for (uint32_t length = 1; length <= 4; length++) {
      const VkSpecializationInfo specialization = {1, &entry, 4, &length};
      uint32_t sum = (5 << 16) + (length << 24);
      for (uint32_t i = 0; i < length; i++)
         sum += (i + 1) * push[i];
      run_specialized(&p.run, spec_array_comp, sizeof(spec_array_comp), &specialization, push, sizeof(push));
      check_results(&p, (const uint32_t[]){sum, sum + 1, sum + 2, sum + 3});
   }
   finish(&p);
}

TEST(relaxed_layout)
{
   struct patterns p;
   init(&p, 0, "uniformBufferStandardLayout scalarBlockLayout");
   disable_extension(&p, ICD_EXT_KHR_relaxed_block_layout);
   check_reported(&p, relaxed_comp, sizeof(relaxed_comp), "pCode-08737");
   p.heard.count = 0;
   RUN(&p, relaxed_comp, NULL, 0);
   CHECK(strstr(p.heard.text, "enable VK_KHR_relaxed_block_layout"));
   for (uint32_t i = 0; i < 3; i++)
      p.uniforms[0].map[i] = i + 7;
   RUN(&p, relaxed_comp, NULL, 0);
   const uint32_t sum = 7 + (8 << 8) + (9 << 16);
   check_results(&p, (const uint32_t[]){sum, sum + 1, sum + 2, sum + 3});
   finish(&p);
}

TEST(scalar_layout)
{
   struct patterns p;
   init(&p, 3, "scalarBlockLayout uniformBufferStandardLayout");
   check_reported(&p, scalar_comp, sizeof(scalar_comp), "pCode-08737");
   p.heard.count = 0;
   for (uint32_t i = 0; i < 8; i++)
      p.uniforms[0].map[i] = i + 1;
   RUN(&p, scalar_comp, NULL, 0);
   CHECK(strstr(p.heard.text, "enable scalarBlockLayout"));
   const uint32_t sum = 1 + (5 << 8);
   check_results(&p, (const uint32_t[]){sum + (6 << 16), sum + (7 << 16), sum + (6 << 16), sum + (7 << 16)});
   finish(&p);
}

/* The extension of addresses by the name that it had before it was taken over. */
TEST(older_extension)
{
   struct patterns p;
   const size_t count = copy(address_comp, sizeof(address_comp)), at = find(count, 5, SpvOpExtension) + 1;
   CHECK(!memcmp(&changed[at], "SPV_KHR_physical_storage_buffer", 32));
   memcpy(&changed[at], "SPV_EXT_", 8);
   init(&p, 4, "");
   check_reported(&p, changed, count * 4, "pCode-08742");
   for (uint32_t i = 0; i < LANES; i++)
      p.storages[0].map[i] = 50 + i;
   run_compute(&p.run, changed, count * 4, &p.storages[0].address, 8);
   check_results(&p, (const uint32_t[]){51, 52, 53, 54});
   check_reported(&p, address_comp, sizeof(address_comp), "");
   finish(&p);
}

/* What is offered but not enabled. */
TEST(not_enabled)
{
   struct patterns p;
   init(&p, 4, "shaderFloat64 shaderInt64 storageBuffer16BitAccess storageBuffer8BitAccess");
   check_reported(&p, wide_comp, sizeof(wide_comp), "-06328 -06331 pCode-08740");
   p.storages[0].map[0] = 300u << 16 | 200;
   p.storages[0].map[1] = 0x0908;
   RUN(&p, wide_comp, NULL, 0);
   check_results(&p, (const uint32_t[]){300 + (8 << 16), 300 + (9 << 16), 300 + (8 << 16), 300 + (9 << 16)});
   finish(&p);
}

/* A module of a newer SPIR-V than the application's version of Vulkan takes. */
TEST(newer_words)
{
   struct patterns p;
   init(&p, 0, "");
   check_reported(&p, address_comp, sizeof(address_comp), "pCode-08737");
   for (uint32_t i = 0; i < LANES; i++)
      p.storages[0].map[i] = 60 + i;
   RUN(&p, address_comp, &p.storages[0].address, 8);
   check_results(&p, (const uint32_t[]){61, 62, 63, 64});
   finish(&p);
}

/* Components that are not given are not those that the test reads back. */
TEST(three_components)
{
   struct patterns p;
   init(&p, 4, "");
   check_runs(&p, write3_hlsl, sizeof(write3_hlsl), "-07112", (const uint32_t[]){0x030201, 0x040302, 0x050403, 0x060504});
   finish(&p);
}

TEST(computed_offset)
{
   struct patterns p;
   const size_t count = copy(offset_comp, sizeof(offset_comp));
   const size_t at = find(count, find(count, 5, SpvOpFunction), SpvOpImageSampleExplicitLod) + 5;
   CHECK_EQ(changed[at], SpvImageOperandsLodMask | SpvImageOperandsConstOffsetMask);
   changed[at] = SpvImageOperandsLodMask | SpvImageOperandsOffsetMask;
   CHECK_EQ(changed[6], SpvCapabilityShader);
   changed[6] = SpvCapabilityImageGatherExtended; /* which implies it */
   for (uint32_t has_feature = 0; has_feature < 2; has_feature++) {
      init(&p, 4, "");
      icd_device_from_handle(p.run.f.device)->features.maintenance8 = has_feature;
      check_runs(&p, changed, count * 4, has_feature ? "" : "Offset-04663 Offset-10213", (const uint32_t[]){4, 4, 4, 0}); /* the last one is outside */
      finish(&p);
   }
}

/* What the module of patterns/bits.spvasm gives lane `i`. */
static uint32_t bits_of_lane(uint32_t i)
{
   const uint32_t moved = 0x0f0fu << i, low = moved & 0xffff;
   uint32_t reversed = 0;
   for (uint32_t b = 0; b < 16; b++)
      reversed |= (low >> b & 1) << (15 - b);
   const uint32_t inserted = (low & ~0xf00u) | (reversed & 0xf) << 8;
   const uint32_t sum = (uint32_t)__builtin_popcount(low) + ((uint32_t)__builtin_popcount(moved) << 4) + ((moved & 0xff) << 8) +
                        (inserted << 16);
   return sum ^ reversed;
}

/* Bits of other integers than of 32. */
TEST(bits)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/bits.spvasm"));
   for (uint32_t has_feature = 0; has_feature < 2; has_feature++) {
      init(&p, 4, "");
      const char *reported = "Base-04781";
#ifdef VK_KHR_maintenance9
      icd_device_from_handle(p.run.f.device)->features.maintenance9 = has_feature;
      reported = has_feature ? "" : reported;
#endif
      check_runs(&p, shader.words, shader.num_words * 4, reported,
                 (const uint32_t[]){bits_of_lane(0), bits_of_lane(1), bits_of_lane(2), bits_of_lane(3)});
      finish(&p);
   }
   spvasm_free(&shader);
}

/* What a buffer does not have reads as zeros, with the feature and without. */
TEST(unsized)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/unsized.spvasm"));
   for (uint32_t has_feature = 0; has_feature < 2; has_feature++) {
      init(&p, 4, "");
      for (uint32_t i = 0; i < 16; i++)
         p.uniforms[1].map[i] = 100 + i;
      const char *reported = "-11806";
#ifdef VK_EXT_shader_uniform_buffer_unsized_array
      icd_device_from_handle(p.run.f.device)->features.shaderUniformBufferUnsizedArray = has_feature;
      reported = has_feature ? "" : reported;
#endif
      check_runs(&p, shader.words, shader.num_words * 4, reported, (const uint32_t[]){111, 115, 0, 0});
      finish(&p);
   }
   spvasm_free(&shader);
}

#ifdef ICD_SPIRV_HAS_KHR_shader_fma
TEST(fused)
{
   struct patterns p;
   struct spvasm shader;
   uint32_t expected[LANES];
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/fused.spvasm"));
   for (uint32_t i = 0; i < LANES; i++) /* 2 to the power of -12, -24 and -54, and i */
      expected[i] = (0x0c00 + (i << 10)) ^ (0x33800000 + (i << 23)) ^ (0x3c900000 + (i << 20));
   for (uint32_t has_features = 0; has_features < 2; has_features++) {
      init(&p, 4, "");
      struct icd_features *features = &icd_device_from_handle(p.run.f.device)->features;
      features->shaderFmaFloat16 = features->shaderFmaFloat32 = features->shaderFmaFloat64 = has_features;
      check_runs(&p, shader.words, shader.num_words * 4, has_features ? "" : "-10977 -10978 -10979 pCode-08740", expected);
      finish(&p);
   }
   spvasm_free(&shader);
}
#endif

#ifdef ICD_SPIRV_HAS_EXT_shader_split_barrier
TEST(split_barriers)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/split.spvasm"));
   init(&p, 4, "");
   icd_device_from_handle(p.run.f.device)->features.shaderSplitBarrier = true;
   check_runs(&p, shader.words, shader.num_words * 4, "", (const uint32_t[]){63 * 3, 62 * 3, 61 * 3, 60 * 3});
   spvasm_free(&shader);
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/split_wrong.spvasm"));
   run_compute(&p.run, shader.words, shader.num_words * 4, NULL, 0);
   check_results(&p, (const uint32_t[]){0, 3, 6, 9});
   finish(&p);
   spvasm_free(&shader);
}
#endif

/* Instructions without meaning that name what comes behind them are for that: nothing is wrong. */
TEST(forward_references)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/forward.spvasm"));
   init(&p, 3, "");
   check_runs(&p, shader.words, shader.num_words * 4, "", (const uint32_t[]){100, 101, 102, 103});
   disable_extension(&p, ICD_EXT_KHR_shader_relaxed_extended_instruction);
   check_reported(&p, shader.words, shader.num_words * 4, "pCode-08742");
   spvasm_free(&shader);
   finish(&p);
}

/* Variables of types that are laid out as for buffers: what else is wrong with such a module is still found. */
TEST(laid_out_variables)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/layouts.spvasm"));
   init(&p, 4, "");
   check_runs(&p, shader.words, shader.num_words * 4, "None-10684", (const uint32_t[]){30, 21, 12, 3});
   spvasm_free(&shader);
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/layouts_wrong.spvasm"));
   check_refused(&p, shader.words, shader.num_words);
   CHECK(has_heard(&p.heard, "VertexIndex-VertexIndex") && has_heard(&p.heard, "None-10684"));
   spvasm_free(&shader);
   finish(&p);
}

/* An operand of an atomic that is signed where the result is not has the same bits; a float has not. */
TEST(signs_of_atomics)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/atomic_sign.spvasm"));
   init(&p, 3, "");
   check_reported(&p, shader.words, shader.num_words * 4, "pCode-08737");
   run_compute(&p.run, shader.words, shader.num_words * 4, NULL, 0);
   CHECK(strstr(p.heard.text, "OpAtomicIAdd"));
   check_results(&p, (const uint32_t[]){0x128, 0x127, 0x126, 0x125});
   const size_t count = copy(shader.words, shader.num_words * 4);
   const uint32_t number = changed[find(count, 5, SpvOpConstant) + 2]; /* the only float */
   changed[find(count, 5, SpvOpAtomicOr) + 6] = number;
   check_refused(&p, changed, count);
   CHECK(has_heard(&p.heard, "pCode-08737"));
   spvasm_free(&shader);
   finish(&p);
}

/* Zeros cast to zeros of another size; another number of the wrong size has no such meaning. */
TEST(zero_casts)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/zero_cast.spvasm"));
   init(&p, 3, "");
   check_runs(&p, shader.words, shader.num_words * 4, "pCode-08737", (const uint32_t[]){40, 41, 42, 43});
   const size_t count = copy(shader.words, shader.num_words * 4);
   changed[find(count, find(count, 5, SpvOpFunction), SpvOpBitcast) + 3]++; /* the one behind it */
   check_refused(&p, changed, count);
   spvasm_free(&shader);
   finish(&p);
}

/* What some programs bind where no pipeline could be made: nothing is dispatched or drawn. */
TEST(no_pipeline)
{
   const VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1};
   struct patterns p;
   init(&p, 4, "");
   p.results.map[0] = 5;
   run_begin(&p.run);
   icd_CmdBindPipeline(p.run.commands, VK_PIPELINE_BIND_POINT_COMPUTE, VK_NULL_HANDLE);
   icd_CmdDispatch(p.run.commands, 4, 4, 4);
   icd_CmdBeginRendering(p.run.commands, &rendering);
   icd_CmdBindPipeline(p.run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, VK_NULL_HANDLE);
   icd_CmdDraw(p.run.commands, 3, 1, 0, 0);
   icd_CmdEndRendering(p.run.commands);
   run_submit(&p.run);
   CHECK_EQ(p.results.map[0], 5);
   finish(&p);
}

/* Atomics that name memory and order nothing. */
TEST(relaxed_atomics)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/atomic_relaxed.spvasm"));
   init(&p, 3, "");
   check_runs(&p, shader.words, shader.num_words * 4, "MemorySemantics-10871 pCode-08737", (const uint32_t[]){6, 7, 8, 9});
   const size_t count = copy(shader.words, shader.num_words * 4);
   const uint32_t number = changed[find(count, 5, SpvOpConstant) + 2]; /* the only float */
   changed[find(count, 5, SpvOpAtomicOr) + 6] = number;
   check_refused(&p, changed, count);
   CHECK(has_heard(&p.heard, "pCode-08737") && has_heard(&p.heard, "MemorySemantics-10871"));
   spvasm_free(&shader);
   finish(&p);
}

/* A barrier that orders no memory of Vulkan's. */
TEST(subgroup_barrier)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/subgroup_barrier.spvasm"));
   init(&p, 3, "");
   check_runs(&p, shader.words, shader.num_words * 4, "OpControlBarrier-04650", (const uint32_t[]){3, 2, 1, 0});
   spvasm_free(&shader);
   finish(&p);
}

/* A capability of SPIR-V 1.5 in a module of SPIR-V 1.3. */
TEST(early_capability)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, PATTERNS_PATH "/early_layer.spvasm"));
   init(&p, 3, "");
   check_reported(&p, shader.words, shader.num_words * 4, "pCode-08737");
   const size_t count = copy(shader.words, shader.num_words * 4);
   changed[find(count, 5, SpvOpStore) + 2] = changed[find(count, 5, SpvOpConstant) + 2]; /* a float to the integer */
   check_refused(&p, changed, count);
   spvasm_free(&shader);
   finish(&p);
}

/* ---- graphics ---- */

/* Draws a triangle over 4 x 4 pixels, without an attachment; `pool` (or none) has a query of it. */
static void draw(struct patterns *p, const uint32_t *words[2], const size_t bytes[2], const char *fragment_entry, VkQueryPool pool)
{
   VkPipelineShaderStageCreateInfo stages[2] = {run_stage(&p->run, VK_SHADER_STAGE_VERTEX_BIT, words[0], bytes[0]),
                                                run_stage(&p->run, VK_SHADER_STAGE_FRAGMENT_BIT, words[1], bytes[1])};
   const struct graphics whole = {.layout = p->run.layout};
   const VkRenderingInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1};
   VkPipeline pipeline = VK_NULL_HANDLE;
   stages[1].pName = fragment_entry;
   fixture_require(graphics_of_stages(p->run.f.device, &whole, stages, false, &pipeline), "vkCreateGraphicsPipelines");
   run_begin(&p->run);
   if (pool)
      icd_CmdResetQueryPool(p->run.commands, pool, 0, 1);
   icd_CmdBeginRendering(p->run.commands, &rendering);
   if (pool)
      icd_CmdBeginQuery(p->run.commands, pool, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   icd_CmdBindPipeline(p->run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(p->run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p->run.layout, 0, 1, &p->run.set, 0, NULL);
   icd_CmdDraw(p->run.commands, 3, 1, 0, 0);
   if (pool)
      icd_CmdEndQuery(p->run.commands, pool, 0);
   icd_CmdEndRendering(p->run.commands);
   run_submit(&p->run);
   icd_DestroyPipeline(p->run.f.device, pipeline, NULL);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(p->run.f.device, stages[i].module, NULL);
}

/* Takes Flat from the structure in the fragment shader's block, as compilers from HLSL leave it. */
static size_t copy_without_flat(void)
{
   const size_t count = copy(stages_frag, sizeof(stages_frag));
   uint32_t num_found = 0;
   for (size_t i = find(count, 5, SpvOpMemberDecorate); (changed[i] & 0xffff) == SpvOpMemberDecorate || (changed[i] & 0xffff) == SpvOpDecorate;
        i += changed[i] >> 16) {
      if ((changed[i] & 0xffff) == SpvOpMemberDecorate && changed[i + 3] == SpvDecorationFlat) {
         changed[i + 3] = SpvDecorationRelaxedPrecision;
         num_found++;
      }
   }
   CHECK_EQ(num_found, 1);
   return count;
}

TEST(stages)
{
   struct patterns p;
   const size_t count = copy_without_flat();
   const uint32_t *words[2] = {stages_vert, changed};
   const size_t bytes[2] = {sizeof(stages_vert), count * 4};
   init(&p, 4, "fragmentStoresAndAtomics vertexPipelineStoresAndAtomics maintenance4");
   check_reported(&p, words[0], bytes[0], "-06341");
   check_reported(&p, words[1], bytes[1], "-06340 -06345 -06347");
   memset(&p.heard, 0, sizeof(p.heard));
   draw(&p, words, bytes, "main", VK_NULL_HANDLE);
   CHECK(has_heard(&p.heard, "-06817"));
   CHECK_EQ(p.heard.num_errors, 0);
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         CHECK_EQ(p.results.map[y * SIZE + x], 7 + (100 << 8) + (200 << 16));
         CHECK_EQ(p.results.map[16 + y * SIZE + x], 4 * (x + 3) + (4 * (y + 3) << 8) + (6 << 16));
      }
   }
   CHECK_EQ(p.results.map[32], 3);
   finish(&p);
   init(&p, 4, "");
   check_reported(&p, words[0], bytes[0], "");
   check_reported(&p, words[1], bytes[1], "-06345 -06347"); /* what is left is a limit, not a feature */
   finish(&p);
}

/* Inputs that the vertex shader does not write. */
TEST(absent_inputs)
{
   struct patterns p;
   const uint32_t *words[2] = {stages_vert, absent_frag};
   const size_t bytes[2] = {sizeof(stages_vert), sizeof(absent_frag)};
   init(&p, 4, "");
   check_reported(&p, words[1], bytes[1], "");
   memset(&p.heard, 0, sizeof(p.heard));
   draw(&p, words, bytes, "main", VK_NULL_HANDLE);
   CHECK(has_heard(&p.heard, "-08743"));
   CHECK_EQ(p.heard.num_errors, 0);
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      CHECK_EQ(p.results.map[i], 0);
      CHECK_EQ(p.results.map[16 + i], 9);
   }
   finish(&p);
}

/* Inputs of other types than the outputs that they read. */
TEST(retyped_inputs)
{
   static const uint32_t expected[] = {0x7f812345, 5, 0xbfc00000, 0x40000000, (uint32_t)-7, 0x3e800000, 0xc0400000, 0, 0x3ff00000, 0, 0xc0040000};
   struct patterns p;
   const uint32_t *words[2] = {retyped_vert, retyped_frag};
   const size_t bytes[2] = {sizeof(retyped_vert), sizeof(retyped_frag)};
   init(&p, 4, "");
   check_reported(&p, words[0], bytes[0], "");
   check_reported(&p, words[1], bytes[1], "");
   memset(&p.heard, 0, sizeof(p.heard));
   draw(&p, words, bytes, "main", VK_NULL_HANDLE);
   CHECK(has_heard(&p.heard, "-07754"));
   CHECK_EQ(p.heard.num_errors, 0);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(expected); i++)
      CHECK_EQ(p.results.map[i], expected[i]);
   finish(&p);
}

/* Of these statistics, or, if there are none, of occlusion. */
static VkQueryPool query_pool(struct patterns *p, VkQueryPipelineStatisticFlags which)
{
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                       .queryType = which ? VK_QUERY_TYPE_PIPELINE_STATISTICS : VK_QUERY_TYPE_OCCLUSION,
                                       .queryCount = 1,
                                       .pipelineStatistics = which};
   VkQueryPool pool = VK_NULL_HANDLE;
   fixture_require(icd_CreateQueryPool(p->run.f.device, &info, NULL, &pool), "vkCreateQueryPool");
   return pool;
}

static uint64_t result(struct patterns *p, VkQueryPool pool)
{
   uint64_t value = UINT64_MAX;
   fixture_require(icd_GetQueryPoolResults(p->run.f.device, pool, 0, 1, sizeof(value), &value, sizeof(value), VK_QUERY_RESULT_64_BIT), "vkGetQueryPoolResults");
   icd_DestroyQueryPool(p->run.f.device, pool, NULL);
   return value;
}

/* zink has a query for each of OpenGL's statistics, several active at once, vkd3d several of occlusion: each counts what is drawn between its own begin and
 * end. */
TEST(queries_together)
{
   static const VkQueryPipelineStatisticFlags counted[] = {VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT,
                                                         VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT, 0,
                                                         VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT, 0, 0};
   enum { COUNT = UTIL_ARRAY_SIZE(counted) };
   struct patterns p;
   init(&p, 4, "");
   VkPipelineShaderStageCreateInfo stages[2] = {run_stage(&p.run, VK_SHADER_STAGE_VERTEX_BIT, stages_vert, sizeof(stages_vert)),
                                                run_stage(&p.run, VK_SHADER_STAGE_FRAGMENT_BIT, absent_frag, sizeof(absent_frag))};
   const struct graphics whole = {.layout = p.run.layout};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1};
   VkQueryPool pools[COUNT];
   VkPipeline pipeline = VK_NULL_HANDLE;
   fixture_require(graphics_of_stages(p.run.f.device, &whole, stages, false, &pipeline), "vkCreateGraphicsPipelines");
   run_begin(&p.run);
   for (uint32_t i = 0; i < COUNT; i++) {
      pools[i] = query_pool(&p, counted[i]);
      icd_CmdResetQueryPool(p.run.commands, pools[i], 0, 1);
   }
   icd_CmdBeginRendering(p.run.commands, &rendering);
   icd_CmdBindPipeline(p.run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(p.run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, p.run.layout, 0, 1, &p.run.set, 0, NULL);
   for (uint32_t i = 0; i < COUNT; i++) {
      icd_CmdBeginQuery(p.run.commands, pools[i], 0, VK_QUERY_CONTROL_PRECISE_BIT * !counted[i]);
      icd_CmdDraw(p.run.commands, 3, 1, 0, 0);
   }
   for (uint32_t i = 0; i < COUNT; i++) { /* the ones that began last are left */
      icd_CmdEndQuery(p.run.commands, pools[i], 0);
      icd_CmdDraw(p.run.commands, 3, 1, 0, 0);
   }
   icd_CmdEndRendering(p.run.commands);
   run_submit(&p.run);
   for (uint32_t i = 0; i < COUNT; i++)
      CHECK_EQ(result(&p, pools[i]), COUNT * (counted[i] == VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT ? 3 : SIZE * SIZE));
   icd_DestroyPipeline(p.run.f.device, pipeline, NULL);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(p.run.f.device, stages[i].module, NULL);
   finish(&p);
}

/* Both stages are in the file: what they break is reported, and each pixel is painted with `value`. `is_refused`: not so where another rule is broken too. */
static void check_painted(const char *path, const char *rules, uint32_t value, bool is_refused)
{
   struct patterns p;
   struct spvasm shader;
   CHECK(spvasm_load(&shader, path));
   const uint32_t *words[2] = {shader.words, shader.words};
   const size_t bytes[2] = {shader.num_words * 4, shader.num_words * 4};
   init(&p, 4, "");
   check_reported(&p, shader.words, shader.num_words * 4, rules);
   const VkQueryPool pool = query_pool(&p, 0);
   draw(&p, words, bytes, "paint", pool);
   CHECK_EQ(result(&p, pool), SIZE * SIZE);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      CHECK_EQ(p.results.map[i], value);
   if (is_refused) {
      const size_t count = copy(shader.words, shader.num_words * 4);
      changed[find(count, 5, SpvOpStore) + 2] = changed[find(count, 5, SpvOpConstant) + 2]; /* an integer to the position */
      check_refused(&p, changed, count);
   }
   spvasm_free(&shader);
   finish(&p);
}

/* Offsets of outputs without transform feedback. */
TEST(output_offset)
{
   check_painted(PATTERNS_PATH "/output_offset.spvasm", "-04716", 12, false);
}

/* Inputs that share a location. */
TEST(shared_location)
{
   check_painted(PATTERNS_PATH "/shared_location.spvasm", "OpEntryPoint-08721", 7, true);
}

/* Masks of samples that are words. */
TEST(sample_mask)
{
   check_painted(PATTERNS_PATH "/sample_mask.spvasm", "SampleMask-04359", 1, true);
}

TEST(depth_vector)
{
   check_painted(PATTERNS_PATH "/depth_vector.spvasm", "FragDepth-04215", 4, true);
}

TEST(absent_sample)
{
   check_painted(PATTERNS_PATH "/absent_sample.spvasm", "", 1, false);
}

TEST(half_derivative)
{
   check_painted(PATTERNS_PATH "/half_derivative.spvasm", "", 743, false);
}

int main(int argc, char **argv)
{
   char directory[] = "/tmp/vk_swrast_patterns_XXXXXX", command[64];
   unsetenv("VK_SWRAST_DEBUG"); /* "nocache" for one */
   if (!mkdtemp(directory))
      return 1;
   setenv("VK_SWRAST_CACHE_DIR", directory, 1);
   unsetenv("VK_SWRAST_VALIDATE");
   const int result = test_run_all(argc, argv);
   snprintf(command, sizeof(command), "rm -r %s", directory);
   return system(command) != 0 || result;
}
