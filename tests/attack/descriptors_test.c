/* SPDX-License-Identifier: MIT
 * Descriptors that are not what the shader reads: indices beyond a set's variable count, descriptors of mutable type that were written as another
 * type, layouts of another type with validation off, sets of another layout. All read as null: zeros. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "descriptors_0.h"
#include "descriptors_1.h"
#include "descriptors_2.h"
#include "descriptors_3.h"

#include <stdlib.h>

enum { CLASS_BUFFER, CLASS_IMAGE, CLASS_SAMPLER, CLASS_STORAGE_IMAGE, NUM_CLASSES, COUNT = 8, MAX_COUNT = 1000 };
enum { VALUE = 1234, WORDS = 16, TEXEL = 77 };

static const struct {
   const uint32_t *words;
   size_t size_bytes;
} shaders[NUM_CLASSES] = {{descriptors_0, sizeof(descriptors_0)}, {descriptors_1, sizeof(descriptors_1)},
                        {descriptors_2, sizeof(descriptors_2)}, {descriptors_3, sizeof(descriptors_3)}};
static const VkDescriptorType types[NUM_CLASSES] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER,
                                                  VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};

struct scene {
   struct client client;
   struct client_buffer io, data;
   struct client_image image;
   VkSampler sampler;
};

static void init(struct scene *scene)
{
   static VkPhysicalDeviceMutableDescriptorTypeFeaturesEXT mutable_type = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MUTABLE_DESCRIPTOR_TYPE_FEATURES_EXT, .mutableDescriptorType = VK_TRUE};
   static const VkPhysicalDeviceVulkan12Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                                             .pNext = &mutable_type,
                                                             .descriptorIndexing = VK_TRUE,
                                                             .shaderStorageBufferArrayNonUniformIndexing = VK_TRUE,
                                                             .shaderSampledImageArrayNonUniformIndexing = VK_TRUE,
                                                             .shaderStorageImageArrayNonUniformIndexing = VK_TRUE,
                                                             .descriptorBindingPartiallyBound = VK_TRUE,
                                                             .descriptorBindingVariableDescriptorCount = VK_TRUE,
                                                             .runtimeDescriptorArray = VK_TRUE};
   static const VkPhysicalDeviceFeatures core = {.shaderSampledImageArrayDynamicIndexing = VK_TRUE,
                                                 .shaderStorageBufferArrayDynamicIndexing = VK_TRUE,
                                                 .shaderStorageImageArrayDynamicIndexing = VK_TRUE};
   client_init(&scene->client, &(struct client_options){.api_version = VK_API_VERSION_1_3,
                                                        .features = &core,
                                                        .next = &features,
                                                        .device_extension = VK_EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION_NAME});
   scene->io = client_buffer_create(&scene->client, 32 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   scene->data = client_buffer_create(&scene->client, WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   *(uint32_t *)scene->data.map = VALUE;
   scene->image = client_image_create(&scene->client, VK_FORMAT_R32_UINT, 4, 4, 1, VK_SAMPLE_COUNT_1_BIT,
                                      VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   scene->sampler = client_sampler(&scene->client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   VkCommandBuffer cmd = client_begin(&scene->client);
   const VkClearColorValue color = {.uint32 = {TEXEL, 0, 0, 0}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   client_transition(cmd, &scene->image, 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
   vk.CmdClearColorImage(cmd, scene->image.image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &range);
   client_run(&scene->client, cmd);
}

static void finish(struct scene *scene)
{
   vk.DestroySampler(scene->client.device, scene->sampler, NULL);
   client_image_destroy(&scene->client, &scene->image);
   client_buffer_destroy(&scene->client, &scene->data);
   client_buffer_destroy(&scene->client, &scene->io);
   client_finish(&scene->client);
}

/* Binding 0: the buffer of indices and results; 2: an image; then 1, or, if its count is variable, last, as the rule is. */
static VkDescriptorSetLayout create_layout(struct scene *scene, VkDescriptorType type, bool is_variable)
{
   const VkDescriptorSetLayoutBinding bindings[3] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, type, is_variable ? MAX_COUNT : COUNT, VK_SHADER_STAGE_ALL, NULL},
      {2, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorBindingFlags flags[3] = {
      0, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | (is_variable ? VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT : 0), 0};
   const VkMutableDescriptorTypeListEXT lists[3] = {{0}, {NUM_CLASSES, types}, {0}};
   const VkMutableDescriptorTypeCreateInfoEXT mutable_info = {
      .sType = VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT, .mutableDescriptorTypeListCount = 3, .pMutableDescriptorTypeLists = lists};
   const uint32_t count = is_variable ? 2 : 3;
   const VkDescriptorSetLayoutBindingFlagsCreateInfo flags_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO,
      .pNext = type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT ? &mutable_info : NULL,
      .bindingCount = count,
      .pBindingFlags = flags};
   const VkDescriptorSetLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .pNext = &flags_info, .bindingCount = count, .pBindings = bindings};
   VkDescriptorSetLayout layout;
   client_check(vk.CreateDescriptorSetLayout(scene->client.device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

static VkDescriptorPool create_pool(struct scene *scene, VkDescriptorType type)
{
   const VkDescriptorPoolSize sizes[3] = {
      {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 + COUNT}, {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 2}, {type, 2 * COUNT}};
   const VkDescriptorPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 2, .poolSizeCount = 3, .pPoolSizes = sizes};
   VkDescriptorPool pool;
   client_check(vk.CreateDescriptorPool(scene->client.device, &info, NULL, &pool), "vkCreateDescriptorPool");
   return pool;
}

static VkDescriptorSet allocate(struct scene *scene, VkDescriptorPool pool, VkDescriptorSetLayout layout, uint32_t variable_count)
{
   const VkDescriptorSetVariableDescriptorCountAllocateInfo variable = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO, .descriptorSetCount = 1, .pDescriptorCounts = &variable_count};
   const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .pNext = variable_count ? &variable : NULL,
                                             .descriptorPool = pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &layout};
   VkDescriptorSet set;
   client_check(vk.AllocateDescriptorSets(scene->client.device, &info, &set), "vkAllocateDescriptorSets");
   return set;
}

/* Writes element `element` of a binding as a class. */
static void put(struct scene *scene, VkDescriptorSet set, uint32_t binding, uint32_t element, uint32_t class, const struct client_buffer *from)
{
   const VkDescriptorBufferInfo buffer = {from ? from->buffer : scene->data.buffer, 0, VK_WHOLE_SIZE};
   const VkDescriptorImageInfo image = {scene->sampler, scene->image.view, VK_IMAGE_LAYOUT_GENERAL};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = set,
                                       .dstBinding = binding,
                                       .dstArrayElement = element,
                                       .descriptorCount = 1,
                                       .descriptorType = types[class],
                                       .pBufferInfo = &buffer,
                                       .pImageInfo = &image};
   vk.UpdateDescriptorSets(scene->client.device, 1, &write, 0, NULL);
}

/* Reads descriptors `indices` as a class; results are behind the indices in the buffer. */
static void dispatch(struct scene *scene, VkPipelineLayout layout, VkDescriptorSet set, uint32_t class, bool is_uniform)
{
   VkShaderModule module = client_shader(&scene->client, shaders[class].words, shaders[class].size_bytes);
   VkPipeline pipeline = client_compute_pipeline(&scene->client, module, layout, VK_NULL_HANDLE, NULL);
   const uint32_t push = is_uniform;
   VkCommandBuffer cmd = client_begin(&scene->client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
   vk.CmdDispatch(cmd, 1, 1, 1);
   client_barrier(cmd);
   client_run(&scene->client, cmd);
   vk.DestroyPipeline(scene->client.device, pipeline, NULL);
   vk.DestroyShaderModule(scene->client.device, module, NULL);
}

static VkPipelineLayout pipeline_layout(struct scene *scene, VkDescriptorSetLayout layout)
{
   return client_pipeline_layout(&scene->client, &(struct client_set){.layout = layout}, 4);
}

/* What reading a descriptor of a class as `as` gives. */
static uint32_t expected(uint32_t class, uint32_t as)
{
   if (as == CLASS_BUFFER)
      return class == as ? VALUE + WORDS - 1 : 0;
   if (as == CLASS_SAMPLER)
      return class == as ? TEXEL : 0;
   if (as == CLASS_IMAGE)
      return class == CLASS_IMAGE || class == CLASS_STORAGE_IMAGE ? TEXEL : 0; /* both are images; nothing is said of the value */
   return class == CLASS_IMAGE || class == CLASS_STORAGE_IMAGE ? TEXEL : 0; /* what it stored itself */
}

TEST(beyond_a_variable_count)
{
   static const uint32_t indices[16] = {0, 1, 2, 3, 4, 5, 31, 998, 999, 1000, 4096, 0x10000, 0x0fffffff, 0x10000000, 0x7fffffff, 0xffffffff};
   struct scene scene;
   init(&scene);
   VkDescriptorSetLayout layout = create_layout(&scene, types[CLASS_BUFFER], true);
   VkDescriptorPool pool = create_pool(&scene, types[CLASS_BUFFER]);
   VkDescriptorSet set = allocate(&scene, pool, layout, 3);
   VkPipelineLayout whole = pipeline_layout(&scene, layout);
   put(&scene, set, 0, 0, CLASS_BUFFER, &scene.io);
   for (uint32_t i = 0; i < 3; i++)
      put(&scene, set, 1, i, CLASS_BUFFER, NULL);
   uint32_t *io = scene.io.map;
   memcpy(io, indices, sizeof(indices));
   dispatch(&scene, whole, set, CLASS_BUFFER, false);
   for (uint32_t i = 0; i < 16; i++)
      CHECK_EQ(io[16 + i], indices[i] < 3 ? VALUE + WORDS - 1 : 0);
   for (uint32_t i = 0; i < 16; i++) {
      io[0] = indices[i];
      io[16] = UINT32_MAX;
      dispatch(&scene, whole, set, CLASS_BUFFER, true);
      CHECK_EQ(io[16], indices[i] < 3 ? VALUE + WORDS - 1 : 0);
   }
   vk.DestroyPipelineLayout(scene.client.device, whole, NULL);
   vk.DestroyDescriptorPool(scene.client.device, pool, NULL);
   vk.DestroyDescriptorSetLayout(scene.client.device, layout, NULL);
   finish(&scene);
}

/* Elements 0 to 3 are of the four classes, the others were never written. */
TEST(mutable_types)
{
   struct scene scene;
   init(&scene);
   VkDescriptorSetLayout layout = create_layout(&scene, VK_DESCRIPTOR_TYPE_MUTABLE_EXT, false);
   VkDescriptorPool pool = create_pool(&scene, VK_DESCRIPTOR_TYPE_MUTABLE_EXT);
   VkDescriptorSet sets[2] = {allocate(&scene, pool, layout, 0), allocate(&scene, pool, layout, 0)};
   VkPipelineLayout whole = pipeline_layout(&scene, layout);
   for (uint32_t s = 0; s < 2; s++) {
      put(&scene, sets[s], 0, 0, CLASS_BUFFER, &scene.io);
      put(&scene, sets[s], 2, 0, CLASS_IMAGE, NULL);
   }
   for (uint32_t class = 0; class < NUM_CLASSES; class++)
      put(&scene, sets[0], 1, class, class, NULL);
   const VkCopyDescriptorSet copy = {.sType = VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET,
                                     .srcSet = sets[0], .srcBinding = 1, .dstSet = sets[1], .dstBinding = 1, .descriptorCount = COUNT};
   vk.UpdateDescriptorSets(scene.client.device, 0, NULL, 1, &copy);
   uint32_t *io = scene.io.map;
   for (uint32_t s = 0; s < 2; s++)
      for (uint32_t as = 0; as < NUM_CLASSES; as++) {
         for (uint32_t i = 0; i < 16; i++)
            io[i] = i % COUNT;
         dispatch(&scene, whole, sets[s], as, false);
         for (uint32_t i = 0; i < 16; i++)
            CHECK_EQ(io[16 + i], i % COUNT < NUM_CLASSES ? expected(i % COUNT, as) : 0);
         for (uint32_t class = 0; class <= NUM_CLASSES && as != CLASS_STORAGE_IMAGE; class++) {
            io[0] = class;
            dispatch(&scene, whole, sets[s], as, true);
            CHECK_EQ(io[16], class < NUM_CLASSES ? expected(class, as) : 0);
         }
      }
   vk.DestroyPipelineLayout(scene.client.device, whole, NULL);
   vk.DestroyDescriptorPool(scene.client.device, pool, NULL);
   vk.DestroyDescriptorSetLayout(scene.client.device, layout, NULL);
   finish(&scene);
}

/* Nothing checks the shader against the layout, or the set against the pipeline's. */
TEST(other_layouts)
{
   setenv("VK_SWRAST_VALIDATE", "off", 1);
   for (uint32_t class = 0; class < NUM_CLASSES; class++)
      for (uint32_t as = 0; as < NUM_CLASSES; as++) {
         struct scene scene;
         init(&scene);
         VkDescriptorSetLayout layout = create_layout(&scene, types[class], false), other = create_layout(&scene, types[as], false);
         VkDescriptorPool pool = create_pool(&scene, types[class]);
         VkDescriptorSet set = allocate(&scene, pool, layout, 0);
         VkPipelineLayout whole = pipeline_layout(&scene, layout), foreign = pipeline_layout(&scene, other);
         put(&scene, set, 0, 0, CLASS_BUFFER, &scene.io);
         put(&scene, set, 2, 0, CLASS_IMAGE, NULL);
         for (uint32_t i = 0; i < COUNT; i++)
            put(&scene, set, 1, i, class, NULL);
         uint32_t *io = scene.io.map;
         memset(io, 0, 64);
         memset(io + 16, 0xff, 64);
         dispatch(&scene, whole, set, as, false);
         CHECK_EQ(io[16], expected(class, as));
         memset(io + 16, 0xff, 64);
         dispatch(&scene, foreign, set, as, false); /* even the results go nowhere */
         CHECK_EQ(io[16], class == as ? expected(class, as) : UINT32_MAX);
         vk.DestroyPipelineLayout(scene.client.device, foreign, NULL);
         vk.DestroyPipelineLayout(scene.client.device, whole, NULL);
         vk.DestroyDescriptorPool(scene.client.device, pool, NULL);
         vk.DestroyDescriptorSetLayout(scene.client.device, other, NULL);
         vk.DestroyDescriptorSetLayout(scene.client.device, layout, NULL);
         finish(&scene);
      }
   unsetenv("VK_SWRAST_VALIDATE");
}

TEST_MAIN
