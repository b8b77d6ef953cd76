/* SPDX-License-Identifier: MIT
 * Atomics, group operations and memory scopes against the enabled features. */
#include "icd/validate/check.h"

#include "util/spirv_numbers.h"

/* ---- atomics ---- */

/* What an atomic works on. */
struct atomic {
   SpvStorageClass storage_class;
   bool is_float, is_vector, is_add, is_min_max;
   uint32_t bits;
};

static struct atomic atomic_of(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   struct atomic atomic = {.storage_class = SpvStorageClassMax};
   const bool has_result = inst->op != SpvOpAtomicStore;
   const uint32_t pointer = icd_spirv_word(inst, has_result ? 3 : 1);
   const uint32_t pointee = icd_spirv_accessed_type(check->module, inst, pointer, &atomic.storage_class);
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, pointee);
   atomic.is_float = scalar.op == SpvOpTypeFloat;
   atomic.is_vector = icd_spirv_is_vector(icd_spirv_definition(check->module, pointee).op);
   atomic.bits = icd_spirv_word(&scalar, 2);
   atomic.is_add = inst->op == SpvOpAtomicFAddEXT;
   atomic.is_min_max = inst->op == SpvOpAtomicFMinEXT || inst->op == SpvOpAtomicFMaxEXT;
   return atomic;
}

static void check_int64(const struct icd_check *check, const struct icd_spirv_inst *inst, const struct atomic *atomic)
{
   const struct icd_features *f = check->env->features;
   const SpvStorageClass where = atomic->storage_class;
   if ((where == SpvStorageClassStorageBuffer || where == SpvStorageClassUniform) && !f->shaderBufferInt64Atomics)
      ICD_BROKEN(check, RuntimeSpirv_None_06278, inst);
   if (where == SpvStorageClassWorkgroup && !f->shaderSharedInt64Atomics)
      ICD_BROKEN(check, RuntimeSpirv_None_06279, inst);
   if (where == SpvStorageClassImage && !f->shaderImageInt64Atomics)
      ICD_BROKEN(check, RuntimeSpirv_None_06288, inst);
}

static void check_float(const struct icd_check *check, const struct icd_spirv_inst *inst, const struct atomic *atomic)
{
   const struct icd_features *f = check->env->features;
   const bool buffer16 = f->shaderBufferFloat16Atomics || f->shaderBufferFloat16AtomicAdd || f->shaderBufferFloat16AtomicMinMax;
   const bool buffer32 = f->shaderBufferFloat32Atomics || f->shaderBufferFloat32AtomicAdd || f->shaderBufferFloat32AtomicMinMax;
   const bool buffer64 = f->shaderBufferFloat64Atomics || f->shaderBufferFloat64AtomicAdd || f->shaderBufferFloat64AtomicMinMax;
   const bool shared16 = f->shaderSharedFloat16Atomics || f->shaderSharedFloat16AtomicAdd || f->shaderSharedFloat16AtomicMinMax;
   const bool shared32 = f->shaderSharedFloat32Atomics || f->shaderSharedFloat32AtomicAdd || f->shaderSharedFloat32AtomicMinMax;
   const bool shared64 = f->shaderSharedFloat64Atomics || f->shaderSharedFloat64AtomicAdd || f->shaderSharedFloat64AtomicMinMax;
   const bool image32 = f->shaderImageFloat32Atomics || f->shaderImageFloat32AtomicAdd || f->shaderImageFloat32AtomicMinMax;

   if (atomic->storage_class == SpvStorageClassStorageBuffer && !buffer16 && !buffer32 && !buffer64)
      ICD_BROKEN(check, RuntimeSpirv_None_06284, inst);
   if (atomic->storage_class == SpvStorageClassWorkgroup && !shared16 && !shared32 && !shared64)
      ICD_BROKEN(check, RuntimeSpirv_None_06285, inst);
   if (atomic->storage_class == SpvStorageClassImage && atomic->bits == 32 && !image32)
      ICD_BROKEN(check, RuntimeSpirv_None_06286, inst);
   if (atomic->bits == 16 && !buffer16 && !shared16)
      ICD_BROKEN(check, RuntimeSpirv_None_06337, inst);
   if (atomic->bits == 32 && !buffer32 && !shared32 && !image32)
      ICD_BROKEN(check, RuntimeSpirv_None_06338, inst);
   if (atomic->bits == 64 && !buffer64 && !shared64)
      ICD_BROKEN(check, RuntimeSpirv_None_06339, inst);
}

static void check_atomic(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const struct atomic atomic = atomic_of(check, inst);
   if (atomic.storage_class == SpvStorageClassPrivate || atomic.storage_class == SpvStorageClassFunction ||
       atomic.storage_class == SpvStorageClassInput || atomic.storage_class == SpvStorageClassOutput ||
       atomic.storage_class == SpvStorageClassPushConstant)
      ICD_BROKEN(check, StandaloneSpirv_None_04686, inst);
   if (atomic.is_vector && !check->env->features->shaderFloat16VectorAtomics)
      ICD_BROKEN(check, RuntimeSpirv_shaderFloat16VectorAtomics_09581, inst);
   else if (atomic.is_float && !atomic.is_vector)
      check_float(check, inst, &atomic);
   else if (!atomic.is_float && atomic.bits == 64)
      check_int64(check, inst, &atomic);
}

/* ---- groups ---- */

static bool is_group(SpvOp op)
{
   return (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) || op == SpvOpGroupNonUniformRotateKHR ||
          op == SpvOpGroupNonUniformQuadAllKHR || op == SpvOpGroupNonUniformQuadAnyKHR || op == SpvOpGroupNonUniformPartitionNV;
}

static bool is_quad(SpvOp op)
{
   return op == SpvOpGroupNonUniformQuadBroadcast || op == SpvOpGroupNonUniformQuadSwap ||
          op == SpvOpGroupNonUniformQuadAllKHR || op == SpvOpGroupNonUniformQuadAnyKHR;
}

static bool is_extended(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, type);
   const uint32_t bits = icd_spirv_word(&scalar, 2);
   return (scalar.op == SpvOpTypeInt && (bits == 8 || bits == 16 || bits == 64)) || (scalar.op == SpvOpTypeFloat && bits == 16);
}

static bool is_dynamic_broadcast(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool may = check->env->features->subgroupBroadcastDynamicId && check->module->version >= 0x10500;
   return !may && !icd_spirv_is_constant(check->module, icd_spirv_word(inst, 5));
}

static void check_group(const struct icd_check *check, const struct icd_spirv_inst *inst, VkShaderStageFlags stages)
{
   const struct icd_properties *p = check->env->properties;
   uint32_t scope = SpvScopeSubgroup;
   /* the quad votes have no scope operand: the subgroup is meant */
   if (inst->op != SpvOpGroupNonUniformQuadAllKHR && inst->op != SpvOpGroupNonUniformQuadAnyKHR &&
       inst->op != SpvOpGroupNonUniformPartitionNV)
      icd_spirv_constant(check->module, icd_spirv_word(inst, 3), &scope);

   if (scope == SpvScopeSubgroup && stages & ~p->subgroupSupportedStages)
      ICD_BROKEN(check, RuntimeSpirv_None_06343, inst);
   if (is_quad(inst->op) && stages & ~(VkShaderStageFlags)(VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT) &&
       !p->subgroupQuadOperationsInAllStages)
      ICD_BROKEN(check, RuntimeSpirv_None_06342, inst);
   const uint32_t value = inst->op == SpvOpGroupNonUniformAllEqual ? icd_spirv_type_of(check->module, icd_spirv_word(inst, 4)) :
                                                                     icd_spirv_word(inst, 1);
   if (is_extended(check, value) && !check->env->features->shaderSubgroupExtendedTypes)
      ICD_BROKEN(check, RuntimeSpirv_None_06275, inst);
   if (inst->op == SpvOpGroupNonUniformQuadBroadcast && is_dynamic_broadcast(check, inst))
      ICD_BROKEN(check, RuntimeSpirv_subgroupBroadcastDynamicId_06276, inst);
   if (inst->op == SpvOpGroupNonUniformBroadcast && is_dynamic_broadcast(check, inst))
      ICD_BROKEN(check, RuntimeSpirv_subgroupBroadcastDynamicId_06277, inst);
   if (inst->op == SpvOpGroupNonUniformRotateKHR && inst->count > 6 && !check->env->features->shaderSubgroupRotateClustered)
      ICD_BROKEN(check, RuntimeSpirv_shaderSubgroupRotateClustered_09566, inst);
}

/* ---- scopes ---- */

/* The word that holds the id of the memory scope; 0: none. */
static uint32_t memory_scope_word(const struct icd_spirv_inst *inst)
{
   switch ((uint32_t)inst->op) {
   case SpvOpMemoryBarrier:
      return 1;
   case SpvOpControlBarrier:
   case UTIL_SPV_OP_BARRIER_ARRIVE:
   case UTIL_SPV_OP_BARRIER_WAIT:
   case SpvOpAtomicStore:
   case SpvOpAtomicFlagClear:
      return 2;
   default:
      return icd_spirv_is_atomic(inst->op) ? 4 : 0;
   }
}

void icd_check_memory_scope(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t id)
{
   const struct icd_features *f = check->env->features;
   uint32_t scope;
   if (!icd_spirv_constant(check->module, id, &scope))
      return;
   if (scope == SpvScopeDevice && f->vulkanMemoryModel && !f->vulkanMemoryModelDeviceScope)
      ICD_BROKEN(check, RuntimeSpirv_vulkanMemoryModel_06265, inst);
   if (scope == SpvScopeQueueFamily && !f->vulkanMemoryModel)
      ICD_BROKEN(check, RuntimeSpirv_vulkanMemoryModel_06266, inst);
}

static void check_access_scopes(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   struct icd_spirv_access accesses[2];
   for (uint32_t i = 0, count = icd_spirv_accesses(inst, accesses); i < count; i++) {
      icd_check_memory_scope(check, inst, accesses[i].available);
      icd_check_memory_scope(check, inst, accesses[i].visible);
   }
}

static void check_clock(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   uint32_t scope = SpvScopeMax;
   icd_spirv_constant(check->module, icd_spirv_word(inst, 3), &scope);
   if (scope == SpvScopeSubgroup && !check->env->features->shaderSubgroupClock)
      ICD_BROKEN(check, RuntimeSpirv_shaderSubgroupClock_06267, inst);
   if (scope == SpvScopeDevice && !check->env->features->shaderDeviceClock)
      ICD_BROKEN(check, RuntimeSpirv_shaderDeviceClock_06268, inst);
}

/* ---- execution modes ---- */

static bool is_repack(SpvOp op)
{
   switch ((uint32_t)op) {
   case UTIL_SPV_OP_REORDER_THREAD_WITH_HINT:
   case UTIL_SPV_OP_REORDER_THREAD_WITH_HIT_OBJECT:
   case UTIL_SPV_OP_HIT_OBJECT_TRACE_RAY:
   case UTIL_SPV_OP_HIT_OBJECT_EXECUTE:
   case UTIL_SPV_OP_HIT_OBJECT_REORDER_EXECUTE:
   case UTIL_SPV_OP_HIT_OBJECT_TRACE_REORDER_EXECUTE: return true;
   default: break;
   }
   return op == SpvOpTraceRayKHR || op == SpvOpTraceNV || op == SpvOpTraceMotionNV || op == SpvOpTraceRayMotionNV ||
          op == SpvOpExecuteCallableKHR || op == SpvOpExecuteCallableNV || op == SpvOpReorderThreadWithHintNV ||
          op == SpvOpReorderThreadWithHitObjectNV || op == SpvOpHitObjectTraceRayNV ||
          op == SpvOpHitObjectExecuteShaderNV || op == SpvOpReportIntersectionKHR;
}

static bool has_repack(const struct icd_check *check)
{
   ICD_CHECK_BODY(check, function, inst) {
      if (is_repack(inst.op))
         return true;
   }
   return false;
}

/* SPV_AMD_shader_early_and_late_fragment_tests. */
static void check_early_and_late(const struct icd_check *check, const struct icd_spirv_inst *inst, SpvExecutionMode mode)
{
   if (check->env->features->shaderEarlyAndLateFragmentTests)
      return;
   switch (mode) {
   case SpvExecutionModeEarlyAndLateFragmentTestsAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06767, inst); break;
   case SpvExecutionModeStencilRefUnchangedFrontAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06768, inst); break;
   case SpvExecutionModeStencilRefUnchangedBackAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06769, inst); break;
   case SpvExecutionModeStencilRefGreaterFrontAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06770, inst); break;
   case SpvExecutionModeStencilRefGreaterBackAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06771, inst); break;
   case SpvExecutionModeStencilRefLessFrontAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06772, inst); break;
   case SpvExecutionModeStencilRefLessBackAMD: ICD_BROKEN(check, RuntimeSpirv_shaderEarlyAndLateFragmentTests_06773, inst); break;
   default: break;
   }
}

static void check_execution_mode(const struct icd_check *check, const struct icd_spirv_inst *inst, bool is_repacked)
{
   const SpvExecutionMode mode = (SpvExecutionMode)icd_spirv_word(inst, 2);
   const struct icd_spirv_function *function = icd_spirv_find_function(check->module, icd_spirv_word(inst, 1));
   const VkShaderStageFlags stages = function ? function->entry_stages : 0;
   check_early_and_late(check, inst, mode);
   if (mode != SpvExecutionModeSubgroupUniformControlFlowKHR && mode != SpvExecutionModeMaximallyReconvergesKHR)
      return;
   if (mode == SpvExecutionModeMaximallyReconvergesKHR) {
      if (is_repacked)
         ICD_BROKEN(check, RuntimeSpirv_MaximallyReconvergesKHR_09565, inst);
   } else if (!check->env->features->shaderSubgroupUniformControlFlow || is_repacked ||
              stages & ~check->env->properties->subgroupSupportedStages) {
      ICD_BROKEN(check, RuntimeSpirv_SubgroupUniformControlFlowKHR_06379, inst);
   }
}

/* SPV_KHR_fma, by the width of the result. */
static void check_fused(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
#ifdef VK_KHR_shader_fma
   const struct icd_features *features = check->env->features;
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, icd_spirv_result_type(inst));
   const uint32_t bits = scalar.op == SpvOpTypeFloat ? icd_spirv_word(&scalar, 2) : 0;
   if (bits == 16 && !features->shaderFmaFloat16)
      ICD_BROKEN(check, RuntimeSpirv_shaderFmaFloat16_10977, inst);
   if (bits == 32 && !features->shaderFmaFloat32)
      ICD_BROKEN(check, RuntimeSpirv_shaderFmaFloat32_10978, inst);
   if (bits == 64 && !features->shaderFmaFloat64)
      ICD_BROKEN(check, RuntimeSpirv_shaderFmaFloat64_10979, inst);
#endif
}

void icd_check_operations(const struct icd_check *check)
{
   const bool is_repacked = has_repack(check);
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpExecutionMode)
         check_execution_mode(check, &inst, is_repacked);
   }
   ICD_CHECK_BODY(check, function, inst) {
      const uint32_t scope = memory_scope_word(&inst);
      if (scope)
         icd_check_memory_scope(check, &inst, icd_spirv_word(&inst, scope));
      check_access_scopes(check, &inst);
      if (icd_spirv_is_atomic(inst.op))
         check_atomic(check, &inst);
      else if (is_group(inst.op))
         check_group(check, &inst, function->stages);
      else if (inst.op == SpvOpReadClockKHR)
         check_clock(check, &inst);
      else if ((uint32_t)inst.op == UTIL_SPV_OP_FMA)
         check_fused(check, &inst);
   }
}
