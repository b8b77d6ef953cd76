/* SPDX-License-Identifier: MIT
 * Files that the driver makes in folders of everybody: /tmp/perf-PID.map follows no link that another user put there. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "private_arrays_5.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void compile(void)
{
   const uint32_t count = 16;
   const VkSpecializationMapEntry entry = {0, 0, sizeof(count)};
   const VkSpecializationInfo specialization = {1, &entry, sizeof(count), &count};
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
   struct client client;
   client_init(&client, &(struct client_options){0});
   struct client_set set = client_set_create(&client, 1, &type);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, 0);
   VkShaderModule module = client_shader(&client, private_arrays_5, sizeof(private_arrays_5));
   vk.DestroyPipeline(client.device, client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, &specialization), NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   client_set_destroy(&client, &set);
   client_finish(&client);
}

TEST(perf_map)
{
   char map[64], victim[] = "/tmp/vk_swrast_victim_XXXXXX";
   struct stat st;
   const int fd = mkstemp(victim);
   snprintf(map, sizeof(map), "/tmp/perf-%d.map", (int)getpid());
   unlink(map);
   CHECK(fd >= 0 && symlink(victim, map) == 0);
   compile();
   CHECK(fstat(fd, &st) == 0 && st.st_size == 0);
   unlink(map);
   compile();
   CHECK(lstat(map, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 0777) == 0600 && st.st_size > 0);
   close(fd);
   unlink(map);
   unlink(victim);
}

TEST_MAIN
