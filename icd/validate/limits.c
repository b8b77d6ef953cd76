/* SPDX-License-Identifier: MIT
 * Sizes against limits: workgroups, shared memory, locations, resources that a fragment shader writes, point sizes. */
#include "icd/validate/check.h"

#include "util/alloc.h"

/* ---- workgroups ---- */

static bool read_sizes(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t first, bool are_ids, uint32_t sizes[3])
{
   for (uint32_t i = 0; i < 3; i++) {
      sizes[i] = icd_spirv_word(inst, first + i);
      if (are_ids && !icd_spirv_constant(check->module, sizes[i], &sizes[i]))
         return false;
   }
   return true;
}

static void check_sizes(const struct icd_check *check, const struct icd_spirv_inst *inst, const uint32_t sizes[3])
{
   const VkPhysicalDeviceLimits *limits = &check->env->properties->core.limits;
   static const enum icd_rule rules[3] = {ICD_RULE_RuntimeSpirv_x_06429, ICD_RULE_RuntimeSpirv_y_06430, ICD_RULE_RuntimeSpirv_z_06431};
   uint64_t invocations = 1;
   for (uint32_t i = 0; i < 3; i++) {
      if (sizes[i] > limits->maxComputeWorkGroupSize[i])
         icd_report_rule(check->report, check->module, rules[i], inst, "%u of %u", sizes[i], limits->maxComputeWorkGroupSize[i]);
      invocations *= UTIL_MIN(sizes[i], 1u << 20);
   }
   if (invocations > limits->maxComputeWorkGroupInvocations)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_x_06432, inst, "%llu of %u", (unsigned long long)invocations,
                         limits->maxComputeWorkGroupInvocations);
}

/* The built-in WorkgroupSize, where a module has it, counts instead of the execution mode. */
static bool check_size_builtin(const struct icd_check *check)
{
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      const struct icd_spirv_decoration *decoration = &check->module->decorations[i];
      uint32_t sizes[3];
      if (decoration->kind != SpvDecorationBuiltIn || !decoration->num_operands ||
          check->module->words[decoration->offset] != SpvBuiltInWorkgroupSize)
         continue;
      const struct icd_spirv_inst inst = icd_spirv_definition(check->module, decoration->target);
      if (read_sizes(check, &inst, 3, true, sizes))
         check_sizes(check, &inst, sizes);
      return true;
   }
   return false;
}

static bool is_compute(const struct icd_check *check, uint32_t function)
{
   const struct icd_spirv_function *found = icd_spirv_find_function(check->module, function);
   return found && found->entry_stages & VK_SHADER_STAGE_COMPUTE_BIT;
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

static void check_groups(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t mode, const uint32_t sizes[3])
{
   if (mode == SpvExecutionModeDerivativeGroupQuadsKHR && (sizes[0] % 2 || sizes[1] % 2))
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_DerivativeGroupQuadsKHR_10151, inst, "%u x %u", sizes[0], sizes[1]);
   if (mode == SpvExecutionModeDerivativeGroupLinearKHR && sizes[0] * sizes[1] * sizes[2] % 4)
      ICD_BROKEN_BECAUSE(check, StandaloneSpirv_DerivativeGroupLinearKHR_10152, inst, "%u x %u x %u", sizes[0], sizes[1], sizes[2]);
}

static void check_workgroups(const struct icd_check *check)
{
   const bool has_builtin = check_size_builtin(check);
   uint32_t *groups = find_groups(check);
   ICD_CHECK_GLOBALS(check, inst) {
      const SpvExecutionMode mode = (SpvExecutionMode)icd_spirv_word(&inst, 2);
      uint32_t sizes[3];
      if (inst.op != SpvOpExecutionMode && inst.op != SpvOpExecutionModeId)
         continue;
      if (mode == SpvExecutionModeLocalSizeId && !check->env->features->maintenance4)
         ICD_BROKEN(check, RuntimeSpirv_LocalSizeId_06434, &inst);
      if ((mode == SpvExecutionModeLocalSize || mode == SpvExecutionModeLocalSizeId) && !has_builtin &&
          is_compute(check, icd_spirv_word(&inst, 1)) && read_sizes(check, &inst, 3, mode == SpvExecutionModeLocalSizeId, sizes)) {
         check_sizes(check, &inst, sizes);
         if (groups && icd_spirv_word(&inst, 1) < check->module->bound)
            check_groups(check, &inst, groups[icd_spirv_word(&inst, 1)], sizes);
      }
   }
   util_mfree(groups);
}

/* ---- shared memory ---- */

static const uint64_t UNKNOWN_SIZE = UINT64_MAX;

/* What types take, by id. A type follows those that it is made of, so one walk fills it. */
struct sizes {
   uint64_t *bytes; /* without padding between, the least that any layout takes; UNKNOWN_SIZE: a constant is not known yet */
   uint32_t *locations; /* source: "Location and Component Assignment" */
};

static uint64_t bytes_at(const struct icd_check *check, const struct sizes *sizes, uint32_t type)
{
   return type < check->module->bound ? sizes->bytes[type] : 0;
}

static uint32_t locations_at(const struct icd_check *check, const struct sizes *sizes, uint32_t type)
{
   return type < check->module->bound ? sizes->locations[type] : 0;
}

static uint64_t type_bytes(const struct icd_check *check, const struct sizes *sizes, const struct icd_spirv_inst *inst)
{
   const uint64_t most = UINT64_C(1) << 40;
   uint64_t sum = 0, one;
   uint32_t length = icd_spirv_word(inst, 3);
   switch (inst->op) {
   case SpvOpTypeBool:
      return 4;
   case SpvOpTypeInt:
   case SpvOpTypeFloat:
      return icd_spirv_word(inst, 2) / 8;
   case SpvOpTypePointer:
      return 8;
   case SpvOpTypeArray:
      if (!icd_spirv_constant(check->module, length, &length))
         return UNKNOWN_SIZE;
      __attribute__((fallthrough));
   case SpvOpTypeVector:
   case SpvOpTypeMatrix:
      one = bytes_at(check, sizes, icd_spirv_word(inst, 2));
      return one == UNKNOWN_SIZE ? one : UTIL_MIN(one, most / 1024) * UTIL_MIN(length, 1u << 20);
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst->count; i++) {
         one = bytes_at(check, sizes, inst->words[i]);
         if (one == UNKNOWN_SIZE)
            return one;
         sum = UTIL_MIN(sum + one, most);
      }
      return sum;
   default:
      return 0;
   }
}

static uint32_t type_locations(const struct icd_check *check, const struct sizes *sizes, const struct icd_spirv_inst *inst)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, icd_spirv_word(inst, 2));
   uint32_t sum = 0, length = icd_spirv_word(inst, 3);
   switch (inst->op) {
   case SpvOpTypeVector:
      return length > 2 && icd_spirv_word(&scalar, 2) == 64 ? 2 : 1;
   case SpvOpTypeArray:
      if (!icd_spirv_constant(check->module, length, &length))
         length = 1;
      __attribute__((fallthrough));
   case SpvOpTypeMatrix:
      return UTIL_MIN(locations_at(check, sizes, icd_spirv_word(inst, 2)), 4096u) * UTIL_MIN(length, 4096u);
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst->count; i++)
         sum = UTIL_MIN(sum + locations_at(check, sizes, inst->words[i]), 1u << 24);
      return sum;
   default:
      return 1;
   }
}

static bool sizes_init(struct sizes *sizes, const struct icd_check *check)
{
   sizes->bytes = util_calloc(check->module->bound, sizeof(*sizes->bytes));
   sizes->locations = util_calloc(check->module->bound, sizeof(*sizes->locations));
   if (!sizes->bytes || !sizes->locations)
      return false;
   ICD_CHECK_GLOBALS(check, inst) {
      const uint32_t id = icd_spirv_result(&inst);
      if (!id || id >= check->module->bound || icd_spirv_result_type(&inst))
         continue;
      sizes->bytes[id] = type_bytes(check, sizes, &inst);
      sizes->locations[id] = type_locations(check, sizes, &inst);
   }
   return true;
}

static void sizes_finish(struct sizes *sizes)
{
   util_mfree(sizes->bytes);
   util_mfree(sizes->locations);
}

static void check_shared(const struct icd_check *check, const struct sizes *sizes)
{
   const uint32_t limit = check->env->properties->core.limits.maxComputeSharedMemorySize;
   uint64_t sum = 0, blocks = 0; /* blocks lie on top of each other */
   struct icd_spirv_inst last = {.words = check->module->words};
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where;
      if (inst.op != SpvOpVariable || icd_spirv_word(&inst, 3) != SpvStorageClassWorkgroup)
         continue;
      const uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&inst, 1), &where);
      const uint64_t bytes = bytes_at(check, sizes, type);
      if (bytes == UNKNOWN_SIZE)
         continue;
      if (icd_spirv_find(check->module, type, UINT32_MAX, SpvDecorationBlock))
         blocks = UTIL_MAX(blocks, bytes);
      else
         sum = UTIL_MIN(sum + bytes, UINT64_C(1) << 50);
      last = inst;
   }
   if (sum + blocks > limit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Workgroup_06530, &last, "%llu bytes of %u", (unsigned long long)(sum + blocks), limit);
}

/* ---- locations ---- */

/* Locations of a stage's interface; 0: not limited. Source: table "Shader Input and Output Locations". */
static uint32_t location_limit(const struct icd_check *check, VkShaderStageFlags stage, bool is_input)
{
   const VkPhysicalDeviceLimits *l = &check->env->properties->core.limits;
   switch (stage) {
   case VK_SHADER_STAGE_VERTEX_BIT:
      return is_input ? l->maxVertexInputAttributes : l->maxVertexOutputComponents / 4;
   case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return (is_input ? l->maxTessellationControlPerVertexInputComponents : l->maxTessellationControlPerVertexOutputComponents) / 4;
   case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return (is_input ? l->maxTessellationEvaluationInputComponents : l->maxTessellationEvaluationOutputComponents) / 4;
   case VK_SHADER_STAGE_GEOMETRY_BIT:
      return (is_input ? l->maxGeometryInputComponents : l->maxGeometryOutputComponents) / 4;
   case VK_SHADER_STAGE_FRAGMENT_BIT:
      return is_input ? l->maxFragmentInputComponents / 4 : l->maxFragmentOutputAttachments;
   default:
      return 0;
   }
}

static void check_location(const struct icd_check *check, const struct sizes *sizes, const struct icd_spirv_entry *entry, uint32_t id)
{
   SpvStorageClass where = SpvStorageClassMax;
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, id);
   uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&variable, 1), &where);
   const bool is_input = where == SpvStorageClassInput;
   const uint32_t limit = location_limit(check, entry->stage, is_input);
   const uint32_t location = icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationLocation, UINT32_MAX);
   if (variable.op != SpvOpVariable || !limit || (!is_input && where != SpvStorageClassOutput))
      return;
   if (icd_spirv_is_arrayed(check->module, id, entry->stage, is_input)) {
      const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
      type = icd_spirv_word(&array, 2);
   }
   uint64_t end = location == UINT32_MAX ? 0 : (uint64_t)location + locations_at(check, sizes, type);
   const struct icd_spirv_inst block = icd_spirv_definition(check->module, type);
   for (uint32_t i = 2; block.op == SpvOpTypeStruct && i < block.count; i++) {
      const uint32_t at = icd_spirv_decorated(check->module, type, i - 2, SpvDecorationLocation, UINT32_MAX);
      if (at != UINT32_MAX)
         end = UTIL_MAX(end, (uint64_t)at + locations_at(check, sizes, block.words[i]));
   }
   if (end > limit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Location_06272, &variable, "%llu of %u", (unsigned long long)end, limit);
}

/* ---- what a fragment shader writes ---- */

/* The variable that an instruction writes; 0: none. */
static uint32_t written_variable(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool is_atomic = inst->op > SpvOpAtomicStore && inst->op <= SpvOpAtomicXor;
   const bool is_write = inst->op == SpvOpStore || inst->op == SpvOpAtomicStore || inst->op == SpvOpImageWrite;
   return is_atomic || is_write ? icd_spirv_base_variable(check->module, icd_spirv_word(inst, is_atomic ? 3 : 1)) : 0;
}

static void check_fragment_outputs(const struct icd_check *check)
{
   uint32_t seen[256], count = 0;
   const uint32_t limit = check->env->properties->core.limits.maxFragmentCombinedOutputResources;
   struct icd_spirv_inst last = {.words = check->module->words};
   ICD_CHECK_BODY(check, function, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      bool is_known = false;
      const uint32_t id = function->stages & VK_SHADER_STAGE_FRAGMENT_BIT ? written_variable(check, &inst) : 0;
      const struct icd_spirv_inst variable = icd_spirv_definition(check->module, id);
      if (!id || count == UTIL_ARRAY_SIZE(seen))
         continue;
      icd_spirv_pointee(check->module, icd_spirv_word(&variable, 1), &where);
      const bool is_output = where == SpvStorageClassOutput && icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationLocation);
      if (!is_output && where != SpvStorageClassStorageBuffer && where != SpvStorageClassUniform && where != SpvStorageClassUniformConstant)
         continue;
      for (uint32_t i = 0; i < count && !is_known; i++)
         is_known = seen[i] == id;
      if (is_known)
         continue;
      seen[count++] = id;
      last = inst;
   }
   if (count > limit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Location_06428, &last, "%u of %u", count, limit);
}

bool icd_check_limits(const struct icd_check *check)
{
   struct sizes sizes;
   const bool has_memory = sizes_init(&sizes, check);
   check_workgroups(check);
   if (has_memory)
      check_shared(check, &sizes);
   for (uint32_t i = 0; has_memory && i < check->module->num_entries; i++) {
      const struct icd_spirv_entry *entry = &check->module->entries[i];
      for (uint32_t word = entry->first_interface; word < entry->inst.count; word++)
         check_location(check, &sizes, entry, entry->inst.words[word]);
   }
   check_fragment_outputs(check);
   sizes_finish(&sizes);
   return has_memory;
}
