/* SPDX-License-Identifier: MIT
 * What an indexed module says of its types, constants, decorations and pointers. */
#include "icd/validate/module.h"

#include "compiler/compiler.h"
#include "util/spirv_numbers.h"

#include <string.h>

enum { MAX_DEPTH = 255 /* Universal Limits: nesting of structures; of arrays and chains as many */ };

/* ---- types and constants ---- */

uint32_t icd_spirv_type_of(const struct icd_spirv_module *module, uint32_t id)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, id);
   return icd_spirv_result_type(&inst);
}

uint32_t icd_spirv_pointee(const struct icd_spirv_module *module, uint32_t type, SpvStorageClass *storage_class)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, type);
   if (inst.op != SpvOpTypePointer || inst.count < 4)
      return 0;
   *storage_class = (SpvStorageClass)inst.words[2];
   return inst.words[3];
}

bool icd_spirv_is_variable(SpvOp op)
{
   return op == SpvOpVariable || op == SpvOpUntypedVariableKHR;
}

uint32_t icd_spirv_variable_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *variable, SpvStorageClass *storage_class)
{
   if (variable->op != SpvOpUntypedVariableKHR)
      return variable->op == SpvOpVariable ? icd_spirv_pointee(module, icd_spirv_word(variable, 1), storage_class) : 0;
   *storage_class = (SpvStorageClass)icd_spirv_word(variable, 3);
   return icd_spirv_word(variable, 4);
}

uint32_t icd_spirv_accessed_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t pointer,
                                 SpvStorageClass *storage_class)
{
   const struct icd_spirv_inst type = icd_spirv_definition(module, icd_spirv_type_of(module, pointer));
   if (type.op != SpvOpTypeUntypedPointerKHR)
      return icd_spirv_pointee(module, icd_spirv_type_of(module, pointer), storage_class);
   *storage_class = (SpvStorageClass)icd_spirv_word(&type, 2);
   switch (inst->op) {
   case SpvOpStore:
   case SpvOpCooperativeMatrixStoreKHR:
      return icd_spirv_type_of(module, icd_spirv_word(inst, 2));
   case SpvOpAtomicStore:
      return icd_spirv_type_of(module, icd_spirv_word(inst, 4));
   case SpvOpCopyMemory: { /* the other pointer is typed */
      SpvStorageClass other;
      const uint32_t id = icd_spirv_word(inst, 1) == pointer ? icd_spirv_word(inst, 2) : icd_spirv_word(inst, 1);
      return icd_spirv_pointee(module, icd_spirv_type_of(module, id), &other);
   }
   default:
      return icd_spirv_result_type(inst);
   }
}

uint32_t icd_spirv_strip_arrays(const struct icd_spirv_module *module, uint32_t type, uint32_t *levels)
{
   for (uint32_t i = 0; i < MAX_DEPTH; i++) {
      const struct icd_spirv_inst inst = icd_spirv_definition(module, type);
      if (levels)
         *levels = i;
      if (inst.op != SpvOpTypeArray && inst.op != SpvOpTypeRuntimeArray)
         return type;
      type = icd_spirv_word(&inst, 2);
   }
   return 0;
}

struct icd_spirv_inst icd_spirv_scalar(const struct icd_spirv_module *module, uint32_t type)
{
   struct icd_spirv_inst inst = icd_spirv_definition(module, type);
   for (uint32_t i = 0; i < 2 && (icd_spirv_is_vector(inst.op) || inst.op == SpvOpTypeMatrix); i++)
      inst = icd_spirv_definition(module, icd_spirv_word(&inst, 2));
   return inst;
}

bool icd_spirv_is_vector(SpvOp op)
{
   return op == SpvOpTypeVector || (uint32_t)op == UTIL_SPV_OP_TYPE_VECTOR_ID;
}

uint32_t icd_spirv_components(const struct icd_spirv_module *module, const struct icd_spirv_inst *type)
{
   uint32_t count = icd_spirv_word(type, 3);
   if (!icd_spirv_is_vector(type->op) || (type->op != SpvOpTypeVector && !icd_spirv_constant(module, count, &count)))
      return 0;
   return count;
}

/* The value that the pipeline gives, else the one of the module. */
static uint32_t specialized(const struct icd_spirv_module *module, uint32_t id, uint32_t otherwise)
{
   const struct comp_shader_desc *desc = module->specialization;
   const struct icd_spirv_decoration *spec_id = icd_spirv_find(module, id, UINT32_MAX, SpvDecorationSpecId);
   for (uint32_t i = 0; spec_id && spec_id->num_operands && i < desc->num_spec_entries; i++) {
      const struct comp_spec_entry *map = &desc->spec_entries[i];
      if (map->constant_id == module->words[spec_id->offset] && map->size_bytes <= sizeof(otherwise)) {
         otherwise = 0;
         memcpy(&otherwise, (const char *)desc->spec_data + map->offset_bytes, map->size_bytes);
      }
   }
   return otherwise;
}

bool icd_spirv_constant(const struct icd_spirv_module *module, uint32_t id, uint32_t *value)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(module, id);
   switch (inst.op) {
   case SpvOpConstant:
      *value = icd_spirv_word(&inst, 3);
      return true;
   case SpvOpConstantNull:
      *value = 0;
      return true;
   case SpvOpSpecConstant:
      if (!module->specialization)
         return false;
      *value = specialized(module, id, icd_spirv_word(&inst, 3));
      return true;
   default:
      return false;
   }
}

bool icd_spirv_is_constant(const struct icd_spirv_module *module, uint32_t id)
{
   switch ((uint32_t)icd_spirv_definition(module, id).op) {
   case SpvOpConstant:
   case SpvOpConstantTrue:
   case SpvOpConstantFalse:
   case SpvOpConstantNull:
   case SpvOpConstantComposite:
   case SpvOpSpecConstant:
   case SpvOpSpecConstantTrue:
   case SpvOpSpecConstantFalse:
   case SpvOpSpecConstantComposite:
   case SpvOpSpecConstantOp:
   case SpvOpUndef:
   case UTIL_SPV_OP_CONSTANT_DATA:
   case UTIL_SPV_OP_SPEC_CONSTANT_DATA:
      return true;
   default:
      return false;
   }
}

/* ---- decorations and pointers ---- */

uint32_t icd_spirv_decorated(const struct icd_spirv_module *module, uint32_t target, uint32_t member, SpvDecoration name,
                             uint32_t otherwise)
{
   const struct icd_spirv_decoration *found = icd_spirv_find(module, target, member, name);
   return found && found->num_operands ? module->words[found->offset] : otherwise;
}

bool icd_spirv_has_capability(const struct icd_spirv_module *module, SpvCapability capability)
{
   return (uint32_t)capability < ICD_SPIRV_MAX_CAPABILITY && module->capabilities[capability / 64] >> (capability % 64) & 1;
}

bool icd_spirv_is_arrayed(const struct icd_spirv_module *module, uint32_t variable, VkShaderStageFlags stage, bool is_input)
{
   const bool by_stage = stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT ||
                         (is_input && (stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT || stage == VK_SHADER_STAGE_GEOMETRY_BIT)) ||
                         (!is_input && stage == VK_SHADER_STAGE_MESH_BIT_EXT);
   return (by_stage && !icd_spirv_find(module, variable, UINT32_MAX, SpvDecorationPatch)) ||
          icd_spirv_find(module, variable, UINT32_MAX, SpvDecorationPerVertexKHR) != NULL;
}

uint32_t icd_spirv_base_variable(const struct icd_spirv_module *module, uint32_t pointer)
{
   for (uint32_t i = 0; i < MAX_DEPTH; i++) {
      const struct icd_spirv_inst inst = icd_spirv_definition(module, pointer);
      switch (inst.op) {
      case SpvOpVariable:
      case SpvOpUntypedVariableKHR:
         return pointer;
      case SpvOpUntypedAccessChainKHR:
      case SpvOpUntypedInBoundsAccessChainKHR:
      case SpvOpUntypedPtrAccessChainKHR:
      case SpvOpUntypedInBoundsPtrAccessChainKHR:
         pointer = icd_spirv_word(&inst, 4);
         break;
      case SpvOpAccessChain:
      case SpvOpInBoundsAccessChain:
      case SpvOpPtrAccessChain:
      case SpvOpInBoundsPtrAccessChain:
      case SpvOpCopyObject:
      case SpvOpLoad: /* of an image or sampler */
      case SpvOpImage:
      case SpvOpImageTexelPointer:
      case SpvOpSampledImage:
         pointer = icd_spirv_word(&inst, 3);
         break;
      default:
         return 0;
      }
   }
   return 0;
}
