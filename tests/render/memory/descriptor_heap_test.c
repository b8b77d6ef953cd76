/* SPDX-License-Identifier: MIT
 * Descriptor heaps: bindings that are mapped to everything they can be, heaps that shaders walk through themselves, garbage, embedded samplers,
 * secondary command buffers, generated push data. Argument: heaps.comp.spvasm. */
#include "tests/icd/validate/spvasm.h"
#include "tests/render/memory/addressed.h"
#include "tests/test.h"
#include "util/macros.h"

#include "mapped.comp.h"

#include <string.h>

#ifndef VK_EXT_descriptor_heap
int main(void)
{
   return 77;
}
#else

#define FUNCTIONS(X)                                                                                                   \
   X(WriteSamplerDescriptorsEXT) X(WriteResourceDescriptorsEXT) X(CmdBindSamplerHeapEXT) X(CmdBindResourceHeapEXT)      \
   X(CmdPushDataEXT) X(RegisterCustomBorderColorEXT) X(UnregisterCustomBorderColorEXT) X(CmdExecuteCommands)            \
   X(CreateIndirectCommandsLayoutEXT) X(DestroyIndirectCommandsLayoutEXT) X(CmdExecuteGeneratedCommandsEXT)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

enum { INVOCATIONS = 4, SLOT = 16, NUM_SLOTS = 64, DATA_AT = 512 }; /* descriptors of the heaps; words in the resource heap itself */

/* What stands in the resource heap: by slot. */
enum { S_CONSTANT, S_OUT0, S_OUT1, S_TEXELS0, S_TEXELS1, S_COUNTER, S_IMAGE, S_NUM };
/* Samplers: 0 is the null descriptor. */
enum { S_EDGE = 1, S_BORDER = 2 };

static const char *heaps_path;

struct push_data {
   uint32_t number, out_index; /* in S_OUT0's units */
   uint32_t value[4];          /* the uniform block `pushed` */
   VkDeviceAddress addressed, indirect, indices;
   uint32_t heap_data, packed;
};

struct scene {
   struct client client;
   VkPipeline mapped;
   struct client_buffer resources, samplers, constant, outs[2], texels[2], addressed, indirect_target, indirect, indices;
   struct client_image image, counter;
   struct push_data push;
};

/* The rule that the driver reported last. */
static char reported[100];

static void note_message(void *data, const char *id, const char *message)
{
   snprintf(reported, sizeof(reported), "%s", id);
}

static void init_client(struct client *client)
{
   static const char *const extensions[] = {"VK_KHR_maintenance5", "VK_EXT_descriptor_heap", "VK_KHR_shader_untyped_pointers",
                                            "VK_EXT_custom_border_color", "VK_EXT_device_generated_commands", "VK_EXT_robustness2"};
   static VkPhysicalDeviceRobustness2FeaturesEXT robustness = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT, .nullDescriptor = VK_TRUE};
   static VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT, .pNext = &robustness, .deviceGeneratedCommands = VK_TRUE};
   static VkPhysicalDeviceCustomBorderColorFeaturesEXT border = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT, .pNext = &generated, .customBorderColors = VK_TRUE};
   static VkPhysicalDeviceShaderUntypedPointersFeaturesKHR untyped = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_UNTYPED_POINTERS_FEATURES_KHR, .pNext = &border, .shaderUntypedPointers = VK_TRUE};
   static VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT, .pNext = &untyped, .descriptorHeap = VK_TRUE};
   static VkPhysicalDeviceMaintenance5Features maintenance = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES, .pNext = &heaps, .maintenance5 = VK_TRUE};
   static VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &maintenance,
                                                     .bufferDeviceAddress = VK_TRUE, .shaderUniformTexelBufferArrayDynamicIndexing = VK_TRUE};
   const VkPhysicalDeviceFeatures features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE};
   const struct client_options options = {.features = &features, .next = &core12, .device_extensions = extensions,
                                          .num_device_extensions = UTIL_ARRAY_SIZE(extensions), .on_message = note_message, .api_version = VK_API_VERSION_1_3};
   client_init(client, &options);
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(client->device, "vk" #name);
   FUNCTIONS(X)
#undef X
}

static void put(struct scene *s, uint32_t slot, VkDescriptorType type, VkResourceDescriptorDataEXT data)
{
   const VkResourceDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT, .type = type, .data = data};
   const VkHostAddressRangeEXT to = {(char *)s->resources.map + (size_t)slot * SLOT, SLOT};
   client_check(ext.WriteResourceDescriptorsEXT(s->client.device, 1, &info, &to), "vkWriteResourceDescriptorsEXT");
}

static void put_buffer(struct scene *s, uint32_t slot, VkDescriptorType type, const struct client_buffer *buffer)
{
   const VkDeviceAddressRangeEXT range = {address_of(&s->client, buffer), buffer->size_bytes};
   put(s, slot, type, (VkResourceDescriptorDataEXT){.pAddressRange = &range});
}

static void put_texels(struct scene *s, uint32_t slot, const struct client_buffer *buffer)
{
   const VkTexelBufferDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT, .format = VK_FORMAT_R32_UINT,
                                                .addressRange = {address_of(&s->client, buffer), buffer->size_bytes}};
   put(s, slot, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, (VkResourceDescriptorDataEXT){.pTexelBuffer = &info});
}

static void put_image(struct scene *s, uint32_t slot, VkDescriptorType type, const struct client_image *image)
{
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image->format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   const VkImageDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT, .pView = &view, .layout = VK_IMAGE_LAYOUT_GENERAL};
   put(s, slot, type, (VkResourceDescriptorDataEXT){.pImage = &info});
}

static VkSamplerCreateInfo sampler_info(VkSamplerAddressMode mode, VkBorderColor color)
{
   return (VkSamplerCreateInfo){.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .addressModeU = mode, .addressModeV = mode, .addressModeW = mode,
                                .borderColor = color};
}

static void put_sampler(struct scene *s, uint32_t slot, const VkSamplerCreateInfo *info)
{
   const VkHostAddressRangeEXT to = {(char *)s->samplers.map + (size_t)slot * SLOT, SLOT};
   client_check(ext.WriteSamplerDescriptorsEXT(s->client.device, 1, info, &to), "vkWriteSamplerDescriptorsEXT");
}

static VkDescriptorSetAndBindingMappingEXT mapping(uint32_t set, uint32_t binding, VkDescriptorMappingSourceEXT source,
                                                   VkDescriptorMappingSourceDataEXT data)
{
   return (VkDescriptorSetAndBindingMappingEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT, .descriptorSet = set,
                                                .firstBinding = binding, .bindingCount = 1, .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
                                                .source = source, .sourceData = data};
}

#define PUSH(field) (uint32_t)offsetof(struct push_data, field)
#define SOURCE(name) VK_DESCRIPTOR_MAPPING_SOURCE_##name##_EXT
#define DATA(...) (VkDescriptorMappingSourceDataEXT){__VA_ARGS__}

static VkResult try_pipeline(struct client *client, VkShaderModule module, uint32_t count, const VkDescriptorSetAndBindingMappingEXT *mappings,
                             VkPipeline *pipeline)
{
   const VkShaderDescriptorSetAndBindingMappingInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
                                                               .mappingCount = count, .pMappings = mappings};
   const VkPipelineCreateFlags2CreateInfo flags = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
      .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT | VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
   const VkComputePipelineCreateInfo create = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = &info, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module, .pName = "main"}};
   return vk.CreateComputePipelines(client->device, VK_NULL_HANDLE, 1, &create, NULL, pipeline);
}

static VkPipeline heap_pipeline(struct client *client, VkShaderModule module, uint32_t count, const VkDescriptorSetAndBindingMappingEXT *mappings)
{
   VkPipeline pipeline;
   client_check(try_pipeline(client, module, count, mappings, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

enum { NUM_MAPPINGS = 12 };

/* What the bindings of mapped.comp are mapped to. */
static void fill_mappings(VkDescriptorSetAndBindingMappingEXT mappings[NUM_MAPPINGS], const VkSamplerCreateInfo *border)
{
   const VkDescriptorSetAndBindingMappingEXT all[NUM_MAPPINGS] = {
      /* the first binding counts as an element: binding 1 of from 0 on is one further */
      mapping(9, 0, SOURCE(HEAP_WITH_PUSH_INDEX), DATA(.pushIndex = {.heapOffset = 0, .pushOffset = PUSH(out_index), .heapIndexStride = SLOT, .heapArrayStride = SLOT})),
      mapping(0, 0, SOURCE(HEAP_WITH_CONSTANT_OFFSET), DATA(.constantOffset = {.heapOffset = S_CONSTANT * SLOT})),
      mapping(0, 1, SOURCE(PUSH_DATA), DATA(.pushDataOffset = PUSH(value))),
      mapping(0, 2, SOURCE(PUSH_ADDRESS), DATA(.pushAddressOffset = PUSH(addressed))),
      mapping(0, 3, SOURCE(INDIRECT_ADDRESS), DATA(.indirectAddress = {.pushOffset = PUSH(indirect), .addressOffset = 8})),
      mapping(0, 4, SOURCE(RESOURCE_HEAP_DATA), DATA(.heapData = {.heapOffset = DATA_AT, .pushOffset = PUSH(heap_data)})),
      mapping(0, 5, SOURCE(HEAP_WITH_INDIRECT_INDEX_ARRAY),
              DATA(.indirectIndexArray = {.pushOffset = PUSH(indices), .addressOffset = 8, .heapIndexStride = SLOT})),
      mapping(0, 6, SOURCE(HEAP_WITH_INDIRECT_INDEX),
              DATA(.indirectIndex = {.heapOffset = SLOT, .pushOffset = PUSH(indices), .addressOffset = 4, .heapIndexStride = SLOT, .heapArrayStride = SLOT})),
      mapping(1, 0, SOURCE(HEAP_WITH_PUSH_INDEX),
              DATA(.pushIndex = {.pushOffset = PUSH(packed), .heapIndexStride = SLOT, .useCombinedImageSamplerIndex = VK_TRUE, .samplerHeapIndexStride = SLOT})),
      mapping(1, 1, SOURCE(HEAP_WITH_CONSTANT_OFFSET), DATA(.constantOffset = {.heapOffset = S_IMAGE * SLOT, .pEmbeddedSampler = border})),
      mapping(60, 60000, SOURCE(HEAP_WITH_CONSTANT_OFFSET), DATA(.constantOffset = {.heapOffset = S_IMAGE * SLOT})),
      mapping(1, 7, SOURCE(HEAP_WITH_CONSTANT_OFFSET), DATA(.constantOffset = {.heapOffset = S_BORDER * SLOT})),
   };
   memcpy(mappings, all, sizeof(all));
   mappings[0].bindingCount = 2;
}

static void init_pipeline(struct scene *s)
{
   const VkSamplerCreateInfo border = sampler_info(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   VkDescriptorSetAndBindingMappingEXT mappings[NUM_MAPPINGS];
   fill_mappings(mappings, &border);
   const VkShaderModule module = client_shader(&s->client, mapped_comp, sizeof(mapped_comp));
   s->mapped = heap_pipeline(&s->client, module, NUM_MAPPINGS, mappings);
   vk.DestroyShaderModule(s->client.device, module, NULL);
}

static void clear(struct scene *s, const struct client_image *image, VkClearColorValue color)
{
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   VkCommandBuffer cmd = client_begin(&s->client);
   client_transition(cmd, image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

static void scene_init(struct scene *s)
{
   *s = (struct scene){0};
   init_client(&s->client);
   struct client *c = &s->client;
   s->resources = addressed_buffer(c, 1024, VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT);
   s->samplers = addressed_buffer(c, NUM_SLOTS * SLOT, VK_BUFFER_USAGE_2_DESCRIPTOR_HEAP_BIT_EXT);
   s->constant = addressed_buffer(c, 16, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
   s->addressed = addressed_buffer(c, 16, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
   s->indirect_target = addressed_buffer(c, 16, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
   s->indirect = addressed_buffer(c, 16, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
   s->indices = addressed_buffer(c, 16, VK_BUFFER_USAGE_2_UNIFORM_BUFFER_BIT);
   for (uint32_t i = 0; i < 2; i++) {
      s->outs[i] = addressed_buffer(c, INVOCATIONS * 4, VK_BUFFER_USAGE_2_STORAGE_BUFFER_BIT);
      s->texels[i] = addressed_buffer(c, INVOCATIONS * 4, VK_BUFFER_USAGE_2_UNIFORM_TEXEL_BUFFER_BIT);
      put_buffer(s, S_OUT0 + i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &s->outs[i]);
      put_texels(s, S_TEXELS0 + i, &s->texels[i]);
      for (uint32_t k = 0; k < INVOCATIONS; k++)
         ((uint32_t *)s->texels[i].map)[k] = 4 * i + k;
   }
   const VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
   s->image = client_image_create(c, VK_FORMAT_R32_SFLOAT, 2, 2, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   s->counter = client_image_create(c, VK_FORMAT_R32_UINT, 4, 1, 1, VK_SAMPLE_COUNT_1_BIT, usage);
   clear(s, &s->image, (VkClearColorValue){.float32 = {8}});
   clear(s, &s->counter, (VkClearColorValue){.uint32 = {0}});
   put_buffer(s, S_CONSTANT, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &s->constant);
   put_image(s, S_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &s->image);
   put_image(s, S_COUNTER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &s->counter);
   const VkSamplerCreateInfo edge = sampler_info(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE, VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK);
   const VkSamplerCreateInfo border = sampler_info(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   put_sampler(s, S_EDGE, &edge);
   put_sampler(s, S_BORDER, &border);
   memcpy(s->constant.map, (uint32_t[]){1, 9, 9, 9}, 16);
   memcpy(s->addressed.map, (uint32_t[]){9, 9, 3, 9}, 16);
   memcpy(s->indirect_target.map, (uint32_t[]){9, 9, 9, 4}, 16);
   ((VkDeviceAddress *)s->indirect.map)[1] = address_of(c, &s->indirect_target);
   memcpy(s->indices.map, (uint32_t[]){99, S_COUNTER - 1, S_TEXELS1, S_TEXELS0}, 16);
   ((uint32_t *)((char *)s->resources.map + DATA_AT))[8] = 5;
   s->push = (struct push_data){.number = 0, .out_index = 0, .value = {9, 2, 9, 9}, .addressed = address_of(c, &s->addressed),
                                .indirect = address_of(c, &s->indirect), .indices = address_of(c, &s->indices), .heap_data = 32,
                                .packed = S_EDGE << 20 | S_IMAGE};
   init_pipeline(s);
}

static void scene_finish(struct scene *s)
{
   struct client_buffer *buffers[] = {&s->resources, &s->samplers, &s->constant, &s->outs[0], &s->outs[1], &s->texels[0], &s->texels[1],
                                      &s->addressed, &s->indirect_target, &s->indirect, &s->indices};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(buffers); i++)
      client_buffer_destroy(&s->client, buffers[i]);
   client_image_destroy(&s->client, &s->image);
   client_image_destroy(&s->client, &s->counter);
   vk.DestroyPipeline(s->client.device, s->mapped, NULL);
   client_finish(&s->client);
}

static VkBindHeapInfoEXT heap_info(struct scene *s, const struct client_buffer *heap)
{
   return (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT, .heapRange = {address_of(&s->client, heap), heap->size_bytes}};
}

static void bind(struct scene *s, VkCommandBuffer cmd, VkPipeline pipeline)
{
   const VkBindHeapInfoEXT resources = heap_info(s, &s->resources), samplers = heap_info(s, &s->samplers);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   ext.CmdBindResourceHeapEXT(cmd, &resources);
   ext.CmdBindSamplerHeapEXT(cmd, &samplers);
}

static void push(VkCommandBuffer cmd, uint32_t offset, const void *data, size_t size)
{
   const VkPushDataInfoEXT info = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .offset = offset, .data = {data, size}};
   ext.CmdPushDataEXT(cmd, &info);
}

static void run(struct scene *s)
{
   VkCommandBuffer cmd = client_begin(&s->client);
   bind(s, cmd, s->mapped);
   push(cmd, 0, &s->push, sizeof(s->push));
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

/* What the shader makes of all that is there: the digits of its comment. Texels: element i & 1 is the buffer that the index of it says. */
static uint32_t word_of(uint32_t i)
{
   const uint32_t texel = (i & 1 ? 0 : 4) + i;
   return 54321 + texel * 100000 + 8 * 1000000 + 10000000 + 100000000;
}

static bool has_words(const struct client_buffer *out, uint32_t less)
{
   for (uint32_t i = 0; i < INVOCATIONS; i++) {
      if (((const uint32_t *)out->map)[i] != word_of(i) - less)
         return false;
   }
   return true;
}

TEST(mapped_bindings)
{
   struct scene s;
   scene_init(&s);
   run(&s);
   CHECK(has_words(&s.outs[0], 0));
   CHECK_EQ(((const uint32_t *)s.outs[1].map)[0], 0);
   s.push.number = 1; /* the next element */
   run(&s);
   CHECK(has_words(&s.outs[1], 0));
   s.push.number = 0;
   s.push.out_index = 1; /* the same word by the other number */
   memset(s.outs[1].map, 0, INVOCATIONS * 4);
   run(&s);
   CHECK(has_words(&s.outs[1], 0));
   scene_finish(&s);
}

/* Equal descriptors have equal bits; so has an image's that was made again. */
TEST(equal_descriptors)
{
   struct scene s;
   scene_init(&s);
   const struct { uint32_t slot; } slots[] = {{S_CONSTANT}, {S_TEXELS0}, {S_COUNTER}, {S_IMAGE}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(slots); i++) {
      uint8_t first[SLOT];
      uint8_t *at = (uint8_t *)s.resources.map + slots[i].slot * SLOT;
      memcpy(first, at, SLOT);
      memset(at, 0xee, SLOT);
      switch (slots[i].slot) {
      case S_CONSTANT: put_buffer(&s, S_CONSTANT, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &s.constant); break;
      case S_TEXELS0: put_texels(&s, S_TEXELS0, &s.texels[0]); break;
      case S_COUNTER: put_image(&s, S_COUNTER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &s.counter); break;
      default: put_image(&s, S_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &s.image); break;
      }
      CHECK(!memcmp(first, at, SLOT));
   }
   scene_finish(&s);
}

/* Whatever is no descriptor of its class is the null descriptor; what is outside of the heap too. */
TEST(garbage_in_heaps)
{
   struct scene s;
   scene_init(&s);
   const struct { uint32_t slot, less; } rows[] = {{S_CONSTANT, 1}, {S_IMAGE, 8 * 1000000 + 10000000 + 100000000}};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      uint8_t good[SLOT], *at = (uint8_t *)s.resources.map + rows[i].slot * SLOT;
      memcpy(good, at, SLOT);
      for (uint32_t bit = 0; bit < 128; bit += 5) {
         at[bit / 8] ^= (uint8_t)(1u << bit % 8);
         run(&s);
         CHECK(has_words(&s.outs[0], rows[i].less));
         memcpy(at, good, SLOT);
      }
      memcpy(at, (uint8_t *)s.resources.map + (rows[i].slot == S_IMAGE ? S_CONSTANT : S_IMAGE) * SLOT, SLOT); /* another class */
      run(&s);
      CHECK(has_words(&s.outs[0], rows[i].less));
      memcpy(at, good, SLOT);
   }
   memset(s.outs[0].map, 0, INVOCATIONS * 4);
   s.push.out_index = 1u << 27; /* past the end, and wrapping */
   run(&s);
   CHECK_EQ(((const uint32_t *)s.outs[0].map)[0], 0);
   s.push.out_index = 0;
   run(&s);
   CHECK(has_words(&s.outs[0], 0));
   scene_finish(&s);
}

/* Of an address that is no multiple of 16 bytes the bytes there are taken, which are no descriptor: as if each binding were the null descriptor. */
TEST(misaligned_addresses)
{
   const struct { uint32_t index, bytes, less; } rows[] = {{1, 4, 1}, {1, 8, 1}, {9, 8, 10000000}, {10, 12, 100000000}, {7, 8, 0}};
   const VkSamplerCreateInfo border = sampler_info(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   struct scene s;
   scene_init(&s);
   const VkPipeline good = s.mapped;
   const VkShaderModule module = client_shader(&s.client, mapped_comp, sizeof(mapped_comp));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      VkDescriptorSetAndBindingMappingEXT mappings[NUM_MAPPINGS];
      fill_mappings(mappings, &border);
      *(uint32_t *)&mappings[rows[i].index].sourceData += rows[i].bytes; /* of each type the heap's offset stands first */
      s.mapped = heap_pipeline(&s.client, module, NUM_MAPPINGS, mappings);
      run(&s);
      CHECK(has_words(&s.outs[0], rows[i].less));
      vk.DestroyPipeline(s.client.device, s.mapped, NULL);
   }
   s.mapped = good;
   vk.DestroyShaderModule(s.client.device, module, NULL);
   scene_finish(&s);
}

/* A secondary command buffer has its primary's heaps; generated sequences push data. */
TEST(inherited_and_generated)
{
   struct scene s;
   scene_init(&s);
   const VkBindHeapInfoEXT resources = heap_info(&s, &s.resources), samplers = heap_info(&s, &s.samplers);
   const VkCommandBufferInheritanceDescriptorHeapInfoEXT heaps = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_DESCRIPTOR_HEAP_INFO_EXT,
                                                                  .pSamplerHeapBindInfo = &samplers, .pResourceHeapBindInfo = &resources};
   const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO, .pNext = &heaps};
   const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, .pInheritanceInfo = &inheritance};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = s.client.pool,
                                                 .level = VK_COMMAND_BUFFER_LEVEL_SECONDARY, .commandBufferCount = 1};
   VkCommandBuffer secondary;
   client_check(vk.AllocateCommandBuffers(s.client.device, &allocate, &secondary), "vkAllocateCommandBuffers");
   client_check(vk.BeginCommandBuffer(secondary, &begin), "vkBeginCommandBuffer");
   vk.CmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, s.mapped);
   push(secondary, 0, &s.push, sizeof(s.push));
   vk.CmdDispatch(secondary, 1, 1, 1);
   client_check(vk.EndCommandBuffer(secondary), "vkEndCommandBuffer");
   VkCommandBuffer cmd = client_begin(&s.client);
   bind(&s, cmd, s.mapped);
   ext.CmdExecuteCommands(cmd, 1, &secondary);
   client_barrier(cmd);
   client_run(&s.client, cmd);
   CHECK(has_words(&s.outs[0], 0));

   const VkIndirectCommandsPushConstantTokenEXT number = {{VK_SHADER_STAGE_COMPUTE_BIT, PUSH(out_index), 4}};
   const VkIndirectCommandsLayoutTokenEXT tokens[] = {
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_DATA_EXT, {.pPushConstant = &number}, 0},
      {VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_EXT, NULL, VK_INDIRECT_COMMANDS_TOKEN_TYPE_DISPATCH_EXT, {NULL}, 4}};
   const VkIndirectCommandsLayoutCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_EXT,
                                                       .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT, .indirectStride = 16,
                                                       .tokenCount = UTIL_ARRAY_SIZE(tokens), .pTokens = tokens};
   VkIndirectCommandsLayoutEXT layout;
   client_check(ext.CreateIndirectCommandsLayoutEXT(s.client.device, &info, NULL, &layout), "vkCreateIndirectCommandsLayoutEXT");
   struct client_buffer sequences = addressed_buffer(&s.client, 32, VK_BUFFER_USAGE_2_INDIRECT_BUFFER_BIT);
   memcpy(sequences.map, (uint32_t[]){1, 1, 1, 1, 0, 1, 1, 1}, 32);
   memset(s.outs[0].map, 0, INVOCATIONS * 4);
   const VkGeneratedCommandsPipelineInfoEXT pipeline = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT, .pipeline = s.mapped};
   const VkGeneratedCommandsInfoEXT generated = {
      .sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT, .pNext = &pipeline, .shaderStages = VK_SHADER_STAGE_COMPUTE_BIT,
      .indirectCommandsLayout = layout, .indirectAddress = address_of(&s.client, &sequences), .indirectAddressSize = 32, .maxSequenceCount = 2};
   cmd = client_begin(&s.client);
   bind(&s, cmd, s.mapped);
   push(cmd, 0, &s.push, sizeof(s.push));
   ext.CmdExecuteGeneratedCommandsEXT(cmd, VK_FALSE, &generated);
   client_barrier(cmd);
   client_run(&s.client, cmd);
   CHECK(has_words(&s.outs[0], 0));
   CHECK(has_words(&s.outs[1], 0));
   ext.DestroyIndirectCommandsLayoutEXT(s.client.device, layout, NULL);
   client_buffer_destroy(&s.client, &sequences);
   scene_finish(&s);
}

/* Pipelines whose mappings break a rule are not made. */
TEST(broken_mappings)
{
   enum { OUT, CONSTANT, PUSHED, ADDRESSED, INDIRECT, HEAP, TEXELS, COUNTER, EDGE, BORDER, IMAGE, SAMPLER };
   const struct { uint32_t index; VkDescriptorMappingSourceEXT source; uint32_t offset; const char *rule; } rows[] = {
      {SAMPLER, SOURCE(PUSH_DATA), 0, "VUID-VkPipelineShaderStageCreateInfo-pNext-11315"},
      {INDIRECT, SOURCE(RESOURCE_HEAP_DATA), 0, "VUID-VkPipelineShaderStageCreateInfo-pNext-11315"},
      {PUSHED, SOURCE(PUSH_DATA), 244, "VUID-VkPipelineShaderStageCreateInfo-pNext-11316"},
      {ADDRESSED, SOURCE(SHADER_RECORD_ADDRESS), 0, "VUID-VkPipelineShaderStageCreateInfo-pNext-12454"},
      {COUNTER, SOURCE(PUSH_ADDRESS), 0, "VUID-VkPipelineShaderStageCreateInfo-pNext-11318"},
   };
   const VkSamplerCreateInfo border = sampler_info(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE);
   struct client client;
   VkPipeline pipeline;
   init_client(&client);
   const VkShaderModule module = client_shader(&client, mapped_comp, sizeof(mapped_comp));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      VkDescriptorSetAndBindingMappingEXT mappings[NUM_MAPPINGS];
      fill_mappings(mappings, &border);
      mappings[rows[i].index].source = rows[i].source;
      mappings[rows[i].index].sourceData = (VkDescriptorMappingSourceDataEXT){.pushDataOffset = rows[i].offset};
      reported[0] = 0;
      CHECK_EQ(try_pipeline(&client, module, NUM_MAPPINGS, mappings, &pipeline), VK_ERROR_INVALID_SHADER_NV);
      CHECK_STR(reported, rows[i].rule);
      mappings[rows[i].index].resourceMask = 0; /* no binding at all */
      CHECK_EQ(try_pipeline(&client, module, NUM_MAPPINGS, mappings, &pipeline), VK_ERROR_INVALID_SHADER_NV);
      CHECK_STR(reported, "VUID-VkComputePipelineCreateInfo-flags-11312");
   }
   vk.DestroyShaderModule(client.device, module, NULL);
   client_finish(&client);
}

TEST(border_colors)
{
   struct scene s;
   const VkSamplerCustomBorderColorCreateInfoEXT color = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT};
   uint32_t first = 77, second = 77, wanted = 5;
   scene_init(&s);
   CHECK_EQ(ext.RegisterCustomBorderColorEXT(s.client.device, &color, VK_FALSE, &first), VK_SUCCESS);
   CHECK_EQ(ext.RegisterCustomBorderColorEXT(s.client.device, &color, VK_FALSE, &second), VK_SUCCESS);
   CHECK(first != second);
   CHECK_EQ(ext.RegisterCustomBorderColorEXT(s.client.device, &color, VK_TRUE, &wanted), VK_SUCCESS);
   CHECK_EQ(wanted, 5);
   CHECK_EQ(ext.RegisterCustomBorderColorEXT(s.client.device, &color, VK_TRUE, &wanted), VK_ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
   ext.UnregisterCustomBorderColorEXT(s.client.device, wanted);
   CHECK_EQ(ext.RegisterCustomBorderColorEXT(s.client.device, &color, VK_TRUE, &wanted), VK_SUCCESS);
   scene_finish(&s);
}

/* The shader walks through the heaps itself. */
TEST(heaps_of_the_shader)
{
   struct scene s;
   struct spvasm module;
   CHECK(spvasm_load(&module, heaps_path));
   scene_init(&s);
   const VkShaderModule shader = client_shader(&s.client, module.words, module.num_words * 4);
   const VkPipeline pipeline = heap_pipeline(&s.client, shader, 0, NULL);
   vk.DestroyShaderModule(s.client.device, shader, NULL);
   put_buffer(&s, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &s.constant);
   put_buffer(&s, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &s.outs[0]);
   put_buffer(&s, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &s.outs[1]);
   put_image(&s, 3, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, &s.image);
   put_image(&s, 4, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, &s.counter);
   for (uint32_t count = 0; count < 2; count++) {
      VkCommandBuffer cmd = client_begin(&s.client);
      bind(&s, cmd, pipeline);
      vk.CmdDispatch(cmd, 1, 1, 1);
      client_barrier(cmd);
      client_run(&s.client, cmd);
      for (uint32_t i = 0; i < INVOCATIONS; i++)
         CHECK_EQ(((const uint32_t *)s.outs[1].map)[i], 9 + 80 + 100 * count);
   }
   CHECK_EQ(((const uint32_t *)s.outs[0].map)[0], 0);
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   spvasm_free(&module);
   scene_finish(&s);
}

int main(int argc, char **argv)
{
   heaps_path = argc > 1 ? argv[1] : "";
   return test_run_all(argc - 1, argv + 1);
}
#endif
