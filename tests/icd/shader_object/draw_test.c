/* SPDX-License-Identifier: MIT
 * Shader objects draw what pipelines draw, in whatever order they, pipelines and state come; what cannot be made is named. */
#include "tests/icd/shader_object/scene.h"
#include "tests/test.h"
#include "util/alloc.h"

TEST(draws_what_pipelines_draw)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   struct scene s;
   VkShaderEXT unlinked[NUM_STAGES], linked[NUM_STAGES];
   scene_init(&s);
   scene_make_objects(&s, NULL, unlinked);
   for (uint32_t i = 0; i < NUM_LOOKS; i++) {
      const struct look *look = &scene_looks[i];
      const VkPipeline pipeline = scene_make_pipeline(&s, look);
      scene_make_objects(&s, look, linked);
      scene_begin(&s, look);
      icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
      scene_draw(&s, 0);
      scene_end(&s, look, expected);
      CHECK(scene_count_colors(expected) > 20 || look->is_discarded);
      for (uint32_t k = 0; k < 2; k++) {
         scene_begin(&s, look);
         scene_bind_objects(&s, look, k ? linked : unlinked);
         scene_set_state(&s, look);
         scene_draw(&s, 0);
         scene_end(&s, look, pixels);
         if (!scene_is_same(expected, pixels))
            fprintf(stderr, "look %u, %s\n", i, k ? "linked" : "unlinked");
         CHECK(scene_is_same(expected, pixels));
      }
      scene_destroy_objects(&s, linked);
      icd_DestroyPipeline(s.f.device, pipeline, NULL);
   }
   scene_destroy_objects(&s, unlinked);
   scene_finish(&s);
}

/* Pipelines and shader objects in one rendering, three draws each; state before and after, stages one by one. */
TEST(orders_do_not_matter)
{
   static uint32_t expected[SIZE * SIZE], pixels[SIZE * SIZE];
   const struct look *plain = &scene_looks[0], *blended = &scene_looks[9], *geometry = &scene_looks[7];
   struct scene s;
   VkShaderEXT objects[NUM_STAGES];
   scene_init(&s);
   scene_make_objects(&s, NULL, objects);
   const VkPipeline pipelines[] = {scene_make_pipeline(&s, plain), scene_make_pipeline(&s, geometry), scene_make_pipeline(&s, blended)};
   scene_begin(&s, plain);
   for (uint32_t i = 0; i < 3; i++) {
      icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[i]);
      scene_draw(&s, 0.25f * (float)i);
   }
   scene_end(&s, plain, expected);

   /* Objects between pipelines: the state of the first, static, says nothing of the second's. */
   scene_begin(&s, plain);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   scene_draw(&s, 0);
   scene_bind_objects(&s, geometry, objects);
   scene_set_state(&s, geometry);
   scene_draw(&s, 0.25f);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[2]);
   scene_draw(&s, 0.5f);
   scene_end(&s, plain, pixels);
   CHECK(scene_is_same(expected, pixels));

   /* State first, stages one by one, in the order of no pipeline; the geometry stage comes and goes, by a null array. */
   scene_begin(&s, plain);
   scene_set_state(&s, plain);
   for (uint32_t i = NUM_STAGES; i-- > 0;)
      icd_CmdBindShadersEXT(s.f.commands, 1, &scene_stages[i], i == 1 ? NULL : &objects[i]);
   scene_draw(&s, 0);
   scene_set_state(&s, geometry);
   icd_CmdBindShadersEXT(s.f.commands, 1, &scene_stages[1], &objects[1]);
   scene_draw(&s, 0.25f);
   icd_CmdBindShadersEXT(s.f.commands, 1, &scene_stages[1], NULL);
   scene_set_state(&s, blended);
   scene_draw(&s, 0.5f);
   scene_end(&s, plain, pixels);
   CHECK(scene_is_same(expected, pixels));

   /* A pipeline replaces all stages, also of those that it does not have. */
   scene_begin(&s, plain);
   scene_bind_objects(&s, geometry, objects);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[0]);
   scene_draw(&s, 0);
   icd_CmdBindPipeline(s.f.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipelines[1]);
   scene_draw(&s, 0.25f);
   scene_set_state(&s, blended);
   icd_CmdBindShadersEXT(s.f.commands, 1, &scene_stages[2], &objects[2]);
   scene_draw(&s, 0.75f); /* without a vertex shader: nothing */
   icd_CmdBindShadersEXT(s.f.commands, 1, &scene_stages[0], &objects[0]);
   scene_draw(&s, 0.5f);
   scene_end(&s, plain, pixels);
   CHECK(scene_is_same(expected, pixels));

   for (uint32_t i = 0; i < 3; i++)
      icd_DestroyPipeline(s.f.device, pipelines[i], NULL);
   scene_destroy_objects(&s, objects);
   scene_finish(&s);
}

/* Each result is that of the first which is missing, and those around it are made. */
TEST(errors_name_the_first_that_is_missing)
{
   static const uint32_t garbage[8] = {0x07230203, 0x00010000, 0, 4, 0, 0xffffffff, 0xffffffff, 0xffffffff};
   struct scene s;
   VkShaderEXT made[NUM_STAGES];
   const VkPushConstantRange range = scene_push_range();
   scene_init(&s);
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      infos[i] = scene_shader_info(&s, i, &range);
   infos[1].codeType = VK_SHADER_CODE_TYPE_BINARY_EXT;
   infos[2].pCode = garbage;
   infos[2].codeSize = sizeof(garbage);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, NUM_STAGES, infos, NULL, made), VK_INCOMPATIBLE_SHADER_BINARY_EXT);
   CHECK(made[0] != VK_NULL_HANDLE && made[1] == VK_NULL_HANDLE && made[2] == VK_NULL_HANDLE);
   icd_DestroyShaderEXT(s.f.device, made[0], NULL);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, 1, &infos[2], NULL, made), VK_ERROR_INITIALIZATION_FAILED);
   infos[0].pName = "nobody";
   infos[1] = infos[2] = scene_shader_info(&s, 2, &range);
   CHECK_EQ(icd_CreateShadersEXT(s.f.device, 2, infos, NULL, made), VK_ERROR_INITIALIZATION_FAILED);
   CHECK(made[0] == VK_NULL_HANDLE && made[1] != VK_NULL_HANDLE);
   icd_DestroyShaderEXT(s.f.device, made[1], NULL);
   scene_finish(&s);
}

/* ---- memory ---- */

/* Every allocation of a call that compiles fails, once each; what was made before stands. */
TEST(each_allocation_of_a_compile_fails)
{
   struct scene s;
   VkShaderEXT made[NUM_STAGES];
   const VkPushConstantRange range = scene_push_range();
   uint32_t num_failures = 0;
   scene_init(&s);
   VkShaderCreateInfoEXT infos[NUM_STAGES];
   for (uint32_t i = 0; i < NUM_STAGES; i++)
      infos[i] = scene_shader_info(&s, i, &range);
   bool is_through = false;
   for (uint64_t n = 1; !is_through && n < 10000; n++) {
      util_alloc_fail_at(n, true);
      const VkResult result = icd_CreateShadersEXT(s.f.device, NUM_STAGES, infos, NULL, made);
      is_through = util_alloc_count() < n;
      util_alloc_fail_at(0, true);
      CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
      num_failures += result != VK_SUCCESS;
      uint32_t num_made = 0;
      for (uint32_t i = 0; i < NUM_STAGES; i++)
         num_made += made[i] != VK_NULL_HANDLE;
      CHECK((result == VK_SUCCESS) == (num_made == NUM_STAGES));
      scene_destroy_objects(&s, made);
   }
   CHECK(is_through && num_failures > 20);
   scene_finish(&s);
}

TEST_MAIN
