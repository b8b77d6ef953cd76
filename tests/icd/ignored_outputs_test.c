/* SPDX-License-Identifier: MIT
 * icd/pipeline/ignored_outputs.c: the components of a fragment shader's colours that code need not compute. */
#include "icd/pipeline/graphics_state.h"
#include "icd/pipeline/ignored_outputs.h"
#include "tests/test.h"

enum { NUM_FORMATS = 2, MAX_DYNAMIC = 2 };

#define RGBA8 VK_FORMAT_R8G8B8A8_UNORM
#define NONE VK_FORMAT_UNDEFINED
#define BY_ALPHA VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD
#define BY_COLOR VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, VK_BLEND_OP_ADD
#define SUM VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD
#define ADVANCED VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_MULTIPLY_EXT

struct target {
   VkFormat formats[NUM_FORMATS];
   VkPipelineColorBlendAttachmentState blends[NUM_FORMATS];
   VkDynamicState dynamic[MAX_DYNAMIC]; /* 0: none, as the viewport is here */
   uint32_t alpha_to_coverage;
   uint32_t taken;
};

static const struct target targets[] = {
   {{RGBA8, NONE}, {{VK_FALSE, .colorWriteMask = 0xf}, {VK_FALSE, .colorWriteMask = 0}}, .taken = 0x0f},
   {{RGBA8, RGBA8}, {{VK_FALSE, .colorWriteMask = 0xf}, {VK_FALSE, .colorWriteMask = 0xf}}, .taken = 0xff},
   /* no format: commands may have any */
   {{NONE, RGBA8}, {{VK_FALSE, .colorWriteMask = 0x6}, {VK_FALSE, .colorWriteMask = 0xf}}, .taken = 0xf6},
   {{RGBA8, RGBA8}, {{VK_FALSE, .colorWriteMask = 0x5}, {VK_FALSE, .colorWriteMask = 0}}, .taken = 0x05},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_FALSE, .colorWriteMask = 0xf}}, .taken = 0x1},
   {{VK_FORMAT_R32G32_UINT, VK_FORMAT_B10G11R11_UFLOAT_PACK32}, {{VK_TRUE, BY_ALPHA, BY_ALPHA, 0xf}, {VK_FALSE, .colorWriteMask = 0xf}}, .taken = 0x73},
   /* alpha as a factor counts even where it is not written */
   {{VK_FORMAT_R8_UNORM, RGBA8}, {{VK_TRUE, BY_ALPHA, SUM, 0xf}, {VK_TRUE, BY_ALPHA, SUM, 0x7}}, .taken = 0xf9},
   {{VK_FORMAT_R8_UNORM, RGBA8}, {{VK_TRUE, BY_COLOR, BY_COLOR, 0xf}, {VK_TRUE, SUM, SUM, 0x7}}, .taken = 0x71},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_TRUE, ADVANCED, ADVANCED, 0xf}}, .taken = 0xf},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_TRUE, BY_ALPHA, BY_ALPHA, 0}}, .taken = 0},
   {{NONE, NONE}, {{VK_FALSE, .colorWriteMask = 0}}, .alpha_to_coverage = 1, .taken = 0x8},
   /* what commands set may be anything */
   {{VK_FORMAT_R8G8_UNORM, RGBA8}, {{VK_FALSE}, {VK_FALSE}}, {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT}, .taken = 0xf3},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_FALSE, BY_ALPHA, SUM, 0xf}}, {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT}, .taken = 0x9},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_TRUE, SUM, SUM, 0xf}}, {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT}, .taken = 0xf},
   {{VK_FORMAT_R8_UNORM, NONE}, {{VK_TRUE, SUM, SUM, 0xf}}, {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT}, .taken = 0xf},
   {{NONE, NONE}, {{VK_FALSE}}, {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT}, .taken = 0x8},
};

static uint32_t ignored(const struct target *target, const void *next, bool has_formats, VkGraphicsPipelineLibraryFlagsEXT parts)
{
   const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                    .pNext = next,
                                                    .colorAttachmentCount = NUM_FORMATS,
                                                    .pColorAttachmentFormats = target->formats};
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = NUM_FORMATS, .pAttachments = target->blends};
   const VkPipelineMultisampleStateCreateInfo samples = {.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                         .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
                                                         .alphaToCoverageEnable = target->alpha_to_coverage};
   const VkPipelineDynamicStateCreateInfo dynamic = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = MAX_DYNAMIC, .pDynamicStates = target->dynamic};
   const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                              .pNext = has_formats ? &rendering : NULL,
                                              .pMultisampleState = &samples,
                                              .pColorBlendState = &blend,
                                              .pDynamicState = &dynamic};
   return icd_ignored_outputs(&info, 0, parts);
}

TEST(formats_and_state)
{
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(targets); i++)
      CHECK_EQ(~ignored(&targets[i], NULL, true, ICD_ALL_PARTS), targets[i].taken);
}

TEST(locations)
{
   const uint32_t of_attachments[NUM_FORMATS] = {3, VK_ATTACHMENT_UNUSED};
   const VkRenderingAttachmentLocationInfo locations = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO,
                                                        .colorAttachmentCount = NUM_FORMATS,
                                                        .pColorAttachmentLocations = of_attachments};
   CHECK_EQ(~ignored(&targets[1], &locations, true, ICD_ALL_PARTS), 0xf000);
}

TEST(unknown)
{
   CHECK_EQ(ignored(&targets[0], NULL, false, ICD_ALL_PARTS), 0);
   CHECK_EQ(ignored(&targets[0], NULL, true, VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT), 0);
}

TEST_MAIN
