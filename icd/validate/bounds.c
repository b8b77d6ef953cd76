/* SPDX-License-Identifier: MIT
 * What is too large to look at: SPIRV-Tools takes time that grows with the square of some sizes, so modules far beyond any that
 * compilers write are refused before it sees them. The limits are a hundred times what large shaders have. */
#include "icd/validate/check.h"

#include "util/alloc.h"

enum {
   MAX_INSTRUCTIONS = 1 << 20,     /* of which SPIRV-Tools keeps up to 800 bytes each */
   MAX_BLOCK_SQUARES = 1 << 30,    /* summed over functions: 32,768 blocks in one take SPIRV-Tools two seconds */
   MAX_TYPE_PARTS = 1 << 18,       /* it walks structures as if they were written out; arrays count as one element */
   MAX_CALL_STEPS = 1 << 22,       /* its search for recursion goes from each function through all that it reaches */
};

/* ---- calls ---- */

/* A search through calls, from one function after the other. */
struct search {
   const struct icd_spirv_module *module;
   uint32_t *stack, *seen; /* [functions]; seen: the search that came by last */
   uint64_t steps;
};

static void search_from(struct search *search, uint32_t first, uint32_t stamp)
{
   uint32_t depth = 0;
   search->stack[depth++] = first;
   search->seen[first] = stamp;
   while (depth && search->steps <= MAX_CALL_STEPS) {
      const struct icd_spirv_function *function = &search->module->functions[search->stack[--depth]];
      for (uint32_t i = 0; i < function->num_calls; i++) {
         const uint32_t callee = search->module->calls[function->first_call + i];
         search->steps++;
         if (callee == UINT32_MAX || search->seen[callee] == stamp)
            continue;
         search->seen[callee] = stamp;
         search->stack[depth++] = callee;
      }
   }
}

static bool check_calls(const struct icd_check *check)
{
   const struct icd_spirv_module *module = check->module;
   struct search search = {.module = module};
   search.stack = util_calloc(module->num_functions + 1, sizeof(*search.stack));
   search.seen = util_calloc(module->num_functions + 1, sizeof(*search.seen));
   const bool has_memory = search.stack && search.seen;
   for (uint32_t f = 0; has_memory && f < module->num_functions && search.steps <= MAX_CALL_STEPS; f++)
      search_from(&search, f, f + 1);
   util_mfree(search.stack);
   util_mfree(search.seen);
   if (search.steps > MAX_CALL_STEPS)
      icd_report_vuid(check->report, ICD_RULE_VALID_SPIRV, "%u functions call each other too often to be checked", module->num_functions);
   return has_memory;
}

/* ---- types ---- */

/* The parts of a type written out, its own included; those of the types that it names are known. */
static uint32_t type_parts(const struct icd_check *check, const uint32_t *parts, const struct icd_spirv_inst *inst)
{
   uint32_t first = 2, end = 3;
   uint64_t sum = 1;
   switch (inst->op) {
   case SpvOpTypeStruct:
   case SpvOpTypeFunction:
      end = inst->count;
      break;
   case SpvOpTypePointer:
      first = 3;
      end = 4;
      break;
   case SpvOpTypeArray:
   case SpvOpTypeRuntimeArray:
      break;
   default:
      return 1;
   }
   for (uint32_t i = first; i < end && i < inst->count; i++)
      sum += inst->words[i] < check->module->bound ? parts[inst->words[i]] : 0;
   return (uint32_t)UTIL_MIN(sum, (uint64_t)MAX_TYPE_PARTS + 1);
}

static bool check_types(const struct icd_check *check)
{
   uint32_t *parts = util_calloc(check->module->bound, sizeof(*parts)); /* by id */
   if (!parts)
      return false;
   ICD_CHECK_GLOBALS(check, inst) {
      const uint32_t id = icd_spirv_result(&inst);
      if (!id || id >= check->module->bound || icd_spirv_result_type(&inst))
         continue;
      parts[id] = type_parts(check, parts, &inst);
      if (parts[id] <= MAX_TYPE_PARTS)
         continue;
      icd_report_vuid(check->report, ICD_RULE_VALID_SPIRV, "type %%%u has more than %u parts, too many to be checked", id, MAX_TYPE_PARTS);
      break;
   }
   util_mfree(parts);
   return true;
}

bool icd_check_bounds(const struct icd_check *check)
{
   uint64_t num_instructions = 0, squares = 0, num_blocks = 0;
   ICD_SPIRV_EACH(check->module, inst, 5, check->module->num_words) {
      num_instructions++;
      num_blocks += inst.op == SpvOpLabel;
      if (inst.op == SpvOpFunctionEnd) {
         squares += num_blocks * num_blocks;
         num_blocks = 0;
      }
   }
   squares += num_blocks * num_blocks; /* of a function that does not end */
   if (num_instructions > MAX_INSTRUCTIONS)
      icd_report_vuid(check->report, ICD_RULE_VALID_SPIRV, "the module has %llu instructions, more than the %u that are checked",
                      (unsigned long long)num_instructions, MAX_INSTRUCTIONS);
   else if (squares > MAX_BLOCK_SQUARES)
      icd_report_vuid(check->report, ICD_RULE_VALID_SPIRV, "functions have too many blocks to be checked: one may have 32768");
   const bool has_memory = check_types(check);
   return check_calls(check) && has_memory;
}
