/* SPDX-License-Identifier: MIT
 * Random shaders (random_spirv.h) in the driver do what the scalar interpreter does with the IR that the front end makes of the compute shader of the
 * same seed: all of the optimizer, the lowering, the code generator and the runtime stand between the two, and what is of a stage: how its invocations
 * become lanes, its inputs, its outputs and how they come to texels.
 * Usage: random_shader_test [--stage NAME] [--seed N | --first N --count N | --seconds N]
 *    --stage: one of ABI_STAGES up to compute, which is the default, or graphics, all others.   --seed prints the shader. */
#include "compiler/spirv/spirv.h"
#include "tests/client/client.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/fuzz/random_draw.h"
#include "tests/fuzz/random_spirv.h"
#include "tests/icd/validate/spvasm.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 2, INVOCATIONS = RANDOM_SPIRV_LOCAL_SIZE * GROUPS, OUTPUT_WORDS = INVOCATIONS * RANDOM_SPIRV_OUTPUTS };

static struct client client;
static struct client_buffer inputs, outputs;
static struct client_set set;
static VkPipelineLayout layout;
static struct random_draw draw;

static const char *const stage_names[] = {
#define X(NAME, name) #name,
   ABI_STAGES(X)
#undef X
};
enum { NUM_STAGES = ABI_STAGE_COMPUTE + 1 };
static_assert((int)INVOCATIONS == (int)RANDOM_DRAW_TEXELS, "each invocation has a texel");

static void init(void)
{
   const VkPhysicalDeviceFeatures features = {.shaderFloat64 = VK_TRUE,
                                              .shaderInt64 = VK_TRUE,
                                              .geometryShader = VK_TRUE,
                                              .tessellationShader = VK_TRUE,
                                              .shaderTessellationAndGeometryPointSize = VK_TRUE,
                                              .vertexPipelineStoresAndAtomics = VK_TRUE,
                                              .fragmentStoresAndAtomics = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[2] = {type, type};
   client_init(&client, &(struct client_options){.features = &features,
                                                 .next = &meshes,
                                                 .device_extension = VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_2});
   inputs = client_buffer_create(&client, RANDOM_SPIRV_INPUTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   outputs = client_buffer_create(&client, OUTPUT_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   set = client_set_create(&client, 2, types);
   client_set_buffer(&client, &set, 0, type, &inputs);
   client_set_buffer(&client, &set, 1, type, &outputs);
   layout = client_pipeline_layout(&client, &set, 0);
   random_draw_init(&draw, &client, &set, layout);
   for (uint32_t i = 0; i < RANDOM_SPIRV_INPUTS; i++)
      ((uint32_t *)inputs.map)[i] = i % 3 ? (i * 2654435761u) >> (i % 29) : i % 7;
}

static void finish(void)
{
   random_draw_finish(&draw);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_buffer_destroy(&client, &inputs);
   client_buffer_destroy(&client, &outputs);
   client_finish(&client);
}

/* True: all invocations came to their end. */
static bool interpret(const struct spvasm *module, uint32_t *words, const char **error)
{
   const struct comp_shader_desc desc = {.words = module->words, .num_words = module->num_words, .stage = ABI_STAGE_COMPUTE,
                                         .entry_point = "main", .target = {.lanes = 8, .level = 3}};
   struct util_arena arena;
   jmp_buf oom;
   volatile bool is_good = false;
   util_arena_init(&arena, 0);
   arena.on_oom = &oom;
   *error = "out of memory";
   if (!setjmp(oom)) {
      struct ir_shader *shader = spirv_to_ir(&arena, &desc, error);
      is_good = shader != NULL;
      for (uint32_t i = 0; i < INVOCATIONS && is_good; i++) {
         const uint32_t local = i % RANDOM_SPIRV_LOCAL_SIZE, group = i / RANDOM_SPIRV_LOCAL_SIZE;
         struct ir_interpreter interp = {.max_steps = 1000000};
         interp.buffers[0] = (struct ir_interp_buffer){inputs.map, RANDOM_SPIRV_INPUTS * 4};
         interp.buffers[1] = (struct ir_interp_buffer){(uint8_t *)words, OUTPUT_WORDS * 4};
         interp.sysvals[IR_SYSVAL_LOCAL_ID][0] = interp.sysvals[IR_SYSVAL_LOCAL_INDEX][0] = local;
         interp.sysvals[IR_SYSVAL_WORKGROUP_ID][0] = group;
         interp.sysvals[IR_SYSVAL_NUM_WORKGROUPS][0] = GROUPS;
         is_good = ir_interp_run(&interp, shader);
         *error = interp.error;
      }
   }
   util_arena_finish(&arena);
   return is_good;
}

static void run(enum abi_stage stage, const struct spvasm *module)
{
   memset(outputs.map, 0, OUTPUT_WORDS * 4);
   VkShaderModule shader = client_shader(&client, module->words, module->num_words * 4);
   if (stage == ABI_STAGE_COMPUTE) {
      VkPipeline pipeline = client_compute_pipeline(&client, shader, layout, VK_NULL_HANDLE, NULL);
      client_dispatch(&client, pipeline, layout, &set, GROUPS);
      vk.DestroyPipeline(client.device, pipeline, NULL);
   } else {
      random_draw_run(&draw, stage, shader);
   }
   vk.DestroyShaderModule(client.device, shader, NULL);
}

/* True, or a line about the first word that is another one. */
static bool compare(enum abi_stage stage, uint64_t seed, bool is_untyped, const uint32_t *expected)
{
   const uint32_t *got = outputs.map;
   for (uint32_t i = 0; i < OUTPUT_WORDS; i++) {
      const uint32_t invocation = i / RANDOM_SPIRV_OUTPUTS, word = i % RANDOM_SPIRV_OUTPUTS;
      const bool has_output = stage != ABI_STAGE_COMPUTE && random_draw_has_words(stage) && !is_untyped;
      const uint32_t output = has_output ? random_draw_word(&draw, invocation, word) : expected[i];
      if (got[i] == expected[i] && output == expected[i])
         continue;
      printf("seed %llu, %s: invocation %u, word %u is 0x%x in memory, 0x%x in its outputs, instead of 0x%x\n", (unsigned long long)seed,
             stage_names[stage], invocation, word, got[i], output, expected[i]);
      return false;
   }
   return true;
}

/* Makes the module of a seed. False, with a line, if it does not assemble. */
static bool make(enum abi_stage stage, uint64_t seed, bool is_untyped, bool wants_text, struct spvasm *module)
{
   char *text = random_spirv(stage, seed, is_untyped);
   if (!text)
      client_die("out of memory");
   if (wants_text)
      puts(text);
   const bool is_good = spvasm_assemble(module, text);
   if (!is_good)
      printf("seed %llu, %s: does not assemble\n", (unsigned long long)seed, stage_names[stage]);
   free(text);
   return is_good;
}

/* stages: bits 1 << stage. Returns how many of them differ. */
static uint32_t check(uint64_t seed, uint32_t stages, bool wants_text)
{
   static uint32_t expected[OUTPUT_WORDS];
   struct spvasm module = {0};
   const char *error = NULL;
#ifdef VK_KHR_shader_untyped_pointers
   const bool is_untyped = seed % 3 == 2;
#else
   const bool is_untyped = false;
#endif
   uint32_t failed = 0;
   memset(expected, 0, sizeof(expected));
   if (!make(ABI_STAGE_COMPUTE, seed, is_untyped, false, &module) || !interpret(&module, expected, &error)) {
      printf("seed %llu: %s\n", (unsigned long long)seed, error ? error : "no module");
      failed = stages;
   }
   spvasm_free(&module);
   for (uint32_t stage = 0; stage < NUM_STAGES; stage++) {
      if (!(stages >> stage & 1) || failed >> stage & 1)
         continue;
      module = (struct spvasm){0};
      bool is_good = make((enum abi_stage)stage, seed, is_untyped, wants_text, &module);
      if (is_good) {
         run((enum abi_stage)stage, &module);
         is_good = compare((enum abi_stage)stage, seed, is_untyped, expected);
      }
      failed |= (uint32_t)!is_good << stage;
      spvasm_free(&module);
   }
   return (uint32_t)__builtin_popcount(failed);
}

/* Bits 1 << stage; 0: there is no such stage here. */
static uint32_t stages_of(const char *name)
{
   if (!strcmp(name, "graphics"))
      return (1u << NUM_STAGES) - 1 - (1u << ABI_STAGE_COMPUTE);
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      if (!strcmp(name, stage_names[i]))
         return 1u << i;
   }
   return 0;
}

int main(int argc, char **argv)
{
   uint64_t first = 1, count = 150;
   double seconds = 0;
   bool wants_text = false;
   uint32_t stages = 1u << ABI_STAGE_COMPUTE;
   for (int i = 1; i + 1 < argc; i += 2) {
      const uint64_t number = strtoull(argv[i + 1], NULL, 10);
      if (!strcmp(argv[i], "--seed")) {
         first = number;
         count = 1;
         wants_text = true;
      } else if (!strcmp(argv[i], "--stage") && stages_of(argv[i + 1])) {
         stages = stages_of(argv[i + 1]);
      } else if (!strcmp(argv[i], "--first")) {
         first = number;
      } else if (!strcmp(argv[i], "--count")) {
         count = number;
      } else if (!strcmp(argv[i], "--seconds")) {
         seconds = (double)number;
      } else {
         client_die("usage: random_shader_test [--stage NAME] [--seed N | --first N --count N | --seconds N]");
      }
   }
   uint64_t passed = 0, failed = 0;
   init();
   const double end = client_now_s() + seconds;
   for (uint64_t i = 0; seconds > 0 ? client_now_s() < end : i < count; i++) {
      const uint32_t num_failed = check(first + i, stages, wants_text);
      passed += (uint32_t)__builtin_popcount(stages) - num_failed;
      failed += num_failed;
   }
   finish();
   printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
   return failed != 0;
}
