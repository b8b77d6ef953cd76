/* SPDX-License-Identifier: MIT
 * VkDescriptorSet: plain memory of a pool, and updates of it. Code reads the memory when it executes, so an update is
 * visible at once.
 * Spec: Resource Descriptors, "Descriptor Set Updates". Owned by the pool. */
#pragma once

#include "icd/descriptor/descriptor_set_layout.h"
#include "util/list.h"

struct icd_descriptor_set {
   struct icd_object base;
   /* For updates only, which the specification forbids once the layout is destroyed. */
   const struct icd_descriptor_set_layout *layout;
   uint8_t *data;       /* behind its struct abi_set_head */
   uint32_t size_bytes; /* of both */
   bool is_live;
   struct util_list link;       /* in the pool's `placed` or `unused` */
   struct util_list freed_link; /* in one of the pool's `freed` */
};

/* Where a sequence of descriptors is in the application's memory. */
struct icd_descriptor_source {
   uint32_t binding, element, count; /* as in VkWriteDescriptorSet; element and count of inline blocks are bytes */
   uint32_t type;                    /* VkDescriptorType */
   const void *data; /* VkDescriptorBufferInfo, VkDescriptorImageInfo, VkBufferView, or bytes of an inline block */
   size_t stride_bytes;
};

/* Writes descriptors into a set's memory. */
void icd_descriptors_write(const struct icd_set_shape *shape, uint8_t *set, const struct icd_descriptor_source *source);
/* The source of a VkWriteDescriptorSet. */
struct icd_descriptor_source icd_descriptor_source_of(const VkWriteDescriptorSet *write);

/* Prepares a set's fresh memory: its head in front of `set`, null descriptors, immutable samplers. */
void icd_descriptors_init(const struct icd_set_shape *shape, uint8_t *set, uint32_t size_bytes, uint32_t variable_count);
