/* SPDX-License-Identifier: MIT
 * What the divergence analysis finds, as the printer's comments show it. */
#include "tests/compiler/ir/ir_test.h"

#define EXPECT(text) IR_ANALYSIS(ir_analyze_divergence, text)

TEST(strides)
{
   EXPECT("shader compute\nlocal_size 64 2 1\nlanes 8\n{\n"
          "   %0 = sysval 3x32 sysval=local_id ; varying\n"
          "   %1 = extract 1x32 %0 index=0 ; strided 1\n"
          "   %2 = extract 1x32 %0 index=1 ; subgroup\n"
          "   %3 = extract 1x32 %0 index=2\n"
          "   %4 = const 1x32 12\n"
          "   %5 = imul 1x32 %1, %4 ; strided 12\n"
          "   %6 = isub 1x32 %2, %5 ; strided -12\n"
          "   %7 = iadd 1x32 %6, %5 ; subgroup\n"
          "   %8 = const 1x32 2\n"
          "   %9 = ishl 1x32 %6, %8 ; strided -48\n"
          "   %10 = imul 1x32 %5, %2 ; varying\n"
          "   %11 = iand 1x32 %5, %4 ; varying\n"
          "   %12 = fadd 1x32 %3, %4\n"
          "   %13 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   yield\n}\n");
}

/* Rows that are no multiple of the vector's length: a single row is strided, others are in runs. */
TEST(local_sizes_and_runs)
{
   EXPECT("shader compute\nlocal_size 4 4 1\nlanes 8\n{\n"
          "   %0 = sysval 3x32 sysval=local_id ; varying\n"
          "   %1 = extract 1x32 %0 index=0 ; runs of 4 strided 1\n"
          "   %2 = extract 1x32 %0 index=1 ; runs of 4 strided 0\n"
          "   %3 = extract 1x32 %0 index=2\n"
          "   %4 = const 1x32 12\n"
          "   %5 = imul 1x32 %1, %4 ; runs of 4 strided 12\n"
          "   %6 = imul 1x32 %2, %2 ; runs of 4 strided 0\n"
          "   %7 = iadd 1x32 %5, %6 ; runs of 4 strided 12\n"
          "   %8 = imul 1x32 %7, %2 ; varying\n"
          "   %9 = ult 1x1 %2, %4 ; runs of 4 strided 0\n"
          "   yield\n}\n");
   EXPECT("shader compute\nlocal_size 6 4 1\nlanes 8\n{\n"
          "   %0 = sysval 3x32 sysval=local_id ; varying\n"
          "   %1 = extract 1x32 %0 index=0 ; varying\n"
          "   yield\n}\n");
   EXPECT("shader compute\nlocal_size 20 1 1\nlanes 8\n{\n"
          "   %0 = sysval 3x32 sysval=local_id ; varying\n"
          "   %1 = extract 1x32 %0 index=0 ; strided 1\n"
          "   yield\n}\n");
}

/* Parts of a number that counts from a multiple of the vector's length on. */
TEST(parts_of_lanes)
{
   EXPECT("shader compute\nlocal_size 64 1 1\nlanes 16\n{\n"
          "   %0 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %1 = const 1x32 7\n"
          "   %2 = const 1x32 3\n"
          "   %3 = iand 1x32 %0, %1 ; runs of 8 strided 1\n"
          "   %4 = ushr 1x32 %0, %2 ; runs of 8 strided 0\n"
          "   %5 = const 1x32 15\n"
          "   %6 = iand 1x32 %0, %5 ; strided 1\n"
          "   %7 = const 1x32 5\n"
          "   %8 = ushr 1x32 %0, %7 ; subgroup\n"
          "   %9 = iadd 1x32 %0, %1 ; strided 1\n"
          "   %10 = iand 1x32 %9, %5 ; varying\n"
          "   %11 = iand 1x32 %0, %2 ; runs of 4 strided 1\n"
          "   %12 = load_shared 1x32 %4 access=0 align=4 ; varying\n"
          "   yield\n}\n");
}

/* Memory that may be written is read once a subgroup; memory that nobody writes, and push constants, are one for all.
 * */
TEST(loads)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = buffer_addr 1x64 %0 set=0 binding=0\n"
          "   %2 = buffer_size 1x32 %0 set=0 binding=0\n"
          "   %3 = load_buffer 1x32 %1, %2, %0 access=0 align=4 ; subgroup\n"
          "   %4 = load_buffer 1x32 %1, %2, %0 access=4 align=4\n"
          "   %5 = load_push 1x32 %0 align=4\n"
          "   %6 = load_buffer 1x32 %1, %2, %3 access=4 align=4 ; subgroup\n"
          "   %7 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %8 = load_buffer 1x32 %1, %2, %7 access=4 align=4 ; varying\n"
          "   %9 = read_first 1x32 %8 ; subgroup\n"
          "   %10 = reduce 1x32 %8 atomic=iadd scan=0 cluster=0 ; subgroup\n"
          "   %11 = reduce 1x32 %8 atomic=iadd scan=1 cluster=0 ; varying\n"
          "   %12 = atomic_shared 1x32 %0, %0 atomic=iadd access=0 ; varying\n"
          "   yield\n}\n");
}

TEST(ifs)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %2 = sysval 1x32 sysval=subgroup_id ; subgroup\n"
          "   %3 = ieq 1x1 %1, %0 ; varying\n"
          "   %4 = ieq 1x1 %2, %0 ; subgroup\n"
          "   %8 1x32 = if %3 { ; divergent ; varying\n"
          "      yield %0\n"
          "   } else {\n"
          "      yield %2\n"
          "   }\n"
          "   %12 1x32, %13 1x32 = if %4 { ; strided 1\n"
          "      yield %0, %1\n"
          "   } else {\n"
          "      yield %0, %1\n"
          "   }\n"
          "   yield\n}\n");
}

/* A strided counter runs on while lanes leave at different times; what they take along varies. */
TEST(divergent_loop)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 64\n"
          "   %1 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %14 1x32, %15 1x32 = loop @L2 %1, %0 { ; divergent ; varying ; varying\n"
          "   body(%3 1x32, %4 1x32): ; strided 1 ; subgroup\n"
          "      %5 = ult 1x1 %3, %0 ; varying\n"
          "      if %5 { ; divergent\n"
          "         yield\n"
          "      } else {\n"
          "         break @L2 %3, %4\n"
          "      }\n"
          "      continue @L2 %3, %4\n"
          "   cont(%10 1x32, %11 1x32): ; strided 1 ; subgroup\n"
          "      %12 = iadd 1x32 %10, %0 ; strided 1\n"
          "      yield %12, %11\n"
          "   }\n"
          "   yield\n}\n");
}

/* Through a uniform loop with a barrier everything stays uniform. */
TEST(uniform_loop_with_barrier)
{
   EXPECT("shader compute\nlocal_size 64 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 64\n"
          "   %11 1x32 = loop @L1 %0 { ; barrier\n"
          "   body(%2 1x32):\n"
          "      barrier exec=2 memory=2 semantics=264\n"
          "      %4 = ult 1x1 %2, %0\n"
          "      if %4 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L1 %2\n"
          "      }\n"
          "      continue @L1 %2\n"
          "   cont(%9 1x32):\n"
          "      yield %9\n"
          "   }\n"
          "   yield\n}\n");
}

/* A divergent jump over two levels makes both diverge; a uniform jump out of a divergent loop is divergent as well. */
TEST(jumps_over_levels)
{
   EXPECT("shader compute\nlocal_size 8 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 64\n"
          "   %1 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %2 = ieq 1x1 %1, %0 ; varying\n"
          "   %3 = ieq 1x1 %0, %0\n"
          "   %19 1x32 = block @B4 { ; divergent ; varying\n"
          "      loop @L5 { ; divergent\n"
          "      body():\n"
          "         if %2 { ; divergent\n"
          "            break @L5\n"
          "         } else {\n"
          "            yield\n"
          "         }\n"
          "         if %3 {\n"
          "            break @B4 %0\n"
          "         } else {\n"
          "            yield\n"
          "         }\n"
          "         continue @L5\n"
          "      cont():\n"
          "         yield\n"
          "      }\n"
          "      %14 = iadd 1x32 %0, %0\n"
          "      if %3 {\n"
          "         yield\n"
          "      } else {\n"
          "         yield\n"
          "      }\n"
          "      yield %14\n"
          "   }\n"
          "   yield\n}\n");
}

TEST(graphics)
{
   EXPECT("shader fragment\nlanes 16\n{\n"
          "   %0 = sysval 4x32 sysval=frag_coord ; varying\n"
          "   %1 = interp 1x32 slot=16 mode=0 at=0 ; varying\n"
          "   %2 = interp 1x32 slot=17 mode=2 at=0\n"
          "   %3 = sysval 1x1 sysval=front_facing\n"
          "   yield\n}\n");
   EXPECT("shader vertex\nlanes 16\n{\n"
          "   %0 = sysval 1x32 sysval=vertex_index ; varying\n"
          "   %1 = load_input 1x32 slot=16 ; varying\n"
          "   %2 = sysval 1x32 sysval=base_vertex\n"
          "   yield\n}\n");
}

/* Seven values go round a loop against the walk: what the last one takes comes to all; the last parameter stays as it is. */
TEST(rotation)
{
   EXPECT("shader compute\nlocal_size 64 1 1\nlanes 8\n{\n"
          "   %0 = const 1x32 0\n"
          "   %1 = sysval 1x32 sysval=local_index ; strided 1\n"
          "   %33 1x32 = loop @L2 %1, %0, %0, %0, %0, %0, %0, %0, %0 { ; varying\n"
          "   body(%3 1x32, %4 1x32, %5 1x32, %6 1x32, %7 1x32, %8 1x32, %9 1x32, %10 1x32, %11 1x32): ; strided 1 ; varying ; varying ; varying ; varying ; varying ; varying ; varying\n"
          "      %12 = ult 1x1 %11, %0\n"
          "      if %12 {\n"
          "         yield\n"
          "      } else {\n"
          "         break @L2 %10\n"
          "      }\n"
          "      %16 = iadd 1x32 %5, %5 ; varying\n"
          "      %17 = iadd 1x32 %6, %6 ; varying\n"
          "      %18 = iadd 1x32 %7, %7 ; varying\n"
          "      %19 = iadd 1x32 %8, %8 ; varying\n"
          "      %20 = iadd 1x32 %9, %9 ; varying\n"
          "      %21 = iadd 1x32 %10, %10 ; varying\n"
          "      continue @L2 %3, %16, %17, %18, %19, %20, %21, %3, %11\n"
          "   cont(%23 1x32, %24 1x32, %25 1x32, %26 1x32, %27 1x32, %28 1x32, %29 1x32, %30 1x32, %31 1x32): ; strided 1 ; varying ; varying ; varying ; varying ; varying ; varying ; strided 1\n"
          "      yield %23, %24, %25, %26, %27, %28, %29, %30, %31\n"
          "   }\n"
          "   yield\n"
          "}\n");
}

TEST_MAIN
