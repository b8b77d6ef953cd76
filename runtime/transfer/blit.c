/* SPDX-License-Identifier: MIT
 * Blits: scaled, mirrored, filtered, format-converting copies.
 * Spec: Copy Commands, "Image Blits with Scaling and Rotation". Coordinates are computed in double precision, colours
 * are filtered as 32-bit floats, one row of the destination at a time; addresses clamp to the edges of the image. */
#include "runtime/device.h"
#include "runtime/format/decode.h"
#include "runtime/parts.h"
#include "runtime/transfer/region.h"
#include "util/size.h"

#include <math.h>
#include <string.h>

#define TEXELS_PER_NS 0.1

struct tap {
   uint32_t at[4]; /* source texels, clamped; linear: the first two; cubic: the first and the last stand outside of them */
   float weight;   /* of at[1]; cubic: of at[2], with the two in the middle */
};

/* One axis: coordinate = (i + 0.5 - dst0) * scale + src0. */
struct axis {
   double src0, dst0, scale;
   uint32_t begin, end; /* destination texels, in order */
   uint32_t have;       /* extent of the source */
};

struct blit {
   struct rt_slices src, dst; /* the destination's slices begin at z.begin, or its base layer */
   const struct rt_format_info *src_info, *dst_info;
   struct axis x, y, z;
   bool is_layered; /* slices are layers: z stays */
   bool is_linear, is_cubic; /* cubic is linear too, but filters 4 x 4 texels of one slice */
   bool is_raw;           /* texels are moved as bytes */
   uint32_t min_x, max_x; /* source texels that rows read */
   struct rt_bands bands;
};

static struct axis axis_of(int32_t src0, int32_t src1, int32_t dst0, int32_t dst1, uint32_t src_have, uint32_t dst_have)
{
   struct axis axis = {.src0 = src0, .dst0 = dst0, .have = src_have};
   axis.scale = dst1 != dst0 ? ((double)src1 - src0) / ((double)dst1 - dst0) : 0;
   axis.begin = (uint32_t)UTIL_CLAMP(UTIL_MIN(dst0, dst1), 0, (int64_t)dst_have);
   axis.end = (uint32_t)UTIL_CLAMP(UTIL_MAX(dst0, dst1), 0, (int64_t)dst_have);
   return axis;
}

static uint32_t clamp_texel(double texel, uint32_t have)
{
   return texel > 0 ? (uint32_t)UTIL_MIN(texel, (double)(have - 1)) : 0;
}

static struct tap tap_of(const struct axis *axis, uint32_t i, bool is_linear, bool is_cubic)
{
   const double at = ((double)i + 0.5 - axis->dst0) * axis->scale + axis->src0;
   if (!is_linear) {
      const uint32_t texel = clamp_texel(floor(at), axis->have);
      return (struct tap){{texel, texel, texel, texel}, 0};
   }
   const double first = floor(at - 0.5);
   struct tap tap = {.weight = (float)(at - 0.5 - first)};
   for (uint32_t k = 0; k < 4; k++)
      tap.at[k] = clamp_texel(first + k - is_cubic, axis->have);
   return tap;
}

/* ---- rows ---- */

/* What an item keeps in its worker's scratch, all arrays one behind the other. */
struct rows {
   struct tap *taps;      /* [destination width] */
   uint32_t (*src[4])[4]; /* unpacked rows: two of the first slice, two of the second */
   int64_t src_row[4];    /* which they are: slice << 32 | y; -1: none */
   uint32_t (*dst)[4];
   uint8_t *raw; /* one row, packed */
};

static bool open_rows(struct rows *rows, const struct blit *blit, struct rt_worker *worker)
{
   const size_t width = blit->x.end - blit->x.begin, src_width = (size_t)blit->max_x - blit->min_x + 1;
   const size_t taps_bytes = util_align(width * sizeof(struct tap), 16);
   const size_t texel_bytes = UTIL_MAX(16, blit->dst_info->texel_bytes);
   const size_t src_bytes = src_width * texel_bytes, dst_bytes = width * texel_bytes;
   uint8_t *scratch =
      rt_worker_scratch(worker, util_size_add(util_size_array(taps_bytes, 4, src_bytes), util_size_add(dst_bytes, UTIL_MAX(src_bytes, dst_bytes))));
   if (!scratch) {
      rt_pool_fail(worker->pool, "out of memory for a blit");
      return false;
   }
   rows->taps = (struct tap *)scratch;
   scratch += taps_bytes;
   for (uint32_t i = 0; i < 4; i++, scratch += src_bytes) {
      rows->src[i] = (uint32_t(*)[4])scratch;
      rows->src_row[i] = -1;
   }
   rows->dst = (uint32_t(*)[4])scratch;
   rows->raw = scratch + dst_bytes;
   for (uint32_t i = 0; i < width; i++)
      rows->taps[i] = tap_of(&blit->x, blit->x.begin + i, blit->is_linear, blit->is_cubic);
   return true;
}

/* Row y of a slice of blocks, z texels deep in them. */
static void unpack_compressed(const struct blit *blit, const struct rt_texels *texels, uint32_t y, uint32_t z, uint32_t (*row)[4])
{
   const uint32_t width = blit->src_info->block_width, height = blit->src_info->block_height;
   uint32_t decoded[RT_MAX_BLOCK_TEXELS][4];
   for (uint32_t x = blit->min_x; x <= blit->max_x; x = (x / width + 1) * width) {
      uint8_t block[32];
      memcpy(block, rt_texels_at(texels, x / width, y / height), texels->texel_bytes);
      blit->src_info->decode(block, decoded);
      for (uint32_t i = x % width; i < width && x / width * width + i <= blit->max_x; i++)
         memcpy(row[x / width * width + i - blit->min_x], decoded[(z * height + y % height) * width + i], sizeof(decoded[0]));
   }
}

/* Reads a row into a slot. */
static const uint32_t (*read_row(const struct blit *blit, struct rows *rows, uint32_t slice, uint32_t y,
                                 uint32_t slot))[4]
{
   const uint32_t depth = blit->src.image->type == VK_IMAGE_TYPE_3D ? blit->src_info->block_depth : 1;
   const struct rt_texels texels = rt_slices_at(&blit->src, slice / depth, 0);
   if (blit->src_info->is_compressed) {
      unpack_compressed(blit, &texels, y, slice % depth, rows->src[slot]);
   } else {
      const uint32_t width = blit->max_x - blit->min_x + 1;
      rt_texels_read(&texels, blit->min_x, y, width, 1, rows->raw, 0);
      blit->src_info->unpack(rows->raw, texels.texel_bytes, width, rows->src[slot]);
   }
   rows->src_row[slot] = (int64_t)slice << 32 | y;
   return (const uint32_t(*)[4])rows->src[slot];
}

/* Row y of a slice as 32-bit components, from texel min_x on, kept in one of the four slots. */
static const uint32_t (*source_row(const struct blit *blit, struct rows *rows, uint32_t slice, uint32_t y,
                                   uint32_t slot))[4]
{
   const int64_t key = (int64_t)slice << 32 | y;
   if (rows->src_row[slot] == key)
      return (const uint32_t(*)[4])rows->src[slot];
   if (blit->is_cubic)
      return read_row(blit, rows, slice, y, slot);
   /* Rows are walked in order: the upper one of before is often the lower one now. */
   if (rows->src_row[slot ^ 1] == key) {
      uint32_t(*row)[4] = rows->src[slot];
      rows->src[slot] = rows->src[slot ^ 1];
      rows->src[slot ^ 1] = row;
      rows->src_row[slot ^ 1] = rows->src_row[slot];
      rows->src_row[slot] = key;
      return (const uint32_t(*)[4])rows->src[slot];
   }
   return read_row(blit, rows, slice, y, slot);
}

/* One texel: four components side by side, computed as one by one. */
typedef float float4 __attribute__((vector_size(16)));

static float4 load(const uint32_t (*row)[4], uint32_t i)
{
   float4 value;
   memcpy(&value, row[i], sizeof(value));
   return value;
}

static float4 lerp(float4 a, float4 b, float weight)
{
   return a + (b - a) * weight;
}

/* Filters along x, then y: one slice's contribution to a texel. */
static float4 filter_texel(const uint32_t (*low)[4], const uint32_t (*high)[4], const struct tap *x, float y_weight,
                           uint32_t min_x)
{
   const uint32_t a = x->at[0] - min_x, b = x->at[1] - min_x;
   const float4 l = lerp(load(low, a), load(low, b), x->weight);
   const float4 h = lerp(load(high, a), load(high, b), x->weight);
   return lerp(l, h, y_weight);
}

static void filter_row(const struct blit *blit, struct rows *rows, const struct tap *y, const struct tap *z)
{
   const uint32_t width = blit->x.end - blit->x.begin;
   const uint32_t(*low[2])[4], (*high[2])[4];
   const uint32_t num_slices = z->at[0] == z->at[1] ? 1 : 2;
   for (uint32_t s = 0; s < num_slices; s++) {
      low[s] = source_row(blit, rows, z->at[s], y->at[0], s * 2);
      /* The same row twice is one row: it must not be moved to the other slot. */
      high[s] = y->at[0] == y->at[1] ? low[s] : source_row(blit, rows, z->at[s], y->at[1], s * 2 + 1);
   }
   for (uint32_t i = 0; i < width; i++) {
      float4 texel = filter_texel(low[0], high[0], &rows->taps[i], y->weight, blit->min_x);
      if (num_slices == 2)
         texel = lerp(texel, filter_texel(low[1], high[1], &rows->taps[i], y->weight, blit->min_x), z->weight);
      memcpy(rows->dst[i], &texel, sizeof(texel));
   }
}

/* Weights of four texels in a row. Spec: Image Operations, "Texel Cubic Filtering", Catmull-Rom. */
static void cubic_weights(float a, float weights[4])
{
   const float a2 = a * a, a3 = a2 * a;
   weights[0] = 0.5f * ((2.0f * a2 - a) - a3);
   weights[1] = 0.5f * ((2.0f - 5.0f * a2) + 3.0f * a3);
   weights[2] = 0.5f * ((a + 4.0f * a2) - 3.0f * a3);
   weights[3] = 0.5f * (a3 - a2);
}

/* Row y stands in slot y % 4, so that the four rows of a tap never meet and the next tap finds three of them. */
static void filter_row_cubic(const struct blit *blit, struct rows *rows, const struct tap *y, uint32_t slice)
{
   const uint32_t width = blit->x.end - blit->x.begin;
   const uint32_t(*row[4])[4];
   float row_weights[4];
   cubic_weights(y->weight, row_weights);
   for (uint32_t k = 0; k < 4; k++)
      row[k] = source_row(blit, rows, slice, y->at[k], y->at[k] & 3);
   for (uint32_t i = 0; i < width; i++) {
      const struct tap *x = &rows->taps[i];
      float weights[4];
      float4 texel = {0};
      cubic_weights(x->weight, weights);
      for (uint32_t k = 0; k < 4; k++) {
         float4 sum = {0};
         for (uint32_t j = 0; j < 4; j++)
            sum += load(row[k], x->at[j] - blit->min_x) * weights[j];
         texel += sum * row_weights[k];
      }
      memcpy(rows->dst[i], &texel, sizeof(texel));
   }
}

static void pick_row(const struct blit *blit, struct rows *rows, const struct tap *y, const struct tap *z)
{
   const uint32_t width = blit->x.end - blit->x.begin;
   const uint32_t(*row)[4] = source_row(blit, rows, z->at[0], y->at[0], 0);
   for (uint32_t i = 0; i < width; i++)
      memcpy(rows->dst[i], row[rows->taps[i].at[0] - blit->min_x], sizeof(rows->dst[i]));
}

/* Integers are clamped to what the destination can hold. */
static void clamp_integers(const struct rt_format_info *info, uint32_t (*texels)[4], uint32_t count)
{
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t bits = info->channels[c].bits;
      if (!bits || bits >= 32)
         continue;
      const int32_t low = -(1 << (bits - 1)), high = (1 << (bits - 1)) - 1;
      const uint32_t max = (1u << bits) - 1;
      for (uint32_t i = 0; i < count; i++) {
         if (info->channels[c].numeric == RT_SINT)
            texels[i][c] = (uint32_t)UTIL_CLAMP((int32_t)texels[i][c], low, high);
         else
            texels[i][c] = UTIL_MIN(texels[i][c], max);
      }
   }
}

/* `size` is a constant where this is inlined, but for odd sizes. */
static inline __attribute__((always_inline)) void pick_texels(const struct rows *rows, const uint8_t *row,
                                                              uint32_t min_x, uint32_t width, size_t size)
{
   for (uint32_t i = 0; i < width; i++)
      memcpy(rows->raw + i * size, row + (rows->taps[i].at[0] - min_x) * size, size);
}

static void pick_raw_row(const struct blit *blit, const struct rows *rows, uint32_t slice, uint32_t y)
{
   const struct rt_texels texels = rt_slices_at(&blit->src, slice, 0);
   const uint32_t width = blit->x.end - blit->x.begin, size = texels.texel_bytes;
   uint8_t *row = (uint8_t *)rows->src[0];
   rt_texels_read(&texels, blit->min_x, y, blit->max_x - blit->min_x + 1, 1, row, 0);
   switch (size) {
   case 1:
      pick_texels(rows, row, blit->min_x, width, 1);
      break;
   case 2:
      pick_texels(rows, row, blit->min_x, width, 2);
      break;
   case 4:
      pick_texels(rows, row, blit->min_x, width, 4);
      break;
   case 8:
      pick_texels(rows, row, blit->min_x, width, 8);
      break;
   case 16:
      pick_texels(rows, row, blit->min_x, width, 16);
      break;
   default:
      pick_texels(rows, row, blit->min_x, width, size);
      break;
   }
}

static void run_blit(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct blit *blit = data;
   const uint32_t width = blit->x.end - blit->x.begin;
   struct rows rows;
   uint32_t slice, first_y, height;
   if (!open_rows(&rows, blit, worker))
      return;
   rt_bands_item(&blit->bands, index, &slice, &first_y, &height);
   const struct rt_texels dst = rt_slices_at(&blit->dst, slice, 0);
   /* Layers go one to one; rt_slices_at() adds the source's first layer. */
   const struct tap z =
      blit->is_layered ? (struct tap){{slice, slice}, 0} : tap_of(&blit->z, blit->z.begin + slice, blit->is_linear && !blit->is_cubic, false);

   for (uint32_t y = first_y; y < first_y + height; y++) {
      const struct tap tap = tap_of(&blit->y, y, blit->is_linear, blit->is_cubic);
      if (blit->is_raw) {
         pick_raw_row(blit, &rows, z.at[0], tap.at[0]);
      } else {
         if (blit->is_cubic)
            filter_row_cubic(blit, &rows, &tap, z.at[0]);
         else if (blit->is_linear)
            filter_row(blit, &rows, &tap, &z);
         else
            pick_row(blit, &rows, &tap, &z);
         if (blit->dst_info->is_int)
            clamp_integers(blit->dst_info, rows.dst, width);
         blit->dst_info->pack(rows.raw, dst.texel_bytes, width, (const uint32_t(*)[4])rows.dst);
      }
      rt_texels_write(&dst, blit->x.begin, y, width, 1, rows.raw, 0);
   }
}

/* ---- the command ---- */

/* Along z. Layers of one side and slices of the other go by their numbers: its offsets say which are first, and last. */
static struct axis slice_axis(const struct rt_cmd_blit_image *cmd, const VkImageBlit *region, uint32_t src_depth, uint32_t dst_depth)
{
   const VkOffset3D *s = region->srcOffsets, *d = region->dstOffsets;
   const bool from_layers = cmd->src->type != VK_IMAGE_TYPE_3D, to_layers = cmd->dst->type != VK_IMAGE_TYPE_3D;
   const uint32_t have = cmd->src->num_layers - UTIL_MIN(region->srcSubresource.baseArrayLayer, cmd->src->num_layers - 1);
   const uint32_t src_layers = UTIL_MIN(rt_num_layers(cmd->src, &region->srcSubresource), have);
   const uint32_t dst_layers = rt_num_layers(cmd->dst, &region->dstSubresource);
   return axis_of(from_layers ? 0 : s[0].z, from_layers ? (int32_t)src_layers : s[1].z, to_layers ? 0 : d[0].z,
                  to_layers ? (int32_t)dst_layers : d[1].z, from_layers ? src_layers : src_depth, to_layers ? dst_layers : dst_depth);
}

static void blit_aspect(struct rt_executor *executor, const struct rt_cmd_blit_image *cmd, const VkImageBlit *region,
                        VkImageAspectFlags aspect)
{
   const VkImageSubresourceLayers *src = &region->srcSubresource, *dst = &region->dstSubresource;
   const uint32_t src_plane = rt_image_plane(cmd->src, aspect), dst_plane = rt_image_plane(cmd->dst, aspect);
   const struct abi_level *from = &cmd->src->planes[src_plane].levels[src->mipLevel];
   const struct abi_level *to = &cmd->dst->planes[dst_plane].levels[dst->mipLevel];
   const VkOffset3D *s = region->srcOffsets, *d = region->dstOffsets;

   struct blit blit = {
      .src_info = cmd->src->planes[src_plane].info,
      .dst_info = cmd->dst->planes[dst_plane].info,
      .x = axis_of(s[0].x, s[1].x, d[0].x, d[1].x, from->width, to->width),
      .y = axis_of(s[0].y, s[1].y, d[0].y, d[1].y, from->height, to->height),
      .z = slice_axis(cmd, region, from->depth, to->depth),
      .is_layered = cmd->src->type != VK_IMAGE_TYPE_3D && cmd->dst->type != VK_IMAGE_TYPE_3D,
      .is_linear = cmd->filter != VK_FILTER_NEAREST,
   };
   if (blit.x.begin >= blit.x.end || blit.y.begin >= blit.y.end)
      return;
   const uint32_t num_layers = UTIL_MIN(rt_num_layers(cmd->src, src), rt_num_layers(cmd->dst, dst));
   blit.src =
      rt_slices_of(cmd->src, aspect, src->mipLevel, src->baseArrayLayer, 0, blit.is_layered ? num_layers : UINT32_MAX);
   blit.dst = rt_slices_of(cmd->dst, aspect, dst->mipLevel, dst->baseArrayLayer, (int32_t)blit.z.begin,
                           blit.is_layered ? num_layers : blit.z.end - blit.z.begin);
   const uint32_t count = blit.is_layered ? UTIL_MIN(blit.src.count, blit.dst.count) : blit.dst.count;

   /* Without scaling linear filtering hits texel centres. */
   const bool is_unscaled =
      fabs(blit.x.scale) == 1 && fabs(blit.y.scale) == 1 && (blit.is_layered || fabs(blit.z.scale) == 1);
   blit.is_linear = blit.is_linear && !is_unscaled;
   blit.is_cubic = blit.is_linear && cmd->filter == VK_FILTER_CUBIC_EXT;
   blit.is_raw = !blit.is_linear && blit.src_info->format == blit.dst_info->format && blit.src_info->block_width == 1;
   if (!blit.is_raw && (!blit.dst_info->pack || !(blit.src_info->unpack || blit.src_info->decode))) {
      rt_device_lose(executor->device, "a blit of formats without blit support");
      return;
   }
   const struct tap first = tap_of(&blit.x, blit.x.begin, blit.is_linear, blit.is_cubic);
   const struct tap last = tap_of(&blit.x, blit.x.end - 1, blit.is_linear, blit.is_cubic);
   const uint32_t end = blit.is_cubic ? 3 : 1;
   blit.min_x = UTIL_MIN(first.at[0], last.at[0]);
   blit.max_x = UTIL_MAX(first.at[end], last.at[end]);

   const uint64_t width = blit.x.end - blit.x.begin;
   blit.bands = rt_bands_of(blit.y.begin, blit.y.end - blit.y.begin, count, width * 16);
   rt_add_bands(executor, &blit.bands, run_blit, &blit, sizeof(blit), blit.is_raw ? 1 : TEXELS_PER_NS,
                width * (blit.y.end - blit.y.begin) * count, "blit of an image");
}

void rt_execute_blit_image(struct rt_executor *executor, const struct rt_cmd *cmd)
{
   const struct rt_cmd_blit_image *blit = (const struct rt_cmd_blit_image *)cmd;
   for (struct rt_parts parts = rt_parts_of(&executor->worker, blit->num_regions); rt_parts_next(&parts);) {
      const VkImageBlit *region = &blit->regions[parts.index];
      for (VkImageAspectFlags left = region->srcSubresource.aspectMask; left; left &= left - 1)
         blit_aspect(executor, blit, region, left & -left);
   }
}
