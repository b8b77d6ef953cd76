/* SPDX-License-Identifier: MIT
 * Ray queries and ray pipelines for demo and tests: a device that has them, and acceleration structures with memory of their own. */
#pragma once

#include "tests/client/client.h"

#define CLIENT_RAY_FUNCTIONS(X)                                                                                        \
   X(GetBufferDeviceAddress) X(CreateAccelerationStructureKHR) X(DestroyAccelerationStructureKHR)                      \
   X(GetAccelerationStructureBuildSizesKHR) X(GetAccelerationStructureDeviceAddressKHR)                                \
   X(CmdBuildAccelerationStructuresKHR) X(CreateRayTracingPipelinesKHR) X(GetRayTracingShaderGroupHandlesKHR)          \
   X(CmdTraceRaysKHR) X(GetRayTracingCaptureReplayShaderGroupHandlesKHR)        \
   X(CmdWriteAccelerationStructuresPropertiesKHR)                                                                      \
   X(CmdBeginConditionalRenderingEXT) X(CmdEndConditionalRenderingEXT)

struct client_ray_functions {
#define X(name) PFN_vk##name name;
   CLIENT_RAY_FUNCTIONS(X)
#undef X
};

/* The functions of the last client made by client_rays_init(). */
extern struct client_ray_functions rays;

/* client_init() with Vulkan 1.2, ray queries and ray pipelines. */
void client_rays_init(struct client *client);
struct client_ray_options {
   uint32_t num_queues; /* as in struct client_options */
   bool has_hit_objects; /* with has_replay: VK_EXT_ray_tracing_invocation_reorder and that of NV, and Vulkan 1.3 */
   bool has_conditions; /* VK_EXT_conditional_rendering */
   bool has_spheres; /* VK_NV_ray_tracing_linear_swept_spheres */
   bool has_replay; /* handles of shader groups are those of libraries, and can be captured and replayed */
   void (*on_message)(void *data, const char *id, const char *message); /* as in struct client_options */
   void *on_message_data;
   bool wants_prints; /* and Vulkan 1.3 */
};
void client_rays_init_with(struct client *client, const struct client_ray_options *options);
/* Builds with older headers do not offer all. */
bool client_rays_offer(const char *extension);

VkDeviceAddress client_address(struct client *client, const struct client_buffer *buffer);

struct client_accel {
   VkAccelerationStructureKHR handle;
   VkDeviceAddress address; /* what instances refer to */
   struct client_buffer memory;
};

/* Of one geometry with so many primitives; of instances: a top level. */
struct client_accel client_accel_build(struct client *client, const VkAccelerationStructureGeometryKHR *geometry, uint32_t count);
/* The same as `info` says, but for structure and scratch memory. */
struct client_accel client_accel_build_as(struct client *client, const VkAccelerationStructureBuildGeometryInfoKHR *info, uint32_t count);
void client_accel_destroy(struct client *client, struct client_accel *accel);

/* Triangles whose corners stand one after the other at the address. */
VkAccelerationStructureGeometryKHR client_geometry_triangles(VkDeviceAddress corners, uint32_t count, VkGeometryFlagsKHR flags);
/* Of triangles whose corners stand one after the other: three floats each. */
struct client_accel client_accel_triangles(struct client *client, const float *corners, uint32_t count, VkGeometryFlagsKHR flags);
struct client_accel client_accel_instances(struct client *client, const VkAccelerationStructureInstanceKHR *instances, uint32_t count);

void client_set_accel(struct client *client, const struct client_set *set, uint32_t binding, const struct client_accel *accel);

/* ---- a pipeline with at most one shader of each class, and a table with a record for each ---- */

enum client_ray_group { CLIENT_RGEN, CLIENT_RMISS, CLIENT_RCHIT, CLIENT_RCALL, CLIENT_NUM_RAY_GROUPS };
enum { CLIENT_RECORD_BYTES = 64, CLIENT_HANDLE_BYTES = 32 };

struct client_ray_shader {
   const uint32_t *words;
   size_t size_bytes;
};

struct client_ray_table {
   VkPipeline pipeline;
   struct client_buffer records;
   VkStridedDeviceAddressRegionKHR regions[CLIENT_NUM_RAY_GROUPS]; /* of a record each */
};

/* Of the first `count` classes: regions of others are empty. */
struct client_ray_table client_ray_table_create(struct client *client, VkPipelineLayout layout, const struct client_ray_shader *shaders, uint32_t count);
void client_ray_table_destroy(struct client *client, struct client_ray_table *table);
