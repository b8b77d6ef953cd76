/* SPDX-License-Identifier: MIT
 * Control flow, divergence and barriers as machine code. */
#include "tests/compiler/llvm/cg_run.h"

static void fill_inputs(struct cg_run *run)
{
   run->workgroups[0] = 3;
   for (uint32_t i = 0; i < CG_RUN_WORDS; i++)
      run->buffers[1][i] = (i * 2654435761u) >> 7;
}

/* ---- straight line ---- */

static void expect_add(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 40; i++)
      b[0][i] = b[1][i] * 3 + i;
}

TEST(straight_line)
{
   CG_RUN(CG_HEAD(40, "") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 3\n%22 = imul 1x32 %20, %21\n%23 = iadd 1x32 %22, %10\n"
          CG_STORE(%11, %23) "yield\n}\n", fill_inputs, expect_add);
}

/* ---- divergent if, results ---- */

static void expect_if(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 20; i++)
      b[0][i] = b[1][i] & 1 ? b[1][i] + 100 : b[1][i] & 2 ? 7 : i;
}

TEST(divergent_if)
{
   CG_RUN(CG_HEAD(20, "") CG_LOAD(%20, %4, %5, %11)
          "%21 = const 1x32 1\n%22 = iand 1x32 %20, %21\n%23 = ine 1x1 %22, %0\n"
          "%30 1x32 = if %23 {\n%24 = const 1x32 100\n%25 = iadd 1x32 %20, %24\nyield %25\n} else {\n"
          "%26 = const 1x32 2\n%27 = iand 1x32 %20, %26\n%28 = ine 1x1 %27, %0\n"
          "%31 1x32 = if %28 {\n%29 = const 1x32 7\nyield %29\n} else {\nyield %10\n}\n yield %31\n}\n"
          CG_STORE(%11, %30) "yield\n}\n", fill_inputs, expect_if);
}

/* ---- loops ---- */

static void expect_loop(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 24; i++) {
      uint32_t x = b[1][i], n = 0;
      while (x != 1 && n < 50) {
         n++;
         if (x & 1) {
            if ((x & 0xff) == 0x3d)
               break;
            x = x * 3 + 1;
            continue;
         }
         x >>= 1;
      }
      b[0][i] = n * 1000 + (x & 0xff);
   }
}

/* Breaks at two points, a continue, different numbers of rounds. */
TEST(divergent_loop)
{
   CG_RUN(CG_HEAD(24, "") CG_LOAD(%20, %4, %5, %11)
          "%21 = const 1x32 1\n%22 = const 1x32 50\n%23 = const 1x32 0xff\n%24 = const 1x32 0x3d\n%25 = const 1x32 3\n"
          "%40 1x32, %41 1x32 = loop @L30 %20, %0 {\nbody(%50 1x32, %51 1x32):\n"
          "%52 = ieq 1x1 %50, %21\n%53 = uge 1x1 %51, %22\n%54 = ior 1x1 %52, %53\n"
          "if %54 {\nbreak @L30 %50, %51\n} else {\nyield\n}\n"
          "%55 = iadd 1x32 %51, %21\n%56 = iand 1x32 %50, %21\n%57 = ine 1x1 %56, %0\n"
          "if %57 {\n%58 = iand 1x32 %50, %23\n%59 = ieq 1x1 %58, %24\n"
          "if %59 {\nbreak @L30 %50, %55\n} else {\nyield\n}\n"
          "%60 = imul 1x32 %50, %25\n%61 = iadd 1x32 %60, %21\ncontinue @L30 %61, %55\n} else {\nyield\n}\n"
          "%62 = ushr 1x32 %50, %21\ncontinue @L30 %62, %55\n"
          "cont(%70 1x32, %71 1x32):\nyield %70, %71\n}\n"
          "%80 = const 1x32 1000\n%81 = imul 1x32 %41, %80\n%82 = iand 1x32 %40, %23\n%83 = iadd 1x32 %81, %82\n"
          CG_STORE(%11, %83) "yield\n}\n", fill_inputs, expect_loop);
}

static void expect_nested(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 16; i++) {
      uint32_t sum = 0, limit = b[1][i] & 63;
      for (uint32_t y = 0; y < 10; y++) {
         for (uint32_t x = 0; x < 8; x++) {
            if (sum + x > limit)
               goto out;
            sum += x;
            if (sum & 8)
               goto next;
         }
         sum += 100;
      next:
         sum += 1;
      }
   out:
      b[0][i] = sum;
   }
}

/* A break and a continue of the outer loop from within the inner one. */
TEST(multi_level_jumps)
{
   CG_RUN(CG_HEAD(16, "") CG_LOAD(%20, %4, %5, %11)
          "%21 = const 1x32 63\n%22 = iand 1x32 %20, %21\n%23 = const 1x32 1\n%24 = const 1x32 10\n%25 = const 1x32 8\n%26 = const 1x32 100\n"
          "%30 1x32 = loop @L31 %0, %0 {\nbody(%32 1x32, %33 1x32):\n"          /* y, sum */
          "%34 = uge 1x1 %32, %24\nif %34 {\nbreak @L31 %33\n} else {\nyield\n}\n"
          "%40 1x32 = loop @L41 %0, %33 {\nbody(%42 1x32, %43 1x32):\n"         /* x, sum */
          "%44 = uge 1x1 %42, %25\nif %44 {\nbreak @L41 %43\n} else {\nyield\n}\n"
          "%45 = iadd 1x32 %43, %42\n%46 = ult 1x1 %22, %45\nif %46 {\nbreak @L31 %43\n} else {\nyield\n}\n"
          "%47 = iand 1x32 %45, %25\n%48 = ine 1x1 %47, %0\nif %48 {\ncontinue @L31 %32, %45\n} else {\nyield\n}\n"
          "continue @L41 %42, %45\ncont(%51 1x32, %49 1x32):\n%50 = iadd 1x32 %51, %23\nyield %50, %49\n}\n"
          "%60 = iadd 1x32 %40, %26\ncontinue @L31 %32, %60\n"
          "cont(%64 1x32, %61 1x32):\n%62 = iadd 1x32 %61, %23\n%63 = iadd 1x32 %64, %23\nyield %63, %62\n}\n"
          CG_STORE(%11, %30) "yield\n}\n", fill_inputs, expect_nested);
}

static void expect_return(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 32; i++) {
      if (i < 50)
         b[0][i] = (b[1][i] & 4 ? 11 : 12);
   }
}

/* An early return, and one behind it in one arm. */
TEST(returns)
{
   CG_RUN(CG_HEAD(32, "") "%20 = const 1x32 50\n%21 = uge 1x1 %10, %20\n"
          "block @B22 {\nif %21 {\nbreak @B22\n} else {\nyield\n}\n" CG_LOAD(%23, %4, %5, %11)
          "%24 = iand 1x32 %23, %1\n%25 = ine 1x1 %24, %0\n%26 = const 1x32 11\n%27 = const 1x32 12\n"
          "if %25 {\n" CG_STORE(%11, %26) "break @B22\n} else {\nyield\n}\n" CG_STORE(%11, %27)
          "yield\n}\nyield\n}\n", fill_inputs, expect_return);
}

/* ---- jumps out of many constructs ---- */

enum { DEPTH = 32, MAX_TURNS = 2, MAX_STEPS = 700 };

/* What lanes leave the loop at `depth` for: a break out of one around it, or its next turn, of that depth. */
struct leave {
   uint32_t depth;
   bool is_continue;
};

struct deep {
   uint32_t word, sum, steps;
};

static const uint32_t num_leaves = 4;

static struct leave leave_of(uint32_t depth, uint32_t index)
{
   const struct leave leaves[4] = {{depth / 2, true}, {depth ? depth - 1 : 0, false}, {depth / 3, false}, {depth, true}};
   return leaves[index];
}

/* Runs the loop at `depth`; false: it was left by *leave. */
static bool run_deep(struct deep *deep, uint32_t depth, struct leave *leave)
{
   for (uint32_t turn = 0;; turn++) {
      if (turn >= MAX_TURNS)
         return true;
      deep->sum = deep->sum * 5 + deep->word + depth;
      deep->steps++;
      bool has_left = deep->steps >= MAX_STEPS;
      *leave = (struct leave){0};
      for (uint32_t i = 0; i < num_leaves && !has_left; i++) {
         has_left = (deep->sum >> (20 - i) & 127) == 3;
         if (has_left)
            *leave = leave_of(depth, i);
      }
      if (!has_left && depth + 1 < DEPTH)
         has_left = !run_deep(deep, depth + 1, leave);
      if (has_left && leave->depth != depth)
         return false;
      if (has_left && !leave->is_continue)
         return true;
   }
}

static void expect_deep(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 24; i++) {
      struct deep deep = {.word = b[1][i]};
      struct leave leave;
      run_deep(&deep, 0, &leave);
      b[0][i] = deep.sum + deep.steps;
   }
}

/* Values of the loop at `depth`: n + 0 to n + 2 are turn, sum and steps, n + 3 and n + 4 what it gives, n + 5 and n + 6 sum and steps of this turn, from n + 10
 * on all others. */
static void write_deep(char *text, size_t size, uint32_t depth)
{
   static size_t used;
   const uint32_t n = 1000 + depth * 100, outer = n - 100;
   if (!depth)
      used = strlen(text);
#define ADD(...) used += (size_t)snprintf(text + used, size - used, __VA_ARGS__)
   ADD("%%%u 1x32, %%%u 1x32 = loop @L%u %%0, ", n + 3, n + 4, n);
   if (depth)
      ADD("%%%u, %%%u", outer + 5, outer + 6);
   else
      ADD("%%0, %%0");
   ADD(" {\nbody(%%%u 1x32, %%%u 1x32, %%%u 1x32):\n%%%u = uge 1x1 %%%u, %%61\nif %%%u {\nbreak @L%u %%%u, %%%u\n} else {\nyield\n}\n", n, n + 1, n + 2, n + 10, n,
       n + 10, n, n + 1, n + 2);
   ADD("%%%u = imul 1x32 %%%u, %%62\n%%%u = const 1x32 %u\n%%%u = iadd 1x32 %%%u, %%20\n%%%u = iadd 1x32 %%%u, %%%u\n%%%u = iadd 1x32 %%%u, %%63\n", n + 11, n + 1, n + 12,
       depth, n + 13, n + 11, n + 5, n + 13, n + 12, n + 6, n + 2);
   ADD("%%%u = uge 1x1 %%%u, %%64\nif %%%u {\nbreak @L1000 %%%u, %%%u\n} else {\nyield\n}\n", n + 14, n + 6, n + 14, n + 5, n + 6);
   for (uint32_t i = 0; i < num_leaves; i++) {
      const struct leave leave = leave_of(depth, i);
      const uint32_t at = n + 20 + i * 5, target = 1000 + leave.depth * 100;
      ADD("%%%u = const 1x32 %u\n%%%u = ushr 1x32 %%%u, %%%u\n%%%u = iand 1x32 %%%u, %%65\n%%%u = ieq 1x1 %%%u, %%66\nif %%%u {\n", at, 20 - i, at + 1, n + 5, at, at + 2,
          at + 1, at + 3, at + 2, at + 3);
      if (leave.is_continue)
         ADD("continue @L%u %%%u, %%%u, %%%u\n} else {\nyield\n}\n", target, target, n + 5, n + 6);
      else
         ADD("break @L%u %%%u, %%%u\n} else {\nyield\n}\n", target, n + 5, n + 6);
   }
   if (depth + 1 < DEPTH)
      write_deep(text, size, depth + 1);
   const uint32_t last = depth + 1 < DEPTH ? n + 103 : n + 5;
   ADD("continue @L%u %%%u, %%%u, %%%u\ncont(%%%u 1x32, %%%u 1x32, %%%u 1x32):\n%%%u = iadd 1x32 %%%u, %%63\nyield %%%u, %%%u, %%%u\n}\n", n, n, last, last + 1, n + 50,
       n + 51, n + 52, n + 53, n + 50, n + 53, n + 51, n + 52);
#undef ADD
}

/* So many constructs are left that lanes have numbers instead of masks. */
TEST(jumps_out_of_many_loops)
{
   static char text[1 << 16] = CG_HEAD(24, "") CG_LOAD(%20, %4, %5, %11)
                               "%61 = const 1x32 2\n%62 = const 1x32 5\n%63 = const 1x32 1\n%64 = const 1x32 700\n%65 = const 1x32 127\n%66 = const 1x32 3\n";
   write_deep(text, sizeof(text), 0);
   const size_t used = strlen(text);
   snprintf(text + used, sizeof(text) - used, "%%70 = iadd 1x32 %%1003, %%1004\n%syield\n}\n", CG_STORE(%11, %70));
   CG_RUN(text, fill_inputs, expect_deep);
}

/* ---- barriers ---- */

static void expect_reverse(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 3; g++) {
      for (uint32_t i = 0; i < 100; i++)
         b[0][g * 100 + i] = b[1][g * 100 + 99 - i] + i;
   }
}

TEST(barrier)
{
   CG_RUN(CG_HEAD(100, "shared 400\n") CG_LOAD(%20, %4, %5, %11)
          "%21 = imul 1x32 %91, %1\nstore_shared %21, %20 access=0 align=4 mask=1\n"
          "barrier exec=2 memory=2 semantics=264\n"
          "%22 = const 1x32 396\n%23 = isub 1x32 %22, %21\n%24 = load_shared 1x32 %23 access=0 align=4\n"
          "%25 = iadd 1x32 %24, %91\n" CG_STORE(%11, %25) "yield\n}\n", fill_inputs, expect_reverse);
}

static void expect_tree(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 3; g++) {
      uint32_t sum = 0;
      for (uint32_t i = 0; i < 64; i++)
         sum += b[1][g * 64 + i];
      b[0][g] = sum;
   }
}

/* The usual reduction: a uniform loop with a barrier in it and a divergent if. */
TEST(barrier_in_loop)
{
   CG_RUN(CG_HEAD(64, "shared 256\n") CG_LOAD(%20, %4, %5, %11)
          "%21 = imul 1x32 %91, %1\nstore_shared %21, %20 access=0 align=4 mask=1\n"
          "barrier exec=2 memory=2 semantics=264\n%22 = const 1x32 32\n%23 = const 1x32 1\n"
          "loop @L30 %22 {\nbody(%31 1x32):\n%32 = ieq 1x1 %31, %0\nif %32 {\nbreak @L30\n} else {\nyield\n}\n"
          "%33 = ult 1x1 %91, %31\nif %33 {\n%34 = iadd 1x32 %91, %31\n%35 = imul 1x32 %34, %1\n"
          "%36 = load_shared 1x32 %35 access=0 align=4\n%37 = load_shared 1x32 %21 access=0 align=4\n"
          "%38 = iadd 1x32 %36, %37\nstore_shared %21, %38 access=0 align=4 mask=1\nyield\n} else {\nyield\n}\n"
          "barrier exec=2 memory=2 semantics=264\ncontinue @L30 %31\ncont(%43 1x32):\n%39 = ushr 1x32 %43, %23\nyield %39\n}\n"
          "%40 = ieq 1x1 %91, %0\nif %40 {\n%41 = load_shared 1x32 %0 access=0 align=4\n%42 = imul 1x32 %7, %1\n"
          CG_STORE(%42, %41) "yield\n} else {\nyield\n}\nyield\n}\n", fill_inputs, expect_tree);
}

static void expect_irregular(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 3; g++) {
      for (uint32_t i = 0; i < 48; i++) {
         const uint32_t rounds = b[1][g * 48 + i] & 7;
         b[0][g * 48 + i] = i >= 45 ? 0 : rounds * (rounds - 1) / 2 + 1000 * rounds;
      }
   }
}

/* Lanes that return before barriers and that go round different times over one: "any lane" decides. */
TEST(irregular_barrier)
{
   CG_RUN(CG_HEAD(48, "shared 16\n") "%20 = const 1x32 45\n%21 = uge 1x1 %91, %20\n%22 = const 1x32 1\n%23 = const 1x32 7\n%24 = const 1x32 1000\n"
          "block @B25 {\nif %21 {\nbreak @B25\n} else {\nyield\n}\n" CG_LOAD(%26, %4, %5, %11) "%27 = iand 1x32 %26, %23\n"
          "%30 1x32, %36 1x32 = loop @L31 %0, %0 {\nbody(%32 1x32, %33 1x32):\n%34 = uge 1x1 %32, %27\n"
          "if %34 {\nbreak @L31 %33, %32\n} else {\nyield\n}\nbarrier exec=2 memory=2 semantics=264\n"
          "%35 = iadd 1x32 %33, %32\ncontinue @L31 %32, %35\ncont(%39 1x32, %37 1x32):\n%38 = iadd 1x32 %39, %22\nyield %38, %37\n}\n"
          "barrier exec=2 memory=2 semantics=264\n%40 = imul 1x32 %36, %24\n%41 = iadd 1x32 %40, %30\n"
          CG_STORE(%11, %41) "yield\n}\nyield\n}\n", fill_inputs, expect_irregular);
}

static void expect_barrier_if(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t g = 0; g < 3; g++) {
      for (uint32_t i = 0; i < 40; i++)
         b[0][g * 40 + i] = b[1][g * 40 + i] & 1 ? b[1][g * 40 + i] + 5 : i;
   }
}

/* A barrier within a divergent if, with a value that crosses it and a result. */
TEST(barrier_in_divergent_if)
{
   CG_RUN(CG_HEAD(40, "") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 1\n%22 = iand 1x32 %20, %21\n%23 = ine 1x1 %22, %0\n%24 = const 1x32 5\n"
          "%30 1x32 = if %23 {\n%25 = iadd 1x32 %20, %24\nbarrier exec=2 memory=2 semantics=264\nyield %25\n} else {\nyield %91\n}\n"
          CG_STORE(%11, %30) "yield\n}\n", fill_inputs, expect_barrier_if);
}

static void expect_results_cross(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 40; i++) {
      const uint32_t rounds = b[1][i] & 15;
      b[0][i] = rounds * 3 + 12 + (rounds > 4 ? 500 : 0);
   }
}

/* Results of loops and ifs within a segment are read behind the barrier: varying, uniform, and of one bit. */
TEST(results_cross_barriers)
{
   CG_RUN(CG_HEAD(40, "") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 15\n%22 = iand 1x32 %20, %21\n%23 = const 1x32 3\n%24 = const 1x32 1\n"
          "%30 1x32 = loop @L31 %0, %0 {\nbody(%32 1x32, %33 1x32):\n%34 = uge 1x1 %32, %22\n"
          "if %34 {\nbreak @L31 %33\n} else {\nyield\n}\n%35 = iadd 1x32 %33, %23\ncontinue @L31 %32, %35\n"
          "cont(%36 1x32, %37 1x32):\n%38 = iadd 1x32 %36, %24\nyield %38, %37\n}\n"
          "%40 1x32 = loop @L41 %0 {\nbody(%42 1x32):\n%43 = uge 1x1 %42, %1\n"
          "if %43 {\nbreak @L41 %42\n} else {\nyield\n}\ncontinue @L41 %42\ncont(%44 1x32):\n%45 = iadd 1x32 %44, %24\nyield %45\n}\n"
          "%46 = ult 1x1 %1, %22\n%50 1x1 = if %46 {\nyield %46\n} else {\n%51 = const 1x1 0\nyield %51\n}\n"
          "barrier exec=2 memory=2 semantics=264\n%52 = imul 1x32 %40, %23\n%53 = iadd 1x32 %30, %52\n"
          "%54 = const 1x32 500\n%55 = select 1x32 %50, %54, %0\n%56 = iadd 1x32 %53, %55\n" CG_STORE(%11, %56) "yield\n}\n",
          fill_inputs, expect_results_cross);
}

static void expect_small_cross(const struct cg_run *run, uint32_t (*b)[CG_RUN_WORDS + 64])
{
   for (uint32_t i = 0; i < 3 * 40; i++) {
      const uint32_t x = b[1][i];
      b[0][i] = (uint32_t)(int8_t)x + (uint32_t)(int8_t)(x >> 8) * 3 + (uint32_t)(int16_t)(x >> 16);
   }
}

/* Vectors of bytes are smaller than a register: their slots in the frame are aligned to less. */
TEST(small_types_cross_barriers)
{
   CG_RUN(CG_HEAD(40, "") CG_LOAD(%20, %4, %5, %11) "%21 = const 1x32 8\n%22 = const 1x32 16\n%23 = const 1x32 3\n"
          "%24 = u2u 1x8 %20\n%25 = ushr 1x32 %20, %21\n%26 = u2u 1x8 %25\n%27 = ushr 1x32 %20, %22\n%28 = u2u 1x16 %27\n"
          "barrier exec=2 memory=2 semantics=264\n"
          "%30 = i2i 1x32 %24\n%31 = i2i 1x32 %26\n%32 = i2i 1x32 %28\n%33 = imul 1x32 %31, %23\n%34 = iadd 1x32 %30, %33\n%35 = iadd 1x32 %34, %32\n"
          CG_STORE(%11, %35) "yield\n}\n", fill_inputs, expect_small_cross);
}

TEST_MAIN
