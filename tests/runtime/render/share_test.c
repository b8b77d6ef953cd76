/* SPDX-License-Identifier: MIT
 * What draws share: a change makes the part anew that it is about, and no other; what earlier draws point to stays as it was. */
#include "runtime/draw/attribute.h"
#include "runtime/render/share.h"
#include "tests/runtime/raster/fixture.h"
#include "tests/test.h"

enum { SIZE = 64 };

struct sharing {
   struct fixture f;
   struct rt_share share;
   struct rt_target target;
   struct util_arena arena;
   struct fixture_vertex vertices[3];
};

static void init(struct sharing *s)
{
   memset(s, 0, sizeof(*s));
   fixture_init(&s->f, 1);
   util_arena_init(&s->arena, 0);
   s->target = (struct rt_target){.x1 = SIZE, .y1 = SIZE, .num_layers = 1, .tiles_x = 1, .tiles_y = 1, .num_tiles = 1, .num_samples = 1};
   s->f.state.viewports.viewports[0] = (VkViewport){0, 0, SIZE, SIZE, 0, 1};
   s->f.state.scissors.scissors[0] = (VkRect2D){{0, 0}, {SIZE, SIZE}};
   s->f.draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)s->vertices, sizeof(s->vertices)};
}

static void finish(struct sharing *s)
{
   util_arena_finish(&s->arena);
   fixture_finish(&s->f);
}

static struct rt_draw take(struct sharing *s, uint32_t dirty)
{
   struct rt_draw draw = {0};
   s->f.draw.dirty |= dirty;
   CHECK(rt_share_take(&s->share, &s->f.draw, &s->target, &s->arena, &draw));
   CHECK_EQ(s->f.draw.dirty, 0);
   return draw;
}

/* Exactly the parts of `changed` (enum rt_dirty) differ. */
static void check_changed(const struct rt_draw *a, const struct rt_draw *b, uint32_t changed)
{
   CHECK_EQ(a->context != b->context, (changed & RT_DIRTY_CONTEXT) != 0);
   CHECK_EQ(a->viewports != b->viewports, (changed & RT_DIRTY_VIEWPORTS) != 0);
   CHECK_EQ(a->inputs != b->inputs, (changed & RT_DIRTY_INPUTS) != 0);
   CHECK_EQ(a->resources.sets != b->resources.sets, (changed & RT_DIRTY_SETS) != 0);
   CHECK_EQ(a->resources.push != b->resources.push, (changed & RT_DIRTY_PUSH) != 0);
}

TEST(a_change_makes_its_own_part)
{
   struct sharing s;
   init(&s);
   const struct rt_draw first = take(&s, RT_DIRTY_ALL);
   const struct rt_draw same = take(&s, 0);
   check_changed(&first, &same, 0);

   s.f.push[3] = 7;
   const struct rt_draw pushed = take(&s, RT_DIRTY_PUSH);
   check_changed(&same, &pushed, RT_DIRTY_PUSH);
   CHECK_EQ(first.resources.push[3], 0);
   CHECK_EQ(pushed.resources.push[3], 7);

   const uint8_t descriptors[16] = {0};
   s.f.sets[2].data = descriptors;
   const struct rt_draw bound = take(&s, RT_DIRTY_SETS);
   check_changed(&pushed, &bound, RT_DIRTY_SETS);
   CHECK(first.resources.sets[2].data == NULL && bound.resources.sets[2].data == descriptors);

   s.f.state.scissors.scissors[0].extent.width = 9;
   const struct rt_draw cut = take(&s, RT_DIRTY_VIEWPORTS);
   check_changed(&bound, &cut, RT_DIRTY_VIEWPORTS);
   CHECK_EQ(first.viewports->items[0].wide_rect.x1, SIZE);
   CHECK_EQ(cut.viewports->items[0].wide_rect.x1, 9);

   s.f.draw.vertex_buffers[0].size_bytes -= 16;
   const struct rt_draw fetched = take(&s, RT_DIRTY_BUFFERS);
   check_changed(&cut, &fetched, RT_DIRTY_INPUTS);
   CHECK_EQ(first.inputs->num_fetches, 2);
   CHECK_EQ(first.inputs->fetches[0].size_bytes - fetched.inputs->fetches[0].size_bytes, 16);

   s.f.state.vertex_strides.strides[0] += 4;
   const struct rt_draw strided = take(&s, RT_DIRTY_INPUTS);
   check_changed(&fetched, &strided, RT_DIRTY_INPUTS);

   s.f.state.cull_mode.mode = VK_CULL_MODE_BACK_BIT;
   const struct rt_draw culled = take(&s, RT_DIRTY_CONTEXT);
   check_changed(&strided, &culled, RT_DIRTY_CONTEXT);
   CHECK_EQ(first.context->state.cull_mode.mode, VK_CULL_MODE_NONE);
   CHECK_EQ(culled.context->state.cull_mode.mode, VK_CULL_MODE_BACK_BIT);
   finish(&s);
}

/* Said to have changed, but what it was: as when pipelines with the same state are bound in turn. */
TEST(the_same_again_is_shared)
{
   struct sharing s;
   init(&s);
   const struct rt_draw first = take(&s, RT_DIRTY_ALL);
   const struct rt_draw again = take(&s, RT_DIRTY_STATE);
   check_changed(&first, &again, 0);

   struct rt_graphics_pipeline other = s.f.pipeline;
   s.f.draw.pipeline = &other;
   const struct rt_draw second = take(&s, RT_DIRTY_STATE);
   check_changed(&first, &second, RT_DIRTY_CONTEXT);
   s.f.draw.pipeline = &s.f.pipeline;
   const struct rt_draw third = take(&s, RT_DIRTY_STATE);
   check_changed(&first, &third, 0);

   /* another set of attributes that are read */
   struct abi_shader_info reader = s.f.vs;
   memset(reader.inputs, 0, sizeof(reader.inputs));
   fixture_slots(reader.inputs, ABI_SLOT_USER, 4);
   other.shaders[ABI_STAGE_VERTEX].info = &reader;
   struct rt_graphics_pipeline less = other;
   s.f.draw.pipeline = &less;
   const struct rt_draw fourth = take(&s, RT_DIRTY_STATE);
   check_changed(&first, &fourth, RT_DIRTY_CONTEXT | RT_DIRTY_INPUTS);
   CHECK_EQ(fourth.inputs->num_fetches, 1);
   finish(&s);
}

/* A context counts for one query. */
TEST(queries_have_contexts_of_their_own)
{
   struct sharing s;
   init(&s);
   struct rt_query_pool pool;
   CHECK_EQ(rt_query_pool_init(&pool, VK_QUERY_TYPE_OCCLUSION, 2, 0), VK_SUCCESS);
   const struct rt_draw none = take(&s, RT_DIRTY_ALL);
   s.f.draw.occlusion = &pool.queries[0];
   const struct rt_draw first = take(&s, RT_DIRTY_CONTEXT);
   s.f.draw.occlusion = &pool.queries[1];
   const struct rt_draw second = take(&s, RT_DIRTY_CONTEXT);
   CHECK(none.context != first.context && first.context != second.context);
   CHECK(first.context->occlusion == &pool.queries[0] && second.context->occlusion == &pool.queries[1]);
   s.f.draw.occlusion = NULL;
   const struct rt_draw again = take(&s, RT_DIRTY_CONTEXT);
   CHECK(again.context == none.context);

   struct rt_query generated = {0};
   s.f.draw.generated[1] = &generated;
   const struct rt_draw counted = take(&s, RT_DIRTY_CONTEXT);
   CHECK(counted.context != none.context && counted.context->generated[1] == &generated);
   rt_query_pool_finish(&pool);
   finish(&s);
}

/* More states of one pipeline than are looked through: each draw has its own, whatever is found. */
TEST(many_states)
{
   struct sharing s;
   init(&s);
   s.f.draw.dirty = RT_DIRTY_ALL;
   for (uint32_t i = 0; i < 300; i++) {
      s.f.state.stencil_reference.value[0] = i % 100;
      const struct rt_draw draw = take(&s, RT_DIRTY_CONTEXT);
      CHECK_EQ(draw.context->state.stencil_reference.value[0], i % 100);
   }
   finish(&s);
}

TEST(nothing_is_left_after_forgetting)
{
   struct sharing s;
   init(&s);
   const struct rt_draw first = take(&s, RT_DIRTY_ALL);
   rt_share_forget(&s.share);
   const struct rt_draw second = take(&s, 0);
   check_changed(&first, &second, RT_DIRTY_ALL);
   finish(&s);
}

TEST(memory_runs_out)
{
   struct sharing s;
   init(&s);
   struct rt_draw draw = {0};
   for (size_t limit_bytes = 64; limit_bytes < 16384; limit_bytes += 512) {
      util_arena_finish(&s.arena);
      util_arena_init(&s.arena, limit_bytes);
      rt_share_forget(&s.share);
      s.f.draw.dirty = RT_DIRTY_ALL;
      const bool is_taken = rt_share_take(&s.share, &s.f.draw, &s.target, &s.arena, &draw);
      CHECK_EQ(is_taken, s.f.draw.dirty == 0);
      if (!is_taken)
         continue;
      CHECK(draw.context && draw.viewports && draw.inputs && draw.resources.sets && draw.resources.push);
      finish(&s);
      return;
   }
   test_fail(__FILE__, __LINE__, "16 KiB are not enough");
   finish(&s);
}

/* ---- as a whole: draws that wait together have what each was recorded with ---- */

/* The colour is the first push constant, in units of 1/255. */
static void push_shader(const struct abi_fragment_args *args, struct abi_worker *worker, const struct abi_primitive *primitive,
                        struct abi_block *blocks, uint32_t count)
{
   const float value = (float)args->resources->push[0] / 255.0f;
   for (uint32_t b = 0; b < count; b++) {
      for (uint32_t c = 0; c < 4; c++)
         for (uint32_t i = 0; i < 16; i++)
            memcpy(&blocks[b].outputs[c][i], &value, 4);
      blocks[b].mask_out = blocks[b].mask;
   }
}

static void draw_rows(uint32_t num_threads, uint32_t num_draws)
{
   static const struct fixture_vertex vertices[3] = {{{-1, -1, 0, 1}}, {{7, -1, 0, 1}}, {{-1, 7, 0, 1}}};
   struct fixture f;
   struct fixture_image color;
   fixture_init(&f, num_threads);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, NULL);
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = push_shader;
   struct rt_graphics_pipeline pipelines[2] = {f.pipeline, f.pipeline};
   f.draw.vertex_buffers[0] = (struct rt_vertex_buffer){(const uint8_t *)vertices, sizeof(vertices)};
   rt_render_begin(f.render, &f.begin, 0, false);
   for (uint32_t i = 0; i < num_draws; i++) {
      const uint32_t y = i % SIZE;
      const struct rt_draw_params params = {.count = 3, .instance_count = 1};
      f.draw.pipeline = &pipelines[i % 2];
      f.state.scissors.scissors[0] = (VkRect2D){{0, (int32_t)y}, {SIZE, 1}};
      f.push[0] = (uint8_t)i;
      f.state.color_write_mask.mask[0] = y % 3 ? 15 : 5;
      f.draw.dirty |= RT_DIRTY_STATE | RT_DIRTY_PUSH;
      CHECK_EQ(rt_render_draw(f.render, &f.draw, &params), VK_SUCCESS);
   }
   CHECK_EQ(rt_render_end(f.render), VK_SUCCESS);
   for (uint32_t y = 0; y < SIZE; y++) {
      const uint8_t *texel = fixture_texel(&color, 5, y, 0, 0);
      const uint8_t last = (uint8_t)(num_draws - SIZE + y);
      CHECK_EQ(texel[0], last);
      CHECK_EQ(texel[1], y % 3 ? last : 0);
      CHECK_EQ(texel[2], last);
      CHECK_EQ(texel[3], y % 3 ? last : 0);
   }
   fixture_image_finish(&color);
   fixture_finish(&f);
}

TEST(draws_keep_what_they_were_recorded_with)
{
   draw_rows(1, SIZE);
   draw_rows(1, SIZE * 100);
}

/* Many: other threads have begun with the first while the last are collected. */
TEST(threads_begin_while_draws_are_collected)
{
   draw_rows(2, SIZE * 100);
   draw_rows(4, SIZE * 1000);
}

TEST_MAIN
