/* SPDX-License-Identifier: MIT
 * The table of rules (icd/validate/rules.def) against the list of all rules, and its rows against what happens: for each rule that is
 * checked when a module is made, one module that breaks it alone is reported by the rule's name, with the effect of its row, and one that
 * obeys it is taken; and so are
 * the other forms of breaking and obeying that there are modules of.
 * Usage: rules_test LIST FOLDER [RULE]
 * LIST: identifiers, one a line; FOLDER has RULE.bad.spvasm and RULE.ok.spvasm, and RULE.{bad,ok}.WORD.spvasm of other forms */
#include "icd/validate/report.h"
#include "tests/icd/validate/env.h"
#include "tests/test.h"

#include <dirent.h>
#include <stdlib.h>

static const char *list_path, *folder, *wanted;

static const struct icd_rule_info *find_rule(const char *vuid)
{
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++) {
      if (!strcmp(icd_rules[i].vuid, vuid))
         return &icd_rules[i];
   }
   return NULL;
}

/* Each rule of the list has a row, and each row a rule. */
TEST(complete)
{
   char line[128];
   uint32_t count = 0;
   FILE *file = fopen(list_path, "r");
   CHECK(file != NULL);
   while (file && fgets(line, sizeof(line), file)) {
      line[strcspn(line, "\n")] = 0;
      count++;
      if (!find_rule(line)) {
         fprintf(stderr, "%s has no row\n", line);
         CHECK(!"a rule is missing");
      }
   }
   if (file)
      fclose(file);
   CHECK_EQ(count, ICD_NUM_RULES);
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++)
      CHECK(find_rule(icd_rules[i].vuid) == &icd_rules[i]); /* no row twice */
}

/* What a row says: what is not exposed is not, and what is to be enabled is a feature. */
TEST(rows)
{
   struct test_env env;
   struct spvasm none = {0};
   test_env_of_module(&env, &none);
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++) {
      const struct icd_rule_info *rule = &icd_rules[i];
      bool is_good = true;
      if (rule->where == ICD_RULE_NOT_EXPOSED && !strncmp(rule->needs, "VK_", 3)) {
         const enum icd_extension id = icd_extension_find(rule->needs);
         is_good = id == ICD_NUM_EXTENSIONS || !icd_has_extension(&env.extensions, id);
      } else if (rule->where == ICD_RULE_NOT_EXPOSED) {
         const struct icd_features before = env.features;
         is_good = test_env_set_feature(&env, rule->needs, false) && !memcmp(&before, &env.features, sizeof(before));
      } else if (rule->needs[0] && !strchr(rule->needs, ' ')) {
         const struct icd_features offered = env.features;
         is_good = test_env_set_feature(&env, rule->needs, true) &&
                   (rule->effect == ICD_REFUSE || !memcmp(&offered, &env.features, sizeof(offered))); /* what is taken is offered */
         test_env_of_module(&env, &none);
      }
      if ((rule->where == ICD_RULE_MODULE || rule->where == ICD_RULE_PIPELINE) && !rule->words[0])
         is_good = false;
      if (!is_good) {
         fprintf(stderr, "%s: \"%s\"\n", rule->vuid, rule->needs);
         CHECK(!"a row is wrong");
      }
   }
}

/* The documentation's table has a row for each rule that only warns, and no other. */
TEST(documented)
{
   char line[1000];
   uint32_t count = 0, num_warn = 0;
   FILE *file = fopen(DOCS_PATH "/VALIDATION.md", "r");
   CHECK(file != NULL);
   while (file && fgets(line, sizeof(line), file)) {
      char vuid[128];
      if (strncmp(line, "| StandaloneSpirv-", 18) != 0 && strncmp(line, "| RuntimeSpirv-", 15) != 0)
         continue;
      snprintf(vuid, sizeof(vuid), "VUID-%.*s", (int)strcspn(line + 2, " "), line + 2);
      const struct icd_rule_info *rule = find_rule(vuid);
      if (!rule || rule->effect != ICD_WARN)
         fprintf(stderr, "%s is documented as a warning\n", vuid);
      CHECK(rule && rule->effect == ICD_WARN);
      count++;
   }
   if (file)
      fclose(file);
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++)
      num_warn += icd_rules[i].effect == ICD_WARN;
   CHECK_EQ(count, num_warn);
}

static void print_report(const char *path, const struct icd_report *report)
{
   fprintf(stderr, "%s: %u broken\n", path, report->num_broken);
   for (uint32_t i = 0; i < UTIL_MIN(report->num_broken, ICD_REPORT_MAX); i++)
      fprintf(stderr, "   %s: %s\n", report->entries[i].vuid, report->entries[i].text);
}

/* What is reported along with a rule that is not enabled: its capability or extension is not either. */
static bool is_of_enabling(const char *vuid)
{
   return strstr(vuid, "pCode-08740") || strstr(vuid, "pCode-08742");
}

/* False: there is nothing to check. */
static bool check_file(const char *path, struct icd_report *report)
{
   struct spvasm module;
   struct test_env env;
   memset(report, 0, sizeof(*report));
   if (test_is_left_out(path))
      return false;
   if (!spvasm_load(&module, path)) {
      CHECK(!"a rule has no module");
      return false;
   }
   test_env_of_module(&env, &module);
   CHECK_EQ(icd_validate_spirv(&env.env, module.words, module.num_words, report), VK_SUCCESS);
   spvasm_free(&module);
   return true;
}

/* Two names of one rule: both are reported. */
static bool is_other_name(const char *vuid, const char *reported)
{
   static const char *const names[][2] = {
      {"VUID-StandaloneSpirv-Offset-04663", "VUID-RuntimeSpirv-Offset-10213"},
      {"VUID-StandaloneSpirv-Location-04916", "VUID-StandaloneSpirv-Location-04917"},
      {"VUID-StandaloneSpirv-Component-04924", "VUID-StandaloneSpirv-Component-10583"},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(names); i++) {
      if ((!strcmp(vuid, names[i][0]) && !strcmp(reported, names[i][1])) || (!strcmp(vuid, names[i][1]) && !strcmp(reported, names[i][0])))
         return true;
   }
   return false;
}

/* What the module's comment names beside the rule. */
static bool is_also(const char *path, const char *vuid)
{
   struct spvasm module;
   char word[128];
   bool is_found = false;
   const bool has_text = spvasm_read(&module, path);
   for (unsigned i = 0; has_text && spvasm_value(&module, "also", i, word, sizeof(word)); i++)
      is_found |= !strcmp(word, vuid);
   spvasm_free(&module);
   return is_found;
}

static void check_good(const char *path)
{
   static struct icd_report report;
   if (check_file(path, &report) && report.num_broken) {
      print_report(path, &report);
      CHECK(!"a good module is refused");
   }
}

static void check_bad(const char *path, const struct icd_rule_info *rule)
{
   static struct icd_report report;
   const bool is_of_pipelines = rule->where == ICD_RULE_PIPELINE; /* pipelines_test.c; as modules both are good */
   bool is_reported = false, is_alone = true;
   if (!check_file(path, &report))
      return;
   for (uint32_t i = 0; i < UTIL_MIN(report.num_broken, ICD_REPORT_MAX); i++) {
      const struct icd_report_entry *entry = &report.entries[i];
      is_reported |= !strcmp(entry->vuid, rule->vuid) && strstr(entry->text, rule->vuid);
      is_alone &= !strcmp(entry->vuid, rule->vuid) || is_other_name(rule->vuid, entry->vuid) || is_also(path, entry->vuid) ||
                  (rule->effect == ICD_WARN && is_of_enabling(entry->vuid));
   }
   /* A module of a rule that only warns passes all other checks, SPIRV-Tools' among them. */
   if (is_reported == is_of_pipelines || !is_alone || (is_reported && (report.num_refused != 0) != (rule->effect == ICD_REFUSE))) {
      print_report(path, &report);
      CHECK(!"a bad module is taken, or refused for another rule");
   }
}

static void check_rule(const struct icd_rule_info *rule)
{
   char path[512];
   snprintf(path, sizeof(path), "%s/%s.ok.spvasm", folder, rule->vuid);
   check_good(path);
   snprintf(path, sizeof(path), "%s/%s.bad.spvasm", folder, rule->vuid);
   check_bad(path, rule);
}

static bool has_modules(const struct icd_rule_info *rule)
{
   return rule->where == ICD_RULE_SPIRV_TOOLS || rule->where == ICD_RULE_MODULE || rule->where == ICD_RULE_PIPELINE;
}

TEST(modules)
{
   uint32_t count[ICD_RULE_NOT_EXPOSED + 1] = {0};
   for (uint32_t i = 0; i < ICD_NUM_RULES; i++) {
      count[icd_rules[i].where]++;
      if (has_modules(&icd_rules[i]) && (!wanted || strstr(icd_rules[i].vuid, wanted)))
         check_rule(&icd_rules[i]);
   }
   printf("%u rules: %u checked by SPIRV-Tools, %u of modules, %u of pipelines, %u of runs, %u not exposed\n", ICD_NUM_RULES,
          count[ICD_RULE_SPIRV_TOOLS], count[ICD_RULE_MODULE], count[ICD_RULE_PIPELINE], count[ICD_RULE_RUN_TIME],
          count[ICD_RULE_NOT_EXPOSED]);
}

/* Each file of the folder belongs to a rule that is checked with modules; those of other forms are checked here. */
TEST(folder)
{
   DIR *dir = opendir(folder);
   uint32_t num_forms = 0;
   CHECK(dir != NULL);
   for (const struct dirent *entry; dir && (entry = readdir(dir));) {
      char vuid[256], path[1024];
      const size_t length = strcspn(entry->d_name, ".");
      const char *suffix = entry->d_name + length;
      const bool is_bad = !strncmp(suffix, ".bad.", 5), is_form = strcmp(suffix, ".bad.spvasm") != 0 && strcmp(suffix, ".ok.spvasm") != 0;
      if (entry->d_name[0] == '.')
         continue;
      snprintf(vuid, sizeof(vuid), "%.*s", (int)length, entry->d_name);
      snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
      const struct icd_rule_info *rule = find_rule(vuid);
      if (!rule || !has_modules(rule) || (!is_bad && strncmp(suffix, ".ok.", 4) != 0)) {
         fprintf(stderr, "%s\n", entry->d_name);
         CHECK(!"a module belongs to no rule");
      } else if (is_form && (!wanted || strstr(vuid, wanted))) {
         num_forms++;
         if (is_bad)
            check_bad(path, rule);
         else
            check_good(path);
      }
   }
   if (dir)
      closedir(dir);
   printf("%u modules of other forms\n", num_forms);
}

int main(int argc, char **argv)
{
   if (argc < 3)
      return 1;
   list_path = argv[1];
   folder = argv[2];
   wanted = argc > 3 ? argv[3] : NULL;
   return test_run_all(1, argv);
}
