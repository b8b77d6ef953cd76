/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/calls_extensions.h"
#include "tests/client/rays.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/render/memory/addressed.h"
#include "util/macros.h"

#include <string.h>

#include <vulkan/vulkan.h> /* provisional extensions, too */

#if !defined(VK_EXT_memory_decompression) || !defined(VK_KHR_copy_memory_indirect) || !defined(VK_AMDX_shader_enqueue) || VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION != 2

void *calls_extensions_features(void *next)
{
   return next;
}

void calls_extensions_init(struct world *w)
{
}

void calls_decompress(struct commands *c, struct input *in)
{
}

void calls_convert_matrices(struct commands *c, struct input *in)
{
}

void calls_copy_indirect(struct commands *c, struct input *in)
{
}

void calls_dispatch_vectors(struct commands *c, struct input *in)
{
}

void calls_process_images(struct commands *c, struct input *in)
{
}

void calls_dispatch_graph(struct commands *c, struct input *in)
{
}

#else

#define FUNCTIONS(X)                                                                                                   \
   X(CmdDecompressMemoryEXT) X(CmdDecompressMemoryIndirectCountEXT) X(CmdCopyMemoryIndirectKHR) X(CmdCopyMemoryToImageIndirectKHR)                           \
   X(CmdConvertCooperativeVectorMatrixNV) X(CreateExecutionGraphPipelinesAMDX) X(GetExecutionGraphPipelineScratchSizeAMDX)                                   \
   X(CmdInitializeGraphScratchMemoryAMDX) X(CmdDispatchGraphAMDX)

static struct {
#define X(name) PFN_vk##name name;
   FUNCTIONS(X)
#undef X
} ext;

enum { MAX_PARTS = 16, PARAMETER_BYTES = 2048, NUM_VECTOR_TYPES = 2, NUM_PICTURE_TYPES = 8, NUM_NODES = 10, SCRATCH_BYTES = 4096, PICTURE_SIZE = 24 };

static const VkDescriptorType picture_types[NUM_PICTURE_TYPES] = {
   VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM, VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM,
   VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM, VK_DESCRIPTOR_TYPE_SAMPLER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
   VK_DESCRIPTOR_TYPE_SAMPLER};

/* Of processing.comp.spvasm: what is processed, and weights of 4x4 phases. */
struct picture {
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
};

static struct world *world;
static struct client_buffer parameters; /* PARAMETER_BYTES, of each command as it is executed */
static struct client_set vector_set, picture_set, node_set;
static VkPipelineLayout vector_layout, picture_layout, node_layout;
static VkPipeline vectors, processing, graph;
static struct picture picture, weights;
static VkSampler samplers[2];
static struct client_buffer scratch;
static VkDeviceSize scratch_bytes;

void *calls_extensions_features(void *next)
{
   static VkPhysicalDeviceShaderEnqueueFeaturesAMDX graphs = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX, .shaderEnqueue = VK_TRUE};
   static VkPhysicalDeviceImageProcessingFeaturesQCOM images = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_PROCESSING_FEATURES_QCOM, .pNext = &graphs,
                                                                .textureSampleWeighted = VK_TRUE, .textureBoxFilter = VK_TRUE, .textureBlockMatch = VK_TRUE};
   static VkPhysicalDeviceCooperativeVectorFeaturesNV of_vectors = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_VECTOR_FEATURES_NV, .pNext = &images,
                                                                    .cooperativeVector = VK_TRUE};
   static VkPhysicalDeviceMemoryDecompressionFeaturesEXT decompression = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_DECOMPRESSION_FEATURES_EXT, .pNext = &of_vectors, .memoryDecompression = VK_TRUE};
   static VkPhysicalDeviceCopyMemoryIndirectFeaturesKHR copies = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COPY_MEMORY_INDIRECT_FEATURES_KHR,
                                                                  .pNext = &decompression, .indirectMemoryCopy = VK_TRUE, .indirectMemoryToImageCopy = VK_TRUE};
   graphs.pNext = next;
   return &copies;
}

/* ---- arguments ---- */

static const struct client_buffer *any_buffer(struct input *in)
{
   return &world->buffers[input_pick(in, NUM_BUFFERS)];
}

/* A part of one of the buffers: its address; `words` of four bytes, at least one. */
static VkDeviceAddress any_memory(struct input *in, uint32_t *words)
{
   const uint32_t all = BUFFER_BYTES / 4, first = input_pick(in, all);
   *words = 1 + input_pick(in, all - first);
   return client_address(&world->client, any_buffer(in)) + (VkDeviceAddress)first * 4;
}

/* Written into the command buffer, so that all commands that were recorded have their own. */
static VkDeviceAddress put_parameters(struct commands *c, const void *data, size_t size)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER, .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT};
   const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
   vk.CmdPipelineBarrier(c->handle, all, all, 0, 1, &barrier, 0, NULL, 0, NULL);
   vk.CmdUpdateBuffer(c->handle, parameters.buffer, 0, util_align(size, 4), data);
   vk.CmdPipelineBarrier(c->handle, all, all, 0, 1, &barrier, 0, NULL, 0, NULL);
   return client_address(&world->client, &parameters);
}

/* ---- rows ---- */

/* Of whatever stands in the buffers; what is decompressed may be what is written. */
void calls_decompress(struct commands *c, struct input *in)
{
   struct {
      uint32_t count[4];
      VkDecompressMemoryRegionEXT regions[MAX_PARTS];
   } data = {.count = {input_byte(in) % (MAX_PARTS + 1)}};
   const uint32_t count = 1 + input_pick(in, MAX_PARTS);
   uint32_t src_words, dst_words;
   for (uint32_t i = 0; i < MAX_PARTS; i++) {
      VkDecompressMemoryRegionEXT *region = &data.regions[i];
      region->srcAddress = any_memory(in, &src_words);
      region->dstAddress = any_memory(in, &dst_words);
      region->compressedSize = (VkDeviceSize)src_words * 4 - input_pick(in, 4);
      region->decompressedSize = (VkDeviceSize)dst_words * 4 - input_pick(in, 4);
   }
   if (input_pick(in, 2)) {
      const VkDecompressMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DECOMPRESS_MEMORY_INFO_EXT,
                                              .decompressionMethod = VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT,
                                              .regionCount = count,
                                              .pRegions = data.regions};
      ext.CmdDecompressMemoryEXT(c->handle, &info);
      return;
   }
   const VkDeviceAddress at = put_parameters(c, &data, sizeof(data));
   ext.CmdDecompressMemoryIndirectCountEXT(c->handle, VK_MEMORY_DECOMPRESSION_METHOD_GDEFLATE_1_0_BIT_EXT, at + sizeof(data.count), at, count,
                                           sizeof(data.regions[0]));
}

/* Sizes are those of what is bound; rows, columns, strides, types and layouts anything. */
void calls_convert_matrices(struct commands *c, struct input *in)
{
   static const VkComponentTypeKHR types[] = {VK_COMPONENT_TYPE_FLOAT16_KHR, VK_COMPONENT_TYPE_FLOAT32_KHR, VK_COMPONENT_TYPE_SINT8_KHR,
                                              VK_COMPONENT_TYPE_UINT8_KHR, VK_COMPONENT_TYPE_FLOAT_E4M3_NV, VK_COMPONENT_TYPE_FLOAT_E5M2_NV,
                                              VK_COMPONENT_TYPE_FLOAT64_KHR};
   VkConvertCooperativeVectorMatrixInfoNV infos[MAX_PARTS];
   size_t sizes[MAX_PARTS];
   const uint32_t count = 1 + input_pick(in, MAX_PARTS);
   for (uint32_t i = 0; i < count; i++) {
      const bool is_absurd = !input_pick(in, 8);
      uint32_t src_words, dst_words;
      VkConvertCooperativeVectorMatrixInfoNV *info = &infos[i];
      *info = (VkConvertCooperativeVectorMatrixInfoNV){.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV, .pDstSize = &sizes[i]};
      info->srcData.deviceAddress = any_memory(in, &src_words);
      info->dstData.deviceAddress = any_memory(in, &dst_words);
      info->srcSize = (size_t)src_words * 4;
      sizes[i] = (size_t)dst_words * 4;
      info->srcComponentType = types[input_pick(in, UTIL_ARRAY_SIZE(types))];
      info->dstComponentType = input_pick(in, 2) ? info->srcComponentType : types[input_pick(in, UTIL_ARRAY_SIZE(types))];
      info->numRows = is_absurd ? (uint32_t)input_number(in) : 1 + input_pick(in, 80);
      info->numColumns = is_absurd ? (uint32_t)input_number(in) : 1 + input_pick(in, 80);
      info->srcLayout = (VkCooperativeVectorMatrixLayoutNV)input_pick(in, 4);
      info->dstLayout = (VkCooperativeVectorMatrixLayoutNV)input_pick(in, 4);
      info->srcStride = is_absurd ? input_number(in) : input_pick(in, 400);
      info->dstStride = is_absurd ? input_number(in) : input_pick(in, 400);
   }
   ext.CmdConvertCooperativeVectorMatrixNV(c->handle, count, infos);
}

static void copy_to_image(struct commands *c, struct input *in, const struct image *image)
{
   VkCopyMemoryToImageIndirectCommandKHR copies[MAX_PARTS];
   VkImageSubresourceLayers layers[MAX_PARTS];
   const uint32_t count = 1 + input_pick(in, 8);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t words;
      const VkDeviceAddress src = any_memory(in, &words);
      const uint32_t level = input_pick(in, image->info.mipLevels), layer = input_pick(in, image->info.arrayLayers);
      const VkExtent3D extent = {1 + input_pick(in, 40), 1 + input_pick(in, 40), 1};
      layers[i] = (VkImageSubresourceLayers){image->format->aspects, level, layer, 1};
      copies[i] = (VkCopyMemoryToImageIndirectCommandKHR){src, 0, 0, layers[i], {(int32_t)input_byte(in) - 4, (int32_t)input_byte(in) - 4, 0}, extent};
      if ((uint64_t)extent.width * extent.height * image->format->texel_bytes > (uint64_t)words * 4) /* of any block size */
         copies[i].srcAddress = 0;
   }
   const VkCopyMemoryToImageIndirectInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INDIRECT_INFO_KHR, .copyCount = count,
      .copyAddressRange = {put_parameters(c, copies, count * sizeof(copies[0])), count * sizeof(copies[0]), sizeof(copies[0])},
      .dstImage = image->handle, .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL, .pImageSubresources = layers};
   ext.CmdCopyMemoryToImageIndirectKHR(c->handle, &info);
}

void calls_copy_indirect(struct commands *c, struct input *in)
{
   const struct image *image = &world->images[input_pick(in, NUM_IMAGES)];
   if (image->format && image->info.samples == VK_SAMPLE_COUNT_1_BIT && image->format->aspects == VK_IMAGE_ASPECT_COLOR_BIT && input_pick(in, 2)) {
      copy_to_image(c, in, image);
      return;
   }
   VkCopyMemoryIndirectCommandKHR copies[MAX_PARTS];
   const uint32_t count = 1 + input_pick(in, MAX_PARTS);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t src_words, dst_words;
      copies[i].srcAddress = input_pick(in, 8) ? any_memory(in, &src_words) : (src_words = 0);
      copies[i].dstAddress = input_pick(in, 8) ? any_memory(in, &dst_words) : (dst_words = 0);
      copies[i].size = UTIL_MIN(src_words, dst_words) * 4;
   }
   const VkCopyMemoryIndirectInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_COPY_MEMORY_INDIRECT_INFO_KHR, .copyCount = count,
      .copyAddressRange = {put_parameters(c, copies, count * sizeof(copies[0])), count * sizeof(copies[0]), sizeof(copies[0])}};
   ext.CmdCopyMemoryIndirectKHR(c->handle, &info);
}

static void bind_buffer(struct client_set *set, uint32_t binding, struct input *in)
{
   const uint32_t words = BUFFER_BYTES / 4, first = input_pick(in, words) & ~15u;
   const VkDescriptorBufferInfo info = {any_buffer(in)->buffer, (VkDeviceSize)first * 4, (VkDeviceSize)(1 + input_pick(in, words - first)) * 4};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set->set, .dstBinding = binding, .descriptorCount = 1,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &info};
   vk.UpdateDescriptorSets(world->client.device, 1, &write, 0, NULL);
}

static void dispatch(struct commands *c, VkPipeline pipeline, VkPipelineLayout layout, const struct client_set *set, uint32_t count)
{
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(c->handle, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set->set, 0, NULL);
   vk.CmdDispatch(c->handle, count, 1, 1);
   world_bind(world, c, 0);
}

/* Loads of matrices and vectors that end behind the buffers. */
void calls_dispatch_vectors(struct commands *c, struct input *in)
{
   if (!input_pick(in, 4)) { /* seldom: what was recorded with the set is forgotten */
      world_forget_commands(world);
      for (uint32_t i = 0; i < NUM_VECTOR_TYPES; i++)
         bind_buffer(&vector_set, i, in);
      world_record(world, c);
   }
   dispatch(c, vectors, vector_layout, &vector_set, 1 + input_pick(in, 3));
}

/* Coordinates, sizes of boxes and blocks are any words of a buffer. */
void calls_process_images(struct commands *c, struct input *in)
{
   if (!input_pick(in, 4)) {
      world_forget_commands(world);
      for (uint32_t i = 5; i < 7; i++)
         bind_buffer(&picture_set, i, in);
      world_record(world, c);
   }
   dispatch(c, processing, picture_layout, &picture_set, 1 + input_pick(in, 2));
}

/* Nodes are named by any index, payloads are small numbers: how much work a node makes of them is its own. */
void calls_dispatch_graph(struct commands *c, struct input *in)
{
   uint32_t payloads[MAX_PARTS + 8][4]; /* some nodes' are larger */
   VkDispatchGraphInfoAMDX infos[4];
   const uint32_t count = 1 + input_pick(in, UTIL_ARRAY_SIZE(infos));
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(payloads); i++) {
      for (uint32_t k = 0; k < 4; k++)
         payloads[i][k] = input_pick(in, k ? 12 : 2000);
   }
   for (uint32_t i = 0; i < count; i++)
      infos[i] = (VkDispatchGraphInfoAMDX){.nodeIndex = input_pick(in, NUM_NODES + 2), .payloadCount = input_pick(in, MAX_PARTS + 1),
                                           .payloads.hostAddress = payloads, .payloadStride = input_pick(in, 2) * sizeof(payloads[0])};
   const VkDispatchGraphCountInfoAMDX counts = {.count = count, .infos.hostAddress = infos, .stride = sizeof(infos[0])};
   const VkDeviceAddress at = client_address(&world->client, &scratch);
   vk.CmdBindPipeline(c->handle, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, graph);
   vk.CmdBindDescriptorSets(c->handle, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX, node_layout, 0, 1, &node_set.set, 0, NULL);
   ext.CmdInitializeGraphScratchMemoryAMDX(c->handle, graph, at, scratch_bytes);
   ext.CmdDispatchGraphAMDX(c->handle, at, scratch_bytes, &counts);
}

/* ---- the objects ---- */

static VkShaderModule load_module(const char *path)
{
   struct spvasm text;
   if (!spvasm_load(&text, path))
      client_die("no module %s", path);
   VkShaderModule module = client_shader(&world->client, text.words, text.num_words * sizeof(uint32_t));
   spvasm_free(&text);
   return module;
}

static VkPipeline make_compute(const char *path, VkPipelineLayout layout)
{
   VkShaderModule module = load_module(path);
   VkPipeline pipeline = client_compute_pipeline(&world->client, module, layout, VK_NULL_HANDLE, NULL);
   vk.DestroyShaderModule(world->client.device, module, NULL);
   return pipeline;
}

static struct picture make_picture(bool is_weights)
{
   const uint32_t size = is_weights ? 8 : PICTURE_SIZE, num_layers = is_weights ? 16 : 1;
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .imageType = VK_IMAGE_TYPE_2D, .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                   .extent = {size, size, 1}, .mipLevels = 1, .arrayLayers = num_layers, .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                                            (is_weights ? VK_IMAGE_USAGE_SAMPLE_WEIGHT_BIT_QCOM : VK_IMAGE_USAGE_SAMPLE_BLOCK_MATCH_BIT_QCOM)};
   const VkImageViewSampleWeightCreateInfoQCOM filter = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM, .filterCenter = {2, 1},
                                                         .filterSize = {7, 5}, .numPhases = 16};
   const VkClearColorValue color = {.float32 = {0.25f, 0.5f, 0.75f, 1}};
   const VkDevice device = world->client.device;
   struct picture it;
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(device, &info, NULL, &it.image), "vkCreateImage");
   vk.GetImageMemoryRequirements(device, it.image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(device, &allocate, NULL, &it.memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(device, it.image, it.memory, 0), "vkBindImageMemory");
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO, .pNext = is_weights ? &filter : NULL, .image = it.image,
                                       .viewType = is_weights ? VK_IMAGE_VIEW_TYPE_2D_ARRAY : VK_IMAGE_VIEW_TYPE_2D, .format = info.format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, num_layers}};
   client_check(vk.CreateImageView(device, &view, NULL, &it.view), "vkCreateImageView");
   VkCommandBuffer cmd = client_begin(&world->client);
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER, .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL, .image = it.image, .subresourceRange = view.subresourceRange};
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   vk.CmdClearColorImage(cmd, it.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &view.subresourceRange);
   client_barrier(cmd);
   client_run(&world->client, cmd);
   return it;
}

static void make_processing(void)
{
   static const uint32_t counts[NUM_PICTURE_TYPES] = {1, 2, 1, 1, 1, 1, 1, 1};
   struct client *client = &world->client;
   picture = make_picture(false);
   weights = make_picture(true);
   picture_set = client_set_create_with(client, NUM_PICTURE_TYPES, picture_types, counts, VK_NULL_HANDLE);
   picture_layout = client_pipeline_layout(client, &picture_set, 0);
   processing = make_compute(PROCESSING_PATH, picture_layout);
   for (uint32_t i = 0; i < 2; i++) {
      const VkSamplerAddressMode mode = i ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
      const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .flags = VK_SAMPLER_CREATE_IMAGE_PROCESSING_BIT_QCOM,
                                        .addressModeU = mode, .addressModeV = mode, .unnormalizedCoordinates = VK_TRUE};
      client_check(vk.CreateSampler(client->device, &info, NULL, &samplers[i]), "vkCreateSampler");
   }
   for (uint32_t i = 0; i < NUM_PICTURE_TYPES; i++) {
      if (picture_types[i] == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER)
         client_set_buffer(client, &picture_set, i, picture_types[i], &world->buffers[i - 5]);
      else
         client_set_image(client, &picture_set, i, picture_types[i], i >= 4 ? VK_NULL_HANDLE : i == 1 ? weights.view : picture.view, samplers[i == 7],
                          VK_IMAGE_LAYOUT_GENERAL);
   }
   const VkDescriptorImageInfo second = {.imageView = weights.view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = picture_set.set, .dstBinding = 1, .dstArrayElement = 1,
                                       .descriptorCount = 1, .descriptorType = picture_types[1], .pImageInfo = &second};
   vk.UpdateDescriptorSets(client->device, 1, &write, 0, NULL);
}

/* Nodes that end by themselves, whatever their payload. */
static void make_graph(void)
{
   static const char *const names[NUM_NODES] = {"leaf", "fan", "each", "coalesce", "recursive", "make_grid", "grid", "small_grid", "first_bytes", "sharer"};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   VkPipelineShaderStageCreateInfo stages[NUM_NODES];
   VkExecutionGraphPipelineScratchSizeAMDX size = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX};
   VkShaderModule module = load_module(GRAPHS_PATH);
   node_set = client_set_create(&world->client, 1, &type);
   client_set_buffer(&world->client, &node_set, 0, type, &world->buffers[0]);
   node_layout = client_pipeline_layout(&world->client, &node_set, 0);
   for (uint32_t i = 0; i < NUM_NODES; i++)
      stages[i] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                    .module = module, .pName = names[i]};
   const VkExecutionGraphPipelineCreateInfoAMDX info = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX, .stageCount = NUM_NODES,
                                                        .pStages = stages, .layout = node_layout, .basePipelineIndex = -1};
   client_check(ext.CreateExecutionGraphPipelinesAMDX(world->client.device, VK_NULL_HANDLE, 1, &info, NULL, &graph), "vkCreateExecutionGraphPipelinesAMDX");
   client_check(ext.GetExecutionGraphPipelineScratchSizeAMDX(world->client.device, graph, &size), "vkGetExecutionGraphPipelineScratchSizeAMDX");
   vk.DestroyShaderModule(world->client.device, module, NULL);
   scratch_bytes = size.minSize;
   if (scratch_bytes > SCRATCH_BYTES)
      client_die("the scratch memory of a graph takes %llu bytes", (unsigned long long)scratch_bytes);
   scratch = addressed_buffer(&world->client, SCRATCH_BYTES, VK_BUFFER_USAGE_2_EXECUTION_GRAPH_SCRATCH_BIT_AMDX);
}

void calls_extensions_init(struct world *w)
{
   const VkDescriptorType types[NUM_VECTOR_TYPES] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   world = w;
#define X(name) ext.name = (PFN_vk##name)vk.GetDeviceProcAddr(w->client.device, "vk" #name);
   FUNCTIONS(X)
#undef X
   parameters = client_buffer_create(&w->client, PARAMETER_BYTES, VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                                     VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
   vector_set = client_set_create(&w->client, NUM_VECTOR_TYPES, types);
   for (uint32_t i = 0; i < NUM_VECTOR_TYPES; i++)
      client_set_buffer(&w->client, &vector_set, i, types[i], &w->buffers[i]);
   vector_layout = client_pipeline_layout(&w->client, &vector_set, 0);
   vectors = make_compute(VECTORS_PATH, vector_layout);
   make_processing();
   make_graph();
}

#endif
