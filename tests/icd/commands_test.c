/* SPDX-License-Identifier: MIT
 * Every command of what is offered has its function: an application that enables an extension may ask for all of them. */
#include "icd/device/extensions.h"
#include "icd/device/physical_device.h"
#include "tests/test.h"

TEST(every_exposed_command_has_a_function)
{
   struct icd_extension_set all = *icd_device_extensions();
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(all.words); i++)
      all.words[i] |= icd_instance_extensions()->words[i];

   const struct icd_command *command;
   uint32_t num_exposed = 0;
   for (uint32_t i = 0; (command = icd_command_at(i)) != NULL; i++) {
      CHECK(icd_command_find(icd_command_name(command)) == command);
      if (!icd_command_is_exposed(command, ICD_DEVICE_VERSION, &all))
         continue;
      num_exposed++;
      if (!icd_command_function(command))
         fprintf(stderr, "%s has no function\n", icd_command_name(command));
      CHECK(icd_command_function(command) != NULL);
   }
   CHECK(num_exposed > 400);
}

TEST_MAIN
