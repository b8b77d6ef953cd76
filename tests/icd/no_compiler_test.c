/* SPDX-License-Identifier: MIT
 * A compiler that cannot be loaded: vkCreateDevice fails, and stderr says why, once. */
#include "tests/icd/library.h"
#include "tests/test.h"

#include <fcntl.h>
#include <unistd.h>

TEST(says_so_once)
{
   char log[] = "/tmp/vk_swrast_log_XXXXXX", text[4096] = "";
   const int file = mkstemp(log), own = dup(STDERR_FILENO);
   VkInstance instance;
   VkDevice device;
   setenv("VK_SWRAST_COMPILER", "/nonexistent/compiler.so", 1);
   dup2(file, STDERR_FILENO);
   const VkResult made = create_instance(VK_API_VERSION_1_0, NULL, NULL, &instance);
   const VkResult first = create_device(instance, NULL, NULL, NULL, &device);
   const VkResult second = create_device(instance, NULL, NULL, NULL, &device);
   destroy_instance(instance);
   dup2(own, STDERR_FILENO);
   CHECK(pread(file, text, sizeof(text) - 1, 0) > 0);
   unlink(log);
   CHECK_EQ(made, VK_SUCCESS);
   CHECK_EQ(first, VK_ERROR_INITIALIZATION_FAILED);
   CHECK_EQ(second, VK_ERROR_INITIALIZATION_FAILED);
   CHECK_STR(text, "vk_swrast: cannot load the compiler /nonexistent/compiler.so: No such file or directory\n");
}

TEST_MAIN
