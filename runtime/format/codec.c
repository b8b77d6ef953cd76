/* SPDX-License-Identifier: MIT
 * Unpack and pack functions of all layouts for runs of texels. */
#include "runtime/format/codec.h"

#define DEFINE(name, ...)                                                                                              \
   static void unpack_##name(const void *texels, uint32_t stride, uint32_t count, uint32_t (*rgba)[4])                 \
   {                                                                                                                   \
      static const struct rt_codec_layout layout = __VA_ARGS__;                                                        \
      rt_codec_unpack(&layout, texels, stride, count, rgba);                                                           \
   }                                                                                                                   \
   static void pack_##name(void *texels, uint32_t stride, uint32_t count, const uint32_t (*rgba)[4])                   \
   {                                                                                                                   \
      static const struct rt_codec_layout layout = __VA_ARGS__;                                                        \
      rt_codec_pack(&layout, texels, stride, count, rgba);                                                             \
   }
#define RT_CODEC(name, bytes, r, g, b, a) DEFINE(name, {bytes, {r, g, b, a}, false})
#define RT_CODEC_E5B9G9R9(name, bytes, r, g, b, a) DEFINE(name, {bytes, {r, g, b, a}, true})
#include "runtime/format/format_rows.h"
#undef RT_CODEC
#undef RT_CODEC_E5B9G9R9

const struct rt_codec rt_codecs[RT_NUM_CODECS] = {
#define RT_CODEC(name, ...) [RT_CODEC_##name] = {unpack_##name, pack_##name},
#define RT_CODEC_E5B9G9R9 RT_CODEC
#include "runtime/format/format_rows.h"
};
