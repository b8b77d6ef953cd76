/* SPDX-License-Identifier: MIT
 * Flags of rays that exclude each other, and built-ins that may change while a shader of a ray pipeline waits for another one.
 * Source: Vulkan Environment for SPIR-V, "Standalone" and "Runtime SPIR-V Validation". */
#include "icd/validate/check.h"

#include "util/spirv_numbers.h"

/* ---- flags, as far as they are constants ---- */

static bool has_two_of(uint32_t flags, uint32_t set)
{
   return __builtin_popcount(flags & set) > 1;
}

#define CHECK_FLAGS(check, inst, flags, op, skips, culls, opacities)                                                   \
   do {                                                                                                                \
      if (has_two_of(flags, SpvRayFlagsSkipTrianglesKHRMask | SpvRayFlagsSkipAABBsKHRMask))                            \
         ICD_BROKEN(check, RuntimeSpirv_##op##_##skips, inst);                                                         \
      if (has_two_of(flags, SpvRayFlagsSkipTrianglesKHRMask | SpvRayFlagsCullBackFacingTrianglesKHRMask |              \
                               SpvRayFlagsCullFrontFacingTrianglesKHRMask))                                            \
         ICD_BROKEN(check, RuntimeSpirv_##op##_##culls, inst);                                                         \
      if (has_two_of(flags, SpvRayFlagsOpaqueKHRMask | SpvRayFlagsNoOpaqueKHRMask | SpvRayFlagsCullOpaqueKHRMask |     \
                               SpvRayFlagsCullNoOpaqueKHRMask))                                                        \
         ICD_BROKEN(check, RuntimeSpirv_##op##_##opacities, inst);                                                     \
   } while (0)

static void check_flags(const struct icd_check *check)
{
   uint32_t flags;
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpRayQueryInitializeKHR && icd_spirv_constant(check->module, icd_spirv_word(&inst, 3), &flags))
         CHECK_FLAGS(check, &inst, flags, OpRayQueryInitializeKHR, 06889, 06890, 06891);
      if (inst.op == SpvOpTraceRayKHR && icd_spirv_constant(check->module, icd_spirv_word(&inst, 2), &flags))
         CHECK_FLAGS(check, &inst, flags, OpTraceRayKHR, 06552, 06892, 06893);
      if (((uint32_t)inst.op == UTIL_SPV_OP_HIT_OBJECT_TRACE_RAY || (uint32_t)inst.op == UTIL_SPV_OP_HIT_OBJECT_TRACE_REORDER_EXECUTE) &&
          icd_spirv_constant(check->module, icd_spirv_word(&inst, 3), &flags))
         CHECK_FLAGS(check, &inst, flags, OpHitObjectTraceRayEXT, 11883, 11884, 11885);
      if (inst.op == SpvOpHitObjectTraceRayNV && icd_spirv_constant(check->module, icd_spirv_word(&inst, 3), &flags))
         CHECK_FLAGS(check, &inst, flags, OpHitObjectTraceRayNV, 07712, 07713, 07714);
   }
}

/* ---- built-ins of the subgroup: what a shader calls may leave it in another one ---- */

static const VkShaderStageFlags waiting_stages = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR |
   VK_SHADER_STAGE_MISS_BIT_KHR | VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

static bool may_change(const struct icd_check *check, uint32_t variable)
{
   switch (icd_spirv_decorated(check->module, variable, UINT32_MAX, SpvDecorationBuiltIn, UINT32_MAX)) {
   case SpvBuiltInSMIDNV:
   case SpvBuiltInWarpIDNV:
   case SpvBuiltInSubgroupSize:
   case SpvBuiltInSubgroupLocalInvocationId:
   case SpvBuiltInSubgroupEqMask:
   case SpvBuiltInSubgroupGeMask:
   case SpvBuiltInSubgroupGtMask:
   case SpvBuiltInSubgroupLeMask:
   case SpvBuiltInSubgroupLtMask: return true;
   default: return false;
   }
}

static void check_variables(const struct icd_check *check, const struct icd_spirv_entry *entry)
{
   for (uint32_t word = entry->first_interface; word < entry->inst.count; word++) {
      const uint32_t id = entry->inst.words[word];
      const struct icd_spirv_inst variable = icd_spirv_definition(check->module, id);
      if (variable.op == SpvOpVariable && may_change(check, id) && !icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationVolatile))
         ICD_BROKEN_BECAUSE(check, StandaloneSpirv_VulkanMemoryModel_04678, &variable, "%s \"%.100s\" uses it",
                            icd_spirv_model_name(entry->model), entry->name);
   }
}

static void check_loads(const struct icd_check *check)
{
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpLoad && function->stages & waiting_stages && !(icd_spirv_word(&inst, 4) & SpvMemoryAccessVolatileMask) &&
          may_change(check, icd_spirv_base_variable(check->module, icd_spirv_word(&inst, 3))))
         ICD_BROKEN(check, StandaloneSpirv_VulkanMemoryModel_04679, &inst);
   }
}

void icd_check_rays(const struct icd_check *check)
{
   check_flags(check);
   if (icd_spirv_has_capability(check->module, SpvCapabilityVulkanMemoryModel)) {
      check_loads(check);
      return;
   }
   for (uint32_t i = 0; i < check->module->num_entries; i++) {
      if (check->module->entries[i].stage & waiting_stages)
         check_variables(check, &check->module->entries[i]);
   }
}
