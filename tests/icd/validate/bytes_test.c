/* SPDX-License-Identifier: MIT
 * Words that are no SPIR-V, or far too much of it: refused with the right code, or taken, in bounded time and memory.
 * Usage: bytes_test [--long]   with modules of 4 MB, or of 100 MB */
#include "tests/icd/validate/device.h"
#include "tests/icd/validate/spvasm.h"
#include "tests/test.h"
#include "util/macros.h"
#include "util/sanitizers.h"

#include <spirv/unified1/spirv.h>
#include <sys/resource.h>
#include <time.h>

static unsigned max_call_s = 20; /* of processor time; a signal ends the program then: more than any of this takes under a sanitizer */

/* Of this process: other processes do not count. */
static double now_s(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static VkResult create(struct full_device *f, const uint32_t *words, size_t num_words)
{
   const VkShaderModuleCreateInfo info = module_info(words, num_words);
   VkShaderModule handle = VK_NULL_HANDLE;
   atomic_store(&f->ears.count, 0);
   test_limit_time(max_call_s);
   const VkResult result = icd_CreateShaderModule(f->device, &info, NULL, &handle);
   test_limit_time(0);
   CHECK(result == VK_SUCCESS || handle == VK_NULL_HANDLE);
   icd_DestroyShaderModule(f->device, handle, NULL);
   return result;
}

static void check_refused(struct full_device *f, const uint32_t *words, size_t num_words)
{
   CHECK(is_refusal(create(f, words, num_words)));
   CHECK_EQ(f->ears.count, 1);
   CHECK(!strncmp(f->ears.id, "VUID-", 5));
}

/* A module as a growing array of words. */
struct words {
   uint32_t *data;
   size_t count, capacity;
};

static void add(struct words *words, uint32_t word)
{
   if (words->count == words->capacity) {
      words->capacity = words->capacity ? words->capacity * 2 : 1024;
      words->data = realloc(words->data, words->capacity * sizeof(uint32_t));
      if (!words->data)
         exit(1);
   }
   words->data[words->count++] = word;
}

static void add_op(struct words *words, SpvOp op, size_t num_operands, const uint32_t *operands)
{
   add(words, (uint32_t)(num_operands + 1) << SpvWordCountShift | (uint32_t)op);
   for (size_t i = 0; i < num_operands; i++)
      add(words, operands[i]);
}
#define OP(words, op, ...)                                                                                             \
   add_op(words, op, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

enum { MAIN = 1, VOID, FUNCTION, BOOL, UINT, CONDITION, FIRST_FREE };

/* All up to the types; the bound is set by end_module(). */
static void begin_module(struct words *words)
{
   *words = (struct words){0};
   const uint32_t header[5] = {SpvMagicNumber, 0x00010300, 0, 0, 0};
   for (int i = 0; i < 5; i++)
      add(words, header[i]);
   OP(words, SpvOpCapability, SpvCapabilityShader);
   OP(words, SpvOpMemoryModel, SpvAddressingModelLogical, SpvMemoryModelGLSL450);
   OP(words, SpvOpEntryPoint, SpvExecutionModelGLCompute, MAIN, 0x6e69616d /* "main" */, 0);
   OP(words, SpvOpExecutionMode, MAIN, SpvExecutionModeLocalSize, 1, 1, 1);
   OP(words, SpvOpTypeVoid, VOID);
   OP(words, SpvOpTypeFunction, FUNCTION, VOID);
   OP(words, SpvOpTypeBool, BOOL);
   OP(words, SpvOpTypeInt, UINT, 32, 0);
   OP(words, SpvOpConstantTrue, BOOL, CONDITION);
}

static void begin_main(struct words *words, uint32_t label)
{
   OP(words, SpvOpFunction, VOID, MAIN, 0, FUNCTION);
   OP(words, SpvOpLabel, label);
}

static void end_module(struct words *words, uint32_t bound)
{
   add(words, 1u << SpvWordCountShift | SpvOpReturn);
   add(words, 1u << SpvWordCountShift | SpvOpFunctionEnd);
   words->data[3] = bound;
}

static struct words small_module(void)
{
   struct words words;
   begin_module(&words);
   begin_main(&words, FIRST_FREE);
   end_module(&words, FIRST_FREE + 1);
   return words;
}

TEST(truncated)
{
   struct full_device f;
   struct words words = small_module();
   full_device_init(&f);
   CHECK_EQ(create(&f, words.data, words.count), VK_SUCCESS);
   for (size_t count = 0; count < words.count; count++) {
      uint32_t *copy = malloc(count ? count * sizeof(uint32_t) : 1); /* a sanitizer sees what is read beyond */
      if (!copy)
         exit(1);
      memcpy(copy, words.data, count * sizeof(uint32_t));
      check_refused(&f, copy, count);
      free(copy);
   }
   free(words.data);
   full_device_finish(&f);
}

TEST(header)
{
   struct full_device f;
   struct words words = small_module();
   uint32_t *data = words.data;
   full_device_init(&f);
   for (size_t i = 0; i < words.count; i++)
      data[i] = __builtin_bswap32(data[i]);
   check_refused(&f, data, words.count);
   CHECK(strstr(f.ears.text, "endian") != NULL);
   for (size_t i = 0; i < words.count; i++)
      data[i] = __builtin_bswap32(data[i]);

   static const struct {
      size_t index;
      uint32_t value;
   } wrong[] = {
      {0, 0},          {0, 0x07230204}, {1, 0},          {1, 0x00010700}, {1, 0x00020000}, {1, 0x01010300},
      {1, UINT32_MAX}, {3, 0},          {3, VOID},       {3, UINT32_MAX}, {4, 1},
   };
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(wrong); i++) {
      const uint32_t old = data[wrong[i].index];
      data[wrong[i].index] = wrong[i].value;
      check_refused(&f, data, words.count);
      data[wrong[i].index] = old;
   }
   CHECK_EQ(create(&f, data, words.count), VK_SUCCESS);
   free(data);
   full_device_finish(&f);
}

/* The greatest bound that the universal limits of SPIR-V ask for is taken and costs nothing; a greater one is refused. */
TEST(bounds)
{
   struct full_device f;
   struct words words = small_module();
   full_device_init(&f);
   words.data[3] = 0x3fffff;
   CHECK_EQ(create(&f, words.data, words.count), VK_SUCCESS);
   words.data[3] = 0x7fffffff;
   check_refused(&f, words.data, words.count);
   free(words.data);
   full_device_finish(&f);
}

/* Selections inside of each other. SPIR-V asks for a depth of 1023. */
static void nested_selections(struct words *words, uint32_t depth)
{
   uint32_t next = FIRST_FREE;
   begin_module(words);
   begin_main(words, next++);
   const uint32_t first_merge = next + depth;
   for (uint32_t i = 0; i < depth; i++) {
      OP(words, SpvOpSelectionMerge, first_merge + i, 0);
      OP(words, SpvOpBranchConditional, CONDITION, next, first_merge + i);
      OP(words, SpvOpLabel, next++);
   }
   for (uint32_t i = depth; i > 0; i--) {
      OP(words, SpvOpBranch, first_merge + i - 1);
      OP(words, SpvOpLabel, first_merge + i - 1);
   }
   end_module(words, first_merge + depth);
}

/* Structures inside of each other. SPIR-V asks for a depth of 255. */
static void nested_structs(struct words *words, uint32_t depth)
{
   begin_module(words);
   OP(words, SpvOpTypeStruct, FIRST_FREE, UINT);
   for (uint32_t i = 1; i < depth; i++)
      OP(words, SpvOpTypeStruct, FIRST_FREE + i, FIRST_FREE + i - 1);
   begin_main(words, FIRST_FREE + depth);
   end_module(words, FIRST_FREE + depth + 1);
}

/* Structures that each have the last one eight times: few words, 8^depth parts. */
static void doubled_structs(struct words *words, uint32_t depth)
{
   begin_module(words);
   OP(words, SpvOpTypeStruct, FIRST_FREE, UINT);
   for (uint32_t i = 1; i < depth; i++) {
      const uint32_t last = FIRST_FREE + i - 1;
      OP(words, SpvOpTypeStruct, FIRST_FREE + i, last, last, last, last, last, last, last, last);
   }
   begin_main(words, FIRST_FREE + depth);
   end_module(words, FIRST_FREE + depth + 1);
}

/* Functions that call the next one; the last calls none. */
static void nested_calls(struct words *words, uint32_t depth)
{
   begin_module(words);
   begin_main(words, FIRST_FREE);
   OP(words, SpvOpFunctionCall, VOID, FIRST_FREE + 1, FIRST_FREE + 2);
   uint32_t id = FIRST_FREE + 2;
   for (uint32_t i = 0; i < depth; i++, id += 3) {
      add(words, 1u << SpvWordCountShift | SpvOpReturn);
      add(words, 1u << SpvWordCountShift | SpvOpFunctionEnd);
      OP(words, SpvOpFunction, VOID, id, 0, FUNCTION);
      OP(words, SpvOpLabel, id + 1);
      if (i + 1 < depth)
         OP(words, SpvOpFunctionCall, VOID, id + 2, id + 3);
   }
   end_module(words, id);
}

/* Functions that call the next one twice: few functions, 2^depth paths through them. */
static void doubled_calls(struct words *words, uint32_t depth)
{
   begin_module(words);
   begin_main(words, FIRST_FREE);
   OP(words, SpvOpFunctionCall, VOID, FIRST_FREE + 1, FIRST_FREE + 2);
   uint32_t id = FIRST_FREE + 2;
   for (uint32_t i = 0; i < depth; i++, id += 4) {
      add(words, 1u << SpvWordCountShift | SpvOpReturn);
      add(words, 1u << SpvWordCountShift | SpvOpFunctionEnd);
      OP(words, SpvOpFunction, VOID, id, 0, FUNCTION);
      OP(words, SpvOpLabel, id + 1);
      if (i + 1 < depth) {
         OP(words, SpvOpFunctionCall, VOID, id + 2, id + 4);
         OP(words, SpvOpFunctionCall, VOID, id + 3, id + 4);
      }
   }
   end_module(words, id);
}

static void check_nesting(struct full_device *f, void (*make)(struct words *, uint32_t), uint32_t good, uint32_t far)
{
   struct words words;
   const double begin_s = now_s();
   make(&words, good);
   CHECK_EQ(create(f, words.data, words.count), VK_SUCCESS);
   free(words.data);
   make(&words, far);
   const VkResult result = create(f, words.data, words.count); /* either, but in bounded time and without a crash */
   CHECK(result == VK_SUCCESS || is_refusal(result));
   free(words.data);
   CHECK(now_s() - begin_s < 5);
}

TEST(nesting)
{
   struct full_device f;
   full_device_init(&f);
   check_nesting(&f, nested_selections, 100, 3000);
   check_nesting(&f, nested_structs, 255, 20000);
   check_nesting(&f, doubled_structs, 5, 200);
   check_nesting(&f, nested_calls, 100, 20000);
   check_nesting(&f, doubled_calls, 16, 64);
   full_device_finish(&f);
}

/* ---- large modules ---- */

static long max_resident_mb(void)
{
   struct rusage usage;
   getrusage(RUSAGE_SELF, &usage);
   return usage.ru_maxrss / 1024;
}

static size_t large_bytes = 4 << 20;

static void check_large(struct full_device *f, const char *what, const struct words *words, bool is_bad)
{
   const double begin_s = now_s();
   const VkResult result = create(f, words->data, words->count);
   const double took_s = now_s() - begin_s;
   printf("%zu MB of %s: %s in %.2f s, at most %ld MB resident\n", words->count >> 18, what,
          result == VK_SUCCESS ? "taken" : "refused", took_s, max_resident_mb());
   CHECK(is_refusal(result) || (result == VK_SUCCESS && !is_bad));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* their shadows and quarantines are resident too */
   CHECK(max_resident_mb() < 1024 + 8 * (long)(large_bytes >> 20)); /* what is checked is limited, what is copied is not */
#endif
}

static bool has_room(const struct words *words)
{
   return words->count < large_bytes / sizeof(uint32_t);
}

TEST(large_garbage)
{
   struct full_device f;
   struct words words;
   full_device_init(&f);
   begin_module(&words);
   words.data[3] = 100;
   while (has_room(&words))
      add(&words, (uint32_t)words.count * 2654435761u);
   check_large(&f, "noise", &words, true);
   words.data[0] = 0;
   check_large(&f, "noise without magic", &words, true);
   free(words.data);
   full_device_finish(&f);
}

/* Well formed up to the last words; `add_one` adds the n-th part of what fills the module and returns the bound of ids. */
static void large(struct full_device *f, const char *what, bool is_in_function, uint32_t (*add_one)(struct words *, uint32_t n))
{
   struct words words;
   uint32_t bound = FIRST_FREE + 1;
   begin_module(&words);
   if (is_in_function)
      begin_main(&words, FIRST_FREE);
   for (uint32_t n = 0; has_room(&words) && bound < 0x3ffff0; n++)
      bound = add_one(&words, n);
   if (!is_in_function)
      begin_main(&words, FIRST_FREE);
   end_module(&words, bound);
   check_large(f, what, &words, false);
   words.count -= 1; /* without its end */
   check_large(f, what, &words, true);
   free(words.data);
}

static uint32_t add_nop(struct words *words, uint32_t n)
{
   (void)n;
   add(words, 1u << SpvWordCountShift | SpvOpNop);
   return FIRST_FREE + 1;
}

static uint32_t add_constant(struct words *words, uint32_t n)
{
   OP(words, SpvOpConstant, UINT, FIRST_FREE + 1 + n, n);
   return FIRST_FREE + 2 + n;
}

static uint32_t add_selection(struct words *words, uint32_t n)
{
   const uint32_t id = FIRST_FREE + 1 + 2 * n;
   OP(words, SpvOpSelectionMerge, id, 0);
   OP(words, SpvOpBranchConditional, CONDITION, id + 1, id);
   OP(words, SpvOpLabel, id + 1);
   OP(words, SpvOpBranch, id);
   OP(words, SpvOpLabel, id);
   return id + 2;
}

static uint32_t add_function(struct words *words, uint32_t n)
{
   const uint32_t id = FIRST_FREE + 1 + 2 * n;
   add(words, 1u << SpvWordCountShift | SpvOpReturn);
   add(words, 1u << SpvWordCountShift | SpvOpFunctionEnd);
   OP(words, SpvOpFunction, VOID, id, 0, FUNCTION);
   OP(words, SpvOpLabel, id + 1);
   return id + 2;
}

static uint32_t add_arithmetic(struct words *words, uint32_t n)
{
   OP(words, SpvOpLogicalAnd, BOOL, FIRST_FREE + 1 + n, CONDITION, n ? FIRST_FREE + n : CONDITION);
   return FIRST_FREE + 2 + n;
}

TEST(large)
{
   struct full_device f;
   full_device_init(&f);
   large(&f, "OpNop", true, add_nop);
   large(&f, "constants", false, add_constant);
   large(&f, "arithmetic", true, add_arithmetic);
   large(&f, "functions", true, add_function);
   large(&f, "selections", true, add_selection);
   full_device_finish(&f);
}

int main(int argc, char **argv)
{
   const bool is_long = argc > 1 && !strcmp(argv[1], "--long");
   if (is_long) {
      large_bytes = 100 << 20;
      max_call_s = 300;
   }
   setvbuf(stdout, NULL, _IOLBF, 0); /* the signal loses nothing */
   return test_run_all(is_long ? argc - 1 : argc, is_long ? argv + 1 : argv);
}
