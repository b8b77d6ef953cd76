/* SPDX-License-Identifier: MIT
 * VkDescriptorUpdateTemplate. Spec: Resource Descriptors, "Descriptor Update Templates". Constant after creation. */
#pragma once

#include "icd/descriptor/descriptor_set.h"

struct icd_template_entry {
   struct icd_descriptor_source source; /* without data */
   size_t offset_bytes;                 /* of the first element in the application's block */
};

struct icd_update_template {
   struct icd_object base;
   VkDescriptorUpdateTemplateType type;
   VkPipelineBindPoint bind_point; /* of push descriptors */
   uint32_t num_entries;
   const struct icd_template_entry *entries;
};

/* Writes the descriptors that `data` holds, as the template says, into a set's memory. */
void icd_update_template_apply(const struct icd_update_template *update_template, const struct icd_set_shape *shape,
                               uint8_t *set, const void *data);
