/* SPDX-License-Identifier: MIT
 * Viewport transforms. */
#include "runtime/draw/viewport.h"

#include <math.h>

static int32_t clamp_to_int(double v, int32_t lo, int32_t hi)
{
   if (!(v > lo)) /* NaN too */
      return lo;
   return v < hi ? (int32_t)v : hi;
}

static struct rt_rect intersect(struct rt_rect a, struct rt_rect b)
{
   return (struct rt_rect){UTIL_MAX(a.x0, b.x0), UTIL_MAX(a.y0, b.y0), UTIL_MIN(a.x1, b.x1), UTIL_MIN(a.y1, b.y1)};
}

static void init_one(struct rt_viewport *out, const VkViewport *vp, const VkRect2D *scissor, bool negative_z,
                     bool is_multisampled, const struct rt_target *target)
{
   const struct rt_rect area = {target->x0, target->y0, target->x1, target->y1};
   const int64_t right = (int64_t)scissor->offset.x + scissor->extent.width;
   const int64_t bottom = (int64_t)scissor->offset.y + scissor->extent.height;
   const struct rt_rect cut = {scissor->offset.x, scissor->offset.y, (int32_t)UTIL_MIN(right, INT32_MAX),
                               (int32_t)UTIL_MIN(bottom, INT32_MAX)};
   const double x_end = (double)vp->x + vp->width;
   const double y_lo = UTIL_MIN((double)vp->y, (double)vp->y + vp->height);
   const double y_hi = UTIL_MAX((double)vp->y, (double)vp->y + vp->height);
   /* Texels with a sample inside. With several samples a fractional border keeps its texels whole. */
   const double lo = is_multisampled ? 1.0 / 512 - 1 : -0.5, hi = is_multisampled ? -1.0 / 512 : -0.5;
   const struct rt_rect view = {clamp_to_int(ceil(vp->x + lo), 0, 1 << 20), clamp_to_int(ceil(y_lo + lo), 0, 1 << 20),
                                clamp_to_int(ceil(x_end + hi), 0, 1 << 20), clamp_to_int(ceil(y_hi + hi), 0, 1 << 20)};
   *out = (struct rt_viewport){
      .sx = vp->width * 0.5f,
      .sy = vp->height * 0.5f,
      .sz = negative_z ? (vp->maxDepth - vp->minDepth) * 0.5f : vp->maxDepth - vp->minDepth,
      .ox = vp->x + vp->width * 0.5f,
      .oy = vp->y + vp->height * 0.5f,
      .oz = negative_z ? (vp->maxDepth + vp->minDepth) * 0.5f : vp->minDepth,
      .z_lo = UTIL_MIN(vp->minDepth, vp->maxDepth),
      .z_hi = UTIL_MAX(vp->minDepth, vp->maxDepth),
      .wide_rect = intersect(area, cut),
   };
   out->polygon_rect = intersect(out->wide_rect, view);
   out->is_guarded = UTIL_MIN((double)vp->x, x_end) > RT_GUARD_LO + 1 && UTIL_MAX((double)vp->x, x_end) < RT_GUARD_HI - 1 &&
                     y_lo > RT_GUARD_LO + 1 && y_hi < RT_GUARD_HI - 1;
}

uint32_t rt_viewports_count(const struct rt_state *state)
{
   return UTIL_CLAMP(state->viewport_count.count, 1u, (uint32_t)RT_MAX_VIEWPORTS);
}

void rt_viewports_init(struct rt_viewports *viewports, const struct rt_state *state, const struct rt_target *target)
{
   viewports->count = rt_viewports_count(state);
   viewports->has_near_far = state->depth_clip.enable == RT_DEPTH_CLIP_UNLESS_CLAMPED ? !state->depth_clamp.enable
                                                                                      : state->depth_clip.enable;
   viewports->has_negative_z = state->clip_range.negative_one_to_one;
   for (uint32_t i = 0; i < viewports->count; i++)
      init_one(&viewports->items[i], &state->viewports.viewports[i], &state->scissors.scissors[i],
               viewports->has_negative_z, state->rasterization_samples.samples > 1, target);
   if (state->depth_clamp_range.mode != VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT)
      return;
   for (uint32_t i = 0; i < viewports->count; i++) {
      viewports->items[i].z_lo = state->depth_clamp_range.min;
      viewports->items[i].z_hi = state->depth_clamp_range.max;
   }
}
