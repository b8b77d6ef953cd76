/* SPDX-License-Identifier: MIT
 * A path-traced scene, by ray queries in a compute shader. */
#include "tests/client/rays.h"
#include "tests/demo/demo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "paths.comp.h"

enum { WIDTH = 640, HEIGHT = 360, PASSES = 8, SAMPLES = 3, BALLS = 90, RINGS = 48, FLOOR = 40 };

struct push {
   uint32_t width, height, pass, num_passes, num_samples;
};

static void put_corner(float **to, uint32_t ring, uint32_t segment)
{
   const float theta = (float)M_PI * (float)ring / RINGS, phi = 2 * (float)M_PI * (float)segment / (2 * RINGS);
   *(*to)++ = sinf(theta) * cosf(phi);
   *(*to)++ = cosf(theta);
   *(*to)++ = sinf(theta) * sinf(phi);
}

/* Of radius 1. */
static struct client_accel make_ball(struct client *client, uint32_t *num_triangles)
{
   *num_triangles = RINGS * 2 * RINGS * 2;
   float *corners = malloc(*num_triangles * 9 * sizeof(float)), *at = corners;
   for (uint32_t ring = 0; corners && ring < RINGS; ring++) {
      for (uint32_t s = 0; s < 2 * RINGS; s++) {
         const uint32_t order[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
         for (uint32_t c = 0; c < 6; c++)
            put_corner(&at, ring + order[c][0], s + order[c][1]);
      }
   }
   if (!corners)
      client_die("out of memory");
   const struct client_accel ball = client_accel_triangles(client, corners, *num_triangles, VK_GEOMETRY_OPAQUE_BIT_KHR);
   free(corners);
   return ball;
}

static VkAccelerationStructureInstanceKHR instance_of(const struct client_accel *accel, uint32_t number, float size, float x, float y, float z)
{
   return (VkAccelerationStructureInstanceKHR){.transform.matrix = {{size, 0, 0, x}, {0, size, 0, y}, {0, 0, size, z}},
      .instanceCustomIndex = number, .mask = 0xff, .accelerationStructureReference = accel->address};
}

/* A large one in the middle, the others in a spiral around it. */
static struct client_accel make_scene(struct client *client, const struct client_accel *ball, const struct client_accel *floor)
{
   VkAccelerationStructureInstanceKHR instances[BALLS + 1];
   instances[0] = instance_of(floor, 0, 1, 0, 0, 0);
   instances[1] = instance_of(ball, 3, 1.6f, 0, 1.6f, 0);
   for (uint32_t i = 2; i <= BALLS; i++) {
      const float angle = (float)i * 2.39996f, far = 1.4f + 0.75f * sqrtf((float)i), size = 0.22f + 0.13f * (float)(i * 7 % 5);
      instances[i] = instance_of(ball, i, size, far * cosf(angle), size, far * sinf(angle));
   }
   return client_accel_instances(client, instances, BALLS + 1);
}

/* The passes one after the other; each adds its samples to the sums. */
static void run_passes(struct client *client, const struct client_set *set)
{
   const struct push sizes = {.width = WIDTH, .height = HEIGHT, .num_passes = PASSES, .num_samples = SAMPLES};
   VkShaderModule module = client_shader(client, paths_comp, sizeof(paths_comp));
   VkPipelineLayout layout = client_pipeline_layout(client, set, sizeof(sizes));
   VkPipeline pipeline = client_compute_pipeline(client, module, layout, VK_NULL_HANDLE, NULL);
   demo_step("trace paths, %u x %u pixels, %u samples each:", WIDTH, HEIGHT, PASSES * SAMPLES);
   for (uint32_t pass = 0; pass < PASSES; pass++) {
      struct push push = sizes;
      push.pass = pass;
      VkCommandBuffer cmd = client_begin(client);
      vk.CmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set->set, 0, NULL);
      vk.CmdPushConstants(cmd, layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
      vk.CmdDispatch(cmd, (WIDTH + 7) / 8, (HEIGHT + 7) / 8, 1);
      client_barrier(cmd);
      client_run(client, cmd);
      printf("%u%% ", (pass + 1) * 100 / PASSES);
      fflush(stdout);
   }
   demo_done("up to 6 rays a path");
   vk.DestroyPipeline(client->device, pipeline, NULL);
   vk.DestroyPipelineLayout(client->device, layout, NULL);
   vk.DestroyShaderModule(client->device, module, NULL);
}

struct demo_picture demo_paths(struct client *client)
{
   const float f = FLOOR, corners[2][9] = {{-f, 0, -f, f, 0, f, f, 0, -f}, {-f, 0, -f, -f, 0, f, f, 0, f}};
   const VkDescriptorType types[3] = {VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_KHR, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
   uint32_t num_triangles;
   demo_step("build acceleration structures");
   struct client_accel ball = make_ball(client, &num_triangles), floor = client_accel_triangles(client, corners[0], 2, VK_GEOMETRY_OPAQUE_BIT_KHR);
   struct client_accel scene = make_scene(client, &ball, &floor);
   demo_done("%u balls of %u triangles", BALLS, num_triangles);

   struct demo_picture picture = {.width = WIDTH, .height = HEIGHT,
                                  .pixels = client_buffer_create(client, WIDTH * HEIGHT * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)};
   struct client_buffer sums = client_buffer_create(client, WIDTH * HEIGHT * 16, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
   struct client_set set = client_set_create(client, 3, types);
   client_set_accel(client, &set, 0, &scene);
   client_set_buffer(client, &set, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &sums);
   client_set_buffer(client, &set, 2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &picture.pixels);
   run_passes(client, &set);
   client_set_destroy(client, &set);
   client_buffer_destroy(client, &sums);
   client_accel_destroy(client, &scene);
   client_accel_destroy(client, &floor);
   client_accel_destroy(client, &ball);
   return picture;
}
