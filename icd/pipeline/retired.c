/* SPDX-License-Identifier: MIT */
#include "icd/pipeline/retired.h"
#include "icd/object.h"
#include "icd/pipeline/nodes.h"
#include "icd/pipeline/rays.h"
#include "icd/pipeline/shaders.h"
#include "icd/pipeline/stage_source.h"
#include "runtime/device.h"
#include "util/alloc.h"

void icd_pipeline_free(struct icd_device *device, struct icd_pipeline *pipeline, const VkAllocationCallbacks *allocator)
{
   for (uint32_t i = 0; i < ABI_NUM_STAGES; i++) {
      icd_shader_release(pipeline->shaders[i]);
      icd_stage_source_release(pipeline->sources[i]);
   }
   icd_ray_shaders_destroy(pipeline->ray_shaders);
   icd_nodes_destroy(pipeline->graph);
   util_mfree(pipeline->uses);
   icd_object_free(device, allocator, pipeline);
}

static bool is_in_use(const struct icd_device *device, const struct icd_pipeline *pipeline)
{
   for (uint32_t i = 0; i < device->num_queues; i++) {
      if (!rt_queue_has_finished(device->queues[i].rt, pipeline->retired_at[i]))
         return true;
   }
   return false;
}

/* The oldest, if nothing uses it any more, taken out of the list; else NULL: those behind it wait for as many submissions or more. */
static struct icd_pipeline *take_unused(struct icd_device *device)
{
   struct icd_pipeline *oldest = NULL;
   pthread_mutex_lock(&device->objects_lock);
   if (!util_list_is_empty(&device->retired)) {
      oldest = UTIL_LIST_ENTRY(device->retired.next, struct icd_pipeline, retired);
      if (is_in_use(device, oldest))
         oldest = NULL;
      else
         util_list_remove(&oldest->retired);
   }
   pthread_mutex_unlock(&device->objects_lock);
   return oldest;
}

bool icd_pipeline_retire(struct icd_device *device, struct icd_pipeline *pipeline, const VkAllocationCallbacks *allocator)
{
   for (struct icd_pipeline *unused; (unused = take_unused(device));)
      icd_pipeline_free(device, unused, NULL);
   for (uint32_t i = 0; i < device->num_queues; i++)
      pipeline->retired_at[i] = rt_queue_num_submitted(device->queues[i].rt);
   if (allocator || !is_in_use(device, pipeline))
      return false;
   pthread_mutex_lock(&device->objects_lock);
   util_list_add_before(&pipeline->retired, &device->retired);
   pthread_mutex_unlock(&device->objects_lock);
   return true;
}

void icd_retired_finish(struct icd_device *device)
{
   while (!util_list_is_empty(&device->retired)) {
      struct icd_pipeline *pipeline = UTIL_LIST_ENTRY(device->retired.next, struct icd_pipeline, retired);
      util_list_remove(&pipeline->retired);
      icd_pipeline_free(device, pipeline, NULL);
   }
}
