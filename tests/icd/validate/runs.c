/* SPDX-License-Identifier: MIT */
#include "tests/icd/validate/runs.h"

void run_init(struct run_device *run, uint32_t count, const VkDescriptorSetLayoutBinding *bindings, uint32_t push_bytes)
{
   VkDescriptorPoolSize sizes[16];
   memset(run, 0, sizeof(*run));
   full_device_init(&run->f);
   icd_GetDeviceQueue(run->f.device, 0, 0, &run->queue);
   const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
   fixture_require(icd_CreateCommandPool(run->f.device, &pool, NULL, &run->pool), "vkCreateCommandPool");
   for (uint32_t i = 0; i < count && i < 16; i++)
      sizes[i] = (VkDescriptorPoolSize){bindings[i].descriptorType, bindings[i].descriptorCount};
   const VkDescriptorSetLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = count, .pBindings = bindings};
   fixture_require(icd_CreateDescriptorSetLayout(run->f.device, &layout, NULL, &run->set_layout), "vkCreateDescriptorSetLayout");
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, push_bytes};
   const VkPipelineLayoutCreateInfo pipeline_layout = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                                       .setLayoutCount = 1,
                                                       .pSetLayouts = &run->set_layout,
                                                       .pushConstantRangeCount = push_bytes ? 1 : 0,
                                                       .pPushConstantRanges = &range};
   fixture_require(icd_CreatePipelineLayout(run->f.device, &pipeline_layout, NULL, &run->layout), "vkCreatePipelineLayout");
   const VkDescriptorPoolCreateInfo descriptors = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1, .poolSizeCount = count, .pPoolSizes = sizes};
   fixture_require(icd_CreateDescriptorPool(run->f.device, &descriptors, NULL, &run->descriptors), "vkCreateDescriptorPool");
   const VkDescriptorSetAllocateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                            .descriptorPool = run->descriptors,
                                            .descriptorSetCount = 1,
                                            .pSetLayouts = &run->set_layout};
   fixture_require(icd_AllocateDescriptorSets(run->f.device, &set, &run->set), "vkAllocateDescriptorSets");
}

void run_finish(struct run_device *run)
{
   icd_DestroyDescriptorPool(run->f.device, run->descriptors, NULL);
   icd_DestroyPipelineLayout(run->f.device, run->layout, NULL);
   icd_DestroyDescriptorSetLayout(run->f.device, run->set_layout, NULL);
   icd_DestroyCommandPool(run->f.device, run->pool, NULL);
   full_device_finish(&run->f);
}

/* Of the first type that is allowed and can be mapped: on this driver all memory is the host's. */
static VkDeviceMemory allocate(struct run_device *run, const VkMemoryRequirements *needs)
{
   VkPhysicalDeviceMemoryProperties properties;
   VkDeviceMemory memory = VK_NULL_HANDLE;
   icd_GetPhysicalDeviceMemoryProperties(run->f.physical_device, &properties);
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                            .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   for (uint32_t i = 0; i < properties.memoryTypeCount && !memory; i++) {
      const VkMemoryAllocateInfo info = {
         .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags, .allocationSize = needs->size, .memoryTypeIndex = i};
      if (needs->memoryTypeBits >> i & 1 && properties.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT)
         fixture_require(icd_AllocateMemory(run->f.device, &info, NULL, &memory), "vkAllocateMemory");
   }
   return memory;
}

struct run_buffer run_buffer(struct run_device *run, VkDeviceSize size_bytes)
{
   struct run_buffer made = {0};
   VkMemoryRequirements needs;
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = size_bytes,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
               VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   fixture_require(icd_CreateBuffer(run->f.device, &info, NULL, &made.buffer), "vkCreateBuffer");
   icd_GetBufferMemoryRequirements(run->f.device, made.buffer, &needs);
   made.memory = allocate(run, &needs);
   fixture_require(icd_BindBufferMemory(run->f.device, made.buffer, made.memory, 0), "vkBindBufferMemory");
   fixture_require(icd_MapMemory(run->f.device, made.memory, 0, VK_WHOLE_SIZE, 0, (void **)&made.map), "vkMapMemory");
   if (size_bytes < 1u << 30) /* larger ones come from the system as zeros, of which few are touched */
      memset(made.map, 0, size_bytes);
   const VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = made.buffer};
   made.address = icd_GetBufferDeviceAddress(run->f.device, &address);
   return made;
}

void run_buffer_free(struct run_device *run, const struct run_buffer *buffer)
{
   icd_DestroyBuffer(run->f.device, buffer->buffer, NULL);
   icd_FreeMemory(run->f.device, buffer->memory, NULL);
}

struct fixture_image run_image(struct run_device *run, VkFormat format, VkSampleCountFlagBits samples, VkClearColorValue red)
{
   const bool is_stored = format == VK_FORMAT_R32_UINT || format == VK_FORMAT_R32G32B32A32_SFLOAT;
   const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
   const struct fixture_image made =
      fixture_image(run->f.device, format, 4, 4, samples, VK_IMAGE_ASPECT_COLOR_BIT,
                    VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | (is_stored ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT));
   const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .image = made.image,
                                         .subresourceRange = range};
   run_begin(run);
   icd_CmdPipelineBarrier(run->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1,
                          &barrier);
   icd_CmdClearColorImage(run->commands, made.image, VK_IMAGE_LAYOUT_GENERAL, &red, 1, &range);
   run_submit(run);
   return made;
}

void run_write(struct run_device *run, uint32_t binding, uint32_t element, VkDescriptorType type, const VkDescriptorImageInfo *image,
               const VkDescriptorBufferInfo *buffer, const VkBufferView *view)
{
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = run->set,
                                       .dstBinding = binding,
                                       .dstArrayElement = element,
                                       .descriptorCount = 1,
                                       .descriptorType = type,
                                       .pImageInfo = image,
                                       .pBufferInfo = buffer,
                                       .pTexelBufferView = view};
   icd_UpdateDescriptorSets(run->f.device, 1, &write, 0, NULL);
}

void run_begin(struct run_device *run)
{
   const VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, NULL, run->pool,
                                             VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
   fixture_require(icd_AllocateCommandBuffers(run->f.device, &info, &run->commands), "vkAllocateCommandBuffers");
   fixture_begin(run->commands);
}

void run_submit(struct run_device *run)
{
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_HOST_READ_BIT};
   icd_CmdPipelineBarrier(run->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
   const VkSubmitInfo submit = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &run->commands};
   fixture_require(icd_EndCommandBuffer(run->commands), "vkEndCommandBuffer");
   fixture_require(icd_QueueSubmit(run->queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
   fixture_require(icd_QueueWaitIdle(run->queue), "vkQueueWaitIdle");
   icd_FreeCommandBuffers(run->f.device, run->pool, 1, &run->commands);
}

VkShaderModule run_shader(struct run_device *run, const uint32_t *words, size_t size_bytes)
{
   const VkShaderModuleCreateInfo info = module_info(words, size_bytes / sizeof(uint32_t));
   VkShaderModule module;
   fixture_require(icd_CreateShaderModule(run->f.device, &info, NULL, &module), "vkCreateShaderModule");
   return module;
}

VkPipelineShaderStageCreateInfo run_stage(struct run_device *run, VkShaderStageFlagBits stage, const uint32_t *words, size_t size_bytes)
{
   return (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                            .stage = stage,
                                            .module = run_shader(run, words, size_bytes),
                                            .pName = "main"};
}

void run_compute_stage(struct run_device *run, const VkPipelineShaderStageCreateInfo *stage, const void *push, uint32_t push_bytes)
{
   VkPipeline pipeline;
   const VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = *stage, .layout = run->layout};
   fixture_require(icd_CreateComputePipelines(run->f.device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   run_begin(run);
   icd_CmdBindPipeline(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   icd_CmdBindDescriptorSets(run->commands, VK_PIPELINE_BIND_POINT_COMPUTE, run->layout, 0, 1, &run->set, 0, NULL);
   if (push_bytes)
      icd_CmdPushConstants(run->commands, run->layout, VK_SHADER_STAGE_ALL, 0, push_bytes, push);
   icd_CmdDispatch(run->commands, 1, 1, 1);
   run_submit(run);
   icd_DestroyPipeline(run->f.device, pipeline, NULL);
}

void run_specialized(struct run_device *run, const uint32_t *words, size_t size_bytes, const VkSpecializationInfo *specialization,
                     const void *push, uint32_t push_bytes)
{
   VkPipelineShaderStageCreateInfo stage = run_stage(run, VK_SHADER_STAGE_COMPUTE_BIT, words, size_bytes);
   stage.pSpecializationInfo = specialization;
   run_compute_stage(run, &stage, push, push_bytes);
   icd_DestroyShaderModule(run->f.device, stage.module, NULL);
}

void run_compute(struct run_device *run, const uint32_t *words, size_t size_bytes, const void *push, uint32_t push_bytes)
{
   run_specialized(run, words, size_bytes, NULL, push, push_bytes);
}
