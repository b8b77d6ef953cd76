/* SPDX-License-Identifier: MIT
 * No valid module is refused: every shader of the test-suite passes in strict mode, without a message, on a device with all its features.
 * Usage: corpus_test FILE...   of the kinds that spvasm.h names */
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"

static int num_files;
static char **files;

TEST(corpus)
{
   struct full_device f;
   uint32_t num_taken = 0;
   full_device_init(&f);
   for (int i = 0; i < num_files; i++) {
      struct spvasm module;
      VkShaderModule handle = VK_NULL_HANDLE;
      if (!spvasm_load(&module, files[i])) {
         CHECK(!"a file is no module");
         continue;
      }
      const VkShaderModuleCreateInfo info = module_info(module.words, module.num_words);
      const VkResult result = icd_CreateShaderModule(f.device, &info, NULL, &handle);
      if (result != VK_SUCCESS || f.ears.count)
         fprintf(stderr, "%s: %d, %s: %s\n", files[i], (int)result, f.ears.id, f.ears.text);
      CHECK_EQ(result, VK_SUCCESS);
      CHECK_EQ(f.ears.count, 0);
      num_taken += result == VK_SUCCESS;
      icd_DestroyShaderModule(f.device, handle, NULL);
      spvasm_free(&module);
   }
   printf("%u of %d modules pass in strict mode\n", num_taken, num_files);
   CHECK(num_files > 0);
   full_device_finish(&f);
}

int main(int argc, char **argv)
{
   num_files = argc - 1;
   files = argv + 1;
   return test_run_all(1, argv);
}
