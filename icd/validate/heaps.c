/* SPDX-License-Identifier: MIT
 * Descriptor heaps in a module: where structures have their descriptors.
 * Source: SPV_EXT_descriptor_heap; Vulkan Environment for SPIR-V. */
#include "abi/image.h"
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

static void check_member(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t member)
{
   const struct icd_spirv_module *module = check->module;
   const uint32_t type = icd_spirv_word(inst, 1);
   const struct icd_spirv_inst descriptor = icd_spirv_definition(module, icd_spirv_strip_arrays(module, icd_spirv_word(inst, member + 2), NULL));
   uint32_t constant, offset = icd_spirv_decorated(module, type, member, SpvDecorationOffset, 0);
   constant = icd_spirv_decorated(module, type, member, (SpvDecoration)UTIL_SPV_DECORATION_OFFSET_ID, 0);
   if (constant && !icd_spirv_constant(module, constant, &offset)) /* one of another pipeline's choice, or of an operation */
      return;
   if (offset % ABI_DESCRIPTOR_BYTES == 0)
      return;
   switch ((uint32_t)descriptor.op) {
   case SpvOpTypeSampler: ICD_BROKEN_BECAUSE(check, RuntimeSpirv_samplerDescriptorAlignment_11476, inst, "member %u at %u", member, offset); break;
   case SpvOpTypeImage: ICD_BROKEN_BECAUSE(check, RuntimeSpirv_imageDescriptorAlignment_11477, inst, "member %u at %u", member, offset); break;
   case UTIL_SPV_OP_TYPE_BUFFER: ICD_BROKEN_BECAUSE(check, RuntimeSpirv_bufferDescriptorAlignment_11478, inst, "member %u at %u", member, offset); break;
   case SpvOpTypeAccelerationStructureKHR:
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_bufferDescriptorAlignment_11479, inst, "member %u at %u", member, offset);
      break;
   default: break;
   }
}

void icd_check_heaps(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      for (uint32_t i = 2; inst.op == SpvOpTypeStruct && i < inst.count; i++)
         check_member(check, &inst, i - 2);
   }
}
