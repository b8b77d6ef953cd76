/* SPDX-License-Identifier: MIT
 * ASTC, of two and three dimensions: block modes, partitions, weights. Malformed blocks give magenta, those of the high dynamic range too in
 * formats of the low one. Spec: Khronos Data Format Specification, "ASTC Compressed Texture Image Formats". */
#include "runtime/format/astc.h"

#include "runtime/format/decode.h"
#include "util/simd.h"

enum {
   MAX_EXTENT = 12,   /* of a block, texels */
   MAX_TEXELS = 216,  /* of a block of 6 x 6 x 6; 144 of two dimensions */
   MAX_WEIGHTS = 64,
   MAX_PAST = 2 * 43, /* behind the last weight: another of each axis of a grid of 6 x 6, two planes */
   MAX_VALUES = 18,
};

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

static uint64_t reverse(uint64_t bits)
{
   bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
   bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
   bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fu) | (bits & 0x0f0f0f0f0f0f0f0fu) << 4;
   return __builtin_bswap64(bits);
}

/* Reads the weights, which stand bit-reversed at the block's end, as 0 to 64; what lies past them is 0. */
static void read_weights(const struct rt_bits *block, const struct block_mode *mode, uint32_t count, uint8_t weights[MAX_WEIGHTS + MAX_PAST])
{
   struct rt_bits reversed = {.low = reverse(block->high), .high = reverse(block->low)};
   rt_astc_read_values(&reversed, mode->range, count, weights);
   rt_astc_scale_weights(mode->range, count, weights);
   memset(weights + count, 0, MAX_WEIGHTS + MAX_PAST - count);
}

/* Where texels lie among the weights along an axis: behind which, and 16ths of the distance to the next. */
struct positions {
   uint8_t cell[MAX_EXTENT], fraction[MAX_EXTENT];
};

static struct positions make_positions(uint32_t texels, uint32_t weights)
{
   struct positions p;
   const uint32_t step = (1024 + texels / 2) / (texels - 1);
   for (uint32_t at = 0; at < texels; at++) {
      const uint32_t position = (step * at * (weights - 1) + 32) >> 6;
      p.cell[at] = (uint8_t)(position >> 4);
      p.fraction[at] = position & 15;
   }
   return p;
}

/* The weights of all texels, row by row; `weights` of a plane are `stride` apart. What a texel takes from past the grid has no share. */
static void mix_2d(const struct size *grid, const struct size *block, const uint8_t *weights, uint32_t stride, uint8_t *out)
{
   const struct positions column = make_positions(block->x, grid->x), row = make_positions(block->y, grid->y);
   for (uint32_t y = 0; y < block->y; y++) {
      const uint8_t *top = weights + row.cell[y] * grid->x * stride, *bottom = top + grid->x * stride;
      const uint32_t fy = row.fraction[y];
      for (uint32_t x = 0; x < block->x; x++) {
         const uint32_t fx = column.fraction[x], left = column.cell[x] * stride, right = left + stride, w11 = (fx * fy + 8) >> 4;
         *out++ = (uint8_t)((top[left] * (16 - fx - fy + w11) + top[right] * (fx - w11) + bottom[left] * (fy - w11) + bottom[right] * w11 + 8) >> 4);
      }
   }
}

/* From corner to corner of a cell of the grid, along the axis of the largest fraction first: a simplex has four of its corners. */
static uint32_t mix_simplex(const uint8_t *first, const uint32_t fraction[3], const uint32_t steps[3])
{
   uint32_t order[3] = {0, 1, 2};
   for (uint32_t i = 0; i < 3; i++) { /* three comparisons sort three: (0 1), (1 2), (0 1) */
      uint32_t *pair = &order[i & 1];
      if (fraction[pair[0]] < fraction[pair[1]]) {
         const uint32_t t = pair[0];
         pair[0] = pair[1];
         pair[1] = t;
      }
   }
   uint32_t before = 16, sum = 8;
   for (uint32_t i = 0; i < 3; i++) {
      sum += *first * (before - fraction[order[i]]);
      before = fraction[order[i]];
      first += steps[order[i]];
   }
   return (sum + *first * before) >> 4;
}

static void mix_3d(const struct size *grid, const struct size *block, const uint8_t *weights, uint32_t stride, uint8_t *out)
{
   const struct positions px = make_positions(block->x, grid->x), py = make_positions(block->y, grid->y), pz = make_positions(block->z, grid->z);
   const uint32_t steps[3] = {stride, grid->x * stride, grid->x * grid->y * stride};
   for (uint32_t z = 0; z < block->z; z++) {
      for (uint32_t y = 0; y < block->y; y++) {
         for (uint32_t x = 0; x < block->x; x++) {
            const uint32_t fraction[3] = {px.fraction[x], py.fraction[y], pz.fraction[z]};
            const uint8_t *first = weights + px.cell[x] * steps[0] + py.cell[y] * steps[1] + pz.cell[z] * steps[2];
            *out++ = (uint8_t)mix_simplex(first, fraction, steps);
         }
      }
   }
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

/* finish() of four components that are not sRGB. */
static util_i4 finish_four(util_i4 value)
{
   const util_i4 bits = (util_i4)(__builtin_convertvector(value, util_f4) * 0x1p-16f), is_small = value < 4, is_one = value == 0xffff;
   const util_i4 cut = bits & (is_small | ~0x1fff);
   return (cut & ~is_one) | (RT_FLOAT_ONE & is_one);
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
   uint8_t weights[MAX_WEIGHTS + MAX_PAST];
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

/* A partition's components: 64ths of what weight 0 gives, and of what each step of the weight adds. Less than 2^24, so exact as floats, too. */
struct ramps {
   util_f4 first, step;
   bool is_error, has_halves; /* magenta; some components are of the high range */
   bool is_half[4];
};

static struct ramps make_ramps(const struct rt_astc_ends *ends, enum profile profile)
{
   struct ramps ramps = {.is_error = ends->is_hdr && profile != HIGH, .has_halves = ends->is_hdr || ends->has_hdr_alpha};
   for (uint32_t c = 0; c < 4; c++) {
      int32_t a = ends->color[0][c], b = ends->color[1][c];
      ramps.is_half[c] = c < 3 ? ends->is_hdr : ends->has_hdr_alpha;
      if (ramps.is_half[c]) {
         a <<= 4;
         b <<= 4;
      } else {
         a = a << 8 | (profile == LOW_SRGB ? 0x80 : a);
         b = b << 8 | (profile == LOW_SRGB ? 0x80 : b);
      }
      ramps.first[c] = (float)(64 * a + 32);
      ramps.step[c] = (float)(b - a);
   }
   return ramps;
}

/* `weights` are those of the components. */
static void decode_texel(const struct ramps *ramps, util_i4 weights, enum profile profile, uint32_t rgba[4])
{
   const util_i4 value = __builtin_convertvector(ramps->first + ramps->step * __builtin_convertvector(weights, util_f4), util_i4) >> 6;
   if (profile != LOW_SRGB && !ramps->has_halves) {
      const util_i4 texel = finish_four(value);
      memcpy(rgba, &texel, sizeof(texel));
      return;
   }
   for (uint32_t c = 0; c < 4; c++)
      rgba[c] = ramps->is_half[c] ? rt_half_decode(rt_astc_hdr_half((uint32_t)value[c])) : finish((uint32_t)value[c], profile == LOW_SRGB, c);
}

/* The texels' partitions, row by row, slice by slice. */
static void divide(const struct content *content, const struct size *size, uint8_t *out)
{
   const struct pattern pattern = make_pattern(content->seed, content->partitions, size->x * size->y * size->z < 31);
   for (uint32_t z = 0; z < size->z; z++) {
      for (uint32_t y = 0; y < size->y; y++) {
         for (uint32_t x = 0; x < size->x; x++)
            *out++ = (uint8_t)partition_of(&pattern, x, y, z);
      }
   }
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
   const uint32_t planes = content.mode.has_two_planes ? 2 : 1;
   uint8_t weights[2][MAX_TEXELS], partitions[MAX_TEXELS];
   for (uint32_t plane = 0; plane < planes; plane++)
      (size.z > 1 ? mix_3d : mix_2d)(&content.mode.grid, &size, content.weights + plane, planes, weights[plane]);
   struct ramps ramps[4];
   for (uint32_t i = 0; i < content.partitions; i++)
      ramps[i] = make_ramps(&content.ends[i], profile);
   if (content.partitions > 1)
      divide(&content, &size, partitions);
   const util_i4 is_second = (util_i4){0, 1, 2, 3} == (int32_t)content.second_plane;
   for (uint32_t i = 0; i < count; i++) {
      const struct ramps *of = &ramps[content.partitions > 1 ? partitions[i] : 0];
      const int32_t second = planes > 1 ? weights[1][i] : 0;
      if (of->is_error)
         fill_error(rgba + i, 1);
      else
         decode_texel(of, (weights[0][i] & ~is_second) | (second & is_second), profile, rgba[i]);
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
