/* SPDX-License-Identifier: MIT
 * Several pipelines in one call: those that must not be compiled find what those before them made, and an early return makes nothing after it. */
#include "tests/icd/scenario.h"
#include "tests/test.h"

enum { MAX_BATCH = 3, NUM_ROUNDS = 20 };

static const VkPipelineCreateFlags no_compile = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
static const VkPipelineCreateFlags no_compile_early =
   VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT | VK_PIPELINE_CREATE_EARLY_RETURN_ON_FAILURE_BIT;

struct context {
   struct fixture f;
   struct scenario_compute shader;
   VkPipelineCache cache;
};

static void init(struct context *c)
{
   const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
   fixture_init(&c->f, NULL);
   scenario_compute_init(&c->shader, c->f.device);
   fixture_require(icd_CreatePipelineCache(c->f.device, &info, NULL, &c->cache), "vkCreatePipelineCache");
}

static void finish(struct context *c)
{
   icd_DestroyPipelineCache(c->f.device, c->cache, NULL);
   scenario_compute_finish(&c->shader, c->f.device);
   fixture_finish(&c->f, NULL);
}

/* Pipelines with the same code for the same factor; `made` says which came to be, as bits. */
static VkResult make(struct context *c, uint32_t count, const uint32_t *factors, const VkPipelineCreateFlags *flags, uint32_t *made)
{
   static const VkSpecializationMapEntry entry = {0, 0, 4};
   VkSpecializationInfo specializations[MAX_BATCH];
   VkComputePipelineCreateInfo infos[MAX_BATCH];
   VkPipeline pipelines[MAX_BATCH];
   for (uint32_t i = 0; i < count; i++) {
      specializations[i] = (VkSpecializationInfo){1, &entry, 4, &factors[i]};
      infos[i] = scenario_compute_info(&c->shader, &specializations[i]);
      infos[i].flags = flags[i];
   }
   const VkResult result = icd_CreateComputePipelines(c->f.device, c->cache, count, infos, NULL, pipelines);
   *made = 0;
   for (uint32_t i = 0; i < count; i++) {
      *made |= (pipelines[i] != VK_NULL_HANDLE) << i;
      icd_DestroyPipeline(c->f.device, pipelines[i], NULL);
   }
   return result;
}

TEST(what_must_not_be_compiled_finds_what_was)
{
   struct context c;
   init(&c);
   for (uint32_t round = 0; round < NUM_ROUNDS; round++) {
      const uint32_t factors[] = {100 + round, 100 + round, 100 + round};
      uint32_t made;
      CHECK_EQ(make(&c, 3, factors, (const VkPipelineCreateFlags[]){no_compile, 0, no_compile}, &made), VK_PIPELINE_COMPILE_REQUIRED);
      CHECK_EQ(made, 6);
   }
   finish(&c);
}

TEST(nothing_is_made_after_an_early_return)
{
   struct context c;
   uint32_t made;
   init(&c);
   const uint32_t factors[] = {200, 201, 202};
   CHECK_EQ(make(&c, 1, factors, (const VkPipelineCreateFlags[]){0}, &made), VK_SUCCESS);
   CHECK_EQ(make(&c, 3, factors, (const VkPipelineCreateFlags[]){no_compile, no_compile_early, 0}, &made), VK_PIPELINE_COMPILE_REQUIRED);
   CHECK_EQ(made, 1);
   CHECK_EQ(make(&c, 1, &factors[2], &no_compile, &made), VK_PIPELINE_COMPILE_REQUIRED); /* not even compiled */
   finish(&c);
}

TEST_MAIN
