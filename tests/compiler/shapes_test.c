/* SPDX-License-Identifier: MIT
 * The time to validate and to compile grows in proportion to a module's size, whatever its shape: sizes double, and what is compared is processor time,
 * and the code's size, which is the same in every run. */
#include "tests/compiler/shapes.h"

#include "compiler/compiler.h"
#include "tests/test.h"
#include "util/cpu.h"
#include "util/sanitizers.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { NUM_DOUBLINGS = 5, MAX_GROWTH = 64 /* 2.3 a doubling */ };

struct cost {
   double validate_s, compile_s;
   uint32_t bytes; /* of the object; 0: did not compile */
};

static double processor_s(void)
{
   return (double)clock() / CLOCKS_PER_SEC;
}

static struct cost compile_stage(const struct shape_words *module, enum abi_stage stage, VkResult expected)
{
   static const struct comp_binding bindings[] = {
      {.binding = 0, .type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .count = 1, .offset_bytes = 0},
      {.binding = 1, .type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 1, .offset_bytes = 16},
   };
   static const struct comp_layout layout = {.sets[0] = {bindings, 2}, .num_sets = 1};
   const struct comp_library *library = comp_library();
   struct cost cost = {0};
   CHECK(library != NULL);
   if (!library)
      return cost;
   struct comp_binary *binary = NULL;
   char *message = NULL;
   size_t instruction;
   double start = processor_s();
   if (!library->validate(module->words, module->num_words, VK_API_VERSION_1_1, 0, &message, &instruction))
      test_fail(__FILE__, __LINE__, message ? message : "is not valid");
   free(message);
   cost.validate_s = processor_s() - start;
   const struct comp_shader_desc desc = {.words = module->words, .num_words = (uint32_t)module->num_words, .stage = stage,
                                         .entry_point = "main", .layout = &layout, .target = {.lanes = 16, .level = UTIL_CPU_V4, .max_lanes = 32}};
   start = processor_s();
   const VkResult result = library->compile(&desc, &binary, &message);
   cost.compile_s = processor_s() - start;
   if (result != expected)
      test_fail(__FILE__, __LINE__, message ? message : "compiles");
   if (expected != VK_SUCCESS)
      CHECK(message && strstr(message, "stack") != NULL);
   if (binary)
      cost.bytes = binary->object_bytes;
   util_mfree(binary);
   free(message);
   return cost;
}

static struct cost compile(const struct shape_words *module, VkResult expected)
{
   return compile_stage(module, ABI_STAGE_COMPUTE, expected);
}

/* 2.3 times a doubling on the average. What is over in some milliseconds is not measured well, and costs that do not grow hide how the others do. */
static void check_growth(const char *name, const char *what, double first_s, double last_s)
{
   const double least_s = 0.01;
   if (last_s >= MAX_GROWTH * (first_s > least_s ? first_s : least_s))
      printf("%s: %s takes %.3f s instead of %.3f s\n", name, what, last_s, first_s);
   CHECK(last_s < MAX_GROWTH * (first_s > least_s ? first_s : least_s));
}

/* Entry points, each of which calls the first of a chain of functions; `closes`: whose last one calls the first. */
static struct shape_words write_entry_points(uint32_t num_entry_points, uint32_t num_functions, bool closes)
{
   char *source = NULL;
   size_t source_bytes;
   FILE *text = open_memstream(&source, &source_bytes);
   fputs("OpCapability Shader\nOpMemoryModel Logical GLSL450\n", text);
   for (uint32_t i = 0; i < num_entry_points; i++)
      fprintf(text, "OpEntryPoint GLCompute %%e%u \"e%u\"\n", i, i);
   for (uint32_t i = 0; i < num_entry_points; i++)
      fprintf(text, "OpExecutionMode %%e%u LocalSize 1 1 1\n", i);
   fputs("%void = OpTypeVoid\n%fn = OpTypeFunction %void\n", text);
   for (uint32_t i = 0; i < num_entry_points; i++) {
      fprintf(text, "%%e%u = OpFunction %%void None %%fn\n%%l%u = OpLabel\n", i, i);
      if (num_functions)
         fprintf(text, "%%c%u = OpFunctionCall %%void %%f0\n", i);
      fputs("OpReturn\nOpFunctionEnd\n", text);
   }
   for (uint32_t i = 0; i < num_functions; i++) {
      fprintf(text, "%%f%u = OpFunction %%void None %%fn\n%%m%u = OpLabel\n", i, i);
      if (i + 1 < num_functions || closes)
         fprintf(text, "%%d%u = OpFunctionCall %%void %%f%u\n", i, (i + 1) % num_functions);
      fputs("OpReturn\nOpFunctionEnd\n", text);
   }
   fclose(text);
   const struct shape_words module = shape_assemble_text("entry points", source, 3);
   free(source);
   return module;
}

/* How long it takes to find it valid, or, with the reason, not. */
static double validate_calls_s(uint32_t num_entry_points, uint32_t num_functions, bool closes, const char *reason)
{
   const struct shape_words module = write_entry_points(num_entry_points, num_functions, closes);
   const struct comp_library *library = comp_library();
   char *message = NULL;
   size_t instruction;
   const double start = processor_s();
   const bool is_valid = library && library->validate(module.words, module.num_words, VK_API_VERSION_1_1, 0, &message, &instruction);
   const double spent_s = processor_s() - start;
   printf("%u entry points, %u functions: %zu words, %.3f s to validate\n", num_entry_points, num_functions, module.num_words, spent_s);
   if (is_valid != !reason || (reason && (!message || !strstr(message, reason))))
      test_fail(__FILE__, __LINE__, message ? message : "is valid");
   free(message);
   free(module.words);
   return spent_s;
}

static long peak_kib(void)
{
   struct rusage usage;
   return getrusage(RUSAGE_SELF, &usage) ? 0 : usage.ru_maxrss;
}

/* Before all others, whose memory would hide how much is taken. Both take the square of the size in SPIRV-Tools, a call that leads back to itself as well. */
TEST(calls)
{
   validate_calls_s(1, 1, false, NULL);
   const long begin_kib = peak_kib();
   validate_calls_s(4761, 0, false, NULL);
   validate_calls_s(350, 1400, false, NULL);
   const long more_kib = peak_kib() - begin_kib;
   printf("%ld MiB more\n", more_kib >> 10);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
   CHECK(more_kib < 64 << 10);
#endif
   validate_calls_s(4761, 4761, false, "too many");
   validate_calls_s(8193, 0, false, "too many");
   const double first_s = validate_calls_s(1, 2000, false, NULL), last_s = validate_calls_s(1, 32000, false, NULL);
   CHECK(last_s < 80 * (first_s > 0.002 ? first_s : 0.002)); /* 25 to 34, as memory is slower than caches; with a walk from each function 256 */
   CHECK(validate_calls_s(1, 32000, true, "VUID-StandaloneSpirv-None-04634") < last_s);
   validate_calls_s(1, 1, true, "VUID-StandaloneSpirv-None-04634");
}

TEST(growth)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      struct cost first = {0}, last = {0};
      for (uint32_t i = 0; i <= NUM_DOUBLINGS; i++) {
         const struct shape_words module = shape_assemble(shape, shape->first << i);
         last = compile(&module, VK_SUCCESS);
         printf("%-16s %6u: %7zu words, %.3f s to validate, %.3f s to compile, %u bytes\n", shape->name, shape->first << i, module.num_words,
                last.validate_s, last.compile_s, last.bytes);
         free(module.words);
         if (i == 0)
            first = last;
      }
      check_growth(shape->name, "validation", first.validate_s, last.validate_s);
      check_growth(shape->name, "the compile", first.compile_s, last.compile_s);
      CHECK(last.bytes <= 2 * MAX_GROWTH * first.bytes); /* twice: of "constants", which are copied as memory from some number on, with more code */
   }
}

/* Processor time of a fixed piece of work that no compiler takes apart: a third of a second on Zen 4. */
static double fixed_work_s(void)
{
   const double start = processor_s();
   uint64_t x = 88172645463325252u;
   for (uint32_t i = 0; i < 200000000; i++) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
   }
   volatile uint64_t result = x;
   (void)result;
   return processor_s() - start;
}

/* The count that makes about as many words; where words do not grow with it, or constructs would nest deeper than they may, a smaller one. */
static uint32_t count_for_words(const struct shape *shape, size_t num_words)
{
   enum { MAX_NESTED = 390 };
   const uint32_t count = shape->first << NUM_DOUBLINGS;
   const struct shape_words module = shape_assemble(shape, count);
   const uint64_t scaled = (uint64_t)count * num_words / module.num_words;
   free(module.words);
   if (strncmp(shape->name, "nested", strlen("nested")) == 0)
      return (uint32_t)UTIL_MIN(scaled, (uint64_t)MAX_NESTED);
   return scaled < 64 * (uint64_t)count ? (uint32_t)scaled : count;
}

/* A module of 100,000 words takes no more than 3 s of two processors that do the fixed work in a third of a second. */
TEST(hundred_thousand_words)
{
   const double unit_s = fixed_work_s() * 3, limit_s = 2 * 3 * unit_s;
   for (const struct shape *shape = shapes; shape->name; shape++) {
      const struct shape_words module = shape_assemble(shape, count_for_words(shape, 100000));
      const struct cost cost = compile(&module, VK_SUCCESS);
      printf("%-16s: %7zu words, %.3f s of %.3f s\n", shape->name, module.num_words, cost.validate_s + cost.compile_s, limit_s);
      CHECK(cost.validate_s + cost.compile_s < limit_s);
      free(module.words);
   }
}

static double bytes_per_word(const struct shape *shape, enum abi_stage stage, uint32_t count)
{
   const struct shape_words module = shape_assemble(shape, count);
   const struct cost cost = compile_stage(&module, stage, VK_SUCCESS);
   const double bytes = cost.bytes / (double)module.num_words;
   printf("%-16s %6u: %7zu words, %.1f bytes of code for each, %.3f s\n", shape->name, count, module.num_words, bytes, cost.compile_s);
   free(module.words);
   return bytes;
}

/* What a few words say that is much code becomes calls where there is much of it. Code is what the time of a compile goes into. */
TEST(dense_words)
{
   static const struct {
      const char *name;
      uint32_t count;
      double max_bytes; /* of code for each word, a third more than there are; without calls they are two to five times as many */
   } dense[] = {
      {"inverses", 2048, 43}, {"wide inverses", 2048, 82}, {"reductions", 2048, 8.6}, {"remainders", 4096, 16.8}, {"half words", 2048, 10.4}, {"called formulas", 4096, 4.2}, {"called loops", 4096, 3.5}, {"called reads", 4096, 3.6}, {"copies", 2048, 15},
      {"atomics", 4096, 3}, {"shared atomics", 4096, 5.7}, {"float remainders", 4096, 6.1}, {"quotients", 4096, 7.7}, {"row-major moves", 2048, 15},
      {"packs", 4096, 20}, {"crossings", 4096, 9.7},
   };
   for (const struct shape *shape = shapes; shape->name; shape++) {
      for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(dense); i++) {
         if (!strcmp(shape->name, dense[i].name))
            CHECK(bytes_per_word(shape, ABI_STAGE_COMPUTE, dense[i].count) < dense[i].max_bytes);
      }
   }
   for (const struct shape *shape = geometry_shapes; shape->name; shape++)
      CHECK(bytes_per_word(shape, ABI_STAGE_GEOMETRY, 512) < 14); /* without calls and copies: 52, 93 */
}

/* What has no register needs stack, which threads have 8 MiB of: 20,480 uvec4 are 5 MiB at 16 lanes, and what is made of them more. */
TEST(stack)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      if (strcmp(shape->name, "live values") != 0)
         continue;
      const struct shape_words module = shape_assemble(shape, 20480);
      compile(&module, VK_ERROR_INVALID_SHADER_NV);
      free(module.words);
   }
}

static double least_compile_s(const struct shape *shape, uint32_t count)
{
   const struct shape_words module = shape_assemble(shape, count);
   double least_s = compile(&module, VK_SUCCESS).compile_s;
   for (uint32_t i = 0; i < 4; i++) {
      const double compile_s = compile(&module, VK_SUCCESS).compile_s;
      least_s = compile_s < least_s ? compile_s : least_s;
   }
   free(module.words);
   return least_s;
}

/* Where constructs stand deeper in each other than people write them, the allocator of registers would take the square of the depth. */
TEST(depth)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      if (strcmp(shape->name, "nested loops") != 0)
         continue;
      const double first_s = least_compile_s(shape, 32), last_s = least_compile_s(shape, 128);
      printf("%s: 32 take %.4f s, 128 take %.4f s\n", shape->name, first_s, last_s);
      CHECK(last_s < first_s * 4); /* in proportion; instructions: 1.9 times, 6.6 if the allocator sees it */
   }
}

/* What an analysis finds goes round a loop against its walk by one value a walk. */
TEST(rotation)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      if (strcmp(shape->name, "rotated values") != 0)
         continue;
      const double first_s = least_compile_s(shape, 1024), middle_s = least_compile_s(shape, 12288), last_s = least_compile_s(shape, 16384);
      printf("%s: 1024 take %.4f s, 12288 take %.4f s, 16384 take %.4f s\n", shape->name, first_s, middle_s, last_s);
      CHECK(middle_s < first_s * 18); /* in proportion: 12; if the allocator of registers sees all of them live at once 40 */
      CHECK(last_s < first_s * 24); /* in proportion: 16; with a walk each 50 */
   }
}

/* Large arrays are copied by loops, so that their code is the same whatever their size. */
TEST(large_arrays)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      if (strcmp(shape->name, "copied array") != 0)
         continue;
      const struct shape_words small = shape_assemble(shape, 512), large = shape_assemble(shape, 1 << 18);
      const uint32_t small_bytes = compile(&small, VK_SUCCESS).bytes, large_bytes = compile(&large, VK_SUCCESS).bytes;
      printf("%s: 512 are %u bytes of code, 2^18 are %u\n", shape->name, small_bytes, large_bytes);
      CHECK(large_bytes < small_bytes * 2);
      free(small.words);
      free(large.words);
   }
}

static double least_validate_s(const struct shape *shape, uint32_t count)
{
   const struct shape_words module = shape_assemble(shape, count);
   const struct comp_library *library = comp_library();
   double least_s = 1e9;
   for (uint32_t i = 0; i < 15; i++) {
      char *message = NULL;
      size_t instruction;
      const double start = processor_s();
      CHECK(library && library->validate(module.words, module.num_words, VK_API_VERSION_1_1, 0, &message, &instruction));
      free(message);
      least_s = UTIL_MIN(least_s, processor_s() - start);
   }
   free(module.words);
   return least_s;
}

/* A block is not looked at once for each construct around it. */
TEST(constructs)
{
   for (const struct shape *shape = shapes; shape->name; shape++) {
      if (strcmp(shape->name, "nested loops") != 0 && strcmp(shape->name, "nested breaks") != 0)
         continue;
      const double first_s = least_validate_s(shape, 64), last_s = least_validate_s(shape, 256);
      printf("%s: 64 take %.4f s to validate, 256 take %.4f s\n", shape->name, first_s, last_s);
      CHECK(last_s < first_s * 8); /* in proportion: 5; else 12 to 14 */
   }
}

TEST_MAIN
