/* SPDX-License-Identifier: MIT
 * SPIRV-Tools' validator. It ends at the first fault, so a fault that is only a matter of what is enabled must be removed for
 * the rest to be seen: it is asked again with what the device offers, without what no device reads, or with a copy that is right where the
 * module breaks the letter alone. */
#include "compiler/compiler.h"
#include "icd/validate/check.h"
#include "util/alloc.h"
#include "util/size.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what it is given of the device ---- */

/* What lets it take more, each alone. */
static const struct {
   uint32_t flag;
   const char *needs;
} options[] = {
   {COMP_VALIDATE_RELAXED_LAYOUT, "VK_KHR_relaxed_block_layout, Vulkan 1.1"},
   {COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT, "uniformBufferStandardLayout"},
   {COMP_VALIDATE_SCALAR_LAYOUT, "scalarBlockLayout"},
   {COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT, "workgroupMemoryExplicitLayoutScalarBlockLayout"},
   {COMP_VALIDATE_LOCAL_SIZE_ID, "maintenance4"},
   {COMP_VALIDATE_OFFSET_TEXTURE_OPERAND, "maintenance8"},
   {COMP_VALIDATE_ANY_BIT_WIDTH, "maintenance9"},
};

static uint32_t options_of(const struct icd_features *features, const struct icd_extension_set *extensions, uint32_t api_version)
{
   return (features->scalarBlockLayout ? COMP_VALIDATE_SCALAR_LAYOUT : 0) |
          (features->uniformBufferStandardLayout ? COMP_VALIDATE_UNIFORM_STANDARD_LAYOUT : 0) |
          (features->workgroupMemoryExplicitLayoutScalarBlockLayout ? COMP_VALIDATE_WORKGROUP_SCALAR_LAYOUT : 0) |
          (features->maintenance4 ? COMP_VALIDATE_LOCAL_SIZE_ID : 0) |
          (features->maintenance8 ? COMP_VALIDATE_OFFSET_TEXTURE_OPERAND : 0) |
#ifdef VK_KHR_maintenance9
          (features->maintenance9 ? COMP_VALIDATE_ANY_BIT_WIDTH : 0) |
#endif
          (api_version >= VK_API_VERSION_1_1 || icd_has_extension(extensions, ICD_EXT_KHR_relaxed_block_layout) ?
              COMP_VALIDATE_RELAXED_LAYOUT : 0);
}

/* The application's version of Vulkan, or the lowest that takes the module's version of SPIR-V. */
static uint32_t version_of(const struct icd_check *check)
{
   uint32_t minor = VK_API_VERSION_MINOR(check->env->api_version);
   while (icd_spirv_highest(VK_MAKE_API_VERSION(0, 1, minor, 0), check->env->extensions) < check->module->version && minor < 3)
      minor++;
   return VK_MAKE_API_VERSION(0, 1, minor, 0);
}

/* ---- instructions that no device reads ---- */

/* What hinders it without changing what a module means, a bit each. LOWERS_VERSION: it is asked about SPIR-V 1.4 at most, and extensions stand for what
 * came later. OMITS_QUESTIONS: it refuses the type that OpIsNodePayloadValidAMDX is about, so its result is taken for one that nothing defines.
 * OMITS_STRING_IDS: it refuses that specialization constants are strings. SPREADS_INPUTS: inputs that share a location read the same.
 * OMITS_ZERO_CASTS: the bits of a zero are those of a zero of another size.
 * OMITS_STRIDES: arrays of descriptors have none.
 * ASKS_SPIRV_ALONE: no version allows shared variables to have a layout, so only the rules that hold without Vulkan are left. */
enum { OMITS_NON_SEMANTIC = 1, CASTS_ATOMICS = 2, LOWERS_VERSION = 4, ASKS_SPIRV_ALONE = 8, OMITS_SEMANTICS = 16, LOCATES_BUILT_INS = 32, OMITS_QUESTIONS = 64,
       OMITS_STRING_IDS = 128, SPREADS_INPUTS = 256, OMITS_ZERO_CASTS = 512, OMITS_STRIDES = 1024 };

static bool is_non_semantic(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   static const char prefix[] = "NonSemantic.";
   const struct icd_spirv_inst set = icd_spirv_definition(module, icd_spirv_word(inst, 3));
   return (inst->op == SpvOpExtInst || inst->op == SpvOpExtInstWithForwardRefsKHR) && set.op == SpvOpExtInstImport &&
          set.count > 2 && strnlen((const char *)(set.words + 2), (set.count - 2) * 4) >= sizeof(prefix) - 1 &&
          !memcmp(set.words + 2, prefix, sizeof(prefix) - 1);
}

static bool is_string_id(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   return inst->op == SpvOpDecorate && icd_spirv_word(inst, 2) == SpvDecorationSpecId &&
          icd_spirv_definition(module, icd_spirv_word(inst, 1)).op == SpvOpSpecConstantStringAMDX;
}

/* ---- atomics on values of another type ---- */

/* The operands of an atomic on integers that are of its type; 0: it has none, or is no such. */
static uint32_t num_atomic_values(SpvOp op)
{
   switch (op) {
   case SpvOpAtomicExchange: case SpvOpAtomicIAdd: case SpvOpAtomicISub: case SpvOpAtomicSMin: case SpvOpAtomicUMin:
   case SpvOpAtomicSMax: case SpvOpAtomicUMax: case SpvOpAtomicAnd: case SpvOpAtomicOr: case SpvOpAtomicXor: return 1;
   case SpvOpAtomicCompareExchange: return 2;
   default: return 0;
   }
}

/* Operand i of an atomic is a number of the same bits as the result: an integer that differs in its sign alone, or an exchange's float for an integer and
 * the reverse. */
static bool has_other_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t i)
{
   const uint32_t first = inst->op == SpvOpAtomicCompareExchange ? 7 : 6;
   if (i >= num_atomic_values(inst->op) || inst->count <= first + i)
      return false;
   const struct icd_spirv_inst value = icd_spirv_definition(module, icd_spirv_word(inst, first + i));
   const struct icd_spirv_inst type = icd_spirv_definition(module, icd_spirv_word(inst, 1)),
                               other = icd_spirv_definition(module, icd_spirv_word(&value, 1));
   if (icd_spirv_word(&type, 2) != icd_spirv_word(&other, 2))
      return false;
   if (type.op == SpvOpTypeInt && other.op == SpvOpTypeInt)
      return icd_spirv_word(&type, 3) != icd_spirv_word(&other, 3);
   return inst->op == SpvOpAtomicExchange &&
          ((type.op == SpvOpTypeInt && other.op == SpvOpTypeFloat) || (type.op == SpvOpTypeFloat && other.op == SpvOpTypeInt));
}

/* ---- semantics of atomics and barriers ---- */

/* The word of the id of an instruction's semantics; i = 1: of a comparison that fails. 0: it has none. */
static uint32_t semantics_word(SpvOp op, uint32_t i)
{
   if (i == 1)
      return op == SpvOpAtomicCompareExchange ? 6 : 0;
   return op == SpvOpControlBarrier || op == SpvOpAtomicStore ? 3 : icd_spirv_is_atomic(op) ? 5 : 0;
}

/* Semantics have one meaning although a rule forbids them: memory that is named and not ordered, and of a barrier of invocations an order of no memory, or
 * one that is stronger than those of Vulkan. */
static bool may_omit_semantics(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t i)
{
   const uint32_t memory = SpvMemorySemanticsUniformMemoryMask | SpvMemorySemanticsWorkgroupMemoryMask | SpvMemorySemanticsImageMemoryMask |
                           SpvMemorySemanticsOutputMemoryMask;
   const uint32_t orders = SpvMemorySemanticsAcquireMask | SpvMemorySemanticsReleaseMask | SpvMemorySemanticsAcquireReleaseMask |
                           SpvMemorySemanticsSequentiallyConsistentMask;
   const uint32_t others = SpvMemorySemanticsMakeAvailableMask | SpvMemorySemanticsMakeVisibleMask | SpvMemorySemanticsVolatileMask;
   const uint32_t word = semantics_word(inst->op, i);
   uint32_t semantics;
   if (!word || !icd_spirv_constant(module, icd_spirv_word(inst, word), &semantics) || semantics & others)
      return false;
   if (semantics & memory && !(semantics & orders))
      return true;
   return inst->op == SpvOpControlBarrier && semantics & orders &&
          (!(semantics & memory) || semantics & SpvMemorySemanticsSequentiallyConsistentMask);
}

static bool is_about_semantics(const char *message)
{
   return strstr(message, "VUID-StandaloneSpirv-MemorySemantics-10871") || strstr(message, "VUID-StandaloneSpirv-MemorySemantics-10870") ||
          strstr(message, "VUID-StandaloneSpirv-MemorySemantics-10866") || strstr(message, "VUID-StandaloneSpirv-OpControlBarrier-04650");
}

/* The type of the semantics that are left out. */
static uint32_t omitted_type(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   return icd_spirv_type_of(module, icd_spirv_word(inst, semantics_word(inst->op, !may_omit_semantics(module, inst, 0))));
}

/* ---- built-in outputs of another shape ---- */

enum { LAST_LOCATION = 31 };

/* What tools write as another type, whose meaning is its one or first word. */
static const struct shape {
   SpvBuiltIn builtin;
   const char *vuid;
   SpvOp type, scalar; /* type: of the variable; of a vector the scalar's */
} shapes[] = {
   {SpvBuiltInSampleMask, "VUID-SampleMask-SampleMask-04359", SpvOpTypeInt, SpvOpTypeInt},
   {SpvBuiltInFragDepth, "VUID-FragDepth-FragDepth-04215", SpvOpTypeVector, SpvOpTypeFloat},
   {SpvBuiltInFragStencilRefEXT, "VUID-FragStencilRefEXT-FragStencilRefEXT-04225", SpvOpTypeVector, SpvOpTypeInt},
};

static bool has_shape(const struct icd_spirv_module *module, uint32_t variable, const struct shape *shape)
{
   SpvStorageClass where = SpvStorageClassMax;
   const struct icd_spirv_inst inst = icd_spirv_definition(module, variable);
   const uint32_t id = icd_spirv_variable_type(module, &inst, &where);
   const struct icd_spirv_inst type = icd_spirv_definition(module, id), scalar = icd_spirv_scalar(module, id);
   return type.op == shape->type && scalar.op == shape->scalar && icd_spirv_word(&scalar, 2) == 32;
}

static bool is_about_shape(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, const char *message)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(shapes); i++) {
      if (strstr(message, shapes[i].vuid))
         return has_shape(module, icd_spirv_word(inst, 2), &shapes[i]);
   }
   return false;
}

/* The location that such a variable gets for SPIRV-Tools instead of what the instruction decorates it with, from the last one down; 0: none. */
static uint32_t location_of_shape(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(shapes); i++) {
      if (inst->op == SpvOpDecorate && icd_spirv_word(inst, 2) == SpvDecorationBuiltIn && icd_spirv_word(inst, 3) == shapes[i].builtin &&
          has_shape(module, icd_spirv_word(inst, 1), &shapes[i]))
         return LAST_LOCATION - i;
   }
   return 0;
}

/* ---- zeros of another size ---- */

/* A bit cast of a constant all of whose bits are 0, a scalar, to a scalar. */
static bool is_zero_cast(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   if (inst->op != SpvOpBitcast || inst->count != 4)
      return false;
   const struct icd_spirv_inst value = icd_spirv_definition(module, icd_spirv_word(inst, 3));
   const struct icd_spirv_inst types[2] = {icd_spirv_definition(module, icd_spirv_word(inst, 1)), icd_spirv_definition(module, icd_spirv_word(&value, 1))};
   for (uint32_t i = 0; i < 2; i++) {
      if (types[i].op != SpvOpTypeInt && types[i].op != SpvOpTypeFloat)
         return false;
   }
   for (uint32_t i = 3; i < value.count; i++) {
      if (icd_spirv_word(&value, i))
         return false;
   }
   return value.op == SpvOpConstant || value.op == SpvOpConstantNull;
}

/* ---- inputs that share a location ---- */

/* The location of an input variable. */
static bool is_input_location(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   SpvStorageClass where = SpvStorageClassMax;
   if (inst->op != SpvOpDecorate || inst->count != 4 || icd_spirv_word(inst, 2) != SpvDecorationLocation)
      return false;
   const struct icd_spirv_inst variable = icd_spirv_definition(module, icd_spirv_word(inst, 1));
   icd_spirv_variable_type(module, &variable, &where);
   return where == SpvStorageClassInput;
}

/* ---- what another version of SPIR-V allows ---- */

/* What lets SPIR-V 1.4 take what came into SPIR-V 1.5 and 1.6. */
static const char *const taken_over[] = {
   "SPV_KHR_8bit_storage", "SPV_EXT_descriptor_indexing", "SPV_EXT_shader_viewport_index_layer", "SPV_KHR_physical_storage_buffer",
   "SPV_KHR_vulkan_memory_model", "SPV_KHR_integer_dot_product", "SPV_KHR_terminate_invocation", "SPV_EXT_demote_to_helper_invocation",
   "SPV_KHR_non_semantic_info",
};
enum {
   MAX_LOCATIONS = 64, /* of an input */
   CONSTANT_WORDS = 4,
   MAX_INSERTED_WORDS = 12 * UTIL_ARRAY_SIZE(taken_over) + CONSTANT_WORDS, /* instructions with names of 43 characters */
};

/* The capability by which SPIR-V 1.4 has what the one of SPIR-V 1.5 is for. */
static uint32_t older_capability(uint32_t capability)
{
   return capability == SpvCapabilityShaderLayer || capability == SpvCapabilityShaderViewportIndex ? SpvCapabilityShaderViewportIndexLayerEXT : capability;
}

/* A capability of SPIR-V 1.5 in a module of an older one, as Slang writes it. */
static bool is_early_capability(const struct icd_spirv_inst *inst)
{
   const uint32_t capability = icd_spirv_word(inst, 1);
   return inst->op == SpvOpCapability && older_capability(capability) != capability;
}

/* What allows the layout of a variable (the rule itself is interface.c's): 0: it is not about one. */
static uint32_t layout_repair(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, const char *message)
{
   SpvStorageClass where = SpvStorageClassMax;
   if (!strstr(message, "VUID-StandaloneSpirv-None-10684") || !icd_spirv_variable_type(module, inst, &where))
      return 0;
   return where == SpvStorageClassUniformConstant ? OMITS_STRIDES :
          where == SpvStorageClassWorkgroup ? ASKS_SPIRV_ALONE :
          where == SpvStorageClassFunction || where == SpvStorageClassPrivate ? LOWERS_VERSION : 0;
}

/* The distance of elements in an array of images, samplers or acceleration structures, which are nowhere. */
static bool is_stride_of_descriptors(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   if (inst->op != SpvOpDecorate || icd_spirv_word(inst, 2) != SpvDecorationArrayStride)
      return false;
   return icd_spirv_is_opaque(icd_spirv_definition(module, icd_spirv_strip_arrays(module, icd_spirv_word(inst, 1), NULL)).op);
}

/* Gives the words written. */
static size_t declare_taken_over(uint32_t *to)
{
   size_t count = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(taken_over); i++) {
      const uint32_t words = 1 + (uint32_t)strlen(taken_over[i]) / 4 + 1;
      memset(to + count, 0, words * sizeof(uint32_t));
      to[count] = words << SpvWordCountShift | SpvOpExtension;
      memcpy(to + count + 1, taken_over[i], strlen(taken_over[i]));
      count += words;
   }
   return count;
}

/* ---- what it is asked about ---- */

/* The module's words, or a copy that is repaired. */
struct subject {
   const struct icd_check *check;
   const uint32_t *words;
   size_t num_words;
   uint32_t *copy;   /* to be freed; NULL: nothing is changed */
   uint32_t repairs; /* bit set */
   const uint32_t *behind_capabilities; /* the first instruction there */
   const uint32_t *functions;           /* the first instruction there */
   uint32_t omitted_type;               /* OMITS_SEMANTICS: of the constant that stands for them */
};

/* The repair that the instruction which SPIRV-Tools refuses with the message asks for; 0: none. */
static uint32_t repair_of(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, const char *message)
{
   if (is_about_semantics(message))
      return may_omit_semantics(module, inst, 0) || may_omit_semantics(module, inst, 1) ? OMITS_SEMANTICS : 0;
   if (strstr(message, "VUID-StandaloneSpirv-OpEntryPoint-08721"))
      return SPREADS_INPUTS;
   if (is_about_shape(module, inst, message))
      return LOCATES_BUILT_INS;
   if (inst->op == SpvOpIsNodePayloadValidAMDX)
      return strstr(message, "cannot be a type") ? OMITS_QUESTIONS : 0;
   return is_string_id(module, inst) ? OMITS_STRING_IDS :
          is_non_semantic(module, inst) ? OMITS_NON_SEMANTIC :
          has_other_type(module, inst, 0) || has_other_type(module, inst, 1) ? CASTS_ATOMICS :
          is_zero_cast(module, inst) ? OMITS_ZERO_CASTS :
          is_early_capability(inst) ? LOWERS_VERSION :
          layout_repair(module, inst, message);
}

/* The first instruction behind the capabilities has before it the extensions that stand for a version. */
static bool has_extensions_before(const struct subject *subject, const struct icd_spirv_inst *inst)
{
   return subject->repairs & LOWERS_VERSION && inst->words == subject->behind_capabilities;
}

/* The first function has before it what stands for semantics that are left out. */
static bool has_constant_before(const struct subject *subject, const struct icd_spirv_inst *inst)
{
   return subject->repairs & OMITS_SEMANTICS && inst->words == subject->functions;
}

static bool is_left_out(const struct subject *subject, const struct icd_spirv_inst *inst)
{
   return (subject->repairs & OMITS_NON_SEMANTIC && is_non_semantic(subject->check->module, inst)) ||
          (subject->repairs & OMITS_STRING_IDS && is_string_id(subject->check->module, inst)) ||
          (subject->repairs & OMITS_STRIDES && is_stride_of_descriptors(subject->check->module, inst));
}

/* How many instructions of the copy the instruction becomes. */
static uint32_t num_copied(const struct subject *subject, const struct icd_spirv_inst *inst)
{
   const struct icd_spirv_module *module = subject->check->module;
   const uint32_t before = (has_extensions_before(subject, inst) ? UTIL_ARRAY_SIZE(taken_over) : 0) + has_constant_before(subject, inst);
   if (is_left_out(subject, inst))
      return before;
   return before + (subject->repairs & CASTS_ATOMICS ? 1 + has_other_type(module, inst, 0) + has_other_type(module, inst, 1) : 1);
}

/* Each operand of another type becomes a bit cast of it, in front of the atomic, of which there may be none. Gives the words written. */
static size_t copy_cast(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t *to, uint32_t *bound)
{
   const uint32_t first = inst->op == SpvOpAtomicCompareExchange ? 7 : 6;
   uint32_t ids[2] = {0}, count = 0;
   for (uint32_t i = 0; i < 2; i++) {
      if (!has_other_type(module, inst, i))
         continue;
      ids[i] = (*bound)++;
      to[count++] = 4 << SpvWordCountShift | SpvOpBitcast;
      to[count++] = icd_spirv_word(inst, 1);
      to[count++] = ids[i];
      to[count++] = icd_spirv_word(inst, first + i);
   }
   memcpy(to + count, inst->words, inst->count * sizeof(uint32_t));
   for (uint32_t i = 0; i < 2; i++) {
      if (ids[i])
         to[count + first + i] = ids[i];
   }
   return count + inst->count;
}

/* Adds a repair. False: out of memory. */
static bool repair(struct subject *subject, uint32_t added)
{
   const struct icd_spirv_module *module = subject->check->module;
   subject->repairs |= added;
   if (!subject->copy) /* an atomic of 7 words gets 4 more, one of 9 words 8 more */
      subject->copy = util_malloc(util_size_add(util_size_mul(module->num_words, 2 * sizeof(uint32_t)), MAX_INSERTED_WORDS * sizeof(uint32_t)));
   if (!subject->copy)
      return false;
   size_t count = 5; /* the header */
   uint32_t num_inputs = 0;
   memcpy(subject->copy, module->words, count * sizeof(uint32_t));
   const uint32_t omitted = subject->repairs & OMITS_SEMANTICS ? subject->copy[3]++ : 0;
   if (subject->repairs & LOWERS_VERSION)
      subject->copy[1] = UTIL_MIN(subject->copy[1], ICD_SPIRV_LAST_WITH_LAYOUTS);
   ICD_SPIRV_EACH(module, inst, 5, module->num_words) {
      uint32_t *to = subject->copy + count;
      if (inst.op != SpvOpCapability && !subject->behind_capabilities)
         subject->behind_capabilities = inst.words;
      if (inst.op == SpvOpFunction && !subject->functions)
         subject->functions = inst.words;
      if (has_extensions_before(subject, &inst))
         to += declare_taken_over(to);
      if (has_constant_before(subject, &inst)) {
         memcpy(to, (uint32_t[]){CONSTANT_WORDS << SpvWordCountShift | SpvOpConstant, subject->omitted_type, omitted, 0}, CONSTANT_WORDS * sizeof(uint32_t));
         to += CONSTANT_WORDS;
      }
      if (is_left_out(subject, &inst)) {
         /* nothing of it */
      } else if ((subject->repairs & OMITS_QUESTIONS && inst.op == SpvOpIsNodePayloadValidAMDX && inst.count >= 3) ||
                 (subject->repairs & OMITS_ZERO_CASTS && is_zero_cast(module, &inst))) {
         memcpy(to, (uint32_t[]){3 << SpvWordCountShift | SpvOpUndef, inst.words[1], inst.words[2]}, 3 * sizeof(uint32_t));
         to += 3;
      } else if (subject->repairs & CASTS_ATOMICS) {
         to += copy_cast(module, &inst, to, &subject->copy[3]);
      } else {
         memcpy(to, inst.words, inst.count * sizeof(uint32_t));
         to += inst.count;
      }
      for (uint32_t i = 0; i < 2 && subject->repairs & OMITS_SEMANTICS; i++) {
         if (may_omit_semantics(module, &inst, i))
            to[(ptrdiff_t)semantics_word(inst.op, i) - (ptrdiff_t)inst.count] = omitted;
      }
      if (subject->repairs & LOCATES_BUILT_INS && location_of_shape(module, &inst)) {
         to[-2] = SpvDecorationLocation;
         to[-1] = location_of_shape(module, &inst);
      }
      if (subject->repairs & SPREADS_INPUTS && is_input_location(module, &inst))
         to[-1] += MAX_LOCATIONS * ++num_inputs; /* each has its own, behind those of blocks */
      if (inst.op == SpvOpCapability && subject->repairs & LOWERS_VERSION)
         to[-1] = older_capability(to[-1]);
      count = (size_t)(to - subject->copy);
   }
   subject->words = subject->copy;
   subject->num_words = count;
   return true;
}

/* ---- asking ---- */

struct answer {
   bool is_valid, has_memory;
   char *message; /* to be freed */
   size_t instruction; /* number in the module, from 1; 0: none */
};

/* The number in the module of an instruction that is counted in the copy. */
static size_t number_in_module(const struct subject *subject, size_t number)
{
   const struct icd_spirv_module *module = subject->check->module;
   size_t all = 0, copied = 0;
   if (!subject->copy || !number)
      return number;
   ICD_SPIRV_EACH(module, inst, 5, module->num_words) {
      all++;
      copied += num_copied(subject, &inst);
      if (copied >= number)
         return all;
   }
   return 0;
}

static struct answer ask(const struct subject *subject, uint32_t flags)
{
   struct answer answer = {0};
   const struct comp_library *library = comp_library();
   if (!library)
      return answer;
   if (icd_has_extension(subject->check->env->extensions, ICD_EXT_KHR_spirv_1_4))
      flags |= COMP_VALIDATE_SPIRV_1_4;
   if (subject->repairs & ASKS_SPIRV_ALONE)
      flags |= COMP_VALIDATE_SPIRV_ALONE;
   answer.is_valid = library->validate(subject->words, subject->num_words, version_of(subject->check), flags, &answer.message,
                                       &answer.instruction);
   answer.has_memory = answer.is_valid || answer.message;
   answer.instruction = number_in_module(subject, answer.instruction);
   return answer;
}

/* ---- what it answers ---- */

/* SPIRV-Tools speaks of some rules by newer names, or by one of two that say the same; both are reported. */
static const char *other_name(const char *vuid)
{
   static const char *const rows[][2] = {
      {"VUID-RuntimeSpirv-Offset-10213", "VUID-StandaloneSpirv-Offset-04663"},
      {"VUID-StandaloneSpirv-Component-10583", "VUID-StandaloneSpirv-Component-04924"},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i][0], vuid))
         return rows[i][1];
   }
   return NULL;
}

/* By which names SPIRV-Tools of 2026 speaks of rules that rules.def has by older ones; they are reported by these. */
static const struct {
   const char *newer, *ours;
   SpvOp op; /* which breaks it; OpNop: any */
} renamed[] = {
   {"VUID-StandaloneSpirv-MemorySemantics-10866", "VUID-StandaloneSpirv-OpAtomicStore-04730", SpvOpAtomicStore},
   {"VUID-StandaloneSpirv-MemorySemantics-10866", "VUID-StandaloneSpirv-OpAtomicLoad-04731", SpvOpAtomicLoad},
   {"VUID-StandaloneSpirv-MemorySemantics-10866", "VUID-StandaloneSpirv-OpMemoryBarrier-04732", SpvOpMemoryBarrier},
   {"VUID-StandaloneSpirv-MemorySemantics-10866", "VUID-StandaloneSpirv-OpControlBarrier-04650", SpvOpControlBarrier},
   {"VUID-StandaloneSpirv-MemorySemantics-10867", "VUID-StandaloneSpirv-OpAtomicStore-04730", SpvOpNop},
   {"VUID-StandaloneSpirv-MemorySemantics-10868", "VUID-StandaloneSpirv-OpAtomicLoad-04731", SpvOpNop},
   {"VUID-StandaloneSpirv-MemorySemantics-10869", "VUID-StandaloneSpirv-OpMemoryBarrier-04732", SpvOpNop},
   {"VUID-StandaloneSpirv-MemorySemantics-10870", "VUID-StandaloneSpirv-OpMemoryBarrier-04733", SpvOpMemoryBarrier},
   {"VUID-StandaloneSpirv-MemorySemantics-10870", "VUID-StandaloneSpirv-OpControlBarrier-04650", SpvOpControlBarrier},
   {"VUID-StandaloneSpirv-None-10685", "VUID-StandaloneSpirv-LocalSize-06426", SpvOpNop},
   {"VUID-RuntimeSpirv-None-10824", "VUID-StandaloneSpirv-Base-04781", SpvOpNop},
};

/* The n-th instruction of the module, from 1; OpNop: there is none. */
static struct icd_spirv_inst instruction_of(const struct icd_spirv_module *module, size_t number)
{
   ICD_SPIRV_EACH(module, inst, 5, module->num_words) {
      if (number && --number == 0)
         return inst;
   }
   return (struct icd_spirv_inst){.op = SpvOpNop};
}

static const char *our_name(const struct icd_check *check, const char *vuid, size_t instruction)
{
   const SpvOp op = instruction_of(check->module, instruction).op;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(renamed); i++) {
      if (!strcmp(renamed[i].newer, vuid) && (renamed[i].op == SpvOpNop || renamed[i].op == op))
         return renamed[i].ours;
   }
   return vuid;
}

/* Versions of 2026 refuse offsets of inputs and outputs, and end there. Of those of outputs the module has been reported by StandaloneSpirv-Offset-04716,
 * which only warns; those of inputs say nothing to anyone. */
static bool is_harmless(const struct answer *answer)
{
   return answer->message && (strstr(answer->message, "VUID-StandaloneSpirv-Offset-04716") || strstr(answer->message, "VUID-StandaloneSpirv-Offset-12509"));
}

/* The rule that SPIRV-Tools names in its message as "[VUID-...]", else the one that asks for valid SPIR-V at all. */
static void report(const struct icd_check *check, enum icd_effect effect, const struct answer *answer, const char *needs)
{
   char *message = answer->message;
   char *disassembly = strstr(message, "\n  ");
   if (disassembly)
      *disassembly = 0; /* the location is reported in our own words */
   for (char *end = message; (end = strchr(end, '\n'));)
      *end = ' ';
   const char *begin = strstr(message, "VUID-");
   const size_t length = begin ? strcspn(begin, "] :\n") : 0;
   char vuid[96];
   if (length && length < sizeof(vuid))
      snprintf(vuid, sizeof(vuid), "%.*s", (int)length, begin);
   else
      snprintf(vuid, sizeof(vuid), "%s", ICD_RULE_VALID_SPIRV);
   icd_report_tools(check->report, effect, our_name(check, vuid, answer->instruction), check->module, message, answer->instruction, needs);
   if (other_name(vuid))
      icd_report_tools(check->report, effect, other_name(vuid), check->module, message, answer->instruction, needs);
}

/* "A or B" of the options that are enough alone; false: out of memory. */
static bool list_needs(const struct subject *subject, uint32_t own, uint32_t offered, char *text, size_t size)
{
   size_t length = 0;
   text[0] = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(options); i++) {
      if (!(options[i].flag & offered & ~own))
         continue;
      const struct answer answer = ask(subject, own | options[i].flag);
      free(answer.message);
      if (!answer.has_memory)
         return false;
      if (answer.is_valid && length < size)
         length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " or " : "", options[i].needs);
   }
   return true;
}

/* Asks with all that the device offers about what `first` finds fault with. False: out of memory. */
static bool ask_offered(const struct subject *subject, uint32_t own, const struct answer *first)
{
   struct icd_features features;
   char needs[200];
   icd_features_fill(&features);
   const uint32_t offered =
      own | COMP_VALIDATE_ANY_BIT_WIDTH | options_of(&features, icd_device_extensions(), subject->check->env->properties->core.apiVersion);
   struct answer second = ask(subject, offered);
   bool has_memory = second.has_memory;
   second.is_valid |= is_harmless(&second);
   if (second.is_valid) {
      has_memory = list_needs(subject, own, offered, needs, sizeof(needs));
      report(subject->check, ICD_WARN, first, needs[0] ? needs : NULL);
   } else if (has_memory) {
      if (second.instruction != first->instruction || strcmp(second.message, first->message) != 0)
         report(subject->check, ICD_WARN, first, NULL);
      report(subject->check, ICD_REFUSE, &second, NULL);
   }
   free(second.message);
   return has_memory;
}

VkResult icd_check_tools(const struct icd_check *check)
{
   struct subject subject = {.check = check, .words = check->module->words, .num_words = check->module->num_words};
   const struct icd_validate_env *env = check->env;
   const uint32_t own = options_of(env->features, env->extensions, env->api_version);
   struct answer answer = ask(&subject, own);
   while (!answer.is_valid && answer.has_memory) {
      const struct icd_spirv_inst at = instruction_of(check->module, answer.instruction);
      const uint32_t added = repair_of(check->module, &at, answer.message) & ~subject.repairs;
      if (!added)
         break;
      /* Forward references are what the instruction is for: SPIRV-Tools up to 2025 knows it of some sets alone. That of 2026 finds columns of debug
       * information that glslang has always written behind a line's end. */
      if (!layout_repair(check->module, &at, answer.message) && at.op != SpvOpExtInstWithForwardRefsKHR && !(added & (OMITS_QUESTIONS | OMITS_STRING_IDS)) &&
          !strstr(answer.message, "column length"))
         report(check, ICD_WARN, &answer, NULL);
      free(answer.message);
      answer = (struct answer){0};
      if (added == OMITS_SEMANTICS)
         subject.omitted_type = omitted_type(check->module, &at);
      if (repair(&subject, added))
         answer = ask(&subject, own);
   }
   bool has_memory = answer.has_memory;
   if (!answer.is_valid && has_memory && !is_harmless(&answer))
      has_memory = ask_offered(&subject, own, &answer);
   free(answer.message);
   util_mfree(subject.copy);
   return has_memory ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY;
}
