/* SPDX-License-Identifier: MIT
 * Fragments that touch the same bytes: each faulty shader is reported at its line and fragment, its repaired twin not at all. */
#include "tests/instrument/cases.h"
#include "tests/test.h"

enum { NUM_WORDS = 1024, EXTENT = 16 };

#include "fragment_cases.h"
#include "fragments_vert.h"

static struct client client;
static struct client_buffer data;
static struct client_image pixels, picture;
static VkSampler sampler;
static struct client_set set;
static VkPipelineLayout layout;
static VkShaderModule vertex;
static VkRenderPass pass;
static VkFramebuffer framebuffer;

/* The shaders have no colours, so nothing takes any. */
static VkRenderPass make_pass(void)
{
   static const VkAttachmentReference unused = {VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED};
   static const VkSubpassDescription subpass = {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &unused};
   static const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
   VkRenderPass made;
   client_check(vk.CreateRenderPass(client.device, &info, NULL, &made), "vkCreateRenderPass");
   return made;
}

static void init(void)
{
   static const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER};
   static const VkPhysicalDeviceFeatures features = {.fragmentStoresAndAtomics = VK_TRUE, .geometryShader = VK_TRUE /* gl_PrimitiveID */};
   static const VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT, .fragmentShaderPixelInterlock = VK_TRUE};
   static const VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures demote = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES, .pNext = (void *)&interlock,
      .shaderDemoteToHelperInvocation = VK_TRUE};
   client_init(&client, &(struct client_options){.on_message = cases_listen, .features = &features, .next = &demote,
                                                 .device_extension = VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME, .api_version = VK_API_VERSION_1_3});
   data = client_buffer_create(&client, NUM_WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT);
   pixels = client_image_create(&client, VK_FORMAT_R32_UINT, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   picture = client_image_create(&client, VK_FORMAT_R8G8B8A8_UNORM, EXTENT, EXTENT, 1, VK_SAMPLE_COUNT_1_BIT,
                                 VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
   sampler = client_sampler(&client, VK_FILTER_NEAREST, VK_SAMPLER_MIPMAP_MODE_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT);
   set = client_set_create(&client, 3, types);
   client_set_buffer(&client, &set, 0, types[0], &data);
   client_set_image(&client, &set, 1, types[1], pixels.view, VK_NULL_HANDLE, VK_IMAGE_LAYOUT_GENERAL);
   client_set_image(&client, &set, 2, types[2], picture.view, sampler, VK_IMAGE_LAYOUT_GENERAL);
   layout = client_pipeline_layout(&client, &set, 0);
   vertex = client_shader(&client, fragments_vert, sizeof(fragments_vert));
   pass = make_pass();
   framebuffer = client_framebuffer(&client, pass, 0, NULL, EXTENT, EXTENT);
}

static void finish(void)
{
   vk.DestroyFramebuffer(client.device, framebuffer, NULL);
   vk.DestroyRenderPass(client.device, pass, NULL);
   vk.DestroyShaderModule(client.device, vertex, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   vk.DestroySampler(client.device, sampler, NULL);
   client_image_destroy(&client, &picture);
   client_image_destroy(&client, &pixels);
   client_buffer_destroy(&client, &data);
   client_finish(&client);
}

static VkPipeline make_pipeline(VkShaderModule fragment)
{
   const struct client_graphics info = {.vertex = vertex, .fragment = fragment, .layout = layout, .pass = pass, .width = EXTENT, .height = EXTENT,
                                        .samples = VK_SAMPLE_COUNT_1_BIT, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   return client_graphics_pipeline(&client, &info, VK_NULL_HANDLE);
}

static void clear_all(VkCommandBuffer cmd)
{
   const VkClearColorValue zero = {0};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   vk.CmdFillBuffer(cmd, data.buffer, 0, VK_WHOLE_SIZE, 0);
   const struct client_image *const images[] = {&pixels, &picture};
   for (uint32_t i = 0; i < 2; i++) {
      client_transition(cmd, images[i], 0, 1, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL);
      vk.CmdClearColorImage(cmd, images[i]->image, VK_IMAGE_LAYOUT_GENERAL, &zero, 1, &range);
   }
   client_barrier(cmd);
}

/* Draws one of the twins: triangles that cover all. */
static void run(const struct instrument_case *it, uint32_t twin)
{
   VkShaderModule module = client_shader(&client, it->shaders[0].words[twin], it->shaders[0].size_bytes[twin]);
   VkPipeline pipeline = make_pipeline(module);
   client_name(&client, VK_OBJECT_TYPE_PIPELINE, (uint64_t)(uintptr_t)pipeline, it->name);
   VkCommandBuffer cmd = client_begin(&client);
   clear_all(cmd);
   client_begin_pass(cmd, pass, framebuffer, EXTENT, EXTENT, 0, NULL);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdDraw(cmd, 3 * it->groups, it->instances, 0, 0);
   vk.CmdEndRenderPass(cmd);
   client_barrier(cmd);
   client_run(&client, cmd);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
}

static const char *wanted; /* part of the names of cases; NULL: all */

TEST(corpus)
{
   init();
   cases_check(cases, sizeof(cases) / sizeof(cases[0]), wanted, run);
   finish();
}

int main(int argc, char **argv)
{
   wanted = argc > 1 ? argv[1] : NULL;
   return test_run_all(1, argv);
}
