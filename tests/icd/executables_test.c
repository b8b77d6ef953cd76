/* SPDX-License-Identifier: MIT
 * icd/pipeline/executables.c: what tools learn of a pipeline's code, and the two-call idiom of each question. */
#include "tests/icd/scenario.h"
#include "tests/test.h"
#include "util/cpu.h"

struct context {
   struct fixture f;
   struct scenario_compute shader;
   VkPipeline pipeline;
};

static void init(struct context *c, VkPipelineCreateFlags flags)
{
   fixture_init(&c->f, NULL);
   scenario_compute_init(&c->shader, c->f.device);
   VkComputePipelineCreateInfo info = scenario_compute_info(&c->shader, NULL);
   info.flags = flags;
   fixture_require(icd_CreateComputePipelines(c->f.device, VK_NULL_HANDLE, 1, &info, NULL, &c->pipeline),
                   "vkCreateComputePipelines");
}

static void finish(struct context *c)
{
   icd_DestroyPipeline(c->f.device, c->pipeline, NULL);
   scenario_compute_finish(&c->shader, c->f.device);
   fixture_finish(&c->f, NULL);
}

TEST(properties_and_statistics)
{
   struct context c;
   init(&c, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR);
   const VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, NULL, c.pipeline};
   VkPipelineExecutablePropertiesKHR properties = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
   uint32_t count = 77;
   CHECK_EQ(icd_GetPipelineExecutablePropertiesKHR(c.f.device, &info, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 1);
   CHECK_EQ(icd_GetPipelineExecutablePropertiesKHR(c.f.device, &info, &count, &properties), VK_SUCCESS);
   CHECK_EQ(properties.stages, VK_SHADER_STAGE_COMPUTE_BIT);
   CHECK_EQ(properties.subgroupSize, 32);
   CHECK_EQ(strcmp(properties.name, "compute shader"), 0);
   count = 0;
   CHECK_EQ(icd_GetPipelineExecutablePropertiesKHR(c.f.device, &info, &count, &properties), VK_INCOMPLETE);

   const VkPipelineExecutableInfoKHR executable = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, NULL, c.pipeline, 0};
   VkPipelineExecutableStatisticKHR statistics[8];
   CHECK_EQ(icd_GetPipelineExecutableStatisticsKHR(c.f.device, &executable, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 4);
   count = 8;
   CHECK_EQ(icd_GetPipelineExecutableStatisticsKHR(c.f.device, &executable, &count, statistics), VK_SUCCESS);
   CHECK_EQ(count, 4);
   CHECK(statistics[0].value.u64 > 100);                      /* an ELF object is no shorter */
   CHECK(statistics[1].value.u64 == util_cpu_lanes() || statistics[1].value.u64 == util_cpu_max_lanes()); /* the shader cannot observe it */
   count = 3;
   CHECK_EQ(icd_GetPipelineExecutableStatisticsKHR(c.f.device, &executable, &count, statistics), VK_INCOMPLETE);
   CHECK_EQ(count, 3);

   /* Nobody asked for texts. */
   CHECK_EQ(icd_GetPipelineExecutableInternalRepresentationsKHR(c.f.device, &executable, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 0);
   finish(&c);
}

/* VK_EXT_pipeline_properties: the same for the same code, whoever makes it. */
TEST(identifiers)
{
   struct context c[2];
   VkPipelinePropertiesIdentifierEXT ids[3] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT},
                                               {.sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT},
                                               {.sType = VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT}};
   static const uint8_t none[VK_UUID_SIZE];
   for (uint32_t i = 0; i < 2; i++) {
      init(&c[i], 0);
      const VkPipelineInfoEXT info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_EXT, NULL, c[i].pipeline};
      CHECK_EQ(icd_GetPipelinePropertiesEXT(c[i].f.device, &info, (VkBaseOutStructure *)&ids[i]), VK_SUCCESS);
   }
   CHECK(memcmp(ids[0].pipelineIdentifier, none, VK_UUID_SIZE) != 0);
   CHECK(memcmp(ids[0].pipelineIdentifier, ids[1].pipelineIdentifier, VK_UUID_SIZE) == 0);

   VkPipeline other;
   VkComputePipelineCreateInfo create = scenario_compute_info(&c[0].shader, NULL);
   create.stage.pNext = &(VkPipelineShaderStageRequiredSubgroupSizeCreateInfo){VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO, NULL, 8};
   fixture_require(icd_CreateComputePipelines(c[0].f.device, VK_NULL_HANDLE, 1, &create, NULL, &other), "vkCreateComputePipelines");
   const VkPipelineInfoEXT info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_EXT, NULL, other};
   CHECK_EQ(icd_GetPipelinePropertiesEXT(c[0].f.device, &info, (VkBaseOutStructure *)&ids[2]), VK_SUCCESS);
   CHECK(memcmp(ids[0].pipelineIdentifier, ids[2].pipelineIdentifier, VK_UUID_SIZE) != 0);
   icd_DestroyPipeline(c[0].f.device, other, NULL);
   for (uint32_t i = 0; i < 2; i++)
      finish(&c[i]);
}

TEST(texts)
{
   struct context c;
   VkPipelineExecutableInternalRepresentationKHR texts[3] = {0};
   char data[3][1 << 16];
   init(&c, VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR);
   const VkPipelineExecutableInfoKHR executable = {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, NULL, c.pipeline, 0};
   uint32_t count = 3;
   CHECK_EQ(icd_GetPipelineExecutableInternalRepresentationsKHR(c.f.device, &executable, &count, texts), VK_SUCCESS);
   CHECK_EQ(count, 3);
   size_t sizes[3];
   for (uint32_t i = 0; i < 3; i++) {
      sizes[i] = texts[i].dataSize;
      texts[i].dataSize = sizeof(data[i]);
      texts[i].pData = data[i];
   }
   CHECK_EQ(icd_GetPipelineExecutableInternalRepresentationsKHR(c.f.device, &executable, &count, texts), VK_SUCCESS);
   for (uint32_t i = 0; i < 3; i++) {
      CHECK_EQ(texts[i].isText, VK_TRUE);
      CHECK_EQ(texts[i].dataSize, sizes[i]);
      CHECK_EQ(strlen(data[i]) + 1, sizes[i]);
   }
   CHECK(strstr(data[0], "binding=") != NULL);
   CHECK(strstr(data[1], "define") != NULL);
   CHECK(strstr(data[2], "ret") != NULL);

   texts[1].dataSize = 9;
   CHECK_EQ(icd_GetPipelineExecutableInternalRepresentationsKHR(c.f.device, &executable, &count, texts), VK_INCOMPLETE);
   CHECK_EQ(texts[1].dataSize, 9);
   CHECK_EQ(strlen(data[1]), 8);
   finish(&c);
}

TEST_MAIN
