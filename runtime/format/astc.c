/* SPDX-License-Identifier: MIT
 * ASTC, of two and three dimensions: block modes, partitions, weights. Malformed blocks give magenta, those of the high dynamic range too in
 * formats of the low one. Spec: Khronos Data Format Specification, "ASTC Compressed Texture Image Formats". */
#include "runtime/format/astc.h"

#include "runtime/format/decode.h"

enum { MAX_WEIGHTS = 64, MAX_VALUES = 18 };

enum profile { LOW, LOW_SRGB, HIGH };

/* Texels of a block, or weights of its grid, along x, y and z. */
struct size {
   uint32_t x, y, z;
};

struct block_mode {
   struct size grid;
   enum rt_astc_range range;
   bool has_two_planes;
};

/* False: reserved. */
static bool decode_mode_2d(uint32_t m, struct block_mode *mode)
{
   const uint32_t a = m >> 5 & 3, b = m >> 7 & 3;
   uint32_t r, high = m >> 9 & 1;
   mode->has_two_planes = m >> 10 & 1;
   mode->grid.z = 1;
   if (m & 3) {
      r = (m & 2) << 1 | (m & 1) << 1 | (m >> 4 & 1);
      const uint32_t layout = m >> 2 & 3;
      mode->grid.x = layout == 0 ? b + 4 : layout == 1 ? b + 8 : layout == 2 || b < 2 ? a + 2 : (b & 1) + 2;
      mode->grid.y = layout < 2 ? a + 2 : layout == 2 ? b + 8 : b < 2 ? (b & 1) + 6 : a + 2;
   } else {
      r = (m >> 2 & 3) << 1 | (m >> 4 & 1);
      if (b == 0 || b == 1) {
         mode->grid.x = b == 0 ? 12 : a + 2;
         mode->grid.y = b == 0 ? a + 2 : 12;
      } else if (b == 2) {
         mode->grid.x = a + 6;
         mode->grid.y = (m >> 9 & 3) + 6;
         mode->has_two_planes = false;
         high = 0;
      } else {
         if (a > 1)
            return false;
         mode->grid.x = a ? 10 : 6;
         mode->grid.y = a ? 6 : 10;
      }
   }
   if (r < 2)
      return false;
   mode->range = (enum rt_astc_range)(r - 2 + 6 * high);
   return true;
}

/* False: reserved. */
static bool decode_mode_3d(uint32_t m, struct block_mode *mode)
{
   const uint32_t a = (m >> 5 & 3) + 2, b = (m >> 7 & 3) + 2, c = (m >> 2 & 3) + 2, d = (m >> 9 & 3) + 2;
   uint32_t r, high = m >> 9 & 1;
   mode->has_two_planes = m >> 10 & 1;
   if (m & 3) {
      r = (m & 2) << 1 | (m & 1) << 1 | (m >> 4 & 1);
      mode->grid = (struct size){a, b, c};
   } else {
      const struct size layouts[4] = {{6, d, a}, {a, 6, d}, {a, d, 6}, {a == 2 ? 6 : 2, a == 3 ? 6 : 2, a == 4 ? 6 : 2}};
      r = (m >> 2 & 3) << 1 | (m >> 4 & 1);
      mode->grid = layouts[b - 2];
      if (b < 5) { /* bits 9 and 10 are the grid's */
         mode->has_two_planes = false;
         high = 0;
      } else if (a == 5) {
         return false;
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

/* The factors of a partition pattern: texel (x, y, z) belongs to the first largest of four sums. */
struct pattern {
   uint32_t x[4], y[4], z[4], base[4];
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
   static const uint8_t z_shifts[4] = {26, 30, 18, 22};
   for (uint32_t i = 0; i < 4; i++) {
      const uint32_t x = number >> (8 * i) & 15, y = number >> (8 * i + 4) & 15;
      const uint32_t z = (number >> z_shifts[i] | number << (32 - z_shifts[i])) & 15;
      p.x[i] = x * x >> shifts[0];
      p.y[i] = y * y >> shifts[1];
      p.z[i] = z * z >> shifts[seed & 16 ? 0 : 1];
      p.base[i] = number >> (14 - 4 * i);
   }
   return p;
}

static uint32_t partition_of(const struct pattern *p, uint32_t x, uint32_t y, uint32_t z)
{
   uint32_t best = 0, max = 0;
   for (uint32_t i = 0; i < p->count; i++) {
      const uint32_t sum = ((p->x[i] * x + p->y[i] * y + p->z[i] * z) * p->scale + p->base[i]) & 63;
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

/* Where texel `at` of `texels` lies among `weights` along an axis, in 1/16. */
static uint32_t grid_position(uint32_t texels, uint32_t weights, uint32_t at)
{
   return ((1024 + texels / 2) / (texels - 1) * at * (weights - 1) + 32) >> 6;
}

/* Weights that are mixed for a texel: their indices in the grid, and 16ths of each. */
struct mixture {
   uint32_t index[4], share[4];
};

static struct mixture mixture_2d(const struct size *grid, const struct size *block, uint32_t x, uint32_t y)
{
   const uint32_t gx = grid_position(block->x, grid->x, x), gy = grid_position(block->y, grid->y, y);
   const uint32_t fx = gx & 15, fy = gy & 15, w11 = (fx * fy + 8) >> 4;
   const uint32_t first = (gx >> 4) + (gy >> 4) * grid->x;
   return (struct mixture){{first, first + 1, first + grid->x, first + grid->x + 1}, {16 - fx - fy + w11, fx - w11, fy - w11, w11}};
}

/* From corner to corner of a cell of the grid, along the axis of the largest fraction first: a simplex has four of its corners. */
static struct mixture mixture_3d(const struct size *grid, const struct size *block, uint32_t x, uint32_t y, uint32_t z)
{
   const uint32_t g[3] = {grid_position(block->x, grid->x, x), grid_position(block->y, grid->y, y), grid_position(block->z, grid->z, z)};
   const uint32_t steps[3] = {1, grid->x, grid->x * grid->y};
   uint32_t order[3] = {0, 1, 2};
   for (uint32_t i = 0; i < 3; i++) { /* three comparisons sort three: (0 1), (1 2), (0 1) */
      uint32_t *pair = &order[i & 1];
      if ((g[pair[0]] & 15) < (g[pair[1]] & 15)) {
         const uint32_t t = pair[0];
         pair[0] = pair[1];
         pair[1] = t;
      }
   }
   struct mixture m = {.index = {(g[0] >> 4) + (g[1] >> 4) * steps[1] + (g[2] >> 4) * steps[2]}, .share = {16}};
   for (uint32_t i = 0; i < 3; i++) {
      const uint32_t fraction = g[order[i]] & 15;
      m.index[i + 1] = m.index[i] + steps[order[i]];
      m.share[i] -= fraction;
      m.share[i + 1] = fraction;
   }
   return m;
}

static uint32_t mix_weights(const struct mixture *m, const struct block_mode *mode, const uint8_t *weights, uint32_t plane)
{
   /* What lies past the grid has no share. */
   const uint32_t last = mode->grid.x * mode->grid.y * mode->grid.z - 1, planes = mode->has_two_planes ? 2 : 1;
   uint32_t sum = 8;
   for (uint32_t i = 0; i < 4; i++)
      sum += weights[UTIL_MIN(m->index[i], last) * planes + plane] * m->share[i];
   return sum >> 4;
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

static bool read_content(struct rt_bits *bits, const struct size *block, struct content *content)
{
   struct block_mode *mode = &content->mode;
   const uint32_t m = rt_bits_take(bits, 11);
   if (!(block->z > 1 ? decode_mode_3d(m, mode) : decode_mode_2d(m, mode)) || mode->grid.x > block->x || mode->grid.y > block->y ||
       mode->grid.z > block->z)
      return false;
   const uint32_t num_weights = mode->grid.x * mode->grid.y * mode->grid.z * (mode->has_two_planes ? 2 : 1);
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

static void decode_texel(const struct content *content, uint32_t partition, const struct mixture *mixture, enum profile profile, uint32_t rgba[4])
{
   const struct rt_astc_ends *ends = &content->ends[partition];
   if (ends->is_hdr && profile != HIGH) {
      fill_error((uint32_t(*)[4])rgba, 1);
      return;
   }
   uint32_t weights[2];
   weights[0] = mix_weights(mixture, &content->mode, content->weights, 0);
   weights[1] = content->second_plane < 4 ? mix_weights(mixture, &content->mode, content->weights, 1) : 0;
   for (uint32_t c = 0; c < 4; c++)
      rgba[c] = component(ends, c, weights[c == content->second_plane], profile == LOW_SRGB);
}

static void decode(const void *block, uint32_t (*rgba)[4], struct size size, enum profile profile)
{
   struct rt_bits bits = rt_bits_load(block);
   const uint32_t count = size.x * size.y * size.z;
   if ((bits.low & 0x1ff) == 0x1fc) {
      decode_void_extent(&bits, count, profile, rgba);
      return;
   }
   struct content content;
   if (!read_content(&bits, &size, &content)) {
      fill_error(rgba, count);
      return;
   }
   const struct pattern pattern = make_pattern(content.seed, content.partitions, count < 31);
   const struct size *grid = &content.mode.grid;
   for (uint32_t z = 0; z < size.z; z++) {
      for (uint32_t y = 0; y < size.y; y++) {
         for (uint32_t x = 0; x < size.x; x++, rgba++) {
            const uint32_t partition = content.partitions > 1 ? partition_of(&pattern, x, y, z) : 0;
            const struct mixture mixture = size.z > 1 ? mixture_3d(grid, &size, x, y, z) : mixture_2d(grid, &size, x, y);
            decode_texel(&content, partition, &mixture, profile, *rgba);
         }
      }
   }
}

#define X(name, w, h, d)                                                                                               \
   void rt_decode_astc_##name##_unorm(const void *block, uint32_t (*rgba)[4])                                          \
   {                                                                                                                   \
      decode(block, rgba, (struct size){w, h, d}, LOW);                                                                \
   }                                                                                                                   \
   void rt_decode_astc_##name##_srgb(const void *block, uint32_t (*rgba)[4])                                           \
   {                                                                                                                   \
      decode(block, rgba, (struct size){w, h, d}, LOW_SRGB);                                                           \
   }                                                                                                                   \
   void rt_decode_astc_##name##_sfloat(const void *block, uint32_t (*rgba)[4])                                         \
   {                                                                                                                   \
      decode(block, rgba, (struct size){w, h, d}, HIGH);                                                               \
   }
RT_ASTC_SIZES(X)
#undef X

/* ---- decode modes ---- */

/* The upper 8 bits of the 16 that the half was cut from: it keeps at least these. */
void rt_round_astc_unorm8(uint32_t (*rgba)[4], uint32_t count)
{
   for (uint32_t i = 0; i < count; i++) {
      for (uint32_t c = 0; c < 4; c++) {
         const float value = rt_as_float(rgba[i][c]);
         const uint32_t code = value >= 1 ? 255 : value > 0 ? (uint32_t)(value * 256) : 0; /* NaN: 0 */
         rgba[i][c] = rt_byte(code, false);
      }
   }
}

/* Cut to 9 bits at the exponent of the largest. Least halves have the exponent of the least normal ones; bits of a half that are below are zero. */
void rt_round_astc_rgb9e5(uint32_t (*rgba)[4], uint32_t count)
{
   enum { LEAST_EXPONENT = 127 - 14, FRACTION_BITS = 8 };
   for (uint32_t i = 0; i < count; i++) {
      float value[3], largest = 0;
      for (uint32_t c = 0; c < 3; c++) {
         const float v = rt_as_float(rgba[i][c]);
         value[c] = v > 0 ? UTIL_MIN(v, 65504.0f) : 0; /* NaN: 0 */
         largest = UTIL_MAX(largest, value[c]);
      }
      const uint32_t exponent = UTIL_MAX(rt_as_bits(largest) >> 23, (uint32_t)LEAST_EXPONENT);
      const float unit = rt_as_float((exponent - FRACTION_BITS) << 23), scale = rt_as_float((127 + 127 + FRACTION_BITS - exponent) << 23);
      for (uint32_t c = 0; c < 3; c++)
         rgba[i][c] = rt_as_bits((float)(uint32_t)(value[c] * scale) * unit);
      rgba[i][3] = RT_FLOAT_ONE;
   }
}
