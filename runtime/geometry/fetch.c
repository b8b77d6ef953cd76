/* SPDX-License-Identifier: MIT
 * Vertex attributes. */
#include "runtime/geometry/fetch.h"

#include "abi/probe.h"
#include "runtime/draw/context.h"
#include "runtime/draw/lanes.h"

#include <string.h>

enum { PREFETCH_BYTES = 4096 }; /* ahead of what is read: beyond the page, where the hardware stops */

static bool is_64(const struct rt_vertex_attribute *attribute)
{
   return attribute->is_enabled && rt_format_info((VkFormat)attribute->format)->channels[0].bits == 64;
}

/* Spec: "Vertex Input Extraction": the third and fourth of 64-bit components are read at the next location. */
static const struct rt_vertex_attribute *find_attribute(const struct rt_draw_state *state, uint32_t location,
                                                        uint32_t *first_component)
{
   const struct rt_vertex_attribute *attributes = state->state->vertex_input.attributes;
   const bool is_rest = location && !attributes[location].is_enabled && is_64(&attributes[location - 1]);
   *first_component = is_rest ? 2 : 0;
   return &attributes[is_rest ? location - 1 : location];
}

/* What component() reads: channels that are words, or lie in the first or the second. The exponent of E5B9G9R9_UFLOAT_PACK32 belongs to three channels. */
static bool is_record(const struct rt_format_info *info)
{
   bool is_known = info->format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32;
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel channel = info->channels[c];
      is_known &= channel.bits == 32 ? channel.shift == 32 * c : !channel.bits || (channel.shift % 32 + channel.bits <= 32 && channel.shift < 64);
   }
   return is_known;
}

static void init_one(struct rt_fetch *fetch, const struct rt_draw_state *state, uint32_t location)
{
   fetch->class = RT_FETCH_ZERO;
   if (location >= RT_MAX_VERTEX_ATTRIBUTES)
      return;
   uint32_t first;
   const struct rt_vertex_attribute *attribute = find_attribute(state, location, &first);
   if (!attribute->is_enabled || attribute->binding >= RT_MAX_VERTEX_BINDINGS)
      return;
   const struct rt_vertex_buffer *buffer = &state->vertex_buffers[attribute->binding];
   const struct rt_format_info *info = rt_format_info((VkFormat)attribute->format);
   if (!info->texel_bytes || !(info->unpack || is_64(attribute)))
      return;
   fetch->info = info;
   fetch->one = info->is_int ? 1 : 0x3f800000;
   if (!buffer->data)
      return;
   const uint32_t divisor = state->state->vertex_input.divisors[attribute->binding];
   fetch->location = location;
   fetch->buffer = buffer->data;
   fetch->offset_bytes = (uint32_t)UTIL_MIN(attribute->offset_bytes, buffer->size_bytes);
   fetch->data = buffer->data + fetch->offset_bytes;
   fetch->size_bytes = buffer->size_bytes - fetch->offset_bytes;
   fetch->stride_bytes = state->state->vertex_strides.strides[attribute->binding];
   fetch->is_instanced = divisor != 0;
   fetch->divisor = divisor == RT_DIVISOR_ZERO ? 0 : divisor;
   if (!fetch->size_bytes)
      return;
   fetch->class = RT_FETCH_GENERIC;
   if (is_64(attribute)) {
      fetch->class = RT_FETCH_64;
      fetch->first = (uint8_t)first;
      return;
   }
   if (is_record(info))
      fetch->class = RT_FETCH_RECORD;
}

static void follow(struct rt_fetch *fetch, const uint64_t inputs[3], uint32_t slot)
{
   const int16_t row = rt_output_row(inputs, ABI_SLOT_WRITTEN + slot / 32);
   fetch->is_followed = row >= 0;
   fetch->written_row = row;
   fetch->written_shift = (uint8_t)(slot % 32);
}

uint32_t rt_fetch_init(struct rt_fetch *fetches, const struct rt_draw_state *state, const uint64_t inputs[3])
{
   uint32_t num = 0, row = 0, led = 0;
   for (uint32_t location = 0; location < ABI_MAX_LOCATIONS; location++) {
      const uint32_t slot = ABI_SLOT_USER + location * 4; /* no four of a location lie in two words */
      const uint32_t read = inputs[slot / 64] >> (slot % 64) & 15;
      if (!read)
         continue;
      struct rt_fetch fetch = {.row = {-1, -1, -1, -1}};
      for (uint32_t c = 0; c < 4; c++) {
         if (read >> c & 1)
            fetch.row[c] = (int16_t)row++;
      }
      init_one(&fetch, state, location);
      follow(&fetch, inputs, slot);
      if (fetch.class != RT_FETCH_ZERO) {
         uint32_t first;
         const uint32_t bit = 1u << find_attribute(state, location, &first)->binding;
         fetch.leads = !(led & bit);
         led |= bit;
      }
      fetches[num++] = fetch;
   }
   return num;
}

/* Byte offsets of the vertices' attributes; UINT64_MAX outside of the buffer. */
static void find(const struct rt_fetch *fetch, const uint32_t *vertex_index, const uint32_t *instance_index,
                 uint32_t first_instance, uint32_t count, uint64_t *offsets)
{
   const uint64_t stride = fetch->stride_bytes, size = fetch->info->texel_bytes;
   const uint64_t last = fetch->size_bytes >= size ? fetch->size_bytes - size : 0;
   const bool fits_one = fetch->size_bytes >= size;
   for (uint32_t i = 0; i < count; i++) {
      uint64_t element = vertex_index[i];
      if (fetch->is_instanced)
         element = first_instance + (fetch->divisor ? (instance_index[i] - first_instance) / fetch->divisor : 0);
      const uint64_t at = element * stride;
      offsets[i] = fits_one && at <= last ? at : UINT64_MAX;
   }
}

/* Sixteen small floats of 5 bits of exponent and no sign, as rt_small_float_decode() reads them. */
static inline rt_i32x16 decode_small(rt_i32x16 v, uint32_t mantissa)
{
   const float scale = 1.0f / (float)(1u << (14 + mantissa));
   const rt_i32x16 subnormal = (rt_i32x16)(__builtin_convertvector(v, rt_f32x16) * scale), exponent = v >> (int32_t)mantissa;
   const rt_i32x16 normal = (v << (int32_t)(23 - mantissa)) + (112 << 23) + ((exponent == 31) & (112 << 23));
   return rt_select_i(exponent == 0, subnormal, normal);
}

/* Component c of sixteen records whose words are `v`, as rt_format_info.unpack reads it. */
static inline rt_i32x16 component(const struct rt_fetch *fetch, const rt_i32x16 v[4], uint32_t c)
{
   const struct rt_channel channel = fetch->info->channels[c];
   if (channel.bits == 32)
      return v[c];
   if (!channel.bits)
      return rt_splat_i(c == 3 ? (int32_t)fetch->one : 0);
   const rt_i32x16 top = (channel.shift < 32 ? v[0] : v[1]) << (int32_t)(32 - channel.shift % 32 - channel.bits);
   const int32_t rest = 32 - channel.bits;
   const rt_i32x16 is_signed = top >> rest, is_unsigned = (rt_i32x16)((rt_u32x16)top >> (uint32_t)rest);
   switch (channel.numeric) {
   case RT_UNORM: return (rt_i32x16)(__builtin_convertvector(is_unsigned, rt_f32x16) / (float)((1u << channel.bits) - 1));
   case RT_SNORM: {
      const rt_f32x16 number = __builtin_convertvector(is_signed, rt_f32x16) / (float)((1u << (channel.bits - 1)) - 1);
      return (rt_i32x16)rt_max_f(number, rt_splat_f(-1));
   }
   case RT_USCALED: return (rt_i32x16)__builtin_convertvector(is_unsigned, rt_f32x16);
   case RT_SSCALED: return (rt_i32x16)__builtin_convertvector(is_signed, rt_f32x16);
   case RT_SINT: return is_signed;
   case RT_UFLOAT: return decode_small(is_unsigned, channel.bits - 5u);
   case RT_SFLOAT: return decode_small(is_unsigned & 0x7fff, 10) | (top & INT32_MIN);
   default: return is_unsigned;
   }
}

/* The records of `count` vertices, at most 16, which need not lie in the buffer. */
static void gather_inside(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, rt_i32x16 v[4])
{
   uint32_t words[4][16] = {0};
   for (uint32_t i = 0; i < count; i++) {
      uint32_t record[4] = {0};
      if (offsets[i] != UINT64_MAX && fetch->size_bytes - offsets[i] >= 16)
         memcpy(record, fetch->data + offsets[i], 16);
      else if (offsets[i] != UINT64_MAX)
         memcpy(record, fetch->data + offsets[i], fetch->info->texel_bytes);
      for (uint32_t k = 0; k < 4; k++)
         words[k][i] = record[k];
   }
   memcpy(v, words, sizeof(words));
}

static void fetch_record(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, uint32_t *const out[4])
{
   for (uint32_t i = 0; i < count; i += 16) {
      const uint32_t num = UTIL_MIN(count - i, 16u);
      rt_i32x16 v[4];
      gather_inside(fetch, offsets + i, num, v);
      for (uint32_t c = 0; c < 4; c++) {
         if (!out[c])
            continue;
         const rt_i32x16 values = component(fetch, v, c);
         memcpy(out[c] + i, &values, num * sizeof(*out[c]));
      }
   }
}

static void fetch_64(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, uint32_t *const out[4])
{
   static const uint8_t zeros[32];
   for (uint32_t i = 0; i < count; i++) {
      uint32_t components[8];
      rt_format_unpack_64(fetch->info, offsets[i] != UINT64_MAX ? fetch->data + offsets[i] : zeros, components);
      for (uint32_t c = 0; c < 4; c++)
         if (out[c])
            out[c][i] = components[fetch->first * 2 + c];
   }
}

static void fetch_generic(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, uint32_t *const out[4])
{
   static const uint8_t zeros[32];
   for (uint32_t i = 0; i < count; i++) {
      uint32_t rgba[1][4];
      fetch->info->unpack(offsets[i] != UINT64_MAX ? fetch->data + offsets[i] : zeros, 0, 1, rgba);
      for (uint32_t c = 0; c < 4; c++)
         if (out[c])
            out[c][i] = rgba[0][c];
   }
}

/* Of no buffer: zeros, and what stands for a fourth component that the format has not. */
static void fetch_absent(const struct rt_fetch *fetch, uint32_t count, uint32_t *const out[4])
{
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t value = c == 3 && fetch->info && !fetch->info->channels[3].bits ? fetch->one : 0;
      for (uint32_t i = 0; out[c] && i < count; i++)
         out[c][i] = value;
   }
}

typedef void fetch_fn(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, uint32_t *const out[4]);

static fetch_fn *const fetch_fns[] = {
   [RT_FETCH_GENERIC] = fetch_generic, [RT_FETCH_RECORD] = fetch_record, [RT_FETCH_64] = fetch_64};

/* An instance's vertices follow one another: its attribute is read once. */
static void fetch_instances(const struct rt_fetch *fetch, const uint32_t *instance_index, uint32_t first_instance, uint32_t count,
                            uint32_t *const out[4])
{
   uint32_t values[4], *to[4];
   for (uint32_t c = 0; c < 4; c++)
      to[c] = out[c] ? &values[c] : NULL;
   for (uint32_t begin = 0, end; begin < count; begin = end) {
      uint64_t offset;
      find(fetch, instance_index + begin, instance_index + begin, first_instance, 1, &offset);
      fetch_fns[fetch->class](fetch, &offset, 1, to);
      for (end = begin; end < count && instance_index[end] == instance_index[begin]; end++) {
         for (uint32_t c = 0; c < 4; c++)
            if (out[c])
               out[c][end] = values[c];
      }
   }
}

/* ---- what nobody wrote ---- */

/* Bits of a texel's shadow from number `first` on. */
static bool has_bits(const uint8_t *shadow, uint32_t first, uint32_t count)
{
   bool is_found = false;
   for (uint32_t bit = first; bit < first + count; bit++)
      is_found |= shadow[bit / 8] >> bit % 8 & 1;
   return is_found;
}

/* Components of an attribute that somebody wrote, where not all bytes are. */
static uint32_t written_components(const struct rt_fetch *fetch, const uint8_t *shadow)
{
   uint32_t written = 0;
   for (uint32_t c = 0; c < 4; c++) {
      const struct rt_channel *channel = &fetch->info->channels[fetch->class == RT_FETCH_64 ? fetch->first + c / 2 : c];
      written |= (uint32_t)!has_bits(shadow, channel->shift, channel->bits) << c;
   }
   return written;
}

static void note_written(const struct rt_fetch *fetch, const uint64_t *offsets, uint32_t count, uint32_t *row)
{
   const uint32_t bytes = fetch->info->texel_bytes;
   if (!abi_has_shadow((uintptr_t)fetch->data))
      return;
   for (uint32_t i = 0; i < count; i++) {
      if (offsets[i] == UINT64_MAX)
         continue;
      const uint8_t *shadow = (const uint8_t *)((uintptr_t)fetch->data + offsets[i] + ABI_SHADOW_DISTANCE);
      uint8_t any = 0;
      for (uint32_t k = 0; k < bytes; k++)
         any |= shadow[k];
      if (any)
         row[i] &= ~(0xfu << fetch->written_shift) | written_components(fetch, shadow) << fetch->written_shift;
   }
}

static void find_written(const struct rt_fetch *fetches, uint32_t num_fetches, uint32_t *rows, const uint32_t *vertex_index, const uint32_t *instance_index,
                         uint32_t first_instance, uint32_t count)
{
   uint64_t offsets[ABI_VERTEX_BATCH];
   for (uint32_t f = 0; f < num_fetches; f++) {
      const struct rt_fetch *fetch = &fetches[f];
      if (!fetch->is_followed)
         continue;
      uint32_t *row = rows + fetch->written_row * ABI_VERTEX_BATCH;
      if (!f || fetches[f - 1].written_row != fetch->written_row)
         memset(row, 0xff, count * sizeof(*row));
      if (fetch->class == RT_FETCH_ZERO)
         continue;
      find(fetch, vertex_index, instance_index, first_instance, count, offsets);
      note_written(fetch, offsets, count, row);
   }
}

/* True if 16 bytes from each vertex's attribute on lie in the buffer, at offsets of 32 bits. */
static bool is_inside(const struct rt_fetch *fetch, uint32_t max_index)
{
   const uint64_t end = (uint64_t)max_index * fetch->stride_bytes + 16;
   return !fetch->is_instanced && end <= fetch->size_bytes && end <= UINT32_MAX;
}

/* Whole records of 16 vertices at a time. Reads and writes up to the next multiple of 16 vertices. */
static void fetch_records(const struct rt_fetch *fetch, const uint32_t *vertex_index, uint32_t count,
                          uint32_t *const out[4])
{
   for (uint32_t i = 0; i < count; i += 16) {
      const rt_i32x16 index = rt_load_i(vertex_index + i);
      const rt_i32x16 steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
      rt_i32x16 v[4];
      if (!rt_sign_mask(index - (int32_t)vertex_index[i] != steps)) {
         const uint8_t *from = fetch->data + (size_t)vertex_index[i] * fetch->stride_bytes;
         rt_load_records(from, fetch->stride_bytes, v);
         for (uint32_t at = 0; fetch->leads && at < 16 * fetch->stride_bytes; at += 64)
            __builtin_prefetch(from + PREFETCH_BYTES + at);
      } else {
         uint32_t offsets[16] __attribute__((aligned(64)));
         rt_store_i(offsets, index * (int32_t)fetch->stride_bytes);
         rt_gather_records(fetch->data, offsets, v);
      }
      for (uint32_t c = 0; c < 4; c++)
         if (out[c])
            rt_store_i(out[c] + i, component(fetch, v, c));
   }
}

/* The largest index of a call, its padding included. */
static uint32_t find_max(const uint32_t *vertex_index, uint32_t count)
{
   uint32_t max = 0;
   for (uint32_t i = 0; i < (count + 15) / 16 * 16; i++)
      max = UTIL_MAX(max, vertex_index[i]);
   return max;
}

void rt_fetch_vertices(const struct rt_fetch *fetches, uint32_t num_fetches, uint32_t *rows,
                       const uint32_t *vertex_index, const uint32_t *instance_index, uint32_t first_instance,
                       uint32_t count)
{
   const uint32_t max_index = num_fetches ? find_max(vertex_index, count) : 0;
   bool is_followed = false;
   for (uint32_t f = 0; f < num_fetches; f++)
      is_followed |= fetches[f].is_followed;
   if (UTIL_UNLIKELY(is_followed))
      find_written(fetches, num_fetches, rows, vertex_index, instance_index, first_instance, count);
   for (uint32_t f = 0; f < num_fetches; f++) {
      const struct rt_fetch *fetch = &fetches[f];
      uint32_t *out[4];
      for (uint32_t c = 0; c < 4; c++)
         out[c] = fetch->row[c] >= 0 ? rows + fetch->row[c] * ABI_VERTEX_BATCH : NULL;
      if (fetch->class == RT_FETCH_ZERO) {
         fetch_absent(fetch, count, out);
         continue;
      }
      if (fetch->class == RT_FETCH_RECORD && is_inside(fetch, max_index)) {
         fetch_records(fetch, vertex_index, count, out);
         continue;
      }
      if (fetch->is_instanced) {
         fetch_instances(fetch, instance_index, first_instance, count, out);
         continue;
      }
      uint64_t offsets[ABI_VERTEX_BATCH];
      find(fetch, vertex_index, instance_index, first_instance, count, offsets);
      fetch_fns[fetch->class](fetch, offsets, count, out);
   }
}
