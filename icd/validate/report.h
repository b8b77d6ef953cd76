/* SPDX-License-Identifier: MIT
 * The rules by name, and what is reported of those that a module breaks.
 * Source of the rules: Vulkan Environment for SPIR-V, "Validation Rules Within a Module". */
#pragma once

#include "util/macros.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What comes of a broken rule. REFUSE: what it forbids is undefined or unsafe on this device, or may hide something that is.
 * WARN: it breaks the letter but has one meaning, which this device gives; it is reported and taken. */
enum icd_effect { ICD_REFUSE, ICD_WARN };

enum icd_rule_where { ICD_RULE_SPIRV_TOOLS, ICD_RULE_MODULE, ICD_RULE_PIPELINE, ICD_RULE_RUN_TIME, ICD_RULE_NOT_EXPOSED };

/* ICD_RULE_RuntimeSpirv_x_06429 and so on. */
enum icd_rule {
#define RULE(group, name, number, where, effect, needs, words) ICD_RULE_##group##_##name##_##number,
#include "icd/validate/rules.def"
#undef RULE
   ICD_NUM_RULES
};

struct icd_rule_info {
   const char *vuid; /* VUID-RuntimeSpirv-x-06429 */
   enum icd_rule_where where;
   enum icd_effect effect;
   const char *needs; /* what to enable; of NOT_EXPOSED what is not offered; may be empty */
   const char *words; /* empty where SPIRV-Tools has its own */
};

extern const struct icd_rule_info icd_rules[ICD_NUM_RULES];

enum { ICD_REPORT_MAX = 16, ICD_REPORT_TEXT = 1024 };

/* What was found. Fixed size: a module that breaks a hundred rules learns of sixteen, one that refuses it among them. */
struct icd_report {
   uint32_t num_broken, num_refused; /* refused: those of effect REFUSE */
   struct icd_report_entry {
      enum icd_effect effect;
      char vuid[96];
      char text[ICD_REPORT_TEXT];
   } entries[ICD_REPORT_MAX];
};

struct icd_spirv_module;
struct icd_spirv_inst;

/* Adds a broken rule; `inst` (NULL: none) is named with its line of the source. `format` (NULL: none) says more. A rule that is
 * already there is not reported again. */
UTIL_PRINTF(5, 6) void icd_report_rule(struct icd_report *report, const struct icd_spirv_module *module, enum icd_rule rule,
                                       const struct icd_spirv_inst *inst, const char *format, ...);

/* Adds what SPIRV-Tools says of the instruction of that number, counted from 1 (0: none). `needs`: what to enable, or NULL. */
void icd_report_tools(struct icd_report *report, enum icd_effect effect, const char *vuid, const struct icd_spirv_module *module,
                      const char *message, size_t instruction, const char *needs);

/* Adds a rule that is not of the table, in the words given; it refuses. */
UTIL_PRINTF(3, 4) void icd_report_vuid(struct icd_report *report, const char *vuid, const char *format, ...);
/* The same with another effect, at an instruction (NULL: none). `needs`: what to enable, or NULL. */
UTIL_PRINTF(7, 8) void icd_report_at(struct icd_report *report, enum icd_effect effect, const char *vuid,
                                     const struct icd_spirv_module *module, const struct icd_spirv_inst *inst, const char *needs,
                                     const char *format, ...);
