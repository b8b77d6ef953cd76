/* SPDX-License-Identifier: MIT
 * How memory is reached: indices that choose resources, addresses and their alignment. */
#include "icd/validate/check.h"

#include <stddef.h>

/* ---- indices that choose a resource ---- */

static const struct indexing_row {
   SpvCapability dynamic, non_uniform; /* either lets the index vary */
   uint32_t feature; /* UINT32_MAX: the capability alone decides */
   enum icd_rule rule;
} indexing_rows[] = {
/* Compilers from GLSL and HLSL never declare the four capabilities of SPIR-V 1.0: there the enabled feature is enough. */
#define INDEXING(name, number)                                                                                         \
   {SpvCapability##name##ArrayDynamicIndexing, SpvCapability##name##ArrayNonUniformIndexing,                           \
    offsetof(struct icd_features, shader##name##ArrayDynamicIndexing),                                                 \
    ICD_RULE_StandaloneSpirv_##name##ArrayDynamicIndexing_##number}
#define INDEXING_STRICT(name, number)                                                                                  \
   {SpvCapability##name##ArrayDynamicIndexing, SpvCapability##name##ArrayNonUniformIndexing, UINT32_MAX,               \
    ICD_RULE_StandaloneSpirv_##name##ArrayDynamicIndexing_##number}
   INDEXING(UniformBuffer, 10127),
   INDEXING(SampledImage, 10128),
   INDEXING(StorageBuffer, 10129),
   INDEXING(StorageImage, 10130),
   INDEXING_STRICT(InputAttachment, 10131),
   INDEXING_STRICT(UniformTexelBuffer, 10132),
   INDEXING_STRICT(StorageTexelBuffer, 10133),
};
enum { UNIFORM_BUFFER, SAMPLED_IMAGE, STORAGE_BUFFER, STORAGE_IMAGE, INPUT_ATTACHMENT, UNIFORM_TEXEL, STORAGE_TEXEL, NO_RESOURCE };

static uint32_t image_resource(const struct icd_spirv_inst *image)
{
   const bool is_storage = icd_spirv_word(image, 7) == 2;
   switch (icd_spirv_word(image, 3)) {
   case SpvDimSubpassData:
      return INPUT_ATTACHMENT;
   case SpvDimBuffer:
      return is_storage ? STORAGE_TEXEL : UNIFORM_TEXEL;
   default:
      return is_storage ? STORAGE_IMAGE : SAMPLED_IMAGE;
   }
}

/* The row of a variable's resource. */
static uint32_t resource_of(const struct icd_check *check, SpvStorageClass where, uint32_t element)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, element);
   const bool is_block = icd_spirv_find(check->module, element, UINT32_MAX, SpvDecorationBlock);
   switch (where) { /* an array inside of a block is none of blocks */
   case SpvStorageClassUniform:
      return icd_spirv_find(check->module, element, UINT32_MAX, SpvDecorationBufferBlock) ? STORAGE_BUFFER :
             is_block ? UNIFORM_BUFFER : NO_RESOURCE;
   case SpvStorageClassStorageBuffer:
      return is_block ? STORAGE_BUFFER : NO_RESOURCE;
   case SpvStorageClassUniformConstant: {
      /* GLSL's samplerBuffer is a sampled image too, and a uniform texel buffer */
      const bool is_sampled = inst.op == SpvOpTypeSampledImage;
      const struct icd_spirv_inst image = is_sampled ? icd_spirv_definition(check->module, icd_spirv_word(&inst, 2)) : inst;
      return image.op == SpvOpTypeImage ? image_resource(&image) : inst.op == SpvOpTypeSampler ? SAMPLED_IMAGE : NO_RESOURCE;
   }
   default:
      return NO_RESOURCE;
   }
}

/* What an access chain walks through, and where that is. */
static uint32_t base_type(const struct icd_check *check, const struct icd_spirv_inst *inst, SpvStorageClass *where)
{
   if (!icd_spirv_is_untyped_chain(inst->op))
      return icd_spirv_pointee(check->module, icd_spirv_type_of(check->module, icd_spirv_word(inst, 3)), where);
   const struct icd_spirv_inst pointer = icd_spirv_definition(check->module, icd_spirv_type_of(check->module, icd_spirv_word(inst, 4)));
   *where = (SpvStorageClass)icd_spirv_word(&pointer, 2);
   return icd_spirv_word(inst, 3);
}

static void check_indexing(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   SpvStorageClass where = SpvStorageClassMax;
   uint32_t levels = 0;
   /* The base is a variable, or the parameter of a function that is given one. */
   const uint32_t type = base_type(check, inst, &where), first = icd_spirv_is_untyped_chain(inst->op) ? 5 : 4;
   const uint32_t element = icd_spirv_strip_arrays(check->module, type, &levels);
   const uint32_t resource = levels ? resource_of(check, where, element) : NO_RESOURCE;
   if (resource == NO_RESOURCE || inst->count <= first || icd_spirv_is_constant(check->module, inst->words[first]))
      return;
   const struct indexing_row *row = &indexing_rows[resource];
   const bool is_enabled = row->feature != UINT32_MAX && ((const bool *)check->env->features)[row->feature];
   if (!is_enabled && !icd_spirv_has_capability(check->module, row->dynamic) &&
       !icd_spirv_has_capability(check->module, row->non_uniform))
      icd_report_rule(check->report, check->module, row->rule, inst, NULL);
}

/* ---- row-major matrices behind addresses ---- */

/* True if an access chain goes inside of a matrix that is row-major. */
static bool enters_row_major(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   enum { MAX_WORDS = 6 + 255 }; /* Universal Limits: indexes of a chain */
   SpvStorageClass where;
   const bool has_element = inst->op == SpvOpPtrAccessChain || inst->op == SpvOpInBoundsPtrAccessChain ||
                            inst->op == SpvOpUntypedPtrAccessChainKHR || inst->op == SpvOpUntypedInBoundsPtrAccessChainKHR;
   uint32_t type = base_type(check, inst, &where);
   bool is_row_major = false;
   for (uint32_t i = (icd_spirv_is_untyped_chain(inst->op) ? 5 : 4) + has_element; i < UTIL_MIN(inst->count, MAX_WORDS); i++) {
      const struct icd_spirv_inst composite = icd_spirv_definition(check->module, type);
      uint32_t member = 0;
      if (composite.op == SpvOpTypeMatrix)
         return is_row_major;
      if (composite.op == SpvOpTypeStruct) {
         if (!icd_spirv_constant(check->module, inst->words[i], &member) || member >= composite.count - 2)
            return false;
         is_row_major = icd_spirv_find(check->module, type, member, SpvDecorationRowMajor) != NULL;
         type = composite.words[member + 2];
      } else {
         type = icd_spirv_word(&composite, 2);
      }
   }
   return false;
}

static bool is_access_chain(SpvOp op)
{
   return op == SpvOpAccessChain || op == SpvOpInBoundsAccessChain || op == SpvOpPtrAccessChain || op == SpvOpInBoundsPtrAccessChain ||
          icd_spirv_is_untyped_chain(op);
}

/* Whatever takes a pointer into such a matrix, a load or a store through it aside. */
static void check_row_major_use(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   if (inst->op == SpvOpLoad)
      return;
   for (uint32_t word = inst->op == SpvOpStore ? 2 : 1; word < inst->count; word++) {
      if (inst->op != SpvOpStore && !icd_spirv_takes_pointer(inst, word))
         continue;
      const struct icd_spirv_inst base = icd_spirv_definition(check->module, inst->words[word]);
      if (is_access_chain(base.op) && enters_row_major(check, &base))
         ICD_BROKEN(check, StandaloneSpirv_PhysicalStorageBuffer64_04709, inst);
      if (inst->op == SpvOpStore)
         break; /* literals are behind */
   }
}

/* ---- alignment of addresses ---- */

static void check_alignment(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   struct icd_spirv_access accesses[2];
   for (uint32_t i = 0, count = icd_spirv_accesses(inst, accesses); i < count; i++) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t type = icd_spirv_accessed_type(check->module, inst, accesses[i].pointer, &where);
      const uint32_t aligned = accesses[i].alignment, needed = icd_spirv_scalar_bytes(check->module, type);
      if (where == SpvStorageClassPhysicalStorageBuffer && aligned && needed && aligned % needed)
         ICD_BROKEN_BECAUSE(check, RuntimeSpirv_PhysicalStorageBuffer64_06314, inst, "Aligned %u, but a scalar of %u bytes", aligned,
                            needed);
   }
}

/* ---- what is written ---- */

static void check_write(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t pointer = inst->op == SpvOpImageWrite ? 0 : icd_spirv_written(inst);
   const uint32_t type = pointer ? icd_spirv_accessed_type(check->module, inst, pointer, &where) : 0;
   if (!type && inst->op != SpvOpCopyMemorySized)
      return;
   if (icd_spirv_is_opaque(icd_spirv_definition(check->module, icd_spirv_strip_arrays(check->module, type, NULL)).op))
      ICD_BROKEN(check, StandaloneSpirv_OpTypeImage_06924, inst);
   if (where != SpvStorageClassUniform)
      return;
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, icd_spirv_base_variable(check->module, pointer));
   const uint32_t block = icd_spirv_variable_type(check->module, &variable, &where);
   if (icd_spirv_find(check->module, icd_spirv_strip_arrays(check->module, block, NULL), UINT32_MAX, SpvDecorationBlock))
      ICD_BROKEN(check, StandaloneSpirv_Uniform_06925, inst);
}

void icd_check_pointers(const struct icd_check *check)
{
   const bool has_addresses = icd_spirv_has_capability(check->module, SpvCapabilityPhysicalStorageBufferAddresses);
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpAccessChain || inst.op == SpvOpInBoundsAccessChain || inst.op == SpvOpUntypedAccessChainKHR ||
          inst.op == SpvOpUntypedInBoundsAccessChainKHR)
         check_indexing(check, &inst);
      check_write(check, &inst);
      if (!has_addresses)
         continue;
      check_row_major_use(check, &inst);
      check_alignment(check, &inst);
   }
}
