/* SPDX-License-Identifier: MIT
 * Random compute shaders (random_spirv.h) in the driver do what the scalar interpreter does with the IR that the front end makes of them:
 * all of the optimizer, the lowering, the code generator and the runtime stand between the two.
 * Usage: random_shader_test [--seed N | --first N --count N | --seconds N]   --seed prints the shader. */
#include "compiler/spirv/spirv.h"
#include "tests/client/client.h"
#include "tests/compiler/ir/ir_interp.h"
#include "tests/fuzz/random_spirv.h"
#include "tests/icd/validate/spvasm.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS = 2, INVOCATIONS = RANDOM_SPIRV_LOCAL_SIZE * GROUPS, OUTPUT_WORDS = INVOCATIONS * RANDOM_SPIRV_OUTPUTS };

static struct client client;
static struct client_buffer inputs, outputs;
static struct client_set set;
static VkPipelineLayout layout;

static void init(void)
{
   const VkPhysicalDeviceFeatures features = {.shaderFloat64 = VK_TRUE, .shaderInt64 = VK_TRUE};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[2] = {type, type};
   client_init(&client, &(struct client_options){.features = &features, .api_version = VK_API_VERSION_1_2});
   inputs = client_buffer_create(&client, RANDOM_SPIRV_INPUTS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   outputs = client_buffer_create(&client, OUTPUT_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   set = client_set_create(&client, 2, types);
   client_set_buffer(&client, &set, 0, type, &inputs);
   client_set_buffer(&client, &set, 1, type, &outputs);
   layout = client_pipeline_layout(&client, &set, 0);
   for (uint32_t i = 0; i < RANDOM_SPIRV_INPUTS; i++)
      ((uint32_t *)inputs.map)[i] = i % 3 ? (i * 2654435761u) >> (i % 29) : i % 7;
}

static void finish(void)
{
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

static void run(const struct spvasm *module)
{
   memset(outputs.map, 0, OUTPUT_WORDS * 4);
   VkShaderModule shader = client_shader(&client, module->words, module->num_words * 4);
   VkPipeline pipeline = client_compute_pipeline(&client, shader, layout, VK_NULL_HANDLE, NULL);
   client_dispatch(&client, pipeline, layout, &set, GROUPS);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyShaderModule(client.device, shader, NULL);
}

static bool check(uint64_t seed, bool wants_text)
{
   static uint32_t expected[OUTPUT_WORDS];
   struct spvasm module = {0};
   const char *error = NULL;
#ifdef VK_KHR_shader_untyped_pointers
   char *text = random_spirv(seed, seed % 3 == 2);
#else
   char *text = random_spirv(seed, false);
#endif
   if (!text)
      client_die("out of memory");
   if (wants_text)
      puts(text);
   memset(expected, 0, sizeof(expected));
   bool is_good = spvasm_assemble(&module, text);
   if (!is_good) {
      printf("seed %llu: does not assemble\n", (unsigned long long)seed);
   } else if (!interpret(&module, expected, &error)) {
      printf("seed %llu: %s\n", (unsigned long long)seed, error);
      is_good = false;
   } else {
      run(&module);
      const uint32_t *got = outputs.map;
      for (uint32_t i = 0; i < OUTPUT_WORDS && is_good; i++) {
         is_good = got[i] == expected[i];
         if (!is_good)
            printf("seed %llu: invocation %u, word %u is 0x%x instead of 0x%x\n", (unsigned long long)seed, i / RANDOM_SPIRV_OUTPUTS,
                   i % RANDOM_SPIRV_OUTPUTS, got[i], expected[i]);
      }
   }
   spvasm_free(&module);
   free(text);
   return is_good;
}

int main(int argc, char **argv)
{
   uint64_t first = 1, count = 150;
   double seconds = 0;
   bool wants_text = false;
   for (int i = 1; i + 1 < argc; i += 2) {
      const uint64_t number = strtoull(argv[i + 1], NULL, 10);
      if (!strcmp(argv[i], "--seed")) {
         first = number;
         count = 1;
         wants_text = true;
      } else if (!strcmp(argv[i], "--first")) {
         first = number;
      } else if (!strcmp(argv[i], "--count")) {
         count = number;
      } else if (!strcmp(argv[i], "--seconds")) {
         seconds = (double)number;
      } else {
         client_die("usage: random_shader_test [--seed N | --first N --count N | --seconds N]");
      }
   }
   uint64_t passed = 0, failed = 0;
   init();
   const double end = client_now_s() + seconds;
   for (uint64_t i = 0; seconds > 0 ? client_now_s() < end : i < count; i++) {
      const bool is_good = check(first + i, wants_text);
      passed += is_good;
      failed += !is_good;
   }
   finish();
   printf("%llu passed, %llu failed\n", (unsigned long long)passed, (unsigned long long)failed);
   return failed != 0;
}
