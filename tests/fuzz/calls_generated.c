/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/calls_generated.h"
#include "tests/client/rays.h"
#include "util/macros.h"

#include <string.h>

enum { SETS_BYTES = 2048, MAX_DESCRIPTOR_BYTES = 128, NUM_SEQUENCES = 48, NUM_DISPATCHES = 2, SET_PIPELINES = 3, PREPROCESS_BYTES = 1 << 16 };

#define FUNCTIONS(X)                                                                                                   \
   X(GetDescriptorSetLayoutSizeEXT) X(GetDescriptorSetLayoutBindingOffsetEXT) X(GetDescriptorEXT) X(CmdBindDescriptorBuffersEXT)                             \
   X(CmdSetDescriptorBufferOffsetsEXT) X(CreateIndirectCommandsLayoutEXT) X(CreateIndirectExecutionSetEXT) X(UpdateIndirectExecutionSetPipelineEXT)           \
   X(CmdExecuteGeneratedCommandsEXT) X(GetGeneratedCommandsMemoryRequirementsEXT)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

/* In memory; a dispatch's and a draw's. */
struct sequence {
   uint32_t pipeline, seed;
   uint32_t counts[4]; /* VkDispatchIndirectCommand, VkDrawIndirectCommand */
};

static struct world *world;
static struct client_buffer sets, sequences, preprocess;
static VkDescriptorSetLayout set_layout;
static VkPipelineLayout layout; /* of the set in a buffer; generated commands have the world's */
static VkPipeline with_descriptors, dispatches[NUM_DISPATCHES];
static VkIndirectCommandsLayoutEXT dispatch_tokens, draw_tokens;
static VkIndirectExecutionSetEXT execution_set;
static VkDeviceSize set_bytes, set_alignment, binding_offsets[3];
static size_t descriptor_bytes[3];
static const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

void *calls_generated_features(void *next)
{
   static VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .deviceGeneratedCommands = VK_TRUE};
   static VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptors = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT,
                                                                     .pNext = &generated,
                                                                     .descriptorBuffer = VK_TRUE};
   static VkPhysicalDeviceMaintenance5Features maintenance = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, &descriptors, VK_TRUE};
   generated.pNext = next;
   return &maintenance;
}

/* ---- descriptors ---- */

static void write_descriptor(uint32_t binding, struct input *in, uint8_t *at)
{
   const struct client_buffer *buffer = &world->buffers[input_pick(in, NUM_BUFFERS)];
   const uint32_t words = BUFFER_BYTES / 4, first = input_pick(in, words) & ~3u;
   const VkDescriptorAddressInfoEXT range = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                             .address = client_address(&world->client, buffer) + (VkDeviceAddress)first * 4,
                                             .range = (VkDeviceSize)(1 + input_pick(in, words - first)) * 4};
   const VkDescriptorImageInfo image = {world->sampler, binding == 1 ? world->texture.view : world->storage.view, VK_IMAGE_LAYOUT_GENERAL};
   const VkDescriptorGetInfoEXT get = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = types[binding],
                                       .data = {.pStorageBuffer = binding == 0 ? &range : (const void *)&image}}; /* all of its pointers are one */
   ext.GetDescriptorEXT(world->client.device, &get, descriptor_bytes[binding], at);
}

/* A set's descriptors, or bytes, which are no descriptor and read as none. */
void calls_write_descriptors(struct commands *c, struct input *in)
{
   uint8_t *const map = sets.map, *const set = map + (size_t)input_pick(in, (uint32_t)((SETS_BYTES - set_bytes) / set_alignment) + 1) * set_alignment;
   world_wait(world);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(types); i++)
      write_descriptor(i, in, set + binding_offsets[i]);
   if (input_pick(in, 3))
      return;
   const uint32_t count = input_byte(in) % MAX_DESCRIPTOR_BYTES, first = input_pick(in, SETS_BYTES - MAX_DESCRIPTOR_BYTES);
   for (uint32_t i = 0; i < count; i++)
      map[first + i] ^= (uint8_t)input_byte(in);
}

void calls_dispatch_with_descriptors(struct commands *c, struct input *in)
{
   const VkDescriptorBufferBindingInfoEXT binding = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT, .address = client_address(&world->client, &sets),
      .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   const uint32_t index = 0, seed = (uint32_t)input_number(in);
   const VkDeviceSize offset = input_pick(in, (uint32_t)((SETS_BYTES - set_bytes) / set_alignment) + 1) * set_alignment;
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, with_descriptors);
   ext.CmdBindDescriptorBuffersEXT(c->handle, 1, &binding);
   ext.CmdSetDescriptorBufferOffsetsEXT(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &index, &offset);
   vk.CmdPushConstants(c->handle, layout, VK_SHADER_STAGE_ALL, 0, sizeof(seed), &seed);
   vk.CmdDispatch(c->handle, input_pick(in, 40), input_pick(in, 3), 1);
   world_bind(world, c, seed);
}

/* ---- generated commands ---- */

void calls_write_sequences(struct commands *c, struct input *in)
{
   struct sequence *const to = sequences.map;
   const uint32_t first = input_pick(in, NUM_SEQUENCES), count = 1 + input_pick(in, NUM_SEQUENCES - first);
   world_wait(world);
   for (uint32_t i = first; i < first + count; i++)
      to[i] = (struct sequence){input_pick(in, 5) ? input_pick(in, SET_PIPELINES) : (uint32_t)input_number(in), (uint32_t)input_number(in),
                                {input_byte(in), input_pick(in, 4), input_pick(in, 3), input_pick(in, 3)}};
}

/* `pipeline`: without an execution set, what commands are generated for. The address and the count's lie at any sequence. */
static void execute(struct commands *c, struct input *in, VkGeneratedCommandsInfoEXT *info, VkPipeline pipeline)
{
   const VkGeneratedCommandsPipelineInfoEXT state = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = pipeline};
   VkMemoryRequirements2 needs = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   const uint32_t first = input_pick(in, NUM_SEQUENCES), count = 1 + input_pick(in, NUM_SEQUENCES - first);
   const VkDeviceAddress address = client_address(&world->client, &sequences);
   info->sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT;
   info->pNext = pipeline ? &state : NULL;
   info->indirectAddress = address + (VkDeviceAddress)first * sizeof(struct sequence);
   info->indirectAddressSize = (VkDeviceSize)count * sizeof(struct sequence);
   info->maxSequenceCount = count;
   if (input_pick(in, 3) == 0)
      info->sequenceCountAddress = address + (VkDeviceAddress)input_pick(in, NUM_SEQUENCES) * sizeof(struct sequence) + offsetof(struct sequence, counts);
   const VkGeneratedCommandsMemoryRequirementsInfoEXT asked = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_MEMORY_REQUIREMENTS_INFO_EXT, .pNext = info->pNext, .indirectExecutionSet = info->indirectExecutionSet,
      .indirectCommandsLayout = info->indirectCommandsLayout, .maxSequenceCount = count};
   ext.GetGeneratedCommandsMemoryRequirementsEXT(world->client.device, &asked, &needs);
   if (needs.memoryRequirements.size > PREPROCESS_BYTES)
      client_die("generated commands need %llu bytes", (unsigned long long)needs.memoryRequirements.size);
   if (needs.memoryRequirements.size) {
      info->preprocessAddress = client_address(&world->client, &preprocess);
      info->preprocessSize = needs.memoryRequirements.size;
   }
   ext.CmdExecuteGeneratedCommandsEXT(c->handle, VK_FALSE, info);
}

void calls_generate_dispatches(struct commands *c, struct input *in)
{
   VkGeneratedCommandsInfoEXT info = {
      .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT, .indirectExecutionSet = execution_set, .indirectCommandsLayout = dispatch_tokens};
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, dispatches[0]);
   execute(c, in, &info, VK_NULL_HANDLE);
   world_bind(world, c, 0);
}

void calls_generate_draws(struct commands *c, struct input *in)
{
   VkGeneratedCommandsInfoEXT info = {.shaderStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, .indirectCommandsLayout = draw_tokens};
   execute(c, in, &info, c->draw);
   world_bind(world, c, 0);
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_GRAPHICS, c->draw);
}

/* ---- the objects ---- */

static VkIndirectCommandsLayoutEXT make_tokens(VkShaderStageFlags stages, VkIndirectCommandsTokenTypeEXT last)
{
   const VkIndirectCommandsExecutionSetTokenEXT set = {VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, stages};
   const VkIndirectCommandsPushConstantTokenEXT seed = {{VK_SHADER_STAGE_ALL, 0, 4}};
   const VkIndirectCommandsLayoutTokenEXT tokens[] = {
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
       {.pExecutionSet = &set}, offsetof(struct sequence, pipeline)},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
       {.pPushConstant = &seed}, offsetof(struct sequence, seed)},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, last, {NULL}, offsetof(struct sequence, counts)}};
   const uint32_t without_set = last == VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT;
   const VkIndirectCommandsLayoutCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                       .shaderStages = stages, .indirectStride = sizeof(struct sequence), .pipelineLayout = world->layout,
                                                       .tokenCount = UTIL_ARRAY_SIZE(tokens) - without_set, .pTokens = tokens + without_set};
   VkIndirectCommandsLayoutEXT made;
   client_check(ext.CreateIndirectCommandsLayoutEXT(world->client.device, &info, NULL, &made), "vkCreateIndirectCommandsLayoutEXT");
   return made;
}

static VkPipeline make_pipeline(VkPipelineLayout used, VkPipelineCreateFlags2 bits)
{
   const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO, .flags = bits};
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags, .layout = used,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = world->modules[0], .pName = "main"}};
   VkPipeline pipeline;
   client_check(vk.CreateComputePipelines(world->client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

static void make_descriptors(void)
{
   VkPhysicalDeviceDescriptorBufferPropertiesEXT sizes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT};
   VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
   const PFN_vkGetPhysicalDeviceProperties2 get =
      (PFN_vkGetPhysicalDeviceProperties2)world->client.get(world->client.instance, "vkGetPhysicalDeviceProperties2");
   VkDescriptorSetLayoutBinding bindings[UTIL_ARRAY_SIZE(types)];
   get(world->client.physical_device, &properties);
   descriptor_bytes[0] = sizes.robustStorageBufferDescriptorSize;
   descriptor_bytes[1] = sizes.combinedImageSamplerDescriptorSize;
   descriptor_bytes[2] = sizes.storageImageDescriptorSize;
   set_alignment = sizes.descriptorBufferOffsetAlignment;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(types); i++)
      bindings[i] = (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_ALL, NULL};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
      .bindingCount = UTIL_ARRAY_SIZE(bindings), .pBindings = bindings};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 4};
   client_check(vk.CreateDescriptorSetLayout(world->client.device, &set_info, NULL, &set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set_layout,
                                            .pushConstantRangeCount = 1, .pPushConstantRanges = &range};
   client_check(vk.CreatePipelineLayout(world->client.device, &info, NULL, &layout), "vkCreatePipelineLayout");
   ext.GetDescriptorSetLayoutSizeEXT(world->client.device, set_layout, &set_bytes);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(types); i++)
      ext.GetDescriptorSetLayoutBindingOffsetEXT(world->client.device, set_layout, i, &binding_offsets[i]);
   with_descriptors = make_pipeline(layout, VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT);
}

static void make_execution_set(void)
{
   const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT, .initialPipeline = dispatches[0], .maxPipelineCount = SET_PIPELINES};
   const VkIndirectExecutionSetCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                                     .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                     .info = {.pPipelineInfo = &pipelines}};
   const VkWriteIndirectExecutionSetPipelineEXT write = {.sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
                                                         .index = 1, .pipeline = dispatches[1]};
   client_check(ext.CreateIndirectExecutionSetEXT(world->client.device, &info, NULL, &execution_set), "vkCreateIndirectExecutionSetEXT");
   ext.UpdateIndirectExecutionSetPipelineEXT(world->client.device, execution_set, 1, &write);
}

void calls_generated_init(struct world *w)
{
   const VkBufferUsageFlags addressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
   world = w;
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   sets = client_buffer_create(&w->client, SETS_BYTES,
                               addressed | VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT);
   sequences = client_buffer_create(&w->client, NUM_SEQUENCES * sizeof(struct sequence), addressed | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   preprocess = client_buffer_create(&w->client, PREPROCESS_BYTES, addressed);
   make_descriptors();
   for (uint32_t i = 0; i < NUM_DISPATCHES; i++)
      dispatches[i] = make_pipeline(w->layout, VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT);
   make_execution_set();
   dispatch_tokens = make_tokens(VK_SHADER_STAGE_COMPUTE_BIT, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT);
   draw_tokens = make_tokens(VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT);
}
