/* SPDX-License-Identifier: MIT
 * Values of 8 and 16 bits in memory: what variables hold, and with untyped pointers what memory is accessed as. */
#include "icd/validate/check.h"

#include <stddef.h>

/* Objects of a storage class that hold narrow values need a feature. */
static const struct narrow_row {
   SpvStorageClass storage_class;
   uint32_t flag; /* ICD_TYPE_HAS_* */
   uint32_t feature;
   enum icd_rule rule;
} narrow_rows[] = {
#define NARROW(storage_class, bits, feature, number)                                                                   \
   {SpvStorageClass##storage_class, ICD_TYPE_HAS_##bits, offsetof(struct icd_features, feature), ICD_RULE_RuntimeSpirv_##feature##_##number}
   NARROW(StorageBuffer, 8, storageBuffer8BitAccess, 06328),
   NARROW(ShaderRecordBufferKHR, 8, storageBuffer8BitAccess, 06328),
   NARROW(PhysicalStorageBuffer, 8, storageBuffer8BitAccess, 06328),
   NARROW(Uniform, 8, uniformAndStorageBuffer8BitAccess, 06329),
   NARROW(PushConstant, 8, storagePushConstant8, 06330),
   NARROW(StorageBuffer, 16, storageBuffer16BitAccess, 06331),
   NARROW(ShaderRecordBufferKHR, 16, storageBuffer16BitAccess, 06331),
   NARROW(PhysicalStorageBuffer, 16, storageBuffer16BitAccess, 06331),
   NARROW(Uniform, 16, uniformAndStorageBuffer16BitAccess, 06332),
   NARROW(PushConstant, 16, storagePushConstant16, 06333),
   NARROW(Input, 16, storageInputOutput16, 06334),
   NARROW(Output, 16, storageInputOutput16, 06334),
};

static bool is_enabled(const struct icd_check *check, const struct narrow_row *row)
{
   return ((const bool *)check->env->features)[row->feature];
}

/* With untyped pointers what counts is not what memory holds but what it is accessed as. */
static bool has_untyped_pointers(const struct icd_check *check)
{
#ifdef VK_KHR_shader_untyped_pointers
   return check->env->features->shaderUntypedPointers && icd_spirv_has_capability(check->module, SpvCapabilityUntypedPointersKHR);
#else
   (void)check;
   return false;
#endif
}

static bool is_block(const struct icd_check *check, uint32_t type)
{
   return icd_spirv_find(check->module, icd_spirv_strip_arrays(check->module, type, NULL), UINT32_MAX, SpvDecorationBlock) != NULL;
}

void icd_check_narrow(const struct icd_check *check, const struct icd_spirv_inst *inst, SpvStorageClass where, uint32_t type)
{
   const uint32_t flags = icd_spirv_type_flags(check->module, type);
   if (has_untyped_pointers(check) && where != SpvStorageClassInput && where != SpvStorageClassOutput)
      return;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(narrow_rows); i++) {
      const struct narrow_row *row = &narrow_rows[i];
      /* a Uniform BufferBlock is a storage buffer of old and has the weaker rule of its capability */
      if (row->storage_class == where && flags & row->flag && !is_enabled(check, row) &&
          (where != SpvStorageClassUniform || is_block(check, type)))
         icd_report_rule(check->report, check->module, row->rule, inst, NULL);
   }
}

uint32_t icd_narrowest_access(const struct icd_check *check, SpvStorageClass where)
{
   uint32_t bytes = 4;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(narrow_rows); i++) {
      if (narrow_rows[i].storage_class == where && is_enabled(check, &narrow_rows[i]))
         bytes = UTIL_MIN(bytes, narrow_rows[i].flag == ICD_TYPE_HAS_8 ? 1u : 2u);
   }
   return bytes;
}

/* One scalar after the other, so the narrowest is what counts. */
static void check_access(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t pointer)
{
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t flags = icd_spirv_type_flags(check->module, icd_spirv_accessed_type(check->module, inst, pointer, &where));
   const uint32_t accessed = flags & ICD_TYPE_HAS_8 ? 1 : flags & ICD_TYPE_HAS_16 ? 2 : 4, allowed = icd_narrowest_access(check, where);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(narrow_rows) && accessed < allowed; i++) {
      const struct narrow_row *row = &narrow_rows[i];
      if (row->storage_class == where && (row->flag == ICD_TYPE_HAS_8 ? 1u : 2u) == accessed && where != SpvStorageClassInput &&
          where != SpvStorageClassOutput)
         icd_report_rule(check->report, check->module, row->rule, inst, NULL);
   }
}

void icd_check_narrow_access(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   struct icd_spirv_access accesses[2];
   if (!has_untyped_pointers(check))
      return;
   for (uint32_t i = 0, count = icd_spirv_accesses(inst, accesses); i < count; i++)
      check_access(check, inst, accesses[i].pointer);
   if (icd_spirv_is_atomic(inst->op))
      check_access(check, inst, icd_spirv_word(inst, inst->op == SpvOpAtomicStore ? 1 : 3));
}
