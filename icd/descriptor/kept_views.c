/* SPDX-License-Identifier: MIT
 * Views without objects: a hash table with chains, doubled when it is full. */
#include "icd/descriptor/kept_views.h"

#include "icd/chain.h"
#include "icd/device/device.h"
#include "icd/resource/image_view.h"
#include "icd/resource/ycbcr_conversion.h"
#include "runtime/device.h"
#include "util/alloc.h"
#include "util/hash.h"
#include "util/size.h"
#include "util/thread.h"

#include <stddef.h>
#include <string.h>

enum { FIRST_SLOTS = 64, VIEW_ALIGN = 16 };

/* What is alike: no padding, unused words are zero. */
struct key {
   uint64_t object;   /* the image's address; a texel buffer's */
   uint64_t extra[2]; /* a texel buffer's range; the conversion, slices */
   uint32_t words[16];
};

struct icd_kept_view {
   struct icd_kept_view *next;          /* of the slot */
   struct icd_kept_view *next_of_image; /* of icd_image.kept_views */
   struct key key;
   uint64_t hash;
};

struct icd_kept_views {
   pthread_mutex_t lock; /* of the table and of all images' lists */
   struct icd_kept_view **slots;
   size_t num_slots, count; /* the first is a power of two */
};

static struct icd_kept_views *create(void)
{
   struct icd_kept_views *views = util_calloc(1, sizeof(*views));
   if (!views)
      return NULL;
   views->num_slots = FIRST_SLOTS;
   views->slots = util_calloc(FIRST_SLOTS, sizeof(*views->slots));
   if (!views->slots || !util_mutex_init(&views->lock)) {
      util_mfree(views->slots);
      util_mfree(views);
      return NULL;
   }
   return views;
}

void icd_kept_views_destroy(struct icd_kept_views *views)
{
   if (!views)
      return;
   for (size_t i = 0; i < views->num_slots; i++) {
      for (struct icd_kept_view *view = views->slots[i], *next; view; view = next) {
         next = view->next;
         util_mfree(view);
      }
   }
   pthread_mutex_destroy(&views->lock);
   util_mfree(views->slots);
   util_mfree(views);
}

/* The device's table; made by whoever comes first. */
static struct icd_kept_views *table_of(struct icd_device *device)
{
   struct icd_kept_views *found = __atomic_load_n(&device->kept_views, __ATOMIC_ACQUIRE);
   if (found)
      return found;
   struct icd_kept_views *made = create();
   if (!made || __atomic_compare_exchange_n(&device->kept_views, &found, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return made;
   icd_kept_views_destroy(made);
   return found;
}

static struct icd_kept_view **slot_of(struct icd_kept_views *views, uint64_t hash)
{
   return &views->slots[hash & (views->num_slots - 1)];
}

/* Without memory for it the chains get longer. */
static void grow(struct icd_kept_views *views)
{
   struct icd_kept_views larger = {.num_slots = views->num_slots * 2};
   larger.slots = util_calloc(larger.num_slots, sizeof(*larger.slots));
   if (!larger.slots)
      return;
   for (size_t i = 0; i < views->num_slots; i++) {
      for (struct icd_kept_view *view = views->slots[i], *next; view; view = next) {
         next = view->next;
         view->next = *slot_of(&larger, view->hash);
         *slot_of(&larger, view->hash) = view;
      }
   }
   util_mfree(views->slots);
   views->slots = larger.slots;
   views->num_slots = larger.num_slots;
}

/* What stands behind the entry. */
static void *content(struct icd_kept_view *view)
{
   return (char *)view + util_align(sizeof(*view), VIEW_ALIGN);
}

/* The content of the entry with that key; `bytes` of it, copied from `made`, if it is new. It is put to the image's list, unless that is NULL. */
static void *keep(struct icd_device *device, const struct key *key, const void *made, size_t bytes, struct icd_image *image)
{
   struct icd_kept_views *views = table_of(device);
   if (!views)
      return NULL;
   const uint64_t hash = util_hash_bytes(key, sizeof(*key)).lo;
   pthread_mutex_lock(&views->lock);
   struct icd_kept_view *view = *slot_of(views, hash);
   while (view && memcmp(&view->key, key, sizeof(*key)) != 0)
      view = view->next;
   if (!view && (view = util_calloc(1, util_size_add(util_align(sizeof(*view), VIEW_ALIGN), bytes)))) {
      if (views->count++ >= views->num_slots)
         grow(views);
      view->key = *key;
      view->hash = hash;
      memcpy(content(view), made, bytes);
      view->next = *slot_of(views, hash);
      *slot_of(views, hash) = view;
      if (image) {
         view->next_of_image = image->kept_views;
         image->kept_views = view;
      }
   }
   pthread_mutex_unlock(&views->lock);
   return view ? content(view) : NULL;
}

void icd_forget_views(struct icd_device *device, struct icd_image *image)
{
   struct icd_kept_views *views = __atomic_load_n(&device->kept_views, __ATOMIC_ACQUIRE);
   if (!views)
      return;
   pthread_mutex_lock(&views->lock);
   for (struct icd_kept_view *view = image->kept_views, *next; view; view = next) {
      struct icd_kept_view **at = slot_of(views, view->hash);
      next = view->next_of_image;
      while (*at != view)
         at = &(*at)->next;
      *at = view->next;
      views->count--;
      util_mfree(view);
   }
   image->kept_views = NULL;
   pthread_mutex_unlock(&views->lock);
}

/* ---- classes of views ---- */

enum view_class { TEXEL_BUFFER, SAMPLER, SAMPLED_VIEW, STORED_VIEW };

/* Only as much of a view as texel buffers have, one level. */
const struct abi_image *icd_keep_texel_buffer(struct icd_device *device, VkDeviceAddress address, VkDeviceSize range, VkFormat format)
{
   const struct rt_sparse *sparse = rt_sparse_set_find(rt_device_sparses(device->rt), (const uint8_t *)(uintptr_t)address);
   const struct key key = {.object = address, .extra = {range, (uintptr_t)sparse}, .words = {TEXEL_BUFFER, (uint32_t)format}};
   struct abi_image view;
   rt_buffer_view_init(&view, (void *)(uintptr_t)address, format, range);
   view.residency = sparse ? &sparse->residency : NULL;
   return keep(device, &key, &view, offsetof(struct abi_image, levels) + sizeof(struct abi_level), NULL);
}

const struct abi_sampler *icd_keep_sampler(struct icd_device *device, const struct abi_sampler *sampler)
{
   struct key key = {.words = {SAMPLER}};
   _Static_assert(sizeof(*sampler) <= sizeof(key.words) - sizeof(key.words[0]), "the key has room for a sampler");
   memcpy(&key.words[1], sampler, sizeof(*sampler));
   return keep(device, &key, sampler, sizeof(*sampler), NULL);
}

static uint32_t bits_of(float value)
{
   uint32_t bits;
   memcpy(&bits, &value, sizeof(bits));
   return bits;
}

/* Of a view of weights, all that is within limits. */
static uint32_t filter_bits(const VkImageViewSampleWeightCreateInfoQCOM *weights)
{
   return (weights->filterSize.width & 0xff) | (weights->filterSize.height & 0xff) << 8 | ((uint32_t)weights->filterCenter.x & 0xff) << 16 |
          ((uint32_t)weights->filterCenter.y & 0xff) << 24;
}

const struct abi_image *icd_keep_image_view(struct icd_device *device, const VkImageViewCreateInfo *info, bool is_stored)
{
   struct icd_image *image = icd_image_from_handle(info->image);
   const VkImageViewMinLodCreateInfoEXT *min_lod = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_MIN_LOD_CREATE_INFO_EXT);
   const VkImageViewSlicedCreateInfoEXT *slices = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SLICED_CREATE_INFO_EXT);
   const VkSamplerYcbcrConversionInfo *ycbcr = icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_SAMPLER_YCBCR_CONVERSION_INFO);
   const struct icd_ycbcr_conversion *conversion = ycbcr ? icd_ycbcr_conversion_from_handle(ycbcr->conversion) : NULL;
   const VkImageViewSampleWeightCreateInfoQCOM *weights =
      icd_chain_find(info->pNext, VK_STRUCTURE_TYPE_IMAGE_VIEW_SAMPLE_WEIGHT_CREATE_INFO_QCOM);
   const VkImageSubresourceRange *range = &info->subresourceRange;
   const VkComponentMapping *swizzle = &info->components;
   const struct key key = {
      .object = (uintptr_t)image,
      .extra = {conversion ? util_hash_bytes(&conversion->rt, sizeof(conversion->rt)).lo | 1 : 0, /* the object may end before the view */
                slices ? (uint64_t)slices->sliceOffset << 32 | slices->sliceCount : 0},
      .words = {is_stored ? STORED_VIEW : SAMPLED_VIEW, (uint32_t)info->viewType, (uint32_t)info->format, (uint32_t)swizzle->r,
                (uint32_t)swizzle->g, (uint32_t)swizzle->b, (uint32_t)swizzle->a, range->aspectMask, range->baseMipLevel, range->levelCount,
                range->baseArrayLayer, range->layerCount, min_lod ? bits_of(min_lod->minLod) : 0,
                weights ? filter_bits(weights) : 0, weights ? weights->numPhases : 0},
   };
   struct {
      struct abi_image view;
      struct abi_conversion conversion;
   } made, *kept;
   const bool is_converted = icd_image_view_describe(info, is_stored, &made.view, &made.conversion);
   kept = keep(device, &key, &made, is_converted ? sizeof(made) : sizeof(made.view), image);
   if (!kept)
      return NULL;
   if (is_converted) /* the same, however often it is done */
      __atomic_store_n(&kept->view.conversion, &kept->conversion, __ATOMIC_RELAXED);
   return &kept->view;
}
