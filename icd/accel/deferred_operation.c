/* SPDX-License-Identifier: MIT
 * The first thread that joins runs the work; others take rounds of its loops until it is done. */
#include "icd/accel/deferred_operation.h"

#include "gen/icd_entrypoints.h"
#include "icd/device/device.h"
#include "util/cpu.h"
#include "util/thread.h"

enum state { IDLE, WAITING, RUNNING, DONE };

struct icd_deferred {
   struct icd_object base;
   pthread_mutex_t lock; /* for all below */
   pthread_cond_t changed;
   enum state state;
   icd_deferred_fn *run;
   void *data;
   VkResult result;
   /* The loop that runs now. */
   rt_accel_body_fn *body;
   void *body_data;
   uint32_t next, count, num_done;
};

VKAPI_ATTR VkResult VKAPI_CALL icd_CreateDeferredOperationKHR(VkDevice _device, const VkAllocationCallbacks *pAllocator,
                                                              VkDeferredOperationKHR *pDeferredOperation)
{
   struct icd_device *device = icd_device_from_handle(_device);
   struct icd_deferred *operation =
      icd_object_alloc(device, pAllocator, sizeof(*operation), VK_OBJECT_TYPE_DEFERRED_OPERATION_KHR);
   if (!operation)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   if (!util_mutex_init(&operation->lock))
      goto free_operation;
   if (!util_cond_init(&operation->changed))
      goto finish_lock;
   *pDeferredOperation = icd_deferred_to_handle(operation);
   return VK_SUCCESS;

finish_lock:
   pthread_mutex_destroy(&operation->lock);
free_operation:
   icd_object_free(device, pAllocator, operation);
   return VK_ERROR_OUT_OF_HOST_MEMORY;
}

VKAPI_ATTR void VKAPI_CALL icd_DestroyDeferredOperationKHR(VkDevice device, VkDeferredOperationKHR _operation,
                                                           const VkAllocationCallbacks *pAllocator)
{
   struct icd_deferred *operation = icd_deferred_from_handle(_operation);
   if (!operation)
      return;
   pthread_cond_destroy(&operation->changed);
   pthread_mutex_destroy(&operation->lock);
   util_mfree(operation->data);
   icd_object_free(icd_device_from_handle(device), pAllocator, operation);
}

void icd_deferred_start(struct icd_deferred *operation, icd_deferred_fn *run, void *data)
{
   pthread_mutex_lock(&operation->lock);
   util_mfree(operation->data); /* of work that nobody joined */
   operation->run = run;
   operation->data = data;
   operation->state = WAITING;
   pthread_cond_broadcast(&operation->changed);
   pthread_mutex_unlock(&operation->lock);
}

/* Takes rounds of the loop until none is left to begin. Under the lock. */
static void take_part(struct icd_deferred *operation)
{
   while (operation->next < operation->count) {
      const uint32_t index = operation->next++;
      rt_accel_body_fn *body = operation->body;
      void *data = operation->body_data;
      pthread_mutex_unlock(&operation->lock);
      body(data, index);
      pthread_mutex_lock(&operation->lock);
      if (++operation->num_done == operation->count)
         pthread_cond_broadcast(&operation->changed);
   }
}

static void run_loop(void *context, uint32_t count, rt_accel_body_fn *body, void *data)
{
   struct icd_deferred *operation = context;
   pthread_mutex_lock(&operation->lock);
   operation->body = body;
   operation->body_data = data;
   operation->next = operation->num_done = 0;
   operation->count = count;
   pthread_cond_broadcast(&operation->changed);
   take_part(operation);
   while (operation->num_done < operation->count)
      pthread_cond_wait(&operation->changed, &operation->lock);
   operation->next = operation->count = 0;
   pthread_mutex_unlock(&operation->lock);
}

/* Under the lock, which is given back meanwhile. */
static void lead(struct icd_deferred *operation)
{
   const struct rt_accel_loop loop = {.run = run_loop, .context = operation};
   operation->state = RUNNING;
   pthread_mutex_unlock(&operation->lock);
   const VkResult result = operation->run(operation->data, &loop);
   pthread_mutex_lock(&operation->lock);
   util_mfree(operation->data);
   operation->data = NULL;
   operation->result = result;
   operation->state = DONE;
   pthread_cond_broadcast(&operation->changed);
}

VKAPI_ATTR VkResult VKAPI_CALL icd_DeferredOperationJoinKHR(VkDevice device, VkDeferredOperationKHR _operation)
{
   struct icd_deferred *operation = icd_deferred_from_handle(_operation);
   pthread_mutex_lock(&operation->lock);
   if (operation->state == WAITING)
      lead(operation);
   while (operation->state == RUNNING) {
      take_part(operation);
      if (operation->state == RUNNING)
         pthread_cond_wait(&operation->changed, &operation->lock);
   }
   pthread_mutex_unlock(&operation->lock);
   return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL icd_GetDeferredOperationResultKHR(VkDevice device, VkDeferredOperationKHR _operation)
{
   struct icd_deferred *operation = icd_deferred_from_handle(_operation);
   pthread_mutex_lock(&operation->lock);
   const VkResult result = operation->state == IDLE   ? VK_SUCCESS
                           : operation->state == DONE ? operation->result
                                                      : VK_NOT_READY;
   pthread_mutex_unlock(&operation->lock);
   return result;
}

VKAPI_ATTR uint32_t VKAPI_CALL icd_GetDeferredOperationMaxConcurrencyKHR(VkDevice device,
                                                                         VkDeferredOperationKHR _operation)
{
   struct icd_deferred *operation = icd_deferred_from_handle(_operation);
   const uint32_t threads = util_cpu_threads();
   pthread_mutex_lock(&operation->lock);
   const bool has_work = operation->state == WAITING || operation->state == RUNNING;
   pthread_mutex_unlock(&operation->lock);
   return has_work ? UTIL_MAX(threads, 1u) : 0;
}
