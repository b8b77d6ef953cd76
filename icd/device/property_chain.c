/* SPDX-License-Identifier: MIT
 * Chains of property structures: one loop over the generated table; arrays of the caller's, and what is looked for when asked, by hand. */
#include "icd/device/physical_device.h"
#include "icd/pipeline/shader_binary.h"

#include <stddef.h>
#include <string.h>

static const struct icd_property_struct *find_struct(VkStructureType type)
{
   size_t low = 0, high = ICD_NUM_PROPERTY_STRUCTS;
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (icd_property_structs[middle].type < type)
         low = middle + 1;
      else
         high = middle;
   }
   return low < ICD_NUM_PROPERTY_STRUCTS && icd_property_structs[low].type == type ? &icd_property_structs[low] : NULL;
}

/* All layouts mean the same here: any works for copies by the host. */
static const VkImageLayout host_copy_layouts[] = {
   VK_IMAGE_LAYOUT_GENERAL,
   VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
   VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
   VK_IMAGE_LAYOUT_PREINITIALIZED,
   VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_STENCIL_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL,
   VK_IMAGE_LAYOUT_ATTACHMENT_OPTIMAL,
   VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ,
   VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
   VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR,
   VK_IMAGE_LAYOUT_FRAGMENT_SHADING_RATE_ATTACHMENT_OPTIMAL_KHR,
   VK_IMAGE_LAYOUT_FRAGMENT_DENSITY_MAP_OPTIMAL_EXT,
   VK_IMAGE_LAYOUT_ATTACHMENT_FEEDBACK_LOOP_OPTIMAL_EXT,
#ifdef VK_EXT_zero_initialize_device_memory
   VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT,
#endif
};

static void answer_layouts(uint32_t *count, VkImageLayout *layouts)
{
   if (layouts) {
      *count = UTIL_MIN(*count, (uint32_t)UTIL_ARRAY_SIZE(host_copy_layouts));
      memcpy(layouts, host_copy_layouts, *count * sizeof(*layouts));
   } else {
      *count = UTIL_ARRAY_SIZE(host_copy_layouts);
   }
}

static void answer_by_hand(VkBaseOutStructure *s)
{
   if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_4_PROPERTIES) {
      VkPhysicalDeviceVulkan14Properties *out = (VkPhysicalDeviceVulkan14Properties *)s;
      answer_layouts(&out->copySrcLayoutCount, out->pCopySrcLayouts);
      answer_layouts(&out->copyDstLayoutCount, out->pCopyDstLayouts);
   } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES) {
      VkPhysicalDeviceHostImageCopyProperties *out = (VkPhysicalDeviceHostImageCopyProperties *)s;
      answer_layouts(&out->copySrcLayoutCount, out->pCopySrcLayouts);
      answer_layouts(&out->copyDstLayoutCount, out->pCopyDstLayouts);
   } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LAYERED_API_PROPERTIES_LIST_KHR) {
      ((VkPhysicalDeviceLayeredApiPropertiesListKHR *)s)->layeredApiCount = 0;
   } else if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_PROPERTIES_EXT) {
      /* Asked for on demand: it takes a look at the cache's directory. */
      icd_shader_binary_uuid(((VkPhysicalDeviceShaderObjectPropertiesEXT *)s)->shaderBinaryUUID);
   }
}

void icd_properties_answer(const struct icd_properties *properties, void *chain)
{
   for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2) {
         ((VkPhysicalDeviceProperties2 *)s)->properties = properties->core;
         continue;
      }
      const struct icd_property_struct *known = find_struct(s->sType);
      for (uint32_t i = 0; known && i < known->count; i++) {
         const struct icd_property_field *field = &icd_property_fields[known->first + i];
         memcpy((char *)s + field->vk_offset, (const char *)properties + field->offset, field->size_bytes);
      }
      answer_by_hand(s);
   }
}
