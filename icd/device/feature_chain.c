/* SPDX-License-Identifier: MIT
 * Chains of feature structures: one loop over the generated table. */
#include "icd/device/features.h"

#include <stddef.h>

static const struct icd_feature_struct *find_struct(VkStructureType type)
{
   size_t low = 0, high = ICD_NUM_FEATURE_STRUCTS;
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (icd_feature_structs[middle].type < type)
         low = middle + 1;
      else
         high = middle;
   }
   return low < ICD_NUM_FEATURE_STRUCTS && icd_feature_structs[low].type == type ? &icd_feature_structs[low] : NULL;
}

static bool *feature_at(struct icd_features *features, const struct icd_feature_field *field)
{
   return (bool *)((char *)features + field->offset);
}

static bool feature_value(const struct icd_features *features, const struct icd_feature_field *field)
{
   return *(const bool *)((const char *)features + field->offset);
}

static VkBool32 vk_value(const void *vk_struct, const struct icd_feature_field *field)
{
   return *(const VkBool32 *)((const char *)vk_struct + field->vk_offset);
}

static void answer(const struct icd_features *features, const struct icd_feature_field *fields, uint32_t count,
                   void *vk_struct)
{
   for (uint32_t i = 0; i < count; i++)
      *(VkBool32 *)((char *)vk_struct + fields[i].vk_offset) = feature_value(features, &fields[i]);
}

void icd_features_get_core(const struct icd_features *features, VkPhysicalDeviceFeatures *core)
{
   answer(features, icd_core_features, ICD_NUM_CORE_FEATURES, core);
}

void icd_features_answer(const struct icd_features *features, void *chain)
{
   for (VkBaseOutStructure *s = chain; s; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
         icd_features_get_core(features, &((VkPhysicalDeviceFeatures2 *)s)->features);
         continue;
      }
      const struct icd_feature_struct *known = find_struct(s->sType);
      if (known)
         answer(features, icd_feature_fields + known->first, known->count, s);
   }
}

static VkResult collect(const struct icd_features *supported, const struct icd_feature_field *fields, uint32_t count,
                        const void *vk_struct, struct icd_features *enabled, uint32_t *missing)
{
   for (uint32_t i = 0; i < count; i++) {
      if (!vk_value(vk_struct, &fields[i]))
         continue;
      if (!feature_value(supported, &fields[i])) {
         *missing = fields[i].offset;
         return VK_ERROR_FEATURE_NOT_PRESENT;
      }
      *feature_at(enabled, &fields[i]) = true;
   }
   return VK_SUCCESS;
}

VkResult icd_features_collect(const struct icd_features *supported, const VkDeviceCreateInfo *info,
                              struct icd_features *enabled, uint32_t *missing)
{
   VkResult result = VK_SUCCESS;
   if (info->pEnabledFeatures)
      result = collect(supported, icd_core_features, ICD_NUM_CORE_FEATURES, info->pEnabledFeatures, enabled, missing);

   for (const VkBaseInStructure *s = info->pNext; s && result == VK_SUCCESS; s = s->pNext) {
      if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
         result = collect(supported, icd_core_features, ICD_NUM_CORE_FEATURES,
                          &((const VkPhysicalDeviceFeatures2 *)s)->features, enabled, missing);
         continue;
      }
      const struct icd_feature_struct *known = find_struct(s->sType);
      if (known)
         result = collect(supported, icd_feature_fields + known->first, known->count, s, enabled, missing);
   }
   return result;
}
