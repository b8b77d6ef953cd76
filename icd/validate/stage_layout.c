/* SPDX-License-Identifier: MIT
 * Resources and push constants that a stage uses against a pipeline layout.
 * Source: Shader Interfaces, "DescriptorSet and Binding Assignment", table "Shader Resource and Descriptor Type Correspondence". */
#include "gen/icd_names.h"
#include "icd/validate/check.h"
#include "icd/validate/pipeline.h"

#include "util/alloc.h"
#include "util/spirv_numbers.h"

#include <stdio.h>

/* ---- descriptors ---- */

enum { MASK_INLINE_BLOCK = 1 << 16, MASK_ACCELERATION_STRUCTURE = 1 << 17, MASK_ANY = -1 };

#define BIT(name) (1u << VK_DESCRIPTOR_TYPE_##name)

static uint32_t type_mask(uint32_t type)
{
   return type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT                    ? 1u << type
          : type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK              ? (uint32_t)MASK_INLINE_BLOCK
          : type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR        ? (uint32_t)MASK_ACCELERATION_STRUCTURE
                                                                         : (uint32_t)MASK_ANY; /* mutable */
}

static uint32_t image_mask(const struct icd_spirv_inst *image)
{
   const bool is_storage = icd_spirv_word(image, 7) == 2;
   switch (icd_spirv_word(image, 3)) {
   case SpvDimBuffer:
      return is_storage ? BIT(STORAGE_TEXEL_BUFFER) : BIT(UNIFORM_TEXEL_BUFFER);
   case SpvDimSubpassData:
      return BIT(INPUT_ATTACHMENT);
   default:
      return is_storage ? BIT(STORAGE_IMAGE) : BIT(SAMPLED_IMAGE) | BIT(COMBINED_IMAGE_SAMPLER);
   }
}

/* The descriptor types that a variable may stand for. */
static uint32_t accepted_mask(const struct icd_spirv_module *module, uint32_t type, SpvStorageClass where)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, type);
   const uint32_t uniform = BIT(UNIFORM_BUFFER) | BIT(UNIFORM_BUFFER_DYNAMIC) | MASK_INLINE_BLOCK;
   const uint32_t storage = BIT(STORAGE_BUFFER) | BIT(STORAGE_BUFFER_DYNAMIC);
   switch (inst.op) {
   case SpvOpTypeSampler:
      return BIT(SAMPLER) | BIT(COMBINED_IMAGE_SAMPLER);
   case SpvOpTypeSampledImage: { /* GLSL's samplerBuffer is one too */
      const struct icd_spirv_inst image = icd_spirv_definition(module, icd_spirv_word(&inst, 2));
      return icd_spirv_word(&image, 3) == SpvDimBuffer ? BIT(UNIFORM_TEXEL_BUFFER) : BIT(COMBINED_IMAGE_SAMPLER);
   }
   case SpvOpTypeImage:
      return image_mask(&inst);
   case SpvOpTypeAccelerationStructureKHR:
      return MASK_ACCELERATION_STRUCTURE;
   case SpvOpTypeStruct:
      return where == SpvStorageClassStorageBuffer || icd_spirv_find(module, type, UINT32_MAX, SpvDecorationBufferBlock) ? storage : uniform;
   default:
      return (uint32_t)MASK_ANY;
   }
}

static const struct comp_binding *find_binding(const struct comp_layout *layout, uint32_t set, uint32_t number)
{
   for (uint32_t i = 0; set < layout->num_sets && i < layout->sets[set].num_bindings; i++) {
      const struct comp_binding *binding = &layout->sets[set].bindings[i];
      if (binding->binding == number && binding->count)
         return binding;
   }
   return NULL;
}

static const char *create_info(const struct icd_check_stage *stage)
{
   return stage->desc->stage == ABI_STAGE_COMPUTE ? "VkComputePipelineCreateInfo" : "VkGraphicsPipelineCreateInfo";
}

/* A rule of pipeline creation, which has two names; about a variable. */
#define BROKEN_LAYOUT(report, stage, rule, variable, ...)                                                              \
   do {                                                                                                                \
      char vuid_[80];                                                                                                  \
      snprintf(vuid_, sizeof(vuid_), "VUID-%s-%s", create_info(stage), rule);                                          \
      icd_report_at(report, ICD_REFUSE, vuid_, &(stage)->module, variable, NULL, __VA_ARGS__);                          \
   } while (0)

static void check_resource(const struct icd_check *check, const struct icd_check_stage *stage, const struct icd_spirv_inst *variable)
{
   const struct icd_spirv_module *module = check->module;
   const uint32_t id = icd_spirv_word(variable, 2);
   const uint32_t set = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationDescriptorSet, UINT32_MAX);
   const uint32_t number = icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationBinding, UINT32_MAX);
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_variable_type(module, variable, &where);
   const struct icd_spirv_inst array = icd_spirv_definition(module, type);
   uint32_t length = icd_spirv_word(&array, 3);
   if (set == UINT32_MAX || number == UINT32_MAX)
      return;
   const struct comp_binding *binding = find_binding(stage->desc->layout, set, number);
   if (!binding) {
      BROKEN_LAYOUT(check->report, stage, "layout-07988", variable, "the pipeline layout has no binding %u in set %u", number, set);
      return;
   }
   if (!(accepted_mask(module, icd_spirv_strip_arrays(module, type, NULL), where) & type_mask(binding->type)))
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_DescriptorSet_06323, variable, "binding %u of set %u is %s", number, set,
                         icd_descriptor_type_name((VkDescriptorType)binding->type));
   const bool is_inline = binding->type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
   const bool is_array = array.op == SpvOpTypeArray || array.op == SpvOpTypeRuntimeArray;
   if (is_array && is_inline)
      BROKEN_LAYOUT(check->report, stage, "None-10391", variable, "binding %u of set %u is an inline uniform block, of which there is no array",
                    number, set);
   else if (array.op == SpvOpTypeArray && icd_spirv_constant(module, length, &length) && length > binding->count)
      BROKEN_LAYOUT(check->report, stage, "layout-07991", variable, "an array of %u descriptors, but binding %u of set %u has %u", length,
                    number, set, binding->count);
}

/* ---- push constants ---- */

/* Bytes of a member from its offset to its last byte. Strides are decorations of the member or of the array's type. */
static uint64_t laid_out_bytes(const struct icd_spirv_module *module, uint32_t type, uint32_t stride, bool is_row_major, uint32_t depth)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, type);
   const struct icd_spirv_inst scalar = icd_spirv_scalar(module, type);
   const uint32_t scalar_bytes = scalar.op == SpvOpTypePointer || scalar.op == SpvOpTypeUntypedPointerKHR ? 8 : icd_spirv_word(&scalar, 2) / 8;
   const struct icd_spirv_inst column = icd_spirv_definition(module, icd_spirv_word(&inst, 2));
   uint32_t length = icd_spirv_word(&inst, 3);
   uint64_t end = 0;
   switch ((uint32_t)inst.op) {
   case SpvOpTypeVector:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
      return (uint64_t)icd_spirv_components(module, &inst) * scalar_bytes;
   case SpvOpTypeMatrix:
      return is_row_major ? (uint64_t)stride * (icd_spirv_word(&column, 3) - 1u) + (uint64_t)length * scalar_bytes
                          : (uint64_t)stride * (length - 1u) + (uint64_t)icd_spirv_word(&column, 3) * scalar_bytes;
   case SpvOpTypeArray:
      if (!depth || !icd_spirv_constant(module, length, &length) || !length)
         return 0;
      return (uint64_t)icd_spirv_decorated(module, type, UINT32_MAX, SpvDecorationArrayStride, 0) * (length - 1u) +
             laid_out_bytes(module, icd_spirv_word(&inst, 2), stride, is_row_major, depth - 1);
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst.count && depth; i++) {
         const uint32_t offset = icd_spirv_decorated(module, type, i - 2, SpvDecorationOffset, 0);
         const uint32_t matrix_stride = icd_spirv_decorated(module, type, i - 2, SpvDecorationMatrixStride, 0);
         const bool is_row = icd_spirv_find(module, type, i - 2, SpvDecorationRowMajor) != NULL;
         end = UTIL_MAX(end, offset + laid_out_bytes(module, inst.words[i], matrix_stride, is_row, depth - 1));
      }
      return end;
   default:
      return scalar_bytes;
   }
}

static uint64_t block_bytes(const struct icd_check *check, const struct icd_spirv_inst *variable)
{
   enum { DEPTH = 8 };
   SpvStorageClass where = SpvStorageClassMax;
   return laid_out_bytes(check->module, icd_spirv_variable_type(check->module, variable, &where), 0, false, DEPTH);
}

static void check_push_block(const struct icd_check *check, const struct icd_check_stage *stage, const struct icd_spirv_inst *variable)
{
   const uint32_t room = stage->desc->layout->push_bytes;
   const uint64_t bytes = block_bytes(check, variable);
   if (!room)
      BROKEN_LAYOUT(check->report, stage, "layout-07987", variable, "the pipeline layout has no push constant range");
   else if (bytes > room)
      BROKEN_LAYOUT(check->report, stage, "layout-10069", variable, "a push constant block of %llu bytes, but the layout's ranges end at %u",
                    (unsigned long long)bytes, room);
}

bool icd_check_stage_layout(const struct icd_validate_env *env, const struct icd_check_stage *stage, struct icd_report *report)
{
   const struct icd_check check = {&stage->module, env, report};
   if (!stage->desc->layout)
      return true;
   uint8_t *used = icd_spirv_used(&stage->module, stage->entry);
   if (!used)
      return false;
   ICD_CHECK_GLOBALS(&check, inst) {
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (!icd_spirv_is_variable(inst.op) || id >= stage->module.bound || !used[id])
         continue;
      if (icd_spirv_word(&inst, 3) == SpvStorageClassPushConstant)
         check_push_block(&check, stage, &inst);
      else if (stage->desc->layout->has_heaps)
         icd_check_mapping(&check, stage, &inst, block_bytes(&check, &inst));
      else
         check_resource(&check, stage, &inst);
   }
   util_mfree(used);
   return true;
}
