/* SPDX-License-Identifier: MIT
 * The runtime's device: owns the pool, knows its queues, is lost once.
 * Lock order: loss, device, queue, timeline. */
#include "runtime/device.h"

#include "runtime/accel/table.h"
#include "runtime/cmd/query.h"
#include "runtime/helpers.h"
#include "runtime/instrument/races.h"
#include "runtime/queue/queue.h"
#include "runtime/sparse.h"
#include "runtime/texture/block_cache.h"
#include "util/alloc.h"

#include <stdio.h>

struct rt_device {
   struct rt_device_options options;
   struct rt_pool *pool;
   struct rt_accel_table *structures;
   struct rt_sparse_set *sparses;
   pthread_mutex_t lock;
   struct util_list queues;   /* under lock */
   pthread_mutex_t loss_lock; /* held while the device is being lost, on_lost included */
   bool is_lost;              /* written under loss_lock; atomic: release, acquire */
};

static void lose(struct rt_device *device, const char *reason, const struct rt_worker *hung);

static void on_pool_failure(void *data, const char *reason, const struct rt_worker *hung)
{
   lose(data, reason, hung);
}

/* By the worker's thread. */
static void forget_worker(struct rt_worker *worker)
{
   rt_races_forget(worker);
   rt_block_cache_forget();
}

VkResult rt_device_create(const struct rt_device_options *options, struct rt_device **device_out)
{
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   struct rt_device *device = util_calloc(1, sizeof(*device));
   if (!device)
      return result;
   device->options = *options;
   util_list_init(&device->queues);
   if (!util_mutex_init(&device->lock))
      goto free_device;
   if (!util_mutex_init(&device->loss_lock))
      goto finish_lock;
   device->sparses = rt_sparse_set_create();
   if (!device->sparses)
      goto finish_loss_lock;
   device->structures = rt_accel_table_create();
   if (!device->structures)
      goto destroy_sparses;

   const struct rt_pool_options pool_options = {
      .num_threads = options->num_threads,
      .helpers = &rt_helpers,
      .structures = device->structures,
      .hang_timeout_ns = options->hang_timeout_ns,
      .on_failure = on_pool_failure,
      .on_failure_data = device,
      .tend = rt_sparse_set_tend,
      .tend_data = device->sparses,
      .forget_worker = forget_worker,
      .findings = options->findings,
      .hazards = options->hazards,
      .prints = options->prints,
      .touches = options->touches,
   };
   result = rt_pool_create(&pool_options, &device->pool);
   if (result != VK_SUCCESS)
      goto destroy_structures;
   *device_out = device;
   return VK_SUCCESS;

destroy_structures:
   rt_accel_table_destroy(device->structures);
destroy_sparses:
   rt_sparse_set_destroy(device->sparses);
finish_loss_lock:
   pthread_mutex_destroy(&device->loss_lock);
finish_lock:
   pthread_mutex_destroy(&device->lock);
free_device:
   util_mfree(device);
   return result;
}

void rt_device_destroy(struct rt_device *device)
{
   if (!device)
      return;
   rt_pool_destroy(device->pool);
   rt_accel_table_destroy(device->structures);
   rt_sparse_set_destroy(device->sparses);
   pthread_mutex_destroy(&device->loss_lock);
   pthread_mutex_destroy(&device->lock);
   util_mfree(device);
}

bool rt_device_is_lost(const struct rt_device *device)
{
   return __atomic_load_n(&device->is_lost, __ATOMIC_ACQUIRE);
}

const bool *rt_device_lost_flag(const struct rt_device *device)
{
   return &device->is_lost;
}

struct rt_pool *rt_device_pool(struct rt_device *device)
{
   return device->pool;
}

struct rt_accel_table *rt_device_structures(struct rt_device *device)
{
   return device->structures;
}

struct rt_sparse_set *rt_device_sparses(struct rt_device *device)
{
   return device->sparses;
}

bool rt_device_work_was_lost(struct rt_device *device)
{
   if (!rt_pool_is_cancelled(device->pool))
      return false;
   pthread_mutex_lock(&device->loss_lock);
   pthread_mutex_unlock(&device->loss_lock);
   return true;
}

static void report_loss(struct rt_device *device, const char *reason, const char *location)
{
   char text[1024];
   if (!device->options.on_lost)
      return;
   if (location)
      snprintf(text, sizeof(text), "%s, in the loop at %s", reason, location);
   device->options.on_lost(device->options.on_lost_data, location ? text : reason);
}

static void lose(struct rt_device *device, const char *reason, const struct rt_worker *hung)
{
   pthread_mutex_lock(&device->loss_lock);
   if (rt_device_is_lost(device)) {
      pthread_mutex_unlock(&device->loss_lock);
      return;
   }
   rt_pool_cancel(device->pool);
   /* Whoever sees the loss finds it reported. A hung shader first has to say where it was. */
   report_loss(device, reason, hung ? rt_pool_hung_at(device->pool, hung) : NULL);
   __atomic_store_n(&device->is_lost, true, __ATOMIC_RELEASE);
   pthread_mutex_unlock(&device->loss_lock);

   pthread_mutex_lock(&device->lock);
   /* By nodes: a queue is aligned, and the list's head is in none. */
   for (struct util_list *node = device->queues.next; node != &device->queues; node = node->next)
      rt_queue_lose(UTIL_LIST_ENTRY(node, struct rt_queue, link));
   pthread_mutex_unlock(&device->lock);
   rt_query_pools_wake();
}

void rt_device_lose(struct rt_device *device, const char *reason)
{
   lose(device, reason, NULL);
}

void rt_device_add_queue(struct rt_device *device, struct rt_queue *queue)
{
   pthread_mutex_lock(&device->lock);
   util_list_add_before(&queue->link, &device->queues);
   pthread_mutex_unlock(&device->lock);
}

void rt_device_remove_queue(struct rt_device *device, struct rt_queue *queue)
{
   pthread_mutex_lock(&device->lock);
   util_list_remove(&queue->link);
   pthread_mutex_unlock(&device->lock);
}

void rt_device_parallel_for(struct rt_device *device, uint32_t count, void (*job)(void *data, uint32_t index),
                            void *data)
{
   rt_pool_parallel_for(device->pool, count, job, data);
}
