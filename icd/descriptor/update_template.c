/* SPDX-License-Identifier: MIT
 * Descriptor update templates. */
#include "icd/descriptor/update_template.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/device/device.h"

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorUpdateTemplate(
   VkDevice _device, const VkDescriptorUpdateTemplateCreateInfo *pCreateInfo, const VkAllocationCallbacks *pAllocator,
   VkDescriptorUpdateTemplate *pDescriptorUpdateTemplate)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_update_template *update_template;
   size_t bytes = sizeof(*update_template);
   const size_t entries_at =
      icd_block_add(&bytes, pCreateInfo->descriptorUpdateEntryCount, sizeof(struct icd_template_entry));

   update_template = icd_object_alloc(device, pAllocator, bytes, VK_OBJECT_TYPE_DESCRIPTOR_UPDATE_TEMPLATE);
   if (!update_template)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   struct icd_template_entry *entries = icd_block_at(update_template, entries_at);
   update_template->type = pCreateInfo->templateType;
   update_template->bind_point = pCreateInfo->pipelineBindPoint;
   update_template->num_entries = pCreateInfo->descriptorUpdateEntryCount;
   update_template->entries = entries;
   for (uint32_t i = 0; i < update_template->num_entries; i++) {
      const VkDescriptorUpdateTemplateEntry *from = &pCreateInfo->pDescriptorUpdateEntries[i];
      entries[i].offset_bytes = from->offset;
      entries[i].source = (struct icd_descriptor_source){
         .binding = from->dstBinding,
         .element = from->dstArrayElement,
         .count = from->descriptorCount,
         .type = from->descriptorType,
         .stride_bytes = from->stride,
      };
   }
   *pDescriptorUpdateTemplate = icd_update_template_to_handle(update_template);
   return VK_SUCCESS;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorUpdateTemplate(VkDevice device,
                                                               VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                               const VkAllocationCallbacks *pAllocator)
{
   icd_object_free(icd_device_from_handle(device), pAllocator,
                   icd_update_template_from_handle(descriptorUpdateTemplate));
}

void icd_update_template_apply(const struct icd_update_template *update_template, const struct icd_set_shape *shape,
                               uint8_t *set, const void *data)
{
   for (uint32_t i = 0; i < update_template->num_entries; i++) {
      struct icd_descriptor_source source = update_template->entries[i].source;
      source.data = (const char *)data + update_template->entries[i].offset_bytes;
      icd_descriptors_write(shape, set, &source);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_UpdateDescriptorSetWithTemplate(VkDevice device, VkDescriptorSet descriptorSet,
                                                               VkDescriptorUpdateTemplate descriptorUpdateTemplate,
                                                               const void *pData)
{
   const struct icd_descriptor_set *set = icd_descriptor_set_from_handle(descriptorSet);
   icd_update_template_apply(icd_update_template_from_handle(descriptorUpdateTemplate), &set->layout->shape, set->data,
                             pData);
}
