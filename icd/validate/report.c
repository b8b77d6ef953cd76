/* SPDX-License-Identifier: MIT */
#include "icd/validate/report.h"

#include "icd/validate/module.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct icd_rule_info icd_rules[ICD_NUM_RULES] = {
#define RULE(group, name, number, where, effect, needs, words)                                                         \
   {"VUID-" #group "-" #name "-" #number, ICD_RULE_##where, ICD_##effect, needs, words},
#include "icd/validate/rules.def"
#undef RULE
};

/* NULL: that is reported already, or there is no room. */
static struct icd_report_entry *entry_new(struct icd_report *report, enum icd_effect effect, const char *vuid)
{
   for (uint32_t i = 0; i < UTIL_MIN(report->num_broken, ICD_REPORT_MAX); i++) {
      if (report->entries[i].effect == effect && !strcmp(report->entries[i].vuid, vuid))
         return NULL;
   }
   const bool is_first_refusal = effect == ICD_REFUSE && report->num_refused++ == 0;
   uint32_t index = report->num_broken++;
   if (index >= ICD_REPORT_MAX && is_first_refusal)
      index = ICD_REPORT_MAX - 1; /* that the module was refused must not go unexplained */
   if (index >= ICD_REPORT_MAX)
      return NULL;
   struct icd_report_entry *entry = &report->entries[index];
   entry->effect = effect;
   snprintf(entry->vuid, sizeof(entry->vuid), "%s", vuid);
   entry->text[0] = 0;
   return entry;
}

UTIL_PRINTF(2, 3) static void append(struct icd_report_entry *entry, const char *format, ...)
{
   const size_t length = strlen(entry->text);
   va_list args;
   va_start(args, format);
   vsnprintf(entry->text + length, sizeof(entry->text) - length, format, args);
   va_end(args);
}

/* The name that OpName gives; NULL: none. The string ends inside of the instruction. */
static const char *name_of(const struct icd_spirv_module *module, uint32_t id)
{
   ICD_SPIRV_EACH(module, inst, 5, module->num_functions ? module->functions[0].begin : module->num_words) {
      const char *name = (const char *)(inst.words + 2);
      if (inst.op == SpvOpName && inst.count > 2 && inst.words[1] == id && *name && memchr(name, 0, (inst.count - 2) * 4))
         return name;
   }
   return NULL;
}

/* "%7 = OpLoad at word 80 (name), shader.comp:12" */
static void append_inst(struct icd_report_entry *entry, const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   struct icd_spirv_line line;
   const uint32_t id = icd_spirv_result(inst);
   if (id)
      append(entry, "%%%u = ", id);
   append(entry, "%s at word %u", icd_spirv_op_name(inst->op), (uint32_t)(inst->words - module->words));
   const char *name = id ? name_of(module, id) : NULL;
   if (name)
      append(entry, " (%.80s)", name);
   if (icd_spirv_find_line(module, inst, &line))
      append(entry, ", %.200s:%u", line.file, line.line);
}

/* What is outside of functions has no line of its own: where it is used has. */
static void append_location(struct icd_report_entry *entry, const struct icd_spirv_module *module, const struct icd_spirv_inst *inst)
{
   append(entry, "; in ");
   append_inst(entry, module, inst);
   if (!module->num_functions || inst->words >= module->words + module->functions[0].begin)
      return;
   const struct icd_spirv_inst use = icd_spirv_first_use(module, inst);
   if (use.count) {
      append(entry, ", used in ");
      append_inst(entry, module, &use);
   }
}

void icd_report_rule(struct icd_report *report, const struct icd_spirv_module *module, enum icd_rule rule,
                     const struct icd_spirv_inst *inst, const char *format, ...)
{
   const struct icd_rule_info *info = &icd_rules[rule];
   struct icd_report_entry *entry = entry_new(report, info->effect, info->vuid);
   if (!entry)
      return;
   append(entry, "%s", info->words);
   if (format) {
      const size_t length = strlen(entry->text);
      snprintf(entry->text + length, sizeof(entry->text) - length, ": ");
      va_list args;
      va_start(args, format);
      vsnprintf(entry->text + strlen(entry->text), sizeof(entry->text) - strlen(entry->text), format, args);
      va_end(args);
   }
   if (inst)
      append_location(entry, module, inst);
   if (info->needs[0])
      append(entry, "; enable %s", info->needs);
   append(entry, " [%s]", info->vuid);
}

void icd_report_tools(struct icd_report *report, enum icd_effect effect, const char *vuid, const struct icd_spirv_module *module,
                      const char *message, size_t instruction, const char *needs)
{
   struct icd_report_entry *entry = entry_new(report, effect, vuid);
   if (!entry)
      return;
   append(entry, "%s", message);
   ICD_SPIRV_EACH(module, inst, 5, module->num_words) {
      if (instruction && --instruction == 0) {
         append_location(entry, module, &inst);
         break;
      }
   }
   if (needs)
      append(entry, "; enable %s", needs);
   append(entry, " [%s]", vuid);
}

void icd_report_vuid(struct icd_report *report, const char *vuid, const char *format, ...)
{
   struct icd_report_entry *entry = entry_new(report, ICD_REFUSE, vuid);
   if (!entry)
      return;
   va_list args;
   va_start(args, format);
   vsnprintf(entry->text, sizeof(entry->text), format, args);
   va_end(args);
   append(entry, " [%s]", vuid);
}

void icd_report_at(struct icd_report *report, enum icd_effect effect, const char *vuid, const struct icd_spirv_module *module,
                   const struct icd_spirv_inst *inst, const char *needs, const char *format, ...)
{
   struct icd_report_entry *entry = entry_new(report, effect, vuid);
   if (!entry)
      return;
   va_list args;
   va_start(args, format);
   vsnprintf(entry->text, sizeof(entry->text), format, args);
   va_end(args);
   if (inst)
      append_location(entry, module, inst);
   if (needs)
      append(entry, "; enable %s", needs);
   append(entry, " [%s]", vuid);
}
