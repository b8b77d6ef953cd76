/* SPDX-License-Identifier: MIT
 * Processes and objects that come and go: a child that was forked between the instance and the device, the driver unloaded while its cache's thread may
 * sleep, devices destroyed beside others that compile, very many objects at a time. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "private_arrays_5.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes a pipeline and runs it; ends the process where that fails. */
static void work(struct client *client)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client_set set = client_set_create(client, 1, &type);
   struct client_buffer buffer = client_buffer_create(client, 48 * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   VkPipelineLayout layout = client_pipeline_layout(client, &set, 0);
   const uint32_t count = 16;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(count)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(count), &count};
   VkShaderModule module = client_shader(client, private_arrays_5, sizeof(private_arrays_5));
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, &specialization);
   client_set_buffer(client, &set, 0, type, &buffer);
   for (uint32_t i = 0; i < 16; i++) {
      ((uint32_t *)buffer.map)[i] = ((uint32_t *)buffer.map)[i + 32] = i;
      ((uint32_t *)buffer.map)[i + 16] = i * 1000;
   }
   client_dispatch(client, pipeline, layout, &set, 1);
   for (uint32_t i = 0; i < 16; i++) {
      if (((uint32_t *)buffer.map)[i] != 5 * i * 1000 + 10)
         client_die("invocation %u has %u", i, ((uint32_t *)buffer.map)[i]);
   }
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   client_buffer_destroy(client, &buffer);
   client_set_destroy(client, &set);
}

static void run_client(void)
{
   struct client client;
   client_init(&client, &(struct client_options){0});
   work(&client);
   client_finish(&client);
}

/* The parent has compiled before, so that all that the driver keeps for a process is there; it has no device any more. */
TEST(fork_after_instance)
{
   run_client();
   struct client_functions kept = vk;
   VkInstance instance;
   const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
   client_check(kept.CreateInstance(&info, NULL, &instance), "vkCreateInstance");
   for (uint32_t i = 0; i < 4; i++) {
      const pid_t process = fork();
      if (process == 0) {
         alarm(100);
         run_client();
         _exit(0);
      }
      int status = -1;
      CHECK(process > 0 && waitpid(process, &status, 0) == process);
      CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
   }
   run_client();
   kept.DestroyInstance(instance, NULL);
}

/* The loader unloads the driver with the last instance; the thread that writes the cache may have something to do still. */
TEST(unloaded)
{
   char directory[] = "/tmp/vk_swrast_lifetimes_XXXXXX", command[64];
   CHECK(mkdtemp(directory) != NULL);
   const pid_t process = fork();
   if (process == 0) {
      setenv("VK_SWRAST_DEBUG", "", 1);
      setenv("VK_SWRAST_CACHE_DIR", directory, 1);
      alarm(100);
      for (uint32_t i = 0; i < 8; i++)
         run_client();
      usleep(50000);
      exit(0);
   }
   int status = -1;
   CHECK(process > 0 && waitpid(process, &status, 0) == process);
   CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
   snprintf(command, sizeof(command), "rm -r %s", directory);
   CHECK_EQ(system(command), 0);
}

/* ---- threads ---- */

enum { NUM_THREADS = 4, NUM_ROUNDS = 6 };
static VkPhysicalDevice physical_device;
static VkPhysicalDeviceMemoryProperties memory;

static VkDevice create_device(void)
{
   const float priority = 1;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
   const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1, .pQueueCreateInfos = &queue};
   VkDevice device;
   client_check(vk.CreateDevice(physical_device, &info, NULL, &device), "vkCreateDevice");
   return device;
}

/* Odd threads compile and run on a device of their own, even ones make devices and destroy them. */
static void *live(void *data)
{
   for (uint32_t i = 0; i < NUM_ROUNDS; i++) {
      struct client client = {.physical_device = physical_device, .device = create_device(), .memory = memory};
      if ((size_t)data % 2) {
         const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
         vk.GetDeviceQueue(client.device, 0, 0, &client.queue);
         client_check(vk.CreateCommandPool(client.device, &pool, NULL, &client.pool), "vkCreateCommandPool");
         work(&client);
         vk.DestroyCommandPool(client.device, client.pool, NULL);
      }
      vk.DestroyDevice(client.device, NULL);
   }
   return NULL;
}

TEST(devices_beside_compiles)
{
   struct client client;
   pthread_t threads[NUM_THREADS];
   client_init(&client, &(struct client_options){0});
   physical_device = client.physical_device;
   memory = client.memory;
   for (size_t i = 0; i < NUM_THREADS; i++)
      CHECK_EQ(pthread_create(&threads[i], NULL, live, (void *)i), 0);
   for (size_t i = 0; i < NUM_THREADS; i++)
      pthread_join(threads[i], NULL);
   client_finish(&client);
}

/* ---- very many ---- */

TEST(many_objects)
{
   enum { COUNT = 100000 };
   struct client client;
   client_init(&client, &(struct client_options){0});
   VkFence *fences = calloc(COUNT, sizeof(*fences));
   VkBuffer *buffers = calloc(COUNT, sizeof(*buffers));
   VkCommandBuffer *commands = calloc(COUNT / 10, sizeof(VkCommandBuffer));
   CHECK(fences && buffers && commands);
   const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO, .flags = VK_FENCE_CREATE_SIGNALED_BIT};
   const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 64, .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
   const VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = client.pool,
                                                 .commandBufferCount = COUNT / 10};
   for (uint32_t i = 0; i < COUNT; i++) {
      client_check(vk.CreateFence(client.device, &fence, NULL, &fences[i]), "vkCreateFence");
      client_check(vk.CreateBuffer(client.device, &buffer, NULL, &buffers[i]), "vkCreateBuffer");
   }
   client_check(vk.AllocateCommandBuffers(client.device, &allocate, commands), "vkAllocateCommandBuffers");
   CHECK_EQ(vk.WaitForFences(client.device, COUNT, fences, VK_TRUE, 0), VK_SUCCESS);
   CHECK_EQ(vk.ResetFences(client.device, COUNT, fences), VK_SUCCESS);
   CHECK_EQ(vk.WaitForFences(client.device, COUNT, fences, VK_FALSE, 1000), VK_TIMEOUT);
   for (uint32_t i = 0; i < COUNT; i++) { /* not in the order in which they were made */
      const uint32_t index = (uint32_t)((uint64_t)i * 70001 % COUNT);
      vk.DestroyFence(client.device, fences[index], NULL);
      vk.DestroyBuffer(client.device, buffers[index], NULL);
   }
   vk.FreeCommandBuffers(client.device, client.pool, COUNT / 10, commands);
   free(commands);
   free(buffers);
   free(fences);
   client_finish(&client);
}

TEST_MAIN
