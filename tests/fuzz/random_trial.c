/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/random_trial.h"

#include "compiler/spirv/spirv.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/icd/validate/spvasm.h"

#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 2, INVOCATIONS = RANDOM_SPIRV_LOCAL_SIZE * GROUPS, OUTPUT_WORDS = INVOCATIONS * RANDOM_SPIRV_OUTPUTS };

const char *const random_trial_stages[] = {
#define X(NAME, name) #name,
   ABI_STAGES(X)
#undef X
};
static_assert((int)INVOCATIONS == (int)RANDOM_DRAW_TEXELS, "each invocation has a texel");

void random_trial_init(struct random_trial *trial)
{
   const VkPhysicalDeviceFeatures features = {.shaderFloat64 = VK_TRUE,
                                              .shaderInt64 = VK_TRUE,
                                              .shaderInt16 = VK_TRUE,
                                              .geometryShader = VK_TRUE,
                                              .tessellationShader = VK_TRUE,
                                              .shaderTessellationAndGeometryPointSize = VK_TRUE,
                                              .vertexPipelineStoresAndAtomics = VK_TRUE,
                                              .fragmentStoresAndAtomics = VK_TRUE};
   VkPhysicalDeviceShaderFloat16Int8Features narrow = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES, .shaderFloat16 = VK_TRUE, .shaderInt8 = VK_TRUE};
   const VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT, .pNext = &narrow, .taskShader = VK_TRUE, .meshShader = VK_TRUE};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[2] = {type, type};
   client_init(&trial->client, &(struct client_options){.features = &features,
                                                 .next = &meshes,
                                                 .device_extension = VK_EXT_MESH_SHADER_EXTENSION_NAME,
                                                 .api_version = VK_API_VERSION_1_2});
   trial->inputs = client_buffer_create(&trial->client, RANDOM_SPIRV_INPUTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   trial->outputs = client_buffer_create(&trial->client, OUTPUT_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   trial->set = client_set_create(&trial->client, 2, types);
   client_set_buffer(&trial->client, &trial->set, 0, type, &trial->inputs);
   client_set_buffer(&trial->client, &trial->set, 1, type, &trial->outputs);
   trial->layout = client_pipeline_layout(&trial->client, &trial->set, 0);
   random_draw_init(&trial->draw, &trial->client, &trial->set, trial->layout);
   for (uint32_t i = 0; i < RANDOM_SPIRV_INPUTS; i++)
      ((uint32_t *)trial->inputs.map)[i] = i % 3 ? (i * 2654435761u) >> (i % 29) : i % 7;
}

void random_trial_finish(struct random_trial *trial)
{
   random_draw_finish(&trial->draw);
   vk.DestroyPipelineLayout(trial->client.device, trial->layout, NULL);
   client_set_destroy(&trial->client, &trial->set);
   client_buffer_destroy(&trial->client, &trial->inputs);
   client_buffer_destroy(&trial->client, &trial->outputs);
   client_finish(&trial->client);
}

/* True: all invocations came to their end. */
static bool interpret(const struct random_trial *trial, const struct spvasm *module, uint32_t *words, const char **error)
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
         interp.buffers[0] = (struct ir_interp_buffer){trial->inputs.map, RANDOM_SPIRV_INPUTS * 4};
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

static void run(struct random_trial *trial, enum abi_stage stage, const struct spvasm *module)
{
   struct client *client = &trial->client;
   memset(trial->outputs.map, 0, OUTPUT_WORDS * 4);
   VkShaderModule shader = client_shader(client, module->words, module->num_words * 4);
   if (stage == ABI_STAGE_COMPUTE) {
      VkPipeline pipeline = client_compute_pipeline(client, shader, trial->layout, VK_NULL_HANDLE, NULL);
      client_dispatch(client, pipeline, trial->layout, &trial->set, GROUPS);
      vk.DestroyPipeline(client->device, pipeline, NULL);
   } else {
      random_draw_run(&trial->draw, stage, shader);
   }
   vk.DestroyShaderModule(client->device, shader, NULL);
}

/* True, or a line about the first word that is another one. */
static bool compare(const struct random_trial *trial, enum abi_stage stage, const struct random_choices *choices, const uint32_t *expected)
{
   const uint32_t *got = trial->outputs.map;
   for (uint32_t i = 0; i < OUTPUT_WORDS; i++) {
      const uint32_t invocation = i / RANDOM_SPIRV_OUTPUTS, word = i % RANDOM_SPIRV_OUTPUTS;
      const bool has_output = stage != ABI_STAGE_COMPUTE && random_draw_has_words(stage) && !choices->is_untyped;
      const uint32_t output = has_output ? random_draw_word(&trial->draw, invocation, word) : expected[i];
      if (got[i] == expected[i] && output == expected[i])
         continue;
      printf("seed %llu, %s: invocation %u, word %u is 0x%x in memory, 0x%x in its outputs, instead of 0x%x\n", (unsigned long long)choices->seed,
             random_trial_stages[stage], invocation, word, got[i], output, expected[i]);
      return false;
   }
   return true;
}

/* Makes the module. False, with a line, if it does not assemble. */
static bool make(enum abi_stage stage, const struct random_choices *choices, bool wants_text, struct spvasm *module)
{
   char *text = random_spirv(stage, choices);
   if (!text)
      client_die("out of memory");
   if (wants_text)
      puts(text);
   const bool is_good = spvasm_assemble(module, text);
   if (!is_good)
      printf("seed %llu, %s: does not assemble\n", (unsigned long long)choices->seed, random_trial_stages[stage]);
   free(text);
   return is_good;
}

uint32_t random_trial_run(struct random_trial *trial, const struct random_choices *choices, uint32_t stages, bool wants_text)
{
   static uint32_t expected[OUTPUT_WORDS];
   struct spvasm module = {0};
   const char *error = NULL;
   uint32_t failed = 0;
   memset(expected, 0, sizeof(expected));
   if (!make(ABI_STAGE_COMPUTE, choices, false, &module) || !interpret(trial, &module, expected, &error)) {
      printf("seed %llu: %s\n", (unsigned long long)choices->seed, error ? error : "no module");
      failed = stages;
   }
   spvasm_free(&module);
   for (uint32_t stage = 0; stage < RANDOM_TRIAL_STAGES; stage++) {
      if (!(stages >> stage & 1) || failed >> stage & 1)
         continue;
      module = (struct spvasm){0};
      bool is_good = make((enum abi_stage)stage, choices, wants_text, &module);
      if (is_good) {
         run(trial, (enum abi_stage)stage, &module);
         is_good = compare(trial, (enum abi_stage)stage, choices, expected);
      }
      failed |= (uint32_t)!is_good << stage;
      spvasm_free(&module);
   }
   return failed;
}
