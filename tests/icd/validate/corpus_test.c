/* SPDX-License-Identifier: MIT
 * No valid module is reported: every shader of the test-suite passes in strict mode, without a message, on a device with all its features.
 * Usage: corpus_test FILE...   of the formats that spvasm.h names */
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

#include <time.h>

static double cpu_ms(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int num_files;
static char **files;

TEST(corpus)
{
   struct full_device f;
   uint32_t num_taken = 0;
   double took_ms = 0;
   full_device_init(&f);
   for (int i = 0; i < num_files; i++) {
      struct spvasm module;
      VkShaderModule handle = VK_NULL_HANDLE;
      if (!spvasm_load(&module, files[i])) {
         CHECK(!"a file is no module");
         continue;
      }
      const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
      const double begin_ms = cpu_ms();
      const VkResult result = icd_CreateShaderModule(f.device, &info, NULL, &handle);
      took_ms += i > 0 ? cpu_ms() - begin_ms : 0; /* the first loads the compiler */
      if (result != VK_SUCCESS || f.ears.count)
         fprintf(stderr, "%s: %d, %s: %s\n", files[i], (int)result, f.ears.id, f.ears.text);
      CHECK_EQ(result, VK_SUCCESS);
      CHECK_EQ(f.ears.count, 0);
      num_taken += result == VK_SUCCESS;
      icd_DestroyShaderModule(f.device, handle, NULL);
      spvasm_free(&module);
   }
   printf("%u of %d modules pass in strict mode, in %.2f ms each\n", num_taken, num_files, took_ms / (num_files > 1 ? num_files - 1 : 1));
   CHECK(num_files > 0);
   full_device_finish(&f);
}

int main(int argc, char **argv)
{
   num_files = argc - 1;
   files = argv + 1;
   setenv("VK_SWRAST_VALIDATE", "strict", 1);
   return test_run_all(1, argv);
}
