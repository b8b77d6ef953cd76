/* SPDX-License-Identifier: MIT
 * Words of SPIR-V: the bytes are a module. What validation accepts is run, what it refuses is compiled without it. */
#include "tests/fuzz/input.h"
#include "tests/fuzz/module_trial.h"
#include "tests/fuzz/spirv_mutation.h"

static struct module_trial trial;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
   setenv("VK_SWRAST_TIMEOUT", "1", 1);
   module_trial_init(&trial, true);
   return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   const uint32_t *words = (const uint32_t *)data; /* malloc() aligns it */
   const size_t num_words = size / sizeof(uint32_t);
   if (num_words > 0 && num_words <= SPIRV_MUTATION_MAX_WORDS)
      module_trial_run(&trial, words, num_words, module_trial_stage(words, num_words), size & 1);
   return 0;
}

/* The engine's own; not there in a replay. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/* Changes of whole words and instructions get further than those of bytes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
   static uint32_t words[SPIRV_MUTATION_MAX_WORDS + SPIRV_MUTATION_MORE_WORDS];
   const size_t num_words = size / sizeof(uint32_t);
   if (seed % 16 == 0 || num_words < 6 || num_words > SPIRV_MUTATION_MAX_WORDS)
      return LLVMFuzzerMutate(data, size, max_size);
   memcpy(words, data, num_words * sizeof(uint32_t));
   const size_t bytes = spirv_mutate(words, num_words, seed) * sizeof(uint32_t);
   if (bytes > max_size)
      return size;
   memcpy(data, words, bytes);
   return bytes;
}
