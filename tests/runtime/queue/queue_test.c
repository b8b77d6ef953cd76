/* SPDX-License-Identifier: MIT
 * Queues: submissions, dispatches with barriers, buffer transfers, events, queries, loss. */
#include "runtime/device.h"
#include "tests/test.h"
#include "util/alloc.h"

#include <stdlib.h>

static char lost_reason[160];
static _Atomic int num_lost;

static void on_lost(void *data, const char *reason)
{
   snprintf(lost_reason, sizeof(lost_reason), "%s", reason);
   num_lost++;
}

struct fixture {
   struct rt_device *device;
   struct rt_queue *queue;
   struct rt_cmd_stream stream;
   struct rt_timeline fence;
   uint64_t fence_value;
};

static void open_fixture(struct fixture *fixture, uint32_t num_threads, uint64_t hang_timeout_ns)
{
   const struct rt_device_options options = {
      .num_threads = num_threads, .hang_timeout_ns = hang_timeout_ns, .on_lost = on_lost};
   num_lost = 0;
   fixture->fence_value = 0;
   CHECK_EQ(rt_device_create(&options, &fixture->device), VK_SUCCESS);
   CHECK_EQ(rt_queue_create(fixture->device, &fixture->queue), VK_SUCCESS);
   CHECK_EQ(rt_timeline_init(&fixture->fence, 0), VK_SUCCESS);
   rt_cmd_stream_init(&fixture->stream);
}

static void close_fixture(struct fixture *fixture)
{
   rt_queue_destroy(fixture->queue);
   rt_device_destroy(fixture->device);
   rt_cmd_stream_finish(&fixture->stream);
   rt_timeline_finish(&fixture->fence);
}

/* Submits the stream and waits. */
static VkResult run_stream(struct fixture *fixture)
{
   struct rt_cmd_stream *const streams[] = {&fixture->stream};
   const struct rt_wait signal = {&fixture->fence, ++fixture->fence_value};
   const struct rt_submit submit = {.streams = streams, .num_streams = 1, .signals = &signal, .num_signals = 1};
   const VkResult result = rt_queue_submit(fixture->queue, &submit);
   return result == VK_SUCCESS ? rt_timeline_wait(&signal, 1, false, UTIL_FOREVER) : result;
}

static void barrier(struct fixture *fixture)
{
   struct rt_cmd_barrier *cmd = RT_CMD_APPEND(&fixture->stream, barrier);
   cmd->src = cmd->dst = RT_ALL_STAGES;
}

/* ---- a shader: data[group] = data[group] * 2 + push[0], group counted over the whole grid ---- */

static void double_and_add(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y,
                           uint32_t z, uint32_t count)
{
   uint32_t *data = (uint32_t *)args->resources->sets[0].data, add;
   memcpy(&add, args->resources->push, sizeof(add));
   for (uint32_t i = x; i < x + count; i++) {
      uint32_t *value = &data[(z * args->num_workgroups[1] + y) * args->num_workgroups[0] + i];
      *value = *value * 2 + add;
   }
}

static const struct abi_shader_info double_info = {
   .stage = ABI_STAGE_COMPUTE, .local_size = {64, 1, 1}, .shared_bytes = 100};
static const struct rt_compute_pipeline double_pipeline = {
   {.info = &double_info, .run.compute = double_and_add, .name = "double"}};

static void bind(struct fixture *fixture, const struct rt_compute_pipeline *pipeline, const void *data)
{
   RT_CMD_APPEND(&fixture->stream, bind_compute)->pipeline = pipeline;
   rt_cmd_append_sets(&fixture->stream, 1 << RT_BIND_COMPUTE, 0, 1)->sets[0].data = data;
}

static void push(struct fixture *fixture, uint32_t value)
{
   struct rt_cmd_push_constants *cmd = RT_CMD_APPEND(&fixture->stream, push_constants);
   cmd->size_bytes = 4;
   cmd->data = rt_cmd_data(&fixture->stream, &value, 4);
}

static void dispatch(struct fixture *fixture, uint32_t x, uint32_t y, uint32_t z)
{
   struct rt_cmd_dispatch *cmd = RT_CMD_APPEND(&fixture->stream, dispatch);
   cmd->count[0] = x;
   cmd->count[1] = y;
   cmd->count[2] = z;
}

static void check_chain(uint32_t num_threads, uint32_t x, uint32_t y, uint32_t z)
{
   struct fixture fixture;
   open_fixture(&fixture, num_threads, 0);
   const uint32_t num = x * y * z;
   uint32_t *data = calloc(num, sizeof(*data));
   bind(&fixture, &double_pipeline, data);
   uint32_t expected = 0;
   for (uint32_t i = 0; i < 20; i++) {
      push(&fixture, i);
      dispatch(&fixture, x, y, z);
      barrier(&fixture);
      expected = expected * 2 + i;
   }
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < num; i++)
      num_wrong += data[i] != expected;
   CHECK_EQ(num_wrong, 0);
   free(data);
   close_fixture(&fixture);
}

TEST(dispatches_in_a_chain)
{
   static const uint32_t threads[] = {0, 1, 2, 4};
   for (size_t i = 0; i < UTIL_ARRAY_SIZE(threads); i++) {
      check_chain(threads[i], 1, 1, 1);
      check_chain(threads[i], 1000, 1, 1);
      check_chain(threads[i], 1, 333, 3);
      check_chain(threads[i], 37, 41, 29);
   }
}

TEST(independent_dispatches_of_mixed_size)
{
   struct fixture fixture;
   open_fixture(&fixture, 3, 0);
   uint32_t *data = calloc(40 * 4096, sizeof(*data));
   for (uint32_t round = 0; round < 4; round++) {
      for (uint32_t i = 0; i < 40; i++) {
         bind(&fixture, &double_pipeline, data + i * 4096);
         push(&fixture, i);
         dispatch(&fixture, i % 4 ? 1 + i : 4096, 1, 1);
      }
      barrier(&fixture);
   }
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   uint32_t num_wrong = 0;
   for (uint32_t i = 0; i < 40; i++)
      for (uint32_t k = 0; k < (i % 4 ? 1 + i : 4096); k++)
         num_wrong += data[i * 4096 + k] != i * 15;
   CHECK_EQ(num_wrong, 0);
   free(data);
   close_fixture(&fixture);
}

TEST(indirect_and_zeroes)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   uint32_t data[6] = {0}, args[3] = {0, 0, 0};
   const uint32_t wanted[3] = {3, 1, 2};
   struct rt_cmd_update_buffer *update = RT_CMD_APPEND(&fixture.stream, update_buffer);
   update->dst = (uint8_t *)args;
   update->size_bytes = sizeof(wanted);
   update->data = rt_cmd_data(&fixture.stream, wanted, sizeof(wanted));
   barrier(&fixture);
   bind(&fixture, &double_pipeline, data);
   push(&fixture, 9);
   RT_CMD_APPEND(&fixture.stream, dispatch_indirect)->args = (const VkDispatchIndirectCommand *)args;
   dispatch(&fixture, 0, 7, 7);
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   for (int i = 0; i < 6; i++)
      CHECK_EQ(data[i], 9);
   close_fixture(&fixture);
}

TEST(absurd_dispatch_loses_the_device)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   uint32_t data[1] = {0}, args[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
   bind(&fixture, &double_pipeline, data);
   RT_CMD_APPEND(&fixture.stream, dispatch_indirect)->args = (const VkDispatchIndirectCommand *)args;
   CHECK_EQ(run_stream(&fixture), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(num_lost, 1);
   CHECK(strstr(lost_reason, "4294967295") != NULL);
   CHECK_EQ(run_stream(&fixture), VK_ERROR_DEVICE_LOST);
   CHECK_EQ(rt_queue_wait_idle(fixture.queue), VK_ERROR_DEVICE_LOST);
   close_fixture(&fixture);
}

static void hang(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y, uint32_t z,
                 uint32_t count)
{
   while (!__atomic_load_n(worker->cancel, __ATOMIC_RELAXED))
      ;
}

TEST(hang_loses_the_device)
{
   static const struct abi_shader_info info = {.stage = ABI_STAGE_COMPUTE, .local_size = {1, 1, 1}};
   static const struct rt_compute_pipeline pipeline = {{.info = &info, .run.compute = hang, .name = "hanging shader"}};
   for (uint32_t threads = 1; threads <= 3; threads++) {
      struct fixture fixture;
      open_fixture(&fixture, threads, 20000000);
      bind(&fixture, &pipeline, NULL);
      dispatch(&fixture, 5, 5, 5);
      CHECK_EQ(run_stream(&fixture), VK_ERROR_DEVICE_LOST);
      CHECK(strstr(lost_reason, "hanging shader") != NULL);
      close_fixture(&fixture);
   }
}

static void check_memory(const struct abi_compute_args *args, struct abi_worker *worker, uint32_t x, uint32_t y,
                         uint32_t z, uint32_t count)
{
   uint32_t *num_wrong = (uint32_t *)args->resources->sets[0].data;
   if (((uintptr_t)worker->shared & 63) || ((uintptr_t)worker->frame & 63))
      __atomic_fetch_add(num_wrong, 1, __ATOMIC_RELAXED);
   memset(worker->shared, 0xff, 1000);
   memset(worker->frame, 0xff, 5000);
}

/* Compiled code clears it where it has to: tests/shaders/zeroed.comp. */
TEST(workgroups_have_memory)
{
   static const struct abi_shader_info info = {
      .stage = ABI_STAGE_COMPUTE, .local_size = {1, 1, 1}, .shared_bytes = 1000, .frame_bytes = 5000};
   static const struct rt_compute_pipeline pipeline = {{.info = &info, .run.compute = check_memory}};
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   uint32_t num_wrong = 0;
   bind(&fixture, &pipeline, &num_wrong);
   dispatch(&fixture, 100, 3, 1);
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   CHECK_EQ(num_wrong, 0);
   close_fixture(&fixture);
}

/* ---- buffers ---- */

TEST(copies_and_fills)
{
   const uint32_t num = 3 << 20;
   uint32_t *a = malloc(num * 4), *b = malloc(num * 4);
   memset(b, 0, num * 4);
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   struct rt_cmd_fill_buffer *fill = RT_CMD_APPEND(&fixture.stream, fill_buffer);
   fill->dst = (uint8_t *)a;
   fill->size_bytes = num * 4;
   fill->value = 0x12345678;
   barrier(&fixture);
   fill = RT_CMD_APPEND(&fixture.stream, fill_buffer);
   fill->dst = (uint8_t *)(a + 5);
   fill->size_bytes = 8;
   fill->value = 0xabababab;
   barrier(&fixture);
   const VkBufferCopy regions[2] = {{0, 8, (num - 2) * 4 - 1}, {20, 0, 8}};
   struct rt_cmd_copy_buffer *copy = RT_CMD_APPEND(&fixture.stream, copy_buffer);
   copy->src = (const uint8_t *)a;
   copy->dst = (uint8_t *)b;
   copy->num_regions = 2;
   copy->regions = regions;
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   uint32_t num_wrong = 0;
   for (uint32_t i = 2; i < num - 1; i++)
      num_wrong += b[i] != (i == 7 || i == 8 ? 0xabababab : 0x12345678);
   CHECK_EQ(num_wrong, 0);
   CHECK_EQ(b[0], 0xabababab);
   CHECK_EQ(b[1], 0xabababab);
   CHECK_EQ(b[num - 1], 0x345678);
   free(a);
   free(b);
   close_fixture(&fixture);
}

/* ---- order of submissions ---- */

TEST(waits_across_queues)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   struct rt_queue *other;
   CHECK_EQ(rt_queue_create(fixture.device, &other), VK_SUCCESS);
   struct rt_timeline semaphore;
   CHECK_EQ(rt_timeline_init(&semaphore, 0), VK_SUCCESS);

   uint32_t value = 1;
   bind(&fixture, &double_pipeline, &value);
   push(&fixture, 1);
   dispatch(&fixture, 1, 1, 1);
   struct rt_cmd_stream *const streams[] = {&fixture.stream};
   const struct rt_wait odd = {&semaphore, 1}, even = {&semaphore, 2}, end = {&semaphore, 3};
   const struct rt_submit second = {&odd, 1, streams, 1, &even, 1}, third = {&even, 1, streams, 1, &end, 1};
   CHECK_EQ(rt_queue_submit(other, &third), VK_SUCCESS);
   CHECK_EQ(rt_queue_submit(fixture.queue, &second), VK_SUCCESS);
   CHECK_EQ(rt_timeline_wait(&end, 1, false, 5000000), VK_TIMEOUT);
   CHECK_EQ(value, 1);
   rt_timeline_signal(&semaphore, 1);
   CHECK_EQ(rt_timeline_wait(&end, 1, false, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(value, 7);
   CHECK_EQ(rt_queue_wait_idle(other), VK_SUCCESS);
   CHECK_EQ(rt_queue_wait_idle(fixture.queue), VK_SUCCESS);
   rt_queue_destroy(other);
   rt_timeline_finish(&semaphore);
   close_fixture(&fixture);
}

TEST(empty_submissions)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   for (uint64_t i = 1; i <= 100; i++) {
      const struct rt_wait signal = {&fixture.fence, i};
      const struct rt_submit submit = {.signals = &signal, .num_signals = 1};
      CHECK_EQ(rt_queue_submit(fixture.queue, &submit), VK_SUCCESS);
      CHECK_EQ(rt_timeline_wait(&signal, 1, false, UTIL_FOREVER), VK_SUCCESS);
   }
   CHECK_EQ(rt_queue_wait_idle(fixture.queue), VK_SUCCESS);
   close_fixture(&fixture);
}

TEST(events)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   struct rt_timeline host, device;
   CHECK_EQ(rt_timeline_init(&host, 0), VK_SUCCESS);
   CHECK_EQ(rt_timeline_init(&device, 0), VK_SUCCESS);
   struct rt_timeline *const events[] = {&host};
   uint32_t value = 1;
   bind(&fixture, &double_pipeline, &value);
   struct rt_cmd_set_event *set = RT_CMD_APPEND(&fixture.stream, set_event);
   set->event = &device;
   set->value = 1;
   struct rt_cmd_wait_events *wait = RT_CMD_APPEND(&fixture.stream, wait_events);
   wait->count = 1;
   wait->events = events;
   dispatch(&fixture, 1, 1, 1);

   struct rt_cmd_stream *const streams[] = {&fixture.stream};
   const struct rt_wait signal = {&fixture.fence, 1}, reached = {&device, 1};
   const struct rt_submit submit = {NULL, 0, streams, 1, &signal, 1};
   CHECK_EQ(rt_queue_submit(fixture.queue, &submit), VK_SUCCESS);
   CHECK_EQ(rt_timeline_wait(&reached, 1, false, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(rt_timeline_wait(&signal, 1, false, 3000000), VK_TIMEOUT);
   rt_timeline_signal(&host, 1);
   CHECK_EQ(rt_timeline_wait(&signal, 1, false, UTIL_FOREVER), VK_SUCCESS);
   CHECK_EQ(value, 2);

   /* An event that never comes ends with the device. */
   rt_timeline_signal(&host, 0);
   CHECK_EQ(rt_queue_submit(fixture.queue, &(struct rt_submit){.streams = streams, .num_streams = 1}), VK_SUCCESS);
   rt_device_lose(fixture.device, "test");
   CHECK_EQ(rt_queue_wait_idle(fixture.queue), VK_ERROR_DEVICE_LOST);
   close_fixture(&fixture);
   rt_timeline_finish(&host);
   rt_timeline_finish(&device);
}

TEST(timestamps_and_secondaries)
{
   struct fixture fixture;
   open_fixture(&fixture, 2, 0);
   struct rt_query_pool pool;
   CHECK_EQ(rt_query_pool_init(&pool, VK_QUERY_TYPE_TIMESTAMP, 2, 0), VK_SUCCESS);
   struct rt_cmd_stream inner;
   rt_cmd_stream_init(&inner);
   struct rt_cmd_write_timestamp *write = RT_CMD_APPEND(&inner, write_timestamp);
   write->pool = &pool;
   write->query = 0;
   struct rt_cmd_stream *const streams[] = {&inner};
   RT_CMD_APPEND(&fixture.stream, reset_queries)->pool = &pool;
   struct rt_cmd_execute *execute = RT_CMD_APPEND(&fixture.stream, execute);
   execute->count = 1;
   execute->streams = streams;
   write = RT_CMD_APPEND(&fixture.stream, write_timestamp);
   write->pool = &pool;
   write->query = 1;
   uint64_t copied[4] = {0};
   struct rt_cmd_copy_query_results *copy = RT_CMD_APPEND(&fixture.stream, copy_query_results);
   copy->pool = &pool;
   copy->count = 2;
   copy->dst = (uint8_t *)copied;
   copy->stride_bytes = 16;
   copy->flags = VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT;
   const uint64_t begin_ns = util_now_ns();
   CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
   CHECK(copied[0] >= begin_ns && copied[2] >= copied[0] && copied[2] <= util_now_ns());
   CHECK_EQ(copied[1], 1);
   CHECK_EQ(copied[3], 1);
   rt_query_pool_finish(&pool);
   rt_cmd_stream_finish(&inner);
   close_fixture(&fixture);
}

/* Each allocation fails in turn: the call says so or the device is lost; nothing crashes or leaks. */
static bool run_with_failure(uint64_t n, uint32_t num_threads, uint32_t *data)
{
   const struct rt_device_options options = {.num_threads = num_threads, .on_lost = on_lost};
   struct rt_device *device;
   struct rt_queue *queue;
   struct fixture fixture;
   rt_cmd_stream_init(&fixture.stream);
   for (uint32_t i = 0; i < 30; i++) {
      bind(&fixture, &double_pipeline, data + i % 10 * 5000);
      push(&fixture, i);
      dispatch(&fixture, 5000, 1, 1);
      if (i % 10 == 9)
         barrier(&fixture);
   }
   struct rt_cmd_stream *const streams[] = {&fixture.stream};
   util_alloc_fail_at(n, true);
   bool is_done = false;
   if (rt_device_create(&options, &device) == VK_SUCCESS) {
      if (rt_queue_create(device, &queue) == VK_SUCCESS) {
         is_done = rt_queue_submit(queue, &(struct rt_submit){.streams = streams, .num_streams = 1}) == VK_SUCCESS &&
                   rt_queue_wait_idle(queue) == VK_SUCCESS;
         rt_queue_destroy(queue);
      }
      rt_device_destroy(device);
   }
   const bool was_reached = util_alloc_count() >= n;
   util_alloc_fail_at(0, false);
   rt_cmd_stream_finish(&fixture.stream);
   CHECK(is_done || was_reached);
   return was_reached;
}

TEST(each_allocation_fails_in_turn)
{
   uint32_t *data = calloc(10 * 5000, sizeof(*data));
   for (uint32_t threads = 1; threads <= 3; threads += 2) {
      uint64_t n = 1;
      while (run_with_failure(n, threads, data) && n < 500)
         n++;
      CHECK(n > 5 && n < 500);
   }
   free(data);
}

TEST(many_devices)
{
   for (int i = 0; i < 200; i++) {
      struct fixture fixture;
      open_fixture(&fixture, 4, i % 2 ? 1000000000 : 0);
      if (i % 4 == 0) {
         uint32_t value = 0;
         bind(&fixture, &double_pipeline, &value);
         dispatch(&fixture, 1, 1, 1);
         CHECK_EQ(run_stream(&fixture), VK_SUCCESS);
      }
      close_fixture(&fixture);
   }
}

TEST_MAIN
