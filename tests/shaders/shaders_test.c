/* SPDX-License-Identifier: MIT
 * Compute shaders through the loader, against the same computation on the host. */
#include "tests/client/client.h"
#include "tests/test.h"

#include "angles.comp.h"
#include "atomics.comp.h"
#include "ballots.comp.h"
#include "barriers.comp.h"
#include "bounds.comp.h"
#include "control_flow.comp.h"
#include "edges.comp.h"
#include "far_tables.comp.h"
#include "floats.comp.h"
#include "integers.comp.h"
#include "memory.comp.h"
#include "rows.comp.h"
#include "tables.comp.h"
#include "zeroed.comp.h"

#include <math.h>
#include <stdlib.h>

static struct client client;

struct run {
   const uint32_t *words;
   size_t size_bytes;
   const void *in, *uniform, *push;
   size_t in_bytes, out_bytes, uniform_bytes, push_bytes;
   uint32_t out_fill; /* every word of the output before */
   uint32_t workgroups;
   const VkSpecializationInfo *specialization;
};

/* Runs a shader; the output is to be freed. */
static void *run_shader(const struct run *run)
{
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER};
   const uint32_t num_buffers = run->uniform ? 3 : 2;
   struct client_buffer buffers[3] = {
      client_buffer_create(&client, run->in_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
      client_buffer_create(&client, run->out_bytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT),
   };
   if (run->uniform) {
      buffers[2] = client_buffer_create(&client, run->uniform_bytes, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
      memcpy(buffers[2].map, run->uniform, run->uniform_bytes);
   }
   memcpy(buffers[0].map, run->in, run->in_bytes);
   for (size_t i = 0; i < run->out_bytes / 4; i++)
      ((uint32_t *)buffers[1].map)[i] = run->out_fill;

   struct client_set set = client_set_create(&client, num_buffers, types);
   for (uint32_t i = 0; i < num_buffers; i++)
      client_set_buffer(&client, &set, i, types[i], &buffers[i]);
   VkShaderModule module = client_shader(&client, run->words, run->size_bytes);
   VkPipelineLayout layout = client_pipeline_layout(&client, &set, (uint32_t)run->push_bytes);
   VkPipeline pipeline = client_compute_pipeline(&client, module, layout, VK_NULL_HANDLE, run->specialization);
   VkCommandBuffer cmd = client_begin(&client);
   vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set.set, 0, NULL);
   if (run->push_bytes)
      vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, (uint32_t)run->push_bytes, run->push);
   vk.CmdDispatch(cmd, run->workgroups, 1, 1);
   client_barrier(cmd);
   client_run(&client, cmd);

   void *out = malloc(run->out_bytes);
   if (!out)
      client_die("out of memory");
   memcpy(out, buffers[1].map, run->out_bytes);
   vk.DestroyPipeline(client.device, pipeline, NULL);
   vk.DestroyPipelineLayout(client.device, layout, NULL);
   vk.DestroyShaderModule(client.device, module, NULL);
   client_set_destroy(&client, &set);
   for (uint32_t i = 0; i < num_buffers; i++)
      client_buffer_destroy(&client, &buffers[i]);
   return out;
}

static uint32_t random_state = 12345;
static uint32_t random_word(void)
{
   random_state ^= random_state << 13;
   random_state ^= random_state >> 17;
   random_state ^= random_state << 5;
   return random_state;
}

#define SHADER(name) .words = name, .size_bytes = sizeof(name)

static uint32_t find_msb(uint32_t v)
{
   return v ? 31 - (uint32_t)__builtin_clz(v) : UINT32_MAX;
}

static uint32_t reverse(uint32_t v)
{
   uint32_t r = 0;
   for (int i = 0; i < 32; i++)
      r |= (v >> i & 1) << (31 - i);
   return r;
}

static uint32_t expected_integers(uint32_t a, uint32_t b)
{
   const int32_t sa = (int32_t)a, sb = (int32_t)b, sd = sb | 1;
   const uint64_t product = (uint64_t)a * b;
   const int64_t signed_product = (int64_t)sa * sb;
   uint32_t h = a + b * 3;
   h = h * 31 + (a - b);
   h = h * 31 + a / (b | 1);
   h = h * 31 + a % (b | 1);
   h = h * 31 + (sa == INT32_MIN && sd == -1 ? a : (uint32_t)(sa / sd));
   h = h * 31 + (a << (b & 31));
   h = h * 31 + (a >> (b & 31));
   h = h * 31 + (uint32_t)(sa >> (b & 31));
   h = h * 31 + ((a & b) ^ (a | ~b));
   h = h * 31 + (uint32_t)(sa < sb ? sa : sb) + (uint32_t)(sa > sb ? sa : sb) * 7 + (a < b ? a : b) + (a > b ? a : b) * 5;
   h = h * 31 + (sa < 0 ? -a : a) + (uint32_t)((sb > 0) - (sb < 0));
   h = h * 31 + reverse(a) + (uint32_t)__builtin_popcount(b) + (a ? (uint32_t)__builtin_ctz(a) : UINT32_MAX) + find_msb(b) +
       find_msb(sa < 0 ? ~a : a);
   h = h * 31 + (a >> 5 & 0x7ff) + (uint32_t)((int32_t)(a << 20) >> 23) + ((a & ~0x7f0u) | (b << 4 & 0x7f0u));
   h = h * 31 + (a + b) + (a + b < a);
   h = h * 31 + (a - b) + (a < b);
   h = h * 31 + (uint32_t)(product >> 32) + (uint32_t)product * 3;
   h = h * 31 + (uint32_t)((uint64_t)signed_product >> 32) + (uint32_t)signed_product * 3;
   return h * 31 + (a < b) + (sa < sb ? 2 : 0) + (a == b ? 4 : 0);
}

TEST(integers)
{
   enum { N = 64 * 50 };
   static const uint32_t edges[] = {0, 1, 2, 31, 32, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 65535};
   static uint32_t in[N][2];
   for (uint32_t i = 0; i < N; i++) {
      in[i][0] = i < 100 ? edges[i / 10] : random_word();
      in[i][1] = i < 100 ? edges[i % 10] : random_word() >> (i & 31);
   }
   uint32_t *out = run_shader(&(struct run){SHADER(integers_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = N * 4, .workgroups = N / 64});
   for (uint32_t i = 0; i < N; i++)
      CHECK_EQ(out[i], expected_integers(in[i][0], in[i][1]));
   free(out);
}

TEST(floats)
{
   enum { N = 32 * 64 };
   static float in[N][2];
   for (uint32_t i = 0; i < N; i++) {
      for (int k = 0; k < 2; k++)
         in[i][k] = (float)((int32_t)random_word() / 65536) / (float)(1 + (random_word() & 255));
   }
   float *out = run_shader(&(struct run){SHADER(floats_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = N * 32, .workgroups = N / 32});
   for (uint32_t i = 0; i < N; i++) {
      const float a = in[i][0], b = in[i][1];
      const float expected[8] = {a + b, a * b, a - b, a * b + a, floorf(a) + ceilf(b), truncf(a) + fabsf(b), fminf(a, b) * 2 + fmaxf(a, b),
                                 (float)(int32_t)a + (float)(uint32_t)fabsf(b) + fmaf(a, b, 1)};
      for (int k = 0; k < 8; k++) {
         /* The last two may be contracted: any rounding of the intermediate is right. */
         if (k < 6)
            CHECK(memcmp(&out[i * 8 + k], &expected[k], 4) == 0);
         else
            CHECK(fabsf(out[i * 8 + k] - expected[k]) <= 2e-6f * (fabsf(expected[k]) + fabsf(a * b) + 1));
      }
   }
   free(out);
}

static uint32_t expected_collatz(uint32_t n)
{
   uint32_t steps = 0;
   for (; n > 1; steps++) {
      if (steps > 300)
         return 1000 + n;
      n = n & 1 ? 3 * n + 1 : n / 2;
   }
   return steps;
}

static uint32_t expected_switched(uint32_t n)
{
   uint32_t r = 0;
   for (uint32_t k = 0; k < 10; k++) {
      switch ((n + k) % 7) {
      case 0:
         r += 1;
         /* fall through */
      case 1:
         r += 10;
         break;
      case 2:
         if (k == 5)
            return r;
         continue;
      case 3: {
         uint32_t j = 0;
         do {
            j++;
            if (j == 3)
               continue;
            r += j;
         } while (j < (n & 7));
         break;
      }
      case 5:
         r ^= 0x55;
         break;
      default:
         r = r * 3 + k;
      }
      r += 1000;
   }
   return r;
}

static uint32_t expected_nested(uint32_t n)
{
   uint32_t count = 0;
   for (uint32_t i = 0; i < 8; i++) {
      for (uint32_t j = 0; j < 8; j++) {
         if (j == (n & 7))
            break;
         if (((i + j + n) & 3) == 0)
            continue;
         for (uint32_t k = i; k < j; k++) {
            if (k * n % 5 == 4)
               break;
            count += k + 1;
         }
      }
      if (count > 150)
         break;
   }
   return count;
}

TEST(control_flow)
{
   enum { N = 1000 }; /* no multiple of the workgroup's size */
   static uint32_t in[N];
   for (uint32_t i = 0; i < N; i++)
      in[i] = i < 200 ? i : random_word();
   uint32_t *out = run_shader(
      &(struct run){SHADER(control_flow_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = sizeof(in), .workgroups = (N + 47) / 48});
   for (uint32_t i = 0; i < N; i++)
      CHECK_EQ(out[i], expected_collatz(in[i] % 97) + 2048 * (expected_switched(in[i]) % 65536) + 7 * expected_nested(in[i]));
   free(out);
}

static int compare_words(const void *a, const void *b)
{
   const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
   return (x > y) - (x < y);
}

TEST(barriers)
{
   enum { GROUPS = 20, N = 128 * GROUPS };
   static uint32_t in[N];
   for (uint32_t i = 0; i < N; i++)
      in[i] = random_word();
   uint32_t *out = run_shader(&(struct run){SHADER(barriers_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = sizeof(in), .workgroups = GROUPS});
   for (uint32_t g = 0; g < GROUPS; g++) {
      uint32_t *keys = in + g * 128, sums[128];
      qsort(keys, 128, 4, compare_words);
      for (uint32_t i = 0; i < 128; i++)
         sums[i] = keys[i] + (i ? sums[i - 1] : 0);
      for (uint32_t i = 0; i < 128; i++)
         CHECK_EQ(out[g * 128 + i], keys[i] ^ sums[127 - i]);
   }
   free(out);
}

TEST(ballots)
{
   enum { N = 32 * 8 };
   static uint32_t in[N][4];
   for (uint32_t i = 0; i < N; i++)
      for (uint32_t w = 0; w < 4; w++)
         in[i][w] = i % 8 ? (random_word() >> (i % 29) | 1) << (i & 3) : UINT32_MAX;
   uint32_t(*out)[4] =
      run_shader(&(struct run){SHADER(ballots_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = sizeof(in), .workgroups = N / 32});
   for (uint32_t i = 0; i < N; i++) {
      const uint32_t size = out[i][0];
      CHECK(size >= 4 && size <= 32);
      const uint32_t ours = in[i][0] & (uint32_t)((UINT64_C(1) << size) - 1);
      CHECK_EQ(out[i][1], __builtin_ctz(ours));
      CHECK_EQ(out[i][2], find_msb(ours));
      CHECK_EQ(out[i][3], __builtin_popcount(ours));
   }
   free(out);
}

TEST(atomics)
{
   enum { N = 100 * 40 };
   static uint32_t in[N];
   uint32_t expected[16] = {0};
   expected[1] = 0; /* the output starts as zeros: the least stays so */
   for (uint32_t i = 0; i < N; i++) {
      const uint32_t v = in[i] = random_word();
      expected[0] += v;
      expected[2] = v > expected[2] ? v : expected[2];
      expected[3] |= v & 1 ? 1u << (v >> 27) : 0;
      expected[4] ^= v;
      expected[8 + (v & 7)]++;
   }
   expected[5] = expected[2];
   uint32_t *out = run_shader(&(struct run){SHADER(atomics_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = sizeof(expected), .workgroups = N / 100});
   for (uint32_t i = 0; i < 16; i++)
      CHECK_EQ(out[i], expected[i]);
   free(out);
}

/* std430 with rows, as in rows.comp. */
struct matrices {
   float a[4][4], b[3][2], gap[2], c[2][4];
};

TEST(rows)
{
   enum { N = 80, FITS = 75 };
   static struct matrices in[N];
   for (uint32_t i = 0; i < N * (sizeof(*in) / sizeof(float)); i++)
      ((float *)in)[i] = (float)i;
   struct matrices *out = run_shader(&(struct run){SHADER(rows_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = FITS * sizeof(*in), .workgroups = N / 40});
   for (uint32_t i = 0; i < N; i++) {
      const struct matrices *from = &in[i], *to = &out[i * 7 % N];
      if (i * 7 % N >= FITS)
         continue;
      for (uint32_t r = 0; r < 4; r++) {
         for (uint32_t c = 0; c < 4; c++)
            CHECK(to->a[r][c] == from->a[c][r]);
      }
      for (uint32_t r = 0; r < 3; r++)
         CHECK(to->b[r][0] == from->b[r][0] && to->b[r][1] == from->b[r][1] + (float)(r + 1));
      for (uint32_t c = 0; c < 8; c++)
         CHECK(to->c[c / 4][c % 4] == from->c[c / 4][c % 4] * 2);
      CHECK(to->gap[0] == 0 && to->gap[1] == 0);
   }
   free(out);
}

TEST(angles_of_all_lanes)
{
   enum { N = 64 };
   float in[1 + N] = {1e9f};
   for (uint32_t i = 0; i < N; i++)
      in[1 + i] = (float)(i + 1);
   float *out = run_shader(&(struct run){SHADER(angles_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = 2 * N * sizeof(float), .workgroups = 1});
   for (uint32_t i = 0; i < N; i++) {
      CHECK(out[2 * i] == 3 * in[1 + i]);
      CHECK(fabs(out[2 * i + 1] - sin(1e9)) < 1e-6);
   }
   free(out);
}

/* std140, as in memory.comp. */
struct table {
   struct {
      float v[3];
      int32_t k;
      float m[3][4]; /* columns */
   } items[4];
   float rows[3][4]; /* row-major mat2x3: three rows of two */
   float weights[5][4];
};

TEST(memory)
{
   enum { N = 40 * 24 };
   static uint32_t in[N];
   struct table table = {0};
   const int32_t push[6] = {100, 7, 3, -5, 11, 2};
   const struct {
      uint32_t size;
      int32_t scale;
      uint32_t wants_extra;
   } constants = {40, 6, 1};
   const VkSpecializationMapEntry entries[3] = {{0, 0, 4}, {1, 4, 4}, {2, 8, 4}};
   const VkSpecializationInfo specialization = {3, entries, sizeof(constants), &constants};

   for (uint32_t i = 0; i < N; i++)
      in[i] = random_word();
   for (int i = 0; i < 4; i++) {
      table.items[i].k = i * 1000;
      for (int c = 0; c < 3; c++) {
         table.items[i].v[c] = (float)(i + c + 1);
         for (int r = 0; r < 3; r++)
            table.items[i].m[c][r] = (float)(i * 9 + c * 3 + r);
      }
   }
   for (int r = 0; r < 3; r++) {
      table.rows[r][0] = (float)(r + 1);
      table.rows[r][1] = (float)(10 * r + 2);
   }
   for (int i = 0; i < 5; i++)
      table.weights[i][0] = (float)(i * 17);

   uint32_t *out = run_shader(&(struct run){SHADER(memory_comp), .in = in, .in_bytes = sizeof(in), .uniform = &table,
                                            .uniform_bytes = sizeof(table), .push = push, .push_bytes = sizeof(push),
                                            .out_bytes = sizeof(in), .workgroups = N / 40, .specialization = &specialization});
   for (uint32_t i = 0; i < N; i++) {
      const uint32_t n = in[i], item = n & 3;
      int32_t array[9];
      float t[3] = {0}, r[2] = {0};
      for (int k = 0; k < 9; k++)
         array[k] = k * k + push[2 + (k & 3)];
      array[n % 9] += push[0];
      for (int row = 0; row < 3; row++) {
         for (int c = 0; c < 3; c++)
            t[row] += table.items[item].m[c][row] * table.items[item].v[c];
         for (int c = 0; c < 2; c++)
            r[c] += table.rows[row][c] * table.items[item].v[row];
      }
      int32_t sum = (int32_t)t[0] + 3 * (int32_t)t[1] + 5 * (int32_t)t[2] + (int32_t)r[0] - (int32_t)r[1] + table.items[item].k;
      sum += (int32_t)table.weights[n % 5][0] + array[(n >> 8) % 9] * 6 + array[(n >> 4) % 9] + push[1];
      CHECK_EQ(out[i], (uint32_t)sum);
   }
   free(out);
}

/* Many workgroups of a call, one after the other in the same memory. */
TEST(shared_memory_starts_as_zeros)
{
   enum { N = 64 * 3000 };
   static const uint32_t in[N]; /* the complement is stored */
   uint32_t num_wrong = 0;
   uint32_t *out = run_shader(&(struct run){SHADER(zeroed_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = sizeof(in), .workgroups = N / 64});
   for (uint32_t i = 0; i < N; i++)
      num_wrong += out[i] != 0;
   CHECK_EQ(num_wrong, 0);
   free(out);
}

static uint32_t word_of(uint32_t i)
{
   return i * 2654435761u;
}

static uint32_t from_tables(uint32_t n, uint32_t shared_number)
{
   const float number = (float)(n % 5) * 0.75f - 2.0f;
   uint32_t sum, folded = 0;
   memcpy(&sum, &number, 4);
   const uint32_t own = n % 9, all = shared_number % 9;
   sum = sum * 5 + (own * 7 * 3 + all * 7) + ((own * 11 + 1) * 3 + all * 11 + 1) * 17 + ((own * 13 + 2) * 3 + all * 13 + 2) * 19;
   sum = sum * 5 + word_of(n % 300) + word_of(shared_number % 300);
   if (n & 64)
      sum = sum * 5 + ((n & 3) == ((n >> 2) & 3) ? n : 1 + ((n >> 2) & 3)) + word_of(n % 60);
   for (uint32_t i = 0; i < 4; i++)
      folded = folded * 3 + word_of(((n >> 8) + i * i) % 60);
   return sum * 5 + folded;
}

TEST(tables)
{
   enum { N = 40 * 24 };
   static uint32_t in[N];
   const uint32_t push[2] = {217, 0x3fffff00};
   for (uint32_t i = 0; i < N; i++)
      in[i] = random_word() & 0xffffff;
   uint32_t *out = run_shader(&(struct run){SHADER(tables_comp), .in = in, .in_bytes = sizeof(in), .push = push, .push_bytes = sizeof(push),
                                            .out_bytes = sizeof(in), .workgroups = N / 40});
   for (uint32_t i = 0; i < N; i++)
      CHECK_EQ(out[i], from_tables(in[i], push[0]));
   free(out);
}

/* The element at an offset in bytes, which has 32 bits: what is beyond the last one is held there. */
static uint32_t held(uint32_t offset_bytes, uint32_t element_bytes, uint32_t count)
{
   const uint32_t element = offset_bytes / element_bytes;
   return element < count ? element : count - 1;
}

static uint32_t word_at(uint32_t i, uint32_t count)
{
   return word_of(held(i * 4, 4, count));
}

static uint64_t long_at(uint32_t i)
{
   const uint32_t element = held(i * 8, 8, 10);
   return (uint64_t)word_of(element) << 32 | word_of(element + 1);
}

static uint32_t nested_at(uint32_t row, uint32_t column)
{
   return word_of(held(row * 20 + column * 4, 4, 15));
}

/* Smaller ones stand four bytes apart: the last element is followed by zeros, where what is beyond is held. */
static uint32_t small_at(const uint32_t *elements, uint32_t i, uint32_t count)
{
   return i * 4 / 4 < count ? elements[i * 4 / 4] : 0;
}

static void from_far_tables(uint32_t n, uint32_t far, uint32_t results[8])
{
   static const uint32_t shorts[5] = {1, 65535, 3, 32768, 77}, bytes[3] = {(uint32_t)-128, 5, (uint32_t)-1};
   memset(results, 0, 8 * sizeof(*results));
   results[0] = word_of(7 + held(n * 4, 4, 2)) ^ word_at(n, 17) * 3;
   results[1] = word_at(n, 300) + word_at(far, 300);
   results[2] = (uint32_t)long_at(n) + (uint32_t)(long_at(n) >> 32) * 3 + (uint32_t)(long_at(far) >> 32) * 5;
   results[3] = small_at(shorts, n, 5) + small_at(bytes, n, 3) * 3 + small_at(shorts, far, 5) * 5;
   results[4] = nested_at(n % 3, n) + nested_at(n, n % 5) * 3 + nested_at(far, far) * 5;
   if (n < 17)
      results[5] = word_at(n, 17) + (uint32_t)long_at(n) + word_at(n, 300);
   for (uint32_t round = 0; round < (n & 7); round++)
      results[6] = results[6] * 3 + word_at(n >> 1, 17) + word_at(far >> 1, 300) + (uint32_t)long_at(n ^ 0x80000000) + round;
   for (uint32_t round = n; round - n < 4; round++)
      results[7] = results[7] * 3 + word_at(round * 0x10000001, 300) + word_at(round - 3, 17);
}

TEST(far_tables)
{
   enum { N = 40 * 8 };
   static const uint32_t edges[] = {0x80000000, 0xffffffff, 0x7fffffff, 0x40000000, 0x3fffffff, 0x20000000, 0xfffffffd, 0x80000009, 0x10000000};
   static const uint32_t fars[] = {0, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
   static uint32_t in[N];
   for (uint32_t i = 0; i < N; i++)
      in[i] = i % 3 == 0 ? edges[i / 3 % (sizeof(edges) / sizeof(edges[0]))] : i % 3 == 1 ? random_word() >> (i & 31) : random_word() % 20;
   for (uint32_t f = 0; f < sizeof(fars) / sizeof(fars[0]); f++) {
      const uint32_t push[2] = {fars[f], 0};
      uint32_t *out = run_shader(&(struct run){SHADER(far_tables_comp), .in = in, .in_bytes = sizeof(in), .push = push, .push_bytes = sizeof(push),
                                               .out_bytes = sizeof(in) * 8, .workgroups = N / 40});
      for (uint32_t i = 0; i < N; i++) {
         uint32_t expected[8];
         from_far_tables(in[i], fars[f], expected);
         for (uint32_t r = 0; r < 8; r++) {
            if (out[i * 8 + r] != expected[r])
               fprintf(stderr, "result %u of %08x, all %08x:\n", r, in[i], fars[f]);
            CHECK_EQ(out[i * 8 + r], expected[r]);
         }
      }
      free(out);
   }
}

TEST(bounds)
{
   enum { N = 256 };
   static uint32_t in[N];
   memset(in, 0xff, sizeof(in));
   uint32_t *out = run_shader(&(struct run){SHADER(bounds_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = 128 * 4, .out_fill = 5, .workgroups = 16});
   for (uint32_t i = 0; i < 128; i++)
      CHECK_EQ(out[i], i < 64 ? N : 5);
   free(out);
}

/* ---- what the specification leaves undefined ---- */

struct edge {
   uint64_t a, b;
   double d;
};

/* Eight operations on numbers of `bits` bits; division by zero gives all ones and leaves the dividend as the remainder, shifts count modulo
 * the width. */
static void edges_of(uint64_t a, uint64_t b, uint32_t bits, uint64_t out[8])
{
   const uint64_t mask = UINT64_MAX >> (64 - bits);
   const uint32_t shift = (uint32_t)b & (bits - 1);
   const int64_t sa = (int64_t)(a << (64 - bits)) >> (64 - bits), sb = (int64_t)(b << (64 - bits)) >> (64 - bits);
   a &= mask;
   b &= mask;
   const int64_t rem = sb == 0 ? sa : sb == -1 ? 0 : sa % sb;
   const uint64_t negated = 0 - (uint64_t)sa;
   out[0] = sb == 0 ? UINT64_MAX : sb == -1 ? (uint64_t)((int64_t)(negated << (64 - bits)) >> (64 - bits)) : (uint64_t)(sa / sb);
   out[1] = b ? a / b : mask;
   out[2] = (uint64_t)(sb && rem && (rem < 0) != (sb < 0) ? rem + sb : rem);
   out[3] = (uint64_t)rem;
   out[4] = b ? a % b : a;
   out[5] = a << shift & mask;
   out[6] = (uint64_t)(sa >> shift);
   out[7] = a >> shift;
}

/* Conversions take the nearest number that the integer has; NaN becomes zero. */
static void edge_conversions(double x, uint64_t out[8])
{
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t bits = 8u << i;
      const double beyond = ldexp(1.0, (int)bits - 1);
      const uint64_t mask = UINT64_MAX >> (64 - bits);
      out[i * 2] = isnan(x) ? 0 : x >= beyond ? mask >> 1 : x <= -beyond ? (uint64_t)(-(int64_t)(mask >> 1) - 1) : (uint64_t)(int64_t)x;
      out[i * 2 + 1] = isnan(x) || x <= 0 ? 0 : x >= 2 * beyond ? mask : (uint64_t)x;
   }
}

/* Exact for numbers of the test that a half holds; the others are beyond all halves. */
static double edge_half(double x)
{
   return fabs(x) >= 65520 ? copysign(INFINITY, x) : x;
}

TEST(edges)
{
   static const uint64_t numbers[] = {0, 1, 2, 3, 7, 8, 16, 31, 32, 63, 64, 100, 0x7f, 0x80, 0x81, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff,
                                      0x80000000, 0xfffffffb, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000, 0xfffffffffffffffd,
                                      UINT64_MAX, 0x0123456789abcdef};
   static const double floats[] = {0, -0.0, 0.75, -0.75, 1.5, -1.5, 127.5, 128, -128.5, -129, 255.5, 256, 32752, 32768, -32768, -32800, 65504,
                                   70000, 2147483520.0, 2147483648.0, -2147483648.0, -2147484160.0, 4294967040.0, 4294967296.0, 9.2e18,
                                   9.3e18, -9.3e18, 1.8e19, 1.9e19, 1e300, -1e300, INFINITY, -INFINITY, NAN};
   enum { NUM = sizeof(numbers) / sizeof(numbers[0]), N = NUM * NUM };
   _Static_assert(N % 16 == 0, "whole workgroups");
   static struct edge in[N];
   for (uint32_t i = 0; i < N; i++)
      in[i] = (struct edge){numbers[i % NUM], numbers[i / NUM], floats[i % (sizeof(floats) / sizeof(floats[0]))]};
   uint64_t(*out)[56] = run_shader(&(struct run){SHADER(edges_comp), .in = in, .in_bytes = sizeof(in), .out_bytes = N * sizeof(*out),
                                                 .workgroups = N / 16});
   for (uint32_t i = 0; i < N; i++) {
      uint64_t expected[56];
      for (uint32_t k = 0; k < 4; k++)
         edges_of(in[i].a, in[i].b, 8u << k, expected + k * 8);
      edge_conversions(edge_half(in[i].d), expected + 32);
      edge_conversions((double)(float)in[i].d, expected + 40);
      edge_conversions(in[i].d, expected + 48);
      for (uint32_t k = 0; k < 56; k++) {
         CHECK_EQ(out[i][k], expected[k]);
         if (out[i][k] != expected[k])
            fprintf(stderr, "result %u of %llx, %llx, %g\n", k, (unsigned long long)in[i].a, (unsigned long long)in[i].b, in[i].d);
      }
   }
   free(out);
}

int main(int argc, char **argv)
{
   const VkPhysicalDeviceFeatures features = {
      .robustBufferAccess = VK_TRUE, .shaderInt16 = VK_TRUE, .shaderInt64 = VK_TRUE, .shaderFloat64 = VK_TRUE};
   VkPhysicalDeviceVulkan13Features zeroed = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES, .shaderZeroInitializeWorkgroupMemory = VK_TRUE};
   const VkPhysicalDeviceVulkan12Features small = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &zeroed, .shaderFloat16 = VK_TRUE, .shaderInt8 = VK_TRUE};
   client_init(&client, &(struct client_options){.features = &features, .next = &small, .api_version = VK_API_VERSION_1_3});
   const int status = test_run_all(argc, argv);
   client_finish(&client);
   return status;
}
