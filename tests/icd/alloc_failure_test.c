/* SPDX-License-Identifier: MIT
 * Memory that runs out, at each allocation in turn: every call gives a code that the specification lists for it, nothing crashes,
 * nothing leaks (run under a sanitizer to see that of internal memory).
 * One scenario uses most types of objects, records, submits and checks what comes out. It runs again and again, each time with
 * the next allocation failing: those through pAllocator, then those of the driver itself, once each and for good. */
#include "tests/icd/fixture.h"
#include "tests/test.h"
#include "util/alloc.h"
#include "util/sanitizers.h"

#include "scenario.comp.h"
#include "scenario.frag.h"
#include "scenario.vert.h"

#include <limits.h>
#include <pthread.h>
#include <sys/mman.h>

/* What stands between the numbers of two steps is what a step has allocated. */
enum step { STEP_BEGIN, STEP_PIPELINES, STEP_RECORDING, NUM_STEPS };

struct scenario {
   const VkAllocationCallbacks *allocator;
   const void *cache_data; /* of an earlier run; NULL: shaders are compiled */
   size_t cache_bytes;
   uint64_t counts[NUM_STEPS];
   uint64_t total;
   const char *failed; /* the call that failed */

   VkInstance instance;
   VkPhysicalDevice physical_device;
   VkDebugUtilsMessengerEXT messenger;
   VkDevice device;
   VkQueue queue;
   VkPrivateDataSlot slot;
   VkBuffer buffer;
   VkDeviceMemory buffer_memory, image_memory;
   uint8_t *data;
   VkImage images[2]; /* picture and target */
   VkImageView views[2];
   VkSampler sampler;
   VkBufferView buffer_view;
   VkDescriptorSetLayout set_layout;
   VkDescriptorPool descriptor_pool;
   VkDescriptorSet set;
   VkDescriptorUpdateTemplate update_template;
   VkPipelineLayout layout;
   VkShaderModule modules[3];
   VkPipelineCache cache;
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   VkPipeline compute, graphics;
   VkShaderEXT objects[4]; /* as the modules; the first again, from its binary */
   VkQueryPool queries;
   VkEvent event;
   VkSemaphore semaphore;
   VkFence fence;
   VkCommandPool command_pool;
   VkCommandBuffer commands[2]; /* primary, secondary */
};

enum {
   NUM_VALUES = 64,
   IMAGE_SIZE = 16,
   UNIFORM_OFFSET = 1024, /* in the buffer: values, then this, then vertices, then pixels */
   VERTEX_OFFSET = 2048,
   PIXEL_OFFSET = 4096,
   BUFFER_BYTES = PIXEL_OFFSET + IMAGE_SIZE * IMAGE_SIZE * 4,
};

static uint64_t (*count_allocations)(void);

/* Returns from the calling function if `call` fails. */
#define TRY(call)                                                                                                      \
   do {                                                                                                                \
      const VkResult try_result_ = (call);                                                                             \
      if (try_result_ != VK_SUCCESS) {                                                                                 \
         s->failed = #call;                                                                                            \
         return try_result_;                                                                                           \
      }                                                                                                                \
   } while (0)

static VKAPI_ATTR VkBool32 VKAPI_CALL ignore_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
   return VK_FALSE;
}

static VkResult create_device(struct scenario *s)
{
   static const char *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
   const float priorities[2] = {1, 1};
   const VkDebugUtilsMessengerCreateInfoEXT messenger = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
      .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
      .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
      .pfnUserCallback = ignore_message,
   };
   const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
   const VkInstanceCreateInfo instance = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pNext = &messenger,
      .pApplicationInfo = &application,
      .enabledExtensionCount = 1,
      .ppEnabledExtensionNames = &extension,
   };
   const VkDeviceQueueCreateInfo queues = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 2, .pQueuePriorities = priorities};
   const VkDeviceCreateInfo device = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queues};
   const VkPrivateDataSlotCreateInfo slot = {.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO};
   VkDebugUtilsObjectNameInfoEXT name = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, .objectType = VK_OBJECT_TYPE_DEVICE, .pObjectName = "device"};
   uint32_t count = 1;

   TRY(icd_CreateInstance(&instance, s->allocator, &s->instance));
   TRY(icd_CreateDebugUtilsMessengerEXT(s->instance, &messenger, s->allocator, &s->messenger));
   TRY(icd_EnumeratePhysicalDevices(s->instance, &count, &s->physical_device));
   TRY(icd_CreateDevice(s->physical_device, &device, s->allocator, &s->device));
   icd_GetDeviceQueue(s->device, 0, 0, &s->queue);
   name.objectHandle = (uintptr_t)s->device;
   TRY(icd_SetDebugUtilsObjectNameEXT(s->device, &name));
   TRY(icd_CreatePrivateDataSlot(s->device, &slot, s->allocator, &s->slot));
   TRY(icd_SetPrivateData(s->device, VK_OBJECT_TYPE_QUEUE, (uintptr_t)s->queue, s->slot, 1));
   return VK_SUCCESS;
}

static VkResult create_images(struct scenario *s)
{
   VkDeviceSize bytes = 0;
   VkMemoryRequirements needs[2];
   for (int i = 0; i < 2; i++) {
      const VkImageCreateInfo image = {
         .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
         .imageType = VK_IMAGE_TYPE_2D,
         .format = VK_FORMAT_R8G8B8A8_UNORM,
         .extent = {IMAGE_SIZE, IMAGE_SIZE, 1},
         .mipLevels = 1,
         .arrayLayers = 1,
         .samples = VK_SAMPLE_COUNT_1_BIT,
         .tiling = VK_IMAGE_TILING_OPTIMAL,
         .usage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                  VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
      };
      TRY(icd_CreateImage(s->device, &image, s->allocator, &s->images[i]));
      icd_GetImageMemoryRequirements(s->device, s->images[i], &needs[i]);
      bytes = util_align(bytes, needs[i].alignment) + needs[i].size;
   }
   const VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, bytes, 0};
   TRY(icd_AllocateMemory(s->device, &memory, s->allocator, &s->image_memory));
   TRY(icd_BindImageMemory(s->device, s->images[0], s->image_memory, 0));
   TRY(icd_BindImageMemory(s->device, s->images[1], s->image_memory, util_align(needs[0].size, needs[1].alignment)));
   for (int i = 0; i < 2; i++) {
      const VkImageViewCreateInfo view = {
         .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
         .image = s->images[i],
         .viewType = VK_IMAGE_VIEW_TYPE_2D,
         .format = VK_FORMAT_R8G8B8A8_UNORM,
         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
      };
      TRY(icd_CreateImageView(s->device, &view, s->allocator, &s->views[i]));
   }
   const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   TRY(icd_CreateSampler(s->device, &sampler, s->allocator, &s->sampler));
   return VK_SUCCESS;
}

static VkResult create_buffer(struct scenario *s)
{
   const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = BUFFER_BYTES, .usage = 0x1ff};
   VkMemoryRequirements needs;
   void *data;
   TRY(icd_CreateBuffer(s->device, &buffer, s->allocator, &s->buffer));
   icd_GetBufferMemoryRequirements(s->device, s->buffer, &needs);
   const VkMemoryAllocateInfo memory = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, needs.size, 0};
   TRY(icd_AllocateMemory(s->device, &memory, s->allocator, &s->buffer_memory));
   TRY(icd_BindBufferMemory(s->device, s->buffer, s->buffer_memory, 0));
   TRY(icd_MapMemory(s->device, s->buffer_memory, 0, VK_WHOLE_SIZE, 0, &data));
   const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                        .buffer = s->buffer,
                                        .format = VK_FORMAT_R32_UINT,
                                        .range = VK_WHOLE_SIZE};
   TRY(icd_CreateBufferView(s->device, &view, s->allocator, &s->buffer_view));

   static const float triangle[] = {-1, -1, 3, -1, -1, 3};
   s->data = data;
   memset(s->data, 0, BUFFER_BYTES);
   *(uint32_t *)(s->data + UNIFORM_OFFSET) = 1000;
   memcpy(s->data + VERTEX_OFFSET, triangle, sizeof(triangle));
   return VK_SUCCESS;
}

static VkResult create_descriptors(struct scenario *s)
{
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {2, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   const VkDescriptorSetLayoutCreateInfo layout = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, NULL, 0, 3, bindings};
   const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
                                         {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                         {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
   const VkDescriptorPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = 3, .pPoolSizes = sizes};
   TRY(icd_CreateDescriptorSetLayout(s->device, &layout, s->allocator, &s->set_layout));
   TRY(icd_CreateDescriptorPool(s->device, &pool, s->allocator, &s->descriptor_pool));
   const VkDescriptorSetAllocateInfo set = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, s->descriptor_pool, 1,
                                            &s->set_layout};
   TRY(icd_AllocateDescriptorSets(s->device, &set, &s->set));

   struct {
      VkDescriptorBufferInfo buffers[2];
      VkDescriptorImageInfo picture;
   } values = {
      {{s->buffer, 0, NUM_VALUES * 4}, {s->buffer, UNIFORM_OFFSET, 16}},
      {s->sampler, s->views[0], VK_IMAGE_LAYOUT_GENERAL},
   };
   const VkDescriptorUpdateTemplateEntry entries[] = {
      {0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0},
      {1, 0, 1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, sizeof(values.buffers[0]), 0},
      {2, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, sizeof(values.buffers), 0},
   };
   const VkDescriptorUpdateTemplateCreateInfo update_template = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 3,
      .pDescriptorUpdateEntries = entries,
      .templateType = VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET,
      .descriptorSetLayout = s->set_layout,
   };
   TRY(icd_CreateDescriptorUpdateTemplate(s->device, &update_template, s->allocator, &s->update_template));
   icd_UpdateDescriptorSetWithTemplate(s->device, s->set, s->update_template, &values);
   return VK_SUCCESS;
}

static VkResult create_pass(struct scenario *s)
{
   const VkAttachmentDescription attachment = {
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
   };
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo pass = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   TRY(icd_CreateRenderPass(s->device, &pass, s->allocator, &s->pass));
   const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                .renderPass = s->pass,
                                                .attachmentCount = 1,
                                                .pAttachments = &s->views[1],
                                                .width = IMAGE_SIZE,
                                                .height = IMAGE_SIZE,
                                                .layers = 1};
   TRY(icd_CreateFramebuffer(s->device, &framebuffer, s->allocator, &s->framebuffer));
   return VK_SUCCESS;
}

static VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits bit, VkShaderModule module)
{
   return (VkPipelineShaderStageCreateInfo){
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = bit, .module = module, .pName = "main"};
}

static VkResult create_graphics_pipeline(struct scenario *s)
{
   const VkPipelineShaderStageCreateInfo stages[] = {stage(VK_SHADER_STAGE_VERTEX_BIT, s->modules[1]),
                                                     stage(VK_SHADER_STAGE_FRAGMENT_BIT, s->modules[2])};
   const VkVertexInputBindingDescription binding = {0, 8, VK_VERTEX_INPUT_RATE_VERTEX};
   const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32_SFLOAT, 0};
   const VkPipelineVertexInputStateCreateInfo input = {
      VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO, NULL, 0, 1, &binding, 1, &attribute};
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
   const VkViewport viewport = {0, 0, IMAGE_SIZE, IMAGE_SIZE, 0, 1};
   const VkRect2D scissor = {{0, 0}, {IMAGE_SIZE, IMAGE_SIZE}};
   const VkPipelineViewportStateCreateInfo viewports = {
      VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, NULL, 0, 1, &viewport, 1, &scissor};
   const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
   const VkPipelineMultisampleStateCreateInfo multisample = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
   const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 15};
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &attachment};
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewports,
      .pRasterizationState = &rasterization,
      .pMultisampleState = &multisample,
      .pColorBlendState = &blend,
      .layout = s->layout,
      .renderPass = s->pass,
   };
   TRY(icd_CreateGraphicsPipelines(s->device, s->cache, 1, &info, s->allocator, &s->graphics));
   return VK_SUCCESS;
}

/* The same code as the pipelines have. */
static VkResult create_shader_objects(struct scenario *s)
{
   static const VkShaderStageFlagBits stages[] = {VK_SHADER_STAGE_COMPUTE_BIT, VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT};
   static const uint32_t *const codes[] = {scenario_comp, scenario_vert, scenario_frag};
   static const size_t sizes[] = {sizeof(scenario_comp), sizeof(scenario_vert), sizeof(scenario_frag)};
   static _Alignas(16) uint8_t binary[1 << 18];
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   const uint32_t factor = 7;
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &factor};
   VkShaderCreateInfoEXT infos[3];
   size_t binary_bytes = sizeof(binary);
   for (int i = 0; i < 3; i++) {
      infos[i] = (VkShaderCreateInfoEXT){
         .sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
         .flags = i ? VK_SHADER_CREATE_LINK_STAGE_BIT_EXT : 0,
         .stage = stages[i],
         .nextStage = i == 1 ? VK_SHADER_STAGE_FRAGMENT_BIT : 0,
         .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
         .codeSize = sizes[i],
         .pCode = codes[i],
         .pName = "main",
         .setLayoutCount = 1,
         .pSetLayouts = &s->set_layout,
         .pushConstantRangeCount = 1,
         .pPushConstantRanges = &range,
         .pSpecializationInfo = i ? NULL : &specialization,
      };
   }
   TRY(icd_CreateShadersEXT(s->device, 3, infos, s->allocator, s->objects));
   TRY(icd_GetShaderBinaryDataEXT(s->device, s->objects[0], &binary_bytes, binary));
   infos[0].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   infos[0].codeSize = binary_bytes;
   infos[0].pCode = binary;
   TRY(icd_CreateShadersEXT(s->device, 1, infos, s->allocator, &s->objects[3]));
   return VK_SUCCESS;
}

static VkResult create_pipelines(struct scenario *s)
{
   const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 4};
   const VkPipelineLayoutCreateInfo layout = {
      VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, NULL, 0, 1, &s->set_layout, 1, &range};
   const VkPipelineCacheCreateInfo cache = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .initialDataSize = s->cache_bytes,
                                            .pInitialData = s->cache_data};
   const VkShaderModuleCreateInfo modules[] = {
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(scenario_comp), scenario_comp},
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(scenario_vert), scenario_vert},
      {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(scenario_frag), scenario_frag},
   };
   TRY(icd_CreatePipelineLayout(s->device, &layout, s->allocator, &s->layout));
   TRY(icd_CreatePipelineCache(s->device, &cache, s->allocator, &s->cache));
   for (int i = 0; i < 3; i++)
      TRY(icd_CreateShaderModule(s->device, &modules[i], s->allocator, &s->modules[i]));

   const uint32_t factor = 7;
   const VkSpecializationMapEntry entry = {0, 0, 4};
   const VkSpecializationInfo specialization = {1, &entry, 4, &factor};
   VkComputePipelineCreateInfo compute = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, s->modules[0]),
      .layout = s->layout,
   };
   compute.stage.pSpecializationInfo = &specialization;
   TRY(icd_CreateComputePipelines(s->device, s->cache, 1, &compute, s->allocator, &s->compute));
   const VkResult result = create_graphics_pipeline(s);
   return result == VK_SUCCESS ? create_shader_objects(s) : result;
}

static VkResult create_rest(struct scenario *s)
{
   const VkQueryPoolCreateInfo queries = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_OCCLUSION, .queryCount = 2};
   const VkEventCreateInfo event = {VK_STRUCTURE_TYPE_EVENT_CREATE_INFO};
   const VkSemaphoreCreateInfo semaphore = {VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
   const VkFenceCreateInfo fence = {VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
   const VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   TRY(icd_CreateQueryPool(s->device, &queries, s->allocator, &s->queries));
   TRY(icd_CreateEvent(s->device, &event, s->allocator, &s->event));
   TRY(icd_CreateSemaphore(s->device, &semaphore, s->allocator, &s->semaphore));
   TRY(icd_CreateFence(s->device, &fence, s->allocator, &s->fence));
   TRY(icd_CreateCommandPool(s->device, &pool, s->allocator, &s->command_pool));
   for (int i = 0; i < 2; i++) {
      const VkCommandBufferAllocateInfo commands = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, s->command_pool,
                                                    (VkCommandBufferLevel)i, 1};
      TRY(icd_AllocateCommandBuffers(s->device, &commands, &s->commands[i]));
   }
   return VK_SUCCESS;
}

static void barrier(VkCommandBuffer commands)
{
   const VkMemoryBarrier memory = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, NULL, VK_ACCESS_MEMORY_WRITE_BIT,
                                   VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
   icd_CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &memory, 0,
                          NULL, 0, NULL);
}

static void record_draw(struct scenario *s, VkCommandBuffer commands)
{
   const VkClearValue clear = {.color.float32 = {0, 0, 0, 1}};
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = s->pass,
                                        .framebuffer = s->framebuffer,
                                        .renderArea.extent = {IMAGE_SIZE, IMAGE_SIZE},
                                        .clearValueCount = 1,
                                        .pClearValues = &clear};
   const VkDeviceSize offset = VERTEX_OFFSET;
   icd_CmdResetQueryPool(commands, s->queries, 0, 2);
   icd_CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
   icd_CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->graphics);
   icd_CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, s->layout, 0, 1, &s->set, 0, NULL);
   icd_CmdBindVertexBuffers(commands, 0, 1, &s->buffer, &offset);
   icd_CmdBeginQuery(commands, s->queries, 0, VK_QUERY_CONTROL_PRECISE_BIT);
   for (uint32_t i = 0; i < 100; i++) /* enough for the memory of commands to grow */
      icd_CmdDraw(commands, 3, 1, 0, 0);
   icd_CmdEndQuery(commands, s->queries, 0);
   icd_CmdEndRenderPass(commands);
}

static VkResult record(struct scenario *s)
{
   const VkCommandBufferInheritanceInfo inheritance = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
   const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, &inheritance};
   const VkCommandBuffer primary = s->commands[0], secondary = s->commands[1];
   const VkClearColorValue white = {.float32 = {1, 1, 1, 1}};
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const VkBufferImageCopy copy = {.bufferOffset = PIXEL_OFFSET,
                                   .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                   .imageExtent = {IMAGE_SIZE, IMAGE_SIZE, 1}};
   const uint32_t more = 100;

   TRY(icd_BeginCommandBuffer(secondary, &begin));
   icd_CmdBindPipeline(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, s->compute);
   icd_CmdBindDescriptorSets(secondary, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set, 0, NULL);
   icd_CmdPushConstants(secondary, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4, &more);
   icd_CmdDispatch(secondary, 1, 1, 1);
   icd_CmdBindShadersEXT(secondary, 1, (const VkShaderStageFlagBits[]){VK_SHADER_STAGE_COMPUTE_BIT}, &s->objects[3]);
   icd_CmdDispatchBase(secondary, 1, 0, 0, NUM_VALUES / 32 - 1, 1, 1);
   TRY(icd_EndCommandBuffer(secondary));

   TRY(icd_BeginCommandBuffer(primary, &begin));
   icd_CmdClearColorImage(primary, s->images[0], VK_IMAGE_LAYOUT_GENERAL, &white, 1, &range);
   icd_CmdExecuteCommands(primary, 1, &secondary);
   icd_CmdBindShadersEXT(primary, 2, (const VkShaderStageFlagBits[]){VK_SHADER_STAGE_VERTEX_BIT, VK_SHADER_STAGE_FRAGMENT_BIT}, &s->objects[1]);
   barrier(primary);
   record_draw(s, primary);
   icd_CmdSetEvent(primary, s->event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
   barrier(primary);
   icd_CmdCopyImageToBuffer(primary, s->images[1], VK_IMAGE_LAYOUT_GENERAL, s->buffer, 1, &copy);
   TRY(icd_EndCommandBuffer(primary));
   return VK_SUCCESS;
}

static VkResult submit(struct scenario *s)
{
   const VkSubmitInfo infos[] = {
      {
         .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .commandBufferCount = 1,
         .pCommandBuffers = s->commands,
         .signalSemaphoreCount = 1,
         .pSignalSemaphores = &s->semaphore,
      },
      {
         .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
         .waitSemaphoreCount = 1,
         .pWaitSemaphores = &s->semaphore,
         .pWaitDstStageMask = (const VkPipelineStageFlags[]){VK_PIPELINE_STAGE_ALL_COMMANDS_BIT},
      },
   };
   TRY(icd_QueueSubmit(s->queue, 2, infos, s->fence));
   TRY(icd_WaitForFences(s->device, 1, &s->fence, VK_TRUE, UINT64_C(60000000000)));
   TRY(icd_DeviceWaitIdle(s->device));
   return VK_SUCCESS;
}

static void note(struct scenario *s, enum step step)
{
   s->counts[step] = count_allocations ? count_allocations() : 0;
}

static VkResult run_steps(struct scenario *s)
{
   static VkResult (*const before[])(struct scenario *s) = {create_device, create_buffer, create_images, create_descriptors,
                                                            create_pass};
   note(s, STEP_BEGIN);
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(before); i++) {
      const VkResult result = before[i](s);
      if (result != VK_SUCCESS)
         return result;
   }
   note(s, STEP_PIPELINES);
   VkResult result = create_pipelines(s);
   note(s, STEP_RECORDING);
   if (result == VK_SUCCESS)
      result = create_rest(s);
   if (result == VK_SUCCESS)
      result = record(s);
   return result == VK_SUCCESS ? submit(s) : result;
}

static void destroy_device_objects(const struct scenario *s)
{
   const VkDevice device = s->device;
   const VkAllocationCallbacks *const allocator = s->allocator;
   icd_DeviceWaitIdle(device);
   icd_DestroyCommandPool(device, s->command_pool, allocator);
   icd_DestroyFence(device, s->fence, allocator);
   icd_DestroySemaphore(device, s->semaphore, allocator);
   icd_DestroyEvent(device, s->event, allocator);
   icd_DestroyQueryPool(device, s->queries, allocator);
   for (int i = 0; i < 4; i++)
      icd_DestroyShaderEXT(device, s->objects[i], allocator);
   icd_DestroyPipeline(device, s->graphics, allocator);
   icd_DestroyPipeline(device, s->compute, allocator);
   for (int i = 0; i < 3; i++)
      icd_DestroyShaderModule(device, s->modules[i], allocator);
   icd_DestroyPipelineCache(device, s->cache, allocator);
   icd_DestroyPipelineLayout(device, s->layout, allocator);
   icd_DestroyFramebuffer(device, s->framebuffer, allocator);
   icd_DestroyRenderPass(device, s->pass, allocator);
   icd_DestroyDescriptorUpdateTemplate(device, s->update_template, allocator);
   icd_DestroyDescriptorPool(device, s->descriptor_pool, allocator);
   icd_DestroyDescriptorSetLayout(device, s->set_layout, allocator);
   icd_DestroySampler(device, s->sampler, allocator);
   icd_DestroyBufferView(device, s->buffer_view, allocator);
   for (int i = 0; i < 2; i++) {
      icd_DestroyImageView(device, s->views[i], allocator);
      icd_DestroyImage(device, s->images[i], allocator);
   }
   icd_DestroyBuffer(device, s->buffer, allocator);
   icd_FreeMemory(device, s->image_memory, allocator);
   icd_FreeMemory(device, s->buffer_memory, allocator);
   icd_DestroyPrivateDataSlot(device, s->slot, allocator);
   icd_DestroyDevice(device, allocator);
}

static void destroy(const struct scenario *s)
{
   if (s->device)
      destroy_device_objects(s);
   if (s->instance)
      icd_DestroyDebugUtilsMessengerEXT(s->instance, s->messenger, s->allocator);
   icd_DestroyInstance(s->instance, s->allocator);
}

static void check_output(const struct scenario *s)
{
   const uint32_t *values = (const uint32_t *)s->data, *pixels = (const uint32_t *)(s->data + PIXEL_OFFSET);
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < NUM_VALUES; i++)
      num_wrong += values[i] != (i ^ 1) * 7 + 1100;
   for (uint32_t i = 0; i < IMAGE_SIZE * IMAGE_SIZE; i++)
      num_wrong += pixels[i] != UINT32_MAX;
   CHECK_EQ(num_wrong, 0);
}

/* Codes that the specification lists for the call that failed; work that was given away may lose the device. */
static bool is_right_code(const struct scenario *s, VkResult result)
{
   static const char *const runs[] = {"icd_QueueSubmit", "icd_WaitForFences", "icd_DeviceWaitIdle"};
   if (result == VK_ERROR_OUT_OF_HOST_MEMORY)
      return true;
   if (result == VK_ERROR_OUT_OF_DEVICE_MEMORY)
      return !strncmp(s->failed, "icd_AllocateMemory", strlen("icd_AllocateMemory"));
   for (size_t i = 0; result == VK_ERROR_DEVICE_LOST && i < UTIL_ARRAY_SIZE(runs); i++) {
      if (!strncmp(s->failed, runs[i], strlen(runs[i])))
         return true;
   }
   return false;
}

/* Runs and cleans up, which needs no memory. True if it went through. */
static bool run(struct scenario *s)
{
   const VkResult result = run_steps(s);
   s->total = count_allocations();
   if (result == VK_SUCCESS)
      check_output(s);
   else if (!is_right_code(s, result))
      fprintf(stderr, "%d from %s\n", (int)result, s->failed);
   CHECK(result == VK_SUCCESS || is_right_code(s, result));
   destroy(s);
   return result == VK_SUCCESS;
}

/* ---- through pAllocator ---- */

struct counter {
   uint64_t total, fail_at;
   int64_t live;
   bool is_for_good; /* all after the first fail, too */
};

static struct counter counter;

static uint64_t count_callbacks(void)
{
   return __atomic_load_n(&counter.total, __ATOMIC_RELAXED);
}

static VKAPI_ATTR void *VKAPI_CALL count_alloc(void *user, size_t size, size_t align, VkSystemAllocationScope scope)
{
   const uint64_t number = __atomic_add_fetch(&counter.total, 1, __ATOMIC_RELAXED);
   void *memory;
   if (counter.fail_at && (number == counter.fail_at || (counter.is_for_good && number > counter.fail_at)))
      return NULL;
   if (posix_memalign(&memory, align < 16 ? 16 : align, size))
      return NULL;
   __atomic_add_fetch(&counter.live, 1, __ATOMIC_RELAXED);
   return memory;
}

static VKAPI_ATTR void VKAPI_CALL count_free(void *user, void *memory)
{
   if (memory)
      __atomic_sub_fetch(&counter.live, 1, __ATOMIC_RELAXED);
   free(memory);
}

static VKAPI_ATTR void *VKAPI_CALL count_realloc(void *user, void *memory, size_t size, size_t align,
                                                 VkSystemAllocationScope scope)
{
   abort(); /* the driver does not use it */
}

static const VkAllocationCallbacks callbacks = {
   .pfnAllocation = count_alloc, .pfnReallocation = count_realloc, .pfnFree = count_free};

/* What a first, undisturbed run has left in its pipeline cache; to be freed. */
static void *warm_cache(size_t *size)
{
   struct scenario s = {0};
   void *data = NULL;
   fixture_require(run_steps(&s), "the scenario");
   check_output(&s);
   fixture_require(icd_GetPipelineCacheData(s.device, s.cache, size, NULL), "vkGetPipelineCacheData");
   data = malloc(*size);
   fixture_require(icd_GetPipelineCacheData(s.device, s.cache, size, data), "vkGetPipelineCacheData");
   destroy(&s);
   return data;
}

TEST(each_callback_fails)
{
   size_t cache_bytes;
   void *cache_data = warm_cache(&cache_bytes);
   count_allocations = count_callbacks;
   for (int is_for_good = 0; is_for_good < 2; is_for_good++) {
      bool is_through = false;
      for (uint64_t n = 1; !is_through; n++) {
         struct scenario s = {.allocator = &callbacks, .cache_data = cache_data, .cache_bytes = cache_bytes};
         counter = (struct counter){.fail_at = n, .is_for_good = is_for_good};
         is_through = run(&s);
         CHECK_EQ(counter.live, 0);
         CHECK(!is_through || (counter.total < n && n > 30));
      }
   }
   free(cache_data);
}

/* The callbacks that a compile uses, too. */
TEST(each_callback_fails_while_compiling)
{
   struct scenario whole = {.allocator = &callbacks};
   count_allocations = count_callbacks;
   counter = (struct counter){0};
   CHECK(run(&whole));
   for (uint64_t n = whole.counts[STEP_PIPELINES] + 1; n <= whole.counts[STEP_RECORDING]; n++) {
      struct scenario s = {.allocator = &callbacks};
      counter = (struct counter){.fail_at = n};
      CHECK(!run(&s));
      CHECK_EQ(counter.live, 0);
   }
}

/* ---- the driver's own ---- */

/* Some may fail without an error: caches only save time. */
static void fail_internal(const void *cache_data, size_t cache_bytes, bool is_once)
{
   uint64_t n = 0, total;
   uint32_t num_failures = 0;
   do {
      struct scenario s = {.cache_data = cache_data, .cache_bytes = cache_bytes};
      util_alloc_fail_at(++n, is_once);
      num_failures += !run(&s);
      total = s.total;
   } while (total >= n);
   util_alloc_fail_at(0, true);
   CHECK(num_failures > 20);
}

TEST(each_internal_allocation_fails)
{
   size_t cache_bytes;
   void *cache_data = warm_cache(&cache_bytes);
   count_allocations = util_alloc_count;
   fail_internal(cache_data, cache_bytes, true);
   fail_internal(cache_data, cache_bytes, false);
   free(cache_data);
}

TEST(each_internal_allocation_fails_while_compiling)
{
   struct scenario whole = {0};
   count_allocations = util_alloc_count;
   util_alloc_fail_at(0, true);
   CHECK(run(&whole));
   for (uint64_t n = whole.counts[STEP_PIPELINES] + 1; n <= whole.counts[STEP_RECORDING]; n++) {
      struct scenario s = {0};
      util_alloc_fail_at(n, true);
      run(&s);
   }
   util_alloc_fail_at(0, true);
}

/* ---- on a small stack ---- */

enum { SMALL_STACK_BYTES = 64 << 10, MAX_USED_BYTES = 32 << 10, PAINT = 0xa5 };

static const uint8_t *first_frame; /* above it are the C library's own things and thread-local variables, which a program linked with the driver has there */

static void *run_once(void *unused)
{
   struct scenario s = {0};
   first_frame = __builtin_frame_address(0);
   CHECK(run(&s));
   return NULL;
}

/* Some C libraries give threads no more. Compiles, and what checks SPIR-V, have stacks of the driver's own. */
TEST(small_stack)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
   return; /* their frames are larger */
#endif
   pthread_t thread;
   pthread_attr_t attributes;
   count_allocations = util_alloc_count;
   const size_t bytes = UTIL_MAX((size_t)SMALL_STACK_BYTES, (size_t)PTHREAD_STACK_MIN); /* AArch64's is twice as much */
   uint8_t *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
   memset(stack, PAINT, bytes);
   CHECK(stack != MAP_FAILED && pthread_attr_init(&attributes) == 0 && pthread_attr_setstack(&attributes, stack, bytes) == 0);
   CHECK_EQ(pthread_create(&thread, &attributes, run_once, NULL), 0);
   CHECK_EQ(pthread_join(thread, NULL), 0);
   size_t unused = 0;
   while (unused < bytes && stack[unused] == PAINT)
      unused++;
   CHECK(unused > 0 && first_frame - (stack + unused) < MAX_USED_BYTES);
   pthread_attr_destroy(&attributes);
   munmap(stack, bytes);
}

TEST_MAIN
