/* SPDX-License-Identifier: MIT
 * Each object of the device: its memory comes from pAllocator, running out is reported and leaks nothing; and the
 * limits of device memory. */
#include "icd/device/device.h"
#include "tests/icd/counter.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"

/* What the objects under test are made from. */
struct context {
   struct fixture f;
   struct fixture_buffer buffer;
   struct fixture_image image;
   VkSampler sampler;
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout pipeline_layout;
   VkRenderPass render_pass;
};

static const VkAttachmentDescription attachment = {
   .format = VK_FORMAT_R8G8B8A8_UNORM, .samples = 1, .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
static const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_GENERAL};
static const VkSubpassDescription subpass = {.colorAttachmentCount = 1,
                                             .pColorAttachments = &reference,
                                             .inputAttachmentCount = 1,
                                             .pInputAttachments = &reference};

#define CREATE(noun, Noun, NOUN, ...)                                                                                  \
   static VkResult create_##noun(struct context *c, const VkAllocationCallbacks *allocator, uint64_t *handle)          \
   {                                                                                                                   \
      const Vk##Noun##CreateInfo info = {.sType = VK_STRUCTURE_TYPE_##NOUN##_CREATE_INFO, __VA_ARGS__};                \
      return icd_Create##Noun(c->f.device, &info, allocator, (Vk##Noun *)handle);                                      \
   }                                                                                                                   \
   static void destroy_##noun(struct context *c, const VkAllocationCallbacks *allocator, uint64_t handle)              \
   {                                                                                                                   \
      icd_Destroy##Noun(c->f.device, (Vk##Noun)handle, allocator);                                                     \
   }

static const VkDescriptorPoolSize pool_size = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 10};
static const VkDescriptorUpdateTemplateEntry template_entry = {0, 0, 1, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                               0, 0};
#define BINDING                                                                                                        \
   &(VkDescriptorSetLayoutBinding)                                                                                     \
   {                                                                                                                   \
      0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &c->sampler                                \
   }

CREATE(buffer, Buffer, BUFFER, .size = 100)
CREATE(buffer_view, BufferView, BUFFER_VIEW, .buffer = c->buffer.buffer, .format = VK_FORMAT_R32_UINT, .range = 16)
CREATE(image, Image, IMAGE, .imageType = VK_IMAGE_TYPE_2D, .format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {8, 8, 1},
       .mipLevels = 1, .arrayLayers = 1, .samples = 1)
CREATE(image_view, ImageView, IMAGE_VIEW, .image = c->image.image, .viewType = VK_IMAGE_VIEW_TYPE_2D,
       .format = VK_FORMAT_R8G8B8A8_UNORM, .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1})
CREATE(sampler, Sampler, SAMPLER, .maxLod = 1)
CREATE(set_layout, DescriptorSetLayout, DESCRIPTOR_SET_LAYOUT, .bindingCount = 1, .pBindings = BINDING)
CREATE(descriptor_pool, DescriptorPool, DESCRIPTOR_POOL, .maxSets = 4, .poolSizeCount = 1, .pPoolSizes = &pool_size)
CREATE(update_template, DescriptorUpdateTemplate, DESCRIPTOR_UPDATE_TEMPLATE, .descriptorUpdateEntryCount = 1,
       .pDescriptorUpdateEntries = &template_entry)
CREATE(pipeline_layout, PipelineLayout, PIPELINE_LAYOUT, .setLayoutCount = 1, .pSetLayouts = &c->set_layout)
CREATE(render_pass, RenderPass, RENDER_PASS, .attachmentCount = 1, .pAttachments = &attachment, .subpassCount = 1,
       .pSubpasses = &subpass)
CREATE(framebuffer, Framebuffer, FRAMEBUFFER, .renderPass = c->render_pass, .attachmentCount = 1,
       .pAttachments = &c->image.view, .width = 8, .height = 8, .layers = 1)
CREATE(fence, Fence, FENCE, .flags = 0)
CREATE(semaphore, Semaphore, SEMAPHORE, .flags = 0)
CREATE(event, Event, EVENT, .flags = 0)
CREATE(query_pool, QueryPool, QUERY_POOL, .queryType = VK_QUERY_TYPE_TIMESTAMP, .queryCount = 4)
CREATE(command_pool, CommandPool, COMMAND_POOL, .flags = 0)

static VkResult create_memory(struct context *c, const VkAllocationCallbacks *allocator, uint64_t *handle)
{
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 1 << 20, 0};
   return icd_AllocateMemory(c->f.device, &info, allocator, (VkDeviceMemory *)handle);
}

static void destroy_memory(struct context *c, const VkAllocationCallbacks *allocator, uint64_t handle)
{
   icd_FreeMemory(c->f.device, (VkDeviceMemory)handle, allocator);
}

/* Command buffers come from their pool's callbacks; three, of which some are there when one fails. */
static VkResult create_command_buffers(struct context *c, const VkAllocationCallbacks *allocator, uint64_t *handle)
{
   VkCommandBuffer buffers[3];
   VkResult result = create_command_pool(c, allocator, handle);
   if (result != VK_SUCCESS)
      return result;
   const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = (VkCommandPool)*handle,
                                             .commandBufferCount = 3};
   result = icd_AllocateCommandBuffers(c->f.device, &info, buffers);
   if (result != VK_SUCCESS) {
      CHECK(!buffers[0] && !buffers[1] && !buffers[2]);
      destroy_command_pool(c, allocator, *handle);
   }
   return result;
}

static const struct object_class {
   const char *name;
   VkResult (*create)(struct context *c, const VkAllocationCallbacks *allocator, uint64_t *handle);
   void (*destroy)(struct context *c, const VkAllocationCallbacks *allocator, uint64_t handle);
} classes[] = {
#define CLASS(noun) {#noun, create_##noun, destroy_##noun},
   CLASS(buffer) CLASS(buffer_view) CLASS(image) CLASS(image_view) CLASS(sampler) CLASS(set_layout) CLASS(descriptor_pool)
      CLASS(update_template) CLASS(pipeline_layout) CLASS(render_pass) CLASS(framebuffer) CLASS(fence) CLASS(semaphore)
         CLASS(event) CLASS(query_pool) CLASS(command_pool)
            CLASS(memory){"command_buffers", create_command_buffers, destroy_command_pool},
};

static void context_init(struct context *c)
{
   uint64_t handle;
   fixture_init(&c->f, NULL);
   c->buffer = fixture_buffer(&c->f, 256);
   c->image = fixture_image(c->f.device, VK_FORMAT_R8G8B8A8_UNORM, 8, 8, 1, VK_IMAGE_ASPECT_COLOR_BIT,
                            VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   fixture_require(create_sampler(c, NULL, &handle), "sampler");
   c->sampler = (VkSampler)handle;
   fixture_require(create_set_layout(c, NULL, &handle), "set layout");
   c->set_layout = (VkDescriptorSetLayout)handle;
   fixture_require(create_render_pass(c, NULL, &handle), "render pass");
   c->render_pass = (VkRenderPass)handle;
}

static void context_finish(struct context *c)
{
   icd_DestroyRenderPass(c->f.device, c->render_pass, NULL);
   icd_DestroyDescriptorSetLayout(c->f.device, c->set_layout, NULL);
   icd_DestroySampler(c->f.device, c->sampler, NULL);
   fixture_image_destroy(c->f.device, &c->image);
   fixture_buffer_destroy(&c->f, &c->buffer);
   fixture_finish(&c->f, NULL);
}

TEST(each_allocation_of_each_object_fails_in_turn)
{
   struct context c;
   context_init(&c);
   for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
      bool is_done = false;
      int failures = 0;
      for (int fail_at = 1; !is_done; fail_at++) {
         struct counter counter = {.fail_at = fail_at};
         const VkAllocationCallbacks callbacks = {
            .pUserData = &counter, .pfnAllocation = count_alloc, .pfnFree = count_free};
         uint64_t handle = 0;
         const VkResult result = classes[i].create(&c, &callbacks, &handle);
         is_done = counter.total < fail_at;
         if (is_done) {
            CHECK_EQ(result, VK_SUCCESS);
            CHECK(counter.live > 0);
            classes[i].destroy(&c, &callbacks, handle);
         } else {
            CHECK_EQ(result, VK_ERROR_OUT_OF_HOST_MEMORY);
            failures++;
         }
         if (counter.live != 0)
            fprintf(stderr, "%s leaks %d allocations\n", classes[i].name, counter.live);
         CHECK_EQ(counter.live, 0);
      }
      CHECK(failures >= 1);
   }
   context_finish(&c);
}

TEST(null_handles_are_ignored)
{
   struct context c;
   context_init(&c);
   for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
      classes[i].destroy(&c, NULL, 0);
   context_finish(&c);
}

TEST(internal_memory_runs_out)
{
   struct context c;
   context_init(&c);
   for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
      for (uint64_t n = 1;; n++) {
         uint64_t handle = 0;
         util_alloc_fail_at(n, true);
         const VkResult result = classes[i].create(&c, NULL, &handle);
         const bool is_done = util_alloc_count() < n;
         util_alloc_fail_at(0, true);
         if (result == VK_SUCCESS) {
            classes[i].destroy(&c, NULL, handle);
            break;
         }
         CHECK(!is_done);
         CHECK(result == VK_ERROR_OUT_OF_HOST_MEMORY || result == VK_ERROR_OUT_OF_DEVICE_MEMORY);
      }
   }
   context_finish(&c);
}

TEST(recording_without_memory_is_reported_at_the_end)
{
   struct context c;
   context_init(&c);
   const VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
   for (uint64_t n = 1; n < 6; n++) {
      fixture_begin(c.f.commands);
      util_alloc_fail_at(n, true);
      for (int i = 0; i < 3000; i++)
         icd_CmdFillBuffer(c.f.commands, c.buffer.buffer, 0, 64, 1);
      const bool failed = util_alloc_count() >= n;
      util_alloc_fail_at(0, true);
      CHECK_EQ(icd_EndCommandBuffer(c.f.commands), failed ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
   }
   CHECK_EQ(icd_BeginCommandBuffer(c.f.commands, &begin), VK_SUCCESS);
   CHECK_EQ(icd_EndCommandBuffer(c.f.commands), VK_SUCCESS);
   context_finish(&c);
}

TEST(the_heap_is_a_limit)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct icd_physical_device *physical_device = icd_physical_device_from_handle(f.physical_device);
   physical_device->memory.memoryHeaps[ICD_MEMORY_HEAP_HOST].size = 3 << 20;
   VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 2 << 20, 0};
   VkDeviceMemory memory, more;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &memory), VK_SUCCESS);
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &more), VK_ERROR_OUT_OF_DEVICE_MEMORY);
   info.allocationSize = UINT64_MAX;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &more), VK_ERROR_OUT_OF_DEVICE_MEMORY);
   info.allocationSize = 1 << 20;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &more), VK_SUCCESS);
   icd_FreeMemory(f.device, more, NULL);
   icd_FreeMemory(f.device, memory, NULL);
   info.allocationSize = 3 << 20;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &memory), VK_SUCCESS);
   icd_FreeMemory(f.device, memory, NULL);

   physical_device->properties.core.limits.maxMemoryAllocationCount = 1;
   info.allocationSize = 1;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &memory), VK_SUCCESS);
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &more), VK_ERROR_TOO_MANY_OBJECTS);
   icd_FreeMemory(f.device, memory, NULL);
   fixture_finish(&f, NULL);
}

static VkPhysicalDeviceMemoryBudgetPropertiesEXT budget_of(const struct fixture *f)
{
   VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
   VkPhysicalDeviceMemoryProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2, .pNext = &budget};
   icd_GetPhysicalDeviceMemoryProperties2(f->physical_device, &properties);
   return budget;
}

TEST(the_budget_counts_the_whole_process)
{
   struct fixture f[2];
   fixture_init(&f[0], NULL);
   fixture_init(&f[1], NULL);
   const VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 2 << 20, 0};
   const VkPhysicalDeviceMemoryBudgetPropertiesEXT before = budget_of(&f[0]);
   VkDeviceMemory memory;
   CHECK(before.heapBudget[ICD_MEMORY_HEAP_HOST] > before.heapUsage[ICD_MEMORY_HEAP_HOST] && before.heapBudget[ICD_NUM_MEMORY_HEAPS] == 0);
   CHECK_EQ(icd_AllocateMemory(f[0].device, &info, NULL, &memory), VK_SUCCESS);
   for (uint32_t i = 0; i < 2; i++) {
      const VkPhysicalDeviceMemoryBudgetPropertiesEXT now = budget_of(&f[i]);
      CHECK(now.heapUsage[ICD_MEMORY_HEAP_HOST] == before.heapUsage[ICD_MEMORY_HEAP_HOST] + (2 << 20));
      CHECK(now.heapUsage[ICD_MEMORY_HEAP_DEVICE] == before.heapUsage[ICD_MEMORY_HEAP_DEVICE]);
      CHECK(now.heapBudget[ICD_MEMORY_HEAP_HOST] == before.heapBudget[ICD_MEMORY_HEAP_HOST]);
      CHECK(now.heapBudget[ICD_MEMORY_HEAP_DEVICE] == before.heapBudget[ICD_MEMORY_HEAP_DEVICE] - (2 << 20));
   }
   icd_FreeMemory(f[0].device, memory, NULL);
   CHECK(budget_of(&f[1]).heapUsage[ICD_MEMORY_HEAP_HOST] == before.heapUsage[ICD_MEMORY_HEAP_HOST]);
   fixture_finish(&f[1], NULL);
   fixture_finish(&f[0], NULL);
}

TEST(protected_memory_is_not_seen)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkBufferCreateInfo buffer_info = {
      VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, NULL, 0, 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VK_SHARING_MODE_EXCLUSIVE, 0, NULL};
   for (uint32_t i = 0; i < 2; i++) {
      VkBuffer buffer;
      VkMemoryRequirements needs;
      VkMemoryRequirements2 asked = {VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2, NULL, {0}};
      const VkDeviceBufferMemoryRequirements info = {VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, NULL, &buffer_info};
      buffer_info.flags = i ? VK_BUFFER_CREATE_PROTECTED_BIT : 0;
      CHECK_EQ(icd_CreateBuffer(f.device, &buffer_info, NULL, &buffer), VK_SUCCESS);
      icd_GetBufferMemoryRequirements(f.device, buffer, &needs);
      icd_GetDeviceBufferMemoryRequirements(f.device, &info, &asked);
      CHECK_EQ(needs.memoryTypeBits, i ? 4 : 3);
      CHECK_EQ(asked.memoryRequirements.memoryTypeBits, needs.memoryTypeBits);
      icd_DestroyBuffer(f.device, buffer, NULL);
   }
   VkMemoryAllocateInfo info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, NULL, 256, ICD_MEMORY_TYPE_PROTECTED};
   VkDeviceMemory memory;
   void *data;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &memory), VK_SUCCESS);
   CHECK_EQ(icd_MapMemory(f.device, memory, 0, VK_WHOLE_SIZE, 0, &data), VK_ERROR_MEMORY_MAP_FAILED);
   icd_FreeMemory(f.device, memory, NULL);
   const VkExportMemoryAllocateInfo export = {VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO, NULL, VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT};
   info.pNext = &export;
   CHECK_EQ(icd_AllocateMemory(f.device, &info, NULL, &memory), VK_ERROR_INVALID_EXTERNAL_HANDLE);

   VkImageFormatProperties properties;
   const VkImageUsageFlags sampled = VK_IMAGE_USAGE_SAMPLED_BIT, hosts = VK_IMAGE_USAGE_HOST_TRANSFER_BIT;
   CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties(f.physical_device, VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, sampled,
                                                       VK_IMAGE_CREATE_PROTECTED_BIT, &properties), VK_SUCCESS);
   CHECK_EQ(icd_GetPhysicalDeviceImageFormatProperties(f.physical_device, VK_FORMAT_R8_UNORM, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL,
                                                       sampled | hosts, VK_IMAGE_CREATE_PROTECTED_BIT, &properties), VK_ERROR_FORMAT_NOT_SUPPORTED);
   fixture_finish(&f, NULL);
}

TEST(sizes_that_cannot_be)
{
   struct fixture f;
   fixture_init(&f, NULL);
   VkBuffer buffer;
   VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
   const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = UINT64_MAX};
   const VkDeviceBufferMemoryRequirements query = {VK_STRUCTURE_TYPE_DEVICE_BUFFER_MEMORY_REQUIREMENTS, NULL, &info};
   CHECK_EQ(icd_CreateBuffer(f.device, &info, NULL, &buffer), VK_ERROR_OUT_OF_DEVICE_MEMORY);
   icd_GetDeviceBufferMemoryRequirements(f.device, &query, &requirements);
   CHECK(requirements.memoryRequirements.size == UINT64_MAX);
   fixture_finish(&f, NULL);
}

TEST_MAIN
