/* SPDX-License-Identifier: MIT
 * A process that ends while its threads compile, as those of DXVK do: what they use is there until the end. */
#include "tests/icd/scenario.h"
#include "tests/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUM_THREADS = 2, NUM_BEFORE = 4, LINGER_US = 300 * 1000 };

static struct fixture fixture;
static atomic_uint num_made, next_number;

/* A module that nobody has looked at before: its generator is the number. */
static void make(uint32_t number)
{
   uint32_t words[sizeof(scenario_comp) / 4];
   memcpy(words, scenario_comp, sizeof(words));
   words[2] = number;
   struct scenario_compute s;
   VkPipeline pipeline;
   const VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, sizeof(words), words};
   scenario_compute_init_layouts(&s, fixture.device);
   const bool is_good = icd_CreateShaderModule(fixture.device, &info, NULL, &s.module) == VK_SUCCESS &&
                        scenario_compute_pipeline(&s, fixture.device, number, VK_NULL_HANDLE, NULL, &pipeline) == VK_SUCCESS;
   if (!is_good)
      _exit(2);
   icd_DestroyPipeline(fixture.device, pipeline, NULL);
   scenario_compute_finish(&s, fixture.device);
}

static void *compile(void *arg)
{
   (void)arg;
   for (;;) {
      make(atomic_fetch_add(&next_number, 1));
      atomic_fetch_add(&num_made, 1);
   }
   return NULL;
}

/* Registered before the compiler is loaded, so called after what its libraries have registered. */
static void linger(void)
{
   usleep(LINGER_US);
}

static void run_child(void)
{
   pthread_t threads[NUM_THREADS];
   atexit(linger);
   fixture_init(&fixture, NULL);
   for (uint32_t i = 0; i < NUM_THREADS; i++) {
      if (pthread_create(&threads[i], NULL, compile, NULL) != 0)
         _exit(3);
   }
   while (atomic_load(&num_made) < NUM_BEFORE)
      usleep(1000);
   exit(0);
}

TEST(threads_compile_while_the_process_ends)
{
   int status = -1;
   fflush(NULL);
   const pid_t child = fork();
   if (child == 0)
      run_child();
   CHECK_EQ(waitpid(child, &status, 0), child);
   CHECK(WIFEXITED(status));
   CHECK_EQ(WEXITSTATUS(status), 0);
}

TEST_MAIN
