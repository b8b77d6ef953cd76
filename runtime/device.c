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
#include "util/alloc.h"
#include "util/reserved.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

struct rt_device {
   struct rt_device_options options;
   struct rt_pool *pool;
   struct rt_accel_table *structures;
   pthread_mutex_t lock;
   struct util_list queues;   /* under lock */
   struct util_list sparses;  /* those with residency, under sparse_lock */
   pthread_mutex_t sparse_lock;
   uint32_t num_sparses;      /* __atomic, relaxed */
   int memory_file;           /* what the process has resident; under sparse_lock; -1: not to be had */
   uint64_t least_resident;   /* bytes, since unbound pages were forgotten last; the watchdog's */
   pthread_mutex_t loss_lock; /* held while the device is being lost, on_lost included */
   bool is_lost;              /* written under loss_lock; atomic: release, acquire */
};

static void lose(struct rt_device *device, const char *reason, const struct rt_worker *hung);

static void on_pool_failure(void *data, const char *reason, const struct rt_worker *hung)
{
   lose(data, reason, hung);
}

/* ---- what is written where no memory is, while it is ---- */

/* A fill or a shader that goes over a terabyte of addresses without memory makes pages of it that stand until the next barrier: no more of them than this,
 * and what is made meanwhile. A look each 20 ms. */
#define MAX_UNBOUND_BYTES (UINT64_C(256) << 20)
#define UNBOUND_PERIOD_NS UINT64_C(20000000)

/* Of memory that is no file; UINT64_MAX where the system does not say. */
static uint64_t resident_bytes(struct rt_device *device)
{
   char text[128];
   unsigned long long size, resident, shared;
   const ssize_t length = device->memory_file < 0 ? -1 : pread(device->memory_file, text, sizeof(text) - 1, 0);
   text[UTIL_MAX(length, 0)] = 0;
   return sscanf(text, "%llu %llu %llu", &size, &resident, &shared) == 3 ? (uint64_t)(resident - shared) * UTIL_PAGE_BYTES : UINT64_MAX;
}

/* The watchdog's. */
static uint64_t forget_what_fills_memory(void *data)
{
   struct rt_device *device = data;
   if (!rt_device_has_unbound(device))
      return UTIL_FOREVER;
   const uint64_t bytes = resident_bytes(device);
   device->least_resident = UTIL_MIN(device->least_resident, bytes);
   if (bytes - device->least_resident >= MAX_UNBOUND_BYTES || bytes == UINT64_MAX) {
      rt_device_forget_unbound(device);
      device->least_resident = resident_bytes(device);
   }
   return UNBOUND_PERIOD_NS;
}

VkResult rt_device_create(const struct rt_device_options *options, struct rt_device **device_out)
{
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   struct rt_device *device = util_calloc(1, sizeof(*device));
   if (!device)
      return result;
   device->options = *options;
   util_list_init(&device->queues);
   util_list_init(&device->sparses);
   device->memory_file = -1;
   device->least_resident = UINT64_MAX;
   if (!util_mutex_init(&device->lock))
      goto free_device;
   if (!util_mutex_init(&device->loss_lock))
      goto finish_lock;
   if (!util_mutex_init(&device->sparse_lock))
      goto finish_loss_lock;
   device->structures = rt_accel_table_create();
   if (!device->structures)
      goto finish_sparse_lock;

   const struct rt_pool_options pool_options = {
      .num_threads = options->num_threads,
      .helpers = &rt_helpers,
      .structures = device->structures,
      .hang_timeout_ns = options->hang_timeout_ns,
      .on_failure = on_pool_failure,
      .on_failure_data = device,
      .tend = forget_what_fills_memory,
      .tend_data = device,
      .forget_worker = rt_races_forget,
      .findings = options->findings,
      .hazards = options->hazards,
      .prints = options->prints,
   };
   result = rt_pool_create(&pool_options, &device->pool);
   if (result != VK_SUCCESS)
      goto destroy_structures;
   *device_out = device;
   return VK_SUCCESS;

destroy_structures:
   rt_accel_table_destroy(device->structures);
finish_sparse_lock:
   pthread_mutex_destroy(&device->sparse_lock);
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
   if (device->memory_file >= 0)
      close(device->memory_file);
   rt_accel_table_destroy(device->structures);
   pthread_mutex_destroy(&device->sparse_lock);
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

/* ---- sparse resources ---- */

void rt_device_add_sparse(struct rt_device *device, struct rt_sparse *sparse)
{
   pthread_mutex_lock(&device->sparse_lock);
   util_list_add_before(&sparse->link, &device->sparses);
   if (device->memory_file < 0)
      device->memory_file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
   __atomic_fetch_add(&device->num_sparses, 1, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&device->sparse_lock);
}

void rt_device_remove_sparse(struct rt_device *device, struct rt_sparse *sparse)
{
   pthread_mutex_lock(&device->sparse_lock);
   util_list_remove(&sparse->link);
   __atomic_fetch_sub(&device->num_sparses, 1, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&device->sparse_lock);
}

bool rt_device_has_unbound(const struct rt_device *device)
{
   return __atomic_load_n(&device->num_sparses, __ATOMIC_RELAXED) != 0;
}

void rt_device_forget_unbound(struct rt_device *device)
{
   pthread_mutex_lock(&device->sparse_lock);
   UTIL_LIST_FOR_EACH (struct rt_sparse, sparse, &device->sparses, link)
      rt_sparse_forget_unbound(sparse);
   pthread_mutex_unlock(&device->sparse_lock);
}

void rt_device_parallel_for(struct rt_device *device, uint32_t count, void (*job)(void *data, uint32_t index),
                            void *data)
{
   rt_pool_parallel_for(device->pool, count, job, data);
}
