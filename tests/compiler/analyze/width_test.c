/* SPDX-License-Identifier: MIT
 * Which shaders get vectors of two registers: those that compute a lot, keep few values, and cannot observe it. */
#include "tests/compiler/ir/ir_test.h"

#include <stdlib.h>

/* A shader of registers of so many lanes with this head and body; the lanes that it gets of twice as many. */
static uint32_t lanes_of_registers(uint32_t of_register, const char *head, const char *body)
{
   struct util_arena arena;
   static char text[1 << 20];
   uint32_t lanes = 0;
   util_arena_init(&arena, 0);
   snprintf(text, sizeof(text), "shader %s\nsubgroup_size 32\n{\n   %%0 = const 1x32 0\n   %%1 = const 1x32 1\n   %%2 = const 1x32 40\n%s   yield\n}\n", head, body);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   if (shader) {
      ir_shader_renumber(shader);
      ir_choose_lanes(shader, of_register);
      ir_analyze_divergence(shader);
      ir_analyze_ranges(shader);
      const bool has_changed = ir_double_lanes(shader, 2 * of_register);
      lanes = shader->info.lanes;
      CHECK_EQ(has_changed, lanes == 2 * of_register);
      CHECK(!ir_double_lanes(shader, 2 * of_register));
   }
   util_arena_finish(&arena);
   return lanes;
}

static uint32_t lanes_of(const char *head, const char *body)
{
   return lanes_of_registers(16, head, body);
}

#define COMPUTE "compute\nlocal_size 64 1 1"
#define BUFFER "   %4 = buffer_addr 1x64 %0 set=0 binding=0\n   %5 = buffer_size 1x32 %0 set=0 binding=0\n"
#define INDEX "   %10 = sysval 1x32 sysval=local_index\n   %11 = u2f 1x32 %10\n"
/* 40 rounds of `inside`, which makes %30 of %20. */
#define LOOP(inside) \
   "   %40 1x32 = loop @L9 %0, %11 {\n   body(%13 1x32, %20 1x32):\n      %14 = ilt 1x1 %13, %2\n      if %14 {\n         yield\n      } else {\n" \
   "         break @L9 %20\n      }\n" inside "      %15 = iadd 1x32 %13, %1\n      continue @L9 %15, %30\n" \
   "   cont(%16 1x32, %17 1x32):\n      yield %16, %17\n   }\n"
#define POLYNOMIAL "      %21 = fma 1x32 %20, %20, %11\n      %22 = fma 1x32 %21, %20, %11\n      %30 = fma 1x32 %22, %20, %11\n"
#define LONG_POLYNOMIAL \
   "      %21 = fma 1x32 %20, %20, %11\n      %22 = fma 1x32 %21, %20, %11\n      %23 = fma 1x32 %22, %20, %11\n      %24 = fma 1x32 %23, %20, %11\n" \
   "      %25 = fma 1x32 %24, %20, %11\n      %26 = fma 1x32 %25, %20, %11\n      %30 = fma 1x32 %26, %20, %11\n"
#define STORE "   store_buffer %4, %5, %10, %40 access=0 align=4 mask=1\n"

#define FRAGMENT "   %10 = sysval 4x32 sysval=frag_coord\n   %11 = extract 1x32 %10 index=0\n"
#define OUTPUT "   store_output %40 slot=0\n"

TEST(arithmetic)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER INDEX LOOP(POLYNOMIAL) STORE), 32);
   CHECK_EQ(lanes_of("fragment", FRAGMENT LOOP(LONG_POLYNOMIAL) OUTPUT), 32);
}

/* Of a pair of blocks one is often empty. */
TEST(light_fragments)
{
   CHECK_EQ(lanes_of("fragment", FRAGMENT LOOP(POLYNOMIAL) OUTPUT), 16);
}

/* A vector would be longer than the workgroup, or has lanes that are none; or the stage has rows of 16. */
TEST(short_vectors)
{
   CHECK_EQ(lanes_of("compute\nlocal_size 16 1 1", BUFFER INDEX LOOP(POLYNOMIAL) STORE), 16);
   CHECK_EQ(lanes_of("compute\nlocal_size 16 3 1", BUFFER INDEX LOOP(POLYNOMIAL) STORE), 16);
   CHECK_EQ(lanes_of("compute\nlocal_size 16 4 1", BUFFER INDEX LOOP(POLYNOMIAL) STORE), 32);
   CHECK_EQ(lanes_of("vertex", "   %10 = load_input 1x32 slot=0\n   %11 = u2f 1x32 %10\n" LOOP(LONG_POLYNOMIAL) OUTPUT), 16);
}

TEST(little_work)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER INDEX "   %20 = fadd 1x32 %11, %11\n   %40 = fmul 1x32 %20, %11\n" STORE), 16);
}

/* The same work, of the workgroup. */
TEST(uniform_work)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER "   %6 = sysval 3x32 sysval=workgroup_id\n   %10 = extract 1x32 %6 index=0\n   %11 = u2f 1x32 %10\n" LOOP(POLYNOMIAL) STORE), 16);
}

TEST(memory)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER INDEX LOOP("      %21 = load_buffer 1x32 %4, %5, %20 access=0 align=4\n      %22 = fadd 1x32 %21, %20\n"
                                              "      %30 = fmul 1x32 %22, %20\n") STORE), 16);
}

TEST(barriers)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER INDEX LOOP(POLYNOMIAL) "   barrier exec=2 memory=2 semantics=264\n" STORE), 16);
}

/* Who can observe it is given what a subgroup is. */
TEST(subgroups)
{
   CHECK_EQ(lanes_of(COMPUTE, BUFFER INDEX "   %6 = sysval 1x32 sysval=subgroup_lane\n" LOOP(POLYNOMIAL) STORE), 16);
}

/* 30 values that live through the loop, and are stored behind it. */
TEST(many_values)
{
   char body[8192];
   size_t n = (size_t)snprintf(body, sizeof(body), "%s", BUFFER INDEX);
   for (uint32_t i = 0; i < 30; i++)
      n += (size_t)snprintf(body + n, sizeof(body) - n, "   %%%u = fmul 1x32 %%11, %%%u\n", 100 + i, i ? 99 + i : 11);
   n += (size_t)snprintf(body + n, sizeof(body) - n, "%s", LOOP(POLYNOMIAL));
   for (uint32_t i = 0; i < 30; i++)
      n += (size_t)snprintf(body + n, sizeof(body) - n, "   store_buffer %%4, %%5, %%10, %%%u access=0 align=4 mask=1\n", 100 + i);
   snprintf(body + n, sizeof(body) - n, "%s", STORE);
   CHECK_EQ(lanes_of(COMPUTE, body), 16);
}

/* 24 values that live through the loop, which does not read them: they may be anywhere meanwhile. */
TEST(values_around_a_loop)
{
   char body[8192];
   size_t n = (size_t)snprintf(body, sizeof(body), "%s", BUFFER INDEX);
   for (uint32_t i = 0; i < 24; i++)
      n += (size_t)snprintf(body + n, sizeof(body) - n, "   %%%u = fmul 1x32 %%11, %%%u\n", 100 + i, i ? 99 + i : 11);
   n += (size_t)snprintf(body + n, sizeof(body) - n, "%s", LOOP(LONG_POLYNOMIAL));
   for (uint32_t i = 0; i < 24; i++)
      n += (size_t)snprintf(body + n, sizeof(body) - n, "   %%%u = fadd 1x32 %%%u, %%%u\n", 200 + i, i ? 199 + i : 40, 100 + i);
   snprintf(body + n, sizeof(body) - n, "   store_buffer %%4, %%5, %%10, %%223 access=0 align=4 mask=1\n");
   CHECK_EQ(lanes_of(COMPUTE, body), 32);
}

/* `count` values that each round reads: they live until the loop ends. op: what joins them. */
static uint32_t lanes_of_sum(uint32_t of_register, const char *op, uint32_t count)
{
   char body[16384], sum[8192];
   size_t n = (size_t)snprintf(body, sizeof(body), "%s", BUFFER INDEX), m = 0;
   for (uint32_t i = 0; i < count; i++) {
      n += (size_t)snprintf(body + n, sizeof(body) - n, "   %%%u = fmul 1x32 %%11, %%%u\n", 100 + i, i ? 99 + i : 11);
      m += (size_t)snprintf(sum + m, sizeof(sum) - m, "      %%%u = %s 1x32 %%%u, %%%u\n", i + 1 < count ? 200 + i : 30, op, i ? 199 + i : 20, 100 + i);
   }
   const char *loop = LOOP("@");
   const size_t before = (size_t)(strchr(strstr(loop, "}\n") + 2, '@') - loop);
   snprintf(body + n, sizeof(body) - n, "%.*s%s%s%s", (int)before, loop, sum, loop + before + 1, STORE);
   return lanes_of_registers(of_register, COMPUTE, body);
}

TEST(values_of_each_round)
{
   CHECK_EQ(lanes_of_sum(16, "fadd", 8), 32);
   CHECK_EQ(lanes_of_sum(16, "fadd", 30), 16);
   CHECK_EQ(lanes_of_sum(8, "fadd", 60), 16);
   CHECK_EQ(lanes_of_sum(8, "fadd", 100), 8);
}

#define SAMPLE \
   "   %4 = const 1x64 0\n   %5 = vec 2x32 %11, %11\n   %6 = tex 4x32 %4, %4, %5, %11 op=OP dim=1 flags=4\n   %7 = extract 1x32 %6 index=0\n" \
   "   %8 = vec 2x32 %7, %11\n   %9 = tex 4x32 %4, %4, %8, %11 op=OP dim=1 flags=4\n   %40 = extract 1x32 %9 index=0\n"

static uint32_t lanes_of_samples(uint32_t of_register, char op)
{
   char body[2048];
   snprintf(body, sizeof(body), "%s%s%s", FRAGMENT, SAMPLE, OUTPUT);
   for (char *at = strstr(body, "OP"); at; at = strstr(at, "OP"))
      memcpy(at, (const char[]){op, ' '}, 2);
   return lanes_of_registers(of_register, "fragment", body);
}

static uint32_t lanes_of_more_samples(uint32_t count)
{
   enum { LINE = 100 };
   const size_t size = LINE * ((size_t)count + 20);
   char *body = malloc(size);
   size_t n = (size_t)snprintf(body, size, "%s   %%4 = const 1x64 0\n   %%5 = vec 2x32 %%11, %%11\n   %%40 = const 1x32 0\n", FRAGMENT);
   for (uint32_t i = 0; i < count; i++)
      n += (size_t)snprintf(body + n, size - n, "   %%%u = tex 4x32 %%4, %%4, %%5, %%11 op=0 dim=1 flags=4\n", 100 + i);
   snprintf(body + n, size - n, "%s", OUTPUT);
   const uint32_t lanes = lanes_of_registers(8, "fragment", body);
   free(body);
   return lanes;
}

/* Calls are as many for two registers as for one, and what one fetches, the other need not wait for. Not where that is too much code. */
TEST(samples)
{
   CHECK_EQ(lanes_of_samples(8, '0'), 16);
   CHECK_EQ(lanes_of_samples(8, '1'), 16);
   CHECK_EQ(lanes_of_samples(16, '0'), 16);
   CHECK_EQ(lanes_of_more_samples(4000), 16);
   CHECK_EQ(lanes_of_more_samples(9000), 8);
}

/* Half as many registers hold half as many values. */
TEST(values_of_half_registers)
{
   CHECK_EQ(lanes_of_registers(8, "fragment", FRAGMENT LOOP(LONG_POLYNOMIAL) OUTPUT), 16);
   CHECK_EQ(lanes_of_registers(8, COMPUTE, BUFFER INDEX LOOP(POLYNOMIAL) STORE), 16);
}

/* Nothing waits for a result of one cycle: what must be stored and loaded for the second register is the more. */
TEST(swift_work)
{
   CHECK_EQ(lanes_of_sum(8, "ixor", 8), 16);
   CHECK_EQ(lanes_of_sum(8, "ixor", 30), 8);
   CHECK_EQ(lanes_of_sum(8, "fadd", 30), 16);
}

#define HALVED "compute\nlocal_size 32 1 1"
#define SUM_OF_LOADS \
   "      %21 = load_buffer 1x32 %4, %5, %20 access=0 align=4\n      %22 = fadd 1x32 %21, %20\n" \
   "      %23 = load_buffer 1x32 %4, %5, %22 access=0 align=4\n      %30 = fmul 1x32 %22, %23\n"
#define BARRIER "   barrier exec=2 memory=2 semantics=264\n"

/* Of registers of eight lanes short kernels take two, whatever else they do; but for atomics, which go lane by lane. */
TEST(kernels_of_half_registers)
{
   CHECK_EQ(lanes_of_registers(8, HALVED, BUFFER INDEX LOOP(SUM_OF_LOADS) STORE), 16);
   CHECK_EQ(lanes_of_registers(8, HALVED, BUFFER INDEX LOOP(POLYNOMIAL) BARRIER STORE), 16);
   CHECK_EQ(lanes_of_registers(8, HALVED, BUFFER INDEX "   %40 = fmul 1x32 %11, %11\n" STORE), 16);
   CHECK_EQ(lanes_of_registers(8, HALVED, BUFFER INDEX "   %40 = fmul 1x32 %11, %11\n   %41 = atomic_shared 1x32 %0, %40 atomic=1 access=0\n" STORE), 8);
   CHECK_EQ(lanes_of_registers(8, HALVED, BUFFER INDEX "   %40 = ixor 1x32 %10, %10\n" STORE), 8);
}

TEST_MAIN
