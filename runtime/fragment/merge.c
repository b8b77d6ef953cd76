/* SPDX-License-Identifier: MIT */
#include "runtime/fragment/merge.h"

#include "runtime/draw/lanes.h"

#include <string.h>

/* Merges in units of a type as wide as the texel. */
#define DEFINE_MERGE(type)                                                                                             \
   static void merge_##type(type *dst, const type *src, uint32_t mask, const uint8_t *bits)                            \
   {                                                                                                                   \
      type keep = (type) ~(type)0;                                                                                     \
      if (bits)                                                                                                        \
         memcpy(&keep, bits, sizeof(keep));                                                                            \
      for (uint32_t i = 0; i < 16; i++) {                                                                              \
         const type lane = (type)((mask >> i & 1 ? (type) ~(type)0 : 0) & keep);                                       \
         dst[i] = (type)((src[i] & lane) | (dst[i] & (type)~lane));                                                    \
      }                                                                                                                \
   }
DEFINE_MERGE(uint8_t)
DEFINE_MERGE(uint16_t)
DEFINE_MERGE(uint64_t)

static void merge_wide(uint8_t *dst, const uint8_t *src, uint32_t texel_bytes, uint32_t mask, const uint8_t *bits)
{
   for (uint32_t i = 0; i < 16; i++) {
      if (!(mask >> i & 1))
         continue;
      for (uint32_t b = 0; b < texel_bytes; b++) {
         const uint8_t keep = bits ? bits[b] : 0xff;
         uint8_t *to = &dst[i * texel_bytes + b];
         *to = (uint8_t)((src[i * texel_bytes + b] & keep) | (*to & ~keep));
      }
   }
}

void rt_merge_block(void *dst, const void *src, uint32_t texel_bytes, uint32_t mask, const uint8_t *bits)
{
   if (mask == 0xffff && !bits && texel_bytes != 4) {
      memcpy(dst, src, texel_bytes * 16);
      return;
   }
   switch (texel_bytes) {
   case 1:
      merge_uint8_t(dst, src, mask, bits);
      break;
   case 2:
      merge_uint16_t(dst, src, mask, bits);
      break;
   case 4: {
      int32_t keep = -1;
      if (bits)
         memcpy(&keep, bits, 4);
      rt_store_i(dst, rt_select_i(rt_mask_lanes(mask) & keep, rt_load_i(src), rt_load_i(dst)));
      break;
   }
   case 8:
      merge_uint64_t(dst, src, mask, bits);
      break;
   default:
      merge_wide(dst, src, texel_bytes, mask, bits);
      break;
   }
}
