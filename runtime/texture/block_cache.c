/* SPDX-License-Identifier: MIT
 * Direct-mapped cache of decoded blocks. */
#include "runtime/texture/block_cache.h"

#include <string.h>

enum { MAX_BLOCKS = 64, MAX_TEXELS = 1024 };

struct cached_block {
   const struct rt_format_info *info; /* NULL: empty */
   uint64_t key[2];
};

static _Thread_local struct {
   uint32_t block_texels; /* of all blocks in the cache; another size empties it */
   struct cached_block blocks[MAX_BLOCKS];
   uint32_t texels[MAX_TEXELS][4]; /* as many blocks as fit */
} cache;

const uint32_t (*rt_block_texels(const struct rt_format_info *info, const uint8_t *block))[4]
{
   const uint32_t block_texels = rt_format_block_texels(info);
   const uint32_t slots = UTIL_MIN(MAX_TEXELS / block_texels, (uint32_t)MAX_BLOCKS);
   if (cache.block_texels != block_texels) {
      memset(cache.blocks, 0, sizeof(cache.blocks));
      cache.block_texels = block_texels;
   }
   uint64_t key[2] = {0, 0};
   memcpy(&key[0], block, 8);
   if (info->texel_bytes == 16)
      memcpy(&key[1], block + 8, 8);
   const uint64_t hash = (key[0] ^ key[1] * 0x9e3779b97f4a7c15u) * 0xd6e8feb86659fd93u;
   const uint32_t slot = (uint32_t)((hash >> 32) * slots >> 32);
   struct cached_block *cached = &cache.blocks[slot];
   uint32_t(*texels)[4] = cache.texels + slot * block_texels;
   if (cached->info != info || cached->key[0] != key[0] || cached->key[1] != key[1]) {
      info->decode(block, texels);
      if (info->round)
         info->round(texels, block_texels);
      *cached = (struct cached_block){info, {key[0], key[1]}};
   }
   return (const uint32_t(*)[4])texels;
}
