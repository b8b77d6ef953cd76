/* SPDX-License-Identifier: MIT
 * Sizes of workgroups: against limits, and for derivatives. */
#include "icd/validate/check.h"

#include "util/alloc.h"

#include <string.h>

static bool read_sizes(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t first, bool are_ids, uint32_t sizes[3])
{
   for (uint32_t i = 0; i < 3; i++) {
      sizes[i] = icd_spirv_word(inst, first + i);
      if (are_ids && !icd_spirv_constant(check->module, sizes[i], &sizes[i]))
         return false;
   }
   return true;
}

/* Limits of a stage that has workgroups. */
struct limits {
   enum icd_rule rules[4]; /* x, y, z, all */
   const uint32_t *sizes;
   uint32_t invocations;
};

static struct limits limits_of(const struct icd_check *check, VkShaderStageFlags stage)
{
   const struct icd_properties *p = check->env->properties;
   switch (stage) {
   case VK_SHADER_STAGE_TASK_BIT_EXT:
      return (struct limits){{ICD_RULE_RuntimeSpirv_TaskEXT_07291, ICD_RULE_RuntimeSpirv_TaskEXT_07292, ICD_RULE_RuntimeSpirv_TaskEXT_07293,
                              ICD_RULE_RuntimeSpirv_TaskEXT_07294},
                             p->maxTaskWorkGroupSize,
                             p->maxTaskWorkGroupInvocations};
   case VK_SHADER_STAGE_MESH_BIT_EXT:
      return (struct limits){{ICD_RULE_RuntimeSpirv_MeshEXT_07295, ICD_RULE_RuntimeSpirv_MeshEXT_07296, ICD_RULE_RuntimeSpirv_MeshEXT_07297,
                              ICD_RULE_RuntimeSpirv_MeshEXT_07298},
                             p->maxMeshWorkGroupSize,
                             p->maxMeshWorkGroupInvocations};
   default:
      return (struct limits){
         {ICD_RULE_RuntimeSpirv_x_06429, ICD_RULE_RuntimeSpirv_y_06430, ICD_RULE_RuntimeSpirv_z_06431, ICD_RULE_RuntimeSpirv_x_06432},
         p->core.limits.maxComputeWorkGroupSize,
         p->core.limits.maxComputeWorkGroupInvocations};
   }
}

static void check_sizes(const struct icd_check *check, VkShaderStageFlags stage, const struct icd_spirv_inst *inst, const uint32_t sizes[3])
{
   const struct limits limits = limits_of(check, stage);
   uint64_t invocations = 1;
   for (uint32_t i = 0; i < 3; i++) {
      if (sizes[i] > limits.sizes[i])
         icd_report_rule(check->report, check->module, limits.rules[i], inst, "%u of %u", sizes[i], limits.sizes[i]);
      invocations *= UTIL_MIN(sizes[i], 1u << 20);
   }
   if (invocations > limits.invocations)
      icd_report_rule(check->report, check->module, limits.rules[3], inst, "%llu of %u", (unsigned long long)invocations, limits.invocations);
}

/* The built-in WorkgroupSize counts instead of the execution mode where a module has it. Its constant; count 0: there is none. */
static struct icd_spirv_inst find_builtin(const struct icd_check *check)
{
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      const struct icd_spirv_decoration *decoration = &check->module->decorations[i];
      if (decoration->name == SpvDecorationBuiltIn && decoration->num_operands &&
          check->module->words[decoration->offset] == SpvBuiltInWorkgroupSize)
         return icd_spirv_definition(check->module, decoration->target);
   }
   return (struct icd_spirv_inst){.words = check->module->words};
}

enum { STAGES = VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT };

/* The stage with workgroups that a function is the entry point of, the first if of several; 0: of none. */
static VkShaderStageFlags stage_of(const struct icd_check *check, uint32_t function)
{
   const struct icd_spirv_function *found = icd_spirv_find_function(check->module, function);
   const VkShaderStageFlags stages = found ? found->entry_stages & STAGES : 0;
   return stages & -stages;
}

/* Of what a module's entry points are: their limits are those of its built-in WorkgroupSize. */
static VkShaderStageFlags stage_of_module(const struct icd_check *check)
{
   for (uint32_t i = 0; i < check->module->num_entries; i++) {
      if (check->module->entries[i].stage & STAGES)
         return check->module->entries[i].stage;
   }
   return VK_SHADER_STAGE_COMPUTE_BIT;
}

/* By id of entry points: 0, or their derivative group's execution mode. NULL: no module of groups, or no memory to look closer. */
static uint32_t *find_groups(const struct icd_check *check)
{
   uint32_t *groups = NULL;
   ICD_CHECK_GLOBALS(check, inst) {
      const uint32_t function = icd_spirv_word(&inst, 1), mode = icd_spirv_word(&inst, 2);
      if (inst.op != SpvOpExecutionMode || function >= check->module->bound ||
          (mode != SpvExecutionModeDerivativeGroupQuadsKHR && mode != SpvExecutionModeDerivativeGroupLinearKHR))
         continue;
      if (!groups)
         groups = util_calloc(check->module->bound, sizeof(*groups));
      if (groups)
         groups[function] = mode;
   }
   return groups;
}

/* The two extensions have the same modes, and rules that differ in their names alone. */
static bool is_of_vendor(const struct icd_check *check)
{
   static const char name[] = "SPV_NV_compute_shader_derivatives";
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpExtension && (inst.count - 1) * 4 >= sizeof(name) && !memcmp(inst.words + 1, name, sizeof(name)))
         return true;
   }
   return false;
}

static void check_groups(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t mode, const uint32_t sizes[3])
{
   if (mode == SpvExecutionModeDerivativeGroupQuadsKHR && (sizes[0] % 2 || sizes[1] % 2))
      icd_report_rule(check->report, check->module,
                      is_of_vendor(check) ? ICD_RULE_StandaloneSpirv_DerivativeGroupQuadsNV_04684
                                          : ICD_RULE_StandaloneSpirv_DerivativeGroupQuadsKHR_10151,
                      inst, "%u x %u", sizes[0], sizes[1]);
   if (mode == SpvExecutionModeDerivativeGroupLinearKHR && sizes[0] * sizes[1] * sizes[2] % 4)
      icd_report_rule(check->report, check->module,
                      is_of_vendor(check) ? ICD_RULE_StandaloneSpirv_DerivativeGroupLinearNV_04778
                                          : ICD_RULE_StandaloneSpirv_DerivativeGroupLinearKHR_10152,
                      inst, "%u x %u x %u", sizes[0], sizes[1], sizes[2]);
}

void icd_check_workgroups(const struct icd_check *check)
{
   const struct icd_spirv_inst builtin = find_builtin(check);
   uint32_t *groups = find_groups(check);
   if (builtin.count) {
      uint32_t sizes[3];
      if (read_sizes(check, &builtin, 3, true, sizes))
         check_sizes(check, stage_of_module(check), &builtin, sizes);
   }
   ICD_CHECK_GLOBALS(check, inst) {
      const SpvExecutionMode mode = (SpvExecutionMode)icd_spirv_word(&inst, 2);
      const uint32_t function = icd_spirv_word(&inst, 1);
      const VkShaderStageFlags stage = stage_of(check, function);
      const bool are_ids = builtin.count || mode == SpvExecutionModeLocalSizeId;
      uint32_t sizes[3];
      if (inst.op != SpvOpExecutionMode && inst.op != SpvOpExecutionModeId)
         continue;
      if (mode == SpvExecutionModeLocalSizeId && !check->env->features->maintenance4)
         ICD_BROKEN(check, RuntimeSpirv_LocalSizeId_06434, &inst);
      if ((mode != SpvExecutionModeLocalSize && mode != SpvExecutionModeLocalSizeId) || !stage ||
          !read_sizes(check, builtin.count ? &builtin : &inst, 3, are_ids, sizes))
         continue;
      if (!builtin.count)
         check_sizes(check, stage, &inst, sizes);
      if (groups && groups[UTIL_MIN(function, check->module->bound - 1)] && stage != VK_SHADER_STAGE_COMPUTE_BIT &&
          !check->env->properties->meshAndTaskShaderDerivatives)
         ICD_BROKEN(check, RuntimeSpirv_meshAndTaskShaderDerivatives_10153, &inst);
      if (groups && function < check->module->bound)
         check_groups(check, &inst, groups[function], sizes);
   }
   util_mfree(groups);
}
