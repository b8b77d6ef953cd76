/* SPDX-License-Identifier: MIT
 * Vertex and fragment shaders: their arrays, interpolation to the bit, coverage, discards, derivatives, calls of the texture helper. */
#include "tests/compiler/llvm/cg_run.h"

#include <math.h>

static uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, 4);
   return bits;
}

#define EACH_TARGET(lanes, level)                                                                                      \
   for (uint32_t level = 1; level <= util_cpu_level(); level++)                                                        \
      for (uint32_t lanes = 4; lanes <= 32; lanes *= 2)

/* ---- vertex ---- */

static const struct abi_set sets[ABI_MAX_SETS];
static const uint8_t push[ABI_MAX_PUSH_BYTES];
static const struct abi_resources resources = {sets, push};
static const uint32_t no_cancel;

TEST(vertex)
{
   /* two attributes; position.x and user 0.y are written */
   const char *text = "shader vertex\n{\n%0 = load_input 1x32 slot=16\n%1 = load_input 1x32 slot=21\n%2 = iadd 1x32 %0, %1\n"
                      "%3 = sysval 1x32 sysval=vertex_index\n%4 = sysval 1x32 sysval=base_instance\n%5 = iadd 1x32 %3, %4\n"
                      "store_output %2 slot=0\nstore_output %5 slot=17\nyield\n}\n";
   EACH_TARGET(lanes, level) {
      struct comp_code code;
      static uint32_t inputs[2][ABI_VERTEX_BATCH] __attribute__((aligned(64))), outputs[2][ABI_VERTEX_BATCH] __attribute__((aligned(64)));
      uint32_t indices[ABI_VERTEX_BATCH];
      struct abi_worker worker = {.cancel = &no_cancel};
      struct abi_vertex_args args = {.resources = &resources, .inputs = inputs[0], .outputs = outputs[0], .vertex_index = indices, .base_instance = 9};
      memset(outputs, 0, sizeof(outputs));
      for (uint32_t i = 0; i < ABI_VERTEX_BATCH; i++) {
         inputs[0][i] = i * 3;
         inputs[1][i] = i * i;
         indices[i] = 1000 - i;
      }
      if (!cg_run_compile(text, lanes, level, &code))
         continue;
      code.run.vertex(&args, &worker, 21);
      for (uint32_t i = 0; i < ABI_VERTEX_BATCH; i++) {
         if (i < 21) {
            CHECK_EQ(outputs[0][i], i * 3 + i * i);
            CHECK_EQ(outputs[1][i], 1000 - i + 9);
         } else if (i >= 32) {
            CHECK_EQ(outputs[0][i], 0);
         }
      }
      comp_code_unload(&code);
   }
}

/* ---- fragment ---- */

static const struct abi_plane planes[2] = {{0.3f, 0.01f, -0.07f}, {1.5f, 0.125f, 0.3f}};

static float eval(const struct abi_primitive *p, const struct abi_plane *plane, float x, float y)
{
   return plane->c + plane->dx * (x - p->x0) + plane->dy * (y - p->y0);
}

static void pixel(uint32_t lane, uint32_t *x, uint32_t *y)
{
   *x = (lane & 1) | (lane >> 1 & 2);
   *y = (lane >> 1 & 1) | (lane >> 2 & 2);
}

static void tex_helper(const struct abi_tex_call *call)
{
   for (uint32_t i = 0; i < call->lanes; i++) {
      if (call->mask >> i & 1) {
         for (uint32_t c = 0; c < 4; c++)
            call->result[c][i] = call->coords[0][i] + call->coords[1][i] * 1000 + c * 100000 + call->quad_size;
      }
   }
}

static const struct abi_helpers helpers = {.tex = tex_helper};

#define FRAGMENT(body) "shader fragment\n{\n" body "yield\n}\n"

static uint32_t size_log2[2]; /* of fragments */

static void run_fragment(const char *text, uint32_t lanes, uint32_t level, struct abi_block *blocks, uint32_t count, bool per_sample)
{
   struct comp_code code;
   struct abi_worker worker = {.cancel = &no_cancel, .helpers = &helpers};
   const struct abi_primitive primitive = {.x0 = 3.25f, .y0 = 2.5f, .z = {0.5f, 0.001f, 0.002f}, .inv_w = {0.7f, 0.003f, 0.001f},
      .is_front = 1, .primitive_id = 42, .planes = planes};
   struct abi_fragment_args args = {.resources = &resources, .num_samples = 4, .size_log2 = {size_log2[0], size_log2[1]}, .sample = 2, .per_sample = per_sample,
      .sample_pos = {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}}};
   if (!cg_run_compile(text, lanes, level, &code))
      return;
   code.run.fragment(&args, &worker, &primitive, blocks, count);
   comp_code_unload(&code);
}

/* Fragments of several texels: where they lie, and their rate. */
TEST(large_fragments)
{
   const char *text = FRAGMENT("%0 = sysval 4x32 sysval=frag_coord\n%1 = extract 1x32 %0 index=0\n%2 = extract 1x32 %0 index=1\n"
      "%3 = sysval 1x32 sysval=shading_rate\n%4 = interp 1x32 slot=17 mode=1 at=0\n"
      "store_output %1 slot=0\nstore_output %2 slot=1\nstore_output %3 slot=2\nstore_output %4 slot=3\n");
   EACH_TARGET(lanes, level) {
      static struct abi_block blocks[2];
      for (uint32_t rate = 0; rate < 9; rate++) {
         size_log2[0] = rate / 3;
         size_log2[1] = rate % 3;
         memset(blocks, 0, sizeof(blocks));
         blocks[0] = (struct abi_block){.x = 16, .y = 32, .mask = 0xffff};
         blocks[1] = (struct abi_block){.x = 48, .y = 0, .mask = 0xffff};
         run_fragment(text, lanes, level, blocks, 2, false);
         const struct abi_primitive p = {.x0 = 3.25f, .y0 = 2.5f};
         for (uint32_t i = 0; i < 32; i++) {
            uint32_t px, py;
            pixel(i % 16, &px, &py);
            const float w = (float)(1u << size_log2[0]), h = (float)(1u << size_log2[1]);
            const float x = (float)blocks[i / 16].x + (float)px * w + w / 2, y = (float)blocks[i / 16].y + (float)py * h + h / 2;
            uint32_t(*out)[16] = blocks[i / 16].outputs;
            CHECK_EQ(out[0][i % 16], bits_of(x));
            CHECK_EQ(out[1][i % 16], bits_of(y));
            CHECK_EQ(out[2][i % 16], size_log2[0] << 2 | size_log2[1]);
            CHECK_EQ(out[3][i % 16], bits_of(eval(&p, &planes[0], x, y)));
         }
      }
      size_log2[0] = size_log2[1] = 0;
   }
}

TEST(interpolation)
{
   /* slots are declared by being read */
   const char *text = FRAGMENT("%0 = interp 1x32 slot=16 mode=0 at=0\n%1 = interp 1x32 slot=17 mode=1 at=0\n%2 = interp 1x32 slot=17 mode=2 at=0\n"
      "%3 = interp 1x32 slot=17 mode=1 at=1\n%4 = sysval 4x32 sysval=frag_coord\n%5 = extract 1x32 %4 index=0\n%6 = extract 1x32 %4 index=1\n"
      "%7 = extract 1x32 %4 index=2\n%8 = extract 1x32 %4 index=3\n"
      "store_output %0 slot=0\nstore_output %1 slot=1\nstore_output %2 slot=2\nstore_output %3 slot=3\n"
      "store_output %5 slot=4\nstore_output %6 slot=5\nstore_output %7 slot=6\nstore_output %8 slot=7\n");
   EACH_TARGET(lanes, level) {
      static struct abi_block blocks[3];
      for (uint32_t per_sample = 0; per_sample < 2; per_sample++) {
         memset(blocks, 0, sizeof(blocks));
         for (uint32_t b = 0; b < 3; b++) {
            blocks[b] = (struct abi_block){.x = (int32_t)b * 4 + 8, .y = 12 - (int32_t)b * 4, .mask = 0xffff >> b};
            for (uint32_t i = 0; i < 16; i++)
               blocks[b].sample_masks[i] = i == 5 ? 8 : i == 6 ? 0 : 15;
         }
         run_fragment(text, lanes, level, blocks, 3, per_sample);
         const struct abi_primitive p = {.x0 = 3.25f, .y0 = 2.5f, .z = {0.5f, 0.001f, 0.002f}, .inv_w = {0.7f, 0.003f, 0.001f}};
         for (uint32_t b = 0; b < 3; b++) {
            CHECK_EQ(blocks[b].mask_out, blocks[b].mask);
            for (uint32_t i = 0; i < 16; i++) {
               uint32_t px, py;
               pixel(i, &px, &py);
               const float ox = per_sample ? 0.125f : 0.5f, oy = per_sample ? 0.625f : 0.5f;
               const float x = (float)((uint32_t)blocks[b].x + px) + ox, y = (float)((uint32_t)blocks[b].y + py) + oy;
               const float cx = i == 5 ? x - ox + 0.625f : x, cy = i == 5 ? y - oy + 0.875f : y;
               const float w = 1.0f / eval(&p, &p.inv_w, x, y);
               uint32_t(*out)[16] = blocks[b].outputs;
               CHECK_EQ(out[0][i], bits_of(eval(&p, &planes[0], x, y) * w));
               CHECK_EQ(out[1][i], bits_of(eval(&p, &planes[1], x, y)));
               CHECK_EQ(out[2][i], bits_of(1.5f));
               CHECK_EQ(out[3][i], bits_of(eval(&p, &planes[1], cx, cy)));
               CHECK_EQ(out[4][i], bits_of(x));
               CHECK_EQ(out[5][i], bits_of(y));
               CHECK_EQ(out[6][i], bits_of(eval(&p, &p.z, x, y)));
               CHECK_EQ(out[7][i], bits_of(eval(&p, &p.inv_w, x, y)));
            }
         }
      }
   }
}

TEST(discard_and_derivatives)
{
   const char *text = FRAGMENT("%0 = sysval 4x32 sysval=frag_coord\n%1 = extract 1x32 %0 index=0\n%2 = extract 1x32 %0 index=1\n%3 = const 1x32 0x41200000\n"
      "%4 = flt 1x1 %1, %3\ndemote %4\n%5 = fmul 1x32 %1, %1\n%6 = fmul 1x32 %5, %2\n"
      "%7 = ddx 1x32 %6 fine=1\n%8 = ddy 1x32 %6 fine=1\n%9 = ddx 1x32 %6 fine=0\n%10 = is_helper 1x1\nstore_output %7 slot=0\n%11 = u2u 1x32 %10\n"
      "store_output %8 slot=1\nstore_output %9 slot=2\nstore_output %11 slot=3\n");
   EACH_TARGET(lanes, level) {
      static struct abi_block block;
      block = (struct abi_block){.x = 8, .y = 4, .mask = 0x7fff};
      run_fragment(text, lanes, level, &block, 1, false);
      uint32_t mask = 0;
      for (uint32_t i = 0; i < 16; i++) {
         float f[4];
         uint32_t px, py;
         for (uint32_t k = 0; k < 4; k++) {
            pixel((i & 12) + k, &px, &py);
            const float x = 8.5f + (float)px, y = 4.5f + (float)py;
            f[k] = x * x * y;
         }
         pixel(i, &px, &py);
         const bool is_live = px >= 2 && i != 15;
         mask |= (uint32_t)is_live << i;
         CHECK_EQ(block.outputs[0][i], bits_of(i & 2 ? f[3] - f[2] : f[1] - f[0]));
         CHECK_EQ(block.outputs[1][i], bits_of(i & 1 ? f[3] - f[1] : f[2] - f[0]));
         CHECK_EQ(block.outputs[2][i], bits_of(f[1] - f[0]));
         CHECK_EQ(block.outputs[3][i], !is_live);
      }
      CHECK_EQ(block.mask_out, mask);
   }
}

TEST(texture_call)
{
   const char *text = FRAGMENT("%0 = const 1x32 0\n%1 = image_desc 1x64 %0 set=0 binding=9\n%2 = sysval 4x32 sysval=frag_coord\n%3 = extract 1x32 %2 index=0\n"
      "%4 = f2i 1x32 %3\n%5 = extract 1x32 %2 index=1\n%6 = f2i 1x32 %5\n%7 = vec 2x32 %4, %6\n%8 = tex 4x32 %1, %1, %7 op=1 dim=1 flags=0\n"
      "%9 = extract 1x32 %8 index=0\n%10 = extract 1x32 %8 index=3\nstore_output %9 slot=0\nstore_output %10 slot=1\n");
   EACH_TARGET(lanes, level) {
      static struct abi_block block;
      block = (struct abi_block){.x = 8, .y = 4, .mask = 0xffff};
      run_fragment(text, lanes, level, &block, 1, false);
      for (uint32_t i = 0; i < 16; i++) {
         uint32_t px, py;
         pixel(i, &px, &py);
         CHECK_EQ(block.outputs[0][i], 8 + px + (4 + py) * 1000 + 4);
         CHECK_EQ(block.outputs[1][i], 8 + px + (4 + py) * 1000 + 300000 + 4);
      }
   }
}

TEST_MAIN
