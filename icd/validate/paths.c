/* SPDX-License-Identifier: MIT
 * What happens on every path through an entry point: with maintenance5 a PointSize that is written at all is written on each.
 * Paths are those of the control-flow graph, whatever conditions say; one that writes no output at all, as an early return does,
 * makes nothing that has a size. */
#include "icd/validate/check.h"
#include "util/spirv_numbers.h"

#include "util/alloc.h"
#include "util/size.h"

#include <stdlib.h>
#include <string.h>

/* What a function does to PointSize. */
struct writes {
   bool may, must;
   bool others; /* writes other outputs */
   bool half;   /* returns on some path with other outputs written but not PointSize */
};

/* How a block is reached with PointSize not written. */
enum { REACHED_BARE = 1, REACHED_WITH_OTHERS = 2 };

struct walk {
   const struct icd_spirv_module *module;
   struct writes *functions;  /* [num_functions] */
   uint32_t *blocks, *stack;  /* of the largest function: offsets of labels, ascending; indices of blocks to visit */
   uint8_t *reached;          /* [labels]: REACHED_* */
};

/* True for a pointer to a whole object with PointSize, or to the member itself. */
static bool points_at_size(const struct icd_spirv_module *module, uint32_t pointer)
{
   SpvStorageClass where = SpvStorageClassMax;
   const uint32_t id = icd_spirv_base_variable(module, pointer);
   const struct icd_spirv_inst variable = icd_spirv_definition(module, id), chain = icd_spirv_definition(module, pointer);
   const uint32_t type = icd_spirv_pointee(module, icd_spirv_word(&variable, 1), &where);
   uint32_t member;
   if (variable.op != SpvOpVariable || where != SpvStorageClassOutput)
      return false;
   if (icd_spirv_decorated(module, id, UINT32_MAX, SpvDecorationBuiltIn, SpvBuiltInMax) == SpvBuiltInPointSize)
      return true;
   const struct icd_spirv_inst block = icd_spirv_definition(module, type);
   if (block.op != SpvOpTypeStruct)
      return false;
   const bool has_member = chain.op == SpvOpAccessChain || chain.op == SpvOpInBoundsAccessChain;
   for (uint32_t i = 2; i < block.count; i++) {
      if (icd_spirv_decorated(module, type, i - 2, SpvDecorationBuiltIn, SpvBuiltInMax) == SpvBuiltInPointSize)
         return !has_member || (icd_spirv_constant(module, icd_spirv_word(&chain, 4), &member) && member == i - 2);
   }
   return false;
}

static uint32_t function_at(const struct icd_spirv_module *module, uint32_t id)
{
   const struct icd_spirv_function *found = icd_spirv_find_function(module, id);
   return found ? (uint32_t)(found - module->functions) : UINT32_MAX;
}

static bool points_at_output(const struct icd_spirv_module *module, uint32_t pointer)
{
   const struct icd_spirv_inst variable = icd_spirv_definition(module, icd_spirv_base_variable(module, pointer));
   return icd_spirv_word(&variable, 3) == SpvStorageClassOutput;
}

static struct writes writes_of(const struct walk *walk, const struct icd_spirv_inst *inst)
{
   if (inst->op == SpvOpStore || inst->op == SpvOpCopyMemory) {
      const bool is_size = points_at_size(walk->module, icd_spirv_word(inst, 1));
      return (struct writes){.may = is_size, .must = is_size, .others = points_at_output(walk->module, icd_spirv_word(inst, 1))};
   }
   const uint32_t callee = inst->op == SpvOpFunctionCall ? function_at(walk->module, icd_spirv_word(inst, 3)) : UINT32_MAX;
   return callee == UINT32_MAX ? (struct writes){.may = false} : walk->functions[callee];
}

static int compare_offsets(const void *a, const void *b)
{
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
   return (x > y) - (x < y);
}

/* Goes on unwritten to the block of a label. */
static void reach(struct walk *walk, uint32_t num_blocks, uint32_t label, uint8_t how, uint32_t *depth)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(walk->module, label);
   const uint32_t offset = (uint32_t)(inst.words - walk->module->words);
   const uint32_t *found = bsearch(&offset, walk->blocks, num_blocks, sizeof(offset), compare_offsets);
   if (!found || walk->reached[found - walk->blocks] >= how)
      return;
   walk->reached[found - walk->blocks] = how;
   walk->stack[(*depth)++] = (uint32_t)(found - walk->blocks);
}

static void reach_targets(struct walk *walk, uint32_t num_blocks, const struct icd_spirv_inst *inst, uint8_t how, uint32_t *depth)
{
   if (inst->op == SpvOpBranch) {
      reach(walk, num_blocks, icd_spirv_word(inst, 1), how, depth);
   } else if (inst->op == SpvOpBranchConditional) {
      reach(walk, num_blocks, icd_spirv_word(inst, 2), how, depth);
      reach(walk, num_blocks, icd_spirv_word(inst, 3), how, depth);
   } else if (inst->op == SpvOpSwitch) {
      const struct icd_spirv_inst type = icd_spirv_scalar(walk->module, icd_spirv_type_of(walk->module, icd_spirv_word(inst, 1)));
      const uint32_t literal_words = icd_spirv_word(&type, 2) > 32 ? 2 : 1;
      reach(walk, num_blocks, icd_spirv_word(inst, 2), how, depth);
      for (uint32_t i = 3 + literal_words; i < inst->count; i += literal_words + 1)
         reach(walk, num_blocks, inst->words[i], how, depth);
   }
}

static bool ends_block(SpvOp op)
{
   return op == SpvOpBranch || op == SpvOpBranchConditional || op == SpvOpSwitch || op == SpvOpReturn || op == SpvOpReturnValue ||
          op == SpvOpKill || op == SpvOpUnreachable || op == SpvOpTerminateInvocation || op == (SpvOp)UTIL_SPV_OP_ABORT ||
          op == SpvOpFunctionEnd;
}

/* Visits what is reached with PointSize not written yet: each block once, and again if other outputs come to be written. */
static struct writes walk_function(struct walk *walk, const struct icd_spirv_function *function)
{
   struct writes writes = {.must = true};
   uint32_t num_blocks = 0, depth = 0;
   ICD_SPIRV_EACH(walk->module, inst, function->begin, function->end) {
      const struct writes own = writes_of(walk, &inst);
      writes.may |= own.may;
      writes.others |= own.others;
      if (inst.op != SpvOpLabel)
         continue;
      walk->reached[num_blocks] = 0;
      walk->blocks[num_blocks++] = (uint32_t)(inst.words - walk->module->words);
   }
   if (num_blocks) {
      const struct icd_spirv_inst entry = icd_spirv_at(walk->module, walk->blocks[0]);
      reach(walk, num_blocks, icd_spirv_word(&entry, 1), REACHED_BARE, &depth);
   }
   while (depth && writes.may) {
      const uint32_t block = walk->stack[--depth];
      uint8_t how = walk->reached[block];
      ICD_SPIRV_EACH(walk->module, inst, walk->blocks[block], function->end) {
         const struct writes own = writes_of(walk, &inst);
         const bool is_return = inst.op == SpvOpReturn || inst.op == SpvOpReturnValue;
         how = own.must ? 0 : own.others && how ? REACHED_WITH_OTHERS : how;
         if (!ends_block(inst.op))
            continue;
         writes.must &= !how || !is_return;
         writes.half |= how == REACHED_WITH_OTHERS && is_return;
         if (how)
            reach_targets(walk, num_blocks, &inst, how, &depth);
         break;
      }
   }
   writes.must &= writes.may;
   return writes;
}

static uint32_t max_labels(const struct icd_spirv_module *module)
{
   uint32_t max = 1, count = 0;
   ICD_SPIRV_EACH(module, inst, 5, module->num_words) {
      count = inst.op == SpvOpFunction ? 0 : count + (inst.op == SpvOpLabel);
      max = UTIL_MAX(max, count);
   }
   return max;
}

/* Callees before callers: compilers write them in one order or the other, so two sweeps settle nearly all modules. */
static bool settle(struct walk *walk)
{
   enum { MAX_SWEEPS = 8 };
   const uint32_t count = walk->module->num_functions;
   bool has_changed = true;
   for (uint32_t sweep = 0; sweep < MAX_SWEEPS && has_changed; sweep++) {
      has_changed = false;
      for (uint32_t i = 0; i < count; i++) {
         const uint32_t f = sweep & 1 ? i : count - 1 - i;
         const struct writes old = walk->functions[f];
         walk->functions[f] = walk_function(walk, &walk->module->functions[f]);
         has_changed |= memcmp(&old, &walk->functions[f], sizeof(old)) != 0;
      }
   }
   return !has_changed;
}

bool icd_check_paths(const struct icd_check *check)
{
   /* Of geometry shaders the rule is about what each vertex is emitted with, and one that emits none writes nothing. */
   const VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
   const struct icd_spirv_module *module = check->module;
   if (!check->env->features->maintenance5)
      return true;
   struct walk walk = {.module = module};
   const uint32_t num_labels = max_labels(module);
   walk.functions = util_calloc(module->num_functions + 1, sizeof(*walk.functions));
   walk.blocks = util_calloc(num_labels, sizeof(*walk.blocks));
   walk.stack = util_calloc(util_size_mul(2, num_labels), sizeof(*walk.stack));
   walk.reached = util_calloc(num_labels, sizeof(*walk.reached));
   const bool has_memory = walk.functions && walk.blocks && walk.stack && walk.reached;
   const bool is_settled = has_memory && settle(&walk);
   for (uint32_t i = 0; is_settled && i < module->num_entries; i++) {
      const struct icd_spirv_entry *entry = &module->entries[i];
      const uint32_t f = function_at(module, entry->function);
      if (entry->stage & stages && f != UINT32_MAX && walk.functions[f].may && walk.functions[f].half)
         ICD_BROKEN(check, RuntimeSpirv_maintenance5_09190, &entry->inst);
   }
   util_mfree(walk.functions);
   util_mfree(walk.blocks);
   util_mfree(walk.stack);
   util_mfree(walk.reached);
   return has_memory;
}
