/* SPDX-License-Identifier: MIT
 * ASTC, 2D: block modes, partitions, weights. Malformed blocks give magenta, those of the high dynamic range too in
 * formats of the low one. Spec: Khronos Data Format Specification, "ASTC Compressed Texture Image Formats". */
#include "runtime/format/astc.h"

#include "runtime/format/decode.h"

enum { MAX_WEIGHTS = 64, MAX_VALUES = 18, MAX_SIZE = 12 };

enum profile { LOW, LOW_SRGB, HIGH };

struct block_mode {
   uint32_t width, height; /* of the grid of weights */
   enum rt_astc_range range;
   bool has_two_planes;
};

/* False: reserved. */
static bool decode_mode(uint32_t m, struct block_mode *mode)
{
   const uint32_t a = m >> 5 & 3, b = m >> 7 & 3;
   uint32_t r, high = m >> 9 & 1;
   mode->has_two_planes = m >> 10 & 1;
   if (m & 3) {
      r = (m & 2) << 1 | (m & 1) << 1 | (m >> 4 & 1);
      const uint32_t layout = m >> 2 & 3;
      mode->width = layout == 0 ? b + 4 : layout == 1 ? b + 8 : layout == 2 || b < 2 ? a + 2 : (b & 1) + 2;
      mode->height = layout < 2 ? a + 2 : layout == 2 ? b + 8 : b < 2 ? (b & 1) + 6 : a + 2;
   } else {
      r = (m >> 2 & 3) << 1 | (m >> 4 & 1);
      if (b == 0 || b == 1) {
         mode->width = b == 0 ? 12 : a + 2;
         mode->height = b == 0 ? a + 2 : 12;
      } else if (b == 2) {
         mode->width = a + 6;
         mode->height = (m >> 9 & 3) + 6;
         mode->has_two_planes = false;
         high = 0;
      } else {
         if (a > 1)
            return false;
         mode->width = a ? 10 : 6;
         mode->height = a ? 6 : 10;
      }
   }
   if (r < 2)
      return false;
   mode->range = (enum rt_astc_range)(r - 2 + 6 * high);
   return true;
}

/* ---- partitions ---- */

static uint32_t hash(uint32_t p)
{
   p ^= p >> 15;
   p -= p << 17;
   p += p << 7;
   p += p << 4;
   p ^= p >> 5;
   p += p << 16;
   p ^= p >> 7;
   p ^= p >> 3;
   p ^= p << 6;
   p ^= p >> 17;
   return p;
}

/* The factors of a partition pattern: texel (x, y) belongs to the first largest of four sums. */
struct pattern {
   uint32_t x[4], y[4], base[4];
   uint32_t count, scale;
};

static struct pattern make_pattern(uint32_t seed, uint32_t count, bool is_small)
{
   struct pattern p = {.count = count, .scale = is_small ? 2 : 1};
   seed += (count - 1) * 1024;
   const uint32_t number = hash(seed);
   uint32_t shifts[2] = {seed & 2 ? 4 : 5, count == 3 ? 6 : 5};
   if (!(seed & 1)) {
      const uint32_t t = shifts[0];
      shifts[0] = shifts[1];
      shifts[1] = t;
   }
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t x = number >> (8 * i) & 15, y = number >> (8 * i + 4) & 15;
      p.x[i] = x * x >> shifts[0];
      p.y[i] = y * y >> shifts[1];
      p.base[i] = number >> (14 - 4 * i);
   }
   return p;
}

static uint32_t partition_of(const struct pattern *p, uint32_t x, uint32_t y)
{
   uint32_t best = 0, max = 0;
   for (uint32_t i = 0; i < p->count; i++) {
      const uint32_t sum = (p->x[i] * x * p->scale + p->y[i] * y * p->scale + p->base[i]) & 63;
      if (i == 0 || sum > max) {
         best = i;
         max = sum;
      }
   }
   return best;
}

/* ---- weights ---- */

/* Reads the weights, which stand bit-reversed at the block's end, as 0 to 64. */
static void read_weights(const struct rt_bits *block, const struct block_mode *mode, uint32_t count, uint8_t *weights)
{
   struct rt_bits reversed = {0};
   for (uint32_t i = 0; i < 64; i++) {
      reversed.low |= (block->high >> (63 - i) & 1) << i;
      reversed.high |= (block->low >> (63 - i) & 1) << i;
   }
   rt_astc_read_values(&reversed, mode->range, count, weights);
   for (uint32_t i = 0; i < count; i++)
      weights[i] = rt_astc_weight(mode->range, weights[i]);
}

/* The weight of texel (x, y), interpolated in the grid. */
static uint32_t weight_at(const struct block_mode *mode, const uint8_t *weights, uint32_t plane, uint32_t block_width,
                          uint32_t block_height, uint32_t x, uint32_t y)
{
   const uint32_t step_x = (1024 + block_width / 2) / (block_width - 1),
                  step_y = (1024 + block_height / 2) / (block_height - 1);
   const uint32_t gx = (step_x * x * (mode->width - 1) + 32) >> 6, gy = (step_y * y * (mode->height - 1) + 32) >> 6;
   const uint32_t fx = gx & 15, fy = gy & 15, planes = mode->has_two_planes ? 2 : 1;
   const uint32_t w11 = (fx * fy + 8) >> 4, w10 = fy - w11, w01 = fx - w11, w00 = 16 - fx - fy + w11;
   const uint32_t first = (gx >> 4) + (gy >> 4) * mode->width, row = mode->width;
   /* Neighbours past the grid have weight 0. */
   const uint32_t last = mode->width * mode->height - 1;
   const uint32_t at[4] = {first, UTIL_MIN(first + 1, last), UTIL_MIN(first + row, last),
                           UTIL_MIN(first + row + 1, last)};
   return (weights[at[0] * planes + plane] * w00 + weights[at[1] * planes + plane] * w01 +
           weights[at[2] * planes + plane] * w10 + weights[at[3] * planes + plane] * w11 + 8) >>
          4;
}

/* ---- texels ---- */

/* 16 bits of a fraction of 65536 as float bits, as through a half rounded towards zero; of sRGB the upper 8 bits count.
 */
static uint32_t finish(uint32_t value, bool is_srgb, uint32_t component)
{
   if (is_srgb)
      return rt_byte(value >> 8, component < 3);
   if (value == 0xffff)
      return RT_FLOAT_ONE;
   const uint32_t bits = rt_as_bits((float)value * 0x1p-16f);
   if (value < 4) /* below half's normal range: steps of 2^-24, exact */
      return bits;
   return bits & ~0x1fffu;
}

static void fill(uint32_t (*rgba)[4], uint32_t count, const uint32_t color[4])
{
   for (uint32_t i = 0; i < count; i++)
      memcpy(rgba[i], color, 4 * sizeof(color[0]));
}

static void fill_error(uint32_t (*rgba)[4], uint32_t count)
{
   const uint32_t magenta[4] = {RT_FLOAT_ONE, 0, RT_FLOAT_ONE, RT_FLOAT_ONE};
   fill(rgba, count, magenta);
}

/* A block of one colour. */
static void decode_void_extent(const struct rt_bits *bits, uint32_t count, enum profile profile, uint32_t (*rgba)[4])
{
   const uint32_t low_s = rt_bits_get(bits, 12, 13), high_s = rt_bits_get(bits, 25, 13);
   const uint32_t low_t = rt_bits_get(bits, 38, 13), high_t = rt_bits_get(bits, 51, 13);
   const bool is_everywhere = (low_s & high_s & low_t & high_t) == 0x1fff;
   const bool is_hdr = rt_bits_get(bits, 9, 1);
   if ((is_hdr && profile != HIGH) || (!is_everywhere && (low_s >= high_s || low_t >= high_t))) {
      fill_error(rgba, count);
      return;
   }
   uint32_t color[4];
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t value = rt_bits_get(bits, 64 + 16 * c, 16);
      color[c] = is_hdr ? rt_half_decode(value) : finish(value, profile == LOW_SRGB, c);
   }
   fill(rgba, count, color);
}

/* Everything of a block but its texels. */
struct content {
   struct block_mode mode;
   uint32_t partitions, seed;
   uint32_t second_plane; /* the component that takes the second plane of weights; 4: none */
   struct rt_astc_ends ends[4];
   uint8_t weights[MAX_WEIGHTS];
};

/* Reads the colour end point modes; bits that don't fit in front stand below the weights, from *below downwards. */
static void read_end_point_modes(struct rt_bits *bits, uint32_t partitions, uint32_t *below, uint32_t modes[4])
{
   if (partitions == 1) {
      modes[0] = rt_bits_take(bits, 4);
      return;
   }
   const uint32_t front = rt_bits_take(bits, 6);
   if (!(front & 3)) {
      for (uint32_t i = 0; i < partitions; i++)
         modes[i] = front >> 2;
      return;
   }
   const uint32_t more = 3 * partitions - 4;
   *below -= more;
   const uint32_t all = front >> 2 | rt_bits_get(bits, *below, more) << 4;
   for (uint32_t i = 0; i < partitions; i++)
      modes[i] = ((front & 3) - 1 + (all >> i & 1)) << 2 | (all >> (partitions + 2 * i) & 3);
}

static bool read_content(struct rt_bits *bits, uint32_t block_width, uint32_t block_height, struct content *content)
{
   struct block_mode *mode = &content->mode;
   if (!decode_mode(rt_bits_take(bits, 11), mode) || mode->width > block_width || mode->height > block_height)
      return false;
   const uint32_t num_weights = mode->width * mode->height * (mode->has_two_planes ? 2 : 1);
   const uint32_t weight_bits = num_weights <= MAX_WEIGHTS ? rt_astc_size_bits(mode->range, num_weights) : 0;
   content->partitions = rt_bits_take(bits, 2) + 1;
   if (weight_bits < 24 || weight_bits > 96 || (content->partitions == 4 && mode->has_two_planes))
      return false;
   content->seed = content->partitions > 1 ? rt_bits_take(bits, 10) : 0;

   uint32_t below = 128 - weight_bits, modes[4] = {0}, num_values = 0;
   read_end_point_modes(bits, content->partitions, &below, modes);
   content->second_plane = 4;
   if (mode->has_two_planes) {
      below -= 2;
      content->second_plane = rt_bits_get(bits, below, 2);
   }
   for (uint32_t i = 0; i < content->partitions; i++)
      num_values += ((modes[i] >> 2) + 1) * 2;
   if (num_values > MAX_VALUES || below < bits->position)
      return false;

   uint8_t values[MAX_VALUES];
   const int32_t range = rt_astc_largest_range(num_values, below - bits->position);
   if (range < RT_ASTC_RANGE_6)
      return false;
   rt_astc_read_values(bits, (enum rt_astc_range)range, num_values, values);
   for (uint32_t i = 0; i < num_values; i++)
      values[i] = rt_astc_color((enum rt_astc_range)range, values[i]);
   const uint8_t *v = values;
   for (uint32_t i = 0; i < content->partitions; i++) {
      if (!rt_astc_end_points(modes[i], v, &content->ends[i]) &&
          !rt_astc_hdr_end_points(modes[i], v, &content->ends[i]))
         return false;
      v += ((modes[i] >> 2) + 1) * 2;
   }
   read_weights(bits, mode, num_weights, content->weights);
   return true;
}

static uint32_t mix(uint32_t a, uint32_t b, uint32_t weight, bool is_srgb)
{
   const uint32_t wide_a = a << 8 | (is_srgb ? 0x80 : a), wide_b = b << 8 | (is_srgb ? 0x80 : b);
   return (wide_a * (64 - weight) + wide_b * weight + 32) >> 6;
}

/* One component of a texel. */
static uint32_t component(const struct rt_astc_ends *ends, uint32_t c, uint32_t weight, bool is_srgb)
{
   const uint32_t a = ends->color[0][c], b = ends->color[1][c];
   if (c < 3 ? ends->is_hdr : ends->has_hdr_alpha)
      return rt_half_decode(rt_astc_hdr_half(((a << 4) * (64 - weight) + (b << 4) * weight + 32) >> 6));
   return finish(mix(a, b, weight, is_srgb), is_srgb, c);
}

static void decode(const void *block, uint32_t (*rgba)[4], uint32_t width, uint32_t height, enum profile profile)
{
   struct rt_bits bits = rt_bits_load(block);
   if ((bits.low & 0x1ff) == 0x1fc) {
      decode_void_extent(&bits, width * height, profile, rgba);
      return;
   }
   struct content content;
   if (!read_content(&bits, width, height, &content)) {
      fill_error(rgba, width * height);
      return;
   }
   const struct pattern pattern = make_pattern(content.seed, content.partitions, width * height < 31);
   for (uint32_t y = 0; y < height; y++) {
      for (uint32_t x = 0; x < width; x++) {
         const uint32_t partition = content.partitions > 1 ? partition_of(&pattern, x, y) : 0;
         if (content.ends[partition].is_hdr && profile != HIGH) {
            fill_error(rgba + y * width + x, 1);
            continue;
         }
         uint32_t weights[2];
         weights[0] = weight_at(&content.mode, content.weights, 0, width, height, x, y);
         weights[1] = content.second_plane < 4 ? weight_at(&content.mode, content.weights, 1, width, height, x, y) : 0;
         for (uint32_t c = 0; c < 4; c++)
            rgba[y * width + x][c] =
               component(&content.ends[partition], c, weights[c == content.second_plane], profile == LOW_SRGB);
      }
   }
}

#define X(w, h)                                                                                                        \
   void rt_decode_astc_##w##x##h##_unorm(const void *block, uint32_t (*rgba)[4])                                       \
   {                                                                                                                   \
      decode(block, rgba, w, h, LOW);                                                                                \
   }                                                                                                                   \
   void rt_decode_astc_##w##x##h##_srgb(const void *block, uint32_t (*rgba)[4])                                        \
   {                                                                                                                   \
      decode(block, rgba, w, h, LOW_SRGB);                                                                             \
   }                                                                                                                   \
   void rt_decode_astc_##w##x##h##_sfloat(const void *block, uint32_t (*rgba)[4])                                      \
   {                                                                                                                   \
      decode(block, rgba, w, h, HIGH);                                                                                 \
   }
RT_ASTC_SIZES(X)
#undef X
