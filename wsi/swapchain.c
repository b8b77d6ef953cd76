/* SPDX-License-Identifier: MIT
 * Swapchains as the application's threads see them. */
#include "wsi/swapchain.h"

#include "util/alloc.h"
#include "wsi/dump.h"
#include "wsi/swapchain_internal.h"
#include "util/size.h"

#include <string.h>

/* ---- life ---- */

/* The surface may have another swapchain. */
static void leave_surface(struct wsi_swapchain *swapchain)
{
   struct wsi_swapchain *expected = swapchain;
   atomic_compare_exchange_strong(&swapchain->surface->swapchain, &expected, NULL);
}

static bool enter_surface(struct wsi_swapchain *swapchain)
{
   struct wsi_swapchain *expected = NULL;
   return atomic_compare_exchange_strong(&swapchain->surface->swapchain, &expected, swapchain);
}

/* Ends a wait of the swapchain's thread in the back end. */
static void interrupt(struct wsi_swapchain *swapchain)
{
   if (swapchain->surface->backend->interrupt)
      swapchain->surface->backend->interrupt(swapchain->target);
}

void wsi_swapchain_retire(struct wsi_swapchain *swapchain)
{
   if (!swapchain)
      return;
   pthread_mutex_lock(&swapchain->lock);
   swapchain->is_retired = true;
   pthread_cond_signal(&swapchain->queued_changed);
   pthread_cond_broadcast(&swapchain->shown_changed);
   pthread_mutex_unlock(&swapchain->lock);
   interrupt(swapchain);
   leave_surface(swapchain);
}

static bool init_sync(struct wsi_swapchain *swapchain)
{
   if (!util_mutex_init(&swapchain->lock))
      return false;
   if (!util_cond_init(&swapchain->queued_changed))
      goto finish_lock;
   if (!util_cond_init(&swapchain->shown_changed))
      goto finish_queued_changed;
   return true;

finish_queued_changed:
   pthread_cond_destroy(&swapchain->queued_changed);
finish_lock:
   pthread_mutex_destroy(&swapchain->lock);
   return false;
}

static void finish_sync(struct wsi_swapchain *swapchain)
{
   pthread_cond_destroy(&swapchain->shown_changed);
   pthread_cond_destroy(&swapchain->queued_changed);
   pthread_mutex_destroy(&swapchain->lock);
}

static struct wsi_swapchain *allocate(const struct wsi_swapchain_info *info)
{
   const bool is_shared = wsi_mode_is_shared(info->mode);
   const uint32_t num_images = is_shared ? WSI_NUM_SHARED_REQUESTS : info->num_images;
   struct wsi_swapchain *swapchain = util_calloc(1, util_size_array(sizeof(*swapchain), num_images, sizeof(swapchain->images[0])));
   if (!swapchain)
      return NULL;
   swapchain->ops = info->ops;
   swapchain->data = info->data;
   swapchain->surface = info->surface;
   swapchain->format = info->format;
   swapchain->color_space = info->color_space;
   swapchain->extent = info->extent;
   swapchain->mode = info->mode;
   swapchain->status = VK_SUCCESS;
   swapchain->is_shared = is_shared;
   swapchain->num_images = num_images;
   util_list_init(&swapchain->available);
   util_list_init(&swapchain->queued);
   for (uint32_t i = 0; i < num_images; i++)
      util_list_add_before(&swapchain->images[i].link, &swapchain->available);
   return swapchain;
}

VkResult wsi_swapchain_create(const struct wsi_swapchain_info *info, struct wsi_swapchain **swapchain_out)
{
   const struct wsi_backend *backend = info->surface->backend;
   const struct wsi_target_info target_info = {info->format, info->extent, info->composite_alpha, info->scaling};
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;

   wsi_swapchain_retire(info->old);
   struct wsi_swapchain *swapchain = allocate(info);
   if (!swapchain || !init_sync(swapchain))
      goto free_swapchain;
   result = VK_ERROR_NATIVE_WINDOW_IN_USE_KHR;
   if (!enter_surface(swapchain))
      goto finish_sync;
   result = backend->target_create(info->surface, &target_info, &swapchain->target);
   if (result != VK_SUCCESS)
      goto leave_surface;
   swapchain->dump = wsi_dump_create();
   result = VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_thread_start(&swapchain->thread, "vk-present", wsi_presenter_main, swapchain))
      goto destroy_target;
   *swapchain_out = swapchain;
   return VK_SUCCESS;

destroy_target:
   wsi_dump_destroy(swapchain->dump);
   backend->target_destroy(swapchain->target);
leave_surface:
   leave_surface(swapchain);
finish_sync:
   finish_sync(swapchain);
free_swapchain:
   util_mfree(swapchain);
   return result;
}

void wsi_swapchain_destroy(struct wsi_swapchain *swapchain)
{
   if (!swapchain)
      return;
   pthread_mutex_lock(&swapchain->lock);
   swapchain->is_quitting = true;
   pthread_cond_signal(&swapchain->queued_changed);
   pthread_mutex_unlock(&swapchain->lock);
   interrupt(swapchain);
   pthread_join(swapchain->thread, NULL);

   wsi_dump_destroy(swapchain->dump);
   swapchain->surface->backend->target_destroy(swapchain->target);
   leave_surface(swapchain);
   finish_sync(swapchain);
   wsi_timing_queue_finish(&swapchain->timing_queue);
   util_mfree(swapchain);
}

/* ---- images ---- */

/* Sleeps until something has been shown or the time is over; false then. Under the lock. */
static bool wait_shown(struct wsi_swapchain *swapchain, uint64_t deadline_ns)
{
   return util_cond_wait_until(&swapchain->shown_changed, &swapchain->lock, deadline_ns) ||
          util_now_ns() < deadline_ns;
}

/* The first of `available`, which has one. Under the lock. */
static struct wsi_image *take_available(struct wsi_swapchain *swapchain)
{
   struct wsi_image *image = UTIL_LIST_ENTRY(swapchain->available.next, struct wsi_image, link);
   util_list_remove(&image->link);
   image->state = WSI_IMAGE_ACQUIRED;
   image->was_refused = false;
   return image;
}

static bool has_free_image(const struct wsi_swapchain *swapchain)
{
   return swapchain->is_shared ? !swapchain->is_shared_acquired : !util_list_is_empty(&swapchain->available);
}

VkResult wsi_swapchain_acquire(struct wsi_swapchain *swapchain, uint64_t timeout_ns, uint32_t *image_out)
{
   const uint64_t deadline_ns = timeout_ns ? util_deadline_ns(timeout_ns) : 0;
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&swapchain->lock);
   while (swapchain->status >= 0 && !swapchain->is_retired && !has_free_image(swapchain) && result == VK_SUCCESS) {
      if (!timeout_ns)
         result = VK_NOT_READY;
      else if (!wait_shown(swapchain, deadline_ns))
         result = VK_TIMEOUT;
   }

   if (swapchain->status < 0) {
      result = swapchain->status;
   } else if (swapchain->is_retired) {
      result = VK_ERROR_OUT_OF_DATE_KHR;
   } else if (has_free_image(swapchain)) {
      *image_out = swapchain->is_shared ? 0 : (uint32_t)(take_available(swapchain) - swapchain->images);
      swapchain->is_shared_acquired = swapchain->is_shared;
      result = swapchain->status;
   }
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

/* An element for a request for the shared image; waits until one is free. Under the lock. */
static struct wsi_image *take_shared_request(struct wsi_swapchain *swapchain)
{
   while (util_list_is_empty(&swapchain->available))
      (void)wait_shown(swapchain, UTIL_FOREVER);
   return take_available(swapchain);
}

/* True if the application may present the image: it has acquired it, or its last request was refused. */
static bool is_presentable(const struct wsi_image *image)
{
   return image->state == WSI_IMAGE_ACQUIRED || (image->was_refused && !image->has_again);
}

VkResult wsi_swapchain_present(struct wsi_swapchain *swapchain, const struct wsi_present *present)
{
   struct wsi_request request = {.present = *present};
   pthread_mutex_lock(&swapchain->lock);
   struct wsi_image *image = swapchain->is_shared ? take_shared_request(swapchain) : &swapchain->images[present->image];
   VkResult result = swapchain->status;
   if (is_presentable(image)) {
      if (present->timing.stages)
         request.timing_serial = wsi_timing_begin(&swapchain->timing_queue, present->id, &present->timing);
      request.is_refused = present->timing.stages && !request.timing_serial;
      if (request.is_refused && result >= 0)
         result = WSI_TIMING_QUEUE_FULL;
      if (image->state == WSI_IMAGE_FREE)
         util_list_remove(&image->link);
      if (image->state == WSI_IMAGE_REFUSED) {
         image->again = request;
         image->has_again = true;
      } else {
         wsi_enqueue(swapchain, image, &request);
      }
      pthread_cond_signal(&swapchain->queued_changed);
   }
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

void wsi_swapchain_release(struct wsi_swapchain *swapchain, const uint32_t *images, uint32_t count)
{
   pthread_mutex_lock(&swapchain->lock);
   swapchain->is_shared_acquired &= count == 0;
   for (uint32_t i = 0; !swapchain->is_shared && i < count; i++) {
      struct wsi_image *image = &swapchain->images[images[i]];
      image->state = WSI_IMAGE_FREE;
      util_list_add_before(&image->link, &swapchain->available);
   }
   pthread_cond_broadcast(&swapchain->shown_changed);
   pthread_mutex_unlock(&swapchain->lock);
}

VkResult wsi_swapchain_wait(struct wsi_swapchain *swapchain, uint64_t id, uint64_t timeout_ns)
{
   const uint64_t deadline_ns = util_deadline_ns(timeout_ns);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&swapchain->lock);
   while (swapchain->presented_id < id && swapchain->status >= 0 && result == VK_SUCCESS) {
      if (!wait_shown(swapchain, deadline_ns))
         result = VK_TIMEOUT;
   }
   if (swapchain->presented_id >= id)
      result = VK_SUCCESS;
   else if (swapchain->status < 0)
      result = swapchain->status;
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

VkResult wsi_swapchain_status(struct wsi_swapchain *swapchain)
{
   return wsi_status(swapchain);
}

/* ---- timing ---- */

uint64_t wsi_swapchain_refresh_ns(const struct wsi_swapchain *swapchain)
{
   return swapchain->target->refresh_ns;
}

VkResult wsi_swapchain_past_timings(struct wsi_swapchain *swapchain, uint32_t *count,
                                    VkPastPresentationTimingGOOGLE *timings)
{
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&swapchain->lock);
   if (!timings) {
      *count = swapchain->num_timings;
   } else {
      const uint32_t taken = UTIL_MIN(*count, swapchain->num_timings), left = swapchain->num_timings - taken;
      memcpy(timings, swapchain->timings, taken * sizeof(*timings));
      memmove(swapchain->timings, swapchain->timings + taken, left * sizeof(*timings));
      swapchain->num_timings = left;
      *count = taken;
      result = left ? VK_INCOMPLETE : VK_SUCCESS;
   }
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

VkResult wsi_swapchain_set_timing_queue(struct wsi_swapchain *swapchain, uint32_t max_count)
{
   pthread_mutex_lock(&swapchain->lock);
   const VkResult result = wsi_timing_queue_resize(&swapchain->timing_queue, max_count);
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}

VkResult wsi_swapchain_take_timings(struct wsi_swapchain *swapchain, bool takes_any_order, uint32_t *count,
                                    void (*take)(void *data, uint32_t index, const struct wsi_timing *timing), void *data)
{
   pthread_mutex_lock(&swapchain->lock);
   const VkResult result = wsi_timing_take(&swapchain->timing_queue, takes_any_order, count, take, data);
   pthread_mutex_unlock(&swapchain->lock);
   return result;
}
