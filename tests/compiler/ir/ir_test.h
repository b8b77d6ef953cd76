/* SPDX-License-Identifier: MIT
 * Tests on the text form of the IR: parse, check, run a pass, compare what is printed. */
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/ir/passes.h"
#include "tests/test.h"

/* Parses and validates; a fault is a failure of the running test, and NULL. */
static inline struct ir_shader *ir_test_parse(struct util_arena *arena, const char *text)
{
   const char *error;
   struct ir_shader *shader = ir_parse(arena, text, &error);
   if (shader)
      error = ir_validate(shader, arena);
   if (!error)
      return shader;
   fprintf(stderr, "%s\n%s\n", text, error);
   test_fail(__FILE__, __LINE__, error);
   return NULL;
}

/* The shader is valid and prints as `expected` (with dense numbers). */
static inline void ir_test_expect(struct ir_shader *shader, const char *expected, const char *file, int line)
{
   ir_shader_renumber(shader);
   const char *text = ir_print_to_string(shader, shader->arena);
   const char *error = ir_validate(shader, shader->arena);
   if (error)
      test_fail(file, line, error);
   if (strcmp(text, expected) != 0)
      test_fail(file, line, "the printed shader is another");
   if (error || strcmp(text, expected) != 0)
      fprintf(stderr, "--- got:\n%s--- expected:\n%s", text, expected);
}

#define IR_EXPECT(shader, expected) ir_test_expect(shader, expected, __FILE__, __LINE__)

/* Runs `pass` on `before` and compares with `after`; the pass must say whether it changed anything. */
static inline void ir_test_pass(bool (*pass)(struct ir_shader *), const char *before, const char *after,
                                const char *file, int line)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, before);
   if (shader) {
      const bool progress = pass(shader);
      if (progress != (strcmp(before, after) != 0))
         test_fail(file, line, "progress is reported wrongly");
      ir_test_expect(shader, after, file, line);
   }
   util_arena_finish(&arena);
}

#define IR_PASS(pass, before, after) ir_test_pass(pass, before, after, __FILE__, __LINE__)

/* What `analyze` finds is what `annotated` has in comments behind ';'; the same text is the input, since the parser skips them. */
static inline void ir_test_analysis(void (*analyze)(struct ir_shader *), const char *annotated, const char *file, int line)
{
   struct util_arena arena;
   util_arena_init(&arena, 0);
   struct ir_shader *shader = ir_test_parse(&arena, annotated);
   if (shader) {
      analyze(shader);
      ir_test_expect(shader, annotated, file, line);
   }
   util_arena_finish(&arena);
}

#define IR_ANALYSIS(analyze, annotated) ir_test_analysis(analyze, annotated, __FILE__, __LINE__)
