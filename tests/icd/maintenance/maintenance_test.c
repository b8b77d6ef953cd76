/* SPDX-License-Identifier: MIT
 * What VK_KHR_maintenance9 and VK_KHR_maintenance11 add, but for resolves, and VK_KHR_extended_flags. */
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/test.h"

#include "icd/device/device.h"
#include "icd/resource/image.h"

#include "colored.frag.h"
#include "layers.comp.h"
#include "moved.vert.h"

enum { SIZE = 4 };

#ifdef VK_KHR_maintenance9

/* ---- devices without queues ---- */

TEST(no_queues)
{
   struct full_device f;
   VkDevice device;
   VkQueue queue = (VkQueue)&f;
   VkPipelineLayout layout;
   VkShaderModule module;
   VkPipeline pipeline = VK_NULL_HANDLE;
   static const uint32_t empty[] = {0x07230203, 0x00010000, 0, 5, 0,
      0x00020011, 1,                                  /* OpCapability Shader */
      0x0003000e, 0, 1,                               /* OpMemoryModel Logical GLSL450 */
      0x0005000f, 5, 1, 0x6e69616d, 0,                /* OpEntryPoint GLCompute %1 "main" */
      0x00060010, 1, 17, 1, 1, 1,                     /* OpExecutionMode %1 LocalSize 1 1 1 */
      0x00020013, 2, 0x00030021, 3, 2,                /* %2 void, %3 function */
      0x00050036, 2, 1, 0, 3, 0x000200f8, 4, 0x000100fd, 0x00010038};
   full_device_init(&f);
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
   const VkPipelineLayoutCreateInfo layout_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
   const VkShaderModuleCreateInfo module_create = module_info(empty, UTIL_ARRAY_SIZE(empty));
   CHECK_EQ(icd_CreateDevice(f.physical_device, &info, NULL, &device), VK_SUCCESS);
   icd_GetDeviceQueue(device, 0, 0, &queue);
   CHECK(queue == VK_NULL_HANDLE);
   CHECK_EQ(icd_CreatePipelineLayout(device, &layout_info, NULL, &layout), VK_SUCCESS);
   CHECK_EQ(icd_CreateShaderModule(device, &module_create, NULL, &module), VK_SUCCESS);
   const VkComputePipelineCreateInfo pipeline_info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT, .module = module, .pName = "main"},
                                                      .layout = layout};
   CHECK_EQ(icd_CreateComputePipelines(device, VK_NULL_HANDLE, 1, &pipeline_info, NULL, &pipeline), VK_SUCCESS);
   CHECK_EQ(icd_DeviceWaitIdle(device), VK_SUCCESS);
   icd_DestroyPipeline(device, pipeline, NULL);
   icd_DestroyShaderModule(device, module, NULL);
   icd_DestroyPipelineLayout(device, layout, NULL);
   icd_DestroyDevice(device, NULL);
   full_device_finish(&f);
}

/* ---- queries ---- */

TEST(queries_begin_reset)
{
   struct fixture f;
   VkQueryPool pool;
   uint64_t results[4];
   fixture_init(&f, NULL);
   const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .flags = VK_QUERY_POOL_CREATE_RESET_BIT_KHR,
                                       .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 2};
   const VkQueryResultFlags flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
   CHECK_EQ(icd_CreateQueryPool(f.device, &info, NULL, &pool), VK_SUCCESS);
   CHECK_EQ(icd_GetQueryPoolResults(f.device, pool, 0, 2, sizeof(results), results, 16, flags), VK_NOT_READY);
   CHECK_EQ(results[1], 0);
   CHECK_EQ(results[3], 0);
   fixture_begin(f.commands);
   icd_CmdWriteTimestamp2(f.commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, 1);
   fixture_run(&f);
   CHECK_EQ(icd_GetQueryPoolResults(f.device, pool, 0, 2, sizeof(results), results, 16, flags), VK_NOT_READY);
   CHECK_EQ(results[1], 0);
   CHECK_EQ(results[3], 1);
   icd_DestroyQueryPool(f.device, pool, NULL);
   fixture_finish(&f, NULL);
}

/* ---- events ---- */

/* The set names a stage alone, the wait the rest. */
TEST(one_sided_event)
{
   struct fixture f;
   VkEvent event;
   fixture_init(&f, NULL);
   struct fixture_buffer a = fixture_buffer(&f, 64), b = fixture_buffer(&f, 64);
   const VkEventCreateInfo info = {.sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO, .flags = VK_EVENT_CREATE_DEVICE_ONLY_BIT};
   const VkMemoryBarrier2 source = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT};
   const VkMemoryBarrier2 whole = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, .srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                   .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT, .dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                                   .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT};
   const VkDependencyInfo set = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .dependencyFlags = VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR,
                                 .memoryBarrierCount = 1, .pMemoryBarriers = &source};
   const VkDependencyInfo wait = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .dependencyFlags = VK_DEPENDENCY_ASYMMETRIC_EVENT_BIT_KHR,
                                  .memoryBarrierCount = 1, .pMemoryBarriers = &whole};
   const VkBufferCopy region = {0, 0, 64};
   CHECK_EQ(icd_CreateEvent(f.device, &info, NULL, &event), VK_SUCCESS);
   fixture_begin(f.commands);
   icd_CmdFillBuffer(f.commands, a.buffer, 0, VK_WHOLE_SIZE, 77);
   icd_CmdSetEvent2(f.commands, event, &set);
   icd_CmdWaitEvents2(f.commands, 1, &event, &wait);
   icd_CmdCopyBuffer(f.commands, a.buffer, b.buffer, 1, &region);
   fixture_run(&f);
   CHECK_EQ(((const uint32_t *)b.data)[15], 77);
   icd_DestroyEvent(f.device, event, NULL);
   fixture_buffer_destroy(&f, &a);
   fixture_buffer_destroy(&f, &b);
   fixture_finish(&f, NULL);
}

/* ---- queue families ---- */

TEST(ownership)
{
   struct fixture f;
   VkQueueFamilyOwnershipTransferPropertiesKHR owners[8];
   VkQueueFamilyProperties2 families[8];
   uint32_t count = 8;
   fixture_init(&f, NULL);
   for (uint32_t i = 0; i < 8; i++) {
      owners[i] = (VkQueueFamilyOwnershipTransferPropertiesKHR){VK_STRUCTURE_TYPE_QUEUE_FAMILY_OWNERSHIP_TRANSFER_PROPERTIES_KHR, NULL, 0};
      families[i] = (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &owners[i]};
   }
   icd_GetPhysicalDeviceQueueFamilyProperties2(f.physical_device, &count, families);
   CHECK(count >= 2);
   for (uint32_t i = 0; i < count; i++)
      CHECK_EQ(owners[i].optimalImageTransferToQueueFamilies, (1u << count) - 1);
   fixture_finish(&f, NULL);
}

#endif

#ifdef VK_KHR_maintenance11

TEST(granularity)
{
   struct fixture f;
   VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR best[8];
   VkQueueFamilyProperties2 families[8];
   uint32_t count = 8;
   fixture_init(&f, NULL);
   for (uint32_t i = 0; i < 8; i++) {
      best[i] = (VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR){
         .sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_OPTIMAL_IMAGE_TRANSFER_GRANULARITY_PROPERTIES_KHR};
      families[i] = (VkQueueFamilyProperties2){.sType = VK_STRUCTURE_TYPE_QUEUE_FAMILY_PROPERTIES_2, .pNext = &best[i]};
   }
   icd_GetPhysicalDeviceQueueFamilyProperties2(f.physical_device, &count, families);
   for (uint32_t i = 0; i < count; i++) {
      const VkExtent3D given = best[i].optimalImageTransferGranularity;
      CHECK(given.width == 1 && given.height == 1 && given.depth == 1);
   }
   fixture_finish(&f, NULL);
}

/* ---- images of one layer ---- */

/* Its texels of row y are 10 y + 1, 10 y + 2, ... */
static struct fixture_image layer_image(struct run_device *run, VkImageViewType type, VkFormat format, const struct run_buffer *texels)
{
   const bool is_line = type == VK_IMAGE_VIEW_TYPE_1D || type == VK_IMAGE_VIEW_TYPE_1D_ARRAY;
   const uint32_t height = is_line ? 1 : SIZE;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .flags = VK_IMAGE_CREATE_ALIAS_SINGLE_LAYER_DESCRIPTOR_BIT_KHR,
      .imageType = is_line ? VK_IMAGE_TYPE_1D : VK_IMAGE_TYPE_2D, .format = format, .extent = {SIZE, height, 1}, .mipLevels = 1,
      .arrayLayers = 1, .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT};
   const VkPhysicalDeviceImageFormatInfo2 query = {VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, NULL, info.format, info.imageType,
                                                   info.tiling, info.usage, info.flags};
   VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties2(run->f.physical_device, &query, &properties), VK_SUCCESS);
   const struct fixture_image made = fixture_image_of(run->f.device, &info, type, VK_IMAGE_ASPECT_COLOR_BIT);
   for (uint32_t i = 0; i < SIZE * SIZE; i++) {
      const uint32_t value = i / SIZE * 10 + i % SIZE + 1;
      const float as_float = (float)value;
      texels->map[i] = value;
      if (format == VK_FORMAT_R32_SFLOAT)
         memcpy(&texels->map[i], &as_float, 4);
   }
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, height, 1}};
   run_begin(run);
   icd_CmdCopyBufferToImage(run->commands, texels->buffer, made.image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
   run_submit(run);
   return made;
}

/* Row y of an image, by a copy. */
static void check_row(struct run_device *run, const struct fixture_image *image, const struct run_buffer *texels, uint32_t y, uint32_t first)
{
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   run_begin(run);
   icd_CmdCopyImageToBuffer(run->commands, image->image, VK_IMAGE_LAYOUT_GENERAL, texels->buffer, 1, &copy);
   run_submit(run);
   for (uint32_t x = 0; x < SIZE; x++)
      CHECK_EQ(texels->map[y * SIZE + x], first + x);
}

TEST(single_layers)
{
   static const struct {
      VkDescriptorType type;
      VkImageViewType view;
      VkFormat format;
   } rows[6] = {
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_SFLOAT},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_SFLOAT},
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D, VK_FORMAT_R32_UINT},
      {VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_FORMAT_R32_UINT},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_1D, VK_FORMAT_R32_SFLOAT},
      {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, VK_IMAGE_VIEW_TYPE_1D_ARRAY, VK_FORMAT_R32_SFLOAT},
   };
   struct run_device run;
   VkDescriptorSetLayoutBinding bindings[7];
   struct fixture_image images[6];
   VkSampler sampler;
   for (uint32_t i = 0; i < 7; i++)
      bindings[i] = (VkDescriptorSetLayoutBinding){i, i < 6 ? rows[i].type : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1,
                                                   VK_SHADER_STAGE_COMPUTE_BIT, NULL};
   run_init(&run, 7, bindings, 0);
   const struct run_buffer texels = run_buffer(&run, SIZE * SIZE * 4), results = run_buffer(&run, SIZE * 12 * 4);
   const VkSamplerCreateInfo nearest = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   fixture_require(icd_CreateSampler(run.f.device, &nearest, NULL, &sampler), "vkCreateSampler");
   for (uint32_t i = 0; i < 6; i++) {
      images[i] = layer_image(&run, rows[i].view, rows[i].format, &texels);
      const VkDescriptorImageInfo info = {sampler, images[i].view, VK_IMAGE_LAYOUT_GENERAL};
      run_write(&run, i, 0, rows[i].type, &info, NULL, NULL);
   }
   const VkDescriptorBufferInfo info = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 6, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   run_compute(&run, layers_comp, sizeof(layers_comp), NULL, 0);
   for (uint32_t x = 0; x < SIZE; x++) {
      const uint32_t *result = &results.map[x * 12];
      for (uint32_t i = 0; i < 10; i++)
         CHECK_EQ(result[i], x + 1);
      CHECK_EQ(result[10], SIZE << 16 | SIZE << 8 | 1);
      CHECK_EQ(result[11], SIZE << 16 | SIZE << 8 | 1);
   }
   check_row(&run, &images[2], &texels, 1, 100);
   check_row(&run, &images[3], &texels, 2, 200);
   CHECK_EQ(atomic_load(&run.f.ears.count), 0);
   for (uint32_t i = 0; i < 6; i++)
      fixture_image_destroy(run.f.device, &images[i]);
   icd_DestroySampler(run.f.device, sampler, NULL);
   run_buffer_free(&run, &texels);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* ---- shader objects that know some of the sets ---- */

static VkShaderEXT half_object(struct run_device *run, VkShaderStageFlagBits stage, const uint32_t *words, size_t bytes,
                               const VkDescriptorSetLayout sets[2])
{
   VkShaderEXT shader = VK_NULL_HANDLE;
   const VkShaderCreateInfoEXT info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT, .flags = VK_SHADER_CREATE_INDEPENDENT_SETS_BIT_KHR, .stage = stage,
      .nextStage = stage == VK_SHADER_STAGE_VERTEX_BIT ? VK_SHADER_STAGE_FRAGMENT_BIT : 0, .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
      .codeSize = bytes, .pCode = words, .pName = "main", .setLayoutCount = 2, .pSetLayouts = sets};
   CHECK_EQ(icd_CreateShadersEXT(run->f.device, 1, &info, NULL, &shader), VK_SUCCESS);
   return shader;
}

/* All that shader objects need to draw a triangle into one colour. */
static void set_states(VkCommandBuffer cmd)
{
   static const VkViewport viewport = {0, 0, SIZE, SIZE, 0, 1};
   static const VkRect2D scissor = {{0, 0}, {SIZE, SIZE}};
   static const VkBool32 no = VK_FALSE;
   static const VkColorComponentFlags all = 0xf;
   static const VkSampleMask mask = 1;
   icd_CmdSetViewportWithCount(cmd, 1, &viewport);
   icd_CmdSetScissorWithCount(cmd, 1, &scissor);
   icd_CmdSetRasterizerDiscardEnable(cmd, VK_FALSE);
   icd_CmdSetPrimitiveTopology(cmd, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST);
   icd_CmdSetPrimitiveRestartEnable(cmd, VK_FALSE);
   icd_CmdSetCullMode(cmd, VK_CULL_MODE_NONE);
   icd_CmdSetFrontFace(cmd, VK_FRONT_FACE_COUNTER_CLOCKWISE);
   icd_CmdSetDepthTestEnable(cmd, VK_FALSE);
   icd_CmdSetDepthWriteEnable(cmd, VK_FALSE);
   icd_CmdSetDepthBiasEnable(cmd, VK_FALSE);
   icd_CmdSetStencilTestEnable(cmd, VK_FALSE);
   icd_CmdSetPolygonModeEXT(cmd, VK_POLYGON_MODE_FILL);
   icd_CmdSetRasterizationSamplesEXT(cmd, VK_SAMPLE_COUNT_1_BIT);
   icd_CmdSetSampleMaskEXT(cmd, VK_SAMPLE_COUNT_1_BIT, &mask);
   icd_CmdSetAlphaToCoverageEnableEXT(cmd, VK_FALSE);
   icd_CmdSetColorBlendEnableEXT(cmd, 0, 1, &no);
   icd_CmdSetColorWriteMaskEXT(cmd, 0, 1, &all);
   icd_CmdSetVertexInputEXT(cmd, 0, NULL, 0, NULL);
}

TEST(independent_sets)
{
   static const VkShaderStageFlagBits stages[2] = {VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   VkDescriptorPool pool;
   VkDescriptorSet sets[2];
   VkPipelineLayout layout;
   run_init(&run, 1, &binding, 0); /* run.set_layout: of either set */
   const struct run_buffer scale = run_buffer(&run, 1024), color = run_buffer(&run, 1024), out = run_buffer(&run, SIZE * SIZE * 4);
   const float one = 1, given[4] = {0, 1, 0, 1};
   memcpy(&scale.map[256 / 4], &one, sizeof(one));
   memcpy(&color.map[512 / 4], given, sizeof(given));

   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2};
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 1, .pPoolSizes = &size};
   const VkDescriptorSetLayout both[2] = {run.set_layout, run.set_layout};
   fixture_require(icd_CreateDescriptorPool(run.f.device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool, .descriptorSetCount = 2, .pSetLayouts = both};
   fixture_require(icd_AllocateDescriptorSets(run.f.device, &set_info, sets), "vkAllocateDescriptorSets");
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorBufferInfo buffer = {i ? color.buffer : scale.buffer, 0, 16};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = sets[i], .descriptorCount = 1,
                                          .descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, .pBufferInfo = &buffer};
      icd_UpdateDescriptorSets(run.f.device, 1, &write, 0, NULL);
   }
   const VkPipelineLayoutCreateInfo layout_info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 2, .pSetLayouts = both,
      .flags = VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT | VK_PIPELINE_LAYOUT_CREATE_NO_TASK_SHADER_BIT_KHR};
   fixture_require(icd_CreatePipelineLayout(run.f.device, &layout_info, NULL, &layout), "vkCreatePipelineLayout");
   const VkDescriptorSetLayout first[2] = {run.set_layout, VK_NULL_HANDLE}, second[2] = {VK_NULL_HANDLE, run.set_layout};
   VkShaderEXT shaders[2] = {half_object(&run, stages[0], moved_vert, sizeof(moved_vert), first),
                             half_object(&run, stages[1], colored_frag, sizeof(colored_frag), second)};
   const struct fixture_image image = run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.float32 = {0}});
   const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = image.view,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR, .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{0, 0}, {SIZE, SIZE}}, .layerCount = 1,
                                      .colorAttachmentCount = 1, .pColorAttachments = &attachment};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   const uint32_t offsets[2] = {256, 512};
   run_begin(&run);
   icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 2, sets, 2, offsets);
   icd_CmdBeginRendering(run.commands, &rendering);
   icd_CmdBindShadersEXT(run.commands, 2, stages, shaders);
   set_states(run.commands);
   icd_CmdDraw(run.commands, 3, 1, 0, 0);
   icd_CmdEndRendering(run.commands);
   icd_CmdCopyImageToBuffer(run.commands, image.image, VK_IMAGE_LAYOUT_GENERAL, out.buffer, 1, &copy);
   run_submit(&run);
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      CHECK_EQ(out.map[i], 0xff00ff00);
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderEXT(run.f.device, shaders[i], NULL);
   icd_DestroyPipelineLayout(run.f.device, layout, NULL);
   icd_DestroyDescriptorPool(run.f.device, pool, NULL);
   fixture_image_destroy(run.f.device, &image);
   run_buffer_free(&run, &scale);
   run_buffer_free(&run, &color);
   run_buffer_free(&run, &out);
   run_finish(&run);
}

#endif

TEST(headers)
{
#ifndef VK_KHR_maintenance9
   printf("these headers do not know VK_KHR_maintenance9\n");
#endif
}

/* ---- flags of 64 bits ---- */

#ifdef VK_KHR_extended_flags
/* What is chained counts, not what stands beside it. */
TEST(extended_flags)
{
   struct full_device f;
   full_device_init(&f);
   const VkImageCreateFlags2CreateInfoKHR flags = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_FLAGS_2_CREATE_INFO_KHR,
                                                   .flags = VK_IMAGE_CREATE_2_SPARSE_BINDING_BIT_KHR};
   const VkImageUsageFlags2CreateInfoKHR usage = {.sType = VK_STRUCTURE_TYPE_IMAGE_USAGE_FLAGS_2_CREATE_INFO_KHR, .pNext = (void *)&flags,
                                                  .usage = VK_IMAGE_USAGE_2_SAMPLED_BIT_KHR};
   VkPhysicalDeviceImageFormatInfo2 info = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2, .format = VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                            .type = VK_IMAGE_TYPE_2D, .tiling = VK_IMAGE_TILING_OPTIMAL, .usage = VK_IMAGE_USAGE_STORAGE_BIT};
   VkImageFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
   CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties2(f.physical_device, &info, &properties), VK_ERROR_FORMAT_NOT_SUPPORTED);
   info.pNext = &usage;
   CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties2(f.physical_device, &info, &properties), VK_SUCCESS);

   VkFormatProperties3 third = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
   VkFormatProperties4KHR fourth = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_4_KHR, .pNext = &third};
   VkFormatProperties2 format = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &fourth};
   icd_GetPhysicalDeviceFormatProperties2(f.physical_device, info.format, &format);
   CHECK(fourth.optimalTilingFeatures != 0);
   CHECK_EQ(fourth.optimalTilingFeatures, third.optimalTilingFeatures);

   const VkImageCreateInfo image_info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO, .pNext = &usage, .imageType = VK_IMAGE_TYPE_2D,
                                         .format = info.format, .extent = {64, 64, 1}, .mipLevels = 1, .arrayLayers = 1,
                                         .samples = VK_SAMPLE_COUNT_1_BIT, .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT};
   VkImage image;
   CHECK_EQ(icd_CreateImage(f.device, &image_info, NULL, &image), VK_SUCCESS);
   CHECK(icd_image_from_handle(image)->sparse != NULL);
   CHECK_EQ(icd_image_from_handle(image)->usage, VK_IMAGE_USAGE_SAMPLED_BIT);
   CHECK_EQ(icd_image_from_handle(image)->stencil_usage, VK_IMAGE_USAGE_SAMPLED_BIT);
   icd_DestroyImage(f.device, image, NULL);
   full_device_finish(&f);
}
#endif

TEST_MAIN
