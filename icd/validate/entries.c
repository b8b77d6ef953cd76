/* SPDX-License-Identifier: MIT
 * What one entry point uses: shared memory, locations, storage resources, attachments. */
#include "icd/validate/check.h"

#include "util/alloc.h"
#include "util/spirv_numbers.h"

/* ---- sizes of types ---- */

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
   const uint64_t max = UINT64_C(1) << 40;
   uint64_t sum = 0, one;
   uint32_t length = icd_spirv_word(inst, 3);
   switch ((uint32_t)inst->op) {
   case SpvOpTypeBool:
      return 4;
   case SpvOpTypeInt:
   case SpvOpTypeFloat:
      return icd_spirv_word(inst, 2) / 8;
   case SpvOpTypePointer:
   case SpvOpTypeUntypedPointerKHR:
      return 8;
   case SpvOpTypeArray:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
      if (!icd_spirv_constant(check->module, length, &length))
         return UNKNOWN_SIZE;
      __attribute__((fallthrough));
   case SpvOpTypeVector:
   case SpvOpTypeMatrix:
      one = bytes_at(check, sizes, icd_spirv_word(inst, 2));
      return one == UNKNOWN_SIZE ? one : UTIL_MIN(one, max / 1024) * UTIL_MIN(length, 1u << 20);
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst->count; i++) {
         one = bytes_at(check, sizes, inst->words[i]);
         if (one == UNKNOWN_SIZE)
            return one;
         sum = UTIL_MIN(sum + one, max);
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
   switch ((uint32_t)inst->op) {
   case SpvOpTypeVector:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
      return icd_spirv_components(check->module, inst) > 2 && icd_spirv_word(&scalar, 2) == 64 ? 2 : 1;
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

/* ---- shared memory ---- */

static void check_shared(const struct icd_check *check, const struct sizes *sizes, const uint8_t *used)
{
   const uint32_t limit = check->env->properties->core.limits.maxComputeSharedMemorySize;
   uint64_t sum = 0, blocks = 0; /* blocks that are aliased lie on top of each other */
   struct icd_spirv_inst last = {.words = check->module->words};
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where;
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (!icd_spirv_is_variable(inst.op) || icd_spirv_word(&inst, 3) != SpvStorageClassWorkgroup || id >= check->module->bound || !used[id])
         continue;
      const uint32_t type = icd_spirv_variable_type(check->module, &inst, &where);
      const uint64_t bytes = bytes_at(check, sizes, type);
      if (bytes == UNKNOWN_SIZE)
         continue;
      if (icd_spirv_find(check->module, type, UINT32_MAX, SpvDecorationBlock) &&
          icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationAliased))
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
   case VK_SHADER_STAGE_MESH_BIT_EXT:
      return is_input ? 0 : check->env->properties->maxMeshOutputComponents / 4;
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

/* A structure whose members are built-ins; all are or none. */
static bool is_built_in(const struct icd_check *check, uint32_t variable, uint32_t block)
{
   return icd_spirv_find(check->module, variable, UINT32_MAX, SpvDecorationBuiltIn) ||
          icd_spirv_find(check->module, block, 0, SpvDecorationBuiltIn);
}

/* Of an application's own inputs and outputs only a block has locations of its members instead; an array of blocks has not. SPIRV-Tools asks this
 * late, behind faults that hide it, and not of mesh and compute shaders. */
static void check_has_location(const struct icd_check *check, const struct icd_spirv_entry *entry, uint32_t id)
{
   SpvStorageClass where = SpvStorageClassMax;
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, id);
   uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&variable, 1), &where);
   if (variable.op != SpvOpVariable || (where != SpvStorageClassInput && where != SpvStorageClassOutput) ||
       icd_spirv_find(check->module, id, UINT32_MAX, SpvDecorationLocation) ||
       is_built_in(check, id, icd_spirv_strip_arrays(check->module, type, NULL)))
      return;
   const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
   if ((array.op == SpvOpTypeArray || array.op == SpvOpTypeRuntimeArray) &&
       icd_spirv_is_arrayed(check->module, id, entry->stage, where == SpvStorageClassInput))
      type = icd_spirv_word(&array, 2);
   if (icd_spirv_definition(check->module, type).op == SpvOpTypeStruct && icd_spirv_find(check->module, type, UINT32_MAX, SpvDecorationBlock))
      return;
   ICD_BROKEN(check, StandaloneSpirv_Location_04916, &variable);
   ICD_BROKEN(check, StandaloneSpirv_Location_04917, &variable);
}

/* ---- storage resources ---- */

static bool is_storage(const struct icd_check *check, SpvStorageClass where, uint32_t type)
{
   const uint32_t inner = icd_spirv_strip_arrays(check->module, type, NULL);
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, inner);
   if (where == SpvStorageClassUniformConstant)
      return inst.op == SpvOpTypeImage && icd_spirv_word(&inst, 7) == 2 && icd_spirv_word(&inst, 3) != SpvDimSubpassData;
   return where == SpvStorageClassStorageBuffer ||
          (where == SpvStorageClassUniform && icd_spirv_find(check->module, inner, UINT32_MAX, SpvDecorationBufferBlock));
}

static bool is_non_writable(const struct icd_check *check, uint32_t variable, uint32_t type)
{
   const uint32_t inner = icd_spirv_strip_arrays(check->module, type, NULL);
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, inner);
   if (icd_spirv_find(check->module, variable, UINT32_MAX, SpvDecorationNonWritable))
      return true;
   if (inst.op != SpvOpTypeStruct)
      return false;
   for (uint32_t i = 2; i < inst.count; i++) {
      if (!icd_spirv_find(check->module, inner, i - 2, SpvDecorationNonWritable))
         return false;
   }
   return true;
}

static void check_store(const struct icd_check *check, const struct icd_spirv_inst *variable, VkShaderStageFlags stages)
{
   const VkShaderStageFlags early = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
                                    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t type = icd_spirv_variable_type(check->module, variable, &where);
   if (!is_storage(check, where, type) || is_non_writable(check, icd_spirv_word(variable, 2), type))
      return;
   if (stages & VK_SHADER_STAGE_FRAGMENT_BIT && !check->env->features->fragmentStoresAndAtomics)
      ICD_BROKEN(check, RuntimeSpirv_NonWritable_06340, variable);
   if (stages & early && !check->env->features->vertexPipelineStoresAndAtomics)
      ICD_BROKEN(check, RuntimeSpirv_NonWritable_06341, variable);
}

static void check_stores(const struct icd_check *check, VkShaderStageFlags stage, const uint8_t *used)
{
   if (check->env->features->fragmentStoresAndAtomics && check->env->features->vertexPipelineStoresAndAtomics)
      return;
   ICD_CHECK_GLOBALS(check, inst) {
      if (icd_spirv_is_variable(inst.op) && icd_spirv_word(&inst, 2) < check->module->bound && used[icd_spirv_word(&inst, 2)])
         check_store(check, &inst, stage);
   }
}

/* ---- what a fragment shader writes ---- */

/* Descriptors of a variable: an array has as many as it is long. */
static uint32_t num_descriptors(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst array = icd_spirv_definition(check->module, type);
   uint32_t length = 1;
   return array.op == SpvOpTypeArray && icd_spirv_constant(check->module, icd_spirv_word(&array, 3), &length) ? length : 1;
}

/* Color attachments count once, however many variables share their location. */
static void check_fragment_outputs(const struct icd_check *check, const struct sizes *sizes, const uint8_t *used)
{
   const uint32_t limit = check->env->properties->core.limits.maxFragmentCombinedOutputResources;
   struct icd_spirv_inst last = {.words = check->module->words};
   uint64_t attachments = 0, resources = 0;
   ICD_CHECK_GLOBALS(check, inst) {
      const uint32_t id = icd_spirv_word(&inst, 2);
      SpvStorageClass where = SpvStorageClassMax;
      if (!icd_spirv_is_variable(inst.op) || id >= check->module->bound || !(used[id] & ICD_WRITTEN))
         continue;
      const uint32_t type = icd_spirv_variable_type(check->module, &inst, &where);
      const uint32_t location = icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationLocation, UINT32_MAX);
      if (where == SpvStorageClassOutput && location < 64)
         attachments |= ((UINT64_C(2) << UTIL_MIN(locations_at(check, sizes, type) - 1, 63u)) - 1) << location;
      else if (is_storage(check, where, type))
         resources += num_descriptors(check, type);
      else
         continue;
      last = inst;
   }
   resources += (uint32_t)__builtin_popcountll(attachments);
   if (resources > limit)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_Location_06428, &last, "%llu of %u", (unsigned long long)resources, limit);
}

/* ---- input attachments ---- */

/* An aspect of an attachment is read through one variable: floats and integers are the aspects of depth and stencil.
 * An array stands for as many attachments as it is long. */
static void check_input_attachments(const struct icd_check *check, const uint8_t *used)
{
   enum { MAX_INDEX = 64 };
   uint32_t seen[MAX_INDEX][3] = {{0}}; /* the variable, by index and numeric type of the texel */
   ICD_CHECK_GLOBALS(check, inst) {
      SpvStorageClass where = SpvStorageClassMax;
      const uint32_t id = icd_spirv_word(&inst, 2);
      if (!icd_spirv_is_variable(inst.op) || id >= check->module->bound || !used[id])
         continue;
      const uint32_t type = icd_spirv_variable_type(check->module, &inst, &where);
      const struct icd_spirv_inst image = icd_spirv_definition(check->module, icd_spirv_strip_arrays(check->module, type, NULL));
      const uint32_t first = icd_spirv_decorated(check->module, id, UINT32_MAX, SpvDecorationInputAttachmentIndex, MAX_INDEX);
      if (image.op != SpvOpTypeImage)
         continue;
      const struct icd_spirv_inst texel = icd_spirv_scalar(check->module, icd_spirv_word(&image, 2));
      for (uint64_t i = first; i < UTIL_MIN((uint64_t)first + num_descriptors(check, type), (uint64_t)MAX_INDEX); i++) {
         uint32_t *other = &seen[i][texel.op == SpvOpTypeFloat ? 0 : icd_spirv_word(&texel, 3) ? 1 : 2];
         if (*other)
            ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpEntryPoint_08727, &inst, "index %u is %%%u too", (uint32_t)i, *other);
         *other = id;
      }
   }
}

/* ---- flat inputs ---- */

static bool is_flat(const struct icd_check *check, uint32_t variable)
{
   return icd_spirv_find(check->module, variable, UINT32_MAX, SpvDecorationFlat) ||
          icd_spirv_find(check->module, variable, UINT32_MAX, SpvDecorationBuiltIn) ||
          icd_spirv_find(check->module, variable, UINT32_MAX, SpvDecorationPerVertexKHR);
}

/* A structure has no such type, whatever is in it: the rule is about variables. Integers are flat in any case. */
static bool is_interpolated(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, icd_spirv_strip_arrays(check->module, type, NULL));
   return scalar.op != SpvOpTypeInt && (scalar.op != SpvOpTypeFloat || icd_spirv_word(&scalar, 2) != 64);
}

static void check_flat(const struct icd_check *check, uint32_t id)
{
   SpvStorageClass where = SpvStorageClassMax;
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, id);
   const uint32_t type = icd_spirv_pointee(check->module, icd_spirv_word(&variable, 1), &where);
   if (variable.op == SpvOpVariable && where == SpvStorageClassInput && !is_flat(check, id) && !is_interpolated(check, type))
      ICD_BROKEN(check, StandaloneSpirv_Flat_04744, &variable);
}

/* ---- entry points ---- */

static void check_interface_variables(const struct icd_check *check, const struct sizes *sizes, const struct icd_spirv_entry *entry)
{
   for (uint32_t word = entry->first_interface; word < entry->inst.count; word++) {
      check_location(check, sizes, entry, entry->inst.words[word]);
      check_has_location(check, entry, entry->inst.words[word]);
      if (entry->stage == VK_SHADER_STAGE_FRAGMENT_BIT)
         check_flat(check, entry->inst.words[word]);
   }
}

static bool check_entry(const struct icd_check *check, const struct sizes *sizes, const struct icd_spirv_entry *entry)
{
   uint8_t *used = icd_spirv_used(check->module, entry);
   if (!used)
      return false;
   check_stores(check, entry->stage, used);
   icd_check_tile_variables(check, entry, used);
   if (entry->stage == VK_SHADER_STAGE_COMPUTE_BIT)
      check_shared(check, sizes, used);
   if (entry->stage == VK_SHADER_STAGE_TASK_BIT_EXT || entry->stage == VK_SHADER_STAGE_MESH_BIT_EXT)
      icd_check_mesh_memory(check, entry, used, sizes->bytes, sizes->locations);
   if (entry->stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
      check_fragment_outputs(check, sizes, used);
      check_input_attachments(check, used);
   }
   const bool has_memory = icd_check_node(check, entry, used, sizes->bytes);
   util_mfree(used);
   return has_memory;
}

/* Time is in proportion to the entry points times the module: of a great many in a large one the rest waits for a pipeline to
 * choose one. */
bool icd_check_entries(const struct icd_check *check)
{
   enum { LEAST = 64, MAX_WORDS = 1 << 28 };
   const uint64_t words = (uint64_t)check->module->num_words + check->module->bound;
   const uint64_t count = UTIL_MAX(MAX_WORDS / words, (uint64_t)LEAST);
   struct sizes sizes;
   bool has_memory = sizes_init(&sizes, check);
   for (uint32_t i = 0; has_memory && i < check->module->num_entries; i++) {
      check_interface_variables(check, &sizes, &check->module->entries[i]);
      has_memory = icd_check_captures(check, &check->module->entries[i], sizes.bytes) &&
                   (i >= count || check_entry(check, &sizes, &check->module->entries[i]));
   }
   sizes_finish(&sizes);
   return has_memory;
}
