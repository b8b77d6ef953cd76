/* SPDX-License-Identifier: MIT
 * VkDescriptorSetLayout: where each binding stands in a set's memory.
 *
 * The memory of a set is one run of 16-byte descriptors, bindings in the order of their numbers without gaps; an inline
 * uniform block takes its bytes, rounded up to 16. So an update that runs over into the next binding is contiguous too.
 * Spec: Resource Descriptors, "Descriptor Set Layout". Constant after creation. */
#pragma once

#include "abi/image.h"
#include "compiler/compiler.h"
#include "icd/object.h"

#include <stdbool.h>

/* What updates need to know of a binding besides struct comp_binding. */
struct icd_binding_info {
   VkDescriptorBindingFlags flags;
   const struct abi_sampler *const *immutable_samplers; /* [count], or NULL */
};

/* The content of a layout without the object: pipeline layouts and update templates keep copies, as set layouts may be
 * destroyed before them. */
struct icd_set_shape {
   struct comp_set set;
   const struct icd_binding_info *infos; /* [set.num_bindings] */
   uint32_t size_bytes;                  /* of a set's memory, variable counts at their maximum */
   uint32_t num_dynamic;
   bool is_push;
};

struct icd_descriptor_set_layout {
   struct icd_object base;
   struct icd_set_shape shape;
   bool has_variable_count; /* of the last binding */
};

/* The index of a binding in shape->set.bindings; UINT32_MAX if there is none of that number. */
uint32_t icd_set_shape_find(const struct icd_set_shape *shape, uint32_t binding);

/* Bytes that icd_set_shape_copy() needs at a multiple of 16. */
size_t icd_set_shape_copy_bytes(const struct icd_set_shape *shape);
/* Copies a shape with its arrays into `memory`. */
struct icd_set_shape icd_set_shape_copy(const struct icd_set_shape *shape, void *memory);

/* Bytes of a set whose last binding has `variable_count` descriptors; UINT32_MAX: its maximum. */
uint32_t icd_set_layout_bytes(const struct icd_descriptor_set_layout *layout, uint32_t variable_count);

/* Images of weights and those whose blocks are matched are sampled images from here on. */
static inline uint32_t icd_descriptor_type(VkDescriptorType type)
{
   const bool is_sampled = type == VK_DESCRIPTOR_TYPE_SAMPLE_WEIGHT_IMAGE_QCOM || type == VK_DESCRIPTOR_TYPE_BLOCK_MATCH_IMAGE_QCOM;
   return is_sampled ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : type;
}

static inline bool icd_descriptor_is_dynamic(uint32_t type)
{
   return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

/* Bytes of `count` descriptors in a set. */
static inline uint64_t icd_descriptor_bytes(uint32_t type, uint32_t count)
{
   return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? util_align(count, ABI_DESCRIPTOR_BYTES)
                                                          : (uint64_t)count * ABI_DESCRIPTOR_BYTES;
}
