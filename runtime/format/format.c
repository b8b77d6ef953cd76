/* SPDX-License-Identifier: MIT
 * The format table: generated rows, completed once with the functions that suit the processor. */
#include "runtime/format/format.h"

#include "runtime/format/codec.h"
#include "runtime/format/decode.h"
#include "util/cpu.h"

#include <string.h>

enum {
   RT_ROW_PACKED = 1 << 0,
   RT_ROW_COMPRESSED = 1 << 1,
   RT_ROW_CONVERTED = 1 << 2,
   RT_ROW_DEPTH = 1 << 3,
   RT_ROW_STENCIL = 1 << 4,
   RT_ROW_SRGB = 1 << 5,
   RT_ROW_INT = 1 << 6,
   RT_ROW_SIGNED = 1 << 7,
   LAST_CORE_FORMAT = 184, /* the values from 0 to here have no gap */
};

#define RT_PART(id, width, height) {id, width, height}
#define RT_SOURCE(part, channel) {part, channel}

/* Row 0 is VK_FORMAT_UNDEFINED, row i up to LAST_CORE_FORMAT the format of that value, then by value. Constant after
 * load. */
static struct rt_format_info rows[] = {
   {.name = "UNDEFINED", .block_width = 1, .block_height = 1, .block_depth = 1, .num_planes = 1, .num_parts = 1, .parts = {RT_PART(VK_FORMAT_UNDEFINED, 1, 1)}},
#define RT_FORMAT(id, text, bytes, width, height, depth, number, planes, flags, count, codec, decoder, r, g, b, a,     \
                  part_count, first, second, third, ...)                                                               \
   {.format = id, .name = text, .texel_bytes = bytes, .block_width = width, .block_height = height, .block_depth = depth, \
    .num_channels = count, .channels = {r, g, b, a}, .is_packed = !!((flags) & RT_ROW_PACKED),                         \
    .is_compressed = !!((flags) & RT_ROW_COMPRESSED), .is_depth = !!((flags) & RT_ROW_DEPTH),                          \
    .is_stencil = !!((flags) & RT_ROW_STENCIL), .is_srgb = !!((flags) & RT_ROW_SRGB),                                  \
    .is_int = !!((flags) & RT_ROW_INT), .is_signed = !!((flags) & RT_ROW_SIGNED),                                      \
    .needs_conversion = !!((flags) & RT_ROW_CONVERTED), .compat_class = number, .num_planes = planes,                  \
    .num_parts = part_count, .parts = {first, second, third}, .sources = {__VA_ARGS__}, .decode = decoder},
#include "runtime/format/format_rows.h"
#undef RT_FORMAT
};

static const uint8_t row_codecs[] = {
   RT_CODEC_none,
#define RT_FORMAT(id, text, bytes, width, height, depth, number, planes, flags, count, codec, ...) RT_CODEC_##codec,
#include "runtime/format/format_rows.h"
#undef RT_FORMAT
};
_Static_assert(RT_NUM_CODECS <= 256, "codec ids fit a byte");

/* At load, before any thread: rt_format_info() is too hot for a check. */
__attribute__((constructor)) static void complete_rows(void)
{
   const enum util_cpu_level level = util_cpu_level();
   const struct rt_codec_block *blocks = level >= UTIL_CPU_V4   ? rt_codec_blocks_v4
                                         : level >= UTIL_CPU_V3 ? rt_codec_blocks_v3
                                                                : rt_codec_blocks_v1;
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      const uint8_t codec = row_codecs[i];
      rows[i].unpack = rt_codecs[codec].unpack;
      rows[i].pack = rt_codecs[codec].pack;
      rows[i].unpack_block = blocks[codec].unpack;
      rows[i].pack_block = blocks[codec].pack;
   }
}

/* Rows of ASTC once more, for the two decode modes that are not of halves; the others stay empty. */
static struct rt_format_info rounded[2][UTIL_ARRAY_SIZE(rows)];

__attribute__((constructor)) static void fill_rounded(void)
{
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(rows); i++) {
      if (!rows[i].decode || rows[i].is_srgb || strncmp(rows[i].name, "ASTC", 4) != 0)
         continue;
      rounded[0][i] = rounded[1][i] = rows[i];
      rounded[0][i].round = rt_round_astc_unorm8;
      rounded[1][i].round = rt_round_astc_rgb9e5;
   }
}

const struct rt_format_info *rt_format_decode_mode(const struct rt_format_info *info, VkFormat mode)
{
   const uint32_t which = mode == VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
   if ((!which && mode != VK_FORMAT_R8G8B8A8_UNORM) || info < rows || info >= rows + UTIL_ARRAY_SIZE(rows) || !rounded[which][info - rows].decode)
      return info;
   return &rounded[which][info - rows];
}

const struct rt_format_info *rt_format_info(VkFormat format)
{
   if ((uint32_t)format <= LAST_CORE_FORMAT)
      return &rows[format];
   size_t low = LAST_CORE_FORMAT + 1, high = UTIL_ARRAY_SIZE(rows);
   while (low < high) {
      const size_t middle = (low + high) / 2;
      if (rows[middle].format < format)
         low = middle + 1;
      else
         high = middle;
   }
   return low < UTIL_ARRAY_SIZE(rows) && rows[low].format == format ? &rows[low] : &rows[0];
}

uint32_t rt_format_plane_index(const struct rt_format_info *info, VkImageAspectFlags aspect)
{
   const uint32_t last = info->num_planes - 1;
   const VkImageAspectFlags second = VK_IMAGE_ASPECT_PLANE_1_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_1_BIT_EXT;
   const VkImageAspectFlags third = VK_IMAGE_ASPECT_PLANE_2_BIT | VK_IMAGE_ASPECT_MEMORY_PLANE_2_BIT_EXT;
   if (aspect & (second | third))
      return UTIL_MIN(aspect & third ? 2u : 1u, last);
   return info->is_stencil && aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? last : 0;
}

VkFormat rt_format_plane(VkFormat format, VkImageAspectFlags aspect)
{
   const struct rt_format_info *info = rt_format_info(format);
   return info->num_planes > 1 ? info->parts[rt_format_plane_index(info, aspect)].format : format;
}

/* Each sRGB format of 8-bit channels comes six after its UNORM, behind SNORM, USCALED, SSCALED, UINT and SINT. */
const struct rt_format_info *rt_format_encoded(const struct rt_format_info *info)
{
   const VkFormat format = (VkFormat)(info->format - (VK_FORMAT_R8_SRGB - VK_FORMAT_R8_UNORM));
   return info->is_srgb && !info->is_compressed ? rt_format_info(format) : info;
}

void rt_format_pack_clear(VkFormat format, const VkClearColorValue *color, void *texel)
{
   const struct rt_format_info *info = rt_format_info(format);
   if (info->pack)
      info->pack(texel, info->texel_bytes, 1, &color->uint32);
}

void rt_format_unpack_64(const struct rt_format_info *info, const void *texel, uint32_t components[8])
{
   memset(components, 0, 8 * sizeof(uint32_t));
   memcpy(components, texel, UTIL_MIN(info->texel_bytes, 32));
}
