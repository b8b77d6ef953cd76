/* SPDX-License-Identifier: MIT
 * Cache of decoded blocks: sets of two, of which the one that is older makes room. */
#include "runtime/texture/block_cache.h"

#include "util/alloc.h"

#include <string.h>

/* What a tile of 64 x 64 pixels takes from a few textures fits, and stays in a processor's second cache. */
enum { MAX_TEXELS = 16384, MAX_BLOCKS = MAX_TEXELS / 16 };

/* Blocks of 4 x 4 and fewer texels, to 6 x 5, to 8 x 8, to 6 x 6 x 6: a cache each, so that formats do not displace each other's. */
enum { LARGEST = 216 };
static const struct {
   uint32_t texels, sets;
} sizes[] = {{16, MAX_BLOCKS / 2}, {32, MAX_TEXELS / 32 / 2}, {64, MAX_TEXELS / 64 / 2}, {LARGEST, MAX_TEXELS / LARGEST / 2}};
enum { NUM_SIZES = UTIL_ARRAY_SIZE(sizes) };

struct slot {
   const struct rt_format_info *info; /* NULL: empty */
   uint64_t key[2];
   uint64_t batch; /* the last that had it */
};

struct rt_block_cache {
   uint64_t batch;
   uint32_t block_texels, num_sets;
   struct slot slots[MAX_BLOCKS];
   uint32_t texels[MAX_TEXELS][4]; /* as many blocks as fit */
};

static _Thread_local struct rt_block_cache *caches[NUM_SIZES]; /* NULL: no such block was decoded yet, or memory is out */

static void decode(const struct rt_format_info *info, const uint8_t *block, uint32_t block_texels, uint32_t (*texels)[4])
{
   info->decode(block, texels);
   if (info->round)
      info->round(texels, block_texels);
}

bool rt_block_batch_begin(struct rt_block_batch *batch, const struct rt_format_info *info)
{
   const uint32_t block_texels = rt_format_block_texels(info);
   uint32_t size = 0;
   while (sizes[size].texels < block_texels)
      size++;
   struct rt_block_cache *cache = caches[size];
   if (UTIL_UNLIKELY(!cache)) {
      cache = caches[size] = util_calloc(1, sizeof(*cache));
      if (!cache)
         return false;
      cache->block_texels = sizes[size].texels;
      cache->num_sets = sizes[size].sets;
   }
   cache->batch++;
   *batch = (struct rt_block_batch){info, cache, (const uint32_t(*)[4])cache->texels};
   return true;
}

static bool has_block(const struct slot *slot, const struct rt_format_info *info, const uint64_t key[2])
{
   return slot->info == info && slot->key[0] == key[0] && slot->key[1] == key[1];
}

uint32_t rt_block_batch_find(const struct rt_block_batch *batch, const uint8_t *block)
{
   struct rt_block_cache *cache = batch->cache;
   const struct rt_format_info *info = batch->info;
   uint64_t key[2] = {0, 0};
   memcpy(&key[0], block, 8);
   if (info->texel_bytes == 16)
      memcpy(&key[1], block + 8, 8);
   const uint64_t hash = (key[0] ^ key[1] * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
   struct slot *set = &cache->slots[2 * (uint32_t)((hash >> 32) * cache->num_sets >> 32)];
   struct slot *slot = has_block(&set[0], info, key)   ? &set[0]
                       : has_block(&set[1], info, key) ? &set[1]
                                                       : NULL;
   if (UTIL_UNLIKELY(!slot)) {
      slot = set[1].batch < set[0].batch ? &set[1] : &set[0];
      if (slot->batch == cache->batch)
         return RT_BLOCK_TEXELS_NONE;
      slot->info = info;
      memcpy(slot->key, key, sizeof(key));
      decode(info, block, rt_format_block_texels(info), cache->texels + (size_t)(slot - cache->slots) * cache->block_texels);
   }
   slot->batch = cache->batch;
   return (uint32_t)(slot - cache->slots) * cache->block_texels;
}

const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4]
{
   static _Thread_local uint32_t uncached[LARGEST][4];
   struct rt_block_batch batch;
   if (UTIL_LIKELY(rt_block_batch_begin(&batch, info)))
      return batch.texels + rt_block_batch_find(&batch, block);
   decode(info, block, rt_format_block_texels(info), uncached);
   return (const uint32_t(*)[4])uncached;
}

void rt_block_cache_forget(void)
{
   for (uint32_t size = 0; size < NUM_SIZES; size++) {
      util_mfree(caches[size]);
      caches[size] = NULL;
   }
}
