/* SPDX-License-Identifier: MIT */
#define SPV_ENABLE_UTILITY_CODE
#include "icd/validate/module.h"

#include "compiler/compiler.h"
#include "util/alloc.h"
#include "util/size.h"
#include "util/spirv_numbers.h"

#include <stdlib.h>
#include <string.h>

/* The header's functions are inline: these make the bodies that C wants somewhere. */
extern const char *SpvOpToString(SpvOp value);
extern const char *SpvDimToString(SpvDim value);
extern const char *SpvCapabilityToString(SpvCapability value);
extern const char *SpvExecutionModelToString(SpvExecutionModel value);
extern const char *SpvImageFormatToString(SpvImageFormat value);
extern void SpvHasResultAndType(SpvOp opcode, bool *hasResult, bool *hasResultType);

enum {
   HEADER_WORDS = 5,
   MAX_BOUND = 0x3fffff + 1, /* Universal Limits: ids are below 4,194,304 */
   MAX_DECORATIONS = 1 << 22,
};

const char *icd_spirv_op_name(SpvOp op)
{
   return SpvOpToString(op);
}

const char *icd_spirv_capability_name(uint32_t capability)
{
   return SpvCapabilityToString((SpvCapability)capability);
}

const char *icd_spirv_model_name(SpvExecutionModel model)
{
   return SpvExecutionModelToString(model);
}

const char *icd_spirv_dim_name(uint32_t dim)
{
   return SpvDimToString((SpvDim)dim);
}

const char *icd_spirv_image_format_name(uint32_t format)
{
   return SpvImageFormatToString((SpvImageFormat)format);
}

struct icd_spirv_inst icd_spirv_at(const struct icd_spirv_module *module, size_t offset)
{
   if (offset < HEADER_WORDS || offset >= module->num_words)
      return (struct icd_spirv_inst){.words = module->words};
   const uint32_t *words = module->words + offset;
   const uint32_t count = words[0] >> SpvWordCountShift;
   if (count == 0 || count > module->num_words - offset)
      return (struct icd_spirv_inst){.words = module->words};
   return (struct icd_spirv_inst){words, (SpvOp)(words[0] & SpvOpCodeMask), count};
}

uint32_t icd_spirv_result(const struct icd_spirv_inst *inst)
{
   bool has_result, has_type;
   SpvHasResultAndType(inst->op, &has_result, &has_type);
   return has_result ? icd_spirv_word(inst, has_type ? 2 : 1) : 0;
}

uint32_t icd_spirv_result_type(const struct icd_spirv_inst *inst)
{
   bool has_result, has_type;
   SpvHasResultAndType(inst->op, &has_result, &has_type);
   return has_type ? icd_spirv_word(inst, 1) : 0;
}

struct icd_spirv_inst icd_spirv_definition(const struct icd_spirv_module *module, uint32_t id)
{
   if (id >= module->bound || !module->definitions[id])
      return (struct icd_spirv_inst){.words = module->words};
   return icd_spirv_at(module, module->definitions[id]);
}

uint32_t icd_spirv_type_flags(const struct icd_spirv_module *module, uint32_t type)
{
   return type < module->bound ? module->type_flags[type] : 0;
}

uint32_t icd_spirv_scalar_bytes(const struct icd_spirv_module *module, uint32_t type)
{
   return type < module->bound ? module->scalar_bytes[type] : 0;
}

/* ---- indexing ---- */

static VkShaderStageFlags stage_of(SpvExecutionModel model)
{
   static const struct {
      SpvExecutionModel model;
      VkShaderStageFlags stage;
   } rows[] = {
      {SpvExecutionModelVertex, VK_SHADER_STAGE_VERTEX_BIT},
      {SpvExecutionModelTessellationControl, VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT},
      {SpvExecutionModelTessellationEvaluation, VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT},
      {SpvExecutionModelGeometry, VK_SHADER_STAGE_GEOMETRY_BIT},
      {SpvExecutionModelFragment, VK_SHADER_STAGE_FRAGMENT_BIT},
      {SpvExecutionModelGLCompute, VK_SHADER_STAGE_COMPUTE_BIT},
      {SpvExecutionModelTaskEXT, VK_SHADER_STAGE_TASK_BIT_EXT},
      {SpvExecutionModelMeshEXT, VK_SHADER_STAGE_MESH_BIT_EXT},
      {SpvExecutionModelRayGenerationKHR, VK_SHADER_STAGE_RAYGEN_BIT_KHR},
      {SpvExecutionModelAnyHitKHR, VK_SHADER_STAGE_ANY_HIT_BIT_KHR},
      {SpvExecutionModelClosestHitKHR, VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR},
      {SpvExecutionModelMissKHR, VK_SHADER_STAGE_MISS_BIT_KHR},
      {SpvExecutionModelIntersectionKHR, VK_SHADER_STAGE_INTERSECTION_BIT_KHR},
      {SpvExecutionModelCallableKHR, VK_SHADER_STAGE_CALLABLE_BIT_KHR},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].model == model)
         return rows[i].stage;
   }
   return 0;
}

/* Words that a literal string takes, its end included; 0: it does not end inside of the instruction. */
static uint32_t string_words(const struct icd_spirv_inst *inst, uint32_t first)
{
   for (uint32_t i = first; i < inst->count; i++) {
      const uint32_t w = inst->words[i];
      if (!(w & 0xff) || !(w & 0xff00) || !(w & 0xff0000) || !(w & 0xff000000))
         return i - first + 1;
   }
   return 0;
}

/* Operands of an operation on constants that are ids of constants; behind them stand numbers. */
static uint32_t num_constants(const struct icd_spirv_inst *operation)
{
   switch (icd_spirv_word(operation, 3)) {
   case SpvOpCompositeExtract: return 1;
   case SpvOpCompositeInsert:
   case SpvOpVectorShuffle: return 2;
   default: return operation->count;
   }
}

/* ICD_TYPE_HAS_SPEC if one of the constants has it. */
static uint32_t spec_of(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t first, uint32_t count)
{
   uint32_t flags = 0;
   for (uint32_t i = first; i < inst->count && i - first < count; i++)
      flags |= icd_spirv_type_flags(module, inst->words[i]);
   return flags & ICD_TYPE_HAS_SPEC;
}

static uint32_t merged_flags(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   uint32_t flags = 0;
   switch ((uint32_t)inst->op) {
   case SpvOpTypeInt:
      return icd_spirv_word(inst, 2) == 8 ? ICD_TYPE_HAS_8 : icd_spirv_word(inst, 2) == 16 ? ICD_TYPE_HAS_16 : 0;
   case SpvOpTypeFloat:
      return icd_spirv_word(inst, 2) == 16 ? ICD_TYPE_HAS_16 : icd_spirv_word(inst, 2) == 8 ? ICD_TYPE_HAS_8 : 0;
   case SpvOpTypePointer:
   case SpvOpTypeUntypedPointerKHR:
      return icd_spirv_word(inst, 2) == SpvStorageClassPhysicalStorageBuffer ? ICD_TYPE_HAS_ADDRESS : 0;
   case SpvOpTypeArray:
      return icd_spirv_type_flags(module, icd_spirv_word(inst, 2)) | spec_of(module, inst, 3, 1);
   case SpvOpSpecConstant:
   case SpvOpSpecConstantTrue:
   case SpvOpSpecConstantFalse:
      return ICD_TYPE_HAS_SPEC;
   case SpvOpSpecConstantComposite:
      return spec_of(module, inst, 3, inst->count);
   case SpvOpSpecConstantOp:
      return spec_of(module, inst, 4, num_constants(inst));
   case SpvOpTypeVector:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
   case SpvOpTypeMatrix:
   case SpvOpTypeRuntimeArray:
      return icd_spirv_type_flags(module, icd_spirv_word(inst, 2));
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst->count; i++)
         flags |= icd_spirv_type_flags(module, inst->words[i]);
      return flags;
   default:
      return 0;
   }
}

static uint32_t largest_scalar(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   uint32_t largest = 0;
   switch ((uint32_t)inst->op) {
   case SpvOpTypeInt:
   case SpvOpTypeFloat:
      return UTIL_MIN(icd_spirv_word(inst, 2) / 8, 8u);
   case SpvOpTypePointer:
   case SpvOpTypeUntypedPointerKHR:
      return 8;
   case SpvOpTypeVector:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
   case SpvOpTypeMatrix:
   case SpvOpTypeArray:
   case SpvOpTypeRuntimeArray:
      return icd_spirv_scalar_bytes(module, icd_spirv_word(inst, 2));
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst->count; i++)
         largest = UTIL_MAX(largest, icd_spirv_scalar_bytes(module, inst->words[i]));
      return largest;
   default:
      return 0;
   }
}

/* Counts of the first walk. */
struct counts {
   uint32_t decorations, functions, entries, calls;
   bool has_groups;
};

static void count_inst(struct icd_spirv_module *module, const struct icd_spirv_inst *inst, struct counts *counts)
{
   const uint32_t id = icd_spirv_result(inst);
   if (id && id < module->bound)
      module->definitions[id] = (uint32_t)(inst->words - module->words);
   switch ((uint32_t)inst->op) {
   case SpvOpCapability:
      if (icd_spirv_word(inst, 1) < ICD_SPIRV_MAX_CAPABILITY)
         module->capabilities[icd_spirv_word(inst, 1) / 64] |= UINT64_C(1) << (icd_spirv_word(inst, 1) % 64);
      break;
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpMemberDecorate:
   case UTIL_SPV_OP_MEMBER_DECORATE_ID:
      counts->decorations++;
      break;
   case SpvOpGroupDecorate:
   case SpvOpGroupMemberDecorate:
      counts->has_groups = true;
      break;
   case SpvOpEntryPoint:
      counts->entries++;
      break;
   case SpvOpFunction:
      counts->functions++;
      break;
   case SpvOpFunctionCall:
      counts->calls++;
      break;
   default:
      break;
   }
   if (id && id < module->bound) {
      module->type_flags[id] = (uint8_t)merged_flags(module, inst);
      module->scalar_bytes[id] = (uint8_t)largest_scalar(module, inst);
   }
}

static int compare_decorations(const void *a, const void *b)
{
   const struct icd_spirv_decoration *x = a, *y = b;
   if (x->target != y->target)
      return x->target < y->target ? -1 : 1;
   if (x->member != y->member)
      return x->member < y->member ? -1 : 1;
   if (x->name != y->name)
      return x->name < y->name ? -1 : 1;
   return (x->offset > y->offset) - (x->offset < y->offset);
}

static void decoration_add(struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   const bool is_of_member = inst->op == SpvOpMemberDecorate || (uint32_t)inst->op == UTIL_SPV_OP_MEMBER_DECORATE_ID;
   const uint32_t at = is_of_member ? 3 : 2;
   module->decorations[module->num_decorations++] = (struct icd_spirv_decoration){
      .target = icd_spirv_word(inst, 1),
      .member = is_of_member ? icd_spirv_word(inst, 2) : UINT32_MAX,
      .name = icd_spirv_word(inst, at),
      .offset = (uint32_t)(inst->words - module->words) + at + 1,
      .num_operands = inst->count > at + 1 ? inst->count - at - 1 : 0,
   };
}

static void entry_add(struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   const uint32_t length = string_words(inst, 3);
   if (!length)
      return;
   module->entries[module->num_entries++] = (struct icd_spirv_entry){
      .inst = *inst,
      .model = (SpvExecutionModel)icd_spirv_word(inst, 1),
      .stage = stage_of((SpvExecutionModel)icd_spirv_word(inst, 1)),
      .function = icd_spirv_word(inst, 2),
      .name = (const char *)(inst->words + 3),
      .first_interface = 3 + length,
   };
}

static uint32_t function_index(const struct icd_spirv_module *module, uint32_t id)
{
   const uint32_t offset = id < module->bound ? module->definitions[id] : 0;
   uint32_t low = 0, high = module->num_functions;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (module->functions[middle].begin < offset)
         low = middle + 1;
      else
         high = middle;
   }
   return low < module->num_functions && module->functions[low].begin == offset ? low : UINT32_MAX;
}

static void walk_inst(struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   const uint32_t offset = (uint32_t)(inst->words - module->words);
   struct icd_spirv_function *function = module->num_functions ? &module->functions[module->num_functions - 1] : NULL;
   switch ((uint32_t)inst->op) {
   case SpvOpDecorate:
   case SpvOpDecorateId:
   case SpvOpMemberDecorate:
   case UTIL_SPV_OP_MEMBER_DECORATE_ID:
      decoration_add(module, inst);
      break;
   case SpvOpEntryPoint:
      entry_add(module, inst);
      break;
   case SpvOpFunction:
      module->functions[module->num_functions++] = (struct icd_spirv_function){
         .id = icd_spirv_word(inst, 2), .begin = offset, .end = offset, .first_call = module->num_calls};
      break;
   case SpvOpFunctionEnd:
      if (function)
         function->end = offset + inst->count;
      break;
   case SpvOpFunctionCall:
      module->calls[module->num_calls++] = icd_spirv_word(inst, 3); /* ids for now */
      if (function)
         function->num_calls++;
      break;
   default:
      break;
   }
}

/* The first decoration of `target`, and how many it has. */
static uint32_t decorations_of(const struct icd_spirv_module *module, uint32_t count, uint32_t target, uint32_t *num)
{
   uint32_t low = 0, high = count;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (module->decorations[middle].target < target)
         low = middle + 1;
      else
         high = middle;
   }
   for (*num = 0; low + *num < count && module->decorations[low + *num].target == target;)
      ++*num;
   return low;
}

/* Writes the decorations of the group that `inst` names out for its targets, from decorations[*end] on. With `is_counting` it only
 * advances *end. The first `count` are sorted. */
static void expand_group(struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t count, bool is_counting, uint64_t *end)
{
   const uint32_t step = inst->op == SpvOpGroupMemberDecorate ? 2 : 1;
   uint32_t num;
   const uint32_t first = decorations_of(module, count, icd_spirv_word(inst, 1), &num);
   if (is_counting) {
      *end += (uint64_t)num * ((inst->count - 2) / step);
      return;
   }
   for (uint32_t t = 2; t + step <= inst->count; t += step) {
      for (uint32_t d = 0; d < num; d++, ++*end) {
         module->decorations[*end] = module->decorations[first + d];
         module->decorations[*end].target = inst->words[t];
         if (step == 2)
            module->decorations[*end].member = inst->words[t + 1];
      }
   }
}

/* Decorations of groups, written out for their targets. */
static enum icd_spirv_parse expand_groups(struct icd_spirv_module *module)
{
   const uint32_t count = module->num_decorations;
   uint64_t end = count;
   for (int is_counting = 1; is_counting >= 0; is_counting--) {
      end = count;
      ICD_SPIRV_EACH(module, inst, HEADER_WORDS, module->num_words) {
         if (inst.count > 2 && (inst.op == SpvOpGroupDecorate || inst.op == SpvOpGroupMemberDecorate))
            expand_group(module, &inst, count, is_counting, &end);
      }
      if (end > MAX_DECORATIONS)
         return ICD_SPIRV_DAMAGED;
      struct icd_spirv_decoration *grown = is_counting ? util_calloc(end + 1, sizeof(*grown)) : module->decorations;
      if (!grown)
         return ICD_SPIRV_OUT_OF_MEMORY;
      if (is_counting) {
         memcpy(grown, module->decorations, count * sizeof(*grown));
         util_mfree(module->decorations);
         module->decorations = grown;
      }
   }
   module->num_decorations = (uint32_t)end;
   qsort(module->decorations, module->num_decorations, sizeof(*module->decorations), compare_decorations);
   return ICD_SPIRV_PARSED;
}

/* Gives `stage` to the functions that an entry point reaches. */
static void mark_reached(struct icd_spirv_module *module, uint32_t *stack, uint32_t first, VkShaderStageFlags stage)
{
   uint32_t depth = 0;
   if (first == UINT32_MAX || module->functions[first].stages & stage)
      return;
   module->functions[first].stages |= stage;
   stack[depth++] = first;
   while (depth) {
      const struct icd_spirv_function *function = &module->functions[stack[--depth]];
      for (uint32_t i = 0; i < function->num_calls; i++) {
         const uint32_t callee = module->calls[function->first_call + i];
         if (callee == UINT32_MAX || module->functions[callee].stages & stage)
            continue;
         module->functions[callee].stages |= stage;
         stack[depth++] = callee;
      }
   }
}

static bool reach_functions(struct icd_spirv_module *module)
{
   uint32_t *stack = util_malloc(util_size_mul((size_t)module->num_functions + 1, sizeof(*stack)));
   if (!stack)
      return false;
   for (uint32_t i = 0; i < module->num_calls; i++)
      module->calls[i] = function_index(module, module->calls[i]);
   for (uint32_t i = 0; i < module->num_entries; i++) {
      const uint32_t f = function_index(module, module->entries[i].function);
      if (f != UINT32_MAX)
         module->functions[f].entry_stages |= module->entries[i].stage;
      if (module->entries[i].stage)
         mark_reached(module, stack, f, module->entries[i].stage);
   }
   util_mfree(stack);
   return true;
}

bool icd_spirv_select(struct icd_spirv_module *module, const struct icd_spirv_entry *entry)
{
   uint32_t *stack = util_malloc(util_size_mul((size_t)module->num_functions + 1, sizeof(*stack)));
   if (!stack)
      return false;
   module->entries[0] = *entry;
   module->num_entries = 1;
   for (uint32_t i = 0; i < module->num_functions; i++) {
      struct icd_spirv_function *function = &module->functions[i];
      function->stages = 0;
      function->entry_stages = function->id == module->entries[0].function ? module->entries[0].stage : 0;
   }
   mark_reached(module, stack, function_index(module, module->entries[0].function), module->entries[0].stage);
   util_mfree(stack);
   return true;
}

/* Flags of types that are laid out and of members with an Offset, then of all types that hold such: their types are before them. */
static void mark_layouts(struct icd_spirv_module *module)
{
   const size_t end = module->num_functions ? module->functions[0].begin : module->num_words;
   for (uint32_t i = 0; i < module->num_decorations; i++) {
      const struct icd_spirv_decoration *it = &module->decorations[i];
      if (it->target >= module->bound)
         continue;
      if (it->name == SpvDecorationArrayStride || (it->member != UINT32_MAX && (it->name == SpvDecorationOffset || it->name == SpvDecorationMatrixStride)))
         module->type_flags[it->target] |= ICD_TYPE_HAS_LAYOUT;
      if (it->name != SpvDecorationOffset || it->member == UINT32_MAX)
         continue;
      const bool has_buffer = icd_spirv_find(module, it->target, it->member, SpvDecorationXfbBuffer);
      const bool has_stride = icd_spirv_find(module, it->target, it->member, SpvDecorationXfbStride);
      module->type_flags[it->target] |= (uint8_t)((has_buffer ? 0 : ICD_TYPE_HAS_OFFSET_WITHOUT_BUFFER) |
                                                  (has_stride ? 0 : ICD_TYPE_HAS_OFFSET_WITHOUT_STRIDE));
   }
   ICD_SPIRV_EACH(module, inst, HEADER_WORDS, end) {
      const uint32_t id = icd_spirv_result(&inst);
      if (id && id < module->bound)
         module->type_flags[id] |= (uint8_t)merged_flags(module, &inst);
   }
}

static bool tables_alloc(struct icd_spirv_module *module, const struct counts *counts)
{
   module->decorations = util_calloc(counts->decorations + 1, sizeof(*module->decorations));
   module->functions = util_calloc(counts->functions + 1, sizeof(*module->functions));
   module->entries = util_calloc(counts->entries + 1, sizeof(*module->entries));
   module->calls = util_calloc(counts->calls + 1, sizeof(*module->calls));
   return module->decorations && module->functions && module->entries && module->calls;
}

enum icd_spirv_parse icd_spirv_parse(struct icd_spirv_module *module, const uint32_t *words, size_t num_words, const char **broken)
{
   struct counts counts = {0};
   size_t offset = HEADER_WORDS;

   *module = (struct icd_spirv_module){.words = words, .num_words = num_words, .version = words[1], .bound = words[3]};
   if (module->bound == 0 || module->bound > MAX_BOUND || num_words > UINT32_MAX) {
      *broken = "the bound of ids is not from 1 to 4,194,304";
      return ICD_SPIRV_DAMAGED;
   }
   module->definitions = util_calloc(module->bound, sizeof(*module->definitions));
   module->type_flags = util_calloc(module->bound, 1);
   module->scalar_bytes = util_calloc(module->bound, 1);
   if (!module->definitions || !module->type_flags || !module->scalar_bytes)
      return ICD_SPIRV_OUT_OF_MEMORY;
   for (struct icd_spirv_inst inst; offset < num_words; offset += inst.count) {
      inst = icd_spirv_at(module, offset);
      if (!inst.count) {
         *broken = "an instruction's word count is zero or reaches past the end of the module";
         return ICD_SPIRV_DAMAGED;
      }
      count_inst(module, &inst, &counts);
   }

   if (!tables_alloc(module, &counts))
      return ICD_SPIRV_OUT_OF_MEMORY;
   ICD_SPIRV_EACH(module, inst, HEADER_WORDS, num_words)
      walk_inst(module, &inst);
   qsort(module->decorations, module->num_decorations, sizeof(*module->decorations), compare_decorations);
   const enum icd_spirv_parse expanded = counts.has_groups ? expand_groups(module) : ICD_SPIRV_PARSED;
   *broken = "decoration groups decorate too much";
   if (expanded != ICD_SPIRV_PARSED)
      return expanded;
   mark_layouts(module);
   return reach_functions(module) ? ICD_SPIRV_PARSED : ICD_SPIRV_OUT_OF_MEMORY;
}

void icd_spirv_finish(struct icd_spirv_module *module)
{
   util_mfree(module->definitions);
   util_mfree(module->type_flags);
   util_mfree(module->scalar_bytes);
   util_mfree(module->decorations);
   util_mfree(module->functions);
   util_mfree(module->entries);
   util_mfree(module->calls);
}

/* ---- what is found by the index ---- */

const struct icd_spirv_function *icd_spirv_find_function(const struct icd_spirv_module *module, uint32_t id)
{
   const uint32_t index = function_index(module, id);
   return index == UINT32_MAX ? NULL : &module->functions[index];
}

const struct icd_spirv_decoration *icd_spirv_find(const struct icd_spirv_module *module, uint32_t target, uint32_t member,
                                                  SpvDecoration name)
{
   const struct icd_spirv_decoration wanted = {.target = target, .member = member, .name = (uint32_t)name};
   uint32_t low = 0, high = module->num_decorations;
   while (low < high) {
      const uint32_t middle = (low + high) / 2;
      if (compare_decorations(&module->decorations[middle], &wanted) < 0)
         low = middle + 1;
      else
         high = middle;
   }
   const struct icd_spirv_decoration *found = &module->decorations[low];
   return low < module->num_decorations && found->target == target && found->member == member && found->name == wanted.name ? found : NULL;
}

bool icd_spirv_find_line(const struct icd_spirv_module *module, const struct icd_spirv_inst *wanted, struct icd_spirv_line *line)
{
   uint32_t file = 0;
   ICD_SPIRV_EACH(module, inst, HEADER_WORDS, module->num_words) {
      if (inst.words == wanted->words)
         break;
      switch (inst.op) {
      case SpvOpLine:
         file = icd_spirv_word(&inst, 1);
         line->line = icd_spirv_word(&inst, 2);
         break;
      case SpvOpNoLine:
      case SpvOpFunctionEnd:
      case SpvOpBranch:
      case SpvOpBranchConditional:
      case SpvOpSwitch:
      case SpvOpReturn:
      case SpvOpReturnValue:
      case SpvOpKill:
      case SpvOpUnreachable:
         file = 0;
         break;
      default:
         break;
      }
   }
   const struct icd_spirv_inst string = icd_spirv_definition(module, file);
   if (!file || string.op != SpvOpString || !string_words(&string, 2))
      return false;
   line->file = (const char *)(string.words + 2);
   return true;
}
