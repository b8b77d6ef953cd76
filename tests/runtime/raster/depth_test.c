/* SPDX-License-Identifier: MIT
 * Depth and stencil: early tests with hierarchical Z give the same bits as late tests without, in all formats and for
 * all compare ops; stencil operations against a model. */
#include "tests/runtime/raster/fixture.h"

#include <stdlib.h>

enum { SIZE = 150, NUM = 300 };

static struct fixture_vertex *random_triangles(uint32_t seed)
{
   struct fixture_vertex *v = calloc(NUM * 3, sizeof(*v));
   for (uint32_t i = 0; i < NUM * 3; i++) {
      if (i % 3 == 0 && i % 5 == 0)
         seed += 1;
      const float spread = i / 3 % 4 == 0 ? 3.0f : 0.4f;
      static float center[3];
      if (i % 3 == 0)
         for (uint32_t c = 0; c < 3; c++)
            center[c] = (float)(fixture_random(&seed) % 1000) / 500.0f - 1.0f;
      for (uint32_t c = 0; c < 2; c++)
         v[i].position[c] = center[c] + spread * ((float)(fixture_random(&seed) % 1000) / 1000.0f - 0.5f);
      v[i].position[2] = 0.5f + 0.3f * center[2] + 0.2f * ((float)(fixture_random(&seed) % 1000) / 500.0f - 1.0f);
      v[i].position[3] = 1.0f;
      for (uint32_t c = 0; c < 4; c++)
         v[i].color[c] = (float)(fixture_random(&seed) % 256) / 255.0f;
   }
   return v;
}

struct result {
   uint8_t *color, *depth;
   size_t color_bytes, depth_bytes;
};

static struct result render(VkFormat depth_format, VkCompareOp op, uint32_t samples, bool is_late, bool is_tiled,
                            const struct fixture_vertex *v)
{
   struct fixture f;
   struct fixture_image color, depth;
   fixture_init(&f, 2);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, samples, is_tiled);
   fixture_image_init(&depth, depth_format, SIZE, SIZE, 1, samples, is_tiled);
   fixture_target(&f, &color, &depth);
   f.begin.depth.clear.depthStencil.depth =
      op == VK_COMPARE_OP_GREATER || op == VK_COMPARE_OP_GREATER_OR_EQUAL ? 0.2f : 0.8f;
   f.state.depth_test.enable = f.state.depth_write.enable = 1;
   f.state.depth_compare.op = op;
   f.fs.has_side_effects = is_late;
   fixture_render(&f, v, NUM * 3);
   struct result r = {.color_bytes = color.image.size_bytes, .depth_bytes = depth.image.size_bytes};
   r.color = color.memory;
   r.depth = depth.memory;
   fixture_finish(&f);
   return r;
}

static bool equal(struct result a, struct result b)
{
   const bool same = a.color_bytes == b.color_bytes && memcmp(a.color, b.color, a.color_bytes) == 0 &&
                     a.depth_bytes == b.depth_bytes && memcmp(a.depth, b.depth, a.depth_bytes) == 0;
   util_mfree(a.color);
   util_mfree(a.depth);
   util_mfree(b.color);
   util_mfree(b.depth);
   return same;
}

TEST(early_is_late)
{
   static const VkFormat formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT};
   struct fixture_vertex *v = random_triangles(5);
   for (uint32_t i = 0; i < 3; i++)
      for (uint32_t op = VK_COMPARE_OP_NEVER; op <= VK_COMPARE_OP_ALWAYS; op++)
         CHECK(equal(render(formats[i], (VkCompareOp)op, 1, false, true, v),
                     render(formats[i], (VkCompareOp)op, 1, true, true, v)));
   CHECK(equal(render(formats[2], VK_COMPARE_OP_LESS, 4, false, true, v),
               render(formats[2], VK_COMPARE_OP_LESS, 4, true, true, v)));
   CHECK(equal(render(formats[0], VK_COMPARE_OP_GREATER, 4, false, true, v),
               render(formats[0], VK_COMPARE_OP_GREATER, 4, true, true, v)));
   CHECK(equal(render(formats[2], VK_COMPARE_OP_LESS, 1, false, false, v),
               render(formats[2], VK_COMPARE_OP_LESS, 1, true, false, v)));
   free(v);
}

/* The nearest of several screen-filling planes wins in every texel, and its depth is stored. */
TEST(nearest_wins)
{
   struct fixture f;
   struct fixture_image color, depth;
   fixture_init(&f, 1);
   fixture_image_init(&color, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_image_init(&depth, VK_FORMAT_D32_SFLOAT, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, &color, &depth);
   f.state.depth_test.enable = f.state.depth_write.enable = 1;
   f.state.depth_compare.op = VK_COMPARE_OP_LESS;
   struct fixture_vertex v[3][3];
   static const float depths[3] = {0.75f, 0.25f, 0.5f};
   for (uint32_t i = 0; i < 3; i++)
      for (uint32_t k = 0; k < 3; k++)
         v[i][k] =
            (struct fixture_vertex){{k == 1 ? 3 : -1, k == 2 ? 3 : -1, depths[i], 1}, {(float)i / 255.0f, 0, 0, 1}};
   fixture_render(&f, v[0], 9);
   uint32_t wrong = 0;
   for (uint32_t y = 0; y < SIZE; y++)
      for (uint32_t x = 0; x < SIZE; x++) {
         float d;
         memcpy(&d, fixture_texel(&depth, x, y, 0, 0), 4);
         wrong += d != 0.25f || fixture_texel(&color, x, y, 0, 0)[0] != 1;
      }
   CHECK_EQ(wrong, 0);
   fixture_image_finish(&color);
   fixture_image_finish(&depth);
   fixture_finish(&f);
}

/* Depths of floats beyond 0 and 1 are stored and compared as they are if the pipeline says so, and hierarchical Z knows. */
TEST(unrestricted)
{
   static const VkFormat formats[] = {VK_FORMAT_D32_SFLOAT, VK_FORMAT_D16_UNORM};
   for (uint32_t variant = 0; variant < 8; variant++) {
      struct fixture f;
      struct fixture_image depth;
      const bool is_unrestricted = variant & 1, is_late = variant & 2, is_fixed = variant & 4;
      float behind, stored;
      uint16_t bits;
      fixture_init(&f, 1);
      fixture_image_init(&depth, formats[is_fixed], SIZE, SIZE, 1, 1, true);
      fixture_target(&f, NULL, &depth);
      f.pipeline.has_unrestricted_depth = is_unrestricted;
      f.fs.has_side_effects = is_late;
      f.state.depth_test.enable = f.state.depth_write.enable = 1;
      f.state.depth_compare.op = VK_COMPARE_OP_GREATER;
      f.state.viewports.viewports[0].minDepth = -4;
      f.state.viewports.viewports[0].maxDepth = 4;
      f.begin.depth.clear.depthStencil.depth = is_fixed ? 0.0f : -5.0f;
      /* Window depths 2, then 3 in the left half: what is nearer comes last, so that it is seen against what was stored. */
      const struct fixture_vertex v[6] = {{{-1, -1, 0.75f, 1}, {0}}, {{3, -1, 0.75f, 1}, {0}},     {{-1, 3, 0.75f, 1}, {0}},
                                          {{-1, -1, 0.875f, 1}, {0}}, {{0, -1, 0.875f, 1}, {0}}, {{-1, 40, 0.875f, 1}, {0}}};
      fixture_render(&f, v, 6);
      memcpy(&stored, fixture_texel(&depth, 1, 1, 0, 0), 4);
      memcpy(&behind, fixture_texel(&depth, SIZE - 1, 1, 0, 0), 4);
      memcpy(&bits, fixture_texel(&depth, SIZE - 1, 1, 0, 0), 2);
      if (is_fixed)
         CHECK_EQ(bits, 65535);
      else
         CHECK(is_unrestricted ? stored == 3.0f && behind == 2.0f : stored == 1.0f && behind == 1.0f);
      fixture_image_finish(&depth);
      fixture_finish(&f);
   }
}

/* Depth written by the shader, depth bounds and clamping. */
static void shader_depth(const struct abi_fragment_args *args, struct abi_worker *worker,
                         const struct abi_primitive *primitive, struct abi_block *blocks, uint32_t count)
{
   fixture_fragment_shader(args, worker, primitive, blocks, count);
   for (uint32_t b = 0; b < count; b++)
      for (uint32_t i = 0; i < 16; i++) {
         const float z = (float)(blocks[b].x % 8) / 8.0f;
         memcpy(&blocks[b].outputs[ABI_FRAG_DEPTH][i], &z, 4);
      }
}

TEST(exported_depth)
{
   struct fixture f;
   struct fixture_image depth;
   fixture_init(&f, 1);
   fixture_image_init(&depth, VK_FORMAT_D16_UNORM, SIZE, SIZE, 1, 1, true);
   fixture_target(&f, NULL, &depth);
   f.state.depth_test.enable = f.state.depth_write.enable = 1;
   f.state.depth_compare.op = VK_COMPARE_OP_LESS;
   f.begin.depth.clear.depthStencil.depth = 0.25f;
   f.fs.outputs[0] |= UINT64_C(1) << ABI_FRAG_DEPTH;
   f.pipeline.shaders[ABI_STAGE_FRAGMENT].run.fragment = shader_depth;
   const struct fixture_vertex v[3] = {{{-1, -1, 0.9f, 1}, {0}}, {{3, -1, 0.9f, 1}, {0}}, {{-1, 3, 0.9f, 1}, {0}}};
   fixture_render(&f, v, 3);
   uint16_t a, b;
   memcpy(&a, fixture_texel(&depth, 0, 0, 0, 0), 2);
   memcpy(&b, fixture_texel(&depth, 4, 0, 0, 0), 2);
   CHECK_EQ(a, 0);     /* 0 < 0.25: written */
   CHECK_EQ(b, 16384); /* 0.5 fails: the clear value, 16383.75 rounded */
   fixture_image_finish(&depth);
   fixture_finish(&f);
}

static uint8_t operate(VkStencilOp op, uint8_t v, uint8_t r)
{
   switch (op) {
   case VK_STENCIL_OP_ZERO:
      return 0;
   case VK_STENCIL_OP_REPLACE:
      return r;
   case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
      return (uint8_t)UTIL_MIN(v + 1, 255);
   case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
      return (uint8_t)UTIL_MAX(v - 1, 0);
   case VK_STENCIL_OP_INVERT:
      return (uint8_t)~v;
   case VK_STENCIL_OP_INCREMENT_AND_WRAP:
      return (uint8_t)(v + 1);
   case VK_STENCIL_OP_DECREMENT_AND_WRAP:
      return (uint8_t)(v - 1);
   default:
      return v;
   }
}

static bool compares(VkCompareOp op, uint32_t r, uint32_t v)
{
   const bool results[8] = {false, r<v, r == v, r <= v, r> v, r != v, r >= v, true};
   return results[op];
}

/* Every op, for back faces, with masks; the depth test passes in the left half only. */
TEST(stencil_ops)
{
   for (uint32_t op = 0; op < 8; op++)
      for (uint32_t compare = 0; compare < 8; compare++) {
         struct fixture f;
         struct fixture_image depth, stencil;
         fixture_init(&f, 0);
         fixture_image_init(&depth, VK_FORMAT_D32_SFLOAT, 16, 8, 1, 1, true);
         fixture_image_init(&stencil, VK_FORMAT_S8_UINT, 16, 8, 1, 1, true);
         fixture_target(&f, NULL, &depth);
         f.begin.depth.clear.depthStencil.depth = 0.5f;
         f.begin.stencil = (struct rt_attachment){.view = &stencil.view, .load_op = VK_ATTACHMENT_LOAD_OP_LOAD};
         for (uint32_t i = 0; i < 128; i++)
            *fixture_texel(&stencil, i % 16, i / 16, 0, 0) = (uint8_t)(i * 2 + (i > 64));
         f.state.depth_test.enable = 1;
         f.state.depth_compare.op = VK_COMPARE_OP_LESS;
         f.state.stencil_test.enable = 1;
         f.state.stencil_op.pass_op[1] = (uint8_t)op;
         f.state.stencil_op.fail_op[1] = (uint8_t)((op + 3) % 8);
         f.state.stencil_op.depth_fail_op[1] = (uint8_t)((op + 5) % 8);
         f.state.stencil_op.compare_op[1] = (uint8_t)compare;
         f.state.stencil_compare_mask.mask[1] = 0xfe;
         f.state.stencil_write_mask.mask[1] = 0x7f;
         f.state.stencil_reference.value[1] = 0x55;
         /* Depth 0 at x = -1 to 1 at x = 1; clockwise on the screen, which is a back face for counter-clockwise fronts.
          */
         const struct fixture_vertex v[3] = {{{-1, -1, 0, 1}, {0}}, {{3, -1, 2, 1}, {0}}, {{-1, 3, 0, 1}, {0}}};
         f.state.depth_clip.enable = 0;
         fixture_render(&f, v, 3);
         uint32_t wrong = 0;
         for (uint32_t i = 0; i < 128; i++) {
            const uint8_t old = (uint8_t)(i * 2 + (i > 64));
            const bool pass = compares((VkCompareOp)compare, 0x55 & 0xfe, old & 0xfe), near = i % 16 < 8;
            const VkStencilOp chosen = (VkStencilOp)(!pass ? (op + 3) % 8 : near ? op : (op + 5) % 8);
            const uint8_t expected = (uint8_t)((operate(chosen, old, 0x55) & 0x7f) | (old & 0x80));
            wrong += *fixture_texel(&stencil, i % 16, i / 16, 0, 0) != expected;
         }
         CHECK_EQ(wrong, 0);
         fixture_image_finish(&depth);
         fixture_image_finish(&stencil);
         fixture_finish(&f);
      }
}

TEST_MAIN
