/* SPDX-License-Identifier: MIT
 * What an entry point asks of a pipeline layout, by SPIRV-Cross. */
#pragma once

#include <spirv_cross/spirv_cross_c.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum {
   REFLECTION_MAX_SETS = 32,
   REFLECTION_MAX_BINDINGS = 256,
   REFLECTION_UNSIZED_COUNT = 16, /* descriptors of an array whose size the module leaves open */
};

/* The type of a resource, without its dimensions as an array of descriptors, and the compiler that has it. */
struct reflection_type {
   spvc_compiler compiler;
   spvc_type_id id; /* 0: none */
};

struct reflection {
   VkDescriptorSetLayoutBinding bindings[REFLECTION_MAX_SETS][REFLECTION_MAX_BINDINGS];
   struct reflection_type types[REFLECTION_MAX_SETS][REFLECTION_MAX_BINDINGS]; /* of these bindings */
   uint32_t num_bindings[REFLECTION_MAX_SETS];
   uint32_t num_sets;
   struct reflection_type push_type;
   uint32_t push_bytes;
};

/* Adds what the compiler's entry point asks for, in `stage`; first of all the structure is zero. False: a set, binding or resource that is not known
 * here. */
bool reflect(struct reflection *reflection, spvc_compiler compiler, VkShaderStageFlags stage);
