/* SPDX-License-Identifier: MIT
 * Boxes of a node's children in eight bits a side. */
#include "runtime/accel/grow.h"

#include "util/macros.h"

#include <string.h>

/* The smallest power of two that 255 of reach over the extent. */
static float scale_of(double extent)
{
   int exponent;
   const double mantissa = frexp(extent / 255.0, &exponent);
   if (extent == 0.0 || exponent < -125)
      return 0x1p-126f;
   return (float)ldexp(1.0, mantissa == 0.5 ? exponent - 1 : exponent);
}

static void encode_axis(struct rt_accel_node *node, uint32_t axis, const struct rt_accel_box *boxes, uint32_t count)
{
   double lo = INFINITY, hi = -INFINITY;
   for (uint32_t i = 0; i < count; i++) {
      lo = boxes[i].lo[axis] < lo ? boxes[i].lo[axis] : lo;
      hi = boxes[i].hi[axis] > hi ? boxes[i].hi[axis] : hi;
   }
   node->origin[axis] = lo <= hi ? (float)lo : 0.0f;
   node->scale[axis] = lo <= hi ? scale_of(hi - lo) : 1.0f;
   const double steps = 1.0 / (double)node->scale[axis];
   for (uint32_t i = 0; i < count; i++) {
      if (!(boxes[i].lo[axis] <= boxes[i].hi[axis]))
         continue;
      const double a = (boxes[i].lo[axis] - lo) * steps, b = (boxes[i].hi[axis] - lo) * steps;
      const int32_t up = (int32_t)b + ((double)(int32_t)b < b);
      node->bounds[axis][0][i] = (uint8_t)a;
      node->bounds[axis][1][i] = (uint8_t)UTIL_MIN(up, 255);
   }
}

void rt_accel_node_encode(struct rt_accel_node *node, const struct rt_accel_box *boxes, const uint32_t *refs,
                          uint32_t count)
{
   memset(node, 0, sizeof(*node));
   for (uint32_t axis = 0; axis < 3; axis++) {
      memset(node->bounds[axis][0], 255, RT_ACCEL_WIDTH);
      encode_axis(node, axis, boxes, count);
   }
   for (uint32_t i = 0; i < RT_ACCEL_WIDTH; i++)
      node->refs[i] = i < count ? refs[i] : rt_accel_ref(RT_REF_NONE, 0);
}
