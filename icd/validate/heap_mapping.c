/* SPDX-License-Identifier: MIT
 * Resources that a stage uses against what they are mapped to, where there are descriptor heaps instead of a layout.
 * Source: Descriptor Heaps, "Shader Bindings"; the rules of VkPipelineShaderStageCreateInfo and VkShaderCreateInfoEXT about mappings. */
#include "icd/validate/check.h"
#include "icd/validate/pipeline.h"

static bool is_ray_stage(enum abi_stage stage)
{
   return stage >= ABI_STAGE_RAYGEN && stage <= ABI_STAGE_CALLABLE;
}

static uint32_t resource_of(const struct icd_spirv_module *module, uint32_t id, uint32_t type, SpvStorageClass where)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, type);
   const bool is_read_only = icd_spirv_find(module, id, UINT32_MAX, SpvDecorationNonWritable) != NULL;
   bool has_only_read = inst.op == SpvOpTypeStruct && inst.count > 2;
   switch (inst.op) {
   case SpvOpTypeSampler: return COMP_RESOURCE_SAMPLER;
   case SpvOpTypeSampledImage: return COMP_RESOURCE_COMBINED;
   case SpvOpTypeAccelerationStructureKHR: return COMP_RESOURCE_ACCELERATION;
   case SpvOpTypeImage:
      return icd_spirv_word(&inst, 7) == 1 ? COMP_RESOURCE_SAMPLED_IMAGE : is_read_only ? COMP_RESOURCE_READ_ONLY_IMAGE : COMP_RESOURCE_READ_WRITE_IMAGE;
   case SpvOpTypeStruct:
      if (where == SpvStorageClassUniform && !icd_spirv_find(module, type, UINT32_MAX, SpvDecorationBufferBlock))
         return COMP_RESOURCE_UNIFORM_BUFFER;
      for (uint32_t m = 0; m + 2 < inst.count; m++)
         has_only_read &= icd_spirv_find(module, type, m, SpvDecorationNonWritable) != NULL;
      return is_read_only || has_only_read ? COMP_RESOURCE_READ_ONLY_BUFFER : COMP_RESOURCE_READ_WRITE_BUFFER;
   default: return 0;
   }
}

static const struct comp_mapping *find_mapping(const struct comp_layout *layout, uint32_t set, uint32_t binding, uint32_t resource)
{
   for (uint32_t i = 0; i < layout->num_mappings; i++) {
      const struct comp_mapping *mapping = &layout->mappings[i];
      if (mapping->set == set && mapping->resources & resource && binding - mapping->first_binding < mapping->num_bindings)
         return mapping;
   }
   return NULL;
}

/* OpArrayLength of the variable's block: what an address points to has no length. */
static bool asks_length(const struct icd_check_stage *stage, uint32_t variable)
{
   for (uint32_t i = 0; i < stage->module.num_functions; i++) {
      ICD_SPIRV_EACH(&stage->module, inst, stage->module.functions[i].begin, stage->module.functions[i].end) {
         const uint32_t at = inst.op == SpvOpArrayLength ? 3 : inst.op == SpvOpUntypedArrayLengthKHR ? 4 : 0;
         if (at && icd_spirv_base_variable(&stage->module, icd_spirv_word(&inst, at)) == variable)
            return true;
      }
   }
   return false;
}

void icd_check_mapping(const struct icd_check *check, const struct icd_check_stage *stage, const struct icd_spirv_inst *variable, uint64_t block_bytes)
{
   const struct icd_spirv_module *module = check->module;
   const uint32_t id = icd_spirv_word(variable, 2);
   const uint32_t set = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationDescriptorSet, UINT32_MAX);
   const uint32_t binding = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationBinding, UINT32_MAX);
   if (!icd_spirv_find(module, id, UINT32_MAX, SpvDecorationDescriptorSet) || !icd_spirv_find(module, id, UINT32_MAX, SpvDecorationBinding))
      return;
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_variable_type(module, variable, &where), element = icd_spirv_strip_arrays(module, type, NULL);
   const uint32_t resource = resource_of(module, id, element, where);
   const struct comp_mapping *mapping = find_mapping(stage->desc->layout, set, binding, resource);
   const char *rule = NULL, *words = "";
   const bool is_data = mapping && (mapping->source == COMP_SOURCE_HEAP_DATA || mapping->source == COMP_SOURCE_PUSH_DATA ||
                                    mapping->source == COMP_SOURCE_RECORD_DATA);
   const bool is_address = mapping && mapping->source >= COMP_SOURCE_PUSH_ADDRESS;
   const bool is_record = mapping && (mapping->source == COMP_SOURCE_RECORD_INDEX || mapping->source == COMP_SOURCE_RECORD_DATA ||
                                      mapping->source == COMP_SOURCE_RECORD_ADDRESS);
   const uint32_t buffers = COMP_RESOURCE_UNIFORM_BUFFER | COMP_RESOURCE_READ_ONLY_BUFFER | COMP_RESOURCE_READ_WRITE_BUFFER;
   if (!mapping)
      rule = stage->desc->stage == ABI_STAGE_COMPUTE ? "VUID-VkComputePipelineCreateInfo-flags-11312" : "VUID-VkGraphicsPipelineCreateInfo-flags-11312",
      words = "is not mapped";
   else if (is_data && resource != COMP_RESOURCE_UNIFORM_BUFFER)
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-11315", words = "is mapped to data, and is no uniform buffer";
   else if (mapping->source == COMP_SOURCE_PUSH_DATA && block_bytes + mapping->resource.index_at > ABI_MAX_PUSH_BYTES)
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-11316", words = "is mapped to push data, and is larger than what is left of that";
   else if (is_record && !is_ray_stage(stage->desc->stage))
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-12454", words = "is mapped to a shader record, which the stage has not";
   else if (is_address && !(resource & (buffers | COMP_RESOURCE_ACCELERATION)))
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-11318", words = "is mapped to an address, and is neither a buffer nor an acceleration structure";
   else if (is_address && asks_length(stage, id))
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-11378", words = "is mapped to an address, and its length is asked for";
   else if (mapping->embedded != COMP_NO_SAMPLER && resource & (COMP_RESOURCE_SAMPLER | COMP_RESOURCE_COMBINED) && type != element)
      rule = "VUID-VkPipelineShaderStageCreateInfo-pNext-11399", words = "is an array that is mapped to an embedded sampler";
   if (rule)
      icd_report_at(check->report, ICD_REFUSE, rule, module, variable, NULL, "binding %u of set %u %s", binding, set, words);
}
