/* SPDX-License-Identifier: MIT
 * Task and mesh shaders: what they declare and set against limits, the order of it, and what must be the same for all views.
 * Spec: Mesh Shading; Vulkan Environment for SPIR-V. */
#include "icd/validate/check.h"

#include "util/alloc.h"

/* ---- execution modes ---- */

/* The operand of an entry point's execution mode; false: it has none. */
static bool find_mode(const struct icd_check *check, uint32_t function, SpvExecutionMode wanted, struct icd_spirv_inst *found)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpExecutionMode && icd_spirv_word(&inst, 1) == function && icd_spirv_word(&inst, 2) == (uint32_t)wanted) {
         *found = inst;
         return true;
      }
   }
   return false;
}

static uint32_t mode_of(const struct icd_check *check, uint32_t function, SpvExecutionMode mode)
{
   struct icd_spirv_inst inst;
   return find_mode(check, function, mode, &inst) ? icd_spirv_word(&inst, 3) : 0;
}

static void check_modes(const struct icd_check *check, const struct icd_spirv_entry *entry)
{
   const struct icd_properties *limits = check->env->properties;
   struct icd_spirv_inst inst;
   if (find_mode(check, entry->function, SpvExecutionModeOutputVertices, &inst) && icd_spirv_word(&inst, 3) > limits->maxMeshOutputVertices)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_MeshEXT_07115, &inst, "%u of %u", icd_spirv_word(&inst, 3), limits->maxMeshOutputVertices);
   if (find_mode(check, entry->function, SpvExecutionModeOutputPrimitivesEXT, &inst) &&
       icd_spirv_word(&inst, 3) > limits->maxMeshOutputPrimitives)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_MeshEXT_07116, &inst, "%u of %u", icd_spirv_word(&inst, 3), limits->maxMeshOutputPrimitives);
}

/* ---- what instructions set ---- */

/* A constant operand that is above `limit`. */
static bool is_above(const struct icd_check *check, const struct icd_spirv_inst *inst, uint32_t word, uint32_t limit, uint32_t *value)
{
   return icd_spirv_constant(check->module, icd_spirv_word(inst, word), value) && *value > limit;
}

/* The least that an entry point which reaches the function declares. */
static uint32_t least_mode(const struct icd_check *check, const struct icd_spirv_function *function, SpvExecutionMode mode)
{
   uint32_t least = UINT32_MAX;
   for (uint32_t i = 0; i < check->module->num_entries; i++) {
      const struct icd_spirv_entry *entry = &check->module->entries[i];
      if (entry->model == SpvExecutionModelMeshEXT && (entry->function == function->id || !function->entry_stages))
         least = UTIL_MIN(least, mode_of(check, entry->function, mode));
   }
   return least;
}

static void check_outputs_set(const struct icd_check *check, const struct icd_spirv_function *function, const struct icd_spirv_inst *inst)
{
   const uint32_t vertices = least_mode(check, function, SpvExecutionModeOutputVertices);
   const uint32_t primitives = least_mode(check, function, SpvExecutionModeOutputPrimitivesEXT);
   uint32_t value;
   if (is_above(check, inst, 1, vertices, &value))
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_MeshEXT_07332, inst, "%u of %u", value, vertices);
   if (is_above(check, inst, 2, primitives, &value))
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_MeshEXT_07333, inst, "%u of %u", value, primitives);
}

static void check_tasks_emitted(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   static const enum icd_rule rules[3] = {ICD_RULE_RuntimeSpirv_TaskEXT_07299, ICD_RULE_RuntimeSpirv_TaskEXT_07300,
                                          ICD_RULE_RuntimeSpirv_TaskEXT_07301};
   const struct icd_properties *limits = check->env->properties;
   uint64_t all = 1;
   for (uint32_t i = 0; i < 3; i++) {
      uint32_t value = 0;
      if (is_above(check, inst, 1 + i, limits->maxMeshWorkGroupCount[i], &value))
         icd_report_rule(check->report, check->module, rules[i], inst, "%u of %u", value, limits->maxMeshWorkGroupCount[i]);
      if (!icd_spirv_constant(check->module, icd_spirv_word(inst, 1 + i), &value))
         value = 0;
      all *= UTIL_MIN(value, 1u << 20);
   }
   if (all > limits->maxMeshWorkGroupTotalCount)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_TaskEXT_07302, inst, "%llu of %u", (unsigned long long)all, limits->maxMeshWorkGroupTotalCount);
}

/* ---- order ---- */

static bool is_output(const struct icd_check *check, uint32_t pointer)
{
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, icd_spirv_base_variable(check->module, pointer));
   return variable.op == SpvOpVariable && icd_spirv_word(&variable, 3) == SpvStorageClassOutput;
}

/* An instruction that a shader of the stage may come to. */
static bool reaches(const struct icd_check *check, VkShaderStageFlagBits stage, SpvOp op)
{
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == op && function->stages & stage)
         return true;
   }
   return false;
}

/* Blocks stand behind those that dominate them: what is written before any OpSetMeshOutputsEXT is seen, and no call or loop stands between,
 * is written first. */
static void check_order(const struct icd_check *check, const struct icd_spirv_entry *entry)
{
   const struct icd_spirv_function *function = icd_spirv_find_function(check->module, entry->function);
   const bool is_ever_set = reaches(check, VK_SHADER_STAGE_MESH_BIT_EXT, SpvOpSetMeshOutputsEXT);
   if (!function)
      return;
   ICD_SPIRV_EACH(check->module, inst, function->begin, function->end) {
      const uint32_t written = icd_spirv_written(&inst);
      if (inst.op == SpvOpSetMeshOutputsEXT)
         return;
      if (is_ever_set && (inst.op == SpvOpFunctionCall || inst.op == SpvOpLoopMerge))
         return;
      if (written && is_output(check, written)) {
         ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07106, &inst);
         return;
      }
   }
}

/* Twice in a block is twice in a run. */
static void check_sets(const struct icd_check *check)
{
   bool is_set = false;
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpSetMeshOutputsEXT && is_set)
         ICD_BROKEN(check, RuntimeSpirv_MeshEXT_07118, &inst);
      is_set = inst.op == SpvOpSetMeshOutputsEXT || (is_set && inst.op != SpvOpLabel);
   }
}

static void check_reads(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const bool is_copy = inst->op == SpvOpCopyMemory || inst->op == SpvOpCopyMemorySized;
   const uint32_t pointer = inst->op == SpvOpLoad ? icd_spirv_word(inst, 3) : is_copy ? icd_spirv_word(inst, 2) : 0;
   if (pointer && is_output(check, pointer))
      ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07107, inst);
}

/* ---- what depends on the view ---- */

static bool is_builtin(const struct icd_check *check, uint32_t variable, SpvBuiltIn builtin)
{
   return icd_spirv_decorated(check->module, variable, UINT32_MAX, SpvDecorationBuiltIn, UINT32_MAX) == (uint32_t)builtin;
}

static bool is_indices(const struct icd_check *check, uint32_t variable)
{
   return is_builtin(check, variable, SpvBuiltInPrimitivePointIndicesEXT) || is_builtin(check, variable, SpvBuiltInPrimitiveLineIndicesEXT) ||
          is_builtin(check, variable, SpvBuiltInPrimitiveTriangleIndicesEXT);
}

/* By id: values and variables that hold something of the view. */
struct views {
   const struct icd_check *check;
   uint8_t *depends;
   bool has_changed;
};

static bool depends(const struct views *views, uint32_t id)
{
   return id < views->check->module->bound && views->depends[id];
}

static void note(struct views *views, uint32_t id)
{
   if (!id || id >= views->check->module->bound || views->depends[id])
      return;
   views->depends[id] = 1;
   views->has_changed = true;
}

/* An instruction whose operands depend gives what depends; a variable that such is stored to holds it. Literals that happen to be the
 * number of such an id may add to it: they follow the operands in few instructions, none of which leads to what the rules name. */
static void spread(struct views *views, const struct icd_spirv_inst *inst)
{
   const uint32_t result = icd_spirv_result(inst), written = icd_spirv_written(inst);
   const uint32_t first = icd_spirv_result_type(inst) ? 3 : 1;
   bool any = false;
   for (uint32_t i = first; i < inst->count && !any; i++)
      any = depends(views, inst->words[i]);
   if (!any)
      return;
   if (result)
      note(views, result);
   if (written && (inst->op != SpvOpStore || depends(views, icd_spirv_word(inst, 2))))
      note(views, icd_spirv_base_variable(views->check->module, written));
}

static void check_view_access(const struct views *views, const struct icd_spirv_inst *inst)
{
   const struct icd_check *check = views->check;
   const uint32_t base = icd_spirv_base_variable(check->module, icd_spirv_result(inst));
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, base);
   const uint32_t where = variable.op == SpvOpVariable ? icd_spirv_word(&variable, 3) : SpvStorageClassMax;
   for (uint32_t i = 4; i < inst->count; i++) {
      if (!depends(views, inst->words[i]))
         continue;
      if (is_indices(check, base))
         ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07109, inst);
      else if (where == SpvStorageClassWorkgroup || where == SpvStorageClassPrivate)
         ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07111, inst);
      return;
   }
}

static void check_view_uses(const struct views *views)
{
   const struct icd_check *check = views->check;
   ICD_CHECK_BODY(check, function, inst) {
      if (!(function->stages & VK_SHADER_STAGE_MESH_BIT_EXT))
         continue;
      if (inst.op == SpvOpSetMeshOutputsEXT && (depends(views, icd_spirv_word(&inst, 1)) || depends(views, icd_spirv_word(&inst, 2))))
         ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07108, &inst);
      else if (inst.op == SpvOpAccessChain || inst.op == SpvOpInBoundsAccessChain)
         check_view_access(views, &inst);
      else if (inst.op == SpvOpStore && depends(views, icd_spirv_word(&inst, 2)) &&
               is_indices(check, icd_spirv_base_variable(check->module, icd_spirv_word(&inst, 1))))
         ICD_BROKEN(check, StandaloneSpirv_MeshEXT_07110, &inst);
   }
}

static bool check_views(const struct icd_check *check)
{
   enum { MAX_ROUNDS = 16 }; /* a value goes round a loop in one; what takes more is not found */
   struct views views = {check, util_calloc(check->module->bound, sizeof(*views.depends)), false};
   if (!views.depends)
      return false;
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      const struct icd_spirv_decoration *decoration = &check->module->decorations[i];
      if (decoration->name == SpvDecorationBuiltIn && decoration->member == UINT32_MAX && decoration->num_operands &&
          check->module->words[decoration->offset] == SpvBuiltInViewIndex)
         note(&views, decoration->target);
   }
   for (uint32_t round = 0; round < MAX_ROUNDS && views.has_changed; round++) {
      views.has_changed = false;
      ICD_CHECK_BODY(check, function, inst) {
         if (function->stages & VK_SHADER_STAGE_MESH_BIT_EXT)
            spread(&views, &inst);
      }
   }
   check_view_uses(&views);
   util_mfree(views.depends);
   return true;
}

/* ---- the whole ---- */

bool icd_check_meshes(const struct icd_check *check)
{
   bool has_mesh = false;
   if (!icd_spirv_has_capability(check->module, SpvCapabilityMeshShadingEXT))
      return true;
   for (uint32_t i = 0; i < check->module->num_entries; i++) {
      const struct icd_spirv_entry *entry = &check->module->entries[i];
      if (entry->model == SpvExecutionModelTaskEXT && !reaches(check, VK_SHADER_STAGE_TASK_BIT_EXT, SpvOpEmitMeshTasksEXT))
         ICD_BROKEN(check, RuntimeSpirv_TaskEXT_07117, &entry->inst);
      if (entry->model != SpvExecutionModelMeshEXT)
         continue;
      has_mesh = true;
      check_modes(check, entry);
      check_order(check, entry);
   }
   ICD_CHECK_BODY(check, function, inst) {
      if (inst.op == SpvOpEmitMeshTasksEXT)
         check_tasks_emitted(check, &inst);
      if (!(function->stages & VK_SHADER_STAGE_MESH_BIT_EXT))
         continue;
      if (inst.op == SpvOpSetMeshOutputsEXT)
         check_outputs_set(check, function, &inst);
      check_reads(check, &inst);
   }
   check_sets(check);
   return !has_mesh || check_views(check);
}

/* ---- memory ---- */

/* What an entry point takes, bytes. */
struct memory {
   uint64_t shared, payload, outputs;
};

/* A location is four words of each vertex or primitive, however little of it is used. */
static uint64_t output_bytes(const struct icd_check *check, const struct icd_spirv_entry *entry, uint32_t id, uint32_t type,
                             const uint32_t *type_locations)
{
   const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
   const uint32_t value = icd_spirv_word(&array, 2);
   if (array.op != SpvOpTypeArray || value >= check->module->bound ||
       icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationBuiltIn, UINT32_MAX) != UINT32_MAX ||
       icd_spirv_find(check->module, value, 0, SpvDecorationBuiltIn))
      return 0;
   const bool is_of_primitives = icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationPerPrimitiveEXT) ||
                                 icd_spirv_find(check->module, value, 0, SpvDecorationPerPrimitiveEXT);
   const struct icd_properties *limits = check->env->properties;
   const uint64_t granularity =
      UTIL_MAX(is_of_primitives ? limits->meshOutputPerPrimitiveGranularity : limits->meshOutputPerVertexGranularity, 1u);
   const uint64_t count = mode_of(check, entry->function, is_of_primitives ? SpvExecutionModeOutputPrimitivesEXT : SpvExecutionModeOutputVertices);
   return (uint64_t)type_locations[value] * 16 * (UTIL_DIV_ROUND_UP(count, granularity) * granularity);
}

static struct memory find_memory(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used,
                                 const uint64_t *type_bytes, const uint32_t *type_locations)
{
   const uint64_t max = UINT64_C(1) << 50;
   struct memory memory = {0};
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (inst.op != SpvOpVariable || id >= check->module->bound || !used[id])
         continue;
      const uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&inst, 1), &where);
      if (type >= check->module->bound || type_bytes[type] == UINT64_MAX)
         continue;
      if (where == SpvStorageClassWorkgroup)
         memory.shared = UTIL_MIN(memory.shared + type_bytes[type], max);
      else if (where == SpvStorageClassTaskPayloadWorkgroupEXT)
         memory.payload = UTIL_MIN(memory.payload + type_bytes[type], max);
      else if (where == SpvStorageClassOutput)
         memory.outputs = UTIL_MIN(memory.outputs + output_bytes(check, entry, id, type, type_locations), max);
   }
   return memory;
}

/* Any store to a variable that holds it counts: which member is not looked at. */
static bool writes_point_size(const struct icd_check *check, const uint8_t *used)
{
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      const struct icd_spirv_decoration *decoration = &check->module->decorations[i];
      if (decoration->name != SpvDecorationBuiltIn || !decoration->num_operands ||
          check->module->words[decoration->offset] != SpvBuiltInPointSize)
         continue;
      ICD_CHECK_GLOBALS(check, inst) {
         SpvStorageClass where = SpvStorageClassMax;
         const uint32_t id = icd_spirv_word(&inst, 2);
         if (inst.op != SpvOpVariable || id >= check->module->bound || !(used[id] & ICD_WRITTEN))
            continue;
         const uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&inst, 1), &where);
         if (id == decoration->target || icd_spirv_strip_arrays(check->module, type, NULL) == decoration->target)
            return true;
      }
   }
   return false;
}

void icd_check_mesh_memory(const struct icd_check *check, const struct icd_spirv_entry *entry, const uint8_t *used, const uint64_t *type_bytes,
                           const uint32_t *type_locations)
{
   const struct icd_properties *limits = check->env->properties;
   const struct memory memory = find_memory(check, entry, used, type_bytes, type_locations);
   const struct {
      VkShaderStageFlagBits stage;
      enum icd_rule rule;
      uint64_t bytes;
      uint32_t limit;
   } rows[] = {
      {VK_SHADER_STAGE_MESH_BIT_EXT, ICD_RULE_RuntimeSpirv_maxMeshSharedMemorySize_08754, memory.shared, limits->maxMeshSharedMemorySize},
      {VK_SHADER_STAGE_MESH_BIT_EXT, ICD_RULE_RuntimeSpirv_maxMeshPayloadAndSharedMemorySize_08755, memory.payload + memory.shared,
       limits->maxMeshPayloadAndSharedMemorySize},
      {VK_SHADER_STAGE_MESH_BIT_EXT, ICD_RULE_RuntimeSpirv_maxMeshOutputMemorySize_08756, memory.outputs, limits->maxMeshOutputMemorySize},
      {VK_SHADER_STAGE_MESH_BIT_EXT, ICD_RULE_RuntimeSpirv_maxMeshPayloadAndOutputMemorySize_08757, memory.payload + memory.outputs,
       limits->maxMeshPayloadAndOutputMemorySize},
      {VK_SHADER_STAGE_TASK_BIT_EXT, ICD_RULE_RuntimeSpirv_maxTaskPayloadSize_08758, memory.payload, limits->maxTaskPayloadSize},
      {VK_SHADER_STAGE_TASK_BIT_EXT, ICD_RULE_RuntimeSpirv_maxTaskSharedMemorySize_08759, memory.shared, limits->maxTaskSharedMemorySize},
      {VK_SHADER_STAGE_TASK_BIT_EXT, ICD_RULE_RuntimeSpirv_maxTaskPayloadAndSharedMemorySize_08760, memory.payload + memory.shared,
       limits->maxTaskPayloadAndSharedMemorySize},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (entry->stage == (VkShaderStageFlags)rows[i].stage && rows[i].bytes > rows[i].limit)
         icd_report_rule(check->report, check->module, rows[i].rule, &entry->inst, "%llu bytes of %u", (unsigned long long)rows[i].bytes,
                         rows[i].limit);
   }
   struct icd_spirv_inst points;
   if (entry->stage == VK_SHADER_STAGE_MESH_BIT_EXT && !check->env->features->maintenance5 &&
       find_mode(check, entry->function, SpvExecutionModeOutputPoints, &points) && !writes_point_size(check, used))
      ICD_BROKEN(check, RuntimeSpirv_MeshEXT_09218, &points);
}
