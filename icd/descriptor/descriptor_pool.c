/* SPDX-License-Identifier: MIT
 * Descriptor pools: allocation of sets. Appending and reuse of a freed set of equal size take constant time; only when
 * both fail are the gaps between live sets searched. */
#include "icd/descriptor/descriptor_pool.h"

#include "gen/icd_entrypoints.h"
#include "icd/block.h"
#include "icd/chain.h"
#include "icd/device/device.h"

#include <string.h>

/* Pools have memory in such pieces, which leaves a small one some room. dEQP-VK.spirv_assembly.instruction.compute.raw_access_chain.*
 * needs it: it allocates two sets of a pool with descriptors for one. */
enum { POOL_PIECE_BYTES = 512 };

static void pool_clear(struct icd_descriptor_pool *pool)
{
   util_list_init(&pool->unused);
   util_list_init(&pool->placed);
   for (uint32_t i = 0; i < ICD_POOL_BUCKETS; i++)
      util_list_init(&pool->freed[i]);
   for (uint32_t i = 0; i < pool->max_sets; i++) {
      pool->sets[i].is_live = false;
      util_list_add_before(&pool->sets[i].link, &pool->unused);
   }
   pool->num_sets = 0;
   pool->used_bytes = pool->end_bytes = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDescriptorPool(VkDevice _device, const VkDescriptorPoolCreateInfo *pCreateInfo,
                                                        const VkAllocationCallbacks *pAllocator,
                                                        VkDescriptorPool *pDescriptorPool)
{
   struct icd_device *device = icd_device_from_handle(_device);
   const VkDescriptorPoolInlineUniformBlockCreateInfo *inline_blocks =
      icd_chain_find(pCreateInfo->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO);
   /* Each inline block may lose up to 15 bytes to alignment. */
   uint64_t capacity =
      inline_blocks ? (uint64_t)inline_blocks->maxInlineUniformBlockBindings * ABI_DESCRIPTOR_BYTES : 0;
   for (uint32_t i = 0; i < pCreateInfo->poolSizeCount; i++)
      capacity = util_size_add(
         capacity, icd_descriptor_bytes(pCreateInfo->pPoolSizes[i].type, pCreateInfo->pPoolSizes[i].descriptorCount));

   capacity = util_size_add(capacity, util_size_mul(pCreateInfo->maxSets, sizeof(struct abi_set_head)));
   capacity = util_size_align(capacity, POOL_PIECE_BYTES);

   struct icd_descriptor_pool *pool;
   size_t bytes = sizeof(*pool);
   const size_t sets = icd_block_add(&bytes, pCreateInfo->maxSets, sizeof(*pool->sets));
   const size_t data = util_size_align(bytes, 64);
   pool = icd_object_alloc(device, pAllocator, util_size_add(data, capacity), VK_OBJECT_TYPE_DESCRIPTOR_POOL);
   if (!pool)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   pool->max_sets = pCreateInfo->maxSets;
   pool->capacity_bytes = capacity;
   pool->sets = icd_block_at(pool, sets);
   pool->data = icd_block_at(pool, data);
   pool_clear(pool);
   *pDescriptorPool = icd_descriptor_pool_to_handle(pool);
   return VK_SUCCESS;
}

static void pool_finish_sets(struct icd_descriptor_pool *pool)
{
   UTIL_LIST_FOR_EACH (struct icd_descriptor_set, set, &pool->placed, link) {
      if (set->is_live)
         icd_object_finish(&set->base);
   }
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDescriptorPool(VkDevice device, VkDescriptorPool descriptorPool,
                                                     const VkAllocationCallbacks *pAllocator)
{
   struct icd_descriptor_pool *pool = icd_descriptor_pool_from_handle(descriptorPool);
   if (!pool)
      return;
   pool_finish_sets(pool);
   icd_object_free(icd_device_from_handle(device), pAllocator, pool);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_ResetDescriptorPool(VkDevice device, VkDescriptorPool descriptorPool,
                                                       VkDescriptorPoolResetFlags flags)
{
   struct icd_descriptor_pool *pool = icd_descriptor_pool_from_handle(descriptorPool);
   pool_finish_sets(pool);
   pool_clear(pool);
   return VK_SUCCESS;
}

/* ---- ranges of the pool's memory ---- */

static struct util_list *bucket_of(struct icd_descriptor_pool *pool, uint32_t size_bytes)
{
   return &pool->freed[size_bytes / ABI_DESCRIPTOR_BYTES % ICD_POOL_BUCKETS];
}

/* Gives up the range of a freed set. */
static void drop_freed(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set)
{
   util_list_remove(&set->freed_link);
   util_list_remove(&set->link);
   util_list_add_before(&set->link, &pool->unused);
}

static struct icd_descriptor_set *take_same_size(struct icd_descriptor_pool *pool, uint32_t size_bytes)
{
   UTIL_LIST_FOR_EACH (struct icd_descriptor_set, set, bucket_of(pool, size_bytes), freed_link) {
      if (set->size_bytes == size_bytes) {
         util_list_remove(&set->freed_link);
         return set;
      }
   }
   return NULL;
}

/* An object without a range. There is one while fewer than max_sets are live. */
static struct icd_descriptor_set *take_object(struct icd_descriptor_pool *pool)
{
   for (uint32_t i = 0; util_list_is_empty(&pool->unused) && i < ICD_POOL_BUCKETS; i++) {
      if (!util_list_is_empty(&pool->freed[i]))
         drop_freed(pool, UTIL_LIST_ENTRY(pool->freed[i].next, struct icd_descriptor_set, freed_link));
   }
   struct icd_descriptor_set *set = UTIL_LIST_ENTRY(pool->unused.next, struct icd_descriptor_set, link);
   util_list_remove(&set->link);
   return set;
}

static struct icd_descriptor_set *set_at(struct icd_descriptor_pool *pool, struct util_list *before, uint64_t offset,
                                           uint32_t size_bytes)
{
   struct icd_descriptor_set *set = take_object(pool);
   set->data = pool->data + offset + sizeof(struct abi_set_head);
   set->size_bytes = size_bytes;
   util_list_add_before(&set->link, before);
   return set;
}

static uint64_t offset_of(const struct icd_descriptor_pool *pool, const struct icd_descriptor_set *set)
{
   return (uint64_t)(set->data - pool->data) - sizeof(struct abi_set_head);
}

/* First fit among the gaps between live sets; freed ones count as gaps. NULL if none is wide enough. */
static struct icd_descriptor_set *take_gap(struct icd_descriptor_pool *pool, uint32_t size_bytes)
{
   uint64_t gap_start = 0;
   UTIL_LIST_FOR_EACH (struct icd_descriptor_set, set, &pool->placed, link) {
      if (!set->is_live) {
         drop_freed(pool, set);
         continue;
      }
      const uint64_t offset = offset_of(pool, set);
      if (offset - gap_start >= size_bytes)
         return set_at(pool, &set->link, gap_start, size_bytes);
      gap_start = offset + set->size_bytes;
   }
   pool->end_bytes = gap_start;
   if (pool->capacity_bytes - gap_start < size_bytes)
      return NULL;
   pool->end_bytes = util_size_add(pool->end_bytes, size_bytes);
   return set_at(pool, &pool->placed, gap_start, size_bytes);
}

static struct icd_descriptor_set *take_range(struct icd_descriptor_pool *pool, uint32_t size_bytes)
{
   struct icd_descriptor_set *set = take_same_size(pool, size_bytes);
   if (set)
      return set;
   if (pool->capacity_bytes - pool->end_bytes < size_bytes)
      return take_gap(pool, size_bytes);
   set = set_at(pool, &pool->placed, pool->end_bytes, size_bytes);
   pool->end_bytes = util_size_add(pool->end_bytes, size_bytes);
   return set;
}

/* ---- sets ---- */

static VkResult set_create(struct icd_descriptor_pool *pool, const struct icd_descriptor_set_layout *layout,
                           uint32_t variable_count, VkDescriptorSet *handle)
{
   const uint32_t size_bytes = icd_set_layout_bytes(layout, variable_count);
   const uint64_t range_bytes = (uint64_t)size_bytes + sizeof(struct abi_set_head);
   if (pool->num_sets == pool->max_sets || pool->capacity_bytes - pool->used_bytes < range_bytes || range_bytes > UINT32_MAX)
      return VK_ERROR_OUT_OF_POOL_MEMORY;
   struct icd_descriptor_set *set = take_range(pool, (uint32_t)range_bytes);
   if (!set)
      return VK_ERROR_FRAGMENTED_POOL;
   icd_object_init(&set->base, pool->base.device, VK_OBJECT_TYPE_DESCRIPTOR_SET);
   set->layout = layout;
   set->is_live = true;
   pool->num_sets++;
   pool->used_bytes = util_size_add(pool->used_bytes, range_bytes);
   icd_descriptors_init(&layout->shape, set->data, size_bytes, variable_count);
   *handle = icd_descriptor_set_to_handle(set);
   return VK_SUCCESS;
}

static void set_destroy(struct icd_descriptor_pool *pool, struct icd_descriptor_set *set)
{
   icd_object_finish(&set->base);
   memset(set->data - sizeof(struct abi_set_head), 0, sizeof(struct abi_set_head)); /* commands that still name it read nulls */
   set->is_live = false;
   pool->num_sets--;
   pool->used_bytes -= set->size_bytes;
   util_list_add_after(&set->freed_link, bucket_of(pool, set->size_bytes));

   /* Freed sets at the end no longer hinder appending. */
   while (!util_list_is_empty(&pool->placed)) {
      struct icd_descriptor_set *last = UTIL_LIST_ENTRY(pool->placed.prev, struct icd_descriptor_set, link);
      if (last->is_live) {
         pool->end_bytes = offset_of(pool, last) + last->size_bytes;
         return;
      }
      drop_freed(pool, last);
   }
   pool->end_bytes = 0;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_FreeDescriptorSets(VkDevice device, VkDescriptorPool descriptorPool, uint32_t count,
                                                      const VkDescriptorSet *pDescriptorSets)
{
   struct icd_descriptor_pool *pool = icd_descriptor_pool_from_handle(descriptorPool);
   for (uint32_t i = 0; i < count; i++) {
      if (pDescriptorSets[i])
         set_destroy(pool, icd_descriptor_set_from_handle(pDescriptorSets[i]));
   }
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_AllocateDescriptorSets(VkDevice device,
                                                          const VkDescriptorSetAllocateInfo *pAllocateInfo,
                                                          VkDescriptorSet *pDescriptorSets)
{
   struct icd_descriptor_pool *pool = icd_descriptor_pool_from_handle(pAllocateInfo->descriptorPool);
   const VkDescriptorSetVariableDescriptorCountAllocateInfo *variable =
      icd_chain_find(pAllocateInfo->pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_VARIABLE_DESCRIPTOR_COUNT_ALLOCATE_INFO);

   for (uint32_t i = 0; i < pAllocateInfo->descriptorSetCount; i++) {
      /* Without the structure a variable count is zero. */
      const uint32_t variable_count = variable && variable->descriptorSetCount ? variable->pDescriptorCounts[i] : 0;
      const VkResult result = set_create(pool, icd_descriptor_set_layout_from_handle(pAllocateInfo->pSetLayouts[i]),
                                         variable_count, &pDescriptorSets[i]);
      if (result == VK_SUCCESS)
         continue;
      icd_FreeDescriptorSets(device, pAllocateInfo->descriptorPool, i, pDescriptorSets);
      for (uint32_t k = 0; k < pAllocateInfo->descriptorSetCount; k++)
         pDescriptorSets[k] = VK_NULL_HANDLE;
      return result;
   }
   return VK_SUCCESS;
}
