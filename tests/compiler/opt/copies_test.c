/* SPDX-License-Identifier: MIT
 * What passes make of copies of memory: they read and write what their two memories are, and nothing else. */
#include "tests/compiler/ir/ir_test.h"

#include <stdlib.h>

#define SHADER(vars, body) "shader compute\nlocal_size 8 1 1\nshared 64\n" vars "{\n   %0 = const 1x32 0\n   %1 = const 1x32 5\n" body "   yield\n}\n"
#define SHOW(value) "   store_shared %0, " value " access=0 align=4 mask=1\n"
#define TO_VAR(var) "   copy %0, %0 count=4 bits=32 store_var " var " access=0 align=4 stride=4 load_shared access=0 align=4 stride=4\n"
#define FROM_VAR(var) "   copy %0, %0 count=4 bits=32 store_shared access=0 align=4 stride=4 load_var " var " access=0 align=4 stride=4\n"

static void stays(bool (*pass)(struct ir_shader *), const char *text)
{
   IR_PASS(pass, text, text);
}

TEST(nobody_reads_it)
{
   IR_PASS(ir_opt_dead_code, SHADER("var v0 16 \"a\"\n", TO_VAR("v0") SHOW("%1")), SHADER("", SHOW("%1")));
   stays(ir_opt_dead_code, SHADER("var v0 16 \"a\"\n", "   store_var v0 %0, %1 mask=1\n" FROM_VAR("v0")));
   stays(ir_opt_dead_code, SHADER("var v0 16 \"a\"\nvar v1 16 \"b\"\n", "   store_var v0 %0, %1 mask=1\n"
                                  "   copy %0, %0 count=4 bits=32 store_var v1 access=0 align=4 stride=4 load_var v0 access=0 align=4 stride=4\n" FROM_VAR("v1")));
}

TEST(stays_memory)
{
   stays(ir_opt_promote_vars, SHADER("var v0 16 \"a\"\n", "   store_var v0 %0, %1 mask=1\n" FROM_VAR("v0")));
   stays(ir_opt_promote_vars, SHADER("var v0 16 \"a\"\n", TO_VAR("v0") "   %3 = load_var 1x32 v0 %0\n" SHOW("%3")));
}

/* What was loaded before the copy is something else behind it; other memory is the same. */
TEST(writes_its_target_alone)
{
   stays(ir_opt_simplify, SHADER("var v0 16 \"a\"\n", "   %2 = load_var 1x32 v0 %0\n" TO_VAR("v0") "   %4 = load_var 1x32 v0 %0\n   %5 = iadd 1x32 %2, %4\n" SHOW("%5")));
   IR_PASS(ir_opt_simplify, SHADER("var v0 16 \"a\"\n", "   %2 = load_var 1x32 v0 %0\n" FROM_VAR("v0") "   %4 = load_var 1x32 v0 %0\n   %5 = ieq 1x1 %2, %4\n   %6 = u2u 1x32 %5\n" SHOW("%6")),
           SHADER("var v0 16 \"a\"\n", "   %2 = const 1x1 1\n   %3 = const 1x32 1\n   %4 = load_var 1x32 v0 %0\n" FROM_VAR("v0") SHOW("%3")));
}

/* The bits are shown, whatever they mean. */
TEST(nans)
{
   IR_PASS(ir_lower_nan,
           SHADER("var v0 16 \"a\"\n", "   %2 = load_shared 1x32 %0 access=0 align=4\n   %3 = fadd 1x32 %2, %2\n   store_var v0 %0, %3 mask=1\n" FROM_VAR("v0")),
           SHADER("var v0 16 \"a\"\n", "   %2 = load_shared 1x32 %0 access=0 align=4\n   %3 = fadd 1x32 %2, %2\n   %4 = fone_nan 1x32 %3\n   store_var v0 %0, %4 mask=1\n" FROM_VAR("v0")));
}

/* So many from a variable of two constants, after `passes`: how often the text has the word. */
static uint32_t count_of(const char *word, uint32_t num_copies, bool (*const *passes)(struct ir_shader *))
{
   char *text = NULL;
   size_t size;
   uint32_t count = 0;
   struct util_arena arena;
   FILE *file = open_memstream(&text, &size);
   if (!file)
      abort();
   fputs("shader compute\nlocal_size 8 1 1\nshared 64\nvar v0 8 \"a\"\n{\n%0 = const 1x32 0\n%1 = const 2x32 5, 7\nstore_var v0 %0, %1 mask=3\n", file);
   for (uint32_t i = 0; i < num_copies; i++)
      fputs("copy %0, %0 count=2 bits=32 store_shared access=0 align=4 stride=4 load_var v0 access=0 align=4 stride=4\n", file);
   fputs("yield\n}\n", file);
   fclose(file);
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, text);
   for (uint32_t i = 0; shader && passes[i]; i++) {
      CHECK(passes[i](shader));
      CHECK(!ir_validate(shader, &arena));
   }
   for (const char *at = shader ? ir_print_to_string(shader, &arena) : NULL; at && (at = strstr(at, word)); at++)
      count++;
   util_arena_finish(&arena);
   free(text);
   return count;
}

TEST(few_are_loops)
{
   bool (*const expand[])(struct ir_shader *) = {ir_expand_copies, NULL}, (*const none[])(struct ir_shader *) = {NULL};
   CHECK_EQ(count_of("loop", 3, expand), 3);
   CHECK_EQ(count_of("copy ", 3, expand), 0);
   CHECK_EQ(count_of("copy ", 40, none), 40);
}

TEST(from_tables)
{
   bool (*const tables[])(struct ir_shader *) = {ir_opt_tables, NULL};
   CHECK_EQ(count_of("load_table v0", 40, tables), 40);
   CHECK_EQ(count_of("store_var", 40, tables), 0);
   CHECK_EQ(count_of("= load_table", 3, tables), 3); /* in loops */
   CHECK_EQ(count_of("loop", 3, tables), 3);
}

TEST_MAIN
