/* SPDX-License-Identifier: MIT
 * wsi/swapchain.c, presenter.c, headless.c: who gets which image when, with images that are only numbers. */
#include "tests/test.h"
#include "util/alloc.h"
#include "util/thread.h"
#include "wsi/backend.h"

#include <stdlib.h>
#include <unistd.h>

#define MS UINT64_C(1000000)
#define REFRESH (UINT64_C(16666667))
#define NEVER (3600 * 1000 * MS) /* a rhythm in which no second frame comes before the test's time is over */

/* Stands for the icd: rendering is done up to a count that a test sets. */
struct renderer {
   pthread_mutex_t lock;
   pthread_cond_t changed;
   uint64_t done;
   bool is_lost;
   atomic_uint num_released;
};

static VkResult wait_rendered(void *data, uint32_t image, uint64_t ticket, uint64_t timeout_ns)
{
   struct renderer *renderer = data;
   const uint64_t deadline_ns = util_deadline_ns(timeout_ns);
   VkResult result = VK_SUCCESS;
   pthread_mutex_lock(&renderer->lock);
   while (result == VK_SUCCESS && renderer->done < ticket) {
      if (renderer->is_lost)
         result = VK_ERROR_DEVICE_LOST;
      else if (util_now_ns() >= deadline_ns)
         result = VK_TIMEOUT;
      else
         util_cond_wait_until(&renderer->changed, &renderer->lock, deadline_ns);
   }
   pthread_mutex_unlock(&renderer->lock);
   return result;
}

static void set_done(struct renderer *renderer, uint64_t done, bool is_lost)
{
   pthread_mutex_lock(&renderer->lock);
   renderer->done = done;
   renderer->is_lost = is_lost;
   pthread_cond_broadcast(&renderer->changed);
   pthread_mutex_unlock(&renderer->lock);
}

static void read_rows(void *data, uint32_t image, VkRect2D area, void *rows, size_t pitch_bytes)
{
   for (uint32_t y = 0; y < area.extent.height; y++)
      memset((char *)rows + y * pitch_bytes, 0, area.extent.width * 4);
}

static void released(void *data, void *fence)
{
   atomic_fetch_add(&((struct renderer *)fence)->num_released, 1);
}

static const struct wsi_ops ops = {wait_rendered, read_rows, released};

/* The headless target in another rhythm, so that no bound is so near that a busy machine misses it. */
static struct wsi_backend paced_backend;
static const struct wsi_backend *headless_backend;
static uint64_t refresh_ns;
static atomic_uint num_shown;

static VkResult count_frame(struct wsi_target *target, const struct wsi_frame *frame)
{
   atomic_fetch_add(&num_shown, 1);
   return headless_backend->show(target, frame);
}

static VkResult create_paced_target(struct wsi_surface *surface, const struct wsi_target_info *info, struct wsi_target **target)
{
   const VkResult result = headless_backend->target_create(surface, info, target);
   if (result == VK_SUCCESS)
      (*target)->refresh_ns = refresh_ns;
   return result;
}

struct fixture {
   struct renderer renderer;
   struct wsi_surface *surface;
   struct wsi_swapchain *swapchain;
};

static VkResult make_swapchain(struct fixture *f, VkPresentModeKHR mode, uint32_t num_images, struct wsi_swapchain *old,
                               struct wsi_swapchain **swapchain)
{
   const struct wsi_swapchain_info info = {
      .surface = f->surface,
      .old = old,
      .ops = &ops,
      .data = &f->renderer,
      .format = VK_FORMAT_B8G8R8A8_UNORM,
      .extent = {8, 8},
      .num_images = num_images,
      .mode = mode,
      .composite_alpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
   };
   return wsi_swapchain_create(&info, swapchain);
}

static void setup_paced(struct fixture *f, VkPresentModeKHR mode, uint32_t num_images, uint64_t rhythm_ns)
{
   memset(f, 0, sizeof(*f));
   if (!util_mutex_init(&f->renderer.lock) || !util_cond_init(&f->renderer.changed))
      abort();
   CHECK_EQ(wsi_headless_create(&f->surface), VK_SUCCESS);
   headless_backend = f->surface->backend;
   paced_backend = *headless_backend;
   paced_backend.target_create = create_paced_target;
   paced_backend.show = count_frame;
   atomic_store(&num_shown, 0);
   refresh_ns = rhythm_ns;
   f->surface->backend = &paced_backend;
   CHECK_EQ(make_swapchain(f, mode, num_images, NULL, &f->swapchain), VK_SUCCESS);
}

static void setup(struct fixture *f, VkPresentModeKHR mode, uint32_t num_images)
{
   setup_paced(f, mode, num_images, REFRESH);
}

static void teardown(struct fixture *f)
{
   wsi_swapchain_destroy(f->swapchain);
   CHECK(atomic_load(&f->surface->swapchain) == NULL);
   wsi_surface_destroy(f->surface);
   pthread_cond_destroy(&f->renderer.changed);
   pthread_mutex_destroy(&f->renderer.lock);
}

static VkResult present(struct fixture *f, uint32_t image, uint64_t ticket, uint64_t id)
{
   const struct wsi_present present = {
      .image = image,
      .ticket = ticket,
      .id = id,
      .mode = VK_PRESENT_MODE_MAX_ENUM_KHR,
      .fence = &f->renderer,
   };
   return wsi_swapchain_present(f->swapchain, &present);
}

TEST(acquire_times_out)
{
   struct fixture f;
   uint32_t image[3];
   setup(&f, VK_PRESENT_MODE_IMMEDIATE_KHR, 2);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image[0]), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &image[1]), VK_SUCCESS);
   CHECK(image[0] != image[1]);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image[2]), VK_NOT_READY);
   const uint64_t start = util_now_ns();
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 20 * MS, &image[2]), VK_TIMEOUT);
   CHECK(util_now_ns() - start >= 20 * MS);
   wsi_swapchain_release(f.swapchain, &image[1], 1);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image[2]), VK_SUCCESS);
   CHECK_EQ(image[2], image[1]);
   teardown(&f);
}

TEST(image_comes_back_after_rendering)
{
   struct fixture f;
   uint32_t image, other;
   setup(&f, VK_PRESENT_MODE_IMMEDIATE_KHR, 1);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_SUCCESS);
   CHECK_EQ(present(&f, image, 1, 7), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 20 * MS, &other), VK_TIMEOUT);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 7, 0), VK_TIMEOUT);
   CHECK_EQ(atomic_load(&f.renderer.num_released), 0);
   set_done(&f.renderer, 1, false);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 7, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 8, 0), VK_TIMEOUT);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &other), VK_SUCCESS);
   CHECK_EQ(other, image);
   teardown(&f);
   CHECK_EQ(atomic_load(&f.renderer.num_released), 1);
}

/* Presents `count` rendered frames as fast as images come; waits until frame `last` has been presented or replaced. */
static void present_many(struct fixture *f, uint32_t count, uint32_t last)
{
   set_done(&f->renderer, UINT64_MAX, false);
   for (uint32_t i = 0; i < count; i++) {
      uint32_t image;
      CHECK_EQ(wsi_swapchain_acquire(f->swapchain, UTIL_FOREVER, &image), VK_SUCCESS);
      CHECK_EQ(present(f, image, i, i + 1), VK_SUCCESS);
   }
   CHECK_EQ(wsi_swapchain_wait(f->swapchain, last, UTIL_FOREVER), VK_SUCCESS);
}

static uint64_t time_fifo(uint32_t count, uint64_t rhythm_ns)
{
   struct fixture f;
   setup_paced(&f, VK_PRESENT_MODE_FIFO_KHR, 3, rhythm_ns);
   const uint64_t start = util_now_ns();
   present_many(&f, count, count);
   const uint64_t taken = util_now_ns() - start;
   teardown(&f);
   return taken;
}

TEST(fifo_keeps_the_rhythm)
{
   CHECK(time_fifo(13, REFRESH) >= 12 * REFRESH - MS);
   CHECK(time_fifo(4, 400 * MS) < 6 * 400 * MS); /* a busy machine may be late by half of it */
}

TEST(modes_that_do_not_wait)
{
   static const VkPresentModeKHR modes[] = {VK_PRESENT_MODE_IMMEDIATE_KHR, VK_PRESENT_MODE_MAILBOX_KHR,
                                            VK_PRESENT_MODE_FIFO_LATEST_READY_EXT};
   for (int i = 0; i < 3; i++) {
      struct fixture f;
      setup_paced(&f, modes[i], 3, NEVER);
      present_many(&f, 100, modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR ? 100 : 99); /* nothing replaces the last */
      teardown(&f);
      CHECK_EQ(atomic_load(&f.renderer.num_released), 100);
   }
}

TEST(mode_changes_with_a_present)
{
   struct fixture f;
   setup_paced(&f, VK_PRESENT_MODE_FIFO_KHR, 3, NEVER);
   set_done(&f.renderer, UINT64_MAX, false);
   for (uint32_t i = 0; i < 50; i++) {
      struct wsi_present request = {.id = i + 1, .mode = VK_PRESENT_MODE_IMMEDIATE_KHR};
      CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &request.image), VK_SUCCESS);
      CHECK_EQ(wsi_swapchain_present(f.swapchain, &request), VK_SUCCESS);
   }
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 50, UTIL_FOREVER), VK_SUCCESS);
   teardown(&f);
}

TEST(desired_time_and_timings)
{
   const uint64_t later_ns = 1000 * MS; /* rendering has been seen by then */
   struct fixture f;
   VkPastPresentationTimingGOOGLE timings[4];
   uint32_t count = 4;
   setup(&f, VK_PRESENT_MODE_FIFO_KHR, 3);
   set_done(&f.renderer, UINT64_MAX, false);
   const uint64_t start = util_now_ns();
   for (uint32_t i = 0; i < 2; i++) {
      struct wsi_present request = {.id = i + 1, .mode = VK_PRESENT_MODE_MAX_ENUM_KHR, .has_timing = true,
                                    .timing_id = 10 + i, .target_time.ns = start + later_ns};
      CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &request.image), VK_SUCCESS);
      CHECK_EQ(wsi_swapchain_present(f.swapchain, &request), VK_SUCCESS);
   }
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 2, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_past_timings(f.swapchain, &count, timings), VK_SUCCESS);
   CHECK_EQ(count, 2);
   CHECK_EQ(timings[0].presentID, 10);
   CHECK(timings[0].actualPresentTime >= start + later_ns);
   CHECK(timings[0].earliestPresentTime < start + later_ns);
   CHECK(timings[1].actualPresentTime >= start + later_ns + REFRESH - MS);
   CHECK(timings[1].earliestPresentTime <= timings[1].actualPresentTime);
   CHECK_EQ(wsi_swapchain_past_timings(f.swapchain, &count, NULL), VK_SUCCESS);
   CHECK_EQ(count, 0);
   teardown(&f);
}

/* Of three frames the second replaces the first: their times come together. The third comes when it is due. */
TEST(latest_ready_and_desired_times)
{
   struct fixture f;
   VkPastPresentationTimingGOOGLE timings[4];
   uint32_t count = 4;
   setup(&f, VK_PRESENT_MODE_FIFO_LATEST_READY_EXT, 3);
   const uint64_t start = util_now_ns(), desired_ns[] = {50 * MS, 40 * MS, 100 * MS};
   for (uint32_t i = 0; i < 3; i++) {
      struct wsi_present request = {.id = i + 1, .mode = VK_PRESENT_MODE_MAX_ENUM_KHR, .has_timing = true,
                                    .timing_id = 10 + i, .target_time.ns = start + desired_ns[i]};
      CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &request.image), VK_SUCCESS);
      CHECK_EQ(wsi_swapchain_present(f.swapchain, &request), VK_SUCCESS);
   }
   set_done(&f.renderer, UINT64_MAX, false);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 3, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_past_timings(f.swapchain, &count, timings), VK_SUCCESS);
   CHECK_EQ(count, 2);
   CHECK_EQ(timings[0].presentID, 11);
   CHECK(timings[0].actualPresentTime >= start + 40 * MS);
   CHECK_EQ(timings[1].presentID, 12);
   CHECK(timings[1].actualPresentTime >= start + 100 * MS);
   teardown(&f);
}

/* ---- times of stages ---- */

struct taken {
   uint32_t count;
   struct wsi_timing timings[4];
};

static void take_timing(void *data, uint32_t index, const struct wsi_timing *timing)
{
   struct taken *taken = data;
   taken->timings[index] = *timing;
}

static VkResult take_timings(struct fixture *f, bool takes_any_order, struct taken *taken)
{
   taken->count = 4;
   return wsi_swapchain_take_timings(f->swapchain, takes_any_order, &taken->count, take_timing, taken);
}

/* A request with all stages, to be shown `target_ns` after the one before. */
static VkResult present_timed(struct fixture *f, uint64_t id, uint64_t target_ns)
{
   struct wsi_present request = {.id = id, .ticket = id, .mode = VK_PRESENT_MODE_MAX_ENUM_KHR,
                                 .target_time = {.ns = target_ns, .is_relative = true, .is_for_fifo = true},
                                 .timing = {.stages = (1 << WSI_NUM_TIMED_STAGES) - 1, .target = target_ns, .domain = 2}};
   CHECK_EQ(wsi_swapchain_acquire(f->swapchain, UTIL_FOREVER, &request.image), VK_SUCCESS);
   return wsi_swapchain_present(f->swapchain, &request);
}

TEST(timing_queue)
{
   struct fixture f;
   struct taken taken;
   setup(&f, VK_PRESENT_MODE_FIFO_KHR, 3);
   set_done(&f.renderer, 1, false);
   CHECK_EQ(present_timed(&f, 1, 0), WSI_TIMING_QUEUE_FULL); /* nobody has given it a size */
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 1, UTIL_FOREVER), VK_SUCCESS); /* its image is free again */
   CHECK_EQ(wsi_swapchain_set_timing_queue(f.swapchain, 2), VK_SUCCESS);
   CHECK_EQ(present_timed(&f, 2, 0), VK_SUCCESS);
   CHECK_EQ(present_timed(&f, 3, 100 * MS), VK_SUCCESS);
   CHECK_EQ(present_timed(&f, 4, 0), WSI_TIMING_QUEUE_FULL);
   CHECK_EQ(present(&f, 2, 4, 4), VK_SUCCESS); /* the third image, again */
   CHECK_EQ(present(&f, 2, 5, 5), VK_SUCCESS); /* twice: nobody's */
   CHECK_EQ(wsi_swapchain_set_timing_queue(f.swapchain, 1), VK_NOT_READY);
   CHECK_EQ(take_timings(&f, false, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 0);
   set_done(&f.renderer, UINT64_MAX, false);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 2, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_take_timings(f.swapchain, false, &taken.count, NULL, NULL), VK_SUCCESS);
   CHECK_EQ(taken.count, 1);
   taken.count = 0;
   CHECK_EQ(wsi_swapchain_take_timings(f.swapchain, false, &taken.count, take_timing, &taken), VK_INCOMPLETE);
   CHECK_EQ(take_timings(&f, false, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 1);
   CHECK_EQ(taken.timings[0].present_id, 2);
   CHECK_EQ(taken.timings[0].asked.domain, 2);
   CHECK(taken.timings[0].is_complete && taken.timings[0].times_ns[WSI_TIMED_RENDERED] > 0);
   CHECK(taken.timings[0].times_ns[WSI_TIMED_DEQUEUED] >= taken.timings[0].times_ns[WSI_TIMED_RENDERED]);
   const uint64_t first_ns = taken.timings[0].times_ns[WSI_TIMED_DEQUEUED];
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 3, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(take_timings(&f, false, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 1);
   CHECK_EQ(taken.timings[0].present_id, 3);
   CHECK_EQ(taken.timings[0].asked.target, 100 * MS);
   CHECK(taken.timings[0].times_ns[WSI_TIMED_DEQUEUED] >= first_ns + 100 * MS - 2 * MS);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 4, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 5, MS), VK_TIMEOUT);
   CHECK_EQ(wsi_swapchain_set_timing_queue(f.swapchain, 0), VK_SUCCESS);
   teardown(&f);
}

/* What is behind a request that is not ready is taken by those who take any order. */
TEST(timing_order)
{
   static const struct wsi_timing_request asked = {.stages = 1u << WSI_TIMED_DEQUEUED};
   struct wsi_timing_queue queue = {0};
   struct taken taken = {.count = 4};
   CHECK_EQ(wsi_timing_queue_resize(&queue, 2), VK_SUCCESS);
   wsi_timing_begin(&queue, 1, &asked);
   const uint64_t second = wsi_timing_begin(&queue, 2, &asked);
   wsi_timing_note(&queue, second, WSI_TIMED_DEQUEUED, 5);
   CHECK_EQ(wsi_timing_take(&queue, true, &taken.count, take_timing, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 0);
   wsi_timing_end(&queue, second);
   taken.count = 4;
   CHECK_EQ(wsi_timing_take(&queue, false, &taken.count, take_timing, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 0);
   taken.count = 4;
   CHECK_EQ(wsi_timing_take(&queue, true, &taken.count, take_timing, &taken), VK_SUCCESS);
   CHECK_EQ(taken.count, 1);
   CHECK_EQ(taken.timings[0].present_id, 2);
   wsi_timing_end(&queue, second); /* taken: nothing */
   wsi_timing_queue_finish(&queue);
}

/* The image stays with the application; of requests that nobody has seen yet the last is shown. */
TEST(shared_image)
{
   struct fixture f;
   uint32_t image = 7;
   setup_paced(&f, VK_PRESENT_MODE_SHARED_DEMAND_REFRESH_KHR, 1, NEVER);
   set_done(&f.renderer, UINT64_MAX, false);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &image), VK_SUCCESS);
   CHECK_EQ(image, 0);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_NOT_READY);
   for (uint64_t i = 1; i <= 20; i++)
      CHECK_EQ(present(&f, 0, i, i), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 19, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(atomic_load(&num_shown), 1);
   CHECK_EQ(wsi_swapchain_status(f.swapchain), VK_SUCCESS);
   wsi_swapchain_release(f.swapchain, &image, 1);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_SUCCESS);
   teardown(&f);
}

/* Frames come without requests, after the first. */
TEST(shared_image_refreshes)
{
   struct fixture f;
   uint32_t image;
   setup_paced(&f, VK_PRESENT_MODE_SHARED_CONTINUOUS_REFRESH_KHR, 1, MS);
   set_done(&f.renderer, 1, false);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &image), VK_SUCCESS);
   usleep(5000);
   CHECK_EQ(atomic_load(&num_shown), 0);
   CHECK_EQ(present(&f, 0, 1, 1), VK_SUCCESS);
   CHECK_EQ(present(&f, 0, 2, 2), VK_SUCCESS); /* never rendered: the others go on */
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 1, UTIL_FOREVER), VK_SUCCESS);
   for (uint32_t i = 0; i < 10000 && atomic_load(&num_shown) < 5; i++)
      usleep(1000);
   CHECK(atomic_load(&num_shown) >= 5);
   set_done(&f.renderer, 2, false);
   teardown(&f);
}

TEST(old_swapchain_is_retired)
{
   struct fixture f;
   struct wsi_swapchain *second, *third;
   uint32_t image;
   setup(&f, VK_PRESENT_MODE_FIFO_KHR, 2);
   CHECK_EQ(make_swapchain(&f, VK_PRESENT_MODE_FIFO_KHR, 2, NULL, &second), VK_ERROR_NATIVE_WINDOW_IN_USE_KHR);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_SUCCESS);
   CHECK_EQ(make_swapchain(&f, VK_PRESENT_MODE_FIFO_KHR, 2, f.swapchain, &second), VK_SUCCESS);
   uint32_t other;
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &other), VK_ERROR_OUT_OF_DATE_KHR);
   /* What had been acquired can be presented. */
   set_done(&f.renderer, 1, false);
   CHECK_EQ(present(&f, image, 1, 1), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 1, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(wsi_swapchain_acquire(second, 0, &other), VK_SUCCESS);
   wsi_swapchain_destroy(second);
   /* A retired one does not hinder. */
   CHECK_EQ(make_swapchain(&f, VK_PRESENT_MODE_FIFO_KHR, 2, NULL, &third), VK_SUCCESS);
   wsi_swapchain_destroy(third);
   teardown(&f);
}

TEST(lost_device)
{
   struct fixture f;
   uint32_t image;
   setup(&f, VK_PRESENT_MODE_MAILBOX_KHR, 3);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_SUCCESS);
   CHECK_EQ(present(&f, image, 1, 1), VK_SUCCESS);
   set_done(&f.renderer, 0, true);
   CHECK_EQ(wsi_swapchain_wait(f.swapchain, 1, UTIL_FOREVER), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(wsi_swapchain_acquire(f.swapchain, UTIL_FOREVER, &image), VK_ERROR_DEVICE_LOST);
   teardown(&f);
   CHECK_EQ(atomic_load(&f.renderer.num_released), 1);
}

TEST(destroying_shows_what_is_queued)
{
   struct fixture f;
   setup_paced(&f, VK_PRESENT_MODE_FIFO_KHR, 8, NEVER); /* shown all the same, without the rhythm */
   for (uint32_t i = 0; i < 8; i++) {
      uint32_t image;
      CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_SUCCESS);
      CHECK_EQ(present(&f, image, 1, i), VK_SUCCESS);
   }
   set_done(&f.renderer, 1, false);
   teardown(&f);
   CHECK_EQ(atomic_load(&f.renderer.num_released), 8);
}

/* A swapchain that cannot be made still retires the old one. */
TEST(each_allocation_fails_in_turn)
{
   uint32_t num_failures = 0;
   for (uint64_t n = 1;; n++) {
      struct fixture f;
      struct wsi_swapchain *second = NULL;
      uint32_t image;
      setup(&f, VK_PRESENT_MODE_FIFO_KHR, 2);
      util_alloc_fail_at(n, true);
      const VkResult result = make_swapchain(&f, VK_PRESENT_MODE_FIFO_KHR, 2, f.swapchain, &second);
      util_alloc_fail_at(0, false);
      CHECK(result == VK_SUCCESS || result == VK_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(wsi_swapchain_acquire(f.swapchain, 0, &image), VK_ERROR_OUT_OF_DATE_KHR);
      wsi_swapchain_destroy(second);
      teardown(&f);
      if (result == VK_SUCCESS)
         break;
      num_failures++;
   }
   CHECK(num_failures >= 2);
}

TEST_MAIN
