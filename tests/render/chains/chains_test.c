/* SPDX-License-Identifier: MIT
 * Chains of tessellation, geometry and mesh shaders draw the same, however their stages come together, and in views.
 * Spec: Pipelines, "Graphics Pipelines", "Pipeline Libraries"; Shaders, "Shader Objects"; Tessellation; Mesh Shading; Render Pass, "Multiview". */
#include "tests/client/client.h"
#include "tests/test.h"
#include "util/macros.h"

#include "chain.frag.h"
#include "chain.geom.h"
#include "chain.mesh.h"
#include "chain.task.h"
#include "chain.tesc.h"
#include "chain.vert.h"
#include "isolines.tese.h"
#include "layered.frag.h"
#include "layered.mesh.h"
#include "quads.tese.h"
#include "reversed.tese.h"
#include "tasked.mesh.h"

#include <string.h>

enum { SIZE = 32, CELL = 8, CELLS = SIZE / CELL, LAYERS = 4 };
enum stage { VERTEX, CONTROL, EVALUATION, GEOMETRY, TASK, MESH, FRAGMENT, NUM_STAGES };
static const VkShaderStageFlagBits stage_bits[NUM_STAGES] = {
   VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, VK_SHADER_STAGE_GEOMETRY_BIT,
   VK_SHADER_STAGE_TASK_BIT_EXT, VK_SHADER_STAGE_MESH_BIT_EXT, VK_SHADER_STAGE_FRAGMENT_BIT};

struct module {
   const uint32_t *words;
   size_t bytes;
};
#define MODULE(name) {name, sizeof(name)}

struct chain {
   struct module modules[NUM_STAGES];
   uint32_t fact;  /* what the stages before the fragment shader say; UINT32_MAX: vertices of the patch */
   bool is_front;  /* which face is seen */
};

#define OF_PATCHES(evaluation) [VERTEX] = MODULE(chain_vert), [CONTROL] = MODULE(chain_tesc), [EVALUATION] = MODULE(evaluation), [FRAGMENT] = MODULE(chain_frag)
static const struct chain tessellation = {{OF_PATCHES(quads_tese)}, 4, true};
static const struct chain reversed = {{OF_PATCHES(reversed_tese)}, 4, false};
static const struct chain isolines = {{OF_PATCHES(isolines_tese)}, 4, true};
static const struct chain tessellation_geometry = {{OF_PATCHES(quads_tese), [GEOMETRY] = MODULE(chain_geom)}, 104, true};
static const struct chain mesh = {{[MESH] = MODULE(chain_mesh), [FRAGMENT] = MODULE(chain_frag)}, 50, false};
static const struct chain task_mesh = {{[TASK] = MODULE(chain_task), [MESH] = MODULE(tasked_mesh), [FRAGMENT] = MODULE(chain_frag)}, 200, false};
static const struct chain layered = {{[MESH] = MODULE(layered_mesh), [FRAGMENT] = MODULE(layered_frag)}, 50, false};
static const struct chain *const chains[] = {&tessellation, &reversed, &tessellation_geometry, &mesh, &task_mesh};

enum made_as { PIPELINE, LINKED_LIBRARIES, LINKED_OBJECTS, OBJECTS, NUM_MADE_AS };

struct options {
   const struct chain *chain;
   enum made_as made_as;
   uint32_t view_mask;
   VkTessellationDomainOrigin origin; /* static */
   uint32_t patch_vertices;           /* 0: 4 */
   bool is_dynamic;                   /* both of these */
};

struct scene {
   struct client client;
   const struct options *options;
   VkImage image;
   VkDeviceMemory memory;
   VkImageView view;
   struct client_buffer pixels;
   VkPipelineLayout layout;
   VkShaderModule modules[NUM_STAGES];
   VkPipeline libraries[4], pipeline;
   VkShaderEXT objects[NUM_STAGES];
};

#define FUNCTION(s, name) ((PFN_vk##name)vk.GetDeviceProcAddr((s)->client.device, "vk" #name))

static bool has_mesh(const struct scene *s)
{
   return s->options->chain->modules[MESH].bytes != 0;
}

static const VkViewport viewports[2] = {{0, 0, SIZE, SIZE, 0, 1}, {8, 8, 16, 16, 0, 1}};
static const VkRect2D scissors[2] = {{{0, 0}, {SIZE, SIZE}}, {{0, 0}, {SIZE, SIZE}}};

/* ---- pipelines ---- */

/* Parts: of VkGraphicsPipelineLibraryFlagBitsEXT; 0: a whole pipeline. */
static VkPipeline make_pipeline(struct scene *s, VkGraphicsPipelineLibraryFlagsEXT parts, VkPipelineCreateFlags flags)
{
   const struct options *o = s->options;
   const VkGraphicsPipelineLibraryFlagsEXT last = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
   VkPipelineShaderStageCreateInfo stages[NUM_STAGES];
   uint32_t num_stages = 0;
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      const VkGraphicsPipelineLibraryFlagsEXT part = i == FRAGMENT ? last : VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
      if (s->modules[i] && (!parts || parts & part))
         stages[num_stages++] = (VkPipelineShaderStageCreateInfo){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = stage_bits[i], .module = s->modules[i], .pName = "main"};
   }
   const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .viewMask = o->view_mask,
                                                    .colorAttachmentCount = 1,
                                                    .pColorAttachmentFormats = &format};
   const VkGraphicsPipelineLibraryCreateInfoEXT library = {VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT, &rendering, parts};
   const VkPipelineVertexInputStateCreateInfo input = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
                                                            .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST};
   const VkPipelineTessellationDomainOriginStateCreateInfo origin = {
      VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO, NULL, o->origin};
   const VkPipelineTessellationStateCreateInfo patches = {.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
                                                          .pNext = &origin,
                                                          .patchControlPoints = o->patch_vertices ? o->patch_vertices : 4};
   const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                       .viewportCount = 2,
                                                       .pViewports = viewports,
                                                       .scissorCount = 2,
                                                       .pScissors = scissors};
   const VkPipelineRasterizationStateCreateInfo rasterization = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                             .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment};
   static const VkDynamicState states[] = {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT, VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT};
   const VkPipelineDynamicStateCreateInfo dynamic = {VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, NULL, 0, UTIL_ARRAY_SIZE(states), states};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = parts ? (const void *)&library : &rendering,
                                              .flags = flags | (parts ? VK_PIPELINE_CREATE_LIBRARY_BIT_KHR : 0),
                                              .stageCount = num_stages,
                                              .pStages = stages,
                                              .pVertexInputState = &input,
                                              .pInputAssemblyState = &assembly,
                                              .pTessellationState = has_mesh(s) ? NULL : &patches,
                                              .pViewportState = &viewport,
                                              .pRasterizationState = &rasterization,
                                              .pMultisampleState = &multisample,
                                              .pColorBlendState = &blend,
                                              .pDynamicState = o->is_dynamic ? &dynamic : NULL,
                                              .layout = s->layout};
   VkPipeline pipeline;
   client_check(vk.CreateGraphicsPipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
   return pipeline;
}

/* Each of the four parts is a library of its own; a mesh has no vertex input. */
static void link_libraries(struct scene *s)
{
   uint32_t count = 0;
   for (uint32_t i = has_mesh(s); i < 4; i++)
      s->libraries[count++] = make_pipeline(s, 1u << i, 0);
   const VkPipelineLibraryCreateInfoKHR linked = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = count, .pLibraries = s->libraries};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &linked, .layout = s->layout};
   client_check(vk.CreateGraphicsPipelines(s->client.device, VK_NULL_HANDLE, 1, &info, NULL, &s->pipeline), "vkCreateGraphicsPipelines");
}

/* ---- shader objects ---- */

static void make_objects(struct scene *s, bool is_linked)
{
   const struct chain *chain = s->options->chain;
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   VkShaderEXT made[NUM_STAGES];
   uint32_t count = 0;
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      VkShaderStageFlags next = 0;
      for (uint32_t k = NUM_STAGES; k-- > i + 1;)
         next = chain->modules[k].bytes ? stage_bits[k] : next; /* the nearest one */
      if (chain->modules[i].bytes)
         infos[count++] = (VkShaderCreateInfoEXT){.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                                  .flags = (is_linked ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0) |
                                                           (i == MESH && !chain->modules[TASK].bytes ? VK_SHADER_CREATE_NO_TASK_SHADER_BIT_EXT : 0),
                                                  .stage = stage_bits[i],
                                                  .nextStage = next,
                                                  .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                                  .codeSize = chain->modules[i].bytes,
                                                  .pCode = chain->modules[i].words,
                                                  .pName = "main"};
   }
   client_check(FUNCTION(s, CreateShadersEXT)(s->client.device, count, infos, NULL, made), "vkCreateShadersEXT");
   count = 0;
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      s->objects[i] = chain->modules[i].bytes ? made[count++] : VK_NULL_HANDLE;
}

static void bind_objects(struct scene *s, VkCommandBuffer cmd)
{
   const VkBool32 has_blend = VK_FALSE;
   client_set_states(&s->client, cmd, SIZE, SIZE);
   FUNCTION(s, CmdSetViewportWithCount)(cmd, 2, viewports);
   FUNCTION(s, CmdSetScissorWithCount)(cmd, 2, scissors);
   FUNCTION(s, CmdSetColorBlendEnableEXT)(cmd, 0, 1, &has_blend);
   FUNCTION(s, CmdBindShadersEXT)(cmd, NUM_STAGES, stage_bits, s->objects);
   if (has_mesh(s))
      return;
   FUNCTION(s, CmdSetVertexInputEXT)(cmd, 0, NULL, 0, NULL);
   FUNCTION(s, CmdSetPrimitiveTopology)(cmd, VK_PRIMITIVE_TOPOLOGY_PATCH_LIST);
   FUNCTION(s, CmdSetPatchControlPointsEXT)(cmd, 4);
   FUNCTION(s, CmdSetTessellationDomainOriginEXT)(cmd, s->options->origin);
}

/* ---- the scene ---- */

static void init_client(struct client *client)
{
   static const char *const extensions[] = {VK_EXT_MESH_SHADER_EXTENSION_NAME,          VK_EXT_SHADER_OBJECT_EXTENSION_NAME,
                                            VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME, VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME,
                                            VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME, VK_EXT_EXTENDED_DYNAMIC_STATE_3_EXTENSION_NAME,
                                            VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME};
   static const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE, .tessellationShader = VK_TRUE, .multiViewport = VK_TRUE};
   VkPhysicalDeviceVulkan11Features core11 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                              .multiview = VK_TRUE,
                                              .multiviewGeometryShader = VK_TRUE,
                                              .multiviewTessellationShader = VK_TRUE};
   VkPhysicalDeviceVulkan12Features core12 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                              .pNext = &core11,
                                              .shaderOutputLayer = VK_TRUE,
                                              .shaderOutputViewportIndex = VK_TRUE};
   VkPhysicalDeviceVulkan13Features core13 = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .pNext = &core12, .dynamicRendering = VK_TRUE};
   VkPhysicalDeviceMeshShaderFeaturesEXT meshes = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT,
                                                   .pNext = &core13,
                                                   .taskShader = VK_TRUE,
                                                   .meshShader = VK_TRUE,
                                                   .multiviewMeshShader = VK_TRUE};
   VkPhysicalDeviceShaderObjectFeaturesEXT objects = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .pNext = &meshes, .shaderObject = VK_TRUE};
   VkPhysicalDeviceGraphicsPipelineLibraryFeaturesEXT libraries = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_GRAPHICS_PIPELINE_LIBRARY_FEATURES_EXT, .pNext = &objects, .graphicsPipelineLibrary = VK_TRUE};
   VkPhysicalDeviceExtendedDynamicState2FeaturesEXT dynamic2 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
                                                                .pNext = &libraries,
                                                                .extendedDynamicState2PatchControlPoints = VK_TRUE};
   VkPhysicalDeviceExtendedDynamicState3FeaturesEXT dynamic3 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_3_FEATURES_EXT,
                                                                .pNext = &dynamic2,
                                                                .extendedDynamicState3TessellationDomainOrigin = VK_TRUE};
   const VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, &dynamic3, VK_TRUE};
   client_init(client, &(struct client_options){.features = &features,
                                                .next = &executables,
                                                .device_extensions = extensions,
                                                .num_device_extensions = UTIL_ARRAY_SIZE(extensions),
                                                .api_version = VK_API_VERSION_1_3});
}

static void make_target(struct scene *s)
{
   const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                   .imageType = VK_IMAGE_TYPE_2D,
                                   .format = VK_FORMAT_R8G8B8A8_UNORM,
                                   .extent = {SIZE, SIZE, 1},
                                   .mipLevels = 1,
                                   .arrayLayers = LAYERS,
                                   .samples = VK_SAMPLE_COUNT_1_BIT,
                                   .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
   VkMemoryRequirements needs;
   client_check(vk.CreateImage(s->client.device, &info, NULL, &s->image), "vkCreateImage");
   vk.GetImageMemoryRequirements(s->client.device, s->image, &needs);
   const VkMemoryAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                          .allocationSize = needs.size,
                                          .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
   client_check(vk.AllocateMemory(s->client.device, &allocate, NULL, &s->memory), "vkAllocateMemory");
   client_check(vk.BindImageMemory(s->client.device, s->image, s->memory, 0), "vkBindImageMemory");
   const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = s->image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                       .format = info.format,
                                       .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS}};
   client_check(vk.CreateImageView(s->client.device, &view, NULL, &s->view), "vkCreateImageView");
   s->pixels = client_buffer_create(&s->client, SIZE * SIZE * LAYERS * 4, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
}

static void scene_init(struct scene *s, const struct options *o)
{
   *s = (struct scene){.options = o};
   init_client(&s->client);
   make_target(s);
   s->layout = client_pipeline_layout(&s->client, NULL, 0);
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      const struct module module = o->chain->modules[i];
      s->modules[i] = module.bytes ? client_shader(&s->client, module.words, module.bytes) : VK_NULL_HANDLE;
   }
   if (o->made_as == PIPELINE)
      s->pipeline = make_pipeline(s, 0, 0);
   else if (o->made_as == LINKED_LIBRARIES)
      link_libraries(s);
   else
      make_objects(s, o->made_as == LINKED_OBJECTS);
}

static void scene_finish(struct scene *s)
{
   VkDevice device = s->client.device;
   for (uint32_t i = 0; i < NUM_STAGES; i++) {
      vk.DestroyShaderModule(device, s->modules[i], NULL);
      FUNCTION(s, DestroyShaderEXT)(device, s->objects[i], NULL);
   }
   vk.DestroyPipeline(device, s->pipeline, NULL);
   for (uint32_t i = 0; i < 4; i++)
      vk.DestroyPipeline(device, s->libraries[i], NULL);
   vk.DestroyPipelineLayout(device, s->layout, NULL);
   vk.DestroyImageView(device, s->view, NULL);
   vk.DestroyImage(device, s->image, NULL);
   vk.FreeMemory(device, s->memory, NULL);
   client_buffer_destroy(&s->client, &s->pixels);
   client_finish(&s->client);
}

static VkCommandBuffer begin(struct scene *s)
{
   const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, LAYERS};
   const VkRenderingAttachmentInfo color = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                            .imageView = s->view,
                                            .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                            .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
   const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                 .renderArea = {{0, 0}, {SIZE, SIZE}},
                                 .layerCount = s->options->view_mask ? 1 : LAYERS,
                                 .viewMask = s->options->view_mask,
                                 .colorAttachmentCount = 1,
                                 .pColorAttachments = &color};
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                         .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = s->image,
                                         .subresourceRange = all};
   VkCommandBuffer cmd = client_begin(&s->client);
   vk.CmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   vk.CmdClearColorImage(cmd, s->image, VK_IMAGE_LAYOUT_GENERAL, &(const VkClearColorValue){0}, 1, &all);
   client_barrier(cmd);
   FUNCTION(s, CmdBeginRendering)(cmd, &info);
   if (s->pipeline)
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, s->pipeline);
   else
      bind_objects(s, cmd);
   return cmd;
}

static void end(struct scene *s, VkCommandBuffer cmd)
{
   const VkBufferImageCopy region = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, LAYERS}, .imageExtent = {SIZE, SIZE, 1}};
   FUNCTION(s, CmdEndRendering)(cmd);
   client_barrier(cmd);
   vk.CmdCopyImageToBuffer(cmd, s->image, VK_IMAGE_LAYOUT_GENERAL, s->pixels.buffer, 1, &region);
   client_barrier(cmd);
   client_run(&s->client, cmd);
}

/* All cells. */
static void draw(struct scene *s)
{
   VkCommandBuffer cmd = begin(s);
   if (has_mesh(s))
      FUNCTION(s, CmdDrawMeshTasksEXT)(cmd, s->options->chain->modules[TASK].bytes ? CELLS : CELLS * CELLS, 1, 1);
   else
      vk.CmdDraw(cmd, CELLS * CELLS * (s->options->patch_vertices ? s->options->patch_vertices : 4), 1, 0, 0);
   end(s, cmd);
}

static const uint8_t *texel(const struct scene *s, uint32_t x, uint32_t y, uint32_t layer)
{
   return (const uint8_t *)s->pixels.map + ((layer * SIZE + y) * SIZE + x) * 4;
}

/* How many texels of a layer between two rows are not as the cells leave them. */
static uint32_t count_wrong(const struct scene *s, uint32_t layer, uint32_t first_row, uint32_t end_row, uint32_t fact, bool is_front)
{
   uint32_t wrong = 0;
   for (uint32_t y = first_row; y < end_row; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint32_t where = s->options->view_mask ? layer * 17 : 0;
         const uint8_t expected[4] = {(uint8_t)(y / CELL * CELLS + x / CELL + 1), (uint8_t)fact, (uint8_t)where, is_front ? 255 : 254};
         wrong += memcmp(texel(s, x, y, layer), expected, 4) != 0;
      }
   }
   return wrong;
}

static uint32_t count_drawn(const struct scene *s, uint32_t layer)
{
   uint32_t drawn = 0;
   for (uint32_t i = 0; i < SIZE * SIZE; i++)
      drawn += texel(s, i % SIZE, i / SIZE, layer)[3] != 0;
   return drawn;
}

/* ---- how stages come together ---- */

TEST(pipelines_libraries_and_objects)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(chains); i++) {
      for (uint32_t made_as = 0; made_as < NUM_MADE_AS; made_as++) {
         struct scene s;
         scene_init(&s, &(struct options){.chain = chains[i], .made_as = (enum made_as)made_as});
         draw(&s);
         CHECK_EQ(count_wrong(&s, 0, 0, SIZE, chains[i]->fact, chains[i]->is_front), 0);
         for (uint32_t layer = 1; layer < LAYERS; layer++)
            CHECK_EQ(count_drawn(&s, layer), 0);
         scene_finish(&s);
      }
   }
}

/* Each view is drawn with its own number in all stages; layer 2 is none. Shader objects are not for views. */
TEST(views)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(chains); i++) {
      for (uint32_t made_as = PIPELINE; made_as <= LINKED_LIBRARIES; made_as++) {
         struct scene s;
         scene_init(&s, &(struct options){.chain = chains[i], .made_as = (enum made_as)made_as, .view_mask = 0xb});
         draw(&s);
         for (uint32_t layer = 0; layer < LAYERS; layer++) {
            if (layer == 2)
               CHECK_EQ(count_drawn(&s, layer), 0);
            else
               CHECK_EQ(count_wrong(&s, layer, 0, SIZE, chains[i]->fact, chains[i]->is_front), 0);
         }
         scene_finish(&s);
      }
   }
}

/* ---- tessellation ---- */

TEST(domain_origin)
{
   const struct chain *both[] = {&tessellation, &reversed};
   for (uint32_t i = 0; i < 2; i++) {
      struct scene s;
      scene_init(&s, &(struct options){.chain = both[i], .origin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT, .patch_vertices = 3});
      draw(&s);
      CHECK_EQ(count_wrong(&s, 0, 0, SIZE, 3, !both[i]->is_front), 0);
      scene_finish(&s);
   }
}

/* Between two draws; what the pipeline says of them is not looked at. */
TEST(dynamic_patches_and_origin)
{
   const struct chain *both[] = {&tessellation, &reversed};
   for (uint32_t i = 0; i < 2; i++) {
      for (uint32_t made_as = 0; made_as < NUM_MADE_AS; made_as++) {
         struct scene s;
         scene_init(&s, &(struct options){.chain = both[i], .made_as = (enum made_as)made_as, .patch_vertices = 7, .is_dynamic = true});
         VkCommandBuffer cmd = begin(&s);
         FUNCTION(&s, CmdSetPatchControlPointsEXT)(cmd, 3);
         FUNCTION(&s, CmdSetTessellationDomainOriginEXT)(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT);
         vk.CmdDraw(cmd, CELLS * CELLS / 2 * 3 + 2, 1, 0, 0); /* two are no patch */
         FUNCTION(&s, CmdSetPatchControlPointsEXT)(cmd, 5);
         FUNCTION(&s, CmdSetTessellationDomainOriginEXT)(cmd, VK_TESSELLATION_DOMAIN_ORIGIN_UPPER_LEFT);
         vk.CmdDraw(cmd, CELLS * CELLS / 2 * 5, 1, CELLS * CELLS / 2 * 5, 0);
         end(&s, cmd);
         CHECK_EQ(count_wrong(&s, 0, 0, SIZE / 2, 3, !both[i]->is_front), 0);
         CHECK_EQ(count_wrong(&s, 0, SIZE / 2, SIZE, 5, both[i]->is_front), 0);
         scene_finish(&s);
      }
   }
}

/* Four lines a cell, each along one row of texels. */
TEST(drawn_isolines)
{
   struct scene s;
   uint32_t wrong = 0;
   scene_init(&s, &(struct options){.chain = &isolines});
   draw(&s);
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++) {
         const uint8_t drawn[4] = {(uint8_t)(y / CELL * CELLS + x / CELL + 1), 4, 0, 255}, none[4] = {0};
         wrong += memcmp(texel(&s, x, y, 0), y % 2 ? none : drawn, 4) != 0;
      }
   }
   CHECK_EQ(wrong, 0);
   scene_finish(&s);
}

/* ---- meshes ---- */

/* Cells 0 to 3 cover layers, the next four the second viewport in them. */
TEST(layers_and_viewports_of_a_mesh)
{
   for (uint32_t made_as = 0; made_as < NUM_MADE_AS; made_as++) {
      struct scene s;
      scene_init(&s, &(struct options){.chain = &layered, .made_as = (enum made_as)made_as});
      VkCommandBuffer cmd = begin(&s);
      FUNCTION(&s, CmdDrawMeshTasksEXT)(cmd, 2 * LAYERS, 1, 1);
      end(&s, cmd);
      for (uint32_t layer = 0; layer < LAYERS; layer++) {
         uint32_t wrong = 0;
         for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const uint32_t x = i % SIZE, y = i / SIZE, viewport = x >= 8 && x < 24 && y >= 8 && y < 24;
            const uint8_t expected[4] = {(uint8_t)(layer + viewport * LAYERS + 1), 50, (uint8_t)(layer * 16 + viewport), 254};
            wrong += memcmp(texel(&s, x, y, layer), expected, 4) != 0;
         }
         CHECK_EQ(wrong, 0);
      }
      scene_finish(&s);
   }
}

/* ---- tools ---- */

TEST(executables_of_five_stages)
{
   enum { COUNT = 5 };
   static const struct {
      VkShaderStageFlagBits stage;
      const char *name;
   } expected[COUNT] = {{VK_SHADER_STAGE_VERTEX_BIT, "vertex shader"},
                        {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "tessellation control shader"},
                        {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "tessellation evaluation shader"},
                        {VK_SHADER_STAGE_GEOMETRY_BIT, "geometry shader"},
                        {VK_SHADER_STAGE_FRAGMENT_BIT, "fragment shader"}};
   struct scene s;
   VkPipelineExecutablePropertiesKHR properties[COUNT + 1];
   uint32_t count = 0;
   scene_init(&s, &(struct options){.chain = &tessellation_geometry});
   VkPipeline pipeline =
      make_pipeline(&s, 0, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
   const VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, NULL, pipeline};
   CHECK_EQ(FUNCTION(&s, GetPipelineExecutablePropertiesKHR)(s.client.device, &info, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, COUNT);
   count = COUNT + 1;
   for (uint32_t i = 0; i < count; i++)
      properties[i] = (VkPipelineExecutablePropertiesKHR){.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
   CHECK_EQ(FUNCTION(&s, GetPipelineExecutablePropertiesKHR)(s.client.device, &info, &count, properties), VK_SUCCESS);
   CHECK_EQ(count, COUNT);
   for (uint32_t i = 0; i < COUNT; i++) {
      const VkPipelineExecutableInfoKHR executable = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, NULL, pipeline, i};
      VkPipelineExecutableStatisticKHR statistics[8] = {0};
      VkPipelineExecutableInternalRepresentationKHR texts[3] = {0};
      uint32_t num_statistics = UTIL_ARRAY_SIZE(statistics), num_texts = UTIL_ARRAY_SIZE(texts);
      CHECK_EQ(properties[i].stages, expected[i].stage);
      CHECK(!strcmp(properties[i].name, expected[i].name));
      CHECK_EQ(FUNCTION(&s, GetPipelineExecutableStatisticsKHR)(s.client.device, &executable, &num_statistics, statistics), VK_SUCCESS);
      CHECK(num_statistics >= 4);
      CHECK(statistics[0].value.u64 > 100); /* an ELF object is no shorter */
      CHECK_EQ(FUNCTION(&s, GetPipelineExecutableInternalRepresentationsKHR)(s.client.device, &executable, &num_texts, texts), VK_SUCCESS);
      CHECK_EQ(num_texts, 3);
      for (uint32_t k = 0; k < num_texts; k++)
         CHECK(texts[k].dataSize > 100);
   }
   vk.DestroyPipeline(s.client.device, pipeline, NULL);
   scene_finish(&s);
}

TEST_MAIN
