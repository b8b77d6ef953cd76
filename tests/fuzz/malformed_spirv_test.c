/* SPDX-License-Identifier: MIT
 * Malformed SPIR-V: words of modules are changed at random, with fixed seeds. With validation a module is taken or refused; without it, so
 * that the compiler meets what the validator would have kept away, pipelines are made or refused, of shader modules or of code given inline.
 * No crash, and no case takes long.
 * Usage: malformed_spirv_test [--case NAME:SEED | --seconds N | --keep FILE] FILE...
 * FILE: of the kinds that spvasm.h names; each as it is and with a few seeds. --seconds goes on with further seeds, --case runs one case
 * and --keep writes the words of each case to a file before it is tried. */
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"

#include <signal.h>
#include <spirv/unified1/spirv.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SEEDS = 12, MAX_CASE_S = 20, MAX_WORDS = 1 << 17, NUM_BINDINGS = 6, NUM_SETS = 2 };

struct module {
   const char *name; /* of the file, without folders */
   const uint32_t *words;
   size_t num_words;
   VkShaderStageFlagBits stage; /* 0: of one that makes no pipeline here */
};

/* ---- what the signal handler says: the case to repeat ---- */

static char case_name[128];

static void tell_case(int signal)
{
   const char *text = signal == SIGPROF ? "takes too long: " : "crashed: ";
   if (write(STDERR_FILENO, text, strlen(text)) < 0 || write(STDERR_FILENO, case_name, strlen(case_name)) < 0 ||
       write(STDERR_FILENO, "\n", 1) < 0)
      _exit(2);
   _exit(1);
}

static void catch_signals(void)
{
   signal(SIGPROF, tell_case);
   signal(SIGABRT, tell_case);
#ifndef __SANITIZE_ADDRESS__ /* it says more by itself */
   signal(SIGSEGV, tell_case);
   signal(SIGBUS, tell_case);
   signal(SIGFPE, tell_case);
   signal(SIGILL, tell_case);
#endif
}

/* ---- modules ---- */

/* The stage of the first entry point that is called "main". */
static VkShaderStageFlagBits find_stage(const uint32_t *words, size_t num_words)
{
   for (size_t at = 5; at + 3 < num_words && words[at] >> 16; at += words[at] >> 16) {
      if ((words[at] & 0xffff) != SpvOpEntryPoint || words[at + 3] != 0x6e69616d)
         continue;
      switch (words[at + 1]) {
      case SpvExecutionModelVertex:
         return VK_SHADER_STAGE_VERTEX_BIT;
      case SpvExecutionModelFragment:
         return VK_SHADER_STAGE_FRAGMENT_BIT;
      case SpvExecutionModelGLCompute:
         return VK_SHADER_STAGE_COMPUTE_BIT;
      default:
         return 0;
      }
   }
   return 0;
}

/* ---- mutation ---- */

static uint64_t random_state;

static uint32_t random_word(void)
{
   random_state += UINT64_C(0x9e3779b97f4a7c15);
   uint64_t z = random_state;
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)(z >> 32);
}

static uint32_t pick(size_t count)
{
   return random_word() % (uint32_t)count;
}

/* Starts of all instructions, 0 where a word count is wrong. */
static size_t find_instructions(const uint32_t *words, size_t num_words, size_t *starts)
{
   size_t count = 0;
   for (size_t at = 5; at < num_words; at += words[at] >> 16) {
      if (!(words[at] >> 16))
         break;
      starts[count++] = at;
   }
   return count;
}

static void change_word(uint32_t *words, size_t num_words)
{
   static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, UINT32_MAX, 0x10000, 0xffff};
   uint32_t *word = &words[pick(12) ? 5 + pick(num_words - 5) : pick(5)];
   switch (pick(6)) {
   case 0:
      *word = random_word();
      break;
   case 1:
      *word = edges[pick(UTIL_ARRAY_SIZE(edges))];
      break;
   case 2:
      *word = words[pick(num_words)];
      break;
   case 3:
      *word ^= 1u << pick(32);
      break;
   case 4:
      *word = pick(words[3] < 100000 ? words[3] + 1 : 100); /* another id */
      break;
   default:
      *word += (uint32_t)(int32_t)(pick(5) - 2);
   }
}

/* Removes, doubles or swaps whole instructions: what is left is well-formed, but means something else. */
static size_t change_instructions(uint32_t *words, size_t num_words, size_t *starts)
{
   const size_t count = find_instructions(words, num_words, starts);
   if (count < 2)
      return num_words;
   const size_t a = pick(count - 1), at = starts[a], size = starts[a + 1] - at;
   const size_t b = pick(count - 1), to = starts[b];
   uint32_t copy[64];
   if (size > UTIL_ARRAY_SIZE(copy))
      return num_words;
   memcpy(copy, words + at, size * 4);
   switch (pick(3)) {
   case 0:
      memmove(words + at, words + at + size, (num_words - at - size) * 4);
      return num_words - size;
   case 1: /* there is room: see mutate() */
      memmove(words + to + size, words + to, (num_words - to) * 4);
      memcpy(words + to, copy, size * 4);
      return num_words + size;
   default: /* only the opcode */
      words[at] = (words[at] & 0xffff0000) | (words[to] & 0xffff);
      return num_words;
   }
}

/* A changed copy in memory of its exact size, so that a sanitizer sees what is read beyond; to be freed. */
static uint32_t *mutate(const struct module *module, size_t *num_words)
{
   static uint32_t words[2 * MAX_WORDS];
   static size_t starts[2 * MAX_WORDS];
   size_t count = module->num_words;
   memcpy(words, module->words, count * 4);
   for (uint32_t n = 1 + pick(pick(3) ? 2 : 6); n > 0; n--) {
      if (pick(3))
         change_word(words, count);
      else
         count = change_instructions(words, count, starts);
   }
   if (pick(20) == 0)
      count = pick(count) + 1;
   uint32_t *copy = malloc(count * 4);
   if (!copy)
      exit(1);
   *num_words = count;
   return memcpy(copy, words, count * 4);
}

/* ---- the API ---- */

struct context {
   struct full_device f;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkRenderPass pass;
};

static void init(struct context *c)
{
   /* As the shaders of these tests have them, roughly: what does not fit is one more thing to survive. */
   static const VkDescriptorType types[NUM_BINDINGS] = {
      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,         VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayoutBinding bindings[NUM_BINDINGS];
   for (uint32_t i = 0; i < NUM_BINDINGS; i++)
      bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1 + i % 2, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, NUM_BINDINGS, bindings};
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   full_device_init(&c->f);
   fixture_require(icd_CreateDescriptorSetLayout(c->f.device, &set_layout, NULL, &c->set_layout), "vkCreateDescriptorSetLayout");
   const VkDescriptorSetLayout sets[NUM_SETS] = {c->set_layout, c->set_layout};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 64};
   const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, NUM_SETS, sets, 1, &range};
   fixture_require(icd_CreatePipelineLayout(c->f.device, &layout, NULL, &c->layout), "vkCreatePipelineLayout");
   fixture_require(icd_CreateRenderPass(c->f.device, &pass, NULL, &c->pass), "vkCreateRenderPass");
}

static void finish(struct context *c)
{
   icd_DestroyRenderPass(c->f.device, c->pass, NULL);
   icd_DestroyPipelineLayout(c->f.device, c->layout, NULL);
   icd_DestroyDescriptorSetLayout(c->f.device, c->set_layout, NULL);
   full_device_finish(&c->f);
}

/* Of `handle`, or of `code` where that is VK_NULL_HANDLE. */
static VkResult make_pipeline(struct context *c, const struct module *module, VkShaderModule handle,
                              const VkShaderModuleCreateInfo *code, VkPipeline *pipeline)
{
   const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                  .pNext = handle ? NULL : code,
                                                  .stage = module->stage,
                                                  .module = handle,
                                                  .pName = "main"};
   if (module->stage == VK_SHADER_STAGE_COMPUTE_BIT) {
      const VkComputePipelineCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stage, .layout = c->layout};
      return icd_CreateComputePipelines(c->f.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   }
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkViewport viewport = {0, 0, 16, 16, 0, 1};
   const VkRect2D scissor = {{0, 0}, {16, 16}};
   const VkPipelineViewportStateCreateInfo viewports = {VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 1,
      .pStages = &stage,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pColorBlendState = &blend,
      .layout = c->layout,
      .renderPass = c->pass,
   };
   return icd_CreateGraphicsPipelines(c->f.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

static bool is_right_code(VkResult result)
{
   return result == VK_SUCCESS || is_refusal(result) || result == VK_ERROR_OUT_OF_HOST_MEMORY;
}

static const char *keep_path; /* or NULL */

static void keep(const uint32_t *words, size_t num_words)
{
   FILE *file = keep_path ? fopen(keep_path, "wb") : NULL;
   if (keep_path && (!file || fwrite(words, sizeof(uint32_t), num_words, file) != num_words))
      exit(1);
   if (file)
      fclose(file);
}

struct counts {
   uint32_t modules, pipelines, cases;
};

/* With validation a shader module, without it a pipeline too; one that passes makes a pipeline in any case. */
static void try_words(struct context *c, const struct module *module, const uint32_t *words, size_t num_words, struct counts *counts)
{
   const VkShaderModuleCreateInfo info = module_info(words, num_words);
   test_limit_time(MAX_CASE_S);
   for (int is_validated = 1; is_validated >= 0; is_validated--) {
      VkShaderModule handle = VK_NULL_HANDLE;
      VkPipeline pipeline = VK_NULL_HANDLE;
      setenv("VK_SWRAST_VALIDATE", is_validated ? "strict" : "off", 1);
      VkResult result = icd_CreateShaderModule(c->f.device, &info, NULL, &handle);
      CHECK(is_right_code(result));
      CHECK((result == VK_SUCCESS) == (handle != VK_NULL_HANDLE));
      counts->modules += is_validated && result == VK_SUCCESS;
      if (result == VK_SUCCESS && module->stage) {
         const bool is_inline = counts->cases & 1;
         result = make_pipeline(c, module, is_inline ? VK_NULL_HANDLE : handle, &info, &pipeline);
         CHECK(is_right_code(result));
         CHECK((result == VK_SUCCESS) == (pipeline != VK_NULL_HANDLE));
         counts->pipelines += !is_validated && result == VK_SUCCESS;
         icd_DestroyPipeline(c->f.device, pipeline, NULL);
      }
      icd_DestroyShaderModule(c->f.device, handle, NULL);
   }
   counts->cases++;
   test_limit_time(0);
}

static void run_case(struct context *c, const struct module *module, uint32_t seed, struct counts *counts)
{
   size_t num_words;
   snprintf(case_name, sizeof(case_name), "%.100s:%u", module->name, seed);
   random_state = seed;
   uint32_t *words = mutate(module, &num_words);
   keep(words, num_words);
   try_words(c, module, words, num_words, counts);
   free(words);
}

static const char *wanted; /* NAME:SEED, or NULL */
static time_t seconds;
static int num_files;
static char **files;

/* Runs seeds from `first_seed` up to before `end_seed` of a file's module; the module as it is first. */
static void run_file(struct context *c, const char *path, uint32_t first_seed, uint32_t end_seed, struct counts *counts)
{
   const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
   const size_t length = strlen(name);
   struct spvasm loaded;
   if (wanted && (strncmp(wanted, name, length) != 0 || wanted[length] != ':'))
      return;
   if (!spvasm_load(&loaded, path) || loaded.num_words > MAX_WORDS) {
      CHECK(!"a file is no module");
      return;
   }
   const struct module module = {name, loaded.words, loaded.num_words, find_stage(loaded.words, loaded.num_words)};
   snprintf(case_name, sizeof(case_name), "%.100s", name);
   if (first_seed == 0)
      try_words(c, &module, module.words, module.num_words, counts);
   if (wanted)
      run_case(c, &module, (uint32_t)strtoul(wanted + length + 1, NULL, 10), counts);
   for (uint32_t seed = first_seed; !wanted && seed < end_seed; seed++)
      run_case(c, &module, seed, counts);
   spvasm_free(&loaded);
}

TEST(malformed_spirv)
{
   struct context c;
   struct counts counts = {0};
   const time_t end = time(NULL) + seconds;
   uint32_t seed = 0, step = FIRST_SEEDS;
   init(&c);
   do {
      for (int i = 0; i < num_files && (seed == 0 || time(NULL) < end); i++)
         run_file(&c, files[i], seed, seed + step, &counts);
      seed += step;
      step = 100;
   } while (time(NULL) < end);
   printf("of %u modules %u are valid, %u make a pipeline without validation\n", counts.cases, counts.modules, counts.pipelines);
   /* Most must be broken, and some must get far. */
   CHECK(wanted || num_files < 100 || (counts.modules < counts.cases * 3 / 4 && counts.pipelines > counts.cases / 100));
   finish(&c);
}

int main(int argc, char **argv)
{
   int first = 1;
   for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
      const char *value = argv[first + 1];
      if (!strcmp(argv[first], "--case"))
         wanted = value;
      else if (!strcmp(argv[first], "--keep"))
         keep_path = value;
      else if (!strcmp(argv[first], "--seconds"))
         seconds = strtol(value, NULL, 10);
   }
   num_files = argc - first;
   files = argv + first;
   catch_signals();
   return test_run_all(1, argv);
}
