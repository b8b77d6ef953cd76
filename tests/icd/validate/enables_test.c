/* SPDX-License-Identifier: MIT
 * Capabilities and extensions of SPIR-V: each that the Vulkan environment lists is known, refused where nothing enables it, and taken
 * where any one of its conditions holds alone.
 * Usage: enables_test LIST   lines "capability NAME CONDITION..." and "extension NAME CONDITION...", where a condition is VK_VERSION_1_0,
 * VK_KHR_name, VkStructure::member, or VK_SUBGROUP_FEATURE_NAME_BIT */
#include "icd/validate/check.h"
#include "tests/icd/validate/env.h"
#include "tests/test.h"

#include "gen/icd_spirv.h"

#include <stdlib.h>

static const char *list_path;

static bool is_version(const char *condition, uint32_t *minor)
{
   return sscanf(condition, "VK_VERSION_1_%u", minor) == 1;
}

static VkSubgroupFeatureFlags subgroup_bit(const char *condition)
{
   static const struct {
      const char *name;
      VkSubgroupFeatureFlags bit;
   } rows[] = {
#define BIT(name) {#name, name}
      BIT(VK_SUBGROUP_FEATURE_BASIC_BIT),
      BIT(VK_SUBGROUP_FEATURE_VOTE_BIT),
      BIT(VK_SUBGROUP_FEATURE_ARITHMETIC_BIT),
      BIT(VK_SUBGROUP_FEATURE_BALLOT_BIT),
      BIT(VK_SUBGROUP_FEATURE_SHUFFLE_BIT),
      BIT(VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT),
      BIT(VK_SUBGROUP_FEATURE_CLUSTERED_BIT),
      BIT(VK_SUBGROUP_FEATURE_QUAD_BIT),
      BIT(VK_SUBGROUP_FEATURE_PARTITIONED_BIT_NV),
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (!strcmp(rows[i].name, condition))
         return rows[i].bit;
   }
   return 0;
}

/* The driver has features of core Vulkan and of KHR and EXT extensions; some vendors give theirs the same names. */
static bool is_of_vendor(const char *member)
{
   static const char *const vendors[] = {"AMD", "AMDX", "ARM", "HUAWEI", "INTEL", "NV", "QCOM"};
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(vendors); i++) {
      const size_t length = strlen(vendors[i]);
      if (!strncmp(member - length, vendors[i], length))
         return true;
   }
   return false;
}

/* Makes one condition true. False: this driver cannot ever have it. */
static bool enable(struct test_env *env, const char *condition)
{
   uint32_t minor;
   const char *member = strstr(condition, "::");
   if (member && is_of_vendor(member))
      return false;
   if (member) {
      member += 2;
      return strstr(condition, "Properties") ? test_env_set_property(env, member, 1) : test_env_set_feature(env, member, true);
   }
   if (is_version(condition, &minor)) {
      env->env.api_version = VK_MAKE_API_VERSION(0, 1, minor, 0);
      return true;
   }
   if (subgroup_bit(condition)) {
      env->properties.subgroupSupportedOperations = subgroup_bit(condition);
      return true;
   }
   const enum icd_extension id = icd_extension_find(condition);
   if (id == ICD_NUM_EXTENSIONS)
      return false;
   icd_add_extension(&env->extensions, id);
   return true;
}

/* Checks a module of the one declaration. */
static bool is_taken(const struct test_env *env, const struct spvasm *module, struct icd_report *report)
{
   struct icd_spirv_module parsed;
   const char *broken;
   const struct icd_check check = {&parsed, &env->env, report};
   memset(report, 0, sizeof(*report));
   const enum icd_spirv_parse result = icd_spirv_parse(&parsed, module->words, module->num_words, &broken);
   CHECK_EQ(result, ICD_SPIRV_PARSED);
   if (result == ICD_SPIRV_PARSED)
      icd_check_capabilities(&check);
   icd_spirv_finish(&parsed);
   return report->num_broken == 0;
}

/* A capability's name without its author: the newest registry has some by another's. */
static int stem_length(const char *name)
{
   static const char *const authors[] = {"NV", "EXT", "KHR"};
   const size_t length = strlen(name);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(authors); i++) {
      const size_t author = strlen(authors[i]);
      if (length > author && !strcmp(name + length - author, authors[i]))
         return (int)(length - author);
   }
   return (int)length;
}

static bool is_same(const char *a, const char *b)
{
   return stem_length(a) == stem_length(b) && !strncmp(a, b, (size_t)stem_length(a));
}

static bool is_known(const char *class, const char *name)
{
   const bool is_capability = !strcmp(class, "capability");
   const struct icd_spirv_row *rows = is_capability ? icd_spirv_capabilities : icd_spirv_extensions;
   const uint32_t count = is_capability ? ICD_NUM_SPIRV_CAPABILITIES : ICD_NUM_SPIRV_EXTENSIONS;
   for (uint32_t i = 0; i < count; i++) {
      if (is_capability ? is_same(rows[i].name, name) : !strcmp(rows[i].name, name))
         return true;
   }
   return false;
}

struct counts {
   uint32_t capabilities, extensions, conditions, without, on_device;
};

static void fail(const char *name, const char *condition, const char *what)
{
   fprintf(stderr, "%s, %s: %s\n", name, condition, what);
   CHECK(!"a capability or extension");
}

/* The list is that of 1.4.309; what newer registries have taken away, or tied to its extension alone. */
static bool is_other_in_newer(const char *name)
{
   return VK_HEADER_VERSION > 309 && (!strcmp(name, "SPV_AMDX_shader_enqueue") || !strcmp(name, "SPV_KHR_subgroup_uniform_control_flow"));
}

static void check_row(const char *class, const char *name, char *conditions, struct counts *counts)
{
   static struct icd_report report;
   static struct test_env env;
   struct spvasm module, none = {0};
   char text[256], stem[128];
   bool is_always = false;
   snprintf(text, sizeof(text), "OpCapability Shader\n%s%s%s\n", !strcmp(class, "capability") ? "OpCapability " : "OpExtension \"", name,
            !strcmp(class, "capability") ? "" : "\"");
   if (!is_known(class, name))
      fail(name, "", "is not known");
   if (!strcmp(name, "ClusterCullingShadingHUAWEI")) {
      counts->conditions++;
      counts->without++;
      return; /* it was never given a number in public: no module can declare it */
   }
   if (!spvasm_assemble(&module, text)) {
      fail(name, "", "cannot be assembled");
      return;
   }
   char *rest = conditions;
   for (char *condition; (condition = strsep(&rest, " "));) {
      uint32_t minor = 1;
      counts->conditions++;
      is_always |= is_version(condition, &minor) && minor == 0;
      test_env_bare(&env);
      const bool is_possible = enable(&env, condition);
      counts->without += !is_possible;
      if (is_taken(&env, &module, &report) != (is_possible || is_always))
         fail(name, condition, report.num_broken ? report.entries[0].text : "is taken");
   }
   test_env_bare(&env);
   if (is_taken(&env, &module, &report) != is_always)
      fail(name, "", "with nothing enabled");
   snprintf(stem, sizeof(stem), "%.*s", stem_length(name), name);
   if (!is_always && report.num_broken && (!strstr(report.entries[0].text, stem) || strncmp(report.entries[0].vuid, "VUID-", 5) != 0))
      fail(name, report.entries[0].vuid, report.entries[0].text);
   test_env_of_module(&env, &none);
   counts->on_device += is_taken(&env, &module, &report);
   spvasm_free(&module);
}

TEST(enables)
{
   static char line[1 << 12];
   struct counts counts = {0};
   FILE *file = fopen(list_path, "r");
   CHECK(file != NULL);
   while (file && fgets(line, sizeof(line), file)) {
      char *rest = line;
      line[strcspn(line, "\n")] = 0;
      const char *class = strsep(&rest, " "), *name = strsep(&rest, " ");
      if (!name || !rest) {
         CHECK(!"a line is wrong");
         continue;
      }
      counts.capabilities += !strcmp(class, "capability");
      counts.extensions += !strcmp(class, "extension");
      if (is_other_in_newer(name))
         continue;
      check_row(class, name, rest, &counts);
   }
   if (file)
      fclose(file);
   printf("%u capabilities and %u extensions with %u conditions, %u of which this driver can never meet; it takes %u\n",
          counts.capabilities, counts.extensions, counts.conditions, counts.without, counts.on_device);
   CHECK_EQ(counts.capabilities, 162);
   CHECK_EQ(counts.extensions, 89);
}

/* What the environment does not list is refused too. */
TEST(unknown)
{
   static const char *const texts[] = {"OpCapability Kernel\n", "OpCapability Addresses\n", "OpExtension \"SPV_INTEL_subgroups\"\n",
                                       "OpExtension \"\"\n", "OpExtension \"SPV_KHR_16bit_storage_\"\n",
                                       "OpExtension \"SPV_KHR_16bit_storag\"\n"};
   static struct icd_report report;
   static struct test_env env;
   struct spvasm none = {0};
   test_env_of_module(&env, &none);
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(texts); i++) {
      struct spvasm module;
      CHECK(spvasm_assemble(&module, texts[i]));
      CHECK(!is_taken(&env, &module, &report));
      spvasm_free(&module);
   }
}

int main(int argc, char **argv)
{
   list_path = argc > 1 ? argv[1] : "";
   return test_run_all(1, argv);
}
