/* SPDX-License-Identifier: MIT
 * Combination of shading rates. */
#include "runtime/fragment/rate.h"

#include "runtime/fragment/tile.h"
#include "runtime/image/image.h"

uint8_t rt_rate_clamp(uint32_t width_log2, uint32_t height_log2, uint32_t num_samples)
{
   const uint32_t samples_log2 = 31 - (uint32_t)__builtin_clz(num_samples | 1);
   uint32_t w = UTIL_MIN(width_log2, (uint32_t)RT_MAX_RATE_LOG2), h = UTIL_MIN(height_log2, (uint32_t)RT_MAX_RATE_LOG2);
   while (w + h + samples_log2 > RT_MAX_COVERAGE_LOG2)
      *(w > h ? &w : &h) -= 1;
   return (uint8_t)(w << RT_RATE_WIDTH_SHIFT | h);
}

static uint32_t combine_axis(VkFragmentShadingRateCombinerOpKHR op, uint32_t a, uint32_t b)
{
   switch (op) {
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR: return b;
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MIN_KHR: return UTIL_MIN(a, b);
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MAX_KHR: return UTIL_MAX(a, b);
   case VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR: return a + b;
   default: return a;
   }
}

/* Both are clamped first. */
static uint8_t combine(const struct rt_context *c, uint32_t combiner, uint32_t a, uint32_t b)
{
   const VkFragmentShadingRateCombinerOpKHR op = (VkFragmentShadingRateCombinerOpKHR)c->state.shading_rate.combiners[combiner];
   a = rt_rate_clamp(rt_rate_width_log2(a), rt_rate_height_log2(a), c->num_samples);
   b = rt_rate_clamp(rt_rate_width_log2(b), rt_rate_height_log2(b), c->num_samples);
   return rt_rate_clamp(combine_axis(op, rt_rate_width_log2(a), rt_rate_width_log2(b)),
                        combine_axis(op, rt_rate_height_log2(a), rt_rate_height_log2(b)), c->num_samples);
}

bool rt_rate_is_used(const struct rt_context *c)
{
   const struct rt_rate_attachment *rates = &c->target->rates;
   const uint8_t *combiners = c->state.shading_rate.combiners;
   const bool shades_samples = c->state.sample_shading.enable || (c->fs && c->fs->uses_sample); /* with one sample, too */
   if (!c->is_shaded || shades_samples || c->fs->reads_tiles)
      return false;
   if (rates->is_density)
      return rates->view && rates->view->data;
   const bool has_prims = combiners[0] && (c->rate_row >= 0 || (c->ms && c->prim_rate_row >= 0));
   const bool has_texels = combiners[1] && rates->view && rates->view->data;
   return c->state.shading_rate.rate || has_prims || has_texels;
}

uint8_t rt_rate_of_prim(const struct rt_context *c, uint32_t asked)
{
   return combine(c, 0, c->state.shading_rate.rate, asked & 15);
}

/* The attachment's texel (x, y) for the tile's layer; NULL: it has none. */
static const uint8_t *find_texel(const struct rt_tile *tile, uint32_t x, uint32_t y)
{
   const struct rt_rate_attachment *rates = &tile->target->rates;
   const struct abi_image *view = rates->view;
   if (!view || !view->data)
      return NULL;
   const struct abi_level *level = &view->levels[0];
   const uint32_t layer = view->num_layers > 1 && rates->is_layered ? tile->layer : 0;
   if (x >= level->width || y >= level->height || layer >= UTIL_MAX(view->num_layers, 1u))
      return NULL;
   return view->data + layer * view->layer_bytes +
          rt_level_offset(level, view->is_tiled, view->texel_bytes, x, y, view->base_slice, 0, view->num_samples);
}

/* What the attachment says of a texel of the target; beyond its end that fragments are as small as they can be. */
static uint32_t read_attachment(const struct rt_tile *tile, uint32_t x, uint32_t y)
{
   const uint32_t *texel_log2 = tile->target->rates.texel_log2;
   const uint8_t *texel = find_texel(tile, x >> texel_log2[0], y >> texel_log2[1]);
   return texel ? *texel : 0;
}

/* The longest edge of a fragment that is not longer than what the density's inverse asks for; `component` of the view, a byte of a normalized number.
 * Where it is 0, which has no meaning: the longest
 * that there is. */
static uint32_t edge_log2(const struct rt_rate_attachment *rates, const uint8_t *texel, uint32_t component)
{
   const struct abi_image *view = rates->view;
   const uint8_t swizzle = view->swizzle[component];
   const uint32_t density = swizzle == VK_COMPONENT_SWIZZLE_R   ? texel[0]
                            : swizzle == VK_COMPONENT_SWIZZLE_G ? texel[1]
                            : swizzle == VK_COMPONENT_SWIZZLE_A || swizzle == VK_COMPONENT_SWIZZLE_ONE ? 255u : 0u;
   uint32_t log2 = UTIL_MIN(rates->max_edge_log2[component], (uint32_t)RT_MAX_RATE_LOG2);
   while (density << log2 > 255)
      log2--;
   return log2;
}

static VkOffset2D density_offset(const struct rt_tile *tile)
{
   const struct rt_rate_attachment *rates = &tile->target->rates;
   const uint32_t layer = rates->is_layered ? tile->layer : 0;
   return rates->offsets && layer < rates->offsets->count ? rates->offsets->offsets[layer] : (VkOffset2D){0, 0};
}

/* The texel of a map for a coordinate, clamped to the map's edges. */
static uint32_t density_texel(uint32_t coordinate, int32_t offset, uint32_t texel_log2, uint32_t size)
{
   const int64_t moved = (int64_t)coordinate - offset;
   return moved < 0 ? 0 : (uint32_t)UTIL_MIN(moved >> texel_log2, (int64_t)size - 1);
}

/* Spec: Fragment Density Map Operations. */
static uint8_t read_density(const struct rt_tile *tile, uint32_t x, uint32_t y)
{
   const struct rt_rate_attachment *rates = &tile->target->rates;
   const struct abi_level *level = &rates->view->levels[0];
   const VkOffset2D offset = density_offset(tile);
   const uint8_t *texel = find_texel(tile, density_texel(x, offset.x, rates->texel_log2[0], level->width),
                                     density_texel(y, offset.y, rates->texel_log2[1], level->height));
   return texel ? rt_rate_clamp(edge_log2(rates, texel, 0), edge_log2(rates, texel, 1), tile->context->num_samples) : 0;
}

uint8_t rt_rate_of_block(const struct rt_tile *tile, uint32_t bx, uint32_t by)
{
   const uint32_t x = (uint32_t)tile->x + bx * 4, y = (uint32_t)tile->y + by * 4;
   const struct rt_context *c = tile->context;
   if (tile->target->rates.is_density)
      return read_density(tile, x, y);
   return combine(c, 1, tile->prim->rate, c->state.shading_rate.combiners[1] ? read_attachment(tile, x, y) : 0);
}
