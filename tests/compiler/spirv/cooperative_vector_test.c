/* SPDX-License-Identifier: MIT
 * SPV_NV_cooperative_vector: products with matrices of every layout and type, sums in memory, against what is computed here. What SPIRV-Tools does not know is
 * left out. */
#include "abi/matrix.h"
#include "tests/compiler/spirv/ir_run.h"
#include "tests/random.h"
#include "tests/test.h"
#include "util/macros.h"
#include "util/narrow_float.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SIZE = 40, BYTES = 1 << 14, UNTOUCHED = 0xa5 };

/* Numbers of SPIR-V: component types. */
enum { F16 = 0, F32 = 1, S8 = 3, S32 = 5, U8 = 7, U32 = 9, S8_PACKED = 1000491000, U8_PACKED, E4M3, E5M2 };

/* Buffers 0 to 3 are arrays of words: %pm the matrix's, %px the input's, %pb the bias's, %pr the result's; %x is an %in, a vector of %num_x, %out one of
 * %num_r. */
static const char *const module_text =
   "OpCapability Shader\nOpCapability Float16\nOpCapability Int8\nOpCapability CooperativeVectorNV\nOpCapability CooperativeVectorTrainingNV\n"
   "OpExtension \"SPV_NV_cooperative_vector\"\nOpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
   "OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %%main \"main\"\nOpExecutionMode %%main LocalSize 1 1 1\n"
   "OpDecorate %%bm DescriptorSet 0\nOpDecorate %%bm Binding 0\nOpDecorate %%bx DescriptorSet 0\nOpDecorate %%bx Binding 1\n"
   "OpDecorate %%bb DescriptorSet 0\nOpDecorate %%bb Binding 2\nOpDecorate %%br DescriptorSet 0\nOpDecorate %%br Binding 3\n"
   "OpDecorate %%block Block\nOpMemberDecorate %%block 0 Offset 0\nOpDecorate %%words ArrayStride 4\n"
   "%%void = OpTypeVoid\n%%fn = OpTypeFunction %%void\n%%bool = OpTypeBool\n%%f16 = OpTypeFloat 16\n%%f32 = OpTypeFloat 32\n"
   "%%s8 = OpTypeInt 8 1\n%%u8 = OpTypeInt 8 0\n%%s32 = OpTypeInt 32 1\n%%u32 = OpTypeInt 32 0\n"
   "%%words = OpTypeRuntimeArray %%u32\n%%block = OpTypeStruct %%words\n%%ptr_block = OpTypePointer StorageBuffer %%block\n"
   "%%ptr_words = OpTypePointer StorageBuffer %%words\n%%bm = OpVariable %%ptr_block StorageBuffer\n%%bx = OpVariable %%ptr_block StorageBuffer\n"
   "%%bb = OpVariable %%ptr_block StorageBuffer\n%%br = OpVariable %%ptr_block StorageBuffer\n%%c0 = OpConstant %%u32 0\n%%no = OpConstantFalse %%bool\n"
   "%%yes = OpConstantTrue %%bool\n%%num_x = OpConstant %%u32 %u\n%%num_r = OpConstant %%u32 %u\n%%in = OpTypeCooperativeVectorNV %%%s %%num_x\n"
   "%%out = OpTypeCooperativeVectorNV %%%s %%num_r\n%s\n"
   "%%main = OpFunction %%void None %%fn\n%%entry = OpLabel\n%%pm = OpAccessChain %%ptr_words %%bm %%c0\n%%px = OpAccessChain %%ptr_words %%bx %%c0\n"
   "%%pb = OpAccessChain %%ptr_words %%bb %%c0\n%%pr = OpAccessChain %%ptr_words %%br %%c0\n%%x = OpCooperativeVectorLoadNV %%in %%px %%c0\n"
   "%s\nOpReturn\nOpFunctionEnd\n";

static uint8_t matrix[BYTES], input[BYTES], bias[BYTES], result[BYTES];

static bool knows(void)
{
   const bool is_known = ir_run_assembles("OpCapability Shader\nOpCapability CooperativeVectorNV\nOpExtension \"SPV_NV_cooperative_vector\"\n"
                                          "OpMemoryModel Logical GLSL450\n");
   if (!is_known)
      printf("this SPIRV-Tools does not know cooperative vectors\n");
   return is_known;
}

static const char *try(uint32_t num_x, uint32_t num_r, const char *in, const char *out, const char *constants, const char *body)
{
   static char text[1 << 14];
   snprintf(text, sizeof(text), module_text, num_x, num_r, in, out, constants, body);
   memset(result, UNTOUCHED, sizeof(result));
   struct ir_run run = {.buffers = {matrix, input, bias, result}, .sizes = {BYTES, BYTES, BYTES, BYTES}};
   return ir_run_text(&run, text);
}

/* ---- numbers in memory ---- */

static const struct util_narrow_format *format_of(uint32_t type)
{
   return type == F16 ? &util_narrow_half : type == E4M3 ? &util_narrow_e4m3 : type == E5M2 ? &util_narrow_e5m2 : NULL;
}

static uint32_t bytes_of(uint32_t type)
{
   return type == F16 ? 2 : type == F32 || type == S32 || type == U32 ? 4 : 1;
}

static bool is_float(uint32_t type)
{
   return type == F32 || format_of(type);
}

static double read_number(uint32_t type, const uint8_t *at)
{
   uint32_t bits = 0;
   float value;
   memcpy(&bits, at, bytes_of(type));
   memcpy(&value, &bits, sizeof(value));
   switch (type) {
   case F32: return value;
   case S8: return (int8_t)bits;
   case S32: return (int32_t)bits;
   case U8: case U32: return bits;
   default: return util_narrow_to_double(format_of(type), bits);
   }
}

static void write_number(uint32_t type, uint8_t *at, double number)
{
   const float value = (float)number;
   uint32_t bits = (uint32_t)(int64_t)number;
   if (type == F32)
      memcpy(&bits, &value, sizeof(bits));
   else if (format_of(type))
      bits = (uint32_t)util_narrow_from_double(format_of(type), number, false);
   memcpy(at, &bits, bytes_of(type));
}

/* Small numbers with a fraction where the type has them, of either sign where it has both. */
static double some_number(uint64_t *random, uint32_t type)
{
   const double number = (double)(random_pick(random, 61)) - (type == U8 || type == U32 ? 0 : 30);
   return is_float(type) ? number / 8 : number;
}

/* ---- products ---- */

struct form {
   const char *in, *out;
   uint32_t input, input_as, matrix, result; /* the bias is as the result */
};

static const struct form forms[] = {
   {"f16", "f16", F16, F16, F16, F16},     {"u32", "s32", U32, S8_PACKED, S8, S32}, {"s8", "s32", S8, S8, S8, S32},
   {"f32", "s32", F32, S8, S8, S32},       {"f16", "f16", F16, E4M3, E4M3, F16},    {"f16", "f16", F16, E5M2, E5M2, F16},
   {"f32", "f32", F32, F32, F32, F32},     {"f16", "f32", F16, F16, F16, F32},      {"u32", "u32", U32, U8_PACKED, U8, U32},
   {"u8", "u32", U8, U8, U8, U32},         {"u8", "s32", U8, U8, S8, S32},          {"s8", "s32", S8, S8, U8, S32},
   {"s32", "s32", S32, S8, S8, S32},       {"u32", "s32", U32, U8_PACKED, S8, S32},
};

struct product {
   const struct form *form;
   uint32_t rows, columns, layout, stride, offset, bias_offset;
   bool is_transposed, has_bias;
};

static bool is_packed(const struct form *form)
{
   return form->input_as == S8_PACKED || form->input_as == U8_PACKED;
}

/* Where element (row, column) of the product's matrix stands. */
static uint8_t *element(const struct product *p, uint32_t row, uint32_t column)
{
   const uint32_t r = p->is_transposed ? column : row, c = p->is_transposed ? row : column, bytes = bytes_of(p->form->matrix);
   const uint32_t rows = p->is_transposed ? p->columns : p->rows;
   const bool is_by_rows = p->layout == ABI_LAYOUT_ROWS;
   const uint32_t stride = p->layout <= ABI_LAYOUT_COLUMNS ? p->stride : (uint32_t)abi_optimal_stride(rows, bytes);
   return matrix + p->offset + (is_by_rows ? r * stride + c * bytes : c * stride + r * bytes);
}

/* Component `i` of the input, as the interpretation has it. */
static double interpreted(const struct form *form, uint32_t i)
{
   if (is_packed(form))
      return read_number(form->input_as == S8_PACKED ? S8 : U8, input + i);
   const double x = read_number(form->input, input + i * bytes_of(form->input));
   if (form->input_as == S8)
      return fmin(fmax(nearbyint(x), -128), 127);
   if (form->input_as == U8)
      return fmin(fmax(nearbyint(x), 0), 255);
   const struct util_narrow_format *format = format_of(form->input_as);
   return format ? util_narrow_to_double(format, util_narrow_from_double(format, x, true)) : x;
}

static void fill(const struct product *p, uint64_t *random)
{
   const struct form *form = p->form;
   const uint32_t type = is_packed(form) ? form->input_as == S8_PACKED ? S8 : U8 : form->input;
   for (uint32_t i = 0; i < MAX_SIZE; i++) { /* now and then what the interpretation cannot hold */
      const double large = type == S8 || type == U8 ? 1 : random_pick(random, 8) == 0 ? 100 : 1;
      write_number(type, input + i * bytes_of(type), some_number(random, type) * large);
      write_number(form->result, bias + p->bias_offset + i * bytes_of(form->result), some_number(random, form->result));
   }
   for (uint32_t r = 0; r < p->rows; r++) {
      for (uint32_t c = 0; c < p->columns; c++)
         write_number(form->matrix, element(p, r, c), some_number(random, form->matrix));
   }
}

static void check_results(const struct product *p)
{
   const uint32_t type = p->form->result, bytes = bytes_of(type);
   for (uint32_t r = 0; r < p->rows; r++) {
      double sum = p->has_bias ? read_number(type, bias + p->bias_offset + r * bytes) : 0;
      for (uint32_t c = 0; c < p->columns; c++) {
         const double x = interpreted(p->form, c), y = read_number(p->form->matrix, element(p, r, c));
         sum = is_float(type) ? fmaf((float)x, (float)y, (float)sum) : sum + x * y;
      }
      uint8_t expected[4];
      write_number(type, expected, sum);
      if (memcmp(expected, result + r * bytes, bytes)) {
         fprintf(stderr, "%s to %s, %u x %u, layout %u%s%s: result %u is %g, not %g\n", p->form->in, p->form->out, p->rows, p->columns, p->layout,
                 p->is_transposed ? ", transposed" : "", p->has_bias ? ", with a bias" : "", r, read_number(type, result + r * bytes), sum);
         CHECK(!"a wrong result");
         return;
      }
   }
   CHECK_EQ(result[p->rows * bytes], UNTOUCHED);
}

static void run_product(const struct product *p, uint64_t *random)
{
   char constants[1024], body[512];
   const struct form *form = p->form;
   const uint32_t num_x = is_packed(form) ? (p->columns + 3) / 4 : p->columns;
   fill(p, random);
   snprintf(constants, sizeof(constants),
            "%%as_x = OpConstant %%u32 %u\n%%as_m = OpConstant %%u32 %u\n%%as_b = OpConstant %%u32 %u\n%%rows = OpConstant %%u32 %u\n"
            "%%columns = OpConstant %%u32 %u\n%%layout = OpConstant %%u32 %u\n%%stride = OpConstant %%u32 %u\n%%offset = OpConstant %%u32 %u\n%%bias_offset = OpConstant %%u32 %u",
            form->input_as, form->matrix, form->result, p->rows, p->columns, p->layout, p->stride, p->offset, p->bias_offset);
   snprintf(body, sizeof(body), "%%r = %s %%out %%x %%as_x %%pm %%offset %%as_m %s%%rows %%columns %%layout %s %%stride%s\n"
            "OpCooperativeVectorStoreNV %%pr %%c0 %%r",
            p->has_bias ? "OpCooperativeVectorMatrixMulAddNV" : "OpCooperativeVectorMatrixMulNV", p->has_bias ? "%pb %bias_offset %as_b " : "",
            p->is_transposed ? "%yes" : "%no", form->input == S8 || form->input == S32 ? " MatrixBSignedComponentsKHR" : "");
   const char *error = try(num_x, p->rows, form->in, form->out, constants, body);
   if (error)
      test_fail(__FILE__, __LINE__, error);
   else
      check_results(p);
}

/* Sizes with and without rests of tiles. */
static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {8, 4}, {9, 5}, {16, 16}, {35, 21}, {7, 40}};

TEST(products)
{
   uint64_t random = 1;
   for (uint32_t f = 0; knows() && f < UTIL_ARRAY_SIZE(forms); f++) {
      for (uint32_t s = 0; s < UTIL_ARRAY_SIZE(sizes); s++) {
         for (uint32_t layout = 0; layout <= ABI_LAYOUT_TRAINING; layout++) {
            struct product p = {&forms[f], sizes[s][0], sizes[s][1], layout, 176, 64 * (s % 3), 16 * (s % 2), false, (s + layout) % 2};
            run_product(&p, &random);
            p.is_transposed = true;
            if (layout >= ABI_LAYOUT_INFERENCING)
               run_product(&p, &random);
         }
      }
   }
}

/* ---- sums in memory ---- */

TEST(added_to_memory)
{
   if (!knows())
      return;
   for (uint32_t i = 0; i < 21; i++) {
      write_number(F16, input + 2 * i, i * 0.25 - 2);
      write_number(F16, matrix + 32 + 2 * i, i);
   }
   const char *error = try(21, 1, "f16", "f16", "%at = OpConstant %u32 32", "OpCooperativeVectorReduceSumAccumulateNV %pm %at %x");
   CHECK(error == NULL);
   for (uint32_t i = 0; i < 21; i++)
      CHECK(read_number(F16, matrix + 32 + 2 * i) == i * 1.25 - 2);
}

TEST(outer_product)
{
   enum { ROWS = 5, COLUMNS = 11 };
   static const uint32_t types[] = {F16, F32};
   for (uint32_t t = 0; knows() && t < 2; t++) {
      char constants[256];
      const uint32_t bytes = bytes_of(types[t]);
      for (uint32_t i = 0; i < ROWS; i++)
         write_number(F16, input + 2 * i, i + 0.5);
      for (uint32_t i = 0; i < COLUMNS; i++)
         write_number(F16, bias + 2 * i, i * 0.25 - 1);
      for (uint32_t i = 0; i < ROWS * COLUMNS; i++)
         write_number(types[t], matrix + 64 + i * bytes, i);
      snprintf(constants, sizeof(constants), "%%at = OpConstant %%u32 64\n%%layout = OpConstant %%u32 3\n%%as = OpConstant %%u32 %u", types[t]);
      const char *error = try(ROWS, COLUMNS, "f16", "f16", constants, "%y = OpCooperativeVectorLoadNV %out %pb %c0\n"
                              "OpCooperativeVectorOuterProductAccumulateNV %pm %at %x %y %layout %as");
      CHECK(error == NULL);
      for (uint32_t r = 0; r < ROWS; r++) {
         for (uint32_t c = 0; c < COLUMNS; c++)
            CHECK(read_number(types[t], matrix + 64 + (c * ROWS + r) * bytes) == c * ROWS + r + (r + 0.5) * (c * 0.25 - 1));
      }
   }
}

/* ---- memory ---- */

/* What is past the end of a buffer reads as zero and is not written. */
TEST(past_the_end)
{
   if (!knows())
      return;
   memset(input, 1, sizeof(input));
   const char *error = try(8, 8, "u32", "u32", "%near = OpConstant %u32 16368\n%far = OpConstant %u32 16376",
                           "%y = OpCooperativeVectorLoadNV %in %px %near\nOpCooperativeVectorStoreNV %pr %c0 %y\nOpCooperativeVectorStoreNV %pr %far %y");
   CHECK(error == NULL);
   for (uint32_t i = 0; i < 8; i++)
      CHECK(read_number(U32, result + 4 * i) == (i < 4 ? 0x01010101 : 0));
   CHECK(read_number(U32, result + BYTES - 4) == 0x01010101);
}

/* ---- what is refused ---- */

TEST(refused)
{
   static const char *const bodies[] = {
      "%r = OpCooperativeVectorMatrixMulNV %out %x %f %pm %c0 %f %two %two %c0 %no %c16", /* rows that are not the result's */
      "%r = OpCooperativeVectorMatrixMulNV %out %x %f %pm %c0 %f %three %three %c0 %no %c16", /* columns that are not the input's */
      "%r = OpCooperativeVectorMatrixMulNV %out %x %f %pm %c0 %f %three %two %nine %no %c16", /* no such layout */
      "%r = OpCooperativeVectorMatrixMulNV %out %x %f %pm %c0 %nine %three %two %c0 %no %c16", /* a matrix of integers */
      "%r = OpCooperativeVectorMatrixMulNV %out %x %f %pm %c0 %two %three %two %c0 %no %c16", /* of floats of 64 bits */
      "OpCooperativeVectorOuterProductAccumulateNV %pm %c0 %x %x %three %nine", /* into integers */
   };
   for (uint32_t i = 0; knows() && i < UTIL_ARRAY_SIZE(bodies); i++) {
      const char *constants = "%f = OpConstant %u32 1\n%two = OpConstant %u32 2\n"
                              "%three = OpConstant %u32 3\n%nine = OpConstant %u32 9\n%c16 = OpConstant %u32 16";
      if (!try(2, 3, "f32", "f32", constants, bodies[i]))
         fprintf(stderr, "taken: %s\n", bodies[i]);
      CHECK(try(2, 3, "f32", "f32", constants, bodies[i]) != NULL);
   }
   CHECK(!knows() || try(1025, 1, "f32", "f32", "", "") != NULL);
}

TEST_MAIN
