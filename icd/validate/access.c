/* SPDX-License-Identifier: MIT
 * What instructions read and write: the pointers among their operands, the memory operands, and which variables an entry point uses. */
#include "icd/validate/module.h"

#include "gen/icd_spirv.h"
#include "util/alloc.h"
#include "util/size.h"

/* The operands that are pointers, as a range of words. */
static bool pointer_operands(SpvOp op, uint32_t *first, uint32_t *last)
{
   static const struct {
      uint16_t op, first, last;
   } rows[] = {
      {SpvOpLoad, 3, 3},           {SpvOpStore, 1, 1},        {SpvOpCopyMemory, 1, 2},        {SpvOpCopyMemorySized, 1, 2},
      {SpvOpAccessChain, 3, 3},    {SpvOpInBoundsAccessChain, 3, 3},                          {SpvOpPtrAccessChain, 3, 3},
      {SpvOpArrayLength, 3, 3},    {SpvOpInBoundsPtrAccessChain, 3, 3},                       {SpvOpImageTexelPointer, 3, 3},
      {SpvOpCopyObject, 3, 3},     {SpvOpSelect, 4, 5},       {SpvOpFunctionCall, 4, 0xffff}, {SpvOpAtomicStore, 1, 1},
      {SpvOpPtrEqual, 3, 4},       {SpvOpPtrNotEqual, 3, 4},  {SpvOpPtrDiff, 3, 4},           {SpvOpConvertPtrToU, 3, 3},
      {SpvOpBitcast, 3, 3},        {SpvOpReturnValue, 1, 1},  {SpvOpRawAccessChainNV, 3, 3},
      {SpvOpCooperativeMatrixLoadKHR, 3, 3},                  {SpvOpCooperativeMatrixStoreKHR, 1, 1},
      {SpvOpUntypedArrayLengthKHR, 4, 4},                     {SpvOpCooperativeVectorLoadNV, 3, 3},
      {SpvOpCooperativeVectorStoreNV, 1, 1},                  {SpvOpCooperativeVectorReduceSumAccumulateNV, 1, 1},
      {SpvOpCooperativeVectorOuterProductAccumulateNV, 1, 1}, {SpvOpCooperativeVectorMatrixMulNV, 5, 5},
      {SpvOpCooperativeVectorMatrixMulAddNV, 5, 8},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].op == op) {
         *first = rows[i].first;
         *last = rows[i].last;
         return true;
      }
   }
   *first = *last = icd_spirv_is_untyped_chain(op) ? 4 : 3;
   return icd_spirv_is_atomic(op) || icd_spirv_is_untyped_chain(op);
}

bool icd_spirv_is_atomic(SpvOp op)
{
   return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFAddEXT || op == SpvOpAtomicFMinEXT ||
          op == SpvOpAtomicFMaxEXT;
}

bool icd_spirv_is_untyped_chain(SpvOp op)
{
   return op == SpvOpUntypedAccessChainKHR || op == SpvOpUntypedInBoundsAccessChainKHR || op == SpvOpUntypedPtrAccessChainKHR ||
          op == SpvOpUntypedInBoundsPtrAccessChainKHR;
}

bool icd_spirv_takes_pointer(const struct icd_spirv_inst *inst, uint32_t word)
{
   uint32_t first, last;
   return pointer_operands(inst->op, &first, &last) && word >= first && word <= last;
}

uint32_t icd_spirv_written(const struct icd_spirv_inst *inst)
{
   switch (inst->op) {
   case SpvOpStore:
   case SpvOpAtomicStore:
   case SpvOpCopyMemory:
   case SpvOpCopyMemorySized:
   case SpvOpImageWrite:
   case SpvOpCooperativeMatrixStoreKHR:
   case SpvOpCooperativeVectorStoreNV:
   case SpvOpCooperativeVectorReduceSumAccumulateNV:
   case SpvOpCooperativeVectorOuterProductAccumulateNV:
      return icd_spirv_word(inst, 1);
   case SpvOpAtomicLoad:
      return 0;
   default:
      return icd_spirv_is_atomic(inst->op) ? icd_spirv_word(inst, 3) : 0;
   }
}

/* ---- memory operands ---- */

static struct icd_spirv_access access_at(const struct icd_spirv_inst *inst, uint32_t pointer, uint32_t mask_word)
{
   const uint32_t mask = icd_spirv_word(inst, mask_word);
   struct icd_spirv_access access = {.pointer = icd_spirv_word(inst, pointer), .end = mask_word + 1};
   if (mask & SpvMemoryAccessAlignedMask)
      access.alignment = icd_spirv_word(inst, access.end++);
   if (mask & SpvMemoryAccessMakePointerAvailableMask)
      access.available = icd_spirv_word(inst, access.end++);
   if (mask & SpvMemoryAccessMakePointerVisibleMask)
      access.visible = icd_spirv_word(inst, access.end++);
   return access;
}

uint32_t icd_spirv_accesses(const struct icd_spirv_inst *inst, struct icd_spirv_access accesses[2])
{
   switch (inst->op) {
   case SpvOpLoad:
      accesses[0] = access_at(inst, 3, 4);
      return 1;
   case SpvOpStore:
      accesses[0] = access_at(inst, 1, 3);
      return 1;
   case SpvOpCooperativeMatrixLoadKHR:
      accesses[0] = access_at(inst, 3, 6);
      return 1;
   case SpvOpCooperativeMatrixStoreKHR:
      accesses[0] = access_at(inst, 1, 5);
      return 1;
   case SpvOpCooperativeVectorLoadNV:
      accesses[0] = access_at(inst, 3, 5);
      return 1;
   case SpvOpCooperativeVectorStoreNV:
      accesses[0] = access_at(inst, 1, 4);
      return 1;
   case SpvOpCopyMemory: /* one mask for both pointers, or one for each */
   case SpvOpCopyMemorySized: {
      const uint32_t first = inst->op == SpvOpCopyMemory ? 3 : 4;
      accesses[0] = access_at(inst, 1, first);
      accesses[1] = access_at(inst, 2, accesses[0].end < inst->count ? accesses[0].end : first);
      return 2;
   }
   default:
      return 0;
   }
}

/* ---- where something is used ---- */

/* Capabilities that let a module have types, which any instruction may use. */
static const struct {
   SpvCapability capability;
   SpvOp op;
   uint32_t bits;
} type_rows[] = {
   {SpvCapabilityFloat16, SpvOpTypeFloat, 16}, {SpvCapabilityFloat64, SpvOpTypeFloat, 64}, {SpvCapabilityInt8, SpvOpTypeInt, 8},
   {SpvCapabilityInt16, SpvOpTypeInt, 16},     {SpvCapabilityInt64, SpvOpTypeInt, 64},
};

/* True of an access to an image whose format is not declared. */
static bool is_formatless(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, SpvOp op)
{
   const uint32_t id = icd_spirv_word(inst, op == SpvOpImageWrite ? 1 : 3);
   const struct icd_spirv_inst type = icd_spirv_definition(module, icd_spirv_type_of(module, id));
   return inst->op == op && type.op == SpvOpTypeImage && icd_spirv_word(&type, 8) == SpvImageFormatUnknown;
}

static bool uses_capability(const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, uint32_t capability)
{
   const uint32_t type = icd_spirv_result_type(inst);
   const struct icd_spirv_inst scalar = icd_spirv_scalar(module, type);
   for (uint32_t i = 0; type && i < UTIL_ARRAY_SIZE(type_rows); i++) {
      if (type_rows[i].capability == capability && type_rows[i].op == scalar.op && type_rows[i].bits == icd_spirv_word(&scalar, 2))
         return true;
   }
   return icd_spirv_op_needs(inst->op, capability) ||
          (capability == SpvCapabilityStorageImageReadWithoutFormat && is_formatless(module, inst, SpvOpImageRead)) ||
          (capability == SpvCapabilityStorageImageWriteWithoutFormat && is_formatless(module, inst, SpvOpImageWrite));
}

static bool uses_variable(const struct icd_spirv_inst *inst, uint32_t id)
{
   for (uint32_t word = 1; word < inst->count; word++) {
      if (inst->words[word] == id && icd_spirv_takes_pointer(inst, word))
         return true;
   }
   return false;
}

struct icd_spirv_inst icd_spirv_first_use(const struct icd_spirv_module *module, const struct icd_spirv_inst *global)
{
   const uint32_t id = icd_spirv_result(global);
   const size_t begin = module->num_functions ? module->functions[0].begin : module->num_words;
   ICD_SPIRV_EACH(module, inst, begin, module->num_words) {
      if (global->op == SpvOpCapability ? uses_capability(module, &inst, icd_spirv_word(global, 1))
                                        : id && (icd_spirv_result_type(&inst) == id || uses_variable(&inst, id)))
         return inst;
   }
   return (struct icd_spirv_inst){.words = module->words};
}

/* ---- what an entry point uses ---- */

/* Marks the functions that `first` (an index) calls, itself too. `stack`: [num_functions]. */
static void reach(const struct icd_spirv_module *module, uint32_t first, bool *reached, uint32_t *stack)
{
   uint32_t depth = 0;
   reached[first] = true;
   stack[depth++] = first;
   while (depth) {
      const struct icd_spirv_function *function = &module->functions[stack[--depth]];
      for (uint32_t i = 0; i < function->num_calls; i++) {
         const uint32_t callee = module->calls[function->first_call + i];
         if (callee == UINT32_MAX || reached[callee])
            continue;
         reached[callee] = true;
         stack[depth++] = callee;
      }
   }
}

static void mark_function(const struct icd_spirv_module *module, const struct icd_spirv_function *function, uint8_t *used)
{
   ICD_SPIRV_EACH(module, inst, function->begin, function->end) {
      uint32_t first, last;
      const uint32_t written = icd_spirv_base_variable(module, icd_spirv_written(&inst));
      if (written && written < module->bound)
         used[written] |= ICD_WRITTEN;
      if (!pointer_operands(inst.op, &first, &last))
         continue;
      for (uint32_t word = first; word <= last && word < inst.count; word++) {
         if (icd_spirv_is_variable(icd_spirv_definition(module, inst.words[word]).op))
            used[inst.words[word]] |= ICD_USED;
      }
   }
}

uint8_t *icd_spirv_used(const struct icd_spirv_module *module, const struct icd_spirv_entry *entry)
{
   const struct icd_spirv_function *function = icd_spirv_find_function(module, entry->function);
   uint8_t *used = util_calloc(module->bound + 1, sizeof(*used));
   uint32_t *stack = util_malloc(util_size_mul((size_t)module->num_functions + 1, sizeof(*stack)));
   bool *reached = util_calloc(module->num_functions + 1, sizeof(*reached));
   if (!used || !stack || !reached) {
      util_mfree(used);
      used = NULL;
   } else if (function) {
      reach(module, (uint32_t)(function - module->functions), reached, stack);
      for (uint32_t i = 0; i < module->num_functions; i++) {
         if (reached[i])
            mark_function(module, &module->functions[i], used);
      }
   }
   util_mfree(reached);
   util_mfree(stack);
   return used;
}
