/* SPDX-License-Identifier: MIT
 * What calls become: descriptors in memory (icd/descriptor), pipeline layouts, render passes as renderings and other
 * commands of the stream (icd/cmd). */
#include "icd/command_buffer.h"
#include "icd/descriptor/descriptor_set.h"
#include "icd/pipeline_layout.h"
#include "icd/resource/buffer_view.h"
#include "icd/resource/image_view.h"
#include "icd/resource/sampler.h"
#include "tests/icd/fixture.h"
#include "tests/test.h"

static VkDescriptorSetLayout create_layout(const struct fixture *f, uint32_t count,
                                           const VkDescriptorSetLayoutBinding *bindings, const void *next,
                                           VkDescriptorSetLayoutCreateFlags flags)
{
   VkDescriptorSetLayout layout;
   const VkDescriptorSetLayoutCreateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, next, flags,
                                                 count, bindings};
   fixture_require(icd_CreateDescriptorSetLayout(f->device, &info, NULL, &layout), "vkCreateDescriptorSetLayout");
   return layout;
}

static VkDescriptorPool create_pool(const struct fixture *f, uint32_t max_sets, uint32_t num_descriptors)
{
   VkDescriptorPool pool;
   const VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, num_descriptors};
   const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                            .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                            .maxSets = max_sets,
                                            .poolSizeCount = 1,
                                            .pPoolSizes = &size};
   fixture_require(icd_CreateDescriptorPool(f->device, &info, NULL, &pool), "vkCreateDescriptorPool");
   return pool;
}

static VkResult allocate_set(const struct fixture *f, VkDescriptorPool pool, VkDescriptorSetLayout layout,
                             VkDescriptorSet *set)
{
   const VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, NULL, pool, 1, &layout};
   return icd_AllocateDescriptorSets(f->device, &info, set);
}

static const union abi_descriptor *descriptors(VkDescriptorSet set)
{
   return (const union abi_descriptor *)icd_descriptor_set_from_handle(set)->data;
}

TEST(descriptor_writes_and_copies)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer buffer = fixture_buffer(&f, 256);
   const VkSamplerCreateInfo sampler_info = {VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
   VkSampler sampler;
   CHECK_EQ(icd_CreateSampler(f.device, &sampler_info, NULL, &sampler), VK_SUCCESS);
   /* Out of order and with a hole. */
   const VkDescriptorSetLayoutBinding bindings[] = {
      {7, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL, &sampler},
      {2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL, NULL},
      {3, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2, VK_SHADER_STAGE_ALL, NULL},
   };
   VkDescriptorSetLayout layout = create_layout(&f, 3, bindings, NULL, 0);
   VkDescriptorPool pool = create_pool(&f, 2, 10);
   VkDescriptorSet sets[2];
   for (int i = 0; i < 2; i++)
      CHECK_EQ(allocate_set(&f, pool, layout, &sets[i]), VK_SUCCESS);
   CHECK(descriptors(sets[0])[0].buffer.data == NULL);
   CHECK(descriptors(sets[0])[4].image.sampler == &icd_sampler_from_handle(sampler)->abi);

   /* Runs over from binding 2 into binding 3. */
   const VkDescriptorBufferInfo infos[] = {
      {buffer.buffer, 16, 32}, {buffer.buffer, 64, VK_WHOLE_SIZE}, {VK_NULL_HANDLE, 0, VK_WHOLE_SIZE}};
   const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                       .dstSet = sets[0],
                                       .dstBinding = 2,
                                       .dstArrayElement = 1,
                                       .descriptorCount = 3,
                                       .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                       .pBufferInfo = infos};
   icd_UpdateDescriptorSets(f.device, 1, &write, 0, NULL);
   const union abi_descriptor *out = descriptors(sets[0]);
   CHECK(out[0].buffer.data == NULL);
   CHECK(out[1].buffer.data == (uint8_t *)buffer.data + 16);
   CHECK_EQ(out[1].buffer.size_bytes, 32);
   CHECK(out[2].buffer.data == (uint8_t *)buffer.data + 64);
   CHECK_EQ(out[2].buffer.size_bytes, 192);
   CHECK(out[3].buffer.data == NULL);
   CHECK_EQ(out[3].buffer.size_bytes, 0);

   const VkCopyDescriptorSet copy = {VK_STRUCTURE_TYPE_COPY_DESCRIPTOR_SET, NULL, sets[0], 2, 1, sets[1], 3, 0, 2};
   icd_UpdateDescriptorSets(f.device, 0, NULL, 1, &copy);
   out = descriptors(sets[1]);
   CHECK(out[1].buffer.data == NULL);
   CHECK(out[2].buffer.data == (uint8_t *)buffer.data + 16);
   CHECK(out[3].buffer.data == (uint8_t *)buffer.data + 64);

   icd_DestroyDescriptorPool(f.device, pool, NULL);
   icd_DestroyDescriptorSetLayout(f.device, layout, NULL);
   icd_DestroySampler(f.device, sampler, NULL);
   fixture_buffer_destroy(&f, &buffer);
   fixture_finish(&f, NULL);
}

TEST(update_template)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer buffer = fixture_buffer(&f, 256);
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, 20, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 2, VK_SHADER_STAGE_ALL, NULL},
   };
   VkDescriptorSetLayout layout = create_layout(&f, 2, bindings, NULL, 0);
   VkDescriptorPool pool = create_pool(&f, 1, 4);
   VkDescriptorSet set;
   CHECK_EQ(allocate_set(&f, pool, layout, &set), VK_SUCCESS);

   struct block {
      char text[20];
      struct {
         VkDescriptorBufferInfo info;
         int other;
      } buffers[2];
   } block = {"abcdefghijklmnopqrs", {{{buffer.buffer, 4, 8}, 0}, {{buffer.buffer, 12, 16}, 0}}};
   const VkDescriptorUpdateTemplateEntry entries[] = {
      {0, 4, 16, VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK, offsetof(struct block, text) + 4, 0},
      {1, 0, 2, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, offsetof(struct block, buffers), sizeof(block.buffers[0])},
   };
   const VkDescriptorUpdateTemplateCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_UPDATE_TEMPLATE_CREATE_INFO,
      .descriptorUpdateEntryCount = 2,
      .pDescriptorUpdateEntries = entries,
      .descriptorSetLayout = layout,
   };
   VkDescriptorUpdateTemplate update_template;
   CHECK_EQ(icd_CreateDescriptorUpdateTemplate(f.device, &info, NULL, &update_template), VK_SUCCESS);
   icd_UpdateDescriptorSetWithTemplate(f.device, set, update_template, &block);
   const union abi_descriptor *out = descriptors(set);
   CHECK(memcmp((const char *)out + 4, block.text + 4, 16) == 0);
   CHECK(((const char *)out)[0] == 0);
   CHECK(out[2].buffer.data == (uint8_t *)buffer.data + 4);
   CHECK(out[3].buffer.data == (uint8_t *)buffer.data + 12);
   CHECK_EQ(out[3].buffer.size_bytes, 16);
   icd_DestroyDescriptorUpdateTemplate(f.device, update_template, NULL);
   icd_DestroyDescriptorPool(f.device, pool, NULL);
   icd_DestroyDescriptorSetLayout(f.device, layout, NULL);
   fixture_buffer_destroy(&f, &buffer);
   fixture_finish(&f, NULL);
}

TEST(descriptor_pool_limits_and_fragments)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkDescriptorSetLayoutBinding one = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   /* With its head as large as two of one descriptor. */
   const VkDescriptorSetLayoutBinding three = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, VK_SHADER_STAGE_ALL, NULL};
   VkDescriptorSetLayout small = create_layout(&f, 1, &one, NULL, 0), large = create_layout(&f, 1, &three, NULL, 0);
   const VkDescriptorSetLayoutBinding max = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 23, VK_SHADER_STAGE_ALL, NULL};
   VkDescriptorSetLayout filler = create_layout(&f, 1, &max, NULL, 0);
   VkDescriptorPool pool = create_pool(&f, 6, 26); /* as many as fit into the least memory that a pool has */
   VkDescriptorSet sets[4], set;
   CHECK_EQ(allocate_set(&f, pool, filler, &set), VK_SUCCESS);
   for (int i = 0; i < 4; i++)
      CHECK_EQ(allocate_set(&f, pool, small, &sets[i]), VK_SUCCESS);
   CHECK_EQ(allocate_set(&f, pool, small, &set), VK_ERROR_OUT_OF_POOL_MEMORY);
   CHECK(set == VK_NULL_HANDLE);

   /* Two apart do not make room for a pair; two neighbours do. */
   icd_FreeDescriptorSets(f.device, pool, 1, &sets[0]);
   icd_FreeDescriptorSets(f.device, pool, 1, &sets[2]);
   CHECK_EQ(allocate_set(&f, pool, large, &set), VK_ERROR_FRAGMENTED_POOL);
   icd_FreeDescriptorSets(f.device, pool, 1, &sets[1]);
   CHECK_EQ(allocate_set(&f, pool, large, &sets[0]), VK_SUCCESS);
   CHECK_EQ(allocate_set(&f, pool, small, &sets[1]), VK_SUCCESS);
   CHECK(icd_descriptor_set_from_handle(sets[1])->data + 32 == icd_descriptor_set_from_handle(sets[3])->data);
   CHECK_EQ(allocate_set(&f, pool, small, &set), VK_ERROR_OUT_OF_POOL_MEMORY);
   CHECK_EQ(icd_ResetDescriptorPool(f.device, pool, 0), VK_SUCCESS);
   for (int i = 0; i < 2; i++)
      CHECK_EQ(allocate_set(&f, pool, large, &sets[i]), VK_SUCCESS);
   icd_DestroyDescriptorPool(f.device, pool, NULL);

   /* Random traffic: sets never overlap. */
   pool = create_pool(&f, 24, 32);
   VkDescriptorSet live[24] = {0};
   uint32_t random = 1;
   for (int step = 0; step < 20000; step++) {
      random = random * 1664525 + 1013904223;
      VkDescriptorSet *slot = &live[(random >> 8) % 24];
      if (*slot) {
         CHECK_EQ(*icd_descriptor_set_from_handle(*slot)->data, (uint8_t)((slot - live) + 1));
         icd_FreeDescriptorSets(f.device, pool, 1, slot);
         *slot = VK_NULL_HANDLE;
      } else if (allocate_set(&f, pool, random >> 30 ? small : large, slot) == VK_SUCCESS) {
         struct icd_descriptor_set *made = icd_descriptor_set_from_handle(*slot);
         memset(made->data, (int)(slot - live) + 1, made->size_bytes - sizeof(struct abi_set_head));
      }
   }
   icd_DestroyDescriptorPool(f.device, pool, NULL);
   icd_DestroyDescriptorSetLayout(f.device, small, NULL);
   icd_DestroyDescriptorSetLayout(f.device, large, NULL);
   icd_DestroyDescriptorSetLayout(f.device, filler, NULL);
   fixture_finish(&f, NULL);
}

TEST(pipeline_layout_outlives_set_layouts)
{
   struct fixture f;
   fixture_init(&f, NULL);
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 2, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   VkDescriptorSetLayout sets[2] = {create_layout(&f, 2, bindings, NULL, 0), create_layout(&f, 2, bindings, NULL, 0)};
   const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 16, 32};
   const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                            .setLayoutCount = 2,
                                            .pSetLayouts = sets,
                                            .pushConstantRangeCount = 1,
                                            .pPushConstantRanges = &range};
   VkPipelineLayout handle;
   CHECK_EQ(icd_CreatePipelineLayout(f.device, &info, NULL, &handle), VK_SUCCESS);
   icd_DestroyDescriptorSetLayout(f.device, sets[0], NULL);
   icd_DestroyDescriptorSetLayout(f.device, sets[1], NULL);
   const struct icd_pipeline_layout *layout = icd_pipeline_layout_from_handle(handle);
   CHECK_EQ(layout->comp.num_sets, 2);
   CHECK_EQ(layout->comp.push_bytes, 48);
   CHECK_EQ(layout->comp.sets[1].bindings[0].dynamic_index, 0);
   CHECK_EQ(layout->comp.sets[1].bindings[1].dynamic_index, 2);
   CHECK_EQ(layout->comp.sets[1].bindings[1].offset_bytes, 32);
   icd_DestroyPipelineLayout(f.device, handle, NULL);
   fixture_finish(&f, NULL);
}

/* ---- the stream ---- */

/* The n-th command of a type, or NULL. */
static const void *find_command(VkCommandBuffer commands, enum rt_cmd_type type, uint32_t n)
{
   for (const struct rt_cmd *cmd = icd_stream(commands)->first; cmd; cmd = cmd->next) {
      if (cmd->type == (uint32_t)type && n-- == 0)
         return cmd;
   }
   return NULL;
}

TEST(push_descriptors_keep_what_was_pushed)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_buffer buffer = fixture_buffer(&f, 256);
   const VkDescriptorSetLayoutBinding bindings[] = {
      {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
      {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL},
   };
   VkDescriptorSetLayout set =
      create_layout(&f, 2, bindings, NULL, VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT);
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &set};
   VkPipelineLayout layout;
   CHECK_EQ(icd_CreatePipelineLayout(f.device, &info, NULL, &layout), VK_SUCCESS);
   fixture_begin(f.commands);
   for (uint32_t i = 0; i < 2; i++) {
      const VkDescriptorBufferInfo buffer_info = {buffer.buffer, 16 * (i + 1), 16};
      const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstBinding = i,
                                          .descriptorCount = 1,
                                          .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                          .pBufferInfo = &buffer_info};
      icd_CmdPushDescriptorSet(f.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &write);
   }
   const struct rt_cmd_bind_sets *first = find_command(f.commands, RT_CMD_bind_sets, 0);
   const struct rt_cmd_bind_sets *second = find_command(f.commands, RT_CMD_bind_sets, 1);
   CHECK(first && second);
   const union abi_descriptor *before = (const void *)first->sets[0].data, *after = (const void *)second->sets[0].data;
   CHECK(before[0].buffer.data == (uint8_t *)buffer.data + 16 && before[1].buffer.data == NULL);
   CHECK(after[0].buffer.data == (uint8_t *)buffer.data + 16 && after[1].buffer.data == (uint8_t *)buffer.data + 32);
   icd_DestroyPipelineLayout(f.device, layout, NULL);
   icd_DestroyDescriptorSetLayout(f.device, set, NULL);
   fixture_buffer_destroy(&f, &buffer);
   fixture_finish(&f, NULL);
}

/* Two subpasses: colour 0 with 4 samples is resolved to 1 in the first; the second reads 1 as an input, renders to 2,
 * and reads 3, which only the second subpass uses, as an input. */
static VkRenderPass create_two_subpasses(const struct fixture *f)
{
   VkAttachmentDescription attachments[4];
   for (uint32_t i = 0; i < 4; i++)
      attachments[i] = (VkAttachmentDescription){
         .format = VK_FORMAT_R8G8B8A8_UNORM,
         .samples = i == 0 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
         .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
         .storeOp = i == 0 ? VK_ATTACHMENT_STORE_OP_DONT_CARE : VK_ATTACHMENT_STORE_OP_STORE,
         .finalLayout = VK_IMAGE_LAYOUT_GENERAL,
      };
   const VkAttachmentReference refs[4] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};
   const VkAttachmentReference inputs[2] = {{1, 0}, {3, 0}};
   const VkSubpassDescription subpasses[2] = {
      {.colorAttachmentCount = 1, .pColorAttachments = &refs[0], .pResolveAttachments = &refs[1]},
      {.colorAttachmentCount = 1,
       .pColorAttachments = &refs[2],
       .inputAttachmentCount = 2,
       .pInputAttachments = inputs},
   };
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 4,
                                        .pAttachments = attachments,
                                        .subpassCount = 2,
                                        .pSubpasses = subpasses};
   VkRenderPass pass;
   fixture_require(icd_CreateRenderPass(f->device, &info, NULL, &pass), "vkCreateRenderPass");
   return pass;
}

TEST(render_pass_becomes_renderings)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_image images[4];
   VkImageView views[4];
   VkClearValue clears[4] = {0};
   for (uint32_t i = 0; i < 4; i++) {
      images[i] = fixture_image(f.device, VK_FORMAT_R8G8B8A8_UNORM, 16, 16,
                                i == 0 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
                                VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT);
      views[i] = images[i].view;
      clears[i].color.float32[0] = (float)i;
   }
   VkRenderPass pass = create_two_subpasses(&f);
   VkFramebuffer framebuffer;
   const VkFramebufferCreateInfo framebuffer_info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                     .renderPass = pass,
                                                     .attachmentCount = 4,
                                                     .pAttachments = views,
                                                     .width = 16,
                                                     .height = 16,
                                                     .layers = 1};
   CHECK_EQ(icd_CreateFramebuffer(f.device, &framebuffer_info, NULL, &framebuffer), VK_SUCCESS);
   const VkRenderPassBeginInfo begin = {
      VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, NULL, pass, framebuffer, {{0, 0}, {16, 16}}, 4, clears};
   fixture_begin(f.commands);
   icd_CmdBeginRenderPass(f.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
   icd_CmdNextSubpass(f.commands, VK_SUBPASS_CONTENTS_INLINE);
   icd_CmdEndRenderPass(f.commands);
   CHECK_EQ(icd_EndCommandBuffer(f.commands), VK_SUCCESS);

   const struct rt_cmd_begin_rendering *first = find_command(f.commands, RT_CMD_begin_rendering, 0);
   const struct rt_cmd_begin_rendering *clear = find_command(f.commands, RT_CMD_begin_rendering, 1);
   const struct rt_cmd_begin_rendering *second = find_command(f.commands, RT_CMD_begin_rendering, 2);
   CHECK(first && clear && second && !find_command(f.commands, RT_CMD_begin_rendering, 3));
   CHECK(find_command(f.commands, RT_CMD_barrier, 0) != NULL);
   const struct icd_image_view *view[4];
   for (uint32_t i = 0; i < 4; i++)
      view[i] = icd_image_view_from_handle(views[i]);

   CHECK(first->colors[0].view == &view[0]->attachment[0] && first->colors[0].resolve_view == &view[1]->attachment[0]);
   CHECK_EQ(first->colors[0].load_op, VK_ATTACHMENT_LOAD_OP_CLEAR);
   CHECK_EQ(first->colors[0].store_op, VK_ATTACHMENT_STORE_OP_DONT_CARE);
   CHECK_EQ(first->colors[0].resolve_mode, VK_RESOLVE_MODE_AVERAGE_BIT);
   CHECK(first->depth.view == NULL && first->stencil.view == NULL);
   /* The input that nobody has used yet is cleared before; the one that was resolved to is not. */
   CHECK(clear->colors[0].view == &view[3]->attachment[0]);
   CHECK_EQ((int)clear->colors[0].clear.color.float32[0], 3);
   CHECK(second->colors[0].view == &view[2]->attachment[0]);
   CHECK_EQ(second->colors[0].load_op, VK_ATTACHMENT_LOAD_OP_CLEAR);
   CHECK_EQ(second->colors[0].store_op, VK_ATTACHMENT_STORE_OP_STORE);

   icd_DestroyFramebuffer(f.device, framebuffer, NULL);
   icd_DestroyRenderPass(f.device, pass, NULL);
   for (uint32_t i = 0; i < 4; i++)
      fixture_image_destroy(f.device, &images[i]);
   fixture_finish(&f, NULL);
}

/* Spec, "Image Views": as an attachment a view of a depth/stencil image has both aspects whatever its aspectMask. */
TEST(attachments_ignore_the_aspect_mask)
{
   struct fixture f;
   fixture_init(&f, NULL);
   struct fixture_image image =
      fixture_image(f.device, VK_FORMAT_D32_SFLOAT_S8_UINT, 16, 16, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_DEPTH_BIT,
                    VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
   const struct icd_image_view *view = icd_image_view_from_handle(image.view);
   const struct abi_image *depth = icd_image_view_attachment(view, VK_IMAGE_ASPECT_DEPTH_BIT);
   const struct abi_image *stencil = icd_image_view_attachment(view, VK_IMAGE_ASPECT_STENCIL_BIT);
   CHECK(depth && depth->data && depth->aspect == VK_IMAGE_ASPECT_DEPTH_BIT);
   CHECK(stencil && stencil->data && stencil->aspect == VK_IMAGE_ASPECT_STENCIL_BIT);
   CHECK(stencil && depth && stencil->data != depth->data);
   CHECK(icd_image_view_attachment(view, VK_IMAGE_ASPECT_COLOR_BIT) == NULL);
   CHECK_EQ(view->sampled.aspect, VK_IMAGE_ASPECT_DEPTH_BIT);
   fixture_image_destroy(f.device, &image);
   fixture_finish(&f, NULL);
}

TEST(dynamic_state_lands_in_its_group)
{
   struct fixture f;
   struct rt_state state;
   fixture_init(&f, NULL);
   memset(&state, 0, sizeof(state));
   fixture_begin(f.commands);
   const VkViewport viewport = {1, 2, 3, 4, 0, 1};
   const VkColorBlendEquationEXT equation = {1, 2, 3, 4, 5, 2};
   icd_CmdSetViewport(f.commands, 2, 1, &viewport);
   icd_CmdSetStencilOp(f.commands, VK_STENCIL_FACE_BACK_BIT, 1, 2, 3, 4);
   icd_CmdSetStencilReference(f.commands, VK_STENCIL_FACE_FRONT_AND_BACK, 9);
   icd_CmdSetCullMode(f.commands, VK_CULL_MODE_BACK_BIT);
   icd_CmdSetColorBlendEquationEXT(f.commands, 1, 1, &equation);
   const VkColorBlendAdvancedEXT advanced[2] = {{.advancedBlendOp = VK_BLEND_OP_PINLIGHT_EXT, .dstPremultiplied = VK_TRUE},
                                                {.advancedBlendOp = VK_BLEND_OP_ADD, .clampResults = VK_TRUE}};
   icd_CmdSetColorBlendAdvancedEXT(f.commands, 2, 2, advanced);
   /* The later of an operation and an equation holds, but for an equation that only copies. */
   const VkColorBlendAdvancedEXT before[2] = {{.advancedBlendOp = VK_BLEND_OP_SCREEN_EXT}, {.advancedBlendOp = VK_BLEND_OP_SCREEN_EXT}};
   icd_CmdSetColorBlendAdvancedEXT(f.commands, 4, 2, before);
   const VkColorBlendEquationEXT later[2] = {
      {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD},
      {VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD}};
   icd_CmdSetColorBlendEquationEXT(f.commands, 4, 2, later);
   icd_CmdSetDepthBias(f.commands, 1, 2, 3);
   for (const struct rt_cmd *cmd = icd_stream(f.commands)->first; cmd; cmd = cmd->next) {
      const struct rt_cmd_set_state *set = (const struct rt_cmd_set_state *)cmd;
      CHECK_EQ(cmd->type, RT_CMD_set_state);
      CHECK(set->offset_bytes + set->size_bytes <= rt_state_groups[set->group].size);
      memcpy((char *)&state + rt_state_groups[set->group].offset + set->offset_bytes, set->data, set->size_bytes);
   }
   CHECK(state.viewports.viewports[2].width == 3 && state.viewports.viewports[1].width == 0);
   CHECK(state.stencil_op.fail_op[0] == 0 && state.stencil_op.fail_op[1] == 1);
   CHECK(state.stencil_op.depth_fail_op[1] == 3 && state.stencil_op.compare_op[1] == 4);
   CHECK(state.stencil_reference.value[0] == 9 && state.stencil_reference.value[1] == 9);
   CHECK_EQ(state.cull_mode.mode, VK_CULL_MODE_BACK_BIT);
   const struct rt_blend_attachment *blend = &state.blend.attachments[1];
   CHECK(state.blend_enable.enable[1] == 0 && blend->src_color == 1 && blend->dst_color == 2 && blend->alpha_op == 2);
   const struct rt_blend_advanced *last = &state.blend_advanced.attachments[2];
   CHECK(!last[-1].op && last->op == VK_BLEND_OP_PINLIGHT_EXT - VK_BLEND_OP_ZERO_EXT + 1 && last->is_src_straight && !last->is_dst_straight);
   CHECK(!last[1].op && last[1].clamps);
   CHECK(!last[2].op && last[3].op == VK_BLEND_OP_SCREEN_EXT - VK_BLEND_OP_ZERO_EXT + 1);
   CHECK(state.depth_bias.constant == 1 && state.depth_bias.clamp == 2 && state.depth_bias.slope == 3);
   fixture_finish(&f, NULL);
}

static const struct rt_cmd_barrier *barrier_of_pass(struct fixture *f, VkImageLayout last, const VkSubpassDependency *dependency)
{
   const VkAttachmentDescription attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM, .samples = VK_SAMPLE_COUNT_1_BIT, .finalLayout = last};
   const VkAttachmentReference reference = {0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL};
   const VkSubpassDescription subpass = {.colorAttachmentCount = 1, .pColorAttachments = &reference};
   const VkRenderPassCreateInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                        .attachmentCount = 1,
                                        .pAttachments = &attachment,
                                        .subpassCount = 1,
                                        .pSubpasses = &subpass,
                                        .dependencyCount = dependency != NULL,
                                        .pDependencies = dependency};
   struct fixture_image image = fixture_image(f->device, VK_FORMAT_R8G8B8A8_UNORM, 16, 16, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_ASPECT_COLOR_BIT,
                                              VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
   VkRenderPass pass;
   VkFramebuffer framebuffer;
   fixture_require(icd_CreateRenderPass(f->device, &info, NULL, &pass), "vkCreateRenderPass");
   const VkFramebufferCreateInfo framebuffer_info = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                     .renderPass = pass,
                                                     .attachmentCount = 1,
                                                     .pAttachments = &image.view,
                                                     .width = 16,
                                                     .height = 16,
                                                     .layers = 1};
   fixture_require(icd_CreateFramebuffer(f->device, &framebuffer_info, NULL, &framebuffer), "vkCreateFramebuffer");
   const VkRenderPassBeginInfo begin = {VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, NULL, pass, framebuffer, {{0, 0}, {16, 16}}, 0, NULL};
   fixture_begin(f->commands);
   icd_CmdBeginRenderPass(f->commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
   icd_CmdEndRenderPass(f->commands);
   icd_DestroyFramebuffer(f->device, framebuffer, NULL);
   icd_DestroyRenderPass(f->device, pass, NULL);
   fixture_image_destroy(f->device, &image);
   return find_command(f->commands, RT_CMD_barrier, 0);
}

/* Without a dependency only a layout for readers says that there are some. */
TEST(what_follows_a_pass_waits_for)
{
   struct fixture f;
   const VkSubpassDependency dependency = {0, VK_SUBPASS_EXTERNAL, VK_PIPELINE_STAGE_VERTEX_SHADER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, 0};
   fixture_init(&f, NULL);
   CHECK(barrier_of_pass(&f, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL, NULL) == NULL);
   CHECK(barrier_of_pass(&f, VK_IMAGE_LAYOUT_GENERAL, NULL) == NULL);
   for (uint32_t i = 0; i < 2; i++) {
      const struct rt_cmd_barrier *barrier = barrier_of_pass(&f, i ? VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, NULL);
      CHECK(barrier && barrier->src == 1u << RT_STAGES_FRAGMENT && barrier->dst == RT_ALL_STAGES);
   }
   const struct rt_cmd_barrier *barrier = barrier_of_pass(&f, VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, &dependency);
   CHECK(barrier && barrier->src == 1u << RT_STAGES_GEOMETRY && barrier->dst == 1u << RT_STAGES_COMPUTE);
   fixture_finish(&f, NULL);
}

TEST(only_dependencies_between_commands_are_barriers)
{
   struct fixture f;
   fixture_init(&f, NULL);
   fixture_begin(f.commands);
   icd_CmdPipelineBarrier(f.commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                          0, NULL, 0, NULL);
   icd_CmdPipelineBarrier(f.commands, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 0, NULL, 0,
                          NULL, 0, NULL);
   icd_CmdPipelineBarrier(f.commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 0, NULL, 0, NULL,
                          0, NULL);
   CHECK(find_command(f.commands, RT_CMD_barrier, 0) == NULL);
   icd_CmdPipelineBarrier(f.commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0, 0,
                          NULL, 0, NULL, 0, NULL);
   CHECK(find_command(f.commands, RT_CMD_barrier, 0) != NULL);
   fixture_finish(&f, NULL);
}

TEST_MAIN
