/* SPDX-License-Identifier: MIT */
#include "icd/validate/pipeline.h"

#include "icd/stage.h"
#include "icd/validate/check.h"

#include <stdio.h>
#include <string.h>

static struct icd_spirv_entry *find_entry(const struct icd_check_stage *stage)
{
   for (uint32_t i = 0; i < stage->module.num_entries; i++) {
      struct icd_spirv_entry *entry = &stage->module.entries[i];
      if (entry->stage == stage->stage && !strcmp(entry->name, stage->desc->entry_point))
         return entry;
   }
   return NULL;
}

VkResult icd_check_stage_open(struct icd_check_stage *stage, const struct comp_shader_desc *desc)
{
   const char *broken;
   *stage = (struct icd_check_stage){.desc = desc, .stage = icd_stages[desc->stage].bit};
   const enum icd_spirv_parse parsed = icd_spirv_parse(&stage->module, desc->words, desc->num_words, &broken);
   stage->module.specialization = desc;
   /* A damaged module was reported when it was made, if anyone asked. */
   const struct icd_spirv_entry *entry = parsed == ICD_SPIRV_PARSED ? find_entry(stage) : NULL;
   if (parsed == ICD_SPIRV_OUT_OF_MEMORY || (entry && !icd_spirv_select(&stage->module, entry)))
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   stage->entry = entry ? &stage->module.entries[0] : NULL;
   return VK_SUCCESS;
}

static void report_no_entry(const struct icd_check_stage *stage, struct icd_report *report)
{
   char others[300];
   size_t length = 0;
   others[0] = 0;
   for (uint32_t i = 0; i < stage->module.num_entries && length < sizeof(others); i++) {
      const struct icd_spirv_entry *entry = &stage->module.entries[i];
      length += (size_t)snprintf(others + length, sizeof(others) - length, "%s%s \"%.60s\"", i ? ", " : "; it has ",
                                 icd_spirv_model_name(entry->model), entry->name);
   }
   icd_report_vuid(report, "VUID-VkPipelineShaderStageCreateInfo-pName-00707", "the module has no entry point \"%.100s\" of that stage%s",
                   stage->desc->entry_point, others);
}

static void check_fragment_regions(const struct icd_check *check, VkShaderStageFlags stage, const struct icd_sample_shading *shading)
{
   if (shading && shading->has_fragment_regions && stage == VK_SHADER_STAGE_FRAGMENT_BIT &&
       icd_spirv_has_capability(check->module, SpvCapabilitySampleRateShading))
      ICD_BROKEN(check, RuntimeSpirv_SampleRateShading_06378, NULL);
}

static VkResult check_stage(const struct icd_validate_env *env, const struct icd_check_stage *stage, const struct icd_sample_shading *shading,
                            struct icd_report *report)
{
   const struct icd_check check = {&stage->module, env, report};
   if (!stage->entry) {
      report_no_entry(stage, report);
      return VK_SUCCESS;
   }
   const bool has_memory = icd_check_entries(&check) && icd_check_stage_layout(env, stage, report);
   icd_check_workgroups(&check);
   icd_check_matrices(&check);
   icd_check_vectors(&check);
   icd_check_images(&check);
   icd_check_indexing(&check, stage);
   icd_check_tile_reads(&check, shading);
   check_fragment_regions(&check, stage->stage, shading);
   return has_memory ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}

/* Applications list stages as they like; enum abi_stage is in the order of execution. */
static void order_stages(const struct comp_shader_desc *const *stages, uint32_t num_stages, const struct comp_shader_desc **ordered)
{
   for (uint32_t i = 0; i < num_stages; i++) {
      uint32_t at = i;
      for (; at > 0 && ordered[at - 1]->stage > stages[i]->stage; at--)
         ordered[at] = ordered[at - 1];
      ordered[at] = stages[i];
   }
}

VkResult icd_validate_stages(const struct icd_validate_env *env, const struct comp_shader_desc *const *stages, uint32_t num_stages,
                             const struct icd_sample_shading *shading, struct icd_report *report)
{
   const struct comp_shader_desc *ordered[ABI_NUM_STAGES];
   struct icd_check_stage opened[ABI_NUM_STAGES];
   VkResult result = VK_SUCCESS;
   uint32_t count = 0;
   num_stages = UTIL_MIN(num_stages, ABI_NUM_STAGES);
   order_stages(stages, num_stages, ordered);
   while (count < num_stages && result == VK_SUCCESS) {
      result = icd_check_stage_open(&opened[count], ordered[count]);
      count++;
   }
   for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
      result = check_stage(env, &opened[i], shading, report);
      if (i > 0 && opened[i].entry && opened[i - 1].entry)
         icd_check_stage_pair(env, &opened[i - 1], &opened[i], report);
   }
   for (uint32_t i = 0; i < count; i++)
      icd_spirv_finish(&opened[i].module);
   return result;
}
