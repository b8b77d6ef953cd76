/* SPDX-License-Identifier: MIT
 * The rules that only a pipeline decides: the modules of such rules are good by themselves; a pipeline of the one that breaks a rule is refused
 * by its name, through shader modules, inline code and linked libraries; and sizes that only specialization gives.
 * Usage: pipelines_test FOLDER   with RULE.{bad,ok}[.WORD].spvasm, whose comment "pipeline:" has the stages */
#include "icd/device/device.h"
#include "icd/validate/report.h"
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/env.h"
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

#include <dirent.h>

static const char *folder;

struct pipelines {
   struct full_device f;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkSampleCountFlagBits samples; /* 0: one */
   float min_shading;
   VkRenderPass regions; /* a subpass of fragment regions */
   VkRenderPass pass;    /* that pipelines are made for: regions, or none */
};

static void init(struct pipelines *p)
{
   static const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {2, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {4, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo set = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = UTIL_ARRAY_SIZE(bindings), .pBindings = bindings};
   full_device_init(&p->f);
   fixture_require(icd_CreateDescriptorSetLayout(p->f.device, &set, NULL, &p->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &p->set_layout};
   fixture_require(icd_CreatePipelineLayout(p->f.device, &layout, NULL, &p->layout), "vkCreatePipelineLayout");
   const VkSubpassDescription subpass = {.flags = VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
   fixture_require(icd_CreateRenderPass(p->f.device, &pass, NULL, &p->regions), "vkCreateRenderPass");
}

static void finish(struct pipelines *p)
{
   icd_DestroyRenderPass(p->f.device, p->regions, NULL);
   icd_DestroyPipelineLayout(p->f.device, p->layout, NULL);
   icd_DestroyDescriptorSetLayout(p->f.device, p->set_layout, NULL);
   full_device_finish(&p->f);
}

static VkPipelineShaderStageCreateInfo stage_info(VkShaderStageFlagBits stage, VkShaderModule module, const VkShaderModuleCreateInfo *code,
                                                  const VkSpecializationInfo *specialization)
{
   return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .pNext = module ? NULL : code,
                                            .stage = stage,
                                            .module = module,
                                            .pName = "main",
                                            .pSpecializationInfo = specialization};
}

/* How the stages of a pipeline come together. */
enum creation {
   MODULES,
   INLINE,
   LIBRARIES,     /* a library of each, linked */
   LIBRARY,       /* the vertex stage in a library, linked with a fragment stage */
   NESTED,        /* a library of libraries, linked */
   NUM_CREATIONS
};

/* A library of one stage. */
static VkResult make_library(struct pipelines *p, const VkPipelineShaderStageCreateInfo *stage, VkPipeline *library)
{
   const struct graphics g = {.layout = p->layout, .num_stages = 1, .stages = stage, .parts = graphics_parts(stage->stage),
                              .samples = p->samples, .min_shading = p->min_shading, .pass = p->pass};
   return graphics_create(p->f.device, &g, library);
}

static VkResult make_graphics(struct pipelines *p, VkShaderModule module, const VkShaderModuleCreateInfo *code, enum creation creation,
                              VkPipeline *pipeline)
{
   const VkPipelineShaderStageCreateInfo stages[2] = {stage_info(VK_SHADER_STAGE_VERTEX_BIT, module, code, NULL),
                                                      stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, module, code, NULL)};
   VkPipeline libraries[3] = {VK_NULL_HANDLE};
   struct graphics g = {.layout = p->layout, .libraries = libraries, .samples = p->samples, .min_shading = p->min_shading, .pass = p->pass};
   VkResult result = VK_SUCCESS;
   if (creation == MODULES || creation == INLINE)
      return graphics_of_stages(p->f.device, &g, stages, false, pipeline);
   for (uint32_t i = 0; i < (creation == LIBRARY ? 1u : 2u) && result == VK_SUCCESS; i++)
      result = make_library(p, &stages[i], &libraries[i]);
   if (result != VK_SUCCESS) { /* of one stage and its own state no other part decides */
      CHECK((p->min_shading > 0 || p->pass) && libraries[0]);
      icd_DestroyPipeline(p->f.device, libraries[0], NULL);
      return result;
   }
   if (creation == LIBRARY) {
      g.num_stages = g.num_libraries = 1;
      g.stages = &stages[1];
      g.own_parts = graphics_parts(VK_SHADER_STAGE_FRAGMENT_BIT);
   } else {
      g.num_libraries = 2;
      g.flags = creation == NESTED ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0;
   }
   result = graphics_create(p->f.device, &g, creation == NESTED ? &libraries[2] : pipeline);
   if (creation == NESTED && result == VK_SUCCESS) {
      const struct graphics outer = {.layout = p->layout, .num_libraries = 1, .libraries = &libraries[2]};
      result = graphics_create(p->f.device, &outer, pipeline);
   }
   for (uint32_t i = 0; i < 3; i++)
      icd_DestroyPipeline(p->f.device, libraries[i], NULL);
   return result;
}

static VkResult make_compute(struct pipelines *p, VkShaderModule module, const VkShaderModuleCreateInfo *code,
                             const VkSpecializationInfo *specialization, VkPipeline *pipeline)
{
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .stage = stage_info(VK_SHADER_STAGE_COMPUTE_BIT, module, code, specialization),
                                             .layout = p->layout};
   return icd_CreateComputePipelines(p->f.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
}

/* Switches off what a module's comments ask for, as if the device had been made so. */
static void disable_features(struct pipelines *p, const struct spvasm *module, struct icd_features *before)
{
   struct test_env env;
   struct icd_device *device = icd_device_from_handle(p->f.device);
   char word[100];
   *before = device->features;
   env.features = device->features;
   for (unsigned i = 0; spvasm_value(module, "disable", i, word, sizeof(word)); i++)
      CHECK(test_env_set_feature(&env, word, false));
   device->features = env.features;
   icd_device_hash_enabled(device);
}

static const struct icd_rule_info *rule_of(const char *name)
{
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++) {
      const size_t length = strlen(icd_rules[i].vuid);
      if (!strncmp(icd_rules[i].vuid, name, length) && name[length] == '.')
         return &icd_rules[i];
   }
   return NULL;
}

/* In strict mode a bad module is refused with one message; else one of a rule that warns is taken, and reported each time that it is linked. */
static void check_pipeline(struct pipelines *p, const char *name, enum creation creation, bool is_strict)
{
   static const char *const creations[NUM_CREATIONS] = {"modules", "inline", "libraries", "a library", "a library of libraries"};
   struct spvasm module;
   struct icd_features before;
   VkShaderModule handle = VK_NULL_HANDLE;
   VkPipeline pipeline = VK_NULL_HANDLE;
   char path[512], stage[20] = "", vuid[128], shading[20] = "0", regions[2];
   const bool is_reported = strstr(name, ".bad.") != NULL, is_bad = is_reported && (is_strict || rule_of(name)->effect == ICD_REFUSE);
   snprintf(vuid, sizeof(vuid), "%.*s", (int)strcspn(name, "."), name);
   snprintf(path, sizeof(path), "%s/%s", folder, name);
   if (test_is_left_out(path))
      return;
   if (!spvasm_load(&module, path)) {
      CHECK(!"a rule has no module");
      return;
   }
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   CHECK(spvasm_value(&module, "pipeline", 0, stage, sizeof(stage)));
   spvasm_value(&module, "sample_shading", 0, shading, sizeof(shading));
   p->min_shading = strtof(shading, NULL);
   p->samples = p->min_shading > 0 ? VK_SAMPLE_COUNT_4_BIT : 0;
   p->pass = spvasm_value(&module, "fragment_regions", 0, regions, sizeof(regions)) ? p->regions : VK_NULL_HANDLE;
   disable_features(p, &module, &before);
   atomic_store(&p->f.ears.count, 0);
   if (creation != INLINE)
      CHECK_EQ(icd_CreateShaderModule(p->f.device, &info, NULL, &handle), VK_SUCCESS);
   CHECK_EQ(p->f.ears.count, 0);
   const VkResult result =
      !strcmp(stage, "compute") ? make_compute(p, handle, &info, NULL, &pipeline) : make_graphics(p, handle, &info, creation, &pipeline);
   CHECK(is_bad ? is_refusal(result) && pipeline == VK_NULL_HANDLE : result == VK_SUCCESS && pipeline != VK_NULL_HANDLE);
   CHECK(is_reported == is_bad ? p->f.ears.count == (uint32_t)is_bad : p->f.ears.count > 0);
   CHECK(!is_reported || (!strcmp(p->f.ears.id, vuid) && strstr(p->f.ears.text, vuid)));
   CHECK(!is_reported || (p->f.ears.severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) == is_bad);
   if ((result == VK_SUCCESS) == is_bad || (is_reported && strcmp(p->f.ears.id, vuid) != 0))
      fprintf(stderr, "%s (%s): %d, %u messages, %s: %s\n", path, creations[creation], (int)result, p->f.ears.count, p->f.ears.id, p->f.ears.text);
   icd_DestroyPipeline(p->f.device, pipeline, NULL);
   icd_DestroyShaderModule(p->f.device, handle, NULL);
   icd_device_from_handle(p->f.device)->features = before;
   icd_device_hash_enabled(icd_device_from_handle(p->f.device));
   spvasm_free(&module);
}

static bool is_of_pipelines(const char *name)
{
   const struct icd_rule_info *rule = rule_of(name);
   return rule && rule->where == ICD_RULE_PIPELINE;
}

TEST(rules)
{
   struct pipelines p;
   DIR *dir = opendir(folder);
   uint32_t count = 0;
   init(&p);
   CHECK(dir != NULL);
   for (const struct dirent *entry; dir && (entry = readdir(dir));) {
      if (!is_of_pipelines(entry->d_name))
         continue;
      for (enum creation creation = 0; creation < NUM_CREATIONS; creation++) {
         setenv("VK_SWRAST_VALIDATE", "strict", 1);
         check_pipeline(&p, entry->d_name, creation, true);
         unsetenv("VK_SWRAST_VALIDATE");
         check_pipeline(&p, entry->d_name, creation, false);
      }
      count++;
   }
   if (dir)
      closedir(dir);
   CHECK(count >= 10);
   finish(&p);
}

/* What a rule says of constants holds for those that the pipeline gives. */
static void check_specialized(const char *text, const char *vuid, uint32_t good, uint32_t bad)
{
   struct pipelines p;
   struct spvasm module;
   const VkSpecializationMapEntry entry = {0, 0, 4};
   init(&p);
   CHECK(spvasm_assemble(&module, text));
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   for (int is_bad = 0; is_bad < 2; is_bad++) {
      const VkSpecializationInfo specialization = {1, &entry, 4, is_bad ? &bad : &good};
      VkShaderModule handle = VK_NULL_HANDLE;
      VkPipeline pipeline = VK_NULL_HANDLE;
      atomic_store(&p.f.ears.count, 0);
      CHECK_EQ(icd_CreateShaderModule(p.f.device, &info, NULL, &handle), VK_SUCCESS);
      const VkResult result = make_compute(&p, handle, NULL, &specialization, &pipeline);
      CHECK(is_bad ? is_refusal(result) : result == VK_SUCCESS);
      CHECK_EQ(p.f.ears.count, is_bad);
      CHECK(!is_bad || !strcmp(p.f.ears.id, vuid));
      icd_DestroyPipeline(p.f.device, pipeline, NULL);
      icd_DestroyShaderModule(p.f.device, handle, NULL);
   }
   spvasm_free(&module);
   finish(&p);
}

#define BEGIN(mode)                                                                                                    \
   "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n" mode                  \
   "\nOpDecorate %size SpecId 0\n%uint = OpTypeInt 32 0\n%one = OpConstant %uint 1\n%size = OpSpecConstant %uint 1\n"   \
   "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n"
#define END "%main = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"

TEST(specialized_workgroup)
{
   check_specialized(BEGIN("OpExecutionModeId %main LocalSizeId %many %size %one") "%many = OpConstant %uint 64\n" END,
                     "VUID-RuntimeSpirv-x-06432", 8, 32);
}

TEST(specialized_memory)
{
   check_specialized(BEGIN("OpExecutionMode %main LocalSize 1 1 1")
                     "%array = OpTypeArray %uint %size\n%ptr = OpTypePointer Workgroup %array\n"
                     "%ptr_uint = OpTypePointer Workgroup %uint\n%shared = OpVariable %ptr Workgroup\n"
                     "%main = OpFunction %void None %fn\n%entry = OpLabel\n%p = OpAccessChain %ptr_uint %shared %one\n"
                     "OpStore %p %one\nOpReturn\nOpFunctionEnd\n",
                     "VUID-RuntimeSpirv-Workgroup-06530", 8, 1 << 20);
}

/* ---- a great many entry points ---- */

static VkResult make_named(struct pipelines *p, VkShaderModule module, const char *name)
{
   VkPipeline pipeline = VK_NULL_HANDLE;
   VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                       .stage = stage_info(VK_SHADER_STAGE_COMPUTE_BIT, module, NULL, NULL),
                                       .layout = p->layout};
   info.stage.pName = name;
   const VkResult result = icd_CreateComputePipelines(p->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline);
   icd_DestroyPipeline(p->f.device, pipeline, NULL);
   return result;
}

/* The last entry point has more shared memory than there is: the module is refused, or, where to look at all would take too long, the
 * pipeline that asks for it, and no other one. */
static void check_entries(uint32_t count, bool is_too_long)
{
   static const char rule[] = "VUID-RuntimeSpirv-Workgroup-06530";
   struct pipelines p;
   struct spvasm module;
   VkShaderModule handle = VK_NULL_HANDLE;
   char *text = malloc(count * 200 + 1000), *at = text, last[20];
   if (!text)
      exit(1);
   at += sprintf(at, "OpCapability Shader\nOpMemoryModel Logical GLSL450\n");
   for (uint32_t i = 0; i < count; i++)
      at += sprintf(at, "OpEntryPoint GLCompute %%e%u \"e%u\"\n", i, i);
   for (uint32_t i = 0; i < count; i++)
      at += sprintf(at, "OpExecutionMode %%e%u LocalSize 1 1 1\n", i);
   at += sprintf(at, "%%uint = OpTypeInt 32 0\n%%one = OpConstant %%uint 1\n%%size = OpConstant %%uint 1048576\n"
                     "%%array = OpTypeArray %%uint %%size\n%%ptr = OpTypePointer Workgroup %%array\n"
                     "%%ptr_uint = OpTypePointer Workgroup %%uint\n%%shared = OpVariable %%ptr Workgroup\n"
                     "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n");
   for (uint32_t i = 0; i < count; i++)
      at += sprintf(at, "%%e%u = OpFunction %%void None %%fn\n%%l%u = OpLabel\n%sOpReturn\nOpFunctionEnd\n", i, i,
                    i + 1 < count ? "" : "%p = OpAccessChain %ptr_uint %shared %one\nOpStore %p %one\n");
   init(&p);
   CHECK(spvasm_assemble(&module, text));
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   const VkResult result = icd_CreateShaderModule(p.f.device, &info, NULL, &handle);
   CHECK(is_too_long ? result == VK_SUCCESS : is_refusal(result));
   CHECK_EQ(p.f.ears.count, is_too_long ? 0 : 1);
   if (is_too_long) {
      snprintf(last, sizeof(last), "e%u", count - 1);
      CHECK_EQ(make_named(&p, handle, "e1"), VK_SUCCESS);
      CHECK_EQ(p.f.ears.count, 0);
      CHECK(is_refusal(make_named(&p, handle, last)));
      CHECK_EQ(p.f.ears.count, 1);
   }
   CHECK(!strcmp(p.f.ears.id, rule));
   icd_DestroyShaderModule(p.f.device, handle, NULL);
   spvasm_free(&module);
   free(text);
   finish(&p);
}

TEST(entries)
{
   check_entries(65, false);
   check_entries(1000, false);
   check_entries(4000, true);
}

/* Rules of the pipeline layout, which have two names each. */
static void check_layout(const char *decorations, const char *types, const char *variable, const char *vuid)
{
   struct pipelines p;
   struct spvasm module;
   char text[2000];
   VkShaderModule handle = VK_NULL_HANDLE;
   VkPipeline pipeline = VK_NULL_HANDLE;
   snprintf(text, sizeof(text),
            "OpCapability Shader\nOpCapability SampledBuffer\nOpMemoryModel Logical GLSL450\n"
            "OpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\nOpDecorate %%Block Block\nOpMemberDecorate %%Block 0 Offset 0\n%s"
            "%%uint = OpTypeInt 32 0\n%%zero = OpConstant %%uint 0\n%%two = OpConstant %%uint 2\n%%void = OpTypeVoid\n"
            "%%fn = OpTypeFunction %%void\n%%Block = OpTypeStruct %%uint\n%s"
            "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%s\n%%x = OpLoad %%uint %%p\nOpReturn\nOpFunctionEnd\n",
            decorations, types, variable);
   init(&p);
   CHECK(spvasm_assemble(&module, text));
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   CHECK_EQ(icd_CreateShaderModule(p.f.device, &info, NULL, &handle), VK_SUCCESS);
   atomic_store(&p.f.ears.count, 0);
   const VkResult result = make_compute(&p, handle, NULL, NULL, &pipeline);
   CHECK(vuid ? is_refusal(result) : result == VK_SUCCESS);
   CHECK_EQ(p.f.ears.count, vuid != NULL);
   CHECK(!vuid || !strcmp(p.f.ears.id, vuid));
   if (vuid && strcmp(p.f.ears.id, vuid) != 0)
      fprintf(stderr, "%s, not %s: %s\n", p.f.ears.id, vuid, p.f.ears.text);
   icd_DestroyPipeline(p.f.device, pipeline, NULL);
   icd_DestroyShaderModule(p.f.device, handle, NULL);
   spvasm_free(&module);
   finish(&p);
}

#define UNIFORM "%ptr = OpTypePointer Uniform %Block\n%v = OpVariable %ptr Uniform\n%ptr_uint = OpTypePointer Uniform %uint\n"
#define PUSHED "%ptr = OpTypePointer PushConstant %Block\n%v = OpVariable %ptr PushConstant\n%ptr_uint = OpTypePointer PushConstant %uint\n"
#define UNIFORMS                                                                                                       \
   "%pair = OpTypeArray %Block %two\n%ptr = OpTypePointer Uniform %pair\n%v = OpVariable %ptr Uniform\n"               \
   "%ptr_uint = OpTypePointer Uniform %uint\n"

/* What glslang makes of samplerBuffer, up to SPIR-V 1.5. */
#define SAMPLER_BUFFER                                                                                                 \
   "%float = OpTypeFloat 32\n%vec4 = OpTypeVector %float 4\n%image = OpTypeImage %float Buffer 0 0 0 1 Unknown\n"      \
   "%sampled = OpTypeSampledImage %image\n%ptr = OpTypePointer UniformConstant %sampled\n"                            \
   "%v = OpVariable %ptr UniformConstant\n%ptr_uint = OpTypePointer Private %uint\n%p = OpVariable %ptr_uint Private\n"

TEST(layouts)
{
   static const char fetch[] = "%s = OpLoad %sampled %v\n%i = OpImage %image %s\n%t = OpImageFetch %vec4 %i %zero";
   check_layout("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 2\n", SAMPLER_BUFFER, fetch, NULL);
   check_layout("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n", SAMPLER_BUFFER, fetch, "VUID-RuntimeSpirv-DescriptorSet-06323");
   static const char one[] = "%p = OpAccessChain %ptr_uint %v %zero", two[] = "%p = OpAccessChain %ptr_uint %v %zero %zero";
   check_layout("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n", UNIFORM, one, NULL);
   check_layout("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 1\n", UNIFORM, one, "VUID-VkComputePipelineCreateInfo-layout-07988");
   check_layout("OpDecorate %v DescriptorSet 1\nOpDecorate %v Binding 0\n", UNIFORM, one, "VUID-VkComputePipelineCreateInfo-layout-07988");
   check_layout("OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 0\n", UNIFORMS, two, "VUID-VkComputePipelineCreateInfo-layout-07991");
   check_layout("", PUSHED, one, "VUID-VkComputePipelineCreateInfo-layout-07987");
}

/* ---- layouts of libraries ---- */

/* A pair of stages of which the fragment stage wants binding 2 of set 0 to be a uniform buffer, which is one of texels in the layout. */
TEST(library_layouts)
{
   static const char text[] =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %vert \"main\"\nOpEntryPoint Fragment %frag \"main\"\n"
      "OpExecutionMode %frag OriginUpperLeft\nOpDecorate %Block Block\nOpMemberDecorate %Block 0 Offset 0\n"
      "OpDecorate %v DescriptorSet 0\nOpDecorate %v Binding 2\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n%void = OpTypeVoid\n"
      "%fn = OpTypeFunction %void\n%Block = OpTypeStruct %uint\n" UNIFORM
      "%vert = OpFunction %void None %fn\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%frag = OpFunction %void None %fn\n%begin = OpLabel\n%p = OpAccessChain %ptr_uint %v %zero\n%x = OpLoad %uint %p\nOpReturn\n"
      "OpFunctionEnd\n";
   static const VkDescriptorSetLayoutBinding binding = {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = &binding};
   static const char rule[] = "VUID-RuntimeSpirv-DescriptorSet-06323";
   struct pipelines p;
   struct spvasm module;
   VkDescriptorSetLayout set;
   VkPipelineLayout fitting;
   VkShaderModule handle = VK_NULL_HANDLE;
   VkPipeline libraries[2] = {VK_NULL_HANDLE}, pipeline = VK_NULL_HANDLE;
   init(&p);
   CHECK(spvasm_assemble(&module, text));
   const VkPipelineLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set};
   fixture_require(icd_CreateDescriptorSetLayout(p.f.device, &set_info, NULL, &set), "vkCreateDescriptorSetLayout");
   fixture_require(icd_CreatePipelineLayout(p.f.device, &layout_info, NULL, &fitting), "vkCreatePipelineLayout");
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   CHECK_EQ(icd_CreateShaderModule(p.f.device, &info, NULL, &handle), VK_SUCCESS);
   const VkPipelineShaderStageCreateInfo stages[2] = {stage_info(VK_SHADER_STAGE_VERTEX_BIT, handle, NULL, NULL),
                                                      stage_info(VK_SHADER_STAGE_FRAGMENT_BIT, handle, NULL, NULL)};
   struct graphics library = {.num_stages = 1, .stages = &stages[1], .parts = graphics_parts(VK_SHADER_STAGE_FRAGMENT_BIT)},
                   linked = {.num_libraries = 2, .libraries = libraries};
   /* A library answers for its own layout. */
   library.layout = p.layout;
   CHECK(is_refusal(graphics_create(p.f.device, &library, &libraries[1])));
   CHECK(p.f.ears.count == 1 && !strcmp(p.f.ears.id, rule));
   library.layout = fitting;
   CHECK_EQ(graphics_create(p.f.device, &library, &libraries[1]), VK_SUCCESS);
   library.stages = &stages[0];
   library.parts = graphics_parts(VK_SHADER_STAGE_VERTEX_BIT);
   CHECK_EQ(graphics_create(p.f.device, &library, &libraries[0]), VK_SUCCESS);
   atomic_store(&p.f.ears.count, 0);
   /* So that a link without one is right if its libraries are; with one, this is the layout of all. */
   CHECK_EQ(graphics_create(p.f.device, &linked, &pipeline), VK_SUCCESS);
   CHECK_EQ(p.f.ears.count, 0);
   icd_DestroyPipeline(p.f.device, pipeline, NULL);
   linked.layout = p.layout;
   CHECK(is_refusal(graphics_create(p.f.device, &linked, &pipeline)));
   CHECK(p.f.ears.count == 1 && !strcmp(p.f.ears.id, rule));
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyPipeline(p.f.device, libraries[i], NULL);
   icd_DestroyShaderModule(p.f.device, handle, NULL);
   icd_DestroyPipelineLayout(p.f.device, fitting, NULL);
   icd_DestroyDescriptorSetLayout(p.f.device, set, NULL);
   spvasm_free(&module);
   finish(&p);
}

int main(int argc, char **argv)
{
   folder = argc > 1 ? argv[1] : "";
   return test_run_all(1, argv);
}
