/* SPDX-License-Identifier: MIT
 * Variables of an invocation that stay in memory (cg_var.c). */
#include "tests/compiler/llvm/cg_run.h"

static void set_two_workgroups(struct cg_run *run)
{
   run->workgroups[0] = 2;
}

static void expect_vars(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++) {
      uint32_t a[8];
      for (uint32_t k = 0; k < 8; k++)
         a[k] = k * 10 + i;
      a[i & 7] = 7777;
      if (i & 1)
         a[(i >> 1) & 7] = 5555;
      b[0][i] = a[(i * 3) & 7];
   }
}

#define VARS(barrier)                                                                                                 \
   CG_HEAD(24, "var v0 32 \"a\"\n") "%20 = const 1x32 8\n%21 = const 1x32 1\n%22 = const 1x32 10\n%23 = const 1x32 7\n" \
      "loop @L30 %0 {\nbody(%31 1x32):\n%32 = ieq 1x1 %31, %20\nif %32 {\nbreak @L30\n} else {\nyield\n}\n" \
      "%33 = imul 1x32 %31, %22\n%34 = iadd 1x32 %33, %10\n%35 = imul 1x32 %31, %1\nstore_var v0 %35, %34 mask=1\n" \
      "continue @L30 %31\ncont(%36 1x32):\n%37 = iadd 1x32 %36, %21\nyield %37\n}\n" barrier "%40 = iand 1x32 %10, %23\n%41 = imul 1x32 %40, %1\n%42 = const 1x32 7777\nstore_var v0 %41, %42 mask=1\n" \
      "%43 = iand 1x32 %10, %21\n%44 = ine 1x1 %43, %0\nif %44 {\n%45 = ushr 1x32 %10, %21\n%46 = iand 1x32 %45, %23\n%47 = imul 1x32 %46, %1\n" \
      "%48 = const 1x32 5555\nstore_var v0 %47, %48 mask=1\nyield\n} else {\nyield\n}\n" barrier "%50 = const 1x32 3\n%51 = imul 1x32 %10, %50\n%52 = iand 1x32 %51, %23\n%53 = imul 1x32 %52, %1\n%54 = load_var 1x32 v0 %53\n" \
      CG_STORE(%11, %54) "yield\n}\n"

/* An array with offsets that differ between lanes, written in a loop and under a mask; with and without barriers around. */
TEST(variables_in_memory)
{
   CG_RUN(VARS(""), set_two_workgroups, expect_vars);
   CG_RUN(VARS("barrier exec=2 memory=2 semantics=264\n"), set_two_workgroups, expect_vars);
}

static void expect_parts(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 2 * 24; i++) {
      uint32_t a[8];
      for (uint32_t k = 0; k < 8; k++)
         a[k] = (k * 3000 + i) & 0xffff;
      if (i & 1) {
         a[5] = 5555;
         a[1] = (a[1] & 0xff) | 0xab00;
      }
      b[0][i] = a[(i * 3) & 7] ^ a[5] << 8 ^ a[1] >> 8 << 24;
   }
}

/* Halves and a byte of dwords, at offsets that all lanes share: in a loop, and under a mask; read back at such and at others. */
TEST(parts_of_variables)
{
   CG_RUN(CG_HEAD(24, "var v0 16 \"a\"\n") "%20 = const 1x32 8\n%21 = const 1x32 1\n%22 = const 1x32 3000\n%23 = const 1x32 7\n%24 = const 1x32 2\n"
          "loop @L30 %0 {\nbody(%31 1x32):\n%32 = ieq 1x1 %31, %20\nif %32 {\nbreak @L30\n} else {\nyield\n}\n"
          "%33 = imul 1x32 %31, %22\n%34 = iadd 1x32 %33, %10\n%35 = u2u 1x16 %34\n%36 = imul 1x32 %31, %24\nstore_var v0 %36, %35 mask=1\n"
          "continue @L30 %31\ncont(%37 1x32):\n%38 = iadd 1x32 %37, %21\nyield %38\n}\n"
          "%40 = iand 1x32 %10, %21\n%41 = ine 1x1 %40, %0\n%42 = const 1x32 10\n%43 = const 1x32 3\nif %41 {\n%44 = const 1x16 5555\n"
          "store_var v0 %42, %44 mask=1\n%45 = const 1x8 171\nstore_var v0 %43, %45 mask=1\nyield\n} else {\nyield\n}\n"
          "%50 = imul 1x32 %10, %43\n%51 = iand 1x32 %50, %23\n%52 = imul 1x32 %51, %24\n%53 = load_var 1x16 v0 %52\n%54 = u2u 1x32 %53\n"
          "%55 = load_var 1x16 v0 %42\n%56 = u2u 1x32 %55\n%57 = ishl 1x32 %56, %20\n%58 = load_var 1x8 v0 %43\n%59 = u2u 1x32 %58\n"
          "%60 = const 1x32 24\n%61 = ishl 1x32 %59, %60\n%62 = ixor 1x32 %54, %57\n%63 = ixor 1x32 %62, %61\n" CG_STORE(%11, %63) "yield\n}\n",
          set_two_workgroups, expect_parts);
}

TEST_MAIN
