/* SPDX-License-Identifier: MIT
 * Subgroups as shaders see them: their size is 32 on every machine, or what a pipeline asks for, and what a shader learns of the others
 * in its subgroup is the same for every vector width, thread count and instruction set level. The parent runs itself once a
 * configuration; each child compares what it can with arithmetic of its own and prints hashes, which must all be equal. */
#include "tests/client/child.h"
#include "triangle.h"

#include "subgroups.comp.h"
#include "subgroups.frag.h"
#include "subgroups.vert.h"

#include "util/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_SIZE = 32, LOCAL_SIZE = 84, WORKGROUPS = 3, INVOCATIONS = LOCAL_SIZE * WORKGROUPS, WORDS = 32 };

static uint32_t num_wrong;

static void expect(uint32_t got, uint32_t expected, const char *what, uint32_t size, uint32_t index)
{
   if (got == expected)
      return;
   if (num_wrong++ < 20)
      fprintf(stderr, "subgroups of %u, %u: %s is 0x%x, not 0x%x\n", size, index, what, got, expected);
}

/* ---- compute ---- */

/* Invocation i in its subgroup. */
struct member {
   uint32_t size, first, count, lane; /* first invocation of the subgroup, those it has */
};

static uint32_t sum_of_some(const struct member *m)
{
   uint32_t sum = 0, count = 0;
   for (uint32_t lane = 1; lane < m->count; lane += 3) {
      sum += m->first + lane;
      count++;
   }
   return m->lane % 3 == 1 ? sum ^ 1u << 24 ^ (uint32_t)(m->lane == 1) << 31 ^ count << 16 : 0;
}

static uint32_t turns(const struct member *m)
{
   uint32_t result = 0;
   for (uint32_t turn = 0; turn <= m->lane % 7; turn++) {
      uint32_t there = 0;
      for (uint32_t lane = 0; lane < m->count; lane++)
         there += lane % 7 >= turn;
      result += there << (turn * 4);
   }
   return result;
}

static uint32_t odd_bits(const struct member *m)
{
   uint32_t bits = 0;
   for (uint32_t lane = 0; lane < m->count; lane++)
      bits |= ((m->first + lane) & 1) << lane;
   return bits;
}

static void expect_invocation(uint32_t size, uint32_t i, const uint32_t *got)
{
   const uint32_t local = i % LOCAL_SIZE, first = local / size * size, all = UINT32_MAX >> (32 - size);
   const struct member m = {size, i - local + first, LOCAL_SIZE - first < size ? LOCAL_SIZE - first : size, local % size};
   const uint32_t bit = 1u << m.lane, odd = odd_bits(&m), from = (m.lane * 3 + 1) % m.count;
   expect(got[0], size, "gl_SubgroupSize", size, i);
   expect(got[1], (LOCAL_SIZE + size - 1) / size, "gl_NumSubgroups", size, i);
   expect(got[2], local / size, "gl_SubgroupID", size, i);
   expect(got[3], m.lane, "gl_SubgroupInvocationID", size, i);
   expect(got[4], bit, "gl_SubgroupEqMask", size, i);
   expect(got[5], all & ~(bit - 1), "gl_SubgroupGeMask", size, i);
   expect(got[6], all & ~(bit - 1) & ~bit, "gl_SubgroupGtMask", size, i);
   expect(got[7], bit | (bit - 1), "gl_SubgroupLeMask", size, i);
   expect(got[8], bit - 1, "gl_SubgroupLtMask", size, i);
   expect(got[13], i ^ (i ^ 1), "clustered xor", size, i); /* subgroups begin at even invocations */
   expect(got[16], i ^ 1, "shuffle xor", size, i);
   expect(got[17], m.first + from, "shuffle", size, i);
   expect(got[18], m.first + 3, "broadcast", size, i);
   expect(got[19], odd, "ballot", size, i);
   expect(got[20], 0, "rest of the ballot", size, i);
   expect(got[21], (uint32_t)__builtin_popcount(odd), "bits of the ballot", size, i);
   expect(got[22], (uint32_t)__builtin_popcount(odd & (bit - 1)), "bits below", size, i);
   expect(got[23], 31 - (uint32_t)__builtin_clz(odd), "highest bit", size, i);
   expect(got[24], (uint32_t)(m.count > 5) | (uint32_t)(m.count <= 4) << 1 | 4, "votes", size, i);
   expect(got[25], sum_of_some(&m), "sum of some", size, i);
   expect(got[26], turns(&m), "turns", size, i);
}

/* size 0: that of the device. */
static struct util_hash run_compute(struct client *client, uint32_t size)
{
   const VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, types[2] = {type, type};
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, .requiredSubgroupSize = size};
   const uint32_t push = WORDS;
   VkPipeline pipeline;
   struct client_set set = client_set_create(client, 2, types);
   struct client_buffer in = client_buffer_create(client, INVOCATIONS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_buffer out = client_buffer_create(client, INVOCATIONS * WORDS * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   client_set_buffer(client, &set, 0, type, &in);
   client_set_buffer(client, &set, 1, type, &out);
   for (uint32_t i = 0; i < INVOCATIONS; i++) /* sums of these round, so that their order shows */
      ((float *)in.map)[i] = 0.37f + (float)(i * 2654435761u >> 8) / 1e7f;
   const VkPipelineLayout layout = client_pipeline_layout(client, &set, 4);
   const VkShaderModule module = client_shader(client, subgroups_comp, sizeof(subgroups_comp));
   const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                             .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                       .pNext = size ? &required : NULL,
                                                       .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                       .module = module,
                                                       .pName = "main"},
                                             .layout = layout};
   client_check(vk.CreateComputePipelines(client->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateComputePipelines");
   VkCommandBuffer cmd = client_begin(client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, 4, &push);
   vk.CmdDispatch(cmd, WORKGROUPS, 1, 1);
   client_barrier(cmd);
   client_run(client, cmd);
   for (uint32_t i = 0; i < INVOCATIONS; i++)
      expect_invocation(size ? size : DEFAULT_SIZE, i, (uint32_t *)out.map + i * WORDS);
   const struct util_hash hash = util_hash_bytes(out.map, INVOCATIONS * WORDS * 4);
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
   client_set_destroy(client, &set);
   client_buffer_destroy(client, &in);
   client_buffer_destroy(client, &out);
   return hash;
}

/* ---- vertices and fragments ---- */

/* A subgroup of fragments is what one primitive covers of a block, with the helpers of its quads; of as many quads as it has room for. */
static void expect_block(const uint8_t (*pixels)[TRIANGLE_SIZE][4], uint32_t size, uint32_t x, uint32_t y)
{
   const uint32_t quads_each = size < 16 ? size / 4 : 4;
   uint32_t covered[4] = {0}, quads[4] = {0}; /* of the block's subgroups */
   for (uint32_t q = 0; q < 4; q++) {
      uint32_t of_quad = 0;
      for (uint32_t i = 0; i < 4; i++)
         of_quad += pixels[y + (q >> 1) * 2 + (i >> 1)][x + (q & 1) * 2 + (i & 1)][3] != 0;
      covered[q / quads_each] += of_quad;
      quads[q / quads_each] += of_quad != 0;
   }
   for (uint32_t i = 0; i < 16; i++) {
      const uint8_t *pixel = pixels[y + i / 4][x + i % 4];
      const uint32_t subgroup = (i / 8 * 2 + i % 4 / 2) / quads_each;
      if (!pixel[3])
         continue;
      expect(pixel[0], 255, "quads as lanes", size, y << 8 | x);
      expect(pixel[1], quads[subgroup] * 4, "lanes that are on", size, y << 8 | x);
      expect(pixel[2], covered[subgroup], "lanes that are no helpers", size, y << 8 | x);
      expect(pixel[3], 3 + (0 + 1 + 2) + size, "three vertices", size, y << 8 | x);
   }
}

/* size 0: that of the device. */
static struct util_hash run_graphics(uint32_t size)
{
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo required = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, .requiredSubgroupSize = size};
   VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .subgroupSizeControl = VK_TRUE};
   struct triangle t;
   triangle_init_with(&t, &(struct triangle_options){.device_next = &features,
                                                     .stage_next = size ? &required : NULL,
                                                     .vertex = subgroups_vert,
                                                     .vertex_bytes = sizeof(subgroups_vert),
                                                     .fragment = subgroups_frag,
                                                     .fragment_bytes = sizeof(subgroups_frag)});
   VkCommandBuffer cmd = triangle_begin(&t);
   triangle_begin_pass(&t, cmd);
   triangle_draw(&t, cmd, (const float[3][4]){0});
   triangle_end(&t, cmd);
   for (uint32_t block = 0; block < TRIANGLE_SIZE * TRIANGLE_SIZE / 16; block++)
      expect_block(t.pixels.map, size ? size : DEFAULT_SIZE, block % (TRIANGLE_SIZE / 4) * 4, block / (TRIANGLE_SIZE / 4) * 4);
   const struct util_hash hash = util_hash_bytes(t.pixels.map, TRIANGLE_SIZE * TRIANGLE_SIZE * 4);
   triangle_finish(&t);
   return hash;
}

/* ---- configurations ---- */

static void print_hash(FILE *out, struct util_hash hash)
{
   fprintf(out, "%016llx%016llx ", (unsigned long long)hash.hi, (unsigned long long)hash.lo);
}

static int child(void)
{
   VkPhysicalDeviceVulkan13Features features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .subgroupSizeControl = VK_TRUE};
   struct client client;
   FILE *out = fdopen(dup(STDOUT_FILENO), "w");
   if (!out || !freopen("/dev/null", "w", stdout))
      client_die("no output");
   client_init(&client, &(struct client_options){.next = &features, .api_version = VK_API_VERSION_1_3});
   print_hash(out, run_compute(&client, 0));
   for (uint32_t size = 8; size <= 32; size *= 2)
      print_hash(out, run_compute(&client, size));
   client_finish(&client);
   print_hash(out, run_graphics(0));
   for (uint32_t size = 8; size <= 32; size *= 2)
      print_hash(out, run_graphics(size));
   fprintf(out, "%s\n", num_wrong ? "wrong" : "right");
   fclose(out);
   return 0;
}

static const struct client_configuration configurations[] = {
   {NULL, NULL, NULL}, {"16", "2", "v4"}, {"32", "1", "v4"}, {"8", "2", "v3"}, {"4", "0", "v2"}, {"32", "2", "v3"}, {"16", "5", "v1"},
};

int main(int argc, char **argv)
{
   if (argc > 1 && !strcmp(argv[1], "--child"))
      return child();
   return client_child_compare("subgroups_test", configurations, sizeof(configurations) / sizeof(configurations[0]));
}
