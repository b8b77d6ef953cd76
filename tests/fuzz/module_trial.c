/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/module_trial.h"

#include "tests/icd/validate/graphics.h"
#include "util/macros.h"

#include <spirv/unified1/spirv.h>
#include <stdlib.h>

enum { BUFFER_BYTES = 1 << 16, IMAGE_SIZE = 16 };

/* As the shaders of these tests have them, roughly: what does not fit is one more thing to survive. */
static const VkDescriptorType types[TRIAL_BINDINGS] = {
   VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,         VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER,
   VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,  VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};

/* A triangle that covers all; location 0 is its position. */
static const char triangle_text[] =
   "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint Vertex %main \"main\" %index %position %out\n"
   "OpDecorate %index BuiltIn VertexIndex\nOpDecorate %position BuiltIn Position\nOpDecorate %out Location 0\n"
   "%void = OpTypeVoid\n%type = OpTypeFunction %void\n%int = OpTypeInt 32 1\n%float = OpTypeFloat 32\n%v4 = OpTypeVector %float 4\n"
   "%in_int = OpTypePointer Input %int\n%out_v4 = OpTypePointer Output %v4\n%index = OpVariable %in_int Input\n"
   "%position = OpVariable %out_v4 Output\n%out = OpVariable %out_v4 Output\n%one = OpConstant %int 1\n%four = OpConstant %int 4\n"
   "%zero = OpConstant %float 0\n%f1 = OpConstant %float 1\n"
   "%main = OpFunction %void None %type\n%label = OpLabel\n%i = OpLoad %int %index\n%odd = OpBitwiseAnd %int %i %one\n%a = OpIMul %int %odd %four\n"
   "%half = OpShiftRightLogical %int %i %one\n%b = OpIMul %int %half %four\n%x = OpConvertSToF %float %a\n%y = OpConvertSToF %float %b\n"
   "%x1 = OpFSub %float %x %f1\n%y1 = OpFSub %float %y %f1\n%p = OpCompositeConstruct %v4 %x1 %y1 %zero %f1\n"
   "OpStore %position %p\nOpStore %out %p\nOpReturn\nOpFunctionEnd\n";

/* ---- what all runs share ---- */

static VkDescriptorSet make_set(struct module_trial *t)
{
   VkDescriptorSet set;
   const VkDescriptorSetAllocateInfo info = {
      VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, t->descriptors, 1, &t->set_layout};
   const VkDescriptorBufferInfo buffer = {t->buffer.buffer, 0, VK_WHOLE_SIZE};
   const VkDescriptorImageInfo image = {t->sampler, t->image.view, VK_IMAGE_LAYOUT_GENERAL};
   fixture_require(icd_AllocateDescriptorSets(t->f.device, &info, &set), "vkAllocateDescriptorSets");
   for (uint32_t i = 0; i < TRIAL_BINDINGS; i++) {
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set,
                                          .dstBinding = i,
                                          .descriptorCount = 1, /* of those that have two the other is a null descriptor */
                                          .descriptorType = types[i],
                                          .pImageInfo = &image,
                                          .pBufferInfo = &buffer};
      icd_UpdateDescriptorSets(t->f.device, 1, &write, 0, NULL);
   }
   return set;
}

static void make_triangle(struct module_trial *t)
{
   struct spvasm module;
   if (!spvasm_assemble(&module, triangle_text))
      exit(1);
   const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
   fixture_require(icd_CreateShaderModule(t->f.device, &info, NULL, &t->triangle), "vkCreateShaderModule");
   spvasm_free(&module);
}

static void init_runs(struct module_trial *t)
{
   const VkDevice device = t->f.device;
   const VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, NULL, VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT, 0};
   const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 16},
                                         {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 16},
                                         {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 16},
                                         {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 16}};
   const VkDescriptorPoolCreateInfo descriptors = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                                   .maxSets = TRIAL_SETS,
                                                   .poolSizeCount = UTIL_ARRAY_SIZE(sizes),
                                                   .pPoolSizes = sizes};
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = VK_FILTER_LINEAR, .minFilter = VK_FILTER_LINEAR};
   t->run = (struct fixture){t->f.instance, t->f.physical_device, device};
   icd_GetDeviceQueue(device, 0, 0, &t->run.queue);
   fixture_require(icd_CreateCommandPool(device, &pool, NULL, &t->run.pool), "vkCreateCommandPool");
   t->run.commands = fixture_command_buffer(&t->run, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
   t->buffer = fixture_buffer(&t->run, BUFFER_BYTES);
   t->image = fixture_image(device, VK_FORMAT_R8G8B8A8_UNORM, IMAGE_SIZE, IMAGE_SIZE, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
                            VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   fixture_require(icd_CreateSampler(device, &sampler, NULL, &t->sampler), "vkCreateSampler");
   fixture_require(icd_CreateDescriptorPool(device, &descriptors, NULL, &t->descriptors), "vkCreateDescriptorPool");
   for (uint32_t i = 0; i < TRIAL_SETS; i++)
      t->sets[i] = make_set(t);
   const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = t->pass,
                                                .attachmentCount = 1,
                                                .pAttachments = &t->image.view,
                                                .width = IMAGE_SIZE,
                                                .height = IMAGE_SIZE,
                                                .layers = 1};
   fixture_require(icd_CreateFramebuffer(device, &framebuffer, NULL, &t->framebuffer), "vkCreateFramebuffer");
   make_triangle(t);
}

static void finish_runs(struct module_trial *t)
{
   const VkDevice device = t->f.device;
   icd_DestroyShaderModule(device, t->triangle, NULL);
   icd_DestroyFramebuffer(device, t->framebuffer, NULL);
   icd_DestroyDescriptorPool(device, t->descriptors, NULL);
   icd_DestroySampler(device, t->sampler, NULL);
   fixture_image_destroy(device, &t->image);
   fixture_buffer_destroy(&t->run, &t->buffer);
   icd_DestroyCommandPool(device, t->run.pool, NULL);
}

void module_trial_init(struct module_trial *t, bool runs)
{
   VkDescriptorSetLayoutBinding bindings[TRIAL_BINDINGS];
   for (uint32_t i = 0; i < TRIAL_BINDINGS; i++)
      bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1 + i % 2, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorSetLayoutCreateInfo set_layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, TRIAL_BINDINGS, bindings};
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   *t = (struct module_trial){.runs = runs};
   full_device_init_with(&t->f, !runs);
   fixture_require(icd_CreateDescriptorSetLayout(t->f.device, &set_layout, NULL, &t->set_layout), "vkCreateDescriptorSetLayout");
   const VkDescriptorSetLayout sets[TRIAL_SETS] = {t->set_layout, t->set_layout};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 64};
   const VkPipelineLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, TRIAL_SETS, sets, 1, &range};
   fixture_require(icd_CreatePipelineLayout(t->f.device, &layout, NULL, &t->layout), "vkCreatePipelineLayout");
   fixture_require(icd_CreateRenderPass(t->f.device, &pass, NULL, &t->pass), "vkCreateRenderPass");
   if (runs)
      init_runs(t);
}

void module_trial_finish(struct module_trial *t)
{
   if (t->runs)
      finish_runs(t);
   icd_DestroyRenderPass(t->f.device, t->pass, NULL);
   icd_DestroyPipelineLayout(t->f.device, t->layout, NULL);
   icd_DestroyDescriptorSetLayout(t->f.device, t->set_layout, NULL);
   full_device_finish(&t->f);
}

/* ---- one module ---- */

VkShaderStageFlagBits module_trial_stage(const uint32_t *words, size_t num_words)
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

static VkResult make_graphics(struct module_trial *t, uint32_t num_stages, const VkPipelineShaderStageCreateInfo *stages, VkPipeline *pipeline)
{
   const struct graphics info = {.layout = t->layout, .num_stages = num_stages, .stages = stages, .size_px = IMAGE_SIZE, .pass = t->pass};
   return graphics_create(t->f.device, &info, pipeline);
}

/* Of `handle`, or of `code` where that is VK_NULL_HANDLE. */
static VkResult make_pipeline(struct module_trial *t, VkShaderStageFlagBits stage, VkShaderModule handle, const VkShaderModuleCreateInfo *code,
                              VkPipeline *pipeline)
{
   const VkPipelineShaderStageCreateInfo stages[2] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .pNext = handle ? NULL : code,
                                                       .stage = stage,
                                                       .module = handle,
                                                       .pName = "main"},
                                                      {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                       .module = t->triangle,
                                                       .pName = "main"}};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = stages[0], .layout = t->layout};
   if (stage == VK_SHADER_STAGE_COMPUTE_BIT)
      return icd_CreateComputePipelines(t->f.device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   return make_graphics(t, stage == VK_SHADER_STAGE_FRAGMENT_BIT && t->triangle ? 2 : 1, stages, pipeline);
}

/* False: the device is lost. */
static bool run_pipeline(struct module_trial *t, VkShaderStageFlagBits stage, VkPipeline pipeline)
{
   const VkCommandBuffer commands = t->run.commands;
   const VkPipelineBindPoint point = stage == VK_SHADER_STAGE_COMPUTE_BIT ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
   const VkRenderPassBeginInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                       .renderPass = t->pass,
                                       .framebuffer = t->framebuffer,
                                       .renderArea = {{0, 0}, {IMAGE_SIZE, IMAGE_SIZE}}};
   const VkSubmitInfo submit = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
   const uint8_t constants[64] = {1, 2, 3};
   fixture_begin(commands);
   icd_CmdBindPipeline(commands, point, pipeline);
   icd_CmdBindDescriptorSets(commands, point, t->layout, 0, TRIAL_SETS, t->sets, 0, NULL);
   icd_CmdPushConstants(commands, t->layout, VK_SHADER_STAGE_ALL, 0, sizeof(constants), constants);
   if (stage == VK_SHADER_STAGE_COMPUTE_BIT) {
      icd_CmdDispatch(commands, 2, 1, 1);
   } else {
      icd_CmdBeginRenderPass(commands, &pass, VK_SUBPASS_CONTENTS_INLINE);
      icd_CmdDraw(commands, 3, 1, 0, 0);
      icd_CmdEndRenderPass(commands);
   }
   VkResult result = icd_EndCommandBuffer(commands);
   if (result == VK_SUCCESS)
      result = icd_QueueSubmit(t->run.queue, 1, &submit, VK_NULL_HANDLE);
   if (result == VK_SUCCESS)
      result = icd_QueueWaitIdle(t->run.queue);
   if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST && result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY)
      fixture_require(result, "a run");
   return result == VK_SUCCESS;
}

static bool is_made(VkResult result, bool has_handle, const char *what)
{
   const bool is_good = result == VK_SUCCESS;
   if ((!is_good && !is_refusal(result) && result != VK_ERROR_OUT_OF_HOST_MEMORY) || is_good != has_handle) {
      fprintf(stderr, "%s: %d, %s\n", what, (int)result, has_handle ? "a handle" : "no handle");
      abort();
   }
   return is_good;
}

struct trial_result module_trial_run(struct module_trial *t, const uint32_t *words, size_t num_words, VkShaderStageFlagBits stage,
                                     bool is_inline)
{
   const VkShaderModuleCreateInfo info = module_info(words, num_words);
   struct trial_result out = {0};
   bool is_lost = false;
   for (int is_validated = 1; is_validated >= 0; is_validated--) {
      VkShaderModule handle = VK_NULL_HANDLE;
      VkPipeline pipeline = VK_NULL_HANDLE;
      setenv("VK_SWRAST_VALIDATE", is_validated ? "strict" : "off", 1);
      VkResult result = icd_CreateShaderModule(t->f.device, &info, NULL, &handle);
      const bool is_module = is_made(result, handle != VK_NULL_HANDLE, "vkCreateShaderModule");
      if (is_module && stage) {
         result = make_pipeline(t, stage, is_inline ? VK_NULL_HANDLE : handle, &info, &pipeline);
         out.is_pipeline = is_made(result, pipeline != VK_NULL_HANDLE, "vkCreate*Pipelines");
         if (is_validated && pipeline && t->runs)
            is_lost = !run_pipeline(t, stage, pipeline);
         icd_DestroyPipeline(t->f.device, pipeline, NULL);
      }
      if (is_validated)
         out.is_valid = is_module;
      icd_DestroyShaderModule(t->f.device, handle, NULL);
   }
   if (is_lost) {
      module_trial_finish(t);
      module_trial_init(t, true);
   }
   return out;
}
