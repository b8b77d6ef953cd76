/* SPDX-License-Identifier: MIT
 * The corpus: each faulty program is reported at its line and invocation, its repaired twin not at all. */
#include "tests/instrument/cases.h"
#include "tests/test.h"

#include <stdlib.h>

enum { NUM_WORDS = 256, EXTENT = 16, NUM_BUFFERS = 3, NUM_BINDINGS = 10, SHELF = 8, PICTURES = 9, NUM_STEPS = 4 };

#include "instrument_cases.h"

static struct client client;
static struct client_buffer buffers[NUM_BUFFERS];
static struct client_image pixels, picture;
static struct client_buffer raw; /* this and the next one: new for each run, not mapped, not written */
static struct client_image raw_pixels;
static struct client_set set;
static VkSampler sampler;
static VkPipelineLayout layout;
static uint64_t output_address;

static void name(VkObjectType type, uint64_t handle, const char *text)
{
   client_name(&client, type, handle, text);
}

static void make_resources(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   static const uint32_t counts[NUM_BINDINGS] = {1, 1, 1, 1, 1, 1, 1, 1, NUM_BUFFERS + 1, NUM_BUFFERS + 1}; /* the last one of an array is not there */
   static const char *const names[NUM_BUFFERS] = {"the input", "the output", "the floats"};
   set = client_set_create_partial(&client, NUM_BINDINGS, types, counts);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
      buffers[i] = client_buffer_create(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                                                   VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
      client_set_buffer(&client, &set, i, types[i], &buffers[i]);
      name(VK_OBJECT_TYPE_BUFFER, (uint64_t)(uintptr_t)buffers[i].buffer, names[i]);
   }
   pixels = client_image_create(&client, VK_FORMAT_R32_UINT, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   picture = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 2, VK_SAMPLE_COUNT_1_BIT,
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   sampler = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   client_set_buffer(&client, &set, 7, types[7], &buffers[1]);
   client_set_image(&client, &set, 3, types[3], pixels.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&client, &set, 4, types[4], picture.view, sampler, VK_IMAGE_LAYOUT_GENERAL);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++) {
      const VkDescriptorBufferInfo buffer = {buffers[i].buffer, 0, VK_WHOLE_SIZE};
      const VkDescriptorImageInfo image = {sampler, picture.view, VK_IMAGE_LAYOUT_GENERAL};
      const VkWriteDescriptorSet writes[] = {
         {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set.set, .dstBinding = SHELF, .dstArrayElement = i, .descriptorCount = 1,
          .descriptorType = types[SHELF], .pBufferInfo = &buffer},
         {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set.set, .dstBinding = PICTURES, .dstArrayElement = i, .descriptorCount = 1,
          .descriptorType = types[PICTURES], .pImageInfo = &image}};
      vk.UpdateDescriptorSets(client.device, 2, writes, 0, NULL);
   }
   layout = client_pipeline_layout(&client, &set, 24 + 4 * NUM_STEPS);
   const PFN_vkGetBufferDeviceAddress get_address =
      (PFN_vkGetBufferDeviceAddress)vk.GetDeviceProcAddr(client.device, "vkGetBufferDeviceAddress");
   const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffers[1].buffer};
   output_address = get_address(client.device, &info);
}

static void init(void)
{
   static VkPhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR explicit_layout = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_FEATURES_KHR, .workgroupMemoryExplicitLayout = VK_TRUE,
      .workgroupMemoryExplicitLayoutScalarBlockLayout = VK_TRUE};
   static VkPhysicalDeviceCooperativeMatrixFeaturesKHR matrices = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_COOPERATIVE_MATRIX_FEATURES_KHR, .pNext = &explicit_layout, .cooperativeMatrix = VK_TRUE};
   static const char *const extensions[] = {VK_KHR_WORKGROUP_MEMORY_EXPLICIT_LAYOUT_EXTENSION_NAME, VK_KHR_COOPERATIVE_MATRIX_EXTENSION_NAME};
   static const VkPhysicalDeviceVulkan12Features features12 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &matrices, .bufferDeviceAddress = VK_TRUE, .vulkanMemoryModel = VK_TRUE,
      .vulkanMemoryModelDeviceScope = VK_TRUE, .shaderInt8 = VK_TRUE, .storageBuffer8BitAccess = VK_TRUE, .shaderFloat16 = VK_TRUE,
      .descriptorIndexing = VK_TRUE, .descriptorBindingPartiallyBound = VK_TRUE, .runtimeDescriptorArray = VK_TRUE,
      .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE, .shaderSampledImageArrayNonUniformIndexing = VK_TRUE};
   static const VkPhysicalDeviceFeatures features = {.shaderStorageBufferArrayDynamicIndexing = VK_TRUE, .shaderSampledImageArrayDynamicIndexing = VK_TRUE,
                                                     .shaderInt64 = VK_TRUE, .shaderFloat64 = VK_TRUE, .shaderInt16 = VK_TRUE};
   client_init(&client, &(struct client_options){.on_message = cases_listen, .features = &features, .next = &features12,
                                                 .api_version = VK_API_VERSION_1_3,
                                                 .device_extensions = extensions, .num_device_extensions = 2});
   make_resources();
}

static void finish(void)
{
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   vk.DestroySampler(client.device, sampler, NULL);
   client_image_destroy(&client, &picture);
   client_image_destroy(&client, &pixels);
   for (uint32_t i = 0; i < NUM_BUFFERS; i++)
      client_buffer_destroy(&client, &buffers[i]);
   client_finish(&client);
}

static void make_raw(void)
{
   raw = client_buffer_create_unwritten(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   raw_pixels = client_image_create(&client, VK_FORMAT_R32_UINT, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_USAGE_STORAGE_BIT);
   client_set_buffer(&client, &set, 5, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &raw);
   client_set_image(&client, &set, 6, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, raw_pixels.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
}

static void clear_image(VkCommandBuffer cmd, const struct client_image *image)
{
   const VkClearColorValue zero = {0};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, image->num_levels, 0, 1};
   client_transition(cmd, image, 0, image->num_levels, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdClearColorImage(cmd, image->image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
}

static void fill(void)
{
   for (uint32_t i = 0; i < NUM_WORDS; i++) {
      ((uint32_t *)buffers[0].map)[i] = i;
      ((uint32_t *)buffers[1].map)[i] = 0;
      ((float *)buffers[2].map)[i] = (float)i;
   }
}

/* A case in a command buffer. */
struct recorded {
   VkShaderModule module;
   VkPipeline pipeline;
};

static struct recorded record(VkCommandBuffer cmd, const struct instrument_case *it, uint32_t twin)
{
   const struct {
      uint32_t zero, one, size;
      float f_zero;
      uint64_t address;
      uint32_t steps[NUM_STEPS];
   } push = {0, 1, NUM_WORDS, 0.0f, output_address, {0, 1, 2, 3}};
   struct recorded recorded;
   recorded.module = client_shader(&client, it->shaders[0].words[twin], it->shaders[0].size_bytes[twin]);
   recorded.pipeline = client_compute_pipeline(&client, recorded.module, layout, VK_NULL_HANDLE, NULL);
   name(VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)recorded.pipeline, it->name);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, recorded.pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
   vk.CmdDispatch(cmd, it->groups, 1, 1);
   client_barrier(cmd);
   return recorded;
}

static void destroy(const struct recorded *recorded)
{
   vk.DestroyPipeline(client.device, recorded->pipeline, NULL);
   vk.DestroyShaderModule(client.device, recorded->module, NULL);
}

static VkCommandBuffer begin(void)
{
   fill();
   make_raw();
   VkCommandBuffer cmd = client_begin(&client);
   clear_image(cmd, &pixels);
   clear_image(cmd, &picture);
   client_transition(cmd, &raw_pixels, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   client_barrier(cmd);
   return cmd;
}

static void end(VkCommandBuffer cmd)
{
   client_run(&client, cmd);
   client_image_destroy(&client, &raw_pixels);
   client_buffer_destroy(&client, &raw);
}

/* Dispatches one of the twins. */
static void run(const struct instrument_case *it, uint32_t twin)
{
   VkCommandBuffer cmd = begin();
   const struct recorded recorded = record(cmd, it, twin);
   end(cmd);
   destroy(&recorded);
}

/* The same behind another dispatch, of which nothing may be left: of the repaired program in front of it in the table. */
static void run_behind(const struct instrument_case *it, uint32_t twin)
{
   VkCommandBuffer cmd = begin();
   const struct recorded before = record(cmd, it == cases ? it : it - 1, 1);
   vk.CmdFillBuffer(cmd, buffers[1].buffer, 0, VK_WHOLE_SIZE, 0);
   client_barrier(cmd);
   const struct recorded recorded = record(cmd, it, twin);
   end(cmd);
   destroy(&before);
   destroy(&recorded);
}

static const char *wanted; /* part of the names of cases; NULL: all */

TEST(corpus)
{
   init();
   cases_check(cases, sizeof(cases) / sizeof(cases[0]), wanted, run);
   finish();
}

/* Programs that share memory, two in a command buffer. */
TEST(behind_another)
{
   if (wanted)
      return;
   init();
   cases_check(cases, sizeof(cases) / sizeof(cases[0]), "race/", run_behind);
   finish();
}

int main(int argc, char **argv)
{
   wanted = argc > 1 ? argv[1] : NULL;
   return test_run_all(1, argv);
}
