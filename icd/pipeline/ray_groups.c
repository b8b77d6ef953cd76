/* SPDX-License-Identifier: MIT
 * What applications learn of the groups of ray pipelines: handles and stack sizes. A handle is a group's id, a random number, so that it is
 * the same in every pipeline that the group is linked in, and can be asked for again by another process that replays what this one captured.
 * A record that holds anything else names no shader. Spec: Pipelines, "Ray Tracing Pipelines"; Shader Binding Table. */
#include "gen/icd_entrypoints.h"
#include "icd/pipeline/rays.h"
#include "runtime/rays/rays.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

/* ---- ids ---- */

static uint64_t first_id; /* written in `once` only */

static void choose_first_id(void)
{
   struct timespec now;
   if (getrandom(&first_id, sizeof(first_id), GRND_NONBLOCK) == sizeof(first_id))
      return;
   clock_gettime(CLOCK_REALTIME, &now);
   first_id = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec << 8 ^ (uintptr_t)&now;
}

/* Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (2014): a bijection, so none comes twice. */
static uint64_t new_id(void)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   static _Atomic uint64_t count;
   pthread_once(&once, choose_first_id);
   uint64_t id;
   do {
      id = first_id + atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) * UINT64_C(0x9e3779b97f4a7c15);
      id = (id ^ id >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
      id = (id ^ id >> 27) * UINT64_C(0x94d049bb133111eb);
      id ^= id >> 31;
   } while (!id);
   return id;
}

uint64_t icd_ray_group_id(const struct rt_ray_handle *captured)
{
   struct rt_ray_handle handle = {0};
   if (captured)
      memcpy(&handle, captured, sizeof(handle));
   return handle.id ? handle.id : new_id();
}

/* ---- entry points ---- */

VKAPI_ATTR VkResult VKAPI_CALL icd_GetRayTracingShaderGroupHandlesKHR(VkDevice device, VkPipeline _pipeline, uint32_t firstGroup,
                                                                      uint32_t groupCount, size_t dataSize, void *pData)
{
   const struct icd_ray_shaders *shaders = icd_pipeline_from_handle(_pipeline)->ray_shaders;
   for (uint32_t i = 0; i < groupCount && (i + (size_t)1) * sizeof(struct rt_ray_handle) <= dataSize; i++) {
      const struct rt_ray_handle handle = {.id = shaders->groups[firstGroup + i].id};
      memcpy((char *)pData + i * sizeof(handle), &handle, sizeof(handle));
   }
   return VK_SUCCESS;
}

/* The same handles: any can be captured. */
VKAPI_ATTR VkResult VKAPI_CALL icd_GetRayTracingCaptureReplayShaderGroupHandlesKHR(VkDevice device, VkPipeline pipeline, uint32_t firstGroup,
                                                                                   uint32_t groupCount, size_t dataSize, void *pData)
{
   return icd_GetRayTracingShaderGroupHandlesKHR(device, pipeline, firstGroup, groupCount, dataSize, pData);
}

VKAPI_ATTR VkDeviceSize VKAPI_CALL icd_GetRayTracingShaderGroupStackSizeKHR(VkDevice device, VkPipeline _pipeline, uint32_t group,
                                                                            VkShaderGroupShaderKHR groupShader)
{
   const struct rt_ray_group *it = &icd_pipeline_from_handle(_pipeline)->rays.groups[group];
   const struct rt_shader *const shaders[] = {
      [VK_SHADER_GROUP_SHADER_GENERAL_KHR] = it->general,
      [VK_SHADER_GROUP_SHADER_CLOSEST_HIT_KHR] = it->closest_hit,
      [VK_SHADER_GROUP_SHADER_ANY_HIT_KHR] = it->any_hit,
      [VK_SHADER_GROUP_SHADER_INTERSECTION_KHR] = it->intersection,
   };
   return shaders[groupShader] ? RT_RAY_STACK_BYTES : 0;
}
