/* SPDX-License-Identifier: MIT
 * Structures and rays without a shader around them: one thread builds and traces four instances of 131,072 triangles, beside Embree where it is installed.
 * Rates count the thread's processor time. Usage: bench_rays [rounds] */
#include "tests/runtime/accel/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef BENCH_HAS_EMBREE
#include <embree3/rtcore.h>
#endif

enum { GRID = 256, NUM_TRIANGLES = GRID * GRID * 2, LANES = 16, WIDTH = 1024, HEIGHT = 512, NUM_RAYS = WIDTH * HEIGHT };

struct rays {
   float (*origins)[3], (*directions)[3];
};

static double now_s(void)
{
   struct timespec time;
   clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
   return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* A sphere with bumps. */
static void fill_mesh(float *positions)
{
   static float grid[GRID + 1][GRID + 1][3];
   for (uint32_t i = 0; i <= GRID; i++) {
      for (uint32_t j = 0; j <= GRID; j++) {
         const double a = M_PI * i / GRID, b = 2.0 * M_PI * (j % GRID) / GRID,
                      r = 1.0 + 0.05 * sin(a * 20.0) * cos(b * 16.0);
         grid[i][j][0] = (float)(r * sin(a) * cos(b));
         grid[i][j][1] = (float)(r * sin(a) * sin(b));
         grid[i][j][2] = (float)(r * cos(a));
      }
   }
   for (uint32_t i = 0; i < GRID; i++) {
      for (uint32_t j = 0; j < GRID; j++, positions += 18) {
         const float *corners[6] = {grid[i][j],         grid[i + 1][j], grid[i][j + 1],
                                    grid[i + 1][j + 1], grid[i][j + 1], grid[i + 1][j]};
         for (uint32_t k = 0; k < 6; k++)
            memcpy(positions + k * 3, corners[k], 3 * sizeof(float));
      }
   }
}

static void instance_matrix(uint32_t i, float m[12])
{
   const float matrix[12] = {1, 0, 0, (float)(i % 2) * 2.2f - 1.1f, 0, 1, 0, (float)(i / 2) * 2.2f - 1.1f, 0, 0, 1, 0};
   memcpy(m, matrix, sizeof(matrix));
}

static struct rays make_rays(bool is_random)
{
   struct rays rays = {malloc(NUM_RAYS * sizeof(float[3])), malloc(NUM_RAYS * sizeof(float[3]))};
   uint64_t seed = 1;
   for (uint32_t i = 0; i < NUM_RAYS; i++) {
      const float camera[3] = {((float)(i % WIDTH) + 0.5f) / WIDTH - 0.5f, ((float)(i / WIDTH) + 0.5f) / HEIGHT - 0.5f,
                               -1.0f};
      for (uint32_t k = 0; k < 3; k++) {
         rays.origins[i][k] = is_random ? (scene_random(&seed) - 0.5f) * (k < 2 ? 4.4f : 2.2f) : k < 2 ? 0.0f : 6.0f;
         rays.directions[i][k] = is_random ? scene_random(&seed) - 0.5f : camera[k];
      }
   }
   return rays;
}

static void free_rays(struct rays *rays)
{
   free(rays->origins);
   free(rays->directions);
}

/* ---- ours ---- */

/* Millions a second; *hits counts rays that hit. */
static double trace_ours(const struct scene *scene, const struct rays *rays, uint32_t *hits)
{
   static const uint32_t cancel = 0;
   struct abi_worker worker = {.cancel = &cancel, .structures = scene->table};
   struct abi_ray *lanes = scene_alloc(sizeof(*lanes) * LANES), *pointers[LANES];
   const double begin = now_s();
   *hits = 0;
   for (uint32_t i = 0; i < NUM_RAYS; i += LANES) {
      for (uint32_t k = 0; k < LANES; k++) {
         struct abi_ray *ray = pointers[k] = &lanes[k];
         memcpy(ray->origin, rays->origins[i + k], sizeof(ray->origin));
         memcpy(ray->direction, rays->directions[i + k], sizeof(ray->direction));
         ray->tmin = 0.0f;
         ray->tmax = 1e30f;
         ray->structure = (uintptr_t)scene->top;
         ray->flags = 0;
         ray->cull_mask = 0xff;
         ray->status = ABI_RAY_BEGINS;
         ray->committed.type = ray->candidate.type = ABI_HIT_NONE;
      }
      rt_ray_proceed(&worker, pointers, (1u << LANES) - 1);
      for (uint32_t k = 0; k < LANES; k++)
         *hits += lanes[k].committed.type != ABI_HIT_NONE;
   }
   const double rate = NUM_RAYS / (now_s() - begin) * 1e-6;
   free(lanes);
   return rate;
}

static double build_ours(struct scene *scene, uint32_t flags)
{
   struct scene_bottom *bottom = scene_add_bottom(scene, NUM_TRIANGLES, false);
   bottom->flags = flags;
   fill_mesh(bottom->positions);
   const double begin = now_s();
   scene_build_bottom(scene, bottom, NULL);
   return NUM_TRIANGLES / (now_s() - begin) * 1e-6;
}

/* ---- Embree ---- */

#ifdef BENCH_HAS_EMBREE
struct embree {
   RTCDevice device;
   RTCScene bottom, top;
   int64_t bytes, structure_bytes; /* all; those of the bottom level, without the geometry's buffers */
};

static bool count_bytes(void *data, ssize_t bytes, bool is_after)
{
   ((struct embree *)data)->bytes += bytes;
   return true;
}

static double build_embree(struct embree *embree)
{
   embree->device = rtcNewDevice("threads=1,set_affinity=0");
   embree->bytes = 0;
   rtcSetDeviceMemoryMonitorFunction(embree->device, count_bytes, embree);
   float *positions = malloc(NUM_TRIANGLES * 9 * sizeof(float));
   fill_mesh(positions);
   RTCGeometry mesh = rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
   memcpy(rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, NUM_TRIANGLES * 3), positions,
          NUM_TRIANGLES * 36);
   uint32_t *indices = rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, NUM_TRIANGLES);
   for (uint32_t i = 0; i < NUM_TRIANGLES * 3; i++)
      indices[i] = i;
   free(positions);
   const double begin = now_s();
   rtcCommitGeometry(mesh);
   embree->bottom = rtcNewScene(embree->device);
   rtcSetSceneFlags(embree->bottom, RTC_SCENE_FLAG_ROBUST); /* watertight, as ours */
   rtcAttachGeometry(embree->bottom, mesh);
   embree->structure_bytes = -embree->bytes;
   rtcCommitScene(embree->bottom);
   embree->structure_bytes += embree->bytes;
   const double rate = NUM_TRIANGLES / (now_s() - begin) * 1e-6;
   rtcReleaseGeometry(mesh);
   embree->top = rtcNewScene(embree->device);
   rtcSetSceneFlags(embree->top, RTC_SCENE_FLAG_ROBUST);
   for (uint32_t i = 0; i < 4; i++) {
      float m[12];
      instance_matrix(i, m);
      RTCGeometry instance = rtcNewGeometry(embree->device, RTC_GEOMETRY_TYPE_INSTANCE);
      rtcSetGeometryInstancedScene(instance, embree->bottom);
      rtcSetGeometryTransform(instance, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, m);
      rtcCommitGeometry(instance);
      rtcAttachGeometry(embree->top, instance);
      rtcReleaseGeometry(instance);
   }
   rtcCommitScene(embree->top);
   return rate;
}

static double trace_embree(const struct embree *embree, const struct rays *rays, uint32_t *hits)
{
   const double begin = now_s();
   *hits = 0;
   for (uint32_t i = 0; i < NUM_RAYS; i++) {
      struct RTCIntersectContext context;
      const float *o = rays->origins[i], *d = rays->directions[i];
      struct RTCRayHit ray = {.ray = {.org_x = o[0],
                                      .org_y = o[1],
                                      .org_z = o[2],
                                      .dir_x = d[0],
                                      .dir_y = d[1],
                                      .dir_z = d[2],
                                      .tfar = 1e30f,
                                      .mask = ~0u},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID, .instID = {RTC_INVALID_GEOMETRY_ID}}};
      rtcInitIntersectContext(&context);
      rtcIntersect1(embree->top, &context, &ray);
      *hits += ray.hit.geomID != RTC_INVALID_GEOMETRY_ID;
   }
   return NUM_RAYS / (now_s() - begin) * 1e-6;
}

/* Neighbours of a row, 16 a call. */
static double trace_embree_packets(const struct embree *embree, const struct rays *rays)
{
   static const int valid[16] __attribute__((aligned(64))) = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
   const double begin = now_s();
   for (uint32_t i = 0; i < NUM_RAYS; i += 16) {
      struct RTCIntersectContext context;
      struct RTCRayHit16 ray;
      memset(&ray, 0, sizeof(ray));
      for (uint32_t k = 0; k < 16; k++) {
         ray.ray.org_x[k] = rays->origins[i + k][0];
         ray.ray.org_y[k] = rays->origins[i + k][1];
         ray.ray.org_z[k] = rays->origins[i + k][2];
         ray.ray.dir_x[k] = rays->directions[i + k][0];
         ray.ray.dir_y[k] = rays->directions[i + k][1];
         ray.ray.dir_z[k] = rays->directions[i + k][2];
         ray.ray.tfar[k] = 1e30f;
         ray.ray.mask[k] = ~0u;
         ray.hit.geomID[k] = ray.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
      }
      rtcInitIntersectContext(&context);
      context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
      rtcIntersect16(valid, embree->top, &context, &ray);
   }
   return NUM_RAYS / (now_s() - begin) * 1e-6;
}
#else
struct embree {
   int64_t structure_bytes; /* of nothing */
};

static double trace_embree_packets(const struct embree *embree, const struct rays *rays)
{
   return NAN;
}

static double build_embree(struct embree *embree)
{
   return NAN;
}

static double trace_embree(const struct embree *embree, const struct rays *rays, uint32_t *hits)
{
   *hits = 0;
   return NAN;
}
#endif

static void print_row(const char *name, double ours, double embree)
{
   if (isnan(embree))
      printf("%-30s %8.2f M/s\n", name, ours);
   else
      printf("%-30s %8.2f M/s, Embree %8.2f, %.2f of it\n", name, ours, embree, ours / embree);
}

int main(int argc, char **argv)
{
   const int rounds = argc > 1 ? atoi(argv[1]) : 3;
   for (int round = 0; round < rounds; round++) {
      struct scene scene;
      struct embree embree;
      scene_init(&scene);
      const double build = build_ours(&scene, 0),
                   quick = build_ours(&scene, VK_BUILD_ACCELERATION_STRUCTURE_PREFER_FAST_BUILD_BIT_KHR);
      for (uint32_t i = 0; i < 4; i++) {
         float m[12];
         instance_matrix(i, m);
         scene_add_instance(&scene, &scene.bottoms[0], m);
      }
      scene_build_top(&scene);
      const double embree_build = build_embree(&embree);
      const struct rt_accel_head *head = scene.bottoms[0].structure;
      print_row("build, triangles", build, embree_build);
      print_row("quick build, triangles", quick, embree_build);
      printf("%-30s %8.1f", "bytes a triangle", (double)head->size_bytes / NUM_TRIANGLES);
      if (isnan(embree_build))
         printf("\n");
      else
         printf(", Embree %8.1f\n", (double)embree.structure_bytes / NUM_TRIANGLES);
      for (uint32_t class = 0; class < 2; class++) {
         struct rays rays = make_rays(class);
         uint32_t hits, embree_hits;
         const double ours = trace_ours(&scene, &rays, &hits), peer = trace_embree(&embree, &rays, &embree_hits);
         print_row(class ? "random rays" : "camera rays", ours, peer);
         if (!class)
            print_row("camera rays, Embree 16 a call", ours, trace_embree_packets(&embree, &rays));
         if (!isnan(peer) && abs((int)hits - (int)embree_hits) > NUM_RAYS / 1000)
            printf("%u hits, %u of Embree\n", hits, embree_hits);
         free_rays(&rays);
      }
      scene_finish(&scene);
   }
   return 0;
}
