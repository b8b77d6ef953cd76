/* SPDX-License-Identifier: MIT
 * The rules that depend on values of the run: shaders that break them get the results that the driver defines for that. */
#include "gen/icd_spirv.h"
#include "icd/device/physical_device.h"
#include "icd/validate/report.h"
#include "tests/icd/validate/graphics.h"
#include "tests/icd/validate/runs.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/cpu.h"
#include "util/macros.h"

#include "addresses.comp.h"
#include "attachments.frag.h"
#include "attachments.vert.h"
#include "non_uniform.comp.h"
#include "samples.comp.h"

/* The rules of the table that are left to the run, and the test that shows each: one below, or another program. */
static const struct {
   const char *number, *test;
} shown[] = {
   {"04745", "non_uniform"}, {"10134", "non_uniform"}, {"10135", "non_uniform"}, {"10136", "non_uniform"}, {"10137", "non_uniform"},
   {"10138", "attachments"}, {"10139", "non_uniform"}, {"10140", "non_uniform"}, {"10141", "non_uniform"}, {"10142", "non_uniform"},
   {"10143", "non_uniform"}, {"10144", "non_uniform"}, {"10145", "attachments"}, {"10146", "non_uniform"}, {"10147", "non_uniform"},
   {"10148", "non_uniform"}, {"10149", "non_uniform"}, {"06315", "addresses"},   {"08725", "samples"},     {"08726", "samples"},
   {"08986", "matrices"}, {"10096", "unaligned_vectors"}, {"10097", "unaligned_vectors"}, {"10098", "unaligned_vectors"},
   {"10099", "unaligned_vectors"}, {"10100", "unaligned_vectors"}, {"10101", "unaligned_vectors"},
   {"06348", "rays/hostile"}, {"06349", "rays/hostile"}, {"06350", "rays/hostile"}, {"06351", "rays/hostile"}, {"06352", "rays/hostile"},
   {"06353", "rays/hostile"}, {"08761", "rays/hostile"}, {"06355", "rays"}, {"06356", "rays"}, {"06357", "rays"},
   {"06358", "rays"}, {"06359", "rays"}, {"06553", "rays"}, {"06554", "rays"}, {"06998", "rays"},
   {"07705", "rays"}, {"07706", "rays"}, {"07707", "rays"}, {"07708", "rays"}, {"07715", "rays"}, {"07716", "rays"},
   {"06287", "shaders/sparse"}, {"11166", "unaligned"}, {"11878", "rays"}, {"11879", "rays"},
   {"11880", "rays"}, {"11881", "rays"}, {"11886", "rays"}, {"11887", "rays"}, {"13558", "patterns/split_wrong"}, {"13559", "patterns/split_wrong"},
   {"11348", "descriptor_heap"}, {"11349", "descriptor_heap"}, {"11383", "descriptor_heap"}, {"11350", "descriptor_heap"}, {"11384", "descriptor_heap"},
   {"11340", "descriptor_heap"}, {"11341", "descriptor_heap"}, {"11342", "descriptor_heap"}, {"11343", "descriptor_heap"}, {"11345", "descriptor_heap"},
   {"11379", "descriptor_heap"}, {"11380", "descriptor_heap"}, {"11382", "descriptor_heap"}, {"11385", "descriptor_heap"}, {"11387", "descriptor_heap"},
   {"11388", "descriptor_heap"},
   {"06979", "render/processing"}, {"06982", "render/processing"}, {"06985", "render/processing"}, {"06986", "render/processing"},
   {"06987", "render/processing"}, {"06988", "render/processing"}, {"06989", "render/processing"}, {"06990", "render/processing"},
   {"13560", "patterns/split_wrong"}, {"13561", "patterns/split_wrong"}, {"09645", "protected_addresses"}, {"10834", "attack/offsets"},
};

TEST(complete)
{
   uint32_t count = 0;
   for (uint32_t r = 0; r < ICD_NUM_RULES; r++) {
      bool is_shown = false;
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(shown) && icd_rules[r].where == ICD_RULE_RUN_TIME; i++)
         is_shown |= !strcmp(strrchr(icd_rules[r].vuid, '-') + 1, shown[i].number);
      if (icd_rules[r].where == ICD_RULE_RUN_TIME && !is_shown) {
         fprintf(stderr, "%s\n", icd_rules[r].vuid);
         CHECK(!"a rule of the run has no test");
      }
      count += icd_rules[r].where == ICD_RULE_RUN_TIME;
   }
   CHECK_EQ(count, UTIL_ARRAY_SIZE(shown));
}

/* Each invocation has the resource that it asks for. */
TEST(non_uniform)
{
   enum { NUM = 4, NUM_RESULTS = 8, LANES = 64 };
   static const VkDescriptorType types[NUM_RESULTS] = {
      VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,       VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
      VK_DESCRIPTOR_TYPE_SAMPLER,        VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,        VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER,
      VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   VkDescriptorSetLayoutBinding bindings[NUM_RESULTS];
   struct run_buffer buffers[NUM];
   struct fixture_image sampled[NUM], stored[NUM];
   VkSampler samplers[NUM];
   VkBufferView views[NUM];
   struct run_device run;
   uint32_t push[NUM];
   for (uint32_t b = 0; b < NUM_RESULTS; b++)
      bindings[b] = (VkDescriptorSetLayoutBinding){b, types[b], b == 7 ? 1 : NUM, VK_SHADER_STAGE_ALL, NULL};
   run_init(&run, NUM_RESULTS, bindings, sizeof(push));
   for (uint32_t i = 0; i < NUM; i++) {
      push[i] = 1000 + i;
      buffers[i] = run_buffer(&run, 256);
      buffers[i].map[0] = 2000 + i;
      buffers[i].map[1] = 3000 + i;
      sampled[i] = run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT,
                             (VkClearColorValue){.float32 = {(float)(10 * (i + 1)) / 255.0f}});
      stored[i] = run_image(&run, VK_FORMAT_R32_UINT, VK_SAMPLE_COUNT_1_BIT, (VkClearColorValue){.uint32 = {4000 + i}});
      const VkSamplerCreateInfo sampler = {
         .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
         .addressModeU = i & 1 ? VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
         .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
         .borderColor = i & 2 ? VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK};
      fixture_require(icd_CreateSampler(run.f.device, &sampler, NULL, &samplers[i]), "vkCreateSampler");
      const VkBufferViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
                                           .buffer = buffers[i].buffer,
                                           .format = VK_FORMAT_R32_UINT,
                                           .range = 256};
      fixture_require(icd_CreateBufferView(run.f.device, &view, NULL, &views[i]), "vkCreateBufferView");

      const VkDescriptorBufferInfo buffer = {buffers[i].buffer, 0, 256};
      const VkDescriptorImageInfo image = {samplers[i], sampled[i].view, VK_IMAGE_LAYOUT_GENERAL};
      const VkDescriptorImageInfo storage = {VK_NULL_HANDLE, stored[i].view, VK_IMAGE_LAYOUT_GENERAL};
      for (uint32_t b = 0; b < NUM_RESULTS - 1; b++)
         run_write(&run, b, i, types[b], types[b] == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ? &storage : &image, &buffer, &views[i]);
   }
   const struct run_buffer results = run_buffer(&run, NUM_RESULTS * LANES * 4);
   const VkDescriptorBufferInfo result_info = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 7, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &result_info, NULL);
   run_compute(&run, non_uniform_comp, sizeof(non_uniform_comp), push, sizeof(push));

   for (uint32_t lane = 0; lane < LANES; lane++) {
      static const uint32_t edges[NUM] = {10, 0, 10, 255};
      const uint32_t i = (lane * 7 + lane / 8) & 3;
      const uint32_t wanted[NUM_RESULTS] = {1000 + i, 2000 + i, 2000 + i, 10 * (i + 1), edges[i], 4000 + i, 3000 + i, 3000 + i};
      for (uint32_t r = 0; r < NUM_RESULTS; r++)
         CHECK_EQ(results.map[r * LANES + lane], wanted[r]);
   }
   for (uint32_t i = 0; i < NUM; i++) {
      icd_DestroyBufferView(run.f.device, views[i], NULL);
      icd_DestroySampler(run.f.device, samplers[i], NULL);
      fixture_image_destroy(run.f.device, &sampled[i]);
      fixture_image_destroy(run.f.device, &stored[i]);
      run_buffer_free(&run, &buffers[i]);
   }
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* ---- input attachments ---- */

enum { NUM_INPUTS = 4, SIZE = 4 };

static VkRenderPass attachments_pass(struct run_device *run)
{
   VkAttachmentDescription attachments[NUM_INPUTS + 1];
   VkAttachmentReference inputs[NUM_INPUTS];
   VkRenderPass pass;
   for (uint32_t i = 0; i <= NUM_INPUTS; i++)
      attachments[i] = (VkAttachmentDescription){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                 .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
   for (uint32_t i = 0; i < NUM_INPUTS; i++)
      inputs[i] = (VkAttachmentReference){i, VK_IMAGE_LAYOUT_GENERAL};
   const VkAttachmentReference color = {NUM_INPUTS, VK_IMAGE_LAYOUT_GENERAL};
   const VkSubpassDescription subpass = {
      .inputAttachmentCount = NUM_INPUTS, .pInputAttachments = inputs, .colorAttachmentCount = 1, .pColorAttachments = &color};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = NUM_INPUTS + 1,
                                        .pAttachments = attachments,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass};
   fixture_require(icd_CreateRenderPass(run->f.device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

static VkPipeline attachments_pipeline(struct run_device *run, VkRenderPass pass)
{
   const VkPipelineShaderStageCreateInfo stages[2] = {
      run_stage(run, VK_SHADER_STAGE_VERTEX_BIT, attachments_vert, sizeof(attachments_vert)),
      run_stage(run, VK_SHADER_STAGE_FRAGMENT_BIT, attachments_frag, sizeof(attachments_frag))};
   const struct graphics whole = {.layout = run->layout, .pass = pass};
   VkPipeline pipeline;
   fixture_require(graphics_of_stages(run->f.device, &whole, stages, false, &pipeline), "vkCreateGraphicsPipelines");
   for (uint32_t i = 0; i < 2; i++)
      icd_DestroyShaderModule(run->f.device, stages[i].module, NULL);
   return pipeline;
}

TEST(attachments)
{
   struct run_device run;
   struct fixture_image images[NUM_INPUTS + 1];
   VkImageView views[NUM_INPUTS + 1];
   VkFramebuffer framebuffer;
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, NUM_INPUTS, VK_SHADER_STAGE_FRAGMENT_BIT, NULL};
   run_init(&run, 1, &binding, 0);
   for (uint32_t i = 0; i <= NUM_INPUTS; i++) {
      images[i] = run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT,
                            (VkClearColorValue){.float32 = {(float)(10 * (i + 1)) / 255.0f}});
      views[i] = images[i].view;
      const VkDescriptorImageInfo info = {VK_NULL_HANDLE, views[i], VK_IMAGE_LAYOUT_GENERAL};
      if (i < NUM_INPUTS)
         run_write(&run, 0, i, VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, &info, NULL, NULL);
   }
   const VkRenderPass pass = attachments_pass(&run);
   const VkPipeline pipeline = attachments_pipeline(&run, pass);
   const VkFramebufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                         .renderPass = pass,
                                         .attachmentCount = NUM_INPUTS + 1,
                                         .pAttachments = views,
                                         .width = SIZE,
                                         .height = SIZE,
                                         .layers = 1};
   fixture_require(icd_CreateFramebuffer(run.f.device, &info, NULL, &framebuffer), "vkCreateFramebuffer");
   const struct run_buffer results = run_buffer(&run, SIZE * SIZE * 4);
   const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                        .renderPass = pass,
                                        .framebuffer = framebuffer,
                                        .renderArea = {{0, 0}, {SIZE, SIZE}}};
   const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIZE, SIZE, 1}};
   const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                    .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT};
   run_begin(&run);
   icd_CmdBeginRenderPass(run.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
   icd_CmdBindPipeline(run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
   icd_CmdBindDescriptorSets(run.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, run.layout, 0, 1, &run.set, 0, NULL);
   icd_CmdDraw(run.commands, 3, 1, 0, 0);
   icd_CmdEndRenderPass(run.commands);
   icd_CmdPipelineBarrier(run.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0,
                          NULL);
   icd_CmdCopyImageToBuffer(run.commands, images[NUM_INPUTS].image, VK_IMAGE_LAYOUT_GENERAL, results.buffer, 1, &copy);
   run_submit(&run);
   for (uint32_t y = 0; y < SIZE; y++) {
      for (uint32_t x = 0; x < SIZE; x++)
         CHECK_EQ(results.map[y * SIZE + x] & 0xff, 10 * (((x * 3 + y) & 3) + 1));
   }
   icd_DestroyFramebuffer(run.f.device, framebuffer, NULL);
   icd_DestroyPipeline(run.f.device, pipeline, NULL);
   icd_DestroyRenderPass(run.f.device, pass, NULL);
   for (uint32_t i = 0; i <= NUM_INPUTS; i++)
      fixture_image_destroy(run.f.device, &images[i]);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* Addresses below the alignment that is promised: the bytes that are there. */
TEST(addresses)
{
   enum { LANES = 8, STRIDE = 64 };
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   run_init(&run, 1, &binding, 32);
   const struct run_buffer words = run_buffer(&run, LANES * STRIDE + 64), vectors = run_buffer(&run, LANES * STRIDE + 64),
                           results = run_buffer(&run, LANES * 5 * 4);
   const VkDescriptorBufferInfo info = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   for (uint32_t offset = 0; offset < 16; offset++) {
      const struct {
         VkDeviceAddress words, vectors;
         uint32_t offset, pad;
      } push = {words.address, vectors.address, offset, 0};
      for (uint32_t i = 0; i < (LANES * STRIDE + 64) / 4; i++)
         words.map[i] = vectors.map[i] = i * 0x01030509u + 0x11223344u;
      run_compute(&run, addresses_comp, sizeof(addresses_comp), &push, sizeof(push));
      for (uint32_t lane = 0; lane < LANES; lane++) {
         uint32_t word, now[4];
         memcpy(&word, (const char *)words.map + lane * STRIDE + offset, 4);
         memcpy(now, (const char *)vectors.map + lane * STRIDE + offset, 16);
         CHECK_EQ(results.map[lane * 5], word);
         for (uint32_t i = 0; i < 4; i++) {
            uint32_t old;
            memcpy(&old, (const char *)words.map + lane * STRIDE + offset + i * 4, 4); /* both held the same */
            CHECK_EQ(results.map[lane * 5 + 1 + i], old);
            CHECK_EQ(now[3 - i], old);
         }
      }
   }
   run_buffer_free(&run, &words);
   run_buffer_free(&run, &vectors);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* protectedNoFault: what is protected is read like other memory. */
TEST(protected_addresses)
{
   enum { LANES = 8, BYTES = 1024, VALUE = 0x11223344 };
   const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   run_init(&run, 1, &binding, 32);
   const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .flags = VK_BUFFER_CREATE_PROTECTED_BIT, .size = BYTES,
                                           .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO, .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
   const VkMemoryAllocateInfo memory_info = {VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, BYTES, ICD_MEMORY_TYPE_PROTECTED};
   VkBuffer words;
   VkDeviceMemory memory;
   fixture_require(icd_CreateBuffer(run.f.device, &buffer_info, NULL, &words), "vkCreateBuffer");
   fixture_require(icd_AllocateMemory(run.f.device, &memory_info, NULL, &memory), "vkAllocateMemory");
   fixture_require(icd_BindBufferMemory(run.f.device, words, memory, 0), "vkBindBufferMemory");
   const struct run_buffer vectors = run_buffer(&run, BYTES), results = run_buffer(&run, LANES * 5 * 4);
   const VkDescriptorBufferInfo info = {results.buffer, 0, VK_WHOLE_SIZE};
   const VkBufferDeviceAddressInfo at = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = words};
   const struct {
      VkDeviceAddress words, vectors;
      uint32_t offset, pad;
   } push = {icd_GetBufferDeviceAddress(run.f.device, &at), vectors.address, 0, 0};
   run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   run_begin(&run);
   icd_CmdFillBuffer(run.commands, words, 0, BYTES, VALUE);
   run_submit(&run);
   run_compute(&run, addresses_comp, sizeof(addresses_comp), &push, sizeof(push));
   for (uint32_t lane = 0; lane < LANES; lane++)
      CHECK_EQ(results.map[lane * 5], VALUE);
   icd_DestroyBuffer(run.f.device, words, NULL);
   icd_FreeMemory(run.f.device, memory, NULL);
   run_buffer_free(&run, &vectors);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* An image read with samples that it has not, or as one of its samples: a texel of it or 0, and the same each time. */
TEST(samples)
{
   enum { LANES = 8, VALUE = 70 };
   VkDescriptorSetLayoutBinding bindings[3];
   struct run_device run;
   uint32_t first[LANES * 2];
   for (uint32_t b = 0; b < 3; b++)
      bindings[b] = (VkDescriptorSetLayoutBinding){b, b == 2 ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER : VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1,
                                                   VK_SHADER_STAGE_ALL, NULL};
   run_init(&run, 3, bindings, 0);
   const VkClearColorValue color = {.float32 = {VALUE / 255.0f}};
   const struct fixture_image one = run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, color),
                          four = run_image(&run, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_4_BIT, color);
   const struct run_buffer results = run_buffer(&run, sizeof(first));
   const VkDescriptorImageInfo without = {VK_NULL_HANDLE, one.view, VK_IMAGE_LAYOUT_GENERAL},
                               with_samples = {VK_NULL_HANDLE, four.view, VK_IMAGE_LAYOUT_GENERAL};
   const VkDescriptorBufferInfo info = {results.buffer, 0, VK_WHOLE_SIZE};
   run_write(&run, 2, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &info, NULL);
   for (uint32_t is_wrong = 0; is_wrong < 2; is_wrong++) { /* the right images first: what distinguishes the wrong ones is the image alone */
      run_write(&run, 0, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, is_wrong ? &without : &with_samples, NULL, NULL);
      run_write(&run, 1, 0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, is_wrong ? &with_samples : &without, NULL, NULL);
      for (uint32_t time = 0; time < 2; time++) {
         memset(results.map, 0xff, sizeof(first));
         run_compute(&run, samples_comp, sizeof(samples_comp), NULL, 0);
         for (uint32_t i = 0; i < LANES * 2; i++) {
            CHECK(results.map[i] == VALUE || (is_wrong && results.map[i] == 0));
            CHECK(time == 0 || results.map[i] == first[i]);
         }
         memcpy(first, results.map, sizeof(first));
      }
   }
   fixture_image_destroy(run.f.device, &one);
   fixture_image_destroy(run.f.device, &four);
   run_buffer_free(&run, &results);
   run_finish(&run);
}

/* A compute shader between two storage buffers, bindings 0 and 1. */
struct pair {
   struct run_device run;
   struct spvasm shader;
   struct run_buffer from, to;
};

static void pair_init(struct pair *pair, const char *path, uint64_t from_bytes, uint64_t to_bytes)
{
   VkDescriptorSetLayoutBinding bindings[2];
   CHECK(spvasm_load(&pair->shader, path));
   for (uint32_t b = 0; b < 2; b++)
      bindings[b] = (VkDescriptorSetLayoutBinding){b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   run_init(&pair->run, 2, bindings, 8);
   pair->from = run_buffer(&pair->run, from_bytes);
   pair->to = run_buffer(&pair->run, to_bytes);
   const VkDescriptorBufferInfo infos[2] = {{pair->from.buffer, 0, VK_WHOLE_SIZE}, {pair->to.buffer, 0, VK_WHOLE_SIZE}};
   for (uint32_t b = 0; b < 2; b++)
      run_write(&pair->run, b, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, NULL, &infos[b], NULL);
}

static void pair_run(struct pair *pair, const uint32_t push[2])
{
   run_compute(&pair->run, pair->shader.words, pair->shader.num_words * 4, push, push ? 8 : 0);
}

static void pair_finish(struct pair *pair)
{
   spvasm_free(&pair->shader);
   run_buffer_free(&pair->run, &pair->from);
   run_buffer_free(&pair->run, &pair->to);
   run_finish(&pair->run);
}

#ifdef VK_KHR_shader_untyped_pointers
TEST(unaligned)
{
   enum { LANES = 64, WORDS = LANES * 4 };
   struct pair pair;
   pair_init(&pair, UNALIGNED_PATH, LANES + 4, WORDS * 4);
   for (uint32_t i = 0; i < LANES + 4; i++)
      ((uint8_t *)pair.from.map)[i] = (uint8_t)(i * 5);
   for (uint32_t i = 0; i < WORDS; i++)
      pair.to.map[i] = UINT32_MAX;
   pair_run(&pair, NULL);
   for (uint32_t lane = 0; lane < LANES; lane++) {
      uint32_t mine, theirs;
      memcpy(&mine, (const uint8_t *)pair.from.map + lane, 4);
      memcpy(&theirs, (const uint8_t *)pair.from.map + (LANES - 1 - lane), 4);
      CHECK_EQ(pair.to.map[4 * lane], mine);
      CHECK_EQ(pair.to.map[4 * lane + 1], theirs >> 16);
      CHECK_EQ(pair.to.map[4 * lane + 2], lane - 1);
      CHECK_EQ(pair.to.map[4 * lane + 3], mine | 0xff000000);
   }
   pair_finish(&pair);
}
#endif

/* Rows of a cooperative matrix need no alignment, and what is outside of the buffer is zero and stays out. */
TEST(matrices)
{
   enum { SIZE = 16, WORDS = 320 };
   struct pair pair;
   pair_init(&pair, MATRICES_PATH, WORDS * 4, WORDS * 4);
   for (uint32_t i = 0; i < WORDS; i++)
      pair.from.map[i] = i + 1;
   for (uint32_t stride = 17; stride < 24; stride += 2) { /* the last ones pass the end */
      const uint32_t push[2] = {3, stride};
      memset(pair.to.map, 0, WORDS * 4);
      pair_run(&pair, push);
      for (uint32_t row = 0; row < SIZE; row++) {
         for (uint32_t column = 0; column < SIZE; column++) {
            const uint32_t source = 3 + row * stride + column, target = 3 + column * stride + row;
            if (target < WORDS)
               CHECK_EQ(pair.to.map[target], source < WORDS ? source + 1 : 0);
         }
      }
   }
   pair_finish(&pair);
}

/* Two buffers of words, the first with hashes of their numbers: the shader makes the second of it. */
static void run_matrices(const char *path, uint32_t num_words, const uint32_t **from_words, uint32_t *to_words)
{
   static uint32_t kept[1 << 15];
   struct pair pair;
   pair_init(&pair, path, num_words * 4, num_words * 4);
   for (uint32_t i = 0; i < num_words; i++)
      pair.from.map[i] = kept[i] = i * 2654435761u >> 12;
   pair_run(&pair, NULL);
   memcpy(to_words, pair.to.map, num_words * 4);
   *from_words = kept;
   pair_finish(&pair);
}

TEST(second_matrices)
{
   enum { SIZE = 32, SMALL = 16, PART = 1024, TENSOR = 40, WORDS = 10 * PART };
   static uint32_t to[WORDS];
   const uint32_t *x;
   uint32_t all = 0, columns[SIZE] = {0}, rows[SIZE] = {0};
   run_matrices(MATRICES2_PATH, WORDS, &x, to);
   for (uint32_t i = 0; i < PART; i++) {
      all += x[i];
      rows[i / SIZE] += x[i];
      columns[i % SIZE] += x[i];
   }
   for (uint32_t i = 0; i < PART; i++) {
      const uint32_t row = i / SIZE, column = i % SIZE;
      const uint32_t r = row + 30, c = column - 2;
      CHECK_EQ(to[i], rows[row]);
      CHECK_EQ(to[PART + i], columns[column]);
      CHECK_EQ(to[4 * PART + i], x[column * SIZE + row]);
      CHECK_EQ(to[5 * PART + i], x[i] * 1000 + i + columns[column] * 5);
      CHECK_EQ(to[6 * PART + i], r < TENSOR && c < TENSOR ? x[r * TENSOR + c] : 7);
      CHECK_EQ(to[7 * PART + i], x[r % TENSOR * TENSOR + (column + TENSOR - 2) % TENSOR]);
   }
   for (uint32_t i = 0; i < SMALL * SMALL; i++) {
      const uint32_t *at = &x[i / SMALL * 2 * SIZE + i % SMALL * 2];
      CHECK_EQ(to[2 * PART + i], at[0] + at[1] + at[SIZE] + at[SIZE + 1]);
      CHECK_EQ(to[3 * PART + i], all);
   }
   /* Rows 3 to 11 are kept; row, column of the clip region is column, row of the slice, which begins at (10, 1). */
   for (uint32_t i = 0; i < TENSOR * TENSOR; i++) {
      const uint32_t column = i / TENSOR - 10, row = i % TENSOR - 1;
      const bool is_stored = i / TENSOR >= 10 && i % TENSOR >= 1 && column < SIZE && row < 9;
      CHECK_EQ(to[8 * PART + i], is_stored ? x[(row + 3) * SIZE + column] : 0);
   }
}

TEST(large_product)
{
   enum { M = 48, K = 80, N = 96, WORDS = M * K + K * N + M * N };
   static uint32_t to[WORDS];
   const uint32_t *a;
   run_matrices(PRODUCT_PATH, WORDS, &a, to);
   const uint32_t *b = a + M * K, *c = b + K * N;
   for (uint32_t i = 0; i < M * N; i++) {
      uint32_t sum = c[i];
      for (uint32_t k = 0; k < K; k++)
         sum += a[i / N * K + k] * b[k * N + i % N];
      CHECK_EQ(to[i], sum);
   }
}

/* Not a rule's: what the comment of the module says. */
TEST(cooperative_vectors)
{
   enum { LANES = 32, SIZE = 24, WORDS = 2048, STRIDE = 32 };
   static uint32_t to[WORDS];
   const uint32_t *words;
   run_matrices(VECTORS_PATH, WORDS, &words, to);
   const uint8_t *bytes = (const uint8_t *)words;
   for (uint32_t i = 0; i < LANES * SIZE; i++) {
      const uint32_t lane = i / SIZE, row = i % SIZE;
      const uint8_t *x = bytes + 4096 + lane * STRIDE, *own = bytes + lane % 2 * 1024 + row * STRIDE;
      uint32_t sum = words[512 + row], other = 0;
      for (uint32_t k = 0; k < SIZE; k++) {
         sum += x[k] * own[k];
         other += x[k] * bytes[k * STRIDE + row];
      }
      CHECK_EQ(to[i], sum);
      CHECK_EQ(to[768 + i], other);
   }
}

/* Matrices, strides, biases and vectors stand at any byte; what is added to memory is at a multiple of its size. */
TEST(unaligned_vectors)
{
   enum { LANES = 32, SIZE = 24, BYTES = 8192, INPUT_STRIDE = 29 };
   struct pair pair;
   pair_init(&pair, UNALIGNED_VECTORS_PATH, BYTES, BYTES);
   uint8_t *const from = (uint8_t *)pair.from.map;
   const uint8_t *const to = (const uint8_t *)pair.to.map;
   for (uint32_t i = 0; i < BYTES; i++)
      from[i] = (uint8_t)(i * 2654435761u >> 17);
   for (uint32_t more = 0; more < 20; more += 3) {
      const uint32_t push[2] = {more, 25 + more}, at = more / 4 * 4, at_half = more / 2 * 2;
      memset(pair.to.map, 0, BYTES);
      pair_run(&pair, push);
      for (uint32_t i = 0; i < LANES * SIZE; i++) {
         const uint8_t *x = from + 4096 + more + i / SIZE * INPUT_STRIDE, *row = from + more + i % SIZE * (25 + more);
         uint32_t sum, result;
         memcpy(&sum, from + 2048 + more + i % SIZE * 4, 4);
         for (uint32_t k = 0; k < SIZE; k++)
            sum += x[k] * row[k];
         memcpy(&result, to + more + 4 * i, 4);
         CHECK_EQ(result, sum);
      }
      for (uint32_t i = 0; i < 4; i++) { /* 32 lanes added 1 to each */
         const float lanes = LANES;
         CHECK(!memcmp(to + 4096 + at + 4 * i, &lanes, 4));
         CHECK(to[4352 + at_half + 2 * i] == 0 && to[4352 + at_half + 2 * i + 1] == 0x50);
      }
   }
   pair_finish(&pair);
}

#ifdef ICD_SPIRV_HAS_EXT_shader_long_vector
/* Not a rule's: what the comment of the module says. */
TEST(long_vectors)
{
   enum { LANES = 32, COMPONENTS = 24, WORDS = LANES * COMPONENTS };
   static uint32_t to[WORDS];
   const uint32_t *x;
   run_matrices(LONG_VECTORS_PATH, WORDS, &x, to);
   for (uint32_t i = 0; i < WORDS; i++) {
      const uint32_t lane = i / COMPONENTS, chosen = lane % COMPONENTS;
      const uint32_t *mine = &x[lane * COMPONENTS], *theirs = &x[(LANES - 1 - lane) * COMPONENTS];
      CHECK_EQ(to[i], mine[i % COMPONENTS] * theirs[i % COMPONENTS] + 5 * mine[chosen] * theirs[chosen]);
   }
}
#endif

#ifdef ICD_SPIRV_HAS_EXT_shader_64bit_indexing
enum { LARGE_LANES = 32 };
static const uint64_t gib = UINT64_C(1) << 30;

/* A module that reads a buffer of so many words, few pages of which are touched, and writes rows of a word a lane, all of which are ones before. False: the
 * machine has too little memory. */
static bool large_init(struct pair *pair, const char *path, uint64_t words, uint32_t rows)
{
   if (util_cpu_memory_bytes() < 6 * gib) {
      printf("a buffer of more than 4 GiB is more than this machine has\n");
      return false;
   }
   pair_init(pair, path, words * 4, rows * LARGE_LANES * 4);
   memset(pair->to.map, 0xff, rows * LARGE_LANES * 4);
   return true;
}

TEST(large_buffer)
{
   enum { LANES = LARGE_LANES };
   const uint64_t words = gib + 1024;
   struct pair pair;
   if (!large_init(&pair, LARGE_BUFFER_PATH, words, 6))
      return;
   for (uint32_t i = 0; i < LANES; i++) {
      pair.from.map[i] = 100 + i;
      pair.from.map[gib / 2 + i] = 200 + i;
   }
   pair_run(&pair, NULL);
   for (uint32_t i = 0; i < LANES; i++) {
      const uint32_t *to = &pair.to.map[i];
      CHECK_EQ(pair.from.map[i], 100 + i);
      CHECK_EQ(pair.from.map[gib + i], 14 + i);
      CHECK_EQ(to[0], 14 + i);
      CHECK_EQ(to[LANES], 100 + i);
      CHECK_EQ(to[2 * LANES], 0);
      CHECK_EQ(to[3 * LANES], 0);
      CHECK_EQ(to[4 * LANES], i % 2 ? (uint32_t)(words >> 32) : (uint32_t)words);
      CHECK_EQ(to[5 * LANES], 200 + i);
   }
   pair_finish(&pair);
}

TEST(large_buffer_block)
{
   enum { LANES = LARGE_LANES };
   struct pair pair;
   if (!large_init(&pair, LARGE_BUFFER_BLOCK_PATH, gib + 1024, 2))
      return;
   pair.from.map[0] = 100;
   pair.from.map[gib + 64] = 300;
   pair_run(&pair, NULL);
   CHECK_EQ(pair.from.map[0], 100);
   for (uint32_t i = 0; i < LANES; i++) {
      CHECK_EQ(pair.from.map[gib + i], 5 + i);
      CHECK_EQ(pair.to.map[i], 5 + i);
      CHECK_EQ(pair.to.map[LANES + i], 300 + i);
   }
   pair_finish(&pair);
}
#endif

TEST_MAIN
