/* SPDX-License-Identifier: MIT
 * Buffers, images and pipelines for tests that run shaders on a device.h. What is made lives until the device goes: a test has few.
 * Each function exits the program when it fails. */
#pragma once

#include "tests/icd/validate/device.h"

struct run_buffer {
   VkBuffer buffer;
   VkDeviceMemory memory;
   uint32_t *map;
   VkDeviceAddress address;
};

struct run_device {
   struct full_device f;
   VkQueue queue;
   VkCommandPool pool;
   VkCommandBuffer commands; /* recording between begin and submit */
   VkDescriptorSetLayout set_layout;
   VkPipelineLayout layout;
   VkDescriptorPool descriptors;
   VkDescriptorSet set;
};

/* With one set of `count` bindings for all stages, and `push_bytes`. */
void run_init(struct run_device *run, uint32_t count, const VkDescriptorSetLayoutBinding *bindings, uint32_t push_bytes);
void run_finish(struct run_device *run);

/* Of host-visible memory, zero-filled, for every use. */
struct run_buffer run_buffer(struct run_device *run, VkDeviceSize size_bytes);
void run_buffer_free(struct run_device *run, const struct run_buffer *buffer);
/* 4 x 4, of one mip level, in layout GENERAL, all texels of value `red`; fixture_image_destroy(). */
struct fixture_image run_image(struct run_device *run, VkFormat format, VkSampleCountFlagBits samples, VkClearColorValue red);

void run_write(struct run_device *run, uint32_t binding, uint32_t element, VkDescriptorType type, const VkDescriptorImageInfo *image,
               const VkDescriptorBufferInfo *buffer, const VkBufferView *view);

void run_begin(struct run_device *run);
void run_submit(struct run_device *run); /* and waits */

VkShaderModule run_shader(struct run_device *run, const uint32_t *words, size_t size_bytes);
/* With a module of its own, the caller's to destroy. */
VkPipelineShaderStageCreateInfo run_stage(struct run_device *run, VkShaderStageFlagBits stage, const uint32_t *words, size_t size_bytes);
/* Binds a pipeline of that stage and dispatches one workgroup, after and before full barriers. Submits. */
void run_compute_stage(struct run_device *run, const VkPipelineShaderStageCreateInfo *stage, const void *push, uint32_t push_bytes);
/* The same for a shader without more. */
void run_compute(struct run_device *run, const uint32_t *words, size_t size_bytes, const void *push, uint32_t push_bytes);
/* The same with specialization constants. */
void run_specialized(struct run_device *run, const uint32_t *words, size_t size_bytes, const VkSpecializationInfo *specialization,
                     const void *push, uint32_t push_bytes);
