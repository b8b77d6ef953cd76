/* SPDX-License-Identifier: MIT
 * Conversion of matrices for cooperative vectors, by the host and by the device: sizes, layouts, types, and what is too small or no conversion at all. */
#include "tests/icd/validate/runs.h"
#include "tests/test.h"
#include "util/macros.h"
#include "util/narrow_float.h"

#include <string.h>

#define ROWS VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV
#define COLUMNS VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV
#define INFERENCING VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV
#define TRAINING VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV
#define F32 VK_COMPONENT_TYPE_FLOAT32_KHR
#define F16 VK_COMPONENT_TYPE_FLOAT16_KHR
#define S8 VK_COMPONENT_TYPE_SINT8_KHR

static VkConvertCooperativeVectorMatrixInfoNV info_of(uint32_t rows, uint32_t columns, VkComponentTypeKHR from, VkCooperativeVectorMatrixLayoutNV from_layout,
                                                      size_t from_stride, VkComponentTypeKHR to, VkCooperativeVectorMatrixLayoutNV to_layout, size_t to_stride)
{
   return (VkConvertCooperativeVectorMatrixInfoNV){.sType = VK_STRUCTURE_TYPE_CONVERT_COOPERATIVE_VECTOR_MATRIX_INFO_NV,
                                                   .srcComponentType = from,
                                                   .dstComponentType = to,
                                                   .numRows = rows,
                                                   .numColumns = columns,
                                                   .srcLayout = from_layout,
                                                   .srcStride = from_stride,
                                                   .dstLayout = to_layout,
                                                   .dstStride = to_stride};
}

/* From the host's memory to the host's. */
static VkResult convert(VkConvertCooperativeVectorMatrixInfoNV info, const void *src, size_t src_bytes, void *dst, size_t *dst_bytes)
{
   info.srcSize = src_bytes;
   info.srcData.hostAddress = src;
   info.pDstSize = dst_bytes;
   info.dstData.hostAddress = dst;
   return icd_ConvertCooperativeVectorMatrixNV(VK_NULL_HANDLE, &info);
}

static size_t size_of(const VkConvertCooperativeVectorMatrixInfoNV *info)
{
   size_t size = 12345;
   CHECK_EQ(convert(*info, NULL, 0, NULL, &size), VK_SUCCESS);
   return size;
}

/* Rows to an optimal layout, from that to columns. */
TEST(layouts)
{
   enum { NUM_ROWS = 5, NUM_COLUMNS = 7 };
   for (uint32_t layout = INFERENCING; layout <= TRAINING; layout++) {
      int8_t src[NUM_ROWS][16], optimal[256], dst[NUM_COLUMNS][8];
      memset(dst, 99, sizeof(dst));
      for (uint32_t i = 0; i < NUM_ROWS * 16; i++)
         src[i / 16][i % 16] = (int8_t)(i * 3);
      const VkConvertCooperativeVectorMatrixInfoNV there = info_of(NUM_ROWS, NUM_COLUMNS, S8, ROWS, 16, S8, layout, 0);
      const VkConvertCooperativeVectorMatrixInfoNV back = info_of(NUM_ROWS, NUM_COLUMNS, S8, layout, 0, S8, COLUMNS, 8);
      size_t size = size_of(&there), last = sizeof(dst);
      const size_t needed = size;
      CHECK_EQ(size, 64); /* so that the next one may follow */
      CHECK_EQ(convert(there, src, sizeof(src), optimal, &size), VK_SUCCESS);
      CHECK_EQ(size, needed);
      CHECK_EQ(convert(back, optimal, size, dst, &last), VK_SUCCESS);
      CHECK_EQ(last, size_of(&back));
      for (uint32_t c = 0; c < NUM_COLUMNS; c++) {
         for (uint32_t r = 0; r < 8; r++)
            CHECK_EQ(dst[c][r], r < NUM_ROWS ? src[r][c] : 99);
      }
   }
}

/* All numbers of a narrow type and back; from 32 bits with the roundings between them. */
TEST(types)
{
   static const struct {
      VkComponentTypeKHR type;
      const struct util_narrow_format *format;
   } types[] = {{F16, &util_narrow_half}, {VK_COMPONENT_TYPE_FLOAT_E4M3_NV, &util_narrow_e4m3}, {VK_COMPONENT_TYPE_FLOAT_E5M2_NV, &util_narrow_e5m2}};
   static float wide[1 << 16], again[1 << 16];
   static uint8_t narrow[1 << 17];
   for (uint32_t t = 0; t < UTIL_ARRAY_SIZE(types); t++) {
      const struct util_narrow_format *f = types[t].format;
      const uint32_t count = 1u << f->bits, bytes = f->bits / 8;
      for (uint32_t i = 0; i < count; i++) { /* a number, and a bit beside it */
         const double x = util_narrow_to_double(f, i);
         wide[i] = (float)(x * (1 + (i % 3) * 0x1p-4 / (1 << f->mantissa_bits)));
      }
      size_t size = sizeof(narrow);
      CHECK_EQ(convert(info_of(1, count, F32, ROWS, 4 * count, types[t].type, INFERENCING, 0), wide, 4 * count, narrow, &size), VK_SUCCESS);
      CHECK_EQ(size, (size_t)count * bytes);
      for (uint32_t i = 0; i < count; i++) {
         uint32_t bits = 0;
         memcpy(&bits, narrow + i * bytes, bytes);
         CHECK_EQ(bits, util_narrow_from_double(f, wide[i], false));
      }
      size_t back = sizeof(again);
      CHECK_EQ(convert(info_of(1, count, types[t].type, INFERENCING, 0, F32, ROWS, 4 * count), narrow, size, again, &back), VK_SUCCESS);
      for (uint32_t i = 0; i < count; i++) {
         uint32_t bits = 0;
         memcpy(&bits, narrow + i * bytes, bytes);
         const float x = (float)util_narrow_to_double(f, bits);
         CHECK(again[i] == x || (again[i] != again[i] && x != x));
      }
   }
}

/* Nothing is written, and the size says so. */
TEST(refused)
{
   const struct {
      VkConvertCooperativeVectorMatrixInfoNV info;
      size_t src_bytes, dst_bytes;
   } cases[] = {
      {info_of(4, 4, F32, ROWS, 16, F32, ROWS, 16), 64, 63},                                                             /* too little to write to */
      {info_of(4, 4, F32, ROWS, 16, F32, ROWS, 16), 63, 64},                                                             /* too little to read */
      {info_of(4, 4, F32, ROWS, 16, S8, TRAINING, 0), 64, 64},                                                           /* floats do not become integers */
      {info_of(4, 4, VK_COMPONENT_TYPE_FLOAT64_KHR, ROWS, 32, F32, ROWS, 16), 256, 64},                                  /* 64 bits */
      {info_of(4, 4, F32, ROWS, 16, F32, (VkCooperativeVectorMatrixLayoutNV)4, 16), 64, 256},                            /* no layout */
      {info_of(UINT32_MAX, UINT32_MAX, F32, INFERENCING, 0, F32, COLUMNS, SIZE_MAX / 2), 64, 256},                       /* sizes that wrap */
      {info_of(UINT32_MAX, 2, F32, ROWS, (size_t)1 << 33, F32, ROWS, (size_t)1 << 33), 64, 256},
   };
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(cases); i++) {
      uint8_t src[256] = {0}, dst[256];
      memset(dst, 0x5a, sizeof(dst));
      size_t size = cases[i].dst_bytes;
      CHECK_EQ(convert(cases[i].info, src, cases[i].src_bytes, dst, &size), VK_INCOMPLETE);
      CHECK_EQ(size, 0);
      for (uint32_t b = 0; b < sizeof(dst); b++)
         CHECK_EQ(dst[b], 0x5a);
   }
}

/* The device does what the host does; what it cannot do writes nothing. */
TEST(by_the_device)
{
   enum { NUM_ROWS = 9, NUM_COLUMNS = 6, BYTES = 1024 };
   static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   struct run_device run;
   run_init(&run, 1, &binding, 0);
   const struct run_buffer from = run_buffer(&run, BYTES), to = run_buffer(&run, 4 * BYTES);
   float *src = (float *)from.map;
   uint8_t expected[2 * BYTES] = {0};
   size_t sizes[3] = {BYTES, BYTES, 8};
   for (uint32_t i = 0; i < BYTES / 4; i++)
      src[i] = (float)i * 0.37f - 40;
   VkConvertCooperativeVectorMatrixInfoNV infos[3] = {info_of(NUM_ROWS, NUM_COLUMNS, F32, ROWS, 32, VK_COMPONENT_TYPE_FLOAT_E4M3_NV, INFERENCING, 0),
                                                      info_of(NUM_ROWS, NUM_COLUMNS, F32, ROWS, 32, F16, TRAINING, 0)};
   infos[2] = infos[1];
   for (uint32_t i = 0; i < 2; i++) {
      size_t size = BYTES;
      CHECK_EQ(convert(infos[i], src, BYTES, expected + i * BYTES, &size), VK_SUCCESS);
   }
   for (uint32_t i = 0; i < 3; i++) {
      infos[i].srcSize = BYTES;
      infos[i].srcData.deviceAddress = from.address;
      infos[i].dstData.deviceAddress = to.address + i * BYTES;
      infos[i].pDstSize = &sizes[i];
   }
   run_begin(&run);
   icd_CmdConvertCooperativeVectorMatrixNV(run.commands, 3, infos);
   icd_CmdConvertCooperativeVectorMatrixNV(run.commands, 0, NULL);
   run_submit(&run);
   CHECK_EQ(memcmp(to.map, expected, sizeof(expected)), 0);
   for (uint32_t i = 0; i < BYTES / 2; i++)
      CHECK_EQ(to.map[BYTES / 2 + i], 0);
   run_buffer_free(&run, &from);
   run_buffer_free(&run, &to);
   run_finish(&run);
}

/* Of more elements than are converted at a time, which ends within a column. */
TEST(large_by_the_device)
{
   enum { NUM_ROWS = 401, NUM_COLUMNS = 330, FROM_BYTES = NUM_ROWS * NUM_COLUMNS * 4, TO_BYTES = NUM_ROWS * NUM_COLUMNS * 2 };
   static const VkDescriptorSetLayoutBinding binding = {0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
   static uint8_t expected[TO_BYTES];
   struct run_device run;
   run_init(&run, 1, &binding, 0);
   const struct run_buffer from = run_buffer(&run, FROM_BYTES), to = run_buffer(&run, TO_BYTES);
   for (uint32_t i = 0; i < FROM_BYTES / 4; i++)
      ((float *)from.map)[i] = (float)i * 0.37f - 400;
   VkConvertCooperativeVectorMatrixInfoNV info = info_of(NUM_ROWS, NUM_COLUMNS, F32, ROWS, NUM_COLUMNS * 4, F16, COLUMNS, NUM_ROWS * 2);
   size_t size = TO_BYTES;
   CHECK_EQ(convert(info, from.map, FROM_BYTES, expected, &size), VK_SUCCESS);
   info.srcSize = FROM_BYTES;
   info.srcData.deviceAddress = from.address;
   info.dstData.deviceAddress = to.address;
   info.pDstSize = &size;
   run_begin(&run);
   icd_CmdConvertCooperativeVectorMatrixNV(run.commands, 1, &info);
   run_submit(&run);
   CHECK_EQ(memcmp(to.map, expected, sizeof(expected)), 0);
   run_buffer_free(&run, &from);
   run_buffer_free(&run, &to);
   run_finish(&run);
}

/* As many combinations as there is room for, among them those that every device has. */
TEST(combinations)
{
   struct fixture fixture;
   fixture_init(&fixture, NULL);
   VkCooperativeVectorPropertiesNV properties[64];
   uint32_t count = 0, few = 2, num_required = 0;
   CHECK_EQ(icd_GetPhysicalDeviceCooperativeVectorPropertiesNV(fixture.physical_device, &count, NULL), VK_SUCCESS);
   CHECK(count >= 6 && count <= UTIL_ARRAY_SIZE(properties));
   for (uint32_t i = 0; i < count; i++)
      properties[i] = (VkCooperativeVectorPropertiesNV){.sType = VK_STRUCTURE_TYPE_COOPERATIVE_VECTOR_PROPERTIES_NV};
   CHECK_EQ(icd_GetPhysicalDeviceCooperativeVectorPropertiesNV(fixture.physical_device, &few, properties), VK_INCOMPLETE);
   CHECK_EQ(few, 2);
   CHECK_EQ(icd_GetPhysicalDeviceCooperativeVectorPropertiesNV(fixture.physical_device, &count, properties), VK_SUCCESS);
   static const VkComponentTypeKHR required[][4] = {
      {F16, F16, F16, F16},
      {VK_COMPONENT_TYPE_UINT32_KHR, VK_COMPONENT_TYPE_SINT8_PACKED_NV, S8, VK_COMPONENT_TYPE_SINT32_KHR},
      {S8, S8, S8, VK_COMPONENT_TYPE_SINT32_KHR},
      {F32, S8, S8, VK_COMPONENT_TYPE_SINT32_KHR},
      {F16, VK_COMPONENT_TYPE_FLOAT_E4M3_NV, VK_COMPONENT_TYPE_FLOAT_E4M3_NV, F16},
      {F16, VK_COMPONENT_TYPE_FLOAT_E5M2_NV, VK_COMPONENT_TYPE_FLOAT_E5M2_NV, F16},
   };
   for (uint32_t r = 0; r < UTIL_ARRAY_SIZE(required); r++) {
      for (uint32_t i = 0; i < count; i++) {
         const VkCooperativeVectorPropertiesNV *p = &properties[i];
         num_required += p->inputType == required[r][0] && p->inputInterpretation == required[r][1] && p->matrixInterpretation == required[r][2] &&
                         p->biasInterpretation == required[r][3] && p->resultType == required[r][3];
      }
   }
   CHECK_EQ(num_required, UTIL_ARRAY_SIZE(required));
   fixture_finish(&fixture, NULL);
}

TEST_MAIN
