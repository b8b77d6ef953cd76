/* SPDX-License-Identifier: MIT
 * A map from 64-bit keys to pointers in an arena: linear probing, grows by doubling. Threads: one user at a time. */
#pragma once

#include "util/arena.h"

#include <stdint.h>

struct ir_map_slot {
   uint64_t key;
   void *value; /* NULL: free */
};

struct ir_map {
   struct util_arena *arena;
   struct ir_map_slot *slots;
   uint32_t capacity, count; /* capacity is 0 or a power of two */
};

static inline uint64_t ir_mix(uint64_t x)
{
   x ^= x >> 32;
   x *= UINT64_C(0x9e3779b97f4a7c15);
   return x ^ x >> 29;
}

static inline struct ir_map_slot *ir_map_slot(const struct ir_map *map, uint64_t key)
{
   uint32_t i = (uint32_t)ir_mix(key) & (map->capacity - 1);
   while (map->slots[i].value && map->slots[i].key != key)
      i = (i + 1) & (map->capacity - 1);
   return &map->slots[i];
}

static inline void *ir_map_find(const struct ir_map *map, uint64_t key)
{
   return map->capacity ? ir_map_slot(map, key)->value : NULL;
}

/* `value` is not NULL and `key` not in the map yet. */
static inline void ir_map_add(struct ir_map *map, uint64_t key, void *value)
{
   if (map->count * 2 >= map->capacity) {
      const struct ir_map old = *map;
      map->capacity = old.capacity ? old.capacity * 2 : 64;
      map->slots = UTIL_ARENA_ARRAY(map->arena, struct ir_map_slot, map->capacity);
      for (uint32_t i = 0; i < old.capacity; i++) {
         if (old.slots[i].value)
            *ir_map_slot(map, old.slots[i].key) = old.slots[i];
      }
   }
   *ir_map_slot(map, key) = (struct ir_map_slot){key, value};
   map->count++;
}
