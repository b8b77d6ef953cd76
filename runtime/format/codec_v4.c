/* SPDX-License-Identifier: MIT
 * The codecs' block functions for processors with AVX-512. */
#include "runtime/format/codec.h"

#if !defined(__x86_64__)
#define ATTRIBUTE
#elif defined(__clang__)
#define ATTRIBUTE __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl"), min_vector_width(512)))
#else
#define ATTRIBUTE __attribute__((target("avx2,avx512f,avx512bw,avx512dq,avx512vl,prefer-vector-width=512")))
#endif
#define RT_CODEC(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, ATTRIBUTE, {bytes, {r, g, b, a}, false})
#define RT_CODEC_E5B9G9R9(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, ATTRIBUTE, {bytes, {r, g, b, a}, true})
#include "runtime/format/format_rows.h"
#undef RT_CODEC
#undef RT_CODEC_E5B9G9R9

const struct rt_codec_block rt_codec_blocks_v4[RT_NUM_CODECS] = {
#define RT_CODEC(name, ...) [RT_CODEC_##name] = {unpack_block_##name, pack_block_##name},
#define RT_CODEC_E5B9G9R9 RT_CODEC
#include "runtime/format/format_rows.h"
};
