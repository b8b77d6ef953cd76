/* SPDX-License-Identifier: MIT
 * Pipeline statistics: what counts as a primitive that clipping has seen, and one that it has let through.
 * Spec: Queries, "Pipeline Statistics Queries". */
#include "tests/test.h"
#include "triangle.h"

struct counts {
   uint64_t vertices, primitives, vertex_invocations, clipping_invocations, clipping_primitives, fragment_invocations;
};

static struct counts draw(VkCullModeFlags cull, const float corners[3][4])
{
   const VkPhysicalDeviceFeatures features = {.pipelineStatisticsQuery = VK_TRUE};
   const VkQueryPoolCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
      .queryType = VK_QUERY_TYPE_PIPELINE_STATISTICS,
      .queryCount = 1,
      .pipelineStatistics = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
                            VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT,
   };
   struct triangle t;
   struct counts counts;
   VkQueryPool pool;
   triangle_init(&t, VK_SAMPLE_COUNT_1_BIT, cull, &features);
   client_check(vk.CreateQueryPool(t.client.device, &info, NULL, &pool), "vkCreateQueryPool");
   VkCommandBuffer cmd = triangle_begin(&t);
   vk.CmdResetQueryPool(cmd, pool, 0, 1);
   triangle_begin_pass(&t, cmd);
   vk.CmdBeginQuery(cmd, pool, 0, 0);
   triangle_draw(&t, cmd, corners);
   vk.CmdEndQuery(cmd, pool, 0);
   triangle_end(&t, cmd);
   client_check(vk.GetQueryPoolResults(t.client.device, pool, 0, 1, sizeof(counts), &counts, sizeof(counts),
                                       VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
                "vkGetQueryPoolResults");
   CHECK_EQ(counts.vertices, 3);
   CHECK_EQ(counts.primitives, 1);
   CHECK_EQ(counts.vertex_invocations, 3);
   CHECK_EQ(counts.clipping_invocations, 1);
   vk.DestroyQueryPool(t.client.device, pool, NULL);
   triangle_finish(&t);
   return counts;
}

static const float visible[3][4] = {{-1, -1, 0.5f, 1}, {1, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}};

TEST(visible_triangle)
{
   const struct counts counts = draw(VK_CULL_MODE_NONE, visible);
   CHECK_EQ(counts.clipping_primitives, 1);
   /* The diagonal's texels are covered or not, as the fill rule says. */
   CHECK(counts.fragment_invocations >= TRIANGLE_SIZE * (TRIANGLE_SIZE - 1) / 2);
   CHECK(counts.fragment_invocations <= TRIANGLE_SIZE * (TRIANGLE_SIZE + 1) / 2);
}

/* Culling comes after clipping. */
TEST(culled_triangle)
{
   const struct counts counts = draw(VK_CULL_MODE_FRONT_AND_BACK, visible);
   CHECK_EQ(counts.clipping_primitives, 1);
   CHECK_EQ(counts.fragment_invocations, 0);
}

TEST(outside)
{
   const float corners[3][4] = {{2, -1, 0.5f, 1}, {3, -1, 0.5f, 1}, {2, 1, 0.5f, 1}};
   const struct counts counts = draw(VK_CULL_MODE_NONE, corners);
   CHECK_EQ(counts.clipping_primitives, 0);
   CHECK_EQ(counts.fragment_invocations, 0);
}

/* The near plane cuts one corner off: a quadrangle, two triangles. */
TEST(cut_by_the_near_plane)
{
   const float corners[3][4] = {{-1, -1, -0.5f, 1}, {1, -1, 0.5f, 1}, {-1, 1, 0.5f, 1}};
   const struct counts counts = draw(VK_CULL_MODE_NONE, corners);
   CHECK_EQ(counts.clipping_primitives, 2);
   CHECK(counts.fragment_invocations > 0);
}

TEST_MAIN
