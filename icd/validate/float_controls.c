/* SPDX-License-Identifier: MIT
 * Float controls: execution modes and fast-math flags against the device's properties. */
#include "icd/validate/check.h"

#include "util/alloc.h"

#include <stddef.h>
#include <string.h>

enum { NUM_WIDTHS = 3, NUM_MODES = 5 };

static uint32_t width_index(uint32_t bits)
{
   return bits == 16 ? 0 : bits == 32 ? 1 : bits == 64 ? 2 : NUM_WIDTHS;
}

struct mode_row {
   SpvExecutionMode mode;
   struct {
      enum icd_rule rule;
      uint32_t property; /* byte offset of a VkBool32 in struct icd_properties */
   } widths[NUM_WIDTHS];
};

#define WIDTH(name, bits, number)                                                                                      \
   {ICD_RULE_RuntimeSpirv_shader##name##Float##bits##_##number, offsetof(struct icd_properties, shader##name##Float##bits)}
#define MODE(name, number16, number32, number64)                                                                       \
   {SpvExecutionMode##name, {WIDTH(name, 16, number16), WIDTH(name, 32, number32), WIDTH(name, 64, number64)}}

static const struct mode_row mode_rows[NUM_MODES] = {
   MODE(SignedZeroInfNanPreserve, 06293, 06294, 06295), MODE(DenormPreserve, 06296, 06297, 06298),
   MODE(DenormFlushToZero, 06299, 06300, 06301),        MODE(RoundingModeRTE, 06302, 06303, 06304),
   MODE(RoundingModeRTZ, 06305, 06306, 06307),
};

static bool has_property(const struct icd_check *check, uint32_t offset)
{
   VkBool32 value;
   memcpy(&value, (const char *)check->env->properties + offset, sizeof(value));
   return value;
}

/* The modes that one entry point asks for, by width; 0: none asked. */
struct asked {
   uint32_t denorm[NUM_WIDTHS], rounding[NUM_WIDTHS];
};

static void read_mode(const struct icd_check *check, const struct icd_spirv_inst *inst, struct asked *asked)
{
   const SpvExecutionMode mode = (SpvExecutionMode)icd_spirv_word(inst, 2);
   const uint32_t width = width_index(icd_spirv_word(inst, 3));
   for (uint32_t i = 0; i < NUM_MODES && width < NUM_WIDTHS; i++) {
      if (mode_rows[i].mode != mode)
         continue;
      if (!has_property(check, mode_rows[i].widths[width].property))
         icd_report_rule(check->report, check->module, mode_rows[i].widths[width].rule, inst, NULL);
      if (mode == SpvExecutionModeDenormPreserve || mode == SpvExecutionModeDenormFlushToZero)
         asked->denorm[width] = mode;
      else if (mode != SpvExecutionModeSignedZeroInfNanPreserve)
         asked->rounding[width] = mode;
   }
}

static bool differ(const uint32_t modes[NUM_WIDTHS], uint32_t a, uint32_t b)
{
   return modes[a] && modes[b] && modes[a] != modes[b];
}

static void check_independence(const struct icd_check *check, const uint32_t modes[NUM_WIDTHS],
                               VkShaderFloatControlsIndependence independence, enum icd_rule only_32, enum icd_rule none,
                               const struct icd_spirv_inst *entry)
{
   if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_32_BIT_ONLY && differ(modes, 0, 2))
      icd_report_rule(check->report, check->module, only_32, entry, NULL);
   if (independence == VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE &&
       (differ(modes, 0, 1) || differ(modes, 0, 2) || differ(modes, 1, 2)))
      icd_report_rule(check->report, check->module, none, entry, NULL);
}

/* The modes of all functions that are entry points first, then each entry point. */
static bool check_modes(const struct icd_check *check)
{
   const struct icd_spirv_module *module = check->module;
   struct asked *asked = util_calloc(module->num_functions + 1, sizeof(*asked));
   if (!asked)
      return false;
   ICD_CHECK_GLOBALS(check, inst) {
      const struct icd_spirv_function *function =
         inst.op == SpvOpExecutionMode ? icd_spirv_find_function(module, icd_spirv_word(&inst, 1)) : NULL;
      if (function)
         read_mode(check, &inst, &asked[function - module->functions]);
   }
   for (uint32_t i = 0; i < module->num_entries; i++) {
      const struct icd_spirv_entry *entry = &module->entries[i];
      const struct icd_spirv_function *function = icd_spirv_find_function(module, entry->function);
      const struct asked *modes = function ? &asked[function - module->functions] : NULL;
      if (!modes)
         continue;
      check_independence(check, modes->denorm, check->env->properties->denormBehaviorIndependence,
                         ICD_RULE_RuntimeSpirv_denormBehaviorIndependence_06289,
                         ICD_RULE_RuntimeSpirv_denormBehaviorIndependence_06290, &entry->inst);
      check_independence(check, modes->rounding, check->env->properties->roundingModeIndependence,
                         ICD_RULE_RuntimeSpirv_roundingModeIndependence_06291,
                         ICD_RULE_RuntimeSpirv_roundingModeIndependence_06292, &entry->inst);
   }
   util_mfree(asked);
   return true;
}

/* ---- fast-math flags ---- */

static const struct {
   enum icd_rule by_default, decorated;
   uint32_t property;
} fast_math_rows[NUM_WIDTHS] = {
#define FAST(bits, number, next)                                                                                       \
   {ICD_RULE_RuntimeSpirv_shaderSignedZeroInfNanPreserveFloat##bits##_##number,                                        \
    ICD_RULE_RuntimeSpirv_shaderSignedZeroInfNanPreserveFloat##bits##_##next,                                          \
    offsetof(struct icd_properties, shaderSignedZeroInfNanPreserveFloat##bits)}
   FAST(16, 09559, 09560),
   FAST(32, 09561, 09562),
   FAST(64, 09563, 09564),
};

static bool keeps_special_values(uint32_t flags)
{
   const uint32_t needed = SpvFPFastMathModeNSZMask | SpvFPFastMathModeNotInfMask | SpvFPFastMathModeNotNaNMask;
   return (flags & needed) != needed;
}

static uint32_t float_width(const struct icd_check *check, uint32_t type)
{
   const struct icd_spirv_inst scalar = icd_spirv_scalar(check->module, type);
   return scalar.op == SpvOpTypeFloat ? width_index(icd_spirv_word(&scalar, 2)) : NUM_WIDTHS;
}

static void check_default(const struct icd_check *check, const struct icd_spirv_inst *inst)
{
   const uint32_t width = float_width(check, icd_spirv_word(inst, 3));
   uint32_t flags;
   if (width < NUM_WIDTHS && icd_spirv_constant(check->module, icd_spirv_word(inst, 4), &flags) &&
       keeps_special_values(flags) && !has_property(check, fast_math_rows[width].property))
      icd_report_rule(check->report, check->module, fast_math_rows[width].by_default, inst, NULL);
}

static void check_decorated(const struct icd_check *check, const struct icd_spirv_decoration *decoration)
{
   const struct icd_spirv_inst inst = icd_spirv_definition(check->module, decoration->target);
   if (!decoration->num_operands || !keeps_special_values(check->module->words[decoration->offset]))
      return;
   /* Word 1 is the result's type; what the others name has one if it is a value. */
   for (uint32_t i = 1; i < inst.count; i++) {
      const uint32_t type = i == 1 ? inst.words[1] : i == 2 ? 0 : icd_spirv_type_of(check->module, inst.words[i]);
      const uint32_t width = float_width(check, type);
      if (width < NUM_WIDTHS && !has_property(check, fast_math_rows[width].property))
         icd_report_rule(check->report, check->module, fast_math_rows[width].decorated, &inst, NULL);
   }
}

bool icd_check_float_controls(const struct icd_check *check)
{
   ICD_CHECK_GLOBALS(check, inst) {
      if (inst.op == SpvOpExecutionModeId && icd_spirv_word(&inst, 2) == SpvExecutionModeFPFastMathDefault)
         check_default(check, &inst);
   }
   for (uint32_t i = 0; i < check->module->num_decorations; i++) {
      if (check->module->decorations[i].name == SpvDecorationFPFastMathMode)
         check_decorated(check, &check->module->decorations[i]);
   }
   return check_modes(check);
}
