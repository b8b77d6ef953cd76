/* SPDX-License-Identifier: MIT
 * Spec: Fundamentals, "Fixed-Point Data Conversions" and "Floating-Point Format Conversions". */
#include "compiler/llvm/cg_texel_format.h"

LLVMValueRef cg_texel_and(struct cg *cg, LLVMValueRef v, uint32_t mask)
{
   return LLVMBuildAnd(cg->b, v, cg_const_like(LLVMTypeOf(v), mask), "");
}

LLVMValueRef cg_texel_shift_left(struct cg *cg, LLVMValueRef v, uint32_t bits)
{
   return bits == 0 ? v : LLVMBuildShl(cg->b, v, cg_const_like(LLVMTypeOf(v), bits), "");
}

LLVMValueRef cg_texel_shift_right(struct cg *cg, LLVMValueRef v, uint32_t bits)
{
   return bits == 0 ? v : LLVMBuildLShr(cg->b, v, cg_const_like(LLVMTypeOf(v), bits), "");
}

static LLVMValueRef as_words(struct cg *cg, LLVMValueRef v)
{
   return LLVMBuildBitCast(cg->b, v, cg_vec_type(cg, cg->i32), "");
}

static LLVMValueRef as_floats(struct cg *cg, LLVMValueRef v)
{
   return LLVMBuildBitCast(cg->b, v, cg_vec_type(cg, cg->f32), "");
}

static LLVMValueRef words_of(struct cg *cg, uint32_t value)
{
   return cg_const_like(cg_vec_type(cg, cg->i32), value);
}

static LLVMValueRef floats_of(struct cg *cg, double value)
{
   return cg_constf_like(cg_vec_type(cg, cg->f32), value);
}

/* v where the comparison with the limit holds, else the limit. */
static LLVMValueRef limit(struct cg *cg, LLVMRealPredicate predicate, LLVMValueRef v, double value)
{
   LLVMValueRef bound = floats_of(cg, value);
   return cg_select(cg, LLVMBuildFCmp(cg->b, predicate, v, bound, ""), v, bound);
}

/* ---- normalized ---- */

/* The product with the power of two is exact, so that it may be fused. */
LLVMValueRef cg_texel_decode_unorm(struct cg *cg, LLVMValueRef number, LLVMValueRef head, LLVMValueRef tail)
{
   LLVMValueRef v = LLVMBuildSIToFP(cg->b, number, cg_vec_type(cg, cg->f32), "");
   LLVMValueRef rest = LLVMBuildFMul(cg->b, v, cg_splat(cg, tail), "");
   if (cg->target.level >= UTIL_CPU_V3)
      return cg_intrinsic1(cg, "llvm.fma", 3, v, cg_splat(cg, head), rest);
   return LLVMBuildFAdd(cg->b, LLVMBuildFMul(cg->b, v, cg_splat(cg, head), ""), rest, "");
}

LLVMValueRef cg_texel_unorm_head(struct cg *cg, uint32_t bits)
{
   return LLVMConstReal(cg->f32, 1.0 / (1u << bits));
}

LLVMValueRef cg_texel_unorm_tail(struct cg *cg, uint32_t bits)
{
   return LLVMConstReal(cg->f32, (float)(1.0 / ((1u << bits) - 1) - 1.0 / (1u << bits)));
}

/* The sum's low bits are the rounded product. NaN is 0. */
LLVMValueRef cg_texel_encode_unorm(struct cg *cg, LLVMValueRef value, LLVMValueRef max)
{
   LLVMValueRef v = limit(cg, LLVMRealOLT, limit(cg, LLVMRealOGT, cg_as_float(cg, value), 0), 1);
   LLVMValueRef sum = LLVMBuildFAdd(cg->b, LLVMBuildFMul(cg->b, v, cg_splat(cg, max), ""), floats_of(cg, 0x1p23), "");
   return cg_texel_and(cg, as_words(cg, sum), 0xffff);
}

static LLVMValueRef decode_snorm(struct cg *cg, LLVMValueRef number, uint32_t bits)
{
   return limit(cg, LLVMRealOGT, cg_texel_decode_unorm(cg, number, cg_texel_unorm_head(cg, bits - 1), cg_texel_unorm_tail(cg, bits - 1)), -1);
}

static LLVMValueRef encode_snorm(struct cg *cg, LLVMValueRef value, uint32_t bits)
{
   LLVMValueRef v = cg_as_float(cg, value);
   v = cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealORD, v, v, ""), v, floats_of(cg, 0));
   v = limit(cg, LLVMRealOLT, limit(cg, LLVMRealOGT, v, -1), 1);
   v = LLVMBuildFMul(cg->b, v, floats_of(cg, (1u << (bits - 1)) - 1), "");
   return cg_texel_and(cg, as_words(cg, LLVMBuildFAdd(cg->b, v, floats_of(cg, 0x1.8p23), "")), (1u << bits) - 1);
}

/* ---- integers ---- */

static LLVMValueRef encode_uint(struct cg *cg, LLVMValueRef value, uint32_t bits)
{
   return bits == 32 ? value : cg_intrinsic1(cg, "llvm.umin", 2, value, words_of(cg, (1u << bits) - 1), NULL);
}

static LLVMValueRef encode_sint(struct cg *cg, LLVMValueRef value, uint32_t bits)
{
   if (bits == 32)
      return value;
   const uint32_t max = (1u << (bits - 1)) - 1;
   LLVMValueRef v = cg_intrinsic1(cg, "llvm.smax", 2, value, words_of(cg, ~max), NULL);
   return cg_texel_and(cg, cg_intrinsic1(cg, "llvm.smin", 2, v, words_of(cg, max), NULL), (1u << bits) - 1);
}

/* ---- floats ---- */

LLVMValueRef cg_texel_encode_half(struct cg *cg, LLVMValueRef value)
{
   LLVMTypeRef words = cg_vec_type(cg, cg->i32);
   LLVMValueRef v = cg_as_float(cg, value), bits = cg_as_int(cg, value);
   LLVMValueRef half = LLVMBuildZExt(cg->b, cg_as_int(cg, cg_float_to_half(cg, v)), words, "");
   LLVMValueRef nan = LLVMBuildOr(cg->b, cg_texel_and(cg, cg_texel_shift_right(cg, bits, 16), 0x8000), cg_const_like(words, 0x7e00), "");
   return cg_select(cg, LLVMBuildFCmp(cg->b, LLVMRealUNO, v, v, ""), nan, half);
}

static LLVMValueRef decode_float(struct cg *cg, LLVMValueRef number, uint32_t bits)
{
   return bits == 32 ? number : cg_half_to_float(cg, LLVMBuildTrunc(cg->b, number, cg_vec_type(cg, cg->i16), ""));
}

/* As rt_small_float_decode(). */
static LLVMValueRef decode_ufloat(struct cg *cg, LLVMValueRef number, uint32_t bits)
{
   const uint32_t mantissa = bits - 5;
   LLVMValueRef exponent = cg_texel_shift_right(cg, number, mantissa);
   LLVMValueRef small = LLVMBuildSIToFP(cg->b, number, cg_vec_type(cg, cg->f32), "");
   small = as_words(cg, LLVMBuildFMul(cg->b, small, as_floats(cg, words_of(cg, (127 - 14 - mantissa) << 23)), ""));
   LLVMValueRef is_special = LLVMBuildICmp(cg->b, LLVMIntEQ, exponent, words_of(cg, 31), "");
   LLVMValueRef bias = cg_select(cg, is_special, words_of(cg, 224u << 23), words_of(cg, 112u << 23));
   LLVMValueRef normal = LLVMBuildAdd(cg->b, cg_texel_shift_left(cg, number, 23 - mantissa), bias, "");
   return cg_select(cg, LLVMBuildICmp(cg->b, LLVMIntEQ, exponent, words_of(cg, 0), ""), small, normal);
}

/* As rt_small_float_encode(), of numbers below 0 as of 0. */
static LLVMValueRef encode_ufloat(struct cg *cg, LLVMValueRef value, uint32_t bits)
{
   LLVMBuilderRef b = cg->b;
   const uint32_t mantissa = bits - 5, drop = 23 - mantissa, magic = (127 + 9 - mantissa) << 23;
   LLVMValueRef is_negative = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntSLT, value, words_of(cg, 0), ""),
                                           LLVMBuildICmp(b, LLVMIntULE, value, words_of(cg, 0xff800000), ""), "");
   LLVMValueRef a = cg_select(cg, is_negative, words_of(cg, 0), cg_texel_and(cg, value, 0x7fffffff));
   LLVMValueRef normal = LLVMBuildAdd(b, a, cg_texel_and(cg, cg_texel_shift_right(cg, a, drop), 1), "");
   normal = LLVMBuildAdd(b, normal, words_of(cg, (1u << (drop - 1)) - 1 - (112u << 23)), "");
   normal = cg_texel_shift_right(cg, normal, drop);
   LLVMValueRef small = as_words(cg, LLVMBuildFAdd(b, as_floats(cg, a), as_floats(cg, words_of(cg, magic)), ""));
   small = LLVMBuildSub(b, small, words_of(cg, magic), "");
   LLVMValueRef result = cg_select(cg, LLVMBuildICmp(b, LLVMIntULT, a, words_of(cg, 0x38800000), ""), small, normal);
   LLVMValueRef is_large = LLVMBuildICmp(b, LLVMIntUGE, a, words_of(cg, 0x47800000), "");
   LLVMValueRef is_nan = LLVMBuildICmp(b, LLVMIntUGT, a, words_of(cg, 0x7f800000), "");
   result = cg_select(cg, is_large, words_of(cg, 31u << mantissa), result);
   return cg_select(cg, is_nan, words_of(cg, 31u << mantissa | 1u << (mantissa - 1)), result);
}

/* ---- whole texels ---- */

static const struct layout {
   uint8_t numeric, bits[4]; /* numeric: enum abi_texel_numeric */
} layouts[ABI_NUM_TEXEL_FORMATS] = {
#define X(name, vk_name, numeric, r, g, b, a) [ABI_TEXEL_FORMAT_##name] = {ABI_TEXEL_##numeric, {r, g, b, a}},
   ABI_TEXEL_FORMATS(X)
#undef X
};

static bool is_integer_layout(const struct layout *layout)
{
   return layout->numeric == ABI_TEXEL_UINT || layout->numeric == ABI_TEXEL_SINT;
}

/* 16-bit floats want instructions for them. */
bool cg_texel_has_format(const struct cg *cg, enum abi_texel_format format, bool is_integer)
{
   if (format == ABI_TEXEL_FORMAT_UNKNOWN || format >= ABI_NUM_TEXEL_FORMATS)
      return false;
   const struct layout *layout = &layouts[format];
   return is_integer_layout(layout) == is_integer &&
          (layout->numeric != ABI_TEXEL_FLOAT || layout->bits[0] == 32 || cg->target.level >= UTIL_CPU_V3);
}

uint32_t cg_texel_format_log2(enum abi_texel_format format)
{
   const uint8_t *bits = layouts[format].bits;
   return (uint32_t)__builtin_ctz((uint32_t)(bits[0] + bits[1] + bits[2] + bits[3]) / 8);
}

uint32_t cg_texel_format_word_bits(const struct cg *cg, enum abi_texel_format format)
{
   return cg->target.level >= UTIL_CPU_V4 && layouts[format].bits[3] == 16 ? 16 : 32;
}

static LLVMValueRef decode_component(struct cg *cg, enum abi_texel_numeric numeric, LLVMValueRef word, uint32_t shift, uint32_t bits)
{
   if (numeric == ABI_TEXEL_UNORM && bits == 8 && cg_v4_has_registers(cg))
      return as_words(cg, cg_v4_decode_bytes(cg, word, cg_i32(cg, shift)));
   const bool is_signed = numeric == ABI_TEXEL_SNORM || numeric == ABI_TEXEL_SINT;
   LLVMValueRef number = word;
   if (bits < 32 && is_signed)
      number = LLVMBuildAShr(cg->b, cg_texel_shift_left(cg, word, 32 - bits - shift), words_of(cg, 32 - bits), "");
   else if (bits < 32)
      number = cg_texel_and(cg, cg_texel_shift_right(cg, word, shift), (1u << bits) - 1);
   switch (numeric) {
   case ABI_TEXEL_UNORM: return as_words(cg, cg_texel_decode_unorm(cg, number, cg_texel_unorm_head(cg, bits), cg_texel_unorm_tail(cg, bits)));
   case ABI_TEXEL_SNORM: return as_words(cg, decode_snorm(cg, number, bits));
   case ABI_TEXEL_FLOAT: return as_words(cg, decode_float(cg, number, bits));
   case ABI_TEXEL_UFLOAT: return decode_ufloat(cg, number, bits);
   default: return number;
   }
}

/* Bits beyond the component's are zeros. */
static LLVMValueRef encode_component(struct cg *cg, enum abi_texel_numeric numeric, LLVMValueRef value, uint32_t bits)
{
   value = cg_as_int(cg, value);
   switch (numeric) {
   case ABI_TEXEL_UNORM: return cg_texel_encode_unorm(cg, value, LLVMConstReal(cg->f32, (1u << bits) - 1));
   case ABI_TEXEL_SNORM: return encode_snorm(cg, value, bits);
   case ABI_TEXEL_UINT: return encode_uint(cg, value, bits);
   case ABI_TEXEL_SINT: return encode_sint(cg, value, bits);
   case ABI_TEXEL_FLOAT: return bits == 32 ? value : cg_texel_encode_half(cg, value);
   case ABI_TEXEL_UFLOAT: return encode_ufloat(cg, value, bits);
   }
   return value;
}

void cg_texel_decode(struct cg *cg, enum abi_texel_format format, uint32_t word_bits, const LLVMValueRef words[4], LLVMValueRef values[4])
{
   const struct layout *layout = &layouts[format];
   uint32_t at = 0;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t bits = layout->bits[c];
      if (bits)
         values[c] = decode_component(cg, layout->numeric, words[at / word_bits], at % word_bits, bits);
      else
         values[c] = words_of(cg, c < 3 ? 0 : is_integer_layout(layout) ? 1 : 0x3f800000);
      at += bits;
   }
}

void cg_texel_encode(struct cg *cg, enum abi_texel_format format, const LLVMValueRef values[4], LLVMValueRef words[4])
{
   const struct layout *layout = &layouts[format];
   uint32_t at = 0;
   for (uint32_t w = 0; w < 4; w++)
      words[w] = NULL;
   for (uint32_t c = 0; c < 4 && layout->bits[c]; c++) {
      LLVMValueRef part = cg_texel_shift_left(cg, encode_component(cg, layout->numeric, values[c], layout->bits[c]), at % 32);
      LLVMValueRef *word = &words[at / 32];
      *word = *word ? LLVMBuildOr(cg->b, *word, part, "") : part;
      at += layout->bits[c];
   }
}
