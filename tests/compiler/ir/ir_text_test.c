/* SPDX-License-Identifier: MIT
 * The text form round-trips; the parser refuses broken text; the validator refuses broken shaders. */
#include "tests/compiler/ir/ir_test.h"

static void round_trip(const char *text)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   if (shader)
      IR_EXPECT(shader, text);
   util_arena_finish(&arena);
}

TEST(plain_instructions)
{
   round_trip("shader compute\n"
              "local_size 8 1 1\n"
              "lanes 8\n"
              "shared 64\n"
              "var v0 16 \"color\" stays\n"
              "table_var v1 8 \"order\" bits=32 5, 0x3f800000\n"
              "table_var v2 2 \"small\" bits=8 1, 255\n"
              "{\n"
              "   %0 = sysval 3x32 sysval=local_id\n"
              "   %1 = extract 1x32 %0 index=0\n"
              "   %2 = const 1x32 4\n"
              "   %3 = imul 1x32 %1, %2\n"
              "   %4 = const 3x32 1, 0x3f800000, 3\n"
              "   store_var v0 %2, %4 mask=5\n"
              "   %6 = load_var 1x32 v0 %2\n"
              "   %7 = buffer_addr 1x64 %2 set=0 binding=1\n"
              "   %8 = buffer_size 1x32 %2 set=0 binding=1\n"
              "   %9 = load_buffer 1x32 %7, %8, %3 access=4 align=4\n"
              "   %10 = fadd 1x32 %9, %6 fp=contract|no_nan\n"
              "   store_buffer %7, %8, %3, %10 access=0 align=4 mask=1\n"
              "   %12 = atomic_shared 1x32 %3, %1 atomic=umax access=0\n"
              "   barrier exec=2 memory=2 semantics=264\n"
              "   %14 = load_table 1x32 v1 %1\n"
              "   %15 = load_table 1x8 v2 %14\n"
              "   copy %2, %7, %8, %3 count=2 bits=32 store_var v0 access=0 align=4 stride=4 load_buffer access=4 align=4 offsets=v1\n"
              "   copy %3 count=3 bits=16 store_shared access=0 align=2 stride=2 undef\n"
              "   yield\n"
              "}\n");
}

/* A routine's code is of no stage. */
TEST(routines)
{
   round_trip("shader routine\n"
              "lanes 8\n"
              "{\n"
              "   %0 = load_input 1x32 slot=0\n"
              "   store_output %0 slot=0\n"
              "   yield\n"
              "}\n");
}

TEST(control_flow)
{
   round_trip("shader compute\n"
              "{\n"
              "   %0 = const 1x32 10\n"
              "   %1 = const 1x32 1\n"
              "   %18 1x32, %19 1x32 = loop @L2 %0, %1 {\n"
              "   body(%3 1x32, %4 1x32):\n"
              "      %5 = ult 1x1 %3, %0\n"
              "      %9 1x32 = if %5 {\n"
              "         yield %3\n"
              "      } else {\n"
              "         break @L2 %3, %4\n"
              "      }\n"
              "      block @B10 {\n"
              "         if %5 {\n"
              "            continue @L2 %9\n"
              "         } else {\n"
              "            break @B10\n"
              "         }\n"
              "         yield\n"
              "      }\n"
              "      continue @L2 %4\n"
              "   cont(%16 1x32):\n"
              "      yield %16, %16\n"
              "   }\n"
              "   yield\n"
              "}\n");
}

static void refuse(const char *body, const char *expected)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   const char *text = util_arena_printf(&arena, "shader compute\n{\n%s}\n", body), *error;
   struct ir_shader *shader = ir_parse(&arena, text, &error);
   if (shader)
      error = ir_validate(shader, &arena);
   if (!error || !strstr(error, expected)) {
      fprintf(stderr, "%sgave '%s' instead of '%s'\n", text, error ? error : "no error", expected);
      test_fail(__FILE__, __LINE__, "refused for the right reason");
   }
   util_arena_finish(&arena);
}

TEST(syntax_errors)
{
   refuse("   %0 = const 1x32\n   yield\n", "is not a number");
   refuse("   %0 = konst 1x32 1\n   yield\n", "no operation 'konst'");
   refuse("   %0 = const 5x32 1\n   yield\n", "not a type");
   refuse("   %0 = iadd 1x32 %1, %1\n   yield\n", "%1 is not defined");
   refuse("   %0 = const 1x32 1\n   %0 = const 1x32 1\n   yield\n", "defined twice");
   refuse("   %0 = const 1x32 1\n   %1 = iadd 1x32 %0\n   yield\n", "takes 2 operands");
   refuse("   break @B0\n", "no @B0 around");
   refuse("   %0 = const 1x1 1\n   if %0 {\n      yield\n   }\n   yield\n", "expected 'else'");
   refuse("   %99999999999 = const 1x1 1\n   yield\n", "too large");
   refuse("   yield\n}\n{", "text after");
}

TEST(broken_shaders)
{
   refuse("", "without a jump");
   refuse("   yield\n   yield\n", "follows a jump");
   refuse("   %0 = const 1x32 1\n   %1 = const 1x64 1\n   %2 = iadd 1x32 %0, %1\n   yield\n", "64 bits instead of 32");
   refuse("   %0 = const 1x1 1\n   if %0 {\n      %1 = const 1x32 1\n      yield\n   } else {\n      yield\n   }\n"
          "   %2 = ineg 1x32 %1\n   yield\n",
          "not visible");
   refuse("   %0 = const 1x1 1\n   %1 1x32 = if %0 {\n      yield %0\n   } else {\n      yield %0\n   }\n   yield\n",
          "target's type");
   refuse("   block @B0 {\n      break @B0\n   }\n   break @B0\n", "no @B0");
   refuse("   loop @L0 {\n   body():\n      yield\n   cont():\n      yield\n   }\n   yield\n", "does not end in yield");
   refuse("   loop @L0 {\n   body():\n      continue @L0\n   cont():\n      continue @L0\n   }\n   yield\n",
          "not in the loop's body");
   refuse("   %0 = const 2x32 1, 2\n   %1 = iadd 2x32 %0, %0\n   yield\n", "several components");
   refuse("   %0 = const 1x8 1\n   %1 = fneg 1x8 %0\n   yield\n", "no float");
   refuse("   %0 = const 2x32 1, 1\n   %1 = extract 1x32 %0 index=2\n   yield\n", "no such component");
   refuse("   %0 = const 1x32 1\n   copy %0 count=0 bits=32 store_shared access=0 align=4 stride=4 undef\n   yield\n", "no units");
   refuse("   %0 = const 1x32 1\n   copy %0, %0 count=1 bits=32 store_shared access=0 align=4 stride=4 undef\n   yield\n", "wrong number of sources");
   refuse("   %0 = const 1x32 1\n   copy %0, %0 count=1 bits=32 load_shared access=0 align=4 stride=4 load_shared access=0 align=4 stride=4\n   yield\n",
          "no such access");
   refuse("   %0 = const 1x64 1\n   copy %0 count=1 bits=32 store_shared access=0 align=4 stride=4 undef\n   yield\n", "64 bits instead of 32");
}

TEST_MAIN
