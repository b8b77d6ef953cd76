/* SPDX-License-Identifier: MIT */
#include "runtime/matrix/convert.h"

#include "abi/matrix.h"
#include "util/narrow_float.h"
#include "util/size.h"

#include <assert.h>
#include <string.h>

#define IS_SAME(layout, name) ((int)(layout) == (int)VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_##name##_NV)
static_assert(IS_SAME(ABI_LAYOUT_ROWS, ROW_MAJOR) && IS_SAME(ABI_LAYOUT_COLUMNS, COLUMN_MAJOR) && IS_SAME(ABI_LAYOUT_INFERENCING, INFERENCING_OPTIMAL) &&
              IS_SAME(ABI_LAYOUT_TRAINING, TRAINING_OPTIMAL), "numbers of layouts");

/* ---- sizes ---- */

/* Of an element; 0: of a type that there is not. */
static uint32_t element_bytes(VkComponentTypeKHR type)
{
   switch (type) {
   case VK_COMPONENT_TYPE_FLOAT32_KHR:
   case VK_COMPONENT_TYPE_SINT32_KHR:
   case VK_COMPONENT_TYPE_UINT32_KHR: return 4;
   case VK_COMPONENT_TYPE_FLOAT16_KHR: return 2;
   case VK_COMPONENT_TYPE_SINT8_KHR:
   case VK_COMPONENT_TYPE_UINT8_KHR:
   case VK_COMPONENT_TYPE_FLOAT_E4M3_NV:
   case VK_COMPONENT_TYPE_FLOAT_E5M2_NV: return 1;
   default: return 0;
   }
}

/* Bytes from an element to the next of its column, and of its row. */
struct steps {
   uint64_t row, column;
};

static struct steps steps_of(const struct rt_matrix_side *side, uint32_t rows)
{
   const uint64_t bytes = element_bytes(side->type);
   switch (side->layout) {
   case VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_ROW_MAJOR_NV: return (struct steps){side->stride_bytes, bytes};
   case VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_COLUMN_MAJOR_NV: return (struct steps){bytes, side->stride_bytes};
   default: return (struct steps){bytes, abi_optimal_stride(rows, (uint32_t)bytes)};
   }
}

/* Matrices begin at multiples of so many bytes; applications put one behind the other. */
enum { OPTIMAL_ALIGN = 64 };

static bool is_optimal(VkCooperativeVectorMatrixLayoutNV layout)
{
   return layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_INFERENCING_OPTIMAL_NV || layout == VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV;
}

uint64_t rt_matrix_bytes(const struct rt_matrix_side *side, uint32_t rows, uint32_t columns)
{
   const uint32_t bytes = element_bytes(side->type);
   if (!bytes || (uint32_t)side->layout > VK_COOPERATIVE_VECTOR_MATRIX_LAYOUT_TRAINING_OPTIMAL_NV)
      return UINT64_MAX;
   if (!rows || !columns)
      return 0;
   const struct steps steps = steps_of(side, rows);
   const uint64_t size = util_size_add(util_size_add(util_size_mul(rows - 1, steps.row), util_size_mul(columns - 1, steps.column)), bytes);
   return is_optimal(side->layout) ? util_size_align(size, OPTIMAL_ALIGN) : size;
}

/* ---- elements ---- */

/* NULL: not a narrow float. */
static const struct util_narrow_format *narrow_format(VkComponentTypeKHR type)
{
   return type == VK_COMPONENT_TYPE_FLOAT16_KHR     ? &util_narrow_half
          : type == VK_COMPONENT_TYPE_FLOAT_E4M3_NV ? &util_narrow_e4m3
          : type == VK_COMPONENT_TYPE_FLOAT_E5M2_NV ? &util_narrow_e5m2
                                                    : NULL;
}

static bool is_float(VkComponentTypeKHR type)
{
   return type == VK_COMPONENT_TYPE_FLOAT32_KHR || narrow_format(type);
}

static double read_float(VkComponentTypeKHR type, const uint8_t *src)
{
   const struct util_narrow_format *format = narrow_format(type);
   uint32_t bits = 0;
   memcpy(&bits, src, element_bytes(type));
   if (format)
      return util_narrow_to_double(format, bits);
   float value;
   memcpy(&value, &bits, sizeof(value));
   return value;
}

static void write_float(VkComponentTypeKHR type, uint8_t *dst, double number)
{
   const struct util_narrow_format *format = narrow_format(type);
   const float value = (float)number;
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   if (format)
      bits = (uint32_t)util_narrow_from_double(format, number, false);
   memcpy(dst, &bits, element_bytes(type));
}

bool rt_can_convert(const struct rt_matrix_conversion *it)
{
   const VkComponentTypeKHR from = it->from.type, to = it->to.type;
   return rt_matrix_bytes(&it->from, it->rows, it->columns) <= it->src_bytes && rt_matrix_bytes(&it->to, it->rows, it->columns) <= it->dst_bytes &&
          (from == to || (is_float(from) && is_float(to)));
}

void rt_convert_elements(const struct rt_matrix_conversion *it, uint64_t begin, uint64_t end)
{
   const VkComponentTypeKHR from = it->from.type, to = it->to.type;
   const struct steps src = steps_of(&it->from, it->rows), dst = steps_of(&it->to, it->rows);
   const uint32_t bytes = element_bytes(from);
   if (!it->rows)
      return;
   uint64_t r = begin % it->rows, c = begin / it->rows;
   for (uint64_t i = begin; i < end; i++) {
      const uint8_t *source = it->src + r * src.row + c * src.column;
      uint8_t *target = it->dst + r * dst.row + c * dst.column;
      if (from == to)
         memcpy(target, source, bytes);
      else
         write_float(to, target, read_float(from, source));
      if (++r == it->rows) {
         r = 0;
         c++;
      }
   }
}
