/* SPDX-License-Identifier: MIT
 * The thread of a swapchain: takes requests in their order, waits until each is rendered and until its time has come,
 * shows it.
 *
 * One request at a time is the candidate: rendered, and waiting for its time. Where the mode is mailbox or
 * latest-ready, the next request that is rendered before that replaces it. Frames of the fifo modes and of mailbox are
 * at least a refresh apart: our display refreshes when a frame is there, but no more often than it can. A shared image is shown as in mailbox, and,
 * where the mode says so, once more at each refresh.
 * Spec: VkPresentModeKHR; VK_GOOGLE_display_timing. */
#include "wsi/dump.h"
#include "wsi/swapchain_internal.h"

#include <string.h>

#define NOBODY_WAITS UINT64_MAX

struct presenter {
   struct wsi_swapchain *swapchain;
   struct wsi_image *candidate; /* NULL: none */
   uint64_t rendered_ns;        /* when the candidate was found rendered */
   VkRect2D lost_damage;        /* of replaced frames: what the window has not seen yet */
   uint64_t last_due_ns;        /* of the frame shown last; 0: none */
};

static VkRect2D unite(VkRect2D a, VkRect2D b)
{
   if (a.extent.width == 0 || a.extent.height == 0)
      return b;
   if (b.extent.width == 0 || b.extent.height == 0)
      return a;
   const int32_t x0 = UTIL_MIN(a.offset.x, b.offset.x), y0 = UTIL_MIN(a.offset.y, b.offset.y);
   const int64_t x1 = UTIL_MAX((int64_t)a.offset.x + a.extent.width, (int64_t)b.offset.x + b.extent.width);
   const int64_t y1 = UTIL_MAX((int64_t)a.offset.y + a.extent.height, (int64_t)b.offset.y + b.extent.height);
   return (VkRect2D){{x0, y0}, {(uint32_t)(x1 - x0), (uint32_t)(y1 - y0)}};
}

/* Clips to the image; an empty rectangle means all of it. */
static VkRect2D resolve_damage(VkRect2D damage, VkExtent2D extent)
{
   const int64_t x0 = UTIL_CLAMP((int64_t)damage.offset.x, 0, (int64_t)extent.width);
   const int64_t y0 = UTIL_CLAMP((int64_t)damage.offset.y, 0, (int64_t)extent.height);
   const int64_t x1 = UTIL_CLAMP((int64_t)damage.offset.x + damage.extent.width, 0, (int64_t)extent.width);
   const int64_t y1 = UTIL_CLAMP((int64_t)damage.offset.y + damage.extent.height, 0, (int64_t)extent.height);
   if (x0 >= x1 || y0 >= y1)
      return (VkRect2D){{0, 0}, extent};
   return (VkRect2D){{(int32_t)x0, (int32_t)y0}, {(uint32_t)(x1 - x0), (uint32_t)(y1 - y0)}};
}

/* ---- the end of a request ---- */

/* Under the lock. */
static void record_timing(struct presenter *presenter, const struct wsi_present *present, uint64_t shown_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   if (swapchain->num_timings == WSI_NUM_TIMINGS) {
      swapchain->num_timings--;
      memmove(swapchain->timings, swapchain->timings + 1, swapchain->num_timings * sizeof(swapchain->timings[0]));
   }
   const uint64_t refresh_ns = swapchain->target->refresh_ns;
   const uint64_t after_last = presenter->last_due_ns ? presenter->last_due_ns + refresh_ns : 0;
   const uint64_t possible_ns = UTIL_MAX(presenter->rendered_ns, after_last),
                  earliest_ns = UTIL_MIN(possible_ns, shown_ns);
   swapchain->timings[swapchain->num_timings++] = (VkPastPresentationTimingGOOGLE){
      .presentID = present->timing_id,
      .desiredPresentTime = present->target_time.ns,
      .actualPresentTime = shown_ns,
      .earliestPresentTime = earliest_ns,
      .presentMargin = earliest_ns - UTIL_MIN(presenter->rendered_ns, earliest_ns),
   };
}

/* The image is free again, or its next request, if there is one, is queued; `shown_ns` 0: it was not shown. */
static void release(struct presenter *presenter, struct wsi_image *image, VkResult result, uint64_t shown_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   const struct wsi_request request = image->request;
   pthread_mutex_lock(&swapchain->lock);
   if (swapchain->status >= 0)
      swapchain->status = result;
   /* A replaced frame counts as presented, one that failed does not. */
   if (swapchain->status >= 0)
      swapchain->presented_id = UTIL_MAX(swapchain->presented_id, request.present.id);
   if (request.present.has_timing && shown_ns && result >= 0)
      record_timing(presenter, &request.present, shown_ns);
   wsi_timing_end(&swapchain->timing_queue, request.timing_serial);
   if (image->has_again) {
      image->has_again = false;
      wsi_enqueue(swapchain, image, &image->again);
   } else {
      image->state = WSI_IMAGE_FREE;
      util_list_add_before(&image->link, &swapchain->available);
   }
   pthread_cond_broadcast(&swapchain->shown_changed);
   pthread_mutex_unlock(&swapchain->lock);
   if (request.present.fence)
      swapchain->ops->released(swapchain->data, request.present.fence);
}

static void note_time(struct presenter *presenter, const struct wsi_image *image, enum wsi_timed_stage stage)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   if (!image->request.timing_serial)
      return;
   const uint64_t now_ns = util_now_ns(); /* before anybody waits for the lock */
   pthread_mutex_lock(&swapchain->lock);
   wsi_timing_note(&swapchain->timing_queue, image->request.timing_serial, stage, now_ns);
   pthread_mutex_unlock(&swapchain->lock);
}

static void show_candidate(struct presenter *presenter, VkPresentModeKHR mode, uint64_t due_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   struct wsi_image *image = presenter->candidate;
   presenter->candidate = NULL;
   VkResult result = wsi_status(swapchain);
   uint64_t shown_ns = 0;
   if (result >= 0) {
      note_time(presenter, image, WSI_TIMED_DEQUEUED);
      const VkRect2D damage = resolve_damage(image->request.present.damage, swapchain->extent);
      const struct wsi_frame frame = {
         .swapchain = swapchain,
         .image = image->request.present.image,
         .damage = unite(damage, presenter->lost_damage),
         .mode = mode,
      };
      result = swapchain->surface->backend->show(swapchain->target, &frame);
      shown_ns = util_now_ns();
      presenter->lost_damage = (VkRect2D){0};
   }
   release(presenter, image, result, shown_ns);
   presenter->last_due_ns = due_ns;
}

/* The shared image as it is now. */
static void show_again(struct presenter *presenter, VkPresentModeKHR mode, uint64_t due_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   const struct wsi_frame frame = {.swapchain = swapchain, .damage = {{0, 0}, swapchain->extent}, .mode = mode};
   const VkResult result = swapchain->surface->backend->show(swapchain->target, &frame);
   pthread_mutex_lock(&swapchain->lock);
   if (swapchain->status >= 0)
      swapchain->status = result;
   pthread_mutex_unlock(&swapchain->lock);
   presenter->last_due_ns = due_ns;
}

/* It is not shown, but what it changed will be. */
static void skip(struct presenter *presenter, struct wsi_image *image)
{
   presenter->lost_damage =
      unite(presenter->lost_damage, resolve_damage(image->request.present.damage, presenter->swapchain->extent));
   release(presenter, image, wsi_status(presenter->swapchain), 0);
}

/* ---- the loop ---- */

/* Before which a frame is not to be shown; 0: none. Under the lock. */
static uint64_t earliest_time(const struct presenter *presenter, const struct wsi_present *present)
{
   const struct wsi_swapchain *swapchain = presenter->swapchain;
   const struct wsi_target_time *target = &present->target_time;
   const bool is_fifo = swapchain->mode != VK_PRESENT_MODE_IMMEDIATE_KHR && swapchain->mode != VK_PRESENT_MODE_MAILBOX_KHR;
   if (!target->ns || (target->is_for_fifo && !is_fifo) || (target->is_relative && !presenter->last_due_ns))
      return 0;
   uint64_t time_ns = target->ns;
   if (target->is_relative && __builtin_add_overflow(time_ns, presenter->last_due_ns, &time_ns))
      time_ns = UINT64_MAX;
   return target->is_nearest ? time_ns - UTIL_MIN(time_ns, swapchain->target->refresh_ns / 2) : time_ns;
}

/* True if the shared image, which has been shown before, is to be shown again although nobody has asked. Under the lock. */
static bool is_refreshing(const struct presenter *presenter)
{
   const struct wsi_swapchain *swapchain = presenter->swapchain;
   return swapchain->mode == VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR && presenter->last_due_ns && !swapchain->is_retired &&
          !swapchain->is_quitting && swapchain->status >= 0;
}

/* When the candidate, or the shared image once more, is to be shown; NOBODY_WAITS without one. Under the lock. */
static uint64_t due_time(const struct presenter *presenter)
{
   const struct wsi_swapchain *swapchain = presenter->swapchain;
   if (!presenter->candidate)
      return is_refreshing(presenter) ? presenter->last_due_ns + swapchain->target->refresh_ns : NOBODY_WAITS;
   if (swapchain->is_retired || swapchain->is_quitting || swapchain->status < 0)
      return 0;
   uint64_t due_ns = earliest_time(presenter, &presenter->candidate->request.present);
   const bool keeps_rhythm = swapchain->mode != VK_PRESENT_MODE_IMMEDIATE_KHR && !swapchain->target->has_own_rhythm;
   if (keeps_rhythm && presenter->last_due_ns) {
      const uint64_t next_ns = presenter->last_due_ns + swapchain->target->refresh_ns;
      due_ns = UTIL_MAX(due_ns, next_ns);
   }
   return due_ns;
}

static struct wsi_image *first_queued(const struct wsi_swapchain *swapchain)
{
   return util_list_is_empty(&swapchain->queued) ? NULL
                                                 : UTIL_LIST_ENTRY(swapchain->queued.next, struct wsi_image, link);
}

/* True if a queued request, once rendered, is shown instead of the candidate, which is due at `due_ns`. */
static bool is_replacing(const struct presenter *presenter, const struct wsi_image *image, VkPresentModeKHR mode, uint64_t due_ns)
{
   return mode == VK_PRESENT_MODE_MAILBOX_KHR || wsi_mode_is_shared(mode) ||
          (mode == VK_PRESENT_MODE_FIFO_LATEST_READY_EXT && earliest_time(presenter, &image->request.present) <= due_ns);
}

/* Sleeps until there is something to do. Returns the request to look at, still queued, or NULL: what is due is to be
 * shown, or, where nothing is, the thread is to end. */
static struct wsi_image *next_request(const struct presenter *presenter, VkPresentModeKHR *mode, uint64_t *due_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   struct wsi_image *image = NULL;
   pthread_mutex_lock(&swapchain->lock);
   for (;;) {
      *mode = swapchain->mode;
      *due_ns = due_time(presenter);
      const bool is_due = *due_ns != NOBODY_WAITS && util_now_ns() >= *due_ns;
      image = first_queued(swapchain);
      if (image && presenter->candidate && !is_replacing(presenter, image, *mode, *due_ns))
         image = NULL;
      if (is_due || image || (!presenter->candidate && swapchain->is_quitting))
         break;
      util_cond_wait_until(&swapchain->queued_changed, &swapchain->lock, *due_ns);
   }
   pthread_mutex_unlock(&swapchain->lock);
   return image;
}

/* Waits for the rendering of a request until the candidate is due; true if it has become the candidate. */
static bool take_request(struct presenter *presenter, struct wsi_image *image, uint64_t due_ns)
{
   struct wsi_swapchain *swapchain = presenter->swapchain;
   const struct wsi_present *present = &image->request.present;
   const uint64_t now_ns = util_now_ns();
   const uint64_t timeout_ns = due_ns == NOBODY_WAITS ? UTIL_FOREVER : due_ns > now_ns ? due_ns - now_ns : 0;
   const VkResult result = swapchain->ops->wait_rendered(swapchain->data, present->image, present->ticket, timeout_ns);
   if (result == VK_TIMEOUT)
      return false;

   pthread_mutex_lock(&swapchain->lock);
   util_list_remove(&image->link);
   pthread_mutex_unlock(&swapchain->lock);
   if (result < 0) {
      release(presenter, image, result, 0);
      return true;
   }
   note_time(presenter, image, WSI_TIMED_RENDERED);
   if (image->request.is_refused) {
      skip(presenter, image);
      return true;
   }
   if (swapchain->dump)
      wsi_dump_frame(swapchain->dump, swapchain, present->image);
   if (presenter->candidate)
      skip(presenter, presenter->candidate); /* the later frame replaces it */
   presenter->candidate = image;
   presenter->rendered_ns = util_now_ns();
   return true;
}

void *wsi_presenter_main(void *arg)
{
   struct presenter presenter = {.swapchain = arg};
   for (;;) {
      VkPresentModeKHR mode;
      uint64_t due_ns;
      struct wsi_image *image = next_request(&presenter, &mode, &due_ns);
      if (image && take_request(&presenter, image, due_ns))
         continue;
      if (!presenter.candidate && due_ns == NOBODY_WAITS)
         break;
      const uint64_t now_ns = util_now_ns();
      /* A frame that comes late starts a new rhythm; otherwise small delays must not add up. */
      const bool is_in_rhythm =
         due_ns != 0 && now_ns - UTIL_MIN(due_ns, now_ns) < presenter.swapchain->target->refresh_ns / 2;
      (presenter.candidate ? show_candidate : show_again)(&presenter, mode, is_in_rhythm ? due_ns : now_ns);
   }
   return NULL;
}
