/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/calls_heaps.h"
#include "tests/client/rays.h"
#include "util/macros.h"

#ifndef VK_EXT_descriptor_heap

void *calls_heaps_features(void *next)
{
   return next;
}

void calls_heaps_init(struct world *w)
{
}

void calls_write_heaps(struct commands *c, struct input *in)
{
}

void calls_dispatch_with_heaps(struct commands *c, struct input *in)
{
}

#else

#include "calls_heaps_comp.h"

#include <stddef.h>
#include <string.h>

enum { SLOT = 16, NUM_SLOTS = 24, HEAP_BYTES = NUM_SLOTS * SLOT, NUM_WORDS = 20, NUM_PIPELINES_WITH_HEAPS = 4, NUM_BINDINGS = 5 };

#define FUNCTIONS(X)                                                                                                   \
   X(WriteSamplerDescriptorsEXT) X(WriteResourceDescriptorsEXT) X(CmdBindSamplerHeapEXT) X(CmdBindResourceHeapEXT) X(CmdPushDataEXT)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

struct push_data {
   uint32_t seed, index; /* of a descriptor */
   uint32_t packed;      /* of an image and a sampler, 20 and 12 bits */
   uint32_t heap_data;   /* bytes behind the heap's descriptors, where numbers stand */
   VkDeviceAddress numbers, indirect;
   uint32_t pushed[4];
};

/* What `indirect` leads to. */
struct indirect {
   VkDeviceAddress numbers;
   uint32_t words[NUM_WORDS]; /* indices of descriptors */
};

#define PUSH(field) (uint32_t)offsetof(struct push_data, field)
#define INDIRECT(field) (uint32_t)offsetof(struct indirect, field)
#define SOURCE(name) VK_DESCRIPTOR_MAPPING_SOURCE_##name##_EXT

static struct world *world;
static struct client_buffer resources, samplers, indirect;
static VkPipeline pipelines[NUM_PIPELINES_WITH_HEAPS];

void *calls_heaps_features(void *next)
{
   static VkPhysicalDeviceDescriptorHeapFeaturesEXT heaps = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_HEAP_FEATURES_EXT, .descriptorHeap = VK_TRUE};
   heaps.pNext = next;
   return &heaps;
}

/* ---- rows ---- */

static VkDeviceAddress address_in(const struct client_buffer *buffer, uint32_t offset)
{
   return client_address(&world->client, buffer) + offset;
}

static void write_resource(void *to, struct input *in)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                            VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER};
   const VkDescriptorType type = types[input_pick(in, UTIL_ARRAY_SIZE(types))];
   const uint32_t words = BUFFER_BYTES / 4, first = input_pick(in, words) & ~3u;
   const VkDeviceAddressRangeEXT range = {address_in(&world->buffers[input_pick(in, NUM_BUFFERS)], first * 4),
                                          (VkDeviceSize)(1 + input_pick(in, words - first)) * 4};
   const VkTexelBufferDescriptorInfoEXT texels = {.sType = VK_STRUCTURE_TYPE_TEXEL_BUFFER_DESCRIPTOR_INFO_EXT,
                                                  .format = VK_FORMAT_R32_UINT, .addressRange = range};
   const struct client_image *image = type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? &world->storage : &world->texture;
   const VkImageViewCreateInfo view = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .image = image->image, .viewType = VK_IMAGE_VIEW_TYPE_2D, .format = image->format,
      .components = {.r = image == &world->texture ? (VkComponentSwizzle)input_pick(in, 7) : VK_COMPONENT_SWIZZLE_IDENTITY},
      .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
   const VkImageDescriptorInfoEXT of_image = {.sType = VK_STRUCTURE_TYPE_IMAGE_DESCRIPTOR_INFO_EXT, .pView = &view, .layout = VK_IMAGE_LAYOUT_GENERAL};
   VkResourceDescriptorInfoEXT info = {.sType = VK_STRUCTURE_TYPE_RESOURCE_DESCRIPTOR_INFO_EXT, .type = type};
   const VkHostAddressRangeEXT at = {to, SLOT};
   if (type == VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER)
      info.data.pTexelBuffer = &texels;
   else if (type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE)
      info.data.pImage = &of_image;
   else
      info.data.pAddressRange = &range;
   client_check(ext.WriteResourceDescriptorsEXT(world->client.device, 1, &info, &at), "vkWriteResourceDescriptorsEXT");
}

static void write_sampler(void *to, struct input *in)
{
   const VkSamplerAddressMode mode = (VkSamplerAddressMode)input_pick(in, 4);
   const VkFilter filter = (VkFilter)input_pick(in, 2);
   const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .magFilter = filter, .minFilter = filter,
                                     .addressModeU = mode, .addressModeV = mode, .addressModeW = mode, .borderColor = (VkBorderColor)input_pick(in, 6)};
   const VkHostAddressRangeEXT at = {to, SLOT};
   client_check(ext.WriteSamplerDescriptorsEXT(world->client.device, 1, &info, &at), "vkWriteSamplerDescriptorsEXT");
}

/* Descriptors, or bytes, which are no descriptor and read as none; indices. */
void calls_write_heaps(struct commands *c, struct input *in)
{
   struct indirect *const to = indirect.map;
   uint8_t *const heaps[2] = {resources.map, samplers.map};
   const uint32_t count = 1 + input_pick(in, 8);
   world_wait(world);
   for (uint32_t i = 0; i < count; i++) {
      const uint32_t is_sampler = input_pick(in, 3) == 0, slot = input_pick(in, NUM_SLOTS);
      (is_sampler ? write_sampler : write_resource)(heaps[is_sampler] + (size_t)slot * SLOT, in);
   }
   to->words[input_pick(in, NUM_WORDS)] = input_pick(in, 3) ? input_pick(in, NUM_SLOTS) : (uint32_t)input_number(in);
   if (input_pick(in, 4) == 0)
      heaps[input_pick(in, 2)][input_pick(in, HEAP_BYTES)] ^= (uint8_t)input_byte(in);
}

/* All of a heap or a part that ends within a descriptor. */
static VkBindHeapInfoEXT heap_range(const struct client_buffer *heap, struct input *in)
{
   const uint32_t first = input_pick(in, 4) ? 0 : input_pick(in, NUM_SLOTS) * SLOT, all = HEAP_BYTES - first;
   return (VkBindHeapInfoEXT){.sType = VK_STRUCTURE_TYPE_BIND_HEAP_INFO_EXT, .heapRange = {address_in(heap, first), first ? 1 + input_pick(in, all) : all}};
}

static uint32_t any_index(struct input *in)
{
   return input_pick(in, 3) ? input_pick(in, NUM_SLOTS) : (uint32_t)input_number(in);
}

void calls_dispatch_with_heaps(struct commands *c, struct input *in)
{
   const VkBindHeapInfoEXT of_resources = heap_range(&resources, in), of_samplers = heap_range(&samplers, in);
   const struct push_data data = {.seed = (uint32_t)input_number(in), .index = any_index(in), .packed = any_index(in) << 20 | any_index(in),
                                  .heap_data = input_pick(in, 3) ? input_pick(in, NUM_SLOTS) * SLOT : (uint32_t)input_number(in) & ~15u,
                                  .numbers = address_in(&world->buffers[input_pick(in, NUM_BUFFERS)], input_pick(in, BUFFER_BYTES / 16) * 16),
                                  .indirect = address_in(&indirect, 0), .pushed = {input_byte(in), input_byte(in)}};
   const VkPushDataInfoEXT push = {.sType = VK_STRUCTURE_TYPE_PUSH_DATA_INFO_EXT, .data = {&data, sizeof(data)}};
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines[input_pick(in, NUM_PIPELINES_WITH_HEAPS)]);
   ext.CmdBindResourceHeapEXT(c->handle, &of_resources);
   ext.CmdBindSamplerHeapEXT(c->handle, &of_samplers);
   ext.CmdPushDataEXT(c->handle, &push);
   vk.CmdDispatch(c->handle, input_pick(in, 40), input_pick(in, 3), 1);
   world_bind(world, c, data.seed);
}

/* ---- the objects ---- */

/* Where the descriptors of a binding are, and its numbers: in each pipeline elsewhere. */
static void fill_mapping(VkDescriptorSetAndBindingMappingEXT *to, uint32_t pipeline, uint32_t binding, const VkSamplerCreateInfo *embedded)
{
   static const VkDescriptorMappingSourceEXT of_numbers[NUM_PIPELINES_WITH_HEAPS] = {SOURCE(PUSH_DATA), SOURCE(PUSH_ADDRESS), SOURCE(RESOURCE_HEAP_DATA),
                                                                                     SOURCE(INDIRECT_ADDRESS)};
   static const VkDescriptorMappingSourceEXT of_descriptors[NUM_PIPELINES_WITH_HEAPS] = {SOURCE(HEAP_WITH_CONSTANT_OFFSET), SOURCE(HEAP_WITH_PUSH_INDEX),
                                                                                         SOURCE(HEAP_WITH_INDIRECT_INDEX), SOURCE(HEAP_WITH_INDIRECT_INDEX_ARRAY)};
   const bool is_combined = binding == 1, is_numbers = binding == 3, is_embedded = binding == 4 && pipeline == 3;
   const uint32_t offset = binding * 2 * SLOT;
   *to = (VkDescriptorSetAndBindingMappingEXT){.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_AND_BINDING_MAPPING_EXT,
                                               .firstBinding = binding, .bindingCount = 1, .resourceMask = VK_SPIRV_RESOURCE_TYPE_ALL_EXT,
                                               .source = is_numbers ? of_numbers[pipeline] : of_descriptors[pipeline]};
   VkDescriptorMappingSourceDataEXT *data = &to->sourceData;
   switch (to->source) {
   case SOURCE(PUSH_DATA): data->pushDataOffset = PUSH(pushed); break;
   case SOURCE(PUSH_ADDRESS): data->pushAddressOffset = PUSH(numbers); break;
   case SOURCE(RESOURCE_HEAP_DATA): data->heapData.pushOffset = PUSH(heap_data); break;
   case SOURCE(INDIRECT_ADDRESS):
      data->indirectAddress = (VkDescriptorMappingSourceIndirectAddressEXT){PUSH(indirect), INDIRECT(numbers)};
      break;
   case SOURCE(HEAP_WITH_CONSTANT_OFFSET):
      data->constantOffset = (VkDescriptorMappingSourceConstantOffsetEXT){offset, SLOT, NULL, offset, SLOT};
      break;
   case SOURCE(HEAP_WITH_PUSH_INDEX):
      data->pushIndex = (VkDescriptorMappingSourcePushIndexEXT){
         .heapOffset = offset, .pushOffset = is_combined ? PUSH(packed) : PUSH(index), .heapIndexStride = SLOT, .heapArrayStride = SLOT,
         .useCombinedImageSamplerIndex = is_combined, .samplerHeapIndexStride = SLOT, .samplerHeapArrayStride = SLOT};
      break;
   case SOURCE(HEAP_WITH_INDIRECT_INDEX):
      data->indirectIndex = (VkDescriptorMappingSourceIndirectIndexEXT){
         .heapOffset = offset, .pushOffset = PUSH(indirect), .addressOffset = INDIRECT(words[binding]), .heapIndexStride = SLOT, .heapArrayStride = SLOT,
         .samplerPushOffset = PUSH(indirect), .samplerAddressOffset = INDIRECT(words[4]), .samplerHeapIndexStride = SLOT, .samplerHeapArrayStride = SLOT};
      break;
   default:
      data->indirectIndexArray = (VkDescriptorMappingSourceIndirectIndexArrayEXT){
         .heapOffset = offset, .pushOffset = PUSH(indirect), .addressOffset = INDIRECT(words[6 + binding * 2]), .heapIndexStride = SLOT,
         .pEmbeddedSampler = is_embedded ? embedded : NULL, .samplerPushOffset = PUSH(indirect), .samplerAddressOffset = INDIRECT(words[5 + binding * 2]),
         .samplerHeapIndexStride = SLOT};
   }
}

static VkPipeline make_pipeline(VkShaderModule module, uint32_t index)
{
   const VkSamplerCreateInfo embedded = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                         .addressModeV = VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
   VkDescriptorSetAndBindingMappingEXT mappings[NUM_BINDINGS];
   for (uint32_t i = 0; i < NUM_BINDINGS; i++)
      fill_mapping(&mappings[i], index, i, &embedded);
   const VkShaderDescriptorSetAndBindingMappingInfoEXT mapped = {.sType = VK_STRUCTURE_TYPE_SHADER_DESCRIPTOR_SET_AND_BINDING_MAPPING_INFO_EXT,
                                                                 .mappingCount = NUM_BINDINGS, .pMappings = mappings};
   const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                   .flags = VK_PIPELINE_CREATE_2_DESCRIPTOR_HEAP_BIT_EXT};
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .pNext = &flags,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .pNext = &mapped,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"}};
   VkPipeline pipeline;
   client_check(vk.CreateComputePipelines(world->client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   return pipeline;
}

void calls_heaps_init(struct world *w)
{
   const VkBufferUsageFlags addressed = VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
   world = w;
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   resources = client_buffer_create(&w->client, HEAP_BYTES, addressed | VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT);
   samplers = client_buffer_create(&w->client, HEAP_BYTES, addressed | VK_BUFFER_USAGE_DESCRIPTOR_HEAP_BIT_EXT);
   indirect = client_buffer_create(&w->client, sizeof(struct indirect), addressed | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
   ((struct indirect *)indirect.map)->numbers = address_in(&w->buffers[0], 64);
   VkShaderModule module = client_shader(&w->client, calls_heaps_comp, sizeof(calls_heaps_comp));
   for (uint32_t i = 0; i < NUM_PIPELINES_WITH_HEAPS; i++)
      pipelines[i] = make_pipeline(module, i);
   vk.DestroyShaderModule(w->client.device, module, NULL);
}

#endif
