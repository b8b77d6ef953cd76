/* SPDX-License-Identifier: MIT
 * Which variables an entry point uses. */
#include "icd/validate/module.h"

/* The operands that are pointers to variables, as a range of words; `last` 0: only the first, UINT32_MAX: to the end. */
static bool pointer_operands(SpvOp op, uint32_t *first, uint32_t *last)
{
   static const struct {
      uint16_t op, first, last;
   } rows[] = {
      {SpvOpLoad, 3, 3},           {SpvOpStore, 1, 1},        {SpvOpCopyMemory, 1, 2},        {SpvOpCopyMemorySized, 1, 2},
      {SpvOpAccessChain, 3, 3},    {SpvOpInBoundsAccessChain, 3, 3},                          {SpvOpPtrAccessChain, 3, 3},
      {SpvOpArrayLength, 3, 3},    {SpvOpInBoundsPtrAccessChain, 3, 3},                       {SpvOpImageTexelPointer, 3, 3},
      {SpvOpCopyObject, 3, 3},     {SpvOpSelect, 4, 5},       {SpvOpFunctionCall, 4, 0xffff}, {SpvOpAtomicStore, 1, 1},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (rows[i].op == op) {
         *first = rows[i].first;
         *last = rows[i].last;
         return true;
      }
   }
   *first = *last = 3;
   return op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor;
}

void icd_spirv_mark_used(const struct icd_spirv_module *module, VkShaderStageFlags stage, bool *used)
{
   for (uint32_t i = 0; i < module->num_functions; i++) {
      const struct icd_spirv_function *function = &module->functions[i];
      if (!(function->stages & stage))
         continue;
      ICD_SPIRV_EACH(module, inst, function->begin, function->end) {
         uint32_t first, last;
         if (!pointer_operands(inst.op, &first, &last))
            continue;
         for (uint32_t word = first; word <= last && word < inst.count; word++) {
            if (icd_spirv_definition(module, inst.words[word]).op == SpvOpVariable)
               used[inst.words[word]] = true;
         }
      }
   }
}
