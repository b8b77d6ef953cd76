/* SPDX-License-Identifier: MIT
 * Blits: scaled, mirrored, filtered, format-converting copies.
 * Spec: Copy Commands, "Image Blits with Scaling and Rotation". Coordinates are computed in double precision, colours
 * are filtered as 32-bit floats, one row of the destination at a time, along y and then along x; addresses clamp to the edges of the image. */
#include "runtime/device.h"
#include "runtime/format/decode.h"
#include "runtime/parts.h"
#include "runtime/transfer/filter_rows.h"
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

/* Where the destination's first texels come from, and whether all that follow come from inside of the image; of scales that are whole numbers. */
static double source_of(const struct axis *axis)
{
   return (axis->begin - axis->dst0) * axis->scale + axis->src0;
}

static bool is_inside(const struct axis *axis)
{
   const double first = source_of(axis);
   return first >= 0 && first + axis->scale * (axis->end - axis->begin) <= axis->have;
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

enum { QUAD = 4 }; /* rows that are read and written at once, as blocks have them */

/* What an item keeps in its worker's scratch. Rows of the source begin at texel min_x, those of the destination at x.begin. */
struct rows {
   struct rt_row_taps taps;    /* of nearest filtering `first` alone; both relative to min_x */
   struct tap *cubic;          /* [destination width] */
   rt_row_group *src[4];       /* unpacked rows: two of the first slice, two of the second */
   int64_t src_row[4];         /* which they are: slice << 32 | y; -1: none */
   rt_row_group *dst, *other;  /* of the first slice, of both */
   float *planes;              /* [4][stride] */
   size_t stride;
   uint8_t *read[2];           /* rows of the source as they lie in memory, of the first and the second slice; next is what is read: */
   int64_t read_row[2];        /* slice << 32 | y, of the first of them; -1: none */
   uint8_t *written;           /* rows of the destination that wait */
   uint32_t num_written;
   size_t read_pitch, written_pitch; /* bytes */
};

static size_t group_bytes(size_t width, size_t bytes)
{
   return util_size_mul(util_align(width, RT_ROW_GROUP), bytes);
}

static bool open_rows(struct rows *rows, const struct blit *blit, struct rt_worker *worker)
{
   const size_t width = blit->x.end - blit->x.begin, src_width = (size_t)blit->max_x - blit->min_x + 1;
   const size_t src_bytes = group_bytes(src_width, 16), dst_bytes = group_bytes(width, 16), taps_bytes = group_bytes(width, 4);
   rows->stride = util_align(src_width, RT_ROW_GROUP) + RT_ROW_SLACK;
   rows->read_pitch = group_bytes(src_width, blit->src_info->texel_bytes);
   rows->written_pitch = group_bytes(width, blit->dst_info->texel_bytes);
   const size_t sizes[] = {
      taps_bytes, taps_bytes, taps_bytes, blit->is_cubic ? group_bytes(width, sizeof(struct tap)) : 0, src_bytes, src_bytes, src_bytes, src_bytes,
      dst_bytes, dst_bytes, util_size_mul(rows->stride, 16), util_size_mul(rows->read_pitch, QUAD), util_size_mul(rows->read_pitch, QUAD),
      util_size_mul(rows->written_pitch, QUAD),
   };
   void *parts[UTIL_ARRAY_SIZE(sizes)];
   size_t sum = 0;
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(sizes); i++)
      sum = util_size_add(sum, util_size_add(sizes[i], 63) & ~(size_t)63);
   uint8_t *scratch = rt_worker_scratch(worker, sum);
   if (!scratch) {
      rt_pool_fail(worker->pool, "out of memory for a blit");
      return false;
   }
   for (uint32_t i = 0; i < UTIL_ARRAY_SIZE(sizes); i++) {
      parts[i] = scratch;
      scratch += util_align(sizes[i], 64);
   }
   rows->taps = (struct rt_row_taps){parts[0], parts[1], parts[2]};
   rows->cubic = parts[3];
   for (uint32_t i = 0; i < 4; i++) {
      rows->src[i] = parts[4 + i];
      rows->src_row[i] = -1;
   }
   rows->dst = parts[8];
   rows->other = parts[9];
   rows->planes = parts[10];
   for (uint32_t i = 0; i < 2; i++) {
      rows->read[i] = parts[11 + i];
      rows->read_row[i] = -1;
   }
   rows->written = parts[13];
   rows->num_written = 0;
   for (uint32_t i = 0; i < util_align(width, RT_ROW_GROUP); i++) {
      const struct tap tap = tap_of(&blit->x, blit->x.begin + UTIL_MIN(i, (uint32_t)width - 1), blit->is_linear, blit->is_cubic);
      rows->taps.first[i] = (int32_t)(tap.at[0] - blit->min_x);
      rows->taps.second[i] = (int32_t)(tap.at[1] - blit->min_x);
      rows->taps.weights[i] = tap.weight;
      if (blit->is_cubic)
         rows->cubic[i] = tap;
   }
   return true;
}

/* Row y of a slice of blocks, z texels deep in them. */
static void unpack_compressed(const struct blit *blit, const struct rt_texels *texels, uint32_t y, uint32_t z, rt_row_group *row)
{
   const uint32_t width = blit->src_info->block_width, height = blit->src_info->block_height;
   uint32_t decoded[RT_MAX_BLOCK_TEXELS][4];
   for (uint32_t x = blit->min_x; x <= blit->max_x; x = (x / width + 1) * width) {
      uint8_t block[32];
      memcpy(block, rt_texels_at(texels, x / width, y / height), texels->texel_bytes);
      blit->src_info->decode(block, decoded);
      for (uint32_t i = x % width; i < width && x / width * width + i <= blit->max_x; i++) {
         const uint32_t at = x / width * width + i - blit->min_x;
         for (uint32_t c = 0; c < 4; c++)
            memcpy(&row[at / RT_ROW_GROUP][c][at % RT_ROW_GROUP], &decoded[(z * height + y % height) * width + i][c], sizeof(float));
      }
   }
}

/* Row y of a slice as it lies in memory, `which` of rows->read: it is read with those beside it. */
static const uint8_t *read_row(const struct blit *blit, struct rows *rows, const struct rt_texels *texels, uint32_t slice, uint32_t y, uint32_t which)
{
   const uint32_t first = y / QUAD * QUAD;
   const int64_t key = (int64_t)slice << 32 | first;
   if (rows->read_row[which] != key)
      rt_texels_read(texels, blit->min_x, first, blit->max_x - blit->min_x + 1, UTIL_MIN(QUAD, texels->height - first), rows->read[which],
                     rows->read_pitch);
   rows->read_row[which] = key;
   return rows->read[which] + y % QUAD * rows->read_pitch;
}

/* Reads a row into a slot. */
static const rt_row_group *unpack_row(const struct blit *blit, struct rows *rows, uint32_t slice, uint32_t y, uint32_t slot)
{
   const uint32_t depth = blit->src.image->type == VK_IMAGE_TYPE_3D ? blit->src_info->block_depth : 1;
   const struct rt_texels texels = rt_slices_at(&blit->src, slice / depth, 0);
   if (blit->src_info->is_compressed) {
      unpack_compressed(blit, &texels, y, slice % depth, rows->src[slot]);
   } else {
      const uint32_t num_groups = UTIL_DIV_ROUND_UP(blit->max_x - blit->min_x + 1, RT_ROW_GROUP);
      const uint8_t *row = read_row(blit, rows, &texels, slice, y, slot / 2);
      for (uint32_t g = 0; g < num_groups; g++)
         blit->src_info->unpack_block(row + (size_t)g * RT_ROW_GROUP * texels.texel_bytes, (uint32_t(*)[RT_ROW_GROUP])rows->src[slot][g]);
   }
   rows->src_row[slot] = (int64_t)slice << 32 | y;
   return (const rt_row_group *)rows->src[slot];
}

/* Row y of a slice as 32-bit components, from texel min_x on, kept in one of the four slots. */
static const rt_row_group *source_row(const struct blit *blit, struct rows *rows, uint32_t slice, uint32_t y, uint32_t slot)
{
   const int64_t key = (int64_t)slice << 32 | y;
   if (rows->src_row[slot] == key)
      return (const rt_row_group *)rows->src[slot];
   if (blit->is_cubic)
      return unpack_row(blit, rows, slice, y, slot);
   /* Rows are walked in order: the upper one of before is often the lower one now. */
   if (rows->src_row[slot ^ 1] == key) {
      rt_row_group *row = rows->src[slot];
      rows->src[slot] = rows->src[slot ^ 1];
      rows->src[slot ^ 1] = row;
      rows->src_row[slot ^ 1] = rows->src_row[slot];
      rows->src_row[slot] = key;
      return (const rt_row_group *)rows->src[slot];
   }
   return unpack_row(blit, rows, slice, y, slot);
}

/* One slice's contribution: along y, then along x. */
static void filter_slice(const struct blit *blit, struct rows *rows, const struct tap *y, uint32_t slice, uint32_t slot, rt_row_group *dst)
{
   const rt_row_group *low = source_row(blit, rows, slice, y->at[0], slot);
   /* The same row twice is one row: it must not be moved to the other slot. */
   const rt_row_group *high = y->at[0] == y->at[1] ? low : source_row(blit, rows, slice, y->at[1], slot + 1);
   rt_rows_mix(low, high, y->weight, UTIL_DIV_ROUND_UP(blit->max_x - blit->min_x + 1, RT_ROW_GROUP), rows->planes, rows->stride);
   rt_rows_pick(rows->planes, rows->stride, &rows->taps, UTIL_DIV_ROUND_UP(blit->x.end - blit->x.begin, RT_ROW_GROUP), dst);
}

static const rt_row_group *filter_row(const struct blit *blit, struct rows *rows, const struct tap *y, const struct tap *z)
{
   filter_slice(blit, rows, y, z->at[0], 0, rows->dst);
   if (z->at[0] == z->at[1])
      return (const rt_row_group *)rows->dst;
   filter_slice(blit, rows, y, z->at[1], 2, rows->other);
   const size_t count = util_align(blit->x.end - blit->x.begin, RT_ROW_GROUP) * 4;
   const float *a = rows->dst[0][0], *b = rows->other[0][0];
   float *mixed = rows->dst[0][0];
   for (size_t i = 0; i < count; i++)
      mixed[i] = a[i] + (b[i] - a[i]) * z->weight;
   return (const rt_row_group *)rows->dst;
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
static const rt_row_group *filter_row_cubic(const struct blit *blit, struct rows *rows, const struct tap *y, uint32_t slice)
{
   const uint32_t width = blit->x.end - blit->x.begin;
   const rt_row_group *row[4];
   float row_weights[4];
   cubic_weights(y->weight, row_weights);
   for (uint32_t k = 0; k < 4; k++)
      row[k] = source_row(blit, rows, slice, y->at[k], y->at[k] & 3);
   for (uint32_t i = 0; i < width; i++) {
      const struct tap *x = &rows->cubic[i];
      float weights[4];
      cubic_weights(x->weight, weights);
      for (uint32_t c = 0; c < 4; c++) {
         float texel = 0;
         for (uint32_t k = 0; k < 4; k++) {
            float sum = 0;
            for (uint32_t j = 0; j < 4; j++) {
               const uint32_t at = x->at[j] - blit->min_x;
               sum += row[k][at / RT_ROW_GROUP][c][at % RT_ROW_GROUP] * weights[j];
            }
            texel += sum * row_weights[k];
         }
         rows->dst[i / RT_ROW_GROUP][c][i % RT_ROW_GROUP] = texel;
      }
   }
   return (const rt_row_group *)rows->dst;
}

/* Texel by texel as they are: numbers may be integers. */
static const rt_row_group *pick_row(const struct blit *blit, struct rows *rows, const struct tap *y, const struct tap *z)
{
   const uint32_t width = blit->x.end - blit->x.begin;
   const rt_row_group *row = source_row(blit, rows, z->at[0], y->at[0], 0);
   if (rows->taps.first[0] == 0 && (uint32_t)rows->taps.first[width - 1] == width - 1)
      return row;
   for (uint32_t i = 0; i < width; i++) {
      const uint32_t at = (uint32_t)rows->taps.first[i];
      for (uint32_t c = 0; c < 4; c++)
         memcpy(&rows->dst[i / RT_ROW_GROUP][c][i % RT_ROW_GROUP], &row[at / RT_ROW_GROUP][c][at % RT_ROW_GROUP], sizeof(float));
   }
   return (const rt_row_group *)rows->dst;
}

/* `size` is a constant where this is inlined, but for odd sizes. */
static inline __attribute__((always_inline)) void pick_texels(const struct rows *rows, const uint8_t *row, uint32_t width, size_t size, uint8_t *to)
{
   for (uint32_t i = 0; i < width; i++)
      memcpy(to + i * size, row + (uint32_t)rows->taps.first[i] * size, size);
}

static void pick_raw_row(const struct blit *blit, struct rows *rows, uint32_t slice, uint32_t y, uint8_t *to)
{
   const struct rt_texels texels = rt_slices_at(&blit->src, slice, 0);
   const uint32_t width = blit->x.end - blit->x.begin;
   const uint8_t *row = read_row(blit, rows, &texels, slice, y, 0);
   switch (texels.texel_bytes) {
   case 1: pick_texels(rows, row, width, 1, to); break;
   case 2: pick_texels(rows, row, width, 2, to); break;
   case 4: pick_texels(rows, row, width, 4, to); break;
   case 8: pick_texels(rows, row, width, 8, to); break;
   case 16: pick_texels(rows, row, width, 16, to); break;
   default: pick_texels(rows, row, width, texels.texel_bytes, to); break;
   }
}

/* Writes the rows that wait, of which y is the last. */
static void write_rows(const struct blit *blit, struct rows *rows, const struct rt_texels *dst, uint32_t y)
{
   rt_texels_write(dst, blit->x.begin, y + 1 - rows->num_written, blit->x.end - blit->x.begin, rows->num_written, rows->written, rows->written_pitch);
   rows->num_written = 0;
}

/* ---- blocks: half the size, as the next level of mipmaps is ---- */

/* Blocks of the destination are made of whole blocks of the source. */
static bool is_halved(const struct axis *axis, uint32_t dst_have)
{
   return axis->scale == 2 && is_inside(axis) && axis->begin % QUAD == 0 && (axis->end % QUAD == 0 || axis->end == dst_have) &&
          fmod(source_of(axis), 2 * QUAD) == 0;
}

static bool is_in_blocks(const struct blit *blit, const struct tap *z, const struct rt_texels *src, const struct rt_texels *dst)
{
   return blit->is_linear && !blit->is_cubic && z->at[0] == z->at[1] && !blit->src_info->is_compressed && src->is_tiled && dst->is_tiled &&
          is_halved(&blit->x, dst->width) && is_halved(&blit->y, dst->height);
}

static void halve_block(const struct blit *blit, const struct rt_texels *src, uint32_t x, uint32_t y, uint8_t *to)
{
   rt_row_group blocks[4] __attribute__((aligned(64))), mean __attribute__((aligned(64)));
   for (uint32_t b = 0; b < 4; b++) { /* beyond the edge there is none, nor are texels made of it */
      const uint32_t at_x = UTIL_MIN(x + b % 2 * QUAD, src->width - 1), at_y = UTIL_MIN(y + b / 2 * QUAD, src->height - 1);
      blit->src_info->unpack_block(rt_texels_at(src, at_x & ~(QUAD - 1u), at_y & ~(QUAD - 1u)), (uint32_t(*)[RT_ROW_GROUP])blocks[b]);
   }
   rt_blocks_halve((const rt_row_group *)blocks, &mean);
   blit->dst_info->pack_block(to, (const uint32_t(*)[RT_ROW_GROUP])mean);
}

static void halve_blocks(const struct blit *blit, const struct rt_texels *src, const struct rt_texels *dst, uint32_t first_y, uint32_t height)
{
   const uint32_t src_x = (uint32_t)source_of(&blit->x), src_y = (uint32_t)source_of(&blit->y);
   for (uint32_t y = first_y; y < first_y + height; y += QUAD)
      for (uint32_t x = blit->x.begin; x < blit->x.end; x += QUAD)
         halve_block(blit, src, src_x + 2 * (x - blit->x.begin), src_y + 2 * (y - blit->y.begin), rt_texels_at(dst, x, y));
}

static void run_blit(void *data, uint32_t index, struct rt_worker *worker)
{
   const struct blit *blit = data;
   struct rows rows;
   uint32_t slice, first_y, height;
   rt_bands_item(&blit->bands, index, &slice, &first_y, &height);
   const struct rt_texels dst = rt_slices_at(&blit->dst, slice, 0);
   /* Layers go one to one; rt_slices_at() adds the source's first layer. */
   const struct tap z =
      blit->is_layered ? (struct tap){{slice, slice}, 0} : tap_of(&blit->z, blit->z.begin + slice, blit->is_linear && !blit->is_cubic, false);
   const struct rt_texels src = rt_slices_at(&blit->src, z.at[0], 0);
   if (is_in_blocks(blit, &z, &src, &dst)) {
      halve_blocks(blit, &src, &dst, first_y, height);
      return;
   }
   if (!open_rows(&rows, blit, worker))
      return;

   for (uint32_t y = first_y; y < first_y + height; y++) {
      const struct tap tap = tap_of(&blit->y, y, blit->is_linear, blit->is_cubic);
      uint8_t *to = rows.written + rows.num_written++ * rows.written_pitch;
      if (blit->is_raw) {
         pick_raw_row(blit, &rows, z.at[0], tap.at[0], to);
      } else {
         const rt_row_group *row = blit->is_cubic    ? filter_row_cubic(blit, &rows, &tap, z.at[0])
                                   : blit->is_linear ? filter_row(blit, &rows, &tap, &z)
                                                     : pick_row(blit, &rows, &tap, &z);
         for (uint32_t g = 0; g < UTIL_DIV_ROUND_UP(blit->x.end - blit->x.begin, RT_ROW_GROUP); g++)
            blit->dst_info->pack_block(to + (size_t)g * RT_ROW_GROUP * dst.texel_bytes, (const uint32_t(*)[RT_ROW_GROUP])row[g]);
      }
      if (y % QUAD == QUAD - 1 || y == first_y + height - 1)
         write_rows(blit, &rows, &dst, y);
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
   if (!blit.is_raw && (!blit.dst_info->pack_block || !(blit.src_info->unpack_block || blit.src_info->decode))) {
      rt_device_lose(executor->device, "a blit of formats without blit support");
      return;
   }
   if (blit.is_raw && blit.x.scale == 1 && blit.y.scale == 1 && (blit.is_layered || blit.z.scale == 1) && is_inside(&blit.x) && is_inside(&blit.y) &&
       (blit.is_layered || is_inside(&blit.z))) {
      blit.src.first += blit.is_layered ? 0 : (uint32_t)source_of(&blit.z);
      rt_copy_slices(executor, &blit.src, (uint32_t)source_of(&blit.x), (uint32_t)source_of(&blit.y), &blit.dst,
                     &(struct rt_rect){blit.x.begin, blit.y.begin, blit.x.end - blit.x.begin, blit.y.end - blit.y.begin}, count);
      return;
   }
   const struct tap first = tap_of(&blit.x, blit.x.begin, blit.is_linear, blit.is_cubic);
   const struct tap last = tap_of(&blit.x, blit.x.end - 1, blit.is_linear, blit.is_cubic);
   const uint32_t end = blit.is_cubic ? 3 : 1;
   blit.min_x = UTIL_MIN(first.at[0], last.at[0]);
   blit.max_x = UTIL_MAX(first.at[end], last.at[end]);

   const uint64_t width = blit.x.end - blit.x.begin;
   blit.bands = rt_bands_of(blit.y.begin, blit.y.end - blit.y.begin, count, width * 4); /* taps are made once a band */
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
