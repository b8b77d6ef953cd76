/* SPDX-License-Identifier: MIT
 * Which views compiled code reads and writes by itself: enum abi_direct. */
#include "runtime/image/texel_class.h"

#include "abi/texel_format.h"

/* Channels R to A of so many bits each, in order. */
static bool is_rgba(const struct rt_format_info *info, uint32_t bits)
{
   for (uint32_t c = 0; c < 4; c++)
      if (info->channels[c].bits != bits || (bits != 8 && info->channels[c].shift != c * bits))
         return false;
   return true;
}

/* Codes in unsigned integers: UNORM, or integers that are themselves. */
static bool is_code(const struct rt_format_info *info)
{
   return info->channels[0].numeric == RT_UNORM || info->channels[0].numeric == RT_UINT;
}

/* R, or R and G, of 8 or of 16 bits, from the lowest bit on. */
static bool is_small(const struct rt_format_info *info)
{
   const uint32_t bits = info->channels[0].bits;
   return (bits == 8 || bits == 16) && info->num_channels <= 2 && !info->channels[0].shift &&
          (info->num_channels == 1 || (info->channels[1].bits == bits && info->channels[1].shift == bits)) &&
          info->texel_bytes * 8 == bits * info->num_channels;
}

static enum abi_direct classify(const struct rt_format_info *info)
{
   const uint8_t numeric = info->channels[0].numeric;
   const bool is_plain = numeric == RT_UINT || numeric == RT_SINT || numeric == RT_SFLOAT;
   if (info->texel_bytes == 4 && info->num_channels == 1 && info->channels[0].bits == 32 && is_plain)
      return ABI_DIRECT_WORD;
   if (info->texel_bytes == 4 && is_code(info) && is_rgba(info, 8))
      return ABI_DIRECT_BYTES;
   if (is_small(info) && (is_code(info) || numeric == RT_SFLOAT))
      return numeric == RT_SFLOAT ? ABI_DIRECT_SMALL_HALVES : ABI_DIRECT_SMALL;
   return info->texel_bytes == 8 && numeric == RT_SFLOAT && is_rgba(info, 16) ? ABI_DIRECT_HALVES : ABI_DIRECT_OTHER;
}

/* The number of the format that shaders name, of views with components as they are. */
static uint32_t find_format(const struct abi_image *view, VkFormat format)
{
   static const VkFormat formats[ABI_NUM_TEXEL_FORMATS] = {
#define X(name, vk_name, ...) [ABI_TEXEL_FORMAT_##name] = VK_FORMAT_##vk_name,
      ABI_TEXEL_FORMATS(X)
#undef X
   };
   for (uint32_t c = 0; c < 4; c++)
      if (view->swizzle[c] != VK_COMPONENT_SWIZZLE_R + c)
         return ABI_TEXEL_FORMAT_UNKNOWN;
   for (uint32_t i = 1; i < ABI_NUM_TEXEL_FORMATS; i++)
      if (formats[i] == format)
         return i;
   return ABI_TEXEL_FORMAT_UNKNOWN;
}

/* What compiled code has no arithmetic for. Words are counted in 30 bits. */
static bool is_special(const struct abi_image *view)
{
   const struct abi_level *last = &view->levels[view->num_levels - 1];
   const bool is_buffer = view->dim == ABI_DIM_BUFFER;
   if (view->min_lod >= 1.0f || view->num_layers == 0 ||
       (!is_buffer && last->offset_bytes + view->layer_bytes * view->num_layers > UINT32_MAX) ||
       (is_buffer && (uint64_t)last->width * view->texel_bytes > UINT32_MAX))
      return true;
   for (uint32_t i = 0; i < view->num_levels && !view->is_tiled; i++)
      if (view->levels[i].row_pitch_bytes & (view->texel_bytes - 1))
         return true;
   return false;
}

/* Counted in bytes, with channels' sizes in `direct_shift`. */
static bool is_of_bytes(enum abi_direct class)
{
   return class == ABI_DIRECT_SMALL || class == ABI_DIRECT_SMALL_HALVES;
}

/* Words are read at texels' addresses, so that the last ones reach behind the image, into its padding. */
static bool is_small_enough(const struct abi_image *view)
{
   const struct abi_level *last = &view->levels[view->num_levels - 1];
   return view->dim == ABI_DIM_2D && view->num_samples == 1 && !view->residency &&
          last->offset_bytes + view->layer_bytes * view->num_layers <= INT32_MAX;
}

/* Where components are in words; false where some are in none. */
static bool find_shifts(struct abi_image *view, enum abi_direct class)
{
   const struct rt_format_info *info = view->format_info;
   for (uint32_t c = 0; c < 4; c++) {
      const uint32_t channel = view->swizzle[c] - (uint32_t)VK_COMPONENT_SWIZZLE_R;
      if (channel > 3 || (class != ABI_DIRECT_BYTES && channel != c))
         return false;
      view->direct_shift[c] = is_of_bytes(class) ? info->channels[c].bits : info->channels[channel].shift;
   }
   return true;
}

void rt_view_set_direct(struct abi_image *view)
{
   const struct rt_format_info *info = view->format_info;
   const bool has_words = view->texel_bytes >= 4 || is_small_enough(view);
   const uint32_t format = has_words ? find_format(view, info->format) : ABI_TEXEL_FORMAT_UNKNOWN;
   enum abi_direct class = classify(info);
   view->direct = ABI_DIRECT_NONE;
   if (view->texel == RT_TEXEL_NONE || view->texel >= RT_TEXEL_BC1 || is_special(view))
      return;
   if ((is_of_bytes(class) && !is_small_enough(view)) || !find_shifts(view, class))
      class = ABI_DIRECT_OTHER;
   view->samples_log2 = (uint8_t)__builtin_ctz(view->num_samples);
   view->direct_log2 = (uint8_t)((uint32_t)__builtin_ctz(view->texel_bytes) + view->samples_log2);
   view->direct = (uint32_t)class | (view->is_tiled ? ABI_DIRECT_TILED : 0) | (view->num_samples > 1 ? ABI_DIRECT_MS : 0) |
                  view->dim << ABI_DIRECT_DIM_SHIFT | format << ABI_DIRECT_FORMAT_SHIFT;
}
