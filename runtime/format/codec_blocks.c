/* SPDX-License-Identifier: MIT
 * The codecs' block functions, compiled once per instruction set level: RT_CODEC_BLOCKS is the table's name. */
#include "runtime/format/codec.h"

#define RT_CODEC(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, {bytes, {r, g, b, a}, false})
#define RT_CODEC_E5B9G9R9(name, bytes, r, g, b, a) RT_CODEC_DEFINE_BLOCK(name, {bytes, {r, g, b, a}, true})
#include "runtime/format/format_rows.h"
#undef RT_CODEC
#undef RT_CODEC_E5B9G9R9

const struct rt_codec_block RT_CODEC_BLOCKS[RT_NUM_CODECS] = {
#define RT_CODEC(name, ...) [RT_CODEC_##name] = {unpack_block_##name, pack_block_##name},
#define RT_CODEC_E5B9G9R9 RT_CODEC
#include "runtime/format/format_rows.h"
};
