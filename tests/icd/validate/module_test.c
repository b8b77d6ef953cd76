/* SPDX-License-Identifier: MIT
 * What an application sees when a module breaks a rule: the code, the handle, memory, the messages, and the modes of VK_SWRAST_VALIDATE;
 * for vkCreateShaderModule and for modules given inline to pipelines. */
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"

static const char good_text[] = "OpCapability Shader\n"
                                "OpMemoryModel Logical GLSL450\n"
                                "OpEntryPoint GLCompute %main \"main\"\n"
                                "OpExecutionMode %main LocalSize 1 1 1\n"
                                "%file = OpString \"broken.comp\"\n"
                                "%void = OpTypeVoid\n"
                                "%fn = OpTypeFunction %void\n"
                                "%uint = OpTypeInt 32 0\n"
                                "%workgroup = OpConstant %uint 2\n"
                                "%semantics = OpConstant %uint 264\n"
                                "%main = OpFunction %void None %fn\n"
                                "%entry = OpLabel\n"
                                "OpLine %file 17 3\n"
                                "OpControlBarrier %workgroup %workgroup %semantics\n"
                                "OpReturn\n"
                                "OpFunctionEnd\n";
/* With the scope of a queue family for execution: */
static const char rule[] = "VUID-StandaloneSpirv-None-04636";

static struct spvasm good, bad;

static void load(void)
{
   char text[sizeof(good_text)];
   memcpy(text, good_text, sizeof(text));
   *strstr(strstr(text, "%workgroup = "), "2") = '1';
   if (!good.words && (!spvasm_assemble(&good, good_text) || !spvasm_assemble(&bad, text)))
      exit(1);
}

/* ---- an allocator that counts ---- */

static atomic_int num_live;

static VKAPI_ATTR void *VKAPI_CALL count_alloc(void *user, size_t size, size_t align, VkSystemAllocationScope scope)
{
   (void)user;
   (void)scope;
   void *memory = NULL;
   if (posix_memalign(&memory, UTIL_MAX(align, sizeof(void *)), size))
      return NULL;
   atomic_fetch_add(&num_live, 1);
   return memory;
}

static VKAPI_ATTR void *VKAPI_CALL count_realloc(void *user, void *memory, size_t size, size_t align, VkSystemAllocationScope scope)
{
   (void)user;
   (void)memory;
   (void)size;
   (void)align;
   (void)scope;
   return NULL;
}

static VKAPI_ATTR void VKAPI_CALL count_free(void *user, void *memory)
{
   (void)user;
   atomic_fetch_sub(&num_live, memory != NULL);
   free(memory);
}

static const VkAllocationCallbacks counting = {NULL, count_alloc, count_realloc, count_free, NULL, NULL};

/* ---- shader modules ---- */

static VkResult create(struct full_device *f, const struct spvasm *module, VkShaderModule *handle)
{
   const VkShaderModuleCreateInfo info = module_info(module->words, module->num_words);
   atomic_store(&f->ears.count, 0);
   *handle = VK_NULL_HANDLE;
   return icd_CreateShaderModule(f->device, &info, &counting, handle);
}

static void check_message(struct full_device *f)
{
   CHECK_EQ(f->ears.count, 1);
   CHECK_EQ(f->ears.types, VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT);
   CHECK(strstr(f->ears.id, rule) != NULL);
   CHECK(f->ears.text[0] != 0);
   CHECK_EQ(f->of_creation.count, 0); /* it only hears of the instance's creation and end: its user data may be gone */
}

TEST(refused)
{
   struct full_device f;
   load();
   full_device_init(&f);
   for (int i = 0; i < 3; i++) { /* what was refused once is not taken the next time, nor vice versa */
      VkShaderModule handle = VK_NULL_HANDLE;
      CHECK_EQ(create(&f, &good, &handle), VK_SUCCESS);
      CHECK(handle != VK_NULL_HANDLE);
      CHECK_EQ(f.ears.count, 0);
      icd_DestroyShaderModule(f.device, handle, &counting);
      handle = VK_NULL_HANDLE;
      CHECK(is_refusal(create(&f, &bad, &handle)));
      CHECK(handle == VK_NULL_HANDLE);
      check_message(&f);
      CHECK_EQ(f.ears.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
      CHECK_EQ(num_live, 0);
   }
   full_device_finish(&f);
}

/* The message names the instruction's location in the source. */
TEST(location)
{
   struct full_device f;
   VkShaderModule handle;
   load();
   full_device_init(&f);
   CHECK(is_refusal(create(&f, &bad, &handle)));
   CHECK(strstr(f.ears.text, "broken.comp") != NULL);
   CHECK(strstr(f.ears.text, "17") != NULL);
   CHECK(strstr(f.ears.text, "OpControlBarrier") != NULL);
   full_device_finish(&f);
}

TEST(modes)
{
   struct full_device f;
   VkShaderModule handle;
   load();
   full_device_init(&f);
   for (int i = 0; i < 2; i++) {
      setenv("VK_SWRAST_VALIDATE", "warn", 1);
      CHECK_EQ(create(&f, &bad, &handle), VK_SUCCESS);
      check_message(&f);
      icd_DestroyShaderModule(f.device, handle, &counting);

      setenv("VK_SWRAST_VALIDATE", "off", 1);
      CHECK_EQ(create(&f, &bad, &handle), VK_SUCCESS);
      CHECK_EQ(f.ears.count, 0);
      icd_DestroyShaderModule(f.device, handle, &counting);

      setenv("VK_SWRAST_VALIDATE", "strict", 1);
      CHECK(is_refusal(create(&f, &bad, &handle)));
      check_message(&f);
      setenv("VK_SWRAST_VALIDATE", "nonsense", 1);
      CHECK(is_refusal(create(&f, &bad, &handle)));
      unsetenv("VK_SWRAST_VALIDATE");
   }
   CHECK_EQ(num_live, 0);
   full_device_finish(&f);
}

/* Whoever listens hears it, once each, with the device as the object. */
TEST(two_messengers)
{
   struct full_device f;
   struct ears second = {0};
   VkDebugUtilsMessengerEXT messenger;
   VkShaderModule handle;
   load();
   full_device_init(&f);
   const VkDebugUtilsMessengerCreateInfoEXT info = ears_info(&second);
   fixture_require(icd_CreateDebugUtilsMessengerEXT(f.instance, &info, NULL, &messenger), "vkCreateDebugUtilsMessengerEXT");
   CHECK(is_refusal(create(&f, &bad, &handle)));
   CHECK_EQ(f.ears.count, 1);
   CHECK_EQ(second.count, 1);
   CHECK_STR(f.ears.text, second.text);
   icd_DestroyDebugUtilsMessengerEXT(f.instance, messenger, NULL);
   CHECK(is_refusal(create(&f, &bad, &handle)));
   CHECK_EQ(second.count, 1);
   full_device_finish(&f);
}

/* ---- inline modules ---- */

static VkPipelineLayout empty_layout(struct full_device *f)
{
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   VkPipelineLayout layout;
   fixture_require(icd_CreatePipelineLayout(f->device, &info, NULL, &layout), "vkCreatePipelineLayout");
   return layout;
}

TEST(inline_compute)
{
   struct full_device f;
   load();
   full_device_init(&f);
   const VkPipelineLayout layout = empty_layout(&f);
   const VkShaderModuleCreateInfo modules[2] = {module_info(good.words, good.num_words), module_info(bad.words, bad.num_words)};
   VkComputePipelineCreateInfo infos[3];
   for (int i = 0; i < 3; i++) {
      infos[i] = (VkComputePipelineCreateInfo){.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                               .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                         .pNext = &modules[i == 1],
                                                         .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                         .pName = "main"},
                                               .layout = layout};
   }
   VkPipeline pipelines[3] = {VK_NULL_HANDLE, VK_NULL_HANDLE, VK_NULL_HANDLE};
   atomic_store(&f.ears.count, 0);
   CHECK(is_refusal(icd_CreateComputePipelines(f.device, VK_NULL_HANDLE, 3, infos, &counting, pipelines)));
   CHECK(pipelines[0] != VK_NULL_HANDLE);
   CHECK(pipelines[1] == VK_NULL_HANDLE);
   CHECK(pipelines[2] != VK_NULL_HANDLE);
   check_message(&f);
   for (int i = 0; i < 3; i++)
      icd_DestroyPipeline(f.device, pipelines[i], &counting);
   CHECK_EQ(num_live, 0);

   /* The first failure may end the call. */
   infos[1].flags = VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;
   CHECK(is_refusal(icd_CreateComputePipelines(f.device, VK_NULL_HANDLE, 3, infos, &counting, pipelines)));
   CHECK(pipelines[1] == VK_NULL_HANDLE);
   CHECK(pipelines[2] == VK_NULL_HANDLE);
   for (int i = 0; i < 3; i++)
      icd_DestroyPipeline(f.device, pipelines[i], &counting);
   CHECK_EQ(num_live, 0);
   icd_DestroyPipelineLayout(f.device, layout, NULL);
   full_device_finish(&f);
}

/* Code that is none, inline as in a module of its own: the same answer and the same message. */
TEST(inline_damage)
{
   enum { MAX_WORDS = 4096, NUM_DAMAGES = 8 };
   static const char *const ids[NUM_DAMAGES] = {"pCode-08736", "pCode-08736", "pCode-08736", "codeSize-08735",
                                                "pCode-08736", "pCode-08736", "pCode-08737", "pCode-08737"};
   static uint32_t words[MAX_WORDS];
   struct full_device f;
   load();
   full_device_init(&f);
   const VkPipelineLayout layout = empty_layout(&f);
   for (uint32_t d = 0; d < NUM_DAMAGES; d++) {
      char reported[sizeof(f.ears.text)];
      VkShaderModule module = VK_NULL_HANDLE;
      VkPipeline pipeline = VK_NULL_HANDLE;
      CHECK(good.num_words < MAX_WORDS);
      memcpy(words, good.words, good.num_words * sizeof(*words));
      for (uint32_t i = 0; i < good.num_words && d == 4; i++)
         words[i] = __builtin_bswap32(words[i]);
      if (d >= 5)
         words[d - 5] = d == 5 ? 0x23230307 : d == 6 ? 0x10900 : 0x01010300; /* magic number, version */
      if (d == 2)
         words[5] |= 0xffff0000; /* the first instruction reaches past the end */
      if (d == 7)
         words[1] = good.words[1], words[3] = 1; /* bound */
      VkShaderModuleCreateInfo info = module_info(words, d == 0 ? 0 : d == 1 ? 4 : good.num_words);
      info.codeSize -= d == 3; /* bytes */
      const VkComputePipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                                   .pNext = &info,
                                                                   .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                                   .pName = "main"},
                                                         .layout = layout};
      atomic_store(&f.ears.count, 0);
      CHECK(is_refusal(icd_CreateShaderModule(f.device, &info, &counting, &module)));
      CHECK(f.ears.count && strstr(f.ears.text, ids[d]));
      if (!strstr(f.ears.text, ids[d]))
         fprintf(stderr, "damage %u, not %s: %s\n", d, ids[d], f.ears.text);
      memcpy(reported, f.ears.text, sizeof(reported));
      atomic_store(&f.ears.count, 0);
      CHECK(is_refusal(icd_CreateComputePipelines(f.device, VK_NULL_HANDLE, 1, &pipeline_info, &counting, &pipeline)));
      CHECK(f.ears.count && !strcmp(f.ears.text, reported));
      CHECK(module == VK_NULL_HANDLE && pipeline == VK_NULL_HANDLE);
      CHECK_EQ(num_live, 0);
   }
   icd_DestroyPipelineLayout(f.device, layout, NULL);
   full_device_finish(&f);
}

/* What is remembered of a device with all enabled is not what holds for one that has less, nor for a stricter mode. */
TEST(features_count)
{
   static const char text[] = "OpCapability Shader\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n"
                              "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 1 1 1\n"
                              "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%double = OpTypeFloat 64\n"
                              "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n";
   struct full_device f;
   VkDevice bare; /* no feature enabled */
   const float priority = 1.0f;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo bare_info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
   struct spvasm module;
   VkShaderModule handle;
   if (!spvasm_assemble(&module, text))
      exit(1);
   full_device_init(&f);
   fixture_require(icd_CreateDevice(f.physical_device, &bare_info, NULL, &bare), "vkCreateDevice");
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   for (int i = 0; i < 2; i++) {
      CHECK_EQ(create(&f, &module, &handle), VK_SUCCESS);
      CHECK_EQ(f.ears.count, 0);
      icd_DestroyShaderModule(f.device, handle, &counting);
      setenv("VK_SWRAST_VALIDATE", "strict", 1);
      CHECK(is_refusal(icd_CreateShaderModule(bare, &info, &counting, &handle)));
      CHECK_EQ(f.ears.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
      unsetenv("VK_SWRAST_VALIDATE");
      CHECK_EQ(icd_CreateShaderModule(bare, &info, &counting, &handle), VK_SUCCESS);
      CHECK_EQ(f.ears.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT);
      CHECK_EQ(f.ears.count, 2);
      icd_DestroyShaderModule(bare, handle, &counting);
   }
   CHECK_EQ(num_live, 0);
   spvasm_free(&module);
   icd_DestroyDevice(bare, NULL);
   full_device_finish(&f);
}

TEST_MAIN
