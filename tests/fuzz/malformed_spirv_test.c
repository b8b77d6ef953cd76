/* SPDX-License-Identifier: MIT
 * Malformed SPIR-V: words of modules are changed at random, with fixed seeds. With validation a module is taken or refused; without it, so
 * that the compiler meets what the validator would have kept away, pipelines are made or refused, of shader modules or of code given inline.
 * No crash, and no case takes long.
 * Usage: malformed_spirv_test [--case NAME:SEED | --seconds N | --keep FILE] FILE...
 * FILE: of the formats that spvasm.h names; each as it is and with a few seeds. --seconds goes on with further seeds, --case runs one case
 * and --keep writes the words of each case to a file before it is tried. */
#include "tests/fuzz/module_trial.h"
#include "tests/fuzz/spirv_mutation.h"
#include "tests/icd/validate/env.h"
#include "tests/test.h"
#include "util/sanitizers.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { FIRST_SEEDS = 12, MAX_CASE_S = 20 };

struct module {
   const char *name; /* of the file, without folders */
   const uint32_t *words;
   size_t num_words;
   VkShaderStageFlagBits stage; /* 0: of one that makes no pipeline here */
};

/* ---- what the signal handler says: the case to repeat ---- */

static char case_name[128];

static void report_case(int signal)
{
   const char *text = signal == SIGPROF ? "takes too long: " : "crashed: ";
   if (write(STDERR_FILENO, text, strlen(text)) < 0 || write(STDERR_FILENO, case_name, strlen(case_name)) < 0 ||
       write(STDERR_FILENO, "\n", 1) < 0)
      _exit(2);
   _exit(1);
}

static void catch_signals(void)
{
   signal(SIGPROF, report_case);
   signal(SIGABRT, report_case);
#ifndef __SANITIZE_ADDRESS__ /* it says more by itself */
   signal(SIGSEGV, report_case);
   signal(SIGBUS, report_case);
   signal(SIGFPE, report_case);
   signal(SIGILL, report_case);
#endif
}

/* A changed copy in memory of its exact size, so that a sanitizer sees what is read beyond; to be freed. */
static uint32_t *mutate(const struct module *module, uint32_t seed, size_t *num_words)
{
   static uint32_t words[SPIRV_MUTATION_MAX_WORDS + SPIRV_MUTATION_MORE_WORDS];
   memcpy(words, module->words, module->num_words * 4);
   const size_t count = spirv_mutate(words, module->num_words, seed);
   uint32_t *copy = malloc(count * 4);
   if (!copy)
      exit(1);
   *num_words = count;
   return memcpy(copy, words, count * 4);
}

/* ---- cases ---- */

static const char *keep_path; /* or NULL */

static void keep(const uint32_t *words, size_t num_words)
{
   FILE *file = keep_path ? fopen(keep_path, "wb") : NULL;
   if (keep_path && (!file || fwrite(words, sizeof(uint32_t), num_words, file) != num_words))
      exit(1);
   if (file)
      fclose(file);
}

struct counts {
   uint32_t modules, pipelines, cases;
};

static void try_words(struct module_trial *trial, const struct module *module, const uint32_t *words, size_t num_words, struct counts *counts)
{
   test_limit_time(MAX_CASE_S);
   const struct trial_result result = module_trial_run(trial, words, num_words, module->stage, counts->cases & 1);
   test_limit_time(0);
   counts->modules += result.is_valid;
   counts->pipelines += result.is_pipeline;
   counts->cases++;
}

static void run_case(struct module_trial *trial, const struct module *module, uint32_t seed, struct counts *counts)
{
   size_t num_words;
   snprintf(case_name, sizeof(case_name), "%.100s:%u", module->name, seed);
   uint32_t *words = mutate(module, seed, &num_words);
   keep(words, num_words);
   try_words(trial, module, words, num_words, counts);
   free(words);
}

static const char *wanted; /* NAME:SEED, or NULL */
static time_t seconds;
static int num_files;
static char **files;

/* Runs seeds from `first_seed` up to before `end_seed` of a file's module; the module as it is first. */
static void run_file(struct module_trial *trial, const char *path, uint32_t first_seed, uint32_t end_seed, struct counts *counts)
{
   const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
   const size_t length = strlen(name);
   struct spvasm loaded;
   if (wanted && (strncmp(wanted, name, length) != 0 || wanted[length] != ':'))
      return;
   if (test_is_left_out(path))
      return;
   if (!spvasm_load(&loaded, path) || loaded.num_words > SPIRV_MUTATION_MAX_WORDS) {
      CHECK(!"a file is no module");
      return;
   }
   const struct module module = {name, loaded.words, loaded.num_words, module_trial_stage(loaded.words, loaded.num_words)};
   snprintf(case_name, sizeof(case_name), "%.100s", name);
   if (first_seed == 0)
      try_words(trial, &module, module.words, module.num_words, counts);
   if (wanted)
      run_case(trial, &module, (uint32_t)strtoul(wanted + length + 1, NULL, 10), counts);
   for (uint32_t seed = first_seed; !wanted && seed < end_seed; seed++)
      run_case(trial, &module, seed, counts);
   spvasm_free(&loaded);
}

TEST(malformed_spirv)
{
   struct module_trial trial;
   struct counts counts = {0};
   const time_t end = time(NULL) + seconds;
   uint32_t seed = 0, step = FIRST_SEEDS;
   module_trial_init(&trial, false);
   do {
      for (int i = 0; i < num_files && (seed == 0 || time(NULL) < end); i++)
         run_file(&trial, files[i], seed, seed + step, &counts);
      seed += step;
      step = 100;
   } while (time(NULL) < end);
   printf("of %u modules %u are valid, %u make a pipeline without validation\n", counts.cases, counts.modules, counts.pipelines);
   /* Most must be broken, and some must get far. */
   CHECK(wanted || num_files < 100 || (counts.modules < counts.cases * 3 / 4 && counts.pipelines > counts.cases / 100));
   module_trial_finish(&trial);
}

int main(int argc, char **argv)
{
   int first = 1;
   for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
      const char *value = argv[first + 1];
      if (!strcmp(argv[first], "--case"))
         wanted = value;
      else if (!strcmp(argv[first], "--keep"))
         keep_path = value;
      else if (!strcmp(argv[first], "--seconds"))
         seconds = strtol(value, NULL, 10);
   }
   num_files = argc - first;
   files = argv + first;
   catch_signals();
   return test_run_all(1, argv);
}
