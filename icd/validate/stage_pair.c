/* SPDX-License-Identifier: MIT
 * What one stage writes for the next. Source: Shader Interfaces, "Interface Matching" and "Location and Component Assignment". */
#include "icd/validate/check.h"
#include "icd/validate/pipeline.h"
#include "util/spirv_numbers.h"

#include <string.h>

enum { MAX_LOCATIONS = 128, MAX_DEPTH = 8, MAX_STEPS = 1 << 16 };

/* One component of one location. */
struct io_slot {
   uint32_t variable; /* id; 0: nothing is here */
   uint32_t type;     /* scalar, as SpvOpType*, width and signedness mixed */
   uint8_t length;    /* of the vector that a variable or member is; 0: something else */
   bool is_struct, is_block; /* of the whole variable */
   bool is_first;            /* of the vector's components */
};

/* Of patches, or of what vertices have: each has locations of its own. */
struct io_table {
   const struct icd_spirv_module *module;
   bool is_of_patch;
   uint32_t num_steps;
   struct io_slot slots[MAX_LOCATIONS][4];
};

/* What is being laid out: the same for all parts of a variable. */
struct io_object {
   uint32_t variable, component;
   bool is_patch, is_struct, is_block;
};

static uint32_t scalar_key(const struct icd_spirv_inst *scalar)
{
   return (uint32_t)scalar->op << 16 | icd_spirv_word(scalar, 2) << 1 | (icd_spirv_word(scalar, 3) & 1);
}

static uint32_t put_vector(struct io_table *table, const struct io_object *object, uint32_t type, uint32_t location, uint32_t length)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(table->module, type);
   const uint32_t words = icd_spirv_word(&scalar, 2) == 64 ? 2 : 1;
   const uint32_t end = object->component + length * words;
   for (uint32_t at = object->component; at < end; at++) {
      if (location + at / 4 < MAX_LOCATIONS && object->is_patch == table->is_of_patch)
         table->slots[location + at / 4][at % 4] = (struct io_slot){object->variable,  scalar_key(&scalar), (uint8_t)length,
                                                                     object->is_struct, object->is_block, at == object->component};
   }
   return (end + 3) / 4;
}

/* Lays out an object and gives the number of locations that it takes. */
static uint32_t put(struct io_table *table, const struct io_object *object, uint32_t type, uint32_t location, uint32_t depth)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(table->module, type);
   uint32_t length = icd_spirv_word(&inst, 3), taken = 0;
   /* Structures of empty structures take no locations, but time. */
   if (!depth || location >= MAX_LOCATIONS || table->num_steps++ > MAX_STEPS)
      return 0;
   switch ((uint32_t)inst.op) {
   case SpvOpTypeVector:
   case UTIL_SPV_OP_TYPE_VECTOR_ID:
      return put_vector(table, object, type, location, UTIL_MIN(icd_spirv_components(table->module, &inst), 16u));
   case SpvOpTypeArray:
      if (!icd_spirv_constant(table->module, length, &length))
         return 0;
      __attribute__((fallthrough));
   case SpvOpTypeMatrix:
      for (uint32_t i = 0; i < UTIL_MIN(length, (uint32_t)MAX_LOCATIONS); i++)
         taken += put(table, object, icd_spirv_word(&inst, 2), location + taken, depth - 1);
      return taken;
   case SpvOpTypeStruct:
      for (uint32_t i = 2; i < inst.count && taken < MAX_LOCATIONS; i++) {
         struct io_object member = *object;
         member.component = icd_spirv_decorated(table->module, type, i - 2, SpvDecorationComponent, 0);
         member.is_patch = object->is_patch || icd_spirv_find(table->module, type, i - 2, SpvDecorationPatch);
         const uint32_t at = icd_spirv_decorated(table->module, type, i - 2, SpvDecorationLocation, location + taken);
         taken = UTIL_MAX(at, location) - location + put(table, &member, inst.words[i], at, depth - 1);
      }
      return taken;
   default:
      return put_vector(table, object, type, location, 1);
   }
}

static bool is_builtin(const struct icd_spirv_module *module, uint32_t variable, uint32_t type)
{
   return icd_spirv_find(module, variable, UINT32_MAX, SpvDecorationBuiltIn) || icd_spirv_find(module, type, 0, SpvDecorationBuiltIn);
}

static void put_variable(struct io_table *table, const struct icd_check_stage *stage, SpvStorageClass wanted, uint32_t id)
{
   const struct icd_spirv_inst variable = icd_spirv_definition(table->module, id);
   SpvStorageClass where = SpvStorageClassMax;
   uint32_t type = icd_spirv_pointee(table->module, icd_spirv_word(&variable, 1), &where);
   if (variable.op != SpvOpVariable || where != wanted)
      return;
   struct io_object object = {
      .variable = id,
      .component = icd_spirv_decorated(table->module, id, UINT32_MAX, SpvDecorationComponent, 0) & 3,
      .is_patch = icd_spirv_find(table->module, id, UINT32_MAX, SpvDecorationPatch) != NULL,
   };
   if (icd_spirv_is_arrayed(table->module, id, stage->stage, where == SpvStorageClassInput)) {
      const struct icd_spirv_inst array = icd_spirv_definition(table->module, type);
      type = icd_spirv_word(&array, 2);
   }
   object.is_struct = icd_spirv_definition(table->module, type).op == SpvOpTypeStruct;
   object.is_block = icd_spirv_find(table->module, type, UINT32_MAX, SpvDecorationBlock) != NULL;
   const uint32_t location = icd_spirv_decorated(table->module, id, UINT32_MAX, SpvDecorationLocation, object.is_struct ? 0 : UINT32_MAX);
   if (!is_builtin(table->module, id, type) && location != UINT32_MAX)
      (void)put(table, &object, type, location, MAX_DEPTH);
}

static void fill(struct io_table *table, const struct icd_check_stage *stage, SpvStorageClass where, bool is_of_patch)
{
   memset(table, 0, sizeof(*table));
   table->module = &stage->module;
   table->is_of_patch = is_of_patch;
   for (uint32_t i = stage->entry->first_interface; i < stage->entry->inst.count; i++)
      put_variable(table, stage, where, stage->entry->inst.words[i]);
}

static const char *class_name(uint32_t key)
{
   return key >> 16 == SpvOpTypeFloat ? "float" : key & 1 ? "signed integer" : "unsigned integer";
}

/* other: what stands at the location of patches where the input is of vertices, and the reverse. */
static void compare(const struct icd_check *check, const struct io_slot *output, const struct io_slot *other, const struct io_slot *input,
                    uint32_t location, uint32_t component)
{
   const struct icd_spirv_inst variable = icd_spirv_definition(check->module, input->variable);
   if (!output->variable && other->variable)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpVariable_08746, &variable, "location %u", location);
   else if (!output->variable)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpEntryPoint_08743, &variable, "location %u component %u", location, component);
   else if (output->type != input->type)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpEntryPoint_07754, &variable,
                         "at location %u component %u the output is %u-bit %s, the input %u-bit %s", location, component,
                         output->type >> 1 & 0xff, class_name(output->type), input->type >> 1 & 0xff, class_name(input->type));
   else if (output->is_struct && input->is_struct && output->is_block != input->is_block)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_OpVariable_08746, &variable, "location %u", location);
   else if (output->length > input->length && !check->env->features->maintenance4)
      ICD_BROKEN_BECAUSE(check, RuntimeSpirv_maintenance4_06817, &variable, "location %u", location);
}

static enum icd_io_class class_of(uint32_t key)
{
   return key >> 16 == SpvOpTypeFloat ? ICD_IO_FLOAT : key & 1 ? ICD_IO_SINT : ICD_IO_UINT;
}

void icd_stage_locations(const struct icd_check_stage *stage, SpvStorageClass where, struct icd_io_type *types, uint32_t count)
{
   struct io_table table;
   fill(&table, stage, where, false);
   for (uint32_t location = 0; location < UTIL_MIN(count, (uint32_t)MAX_LOCATIONS); location++) {
      for (uint32_t component = 0; component < 4; component++) {
         const struct io_slot *slot = &table.slots[location][component];
         if (slot->is_first)
            types[location] = (struct icd_io_type){class_of(slot->type), (uint8_t)(slot->type >> 1), (uint8_t)slot->length};
      }
   }
}

void icd_check_stage_pair(const struct icd_validate_env *env, const struct icd_check_stage *previous, const struct icd_check_stage *next,
                          struct icd_report *report)
{
   const struct icd_check check = {&next->module, env, report};
   struct io_table outputs[2], inputs;
   for (uint32_t i = 0; i < 2; i++)
      fill(&outputs[i], previous, SpvStorageClassOutput, i);
   for (uint32_t i = 0; i < 2; i++) {
      fill(&inputs, next, SpvStorageClassInput, i);
      for (uint32_t location = 0; location < MAX_LOCATIONS; location++) {
         for (uint32_t component = 0; component < 4; component++) {
            if (inputs.slots[location][component].variable)
               compare(&check, &outputs[i].slots[location][component], &outputs[!i].slots[location][component],
                       &inputs.slots[location][component], location, component);
         }
      }
   }
}
