/* SPDX-License-Identifier: MIT
 * Descriptor buffers, generated commands, markers and placed mappings, through the loader. */
#include "tests/render/memory/addressed.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/macros.h"

#include "words.comp.h"

#include <string.h>
#include <sys/mman.h>

enum { INVOCATIONS = 4, SEQUENCES = 6, WORDS = INVOCATIONS * SEQUENCES, VALUE = 1000 };

#define FUNCTIONS(X)                                                                                                   \
   X(GetDescriptorSetLayoutSizeEXT) X(GetDescriptorSetLayoutBindingOffsetEXT)                \
   X(GetDescriptorEXT) X(CmdBindDescriptorBuffersEXT) X(CmdSetDescriptorBufferOffsetsEXT)                              \
   X(CreateIndirectCommandsLayoutEXT) X(DestroyIndirectCommandsLayoutEXT) X(CreateIndirectExecutionSetEXT)             \
   X(DestroyIndirectExecutionSetEXT) X(UpdateIndirectExecutionSetPipelineEXT) X(CmdExecuteGeneratedCommandsEXT)        \
   X(GetGeneratedCommandsMemoryRequirementsEXT) X(CmdWriteBufferMarker2AMD) X(MapMemory2KHR) X(UnmapMemory2KHR)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

/* Two pipelines that differ in a factor, and their set in a buffer. */
struct scene {
   struct client client;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkPipeline pipelines[2];
   struct client_buffer outs[2], texels, uniforms, set;
};

static void init_client(struct client *client)
{
   static const char *const extensions[] = {"VK_KHR_maintenance5", "VK_EXT_descriptor_buffer", "VK_EXT_device_generated_commands",
                                            "VK_EXT_robustness2", "VK_AMD_buffer_marker", "VK_KHR_map_memory2", "VK_EXT_map_memory_placed"};
   static VkPhysicalDeviceMapMemoryPlacedFeaturesEXT placed = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAP_MEMORY_PLACED_FEATURES_EXT, .memoryMapPlaced = VK_TRUE,
      .memoryMapRangePlaced = VK_TRUE, .memoryUnmapReserve = VK_TRUE};
   static VkPhysicalDeviceRobustness2FeaturesEXT robustness = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .pNext = &placed, .nullDescriptor = VK_TRUE};
   static VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .pNext = &robustness,
      .deviceGeneratedCommands = VK_TRUE};
   static VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptors = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT, .pNext = &generated, .descriptorBuffer = VK_TRUE};
   static VkPhysicalDeviceMaintenance5Features maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = &descriptors, .maintenance5 = VK_TRUE};
   static VkPhysicalDeviceVulkan13Features core13 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &maintenance, .synchronization2 = VK_TRUE};
   static VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                     .pNext = &core13, .bufferDeviceAddress = VK_TRUE};
   const VkPhysicalDeviceFeatures features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE};
   const struct client_options options = {.features = &features, .next = &core12, .device_extensions = extensions,
                                          .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .api_version = VK_API_VERSION_1_3};
   client_init(client, &options);
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(client->device, "vk" #name);
   FUNCTIONS(X)
#undef X
}

static void put(struct scene *s, uint32_t binding, uint32_t element, VkDescriptorType type, const VkDescriptorAddressInfoEXT *info)
{
   const VkDescriptorGetInfoEXT get = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT, .type = type,
                                       .data = {.pUniformBuffer = info}}; /* all of its pointers are one */
   VkDeviceSize offset;
   ext.GetDescriptorSetLayoutBindingOffsetEXT(s->client.device, s->set_layout, binding, &offset);
   ext.GetDescriptorEXT(s->client.device, &get, 16, (char *)s->set.map + offset + (size_t)element * 16);
}

static VkDescriptorAddressInfoEXT whole(struct scene *s, const struct client_buffer *buffer, VkFormat format)
{
   return (VkDescriptorAddressInfoEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT,
                                       .address = address_of(&s->client, buffer), .range = buffer->size_bytes, .format = format};
}

static void init_set(struct scene *s)
{
   VkDeviceSize size;
   ext.GetDescriptorSetLayoutSizeEXT(s->client.device, s->set_layout, &size);
   s->set = addressed_buffer(&s->client, size, VK_BUFFER_USAGE_2_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT);
   for (uint32_t i = 0; i < 2; i++) {
      s->outs[i] = addressed_buffer(&s->client, WORDS * 4, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_2_TRANSFER_DST_BIT);
      const VkDescriptorAddressInfoEXT out = whole(s, &s->outs[i], VK_FORMAT_UNDEFINED);
      put(s, 0, i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &out);
   }
   s->texels = addressed_buffer(&s->client, INVOCATIONS * 4, VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT);
   s->uniforms = addressed_buffer(&s->client, 16, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
   const VkDescriptorAddressInfoEXT texels = whole(s, &s->texels, VK_FORMAT_R32_UINT);
   const VkDescriptorAddressInfoEXT uniforms = whole(s, &s->uniforms, VK_FORMAT_UNDEFINED);
   put(s, 1, 0, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, &texels);
   put(s, 2, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &uniforms);
   put(s, 3, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL);
   for (uint32_t i = 0; i < INVOCATIONS; i++)
      ((uint32_t *)s->texels.map)[i] = 10 + i;
   ((uint32_t *)s->uniforms.map)[1] = VALUE;
}

static void scene_init(struct scene *s)
{
   *s = (struct scene){0};
   init_client(&s->client);
   const VkShaderStageFlags stage = VK_SHADER_STAGE_COMPUTE_BIT;
   const VkDescriptorSetLayoutBinding bindings[] = {{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, stage, NULL},
                                                    {1, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1, stage, NULL},
                                                    {2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, stage, NULL},
                                                    {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, stage, NULL}};
   const VkDescriptorSetLayoutCreateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
      .bindingCount = UTIL_ARRAY_SIZE(bindings), .pBindings = bindings};
   const VkPushConstantRange range = {stage, 0, 8};
   client_check(vk.CreateDescriptorSetLayout(s->client.device, &set_info, NULL, &s->set_layout), "vkCreateDescriptorSetLayout");
   const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1,
                                                   .pSetLayouts = &s->set_layout, .pushConstantRangeCount = 1,
                                                   .pPushConstantRanges = &range};
   client_check(vk.CreatePipelineLayout(s->client.device, &layout_info, NULL, &s->layout), "vkCreatePipelineLayout");
   const VkShaderModule module = client_shader(&s->client, words_comp, sizeof(words_comp));
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t factor = i ? 100 : 1;
      const VkSpecializationMapEntry entry = {0, 0, 4};
      const VkSpecializationInfo constants = {1, &entry, 4, &factor};
      const VkPipelineCreateFlags2CreateInfo flags = {
         .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
         .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_BUFFER_BIT_EXT | VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
      const VkComputePipelineCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags, .layout = s->layout,
         .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                   .module = module, .pName = "main", .pSpecializationInfo = &constants}};
      client_check(vk.CreateComputePipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipelines[i]),
                   "vkCreateComputePipelines");
   }
   vk.DestroyShaderModule(s->client.device, module, NULL);
   init_set(s);
}

static void scene_finish(struct scene *s)
{
   struct client_buffer *buffers[] = {&s->outs[0], &s->outs[1], &s->texels, &s->uniforms, &s->set};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(buffers); i++)
      client_buffer_destroy(&s->client, buffers[i]);
   vk.DestroyPipeline(s->client.device, s->pipelines[0], NULL);
   vk.DestroyPipeline(s->client.device, s->pipelines[1], NULL);
   vk.DestroyPipelineLayout(s->client.device, s->layout, NULL);
   vk.DestroyDescriptorSetLayout(s->client.device, s->set_layout, NULL);
   client_finish(&s->client);
}

static VkCommandBuffer begin(struct scene *s)
{
   const VkDescriptorBufferBindingInfoEXT binding = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT,
                                                     .address = address_of(&s->client, &s->set),
                                                     .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT};
   const uint32_t index = 0;
   const VkDeviceSize offset = 0;
   VkCommandBuffer cmd = client_begin(&s->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipelines[0]);
   ext.CmdBindDescriptorBuffersEXT(cmd, 1, &binding);
   ext.CmdSetDescriptorBufferOffsetsEXT(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &index, &offset);
   return cmd;
}

/* The words of a sequence are what the shader makes of these. */
static bool has_words(struct scene *s, uint32_t sequence, uint32_t factor, uint32_t added)
{
   const uint32_t *words = (const uint32_t *)s->outs[sequence & 1].map + sequence * INVOCATIONS;
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      if (words[i] != (10 + i) * factor + VALUE + added)
         return false;
   }
   return true;
}

static bool is_untouched(struct scene *s, uint32_t sequence)
{
   static const uint32_t zeros[INVOCATIONS];
   return memcmp((const uint32_t *)s->outs[sequence & 1].map + sequence * INVOCATIONS, zeros, sizeof(zeros)) == 0;
}

TEST(descriptor_buffer)
{
   struct scene s;
   scene_init(&s);
   for (uint32_t i = 0; i < 2; i++) {
      const uint32_t push[2] = {7, i};
      VkCommandBuffer cmd = begin(&s);
      vk.CmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
      vk.CmdDispatch(cmd, 1, 1, 1);
      client_barrier(cmd);
      client_run(&s.client, cmd);
      CHECK(has_words(&s, i, 1, 7));
   }
   /* A descriptor that changes between two submissions is read anew. */
   const VkDescriptorAddressInfoEXT other = whole(&s, &s.outs[1], VK_FORMAT_UNDEFINED);
   put(&s, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &other);
   const uint32_t push[2] = {9, 2};
   VkCommandBuffer cmd = begin(&s);
   vk.CmdPushConstants(cmd, s.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(&s.client, cmd);
   CHECK(is_untouched(&s, 2));
   CHECK_EQ(((const uint32_t *)s.outs[1].map)[2 * INVOCATIONS], 10 + VALUE + 9);
   scene_finish(&s);
}

/* What the shader makes of sequence 0 where some of its descriptors are null. */
static bool has_sum(struct scene *s, bool has_texels, bool has_uniforms, uint32_t added)
{
   const uint32_t *words = s->outs[0].map;
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      if (words[i] != (has_texels ? 10 + i : 0) + (has_uniforms ? VALUE : 0) + added)
         return false;
   }
   return true;
}

static void dispatch_once(struct scene *s, uint32_t added)
{
   const uint32_t push[2] = {added, 0};
   memset(s->outs[0].map, 0, WORDS * 4);
   VkCommandBuffer cmd = begin(s);
   vk.CmdPushConstants(cmd, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

static uint8_t random_byte(uint64_t *state)
{
   return (uint8_t)(random_step(state) >> 56);
}

/* A bit that changes, random words, descriptors of another class: each is the null descriptor, and the others are what they were. */
TEST(garbage_in_a_descriptor_buffer)
{
   enum { NUM = 5, ROUNDS = 300 }; /* out, other out, texels, uniforms, null */
   struct scene s;
   uint8_t good[NUM][16];
   uint64_t state = 1;
   scene_init(&s);
   uint8_t *at[NUM];
   for (uint32_t d = 0; d < NUM; d++) {
      VkDeviceSize offset;
      ext.GetDescriptorSetLayoutBindingOffsetEXT(s.client.device, s.set_layout, d < 2 ? 0 : d - 1, &offset);
      at[d] = (uint8_t *)s.set.map + offset + (d == 1 ? 16 : 0);
      memcpy(good[d], at[d], 16);
   }
   for (uint32_t round = 0; round < ROUNDS; round++) {
      const uint32_t d = round % NUM;
      if (round / NUM < 3) {
         memcpy(at[d], good[d < 2 ? 2 : 0], 16); /* a texel buffer as a buffer, a buffer as something else */
      } else if (round / NUM < 20) {
         for (uint32_t i = 0; i < 16; i++)
            at[d][i] = random_byte(&state);
      } else {
         const uint32_t bit = random_byte(&state) & 127;
         at[d][bit / 8] ^= (uint8_t)(1u << (bit & 7));
      }
      /* storage buffer for uniform buffer, or for the null one, is the same class: only its contents differ */
      const bool is_same_class = round / NUM < 3 && d > 2;
      dispatch_once(&s, 7);
      if (!is_same_class)
         CHECK(d == 0 ? is_untouched(&s, 0) : has_sum(&s, d != 2, d != 3, 7));
      memcpy(at[d], good[d], 16);
   }
   dispatch_once(&s, 8);
   CHECK(has_sum(&s, true, true, 8));
   scene_finish(&s);
}

/* One sequence in memory. */
struct sequence {
   uint32_t pipeline, added;
   VkDispatchIndirectCommand size;
};

static VkIndirectCommandsLayoutEXT token_layout(struct scene *s)
{
   const VkShaderStageFlags stage = VK_SHADER_STAGE_COMPUTE_BIT;
   const VkIndirectCommandsExecutionSetTokenEXT set = {VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, stage};
   const VkIndirectCommandsPushConstantTokenEXT added = {{stage, 0, 4}}, number = {{stage, 4, 4}};
   const VkIndirectCommandsLayoutTokenEXT tokens[] = {
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_EXECUTION_SET_EXT,
       {.pExecutionSet = &set}, offsetof(struct sequence, pipeline)},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT,
       {.pPushConstant = &added}, offsetof(struct sequence, added)},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_SEQUENCE_INDEX_EXT,
       {.pPushConstant = &number}, offsetof(struct sequence, size)},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, {NULL},
       offsetof(struct sequence, size)}};
   const VkIndirectCommandsLayoutCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                       .shaderStages = stage, .indirectStride = sizeof(struct sequence),
                                                       .pipelineLayout = s->layout, .tokenCount = UTIL_ARRAY_SIZE(tokens),
                                                       .pTokens = tokens};
   VkIndirectCommandsLayoutEXT layout;
   client_check(ext.CreateIndirectCommandsLayoutEXT(s->client.device, &info, NULL, &layout), "vkCreateIndirectCommandsLayoutEXT");
   return layout;
}

static VkIndirectExecutionSetEXT execution_set(struct scene *s)
{
   const VkIndirectExecutionSetPipelineInfoEXT pipelines = {
      .sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT, .initialPipeline = s->pipelines[0], .maxPipelineCount = 3};
   const VkIndirectExecutionSetCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT,
                                                     .type = VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT,
                                                     .info = {.pPipelineInfo = &pipelines}};
   const VkWriteIndirectExecutionSetPipelineEXT write = {.sType = VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT,
                                                         .index = 1, .pipeline = s->pipelines[1]};
   VkIndirectExecutionSetEXT set;
   client_check(ext.CreateIndirectExecutionSetEXT(s->client.device, &info, NULL, &set), "vkCreateIndirectExecutionSetEXT");
   ext.UpdateIndirectExecutionSetPipelineEXT(s->client.device, set, 1, &write);
   return set;
}

/* Indices 2, which was not written, and UINT32_MAX, which the set does not have, end their sequences alone; the count in memory ends all. */
TEST(generated_commands)
{
   static const struct sequence sequences[SEQUENCES] = {{0, 1, {1, 1, 1}},          {1, 2, {1, 1, 1}}, {2, 3, {1, 1, 1}},
                                                        {UINT32_MAX, 4, {1, 1, 1}}, {0, 5, {1, 1, 1}}, {0, 6, {1, 1, 1}}};
   static const uint32_t counts[] = {5, UINT32_MAX};
   struct scene s;
   scene_init(&s);
   const VkIndirectCommandsLayoutEXT layout = token_layout(&s);
   const VkIndirectExecutionSetEXT set = execution_set(&s);
   struct client_buffer memory = addressed_buffer(&s.client, sizeof(sequences) + 4, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
   memcpy(memory.map, sequences, sizeof(sequences));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(counts); i++) {
      memcpy((char *)memory.map + sizeof(sequences), &counts[i], 4);
      const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                               .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT, .indirectExecutionSet = set,
                                               .indirectCommandsLayout = layout, .indirectAddress = address_of(&s.client, &memory),
                                               .indirectAddressSize = sizeof(sequences), .maxSequenceCount = SEQUENCES,
                                               .sequenceCountAddress = address_of(&s.client, &memory) + sizeof(sequences)};
      memset(s.outs[0].map, 0, WORDS * 4);
      memset(s.outs[1].map, 0, WORDS * 4);
      VkCommandBuffer cmd = begin(&s);
      ext.CmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &info);
      client_barrier(cmd);
      client_run(&s.client, cmd);
      CHECK(has_words(&s, 0, 1, 1));
      CHECK(has_words(&s, 1, 100, 2));
      CHECK(is_untouched(&s, 2));
      CHECK(is_untouched(&s, 3));
      CHECK(has_words(&s, 4, 1, 5));
      CHECK(counts[i] == 5 ? is_untouched(&s, 5) : has_words(&s, 5, 1, 6));
   }
   client_buffer_destroy(&s.client, &memory);
   ext.DestroyIndirectExecutionSetEXT(s.client.device, set, NULL);
   ext.DestroyIndirectCommandsLayoutEXT(s.client.device, layout, NULL);
   scene_finish(&s);
}

TEST(markers)
{
   struct client client;
   init_client(&client);
   struct client_buffer buffer = client_buffer_create(&client, 64, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VkCommandBuffer cmd = client_begin(&client);
   ext.CmdWriteBufferMarker2AMD(cmd, VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, buffer.buffer, 4, 0x11);
   vk.CmdFillBuffer(cmd, buffer.buffer, 8, 4, 0x22);
   ext.CmdWriteBufferMarker2AMD(cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, buffer.buffer, 8, 0x33);
   client_barrier(cmd);
   client_run(&client, cmd);
   const uint32_t *words = buffer.map;
   CHECK_EQ(words[0], 0);
   CHECK_EQ(words[1], 0x11);
   CHECK_EQ(words[2], 0x33); /* after the fill */
   CHECK_EQ(words[3], 0);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
}

/* The device sees what is written through the mapping, and vice versa; unmapped with RESERVE the addresses stay taken. */
TEST(placed_maps)
{
   enum { PAGE = 4096, BYTES = 4 * PAGE };
   struct client client;
   init_client(&client);
   struct client_buffer buffer = client_buffer_create(&client, 8 * PAGE, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   VkDeviceMemory memory;
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = BYTES};
   client_check(vk.AllocateMemory(client.device, &allocate, NULL, &memory), "vkAllocateMemory");
   uint8_t *at = mmap(NULL, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   const VkMemoryMapPlacedInfoEXT placed = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_PLACED_INFO_EXT, .pPlacedAddress = at};
   const VkMemoryMapInfo map = {.sType = VK_STRUCTURE_TYPE_MEMORY_MAP_INFO, .pNext = &placed, .flags = VK_MEMORY_MAP_PLACED_BIT_EXT,
                                .memory = memory, .offset = PAGE, .size = 2 * PAGE};
   const VkMemoryUnmapInfo unmap = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .memory = memory};
   const VkMemoryUnmapInfo reserve = {.sType = VK_STRUCTURE_TYPE_MEMORY_UNMAP_INFO, .flags = VK_MEMORY_UNMAP_RESERVE_BIT_EXT,
                                      .memory = memory};
   void *got = NULL, *plain = NULL;
   client_check(ext.MapMemory2KHR(client.device, &map, &got), "vkMapMemory2");
   CHECK(got == at);
   memset(at, 0x5a, 2 * PAGE);
   client_check(ext.UnmapMemory2KHR(client.device, &reserve), "vkUnmapMemory2");
   CHECK(mmap(at, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) == MAP_FAILED);
   client_check(vk.MapMemory(client.device, memory, 0, VK_WHOLE_SIZE, 0, &plain), "vkMapMemory");
   CHECK_EQ(((uint8_t *)plain)[PAGE - 1], 0);
   CHECK_EQ(((uint8_t *)plain)[PAGE], 0x5a);
   CHECK_EQ(((uint8_t *)plain)[3 * PAGE - 1], 0x5a);
   CHECK_EQ(((uint8_t *)plain)[3 * PAGE], 0);
   client_check(ext.UnmapMemory2KHR(client.device, &unmap), "vkUnmapMemory2");
   client_check(ext.MapMemory2KHR(client.device, &map, &got), "vkMapMemory2");
   CHECK_EQ(at[0], 0x5a);
   client_check(ext.UnmapMemory2KHR(client.device, &unmap), "vkUnmapMemory2");
   vk.FreeMemory(client.device, memory, NULL);
   client_buffer_destroy(&client, &buffer);
   client_finish(&client);
}

TEST_MAIN
