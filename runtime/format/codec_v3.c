/* SPDX-License-Identifier: MIT
 * The codecs' block functions for processors with AVX2. */
#include "runtime/format/codec.h"

#ifdef __x86_64__
#define ATTRIBUTE __attribute__((target("avx2")))
#else
#define ATTRIBUTE
#endif
#define RT_CODEC(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, ATTRIBUTE, {bytes, {r, g, b, a}, false})
#define RT_CODEC_E5B9G9R9(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, ATTRIBUTE, {bytes, {r, g, b, a}, true})
#include "runtime/format/format_rows.h"
#undef RT_CODEC
#undef RT_CODEC_E5B9G9R9

const struct rt_codec_block rt_codec_blocks_v3[RT_NUM_CODECS] = {
#define RT_CODEC(name, ...) [RT_CODEC_##name] = {unpack_block_##name, pack_block_##name},
#define RT_CODEC_E5B9G9R9 RT_CODEC
#include "runtime/format/format_rows.h"
};
