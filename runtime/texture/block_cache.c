/* SPDX-License-Identifier: MIT
 * Direct-mapped cache of decoded blocks. */
#include "runtime/texture/block_cache.h"

#include "util/alloc.h"

#include <string.h>

/* What a tile of 64 x 64 pixels takes from a few textures fits, and stays in a processor's second cache. */
enum { MAX_TEXELS = 16384, MAX_BLOCKS = MAX_TEXELS / 16 };

/* Blocks of 4 x 4 and fewer texels, to 6 x 5, to 8 x 8, to 6 x 6 x 6: a cache each, so that formats do not displace each other's. */
enum { LARGEST = 216 };
static const struct {
   uint32_t texels, slots;
} sizes[] = {{16, MAX_BLOCKS}, {32, MAX_TEXELS / 32}, {64, MAX_TEXELS / 64}, {LARGEST, MAX_TEXELS / LARGEST}};
enum { NUM_SIZES = UTIL_ARRAY_SIZE(sizes) };

struct cache {
   struct {
      const struct rt_format_info *info; /* NULL: empty */
      uint64_t key[2];
   } blocks[MAX_BLOCKS];
   uint32_t texels[MAX_TEXELS][4]; /* as many blocks as fit */
};

static _Thread_local struct cache *caches[NUM_SIZES]; /* NULL: no such block was decoded yet, or memory is out */

static void decode(const struct rt_format_info *info, const uint8_t *block, uint32_t block_texels, uint32_t (*texels)[4])
{
   info->decode(block, texels);
   if (info->round)
      info->round(texels, block_texels);
}

const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4]
{
   static _Thread_local uint32_t uncached[LARGEST][4];
   const uint32_t block_texels = rt_format_block_texels(info);
   uint32_t size = 0;
   while (sizes[size].texels < block_texels)
      size++;
   struct cache *cache = caches[size];
   if (UTIL_UNLIKELY(!cache)) {
      cache = caches[size] = util_calloc(1, sizeof(*cache));
      if (!cache) {
         decode(info, block, block_texels, uncached);
         return (const uint32_t(*)[4])uncached;
      }
   }
   uint64_t key[2] = {0, 0};
   memcpy(&key[0], block, 8);
   if (info->texel_bytes == 16)
      memcpy(&key[1], block + 8, 8);
   const uint64_t hash = (key[0] ^ key[1] * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
   const uint32_t slot = (uint32_t)((hash >> 32) * sizes[size].slots >> 32);
   uint32_t(*texels)[4] = cache->texels + slot * sizes[size].texels;
   if (cache->blocks[slot].info != info || cache->blocks[slot].key[0] != key[0] || cache->blocks[slot].key[1] != key[1]) {
      decode(info, block, block_texels, texels);
      cache->blocks[slot].info = info;
      memcpy(cache->blocks[slot].key, key, sizeof(key));
   }
   return (const uint32_t(*)[4])texels;
}

void rt_block_cache_forget(void)
{
   for (uint32_t size = 0; size < NUM_SIZES; size++) {
      util_mfree(caches[size]);
      caches[size] = NULL;
   }
}
